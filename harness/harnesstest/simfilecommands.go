package harnesstest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"assay/harness"
)

// fileCommand runs a command on files.
func (s *simShell) fileCommand(c simCall) int {
	args := c.args[1:]
	last := ""
	if len(args) > 0 {
		last = args[len(args)-1]
	}
	p := s.abs(last)
	switch c.args[0] {
	case "cat":
		return s.cat(c)
	case "head":
		return s.head(c)
	case "tail": // of what never ends: it keeps all of it
		s.end = harness.OutOfMemory
		return 128 + 9
	case "sha256sum":
		data, err := s.fs.read(p)
		if err != nil {
			return s.fail(c, err)
		}
		return s.print(c, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), last))
	case "ls":
		return s.print(c, strings.Join(append(s.fs.list(p), ""), "\n"))
	case "readlink":
		return s.print(c, s.fs.nodes[p].link+"\n")
	case "stat":
		return s.stat(c)
	case "test":
		return s.test(args, p)
	case "mkdir":
		for _, a := range args {
			if a != "-p" {
				s.fs.mkdir(s.abs(a))
			}
		}
	case "rm":
		s.fs.remove(p)
	case "ln":
		s.fs.set(p, simNode{mode: fs.ModeSymlink | 0o777, link: args[1]})
	case "mkfifo":
		s.fs.set(p, simNode{mode: fs.ModeNamedPipe | 0o644})
	case "chmod":
		return s.chmod(c)
	default:
		if strings.HasPrefix(c.args[0], "no-such-command") {
			return 127
		}
		return s.beyond(c.args[0])
	}
	return 0
}

func (s *simShell) cat(c simCall) int {
	code := 0
	for _, a := range c.args[1:] {
		data, err := s.fs.read(s.abs(a))
		if err == nil {
			_, err = c.stdout.Write(data)
		}
		if err != nil {
			code = s.fail(c, err)
		}
	}
	return code
}

// head understands "head -c N /dev/zero".
func (s *simShell) head(c simCall) int {
	n, err := strconv.Atoi(c.args[2])
	if err != nil {
		return s.fail(c, err)
	}
	block := make([]byte, 1<<20)
	for n > 0 {
		k := min(n, len(block))
		if _, err := c.stdout.Write(block[:k]); err != nil {
			return s.fail(c, err)
		}
		n -= k
	}
	return 0
}

// stat understands the formats %a (mode), %u, %g (owner) and %s (size).
func (s *simShell) stat(c simCall) int {
	for _, a := range c.args[3:] {
		node, ok := s.fs.nodes[s.abs(a)]
		if !ok {
			return s.fail(c, fs.ErrNotExist)
		}
		r := strings.NewReplacer("%a", strconv.FormatUint(uint64(node.mode.Perm()), 8), "%u", "0", "%g", "0", "%s", strconv.Itoa(len(node.data)))
		_, _ = fmt.Fprintln(c.stdout, r.Replace(c.args[2]))
	}
	return 0
}

// test understands -e, -d, -L, -n and -nt, and a "!" before them.
func (s *simShell) test(args []string, p string) int {
	negate := args[0] == "!"
	if negate {
		args = args[1:]
	}
	if len(args) == 3 && args[1] == "-nt" {
		return s.newer(args[0], p, negate)
	}
	if len(args) != 2 {
		return s.beyond("test of " + strings.Join(args, " "))
	}
	node, ok := s.fs.stat(p)
	switch args[0] {
	case "-n":
		ok = args[1] != ""
	case "-d":
		ok = ok && node.mode.IsDir()
	case "-L":
		ok = s.fs.nodes[p].mode&fs.ModeSymlink != 0
	case "-e":
	default:
		return s.beyond("test " + args[0])
	}
	if ok == negate {
		return 1
	}
	return 0
}

// newer compares two files, which both have to be there. Of directories the
// simulation keeps no time.
func (s *simShell) newer(name, p string, negate bool) int {
	a, haveA := s.fs.stat(s.abs(name))
	b, haveB := s.fs.stat(p)
	if a.mode.IsDir() || b.mode.IsDir() {
		return s.beyond("test -nt of a directory")
	}
	if (haveA && haveB && a.written > b.written) == negate {
		return 1
	}
	return 0
}

func (s *simShell) chmod(c simCall) int {
	mode, err := strconv.ParseUint(c.args[1], 8, 32)
	if err != nil {
		return s.fail(c, err)
	}
	for _, a := range c.args[2:] {
		p := s.abs(a)
		node := s.fs.nodes[p]
		node.mode = node.mode&^fs.ModePerm | fs.FileMode(mode)
		s.fs.nodes[p] = node
	}
	return 0
}
