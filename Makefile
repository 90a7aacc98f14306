# The developer's commands; make help lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := run
.NOTPARALLEL:
.PHONY: help install run dev check quick test test-all fuzz chaos failover s3 bench look upgrade-check compat format lock hooks clean

PORT ?= 8000
WORKERS ?= 2
# How many minutes each test of `make fuzz` sends requests.
TIMES ?= 10
# The part of its numbers that `make chaos` does.
PART ?= 1
# The release that `make upgrade-check` and `make compat` begin with; else that before the newest migration.
FROM ?=
# How many times the normal data `make bench` compares with it.
SIZE ?= 1
BIN := .venv/bin
# Sets PATH to a fitting Node; the first call may fetch one.
NPM = PATH="$$(widgets/node-path.sh):$$PATH" npm --prefix widgets
NODE = $(NPM) --silent run
INSTALLED_FOR_TESTS := .venv/installed-for-tests widgets/node_modules/installed-for-tests
# Leaves out where packages came from, so that the locks hold on every machine.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-header --no-annotate --no-emit-index-url --no-emit-find-links
WIDGET_SOURCES := $(shell find widgets/src static/css static/img -type f) widgets/build.mjs widgets/tree-shaking.mjs widgets/tsconfig.json
CALL_SOURCES := $(shell find app -name '*.py')

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Compiles too, since the account that serves it may not write here.
install: .venv/installed static/built/manifest.json ## install what running it needs, and build scripts and styles
	@$(BIN)/python -m compileall -q app migrations wsgi.py

.venv/installed: requirements.lock setup.cfg pyproject.toml .setup/python.sh
	@.setup/python.sh requirements.lock
	@touch $@

# Holds the run-time packages too, so from a fresh clone they are installed once.
.venv/installed-for-tests: requirements-test.lock setup.cfg pyproject.toml .setup/python.sh
	@.setup/python.sh requirements-test.lock
	@touch $@ .venv/installed

widgets/node_modules/installed: widgets/package-lock.json widgets/node-path.sh | .venv/installed
	@$(NPM) ci --omit=dev --no-audit --no-fund --loglevel=error
	@touch $@

widgets/node_modules/installed-for-tests: widgets/package-lock.json widgets/node-path.sh | .venv/installed
	@$(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@ widgets/node_modules/installed

static/built/manifest.json: widgets/node_modules/installed $(WIDGET_SOURCES)
	@$(NODE) build

# The widgets' types of the JSON calls: a changed field breaks who uses it.
widgets/generated/api.d.ts: widgets/node_modules/installed-for-tests widgets/api-types.mjs $(CALL_SOURCES)
	@mkdir -p $(@D)
	@$(BIN)/flask openapi --widgets >$(@D)/openapi.json
	@$(NODE) api-types

run: install ## serve it with demo data on http://127.0.0.1:8000 (PORT=, WORKERS=)
	@$(BIN)/flask db upgrade
	@$(BIN)/flask demo load --if-empty
	@exec $(BIN)/flask serve --port $(PORT) --workers $(WORKERS)

dev: install ## serve it with reloading, rebuilding scripts and styles as they change
	@$(BIN)/flask db upgrade
	@$(BIN)/flask demo load --if-empty
	@trap 'kill 0' EXIT; $(NODE) watch & $(BIN)/flask run --debug --port $(PORT)

check: $(INSTALLED_FOR_TESTS) install widgets/generated/api.d.ts ## check style, types, import directions and templates
	@$(BIN)/ruff check app migrations tests wsgi.py
	@$(BIN)/ruff format --check app migrations tests wsgi.py
	@$(BIN)/mypy & mypy=$$!; \
	  $(NODE) types && $(NODE) lint && $(BIN)/djlint --quiet --lint templates \
	  && $(BIN)/lint-imports --no-cache | tail -n 12 && $(BIN)/python -m tests.migration_steps \
	  || failed=$$?; wait $$mypy && exit $${failed:-0}

quick: .venv/installed-for-tests install ## check Python, and run the tests that take little time, in under a minute
	@$(BIN)/ruff check app migrations tests wsgi.py
	@$(BIN)/ruff format --check --quiet app migrations tests wsgi.py
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache | tail -n 2
	@$(BIN)/pytest --quick -n 2 --dist worksteal

# Runs pytest (2), and beside it the widgets' tests (1), whose output comes whole before pytest has ended.
# Python keeps compiled tests even where it is told not to: each worker would compile all of them.
define beside_pytest
	@tests/setup/system.sh
	@trap 'kill 0' INT; \
	  (tested=$$($(NODE) $(1) 2>&1) || failed=$$?; echo "$$tested"; exit $${failed:-0}) & widgets=$$!; \
	  PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n 4 --dist worksteal $(2) || failed=$$?; \
	  wait $$widgets || { echo "The widgets' tests failed, see above."; failed=1; }; exit $${failed:-0}
endef

# Journeys wait for much, so that two cores have time for four workers.
test: check ## check, then run every test, those in a real browser included
	$(call beside_pytest,test,)

test-all: check ## the same on both databases, with all generated requests, chaos, bench and coverage
	$(call beside_pytest,coverage,--thorough --cov --cov-report=term)

fuzz: .venv/installed-for-tests install ## send generated requests for TIMES=10 minutes in each test, and hostile values to every field
	@tests/setup/system.sh
	@FUZZ_MINUTES=$(TIMES) $(BIN)/pytest --thorough -n 2 tests/api/test_fuzz.py tests/strangers/test_hostile_input.py

chaos: .venv/installed-for-tests install ## break processes, disks, networks and clocks, and check the data (SEED=, ONLY=, PART=0.1)
	@tests/setup/system.sh libfaketime
	@$(BIN)/python -m tests.chaos --size $(PART) $(if $(SEED),--seed "$(SEED)") $(if $(ONLY),--only "$(ONLY)")

bench: .venv/installed-for-tests install ## measure the product beside the bare stack on both databases (SIZE=33 for more data)
	@tests/setup/system.sh
	@$(BIN)/python -m tests.bench --size $(SIZE)

failover: .venv/installed-for-tests install ## lose PostgreSQL's primary under load, and count what is lost (ONLY=killed)
	@tests/setup/system.sh
	@$(BIN)/python -m tests.failover $(if $(ONLY),--only "$(ONLY)")

s3: .venv/installed-for-tests install ## try the photo store and the product on a real S3 server, OpenStack Swift
	@$(BIN)/python -m tests.s3 $(if $(ONLY),--only "$(ONLY)")

look: .venv/installed-for-tests widgets/node_modules/installed-for-tests install ## photograph and check every screen and state, into .test/look (ONLY=stock,keys)
	@tests/setup/system.sh
	@$(BIN)/python -m tests.look $(if $(ONLY),--only "$(ONLY)") $(if $(DATA),--data "$(DATA)") $(if $(README),--readme)

upgrade-check: $(INSTALLED_FOR_TESTS) install ## upgrade the tables while the last release serves, on both databases (FROM=commit)
	@tests/setup/system.sh
	@$(BIN)/python -m tests.upgrades $(if $(FROM),--from $(FROM))

compat: $(INSTALLED_FOR_TESTS) install ## run the last release's tests of services on the new tables (FROM=commit, TESTS=files)
	@tests/setup/system.sh
	@$(BIN)/python -m tests.upgrades.compat $(if $(FROM),--from $(FROM)) $(TESTS)

format: $(INSTALLED_FOR_TESTS) ## format Python, TypeScript and CSS, and fix what can be fixed
	@$(BIN)/ruff check --fix --quiet app migrations tests wsgi.py
	@$(BIN)/ruff format --quiet app migrations tests wsgi.py
	@$(NODE) format --if-present

lock: .venv/installed ## write requirements.lock and requirements-test.lock anew from setup.cfg
	@$(BIN)/pip install --quiet uv
	@$(LOCK) --all-extras setup.cfg -o requirements-test.lock
	@$(LOCK) --constraints requirements-test.lock setup.cfg -o requirements.lock

hooks: ## install a git hook that runs make quick before each commit
	@.setup/hooks.sh

clean: ## remove what was built and the tools' caches; keeps packages, database and photos
	@rm -rf static/built widgets/generated __pycache__ .test build .hypothesis .mypy_cache .ruff_cache \
	  .import_linter_cache .schemathesis .coverage
	@find $(wildcard app migrations tests) -name __pycache__ -type d -prune -exec rm -rf {} +
