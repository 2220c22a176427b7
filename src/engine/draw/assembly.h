/* SPDX-License-Identifier: MIT */
/*
 * Primitives from vertices: one vertex after the other goes in, points, lines and triangles come out, in the order of
 * vertices that the provoking vertex asks for: it stands first or last.
 *
 *   assembly_begin(&assembly, topology, last)
 *   assembly_vertex(&assembly, &vertex, primitives)      how many primitives it has completed: at most ASSEMBLY_MOST
 *   assembly_restart(&assembly, primitives)              an index that restarts, or END: loops close
 *
 * What it keeps between vertices is small, and all of it can be saved: it is the same whether vertices come one by one
 * or in batches. It does not look into vertices.
 *
 * Primitives with adjacency have their neighbours among their corners, in the order in which vertices come: v0 and its
 * line's other neighbour at the ends of four, each edge's neighbour after the corner where the edge begins of six. They are
 * for geometry programs; without one, only the inner primitive is drawn.
 * UNKNOWN: how hardware splits quads; chosen: as gallium's draw_decompose_tmp.h does.
 *
 * Sources: the OpenGL 4.6 specification, 10.1; NVIDIA open-gpu-doc classes/3d/cl9097.h (BEGIN); Mesa
 * src/gallium/auxiliary/draw/draw_decompose_tmp.h (orders by provoking vertex).
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_ASSEMBLY_H
#define PFIFO_SRC_ENGINE_DRAW_ASSEMBLY_H

#include <stdbool.h>
#include <stdint.h>

#define ASSEMBLY_CORNERS 32u /* of a patch */
#define ASSEMBLY_HELD    32u
#define ASSEMBLY_MOST    2u /* primitives that a vertex completes */

/* Topologies by their number in BEGIN. */
enum assembly_topology {
    TOPOLOGY_POINTS,
    TOPOLOGY_LINES,
    TOPOLOGY_LINE_LOOP,
    TOPOLOGY_LINE_STRIP,
    TOPOLOGY_TRIANGLES,
    TOPOLOGY_TRIANGLE_STRIP,
    TOPOLOGY_TRIANGLE_FAN,
    TOPOLOGY_QUADS,
    TOPOLOGY_QUAD_STRIP,
    TOPOLOGY_POLYGON,
    TOPOLOGY_LINES_ADJACENCY,
    TOPOLOGY_LINE_STRIP_ADJACENCY,
    TOPOLOGY_TRIANGLES_ADJACENCY,
    TOPOLOGY_TRIANGLE_STRIP_ADJACENCY,
    TOPOLOGY_PATCHES,
    TOPOLOGIES,
};

struct assembly_vertex {
    uint32_t number, id; /* to fetch it again; VertexID */
    bool edge;           /* edge flag */
    bool with_data;      /* its attributes came with it: `number` is where they are kept */
    uint8_t lane;        /* where the owner has it, for as long as it likes */
};

struct assembly {
    uint8_t topology;
    bool last;      /* the provoking vertex is the last one */
    uint8_t patch;  /* vertices of a patch: 1 .. ASSEMBLY_CORNERS; with another number there are no patches */
    uint64_t count; /* of vertices since the beginning, or the last restart */
    uint32_t id;    /* of the next primitive */
    uint8_t held;   /* of vertices below that are of use */
    struct assembly_vertex vertex[ASSEMBLY_HELD];
};

struct assembled {
    uint8_t corners; /* 1 point, 2 line, 3 triangle; 4 and 6: with neighbours; or of a patch */
    uint8_t edges;   /* bit i: the edge from corner i on is one of the polygon */
    bool patch;
    bool first;  /* of its strip, or separate */
    bool counts; /* as a primitive: the last triangle of a quad or a polygon does, and all others */
    uint32_t id;
    struct assembly_vertex provoking, corner[ASSEMBLY_CORNERS];
};

void assembly_begin(struct assembly *assembly, unsigned topology, bool last);
unsigned assembly_vertex(struct assembly *assembly, const struct assembly_vertex *vertex,
                         struct assembled out[ASSEMBLY_MOST]);
unsigned assembly_restart(struct assembly *assembly, struct assembled out[ASSEMBLY_MOST]);

#endif
