package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestMavenVersion(t *testing.T) {
	rule := func(v string) string {
		return "<build><plugins><plugin><artifactId>maven-enforcer-plugin</artifactId><configuration><rules><requireMavenVersion>\n<version>" + v + "</version></requireMavenVersion></rules></configuration></plugin></plugins></build>"
	}
	wrapper := func(v string) string {
		return "# x\ndistributionUrl=https://host/maven2/org/apache/maven/apache-maven/" + v + "/apache-maven-" + v + "-bin.zip\n"
	}
	for name, c := range map[string]struct {
		body, wrapper string
		want, file    string
		line          int
	}{
		"nothing":                      {"", "", "", "", 0},
		"the system's will do":         {rule("3.6.3"), wrapper("3.9.9"), "", "", 0},
		"a newer one":                  {rule("3.9.6"), "", "3.9.6", "pom.xml", 5},
		"a range, by a property":       {"<properties><m>3.9</m></properties>" + rule("[${m},)"), "", "3.9.9", "pom.xml", 5},
		"the wrapper's satisfies it":   {rule("[3.9.0,)"), wrapper("3.9.7"), "3.9.7", "pom.xml", 5},
		"the wrapper's is too old":     {rule("3.9.8"), wrapper("3.9.7"), "3.9.8", "pom.xml", 5},
		"a prerequisite":               {"<prerequisites>\n<maven>3.8.8</maven></prerequisites>", "", "3.8.8", "pom.xml", 5},
		"the next major version":       {"", wrapper("4.0.0-rc-4"), "4.0.0-rc-4", mavenWrapper, 2},
		"a wrapper is no demand":       {"", wrapper("3.9.9"), "", "", 0},
		"a rule of a profile does not": {"<profiles><profile>" + rule("3.9.9") + "</profile></profiles>", "", "", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			repo := javaRepo{"pom.xml": pom("a", c.body), mavenWrapper: c.wrapper}
			version, at := mavenWanted(readReactor(repo, 0), repo)
			require.Equal(t, c.want, version)
			require.Equal(t, c.file, at.file)
			require.Equal(t, c.line, at.line)
		})
	}
	repo := javaRepo{"pom.xml": strings.Replace(pom("a", ""), "4.0.0", "4.1.0", 1)}
	env, why, err := javaLanguage{}.Defaults(bench.Env{}, Facts{Repo: repo})
	require.NoError(t, err)
	require.Equal(t, "assay_maven '4.0.0-rc-4'", env.Dependencies[len(env.Dependencies)-1])
	require.Contains(t, why, bench.Decision{Field: "dependencies", Value: "Maven 4.0.0-rc-4", Why: "a model of Maven 4 asks for 4.0.0-rc-4", File: "pom.xml", Line: 2})
	own, _, err := javaLanguage{}.Defaults(bench.Env{Packages: []string{"mine"}}, Facts{Repo: repo})
	require.NoError(t, err)
	require.NotContains(t, strings.Join(own.Dependencies, " "), "assay_maven", "env's own packages are all that there is")
}
