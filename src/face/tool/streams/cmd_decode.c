/* SPDX-License-Identifier: MIT */
/*
 * pfifo decode: captures or raw words as text, JSON or a digest.
 */
#include "face/tool/command/command_line.h"
#include "face/tool/command/names_option.h"
#include "face/tool/command/select.h"
#include "face/tool/command/source.h"

enum cmd_decode_option_key { KEY_JSON = 'j', KEY_DIGEST = 'd' };
enum cmd_decode_long_option_key { KEY_MACROS = 256, KEY_SHADERS };

struct decode {
    struct source source;
    struct select select;
    char **files;
    int count;
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "Print JSON, an object per line", 0},
    {"digest", KEY_DIGEST, NULL, 0, "Print only NAME submissions=N words=N methods=N sha256=HEX", 0},
    {"macros", KEY_MACROS, NULL, 0, "GF100 and later: list the macros that the channels have uploaded", 0},
    {"shaders", KEY_SHADERS, NULL, 0, "Fermi to Pascal: list the shader programs that the stream uploads", 0},
    {0},
};

static void cmd_decode_check_usage(struct decode *decode, const struct argp_state *state) {
    enum pfifo_decode_format format = decode->source.options.format;

    if (decode->count == 0)
        argp_error(state, "a file is missing");
    decode->source.options.query = select_query(&decode->select, state);
    if (decode->source.options.query && format != PFIFO_DECODE_TEXT && format != PFIFO_DECODE_JSON)
        argp_error(state, "--where and its like select lines of text or JSON");
}

static void set_format(struct decode *decode, enum pfifo_decode_format format, const struct argp_state *state) {
    enum pfifo_decode_format before = decode->source.options.format;

    if (before != PFIFO_DECODE_TEXT && before != format)
        argp_error(state, "--json, --digest, --macros and --shaders exclude each other");
    decode->source.options.format = format;
}

static error_t cmd_decode_parse(int key, char *arg, struct argp_state *state) {
    struct decode *decode = state->input;

    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &decode->source;
        state->child_inputs[1] = &decode->select;
        decode->select.help = "Print only lines";
        decode->select.of_lines = true;
        return 0;
    case KEY_JSON:
        set_format(decode, PFIFO_DECODE_JSON, state);
        return 0;
    case KEY_DIGEST:
        set_format(decode, PFIFO_DECODE_DIGEST, state);
        return 0;
    case KEY_MACROS:
        set_format(decode, PFIFO_DECODE_MACROS, state);
        return 0;
    case KEY_SHADERS:
        set_format(decode, PFIFO_DECODE_SHADERS, state);
        return 0;
    case ARGP_KEY_ARGS:
        decode->files = state->argv + state->next;
        decode->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        cmd_decode_check_usage(decode, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&source_argp, 0, "What the files are:", 1},
    {&select_argp, 0, "Only some lines:", 2},
    NAMES_OPTION_CHILD,
    {0},
};

static const struct argp decode_argp = {
    options,
    cmd_decode_parse,
    "FILE...",
    "Print what command streams say, without running them."
    "\vA FILE called - is standard input. CLASS is a name (NV40_3D) or a number (4097, 0x4097). The exit status is 1 "
    "if a "
    "stream has errors.",
    children,
    NULL,
    NULL,
};

enum tool_status cmd_decode(int argc, char **argv) {
    struct decode decode = {0};
    enum tool_status result = TOOL_OK;

    command_line_parse_listing(&decode_argp, argc, argv, paint_stream, &decode);
    for (int i = 0; i < decode.count && !ferror(stdout); i++) {
        struct pfifo_error error = {0};
        if (source_decode(&decode.source, decode.files[i], tool_write, stdout, &error) == PFIFO_OK)
            continue;
        source_message(&error);
        result = TOOL_FAILED;
    }
    pfifo_query_free(decode.source.options.query);
    return result == TOOL_OK && decode.source.errors ? TOOL_FAULTED : result;
}
