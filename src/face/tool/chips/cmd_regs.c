/* SPDX-License-Identifier: MIT */
/*
 * pfifo regs: the registers of a chip, from the tables that its machine decodes with.
 */
#include <pfifo/registers.h>

#include "face/common/json_writer.h"
#include "face/tool/chips/chip_arguments.h"
#include "face/tool/chips/register_text.h"
#include "face/tool/command/command_line.h"
#include "face/tool/tool.h"

#include <inttypes.h>
#include <string.h>

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Print JSON, an object per line", 0},
    {0},
};

static const struct argp regs_argp = {
    options,
    chip_arguments_parse,
    "CHIP [GLOB]",
    "List the registers of a chip by offset: name, bits that a read may return, bits that a write stores, value after "
    "reset, fields; then the windows, areas that a unit decodes itself."
    "\vGLOB selects by name: 'CACHE1_*', 'PMC.*'. Marks: c the value is computed on a read, w a write has a side "
    "effect, r a read has a side effect. For chips that cannot be run, fewer registers are listed.",
    NULL,
    NULL,
    NULL,
};

static int cmd_regs_format_name(const struct pfifo_register *reg, char *buf, size_t size) {
    if (reg->count > 1)
        return snprintf(buf, size, "%s.%s[%" PRIu32 "]", reg->unit, reg->name, reg->count);
    return snprintf(buf, size, "%s.%s", reg->unit, reg->name);
}

/* Of the column of names. */
static int cmd_regs_width_of(const struct chip_arguments *regs, const struct pfifo_registers *registers) {
    struct pfifo_register reg;
    char name[128];
    int width = (int)strlen("register");

    for (size_t i = 0; pfifo_registers_at(registers, i, &reg); i++) {
        int length = register_matches(&reg, regs->glob) ? cmd_regs_format_name(&reg, name, sizeof name) : 0;
        width = length > width ? length : width;
    }
    return width;
}

static void register_text(const struct pfifo_register *reg, int width) {
    char name[128];

    cmd_regs_format_name(reg, name, sizeof name);
    printf("0x%06" PRIx32 "  %-*s", reg->offset, width, name);
    if (reg->count > 1)
        printf("  %6" PRIu32, reg->stride);
    else
        printf("  %6s", "-");
    printf("  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32 "  %c%c%c%s%s\n", reg->readable, reg->writable, reg->reset,
           reg->computed ? 'c' : '-', reg->write_acts ? 'w' : '-', reg->read_acts ? 'r' : '-', reg->fields ? "  " : "",
           reg->fields ? reg->fields : "");
}

/* `what`: a register, or a word of a window. */
static void register_json(const char *what, const struct pfifo_register *reg) {
    struct json_writer json = {.file = stdout};
    struct pfifo_register_field field;

    json_open(&json, NULL, '{');
    json_put_text(&json, what, reg->name);
    json_put_text(&json, "unit", reg->unit);
    json_put_number(&json, "offset", reg->offset);
    json_put_number(&json, "count", reg->count);
    json_put_number(&json, "stride", reg->stride);
    json_put_number(&json, "readable", reg->readable);
    json_put_number(&json, "writable", reg->writable);
    json_put_number(&json, "reset", reg->reset);
    json_put_bool(&json, "computed", reg->computed);
    json_put_bool(&json, "write_acts", reg->write_acts);
    json_put_bool(&json, "read_acts", reg->read_acts);
    json_put_bool(&json, "is_time", reg->is_time);
    json_open(&json, "fields", '[');
    for (size_t i = 0; pfifo_register_field_at(reg, i, &field); i++) {
        json_open(&json, NULL, '{');
        json_put_text(&json, "name", field.name);
        json_put_number(&json, "high", field.high);
        json_put_number(&json, "low", field.low);
        json_close(&json);
    }
    json_close(&json);
    json_close_line(&json);
}

static void window_text(const struct pfifo_window *window) {
    printf("0x%06" PRIx32 "  %-34s  0x%" PRIx32 " bytes%s\n", window->base, window->name, window->bytes,
           window->read_acts ? "  r" : "");
}

/* A word of a window, with its offset in the element. */
static void cmd_regs_word_text(const struct pfifo_window *window, const struct pfifo_register *word) {
    printf("          +0x%02" PRIx32 " %s.%s[%" PRIu32 "]  every 0x%" PRIx32 " bytes%s%s%s\n",
           word->offset - window->base, word->unit, word->name, word->count, word->stride, word->read_acts ? "  r" : "",
           word->fields ? "  " : "", word->fields ? word->fields : "");
}

static void window_json(const struct pfifo_window *window) {
    struct json_writer json = {.file = stdout};

    json_open(&json, NULL, '{');
    json_put_text(&json, "window", window->name);
    json_put_number(&json, "base", window->base);
    json_put_number(&json, "bytes", window->bytes);
    json_put_bool(&json, "read_acts", window->read_acts);
    json_close_line(&json);
}

static size_t print_registers(const struct chip_arguments *regs, const struct pfifo_registers *registers) {
    struct pfifo_register reg;
    int width = cmd_regs_width_of(regs, registers);
    size_t count = 0;

    for (size_t i = 0; pfifo_registers_at(registers, i, &reg); i++) {
        if (!register_matches(&reg, regs->glob))
            continue;
        if (!count++ && !regs->json)
            printf("offset    %-*s  stride  readable  writable  reset     marks  fields\n", width, "register");
        if (regs->json)
            register_json("register", &reg);
        else
            register_text(&reg, width);
    }
    return count;
}

static size_t print_windows(const struct chip_arguments *regs, const struct pfifo_registers *registers) {
    struct pfifo_window window;
    struct pfifo_register word;
    size_t count = 0;

    for (size_t i = 0; pfifo_registers_window(registers, i, &window); i++) {
        if (!window_matches(&window, regs->glob))
            continue;
        if (!count++ && !regs->json)
            puts("offset    window");
        if (regs->json)
            window_json(&window);
        else
            window_text(&window);
        for (size_t n = 0; pfifo_registers_window_word(registers, i, n, &word); n++)
            if (regs->json)
                register_json("word", &word);
            else
                cmd_regs_word_text(&window, &word);
    }
    return count;
}

enum tool_status cmd_regs(int argc, char **argv) {
    struct chip_arguments regs = {.takes_glob = true};
    struct pfifo_error error = {0};
    struct pfifo_registers *registers;
    size_t count;

    command_line_parse_listing(&regs_argp, argc, argv, paint_table, &regs);
    registers = pfifo_registers_new(regs.chip, &error);
    if (!registers) {
        tool_message("%s", error.message);
        return TOOL_FAILED;
    }
    count = print_registers(&regs, registers) + print_windows(&regs, registers);
    pfifo_registers_free(registers);
    if (!count)
        tool_message("%s has no register '%s'", pfifo_chip_info(regs.chip).name, regs.glob);
    return count ? TOOL_OK : TOOL_FAILED;
}
