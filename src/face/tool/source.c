/* SPDX-License-Identifier: MIT */
#include "face/tool/source.h"

#include <pfifo/classes.h>

#include "face/common/text.h"

#include <stdlib.h>
#include <string.h>

enum source_option_key { KEY_RAW = 'r', KEY_CHIP = 'c', KEY_BASE = 'b', KEY_IB = 'i' };
enum source_long_option_key { KEY_OBJECT = 512, KEY_BIND };

static const struct argp_option options[] = {
    {"chip", KEY_CHIP, "CHIP", 0, "Decode for this chip, whatever the capture says", 0},
    {"raw", KEY_RAW, NULL, 0, "Files are little-endian pushbuffer words, not captures. Needs --chip", 0},
    {"base", KEY_BASE, "ADDRESS", 0, "Address of the first raw word (default 0)", 0},
    {"ib", KEY_IB, NULL, 0, "Raw words of G80 to MCP89 are a segment of an IB channel", 0},
    {"object", KEY_OBJECT, "HANDLE=CLASS", 0, "Raw words before GF100: HANDLE is an object of CLASS. May be repeated",
     0},
    {"bind", KEY_BIND, "SUBCHANNEL=CLASS", 0, "SUBCHANNEL of a new channel has CLASS bound. May be repeated", 0},
    {0},
};

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

static void add_object(struct source *source, const char *text, const struct argp_state *state) {
    struct pfifo_decode_object object;

    object.handle = parse_pair(state, "object", text, &object.oclass);
    if (source->options.object_count == SOURCE_OBJECTS)
        argp_error(state, "more than %d objects", SOURCE_OBJECTS);
    source->objects[source->options.object_count++] = object;
    source->raw_only = true;
}

void source_bind(uint32_t bound[PFIFO_DECODE_SUBCHANNELS], const char *text, const struct argp_state *state) {
    uint32_t oclass, subchannel = parse_pair(state, "bind", text, &oclass);

    if (subchannel >= PFIFO_DECODE_SUBCHANNELS)
        argp_error(state, "subchannels are 0 to %d", PFIFO_DECODE_SUBCHANNELS - 1);
    bound[subchannel] = oclass;
}

uint64_t source_base(const char *text, const struct argp_state *state) {
    uint64_t base = tool_number(state, "base", text);

    if (base % 4)
        argp_error(state, "--base takes a multiple of 4, not '%s'", text);
    return base;
}

static error_t source_parse(int key, char *arg, struct argp_state *state) {
    struct source *source = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        source->options.size = sizeof source->options;
        source->options.objects = source->objects;
        source->options.errors = &source->errors;
        return 0;
    case KEY_CHIP:
        source->options.chip = tool_chip(state, arg);
        return 0;
    case KEY_RAW:
        source->raw = true;
        return 0;
    case KEY_BASE:
        source->options.base = source_base(arg, state);
        source->raw_only = true;
        return 0;
    case KEY_IB:
        source->options.ib = true;
        source->raw_only = true;
        return 0;
    case KEY_OBJECT:
        add_object(source, arg, state);
        return 0;
    case KEY_BIND:
        source_bind(source->options.bound, arg, state);
        return 0;
    case ARGP_KEY_END:
        if (source->raw && !source->options.chip)
            argp_error(state, "--raw needs --chip");
        if (!source->raw && source->raw_only)
            argp_error(state, "--base, --ib and --object need --raw");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp source_argp = {options, source_parse, NULL, NULL, NULL, NULL, NULL};

enum pfifo_status source_open(const struct source *source, const char *path, struct source_file *file,
                              struct pfifo_error *error) {
    *file = (struct source_file){0};
    if (source->raw)
        file->words = tool_read(path, &file->bytes, error);
    else
        file->stream = tool_open(path, error);
    if (!file->words && !file->stream)
        return PFIFO_ERROR_IO;
    if (file->stream)
        tool_note_truncated(file->stream, path);
    return PFIFO_OK;
}

void source_close(struct source_file *file) {
    pfifo_stream_close(file->stream);
    free(file->words);
}

enum pfifo_status source_decode(const struct source *source, const char *path, pfifo_decode_write write, void *opaque,
                                struct pfifo_error *error) {
    struct pfifo_decode_options with = source->options;
    struct source_file file;
    enum pfifo_status status = source_open(source, path, &file, error);

    if (status != PFIFO_OK)
        return status;
    with.name = tool_input_name(path);
    with.file = path;
    status = file.stream ? pfifo_decode_stream(file.stream, &with, write, opaque, error)
                         : pfifo_decode_raw(file.words, file.bytes, &with, write, opaque, error);
    source_close(&file);
    return status;
}

void source_message(const struct pfifo_error *error) {
    if (!ferror(stdout))
        tool_message("%s%s", error->message,
                     strstr(error->message, "not a capture") ? "; words alone need --raw --chip=CHIP" : "");
}
