package languages

import (
	_ "embed"
	"fmt"
)

// jdkFunction is shell that installs a JDK in /opt/jdk-N: the machine's own,
// or one of another Debian release, checked by apt and unpacked outside of
// the system's directories. It works in a container and over a host's tool
// chains alike.
//
//go:embed java_jdk.sh
var jdkFunction string

// jdkSuites are the Debian releases that have a JDK, the most lasting first.
func jdkSuites(jdk string) string {
	switch jdk {
	case "8":
		return "sid"
	case "11":
		return "bullseye sid"
	case "17":
		return "bookworm trixie"
	case "25":
		return "forky sid"
	}
	return "trixie forky sid"
}

// jdkInstall are the commands of a dependencies layer that holds the JDK.
func jdkInstall(jdk string) []string {
	return []string{jdkFunction, fmt.Sprintf("assay_jdk %s %s", jdk, jdkSuites(jdk))}
}
