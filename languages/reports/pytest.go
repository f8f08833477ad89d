package reports

import (
	"strings"

	"assay/bench"
)

// readPytest reads pytest's JUnit XML. With junit_family xunit1 every case
// names its file; classname is the file and the classes, dotted.
func readPytest(c *collector, data []byte, names pythonNames) bool {
	scan := junitScan{xmlScanner: xmlScanner{data: data}}
	var cases []junitCase
	files := map[string]string{} // dotted -> file
	found := scan.each(func(tc junitCase) {
		tc.file = strings.ReplaceAll(tc.file, `\`, "/")
		if tc.file != "" {
			files[dottedFile(tc.file)] = tc.file
		}
		cases = append(cases, tc)
	})
	if !found {
		return false
	}
	c.quiet = true // a failing tear-down gives a second entry
	for _, tc := range cases {
		addPytestCase(c, tc, pytestID(tc, files, names))
	}
	if scan.cut {
		c.cut("pytest's JUnit XML")
	}
	return true
}

// pytestID rebuilds a node id. The file that a case names is that of the
// function's source, which for an inherited method is not its module's: so
// classname decides.
func pytestID(tc junitCase, files map[string]string, names pythonNames) string {
	if tc.class == "" { // a module, package or directory that did not collect
		if tc.file != "" {
			return tc.file
		}
		path, classes := names.split(tc.name)
		return nodeID(path, classes...)
	}
	dotted := tc.class
	for range maxDepth {
		if file, ok := files[dotted]; ok {
			rest := strings.TrimPrefix(tc.class[len(dotted):], ".")
			return nodeID(file, append(splitDots(rest), tc.name)...)
		}
		i := strings.LastIndexByte(dotted, '.')
		if i < 0 {
			break
		}
		dotted = dotted[:i]
	}
	path, classes := names.split(tc.class)
	return nodeID(path, append(classes, tc.name)...)
}

func splitDots(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ".")
}

func addPytestCase(c *collector, tc junitCase, id string) {
	t := bench.Test{ID: id, Status: bench.Passed, Seconds: tc.seconds, File: tc.file}
	if o, ok := tc.first("error"); ok {
		t.Status, t.Message = bench.Error, o.describe()
		if workerCrash(o.text) {
			c.lost(id, o.describe())
		}
	} else if o, ok := tc.first("failure"); ok {
		t.Status, t.Message = bench.Failed, o.describe()
		if workerCrash(o.text) {
			c.lost(id, o.describe())
		}
	} else if o, ok := tc.first("skipped"); ok {
		t.Status, t.Message = bench.Skipped, o.describe()
		if o.typ == "pytest.xfail" {
			t.Status = bench.XFail
		}
	}
	if tc.cut {
		t.Status = bench.Error
	}
	c.add(t)
}

// workerCrash recognises what pytest-xdist reports of a test during which
// its worker died.
func workerCrash(text string) bool {
	head := text[:min(len(text), 300)]
	return strings.HasPrefix(head, "worker '") && strings.Contains(head, "' crashed while running")
}
