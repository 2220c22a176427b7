/* SPDX-License-Identifier: MIT */
/* What the files about G80 .. MCP89 share. */
#ifndef PFIFO_TESTS_FIFO_RANDOM_G80_H
#define PFIFO_TESTS_FIFO_RANDOM_G80_H

#include "fifo_random/fifo_random.h"

#define G80_USER 0xc00000u
#define G80_PIO  0x800000u
#define RING     0xe00u /* of a channel's page, to its end */

/* g80_setup.c. Live channels are given by their number in bench.live. */
void g80_setup(struct bench *b);
void g80_enable(struct bench *b, uint32_t live, bool on);
void g80_playlist(struct bench *b); /* a new one */
void g80_poke_ramfc(struct bench *b, uint32_t live, uint32_t offset, uint32_t value);
void g80_submit(struct bench *b, uint32_t live, bool now); /* what was pushed; else: by the channel's RAMFC */
void g80_change_page(struct bench *b);

/* g80_actions.c */
bool g80_something(struct bench *b);
bool g80_kick(struct bench *b);
bool g80_table(struct bench *b); /* an entry of the channel table goes and comes */

/* g80_life.c */
bool g80_live(struct bench *b);
void g80_driver(struct bench *b);

#endif
