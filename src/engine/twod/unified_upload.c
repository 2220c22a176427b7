/* SPDX-License-Identifier: MIT */
/*
 * Pixels from the CPU. An upload begins with DST_Y0_INT 0x85c and takes SRC_WIDTH x SRC_HEIGHT pixels at 0x860, of
 * COLOR_FORMAT or indices of 1, 4 or 8 bits, lowest bits first, one row after the other; WRAP says what a row begins
 * at: any pixel, a byte, a word.
 *
 *   I1      COLOR1 and COLOR0; MONO_OPACITY 0: zeros are not drawn; MONO_FORMAT 0: the highest bit of a byte is first
 *   I4, I8  pixels of the source surface
 *
 * Column i of the source is where DST_X0 + i * DX_DU to DST_X0 + (i + 1) * DX_DU are rounded down to, rows the same; of
 * the fractions the upper 20 bits count (envytools).
 *
 * UNKNOWN: that rounding; chosen: down.
 * UNKNOWN: which half of a byte is the first I4 index; chosen: the lower one.
 * UNKNOWN: what INDEX_WRAP wraps; chosen: indices beyond the width of the source go on in its next row, and without it
 *          they are the last pixel of the first. 902d wraps.
 * UNKNOWN: the swaps of BIG_ENDIAN_CONTROL; chosen: SWAP_n reverses the pieces of n bits in a word, if OVERRIDE is set.
 * UNKNOWN: what becomes of an upload at a fault; chosen: the rest of its words is dropped.
 * UNKNOWN: what happens if registers change while pixels come; chosen: those count that are set when pixels are drawn.
 */
#include <assert.h>

#include "engine/core/error.h"
#include "engine/twod/unified_operation.h"
#include "engine/core/words.h"
#include "engine/core/work.h"
#include "methods/gf100_2d.h"

enum {
    DATA_TYPE = GF100_2D_SET_PIXELS_FROM_CPU_DATA_TYPE,
    COLOR_FORMAT = GF100_2D_SET_PIXELS_FROM_CPU_COLOR_FORMAT,
    INDEX_FORMAT = GF100_2D_SET_PIXELS_FROM_CPU_INDEX_FORMAT,
    MONO_FORMAT = GF100_2D_SET_PIXELS_FROM_CPU_MONO_FORMAT,
    WRAP = GF100_2D_SET_PIXELS_FROM_CPU_WRAP,
    COLOR0 = GF100_2D_SET_PIXELS_FROM_CPU_COLOR0,
    MONO_OPACITY = GF100_2D_SET_PIXELS_FROM_CPU_MONO_OPACITY,
    SRC_WIDTH = GF100_2D_SET_PIXELS_FROM_CPU_SRC_WIDTH,
    SRC_HEIGHT = GF100_2D_SET_PIXELS_FROM_CPU_SRC_HEIGHT,
    DX_DU = GF100_2D_SET_PIXELS_FROM_CPU_DX_DU_FRAC,
    DY_DV = GF100_2D_SET_PIXELS_FROM_CPU_DY_DV_FRAC,
    DST_X0 = GF100_2D_SET_PIXELS_FROM_CPU_DST_X0_FRAC,
    DST_Y0 = GF100_2D_SET_PIXELS_FROM_CPU_DST_Y0_FRAC,
    BEGIN = GF100_2D_SET_PIXELS_FROM_CPU_DST_Y0_INT,
    DATA = GF100_2D_PIXELS_FROM_CPU_DATA,
    BIG_ENDIAN = GF100_2D_SET_BIG_ENDIAN_CONTROL,
};

enum { WRAP_PIXEL, WRAP_BYTE, WRAP_WORD };
enum { INDEX_1, INDEX_4, INDEX_8, INDEX_NONE };

#define FRACTION     20
#define PLACED_COST  96u /* of a pixel: where it comes from, as work.h counts */
#define ENDIAN_FORCE (1u << 28)
#define MAX_USED     (UINT64_MAX >> 8) /* more words than can ever come: so bits of them can be counted */

/* Destination = start + source * step, all with FRACTION bits after the point. */
struct upload_axis {
    int64_t start, step;
};

struct upload {
    struct unified_operation operation;
    struct pixels pixels; /* that are drawn */
    struct pixels_conversion conversion;
    unsigned bits, index; /* of a pixel in the data; INDEX_... */
    uint32_t width, height;
    uint64_t row_bits;
    struct upload_axis x, y;
    bool is_transparent, high_first, faulted;
    struct rectangle area; /* in the destination, clipped */
    uint64_t begin, end;   /* bits of the upload that have come and are kept */
    const uint8_t *data;
    uint8_t table[256 * PIXELS_MAX_BYTES];
};

/* ---- the shape of the data ---- */

static unsigned index_format(const struct call *call) {
    return call_value(call, DATA_TYPE) & 1 ? call_value(call, INDEX_FORMAT) & 3 : INDEX_NONE;
}

/* 0: there is no such format. */
static unsigned data_bits(const struct call *call) {
    static const uint8_t index_bits[INDEX_NONE] = {1, 4, 8};
    struct pixels pixels;
    unsigned index = index_format(call);
    if (call_value(call, DATA_TYPE) & 1)
        return index < INDEX_NONE ? index_bits[index] : 0;
    uint32_t code = call_value(call, COLOR_FORMAT) & 0xff;
    if (code < 0xc0 || !(unified_class(call)->uploads >> (code - 0xc0) & 1) || !pixels_of(code, &pixels))
        return 0;
    return 8 * pixels_bytes(&pixels);
}

static uint64_t round_up(uint64_t value, uint64_t to) {
    return (value + to - 1) / to * to;
}

static uint64_t row_bits(const struct call *call, unsigned bits) {
    uint64_t row = (uint64_t)call_value(call, SRC_WIDTH) * bits;
    switch (call_value(call, WRAP) & 3) {
    case WRAP_PIXEL:
        return row;
    case WRAP_BYTE:
        return round_up(row, 8);
    default:
        return round_up(row, 32);
    }
}

/* All words of the upload. */
static uint64_t word_count(const struct call *call) {
    uint64_t row = row_bits(call, data_bits(call)), height = call_value(call, SRC_HEIGHT);
    uint64_t whole = row / 32 * height, rest = row % 32 * height; /* both fit */
    return whole + round_up(rest, 32) / 32;
}

/* ---- scaling ---- */

static struct upload_axis axis(const struct call *call, uint32_t start, uint32_t step) {
    int64_t s = (int64_t)((uint64_t)call_value(call, start + 4) << 32 | call_value(call, start));
    int64_t d = (int64_t)((uint64_t)call_value(call, step + 4) << 32 | call_value(call, step));
    return (struct upload_axis){s >> (32 - FRACTION), d >> (32 - FRACTION)};
}

/*
 * Which column or row of the source is at `at`; -1 if that is before the first. It only grows with `at`, or, with a
 * negative step, shrinks.
 */
static int64_t axis_source(const struct upload_axis *axis, int64_t at) {
    assert(axis->step != 0);
    int64_t far = (at + 1) * (INT64_C(1) << FRACTION) - axis->start; /* from the start to the pixel's end */
    if (axis->step > 0)
        return far > 0 ? (far + axis->step - 1) / axis->step - 1 : -1;
    return far <= 0 ? far / axis->step : -1;
}

/* The first of [low, high) where the source is at least `source`; with a negative step, at most. */
static int64_t axis_find(const struct upload_axis *axis, int64_t low, int64_t high, int64_t source) {
    while (low < high) {
        int64_t middle = low + (high - low) / 2, found = axis_source(axis, middle);
        if (axis->step > 0 ? found < source : found > source)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Make [*low, *high) what shows rows or columns [first, end) of the source. */
static void axis_clip(const struct upload_axis *axis, int64_t first, int64_t end, int64_t *low, int64_t *high) {
    if (axis->step == 0 || first >= end) {
        *high = *low;
        return;
    }
    int64_t a = axis_find(axis, *low, *high, axis->step > 0 ? first : end - 1);
    int64_t b = axis_find(axis, *low, *high, axis->step > 0 ? end : first - 1);
    *low = a;
    *high = b;
}

/* ---- setting up ---- */

static uint32_t reverse(uint32_t word, unsigned bits) {
    uint32_t result = 0, mask = UINT32_MAX >> (32 - bits);
    for (unsigned i = 0; i < 32; i += bits)
        result |= (word >> i & mask) << (32 - bits - i);
    return result;
}

/* The words that have come, as bytes in the order of pixels. */
static void load_words(const struct call *call, const struct upload *u, uint8_t *bytes) {
    static const uint8_t index_shift[INDEX_NONE] = {12, 20, 24}, size[4] = {1, 4, 8, 16};
    unsigned shift = u->index < INDEX_NONE ? index_shift[u->index] : u->bits == 32 ? 0 : u->bits == 16 ? 4 : 8;
    if (u->index == INDEX_1 && !u->high_first)
        shift = 16;
    uint32_t control = call_value(call, BIG_ENDIAN), swaps = control & ENDIAN_FORCE ? control >> shift : 0;
    const struct kept_words *kept = object_words(call->object);
    for (uint32_t i = 0, count = kept->count; i < count; i++) {
        uint32_t word = kept->word[i];
        for (unsigned n = 0; n < 4; n++)
            if (swaps >> n & 1)
                word = reverse(word, size[n]);
        store_le32(bytes + 4 * i, word);
    }
}

/* The pixels that indices stand for. */
static bool load_table(const struct call *call, struct upload *u) {
    struct unified_surface source;
    if (!unified_surface(call, UNIFIED_SRC, &source))
        return false;
    u->pixels = source.pixels;
    assert(u->bits <= 8); /* the table has 256 entries */
    bool wraps = !unified_class(call)->has_index_wrap || !(call_value(call, UNIFIED_INDEX_WRAP) & 1);
    for (uint32_t i = 0; i < 1u << u->bits && source.width && source.height; i++) {
        uint32_t x = wraps ? i % source.width : i, y = wraps ? i / source.width : 0;
        x = x < source.width ? x : source.width - 1;
        y = y < source.height ? y : source.height - 1;
        if (!unified_read(call, &source, x, y, u->table + (size_t)i * pixels_bytes(&source.pixels), 1))
            return false;
    }
    return true;
}

static bool load_mono(const struct call *call, struct upload *u) {
    uint32_t code = call_value(call, COLOR_FORMAT) & 0xff;
    if (code < 0xc0 || !(unified_class(call)->uploads >> (code - 0xc0) & 1) || !pixels_of(code, &u->pixels)) {
        call_error(call, ENGINE_ERROR_2D_FORMAT);
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        uint8_t color[4];
        assert(pixels_bytes(&u->pixels) <= sizeof color);
        store_le32(color, call_value(call, COLOR0 + 4 * i));
        memcpy(u->table + i * pixels_bytes(&u->pixels), color, pixels_bytes(&u->pixels));
    }
    u->is_transparent = !(call_value(call, MONO_OPACITY) & 1);
    u->high_first = !(call_value(call, MONO_FORMAT) & 1);
    return true;
}

static bool unified_upload_set_pixels(const struct call *call, struct upload *u) {
    u->index = index_format(call);
    u->bits = data_bits(call);
    if (u->bits == 0) {
        call_error(call, ENGINE_ERROR_2D_FORMAT);
        return false;
    }
    if (u->index == INDEX_1)
        return load_mono(call, u);
    if (u->index != INDEX_NONE)
        return load_table(call, u);
    return pixels_of(call_value(call, COLOR_FORMAT) & 0xff, &u->pixels);
}

/* False: refused. */
static bool unified_upload_set_up(const struct call *call, struct upload *u) {
    if (!operation_begin(&u->operation, call) || !unified_upload_set_pixels(call, u))
        return false;
    u->conversion = pixels_conversion(&u->pixels, &u->operation.destination.pixels);
    u->width = call_value(call, SRC_WIDTH);
    u->height = call_value(call, SRC_HEIGHT);
    u->row_bits = row_bits(call, u->bits);
    u->x = axis(call, DST_X0, DX_DU);
    u->y = axis(call, DST_Y0, DY_DV);
    u->area = u->operation.clip;
    return true;
}

/* ---- drawing ---- */

/* The index of a pixel of the data. */
static uint32_t index_at(const struct upload *u, uint64_t bit) {
    uint8_t byte = u->data[bit / 8];
    if (u->index == INDEX_8)
        return byte;
    if (u->index == INDEX_4)
        return byte >> bit % 8 & 15;
    return byte >> (u->high_first ? 7 - bit % 8 : bit % 8) & 1;
}

/* Pixels [x, x + count) of a row of the destination, whose row of the source begins at bit `row` of the data. */
static bool unified_upload_draw_piece(const struct upload *u, uint64_t row, int64_t x, int64_t y, uint32_t count) {
    uint8_t pixels[OPERATION_CHUNK * PIXELS_MAX_BYTES], skip[OPERATION_CHUNK];
    unsigned bytes = pixels_bytes(&u->pixels);
    assert(count <= OPERATION_CHUNK);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bit = row + (uint64_t)axis_source(&u->x, x + i) * u->bits;
        const uint8_t *pixel = u->data + bit / 8;
        if (u->index != INDEX_NONE) {
            uint32_t index = index_at(u, bit);
            pixel = u->table + (size_t)index * bytes;
            skip[i] = u->is_transparent && index == 0;
        }
        memcpy(pixels + (size_t)i * bytes, pixel, bytes);
    }
    struct pixel_row drawn = {.conversion = &u->conversion, .pixels = pixels, .skip = u->is_transparent ? skip : NULL};
    return operation_row(&u->operation, &drawn, (uint32_t)x, (uint32_t)y, count);
}

static uint64_t unified_upload_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static bool unified_upload_draw_row(const struct upload *u, int64_t y) {
    uint64_t row = (uint64_t)axis_source(&u->y, y) * u->row_bits; /* not beyond the data's end, so it fits */
    uint64_t first = row < u->begin ? (u->begin - row) / u->bits : 0;
    uint64_t end = unified_upload_least(u->width, (u->end - row + u->bits - 1) / u->bits);
    int64_t x = u->area.x0, x_end = u->area.x1;
    axis_clip(&u->x, (int64_t)first, (int64_t)end, &x, &x_end);
    row -= u->begin;
    if (u->index == INDEX_NONE && u->x.step == INT64_C(1) << FRACTION && x < x_end) {
        uint64_t bit = row + (uint64_t)axis_source(&u->x, x) * u->bits;
        struct pixel_row drawn = {.conversion = &u->conversion, .pixels = u->data + bit / 8};
        return operation_row(&u->operation, &drawn, (uint32_t)x, (uint32_t)y, (uint32_t)(x_end - x));
    }
    while (x < x_end) {
        uint32_t count = (uint32_t)unified_upload_least((uint64_t)(x_end - x), OPERATION_CHUNK);
        if (!unified_upload_draw_piece(u, row, x, y, count))
            return false;
        x += count;
    }
    return true;
}

/* Where the whole upload begins. */
static void done(const struct call *call, struct upload *u) {
    axis_clip(&u->x, 0, u->width, &u->area.x0, &u->area.x1);
    axis_clip(&u->y, 0, u->height, &u->area.y0, &u->area.y1);
    bool empty = rectangle_is_empty(&u->area);
    const struct unified_area area = {(uint32_t)u->area.x0, (uint32_t)u->area.y0,
                                      empty ? 0 : (uint32_t)(u->area.x1 - u->area.x0),
                                      empty ? 0 : (uint32_t)(u->area.y1 - u->area.y0)};
    unified_done(call, "upload", &u->operation.destination, &area);
}

/* Draw what has come, a slice of it. */
static enum action_result unified_upload_draw(const struct call *call, struct upload *u) {
    uint64_t used = unified_extra64(call, UNIFIED_UPLOADED) & MAX_USED, rows = 0;
    u->begin = used * 32;
    u->end = u->begin + UINT64_C(32) * object_words(call->object)->count;
    int64_t y = u->area.y0, y_end = u->area.y1;
    if (u->row_bits && !rectangle_is_empty(&u->area)) {
        uint64_t end = (u->end + u->row_bits - 1) / u->row_bits;
        axis_clip(&u->y, (int64_t)(u->begin / u->row_bits), (int64_t)unified_upload_least(u->height, end), &y, &y_end);
        rows = y < y_end ? (uint64_t)(y_end - y) : 0;
    }
    int64_t x = u->area.x0, x_end = u->area.x1;
    axis_clip(&u->x, 0, u->width, &x, &x_end);
    uint64_t width = rows && x < x_end ? (uint64_t)(x_end - x) : 0;
    struct work_slice slice =
        work_slice(call, rows, WORK_ROW_BYTES + width * (PLACED_COST + operation_cost(&u->operation, &u->conversion)));
    for (uint64_t i = 0; i < slice.count; i++) {
        if (!unified_upload_draw_row(u, y + (int64_t)(slice.first + i))) {
            words_begin(call->object, 0);
            u->faulted = true;
            return unified_stopped(call);
        }
    }
    return work_advance(call, &slice) ? ACTION_DONE : ACTION_STALL;
}

/* ---- methods ---- */

static enum action_result unified_upload_begin(struct call *call) {
    struct upload u = {.index = INDEX_NONE};
    words_begin(call->object, 0);
    unified_set_extra64(call, UNIFIED_UPLOADED, 0);
    unified_set_extra64(call, UNIFIED_DRAWN, 0);
    if (unified_upload_set_up(call, &u))
        words_begin(call->object, word_count(call));
    return ACTION_DONE;
}

/* While what has come is drawn in slices, the last word comes again and again. */
static uint32_t absorb(struct object *object, const uint32_t *data, uint32_t count) {
    return object->work.under_way ? 0 : words_absorb(object, data, count);
}

static enum action_result unified_upload_data(struct call *call) {
    struct upload u = {.index = INDEX_NONE};
    uint8_t bytes[KEPT_WORDS * 4];
    if (!work_under_way(call))
        words_take(call);
    bool allowed = unified_allowed(call), legal = unified_upload_set_up(call, &u);
    u.data = bytes;
    load_words(call, &u, bytes);
    if (allowed && legal && unified_upload_draw(call, &u) == ACTION_STALL)
        return ACTION_STALL;
    const struct kept_words *kept = object_words(call->object);
    unified_set_extra64(call, UNIFIED_UPLOADED, unified_extra64(call, UNIFIED_UPLOADED) + kept->count);
    words_used(call->object);
    if (kept->left == 0 && allowed && legal && !u.faulted)
        done(call, &u);
    return ACTION_DONE;
}

#define ACTIONS(name, class)                                                                                           \
    const struct action name[] = {                                                                                     \
        {.method = BEGIN, .type = ACTION_EFFECT, .run = unified_upload_begin, .argument = &(class)},                   \
        {.method = DATA, .type = ACTION_EFFECT, .run = unified_upload_data, .absorb = absorb, .argument = &(class)},   \
        {0}}

ACTIONS(unified_tesla_upload_actions, unified_tesla);
ACTIONS(unified_fermi_upload_actions, unified_fermi);
