/* SPDX-License-Identifier: MIT */
#include "face/tool/examine.h"
#include "face/tool/methods.h"
#include "face/tool/shell_inside.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* It was taken for a register. A card has no methods to show. */
static bool no_thing(const struct shell *shell, const char *thing, struct pfifo_error *error) {
    if (shell->gpu && error && strstr(error->message, " has no register "))
        return refuse(error, "'%.60s' is neither a register nor a method of an object that channels have bound", thing);
    return false;
}

bool shell_cmd_print(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    const char *thing = argument[1];
    struct shell_place place;
    uint32_t value;

    if (shell->gpu && methods_print(shell->gpu, thing, object_at, shell, print_line, shell))
        return true;
    if (!isdigit((unsigned char)thing[0]) && !strpbrk(thing, "+|<~"))
        return shell_place(shell, thing, &place, error) ? shell_cmd_read(shell, count, argument, error)
                                                        : no_thing(shell, thing, error);
    if (!shell_value(shell, thing, 4, &value, error))
        return false;
    shell_print(shell, "0x%" PRIx32 " = %" PRIu32 "\n", value, value);
    return true;
}
