package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// sentRequest is what decides about an answer, in the form in which it is
// hashed and recorded. A change of it makes old caches and recordings
// unreachable.
type sentRequest struct {
	Model       string    `json:"model"`
	BaseURL     string    `json:"base_url,omitempty"`
	System      string    `json:"system,omitempty"`
	Messages    []Message `json:"messages"`
	Temperature *float64  `json:"temperature,omitempty"`
	Seed        *int64    `json:"seed,omitempty"`
	MaxTokens   int       `json:"max_tokens,omitempty"`
	Sample      int       `json:"sample,omitempty"`
}

func sentOf(req Request, baseURL string) sentRequest {
	s := sentRequest{Model: req.Model, BaseURL: baseURL, System: req.System, Temperature: req.Temperature,
		Seed: req.Seed, MaxTokens: req.MaxTokens, Sample: req.Sample, Messages: req.Messages}
	if s.Messages == nil {
		s.Messages = []Message{}
	}
	return s
}

// digest returns the SHA-256 of the request as JSON, in hexadecimal. Texts
// that are not UTF-8 are hashed as encoding/json fixes them, just as they are
// sent.
func (s sentRequest) digest() string {
	data, err := json.Marshal(s)
	if err != nil { // the temperature is not a number, which reaches no wire either
		s.Temperature, s.BaseURL = nil, s.BaseURL+" "+err.Error()
		return s.digest()
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// storedResponse is an answer in a file.
type storedResponse struct {
	Text    string  `json:"text"`
	Stop    Stop    `json:"stop"`
	Usage   Usage   `json:"usage"`
	Model   string  `json:"model,omitempty"`
	CostUSD float64 `json:"cost_usd,omitempty"` // what it cost when it was made
	Priced  bool    `json:"priced,omitempty"`
}

func storedOf(res Response) storedResponse {
	return storedResponse{res.Text, res.Stop, res.Usage, res.Model, res.CostUSD, res.Priced}
}

// response is the answer as it is given again: it costs nothing.
func (s storedResponse) response() Response {
	return Response{Text: s.Text, Stop: s.Stop, Usage: s.Usage, Model: s.Model, Priced: true, Cached: true}
}
