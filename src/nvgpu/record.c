/* SPDX-License-Identifier: MIT */
#include "nvgpu/record.h"

#include <stdlib.h>

#define ADDRESS_BITS    40
#define WORDS_SHIFT     42
#define WORDS_MASK      0x1fffffu
#define ENTRY_SYNC      (UINT64_C(1) << 63)
#define NO_PREFETCH     (UINT64_C(1) << 23) /* of a PUSH's length */
#define RECORD_OVERHEAD 128u                /* more than any record has beside its data */

/* The recording, if there is one that goes on. */
static struct nvgpu_record *record_of(const struct pfifo_nvgpu *nvgpu) {
    return nvgpu->record && !nvgpu->record->ended ? nvgpu->record : NULL;
}

/* ---- the end ---- */

enum pfifo_status pfifo_nvgpu_record_end(struct pfifo_nvgpu *nvgpu, struct pfifo_error *error) {
    if (!nvgpu || !nvgpu->record)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "nothing is recorded");
    const struct pfifo_error met = nvgpu->record->error;
    for (uint32_t i = 0; i < nvgpu->object_count; i++) {
        if (!nvgpu->objects[i])
            continue;
        free(nvgpu->objects[i]->recorded);
        nvgpu->objects[i]->recorded = NULL;
    }
    free(nvgpu->record);
    nvgpu->record = NULL;
    return met.status == PFIFO_OK ? PFIFO_OK : pfifo_error_set(error, met.status, "%s", met.message);
}

enum pfifo_status pfifo_nvgpu_record_text(struct pfifo_nvgpu *nvgpu, const char *key, const char *value,
                                          struct pfifo_error *error) {
    struct nvgpu_record *record = nvgpu ? record_of(nvgpu) : NULL;
    if (!record || !key || !value)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a text needs a recording, a key and a value");
    return record->ops->text(record->writer, key, value, error);
}

void record_fail(struct nvgpu_record *record, enum pfifo_status status, const char *message) {
    if (record->ended)
        return;
    record->ended = true;
    pfifo_error_set(&record->error, status, "%s", message);
}

/* A reader takes no more than that. */
static void record_truncate(struct nvgpu_record *record) {
    record->ops->text(record->writer, "truncated", "as large as a capture can be", NULL);
    record_fail(record, PFIFO_ERROR_UNSUPPORTED, "the recording has ended: a capture has at most 1 GiB");
}

bool record_append(struct nvgpu_record *record, const struct pfifo_stream_record *what, uint64_t bytes) {
    struct pfifo_error error = {0};
    if (record->ended)
        return false;
    record->bytes += bytes + RECORD_OVERHEAD;
    if (record->ops->append(record->writer, what, &error) != PFIFO_OK)
        record_fail(record, error.status, error.message);
    return !record->ended;
}

/* For records that stand alone. */
static void append(const struct pfifo_nvgpu *nvgpu, const struct pfifo_stream_record *what) {
    struct nvgpu_record *record = record_of(nvgpu);
    if (record)
        record_append(record, what, 0);
}

void record_note(const struct pfifo_nvgpu *nvgpu, const char *note) {
    struct nvgpu_record *record = record_of(nvgpu);
    struct pfifo_error error = {0};
    if (record && record->ops->text(record->writer, "note", note, &error) != PFIFO_OK)
        record_fail(record, error.status, error.message);
}

/* ---- memory and address spaces ---- */

static void new_buffer(const struct pfifo_nvgpu *nvgpu, const struct pfifo_buffer *buffer) {
    append(nvgpu, &(const struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW,
                                                      .bonew = {.handle = pfifo_buffer_id(buffer),
                                                                .domain = PFIFO_STREAM_GART,
                                                                .bytes = pfifo_buffer_bytes(buffer)}});
}

static void end_buffer(const struct pfifo_nvgpu *nvgpu, const struct pfifo_buffer *buffer) {
    append(nvgpu, &(const struct pfifo_stream_record){.type = PFIFO_STREAM_BODEL,
                                                      .bodel = {.handle = pfifo_buffer_id(buffer)}});
}

void record_object(const struct pfifo_nvgpu *nvgpu, const struct nvgpu_object *object) {
    if (record_of(nvgpu))
        new_buffer(nvgpu, object->buffer);
}

void record_object_end(const struct pfifo_nvgpu *nvgpu, struct nvgpu_object *object) {
    if (record_of(nvgpu) && object->buffer)
        end_buffer(nvgpu, object->buffer);
    free(object->recorded);
    object->recorded = NULL;
}

void record_space(const struct nvgpu_as *as, const struct pfifo_vm_config *config) {
    if (record_of(as->nvgpu))
        append(as->nvgpu, &(const struct pfifo_stream_record){.type = PFIFO_STREAM_SPACE,
                                                              .space = {.space = pfifo_vm_id(as->vm),
                                                                        .big_page_bytes = config->big_page_bytes,
                                                                        .first = config->first,
                                                                        .bytes = config->bytes}});
}

void record_space_end(const struct nvgpu_as *as) {
    if (record_of(as->nvgpu) && as->vm)
        append(as->nvgpu, &(const struct pfifo_stream_record){.type = PFIFO_STREAM_SPACEDEL,
                                                              .spacedel = {.space = pfifo_vm_id(as->vm)}});
}

void record_sparse(const struct nvgpu_as *as, uint64_t address, uint64_t bytes, bool sparse) {
    if (record_of(as->nvgpu))
        append(as->nvgpu,
               &(const struct pfifo_stream_record){
                   .type = PFIFO_STREAM_SPARSE,
                   .sparse = {.space = pfifo_vm_id(as->vm), .sparse = sparse, .address = address, .bytes = bytes}});
}

static void append_map(const struct nvgpu_as *as, const struct pfifo_vm_map *map, uint32_t handle, uint64_t offset) {
    append(as->nvgpu, &(const struct pfifo_stream_record){
                          .type = PFIFO_STREAM_MAP,
                          .map = {.space = pfifo_vm_id(as->vm),
                                  .handle = handle,
                                  .address = map->address,
                                  .bytes = map->bytes,
                                  .offset = offset,
                                  .page_bytes = map->page_bytes,
                                  .kind = map->kind,
                                  .flags = map->flags & PFIFO_VM_READ_ONLY ? PFIFO_STREAM_MAP_READ_ONLY : 0}});
}

void record_map(const struct nvgpu_as *as, const struct pfifo_vm_map *map) {
    if (record_of(as->nvgpu))
        append_map(as, map, pfifo_buffer_id(map->buffer), map->offset);
}

void record_unmap(const struct nvgpu_as *as, uint64_t address, uint64_t bytes) {
    if (record_of(as->nvgpu))
        append(as->nvgpu, &(const struct pfifo_stream_record){
                              .type = PFIFO_STREAM_UNMAP,
                              .unmap = {.space = pfifo_vm_id(as->vm), .address = address, .bytes = bytes}});
}

/* Pages of another kind: they are mapped anew. */
void record_remap(const struct nvgpu_as *as, const struct pfifo_vm_map *map) {
    const struct nvgpu_record *record = record_of(as->nvgpu);
    struct stream_mapping before;
    if (!record || !record->ops->mapping(record->writer, pfifo_vm_id(as->vm), map->address, &before))
        return;
    record_unmap(as, map->address, map->bytes);
    append_map(as, map, before.handle, before.offset);
}

/* ---- channels ---- */

void record_channel(const struct pfifo_nvgpu *nvgpu, const struct channel_file *channel) {
    if (!record_of(nvgpu))
        return;
    uint32_t number = pfifo_channel_id(channel->channel);
    append(nvgpu, &(const struct pfifo_stream_record){.type = PFIFO_STREAM_CHANIN,
                                                      .chanin = {.channel = number,
                                                                 .space = pfifo_vm_id(channel->as->vm),
                                                                 .entries = channel->ring,
                                                                 .flags = PFIFO_STREAM_CHANIN_OLD_HEADERS}});
    append(nvgpu, &(const struct pfifo_stream_record){
                      .type = PFIFO_STREAM_CHAN, .chan = {.channel = number, .pushbuf_domains = PFIFO_STREAM_GART}});
}

void record_channel_end(const struct pfifo_nvgpu *nvgpu, const struct channel_file *channel) {
    if (record_of(nvgpu))
        append(nvgpu, &(const struct pfifo_stream_record){.type = PFIFO_STREAM_CHANFREE,
                                                          .chanfree = {.channel = pfifo_channel_id(channel->channel)}});
}

void record_commands(const struct pfifo_nvgpu *nvgpu, const struct pfifo_buffer *commands) {
    if (record_of(nvgpu))
        new_buffer(nvgpu, commands);
}

void record_commands_end(const struct pfifo_nvgpu *nvgpu, const struct pfifo_buffer *commands) {
    if (record_of(nvgpu))
        end_buffer(nvgpu, commands);
}

void record_syncpoint(const struct pfifo_nvgpu *nvgpu, uint32_t syncpoint, bool set, uint32_t value) {
    append(nvgpu, &(const struct pfifo_stream_record){.type = PFIFO_STREAM_SYNCPT,
                                                      .syncpt = {.syncpoint = syncpoint, .set = set, .value = value}});
}

/* ---- submissions ---- */

/* The pieces of an entry, of which each lies in one mapping; the last may lie in none. */
struct piece {
    uint64_t address, bytes;
    struct stream_mapping mapping; /* handle 0: nothing is mapped there */
};

static bool record_next_piece(const struct nvgpu_record *record, const struct channel_file *channel, uint64_t *address,
                              uint64_t *bytes, struct piece *piece) {
    if (!*bytes)
        return false;
    *piece = (struct piece){.address = *address, .bytes = *bytes};
    if (record->ops->mapping(record->writer, pfifo_vm_id(channel->as->vm), *address, &piece->mapping) &&
        piece->bytes > piece->mapping.bytes)
        piece->bytes = piece->mapping.bytes;
    *address += piece->bytes;
    *bytes -= piece->bytes;
    return true;
}

static uint64_t entry_address(uint64_t entry) {
    return entry & ((UINT64_C(1) << ADDRESS_BITS) - 4);
}

static uint64_t entry_bytes(uint64_t entry) {
    return 4 * (entry >> WORDS_SHIFT & WORDS_MASK);
}

static uint32_t count_pieces(const struct nvgpu_record *record, const struct record_submission *submission) {
    uint32_t count = 0;
    for (size_t i = 0; i < submission->count; i++) {
        uint64_t address = entry_address(submission->entries[i]), bytes = entry_bytes(submission->entries[i]);
        for (struct piece piece; record_next_piece(record, submission->channel, &address, &bytes, &piece);)
            count++;
    }
    return count;
}

/* The words as they are now: a program that changes them before the machine reads them has written to memory. */
static uint8_t *record_read_words(const struct pfifo_nvgpu *nvgpu, const struct piece *piece) {
    struct pfifo_buffer *buffer = pfifo_device_buffer(nvgpu->device, piece->mapping.handle);
    uint8_t *words = malloc(piece->bytes);
    if (words && buffer && pfifo_buffer_read(buffer, piece->mapping.offset, words, piece->bytes))
        return words;
    free(words);
    return NULL;
}

static void append_piece(const struct pfifo_nvgpu *nvgpu, struct nvgpu_record *record, const struct piece *piece,
                         bool no_prefetch) {
    struct pfifo_stream_record push = {.type = PFIFO_STREAM_PUSH,
                                       .push = {.handle = piece->mapping.handle,
                                                .offset = piece->mapping.offset,
                                                .length = piece->bytes | (no_prefetch ? NO_PREFETCH : 0),
                                                .address = piece->address,
                                                .no_prefetch = no_prefetch}};
    if (!piece->mapping.handle) {
        record_append(record, &push, 0);
        return;
    }
    uint8_t *words = record_read_words(nvgpu, piece);
    push.push.words = words;
    push.push.word_count = (uint32_t)(piece->bytes / 4);
    if (words && record_append(record, &push, piece->bytes))
        record_told(nvgpu, piece->mapping.handle, piece->mapping.offset, words, piece->bytes);
    else if (!words)
        record_fail(record, PFIFO_ERROR_MEMORY, "the recording has ended: words of a submission cannot be read");
    free(words);
}

static void append_entry(const struct pfifo_nvgpu *nvgpu, struct nvgpu_record *record,
                         const struct channel_file *channel, uint64_t entry) {
    uint64_t address = entry_address(entry), bytes = entry_bytes(entry);
    for (struct piece piece; !record->ended && record_next_piece(record, channel, &address, &bytes, &piece);)
        append_piece(nvgpu, record, &piece, entry & ENTRY_SYNC);
}

void record_submit(const struct pfifo_nvgpu *nvgpu, const struct record_submission *submission) {
    struct nvgpu_record *record = record_of(nvgpu);
    if (!record)
        return;
    const struct channel_file *channel = submission->channel;
    const struct pfifo_stream_record begin = {
        .type = PFIFO_STREAM_SUBMIT,
        .submit = {++record->sequence, pfifo_channel_id(channel->channel), .pushes = count_pieces(record, submission)}};
    const struct pfifo_stream_record fence = {.type = PFIFO_STREAM_FENCE,
                                              .fence = {.syncpoint = channel->syncpoint, .value = submission->fence}};
    const struct pfifo_stream_record end = {.type = PFIFO_STREAM_SUBEND, .subend = {record->sequence}};
    record_append(record, &begin, 0);
    if (submission->wait)
        record_append(record, &(const struct pfifo_stream_record){.type = PFIFO_STREAM_WAIT, .wait = *submission->wait},
                      0);
    for (size_t i = 0; i < submission->count; i++)
        append_entry(nvgpu, record, channel, submission->entries[i]);
    record_append(record, &fence, 0);
    record_append(record, &end, 0);
    if (!record->ended && record->bytes > RECORD_BYTES)
        record_truncate(record);
}
