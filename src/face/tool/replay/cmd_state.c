/* SPDX-License-Identifier: MIT */
/*
 * pfifo state: what the methods of each object hold at some place of a capture.
 *
 *   play.h --puller.bind--> objects        a place is reached --> values of all their methods, kept
 *                                          the end --> those that are not 0, or that differ between two places
 */
#include <pfifo/classes.h>
#include <pfifo/event.h>
#include <pfifo/gpu.h>

#include "face/common/json_writer.h"
#include "face/common/naming.h"
#include "face/tool/command/command_line.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/command/names_option.h"
#include "face/tool/command/select.h"
#include "face/tool/command/source.h"
#include "face/tool/replay/play.h"
#include "face/tool/tool.h"
#include "face/tool/view/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum cmd_state_option_key { KEY_AT = 'a', KEY_FROM = 'f', KEY_JSON = 'j', KEY_CLASS = 256, KEY_METHOD };

/* Of struct play. */
enum { PLACE_FROM, PLACE_AT };

enum { STATE_OBJECTS = 64, STATE_WORDS = 0x1000, FIRST_METHOD = 0x100 };

struct snapshot {
    bool taken;
    size_t objects;
    uint32_t (*value)[STATE_WORDS]; /* of each object */
};

struct object {
    uint32_t channel, oclass;
};

struct state {
    struct place from, at;
    const struct pfifo_class *only; /* NULL: all classes */
    struct source source;
    struct select select;
    struct pfifo_query *methods; /* NULL: all */
    bool json;
    char *file;
    uint64_t printed; /* methods */

    struct play play;
    struct object object[STATE_OBJECTS];
    size_t objects;
    bool too_many;
    size_t bind; /* number of the event */
    struct snapshot before, after;
};

static const struct argp_option options[] = {
    {"at", KEY_AT, "PLACE", 0, PLACE_HELP "Default: the end, or where a channel is closed", 0},
    {"from", KEY_FROM, "PLACE", 0, "Print only what has changed since PLACE", 0},
    {"class", KEY_CLASS, "CLASS", 0, "Only objects of this class, by name or number", 0},
    {"method", KEY_METHOD, "METHODS", 0, "Only these methods: names, globs, numbers, ranges (0x1400..0x14ff)", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON, an object per method", 0},
    {0},
};

static error_t cmd_state_parse(int key, char *arg, struct argp_state *parser) {
    struct state *state = parser->input;

    switch (key) {
    case ARGP_KEY_INIT:
        parser->child_inputs[0] = &state->source;
        return 0;
    case KEY_AT:
        place_parse(&state->at, "at", arg, parser);
        return 0;
    case KEY_FROM:
        place_parse(&state->from, "from", arg, parser);
        return 0;
    case KEY_CLASS:
        state->only = pfifo_class_by_name(arg);
        if (!state->only)
            argp_error(parser, "there is no class '%s'", arg);
        return 0;
    case KEY_METHOD:
        select_add(&state->select, "method=", arg, "", parser);
        return 0;
    case KEY_JSON:
        state->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->file)
            argp_error(parser, "there is more than one capture");
        state->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (!state->file)
            argp_error(parser, "a capture is missing");
        state->methods = select_query(&state->select, parser);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&source_capture_argp, 0, "What the file is:", 1},
    NAMES_OPTION_CHILD,
    {0},
};

static const struct argp state_argp = {
    options,
    cmd_state_parse,
    "CAPTURE",
    "Print what the methods of each object hold at some place of a capture, except those that are 0."
    "\vThe capture is run, and so are its macros. A method that acts, such as a clear, holds what it was called with "
    "last.\n"
    "The exit status is 0, 1 if the place was not reached, and 2 if something could not be read.",
    children,
    NULL,
    NULL,
};

/* Of an object that is gone, what is known stays. */
static void state_take(struct state *state, struct snapshot *snapshot) {
    for (size_t i = 0; i < state->objects; i++)
        for (uint32_t word = 0; word < STATE_WORDS; word++)
            pfifo_gpu_method_value(state->play.gpu, state->object[i].channel, state->object[i].oclass, word * 4,
                                   &snapshot->value[i][word]);
    snapshot->objects = state->objects;
    snapshot->taken = true;
}

static void state_add_object(struct state *state, uint32_t channel, uint32_t oclass) {
    size_t i = 0;

    if (state->only && state->only->id != oclass)
        return;
    while (i < state->objects && (state->object[i].channel != channel || state->object[i].oclass != oclass))
        i++;
    if (i < state->objects)
        return;
    if (i == STATE_OBJECTS) {
        state->too_many = true;
        return;
    }
    state->object[state->objects++] = (struct object){.channel = channel, .oclass = oclass};
}

static void state_sees(void *opaque, const struct pfifo_event *event) {
    struct state *state = opaque;

    if (event->id == state->bind)
        state_add_object(state, event->channel, (uint32_t)event->value[2]);
}

static void state_place_reached(void *opaque, unsigned number) {
    struct state *state = opaque;

    state_take(state, number == PLACE_FROM ? &state->before : &state->after);
}

/* Its objects go with it. */
static void state_channel_closes(void *opaque) {
    struct state *state = opaque;

    if (!state->at.given)
        state_take(state, &state->after);
}

static bool state_has_enough(void *opaque) {
    const struct state *state = opaque;

    return state->play.is_reached[PLACE_AT];
}

static enum pfifo_status play(struct state *state, struct pfifo_stream *stream, struct pfifo_error *error) {
    enum pfifo_status status;

    state->bind = pfifo_event_find("puller.bind");
    state->play = (struct play){.chip = state->source.options.chip,
                                .events = "puller.bind,engine.draw,engine.launched",
                                .place = {[PLACE_FROM] = state->from, [PLACE_AT] = state->at},
                                .sees = state_sees,
                                .reached = state_place_reached,
                                .closes = state_channel_closes,
                                .enough = state_has_enough,
                                .opaque = state};
    if (!play_begin(&state->play, stream, error))
        return error->status;
    status = play_run(&state->play, error);
    if (status == PFIFO_OK && !state->at.given && !interrupt_seen())
        state_take(state, &state->after);
    return status;
}

static uint32_t value_before(const struct state *state, size_t object, uint32_t word) {
    return object < state->before.objects ? state->before.value[object][word] : 0;
}

static void print_method(const struct state *state, size_t index, uint32_t word) {
    const struct object *object = &state->object[index];
    uint32_t old = value_before(state, index, word), value = state->after.value[index][word];
    char name[PFIFO_METHOD_NAME_BYTES] = "", text[1024];
    struct json_writer json = {.file = stdout};
    struct pfifo_method_name method;

    if (pfifo_method_find(object->oclass, word * 4, &method))
        naming_method(&method, name, sizeof name);
    if (state->json) {
        json_open(&json, NULL, '{');
        json_put_number(&json, "channel", object->channel);
        json_put_number(&json, "class", object->oclass);
        json_put_number(&json, "method", word * 4);
        if (name[0])
            json_put_text(&json, "name", name);
        if (state->from.given)
            json_put_number(&json, "from", old);
        json_put_number(&json, "value", value);
        json_close_line(&json);
        return;
    }
    printf("  %04" PRIx32 " %-36s ", word * 4, name[0] ? name : "?");
    if (state->from.given)
        printf("%08" PRIx32 " -> ", old);
    pfifo_method_describe(object->oclass, word * 4, value, text, sizeof text);
    printf(text[0] ? "%08" PRIx32 "  %s\n" : "%08" PRIx32 "\n", value, text);
}

static bool is_asked(const struct state *state, uint32_t oclass, uint32_t method) {
    const struct pfifo_decode_event event = {
        .kind = PFIFO_DECODE_METHOD, .bound_class = oclass, .name_class = oclass, .method = (uint16_t)method};

    return !state->methods || pfifo_query_decoded(state->methods, &event);
}

static void state_print_object(struct state *state, size_t index) {
    const struct object *object = &state->object[index];
    const struct pfifo_class *known = pfifo_class_find(object->oclass);
    bool begun = state->json;

    for (uint32_t word = FIRST_METHOD / 4; word < STATE_WORDS; word++) {
        if (state->after.value[index][word] == value_before(state, index, word) ||
            !is_asked(state, object->oclass, word * 4))
            continue;
        if (!begun)
            printf("channel %" PRIu32 ": %04" PRIx32 " %s\n", object->channel, object->oclass,
                   known ? known->name : "");
        begun = true;
        print_method(state, index, word);
        state->printed++;
    }
}

static enum tool_status state_print(struct state *state) {
    if (state->too_many)
        tool_message_of(state->file, "only the first %d objects are looked at; use --class", STATE_OBJECTS);
    if ((state->from.given && !state->before.taken) || !state->after.taken) {
        char text[256];
        play_missed(&state->play, state->after.taken ? PLACE_FROM : PLACE_AT, text, sizeof text);
        tool_message_of(state->file, "%s", text);
        return TOOL_FAULTED;
    }
    if (!state->after.objects)
        tool_message_of(state->file, "no object%s%s has been bound there", state->only ? " of " : "",
                        state->only ? state->only->name : "");
    for (size_t i = 0; i < state->after.objects; i++)
        state_print_object(state, i);
    if (state->methods && state->after.objects && !state->printed)
        tool_message_of(state->file, state->from.given ? "no method that is asked for has changed"
                                                       : "every method that is asked for is 0 there");
    return TOOL_OK;
}

static enum tool_status state_of(struct state *state, struct pfifo_stream *stream) {
    struct pfifo_error error = {0};
    enum tool_status status = TOOL_FAILED;

    state->before.value = calloc(STATE_OBJECTS, sizeof *state->before.value);
    state->after.value = calloc(STATE_OBJECTS, sizeof *state->after.value);
    if (!state->before.value || !state->after.value)
        tool_message("no memory for the state of %d objects", STATE_OBJECTS);
    else if (play(state, stream, &error) != PFIFO_OK)
        tool_message("%s", error.message);
    else if (!interrupt_seen())
        status = state_print(state);
    free(state->before.value);
    free(state->after.value);
    play_end(&state->play);
    return status;
}

enum tool_status cmd_state(int argc, char **argv) {
    struct state *state = calloc(1, sizeof *state);
    struct pfifo_error error = {0};
    enum tool_status status = TOOL_FAILED;
    struct pfifo_stream *stream;

    if (!state) {
        tool_message("no memory");
        return TOOL_FAILED;
    }
    command_line_parse_listing(&state_argp, argc, argv, paint_state, state);
    stream = source_capture(&state->source, state->file, &error);
    if (stream)
        status = state_of(state, stream);
    else
        source_message(&error);
    pfifo_stream_close(stream);
    pfifo_query_free(state->methods);
    place_free(&state->from);
    place_free(&state->at);
    free(state);
    if (interrupt_seen() && fflush(stdout) == 0) {
        view_end(status);
        interrupt_die();
    }
    return status;
}
