/* SPDX-License-Identifier: MIT */
/* Breakpoints of a model. What hits them: go.c; the list: breaks.h. */
#include "face/tool/console/channels/binds.h"
#include "face/tool/console/machine/go.h"
#include "face/tool/console/place.h"
#include "hw/pbus.h"

#include <ctype.h>
#include <string.h>

/* ---- what the list asks for ---- */

static bool model_break_number(void *opaque, const char *text, uint64_t *value, struct pfifo_error *error) {
    (void)opaque;
    return console_number(text, UINT64_MAX, value, error);
}

/* RAMIN of NV3 is in BAR1, where nothing faults. */
static bool is_nv3_ramin(const struct console *console, const struct console_place *place) {
    struct pfifo_window window;

    return place->bar == 1 && place->address >= NV3_RAMIN && !console_window(console, "PRAMIN", &window);
}

bool console_can_watch(const struct console *console, const struct console_place *place, const char *text,
                       struct pfifo_error *error) {
    if (place->space != CONSOLE_BAR || is_nv3_ramin(console, place))
        return true;
    if (place->bar)
        return refuse(error, "BAR%u cannot be watched: a read may fault; vram, sys and ramin can", place->bar);
    return console_only_looks(console, place->address) ||
           refuse(error, "%.60s is not a register, or reading it has an effect", text);
}

static bool model_break_find_register(void *opaque, const char *text, uint32_t *offset, struct pfifo_error *error) {
    struct console_place place;

    if (!console_place(opaque, text, &place, error) || !console_can_watch(opaque, &place, text, error))
        return false;
    if (place.space != CONSOLE_BAR)
        return refuse(error, "%.60s is memory: break memory", text);
    *offset = (uint32_t)place.address;
    return true;
}

/* In BAR0: one window, as RAMIN, of which reads have no effect. */
static bool break_in_window(const struct console *console, uint64_t address, size_t bytes) {
    struct pfifo_window window;

    for (size_t i = 0; pfifo_registers_window(console->registers, i, &window); i++)
        if (address >= window.base && address - window.base < window.bytes)
            return !window.read_acts && bytes <= window.bytes - (address - window.base);
    return false;
}

static bool model_break_find_memory(void *opaque, const char *text, struct break_memory *memory,
                                    struct pfifo_error *error) {
    const struct console *console = opaque;
    struct pfifo_register reg;
    struct console_place place;

    if (!console_place(opaque, text, &place, error))
        return false;
    if (place.space == CONSOLE_BAR && !place.bar && !break_in_window(console, place.address, 1)) {
        if (pfifo_registers_describe(console->registers, (uint32_t)place.address & ~3u, &reg, NULL))
            return refuse(error, "%.60s is a register: break register", text);
        return refuse(error, "%.60s is not memory, which is vram:ADDRESS, sys:ADDRESS or ramin:ADDRESS", text);
    }
    if (!console_can_watch(opaque, &place, text, error))
        return false;
    *memory = (struct break_memory){.kind = place.space, .address = place.address, .handle = place.bar};
    return true;
}

static struct pfifo_gpu *model_break_gpu(void *opaque) {
    return ((const struct console *)opaque)->gpu;
}

static bool model_break_read_memory(void *opaque, const struct break_memory *memory, void *data, size_t bytes) {
    const struct console *console = opaque;

    if (memory->kind == CONSOLE_BAR && memory->handle)
        return breaks_read_ramin(console->gpu, memory->address - NV3_RAMIN, data, bytes);
    if (memory->kind == CONSOLE_BAR) {
        if (!break_in_window(console, memory->address, bytes))
            return false;
        pfifo_gpu_bar_read(console->gpu, 0, memory->address, data, bytes);
        return true;
    }
    return breaks_read_physical(console->gpu, memory->kind == CONSOLE_VRAM, memory->address, data, bytes);
}

static bool model_break_is_register(void *opaque, const char *text) {
    (void)opaque;
    return !strchr(text, ':');
}

static void break_blame(void *opaque, bool memory) {
    console_blame(opaque, memory);
}

static void break_nothing(void *opaque, const struct pfifo_event *event) {
    (void)opaque, (void)event;
}

/* A run observes what it wants when it begins. The globs are tried. */
static bool model_break_observe(void *opaque, struct pfifo_error *error) {
    struct console *console = opaque;
    char globs[BREAKS_GLOBS_BYTES + 16] = "puller.method";

    breaks_globs(&console->breaks, globs, sizeof globs);
    if (pfifo_gpu_observe(console->gpu, globs, break_nothing, console, error) != PFIFO_OK)
        return false;
    pfifo_gpu_unobserve(console->gpu, break_nothing, console);
    return true;
}

static bool model_break_object(const void *opaque, size_t index, uint32_t *channel, uint32_t *oclass) {
    return console_binds_at(opaque, index, channel, oclass);
}

const struct breaks_owner model_breaks_owner = {.print = console_print_text,
                                                .number = model_break_number,
                                                .find_register = model_break_find_register,
                                                .find_memory = model_break_find_memory,
                                                .gpu = model_break_gpu,
                                                .read_memory = model_break_read_memory,
                                                .is_register = model_break_is_register,
                                                .blame = break_blame,
                                                .observe = model_break_observe,
                                                .object = model_break_object};

void console_break_chip(struct console *console) {
    for (size_t i = 0; i < BREAKS_MOST; i++) {
        struct breakpoint *brk = &console->breaks.list[i];
        struct pfifo_error error = {0};
        if (!brk->number || brk->kind != BREAK_REGISTER ||
            model_break_find_register(console, brk->text, &brk->offset, &error))
            continue;
        console_print(console, "%s %u: %s is gone with the chip\n", breaks_kind_name(brk), brk->number, brk->text);
        breaks_drop(brk);
    }
}
