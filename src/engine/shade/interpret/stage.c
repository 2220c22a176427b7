/* SPDX-License-Identifier: MIT */
/* What a program is given, and gives: attributes, special registers, interpolation, textures, images. */
#include <assert.h>
#include <string.h>

#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/source.h"
#include "isa/shader/operation.h"

/* Special registers that are the same in all stages (envytools gf100.c, tabsreg). */
enum { SR_LANE = 0x00, SR_KILLED = 0x13, SR_MASK_EQ = 0x38, SR_MASK_LT, SR_MASK_LE, SR_MASK_GT, SR_MASK_GE };
enum { SR_CLOCK = 0x50, SR_TIME = 0x52 };

static uint32_t counted_by(const struct shade_warp *warp, const struct shade_special *special) {
    if (special->count == SHADE_COUNTS_LOW)
        return (uint32_t)warp->instructions;
    return special->count == SHADE_COUNTS_HIGH ? (uint32_t)((special->low + warp->instructions) >> 32) : 0;
}

/*
 * UNKNOWN: what numbers give that the hardware does not have; chosen: 0. Clocks go on with each instruction, whether
 * anybody has named them or not, since programs wait for them.
 */
static void special_value(const struct shade_warp *warp, uint32_t number, uint32_t *out) {
    const struct shade_io *io = warp->io;
    const struct shade_special *special = NULL;
    for (unsigned i = 0; i < io->special_count && !special; i++)
        special = io->specials[i].number == number ? &io->specials[i] : NULL;
    uint32_t alone = number == SR_CLOCK || number == SR_TIME ? (uint32_t)warp->instructions : 0;
    uint32_t counted = special ? counted_by(warp, special) : alone;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = !special ? counted : special->row ? special->row[i] : special->value + counted;
}

bool shade_s2r(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row out = {0};
    uint32_t number = ir->a.value, off = warp->killed | warp->helpers;
    if (number != SR_LANE && number != SR_KILLED && (number < SR_MASK_EQ || number > SR_MASK_GE)) {
        if (!warp->io->specials)
            return shade_not_executed(warp, ir, lanes);
        special_value(warp, number, out);
        shade_write(warp, ir->d, lanes, out);
        return true;
    }
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t bit = shade_bit[i];
        switch (number) {
        case SR_LANE:
            out[i] = i;
            break;
        case SR_KILLED:
            out[i] = off & bit ? SHADE_ALL : 0;
            break;
        case SR_MASK_EQ:
            out[i] = bit;
            break;
        case SR_MASK_LT:
            out[i] = bit - 1;
            break;
        case SR_MASK_LE:
            out[i] = bit | (bit - 1);
            break;
        case SR_MASK_GT:
            out[i] = ~(bit | (bit - 1));
            break;
        default:
            out[i] = ~(bit - 1);
            break;
        }
    }
    shade_write(warp, ir->d, lanes, out);
    return true;
}

/* UNKNOWN: what it gives before the first reduction; chosen: 0. */
bool shade_b2r(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_write(warp, ir->d, lanes, warp->barriers.count);
    shade_write_predicate(warp, ir->p, lanes, warp->barriers.yes);
    return true;
}

/* ---- attributes ---- */

/* Do all lanes name the same word? */
static bool names_one_word(const struct ir *ir) {
    return ir->a.kind != IR_REGISTER || (ir->a.value & 0xff) == IR_ZERO;
}

/* Word `word` of an access to the attribute space, as indices of its words. True: the same in all lanes. */
static bool attribute_words(const struct shade_warp *warp, const struct ir *ir, unsigned word, uint32_t *out) {
    shade_row room;
    const uint32_t *a = shade_bits(warp, &ir->a, room);
    bool uniform = names_one_word(ir);
    uint32_t first = (a[0] + (uint32_t)ir->offset) / 4 + word;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = uniform ? first : (a[i] + (uint32_t)ir->offset) / 4 + word;
    return uniform;
}

static bool names_vertex(const struct ir *ir) {
    return ir->c.kind == IR_REGISTER && (ir->c.value & 0xff) != IR_ZERO;
}

/* Of a row per word, what each lane asks for. */
static void gather(const shade_row *rows, const uint32_t *word, bool uniform, uint32_t *out) {
    if (uniform && word[0] < SHADE_ATTRIBUTES)
        memcpy(out, rows[word[0]], sizeof(shade_row));
    else
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = word[i] < SHADE_ATTRIBUTES ? rows[word[i]][i] : 0;
}

/* Of vertices that are not the lane's own. */
static void gather_vertices(const struct shade_vertices *vertices, const struct ir *ir, const uint32_t *word,
                            const uint32_t *vertex, uint32_t *out) {
    const uint32_t *words = ir->patch ? vertices->patch : vertices->words;
    uint32_t count = ir->patch ? 1 : vertices->count;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t number = ir->patch ? 0 : vertex[i];
        bool inside = words && number < count && word[i] < SHADE_ATTRIBUTES;
        size_t first = vertices->first && !ir->patch ? vertices->first[i] : 0;
        out[i] = inside ? words[(first + number) * SHADE_ATTRIBUTES + word[i]] : 0;
    }
}

/* Of the lanes that are named, or of each itself: what they have written, and what was there before. */
static void gather_outputs(const shade_row *rows, const struct ir *ir, const uint32_t *word, const uint32_t *from,
                           uint32_t *out) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t lane = names_vertex(ir) ? from[i] : i;
        out[i] = word[i] < SHADE_ATTRIBUTES && lane < SHADE_LANES ? rows[word[i]][lane] : 0;
    }
}

bool shade_ald(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    const struct shade_io *io = warp->io;
    bool output = ir->output && !ir->patch, own = io->inputs && !names_vertex(ir) && !ir->output && !ir->patch;
    if (output ? !io->outputs : !own && !io->vertices)
        return shade_not_executed(warp, ir, lanes);
    shade_row vertex_room, vertices, word;
    shade_row out[4] = {{0}};
    memcpy(vertices, shade_bits(warp, &ir->c, vertex_room), sizeof vertices); /* d may be the same register */
    unsigned words = ir_words(ir->type);
    for (unsigned k = 0; k < words; k++) {
        bool uniform = attribute_words(warp, ir, k, word);
        if (own)
            gather(io->inputs, word, uniform, out[k]);
        else if (output)
            gather_outputs((const shade_row *)io->outputs, ir, word, vertices, out[k]);
        else
            gather_vertices(io->vertices, ir, word, vertices, out[k]);
    }
    for (unsigned k = 0; k < words; k++)
        shade_write_block(warp, ir->d, k, lanes, out[k]);
    return true;
}

/* UNKNOWN: which of several lanes that write the same word of a patch; chosen: the highest. */
static void write_patch(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row word, room;
    for (unsigned k = 0; k < ir_words(ir->type); k++) {
        attribute_words(warp, ir, k, word);
        const uint32_t *b =
            ir->b.kind == IR_REGISTER ? shade_block(warp, ir->b.value & 0xff, k) : shade_bits(warp, &ir->b, room);
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            if (word[i] < SHADE_ATTRIBUTES)
                warp->io->patch[word[i]] = b[i];
        }
    }
}

bool shade_ast(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row *rows = warp->io->outputs;
    if (ir->patch ? !warp->io->patch : !rows)
        return shade_not_executed(warp, ir, lanes);
    if (ir->patch) {
        write_patch(warp, ir, lanes);
        return true;
    }
    shade_row word, room;
    for (unsigned k = 0; k < ir_words(ir->type); k++) {
        bool uniform = attribute_words(warp, ir, k, word);
        const uint32_t *b =
            ir->b.kind == IR_REGISTER ? shade_block(warp, ir->b.value & 0xff, k) : shade_bits(warp, &ir->b, room);
        if (uniform && lanes == SHADE_ALL) {
            if (word[0] < SHADE_ATTRIBUTES)
                memcpy(rows[word[0]], b, sizeof(shade_row));
            continue;
        }
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            unsigned i = (unsigned)__builtin_ctz(rest);
            if (word[i] < SHADE_ATTRIBUTES)
                rows[word[i]][i] = b[i];
        }
    }
    return true;
}

/* a + offset, in each lane. */
static void sums(const struct shade_warp *warp, const struct ir *ir, uint32_t *out) {
    shade_row room;
    const uint32_t *a = shade_bits(warp, &ir->a, room);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = a[i] + (uint32_t)ir->offset;
}

/* Where an attribute lies, and the handle of a vertex: a sum. */
bool shade_al2p(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    shade_row out;
    sums(warp, ir, out);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

bool shade_pfetch(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    return shade_al2p(warp, ir, lanes);
}

/* What programs mostly ask for. */
static bool interpolate_all(struct shade_warp *warp, const struct ir *ir, uint32_t *out) {
    if (!names_one_word(ir) || !warp->io->interpolate_all || ir->a.kind == IR_CONSTANT)
        return false;
    uint32_t word = ((ir->a.kind == IR_IMMEDIATE ? ir->a.value : 0) + (uint32_t)ir->offset) / 4;
    return word < SHADE_ATTRIBUTES && warp->io->interpolate_all(warp, word, ir, out);
}

static void interpolate_lanes(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, uint32_t *out) {
    shade_row word, room;
    uint32_t inside = 0;
    memset(out, 0, sizeof(shade_row));
    if (attribute_words(warp, ir, 0, word))
        inside = word[0] < SHADE_ATTRIBUTES ? SHADE_ALL : 0;
    else
        for (unsigned i = 0; i < SHADE_LANES; i++)
            inside |= word[i] < SHADE_ATTRIBUTES ? shade_bit[i] : 0;
    warp->io->interpolate(warp, lanes & inside, word, ir, shade_bits(warp, &ir->c, room), out);
}

/*
 * UNKNOWN: subnormal numbers; chosen: the product flushes sources and result, as all that the unit of special functions
 * does (function.c). UNKNOWN: whether MUL leaves out the product for what is linear anyway, as the position (words 0x060..0x07c). Taken as
 * for all others. Drivers mostly read these with PASS; nv50_ir of Mesa 24 and later reads the position with MUL and w.
 */
bool shade_ipa(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    if (!warp->io->interpolate)
        return shade_not_executed(warp, ir, lanes);
    shade_row room, out;
    if (!interpolate_all(warp, ir, out))
        interpolate_lanes(warp, ir, lanes, out);
    if (ir->mode == 1 || (ir->mode == 3 && !warp->io->flat)) {
        const uint32_t *b = shade_float(warp, &ir->b, room);
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = result_bits(shade_f32(shade_flushed(out[i])) * shade_f32(shade_flushed(b[i])), true);
    }
    if (ir->saturate)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            out[i] = shade_saturated(out[i]);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

static void emit_vertex(struct shade_emission *emission, shade_row *outputs, unsigned lane, uint32_t stream) {
    if (emission->count[lane] >= emission->most)
        return;
    size_t vertex = (size_t)lane * emission->most + emission->count[lane]++;
    for (uint32_t i = 0; i < emission->kept_count; i++)
        emission->words[vertex * emission->kept_count + i] = outputs ? outputs[emission->kept[i]][lane] : 0;
    emission->marks[vertex] = (uint8_t)(stream & SHADE_EMITTED_STREAM);
}

/* The last vertex of the stream ends its strip. */
static void cut_strip(struct shade_emission *emission, unsigned lane, uint32_t stream) {
    uint8_t *marks = &emission->marks[(size_t)lane * emission->most];
    uint32_t vertex = emission->count[lane];
    while (vertex && (marks[vertex - 1] & SHADE_EMITTED_STREAM) != (stream & SHADE_EMITTED_STREAM))
        vertex--;
    if (vertex)
        marks[vertex - 1] |= SHADE_EMITTED_CUT;
}

bool shade_out(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    struct shade_emission *emission = warp->io->emission;
    if (!emission)
        return shade_not_executed(warp, ir, lanes);
    shade_row room;
    const uint32_t *stream = shade_bits(warp, &ir->b, room);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        assert(emission->count[lane] <= emission->most);
        if (ir->mode & 1)
            emit_vertex(emission, warp->io->outputs, lane, stream[lane]);
        if (ir->mode & 2)
            cut_strip(emission, lane, stream[lane]);
    }
    shade_write(warp, ir->d, lanes, shade_bits(warp, &ir->a, room));
    return true;
}

bool shade_pixld(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    if (!warp->io->pixel)
        return shade_not_executed(warp, ir, lanes);
    shade_row sample, out = {0};
    sums(warp, ir, sample);
    warp->io->pixel(warp, lanes, ir, sample, out);
    shade_write(warp, ir->d, lanes, out);
    return true;
}

/* ---- textures ---- */

/*
 * Where header and sampler are. Fermi's word of an indirect access has their slots in bits 31..23 and 22..16
 * (Mesa nv50_ir_lowering_nvc0.cpp, handleTEX).
 */
static void handles(const struct shade_warp *warp, const struct ir *ir, uint32_t *out) {
    const struct ir_texture *texture = &ir->texture;
    const uint32_t *named = warp->registers[texture->handle];
    uint32_t fixed = texture->by_slot ? texture->slot | (uint32_t)texture->sampler << 20 : 0;
    if (texture->in_bank)
        fixed = shade_constant(warp, warp->io->texture_bank, 4u * texture->slot, 4);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        if (texture->in_bank || texture->handle == IR_ZERO)
            out[i] = fixed;
        else
            out[i] = texture->by_slot ? named[i] >> 23 | (named[i] >> 16 & 0x7f) << 20 : named[i];
}

/* Components as pairs of halves: the register of the first of a pair has both. */
static void write_halves(struct shade_warp *warp, const struct ir *ir, uint32_t lanes, shade_row *in) {
    unsigned chosen[4], count = 0;
    for (unsigned k = 0; k < 4; k++)
        if (ir->texture.mask >> k & 1)
            chosen[count++] = k;
    for (unsigned k = 0; k < count; k += 2) {
        shade_row out;
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            out[i] = shade_to_half(shade_f32(in[chosen[k]][i]), IR_NEAREST);
            if (k + 1 < count)
                out[i] |= shade_to_half(shade_f32(in[chosen[k + 1]][i]), IR_NEAREST) << 16;
        }
        shade_write(warp, ir->texture.d[chosen[k]], lanes, out);
    }
}

bool shade_texture(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    if (!warp->io->texture)
        return shade_not_executed(warp, ir, lanes);
    shade_row handle;
    shade_row out[4] = {{0}};
    handles(warp, ir, handle);
    if (!warp->io->texture(warp, lanes, ir, handle, out))
        return false;
    if (ir->texture.f16) {
        write_halves(warp, ir, lanes, out);
    } else {
        for (unsigned k = 0; k < 4; k++)
            if (ir->texture.mask >> k & 1)
                shade_write(warp, ir->texture.d[k], lanes, out[k]);
    }
    shade_write_predicate(warp, ir->p, lanes, 0); /* all of it is resident */
    return true;
}
