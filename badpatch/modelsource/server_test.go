package modelsource

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch/searchreplace"
	"assay/llm"
	"assay/llm/llmtest"
	"assay/llm/openai"
	"assay/llm/prompts"
)

// TestSourcesOverHTTP asks a real client of a fake server, which gives a right
// edit, a wrong one and then a right one, prose and then a refusal, a truncated
// answer, and in the end a key that is not valid.
func TestSourcesOverHTTP(t *testing.T) {
	wire := llmtest.Speaks(llm.ProtocolOpenAI)
	right := wire.Answer(editAnswer(), llm.StopEnd)
	server := llmtest.NewServer(
		right,
		wire.Answer(block("lib/m.py", "    if x > 99:", "    if x:"), llm.StopEnd), right,
		wire.Answer("I will not.", llm.StopEnd), wire.Refuse(),
		wire.Answer("lib/m.py\n<<<<<<< SEARCH\n", llm.StopLength), right,
		wire.Trouble(llm.Authentication, "the key"),
	)
	defer server.Close()
	set, err := prompts.Load("")
	require.NoError(t, err)
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := openai.New(openai.Options{Key: llm.NewKey("sk-test"), BaseURL: server.URL, HTTPClient: &http.Client{Transport: transport}})
	refused := tally{}
	source := Edits{
		Asker:   Asker{Client: llm.ForProvider(client, "openai"), Model: "openai/some-model", Prompts: set},
		Samples: 1, Refused: refused.add,
	}
	endsFatally(t, source, clampSubject(t), llm.Authentication, 3)
	require.Equal(t, tally{searchreplace.NotFound: 1, noBlock: 1, byModel: 1, truncated: 1}, refused)
	require.Len(t, server.Requests(), 8)
	require.Equal(t, "some-model", server.Requests()[0].Body["model"])
}
