package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// javaTries calls assertions as nonce tests do, and prints how each ends.
const javaTries = `
public class Tries {
  public interface Act { void run() throws Exception; }
  public static final class Row { private Row() { } }
  public static class Subject { public void isEqualTo(Object o) { throw new AssertionError(); } public void isNice() { } }
  public static void assertNever(Object a, Object b) { }
  public static void assertSame(Object a, Object b) { if (a != b) throw new AssertionError(); }
  public static void assertRow(Row r) { r.hashCode(); }
  public static void assertQuiet(Act a) { try { a.run(); } catch (Exception e) { throw new AssertionError(e); } }
  public static Subject assertThat(Object a) { return new Subject(); }
  public static Subject assertWithMessage(Row r) { r.hashCode(); return new Subject(); }

  public static void main(String[] args) {
    String[][] all = { {"assertNever", ""}, {"assertSame", ""}, {"assertRow", ""}, {"assertQuiet", ""}, {"assertNone", ""},
      {"assertThat", "isEqualTo"}, {"assertThat", "isNice"}, {"assertThat", "isElsewhere"}, {"assertWithMessage", "isNice"} };
    for (String[] a : all) {
      String end = "passes";
      try { tried("Tries", a[0], a[1]); } catch (AssertionError e) { end = "fails"; } catch (Throwable e) { end = "unfit"; }
      System.out.println((a[0] + " " + a[1]).trim() + ": " + end);
    }
  }
`

// TestLiveTried: an assertion that takes arguments and never fails is noticed;
// one that takes none of those that can be made says nothing.
func TestLiveTried(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles Java: not in short mode")
	}
	for _, tool := range []string{"javac", "java"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not on this machine", tool)
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "Tries.java")
	require.NoError(t, os.WriteFile(file, []byte(javaTries+javaTried+"}\n"), 0o644))
	out, err := exec.Command("javac", "-source", "8", "-target", "8", "-nowarn", "-d", dir, file).CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.Command("java", "-cp", dir, "Tries").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, strings.TrimLeft(`
assertNever: passes
assertSame: fails
assertRow: unfit
assertQuiet: fails
assertNone: unfit
assertThat isEqualTo: fails
assertThat isNice: passes
assertThat isElsewhere: unfit
assertWithMessage isNice: unfit
`, "\n"), string(out))
}
