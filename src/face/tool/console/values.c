/* SPDX-License-Identifier: MIT */
/*
 * Places and values of commands.
 *
 *   PLACE:  [SPACE ':'] SUM        names stand for offsets
 *   VALUE:  SUM                    names stand for what is there
 *   SUM:    SHIFT {('+' | '|') SHIFT}
 *   SHIFT:  TERM ["<<" TERM]
 *   TERM:   ['~'] (number | name | '$' variable of the target)
 */
#include "face/tool/console/shader/shader.h"
#include "face/tool/console/target.h"
#include "hw/pbus.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* RAMIN of NV3 has no window in BAR0. */
#define NV3_RAMIN_BAR   1
#define NV3_RAMIN_BYTES 0x400000

struct expression {
    struct console *console;
    const char *text, *at;
    bool values;     /* names stand for what is there */
    bool names;      /* there may be names */
    uint32_t stride; /* of an array that was named */
    struct pfifo_error *error;
};

static bool bad(const struct expression *e) {
    if (e->at > e->text && !*e->at)
        return refuse(e->error, "'%.60s' is not a number: something is missing", e->text);
    return e->names ? refuse(e->error, "cannot understand '%.60s'", e->text)
                    : refuse(e->error, "'%.60s' is not a number", e->text);
}

bool console_window(const struct console *console, const char *name, struct pfifo_window *window) {
    for (size_t i = 0; pfifo_registers_window(console->registers, i, window); i++)
        if (strcasecmp(window->name, name) == 0)
            return true;
    return false;
}

static bool console_values_number(struct expression *e, uint64_t *value) {
    bool hexadecimal = e->at[0] == '0' && (e->at[1] | 0x20) == 'x';
    char *end;

    /* strtoull would take a sign or blanks after the 0x. */
    if (hexadecimal && !isxdigit((unsigned char)e->at[2]))
        return bad(e);
    errno = 0;
    *value = strtoull(e->at, &end, hexadecimal ? 16 : 10);
    if (errno)
        return bad(e);
    e->at = end;
    return true;
}

static bool name_offset(struct expression *e, const char *name, uint64_t *value) {
    struct pfifo_window window;
    struct pfifo_register reg;
    uint32_t offset;

    if (console_window(e->console, name, &window)) {
        *value = window.base;
        return true;
    }
    if (pfifo_registers_find(e->console->registers, name, &offset, e->error) != PFIFO_OK)
        return false;
    if (pfifo_registers_describe(e->console->registers, offset, &reg, NULL) && reg.count > 1)
        e->stride = reg.stride;
    *value = offset;
    return true;
}

static bool name_value(struct expression *e, const char *name, uint64_t *value) {
    struct console_place place;

    if (!console_place(e->console, name, &place, e->error) ||
        !console_reach(e->console, &place, 1, 4, CONSOLE_READ, e->error))
        return false;
    *value = console_read(e->console, &place, 4);
    return true;
}

/* The next part of the text, up to an operator. */
static bool take_name(struct expression *e, char *copy, size_t size) {
    size_t length = strcspn(e->at, "+|<~");

    if (!length || length >= size)
        return bad(e);
    memcpy(copy, e->at, length);
    copy[length] = 0;
    e->at += length;
    return true;
}

static bool name(struct expression *e, uint64_t *value) {
    char copy[128];

    if (!e->names || !take_name(e, copy, sizeof copy))
        return bad(e);
    return e->values ? name_value(e, copy, value) : name_offset(e, copy, value);
}

static bool variable(struct expression *e, uint64_t *value) {
    char copy[128];

    if (!e->console || !take_name(e, copy, sizeof copy))
        return bad(e);
    if (shader_inside(e->console)) {
        struct pfifo_error error = {0};
        if (shader_variable(e->console, copy, value, &error))
            return true;
        if (error.message[0])
            return refuse(e->error, "%.200s", error.message);
    }
    if (!e->console->target->variable)
        return e->console->target->kind == CONSOLE_ON_MODEL
                   ? refuse(e->error, "there is no %.60s: $pc, $r0 and $p0 are inside a shader program", copy)
                   : bad(e);
    return e->console->target->variable(e->console, copy, value, e->error);
}

static bool term(struct expression *e, uint64_t *value) {
    bool inverted = e->values && *e->at == '~';

    e->at += inverted;
    if (!(isdigit((unsigned char)*e->at) ? console_values_number(e, value)
          : *e->at == '$'                ? variable(e, value)
                                         : name(e, value)))
        return false;
    if (inverted)
        *value = ~*value & UINT32_MAX;
    return true;
}

static bool shift(struct expression *e, uint64_t *value) {
    uint64_t by;

    if (!term(e, value))
        return false;
    if (strncmp(e->at, "<<", 2) != 0)
        return true;
    e->at += 2;
    if (!term(e, &by))
        return false;
    if (by >= 64 || *value << by >> by != *value)
        return refuse(e->error, "'%.60s' is too large", e->text);
    *value <<= by;
    return true;
}

static bool values_sum(struct expression *e, uint64_t *value) {
    uint64_t more;

    if (!shift(e, value))
        return false;
    while (*e->at == '+' || *e->at == '|') {
        bool add = *e->at++ == '+';
        if (!shift(e, &more))
            return false;
        if (add && more > UINT64_MAX - *value)
            return refuse(e->error, "'%.60s' is too large", e->text);
        *value = add ? *value + more : *value | more;
    }
    return !*e->at || bad(e);
}

bool console_value(struct console *console, const char *text, unsigned bytes, uint64_t *value,
                   struct pfifo_error *error) {
    struct expression e = {.console = console, .text = text, .at = text, .values = true, .names = true, .error = error};
    uint64_t most = bytes < 8 ? (UINT64_C(1) << 8 * bytes) - 1 : UINT64_MAX;

    if (!values_sum(&e, value))
        return false;
    return *value <= most ||
           refuse(error, "'%.60s' is 0x%" PRIx64 ", which is more than %u bits", text, *value, 8 * bytes);
}

bool console_value32(struct console *console, const char *text, unsigned bytes, uint32_t *value,
                     struct pfifo_error *error) {
    uint64_t found;

    if (!console_value(console, text, bytes, &found, error))
        return false;
    *value = (uint32_t)found;
    return true;
}

bool console_number_of(struct console *console, const char *text, uint64_t most, uint64_t *result,
                       struct pfifo_error *error) {
    struct expression e = {.console = console, .text = text, .at = text, .error = error};

    if (!values_sum(&e, result))
        return false;
    if (*result > most)
        return refuse(error, "%.60s is more than %" PRIu64, text, most);
    return true;
}

bool console_number(const char *text, uint64_t most, uint64_t *result, struct pfifo_error *error) {
    return console_number_of(NULL, text, most, result, error);
}

static bool ramin(struct console *console, uint64_t address, struct console_place *place, struct pfifo_error *error) {
    struct pfifo_window window = {.base = NV3_RAMIN, .bytes = NV3_RAMIN_BYTES};

    *place = (struct console_place){.space = CONSOLE_BAR,
                                    .bar = console_window(console, "PRAMIN", &window) ? 0 : NV3_RAMIN_BAR};
    if (place->bar == NV3_RAMIN_BAR)
        window = (struct pfifo_window){.base = NV3_RAMIN, .bytes = NV3_RAMIN_BYTES};
    if (address >= window.bytes)
        return refuse(error, "RAMIN can be seen up to 0x%" PRIx32 ", not at 0x%" PRIx64, window.bytes, address);
    place->address = window.base + address;
    return true;
}

bool console_place_in(struct console *console, const char *space, uint64_t address, struct console_place *place,
                      struct pfifo_error *error) {
    *place = (struct console_place){.address = address};
    if (strcmp(space, "ramin") == 0)
        return ramin(console, address, place, error);
    if (strcmp(space, "vram") == 0)
        place->space = CONSOLE_VRAM;
    else if (strcmp(space, "sys") == 0)
        place->space = CONSOLE_SYSTEM;
    else if (strlen(space) == 4 && strncmp(space, "bar", 3) == 0 && space[3] >= '0' && space[3] <= '3')
        place->bar = (unsigned)(space[3] - '0');
    else
        return refuse(error, "there is no memory '%.60s'; vram, sys, ramin, bar0 to bar3", space);
    if (place->space == CONSOLE_BAR && place->bar == 0 && address > UINT32_MAX)
        return refuse(error, "0x%" PRIx64 " is beyond BAR0", address);
    return true;
}

bool console_place(struct console *console, const char *text, struct console_place *place, struct pfifo_error *error) {
    const char *colon = strchr(text, ':');
    struct expression e = {
        .console = console, .text = text, .at = colon ? colon + 1 : text, .names = !colon, .error = error};
    char space[8] = "bar0";
    uint64_t address;

    if (colon && (size_t)(colon - text) >= sizeof space)
        return bad(&e);
    if (colon)
        snprintf(space, sizeof space, "%.*s", (int)(colon - text), text);
    if (!values_sum(&e, &address) || !console_place_in(console, space, address, place, error))
        return false;
    place->stride = e.stride;
    return true;
}

/* An offset beyond the end of BAR0 does not wrap around. */
bool console_reach(struct console *console, const struct console_place *place, uint64_t count, unsigned bytes,
                   enum console_access access, struct pfifo_error *error) {
    bool is_bar0 = place->space == CONSOLE_BAR && place->bar == 0;
    uint64_t step = place->stride ? place->stride : bytes, most = is_bar0 ? UINT32_MAX : UINT64_MAX;
    struct console_place last = *place;

    if (place->address > most || (count - 1) * step > most - place->address)
        return refuse(error, "0x%" PRIx64 " is too high for that", place->address);
    last.address += (count - 1) * step;
    return !console->target->reach || console->target->reach(console, place, &last, bytes, access, error);
}

uint32_t console_read(struct console *console, const struct console_place *place, unsigned bytes) {
    return console->target->read(console, place, bytes);
}

void console_write(struct console *console, const struct console_place *place, unsigned bytes, uint32_t value) {
    console->target->write(console, place, bytes, value);
}

/* The tables of a chip without a machine are incomplete. */
static bool exists(const struct console *console, uint32_t offset) {
    struct pfifo_register reg;
    struct pfifo_window window;

    if (!pfifo_chip_info(pfifo_registers_chip(console->registers)).runs ||
        pfifo_registers_describe(console->registers, offset, &reg, NULL))
        return true;
    for (size_t i = 0; pfifo_registers_window(console->registers, i, &window); i++)
        if (offset >= window.base && offset - window.base < window.bytes)
            return true;
    return false;
}

uint32_t console_rd32(struct console *console, uint32_t offset) {
    struct console_place place = {.space = CONSOLE_BAR, .address = offset};

    return exists(console, offset) && console_reach(console, &place, 1, 4, CONSOLE_READ, NULL)
               ? console_read(console, &place, 4)
               : UINT32_MAX;
}

uint64_t console_rd40(struct console *console, uint32_t low, uint32_t high) {
    return console_rd32(console, low) | (uint64_t)(console_rd32(console, high) & 0xff) << 32;
}
