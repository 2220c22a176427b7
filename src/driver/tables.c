/* SPDX-License-Identifier: MIT */
#include "driver/tables.h"

void entry_flush(struct entry_run *run) {
    if (run->count)
        g80_inst_write(run->device, run->at, run->bytes, 8 * run->count);
    run->at += 8 * run->count;
    run->count = 0;
}

void entry_put(struct entry_run *run, uint64_t entry) {
    if (run->count == ENTRY_RUN)
        entry_flush(run);
    for (unsigned i = 0; i < 8; i++)
        run->bytes[8 * run->count + i] = (uint8_t)(entry >> 8 * i);
    run->count++;
}

void entries_write(struct pfifo_device *device, uint64_t at, uint64_t first, uint64_t step, uint64_t count) {
    struct entry_run run = {.device = device, .at = at};
    for (uint64_t i = 0; i < count; i++)
        entry_put(&run, first + i * step);
    entry_flush(&run);
}

void entries_clear(struct pfifo_device *device, uint64_t at, uint64_t count) {
    static const uint8_t zeros[8 * ENTRY_RUN];
    for (uint64_t done = 0, step; done < count; done += step) {
        step = count - done < ENTRY_RUN ? count - done : ENTRY_RUN;
        g80_inst_write(device, at + 8 * done, zeros, (size_t)(8 * step));
    }
}

uint64_t pages_in_a_row(uint64_t va, uint64_t physical, uint64_t bytes, uint64_t big, bool *is_big) {
    *is_big = (va | physical) % big == 0 && bytes >= big;
    if (*is_big)
        return bytes & ~(big - 1);
    uint64_t to_boundary = big - va % big;
    return (va ^ physical) % big == 0 && bytes > to_boundary ? to_boundary : bytes;
}
