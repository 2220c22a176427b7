/* SPDX-License-Identifier: MIT */
/* What a VMM's access to a card costs through each protocol. */
#ifndef PFIFO_BENCH_PROTOCOL_H
#define PFIFO_BENCH_PROTOCOL_H

void bench_protocol(void);

#endif
