/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback (stream output): vertices that leave the last stage before clipping are written to memory, as
 * records of 32-bit components.
 *
 *   primitive of stream s --> do its vertices fit into all buffers of s? --> a record of each vertex in each of them
 *
 * Component j of a record is at byte 4 j, and has the attribute word that the map of the buffer says; FEEDBACK_SKIP
 * leaves these bytes as they are. Records are `stride` bytes apart. A primitive that does not fit into one of the
 * buffers is written to none.
 *
 *   struct feedback_writer writer;
 *   feedback_begin(&writer, &state, write, opaque);     and its offsets, from where they are kept
 *   feedback_primitive(&writer, stream, vertices, 3) ...
 *   feedback_end(&writer)
 *
 * UNKNOWN: components beyond the stride; chosen: they are written, and a record that ends beyond its buffer does not
 * fit. UNKNOWN: whether a smaller primitive is written that comes after one which did not fit; chosen: it is.
 * UNKNOWN: COMPONENT_COUNT beyond the 128 of the map; chosen: as 128.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h (SET_STREAM_OUT_*); Mesa
 * src/gallium/drivers/nouveau/nvc0/nvc0_shader_state.c, nvc0_program.c; the OpenGL 4.6 specification, 13.3.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_FEEDBACK_H
#define PFIFO_SRC_ENGINE_DRAW_FEEDBACK_H

#include <stdbool.h>
#include <stdint.h>

#define FEEDBACK_BUFFERS    4u
#define FEEDBACK_STREAMS    4u
#define FEEDBACK_COMPONENTS 128u
#define FEEDBACK_SKIP       0xffu
#define FEEDBACK_WORDS      256u /* of the attribute space */
#define FEEDBACK_CORNERS    3u

struct feedback_buffer {
    bool enabled;
    uint8_t stream;     /* whose primitives go into it */
    uint8_t components; /* of a record */
    uint32_t stride, bytes;
    uint64_t address;
    uint8_t word[FEEDBACK_COMPONENTS]; /* of the attribute space, or FEEDBACK_SKIP */
};

struct feedback_state {
    bool enabled;
    struct feedback_buffer buffer[FEEDBACK_BUFFERS];
    uint8_t words; /* that buffers have, while it is enabled: */
    uint8_t used[FEEDBACK_SKIP];
};

/* A vertex: word w of its attribute space is attribute[w * stride]. */
struct feedback_vertex {
    const uint32_t *attribute;
    unsigned stride;
};

/* Writes memory. False: a fault, which has been raised. */
typedef bool feedback_write(void *opaque, uint64_t address, const void *data, unsigned bytes);

/* What is to be written next to a buffer: contiguous words. */
struct feedback_piece {
    uint64_t address;
    unsigned bytes;
    uint8_t data[2048];
};

struct feedback_writer {
    const struct feedback_state *state;
    uint64_t offset[FEEDBACK_BUFFERS]; /* where the next record is, in bytes */
    feedback_write *write;
    void *opaque;
    struct feedback_piece piece[FEEDBACK_BUFFERS];
};

enum feedback_result { FEEDBACK_WRITTEN, FEEDBACK_NO_ROOM, FEEDBACK_FAILED };

void feedback_begin(struct feedback_writer *writer, const struct feedback_state *state, feedback_write *write,
                    void *opaque);
/* A point, line or triangle. What is written is in memory after feedback_end() only. */
enum feedback_result feedback_primitive(struct feedback_writer *writer, unsigned stream,
                                        const struct feedback_vertex *vertices, unsigned count);
/* False: a fault. */
bool feedback_end(struct feedback_writer *writer);

/* Components that a vertex of a stream has in all buffers. */
unsigned feedback_components(const struct feedback_state *state, unsigned stream);

#endif
