# The contributor's whole interface; `make` alone lists it. Needs git, make and Python 3.10 or newer.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory

VENV  := .venv
BIN   := $(VENV)/bin
PY    := $(BIN)/python
READY := $(VENV)/.ready
SPARK := .venv-spark
DBT   := .venv-dbt
DIST  := build/dist
GO_BIN := $(VENV)/go
CYCLONEDX := cyclonedx-bom==7.5.0
PIP_AUDIT := pip-audit==2.10.1
PEERS := cuallee datacontract-cli great-expectations soda
TREE  := src hooks batch tests scripts benchmarks setup.py
EXTRAS := catalog-glue catalog-hive datacontract otel parquet postgres sign spark sql store dev  # resolved together in constraints.txt

# The first Python on PATH that is new enough and can make environments; `make PYTHON=/path/to/python` overrides it.
FIND_PYTHON = IFS=:; for dir in $$PATH; do \
		for name in python3 python3.13 python3.12 python3.11 python3.10 python; do \
			"$$dir/$$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null \
				&& echo "$$dir/$$name" && exit; \
		done; done

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export UV_PYTHON_DOWNLOADS := never
# Trust what pip and git trust.
export UV_SYSTEM_CERTS ?= 1

ifneq ($(and $(MAKE_TERMOUT),$(if $(NO_COLOR),,colour)),)
BOLD  := $(shell printf '\033[1m')
PLAIN := $(shell printf '\033[0m')
endif
say = @printf '%s\n' '$(BOLD)▸ $(1)$(PLAIN)'

##@ Start here
.PHONY: demo test
demo: $(SPARK)/.ready ## Set everything up and show the whole of floe on a small shop, in demo-output
	@rm -rf demo-output
	@sh scripts/services prometheus-pushgateway >/dev/null 2>&1 || true
	@$(SPARK)/bin/floe demo demo-output

test: $(READY) services ## Set everything up and run the tests
	@$(PY) -m pytest -n 2 -m 'not slow and not spark and not pythons' $(ARGS)

##@ Work
.PHONY: services
services: ## Install the real servers that tests start, where that can be done (root on Debian)
	@sh scripts/services

.PHONY: setup check house test-slow test-spark test-spark-slow test-oracle bench bench-spark rules new-rule docs format test-pythons check-cosign screenshots test-races
setup: $(READY) ## Make .venv with floe (editable) and every tool
	$(call say,$(VENV) is ready)

check: check-format check-lint check-types check-docs check-wheel check-imports ## Format, lint, types, docs current, wheel contents, import layers
	$(call say,all checks passed)

test-slow: $(READY) $(SPARK)/.ready services ## Run the tests that take minutes
	@$(PY) -m pytest -m 'slow and not spark' $(ARGS) || { status=$$?; test $$status -eq 5 && echo 'no slow tests' || exit $$status; }

test-races: $(SPARK)/.ready services ## Race 32 processes for one name in every catalog, 20 rounds each
	@FLOE_RACE_ROUNDS=20 $(PY) -m pytest -v tests/adapters/iceberg/test_races.py $(ARGS)

test-pythons: $(READY) ## Repeat the tests on the oldest and the newest Python that is promised, where they are installed
	@$(PY) -m pytest -m pythons $(ARGS)

test-spark: $(SPARK)/.ready services ## Check types and run the tests on Spark, in an environment of their own (Java 17 or 21)
	@$(SPARK)/bin/mypy --no-error-summary $$(find src/floe_contracts/adapters/spark tests/spark -name '*.py') \
		$$(grep -lE '^ *(from|import) pyspark' src/floe_contracts/app/demo/*.py tests/support/*.py)
	@$(SPARK)/bin/mypy --no-error-summary $$(grep -lE '^ *(from|import) pyspark' benchmarks/*.py)
	@$(SPARK)/bin/python -m pytest -m 'spark and not slow' $(ARGS)

test-spark-slow: $(SPARK)/.ready $(DBT)/.ready services ## Run the tests on Spark that take minutes: jobs from a wheel, and on a cluster
	@$(SPARK)/bin/python -m pytest -m 'spark and slow' $(ARGS)

test-oracle: $(SPARK)/.ready ## Compare the verdicts on 110,000 quality rules with counting by hand, ten minutes, for every night
	@FLOE_ORACLE_TABLES=100 $(SPARK)/bin/python -m pytest -n0 tests/spark/test_operator_rules.py $(ARGS)

bench: dist ## Measure against the budgets
	$(call say,measuring)
	@$(PY) -m benchmarks

bench-spark: $(SPARK)/.ready $(PEERS:%=.venv-peers/%/.ready) ## Measure the checks on Spark beside other engines, half an hour
	$(call say,quality of 10 million rows)
	@$(SPARK)/bin/python -m benchmarks.quality $(foreach one,$(PEERS),--peer $(one)=.venv-peers/$(one)/bin/python) $(ARGS)
	$(call say,answers from metadata)
	@$(SPARK)/bin/python -m benchmarks.quality_metadata --rows 10000000 --lakehouse
	$(call say,many tables)
	@$(SPARK)/bin/python -m benchmarks.many_tables

house: $(READY) ## Count files, lines and names of the tree, and the modules that lint, gate and a quality job walk through
	@$(PY) scripts/house.py $(if $(wildcard $(SPARK)/.ready),--spark $(SPARK)/bin/python) $(ARGS)

rules: $(READY) ## Compile the rule files of compat/rules/
	@$(PY) scripts/compile_rules.py

new-rule: $(READY) ## Begin a rule: make new-rule ID=what-happened
	@$(PY) scripts/new_rule.py $(ID)

docs: $(READY) rules ## Render the generated pages of docs/, and build the site into build/site with every link checked
	@$(BIN)/floe docs
	@$(PY) scripts/build_site.py build/site

check-cosign: $(READY) services ## Check signatures against the real cosign, and artifacts against crane; builds both with Go, minutes
	@command -v go >/dev/null || { echo 'check-cosign needs Go on PATH' >&2; exit 1; }
	@mkdir -p $(GO_BIN)
	@test -x $(GO_BIN)/crane || GOBIN=$(abspath $(GO_BIN)) go install github.com/google/go-containerregistry/cmd/crane@v0.22.1
	@test -x $(GO_BIN)/cosign || GOBIN=$(abspath $(GO_BIN)) go install github.com/sigstore/cosign/v2/cmd/cosign@v2.6.5
	@$(PY) scripts/check_cosign.py $(abspath $(GO_BIN))

screenshots: $(READY) ## Make the pictures of docs/ with a real browser (Debian: chromium, chromium-driver)
	@$(PY) scripts/screenshots.py $(ARGS)

format: $(READY) ## Format the code and fix what ruff can
	@$(BIN)/ruff check -q --fix-only $(TREE)
	@$(BIN)/ruff format -q $(TREE)

##@ Release
.PHONY: release dist sbom audit constraints requirements clean
release: $(READY) ## Check, write version and changelog, commit and tag: make release VERSION=1.2.3
	@$(PY) -c 'import sys; sys.path.insert(0, "scripts"); import release; release.check_tree("$(VERSION:v%=%)")' || exit 1
	@$(MAKE) check
	@$(PY) scripts/release.py '$(VERSION)'

sbom: dist ## List what the wheel installs, as CycloneDX, in build/sbom.json
	$(call say,SBOM)
	@$(BIN)/uv venv -q --clear --python $(PY) build/installed
	@$(BIN)/uv pip install -q --python build/installed/bin/python -c constraints.txt $(DIST)/*.whl
	@$(BIN)/uv tool run -q --from '$(CYCLONEDX)' cyclonedx-py environment --output-reproducible -o build/sbom.json build/installed/bin/python
	@$(PY) -c 'import json; print(len(json.load(open("build/sbom.json"))["components"]), "components in build/sbom.json")'

audit: $(READY) ## Look every pinned version up in the advisories (needs the advisories of PyPI)
	@$(BIN)/uv tool run -q --from '$(PIP_AUDIT)' pip-audit --no-deps --disable-pip -r constraints.txt $(ARGS)

dist: $(READY) ## Build sdist and wheel into build/dist
	$(call say,building)
	@rm -rf build && mkdir build
	@$(PY) -m build --no-isolation --outdir $(DIST) . >build/log 2>&1 || { cat build/log; exit 1; }

constraints: $(READY) ## Resolve constraints.txt anew for Python 3.10 to 3.13
	$(call say,resolving)
	@{ echo '# Versions that are tested together. Written by `make constraints`.'; \
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.10 $(EXTRAS:%=--extra %) \
		--constraint scripts/constraints.in --no-header --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-package floe-contracts \
		pyproject.toml; } >$(VENV)/constraints.txt
	@mv $(VENV)/constraints.txt constraints.txt
	@$(MAKE) requirements

requirements: $(READY) ## Write the hashes of what the action installs, at the versions of constraints.txt
	@{ echo '# What the action installs before floe itself, with hashes. Written by `make requirements`.'; \
	echo 'setuptools>=77' | $(BIN)/uv pip compile -q --universal --python-version 3.10 --generate-hashes --only-binary :all: \
		--constraint constraints.txt --no-header --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-build-options \
		pyproject.toml -; } >$(VENV)/requirements.txt
	@mv $(VENV)/requirements.txt actions/scripts/requirements.txt

clean: ## Remove everything that make made
	@rm -rf $(VENV) build demo-output *.egg-info .*_cache .hypothesis

.PHONY: check-format check-lint check-types check-docs check-wheel check-imports
check-format: $(READY)
	$(call say,format)
	@$(BIN)/ruff format --check -q $(TREE)

check-lint: $(READY)
	$(call say,lint)
	@$(BIN)/ruff check -q $(TREE)

check-types: $(READY)
	$(call say,types)
	@$(BIN)/mypy --no-error-summary

check-docs: $(READY)
	$(call say,docs current)
	@$(BIN)/floe docs --check

check-wheel: dist
	$(call say,wheel contents)
	@$(BIN)/check-wheel-contents $(DIST)/*.whl
	@$(PY) -m pytest -q --no-header tests/packaging/test_wheel.py tests/packaging/test_layout.py

# Against the wheel: the import graph of an editable install lacks the mapped packages.
check-imports: dist
	$(call say,import layers)
	@$(PY) -m zipfile -e $(DIST)/*.whl build/wheel
	@PYTHONPATH=build/wheel $(BIN)/lint-imports --no-logo --no-cache >build/imports.log || { cat build/imports.log; exit 1; }

# Stamped: the second call of any target costs nothing.
$(READY): pyproject.toml constraints.txt
	@$(PY) -c '' 2>/dev/null || { \
		python="$(PYTHON)"; python="$${python:-$$($(FIND_PYTHON))}"; \
		test -n "$$python" || { echo '$(NO_PYTHON)' >&2; exit 1; }; \
		echo "$(BOLD)▸ setting up $(VENV) with $$python, about a minute the first time$(PLAIN)"; \
		"$$python" -m venv --clear $(VENV); }
	@if command -v uv >/dev/null; then uv pip install -q --python $(PY) -c constraints.txt -e '.[dev]'; \
	else $(PY) -m pip install -q -c constraints.txt -e '.[dev]'; fi
	@touch $@

$(SPARK)/.ready: $(READY)
	@command -v java >/dev/null || test -n "$$JAVA_HOME" || sh scripts/services java
	@command -v java >/dev/null || test -n "$$JAVA_HOME" || { echo '$(NO_JAVA)' >&2; exit 1; }
	@echo '$(BOLD)▸ setting up $(SPARK), about two minutes the first time$(PLAIN)'
	@$(BIN)/uv venv -q --clear --python $(PY) $(SPARK)
	@$(BIN)/uv pip install -q --python $(SPARK)/bin/python -c constraints.txt -e '.[dev,datacontract-spark]'
	@touch $@

$(DBT)/.ready: scripts/dbt.in $(READY)
	$(call say,setting up $(DBT): dbt and dlt)
	@$(BIN)/uv venv -q --clear --python $(PY) $(DBT)
	@$(BIN)/uv pip install -q --python $(DBT)/bin/python -r $<
	@touch $@

.venv-peers/%/.ready: benchmarks/peers/%.txt $(READY)
	$(call say,setting up $*)
	@$(BIN)/uv venv -q --clear --python $(PY) $(@D)
	@$(BIN)/uv pip install -q --python $(@D)/bin/python -r $<
	@touch $@

NO_PYTHON := floe needs Python 3.10 or newer with venv on PATH: install it (Debian: apt-get install python3-venv), \
	or say make PYTHON=/path/to/python

NO_JAVA := Spark needs Java 17 or 21 on PATH: install it (Debian: apt-get install openjdk-17-jre-headless)

.PHONY: help
help: ## Show this list
	@awk -v bold='$(BOLD)' -v plain='$(PLAIN)' 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s%s%s\n", bold, substr($$0, 5), plain } \
		/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
