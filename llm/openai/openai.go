// Package openai asks servers that speak OpenAI's chat completions: OpenAI
// itself and, by their base URL, OpenRouter, DeepSeek, vLLM, Ollama and others.
package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"assay/llm"
)

// Options open a client.
type Options struct {
	// Name is what errors call the provider; default "openai".
	Name string
	Key  llm.Key // not sent when empty
	// BaseURL ends before "/chat/completions"; default OpenAI's own.
	BaseURL string
	// HTTPClient is used with its transport and timeout; nil means one with
	// a timeout of ten minutes.
	HTTPClient *http.Client
}

const ownBaseURL = "https://api.openai.com/v1"

// New returns a client that makes one HTTP request per call: the SDK's own
// retries are off, and no variable of the environment is read.
func New(opts Options) llm.Client {
	if opts.Name == "" {
		opts.Name = "openai"
	}
	if opts.BaseURL == "" {
		opts.BaseURL = ownBaseURL
	}
	wire := llm.NewWire(opts.Name, opts.Key, opts.HTTPClient)
	settings := []option.RequestOption{
		option.WithBaseURL(strings.TrimRight(opts.BaseURL, "/") + "/"),
		option.WithHTTPClient(wire.Client()),
		option.WithMaxRetries(0),
	}
	if opts.Key.Set() {
		settings = append(settings, option.WithAPIKey(opts.Key.Reveal()))
	}
	return &client{
		name: opts.Name,
		wire: wire,
		chat: sdk.NewChatCompletionService(settings...),
		own:  strings.HasPrefix(opts.BaseURL, "https://api.openai.com/"),
	}
}

type client struct {
	name string
	wire *llm.Wire
	chat sdk.ChatCompletionService
	own  bool // OpenAI's server, not a compatible one
}

var _ llm.Client = (*client)(nil)

// Complete implements llm.Client.
func (c *client) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	params, err := c.params(req)
	if err != nil {
		return llm.Response{}, c.fail(llm.Invalid, llm.Usage{}, err)
	}
	var answer *sdk.ChatCompletion
	_, latency, err := c.wire.Call(ctx, func(ctx context.Context) (err error) {
		answer, err = c.chat.New(ctx, params)
		return err
	})
	if err != nil {
		return llm.Response{}, err
	}
	res, err := c.response(answer)
	res.Latency = latency
	return res, err
}

func (c *client) params(req llm.Request) (sdk.ChatCompletionNewParams, error) {
	p := sdk.ChatCompletionNewParams{Model: req.Model}
	if req.System != "" {
		p.Messages = append(p.Messages, sdk.SystemMessage(req.System))
	}
	for _, m := range req.Messages {
		switch m.Role {
		case llm.User:
			p.Messages = append(p.Messages, sdk.UserMessage(m.Text))
		case llm.Assistant:
			p.Messages = append(p.Messages, sdk.AssistantMessage(m.Text))
		default:
			return p, fmt.Errorf("role %q of a message is not known", m.Role)
		}
	}
	if req.Temperature != nil {
		p.Temperature = sdk.Float(*req.Temperature)
	}
	if req.Seed != nil {
		p.Seed = sdk.Int(*req.Seed)
	}
	// OpenAI's reasoning models know the new name only, most compatible
	// servers the old one.
	if req.MaxTokens > 0 && c.own {
		p.MaxCompletionTokens = sdk.Int(int64(req.MaxTokens))
	} else if req.MaxTokens > 0 {
		p.MaxTokens = sdk.Int(int64(req.MaxTokens))
	}
	return p, nil
}

func (c *client) response(answer *sdk.ChatCompletion) (llm.Response, error) {
	if answer == nil {
		return llm.Response{}, c.fail(llm.Malformed, llm.Usage{}, errors.New("the answer is empty"))
	}
	usage := usageOf(answer.Usage)
	if len(answer.Choices) == 0 {
		return llm.Response{}, c.fail(llm.Malformed, usage, errors.New("the answer has no choices"))
	}
	choice := answer.Choices[0]
	switch {
	case choice.Message.Refusal != "":
		return llm.Response{}, c.fail(llm.Refused, usage, errors.New(choice.Message.Refusal))
	case choice.FinishReason == "content_filter":
		return llm.Response{}, c.fail(llm.Refused, usage, errors.New("stopped by the content filter"))
	case choice.FinishReason == "error": // OpenRouter's word for an answer that broke off
		return llm.Response{}, c.fail(llm.Malformed, usage, errors.New("the server cut the answer off"))
	case choice.Message.Content == "" && choice.FinishReason != "length":
		return llm.Response{}, c.fail(llm.Malformed, usage, fmt.Errorf("the answer has no text (finish reason %q)", choice.FinishReason))
	}
	res := llm.Response{Text: choice.Message.Content, Stop: llm.StopEnd, Usage: usage, Model: answer.Model}
	if choice.FinishReason == "length" {
		res.Stop = llm.StopLength
	}
	return res, nil
}

// usageOf makes Output include Reasoning, which some servers (xAI) count
// separately; their total shows it.
func usageOf(u sdk.CompletionUsage) llm.Usage {
	reasoning := u.CompletionTokensDetails.ReasoningTokens
	if u.TotalTokens == u.PromptTokens+u.CompletionTokens+reasoning {
		u.CompletionTokens += reasoning
	}
	return llm.Usage{
		Input:       int(u.PromptTokens),
		CachedInput: int(u.PromptTokensDetails.CachedTokens),
		Output:      int(u.CompletionTokens),
		Reasoning:   int(reasoning),
	}
}

// fail is for complete responses that hold no answer.
func (c *client) fail(class llm.Class, usage llm.Usage, err error) error {
	e := c.wire.Fail(class, err)
	e.Usage = usage
	if class != llm.Invalid {
		e.Status, e.Sent = http.StatusOK, true
	}
	return e
}
