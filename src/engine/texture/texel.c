/* SPDX-License-Identifier: MIT */
#include "engine/texture/texel.h"

#include <string.h>

#include "engine/surface/format.h"
#include "memory/memory.h"

#define MOST_BYTES 16u

void texel_begin(struct texel_reader *reader, const struct texture_memory *memory, const struct texture_view *view,
                 const struct texture_sampler *sampler) {
    *reader = (struct texel_reader){.memory = memory, .view = view, .sampler = sampler};
    reader->srgb = view->srgb && (!sampler || sampler->srgb);
}

/* ---- memory ---- */

static bool find_piece(struct texel_reader *reader, uint64_t address) {
    if (reader->piece && address >= reader->begin && address - reader->begin < reader->bytes)
        return true;
    reader->begin = address;
    reader->bytes = 0;
    reader->piece = reader->memory->at(reader->memory->opaque, address, &reader->bytes);
    return reader->piece != NULL;
}

/* The bytes of an element, which may lie across two pieces. What is not there is 0. */
static void read_bytes(struct texel_reader *reader, uint64_t address, uint8_t *to, unsigned count) {
    for (unsigned done = 0; done < count;) {
        if (!find_piece(reader, address + done)) {
            memset(to + done, 0, count - done);
            return;
        }
        uint64_t at = address + done - reader->begin, left = reader->bytes - at;
        unsigned now = left < count - done ? (unsigned)left : count - done;
        memcpy(to + done, reader->piece + at, now);
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
        out->f[i] = bits > 1 ? format_snorm(value, bits) : -(float)value;
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
    const struct texture_format *format = view->format;
    const struct texture_level *level = &view->level[at->level];
    uint8_t bytes[MOST_BYTES] = {0};
    const uint64_t x = (uint64_t)(at->x / format->across) * format->bytes, y = at->y / format->down;
    const uint64_t address =
        view->address + at->layer * view->layer_bytes + level->offset + layout_offset(&level->layout, x, y, at->z);
    read_bytes(reader, address, bytes, format->bytes);
    decode(view, bytes, at, raw);
    if (reader->srgb)
        decode_srgb(format, raw);
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
