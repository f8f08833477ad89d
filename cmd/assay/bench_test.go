package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/engine"
	"assay/harness"
	"assay/harness/docker"
	"assay/harness/local"
	"assay/internal/mirror"
	"assay/languages"
	"assay/tasks"
)

// benchBinary is the program as users have it: $ASSAY_BENCH_BINARY, or built here.
func benchBinary(b *testing.B) string {
	if path := os.Getenv("ASSAY_BENCH_BINARY"); path != "" {
		abs, err := filepath.Abs(path)
		require.NoError(b, err)
		return abs
	}
	path := filepath.Join(b.TempDir(), "assay")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	require.NoError(b, err, string(out))
	return path
}

// spent is what a run of the program took.
type spent struct {
	seconds, peakMB float64
	output          string
}

func runAssay(b *testing.B, binary string, args ...string) spent {
	cmd := exec.Command(binary, args...)
	cmd.Dir = b.TempDir()
	var out, progress bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &progress
	began := time.Now()
	err := cmd.Run()
	require.NoError(b, err, out.String()+progress.String())
	s := spent{seconds: time.Since(began).Seconds(), output: out.String()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.peakMB = float64(usage.Maxrss) / 1024
	}
	return s
}

// reportLoad gives the machine's load along with the figures.
func reportLoad(b *testing.B) {
	var load float64
	data, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		_, err = fmt.Sscan(string(data), &load)
	}
	if err == nil {
		b.ReportMetric(load, "load")
	}
	b.ReportMetric(0, "ns/op") // rounds of several programs: no figure of use
}

// course is twenty tasks in an environment that is there already, and the
// jobs that judging them comes to.
type course struct {
	binary, cache, repos, dataset, executor string

	jobs []harness.Job
}

// evaluate judges all tasks again and returns the seconds. Gold is not run
// beforehand: it would run every job twice, which the bare loops do not.
func (c course) evaluate(b *testing.B, jobs int, more ...string) float64 {
	args := []string{"--cache-dir", c.cache, "eval", "-d", c.dataset, "--gold", "-t", "bugfix", "--executor", c.executor,
		"--repos", c.repos, "-j", fmt.Sprint(jobs), "--no-cache", "--no-gold-check", "-q", "--min-resolved", "1", "-o", filepath.Join(b.TempDir(), "run")}
	return runAssay(b, c.binary, append(args, more...)...).seconds
}

// newCourse makes the environments of the instances and records their jobs.
func newCourse(b *testing.B, executor string, r benchRepo, instances func(c course) []bench.Instance) course {
	c := course{binary: benchBinary(b), cache: filepath.Join(benchCache(b), "cache"), repos: r.mirrors, executor: executor}
	d, err := benchDriver(b, executor, c.cache)
	if errors.Is(err, harness.ErrUnavailable) {
		b.Skipf("no %s executor here: %v", executor, err)
	}
	require.NoError(b, err)
	defer d.Close()
	list := instances(c)
	c.dataset = writeDataset(b, list...)
	rec := &recorder{Runner: d}
	judge := tasks.Judge{Now: time.Now, Machine: languages.Machine{
		Runner: rec, Preparer: d, Secret: []byte(strings.Repeat("s", 32)),
		Sources: &mirror.Store{Dir: r.mirrors, Cache: filepath.Join(c.cache, "mirrors")},
	}}
	for i := range list {
		kind := tasks.BugFix{}
		p := bench.Prediction{InstanceID: list[i].ID, Model: "gold", Patch: list[i].Patch}
		res, err := judge.Evaluate(b.Context(), kind, tasks.Task{Kind: kind.Name(), Instance: &list[i]}, p)
		require.NoError(b, err)
		require.Equal(b, bench.Resolved, res.Verdict, res.Reason)
	}
	require.Len(b, rec.jobs, len(list))
	c.jobs = rec.jobs
	return c
}

// benchDriver opens the driver that --executor names, on the program's cache.
func benchDriver(b *testing.B, executor, cache string) (engine.Driver, error) {
	if executor == "docker" {
		return docker.New(b.Context(), docker.Options{Dir: filepath.Join(cache, "docker")})
	}
	return local.New(local.Options{Dir: filepath.Join(cache, "local")})
}

// benchCache is kept between runs, so that environments are made once.
func benchCache(b *testing.B) string {
	base, err := os.UserCacheDir()
	require.NoError(b, err)
	dir := filepath.Join(base, "assay-bench")
	require.NoError(b, os.MkdirAll(dir, 0o755))
	return dir
}

// compare takes assay and the bare loops in turn, rounds times, and reports
// the median ratio to each. Every second round goes the other way around.
func (c course) compare(b *testing.B, workers int, bare map[string]func(harness.Job) error) {
	ratios, times := map[string][]float64{}, map[string][]float64{}
	for round := 0; b.Loop(); round++ {
		took := map[string]float64{}
		ours := func() { took["assay"] = c.evaluate(b, workers) }
		if round%2 == 1 {
			ours()
		}
		for name, do := range bare {
			began := time.Now()
			inParallel(b, c.jobs, workers, do)
			took[name] = time.Since(began).Seconds()
		}
		if round%2 == 0 {
			ours()
		}
		for name, t := range took {
			times[name] = append(times[name], t)
			ratios[name] = append(ratios[name], took["assay"]/t)
		}
	}
	for name := range times {
		b.ReportMetric(median(times[name]), name+"-s")
		if name != "assay" {
			b.ReportMetric(median(ratios[name]), "assay/"+name)
		}
	}
	reportLoad(b)
}

// BenchmarkDocker is what assay costs over the same containers and commands:
// by the engine's API with nothing else, and by the docker command.
func BenchmarkDocker(b *testing.B) {
	r := newBenchRepo(b, 1, 0)
	c := newCourse(b, "docker", r, func(c course) []bench.Instance {
		at := func(int) string { return r.commits[0] }
		recipe := r.instances(b, 1, at)
		recipe[0].Env = &bench.Env{Packages: []string{"python3", "python3-pytest"}, Dependencies: []string{"true"}, Setup: []string{"true"}, Framework: "pytest"}
		made := runAssay(b, c.binary, "--cache-dir", c.cache, "image", "build", "--executor", "docker", "--repos", r.mirrors, "-d", writeDataset(b, recipe...))
		image := strings.Fields(made.output)[1]
		list := r.instances(b, benchModules, at)
		for i := range list {
			list[i].Image = image
		}
		return list
	})
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("j%d", workers), func(b *testing.B) {
			bare := map[string]func(harness.Job) error{"api": newEngineAPI(b).run}
			if _, err := exec.LookPath("docker"); err == nil {
				bare["shell"] = dockerCommand
			}
			c.compare(b, workers, bare)
		})
	}
}

// BenchmarkLocal is what assay costs over the same commands in a copy of the
// repository, with no isolation at all.
func BenchmarkLocal(b *testing.B) {
	r := newBenchRepo(b, 1, 0)
	python := benchPython(b)
	c := newCourse(b, "local", r, func(course) []bench.Instance {
		return r.instances(b, benchModules, func(int) string { return r.commits[0] })
	})
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("j%d", workers), func(b *testing.B) {
			s := shell{source: r.dir, scratch: b.TempDir(), python: python}
			c.compare(b, workers, map[string]func(harness.Job) error{"shell": s.run})
		})
	}
}

// benchPython is an interpreter with pytest, made as the instances' own are.
func benchPython(b *testing.B) string {
	dir := filepath.Join(benchCache(b), "venv")
	python := filepath.Join(dir, "bin", "python")
	if exec.Command(python, "-m", "pytest", "--version").Run() == nil {
		return python
	}
	for _, command := range [][]string{{"/usr/bin/python3", "-m", "venv", dir}, {python, "-m", "pip", "install", "-q", "pytest==8.3.5"}} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			b.Skipf("no interpreter with pytest to compare with: %v: %s", err, out)
		}
	}
	return python
}

// BenchmarkRepeat is how long a finished run of a hundred tasks takes when it
// is called again: in the same folder, and in a new one with all outcomes in
// the cache.
func BenchmarkRepeat(b *testing.B) {
	r := newBenchRepo(b, 1, 0)
	c := course{binary: benchBinary(b), cache: filepath.Join(benchCache(b), "cache"), repos: r.mirrors}
	c.dataset = writeDataset(b, r.instances(b, 100, func(int) string { return r.commits[0] })...)
	eval := func(dir string) float64 {
		return runAssay(b, c.binary, "--cache-dir", c.cache, "eval", "-d", c.dataset, "--gold", "-t", "bugfix", "--executor", "local",
			"--repos", c.repos, "-q", "--min-resolved", "1", "-o", dir).seconds
	}
	require.NoError(b, os.RemoveAll(filepath.Join(c.cache, "outcomes")))
	dir := filepath.Join(b.TempDir(), "run")
	first := eval(dir)
	var same, fresh []float64
	for b.Loop() {
		same = append(same, eval(dir))
		fresh = append(fresh, eval(filepath.Join(b.TempDir(), "run")))
	}
	b.ReportMetric(first, "first-s")
	b.ReportMetric(median(same), "same-folder-s")
	b.ReportMetric(median(fresh), "cached-s")
	b.ReportMetric(median(same)/first, "same-folder/first")
	b.ReportMetric(median(fresh)/first, "cached/first")
	reportLoad(b)
}

// BenchmarkDisk is what ten instances of one repository take of the disk over
// what one takes.
func BenchmarkDisk(b *testing.B) {
	r := newBenchRepo(b, 10, 4<<20)
	binary := benchBinary(b)
	all := r.instances(b, 10, func(i int) string { return r.commits[i] })
	build := func(cache string, list ...bench.Instance) float64 {
		runAssay(b, binary, "--cache-dir", cache, "image", "build", "--executor", "local", "--repos", r.mirrors, "-d", writeDataset(b, list...))
		return diskUse(b, cache)
	}
	for b.Loop() {
		cache := b.TempDir()
		one := build(cache, all[0])
		ten := build(cache, all...)
		b.ReportMetric(one, "one-MB")
		b.ReportMetric(ten, "ten-MB")
		b.ReportMetric(ten/one, "ten/one")
		b.ReportMetric(4, "repository-MB")
	}
	reportLoad(b)
}

// BenchmarkMemory is the program's peak on a dataset of 100,000 instances of
// 5 KB: to pick one of them, and to judge an empty submission to each.
func BenchmarkMemory(b *testing.B) {
	const n = 100_000
	binary, cache := benchBinary(b), b.TempDir()
	dataset := writeLargeDataset(b, n, 5<<10)
	for b.Loop() {
		pick := runAssay(b, binary, "--cache-dir", cache, "eval", "-d", dataset, "--gold", "-t", "bugfix", "--dry-run", "-i", "acme__ranges-77777")
		require.Contains(b, pick.output, "1 submissions")
		empty := runAssay(b, binary, "--cache-dir", cache, "eval", "-d", dataset, "--empty", "-t", "bugfix", "-q", "-o", filepath.Join(b.TempDir(), "run"))
		require.Contains(b, empty.output, fmt.Sprintf("0/%d", n))
		b.ReportMetric(pick.peakMB, "pick-one-MB")
		b.ReportMetric(pick.seconds, "pick-one-s")
		b.ReportMetric(empty.peakMB, "judge-all-MB")
		b.ReportMetric(empty.seconds, "judge-all-s")
		b.ReportMetric(empty.peakMB*1024/n, "KB/instance")
	}
	reportLoad(b)
}
