package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoadedSettings(t *testing.T) {
	list := "./target/classes/org/junit\n1 20 ./target/classes/META-INF/services/org.junit.platform.launcher.TestExecutionListener\n"
	gold, other, same := Settings{}, Settings{}, Settings{}
	gold.loaded("")
	other.loaded(list)
	same.loaded(list)
	require.Equal(t, `the folders of classes: ./target/classes/META-INF/services/org.junit.platform.launcher.TestExecutionListener is "1", and is not set with the gold patch`, other.Unlike(gold))
	require.Empty(t, gold.Unlike(other), "a tree that has less")
	require.Empty(t, other.Unlike(same))
	same.loaded(strings.Replace(list, "1 20", "2 20", 1))
	require.Contains(t, other.Unlike(same), `is "1", and "2"`)
}

func TestLoadedScript(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []string{
		"target/classes/META-INF/services/org.junit.jupiter.api.extension.Extension", "target/classes/META-INF/services/com.example.Mine",
		"out/junit-platform.properties", "src/test/resources/junit-platform.properties", "target/classes/org/junit/Test.class", "a/src/main/java/org/junit/Test.java",
		"target/test-classes/mockito-extensions/org.mockito.plugins.MockMaker",
	} {
		place := filepath.Join(dir, p)
		require.NoError(t, os.MkdirAll(filepath.Dir(place), 0o755))
		require.NoError(t, os.WriteFile(place, []byte(p), 0o644))
	}
	list := filepath.Join(dir, "list")
	s := Suite{Nonce: "n"}
	script := strings.NewReplacer(loadedFile(s), list, "mkdir -p '"+s.dir()+"/settings'", ":").Replace(loadedScript(s))
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	data, err := os.ReadFile(list)
	require.NoError(t, err)
	var paths []string
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) == 3 {
			paths = append(paths, fields[2])
		}
	}
	require.Len(t, paths, 3)
	require.IsIncreasing(t, paths, "files are in the order of their paths")
	found := Settings{}
	found.loaded(string(data))
	require.Equal(t, []string{"", "./out/junit-platform.properties", "./target/classes/META-INF/services/org.junit.jupiter.api.extension.Extension", "./target/classes/org/junit", "./target/test-classes/mockito-extensions/org.mockito.plugins.MockMaker"},
		sortedKeys(found["the folders of classes"]))
}
