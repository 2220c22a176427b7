/* SPDX-License-Identifier: MIT */
/* What a run of the capture adds to its words: draws and clears, who writes and reads memory, faults. */
#include "face/tool/replay/recorded.h"
#include "face/tool/report/report.h"

#include <pfifo/classes.h>
#include <pfifo/draw.h>
#include <pfifo/error_code.h>
#include <pfifo/event.h>
#include <pfifo/launch.h>

#include "face/common/jobs.h"
#include "face/common/naming.h"
#include "face/tool/replay/play.h"
#include "face/tool/report/pictures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS                                                                                                         \
    "pusher.packet,puller.release,puller.acquire,engine.fence,engine.acquire,engine.done,engine.draw,engine.launch,"   \
    "engine.launched,engine.read"

enum { READ_LINES = 5, READ_PITCH }; /* fields of engine.read */
enum { CHANNELS = 4096, WORDS = 0x1000, FIRST_METHOD = 0x100, MOST_CHANGES = 300, MOST_PIXELS = 1 << 22 };

/* Events that are an access, and their fields. */
struct report_event {
    const char *name, *what;
    char mode;
    size_t id;
    int method, address, bytes; /* numbers of fields, -1: none */
};

struct report_replay {
    struct report *report;
    struct play play;
    size_t packet, read; /* numbers of events */
    size_t launch;
    uint64_t clears, launches; /* of the capture, before this one; draws are counted in `play` */
    struct report_pictures *pictures;
    bool failed;              /* a picture cannot be written */
    uint32_t channel, oclass; /* whose values are in `value` */
    bool has_values;
    uint64_t at[CHANNELS];       /* of the last packet */
    uint32_t began_in[CHANNELS]; /* its submission */
    uint32_t value[WORDS];
    struct report_event event[8];
};

static const struct report_event accesses[] = {
    {"puller.release", "semaphore release", 'w', 0, -1, 0, 2},
    {"puller.acquire", "semaphore acquire", 'r', 0, -1, 0, -1},
    {"engine.fence", "fence", 'w', 0, -1, 0, 2},
    {"engine.acquire", "semaphore acquire", 'r', 0, -1, 0, -1},
    {"engine.done", NULL, 'w', 0, 1, 2, 3},
    {"engine.launch", "compute program", 'r', 0, 1, 2, -1},
    {"engine.read", NULL, 'r', 0, 1, 3, 4},
};

static uint32_t row_now(const struct report_replay *run, const struct pfifo_event *event) {
    if (event->channel >= CHANNELS)
        return REPORT_NO_ROW;
    return report_row_of(run->report, run->began_in[event->channel], run->at[event->channel]);
}

/* Of a fence or semaphore in 16 bytes, 4 are the value; a word at least. */
static void note_access(struct report_replay *run, const struct report_event *access, const struct pfifo_event *event) {
    uint32_t row = row_now(run, event);
    uint64_t bytes = access->bytes >= 0 ? event->value[access->bytes] : 4;

    if (event->id == run->read) /* lines */
        bytes += (event->value[READ_LINES] - 1) * event->value[READ_PITCH];
    if (access->method >= 0)
        row = report_row_method(run->report, row, (uint32_t)event->value[access->method]);
    report_access(run->report, access->mode,
                  access->what  ? access->what
                  : event->text ? event->text
                                : "copy",
                  event->value[access->address], bytes, row);
}

/* ---- draws ---- */

/* -1: none is known. */
static void report_run_put_row(struct json_writer *json, uint32_t row) {
    json_put_signed(json, "row", row == REPORT_NO_ROW ? -1 : (int64_t)row);
}

static void run_put_target(struct json_writer *json, const struct pfifo_target *target, unsigned i) {
    json_open(json, NULL, '{');
    if (i < PFIFO_DRAW_COLORS)
        json_put_format(json, "name", "color %u", i);
    else
        json_put_text(json, "name", "depth");
    json_put_text(json, "format", target->format);
    json_put_text(json, "layout", target->layout);
    json_put_number(json, "address", target->address);
    json_put_number(json, "width", target->width);
    json_put_number(json, "height", target->height);
    json_close(json);
}

static void put_targets(struct report_replay *run, const struct pfifo_draw *draw, uint32_t row) {
    struct json_writer *json = &run->report->json;

    json_open(json, "targets", '[');
    for (unsigned i = 0; i < PFIFO_DRAW_TARGETS; i++) {
        const struct pfifo_target *target = &draw->target[i];
        if (!target->format)
            continue;
        run_put_target(json, target, i);
        report_access(run->report, 'w',
                      draw->clear             ? "clear"
                      : i < PFIFO_DRAW_COLORS ? "draw"
                                              : "draw, depth",
                      target->address, 1, row);
    }
    json_close(json);
    json_open(json, "textures", '[');
    for (uint32_t i = 0; i < draw->textures; i++) {
        const struct pfifo_draw_texture *texture = &draw->texture[i];
        if (!texture->shape)
            continue;
        json_open(json, NULL, '{');
        json_put_number(json, "header", texture->header);
        json_put_text(json, "shape", texture->shape);
        json_put_text(json, "format", texture->format);
        json_put_number(json, "address", texture->address);
        json_put_number(json, "width", texture->width);
        json_put_number(json, "height", texture->height);
        json_close(json);
    }
    json_close(json);
}

static void put_change(struct json_writer *json, uint32_t oclass, uint32_t method, uint32_t old, uint32_t value) {
    char name[PFIFO_METHOD_NAME_BYTES] = "", text[300] = "";
    struct pfifo_method_name known;

    if (pfifo_method_find(oclass, method, &known))
        naming_method(&known, name, sizeof name);
    else
        snprintf(name, sizeof name, "%04" PRIx32, method);
    pfifo_method_describe(oclass, method, value, text, sizeof text);
    json_open(json, NULL, '[');
    json_put_text(json, NULL, name);
    json_put_number(json, NULL, old);
    json_put_number(json, NULL, value);
    json_put_text(json, NULL, text);
    json_close(json);
}

/* What the object's methods hold other than at its draw before. */
static void run_put_changes(struct report_replay *run, uint32_t channel, uint32_t oclass) {
    struct json_writer *json = &run->report->json;
    bool first = !run->has_values || run->channel != channel || run->oclass != oclass;
    uint64_t changes = 0;

    if (first)
        memset(run->value, 0, sizeof run->value);
    json_put_bool(json, "first", first);
    json_open(json, "changed", '[');
    for (uint32_t word = FIRST_METHOD / 4; word < WORDS; word++) {
        uint32_t value = 0;
        pfifo_gpu_method_value(run->play.gpu, channel, oclass, word * 4, &value);
        if (value == run->value[word])
            continue;
        if (changes++ < MOST_CHANGES) {
            if (changes > 1)
                json_new_line(json);
            put_change(json, oclass, word * 4, run->value[word], value);
        }
        run->value[word] = value;
    }
    json_close(json);
    json_put_number(json, "more", changes > MOST_CHANGES ? changes - MOST_CHANGES : 0);
    run->has_values = true;
    run->channel = channel;
    run->oclass = oclass;
}

/* The target as a file; a target that is no picture leaves the draw without one. */
static void put_picture(struct report_replay *run, const struct pfifo_draw *draw, const char *what, uint64_t number) {
    const struct pfifo_target *target = pfifo_draw_shown(draw);
    struct report *report = run->report;
    const char *name;
    uint8_t *rgba;

    if (!target || report_pictures_files(run->pictures) >= report->most_pictures ||
        (uint64_t)target->width * target->height > MOST_PIXELS || run->failed)
        return;
    rgba = report_pictures_room(run->pictures, target->width, target->height);
    if (!rgba || pfifo_gpu_picture(run->play.gpu, target, rgba, NULL) != PFIFO_OK)
        return;
    name = report_pictures_put(run->pictures, what, number);
    run->failed = !name;
    if (name)
        json_put_text(&report->json, "picture", name);
}

/* The beginning of a draw, clear or launch. False: there are too many. */
static bool begin_work(struct report_replay *run, const char *what, uint64_t number, uint32_t row) {
    struct report *report = run->report;
    struct json_writer *json = &report->json;

    if (report->draws >= REPORT_DRAWS) {
        report->draws_left_out++;
        return false;
    }
    json_new_line(json);
    json_open(json, NULL, '{');
    json_put_format(json, "title", "%s %" PRIu64, what, number);
    report_run_put_row(json, row);
    json_put_number(json, "submission", run->play.sequence);
    report->draws++;
    return true;
}

/* The number is that of draw:N in other commands; clears have their own. */
static void put_draw(struct report_replay *run, const struct pfifo_event *event, uint64_t number) {
    struct json_writer *json = &run->report->json;
    const struct pfifo_draw *draw = event->draw;
    uint32_t row = report_row_method(run->report, row_now(run, event), draw->method);
    const char *what = draw->clear ? "clear" : "draw";

    if (!begin_work(run, what, number, row))
        return;
    put_picture(run, draw, what, number);
    put_targets(run, draw, row);
    report_draw_facts(json, draw);
    run_put_changes(run, event->channel, draw->object_class);
    json_close(json);
}

static void put_launch(struct report_replay *run, const struct pfifo_event *event) {
    struct json_writer *json = &run->report->json;
    const struct pfifo_launch *launch = event->launch;
    uint32_t row = report_row_method(run->report, row_now(run, event), launch->method);

    if (!begin_work(run, "launch", run->launches - 1, row))
        return;
    json_open(json, "targets", '[');
    json_close(json);
    json_open(json, "textures", '[');
    json_close(json);
    report_launch_facts(json, launch);
    run_put_changes(run, event->channel, launch->object_class);
    json_close(json);
}

/* ---- the run ---- */

static void report_sees(void *opaque, const struct pfifo_event *event) {
    struct report_replay *run = opaque;
    const struct report *report = run->report;

    if (event->id == run->packet) {
        if (event->channel < CHANNELS) {
            run->at[event->channel] = event->value[0];
            run->began_in[event->channel] = run->play.sequence;
        }
        return;
    }
    bool is_clear = event->draw && event->draw->clear;
    uint64_t number = is_clear ? run->clears++ : run->play.draws;
    /* One that is executed is shown when it is done. */
    bool ends_launch = event->launch && (event->id != run->launch || !event->launch->executed);
    run->launches += ends_launch;
    if (run->play.sequence < report->first || run->play.sequence > report->last)
        return;
    if (event->draw)
        put_draw(run, event, number);
    if (ends_launch)
        put_launch(run, event);
    for (size_t i = 0; i < sizeof accesses / sizeof accesses[0] && !event->draw; i++)
        if (event->id == run->event[i].id)
            note_access(run, &run->event[i], event);
}

static bool report_run_has_enough(void *opaque) {
    const struct report_replay *run = opaque;

    return run->failed;
}

static void put_fault(struct report *report, const struct pfifo_replay_fault *fault,
                      const struct recorded_word *recorded) {
    struct pfifo_error_code code = {0};
    const struct pfifo_replay_word *word = &fault->word;
    uint32_t row =
        word->has_address && word->in_push ? report_row_of(report, word->submission, word->address) : REPORT_NO_ROW;
    struct json_writer *json = &report->json;

    if (word->has_method)
        row = report_row_method(report, row, word->method);
    json_open(json, NULL, '{');
    json_put_text(json, "unit", fault->first.unit);
    json_put_text(json, "error", fault->first.error ? fault->first.error : "");
    if (!pfifo_error_code_find(report->chip, fault->first.unit, fault->first.error, &code) || !code.text)
        code.text = "";
    json_put_text(json, "means", code.text);
    json_put_number(json, "count", fault->count);
    json_put_number(json, "submission", fault->submission);
    json_put_number(json, "address", fault->first.address);
    json_put_number(json, "data", fault->first.data);
    report_run_put_row(json, row);
    if (recorded->differs)
        json_put_number(json, "fetched", word->word);
    json_close(json);
}

static void put_faults(struct report *report, const struct pfifo_replay_result *result, struct pfifo_stream *stream) {
    const struct pfifo_replay_word *words[PFIFO_REPLAY_FAULTS];
    struct recorded_word recorded[PFIFO_REPLAY_FAULTS];

    for (size_t i = 0; i < result->fault_kinds; i++)
        words[i] = &result->fault[i].word;
    recorded_words(stream, words, result->fault_kinds, recorded);
    json_new_line(&report->json);
    json_open(&report->json, "faults", '[');
    for (size_t i = 0; i < result->fault_kinds; i++) {
        json_new_line(&report->json);
        put_fault(report, &result->fault[i], &recorded[i]);
    }
    report->faults = result->faults;
    json_close(&report->json);
    json_new_line(&report->json);
    json_put_number(&report->json, "faultCount", result->faults);
}

static void find_events(struct report_replay *run) {
    run->packet = pfifo_event_find("pusher.packet");
    run->read = pfifo_event_find("engine.read");
    run->launch = pfifo_event_find("engine.launch");
    for (size_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++) {
        run->event[i] = accesses[i];
        run->event[i].id = pfifo_event_find(accesses[i].name);
    }
}

bool report_run(struct report *report, struct pfifo_stream *stream, struct pfifo_error *error) {
    struct report_replay *run = calloc(1, sizeof *run);
    bool good = false;

    if (!run) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a run");
        return false;
    }
    run->report = report;
    run->play = (struct play){.chip = report->chip,
                              .locate = true,
                              .events = EVENTS,
                              .sees = report_sees,
                              .enough = report_run_has_enough,
                              .opaque = run};
    find_events(run);
    run->pictures = report_pictures_new(report->folder, jobs_count() - 1, error);
    if (run->pictures && play_begin(&run->play, stream, error)) {
        json_new_line(&report->json);
        json_open(&report->json, "draws", '[');
        good = play_run(&run->play, error) == PFIFO_OK && !run->failed;
        json_close(&report->json);
        put_faults(report, pfifo_replay_result(run->play.replay), stream);
    }
    play_end(&run->play);
    good = report_pictures_end(run->pictures, error) && good;
    free(run);
    return good;
}
