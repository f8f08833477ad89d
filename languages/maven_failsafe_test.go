package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

const (
	failsafeGoals = "<executions><execution><goals><goal>integration-test</goal></goals></execution></executions>"
	failsafe      = "<plugin><artifactId>maven-failsafe-plugin</artifactId>" + failsafeGoals + "</plugin>"
)

func TestMavenSplit(t *testing.T) {
	build := func(plugins string) string { return "<build><plugins>" + plugins + "</plugins></build>" }
	managed := "<build><pluginManagement><plugins>" + failsafe + "</plugins></pluginManagement></build>"
	for name, c := range map[string]struct {
		class, root, web string
		want             bool
	}{
		"by the module's own build":    {"AIT", "", build(failsafe), true},
		"by the parent's":              {"AITCase", build(failsafe), "", true},
		"the name in front":            {"ITA", "", build(failsafe), true},
		"a unit test":                  {"ATest", "", build(failsafe), false},
		"a word that begins so":        {"ItemTest", "", build(failsafe), false},
		"nobody runs it":               {"AIT", "", "", false},
		"only managed":                 {"AIT", managed, "", false},
		"managed and named":            {"AIT", managed, build("<plugin><artifactId>maven-failsafe-plugin</artifactId></plugin>"), true},
		"without the goal":             {"AIT", "", build("<plugin><artifactId>maven-failsafe-plugin</artifactId></plugin>"), false},
		"Surefire takes it":            {"AIT", "", build(failsafe + "<plugin><artifactId>maven-surefire-plugin</artifactId><configuration><includes><include>**/*IT.java</include></includes></configuration></plugin>"), false},
		"in a profile that is asleep":  {"AIT", "", "<profiles><profile><id>it</id>" + build(failsafe) + "</profile></profiles>", false},
		"in a profile that is default": {"AIT", "", "<profiles><profile><activation><activeByDefault>true</activeByDefault></activation>" + build(failsafe) + "</profile></profiles>", true},
	} {
		t.Run(name, func(t *testing.T) {
			repo := family()
			repo["pom.xml"] = strings.Replace(repo["pom.xml"], "</project>", c.root+"</project>", 1)
			repo["web/pom.xml"] = strings.Replace(repo["web/pom.xml"], "</project>", c.web+"</project>", 1)
			file := "web/src/test/java/com/x/" + c.class + ".java"
			repo[file] = jupiterTest(c.class)
			unit, integration := mavenSplit(bench.Env{Framework: "maven", JDK: "17"}, Suite{Repo: repo, Files: []string{file}})
			if c.want {
				unit, integration = integration, unit
			}
			require.Equal(t, []string{"com.x." + c.class}, unit)
			require.Empty(t, integration)
		})
	}
}

func TestFailsafeCommand(t *testing.T) {
	repo := javaRepo{"pom.xml": pom("a", "<build><plugins>"+failsafe+"</plugins></build>")}
	repo["src/test/java/com/x/AIT.java"], repo["src/test/java/com/x/ATest.java"] = jupiterTest("AIT"), jupiterTest("ATest")
	s := Suite{Repo: repo, Files: []string{"src/test/java/com/x/AIT.java"}, Nonce: "n0123456789"}
	env := bench.Env{Framework: "maven", JDK: "17"}
	c := javaLanguage{}.Command(env, s)
	require.Contains(t, c.Script, "'-Dtest=assay.NoUnitTest' '-Dit.test=com.x.AIT,com.x.AIT$*'")
	require.Contains(t, c.Script, " 'verify'\n")
	require.Contains(t, c.Reports, "/testbed/**/target/failsafe-reports/TEST-*.xml")
	require.True(t, c.FailuresIgnored)
	warm := javaLanguage{}.Warm(env, s)
	require.Contains(t, warm, "'-Dtest=com.x.ATest' '-Dmaven.test.failure.ignore=true' '-Dit.test=com.x.AIT,com.x.AIT$*'")
	require.Contains(t, warm, " 'verify' || exit\n")

	s.Files = []string{"src/test/java/com/x/ATest.java"}
	c = javaLanguage{}.Command(env, s)
	require.Contains(t, c.Script, " 'test'\n")
	require.False(t, c.FailuresIgnored)
}
