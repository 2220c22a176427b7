/* SPDX-License-Identifier: MIT */
/* The reference of NV1, NV3, NV3T: registers, byte lanes, CACHE1's pointers. */
#include "nv1.h"

#include <string.h>

#include "nv1_state.h"

#define ALL           0xffffffffu
#define STATUS_RANOUT 0x00000001u
#define STATUS_EMPTY  0x00000010u
#define STATUS_FULL   0x00000100u

/* ---- what is stored ---- */

#define CACHES_OF_ALL                                                                                                  \
    {CACHE0 + PUSH0, 1, 4, 1, 1}, {CACHE0 + PULL0, 1, 4, 0x111, 1}, {CACHE0 + GET, 1, 4, 0x4, 0x4},                    \
        {0x3100, 1, 8, 0xfffc, 0xfffc}, {0x3104, 1, 8, ALL, ALL}, {CACHE1 + PUSH0, 1, 4, 1, 1}, {                      \
        CACHE1 + PULL0, 1, 4, 0x111, 1                                                                                 \
    }

static const struct nv1ref_row rows_all[] = {
    {DELAY_0, 1, 4, 0xff, 0xff},
    {DEBUG_0, 1, 4, 0x11, 0},
    {RUNOUT_STATUS, 1, 4, 0, 0},
    {RUNOUT_GET, 1, 4, 0x3ff8, 0x3ff8},
    {CACHES, 1, 4, 1, 1},
    CACHES_OF_ALL,
    {0},
};

static const struct nv1ref_row rows_nv1[] = {
    {INTR_0, 1, 4, 0x111, 0},
    {INTR_EN_0, 1, 4, 0x111, 0x111},
    {CONFIG_0, 1, 4, 0x3, 0x3},
    {RUNOUT_PUT, 1, 4, 0x3ff8, 0x3ff8},
    {0x3010, 1, 4, 0x7f, 0x7f},
    {0x3020, 1, 4, 0, 0},
    {0x3030, 1, 4, 0x4, 0x4},
    {0x3050, 1, 4, 0x100, 0x100},
    {0x3080, 1, 16, 0x007fffff, 0x007fffff},
    {0x3210, 1, 4, 0x7f, 0x7f},
    {0x3220, 1, 4, 0, 0},
    {0x3230, 1, 4, 0x7c, 0x7c},
    {0x3250, 1, 4, 0x117, 0x117},
    {0x3270, 1, 4, 0x7c, 0x7c},
    {0x3280, 8, 16, 0x017fffff, 0x017fffff},
    {0x3300, 32, 8, 0xfffc, 0xfffc},
    {0x3304, 32, 8, ALL, ALL},
    {0},
};

static const struct nv1ref_row rows_nv3[] = {
    {INTR_0, 1, 4, 0x11111, 0},
    {INTR_EN_0, 1, 4, 0x11111, 0x11111},
    {CONFIG_0, 1, 4, 0xfc0300, 0xfc0300},
    {RAMHT, 1, 4, 0x3f000, 0x3f000},
    {RAMFC, 1, 4, 0xfe00, 0xfe00},
    {RAMRO, 1, 4, 0x1fe00, 0x1fe00},
    {RUNOUT_PUT, 1, 4, 0x1ff8, 0x1ff8},
    {0x3004, 1, 4, 0x7f, 0x7f},
    {0x3010, 1, 4, 0x4, 0x4},
    {0x3014, 1, 4, 0, 0},
    {0x3080, 1, 16, 0x00ffffff, 0x00ffffff},
    {0x3204, 1, 4, 0x17f, 0x17f},
    {0x3214, 1, 4, 0, 0},
    {DMA_STATE, 1, 4, 0x5ffcfffc, 0x5ffcfffc},
    {DMA_CTRL, 1, 4, 0x11, 1},
    {DMA_COUNT, 1, 4, 0xfffffc, 0xfffffc},
    {DMA_GET, 1, 4, 0xfffffc, 0xfffffc},
    {DMA_TARGET, 1, 4, 3, 3},
    {DMA_TLB_TAG, 1, 4, ALL, ALL}, /* UNKNOWN: which bits; chosen: all, drivers write all ones */
    {DMA_TLB_PTE, 1, 4, 0xfffff001, 0xfffff001},
    {DMA_PT_INST, 1, 4, 0xffffc, 0xffffc},
    {0x3250, 1, 4, 0x10, 0x10},
    {0x3280, 8, 16, 0x00ffffff, 0x00ffffff},
    {0},
};

/* The scan of the masks is NV3T's. UNKNOWN: width of NV3's pointers; chosen: what its 32 entries need. */
static const struct nv1ref_row rows_nv3_entries[] = {
    {0x3210, 1, 4, 0x7c, 0x7c},
    {0x3270, 1, 4, 0x7c, 0x7c},
    {0x3300, 32, 8, 0xfffc, 0xfffc},
    {0x3304, 32, 8, ALL, ALL},
    {0},
};

static const struct nv1ref_row rows_nv3t_entries[] = {
    {0x3210, 1, 4, 0x1fc, 0x1fc},
    {0x3270, 1, 4, 0x1fc, 0x1fc},
    {0x3400, 64, 8, 0xfffc, 0xfffc},
    {0x3404, 64, 8, ALL, ALL},
    {0},
};

static const struct nv1ref_chip chips[] = {
    {"NV1", false, 32, 4, 0x10, 0x20, 0x30, 0x3300, 0x017fffff, {rows_all, rows_nv1, NULL}},
    {"NV3", true, 32, 16, 0x04, 0x14, 0x10, 0x3300, 0x00ffffff, {rows_all, rows_nv3, rows_nv3_entries}},
    {"NV3T", true, 64, 16, 0x04, 0x14, 0x10, 0x3400, 0x00ffffff, {rows_all, rows_nv3, rows_nv3t_entries}},
};

bool nv1ref_row(const struct nv1ref *r, size_t i, struct nv1ref_row *row) {
    for (size_t list = 0; list < 3 && r->chip->rows[list]; list++)
        for (const struct nv1ref_row *p = r->chip->rows[list]; p->offset; p++)
            if (i-- == 0) {
                *row = *p;
                return true;
            }
    return false;
}

static const struct nv1ref_row *find(const struct nv1ref *r, uint32_t offset) {
    for (size_t list = 0; list < 3 && r->chip->rows[list]; list++)
        for (const struct nv1ref_row *p = r->chip->rows[list]; p->offset; p++)
            if (offset >= p->offset && offset < p->offset + p->count * p->stride &&
                (offset - p->offset) % p->stride == 0)
                return p;
    return NULL;
}

/* What PMC.ENABLE bit 8 = 0 makes of NV3's places in RAMIN. */
static void forget_places(struct nv1ref *r) {
    *reg(r, RAMHT) = 0;
    *reg(r, RAMFC) = 0x1c00;
    *reg(r, RAMRO) = 0x1e00;
}

bool nv1ref_init(struct nv1ref *r, const struct nv1ref_config *config) {
    memset(r, 0, sizeof *r);
    r->config = *config;
    r->pmc_enable = ALL;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
        if (strcmp(chips[i].name, config->chip) == 0)
            r->chip = &chips[i];
    if (r->chip && r->chip->nv3)
        forget_places(r);
    return r->chip != NULL;
}

/* ---- CACHE1 ---- */

static uint32_t binary_of(uint32_t gray) {
    uint32_t binary = 0;
    for (; gray; gray >>= 1)
        binary ^= gray;
    return binary;
}

/* NV3T's pointers keep a bit more than the index. Only "empty" looks at it, and it is lost with the first step. */
static uint32_t index_of(const struct nv1ref *r, uint32_t pointer) {
    return binary_of(pointer >> 2 & (r->chip->entries - 1));
}

uint32_t nv1ref_next(const struct nv1ref *r, uint32_t pointer) {
    uint32_t n = (index_of(r, pointer) + 1) % r->chip->entries;
    return (n ^ n >> 1) << 2;
}

uint32_t nv1ref_linear(const struct nv1ref *r, uint32_t pointer) {
    return index_of(r, pointer) << 2;
}

uint32_t ref1_channel(const struct nv1ref *r, uint32_t cache) {
    return value_of(r, cache + r->chip->push1) & CHANNEL;
}

bool ref1_empty(const struct nv1ref *r, uint32_t cache) {
    return value_of(r, cache + r->chip->put) == value_of(r, cache + GET);
}

bool ref1_full(const struct nv1ref *r) {
    uint32_t next = nv1ref_next(r, value_of(r, CACHE1 + r->chip->put));
    return index_of(r, next) == index_of(r, value_of(r, CACHE1 + GET));
}

void ref1_push(struct nv1ref *r, uint32_t address, uint32_t data) {
    uint32_t *put = reg(r, CACHE1 + r->chip->put);
    uint32_t slot = *put >> 2 & (r->chip->entries - 1);
    *reg(r, r->chip->entry + 8 * slot) = address & 0xfffc;
    *reg(r, r->chip->entry + 8 * slot + 4) = data;
    *put = nv1ref_next(r, *put);
}

uint32_t ref1_last_subchannel(const struct nv1ref *r) {
    return r->chip->nv3 ? r->last_subchannel : value_of(r, CACHE1 + PULL1) & SUBCHANNEL;
}

void ref1_set_last_subchannel(struct nv1ref *r, uint32_t subchannel) {
    if (r->chip->nv3)
        r->last_subchannel = subchannel;
    else
        *reg(r, CACHE1 + PULL1) = (value_of(r, CACHE1 + PULL1) & ~SUBCHANNEL) | subchannel;
}

/* ---- RUNOUT ---- */

uint32_t ref1_runout_next(const struct nv1ref *r) {
    uint32_t bytes;
    nv1ref_ramro(r, &bytes);
    return (value_of(r, RUNOUT_PUT) + 8) & (bytes - 8);
}

void ref1_check_latch(struct nv1ref *r) {
    if (value_of(r, RUNOUT_GET) == value_of(r, RUNOUT_PUT))
        r->ranout = false;
}

static uint32_t runout_status(const struct nv1ref *r) {
    uint32_t put = value_of(r, RUNOUT_PUT), get = value_of(r, RUNOUT_GET);
    return (get == put ? STATUS_EMPTY : STATUS_RANOUT) | (get == ref1_runout_next(r) ? STATUS_FULL : 0);
}

static uint32_t cache_status(const struct nv1ref *r, uint32_t cache) {
    if (ref1_empty(r, cache))
        return STATUS_EMPTY | (cache == CACHE1 && r->ranout ? STATUS_RANOUT : 0);
    if (cache == CACHE0)
        return STATUS_FULL;
    return (ref1_full(r) ? STATUS_FULL : 0) | (r->ranout ? STATUS_RANOUT : 0);
}

/* ---- access ---- */

bool nv1ref_interrupt(const struct nv1ref *r) {
    return (value_of(r, INTR_0) & value_of(r, INTR_EN_0)) != 0;
}

static uint32_t register_read(struct nv1ref *r, uint32_t offset) {
    const struct nv1ref_row *row = find(r, offset);
    if (!row)
        return 0;
    if (offset == RUNOUT_STATUS)
        return runout_status(r);
    if (offset == CACHE0 + r->chip->status || offset == CACHE1 + r->chip->status)
        return cache_status(r, offset - r->chip->status);
    if (offset == DMA_CTRL && r->chip->nv3)
        return (value_of(r, DMA_CTRL) & ACCESS) | (ref1_dma_has_work(r) ? DMA_BUSY : 0);
    return value_of(r, offset) & row->readable;
}

static void register_write(struct nv1ref *r, uint32_t offset, uint32_t value, uint32_t lanes) {
    const struct nv1ref_row *row = find(r, offset);
    if (!row)
        return;
    uint32_t mask = row->writable & lanes;
    *reg(r, offset) = (value_of(r, offset) & ~mask) | (value & mask);
    if (offset == INTR_0) {
        *reg(r, INTR_0) &= ~value;
        if (value & CACHE_ERROR)
            *reg(r, DEBUG_0) = 0;
    }
    if (offset == RUNOUT_PUT || offset == RUNOUT_GET)
        ref1_check_latch(r);
}

static void pmc_enable_write(struct nv1ref *r, uint32_t value, uint32_t lanes) {
    static const uint32_t cleared[] = {DELAY_0, INTR_EN_0, CACHES, CACHE0 + PUSH0, CACHE1 + PUSH0};
    r->pmc_enable = (r->pmc_enable & ~lanes) | (value & lanes);
    if (r->pmc_enable & PFIFO_ENABLED)
        return;
    for (size_t i = 0; i < sizeof cleared / sizeof cleared[0]; i++)
        *reg(r, cleared[i]) = 0;
    *reg(r, CACHE0 + PULL0) &= ~ACCESS;
    *reg(r, CACHE1 + PULL0) &= ~ACCESS;
    if (!r->chip->nv3)
        return;
    *reg(r, DMA_CTRL) = 0;
    *reg(r, CACHE1 + PULL1) = 0;
    r->last_subchannel = 0; /* it is a part of PULL1 that does not show */
    forget_places(r);
}

static bool is_hash_virtual(uint32_t address) {
    return address >= HASH_VIRTUAL && address < HASH_VIRTUAL + 4 * 128;
}

static uint32_t pram_read(const struct nv1ref *r, uint32_t address) {
    if (address == PRAM_CONFIG)
        return r->pram_config;
    return address == HASH_PHYSICAL ? r->hash_physical : 0;
}

static void pram_write(struct nv1ref *r, uint32_t address, uint32_t value, uint32_t lanes) {
    uint32_t context;
    if (address == PRAM_CONFIG && (lanes & 0xff))
        r->pram_config = value & 3;
    else if (is_hash_virtual(address))
        ref1_lookup(r, value, (address - HASH_VIRTUAL) / 4, &context);
}

/* One dword, or a part of it. */
static uint32_t dword_read(struct nv1ref *r, uint32_t address, unsigned lanes) {
    uint32_t dword = address & ~3u, ramin;
    if (address >= USER)
        return ref1_user_read(r, address - USER, lanes);
    if (dword >= 0x2000 && dword < 0x4000)
        return register_read(r, dword);
    if (dword == PMC_ENABLE)
        return r->pmc_enable;
    if (ref1_window(r, dword, &ramin))
        return ref1_ramin_rd32(r, ramin);
    return r->chip->nv3 ? 0 : pram_read(r, dword);
}

static void dword_write(struct nv1ref *r, uint32_t address, unsigned lanes, uint32_t value) {
    uint32_t dword = address & ~3u, mask = 0, ramin;
    for (unsigned i = 0; i < 4; i++)
        mask |= lanes >> i & 1 ? 0xffu << 8 * i : 0;
    if (address >= USER)
        ref1_user_write(r, address - USER, lanes, value);
    else if (dword >= 0x2000 && dword < 0x4000)
        register_write(r, dword, value, mask);
    else if (dword == PMC_ENABLE)
        pmc_enable_write(r, value, mask);
    else if (ref1_window(r, dword, &ramin))
        ref1_ramin_wr32(r, ramin, (ref1_ramin_rd32(r, ramin) & ~mask) | value);
    else if (!r->chip->nv3)
        pram_write(r, dword, value, mask);
}

/* An access that crosses a dword is two, the low part first. */
static unsigned first_part(uint32_t address, unsigned bytes, unsigned *lanes) {
    unsigned first = address & 3, part = bytes < 4 - first ? bytes : 4 - first;
    *lanes = ((1u << part) - 1) << first;
    return part;
}

uint32_t nv1ref_read(struct nv1ref *r, uint32_t address, unsigned bytes) {
    uint32_t value = 0;
    for (unsigned done = 0, part, lanes; done < bytes; done += part) {
        part = first_part(address + done, bytes - done, &lanes);
        uint64_t dword = dword_read(r, address + done, lanes) >> 8 * ((address + done) & 3);
        value |= (uint32_t)((dword & ((UINT64_C(1) << 8 * part) - 1)) << 8 * done);
    }
    return value;
}

void nv1ref_write(struct nv1ref *r, uint32_t address, unsigned bytes, uint32_t value) {
    for (unsigned done = 0, part, lanes; done < bytes; done += part) {
        part = first_part(address + done, bytes - done, &lanes);
        uint32_t piece = (uint32_t)(value >> 8 * done & ((UINT64_C(1) << 8 * part) - 1));
        dword_write(r, address + done, lanes, piece << 8 * ((address + done) & 3));
    }
}
