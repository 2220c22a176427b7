/* SPDX-License-Identifier: MIT */
/* Commands that print the state of the machine. */
#include "chip/chip.h"
#include "face/tool/chips/register_text.h"
#include "face/tool/console/machine/inside.h"

#include <inttypes.h>

#define SMALL_ARRAY 8 /* dump skips zeros in larger ones */

/* On G80 and later: the meaning of a value that is read where nothing answers. NULL: an ordinary value. */
/* Chips on which a read of nothing gives a value that says so. */
static const struct silent { const char *chips; } silent[] = {{"G80-"}};

static const char *silence_text(const struct shell *shell, uint32_t value) {
    const struct pfifo_chip *chip = pfifo_registers_chip(shell->registers);
    static const struct {
        uint32_t high;
        const char *text;
    } texts[] = {{0xbad001, "no such register"},
                 {0xbad0ac, "a fault of virtual memory"},
                 {0xbad0da, "unit is off"},
                 {0xbad0fb, "no access to memory"}};

    if (!CHIP_ROW(chip, silent))
        return NULL;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (value >> 8 == texts[i].high)
            return texts[i].text;
    return NULL;
}

void shell_print_register(struct shell *shell, uint32_t offset, uint32_t value) {
    char name[128], fields[512] = "";
    struct pfifo_register reg;

    pfifo_registers_name(shell->registers, offset, name, sizeof name);
    const char *silence = silence_text(shell, value);
    if (silence)
        snprintf(fields, sizeof fields, "(%s)", silence);
    else if (pfifo_registers_describe(shell->registers, offset, &reg, NULL))
        register_format_fields(&reg, value, fields, sizeof fields);
    shell_print(shell, "0x%06" PRIx32 " %s%s= 0x%08" PRIx32 "%s%s", offset, name, name[0] ? " " : "", value,
                fields[0] ? "  " : "", fields);
}

void shell_show_register(struct shell *shell, uint32_t offset, uint32_t value) {
    shell_print_register(shell, offset, value);
    shell_print(shell, "\n");
}

/* What was named, and has no line of its own. */
static void show_none(struct shell *shell, const struct pfifo_register *reg, const char *why) {
    char last[16] = "";

    if (reg->count > 1)
        snprintf(last, sizeof last, "[0..%" PRIu32 "]", reg->count - 1);
    shell_print(shell, "0x%06" PRIx32 " %s.%s%s: %s\n", reg->offset, reg->unit, reg->name, last, why);
}

static void dump_register(struct shell *shell, const struct pfifo_register *reg) {
    struct shell_place place = {.space = SHELL_BAR, .address = reg->offset, .stride = reg->stride};

    bool shown = false;

    if (!shell_reach(shell, &place, reg->count, 4, SHELL_READ, NULL)) {
        show_none(shell, reg, "beyond the end of BAR0");
        return;
    }
    for (uint32_t i = 0; i < reg->count; i++) {
        uint32_t offset = reg->offset + i * reg->stride;
        uint32_t value = shell_rd32(shell, offset);
        if (!value && reg->count > SMALL_ARRAY)
            continue;
        shell_show_register(shell, offset, value);
        shown = true;
    }
    if (!shown)
        show_none(shell, reg, "all are 0");
}

/* One word of a window, in all elements; elements where nothing answers are skipped. */
static void dump_word(struct shell *shell, const struct pfifo_register *word) {
    bool shown = false, answered = false;

    for (uint32_t i = 0; i < word->count; i++) {
        uint32_t offset = word->offset + i * word->stride, value = shell_rd32(shell, offset);
        if (shell_is_silence(value))
            continue;
        answered = true;
        if (!value)
            continue;
        shell_show_register(shell, offset, value);
        shown = true;
    }
    if (!shown)
        show_none(shell, word, answered ? "all are 0" : "nothing answers");
}

static const char read_acts[] = "a read would change something; r32 reads it";

/* Only if the glob matches it: there are thousands. */
static size_t dump_windows(struct shell *shell, const char *glob) {
    struct pfifo_register word;
    struct pfifo_window window;
    size_t found = 0;

    for (size_t w = 0; glob && pfifo_registers_window(shell->registers, w, &window); w++)
        for (size_t i = 0; pfifo_registers_window_word(shell->registers, w, i, &word); i++) {
            if (!register_matches(&word, glob) && !window_matches(&window, glob))
                continue;
            found++;
            if (word.read_acts)
                show_none(shell, &word, read_acts);
            else
                dump_word(shell, &word);
        }
    return found;
}

static bool is_window(const struct shell *shell, const char *name) {
    struct pfifo_window window;

    return name && shell_window(shell, name, &window);
}

/* A glob may match more than the user meant, so registers with side effects on reads are skipped. */
bool shell_cmd_dump(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    const char *glob = count > 1 ? argument[1] : NULL;
    struct pfifo_register reg;
    size_t found = 0;

    for (size_t i = 0; pfifo_registers_at(shell->registers, i, &reg); i++) {
        if (!register_matches(&reg, glob))
            continue;
        found++;
        if (reg.read_acts)
            show_none(shell, &reg, read_acts);
        else
            dump_register(shell, &reg);
    }
    found += dump_windows(shell, glob);
    if (!found && is_window(shell, glob))
        return refuse(error, "the words of %s have no names: r32 %s reads them", glob, glob);
    return found || refuse(error, "%s has no register '%.60s'", shell_chip(shell), glob);
}
