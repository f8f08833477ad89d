package trajectory

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"assay/proxy"
)

// Meta is what the record does not say.
type Meta struct {
	Agent, Version string
	Model          string // provider/model
	Session        string // names the attempt
	Notes          string
	Extra          map[string]any
}

// FromExchanges makes a trajectory of a session's record, as the proxy wrote
// it. A last line that was cut is left out; any other line that cannot be read
// is an error with its number. A record without exchanges gives a trajectory
// with one step that reports that.
//
// Each request holds its whole conversation; a step is made of what is new in
// it. Conversations that are not the agent's main one (subagents, calls for a
// title and the like) become Subagents.
func FromExchanges(meta Meta, r io.Reader) (Trajectory, error) {
	all, err := readExchanges(r)
	if err != nil {
		return Trajectory{}, err
	}
	b := &builder{meta: meta}
	for _, x := range all {
		b.exchange(x)
	}
	t := b.trajectory()
	return t, t.Validate()
}

const maxLine = 512 << 20

func readExchanges(r io.Reader) ([]proxy.Exchange, error) {
	in := bufio.NewReaderSize(r, 1<<20)
	var out []proxy.Exchange
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return nil, fmt.Errorf("record: line %d: %w", n, err)
		}
		if len(line) > maxLine {
			return nil, fmt.Errorf("record: line %d is longer than %d bytes", n, maxLine)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			x, real, perr := readLine(line)
			switch {
			case perr != nil && ended: // cut by a crash
			case perr != nil:
				return nil, fmt.Errorf("record: line %d: %w", n, perr)
			case real:
				out = append(out, x)
			}
		}
		if ended {
			slices.SortStableFunc(out, func(a, b proxy.Exchange) int { return int(a.N - b.N) })
			return out, nil
		}
	}
}

// readLine reads one line; real is false for a reservation.
func readLine(line []byte) (x proxy.Exchange, real bool, err error) {
	var reserved struct {
		USD *float64 `json:"reserved_usd"`
	}
	if err := json.Unmarshal(line, &reserved); err != nil {
		return x, false, err
	}
	if reserved.USD != nil {
		return x, false, nil
	}
	if err := json.Unmarshal(line, &x); err != nil {
		return x, false, err
	}
	if _, known := formOf(x.Protocol); !known {
		return x, false, fmt.Errorf("the protocol %q is not known", x.Protocol)
	}
	return x, true, nil
}

func decode(raw json.RawMessage) map[string]any {
	var out map[string]any
	if json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}

func compactJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}
