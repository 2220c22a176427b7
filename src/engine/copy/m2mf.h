/* SPDX-License-Identifier: MIT */
/* Memory to memory: what launches of several generations have in common. */
#ifndef PFIFO_SRC_ENGINE_COPY_M2MF_H
#define PFIFO_SRC_ENGINE_COPY_M2MF_H

#include "engine/copy/transfer.h"

/* Methods of 0039 and 5039. */
enum {
    M2MF_DMA_IN = 0x184, /* NV4- */
    M2MF_DMA_OUT = 0x188,
    M2MF_OFFSET_IN = 0x30c,
    M2MF_OFFSET_OUT = 0x310,
    M2MF_PITCH_IN = 0x314,
    M2MF_PITCH_OUT = 0x318,
    M2MF_LINE_LENGTH = 0x31c,
    M2MF_LINE_COUNT = 0x320,
    M2MF_FORMAT = 0x324,
    M2MF_LAUNCH = 0x328, /* BUFFER_NOTIFY */
};

/* How far a byte is from the next one. */
struct m2mf_steps {
    unsigned in, out;
};

static inline bool m2mf_is_increment(uint32_t value) {
    return value == 1 || value == 2 || value == 4;
}

/* Copy the next slice; behind the last one, and behind a fault, write the notifier in DMA object `notify`. */
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
