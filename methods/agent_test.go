package methods

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/llm/prompts"
)

// saying is a method with one prompt.
type saying struct{ source string }

func (s saying) About() About {
	return About{Name: "saying", Prompts: []string{prompts.ZeroShot}, Settings: []Setting{{Name: "n", Default: 1, Most: 9}}, Source: s.source}
}

func (saying) Solve(context.Context, *Desk) (string, error) { return "", nil }

// TestDigest: an attempt is made again if the text of one of the method's own
// prompts, a setting or what it was given differs, and not otherwise.
func TestDigest(t *testing.T) {
	with := func(prompt string) prompts.Set {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, prompt+".tmpl"), []byte("{{.Problem}} in other words"), 0o644))
		set, err := prompts.Load(dir)
		require.NoError(t, err)
		return set
	}
	usual := Agent{Method: saying{}}.Digest()
	for name, tt := range map[string]struct {
		agent Agent
		same  bool
	}{
		"the same":           {Agent{Method: saying{}, Options: Options{Settings: map[string]float64{"n": 1}}}, true},
		"its prompt":         {Agent{Method: saying{}, Options: Options{Prompts: with(prompts.ZeroShot)}}, false},
		"another's prompt":   {Agent{Method: saying{}, Options: Options{Prompts: with(prompts.ZeroShotPlus)}}, true},
		"a setting":          {Agent{Method: saying{}, Options: Options{Settings: map[string]float64{"n": 2}}}, false},
		"what it was given":  {Agent{Method: saying{source: "x"}}, false},
		"where answers come": {Agent{Method: saying{}, Options: Options{Replayed: true}}, true},
	} {
		require.Equal(t, tt.same, tt.agent.Digest() == usual, name)
	}
}

// TestOwnPrompts: a method has the prompts that it names, and no others.
func TestOwnPrompts(t *testing.T) {
	set, err := Agent{Method: saying{}}.prompts()
	require.NoError(t, err)
	d := NewDesk(Parts{Prompts: set.Only(saying{}.About().Prompts...)})
	_, err = d.Template(prompts.ZeroShot, prompts.ZeroShotData{Problem: "p"})
	require.NoError(t, err)
	_, err = d.Template(prompts.ZeroShotPlus, prompts.ZeroShotData{Problem: "p"})
	require.ErrorContains(t, err, `no prompt "zeroshotplus"`)
}
