package languages

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/bench"
	"assay/languages/reports"
)

// judge reports whether nonce tests ran wherever they should, and what is
// wrong with their results.
func (o *Own) judge(files map[string][]byte) (ran bool, odd string) {
	made, ran := o.made(files[o.state()])
	beside := statusesIn(reports.CTest, files[o.dir+"/ctest.xml"])
	if o.driver != nil {
		beside = statusesIn(reports.MakeText, files[o.directLog()])
	}
	for _, m := range made {
		var wrong string
		if o.beside {
			wrong = m.wrong(beside, func(id string) string { return m.name + "/" + strconv.Itoa(m.index) + "/" + id })
		} else {
			wrong = m.wrong(statusesIn(o.format, files[o.reports+"/"+m.name+".xml"]), func(id string) string { return id })
		}
		if wrong != "" && odd == "" {
			odd = wrong
		}
	}
	if o.driver != nil && odd == "" && len(made) > 0 {
		odd = o.drove(files)
	}
	return ran, odd
}

// cppMade is an executable that holds nonce tests.
type cppMade struct {
	name  string
	index int
	pass  string
	fail  []string
}

// made reads the script's account. ran is false where nonce tests could not
// be built into an executable that was built.
func (o *Own) made(state []byte) (made []cppMade, ran bool) {
	ran = len(state) > 0
	for line := range strings.Lines(string(state)) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(fields) < 3 || fields[2] == "unbuilt" {
			continue
		}
		i, err := strconv.Atoi(fields[1])
		if err != nil || i < 0 || i >= len(o.files) || fields[2] == "none" {
			ran = false
			continue
		}
		m := cppMade{name: fields[0], index: i, pass: o.files[i].pass, fail: o.files[i].fail}
		if fields[2] == "core" || fields[2] == "whole" {
			m.fail = o.files[i].failCore
		}
		made = append(made, m)
	}
	return made, ran
}

// wrong describes what is wrong with the results of an executable's nonce
// tests.
func (m cppMade) wrong(statuses map[string]bench.Status, name func(string) string) string {
	if len(statuses) == 0 {
		return fmt.Sprintf("no report of %s, which holds nonce tests, can be read", m.name)
	}
	if s := statuses[name(m.pass)]; s != bench.Passed {
		return fmt.Sprintf("%s: a nonce test that must pass is reported as %q", m.name, s)
	}
	for _, id := range m.fail {
		if s := statuses[name(id)]; !s.Failing() {
			return fmt.Sprintf("%s: a nonce test that must fail is reported as %q", m.name, s)
		}
	}
	return ""
}

// holds reports whether a test of the main run's reports is a nonce test, or
// a section of one.
func (o *Own) holds(id string) bool {
	if o == nil || o.beside {
		return false
	}
	for _, f := range o.files {
		for _, own := range append(slices.Clone(f.fail), f.pass) {
			if id == own || strings.HasPrefix(id, own+"/") {
				return true
			}
		}
	}
	return false
}

// without takes nonce tests out of a report.
func (o *Own) without(tests []bench.Test) []bench.Test {
	if o == nil {
		return tests
	}
	return slices.DeleteFunc(slices.Clone(tests), func(t bench.Test) bool { return o.holds(t.ID) })
}
