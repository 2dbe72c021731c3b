# `make demo` on a fresh machine needs Python 3.11 or newer and make, nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DONE := $(VENV)/.setup-done

.PHONY: setup demo up down check test docs
.DELETE_ON_ERROR:

setup: $(DONE)
	@echo "Ready: the command is $(BIN)/lethe"

$(DONE): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here. Install Python 3.11 or newer, or name one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Lethe needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Name a newer one: make PYTHON=python3.12"; exit 1; }
	@echo "Setting up $(VENV): about 2 GB, a few minutes, once."
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { echo "Python's venv module is incomplete; on Debian and Ubuntu it is the package python3-venv."; exit 1; }
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt --config-settings editable_mode=compat -e '.[dev]'
	@touch $@

demo: $(DONE)
	$(BIN)/lethe demo

up: $(DONE)
	$(BIN)/lethe up --detach

down: $(DONE)
	$(BIN)/lethe down

check: $(DONE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(DONE)
	$(BIN)/pytest

docs: setup
	@sed -i '/^## Every key$$/,$$d' docs/policy.md
	@$(BIN)/python -m policies.documentation >> docs/policy.md
