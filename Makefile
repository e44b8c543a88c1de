# Everything a fresh Debian machine needs to build, run and check Ludex. `make` lists the targets.
#
# Python tools, cmake and ninja come from wheels into .venv; stamps in .make/ say what is done,
# so a second run starts at once. A change of pyproject.toml or native code builds again.

PYTHON ?= python3
WORKERS ?= 2
# make soak: how long in all, in minutes. It goes on where the last soak stopped.
MINUTES ?= 30
# make fuzz: how long, in seconds.
SECONDS ?= 60
# Reference data, where there is any.
SHARED := $(or $(LUDEX_SHARED),$(wildcard ../shared))

BIN := .venv/bin
PIP := $(BIN)/pip install -q --disable-pip-version-check --no-compile
NATIVE := $(shell find src -path '*/native*' 2>/dev/null | sort) CMakeLists.txt $(wildcard cmake/*)
CPP := $(shell find src tests/native tests/fuzz -name '*.[ch]pp' 2>/dev/null | sort)
MODULES := $(shell find src -path '*/native/bindings.cpp' | sed 's|^src/||; s|/native/bindings.cpp||')

.DEFAULT_GOAL := help
.PHONY: help run test lint format bench docs sanitize conform fuzz strength strength-quick soak stubs clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "make %-15s %s\n", $$1, $$2 }'

run: .make/built  ## build, then play a short show of every world
	$(BIN)/ludex showcase

test: .make/installed  ## run all tests but those of playing strength
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m "not strength"

lint: .make/installed  ## check style, types, layers and spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run -Werror $(CPP)
	$(BIN)/codespell

format: .make/installed  ## put Python and C++ into the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)

bench: .make/installed  ## measure speed
	$(BIN)/ludex bench
	$(BIN)/python benchmarks/suite.py

docs: .make/installed  ## build the documentation; warnings are errors
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

sanitize: .make/sanitize .make/threads  ## run native tests and walks under ASan, UBSan and TSan
	$(BIN)/ctest --test-dir build/sanitize --output-on-failure --timeout 300 -j $(WORKERS)
	$(BIN)/python tests/native/vgdl_levels.py build/levels $(wildcard $(SHARED)/data/gvgai)
	$(BIN)/python tests/property/vgdl_wild_games.py build/generated --count 150
	build/sanitize/tests/native/test_vgdl --ticks 2000 --seconds 2 build/levels/list.txt
	build/sanitize/tests/native/test_vgdl --ticks 60 --seconds 0.5 build/generated/list.txt
	build/sanitize/tests/native/test_vgdl_allocations build/levels/list.txt
	$(BIN)/python tests/native/hearthstone_cards.py build/hearthstone.txt
	build/sanitize/tests/native/test_hearthstone build/hearthstone.txt 300
	$(BIN)/python tests/property/hearthstone_wild_cards.py --write build/wild.cards --sets 40
	$(BIN)/python tests/native/hearthstone_cards.py build/wild.txt classic build/wild.cards
	build/sanitize/tests/native/test_hearthstone build/wild.txt 2000
	$(BIN)/ctest --test-dir build/threads --output-on-failure --timeout 300 -j $(WORKERS) -R 'walk_|search_|test_learned'
	build/threads/tests/native/test_vgdl --ticks 40 --seconds 0.3 build/levels/list.txt
	build/threads/tests/native/test_hearthstone build/hearthstone.txt 40 0 2

conform: .make/installed  ## replay all reference traces of VGDL
	$(BIN)/ludex conform vgdl $(or $(SHARED),../shared)/conformance/vgdl --workers $(WORKERS)

fuzz: .make/installed  ## fuzz the VGDL engine for SECONDS=60, with clang
	@command -v clang++ >/dev/null || \
	  { echo "make fuzz needs clang and its fuzzer; type: apt-get install clang" >&2; exit 1; }
	@mkdir -p build/fuzz/corpus
	@$(MAKE) --no-print-directory -C tests/fuzz
	@$(BIN)/python tests/fuzz/dictionary.py > build/fuzz/vgdl.dict
	@$(BIN)/python tests/property/vgdl_wild_games.py build/fuzz/seeds --count 150 --largest 12000
	build/fuzz/fuzz_vgdl build/fuzz/corpus build/fuzz/seeds -dict=build/fuzz/vgdl.dict \
	  -artifact_prefix=build/fuzz/ -max_total_time=$(SECONDS) -timeout=60 -max_len=12000 \
	  -print_final_stats=1

strength: .make/installed  ## run every test of playing strength (long)
	$(BIN)/pytest -n $(WORKERS) -m strength --timeout 3600

strength-quick: .make/installed  ## run the quick tests of playing strength
	$(BIN)/pytest -n $(WORKERS) -m "strength and not slow"

soak: .make/sanitize  ## play at random for MINUTES=30, resuming the last soak
	$(BIN)/python benchmarks/soak.py --minutes $(MINUTES) --walks build/sanitize --notes .make/soak.json
	$(BIN)/python tests/native/hearthstone_cards.py build/hearthstone.txt
	build/sanitize/tests/native/test_hearthstone build/hearthstone.txt 100000 100 $(WORKERS)
	$(BIN)/python tests/property/hearthstone_wild_cards.py --decks 100000
	LUDEX_PLAIN_GAMES=10000 $(BIN)/pytest -q -n $(WORKERS) --timeout 0 tests/unit/worlds/hearthstone/test_hearthstone_against_plain.py

stubs: .make/installed  ## write the type stubs of the native modules again
	@for package in $(MODULES); do \
	  $(BIN)/python -m nanobind.stubgen -q -m $$(echo $$package | tr / .)._native -o src/$$package/_native.pyi; \
	done

clean:  ## remove all that was built, the virtual environment included
	rm -rf build dist .make .venv showcase docs/_build docs/api .mypy_cache .ruff_cache .pytest_cache \
	  .hypothesis .import_linter_cache .benchmarks
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# Names what is missing in one sentence, with the one line to type.
.make/system:
	@missing=""; packages=""; \
	lacks() { missing="$$missing, $$1"; packages="$$packages $$2"; }; \
	command -v git >/dev/null || lacks git git; \
	command -v $(firstword $(CXX)) >/dev/null || lacks "a C++ compiler" g++; \
	if ! command -v $(PYTHON) >/dev/null; then \
	  lacks "Python 3.11" "python3 python3-dev python3-venv"; \
	elif ! $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then \
	  echo "Ludex needs Python 3.11 or newer, but $(PYTHON) is older; name a newer one: make PYTHON=python3.12" >&2; exit 1; \
	else \
	  $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || lacks "Python's venv" python3-venv; \
	  $(PYTHON) -c 'import pathlib, sys, sysconfig; sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())' \
	    || lacks "Python's headers" python3-dev; \
	fi; \
	if [ -n "$$packages" ]; then \
	  echo "Ludex cannot be built without $${missing#, }; type: apt-get install$$packages" >&2; exit 1; \
	fi
	@mkdir -p .make
	@touch $@

.make/venv: | .make/system
	@echo "making .venv"
	@$(PYTHON) -m venv .venv
	@touch $@

# What `make run` needs and no more. Bytecode is written when a module is first imported, not for all.
.make/built: .make/venv pyproject.toml $(NATIVE)
	@echo "building Ludex; the first time takes two to four minutes, for its rules are compiled from C++"
	@# The tools that build are installed first and used as they are, so that a rebuild is quick.
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], "cmake>=3.25", "ninja>=1.11", sep="\n")' \
	  | xargs $(PIP)
	@$(PIP) --no-build-isolation -e .
	@touch $@

# Besides, the tools of development and every extra. Ludex itself is not built again for them.
.make/installed: .make/built
	@echo "installing the tools of development"
	@$(PIP) 'ludex[dev]'
	@touch $@

# ThreadSanitizer excludes the other sanitizers, so it has a build of its own; walks are short in it.
.make/threads: .make/installed $(CPP) $(wildcard tests/native/*)
	@$(BIN)/cmake -G Ninja -S . -B build/threads -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLUDEX_NATIVE_TESTS=ON -DLUDEX_SANITIZE=thread -DCMAKE_UNITY_BUILD=ON \
	  -DLUDEX_WALK_SECONDS=3
	@$(BIN)/cmake --build build/threads
	@touch $@

.make/sanitize: .make/installed $(CPP) $(wildcard tests/native/*)
	@$(BIN)/cmake -G Ninja -S . -B build/sanitize -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLUDEX_NATIVE_TESTS=ON -DLUDEX_SANITIZE=address,undefined
	@$(BIN)/cmake --build build/sanitize
	@touch $@
