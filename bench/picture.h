/* SPDX-License-Identifier: MIT */
/* What a picture of a target costs, beside a copy. */
#ifndef PFIFO_BENCH_PICTURE_H
#define PFIFO_BENCH_PICTURE_H

void bench_picture(void);

#endif
