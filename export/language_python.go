package export

import (
	"cmp"
	"fmt"

	"assay/bench"
)

func harborPython() harborLanguage {
	return harborLanguage{
		name: "python",
		base: func(env bench.Env) string { return "python:" + cmp.Or(env.Python, "3.11") },
		setup: func(inst bench.Instance, _ bench.Env) []string {
			date := ""
			if inst.CreatedAt != "" {
				date = " --exclude-newer " + inst.CreatedAt
			}
			return []string{fmt.Sprintf("RUN pip install -q uv && uv pip install -q --system%s -e . pytest", date)}
		},
		test: func(bench.Env, []string) string {
			return "mapfile -t ids < /tests/ids.txt\npython -m pytest -q -p no:cacheprovider \"${ids[@]}\""
		},
	}
}
