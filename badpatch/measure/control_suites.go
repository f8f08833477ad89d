package measure

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/languages/syntax"
)

// The names of the suites that Controls makes.
const (
	WholeSuite   = "hidden"
	CopiedSuite  = "copied"
	FailingSuite = "failing"
)

// Controls are suites whose worth is known beforehand: the hidden tests, a test
// that exists under another name, which says nothing about the issue, and one
// that fails on any code. The last two change a file of tests that the test
// patch changes; they are left out where none of these has a simple test on base.
func Controls(inst *bench.Instance, base patch.Tree) ([]Weak, error) {
	out := []Weak{{WholeSuite, inst.TestPatch}}
	tests, err := patch.Parse([]byte(inst.TestPatch))
	if err != nil {
		return nil, fmt.Errorf("reading the test patch of %s: %w", inst.ID, err)
	}
	lang := badpatch.LanguageOf(inst)
	l, err := languages.Default().Lookup(lang)
	if err != nil {
		return nil, err
	}
	form, ok := formOf(lang)
	if !ok {
		return out, nil
	}
	paths := tests.Paths()
	slices.Sort(paths)
	for _, p := range paths {
		e, err := base.Read(p)
		if err != nil || !languages.IsTest(l, p) {
			continue
		}
		old := code.Present(e.Data)
		file, err := syntax.Parse(lang, old)
		if err != nil {
			continue
		}
		m, ok := modelTest(form, syntax.Tests(lang, p, file), old)
		if !ok {
			continue
		}
		return append(out,
			Weak{CopiedSuite, string(patch.Between(p, old, m.with(old, m.copied())))},
			Weak{FailingSuite, string(patch.Between(p, old, m.with(old, m.never())))}), nil
	}
	return out, nil
}

// formOf is the form of a language's tests.
func formOf(language string) (suiteForm, bool) {
	for _, f := range []suiteForm{pythonForm(), javaForm(), cppForm()} {
		if f.language == language {
			return f, true
		}
	}
	return suiteForm{}, false
}

// suiteForm is how tests of a language are written.
type suiteForm struct {
	language, separator string // of the parts of an id
	head                string // what a test's text holds
	// renamed is a test's text under its name with a suffix; failing is a test
	// with the same head, renamed already, that fails.
	renamed func(text, name, suffix string) string
	failing func(text, name string) string
}

// testModel is a test from which others are made.
type testModel struct {
	suiteForm
	name, text string
	end        int // its last line, from 1
}

// modelTest is the shortest test without parameters whose name its text holds.
func modelTest(form suiteForm, tests []syntax.Test, src []byte) (testModel, bool) {
	lines := bytes.SplitAfter(src, []byte{'\n'})
	var found testModel
	for _, t := range tests {
		if t.Parametrized || t.Abstract || t.End > len(lines) {
			continue
		}
		m := testModel{form, form.nameOf(t.ID), string(bytes.Join(lines[t.Start-1:t.End], nil)), t.End}
		if strings.Contains(m.text, m.name) && strings.Contains(m.text, form.head) && (found.name == "" || len(m.text) < len(found.text)) {
			found = m
		}
	}
	return found, found.name != ""
}

// nameOf is the name in the source of the test that has an id.
func (f suiteForm) nameOf(id string) string {
	if i := strings.LastIndex(id, f.separator); i >= 0 && !strings.Contains(id, " ") {
		return id[i+len(f.separator):]
	}
	return id
}

// with is a source file with a text after the test.
func (m testModel) with(src []byte, text string) []byte {
	at := len(bytes.Join(bytes.SplitAfter(src, []byte{'\n'})[:m.end], nil))
	if at > 0 && src[at-1] != '\n' {
		text = "\n" + text
	}
	return slices.Concat(src[:at], []byte("\n"+text), src[at:])
}

func (m testModel) copied() string { return m.again("Again") }

func (m testModel) never() string { return m.failing(m.again("Never"), m.name+"Never") }

func (m testModel) again(suffix string) string {
	return m.renamed(strings.TrimSuffix(m.text, "\n")+"\n", m.name, suffix)
}

// indentOf is the blank space that a text begins with.
func indentOf(text string) string { return text[:len(text)-len(strings.TrimLeft(text, " \t"))] }

// braced is a head with another body.
func braced(text, body string) string {
	head, indent := text[:strings.Index(text, "{")], indentOf(text)
	return head + "{\n" + indent + "    " + body + "\n" + indent + "}\n"
}
