/* SPDX-License-Identifier: MIT */
/* The constant buffers that programs of a draw read. */
#ifndef PFIFO_SRC_ENGINE_DRAW_CONSTANTS_H
#define PFIFO_SRC_ENGINE_DRAW_CONSTANTS_H

#define DRAW_BANKS 18u

struct draw_worker;

/* What is bound to a stage now. */
void constants_bind(struct draw_worker *work, unsigned number);

#endif
