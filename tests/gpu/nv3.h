/* SPDX-License-Identifier: MIT */
/*
 * NV1 and NV3 as their driver finds them: one channel in CACHE1 and in PGRAPH, contexts in registers, objects in RAMIN.
 */
#ifndef PFIFO_TESTS_GPU_NV3_H
#define PFIFO_TESTS_GPU_NV3_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/gpu.h"

#define COUNT(x) (sizeof(x) / sizeof((x)[0]))

#define CHANNEL  9u
#define PMC_LINE (1u << 12) /* PGRAPH's, into PMC */

enum {
    REG_DEBUG_1 = 0x400084,
    REG_DEBUG_3 = 0x40008c,
    REG_INTR = 0x400100,
    REG_INVALID = 0x400104,
    REG_INTR_EN = 0x400140,
    REG_INVALID_EN = 0x400144,
    REG_CTX_SWITCH = 0x400180, /* NV1 */
    REG_CONTROL = 0x400190,
    REG_USER = 0x400194, /* NV3 */
    REG_DMA = 0x400680,
    REG_NOTIFY = 0x400684,
    REG_INST = 0x400688,
    REG_M2MF = 0x40068c,
    REG_FIFO = 0x4006a4,
    TRAPPED_ADDR = 0x4006b4,
    TRAPPED_DATA = 0x4006b8,
    TRAPPED_INST = 0x4006bc,
    DMA_INTR = 0x401100,
    DMA_INTR_EN = 0x401140,
};

#define INTR_INVALID 1u
#define INTR_MISSING (1u << 16)
#define INTR_NOTIFY  (1u << 28)
#define ARMED        (1u << 16)

static inline uint32_t rd(struct pfifo_gpu *gpu, uint32_t offset) {
    return pfifo_gpu_rd32(gpu, offset);
}

static inline void wr(struct pfifo_gpu *gpu, uint32_t offset, uint32_t value) {
    pfifo_gpu_wr32(gpu, offset, value);
}

static inline bool is_nv1(const struct pfifo_gpu *gpu) {
    return strcmp(gpu->chip->name, "NV1") == 0;
}

static inline struct pfifo_gpu *nv3_make(const char *chip) {
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name(chip), .vram_bytes = 4u << 20, .system_bytes = 1u << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    wr(gpu, 0x200, ~0u);
    wr(gpu, is_nv1(gpu) ? 0x3210 : 0x3204, CHANNEL);
    wr(gpu, 0x3200, 1);
    wr(gpu, 0x3240, 1);
    wr(gpu, REG_INTR_EN, ~0u);
    wr(gpu, REG_CONTROL, 0x10010100);
    if (is_nv1(gpu)) {
        wr(gpu, REG_CTX_SWITCH, CHANNEL << 16);
        return gpu;
    }
    wr(gpu, REG_USER, CHANNEL << 24);
    wr(gpu, DMA_INTR_EN, ~0u);
    wr(gpu, REG_DEBUG_1, 1u << 16);
    return gpu;
}

/* A context: type of object, and its instance (NV3) or options (NV1). */
static inline void nv3_context(struct pfifo_gpu *gpu, unsigned subchannel, uint32_t type, uint32_t rest) {
    wr(gpu, 0x3280 + 16 * subchannel, 1u << 23 | (0x40 | type) << 16 | rest);
}

static inline uint32_t ramin_rd(struct pfifo_gpu *gpu, uint32_t instance, unsigned word) {
    return memory_ramin_rd32(&gpu->memory, (instance << 4) + 4 * word);
}

static inline void ramin_wr(struct pfifo_gpu *gpu, uint32_t instance, unsigned word, uint32_t value) {
    memory_ramin_wr32(&gpu->memory, (instance << 4) + 4 * word, value);
}

/* A DMA object in VRAM. */
static inline void nv3_vram_object(struct pfifo_gpu *gpu, uint32_t instance, uint32_t at, uint32_t bytes) {
    ramin_wr(gpu, instance, 0, 0x00010000 | (at & 0xfff));
    ramin_wr(gpu, instance, 1, bytes - 1);
    ramin_wr(gpu, instance, 2, (at & ~0xfffu) | 3);
}

/* A method by PIO, and whatever follows from it. */
static inline enum pfifo_stop nv3_send(struct pfifo_gpu *gpu, unsigned subchannel, uint32_t method, uint32_t data) {
    wr(gpu, 0x800000 + CHANNEL * 0x10000 + subchannel * 0x2000 + method, data);
    return pfifo_gpu_run(gpu, UINT64_MAX);
}

/* What drivers do after an error: acknowledge, and let PGRAPH go on. */
static inline void nv3_acknowledge(struct pfifo_gpu *gpu) {
    wr(gpu, REG_INVALID, ~0u);
    wr(gpu, REG_INTR, ~0u);
    if (!is_nv1(gpu))
        wr(gpu, DMA_INTR, ~0u);
    wr(gpu, REG_FIFO, is_nv1(gpu) ? 0x05000101 : 1); /* with what lets bits of NV1 be written */
}

#endif
