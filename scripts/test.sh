#!/bin/sh
# Runs vet and all tests, or with -short those that are quick, prints a line per
# package, what failed in full, and what was skipped with its reason.
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT

test -z "$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
go vet ./... || exit 1
# One package at a time: several start sandboxes, and two cores are shared. The
# quick tests start none that could disturb each other.
case ${1:-} in
-short) go test -short -timeout 5m -v ./... >"$log" 2>&1 ;;
*) go test -p 1 -timeout 50m -v ./... >"$log" 2>&1 ;;
esac
code=$?
# The example is a module of its own: it has no more than outsiders have.
case ${1:-} in
-short) (cd examples/ownkind && go vet ./... && go test -short -timeout 5m -v ./...) >>"$log" 2>&1 || code=1 ;;
*) (cd examples/ownkind && go vet ./... && go test -timeout 20m -v ./...) >>"$log" 2>&1 || code=1 ;;
esac

awk -f scripts/summary.awk "$log"
if [ $code -ne 0 ]; then
	echo
	echo "output of what failed:"
	grep -v -E '^(=== |ok |\?|--- PASS| +--- PASS)' "$log" | tail -400
fi
exit $code
