/* SPDX-License-Identifier: MIT */
#include "face/tool/console/examine.h"
#include "face/tool/console/methods.h"
#include "face/tool/console/machine/inside.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void print_line(void *opaque, const char *line) {
    shell_print(opaque, "%s", line);
}

/* A value of 8 bytes is two accesses. */
static void read_values(struct shell *shell, struct shell_place place, const struct examine_format *format,
                        uint8_t *data) {
    unsigned width = format->bytes < 4 ? format->bytes : 4;

    for (uint64_t at = 0; at < format->count * format->bytes; at += width, place.address += width) {
        uint32_t value = shell_read(shell, &place, width);
        for (unsigned byte = 0; byte < width; byte++)
            data[at + byte] = (uint8_t)(value >> 8 * byte);
    }
}

bool shell_cmd_examine(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    const char *slash = argument[1][0] == '/' ? argument[1] + 1 : NULL;
    struct examine_format format;
    struct shell_place place;
    uint8_t *data;

    if (slash ? count != 3 : count != 2)
        return shell_usage(shell, error);
    if (!examine_parse(slash ? slash : "", &format, error) || !shell_place(shell, argument[count - 1], &place, error))
        return false;
    place.stride = 0;
    unsigned width = format.bytes < 4 ? format.bytes : 4;
    if (!shell_reach(shell, &place, format.count * format.bytes / width, width, SHELL_READ, error))
        return false;
    data = calloc(format.count, format.bytes);
    if (!data)
        return refuse(error, "no memory");
    read_values(shell, place, &format, data);
    examine_print(&format, shell_space_name(&place), place.address, data, print_line, shell);
    free(data);
    return true;
}

static bool object_at(const void *shell, size_t index, uint32_t *channel, uint32_t *oclass) {
    return shell_binds_at(shell, index, channel, oclass);
}

/* A name of the chip, with or without an index or what is added to it; several units may have it. */
static bool is_named(const struct shell *shell, const char *text) {
    struct pfifo_window window;
    struct pfifo_register reg;
    char name[64];
    uint32_t offset;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "+["), text);
    for (size_t i = 0; pfifo_registers_at(shell->registers, i, &reg); i++)
        if (strcasecmp(reg.name, name) == 0)
            return true;
    return shell_window(shell, name, &window) ||
           pfifo_registers_find(shell->registers, name, &offset, NULL) == PFIFO_OK;
}

/* A card has no methods to show. */
static bool no_thing(const struct shell *shell, const char *thing, struct pfifo_error *error) {
    return refuse(error, "'%.60s' is neither a register%s", thing,
                  shell->gpu ? " nor a method of an object that channels have bound" : " nor a number");
}

static bool print_value(struct shell *shell, const char *thing, const struct examine_format *format, uint32_t value) {
    char text[80];

    examine_value(format, value, text, sizeof text);
    shell_print(shell, "%.60s = %s\n", thing, text);
    return true;
}

static bool print_place(struct shell *shell, const char *thing, const struct examine_format *format,
                        struct pfifo_error *error) {
    char *words[] = {"r32", (char *)(uintptr_t)thing};
    struct shell_place place;

    if (!strpbrk(thing, ":.[") && !is_named(shell, thing))
        return no_thing(shell, thing, error);
    if (!format)
        return shell_cmd_read(shell, 2, words, error);
    return shell_place(shell, thing, &place, error) && shell_reach(shell, &place, 1, 4, SHELL_READ, error) &&
           print_value(shell, thing, format, shell_read(shell, &place, 4));
}

static bool print_glob(struct shell *shell, const char *glob, bool has_format, struct pfifo_error *error) {
    char *words[] = {"dump", (char *)(uintptr_t)glob};

    if (has_format)
        return refuse(error, "registers of a glob have no format: x/FMT PLACE prints some in one");
    return shell_cmd_dump(shell, 2, words, NULL) || no_thing(shell, glob, error);
}

bool shell_cmd_print(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    const char *slash = argument[1][0] == '/' ? argument[1] + 1 : NULL, *thing = argument[count - 1];
    struct examine_format format;
    const struct examine_format *as = slash ? &format : NULL;
    uint32_t value;

    if (slash ? count != 3 : count != 2)
        return shell_usage(shell, error);
    if (slash && !examine_parse_value(slash, &format, error))
        return false;
    if (shell->gpu && methods_print(shell->gpu, thing, as, object_at, shell, print_line, shell))
        return true;
    if (strpbrk(thing, "*?"))
        return print_glob(shell, thing, slash, error);
    if (!isdigit((unsigned char)thing[0]) && !strpbrk(thing, "+|<~"))
        return print_place(shell, thing, as, error);
    if (!shell_value(shell, thing, 4, &value, error))
        return false;
    if (slash)
        return print_value(shell, thing, as, value);
    shell_print(shell, "0x%" PRIx32 " = %" PRIu32 "\n", value, value);
    return true;
}
