# Each target sets up what it needs: an environment in .venv with the versions of requirements.txt.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
AXE := tests/browser/node_modules/.package-lock.json

.PHONY: book test test-browser bench fuzz campaigns reference clean

book: $(READY)
	$(BIN)/joulebook run data/clients/*/
	$(BIN)/joulebook book
	$(BIN)/joulebook report data/clients/*/

test: $(READY)
	$(BIN)/ruff check
	$(BIN)/python -m pytest -n 2 --dist loadfile --nbval --nbval-current-env --nbval-sanitize-with tests/sanitize.cfg

# A browser is never fetched: the system's Chromium reads the books, and npm fetches what checks their accessibility.
test-browser: $(READY) $(AXE)
	$(BIN)/python -m pytest tests/browser -n 2

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

$(AXE): tests/browser/package.json tests/browser/package-lock.json
	@command -v npm >/dev/null || { echo "npm is needed for the browser tests: apt-get install npm" >&2; exit 1; }
	npm ci --prefix tests/browser --silent --no-audit --no-fund
	touch $@

clean:
	rm -rf .venv _build runs tests/browser/node_modules
