/* SPDX-License-Identifier: MIT */
/* Inside of the reader of valgrind-mmt's recordings: what a program has of nouveau. */
#ifndef PFIFO_SRC_FOREIGN_MMT_NOUVEAU_H
#define PFIFO_SRC_FOREIGN_MMT_NOUVEAU_H

#include "foreign/mmt.h"
#include "foreign/pages.h"

enum { MMT_HANDLES = 1 << 16 };

struct mmt_buffer {
    uint64_t bytes, address, map;
    bool shown; /* its part of the node can be mapped */
    uint32_t domain, tile_mode, tile_flags;
    struct foreign_pages pages;
};

struct mmt_client {
    const struct foreign_file *file;
    struct pfifo_stream_writer *writer;
    struct pfifo_error *error;
    struct mmt_buffer *buffer[MMT_HANDLES];
    void *shown; /* buffers by the part of the node that shows them: a tree */
    size_t pages;
    uint32_t fd, sequence;
    bool has_fd, has_chipset;
    struct foreign_left_out left_out; /* ioctls */
};

bool mmt_append(const struct mmt_client *client, struct pfifo_stream_record record);
bool mmt_no_memory(const struct mmt_client *client);
/* An ioctl that is not in the capture: true. */
bool mmt_leave_out(struct mmt_client *client, const struct mmt_ioctl *ioctl, const char *why);

/* GEM_PUSHBUF, before; mmt_submit.c. */
bool mmt_submit(struct mmt_client *client, const struct mmt_ioctl *ioctl);

#endif
