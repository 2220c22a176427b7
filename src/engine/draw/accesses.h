/* SPDX-License-Identifier: MIT */
/* What a draw has read and written, for observers. */
#ifndef PFIFO_SRC_ENGINE_DRAW_ACCESSES_H
#define PFIFO_SRC_ENGINE_DRAW_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

struct call;
struct draw_object;
struct fifo;
struct draw_source;
struct draw_state;
struct texture_view;

/* Tell observers what a draw has read and written, by the state that it ended with. */
void accesses_tell(const struct draw_object *object, const struct call *call, struct draw_state *state,
                   const struct draw_source *source);
/* A texture, as its header is in memory now. False: the header makes no sense. */
bool accesses_view(struct texture_view *view, const struct draw_state *state, const struct draw_source *source,
                   const struct fifo *fifo, uint32_t header);

#endif
