/* SPDX-License-Identifier: MIT */
/*
 * A submission by address (EXEC). It names no buffers: the words are found by what is mapped, and any buffer that the
 * program can write may have changed. As in submit.c, pages and words are those of the moment before the ioctl, and a
 * submission that the kernel refuses leaves nothing in the capture.
 */
#include <stdio.h>
#include <stdlib.h>

#include "face/drm/node/uapi.h"
#include "face/drm/record/client.h"

#define MOST_PIECES (1u << 16)
#define NO_PREFETCH 0x800000u /* of the length of a PUSH */

/* A part of a push that lies in one mapping; or, without a buffer, the rest of it, at which nothing is mapped. */
struct piece {
    struct record_buffer *buffer;
    uint64_t address, offset;
    uint32_t bytes;
    bool no_prefetch;
};

struct exec_submission {
    struct record_submission is;
    struct uapi_exec request;
    struct uapi_exec_push *pushes;
    struct piece *pieces;
    size_t piece_count, piece_room;
    struct word_range *words; /* room for those of one buffer */
    char problem[120];        /* why it cannot be recorded; empty: it can */
};

static void exec_free(struct exec_submission *exec) {
    free(exec->pushes);
    free(exec->pieces);
    free(exec->words);
    free(exec);
}

static void exec_problem(struct exec_submission *exec, const char *what) {
    if (!exec->problem[0])
        snprintf(exec->problem, sizeof exec->problem, "a submission is missing here: %s", what);
}

/* ---- what the program passes ---- */

/* NULL: the kernel will refuse it, it does nothing, or there is no memory. */
static struct exec_submission *exec_read(const struct record_client *client, uint64_t argument) {
    struct exec_submission *exec = calloc(1, sizeof *exec);
    struct uapi_exec *request = exec ? &exec->request : NULL;
    if (!exec)
        return NULL;
    exec->is.by_address = true;
    if (client->host->read(client->opaque, request, argument, sizeof *request) &&
        request->push_count <= UAPI_MOST_PUSHES &&
        (request->push_count || request->wait_count || request->signal_count))
        exec->pushes = client_read_list(client, request->pushes, request->push_count, sizeof(struct uapi_exec_push));
    if (exec->pushes)
        return exec;
    exec_free(exec);
    return NULL;
}

static bool add_piece(struct exec_submission *exec, const struct piece *piece) {
    if (exec->piece_count == exec->piece_room) {
        size_t room = exec->piece_room ? 2 * exec->piece_room : 16;
        struct piece *grown = room <= MOST_PIECES ? realloc(exec->pieces, room * sizeof *grown) : NULL;
        if (!grown)
            return false;
        exec->pieces = grown;
        exec->piece_room = room;
    }
    exec->pieces[exec->piece_count++] = *piece;
    return true;
}

/* Where a push is; it may go over the end of a mapping into the next. */
static bool find_pieces(struct record_client *client, struct exec_submission *exec, const struct uapi_exec_push *push) {
    uint64_t address = push->address;
    for (uint32_t left = push->bytes; left;) {
        const struct known_map *map = known_map_at(&client->book, RECORD_SPACE, address);
        struct piece piece = {.address = address, .bytes = left, .no_prefetch = push->flags & UAPI_EXEC_NO_PREFETCH};
        if (map) {
            uint64_t inside = address - map->range.address, there = map->range.bytes - inside;
            piece.buffer = buffers_find_number(&client->buffers, map->buffer->handle);
            piece.offset = map->offset + inside;
            piece.bytes = there < left ? (uint32_t)there : left;
        }
        if (piece.buffer)
            piece.buffer->readable = true;
        if (!add_piece(exec, &piece))
            return false;
        address += piece.bytes;
        left -= piece.bytes;
    }
    return true;
}

/* False: the kernel will refuse it. */
static bool find_all(struct record_client *client, struct exec_submission *exec) {
    for (uint32_t i = 0; i < exec->request.push_count; i++) {
        if (exec->pushes[i].bytes > UAPI_EXEC_MOST_BYTES)
            return false;
        if (!find_pieces(client, exec, &exec->pushes[i])) {
            exec_problem(exec, "it is in too many places, or there is no memory");
            return true;
        }
    }
    exec->words = calloc(exec->piece_count + 1, sizeof *exec->words);
    if (!exec->words)
        exec_problem(exec, "no memory");
    return true;
}

/* ---- records ---- */

static size_t exec_list_words(struct exec_submission *exec, const struct record_buffer *buffer) {
    size_t count = 0;
    for (size_t i = 0; i < exec->piece_count; i++) {
        const struct piece *piece = &exec->pieces[i];
        if (piece->buffer == buffer && !piece->no_prefetch)
            exec->words[count++] = (struct word_range){piece->offset, piece->offset + piece->bytes};
    }
    return count;
}

/* True: it has pages in the submission. */
static bool exec_add_buffer(struct record_client *client, struct exec_submission *exec, struct record_buffer *buffer) {
    struct item *item = exec->is.item;
    const struct pfifo_stream_record record = {.type = PFIFO_STREAM_BOREF,
                                               .boref = {.handle = buffer->handle,
                                                         .valid_domains = buffer->domain,
                                                         .bytes = buffer->bytes,
                                                         .presumed_domain = buffer->domain}};
    item_add(item, &record, NULL, 0);
    size_t before = item->count;
    if (!buffers_collect(&client->buffers, buffer, exec->words, exec_list_words(exec, buffer), item)) {
        exec_problem(exec, "a buffer cannot be read");
        if (!buffer->handles && !buffer->view)
            buffer->readable = false; /* nor ever: submissions after this one are recorded without */
    }
    if (item->count > before || item->failed)
        return true;
    item->count--;
    return false;
}

/*
 * What earlier submissions write belongs to them. Their fences are those of the whole space, so that one buffer is
 * enough to wait for (nouveau_exec.c, nouveau_exec_job_armed_submit()).
 */
static void exec_settle(struct record_client *client, const struct exec_submission *exec) {
    for (size_t i = 0; client->host->settle && i < exec->piece_count; i++) {
        const struct record_buffer *buffer = exec->pieces[i].buffer;
        uint32_t handle = buffer ? buffers_handle_of(&client->buffers, buffer) : 0;
        if (!handle)
            continue;
        client->host->settle(client->opaque, handle);
        return;
    }
}

static void exec_add_push(struct exec_submission *exec, const struct piece *piece) {
    struct pfifo_stream_record record = {
        .type = PFIFO_STREAM_PUSH,
        .push = {.length = piece->bytes | (piece->no_prefetch ? NO_PREFETCH : 0), .address = piece->address}};
    if (!piece->buffer) {
        item_add(exec->is.item, &record, NULL, 0);
        return;
    }
    record.push.handle = piece->buffer->handle;
    record.push.offset = piece->offset;
    record.push.word_count = piece->bytes / 4;
    if (piece->bytes % 4 || piece->offset % 4 || piece->offset > piece->buffer->bytes ||
        piece->bytes > piece->buffer->bytes - piece->offset)
        exec_problem(exec, "a push is not words of a buffer");
    uint8_t *words = exec->problem[0] ? NULL : malloc(piece->bytes + (size_t)1);
    if (!words) {
        exec_problem(exec, "no memory");
        return;
    }
    buffers_copy(piece->buffer, piece->offset, words, piece->bytes);
    item_add(exec->is.item, &record, words, piece->bytes);
    free(words);
}

/* How many buffers are in the submission. Without words nobody reads them yet. */
static uint32_t exec_add_buffers(struct record_client *client, struct exec_submission *exec) {
    uint32_t listed = 0;
    if (!exec->piece_count)
        return 0;
    exec_settle(client, exec);
    buffers_next_round(&client->buffers);
    for (struct record_buffer *buffer; !exec->problem[0] && (buffer = buffers_next(&client->buffers));)
        if (buffer->readable)
            listed += exec_add_buffer(client, exec, buffer);
    return listed;
}

static void exec_collect(struct record_client *client, struct exec_submission *exec) {
    const struct pfifo_stream_record begin = {
        .type = PFIFO_STREAM_SUBMIT,
        .submit = {.channel = exec->request.channel, .pushes = (uint32_t)exec->piece_count}};
    const struct pfifo_stream_record end = {.type = PFIFO_STREAM_SUBEND}, run = {.type = PFIFO_STREAM_RUN};
    struct item *item = exec->is.item;
    item_add(item, &begin, NULL, 0);
    uint32_t listed = exec_add_buffers(client, exec);
    syncs_add(client, item, exec->request.waits, exec->request.wait_count, PFIFO_STREAM_SYNC_WAIT);
    for (size_t i = 0; i < exec->piece_count; i++)
        exec_add_push(exec, &exec->pieces[i]);
    syncs_add(client, item, exec->request.signals, exec->request.signal_count, PFIFO_STREAM_SYNC_SIGNAL);
    item_add(item, &end, NULL, 0);
    if (exec->piece_count)
        item_add(item, &run, NULL, 0);
    if (item->count)
        item->records[0].record.submit.buffers = listed;
}

struct record_submission *exec_begin(struct record_client *client, uint64_t argument) {
    struct exec_submission *exec = exec_read(client, argument);
    if (!exec)
        return NULL;
    if (known_find(&client->book.channels, exec->request.channel) && find_all(client, exec) &&
        (client->queue.writer || (exec->piece_count && client_begin(client))))
        exec->is.item = queue_add(&client->queue);
    if (exec->is.item) {
        exec_collect(client, exec);
        return &exec->is;
    }
    exec_free(exec);
    return NULL;
}

/* The next submission takes the pages again. */
static void exec_forget_pages(const struct record_client *client, const struct exec_submission *exec) {
    const struct item *item = exec->is.item;
    for (size_t i = 0; i < item->count; i++) {
        const struct pfifo_stream_record *record = &item->records[i].record;
        struct record_buffer *buffer = record->type == PFIFO_STREAM_BODATA
                                           ? buffers_find_number(&client->buffers, (uint32_t)record->bodata.handle)
                                           : NULL;
        if (buffer)
            buffers_forget(buffer, record->bodata.offset, record->bodata.bytes);
    }
}

void exec_end(struct record_client *client, struct record_submission *given, int status) {
    struct exec_submission *exec = (struct exec_submission *)given;
    bool left_out = exec->problem[0] || exec->is.item->failed;
    if (status < 0 || left_out) {
        exec_forget_pages(client, exec);
        queue_drop(&client->queue, exec->is.item);
        if (status >= 0)
            queue_note(&client->queue, "%s",
                       exec->problem[0] ? exec->problem : "a submission is missing here: no memory");
    } else {
        queue_ready(&client->queue, exec->is.item);
    }
    exec_free(exec);
}
