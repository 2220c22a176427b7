/* SPDX-License-Identifier: MIT */
/* Memory to memory: what launches of several generations have in common. */
#ifndef PFIFO_SRC_ENGINE_COPY_M2MF_H
#define PFIFO_SRC_ENGINE_COPY_M2MF_H

#include "engine/copy/transfer.h"
#include "methods/m2mf.h"

/* Methods of 0039 and 5039. */
enum {
    M2MF_DMA_IN = NV3_M2MF_DMA_BUFFER_IN, /* NV4- */
    M2MF_DMA_OUT = NV3_M2MF_DMA_BUFFER_OUT,
    M2MF_OFFSET_IN = NV3_M2MF_OFFSET_IN,
    M2MF_OFFSET_OUT = NV3_M2MF_OFFSET_OUT,
    M2MF_PITCH_IN = NV3_M2MF_PITCH_IN,
    M2MF_PITCH_OUT = NV3_M2MF_PITCH_OUT,
    M2MF_LINE_LENGTH = NV3_M2MF_LINE_LENGTH_IN,
    M2MF_LINE_COUNT = NV3_M2MF_LINE_COUNT,
    M2MF_FORMAT = NV3_M2MF_FORMAT,
    M2MF_LAUNCH = NV3_M2MF_BUF_NOTIFY,
};

/* How far a byte is from the next one. */
struct m2mf_steps {
    unsigned in, out;
};

static inline bool m2mf_is_increment(uint32_t value) {
    return value == 1 || value == 2 || value == 4;
}

/* Copy the next slice; after the last one, and after a fault, write the notifier in DMA object `notify`. */
enum action_result m2mf_move(const struct call *call, const struct transfer *transfer, struct m2mf_steps steps,
                             uint32_t notify);

/* A side of a copy. */
struct m2mf_side {
    struct address_space space;
    uint64_t address;
    bool linear; /* or in blocks */
    int64_t pitch;
    uint16_t block_size; /* method; width, height, depth and layer follow it */
    uint32_t x, y;
};

/* The copy that methods 0x31c (line length) and 0x320 (lines) ask for. False: it does not fit, and has been refused. */
bool m2mf_transfer(const struct call *call, const struct m2mf_side *from, const struct m2mf_side *to,
                   struct transfer *transfer);

#endif
