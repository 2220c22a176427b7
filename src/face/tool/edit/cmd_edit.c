/* SPDX-License-Identifier: MIT */
/*
 * pfifo edit: a capture without some methods, with other data in them, or with some of them several times.
 */
#include <pfifo/classes.h>

#include "face/tool/command/command_line.h"
#include "face/common/naming.h"
#include "chip/counted.h"
#include "face/tool/command/select.h"
#include "face/tool/command/source.h"
#include "face/tool/edit/rewrite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum cmd_edit_option_key { KEY_OUTPUT = 'o', KEY_DROP = 256, KEY_DATA, KEY_REPEAT };

struct change {
    struct source source;
    struct select select;
    struct pfifo_query *query;
    enum pfifo_edit_action action;
    uint32_t times;
    const char *data; /* as asm takes it */
    const struct pfifo_chip *chip;
    uint64_t refused; /* methods that have no such data, and why the first has not */
    char why[640];
    const char *output;
    char *file;
};

static const struct argp_option options[] = {
    {"output", KEY_OUTPUT, "FILE", 0, "Write the capture to FILE, compressed if it ends with .gz, .xz or .zst", 0},
    {0},
};

static const struct argp_option action_options[] = {
    {"drop", KEY_DROP, NULL, 0, "Leave them out", 0},
    {"data", KEY_DATA, "DATA", 0,
     "Replace their data by DATA, as asm has it: a number, a value's name, { FIELD=VALUE ... }; or only FIELD=VALUE "
     "...",
     0},
    {"repeat", KEY_REPEAT, "N", 0, "Submit their packets N times in all, at least 2", 0},
    {0},
};

static void set_action(struct change *change, enum pfifo_edit_action action, const struct argp_state *state) {
    if (change->action != PFIFO_EDIT_KEEP)
        argp_error(state, "--drop, --data and --repeat exclude each other, and can be given once");
    change->action = action;
}

/* What begins as a number is one for all methods; of all else, the method says what it is. */
static void set_data(struct change *change, const char *text, const struct argp_state *state) {
    const char *digit = text + (*text == '-');
    struct pfifo_error error = {0};
    uint32_t word = 0;

    set_action(change, PFIFO_EDIT_DATA, state);
    if (!*text || (*digit && strchr(".0123456789", *digit) && !strchr(text, '|') &&
                   pfifo_assemble_data(pfifo_chip_at(0), 0, 0x100, text, &word, &error) != PFIFO_OK))
        argp_error(state, "--data=%s: %s", text, *text ? error.message : "the data is missing");
    change->data = text;
}

static void set_times(struct change *change, const char *text, const struct argp_state *state) {
    uint64_t times = tool_number(state, "repeat", text);

    set_action(change, PFIFO_EDIT_REPEAT, state);
    if (times < 2 || times > UINT32_MAX)
        argp_error(state, times < 2 ? "--repeat is 2 or more" : "--repeat is up to 0xffffffff");
    change->times = (uint32_t)times;
}

static error_t parse_action(int key, char *arg, struct argp_state *state) {
    struct change *change = state->input;

    switch (key) {
    case KEY_DROP:
        set_action(change, PFIFO_EDIT_DROP, state);
        return 0;
    case KEY_DATA:
        set_data(change, arg, state);
        return 0;
    case KEY_REPEAT:
        set_times(change, arg, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp action_argp = {action_options, parse_action, NULL, NULL, NULL, NULL, NULL};

static error_t cmd_edit_parse(int key, char *arg, struct argp_state *state) {
    struct change *change = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = change;
        state->child_inputs[1] = &change->select;
        state->child_inputs[2] = &change->source;
        change->select.help = "Change only methods";
        change->select.of_lines = true;
        return 0;
    case KEY_OUTPUT:
        change->output = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (change->file)
            argp_error(state, "there is more than one capture");
        change->file = arg;
        return 0;
    case ARGP_KEY_END:
        change->query = select_query(&change->select, state);
        if (!change->file)
            argp_error(state, "a capture is missing");
        if (change->action == PFIFO_EDIT_KEEP)
            argp_error(state, "what to do is missing: --drop, --data=DATA or --repeat=N");
        if (!change->query)
            argp_error(state, "no methods are selected: use --method, --class, --where and so on; --method='*' is all");
        if (!change->output)
            argp_error(state, "--output=FILE is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&action_argp, 0, "What to do with the selected methods (one of these):", 1},
    {&select_argp, 0, "Which methods (at least one of these; if several, all must match):", 2},
    {&source_capture_argp, 0, "What the file is:", 3},
    {0},
};

static const struct argp edit_argp = {
    options,
    cmd_edit_parse,
    "--drop|--data=DATA|--repeat=N --method=METHODS|... -o FILE CAPTURE",
    "Copy a capture with some of its methods left out, given other data, or repeated."
    "\vEverything else stays as it is: buffers, submissions, and the order of what is left. Packets that follow each "
    "other "
    "are repeated together, within each segment. Before G80, only whole segments can be repeated.\n"
    "The exit status is 0, 1 if no method was changed, or some could not be, and 2 if something could not be read or "
    "written.",
    children,
    NULL,
    NULL,
};

/* The method and its class, as decode has them, and why it has no such data. */
static void cmd_edit_refuse(struct change *change, const struct pfifo_decode_event *event,
                            const struct pfifo_error *error) {
    const struct pfifo_class *class = event->name_class ? pfifo_class_find(event->name_class) : NULL;
    char name[PFIFO_METHOD_NAME_BYTES] = "?";
    struct pfifo_method_name method;

    if (pfifo_method_find(event->name_class, event->method, &method))
        naming_method(&method, name, sizeof name);
    if (change->refused++ == 0)
        snprintf(change->why, sizeof change->why, "--data=%.80s: %s.%s (0x%04x): %s", change->data,
                 class ? class->name : "?", name, event->method, error->message);
}

static enum pfifo_edit_action edit_decide(void *opaque, const struct pfifo_decode_event *event, uint32_t *data) {
    struct change *change = opaque;
    struct pfifo_error error = {0};

    if (!pfifo_query_decoded(change->query, event))
        return PFIFO_EDIT_KEEP;
    if (change->action == PFIFO_EDIT_REPEAT)
        *data = change->times;
    if (change->action == PFIFO_EDIT_DATA &&
        pfifo_assemble_data(change->chip, event->name_class, event->method, change->data, data, &error) != PFIFO_OK) {
        cmd_edit_refuse(change, event, &error);
        return PFIFO_EDIT_KEEP;
    }
    return change->action;
}

static enum tool_status edit_tell(const struct change *change, const struct pfifo_edit_result *result) {
    const uint64_t left = result->left + change->refused;
    FILE *tells = rewrite_tells(change->output);

    if (change->refused)
        tool_message("%s", change->why);
    fprintf(tells, "%s: %s, %" PRIu64 " dropped, %" PRIu64 " changed", change->output,
            counted(result->methods, "method").text, result->dropped, result->changed);
    if (result->repeated)
        fprintf(tells, ", %" PRIu64 " repeated", result->repeated);
    fprintf(tells, left ? ", %" PRIu64 " could not be\n" : "\n", left);
    return left || !(result->dropped || result->changed || result->repeated) ? TOOL_FAULTED : TOOL_OK;
}

enum tool_status cmd_edit(int argc, char **argv) {
    struct change change = {0};
    struct pfifo_edit_result result;
    struct pfifo_error error = {0};
    enum tool_status status = TOOL_FAILED;
    struct pfifo_stream *stream;

    command_line_parse(&edit_argp, argc, argv, 0, &change);
    if (!rewrite_can_go_to(change.output))
        return TOOL_FAILED;
    stream = source_capture(&change.source, change.file, &error);
    change.chip = change.source.options.chip;
    if (stream && !change.chip)
        change.chip = pfifo_chip_by_id(pfifo_stream_chipset(stream));
    if (stream &&
        rewrite(stream, change.source.options.chip, change.output, edit_decide, &change, &result, &error) == PFIFO_OK) {
        status = edit_tell(&change, &result);
    } else {
        source_message(&error);
    }
    pfifo_stream_close(stream);
    pfifo_query_free(change.query);
    return status;
}
