package harnesstest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay/harness"
)

// call runs a command that touches no files, or passes it on.
func (s *simShell) call(c simCall) int {
	args := c.args[1:]
	if form := simForm(c.args[0]); form != "" && !strings.HasPrefix(strings.Join(args, " "), form) {
		return s.beyond(strings.Join(c.args, " "))
	}
	switch c.args[0] {
	case "true", "trap":
		return 0
	case "false":
		return 1
	case "exit":
		return s.exit(args)
	case "kill": // only ever of the script itself
		s.stop = true
		return 128 + 9
	case "echo":
		return s.print(c, strings.Join(args, " ")+"\n")
	case "env":
		return s.print(c, strings.Join(s.env, "\n")+"\n")
	case "pwd":
		return s.print(c, s.dir+"\n")
	case "id":
		return s.print(c, s.uid+"\n")
	case "date":
		return s.print(c, nonce()+"\n")
	case "sleep":
		return s.sleep(c)
	case "seq":
		return s.seq(c)
	case "yes":
		return s.yes(c)
	case "sh":
		return s.sh(c)
	case "command": // command -v NAME
		return 127
	}
	return s.fileCommand(c)
}

// simForm is how the arguments of a command must begin for the simulation to
// know what it does; empty where it knows all forms.
func simForm(command string) string {
	switch command {
	case "trap":
		return " " // trap '' SIGNAL: for signals that are never sent
	case "kill":
		return "-9 $$"
	case "tail":
		return "/dev/zero"
	case "head":
		return "-c "
	case "id":
		return "-u"
	case "stat":
		return "-c %"
	case "ln":
		return "-s "
	case "command":
		return "-v "
	}
	return ""
}

func (s *simShell) exit(args []string) int {
	s.stop = true
	if len(args) == 0 {
		return s.code
	}
	code, _ := strconv.Atoi(args[0])
	return code
}

func (s *simShell) print(c simCall, text string) int {
	if _, err := c.stdout.Write([]byte(text)); err != nil {
		return s.fail(c, err)
	}
	return 0
}

func (s *simShell) fail(c simCall, err error) int {
	_, _ = fmt.Fprintf(c.stderr, "%s: %v\n", c.args[0], err)
	return 1
}

// sleep takes real time, so that limits and cancellation mean what they do
// elsewhere.
func (s *simShell) sleep(c simCall) int {
	seconds, err := strconv.ParseFloat(c.args[1], 64)
	if err != nil {
		return s.fail(c, err)
	}
	timer := time.NewTimer(time.Duration(min(seconds, 1e6) * float64(time.Second)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return 0
	case <-s.ctx.Done():
		s.stop = true
		return -1
	}
}

func (s *simShell) seq(c simCall) int {
	var first, last int
	if _, err := fmt.Sscan(strings.Join(c.args[1:], " "), &first, &last); err != nil {
		return s.fail(c, err)
	}
	for i := first; i <= last; i++ {
		_, _ = fmt.Fprintln(c.stdout, i)
	}
	return 0
}

// yes prints until a limit ends the script.
func (s *simShell) yes(c simCall) int {
	block := []byte(strings.Repeat("y\n", 512))
	for !s.out.Exceeded() && s.ctx.Err() == nil {
		if _, err := c.stdout.Write(block); err != nil {
			return s.fail(c, err)
		}
	}
	s.end, s.stop = harness.OutputLimit, true
	return -1
}

func (s *simShell) sh(c simCall) int {
	script := strings.Join(c.args[min(2, len(c.args)):min(3, len(c.args))], "")
	if c.args[1] != "-c" {
		data, err := s.fs.read(s.abs(c.args[1]))
		if err != nil {
			return s.fail(c, err)
		}
		script = string(data)
	}
	if c.stdout != s.printed { // as a redirected script prints
		return s.redirected(c, script)
	}
	s.interpret(script, false)
	return s.code
}

func (s *simShell) redirected(c simCall, script string) int {
	inner := *s
	inner.out = harness.NewCapture(0, nil)
	inner.printed = inner.out
	inner.interpret(script, false)
	s.written, s.trouble = inner.written, inner.trouble
	if code := s.print(c, string(inner.out.Output().Head)); code != 0 {
		return code
	}
	return inner.code
}
