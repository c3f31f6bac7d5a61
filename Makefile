# The README's two commands are `make demo` and `make test`. Each sets up all it needs in .venv; a second run is quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export LIKEWISE_DATA ?= $(abspath ../shared/data)
CXX_SOURCES := $(wildcard core/*.hpp core/*.cpp bindings/*.hpp bindings/*.cpp tests/core/cpp/*.cpp)
CORE := $(filter core/% bindings/%,$(CXX_SOURCES)) $(wildcard core/*.inc) CMakeLists.txt pyproject.toml

STRICT := -std=c++20 -Wall -Wextra -ffp-contract=off -Icore
COMPILERS := $(shell for name in g++ clang++ aarch64-linux-gnu-g++; do command -v $$name; done)

.PHONY: demo wheel image-check test shuffled timing asan ubsan tsan coverage fuzz bombs guided requests mutants flips kills audit reproducible check bench results docs clean help

help:  ## Show this help.
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "likewise needs Python 3.11 or newer (set PYTHON=...)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "likewise needs Python 3.11 or newer, $(PYTHON) is older (set PYTHON=...)"; exit 1; }
	@command -v c++ >/dev/null || { echo "likewise needs a C++ compiler (g++ or clang++)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(BIN)/python $(CORE)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --editable '.[serve,mine]'
	@touch $@

$(VENV)/.dev: $(BIN)/python $(CORE)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.demo

$(VENV)/.bench: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch $@

# Chromium and Java come from the system; installed where that is allowed, else the tests that need them skip and say so.
$(VENV)/.system: scripts/system_packages.sh $(BIN)/python
	@sh scripts/system_packages.sh
	@touch $@

demo: $(VENV)/.demo  ## Run every job on text that Python ships, and write a small site with the results.
	$(BIN)/likewise demo

wheel: $(BIN)/python  ## Build a wheel in a clean environment, repair it for any Linux, and test it in empty ones (dist/).
	$(BIN)/python scripts/wheel.py

image-check:  ## Do the steps of the Spark image without a container: wheel, empty environment, cluster, spark-submit.
	scripts/spark_image.sh

test: $(VENV)/.dev $(VENV)/.system check  ## Run the checks and all tests; the documentation is built by one of them.
	$(BIN)/python -m pytest -n 2 --dist loadfile -p no:cacheprovider

ORDER := 1
shuffled: $(VENV)/.dev  ## Run the tests one by one in a random order (ORDER=7: another), with examples not seen before.
	LIKEWISE_ORDER=$(ORDER) $(BIN)/python -m pytest -p no:cacheprovider

timing: $(VENV)/.dev  ## Run the tests that look at the clock; they want a quiet machine.
	$(BIN)/python -m pytest -m timing -p no:cacheprovider

# A run goes on where one before it stopped, as long as the core is the same.
JOBS := 2
EXAMPLES := 10
asan: $(VENV)/.dev  ## Run the tests that touch the core under the address and undefined-behaviour sanitizers (long).
	$(BIN)/python scripts/sanitized_tests.py asan --jobs $(JOBS) --examples $(EXAMPLES)

ubsan: $(VENV)/.dev  ## The same under the undefined-behaviour sanitizer alone.
	$(BIN)/python scripts/sanitized_tests.py ubsan --jobs $(JOBS) --examples $(EXAMPLES)

tsan: $(VENV)/.dev  ## The same under the thread sanitizer.
	$(BIN)/python scripts/sanitized_tests.py tsan --jobs $(JOBS) --examples $(EXAMPLES)

coverage: $(VENV)/.dev  ## Branches of Python and lines of the core that the tests run (long).
	$(BIN)/python -m pip install --quiet coverage
	$(BIN)/python scripts/coverage.py python --figures $(FIGURES)/coverage.json
	$(BIN)/python scripts/coverage.py core --figures $(FIGURES)/coverage.json

SECONDS := 3600
# What the runners found is kept in the repository: a run adds to it, and the page is written from it.
FIGURES := docs/results/reliability
fuzz: $(VENV)/.dev  ## Random calls of the core, and mutated inputs of everything that reads: an hour each (SECONDS=60: a minute).
	$(BIN)/python -m tests.core.fuzz_calls --seconds $(SECONDS) --trace build/last_call.txt --figures $(FIGURES)/calls.json
	$(BIN)/python -m tests.fuzz.run --seconds $(SECONDS) --figures $(FIGURES)/fuzz.json

bombs: $(VENV)/.dev  ## Files that mean far more than they are: time and memory of each.
	$(BIN)/python -m tests.fuzz.bombs --figures $(FIGURES)/bombs.json

guided: $(VENV)/.dev  ## The same inputs guided by coverage (needs: pip install atheris).
	$(BIN)/python -m tests.fuzz.run --guided --seconds $(SECONDS) --figures $(FIGURES)/guided.json

requests: $(VENV)/.dev  ## Requests that schemathesis makes from the service's own description (half an hour).
	LIKEWISE_EXAMPLES=200 LIKEWISE_REPORT=$(abspath $(FIGURES))/requests.json \
		$(BIN)/python -m pytest -q -p no:cacheprovider --timeout 7200 tests/serve/test_openapi.py

mutants: $(VENV)/.dev  ## Change the source of some folders in small ways and see whether a test notices (an hour).
	$(BIN)/python -m pip install --quiet coverage
	for folder in measure join records read; do $(BIN)/python scripts/mutants.py $$folder --figures $(FIGURES)/mutants.json; done

audit: $(VENV)/.dev  ## Licences and known vulnerabilities of what we depend on, and a bill of materials (dist/).
	$(BIN)/python scripts/audit.py --bill dist/likewise.cdx.json --figures $(FIGURES)/audit.json

reproducible: $(VENV)/.dev  ## Build the wheel twice from the last commit and compare the bytes.
	$(BIN)/python scripts/reproducible.py --figures $(FIGURES)/reproducible.json

KILLS := 1000
kills: $(VENV)/.dev  ## Kill processes that write, and lose power, at counted moments (KILLS=100: fewer).
	$(BIN)/python -m benchmarks.kills --kills $(KILLS) --figures $(FIGURES)/kills.json

flips: $(VENV)/.dev  ## Turn a bit of every byte of each kind of file that people share (long).
	$(BIN)/python -m tests.fuzz.flips --json $(FIGURES)/flips.json

# One source of the core: clang-tidy, and no warning from the other compilers, where they are installed.
build/check/%.ok: core/%.cpp $(wildcard core/*.hpp core/*.inc) .clang-tidy
	@mkdir -p $(@D)
	@$(BIN)/clang-tidy --quiet $< -- $(STRICT) 2>/dev/null || { $(BIN)/clang-tidy --quiet $< -- $(STRICT); exit 1; }
	@for compiler in $(COMPILERS); do $$compiler $(STRICT) -Werror -fsyntax-only $< || exit 1; done
	@touch $@

check: $(VENV)/.dev  ## ruff, mypy --strict, clang-format, clang-tidy, other compilers, generated pages up to date.
	$(BIN)/clang-format --dry-run --Werror $(CXX_SOURCES)
	@$(MAKE) --no-print-directory -j $$(nproc) $(patsubst core/%.cpp,build/check/%.ok,$(wildcard core/*.cpp))
	$(BIN)/ruff check src tests benchmarks scripts examples
	$(BIN)/ruff format --check src tests benchmarks scripts examples
	$(BIN)/mypy
	@if [ -f scripts/reference.py ]; then $(BIN)/python scripts/reference.py --check; fi
	$(BIN)/python scripts/layers.py --check

bench: $(VENV)/.bench  ## Run the benchmarks side by side with their peers (long).
	$(BIN)/python -m benchmarks

PAGES :=
results: $(VENV)/.bench  ## Write the pages of docs/results by their runners (hours, on a quiet machine; PAGES="fields join": those).
	$(BIN)/python -m pip install --quiet rensa datasketch
	$(BIN)/python -m benchmarks --results $(PAGES)

docs: $(VENV)/.dev  ## Build the documentation site into site/.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:  ## Remove what was built.
	rm -rf $(VENV) build dist site demo
