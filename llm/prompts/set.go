// Package prompts holds what is said to language models, as text/template
// files that a user can replace. It knows nothing of models.
package prompts

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"text/template"
)

//go:embed templates/*.tmpl
var embedded embed.FS

const extension = ".tmpl"

// Set is a set of prompts. It is not changed after Load, and safe for
// concurrent use.
type Set struct {
	templates map[string]*template.Template
	texts     map[string]string
}

// Names returns the names of all prompts, sorted.
func Names() []string { return slices.Sorted(maps.Keys(samples())) }

// Load returns the embedded prompts, those replaced that a file of dir has;
// an empty dir replaces none, and "swt:NAME" stands for one of Variants. Files are NAME.tmpl, in text/template's
// language, over the prompt's data. Another name in dir (except for hidden
// files), a template that does not parse or one that uses a field which the
// data do not have is an error, with file and line. Templates can call no
// functions beyond text/template's own.
func Load(dir string) (Set, error) {
	s := Set{templates: map[string]*template.Template{}, texts: map[string]string{}}
	for _, name := range Names() {
		text, err := embedded.ReadFile("templates/" + name + extension)
		if err != nil {
			return Set{}, fmt.Errorf("embedded prompt: %w", err)
		}
		if err := s.add(name, name+extension, string(text)); err != nil {
			return Set{}, err
		}
	}
	if dir == "" {
		return s, nil
	}
	if name, ok := strings.CutPrefix(dir, variantPrefix); ok {
		files, err := variant(name)
		if err != nil {
			return s, err
		}
		return s, s.replace(files, dir)
	}
	return s, s.replace(os.DirFS(dir), dir)
}

// replace reads the files of a folder; dir is how errors call it.
func (s Set) replace(files fs.FS, dir string) error {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return fmt.Errorf("reading prompts of %s: %w", dir, err)
	}
	var errs []error
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), ".") {
			errs = append(errs, s.replaceOne(files, filepath.Join(dir, entry.Name())))
		}
	}
	return errors.Join(errs...)
}

func (s Set) replaceOne(files fs.FS, file string) error {
	name, isTemplate := strings.CutSuffix(filepath.Base(file), extension)
	if _, known := s.texts[name]; !known || !isTemplate {
		return fmt.Errorf("prompt file %s: no prompt has that name; there are %s%s", file, strings.Join(Names(), extension+", "), extension)
	}
	text, err := fs.ReadFile(files, filepath.Base(file))
	if err != nil {
		return fmt.Errorf("reading prompts: %w", err)
	}
	return s.add(name, file, string(text))
}

// add parses and tries a template; file is how errors call it.
func (s Set) add(name, file, text string) error {
	t, err := template.New(file).Parse(text)
	if err != nil {
		return fmt.Errorf("prompt: %w", err)
	}
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("prompt %s is empty", file)
	}
	if err := try(t, samples()[name]); err != nil {
		return fmt.Errorf("prompt: %w", err)
	}
	s.templates[name], s.texts[name] = t, text
	return nil
}

// Render fills a prompt. The data must be of the type that belongs to the name.
func (s Set) Render(name string, data any) (string, error) {
	t, known := s.templates[name]
	if !known {
		return "", fmt.Errorf("no prompt %q: %w", name, fs.ErrNotExist)
	}
	if want := reflect.TypeOf(samples()[name]); reflect.TypeOf(data) != want {
		return "", fmt.Errorf("prompt %s: got %T, want %s", name, data, want)
	}
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return "", fmt.Errorf("prompt: %w", err)
	}
	return strings.TrimSpace(b.String()) + "\n", nil
}

// Only is the set with some of its prompts.
func (s Set) Only(names ...string) Set {
	out := Set{templates: map[string]*template.Template{}, texts: map[string]string{}}
	for _, name := range names {
		if t, known := s.templates[name]; known {
			out.templates[name], out.texts[name] = t, s.texts[name]
		}
	}
	return out
}

// Empty reports whether a set was never loaded.
func (s Set) Empty() bool { return len(s.texts) == 0 }

// DigestOf identifies the text of one prompt.
func (s Set) DigestOf(name string) string {
	sum := sha256.Sum256([]byte(s.texts[name]))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Digest identifies the texts of the whole set: "sha256:" and hexadecimal.
func (s Set) Digest() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s.texts)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(s.texts[name]), s.texts[name])
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
