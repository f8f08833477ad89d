#!/bin/sh
# Prints how much of the functions in scripts/covered.txt runs in tests: the
# quick ones, and those of the commands through the real binary. Takes minutes.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/commands"
go test -short -vet=off -coverpkg=./... -coverprofile="$dir/quick" ./cmd/assay ./tasks ./languages ./badpatch/... >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
# World's binary is built with -cover where this is set.
GOCOVERDIR=${COMMANDS_COVERED:-$dir/commands}
export GOCOVERDIR
if [ -z "${COMMANDS_COVERED:-}" ]; then
	go test -vet=off -count=1 -timeout 20m ./cmd/assay -run 'Test(ValidateCommand|Doctor|ImageCommand|WeakenCommand|Quickstart|Gradle|PublishedImages|RunIsJudged)$' >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
fi
go tool covdata textfmt -i="$GOCOVERDIR" -o="$dir/binary"
{ cat "$dir/quick"; tail -n +2 "$dir/binary"; } >"$dir/all"
go tool cover -func="$dir/all" >"$dir/functions"
awk -f scripts/covered.awk scripts/covered.txt "$dir/functions" "$dir/all"
