package proxy

import (
	"encoding/json"

	"assay/llm"
)

// wire is one protocol: what a request asks for, what must not be in it, and
// what an answer says was used.
type wire interface {
	// protocol is its name in the record.
	protocol() string
	// forbidden explains why a request is refused; "" allows it.
	forbidden(q *query) string
	// roots are the members of a request that hold the conversation.
	roots() []string
	// wanted is how many tokens an answer may have by the request, 0 where it
	// does not say, and how many answers it asks for.
	wanted(q *query) (tokens, answers int)
	// edited is the request as it is sent.
	edited(q *query, e edit) (object, error)
	// usage reads what an answer says was used; false where it does not.
	usage(answer map[string]any) (llm.Usage, bool)
	// declined is why the model refused to answer, "" where it did not.
	declined(answer map[string]any) string
	// cut reports whether the limit of tokens ended the answer.
	cut(answer map[string]any) bool
	// assemble puts the events of a stream together.
	assemble() assembler
	// failure is the body that reports an error to the agent.
	failure(kind failureKind, message string) (status int, body any)
}

// edit is what the proxy changes about a request.
type edit struct {
	model  string // as the provider calls it
	most   int    // tokens of an answer; 0 leaves what the request says
	modern bool   // the provider is OpenAI itself, which has a new name for that
	seed   int64  // 0 for none
}

// assembler makes of the events of a stream the answer that the provider would
// have given without one.
type assembler interface {
	// add takes an event. hide means that the agent did not ask for it.
	add(ev event) (hide bool)
	// answer is what there is so far; done says that it is all.
	answer() (answer map[string]any, done bool)
	// complete says that nothing can follow that counts.
	complete() bool
	// failed is an error inside the stream, nil where there was none.
	failed() json.RawMessage
}

// failureKind is why the proxy refuses.
type failureKind int

const (
	spentOut   failureKind = iota // a limit of the attempt or the run: stop
	badKey                        // not the key of this attempt
	badModel                      // a model that was not asked for
	badRequest                    // something that is not allowed in a request
	tooLarge                      // of bytes
	unknownURL                    // nothing is served there
)

// status is the one that most protocols have for a kind; each decides by itself
// what makes its agents stop.
func (k failureKind) status() int {
	switch k {
	case badKey:
		return 401
	case badModel, unknownURL:
		return 404
	case tooLarge:
		return 413
	}
	return 400
}

// decode reads a JSON object; nil for something else.
func decode(data []byte) map[string]any {
	var out map[string]any
	if json.Unmarshal(data, &out) != nil {
		return nil
	}
	return out
}
