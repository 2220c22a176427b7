/* SPDX-License-Identifier: MIT */
/* What registers and memory hold, and what the driver writes: for tests that know it word by word. */
#ifndef PFIFO_TESTS_DRIVER_PROBE_H
#define PFIFO_TESTS_DRIVER_PROBE_H

#include "driver/rig.h"

extern struct rig rig; /* the one that all of this looks at */

static inline bool is_tesla(const struct part *part) {
    return !part->fermi && !part->calls;
}

static inline bool is_fermi(const struct part *part) {
    return part->chip[0] == 'G' && part->chip[1] == 'F';
}

/* GK104 and later */
static inline bool is_runlist(const struct part *part) {
    return part->fermi && !is_fermi(part);
}

static inline bool is_g80(const struct part *part) {
    return strcmp(part->chip, "G80") == 0;
}

/* Up to the first NULL. */
bool in_list(const struct part *part, const char *const *chips, size_t count);

uint32_t reg(uint32_t offset);
void expect_reg(uint32_t offset, uint32_t mask, uint32_t value);

/* A word of instance memory; without VRAM it is in system memory. */
uint32_t mem(uint64_t address);

struct word {
    uint32_t offset, value;
};

void expect_words(uint64_t base, const struct word *words, size_t count, const char *what);
/* These, and 0 in all others up to the end. */
void expect_only(uint64_t base, uint32_t end, const struct word *words, size_t count, const char *what);

/* Record what is written to BAR0 from now on. Once per device; clear_writes() begins anew. */
void record_writes(void);
void clear_writes(void);
/* Values that were written to a register; how many. */
size_t writes_to(uint32_t address, uint32_t *values, size_t room);

/* Written values are compared under a mask. */
struct step {
    uint32_t address, mask, value;
};

/* Of all writes to the registers of the steps, these and no others were made, in this order. */
void expect_steps(const struct step *steps, size_t count);

#endif
