# The environment makes itself: .venv is installed by the first target that needs it, and again after pyproject.toml changed.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help install demo test test-slow lint format typecheck docs pictures dagre snapshots site package bench all clean

BIN := .venv/bin
# The tests start many processes: each would compile what it imports again.
unexport PYTHONDONTWRITEBYTECODE
# A worker a core, each with whole files, so that what a file sets up is set up once.
PYTEST := $(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile
# Each of these takes ten minutes or more, and is run by itself.
LONG := crash.py readers.py scale.py ray_crash.py ray_scale.py ray_hosts.py ray_slow.py
BENCHMARKS := $(filter-out benchmarks/_% $(LONG:%=benchmarks/%),$(wildcard benchmarks/*.py))

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-10s %s\n", $$1, $$2 }' Makefile

install: .venv/dev ## Make .venv with every extra and the developers' tools

demo: .venv/runtime ## Walk through a how-to question in the terminal
	$(BIN)/python examples/demo.py

test: .venv/dev ## Run the quick tests
	$(PYTEST) -m "not slow"

test-slow: .venv/dev ## Run the slow tests, with Ray, which is large
	@$(INSTALL) -e '.[ray]'
	@# 5 says that no test is marked slow.
	$(PYTEST) -m slow || [ $$? -eq 5 ]

lint: .venv/dev ## Check style, imports and formatting
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: .venv/dev ## Mend what lint can mend
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

typecheck: .venv/dev ## Check types
	$(BIN)/mypy

docs: .venv/dev ## Write the pages in docs/ that are made of tables and of docstrings
	$(BIN)/python -m tests.thread_core.session_table
	$(BIN)/python -m tests.thread_core.forms_table
	$(BIN)/python -m tests.stores_page
	$(BIN)/python tools/reference.py

snapshots: .venv/dev ## Write tests/*/snapshots from the prompts as they are rendered
	$(BIN)/python -m tests.thread_core.prompts
	$(BIN)/python -m tests.thread_eval.prompts

pictures: .venv/dev ## Draw docs/assets/walk.svg, a walk in the terminal, and the pages of `thread-rag view`
	$(BIN)/python tools/pictures.py
	$(BIN)/python tools/view_pictures.py

dagre: ## Take the layout of maps from npm anew, in the version that is named here
	@# 3.1.3 is by the makers of the library, under MIT; thread_view/assets/dagre holds its file as npm has it.
	cd "$$(mktemp -d)" && npm pack --silent @dagrejs/dagre@3.1.3 && tar xzf *.tgz && \
		cp package/dist/dagre.min.js package/LICENSE "$(CURDIR)/thread_view/assets/dagre/"

site: .venv/dev ## Build the documentation into site/, and check its links
	@$(INSTALL) --group site
	$(BIN)/zensical build --strict --clean

package: .venv/dev ## Build the release of the last commit into dist/, install it and run the examples from it
	@$(INSTALL) --group package
	$(BIN)/python tools/package.py

bench: .venv/dev ## Run the benchmarks, a quarter of an hour; not crash.py, readers.py and scale.py
	@set -e; for file in $(BENCHMARKS); do echo "== $$file"; $(BIN)/python "$$file"; done
	@test -n "$(BENCHMARKS)" || echo "There is no benchmark in benchmarks/ yet."

all: lint typecheck test ## Run lint, typecheck and test

clean: ## Remove .venv and the tools' caches
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .tox .cache dist site

# The demo, a newcomer's first command, does without the developers' tools.
.venv/runtime: NEEDS = -e '.[langchain,llama-index,cli]'
.venv/dev: NEEDS = -e '.[all]' --group dev
.venv/runtime .venv/dev: pyproject.toml
	@echo "Installing into .venv (some minutes the first time)"
	@$(VENV)
	@$(INSTALL) $(NEEDS)
	@touch .venv/runtime $@

# What .venv has to be already, or it is made anew.
IS_NEW = 'import sys; sys.exit(sys.version_info < (3, 11))'
HAS_PIP = 'import pip, sys; sys.exit(sys.version_info < (3, 11))'

ifneq ($(shell command -v uv 2>/dev/null),)
VENV = $(BIN)/python -c $(IS_NEW) 2>/dev/null || uv venv --quiet --clear --python $(or $(PYTHON),'>=3.11') .venv
INSTALL = uv pip install --quiet --python $(BIN)/python
else
# Each candidate is run, not looked up: a version manager's shim may have nothing behind it.
PYTHON ?= $(shell for candidate in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$candidate" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$candidate" && break; done)
# The newest pip, because the one that venv brings may not know --group.
VENV = $(BIN)/python -c $(HAS_PIP) 2>/dev/null || { $(if $(PYTHON),$(PYTHON) -m venv --clear --upgrade-deps .venv,$(error $(NO_PYTHON))); }
INSTALL = $(BIN)/python -m pip install --quiet
NO_PYTHON = thread-rag needs Python 3.11 or later with venv; install one or name it: make PYTHON=/path/to/python3
endif
