/* SPDX-License-Identifier: MIT */
/*
 * What valgrind-mmt has recorded of a program: its mappings, what it has written to them, its ioctls. Messages are packed and end with a
 * line feed; numbers are little endian, BYTES is a u32 length and as many bytes.
 *
 *   =... -...                                               lines of valgrind
 *   m offset id start length                                mmap; M: offset prot flags fd id start length
 *   u offset id start length ..   e                         munmap, mremap
 *   w id offset count bytes       W address count bytes     a write (r, R: a read)
 *   i fd request BYTES  { y address BYTES }                 an ioctl before, with the memory that it points to
 *   j fd request result error BYTES  { y address BYTES }    and after it
 *   o t d S                                                 open, write, dup, synchronisation
 *   n .                                                     older forms (ni, nj, no, nm, nM), and what they were told besides
 *
 * Source: envytools demmt/mmt_bin_decode.h, mmt_bin_decode.c, mmt_bin_decode_nvidia.c, drm.c; valgrind-mmt mmt/
 */
#ifndef PFIFO_SRC_FOREIGN_MMT_H
#define PFIFO_SRC_FOREIGN_MMT_H

#include "foreign/mmt_maps.h"

enum { MMT_MEMORIES = 20 };

/* A piece of the program's memory, as an ioctl has it. */
struct mmt_memory {
    uint64_t address;
    const uint8_t *data;
    size_t bytes;
};

struct mmt_ioctl {
    bool after; /* it has returned */
    uint32_t fd, request;
    bool refused; /* after: by the kernel; older forms do not say it */
    const uint8_t *data;
    size_t bytes, memories;
    struct mmt_memory memory[MMT_MEMORIES];
    size_t at; /* in the file */
};

struct mmt_client; /* nouveau's state: mmt_nouveau.c */

struct mmt_client *mmt_client_new(const struct foreign_file *file, struct pfifo_stream_writer *writer,
                                  struct pfifo_error *error);
/* Pages of all buffers were too many, no memory, or a record did not fit: false, and `error` is set. */
bool mmt_client_ioctl(struct mmt_client *client, const struct mmt_ioctl *ioctl);
/* The program has written to a mapping. */
bool mmt_client_write(struct mmt_client *client, const struct mmt_mapping *mapping, uint64_t offset,
                      const uint8_t *data, size_t bytes);
/* Is there a buffer or a channel? */
bool mmt_client_begun(const struct mmt_client *client);
/* The end: what was left out is noted. */
bool mmt_client_end(struct mmt_client *client);
void mmt_client_free(struct mmt_client *client);

#endif
