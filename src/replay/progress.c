/* SPDX-License-Identifier: MIT */
/* Where the machine is in the words of the capture. */
#include "memory/little_endian.h"
#include "replay/inside.h"

/* The word as it is in memory now. */
static bool read_pushed(void *opaque, const struct pfifo_replay_word *at, uint32_t *word) {
    const struct pfifo_replay *replay = opaque;
    const struct pfifo_buffer *found = at->in_push ? replay_buffers_find(&replay->buffers, at->buffer) : NULL;
    uint8_t bytes[4];

    if (!found || !pfifo_buffer_peek(found, at->offset, bytes, sizeof bytes))
        return false;
    *word = load_le32(bytes);
    return true;
}

bool pfifo_replay_progress(struct pfifo_replay *replay, uint32_t channel, struct pfifo_replay_progress *progress) {
    *progress = (struct pfifo_replay_progress){0};
    return replay->locator && locator_progress(replay->locator, channel, read_pushed, replay, progress);
}

bool pfifo_replay_rest(struct pfifo_replay *replay, uint32_t channel, struct pfifo_push_packet *rest) {
    *rest = (struct pfifo_push_packet){0};
    return replay->locator && locator_rest(replay->locator, channel, read_pushed, replay, rest);
}

struct pfifo_buffer *pfifo_replay_at(struct pfifo_replay *replay, uint32_t channel, uint64_t address,
                                     uint64_t *offset) {
    struct pfifo_vm *vm = replay_channel_by_hardware(replay, channel).vm;
    struct pfifo_vm_map map = {.size = sizeof map};

    if (!vm)
        vm = pfifo_device_vm(replay->device, NULL);
    if (!vm)
        return replay_buffers_at(&replay->buffers, address, offset);
    if (!pfifo_vm_at(vm, address, &map) || !map.buffer)
        return NULL;
    *offset = map.offset + (address - map.address);
    return map.buffer;
}
