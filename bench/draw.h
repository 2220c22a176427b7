/* SPDX-License-Identifier: MIT */
/* What draws cost the engine. */
#ifndef PFIFO_BENCH_DRAW_H
#define PFIFO_BENCH_DRAW_H

void bench_draw(void);

#endif
