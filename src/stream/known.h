/* SPDX-License-Identifier: MIT */
/*
 * What the records of a capture of version 2 or 3 have made so far: a recording begins with the first file of a program, so
 * everything that a record refers to is there.
 *
 *   channels --CHANIN--> spaces --MAP, BIND--> a part of a buffer      sparse ranges, in which mappings lie as a whole
 *
 * Modelled: numbers that are known, and not given twice; mappings inside of their space and buffer, none over another;
 *           pushbuffers inside of their buffer, and mapped where they say
 * Not modelled: what a chip has less of: addresses, kinds, syncpoints, channels. A replay finds out.
 *
 * All is in trees, so that a record costs no more than the logarithm of what is there; how much that may be is bounded.
 */
#ifndef PFIFO_STREAM_KNOWN_H
#define PFIFO_STREAM_KNOWN_H

#include "stream/format.h"

#define KNOWN_MOST  (1u << 20) /* things at a time */
#define KNOWN_PAGE  4096u
#define KNOWN_END   (UINT64_C(1) << 49) /* of addresses; no chip has more with spaces of a driver's own */
#define KNOWN_KINDS 0xff

/* Things with a number begin with it. */
struct known_buffer {
    uint32_t handle;
    uint64_t bytes;
    uint32_t mappings;
};

/* Ranges of addresses; none of a tree overlaps another. */
struct known_range {
    uint64_t address, bytes;
};

struct known_space {
    uint32_t number;
    uint32_t big_page_bytes;
    uint64_t first, bytes;
    bool managed; /* by the program (VMINIT): BIND maps, and not in what is kept */
    struct known_range kept;
    uint32_t channels;
    void *maps, *sparse; /* trees of known_map and known_range */
};

struct known_channel {
    uint32_t number;
    struct known_space *space; /* NULL: the device's own */
};

struct known_map {
    struct known_range range;
    uint64_t offset;
    struct known_buffer *buffer;
};

struct known {
    void *buffers, *spaces, *channels; /* trees */
    uint32_t count;                    /* of all things in all trees */
    bool opening;                      /* a CHANIN was the last: its CHAN has to follow */
    uint32_t opening_channel;
    struct known_space *opening_space;
    const struct known_channel *submitting;
    bool no_memory; /* the last record was refused because of that */
};

/*
 * Take the next record. False with a reason, and without an effect, if it refers to what is not there, or makes what
 * cannot be.
 */
bool known_accept(struct known *known, const struct pfifo_stream_record *record, struct reason *reason);

/* Whether a capture may end here. */
bool known_may_end(const struct known *known, struct reason *reason);

void known_free(struct known *known);

/* ---- known.c ---- */

typedef int known_compare(const void *a, const void *b);

known_compare known_compare_numbers;
/* The thing with a number. NULL: there is none. */
void *known_find(void *const *tree, uint32_t number);
/* Room for one more, all zero. NULL with a reason. */
void *known_make(struct known *known, size_t bytes, struct reason *reason);
/* Takes what was made. False with a reason: no memory for that. */
bool known_add(struct known *known, void **tree, void *made, known_compare *compare, struct reason *reason);

/* ---- known_maps.c: address spaces ---- */

typedef bool known_taker(struct known *known, const struct pfifo_stream_record *record, struct reason *reason);

known_taker known_take_space, known_take_spacedel, known_take_sparse, known_take_map, known_take_unmap;
known_taker known_take_vminit, known_take_bind;

/* With all that is mapped in it. */
void known_space_free(struct known *known, struct known_space *space);

/* Is this part of the buffer mapped here, all of it? */
bool known_is_mapped(const struct known_space *space, const struct known_range *range,
                     const struct known_buffer *buffer, uint64_t offset);

/* What is mapped at an address of a space. NULL: nothing. */
const struct known_map *known_map_at(const struct known *known, uint32_t space, uint64_t address);

#endif
