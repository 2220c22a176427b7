/* SPDX-License-Identifier: MIT */
/*
 * pfifo decode: captures or raw words as text, JSON or a digest.
 */
#include <pfifo/classes.h>
#include <pfifo/decode.h>

#include "face/common/text.h"
#include "face/tool/tool.h"

#include <stdlib.h>
#include <string.h>

enum cmd_decode_option_key {
    KEY_JSON = 'j',
    KEY_DIGEST = 'd',
    KEY_RAW = 'r',
    KEY_CHIP = 'c',
    KEY_BASE = 'b',
    KEY_IB = 'i'
};
enum cmd_decode_long_option_key { KEY_OBJECT = 256, KEY_BIND, KEY_MACROS, KEY_SHADERS };

enum { MAX_OBJECTS = 256 };

struct decode {
    struct pfifo_decode_options options;
    struct pfifo_decode_object objects[MAX_OBJECTS];
    uint64_t errors; /* of the streams */
    bool raw;
    bool raw_only; /* an option was given that only applies to raw words */
    char **files;
    int count;
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "Print JSON, an object per line", 0},
    {"digest", KEY_DIGEST, NULL, 0, "Print only NAME submissions=N words=N methods=N sha256=HEX", 0},
    {"macros", KEY_MACROS, NULL, 0, "GF100 and later: list the macros that the channels have uploaded", 0},
    {"shaders", KEY_SHADERS, NULL, 0, "Fermi to Pascal: list the shader programs that the stream uploads", 0},
    {"chip", KEY_CHIP, "CHIP", 0, "Decode for this chip, whatever the capture says", 0},
    {"raw", KEY_RAW, NULL, 0, "Files are little-endian pushbuffer words, not captures. Needs --chip", 0},
    {"base", KEY_BASE, "ADDRESS", 0, "Address of the first raw word (default 0)", 0},
    {"ib", KEY_IB, NULL, 0, "Raw words of G80 to MCP89 are a segment of an IB channel", 0},
    {"object", KEY_OBJECT, "HANDLE=CLASS", 0, "Raw words before GF100: HANDLE is an object of CLASS. May be repeated",
     0},
    {"bind", KEY_BIND, "SUBCHANNEL=CLASS", 0, "SUBCHANNEL of a new channel has CLASS bound. May be repeated", 0},
    {0},
};

static void cmd_decode_check_usage(const struct decode *decode, const struct argp_state *state) {
    if (decode->count == 0)
        argp_error(state, "a file is missing");
    if (decode->raw && !decode->options.chip)
        argp_error(state, "--raw needs --chip");
    if (!decode->raw && decode->raw_only)
        argp_error(state, "--base, --ib and --object need --raw");
}

static void set_format(struct decode *decode, enum pfifo_decode_format format, const struct argp_state *state) {
    if (decode->options.format != PFIFO_DECODE_TEXT && decode->options.format != format)
        argp_error(state, "--json, --digest, --macros and --shaders exclude each other");
    decode->options.format = format;
}

/* "NUMBER=CLASS", the class by name or hexadecimal number; exits with the usage message if it is neither. */
static uint32_t parse_pair(const struct argp_state *state, const char *option, const char *text, uint32_t *oclass) {
    const char *equals = strchr(text, '=');
    const struct pfifo_class *class = equals ? pfifo_class_by_name(equals + 1) : NULL;
    char left[24] = {0};
    uint64_t number = 0, id = class ? class->id : 0;

    if (equals && (size_t)(equals - text) < sizeof left)
        memcpy(left, text, (size_t)(equals - text));
    if (!text_to_number(left, &number) || number > UINT32_MAX)
        argp_error(state, "--%s takes NUMBER=CLASS, not '%s'", option, text);
    else if (!class && (!text_to_number(equals + 1, &id) || id == 0 || id > UINT32_MAX))
        argp_error(state, "there is no class '%s'", equals + 1);
    *oclass = (uint32_t)id;
    return (uint32_t)number;
}

static void cmd_decode_add_object(struct decode *decode, const char *text, const struct argp_state *state) {
    struct pfifo_decode_object object;

    object.handle = parse_pair(state, "object", text, &object.oclass);
    if (decode->options.object_count == MAX_OBJECTS)
        argp_error(state, "more than %d objects", MAX_OBJECTS);
    decode->objects[decode->options.object_count++] = object;
    decode->raw_only = true;
}

static void add_bind(struct decode *decode, const char *text, const struct argp_state *state) {
    uint32_t oclass, subchannel = parse_pair(state, "bind", text, &oclass);

    if (subchannel >= PFIFO_DECODE_SUBCHANNELS)
        argp_error(state, "subchannels are 0 to %d", PFIFO_DECODE_SUBCHANNELS - 1);
    decode->options.bound[subchannel] = oclass;
}

static void set_base(struct decode *decode, const char *text, const struct argp_state *state) {
    decode->options.base = tool_number(state, "base", text);
    if (decode->options.base % 4)
        argp_error(state, "--base takes a multiple of 4, not '%s'", text);
    decode->raw_only = true;
}

static error_t cmd_decode_parse(int key, char *arg, struct argp_state *state) {
    struct decode *decode = state->input;

    switch (key) {
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
    case KEY_CHIP:
        decode->options.chip = tool_chip(state, arg);
        return 0;
    case KEY_RAW:
        decode->raw = true;
        return 0;
    case KEY_BASE:
        set_base(decode, arg, state);
        return 0;
    case KEY_IB:
        decode->options.ib = true;
        decode->raw_only = true;
        return 0;
    case KEY_OBJECT:
        cmd_decode_add_object(decode, arg, state);
        return 0;
    case KEY_BIND:
        add_bind(decode, arg, state);
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

static const struct argp decode_argp = {
    options,
    cmd_decode_parse,
    "FILE...",
    "Print what command streams say, without running them."
    "\vA FILE of - is standard input. CLASS is a name (NV40_3D) or a number (4097, 0x4097). The exit status is 1 if a "
    "stream has errors.",
    NULL,
    NULL,
    NULL,
};

static enum pfifo_status decode_raw(const struct decode *decode, const char *path, struct pfifo_error *error) {
    struct pfifo_decode_options raw = decode->options;
    enum pfifo_status status;
    size_t bytes;
    void *data = tool_read(path, &bytes, error);

    if (!data)
        return PFIFO_ERROR_IO;
    raw.name = tool_input_name(path);
    raw.file = path;
    status = pfifo_decode_raw(data, bytes, &raw, tool_write, stdout, error);
    free(data);
    return status;
}

static enum pfifo_status decode_capture(const struct decode *decode, const char *path, struct pfifo_error *error) {
    struct pfifo_decode_options capture = decode->options;
    struct pfifo_stream *stream = tool_open(path, error);
    enum pfifo_status status;

    if (!stream)
        return PFIFO_ERROR_IO;
    tool_note_truncated(stream, path);
    capture.file = path;
    status = pfifo_decode_stream(stream, &capture, tool_write, stdout, error);
    pfifo_stream_close(stream);
    return status;
}

enum tool_status cmd_decode(int argc, char **argv) {
    struct decode decode = {0};
    enum tool_status result = TOOL_OK;

    decode.options.objects = decode.objects;
    decode.options.errors = &decode.errors;
    argp_parse(&decode_argp, argc, argv, 0, NULL, &decode);
    for (int i = 0; i < decode.count && !ferror(stdout); i++) {
        struct pfifo_error error = {0};
        enum pfifo_status status = decode.raw ? decode_raw(&decode, decode.files[i], &error)
                                              : decode_capture(&decode, decode.files[i], &error);
        if (status == PFIFO_OK)
            continue;
        /* Failed output is reported at the end. */
        if (!ferror(stdout))
            tool_message("%s%s", error.message,
                         strstr(error.message, "not a capture") ? "; words alone need --raw --chip=CHIP" : "");
        result = TOOL_FAILED;
    }
    return result == TOOL_OK && decode.errors ? TOOL_FAULTED : result;
}
