package docker

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPromising(t *testing.T) {
	globs := []string{"/a/*/c/*.xml", "/d/**/e.xml"}
	for dir, want := range map[string]bool{
		"/a": true, "/a/x": true, "/a/x/c": true, "/a/x/d": false, "/a/x/c/z": false,
		"/d": true, "/d/x/y/z": true, "/b": false,
	} {
		require.Equal(t, want, promising(globs, dir), dir)
	}
}

func TestCgroupDir(t *testing.T) {
	require.Equal(t, "/sys/fs/cgroup/pids/docker/x", cgroupDir([]byte("9:name=systemd:/docker/x\n8:pids:/docker/x\n0::/other\n")))
	require.Equal(t, "/sys/fs/cgroup/system.slice/docker-x.scope", cgroupDir([]byte("0::/system.slice/docker-x.scope\n")))
	require.Empty(t, cgroupDir(nil))
}
