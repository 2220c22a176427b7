/* SPDX-License-Identifier: MIT */
/*
 * Registers of G80 .. MCP89: envytools rnndb/fifo/g80_pfifo.xml. UNKNOWN: values after power-on that it does not give;
 * chosen: 0, or what NV4x has. Bits that have only a number there are storage.
 */
#include "state.h"

#define ALL  0xffffffffu
#define BY_4 0xfffffffcu

static const struct reference_register registers[] = {
    {DELAY_0, 1, G80, LAST, 0xf00003ff, 0xf00003ff, 0},
    {DMA_TIMESLICE, 1, G80, LAST, 0xf101ffff, 0xf101ffff, 0},
    {PIO_TIMESLICE, 1, G80, LAST, 0x000fffff, 0x0007ffff, 0x00090100}, /* C11_MIN_SLICE; "bit 19 seems forced to 0" */
    {TIMESLICE, 1, G80, LAST, 0x0003ffff, 0x0003ffff, 0x0003ffff},
    {0x2054, 1, G80, LAST, 0xf00003ff, 0xf00003ff, 2},
    {SLI, 1, G80, LAST, 0x30000fff, 0x30000fff, 0},
    {0x2070, 1, G84, LAST, ALL, ALL, 0},
    {DEBUG_0, 1, G80, LAST, 0x11, 0, 0},
    {DEBUG_1, 1, G80, LAST, ALL, ALL, 0x0072f200},
    {DEBUG_2, 2, G80, LAST, ALL, ALL, 0}, /* and DEBUG_3 */
    {0x2090, 1, G80, G84, ALL, ALL, 0x00443333},
    {0x2090, 1, G84, LAST, ALL, ALL, 0x33c43333}, /* of G86 */
    {0x2094, 1, G84, LAST, 0x1f, 0x1f, 0},
    {0x2098, 1, G84, LAST, ALL, ALL, 0},
    {INTR, 1, G80, G84, 0x3ffd1151, 0, 0},
    {INTR, 1, G84, GT215, 0x7ffd1151, 0, 0},
    {INTR, 1, GT215, MCP89, 0x7ffd1751, 0, 0},
    {INTR, 1, MCP89, LAST, 0x7ffd1f51, 0, 0},
    {INTR_NRHOST, 1, GT215, LAST, 0x40000000, 0, 0},
    {INTR_EN, 1, G80, G84, 0x3ffd1151, 0x3ffd1151, 0},
    {INTR_EN, 1, G84, GT215, 0x7ffd1151, 0x7ffd1151, 0},
    {INTR_EN, 1, GT215, MCP89, 0x7ffd1751, 0x7ffd1751, 0},
    {INTR_EN, 1, MCP89, LAST, 0x7ffd1f51, 0x7ffd1f51, 0},
    {INTR_EN_NRHOST, 1, GT215, LAST, 0x40000000, 0x40000000, 0},
    {RAMHT, 1, G80, LAST, 0x1fffffff, 0x1fffffff, 0},
    {CACHES, 1, G80, LAST, 0x13, 0x03, 0},
    {FREEZE, 1, G80, LAST, 0x11, 0x01, 0},
    {0x2508, 2, G80, LAST, ALL, ALL, 0},
    {0x2510, 2, G80, LAST, 0x3fffffff, 0x3fffffff, 0},
    {0x2518, 1, G80, LAST, ALL, ALL, 0},
    {ENGINE_IDLE, 1, G80, LAST, 0x3f, 0, 0},
    {ENGINE_CTRL, 1, G84, LAST, ALL, ALL, 0},
    {CHAN_TABLE, 128, G80, G84, ALL, 0xbfffffff, 0},
    {CHAN_TABLE, 128, G84, LAST, 0xdfffffff, 0x9fffffff, 0},
    {0x2800, 1, G80, LAST, 0x8001007f, 0x8001007f, 0},
    {0x2804, 2, G80, LAST, ALL, ALL, 0},
    {0x2900, 2, G80, LAST, ALL, ALL, 0},
    {0x2908, 1, G80, LAST, 0xfffffff0, 0xfffffff0, 0},
    {0x290c, 1, G80, LAST, 0x031f00ff, 0x031f00ff, 0},
    {0x2910, 1, G80, LAST, 0x001f001f, 0x001f001f, 0},
    {0x2914, 1, G80, LAST, 0x037b73f3, 0x037b73f3, 0},

    {PUSH0, 1, G80, LAST, 1, 1, 0},
    {PUSH1, 1, G80, LAST, 0x0001007f, 0x0001007f, 0x0001007f},
    {PUT, 1, G80, LAST, 0xffc, 0xffc, 0},
    {STATUS, 1, G80, LAST, 0x111, 0, 0},
    {DMA_PUSH, 1, G80, LAST, 0xff717171, 0xff717061, 0},
    {DMA_FETCH, 1, G80, LAST, 0x407fe0f8, 0x407fe0f8, 0x00006078},
    {DMA_STATE, 1, G80, LAST, 0xe007ffff, 0xe007ffff, 0},
    {DMA_INSTANCE, 1, G80, LAST, 0xffff, 0xffff, 0},
    {DMA_LIMIT, 1, G80, LAST, ALL, ALL, 0},
    {DMA_PUT, 2, G80, LAST, BY_4, BY_4, 0}, /* and DMA_GET */
    {REF, 1, G80, LAST, ALL, ALL, 0},
    {SUBROUTINE, 1, G80, LAST, BY_4, BY_4, 0},
    {PULL0, 1, G80, MCP89, 0xf1f11111, 1, 0},
    {PULL0, 1, MCP89, LAST, 0xf7f11111, 1, 0},
    {PULL1, 1, G80, G84, 0x1f, 0x1f, 0},
    {PULL1, 1, G84, LAST, 0xbf, 0xbf, 0},
    {HASH, 1, G80, LAST, 0xffff, 0xffff, 0},
    {ACQUIRE_TIMEOUT, 3, G80, LAST, ALL, ALL, 0}, /* TIMESTAMP and VALUE are the next two */
    {SEMAPHORE, 1, G80, LAST, 0xffff7fff, 0xffff7fff, 0},
    {GET, 1, G80, LAST, 0xffc, 0xffc, 0},
    {ENGINE, 1, G80, LAST, ALL, ALL, 0},
    {DCOUNT, 1, G80, LAST, 0x1ffc, 0x1ffc, 0},
    {GET_JMP_SHADOW, 1, G80, LAST, BY_4, BY_4, 0},
    {RSVD_SHADOW, 2, G80, LAST, ALL, ALL, 0}, /* and DATA_SHADOW */
    {0x32e4, 1, G80, LAST, ALL, ALL, 0},
    {PLAYLIST_LENGTH, 1, G80, G84, 0x1ff, 0x1ff, 0},
    {PLAYLIST_LENGTH, 1, G84, LAST, 0x1fff, 0x1fff, 0},
    {CURRENT_CHANNEL, 1, G80, LAST, 0x7f, 0, 0},
    {PLAYLIST, 1, G80, LAST, 0x3fffffff, 0x3fffffff, 0},
    {KICK, 1, G80, LAST, ALL, ALL, 0},
    {0x3300, 1, G84, LAST, ALL, ALL, 0x0004004f},
    {0x3304, 1, G80, LAST, 3, 0, 3},
    {0x3308, 1, G80, LAST, 0, 0, 0},
    {0x330c, 1, G80, G84, 0, 0, 0}, /* a flush takes no time */
    {0x3310, 1, G80, LAST, ALL, ALL, 0},
    {FIFO_ENDIAN, 1, G80, LAST, 3, 3, 0},
    {0x3318, 1, G80, LAST, 7, 7, 2},
    {DMA_PUT_HIGH, 1, G80, LAST, 0xff, 0xff, 0},
    {DMA_GET_HIGH, 1, G80, LAST, 0xff, 0xff, 0},
    {IB_PUT, 2, G80, LAST, ALL, ALL, 0},     /* and IB_GET */
    {IB_ADDRESS, 2, G80, LAST, ALL, ALL, 0}, /* and IB_CONFIG */
    {METHOD_COUNT, 1, G80, LAST, 0x00ffffff, 0x00ffffff, 0},
    {DMA_MGET, 1, G80, LAST, ALL, ALL, 0},
    {DMA_MGET_HIGH, 1, G80, LAST, 0x800000ff, 0x800000ff, 0},
    {GET_HIGH_READ, 3, G80, LAST, 0xff, 0xff, 0}, /* and PUT_HIGH_READ, PUT_HIGH_WRITE */
    {MGET_HIGH_READ, 1, G80, LAST, 0x800000ff, 0x800000ff, 0},
    {SEM_ADDRESS_HIGH, 1, G84, LAST, 0xff, 0xff, 0},
    {SEM_ADDRESS_LOW, 2, G84, LAST, ALL, ALL, 0}, /* and SEM_SEQUENCE */
    {CACHE_INST, 1, G84, LAST, ALL, ALL, 0},
    {CHAN_INST, 1, G84, LAST, 0x3fffffff, 0x3fffffff, 0},
    {MTHD_28, 2, MCP89, LAST, ALL, ALL, 0}, /* and 0x3504 */
};

const struct reference_register *const ref_g80_registers = registers;
const size_t ref_g80_register_rows = sizeof registers / sizeof registers[0];

/* ---- what a read shows beyond storage ---- */

/* A bit for each engine from 1 on. Those that do not exist are idle. */
static uint32_t idle_engines(struct reference *r) {
    uint32_t idle = 0x3f;
    for (unsigned engine = 1; engine < 7; engine++) {
        r->serving = r->engine_channel[engine] != UINT32_MAX ? r->engine_channel[engine] : ref_channel(r);
        if ((r->config.engines >> engine & 1) && r->config.busy(r->config.opaque, engine))
            idle &= ~(1u << (engine - 1));
    }
    return idle;
}

static bool is_table(uint32_t offset) {
    return offset >= CHAN_TABLE && offset < CHAN_TABLE + 4 * REFERENCE_CHANNELS;
}

uint32_t ref_g80_read(struct reference *r, uint32_t offset) {
    switch (offset) {
    case ENGINE_IDLE:
        return idle_engines(r);
    case FREEZE: /* FROZEN answers at once: between two runs nothing is under way */
        return value_of(r, FREEZE) & 1 ? 0x11 : 0;
    case CURRENT_CHANNEL:
        return ref_channel(r);
    case KICK:
        return ref_g80_read_kick(r);
    default:
        if (is_table(offset))
            return ref_g80_table_entry(r, (offset - CHAN_TABLE) / 4);
        return value_of(r, offset);
    }
}

/* ---- what a write does beyond storage ---- */

void ref_g80_written(struct reference *r, uint32_t offset, uint32_t value) {
    switch (offset) {
    case INTR_NRHOST:
        *reg(r, INTR_NRHOST) &= ~value;
        break;
    case PIO_TIMESLICE:
        *reg(r, offset) &= ref_writable(r, offset);
        break;
    case CACHES:
        ref_g80_write_caches(r, value);
        break;
    case PLAYLIST_LENGTH:
        ref_g80_keep_playlist(r);
        break;
    case KICK:
        ref_g80_kick(r);
        break;
    case PUSH1:
    case CHAN_INST:
    case DMA_FETCH:
    case DMA_INSTANCE:
    case FIFO_ENDIAN:
        r->pushbuffer.known = false;
        break;
    default:
        if (!is_table(offset))
            break;
        r->pushbuffer.known = false;
        if (value_of(r, offset) == 0) /* the channel is no more */
            for (unsigned engine = 0; engine < 8; engine++)
                if (r->engine_channel[engine] == (offset - CHAN_TABLE) / 4)
                    r->engine_channel[engine] = UINT32_MAX;
    }
}
