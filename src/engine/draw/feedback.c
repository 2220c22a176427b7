/* SPDX-License-Identifier: MIT */
#include "engine/draw/feedback.h"

#include <assert.h>

#include "memory/little_endian.h"

void feedback_begin(struct feedback_writer *writer, const struct feedback_state *state, feedback_write *write,
                    void *opaque) {
    writer->state = state;
    writer->write = write;
    writer->opaque = opaque;
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++) {
        writer->offset[b] = 0;
        writer->piece[b].address = writer->piece[b].bytes = 0;
    }
}

static bool takes(const struct feedback_buffer *buffer, unsigned stream) {
    return buffer->enabled && buffer->stream == stream;
}

unsigned feedback_components(const struct feedback_state *state, unsigned stream) {
    unsigned components = 0;
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++)
        components += takes(&state->buffer[b], stream) ? state->buffer[b].components : 0;
    return components;
}

/* ---- pieces ---- */

static bool flush(struct feedback_writer *writer, struct feedback_piece *piece) {
    unsigned bytes = piece->bytes;
    piece->bytes = 0;
    return !bytes || writer->write(writer->opaque, piece->address, piece->data, bytes);
}

static bool put(struct feedback_writer *writer, struct feedback_piece *piece, uint64_t address, uint32_t word) {
    assert(piece->bytes <= sizeof piece->data);
    if ((piece->bytes == sizeof piece->data || address != piece->address + piece->bytes) && !flush(writer, piece))
        return false;
    if (!piece->bytes)
        piece->address = address;
    store_le32(piece->data + piece->bytes, word);
    piece->bytes += 4;
    return true;
}

/* ---- primitives ---- */

static bool fits(const struct feedback_buffer *buffer, uint64_t offset, unsigned vertices) {
    uint64_t last = 4u * buffer->components > buffer->stride ? 4u * buffer->components : buffer->stride;
    if (offset > buffer->bytes) /* any number, after a load: the sum would wrap */
        return false;
    return offset + (vertices - 1) * (uint64_t)buffer->stride + last <= buffer->bytes;
}

static bool fits_in_all(const struct feedback_writer *writer, unsigned stream, unsigned vertices) {
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++) {
        const struct feedback_buffer *buffer = &writer->state->buffer[b];
        if (takes(buffer, stream) && !fits(buffer, writer->offset[b], vertices))
            return false;
    }
    return true;
}

static bool write_record(struct feedback_writer *writer, unsigned number, const struct feedback_vertex *vertex) {
    const struct feedback_buffer *buffer = &writer->state->buffer[number];
    uint64_t address = buffer->address + writer->offset[number];
    assert(buffer->components <= FEEDBACK_COMPONENTS);
    for (unsigned j = 0; j < buffer->components; j++)
        if (buffer->word[j] != FEEDBACK_SKIP && !put(writer, &writer->piece[number], address + 4 * (uint64_t)j,
                                                     vertex->attribute[buffer->word[j] * (size_t)vertex->stride]))
            return false;
    writer->offset[number] += buffer->stride;
    return true;
}

enum feedback_result feedback_primitive(struct feedback_writer *writer, unsigned stream,
                                        const struct feedback_vertex *vertices, unsigned count) {
    assert(count >= 1 && count <= FEEDBACK_CORNERS && stream < FEEDBACK_STREAMS);
    if (!fits_in_all(writer, stream, count))
        return FEEDBACK_NO_ROOM;
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++)
        for (unsigned i = 0; i < count && takes(&writer->state->buffer[b], stream); i++)
            if (!write_record(writer, b, &vertices[i]))
                return FEEDBACK_FAILED;
    return FEEDBACK_WRITTEN;
}

bool feedback_end(struct feedback_writer *writer) {
    bool good = true;
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++)
        good = flush(writer, &writer->piece[b]) && good;
    return good;
}
