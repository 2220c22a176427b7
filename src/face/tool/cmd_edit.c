/* SPDX-License-Identifier: MIT */
/*
 * pfifo edit: a capture without some methods, with other data in them, or with some of them several times.
 */
#include "face/tool/command_line.h"
#include "face/tool/rewrite.h"
#include "face/tool/select.h"

#include <inttypes.h>
#include <stdlib.h>

enum cmd_edit_option_key { KEY_DROP = 'd', KEY_DATA = 'v', KEY_REPEAT = 'n', KEY_OUTPUT = 'o' };

struct change {
    struct select select;
    struct pfifo_query *query;
    enum pfifo_edit_action action;
    uint32_t data;
    const char *output;
    char *file;
};

static const struct argp_option options[] = {
    {"output", KEY_OUTPUT, "FILE", 0, "Write the capture to FILE, compressed if it ends with .xz or .zst", 0},
    {"drop", KEY_DROP, NULL, 0, "Leave out the methods that match", 0},
    {"data", KEY_DATA, "N", 0, "Give the methods that match this data", 0},
    {"repeat", KEY_REPEAT, "N", 0, "The packets of methods that match come N times", 0},
    {0},
};

static void set_action(struct change *change, enum pfifo_edit_action action, uint64_t data, struct argp_state *state) {
    if (change->action != PFIFO_EDIT_KEEP)
        argp_error(state, "there is one --drop, --data or --repeat");
    else if (data > UINT32_MAX)
        argp_error(state, "--data and --repeat are up to 0xffffffff");
    change->action = action;
    change->data = (uint32_t)data;
}

static error_t cmd_edit_parse(int key, char *arg, struct argp_state *state) {
    struct change *change = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &change->select;
        return 0;
    case KEY_OUTPUT:
        change->output = arg;
        return 0;
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
            argp_error(state, "what is to be done is missing: --drop, --data=N or --repeat=N");
        if (!change->query)
            argp_error(
                state,
                "which methods they are is missing: --where, --class, --method and the like; --method='*' is all");
        if (!change->output)
            argp_error(state, "--output=FILE is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&select_argp, 0, "Which methods:", 1},
    {0},
};

static const struct argp edit_argp = {
    options,
    cmd_edit_parse,
    "--drop|--data=N|--repeat=N -o FILE CAPTURE",
    "Copy a capture without the methods that match, with other data in them, or with their packets several times."
    "\vAll else stays as it is: buffers, submissions, and the order of what is left. Packets in a row are repeated "
    "together, within each segment. Before G80, only a whole segment can be repeated.\n"
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
    stream = tool_open(change.file, &error);
    if (stream && rewrite(stream, change.output, decide, &change, &result, &error) == PFIFO_OK) {
        tool_note_truncated(stream, change.file);
        printf("%s: %" PRIu64 " methods, %" PRIu64 " dropped, %" PRIu64 " changed", change.output, result.methods,
               result.dropped, result.changed);
        if (result.repeated)
            printf(", %" PRIu64 " repeated", result.repeated);
        printf(result.left ? ", %" PRIu64 " could not be\n" : "\n", result.left);
        status = result.left || !(result.dropped || result.changed || result.repeated) ? TOOL_FAULTED : TOOL_OK;
    } else {
        tool_message("%s", error.message);
    }
    pfifo_stream_close(stream);
    pfifo_query_free(change.query);
    return status;
}
