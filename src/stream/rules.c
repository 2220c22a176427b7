/* SPDX-License-Identifier: MIT */
#include "stream/rules.h"

#include "chip/counted.h"

#include <inttypes.h>
#include <string.h>

/* Bytes that the UTF-8 sequence at `p` takes, 0 if it is not one. Control characters do not count as one. */
static size_t printable_sequence(const uint8_t *p, size_t left) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t bytes = p[0] < 0x80 ? 1 : p[0] < 0xc0 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf8 ? 4 : 0;
    uint32_t code;

    if (bytes == 0 || bytes > left)
        return 0;
    code = bytes == 1 ? p[0] : p[0] & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : bytes;
}

static bool is_printable(const char *text, size_t bytes) {
    const uint8_t *p = (const uint8_t *)text;

    while (bytes > 0) {
        size_t step = printable_sequence(p, bytes);

        if (step == 0)
            return false;
        p += step;
        bytes -= step;
    }
    return true;
}

static bool check_text(const struct pfifo_stream_text *text, struct reason *reason) {
    if (text->key_bytes == 0)
        return reason_set(reason, "the key is empty");
    if (memchr(text->key, '=', text->key_bytes))
        return reason_set(reason, "the key has a =");
    if (!is_printable(text->key, text->key_bytes) || !is_printable(text->value, text->value_bytes))
        return reason_set(reason, "not printable UTF-8");
    return true;
}

static bool check_submit(const struct rules *rules, const struct pfifo_stream_submit *submit, struct reason *reason) {
    if (rules->place != RULES_BETWEEN)
        return reason_set(reason, "inside submission %" PRIu32, rules->sequence);
    if (rules->sequence == UINT32_MAX || submit->sequence != rules->sequence + 1)
        return reason_set(reason, "sequence %" PRIu32 " after %" PRIu32, submit->sequence, rules->sequence);
    return true;
}

/* Whether the submission is not beyond `place`, and one more record of this type may follow `seen` others. */
static bool check_member(const struct rules *rules, enum rules_place place, uint32_t seen, uint32_t promised,
                         struct reason *reason) {
    if (rules->place == RULES_BETWEEN)
        return reason_set(reason, "outside a submission");
    if (rules->place > place)
        return reason_set(reason, "too late in submission %" PRIu32, rules->sequence);
    if (seen >= promised)
        return reason_set(reason, "more than the %" PRIu32 " that submission %" PRIu32 " announced", promised,
                          rules->sequence);
    return true;
}

/* A buffer whose size is not whole pages has its last page completed. */
static bool check_bodata(const struct rules *rules, const struct pfifo_stream_bodata *data, struct reason *reason) {
    const uint64_t page_mask = FORMAT_PAGE_BYTES - 1;
    uint64_t end = rules->buffer.bytes + (-rules->buffer.bytes & page_mask);

    if (rules->place == RULES_BETWEEN)
        return reason_set(reason, "outside a submission");
    if (rules->place != RULES_BUFFERS || rules->buffers == 0)
        return reason_set(reason, "not after a BOREF");
    if (data->handle != rules->buffer.handle)
        return reason_set(reason, "of buffer %" PRIu64 ", after the BOREF of %" PRIu32, data->handle,
                          rules->buffer.handle);
    if (data->bytes == 0 || data->bytes % FORMAT_PAGE_BYTES != 0)
        return reason_set(reason, "%zu bytes are not whole pages of 4096", data->bytes);
    if (data->offset % FORMAT_PAGE_BYTES != 0)
        return reason_set(reason, "offset 0x%" PRIx64 " is not at a page", data->offset);
    if (end < rules->buffer.bytes) /* the last page of all: rounding up wrapped */
        end = UINT64_MAX;
    if (data->offset > end || data->bytes > end - data->offset)
        return reason_set(reason, "0x%zx bytes at 0x%" PRIx64 " are beyond the buffer's 0x%" PRIx64, data->bytes,
                          data->offset, rules->buffer.bytes);
    return true;
}

static bool check_reloc(const struct rules *rules, const struct pfifo_stream_reloc *reloc, struct reason *reason) {
    if (!check_member(rules, RULES_RELOCS, rules->relocs, rules->submit.relocs, reason))
        return false;
    if (reloc->reloc_bo_index >= rules->submit.buffers || reloc->bo_index >= rules->submit.buffers)
        return reason_set(reason, "buffer %" PRIu32 " or %" PRIu32 " of %" PRIu32, reloc->reloc_bo_index,
                          reloc->bo_index, rules->submit.buffers);
    return true;
}

static bool rules_check_push(const struct rules *rules, const struct pfifo_stream_push *push, struct reason *reason) {
    uint64_t bytes = push->length & FORMAT_PUSH_LENGTH_MASK;

    if (!check_member(rules, RULES_PUSHES, rules->pushes, rules->submit.pushes, reason))
        return false;
    if (rules->version >= 2 && !push->handle)
        return push->word_count == 0 || reason_set(reason, "%s of no buffer", counted(push->word_count, "word").text);
    if (bytes != (uint64_t)push->word_count * 4)
        return reason_set(reason, "%s, but a length of %s", counted(push->word_count, "word").text,
                          counted(bytes, "byte").text);
    return true;
}

/* A WAIT or a FENCE: in a submission, and not after what comes later. One FENCE is enough. */
static bool check_fence(const struct rules *rules, enum rules_place last, struct reason *reason) {
    if (rules->place == RULES_BETWEEN)
        return reason_set(reason, "outside a submission");
    return rules->place <= last || reason_set(reason, "too late in submission %" PRIu32, rules->sequence);
}

/* A SYNC: of the submission that it is in, or of what is between them. */
static bool check_sync(const struct rules *rules, const struct pfifo_stream_sync *sync, struct reason *reason) {
    if (sync->how > PFIFO_STREAM_SYNC_CPU_RESET)
        return reason_set(reason, "how %" PRIu32 " is not known", sync->how);
    if (sync->how == PFIFO_STREAM_SYNC_WAIT)
        return check_fence(rules, RULES_WAITS, reason);
    if (sync->how == PFIFO_STREAM_SYNC_SIGNAL)
        return check_fence(rules, RULES_FENCE, reason);
    return rules->place == RULES_BETWEEN || reason_set(reason, "inside submission %" PRIu32, rules->sequence);
}

static bool rules_check_counts(const struct rules *rules, struct reason *reason) {
    const struct pfifo_stream_submit *submit = &rules->submit;

    if (rules->buffers == submit->buffers && rules->relocs == submit->relocs && rules->pushes == submit->pushes)
        return true;
    return reason_set(reason,
                      "%" PRIu32 "/%" PRIu32 " BOREFs, %" PRIu32 "/%" PRIu32 " RELOCs, %" PRIu32 "/%" PRIu32 " PUSHes",
                      rules->buffers, submit->buffers, rules->relocs, submit->relocs, rules->pushes, submit->pushes);
}

static bool check_subend(const struct rules *rules, const struct pfifo_stream_subend *subend, struct reason *reason) {
    if (rules->place == RULES_BETWEEN)
        return reason_set(reason, "outside a submission");
    if (subend->sequence != rules->sequence)
        return reason_set(reason, "sequence %" PRIu32 " in submission %" PRIu32, subend->sequence, rules->sequence);
    return rules_check_counts(rules, reason);
}

static bool rules_check(const struct rules *rules, const struct pfifo_stream_record *record, struct reason *reason) {
    switch (record->type) {
    case PFIFO_STREAM_UNKNOWN:
        return true;
    case PFIFO_STREAM_TEXT:
        return check_text(&record->text, reason);
    case PFIFO_STREAM_SUBMIT:
        return check_submit(rules, &record->submit, reason);
    case PFIFO_STREAM_BOREF:
        return check_member(rules, RULES_BUFFERS, rules->buffers, rules->submit.buffers, reason);
    case PFIFO_STREAM_BODATA:
        return check_bodata(rules, &record->bodata, reason);
    case PFIFO_STREAM_RELOC:
        return check_reloc(rules, &record->reloc, reason);
    case PFIFO_STREAM_PUSH:
        return rules_check_push(rules, &record->push, reason);
    case PFIFO_STREAM_WAIT:
        return check_fence(rules, RULES_WAITS, reason);
    case PFIFO_STREAM_FENCE:
        return check_fence(rules, RULES_PUSHES, reason);
    case PFIFO_STREAM_SYNC:
        return check_sync(rules, &record->sync, reason);
    case PFIFO_STREAM_SUBEND:
        return check_subend(rules, &record->subend, reason);
    default:
        return rules->place == RULES_BETWEEN || reason_set(reason, "inside submission %" PRIu32, rules->sequence);
    }
}

static void rules_begin_submission(struct rules *rules, const struct pfifo_stream_submit *submit) {
    rules->place = RULES_BUFFERS;
    rules->sequence = submit->sequence;
    rules->submit = *submit;
    rules->buffers = rules->relocs = rules->pushes = 0;
    rules->buffer = (struct pfifo_stream_boref){0};
}

void rules_begin(struct rules *rules, uint32_t version) {
    rules_free(rules);
    *rules = (struct rules){.version = version};
}

void rules_free(struct rules *rules) {
    known_free(&rules->known);
}

/* What the record refers to is there, and what it makes is there from now on. */
static bool check_known(struct rules *rules, const struct pfifo_stream_record *record, struct reason *reason) {
    if (rules->version < 2)
        return true;
    rules->known.no_memory = false;
    return known_accept(&rules->known, record, reason);
}

bool rules_accept(struct rules *rules, const struct pfifo_stream_record *record, struct reason *reason) {
    if (!rules_check(rules, record, reason) || !check_known(rules, record, reason))
        return false;
    switch (record->type) {
    case PFIFO_STREAM_SUBMIT:
        rules_begin_submission(rules, &record->submit);
        break;
    case PFIFO_STREAM_BOREF:
        rules->buffers++;
        rules->buffer = record->boref;
        break;
    case PFIFO_STREAM_RELOC:
        rules->place = RULES_RELOCS;
        rules->relocs++;
        break;
    case PFIFO_STREAM_WAIT:
        rules->place = RULES_WAITS;
        break;
    case PFIFO_STREAM_PUSH:
        rules->place = RULES_PUSHES;
        rules->pushes++;
        break;
    case PFIFO_STREAM_FENCE:
        rules->place = RULES_FENCE;
        break;
    case PFIFO_STREAM_SYNC:
        if (record->sync.how <= PFIFO_STREAM_SYNC_SIGNAL)
            rules->place = record->sync.how == PFIFO_STREAM_SYNC_WAIT ? RULES_WAITS : RULES_FENCE;
        break;
    case PFIFO_STREAM_SUBEND:
        rules->place = RULES_BETWEEN;
        break;
    default:
        break;
    }
    return true;
}

bool rules_may_end(const struct rules *rules, struct reason *reason) {
    if (rules->place != RULES_BETWEEN)
        return reason_set(reason, "the capture ends inside submission %" PRIu32, rules->sequence);
    return known_may_end(&rules->known, reason);
}
