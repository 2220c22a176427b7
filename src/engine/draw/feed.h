/* SPDX-License-Identifier: MIT */
/* Vertices of a method: they wait in the object's queue, and are drawn in slices. */
#ifndef PFIFO_SRC_ENGINE_DRAW_FEED_H
#define PFIFO_SRC_ENGINE_DRAW_FEED_H

#include "engine/core/action.h"
#include "engine/draw/assembly.h"

#define FEED_QUEUE    512u       /* vertices that wait */
#define FEED_NO_LIMIT UINT32_MAX /* of inline indices */

struct draw_pipeline;

struct feed_item {
    struct assembly_vertex vertex;
    bool restart; /* no vertex: the primitive ends */
};

/* Vertices of a method: the next one, by its number in the method. */
struct feed {
    uint64_t count;
    bool whole;         /* they are drawn when the method is done */
    bool end;           /* the last one is none: the primitive ends */
    uint32_t instances; /* so many times, as instances from 0 on; 0: once, as the instance that it is */
    bool (*next)(struct draw_pipeline *pipeline, const struct feed *feed, uint64_t number, struct feed_item *item);
    uint32_t first;
    unsigned bytes; /* of an index */
};

bool feed_array(struct draw_pipeline *pipeline, const struct feed *feed, uint64_t number, struct feed_item *item);
bool feed_elements(struct draw_pipeline *pipeline, const struct feed *feed, uint64_t number, struct feed_item *item);
bool feed_inline(struct draw_pipeline *pipeline, const struct feed *feed, uint64_t number, struct feed_item *item);
bool feed_zeros(struct draw_pipeline *pipeline, const struct feed *feed, uint64_t number, struct feed_item *item);
bool feed_data(struct draw_pipeline *pipeline, const struct feed *feed, uint64_t number, struct feed_item *item);

/* Draw them, or a slice of them. */
enum action_result feed_vertices(const struct call *call, const struct feed *feed);

#endif
