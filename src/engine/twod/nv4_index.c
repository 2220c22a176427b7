/* SPDX-License-Identifier: MIT */
/*
 * INDEX (60, 64 ..): an image from the CPU whose pixels are numbers of colours in memory. SIZE_IN begins it.
 *
 * The palette is read when the indices are used.
 *
 * UNKNOWN: which index format has how many bits, and the order of indices of 4 bits; chosen: 0 has 8 bits, 1 has 4, the
 *          lower half of a byte first.
 * Sources: envytools rnndb/graph/nv1_ifc.xml, hwtest/pgraph_class_ifc.cc.
 */
#include <assert.h>

#include "engine/kinds.h"
#include "engine/twod/nv4_stream.h"
#include "methods/nv1_2d.h"

enum {
    DMA_PALETTE = NV4_INDEX_DMA_LUT,
    FORMAT = NV4_INDEX_COLOR_FORMAT,
    INDEX_FORMAT = NV4_INDEX_INDEX_FORMAT,
    PALETTE_OFFSET = NV4_INDEX_LUT_OFFSET,
    POINT = NV4_INDEX_POINT
};
enum { SIZE_OUT = NV4_INDEX_SIZE_OUT, SIZE_IN = NV4_INDEX_SIZE_IN };

#define SLOTS                                                                                                          \
    .bind = {[NV4_CHROMA] = NV4_INDEX_COLOR_KEY, [NV4_CLIP] = NV4_INDEX_CLIP, NV4_DRAWS_FROM(NV4_INDEX_PATTERN)},      \
    .operation = NV4_INDEX_OPERATION, .format = FORMAT, .formats = nv4_image_format, .last_format = 5,                 \
    .last_format_nv30 = 7, .swizzled = true

static const struct nv4_slots nv4_slots = {SLOTS, .only_nv4 = true}, nv5_slots = {SLOTS};

static enum action_result set_index_format(struct call *call) {
    return call->data < 2 ? ACTION_DONE : call_error(call, ENGINE_ERROR_INVALID_VALUE);
}

static enum action_result nv4_index_begin(struct call *call) {
    const struct nv4_slots *slots = call->action->argument;
    struct nv4_draw draw;
    words_begin(call->object, 0);
    if (!nv4_source_format(call, slots) || !nv4_draw_open(call, slots, &draw))
        return ACTION_DONE;
    unsigned log2_bits = call_value(call, INDEX_FORMAT) & 1 ? 2 : 3;
    nv4_image_latch(call, call_value(call, POINT), call->data, call_value(call, SIZE_OUT), log2_bits);
    return ACTION_DONE;
}

/* An index destination takes the colour's bits: those of A8R8G8B8. */
static bool read_palette(const struct call *call, struct nv4_image *image, uint32_t palette[256]) {
    uint8_t bytes[4 * 256];
    unsigned entries = 1u << (1u << image->log2_bits), entry_bytes = image->format->bytes;
    struct address_space space = call_space(call, call_value(call, DMA_PALETTE));
    assert(entries <= 256 && entries * entry_bytes <= sizeof bytes);
    if (!memory_read(image->draw.memory, &space, call_value(call, PALETTE_OFFSET), bytes,
                     (uint64_t)entries * entry_bytes, &image->draw.fault))
        return false;
    for (unsigned i = 0; i < entries; i++) {
        uint32_t color = nv4_unpack(image->format, nv4_load(bytes, entry_bytes, i));
        palette[i] = image->draw.format->meaning == NV4_INDEX ? color & nv4_format_mask(image->draw.format) : color;
    }
    return true;
}

static enum action_result nv4_index_data(struct call *call) {
    struct nv4_image image;
    uint32_t palette[256];
    if (!nv4_image_open(call, call->action->argument, &image))
        return ACTION_DONE;
    image.log2_bits = image.log2_bits == 2 ? 2 : 3;
    if (!read_palette(call, &image, palette)) {
        words_begin(call->object, 0);
        return nv4_draw_fault(call, &image.draw);
    }
    image.palette = palette;
    return nv4_image_data(call, &image);
}

/* clang-format off */
#define INDEX_ACTIONS(slots)                                                                                           \
    NV4_BINDS(NV4_INDEX_COLOR_KEY, 7, slots), NV4_OPERATION_AT(NV4_INDEX_OPERATION), NV4_FORMAT_AT(FORMAT, slots),                                 \
    {.method = INDEX_FORMAT, .type = ACTION_EFFECT, .run = set_index_format},                                          \
    {.method = SIZE_IN, .type = ACTION_EFFECT, .run = nv4_index_begin, .argument = &(slots)},                          \
    {.method = NV4_INDEX_COLOR(0), .count = NV4_DATA_WORDS, .type = ACTION_EFFECT, .run = nv4_index_data, .absorb = words_absorb,   \
     .argument = &(slots)}, {0}
/* clang-format on */

static const struct action nv4_actions[] = {INDEX_ACTIONS(nv4_slots)},
                           nv5_actions[] = {NV4_CONVERSION_AT(NV5_INDEX_COLOR_CONVERSION), INDEX_ACTIONS(nv5_slots)};

NV4_STREAM_KIND(kind_nv4_index, "indexed image from CPU", NV4_STREAM_EXTRA, nv4_actions);
NV4_STREAM_KIND(kind_nv5_index, "indexed image from CPU", NV4_STREAM_EXTRA, nv5_actions);
