/* SPDX-License-Identifier: MIT */
/*
 * Writers of page tables, one per format. A space is known by the place of its page directory in instance memory;
 * what is in it is read back from there. Tables stay until the device is closed. Flushing TLBs is the caller's.
 */
#ifndef PFIFO_SRC_DRIVER_TABLES_H
#define PFIFO_SRC_DRIVER_TABLES_H

#include "driver/driver.h"

struct table_ops {
    uint64_t directory_bytes, directory_align;
    uint32_t directory_flags; /* of word 0x200 of an instance block, GF100- */
    unsigned va_bits;
    /*
     * Map `bytes` of contiguous physical memory. False: no memory for a table; nothing may be relied on then, and
     * the caller unmaps the range. `changed` is set when the directory itself changed.
     */
    bool (*map)(struct pfifo_device *device, uint64_t directory, uint64_t va, uint64_t bytes, uint64_t physical,
                bool system, bool *changed);
    void (*unmap)(struct pfifo_device *device, uint64_t directory, uint64_t va, uint64_t bytes);
};

extern const struct table_ops tables_g80, tables_gf100, tables_gp100;

#endif
