/* SPDX-License-Identifier: MIT */
/*
 * The bare loops: packets of a format are decoded and handed to an engine, one call each, and nothing else is done. No
 * registers, no budget, no events, no interrupts, no errors: what is left of a front end without its features.
 */
#ifndef PFIFO_BENCH_BARE_H
#define PFIFO_BENCH_BARE_H

#include <pfifo/engine.h>

#include <stddef.h>

/* All packets of a segment, up to a word that is none. */
typedef void bench_bare(const struct pfifo_engine_ops *ops, void *engine, const uint32_t *words, size_t count);

bench_bare bare_nv4, bare_gf100;

#endif
