package languages

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/languages/syntax"
)

// pythonNonceFile is a nonce test module: one test that must pass, one that
// must fail, and one that must fail for each way of asserting that the
// suite's own files use.
type pythonNonceFile struct {
	path, text, pass, fail string
	more                   []NonceTest
}

// pythonNonce writes a test module that imports what the suite's files
// import, so that a hook which hides in the code under test is in place. A
// unittest class is collected under any settings of the repository about
// names. The names are made of words of the suite's own: only a secret
// distinguishes them from other tests. Functions are for runners that collect
// nothing else.
func pythonNonce(suite Suite, functions bool) *pythonNonceFile {
	if len(suite.Files) == 0 {
		return nil
	}
	files := nonceSources(suite)
	names := newNonceNames(suite, files)
	file := names.file(suite, path.Dir(suite.Files[0]))
	class := names.class()
	n := &pythonNonceFile{path: file}
	id := func(test string) string { return file + "::" + class + "::" + test }
	var b strings.Builder
	b.WriteString("import unittest\n")
	for _, f := range files {
		for _, block := range importBlocks(suite.Repo.Text(f)) {
			fmt.Fprintf(&b, "try:\n    %s\nexcept BaseException:\n    pass\n", strings.Join(block, "\n    "))
		}
	}
	b.WriteString(dropImportedTests)
	if functions {
		pass, fail := names.test(), names.test()
		fmt.Fprintf(&b, "\n\ndef %s():\n    assert %q == %q\n\n\ndef %s():\n    assert %q == %q\n", pass, pass, pass, fail, pass, fail)
		n.pass, n.fail, n.text = file+"::"+pass, file+"::"+fail, b.String()
		return n
	}
	fmt.Fprintf(&b, "\n\nclass %s(unittest.TestCase):\n", class)
	test := func(body string) string {
		name := names.test()
		fmt.Fprintf(&b, "    def %s(self):\n%s\n", name, body)
		return id(name)
	}
	n.pass = test(fmt.Sprintf("        self.assertEqual(%q, %q)\n", class, class))
	n.fail = test(fmt.Sprintf("        self.assertEqual(%q, %q)\n", class, file))
	for _, form := range pythonForms(suite, files) {
		n.more = append(n.more, NonceTest{ID: test(form.body), Form: form.name})
	}
	n.text = b.String()
	return n
}

// dropImportedTests forgets the tests that came with the imports: the runner
// would collect them again, under a file's name that differs in every run. A
// generator leaks no variable, in Python 2 either; isinstance would ask
// proxies, which may raise, for their class.
const dropImportedTests = `try:
    for name in list(
        name for name, value in list(globals().items())
        if callable(value) and (name.lower().startswith("test")
            or issubclass(type(value), type) and any(a.lower().startswith("test") for a in dir(value)))
    ):
        del globals()[name]
except BaseException:
    pass
`

// nonceSources are the files whose imports and assertions the nonce tests
// copy: those that the patches add, or else all, and only a few.
func nonceSources(suite Suite) []string {
	files := intersection(suite.Files, suite.Changed)
	if len(files) == 0 {
		files = suite.Files
	}
	return files[:min(len(files), 4)]
}

// importBlocks are a module's top-level imports, each a few lines.
func importBlocks(text string) [][]string {
	file, err := syntax.Parse(Python, []byte(text))
	if err != nil {
		return nil
	}
	lines := strings.Split(text, "\n")
	var out [][]string
	for _, r := range file.Imports {
		if r.Start < 1 || r.End > len(lines) || strings.Contains(lines[r.Start-1], "__future__") {
			continue
		}
		var block []string
		for _, l := range lines[r.Start-1 : r.End] {
			block = append(block, strings.TrimRight(l, "\r"))
		}
		out = append(out, block)
	}
	return out
}

// importLines are the lines of a module's top-level imports.
func importLines(text string) []string { return slices.Concat(importBlocks(text)...) }

// nonceNames makes names of the suite's own words, which the nonce chooses.
type nonceNames struct {
	words []string
	state uint64
	used  map[string]bool
}

var (
	wordsOfTests = regexp.MustCompile(`(?m)^\s*(?:async\s+)?def\s+test_?(\w+)`)
	lowerWord    = regexp.MustCompile(`^[a-z]+$`)
)

func newNonceNames(suite Suite, files []string) *nonceNames {
	return namesOf(wordsOf(suite, files...), suite.Nonce)
}

// wordsOf are words of the names of the files' tests, and a few more.
func wordsOf(suite Suite, files ...string) map[string]bool {
	set := map[string]bool{"value": true, "default": true, "result": true, "empty": true, "input": true, "order": true}
	for _, f := range files {
		for _, m := range wordsOfTests.FindAllStringSubmatch(suite.Repo.Text(f), 200) {
			for _, w := range nameWords(m[1]) {
				if len(w) > 2 && lowerWord.MatchString(w) {
					set[w] = true
				}
			}
		}
	}
	return set
}

// namesOf makes names of these words, as the nonce says.
func namesOf(words map[string]bool, nonce string) *nonceNames {
	n := &nonceNames{words: sortedKeys(words), used: map[string]bool{}}
	for _, c := range nonce {
		n.state = n.state*131 + uint64(c)
	}
	return n
}

// next is a step of a linear congruential generator (Knuth's MMIX).
func (n *nonceNames) next(below int) int {
	n.state = n.state*6364136223846793005 + 1442695040888963407
	return int((n.state >> 33) % uint64(below))
}

func (n *nonceNames) joined(count int) []string {
	out := make([]string, count)
	for i := range out {
		out[i] = n.words[n.next(len(n.words))]
	}
	return out
}

// file is a test file's name that the folder has not.
func (n *nonceNames) file(suite Suite, dir string) string {
	for {
		file := path.Join(dir, "test_"+strings.Join(n.joined(2), "_")+".py")
		if !slices.Contains(suite.Repo.Paths(), file) {
			return file
		}
	}
}

func (n *nonceNames) class() string {
	name := ""
	for _, w := range n.joined(2) {
		name += strings.ToUpper(w[:1]) + w[1:]
	}
	return "Test" + name
}

func (n *nonceNames) test() string {
	name := "test_" + strings.Join(n.joined(2), "_")
	for i := 2; n.used[name]; i++ {
		name = "test_" + strings.Join(n.joined(2), "_") + strconv.Itoa(i)
	}
	n.used[name] = true
	return name
}
