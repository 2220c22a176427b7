/* SPDX-License-Identifier: MIT */
/* The reference of NV1, NV3, NV3T: memory, where the tables are, RAMHT. */
#include "nv1_state.h"

#define RAMIN_BYTES 0x100000u

/* ---- bytes ---- */

static uint32_t load(const uint8_t *memory, uint32_t bytes, uint32_t address) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4; i++)
        if ((uint64_t)address + i < bytes)
            value |= (uint32_t)memory[address + i] << 8 * i;
    return value;
}

void ref1_vram_wr32(struct nv1ref *r, uint32_t address, uint32_t value) {
    for (uint32_t i = 0; i < 4; i++)
        if ((uint64_t)address + i < r->config.vram_bytes)
            r->config.vram[address + i] = (uint8_t)(value >> 8 * i);
}

uint32_t ref1_system_rd32(const struct nv1ref *r, uint32_t address) {
    return load(r->config.system, r->config.system_bytes, address);
}

uint32_t nv1ref_ramin(const struct nv1ref *r, uint32_t address) {
    uint32_t chunk = r->chip->ramin_chunk;
    address %= RAMIN_BYTES; /* UNKNOWN: what is beyond; chosen: it wraps */
    return r->config.vram_bytes - chunk - (address & ~(chunk - 1)) + (address & (chunk - 1));
}

uint32_t ref1_ramin_rd32(const struct nv1ref *r, uint32_t address) {
    return load(r->config.vram, r->config.vram_bytes, nv1ref_ramin(r, address));
}

void ref1_ramin_wr32(struct nv1ref *r, uint32_t address, uint32_t value) {
    ref1_vram_wr32(r, nv1ref_ramin(r, address), value);
}

/* ---- places ---- */

/* NV1: PRAM.CONFIG decides. The areas of 2 overlap, as the table in the documents has it. */
static const struct {
    uint32_t ramro, ramfc, ramau;
} layouts[4] = {
    {0x1000, 0x1800, 0x2000}, {0x2000, 0x3000, 0x4000}, {0x2000, 0x6000, 0x8000}, {0x8000, 0xc000, 0x10000}};

static uint32_t ramht_bytes(const struct nv1ref *r) {
    return 0x1000u << (r->chip->nv3 ? value_of(r, RAMHT) >> 16 & 3 : r->pram_config);
}

static uint32_t ramht_base(const struct nv1ref *r) {
    return r->chip->nv3 ? value_of(r, RAMHT) & 0xf000 : 0;
}

uint32_t nv1ref_ramro(const struct nv1ref *r, uint32_t *bytes) {
    if (!r->chip->nv3) {
        *bytes = 0x800u << r->pram_config;
        return layouts[r->pram_config].ramro;
    }
    *bytes = value_of(r, RAMRO) & 0x10000 ? 0x2000 : 0x200;
    return value_of(r, RAMRO) & 0xfe00;
}

uint32_t nv1ref_ramfc(const struct nv1ref *r, uint32_t channel) {
    if (r->chip->nv3)
        return (value_of(r, RAMFC) & 0xfe00) + channel * 32;
    return layouts[r->pram_config].ramfc + (r->pram_config == 0 ? channel & 0x3f : channel) * 32;
}

/* NV1's windows into RAMIN. Those larger than their area repeat it; RAMAU goes on into the unknown area after it. */
bool ref1_window(const struct nv1ref *r, uint32_t address, uint32_t *ramin) {
    if (r->chip->nv3)
        return false;
    uint32_t ramro_bytes, ramro = nv1ref_ramro(r, &ramro_bytes);
    const struct {
        uint32_t begin, bytes, area, area_bytes;
    } windows[] = {
        {0x604000, 0x1000, layouts[r->pram_config].ramau, 0x1000},
        {0x606000, 0x1000, layouts[r->pram_config].ramau + 0xc00, 0x400},
        {0x640000, 0x8000, 0, ramht_bytes(r)},
        {0x648000, 0x4000, layouts[r->pram_config].ramfc, 0x800u << r->pram_config},
        {0x650000, 0x4000, ramro, ramro_bytes},
        {0x700000, 0x100000, 0, RAMIN_BYTES},
    };
    for (unsigned i = 0; i < sizeof windows / sizeof windows[0]; i++)
        if (address >= windows[i].begin && address - windows[i].begin < windows[i].bytes) {
            *ramin = windows[i].area + (address - windows[i].begin) % windows[i].area_bytes;
            return true;
        }
    return false;
}

/* ---- RAMHT ---- */

uint32_t nv1ref_ramht_row(const struct nv1ref *r, uint32_t handle, uint32_t channel, uint32_t *columns) {
    uint32_t row = (handle ^ handle >> 8 ^ handle >> 16 ^ handle >> 24) & 0xff;
    *columns = ramht_bytes(r) / (256 * 8);
    return ramht_base(r) + ((row ^ (channel & CHANNEL)) * *columns) * 8;
}

/* The context without what a CTX register does not keep. */
bool ref1_lookup(struct nv1ref *r, uint32_t handle, uint32_t channel, uint32_t *context) {
    uint32_t columns, at = nv1ref_ramht_row(r, handle, channel, &columns);
    r->hash_physical = 0;
    for (uint32_t i = 0; i < columns; i++) {
        uint32_t word = ref1_ramin_rd32(r, at + 8 * i + 4);
        if (ref1_ramin_rd32(r, at + 8 * i) != handle || (handle == 0 && word == 0))
            continue;
        if (r->chip->nv3 && (word >> 24 & CHANNEL) != channel)
            continue;
        *context = word & r->chip->context_mask;
        r->hash_physical = *context;
        return true;
    }
    return false;
}
