package docker

import (
	"context"
	"testing"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/stretchr/testify/require"

	"assay/harness"
)

// benchScript is what a small test run looks like: a start of Python, a few
// files written.
const benchScript = "python3 -c 'import unittest, json, re, asyncio'; mkdir -p /out && echo '<testsuite/>' >/out/report.xml"

// BenchmarkRun and BenchmarkBare do the same work; the first reports the
// ratio of both, measured in turn, so that other load on the machine affects
// both alike.
func BenchmarkRun(b *testing.B) {
	d := newDriver(b)
	env, err := d.Prepare(context.Background(), base())
	require.NoError(b, err)
	for _, direct := range []bool{true, false} {
		b.Run(map[bool]string{true: "direct", false: "archive"}[direct], func(b *testing.B) {
			if direct && !overlayReachable(d.engine) {
				b.Skip("the engine's storage cannot be reached from here")
			}
			d.direct = direct
			var ours, bare time.Duration
			for b.Loop() {
				began := time.Now()
				runOnce(b, d, env)
				ours += time.Since(began)
				b.StopTimer()
				began = time.Now()
				bareOnce(b, d, env)
				bare += time.Since(began)
				b.StartTimer()
			}
			b.ReportMetric(float64(ours)/float64(bare), "ratio")
		})
	}
}

// BenchmarkBare is the floor: create, start, wait and remove, with the
// script on the command line, and with no limit, output or file.
func BenchmarkBare(b *testing.B) {
	d := newDriver(b)
	env, err := d.Prepare(context.Background(), base())
	require.NoError(b, err)
	for b.Loop() {
		bareOnce(b, d, env)
	}
}

func runOnce(b *testing.B, d *Driver, env string) {
	res, err := d.Run(context.Background(), harness.Job{
		Name: "bench", Environment: env, Script: benchScript,
		Remove:  []string{"/w/tests/test_old.py"},
		Files:   []harness.File{{Path: "/w/tests/test_new.py", Data: make([]byte, 8<<10)}, {Path: "/w/patch.diff", Data: make([]byte, 4<<10)}},
		Collect: []string{"/out/*.xml"},
	})
	require.NoError(b, err)
	require.Zero(b, res.ExitCode)
	require.Len(b, res.Files, 1)
}

func bareOnce(b *testing.B, d *Driver, env string) {
	ctx := context.Background()
	made, err := d.engine.ContainerCreate(ctx,
		&container.Config{Image: env, Entrypoint: []string{"/bin/sh", "-c", benchScript}},
		&container.HostConfig{NetworkMode: "none"}, nil, nil, "")
	require.NoError(b, err)
	exit, fail := d.engine.ContainerWait(ctx, made.ID, container.WaitConditionNextExit)
	require.NoError(b, d.engine.ContainerStart(ctx, made.ID, container.StartOptions{}))
	select {
	case r := <-exit:
		require.Zero(b, r.StatusCode)
	case err := <-fail:
		b.Fatal(err)
	}
	require.NoError(b, d.engine.ContainerRemove(ctx, made.ID, container.RemoveOptions{}))
}
