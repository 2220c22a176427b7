/* SPDX-License-Identifier: MIT */
/* Vertices whose attributes come as words of a method. */
#ifndef PFIFO_SRC_ENGINE_DRAW_INLINE_VERTICES_H
#define PFIFO_SRC_ENGINE_DRAW_INLINE_VERTICES_H

#include "engine/core/action.h"
#include "engine/draw/assembly.h"

struct draw_object;

void inline_vertices_state(struct draw_object *object, struct state_io *io);
void inline_vertices_free(struct draw_object *object);
void inline_vertices_begin(struct draw_object *object);

enum inline_vertices_result { INLINE_VERTICES_PART, INLINE_VERTICES_ONE, INLINE_VERTICES_NO_MEMORY };

/* A word of VERTEX_DATA. INLINE_VERTICES_ONE: it was the last one of a vertex: */
enum inline_vertices_result inline_vertices_word(struct draw_object *object, const struct call *call);
struct assembly_vertex inline_vertices_last(const struct draw_object *object, const struct call *call);
/* Four values of an attribute. */
const uint32_t *inline_vertices_value(const struct draw_object *object, uint32_t place, unsigned attribute);

#endif
