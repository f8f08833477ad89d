# The targets a user or a developer needs. Everything they install besides Go
# modules is installed by scripts/, which report it.
GO ?= go
BIN := bin/assay

.PHONY: build quickstart check test test-short mutate covered bench lint words fmt golden clean

build: $(BIN)

$(BIN): FORCE
	$(GO) build -o $(BIN) ./cmd/assay

FORCE:

quickstart: ## from nothing to a report on the sample benchmark
	scripts/prerequisites.sh run
	$(GO) build -o $(BIN) ./cmd/assay
	$(BIN) quickstart

check: test-short

test-short: ## vet, gofmt and the tests that are quick; reports what it skipped
	scripts/test.sh -short

mutate: ## changes the judging core one place at a time, and lists what the tests do not notice
	$(GO) run ./scripts/mutate

covered: ## how much of what no test ran once is run now (scripts/covered.txt)
	scripts/covered.sh

test: ## all tests that can run here; reports what it skipped and why
	scripts/prerequisites.sh test
	scripts/test.sh

bench: build ## costs, as ratios measured in one run
	scripts/bench.sh

lint: fmt ## gofmt, golangci-lint and deadcode, in pinned versions, and words to avoid
	scripts/lint.sh
	$(GO) run ./scripts/words -max 15

words: ## unusual words in comments (scripts/words/words.txt), per 1,000 comment lines
	$(GO) run ./scripts/words

fmt:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these"; exit 1; }

golden: ## rewrites the golden files from what the code returns now
	scripts/golden.sh

clean:
	rm -rf bin quickstart runs
