package mirror

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// git runs one git command with a configuration of its own: nothing of the
// user's or the machine's reaches it, but what a proxy needs.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return gitReading(ctx, dir, nil, args...)
}

// gitReading is git with something to read.
func gitReading(ctx context.Context, dir string, input io.Reader, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Stdin = dir, input
	cmd.WaitDelay = time.Second
	cmd.Env = gitEnv()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", firstWord(args), err, strings.TrimSpace(stderr.String()))
	}
	return stdout.Bytes(), nil
}

// gitEnv is the environment of every git command.
func gitEnv() []string {
	return append(withoutGit(os.Environ()),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
		"GIT_LFS_SKIP_SMUDGE=1", "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=assay", "GIT_AUTHOR_EMAIL=assay@localhost", "GIT_AUTHOR_DATE=2001-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=assay", "GIT_COMMITTER_EMAIL=assay@localhost", "GIT_COMMITTER_DATE=2001-01-01T00:00:00Z")
}

// withoutGit drops variables that would point git elsewhere, as a hook that
// calls assay has them.
func withoutGit(env []string) []string {
	var out []string
	for _, v := range env {
		if !strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "GIT_SSL") || strings.HasPrefix(v, "GIT_SSH") {
			out = append(out, v)
		}
	}
	return out
}

// firstWord names the sub-command for an error message.
func firstWord(args []string) string {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--git-dir", "-c", "-C":
			i++
		default:
			return args[i]
		}
	}
	return ""
}
