/* SPDX-License-Identifier: MIT */
#include "stream/format.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* And the version, as a digit. */
static const char magic[FORMAT_MAGIC_BYTES - 1] = {'N', 'V', 'P', 'B', 'C', 'A', 'P'};

enum { FIELDS_MAX = 9 };

enum tail { TAIL_NONE, TAIL_TEXT, TAIL_PAGES, TAIL_WORDS, TAIL_BYTES };

struct format_field {
    uint16_t at;    /* in the payload */
    uint16_t bytes; /* 4 or 8 */
    size_t into;    /* in struct pfifo_stream_record */
};

struct format_layout {
    const char *name;
    uint32_t fixed_bytes;
    enum tail tail;
    struct format_field fields[FIELDS_MAX + 1]; /* ends with one of no bytes */
};

/* clang-format off */
#define U32(at, member) {at, 4, offsetof(struct pfifo_stream_record, member)}
#define U64(at, member) {at, 8, offsetof(struct pfifo_stream_record, member)}

/* Indexed by the number of the type. The last word of a SUBMIT is zero and means nothing. */
static const struct format_layout layouts[] = {
    [PFIFO_STREAM_TEXT] = {"TEXT", 0, TAIL_TEXT, {{0}}},
    [PFIFO_STREAM_CHAN] = {"CHAN", 20, TAIL_NONE, {
        U32(0, chan.channel), U32(4, chan.fb_ctxdma), U32(8, chan.tt_ctxdma), U32(12, chan.pushbuf_domains),
        U32(16, chan.notifier_bo)}},
    [PFIFO_STREAM_OBJ] = {"OBJ", 12, TAIL_NONE, {
        U32(0, obj.channel), U32(4, obj.handle), U32(8, obj.oclass)}},
    [PFIFO_STREAM_NTFY] = {"NTFY", 16, TAIL_NONE, {
        U32(0, ntfy.channel), U32(4, ntfy.handle), U32(8, ntfy.bytes), U32(12, ntfy.offset)}},
    [PFIFO_STREAM_BONEW] = {"BONEW", 32, TAIL_NONE, {
        U32(0, bonew.handle), U32(4, bonew.domain), U64(8, bonew.bytes), U64(16, bonew.address),
        U32(24, bonew.tile_mode), U32(28, bonew.tile_flags)}},
    [PFIFO_STREAM_BODEL] = {"BODEL", 4, TAIL_NONE, {
        U32(0, bodel.handle)}},
    [PFIFO_STREAM_SUBMIT] = {"SUBMIT", 32, TAIL_NONE, {
        U32(0, submit.sequence), U32(4, submit.channel), U32(8, submit.buffers), U32(12, submit.relocs),
        U32(16, submit.pushes), U32(20, submit.suffix0), U32(24, submit.suffix1)}},
    [PFIFO_STREAM_BOREF] = {"BOREF", 48, TAIL_NONE, {
        U32(0, boref.handle), U32(4, boref.valid_domains), U32(8, boref.read_domains), U32(12, boref.write_domains),
        U64(16, boref.address), U64(24, boref.bytes), U32(32, boref.presumed_valid), U32(36, boref.presumed_domain),
        U64(40, boref.presumed_offset)}},
    [PFIFO_STREAM_BODATA] = {"BODATA", 16, TAIL_PAGES, {
        U64(0, bodata.handle), U64(8, bodata.offset)}},
    [PFIFO_STREAM_PUSH] = {"PUSH", 32, TAIL_WORDS, {
        U64(0, push.handle), U64(8, push.offset), U64(16, push.length), U64(24, push.address)}},
    [PFIFO_STREAM_SUBEND] = {"SUBEND", 4, TAIL_NONE, {
        U32(0, subend.sequence)}},
    [PFIFO_STREAM_PREP] = {"PREP", 8, TAIL_NONE, {
        U32(0, prep.handle), U32(4, prep.flags)}},
    [PFIFO_STREAM_RELOC] = {"RELOC", 28, TAIL_NONE, {
        U32(0, reloc.reloc_bo_index), U32(4, reloc.reloc_bo_offset), U32(8, reloc.bo_index), U32(12, reloc.flags),
        U32(16, reloc.data), U32(20, reloc.vor), U32(24, reloc.tor)}},
    [PFIFO_STREAM_CHANFREE] = {"CHANFREE", 4, TAIL_NONE, {
        U32(0, chanfree.channel)}},
    [PFIFO_STREAM_SPACE] = {"SPACE", 24, TAIL_NONE, {
        U32(0, space.space), U32(4, space.big_page_bytes), U64(8, space.first), U64(16, space.bytes)}},
    [PFIFO_STREAM_SPACEDEL] = {"SPACEDEL", 4, TAIL_NONE, {
        U32(0, spacedel.space)}},
    [PFIFO_STREAM_SPARSE] = {"SPARSE", 24, TAIL_NONE, {
        U32(0, sparse.space), U32(4, sparse.sparse), U64(8, sparse.address), U64(16, sparse.bytes)}},
    [PFIFO_STREAM_MAP] = {"MAP", 44, TAIL_NONE, {
        U32(0, map.space), U32(4, map.handle), U64(8, map.address), U64(16, map.bytes), U64(24, map.offset),
        U32(32, map.page_bytes), U32(36, map.kind), U32(40, map.flags)}},
    [PFIFO_STREAM_UNMAP] = {"UNMAP", 20, TAIL_NONE, {
        U32(0, unmap.space), U64(4, unmap.address), U64(12, unmap.bytes)}},
    [PFIFO_STREAM_CHANIN] = {"CHANIN", 16, TAIL_NONE, {
        U32(0, chanin.channel), U32(4, chanin.space), U32(8, chanin.entries), U32(12, chanin.flags)}},
    [PFIFO_STREAM_WAIT] = {"WAIT", 8, TAIL_NONE, {
        U32(0, wait.syncpoint), U32(4, wait.threshold)}},
    [PFIFO_STREAM_FENCE] = {"FENCE", 8, TAIL_NONE, {
        U32(0, fence.syncpoint), U32(4, fence.value)}},
    [PFIFO_STREAM_SYNCPT] = {"SYNCPT", 12, TAIL_NONE, {
        U32(0, syncpt.syncpoint), U32(4, syncpt.set), U32(8, syncpt.value)}},
    [PFIFO_STREAM_WRITE] = {"WRITE", 12, TAIL_BYTES, {
        U32(0, write.handle), U64(4, write.offset)}},
    [PFIFO_STREAM_RUN] = {"RUN", 8, TAIL_NONE, {
        U64(0, run.units)}},
    [PFIFO_STREAM_VMINIT] = {"VMINIT", 20, TAIL_NONE, {
        U32(0, vminit.space), U64(4, vminit.kept), U64(12, vminit.kept_bytes)}},
    [PFIFO_STREAM_BIND] = {"BIND", 40, TAIL_NONE, {
        U32(0, bind.space), U32(4, bind.how), U32(8, bind.handle), U32(12, bind.kind), U64(16, bind.address),
        U64(24, bind.bytes), U64(32, bind.offset)}},
    [PFIFO_STREAM_SYNC] = {"SYNC", 16, TAIL_NONE, {
        U32(0, sync.object), U32(4, sync.how), U64(8, sync.point)}},
};
/* clang-format on */

static const struct format_layout *layout_of(int64_t number) {
    if (number <= 0 || number >= (int64_t)(sizeof(layouts) / sizeof(layouts[0])))
        return NULL;
    assert(layouts[number].name && layouts[number].fixed_bytes <= FORMAT_FIXED_MAX);
    return &layouts[number];
}

/* The first type of each version. */
static const uint32_t first_types[FORMAT_VERSIONS + 1] = {0, PFIFO_STREAM_TEXT, PFIFO_STREAM_SPACE,
                                                          PFIFO_STREAM_VMINIT};

/* Of a file of this version. */
static const struct format_layout *layout_in(int64_t number, uint32_t version) {
    assert(version >= 1 && version <= FORMAT_VERSIONS);
    return version < FORMAT_VERSIONS && number >= first_types[version + 1] ? NULL : layout_of(number);
}

const char *pfifo_stream_type_name(enum pfifo_stream_type type) {
    const struct format_layout *layout = layout_of(type);

    return layout ? layout->name : "unknown";
}

bool reason_set(struct reason *reason, const char *format, ...) {
    va_list args;

    va_start(args, format);
    vsnprintf(reason->text, sizeof(reason->text), format, args);
    va_end(args);
    return false;
}

uint32_t format_version(const uint8_t *data, size_t size) {
    if (size < FORMAT_MAGIC_BYTES || memcmp(data, magic, sizeof(magic)) != 0)
        return 0;
    uint32_t version = (uint32_t)(data[sizeof(magic)] - '0');
    return version <= FORMAT_VERSIONS ? version : 0;
}

bool format_is_session(const uint8_t *data, size_t size) {
    return size >= FORMAT_MAGIC_BYTES && memcmp(data, FORMAT_SESSION_MAGIC, FORMAT_MAGIC_BYTES) == 0;
}

void format_put_magic(uint8_t out[FORMAT_MAGIC_BYTES], uint32_t version) {
    memcpy(out, magic, sizeof(magic));
    out[sizeof(magic)] = (uint8_t)('0' + version);
}

uint32_t format_get_u32(const uint8_t *data) {
    return data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

void format_put_u32(uint8_t *data, uint32_t value) {
    for (int i = 0; i < 4; i++)
        data[i] = (uint8_t)(value >> 8 * i);
}

static void format_decode_field(struct pfifo_stream_record *record, const struct format_field *field) {
    const uint8_t *from = record->payload + field->at;
    uint8_t *into = (uint8_t *)record + field->into;
    uint32_t low = format_get_u32(from);

    if (field->bytes == 4) {
        memcpy(into, &low, sizeof(low));
    } else {
        uint64_t value = low | (uint64_t)format_get_u32(from + 4) << 32;

        memcpy(into, &value, sizeof(value));
    }
}

static void encode_field(const struct pfifo_stream_record *record, const struct format_field *field, uint8_t *payload) {
    const uint8_t *from = (const uint8_t *)record + field->into;

    if (field->bytes == 4) {
        uint32_t value;

        memcpy(&value, from, sizeof(value));
        format_put_u32(payload + field->at, value);
    } else {
        uint64_t value;

        memcpy(&value, from, sizeof(value));
        format_put_u32(payload + field->at, (uint32_t)value);
        format_put_u32(payload + field->at + 4, (uint32_t)(value >> 32));
    }
}

static bool decode_text(struct pfifo_stream_text *text, const uint8_t *tail, size_t bytes, struct reason *reason) {
    const uint8_t *equals = bytes > 0 ? memchr(tail, '=', bytes) : NULL;

    if (!equals)
        return reason_set(reason, "not of the form key=value");
    text->key = (const char *)tail;
    text->key_bytes = (size_t)(equals - tail);
    text->value = (const char *)equals + 1;
    text->value_bytes = bytes - text->key_bytes - 1;
    return true;
}

static bool decode_tail(struct pfifo_stream_record *record, const struct format_layout *layout, struct reason *reason) {
    const uint8_t *tail = record->payload + layout->fixed_bytes;
    uint32_t bytes = record->payload_bytes - layout->fixed_bytes;

    switch (layout->tail) {
    case TAIL_NONE:
        return bytes == 0 || reason_set(reason, "payload of %" PRIu32 " bytes instead of %" PRIu32,
                                        record->payload_bytes, layout->fixed_bytes);
    case TAIL_TEXT:
        return decode_text(&record->text, tail, bytes, reason);
    case TAIL_PAGES:
        record->bodata.data = tail;
        record->bodata.bytes = bytes;
        return true;
    case TAIL_WORDS:
        record->push.words = tail;
        record->push.word_count = bytes / 4;
        record->push.no_prefetch = (record->push.length & FORMAT_PUSH_NO_PREFETCH) != 0;
        return bytes % 4 == 0 || reason_set(reason, "%" PRIu32 " bytes are not whole words", bytes);
    case TAIL_BYTES:
        record->write.data = tail;
        record->write.bytes = bytes;
        return true;
    }
    return true;
}

bool format_decode(struct pfifo_stream_record *record, uint32_t version, struct reason *reason) {
    const struct format_layout *layout = layout_in(record->number, version);

    if (!layout) {
        record->type = PFIFO_STREAM_UNKNOWN;
        return true;
    }
    record->type = (enum pfifo_stream_type)record->number;
    if (record->payload_bytes < layout->fixed_bytes)
        return reason_set(reason, "payload of %" PRIu32 " bytes, at least %" PRIu32 " needed", record->payload_bytes,
                          layout->fixed_bytes);
    for (const struct format_field *field = layout->fields; field->bytes > 0; field++)
        format_decode_field(record, field);
    return decode_tail(record, layout, reason);
}

static void set_tail(struct format_pieces *pieces, int index, const void *data, size_t bytes) {
    pieces->tail[index].data = data;
    pieces->tail[index].bytes = bytes;
}

static void encode_tail(const struct pfifo_stream_record *record, enum tail tail, struct format_pieces *pieces) {
    switch (tail) {
    case TAIL_NONE:
        break;
    case TAIL_TEXT:
        set_tail(pieces, 0, record->text.key, record->text.key_bytes);
        set_tail(pieces, 1, "=", 1);
        set_tail(pieces, 2, record->text.value, record->text.value_bytes);
        break;
    case TAIL_PAGES:
        set_tail(pieces, 0, record->bodata.data, record->bodata.bytes);
        break;
    case TAIL_WORDS:
        set_tail(pieces, 0, record->push.words, (size_t)record->push.word_count * 4);
        break;
    case TAIL_BYTES:
        set_tail(pieces, 0, record->write.data, record->write.bytes);
        break;
    }
}

/* The length of a payload is a u32; a tail that is too long or missing cannot be written. */
static bool payload_bytes(const struct format_pieces *pieces, uint32_t *bytes, struct reason *reason) {
    uint64_t sum = pieces->head_bytes - FORMAT_HEADER_BYTES;

    for (int i = 0; i < 3; i++) {
        if (pieces->tail[i].bytes > 0 && !pieces->tail[i].data)
            return reason_set(reason, "no data given");
        if (pieces->tail[i].bytes > UINT32_MAX - sum)
            return reason_set(reason, "too long for one record");
        sum += pieces->tail[i].bytes;
    }
    *bytes = (uint32_t)sum;
    return true;
}

bool format_encode(const struct pfifo_stream_record *record, uint32_t version, struct format_pieces *pieces,
                   struct reason *reason) {
    bool unknown = record->type == PFIFO_STREAM_UNKNOWN;
    const struct format_layout *layout = layout_in(record->type, version);
    uint32_t number = unknown ? record->number : (uint32_t)record->type;
    uint32_t bytes = 0;

    memset(pieces, 0, sizeof(*pieces));
    pieces->head_bytes = FORMAT_HEADER_BYTES;
    if (unknown ? layout_in(record->number, version) != NULL : !layout)
        return reason_set(reason, "type %" PRId64 " is not one of version %" PRIu32,
                          unknown ? (int64_t)number : (int64_t)record->type, version);
    if (unknown) {
        set_tail(pieces, 0, record->payload, record->payload_bytes);
    } else {
        for (const struct format_field *field = layout->fields; field->bytes > 0; field++)
            encode_field(record, field, pieces->head + FORMAT_HEADER_BYTES);
        pieces->head_bytes += layout->fixed_bytes;
        encode_tail(record, layout->tail, pieces);
    }
    if (!payload_bytes(pieces, &bytes, reason))
        return false;
    format_put_u32(pieces->head, number);
    format_put_u32(pieces->head + 4, bytes);
    return true;
}
