/* SPDX-License-Identifier: MIT */
/*
 * A submission. Pages and words are those of the moment before the ioctl. What the kernel patches in it (relocations)
 * is patched in the records, too. A submission that the kernel refuses leaves nothing in the capture.
 */
#include "face/drm/record/client.h"

#include <drm.h>
#include <nouveau_drm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH_MASK 0x7fffffu
#define NO_PREFETCH 0x800000u

typedef struct drm_nouveau_gem_pushbuf_bo buffer_entry;
typedef struct drm_nouveau_gem_pushbuf_reloc reloc_entry;
typedef struct drm_nouveau_gem_pushbuf_push push_entry;

struct listed {
    struct record_buffer *buffer; /* while the submission begins or ends */
    uint32_t handle;
    uint64_t serial;
};

struct pushbuf_submission {
    struct record_submission is;
    struct drm_nouveau_gem_pushbuf request;
    buffer_entry *buffers;
    reloc_entry *relocs;
    push_entry *pushes;
    struct listed *listed;
    struct word_range *words; /* room for those of one buffer */
    char problem[120];        /* why it cannot be recorded; empty: it can */
};

/* ---- what the program passes ---- */

static void free_submission(struct pushbuf_submission *submission) {
    free(submission->buffers);
    free(submission->relocs);
    free(submission->pushes);
    free(submission->listed);
    free(submission->words);
    free(submission);
}

static struct pushbuf_submission *submit_read_submission(const struct record_client *client, uint64_t argument) {
    struct pushbuf_submission *submission = calloc(1, sizeof *submission);
    if (!submission)
        return NULL;
    struct drm_nouveau_gem_pushbuf *request = &submission->request;
    if (client->host->read(client->opaque, request, argument, sizeof *request) && request->nr_push &&
        request->nr_push <= NOUVEAU_GEM_MAX_PUSH && request->nr_buffers <= NOUVEAU_GEM_MAX_BUFFERS &&
        request->nr_relocs <= NOUVEAU_GEM_MAX_RELOCS) {
        submission->buffers = client_read_list(client, request->buffers, request->nr_buffers, sizeof(buffer_entry));
        submission->relocs = client_read_list(client, request->relocs, request->nr_relocs, sizeof(reloc_entry));
        submission->pushes = client_read_list(client, request->push, request->nr_push, sizeof(push_entry));
        submission->listed = calloc(request->nr_buffers + 1, sizeof(struct listed));
        submission->words = calloc(request->nr_push, sizeof(struct word_range));
        if (submission->buffers && submission->relocs && submission->pushes && submission->listed && submission->words)
            return submission;
    }
    free_submission(submission);
    return NULL;
}

/* False: the kernel will refuse it. */
static bool find_buffers(struct record_client *client, struct pushbuf_submission *submission) {
    const struct drm_nouveau_gem_pushbuf *request = &submission->request;
    for (uint32_t i = 0; i < request->nr_buffers; i++) {
        struct record_buffer *buffer = client_buffer(client, submission->buffers[i].handle);
        if (!buffer)
            return false;
        submission->listed[i] = (struct listed){buffer, submission->buffers[i].handle, buffer->serial};
    }
    for (uint32_t i = 0; i < request->nr_push; i++) {
        if (submission->pushes[i].bo_index >= request->nr_buffers)
            return false;
        submission->listed[submission->pushes[i].bo_index].buffer->readable = true;
    }
    for (uint32_t i = 0; i < request->nr_relocs; i++)
        if (submission->relocs[i].bo_index >= request->nr_buffers ||
            submission->relocs[i].reloc_bo_index >= request->nr_buffers)
            return false;
    return true;
}

/* ---- records ---- */

static void problem(struct pushbuf_submission *submission, uint32_t handle, const char *what) {
    if (!submission->problem[0])
        snprintf(submission->problem, sizeof submission->problem, "a submission is missing here: buffer %u %s",
                 (unsigned)handle, what);
}

/* The words of a buffer that PUSHes have. Those that earlier commands may write are not taken from there by a reader.
 */
static size_t list_words(struct pushbuf_submission *submission, uint32_t buffer) {
    size_t count = 0;
    for (uint32_t i = 0; i < submission->request.nr_push; i++) {
        const push_entry *push = &submission->pushes[i];
        if (push->bo_index == buffer && !(push->length & NO_PREFETCH))
            submission->words[count++] = (struct word_range){push->offset, push->offset + (push->length & LENGTH_MASK)};
    }
    return count;
}

static void add_buffer(struct record_client *client, struct pushbuf_submission *submission, uint32_t i) {
    const buffer_entry *entry = &submission->buffers[i];
    struct record_buffer *buffer = submission->listed[i].buffer;
    if (!buffer) {
        problem(submission, entry->handle, "is not known");
        return;
    }
    const struct pfifo_stream_record record = {.type = PFIFO_STREAM_BOREF,
                                               .boref = {.handle = buffer->handle,
                                                         .valid_domains = entry->valid_domains,
                                                         .read_domains = entry->read_domains,
                                                         .write_domains = entry->write_domains,
                                                         .address = buffer->address,
                                                         .bytes = buffer->bytes,
                                                         .presumed_valid = entry->presumed.valid,
                                                         .presumed_domain = entry->presumed.domain,
                                                         .presumed_offset = entry->presumed.offset}};
    item_add(submission->is.item, &record, NULL, 0);
    if (!buffer->readable)
        return;
    /* What an earlier submission writes belongs to it: it would come late, and over newer values. */
    if (buffer->written && client->host->settle)
        client->host->settle(client->opaque, entry->handle);
    buffer->written = false;
    if (!buffers_collect(&client->buffers, buffer, submission->words, list_words(submission, i), submission->is.item))
        problem(submission, buffer->handle, "cannot be read");
}

static void add_reloc(struct pushbuf_submission *submission, const reloc_entry *reloc) {
    const struct pfifo_stream_record record = {.type = PFIFO_STREAM_RELOC,
                                               .reloc = {.reloc_bo_index = reloc->reloc_bo_index,
                                                         .reloc_bo_offset = reloc->reloc_bo_offset,
                                                         .bo_index = reloc->bo_index,
                                                         .flags = reloc->flags,
                                                         .data = reloc->data,
                                                         .vor = reloc->vor,
                                                         .tor = reloc->tor}};
    item_add(submission->is.item, &record, NULL, 0);
}

/* Words are those of the pages that were just recorded, so that the two never contradict each other. */
static void submit_add_push(struct pushbuf_submission *submission, const push_entry *push) {
    const struct record_buffer *buffer = submission->listed[push->bo_index].buffer;
    size_t bytes = (size_t)(push->length & LENGTH_MASK);
    if (!buffer)
        return;
    const struct pfifo_stream_record record = {.type = PFIFO_STREAM_PUSH,
                                               .push = {.handle = buffer->handle,
                                                        .offset = push->offset,
                                                        .length = push->length,
                                                        .address = buffer->address + push->offset,
                                                        .word_count = (uint32_t)(bytes / 4)}};
    if (bytes % 4 || push->offset % 4 || push->offset > buffer->bytes || bytes > buffer->bytes - push->offset) {
        problem(submission, buffer->handle, "does not have the words");
        return;
    }
    if (submission->problem[0])
        return;
    uint8_t *words = malloc(bytes + 1);
    if (!words) {
        submission->is.item->failed = true;
        return;
    }
    buffers_copy(buffer, push->offset, words, bytes);
    item_add(submission->is.item, &record, words, bytes);
    free(words);
}

static void collect(struct record_client *client, struct pushbuf_submission *submission) {
    const struct drm_nouveau_gem_pushbuf *request = &submission->request;
    const struct pfifo_stream_record begin = {.type = PFIFO_STREAM_SUBMIT,
                                              .submit = {.channel = request->channel,
                                                         .buffers = request->nr_buffers,
                                                         .relocs = request->nr_relocs,
                                                         .pushes = request->nr_push}};
    const struct pfifo_stream_record end = {.type = PFIFO_STREAM_SUBEND};
    item_add(submission->is.item, &begin, NULL, 0);
    for (uint32_t i = 0; i < request->nr_buffers; i++)
        add_buffer(client, submission, i);
    for (uint32_t i = 0; i < request->nr_relocs; i++)
        add_reloc(submission, &submission->relocs[i]);
    for (uint32_t i = 0; i < request->nr_push; i++)
        submit_add_push(submission, &submission->pushes[i]);
    item_add(submission->is.item, &end, NULL, 0);
}

struct record_submission *submission_begin(struct record_client *client, uint64_t argument) {
    struct pushbuf_submission *submission = client->queue.writer ? submit_read_submission(client, argument) : NULL;
    if (!submission)
        return NULL;
    if (find_buffers(client, submission))
        submission->is.item = queue_add(&client->queue);
    if (submission->is.item) {
        collect(client, submission);
        return &submission->is;
    }
    free_submission(submission);
    return NULL;
}

/* ---- afterwards ---- */

/* Others may have come in between: find the buffers anew. Some may be gone. */
static void find_again(struct record_client *client, struct pushbuf_submission *submission) {
    for (uint32_t i = 0; i < submission->request.nr_buffers; i++) {
        struct listed *listed = &submission->listed[i];
        listed->buffer = buffers_find_serial(&client->buffers, listed->handle, listed->serial);
    }
}

static struct record_buffer *find_listed(const struct pushbuf_submission *submission, uint64_t handle) {
    for (uint32_t i = 0; i < submission->request.nr_buffers; i++) {
        struct record_buffer *buffer = submission->listed[i].buffer;
        if (buffer && buffer->handle == handle)
            return buffer;
    }
    return NULL;
}

/* The pages are taken again by the next submission. */
static void forget_pages(const struct pushbuf_submission *submission) {
    for (size_t i = 0; i < submission->is.item->count; i++) {
        const struct pfifo_stream_record *record = &submission->is.item->records[i].record;
        if (record->type != PFIFO_STREAM_BODATA)
            continue;
        struct record_buffer *buffer = find_listed(submission, record->bodata.handle);
        if (buffer)
            buffers_forget(buffer, record->bodata.offset, record->bodata.bytes);
    }
}

static void note_moved(struct record_client *client, struct record_buffer *buffer) {
    if (!buffer->moved)
        queue_note(&client->queue, "buffer %u has moved; the capture has it where it was", (unsigned)buffer->handle);
    buffer->moved = true;
}

/* A byte that the kernel has patched, wherever the submission has it. If it does not, the next one takes the page. */
static void patch_byte(const struct pushbuf_submission *submission, struct record_buffer *buffer, uint64_t offset,
                       uint8_t byte) {
    const struct item *item = submission->is.item;
    bool found = false;
    for (size_t i = 0; i < item->count; i++) {
        const struct item_record *entry = &item->records[i];
        const struct pfifo_stream_bodata *pages = &entry->record.bodata;
        const struct pfifo_stream_push *push = &entry->record.push;
        uint64_t in = UINT64_MAX, bytes = 0;
        if (entry->record.type == PFIFO_STREAM_BODATA && !entry->silent && pages->handle == buffer->handle) {
            in = offset - pages->offset;
            bytes = pages->bytes;
        } else if (entry->record.type == PFIFO_STREAM_PUSH && push->handle == buffer->handle) {
            in = offset - push->offset;
            bytes = 4 * (uint64_t)push->word_count;
        }
        if (in < bytes) {
            item->data.data[entry->at + in] = byte;
            found = true;
        }
    }
    if (found)
        buffers_patch(buffer, offset, byte);
    else
        buffers_forget(buffer, offset, 1);
}

/* As the kernel does it (nouveau_gem.c, nouveau_gem_pushbuf_reloc_apply()). */
static void submit_apply_reloc(const struct pushbuf_submission *submission, const reloc_entry *reloc,
                               const struct drm_nouveau_gem_pushbuf_bo_presumed *target) {
    struct record_buffer *buffer = submission->listed[reloc->reloc_bo_index].buffer;
    uint64_t sum = target->offset + reloc->data;
    uint32_t data = reloc->flags & NOUVEAU_GEM_RELOC_LOW    ? (uint32_t)sum
                    : reloc->flags & NOUVEAU_GEM_RELOC_HIGH ? (uint32_t)(sum >> 32)
                                                            : reloc->data;
    if (reloc->flags & NOUVEAU_GEM_RELOC_OR)
        data |= target->domain == NOUVEAU_GEM_DOMAIN_GART ? reloc->tor : reloc->vor;
    for (unsigned i = 0; buffer && i < 4; i++)
        patch_byte(submission, buffer, (uint64_t)reloc->reloc_bo_offset + i, (uint8_t)(data >> 8 * i));
}

/*
 * The kernel has told where each buffer is that was not where the program presumed it, and has patched the words that
 * point to it.
 */
static void submit_apply_relocs(struct record_client *client, struct pushbuf_submission *submission) {
    const struct drm_nouveau_gem_pushbuf *request = &submission->request;
    buffer_entry *now = request->nr_relocs
                            ? client_read_list(client, request->buffers, request->nr_buffers, sizeof(buffer_entry))
                            : NULL;
    for (uint32_t i = 0; now && i < request->nr_buffers; i++) {
        struct record_buffer *buffer = submission->listed[i].buffer;
        if (buffer && !now[i].presumed.valid && now[i].presumed.offset != buffer->address)
            note_moved(client, buffer);
    }
    for (uint32_t i = 0; now && i < request->nr_relocs; i++) {
        const reloc_entry *reloc = &submission->relocs[i];
        if (!now[reloc->bo_index].presumed.valid)
            submit_apply_reloc(submission, reloc, &now[reloc->bo_index].presumed);
    }
    free(now);
}

static void set_suffixes(const struct record_client *client, struct pushbuf_submission *submission, uint64_t argument) {
    struct drm_nouveau_gem_pushbuf answer;
    if (!submission->is.item->count || !client->host->read(client->opaque, &answer, argument, sizeof answer))
        return;
    struct pfifo_stream_submit *submit = &submission->is.item->records[0].record.submit;
    submit->suffix0 = answer.suffix0;
    submit->suffix1 = answer.suffix1;
}

static void mark_written(const struct pushbuf_submission *submission) {
    for (uint32_t i = 0; i < submission->request.nr_buffers; i++)
        if (submission->listed[i].buffer && submission->buffers[i].write_domains)
            submission->listed[i].buffer->written = true;
}

void submission_end(struct record_client *client, struct record_submission *given, uint64_t argument, int status) {
    struct pushbuf_submission *submission = (struct pushbuf_submission *)given;
    find_again(client, submission);
    if (status >= 0 && !submission->is.item->failed) /* else bytes may be missing that its records tell of */
        submit_apply_relocs(client, submission);
    bool left_out = submission->problem[0] || submission->is.item->failed;
    if (status < 0 || left_out) {
        forget_pages(submission);
        queue_drop(&client->queue, submission->is.item);
        if (status >= 0)
            queue_note(&client->queue, "%s",
                       submission->problem[0] ? submission->problem : "a submission is missing here: no memory");
    } else {
        set_suffixes(client, submission, argument);
        queue_ready(&client->queue, submission->is.item);
    }
    if (status >= 0)
        mark_written(submission);
    free_submission(submission);
}
