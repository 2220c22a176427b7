/* SPDX-License-Identifier: MIT */
/*
 * pfifo asm: text to the words of a pushbuffer.
 */
#include <pfifo/decode.h>
#include <pfifo/words.h>

#include "face/tool/command/command_line.h"
#include "face/tool/command/source.h"
#include "face/tool/edit/rewrite.h"

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

struct buffers {
    struct pfifo_assemble_buffer buffer[PFIFO_ASSEMBLE_BUFFERS];
    size_t count;
};

/* What came of a text. */
struct result {
    uint32_t *words;
    size_t count;
    struct buffers buffers; /* of a capture */
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
     "Write the words to FILE, not to standard output; a name that ends with .nvcap, .nvcap.gz, .nvcap.xz or "
     ".nvcap.zst is a capture with one submission of them",
     0},
    {"hex", KEY_HEX, NULL, 0, "Write hexadecimal text, a word per line, not little-endian words", 0},
    {"base", KEY_BASE, "ADDRESS", 0,
     "Address of the first word (default 0x100000, as in decode --raw and run --raw), from which labels count", 0},
    {"bind", KEY_BIND, "SUBCHANNEL=CLASS", 0, "SUBCHANNEL has CLASS bound at the start. May be repeated", 0},
    {"object", KEY_OBJECT, "HANDLE=CLASS", 0, "Before GF100: HANDLE is an object of CLASS. May be repeated", 0},
    {"in-order", KEY_ORDER, NULL, 0, "Text of decode: words in the order of the lines, whatever their addresses are",
     0},
    {0},
};

static bool ends_with(const char *text, const char *end) {
    size_t bytes = strlen(text), most = strlen(end);

    return bytes >= most && strcmp(text + bytes - most, end) == 0;
}

static bool is_capture(const char *output) {
    return output && (ends_with(output, ".nvcap") || ends_with(output, ".nvcap.gz") || ends_with(output, ".nvcap.xz") ||
                      ends_with(output, ".nvcap.zst"));
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
        assembly->options.objects = assembly->source.objects;
        assembly->options.object_count = assembly->source.options.object_count;
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
    "  buffer NAME BYTES [ADDRESS]     up to endbuffer: other memory of a capture\n"
    "  macro NAME PARAMETER...         up to endmacro: lines for NAME ARGUMENT...\n"
    "DATA is a number, a value's name, FLAG|FLAG, or { FIELD=VALUE ... }. pfifo-asm(1) has all of it.",
    NULL,
    NULL,
    NULL,
};

static void cmd_asm_write_word(const struct assembly *assembly, struct tool_output *output, uint32_t word) {
    unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                              (unsigned char)(word >> 24)};
    char text[16];

    if (assembly->hex)
        tool_write_output(output, text, (size_t)snprintf(text, sizeof text, "%08x\n", (unsigned)word));
    else
        tool_write_output(output, (const char *)bytes, sizeof bytes);
}

/* Standard output is checked at the end of the tool. */
static bool cmd_asm_write_words(const struct assembly *assembly, const struct result *result) {
    struct tool_output output;

    if (!tool_create(&output, assembly->output))
        return false;
    for (size_t i = 0; i < result->count && !output.reason; i++)
        cmd_asm_write_word(assembly, &output, result->words[i]);
    return tool_close(&output, assembly->output);
}

static enum pfifo_edit_action keep_all(void *opaque, const struct pfifo_decode_event *event, uint32_t *data) {
    (void)opaque, (void)event, (void)data;
    return PFIFO_EDIT_KEEP;
}

/* Little endian. NULL: no memory. */
static uint8_t *cmd_asm_bytes_of(const struct result *result) {
    uint8_t *bytes = malloc(4 * result->count + 1);

    for (size_t i = 0; bytes && i < 4 * result->count; i++)
        bytes[i] = (uint8_t)(result->words[i / 4] >> 8 * (i % 4));
    return bytes;
}

/* The words that are in no buffer move together; how many bytes they are. What is in buffers was copied before. */
static size_t take_pushbuffer(const struct result *result, uint8_t *bytes) {
    const struct buffers *buffers = &result->buffers;
    size_t used = 0, at = 0;

    for (size_t i = 0; i <= buffers->count; i++) {
        size_t end = i < buffers->count ? buffers->buffer[i].first : result->count;
        memmove(bytes + used, bytes + 4 * at, 4 * (end - at));
        used += 4 * (end - at);
        at = i < buffers->count ? end + buffers->buffer[i].count : end;
    }
    return used;
}

static bool asm_write_capture(const struct assembly *assembly, const struct result *result) {
    struct pfifo_words_buffer buffers[PFIFO_ASSEMBLE_BUFFERS];
    const struct pfifo_words_capture_options with = {.size = sizeof with,
                                                     .chip = assembly->options.chip,
                                                     .has_base = true,
                                                     .base = assembly->options.base,
                                                     .objects = assembly->source.options.objects,
                                                     .object_count = assembly->source.options.object_count,
                                                     .runs = true,
                                                     .buffers = buffers,
                                                     .buffer_count = result->buffers.count};
    struct pfifo_error error = {0};
    struct pfifo_edit_result edited;
    uint8_t *bytes = cmd_asm_bytes_of(result), *contents = cmd_asm_bytes_of(result);
    struct pfifo_words *read = NULL;
    struct pfifo_stream *stream = NULL;
    bool done = false;

    if (!bytes || !contents)
        pfifo_error_set(&error, PFIFO_ERROR_MEMORY, "no memory for %zu words", result->count);
    else
        read = pfifo_words_raw(bytes, take_pushbuffer(result, bytes), assembly->output, &error);
    for (size_t i = 0; contents && i < result->buffers.count; i++) {
        const struct pfifo_assemble_buffer *buffer = &result->buffers.buffer[i];
        buffers[i] = (struct pfifo_words_buffer){buffer->address, buffer->bytes, contents + 4 * buffer->first,
                                                 4 * buffer->count};
    }
    if (read)
        stream = pfifo_words_capture(read, &with, &error);
    if (stream)
        done = rewrite(stream, NULL, assembly->output, keep_all, NULL, &edited, &error) == PFIFO_OK;
    if (!done)
        tool_message("%s", error.message);
    pfifo_stream_close(stream);
    pfifo_words_free(read);
    free(contents);
    free(bytes);
    return done;
}

static void note_buffer(void *opaque, const struct pfifo_assemble_buffer *buffer) {
    struct buffers *buffers = opaque;

    buffers->buffer[buffers->count++] = *buffer;
}

static void asm_note(void *opaque, const struct pfifo_assemble_message *message) {
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

/* Room for `room` words, and those that fit. */
static enum pfifo_status assemble_into(const struct pfifo_assemble_options *with, const char *text, size_t bytes,
                                       size_t room, struct result *result, struct pfifo_error *error) {
    free(result->words);
    result->buffers.count = 0;
    result->words = malloc(room * sizeof *result->words);
    return result->words ? pfifo_assemble_text(text, bytes, with, result->words, room, &result->count, error)
                         : pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for its words");
}

/* Nothing is written if a line is wrong. */
static bool cmd_asm_assemble(const struct assembly *assembly, const char *text, size_t bytes) {
    struct pfifo_assemble_options with = assembly->options;
    struct messages messages = {.count = 0};
    struct result result = {.words = NULL};
    struct pfifo_error error = {0};
    const bool capture = is_capture(assembly->output);
    size_t room = bytes / 2 + 1;
    enum pfifo_status status;
    bool done = false;

    with.segment = capture;
    with.told = asm_note;
    with.told_opaque = &messages;
    with.buffer = capture ? note_buffer : NULL;
    with.buffer_opaque = &result.buffers;
    status = assemble_into(&with, text, bytes, room, &result, &error);
    if (status == PFIFO_OK && result.count > room) {
        /* More came of macros than the text is long. */
        messages.count = 0;
        status = assemble_into(&with, text, bytes, result.count, &result, &error);
    }
    if (!print_messages(assembly, &messages) && status != PFIFO_OK)
        tool_message_of(assembly->file, "%s", error.message);
    else if (status == PFIFO_OK)
        done = (capture ? asm_write_capture : cmd_asm_write_words)(assembly, &result);
    free(result.words);
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
    done = cmd_asm_assemble(&assembly, text, bytes);
    free(text);
    return done ? TOOL_OK : TOOL_FAILED;
}
