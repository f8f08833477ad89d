package attempts

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"

	"assay/bench"
)

// exchange is what counts of a line of the proxy's record: a call that ended,
// or, before it was forwarded, what it may cost at most.
type exchange struct {
	N     int64 `json:"n"`
	Usage struct {
		Prompt     int `json:"prompt"`
		Cached     int `json:"cached"`
		Completion int `json:"completion"`
	} `json:"usage"`
	USD         float64  `json:"usd"`
	Estimated   bool     `json:"estimated"`
	Refused     string   `json:"refused"`
	ReservedUSD *float64 `json:"reserved_usd"`
}

// tally is what a record adds up to.
type tally struct {
	calls     int
	usd       float64
	tokens    bench.Tokens
	estimated bool
}

// tallyFile adds up the calls of a proxy's record. Its writer may have been
// killed: a last line that was cut is skipped, and a call that was forwarded
// and has no line counts with all that was reserved for it. A file that is not
// there adds up to nothing.
func tallyFile(path string) (tally, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return tally{}, nil
	}
	if err != nil {
		return tally{}, err
	}
	defer f.Close()
	return tallyOf(f)
}

func tallyOf(r io.Reader) (tally, error) {
	var sum tally
	open := map[int64]float64{} // reserved, and not settled yet
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return sum, err
		}
		var e exchange
		if json.Unmarshal(text, &e) == nil {
			sum.add(e, open)
		}
		if err == io.EOF {
			for _, usd := range open {
				sum.usd += usd
				sum.estimated = true
			}
			return sum, nil
		}
	}
}

func (t *tally) add(e exchange, open map[int64]float64) {
	if e.ReservedUSD != nil {
		open[e.N] = *e.ReservedUSD
		return
	}
	delete(open, e.N)
	t.usd += e.USD
	t.estimated = t.estimated || e.Estimated
	if e.Refused == "" {
		t.calls++
		t.tokens.Input += e.Usage.Prompt
		t.tokens.Cached += e.Usage.Cached
		t.tokens.Output += e.Usage.Completion
	}
}
