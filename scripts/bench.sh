#!/bin/sh
# Measures what assay costs and prints it as ratios of things measured in one
# run. Nothing here fails for being slow. What a machine cannot do is skipped
# with a sentence.
#   scripts/bench.sh [ROUNDS]      (default 3; see docs/performance.md)
set -u
cd "$(dirname "$0")/.." || exit 1
rounds=${1:-3}
[ -x bin/assay ] || go build -o bin/assay ./cmd/assay || exit 1
ASSAY_BENCH_BINARY=$PWD/bin/assay
export ASSAY_BENCH_BINARY
log=$(mktemp)
trap 'rm -f "$log"' EXIT
code=0

# run PACKAGE PATTERN BENCHTIME leaves the output of benchmarks in $log.
run() {
	go test -run '^$' -bench "$2" -benchtime "$3" -timeout 3h -v "$1" >"$log" 2>&1 && return
	code=1
	echo "  could not be measured:"
	grep -v -E '^(goos|goarch|pkg|cpu|FAIL|exit)' "$log" | head -20 | sed 's/^/    /'
}

# summarise FORMAT passes each result line of $log to an awk program, with its
# figures in v by unit and its name in name; what was skipped is said.
summarise() {
	awk '
	/^ +[a-z_]+\.go:[0-9]+: / { said = $0; sub(/^ +[^ ]+ /, "", said) }
	/^ *--- SKIP/ { print "  skipped: " said }
	/^Benchmark/ && NF > 3 {
		name = $1; sub(/-[0-9]+$/, "", name); sub(/^Benchmark[A-Za-z]*\/?/, "", name)
		for (k in v) delete v[k]
		for (i = 3; i < NF; i += 2) v[$(i + 1)] = $i
		'"$1"'
	}' "$log"
}

echo "machine: $(nproc) cores, $(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1048576 }' /proc/meminfo), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), load $(cut -d' ' -f1 /proc/loadavg)"
echo "medians of $rounds rounds, taken in turn"

echo
echo "Harness cost, Docker: 20 tasks over the same containers and commands (aim: below 1.10)"
run ./cmd/assay '^BenchmarkDocker$' "${rounds}x"
summarise 'sub(/j/, "", name)
	printf "  %s at a time: %.3f of the engine API alone (%.1f s over %.1f s)", name, v["assay/api"], v["assay-s"], v["api-s"]
	if (v["shell-s"]) printf ", %.3f of a loop of docker commands (%.1f s)", v["assay/shell"], v["shell-s"]
	printf "; load %s\n", v["load"]'

echo
echo "Harness cost, local: 20 tasks over the same commands in a shell, without isolation"
run ./cmd/assay '^BenchmarkLocal$' "${rounds}x"
summarise 'sub(/j/, "", name)
	printf "  %s at a time: %.3f (%.1f s over %.1f s); load %s\n", name, v["assay/shell"], v["assay-s"], v["shell-s"], v["load"]'

echo
echo "Two workers over one, local: 20 tasks with real tests (aim: at most 0.60)"
run ./cmd/assay '^BenchmarkWorkers$' "${rounds}x"
summarise 'printf "  %.3f (%.1f s over %.1f s); the bare commands alone %.3f; load %s\n", v["two/one"], v["two-s"], v["one-s"], v["bare-two/one"], v["load"]'

echo
echo "A finished run of 100 tasks, called again (aim: below 1 s)"
run ./cmd/assay '^BenchmarkRepeat$' "${rounds}x"
summarise 'printf "  same folder: %.4f of the first run (%.2f s over %.1f s)\n", v["same-folder/first"], v["same-folder-s"], v["first-s"]
	printf "  new folder, outcomes cached: %.4f of the first run (%.2f s); load %s\n", v["cached/first"], v["cached-s"], v["load"]'

echo
echo "Attempts of agents, local: what one costs whose agent does nothing, and a call of a model through relay and proxy"
run ./cmd/assay '^BenchmarkAttempt$' "${rounds}x"
summarise 'printf "  an attempt: %.2f s (prepare %.2f, run %.2f, take %.2f)\n", v["attempt-s"], v["prepare-s"], v["run-s"], v["take-s"]
	printf "  a call: %.2f ms, %.2f ms without assay; load %s\n", v["proxied-ms"], v["direct-ms"], v["load"]'

echo
echo "Disk: ten instances of one repository, each at a commit of its own, over one (aim: at most 1.3)"
run ./cmd/assay '^BenchmarkDisk$' 1x
summarise 'printf "  %.2f (%.1f MB over %.1f MB; the repository has %.0f MB)\n", v["ten/one"], v["ten-MB"], v["one-MB"], v["repository-MB"]'

echo
echo "Peak memory on a dataset of 100,000 instances of 5 KB (aim: below 150 MB)"
run ./cmd/assay '^BenchmarkMemory$' 1x
summarise 'printf "  to pick one: %.0f MB (%.1f s); to judge an empty submission to each: %.0f MB (%.1f s), %.2f KB an instance; load %s\n", v["pick-one-MB"], v["pick-one-s"], v["judge-all-MB"], v["judge-all-s"], v["KB/instance"], v["load"]'

echo
echo "Linting, environment ready: one file, as at judgement, over all sources of a repository, as at building"
run ./cmd/assay '^BenchmarkLint$' 1x
summarise 'printf "  %-12s %.1f s for one file, %.1f s for %d: %.2f; load %s\n", name, v["file-s"], v["repository-s"], v["files"], v["file/repository"], v["load"]'

echo
echo "Judging a generated test with change coverage over without (aim: below 1.3)"
run ./cmd/assay '^BenchmarkCoverage$' "${rounds}x"
summarise 'printf "  %-12s %.2f (%.1f s over %.1f s); load %s\n", name, v["covered/plain"], v["covered-s"], v["plain-s"], v["load"]'

echo
echo "A call of the model through the proxy, milliseconds more than without"
run ./proxy '^BenchmarkCall$' 300x
summarise 'printf "  %-24s %.2f ms (%.2f over %.2f)\n", name, v["added-ms"], v["proxied-ms"], v["direct-ms"]'

echo
echo "Reading reports, MB/s"
run ./languages/reports '^BenchmarkRead$' 1s
summarise 'printf "  %-12s %8.1f\n", name, v["MB/s"]'

echo
echo "Parts"
for part in \
	"./internal/patch|^Benchmark(Parse|Apply)$|patches" \
	"./languages/syntax|^BenchmarkParse$|syntax" \
	"./harness|^Benchmark(CacheHit|Key)$|harness" \
	"./harness/local|^BenchmarkStart$|local" \
	"./bench|^BenchmarkIndex$|datasets"; do
	pattern=${part#*|}
	run "${part%%|*}" "${pattern%|*}" 1s
	label=${part##*|}
	summarise 'full = $1; sub(/-[0-9]+$/, "", full); sub(/^Benchmark/, "", full)
		printf "  %-28s %12.3f ms", "'"$label"' " full, v["ns/op"] / 1e6
		if (v["MB/s"]) printf "  %8.1f MB/s", v["MB/s"]
		print ""'
done
exit $code
