/* SPDX-License-Identifier: MIT */
/*
 * What a geometry program has emitted: vertices, lane after lane, and the points, lines and triangles that they are.
 *
 *   program --> struct shade_emission: vertices with streams and cuts --> struct emitted_primitive --> blocks
 *
 * A lane is a primitive and an instance. Each stream of it has strips of its own, which end with a cut, or with the lane.
 * A warp has so many lanes that there is room for all that they may emit.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_EMITTED_H
#define PFIFO_SRC_ENGINE_DRAW_EMITTED_H

#include "engine/shade/warp.h"

struct block_words;
struct state_io;

#define EMITTED_MOST    1024u /* vertices of a lane */
#define EMITTED_ALL     4096u /* of a warp: a lane may always emit EMITTED_MOST */
#define EMITTED_STREAMS (SHADE_EMITTED_STREAM + 1u)
#define EMITTED_CORNERS 3u

enum emitted_topology { EMITTED_POINTS, EMITTED_LINES, EMITTED_TRIANGLES };

struct emitted_primitive {
    uint8_t lane, stream, corners, provoking; /* which corner provokes */
    bool first;                               /* of its strip */
    uint16_t corner[EMITTED_CORNERS];         /* vertices of `emission` */
};

struct emitted {
    unsigned lanes; /* of the warp that has run; 0: none */
    struct shade_emission emission;
    uint8_t kept[SHADE_ATTRIBUTES];
    uint8_t marks[EMITTED_ALL];
    uint32_t *words;
    size_t words_room;

    bool listed; /* the primitives follow from the vertices */
    unsigned count;
    struct emitted_primitive primitive[EMITTED_ALL];
};

void emitted_free(struct emitted *emitted);

/* Lanes of a warp, each of which emits up to `most` vertices. */
unsigned emitted_lanes(unsigned most);
/* Before a warp of so many lanes, whose vertices have these words. False: no memory. */
bool emitted_begin(struct emitted *emitted, unsigned lanes, unsigned most, const struct block_words *words);
/* The primitives, by the topology and the convention of the provoking vertex. */
void emitted_list(struct emitted *emitted, enum emitted_topology topology, bool provoking_last);
/* What has been emitted is saved and loaded. */
void emitted_state(struct emitted *emitted, struct state_io *io);

#endif
