// Package gemini asks Google's Gemini API through generative-ai-go.
package gemini

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/generative-ai-go/genai"
	"google.golang.org/api/option"

	"assay/llm"
)

// Options open a client.
type Options struct {
	Key llm.Key
	// BaseURL ends before "/v1beta"; default Google's own.
	BaseURL string
	// HTTPClient is used with its transport and timeout; nil means one with
	// a timeout of ten minutes.
	HTTPClient *http.Client
}

const ownBaseURL = "https://generativelanguage.googleapis.com"

// New returns a client that makes one HTTP request per call.
//
// The SDK would put the key into the URL's query, where errors and proxies
// show it. So it gets none: the key goes into a header, on the way out.
func New(opts Options) (llm.Client, error) {
	if opts.BaseURL == "" {
		opts.BaseURL = ownBaseURL
	}
	wire := llm.NewWire("gemini", opts.Key, opts.HTTPClient)
	own := *wire.Client()
	own.Transport = &transport{next: own.Transport, key: opts.Key}
	sdk, err := genai.NewClient(context.Background(),
		option.WithAPIKey("in-header"), // wanted by parts of the SDK that are not used
		option.WithHTTPClient(&own),
		option.WithEndpoint(strings.TrimRight(opts.BaseURL, "/")))
	if err != nil {
		return nil, fmt.Errorf("opening gemini: %w", wire.Fail(llm.Invalid, err))
	}
	return &client{wire: wire, sdk: sdk}, nil
}

type client struct {
	wire *llm.Wire
	sdk  *genai.Client
}

var _ llm.Client = (*client)(nil)

// Complete implements llm.Client.
func (c *client) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	history, last, err := contents(req.Messages)
	if err != nil {
		return llm.Response{}, c.wire.Fail(llm.Invalid, err)
	}
	model := c.model(req)
	var answer *genai.GenerateContentResponse
	var blocked *genai.BlockedError
	body, latency, err := c.wire.Call(withSeed(ctx, req.Seed), func(ctx context.Context) (err error) {
		answer, err = ask(ctx, model, history, last)
		if errors.As(err, &blocked) {
			return nil
		}
		return err
	})
	if err != nil {
		return llm.Response{}, err
	}
	more := readMore(body)
	if blocked != nil {
		return llm.Response{}, c.fail(llm.Refused, more.usage(), blocked)
	}
	res, err := c.response(answer, more)
	res.Latency = latency
	return res, err
}

// ask sends a conversation as the SDK does it, by a stream, and a single message
// without.
func ask(ctx context.Context, model *genai.GenerativeModel, history []*genai.Content, last string) (*genai.GenerateContentResponse, error) {
	if len(history) == 0 {
		return model.GenerateContent(ctx, genai.Text(last))
	}
	session := model.StartChat()
	session.History = history
	return session.SendMessage(ctx, genai.Text(last))
}

func (c *client) model(req llm.Request) *genai.GenerativeModel {
	m := c.sdk.GenerativeModel(req.Model)
	if req.System != "" {
		m.SystemInstruction = &genai.Content{Parts: []genai.Part{genai.Text(req.System)}}
	}
	if req.Temperature != nil {
		m.SetTemperature(float32(*req.Temperature))
	}
	if req.MaxTokens > 0 {
		m.SetMaxOutputTokens(int32(min(req.MaxTokens, 1<<30)))
	}
	return m
}

// contents splits the turns into what was said and what the user says now.
func contents(messages []llm.Message) (history []*genai.Content, last string, err error) {
	if len(messages) == 0 || messages[len(messages)-1].Role != llm.User {
		return nil, "", errors.New("the last message must be the user's")
	}
	for _, m := range messages[:len(messages)-1] {
		role := "user"
		switch m.Role {
		case llm.User:
		case llm.Assistant:
			role = "model"
		default:
			return nil, "", fmt.Errorf("role %q of a message is not known", m.Role)
		}
		history = append(history, &genai.Content{Role: role, Parts: []genai.Part{genai.Text(m.Text)}})
	}
	return history, messages[len(messages)-1].Text, nil
}

func (c *client) response(answer *genai.GenerateContentResponse, more more) (llm.Response, error) {
	if answer == nil || len(answer.Candidates) == 0 {
		return llm.Response{}, c.fail(llm.Malformed, more.usage(), errors.New("the answer has no candidates"))
	}
	candidate := answer.Candidates[0]
	var text strings.Builder
	if candidate.Content != nil {
		for _, part := range candidate.Content.Parts {
			if t, ok := part.(genai.Text); ok {
				text.WriteString(string(t))
			}
		}
	}
	res := llm.Response{Text: text.String(), Stop: llm.StopEnd, Usage: more.usage(), Model: more.ModelVersion}
	switch reason := candidate.FinishReason; {
	case refuses(reason):
		return llm.Response{}, c.fail(llm.Refused, more.usage(), fmt.Errorf("the answer was withheld (%v)", reason))
	case reason == genai.FinishReasonMaxTokens:
		res.Stop = llm.StopLength
	case res.Text == "" || reason > genai.FinishReasonMaxTokens:
		return llm.Response{}, c.fail(llm.Malformed, more.usage(), fmt.Errorf("the answer has no text or broke off (%v)", reason))
	}
	return res, nil
}

// refuses knows the numbers of google.ai.generativelanguage's FinishReason
// that came after the SDK's last release: LANGUAGE (6), BLOCKLIST (7),
// PROHIBITED_CONTENT (8), SPII (9).
func refuses(reason genai.FinishReason) bool {
	return reason == genai.FinishReasonSafety || reason == genai.FinishReasonRecitation || reason >= 6 && reason <= 9
}

// fail is for complete responses that hold no answer.
func (c *client) fail(class llm.Class, usage llm.Usage, err error) error {
	e := c.wire.Fail(class, err)
	e.Usage, e.Status, e.Sent = usage, http.StatusOK, true
	return e
}

// more is what the API says beyond what the SDK's last release knows.
type more struct {
	ModelVersion string `json:"modelVersion"`
	Metadata     struct {
		Prompt     int `json:"promptTokenCount"`
		Cached     int `json:"cachedContentTokenCount"`
		Candidates int `json:"candidatesTokenCount"`
		Thoughts   int `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
}

// readMore reads an answer, or of a stream the last part, which sums up. The
// SDK judges what an answer is, so what cannot be read is empty here.
func readMore(body []byte) more {
	var parts []json.RawMessage
	if json.Unmarshal(body, &parts) == nil && len(parts) > 0 {
		body = parts[len(parts)-1]
	}
	var m more
	if json.Unmarshal(body, &m) != nil {
		return more{}
	}
	return m
}

// usage counts thoughts as output, as they are billed.
func (m more) usage() llm.Usage {
	return llm.Usage{Input: m.Metadata.Prompt, CachedInput: m.Metadata.Cached,
		Output: m.Metadata.Candidates + m.Metadata.Thoughts, Reasoning: m.Metadata.Thoughts}
}
