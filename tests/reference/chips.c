/* SPDX-License-Identifier: MIT */
/*
 * Chips of the reference, and registers before G80: rnndb/fifo/nv4_pfifo.xml, reset values of NV4 from nv4ref.h.
 *
 * Chips stand in the order in which they came; a row of a register says from which chip on it is like this, and from
 * which chip on no longer. UNKNOWN: reset values that nv4ref.h does not give; chosen: 0.
 */
#include <string.h>

#include "state.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))
#define ALL         0xffffffffu
#define BY_4        0xfffffffcu
#define BY_4_NV4    0x1ffffffcu

#define KIB(n) ((n)*1024u)

static const struct reference_chip chips[] = {
    {"NV4", NV4, 16},
    {"NV5", NV5, 16},
    {"NV10", NV10, 16},
    {"NV15", NV15, 16},
    {"NV1A", NV1A, 16},
    {"NV11", NV11, 16},
    {"NV17", NV17, 16},
    {"NV1F", NV1F, 16},
    {"NV18", NV18, 16},
    {"NV20", NV20, 64},
    {"NV2A", NV2A, 64},
    {"NV25", NV25, 64},
    {"NV28", NV28, 64},
    {"NV30", NV30, 64},
    {"NV35", NV35, 64},
    {"NV31", NV31, 64},
    {"NV36", NV36, 64},
    {"NV34", NV34, 16},
    {"NV40", NV40, KIB(512)},
    {"NV45", NV45, KIB(512)},
    {"NV41", NV41, KIB(512)},
    {"NV42", NV42, KIB(512)},
    {"NV43", NV43, KIB(512)},
    {"NV44", NV44, KIB(512)},
    {"NV44A", NV44A, KIB(512)},
    {"G70", G70, KIB(512)},
    {"G71", G71, KIB(512)},
    {"G73", G73, KIB(512)},
    {"G72", G72, KIB(512)},
    {"C51", C51, KIB(512)},
    {"MCP61", MCP61, KIB(512)},
    {"MCP67", MCP67, KIB(512)},
    {"MCP68", MCP68, KIB(512)},
    {"MCP73", MCP73, KIB(512)},
    {"RSX", RSX, KIB(512)},
    {"G80", G80, 0},
    {"G84", G84, 0},
    {"G86", G86, 0},
    {"G92", G92, 0},
    {"G94", G94, 0},
    {"G96", G96, 0},
    {"G98", G98, 0},
    {"GT200", GT200, 0},
    {"MCP77", MCP77, 0},
    {"MCP79", MCP79, 0},
    {"GT215", GT215, 0},
    {"GT216", GT216, 0},
    {"GT218", GT218, 0},
    {"MCP89", MCP89, 0},
};

static const struct reference_register registers[] = {
    {DELAY_0, 1, NV4, NV40, 0x3ff, 0x3ff, 0},
    {DELAY_0, 1, NV40, G80, 0xf00003ff, 0xf00003ff, 0},
    {DMA_TIMESLICE, 1, NV4, NV40, 0x0101ffff, 0x0101ffff, 0x01000000},
    {DMA_TIMESLICE, 1, NV40, G80, 0xf101ffff, 0xf101ffff, 0x01000000},
    {PIO_TIMESLICE, 1, NV4, G80, 0x0101ffff, 0x0101ffff, 0x01000000},
    {TIMESLICE, 1, NV4, NV20, 0x0003ffff, 0x0003ffff, 0x0003ffff},
    {TIMESLICE, 1, NV20, G80, 0x001fffff, 0x001fffff, 0x0003ffff},
    {NEXT_CHANNEL, 1, NV4, NV10, 0x110f, 0x110f, 0},
    {NEXT_CHANNEL, 1, NV10, NV40, 0x111f, 0x111f, 0},
    {NEXT_CHANNEL, 1, NV40, G80, 0x13ff, 0x13ff, 0},
    {0x2054, 1, NV1A, NV40, 0x3ff, 0x3ff, 2},
    {0x2054, 1, NV40, G80, 0xf00003ff, 0xf00003ff, 2},
    {SLI, 1, NV40, G80, 0x30000fff, 0x30000fff, 0},
    {DEBUG_0, 1, NV4, G80, 0x11, 0, 0},
    {0x2084, 2, NV40, G80, ALL, ALL, 0},
    {INTR, 1, NV4, G80, ALL, 0, 0},
    {INTR_EN, 1, NV4, NV1A, 0x00011111, 0x00011111, 0},
    {INTR_EN, 1, NV1A, NV40, 0x01111111, 0x01111111, 0},
    {INTR_EN, 1, NV40, G80, 0x01fd1111, 0x01fd1111, 0},
    {RAMHT, 1, NV4, NV34, 0x030301f0, 0x030301f0, 0x100},
    {RAMHT, 1, NV34, G80, 0x070301f0, 0x070301f0, 0x100},
    {RAMFC, 1, NV4, NV10, 0x1fe, 0x1fe, 0x110},
    {RAMFC, 1, NV10, NV1A, 0x1fc, 0x1fc, 0x110},
    {RAMFC, 1, NV1A, NV17, 0x101fc, 0x101fc, 0x110},
    {RAMFC, 1, NV17, NV20, 0x01ff01fc, 0x01ff01fc, 0x008a0110},
    {RAMFC, 1, NV20, NV25, 0x00ff01fc, 0x00ff01fc, 0x008a0110},
    {RAMFC, 1, NV25, NV40, 0x01ff01fc, 0x01ff01fc, 0x008a0110},
    {RAMRO, 1, NV4, G80, 0x000101fe, 0x000101fe, 0x112},
    {0x221c, 1, NV40, G80, 0x1ff1, 0x1ff1, 0},
    {RAMFC_NV40, 1, NV40, NV44, 0x00ff00ff, 0x00ff00ff, 0},
    {RAMFC_NV40, 1, NV44, G80, 0x00ff1fff, 0x00ff1fff, 0},
    {RAMFC_SELECT, 1, NV44, G80, 3, 3, 0},
    {RUNOUT_STATUS, 1, NV4, G80, 0x111, 0, 0},
    {RUNOUT_PUT, 1, NV4, G80, 0x1ff8, 0x1ff8, 0},
    {RUNOUT_GET, 1, NV4, G80, 0x3ff8, 0x3ff8, 0},
    {CACHES, 1, NV4, G80, 0x11, 1, 0},
    {MODE, 3, NV4, NV10, 0xffff, 0xffff, 0}, /* DMA_PENDING and PIO_SIZE are the next two */
    {MODE, 3, NV10, G80, ALL, ALL, 0},
    {0x2510, 16, NV40, G80, ALL, ALL, 0},
    {0x2800, 128, NV4, G80, 0, 0, 0}, /* UNKNOWN: what DEVICE shows; chosen: 0 */

    {CACHE0(PUSH0), 1, NV4, G80, 1, 1, 0},
    {CACHE0(PUSH1), 1, NV4, NV10, 0xf, 0xf, 0},
    {CACHE0(PUSH1), 1, NV10, NV40, 0x1f, 0x1f, 0},
    {CACHE0(PUSH1), 1, NV40, G80, 0x1ff, 0x1ff, 0},
    {CACHE0(PUT), 1, NV4, G80, 4, 4, 0},
    {CACHE0(STATUS), 1, NV4, G80, 0x110, 0, 0},
    {CACHE0(PULL0), 1, NV4, G80, 0x1111, 1, 0},
    {CACHE0(PULL1), 1, NV4, NV5, 3, 3, 0},
    {CACHE0(PULL1), 1, NV5, G80, 0xf, 0xf, 0},
    {CACHE0(HASH), 1, NV4, NV40, 0x1ffff, 0x1ffff, 0},
    {CACHE0(HASH), 1, NV40, G80, 0x01ffffff, 0x01ffffff, 0},
    {CACHE0(GET), 1, NV4, G80, 4, 4, 0},
    {CACHE0(ENGINE), 1, NV4, NV5, 0x33333333, 0x33333333, 0},
    {CACHE0(ENGINE), 1, NV5, G80, ALL, ALL, 0},
    {CACHE0_METHOD, 1, NV4, G80, 0xfffc, 0xfffc, 0},
    {CACHE0_DATA, 1, NV4, G80, ALL, ALL, 0},

    {PUSH0, 1, NV4, G80, 1, 1, 0},
    {PUSH1, 1, NV4, NV10, 0x10f, 0x10f, 0},
    {PUSH1, 1, NV10, NV40, 0x11f, 0x11f, 0},
    {PUSH1, 1, NV40, G80, 0x101ff, 0x101ff, 0},
    {PUT, 1, NV4, NV40, 0x3fc, 0x3fc, 0},
    {PUT, 1, NV40, G80, 0x7fc, 0x7fc, 0},
    {STATUS, 1, NV4, G80, 0x111, 0, 0},
    {STATUS1, 1, NV4, NV5, 1, 0, 0},
    {DMA_PUSH, 1, NV4, NV1A, 0x1111, 0x1001, 0},
    {DMA_PUSH, 1, NV1A, NV40, 0x11111, 0x11001, 0},
    {DMA_PUSH, 1, NV40, G80, 0xff011111, 0xff011001, 0},
    {DMA_FETCH, 1, NV4, NV5, 0x000fe0f8, 0x000fe0f8, 0x6078},
    {DMA_FETCH, 1, NV5, NV1A, 0x001fe0f8, 0x001fe0f8, 0x6078},
    {DMA_FETCH, 1, NV1A, NV40, 0x801fe0f8, 0x801fe0f8, 0x6078},
    {DMA_FETCH, 1, NV40, G80, 0x807fe0f8, 0x807fe0f8, 0x6078},
    {DMA_STATE, 1, NV4, NV5, 0xdffcfffc, 0xdffcfffc, 0},
    {DMA_STATE, 1, NV5, NV10, 0xfffcfffc, 0xfffcfffc, 0},
    {DMA_STATE, 1, NV10, NV40, 0xfffcfffd, 0xfffcfffd, 0},
    {DMA_STATE, 1, NV40, G80, 0xfffffffd, 0xfffffffd, 0},
    {DMA_INSTANCE, 1, NV4, NV40, 0xffff, 0xffff, 0},
    {DMA_INSTANCE, 1, NV40, G80, 0xfffff, 0xfffff, 0},
    {DMA_CTL, 1, NV4, G80, 0x80033ffc, 0x80033ffc, 0x80000000},
    {DMA_LIMIT, 1, NV4, NV1A, BY_4_NV4, BY_4_NV4, 0},
    {DMA_LIMIT, 1, NV1A, G80, BY_4, BY_4, 0},
    {TLB_TAG, 1, NV4, G80, 0x1ffff001, 0x1ffff001, 0},
    {TLB_PTE, 1, NV4, G80, 0xfffff000, 0xfffff000, 0},
    {DMA_PUT, 2, NV4, NV1A, BY_4_NV4, BY_4_NV4, 0}, /* and DMA_GET */
    {DMA_PUT, 2, NV1A, G80, BY_4, BY_4, 0},
    {REF, 1, NV10, G80, ALL, ALL, 0},
    {SUBROUTINE, 1, NV1A, NV40, 0xfffffffd, 0xfffffffd, 0},
    {SUBROUTINE, 1, NV40, G80, BY_4, BY_4, 0},
    {PULL0, 1, NV4, NV1A, 0x1111, 1, 0},
    {PULL0, 1, NV1A, G80, 0x00f11111, 1, 0},
    {PULL1, 1, NV4, NV5, 3, 3, 0},
    {PULL1, 1, NV5, NV1A, 0xf, 0xf, 0},
    {PULL1, 1, NV1A, G80, 0x3001f, 0x3001f, 0},
    {HASH, 1, NV4, NV40, 0x1ffff, 0x1ffff, 0},
    {HASH, 1, NV40, G80, 0x01ffffff, 0x01ffffff, 0},
    {ACQUIRE_TIMEOUT, 3, NV1A, G80, ALL, ALL, 0}, /* TIMESTAMP and VALUE are the next two */
    {SEMAPHORE, 1, NV1A, G80, 0xfffffffd, 0xfffffffd, 0},
    {GET, 1, NV4, NV40, 0x3fc, 0x3fc, 0},
    {GET, 1, NV40, G80, 0x7fc, 0x7fc, 0},
    {ENGINE, 1, NV4, NV5, 0x33333333, 0x33333333, 0},
    {ENGINE, 1, NV5, G80, ALL, ALL, 0},
    {DCOUNT, 1, NV4, G80, 0x1ffc, 0x1ffc, 0},
    {GET_JMP_SHADOW, 1, NV5, NV1A, BY_4_NV4, BY_4_NV4, 0},
    {GET_JMP_SHADOW, 1, NV1A, G80, BY_4, BY_4, 0},
    {RSVD_SHADOW, 2, NV5, G80, ALL, ALL, 0}, /* and DATA_SHADOW */
    {0x32b0, 4, NV17, NV40, ALL, ALL, 0},
    {0x32c0, 1, NV17, NV20, 0xffff, 0xffff, 0},
    {0x32c0, 1, NV25, NV40, 0xffff, 0xffff, 0},
    {GRCTX_INST, 1, NV40, G80, ALL, ALL, 0},
    {0x32e4, 2, NV40, G80, ALL, ALL, 0},
    {0x32f4, 1, NV40, G80, 1, 1, 0},
    {0x3300, 1, NV40, G80, 1, 1, 0},
    {0x3304, 1, NV40, G80, 3, 0, 3},
    {0x330c, 3, NV41, G80, ALL, ALL, 0}, /* contexts of PMPEG, PME and PVP1 */
};

const struct reference_chip *ref_chip(const char *name) {
    for (size_t i = 0; i < COUNT_OF(chips); i++)
        if (strcmp(chips[i].name, name) == 0)
            return &chips[i];
    return NULL;
}

/* The rows of this chip, by register. */
void ref_find_registers(struct reference *r) {
    const struct reference_register *rows = since(r, G80) ? ref_g80_registers : registers;
    size_t count = since(r, G80) ? ref_g80_register_rows : COUNT_OF(registers);
    for (size_t i = 0; i < count; i++) {
        const struct reference_register *row = &rows[i];
        if (!since(r, row->from) || since(r, row->until))
            continue;
        for (uint32_t n = 0; n < row->words; n++)
            r->row[(row->offset - 0x2000) / 4 + n] = row;
    }
}

uint32_t ref_entries(const struct reference *r) {
    /* UNKNOWN: depth of CACHE1 of NV40; of 512 slots with 9 bits of pointer one bit tells full from empty: 256. */
    return since(r, G80) ? 512 : since(r, NV40) ? 256 : 128;
}

/* Bits of PUT and GET. */
uint32_t ref_pointer_mask(const struct reference *r) {
    return since(r, G80) ? 0xffc : since(r, NV40) ? 0x7fc : 0x3fc;
}

uint32_t ref_channel_mask(const struct reference *r) {
    return since(r, G80) ? 0x7f : since(r, NV40) ? 0x1ff : since(r, NV10) ? 0x1f : 0xf;
}

/* Before G80: channels that have a bit in MODE, and an area for PIO. */
uint32_t ref_channels(const struct reference *r) {
    return since(r, G80) ? REFERENCE_CHANNELS : since(r, NV10) ? 32 : 16;
}

uint32_t ref_mode_bit(const struct reference *r) {
    return since(r, NV40) ? 0x10000 : 0x100;
}

/* Bits of addresses in a pushbuffer. */
uint32_t ref_address_mask(const struct reference *r) {
    return since(r, NV1A) ? BY_4 : BY_4_NV4;
}

uint32_t ref_firmware_class(const struct reference *r, uint32_t engine) {
    static const struct {
        const char *chips;
        uint32_t class[7];
    } rows[] = {
        {"G84 G86 G92 G94 G96 GT200 ", {0, 0, 0, 0, 0x7476, 0, 0x74b0}},
        {"G98 MCP77 MCP79 ", {0, 0, 0x88b3, 0, 0x88b2, 0x88b4, 0x88b1}},
        {"GT215 GT216 GT218 ", {0, 0, 0x85b3, 0x85b5, 0x85b2, 0, 0x85b1}},
        {"MCP89 ", {0, 0, 0x85b3, 0x85b5, 0x85b2, 0x86b6, 0x86b1}},
    };
    size_t length = strlen(r->config.chip);
    for (size_t i = 0; engine < 7 && i < COUNT_OF(rows); i++)
        for (const char *at = rows[i].chips; (at = strstr(at, r->config.chip)) != NULL; at += length)
            if (at[length] == ' ' && (at == rows[i].chips || at[-1] == ' '))
                return rows[i].class[engine];
    return 0;
}

uint32_t ref_class_mask(const struct reference *r, uint32_t engine) {
    return engine != 1 || since(r, NV40) ? 0xffff : since(r, NV25) ? 0xfff : 0xff;
}
