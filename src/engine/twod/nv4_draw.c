/* SPDX-License-Identifier: MIT */
#include "engine/twod/nv4_draw.h"

#include <assert.h>

#include "engine/core/work.h"

#define CHUNK 512u /* pixels at a time */

static int32_t nv4_draw_larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static int32_t nv4_draw_smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

struct nv4_box nv4_clipped(const struct nv4_draw *draw, struct nv4_box box) {
    const struct nv4_box *clip = &draw->clip;
    return (struct nv4_box){nv4_draw_larger(box.left, clip->left), nv4_draw_larger(box.top, clip->top),
                            nv4_draw_smaller(box.right, clip->right), nv4_draw_smaller(box.bottom, clip->bottom)};
}

uint64_t nv4_draw_address(const struct nv4_draw *draw, int32_t x, int32_t y) {
    if (x < 0 || y < 0)
        return draw->surface.address;
    return draw->surface.address +
           layout_offset(&draw->surface.layout, (uint64_t)x * draw->format->bytes, (uint64_t)y, 0);
}

/* ---- one pixel ---- */

/* Bits of a where `select` has none, of b where it has. */
static inline uint32_t choose(uint32_t select, uint32_t a, uint32_t b) {
    return (a & ~select) | (b & select);
}

/* Bit d + 2 s + 4 p of the code is the result. */
static inline uint32_t raster_operation(uint8_t code, uint32_t d, uint32_t s, uint32_t p) {
    uint32_t result[8];
    for (unsigned i = 0; i < 8; i++)
        result[i] = 0u - (code >> i & 1u);
    uint32_t without = choose(s, choose(d, result[0], result[1]), choose(d, result[2], result[3]));
    uint32_t with = choose(s, choose(d, result[4], result[5]), choose(d, result[6], result[7]));
    return choose(p, without, with);
}

static inline uint32_t product(uint32_t a, uint32_t b) {
    return (a * b + 127) / 255;
}

/* Each channel: d * (255 - factor) + s * weight, in 255ths. */
static uint32_t nv4_draw_blend(uint32_t d, uint32_t s, uint32_t factor, uint32_t weights) {
    uint32_t result = 0;
    assert(factor <= 255);
    for (unsigned shift = 0; shift < 32; shift += 8) {
        uint32_t sum = (d >> shift & 0xff) * (255 - factor) + (s >> shift & 0xff) * (weights >> shift & 0xff);
        uint32_t value = (sum + 127) / 255;
        result |= (value > 255 ? 255 : value) << shift;
    }
    return result;
}

static uint32_t premultiply(uint32_t s, uint32_t factors) {
    uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += 8)
        result |= product(s >> shift & 0xff, factors >> shift & 0xff) << shift;
    return result;
}

static inline unsigned pattern_at(const struct nv4_draw *draw, int32_t x, int32_t y) {
    assert(draw->pattern_shape <= 2);
    switch (draw->pattern_shape) {
    case 0:
        return ((unsigned)y & 7) << 3 | ((unsigned)x & 7);
    case 1:
        return (unsigned)x & 63;
    default:
        return (unsigned)y & 63;
    }
}

/* Operations that do not blend: the pixel that would be written. */
static inline uint32_t plain_result(const struct nv4_draw *draw, int32_t x, int32_t y, uint32_t s, uint32_t d) {
    uint32_t pixel = nv4_pack(draw->format, s);
    if (draw->operation != NV4_ROP_AND)
        return pixel;
    uint32_t pattern = draw->patterned ? draw->pattern[pattern_at(draw, x, y)] : 0;
    uint32_t mask = nv4_format_mask(draw->format);
    return (raster_operation(draw->rop, d, pixel, pattern) & mask) | draw->format->ones;
}

static uint32_t blended_result(const struct nv4_draw *draw, uint32_t s, uint32_t d) {
    uint32_t alpha = s >> 24, color = 0;
    if (draw->operation == NV4_BLEND_AND) {
        uint32_t factor = product(alpha, draw->beta);
        color = nv4_draw_blend(nv4_unpack(draw->format, d), s, factor, factor * 0x01010101);
    } else if (draw->operation == NV4_SRCCOPY_PREMULT) {
        color = premultiply(s, draw->beta4);
    } else {
        color = nv4_draw_blend(nv4_unpack(draw->format, d), s, product(alpha, draw->beta4 >> 24), draw->beta4);
    }
    return nv4_pack(draw->format, color);
}

_Static_assert(NV4_BLEND_PREMULT == NV4_SRCCOPY_PREMULT + 1 && NV4_OPERATIONS == NV4_BLEND_PREMULT + 1,
               "from SRCCOPY_PREMULT on all blend");

static inline bool blends(const struct nv4_draw *draw) {
    return draw->operation == NV4_BLEND_AND || draw->operation >= NV4_SRCCOPY_PREMULT;
}

/* The pixel to write. False: it is left as it is. */
static inline bool combine(const struct nv4_draw *draw, int32_t x, int32_t y, uint32_t s, uint32_t d, uint32_t *pixel) {
    bool index = draw->format->meaning == NV4_INDEX;
    if (draw->operation <= NV4_BLEND_AND && !index && s >> 24 == 0)
        return false;
    if (blends(draw)) {
        *pixel = blended_result(draw, s, d);
        return true;
    }
    *pixel = plain_result(draw, x, y, s, d);
    return !draw->keyed || *pixel != draw->key;
}

/* ---- rows ---- */

#define ROW_BYTES   768u /* what a row costs, and a pixel of it, as work.h counts */
#define PLAIN_BYTES 24u
#define ROP_BYTES   96u
#define BLEND_BYTES 160u

/* All pixels become the same, whatever is there. */
static bool is_fill(const struct nv4_draw *draw, unsigned step) {
    return step == 0 && !draw->reads && !draw->patterned;
}

uint64_t nv4_draw_cost(const struct nv4_draw *draw, unsigned step, uint64_t pixels) {
    uint64_t of_pixel = blends(draw) ? BLEND_BYTES : draw->operation == NV4_ROP_AND ? ROP_BYTES : PLAIN_BYTES;
    if (is_fill(draw, step))
        of_pixel = draw->surface.layout.type == LAYOUT_PITCH ? draw->format->bytes : PLAIN_BYTES;
    return ROW_BYTES + pixels * of_pixel;
}

bool nv4_draw_box(struct nv4_draw *draw, const struct nv4_box *box, uint32_t color) {
    unsigned bytes = draw->format->bytes;
    uint64_t width = (uint64_t)(box->right - box->left), height = (uint64_t)(box->bottom - box->top);
    struct surface_point at = {(uint64_t)box->left * bytes, (uint64_t)box->top, 0};
    uint32_t pixel;
    uint8_t element[4];
    assert(!nv4_box_empty(box) && box->left >= 0 && box->top >= 0 && bytes <= sizeof element);
    if (!is_fill(draw, 0)) {
        for (int32_t y = box->top; y < box->bottom; y++)
            if (!nv4_draw_row(draw, box->left, y, &color, 0, (uint32_t)width))
                return false;
        return true;
    }
    if (!combine(draw, box->left, box->top, color, 0, &pixel))
        return true;
    nv4_store(element, bytes, 0, pixel);
    return surface_fill_lines(draw->memory, &draw->surface, at, element, bytes, width * bytes, height, &draw->fault);
}

static bool chunk(struct nv4_draw *draw, int32_t x, int32_t y, const uint32_t *color, unsigned step, uint32_t count) {
    uint8_t row[4 * CHUNK];
    unsigned bytes = draw->format->bytes;
    uint64_t at = (uint64_t)x * bytes;
    assert(x >= 0 && y >= 0 && (size_t)count * bytes <= sizeof row);
    if (draw->reads &&
        !surface_read(draw->memory, &draw->surface, at, (uint64_t)y, 0, row, (uint64_t)count * bytes, &draw->fault))
        return false;
    uint32_t first = 0;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t pixel = 0;
        uint32_t before = draw->reads && i < count ? nv4_load(row, bytes, i) : 0;
        if (i < count && combine(draw, x + (int32_t)i, y, color[(size_t)i * step], before, &pixel)) {
            nv4_store(row, bytes, i, pixel);
            continue;
        }
        if (i > first && !surface_write(draw->memory, &draw->surface, at + (uint64_t)first * bytes, (uint64_t)y, 0,
                                        row + (size_t)first * bytes, (uint64_t)(i - first) * bytes, &draw->fault))
            return false;
        first = i + 1;
    }
    return true;
}

bool nv4_draw_row(struct nv4_draw *draw, int32_t x, int32_t y, const uint32_t *color, unsigned step, uint32_t count) {
    struct nv4_box box = nv4_clipped(draw, (struct nv4_box){x, y, x + (int32_t)count, y + 1});
    assert(step <= 1);
    if (nv4_box_empty(&box))
        return true;
    color += (size_t)(box.left - x) * step;
    uint32_t left = (uint32_t)(box.right - box.left);
    draw->cost += nv4_draw_cost(draw, step, left);
    if (is_fill(draw, step))
        return nv4_draw_box(draw, &box, color[0]);
    for (int32_t at = box.left; left > 0;) {
        uint32_t now = left < CHUNK ? left : CHUNK;
        if (!chunk(draw, at, y, color, step, now))
            return false;
        color += (size_t)now * step;
        at += (int32_t)now;
        left -= now;
    }
    return true;
}
