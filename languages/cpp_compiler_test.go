package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompilerWrapper runs the wrapper with echo in place of a compiler.
func TestCompilerWrapper(t *testing.T) {
	dir := t.TempDir()
	write := exec.Command("sh", "-c", cppWrapper)
	write.Env = append(os.Environ(), "A="+dir)
	out, err := write.CombinedOutput()
	require.NoError(t, err, string(out))
	for args, want := range map[string]string{
		"-O2 -o a.o -c a.cpp":                                           "-O2 -o a.o -c a.cpp -O1 -Wno-error -Wno-error=pedantic -g0",
		"-O0 -o a.o -c a.cpp":                                           "-O0 -o a.o -c a.cpp -Wno-error -Wno-error=pedantic -g0",
		"-o t/x_should_compile.dir/x.cpp.o -c x.cpp":                    "-o t/x_should_compile.dir/x.cpp.o -c x.cpp -Wno-error -Wno-error=pedantic -g0",
		"-o compilation_failure_tests/a.o -c a.cpp":                     "-o compilation_failure_tests/a.o -c a.cpp -Wno-error -Wno-error=pedantic -g0",
		"-Werror -o t/x_should_not_compile.dir/x.cpp.o -c x.cpp":        "-Werror -o t/x_should_not_compile.dir/x.cpp.o -c x.cpp -g0",
		"-Werror -c x.cpp -o test/compile-fail/x.o":                     "-Werror -c x.cpp -o test/compile-fail/x.o -g0",
		"-Werror -o no_compile_tests/x_should_compile.dir/x.o -c x.cpp": "-Werror -o no_compile_tests/x_should_compile.dir/x.o -c x.cpp -Wno-error -Wno-error=pedantic -g0",
		"-Werror -I include/compile_fail -o src/x.o -c src/x.cpp":       "-Werror -I include/compile_fail -o src/x.o -c src/x.cpp -Wno-error -Wno-error=pedantic -g0",
	} {
		run := exec.Command(filepath.Join(dir, "compile"), append([]string{"echo"}, strings.Fields(args)...)...)
		run.Env = append(os.Environ(), "ASSAY_OPTIMIZE=-O1", "ASSAY_COMPILE_FLAGS=-Wno-error -Wno-error=pedantic -g0")
		out, err := run.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Equal(t, want, strings.TrimSpace(string(out)))
	}
}
