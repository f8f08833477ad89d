package docker

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"assay/harness"
)

// assay's own directory in a container. Every process that is started there
// removes it before anything of the job runs.
const (
	ownDir     = "/.assay"
	runFile    = ownDir + "/run"
	scriptFile = ownDir + "/script"
)

// launch describes how a script is started.
type launch struct {
	script  string
	workdir string
	user    string   // "" and "root" mean root
	remove  []string // paths to delete first
	init    bool     // the engine runs an init as process 1
	relays  []harness.Relay
	strict  bool   // the first command that fails ends the script
	before  string // shell commands around the script of a set-up
	after   string
}

// files returns what is put in for a launch. Our own commands are in front of
// the script's first line, so that messages of the shell count lines as the
// script's author does.
//
// A script of root's is one file. Otherwise a second shell is needed: to
// change the user, or to keep a process 1 that reaps orphans and that
// signals do not pass by. The script is then handed over as descriptor 9 of
// a file that is deleted already.
func (l launch) files() []harness.File {
	if l.root() && l.init && !l.strict {
		return []harness.File{{Path: runFile, Data: []byte(l.prologue() + l.script)}}
	}
	run := "exec 9<" + scriptFile + "; " + l.prologue() + l.second() + "\n"
	return []harness.File{
		{Path: runFile, Data: []byte(run)},
		{Path: scriptFile, Data: []byte("exec 9<&- 2>&1; " + l.script)},
	}
}

func (l launch) root() bool { return l.user == "" || l.user == "root" || l.user == "0" }

// prologue is one line of shell. Both streams become one, as the order of
// what two pipes carry would be lost.
func (l launch) prologue() string {
	var b strings.Builder
	b.WriteString("exec 2>&1; rm -rf -- " + ownDir)
	for _, p := range l.remove {
		b.WriteString(" " + quote(p))
	}
	b.WriteString("; ")
	for _, r := range l.relays {
		b.WriteString(awaitPort(r.Port))
	}
	if dir := path.Clean("/" + l.workdir); dir != "/" {
		fmt.Fprintf(&b, "[ -d %[1]s ] || mkdir -p %[1]s; cd %[1]s || exit 125; ", quote(dir))
	}
	return b.String()
}

// awaitPort waits until a port of the container's network listens. It needs
// nothing but the shell; where there is no sleep it asks again at once.
func awaitPort(port int) string {
	return fmt.Sprintf(`q=; until [ "$q" ]; do while read -r _ a _ s _; do case $a:$s in *:%04X:0A) q=1;; esac; done </proc/net/tcp; `+
		`[ "$q" ] || sleep 0.01 2>/dev/null || :; done; `, port)
}

// second starts the script in a second shell.
func (l launch) second() string {
	before, command := "", "/bin/sh /proc/self/fd/9"
	if l.strict {
		command = "/bin/sh -e /proc/self/fd/9"
	}
	if !l.root() {
		before, command = l.changeUser()
	}
	if l.init {
		return before + "exec " + command
	}
	// What this shell itself would say about a killed script is not the
	// script's. What this shell itself would say about a killed script is not
	// the script's, which begins by joining both streams again.
	return before + "exec 2>/dev/null; " + command + "; exit $?"
}

// changeUser resolves the user in the container, as only its own files know
// the names. A number needs no entry there.
func (l launch) changeUser() (before, command string) {
	unknown := `echo "no such user in this environment: $q"; exit 125`
	if _, err := strconv.ParseUint(l.user, 10, 32); err == nil {
		unknown = `u=$q g=$q`
	}
	before = fmt.Sprintf(`q=%s; u=; h=/; k=--clear-groups; `+
		`while IFS=: read -r a _ b c _ d _; do `+
		`if [ "$a" = "$q" ] || [ "$b" = "$q" ]; then u=$b g=$c h=$d k=--init-groups; break; fi; done </etc/passwd; `+
		`[ -n "$u" ] || { %s; }; export HOME="$h"; `+
		`command -v setpriv >/dev/null || { echo "no setpriv in this environment, to change the user"; exit 125; }; `, quote(l.user), unknown)
	return before, `setpriv --reuid="$u" --regid="$g" $k /bin/sh /proc/self/fd/9`
}

// quote makes one word of the shell.
func quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
