/* SPDX-License-Identifier: MIT */
#include <pfifo/replay.h>

#include "chip/config.h"
#include "replay/inside.h"
#include "replay/present.h"
#include "replay/size.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARE_BYTES = 4096 };

static struct pfifo_replay_fault *find_fault(struct pfifo_replay_result *result,
                                             const struct pfifo_device_fault *fault) {
    for (size_t i = 0; i < result->fault_kinds; i++) {
        struct pfifo_replay_fault *known = &result->fault[i];
        if (strcmp(known->first.unit, fault->unit) == 0 && strcmp(known->first.error, fault->error) == 0)
            return known;
    }
    return result->fault_kinds < PFIFO_REPLAY_FAULTS ? &result->fault[result->fault_kinds++] : NULL;
}

static void replay_note_fault(void *opaque, const struct pfifo_device_fault *fault) {
    struct pfifo_replay *replay = opaque;
    struct pfifo_replay_fault *kind = find_fault(&replay->result, fault);
    struct pfifo_replay_word word = {0};

    if (replay->locator) /* also for faults that are only counted, because locating one removes it */
        word = locator_find(replay->locator, fault);
    if (kind && kind->count++ == 0) {
        kind->first = *fault;
        kind->word = word;
        kind->submission = word.in_push ? word.submission : replay->sequence;
    }
}

static struct replay_channel *replay_find_channel(struct pfifo_replay *replay, uint32_t number) {
    for (size_t i = 0; i < replay->channels; i++)
        if (replay->channel[i].channel && replay->channel[i].number == number)
            return &replay->channel[i];
    return NULL;
}

static enum pfifo_status unknown_channel(uint32_t number, struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "there is no channel %" PRIu32, number);
}

/* A free slot; NULL: no memory. A device runs out of channels before this list gets long. */
static struct replay_channel *replay_free_slot(struct pfifo_replay *replay) {
    for (size_t i = 0; i < replay->channels; i++)
        if (!replay->channel[i].channel)
            return &replay->channel[i];
    struct replay_channel *grown = realloc(replay->channel, (replay->channels + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    replay->channel = grown;
    grown[replay->channels] = (struct replay_channel){0};
    return &grown[replay->channels++];
}

static enum pfifo_status replay_open_channel(struct pfifo_replay *replay, const struct pfifo_stream_chan *record,
                                             struct pfifo_error *error) {
    const struct pfifo_stream_chanin *in = &replay->opening;
    const struct pfifo_channel_config config = {.vram_handle = record->fb_ctxdma,
                                                .gart_handle = record->tt_ctxdma,
                                                .entries = in->entries,
                                                .vm = replay_spaces_find(&replay->spaces, in->space),
                                                .old_headers = in->flags & PFIFO_STREAM_CHANIN_OLD_HEADERS};
    struct replay_channel *slot;

    if (replay_find_channel(replay, record->channel))
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "there is a channel %" PRIu32 " already", record->channel);
    slot = replay_free_slot(replay);
    if (!slot)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a channel");
    slot->channel = pfifo_channel_open(replay->device, &config, error);
    slot->number = record->channel;
    slot->notifier_bo = record->notifier_bo;
    slot->vm = config.vm;
    replay->opening = (struct pfifo_stream_chanin){0};
    return slot->channel ? PFIFO_OK : error->status;
}

static enum pfifo_status replay_close_channel(struct pfifo_replay *replay, uint32_t number, struct pfifo_error *error) {
    struct replay_channel *channel = replay_find_channel(replay, number);

    if (!channel)
        return unknown_channel(number, error);
    uint32_t hardware = pfifo_channel_number(channel->channel);
    if (replay->watch.closes)
        replay->watch.closes(replay->watch.opaque);
    pfifo_channel_close(channel->channel);
    channel->channel = NULL;
    if (replay->locator)
        locator_forget(replay->locator, hardware);
    return PFIFO_OK;
}

static void note_refused(struct pfifo_replay_result *result, const struct pfifo_stream_obj *record,
                         const char *message) {
    uint64_t index = result->refused++;

    if (index >= PFIFO_REPLAY_REFUSED)
        return;
    result->refusal[index] = (struct pfifo_replay_refused){.handle = record->handle, .oclass = record->oclass};
    snprintf(result->refusal[index].message, sizeof result->refusal[index].message, "%.119s", message);
}

static enum pfifo_status replay_make_object(struct pfifo_replay *replay, const struct pfifo_stream_obj *record,
                                            struct pfifo_error *error) {
    struct replay_channel *channel = replay_find_channel(replay, record->channel);
    enum pfifo_status status;

    if (!channel)
        return unknown_channel(record->channel, error);
    status = pfifo_channel_object(channel->channel, record->handle, record->oclass, error);
    if (status != PFIFO_ERROR_ARGUMENT && status != PFIFO_ERROR_UNSUPPORTED)
        return status;
    note_refused(&replay->result, record, error->message);
    return PFIFO_OK;
}

static enum pfifo_status make_notifier(struct pfifo_replay *replay, const struct pfifo_stream_ntfy *record,
                                       struct pfifo_error *error) {
    struct replay_channel *channel = replay_find_channel(replay, record->channel);
    struct pfifo_buffer *buffer;
    enum pfifo_status status;

    if (!channel)
        return unknown_channel(record->channel, error);
    buffer = replay_buffers_find(&replay->buffers, channel->notifier_bo);
    if (!buffer)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "the channel has no notifier buffer");
    status = pfifo_channel_dma_object(channel->channel, record->handle, buffer, record->offset, record->bytes, error);
    /* GF100 and later have no DMA objects: the notifier is at an address. */
    return status == PFIFO_ERROR_UNSUPPORTED ? PFIFO_OK : status;
}

/* Are the words of a PUSH still in its buffer? The GPU may have changed them, as it should where prefetch is off. */
static bool words_in_place(const struct pfifo_replay *replay, const struct pfifo_stream_push *push) {
    struct pfifo_buffer *buffer = replay_buffers_find(&replay->buffers, push->handle);
    size_t bytes = (size_t)push->word_count * 4;
    uint8_t found[COMPARE_BYTES];

    for (size_t at = 0; at < bytes; at += sizeof found) {
        size_t part = bytes - at < sizeof found ? bytes - at : sizeof found;
        if (!buffer || !pfifo_buffer_read(buffer, push->offset + at, found, part) ||
            memcmp(found, push->words + at, part) != 0)
            return false;
    }
    return true;
}

static enum pfifo_status submit_push(struct pfifo_replay *replay, const struct pfifo_stream_push *push,
                                     struct pfifo_error *error) {
    struct pfifo_error reason = {0};
    enum pfifo_status status;

    assert(replay->submitting);
    replay->result.words += push->word_count;
    status = replay_buffers_push(&replay->buffers, push, error);
    if (status != PFIFO_OK)
        return status;
    if (!push->no_prefetch && !words_in_place(replay, push))
        replay->result.changed++;
    if (!(push->length & PUSH_BYTES_MASK) || replay->result.stop_message[0])
        return PFIFO_OK;
    if (replay->locator && push->word_count &&
        !locator_push(replay->locator, pfifo_channel_number(replay->submitting->channel), replay->sequence, push))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to find words");
    status = pfifo_channel_submit(replay->submitting->channel, push->address, push->length & PUSH_BYTES_MASK,
                                  (push->no_prefetch ? PFIFO_SUBMIT_NO_PREFETCH : 0) |
                                      (push->length & PFIFO_STREAM_PUSH_RING ? PFIFO_SUBMIT_RING : 0),
                                  &reason);
    if (status == PFIFO_OK)
        return PFIFO_OK;
    if (status != PFIFO_ERROR_TIMEOUT && status != PFIFO_ERROR_FAULT)
        return pfifo_error_set(error, status, "%s", reason.message);
    /* The channel is stuck, or was switched off after a fault: the stream caused that, so it is a result. */
    replay_note_stop(replay, status == PFIFO_ERROR_TIMEOUT ? PFIFO_STOP_WAITING : PFIFO_STOP_FROZEN);
    snprintf(replay->result.stop_message, sizeof replay->result.stop_message, "%s", reason.message);
    return PFIFO_OK;
}

static enum pfifo_status replay_begin_submission(struct pfifo_replay *replay, const struct pfifo_stream_submit *record,
                                                 struct pfifo_error *error) {
    replay->submitting = replay_find_channel(replay, record->channel);
    replay->sequence = replay->result.sequence = replay->buffers.submission = record->sequence;
    replay->result.channel = record->channel;
    replay->result.submissions++;
    replay->used_count = 0;
    replay->used_all = false;
    if (replay->watch.submission)
        replay->watch.submission(replay->watch.opaque, record->sequence);
    return replay->submitting ? PFIFO_OK : unknown_channel(record->channel, error);
}

static enum pfifo_status use_buffer(struct pfifo_replay *replay, uint32_t handle, struct pfifo_error *error) {
    if (replay->used_count == replay->used_room) {
        size_t room = replay->used_room ? 2 * replay->used_room : 32;
        replay->used_all = room > REPLAY_MAX_BUFFERS;
        if (replay->used_all)
            return PFIFO_OK;
        uint32_t *grown = realloc(replay->used, room * sizeof *grown);
        if (!grown)
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for %zu buffers of a submission", room);
        replay->used = grown;
        replay->used_room = room;
    }
    replay->used[replay->used_count++] = handle;
    return PFIFO_OK;
}

uint32_t *replay_handles(const struct pfifo_replay *replay, bool only_last, size_t *count) {
    bool last = only_last && replay->version < 2 && !replay->used_all;
    uint32_t *handles;

    *count = last ? replay->used_count : replay->buffers.count;
    handles = malloc((*count + 1) * sizeof *handles);
    if (handles && last && *count)
        memcpy(handles, replay->used, *count * sizeof *handles);
    else if (handles && !last)
        replay_buffers_handles(&replay->buffers, handles);
    return handles;
}

static void replay_end_submission(struct pfifo_replay *replay) {
    if (replay->version < 2)
        replay_begin_run(replay, replay->budget);
    replay->submitting = NULL;
}

uint32_t *pfifo_replay_handles(const struct pfifo_replay *replay, size_t *count) {
    return replay_handles(replay, false, count);
}

/* How often it is incremented is any number: that does not count one by one. */
static enum pfifo_status change_syncpoint(struct pfifo_replay *replay, const struct pfifo_stream_syncpt *record,
                                          struct pfifo_error *error) {
    struct pfifo_gpu *gpu = pfifo_device_gpu(replay->device);
    uint32_t now = pfifo_gpu_syncpoint(gpu, record->syncpoint);

    if (record->syncpoint >= pfifo_gpu_syncpoint_count(gpu))
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no syncpoint %" PRIu32,
                               pfifo_chip_info(pfifo_gpu_chip(gpu)).name, record->syncpoint);
    if (!record->set && record->value == 1)
        pfifo_gpu_syncpoint_increment(gpu, record->syncpoint);
    else
        pfifo_gpu_syncpoint_set(gpu, record->syncpoint, record->set ? record->value : now + record->value);
    return PFIFO_OK;
}

/*
 * Records of versions 2 and 3. WAIT and FENCE say what the words of the PUSHes do. SYNC says why the kernel had to keep an
 * order, which is that of the records: a submission can only wait for what was submitted before it.
 */
static enum pfifo_status play_version_2(struct pfifo_replay *replay, const struct pfifo_stream_record *record,
                                        struct pfifo_error *error) {
    switch (record->type) {
    case PFIFO_STREAM_CHANIN:
        replay->opening = record->chanin;
        return PFIFO_OK;
    case PFIFO_STREAM_SYNCPT:
        return change_syncpoint(replay, &record->syncpt, error);
    case PFIFO_STREAM_WRITE:
        return replay_buffers_write(&replay->buffers, &record->write, error);
    case PFIFO_STREAM_RUN:
        replay_begin_run(replay,
                         record->run.units && record->run.units < replay->budget ? record->run.units : replay->budget);
        return PFIFO_OK;
    default:
        return replay_spaces_play(&replay->spaces, record, error);
    }
}

static enum pfifo_status play_text(struct pfifo_replay *replay, const struct pfifo_stream_text *text,
                                   struct pfifo_error *error) {
    struct pfifo_picture picture;
    uint8_t *rgba;

    if (!replay->watch.presents || !replay_is_present(text))
        return PFIFO_OK;
    enum pfifo_status status = replay_present(&replay->buffers, text, &picture, &rgba, error);
    if (status == PFIFO_OK)
        replay->watch.presents(replay->watch.opaque, &picture, rgba);
    return status;
}

static enum pfifo_status replay_play(struct pfifo_replay *replay, const struct pfifo_stream_record *record,
                                     struct pfifo_error *error) {
    switch (record->type) {
    case PFIFO_STREAM_TEXT:
        return play_text(replay, &record->text, error);
    case PFIFO_STREAM_CHAN:
        return replay_open_channel(replay, &record->chan, error);
    case PFIFO_STREAM_CHANFREE:
        return replay_close_channel(replay, record->chanfree.channel, error);
    case PFIFO_STREAM_OBJ:
        return replay_make_object(replay, &record->obj, error);
    case PFIFO_STREAM_NTFY:
        return make_notifier(replay, &record->ntfy, error);
    case PFIFO_STREAM_BONEW:
        return replay_buffers_new(&replay->buffers, &record->bonew, error);
    case PFIFO_STREAM_BODEL:
        return replay_buffers_delete(&replay->buffers, record->bodel.handle, error);
    case PFIFO_STREAM_BODATA:
        return replay_buffers_data(&replay->buffers, &record->bodata, error);
    case PFIFO_STREAM_SUBMIT:
        return replay_begin_submission(replay, &record->submit, error);
    case PFIFO_STREAM_BOREF:
        return use_buffer(replay, record->boref.handle, error);
    case PFIFO_STREAM_PUSH:
        return submit_push(replay, &record->push, error);
    case PFIFO_STREAM_SUBEND:
        replay_end_submission(replay);
        return PFIFO_OK;
    default:
        return play_version_2(replay, record, error);
    }
}

/* The first version ended with `opaque`. */
#define CONFIG_FIRST (offsetof(struct pfifo_replay_config, opaque) + sizeof(void *))

struct pfifo_replay *pfifo_replay_new(struct pfifo_stream *stream, const struct pfifo_replay_config *given,
                                      struct pfifo_error *error) {
    struct pfifo_replay_config known = {0}, *config = &known;
    if (given && config_read(config, sizeof *config, given, CONFIG_FIRST, "pfifo_replay_config", error) != PFIFO_OK)
        return NULL;
    const struct pfifo_chip *chip = replay_chip(stream, config->chip, error);
    struct pfifo_replay *replay = chip ? calloc(1, sizeof *replay) : NULL;
    struct pfifo_device_config device = {.size = sizeof device,
                                         .gpu = {.size = sizeof device.gpu,
                                                 .chip = chip,
                                                 .materialise_cache = config->materialise_cache,
                                                 .opaque = config->opaque,
                                                 .side_by_side = config->side_by_side,
                                                 .no_compile = config->no_compile,
                                                 .vram = config->vram,
                                                 .system = config->system},
                                         .fault = replay_note_fault,
                                         .opaque = replay};
    struct pfifo_error reason = {0};

    if (!replay) {
        if (chip)
            pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a replay");
        return NULL;
    }
    replay_size(stream, &device.gpu);
    if (config->vram_bytes)
        device.gpu.vram_bytes = config->vram_bytes;
    if (config->system_bytes)
        device.gpu.system_bytes = config->system_bytes;
    replay->stream = stream;
    replay->budget = config->budget ? config->budget : PFIFO_REPLAY_BUDGET;
    replay->result.budget = replay->budget;
    replay->device = pfifo_device_open(&device, &reason);
    replay->version = pfifo_stream_version(stream);
    replay->buffers = (struct replay_buffers){
        .device = replay->device, .version = replay->version, .gone = config->buffer_gone, .opaque = config->opaque};
    replay->spaces.buffers = &replay->buffers;
    if (replay->device && config->locate)
        replay->locator = locator_new(pfifo_device_gpu(replay->device), &reason);
    if (replay->device && (replay->locator || !config->locate))
        return replay;
    pfifo_error_set(error, reason.status, "%.100s: %s", pfifo_stream_path(stream), reason.message);
    pfifo_replay_free(replay);
    return NULL;
}

void pfifo_replay_free(struct pfifo_replay *replay) {
    if (!replay)
        return;
    for (size_t i = 0; i < replay->channels; i++)
        if (replay->channel[i].channel)
            pfifo_channel_close(replay->channel[i].channel);
    replay_forget_marks(replay);
    free(replay->channel);
    free(replay->used);
    replay_buffers_free(&replay->buffers);
    replay_spaces_free(&replay->spaces);
    locator_free(replay->locator);
    if (replay->device)
        pfifo_device_close(replay->device);
    free(replay);
}

void pfifo_replay_set_watch(struct pfifo_replay *replay, const struct pfifo_replay_watch *watch) {
    replay->watch = *watch;
}

void replay_tell_records(struct pfifo_replay *replay, replay_record_seen *seen, void *opaque) {
    replay->seen = seen;
    replay->seen_opaque = opaque;
}

struct pfifo_replay_word replay_now(const struct pfifo_replay *replay, uint32_t channel) {
    return replay->locator ? locator_now(replay->locator, channel) : (struct pfifo_replay_word){0};
}

struct replay_channel_info replay_channel_by_hardware(const struct pfifo_replay *replay, uint32_t channel) {
    for (size_t i = 0; i < replay->channels; i++) {
        const struct replay_channel *slot = &replay->channel[i];
        if (slot->channel && pfifo_channel_number(slot->channel) == channel)
            return (struct replay_channel_info){slot->channel, slot->number,
                                                slot->vm ? slot->vm : pfifo_device_vm(replay->device, NULL)};
    }
    return (struct replay_channel_info){0};
}

uint32_t replay_channel_number(const struct pfifo_replay *replay, uint32_t number) {
    for (size_t i = 0; i < replay->channels; i++)
        if (replay->channel[i].channel && replay->channel[i].number == number)
            return pfifo_channel_number(replay->channel[i].channel);
    return UINT32_MAX;
}

struct pfifo_device *pfifo_replay_device(struct pfifo_replay *replay) {
    return replay->device;
}

struct pfifo_buffer *pfifo_replay_buffer(const struct pfifo_replay *replay, uint32_t handle) {
    return replay_buffers_find(&replay->buffers, handle);
}

struct pfifo_gpu *pfifo_replay_gpu(struct pfifo_replay *replay) {
    return pfifo_device_gpu(replay->device);
}

const struct pfifo_replay_result *pfifo_replay_result(const struct pfifo_replay *replay) {
    return &replay->result;
}

enum pfifo_status replay_play_records(struct pfifo_replay *replay, bool *more, struct pfifo_error *error) {
    const enum pfifo_stream_type last = replay->version < 2 ? PFIFO_STREAM_SUBEND : PFIFO_STREAM_RUN;
    struct pfifo_stream_record record = {0};

    *more = replay_goes_on(replay);
    while (*more && record.type != last) {
        struct pfifo_error reason = {0};
        enum pfifo_status status = pfifo_stream_next(replay->stream, &record, error);

        *more = status == PFIFO_OK && record.type != PFIFO_STREAM_END;
        if (status != PFIFO_OK)
            return status;
        replay->position = record.offset;
        if (replay_interrupted(replay))
            break;
        if (replay->seen)
            replay->seen(replay->seen_opaque, &record);
        status = replay_play(replay, &record, &reason);
        if (status != PFIFO_OK)
            return pfifo_error_set(error, status, "%.80s: offset %" PRIu64 ": %s: %s",
                                   pfifo_stream_path(replay->stream), record.offset,
                                   pfifo_stream_type_name(record.type), reason.message);
    }
    return PFIFO_OK;
}

unsigned pfifo_replay_percent(const struct pfifo_replay *replay) {
    uint64_t bytes = pfifo_stream_bytes(replay->stream);

    return bytes ? (unsigned)(replay->position * 100 / bytes) : 100;
}
