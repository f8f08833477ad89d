package card

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// published are the means of the paper's table 2: SWA-Bench, SWEE-Bench and
// SWE-Bench.
func published() map[Name][3]string {
	return map[Name][3]string{
		BaseFiles: {"899", "77", "1491"}, BaseLines: {"112k", "14.8k", "321k"},
		Words: {"240.2", "125.1", "181.3"}, ErrorMessages: {"0.20", "0.13", "0.19"}, CodeBlocks: {"1.53", "1.19", "1.06"},
		PassToPass: {"564.2", "226.6", "120.1"}, FailToPass: {"38.8", "38.1", "13.5"}, FailToFail: {"3.7", "1.4", "3.4"}, PassToFail: {"0.11", "0.03", "0.04"},
		TestFiles: {"1.89", "2.05", "1.52"}, TestLines: {"74.8", "91.5", "39.2"}, TestsAdded: {"9.10", "23.78", "6.37"}, TestsRemoved: {"16.77", "2.49", "0.54"},
		FixFiles: {"3.26", "3.26", "1.66"}, FixLines: {"104.3", "169.9", "41.0"},
	}
}

// titles are the characteristics for people.
func titles() map[Name]string {
	return map[Name]string{
		BaseFiles: "code files at base", BaseLines: "code lines at base",
		Words: "words of the statement", ErrorMessages: "error messages in it", CodeBlocks: "code blocks in it", GoldFileNames: "files of the fix that it names",
		GoldSubstring: "longest text that it shares with a line of the fix", GoldLines: "lines of the fix in it",
		PassToPass: "pass to pass", FailToPass: "fail to pass", FailToFail: "fail to fail", PassToFail: "pass to fail",
		TestFiles: "files of the test patch", TestLines: "edited lines of the test patch", TestsAdded: "tests added", TestsRemoved: "tests removed",
		FixFiles: "files of the fix", FixLines: "edited lines of the fix",
	}
}

// WriteText writes the card as Markdown.
func (c Card) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "# Dataset card\n\n%d instances of %d repositories.", c.Instances, len(c.Repositories))
	if c.Earliest != "" {
		fmt.Fprintf(b, " The changes are from %s to %s. A model that learnt from data up to a day may have seen the changes before that day, and their issues.", c.Earliest, c.Latest)
	}
	b.WriteString("\n")
	if c.Canary != "" {
		fmt.Fprintf(b, "\nThis dataset must not be used to train models. Every instance holds this text: `%s`\n", c.Canary)
	}
	c.writeFigures(b)
	counts := []struct {
		title, none string
		of          map[string]int
	}{
		{"Licence", "not known", c.Licences}, {"Source of the statement", "", c.Statements}, {"Environment by", "inference", c.Environments}, {"Month of the change", "", c.ByMonth},
	}
	for _, t := range counts {
		writeCounts(b, t.title, t.none, t.of)
	}
	fmt.Fprintf(b, "\n| | instances |\n|---|---|\n| with flaky tests (left out of all lists) | %d |\n| with names that a solution must have and the statement does not mention | %d |\n", c.Flaky, c.Unmentioned)
	b.WriteString("\n| Repository | language | licence | stars | instances |\n|---|---|---|---|---|\n")
	for _, r := range c.Repositories {
		stars := "-"
		if r.Stars > 0 {
			stars = strconv.Itoa(r.Stars)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %d |\n", cell(r.Name), cell(r.Language), cell(cmp.Or(r.Licence, "not known")), stars, r.Instances)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFigures has a row for each characteristic, with the means of each
// language and, last, those that the paper has.
func (c Card) writeFigures(b *strings.Builder) {
	if c.Instances == 0 {
		return
	}
	var rows []string
	for row := range c.Figures {
		if row != all {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows)
	rows = append([]string{all}, rows...)
	fmt.Fprintf(b, "\n| Mean (median for all) | %s | SWA-Bench | SWEE-Bench | SWE-Bench |\n|---|%s---|---|---|\n", strings.Join(rows, " | "), strings.Repeat("---|", len(rows)))
	said := titles()
	for _, name := range Names() {
		if _, ok := c.Figures[all][name]; !ok {
			continue
		}
		fmt.Fprintf(b, "| %s |", said[name])
		for _, row := range rows {
			f, ok := c.Figures[row][name]
			switch {
			case !ok:
				b.WriteString(" - |")
			case row == all:
				fmt.Fprintf(b, " %s (%s) |", number(f.Mean), number(f.Median))
			default:
				fmt.Fprintf(b, " %s |", number(f.Mean))
			}
		}
		for _, v := range published()[name] {
			fmt.Fprintf(b, " %s |", cmp.Or(v, "-"))
		}
		b.WriteString("\n")
	}
	b.WriteString("\nThe last three columns are those of Vergopoulos et al. (2025), table 2. They count the tests of whole suites, the others those of the files that the test patch touches. Distributions (CDF) are in card.json.\n")
}

// number has two decimals, or none where it is large or whole.
func number(v float64) string {
	if v == float64(int(v)) || v >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

func writeCounts(b *strings.Builder, title, none string, of map[string]int) {
	if len(of) == 0 {
		return
	}
	var keys []string
	for k := range of {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	fmt.Fprintf(b, "\n| %s | instances |\n|---|---|\n", title)
	for _, k := range keys {
		fmt.Fprintf(b, "| %s | %d |\n", cell(cmp.Or(strings.ReplaceAll(k, "_", " "), none)), of[k])
	}
}

// cell keeps a text from ending a table's cell.
func cell(s string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s) }
