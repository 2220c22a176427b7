/* SPDX-License-Identifier: MIT */
/* The console works on a model: everything can be read and written, and time stands still between runs. */
#include "face/tool/console/machine/model.h"
#include "face/tool/chips/boards.h"
#include "face/tool/console/channels/binds.h"
#include "face/tool/console/commands.h"
#include "face/tool/console/machine/back.h"
#include "face/tool/console/machine/go.h"
#include "face/tool/console/shader/shader.h"

#include <inttypes.h>

static bool console_model_is_register(const struct console_place *place, unsigned bytes) {
    return place->space == CONSOLE_BAR && !place->bar && bytes == 4 && place->address % 4 == 0;
}

/* A write beyond the end of a memory would be lost silently, so it is an error. The bus checks registers. */
static bool model_reach(struct console *console, const struct console_place *first, const struct console_place *last,
                        unsigned bytes, enum console_access access, struct pfifo_error *error) {
    bool is_vram = first->space == CONSOLE_VRAM, is_bar = first->space == CONSOLE_BAR;
    uint64_t end = is_bar    ? pfifo_gpu_bar_bytes(console->gpu, first->bar)
                   : is_vram ? pfifo_gpu_vram_bytes(console->gpu)
                             : pfifo_gpu_system_bytes(console->gpu);

    (void)access;
    if ((is_bar && first->bar == 0) || (last->address < end && bytes <= end - last->address))
        return true;
    if (is_bar && !end)
        return refuse(error, "%s has no BAR%u", console_chip(console), first->bar);
    /* What was typed, if it can be blamed. */
    uint64_t beyond = first->address >= end ? first->address : last->address;
    if (is_bar)
        return refuse(error, "0x%" PRIx64 " is beyond BAR%u, which ends at 0x%" PRIx64, beyond, first->bar, end);
    return refuse(error, "0x%" PRIx64 " is beyond %s, which ends at 0x%" PRIx64, beyond,
                  is_vram ? "VRAM" : "system memory", end);
}

/* A read that does nothing: of a register, or of a window, that says so. */
bool console_only_looks(const struct console *console, uint64_t offset) {
    return breaks_looks(console->registers, offset);
}

static uint32_t model_word_of(const uint8_t data[4]) {
    return data[0] | data[1] << 8 | data[2] << 16 | (uint32_t)data[3] << 24;
}

uint32_t model_read(struct console *console, const struct console_place *place, unsigned bytes) {
    uint8_t data[4] = {0};

    if (place->space == CONSOLE_BAR && console->back && (place->bar || !console_only_looks(console, place->address)))
        console_back_changed(console);
    if (console_model_is_register(place, bytes))
        return pfifo_gpu_rd32(console->gpu, (uint32_t)place->address);
    if (place->space == CONSOLE_BAR)
        pfifo_gpu_bar_read(console->gpu, place->bar, place->address, data, bytes);
    else if (place->space == CONSOLE_VRAM)
        pfifo_gpu_vram_read(console->gpu, place->address, data, bytes);
    else
        pfifo_gpu_system_read(console->gpu, place->address, data, bytes);
    return model_word_of(data);
}

static void model_write(struct console *console, const struct console_place *place, unsigned bytes, uint32_t value) {
    uint8_t data[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};

    console_back_changed(console);
    if (console_model_is_register(place, bytes))
        pfifo_gpu_wr32(console->gpu, (uint32_t)place->address, value);
    else if (place->space == CONSOLE_BAR)
        pfifo_gpu_bar_write(console->gpu, place->bar, place->address, data, bytes);
    else if (place->space == CONSOLE_VRAM)
        pfifo_gpu_vram_write(console->gpu, place->address, data, bytes);
    else
        pfifo_gpu_system_write(console->gpu, place->address, data, bytes);
}

bool model_look(struct console *console, enum console_space space, uint64_t address, uint32_t *words, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        struct console_place place = {.space = space, .address = address + 4 * i};
        words[i] = model_read(console, &place, 4);
    }
    return true;
}

bool model_wait(struct console *console) {
    (void)console;
    return false;
}

bool model_only_look(struct console *console, const struct console_place *first, const struct console_place *last,
                     unsigned bytes, enum console_access access, struct pfifo_error *error) {
    uint64_t step = first->stride ? first->stride : 4;

    if (access == CONSOLE_WRITE)
        return refuse(error, "this machine can only be looked at: a write would change it");
    if (first->space == CONSOLE_BAR && first->bar)
        return refuse(error, "BAR%u is not looked at here: an access may fault; vram, sys and ramin are", first->bar);
    for (uint64_t at = first->address; first->space == CONSOLE_BAR && at <= last->address; at += step)
        if (!console_only_looks(console, at))
            return refuse(error, "0x%06" PRIx64 " is not a register, or reading it has an effect", at);
    return model_reach(console, first, last, bytes, access, error);
}

static uint32_t model_stops(const struct console *console) {
    return console->ran ? UINT32_C(1) << console->stop : 0;
}

const struct console_target console_model = {
    .kind = CONSOLE_ON_MODEL,
    .is = "a model",
    .reach = model_reach,
    .read = model_read,
    .write = model_write,
    .look = model_look,
    .wait = model_wait,
    .examine = console_examine_place,
    .number_bytes = 4,
    .breaks = &model_breaks_owner,
    .stops = model_stops,
    .units_before = console_back_singles,
    .units_back = console_back_by_singles,
    .units_on = console_units_on,
    .stop_kinds = RUN_STOP_MODEL,
};

/* ---- which chip ---- */

bool console_renew(struct console *console, const struct pfifo_chip *chip, struct pfifo_error *error) {
    struct pfifo_config config = console->config.gpu;
    struct pfifo_gpu *gpu;

    config.chip = chip;
    gpu = pfifo_gpu_new(&config, error);
    if (!gpu)
        return false;
    pfifo_trace_free(console->trace);
    console->trace = NULL;
    shader_leave(console);
    pfifo_gpu_free(console->gpu);
    console->gpu = gpu;
    console->registers = pfifo_gpu_registers(gpu);
    console->ran = console->before = false;
    console_back_free(console);
    console_break_chip(console);
    return console_binds_watch(console, error) && console_trace(console, error);
}

bool console_cmd_chip(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    char why[240] = "";
    const struct pfifo_chip *chip = boards_chip(argument[1], why, sizeof why);

    (void)count;
    return chip ? console_renew(console, chip, error) : refuse(error, "%s", why);
}

bool console_cmd_reset(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument;
    return console_renew(console, pfifo_registers_chip(console->registers), error);
}
