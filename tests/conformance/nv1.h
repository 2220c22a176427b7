/* SPDX-License-Identifier: MIT */
/*
 * The part of NV1's PFIFO that USER writes can change, as a value: a state is loaded into the machine, the test says
 * what a write makes of it, and the machine is compared with that, everywhere.
 *
 * Sources: envytools hwtest/pfifo.cc (what was seen on silicon), docs/hw/fifo/nv1-pfifo.rst
 */
#ifndef PFIFO_TESTS_CONFORMANCE_NV1_H
#define PFIFO_TESTS_CONFORMANCE_NV1_H

#include "rig.h"

#define NV1_RAMIN_WORDS (0x11000 / 4)

struct nv1_state {
    uint32_t config;   /* PRAM.CONFIG */
    uint32_t config_0; /* the size of the lie */
    uint32_t caches, runout_put, runout_get, intr;
    uint32_t c0_push0, c0_chid, c0_put, c0_get;
    uint32_t push0, chid, put, get, pull1, ctx[8];
    uint32_t addr[32], data[32];
    bool latch;
    uint32_t ramin[NV1_RAMIN_WORDS];
};

/* Pseudo-random numbers, the same on each run. */
uint32_t nv1_random(uint32_t *seed);
/* A random legal state: pullers off, the latch only with RAMRO pending. */
void nv1_random_state(struct nv1_state *s, uint32_t *seed);
/* A state in which nothing happens: channel 0, empty, REASSIGN and PUSH0 on. */
void nv1_plain_state(struct nv1_state *s);
void nv1_load(struct rig *rig, const struct nv1_state *s);
/* The machine is in this state and no other; the failure names the difference. */
void nv1_compare_at(struct rig *rig, const struct nv1_state *s, const char *file, int line);
#define nv1_compare(rig, s) nv1_compare_at(rig, s, __FILE__, __LINE__)

/* What the state says. */
uint32_t nv1_ramro_mask(const struct nv1_state *s);
bool nv1_empty(const struct nv1_state *s);
bool nv1_full(const struct nv1_state *s);
bool nv1_lies(const struct nv1_state *s);
uint32_t nv1_gray_next(uint32_t pointer);
uint32_t nv1_steps(uint32_t pointer); /* from 0 */

/* What may become of a write to `offset` within USER. */
void nv1_reject(struct nv1_state *s, uint32_t offset, uint32_t data, uint32_t reason);
void nv1_push(struct nv1_state *s, uint32_t offset, uint32_t data);
void nv1_switch(struct nv1_state *s, uint32_t channel);
#define NV1_CHANNEL(offset) ((offset) >> 16 & 0x7f)

/* One write of 1, 2 or 4 bytes: the whole decision procedure. */
void nv1_write(struct nv1_state *s, uint32_t offset, uint32_t value, unsigned bytes);
uint32_t nv1_free(const struct nv1_state *s, uint32_t channel);

#endif
