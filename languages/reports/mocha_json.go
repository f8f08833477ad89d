package reports

import (
	"bytes"
	"encoding/json"

	"assay/bench"
)

// mochaReport is what Mocha's reporter json writes, as far as it is read.
type mochaReport struct {
	Stats *struct {
		Passes, Failures, Pending int
	} `json:"stats"`
	Passes, Failures, Pending []struct {
		FullTitle string `json:"fullTitle"`
	}
}

// readMochaJSON reads the objects that Mocha's reporter json prints, among
// any other text. Ids are full titles.
func readMochaJSON(c *collector, data []byte) bool {
	p := newPrinted(c)
	for {
		i := bytes.Index(data, []byte("{\n"))
		if i < 0 {
			break
		}
		data = data[i:]
		var r mochaReport
		dec := json.NewDecoder(bytes.NewReader(data))
		if dec.Decode(&r) != nil || r.Stats == nil {
			data = data[2:]
			continue
		}
		data = data[dec.InputOffset():]
		p.mocha(r)
	}
	return p.finish() && p.closed
}

func (p *printed) mocha(r mochaReport) {
	p.count(r.Stats.Passes, r.Stats.Failures)
	for _, t := range r.Passes {
		p.result(t.FullTitle, bench.Passed)
	}
	for _, t := range r.Failures {
		p.result(t.FullTitle, bench.Failed)
	}
	for _, t := range r.Pending {
		p.result(t.FullTitle, bench.Skipped)
	}
}
