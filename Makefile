# The two commands of the README are `make site` and `make test`; both set up what they need.

PYTHON ?= python3
SITE ?= site
JOBS ?= 2
BIN := .venv/bin
READY := .venv/.ready

.PHONY: site test soak lint reproducible benchmarks lock gates screenshots sample browser clean

site: $(READY)
	$(BIN)/runcite build --source data --site $(SITE)
	@echo "Read it: open $(SITE)/index.html in a browser, or run: $(PYTHON) -m http.server --bind 127.0.0.1 --directory $(SITE) 8000"

test: $(READY) browser
	$(BIN)/pytest -n $(JOBS)

# The long versions of what `make test` holds samples of: half an hour or more. Figures and seeds stand at the end.
# RUNCITE_FUZZ_SEED=N repeats the mutants of an earlier run.
LONG := tests/fuzz tests/verify/test_damages.py tests/publish/test_atomic.py tests/project/test_canaries.py tests/site \
	tests/verify/test_random_changes.py

soak: $(READY) browser
	RUNCITE_SOAK=1 $(BIN)/pytest -n $(JOBS) --dist loadfile $(wildcard $(LONG))

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Two builds that differ in folder, locale, time zone, hash seed and number of processes must give the same bytes.
reproducible: $(READY)
	rm -rf build/first build/second
	mkdir -p build/first build/second
	LC_ALL=C TZ=UTC PYTHONHASHSEED=1 $(BIN)/runcite build --source data --site build/first/site --jobs 1
	LC_ALL=C.UTF-8 TZ=Asia/Shanghai PYTHONHASHSEED=2 $(BIN)/runcite build --source data --site build/second/site --jobs 2
	diff -r build/first/site build/second/site
	@echo "Two builds, the same bytes."

benchmarks: $(READY)
	$(BIN)/python tests/benchmarks/bench_build.py
	$(BIN)/python tests/benchmarks/bench_stamp.py
	$(BIN)/python -m tests.benchmarks.bench_headline

# Regenerates the sample batches; the same bytes each time.
sample: $(READY)
	$(BIN)/python -m generator.sample

# What needs Node and Java: HTML by the W3C's checker, without two messages of the theme; links and fragments on disk.
GATES := build/gates/node_modules
OF_THEME := Attribute “autocomplete” is only allowed.*|Bad value “” for attribute “tabindex” on element “label”.*

gates: $(READY)
	test -d $(SITE) || $(MAKE) site
	npm install --silent --no-fund --no-audit --prefix build/gates -E vnu-jar@26.9.27 hyperlink@5.0.4
	java -jar $(GATES)/vnu-jar/build/dist/vnu.jar --errors-only --skip-non-html --filterpattern '$(OF_THEME)' $(wildcard $(SITE)/*.html) \
		$(SITE)/compare $(SITE)/experiments $(wildcard $(SITE)/runs/*.html) $(SITE)/en
	$(GATES)/.bin/hyperlink --root $(SITE) $(SITE)/index.html --internal -r

# The pictures of the documentation, of the site in $(SITE).
screenshots: $(READY) browser
	test -d $(SITE) || $(MAKE) site
	$(BIN)/python -m tests.site.screenshots $(SITE) docs/screenshots

lock: $(READY)
	$(BIN)/pip install uv
	$(BIN)/uv pip compile -q pyproject.toml --all-extras --group dev --universal --generate-hashes --python-version 3.11 --no-header --no-annotate -o requirements.lock

browser: $(READY)
	@if command -v chromium chromium-browser google-chrome >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		apt-get update -qq && apt-get install -y -qq chromium fonts-noto-cjk; \
	else $(BIN)/playwright install chromium; fi

$(READY): requirements.lock pyproject.toml setup.py
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $(READY)

clean:
	rm -rf build .venv $(SITE)
