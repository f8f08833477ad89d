package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"assay/tasks"
)

// kindFlags are the options of the kinds of task as flags. What is set goes into
// the kinds.
type kindFlags struct{ kinds *tasks.Registry }

func (o *kindFlags) add(f *pflag.FlagSet) {
	for _, k := range o.kinds.All() {
		c, ok := k.(tasks.Configurable)
		if !ok {
			continue
		}
		for _, option := range c.Options() {
			v := &kindValue{flags: o, kind: k.Name(), option: option, text: option.Default}
			f.VarPF(v, option.Name, "", option.Usage).NoOptDefVal = option.Bare
		}
	}
}

// kindValue is one option as a flag's value.
type kindValue struct {
	flags  *kindFlags
	kind   string
	option tasks.Option
	text   string
}

// String implements pflag.Value.
func (v *kindValue) String() string { return v.text }

// Type implements pflag.Value.
func (v *kindValue) Type() string { return v.option.Type }

// Set implements pflag.Value.
func (v *kindValue) Set(text string) error {
	k, err := v.flags.kinds.Lookup(v.kind)
	if err != nil {
		return err
	}
	c, ok := k.(tasks.Configurable)
	if !ok {
		return fmt.Errorf("%s tasks have no options", v.kind)
	}
	if k, err = c.Set(v.option.Name, text); err != nil {
		return err
	}
	v.text = text
	v.flags.kinds, err = v.flags.kinds.With(k)
	return err
}
