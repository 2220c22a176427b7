/* SPDX-License-Identifier: MIT */
#ifndef PFIFO_BENCH_LINT_H
#define PFIFO_BENCH_LINT_H

void bench_lint(void);

#endif
