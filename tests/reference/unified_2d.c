/* SPDX-License-Identifier: MIT */
#include "reference/unified_2d.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define V(method) (r->value[(method) / 4])

struct area {
    uint32_t base; /* of the DMA object */
    uint64_t address;
    struct layout layout;
    struct reference_format format;
    int64_t width, height;
    uint32_t layer;
};

void reference_2d_start(struct reference_2d *r, bool is_tesla, bool is_kepler) {
    static const uint32_t resets[][2] = {
        {0x200, 0xcf}, {0x204, 1},      {0x208, 0x20}, {0x20c, 1}, {0x214, 0x80}, {0x218, 0x100}, {0x21c, 0x100},
        {0x230, 0xcf}, {0x234, 1},      {0x238, 0x20}, {0x23c, 1}, {0x244, 0x80}, {0x248, 0x100}, {0x24c, 0x100},
        {0x584, 0xcf}, {0x58c, 0x1000}, {0x804, 0xcf}, {0x808, 2}, {0x838, 1},    {0x83c, 1},     {0x844, 1},
        {0x84c, 1},    {0x8b8, 1},      {0x8bc, 1},    {0x8c4, 1}, {0x8cc, 1},    {0x26c, 1},
    };
    memset(r, 0, sizeof *r);
    r->is_tesla = is_tesla;
    r->is_kepler = is_kepler;
    for (size_t i = 0; i < sizeof resets / sizeof resets[0]; i++)
        V(resets[i][0]) = resets[i][1];
}

/* ---- surfaces ---- */

static bool set_area(struct reference_2d *r, uint32_t m, struct area *area) {
    bool is_source = m == 0x230;
    memset(area, 0, sizeof *area);
    if (!reference_2d_legal(r->is_tesla, V(m) & 0xff, is_source ? REFERENCE_SOURCE : REFERENCE_SURFACE) ||
        !reference_2d_format(V(m) & 0xff, &area->format))
        return false;
    area->base = r->is_tesla ? V(is_source ? 0x188 : 0x184) << 16 : 0;
    area->address = V(m + 0x24);
    area->width = V(m + 0x18);
    area->height = V(m + 0x1c);
    if (area->width > 0x10000 || area->height > 0x10000)
        return false;
    if (V(m + 4) & 1) {
        area->layout = (struct layout){.type = LAYOUT_PITCH, .pitch = V(m + 0x14), .depth = 1};
        return r->is_tesla || V(m + 0x14) % 32 == 0;
    }
    unsigned mask = r->is_tesla ? 15 : 7, size = V(m + 8);
    area->layout.type = LAYOUT_BLOCK;
    area->layout.order = r->is_tesla ? GOB_LINES : r->is_kepler ? GOB_COLUMNS : GOB_SECTORS;
    area->layout.width = (uint64_t)area->width * area->format.bytes;
    area->layout.height = (uint32_t)area->height;
    area->layout.depth = V(m + 0xc);
    area->layout.block_width = r->is_tesla ? size & 15 : 0;
    area->layout.block_height = size >> 4 & mask;
    area->layout.block_depth = size >> 8 & mask;
    area->layer = is_source && !r->is_tesla ? 0 : V(m + 0x10);
    return area->layout.block_width <= 5 && area->layout.block_height <= 5 && area->layout.block_depth <= 5;
}

static uint64_t offset_of(const struct area *area, int64_t x, int64_t y) {
    uint64_t offset =
        reference_surface_offset(&area->layout, (uint64_t)x * area->format.bytes, (uint64_t)y, area->layer);
    return (area->base + area->address + offset) % (REFERENCE_2D_MEMORY - 16);
}

/* ---- what becomes of a pixel ---- */

struct source {
    const struct reference_format *format; /* of `pixel`, if there is one and not only a colour */
    uint8_t pixel[16];
    struct reference_color color;
};

static void color_of(struct source *source) {
    source->color = reference_2d_unpack(source->format, source->pixel);
}

static uint32_t word(const uint8_t *pixel, unsigned bytes) {
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes && i < 4; i++)
        value |= (uint32_t)pixel[i] << 8 * i;
    return value;
}

/* A colour of a pattern, in the destination's format. */
static uint32_t pattern_word(const struct reference_format *to, uint32_t value) {
    struct reference_format from;
    uint8_t pixel[16], out[16];
    reference_2d_format(0xcf, &from);
    for (unsigned i = 0; i < 4; i++)
        pixel[i] = (uint8_t)(value >> 8 * i);
    struct reference_color color = reference_2d_unpack(&from, pixel);
    reference_2d_pack(to, &color, out);
    return word(out, to->bytes);
}

static uint32_t packed(const struct reference_format *to, double red, double green, double blue, double alpha) {
    struct reference_color color = {{red, green, blue, alpha}, false};
    uint8_t out[16];
    reference_2d_pack(to, &color, out);
    return word(out, to->bytes);
}

static uint32_t mono_pattern(struct reference_2d *r, const struct reference_format *to, uint32_t value) {
    switch (V(0x2e8) & 7) {
    case 0:
        return packed(to, (value >> 11 & 31) / 31.0, (value >> 5 & 63) / 63.0, (value & 31) / 31.0,
                      (value >> 24) / 255.0);
    case 1:
        return packed(to, (value >> 10 & 31) / 31.0, (value >> 5 & 31) / 31.0, (value & 31) / 31.0, value >> 15 & 1);
    case 2:
        return pattern_word(to, value);
    case 3:
        return packed(to, (value & 255) / 255.0, (value & 255) / 255.0, (value & 255) / 255.0,
                      (value >> 8 & 255) / 255.0);
    case 4:
        return packed(to, (value & 65535) / 65535.0, (value & 65535) / 65535.0, (value & 65535) / 65535.0,
                      (value >> 24) / 255.0);
    case 6:
        return r->is_tesla ? value : (value & 255) * 0x01010101u;
    default:
        return value;
    }
}

static uint32_t pattern_at(struct reference_2d *r, const struct reference_format *to, int64_t x, int64_t y) {
    unsigned px = (unsigned)(x + (V(0x2b0) & 63)), py = (unsigned)(y + (V(0x2b0) >> 8 & 63));
    unsigned cell = py % 8 * 8 + px % 8;
    if ((V(0x2b4) & 3) == 3)
        return pattern_word(to, r->pattern[cell] | 0xff000000);
    if ((V(0x2b4) & 3) == 1)
        cell = px % 64;
    if ((V(0x2b4) & 3) == 2)
        cell = py % 64;
    if (!(V(0x2ec) & 1))
        cell = cell / 8 * 8 + (7 - cell % 8);
    bool bit = V(0x2f8 + cell / 32 * 4) >> cell % 32 & 1;
    return mono_pattern(r, to, V(bit ? 0x2f4 : 0x2f0));
}

static bool is_key(struct reference_2d *r, const struct reference_color *color) {
    static const unsigned codes[] = {0xe8, 0xf8, 0xe6, 0xdf, 0xf3, 0xee, 0xff, 0xff};
    struct reference_format format;
    uint8_t out[16];
    reference_2d_format(codes[V(0x294) & 7], &format);
    reference_2d_pack(&format, color, out);
    for (unsigned c = 0; c < 3; c++)
        for (unsigned bit = format.part[c].shift; bit < format.part[c].shift + format.part[c].bits; bit++)
            if ((out[bit / 8] >> bit % 8 & 1) != (V(0x298) >> bit & 1))
                return false;
    return true;
}

static void put(struct reference_2d *r, const struct area *to, int64_t x, int64_t y, const uint8_t *pixel, bool loose,
                bool any) {
    uint64_t at = offset_of(to, x, y);
    for (unsigned i = 0; i < to->format.bytes; i++) {
        r->memory[at + i] = pixel[i];
        r->loose[at + i] = any ? REFERENCE_2D_ANY : loose ? (uint8_t)to->format.code : 0;
    }
}

/* True: the pixel is drawn. */
static bool rop(struct reference_2d *r, const struct area *to, int64_t x, int64_t y, const uint8_t *old,
                uint8_t *pixel) {
    uint32_t d = word(old, to->format.bytes), s = word(pixel, to->format.bytes);
    uint32_t p = pattern_at(r, &to->format, x, y), result = 0, alpha = 0;
    for (unsigned bit = 0; bit < 8 * to->format.bytes; bit++) {
        unsigned index = (d >> bit & 1) + (s >> bit & 1) * 2 + (p >> bit & 1) * 4;
        result |= (V(0x2a0) >> index & 1) << bit;
    }
    for (unsigned i = 0; i < to->format.bytes; i++)
        pixel[i] = (uint8_t)(result >> 8 * i);
    for (unsigned i = 0; i < to->format.part[3].bits; i++)
        alpha |= result >> (to->format.part[3].shift + i) & 1;
    return (V(0x2ac) & 7) == 4 || to->format.part[3].bits == 0 || alpha;
}

static void blend(struct reference_2d *r, const struct reference_color *s, const struct reference_color *d,
                  struct reference_color *result) {
    int32_t beta = (int32_t)V(0x2a4);
    double beta1 = beta < 0 ? 0 : (V(0x2a4) >> 23 & 255) / 255.0;
    double beta4[4] = {(V(0x2a8) >> 16 & 255) / 255.0, (V(0x2a8) >> 8 & 255) / 255.0, (V(0x2a8) & 255) / 255.0,
                       (V(0x2a8) >> 24) / 255.0};
    for (unsigned c = 0; c < 4; c++) {
        switch (V(0x2ac) & 7) {
        case 2:
            result->c[c] = (1 - s->c[3] * beta1) * d->c[c] + s->c[c] * s->c[3] * beta1;
            break;
        case 5:
            result->c[c] = s->c[c] * beta4[c];
            break;
        default:
            result->c[c] = (1 - s->c[3] * beta4[3]) * d->c[c] + s->c[c] * beta4[c];
        }
    }
    result->loose = true;
}

static bool clipped(struct reference_2d *r, const struct area *to, int64_t x, int64_t y) {
    if (x < 0 || y < 0 || x >= to->width || y >= to->height)
        return true;
    int64_t left = (int32_t)V(0x280), top = (int32_t)V(0x284);
    return V(0x290) & 1 && (x < left || y < top || x >= left + V(0x288) || y >= top + V(0x28c));
}

static void draw(struct reference_2d *r, const struct area *to, int64_t x, int64_t y, struct source *source) {
    unsigned operation = V(0x2ac) & 7;
    uint8_t old[16], pixel[16];
    if (clipped(r, to, x, y))
        return;
    memcpy(old, r->memory + offset_of(to, x, y), 16);
    bool same = source->format && source->format->code == to->format.code;
    bool loose = !same && (source->color.loose || to->format.type != 'u' || to->format.part[0].bits == 32);
    bool both_gamma = source->format && source->format->type == 'g' && to->format.type == 'g';
    if (both_gamma && operation > 2)
        loose = false;
    bool drawn = !(V(0x29c) & 1) || !is_key(r, &source->color), any = loose && (V(0x29c) & 1);
    if (same)
        memcpy(pixel, source->pixel, 16);
    else
        reference_2d_pack(&to->format, &source->color, pixel);
    if (operation == 0) {
        drawn = drawn && source->color.c[3] != 0;
    } else if (operation == 1 || operation == 4) {
        drawn = rop(r, to, x, y, old, pixel) && drawn;
        any = loose || to->format.type == 'g' || to->format.part[0].bits == 32;
        any = any && !(operation == 4 && same && (V(0x2e8) & 7) == 2 && to->format.type == 'u');
    } else if (operation != 3) {
        struct reference_color d = reference_2d_unpack(&to->format, old), result;
        blend(r, &source->color, &d, &result);
        reference_2d_pack(&to->format, &result, pixel);
        loose = true;
    }
    if (drawn || any)
        put(r, to, x, y, pixel, loose, any);
}

/* ---- solid primitives ---- */

struct solid {
    const struct area *to;
    struct reference_format format;
    struct source source;
};

static void triangle(struct reference_2d *r, const struct solid *s) {
    for (int64_t y = 0; y < s->to->height; y++)
        for (int64_t x = 0; x < s->to->width; x++) {
            int64_t turn = (r->x[1] - r->x[0]) * (r->y[2] - r->y[0]) - (r->y[1] - r->y[0]) * (r->x[2] - r->x[0]);
            bool inside = turn != 0;
            for (unsigned i = 0; i < 3; i++) {
                unsigned a = i, b = (i + 1) % 3;
                int64_t dx = r->x[b] - r->x[a], dy = r->y[b] - r->y[a];
                if (turn < 0) {
                    dx = -dx;
                    dy = -dy;
                }
                int64_t side = dx * (y - r->y[a]) - dy * (x - r->x[a]);
                bool top_or_left = dy < 0 || (dy == 0 && dx > 0);
                inside = inside && (side > 0 || (side == 0 && top_or_left));
            }
            struct source source = s->source;
            if (inside)
                draw(r, s->to, x, y, &source);
        }
}

/* All pixels of the box around; on each coordinate of the major axis the one that is nearest. */
static void line(struct reference_2d *r, const struct solid *s) {
    int64_t dx = r->x[1] - r->x[0], dy = r->y[1] - r->y[0];
    bool x_major = llabs(dx) >= llabs(dy);
    int64_t length = x_major ? llabs(dx) : llabs(dy), step = (x_major ? dx : dy) < 0 ? -1 : 1;
    int64_t other = x_major ? dy : dx;
    unsigned bit = (x_major ? 0 : 8) + ((dx < 0) != (dy < 0) ? 4 : 0);
    bool ties = V(0x58c) >> bit & 1; /* the minor coordinate steps, as y (or x, if it is the minor one) goes */
    bool larger = !x_major && bit == 12 ? !ties : ties;
    for (int64_t i = 0; i < length; i++) {
        int64_t best = 0, best_distance = INT64_MAX;
        for (int64_t m = -llabs(other); m <= llabs(other); m++) {
            int64_t distance = llabs(m * length - i * other);
            if (distance < best_distance || (distance == best_distance && larger)) {
                best = m;
                best_distance = distance;
            }
        }
        struct source source = s->source;
        if (x_major)
            draw(r, s->to, r->x[0] + i * step, r->y[0] + best, &source);
        else
            draw(r, s->to, r->x[0] + best, r->y[0] + i * step, &source);
    }
}

static void rectangle(struct reference_2d *r, const struct solid *s) {
    int64_t x0 = r->x[0] < r->x[1] ? r->x[0] : r->x[1], x1 = r->x[0] < r->x[1] ? r->x[1] : r->x[0];
    int64_t y0 = r->y[0] < r->y[1] ? r->y[0] : r->y[1], y1 = r->y[0] < r->y[1] ? r->y[1] : r->y[0];
    for (int64_t y = y0 > 0 ? y0 : 0; y < y1 && y < s->to->height; y++)
        for (int64_t x = x0 > 0 ? x0 : 0; x < x1 && x < s->to->width; x++) {
            struct source source = s->source;
            draw(r, s->to, x, y, &source);
        }
}

static void solid(struct reference_2d *r) {
    struct area to;
    struct solid s = {.to = &to};
    unsigned code = V(0x584) & 0xff, mode = V(0x580) & 7;
    r->draws++;
    if (!set_area(r, 0x200, &to) || (V(0x2ac) & 7) == 7 ||
        ((V(0x2ac) & 7) != 3 && !reference_2d_legal(r->is_tesla, to.format.code, REFERENCE_OPERATION)) ||
        !reference_2d_legal(r->is_tesla, code, REFERENCE_SOLID) || !reference_2d_format(code, &s.format)) {
        r->refused++;
        return;
    }
    s.source.format = &s.format;
    for (unsigned i = 0; i < s.format.bytes; i++)
        s.source.pixel[i] = (uint8_t)(V(s.format.bytes > 4 ? 0x540 + i / 4 * 4 : 0x588) >> i % 4 * 8);
    color_of(&s.source);
    if (mode == 0)
        draw(r, &to, r->x[0], r->y[0], &s.source);
    else if (mode == 3)
        triangle(r, &s);
    else if (mode == 4)
        rectangle(r, &s);
    else
        line(r, &s);
}

static void vertex(struct reference_2d *r, int64_t x, int64_t y) {
    static const unsigned needed[8] = {1, 2, 2, 3, 2};
    unsigned mode = V(0x580) & 7;
    if (mode > 4) {
        r->refused++;
        return;
    }
    r->x[r->points] = x;
    r->y[r->points++] = y;
    if (r->points < needed[mode])
        return;
    solid(r);
    r->points = 0;
    if (mode == 2) {
        r->x[0] = x;
        r->y[0] = y;
        r->points = 1;
    }
}

/* ---- uploads ---- */

static unsigned upload_bits(struct reference_2d *r) {
    struct reference_format format;
    if (V(0x800) & 1)
        return (V(0x808) & 3) == 3 ? 0 : (V(0x808) & 3) == 0 ? 1 : (V(0x808) & 3) == 1 ? 4 : 8;
    if (!reference_2d_legal(r->is_tesla, V(0x804) & 0xff, REFERENCE_UPLOAD) ||
        !reference_2d_format(V(0x804) & 0xff, &format))
        return 0;
    return format.bytes * 8;
}

static uint64_t upload_row(struct reference_2d *r) {
    uint64_t bits = (uint64_t)V(0x838) * upload_bits(r), wrap = V(0x810) & 3;
    while (wrap && bits % (wrap == 1 ? 8 : 32))
        bits++;
    return bits;
}

static bool set_upload(struct reference_2d *r, struct area *to, struct area *table, struct reference_format *format) {
    unsigned bits = upload_bits(r);
    if (!set_area(r, 0x200, to) || (V(0x2ac) & 7) == 7 ||
        ((V(0x2ac) & 7) != 3 && !reference_2d_legal(r->is_tesla, to->format.code, REFERENCE_OPERATION)) || !bits)
        return false;
    if (V(0x800) & 1 && bits > 1) {
        bool legal = set_area(r, 0x230, table);
        *format = table->format;
        return legal;
    }
    return reference_2d_legal(r->is_tesla, V(0x804) & 0xff, REFERENCE_UPLOAD) &&
           reference_2d_format(V(0x804) & 0xff, format);
}

static bool upload_pixel(struct reference_2d *r, const struct area *table, uint64_t bit, struct source *source) {
    unsigned bits = upload_bits(r), value = 0;
    if (!(V(0x800) & 1)) {
        for (unsigned i = 0; i < bits / 8; i++)
            source->pixel[i] = (uint8_t)(r->data[(bit / 8 + i) / 4] >> (bit / 8 + i) % 4 * 8);
        return true;
    }
    for (unsigned i = 0; i < bits; i++) {
        uint64_t at = bit + i;
        if (bits == 1 && !(V(0x80c) & 1))
            at = at / 8 * 8 + (7 - at % 8);
        value |= (r->data[at / 32] >> at % 32 & 1) << i;
    }
    if (bits == 1) {
        for (unsigned i = 0; i < 4; i++)
            source->pixel[i] = (uint8_t)(V(value ? 0x818 : 0x814) >> 8 * i);
        return value || V(0x81c) & 1;
    }
    bool wraps = !r->is_tesla || !(V(0x228) & 1);
    int64_t x = wraps ? value % table->width : value, y = wraps ? value / table->width : 0;
    x = x < table->width ? x : table->width - 1;
    y = y < table->height ? y : table->height - 1;
    memcpy(source->pixel, r->memory + offset_of(table, x, y), 16);
    return true;
}

/* Where step n of an axis begins, in whole pixels. */
static int64_t axis(struct reference_2d *r, uint32_t start, uint32_t step, int64_t n) {
    int64_t s = (int64_t)((uint64_t)V(start + 4) << 32 | V(start)) >> 12;
    int64_t d = (int64_t)((uint64_t)V(step + 4) << 32 | V(step)) >> 12;
    return (s + n * d) >> 20;
}

static void upload(struct reference_2d *r) {
    struct area to, table;
    struct reference_format format;
    struct source source = {.format = &format};
    r->draws++;
    if (!set_upload(r, &to, &table, &format))
        return;
    for (int64_t j = 0; j < V(0x83c); j++)
        for (int64_t i = 0; i < V(0x838); i++) {
            uint64_t bit = (uint64_t)j * upload_row(r) + (uint64_t)i * upload_bits(r);
            if (!upload_pixel(r, &table, bit, &source))
                continue;
            color_of(&source);
            int64_t x0 = axis(r, 0x850, 0x840, i), x1 = axis(r, 0x850, 0x840, i + 1);
            int64_t y0 = axis(r, 0x858, 0x848, j), y1 = axis(r, 0x858, 0x848, j + 1);
            for (int64_t y = y0 < y1 ? y0 : y1; y < (y0 < y1 ? y1 : y0); y++)
                for (int64_t x = x0 < x1 ? x0 : x1; x < (x0 < x1 ? x1 : x0); x++)
                    draw(r, &to, x, y, &source);
        }
}

static void upload_begin(struct reference_2d *r) {
    struct area to, table;
    struct reference_format format;
    r->words = r->words_come = 0;
    if (!set_upload(r, &to, &table, &format)) {
        r->refused++;
        return;
    }
    uint64_t bits = upload_row(r) * V(0x83c);
    r->words = (bits + 31) / 32;
}

static void upload_word(struct reference_2d *r, uint32_t data) {
    if (r->words_come >= r->words || r->words_come >= REFERENCE_2D_DATA)
        return;
    r->data[r->words_come++] = data;
    if (r->words_come == r->words)
        upload(r);
}

/* ---- blits ---- */

static struct reference_color texel(struct reference_2d *r, const struct area *from, int64_t x, int64_t y,
                                    uint8_t *pixel) {
    x = x < 0 ? 0 : x >= from->width ? from->width - 1 : x;
    y = y < 0 ? 0 : y >= from->height ? from->height - 1 : y;
    memcpy(pixel, r->before + offset_of(from, x, y), 16);
    return reference_2d_unpack(&from->format, pixel);
}

static void blit_pixel(struct reference_2d *r, const struct area *to, const struct area *from, int64_t i, int64_t j) {
    struct source source = {.format = &from->format};
    double u = (double)((int64_t)((uint64_t)V(0x8d4) << 32 | V(0x8d0)) >> 12) / 1048576;
    double v = (double)((int64_t)((uint64_t)V(0x8dc) << 32 | V(0x8d8)) >> 12) / 1048576;
    u += (double)i * (double)((int64_t)((uint64_t)V(0x8c4) << 32 | V(0x8c0)) >> 12) / 1048576;
    v += (double)j * (double)((int64_t)((uint64_t)V(0x8cc) << 32 | V(0x8c8)) >> 12) / 1048576;
    if (V(0x88c) & 0x10) {
        uint8_t pixel[16];
        double corner = V(0x88c) & 1 ? 0.5 : 0;
        int64_t x = (int64_t)floor(u - corner), y = (int64_t)floor(v - corner);
        double s = u - corner - (double)x, t = v - corner - (double)y;
        struct reference_color a = texel(r, from, x, y, pixel), b = texel(r, from, x + 1, y, pixel);
        struct reference_color c = texel(r, from, x, y + 1, pixel), d = texel(r, from, x + 1, y + 1, pixel);
        for (unsigned k = 0; k < 4; k++)
            source.color.c[k] = (a.c[k] * (1 - s) + b.c[k] * s) * (1 - t) + (c.c[k] * (1 - s) + d.c[k] * s) * t;
        source.color.loose = true;
        source.format = NULL;
    } else {
        source.color = texel(r, from, (int64_t)floor(u), (int64_t)floor(v), source.pixel);
    }
    draw(r, to, (int32_t)V(0x8b0) + i, (int32_t)V(0x8b4) + j, &source);
}

static void blit(struct reference_2d *r) {
    struct area to, from;
    r->draws++;
    if (!set_area(r, 0x200, &to) || (V(0x2ac) & 7) == 7 ||
        ((V(0x2ac) & 7) != 3 && !reference_2d_legal(r->is_tesla, to.format.code, REFERENCE_OPERATION)) ||
        !set_area(r, 0x230, &from)) {
        r->refused++;
        return;
    }
    memcpy(r->before, r->memory, sizeof r->before);
    for (int64_t j = 0; j < (int32_t)V(0x8bc) && from.width && from.height; j++)
        for (int64_t i = 0; i < (int32_t)V(0x8b8); i++)
            blit_pixel(r, &to, &from, i, j);
}

/* ---- methods ---- */

static uint32_t wider(uint32_t value, unsigned bits) {
    return (value << (8 - bits) | value >> (2 * bits - 8)) & 0xff;
}

static void pattern(struct reference_2d *r, uint32_t method, uint32_t data) {
    for (unsigned half = 0; half < 2; half++) {
        uint32_t value = data >> 16 * half;
        if (method >= 0x400 && method < 0x480)
            r->pattern[(method - 0x400) / 2 + half] =
                wider(value >> 11 & 31, 5) << 16 | wider(value >> 5 & 63, 6) << 8 | wider(value & 31, 5);
        if (method >= 0x480 && method < 0x500)
            r->pattern[(method - 0x480) / 2 + half] =
                wider(value >> 10 & 31, 5) << 16 | wider(value >> 5 & 31, 5) << 8 | wider(value & 31, 5);
    }
    if (method < 0x400)
        r->pattern[(method - 0x300) / 4] = data & 0xffffff;
    for (unsigned i = 0; i < 4 && method >= 0x500; i++)
        r->pattern[method - 0x500 + i] = (data >> 8 * i & 255) * 0x10101;
}

void reference_2d_write(struct reference_2d *r, uint32_t method, uint32_t data) {
    V(method) = data;
    if (method >= 0x300 && method < 0x540)
        pattern(r, method, data);
    else if (method == 0x580)
        r->points = 0;
    else if (method == 0x5e0)
        vertex(r, (int16_t)data, (int16_t)(data >> 16));
    else if (method >= 0x604 && method < 0x800 && method % 8 == 4)
        vertex(r, (int32_t)V(method - 4), (int32_t)data);
    else if (method == 0x85c)
        upload_begin(r);
    else if (method == 0x860)
        upload_word(r, data);
    else if (method == 0x8dc)
        blit(r);
}

bool reference_2d_agrees(struct reference_2d *r, const uint8_t *memory, uint32_t *address) {
    for (uint32_t i = 0; i < REFERENCE_2D_MEMORY;) {
        struct reference_format format = {.bytes = 1};
        if (r->memory[i] != memory[i] && r->loose[i] == 0) {
            *address = i;
            return false;
        }
        if (r->loose[i] > REFERENCE_2D_ANY) {
            reference_2d_format(r->loose[i], &format);
            if (!reference_2d_close(&format, r->memory + i, memory + i)) {
                *address = i;
                return false;
            }
        }
        i += format.bytes;
    }
    memcpy(r->memory, memory, REFERENCE_2D_MEMORY);
    memset(r->loose, 0, sizeof r->loose);
    return true;
}
