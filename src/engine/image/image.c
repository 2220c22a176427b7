/* SPDX-License-Identifier: MIT */
/* Which image an operation names, lane by lane, and the operation for those that name the same. */
#include "engine/image/image.h"

#include <assert.h>

#include "engine/image/access.h"

#define HANDLE_BITS 0xfffffu /* the index of the header; the sampler's is of no use */

/* A word of the bank of handles, 0 beyond its end. */
static uint32_t bound_handle(const struct shade_io *io, unsigned slot) {
    const struct shade_constants *bank = &io->constants[io->texture_bank % SHADE_BANKS];
    if (bank->bytes < 4 || 4 * slot > bank->bytes - 4)
        return 0;
    const uint8_t *from = bank->data + (size_t)4 * slot;
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static void numbers_of(const struct shade_warp *warp, const struct ir *ir, shade_row out) {
    const uint32_t *row = shade_lanes(warp, ir->surface.handle);
    uint32_t fixed = ir->surface.by_slot ? ir->surface.slot : bound_handle(warp->io, ir->surface.slot);
    bool is_fixed = ir->surface.by_slot ? ir->surface.handle == IR_ZERO : ir->surface.in_bank;
    uint32_t mask = ir->surface.by_slot ? IMAGE_SLOTS - 1 : HANDLE_BITS;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = (is_fixed ? fixed : row[i]) & mask;
}

/* What is not there is an image without a texel. */
static struct image image_of(const struct images *images, const struct ir *ir, uint32_t number) {
    static const struct image none;
    const struct texture_view *view;
    if (ir->surface.by_slot)
        return images->slots ? images->slots[number % IMAGE_SLOTS] : none;
    view = images->header ? images->header(images->opaque, number) : NULL;
    return view ? image_of_view(view) : none;
}

static bool is_atomic(const struct ir *ir) {
    return ir->mode == IR_SUATOM || ir->mode == IR_SURED;
}

/* The same image in all of these lanes. */
static bool execute(const struct image *image, struct shade_warp *warp, uint32_t lanes, const struct ir *ir,
                    struct shade_image *result) {
    struct image_access at = {.lanes = lanes};
    if (image->texel.bytes && ir->surface.formatted && !image->formatted) {
        result->missing = true;
        return true;
    }
    if (!image_find(image, warp, ir, &at)) {
        result->error = at.error;
        return false;
    }
    return image_access(image, warp, ir, &at, result);
}

bool image_surface(const struct images *images, struct shade_warp *warp, uint32_t lanes, const struct ir *ir,
                   struct shade_image *result) {
    shade_row numbers;
    assert(lanes && warp->io->load && warp->io->store);
    if (is_atomic(ir) && (ir->atomic > IR_LOAD_ONLY || ir->atomic == IR_SAFE_ADD)) {
        result->missing = true;
        return true;
    }
    if (ir->mode == IR_SULDG || ir->mode == IR_SUSTG)
        return image_raw(warp, lanes, ir, result);
    numbers_of(warp, ir, numbers);
    for (uint32_t rest = lanes, same; rest; rest &= ~same) {
        same = image_run(numbers, rest);
        struct image image = image_of(images, ir, numbers[__builtin_ctz(rest)]);
        if (!execute(&image, warp, same, ir, result))
            return false;
    }
    return true;
}
