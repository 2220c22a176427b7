/* SPDX-License-Identifier: MIT */
/* Conformance of G80 .. MCP89 on the bench of tests/fifo_cache: what more the tests of this folder need. */
#ifndef PFIFO_TESTS_TESLA_G80_H
#define PFIFO_TESTS_TESLA_G80_H

#include "fifo_cache/rig.h"

enum {
    CHANNEL_PIO = 0,
    CHANNEL_IDLE = 127,
    MODE_DMA = 1 << 16, /* PUSH1 */
    KICK_MASK = 0x2520, /* G84- */
    ENGINE_IDLE = 0x251c,
    CURRENT = 0x32f0,
    CHAN_INST = 0x3410,
    USER_PIO = 0x800000,
    PIO_FREE = 0x10,
    IB_CONFIG = 0x3344,
};

/* INTR. */
enum {
    I_CACHE_ERROR = 1 << 0,
    I_BAR_FAULT = 1 << 4,
    I_PEEPHOLE_FAULT = 1 << 6,
    I_PIO_ERROR = 1 << 8,
    I_LINE_FLUSH = 1 << 11,
    I_DMA_PUSHER = 1 << 12,
    I_SEMAPHORE = 1 << 20,
    I_NOTIFY = 1 << 30,
};

/* PULL0. */
enum { P_ACCESS = 1, P_HASH_FAILED = 0x10, P_SOFTWARE = 0x100, P_INVALID_ENGINE = 1 << 24 };

#define P_SEMAPHORE(code) ((uint32_t)(code) << 20)

static inline uint32_t pio_at(uint32_t subchannel, uint32_t method) {
    return USER_PIO + (subchannel << 13) + method;
}

static inline void pio(struct rig *rig, uint32_t subchannel, uint32_t method, uint32_t data) {
    wr(rig, pio_at(subchannel, method), data);
}

/* The publication as the driver does it, but for CACHES. */
static inline void publish(struct rig *rig, const uint32_t *channels, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        vram_wr(rig, RIG_PLAYLIST + 4 * i, channels[i]);
    wr(rig, PLAYLIST, RIG_PLAYLIST >> 12);
    wr(rig, PLAYLIST_LENGTH, count);
}

/* A no-op for a channel in DMA mode, and it is in CACHE1 afterwards. */
static inline void bring_in(struct rig *rig, uint32_t channel) {
    push_to(rig, channel, 0);
    rig_submit(rig, channel);
    assert_int_equal(rig_run(rig), PFIFO_STOP_IDLE);
    assert_int_equal(current_channel(rig), channel);
}

#define ON_G84_TO_MCP79(test) ON("g84", test), ON("g98", test), ON("gt200", test), ON("mcp77", test)
#define FROM_GT215(test)      ON("gt215", test), ON("gt218", test), ON("mcp89", test)
#define FROM_G84(test)        ON_G84_TO_MCP79(test), FROM_GT215(test)
#define ON_G80(test)          ON("g80", test)
#define ON_KINDS(test)        ON("g80", test), ON("g84", test), ON("gt215", test), ON("mcp89", test)
#define ON_EACH(test)                                                                                                  \
    ON("g80", test), ON("g84", test), ON("g86", test), ON("g92", test), ON("g94", test), ON("g96", test),              \
        ON("g98", test), ON("gt200", test), ON("mcp77", test), ON("mcp79", test), ON("gt215", test),                   \
        ON("gt216", test), ON("gt218", test), ON("mcp89", test)

#endif
