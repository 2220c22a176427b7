/* SPDX-License-Identifier: MIT */
/*
 * pfifo asm: text to the words of a pushbuffer.
 */
#include <pfifo/decode.h>
#include <pfifo/words.h>

#include "face/tool/command_line.h"
#include "face/tool/rewrite.h"
#include "face/tool/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum cmd_asm_option_key { KEY_CHIP = 'c', KEY_OUTPUT = 'o', KEY_HEX = 'X', KEY_BASE = 'b' };
enum cmd_asm_long_option_key { KEY_BIND = 256, KEY_ORDER, KEY_OBJECT };

/* What is wrong with lines, and warnings. */
struct messages {
    struct told {
        struct pfifo_assemble_message message;
        char text[240];
    } told[2 * PFIFO_ASSEMBLE_MESSAGES];
    size_t count;
};

struct assembly {
    struct pfifo_assemble_options options;
    struct source source; /* objects of a capture */
    const char *file, *output;
    bool hex;
};

static const struct argp_option options[] = {
    {"chip", KEY_CHIP, "CHIP", 0, "The chip whose words these are. Required", 0},
    {"output", KEY_OUTPUT, "FILE", 0,
     "Write the words to FILE, not to standard output; a name that ends with .nvcap, .nvcap.xz or .nvcap.zst is a "
     "capture with one submission of them",
     0},
    {"hex", KEY_HEX, NULL, 0, "Write hexadecimal text, a word per line, not little-endian words", 0},
    {"base", KEY_BASE, "ADDRESS", 0,
     "Address of the first word (default 0x100000, as in decode --raw and run --raw), from which labels count", 0},
    {"bind", KEY_BIND, "SUBCHANNEL=CLASS", 0, "SUBCHANNEL has CLASS bound at the start. May be repeated", 0},
    {"object", KEY_OBJECT, "HANDLE=CLASS", 0, "A capture before GF100: HANDLE is an object of CLASS. May be repeated",
     0},
    {"in-order", KEY_ORDER, NULL, 0, "Text of decode: words in the order of the lines, whatever their addresses are",
     0},
    {0},
};

static bool ends_with(const char *text, const char *end) {
    size_t bytes = strlen(text), most = strlen(end);

    return bytes >= most && strcmp(text + bytes - most, end) == 0;
}

static bool is_capture(const char *output) {
    return output && (ends_with(output, ".nvcap") || ends_with(output, ".nvcap.xz") || ends_with(output, ".nvcap.zst"));
}

static error_t cmd_asm_parse(int key, char *arg, struct argp_state *state) {
    struct assembly *assembly = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        assembly->source.options.objects = assembly->source.objects;
        assembly->options.base = PFIFO_WORDS_BASE;
        return 0;
    case KEY_OBJECT:
        source_object(&assembly->source, arg, state);
        return 0;
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
        if (assembly->hex && is_capture(assembly->output))
            argp_error(state, "a capture is not text: --hex is for words");
        if (assembly->source.options.object_count && !is_capture(assembly->output))
            argp_error(state, "--object is for a capture: -o FILE.nvcap");
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
    "\vA FILE called - is standard input. A line is one that pfifo decode prints, or a command:\n"
    "  inc SUBCHANNEL METHOD DATA...   a packet; also noninc, once, long and imm\n"
    "  METHOD DATA...                  the packet that fits\n"
    "  jump TARGET, call TARGET, return, nop, sli MASK, setmask MASK, usemask, end\n"
    "  word HEX..., data NUMBER...     words as they are\n"
    "  bind SUBCHANNEL CLASS           what names belong to\n"
    "  NAME:                           a label, for jumps and, as @NAME, for data\n"
    "  macro NAME PARAMETER...         up to endmacro: the lines that NAME stands for, $PARAMETER being replaced\n"
    "DATA is a number, a value's name, FLAG|FLAG, or { FIELD=VALUE ... }. pfifo-asm(1) has all of it.",
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
    struct tool_output output;

    if (!tool_create(&output, assembly->output))
        return false;
    for (size_t i = 0; i < count && !output.reason; i++)
        write_word(assembly, &output, words[i]);
    return tool_close(&output, assembly->output);
}

static enum pfifo_edit_action keep_all(void *opaque, const struct pfifo_decode_event *event, uint32_t *data) {
    (void)opaque, (void)event, (void)data;
    return PFIFO_EDIT_KEEP;
}

static struct pfifo_words *in_memory(const struct assembly *assembly, const uint32_t *words, size_t count,
                                     struct pfifo_error *error) {
    uint8_t *bytes = malloc(4 * count + 1);
    struct pfifo_words *read = NULL;

    if (!bytes) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for %zu words", count);
        return NULL;
    }
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    read = pfifo_words_raw(bytes, 4 * count, assembly->output, error);
    free(bytes);
    return read;
}

static bool write_capture(const struct assembly *assembly, const uint32_t *words, size_t count) {
    const struct pfifo_words_capture_options with = {.size = sizeof with,
                                                     .chip = assembly->options.chip,
                                                     .has_base = true,
                                                     .base = assembly->options.base,
                                                     .objects = assembly->source.options.objects,
                                                     .object_count = assembly->source.options.object_count,
                                                     .runs = true};
    struct pfifo_error error = {0};
    struct pfifo_edit_result result;
    struct pfifo_words *read = in_memory(assembly, words, count, &error);
    struct pfifo_stream *stream = read ? pfifo_words_capture(read, &with, &error) : NULL;
    bool done = stream && rewrite(stream, NULL, assembly->output, keep_all, NULL, &result, &error) == PFIFO_OK;

    if (!done)
        tool_message("%s", error.message);
    pfifo_stream_close(stream);
    pfifo_words_free(read);
    return done;
}

static void note(void *opaque, const struct pfifo_assemble_message *message) {
    struct messages *messages = opaque;
    struct told *told = &messages->told[messages->count];

    if (messages->count == sizeof messages->told / sizeof messages->told[0])
        return;
    told->message = *message;
    snprintf(told->text, sizeof told->text, "%s", message->text);
    messages->count++;
}

static int compare_places(const void *left, const void *right) {
    const struct pfifo_assemble_message *a = left, *b = right;

    return a->line != b->line ? (a->line > b->line) - (a->line < b->line)
                              : (a->column > b->column) - (a->column < b->column);
}

/* How many errors there are. */
static size_t print_messages(const struct assembly *assembly, struct messages *messages) {
    const char *path = tool_input_path(assembly->file);
    size_t errors = 0;

    qsort(messages->told, messages->count, sizeof messages->told[0], compare_places);
    for (size_t i = 0; i < messages->count; i++) {
        const struct pfifo_assemble_message *message = &messages->told[i].message;
        tool_message("%s:%u:%u: %s%s", path, (unsigned)message->line, (unsigned)message->column,
                     message->warning ? "warning: " : "", messages->told[i].text);
        errors += !message->warning;
    }
    if (errors == PFIFO_ASSEMBLE_MESSAGES)
        tool_message_of(assembly->file, "%zu errors: what follows was not looked at", errors);
    return errors;
}

/* Nothing is written if a line is wrong. */
static bool assemble(const struct assembly *assembly, const char *text, size_t bytes) {
    struct pfifo_assemble_options with = assembly->options;
    struct messages messages = {.count = 0};
    struct pfifo_error error = {0};
    enum pfifo_status status;
    size_t count, room = bytes / 2 + 1;
    uint32_t *words = malloc(room * sizeof *words);
    bool done = false;

    if (!words) {
        tool_message_of(assembly->file, "no memory for its words");
        return false;
    }
    with.segment = is_capture(assembly->output);
    with.told = note;
    with.told_opaque = &messages;
    status = pfifo_assemble_text(text, bytes, &with, words, room, &count, &error);
    if (status == PFIFO_OK && count > room) {
        /* More came of macros than the text is long. */
        free(words);
        words = malloc(count * sizeof *words);
        messages.count = 0;
        status = words ? pfifo_assemble_text(text, bytes, &with, words, count, &count, &error)
                       : pfifo_error_set(&error, PFIFO_ERROR_MEMORY, "no memory for its words");
    }
    if (!print_messages(assembly, &messages) && status != PFIFO_OK)
        tool_message_of(assembly->file, "%s", error.message);
    else if (status == PFIFO_OK)
        done = (is_capture(assembly->output) ? write_capture : write_words)(assembly, words, count);
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
    if ((!assembly.output || tool_is_output(assembly.output)) && !assembly.hex && isatty(STDOUT_FILENO)) {
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
