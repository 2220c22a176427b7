/* SPDX-License-Identifier: MIT */
/* What engines that move memory cost, beside memcpy and memset of as many bytes. */
#ifndef PFIFO_BENCH_ENGINES_H
#define PFIFO_BENCH_ENGINES_H

void bench_engines(void);

#endif
