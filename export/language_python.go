package export

import (
	"cmp"
	"fmt"

	"assay/bench"
)

// pythonResults reads pytest's summary; a test's own output comes before it.
const pythonResults = `awk '
/^=+ short test summary info =+$/ { on = 1; next }
!on { next }
/^(PASSED|XFAIL|XPASS) / { if ($1 != "PASSED") sub(/ - .*/, ""); sub(/^[A-Z]+ /, "PASS: "); print }
/^(FAILED|ERROR) / { sub(/^[A-Z]+ /, "FAIL: "); print }
' "$log"`

func pythonContainer() container {
	return container{
		name: "python",
		base: func(env bench.Env) string { return "python:" + cmp.Or(env.Python, "3.11") },
		setup: func(inst bench.Instance, _ bench.Env) []string {
			date := ""
			if inst.CreatedAt != "" {
				date = " --exclude-newer " + inst.CreatedAt
			}
			return []string{
				fmt.Sprintf("RUN pip install -q uv && uv pip install -q --system%s -e . pytest", date),
				// What tests need besides pytest is in files, groups or extras by the usual names.
				fmt.Sprintf("RUN find . -maxdepth 2 -regextype posix-extended -regex '.*/(requirements/(tests?|testing|dev)|(tests?|dev)[-_]requirements|requirements[-_](tests?|testing|dev))\\.txt' -print0 | sort -z | xargs -0 -r -n 1 uv pip install -q --system%s -r || true", date),
				fmt.Sprintf("RUN for name in test tests testing dev; do uv pip install -q --system%[1]s --group \"$name\" || true; uv pip install -q --system%[1]s -e \".[$name]\" || true; done", date),
			}
		},
		test: func(bench.Env, []string) string {
			return "mapfile -t names < \"$ids\"\npython -m pytest -q -rA -p no:cacheprovider \"${names[@]}\""
		},
		results: pythonResults,
	}
}
