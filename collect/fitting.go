package collect

import (
	"context"
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages"
)

// Cause is the cause of a failure, as a model sees it.
type Cause string

// The causes: SetUpAgent's, with its "Python" for every tool chain.
const (
	CauseToolChain   Cause = "tool_chain"
	CauseInstall     Cause = "installation"
	CauseTesting     Cause = "testing"
	CauseUndecidable Cause = "undecidable"
)

// Document is a file that may describe how a project is built and tested.
type Document struct{ Path, Text string }

// Site is what a model gets to know of an instance that inference could not set
// up.
type Site struct {
	Instance  *bench.Instance
	Documents []Document
	// Inferred is what inference chose; nil where it chose nothing. Failure is
	// how it ended.
	Inferred *bench.Env
	Failure  string
}

// Fitter makes recipes. Errors end all work; a model that has no useful answer
// gives an empty recipe, an undecidable cause, or no change.
type Fitter interface {
	Name() string
	// Extract reads a first recipe out of the documents.
	Extract(ctx context.Context, s Site) (Recipe, error)
	// Diagnose names the cause of a failure, and Repair changes the part of the
	// recipe that the cause is in.
	Diagnose(ctx context.Context, s Site, r Recipe, failure string) (cause Cause, reasoning string, err error)
	Repair(ctx context.Context, s Site, r Recipe, c Cause, reasoning, failure string) (changed Recipe, ok bool, err error)
}

// maxRepairs is how often a model may repair a recipe.
const maxRepairs = 4

// Try is an environment that was tried after inference had failed.
type Try struct {
	By string `json:"by"` // "neighbour ID", or "model NAME"
	// Recipe is the model's. Cause is what it named as the cause of the failure.
	Recipe  *Recipe `json:"recipe,omitempty"`
	Cause   Cause   `json:"cause,omitempty"`
	Failure string  `json:"failure,omitempty"` // its end; "" where there was none
}

// fitted is an environment that works, or how the last one failed.
type fitted struct {
	env     *bench.Env
	bed     *languages.Testbed
	name    string // by which the executor has it
	failure string
}

// attempt sets an instance up with an env and runs gold in it.
func (v Validator) attempt(ctx context.Context, inst *bench.Instance, env *bench.Env) (fitted, error) {
	f := fitted{env: env}
	if inst.Env != nil { // its commands and reports of tests are kept
		env.Test, env.Reports = inst.Env.Test, inst.Env.Reports
	}
	trial := *inst
	trial.Env = env
	var err error
	if f.bed, err = v.Judge.Machine.Open(ctx, &trial); err != nil {
		f.failure = err.Error()
		return f, machineError(ctx, err)
	}
	if f.name, err = f.bed.Prepare(ctx); err != nil {
		f.failure = failureText(err)
		return f, machineError(ctx, err)
	}
	f.failure, err = v.trial(ctx, &trial, f.bed)
	return f, err
}

// failureText is how a set-up ended, for a model.
func failureText(err error) string {
	var build *harness.BuildError
	if !errors.As(err, &build) {
		return err.Error()
	}
	text := lastLines(string(build.Result.Output.Tail), string(build.Result.Output.Head), 4000)
	if text == "" {
		text = "The set-up failed and printed nothing." // "" would mean that it works
	}
	if build.Result.End != harness.Exited {
		text += "\nThe set-up was ended: " + string(build.Result.End)
	}
	return text
}

// fit has a model make an environment: it reads a recipe out of the documents,
// and while that fails names the cause and repairs the part that it is in, at
// most four times.
func (v Validator) fit(ctx context.Context, s Source, part Part, up SetUp, failure string) (fitted, []Try, error) {
	site, err := s.site(ctx, part.Instance, up, failure)
	if err != nil {
		return fitted{}, nil, err
	}
	recipe, err := v.Fitter.Extract(ctx, site)
	if err != nil {
		return fitted{}, nil, err
	}
	by := "model " + v.Fitter.Name()
	var tries []Try
	for repairs := 0; ; repairs++ {
		now := recipe
		found, err := v.cook(ctx, part.Instance, now, failure)
		if err != nil {
			return found, tries, err
		}
		try := Try{By: by, Recipe: &now, Failure: tail(found.failure, 600)}
		if found.failure == "" || repairs == maxRepairs {
			return found, append(tries, try), nil
		}
		var why string
		try.Cause, why, err = v.Fitter.Diagnose(ctx, site, now, found.failure)
		tries = append(tries, try)
		if err != nil || try.Cause == CauseUndecidable {
			return found, tries, err
		}
		ok := false
		if recipe, ok, err = v.Fitter.Repair(ctx, site, now, try.Cause, why, found.failure); err != nil || !ok {
			return found, tries, err
		}
	}
}

// cook tries a recipe. An empty one is what inference did, and has failed.
func (v Validator) cook(ctx context.Context, inst *bench.Instance, r Recipe, before string) (fitted, error) {
	if isEmpty(r) {
		return fitted{failure: before}, nil
	}
	env, err := r.env(ctx, v.Judge.Machine, inst)
	if err != nil {
		return fitted{}, err
	}
	return v.attempt(ctx, inst, env)
}

func isEmpty(r Recipe) bool {
	text, err := json.Marshal(r)
	return err == nil && string(text) == "{}"
}

// site collects what a model is shown.
func (s Source) site(ctx context.Context, inst *bench.Instance, up SetUp, failure string) (Site, error) {
	tree, err := s.Repo.Tree(ctx, inst.BaseCommit)
	if err != nil {
		return Site{}, err
	}
	site := Site{Instance: inst, Inferred: up.Env, Failure: failure}
	left := mostDocuments
	for _, p := range documentPaths(tree.Paths()) {
		e, err := tree.Read(p)
		if err != nil || left <= 0 {
			continue // not in the mirror, or enough
		}
		text := string(e.Data[:min(len(e.Data), mostDocument, left)])
		left -= len(text)
		site.Documents = append(site.Documents, Document{p, strings.ToValidUTF8(text, "\uFFFD")})
	}
	return site, nil
}

// Bounds of the documents, in bytes.
const (
	mostDocument  = 6000
	mostDocuments = 48000
)

// documentForms are the files that describe how a project is built and tested,
// from the most to the least useful: what CI does, build files, texts.
func documentForms() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`^(?:\.github/workflows/[^/]+\.ya?ml|\.travis\.yml|\.gitlab-ci\.yml|\.circleci/config\.yml|azure-pipelines\.ya?ml|\.?appveyor\.yml|\.cirrus\.yml|jenkinsfile)$`),
		regexp.MustCompile(`^(?:tox\.ini|noxfile\.py|pyproject\.toml|setup\.cfg|setup\.py|(?:[\w-]*requirements[\w-]*)\.txt|environment\.ya?ml|cmakelists\.txt|meson\.build|configure\.ac|makefile|gnumakefile|dockerfile|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|pom\.xml|build\.xml|vcpkg\.json|conanfile\.(?:txt|py))$`),
		regexp.MustCompile(`^(?:docs?/)?(?:readme|contributing|install(?:ation)?|building|build|hacking|develop(?:ment|ing)?|testing)(?:\.\w+)?$`),
		regexp.MustCompile(`^(?:\.github/contributing\.md|docs?/(?:[\w-]+/)?[\w-]*(?:install|contribut|develop|build|test)[\w-]*\.(?:md|rst|txt))$`),
		regexp.MustCompile(`^[\w-]+/(?:cmakelists\.txt|dockerfile|requirements[\w-]*\.txt|install[\w-]*\.sh)$`),
	}
}

// documentPaths are the documents among paths, in the order of their forms.
func documentPaths(paths []string) []string {
	var out []string
	for _, form := range documentForms() {
		var some []string
		for _, p := range paths {
			if form.MatchString(strings.ToLower(p)) && !slices.Contains(out, p) {
				some = append(some, p)
			}
		}
		slices.SortFunc(some, func(a, b string) int {
			if d := strings.Count(a, "/") - strings.Count(b, "/"); d != 0 {
				return d
			}
			return strings.Compare(path.Base(a)+a, path.Base(b)+b)
		})
		out = append(out, some...)
	}
	return out
}
