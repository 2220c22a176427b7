/* SPDX-License-Identifier: MIT */
/*
 * Texture and surface instructions of GM107. Two blocks of registers: at a the layer and the coordinates, at b the
 * handle (if it is not in the bank of handles), the sample, the level or bias, the offsets, the reference. TXD has
 * handle, coordinates and the word of layer and offsets at a, the derivatives at b.
 *
 * Source: Mesa src/nouveau/codegen/nv50_ir_emit_gm107.cpp, nv50_ir_lowering_nvc0.cpp (handleTEX, handleTXD); yuzu
 * texture_*.cpp, surface_*.cpp; envytools envydis/gm107.c.
 */
#include "isa/shader/gm107_rows.h"

static struct ir_texture *gm107_texture_begin(uint64_t word, struct ir *out) {
    isa_clear_texture(out, out->texture.in_bank, (unsigned)isa_bits(word, 36, 13));
    return &out->texture;
}

static uint8_t reg_a(uint64_t word) {
    return (uint8_t)isa_bits(word, 8, 8);
}

static uint8_t reg_b(uint64_t word) {
    return (uint8_t)isa_bits(word, 20, 8);
}

static void gm107_texture_put_target(uint64_t word, struct ir_texture *t) {
    t->dim = (uint8_t)isa_bits(word, 29, 2);
    t->array = isa_bits(word, 28, 1);
}

static void gm107_texture_put_result(uint64_t word, struct ir *out) {
    isa_texture_result(out, (unsigned)isa_bits(word, 0, 8), (unsigned)isa_bits(word, 31, 4));
}

static void put_coordinates(uint8_t *reg, struct ir_texture *t) {
    for (unsigned i = 0; i < isa_coordinates(t->dim); i++)
        t->coordinate[i] = isa_next(reg);
}

/* Layer and coordinates at a; the handle, the first at b. Returns b's next register. */
static uint8_t put_blocks(uint64_t word, struct ir_texture *t) {
    uint8_t a = reg_a(word), b = reg_b(word);
    if (t->array)
        t->layer = isa_next(&a);
    put_coordinates(&a, t);
    if (!t->in_bank)
        t->handle = isa_next(&b);
    return b;
}

/* LBA and LLA, 6 and 7, are bias and level (yuzu). 4 and 5 have no name. */
enum isa_result gm107_tex(uint64_t word, struct ir *out) {
    static const uint8_t lods[] = {IR_LOD_AUTO, IR_LOD_ZERO, IR_LOD_BIAS, IR_LOD_LEVEL,
                                   0,           0,           IR_LOD_BIAS, IR_LOD_LEVEL};
    struct ir_texture *t = gm107_texture_begin(word, out);
    unsigned at = t->in_bank ? 54 : 36, lod = (unsigned)isa_bits(word, at + 1, 3);
    if (lod == 4 || lod == 5)
        return ISA_ILLEGAL;
    t->lod = lods[lod];
    t->offsets = isa_bits(word, at, 1);
    t->shadow = isa_bits(word, 50, 1);
    gm107_texture_put_target(word, t);
    gm107_texture_put_result(word, out);
    uint8_t b = put_blocks(word, t);
    if (t->lod == IR_LOD_BIAS || t->lod == IR_LOD_LEVEL)
        t->level = isa_next(&b);
    if (t->offsets)
        t->offset[0] = isa_next(&b);
    if (t->shadow)
        t->reference = isa_next(&b);
    return ISA_OK;
}

enum isa_result gm107_tld(uint64_t word, struct ir *out) {
    struct ir_texture *t = gm107_texture_begin(word, out);
    t->lod = isa_bits(word, 55, 1) ? IR_LOD_LEVEL : IR_LOD_ZERO;
    t->samples = isa_bits(word, 50, 1);
    t->offsets = isa_bits(word, 35, 1);
    gm107_texture_put_target(word, t);
    gm107_texture_put_result(word, out);
    uint8_t b = put_blocks(word, t);
    if (t->samples)
        t->sample = isa_next(&b);
    if (t->lod == IR_LOD_LEVEL)
        t->level = isa_next(&b);
    if (t->offsets)
        t->offset[0] = isa_next(&b);
    return ISA_OK;
}

/* Offsets: 1 one for all (AOFFI), 2 one per texel (PTP). */
enum isa_result gm107_tld4(uint64_t word, struct ir *out) {
    struct ir_texture *t = gm107_texture_begin(word, out);
    unsigned at = t->in_bank ? 54 : 36, offsets = (unsigned)isa_bits(word, at, 2);
    if (offsets == 3)
        return ISA_ILLEGAL;
    t->lod = IR_LOD_ZERO;
    t->component = (uint8_t)isa_bits(word, at + 2, 2);
    t->offsets = offsets == 1;
    t->offsets4 = offsets == 2;
    t->shadow = isa_bits(word, 50, 1);
    gm107_texture_put_target(word, t);
    gm107_texture_put_result(word, out);
    uint8_t b = put_blocks(word, t);
    for (unsigned i = 0; i < offsets; i++)
        t->offset[i] = isa_next(&b);
    if (t->shadow)
        t->reference = isa_next(&b);
    return ISA_OK;
}

enum isa_result gm107_txd(uint64_t word, struct ir *out) {
    struct ir_texture *t = gm107_texture_begin(word, out);
    uint8_t a = reg_a(word), b = reg_b(word);
    t->offsets = isa_bits(word, 35, 1);
    gm107_texture_put_target(word, t);
    gm107_texture_put_result(word, out);
    if (!t->in_bank)
        t->handle = isa_next(&a);
    put_coordinates(&a, t);
    if (t->array) {
        t->layer = a;
        t->layer_low = true;
    }
    if (t->offsets) {
        t->offset[0] = a;
        t->offset_high = true;
    }
    for (unsigned i = 0; i < 2u * isa_coordinates(t->dim); i++)
        t->derivative[i] = isa_next(&b);
    return ISA_OK;
}

/* At a: the handle, if it is not in the bank; the level, or the number of a sample. */
enum isa_result gm107_txq(uint64_t word, struct ir *out) {
    struct ir_texture *t = gm107_texture_begin(word, out);
    uint8_t a = reg_a(word);
    gm107_texture_put_result(word, out);
    if (!t->in_bank)
        t->handle = isa_next(&a);
    t->level = t->sample = a;
    return isa_query((unsigned)isa_bits(word, 22, 6), t);
}

enum isa_result gm107_tmml(uint64_t word, struct ir *out) {
    struct ir_texture *t = gm107_texture_begin(word, out);
    gm107_texture_put_target(word, t);
    gm107_texture_put_result(word, out);
    put_blocks(word, t);
    return ISA_OK;
}

/* A target of the short forms, and the items that it takes beside layer and coordinates. */
struct short_form {
    bool exists;
    uint8_t dim, lod;
    bool array, samples, offsets, shadow;
};

/*
 * The operands in their order: layer, coordinates, sample, level, offsets, reference. Of two, a and b have one each, of
 * three a has two, unless `one_at_a`; of four each has two.
 */
static enum isa_result put_short(uint64_t word, struct ir *out, struct short_form form, bool one_at_a) {
    struct ir_texture *t = gm107_texture_begin(word, out);
    uint8_t *items[8], a = reg_a(word), b = reg_b(word);
    unsigned count = 0;
    if (!form.exists)
        return ISA_ILLEGAL;
    t->dim = form.dim;
    t->lod = form.lod;
    t->array = form.array;
    t->samples = form.samples;
    t->offsets = form.offsets;
    t->shadow = form.shadow;
    if (t->array)
        items[count++] = &t->layer;
    for (unsigned i = 0; i < isa_coordinates(t->dim); i++)
        items[count++] = &t->coordinate[i];
    if (t->samples)
        items[count++] = &t->sample;
    if (t->lod == IR_LOD_LEVEL)
        items[count++] = &t->level;
    if (t->offsets)
        items[count++] = &t->offset[0];
    if (t->shadow)
        items[count++] = &t->reference;
    assert(count <= 4); /* two at a, two at b */
    unsigned at_a = one_at_a || count < 3 ? 1 : 2;
    for (unsigned i = 0; i < count; i++)
        *items[i] = isa_next(i < at_a ? &a : &b);
    return ISA_OK;
}

/* The first two components go to d, the others to the second destination; as halves two to a register. */
static void put_short_result(uint64_t word, struct ir *out, unsigned mask, bool f16) {
    struct ir_texture *t = &out->texture;
    uint8_t d[2] = {(uint8_t)isa_bits(word, 0, 8), (uint8_t)isa_bits(word, 28, 8)};
    unsigned count = 0;
    out->d = d[0];
    t->mask = (uint8_t)mask;
    t->f16 = f16;
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1) {
            uint8_t *reg = &d[count++ / 2];
            t->d[i] = f16 ? *reg : isa_next(reg);
        }
}

static enum isa_result put_short_mask(uint64_t word, struct ir *out) {
    static const uint8_t one[] = {0x1, 0x2, 0x4, 0x8, 0x3, 0x9, 0xa, 0xc}, two[] = {0x7, 0xb, 0xd, 0xe, 0xf};
    unsigned code = (unsigned)isa_bits(word, 50, 3);
    bool has_second = isa_bits(word, 28, 8) != IR_ZERO;
    if (has_second && code >= sizeof(two))
        return ISA_ILLEGAL;
    put_short_result(word, out, has_second ? two[code] : one[code], !isa_bits(word, 59, 1));
    return ISA_OK;
}

enum isa_result gm107_texs(uint64_t word, struct ir *out) {
    static const struct short_form forms[16] = {
        [0x0] = {true, IR_DIM_1D, IR_LOD_ZERO, .array = false},
        [0x1] = {true, IR_DIM_2D, IR_LOD_AUTO, .array = false},
        [0x2] = {true, IR_DIM_2D, IR_LOD_ZERO, .array = false},
        [0x3] = {true, IR_DIM_2D, IR_LOD_LEVEL, .array = false},
        [0x4] = {true, IR_DIM_2D, IR_LOD_AUTO, .shadow = true},
        [0x5] = {true, IR_DIM_2D, IR_LOD_LEVEL, .shadow = true},
        [0x6] = {true, IR_DIM_2D, IR_LOD_ZERO, .shadow = true},
        [0x7] = {true, IR_DIM_2D, IR_LOD_AUTO, .array = true},
        [0x8] = {true, IR_DIM_2D, IR_LOD_ZERO, .array = true},
        [0x9] = {true, IR_DIM_2D, IR_LOD_ZERO, .array = true, .shadow = true},
        [0xa] = {true, IR_DIM_3D, IR_LOD_AUTO, .array = false},
        [0xb] = {true, IR_DIM_3D, IR_LOD_ZERO, .array = false},
        [0xc] = {true, IR_DIM_CUBE, IR_LOD_AUTO, .array = false},
        [0xd] = {true, IR_DIM_CUBE, IR_LOD_LEVEL, .array = false},
    };
    enum isa_result result = put_short(word, out, forms[isa_bits(word, 53, 4)], false);
    return result == ISA_OK ? put_short_mask(word, out) : result;
}

enum isa_result gm107_tlds(uint64_t word, struct ir *out) {
    static const struct short_form forms[16] = {
        [0x0] = {true, IR_DIM_1D, IR_LOD_ZERO, .array = false},
        [0x1] = {true, IR_DIM_1D, IR_LOD_LEVEL, .array = false},
        [0x2] = {true, IR_DIM_2D, IR_LOD_ZERO, .array = false},
        [0x4] = {true, IR_DIM_2D, IR_LOD_ZERO, .offsets = true},
        [0x5] = {true, IR_DIM_2D, IR_LOD_LEVEL, .array = false},
        [0x6] = {true, IR_DIM_2D, IR_LOD_ZERO, .samples = true},
        [0x7] = {true, IR_DIM_3D, IR_LOD_ZERO, .array = false},
        [0x8] = {true, IR_DIM_2D, IR_LOD_ZERO, .array = true},
        [0xc] = {true, IR_DIM_2D, IR_LOD_LEVEL, .offsets = true},
    };
    unsigned code = (unsigned)isa_bits(word, 53, 4);
    enum isa_result result = put_short(word, out, forms[code], code == 8);
    return result == ISA_OK ? put_short_mask(word, out) : result;
}

/* Its bit for halves has the other sense than that of TEXS. */
enum isa_result gm107_tld4s(uint64_t word, struct ir *out) {
    struct short_form form = {.exists = true, .dim = IR_DIM_2D, .lod = IR_LOD_ZERO};
    form.offsets = isa_bits(word, 51, 1);
    form.shadow = isa_bits(word, 50, 1);
    enum isa_result result = put_short(word, out, form, false);
    out->texture.component = (uint8_t)isa_bits(word, 52, 2);
    put_short_result(word, out, 0xf, isa_bits(word, 55, 1));
    return result;
}

/* Loads and stores: formatted with a mask of components, or as they lie in memory with a size. */
enum isa_result gm107_surface(uint64_t word, struct ir *out) {
    out->surface.dim = (uint8_t)isa_bits(word, 33, 3);
    out->surface.formatted = !isa_bits(word, 52, 1);
    out->surface.components = out->surface.formatted ? (uint8_t)isa_bits(word, 20, 4) : 0;
    out->surface.size = out->surface.formatted ? IR_U32 : out->type;
    out->surface.in_bank = isa_bits(word, 51, 1);
    out->surface.slot = (uint16_t)isa_bits(word, 36, 13);
    out->surface.handle = (uint8_t)isa_bits(word, 39, 8);
    if (out->surface.dim > IR_IMAGE_3D)
        return ISA_ILLEGAL;
    return isa_outside((unsigned)isa_bits(word, 49, 2), out);
}

/* 6 and 7 are the signed types of raw surfaces. */
enum isa_result gm107_surface_atomic(uint64_t word, struct ir *out) {
    bool exchanges = out->atomic == IR_CAS;
    if (out->type >= 6)
        out->type = out->type == 6 ? 1 : 5;
    if (exchanges)
        out->atomic = IR_EXCHANGE;
    if (isa_atomic(word, out) != ISA_OK)
        return ISA_ILLEGAL;
    if (exchanges)
        out->atomic = IR_CAS;
    uint8_t type = out->type;
    enum isa_result result = gm107_surface(word, out);
    out->surface.formatted = false;
    out->surface.components = 0;
    out->surface.size = type;
    return result;
}
