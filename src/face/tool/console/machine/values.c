/* SPDX-License-Identifier: MIT */
/*
 * Places and values of commands.
 *
 *   PLACE:  [SPACE ':'] SUM        names stand for offsets
 *   VALUE:  SUM                    names stand for what is there
 *   SUM:    SHIFT {('+' | '|') SHIFT}
 *   SHIFT:  TERM ["<<" TERM]
 *   TERM:   ['~'] (number | name)
 */
#include "face/tool/console/machine/inside.h"
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
    struct shell *shell;
    const char *text, *at;
    bool values;     /* names stand for what is there */
    bool names;      /* there may be names */
    uint32_t stride; /* of an array that was named */
    struct pfifo_error *error;
};

static bool bad(const struct expression *e) {
    refuse(e->error, "cannot understand '%.60s'", e->text);
    return false;
}

bool shell_window(const struct shell *shell, const char *name, struct pfifo_window *window) {
    for (size_t i = 0; pfifo_registers_window(shell->registers, i, window); i++)
        if (strcasecmp(window->name, name) == 0)
            return true;
    return false;
}

static bool shell_values_number(struct expression *e, uint64_t *value) {
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

    if (shell_window(e->shell, name, &window)) {
        *value = window.base;
        return true;
    }
    if (pfifo_registers_find(e->shell->registers, name, &offset, e->error) != PFIFO_OK)
        return false;
    if (pfifo_registers_describe(e->shell->registers, offset, &reg, NULL) && reg.count > 1)
        e->stride = reg.stride;
    *value = offset;
    return true;
}

static bool name_value(struct expression *e, const char *name, uint64_t *value) {
    struct shell_place place;

    if (!shell_place(e->shell, name, &place, e->error) || !shell_reach(e->shell, &place, 1, 4, SHELL_READ, e->error))
        return false;
    *value = shell_read(e->shell, &place, 4);
    return true;
}

static bool name(struct expression *e, uint64_t *value) {
    char copy[128];
    size_t length = strcspn(e->at, "+|<~");

    if (!e->names || !length || length >= sizeof copy)
        return bad(e);
    memcpy(copy, e->at, length);
    copy[length] = 0;
    e->at += length;
    return e->values ? name_value(e, copy, value) : name_offset(e, copy, value);
}

static bool term(struct expression *e, uint64_t *value) {
    bool inverted = e->values && *e->at == '~';

    e->at += inverted;
    if (!(isdigit((unsigned char)*e->at) ? shell_values_number(e, value) : name(e, value)))
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

static bool sum(struct expression *e, uint64_t *value) {
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

bool shell_value(struct shell *shell, const char *text, unsigned bytes, uint32_t *value, struct pfifo_error *error) {
    struct expression e = {.shell = shell, .text = text, .at = text, .values = true, .names = true, .error = error};
    uint64_t most = bytes < 4 ? (UINT64_C(1) << 8 * bytes) - 1 : UINT32_MAX, found;

    if (!sum(&e, &found))
        return false;
    if (found > most)
        return refuse(error, "'%.60s' is 0x%" PRIx64 ", which is more than %u bits", text, found, 8 * bytes);
    *value = (uint32_t)found;
    return true;
}

bool shell_number(const char *text, uint64_t most, uint64_t *result, struct pfifo_error *error) {
    struct expression e = {.text = text, .at = text, .error = error};

    if (!isdigit((unsigned char)*text) || !sum(&e, result))
        return refuse(error, "'%.60s' is not a number", text);
    if (*result > most)
        return refuse(error, "%.60s is more than %" PRIu64, text, most);
    return true;
}

static bool ramin(struct shell *shell, uint64_t address, struct shell_place *place, struct pfifo_error *error) {
    struct pfifo_window window = {.base = NV3_RAMIN, .bytes = NV3_RAMIN_BYTES};

    *place =
        (struct shell_place){.space = SHELL_BAR, .bar = shell_window(shell, "PRAMIN", &window) ? 0 : NV3_RAMIN_BAR};
    if (place->bar == NV3_RAMIN_BAR)
        window = (struct pfifo_window){.base = NV3_RAMIN, .bytes = NV3_RAMIN_BYTES};
    if (address >= window.bytes)
        return refuse(error, "RAMIN can be seen up to 0x%" PRIx32 ", not at 0x%" PRIx64, window.bytes, address);
    place->address = window.base + address;
    return true;
}

bool shell_place_in(struct shell *shell, const char *space, uint64_t address, struct shell_place *place,
                    struct pfifo_error *error) {
    *place = (struct shell_place){.address = address};
    if (strcmp(space, "ramin") == 0)
        return ramin(shell, address, place, error);
    if (strcmp(space, "vram") == 0)
        place->space = SHELL_VRAM;
    else if (strcmp(space, "sys") == 0)
        place->space = SHELL_SYSTEM;
    else if (strlen(space) == 4 && strncmp(space, "bar", 3) == 0 && space[3] >= '0' && space[3] <= '3')
        place->bar = (unsigned)(space[3] - '0');
    else
        return refuse(error, "there is no memory '%.60s'; vram, sys, ramin, bar0 to bar3", space);
    if (place->space == SHELL_BAR && place->bar == 0 && address > UINT32_MAX)
        return refuse(error, "0x%" PRIx64 " is beyond BAR0", address);
    return true;
}

bool shell_place(struct shell *shell, const char *text, struct shell_place *place, struct pfifo_error *error) {
    const char *colon = strchr(text, ':');
    struct expression e = {
        .shell = shell, .text = text, .at = colon ? colon + 1 : text, .names = !colon, .error = error};
    char space[8] = "bar0";
    uint64_t address;

    if (colon && (size_t)(colon - text) >= sizeof space)
        return bad(&e);
    if (colon)
        snprintf(space, sizeof space, "%.*s", (int)(colon - text), text);
    if (!sum(&e, &address) || !shell_place_in(shell, space, address, place, error))
        return false;
    place->stride = e.stride;
    return true;
}

/* An offset beyond the end of BAR0 does not wrap around. */
bool shell_reach(struct shell *shell, const struct shell_place *place, uint64_t count, unsigned bytes,
                 enum shell_access access, struct pfifo_error *error) {
    bool is_bar0 = place->space == SHELL_BAR && place->bar == 0;
    uint64_t step = place->stride ? place->stride : bytes, most = is_bar0 ? UINT32_MAX : UINT64_MAX;
    struct shell_place last = *place;

    if (place->address > most || (count - 1) * step > most - place->address)
        return refuse(error, "0x%" PRIx64 " is too high for that", place->address);
    last.address += (count - 1) * step;
    return !shell->target->reach || shell->target->reach(shell, place, &last, bytes, access, error);
}

uint32_t shell_read(struct shell *shell, const struct shell_place *place, unsigned bytes) {
    return shell->target->read(shell, place, bytes);
}

void shell_write(struct shell *shell, const struct shell_place *place, unsigned bytes, uint32_t value) {
    shell->target->write(shell, place, bytes, value);
}

/* The tables of a chip without a machine are incomplete. */
static bool exists(const struct shell *shell, uint32_t offset) {
    struct pfifo_register reg;
    struct pfifo_window window;

    if (!pfifo_chip_info(pfifo_registers_chip(shell->registers)).runs ||
        pfifo_registers_describe(shell->registers, offset, &reg, NULL))
        return true;
    for (size_t i = 0; pfifo_registers_window(shell->registers, i, &window); i++)
        if (offset >= window.base && offset - window.base < window.bytes)
            return true;
    return false;
}

uint32_t shell_rd32(struct shell *shell, uint32_t offset) {
    struct shell_place place = {.space = SHELL_BAR, .address = offset};

    return exists(shell, offset) && shell_reach(shell, &place, 1, 4, SHELL_READ, NULL) ? shell_read(shell, &place, 4)
                                                                                       : UINT32_MAX;
}

void shell_join(unsigned count, char **argument, char between, char text[SHELL_LINE_BYTES]) {
    size_t used = 0;

    text[0] = 0;
    /* Not longer than the line that they come from. */
    for (unsigned i = 1; i < count; i++) {
        if (i > 1)
            text[used++] = between;
        used += (size_t)snprintf(text + used, SHELL_LINE_BYTES - used, "%s", argument[i]);
    }
}

uint64_t shell_rd40(struct shell *shell, uint32_t low, uint32_t high) {
    return shell_rd32(shell, low) | (uint64_t)(shell_rd32(shell, high) & 0xff) << 32;
}
