/* SPDX-License-Identifier: MIT */
/* Commands that read and write registers and memory. */
#include "face/tool/console/commands.h"
#include "face/tool/console/machine/show.h"
#include "face/tool/console/target.h"

#include <inttypes.h>
#include <string.h>

#define WORDS_PER_LINE 4

/* Bytes that the command accesses: r32, w16 ... */
static unsigned console_access_width_of(const char *command) {
    return strcmp(command + 1, "16") == 0 ? 2 : strcmp(command + 1, "8") == 0 ? 1 : 4; /* print reads 4 */
}

/* Elements of an array are a stride apart; otherwise addresses advance by the width of the access. */
static void advance(struct console_place *place, unsigned bytes) {
    place->address += place->stride ? place->stride : bytes;
}

static bool is_bar0(const struct console_place *place) {
    return place->space == CONSOLE_BAR && place->bar == 0;
}

const char *console_space_name(const struct console_place *place) {
    static const char *const bars[] = {"", "bar1:", "bar2:", "bar3:"};

    return place->space == CONSOLE_VRAM ? "vram:" : place->space == CONSOLE_SYSTEM ? "sys:" : bars[place->bar];
}

static bool console_access_is_register(const struct console *console, const struct console_place *place) {
    struct pfifo_register reg;

    return is_bar0(place) && pfifo_registers_describe(console->registers, (uint32_t)place->address, &reg, NULL);
}

/* Memory: lines of four, with the address of the first. */
static void show_memory(struct console *console, struct console_place *place, uint64_t count, unsigned bytes) {
    for (uint64_t i = 0; i < count; i++) {
        char text[160] = "";
        size_t used =
            (size_t)snprintf(text, sizeof text, "%s0x%06" PRIx64 " =", console_space_name(place), place->address);
        for (unsigned n = 0; n < WORDS_PER_LINE && i + n < count; n++) {
            used += (size_t)snprintf(text + used, sizeof text - used, " 0x%0*" PRIx32, (int)(2 * bytes),
                                     console_read(console, place, bytes));
            advance(place, bytes);
        }
        i += WORDS_PER_LINE - 1;
        console_print(console, "%s\n", text);
    }
}

bool console_cmd_read(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    unsigned bytes = console_access_width_of(argument[0]);
    struct console_place place;
    uint64_t values = 1;

    if (!console_place(console, argument[1], &place, error) ||
        (count > 2 && !console_number(argument[2], CONSOLE_MAX_COUNT, &values, error)))
        return false;
    if (!values)
        return refuse(error, "COUNT is at least 1");
    if (!console_reach(console, &place, values, bytes, CONSOLE_READ, error))
        return false;
    if (bytes < 4 || place.address % 4 != 0 ||
        !(console_access_is_register(console, &place) || (values == 1 && is_bar0(&place)))) {
        show_memory(console, &place, values, bytes);
        return true;
    }
    for (uint64_t i = 0; i < values; i++, advance(&place, bytes))
        console_show_register(console, (uint32_t)place.address, console_read(console, &place, bytes));
    return true;
}

/* All values are checked before the first is written: a line does everything or nothing. */
static bool access_write_values(struct console *console, struct console_place *place, unsigned bytes, unsigned count,
                                char **text, struct pfifo_error *error) {
    uint32_t value[CONSOLE_MAX_WORDS];

    for (unsigned i = 0; i < count; i++)
        if (!console_value32(console, text[i], bytes, &value[i], error))
            return false;
    if (!console_reach(console, place, count, bytes, CONSOLE_WRITE, error))
        return false;
    for (unsigned i = 0; i < count; i++, advance(place, bytes))
        console_write(console, place, bytes, value[i]);
    return true;
}

bool console_cmd_write(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct console_place place;

    return console_place(console, argument[1], &place, error) &&
           access_write_values(console, &place, console_access_width_of(argument[0]), count - 2, argument + 2, error);
}

static bool access_memory(struct console *console, const char *space, unsigned count, char **argument,
                          struct pfifo_error *error) {
    struct console_place place;
    uint64_t address;

    if (!console_number(argument[0], UINT64_MAX, &address, error) ||
        !console_place_in(console, space, address, &place, error))
        return false;
    if (count > 1)
        return access_write_values(console, &place, 4, count - 1, argument + 1, error);
    if (!console_reach(console, &place, WORDS_PER_LINE, 4, CONSOLE_READ, error))
        return false;
    show_memory(console, &place, WORDS_PER_LINE, 4);
    return true;
}

bool console_cmd_memory(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    return access_memory(console, argument[0], count - 1, argument + 1, error);
}

bool console_cmd_bar(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    char space[] = "bar0";
    uint64_t bar;

    if (!console_number(argument[1], 3, &bar, error))
        return false;
    space[3] = (char)('0' + bar);
    return access_memory(console, space, count - 2, argument + 2, error);
}

static bool expect_stop(const struct console *console, const char *want, struct pfifo_error *error) {
    return run_stop_expect(want, console->target->stops(console), console->target->stop_kinds, error);
}

static bool expect_irq(struct console *console, const char *want, struct pfifo_error *error) {
    uint64_t level;

    if (!console_number(want, UINT64_MAX, &level, NULL) || level > 1)
        return refuse(error, "the interrupt line is 1 or 0, not '%.60s'", want);
    return level == pfifo_gpu_irq(console->gpu) ||
           refuse(error, "expected the interrupt line to be %" PRIu64 ", but it is %d", level,
                  pfifo_gpu_irq(console->gpu));
}

bool console_cmd_expect(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    uint32_t want, found, mask = UINT32_MAX;
    struct console_place place;

    if (count == 3 && console->target->kind == CONSOLE_ON_CARD &&
        (!strcmp(argument[1], "stop") || !strcmp(argument[1], "irq")))
        return refuse(error, "expect %s is for models; this is a card", argument[1]);
    if (count == 3 && strcmp(argument[1], "stop") == 0)
        return expect_stop(console, argument[2], error);
    if (count == 3 && strcmp(argument[1], "irq") == 0)
        return expect_irq(console, argument[2], error);
    if (!console_place(console, argument[1], &place, error) ||
        !console_value32(console, argument[2], 4, &want, error) ||
        (count > 3 && !console_value32(console, argument[3], 4, &mask, error)))
        return false;
    if (!console_reach(console, &place, 1, 4, CONSOLE_READ, error))
        return false;
    found = console_read(console, &place, 4);
    if (((found ^ want) & mask) == 0)
        return true;
    if (mask == UINT32_MAX)
        return refuse(error, "expected %.60s = 0x%" PRIx32 ", found 0x%" PRIx32, argument[1], want, found);
    return refuse(error, "expected %.60s = 0x%" PRIx32 " under 0x%" PRIx32 ", found 0x%" PRIx32, argument[1],
                  want & mask, mask, found);
}
