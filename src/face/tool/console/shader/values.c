/* SPDX-License-Identifier: MIT */
/* Values inside a program: "$r3", and x of "local:0x10", "const1:0x20" ... */
#include "face/tool/console/place.h"
#include "chip/counted.h"
#include "face/tool/console/shader/shader.h"
#include "face/tool/console/target.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- variables ---- */

struct asked_value {
    unsigned lane, number;
    uint32_t value;
    bool there;
};

static void look_at_register(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    struct asked_value *asked = opaque;

    (void)step;
    asked->there = pfifo_warp_register(warp, asked->lane, asked->number, &asked->value);
}

static void look_at_pc(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    struct asked_value *asked = opaque;

    (void)step;
    asked->value = pfifo_warp_pc(warp, asked->lane);
    asked->there = true;
}

static bool is_numbered(const char *name, char letter, unsigned long *number) {
    char *end;

    if ((name[1] | 0x20) != letter || name[2] < '0' || name[2] > '9')
        return false;
    *number = strtoul(name + 2, &end, 10);
    return !*end;
}

bool shader_variable(struct console *console, const char *name, uint64_t *value, struct pfifo_error *error) {
    const struct shader_at *at;
    unsigned long number;
    struct asked_value asked;

    if (!shader_inside(console))
        return false;
    at = shader_at(console);
    asked = (struct asked_value){.lane = at->lane};
    if (is_numbered(name, 'p', &number) && number < PFIFO_PREDICATES) {
        *value = at->step.predicate[number] >> at->lane & 1;
        return true;
    }
    if (is_numbered(name, 'r', &number)) {
        asked.number = number < UINT16_MAX ? (unsigned)number : UINT16_MAX;
        if (!shader_see(console, look_at_register, &asked, error))
            return false;
    } else if (strcmp(name, "$pc") != 0 || !shader_see(console, look_at_pc, &asked, error)) {
        return false;
    }
    *value = asked.value;
    return asked.there || refuse(error, "there is no register %.20s", name + 1);
}

/* ---- places ---- */

static const struct shader_space {
    const char *name;
    enum pfifo_warp_space space;
} shader_spaces[] = {{"const", PFIFO_WARP_CONSTANT}, {"local", PFIFO_WARP_LOCAL},   {"shared", PFIFO_WARP_SHARED},
                     {"input", PFIFO_WARP_INPUT},    {"output", PFIFO_WARP_OUTPUT}, {"patch", PFIFO_WARP_PATCH}};

#define SPACES (sizeof shader_spaces / sizeof shader_spaces[0])

/* NULL: none of them. `rest`: what stands after its name. */
static const struct shader_space *space_of(const char *place, const char **rest) {
    for (size_t i = 0; i < SPACES; i++) {
        size_t length = strlen(shader_spaces[i].name);
        *rest = place + length;
        if (strncmp(place, shader_spaces[i].name, length) == 0 && strchr(*rest, ':'))
            return &shader_spaces[i];
    }
    return NULL;
}

bool shader_is_place(const struct console *console, const char *place) {
    const char *rest;

    return shader_inside(console) && space_of(place, &rest);
}

struct asked_bytes {
    enum pfifo_warp_space space;
    unsigned bank, lane;
    uint64_t address, bytes;
    uint8_t *data;
    bool there;
};

static void look_at_bytes(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    struct asked_bytes *asked = opaque;

    (void)step;
    asked->there =
        pfifo_warp_read(warp, asked->space, asked->bank, asked->lane, asked->address, asked->data, asked->bytes);
}

bool shader_examine(struct console *console, const char *place, const struct examine_format *format, uint8_t *data,
                    struct console_examined *where, struct pfifo_error *error) {
    const char *rest;
    const struct shader_space *space = space_of(place, &rest);
    struct asked_bytes asked = {
        .space = space->space, .lane = shader_at(console)->lane, .bytes = format->count * format->bytes, .data = data};
    char *end = (char *)(uintptr_t)rest;

    if (space->space == PFIFO_WARP_CONSTANT || space->space == PFIFO_WARP_INPUT)
        asked.bank = (unsigned)strtoul(rest, &end, 10);
    if (*end != ':' || (space->space == PFIFO_WARP_CONSTANT && end == rest))
        return refuse(
            error, "'%.60s' is not a place: const1:ADDRESS, local:, shared:, input:, input2:, output: or patch:ADDRESS",
            place);
    if (!console_number_of(console, end + 1, UINT64_MAX, &asked.address, error) ||
        !shader_see(console, look_at_bytes, &asked, error))
        return false;
    snprintf(where->space, sizeof where->space, "%.*s", (int)(end + 1 - place) < 31 ? (int)(end + 1 - place) : 31,
             place);
    where->address = asked.address;
    return asked.there ||
           refuse(error, "%s at %.60s: not all of them are there", counted(asked.bytes, "byte").text, place);
}
