package languages

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/internal/patch"
)

// Outcome is what RunTests saw.
type Outcome struct {
	bench.Run
	// Language is that of the tests, which decides what their ids mean.
	Language Language
	// Unapplied is set where the run's state is RunUnapplied.
	Unapplied *UnappliedError
	// Method describes how exactly the patches applied.
	Method patch.Method
	// Contributed lists the tests that count in a run of contributed tests:
	// canonical ids with parameters, as far as this run knows them.
	Contributed []string
	// Said is what the runner says about tests that did not pass, by id: its
	// first lines. It may differ between runs, and so is not in the Run.
	Said    map[string]string
	Log     []byte
	Timings harness.Timings
	Cached  bool
	// Printed says that the tests' statuses were read from what the command
	// printed: no structured report proves them.
	Printed bool
	// Unguarded is set where no nonce invocation checked the runner: the
	// instance's own test command, or a runner that takes none.
	Unguarded bool
	// Doubts are kinds of reasons to suspect a run that ended, each of which
	// may be caused by the instance: gold's run shows that.
	Doubts []string
	// Settings are compared with those of gold's run; nil where they are
	// unknown.
	Settings Settings
	// Coverage is of a run that was asked for it; nil where nothing was
	// measured.
	Coverage Coverage
	// Elsewhere is set in a run of contributed tests that died, hung or is
	// suspect, where base's own tests crash the runner as well: it says
	// nothing about the contributed ones.
	Elsewhere bool
}

// RunTests applies the variant's patches to base and runs its tests in a
// fresh copy of the environment, without network. Everything that the code or
// the tests do is an Outcome; an error means that it could not be run: it
// wraps *harness.InfraError, *harness.BuildError or the context's error, or
// is an error of the dataset.
func (t *Testbed) RunTests(ctx context.Context, v Variant) (Outcome, error) {
	if err := t.load(ctx, v); err != nil {
		return Outcome{}, err
	}
	c, err := compose(t.base, v)
	var un *UnappliedError
	if errors.As(err, &un) {
		return Outcome{Run: bench.Run{Name: v.Name, State: bench.RunUnapplied, Detail: un.Error()}, Unapplied: un}, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	env, err := t.Prepare(ctx)
	if err != nil {
		return Outcome{}, err
	}
	s, contrib, err := t.suite(v, c)
	if err != nil {
		return Outcome{}, err
	}
	needsFiles := (t.own == nil && !IsGeneric(t.language)) || v.Contributed // else the command decides what runs
	if len(s.Files) == 0 && needsFiles || (v.Contributed && contrib.none()) {
		run := bench.Run{Name: v.Name, State: bench.RunDone, Detail: "the patch adds no tests", Environment: env}
		return Outcome{Run: run, Method: c.method}, nil
	}
	out, err := t.execute(ctx, env, v, c.changes, s)
	if err != nil {
		return Outcome{}, err
	}
	out.Method = c.method
	if !v.Contributed {
		return out, nil
	}
	var old map[string]bool
	if contrib.onlyCases() {
		if old, err = t.original(ctx, env, s.Files); err != nil {
			return Outcome{}, err
		}
	}
	if len(contrib.again()) > 0 {
		plain, err := t.before(ctx, env, v, contrib.again())
		if err != nil {
			return Outcome{}, err
		}
		contrib.before = statusByID(plain.Tests)
	}
	contrib.keep(&out, old)
	out.Elsewhere, err = t.elsewhere(ctx, env, v, out)
	return out, err
}

// execute runs a suite on a tree in a fresh copy of the environment.
func (t *Testbed) execute(ctx context.Context, env string, v Variant, changes *patch.Changes, s Suite) (Outcome, error) {
	cmd, err := t.command(s)
	if err != nil {
		return Outcome{}, err
	}
	if v.Cover != nil {
		if env, err = t.prepareMeasured(ctx); err != nil {
			return Outcome{}, err
		}
		cmd = t.measured(cmd, s, v.Cover)
	}
	harness.Notify(ctx, Testing, v.Name)
	res, err := t.machine.Runner.Run(ctx, t.job(env, v, changes, s, cmd))
	if err != nil {
		return Outcome{}, err
	}
	if t.asksChoices(v) {
		t.learn(res.Files[pythonChoices])
	}
	out := read(v.Name, s, cmd, res)
	if v.Cover != nil {
		out.Coverage = cmd.measured(res.Files)
	}
	out.Log, out.Timings, out.Cached = logText(res), res.Timings, res.Cached
	if out.Settings == nil && t.own == nil && t.env.Test == "" {
		out.Settings = testSettingsOf(t.language, s.Repo)
	}
	out.Environment, out.Language = env, t.language
	if t.Root() != Root {
		out.Root = t.Root()
	}
	return out, nil
}

// load makes readable what the patches touch, where base is inside an image.
func (t *Testbed) load(ctx context.Context, v Variant) error {
	var paths []string
	for _, text := range []string{v.Start, v.Code, v.Tests} {
		paths = append(paths, patch.PathsIn(text)...) // compose reports what is not a diff
	}
	return t.base.load(ctx, paths)
}

func (t *Testbed) suite(v Variant, c composed) (Suite, contribution, error) {
	repo := newListing(t.base, c.changes)
	s := Suite{Files: t.testFiles(repo, c.tests.Paths()), Repo: repo, Nonce: t.nonce(v), Key: t.key(v), Contributed: v.Contributed, Measured: v.Cover != nil, Bare: v.Bare, Root: t.root, Changed: changedPaths(c.changes), Added: addedPaths(t.base, c)}
	if !v.Contributed {
		if !v.Public {
			s.Files, s.Published = t.withPublished(s.Files, repo), t.published()
			if !v.Existing { // whose tests are those of before
				s.Decisive = t.instance.FailToPass
				s.Fresh = freshTests(t.language, t.base, s, c.tests.Paths())
			}
		}
		t.narrow(&s, v.Only)
		return s, contribution{}, nil
	}
	contrib, err := contributed(t.language, t.base, repo, s.Files)
	if err != nil {
		return s, contrib, fmt.Errorf("finding the contributed tests: %w", err)
	}
	s.Select = contrib.ids()
	for _, h := range contrib.helped {
		s.Select = append(s.Select, h.ID)
	}
	contrib.data = dataDriven(t.language, repo, c.tests.Paths(), t.language.PublishedFiles(t.published(), repo))
	contrib.whole = !slices.ContainsFunc(contrib.data, func(f string) bool {
		return !slices.Contains(c.tests.Paths(), f) || !isProgram(t.language, f, repo)
	})
	if len(contrib.data) > 0 {
		s.Files = slices.Sorted(slices.Values(append(s.Files, contrib.data...)))
		s.Select = append(s.Select, contrib.data...)
		if t.instance.Language != Python {
			s.Select = nil // files cannot be selected by name there
		}
	}
	return s, contrib, nil
}

// narrow leaves of a suite what a run of these tests needs. Where ids name no
// files all of them stay.
func (t *Testbed) narrow(s *Suite, only []string) {
	if len(only) == 0 {
		return
	}
	files := t.language.PublishedFiles(only, s.Repo)
	files = slices.DeleteFunc(files, func(f string) bool { return !slices.Contains(s.Files, f) })
	if len(files) > 0 {
		s.Files = files
	}
	for _, id := range only {
		bare, _, _ := strings.Cut(id, "[")
		s.Select = append(s.Select, bare)
	}
	slices.Sort(s.Select)
	s.Select = slices.Compact(s.Select)
}

// withPublished adds the files of the instance's published tests.
func (t *Testbed) withPublished(files []string, repo *listing) []string {
	set := map[string]bool{}
	published := t.language.PublishedFiles(t.published(), repo)
	for _, f := range append(published, files...) {
		// A driver of tests need not look like one: mypy's testcheck.py holds
		// no test function, its cases are data.
		driver := t.instance.Language == Python && slices.Contains(published, f)
		if driver || runnable(t.language, f, repo) {
			set[f] = true
		}
	}
	return sortedKeys(set)
}

// changedPaths are the paths that changes write or remove, sorted.
func changedPaths(c *patch.Changes) []string {
	out := slices.Clone(c.Remove)
	for p := range c.Write {
		out = append(out, p)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// addedPaths are the paths that the code writes and base has not, sorted. Those
// of the test patch are not among them.
func addedPaths(base baseTree, c composed) []string {
	tests := c.tests.Paths()
	var out []string
	for p := range c.changes.Write {
		if !base.Has(p) && !slices.Contains(tests, p) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// nonce is the run's unguessable name.
func (t *Testbed) nonce(v Variant) string { return "n" + t.derive("nonce", v)[:15] }

// key is what the run's reports are sealed with.
func (t *Testbed) key(v Variant) string { return t.derive("key", v) }

// derive makes a secret for one use from all that distinguishes a run.
func (t *Testbed) derive(use string, v Variant) string {
	mac := hmac.New(sha256.New, t.machine.Secret)
	fmt.Fprintf(mac, "%s\x00%s\x00%s\x00%s\x00%s\x00%t\x00%d", use, t.instance.ID, t.instance.BaseCommit, v.Code, v.Tests, v.Contributed, v.Attempt)
	if v.Start != "" || v.Existing {
		fmt.Fprintf(mac, "\x00%s\x00%t", v.Start, v.Existing)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// command is the instance's own test command, or the language's.
func (t *Testbed) command(s Suite) (Command, error) {
	switch {
	case t.own != nil:
		return t.own.command(s)
	case t.env.Test == "":
		return t.language.Command(t.env, s), nil
	}
	return t.testCommand(s), nil
}

// testCommand is that of env.test.
func (t *Testbed) testCommand(s Suite) Command {
	c := Command{Env: []string{"ASSAY_REPORTS=" + s.reports(), "ASSAY_TESTS=" + strings.Join(s.Files, "\n")}}
	for _, g := range t.env.Reports {
		if !strings.HasPrefix(g, "/") && !strings.HasPrefix(g, "$") {
			g = t.Root() + "/" + g
		}
		c.Reports = append(c.Reports, strings.NewReplacer("$ASSAY_REPORTS", s.reports(), "${ASSAY_REPORTS}", s.reports()).Replace(g))
	}
	if len(c.Reports) == 0 {
		c.Reports = []string{s.reports() + "/**"}
	}
	// Reports of the set-up, or of the submission's own making, must go.
	for _, g := range c.Reports {
		if strings.HasPrefix(g, t.Root()+"/") {
			c.Script += "find " + quote(t.Root()) + " -path " + quote(strings.ReplaceAll(g, "**", "*")) + " -type f -delete\n"
		}
	}
	c.Script += t.env.Test + "\n"
	return c
}

// job puts a run together. The runner's exit code is kept in a variable while
// the nonce tests run, so that these are outside of it.
func (t *Testbed) job(env string, v Variant, changes *patch.Changes, s Suite, cmd Command) harness.Job {
	put, remove := files(t.Root(), changes)
	j := harness.Job{
		Name:        t.instance.ID + " " + v.Name,
		Environment: env,
		Remove:      append(remove, cmd.Remove...),
		Files:       append(put, cmd.Files...),
		Workdir:     t.Root(),
		Env:         append([]string{"LANG=C.UTF-8", "TZ=UTC", "CI=true"}, append(environ(t.env.Vars), cmd.Env...)...),
		Limits:      t.limits(),
		Collect:     append([]string{s.dir() + "/phase"}, cmd.Reports...),
		Attempt:     v.Attempt,
	}
	if t.asksChoices(v) {
		j.Collect = append(j.Collect, pythonChoices)
	}
	if v.Time > 0 && (j.Limits.Time == 0 || v.Time < j.Limits.Time) {
		j.Limits.Time = v.Time
	}
	j.Collect = append(j.Collect, cmd.Collect...)
	if cmd.Own != nil {
		j.Files, j.Collect = append(j.Files, cmd.Own.put()...), append(j.Collect, cmd.Own.collect()...)
	}
	if cmd.Text != "" {
		j.Collect = append(j.Collect, s.reports()+"/*.log")
	}
	var script strings.Builder
	if v.Public {
		j.Remove = append(j.Remove, t.withheldFromRuns()...)
		script.WriteString("mkdir -p -m 1777 /tmp /var/tmp\n")
	}
	fmt.Fprintf(&script, "mkdir -p %s\n", quote(s.reports()))
	for _, pre := range t.env.PreTest {
		fmt.Fprintf(&script, "{ %s\n} || exit 1\n", pre)
	}
	fmt.Fprintf(&script, "(\n%s)\nassay_code=$?\n", cmd.Script)
	// Nothing that the submission started may live on to see the reports
	// taken, or a second start: the signal reaches all of the job but this
	// shell.
	script.WriteString("kill -KILL -1 2>/dev/null\n")
	if cmd.Nonce != nil {
		j.Files = append(j.Files, cmd.Nonce.Files...)
		j.Collect = append(j.Collect, cmd.Nonce.Reports...)
	}
	if cmd.Nonce != nil && cmd.Nonce.Script != "" {
		fmt.Fprintf(&script, "(\n%s%s) >/dev/null 2>&1\n", pickIfPython(t.instance.Language), cmd.Nonce.Script)
	}
	script.WriteString("kill -KILL -1 2>/dev/null\nexit $assay_code\n")
	j.Script = script.String()
	return j
}

// pickIfPython repeats the choice of the interpreter, which a sub-shell made.
func pickIfPython(language string) string {
	if language == Python {
		return pickPython
	}
	return ""
}

// logText is what a run printed, for people.
func logText(res harness.Result) []byte {
	out := append([]byte(nil), res.Output.Head...)
	if res.Output.Omitted > 0 {
		out = fmt.Appendf(out, "\n[... %d bytes left out ...]\n", res.Output.Omitted)
	}
	return append(out, res.Output.Tail...)
}
