/* SPDX-License-Identifier: MIT */
/*
 * pfifo asm: text to the words of a pushbuffer.
 */
#include <pfifo/decode.h>

#include "face/tool/command_line.h"
#include "face/tool/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum cmd_asm_option_key { KEY_CHIP = 'c', KEY_OUTPUT = 'o', KEY_HEX = 'x', KEY_BASE = 'b' };
enum cmd_asm_long_option_key { KEY_BIND = 256, KEY_ORDER };

struct assembly {
    struct pfifo_assemble_options options;
    const char *file, *output;
    bool hex;
};

static const struct argp_option options[] = {
    {"chip", KEY_CHIP, "CHIP", 0, "The chip whose words these are. Required", 0},
    {"output", KEY_OUTPUT, "FILE", 0, "Write the words to FILE, not to standard output", 0},
    {"hex", KEY_HEX, NULL, 0, "Write hexadecimal text, a word per line, not little-endian words", 0},
    {"base", KEY_BASE, "ADDRESS", 0, "Address of the first word (default 0), from which labels count", 0},
    {"bind", KEY_BIND, "SUBCHANNEL=CLASS", 0, "SUBCHANNEL has CLASS bound at the start. May be repeated", 0},
    {"in-order", KEY_ORDER, NULL, 0, "Text of decode: words in the order of the lines, whatever their addresses are",
     0},
    {0},
};

static error_t cmd_asm_parse(int key, char *arg, struct argp_state *state) {
    struct assembly *assembly = state->input;

    switch (key) {
    case KEY_CHIP:
        assembly->options.chip = tool_chip(state, arg);
        return 0;
    case KEY_OUTPUT:
        assembly->output = arg;
        return 0;
    case KEY_HEX:
        assembly->hex = true;
        return 0;
    case KEY_BASE:
        assembly->options.base = source_base(arg, state);
        return 0;
    case KEY_BIND:
        source_bind(assembly->options.bound, arg, state);
        return 0;
    case KEY_ORDER:
        assembly->options.in_order = true;
        return 0;
    case ARGP_KEY_ARG:
        if (assembly->file)
            argp_error(state, "one file is assembled at a time");
        assembly->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (!assembly->file)
            argp_error(state, "a file is missing");
        if (!assembly->options.chip)
            argp_error(state, "--chip is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp asm_argp = {
    options,
    cmd_asm_parse,
    "FILE",
    "Assemble text into the words of a pushbuffer."
    "\vA FILE of - is standard input. A line is one that pfifo decode prints, or a command:\n"
    "  inc SUBCHANNEL METHOD DATA...   and noninc, once, long, imm; METHOD DATA... alone\n"
    "  jump TARGET, call TARGET, return, nop, sli MASK, setmask MASK, usemask, end\n"
    "  word HEX..., data NUMBER...     words as they are\n"
    "  bind SUBCHANNEL CLASS           what names belong to\n"
    "  NAME:                           a label, for jumps and, as @NAME, for data\n"
    "DATA is a number, a value's name, or { FIELD=VALUE ... }. pfifo(1) has all of it.",
    NULL,
    NULL,
    NULL,
};

static void write_word(const struct assembly *assembly, struct tool_output *output, uint32_t word) {
    unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                              (unsigned char)(word >> 24)};
    char text[16];

    if (assembly->hex)
        tool_write_output(output, text, (size_t)snprintf(text, sizeof text, "%08x\n", (unsigned)word));
    else
        tool_write_output(output, (const char *)bytes, sizeof bytes);
}

/* Standard output is checked at the end of the tool. */
static bool write_words(const struct assembly *assembly, const uint32_t *words, size_t count) {
    struct tool_output output = {.file = assembly->output ? fopen(assembly->output, "wb") : stdout};

    if (!output.file) {
        tool_message("%s: cannot write: %s", assembly->output, strerror(errno));
        return false;
    }
    for (size_t i = 0; i < count && !output.reason; i++)
        write_word(assembly, &output, words[i]);
    return assembly->output ? tool_close(&output, assembly->output) : true;
}

/* Nothing is written if a line is wrong. */
static bool assemble(const struct assembly *assembly, const char *text, size_t bytes) {
    struct pfifo_error error = {0};
    size_t count, room = bytes / 2 + 1;
    uint32_t *words = malloc(room * sizeof *words);
    bool done = false;

    if (!words)
        tool_message("%s: no memory for its words", assembly->file);
    else if (pfifo_assemble_text(text, bytes, &assembly->options, words, room, &count, &error) != PFIFO_OK)
        tool_message("%s: %s", assembly->file, error.message);
    else
        done = write_words(assembly, words, count);
    free(words);
    return done;
}

enum tool_status cmd_asm(int argc, char **argv) {
    struct assembly assembly = {.options = {.size = sizeof assembly.options}};
    struct pfifo_error error = {0};
    bool done;
    size_t bytes;
    char *text;

    command_line_parse(&asm_argp, argc, argv, 0, &assembly);
    if (!assembly.output && !assembly.hex && isatty(STDOUT_FILENO)) {
        tool_message("words are not for a terminal: --hex or --output=FILE");
        return TOOL_FAILED;
    }
    text = tool_read(assembly.file, &bytes, &error);
    if (!text) {
        tool_message("%s", error.message);
        return TOOL_FAILED;
    }
    done = assemble(&assembly, text, bytes);
    free(text);
    return done ? TOOL_OK : TOOL_FAILED;
}
