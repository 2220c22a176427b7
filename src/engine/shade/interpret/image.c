/* SPDX-License-Identifier: MIT */
/*
 * Images: accesses, which the owner does (io.surface), and the parts of an address that programs of Kepler compute by
 * themselves: SUCLAMP for each coordinate, SUBFM for the place in a gob and in a block, SUEAU for the block.
 *
 *   clamped coordinate, of blocks     15..0 gobs     23..16 low bits, in bytes   29..27 log2 of the gobs of a block
 *   of lines                          19..0 it                                   29..27 log2 of the bytes of a texel
 *                                     30 of lines    31 it was outside
 *   place, of blocks                  8..0 in a gob  15..12 log2 of the gobs of a block   26..16 gob in its block
 *   of lines                          7..0 in units of 256 bytes   11 of lines   14..12 log2 of the bytes of a texel
 *
 * Source: Mesa src/nouveau/compiler/nak/ir.rs (OpSuClamp, OpSuBfm, OpSuEau, which were compared with hardware),
 * nv50_ir_lowering_nvc0.cpp (processSurfaceCoordsNVE4).
 */
#include <assert.h>

#include "engine/shade/interpret/core.h"
#include "isa/shader/operation.h"

static uint32_t field(uint32_t word, unsigned at, unsigned bits) {
    return word >> at & ((1u << bits) - 1);
}

#define OUTSIDE  (1u << 31)
#define OF_LINES (1u << 30)

/* What a coordinate is clamped to. `mode`: 0..4 as the parameters say, 5..9 of lines, 10..14 of blocks. */
static uint32_t clamp_coordinate(const struct ir *ir, int64_t x, uint32_t parameters, bool *outside) {
    bool lines = ir->mode < 5 ? field(parameters, 21, 1) : ir->mode < 10;
    uint32_t bound = lines && !ir->extended ? parameters : field(parameters, 0, 20);
    bound &= ~((1u << ir->mode % 5) - 1);
    *outside = x < 0 || x > bound;
    uint32_t inside = x < 0 ? 0 : x > bound ? bound : (uint32_t)x;
    if (lines && !ir->extended)
        return inside;
    uint32_t mark = *outside ? OUTSIDE : 0;
    if (lines)
        return mark | OF_LINES | field(parameters, 26, 3) << 27 | (inside & 0xfffff);
    uint32_t gobs = inside >> field(parameters, 22, 4), bytes = inside << field(parameters, 26, 3);
    return mark | field(parameters, 29, 3) << 27 | (bytes & 0xff) << 16 | (gobs & 0xffff);
}

bool shade_suclamp(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    uint32_t outside = 0;
    assert(ir->mode < 15);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        int64_t x = ir->type == IR_S32 ? (int64_t)(int32_t)a[i] : (int64_t)a[i];
        bool is_outside;
        out[i] = clamp_coordinate(ir, x + ir->offset, b[i], &is_outside);
        outside |= is_outside ? shade_bit[i] : 0;
    }
    shade_write(warp, ir->d, lanes, out);
    shade_write_predicate(warp, ir->p, lanes, outside);
    return true;
}

/* Gobs lie in their block by x, then y, then z; `log2`: of how many there are. */
static uint32_t gob_in_block(uint32_t x, uint32_t y, uint32_t z, const unsigned log2[3]) {
    uint32_t gob = z & ((1u << (log2[2] < 5 ? log2[2] : 5)) - 1);
    gob = gob << log2[1] | (y & ((1u << (log2[1] < 5 ? log2[1] : 5)) - 1));
    gob = gob << log2[0] | (x & ((1u << log2[0]) - 1));
    return gob & (log2[0] ? 0x7ff : 0x3ff);
}

static uint32_t place_in_block(uint32_t x, uint32_t y, uint32_t z, bool is_volume) {
    const unsigned log2[3] = {field(x, 27, 1), field(y, 27, 3), is_volume ? field(z, 27, 3) : 0};
    uint32_t in_gob =
        field(x, 16, 4) | field(y, 16, 2) << 4 | field(x, 20, 1) << 6 | field(y, 18, 1) << 7 | field(x, 21, 1) << 8;
    uint32_t gob = gob_in_block(field(x, 22, 2), field(y, 19, 5), field(z, 16, 8), log2);
    return in_gob | (log2[0] + log2[1] + log2[2]) << 12 | gob << 16;
}

/* The sum of the three has four bits. */
static uint32_t place_of(uint32_t x, uint32_t y, uint32_t z, bool is_volume) {
    if (!((x | y) & OF_LINES))
        return place_in_block(x, y, z, is_volume);
    uint32_t log2 = field(x, 27, 3);
    return (field(z, 0, 8) << log2 & 0xff) | log2 << 12 | 1u << 11;
}

bool shade_subfm(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_bits(warp, &ir->c, room_c);
    uint32_t outside = 0;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        out[i] = place_of(a[i], b[i], c[i], ir->extended);
        outside |= (a[i] | b[i] | (ir->extended ? c[i] : 0)) & OUTSIDE ? shade_bit[i] : 0;
    }
    shade_write(warp, ir->d, lanes, out);
    shade_write_predicate(warp, ir->p, lanes, outside);
    return true;
}

/* A gob is two units of 256 bytes. */
static uint32_t address_of(uint32_t offset, uint32_t place, uint32_t base) {
    uint32_t log2 = field(place, 12, 4);
    if (field(place, 11, 1))
        return base + (log2 > 8 ? 0 : offset >> (8 - log2) & 0xffffff);
    return base + (((offset << (log2 + 1)) | field(place, 16, 11) << 1 | field(place, 8, 1)) & 0x7ffffff);
}

bool shade_sueau(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row room_a, room_b, room_c, out;
    const uint32_t *a = shade_bits(warp, &ir->a, room_a), *b = shade_bits(warp, &ir->b, room_b);
    const uint32_t *c = shade_bits(warp, &ir->c, room_c);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = address_of(a[i], b[i], c[i]);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

/* ---- accesses ---- */

bool shade_surface(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    struct shade_image image = {.missing = false};
    bool gives = ir->mode == IR_SULD || ir->mode == IR_SULDG || ir->mode == IR_SULEA || ir->mode == IR_SUATOM;
    uint32_t acting = lanes; /* the others get 0, as of shade_atom() */
    if (!warp->io->surface)
        return shade_not_executed(warp, ir, lanes);
    if (ir->mode != IR_SULD && ir->mode != IR_SULDG && ir->mode != IR_SULEA)
        acting &= ~(warp->killed | warp->helpers);
    if (acting && !warp->io->surface(warp, acting, ir, &image))
        return image.error ? shade_fail(warp, image.error) : false;
    if (image.missing)
        return shade_not_executed(warp, ir, lanes);
    for (unsigned word = 0; gives && word < ir_image_words(ir); word++)
        shade_write_block(warp, ir->d, word, lanes, image.out[word]);
    if (ir->mode == IR_SULEA)
        shade_write_predicate(warp, ir->p, lanes, image.outside);
    return true;
}
