/* SPDX-License-Identifier: MIT */
/*
 * Attributes of vertices: where they lie in memory, and what their bytes mean. Fermi to Pascal; the formats are Tesla's
 * as well.
 *
 *   vertex_attribute(&attribute, word)                 once for each word that changes
 *   vertex_fetch(&streams, attribute, from, out)       an attribute of a vertex: four 32-bit values
 *
 * A fetch that ends beyond the limit of its stream, or from a stream that is not enabled, takes the attribute from the
 * substitute address instead.
 * UNKNOWN: a substitute of 0; chosen: it reads as zeros.
 * UNKNOWN: sizes and types that do not exist raise an error on hardware; chosen: the attribute is constant.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h; envytools rnndb/graph/gf100_3d.xml; Mesa
 * src/gallium/drivers/nouveau/nv50/nv50_formats.c, nvc0/nvc0_vbo.c; the OpenGL 4.6 specification, 2.3.5 (fixed point).
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_VERTEX_H
#define PFIFO_SRC_ENGINE_DRAW_VERTEX_H

#include <stdbool.h>
#include <stdint.h>

#define VERTEX_ATTRIBUTES 32u
#define VERTEX_STREAMS    32u
#define VERTEX_MOST_BYTES 16u /* of an attribute */
#define VERTEX_LANES      32u

enum vertex_type {
    VERTEX_SNORM = 1,
    VERTEX_UNORM,
    VERTEX_SINT,
    VERTEX_UINT,
    VERTEX_USCALED,
    VERTEX_SSCALED,
    VERTEX_FLOAT,
};

/* The bits of a component in the attribute, which is little endian. 0 bits: it is not there. */
struct vertex_component {
    uint8_t shift, bits;
};

struct vertex_attribute {
    bool constant; /* not from memory */
    uint8_t stream;
    uint8_t type; /* enum vertex_type */
    bool swap;    /* x and z */
    uint16_t offset;
    uint8_t bytes;
    uint8_t words; /* components of 32 bits that are taken as they are; 0: there are others */
    const struct vertex_component *component; /* of 4 */
};

struct vertex_stream {
    bool enabled, per_instance;
    uint16_t stride;
    uint32_t divisor;
    uint64_t start, limit; /* the last byte */
};

struct vertex_streams {
    struct vertex_stream stream[VERTEX_STREAMS];
    uint64_t base;       /* of all of them */
    uint64_t substitute; /* 0: zeros */
    uint64_t address_mask;
};

/* Which vertex. */
struct vertex_number {
    uint32_t number;        /* with the base vertex */
    uint32_t instance;      /* from 0 */
    uint32_t base_instance; /* added after the division */
};

/* Reads memory: `bytes` at the address. False: it cannot be read. */
typedef bool vertex_read(void *opaque, uint64_t address, void *data, unsigned bytes);

/* By SET_VERTEX_ATTRIBUTE. */
void vertex_attribute(struct vertex_attribute *attribute, uint32_t word);

/* Where an attribute of vertices is: of a vertex that is no more than its number, */
struct vertex_place {
    bool enabled, same;    /* all vertices have the same element */
    uint32_t element;      /* that one */
    uint64_t start, bytes; /* of element 0 in its stream; between two */
    uint64_t last, limit;  /* the last byte, from the first; of the stream */
    uint64_t base, mask;
};

static inline struct vertex_place vertex_place(const struct vertex_streams *streams,
                                               const struct vertex_attribute *attribute,
                                               const struct vertex_number *vertex) {
    const struct vertex_stream *stream = &streams->stream[attribute->stream % VERTEX_STREAMS];
    return (struct vertex_place){.enabled = stream->enabled,
                                 .same = stream->per_instance,
                                 .element =
                                     vertex->base_instance + (stream->divisor ? vertex->instance / stream->divisor : 0),
                                 .start = stream->start + attribute->offset,
                                 .bytes = stream->stride,
                                 .last = attribute->bytes - UINT64_C(1),
                                 .limit = stream->limit,
                                 .base = streams->base,
                                 .mask = streams->address_mask};
}

/* ... its address. False: it has to come from the substitute. */
static inline bool vertex_address(const struct vertex_place *place, uint32_t number, uint64_t *address) {
    uint64_t inside = place->start + place->bytes * (place->same ? place->element : number);
    *address = (place->base + inside) & place->mask;
    return place->enabled && inside + place->last <= place->limit;
}

/* The values of an attribute, whose bytes are known. */
void vertex_unpack(const struct vertex_attribute *attribute, const uint8_t bytes[VERTEX_MOST_BYTES], uint32_t out[4]);

/* The same of up to VERTEX_LANES vertices: value i of vertex v is out[i][v]. */
void vertex_unpack_lanes(const struct vertex_attribute *attribute, const uint8_t *const bytes[VERTEX_LANES],
                         unsigned lanes, uint32_t (*out)[VERTEX_LANES]);

/* Both. The attribute is not constant. False: memory cannot be read. */
bool vertex_fetch(const struct vertex_streams *streams, const struct vertex_attribute *attribute,
                  const struct vertex_number *vertex, vertex_read *read, void *opaque, uint32_t out[4]);

#endif
