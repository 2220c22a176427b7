/* SPDX-License-Identifier: MIT */
/*
 * pfifo edit: a capture without some methods, with other data in them, or with some of them several times.
 */
#include "face/tool/command_line.h"
#include "face/tool/rewrite.h"
#include "face/tool/select.h"
#include "face/tool/source.h"

#include <inttypes.h>
#include <stdlib.h>

enum cmd_edit_option_key { KEY_OUTPUT = 'o', KEY_DROP = 256, KEY_DATA, KEY_REPEAT };

struct change {
    struct source source;
    struct select select;
    struct pfifo_query *query;
    enum pfifo_edit_action action;
    uint32_t data;
    const char *output;
    char *file;
};

static const struct argp_option options[] = {
    {"output", KEY_OUTPUT, "FILE", 0, "Write the capture to FILE, compressed if it ends with .xz or .zst", 0},
    {0},
};

static const struct argp_option action_options[] = {
    {"drop", KEY_DROP, NULL, 0, "Leave them out", 0},
    {"data", KEY_DATA, "N", 0, "Replace their data by N", 0},
    {"repeat", KEY_REPEAT, "N", 0, "Submit their packets N times in all, at least 2", 0},
    {0},
};

static void set_action(struct change *change, enum pfifo_edit_action action, uint64_t data, struct argp_state *state) {
    if (change->action != PFIFO_EDIT_KEEP)
        argp_error(state, "--drop, --data and --repeat exclude each other, and can be given once");
    else if (data > UINT32_MAX)
        argp_error(state, "--data and --repeat are up to 0xffffffff");
    change->action = action;
    change->data = (uint32_t)data;
}

static error_t parse_action(int key, char *arg, struct argp_state *state) {
    struct change *change = state->input;

    switch (key) {
    case KEY_DROP:
        set_action(change, PFIFO_EDIT_DROP, 0, state);
        return 0;
    case KEY_DATA:
        set_action(change, PFIFO_EDIT_DATA, tool_number(state, "data", arg), state);
        return 0;
    case KEY_REPEAT:
        set_action(change, PFIFO_EDIT_REPEAT, tool_number(state, "repeat", arg), state);
        if (change->data < 2)
            argp_error(state, "--repeat is 2 or more");
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
            argp_error(state, "what to do is missing: --drop, --data=N or --repeat=N");
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
    "--drop|--data=N|--repeat=N --method=METHODS|... -o FILE CAPTURE",
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

static enum pfifo_edit_action decide(void *opaque, const struct pfifo_decode_event *event, uint32_t *data) {
    struct change *change = opaque;

    if (!pfifo_query_decoded(change->query, event))
        return PFIFO_EDIT_KEEP;
    if (change->action != PFIFO_EDIT_DROP)
        *data = change->data;
    return change->action;
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
    if (stream &&
        rewrite(stream, change.source.options.chip, change.output, decide, &change, &result, &error) == PFIFO_OK) {
        FILE *tells = rewrite_tells(change.output);
        fprintf(tells, "%s: %" PRIu64 " methods, %" PRIu64 " dropped, %" PRIu64 " changed", change.output,
                result.methods, result.dropped, result.changed);
        if (result.repeated)
            fprintf(tells, ", %" PRIu64 " repeated", result.repeated);
        fprintf(tells, result.left ? ", %" PRIu64 " could not be\n" : "\n", result.left);
        status = result.left || !(result.dropped || result.changed || result.repeated) ? TOOL_FAULTED : TOOL_OK;
    } else {
        source_message(&error);
    }
    pfifo_stream_close(stream);
    pfifo_query_free(change.query);
    return status;
}
