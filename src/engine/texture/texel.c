/* SPDX-License-Identifier: MIT */
#include "engine/texture/texel.h"

#include <assert.h>
#include <string.h>

#include "engine/surface/format.h"
#include "engine/surface/srgb.h"
#include "memory/memory.h"

#define MOST_BYTES 16u
#define PAGE_BITS  12u
#define PAGE_MASK  ((UINT64_C(1) << PAGE_BITS) - 1)

_Static_assert((TEXEL_PIECES & (TEXEL_PIECES - 1)) == 0, "they are found by a mask");
_Static_assert(TEXTURE_LANES == 32, "masks of lanes are words");

/* ---- tables of bytes ---- */

#define U1(n)  (float)((n) / 255.0)
#define U4(n)  U1(n), U1((n) + 1), U1((n) + 2), U1((n) + 3)
#define U16(n) U4(n), U4((n) + 4), U4((n) + 8), U4((n) + 12)
#define U64(n) U16(n), U16((n) + 16), U16((n) + 32), U16((n) + 48)

static const union {
    float f[256];
    uint32_t u[256];
} unorm8 = {.f = {U64(0), U64(64), U64(128), U64(192)}};
static const uint32_t zeros[256], ones_int[256] = {[0 ... 255] = 1}, ones[256] = {[0 ... 255] = 0x3f800000};

/* What byte `field` of a word means. NULL: not by a table. */
static const uint32_t *table_of(const struct texel_reader *reader, unsigned field) {
    const struct texture_view *view = reader->view;
    const struct texture_format *format = view->format;
    assert(field < 4);
    if (!format->field[field].bits)
        return field == 3 ? ones : zeros;
    if (view->type[field] != TEXTURE_UNORM || format->field[field].bits != 8)
        return NULL;
    const unsigned linear = format->field[2].bits ? 3 : 1; /* see decode_srgb() */
    return reader->srgb && field < linear ? srgb_table() : unorm8.u;
}

/* Whether all that a view gives are bytes by tables. */
static bool find_tables(struct texel_reader *reader) {
    const struct texture_view *view = reader->view;
    reader->constant = reader->curved = 0;
    if (view->format->coding != CODING_BITS || view->format->bytes > 4 || view->integers)
        return false;
    for (unsigned i = 0; i < 4; i++) {
        static const uint32_t *const constants[8] = {zeros,
                                                     zeros, [TEXTURE_ONE_INT] = ones_int, [TEXTURE_ONE_FLOAT] = ones};
        const uint8_t source = view->source[i] & 7;
        const bool constant = constants[source] != NULL;
        reader->table[i] = constant ? constants[source] : table_of(reader, source - TEXTURE_R);
        reader->shift[i] = constant ? 0 : view->format->field[source - TEXTURE_R].shift & 31;
        if (!reader->table[i])
            return false;
        const bool varies = reader->table[i] != zeros && reader->table[i] != ones && reader->table[i] != ones_int;
        reader->constant |= (varies ? 0u : 1u) << i;
        reader->curved |= (varies && reader->table[i] != unorm8.u ? 1u : 0) << i;
    }
    return true;
}

/* In texels of bytes, many at once. */
#define ALONE  2u /* more, by itself */
#define PLAIN  2u
#define BLOCKS 6u

static unsigned weight_of(const struct texel_reader *reader) {
    const struct texture_format *format = reader->view->format;
    if (format->across > 1 || format->down > 1)
        return BLOCKS;
    return reader->bytes_only ? 1 : PLAIN;
}

void texel_begin(struct texel_reader *reader, const struct texture_memory *memory, const struct texture_view *view,
                 const struct texture_sampler *sampler) {
    assert(view->format->bytes && view->format->bytes <= MOST_BYTES);
    reader->memory = memory;
    reader->view = view;
    reader->sampler = sampler;
    reader->srgb = view->srgb && (!sampler || sampler->srgb);
    reader->bytes_only = find_tables(reader);
    reader->read = 0;
    reader->weight = weight_of(reader);
    for (unsigned i = 0; i < TEXEL_PIECES; i++)
        reader->piece[i].bytes = 0;
}

/* ---- memory ---- */

static struct texel_piece *piece_of(struct texel_reader *reader, uint64_t address) {
    return &reader->piece[address >> PAGE_BITS & (TEXEL_PIECES - 1)];
}

/* Memory is asked for the byte, then for its page from the beginning, so that what lies before it is known, too. */
static const struct texel_piece *find_piece(struct texel_reader *reader, uint64_t address) {
    struct texel_piece *piece = piece_of(reader, address);
    if (address - piece->begin < piece->bytes)
        return piece;
    *piece = (struct texel_piece){.begin = address};
    piece->data = reader->memory->at(reader->memory->opaque, address, &piece->bytes);
    if (!piece->data) {
        piece->bytes = 0;
        return NULL;
    }
    struct texel_piece page = {.begin = address & ~PAGE_MASK};
    if (page.begin != address)
        page.data = reader->memory->at(reader->memory->opaque, page.begin, &page.bytes);
    if (page.data && page.bytes > address - page.begin)
        *piece = page;
    return piece;
}

/* The bytes of an element, which may lie across two pieces. What is not there is 0. */
static void read_bytes(struct texel_reader *reader, uint64_t address, uint8_t *to, unsigned count) {
    for (unsigned done = 0; done < count;) {
        const struct texel_piece *piece = find_piece(reader, address + done);
        if (!piece) {
            memset(to + done, 0, count - done);
            return;
        }
        uint64_t at = address + done - piece->begin, left = piece->bytes - at;
        unsigned now = left < count - done ? (unsigned)left : count - done;
        memcpy(to + done, piece->data + at, now);
        done += now;
    }
}

/* ---- components ---- */

static uint32_t bits_of(const uint8_t *bytes, struct texture_field place) {
    uint64_t low = load_le64(bytes), high = load_le64(bytes + 8);
    uint64_t value = place.shift >= 64 ? high >> (place.shift - 64) : low >> place.shift;
    return (uint32_t)(value & ((UINT64_C(1) << place.bits) - 1));
}

static uint32_t extended(uint32_t value, unsigned bits) {
    uint32_t sign = 1u << ((bits - 1) & 31);
    return (value ^ sign) - sign;
}

/*
 * UNKNOWN: types through 16-bit floats, and type 0; chosen: without that rounding, and as unsigned normalised. UNKNOWN:
 * a bit that is signed and normalised; chosen: 0 or -1.
 */
static void decode_field(uint8_t type, uint32_t value, unsigned bits, union texel *out, unsigned i) {
    switch (type) {
    case TEXTURE_SNORM:
    case TEXTURE_SNORM_16:
        out->f[i] = bits > 1 ? format_snorm(value, bits) : value ? -1.0F : 0.0F;
        break;
    case TEXTURE_SINT:
        out->u[i] = extended(value, bits);
        break;
    case TEXTURE_UINT:
        out->u[i] = value;
        break;
    case TEXTURE_FLOAT:
        if (bits == 32 || bits == 16 || bits == 11 || bits == 10)
            out->f[i] = format_float(value, bits);
        else
            out->f[i] = format_unorm(value, bits);
        break;
    default:
        out->f[i] = format_unorm(value, bits);
        break;
    }
}

static void decode_bits(const struct texture_view *view, const uint8_t *bytes, union texel *out) {
    const struct texture_format *format = view->format;
    for (unsigned i = 0; i < 4; i++)
        if (format->field[i].bits)
            decode_field(view->type[i], bits_of(bytes, format->field[i]), format->field[i].bits, out, i);
}

/* c * 2^(E - 24) */
static void decode_shared(const uint8_t *bytes, union texel *out) {
    uint32_t word = load_le32(bytes);
    double scale = 1.0 / 16777216;
    for (uint32_t i = 0; i < word >> 27; i++)
        scale *= 2;
    for (unsigned i = 0; i < 3; i++)
        out->f[i] = (float)((word >> 9 * i & 0x1ff) * scale);
}

static void decode_pair(const struct texture_view *view, const uint8_t *bytes, unsigned second, union texel *out) {
    const unsigned green = view->format->green_first ? 0 : 1, other = 1 - green;
    decode_field(view->type[0], bytes[other], 8, out, 0);
    decode_field(view->type[1], bytes[green + 2 * second], 8, out, 1);
    decode_field(view->type[2], bytes[other + 2], 8, out, 2);
}

/*
 * 16 bits: 4 of exponent, which 7 is taken from, and 12 of mantissa; 24: 8 and 16, as the upper bits of a float. There
 * is no sign, and no number without a leading 1 but 0. [xemu pgraph]
 */
static float depth_float(uint32_t value, unsigned bits) {
    const uint32_t word = bits == 24 ? value << 7 : (value << 11) + (120u << 23);
    float result;
    memcpy(&result, &word, sizeof result);
    return value ? result : 0.0F;
}

/* Of one and two components sRGB decodes only the first (Mesa drops such formats). Alpha is linear. */
static void decode_srgb(const struct texture_format *format, union texel *out) {
    const unsigned count = format->coding == CODING_BITS && !format->field[2].bits ? 1 : 3;
    for (unsigned i = 0; i < count; i++)
        out->f[i] = format_linear(out->f[i]);
}

static void decode(const struct texture_view *view, const uint8_t *bytes, const struct texel_place *at,
                   union texel *out) {
    const struct texture_format *format = view->format;
    memset(out, 0, sizeof *out);
    if (view->integers)
        out->u[3] = 1;
    else
        out->f[3] = 1;
    switch (format->coding) {
    case CODING_BITS:
        decode_bits(view, bytes, out);
        break;
    case CODING_SHARED:
        decode_shared(bytes, out);
        break;
    case CODING_PAIR:
        decode_pair(view, bytes, at->x & 1, out);
        break;
    case CODING_DEPTH:
        out->f[0] = depth_float(bits_of(bytes, format->field[0]), format->field[0].bits);
        break;
    case CODING_BIT: /* UNKNOWN: the order of bits; chosen: the lowest first */
        decode_field(view->type[0], bytes[0] >> (at->x & 7) & 1, 1, out, 0);
        break;
    default:
        texture_block(format, bytes, at->x % format->across, at->y % format->down, view->type[0] == TEXTURE_SNORM,
                      view->srgb, out->f);
        break;
    }
}

void texel_raw(struct texel_reader *reader, const struct texel_place *at, union texel *raw) {
    const struct texture_view *view = reader->view;
    assert(at->level <= view->last_level);
    const struct texture_format *format = view->format;
    const struct texture_level *level = &view->level[at->level];
    uint8_t bytes[MOST_BYTES] = {0};
    reader->read += reader->weight + ALONE;
    const uint64_t x = (uint64_t)(at->x / format->across) * format->bytes, y = at->y / format->down;
    const uint64_t address =
        view->address + at->layer * view->layer_bytes + level->offset + layout_offset(&level->layout, x, y, at->z);
    read_bytes(reader, address, bytes, format->bytes);
    decode(view, bytes, at, raw);
    if (reader->srgb)
        decode_srgb(format, raw);
}

/* ---- rows ---- */

/* `count`: a constant, so that the copy is a load. */
static inline __attribute__((always_inline)) uint32_t load_word(struct texel_reader *reader, uint64_t address,
                                                                unsigned count) {
    const struct texel_piece *piece = piece_of(reader, address);
    const uint64_t at = address - piece->begin;
    uint8_t bytes[4] = {0};
    if (at < piece->bytes && piece->bytes - at >= count)
        memcpy(bytes, piece->data + at, count);
    else
        read_bytes(reader, address, bytes, count);
    return load_le32(bytes);
}

struct row_places {
    uint64_t base, layer_bytes;
    const uint32_t *layer, *offset;
};

static inline __attribute__((always_inline)) uint64_t place_of(const struct row_places *places, unsigned lane) {
    return places->base + places->layer[lane] * places->layer_bytes + places->offset[lane];
}

static inline __attribute__((always_inline)) void read_words(struct texel_reader *reader,
                                                             const struct row_places *places, unsigned count,
                                                             uint32_t lanes, union texel *out) {
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const uint32_t word = load_word(reader, place_of(places, i), count);
        for (unsigned c = 0; c < 4; c++)
            out[i].u[c] = reader->table[c][word >> reader->shift[c] & 255];
    }
}

/* Any format. */
static void read_texels(struct texel_reader *reader, const struct row_places *places, const uint32_t *x,
                        const uint32_t *y, uint32_t lanes, bool raw, union texel *out) {
    const struct texture_view *view = reader->view;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const struct texel_place at = {.x = x[i], .y = y[i]};
        uint8_t bytes[MOST_BYTES] = {0};
        read_bytes(reader, place_of(places, i), bytes, view->format->bytes);
        union texel texel;
        decode(view, bytes, &at, &texel);
        if (reader->srgb)
            decode_srgb(view->format, &texel);
        if (raw)
            out[i] = texel;
        else
            texel_sources(view, &texel, &out[i]);
    }
}

void texel_rows(struct texel_reader *reader, uint64_t base, const uint32_t *layer, const uint32_t *offset,
                const uint32_t *x, const uint32_t *y, uint32_t lanes, bool raw, union texel out[TEXTURE_LANES]) {
    const struct row_places places = {base, reader->view->layer_bytes, layer, offset};
    const unsigned bytes = reader->view->format->bytes;
    assert(!reader->bytes_only || bytes == 1 || bytes == 2 || bytes == 4);
    reader->read += reader->weight * (unsigned)__builtin_popcount(lanes);
    if (!reader->bytes_only || raw)
        read_texels(reader, &places, x, y, lanes, raw, out);
    else if (bytes == 4)
        read_words(reader, &places, 4, lanes, out);
    else if (bytes == 2)
        read_words(reader, &places, 2, lanes, out);
    else
        read_words(reader, &places, 1, lanes, out);
}

void texel_words(struct texel_reader *reader, uint64_t base, const uint32_t *offset, uint32_t lanes, texture_row out) {
    const unsigned bytes = reader->view->format->bytes;
    assert(reader->bytes_only && (bytes == 1 || bytes == 2 || bytes == 4));
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const uint64_t at = base + offset[i];
        out[i] = bytes == 4   ? load_word(reader, at, 4)
                 : bytes == 2 ? load_word(reader, at, 2)
                              : load_word(reader, at, 1);
    }
}

/* ---- sources ---- */

void texel_sources(const struct texture_view *view, const union texel *raw, union texel *out) {
    const float one = 1;
    uint32_t values[8] = {0, 0, raw->u[0], raw->u[1], raw->u[2], raw->u[3], 1, 0};
    memcpy(&values[TEXTURE_ONE_FLOAT], &one, sizeof one);
    for (unsigned i = 0; i < 4; i++)
        out->u[i] = values[view->source[i] & 7];
}

unsigned texel_depth(const struct texture_view *view) {
    return view->format->is_depth ? view->format->depth_field : 0;
}
