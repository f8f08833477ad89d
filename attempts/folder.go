package attempts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/internal/atomicfile"
	"assay/internal/jsonl"
)

// The files of a run's folder, and of the folder of a try.
const (
	journalFile    = "attempts.jsonl"
	lockFile       = "lock.json"
	recordFile     = "attempt.json"
	exchangesFile  = "exchanges.jsonl"
	trajectoryFile = "trajectory.json"
	patchFile      = "patch.diff"
	promptFile     = "prompt.md"
	outputFile     = "output.log"
	leftOutFile    = "left_out.txt"
	stepsFile      = "steps.jsonl"
	ownFolder      = "agent" // the agent's own files
	tryMark        = ".try-"
)

// Folder is the folder of one agent's attempts with one model. A finished
// attempt is in attempts/KIND/TASK/N, other tries in attempts/KIND/TASK/N.try-T.
// One process has it open at a time.
type Folder struct {
	Dir string

	journal *jsonl.File
	mu      sync.Mutex
	done    map[slot]Record
	present map[slot]string // the keys of attempts with the input of this call
	spent   float64         // by all tries, in dollars
}

// Identity is what all attempts of a folder share.
type Identity struct {
	Agent string `json:"agent"`
	Model string `json:"model,omitempty"`
}

// OpenFolder makes or reopens a folder. Tries of a process that was killed are
// closed: what they spent is counted, and what one had finished is kept. A
// folder with the attempts of another agent or model is an error.
func OpenFolder(dir string, who Identity) (*Folder, error) {
	f := &Folder{Dir: dir, done: map[slot]Record{}, present: map[slot]string{}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := f.claim(who); err != nil {
		return nil, err
	}
	var err error
	f.journal, err = jsonl.Open(f.path(journalFile), func(_ jsonl.Line, text []byte) error {
		var r Record
		if json.Unmarshal(text, &r) == nil && r.Key != "" && r.Finished {
			f.done[r.slot()] = r
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", f.path(journalFile), err)
	}
	if err := f.scan(); err != nil {
		return nil, errors.Join(err, f.journal.Close())
	}
	return f, nil
}

// claim notes whose folder it is, or checks it.
func (f *Folder) claim(who Identity) error {
	data, err := os.ReadFile(f.path(lockFile))
	if errors.Is(err, fs.ErrNotExist) {
		return f.writeJSON(f.path(lockFile), who)
	}
	var before Identity
	if err == nil {
		err = json.Unmarshal(data, &before)
	}
	switch {
	case err != nil:
		return fmt.Errorf("reading %s: %w", f.path(lockFile), err)
	case before != who:
		return fmt.Errorf("%s holds attempts of %s, not of %s: choose another folder with -o", f.Dir, before, who)
	}
	return nil
}

// String names agent and model.
func (w Identity) String() string {
	if w.Model == "" {
		return w.Agent
	}
	return w.Agent + " with " + w.Model
}

// Repaired describes what was repaired when the folder was opened; empty if
// nothing was.
func (f *Folder) Repaired() string { return f.journal.Note() }

// Close closes the journal.
func (f *Folder) Close() error { return f.journal.Close() }

// Spent is what all tries have spent, in dollars, also those that were cut.
func (f *Folder) Spent() float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.spent
}

// Left is what remains of a budget, in dollars. It is 0 for a budget of 0, which
// means no limit, and close to 0 for one that is spent.
func (f *Folder) Left(budget float64) float64 {
	if budget <= 0 {
		return 0
	}
	return max(budget-f.Spent(), 1e-12)
}

// Records lists the finished attempts: the newest of each place, sorted by
// kind, task and number.
func (f *Folder) Records() []Record {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []Record
	for _, r := range f.done {
		out = append(out, r)
	}
	slices.SortFunc(out, compareRecords)
	return out
}

// Current lists the finished attempts as Records does, without those of another
// input than the Runner's at their places; stale is how many these are. The input
// of tasks that the Runner was not given is not known: their attempts are listed.
func (f *Folder) Current() (current []Record, stale int) {
	all := f.Records()
	f.mu.Lock()
	defer f.mu.Unlock()
	current = slices.DeleteFunc(slices.Clone(all), func(r Record) bool {
		key, known := f.present[r.slot()]
		return known && key != r.Key
	})
	return current, len(all) - len(current)
}

// expect notes the key that an attempt has with the input of this call.
func (f *Folder) expect(s slot, key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.present[s] = key
}

// last is the highest number of an attempt.
func (f *Folder) last() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for s := range f.done {
		n = max(n, s.attempt)
	}
	return n
}

// finished returns the attempt of a place, if it is of the same input.
func (f *Folder) finished(s slot, key string) (Record, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, ok := f.done[s]
	return r, ok && r.Key == key
}

func (f *Folder) path(name string) string { return filepath.Join(f.Dir, name) }

// place is the folder of a finished attempt, relative to the run's.
func (s slot) place() string {
	return filepath.Join("attempts", s.task, s.name, strconv.Itoa(s.attempt))
}

// begin makes the folder of a new try and returns it, relative to the run's
// folder, with the number of the try.
func (f *Folder) begin(s slot) (dir string, try int, err error) {
	if err := os.MkdirAll(filepath.Dir(f.path(s.place())), 0o755); err != nil {
		return "", 0, err
	}
	for try = 1; ; try++ {
		dir = s.place() + tryMark + strconv.Itoa(try)
		err := os.Mkdir(f.path(dir), 0o755)
		if !errors.Is(err, fs.ErrExist) {
			return dir, try, err
		}
	}
}

// end keeps the record of a try and counts what it spent. A finished attempt
// takes its place; one of other input that is there becomes a try.
func (f *Folder) end(r Record) (Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spent += r.CostUSD
	kept := r
	if r.Finished {
		kept.Dir = r.slot().place() // where it is about to go
	}
	if err := f.writeJSON(filepath.Join(f.path(r.Dir), recordFile), kept); err != nil || !r.Finished {
		return r, err
	}
	return f.settle(r)
}

// settle gives a finished attempt its place, and adds it to the journal.
func (f *Folder) settle(r Record) (Record, error) {
	place := r.slot().place()
	if r.Dir != place {
		if err := f.makeRoom(place); err != nil {
			return r, err
		}
		if err := os.Rename(f.path(r.Dir), f.path(place)); err != nil {
			return r, err
		}
		r.Dir = place
	}
	text, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	if _, err := f.journal.Append(text); err != nil {
		return r, err
	}
	f.done[r.slot()] = r
	return r, f.journal.Sync()
}

// makeRoom makes a try of the attempt that is at a place.
func (f *Folder) makeRoom(place string) error {
	for try := 1; ; try++ {
		_, err := os.Lstat(f.path(place + tryMark + strconv.Itoa(try)))
		if errors.Is(err, fs.ErrNotExist) {
			err = os.Rename(f.path(place), f.path(place+tryMark+strconv.Itoa(try)))
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		if err != nil {
			return err
		}
	}
}

func (f *Folder) writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(data, '\n'), atomicfile.Options{Mode: 0o644, Sync: true})
}

// scan reads the folders of all tries.
func (f *Folder) scan() error {
	dirs, err := fs.Glob(os.DirFS(f.Dir), "attempts/*/*/*")
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		dir = filepath.FromSlash(dir)
		if s, ok := slotOf(dir); ok {
			if err := f.adopt(s, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// slotOf reads the name of a try's folder.
func slotOf(dir string) (slot, bool) {
	name := filepath.Dir(dir)
	number, _, _ := strings.Cut(filepath.Base(dir), tryMark)
	n, err := strconv.Atoi(number)
	return slot{filepath.Base(filepath.Dir(name)), filepath.Base(name), n}, err == nil && n > 0
}

// adopt counts a try of an earlier process. One without a record was killed.
func (f *Folder) adopt(s slot, dir string) error {
	var r Record
	data, err := os.ReadFile(filepath.Join(f.path(dir), recordFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if r, err = f.killed(s, dir); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		if err := json.Unmarshal(data, &r); err != nil {
			return fmt.Errorf("reading %s: %w", filepath.Join(f.path(dir), recordFile), err)
		}
	}
	f.spent += r.CostUSD
	// A finished one that the journal lacks: assay was killed between the two. Its
	// key may be that of the one before, which was to be made again. One that is
	// older than the journal's was superseded.
	have, known := f.done[s]
	if r.Finished && (!known || r.Ended.After(have.Ended)) {
		r.Dir = dir
		_, err = f.settle(r)
		return err
	}
	return nil
}

// killed writes the record of a try whose process left none.
func (f *Folder) killed(s slot, dir string) (Record, error) {
	sum, err := tallyFile(filepath.Join(f.path(dir), exchangesFile))
	if err != nil {
		return Record{}, err
	}
	r := Record{
		Task: s.task, InstanceID: s.name, Attempt: s.attempt, End: Killed, Dir: dir, Calls: sum.calls,
		CostUSD: sum.usd, Estimated: sum.estimated, Tokens: sum.tokens, Ended: time.Now().UTC(),
	}
	return r, f.writeJSON(filepath.Join(f.path(dir), recordFile), r)
}
