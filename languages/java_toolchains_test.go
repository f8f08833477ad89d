package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestToolchains(t *testing.T) {
	plugin := func(body string) string {
		return "<properties><v>17</v></properties>\n<build><plugins><plugin><artifactId>maven-toolchains-plugin</artifactId><configuration><toolchains>" + body + "</toolchains></configuration></plugin></plugins></build>"
	}
	for name, c := range map[string]struct {
		body, jdk string
		want      string
	}{
		"nothing":             {"", "17", ""},
		"a version":           {plugin("<jdk><version>${v}</version></jdk>"), "17", "<version>17</version>"},
		"a range":             {plugin("<jdk><version>[1.8,1.9)</version></jdk>"), "8", "<version>1.8</version>"},
		"a range of new ones": {plugin("<jdk><version>[11,)</version></jdk>"), "17", "<version>17</version>"},
		"a vendor":            {plugin("<jdk><version>17</version><vendor>a&amp;b</vendor></jdk>"), "17", "<version>17</version><vendor>a&amp;b</vendor>"},
	} {
		t.Run(name, func(t *testing.T) {
			r := readReactor(javaRepo{"pom.xml": pom("a", c.body)}, 0)
			commands, why := toolchainSetup(bench.Env{JDK: c.jdk}, r, r.modules)
			if c.want == "" {
				require.Empty(t, commands)
				require.Empty(t, why)
				return
			}
			require.Contains(t, commands[0], "<toolchain><type>jdk</type><provides>"+c.want+"</provides><configuration><jdkHome>/opt/jdk-"+c.jdk+"</jdkHome>")
			require.Equal(t, []bench.Decision{{Field: "setup", Value: "toolchains.xml", Why: why[0].Why, File: "pom.xml", Line: 5}}, why)
		})
	}
}
