#!/usr/bin/env bash
# Runs vet and all tests, or with -short those that are quick. Prints a line as
# each package finishes, then what failed in full, and what was skipped with its
# reason.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT

test -z "$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
go vet ./... || exit 1
mode=()
# One package at a time: several start sandboxes, and two cores are shared. The
# quick tests start none that could disturb each other.
case ${1:-} in
-short) mode=(-short -timeout 5m) ;;
*) mode=(-p 1 -timeout 50m) ;;
esac
# packages shows the lines of whole packages, as they come.
packages() { awk '/^(ok|FAIL\t|panic)/ { print; fflush() }'; }
code=0
go test "${mode[@]}" -v ./... 2>&1 | tee "$log" | packages || code=1
# The example is a module of its own: it has no more than outsiders have.
(cd examples/ownkind && go vet ./... && go test "${mode[@]}" -v ./...) 2>&1 | tee -a "$log" | packages || code=1

awk -v packages=0 -f scripts/summary.awk "$log"
if [ $code -ne 0 ]; then
	echo
	echo "output of what failed:"
	grep -v -E '^(=== |ok |\?|--- PASS| +--- PASS)' "$log" | tail -400
fi
exit $code
