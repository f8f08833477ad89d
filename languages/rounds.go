package languages

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"assay/bench"
	"assay/harness"
)

// Rounds are runs of a variant's tests on one build, one after the other.
type Rounds struct {
	// Variable is the environment variable that has another value in each round.
	Variable string
	// Values are one for each round, distinct; letters and digits.
	Values []string
	// Time bounds a round; 0 does not. Rounds after the first get twice what
	// the first took and four seconds, where that is less.
	Time time.Duration
}

// Repeated is what RunRounds saw.
type Repeated struct {
	// Build is the build on its own: RunDone where it succeeded.
	Build Outcome
	// Rounds are the outcomes in the order of the values; nil where the build
	// failed. Nothing guards them: no nonce test checks the runner.
	Rounds []Outcome
}

// repeater is a language whose tests can run many times on one build.
type repeater interface {
	// repeat returns a command whose script builds and fails where anything
	// does not build, and the shell of one round, whose reports go into the
	// suite's folder for them. ok is false where a build cannot be reused.
	repeat(env bench.Env, suite Suite) (build Command, round string, ok bool)
}

// RunRounds builds a variant once and runs its hidden tests once for each value,
// in one job, without network. ok is false where the language, its build tool or
// the instance's own commands do not allow that. Errors are those of RunTests.
func (t *Testbed) RunRounds(ctx context.Context, v Variant, r Rounds) (out Repeated, ok bool, err error) {
	l, ok := t.language.(repeater)
	if !ok || t.own != nil || t.env.Test != "" || v.Contributed || v.Public || v.Cover != nil {
		return Repeated{}, false, nil
	}
	if err := t.load(ctx, v); err != nil {
		return Repeated{}, true, err
	}
	c, err := compose(t.base, v)
	var un *UnappliedError
	if errors.As(err, &un) {
		return Repeated{Build: Outcome{Run: bench.Run{Name: v.Name, State: bench.RunUnapplied, Detail: un.Error()}, Unapplied: un}}, true, nil
	}
	if err != nil {
		return Repeated{}, true, err
	}
	env, err := t.Prepare(ctx)
	if err != nil {
		return Repeated{}, true, err
	}
	s, _, err := t.suite(v, c)
	if err != nil {
		return Repeated{}, true, err
	}
	cmd, round, ok := l.repeat(t.env, s)
	if !ok || len(s.Files) == 0 {
		return Repeated{}, false, nil
	}
	harness.Notify(ctx, Testing, v.Name)
	res, err := t.machine.Runner.Run(ctx, t.roundsJob(t.job(env, v, c.changes, s, cmd), s, round, r))
	if err != nil {
		return Repeated{}, true, err
	}
	return t.repeated(v, s, cmd, r, res), true, nil
}

// roundsJob makes the job of a build that of its rounds, too.
func (t *Testbed) roundsJob(j harness.Job, s Suite, round string, r Rounds) harness.Job {
	shell := s.dir() + "/round.sh"
	most := 24 * time.Hour
	if r.Time > 0 {
		most = r.Time
	}
	if j.Limits.Time > 0 {
		j.Limits.Time += time.Duration(len(r.Values)) * most
	}
	j.Script = strings.TrimSuffix(j.Script, "exit $assay_code\n") + fmt.Sprintf(`if [ $assay_code -ne 0 ]; then exit $assay_code; fi
limit=%[5]d
first=
for value in %[1]s; do
  rm -rf %[2]s
  mkdir -p %[2]s %[3]s/$value
  begin=$(date +%%s)
  %[4]s=$value timeout -k 5 $limit sh %[6]s >%[3]s/log 2>&1 </dev/null
  echo $? >%[3]s/$value/code
  kill -KILL -1 2>/dev/null
  first=${first:-$((2 * ($(date +%%s) - begin) + 4))}
  if [ $first -lt $limit ]; then limit=$first; fi
  tail -c 20000 %[3]s/log >%[3]s/$value/log
  mv %[2]s %[3]s/$value/
done
exit 0
`, strings.Join(r.Values, " "), s.reports(), s.rounds(), r.Variable, int(most.Seconds()), shell)
	j.Files = append(j.Files, harness.File{Path: shell, Data: []byte(round)})
	j.Collect = append(j.Collect, s.rounds()+"/*/code", s.rounds()+"/*/log", s.rounds()+"/*/reports/**")
	return j
}

// rounds is the folder of what the rounds leave, by value.
func (s Suite) rounds() string { return s.dir() + "/rounds" }

// repeated reads what the job left: for each round as if it had been a run of
// its own.
func (t *Testbed) repeated(v Variant, s Suite, cmd Command, r Rounds, res harness.Result) Repeated {
	out := Repeated{Build: Outcome{Run: bench.Run{Name: v.Name, State: bench.RunDone, ExitCode: res.ExitCode}}}
	out.Build.Log, out.Build.Timings, out.Build.Cached, out.Build.Language = logText(res), res.Timings, res.Cached, t.language
	switch {
	case res.End != harness.Exited:
		out.Build.State, out.Build.Detail = bench.RunTimeout, string(res.End)
		return out
	case res.ExitCode != 0:
		out.Build.State = bench.RunUnbuilt
		return out
	}
	for _, value := range r.Values {
		o := read(v.Name, s, cmd, roundOf(s, value, res))
		o.Language = t.language
		out.Rounds = append(out.Rounds, o)
	}
	return out
}

// roundOf is what one round left.
func roundOf(s Suite, value string, res harness.Result) harness.Result {
	dir := path.Join(s.rounds(), value)
	one := harness.Result{End: harness.Exited, ExitCode: -1, Files: map[string][]byte{s.dir() + "/phase": []byte("run")}}
	fmt.Sscan(string(res.Files[dir+"/code"]), &one.ExitCode) // else it stays that of no end
	if one.ExitCode == 124 || one.ExitCode == 137 || one.ExitCode == -1 {
		one.End = harness.TimedOut
	}
	one.Output.Head = res.Files[dir+"/log"]
	for p, data := range res.Files {
		if name, ok := strings.CutPrefix(p, dir+"/reports/"); ok {
			one.Files[s.reports()+"/"+name] = data
		}
	}
	return one
}
