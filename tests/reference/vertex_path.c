/* SPDX-License-Identifier: MIT */
#include "vertex_path.h"

#include <math.h>
#include <string.h>

/* ---- fetch ---- */

#define STREAM(s)     (0x1c00u + 16 * (s)) /* stride and enable; start, high and low; divisor */
#define INSTANCED(s)  (0x1880u + 4 * (s))
#define LIMIT(s)      (0x1f00u + 8 * (s))
#define ATTRIBUTE(a)  (0x1160u + 4 * (a))
#define BASE_INSTANCE 0x1438u
#define SUBSTITUTE    0xf84u
#define BASE          0x15f4u

enum { SNORM = 1, UNORM, SINT, UINT, USCALED, SSCALED, FLOAT };

static uint32_t word(const uint32_t *method, unsigned number) {
    return method[number / 4];
}

static uint64_t address(const uint32_t *method, unsigned number) {
    return (uint64_t)(word(method, number) & 0xff) << 32 | word(method, number + 4);
}

/* Widths of components by the code of a size, from the lowest bit up; 0 components: no such code. */
struct widths {
    unsigned components, bits[4];
};

static struct widths widths_of(unsigned code) {
    switch (code) {
    case 0x01:
        return (struct widths){4, {32, 32, 32, 32}};
    case 0x02:
        return (struct widths){3, {32, 32, 32}};
    case 0x04:
        return (struct widths){2, {32, 32}};
    case 0x12:
        return (struct widths){1, {32}};
    case 0x03:
        return (struct widths){4, {16, 16, 16, 16}};
    case 0x05:
        return (struct widths){3, {16, 16, 16}};
    case 0x0f:
        return (struct widths){2, {16, 16}};
    case 0x1b:
        return (struct widths){1, {16}};
    case 0x0a:
    case 0x2f:
        return (struct widths){4, {8, 8, 8, 8}};
    case 0x13:
        return (struct widths){3, {8, 8, 8}};
    case 0x33: /* and 8 bits of nothing */
        return (struct widths){3, {8, 8, 8}};
    case 0x18:
    case 0x32:
        return (struct widths){2, {8, 8}};
    case 0x1d:
        return (struct widths){1, {8}};
    case 0x34: /* alpha alone */
        return (struct widths){4, {0, 0, 0, 8}};
    case 0x30:
        return (struct widths){4, {10, 10, 10, 2}};
    case 0x31:
        return (struct widths){3, {11, 11, 10}};
    default:
        return (struct widths){0};
    }
}

static unsigned bytes_of(unsigned code) {
    unsigned bits = 0;
    struct widths widths = widths_of(code);
    for (unsigned i = 0; i < widths.components; i++)
        bits += widths.bits[i];
    return code == 0x33 ? 4 : bits / 8;
}

/* Floats have 32 or 16 bits, or are the packed ones, which are nothing else. */
static bool is_format(unsigned code, unsigned type) {
    struct widths widths = widths_of(code);
    if (!widths.components || type < SNORM || type > FLOAT)
        return false;
    if (code == 0x31 || type == FLOAT)
        return type == FLOAT && (code == 0x31 || widths.bits[0] == 32 || widths.bits[0] == 16);
    return true;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

/*
 * The float that is nearest to a / b, which are whole numbers of up to 16 bits, so that products are exact here. For
 * 32 bits no source asks for more than a quotient in double, rounded once more.
 */
static float nearest_quotient(long double a, long double b, unsigned bits) {
    float best = (float)((double)a / (double)b);
    const float others[2] = {nextafterf(best, INFINITY), nextafterf(best, -INFINITY)};
    for (unsigned i = 0; i < 2 && bits <= 16; i++)
        if (fabsl(a - (long double)others[i] * b) < fabsl(a - (long double)best * b))
            best = others[i];
    return best;
}

/* A float without a sign, or with one before its 5 bits of exponent: the value, or the same special one. */
static uint32_t small_float(uint32_t value, unsigned fraction_bits, bool with_sign) {
    uint32_t fraction = value & ((1u << fraction_bits) - 1), exponent = value >> fraction_bits & 31;
    uint32_t sign = with_sign && value >> (fraction_bits + 5) & 1 ? 0x80000000u : 0;
    if (exponent == 31)
        return sign | 0x7f800000u | fraction << (23 - fraction_bits);
    int scale = (int)(exponent ? exponent : 1) - 15 - (int)fraction_bits;
    uint32_t whole = exponent ? fraction | 1u << fraction_bits : fraction;
    return sign | bits_of(ldexpf((float)whole, scale));
}

static uint32_t value_of(uint32_t raw, unsigned bits, unsigned type) {
    int64_t number = raw >> (bits - 1) & 1 ? (int64_t)raw - (INT64_C(1) << bits) : (int64_t)raw;
    switch (type) {
    case SNORM: {
        int64_t most = (INT64_C(1) << (bits - 1)) - 1;
        return bits_of(number < -most ? -1.0f : nearest_quotient((long double)number, (long double)most, bits));
    }
    case UNORM:
        return bits_of(nearest_quotient((long double)raw, (long double)((INT64_C(1) << bits) - 1), bits));
    case SINT:
        return (uint32_t)number;
    case UINT:
        return raw;
    case USCALED:
        return bits_of((float)raw);
    case SSCALED:
        return bits_of((float)number);
    default:
        return bits == 32 ? raw : small_float(raw, bits == 16 ? 10 : bits - 5, bits == 16);
    }
}

/* Bits of a string of bytes, whose first bit is the lowest of the first byte. */
static uint32_t take_bits(const uint8_t *bytes, unsigned from, unsigned count) {
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint32_t)(bytes[(from + i) / 8] >> (from + i) % 8 & 1) << i;
    return value;
}

static void unpack(const uint8_t *bytes, unsigned code, unsigned type, bool swap, uint32_t out[4]) {
    struct widths widths = widths_of(code);
    out[0] = out[1] = out[2] = 0;
    out[3] = type == SINT || type == UINT ? 1 : bits_of(1);
    for (unsigned i = 0, from = 0; i < widths.components; from += widths.bits[i++])
        if (widths.bits[i])
            out[i] = value_of(take_bits(bytes, from, widths.bits[i]), widths.bits[i], type);
    bool can_swap = code == 0x0a || code == 0x2f || code == 0x30;
    if (swap && can_swap) {
        uint32_t x = out[0];
        out[0] = out[2];
        out[2] = x;
    }
}

static void read_bytes(const struct path_memory *memory, uint64_t from, uint8_t *bytes, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        bytes[i] = from + i >= memory->base && from + i - memory->base < memory->bytes
                       ? memory->byte[from + i - memory->base]
                       : 0;
}

bool path_fetch(const uint32_t *method, const struct path_memory *memory, unsigned attribute, uint32_t vertex,
                uint32_t instance, uint32_t out[4]) {
    uint32_t what = word(method, ATTRIBUTE(attribute)), s = what & 31;
    unsigned code = what >> 21 & 63, type = what >> 27 & 7, count = bytes_of(code);
    uint8_t bytes[16] = {0};
    if (what >> 6 & 1 || !is_format(code, type))
        return false;
    uint32_t divisor = word(method, STREAM(s) + 12), element = vertex;
    if (word(method, INSTANCED(s)) & 1)
        element = word(method, BASE_INSTANCE) + (divisor ? instance / divisor : 0);
    uint64_t at =
        address(method, STREAM(s) + 4) + (uint64_t)(word(method, STREAM(s)) & 0xfff) * element + (what >> 7 & 0x3fff);
    bool inside = word(method, STREAM(s)) >> 12 & 1 && at + count - 1 <= address(method, LIMIT(s));
    uint64_t substitute = address(method, SUBSTITUTE);
    at = inside ? (address(method, BASE) + at) & 0xffffffffff : substitute;
    if (inside || substitute)
        read_bytes(memory, at, bytes, count);
    unpack(bytes, code, type, what >> 31, out);
    return true;
}

/* ---- primitives ---- */

enum {
    POINTS,
    LINES,
    LINE_LOOP,
    LINE_STRIP,
    TRIANGLES,
    TRIANGLE_STRIP,
    TRIANGLE_FAN,
    QUADS,
    QUAD_STRIP,
    POLYGON,
    LINES_ADJACENCY,
    LINE_STRIP_ADJACENCY,
    TRIANGLES_ADJACENCY,
    TRIANGLE_STRIP_ADJACENCY,
};

struct list {
    struct path_primitive *out;
    const bool *flag; /* NULL: edge flags do not matter */
    unsigned count, id;
    bool last;
};

/*
 * Corners in the order of the polygon, from its provoking one on: stands first or last. edges: bit i, between corner i
 * and the next of these is an edge of the polygon.
 */
static void put(struct list *list, bool first, unsigned corners, const unsigned *corner, unsigned edges) {
    struct path_primitive *p = &list->out[list->count++];
    *p = (struct path_primitive){.corners = corners, .provoking = corner[0], .first = first, .id = list->id};
    for (unsigned i = 0; i < corners; i++) {
        /* The same cycle, so that corner 0 comes at the end. A line keeps its direction: see put_line(). */
        unsigned from = list->last ? (i + 1) % corners : i;
        p->corner[i] = corner[from];
        p->edge[i] = edges >> from & 1 && (!list->flag || list->flag[corner[from]]);
    }
}

static void put_line(struct list *list, bool first, unsigned a, unsigned b) {
    struct path_primitive *p = &list->out[list->count++];
    *p = (struct path_primitive){.corners = 2,
                                 .corner = {a, b},
                                 .provoking = list->last ? b : a,
                                 .edge = {true, true},
                                 .first = first,
                                 .id = list->id};
    list->id++;
}

static void put_triangle(struct list *list, bool first, unsigned provoking, unsigned b, unsigned c) {
    put(list, first, 3, (const unsigned[3]){provoking, b, c}, 7);
    list->id++;
}

static void lines(struct list *list, unsigned topology, unsigned n) {
    unsigned skip = topology == LINES_ADJACENCY || topology == LINE_STRIP_ADJACENCY ? 1 : 0;
    bool strip = topology == LINE_STRIP || topology == LINE_LOOP || topology == LINE_STRIP_ADJACENCY;
    unsigned size = skip ? 4 : 2, step = strip ? 1 : size;
    for (unsigned at = 0; at + size <= n; at += step)
        put_line(list, !strip || at == 0, at + skip, at + skip + 1);
    if (topology == LINE_LOOP && n >= 2)
        put_line(list, false, n - 1, 0);
}

/* Triangles whose provoking vertex is i or i + 2 of three in a strip; `by` vertices apart. */
static void strip(struct list *list, unsigned n, unsigned by) {
    for (unsigned i = 0; (i + 2) * by + (by - 1) < n; i++) {
        unsigned a = i * by, b = (i + 1) * by, c = (i + 2) * by;
        if (list->last)
            put_triangle(list, i == 0, c, i % 2 ? b : a, i % 2 ? a : b);
        else
            put_triangle(list, i == 0, a, i % 2 ? c : b, i % 2 ? b : c);
    }
}

/* A quad whose corners are in the order of its edges: cut from its first corner, or to its last one. */
static void put_quad(struct list *list, bool first, const unsigned corner[4]) {
    if (list->last) {
        put(list, first, 3, (const unsigned[3]){corner[3], corner[0], corner[1]}, 1 | 2);
        put(list, first, 3, (const unsigned[3]){corner[3], corner[1], corner[2]}, 2 | 4);
    } else {
        put(list, first, 3, (const unsigned[3]){corner[0], corner[1], corner[2]}, 1 | 2);
        put(list, first, 3, (const unsigned[3]){corner[0], corner[2], corner[3]}, 2 | 4);
    }
    list->id++;
}

static void quad_strip(struct list *list, unsigned n) {
    for (unsigned i = 0; 2 * i + 3 < n; i++) {
        unsigned a = 2 * i, b = a + 1, c = a + 2, d = a + 3;
        if (list->last) {
            put(list, i == 0, 3, (const unsigned[3]){d, c, a}, 1 | 2);
            put(list, i == 0, 3, (const unsigned[3]){d, a, b}, 2 | 4);
        } else {
            put(list, i == 0, 3, (const unsigned[3]){a, d, c}, 2 | 4);
            put(list, i == 0, 3, (const unsigned[3]){a, b, d}, 1 | 2);
        }
        list->id++;
    }
}

/* Vertex 0 provokes whatever the convention says. */
static void polygon(struct list *list, unsigned n) {
    for (unsigned i = 0; i + 2 < n; i++)
        put(list, i == 0, 3, (const unsigned[3]){0, i + 1, i + 2}, (i == 0 ? 1u : 0) | 2 | (i + 3 == n ? 4u : 0));
    list->id += n >= 3;
}

/* ---- neighbours ---- */

/* Of the line from a. */
static void add_ends(struct path_primitive *p) {
    unsigned a = p->corner[0] - 1;
    p->members = 4;
    for (unsigned i = 0; i < 4; i++)
        p->member[i] = a + i;
}

/* The vertex beside the edge of two corners of a strip's triangle, which is the last one of n vertices or not. */
static unsigned beside(unsigned triangle, unsigned a, unsigned b, unsigned n) {
    unsigned low = (a < b ? a : b) - 2 * triangle, high = (a > b ? a : b) - 2 * triangle;
    bool last = triangle == (n - 6) / 2;
    if (low == 0 && high == 4)
        return 2 * triangle + 3;
    if (low == 2)
        return 2 * triangle + (last ? 5 : 6);
    return triangle ? 2 * triangle - 2 : 1;
}

static void add_sides(struct path_primitive *p, unsigned triangle, bool strip, unsigned n) {
    p->members = 6;
    for (unsigned i = 0; i < 3; i++) {
        p->member[2 * i] = p->corner[i];
        p->member[2 * i + 1] = strip ? beside(triangle, p->corner[i], p->corner[(i + 1) % 3], n) : p->corner[i] + 1;
    }
}

static void add_neighbours(const struct list *list, unsigned topology, unsigned n) {
    for (unsigned i = 0; i < list->count; i++) {
        struct path_primitive *p = &list->out[i];
        if (topology == LINES_ADJACENCY || topology == LINE_STRIP_ADJACENCY) {
            add_ends(p);
        } else if (topology == TRIANGLES_ADJACENCY || topology == TRIANGLE_STRIP_ADJACENCY) {
            add_sides(p, i, topology == TRIANGLE_STRIP_ADJACENCY, n);
        } else {
            p->members = p->corners;
            for (unsigned k = 0; k < p->corners; k++)
                p->member[k] = p->corner[k];
        }
    }
}

unsigned path_primitives(unsigned topology, bool provoking_last, const bool *edge, unsigned count, unsigned id,
                         struct path_primitive *out, unsigned *ids) {
    bool flags = topology == TRIANGLES || topology == QUADS || topology == POLYGON;
    struct list list = {out, flags ? edge : NULL, 0, id, provoking_last};
    unsigned by = topology == TRIANGLES_ADJACENCY ? 2 : 1;
    switch (topology) {
    case POINTS:
        for (unsigned i = 0; i < count; i++) {
            put(&list, true, 1, &i, 7);
            list.id++;
        }
        break;
    case TRIANGLES:
    case TRIANGLES_ADJACENCY:
        for (unsigned i = 0; i + 3 * by <= count; i += 3 * by)
            put_triangle(&list, true, provoking_last ? i + 2 * by : i, provoking_last ? i : i + by,
                         provoking_last ? i + by : i + 2 * by);
        break;
    case TRIANGLE_STRIP:
        strip(&list, count, 1);
        break;
    case TRIANGLE_STRIP_ADJACENCY:
        strip(&list, count, 2);
        break;
    case TRIANGLE_FAN:
        for (unsigned i = 1; i + 1 < count; i++)
            put_triangle(&list, i == 1, provoking_last ? i + 1 : i, provoking_last ? 0 : i + 1, provoking_last ? i : 0);
        break;
    case QUADS:
        for (unsigned i = 0; i + 4 <= count; i += 4)
            put_quad(&list, true, (const unsigned[4]){i, i + 1, i + 2, i + 3});
        break;
    case QUAD_STRIP:
        quad_strip(&list, count);
        break;
    case POLYGON:
        polygon(&list, count);
        break;
    default:
        if (topology <= LINE_STRIP_ADJACENCY)
            lines(&list, topology, count);
        break;
    }
    add_neighbours(&list, topology, count);
    *ids = list.id - id;
    return list.count;
}
