# The commands of design and README: install, run, test, check, dev, fuzz, bench, lock.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := run
.PHONY: install run test check dev lock bench fuzz

PORT ?= 8000
WORKERS ?= 2
# How many times longer than in the tests strangers' requests are tried.
TIMES ?= 10
BIN := .venv/bin
# Sets PATH to a fitting Node; the first call may fetch one.
NODE = PATH="$$(widgets/node-path.sh):$$PATH" npm --prefix widgets --silent run
WIDGET_SOURCES := $(shell find widgets/src static/css static/img -type f) widgets/build.mjs widgets/tsconfig.json
CALL_SOURCES := $(shell find app -name '*.py')

install: static/built/manifest.json

.venv/installed: requirements.lock setup.cfg pyproject.toml
	@tests/setup/python.sh
	@touch $@

widgets/node_modules/installed: widgets/package-lock.json widgets/node-path.sh | .venv/installed
	@PATH="$$(widgets/node-path.sh):$$PATH" npm --prefix widgets ci --no-audit --no-fund --loglevel=error
	@touch $@

static/built/manifest.json: widgets/node_modules/installed $(WIDGET_SOURCES)
	@$(NODE) build

# The widgets' types of the JSON calls: a changed field breaks who uses it.
widgets/generated/api.d.ts: widgets/node_modules/installed widgets/api-types.mjs $(CALL_SOURCES)
	@mkdir -p $(@D)
	@$(BIN)/flask openapi >$(@D)/openapi.json
	@$(NODE) api-types

run: install
	@$(BIN)/flask db upgrade
	@$(BIN)/flask demo load --if-empty
	@exec $(BIN)/flask serve --port $(PORT) --workers $(WORKERS)

dev: install
	@$(BIN)/flask db upgrade
	@$(BIN)/flask demo load --if-empty
	@trap 'kill 0' EXIT; $(NODE) watch & $(BIN)/flask run --debug --port $(PORT)

check: install widgets/generated/api.d.ts
	@$(BIN)/ruff check app migrations tests wsgi.py
	@$(BIN)/ruff format --check app migrations tests wsgi.py
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache | tail -n 12
	@$(BIN)/djlint --quiet --lint templates
	@$(NODE) types

test: check
	@tests/setup/system.sh
	@$(NODE) test
	@$(BIN)/pytest -n 3 --dist loadgroup

fuzz: install
	@tests/setup/system.sh
	@FUZZ_TIMES=$(TIMES) $(BIN)/pytest -n 2 tests/api/test_fuzz.py

bench: install
	@tests/setup/system.sh
	@$(BIN)/python -m tests.bench

lock: .venv/installed
	@$(BIN)/pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --generate-hashes \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links setup.cfg -o requirements.lock
