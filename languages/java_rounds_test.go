package languages

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestJavaProbeClassPath: what Surefire's archive lists is the class path, also
// where an agent has added its own archive after it.
func TestJavaProbeClassPath(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a Java compiler")
	}
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("no javac")
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "Probe.java")
	text := "public class Probe {\n  public static void main(String[] a) throws Exception { System.out.print(classPath()); }\n" + javaProbe + "}\n"
	require.NoError(t, os.WriteFile(source, []byte(text), 0o600))
	booter := filepath.Join(dir, "surefirebooter-1_2.jar")
	writeManifest(t, booter, "Manifest-Version: 1.0\nClass-Path: a.jar ../b%20c/d.jar\n\n")
	listed := filepath.Join(dir, "a.jar") + ":" + filepath.Join(filepath.Dir(dir), "b c/d.jar") + ":"
	for given, want := range map[string]string{
		booter:                    listed,
		booter + ":/agents/j.jar": listed + "/agents/j.jar:",
		"/x/classes:/x/a.jar":     "/x/classes:/x/a.jar:",
	} {
		out, err := exec.Command("java", "-Dsurefire.real.class.path="+given, source).CombinedOutput()
		require.NoError(t, err, string(out))
		require.Equal(t, want, strings.TrimSpace(string(out)))
	}
}

func writeManifest(t *testing.T, path, text string) {
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	w := zip.NewWriter(f)
	entry, err := w.Create("META-INF/MANIFEST.MF")
	require.NoError(t, err)
	_, err = entry.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
}
