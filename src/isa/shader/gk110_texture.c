/* SPDX-License-Identifier: MIT */
/*
 * Texture instructions of GK110. All operands are one list: the handle (if it is not in the bank of handles), the
 * layer, the coordinates, the sample, the level or bias, the offsets, the reference, the derivatives. The first four
 * are at a, the others at b. TXD has its offsets in the word of the layer.
 *
 * Source: Mesa src/nouveau/codegen/nv50_ir_emit_gk110.cpp, nv50_ir_lowering_nvc0.cpp (handleTEX, handleTXD),
 * nv50_ir_ra.cpp (texConstraintNVE0); envytools envydis/gk110.c.
 */
#include "isa/shader/gk110_rows.h"

struct list {
    uint8_t *items[16];
    unsigned count;
};

static void gk110_texture_add(struct list *list, uint8_t *item) {
    assert(list->count < sizeof list->items / sizeof list->items[0] && *item == IR_ZERO);
    list->items[list->count++] = item;
}

/* Where the number of the handle's slot stands is in `sample`, to which the row wrote it. Dimension 5 has no name. */
static enum isa_result gk110_texture_begin(uint64_t word, struct ir *out, struct list *list) {
    static const uint8_t dims[] = {IR_DIM_1D, IR_DIM_1D, IR_DIM_2D, IR_DIM_2D, IR_DIM_3D, 0, IR_DIM_CUBE, IR_DIM_CUBE};
    struct ir_texture *t = &out->texture;
    unsigned target = (unsigned)isa_bits(word, 38, 3);
    if (target == 5)
        return ISA_ILLEGAL;
    isa_clear_texture(out, t->in_bank, out->sample ? (unsigned)isa_bits(word, out->sample, 13) : 0);
    out->sample = 0;
    t->dim = dims[target];
    t->array = target & 1;
    isa_texture_result(out, (unsigned)isa_bits(word, 2, 8), (unsigned)isa_bits(word, 34, 4));
    list->count = 0;
    if (!t->in_bank)
        gk110_texture_add(list, &t->handle);
    return ISA_OK;
}

static void gk110_texture_add_place(struct list *list, struct ir_texture *t) {
    if (t->array)
        gk110_texture_add(list, &t->layer);
    for (unsigned i = 0; i < isa_coordinates(t->dim); i++)
        gk110_texture_add(list, &t->coordinate[i]);
}

static enum isa_result gk110_texture_end(uint64_t word, const struct list *list) {
    uint8_t a = (uint8_t)isa_bits(word, 10, 8), b = (uint8_t)isa_bits(word, 23, 8);
    for (unsigned i = 0; i < list->count; i++)
        *list->items[i] = isa_next(i < 4 ? &a : &b);
    return ISA_OK;
}

/* LBA and LLA, 6 and 7, are bias and level. 4 and 5 have no name. */
enum isa_result gk110_tex(uint64_t word, struct ir *out) {
    static const uint8_t lods[] = {IR_LOD_AUTO, IR_LOD_ZERO, IR_LOD_BIAS, IR_LOD_LEVEL,
                                   0,           0,           IR_LOD_BIAS, IR_LOD_LEVEL};
    struct ir_texture *t = &out->texture;
    unsigned lod = (unsigned)isa_bits(word, 44, 3);
    struct list list;
    if (lod == 4 || lod == 5 || gk110_texture_begin(word, out, &list) != ISA_OK)
        return ISA_ILLEGAL;
    t->lod = lods[lod];
    t->offsets = isa_bits(word, 43, 1);
    t->shadow = isa_bits(word, 42, 1);
    gk110_texture_add_place(&list, t);
    if (t->lod == IR_LOD_BIAS || t->lod == IR_LOD_LEVEL)
        gk110_texture_add(&list, &t->level);
    if (t->offsets)
        gk110_texture_add(&list, &t->offset[0]);
    if (t->shadow)
        gk110_texture_add(&list, &t->reference);
    return gk110_texture_end(word, &list);
}

enum isa_result gk110_tld(uint64_t word, struct ir *out) {
    struct ir_texture *t = &out->texture;
    struct list list;
    if (gk110_texture_begin(word, out, &list) != ISA_OK)
        return ISA_ILLEGAL;
    t->lod = isa_bits(word, 44, 1) ? IR_LOD_LEVEL : IR_LOD_ZERO;
    t->samples = isa_bits(word, 43, 1);
    t->offsets = isa_bits(word, 41, 1);
    gk110_texture_add_place(&list, t);
    if (t->samples)
        gk110_texture_add(&list, &t->sample);
    if (t->lod == IR_LOD_LEVEL)
        gk110_texture_add(&list, &t->level);
    if (t->offsets)
        gk110_texture_add(&list, &t->offset[0]);
    return gk110_texture_end(word, &list);
}

/* Mesa sets bit 43 for one word of offsets, bit 44 for two. UNKNOWN: what both together are; chosen: two words. */
enum isa_result gk110_tld4(uint64_t word, struct ir *out) {
    struct ir_texture *t = &out->texture;
    struct list list;
    if (gk110_texture_begin(word, out, &list) != ISA_OK)
        return ISA_ILLEGAL;
    t->lod = IR_LOD_ZERO;
    t->component = (uint8_t)isa_bits(word, 45, 2);
    t->shadow = isa_bits(word, 42, 1);
    t->offsets4 = isa_bits(word, 44, 1);
    t->offsets = !t->offsets4 && isa_bits(word, 43, 1);
    gk110_texture_add_place(&list, t);
    if (t->offsets || t->offsets4)
        gk110_texture_add(&list, &t->offset[0]);
    if (t->offsets4)
        gk110_texture_add(&list, &t->offset[1]);
    if (t->shadow)
        gk110_texture_add(&list, &t->reference);
    return gk110_texture_end(word, &list);
}

/* The word of the layer is there for either. */
enum isa_result gk110_txd(uint64_t word, struct ir *out) {
    struct ir_texture *t = &out->texture;
    uint8_t both = IR_ZERO;
    struct list list;
    if (gk110_texture_begin(word, out, &list) != ISA_OK)
        return ISA_ILLEGAL;
    t->offsets = isa_bits(word, 54, 1);
    if (t->array || t->offsets)
        gk110_texture_add(&list, &both);
    for (unsigned i = 0; i < isa_coordinates(t->dim); i++)
        gk110_texture_add(&list, &t->coordinate[i]);
    for (unsigned i = 0; i < 2u * isa_coordinates(t->dim); i++)
        gk110_texture_add(&list, &t->derivative[i]);
    gk110_texture_end(word, &list);
    t->layer = t->array ? both : IR_ZERO;
    t->layer_low = t->array;
    t->offset[0] = t->offsets ? both : IR_ZERO;
    t->offset_high = t->offsets;
    return ISA_OK;
}

/* The level, or the number of a sample. */
enum isa_result gk110_txq(uint64_t word, struct ir *out) {
    struct ir_texture *t = &out->texture;
    struct list list;
    if (gk110_texture_begin(word, out, &list) != ISA_OK)
        return ISA_ILLEGAL;
    gk110_texture_add(&list, &t->level);
    gk110_texture_end(word, &list);
    t->sample = t->level;
    return isa_query((unsigned)isa_bits(word, 25, 6), t);
}

enum isa_result gk110_tmml(uint64_t word, struct ir *out) {
    struct list list;
    if (gk110_texture_begin(word, out, &list) != ISA_OK)
        return ISA_ILLEGAL;
    gk110_texture_add_place(&list, &out->texture);
    return gk110_texture_end(word, &list);
}
