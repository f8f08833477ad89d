package languages

import (
	"fmt"
	"path"
	"strings"

	"assay/harness"
	"assay/languages/reports"
)

// pythonVars are the assignments before it that our reporter reads.
func pythonVars(report, selected, lib string) string {
	var vars strings.Builder
	fmt.Fprintf(&vars, "%s=%s %s=%s ", reports.ReportVariable, quote(report), reports.KeyVariable, quote(report+".key"))
	if selected != "" {
		fmt.Fprintf(&vars, "%s=%s ", reports.SelectVariable, quote(selected))
	}
	if lib != "" {
		fmt.Fprintf(&vars, `PYTHONPATH=%s"${PYTHONPATH:+:$PYTHONPATH}" `, quote(lib))
	}
	return vars.String()
}

// pythonCommand makes of a shell that starts pytest with our reporter a command
// with a second start for the nonce tests. written are copies for the first.
func pythonCommand(c Command, suite Suite, nonce *pythonNonceFile, written *writtenCopies, run func(report, selected string, files []string) string) Command {
	c.Format = reports.PytestJSON
	// Plugins set the exit code by rules of their own (coverage below a
	// limit); the sealed report describes what passed.
	c.OtherFailures = true
	// The two reports' names do not show which is which.
	report := suite.reports() + "/" + suite.key("tests")[:16]
	c.Key = suite.key(report)
	c.Files = append(c.Files, harness.File{Path: report + ".key", Data: []byte(c.Key), Mode: 0o600})
	selected := ""
	if len(suite.Select) > 0 {
		selected = suite.dir() + "/select.json"
		c.Files = append(c.Files, harness.File{Path: selected, Data: jsonList(suite.Select)})
	}
	if nonce == nil {
		written = nil
	}
	c.Files = append(c.Files, written.put()...)
	c.Script = pickPython + reinstall(suite) + written.script() + run(report, selected, suite.Files)
	c.Reports = []string{report}
	if nonce == nil {
		return c
	}
	nonceReport := suite.reports() + "/" + suite.key("nonce")[:16]
	nonceKey := suite.key(nonceReport)
	c.Nonce = &Nonce{
		Script: run(nonceReport, "", []string{nonce.path}),
		Key:    nonceKey,
		Files: []harness.File{
			{Path: path.Join(suite.root(), nonce.path), Data: []byte(nonce.text)},
			{Path: nonceReport + ".key", Data: []byte(nonceKey), Mode: 0o600},
		},
		Reports: []string{nonceReport},
		Format:  reports.PytestJSON,
		Pass:    nonce.pass,
		Fail:    nonce.fail,
		More:    nonce.more,
		Copies:  written.all(),
	}
	return c
}
