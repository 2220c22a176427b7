/* SPDX-License-Identifier: MIT */
/*
 * Address spaces that a program manages (VM_INIT, VM_BIND): buffers are where it maps them. A handle may be closed while
 * its buffer is mapped; the buffer ends when it is mapped nowhere.
 */
#include <stdlib.h>

#include "face/drm/node/uapi.h"
#include "face/drm/record/client.h"

#define MOST_BINDS (1u << 16) /* of a call */

void binds_vm_init(struct record_client *client, const void *data) {
    const struct uapi_vm_init *request = data;
    const struct pfifo_stream_record record = {
        .type = PFIFO_STREAM_VMINIT,
        .vminit = {.space = RECORD_SPACE, .kept = request->begin, .kept_bytes = request->bytes}};
    struct reason reason;
    if (client->has_space || client->queue.writer || !known_accept(&client->book, &record, &reason))
        return;
    client->has_space = true;
    queue_hold(&client->queue);
    queue_record(&client->queue, &record);
}

void binds_channel(struct record_client *client, const struct pfifo_stream_record *chan) {
    struct pfifo_stream_record in = {.type = PFIFO_STREAM_CHANIN,
                                     .chanin = {.channel = chan->chan.channel, .space = RECORD_SPACE}};
    struct pfifo_stream_record without = *chan;
    struct reason reason;
    without.chan.notifier_bo = 0; /* no object of such a channel is a notifier */
    if (!known_accept(&client->book, &in, &reason) || !known_accept(&client->book, &without, &reason))
        return;
    struct item *item = queue_add(&client->queue);
    if (!item)
        return;
    item_add(item, &in, NULL, 0);
    item_add(item, &without, NULL, 0);
    queue_ready(&client->queue, item);
}

static bool is_mapped(const struct record_client *client, const struct record_buffer *buffer) {
    const struct known_buffer *known = known_find(&client->book.buffers, buffer->handle);
    return known && known->mappings;
}

void binds_readable(struct record_client *client, struct record_buffer *buffer) {
    if (client->has_space && is_mapped(client, buffer))
        buffers_view(&client->buffers, buffer);
}

/* ---- the end of buffers ---- */

static void end_buffer(struct record_client *client, struct record_buffer *closed) {
    const struct pfifo_stream_record record = {.type = PFIFO_STREAM_BODEL, .bodel = {.handle = closed->handle}};
    client_record(client, &record);
    buffers_drop(&client->buffers, closed);
}

void binds_close(struct record_client *client, uint32_t handle) {
    struct record_buffer *closed = buffers_close(&client->buffers, handle);
    if (closed && !is_mapped(client, closed))
        end_buffer(client, closed);
}

static void end_unmapped(struct record_client *client) {
    for (struct record_buffer *closed = client->buffers.closed, *next; closed; closed = next) {
        next = closed->closed;
        if (!is_mapped(client, closed))
            end_buffer(client, closed);
    }
}

/* ---- VM_BIND ---- */

static enum pfifo_stream_bind_how how_of(const struct uapi_bind_operation *operation) {
    bool sparse = operation->flags & UAPI_BIND_SPARSE;
    if (operation->operation == UAPI_BIND_MAP)
        return sparse ? PFIFO_STREAM_BIND_SPARSE : PFIFO_STREAM_BIND_MAP;
    return sparse ? PFIFO_STREAM_BIND_END_SPARSE : PFIFO_STREAM_BIND_UNMAP;
}

/* NULL: it is recorded; else why it is not. */
static const char *add_bind(struct record_client *client, struct item *item,
                            const struct uapi_bind_operation *operation, struct reason *reason) {
    struct record_buffer *buffer = NULL;
    struct pfifo_stream_record record = {
        .type = PFIFO_STREAM_BIND,
        .bind = {
            .space = RECORD_SPACE, .how = how_of(operation), .address = operation->address, .bytes = operation->bytes}};
    if (record.bind.how == PFIFO_STREAM_BIND_MAP) {
        buffer = client_buffer(client, operation->handle);
        if (!buffer)
            return "its buffer is not known";
        record.bind.handle = buffer->handle;
        record.bind.kind = operation->flags & UAPI_BIND_KIND;
        record.bind.offset = operation->offset;
    }
    if (!known_accept(&client->book, &record, reason))
        return reason->text;
    item_add(item, &record, NULL, 0);
    if (buffer && buffer->readable)
        buffers_view(&client->buffers, buffer);
    return NULL;
}

static void add_binds(struct record_client *client, struct item *item, const struct uapi_bind_operation *operations,
                      uint32_t count) {
    struct reason reason;
    for (uint32_t i = 0; i < count; i++) {
        const char *why = add_bind(client, item, &operations[i], &reason);
        if (why)
            queue_note(&client->queue, "an operation of VM_BIND is missing here: %s", why);
    }
}

/* A buffer that the recorder sees for the first time has its record before those of the item. */
static void find_buffers(struct record_client *client, const struct uapi_bind_operation *operations, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (how_of(&operations[i]) == PFIFO_STREAM_BIND_MAP)
            client_buffer(client, operations[i].handle);
}

void binds_vm_bind(struct record_client *client, const void *data) {
    const struct uapi_vm_bind *request = data;
    struct uapi_bind_operation *operations = NULL;
    if (client->has_space && request->operation_count <= MOST_BINDS)
        operations =
            client_read_list(client, request->operations, request->operation_count, sizeof(struct uapi_bind_operation));
    if (operations)
        find_buffers(client, operations, request->operation_count);
    struct item *item = operations ? queue_add(&client->queue) : NULL;
    if (item) {
        syncs_add(client, item, request->waits, request->wait_count, PFIFO_STREAM_SYNC_BIND_WAIT);
        add_binds(client, item, operations, request->operation_count);
        syncs_add(client, item, request->signals, request->signal_count, PFIFO_STREAM_SYNC_BIND_SIGNAL);
        queue_ready(&client->queue, item);
        end_unmapped(client);
    }
    free(operations);
}
