/* SPDX-License-Identifier: MIT */
/*
 * Submissions: a program's entries, and what the driver puts around them.
 *
 *   in:  u64 (unused), u32 entries, u32 flags, fence {syncpoint, value}; the entries after it, or in a second buffer
 *   out: flags 0, fence: the channel's syncpoint and the value it has when all of this is done
 *
 * Sources: libnx nx/source/nvidia/gpu_channel.c; switchbrew NV services; emulators for what the driver adds.
 */
#include "nvgpu/record.h"

#include <assert.h>
#include <stdlib.h>

#define ENTRIES_AT 24u

#define FENCE_WAIT      0x001u /* wait for the fence first */
#define FENCE_INCREMENT 0x002u /* increment the channel's syncpoint after the entries, twice */
#define SUPPRESS_WFI    0x010u /* ... without waiting for the engine before */
#define INCREMENT_VALUE 0x100u /* the entries themselves increment it, fence.value times */

/* Headers of one method, as the driver writes them: host methods 0x70 (payload), 0x74 (syncpoint), 0x78 (WFI). */
#define PAYLOAD             0x2001001cu
#define SYNCPOINT           0x2001001du
#define WAIT_FOR_IDLE       0x2001001eu
#define OPERATION_INCREMENT 1u
#define OPERATION_WAIT      0u
#define SWITCH              0x10u

#define ENTRY_WORDS_SHIFT 42

struct submission {
    uint32_t count, flags, fence, value;
    uint32_t promised; /* of the channel's syncpoint, when all of it is done */
    const uint8_t *entries;
};

static uint64_t submit_entry_of(uint64_t address, uint64_t words) {
    return address | words << ENTRY_WORDS_SHIFT;
}

/* Commands of the driver's own, as an entry. */
static uint64_t put_commands(struct channel_file *channel, const uint32_t *words, uint32_t count) {
    uint8_t bytes[CHANNEL_SLOT_BYTES];
    uint64_t at = (uint64_t)channel->next_slot * CHANNEL_SLOT_BYTES;
    assert(4 * (size_t)count <= sizeof bytes && channel->next_slot < channel->slots);
    for (uint32_t i = 0; i < count; i++)
        store_le32(bytes + 4 * (size_t)i, words[i]);
    pfifo_buffer_write(channel->commands, at, bytes, 4 * (size_t)count);
    channel->next_slot = (channel->next_slot + 1) % channel->slots;
    return submit_entry_of(channel->commands_address + at, count);
}

static uint64_t put_wait(struct channel_file *channel, const struct submission *submission) {
    const uint32_t words[] = {PAYLOAD, submission->value, SYNCPOINT, submission->fence << 8 | SWITCH | OPERATION_WAIT};
    return put_commands(channel, words, 4);
}

static uint64_t put_increments(struct channel_file *channel, bool wait) {
    uint32_t increment = channel->syncpoint << 8 | OPERATION_INCREMENT;
    const uint32_t words[] = {WAIT_FOR_IDLE, 0, PAYLOAD, 0, SYNCPOINT, increment, SYNCPOINT, increment};
    return wait ? put_commands(channel, words, 8) : put_commands(channel, words + 2, 6);
}

static bool submit_is_reached(const struct pfifo_nvgpu *nvgpu, uint32_t syncpoint, uint32_t value) {
    return pfifo_gpu_syncpoint(pfifo_device_gpu(nvgpu->device), syncpoint) - value < 0x80000000u;
}

/* A ring that is full may have room when the machine has worked. */
static bool submit_has_room(struct pfifo_nvgpu *nvgpu, struct channel_file *channel, uint32_t entries) {
    if (pfifo_channel_room(channel->channel) >= entries)
        return true;
    nvgpu_work(nvgpu);
    return channel->channel && pfifo_channel_room(channel->channel) >= entries;
}

/* What was submitted, with the value that the syncpoint has when it is done. */
static void record_entries(struct pfifo_nvgpu *nvgpu, const struct channel_file *channel,
                           const struct submission *submission, const uint64_t *entries, size_t count) {
    const struct pfifo_stream_wait wait = {.syncpoint = submission->fence, .threshold = submission->value};
    record_submit(nvgpu, &(const struct record_submission){.channel = channel,
                                                           .entries = entries,
                                                           .count = count,
                                                           .wait = submission->flags & FENCE_WAIT ? &wait : NULL,
                                                           .fence = submission->promised});
}

static enum pfifo_nvgpu_result submit_push(struct pfifo_nvgpu *nvgpu, struct channel_file *channel,
                                           const struct submission *submission, bool waits) {
    size_t count = 0, most = submission->count + 2;
    uint64_t *entries = malloc(most * sizeof *entries);
    if (!entries)
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    if (waits)
        entries[count++] = put_wait(channel, submission);
    for (uint32_t i = 0; i < submission->count; i++)
        entries[count++] = load_le64(submission->entries + 8 * (size_t)i);
    if (submission->flags & FENCE_INCREMENT)
        entries[count++] = put_increments(channel, !(submission->flags & SUPPRESS_WFI));
    assert(count <= most);
    enum pfifo_status status = pfifo_channel_submit_entries(channel->channel, entries, count, NULL);
    if (status == PFIFO_OK)
        record_entries(nvgpu, channel, submission, entries, count);
    free(entries);
    return status == PFIFO_OK ? PFIFO_NVGPU_OK : PFIFO_NVGPU_INVALID_STATE;
}

static enum pfifo_nvgpu_result submit_submit(struct nvgpu_file *file, struct nvgpu_frame *frame,
                                             struct submission *submission) {
    struct channel_file *channel = file->state;
    struct pfifo_nvgpu *nvgpu = file->client->nvgpu;
    bool waits = submission->flags & FENCE_WAIT, counts = submission->flags & INCREMENT_VALUE;
    if (waits && counts)
        return PFIFO_NVGPU_BAD_PARAMETER;
    if (!channel->channel)
        return PFIFO_NVGPU_INVALID_STATE;
    if (waits && submission->fence >= pfifo_syncpoint_count(nvgpu->device))
        return PFIFO_NVGPU_BAD_VALUE;
    if (submission->count + 2 >= channel->ring)
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    if (!submit_has_room(nvgpu, channel, submission->count + 2))
        return channel->channel ? PFIFO_NVGPU_BUSY : PFIFO_NVGPU_INVALID_STATE;
    waits = waits && !submit_is_reached(nvgpu, submission->fence, submission->value);
    submission->promised = nvgpu_promised(nvgpu, channel->syncpoint) + (submission->flags & FENCE_INCREMENT ? 2 : 0) +
                           (counts ? submission->value : 0);
    enum pfifo_nvgpu_result result = submit_push(nvgpu, channel, submission, waits);
    if (result != PFIFO_NVGPU_OK)
        return result;
    nvgpu->promised[channel->syncpoint] = submission->promised;
    frame_set_u32(frame, 12, 0);
    frame_set_u32(frame, 16, channel->syncpoint);
    frame_set_u32(frame, 20, submission->promised);
    nvgpu_work(nvgpu);
    return PFIFO_NVGPU_OK;
}

static struct submission submit_read_submission(const struct nvgpu_frame *frame) {
    return (struct submission){.count = frame_u32(frame, 8),
                               .flags = frame_u32(frame, 12),
                               .fence = frame_u32(frame, 16),
                               .value = frame_u32(frame, 20)};
}

enum pfifo_nvgpu_result channel_submit_gpfifo(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct submission submission = submit_read_submission(frame);
    assert(frame->bytes >= ENTRIES_AT);
    submission.entries = frame->data + ENTRIES_AT;
    if (submission.count > (frame->bytes - ENTRIES_AT) / 8 || submission.count > NVGPU_ENTRIES)
        return PFIFO_NVGPU_INVALID_SIZE;
    return submit_submit(file, frame, &submission);
}

/* Entries in the program's memory, for who has no second buffer. False: it is not there. */
static bool read_entries(const struct pfifo_nvgpu_client *client, uint64_t address, uint8_t *entries, uint64_t bytes) {
    for (uint64_t done = 0; done < bytes;) {
        uint64_t piece = bytes - done;
        const void *from = address ? nvgpu_client_memory(client, address + done, &piece) : NULL;
        if (!from || !piece || piece > bytes - done)
            return false;
        memcpy(entries + done, from, piece);
        done += piece;
    }
    return true;
}

enum pfifo_nvgpu_result channel_kickoff(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct submission submission = submit_read_submission(frame);
    const struct pfifo_nvgpu_call *call = frame->call;
    uint8_t *room = NULL;
    if (submission.count > NVGPU_ENTRIES)
        return PFIFO_NVGPU_INVALID_SIZE;
    uint64_t bytes = 8 * (uint64_t)submission.count;
    if (call->second_in) {
        submission.entries = call->second_in;
        if (bytes > call->second_in_bytes)
            return PFIFO_NVGPU_INVALID_SIZE;
    } else {
        room = malloc(bytes ? bytes : 1);
        submission.entries = room;
        if (!room || !read_entries(file->client, frame_u64(frame, 0), room, bytes)) {
            free(room);
            return room ? PFIFO_NVGPU_INVALID_ADDRESS : PFIFO_NVGPU_INSUFFICIENT_MEMORY;
        }
    }
    enum pfifo_nvgpu_result result = submit_submit(file, frame, &submission);
    free(room);
    return result;
}
