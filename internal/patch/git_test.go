package patch_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

// tool skips the test where a program is not installed.
func tool(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
}

// run executes a command in dir, apart from the user's configuration.
func run(dir, stdin, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return string(out), errors.New(string(failed.Stderr))
	}
	return string(out), err
}

func mustRun(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, err := run(dir, "", name, args...)
	require.NoError(t, err, "%s %v", name, args)
	return out
}

// writeTree replaces the content of dir with the entries.
func writeTree(t *testing.T, dir string, tree entries) {
	t.Helper()
	old, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range old {
		if entry.Name() != ".git" {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, entry.Name())))
		}
	}
	for path, entry := range tree {
		name := filepath.Join(dir, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		if entry.Mode == patch.ModeSymlink {
			require.NoError(t, os.Symlink(string(entry.Data), name))
			continue
		}
		require.NoError(t, os.WriteFile(name, entry.Data, os.FileMode(entry.Mode&0o777)))
	}
}

// read is the reverse of writeTree.
func read(t *testing.T, dir string) entries {
	t.Helper()
	out := make(entries)
	err := filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			if info != nil && info.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		path, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if info.Mode()&os.ModeSymlink != 0 {
			target, err := os.Readlink(name)
			out[path] = link(target)
			return err
		}
		data, err := os.ReadFile(name)
		entry := patch.Entry{Data: data, Mode: patch.ModeFile}
		if info.Mode()&0o100 != 0 {
			entry.Mode = patch.ModeExecutable
		}
		out[path] = entry
		return err
	})
	require.NoError(t, err)
	return out
}

func noise(n int, seed uint32) string {
	var b strings.Builder
	for range n {
		seed = seed*1664525 + 1013904223
		b.WriteByte(byte(seed >> 24))
	}
	return b.String()
}

// TestGitDiff applies diffs that git itself writes between two trees, in
// several styles, and gives what we write back to git.
func TestGitDiff(t *testing.T) {
	tool(t, "git")
	long := text(numbered(40)...)
	data := noise(3000, 1)
	old := entries{
		"edit": file(long), "crlf": file(crlf(long)), "gone": file("x\n"), "empty gone": file(""),
		"from": file(long + "from\n"), "noend": file("a\nb"), "mode": file("m\n"), "link": link("edit"),
		"type": file("t\n"), "bin": file(data), "bin2": file("\x00" + noise(50, 2)), "my file": file("b\n"), "caf\u00e9": file("c\n"),
		"q\"uote\ttab": file("q\n"), "latin\xe9": file("l\xe9\n"), "swap a": file(text(numbered(20)...)), "swap b": file(text("p", "q", "r", "s", "t")),
	}
	new := entries{
		"edit": file(strings.NewReplacer("line 3\n", "3\n", "line 20\n", "", "line 39\n", "line 39\nx\ny\n").Replace(long)),
		"crlf": file(crlf(strings.Replace(long, "line 3\n", "3\n", 1))), "dir/made": file("m\n\n"), "dir/empty": file(""),
		"to/here": file(long + "to\n"), "noend": file("a\nc\n"), "mode": {Data: []byte("m\n"), Mode: patch.ModeExecutable}, "link": link("dir/made"),
		"type": link("mode"), "bin": file(data[:1000] + "changed" + data[1000:]), "bin2": file("\x00" + noise(60, 3)), "bin3": file("\x00new"), "my file": file("B\n"),
		"caf\u00e9": file("C\n"), "q\"uote\ttab": file("Q\n"), "latin\xe9": file("L\xe8"),
		"swap b": file(text(numbered(20)...)), "swap a": file(text("p", "q", "r", "s", "t")),
	}
	dir := t.TempDir()
	mustRun(t, dir, "git", "init", "-q")
	for _, tree := range []entries{old, new} {
		writeTree(t, dir, tree)
		mustRun(t, dir, "git", "add", "-A")
		mustRun(t, dir, "git", "commit", "-q", "-m", "x")
	}
	styles := map[string][]string{
		"default":     {"--binary"},
		"renames":     {"--binary", "-M", "-B"},
		"copies":      {"--binary", "-C", "-C", "--find-copies-harder"},
		"no renames":  {"--binary", "--no-renames"},
		"full index":  {"--binary", "--full-index"},
		"no prefix":   {"--binary", "--no-prefix"},
		"mnemonic":    {"--binary", "--src-prefix=i/", "--dst-prefix=w/"},
		"raw names":   {"--binary", "-M"},
		"no context":  {"--binary", "-U0"},
		"one line":    {"--binary", "-U1"},
		"large":       {"--binary", "-W"},
		"other lines": {"--binary", "--patience"},
	}
	for name, args := range styles {
		t.Run(name, func(t *testing.T) {
			config := []string{"-c", "core.quotePath=" + map[bool]string{true: "false", false: "true"}[name == "raw names"]}
			diff := mustRun(t, dir, "git", append(append(config, "diff"), append(args, "HEAD~", "HEAD")...)...)
			got, changes := apply(t, old, diff)
			require.Equal(t, new, got)
			require.Equal(t, patch.Strict, changes.Method)

			for _, damaged := range []string{strings.TrimSpace(diff), crlf(diff)} {
				got, _ := apply(t, old, damaged)
				require.Equal(t, new, got)
			}

			p, err := patch.Parse([]byte(diff))
			require.NoError(t, err)
			again, _ := apply(t, old, string(p.Bytes()))
			require.Equal(t, new, again)

			other := filepath.Join(t.TempDir(), "tree")
			require.NoError(t, os.Mkdir(other, 0o755))
			writeTree(t, other, old)
			_, err = run(other, string(p.Bytes()), "git", "apply", "--unidiff-zero", "-")
			require.NoError(t, err)
			require.Equal(t, new, read(t, other))
		})
	}
}

// TestBinaryOnOtherContent applies git's binary deltas and literals to content
// that they were not made for.
func TestBinaryOnOtherContent(t *testing.T) {
	tool(t, "git")
	dir := t.TempDir()
	mustRun(t, dir, "git", "init", "-q")
	data := "\x00" + noise(3000, 1)
	for _, data := range []string{data, data[:1000] + "changed" + data[1000:], "\x00" + noise(100, 2)} {
		writeTree(t, dir, entries{"f": file(data)})
		mustRun(t, dir, "git", "add", "-A")
		mustRun(t, dir, "git", "commit", "-q", "-m", "x")
	}
	for step, form := range map[string]string{"HEAD~2..HEAD~": "delta ", "HEAD~..HEAD": "literal "} {
		diff := mustRun(t, dir, "git", "diff", "--binary", step)
		require.Contains(t, diff, "\n"+form)
		p, err := patch.Parse([]byte(diff))
		require.NoError(t, err)
		require.True(t, p.Files[0].Binary)
		for _, old := range []string{"", data[1:], strings.Replace(data, data[50:52], "--", 1)} {
			_, err = patch.Apply(patch.MapTree(entries{"f": file(old)}), p)
			var failed *patch.ApplyError
			require.ErrorAs(t, err, &failed)
		}
	}
}

// TestAgainstTools gives the same diffs to git apply and to patch, and
// expects the same outcome; where they differ, the case records it.
func TestAgainstTools(t *testing.T) {
	tool(t, "git")
	tool(t, "patch")
	plain := text(numbered(30)...)
	change := []string{" line 9", " line 10", " line 11", "-line 12", "+new", " line 13", " line 14", " line 15"}
	hunk := func(header string, lines []string) string { return edit(append([]string{header}, lines...)...) }
	with := func(line string, at ...int) []string {
		out := append([]string(nil), change...)
		for _, i := range at {
			out[i] = line
		}
		return out
	}
	made := text("--- /dev/null", "+++ b/d/g", "@@ -0,0 +1 @@", "+g")
	cases := map[string]struct {
		old, diff string
		git, tool bool // git apply, patch --fuzz=2 take it
		ours      bool
	}{
		"strict":             {plain, hunk("@@ -9,7 +9,7 @@", change), true, true, true},
		"offset":             {plain, hunk("@@ -4,7 +4,7 @@", change), true, true, true},
		"offset beyond":      {plain, hunk("@@ -400,7 +400,7 @@", change), true, true, true},
		"fuzz 1":             {plain, hunk("@@ -9,7 +9,7 @@", with(" x", 0)), false, true, true},
		"fuzz 2":             {plain, hunk("@@ -9,7 +9,7 @@", with(" x", 1, 6)), false, true, true},
		"fuzz 2, offset":     {plain, hunk("@@ -4,7 +4,7 @@", with(" x", 0, 1)), false, true, true},
		"fuzz 3":             {plain, hunk("@@ -9,7 +9,7 @@", with(" x", 2)), false, false, false},
		"removed differs":    {plain, hunk("@@ -9,7 +9,7 @@", with("-x", 3)), false, false, false},
		"blanks differ":      {plain, hunk("@@ -9,7 +9,7 @@", with("-line  12", 3)), false, false, false},
		"counts too high":    {plain, hunk("@@ -9,9 +9,9 @@", change), false, true, true},
		"counts too low":     {plain, hunk("@@ -9,2 +9,2 @@", change), false, false, true},
		"CRs lost":           {crlf(plain), hunk("@@ -9,7 +9,7 @@", change), false, false, true},
		"no last line end":   {strings.TrimSpace(plain), edit("@@ -29,2 +29,2 @@", "-line 29", "+x", " line 30", noEOL), true, true, true},
		"marker lost":        {strings.TrimSpace(plain), edit("@@ -29,2 +29,2 @@", "-line 29", "+x", " line 30"), false, true, true},
		"new file":           {plain, made, true, true, true},
		"deletion":           {"a\n", text("--- a/f", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"), true, true, true},
		"two files, one bad": {plain, made + hunk("@@ -9,7 +9,7 @@", with("-x", 3)), false, false, false},
		"overlap":            {plain, edit("@@ -1,3 +1,3 @@", " line 1", "-line 2", "+x", " line 3", "@@ -2,2 +2,2 @@", "-line 2", "+y", " line 3"), false, false, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			tree := entries{"f": file(c.old)}
			p, err := patch.Parse([]byte(c.diff))
			require.NoError(t, err)
			changes, err := patch.Apply(patch.MapTree(tree), p)
			require.Equal(t, c.ours, err == nil, "ours: %v", err)
			commands := map[string]bool{"git apply -": c.git, "patch -p1 --fuzz=2 --batch --no-backup-if-mismatch": c.tool}
			for command, takes := range commands {
				dir := filepath.Join(t.TempDir(), "tree")
				require.NoError(t, os.Mkdir(dir, 0o755))
				writeTree(t, dir, tree)
				args := strings.Fields(command)
				_, err := run(dir, c.diff, args[0], args[1:]...)
				require.Equal(t, takes, err == nil, "%s: %v", command, err)
				if takes && c.ours {
					require.Equal(t, after(tree, changes), read(t, dir), command)
				}
			}
		})
	}
}

// TestBetweenForGit lets git apply what Between writes.
func TestBetweenForGit(t *testing.T) {
	tool(t, "git")
	long := text(numbered(60)...)
	cases := map[string][2][]byte{
		"edit":       {[]byte(long), []byte(strings.NewReplacer("line 2\n", "x\ny\n", "line 30\n", "", "line 59\n", "z\n").Replace(long))},
		"no end":     {[]byte("a\nb"), []byte("a\nb\n")},
		"end lost":   {[]byte("a\nb\n"), []byte("a\nb")},
		"CRLF":       {[]byte(crlf(long)), []byte(crlf(strings.Replace(long, "line 9\n", "x\n", 1)))},
		"to CRLF":    {[]byte(long), []byte(crlf(long))},
		"emptied":    {[]byte(long), {}},
		"filled":     {{}, []byte(long)},
		"new":        {nil, []byte(long)},
		"new, empty": {nil, {}},
		"deleted":    {[]byte(long), nil},
		"bytes":      {[]byte("a\xff\x00\nb\n"), []byte("a\xff\x00\n\xc3\n")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			const path = "dir/a caf\u00e9"
			dir := filepath.Join(t.TempDir(), "tree")
			require.NoError(t, os.Mkdir(dir, 0o755))
			if c[0] != nil {
				writeTree(t, dir, entries{path: file(string(c[0]))})
			}
			_, err := run(dir, string(patch.Between(path, c[0], c[1])), "git", "apply", "-")
			require.NoError(t, err)
			got := read(t, dir)
			if c[1] == nil {
				require.Empty(t, got)
				return
			}
			require.True(t, bytes.Equal(c[1], got[path].Data))
		})
	}
}
