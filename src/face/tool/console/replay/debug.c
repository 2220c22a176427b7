/* SPDX-License-Identifier: MIT */
#include "face/tool/console/replay/debug.h"

#include "face/common/jobs.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/console/shader/shader.h"
#include "face/tool/console/target.h"
#include "face/tool/tool.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS                                                                                                         \
    "pusher.packet,pusher.jump,pusher.error,puller.bind,puller.method,engine.draw,"                                    \
    "engine.launched,engine.macro_method"

bool debug_running(const struct debug *debug) {
    return pfifo_replay_result(debug->replay)->running;
}

/* ---- what happens ---- */

static void debug_add_object(struct debug *debug, uint32_t channel, uint32_t oclass) {
    for (size_t i = 0; i < debug->objects; i++)
        if (debug->object[i].channel == channel && debug->object[i].oclass == oclass)
            return;
    if (debug->objects < DEBUG_OBJECTS)
        debug->object[debug->objects++] = (struct debug_object){channel, oclass};
}

/* The replay has seen the event before. */
static void debug_count_method(struct debug *debug, uint32_t channel) {
    struct pfifo_replay_progress progress;

    debug->counts.methods++;
    if (pfifo_replay_progress(debug->replay, channel, &progress) && progress.last_index == 0)
        debug->counts.packets++;
}

static void debug_happened(void *opaque, const struct pfifo_event *event) {
    struct debug *debug = opaque;

    if (event->channel != UINT32_MAX)
        debug->channel = event->channel;
    debug->happened = true;
    if (event->id == debug->method) {
        debug_count_method(debug, event->channel);
    } else if (event->id == debug->bind) {
        debug_add_object(debug, event->channel, (uint32_t)event->value[2]);
    } else if (event->id == debug->draw) {
        debug->counts.draws++;
        debug->methods_at[RUN_DRAW] = debug->counts.methods;
    } else if (event->id == debug->launch) {
        debug->counts.launches++;
        debug->methods_at[RUN_LAUNCH] = debug->counts.methods;
    }
    if (!debug->going_back || debug->listening)
        debug_breaks_event(debug, event);
}

static void debug_begins(void *opaque, uint32_t sequence) {
    struct debug *debug = opaque;

    debug->sequence = sequence;
    debug->begun = true;
    debug->replayed += debug->going_back;
}

void debug_look(struct debug *debug) {
    debug->happened = false;
    if (!pfifo_replay_progress(debug->replay, debug->channel, &debug->progress))
        debug->progress = (struct pfifo_replay_progress){0};
}

bool debug_observe(struct debug *debug, struct pfifo_error *error) {
    char globs[sizeof EVENTS + BREAKS_GLOBS_BYTES] = EVENTS;

    breaks_globs(&debug->console.breaks, globs, sizeof globs);
    if (debug->observing)
        pfifo_gpu_unobserve(debug->console.gpu, debug_happened, debug);
    debug->observing = pfifo_gpu_observe(debug->console.gpu, globs, debug_happened, debug, error) == PFIFO_OK;
    return debug->observing;
}

/* ---- the session ---- */

static bool make_replay(struct debug *debug, struct pfifo_error *error) {
    const struct pfifo_replay_config config = {
        .size = sizeof config, .chip = debug->chip, .locate = true, .side_by_side = jobs_lent()};
    const struct pfifo_replay_watch watch = {.submission = debug_begins, .opaque = debug};

    debug->observing = false;
    debug->replay = pfifo_replay_new(debug->stream, &config, error);
    if (!debug->replay)
        return false;
    debug->console.gpu = pfifo_replay_gpu(debug->replay);
    debug->console.registers = pfifo_gpu_registers(debug->console.gpu);
    debug->chip = pfifo_gpu_chip(debug->console.gpu);
    pfifo_replay_set_watch(debug->replay, &watch);
    return debug_observe(debug, error);
}

/* To where it goes now: target.c. */
static bool debug_write(void *opaque, const char *text, size_t bytes) {
    return tool_write(((struct debug *)opaque)->out, text, bytes);
}

bool debug_open(struct debug *debug, const char *file, const struct source *source, bool json,
                struct pfifo_error *error) {
    struct pfifo_stream *stream[2];

    *debug = (struct debug){
        .console = {.config = {.write = debug_write, .opaque = debug, .files = true, .enough = interrupt_enough},
                    .target = &console_capture,
                    .debug = debug},
        .out = stdout,
        .file = file,
        .chip = source->options.chip,
        .json = json,
        .channel = UINT32_MAX,
        .bind = pfifo_event_find("puller.bind"),
        .method = pfifo_event_find("puller.method"),
        .draw = pfifo_event_find("engine.draw"),
        .launch = pfifo_event_find("engine.launched"),
        .macro_method = pfifo_event_find("engine.macro_method")};
    if (!source_captures(source, file, stream, 2, error))
        return false;
    debug->stream = stream[0];
    debug->text = stream[1];
    if (!breaks_init(&debug->console.breaks, &capture_breaks_owner, &debug->console, error))
        return false;
    return make_replay(debug, error);
}

void debug_close(struct debug *debug) {
    shader_free(&debug->console);
    breaks_free(&debug->console.breaks);
    debug_marks_free(debug);
    debug_way_free(debug);
    pfifo_replay_free(debug->replay);
    pfifo_stream_close(debug->stream);
    pfifo_stream_close(debug->text);
    free(debug->start);
}

bool debug_restart(struct debug *debug, struct pfifo_error *error) {
    shader_leave(&debug->console);
    debug_marks_free(debug);
    debug_way_free(debug);
    pfifo_replay_free(debug->replay);
    debug->replay = NULL;
    debug->console.gpu = NULL;
    debug->console.registers = NULL;
    pfifo_stream_rewind(debug->stream);
    debug->ended = debug->failed = false;
    debug->counts = (struct debug_counts){0};
    debug->steps = 0;
    memset(debug->seen, 0, sizeof debug->seen);
    memset(debug->methods_at, 0, sizeof debug->methods_at);
    debug->sequence = 0;
    debug->begun = false;
    debug->channel = UINT32_MAX;
    debug->progress = (struct pfifo_replay_progress){0};
    debug->fault_kinds = 0;
    debug->objects = 0;
    if (make_replay(debug, error))
        return true;
    debug->console.quit = true; /* there is no machine to ask any more */
    return false;
}

/* False: no memory. */
static bool note_start(struct debug *debug) {
    const struct pfifo_replay_result *result = pfifo_replay_result(debug->replay);

    if (result->runs <= debug->starts)
        return true;
    if (debug->starts == debug->start_room) {
        size_t room = debug->start_room ? 2 * debug->start_room : 64;
        struct debug_start *grown = realloc(debug->start, room * sizeof *grown);
        if (!grown)
            return false;
        debug->start = grown;
        debug->start_room = room;
    }
    debug->start[debug->starts++] = (struct debug_start){
        .counts = debug->counts, .time = result->time, .steps = debug->steps, .sequence = debug->sequence};
    return true;
}

/* Methods that are executed in the unit that fetches their header are never what comes next. */
static void note_place(struct debug *debug) {
    uint64_t runs = pfifo_replay_result(debug->replay)->runs;
    struct debug_start *start = runs && runs <= debug->starts ? &debug->start[runs - 1] : NULL;

    if (!start || start->placed || !debug_running(debug) || !debug_at_place(debug))
        return;
    start->placed = true;
    start->methods = debug->counts.methods;
}

/* Is it another method than the last time? */
static void note_next(struct debug *debug) {
    const struct pfifo_replay_progress *progress = &debug->progress;
    struct debug_seen *seen = &debug->seen[debug->channel % DEBUG_CHANNELS];
    const struct debug_seen now = {
        .valid = true, .channel = debug->channel, .index = progress->index, .packet = progress->packet};

    debug->is_new = progress->next.has_method && (!seen->valid || seen->channel != now.channel ||
                                                  seen->index != now.index || seen->packet != now.packet);
    if (progress->next.has_method)
        *seen = now;
}

bool debug_advance(struct debug *debug, struct pfifo_error *error) {
    const struct pfifo_replay_result *result = pfifo_replay_result(debug->replay);
    uint64_t runs = result->runs;
    bool more = true;

    shader_leave(&debug->console);
    debug_way_leave(debug);
    if (pfifo_replay_step(debug->replay, 1, &more, error) != PFIFO_OK) {
        debug->ended = debug->failed = true; /* a capture that is wrong does not go on */
        return false;
    }
    debug->steps++;
    debug->ended = !more;
    if (result->runs != runs && !note_start(debug))
        return refuse(error, "no memory to come back to here");
    if (debug->happened || result->runs != runs)
        debug_look(debug);
    note_next(debug);
    note_place(debug);
    return true;
}
