/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's own driver in a recording of valgrind-mmt: the ioctls of its resource manager, as records of a capture.
 *
 *   ioctls --> objects (client, handle) --> memory <-- windows (HOST_MAP) <-- mappings of the program
 *                 |                           |
 *                 channels                    places (VSPACE_MAP): buffers of the capture
 *
 *   write --> memory --> GP_PUT, PUT in a USER area; an entry of a ring --> submission of what is queued
 *
 * Numbers of ioctls are those of 'F'; a structure says at its end whether it was done.
 *
 *   CREATE          client parent handle class, u64 arguments, status      DUP      client parent handle, client handle, flags status
 *   CREATE_SIMPLE   client parent handle class status                      DESTROY  client parent handle status
 *   MEMORY          client parent function . status . total free, owner handle type flags attributes
 *   SPACE           client parent handle class flags . key limit status    (56 bytes: . descriptor)
 *   HOST_MAP        client device handle . u64 base limit key, status      (56 bytes: . descriptor)
 *   HOST_UNMAP      client device handle . u64 key status
 *   VSPACE_MAP      client device space handle, u64 base bytes, flags . u64 address, status
 *   VSPACE_UNMAP    client device space handle, u64 . address, status
 *   CALL            client handle method . u64 arguments, size status
 *
 * Sources: envytools demmt/nvrm_ioctl.h, nvrm_create.h, nvrm.c, buffer_decode.c, pushbuf.c, rnndb/fifo; NVIDIA's
 *          published nvos.h, clXX6f.h (USER areas), nv-mmap.c (descriptors)
 */
#ifndef PFIFO_SRC_FOREIGN_NVRM_H
#define PFIFO_SRC_FOREIGN_NVRM_H

#include "foreign/mmt.h"

#define NVRM_NO_FD UINT32_MAX

struct nvrm;

struct nvrm *nvrm_new(const struct foreign_file *file, struct pfifo_stream_writer *writer, struct pfifo_error *error);
void nvrm_free(struct nvrm *nvrm);

/* Is there an object? */
bool nvrm_begun(const struct nvrm *nvrm);
/* False, and `error` is set: as of mmt_client_ioctl(). */
bool nvrm_ioctl(struct nvrm *nvrm, const struct mmt_ioctl *ioctl);
/* A mapping that is new, or new again: what it shows. */
void nvrm_map(struct nvrm *nvrm, struct mmt_mapping *mapping, uint32_t fd);
/* It shows nothing any more. */
void nvrm_unmap(struct nvrm *nvrm, struct mmt_mapping *mapping);
/* The program has written to a mapping that shows memory. */
bool nvrm_write(struct nvrm *nvrm, const struct mmt_mapping *mapping, uint64_t offset, const uint8_t *data,
                size_t bytes);
/* The end: what was left out is noted. */
bool nvrm_end(struct nvrm *nvrm);

#endif
