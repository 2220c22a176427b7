/* SPDX-License-Identifier: MIT */
#include "engine/draw/assembly.h"

#include <assert.h>

#define HERE 63u /* the vertex that comes now; smaller numbers are of those that are held */

enum edges { EDGE_0 = 1, EDGE_1 = 2, EDGE_2 = 4, EDGES = 7 };

_Static_assert(HERE >= ASSEMBLY_HELD, "it is none of those that are held");

/* A primitive as numbers of vertices; [1]: with the provoking vertex last. Edges follow the order of corners. */
struct shape {
    uint8_t corners, edges[2], order[2][6];
};

#define ALL_EDGES                                                                                                      \
    { EDGES, EDGES }

/*
 * A topology that is made of groups: `size` vertices make its first primitive (or two), each `step` more the next one.
 * Groups do not share vertices if both are the same.
 */
struct rule {
    uint8_t size, step, shapes;
    bool separate; /* each primitive stands for itself */
    bool flags;    /* edge flags matter */
    struct shape shape[2];
    struct shape odd; /* corners != 0: of odd primitives of a strip */
};

static const struct rule rules[TOPOLOGIES] = {
    [TOPOLOGY_POINTS] = {1, 1, 1, true, false, {{1, ALL_EDGES, {{HERE}, {HERE}}}}, {0}},
    [TOPOLOGY_LINES] = {2, 2, 1, true, false, {{2, ALL_EDGES, {{0, HERE}, {0, HERE}}}}, {0}},
    [TOPOLOGY_LINE_STRIP] = {2, 1, 1, false, false, {{2, ALL_EDGES, {{0, HERE}, {0, HERE}}}}, {0}},
    [TOPOLOGY_TRIANGLES] = {3, 3, 1, true, true, {{3, ALL_EDGES, {{0, 1, HERE}, {0, 1, HERE}}}}, {0}},
    [TOPOLOGY_TRIANGLE_STRIP] = {3,
                                 1,
                                 1,
                                 false,
                                 false,
                                 {{3, ALL_EDGES, {{0, 1, HERE}, {0, 1, HERE}}}},
                                 {3, ALL_EDGES, {{0, HERE, 1}, {1, 0, HERE}}}},
    /* The diagonal of a quad is no edge of it. */
    [TOPOLOGY_QUADS] = {4,
                        4,
                        2,
                        true,
                        true,
                        {{3, {EDGE_0 | EDGE_1, EDGE_0 | EDGE_2}, {{0, 1, 2}, {0, 1, HERE}}},
                         {3, {EDGE_1 | EDGE_2, EDGE_0 | EDGE_1}, {{0, 2, HERE}, {1, 2, HERE}}}},
                        {0}},
    [TOPOLOGY_QUAD_STRIP] = {4,
                             2,
                             2,
                             false,
                             false,
                             {{3, {EDGE_1 | EDGE_2, EDGE_0 | EDGE_2}, {{0, HERE, 2}, {2, 0, HERE}}},
                              {3, {EDGE_0 | EDGE_1, EDGE_0 | EDGE_1}, {{0, 1, HERE}, {0, 1, HERE}}}},
                             {0}},
    [TOPOLOGY_LINES_ADJACENCY] = {4, 4, 1, true, false, {{4, ALL_EDGES, {{0, 1, 2, HERE}, {0, 1, 2, HERE}}}}, {0}},
    [TOPOLOGY_LINE_STRIP_ADJACENCY] =
        {4, 1, 1, false, false, {{4, ALL_EDGES, {{0, 1, 2, HERE}, {0, 1, 2, HERE}}}}, {0}},
    [TOPOLOGY_TRIANGLES_ADJACENCY] =
        {6, 6, 1, true, false, {{6, ALL_EDGES, {{0, 1, 2, 3, 4, HERE}, {0, 1, 2, 3, 4, HERE}}}}, {0}},
};

void assembly_begin(struct assembly *assembly, unsigned topology, bool last) {
    *assembly = (struct assembly){.topology = topology < TOPOLOGIES ? (uint8_t)topology : TOPOLOGIES, .last = last};
}

static struct assembly_vertex vertex_of(const struct assembly *assembly, unsigned number,
                                        const struct assembly_vertex *here) {
    return number == HERE ? *here : assembly->vertex[number % ASSEMBLY_HELD];
}

/* Which corner provokes: of those that are no neighbours. */
static const uint8_t provoking[2][7] = {{0, 0, 0, 0, 1, 0, 0}, {0, 0, 1, 2, 2, 0, 4}};

/* All of *out but for the corners that it does not have. */
static void make(const struct assembly *assembly, const struct shape *shape, const struct assembly_vertex *here,
                 struct assembled *out) {
    assert(shape->corners >= 1 && shape->corners <= 6 && shape->corners != 5);
    const uint8_t *order = shape->order[assembly->last];
    out->corners = shape->corners;
    out->edges = shape->edges[assembly->last];
    out->id = assembly->id;
    out->patch = out->first = out->counts = false;
    for (unsigned i = 0; i < shape->corners; i++)
        out->corner[i] = vertex_of(assembly, order[i], here);
    out->provoking = out->corner[provoking[assembly->last][shape->corners]];
}

/* Edge flags of the corners take edges away. */
static void apply_flags(struct assembled *out) {
    for (unsigned i = 0; i < out->corners; i++)
        if (!out->corner[i].edge)
            out->edges &= (uint8_t) ~(1u << i);
}

static void hold(struct assembly *assembly, const struct assembly_vertex *vertex) {
    assert(assembly->held < ASSEMBLY_HELD);
    assembly->vertex[assembly->held++ % ASSEMBLY_HELD] = *vertex;
}

static void drop(struct assembly *assembly, unsigned count) {
    assert(count <= assembly->held);
    for (unsigned i = count; i < assembly->held; i++)
        assembly->vertex[i - count] = assembly->vertex[i];
    assembly->held = (uint8_t)(assembly->held - count);
}

static unsigned by_rule(struct assembly *assembly, const struct rule *rule, const struct assembly_vertex *vertex,
                        struct assembled *out) {
    assert(rule->size && rule->step && rule->shapes <= ASSEMBLY_MOST);
    if (assembly->held + 1u < rule->size) {
        hold(assembly, vertex);
        return 0;
    }
    uint64_t number = (assembly->count - rule->size) / rule->step;
    for (unsigned i = 0; i < rule->shapes; i++) {
        const struct shape *shape = rule->odd.corners && number % 2 ? &rule->odd : &rule->shape[i];
        make(assembly, shape, vertex, &out[i]);
        out[i].first = rule->separate || number == 0;
        out[i].counts = i + 1u == rule->shapes;
        if (rule->flags)
            apply_flags(&out[i]);
    }
    assembly->id++;
    if (rule->step == rule->size) {
        assembly->held = 0;
    } else {
        hold(assembly, vertex);
        drop(assembly, rule->step);
    }
    return rule->shapes;
}

/* Vertex 0 stays, and the one before. */
static unsigned fan(struct assembly *assembly, const struct assembly_vertex *vertex, struct assembled *out) {
    static const struct shape triangle = {3, ALL_EDGES, {{1, HERE, 0}, {0, 1, HERE}}};
    if (assembly->held < 2) {
        hold(assembly, vertex);
        return 0;
    }
    make(assembly, &triangle, vertex, out);
    out->first = assembly->count == 3;
    out->counts = true;
    assembly->id++;
    assembly->vertex[1] = *vertex;
    return 1;
}

/* The triangle of vertices 0, 1 and 2 that are held. Vertex 0 provokes, whatever the convention. */
static void polygon_part(const struct assembly *assembly, bool first, bool end, struct assembled *out) {
    static const struct shape parts = {3, {EDGE_1, EDGE_0}, {{0, 1, 2}, {1, 2, 0}}};
    static const uint8_t starts[2] = {EDGE_0, EDGE_2}, ends[2] = {EDGE_2, EDGE_1};
    make(assembly, &parts, &assembly->vertex[0], out);
    out->edges |= (uint8_t)((first ? starts[assembly->last] : 0) | (end ? ends[assembly->last] : 0));
    apply_flags(out);
    out->provoking = assembly->vertex[0];
    out->first = first;
    out->counts = end;
}

/* A triangle late: only the next vertex says that the one before was not the last. */
static unsigned polygon(struct assembly *assembly, const struct assembly_vertex *vertex, struct assembled *out) {
    if (assembly->held < 3) {
        hold(assembly, vertex);
        return 0;
    }
    polygon_part(assembly, assembly->count == 4, false, out);
    assembly->vertex[1] = assembly->vertex[2];
    assembly->vertex[2] = *vertex;
    return 1;
}

/* As a strip, and vertex 0 is kept for the closing line. What is loaded may hold it alone. */
static unsigned loop(struct assembly *assembly, const struct assembly_vertex *vertex, struct assembled *out) {
    static const struct shape line = {2, ALL_EDGES, {{1, HERE}, {1, HERE}}};
    if (assembly->held < 2) {
        while (assembly->held < 2)
            hold(assembly, vertex);
        return 0;
    }
    make(assembly, &line, vertex, out);
    out->first = assembly->count == 2;
    out->counts = true;
    assembly->id++;
    assembly->vertex[1] = *vertex;
    return 1;
}

/* ---- strips of triangles with adjacency ---- */

#define STRIP_HELD 9u /* vertices 2 i - 2 .. 2 i + 6 of triangle i; of triangle 0 those from 0 on */

/*
 * Corners v0 v1 v2 of triangle i are vertices 2 i, 2 i + 2, 2 i + 4; the neighbour of the edge from v1 is 2 i + 6, but of
 * the strip's last triangle 2 i + 5. Every other triangle is turned round, by the provoking vertex.
 */
static void strip_triangle(struct assembly *assembly, uint64_t number, bool end, struct assembled *out) {
    static const uint8_t turned[3][6] = {{0, 1, 2, 3, 4, 5}, {0, 5, 4, 3, 2, 1}, {2, 1, 0, 5, 4, 3}};
    unsigned base = number ? 2 : 0, row = number % 2 ? 1u + assembly->last : 0;
    const uint8_t plain[6] = {(uint8_t)base,       (uint8_t)(number ? 0 : 1),
                              (uint8_t)(base + 2), (uint8_t)(base + (end ? 5 : 6)),
                              (uint8_t)(base + 4), (uint8_t)(base + 3)};
    struct shape shape = {6, ALL_EDGES, {{0}}};
    for (unsigned i = 0; i < 6; i++)
        shape.order[assembly->last][i] = plain[turned[row][i]];
    make(assembly, &shape, &assembly->vertex[0], out);
    out->first = number == 0;
    out->counts = true;
    assembly->id++;
}

/* Vertices that triangle `number` needs if it is the last one. What is loaded may hold fewer, or more. */
static unsigned strip_held(uint64_t number) {
    return number ? STRIP_HELD - 1 : STRIP_HELD - 3;
}

/* A triangle late: it is the last one unless two more vertices come. */
static unsigned strip_with_neighbours(struct assembly *assembly, const struct assembly_vertex *vertex,
                                      struct assembled *out) {
    uint64_t number = (assembly->count - 8) / 2;
    bool complete = assembly->count >= 8 && assembly->count % 2 == 0 && assembly->held >= strip_held(number) + 1;
    if (complete)
        strip_triangle(assembly, number, false, out);
    if (complete && number)
        drop(assembly, 2);
    if (assembly->held >= STRIP_HELD)
        drop(assembly, assembly->held - STRIP_HELD + 1);
    hold(assembly, vertex);
    return complete;
}

/* UNKNOWN: a patch of no vertices, or of more than 32; chosen: it never comes. */
static unsigned patch(struct assembly *assembly, const struct assembly_vertex *vertex, struct assembled *out) {
    const unsigned size = assembly->patch;
    if (size < 1 || size > ASSEMBLY_CORNERS)
        return 0;
    if (assembly->held + 1u < size) {
        hold(assembly, vertex);
        return 0;
    }
    out->corners = (uint8_t)size;
    out->edges = 0;
    out->id = assembly->id++;
    out->patch = out->first = out->counts = true;
    for (unsigned i = 0; i < size; i++)
        out->corner[i] = i + 1 < size ? assembly->vertex[i] : *vertex;
    out->provoking = out->corner[0];
    assembly->held = 0;
    return 1;
}

unsigned assembly_vertex(struct assembly *assembly, const struct assembly_vertex *vertex,
                         struct assembled out[ASSEMBLY_MOST]) {
    assembly->count++;
    switch (assembly->topology) {
    case TOPOLOGY_POLYGON:
        return polygon(assembly, vertex, out);
    case TOPOLOGY_TRIANGLE_FAN:
        return fan(assembly, vertex, out);
    case TOPOLOGY_LINE_LOOP:
        return loop(assembly, vertex, out);
    case TOPOLOGY_TRIANGLE_STRIP_ADJACENCY:
        return strip_with_neighbours(assembly, vertex, out);
    case TOPOLOGY_PATCHES:
        return patch(assembly, vertex, out);
    case TOPOLOGIES:
        return 0;
    default:
        return by_rule(assembly, &rules[assembly->topology], vertex, out);
    }
}

unsigned assembly_restart(struct assembly *assembly, struct assembled out[ASSEMBLY_MOST]) {
    static const struct shape closing = {2, ALL_EDGES, {{1, 0}, {1, 0}}};
    unsigned made = 0;
    bool loops = assembly->topology == TOPOLOGY_LINE_LOOP && assembly->held == 2; /* what is loaded may hold none */
    if (loops && assembly->count >= 2) {
        make(assembly, &closing, &assembly->vertex[0], out);
        out->counts = true;
        assembly->id++;
        made = 1;
    } else if (assembly->topology == TOPOLOGY_POLYGON && assembly->held == 3) {
        polygon_part(assembly, assembly->count == 3, true, out);
        assembly->id++;
        made = 1;
    } else if (assembly->topology == TOPOLOGY_TRIANGLE_STRIP_ADJACENCY && assembly->count >= 6 &&
               assembly->held >= strip_held((assembly->count - 6) / 2)) {
        strip_triangle(assembly, (assembly->count - 6) / 2, true, out);
        made = 1;
    }
    assembly->count = 0;
    assembly->held = 0;
    return made;
}
