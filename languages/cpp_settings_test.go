package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCppTelling(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"/usr/bin/c++ -O2 -Isrc -DFOO=1 -std=c++17 -o a.o -c a.cpp", ""},
		{"c++ -include soft.h -DNDEBUG -c a.cpp", "-DNDEBUG -include soft.h"},
		{`c++ -D"CHECK(x)=0" -D two=2 -c a.cpp`, `-DCHECK(x)=0 -Dtwo=2`},
		{"c++ -imacrosx.h -fplugin=/x.so -B/tmp -wrapper gdb @more -Wp,-include,x -c a.cpp", "-B/tmp -Wp,-include,x -fplugin=/x.so -imacrosx.h -wrapper gdb @more"},
		{"c++ -Utwo -Dtwoo -c a.cpp", "-Utwo"},
	} {
		require.Equal(t, c.want, strings.Join(cppTelling(c.command, "int main() { CHECK(two() == 2); }"), " "), c.command)
	}
}

func TestCppLinking(t *testing.T) {
	link, more := cppLinking(": && /usr/bin/c++ -g a.o -o bin/a -Wl,-rpath,/b libl.a && cd /build && echo hi", "bin/a")
	require.Equal(t, "/usr/bin/c++ -g a.o -o bin/a -Wl,-rpath,/b libl.a", link)
	require.Equal(t, []string{"cd /build", "echo hi"}, more)
	require.Empty(t, cppLinkTelling(link))
	require.Equal(t, "/usr/bin/c++", cppProgram(link))
	require.Equal(t, "-T x.ld -Wl,--wrap=abort -nostartfiles", strings.Join(cppLinkTelling("c++ -Wl,--wrap=abort -Wl,--as-needed -T x.ld -nostartfiles a.o -o a"), " "))
}

func TestCppSettings(t *testing.T) {
	s := Suite{Files: []string{"tests/a.cpp"}, Nonce: "n0", Repo: cppRepo{"tests/a.cpp": "x", "src/l.cpp": "y"}, Changed: []string{"CMakeLists.txt"}}
	dir := "/assay/n0/settings/"
	files := map[string][]byte{
		dir + "begin":    []byte("1000.5\n"),
		dir + "changed":  []byte("1 900 7 /testbed/tests/a.cpp\n1 900 8 /testbed/src/l.cpp\n1 1001 9 /testbed/tests/made.cpp\n"),
		dir + "commands": []byte("t\tcompile\ttests/a.cpp\tc++ -DNDEBUG -c /testbed/tests/a.cpp\nt\tlink\tt\t: && ld a.o -o t && :\nbroken\n"),
		dir + "ctest.json": []byte(`{"tests":[{"name":"A","command":["/build/./t","-x"],"properties":[{"name":"WILL_FAIL","value":true},{"name":"TIMEOUT","value":3},
			{"name":"ENVIRONMENT","value":["LD_PRELOAD=x"]}]},{"name":"B"}]}`),
		dir + "custom": []byte("set(X)"),
	}
	require.Equal(t, Settings{
		"test A": {"command": "/build/t -x", "ENVIRONMENT": "[LD_PRELOAD=x]", "WILL_FAIL": "true", "FAIL_REGULAR_EXPRESSION": ""}, "test B": {"FAIL_REGULAR_EXPRESSION": ""},
		"CTest": {"CTestCustom": "set(X)"}, "test files": {"files changed by the build": "tests/a.cpp"},
		"the machine": {"files changed by the build": "", "compiler wrapper": ""},
		"tests/a.cpp": {"executables": "t"}, "tests/a.cpp in t": {"compiler": "c++", "option -DNDEBUG": "set"},
		"t": {"linker": "ld"},
	}, cppSettings(s)(files))
	s.Changed = []string{"src/l.cpp", "tests/a.cpp"}
	sources := cppSettings(s)(files)
	files[dir+"ctest.json"] = []byte(`{"tests":[{"name":"A","command":["/build/t"]}]}`)
	gold := cppSettings(s)(files)
	require.Empty(t, sources.Unlike(gold), "sources alone configure nothing")
	s.Changed = []string{"CMakeLists.txt"}
	files[dir+"ctest.json"] = []byte(`{"tests":[{"name":"A","command":["/build/t"],"properties":[{"name":"WILL_FAIL","value":true}]}]}`)
	require.Contains(t, cppSettings(s)(files).Unlike(gold), "WILL_FAIL", "whatever gold changes")
	require.NotPanics(t, func() { cppSettings(s)(map[string][]byte{dir + "ctest.json": []byte("{")}) })
}

func FuzzCppSettings(f *testing.F) {
	f.Add("t\tcompile\ttests/a.cpp\tc++ -D -include", `{"tests":[{}]}`)
	f.Add("t\tlink\tt\t: && -T", "[]")
	s := Suite{Files: []string{"tests/a.cpp"}, Nonce: "n0", Repo: cppRepo{"tests/a.cpp": "D"}, Changed: []string{"x.cmake"}}
	f.Fuzz(func(t *testing.T, commands, tests string) {
		read := cppSettings(s)
		files := map[string][]byte{"/assay/n0/settings/commands": []byte(commands), "/assay/n0/settings/ctest.json": []byte(tests)}
		require.Equal(t, read(files), read(files))
		require.Empty(t, read(files).Unlike(read(files)))
	})
}
