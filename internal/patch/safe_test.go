package patch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

func TestUnsafePaths(t *testing.T) {
	paths := map[string]string{
		"absolute":          "/etc/passwd",
		"absolute, doubled": "//etc/passwd",
		"parent":            "../x",
		"parent inside":     "a/../../x",
		"parent, harmless":  "a/../x",
		"parent at the end": "a/..",
		"git":               ".git/hooks/pre-commit",
		"git, other case":   "sub/.GiT/config",
		"git, short name":   "GIT~1/config",
		"git, dots":         ".git. ./config",
		"git, stream":       ".git::$INDEX_ALLOCATION/config",
		"git, ignorable":    ".g\u200cit/config",
		"backslash":         `a\..\..\x`,
		"NUL":               "a\x00b",
		"drive":             "C:/x",
		"directory":         "dir/",
		"too long":          strings.Repeat("x/", 3000) + "x",
	}
	for name, path := range paths {
		t.Run(name, func(t *testing.T) {
			octal := strings.NewReplacer("\x00", `\000`, `\`, `\\`).Replace(path)
			diffs := []string{
				text("diff --git \"a/"+octal+"\" \"b/"+octal+"\"", "new file mode 100644"),
				text(`--- /dev/null`, `+++ "b/`+octal+`"`, "@@ -0,0 +1 @@", "+x"),
				text(`--- "a/`+octal+`"`, `+++ "b/`+octal+`"`, "@@ -1 +1 @@", "-x", "+y"),
				text("diff --git a/x b/y", `rename from "`+octal+`"`, "rename to y"),
				text("diff --git a/x b/y", "copy from x", `copy to "`+octal+`"`),
			}
			for _, diff := range diffs {
				_, err := patch.Parse([]byte(diff))
				var unsafe *patch.UnsafeError
				require.ErrorAs(t, err, &unsafe, diff)
			}
		})
	}
}

func TestSafePaths(t *testing.T) {
	for _, path := range []string{".gitignore", ".github/x", "a..b", "...", "git", "x:y", "-x", ".gitmodules", "x.git/config"} {
		p, err := patch.Parse([]byte(text("diff --git a/"+path+" b/"+path, "new file mode 100644")))
		require.NoError(t, err, path)
		require.Equal(t, []string{path}, p.Paths())
	}
}

func TestSubmoduleRefused(t *testing.T) {
	for _, header := range []string{"new file mode 160000", "index 1234567..89abcde 160000", "deleted file mode 160000"} {
		_, err := patch.Parse([]byte(text("diff --git a/sub b/sub", header)))
		var unsafe *patch.UnsafeError
		require.ErrorAs(t, err, &unsafe, header)
	}
}

func newLink(path, target string) string {
	return text("diff --git a/"+path+" b/"+path, "new file mode 120000", "--- /dev/null", "+++ b/"+path,
		"@@ -0,0 +1 @@", "+"+target, `\ No newline at end of file`)
}

func TestLinkTargets(t *testing.T) {
	cases := map[string]struct {
		path, target string
		safe         bool
	}{
		"beside":                    {"l", "f", true},
		"below":                     {"l", "d/f", true},
		"up within":                 {"d/e/l", "../../f", true},
		"the root":                  {"d/l", "..", true},
		"directory with slash":      {"l", "d/", true},
		"here":                      {"l", ".", true},
		"absolute":                  {"l", "/etc/passwd", false},
		"out":                       {"l", "../f", false},
		"far out":                   {"d/l", "../../f", false},
		"up behind another link":    {"d/l", "x/../../../f", false},
		"into git":                  {"l", ".git/config", false},
		"backslashes":               {"l", `..\f`, false},
		"empty":                     {"l", "", false},
		"drive":                     {"l", "C:/x", false},
		"root of the file system":   {"l", "/", false},
		"up, then by another route": {"d/l", "../x/../../f", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := patch.Parse([]byte(newLink(c.path, c.target)))
			if c.safe {
				require.NoError(t, err)
				return
			}
			var unsafe *patch.UnsafeError
			require.ErrorAs(t, err, &unsafe)
		})
	}
}

func TestBehindLinkRefused(t *testing.T) {
	write := text("diff --git a/d/f b/d/f", "new file mode 100644", "--- /dev/null", "+++ b/d/f", "@@ -0,0 +1 @@", "+x")
	remove := text("diff --git a/d/f b/d/f", "deleted file mode 100644", "--- a/d/f", "+++ /dev/null", "@@ -1 +0,0 @@", "-x")
	move := text("diff --git a/f b/d/f", "rename from f", "rename to d/f")
	link := map[string]patch.Entry{"d": link("elsewhere"), "d/f": file("x\n"), "f": file("f\n")}
	plain := map[string]patch.Entry{"f": file("f\n"), "g": file("elsewhere")}
	toLink := text("diff --git a/g b/d", "rename from g", "rename to d", "old mode 100644", "new mode 120000")
	cases := map[string]struct {
		tree entries
		diff string
	}{
		"link in the tree, write":     {link, write},
		"link in the tree, remove":    {link, remove},
		"link in the tree, move":      {link, move},
		"deeper":                      {link, strings.ReplaceAll(write, "d/f", "d/e/f")},
		"link in the patch":           {plain, newLink("d", "elsewhere") + write},
		"link in the patch, move":     {plain, newLink("d", "elsewhere") + move},
		"link in the patch, after":    {plain, write + newLink("d", "elsewhere")},
		"link made by change of mode": {plain, toLink + write},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := patch.Parse([]byte(c.diff))
			require.NoError(t, err)
			changes, err := patch.Apply(patch.MapTree(c.tree), p)
			require.Nil(t, changes)
			var unsafe *patch.UnsafeError
			require.ErrorAs(t, err, &unsafe)
		})
	}
}

// TestStackedLinkRefused makes the link in one patch and writes in the next.
func TestStackedLinkRefused(t *testing.T) {
	tree := patch.MapTree(nil)
	first, err := patch.Parse([]byte(newLink("d", "elsewhere")))
	require.NoError(t, err)
	changes, err := patch.Apply(tree, first)
	require.NoError(t, err)
	second, err := patch.Parse(patch.Between("d/f", nil, []byte("x\n")))
	require.NoError(t, err)
	_, err = patch.Apply(changes.Over(tree), second)
	var unsafe *patch.UnsafeError
	require.ErrorAs(t, err, &unsafe)
}

// TestLinkByContent turns a file into a link whose target the diff does not
// show.
func TestLinkByContent(t *testing.T) {
	p, err := patch.Parse([]byte(text("diff --git a/f b/f", "old mode 100644", "new mode 120000")))
	require.NoError(t, err)
	_, err = patch.Apply(patch.MapTree(entries{"f": file("../../out")}), p)
	var unsafe *patch.UnsafeError
	require.ErrorAs(t, err, &unsafe)
}
