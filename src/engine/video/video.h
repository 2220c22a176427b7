/* SPDX-License-Identifier: MIT */
/*
 * The common part of video and crypto units. Only their copies are executed; any other start is reported by the name of
 * the work. What a stream can wait for is executed: semaphores, queries, interrupts.
 *
 *   vpe.c     PMPEG, PME, PVP1         NV31 .. G80, PMPEG up to GT200
 *   vp2.c     PVP2, PBSP, PCIPHER      G84 .. G96, GT200
 *   falcon.c  PVLD, PPDEC, PPPP, PVCOMP, PVENC before Turing        G98-
 *   sec.c     PSEC                     G98, MCP77, MCP79
 *   nvdec.c   NVDEC, NVENC, NVJPG      GM107-
 *
 * UNKNOWN: which DMA object semaphores of Tesla's units are in that no source names; chosen: the one at 0x180 (all
 * drivers bind one object for the whole address space to every one of these methods).
 * UNKNOWN: the status words that firmware leaves in its communication area; chosen: none, no driver waits for them.
 *
 * Sources: envytools rnndb/vdec, docs/hw/vdec; nouveau nvkm/engine/{mpeg,vp,bsp,cipher,sec}; Mesa
 * src/gallium/drivers/nouveau/nv50/nv84_video*.c, nv98_video*.c, nvc0/nvc0_video*.c, nouveau_vp3_video_bsp.c; NVIDIA
 * open-gpu-doc classes/video.
 */
#ifndef PFIFO_SRC_ENGINE_VIDEO_VIDEO_H
#define PFIFO_SRC_ENGINE_VIDEO_VIDEO_H

#include "engine/sync/report.h"

/* Methods that say where a semaphore goes and what is written: the argument of a row. */
struct semaphore_methods {
    uint16_t object, high, low, payload;
    uint8_t bits; /* of the upper address word */
};

void video_release(const struct call *call, enum report_words words);

/* A query: four words, whatever the data is; and one that interrupts if bit 0 says so. */
enum action_result video_query(struct call *call);
enum action_result video_query_or_interrupt(struct call *call);

/* Names of what is not executed, by a number; NULL beyond the end. */
static inline const char *video_name(const char *const *names, size_t count, uint32_t number) {
    return number < count ? names[number] : NULL;
}
#define VIDEO_NAME(names, number) video_name(names, sizeof(names) / sizeof((names)[0]), number)

#define VIDEO_BLOCK_BYTES 16u

enum video_transfer { TRANSFER_DONE, TRANSFER_MORE, TRANSFER_FAULT };

/*
 * Copy block by block, upwards, as a cipher does that changes nothing; `from` NULL: every block is `pattern`. In
 * slices: MORE means that the method must stall. A fault has been reported.
 */
enum video_transfer video_transfer(const struct call *call, struct dma_address to, const struct dma_address *from,
                                   const uint8_t pattern[VIDEO_BLOCK_BYTES], uint64_t bytes);

#endif
