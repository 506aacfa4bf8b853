# Two words matter to a newcomer: `make test` (installs what tests need, then a slice of every suite) and `make check`
# (types, purity, lint, unit tests; about a minute). Everything runs on the Node that package.json pins.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
ARCH := $(subst x86_64,x64,$(subst aarch64,arm64,$(shell uname -m)))
export PATH := $(CURDIR)/node_modules/node-linux-$(ARCH)/bin:$(CURDIR)/node_modules/.bin:$(PATH)
# A cell of the public Google trace (machines.csv.gz, tasks.csv.gz), if it is there: tests on real cells say that they skip when it is not.
export BORG_TRACE_DIR ?= $(wildcard $(CURDIR)/data/google2011)
# Compiled code of one test file is used by the next: a third less processor time for the many that start a process.
export NODE_COMPILE_CACHE ?= $(CURDIR)/.cache/compiled
# A hung test is a failed test. What a suite skips is written down under its target's name, for the list at the end of `make test`.
TEST = mkdir -p .cache/skips && node --test --test-timeout=$(or $(HANG_MS),300000) \
  --test-reporter=spec --test-reporter-destination=stdout --test-reporter=./tools/skip-reporter.ts --test-reporter-destination=.cache/skips/$@

.PHONY: help install attack packages fresh-skips sim-commit sim-coverage check types tidy lint gen unit cell durability sim sim-suite same-on-node24 mutants borglet infrastore test-v2 e2e browser fuzz paper bcl-suite lived test soak bench bcl fmt

help:
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | column -t -s "$$(printf '\t')"

install: node_modules/.installed ## what npm knows, at the exact versions of the lockfile
node_modules/.installed: package-lock.json .npmrc
	npm ci --no-audit --no-fund --loglevel=error
	@cp package-lock.json node_modules/.borg-lock
	@touch $@

types: install
	tsc -p tsconfig.pure.json
	tsc -p tsconfig.json
	tsc -p tsconfig.browser.json
tidy: install
	node tools/gen.ts --check
	node tools/tidy.ts
lint: install
	biome check --error-on-warnings .
# In one process: nothing in src keeps state in a module, and a process for each of these small files would cost more than what they test.
unit: install
	$(TEST) --test-isolation=none "src/**/*.test.ts" "tools/**/*.test.ts"
check: types tidy lint unit ## types, purity, tidy, lint, unit tests

# Here too most files are small: one process for all of them.
cell: install
	$(TEST) --test-isolation=none "test/cell/*.test.ts" "test/history/*.test.ts" "test/offers/*.test.ts" "test/clients/*.test.ts" "test/*.test.ts"
durability: install
	$(TEST) "test/durability/*.test.ts" "test/etcd/*.test.ts"
sim: install ## make sim SEEDS=2000 [FIRST=n], or one seed with its trace: make sim SEED=n [ARGS="--faults crash,clock --clients 2"]
	node test/sim/run.ts $(if $(SEED),--seed $(SEED),--seeds $(or $(SEEDS),200) --first $(or $(FIRST),1)) $(ARGS)
# Seeds that nobody chose: from the hash of the commit on, in PARTS parts, two of them side by side. What they met is judged once, over all of them.
PARTS ?= 2
SIM_PARTS = $(shell seq 0 $$(($(PARTS) - 1)))
sim-commit: install ## make sim-commit [SEEDS=3000]: seeds from a range that the commit's hash decides
	@$(MAKE) --no-print-directory -j2 --output-sync=target $(addprefix sim-part-,$(SIM_PARTS))
	@$(MAKE) --no-print-directory sim-coverage
sim-part-%: install
	node test/sim/run.ts --failures 1000 --seeds $$(($(or $(SEEDS),3000) / $(PARTS))) --first $$(node tools/seed-range.ts --part $* --of $(PARTS) --seeds $(or $(SEEDS),3000)) --tally .cache/sim/met-$*-of-$(PARTS).json
sim-coverage: install
	node test/sim/coverage.ts --first $$(node tools/seed-range.ts) --seeds $$(($(or $(SEEDS),3000) / $(PARTS) * $(PARTS))) $(SIM_PARTS:%=.cache/sim/met-%-of-$(PARTS).json)
sim-suite: install
	$(TEST) --test-isolation=none "test/sim/*.test.ts" "test/borgmaster/*.test.ts" "test/scheduler/*.test.ts"
mutants: install ## plants each bug of tools/mutants.ts and sees that somebody notices
	node tools/plant.ts $(ARGS)
mutants-part-%: install
	node tools/plant.ts --jobs 1 --part $* --of $(PARTS)
borglet: install
	$(TEST) --test-concurrency=1 $$(node tools/slice.ts borglet)
# What strangers on one cell try; ATTACK_MODES=all tries root with a jail, root without and a plain user, else the commit chooses one; E2E=all as below.
attack: install
	$(TEST) --test-concurrency=1 $$(node tools/slice.ts attack)
# The history of a cell: E2E=all asks hostile questions too, INGEST_KILLS=n kills the process that writes it so often.
infrastore: install
	$(TEST) --test-concurrency=1 $$(node tools/slice.ts infrastore)
# A guest without hardware help takes its time: SLOW says how much longer tests wait.
V2_FILES := src/borglet/linux/cgroup.test.ts $(addprefix test/borglet/,tasks.test.ts bands.test.ts contract.test.ts hostile.test.ts survival.test.ts)
test-v2: install ## the borglet's suite in a small qemu guest with control groups of version 2 only (as root; installs qemu, unpacks a kernel into .cache)
	tools/guest.sh "SLOW=10 ROUNDS=2 node --test --test-force-exit --test-concurrency=1 --test-timeout=1800000 $(V2_FILES)"
# One cell at a time: they share this machine's ports and its two cores. Of what takes minutes the commit chooses a part (tools/slice.ts); E2E=all takes it all.
e2e: install
	$(TEST) --test-concurrency=1 $$(node tools/slice.ts e2e)
# One browser, one cell; PICTURES=DIR takes pictures of every page.
browser: install
	@mkdir -p .cache/skips && touch .cache/skips/$@
	files=$$(node tools/slice.ts browser); test -z "$$files" || { $(TEST) --test-concurrency=1 $$files; }
fuzz: install
	$(TEST) --test-concurrency=1 "test/fuzz/*.test.ts"
# Sentences of the papers, each shown on a small cell.
paper: install
	$(TEST) "test/paper/*.test.ts"
bcl-suite: install
	$(TEST) "test/bcl/*.test.ts"

# What mostly waits for real processes goes one suite after the other, because they share this machine; beside it what computes, and two of that at once when
# the other is done.
COMPUTED := sim-suite cell unit fuzz durability bcl-suite paper
LIVED := attack borglet infrastore e2e browser
lived: install
	@$(MAKE) --no-print-directory -j1 $(LIVED)
# The suites that `make test` runs, each with its list of what it skipped.
SUITES := $(COMPUTED) $(LIVED)
test: packages fresh-skips install ## everything a change has to pass; at most ten minutes on two cores
	@$(MAKE) --no-print-directory -j2 --output-sync=target types tidy lint
	@$(MAKE) --no-print-directory -j2 --output-sync=target lived $(COMPUTED)
	@node tools/skips.ts $(SUITES)
	@echo "make test: all suites passed"
packages: ## the Debian packages of tools/debian-packages that are missing; BORG_NO_APT=1 installs none
	@tools/packages.sh
fresh-skips:
	@rm -rf .cache/skips

soak: install packages ## the full counts, hours on two cores; goes on where it was stopped; append the row it prints to docs/TRACK-RECORD.md
	node tools/soak.ts $(ARGS)

# The same seed must give the same trace on another version of Node.
NODE24 := .cache/node24/node_modules/node-linux-$(ARCH)/bin/node
same-on-node24: install
	npm install --no-save --no-audit --no-fund --loglevel=error --prefix .cache/node24 node-linux-$(ARCH)@24.21.0
	for seed in 1 2 3 4 5; do \
	  one=$$(node test/sim/run.ts --seed $$seed | tail -n 1); two=$$($(NODE24) test/sim/run.ts --seed $$seed | tail -n 1); \
	  echo "$$one"; test "$$one" = "$$two" || { echo "Node 24 differs: $$two"; exit 1; }; \
	done

bench: install ## make bench NAME=core [ARGS="--machines 1000"]
	node --expose-gc --max-old-space-size=8192 bench/main.ts $(NAME) $(ARGS)
bcl: install ## make bcl ARGS="eval examples/hello-web.bcl"
	@node src/cli/bcl.ts $(ARGS)
gen: install ## generated code from proto/
	node tools/gen.ts
	node tools/gen-seccomp.ts
fmt: install
	biome check --write .
