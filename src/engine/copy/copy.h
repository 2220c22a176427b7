/* SPDX-License-Identifier: MIT */
/*
 * Copy engines, inside: what differs between their classes, and the parts of a launch.
 *
 *   copy.c             LAUNCH_DMA: surfaces, checks, what comes after the copy
 *   copy_remap.c       SET_REMAP_COMPONENTS
 *   copy_semaphore.c   releases and reductions
 *   copy_nouveau.c     the other firmware of GT215 and Fermi
 */
#ifndef PFIFO_SRC_ENGINE_COPY_COPY_H
#define PFIFO_SRC_ENGINE_COPY_COPY_H

#include "engine/sync/report.h"
#include "engine/copy/transfer.h"

/* How a class says which memory its addresses are in. */
enum copy_addressing {
    COPY_DMA_OBJECTS,     /* 85b5: bits 31:28 of the upper word are the number of an object at 0x180 */
    COPY_ADDRESSING_MODE, /* 90b5: a method */
    COPY_PHYS_MODE,       /* a0b5-: bits of the launch, and a method for each side */
};

struct copy_class {
    enum copy_addressing addressing;
    bool checks;      /* LAUNCHERR: what does not fit is refused */
    bool conditional; /* render enable */
    bool reduces;
    bool gob_choice;   /* BLOCK_SIZE says how many lines a gob has */
    bool quarter_gobs; /* blocks may be 16 bytes wide */
    bool wide_origins; /* methods of 32 bits for x and y, besides those of 16 */
    bool payload_64;
    bool secure;        /* bits 21:20 of the launch: copies between protected memory, not modelled */
    bool prefetches;    /* transfer type 3 */
    uint32_t reduction; /* bit per SEMAPHORE_REDUCTION that the class has */
};

/* Private state of a class with wide origins: words with those that are in effect. */
enum { COPY_SRC_X, COPY_SRC_Y, COPY_DST_X, COPY_DST_Y, COPY_ORIGIN_WORDS };

enum copy_remap_zero { COPY_REMAP_KEEPS, COPY_REMAP_ZEROES }; /* what codes 6 and 7 do */

/*
 * What `value` makes of a pixel, with two constants.
 * UNKNOWN: a component that the source does not have (where that is not refused); chosen: 0.
 */
struct transfer_pixel copy_remap(uint32_t value, uint32_t constant_a, uint32_t constant_b, enum copy_remap_zero zero);

/* Whether a component of the source is used that it does not have. */
bool copy_remap_is_bad(uint32_t value);

/* What SEMAPHORE_TYPE and SEMAPHORE_REDUCTION of a launch ask for. False: the memory of the semaphore has faulted. */
bool copy_semaphore(const struct call *call, const struct copy_class *copy_class, struct dma_address target);

/* Method 0x300 of nouveau's firmware; `object`: whether DMA objects are bound at 0x180 (GT215). */
enum action_result copy_nouveau(const struct call *call, bool objects);

#endif
