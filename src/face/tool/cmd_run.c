/* SPDX-License-Identifier: MIT */
/*
 * pfifo run: runs captures on the machine of their chip, and register scripts.
 */
#include "face/tool/dump.h"
#include "face/tool/interrupt.h"
#include "face/tool/progress.h"
#include "face/tool/replay.h"
#include "face/tool/shell.h"
#include "face/tool/summary.h"
#include "face/tool/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum cmd_run_option_key {
    KEY_TRACE = 't',
    KEY_OUTPUT = 'o',
    KEY_STATS = 's',
    KEY_JSON = 'j',
    KEY_DIGEST = 'd',
    KEY_CHIP = 'c'
};
enum cmd_run_long_option_key { KEY_MATERIALISE = 256, KEY_BUDGET, KEY_DUMP };

struct run {
    struct replay_config replay;
    const char *trace; /* globs, NULL: none */
    const char *output;
    const char *folder; /* of dumps, NULL: none */
    bool trace_asked, stats, json, digest;
    char **files;
    int count;
    const char *file;           /* the file that runs, as it was named */
    struct tool_output *events; /* where traces go */
};

/* The observers of one replay. */
struct observers {
    struct pfifo_trace *trace;
    struct pfifo_stats *stats;
    struct pfifo_digest *digest;
    struct unknown_places unknown;
};

static const struct argp_option options[] = {
    {"trace", KEY_TRACE, "GLOBS", OPTION_ARG_OPTIONAL,
     "Print events as they happen, those whose names match: 'pusher.*,puller.bind'; pfifo events lists them. Default: "
     "all but bus.*, memory.tlb_flush. No blank before GLOBS: -tGLOBS",
     0},
    {"output", KEY_OUTPUT, "FILE", 0, "Write events to FILE instead of standard output", 0},
    {"stats", KEY_STATS, NULL, 0, "Print all that was counted: events, packets, classes, methods not executed", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON, an object per line: events as well as the summary", 0},
    {"digest", KEY_DIGEST, NULL, 0, "Print only NAME submissions=N words=N methods=N sha256=HEX", 0},
    {"chip", KEY_CHIP, "CHIP", 0, "Run on this chip, whatever the capture says", 0},
    {"materialise", KEY_MATERIALISE, NULL, 0, "Pass every method through CACHE1: the same results, slower", 0},
    {"dump-buffers", KEY_DUMP, "DIR", 0,
     "Write what each buffer held when the client freed it, or at the end, to DIR/NAME-HANDLE.bin", 0},
    {"budget", KEY_BUDGET, "N", 0,
     "Give up a submission after N units of work: a word fetched, a method executed, or 16 ns of an engine's work "
     "(default 268435456)",
     0},
    {0},
};

static void cmd_run_check_usage(struct run *run, const struct argp_state *state) {
    if (run->count == 0)
        argp_error(state, "a capture or script is missing");
    if (run->digest && (run->trace_asked || run->stats || run->json || run->output))
        argp_error(state, "--digest prints a digest and nothing else");
    if (run->output && !run->trace)
        argp_error(state, "--output needs --trace");
}

static error_t cmd_run_parse(int key, char *arg, struct argp_state *state) {
    struct run *run = state->input;

    switch (key) {
    case KEY_TRACE:
        run->trace_asked = true;
        run->trace = arg ? arg : run->trace ? run->trace : COUNTS_TRACE;
        return 0;
    case KEY_OUTPUT:
        run->output = arg;
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
    case KEY_CHIP:
        run->replay.chip = tool_chip(state, arg);
        return 0;
    case KEY_DUMP:
        run->folder = arg;
        return 0;
    case KEY_MATERIALISE:
        run->replay.materialise = true;
        return 0;
    case KEY_BUDGET:
        run->replay.budget = tool_number(state, "budget", arg);
        if (!run->replay.budget)
            argp_error(state, "--budget 0 does nothing");
        return 0;
    case ARGP_KEY_ARGS:
        run->files = state->argv + state->next;
        run->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        cmd_run_check_usage(run, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp run_argp = {
    options,
    cmd_run_parse,
    "CAPTURE|SCRIPT...",
    "Replay recorded command streams on a model of their chip, and print what happened; or execute the commands of "
    "pfifo shell in a SCRIPT, and print what each causes."
    "\vA script begins with the command chip. It accepts --trace, --output, --materialise and --budget. If the "
    "environment variable PFIFO_TRACE is set and not empty, it has the globs of --trace. A CAPTURE or SCRIPT of - is "
    "standard input.",
    NULL,
    NULL,
    NULL,
};

static enum tool_status cmd_run_fail(const struct pfifo_error *error) {
    tool_message("%s", error->message);
    return TOOL_FAILED;
}

/* With --digest there is no other observer. */
static bool cmd_run_attach(struct observers *look, const struct run *run, struct pfifo_gpu *gpu,
                           struct pfifo_error *error) {
    if (run->digest) {
        look->digest = pfifo_digest_new(error);
        return look->digest && pfifo_digest_attach(look->digest, gpu, error) == PFIFO_OK;
    }
    look->stats = pfifo_stats_new(error);
    if (!look->stats || pfifo_stats_attach(look->stats, gpu, run->stats ? NULL : COUNTS_EVENTS, error) != PFIFO_OK)
        return false;
    if (!run->trace)
        return true;
    look->trace =
        pfifo_trace_new(run->json ? PFIFO_TRACE_JSON : PFIFO_TRACE_TEXT, tool_write_output, run->events, error);
    return look->trace && pfifo_trace_attach(look->trace, gpu, run->trace, error) == PFIFO_OK;
}

static void detach(struct observers *look) {
    pfifo_trace_free(look->trace);
    pfifo_stats_free(look->stats);
    pfifo_digest_free(look->digest);
}

/* Up to the end of a submission. */
static enum pfifo_status play_submission(struct replay *replay, struct observers *look, bool *more,
                                         struct pfifo_error *error) {
    const struct replay_result *result = replay_result(replay);
    uint64_t submissions = result->submissions, words = result->words;
    enum pfifo_status status = replay_next(replay, more, error);

    if (look->digest && result->submissions > submissions)
        pfifo_digest_submission(look->digest, result->words - words);
    if (look->stats)
        unknown_after(&look->unknown, look->stats, result->sequence);
    return status;
}

/* Called by a replay while it runs. */
struct watcher {
    struct replay *replay;
    struct pfifo_trace *trace; /* NULL: none */
    const char *name;
    struct progress progress;
};

static void submission_begins(void *opaque, uint32_t sequence) {
    const struct watcher *watcher = opaque;

    if (watcher->trace)
        pfifo_trace_set_submission(watcher->trace, sequence);
}

static bool seen_enough(void *opaque) {
    struct watcher *watcher = opaque;

    progress_show(&watcher->progress, watcher->name, replay_percent(watcher->replay),
                  replay_result(watcher->replay)->submissions);
    return interrupt_seen();
}

static bool cmd_run_play(struct replay *replay, const struct run *run, struct pfifo_stream *stream,
                         struct observers *look, struct pfifo_error *error) {
    struct watcher watcher = {.replay = replay, .trace = look->trace, .name = pfifo_stream_name(stream)};
    const struct replay_watch watch = {submission_begins, seen_enough, &watcher};
    bool more = true;
    enum pfifo_status status = PFIFO_OK;

    progress_begin(&watcher.progress);
    interrupt_begin();
    replay_set_watch(replay, &watch);
    while (more && status == PFIFO_OK && !ferror(stdout) && !ferror(run->events->file))
        status = play_submission(replay, look, &more, error);
    replay_set_watch(replay, &(const struct replay_watch){0});
    interrupt_end();
    progress_end(&watcher.progress);
    return status == PFIFO_OK;
}

static void print_digest(const struct summary *summary, struct pfifo_digest *digest) {
    char line[512];

    pfifo_digest_format(digest, summary->counts.name, line, sizeof line);
    puts(line);
}

static enum tool_status print(const struct run *run, const struct summary *summary, struct observers *look) {
    if (look->trace)
        pfifo_trace_flush(look->trace);
    if (run->digest && summary->result->interrupted)
        tool_message("%s: interrupted: no digest", summary->file);
    else if (run->digest)
        print_digest(summary, look->digest);
    else if (run->json)
        summary_json(summary, stdout);
    else
        summary_text(summary, stdout);
    return summary_faulted(summary) ? TOOL_FAULTED : TOOL_OK;
}

static enum tool_status cmd_run_replay(const struct run *run, struct pfifo_stream *stream, struct replay *replay) {
    struct pfifo_error error = {0};
    struct observers look = {0};
    enum tool_status status = TOOL_FAILED;

    bool attached = cmd_run_attach(&look, run, replay_gpu(replay), &error);
    if (look.trace)
        pfifo_trace_set_file(look.trace, run->file);
    if (!attached || !cmd_run_play(replay, run, stream, &look, &error)) {
        cmd_run_fail(&error);
    } else {
        const struct replay_result *result = replay_result(replay);
        const struct summary summary = {.file = run->file,
                                        .counts = {.name = pfifo_stream_name(stream),
                                                   .chip = pfifo_gpu_chip(replay_gpu(replay)),
                                                   .submissions = result->submissions,
                                                   .words = result->words,
                                                   .stats = look.stats,
                                                   .unknown = &look.unknown,
                                                   .all = run->stats},
                                        .result = result,
                                        .stream = stream};
        status = print(run, &summary, &look);
    }
    detach(&look);
    return status;
}

static enum tool_status run_with(const struct run *run, const struct replay_config *config, struct pfifo_stream *stream,
                                 struct pfifo_error *error) {
    struct replay *replay = replay_new(stream, config, error);
    enum tool_status status = replay ? cmd_run_replay(run, stream, replay) : cmd_run_fail(error);

    replay_free(replay);
    return status;
}

static enum tool_status run_and_dump(const struct run *run, struct pfifo_stream *stream, struct pfifo_error *error) {
    struct replay_config config = run->replay;
    struct dump *dump = dump_new(run->folder, pfifo_stream_name(stream), error);
    enum tool_status status;

    if (!dump)
        return cmd_run_fail(error);
    config.buffer_gone = dump_buffer;
    config.opaque = dump;
    status = run_with(run, &config, stream, error);
    return dump_free(dump) ? status : TOOL_FAILED;
}

static enum tool_status run_capture(const struct run *run, struct pfifo_stream *stream, struct pfifo_error *error) {
    enum tool_status status;

    if (!stream)
        return cmd_run_fail(error);
    status = run->folder ? run_and_dump(run, stream, error) : run_with(run, &run->replay, stream, error);
    pfifo_stream_close(stream);
    return status;
}

static enum tool_status run_script(const struct run *run, const char *name, FILE *file) {
    struct shell_script script = {.file = file, .name = name};
    struct shell_config config = {.gpu = {.materialise_cache = run->replay.materialise},
                                  .write = tool_write,
                                  .opaque = stdout,
                                  .write_events = run->output ? tool_write_output : NULL,
                                  .events_opaque = run->events,
                                  .trace = run->trace ? run->trace : SHELL_EVENTS,
                                  .files = true,
                                  .explain = true,
                                  .budget = run->replay.budget};
    struct pfifo_error error = {0};
    struct shell *shell;
    bool clean;

    if (run->stats || run->json || run->digest || run->replay.chip || run->folder) {
        tool_message("%s: --stats, --json, --digest, --chip and --dump-buffers are for captures, and this is a script",
                     name);
        return TOOL_FAILED;
    }
    shell = shell_new(&config, &error);
    if (!shell)
        return cmd_run_fail(&error);
    clean = shell_run_script(shell, &script);
    shell_free(shell);
    return clean ? TOOL_OK : TOOL_FAULTED;
}

/* A file that cannot be read twice (a pipe) is read as a whole. */
static enum tool_status run_once(const struct run *run, const char *path) {
    const char *name = tool_input_name(path);
    struct pfifo_error error = {0};
    size_t bytes;
    void *data = tool_read(path, &bytes, &error);
    enum tool_status status;

    if (!data)
        return cmd_run_fail(&error);
    if (shell_is_script(data, bytes)) {
        FILE *file = fmemopen(data, bytes, "r");
        status = file ? run_script(run, name, file) : TOOL_FAILED;
        if (file)
            fclose(file);
    } else {
        status = run_capture(run, pfifo_stream_open_memory(data, bytes, name, &error), &error);
    }
    free(data);
    return status;
}

static enum tool_status run_file(const struct run *run, const char *path) {
    struct pfifo_error error = {0};
    struct stat about;
    char head[4096];
    FILE *file;

    if (strcmp(path, "-") == 0 || (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)))
        return run_once(run, path);
    file = fopen(path, "r");
    if (file && shell_is_script(head, fread(head, 1, sizeof head, file))) {
        enum tool_status status;
        rewind(file);
        status = run_script(run, path, file);
        fclose(file);
        return status;
    }
    if (file)
        fclose(file);
    return run_capture(run, tool_open(path, &error), &error);
}

static enum tool_status run_files(const struct run *run) {
    enum tool_status status = TOOL_OK;

    for (int i = 0; i < run->count && !ferror(stdout) && !interrupt_seen(); i++) {
        struct run of_file = *run;
        of_file.file = run->files[i];
        enum tool_status one = run_file(&of_file, of_file.file);
        status = one > status ? one : status;
    }
    return status;
}

enum tool_status cmd_run(int argc, char **argv) {
    const char *trace = getenv("PFIFO_TRACE");
    struct tool_output events = {stdout, 0};
    struct run run = {.trace = trace && *trace ? trace : NULL, .events = &events};
    enum tool_status status;

    argp_parse(&run_argp, argc, argv, 0, NULL, &run);
    run.replay.locate = !run.digest;
    if (run.output)
        events.file = fopen(run.output, "w");
    if (!events.file) {
        tool_message("%s: cannot open: %s", run.output, strerror(errno));
        return TOOL_FAILED;
    }
    status = run_files(&run);
    if (run.output && !tool_close(&events, run.output))
        status = TOOL_FAILED;
    if (interrupt_seen() && fflush(stdout) == 0)
        interrupt_die();
    return status;
}
