/* SPDX-License-Identifier: MIT */
/*
 * Where the channels of a GPU read their commands, and what the words there say. Without a trace: no event, no
 * interrupt, nothing of the GPU changes.
 *
 *   CACHE1, PBDMA, or RAMFC --> struct pfifo_push: GET, PUT, the packet under way, classes --.
 *   memory, through the channel's DMA object or page tables --> words ----------------------->  decoder
 *
 *   struct pfifo_push push;
 *   const struct pfifo_decode_options options = {.size = sizeof options};
 *   if (pfifo_gpu_push(gpu, 3, &push, &error) == PFIFO_OK)
 *       pfifo_push_around(gpu, &push, 5, 5, &options, write_text, NULL, &error);
 *
 * Modelled:     NV4 .. GP10B, DMA and IB mode, channels on the chip and others; the byte order of pushbuffers
 * Not modelled: PIO, which has no pushbuffer; the one that NV3's kernel sends piece by piece; words that are fetched
 * and not executed are behind GET
 */
#ifndef PFIFO_PUSH_H
#define PFIFO_PUSH_H

#include <pfifo/decode.h>
#include <pfifo/gpu.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of channels on the chip at a time, at most. */
#define PFIFO_PUSH_LOADED 32

struct pfifo_push {
    uint32_t channel;
    bool loaded;                       /* it is on the chip: in CACHE1, or on a PBDMA */
    bool ib;                           /* a ring chooses its segments, and there are no jumps */
    bool old_forms;                    /* GF100 to GP10x: it has NV4's command forms too */
    uint64_t get, put;                 /* the word that is fetched next; the end of what is there, or of the segment */
    struct pfifo_decode_packet packet; /* that GET is in the middle of; all 0: a header comes next */
    uint32_t bound[PFIFO_DECODE_SUBCHANNELS]; /* classes that subchannels have where GET is; 0: none */
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
 * So many words at an address as the pusher of a channel sees it: little endian, whatever order the channel has in
 * memory. False: the channel has no pushbuffer, or not all of them are there.
 */
PFIFO_API bool pfifo_gpu_push_read(struct pfifo_gpu *gpu, uint32_t channel, uint64_t address, void *data, size_t words);

/* The class that a handle stands for in a channel, by RAMHT as it is now. 0: none, and always from GF100 on. */
PFIFO_API uint32_t pfifo_gpu_push_class(struct pfifo_gpu *gpu, uint32_t channel, uint32_t handle);

/* Words that are decoded at once, at most. */
#define PFIFO_PUSH_WORDS 4096

/*
 * Decode so many words at an address of a channel, as a part (pfifo_decode_options.part), with what the channel knows
 * at GET: classes, handles, forms. If GET is among them, the command under way goes on there. Of the options, what says
 * how the output looks counts; chip, bound, old_forms and what belongs to raw words does not. PFIFO_ERROR_ARGUMENT: not
 * all of the words are there, or the address is no multiple of 4.
 */
PFIFO_API enum pfifo_status pfifo_push_decode(struct pfifo_gpu *gpu, const struct pfifo_push *push, uint64_t address,
                                              size_t words, const struct pfifo_decode_options *options,
                                              pfifo_decode_write write, void *opaque, struct pfifo_error *error);

/*
 * The same for the words around GET: up to `before` of them before it, as many as belong to packets that lead to GET,
 * and up to `after` from it on: to PUT, and behind that the entries of the ring that come next, with their words.
 * PFIFO_ERROR_ARGUMENT: GET is where nothing is.
 */
PFIFO_API enum pfifo_status pfifo_push_around(struct pfifo_gpu *gpu, const struct pfifo_push *push, size_t before,
                                              size_t after, const struct pfifo_decode_options *options,
                                              pfifo_decode_write write, void *opaque, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
