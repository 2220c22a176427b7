/* SPDX-License-Identifier: MIT */
/*
 * What own memory consists of on the host: pages of this process, a memfd, or memory that the owner supplies.
 *
 *   form                  mapped             clearing gives pages back   others can write it
 *   PFIFO_MEMORY_PRIVATE  anonymous          yes                         once the owner has the pointer
 *   PFIFO_MEMORY_SHARED   memfd, MAP_SHARED  yes, holes                  once the owner has pointer or descriptor
 *   PFIFO_MEMORY_POINTER  by the owner       no                          always
 *   PFIFO_MEMORY_FD       MAP_SHARED         no                          always
 *
 * As long as nobody else can write it, a bit per MEMORY_CHUNK says where something was written. After that all bits are
 * set and stay set, and a search for contents reads the pages themselves, but skips holes of a file: reading a hole
 * through the mapping would allocate it.
 */
#ifndef PFIFO_SRC_MEMORY_BACKING_H
#define PFIFO_SRC_MEMORY_BACKING_H

#include <pfifo/gpu.h>

/* Granularity of sizes, and of pointers that the owner supplies. */
#define MEMORY_PAGE_BYTES 4096u

struct memory_backing {
    enum pfifo_memory_form form;
    int fd;      /* our own descriptor, if the form has one */
    bool shared; /* others may write at any time */
};

/* Own memory of one target. */
struct memory_own {
    uint8_t *data; /* NULL: there is none */
    uint64_t *used;
    uint64_t bytes;
    struct memory_backing *backing;
};

/*
 * Reserve `own->bytes` in the form that `given` says, and the bits; fills in `own`. `what` is its name for messages.
 * Errors: PFIFO_ERROR_ARGUMENT (size, alignment or file that does not do), _MEMORY; nothing is left behind then.
 */
enum pfifo_status memory_backing_open(struct memory_own *own, const struct pfifo_memory *given, const char *what,
                                      struct pfifo_error *error);
/* What the owner supplied stays as it is. */
void memory_backing_close(struct memory_own *own);

/* From now on others may write it. */
void memory_backing_share(struct memory_own *own);

/* Is it all of its chunks? The last one of the memory may be short. `bytes` is at least 1. */
bool memory_backing_whole(const struct memory_own *own, uint64_t address, uint64_t bytes);

/*
 * Make a range zero by giving its pages back to the host. False: not with this form, or not with this range; nothing
 * has changed then.
 */
bool memory_backing_discard(const struct memory_own *own, uint64_t address, uint64_t bytes);

/* The first address from `address` on that is not in a hole of a file; UINT64_MAX: there are only holes. */
uint64_t memory_backing_next_data(const struct memory_own *own, uint64_t address);

#endif
