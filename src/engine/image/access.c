/* SPDX-License-Identifier: MIT */
/* Loads, stores and atomics of a warp, for lanes that have the same image. */
#include "engine/image/access.h"

#include <assert.h>
#include <string.h>

/* Register `first` + i; what begins at the register that reads 0, or lies above it, is 0. */
const uint32_t *image_block(const struct shade_warp *warp, unsigned first, unsigned i) {
    return shade_lanes(warp, (uint8_t)(first + i < IR_ZERO ? first + i : IR_ZERO));
}

static unsigned first_of(const struct ir_source *source) {
    return source->kind == IR_REGISTER ? source->value & 0xff : IR_ZERO;
}

unsigned image_bytes_of(unsigned type) {
    static const uint8_t sizes[] = {
        [IR_U8] = 1,  [IR_S8] = 1,   [IR_U16] = 2,   [IR_S16] = 2, [IR_U32] = 4,   [IR_S32] = 4, [IR_U64] = 8,
        [IR_S64] = 8, [IR_B96] = 12, [IR_B128] = 16, [IR_F16] = 2, [IR_F16X2] = 4, [IR_F32] = 4, [IR_F64] = 8};
    return type < sizeof sizes ? sizes[type] : 4;
}

uint32_t image_run(const uint32_t *numbers, uint32_t lanes) {
    uint32_t run = 0;
    assert(lanes);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        if (numbers[__builtin_ctz(rest)] != numbers[__builtin_ctz(lanes)])
            break;
        run |= rest & (~rest + 1);
    }
    return run;
}

/* ---- where ---- */

/*
 * In which units x counts: texels of what is formatted; bytes with Fermi's slots (Mesa shifts x, processSurfaceCoordsNVC0);
 * values of the access with headers. UNKNOWN: headers whose texels have another size than the access; chosen: so, too.
 */
static struct image_request request_of(const struct image *image, const struct ir *ir) {
    unsigned bytes = ir->surface.formatted ? image->texel.bytes : image_bytes_of(ir->surface.size);
    unsigned unit = ir->surface.by_slot && !ir->surface.formatted ? 1 : bytes;
    return (struct image_request){
        .dim = ir->surface.dim, .outside = ir->surface.outside, .unit = (uint8_t)unit, .bytes = (uint8_t)bytes};
}

bool image_find(const struct image *image, const struct shade_warp *warp, const struct ir *ir,
                struct image_access *to) {
    struct image_request request = request_of(image, ir);
    unsigned first = first_of(&ir->a);
    const uint32_t *rows[3] = {image_block(warp, first, 0), image_block(warp, first, 1), image_block(warp, first, 2)};
    to->bytes = request.bytes;
    for (uint32_t rest = image->texel.bytes ? to->lanes : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint32_t coordinate[3] = {rows[0][lane], rows[1][lane], rows[2][lane]};
        if (image_place(image, &request, coordinate, &to->address[lane]))
            to->inside |= 1u << lane;
    }
    return image_check(ir, to);
}

/* UNKNOWN: which errors there are; chosen: those of other accesses. Nothing is done then. */
bool image_check(const struct ir *ir, struct image_access *to) {
    unsigned align = to->bytes == 12 ? 4 : to->bytes;
    assert(!(to->inside & ~to->lanes));
    if (to->inside != to->lanes && ir->surface.outside == IR_OUTSIDE_TRAP)
        to->error = SHADE_OOR_ADDRESS;
    for (uint32_t rest = ir->mode == IR_SULEA ? 0 : to->inside; rest; rest &= rest - 1)
        if (to->address[__builtin_ctz(rest)] & (align - 1))
            to->error = SHADE_MISALIGNED_ADDRESS;
    return !to->error;
}

/* ---- loads ---- */

/* A value of less than a word, with its sign. */
static uint32_t extended(uint32_t value, unsigned type) {
    switch (type) {
    case IR_S8:
        return (value ^ 0x80) - 0x80;
    case IR_S16:
        return (value ^ 0x8000) - 0x8000;
    default:
        return value;
    }
}

/* Outside of the image all is 0. */
static void give(const struct image *image, const struct ir *ir, const struct image_access *from, unsigned lane,
                 const uint32_t words[4], struct shade_image *result) {
    uint32_t components[4];
    unsigned next = 0;
    if (!ir->surface.formatted) {
        for (unsigned i = 0; i < 4; i++)
            result->out[i][lane] = i ? words[i] : extended(words[i], ir->surface.size);
        return;
    }
    memset(components, 0, sizeof components);
    if (from->inside >> lane & 1)
        image_load(image, words, components);
    for (unsigned i = 0; i < 4; i++)
        if (ir->surface.components >> i & 1)
            result->out[next++][lane] = components[i];
}

static bool load(const struct image *image, struct shade_warp *warp, const struct ir *ir, struct image_access *from,
                 struct shade_image *result) {
    uint32_t words[SHADE_LANES][4] = {{0}};
    if (from->inside && !warp->io->load(warp, from->inside, from->address, from->bytes, words, sizeof words[0]))
        return false;
    for (uint32_t rest = from->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        give(image, ir, from, lane, words[lane], result);
    }
    return true;
}

/* ---- stores ---- */

/* UNKNOWN: components that the mask lacks; chosen: 0. */
static void take(const struct image *image, const struct shade_warp *warp, const struct ir *ir, unsigned lane,
                 uint32_t words[4]) {
    unsigned first = first_of(&ir->b), next = 0;
    uint32_t components[4] = {0};
    if (!ir->surface.formatted) {
        for (unsigned i = 0; i < ir_image_words(ir); i++)
            words[i] = image_block(warp, first, i)[lane];
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        if (ir->surface.components >> i & 1)
            components[i] = image_block(warp, first, next++)[lane];
    image_store(image, components, words);
}

static bool store(const struct image *image, struct shade_warp *warp, const struct ir *ir, struct image_access *to) {
    uint32_t words[SHADE_LANES][4] = {{0}};
    for (uint32_t rest = to->inside; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        take(image, warp, ir, lane, words[lane]);
    }
    return !to->inside || warp->io->store(warp, to->inside, to->address, to->bytes, words, sizeof words[0]);
}

/* ---- atomics: lane after lane ---- */

static uint64_t operand(const struct shade_warp *warp, const struct ir *ir, unsigned word, unsigned lane) {
    unsigned first = first_of(&ir->b);
    uint64_t value = image_block(warp, first, word)[lane];
    return ir_words(ir->surface.size) == 2 ? value | (uint64_t)image_block(warp, first, word + 1)[lane] << 32 : value;
}

static bool change(struct shade_warp *warp, const struct ir *ir, struct image_access *at, struct shade_image *result) {
    assert(at->bytes == 4 || at->bytes == 8);
    for (uint32_t rest = at->inside; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t values[SHADE_LANES] = {0}, old;
        if (!warp->io->load(warp, 1u << lane, at->address, at->bytes, values, sizeof values[0]))
            return false;
        old = values[lane];
        values[lane] =
            shade_atomic(ir, old, operand(warp, ir, 0, lane), operand(warp, ir, ir_words(ir->surface.size), lane));
        if (!warp->io->store(warp, 1u << lane, at->address, at->bytes, values, sizeof values[0]))
            return false;
        result->out[0][lane] = (uint32_t)old;
        result->out[1][lane] = (uint32_t)(old >> 32);
    }
    return true;
}

/* ---- all of them ---- */

static void give_addresses(const struct image_access *at, struct shade_image *result) {
    for (uint32_t rest = at->inside; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        result->out[0][lane] = (uint32_t)at->address[lane];
        result->out[1][lane] = (uint32_t)(at->address[lane] >> 32);
    }
}

bool image_access(const struct image *image, struct shade_warp *warp, const struct ir *ir, struct image_access *at,
                  struct shade_image *result) {
    result->outside |= at->lanes & ~at->inside;
    switch (ir->mode) {
    case IR_SULD:
    case IR_SULDG:
        return load(image, warp, ir, at, result);
    case IR_SUST:
    case IR_SUSTG:
        return store(image, warp, ir, at);
    case IR_SULEA:
        give_addresses(at, result);
        return true;
    default:
        return change(warp, ir, at, result);
    }
}
