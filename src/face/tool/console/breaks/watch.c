/* SPDX-License-Identifier: MIT */
/* Stops when memory or a register changes. It is looked at after each unit of work. */
#include "face/tool/console/breaks/breaks.h"
#include "chip/counted.h"
#include "hw/pbus.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t read_register(const struct breaks *breaks, uint32_t offset) {
    return pfifo_gpu_rd32(breaks->owner->gpu(breaks->opaque), offset);
}

bool breaks_looks(const struct pfifo_registers *registers, uint64_t offset) {
    struct pfifo_window window;
    struct pfifo_register reg;

    if (offset > UINT32_MAX)
        return false;
    if (pfifo_registers_describe(registers, (uint32_t)offset & ~3u, &reg, NULL))
        return !reg.read_acts;
    for (size_t i = 0; pfifo_registers_window(registers, i, &window); i++)
        if (offset >= window.base && offset - window.base < window.bytes)
            return !window.read_acts;
    return false;
}

void breaks_watch_start(struct breaks *breaks, struct breakpoint *brk) {
    if (brk->kind == BREAK_REGISTER)
        brk->value = read_register(breaks, brk->offset);
    else if (brk->kind == BREAK_MEMORY)
        brk->mapped = breaks->owner->read_memory(breaks->opaque, &brk->memory, brk->old, brk->bytes);
    else if (brk->kind == BREAK_STATE)
        breaks_state_start(breaks, brk);
}

void breaks_watch_begin(struct breaks *breaks) {
    for (size_t i = 0; i < BREAKS_MOST; i++)
        if (breaks->list[i].number)
            breaks_watch_start(breaks, &breaks->list[i]);
}

bool breaks_read_physical(struct pfifo_gpu *gpu, bool vram, uint64_t address, void *data, size_t bytes) {
    uint64_t end = vram ? pfifo_gpu_vram_bytes(gpu) : pfifo_gpu_system_bytes(gpu);

    if (address > end || bytes > end - address)
        return false;
    if (vram)
        pfifo_gpu_vram_read(gpu, address, data, bytes);
    else
        pfifo_gpu_system_read(gpu, address, data, bytes);
    return true;
}

static bool find_ramin(struct pfifo_gpu *gpu, struct pfifo_window *window, unsigned *bar) {
    const struct pfifo_registers *registers = pfifo_gpu_registers(gpu);

    *bar = 0;
    for (size_t i = 0; pfifo_registers_window(registers, i, window); i++)
        if (strcmp(window->name, "PRAMIN") == 0)
            return !window->read_acts;
    *bar = 1;
    *window = (struct pfifo_window){.base = NV3_RAMIN};
    if (pfifo_gpu_bar_bytes(gpu, 1) > NV3_RAMIN)
        window->bytes = (uint32_t)(pfifo_gpu_bar_bytes(gpu, 1) - NV3_RAMIN);
    return true;
}

bool breaks_read_ramin(struct pfifo_gpu *gpu, uint64_t address, void *data, size_t bytes) {
    struct pfifo_window window;
    unsigned bar;

    if (!find_ramin(gpu, &window, &bar) || address > window.bytes || bytes > window.bytes - address)
        return false;
    pfifo_gpu_bar_read(gpu, bar, window.base + address, data, bytes);
    return true;
}

static void check_register(struct breaks *breaks, struct breakpoint *brk) {
    uint32_t value = read_register(breaks, brk->offset), old = brk->value;

    brk->value = value;
    if (value == old)
        return;
    breaks_hit(breaks, brk);
    breaks_because(breaks, ": 0x%08" PRIx32 " -> 0x%08" PRIx32 "\n", old, value);
    breaks->owner->blame(breaks->opaque, false);
}

/* The word that changed first, as far as it is watched. */
static void tell_change(struct breaks *breaks, const struct breakpoint *brk, const uint8_t *now) {
    uint64_t at = 0;
    uint32_t old = 0, value = 0;

    while (at < brk->bytes && brk->old[at] == now[at])
        at++;
    at -= at % 4;
    for (unsigned i = 0; i < 4 && at + i < brk->bytes; i++) {
        old |= (uint32_t)brk->old[at + i] << 8 * i;
        value |= (uint32_t)now[at + i] << 8 * i;
    }
    breaks_because(breaks, ": at 0x%" PRIx64 ": 0x%08" PRIx32 " -> 0x%08" PRIx32 "\n", brk->memory.address + at, old,
                   value);
}

static void check_memory(struct breaks *breaks, struct breakpoint *brk) {
    uint8_t now[BREAK_WATCH_BYTES];
    bool mapped = breaks->owner->read_memory(breaks->opaque, &brk->memory, now, brk->bytes), was = brk->mapped;

    brk->mapped = mapped;
    if (mapped == was && (!mapped || memcmp(now, brk->old, brk->bytes) == 0))
        return;
    breaks_hit(breaks, brk);
    if (mapped && was) {
        tell_change(breaks, brk, now);
        breaks->owner->blame(breaks->opaque, true);
    } else {
        breaks_because(breaks, ": %s\n", mapped ? "now there is memory" : "the memory is gone");
    }
    if (mapped)
        memcpy(brk->old, now, brk->bytes);
}

void breaks_watch_check(struct breaks *breaks) {
    for (size_t i = 0; i < BREAKS_MOST; i++) {
        struct breakpoint *brk = &breaks->list[i];
        if (brk->number && brk->kind == BREAK_REGISTER)
            check_register(breaks, brk);
        else if (brk->number && brk->kind == BREAK_MEMORY)
            check_memory(breaks, brk);
        else if (brk->number && brk->kind == BREAK_STATE)
            breaks_state_check(breaks, brk);
    }
}

/* A guess may also be the name of a method. */
static struct breakpoint *watch_register(struct breaks *breaks, unsigned count, const char *name, bool guess,
                                         struct pfifo_error *error) {
    struct breakpoint *brk;
    uint32_t offset;

    if (count > 2) {
        refuse(error, "%.60s is watched as a register, which has no BYTES", name);
        return NULL;
    }
    if (!breaks->owner->find_register(breaks->opaque, name, &offset, error))
        return guess ? breaks_state_new(breaks, name, error) : NULL;
    brk = breaks_new(breaks, BREAK_REGISTER, name, error);
    if (brk)
        brk->offset = offset;
    return brk;
}

static struct breakpoint *watch_memory(struct breaks *breaks, unsigned count, char **argument,
                                       struct pfifo_error *error) {
    struct break_memory memory;
    char text[BREAK_BYTES / 2], place[64];
    uint64_t bytes = 4;

    if (!breaks->owner->find_memory(breaks->opaque, argument[1], &memory, error) ||
        (count > 2 && !breaks->owner->number(breaks->opaque, argument[2], &bytes, error)))
        return NULL;
    if (!bytes || bytes > BREAK_WATCH_BYTES) {
        refuse(error, "1 to %d bytes can be watched, not %" PRIu64, BREAK_WATCH_BYTES, bytes);
        return NULL;
    }
    if (strchr(argument[1], '$')) /* which is another one at each stop */
        snprintf(place, sizeof place, "0x%" PRIx64, memory.address);
    else
        snprintf(place, sizeof place, "%.60s", argument[1]);
    snprintf(text, sizeof text, "%s at %s", counted(bytes, "byte").text, place);
    struct breakpoint *brk = breaks_new(breaks, BREAK_MEMORY, text, error);
    if (!brk)
        return NULL;
    brk->memory = memory;
    brk->bytes = bytes;
    brk->old = calloc(1, bytes);
    if (brk->old && !breaks->owner->read_memory(breaks->opaque, &memory, brk->old, bytes))
        strcat(brk->text, ", where there is no memory yet"); /* NOLINT(clang-analyzer-security.insecureAPI.strcpy) */
    if (brk->old)
        return brk;
    breaks_drop(brk);
    refuse(error, "no memory");
    return NULL;
}

/* Only watch guesses. */
struct breakpoint *breaks_watch_new(struct breaks *breaks, unsigned count, char **argument, struct pfifo_error *error) {
    bool guess = argument[0][0] == 'w' && breaks->owner->is_register(breaks->opaque, argument[1]);

    if (strcmp(argument[0], "state") == 0)
        return breaks_state_new(breaks, argument[1], error);
    if (strcmp(argument[0], "register") == 0 || guess)
        return watch_register(breaks, count, argument[1], guess, error);
    return watch_memory(breaks, count, argument, error);
}
