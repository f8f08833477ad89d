package attempts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents"
	"assay/internal/patch"
)

func TestJudgeable(t *testing.T) {
	for name, tt := range map[string]struct {
		patch, detail string
		kept          bool
	}{
		"none":               {"", "", true},
		"usual":              {"+caf\u00e9\n", "", true},
		"large":              {strings.Repeat("x", patch.MaxBytes), "and 20971520 can be judged", false},
		"control characters": {strings.Repeat("\x01", patch.MaxBytes/6+1), "and 20971520 can be judged", false},
		"not UTF-8":          {"+caf\xe9\n", "is not UTF-8", false},
	} {
		out := judgeable(agents.Outcome{Patch: tt.patch, Detail: "before", End: agents.Done})
		require.Equal(t, agents.Done, out.End, name)
		if tt.kept {
			require.Equal(t, tt.patch, out.Patch, name)
			require.Equal(t, "before", out.Detail, name)
			continue
		}
		require.Empty(t, out.Patch, name)
		require.True(t, strings.HasPrefix(out.Detail, "before; "), out.Detail)
		require.Contains(t, out.Detail, tt.detail, name)
	}
}
