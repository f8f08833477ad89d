package languages

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLibrariesThatNeedAJDK(t *testing.T) {
	dependency := func(group, artifact, version string) string {
		return "<dependencies><dependency><groupId>" + group + "</groupId><artifactId>" + artifact + "</artifactId><version>" + version + "</version></dependency></dependencies>"
	}
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"the line before":   {dependency("org.testng", "testng", "7.5.1"), 8},
		"the first of all":  {dependency("org.testng", "testng", "7.6.0"), 11},
		"the next major":    {dependency("org.testng", "testng", "8.0"), 11},
		"a candidate":       {dependency("org.springframework", "spring-core", "6.0-RC1"), 17},
		"one before":        {dependency("org.testng", "testng", "7.5-rc9"), 8},
		"another artifact":  {dependency("com.h2database", "other", "3.0"), 8},
		"a date":            {dependency("org.mockito", "mockito-core", "20230101.1"), 8},
		"no version at all": {dependency("org.mockito", "mockito-core", ""), 8},
		"by a property":     {"<properties><m>5.2.0</m></properties>" + dependency("org.mockito", "mockito-core", "${m}"), 11},
		"two of them":       {dependency("org.mockito", "mockito-core", "5.0.0") + dependency("org.apache.lucene", "lucene-core", "10.1.0"), 21},
	} {
		t.Run(name, func(t *testing.T) {
			r := readReactor(javaRepo{"pom.xml": pom("a", c.body)}, 0)
			got, _ := mavenFacts(r, r.modules).choose()
			require.Equal(t, c.want, got)
		})
	}
}
