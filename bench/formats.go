package bench

import (
	"fmt"
	"slices"
	"strings"
)

// The formats that instances are read from, as Provenance.Format names them.
// A record with a language or an env is assay's own and gets none.
const (
	FormatSWEBench      = "swe-bench"       // up to 4.x
	FormatSWEBench5     = "swe-bench-5"     // 5.x: image, eval_script, log_parser, eval_type
	FormatSWEBenchLive  = "swe-bench-live"  // docker_image, test_cmds, log_parser
	FormatSWERebench    = "swe-rebench"     // install_config, docker_image
	FormatMultiSWEBench = "multi-swe-bench" // org, repo, number, base, fix_patch
	FormatOmniCode      = "omnicode"        // SWE-bench's with pull_number and bad_patches
)

// formatOf recognises a record's format by the names of its fields. An
// instance that was read before has its format in its provenance.
func formatOf(r *record) string {
	any := func(names ...string) bool { return slices.ContainsFunc(names, r.has) }
	switch {
	case any("provenance"):
		return ""
	case any("org") && any("number"):
		return FormatMultiSWEBench
	case any("install_config"):
		return FormatSWERebench
	case any("docker_image", "image_name"):
		return FormatSWEBenchLive
	case any("eval_script", "eval_type"):
		return FormatSWEBench5
	case any("env", "good_variants", "language"):
		return ""
	case any("pull_number", "issue_numbers", "bad_patches", "bad_patch", "style_review"):
		return FormatOmniCode
	}
	return FormatSWEBench
}

// fromMultiSWEBench fills in from a record of Multi-SWE-bench. The fields
// that were copied as they are leave the record, the others stay for Extra:
// the maps of tests say more than the two lists made of them.
func (r *record) fromMultiSWEBench(in *Instance) {
	org, repo := r.peekText("org"), r.text("repo", "a repository's name")
	in.Repo = repo
	if !strings.Contains(repo, "/") {
		in.Repo = org + "/" + repo
	}
	_, name, _ := strings.Cut(in.Repo, "/")
	in.ID = fmt.Sprintf("%s__%s-%s", org, name, r.peekText("number"))
	in.BaseCommit = r.baseSHA()
	in.Patch = r.text("fix_patch", expectedDiff)
	in.HintsText = r.text("hints", "a string or null")
	in.Language = r.text("lang", r.languages.expected())
	in.FailToPass = r.testNames("f2p_tests", "s2p_tests", "n2p_tests")
	in.PassToPass = r.testNames("p2p_tests")
	in.Provenance = &Provenance{Format: FormatMultiSWEBench}
	in.ProblemStatement = r.issues()
	if in.ProblemStatement == "" {
		in.ProblemStatement = join(r.peekText("title"), r.peekText("body"))
		in.Provenance.Notes = "problem statement from the pull request: no issue is recorded"
	}
}

// peekText returns the text of a field, or a number's digits, and leaves it.
func (r *record) peekText(name string) string {
	raw := r.fields[name]
	if isNumber(raw) {
		return string(raw)
	}
	text, err := unquote(raw)
	if err != nil {
		return ""
	}
	return text
}

// baseSHA returns the commit in base{label, ref, sha}.
func (r *record) baseSHA() string {
	raw, ok := r.fields["base"]
	if !ok {
		return ""
	}
	base, wrong := newRecord(raw, "base")
	if wrong != nil {
		r.errs = append(r.errs, wrong)
		return ""
	}
	sha := base.text("sha", expectedCommit)
	r.errs = append(r.errs, base.errs...)
	return sha
}

// testNames returns the sorted names of the tests in some maps of name to
// outcomes. Parquet makes a column of every name, so that a test of another
// record is null; and some publish lists, the names among them, in the map's
// place.
func (r *record) testNames(fields ...string) TestIDs {
	var ids TestIDs
	for _, field := range fields {
		if !r.has(field) {
			continue
		}
		tests, wrong := newRecord(r.fields[field], field)
		if wrong != nil {
			r.errs = append(r.errs, wrong)
			continue
		}
		if names := tests.fields["name"]; len(names) > 0 && names[0] == '[' {
			ids = append(ids, tests.tests("name")...)
			r.errs = append(r.errs, tests.errs...)
			continue
		}
		for _, name := range sortedKeys(tests.fields) {
			if tests.has(name) {
				ids = append(ids, name)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// issues returns titles and bodies of the issues that a change resolves.
func (r *record) issues() string {
	if !r.has("resolved_issues") {
		return ""
	}
	raw := r.fields["resolved_issues"]
	if raw[0] != '[' {
		r.fail("resolved_issues", "a list of objects", raw)
		return ""
	}
	var texts []string
	for i, element := range elements(raw) {
		issue, wrong := newRecord(element, fmt.Sprintf("resolved_issues[%d]", i))
		if wrong != nil {
			r.errs = append(r.errs, wrong)
			continue
		}
		texts = append(texts, join(issue.peekText("title"), issue.peekText("body")))
	}
	return strings.Join(texts, "\n\n")
}

// join puts a title above its body, as SWE-bench's statements do.
func join(title, body string) string {
	return strings.Trim(title+"\n"+body, "\n")
}
