/* SPDX-License-Identifier: MIT */
#include "face/tool/run/cmd_run.h"

#include "face/common/counts.h"
#include "face/common/jobs.h"
#include "face/tool/command/names_option.h"

#include <unistd.h>

enum cmd_run_option_key { KEY_TRACE = 't', KEY_STATS = 's', KEY_JSON = 'j', KEY_DIGEST = 'd' };
enum cmd_run_long_option_key {
    KEY_MATERIALISE = 256,
    KEY_DUMP,
    KEY_JOBS,
    KEY_NO_COMPILE,
    KEY_DRAWS,
    KEY_DRAWS_FROM,
    KEY_DRAWS_COUNT,
    KEY_AGAINST
};

static const struct argp_option options[] = {
    {"trace", KEY_TRACE, "GLOBS", OPTION_ARG_OPTIONAL,
     "Print events as they happen, those whose names match: 'pusher.*,puller.bind'; pfifo events lists them. Default: "
     "all but bus.*, memory.tlb_flush. No blank before GLOBS: -tGLOBS",
     0},
    {"output", RUN_OUTPUT, "FILE", 0, "Write events to FILE instead of standard output", 0},
    {"stats", KEY_STATS, NULL, 0, "Print all counts: events, packets, classes, methods that were not executed", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON, an object per line: events as well as the summary", 0},
    {"digest", KEY_DIGEST, NULL, 0, "Print only NAME submissions=N words=N methods=N sha256=HEX", 0},
    {"chip", RUN_CHIP, "CHIP", 0, "Run on this chip, whatever the capture says", 0},
    {"against", KEY_AGAINST, "CHIP", 0,
     "Run on this chip as well, submission by submission, and print the first difference in faults, stops or memory. "
     "The exit status is then 1",
     0},
    {"materialise", KEY_MATERIALISE, NULL, 0, "Pass every method through CACHE1: the same results, slower", 0},
    {"dump-buffers", KEY_DUMP, "DIR", 0,
     "Write what each buffer held when the client freed it, or at the end, to DIR/NAME-HANDLE.bin", 0},
    {"draws", KEY_DRAWS, "DIR", 0, "Write a picture after each draw to DIR/NNNN.png, and its state to DIR/index.json",
     0},
    {"draws-from", KEY_DRAWS_FROM, "N", 0, "The first draw that --draws writes (default 0)", 0},
    {"draws-count", KEY_DRAWS_COUNT, "N", 0, "How many draws --draws writes at most (default 1000)", 0},
    {"jobs", KEY_JOBS, "N", 0, "Draw on N threads (default: one per core). The results are the same", 0},
    {"no-compile", KEY_NO_COMPILE, NULL, 0,
     "Interpret shader programs, do not translate them to machine code: the same results, slower", 0},
    {"budget", RUN_BUDGET, "N", 0,
     "Give up a submission after N units of work: a word fetched, a method executed, or 16 ns of an engine's work "
     "(default 268435456)",
     0},
    {0},
};

static void cmd_run_check_usage(struct run *run, const struct argp_state *state) {
    const char *given;

    if (!run->pictures.folder && (run->pictures.first || run->pictures.count))
        argp_error(state, "--draws-from and --draws-count need --draws");
    run->query = select_query(&run->select, state);
    if (run->query && !run->trace)
        argp_error(state, "--where and its like need --trace");
    if (run->is_program) {
        if (run->digest || run->folder || run->replay.materialise_cache || run->against)
            argp_error(state, "--digest, --dump-buffers, --materialise and --against are for captures");
        if (run->output && tool_is_output(run->output))
            argp_error(state, "--output=- is for captures: standard output is the program's");
        if (run->source.raw || run->source.raw_only)
            argp_error(state, "--raw, %s apply to words, not to programs", source_for_words(&run->source));
        return;
    }
    run->pictures.screenshot = program_option_take(&run->program, "screenshot");
    given = program_option_given(&run->program);
    if (given)
        argp_error(state, "--%s is for programs: pfifo run --chip=CHIP -- PROGRAM", given);
    if (run->count == 0)
        argp_error(state, "a capture or script is missing");
    if (run->is_quoted && !tool_reads_once(run->files[0]) && access(run->files[0], F_OK) != 0)
        argp_error(state, "there is no file '%s'; a program needs a chip: pfifo run --chip=CHIP -- %s", run->files[0],
                   run->files[0]);
    if ((run->pictures.screenshot || run->pictures.folder) && run->count > 1)
        argp_error(state, "--screenshot and --draws are for one capture");
    if (run->digest && (run->trace_asked || run->stats || run->json || run->output))
        argp_error(state, "--digest prints a digest and nothing else");
    if (run->against && (run->trace_asked || run->stats || run->digest || run->output || run->folder ||
                         run->pictures.screenshot || run->pictures.folder))
        argp_error(state, "--against prints the first difference and nothing else");
    if (run->output && !run->trace)
        argp_error(state, "--output needs --trace");
}

static error_t options_parse_jobs(struct run *run, const char *arg, const struct argp_state *state) {
    uint64_t jobs = tool_number(state, "jobs", arg);
    if (!jobs || jobs > JOBS_MOST)
        argp_error(state, "--jobs is from 1 to %u", JOBS_MOST);
    run->jobs = (unsigned)jobs;
    return 0;
}

error_t cmd_run_parse_shared(int key, char *arg, struct argp_state *state) {
    struct run *run = state->input;

    switch (key) {
    case RUN_OUTPUT:
        run->output = arg;
        return 0;
    case RUN_CHIP:
        run->replay.chip = run->source.options.chip = tool_chip(state, arg);
        return 0;
    case RUN_BUDGET:
        run->replay.budget = tool_number(state, "budget", arg);
        if (!run->replay.budget)
            argp_error(state, "--budget 0 does nothing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t cmd_run_parse(int key, char *arg, struct argp_state *state) {
    struct run *run = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &run->program;
        state->child_inputs[1] = &run->select;
        state->child_inputs[2] = &run->source;
        run->select.help = "Print only events";
        return 0;
    case KEY_TRACE:
        run->trace_asked = true;
        run->trace = arg ? arg : run->trace ? run->trace : COUNTS_TRACE;
        return 0;
    case KEY_STATS:
        run->stats = true;
        return 0;
    case KEY_JSON:
        run->json = true;
        return 0;
    case KEY_DIGEST:
        run->digest = true;
        return 0;
    case KEY_AGAINST:
        run->against = tool_chip(state, arg);
        return 0;
    case KEY_DUMP:
        run->folder = arg;
        return 0;
    case KEY_DRAWS:
        run->pictures.folder = arg;
        return 0;
    case KEY_DRAWS_FROM:
        run->pictures.first = tool_number(state, "draws-from", arg);
        return 0;
    case KEY_DRAWS_COUNT:
        run->pictures.count = tool_number(state, "draws-count", arg);
        if (!run->pictures.count)
            argp_error(state, "--draws-count 0 writes nothing");
        return 0;
    case KEY_MATERIALISE:
        run->replay.materialise_cache = true;
        return 0;
    case KEY_NO_COMPILE:
        run->replay.no_compile = true;
        return 0;
    case KEY_JOBS:
        return options_parse_jobs(run, arg, state);
    case ARGP_KEY_ARGS:
        run->files = state->argv + state->next;
        run->count = state->argc - state->next;
        run->is_program = run->replay.chip && state->quoted == state->next;
        run->is_quoted = state->quoted == state->next;
        return 0;
    case ARGP_KEY_END:
        cmd_run_check_usage(run, state);
        return 0;
    default:
        return cmd_run_parse_shared(key, arg, state);
    }
}

static const struct argp_child children[] = {
    {&program_argp, 0, "Options for a PROGRAM (--screenshot is also for a CAPTURE):", 1},
    {&select_argp, 0, "Only some of the events that --trace prints:", 2},
    {&source_words_argp, 0, NULL, 0},
    NAMES_OPTION_CHILD,
    {0},
};

const struct argp cmd_run_argp = {
    options,
    cmd_run_parse,
    "CAPTURE|SCRIPT|TEXT...\n--chip=CHIP [OPTION...] -- PROGRAM [ARGUMENT...]",
    "Replay recorded command streams on a model of their chip, and print what happened; or execute the commands of "
    "pfifo shell in a SCRIPT, and print what each causes; or run a PROGRAM that uses the GPU through Linux's nouveau, "
    "such as one of OpenGL by Mesa, on the model, and return its exit status."
    "\vA PROGRAM also takes --trace, --output, --stats, --json, --draws and --budget; what these print goes to "
    "standard "
    "error or --output. A SCRIPT begins with the command chip, and takes --trace, --output, --materialise and "
    "--budget. "
    "A TEXT is a log with pushbuffer words, which run on --chip. If the environment variable PFIFO_TRACE is set and "
    "not "
    "empty, it has the globs of --trace. A file called - is standard input.",
    children,
    NULL,
    NULL,
};
