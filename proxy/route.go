package proxy

import (
	"net/http"
	"net/url"
	"strings"

	"assay/llm"
)

// target is what a request of the agent is for.
type target struct {
	verb verb
	wire wire
	// model and stream are set where the URL says them.
	model  string
	stream bool
	// up is the path and query at the provider, after its base URL; MODEL
	// stands for the model.
	up string
	// array means a stream that is one JSON list.
	array bool
}

type verb int

const (
	unknown   verb = iota
	complete       // asks the model
	count          // counts tokens, without the model
	listModel      // one model
	listAll        // all models
	upgrade        // a websocket, which is not served
)

// route finds what a request is for.
func route(r *http.Request) target {
	path := strings.TrimRight(r.URL.Path, "/")
	if t := gemini(path, r.URL.Query()); r.Method == http.MethodPost && t.verb != unknown {
		return t
	}
	plain := strings.TrimPrefix(path, "/v1")
	switch r.Method + " " + plain {
	case "POST /chat/completions":
		return target{verb: complete, wire: chat{}, up: "/chat/completions"}
	case "POST /responses":
		return target{verb: complete, wire: responses{}, up: "/responses"}
	case "GET /responses":
		return target{verb: upgrade, wire: responses{}}
	case "POST /messages":
		return target{verb: complete, wire: messages{}, up: "/v1/messages" + beta(r.URL.Query())}
	case "POST /messages/count_tokens":
		return target{verb: count, wire: messages{}, up: "/v1/messages/count_tokens" + beta(r.URL.Query())}
	}
	return lists(r.Method, path)
}

func lists(method, path string) target {
	if method != http.MethodGet {
		return target{}
	}
	for _, root := range []string{"/v1beta/models", "/v1alpha/models", "/v1/models", "/models"} {
		if path == root {
			return target{verb: listAll}
		}
		if name, one := strings.CutPrefix(path, root+"/"); one {
			return target{verb: listModel, model: name}
		}
	}
	return target{}
}

func beta(query url.Values) string {
	if query.Get("beta") == "true" {
		return "?beta=true"
	}
	return ""
}

// gemini reads /v1beta/models/NAME:VERB.
func gemini(path string, query url.Values) target {
	parts := strings.Split(path, "/")
	if len(parts) != 4 || parts[2] != "models" || parts[1] != "v1" && parts[1] != "v1beta" && parts[1] != "v1alpha" {
		return target{}
	}
	model, name, _ := strings.Cut(parts[3], ":")
	t := target{wire: generate{}, model: model, up: "/" + parts[1] + "/models/MODEL:" + name}
	switch name {
	case "generateContent":
		t.verb = complete
	case "streamGenerateContent":
		t.verb, t.stream = complete, true
		t.array = query.Get("alt") != "sse"
		if !t.array {
			t.up += "?alt=sse"
		}
	case "countTokens":
		t.verb = count
	default:
		return target{}
	}
	return t
}

// speaks reports whether a provider has the protocol of a wire.
func speaks(p llm.Protocol, w wire) bool {
	switch w.(type) {
	case messages:
		return p == llm.ProtocolAnthropic
	case generate:
		return p == llm.ProtocolGemini
	}
	return p == llm.ProtocolOpenAI
}

// ownWire is the protocol of errors if the URL does not determine one.
func ownWire(p llm.Protocol) wire {
	switch p {
	case llm.ProtocolAnthropic:
		return messages{}
	case llm.ProtocolGemini:
		return generate{}
	}
	return chat{}
}
