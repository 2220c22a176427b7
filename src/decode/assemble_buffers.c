/* SPDX-License-Identifier: MIT */
/*
 * Memory beside the pushbuffer. Its words are in the result where its lines are; the pushbuffer is the rest.
 *
 *   nop            base + 0
 *   buffer done 4096         page + 0, after the pushbuffer, with a page between
 *     data 5
 *   endbuffer
 *   nop            base + 4
 */
#include "decode/assemble.h"

#include <string.h>

#define PAGE_BYTES  UINT64_C(4096)
#define MOST_BYTES  (UINT64_C(1) << 32)
#define SPACE_BYTES (UINT64_C(1) << 49)

static enum pfifo_status assemble_buffers_read_bytes(struct assembler *assembler, const char *what, uint64_t max,
                                                     uint64_t *value) {
    int64_t number;

    if (!assemble_integer(assembler->token, &number) || number <= 0 || (uint64_t)number > max)
        return assemble_wrong(assembler, what);
    *value = (uint64_t)number;
    return PFIFO_OK;
}

/* BYTES [ADDRESS]; an address of 0: where there is room. */
static enum pfifo_status read_size(struct assembler *assembler, struct pfifo_assemble_buffer *buffer) {
    enum pfifo_status status;

    if (!assemble_token(assembler))
        return assemble_wrong(assembler, "the bytes of the buffer are missing");
    status = assemble_buffers_read_bytes(assembler, "no number of bytes:", MOST_BYTES, &buffer->bytes);
    buffer->bytes = (buffer->bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    if (status != PFIFO_OK || !assemble_token(assembler))
        return status;
    status = assemble_buffers_read_bytes(assembler, "no address of a buffer:", SPACE_BYTES - buffer->bytes,
                                         &buffer->address);
    if (status == PFIFO_OK && buffer->address % PAGE_BYTES)
        return assemble_wrong(assembler, "buffers are at multiples of 4096, not at");
    if (status == PFIFO_OK && assemble_token(assembler))
        return assemble_wrong(assembler, "too much:");
    return status;
}

enum pfifo_status assemble_open_buffer(struct assembler *assembler) {
    struct assemble_buffers *all = &assembler->buffers;
    struct pfifo_assemble_buffer buffer = {.first = assembler->count};
    enum pfifo_status status;

    if (!all->told)
        return assemble_wrong(assembler, "only a capture has buffers beside the words:");
    if (all->open)
        return assemble_wrong(assembler, "the buffer before has no endbuffer:");
    if (all->count == PFIFO_ASSEMBLE_BUFFERS)
        return assemble_wrong(assembler, "more than 64 buffers:");
    /* Open, whatever is wrong with it: its lines are no commands of the pushbuffer. */
    all->open = ++all->count;
    all->line = assembler->line;
    all->buffer[all->count - 1] = buffer;
    if (!assemble_token(assembler) || !assemble_is_label(assembler->token, strlen(assembler->token)))
        return assemble_wrong(assembler, assembler->token_bytes ? "no name of a buffer:" : "the name is missing");
    status = assemble_define_label(assembler, assembler->token_bytes);
    if (status == PFIFO_OK)
        status = read_size(assembler, &buffer);
    if (status == PFIFO_OK)
        all->buffer[all->count - 1] = buffer;
    return status;
}

enum pfifo_status assemble_close_buffer(struct assembler *assembler) {
    struct assemble_buffers *all = &assembler->buffers;
    struct pfifo_assemble_buffer *buffer = all->open ? &all->buffer[all->open - 1] : NULL;

    if (!buffer)
        return assemble_wrong(assembler, "there is no buffer before");
    all->open = 0;
    buffer->count = assembler->count - buffer->first;
    if (buffer->bytes && buffer->count > buffer->bytes / 4)
        return assemble_error(assembler, all->line, 1, "the buffer has %zu words, and not so many bytes",
                              buffer->count);
    return assemble_token(assembler) ? assemble_wrong(assembler, "too much:") : PFIFO_OK;
}

/* Of the pushbuffer, how many words are before that place. */
static uint64_t words_before(const struct assembler *assembler, size_t at) {
    const struct assemble_buffers *all = &assembler->buffers;
    uint64_t words = at;

    for (unsigned i = 0; i < all->count && all->buffer[i].first + all->buffer[i].count <= at; i++)
        words -= all->buffer[i].count;
    return words;
}

void assemble_place_buffers(struct assembler *assembler) {
    struct assemble_buffers *all = &assembler->buffers;
    uint64_t next;

    if (all->open) {
        assemble_error(assembler, all->line, 1, "the buffer has no endbuffer");
        return;
    }
    /* A return may be put after the pushbuffer. */
    next = assembler->base + 4 * words_before(assembler, assembler->count) + 4;
    for (unsigned i = 0; i < all->count; i++)
        if (all->buffer[i].address && all->buffer[i].address + all->buffer[i].bytes > next)
            next = all->buffer[i].address + all->buffer[i].bytes;
    next = (next + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES;
    for (unsigned i = 0; i < all->count; i++)
        if (!all->buffer[i].address) {
            all->buffer[i].address = next;
            next += all->buffer[i].bytes + PAGE_BYTES;
        }
}

uint64_t assemble_address_of(const struct assembler *assembler, const struct assemble_label *label) {
    if (label->buffer) {
        const struct pfifo_assemble_buffer *buffer = &assembler->buffers.buffer[label->buffer - 1];
        return buffer->address + 4 * (uint64_t)(label->at - buffer->first);
    }
    return assembler->base + 4 * words_before(assembler, label->at);
}

void assemble_tell_buffers(const struct assembler *assembler) {
    for (unsigned i = 0; i < assembler->buffers.count; i++)
        assembler->buffers.told(assembler->buffers.opaque, &assembler->buffers.buffer[i]);
}
