/* SPDX-License-Identifier: MIT */
/*
 * The methods that nouveau's firmware gives to the copy engines of GT215 and Fermi.
 *
 *   0x200   source: BLOCK_SIZE, width, height, depth, layer, x, y      0x220   destination: the same
 *   0x300   EXEC: 0 FORMAT counts, 4 source linear, 8 destination linear, 12 query, 13 query of one word
 *   0x30c   source address, destination address, source pitch, destination pitch, XCNT, YCNT
 *   0x32c   FORMAT, two constants
 *   0x338   query: address, counter
 *
 * With FORMAT, x, widths and XCNT are in pixels. A block is 64 bytes wide, or 16 if its log2 of width is 0xe, and any
 * other width means nothing. Codes 6 and 7 of a component are zero.
 * What the firmware refuses (bits beyond those of a method) is not modelled: the bits are ignored.
 *
 * Sources: nouveau nvkm/engine/ce/fuc/com.fuc; envytools docs/hw/fifo/pcopy.rst.
 */
#include "engine/copy/copy.h"
#include "methods/nouveau_copy.h"

#define EXEC_FORMAT      (1u << 0)
#define EXEC_QUERY       (1u << 12)
#define EXEC_QUERY_SHORT (1u << 13)

#define FORMAT_BITS 0x0333ffffu
#define SIZE_BITS   0x7ffffu /* x and widths, pitches */
#define LINE_BITS   0x1fffu  /* y and heights, YCNT */

#define QUARTER_GOB 0xeu

/* DMA objects of GT215: query, source, destination. */
static struct address_space nouveau_space_of(const struct call *call, bool objects, unsigned number) {
    return call_space(call, objects ? call_value(call, NOUVEAU_COPY_DMA_QUERY + 4 * number) : 0);
}

static struct layout nouveau_layout_of(const struct call *call, uint32_t side, unsigned pixel_bytes) {
    uint32_t mode = call_value(call, side) & 0xfff;
    uint32_t width =
        (call_value(call, side + (NOUVEAU_COPY_SRC_WIDTH - NOUVEAU_COPY_SRC_BLOCK_SIZE)) & SIZE_BITS) * pixel_bytes;
    struct layout layout = transfer_block_layout(
        mode & 0xff0, transfer_gobs(call), width,
        call_value(call, side + (NOUVEAU_COPY_SRC_HEIGHT - NOUVEAU_COPY_SRC_BLOCK_SIZE)) & LINE_BITS,
        call_value(call, side + (NOUVEAU_COPY_SRC_DEPTH - NOUVEAU_COPY_SRC_BLOCK_SIZE)) & 0x7ff);
    layout.quarter_gobs = (mode & 0xf) == QUARTER_GOB;
    return layout;
}

static struct surface_point nouveau_point_of(const struct call *call, uint32_t side, unsigned pixel_bytes) {
    return (struct surface_point){
        .x = (uint64_t)(call_value(call, side + (NOUVEAU_COPY_SRC_X - NOUVEAU_COPY_SRC_BLOCK_SIZE)) & SIZE_BITS) *
             pixel_bytes,
        .y = call_value(call, side + (NOUVEAU_COPY_SRC_Y - NOUVEAU_COPY_SRC_BLOCK_SIZE)) & LINE_BITS,
        .z = call_value(call, side + (NOUVEAU_COPY_SRC_LAYER - NOUVEAU_COPY_SRC_BLOCK_SIZE)) & 0xfff};
}

static bool is_possible(const struct call *call, uint32_t side) {
    return transfer_block_exists(call_value(call, side) & 0xff0);
}

static struct transfer transfer_of(const struct call *call, bool objects) {
    struct transfer t = {.length = call_value(call, NOUVEAU_COPY_XCNT) & 0xffff,
                         .lines = call_value(call, NOUVEAU_COPY_YCNT) & LINE_BITS,
                         .pixel = transfer_bytes};
    if (call->data & EXEC_FORMAT)
        t.pixel =
            copy_remap(call_value(call, NOUVEAU_COPY_FORMAT) & FORMAT_BITS, call_value(call, NOUVEAU_COPY_CONSTANT_0),
                       call_value(call, NOUVEAU_COPY_CONSTANT_1), COPY_REMAP_ZEROES);
    t.from = (struct surface){nouveau_space_of(call, objects, 1),
                              call_address(call, NOUVEAU_COPY_SRC_ADDRESS_HIGH, NOUVEAU_COPY_SRC_ADDRESS_LOW, 8),
                              transfer_pitch_layout(call_value(call, NOUVEAU_COPY_SRC_PITCH) & SIZE_BITS)};
    t.to = (struct surface){nouveau_space_of(call, objects, 2),
                            call_address(call, NOUVEAU_COPY_DST_ADDRESS_HIGH, NOUVEAU_COPY_DST_ADDRESS_LOW, 8),
                            transfer_pitch_layout(call_value(call, NOUVEAU_COPY_DST_PITCH) & SIZE_BITS)};
    return t;
}

/* UNKNOWN: blocks of more than 32 gobs; chosen: not executed. */
static enum transfer_result exec(const struct call *call, bool objects) {
    struct transfer t = transfer_of(call, objects);
    bool from_linear = call->data >> 4 & 1, to_linear = call->data >> 8 & 1;
    if ((!from_linear && !is_possible(call, NOUVEAU_COPY_SRC_BLOCK_SIZE)) ||
        (!to_linear && !is_possible(call, NOUVEAU_COPY_DST_BLOCK_SIZE))) {
        call_not_executed(call);
        return TRANSFER_FINISHED;
    }
    if (!from_linear) {
        t.from.layout = nouveau_layout_of(call, NOUVEAU_COPY_SRC_BLOCK_SIZE, t.pixel.from_bytes);
        t.from_point = nouveau_point_of(call, NOUVEAU_COPY_SRC_BLOCK_SIZE, t.pixel.from_bytes);
    }
    if (!to_linear) {
        t.to.layout = nouveau_layout_of(call, NOUVEAU_COPY_DST_BLOCK_SIZE, t.pixel.to_bytes);
        t.to_point = nouveau_point_of(call, NOUVEAU_COPY_DST_BLOCK_SIZE, t.pixel.to_bytes);
    }
    return transfer_slice(call, &t);
}

enum action_result copy_nouveau(const struct call *call, bool objects) {
    enum transfer_result result = exec(call, objects);
    if (result == TRANSFER_MORE)
        return ACTION_STALL;
    struct dma_address target = {
        objects ? call_value(call, NOUVEAU_COPY_DMA_QUERY) : 0,
        call_address(call, NOUVEAU_COPY_QUERY_ADDRESS_HIGH, NOUVEAU_COPY_QUERY_ADDRESS_LOW, 8)};
    if (result == TRANSFER_FINISHED && (call->data & EXEC_QUERY))
        report_release(call, target, call_value(call, NOUVEAU_COPY_QUERY_COUNTER),
                       call->data & EXEC_QUERY_SHORT ? REPORT_ONE_WORD : REPORT_FOUR_WORDS, "query");
    return ACTION_DONE;
}
