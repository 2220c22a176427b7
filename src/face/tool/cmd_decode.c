/* SPDX-License-Identifier: MIT */
/*
 * pfifo decode: captures or raw words as text, JSON or a digest.
 */
#include <pfifo/decode.h>

#include "face/tool/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum option_key { KEY_JSON = 'j', KEY_DIGEST = 'd', KEY_RAW = 'r', KEY_CHIP = 'c', KEY_BASE = 'b', KEY_IB = 'i' };

struct decode {
    struct pfifo_decode_options options;
    bool raw;
    bool raw_only; /* an option was given that raw words alone have */
    char **files;
    int count;
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "Print JSON, an object per line", 0},
    {"digest", KEY_DIGEST, NULL, 0, "Print only NAME submissions=N words=N methods=N sha256=HEX", 0},
    {"chip", KEY_CHIP, "CHIP", 0, "Decode for this chip, whatever the capture says", 0},
    {"raw", KEY_RAW, NULL, 0, "Files are little-endian pushbuffer words, not captures. Needs --chip", 0},
    {"base", KEY_BASE, "ADDRESS", 0, "Address of the first raw word (default 0)", 0},
    {"ib", KEY_IB, NULL, 0, "Raw words of G80 to MCP89 are a segment of an IB channel", 0},
    {0},
};

static void check_usage(const struct decode *decode, const struct argp_state *state) {
    if (decode->count == 0)
        argp_error(state, "a file is missing");
    if (decode->raw && !decode->options.chip)
        argp_error(state, "--raw needs --chip");
    if (!decode->raw && decode->raw_only)
        argp_error(state, "--base and --ib need --raw");
}

static void set_format(struct decode *decode, enum pfifo_decode_format format, const struct argp_state *state) {
    if (decode->options.format != PFIFO_DECODE_TEXT && decode->options.format != format)
        argp_error(state, "--json and --digest exclude each other");
    decode->options.format = format;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct decode *decode = state->input;

    switch (key) {
    case KEY_JSON:
        set_format(decode, PFIFO_DECODE_JSON, state);
        return 0;
    case KEY_DIGEST:
        set_format(decode, PFIFO_DECODE_DIGEST, state);
        return 0;
    case KEY_CHIP:
        decode->options.chip = pfifo_chip_by_name(arg);
        if (!decode->options.chip)
            argp_error(state, "there is no chip '%s'; pfifo chips lists them", arg);
        return 0;
    case KEY_RAW:
        decode->raw = true;
        return 0;
    case KEY_BASE:
        decode->options.base = tool_number(state, "base", arg);
        decode->raw_only = true;
        return 0;
    case KEY_IB:
        decode->options.ib = true;
        decode->raw_only = true;
        return 0;
    case ARGP_KEY_ARGS:
        decode->files = state->argv + state->next;
        decode->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        check_usage(decode, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp decode_argp = {
    options, parse, "FILE...", "Print what command streams say, without running them.", NULL, NULL, NULL,
};

/* The whole file, to be freed; NULL on failure, which has been said. */
static void *read_file(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    size_t room = 0, part = 1;

    *bytes = 0;
    while (file && part) {
        if (*bytes == room) {
            char *grown = room < PFIFO_STREAM_DEFAULT_LIMIT ? realloc(data, room = room ? 2 * room : 65536) : NULL;
            if (!grown)
                break;
            data = grown;
        }
        part = fread(data + *bytes, 1, room - *bytes, file);
        *bytes += part;
    }
    if (!file || ferror(file) || part) {
        tool_message("%s: cannot read: %s", path, file && !ferror(file) ? "it is too large" : strerror(errno));
        free(data);
        data = NULL;
    }
    if (file)
        fclose(file);
    return data;
}

static enum pfifo_status decode_raw(const struct decode *decode, const char *path, struct pfifo_error *error) {
    struct pfifo_decode_options raw = decode->options;
    const char *slash = strrchr(path, '/');
    enum pfifo_status status;
    size_t bytes;
    void *data = read_file(path, &bytes);

    if (!data)
        return PFIFO_ERROR_IO;
    raw.name = slash ? slash + 1 : path;
    status = pfifo_decode_raw(data, bytes, &raw, tool_write, stdout, error);
    free(data);
    return status;
}

static enum pfifo_status decode_capture(const struct decode *decode, const char *path, struct pfifo_error *error) {
    struct pfifo_stream *stream = pfifo_stream_open(path, error);
    enum pfifo_status status;

    if (!stream)
        return PFIFO_ERROR_IO;
    status = pfifo_decode_stream(stream, &decode->options, tool_write, stdout, error);
    pfifo_stream_close(stream);
    return status;
}

enum tool_status cmd_decode(int argc, char **argv) {
    struct decode decode = {0};
    enum tool_status result = TOOL_OK;

    argp_parse(&decode_argp, argc, argv, 0, NULL, &decode);
    for (int i = 0; i < decode.count && !ferror(stdout); i++) {
        struct pfifo_error error = {0};
        enum pfifo_status status = decode.raw ? decode_raw(&decode, decode.files[i], &error)
                                              : decode_capture(&decode, decode.files[i], &error);
        if (status == PFIFO_OK)
            continue;
        /* Output that fails is told about at the end, and a file that could not be read was. */
        if (error.message[0] && !ferror(stdout))
            tool_message("%s", error.message);
        result = TOOL_FAILED;
    }
    return result;
}
