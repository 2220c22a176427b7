/* SPDX-License-Identifier: MIT */
/* A draw that has ended is told to observers. */
#ifndef PFIFO_SRC_ENGINE_DRAW_OBSERVE_H
#define PFIFO_SRC_ENGINE_DRAW_OBSERVE_H

struct call;
struct draw_object;

/* If it drew vertices. */
void draw_observe(struct draw_object *object, const struct call *call);

#endif
