/* SPDX-License-Identifier: MIT */
/* Small captures made by hand: one channel, a pushbuffer and a page of data. */
#ifndef TESTS_TOOL_CAPTURE_H
#define TESTS_TOOL_CAPTURE_H

#include <pfifo/stream.h>

enum {
    CAPTURE_NOTIFIERS = 1, /* handles */
    CAPTURE_PUSH = 2,
    CAPTURE_DATA = 3,
};

struct capture {
    struct pfifo_stream_writer *writer;
    uint64_t push_address, data_address;
    uint32_t sequence;
    uint32_t end; /* of the words in the pushbuffer so far, in bytes */
    uint8_t push[4096];
    uint32_t channel;        /* of the next submission */
    uint32_t waits_for;      /* 0, or the sync object that it waits for (version 3) */
    bool no_prefetch;        /* the next PUSH must not be prefetched */
    bool no_dump;            /* the next submission has no BODATA of the pushbuffer */
    const uint8_t *recorded; /* words that the next PUSH has instead of those in memory, or NULL */
};

/* Begin: chipset, channel 0, buffers. NV4x: `nv4x` gives the channel DMA objects. */
void capture_begin(struct capture *capture, uint32_t chipset, bool nv4x);
/* The same of version 2: the machine works only at a capture_run(). */
void capture_begin_2(struct capture *capture, uint32_t chipset);
/* The same of version 3: it waits for and signals sync objects. */
void capture_begin_3(struct capture *capture, uint32_t chipset);
void capture_run(struct capture *capture);
/* Version 2: the CPU writes a word to a buffer. */
void capture_write(struct capture *capture, uint32_t handle, uint64_t offset, uint32_t word);
void capture_append(struct capture *capture, const struct pfifo_stream_record *record);

/*
 * A submission of `count` words after those before. `data` (NULL: not dumped) is the page of data as the recorder
 * saw it.
 */
void capture_submit(struct capture *capture, const uint32_t *words, uint32_t count, const uint8_t *data);

/* Finish, write it to a file, give its path; to be removed and freed. */
char *capture_file(struct capture *capture);

#endif
