/* SPDX-License-Identifier: MIT */
/* A reset of the memory unit that keeps the contents of memory. */
#ifndef PFIFO_SRC_MEMORY_RESET_H
#define PFIFO_SRC_MEMORY_RESET_H

struct memory;
struct state_io;

/* memory_state() without the pages: the page table settings of registers, and the TLB. */
void memory_state_registers(struct memory *memory, struct state_io *io);

#endif
