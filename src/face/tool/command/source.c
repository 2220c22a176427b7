/* SPDX-License-Identifier: MIT */
#include "face/tool/command/source.h"

#include <pfifo/classes.h>
#include <pfifo/foreign.h>
#include <pfifo/disasm.h>

#include "chip/counted.h"
#include "chip/error.h"
#include "face/common/naming.h"
#include "face/common/text.h"
#include "face/tool/chips/boards.h"

#include <stdlib.h>
#include <string.h>

enum source_option_key { KEY_RAW = 'r', KEY_CHIP = 'c', KEY_BASE = 'b', KEY_IB = 'i' };
enum source_long_option_key { KEY_OBJECT = 512, KEY_BIND, KEY_RING };

static const struct argp_option options[] = {
    {"chip", KEY_CHIP, "CHIP", 0, "Decode for this chip, whatever the capture says", 0},
    {"raw", KEY_RAW, NULL, 0, "Read files that are not text as little-endian pushbuffer words. Needs --chip", 0},
    {"base", KEY_BASE, "ADDRESS", 0, "Address of the first word (default: what the text says, or 0x100000)", 0},
    {"ib", KEY_IB, NULL, 0, "G80 to MCP89: the words are a segment of an IB channel", 0},
    {"object", KEY_OBJECT, "HANDLE=CLASS", 0, "Words before GF100: HANDLE is an object of CLASS. May be repeated", 0},
    {"bind", KEY_BIND, "SUBCHANNEL=CLASS", 0, "CLASS is bound to SUBCHANNEL in each new channel. May be repeated", 0},
    {0},
};

static const struct argp_option words_options[] = {
    {"raw", KEY_RAW, NULL, 0, "Read files that are not text as little-endian pushbuffer words. Needs --chip", 0},
    {"base", KEY_BASE, "ADDRESS", 0, "Address of the first word (default: what the text says, or 0x100000)", 0},
    {"object", KEY_OBJECT, "HANDLE=CLASS", 0, "Words before GF100: HANDLE is an object of CLASS. May be repeated", 0},
    {"bind", KEY_BIND, "SUBCHANNEL=CLASS", 0, "Words: SUBCHANNEL has CLASS bound at the start. May be repeated", 0},
    {"ring", KEY_RING, NULL, 0, "NV4 to NV4x: the words are a channel's own pushbuffer, not a subroutine", 0},
    {0},
};

static const struct argp_option capture_options[] = {
    {"chip", KEY_CHIP, "CHIP", 0, "Take it as one of this chip, whatever the capture says", 0},
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

void source_object(struct source *source, const char *text, const struct argp_state *state) {
    struct pfifo_decode_object object;

    object.handle = parse_pair(state, "object", text, &object.oclass);
    if (source->options.object_count == SOURCE_OBJECTS)
        argp_error(state, "more than %d objects", SOURCE_OBJECTS);
    source->objects[source->options.object_count++] = object;
    source->raw_only = true;
}

/* Calls and jumps have made a ring of the words: say so, since they do not run as a kernel's segments do. */
static void source_note_ring(const struct pfifo_words *words, const struct pfifo_words_capture_options *with,
                             const char *path) {
    struct pfifo_words_ring ring;
    char why[120] = "";

    if (pfifo_words_ring(words, with, &ring, NULL) != PFIFO_OK || !ring.chosen)
        return;
    if (ring.has_reason)
        snprintf(why, sizeof why, ", because of the %s at 0x%llx to 0x%llx", ring.calls ? "call" : "jump",
                 (unsigned long long)ring.at, (unsigned long long)ring.target);
    tool_message_of(path, "run as the channel's own pushbuffer%s: GET 0x%llx, PUT 0x%llx", why,
                    (unsigned long long)ring.get, (unsigned long long)ring.put);
}

struct pfifo_stream *source_words_capture(const struct pfifo_words *words,
                                          const struct pfifo_words_capture_options *with, const char *path,
                                          struct pfifo_error *error) {
    struct pfifo_stream *stream = pfifo_words_capture(words, with, error);

    if (stream && with->runs)
        source_note_ring(words, with, path);
    return stream;
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
        argp_error(state, "--base has to be a multiple of 4, not '%s'", text);
    return base;
}

const char *source_for_words(const struct source *source) {
    return source->captures ? "--base, --object, --bind and --ring" : "--base, --ib and --object";
}

static error_t source_parse(int key, char *arg, struct argp_state *state) {
    struct source *source = state->input;
    char why[240];

    switch (key) {
    case ARGP_KEY_INIT:
        source->options.size = sizeof source->options;
        source->options.objects = source->objects;
        source->options.errors = &source->errors;
        return 0;
    case KEY_CHIP:
        if (source->not_a_chip && !boards_chip(arg, why, sizeof why))
            argp_error(state, "there is no chip '%s'; %s", arg, source->not_a_chip);
        source->options.chip = tool_chip(state, arg);
        return 0;
    case KEY_RAW:
        source->raw = true;
        return 0;
    case KEY_BASE:
        source->options.base = source_base(arg, state);
        source->has_base = source->raw_only = true;
        return 0;
    case KEY_IB:
        source->options.ib = true;
        source->raw_only = true;
        return 0;
    case KEY_OBJECT:
        source_object(source, arg, state);
        return 0;
    case KEY_BIND:
        source_bind(source->options.bound, arg, state);
        source->raw_only = source->raw_only || source->captures;
        return 0;
    case KEY_RING:
        source->ring = source->raw_only = true;
        return 0;
    case ARGP_KEY_END:
        source->options.names = naming();
        if (source->raw && !source->options.chip)
            argp_error(state, "--raw needs --chip");
        if (source->raw_only && !source->options.chip)
            argp_error(state, "%s apply to words, which need --chip", source_for_words(source));
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t source_parse_words(int key, char *arg, struct argp_state *state) {
    struct source *source = state->input;

    if (key == ARGP_KEY_INIT)
        source->captures = true;
    return source_parse(key, arg, state);
}

const struct argp source_words_argp = {words_options, source_parse_words, NULL, NULL, NULL, NULL, NULL};

/* --chip; the others are its child's. */
static error_t source_parse_capture(int key, char *arg, struct argp_state *state) {
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = state->input;
    return key == KEY_CHIP ? source_parse(key, arg, state) : ARGP_ERR_UNKNOWN;
}

static const struct argp_child words_children[] = {{&source_words_argp, 0, NULL, 0}, {0}};

const struct argp source_capture_argp = {capture_options, source_parse_capture, NULL, NULL, words_children, NULL, NULL};

const struct argp_child source_capture_children[] = {
    {&source_capture_argp, 0, "What the file is:", 1},
    {0},
};
const struct argp source_argp = {options, source_parse, NULL, NULL, NULL, NULL, NULL};

/* ---- files ---- */

void source_note_words(const struct pfifo_words *words, const char *path) {
    struct pfifo_words_info info = pfifo_words_info(words);

    if (info.missing)
        tool_message("%s:%u: %s with fewer words than the text announces", tool_input_path(path),
                     (unsigned)info.missing_line, counted(info.missing, "segment").text);
    if (info.cut)
        tool_message("%s:%u: the text is cut off here; what comes before is used", tool_input_path(path),
                     (unsigned)info.cut_line);
}

/* Of words that have no address: where they would run, too, so that jumps among them lead to the same words. */
static uint64_t base_of(const struct source *source) {
    return source->has_base ? source->options.base : PFIFO_WORDS_BASE;
}

void source_words_options(const struct source *source, struct pfifo_words_capture_options *with) {
    *with = (struct pfifo_words_capture_options){.size = sizeof *with,
                                                 .chip = source->options.chip,
                                                 .has_base = source->has_base,
                                                 .base = source->options.base,
                                                 .objects = source->objects,
                                                 .object_count = source->options.object_count,
                                                 .runs = source->captures,
                                                 .ring = source->ring};
    /* Where nothing is run, the decoder has them. */
    if (source->captures)
        memcpy(with->bound, source->options.bound, sizeof with->bound);
}

static struct pfifo_stream *capture_of(const struct source *source, const struct pfifo_words *words, const char *path,
                                       struct pfifo_error *error) {
    struct pfifo_words_capture_options with;

    source_words_options(source, &with);
    return source_words_capture(words, &with, path, error);
}

/* A text that tells channels or segments apart is decoded as the capture that it says; others are words alone. */
static enum pfifo_status source_open_text(const struct source *source, const char *path, struct source_file *file,
                                          struct pfifo_error *error) {
    struct pfifo_words_info info = pfifo_words_info(file->text);
    struct pfifo_words_segment segment;

    if (source->captures || (!info.are_entries && (info.has_channels || info.segments != 1))) {
        file->stream = capture_of(source, file->text, path, error);
        return file->stream ? PFIFO_OK : error->status;
    }
    file->words = pfifo_words_data(file->text, &file->bytes);
    if (info.are_entries) {
        tool_message_of(path, "groups of 16 digits: entries of a ring; the words that they point to are not here");
        file->entries = (uint32_t)(info.words / 2);
    }
    segment = pfifo_words_segment(file->text, 0);
    file->base = segment.has_address && !source->has_base ? segment.address : base_of(source);
    return PFIFO_OK;
}

/* Words of what is in memory. */
static enum pfifo_status open_words(const struct source *source, const char *path, struct source_file *file,
                                    const void *data, size_t bytes, struct pfifo_error *error) {
    struct pfifo_words_info info;

    if (!pfifo_words_recognise(data, bytes) && source->captures) {
        file->text = pfifo_words_raw(data, bytes, tool_input_path(path), error);
        return file->text ? source_open_text(source, path, file, error) : error->status;
    }
    if (!pfifo_words_recognise(data, bytes)) {
        file->base = base_of(source);
        file->words = data;
        file->bytes = bytes;
        return PFIFO_OK;
    }
    file->text = pfifo_words_read(data, bytes, tool_input_path(path), error);
    if (!file->text)
        return error->status;
    info = pfifo_words_info(file->text);
    if (!source->options.chip && !info.chip)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.150s: words in a text (%s) need --chip=CHIP",
                               tool_input_path(path), info.format);
    source_note_words(file->text, path);
    return source_open_text(source, path, file, error);
}

/* A file that cannot be read twice (a pipe) is read as a whole. */
static struct pfifo_stream *open_capture(const char *path, struct source_file *file, struct pfifo_error *error) {
    if (!tool_reads_once(path))
        return tool_open(path, error);
    file->data = tool_read(path, &file->bytes, error);
    return file->data ? pfifo_stream_open_memory(file->data, file->bytes, tool_input_path(path), error) : NULL;
}

bool source_is_program(const char *path, const void *data, size_t bytes, struct pfifo_error *error) {
    if (!pfifo_disasm_recognise(data, bytes))
        return false;
    pfifo_error_set(error, PFIFO_ERROR_FORMAT,
                    "%.150s: a compiled program, not a command stream; pfifo disasm lists its instructions",
                    tool_input_path(path));
    return true;
}

static enum pfifo_status refuse_for_words(const struct source *source, const char *path, struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%.120s: %s apply to words, and this is a capture",
                           tool_input_path(path), source_for_words(source));
}

/* Another program's file, which is in memory. */
static enum pfifo_status open_foreign(const struct source *source, const char *path, struct source_file *file,
                                      struct pfifo_error *error) {
    file->foreign = true;
    file->stream = pfifo_foreign_read(file->data, file->bytes, tool_input_path(path), error);
    if (file->stream && source->raw_only)
        return refuse_for_words(source, path, error);
    return file->stream ? PFIFO_OK : error->status;
}

static enum pfifo_status open_unknown(const struct source *source, const char *path, struct source_file *file,
                                      struct pfifo_error *error) {
    struct pfifo_error why = {0};

    file->stream = open_capture(path, file, error);
    if (file->stream && source->raw_only)
        return refuse_for_words(source, path, error);
    if (file->stream) {
        tool_note_truncated(file->stream, path);
        return PFIFO_OK;
    }
    if (!strstr(error->message, "not a capture"))
        return error->status;
    if (!file->data)
        file->data = tool_read(path, &file->bytes, &why);
    if (!file->data)
        return error->status;
    if (pfifo_foreign_recognise(file->data, file->bytes))
        return open_foreign(source, path, file, error);
    if (source_is_program(path, file->data, file->bytes, error))
        return error->status;
    if (!pfifo_words_recognise(file->data, file->bytes)) {
        pfifo_words_free(pfifo_words_read(file->data, file->bytes, tool_input_path(path), &why));
        if (why.status == PFIFO_ERROR_UNSUPPORTED)
            *error = why;
        return error->status;
    }
    return open_words(source, path, file, file->data, file->bytes, error);
}

enum pfifo_status source_open(const struct source *source, const char *path, struct source_file *file,
                              struct pfifo_error *error) {
    *file = (struct source_file){0};
    if (!source->raw)
        return open_unknown(source, path, file, error);
    file->data = tool_read(path, &file->bytes, error);
    if (file->data && !file->bytes)
        return error_empty(error, tool_input_path(path));
    return file->data ? open_words(source, path, file, file->data, file->bytes, error) : PFIFO_ERROR_IO;
}

void source_close(struct source_file *file) {
    pfifo_stream_close(file->stream);
    pfifo_words_free(file->text);
    free(file->data);
}

/* The same once more: a file that can be read again is not in memory. */
static struct pfifo_stream *open_again(const struct source *source, const char *path, const struct source_file *file,
                                       struct pfifo_error *error) {
    struct pfifo_words_capture_options with;

    source_words_options(source, &with);
    if (file->text)
        return pfifo_words_capture(file->text, &with, error);
    if (file->foreign)
        return pfifo_foreign_read(file->data, file->bytes, tool_input_path(path), error);
    return file->data ? pfifo_stream_open_memory(file->data, file->bytes, tool_input_path(path), error)
                      : tool_open(path, error);
}

bool source_captures(const struct source *source, const char *path, struct pfifo_stream **stream, size_t count,
                     struct pfifo_error *error) {
    struct source_file file;
    bool good = source_open(source, path, &file, error) == PFIFO_OK;
    size_t opened = 0;

    while (good && opened < count) {
        stream[opened] = opened ? open_again(source, path, &file, error) : file.stream;
        good = stream[opened] != NULL;
        opened += good;
    }
    if (opened)
        file.stream = NULL; /* it is the caller's */
    source_close(&file);
    while (!good && opened)
        pfifo_stream_close(stream[--opened]);
    return good;
}

struct pfifo_stream *source_capture(const struct source *source, const char *path, struct pfifo_error *error) {
    struct pfifo_stream *stream;

    return source_captures(source, path, &stream, 1, error) ? stream : NULL;
}

enum pfifo_status source_decode(const struct source *source, const char *path, pfifo_decode_write write, void *opaque,
                                struct pfifo_error *error) {
    struct pfifo_decode_options with = source->options;
    struct source_file file;
    enum pfifo_status status = source_open(source, path, &file, error);

    if (status != PFIFO_OK) {
        source_close(&file);
        return status;
    }
    with.base = with.ring = file.base;
    with.entries = file.entries;
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
                     strstr(error->message, "not a capture") ? "; if it is pushbuffer words: --raw --chip=CHIP" : "");
}
