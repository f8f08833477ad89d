// Package anthropic asks Anthropic's Messages API.
package anthropic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"assay/llm"
)

// Options open a client.
type Options struct {
	Key llm.Key
	// BaseURL ends before "/v1/messages"; default Anthropic's own.
	BaseURL string
	// HTTPClient is used with its transport and timeout; nil means one with
	// a timeout of ten minutes.
	HTTPClient *http.Client
}

const (
	ownBaseURL = "https://api.anthropic.com"
	// The API wants a bound. These are what a request without one gets.
	defaultMaxTokens = 8192
	oldMaxTokens     = 4096 // all that claude-3 models allow
	// callTimeout makes the SDK let long answers pass without streaming; the
	// HTTP client and the context bound calls more tightly.
	callTimeout = time.Hour
)

// New returns a client that makes one HTTP request per call: the SDK's own
// retries are off, and no variable of the environment is read.
func New(opts Options) llm.Client {
	if opts.BaseURL == "" {
		opts.BaseURL = ownBaseURL
	}
	wire := llm.NewWire("anthropic", opts.Key, opts.HTTPClient)
	return &client{wire: wire, messages: sdk.NewMessageService(
		option.WithBaseURL(strings.TrimRight(opts.BaseURL, "/")+"/"),
		option.WithHTTPClient(wire.Client()),
		option.WithMaxRetries(0),
		option.WithRequestTimeout(callTimeout),
		option.WithAPIKey(opts.Key.Reveal()),
	)}
}

type client struct {
	wire     *llm.Wire
	messages sdk.MessageService
}

var _ llm.Client = (*client)(nil)

// Complete implements llm.Client. Seed is left out: the API has none.
func (c *client) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	params, err := paramsOf(req)
	if err != nil {
		return llm.Response{}, c.wire.Fail(llm.Invalid, err)
	}
	var answer *sdk.Message
	_, latency, err := c.wire.Call(ctx, func(ctx context.Context) (err error) {
		answer, err = c.messages.New(ctx, params)
		return err
	})
	if err != nil {
		return llm.Response{}, err
	}
	res, err := c.response(answer)
	res.Latency = latency
	return res, err
}

func paramsOf(req llm.Request) (sdk.MessageNewParams, error) {
	p := sdk.MessageNewParams{Model: req.Model, MaxTokens: int64(req.MaxTokens)}
	if req.MaxTokens <= 0 {
		p.MaxTokens = defaultMaxTokens
		if strings.HasPrefix(req.Model, "claude-3-") && !strings.HasPrefix(req.Model, "claude-3-5-") && !strings.HasPrefix(req.Model, "claude-3-7-") {
			p.MaxTokens = oldMaxTokens
		}
	}
	if req.System != "" {
		p.System = []sdk.TextBlockParam{{Text: req.System}}
	}
	if req.Temperature != nil {
		p.Temperature = sdk.Float(*req.Temperature)
	}
	for _, m := range req.Messages {
		switch m.Role {
		case llm.User:
			p.Messages = append(p.Messages, sdk.NewUserMessage(sdk.NewTextBlock(m.Text)))
		case llm.Assistant:
			p.Messages = append(p.Messages, sdk.NewAssistantMessage(sdk.NewTextBlock(m.Text)))
		default:
			return p, fmt.Errorf("role %q of a message is not known", m.Role)
		}
	}
	return p, nil
}

func (c *client) response(answer *sdk.Message) (llm.Response, error) {
	if answer == nil {
		return llm.Response{}, c.fail(llm.Malformed, llm.Usage{}, errors.New("the answer is empty"))
	}
	usage := usageOf(answer.Usage)
	var text strings.Builder
	for _, block := range answer.Content {
		if block.Type == "text" {
			text.WriteString(block.Text)
		}
	}
	res := llm.Response{Text: text.String(), Stop: llm.StopEnd, Usage: usage, Model: answer.Model}
	switch answer.StopReason {
	case sdk.StopReasonRefusal:
		return llm.Response{}, c.fail(llm.Refused, usage, errors.New("the model refused to answer"))
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		res.Stop = llm.StopLength
	default:
		if res.Text == "" {
			return llm.Response{}, c.fail(llm.Malformed, usage, fmt.Errorf("the answer has no text (stop reason %q)", answer.StopReason))
		}
	}
	return res, nil
}

// usageOf adds up the input, for which the API reports the cached parts
// separately.
func usageOf(u sdk.Usage) llm.Usage {
	return llm.Usage{
		Input:       int(u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens),
		CachedInput: int(u.CacheReadInputTokens),
		CacheWrites: int(u.CacheCreationInputTokens),
		Output:      int(u.OutputTokens),
		Reasoning:   int(u.OutputTokensDetails.ThinkingTokens),
	}
}

// fail is for complete responses that hold no answer.
func (c *client) fail(class llm.Class, usage llm.Usage, err error) error {
	e := c.wire.Fail(class, err)
	e.Usage, e.Status, e.Sent = usage, http.StatusOK, true
	return e
}
