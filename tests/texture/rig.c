/* SPDX-License-Identifier: MIT */
#include "rig.h"

static const uint8_t *at(void *opaque, uint64_t address, uint64_t *bytes) {
    struct rig *rig = opaque;
    if (address < RIG_BASE || address >= RIG_BASE + RIG_BYTES || (rig->hole && address >= rig->hole))
        return NULL;
    *bytes = (rig->hole ? rig->hole : RIG_BASE + RIG_BYTES) - address;
    if (rig->page && rig->page - address % rig->page < *bytes)
        *bytes = rig->page - address % rig->page;
    return rig->memory + (address - RIG_BASE);
}

static const uint8_t *whole(void *opaque, uint64_t address, uint64_t bytes) {
    uint64_t there = 0;
    const uint8_t *data = at(opaque, address, &there);
    return there >= bytes ? data : NULL;
}

void rig_begin(struct rig *rig) {
    memset(rig, 0, sizeof *rig);
    rig->source = (struct texture_memory){rig, at, whole};
}

static void write_tesla(uint32_t *words, const struct rig_header *h) {
    words[0] = h->format;
    for (unsigned i = 0; i < 4; i++)
        words[0] |= h->type << (6 + 3 * i) | (2 + i) << (18 + 3 * i);
    words[1] = (uint32_t)RIG_BASE;
    words[2] = (uint32_t)(RIG_BASE >> 32) | (uint32_t)h->srgb << 10 | h->target << 14 | (h->pitch ? 1u << 18 : 0) |
               h->block_height << 22 | h->block_depth << 25 | (h->unnormalized ? 0 : 1u << 31);
    words[3] = h->pitch;
    words[4] = h->width | (uint32_t)h->depth_format << 30 | 1u << 31;
    words[5] = h->height | h->depth << 16 | (h->levels - 1) << 28;
    words[7] = (h->levels - 1) << 4 | h->samples << 12;
}

static void write_maxwell(uint32_t *words, const struct rig_header *h) {
    words[0] = h->format;
    for (unsigned i = 0; i < 4; i++)
        words[0] |= h->type << (7 + 3 * i) | (2 + i) << (19 + 3 * i);
    words[1] = (uint32_t)RIG_BASE;
    words[2] = (uint32_t)(RIG_BASE >> 32) | (h->target == TEXTURE_BUFFER ? 0u : h->pitch ? 2u : 3u) << 21;
    words[3] = h->pitch ? h->pitch >> 5 : h->block_height << 3 | h->block_depth << 6 | h->tile_width << 10;
    words[3] |= (uint32_t)h->depth_format << 27 | (h->levels - 1) << 28;
    words[4] = (h->width - 1) | (uint32_t)h->srgb << 22 | h->target << 23;
    if (h->target == TEXTURE_BUFFER) {
        words[3] = (h->width - 1) >> 16;
        words[4] = ((h->width - 1) & 0xffff) | h->target << 23;
    }
    words[5] = (h->height - 1) | (h->depth - 1) << 16 | (h->unnormalized ? 0 : 1u << 31);
    words[7] = (h->levels - 1) << 4 | h->samples << 8;
}

void rig_header(struct rig *rig, enum texture_layout layout, struct rig_header header) {
    const char *reason = NULL;
    header.format = header.format ? header.format : 0x08;
    header.type = header.type ? header.type : TEXTURE_UNORM;
    header.height = header.height ? header.height : 1;
    header.depth = header.depth ? header.depth : 1;
    header.levels = header.levels ? header.levels : 1;
    memset(rig->words, 0, sizeof rig->words);
    if (layout == TEXTURE_TIC_TESLA)
        write_tesla(rig->words, &header);
    else
        write_maxwell(rig->words, &header);
    const struct texture_unit unit = {layout, GOB_SECTORS, true};
    if (!texture_header(&rig->view, &unit, rig->words, &reason))
        fail_msg("header refused: %s", reason);
}

void rig_sampler(struct rig *rig, unsigned wrap, unsigned filter, unsigned mip) {
    memset(rig->sampler_words, 0, sizeof rig->sampler_words);
    rig->sampler_words[0] = wrap | wrap << 3 | wrap << 6;
    rig->sampler_words[1] = filter | filter << 4 | mip << 6;
    rig->sampler_words[2] = 0xfff << 12;
    texture_sampler(&rig->sampler, rig->sampler_words);
}

/* envytools docs/hw/memory/g80-surface.rst, and the "16Bx2" order of the TX1 manual. */
uint8_t *rig_texel(struct rig *rig, unsigned x, unsigned y, unsigned z, unsigned layer, unsigned level) {
    const struct texture_level *l = &rig->view.level[level];
    const struct layout *as = &l->layout;
    const unsigned bytes = (unsigned)(as->width / l->size[0]), bx = x * bytes;
    uint64_t offset = RIG_BASE - RIG_BASE + layer * rig->view.layer_bytes + l->offset;
    if (as->type == LAYOUT_PITCH)
        return rig->memory + offset + y * (uint64_t)as->pitch + bx;
    const unsigned lines = 8u << as->block_height, across = (unsigned)((as->width + 63) / 64);
    const unsigned down = (as->height + lines - 1) / lines;
    uint64_t block = ((uint64_t)(z >> as->block_depth) * down + y / lines) * across + bx / 64;
    uint64_t gob = (block << as->block_depth | (z & ((1u << as->block_depth) - 1))) << as->block_height | y % lines / 8;
    const unsigned gx = bx % 64, gy = y % 8;
    return rig->memory + offset + gob * 512 + gx / 32 * 256 + gy / 2 * 64 + gx % 32 / 16 * 32 + gy % 2 * 16 + gx % 16;
}

void rig_fill(texture_row row, float value) {
    for (unsigned i = 0; i < TEXTURE_LANES; i++)
        memcpy(&row[i], &value, sizeof value);
}

void rig_sample(struct rig *rig, float s, float t, float r, float level, float out[4]) {
    texture_row at[3], lod, rows[4];
    rig_fill(at[0], s);
    rig_fill(at[1], t);
    rig_fill(at[2], r);
    rig_fill(lod, level);
    const struct texture_request request = {
        .operation = TEXTURE_SAMPLE, .lod = TEXTURE_LOD_LEVEL, .coordinate = {at[0], at[1], at[2]}, .level = lod};
    texture_sample(&rig->source, &rig->view, &rig->sampler, &request, 1, rows);
    for (unsigned c = 0; c < 4; c++)
        memcpy(&out[c], &rows[c][0], sizeof out[c]);
}
