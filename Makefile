# Each target sets up what it needs: an environment in .venv with the versions of requirements.txt.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: book test bench fuzz campaigns reference clean

book: $(READY)
	$(BIN)/joulebook run data/clients/*/
	$(BIN)/joulebook book
	$(BIN)/joulebook report data/clients/*/

test: $(READY)
	$(BIN)/ruff check
	$(BIN)/python -m pytest -n 2 --dist loadfile --nbval --nbval-current-env --nbval-sanitize-with tests/sanitize.cfg

bench: $(READY)
	$(BIN)/python -m tests.bench

fuzz: $(READY)
	$(BIN)/python -m tests.fuzz

campaigns: $(READY)
	$(BIN)/python -m tests.campaigns

reference: $(READY)
	$(BIN)/python -m joulebook.publish.reference

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info[:2] <= (3, 13) else \
	  "Python 3.11 to 3.13 is needed, this is %d.%d: make PYTHON=python3.12 ..." % sys.version_info[:2])'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

clean:
	rm -rf .venv _build runs
