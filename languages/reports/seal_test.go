package reports_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/reports"
)

// seal is the writers' format, made apart from Unseal.
func seal(key []byte, lines ...string) string {
	var b strings.Builder
	last := ""
	for _, line := range lines {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(last + line))
		last = hex.EncodeToString(h.Sum(nil))[:32]
		b.WriteString(last + " " + line + "\n")
	}
	return b.String()
}

func TestUnseal(t *testing.T) {
	key := []byte("a key of the test's own")
	events := []string{`{"ev": "session"}`, `{"ev": "start", "id": "a b"}`, `{"ev": "end", "id": "a b"}`, `{"ev": "finish", "exit": 0}`}
	whole := seal(key, events...)
	lines := strings.SplitAfter(whole, "\n")
	plain := func(n int) string {
		if n == 0 {
			return ""
		}
		return strings.Join(events[:n], "\n") + "\n"
	}
	cases := []struct {
		name, data string
		good       int // lines that verify
		ok         bool
		note       string
	}{
		{"genuine", whole, 4, true, ""},
		{"empty", "", 0, true, ""},
		{"appended, unsealed", whole + events[3] + "\n", 4, false, "line 5 of the report has no valid seal"},
		{"appended, of a guessed key", whole + seal([]byte("guess"), events[3]), 4, false, "line 5 of the report has no valid seal"},
		{"appended, a line again", whole + lines[3], 4, false, "line 5 of the report has no valid seal"},
		{"appended, empty line", whole + "\n", 4, false, "line 5 of the report has no valid seal"},
		{"replaced", seal([]byte("guess"), events...), 0, false, "line 1 of the report has no valid seal"},
		{"unsealed", plain(4), 0, false, "line 1 of the report has no valid seal"},
		{"edited", strings.Replace(whole, `"end"`, `"enD"`, 1), 2, false, "line 3 of the report has no valid seal"},
		{"seal in upper case", strings.ToUpper(lines[0][:32]) + lines[0][32:], 0, false, "line 1 of the report has no valid seal"},
		{"seal cut", lines[0][:31] + lines[0][32:], 0, false, "line 1 of the report has no valid seal"},
		{"first dropped", strings.Join(lines[1:], ""), 0, false, "line 1 of the report has no valid seal"},
		{"middle dropped", lines[0] + lines[2] + lines[3], 1, false, "line 2 of the report has no valid seal"},
		{"swapped", lines[0] + lines[2] + lines[1] + lines[3], 1, false, "line 2 of the report has no valid seal"},
		{"last dropped", strings.Join(lines[:3], ""), 3, true, ""},
		{"cut in the text", whole[:len(whole)-5], 3, true, "line 4 of the report is cut"},
		{"cut in the seal", strings.Join(lines[:3], "") + lines[3][:7], 3, true, "line 4 of the report is cut"},
		{"cut before the line's end", whole[:len(whole)-1], 4, true, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, ok, note := reports.Unseal([]byte(c.data), key)
			require.Equal(t, c.ok, ok)
			require.Equal(t, plain(c.good), string(got))
			require.Equal(t, c.note, note)
		})
	}
	_, ok, _ := reports.Unseal([]byte(seal(nil, events...)), nil)
	require.False(t, ok, "anyone can seal with an empty key")
}

// FuzzUnseal seals arbitrary lines and damages them: what comes out is always
// a beginning of what went in.
func FuzzUnseal(f *testing.F) {
	f.Add([]byte("k"), "{\"a\": 1}\n{}\n", []byte("x"), uint16(3))
	f.Add([]byte("k"), "", []byte("\n"), uint16(0))
	f.Add([]byte("k"), " \n\n", []byte(""), uint16(40))
	f.Fuzz(func(t *testing.T, key []byte, text string, foreign []byte, at uint16) {
		if len(key) == 0 {
			return
		}
		lines := strings.Split(text, "\n")
		plain, sealed := strings.Join(lines, "\n")+"\n", []byte(seal(key, lines...))
		got, ok, note := reports.Unseal(sealed, key)
		require.True(t, ok, note)
		require.Equal(t, plain, string(got))

		cut := int(at) % (len(sealed) + 1)
		got, ok, note = reports.Unseal(sealed[:cut], key)
		require.True(t, ok, note)
		require.True(t, strings.HasPrefix(plain, string(got)))

		spliced := bytes.Join([][]byte{sealed[:cut], foreign, sealed[cut:]}, nil)
		got, ok, _ = reports.Unseal(spliced, key)
		require.True(t, strings.HasPrefix(plain, string(got)))
		require.True(t, !ok || bytes.Equal(spliced, sealed) || cut == len(sealed) && !bytes.Contains(foreign, []byte("\n")))

		got, _, _ = reports.Unseal(foreign, key)
		require.LessOrEqual(t, len(got), len(foreign))
	})
}

// sealed runs Python with a key and returns the report's bytes and the key.
func (p project) sealed(t *testing.T, args ...string) (data, key []byte) {
	t.Helper()
	key = []byte("sixteen or more bytes")
	report, file := filepath.Join(p.plugin, "sealed.jsonl"), filepath.Join(p.plugin, "key")
	require.NoError(t, os.WriteFile(file, []byte(hex.EncodeToString(key)+"\n"), 0o600))
	require.NoError(t, os.WriteFile(p.plugin+"/assay_5eed.py", []byte(reports.PytestPlugin()), 0o644))
	cmd := exec.Command(p.python, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PYTHONPATH="+p.plugin, "PYTHONDONTWRITEBYTECODE=1",
		reports.ReportVariable+"="+report, reports.KeyVariable+"="+file)
	out, _ := cmd.CombinedOutput()
	require.NoFileExists(t, file, string(out))
	data, err := os.ReadFile(report)
	require.NoError(t, err, string(out))
	return data, key
}

func sealedPytest(args ...string) []string {
	return append([]string{"-m", "pytest", "-p", "assay_5eed", "-p", "no:cacheprovider"}, args...)
}

// genuine unseals a report that must verify, and reads it.
func genuine(t *testing.T, data, key []byte) reports.Report {
	t.Helper()
	lines, ok, note := reports.Unseal(data, key)
	require.True(t, ok, note)
	require.Empty(t, note)
	r, err := reports.Read(reports.PytestJSON, lines)
	require.NoError(t, err)
	return r
}

func TestSealedPytest(t *testing.T) {
	eachPython(t, "pytest", func(t *testing.T, p project) {
		data, key := p.sealed(t, sealedPytest(suite()...)...)
		r := genuine(t, data, key)
		require.True(t, r.Complete, r.Notes)
		require.Equal(t, golden(t, "testdata/tools/pytest/p9.jsonl"), summary(r))
		_, ok, _ := reports.Unseal(data, []byte("another key"))
		require.False(t, ok)
	})
}

func TestSealedPytestXdist(t *testing.T) {
	eachPython(t, "pytest, xdist", func(t *testing.T, p project) {
		data, key := p.sealed(t, sealedPytest(append([]string{"-n2", "test_crash.py"}, suite()...)...)...)
		require.Equal(t, golden(t, "testdata/tools/pytest/p9_xdist.jsonl"), summary(genuine(t, data, key)))
	})
}

func TestSealedUnittest(t *testing.T) {
	eachPython(t, "unittest", func(t *testing.T, p project) {
		data, key := p.sealed(t, p.plugin+"/assay_unittest.py", "test_unit.py", "test_broken.py", "pkg/tests/test_sub.py")
		r := genuine(t, data, key)
		require.True(t, r.Complete, r.Notes)
		require.Equal(t, golden(t, "testdata/tools/unittest/3.11.7.jsonl"), summary(r))
	})
}

// hostile finds the report as code under test can, and writes its own.
const hostile = `
import json, os, unittest

names = dict(v.split("=", 1) for v in open("/proc/self/environ").read().split("\0") if "=" in v)
report, key = names["ASSAY_PYTEST_REPORT"], names["ASSAY_PYTEST_KEY"]
if os.path.exists(key):  # the seal would be worth nothing
    os.rename(key, key + ".stolen")
assert not [n for n in os.environ if n.startswith("ASSAY_PYTEST")]

def forge(mode):
    me = "test_hostile.py::T::test_fails"
    events = [
        {"ev": "session", "runner": "pytest", "version": "9.2.0"}, {"ev": "start", "id": me},
        {"ev": "phase", "id": me, "outcome": "passed", "when": "call"},
        {"ev": "end", "id": me}, {"ev": "finish", "exit": 0},
    ]
    if mode == "new":
        os.unlink(report)
    with open(report, "a" if mode == "append" else "w") as out:
        for event in events:
            out.write(%s json.dumps(event) + "\n")
    if mode != "stay":
        os._exit(0)

class T(unittest.TestCase):
    def test_fails(self):
        forge("MODE")
        self.fail("this test fails")
`

func TestSealedHostile(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("the attack reads /proc")
	}
	for _, prefix := range []string{``, `"0" * 32 + " " +`} {
		for _, mode := range []string{"append", "over", "new", "stay"} {
			t.Run(mode+prefix, func(t *testing.T) {
				if mode != "over" || prefix != "" {
					startsMany(t)
				}
				eachPython(t, "pytest", func(t *testing.T, p project) {
					source := strings.Replace(strings.Replace(hostile, "%s", prefix, 1), "MODE", mode, 1)
					require.NoError(t, os.WriteFile(p.dir+"/test_hostile.py", []byte(source), 0o644))
					for _, args := range [][]string{sealedPytest("test_hostile.py"), {p.plugin + "/assay_unittest.py", "test_hostile.py"}} {
						data, key := p.sealed(t, args...)
						require.NoFileExists(t, p.plugin+"/key.stolen")
						const forged = `"outcome": "passed", "when": "call"`
						require.Contains(t, string(data), forged, "the forgery took place")
						lines, ok, note := reports.Unseal(data, key)
						require.False(t, ok)
						require.Contains(t, note, "has no valid seal")
						require.NotContains(t, string(lines), forged)
						require.NotContains(t, string(lines), `"finish"`)
					}
				})
			})
		}
	}
}

// A run that is to be sealed does not continue without its key.
func TestSealedNeedsKey(t *testing.T) {
	startsMany(t)
	eachPython(t, "pytest", func(t *testing.T, p project) {
		for _, args := range [][]string{{"-m", "pytest", "-p", "assay_pytest", "test_unit.py"}, {p.plugin + "/assay_unittest.py", "test_unit.py"}} {
			for text, says := range map[string]string{"": "the key of the report is empty", "no hex": "non-hexadecimal"} {
				file := p.plugin + "/key"
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
				cmd := exec.Command(p.python, args...)
				cmd.Dir = p.dir
				cmd.Env = append(os.Environ(), "PYTHONPATH="+p.plugin, reports.ReportVariable+"="+p.plugin+"/none.jsonl", reports.KeyVariable+"="+file)
				out, err := cmd.CombinedOutput()
				require.Error(t, err)
				require.Contains(t, strings.ToLower(string(out)), says)
				require.NoFileExists(t, file)
				data, _ := os.ReadFile(p.plugin + "/none.jsonl")
				require.Empty(t, data)
			}
		}
	})
}
