package languages

import (
	"assay/bench"
	"assay/languages/reports"
)

func statusByID(tests []bench.Test) map[string]bench.Status {
	out := map[string]bench.Status{}
	for _, t := range tests {
		out[t.ID] = t.Status
	}
	return out
}

// statusesIn are those of a report, by id; none where it cannot be read.
func statusesIn(format reports.Format, data []byte) map[string]bench.Status {
	r, err := readOne(format, data)
	if err != nil {
		return map[string]bench.Status{}
	}
	return statusByID(r.Tests)
}
