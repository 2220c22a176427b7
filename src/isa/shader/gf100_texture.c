/* SPDX-License-Identifier: MIT */
/*
 * Texture instructions of GF100 and GK104. Fermi names slots that are bound, and has two blocks of registers: at a the
 * word of the layer and the coordinates, at b the sample, the level or bias, the offsets, the reference, the
 * derivatives. TXD has its offsets at a, after the coordinates. Slots that are not known before are in the word of the
 * layer. GK104 has handles, in the bank of handles at the slot's number or in a register, and one list of operands, of
 * which the first four are at a: the handle, the layer, and so on; TXD has its offsets in the word of the layer.
 *
 * Source: Mesa src/nouveau/codegen/nv50_ir_emit_nvc0.cpp (emitTEX), nv50_ir_lowering_nvc0.cpp (handleTEX, handleTXD),
 * nv50_ir_ra.cpp (texConstraintNVC0, texConstraintNVE0); envytools envydis/gf100.c.
 */
#include "isa/shader/gf100_rows.h"

enum { ZERO = 63, MOST_ITEMS = 16, FIRST_BLOCK = 4 };

struct list {
    bool handles; /* GK104 */
    uint8_t *items[MOST_ITEMS];
    unsigned count;
    unsigned at_a; /* items in the first block */
};

static uint8_t gf100_texture_next(unsigned *reg) {
    return *reg < ZERO ? (uint8_t)(*reg)++ : IR_ZERO;
}

static void gf100_texture_add(struct list *list, uint8_t *item) {
    assert(list->count < MOST_ITEMS && *item == IR_ZERO);
    list->items[list->count++] = item;
}

static void gf100_texture_put_result(uint64_t word, struct ir *out) {
    unsigned reg = (unsigned)isa_bits(word, 14, 6);
    out->d = reg == ZERO ? IR_ZERO : (uint8_t)reg;
    out->texture.mask = (uint8_t)isa_bits(word, 46, 4);
    for (unsigned i = 0; i < 4; i++)
        if (out->texture.mask >> i & 1)
            out->texture.d[i] = gf100_texture_next(&reg);
}

/* Where the row's instruction set has handles, in_bank is set before. */
static void gf100_texture_begin(uint64_t word, struct ir *out, struct list *list) {
    bool indirect = isa_bits(word, 50, 1);
    *list = (struct list){.handles = out->texture.in_bank};
    isa_clear_texture(out, list->handles && !indirect, (unsigned)isa_bits(word, 32, 8));
    struct ir_texture *t = &out->texture;
    t->by_slot = !list->handles;
    if (t->by_slot && !indirect) {
        t->slot = (uint16_t)isa_bits(word, 32, 8);
        t->sampler = (uint16_t)isa_bits(word, 40, 5);
    }
    if (indirect)
        gf100_texture_add(list, &t->handle);
    gf100_texture_put_result(word, out);
}

static enum isa_result gf100_texture_put_target(uint64_t word, struct ir_texture *t) {
    static const uint8_t dims[] = {IR_DIM_1D, IR_DIM_1D, IR_DIM_2D, IR_DIM_2D, IR_DIM_3D, 0, IR_DIM_CUBE, IR_DIM_CUBE};
    unsigned target = (unsigned)isa_bits(word, 51, 3);
    t->dim = dims[target];
    t->array = target & 1;
    return target == 5 ? ISA_ILLEGAL : ISA_OK;
}

/* Layer and coordinates. Fermi's word of slots has the layer, too. */
static void gf100_texture_add_place(struct list *list, struct ir_texture *t, bool layer) {
    bool shared = !list->handles && list->count;
    if (layer && !shared)
        gf100_texture_add(list, &t->layer);
    for (unsigned i = 0; i < isa_coordinates(t->dim); i++)
        gf100_texture_add(list, &t->coordinate[i]);
    list->at_a = list->count;
}

static enum isa_result gf100_texture_end(uint64_t word, const struct list *list, struct ir_texture *t) {
    unsigned a = (unsigned)isa_bits(word, 20, 6), b = (unsigned)isa_bits(word, 26, 6);
    unsigned at_a = list->handles ? FIRST_BLOCK : list->at_a;
    assert(list->handles || at_a <= list->count);
    for (unsigned i = 0; i < list->count; i++)
        *list->items[i] = gf100_texture_next(i < at_a ? &a : &b);
    if (t->by_slot && t->handle != IR_ZERO && t->array) {
        t->layer = t->handle;
        t->layer_low = true;
    }
    return ISA_OK;
}

/* LBA and LLA, 6 and 7, are bias and level. 4 and 5 have no name. */
enum isa_result gf100_tex(uint64_t word, struct ir *out) {
    static const uint8_t lods[] = {IR_LOD_AUTO, IR_LOD_ZERO, IR_LOD_BIAS, IR_LOD_LEVEL,
                                   0,           0,           IR_LOD_BIAS, IR_LOD_LEVEL};
    struct ir_texture *t = &out->texture;
    unsigned lod = (unsigned)isa_bits(word, 57, 3);
    struct list list;
    gf100_texture_begin(word, out, &list);
    if (lod == 4 || lod == 5 || gf100_texture_put_target(word, t) != ISA_OK)
        return ISA_ILLEGAL;
    t->lod = lods[lod];
    t->offsets = isa_bits(word, 54, 1);
    t->shadow = isa_bits(word, 56, 1);
    gf100_texture_add_place(&list, t, t->array);
    if (t->lod == IR_LOD_BIAS || t->lod == IR_LOD_LEVEL)
        gf100_texture_add(&list, &t->level);
    if (t->offsets)
        gf100_texture_add(&list, &t->offset[0]);
    if (t->shadow)
        gf100_texture_add(&list, &t->reference);
    return gf100_texture_end(word, &list, t);
}

enum isa_result gf100_tld(uint64_t word, struct ir *out) {
    struct ir_texture *t = &out->texture;
    struct list list;
    gf100_texture_begin(word, out, &list);
    if (gf100_texture_put_target(word, t) != ISA_OK)
        return ISA_ILLEGAL;
    t->lod = isa_bits(word, 57, 1) ? IR_LOD_LEVEL : IR_LOD_ZERO;
    t->samples = isa_bits(word, 55, 1);
    t->offsets = isa_bits(word, 54, 1);
    gf100_texture_add_place(&list, t, t->array);
    if (t->samples)
        gf100_texture_add(&list, &t->sample);
    if (t->lod == IR_LOD_LEVEL)
        gf100_texture_add(&list, &t->level);
    if (t->offsets)
        gf100_texture_add(&list, &t->offset[0]);
    return gf100_texture_end(word, &list, t);
}

/* Offsets: 1 one for all, 2 one for each texel. */
enum isa_result gf100_tld4(uint64_t word, struct ir *out) {
    struct ir_texture *t = &out->texture;
    unsigned offsets = (unsigned)isa_bits(word, 54, 2);
    struct list list;
    gf100_texture_begin(word, out, &list);
    if (offsets == 3 || gf100_texture_put_target(word, t) != ISA_OK)
        return ISA_ILLEGAL;
    t->lod = IR_LOD_ZERO;
    t->component = (uint8_t)isa_bits(word, 5, 2);
    t->shadow = isa_bits(word, 56, 1);
    t->offsets = offsets == 1;
    t->offsets4 = offsets == 2;
    gf100_texture_add_place(&list, t, t->array);
    for (unsigned i = 0; i < offsets; i++)
        gf100_texture_add(&list, &t->offset[i]);
    if (t->shadow)
        gf100_texture_add(&list, &t->reference);
    return gf100_texture_end(word, &list, t);
}

enum isa_result gf100_txd(uint64_t word, struct ir *out) {
    struct ir_texture *t = &out->texture;
    struct list list;
    gf100_texture_begin(word, out, &list);
    if (gf100_texture_put_target(word, t) != ISA_OK)
        return ISA_ILLEGAL;
    t->offsets = isa_bits(word, 54, 1);
    bool with_layer = list.handles && t->offsets;
    gf100_texture_add_place(&list, t, t->array || with_layer);
    if (t->offsets && !list.handles) {
        gf100_texture_add(&list, &t->offset[0]);
        list.at_a = list.count;
    }
    for (unsigned i = 0; i < 2u * isa_coordinates(t->dim); i++)
        gf100_texture_add(&list, &t->derivative[i]);
    gf100_texture_end(word, &list, t);
    if (with_layer) {
        t->offset[0] = t->layer;
        t->offset_high = true;
    }
    t->layer_low = t->layer_low || (list.handles && t->array);
    if (!t->array)
        t->layer = IR_ZERO;
    return ISA_OK;
}

/* The level, or the number of a sample. */
enum isa_result gf100_txq(uint64_t word, struct ir *out) {
    static const struct {
        uint8_t number, query;
    } queries[] = {
        {0, IR_QUERY_SIZE}, {1, IR_QUERY_TYPE},  {2, IR_QUERY_SAMPLE_POSITION}, {8, IR_QUERY_FILTER},
        {9, IR_QUERY_LOD},  {10, IR_QUERY_WRAP}, {11, IR_QUERY_BORDER},
    };
    struct ir_texture *t = &out->texture;
    struct list list;
    gf100_texture_begin(word, out, &list);
    gf100_texture_add(&list, &t->level);
    list.at_a = list.count;
    gf100_texture_end(word, &list, t);
    t->sample = t->level;
    for (unsigned i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
        if (queries[i].number == isa_bits(word, 54, 6)) {
            t->query = queries[i].query;
            return ISA_OK;
        }
    return ISA_ILLEGAL;
}

enum isa_result gf100_tmml(uint64_t word, struct ir *out) {
    struct list list;
    gf100_texture_begin(word, out, &list);
    if (gf100_texture_put_target(word, &out->texture) != ISA_OK)
        return ISA_ILLEGAL;
    gf100_texture_add_place(&list, &out->texture, out->texture.array);
    return gf100_texture_end(word, &list, &out->texture);
}
