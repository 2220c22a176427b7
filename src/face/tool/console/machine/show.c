/* SPDX-License-Identifier: MIT */
/* Commands that print the state of the machine. */
#include "chip/chip.h"
#include "face/tool/console/machine/show.h"
#include "face/tool/chips/register_text.h"
#include "face/tool/console/commands.h"
#include "face/tool/console/place.h"

#include <inttypes.h>

#define SMALL_ARRAY 8 /* dump skips zeros in larger ones */

/* On G80 and later: the meaning of a value that is read where nothing answers. NULL: an ordinary value. */
/* Chips on which a read of nothing gives a value that says so. */
static const struct silent { const char *chips; } silent[] = {{"G80-"}};

static const char *silence_text(const struct console *console, uint32_t value) {
    const struct pfifo_chip *chip = pfifo_registers_chip(console->registers);
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

void console_print_register(struct console *console, uint32_t offset, uint32_t value) {
    char name[128], fields[512] = "";
    struct pfifo_register reg;

    pfifo_registers_name(console->registers, offset, name, sizeof name);
    const char *silence = silence_text(console, value);
    if (silence)
        snprintf(fields, sizeof fields, "(%s)", silence);
    else if (pfifo_registers_describe(console->registers, offset, &reg, NULL))
        register_format_fields(&reg, value, fields, sizeof fields);
    console_print(console, "0x%06" PRIx32 " %s%s= 0x%08" PRIx32 "%s%s", offset, name, name[0] ? " " : "", value,
                  fields[0] ? "  " : "", fields);
}

void console_show_register(struct console *console, uint32_t offset, uint32_t value) {
    console_print_register(console, offset, value);
    console_print(console, "\n");
}

/* What was named, and has no line of its own. */
static void show_none(struct console *console, const struct pfifo_register *reg, const char *why) {
    char last[16] = "";

    if (reg->count > 1)
        snprintf(last, sizeof last, "[0..%" PRIu32 "]", reg->count - 1);
    console_print(console, "0x%06" PRIx32 " %s.%s%s: %s\n", reg->offset, reg->unit, reg->name, last, why);
}

static void dump_register(struct console *console, const struct pfifo_register *reg) {
    struct console_place place = {.space = CONSOLE_BAR, .address = reg->offset, .stride = reg->stride};

    bool shown = false;

    if (!console_reach(console, &place, reg->count, 4, CONSOLE_READ, NULL)) {
        show_none(console, reg, "beyond the end of BAR0");
        return;
    }
    for (uint32_t i = 0; i < reg->count; i++) {
        uint32_t offset = reg->offset + i * reg->stride;
        uint32_t value = console_rd32(console, offset);
        if (!value && reg->count > SMALL_ARRAY)
            continue;
        console_show_register(console, offset, value);
        shown = true;
    }
    if (!shown)
        show_none(console, reg, "all are 0");
}

/* One word of a window, in all elements; elements where nothing answers are skipped. */
static void dump_word(struct console *console, const struct pfifo_register *word) {
    bool shown = false, answered = false;

    for (uint32_t i = 0; i < word->count; i++) {
        uint32_t offset = word->offset + i * word->stride, value = console_rd32(console, offset);
        if (console_is_silence(value))
            continue;
        answered = true;
        if (!value)
            continue;
        console_show_register(console, offset, value);
        shown = true;
    }
    if (!shown)
        show_none(console, word, answered ? "all are 0" : "nothing answers");
}

static const char read_acts[] = "a read would change something; r32 reads it";

/* Only if the glob matches it: there are thousands. */
static size_t dump_windows(struct console *console, const char *glob) {
    struct pfifo_register word;
    struct pfifo_window window;
    size_t found = 0;

    for (size_t w = 0; glob && pfifo_registers_window(console->registers, w, &window); w++)
        for (size_t i = 0; pfifo_registers_window_word(console->registers, w, i, &word); i++) {
            if (!register_matches(&word, glob) && !window_matches(&window, glob))
                continue;
            found++;
            if (word.read_acts)
                show_none(console, &word, read_acts);
            else
                dump_word(console, &word);
        }
    return found;
}

static bool is_window(const struct console *console, const char *name) {
    struct pfifo_window window;

    return name && console_window(console, name, &window);
}

/* A glob may match more than the user meant, so registers with side effects on reads are skipped. */
bool console_cmd_dump(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const char *glob = count > 1 ? argument[1] : NULL;
    struct pfifo_register reg;
    size_t found = 0;

    for (size_t i = 0; pfifo_registers_at(console->registers, i, &reg); i++) {
        if (!register_matches(&reg, glob))
            continue;
        found++;
        if (reg.read_acts)
            show_none(console, &reg, read_acts);
        else
            dump_register(console, &reg);
    }
    found += dump_windows(console, glob);
    if (!found && is_window(console, glob))
        return refuse(error, "the words of %s have no names: r32 %s reads them", glob, glob);
    return found || refuse(error, "%s has no register '%.60s'", console_chip(console), glob);
}
