/* SPDX-License-Identifier: MIT */
/* Memory in a reset that keeps what is in it. */
#ifndef PFIFO_SRC_MEMORY_RESET_H
#define PFIFO_SRC_MEMORY_RESET_H

struct memory;
struct state_io;

/* memory_state() without the pages: what registers say of page tables, and the TLB. */
void memory_state_registers(struct memory *memory, struct state_io *io);

#endif
