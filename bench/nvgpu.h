/* SPDX-License-Identifier: MIT */
/* What a submission through the calls of a Tegra's driver costs. */
#ifndef PFIFO_BENCH_NVGPU_H
#define PFIFO_BENCH_NVGPU_H

void bench_nvgpu(void);

#endif
