/* SPDX-License-Identifier: MIT */
/* What samples of textures cost, beside a loop in C. */
#ifndef PFIFO_BENCH_TEXTURE_H
#define PFIFO_BENCH_TEXTURE_H

void bench_texture(void);

#endif
