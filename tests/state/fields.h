/* SPDX-License-Identifier: MIT */
/* For tests that go field by field: random values in, a restore, the same values out. */
#ifndef PFIFO_TESTS_STATE_FIELDS_H
#define PFIFO_TESTS_STATE_FIELDS_H

#include "gpu/gpu.h"
#include "state/player.h"

/* Random words, none of them 0, in the fields from `first` to `last`. */
#define FILL_FIELDS(c, object, first, last)                                                                            \
    fields_fill(c, (uint8_t *)(object) + offsetof(__typeof__(*(object)), first),                                       \
                offsetof(__typeof__(*(object)), last) + sizeof(object)->last - offsetof(__typeof__(*(object)), first))

#define ASSERT_SAME_FIELDS(a, b, first, last)                                                                          \
    assert_memory_equal((const uint8_t *)(a) + offsetof(__typeof__(*(a)), first),                                      \
                        (const uint8_t *)(b) + offsetof(__typeof__(*(b)), first),                                      \
                        offsetof(__typeof__(*(a)), last) + sizeof(a)->last - offsetof(__typeof__(*(a)), first))

void fields_fill(struct choice *c, void *words, size_t bytes);
uint64_t fields_any64(struct choice *c);

/* A machine that is small to save. */
struct pfifo_gpu *fields_machine(const char *chip);
/* What is saved of one goes into the other. */
void fields_restore(struct pfifo_gpu *from, struct pfifo_gpu *to);

#endif
