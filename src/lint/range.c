/* SPDX-License-Identifier: MIT */
#include "lint/range.h"

#include "driver/buffer.h"

/* Objects that are no buffers. */
#define OBJECT_VRAM (UINT64_C(1) << 32)
#define OBJECT_GART (UINT64_C(2) << 32)

enum { MOST_LINES = 64 };

/* Fields of the events, and the spaces in them (docs/events.md). */
enum { SPACE = 2, ADDRESS, BYTES, LINES, PITCH };
enum { SPACE_VIRTUAL, SPACE_VRAM, SPACE_SYSTEM, SPACE_PEER };

/* Leave out what is more than `room` bytes away. */
static struct lint_range range_cut(uint64_t object, uint64_t begin, uint64_t room, const uint64_t *value) {
    struct lint_range range = {object, begin, value[BYTES], value[LINES], value[PITCH]};

    if (!range.bytes || !range.lines || !room)
        return (struct lint_range){0};
    if (range.bytes > room)
        range.bytes = room;
    if (range.lines == 1 || !range.pitch || range.pitch > room - range.bytes)
        range.lines = 1;
    else if (range.lines - 1 > (room - range.bytes) / range.pitch)
        range.lines = 1 + (room - range.bytes) / range.pitch;
    if (range.lines == 1)
        range.pitch = 0;
    return range;
}

struct lint_range range_of_event(const struct lint *lint, const struct pfifo_event *event) {
    const uint64_t address = event->value[ADDRESS], space = event->value[SPACE];
    const struct pfifo_vm *vm = replay_channel_by_hardware(lint->replay, event->channel).vm;
    struct pfifo_vm_map map = {.size = sizeof map};

    if (vm && space == SPACE_VIRTUAL && pfifo_vm_at(vm, address, &map) && map.buffer)
        return range_cut(pfifo_buffer_id(map.buffer), map.offset + (address - map.address),
                         map.bytes - (address - map.address), event->value);
    if (vm || space == SPACE_VIRTUAL || space == SPACE_SYSTEM || space == SPACE_PEER || address > UINT32_MAX)
        return (struct lint_range){0};
    return range_cut(space == SPACE_VRAM ? OBJECT_VRAM : OBJECT_GART, address, UINT32_MAX - address, event->value);
}

struct lint_range range_of_address(const struct lint *lint, uint32_t channel, uint64_t address, uint64_t bytes) {
    const struct pfifo_event event = {
        .channel = channel, .value = {[SPACE] = SPACE_VIRTUAL, [ADDRESS] = address, [BYTES] = bytes, [LINES] = 1}};

    return range_of_event(lint, &event);
}

struct lint_range range_of_buffer(const struct lint *lint, uint32_t handle, uint64_t offset, uint64_t bytes) {
    const struct pfifo_buffer *buffer = pfifo_replay_buffer(lint->replay, handle);

    if (!buffer || !bytes)
        return (struct lint_range){0};
    if (lint->has_spaces)
        return (struct lint_range){pfifo_buffer_id(buffer), offset, bytes, 1, 0};
    return (struct lint_range){buffer->system ? OBJECT_GART : OBJECT_VRAM, pfifo_buffer_address(buffer) + offset, bytes,
                               1, 0};
}

/* Has some line a byte from `begin` to before `end`? */
static bool range_touches(const struct lint_range *range, uint64_t begin, uint64_t end) {
    uint64_t line = 0;

    if (begin >= range_end(range) || end <= range->begin)
        return false;
    if (range->lines == 1 || begin <= range->begin)
        return true;
    line = (begin - range->begin) / range->pitch; /* the last one that begins at it or before */
    if (begin - range->begin - line * range->pitch < range->bytes)
        return true;
    return line + 1 < range->lines && range->begin + (line + 1) * range->pitch < end;
}

/* The same pitch: a line of one lies at the same place in a row as one of the other, or it does not. */
static bool rows_meet(const struct lint_range *a, const struct lint_range *b) {
    int64_t pitch = (int64_t)a->pitch, apart = (int64_t)b->begin - (int64_t)a->begin, nearest = -(apart / pitch);

    for (int64_t k = nearest - 1; k <= nearest + 1; k++) { /* line k of b beside line 0 of a; -k of a beside 0 of b */
        int64_t at = apart + k * pitch;
        if (at < (int64_t)a->bytes && at + (int64_t)b->bytes > 0 && k > -(int64_t)a->lines && k < (int64_t)b->lines)
            return true;
    }
    return false;
}

bool range_meets(const struct lint_range *a, const struct lint_range *b) {
    if (a->object != b->object || a->begin >= range_end(b) || b->begin >= range_end(a))
        return false;
    if (a->lines > b->lines) {
        const struct lint_range *other = a;
        a = b;
        b = other;
    }
    if (a->pitch && a->pitch == b->pitch)
        return rows_meet(a, b);
    for (uint64_t line = 0; line < a->lines && line < MOST_LINES; line++)
        if (range_touches(b, a->begin + line * a->pitch, a->begin + line * a->pitch + a->bytes))
            return true;
    return false;
}
