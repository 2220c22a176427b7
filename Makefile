# SPDX-License-Identifier: MIT
# Verbs over meson and ninja. `make demo`, `make test` and those for VMs install what is missing (Debian; root or sudo).
#   make          build library, tool and examples into build/; the tool is build/pfifo
#   make demo     run recorded streams of six chips, and draw a square as a Switch's program does
#   make demo-vm boot Linux in QEMU with a card of NV34, and copy something there
#   make test     all tests
#   make vm-test  Linux guests whose own driver takes the card. CHIPS='NV34 G84': these; MINUTES=N: as many as there is time for;
#                 KERNELS='bookworm trixie sid': with the kernels of these suites; MESA=no: without Mesa;
#                 QEMU_SUITE=sid PROTOCOL=vfio-user: with the QEMU of that Debian, and another protocol
#   make mesa-matrix  Mesa of other suites of Debian on the model. SUITES='trixie sid'; CHIPS=, MINUTES= as for vm-test
#   make compile-suites  is it compiled without warnings by other suites' gcc and clang? SUITES=, MINUTES=
#   make report-test  pages of pfifo report in a headless Chromium, if there is one
#   make piglit   all of the piglit tests that there are for the model; make test runs one of four
#   make mutants  do the tests notice planted faults? MINUTES=N: as many of them as there is time for
#   make check    is a change sane? the quick tests, in half a minute
#   make asan     all tests under ASan and UBSan
#   make fuzz     each fuzz target for FUZZ_SECONDS; make fuzz-smoke: for 3 s, always from the same seeds
#   make bench    what the model costs, beside bare loops, memcpy, and Mesa's llvmpipe where that is installed
#   make docs     bring docs/unknown.md and the output that the documents show up to date
#   make deb      Debian packages in build-deb/
#   make release  an archive of the committed sources in build-release/, the same bytes each time
#   make lint format install clean pre-push
JOBS ?= 2
FUZZ_SECONDS ?= 60
PREFIX ?=
export JOBS PREFIX

# A new folder or fuzz target changes what is built; ninja cannot know of it, so it is asked for here.
BUILD_FILES := meson.build meson_options.txt scripts/configure \
	$(shell find src tests bench examples samples python -name meson.build) $(wildcard src/. tests/. tests/fuzz/. bench/.)

.PHONY: all demo mesa-matrix compile-suites check test bench lint asan fuzz mutants docs format install clean pre-push deps demo-vm vm-test deb release report-test piglit \
	fuzz-smoke

all: build/build.ninja
	@ninja -j$(JOBS) -C build --quiet product

build/build.ninja: $(BUILD_FILES)
	@scripts/configure normal

deps:
	@scripts/install-deps build

# Only what it runs; on a terminal ninja shows how far it is.
demo: deps
	@$(MAKE) -s --no-print-directory build/build.ninja
	@echo 'Building build/pfifo, which takes a minute or two the first time'
	@if [ -t 1 ]; then quiet=; else quiet=--quiet; fi; ninja -j$(JOBS) -C build $$quiet pfifo samples/tegra/square
	@scripts/demo

demo-vm:
	@scripts/demo-vm

check: deps
	@$(MAKE) --no-print-directory build/build.ninja
	@ninja -j$(JOBS) -C build --quiet product checks
	@PFIFO_ROUNDS=500 meson test -C build --no-rebuild --quiet --no-suite slow --num-processes $(JOBS) --print-errorlogs

test:
	@scripts/test

vm-test:
	@CHIPS='$(CHIPS)' KERNELS='$(KERNELS)' MINUTES='$(MINUTES)' MESA='$(MESA)' QEMU_SUITE='$(QEMU_SUITE)' PROTOCOL='$(PROTOCOL)' scripts/vm-test

compile-suites:
	@SUITES='$(SUITES)' MINUTES='$(MINUTES)' scripts/compile-suites

mesa-matrix:
	@SUITES='$(SUITES)' CHIPS='$(CHIPS)' MINUTES='$(MINUTES)' scripts/mesa-matrix

# Not a part of `make test`: Chromium is 500 MB.
report-test: all
	@scripts/report-test

asan:
	@scripts/test asan

fuzz:
	@scripts/install-deps build test
	@if setarch -R true 2>/dev/null; then fixed='setarch -R'; fi; $$fixed scripts/fuzz $(FUZZ_SECONDS)

piglit: deps
	@scripts/install-deps test
	@TESTS=enabled scripts/configure normal
	@ninja -j$(JOBS) -C build --quiet product checks
	@seq 1 $(JOBS) | xargs -P $(JOBS) -I@ env PFIFO_PIGLIT=@/$(JOBS) meson test -C build --no-rebuild --quiet --logbase=piglit-@ \
		--print-errorlogs mesa_piglit

fuzz-smoke:
	@scripts/install-deps build test
	@if setarch -R true 2>/dev/null; then fixed='setarch -R'; fi; $$fixed scripts/fuzz --smoke 3

mutants:
	@scripts/install-deps build test
	@tests/mutants/run $(if $(MINUTES),--minutes=$(MINUTES))

bench: deps
	@$(MAKE) --no-print-directory build/build.ninja
	@ninja -j$(JOBS) -C build --quiet product benches
	@build/bench/pfifo-bench
	@scripts/bench-gl
	@scripts/bench-glmark2
	@scripts/bench-vkmark

lint:
	@scripts/install-deps build lint
	@PFIFO_WERROR=1 scripts/configure normal
	@$(MAKE) --no-print-directory all
	@scripts/lint

docs: all
	@scripts/check-docs --write

format:
	@scripts/install-deps lint
	@git ls-files -z '*.c' '*.h' | xargs -0 -r clang-format -i

install: all
	@PREFIX="$(or $(PREFIX),/usr/local)" scripts/configure normal && ninja -j$(JOBS) -C build --quiet product
	@meson install -C build --no-rebuild
	@# A library in a folder that the loader knows is found only when it is told.
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then PATH=$$PATH:/usr/sbin:/sbin ldconfig; fi

deb:
	@scripts/deb

release:
	@scripts/release

clean:
	@rm -rf build build-asan build-fuzz build-deb build-release

pre-push: export PFIFO_WERROR := 1
pre-push:
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory test asan fuzz-smoke piglit mutants
