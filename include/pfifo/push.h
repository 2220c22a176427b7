/* SPDX-License-Identifier: MIT */
/*
 * Where the channels of a GPU read their commands. Looking leaves no trace: no event, no interrupt, nothing of the GPU
 * changes. pfifo/decode_push.h says what the words there mean.
 *
 *   CACHE1, PBDMA, or RAMFC --> struct pfifo_push: GET, PUT, the packet under way, classes
 *   memory, through the channel's DMA object or page tables --> pfifo_gpu_push_read(): words
 *
 * Modelled:     NV4 to GP10B, DMA and IB mode, channels that are on the chip and others; the byte order of pushbuffers
 * Not modelled: PIO, which has no pushbuffer; NV3's, which its kernel sends piece by piece. Words that were fetched but
 *               not executed yet count as read: GET is after them.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_PUSH_H
#define PFIFO_PUSH_H

#include <pfifo/gpu.h>

#ifdef __cplusplus
extern "C" {
#endif

/* At most this many channels are on the chip at a time. */
#define PFIFO_PUSH_LOADED 32

#define PFIFO_PUSH_SUBCHANNELS 8

/* A command of which some words are read already. All 0: none, the next word is a header. */
struct pfifo_push_packet {
    uint32_t count;  /* data words that come next */
    uint16_t method; /* of the first of them */
    uint8_t subchannel;
    bool long_count;  /* what comes next is the count of a long header */
    const char *form; /* the name of its form, "non-increasing"; NULL: "increasing" */
};

struct pfifo_push {
    uint32_t channel;
    bool loaded;                     /* it is on the chip: in CACHE1, or on a PBDMA */
    bool ib;                         /* a ring chooses its segments, and there are no jumps */
    bool old_forms;                  /* GF100 to GP10x: it has NV4's command forms too */
    uint64_t get, put;               /* the word that is fetched next; the end of what is there, or of the segment */
    struct pfifo_push_packet packet; /* that GET is in the middle of; all 0: a header comes next */
    uint32_t bound[PFIFO_PUSH_SUBCHANNELS]; /* classes that subchannels have where GET is; 0: none */
    /* With a ring: its address, how many entries it has, the entry that comes next, and the end of those submitted. */
    uint64_t ring, entries;
    uint32_t ring_get, ring_put;
};

/*
 * Where a channel reads. UINT32_MAX: the first one on the chip. PFIFO_ERROR_UNSUPPORTED: no channel of the chip has a
 * pushbuffer; _ARGUMENT: this one has none, or none is on the chip, or PFIFO is off.
 */
PFIFO_API enum pfifo_status pfifo_gpu_push(struct pfifo_gpu *gpu, uint32_t channel, struct pfifo_push *push,
                                           struct pfifo_error *error);

/* The channels on the chip that have one, up to `most`; returns how many. */
PFIFO_API size_t pfifo_gpu_pushes(struct pfifo_gpu *gpu, struct pfifo_push *push, size_t most);

/*
 * Read words at an address as the pusher of a channel sees them, in little-endian order, whatever the order in memory
 * is. False: the channel has no pushbuffer, or some of the words are not mapped.
 */
PFIFO_API bool pfifo_gpu_push_read(struct pfifo_gpu *gpu, uint32_t channel, uint64_t address, void *data, size_t words);

/*
 * The class of the object that a handle names in a channel, by RAMHT as it is now. 0: there is none; always from GF100
 * on.
 */
PFIFO_API uint32_t pfifo_gpu_push_class(struct pfifo_gpu *gpu, uint32_t channel, uint32_t handle);

#ifdef __cplusplus
}
#endif

#endif
