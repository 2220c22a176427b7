/* SPDX-License-Identifier: MIT */
/*
 * Two replays (pfifo/replay.h), compared at the point that they have reached: memory, registers, and what went wrong.
 * They may be of different captures, or of one capture on different chips.
 *
 *   results ---> faults of a kind, and why the last run ended
 *   buffers ---> by their handles: their sizes, and their bytes
 *   registers -> those that both chips have, by name, and that can be read without an effect
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_COMPARE_H
#define PFIFO_COMPARE_H

#include <pfifo/replay.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pfifo_difference_kind {
    PFIFO_DIFFERENCE_STOP,     /* value: enum pfifo_stop */
    PFIFO_DIFFERENCE_REFUSED,  /* value: how many objects the driver refused */
    PFIFO_DIFFERENCE_FAULTS,   /* name: "PGRAPH ILLEGAL_MTHD"; value: how many */
    PFIFO_DIFFERENCE_BUFFER,   /* handle; value: bytes, 0 where there is none */
    PFIFO_DIFFERENCE_MEMORY,   /* handle, offset, end, bytes; value: the words at `offset` */
    PFIFO_DIFFERENCE_REGISTER, /* name: "PGRAPH.INTR"; offset in BAR0 of the first chip; value */
};

/* What differs. The name is valid during the call. */
struct pfifo_difference {
    enum pfifo_difference_kind kind;
    const char *name;     /* NULL: it has none */
    uint32_t handle;      /* of a buffer */
    uint64_t offset, end; /* the first byte that differs, and the end of the last; `offset` is a multiple of 4 */
    uint64_t bytes;       /* that differ, of these */
    uint64_t value[2];    /* of the first replay, and the second */
};

/*
 * Compare bytes at `at` of two buffers, and add what differs to a difference of kind MEMORY, which begins with 0 bytes.
 * `at` is a multiple of 4; if `bytes` is not, the rest of the last word is there to be read, too.
 */
PFIFO_API void pfifo_difference_bytes(struct pfifo_difference *difference, const void *first, const void *second,
                                      uint64_t at, size_t bytes);

/* False: stop. */
typedef bool pfifo_compare_report(void *opaque, const struct pfifo_difference *difference);

struct pfifo_compare_options {
    size_t size;           /* sizeof(struct pfifo_compare_options), see struct pfifo_config */
    bool only_last;        /* only the buffers of the last submission, where the capture names them: version 1 */
    bool ignore_memory;    /* compare no buffers */
    bool ignore_registers; /* compare no registers */
};

/*
 * Report each difference in the order of the kinds; buffers by their handles, registers by their offsets, except those
 * that only count time. `options` may be NULL. Errors: PFIFO_ERROR_ARGUMENT, _MEMORY.
 */
PFIFO_API enum pfifo_status pfifo_replay_compare(struct pfifo_replay *first, struct pfifo_replay *second,
                                                 const struct pfifo_compare_options *options,
                                                 pfifo_compare_report *report, void *opaque, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
