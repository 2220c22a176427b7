/* SPDX-License-Identifier: MIT */
/*
 * pfifo timeline: a run of a capture or session, as a file for Perfetto.
 */
#include "face/tool/command/command_line.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/command/names_option.h"
#include "face/tool/run/cmd_run.h"

static const struct argp_option options[] = {
    {"output", RUN_OUTPUT, "FILE", 0, "Write to FILE instead of standard output", 0},
    {"budget", RUN_BUDGET, "N", 0, "Give up a submission after N units of work, as pfifo run does", 0},
    {0},
};

static void cmd_timeline_end(struct run *run, const struct argp_state *state) {
    if (run->count != 1)
        argp_error(state, run->count ? "a timeline shows one capture" : "a capture is missing");
    run->replay.chip = run->source.options.chip;
    run->query = select_query(&run->select, state);
}

static error_t cmd_timeline_parse(int key, char *arg, struct argp_state *state) {
    struct run *run = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &run->select;
        state->child_inputs[1] = &run->source;
        run->select.help = "Write only events";
        return 0;
    case ARGP_KEY_ARGS:
        run->files = state->argv + state->next;
        run->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        cmd_timeline_end(run, state);
        return 0;
    default:
        return cmd_run_parse_shared(key, arg, state);
    }
}

static const struct argp_child children[] = {
    {&select_argp, 0, "Only some of the events:", 1},
    {&source_capture_argp, 0, "What the file is:", 2},
    NAMES_OPTION_CHILD,
    {0},
};

static const struct argp timeline_argp = {
    options,
    cmd_timeline_parse,
    "CAPTURE",
    "Run a capture or session on the model, and write what happened as a timeline in JSON, which Perfetto "
    "(https://ui.perfetto.dev) and Chrome's chrome://tracing open: a track for each channel, its waits, pusher and "
    "puller, and for each kind of engine; arrows lead from who released to who waited."
    "\vTime is the model's clock, not the hardware's: 16 ns for each word fetched, method executed, or step of an "
    "engine. The exit status is that of pfifo run.",
    children,
    NULL,
    NULL,
};

enum tool_status cmd_timeline(int argc, char **argv) {
    struct tool_output events;
    struct run run = {.timeline = true, .events = &events};
    enum tool_status status;

    command_line_parse(&timeline_argp, argc, argv, 0, &run);
    if (!tool_create(&events, run.output))
        return TOOL_FAILED;
    run.file = run.files[0];
    status = run_file(&run, run.file);
    pfifo_query_free(run.query);
    if (run.output && !tool_close(&events, run.output))
        status = TOOL_FAILED;
    if (interrupt_seen() && fflush(stdout) == 0)
        interrupt_die();
    return status;
}
