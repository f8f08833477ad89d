package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"assay/harness/docker"
	"assay/harness/local"
)

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Report what this machine can run, what is missing, and how to fix it",
		Long:  "Checks executors, tools, memory and disk. Exits with code 5 when no executor works.",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context()) },
	}
}

// finding is one line of the doctor's report.
type finding struct {
	name   string
	ok     bool
	needed bool // without it something does not work at all
	detail string
	fix    string // the command that helps
}

func (a *app) doctor(ctx context.Context) error {
	cache, err := a.cacheDir()
	if err != nil {
		return err
	}
	dockerOK, engine := checkDocker(ctx)
	localOK, sandbox := checkLocal(ctx, cache)
	section(a.stdout, "executor docker", engine)
	section(a.stdout, "executor local", sandbox)
	section(a.stdout, "tools of this machine (environments use their own where they can)", checkTools(ctx))
	section(a.stdout, "resources", checkResources(cache))
	switch {
	case dockerOK:
		fmt.Fprintln(a.stdout, "\n--executor auto uses docker.")
	case localOK:
		fmt.Fprintln(a.stdout, "\n--executor auto uses local: it isolates less than containers do; instances with an image need docker.")
	default:
		return &codedError{exitNoExecutor, fmt.Errorf("no executor works on this machine")}
	}
	return nil
}

func section(w io.Writer, title string, findings []finding) {
	fmt.Fprintf(w, "%s\n", title)
	for _, f := range findings {
		mark := "ok     "
		switch {
		case !f.ok && f.needed:
			mark = "MISSING"
		case !f.ok:
			mark = "absent "
		}
		fmt.Fprintf(w, "  %s  %-22s %s\n", mark, f.name, f.detail)
		if !f.ok && f.fix != "" {
			fmt.Fprintf(w, "  %s  %-22s fix: %s\n", "       ", "", f.fix)
		}
	}
}

func checkDocker(ctx context.Context) (bool, []finding) {
	var out []finding
	ok := true
	for _, c := range docker.Probe(ctx, "") {
		ok = ok && c.OK
		out = append(out, finding{name: c.Name, ok: c.OK, needed: true, detail: c.Detail, fix: c.Fix})
	}
	return ok, out
}

func checkLocal(ctx context.Context, cache string) (bool, []finding) {
	d, err := local.New(local.Options{Dir: filepath.Join(cache, "local"), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return false, []finding{{name: "namespaces", detail: oneLine(err)}}
	}
	defer d.Close()
	var out []finding
	for _, c := range d.Probe(ctx) {
		out = append(out, finding{name: c.Name, ok: c.OK, detail: c.Detail, fix: c.Fix})
	}
	return true, out
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// checkTools asks each tool for its version.
func checkTools(ctx context.Context) []finding {
	var out []finding
	for _, t := range []struct {
		command, arg, pkg string
		needed            bool
	}{
		{"git", "--version", "git", true},
		{"python3", "--version", "python3 python3-venv", false},
		{"java", "-version", "openjdk-17-jdk-headless", false},
		{"mvn", "--version", "maven", false},
		{"gradle", "--version", "gradle", false},
		{"g++", "--version", "g++", false},
		{"cmake", "--version", "cmake", false},
		{"ninja", "--version", "ninja-build", false},
		{"debootstrap", "--version", "debootstrap", false},
	} {
		f := finding{name: t.command, needed: t.needed, fix: "apt-get install " + t.pkg}
		if raw, err := exec.CommandContext(ctx, t.command, t.arg).CombinedOutput(); err == nil {
			f.ok, f.detail = true, firstLine(string(raw))
		}
		out = append(out, f)
	}
	return out
}

func firstLine(s string) string {
	for _, line := range strings.Split(s, "\n") {
		if line = strings.Trim(line, "- \r"); line != "" {
			return line
		}
	}
	return ""
}

// checkResources asks for what one job may use by default.
func checkResources(cache string) []finding {
	var out []finding
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err == nil {
		free := uint64(info.Totalram) * uint64(info.Unit)
		out = append(out, finding{
			name: "memory", ok: free >= 8<<30, detail: fmt.Sprintf("%.1f GiB in all; a job may take 4", float64(free)/(1<<30)),
			fix: "lower -j, or memory_mb in the instances' env",
		})
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(cache, &fs); err == nil {
		free := fs.Bavail * uint64(fs.Bsize)
		out = append(out, finding{
			name: "disk", ok: free >= 10<<30, detail: fmt.Sprintf("%.1f GiB free in %s", float64(free)/(1<<30), cache),
			fix: "assay cache prune, assay image rm, or another --cache-dir",
		})
	}
	return out
}
