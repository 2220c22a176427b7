/* SPDX-License-Identifier: MIT */
/* The console works on a model: everything can be read and written, and time stands still between runs. */
#include "face/tool/console/machine/inside.h"

#include <inttypes.h>

static bool shell_model_is_register(const struct shell_place *place, unsigned bytes) {
    return place->space == SHELL_BAR && !place->bar && bytes == 4 && place->address % 4 == 0;
}

/* A write beyond the end of a memory would be lost silently, so it is an error. The bus checks registers. */
static bool model_reach(struct shell *shell, const struct shell_place *first, const struct shell_place *last,
                        unsigned bytes, enum shell_access access, struct pfifo_error *error) {
    bool is_vram = first->space == SHELL_VRAM, is_bar = first->space == SHELL_BAR;
    uint64_t end = is_bar    ? pfifo_gpu_bar_bytes(shell->gpu, first->bar)
                   : is_vram ? pfifo_gpu_vram_bytes(shell->gpu)
                             : pfifo_gpu_system_bytes(shell->gpu);

    (void)access;
    if ((is_bar && first->bar == 0) || (last->address < end && bytes <= end - last->address))
        return true;
    if (is_bar && !end)
        return refuse(error, "%s has no BAR%u", shell_chip(shell), first->bar);
    /* What was typed, if it can be blamed. */
    uint64_t beyond = first->address >= end ? first->address : last->address;
    if (is_bar)
        return refuse(error, "0x%" PRIx64 " is beyond BAR%u, which ends at 0x%" PRIx64, beyond, first->bar, end);
    return refuse(error, "0x%" PRIx64 " is beyond %s, which ends at 0x%" PRIx64, beyond,
                  is_vram ? "VRAM" : "system memory", end);
}

/* A read that does nothing: of a register, or of a window, that says so. */
bool shell_only_looks(const struct shell *shell, uint64_t offset) {
    return breaks_looks(shell->registers, offset);
}

static uint32_t word_of(const uint8_t data[4]) {
    return data[0] | data[1] << 8 | data[2] << 16 | (uint32_t)data[3] << 24;
}

static uint32_t model_read(struct shell *shell, const struct shell_place *place, unsigned bytes) {
    uint8_t data[4] = {0};

    if (place->space == SHELL_BAR && shell->back && (place->bar || !shell_only_looks(shell, place->address)))
        shell_back_changed(shell);
    if (shell_model_is_register(place, bytes))
        return pfifo_gpu_rd32(shell->gpu, (uint32_t)place->address);
    if (place->space == SHELL_BAR)
        pfifo_gpu_bar_read(shell->gpu, place->bar, place->address, data, bytes);
    else if (place->space == SHELL_VRAM)
        pfifo_gpu_vram_read(shell->gpu, place->address, data, bytes);
    else
        pfifo_gpu_system_read(shell->gpu, place->address, data, bytes);
    return word_of(data);
}

static void model_write(struct shell *shell, const struct shell_place *place, unsigned bytes, uint32_t value) {
    uint8_t data[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};

    shell_back_changed(shell);
    if (shell_model_is_register(place, bytes))
        pfifo_gpu_wr32(shell->gpu, (uint32_t)place->address, value);
    else if (place->space == SHELL_BAR)
        pfifo_gpu_bar_write(shell->gpu, place->bar, place->address, data, bytes);
    else if (place->space == SHELL_VRAM)
        pfifo_gpu_vram_write(shell->gpu, place->address, data, bytes);
    else
        pfifo_gpu_system_write(shell->gpu, place->address, data, bytes);
}

static bool model_look(struct shell *shell, enum shell_space space, uint64_t address, uint32_t *words, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        struct shell_place place = {.space = space, .address = address + 4 * i};
        words[i] = model_read(shell, &place, 4);
    }
    return true;
}

static bool model_wait(struct shell *shell) {
    (void)shell;
    return false;
}

/* Whoever runs the GPU must not notice that somebody has looked. */
static bool lent_reach(struct shell *shell, const struct shell_place *first, const struct shell_place *last,
                       unsigned bytes, enum shell_access access, struct pfifo_error *error) {
    uint64_t step = first->stride ? first->stride : 4;

    if (access == SHELL_WRITE)
        return refuse(error, "this machine can only be looked at: a write would change it");
    if (first->space == SHELL_BAR && first->bar)
        return refuse(error, "BAR%u is not looked at here: an access may fault; vram, sys and ramin are", first->bar);
    for (uint64_t at = first->address; first->space == SHELL_BAR && at <= last->address; at += step)
        if (!shell_only_looks(shell, at))
            return refuse(error, "0x%06" PRIx64 " is not a register, or reading it has an effect", at);
    return model_reach(shell, first, last, bytes, access, error);
}

const struct shell_target shell_lent = {
    .reach = lent_reach,
    .read = model_read,
    .write = model_write,
    .look = model_look,
    .wait = model_wait,
};

const struct shell_target shell_model = {
    .reach = model_reach,
    .read = model_read,
    .write = model_write,
    .look = model_look,
    .wait = model_wait,
};
