/* SPDX-License-Identifier: MIT */
/* Breakpoints of the console. What hits them: go.c; the list: breaks.h. */
#include "face/tool/console/machine/inside.h"
#include "hw/pbus.h"

#include <ctype.h>
#include <string.h>

/* ---- what the list asks for ---- */

static void print(void *opaque, const char *text) {
    shell_print(opaque, "%s", text);
}

static bool number(void *opaque, const char *text, uint64_t *value, struct pfifo_error *error) {
    (void)opaque;
    return shell_number(text, UINT64_MAX, value, error);
}

/* RAMIN of NV3 is in BAR1, where nothing faults. */
static bool is_nv3_ramin(const struct shell *shell, const struct shell_place *place) {
    struct pfifo_window window;

    return place->bar == 1 && place->address >= NV3_RAMIN && !shell_window(shell, "PRAMIN", &window);
}

bool shell_can_watch(const struct shell *shell, const struct shell_place *place, const char *text,
                     struct pfifo_error *error) {
    if (place->space != SHELL_BAR || is_nv3_ramin(shell, place))
        return true;
    if (place->bar)
        return refuse(error, "BAR%u cannot be watched: a read may fault; vram, sys and ramin can", place->bar);
    return shell_only_looks(shell, place->address) ||
           refuse(error, "%.60s is not a register, or reading it has an effect", text);
}

static bool find_register(void *opaque, const char *text, uint32_t *offset, struct pfifo_error *error) {
    struct shell_place place;

    if (!shell_place(opaque, text, &place, error) || !shell_can_watch(opaque, &place, text, error))
        return false;
    if (place.space != SHELL_BAR)
        return refuse(error, "%.60s is memory: break memory", text);
    *offset = (uint32_t)place.address;
    return true;
}

/* In BAR0: one window, as RAMIN, of which reads have no effect. */
static bool in_window(const struct shell *shell, uint64_t address, size_t bytes) {
    struct pfifo_window window;

    for (size_t i = 0; pfifo_registers_window(shell->registers, i, &window); i++)
        if (address >= window.base && address - window.base < window.bytes)
            return !window.read_acts && bytes <= window.bytes - (address - window.base);
    return false;
}

static bool find_memory(void *opaque, const char *text, struct break_memory *memory, struct pfifo_error *error) {
    const struct shell *shell = opaque;
    struct pfifo_register reg;
    struct shell_place place;

    if (!shell_place(opaque, text, &place, error))
        return false;
    if (place.space == SHELL_BAR && !place.bar && !in_window(shell, place.address, 1)) {
        if (pfifo_registers_describe(shell->registers, (uint32_t)place.address & ~3u, &reg, NULL))
            return refuse(error, "%.60s is a register: break register", text);
        return refuse(error, "%.60s is not memory, which is vram:ADDRESS, sys:ADDRESS or ramin:ADDRESS", text);
    }
    if (!shell_can_watch(opaque, &place, text, error))
        return false;
    *memory = (struct break_memory){.kind = place.space, .address = place.address, .handle = place.bar};
    return true;
}

static struct pfifo_gpu *gpu(void *opaque) {
    return ((const struct shell *)opaque)->gpu;
}

static bool read_memory(void *opaque, const struct break_memory *memory, void *data, size_t bytes) {
    const struct shell *shell = opaque;

    if (memory->kind == SHELL_BAR && memory->handle)
        return breaks_read_ramin(shell->gpu, memory->address - NV3_RAMIN, data, bytes);
    if (memory->kind == SHELL_BAR) {
        if (!in_window(shell, memory->address, bytes))
            return false;
        pfifo_gpu_bar_read(shell->gpu, 0, memory->address, data, bytes);
        return true;
    }
    return breaks_read_physical(shell->gpu, memory->kind == SHELL_VRAM, memory->address, data, bytes);
}

static bool is_register(void *opaque, const char *text) {
    (void)opaque;
    return !strchr(text, ':');
}

static void blame(void *opaque, bool memory) {
    shell_blame(opaque, memory);
}

static void nothing(void *opaque, const struct pfifo_event *event) {
    (void)opaque, (void)event;
}

/* A run observes what it wants when it begins. The globs are tried. */
static bool observe(void *opaque, struct pfifo_error *error) {
    struct shell *shell = opaque;
    char globs[BREAKS_GLOBS_BYTES + 16] = "puller.method";

    breaks_globs(&shell->breaks, globs, sizeof globs);
    if (pfifo_gpu_observe(shell->gpu, globs, nothing, shell, error) != PFIFO_OK)
        return false;
    pfifo_gpu_unobserve(shell->gpu, nothing, shell);
    return true;
}

static bool object(const void *opaque, size_t index, uint32_t *channel, uint32_t *oclass) {
    return shell_binds_at(opaque, index, channel, oclass);
}

static const struct breaks_owner owner = {.print = print,
                                          .number = number,
                                          .find_register = find_register,
                                          .find_memory = find_memory,
                                          .gpu = gpu,
                                          .read_memory = read_memory,
                                          .is_register = is_register,
                                          .blame = blame,
                                          .observe = observe,
                                          .object = object};

/* ---- commands ---- */

static bool ready(struct shell *shell, struct pfifo_error *error) {
    return shell->breaks.trace || breaks_init(&shell->breaks, &owner, shell, error);
}

bool shell_cmd_break(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    char rest[SHELL_LINE_BYTES];

    shell_join(count, argument, ' ', rest);
    return ready(shell, error) && breaks_add(&shell->breaks, count, argument, rest, error);
}

bool shell_cmd_delete(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    return ready(shell, error) && breaks_delete(&shell->breaks, count, argument, error);
}

void shell_break_chip(struct shell *shell) {
    for (size_t i = 0; i < BREAKS_MOST; i++) {
        struct breakpoint *brk = &shell->breaks.list[i];
        struct pfifo_error error = {0};
        if (!brk->number || brk->kind != BREAK_REGISTER || find_register(shell, brk->text, &brk->offset, &error))
            continue;
        shell_print(shell, "%s %u: %s is gone with the chip\n", breaks_kind_name(brk), brk->number, brk->text);
        breaks_drop(brk);
    }
}
