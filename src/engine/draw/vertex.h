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

/* Where the attribute of a vertex is. False: it has to come from the substitute. */
bool vertex_address(const struct vertex_streams *streams, const struct vertex_attribute *attribute,
                    const struct vertex_number *vertex, uint64_t *address);

/* The values of an attribute, whose bytes are known. */
void vertex_unpack(const struct vertex_attribute *attribute, const uint8_t bytes[VERTEX_MOST_BYTES], uint32_t out[4]);

/* Both. The attribute is not constant. False: memory cannot be read. */
bool vertex_fetch(const struct vertex_streams *streams, const struct vertex_attribute *attribute,
                  const struct vertex_number *vertex, vertex_read *read, void *opaque, uint32_t out[4]);

#endif
