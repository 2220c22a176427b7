/* SPDX-License-Identifier: MIT */
/* What draws cost, beside loops in C that fill as many pixels. */
#ifndef PFIFO_BENCH_DRAW_H
#define PFIFO_BENCH_DRAW_H

void bench_draw(void);

#endif
