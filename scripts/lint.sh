#!/usr/bin/env bash
# Runs the linters, in pinned versions that it installs into bin/tools: those of
# .golangci.yml, and deadcode, which finds functions that no program reaches.
# scripts/deadcode.txt lists the functions that only tests need.
set -euo pipefail
cd "$(dirname "$0")/.."
golangci=v2.6.0
deadcode=v0.52.0
tools=$PWD/bin/tools
install() { # program package version
	[ -x "$tools/$1-$3" ] && return
	GOBIN=$tools go install "$2@$3"
	mv "$tools/$1" "$tools/$1-$3"
}
install golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint $golangci
install deadcode golang.org/x/tools/cmd/deadcode $deadcode

"$tools/golangci-lint-$golangci" run ./...

# One line a function: package and name. Packages that help tests are for tests,
# and the example reaches what only programs outside this repository need.
dead() {
	"$tools/deadcode-$deadcode" -f '{{range .Funcs}}{{$.Path}} {{.Name}}{{"\n"}}{{end}}' ./... |
		grep -v -E '^assay/[a-z/]*(badpatchtest|harnesstest|llmtest) ' | sed '/^$/d'
}
example=$(cd examples/ownkind && "$tools/deadcode-$deadcode" -filter '^assay/' -f '{{range .Funcs}}{{$.Path}} {{.Name}}{{"\n"}}{{end}}' ./... | sed '/^$/d' | sort -u)
found=$(dead | sort -u | comm -12 - <(printf '%s\n' "$example") | grep -v -x -F -f <(grep -v '^#' scripts/deadcode.txt) || true)
if [ -n "$found" ]; then
	echo "no program reaches these functions; use them, remove them, or list them in scripts/deadcode.txt:"
	echo "$found"
	exit 1
fi
