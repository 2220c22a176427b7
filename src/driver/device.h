/* SPDX-License-Identifier: MIT */
/*
 * A device, for all files of the driver. access.h has its registers.
 */
#ifndef PFIFO_SRC_DRIVER_DEVICE_H
#define PFIFO_SRC_DRIVER_DEVICE_H

#include <pfifo/driver.h>

#include "chip/chip.h"
#include "driver/fence.h"
#include "driver/pool.h"

#define PAGE_BYTES      4096u
#define BIG_PAGE_BYTES  0x20000u /* large buffers are aligned to this, so that page tables can be coarse */
#define CHANNEL_UNKNOWN UINT32_MAX
#define POLL_TRIES      1000 /* of a register that answers at once unless something is broken */

struct driver_cache;
struct driver_ops;

/* A method by PIO. */
struct pio_method {
    uint32_t channel, subchannel, method, data;
};

/* RAMRO, and the methods from there that must be written again, in this order. */
struct runout {
    uint32_t base, bytes; /* of RAMRO in RAMIN */
    struct pio_method *methods;
    size_t count, room;
};

struct pfifo_device {
    const struct pfifo_chip *chip;
    const struct driver_ops *ops;
    struct pfifo_gpu *gpu;
    struct pfifo_device_config config;
    uint64_t faults;
    uint64_t turns;                   /* of the CPU in a run: interrupts handled, methods written again */
    const struct driver_cache *cache; /* before GF100 */
    uint32_t ignored_lines;           /* of PMC INTR, that nobody can clear */
    struct pool vram;                 /* physical addresses; not used without VRAM */
    struct pool system;               /* bus addresses */
    struct pool gart;                 /* before G80: GART offsets */
    struct pool ramin;                /* before G80: heap of instance memory */
    struct pool bar1;                 /* G80-: offsets in BAR 1 */
    uint64_t bar3_first;              /* G80-: physical address that BAR 3 begins with */
    uint64_t bar3_bytes;              /* and how much of VRAM it shows */
    unsigned ramin_bar;               /* before G80: where RAMIN is visible */
    uint32_t ramin_at;
    struct runout runout; /* before G80 */
    uint32_t window;      /* G80-: value of 0x1700 */
    bool window_valid;
    struct pfifo_buffer *buffers;
    struct pfifo_vm *vms; /* G80- */
    struct pfifo_vm *vm;  /* its own, one of `vms` */
    struct pfifo_channel *channels;
    uint64_t channel_ids; /* given so far */
    uint32_t ids;         /* the same of buffers and address spaces */
    struct syncpoint_notices syncpoint_notices;
    const struct pfifo_software_ops *software_ops; /* NULL: nouveau's */
    void *software;
};

#endif
