package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestPackagedProjects(t *testing.T) {
	plugin := func(body string) string {
		return "<build><plugins><plugin><artifactId>protobuf-maven-plugin</artifactId>" + body + "</plugin></plugins></build>"
	}
	dependency := func(body string) string {
		return "<dependencies><dependency><groupId>g</groupId><artifactId>tool</artifactId>" + body + "</dependency></dependencies>"
	}
	named := "<groupId>${project.groupId}</groupId><artifactId>tool</artifactId>"
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"nothing":                     {"", []string{}},
		"a dependency on classes":     {dependency(""), []string{}},
		"its tests":                   {dependency("<type>test-jar</type>") + dependency("<classifier>tests</classifier>"), []string{}},
		"another kind of file":        {dependency("<type>zip</type>"), []string{"tool"}},
		"another file":                {dependency("<classifier>shaded</classifier>"), []string{"tool"}},
		"only spoken of":              {"<dependencyManagement>" + dependency("<type>zip</type>") + "</dependencyManagement>", []string{}},
		"the plugin's configuration":  {plugin("<configuration><protocPlugins><protocPlugin><id>x</id>" + named + "<version>${project.parent.version}</version></protocPlugin></protocPlugins></configuration>"), []string{"tool"}},
		"a release of the project":    {plugin("<configuration><protocPlugin>" + named + "<version>0.9</version></protocPlugin></configuration>"), []string{}},
		"coordinates in one text":     {plugin("<configuration><pluginArtifact>g:tool:1:exe:linux</pluginArtifact></configuration>"), []string{"tool"}},
		"an exclusion":                {plugin("<configuration><excludes><exclude>g:tool:1</exclude></excludes></configuration>"), []string{}},
		"an extension of the build":   {"<build><extensions><extension>" + named + "</extension></extensions></build>", []string{"tool"}},
		"a plugin that is a project":  {"<build><plugins><plugin>" + named + "</plugin></plugins></build>", []string{}},
		"a plugin with extensions":    {"<build><plugins><plugin>" + named + "<extensions>true</extensions></plugin></plugins></build>", []string{"tool"}},
		"somebody else's, of a group": {plugin("<configuration><path><groupId>h</groupId><artifactId>tool</artifactId></path></configuration>"), []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			repo := family()
			repo["web/pom.xml"] = strings.Replace(repo["web/pom.xml"], "</project>", c.body+"</project>", 1)
			r := readReactor(repo, 17)
			require.Equal(t, c.want, r.packaged([]*mavenModule{r.byDir["web"]}))
		})
	}
}

// packaging is a family in which web's build reads tool as a file.
func packaging() javaRepo {
	repo := family()
	repo["web/pom.xml"] = strings.Replace(repo["web/pom.xml"], "</project>",
		"<build><plugins><plugin><artifactId>p</artifactId><configuration><path><groupId>g</groupId><artifactId>tool</artifactId></path></configuration></plugin></plugins></build></project>", 1)
	return repo
}

func TestPackagedAtSetup(t *testing.T) {
	env := bench.Env{Framework: "maven", JDK: "17", Args: []string{"-Dx"}, Modules: []string{"web"}}
	s := Suite{Files: []string{"web/src/test/kotlin/com/x/WebTest.kt"}, Repo: packaging(), Nonce: "warm"}
	install := "'-B' '-nsu' '-DskipTests' '-Dmaven.install.skip=false' '-pl' 'tool' '-am' '-Dx' 'install'"
	script := javaLanguage{}.Warm(env, s)
	require.Contains(t, script, "assay_online "+install+"\nassay_warm ")
	s.Repo = family()
	require.NotContains(t, javaLanguage{}.Warm(env, s), "install")

	for name, c := range map[string]struct {
		changed string
		want    bool
	}{
		"another project":       {"core/src/main/java/com/x/Core.java", false},
		"the packaged one":      {"tool/src/main/java/A.java", true},
		"its tests":             {"tool/src/test/java/ATest.java", false},
		"the pom of its parent": {"pom.xml", true},
	} {
		t.Run(name, func(t *testing.T) {
			run := Suite{Files: s.Files, Repo: packaging(), Nonce: "n0123456789", Changed: []string{c.changed}}
			script := javaLanguage{}.Command(env, run).Script
			require.Equal(t, c.want, strings.Contains(script, "mvn -o -q "+install+" || exit\n"), script)
		})
	}
}
