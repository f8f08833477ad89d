package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/languages"
	"assay/tasks"
)

// counted is a kind that needs a number in its instances.
type counted struct {
	tasks.BugFix
	fail error
}

func (counted) Name() string { return "counted" }

func (counted) Build(inst *bench.Instance) ([]tasks.Task, error) {
	if inst.Extra["number"] == nil {
		return nil, errors.New("it has no number")
	}
	return []tasks.Task{{Kind: "counted", Instance: inst}}, nil
}

func (c counted) Fill(_ context.Context, bed *languages.Testbed, inst *bench.Instance) error {
	inst.Extra = map[string]json.RawMessage{"number": json.RawMessage("1")}
	if c.fail != nil {
		inst.Extra = nil
	}
	return c.fail
}

// TestFiller: a kind from outside completes instances as style tasks and
// reviews do, and its errors are reported alike.
func TestFiller(t *testing.T) {
	infra := &harness.InfraError{Op: "counting", Err: errors.New("no room")}
	for name, c := range map[string]struct {
		kinds   []string
		fail    error
		want    KindBuilt
		trouble string
	}{
		"completed":     {[]string{"counted"}, nil, KindBuilt{Tasks: 1}, ""},
		"not asked for": {[]string{"bugfix"}, nil, KindBuilt{}, ""},
		"impossible":    {[]string{"counted"}, errors.New("too many"), KindBuilt{Why: "too many"}, ""},
		"trouble":       {[]string{"counted"}, infra, KindBuilt{}, infra.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			kinds := tasks.Default(nil, nil)
			require.NoError(t, kinds.Register(counted{fail: c.fail}))
			fake := &harnesstest.Fake{}
			b := Builder{Kinds: kinds, Options: Options{Kinds: c.kinds}, Machine: languages.Machine{Runner: fake, Preparer: fake}}
			inst := bench.Instance{ID: "i", Language: "python", Image: "image"}
			made, rec, err := b.Build(t.Context(), inst)
			require.NoError(t, err)
			require.Equal(t, c.want, rec.Kinds["counted"])
			require.Equal(t, c.trouble, rec.Trouble)
			require.Equal(t, c.want.Tasks > 0, made.Extra["number"] != nil)
			require.Nil(t, inst.Extra)
		})
	}
}
