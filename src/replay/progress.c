/* SPDX-License-Identifier: MIT */
/* Where the machine is in the words of the capture. */
#include "driver/buffer.h"
#include "replay/inside.h"

/* The word as it is in memory now. */
static bool read_word(struct pfifo_replay *replay, uint32_t buffer, uint64_t offset, uint32_t *word) {
    struct pfifo_buffer *found = replay_buffers_find(&replay->buffers, buffer);
    uint8_t bytes[4];

    if (!found || !buffer_peek(found, offset, bytes, sizeof bytes))
        return false;
    *word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return true;
}

static bool read_pushed(void *opaque, const struct pfifo_replay_word *at, uint32_t *word) {
    return at->in_push && read_word(opaque, at->buffer, at->offset, word);
}

bool pfifo_replay_progress(struct pfifo_replay *replay, uint32_t channel, struct pfifo_replay_progress *progress) {
    *progress = (struct pfifo_replay_progress){0};
    return replay->locator && locator_progress(replay->locator, channel, read_pushed, replay, progress);
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
