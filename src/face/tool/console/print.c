/* SPDX-License-Identifier: MIT */
/* x and print, of all targets. */
#include "face/tool/console/commands.h"
#include "face/tool/console/examine.h"
#include "face/tool/console/methods.h"
#include "face/tool/console/shader/shader.h"
#include "face/tool/console/target.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- x ---- */

/* A value of 8 bytes is two accesses. */
static void print_read_values(struct console *console, struct console_place place, const struct examine_format *format,
                              uint8_t *data) {
    unsigned width = format->bytes < 4 ? format->bytes : 4;

    for (uint64_t at = 0; at < format->count * format->bytes; at += width, place.address += width) {
        uint32_t value = console_read(console, &place, width);
        for (unsigned byte = 0; byte < width; byte++)
            data[at + byte] = (uint8_t)(value >> 8 * byte);
    }
}

bool console_examine_place(struct console *console, const char *text, const struct examine_format *format,
                           uint8_t *data, struct console_examined *where, struct pfifo_error *error) {
    unsigned width = format->bytes < 4 ? format->bytes : 4;
    struct console_place place;

    if (!console_place(console, text, &place, error))
        return false;
    place.stride = 0;
    if (!console_reach(console, &place, format->count * format->bytes / width, width, CONSOLE_READ, error))
        return false;
    print_read_values(console, place, format, data);
    snprintf(where->space, sizeof where->space, "%s", console_space_name(&place));
    where->address = place.address;
    return true;
}

/* "8i" */
static bool is_instructions(const char *format, uint64_t *count) {
    char *end;

    *count = isdigit((unsigned char)*format) ? strtoull(format, &end, 10) : 1;
    end = (char *)(uintptr_t)format + strspn(format, "0123456789");
    return strcmp(end, "i") == 0 && *count;
}

bool console_cmd_examine(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const char *slash = argument[1][0] == '/' ? argument[1] + 1 : NULL;
    struct console_examined where;
    struct examine_format format;
    uint64_t instructions;
    uint8_t *data;
    bool done;

    if (slash ? count != 3 : count != 2)
        return console_usage(console, error);
    if (slash && shader_inside(console) && is_instructions(slash, &instructions))
        return shader_list(console, argument[2], instructions, error);
    if (!examine_parse(slash ? slash : "", &format, error))
        return false;
    data = calloc(format.count, format.bytes);
    if (!data)
        return refuse(error, "no memory");
    done = (shader_is_place(console, argument[count - 1]) ? shader_examine : console->target->examine)(
        console, argument[count - 1], &format, data, &where, error);
    if (done)
        examine_print(&format, where.space, where.address, data, console_print_text, console);
    free(data);
    return done;
}

/* ---- print ---- */

/* A name of the chip, with or without an index or what is added to it; several units may have it. */
static bool print_is_named(const struct console *console, const char *text) {
    struct pfifo_window window;
    struct pfifo_register reg;
    char name[64];
    uint32_t offset;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "+["), text);
    for (size_t i = 0; pfifo_registers_at(console->registers, i, &reg); i++)
        if (strcasecmp(reg.name, name) == 0)
            return true;
    return console_window(console, name, &window) ||
           pfifo_registers_find(console->registers, name, &offset, NULL) == PFIFO_OK;
}

/* A card has no methods to show. */
static bool no_thing(const struct console *console, const char *thing, struct pfifo_error *error) {
    return refuse(error, "'%.60s' is neither a register%s%s", thing,
                  console->gpu ? " nor a method of an object that channels have bound" : " nor a number",
                  console->target->not_yet ? console->target->not_yet(console) : "");
}

static bool print_value(struct console *console, const char *thing, const struct examine_format *format,
                        uint64_t value) {
    struct examine_format as;
    char text[80];

    if (!format) {
        console_print(console, "0x%" PRIx64 " = %" PRIu64 "\n", value, value);
        return true;
    }
    as = *format;
    as.bytes = value > UINT32_MAX ? 8 : as.bytes;
    examine_value(&as, value, text, sizeof text);
    console_print(console, "%.60s = %s\n", thing, text);
    return true;
}

static bool print_place(struct console *console, const char *thing, const struct examine_format *format,
                        struct pfifo_error *error) {
    char *words[] = {"r32", (char *)(uintptr_t)thing};
    struct console_place place;

    if (!strpbrk(thing, ":.[") && !print_is_named(console, thing))
        return no_thing(console, thing, error);
    if (!format)
        return console_cmd_read(console, 2, words, error);
    return console_place(console, thing, &place, error) && console_reach(console, &place, 1, 4, CONSOLE_READ, error) &&
           print_value(console, thing, format, console_read(console, &place, 4));
}

static bool print_glob(struct console *console, const char *glob, bool has_format, struct pfifo_error *error) {
    char *words[] = {"dump", (char *)(uintptr_t)glob};

    if (has_format)
        return refuse(error, "registers of a glob have no format: x/FMT PLACE prints some in one");
    return console_cmd_dump(console, 2, words, NULL) || no_thing(console, glob, error);
}

static bool print_methods(struct console *console, const char *thing, const struct examine_format *format) {
    const struct breaks_owner *owner = console->target->breaks;

    return owner && console->gpu &&
           methods_print(console->gpu, thing, format, owner->object, console, console_print_text, console);
}

bool console_cmd_print(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const char *slash = argument[1][0] == '/' ? argument[1] + 1 : NULL, *thing = argument[count - 1];
    struct examine_format format;
    const struct examine_format *as = slash ? &format : NULL;
    bool is_number = isdigit((unsigned char)thing[0]) || thing[0] == '$';
    uint64_t value;

    if (slash ? count != 3 : count != 2)
        return console_usage(console, error);
    if (slash && !examine_parse_value(slash, &format, error))
        return false;
    if (!is_number && print_methods(console, thing, as))
        return true;
    if (strpbrk(thing, "*?"))
        return print_glob(console, thing, slash, error);
    if (!is_number && !strpbrk(thing, "+|<~"))
        return print_place(console, thing, as, error);
    return console_value(console, thing, console->target->number_bytes, &value, error) &&
           print_value(console, thing, as, value);
}
