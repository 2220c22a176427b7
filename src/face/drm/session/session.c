/* SPDX-License-Identifier: MIT */
/*
 *   device --submissions, faults--> session --counts, report--> output
 *     |  \-----framebuffers-------> pictures (PNG)
 *   machine --events--> trace, statistics, pictures of draws
 */
#include "face/drm/session/session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pfifo/query.h>

#include "chip/error.h"
#include "face/common/counts.h"
#include "face/common/json_writer.h"
#include "face/common/naming.h"
#include "face/drm/session/elsewhere.h"
#include "face/drm/session/names.h"
#include "face/drm/session/output.h"
#include "face/drm/session/picture.h"
#include "face/drm/session/pictures.h"

#define MAX_FAULTS 64 /* kinds; all are counted */

/* Equal faults. */
struct session_fault {
    uint64_t count;
    uint32_t submission;
    struct pfifo_device_fault first; /* its strings are constants */
};

struct session {
    struct settings settings;
    struct drm_device *device;
    pid_t owner; /* a child after a fork has a copy, which is not its own */
    struct output output;
    bool failed; /* to write; it was said */
    bool noted;  /* that the program draws elsewhere */
    struct pfifo_trace *trace;
    struct pfifo_query *query; /* of the trace; NULL: none */
    struct pfifo_stats *stats;
    struct pictures *pictures; /* NULL: none */
    struct elsewhere elsewhere;
    struct unknown_places unknown;
    uint64_t submissions, words, faults;
    struct session_fault fault[MAX_FAULTS];
    size_t fault_kinds;
    bool numbered;                                                 /* a picture for each flip */
    bool (*show)(void *opaque, const struct drm_picture *picture); /* NULL: nobody */
    void *show_opaque;
    unsigned flips;          /* so far */
    struct drm_picture last; /* of a screen that went dark; no rgba: none */
};

/* ---- lines ---- */

static void print_error(const char *message) {
    struct output terminal;
    char line[700];
    int length = snprintf(line, sizeof line, "%s\n", message);
    if (length >= (int)sizeof line)
        line[sizeof line - 2] = '\n';
    output_open(&terminal, "");
    output_write(&terminal, line, strlen(line));
}

void session_log(struct session *session, const char *line) {
    if (!session || !session->settings.quiet)
        print_error(line);
}

static bool write_out(void *opaque, const char *text, size_t bytes) {
    struct session *session = opaque;
    char message[400];
    if (session->failed)
        return false;
    session->failed = !output_write(&session->output, text, bytes);
    if (!session->failed)
        return true;
    snprintf(message, sizeof message, "pfifo: %.200s: cannot write: %s",
             session->output.path[0] ? session->output.path : "stderr", strerror(errno));
    print_error(message);
    return false;
}

static void write_line(void *opaque, const char *line) {
    char *text;
    int length = asprintf(&text, "%s\n", line);
    if (length < 0)
        return;
    write_out(opaque, text, (size_t)length);
    free(text);
}

/* ---- what the device tells ---- */

static void session_submission(void *opaque, uint64_t words) {
    struct session *session = opaque;
    if (session->stats)
        unknown_after(&session->unknown, session->stats, (uint32_t)session->submissions);
    session->submissions++;
    session->words += words;
    elsewhere_rest(&session->elsewhere);
    if (session->trace)
        pfifo_trace_set_submission(session->trace, (uint32_t)session->submissions);
    if (session->pictures)
        pictures_submission(session->pictures, (uint32_t)session->submissions);
}

/* Nobody knows whether the program will live to see another. */
static void session_done(void *opaque) {
    struct session *session = opaque;
    if (session->trace)
        pfifo_trace_flush(session->trace);
}

static bool session_is_same(const struct pfifo_device_fault *a, const struct pfifo_device_fault *b) {
    return a->channel == b->channel && strcmp(a->unit, b->unit) == 0 && strcmp(a->error, b->error) == 0;
}

static void session_fault(void *opaque, const struct pfifo_device_fault *fault) {
    struct session *session = opaque;
    size_t i = 0;
    session->faults++;
    while (i < session->fault_kinds && !session_is_same(&session->fault[i].first, fault))
        i++;
    if (i == MAX_FAULTS)
        return;
    if (i == session->fault_kinds)
        session->fault[session->fault_kinds++] =
            (struct session_fault){.submission = (uint32_t)session->submissions, .first = *fault};
    session->fault[i].count++;
}

/* ---- pictures ---- */

static void save_picture(struct session *session, const struct drm_picture *picture) {
    struct pfifo_error error;
    char path[sizeof session->settings.screenshot + 16];
    char message[sizeof error.message + 16];
    if (picture_path(session->settings.screenshot, session->flips, path, sizeof path) &&
        picture_write(picture, path, &error))
        return;
    snprintf(message, sizeof message, "pfifo: %s", error.message);
    print_error(message);
}

static void forget_last(struct session *session) {
    free(session->last.rgba);
    session->last = (struct drm_picture){0};
}

static void session_leaves(void *opaque) {
    struct session *session = opaque;
    if (session->pictures)
        pictures_keep(session->pictures);
}

static void session_say_of_pictures(void *opaque, const char *text) {
    char message[700];
    (void)opaque;
    snprintf(message, sizeof message, "pfifo: %s", text);
    print_error(message);
}

static void session_flip(void *opaque, uint32_t framebuffer) {
    struct session *session = opaque;
    struct drm_picture picture;
    if (session->pictures)
        pictures_no_screenshot(session->pictures);
    if (framebuffer && !session->numbered && !session->show)
        return;
    if (!drm_device_picture(session->device, &picture))
        return;
    if (framebuffer && session->show && !session->show(session->show_opaque, &picture))
        session->show = NULL;
    if (framebuffer && !session->numbered) {
        free(picture.rgba);
    } else if (framebuffer) {
        session->flips++;
        save_picture(session, &picture);
        free(picture.rgba);
    } else {
        forget_last(session);
        session->last = picture;
    }
}

static void save_last(struct session *session) {
    struct drm_picture picture;
    if (session->settings.screenshot[0] && !session->numbered) {
        if (drm_device_picture(session->device, &picture)) {
            forget_last(session);
            session->last = picture;
        }
        if (session->last.rgba)
            save_picture(session, &session->last);
        if (session->last.rgba && session->pictures)
            pictures_no_screenshot(session->pictures);
    }
    forget_last(session);
}

/* ---- counts ---- */

static void print_text(const struct session *session, const struct counts *counts, FILE *file) {
    counts_head_text(counts, file);
    fprintf(file, "  faults        %" PRIu64 "\n", session->faults);
    for (size_t i = 0; i < session->fault_kinds; i++)
        counts_fault_text(&session->fault[i].first, session->fault[i].count, session->fault[i].submission, file);
    counts_methods_text(counts, file);
    if (counts->all)
        stats_text(counts->stats, file);
}

static void print_json(const struct session *session, const struct counts *counts, FILE *file) {
    struct json_writer json = {.file = file};

    json_open(&json, NULL, '{');
    json_put_text(&json, "file", counts->name);
    json_put_text(&json, "event", "summary");
    counts_head_json(counts, &json);
    json_put_number(&json, "faults", session->faults);
    json_open(&json, "fault", '[');
    for (size_t i = 0; i < session->fault_kinds; i++) {
        json_open(&json, NULL, '{');
        counts_fault_json(&session->fault[i].first, session->fault[i].count, session->fault[i].submission, &json);
        json_close(&json);
    }
    json_close(&json);
    counts_methods_json(counts, &json);
    if (counts->all)
        stats_json(counts->stats, &json);
    json_close_line(&json);
}

static void write_counts(struct session *session) {
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    const struct counts counts = {.name = program_invocation_short_name,
                                  .chip = drm_device_chip(session->device),
                                  .submissions = session->submissions,
                                  .words = session->words,
                                  .stats = session->stats,
                                  .unknown = &session->unknown,
                                  .all = session->settings.stats};
    if (!file)
        return;
    unknown_after(&session->unknown, session->stats, (uint32_t)session->submissions);
    (session->settings.json ? print_json : print_text)(session, &counts, file);
    if (fclose(file) == 0)
        write_out(session, text, bytes);
    free(text);
}

/* ---- sessions ---- */

/* What was drawn last is the screenshot of a program that shows nothing on the screen. */
static bool attach_pictures(struct session *session, struct pfifo_gpu *gpu, struct pfifo_error *error) {
    const struct settings *settings = &session->settings;
    session->numbered = picture_has_number(settings->screenshot);
    const struct pictures_config config = {
        .screenshot = settings->screenshot[0] && !session->numbered ? settings->screenshot : NULL,
        .folder = settings->draws[0] ? settings->draws : NULL,
        .first = settings->draws_from,
        .count = settings->draws_count,
        .message = session_say_of_pictures,
    };
    if (config.screenshot || config.folder)
        session->pictures = pictures_new(&config, gpu, program_invocation_short_name, error);
    return session->pictures || !(config.screenshot || config.folder);
}

static bool session_attach(struct session *session, struct pfifo_error *error) {
    const struct settings *settings = &session->settings;
    struct pfifo_gpu *gpu = pfifo_device_gpu(drm_device_pfifo(session->device));
    naming_set(settings->names);
    if (settings->stats || settings->json) {
        session->stats = pfifo_stats_new(error);
        if (!session->stats ||
            pfifo_stats_attach(session->stats, gpu, settings->stats ? NULL : COUNTS_EVENTS, error) != PFIFO_OK)
            return false;
    }
    if (!attach_pictures(session, gpu, error) || !elsewhere_begin(&session->elsewhere, session->device, error))
        return false;
    if (settings->trace[0]) {
        session->trace =
            pfifo_trace_new(settings->json ? PFIFO_TRACE_JSON : PFIFO_TRACE_TEXT, write_out, session, error);
        if (!session->trace || pfifo_trace_attach(session->trace, gpu, settings->trace, error) != PFIFO_OK)
            return false;
        if (settings->where[0] && !(session->query = pfifo_query_new(settings->where, error)))
            return false;
        pfifo_trace_set_query(session->trace, session->query);
        pfifo_trace_set_names(session->trace, naming());
        pfifo_trace_set_file(session->trace, program_invocation_short_name);
    }
    const struct drm_watch watch = {session_submission, session_done, session_fault, session_leaves, session};
    drm_device_set_watch(session->device, &watch);
    if (settings->screenshot[0])
        drm_device_set_flip(session->device, session_flip, session);
    return true;
}

static void detach(struct session *session) {
    const struct drm_watch nobody = {0};
    pictures_drop(session->pictures);
    elsewhere_end(&session->elsewhere);
    pfifo_trace_free(session->trace);
    pfifo_query_free(session->query);
    pfifo_stats_free(session->stats);
    drm_device_set_watch(session->device, &nobody);
    if (session->settings.screenshot[0])
        drm_device_set_flip(session->device, NULL, NULL);
    output_close(&session->output);
    free(session);
}

/* For `pfifo run --require`: a line of each process that opens a node, and another if it draws elsewhere. */
static void tell_required(const struct session *session, const char *mark) {
    struct output file;
    char line[64];
    if (!session->settings.require[0] || !output_open(&file, session->settings.require))
        return;
    int length = snprintf(line, sizeof line, "%s %.40s\n", mark, program_invocation_short_name);
    output_write(&file, line, (size_t)length);
    output_close(&file);
}

struct session *session_new(const struct settings *settings, struct drm_device *device, struct pfifo_error *error) {
    struct session *session = calloc(1, sizeof *session);
    if (!session) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a session");
        return NULL;
    }
    session->settings = *settings;
    session->device = device;
    session->owner = getpid();
    if (!output_open(&session->output, settings->output)) {
        error_cannot(error, settings->output, "write");
        free(session);
        return NULL;
    }
    if (!session_attach(session, error)) {
        detach(session);
        return NULL;
    }
    tell_required(session, SESSION_OPENED);
    return session;
}

void session_set_screen(struct session *session, bool (*show)(void *opaque, const struct drm_picture *picture),
                        void *opaque) {
    session->show = show;
    session->show_opaque = opaque;
    drm_device_set_flip(session->device, session_flip, session);
}

void session_report(struct session *session) {
    if (session->trace)
        pfifo_trace_flush(session->trace);
    drm_device_report(session->device, write_line, session);
}

void session_note(struct session *session) {
    char about[ELSEWHERE_LINE], line[ELSEWHERE_LINE + 64];
    bool unknown = drm_device_has_work(session->device); /* and not looked at yet */
    const char *how = unknown ? NULL : elsewhere_how(&session->elsewhere, session->submissions);
    if (!how || session->noted || session->owner != getpid())
        return;
    session->noted = true;
    snprintf(line, sizeof line, "pfifo: %.40s: %s", program_invocation_short_name, how);
    session_log(session, line);
    elsewhere_refusal(&session->elsewhere, about);
    snprintf(line, sizeof line, "pfifo: %.40s: %s", program_invocation_short_name, about);
    session_log(session, line);
    tell_required(session, SESSION_ELSEWHERE);
}

void session_end(struct session *session) {
    if (!session)
        return;
    session->failed = session->failed || session->owner != getpid();
    if (!session->failed) {
        save_last(session);
        pictures_end(session->pictures);
        session->pictures = NULL;
        session_note(session);
    }
    if (session->trace)
        pfifo_trace_flush(session->trace);
    if (session->stats && !session->failed)
        write_counts(session);
    if (session->settings.report && !session->failed)
        session_report(session);
    detach(session);
}
