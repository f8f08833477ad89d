package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func driven(t *testing.T, text string) (*Own, Suite) {
	t.Helper()
	repo := cppRepo{"Makefile": "test:\n", "tests/a.cpp": text}
	s := Suite{Files: []string{"tests/a.cpp"}, Changed: []string{"tests/a.cpp"}, Repo: repo, Nonce: "n0"}
	own := makeTool().ownOf(bench.Env{Framework: "make"}, s)
	require.NotNil(t, own)
	return own, s
}

// TestDrivenScript: each nonce test is started by itself, and a program
// without a framework fails in the project's own driver, too.
func TestDrivenScript(t *testing.T) {
	own, _ := driven(t, "#include <cassert>\nint main() { assert(two() == 2); }\n")
	require.Contains(t, own.files[0].full, `access("/assay/n0/own/driven", 0) != 0`)
	require.Contains(t, own.driven(), "assay_own 0 'tests/a.cpp' 'plain'\n")
	require.Contains(t, own.driven(), `assay_direct "$name/$i/"'fail' "$exe" x`)
	own, _ = driven(t, gtestFile)
	require.Contains(t, own.driven(), "assay_own 0 'tests/a.cpp' 'full core whole'\n")
	require.Contains(t, own.driven(), "0/whole)\n")
	require.Contains(t, own.driven(), `"$exe" '--gtest_filter=`+own.files[0].pass+"'")
	require.NotContains(t, own.files[0].full, "driven")
	require.NotEmpty(t, own.files[0].copied)
	require.Contains(t, own.driven(), "if assay_copied 0 'tests/a.cpp'; then\n  assay_direct '"+own.files[0].copied[0].ID+"' \"$O/copies.exe\"")
}

// TestDriverAnswers: what the driver reports while programs that fail are in
// the places of tests.
func TestDriverAnswers(t *testing.T) {
	own, _ := driven(t, "int main() { return 0; }\n")
	const direct = "PASS: a/0/pass\nFAIL: a/0/fail\n"
	for name, c := range map[string]struct {
		state, direct, driver string
		ran                   bool
		odd                   string
	}{
		"as it should be":      {"a\t0\tplain\tx\n", direct, "FAIL: a\nPASS: b\n", true, ""},
		"reports no failure":   {"a\t0\tplain\tx\n", direct, "PASS: a\nPASS: b\n", true, "reports no failure"},
		"leaves no report":     {"a\t0\tplain\tx\n", direct, "", true, "reports no failure"},
		"ours passes":          {"a\t0\tplain\tx\n", "PASS: a/0/pass\nPASS: a/0/fail\n", "FAIL: a\n", true, "must fail"},
		"ours fails":           {"a\t0\tplain\tx\n", "FAIL: a/0/pass\nFAIL: a/0/fail\n", "FAIL: a\n", true, "must pass"},
		"cannot be built":      {"a\t0\tnone\tx\n", "", "", false, ""},
		"the test's own fails": {"a\t0\tunbuilt\tx\n", "", "", true, ""},
		"nothing is known":     {"", "", "", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ran, odd := own.judge(map[string][]byte{"/assay/n0/own/state": []byte(c.state), "/assay/n0/own/direct.log": []byte(c.direct), "/assay/n0/own/driver/make.log": []byte(c.driver)})
			require.Equal(t, c.ran, ran)
			if c.odd == "" {
				require.Empty(t, odd)
			}
			require.Contains(t, odd, c.odd)
		})
	}
}

// TestDriverSettings: a test that fails with gold where its program fails,
// and passes with a submission, is a difference; what other tests do is not.
func TestDriverSettings(t *testing.T) {
	own, _ := driven(t, "int main() { return 0; }\n")
	settings := func(state, run, driver string) Settings {
		return own.driverSettings(map[string][]byte{"/assay/n0/own/state": []byte(state), "/assay/n0/reports/make.log": []byte(run), "/assay/n0/own/driver/make.log": []byte(driver)})
	}
	const made, unbuilt = "a\t0\tplain\tx\n", "a\t0\tunbuilt\tx\n"
	gold := settings(made, "PASS: a\nPASS: b\nFAIL: c\n", "FAIL: a\nPASS: b\nFAIL: c\n")
	for name, c := range map[string]struct {
		state, run, driver string
		odd                bool
	}{
		"as gold":                           {made, "PASS: a\nPASS: b\n", "FAIL: a\nPASS: b\n", false},
		"fails itself":                      {made, "FAIL: a\nPASS: b\n", "FAIL: a\nPASS: b\n", false},
		"breaks another test":               {made, "FAIL: a\nFAIL: b\n", "FAIL: a\nFAIL: b\n", false},
		"passes whatever its program does":  {made, "PASS: a\n", "PASS: a\nFAIL: other\n", true},
		"a test of its own":                 {made, "PASS: a\nPASS: mine\n", "FAIL: a\nPASS: mine\n", false},
		"is not built":                      {unbuilt, "FAIL: a\nPASS: b\n", "", false},
		"is not built, and passes":          {unbuilt, "PASS: a\nPASS: b\n", "", true},
		"the driver started other programs": {made, "PASS: a\nPASS: b\n", "FAIL: other\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.odd, settings(c.state, c.run, c.driver).Unlike(gold) != "")
		})
	}
}

// TestDrivenLive makes nonce tests with the compiler's arguments, for each
// way to build a program, and has a driver start them.
func TestDrivenLive(t *testing.T) {
	for _, tool := range []string{"c++", "objcopy", "make"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not on this machine", tool)
		}
	}
	for name, c := range map[string]struct{ make, lib, want string }{
		"in two steps":         {"a: tests/a.o lib.o\n\tc++ -o $@ $^\ntests/a.o: tests/a.cpp\n\tcd tests && c++ -I.. -c a.cpp\nlib.o: lib.cpp\n\tc++ -c -o $@ $<\n", "", "FAIL: a"},
		"in one step":          {"a: tests/a.cpp lib.cpp\n\tc++ -I. -o $@ $^\n", "", "FAIL: a"},
		"code that leaves":     {"a: tests/a.cpp lib.cpp\n\tc++ -I. -o $@ $^\n", "#include <unistd.h>\n__attribute__((constructor)) static void early() { _exit(0); }\n", "PASS: a"},
		"it's with odd quotes": {"a: tests/a.cpp lib.cpp\n\tc++ -DNAME=\"'it s'\" -I. -o $@ $^\n", "", "FAIL: a"},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "in one step" {
				t.Skip("compiles several programs: not in short mode")
			}
			own, s := driven(t, "#include \"lib.h\"\n#include <cassert>\nint main() { assert(two() == 2); }\n")
			p := &cppProject{t: t, root: t.TempDir()}
			for file, text := range map[string]string{
				"Makefile": "test: a\n\t@if ./a; then echo PASS: a; else echo FAIL: a; exit 1; fi\n" + c.make,
				"lib.h":    "int two();\n", "lib.cpp": c.lib + "int two() { return 2; }\n", "tests/a.cpp": s.Repo.Text("tests/a.cpp"),
			} {
				p.write(file, text)
			}
			cmd := makeTool().command(bench.Env{Framework: "make"}, s)
			own.files[0].full = strings.ReplaceAll(own.files[0].full, "/assay/", p.root+"/assay/")
			for _, f := range own.put() {
				place := filepath.Join(p.root, f.Path)
				require.NoError(t, os.MkdirAll(filepath.Dir(place), 0o755))
				require.NoError(t, os.WriteFile(place, f.Data, 0o644))
			}
			res := p.shell("mkdir -p /build /assay/n0/reports\n(" + cmd.Script + ")\n(" + cmd.Nonce.Script + ")\n")
			require.Contains(t, string(res.Files["/assay/n0/reports/make.log"]), "PASS: a", string(res.Output.Head))
			require.Contains(t, string(res.Files["/assay/n0/own/direct.log"]), "PASS: a/0/pass\n", string(res.Output.Head))
			require.Contains(t, string(res.Files["/assay/n0/own/driver/make.log"]), c.want+"\n")
			ran, odd := own.judge(res.Files)
			require.True(t, ran)
			require.Equal(t, c.lib != "", odd != "", odd)
		})
	}
}
