/* SPDX-License-Identifier: MIT */
/* Commands that read and write registers and memory. */
#include "face/tool/console/machine/inside.h"

#include <inttypes.h>
#include <string.h>

#define WORDS_PER_LINE 4

/* Bytes that the command accesses: r32, w16 ... */
static unsigned shell_access_width_of(const char *command) {
    return strcmp(command + 1, "16") == 0 ? 2 : strcmp(command + 1, "8") == 0 ? 1 : 4; /* print reads 4 */
}

/* Elements of an array are a stride apart; otherwise addresses advance by the width of the access. */
static void advance(struct shell_place *place, unsigned bytes) {
    place->address += place->stride ? place->stride : bytes;
}

static bool is_bar0(const struct shell_place *place) {
    return place->space == SHELL_BAR && place->bar == 0;
}

const char *shell_space_name(const struct shell_place *place) {
    static const char *const bars[] = {"", "bar1:", "bar2:", "bar3:"};

    return place->space == SHELL_VRAM ? "vram:" : place->space == SHELL_SYSTEM ? "sys:" : bars[place->bar];
}

static bool shell_access_is_register(const struct shell *shell, const struct shell_place *place) {
    struct pfifo_register reg;

    return is_bar0(place) && pfifo_registers_describe(shell->registers, (uint32_t)place->address, &reg, NULL);
}

/* Memory: lines of four, with the address of the first. */
static void show_memory(struct shell *shell, struct shell_place *place, uint64_t count, unsigned bytes) {
    for (uint64_t i = 0; i < count; i++) {
        char text[160] = "";
        size_t used =
            (size_t)snprintf(text, sizeof text, "%s0x%06" PRIx64 " =", shell_space_name(place), place->address);
        for (unsigned n = 0; n < WORDS_PER_LINE && i + n < count; n++) {
            used += (size_t)snprintf(text + used, sizeof text - used, " 0x%0*" PRIx32, (int)(2 * bytes),
                                     shell_read(shell, place, bytes));
            advance(place, bytes);
        }
        i += WORDS_PER_LINE - 1;
        shell_print(shell, "%s\n", text);
    }
}

bool shell_cmd_read(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    unsigned bytes = shell_access_width_of(argument[0]);
    struct shell_place place;
    uint64_t values = 1;

    if (!shell_place(shell, argument[1], &place, error) ||
        (count > 2 && !shell_number(argument[2], SHELL_MAX_COUNT, &values, error)))
        return false;
    if (!values)
        return refuse(error, "COUNT is at least 1");
    if (!shell_reach(shell, &place, values, bytes, SHELL_READ, error))
        return false;
    if (bytes < 4 || place.address % 4 != 0 ||
        !(shell_access_is_register(shell, &place) || (values == 1 && is_bar0(&place)))) {
        show_memory(shell, &place, values, bytes);
        return true;
    }
    for (uint64_t i = 0; i < values; i++, advance(&place, bytes))
        shell_show_register(shell, (uint32_t)place.address, shell_read(shell, &place, bytes));
    return true;
}

/* All values are checked before the first is written: a line does everything or nothing. */
static bool write_values(struct shell *shell, struct shell_place *place, unsigned bytes, unsigned count, char **text,
                         struct pfifo_error *error) {
    uint32_t value[SHELL_MAX_WORDS];

    for (unsigned i = 0; i < count; i++)
        if (!shell_value(shell, text[i], bytes, &value[i], error))
            return false;
    if (!shell_reach(shell, place, count, bytes, SHELL_WRITE, error))
        return false;
    for (unsigned i = 0; i < count; i++, advance(place, bytes))
        shell_write(shell, place, bytes, value[i]);
    return true;
}

bool shell_cmd_write(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    struct shell_place place;

    return shell_place(shell, argument[1], &place, error) &&
           write_values(shell, &place, shell_access_width_of(argument[0]), count - 2, argument + 2, error);
}

static bool access_memory(struct shell *shell, const char *space, unsigned count, char **argument,
                          struct pfifo_error *error) {
    struct shell_place place;
    uint64_t address;

    if (!shell_number(argument[0], UINT64_MAX, &address, error) ||
        !shell_place_in(shell, space, address, &place, error))
        return false;
    if (count > 1)
        return write_values(shell, &place, 4, count - 1, argument + 1, error);
    if (!shell_reach(shell, &place, WORDS_PER_LINE, 4, SHELL_READ, error))
        return false;
    show_memory(shell, &place, WORDS_PER_LINE, 4);
    return true;
}

bool shell_cmd_memory(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    return access_memory(shell, argument[0], count - 1, argument + 1, error);
}

bool shell_cmd_bar(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    char space[] = "bar0";
    uint64_t bar;

    if (!shell_number(argument[1], 3, &bar, error))
        return false;
    space[3] = (char)('0' + bar);
    return access_memory(shell, space, count - 2, argument + 2, error);
}

static bool expect_stop(struct shell *shell, const char *want, struct pfifo_error *error) {
    return run_stop_expect(want, shell->ran ? UINT32_C(1) << shell->stop : 0, RUN_STOP_SHELL, error);
}

static bool expect_irq(struct shell *shell, const char *want, struct pfifo_error *error) {
    uint64_t level;

    if (!shell_number(want, UINT64_MAX, &level, NULL) || level > 1)
        return refuse(error, "the interrupt line is 1 or 0, not '%.60s'", want);
    return level == pfifo_gpu_irq(shell->gpu) ||
           refuse(error, "expected the interrupt line to be %" PRIu64 ", but it is %d", level,
                  pfifo_gpu_irq(shell->gpu));
}

bool shell_cmd_expect(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    uint32_t want, found, mask = UINT32_MAX;
    struct shell_place place;

    if (count == 3 && shell->target->is_card && (!strcmp(argument[1], "stop") || !strcmp(argument[1], "irq")))
        return refuse(error, "expect %s is for models; this is a card", argument[1]);
    if (count == 3 && strcmp(argument[1], "stop") == 0)
        return expect_stop(shell, argument[2], error);
    if (count == 3 && strcmp(argument[1], "irq") == 0)
        return expect_irq(shell, argument[2], error);
    if (!shell_place(shell, argument[1], &place, error) || !shell_value(shell, argument[2], 4, &want, error) ||
        (count > 3 && !shell_value(shell, argument[3], 4, &mask, error)))
        return false;
    if (!shell_reach(shell, &place, 1, 4, SHELL_READ, error))
        return false;
    found = shell_read(shell, &place, 4);
    if (((found ^ want) & mask) == 0)
        return true;
    if (mask == UINT32_MAX)
        return refuse(error, "expected %.60s = 0x%" PRIx32 ", found 0x%" PRIx32, argument[1], want, found);
    return refuse(error, "expected %.60s = 0x%" PRIx32 " under 0x%" PRIx32 ", found 0x%" PRIx32, argument[1],
                  want & mask, mask, found);
}
