// Package scripted is a model that follows a script: a server on loopback that
// speaks the protocols of all providers, streaming and not, for trying agents
// and the proxy without a real model.
package scripted

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"assay/llm"
)

// Script is what the model does, in order. An act that is an answer (Say, Call,
// Shell, Read, Edit, Write, Final) is given once in each conversation. An act
// that is a fault (Status, Drop, Cut) is given once to each conversation, before
// the answer that follows it; faults at the end are given for ever. When the
// script is over, its last answer is given again.
type Script struct {
	// Dir is put before the relative paths of Read, Edit and Write: most
	// agents want absolute ones.
	Dir  string `yaml:"dir"`
	Acts []Act  `yaml:"acts"`
	// InOrder gives the answers to requests in the order in which these come,
	// regardless of their conversation: for agents that begin a new conversation
	// with every call.
	InOrder bool `yaml:"in_order"`
}

// Act is one thing that the model does.
type Act struct {
	Say   string `yaml:"say"`   // text; also the text that goes with a call
	Think string `yaml:"think"` // shown as the model's reasoning
	// Call is a call of a tool by its name. The others pick the agent's own
	// tool for the purpose, or its shell where it has none.
	Call  *Call  `yaml:"call"`
	Shell string `yaml:"shell"`
	Read  string `yaml:"read"`
	Edit  *Edit  `yaml:"edit"`
	Write *Edit  `yaml:"write"` // the whole file
	// Final ends the agent's work in the way that it knows: by its tool for
	// that, or by a text.
	Final string `yaml:"final"`

	Status     int    `yaml:"status"`      // an error of the provider
	RetryAfter string `yaml:"retry_after"` // header of that error
	Message    string `yaml:"message"`     // of that error
	Drop       bool   `yaml:"drop"`        // close the connection without a word
	Cut        bool   `yaml:"cut"`         // close it in the middle of the answer that follows

	Wait time.Duration `yaml:"wait"` // before anything is sent
	Slow time.Duration `yaml:"slow"` // between the pieces of a stream
	// Usage is what the answer is said to have used; UsageOf otherwise.
	Usage   *llm.Usage `yaml:"usage"`
	NoUsage bool       `yaml:"no_usage"`
	// Stop is "length" for an answer that is cut by the token limit, "refusal"
	// for one that the model declines to give.
	Stop string `yaml:"stop"`
}

// Call is a call of a tool.
type Call struct {
	Name string         `yaml:"name"`
	Args map[string]any `yaml:"args"`
}

// Edit replaces Old by New in a file; without Old, New is the whole file.
type Edit struct {
	Path string `yaml:"path"`
	Old  string `yaml:"old"`
	New  string `yaml:"new"`
}

// UsageOf is what answer n, from 0, is said to have used: figures that are easy
// to recognise.
func UsageOf(n int) llm.Usage {
	u := llm.Usage{Input: 2000 + 100*n, Output: 40 + n}
	if n > 0 {
		u.CachedInput = 1500
	}
	return u
}

// Parse reads a script from YAML: a list of acts, or an object with dir and
// acts. What it does not know is an error with line and column.
func Parse(data []byte) (Script, error) {
	var s Script
	listErr := strict(data, &s.Acts)
	if listErr == nil {
		return s, s.check()
	}
	if err := strict(data, &s); err != nil {
		if strings.HasPrefix(strings.TrimSpace(string(data)), "-") {
			err = listErr
		}
		return Script{}, fmt.Errorf("script: %s", strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	return s, s.check()
}

func strict(data []byte, into any) error {
	err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(into)
	if errors.Is(err, io.EOF) {
		return errors.New("it is empty")
	}
	return err
}

func (s Script) check() error {
	if len(s.Acts) == 0 {
		return errors.New("script: it has no acts")
	}
	for i, a := range s.Acts {
		if !a.fault() && !a.answers() {
			return fmt.Errorf("script: act %d does nothing: want say, call, shell, read, edit, write, final, status, drop or cut", i+1)
		}
		if a.Status != 0 && (a.Status < 400 || a.Status > 599) {
			return fmt.Errorf("script: act %d: status %d is not an error", i+1, a.Status)
		}
	}
	return nil
}

func (a Act) fault() bool { return a.Status != 0 || a.Drop || a.Cut }

func (a Act) answers() bool {
	return a.Say != "" || a.Think != "" || a.uses() || a.Final != "" || a.Stop != ""
}

// uses reports whether an act needs a tool.
func (a Act) uses() bool {
	return a.Call != nil || a.Shell != "" || a.Read != "" || a.Edit != nil || a.Write != nil
}

// turn is an answer with the faults before it.
type turn struct {
	faults []Act
	answer Act
}

func (s Script) turns() (turns []turn, after []Act) {
	var faults []Act
	for _, a := range s.Acts {
		if a.fault() {
			faults = append(faults, a)
			continue
		}
		turns = append(turns, turn{faults, a})
		faults = nil
	}
	return turns, faults
}
