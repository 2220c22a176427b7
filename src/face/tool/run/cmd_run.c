/* SPDX-License-Identifier: MIT */
/*
 * pfifo run: runs captures on the machine of their chip, register scripts, and programs (program.c).
 */
#include "face/tool/run/cmd_run.h"

#include <pfifo/foreign.h>

#include "face/common/jobs.h"
#include "face/tool/command/command_line.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/console/console.h"
#include "face/tool/replay/summary.h"
#include "face/tool/run/dump.h"
#include "face/tool/run/observers.h"
#include "face/tool/run/session.h"
#include "face/tool/view/progress.h"

#include <stdlib.h>
#include <string.h>

/* What looks at buffers before they are freed. */
struct leaving {
    struct dump *dump;         /* NULL: none */
    struct pictures *pictures; /* NULL: none, or no more */
};

static void buffer_leaves(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    const struct leaving *leaving = opaque;

    if (leaving->dump)
        dump_buffer(leaving->dump, handle, buffer);
    if (leaving->pictures)
        pictures_keep(leaving->pictures);
}

static enum tool_status cmd_run_fail(const struct pfifo_error *error) {
    tool_message("%s", error->message);
    return TOOL_FAILED;
}

static void cmd_run_say_of_pictures(void *opaque, const char *text) {
    (void)opaque;
    tool_message("%s", text);
}

static bool cmd_run_attach(struct observers *look, const struct run *run, struct pfifo_gpu *gpu,
                           struct pfifo_error *error) {
    if (run->pictures.screenshot || run->pictures.folder) {
        look->pictures = pictures_new(&run->pictures, gpu, run->file, error);
        if (!look->pictures)
            return false;
    }
    return observers_attach(look, run, TIMELINE_VIRTUAL, gpu, error);
}

/* Up to the end of a submission. */
static enum pfifo_status play_submission(struct pfifo_replay *replay, struct observers *look, bool *more,
                                         struct pfifo_error *error) {
    const struct pfifo_replay_result *result = pfifo_replay_result(replay);
    uint64_t submissions = result->submissions, words = result->words;
    enum pfifo_status status = pfifo_replay_next(replay, more, error);

    for (; look->digest && submissions < result->submissions; submissions++, words = result->words)
        pfifo_digest_submission(look->digest, result->words - words);
    if (look->stats)
        unknown_after(&look->unknown, look->stats, result->sequence);
    return status;
}

/* Called by a replay while it runs. */
struct watcher {
    struct pfifo_replay *replay;
    struct pfifo_trace *trace; /* NULL: none */
    struct timeline *timeline; /* NULL: none */
    struct pictures *pictures; /* NULL: none */
    const char *name;
    struct progress progress;
};

static void run_submission_begins(void *opaque, uint32_t sequence) {
    const struct watcher *watcher = opaque;

    if (watcher->trace)
        pfifo_trace_set_submission(watcher->trace, sequence);
    if (watcher->timeline)
        timeline_submission(watcher->timeline, sequence);
    if (watcher->pictures)
        pictures_submission(watcher->pictures, sequence);
}

static void run_channel_closes(void *opaque) {
    const struct watcher *watcher = opaque;

    if (watcher->pictures)
        pictures_keep(watcher->pictures);
}

static void presented(void *opaque, const struct pfifo_picture *picture, uint8_t *rgba) {
    const struct watcher *watcher = opaque;

    pictures_show(watcher->pictures, picture->width, picture->height, rgba);
}

static bool run_seen_enough(void *opaque) {
    struct watcher *watcher = opaque;

    progress_show(&watcher->progress, watcher->name, pfifo_replay_percent(watcher->replay),
                  pfifo_replay_result(watcher->replay)->submissions);
    return interrupt_seen();
}

static bool cmd_run_play(struct pfifo_replay *replay, const struct run *run, struct pfifo_stream *stream,
                         struct observers *look, struct pfifo_error *error) {
    struct watcher watcher = {.replay = replay,
                              .trace = look->trace,
                              .timeline = look->timeline,
                              .pictures = look->pictures,
                              .name = pfifo_stream_name(stream)};
    const struct pfifo_replay_watch watch = {.submission = run_submission_begins,
                                             .closes = run_channel_closes,
                                             .presents = look->pictures ? presented : NULL,
                                             .enough = run_seen_enough,
                                             .opaque = &watcher};
    bool more = true;
    enum pfifo_status status = PFIFO_OK;

    progress_begin(&watcher.progress);
    interrupt_begin();
    pfifo_replay_set_watch(replay, &watch);
    while (more && status == PFIFO_OK && !ferror(stdout) && !ferror(run->events->file))
        status = play_submission(replay, look, &more, error);
    pfifo_replay_set_watch(replay, &(const struct pfifo_replay_watch){0});
    interrupt_end();
    progress_end(&watcher.progress);
    return status == PFIFO_OK;
}

static enum tool_status run_print(const struct run *run, const struct summary *summary, struct observers *look) {
    if (look->trace)
        pfifo_trace_flush(look->trace);
    if (run->digest && summary->result->interrupted)
        tool_message_of(summary->file, "interrupted: no digest");
    else if (run->digest)
        observers_print_digest(look, summary->counts.name);
    else if (run->json)
        summary_json(summary, stdout);
    else if (!run->timeline)
        summary_text(summary, stdout);
    return summary_faulted(summary) ? TOOL_FAULTED : TOOL_OK;
}

static enum tool_status cmd_run_replay(const struct run *run, struct pfifo_stream *stream, struct pfifo_replay *replay,
                                       struct leaving *leaving) {
    struct pfifo_error error = {0};
    struct observers look = {0};
    enum tool_status status = TOOL_FAILED;

    bool attached = cmd_run_attach(&look, run, pfifo_replay_gpu(replay), &error);
    leaving->pictures = look.pictures;
    if (!attached || !cmd_run_play(replay, run, stream, &look, &error)) {
        cmd_run_fail(&error);
    } else {
        const struct pfifo_replay_result *result = pfifo_replay_result(replay);
        const struct summary summary = {.file = run->file,
                                        .counts = {.name = pfifo_stream_name(stream),
                                                   .chip = pfifo_gpu_chip(pfifo_replay_gpu(replay)),
                                                   .submissions = result->submissions,
                                                   .words = result->words,
                                                   .stats = look.stats,
                                                   .unknown = &look.unknown,
                                                   .all = run->stats},
                                        .result = result,
                                        .stream = stream,
                                        .text = run->text};
        status = run_print(run, &summary, &look);
    }
    leaving->pictures = NULL;
    if (!pictures_end(look.pictures))
        status = TOOL_FAILED;
    observers_detach(&look);
    return status;
}

static enum tool_status cmd_run_with(const struct run *run, struct dump *dump, struct pfifo_stream *stream,
                                     struct pfifo_error *error) {
    struct leaving leaving = {.dump = dump};
    struct pfifo_replay_config config = run->replay;
    config.size = sizeof config;
    jobs_set(run->jobs);
    config.side_by_side = jobs_lent();
    config.buffer_gone = buffer_leaves;
    config.opaque = &leaving;
    struct pfifo_replay *replay = pfifo_replay_new(stream, &config, error);
    enum tool_status status = replay ? cmd_run_replay(run, stream, replay, &leaving) : cmd_run_fail(error);

    pfifo_replay_free(replay);
    return status;
}

static enum tool_status run_and_dump(const struct run *run, struct pfifo_stream *stream, struct pfifo_error *error) {
    struct dump *dump = dump_new(run->folder, pfifo_stream_name(stream), error);
    enum tool_status status;

    if (!dump)
        return cmd_run_fail(error);
    status = cmd_run_with(run, dump, stream, error);
    return dump_free(dump) ? status : TOOL_FAILED;
}

enum tool_status run_capture(const struct run *run, struct pfifo_stream *stream) {
    struct pfifo_error error = {0};
    enum tool_status status;

    if (run->source.raw_only && !run->text) {
        tool_message_of(run->file, "%s apply to words, and this is a capture", source_for_words(&run->source));
        pfifo_stream_close(stream);
        return TOOL_FAILED;
    }
    tool_note_truncated(stream, run->file);
    status = run->folder ? run_and_dump(run, stream, &error) : cmd_run_with(run, NULL, stream, &error);
    pfifo_stream_close(stream);
    return status;
}

static enum tool_status run_script(const struct run *run, const char *name, FILE *file) {
    struct console_script script = {.file = file, .name = name};
    struct console_config config = {
        .gpu = {.materialise_cache = run->replay.materialise_cache, .no_compile = run->replay.no_compile},
        .write = tool_write,
        .opaque = stdout,
        .write_events = run->output ? tool_write_output : NULL,
        .events_opaque = run->events,
        .trace = run->trace ? run->trace : CONSOLE_EVENTS,
        .files = true,
        .explain = true,
        .budget = run->replay.budget};
    struct pfifo_error error = {0};
    struct console *console;
    bool clean;

    if (run->timeline) {
        tool_message_of(name, "a timeline is made of a capture or session, and this is a script");
        return TOOL_FAILED;
    }
    if (run->stats || run->json || run->digest || run->replay.chip || run->folder || run->pictures.screenshot ||
        run->pictures.folder || run->query) {
        tool_message_of(name,
                        "--stats, --json, --digest, --chip, --dump-buffers, --screenshot, --draws and --where are for "
                        "captures, and this is a script");
        return TOOL_FAILED;
    }
    console = console_new(&config, &error);
    if (!console)
        return cmd_run_fail(&error);
    clean = console_run_script(console, &script);
    console_free(console);
    return clean ? TOOL_OK : TOOL_FAULTED;
}

/* Of a file that is neither a capture nor a session. The capture's error is told, if it has no words either. */
static enum tool_status run_other(const struct run *run, const void *data, size_t bytes,
                                  const struct pfifo_error *error, const struct pfifo_error *session_error) {
    if (!strstr(session_error->message, "not a ") || !strstr(error->message, "not a "))
        return cmd_run_fail(strstr(session_error->message, "not a ") ? error : session_error);
    if (pfifo_foreign_recognise(data, bytes)) {
        struct pfifo_error foreign_error = {0};
        struct pfifo_stream *stream = pfifo_foreign_read(data, bytes, tool_input_path(run->file), &foreign_error);
        return stream ? run_capture(run, stream) : cmd_run_fail(&foreign_error);
    }
    return run_words(run, data, bytes, error);
}

static enum tool_status run_memory(const struct run *run, const char *name, void *data, size_t bytes) {
    struct pfifo_error error = {0}, session_error = {0};
    struct pfifo_session *session;
    struct pfifo_stream *stream;

    if (run->source.raw)
        return run_words(run, data, bytes, &error);
    if (console_is_script(data, bytes)) {
        FILE *file = fmemopen(data, bytes, "r");
        enum tool_status status = file ? run_script(run, name, file) : TOOL_FAILED;
        if (file)
            fclose(file);
        return status;
    }
    stream = pfifo_stream_open_memory(data, bytes, name, &error);
    session = stream ? NULL : pfifo_session_open_memory(data, bytes, name, &session_error);
    if (session)
        return run_session(run, session);
    return stream ? run_capture(run, stream) : run_other(run, data, bytes, &error, &session_error);
}

/* A file that is read as a whole: it cannot be read twice (a pipe), or is not a capture. */
static enum tool_status run_whole(const struct run *run, const char *path) {
    struct pfifo_error error = {0};
    size_t bytes;
    void *data = tool_read(path, &bytes, &error);
    enum tool_status status = data ? run_memory(run, tool_input_path(path), data, bytes) : cmd_run_fail(&error);

    free(data);
    return status;
}

enum tool_status run_file(const struct run *run, const char *path) {
    struct pfifo_error error = {0}, session_error = {0};
    char head[4096];
    FILE *file;

    if (tool_reads_once(path) || run->source.raw)
        return run_whole(run, path);
    file = fopen(path, "r");
    if (file && console_is_script(head, fread(head, 1, sizeof head, file))) {
        enum tool_status status;
        rewind(file);
        status = run_script(run, path, file);
        fclose(file);
        return status;
    }
    if (file)
        fclose(file);
    struct pfifo_stream *stream = tool_open(path, &error);
    if (stream)
        return run_capture(run, stream);
    struct pfifo_session *session = pfifo_session_open(path, &session_error);
    if (session)
        return run_session(run, session);
    if (!strstr(session_error.message, "not a "))
        return cmd_run_fail(&session_error);
    return strstr(error.message, "not a ") ? run_whole(run, path) : cmd_run_fail(&error);
}

static enum tool_status run_files(const struct run *run) {
    enum tool_status status = TOOL_OK;

    for (int i = 0; i < run->count && !ferror(stdout) && !interrupt_seen(); i++) {
        struct run of_file = *run;
        of_file.file = run->files[i];
        enum tool_status one = run->against ? run_against(&of_file, of_file.file) : run_file(&of_file, of_file.file);
        status = one > status ? one : status;
    }
    return status;
}

static enum tool_status run_a_program(const struct run *run) {
    const struct program program = {.chip = run->replay.chip,
                                    .jobs = run->jobs,
                                    .no_compile = run->replay.no_compile,
                                    .trace = run->trace,
                                    .output = run->output,
                                    .where = run->select.text,
                                    .stats = run->stats,
                                    .json = run->json,
                                    .budget = run->replay.budget,
                                    .pictures = &run->pictures,
                                    .options = &run->program,
                                    .argv = run->files};

    return program_run(&program);
}

enum tool_status cmd_run(int argc, char **argv) {
    const char *trace = getenv("PFIFO_TRACE");
    struct tool_output events = {0};
    struct run run = {
        .trace = trace && *trace ? trace : NULL, .events = &events, .pictures = {.message = cmd_run_say_of_pictures}};
    enum tool_status status;

    command_line_parse_painted(&cmd_run_argp, argc, argv, paint_run, &run);
    if (run.is_program)
        return run_a_program(&run);
    run.replay.locate = !run.digest;
    if (!tool_create(&events, run.output))
        return TOOL_FAILED;
    status = run_files(&run);
    pfifo_query_free(run.query);
    if (run.output && !tool_close(&events, run.output))
        status = TOOL_FAILED;
    if (interrupt_seen() && fflush(stdout) == 0)
        interrupt_die();
    return status;
}
