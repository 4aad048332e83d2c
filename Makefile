# make setup   the virtual environment .venv with everything that is needed here
# make demo    the main job on the bundled mini-web
# make test    linter, type checker, all tests
# make bench   pages a second against peers (PAGES=file … for your own pages)
# make models trains the shipped models anew (DATA=folder with the annotated sets)
# make notebooks  runs them and keeps their outputs
# make wheels  binary packages for this platform (cibuildwheel; on Linux it needs Docker or Podman)
# make lock    anew after a change of dependencies in pyproject.toml

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup demo test lint bench models notebooks wheels lock clean

setup: $(READY)

$(READY): pyproject.toml requirements.lock scripts/setup $(wildcard features/*.h features/*/*.[ch] chunker/*/*.[ch])
	PYTHON="$(PYTHON)" sh scripts/setup
	@touch $(READY)

demo: setup
	$(BIN)/ruiji demo -o demo-out

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@sh scripts/typed
	cd .typed && ../$(BIN)/mypy --cache-dir ../.mypy_cache --config-file ../pyproject.toml -p ruiji -p benchmarks

test: lint
	@sh scripts/java
	@sh scripts/browser
	$(BIN)/python -m pytest -n 2 --dist loadfile

bench: setup
	$(BIN)/python -m benchmarks.stages $(PAGES)

models: setup
	$(BIN)/python -m scripts.bake_tables
	$(BIN)/python -m scripts.make_models $(DATA)

notebooks: setup
	$(BIN)/python -m scripts.run_notebooks

wheels: setup
	$(BIN)/python -m pip install --quiet cibuildwheel
	$(BIN)/python -m cibuildwheel --output-dir dist

lock: setup
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11 \
	  --extra dev pyproject.toml --output-file requirements.lock

clean:
	rm -rf .venv .typed demo-out .pytest_cache .mypy_cache .ruff_cache .hypothesis
