/* SPDX-License-Identifier: MIT */
/* A submission (GEM_PUSHBUF): its lists are in the log, and the words are what was written to its buffers. */
#include "foreign/mmt_nouveau.h"

#include <stdlib.h>

#include "memory/little_endian.h"

enum {
    MOST_BUFFERS = 1024, /* of a submission, and its relocations and pushes: NOUVEAU_GEM_MAX_BUFFERS ... */
    LENGTH_MASK = 0x7fffff,
};

/* A struct drm_nouveau_gem_pushbuf and its lists. */
struct mmt_submission {
    uint32_t channel, buffers, relocs, pushes, suffix0, suffix1;
    const uint8_t *buffer, *reloc, *push;
};

enum { BUFFER_BYTES = 40, RELOC_BYTES = 28, PUSH_BYTES = 24 };

/* NULL: the log does not have so much memory there. */
static const uint8_t *find_memory(const struct mmt_ioctl *ioctl, uint64_t address, uint64_t bytes) {
    for (size_t i = 0; i < ioctl->memories; i++)
        if (ioctl->memory[i].address == address && ioctl->memory[i].bytes >= bytes)
            return ioctl->memory[i].data;
    return NULL;
}

/* NULL: it can be recorded; else why not. */
static const char *take_submission(const struct mmt_client *client, const struct mmt_ioctl *ioctl,
                                   struct mmt_submission *submission) {
    const uint8_t *data = ioctl->data;

    *submission = (struct mmt_submission){.channel = load_le32(data),
                                          .buffers = load_le32(data + 4),
                                          .relocs = load_le32(data + 16),
                                          .pushes = load_le32(data + 20),
                                          .suffix0 = load_le32(data + 40),
                                          .suffix1 = load_le32(data + 44)};
    if (!submission->pushes || submission->pushes > MOST_BUFFERS || submission->buffers > MOST_BUFFERS ||
        submission->relocs > MOST_BUFFERS)
        return "a submission has too many buffers, or no words";
    submission->buffer = find_memory(ioctl, load_le64(data + 8), (uint64_t)submission->buffers * BUFFER_BYTES);
    submission->reloc = find_memory(ioctl, load_le64(data + 24), (uint64_t)submission->relocs * RELOC_BYTES);
    submission->push = find_memory(ioctl, load_le64(data + 32), (uint64_t)submission->pushes * PUSH_BYTES);
    if (!submission->push || (submission->buffers && !submission->buffer) || (submission->relocs && !submission->reloc))
        return "the lists of a submission are not in the log";
    for (uint32_t i = 0; i < submission->buffers; i++) {
        uint32_t handle = load_le32(submission->buffer + i * BUFFER_BYTES + 8);
        if (handle >= MMT_HANDLES || !client->buffer[handle])
            return "a submission has a buffer that the log does not make";
    }
    for (uint32_t i = 0; i < submission->pushes; i++) {
        const uint8_t *push = submission->push + i * PUSH_BYTES;
        uint32_t index = load_le32(push);
        uint64_t offset = load_le64(push + 8), bytes = load_le64(push + 16) & LENGTH_MASK & ~UINT64_C(3), room;
        if (index >= submission->buffers)
            return "the words of a submission are in none of its buffers";
        room = client->buffer[load_le32(submission->buffer + index * BUFFER_BYTES + 8)]->bytes;
        if (offset % 4 || offset > room || bytes > room - offset)
            return "the words of a submission are not inside of their buffer";
    }
    return NULL;
}

static bool append_buffer(struct mmt_client *client, const uint8_t *entry) {
    const uint32_t handle = load_le32(entry + 8);
    struct mmt_buffer *buffer = client->buffer[handle];
    const struct pfifo_stream_boref boref = {.handle = handle,
                                             .read_domains = load_le32(entry + 12),
                                             .write_domains = load_le32(entry + 16),
                                             .valid_domains = load_le32(entry + 20),
                                             .address = buffer->address,
                                             .bytes = buffer->bytes,
                                             .presumed_valid = load_le32(entry + 24),
                                             .presumed_domain = load_le32(entry + 28),
                                             .presumed_offset = load_le64(entry + 32)};
    bool good = mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_BOREF, .boref = boref});

    foreign_pages_sort(&buffer->pages);
    for (size_t i = 0; i < buffer->pages.changes && good; i++) {
        const struct foreign_page *page = buffer->pages.changed[i];
        const struct pfifo_stream_bodata data = {handle, page->number * FOREIGN_PAGE, page->bytes, FOREIGN_PAGE};
        good = mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_BODATA, .bodata = data});
    }
    foreign_pages_settle(&buffer->pages);
    return good;
}

static bool mmt_append_reloc(struct mmt_client *client, const uint8_t *reloc) {
    const struct pfifo_stream_reloc record = {.reloc_bo_index = load_le32(reloc),
                                              .reloc_bo_offset = load_le32(reloc + 4),
                                              .bo_index = load_le32(reloc + 8),
                                              .flags = load_le32(reloc + 12),
                                              .data = load_le32(reloc + 16),
                                              .vor = load_le32(reloc + 20),
                                              .tor = load_le32(reloc + 24)};

    return mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_RELOC, .reloc = record});
}

static bool mmt_append_push(struct mmt_client *client, const struct mmt_submission *submission, const uint8_t *push) {
    const uint32_t handle = load_le32(submission->buffer + load_le32(push) * (size_t)BUFFER_BYTES + 8);
    const struct mmt_buffer *buffer = client->buffer[handle];
    const uint64_t offset = load_le64(push + 8), length = load_le64(push + 16);
    const size_t bytes = (size_t)(length & LENGTH_MASK & ~UINT64_C(3));
    uint8_t *words = malloc(bytes + 1);
    struct pfifo_stream_push record = {.handle = handle,
                                       .offset = offset,
                                       .length = bytes | (length & FOREIGN_NO_PREFETCH),
                                       .address = buffer->address + offset,
                                       .words = words,
                                       .word_count = (uint32_t)(bytes / 4),
                                       .no_prefetch = (length & FOREIGN_NO_PREFETCH) != 0};
    bool good;

    if (!words)
        return mmt_no_memory(client);
    foreign_pages_read(&buffer->pages, 0, offset, words, bytes);
    good = mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_PUSH, .push = record});
    free(words);
    return good;
}

/* Bytes of its words and of changed pages: pushes may name the same words again and again. */
static uint64_t submitted_bytes(const struct mmt_client *client, const struct mmt_submission *submission) {
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < submission->buffers; i++)
        bytes += client->buffer[load_le32(submission->buffer + i * (size_t)BUFFER_BYTES + 8)]->pages.changes *
                 (uint64_t)FOREIGN_PAGE;
    for (uint32_t i = 0; i < submission->pushes; i++)
        bytes += load_le64(submission->push + i * (size_t)PUSH_BYTES + 16) & LENGTH_MASK;
    return bytes;
}

bool mmt_submit(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    struct mmt_submission submission;
    const char *why = take_submission(client, ioctl, &submission);
    struct pfifo_stream_submit submit = {.channel = submission.channel,
                                         .buffers = submission.buffers,
                                         .relocs = submission.relocs,
                                         .pushes = submission.pushes,
                                         .suffix0 = submission.suffix0,
                                         .suffix1 = submission.suffix1};
    bool good;

    if (why)
        return mmt_leave_out(client, ioctl, why);
    if (!foreign_has_room(client->file, client->writer, ioctl->at, submitted_bytes(client, &submission), client->error))
        return false;
    submit.sequence = ++client->sequence;
    good = mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_SUBMIT, .submit = submit});
    for (uint32_t i = 0; i < submission.buffers && good; i++)
        good = append_buffer(client, submission.buffer + i * (size_t)BUFFER_BYTES);
    for (uint32_t i = 0; i < submission.relocs && good; i++)
        good = mmt_append_reloc(client, submission.reloc + i * (size_t)RELOC_BYTES);
    for (uint32_t i = 0; i < submission.pushes && good; i++)
        good = mmt_append_push(client, &submission, submission.push + i * (size_t)PUSH_BYTES);
    return good && mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_SUBEND,
                                                                   .subend = {.sequence = submit.sequence}});
}
