/* SPDX-License-Identifier: MIT */
/*
 * cpu-write: the CPU writes to what the GPU reads.
 *
 *   engine.read .......... BODATA, WRITE    the GPU has read it, and nothing has told the CPU that it has: no fence,
 *                                           semaphore, reference or interrupt after the read, no PREP
 *   SUBMIT .. RUN .. WRITE .. engine.read   it was queued before, and the channel has not acquired anything since
 *
 * Only bytes that change count. A capture of version 1 does not say when the CPU wrote, but that it was before the
 * submission with the BODATA; so the second case is of version 2.
 */
#include "lint/surfaces.h"

#include <inttypes.h>

enum { PIECE = 4096, MOST_LINES = 64, MOST_RUNS = 16, NEAR = 4, MOST_LOOKS = 16 };

/* For each byte of a piece: where the next one is that changes; `bytes`: there is none. */
static bool cpu_find_changes(const struct lint *lint, uint32_t handle, uint64_t offset, const uint8_t *data,
                             size_t bytes, uint16_t *next) {
    const struct pfifo_buffer *buffer = pfifo_replay_buffer(lint->replay, handle);
    uint8_t before[PIECE];

    if (!buffer || !pfifo_buffer_peek(buffer, offset, before, bytes))
        return false;
    next[bytes] = (uint16_t)bytes;
    for (size_t i = bytes; i-- > 0;)
        next[i] = before[i] != data[i] ? (uint16_t)i : next[i + 1];
    return next[0] < bytes;
}

/*
 * May the GPU have written this byte, when it was recorded? It was another GPU, whose reports and pixels may differ.
 * In version 2 it is known what the CPU has written.
 */
static bool may_be_the_gpus(const struct lint *lint, uint64_t object, uint64_t offset) {
    const struct lint_range byte = {object, offset, 1, 1, 0};
    const struct lint_surfaces *surfaces = lint->surfaces;
    const struct surface_report *report = &surfaces->report[surface_report_slot(object, offset / REPORT_GRANULE)];

    if (lint->tells_writes)
        return false;
    if (report->object == object && report->granule == offset / REPORT_GRANULE)
        return true;
    for (size_t i = 0; i < SURFACES; i++)
        if (range_meets(&surfaces->written[i].range, &byte))
            return true;
    return false;
}

/* Is there a byte that the CPU changes, of some in a piece? */
static bool has_change(const struct lint *lint, const struct lint_range *piece, const uint16_t *next, uint64_t begin,
                       uint64_t end) {
    for (unsigned look = 0; look < MOST_LOOKS && begin < end && next[begin] < end; look++) {
        uint64_t at = piece->begin + next[begin];
        if (!may_be_the_gpus(lint, piece->object, at))
            return true;
        begin = (at / REPORT_GRANULE + 1) * REPORT_GRANULE - piece->begin;
    }
    return false;
}

/* Does a byte of the read range change? `piece`: what `next` is of. */
static bool is_changed(const struct lint *lint, const struct lint_range *range, const struct lint_range *piece,
                       const uint16_t *next) {
    uint64_t first = 0;

    if (range->object != piece->object || range_end(range) <= piece->begin || range->begin >= range_end(piece))
        return false;
    if (range->pitch && piece->begin > range->begin)
        first = (piece->begin - range->begin) / range->pitch;
    for (uint64_t line = first; line < range->lines && line < first + MOST_LINES; line++) {
        uint64_t begin = range->begin + line * range->pitch, end = begin + range->bytes;
        if (begin >= range_end(piece))
            return false;
        begin = begin > piece->begin ? begin - piece->begin : 0;
        end = end > piece->begin ? end - piece->begin : 0;
        if (has_change(lint, piece, next, begin, end < piece->bytes ? end : piece->bytes))
            return true;
    }
    return false;
}

static void look_at_reads(struct lint *lint, const struct lint_range *piece, const uint16_t *next) {
    for (size_t i = 0; i < SURFACES; i++) {
        const struct surface_access *read = &lint->surfaces->read[i];
        if (!read->range.object || order_knows(lint->order, ORDER_CPU, read->actor, read->epoch) ||
            !is_changed(lint, &read->range, piece, next))
            continue;
        lint_find(lint, LINT_CPU_WRITE, &read->place, range_key(&read->range),
                  "reads (%s) what the CPU overwrites for submission %" PRIu32
                  ", and no fence, semaphore or wait tells the CPU that it has been read",
                  read->kind, lint->sequence);
    }
}

/* The runs of bytes that change. Those beyond MOST_RUNS are forgotten. */
static void keep_changes(struct lint *lint, const struct lint_range *piece, const uint16_t *next) {
    struct lint_surfaces *surfaces = lint->surfaces;
    size_t at = next[0];

    for (unsigned run = 0; run < MOST_RUNS && at < piece->bytes; run++) {
        size_t end = at;
        while (end < piece->bytes && next[end] < piece->bytes && next[end] - end < NEAR)
            end = next[end] + (size_t)1;
        surfaces->cpu_write[surfaces->cpu_writes++ % CPU_WRITES] = (struct cpu_write){
            {piece->object, piece->begin + at, end - at, 1, 0}, ++lint->order->time, lint->order->run};
        at = next[end];
    }
}

static void cpu_writes(struct lint *lint, uint64_t handle, uint64_t offset, const uint8_t *data, uint64_t bytes) {
    const bool behind = surfaces_ahead(lint, ORDER_CPU, lint->surfaces->last_read);
    uint16_t next[PIECE + 1];

    for (uint64_t at = 0; at < bytes && (behind || lint->tells_writes) && handle <= UINT32_MAX; at += PIECE) {
        const size_t part = bytes - at < PIECE ? (size_t)(bytes - at) : PIECE;
        struct lint_range piece = range_of_buffer(lint, (uint32_t)handle, offset + at, part);
        if (!piece.object || !cpu_find_changes(lint, (uint32_t)handle, offset + at, data + at, part, next))
            continue;
        if (behind)
            look_at_reads(lint, &piece, next);
        if (!lint->tells_writes)
            continue;
        keep_changes(lint, &piece, next);
    }
}

void lint_cpu_read(struct lint *lint, const struct surface_access *now, uint64_t address) {
    const struct lint_surfaces *surfaces = lint->surfaces;
    const struct order_actor *actor = &lint->order->actor[now->actor];
    const struct order_queued *queued = order_queued_of(actor, now->place.submission);
    size_t kept = surfaces->cpu_writes < CPU_WRITES ? surfaces->cpu_writes : CPU_WRITES;

    for (size_t i = 0; queued && i < kept; i++) {
        const struct cpu_write *write = &surfaces->cpu_write[(surfaces->cpu_writes - 1 - i) % CPU_WRITES];
        if (write->time <= queued->time || write->time <= actor->cpu_time)
            return; /* those before are older */
        if (write->run == queued->run || !range_meets(&write->range, &now->range))
            continue;
        lint_find(lint, LINT_CPU_WRITE, &now->place, range_key(&now->range),
                  "reads 0x%" PRIx64 " (%s), which the CPU has overwritten since submission %" PRIu32
                  " was queued, and does not wait for it",
                  address, now->kind, now->place.submission);
        return;
    }
}

void lint_cpu_record(struct lint *lint, const struct pfifo_stream_record *record) {
    if (record->type == PFIFO_STREAM_BODATA)
        cpu_writes(lint, record->bodata.handle, record->bodata.offset, record->bodata.data, record->bodata.bytes);
    else if (record->type == PFIFO_STREAM_WRITE)
        cpu_writes(lint, record->write.handle, record->write.offset, record->write.data, record->write.bytes);
}
