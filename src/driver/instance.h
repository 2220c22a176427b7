/* SPDX-License-Identifier: MIT */
/* Instance memory: what the kernel driver itself keeps for the GPU. */
#ifndef PFIFO_SRC_DRIVER_INSTANCE_H
#define PFIFO_SRC_DRIVER_INSTANCE_H

#include "driver/device.h"

/* Instance memory, cleared: RAMIN before G80, VRAM on G80 and later. 0: none left. */
uint64_t inst_alloc(struct pfifo_device *device, uint64_t bytes, uint64_t align);
/* The same for what stays as long as its address space: page tables, of which there are many. */
uint64_t inst_alloc_kept(struct pfifo_device *device, uint64_t bytes, uint64_t align);
/* False: it was not taken, or (without host memory to split the range) stays so. */
bool inst_free_kept(struct pfifo_device *device, uint64_t address, uint64_t bytes);
/* How much is left, not all of it in one piece. */
uint64_t inst_left(struct pfifo_device *device);
void inst_free(struct pfifo_device *device, uint64_t address);
uint32_t inst_rd32(struct pfifo_device *device, uint64_t address);
void inst_wr32(struct pfifo_device *device, uint64_t address, uint32_t value);
uint64_t inst_rd64(struct pfifo_device *device, uint64_t address);
void inst_wr64(struct pfifo_device *device, uint64_t address, uint64_t value);
/* Access to instance memory before G80. */
uint32_t ramin_rd32(struct pfifo_device *device, uint64_t address);
void ramin_wr32(struct pfifo_device *device, uint64_t address, uint32_t value);
void ramin_write(struct pfifo_device *device, uint64_t address, const uint32_t *words, size_t count);
/* Access to instance memory on G80 and later, through BAR 3 or the window of BAR0. */
uint32_t g80_inst_rd32(struct pfifo_device *device, uint64_t address);
void g80_inst_wr32(struct pfifo_device *device, uint64_t address, uint32_t value);
void g80_inst_write(struct pfifo_device *device, uint64_t address, const uint8_t *data, size_t bytes);

#endif
