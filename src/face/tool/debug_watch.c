/* SPDX-License-Identifier: MIT */
/* Stops when memory or a register changes. It is looked at after each unit of work. */
#include "face/tool/debug.h"

#include <pfifo/registers.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void debug_watch_begin(struct debug *debug, struct debug_break *brk) {
    if (brk->kind == BREAK_REGISTER)
        brk->value = pfifo_gpu_rd32(debug->gpu, brk->offset);
    else if (brk->kind == BREAK_MEMORY)
        brk->mapped = debug_read_memory(debug, &brk->memory, brk->old, brk->bytes);
}

/* The pusher runs ahead of the method, so a register of its may have changed for another one. */
static void tell_who(struct debug *debug, bool began, const char *how) {
    char text[256];

    if (began || !debug->progress.last.has_method) {
        debug_because(debug, "  by the CPU, before submission %" PRIu32 "\n", debug->sequence);
        return;
    }
    debug_format_method(debug, &debug->progress.last, text, sizeof text);
    debug_because(debug, "  %s %s\n", how, text);
}

static void check_register(struct debug *debug, struct debug_break *brk, bool began) {
    uint32_t value = pfifo_gpu_rd32(debug->gpu, brk->offset), old = brk->value;

    brk->value = value;
    if (value == old)
        return;
    debug_break_hit(debug, brk);
    debug_because(debug, ": 0x%08" PRIx32 " -> 0x%08" PRIx32 "\n", old, value);
    tell_who(debug, began, "after");
}

/* The word that changed first, as far as it is watched. */
static void tell_change(struct debug *debug, const struct debug_break *brk, const uint8_t *now) {
    uint64_t at = 0;
    uint32_t old = 0, value = 0;

    while (at < brk->bytes && brk->old[at] == now[at])
        at++;
    at -= at % 4;
    for (unsigned i = 0; i < 4 && at + i < brk->bytes; i++) {
        old |= (uint32_t)brk->old[at + i] << 8 * i;
        value |= (uint32_t)now[at + i] << 8 * i;
    }
    debug_because(debug, ": at 0x%" PRIx64 ": 0x%08" PRIx32 " -> 0x%08" PRIx32 "\n", brk->memory.address + at, old,
                  value);
}

static void check_memory(struct debug *debug, struct debug_break *brk, bool began) {
    uint8_t now[DEBUG_WATCH_BYTES];
    bool mapped = debug_read_memory(debug, &brk->memory, now, brk->bytes), was = brk->mapped;

    brk->mapped = mapped;
    if (mapped == was && (!mapped || memcmp(now, brk->old, brk->bytes) == 0))
        return;
    debug_break_hit(debug, brk);
    if (mapped && was) {
        tell_change(debug, brk, now);
        tell_who(debug, began, "by");
    } else {
        debug_because(debug, ": %s\n", mapped ? "now there is memory" : "the memory is gone");
    }
    if (mapped)
        memcpy(brk->old, now, brk->bytes);
}

void debug_watch_check(struct debug *debug, struct debug_break *brk, bool began) {
    if (brk->kind == BREAK_REGISTER)
        check_register(debug, brk, began);
    else if (brk->kind == BREAK_MEMORY)
        check_memory(debug, brk, began);
}

static struct debug_break *watch_register(struct debug *debug, const char *name, struct pfifo_error *error) {
    const struct pfifo_registers *registers = pfifo_gpu_registers(debug->gpu);
    struct pfifo_register reg;
    uint32_t offset;

    if (pfifo_registers_find(registers, name, &offset, error) != PFIFO_OK)
        return NULL;
    if (!pfifo_registers_describe(registers, offset, &reg, NULL) || reg.read_acts) {
        refuse(error, "reading %.60s has an effect, so it cannot be looked at all the time", name);
        return NULL;
    }
    struct debug_break *brk = debug_break_new(debug, BREAK_REGISTER, name, error);
    if (brk)
        brk->offset = offset;
    return brk;
}

static struct debug_break *watch_memory(struct debug *debug, unsigned count, char **argument,
                                        struct pfifo_error *error) {
    struct debug_memory memory;
    char text[DEBUG_BREAK_BYTES / 2];
    uint64_t bytes = 4;

    if (!debug_parse_memory(debug, argument[1], &memory, error) ||
        (count > 2 && !debug_number(debug, argument[2], &bytes, error)))
        return NULL;
    if (!bytes || bytes > DEBUG_WATCH_BYTES) {
        refuse(error, "1 to %d bytes can be watched, not %" PRIu64, DEBUG_WATCH_BYTES, bytes);
        return NULL;
    }
    snprintf(text, sizeof text, "%" PRIu64 " byte%s at %.60s", bytes, bytes == 1 ? "" : "s", argument[1]);
    struct debug_break *brk = debug_break_new(debug, BREAK_MEMORY, text, error);
    if (!brk)
        return NULL;
    brk->memory = memory;
    brk->bytes = bytes;
    brk->old = calloc(1, bytes);
    if (brk->old && !debug_read_memory(debug, &memory, brk->old, bytes))
        strcat(brk->text, ", where there is no memory yet"); /* NOLINT(clang-analyzer-security.insecureAPI.strcpy) */
    if (brk->old)
        return brk;
    debug_break_free(brk);
    refuse(error, "no memory");
    return NULL;
}

static bool is_memory(const char *text) {
    return (text[0] >= '0' && text[0] <= '9') || text[0] == '$' || strchr(text, ':');
}

struct debug_break *debug_watch_new(struct debug *debug, unsigned count, char **argument, struct pfifo_error *error) {
    if (strcmp(argument[0], "register") == 0 || !is_memory(argument[1]))
        return watch_register(debug, argument[1], error);
    return watch_memory(debug, count, argument, error);
}
