# SPDX-License-Identifier: GPL-2.0-or-later
# `make help` lists the targets. Everything built goes to build/; FLAVOUR=asan builds the same with
# the address and undefined-behaviour sanitizers beside the plain one.

FLAVOUR ?= plain
B       := build/$(FLAVOUR)
CC      := gcc
ifeq ($(FLAVOUR),fuzz)
CC      := clang
endif

# make V=1 prints whole commands.
Q       := $(if $(V),,@)
say      = @$(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),:,printf '  %-8s %s\n' $(1) $@)

PREFIX  ?= /usr/local
DESTDIR ?=
VERSION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)

WARN    := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2
CFLAGS_plain := -O2 -g
CFLAGS_fuzz  := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
CFLAGS_asan  := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CPPFLAGS := -D_GNU_SOURCE -I. -Ibuild/gen -include harness/util/banned.h
CFLAGS   := -std=c11 $(CFLAGS_$(FLAVOUR)) $(WARN) -fstack-protector-strong
LIBS     := -lgit2 -lcurl -lsqlite3 -lyaml -ljansson -lzstd -lcrypto -lm

# The library is every .c of harness/, db/ and reports/ but the agent's and the mains.
LIB_SRC   := $(filter-out harness/agent/% harness/cli/main.c, $(wildcard harness/*/*.c) $(wildcard db/*.c reports/*.c))
AGENT_SRC := $(wildcard harness/agent/*.c) harness/util/err.c harness/util/mem.c harness/util/str.c \
	$(wildcard harness/util/fs*.c harness/util/proc*.c) harness/util/json.c harness/util/time.c harness/util/units.c
EMBED     := $(patsubst %, build/gen/%.h, $(wildcard db/*.sql reports/*.tmpl harness/cli/*.tmpl))
UNITS     := $(patsubst tests/unit/%.c, %, $(wildcard tests/unit/*_test.c))
FUZZERS   := $(patsubst tests/fuzz/%.c, %, $(wildcard tests/fuzz/*_fuzz.c))

WIS_CASES := $(filter-out main driver_%, $(patsubst benchmarks/will-it-scale/%.c, %, $(wildcard benchmarks/will-it-scale/*.c)))
BENCH     := $(foreach c, $(WIS_CASES), $(c)_threads $(c)_processes) hackbench pipe-test

lib_obj   := $(LIB_SRC:%.c=$(B)/obj/%.o)
agent_obj := $(AGENT_SRC:%.c=build/agent/%.o)

all: $(B)/lkpctl build/lkpctl build/lkp-agent bench-programs

help:
	@sed -n 's/^#: //p' Makefile

#: make            builds build/lkpctl, build/lkp-agent and the benchmarks
#: make demo       installs what is missing, builds, and runs the main job on a real kernel
#: make check      installs what is missing, builds, and runs every test
#: make deps       installs the Debian packages that are missing
#: make lint       layout, floors, sizes, static analysis
#: make bench      timed claims, as ratios against a peer
#: make bench-fidelity  our benchmarks against the originals (docs/fidelity.md)
#: make fuzz       runs each fuzz target for FUZZ_SECONDS (60)
#: make install    to $(DESTDIR)$(PREFIX)
#: make clean      removes build/

# ---- programs ----------------------------------------------------------------------------------

$(B)/lkpctl: $(B)/obj/harness/cli/main.o $(B)/liblkp.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LIBS)

build/lkpctl: build/plain/lkpctl
	@ln -sfn plain/lkpctl $@

ifneq ($(FLAVOUR),plain)
build/plain/lkpctl:
	$(MAKE) FLAVOUR=plain $@
endif

$(B)/liblkp.a: $(lib_obj)
	@rm -f $@
	$(call say,AR)
	$(Q)ar qcs $@ $^

$(B)/obj/%.o: %.c | $(EMBED)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -DLKP_VERSION='"$(VERSION)"' -MMD -MP -c -o $@ $<

# The agent and the benchmarks run on test machines: always plain, static, the same in every flavour.
build/lkp-agent: $(agent_obj)
	$(call say,LD)
	$(Q)$(CC) -static -O2 -g -o $@ $^ -ljansson -lm

build/agent/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) -std=c11 -O2 -g $(WARN) -MMD -MP -c -o $@ $<

bench-programs: $(BENCH:%=build/bench/%)

BENCH_CC = $(CC) -std=c11 -D_GNU_SOURCE -I. -O2 -g $(WARN) -static -pthread
wis_driver := $(wildcard benchmarks/will-it-scale/main.c benchmarks/will-it-scale/driver_*.c)

build/bench/%_threads: benchmarks/will-it-scale/%.c $(wis_driver) $(wildcard benchmarks/will-it-scale/*.h)
	@mkdir -p $(@D)
	$(call say,BENCH)
	$(Q)$(BENCH_CC) -DTHREADS -o $@ $(filter %.c, $^)

build/bench/%_processes: benchmarks/will-it-scale/%.c $(wis_driver) $(wildcard benchmarks/will-it-scale/*.h)
	@mkdir -p $(@D)
	$(call say,BENCH)
	$(Q)$(BENCH_CC) -o $@ $(filter %.c, $^)

build/bench/hackbench: $(wildcard benchmarks/hackbench/*.[ch])
	@mkdir -p $(@D)
	$(call say,BENCH)
	$(Q)$(BENCH_CC) -o $@ $(filter %.c, $^)

build/bench/pipe-test: $(wildcard benchmarks/pipe-test/*.[ch])
	@mkdir -p $(@D)
	$(call say,BENCH)
	$(Q)$(BENCH_CC) -o $@ $(filter %.c, $^)

# A text file as a C string, embedded: db/schema.sql is embed_db_schema_sql.
build/gen/%.h: % tools/embed
	@mkdir -p $(@D)
	$(call say,EMBED)
	$(Q)tools/embed $< > $@

# ---- tests -------------------------------------------------------------------------------------

$(B)/unit/%: $(B)/obj/tests/unit/%.o $(B)/liblkp.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ -lcmocka $(LIBS)

unit-%: $(B)/unit/%
	$<

unit: $(UNITS:%=$(B)/unit/%)
	$(Q)tools/run-units $^

$(B)/fuzz/%: $(B)/obj/tests/fuzz/%.o $(B)/liblkp.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

# The fuzz targets have a flavour of their own: clang's coverage in every object.
fuzz-replay fuzz:
	$(MAKE) FLAVOUR=fuzz $@-targets

fuzz-replay-targets: $(FUZZERS:%=$(B)/fuzz/%)
	$(Q)tools/run-fuzz replay $^

fuzz-targets: $(FUZZERS:%=$(B)/fuzz/%)
	$(Q)tools/run-fuzz $(or $(FUZZ_SECONDS),60) $^

golden: $(B)/lkpctl
	tests/golden/run $(B)/lkpctl

cli: $(B)/lkpctl all
	LKP_BUILD=$(CURDIR)/$(B) bats tests/cli

lab: all
	LKP_BUILD=$(CURDIR)/build/plain bats tests/lab

deps:
	tools/deps install

check: deps
	tools/check

demo: deps
	$(MAKE) all
	demo/run

lint: $(EMBED)
	tools/lint

bench: all
	tools/bench

bench-fidelity: all
	tools/bench-fidelity

install: all
	tools/install "$(DESTDIR)$(PREFIX)"

clean:
	rm -rf build

.PHONY: all help bench-programs unit fuzz fuzz-replay fuzz-targets fuzz-replay-targets golden cli lab deps check demo lint bench bench-fidelity install clean
.SECONDARY:
-include $(shell find build -name '*.d' 2>/dev/null)
