package attempts

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/agents"
)

// TestKilledTries: a process that was killed leaves tries without records; what
// they spent counts, once.
func TestKilledTries(t *testing.T) {
	dir := t.TempDir()
	who := Identity{Agent: "scripted", Model: "p/m"}
	try := filepath.Join(dir, "attempts", "bugfix", "o__r-1", "1.try-1")
	require.NoError(t, os.MkdirAll(try, 0o755))
	calls := `{"n":1,"reserved_usd":0.5}` + "\n" + `{"n":1,"usd":0.25,"usage":{"prompt":100,"cached":40,"completion":10}}` + "\n" +
		`{"n":2,"reserved_usd":0.5}` + "\n" + `{"n":2,"usd":0.2`
	require.NoError(t, os.WriteFile(filepath.Join(try, "exchanges.jsonl"), []byte(calls), 0o644))
	for range 2 {
		f, err := OpenFolder(dir, who)
		require.NoError(t, err)
		require.InDelta(t, 0.75, f.Spent(), 1e-9, "a call without its line counts with what was reserved")
		require.Empty(t, f.Records())
		require.NoError(t, f.Close())
	}
	require.FileExists(t, filepath.Join(try, "attempt.json"))
	_, err := OpenFolder(dir, Identity{Agent: "other"})
	require.EqualError(t, err, dir+" holds attempts of scripted with p/m, not of other: choose another folder with -o")
}

// TestKilledBetween: a finished attempt is kept, wherever the process was killed
// after its record was written.
func TestKilledBetween(t *testing.T) {
	who := Identity{Agent: "scripted", Model: "p/m"}
	finish := func(t *testing.T, dir string) Record {
		w := open(t, dir, 0, spends(1, 0.25))
		_, err := w.Run(t.Context(), list(1))
		require.NoError(t, err)
		require.NoError(t, w.Folder.Close())
		return w.Folder.Records()[0]
	}
	for name, spoil := range map[string]func(t *testing.T, dir string){
		"before the journal": func(*testing.T, string) {},
		"before the folder got its name": func(t *testing.T, dir string) {
			place := filepath.Join(dir, "attempts/bugfix/o__r-1/1")
			require.NoError(t, os.Rename(place, place+".try-1"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			want := finish(t, dir)
			require.NoError(t, os.Truncate(filepath.Join(dir, "attempts.jsonl"), 0))
			spoil(t, dir)
			f, err := OpenFolder(dir, who)
			require.NoError(t, err)
			defer f.Close()
			require.Equal(t, []Record{want}, f.Records())
			require.InDelta(t, 0.25, f.Spent(), 1e-9)
			require.DirExists(t, filepath.Join(dir, want.Dir))
			text, err := os.ReadFile(filepath.Join(dir, "attempts.jsonl"))
			require.NoError(t, err)
			require.Equal(t, []Record{want}, jsonLines(t, string(text)))
		})
	}
}

// TestKilledBetweenAgain: the same where an attempt with the same key was there,
// which was made again.
func TestKilledBetweenAgain(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, place string){
		"before the journal": func(*testing.T, string) {},
		"before the folder got its name": func(t *testing.T, place string) {
			require.NoError(t, os.Rename(place, place+".try-1"))
		},
		"before the old one left": func(t *testing.T, place string) {
			require.NoError(t, os.Rename(place, place+".try-1"))
			require.NoError(t, os.Rename(place+".try-2", place))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			place := filepath.Join(dir, "attempts/bugfix/o__r-1/1")
			finish := func(end agents.End) (Record, []byte) {
				w := open(t, dir, 0, func(_ context.Context, w agents.Work) (agents.Outcome, error) {
					w.Session.(*session).call(0.25)
					return agents.Outcome{End: end, Patch: "patch of " + string(end) + "\n"}, nil
				})
				w.Again = []agents.End{agents.Time}
				_, err := w.Run(t.Context(), list(1))
				require.NoError(t, err)
				require.NoError(t, w.Folder.Close())
				text, err := os.ReadFile(filepath.Join(dir, "attempts.jsonl"))
				require.NoError(t, err)
				return w.Folder.Records()[0], text
			}
			_, before := finish(agents.Time)
			want, _ := finish(agents.Done)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "attempts.jsonl"), before, 0o644))
			spoil(t, place)
			for range 2 {
				f, err := OpenFolder(dir, Identity{Agent: "scripted", Model: "p/m"})
				require.NoError(t, err)
				require.Equal(t, []Record{want}, f.Records())
				require.InDelta(t, 0.5, f.Spent(), 1e-9)
				files, err := f.WritePredictions([]string{"bugfix"})
				require.NoError(t, err)
				require.Equal(t, "patch of done\n", predictions(t, files[0])[0].Patch)
				require.NoError(t, f.Close())
			}
		})
	}
}

// TestFolderIsLocked: two runs at once would pay twice.
func TestFolderIsLocked(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenFolder(dir, Identity{Agent: "a"})
	require.NoError(t, err)
	defer f.Close()
	_, err = OpenFolder(dir, Identity{Agent: "a"})
	require.ErrorContains(t, err, "another process is writing it")
}

func TestTally(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want tally
	}{
		"nothing":       {"", tally{}},
		"refused calls": {`{"n":1,"refused":"web search","usd":0}`, tally{}},
		"no line end":   {`{"n":1,"usd":0.5}`, tally{calls: 1, usd: 0.5}},
		"garbage":       {"what\n[1]\n" + `{"n":1,"usd":0.5,"estimated":true}`, tally{calls: 1, usd: 0.5, estimated: true}},
		"open":          {`{"n":1,"reserved_usd":0.5}` + "\n" + `{"n":2,"reserved_usd":1}` + "\n" + `{"n":1,"usd":0.25}` + "\n", tally{calls: 1, usd: 1.25, estimated: true}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tallyOf(strings.NewReader(c.text))
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func FuzzTally(f *testing.F) {
	f.Add(`{"n":1,"usd":0.25,"usage":{"prompt":100}}` + "\n" + `{"n":2,"reserved_usd":0.5}`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := tallyOf(strings.NewReader(text))
		require.NoError(t, err)
		require.GreaterOrEqual(t, got.calls, 0)
		again, err := tallyOf(strings.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, got.calls, again.calls)
	})
}

// TestPurse: attempts wait for what others hold, and do not begin where an
// attempt costs more than is left.
func TestPurse(t *testing.T) {
	p := newPurse(5, 2)
	for range 2 {
		held, ok, wait := p.try()
		require.Equal(t, 2.0, held)
		require.True(t, ok)
		require.Nil(t, wait)
	}
	_, _, wait := p.try()
	require.NotNil(t, wait, "one dollar is left, and two are running")
	p.give(2, 0.5, false)
	<-wait
	held, ok, _ := p.try()
	require.True(t, ok)
	require.Equal(t, 2.0, held)
	p.give(2, 2, false)
	p.give(2, 2, false)
	_, ok, wait = p.try()
	require.False(t, ok, "half a dollar is left, an attempt costs 1.5")
	require.Nil(t, wait)

	p = newPurse(1, 2)
	held, ok, _ = p.try()
	require.True(t, ok, "the first may have all there is")
	require.Equal(t, 1.0, held)
	p.give(1, 0.1, true)
	_, ok, _ = p.try()
	require.False(t, ok, "one was cut")

	held, ok, _ = newPurse(0, 2).try()
	require.True(t, ok)
	require.Zero(t, held)
}

func TestSummary(t *testing.T) {
	w := open(t, t.TempDir(), 0, spends(2, 0.25))
	_, err := w.Run(t.Context(), list(2))
	require.NoError(t, err)
	who := Identity{Agent: "scripted", Model: "p/m"}
	s := w.Folder.Summarise(who, []string{"bugfix"})
	s.Total.Seconds, s.Rows[0].Seconds = 3, 3
	require.Equal(t, 2, s.Total.Attempts)
	require.Equal(t, map[agents.End]int{agents.Done: 2}, s.Total.Ends)
	require.Equal(t, []string{"1.0"}, s.Versions)
	var out strings.Builder
	require.NoError(t, s.Text(&out))
	require.Contains(t, out.String(), "│ bugfix       │ python   │        2 │ 2 done │     0 │    1.5 │     4 │       400 │  40 │ 1.0000 │ 0.5000 │")
	require.NoError(t, w.Folder.WriteSummary(s))
	text, err := os.ReadFile(filepath.Join(w.Folder.Dir, "summary.md"))
	require.NoError(t, err)
	require.Contains(t, string(text), "# scripted with p/m\n")
	require.Equal(t, "bugfix/a#2", Record{Task: "bugfix", InstanceID: "a", Attempt: 2, Ended: time.Time{}}.slot().String())
}
