/* SPDX-License-Identifier: MIT */
#include "face/tool/run/timeline.h"

#include "face/common/json_writer.h"
#include "face/common/naming.h"

#include <pfifo/chip.h>
#include <pfifo/classes.h>
#include <pfifo/launch.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Most that any chip has; events of a greater number are drawn as the machine's. */
#define CHANNELS 4096
/* Families of classes that have a track; the last one is for all others. */
#define ENGINES 32
/* Names of methods that are kept. */
#define METHOD_TEXTS 512

/* All but accesses to registers, what the driver's firmware says, and TLB flushes. */
#define EVENTS "memory.fault,memory.tiles,pusher.*,puller.*,switch.*,fifo.*,engine.*,bus.time,bus.line"

/* Processes of the file. Channel 0 is CHANNEL_PROCESS, and so on. */
enum process { MACHINE_PROCESS = 1, ENGINE_PROCESS, CHANNEL_PROCESS };
enum machine_track { SUBMISSION_TRACK = 1, CLOCK_TRACK, MACHINE_TRACK, MACHINE_TRACKS };
enum channel_track { CHANNEL_TRACK = 1, WAIT_TRACK, PUSHER_TRACK, PULLER_TRACK, CHANNEL_TRACKS };

static const char *const machine_names[] = {
    [SUBMISSION_TRACK] = "submissions", [CLOCK_TRACK] = "idle", [MACHINE_TRACK] = "machine"};
static const char *const channel_names[] = {
    [CHANNEL_TRACK] = "channel", [WAIT_TRACK] = "waits", [PUSHER_TRACK] = "pusher", [PULLER_TRACK] = "puller"};

/* What an event draws. */
enum drawing {
    NOTHING,
    INSTANT, /* on the channel's track, or the machine's */
    PUSHER_INSTANT,
    PULLER_INSTANT,
    SEGMENT,
    PACKET,
    METHOD,
    LOAD,
    SAVE,
    WAIT,    /* begins or ends, as its text says */
    RELEASE, /* who waits for it has an arrow from it */
    WORK,    /* of an engine, that has ended */
    MACRO,
    MACRO_END,
    IDLE, /* that has ended */
};

/* What is not here is an INSTANT: errors, faults, interrupts, runlists ... */
static const struct {
    const char *event;
    enum drawing drawing;
} drawings[] = {
    {"pusher.segment", SEGMENT},
    {"pusher.packet", PACKET},
    {"pusher.jump", PUSHER_INSTANT},
    {"pusher.control", PUSHER_INSTANT},
    {"pusher.pio", PUSHER_INSTANT},
    {"puller.method", METHOD},
    {"puller.bind", PULLER_INSTANT},
    {"puller.reference", PULLER_INSTANT},
    {"puller.yield", PULLER_INSTANT},
    {"puller.host", NOTHING}, /* it is a puller.method, too */
    {"puller.acquire", WAIT},
    {"puller.syncpoint", WAIT},
    {"engine.acquire", WAIT},
    {"puller.release", RELEASE},
    {"engine.fence", RELEASE},
    {"fifo.syncpoint", RELEASE},
    {"switch.load", LOAD},
    {"switch.save", SAVE},
    {"engine.draw", WORK},
    {"engine.launch", WORK}, /* or NOTHING, if it is executed */
    {"engine.launched", WORK},
    {"engine.done", WORK},
    {"engine.class", WORK},
    {"engine.read", NOTHING}, /* of an engine.done or engine.draw */
    {"engine.write", NOTHING},
    {"engine.macro", MACRO},
    {"engine.macro_method", NOTHING},
    {"engine.macro_end", MACRO_END},
    {"bus.time", IDLE},
};

struct place {
    uint32_t process, track;
};

struct channel {
    bool named;
    bool open[CHANNEL_TRACKS]; /* the slice of each track; of the pusher, that of the packet */
    bool in_segment;
    bool is_syncpoint;     /* what is waited for */
    uint64_t waits_for;    /* its address or number */
    uint64_t flow;         /* the arrow that leads to the end of the wait, 0: none yet */
    uint64_t method_began; /* the last method, in nanoseconds */
};

struct engine {
    const char *family;
    bool in_macro;
    uint64_t until; /* it is drawn so far, in nanoseconds */
};

/* A method's name, "" if it has none. */
struct method_text {
    bool known;
    uint32_t oclass, method;
    char text[PFIFO_METHOD_NAME_BYTES];
};

struct timeline {
    struct pfifo_gpu *gpu;
    struct pfifo_query *query;
    uint32_t host_class;
    bool submitted, in_submission;
    uint32_t submission;
    uint64_t now, idle_until; /* nanoseconds */
    uint64_t flows;
    struct channel *runs; /* whose method is the last that was taken, NULL: none */
    struct engine engines[ENGINES];
    enum drawing *drawing; /* of each event */
    size_t launch;         /* number of an event */
    struct channel channels[CHANNELS];
    struct method_text methods[METHOD_TEXTS]; /* as a file has millions of a few */
    struct tool_output *output;
    struct json_writer json;
};

/* Microseconds. */
static void put_time(struct json_writer *json, const char *key, uint64_t nanoseconds) {
    char text[32];

    snprintf(text, sizeof text, "%" PRIu64 ".%03" PRIu64, nanoseconds / 1000, nanoseconds % 1000);
    json_put_raw(json, key, text);
}

static void line(struct timeline *timeline, const char *phase, struct place place, uint64_t time) {
    struct json_writer *json = &timeline->json;

    json_new_line(json);
    json_open(json, NULL, '{');
    json_put_text(json, "ph", phase);
    json_put_number(json, "pid", place.process);
    json_put_number(json, "tid", place.track);
    put_time(json, "ts", time);
}

/* The first failure is what is told. */
static void line_end(struct timeline *timeline) {
    json_close(&timeline->json);
    if (!ferror(timeline->json.file) || timeline->output->reason)
        return;
    timeline->output->reason = errno;
    if (timeline->json.file == stdout)
        tool_note_output_reason(errno);
}

static void name_line(struct timeline *timeline, const char *what, struct place place, const char *name) {
    struct json_writer *json = &timeline->json;

    line(timeline, "M", place, timeline->now);
    json_put_text(json, "name", what);
    json_open(json, "args", '{');
    json_put_text(json, "name", name);
    json_close(json);
    line_end(timeline);
}

static const char *method_text(struct timeline *timeline, uint32_t oclass, uint32_t method) {
    struct method_text *kept = &timeline->methods[(oclass * 31 + method / 4) % METHOD_TEXTS];
    struct pfifo_method_name name;

    if (kept->known && kept->oclass == oclass && kept->method == method)
        return kept->text;
    *kept = (struct method_text){.known = true, .oclass = oclass, .method = method};
    if (pfifo_method_find(oclass, method, &name))
        naming_method(&name, kept->text, sizeof kept->text);
    return kept->text;
}

/* "0x1d94 CLEAR_SURFACE", "0x9097 FERMI_A", or the number alone. */
static void put_named(struct timeline *timeline, const char *key, uint32_t number, const char *name) {
    json_put_format(&timeline->json, key, "0x%04" PRIx32 "%s%s", number, name[0] ? " " : "", name);
}

static void timeline_put_class(struct timeline *timeline, const char *key, uint32_t oclass) {
    const struct pfifo_class *class = pfifo_class_find(oclass);

    put_named(timeline, key, oclass, class ? class->name : "");
}

/* The value of a field; false: the event has none of that name. */
static bool timeline_field(const struct pfifo_event *event, const char *name, uint64_t *value) {
    const struct pfifo_event_info *info = pfifo_event_info(event->id);

    for (unsigned i = 0; i < info->fields; i++)
        if (strcmp(info->field[i], name) == 0) {
            *value = event->value[i];
            return true;
        }
    return false;
}

static uint64_t timeline_value_of(const struct pfifo_event *event, const char *name) {
    uint64_t value = 0;

    timeline_field(event, name, &value);
    return value;
}

/* The class whose method an event is about. */
static uint32_t event_class(const struct timeline *timeline, const struct pfifo_event *event) {
    bool host = timeline_value_of(event, "method") < 0x100; /* whatever is bound */

    return host ? timeline->host_class : (uint32_t)timeline_value_of(event, "class");
}

/* All fields of an event. Addresses and data are text: a number of JSON has no 64 bits everywhere. */
static void put_arguments(struct timeline *timeline, const struct pfifo_event *event) {
    const struct pfifo_event_info *info = pfifo_event_info(event->id);
    struct json_writer *json = &timeline->json;

    json_open(json, "args", '{');
    for (unsigned i = 0; i < info->fields; i++) {
        const char *key = info->field[i];
        uint64_t value = event->value[i];
        switch (info->format[i]) {
        case PFIFO_EVENT_HEX:
            json_put_format(json, key, "0x%" PRIx64, value);
            break;
        case PFIFO_EVENT_CLASS:
            timeline_put_class(timeline, key, (uint32_t)value);
            break;
        case PFIFO_EVENT_METHOD:
            put_named(timeline, key, (uint32_t)value,
                      method_text(timeline, event_class(timeline, event), (uint32_t)value));
            break;
        case PFIFO_EVENT_TEXT:
            json_put_text(json, key, event->text ? event->text : "");
            break;
        case PFIFO_EVENT_DETAIL:
            json_put_text(json, key, event->detail ? event->detail : "");
            break;
        case PFIFO_EVENT_CHANNEL:
            if (value == UINT32_MAX)
                json_put_raw(json, key, "null");
            else
                json_put_number(json, key, value);
            break;
        default:
            json_put_number(json, key, value);
        }
    }
    json_close(json);
}

/* A slice that begins, or an instant. Name NULL: that of the event's method. */
static void timeline_draw(struct timeline *timeline, const char *phase, struct place place, const char *name,
                          const struct pfifo_event *event) {
    line(timeline, phase, place, timeline->now);
    if (name) {
        json_put_text(&timeline->json, "name", name);
    } else {
        uint32_t method = (uint32_t)timeline_value_of(event, "method");
        const char *text = method_text(timeline, event_class(timeline, event), method);
        if (text[0])
            json_put_text(&timeline->json, "name", text);
        else
            put_named(timeline, "name", method, "");
    }
    if (*phase == 'i')
        json_put_text(&timeline->json, "s", "t");
    put_arguments(timeline, event);
    line_end(timeline);
}

static void close_slice(struct timeline *timeline, struct place place, bool *open) {
    if (*open) {
        line(timeline, "E", place, timeline->now);
        line_end(timeline);
    }
    *open = false;
}

/* A slice whose end is now. */
static void draw_ended(struct timeline *timeline, struct place place, uint64_t begin, const char *name,
                       const struct pfifo_event *event) {
    uint64_t duration = timeline->now - begin;

    line(timeline, "X", place, begin);
    put_time(&timeline->json, "dur", duration);
    json_put_text(&timeline->json, "name", name);
    put_arguments(timeline, event);
    line_end(timeline);
}

static void flow_line(struct timeline *timeline, const char *phase, struct place place, uint64_t flow) {
    line(timeline, phase, place, timeline->now);
    json_put_text(&timeline->json, "name", "release");
    json_put_text(&timeline->json, "cat", "release");
    json_put_number(&timeline->json, "id", flow);
    if (*phase == 'f')
        json_put_text(&timeline->json, "bp", "e");
    line_end(timeline);
}

static struct place channel_place(const struct timeline *timeline, const struct channel *channel,
                                  enum channel_track track) {
    return (struct place){CHANNEL_PROCESS + (uint32_t)(channel - timeline->channels), track};
}

/* Tracks have their names when something is drawn there. NULL: the event has no channel. */
static struct channel *timeline_channel_of(struct timeline *timeline, const struct pfifo_event *event) {
    struct channel *channel = event->channel < CHANNELS ? &timeline->channels[event->channel] : NULL;
    char name[40];

    if (!channel || channel->named)
        return channel;
    channel->named = true;
    snprintf(name, sizeof name, "channel %" PRIu32, event->channel);
    name_line(timeline, "process_name", channel_place(timeline, channel, CHANNEL_TRACK), name);
    for (enum channel_track track = CHANNEL_TRACK; track < CHANNEL_TRACKS; track++)
        name_line(timeline, "thread_name", channel_place(timeline, channel, track), channel_names[track]);
    return channel;
}

static struct engine *timeline_engine_of(struct timeline *timeline, const struct pfifo_event *event,
                                         struct place *place) {
    const struct pfifo_class *class = pfifo_class_find((uint32_t)timeline_value_of(event, "class"));
    const char *family = class && class->family ? class->family : "others";
    uint32_t i = 0;

    while (i < ENGINES - 1 && timeline->engines[i].family && strcmp(timeline->engines[i].family, family) != 0)
        i++;
    *place = (struct place){ENGINE_PROCESS, i + 1};
    if (!timeline->engines[i].family) {
        timeline->engines[i].family = i < ENGINES - 1 ? family : "others";
        if (i == 0)
            name_line(timeline, "process_name", *place, "engines");
        name_line(timeline, "thread_name", *place, timeline->engines[i].family);
    }
    return &timeline->engines[i];
}

static void close_track(struct timeline *timeline, struct channel *channel, enum channel_track track) {
    close_slice(timeline, channel_place(timeline, channel, track), &channel->open[track]);
}

static void close_pusher(struct timeline *timeline, struct channel *channel) {
    close_track(timeline, channel, PUSHER_TRACK);
    close_slice(timeline, channel_place(timeline, channel, PUSHER_TRACK), &channel->in_segment);
}

/* What a channel does ends when it is loaded or saved, and before another submission; a wait goes on. */
static void close_work(struct timeline *timeline, struct channel *channel) {
    close_track(timeline, channel, PULLER_TRACK);
    close_pusher(timeline, channel);
}

static void close_channels(struct timeline *timeline, bool all) {
    for (size_t i = 0; i < CHANNELS; i++) {
        struct channel *channel = &timeline->channels[i];
        close_work(timeline, channel);
        if (all) {
            close_track(timeline, channel, WAIT_TRACK);
            close_track(timeline, channel, CHANNEL_TRACK);
        }
    }
}

/* A slice that ends what was before it on its track, whether it is drawn itself or not. */
static void draw_channel(struct timeline *timeline, struct channel *channel, enum drawing drawing, bool wanted,
                         const struct pfifo_event *event) {
    static const struct {
        enum channel_track track;
        const char *name; /* NULL: the method's */
    } slices[] = {[SEGMENT] = {PUSHER_TRACK, "segment"},
                  [PACKET] = {PUSHER_TRACK, "packet"},
                  [METHOD] = {PULLER_TRACK, NULL},
                  [LOAD] = {CHANNEL_TRACK, "loaded"},
                  [SAVE] = {CHANNEL_TRACK, "saved"}};
    enum channel_track track = slices[drawing].track;
    const char *name = drawing == PACKET ? event->text : slices[drawing].name;

    close_track(timeline, channel, track);
    if (drawing == SEGMENT)
        close_pusher(timeline, channel);
    if (drawing == SAVE || drawing == LOAD)
        close_work(timeline, channel);
    if (drawing == METHOD) {
        channel->method_began = timeline->now;
        timeline->runs = channel;
    }
    if (!wanted || drawing == SAVE)
        return;
    timeline_draw(timeline, "B", channel_place(timeline, channel, track), name, event);
    if (drawing == SEGMENT)
        channel->in_segment = true;
    else
        channel->open[track] = true;
}

/* What an event is about that waits, ends a wait, or releases: a syncpoint, or else an address. */
static bool waited_for(const struct pfifo_event *event, uint64_t *what) {
    bool is_syncpoint = timeline_field(event, "syncpoint", what);

    if (!is_syncpoint)
        *what = timeline_value_of(event, "address");
    return is_syncpoint;
}

static void draw_wait(struct timeline *timeline, struct channel *channel, bool wanted,
                      const struct pfifo_event *event) {
    struct place place = channel_place(timeline, channel, WAIT_TRACK);
    bool waits = event->word == PFIFO_WORD_WAITS;

    if (!waits && channel->open[WAIT_TRACK] && channel->flow)
        flow_line(timeline, "f", place, channel->flow);
    close_track(timeline, channel, WAIT_TRACK);
    channel->flow = 0;
    if (!waits || !wanted)
        return;
    channel->is_syncpoint = waited_for(event, &channel->waits_for);
    timeline_draw(timeline, "B", place, channel->is_syncpoint ? "waits for a syncpoint" : "waits for a semaphore",
                  event);
    channel->open[WAIT_TRACK] = true;
}

/* An arrow begins for each channel that waits; that of the last release before the wait ends leads there. */
static void draw_arrows(struct timeline *timeline, struct place from, const struct pfifo_event *event) {
    uint64_t what = 0;
    bool is_syncpoint = waited_for(event, &what);

    for (size_t i = 0; i < CHANNELS; i++) {
        struct channel *waiter = &timeline->channels[i];
        if (!waiter->open[WAIT_TRACK] || waiter->is_syncpoint != is_syncpoint || waiter->waits_for != what)
            continue;
        waiter->flow = ++timeline->flows;
        flow_line(timeline, "s", from, waiter->flow);
    }
}

/* It is a slice without length, as arrows begin at slices. */
static void draw_release(struct timeline *timeline, struct place place, const struct pfifo_event *event) {
    bool open = true;

    timeline_draw(timeline, "B", place, event->text && *event->text ? event->text : "release", event);
    draw_arrows(timeline, place, event);
    close_slice(timeline, place, &open);
}

/*
 * Increments of a syncpoint have no channel. One at the moment when a method is executed is that method's; the CPU
 * comes when the machine has stopped, and a method takes time.
 */
static struct channel *who_releases(const struct timeline *timeline, struct channel *channel) {
    bool runs = timeline->runs && timeline->runs->method_began == timeline->now;

    return channel || !runs ? channel : timeline->runs;
}

static const char *work_name(const struct pfifo_event *event) {
    const char *verb = strchr(pfifo_event_info(event->id)->name, '.') + 1;

    return event->launch ? "launch" : strcmp(verb, "done") == 0 && event->text ? event->text : verb;
}

/* Work began with its method, or when the work before it ended. */
static void draw_engine(struct timeline *timeline, const struct channel *channel, enum drawing drawing, bool wanted,
                        const struct pfifo_event *event) {
    struct place place;
    struct engine *engine = timeline_engine_of(timeline, event, &place);
    uint64_t begin = channel ? channel->method_began : timeline->now;
    char name[40];

    if (drawing == WORK && wanted)
        draw_ended(timeline, place, begin > engine->until ? begin : engine->until, work_name(event), event);
    if (drawing != WORK)
        close_slice(timeline, place, &engine->in_macro);
    engine->until = timeline->now;
    if (drawing != MACRO || !wanted)
        return;
    snprintf(name, sizeof name, "macro %" PRIu64, timeline_value_of(event, "number"));
    timeline_draw(timeline, "B", place, name, event);
    engine->in_macro = true;
}

static void draw_idle(struct timeline *timeline, const struct pfifo_event *event) {
    uint64_t passed = timeline_value_of(event, "passed");
    uint64_t begin = timeline->now > passed ? timeline->now - passed : 0;

    begin = begin > timeline->idle_until ? begin : timeline->idle_until;
    draw_ended(timeline, (struct place){MACHINE_PROCESS, CLOCK_TRACK}, begin, "idle", event);
    timeline->idle_until = timeline->now;
}

static void draw_instant(struct timeline *timeline, const struct channel *channel, enum drawing drawing,
                         const struct pfifo_event *event) {
    enum channel_track track = drawing == PUSHER_INSTANT   ? PUSHER_TRACK
                               : drawing == PULLER_INSTANT ? PULLER_TRACK
                                                           : CHANNEL_TRACK;
    struct place place =
        channel ? channel_place(timeline, channel, track) : (struct place){MACHINE_PROCESS, MACHINE_TRACK};

    timeline_draw(timeline, "i", place, pfifo_event_info(event->id)->name, event);
}

/* Those that end something come here whether they are wanted or not. */
static void dispatch(struct timeline *timeline, enum drawing drawing, bool wanted, const struct pfifo_event *event) {
    struct channel *channel = timeline_channel_of(timeline, event);
    struct place machine = {MACHINE_PROCESS, MACHINE_TRACK};

    switch (drawing) {
    case SEGMENT:
    case PACKET:
    case METHOD:
    case LOAD:
    case SAVE:
        if (channel)
            draw_channel(timeline, channel, drawing, wanted, event);
        break;
    case WAIT:
        if (channel)
            draw_wait(timeline, channel, wanted, event);
        break;
    case WORK:
    case MACRO:
    case MACRO_END:
        draw_engine(timeline, channel, drawing, wanted, event);
        break;
    case RELEASE:
        channel = who_releases(timeline, channel);
        if (wanted)
            draw_release(timeline, channel ? channel_place(timeline, channel, PULLER_TRACK) : machine, event);
        break;
    case IDLE:
        if (wanted)
            draw_idle(timeline, event);
        break;
    default:
        if (wanted)
            draw_instant(timeline, channel, drawing, event);
    }
}

/* A launch that is executed is drawn when it is done. */
static bool is_under_way(const struct timeline *timeline, const struct pfifo_event *event) {
    return event->id == timeline->launch && event->launch && event->launch->executed;
}

static void timeline_observe(void *opaque, const struct pfifo_event *event) {
    struct timeline *timeline = opaque;
    const struct pfifo_query_place place = {
        .host_class = timeline->host_class, .submitted = timeline->submitted, .submission = timeline->submission};
    enum drawing drawing = timeline->drawing[event->id];

    if (event->time > timeline->now)
        timeline->now = event->time;
    if (drawing == NOTHING || timeline->output->reason || is_under_way(timeline, event))
        return;
    dispatch(timeline, drawing, !timeline->query || pfifo_query_event(timeline->query, event, &place), event);
}

static const char *const clocks[] = {
    [TIMELINE_VIRTUAL] = "virtual: 16 ns for each word fetched, method executed, or step of an engine; not the time of "
                         "hardware",
    [TIMELINE_RECORDED] = "recorded: the time of the guest's session",
};

static void timeline_begin_file(struct timeline *timeline, const char *name, enum timeline_clock clock) {
    const char *chip = pfifo_chip_info(pfifo_gpu_chip(timeline->gpu)).name;
    struct json_writer *json = &timeline->json;
    struct place place = {MACHINE_PROCESS, SUBMISSION_TRACK};

    json_open(json, NULL, '{');
    json_put_text(json, "displayTimeUnit", "ns");
    json_open(json, "otherData", '{');
    json_put_text(json, "file", name);
    json_put_text(json, "chip", chip);
    json_put_text(json, "clock", clocks[clock]);
    json_close(json);
    json_open(json, "traceEvents", '[');
    name_line(timeline, "process_name", place, chip);
    for (; place.track < MACHINE_TRACKS; place.track++)
        name_line(timeline, "thread_name", place, machine_names[place.track]);
}

struct timeline *timeline_new(struct tool_output *output, const char *name, enum timeline_clock clock,
                              struct pfifo_gpu *gpu, struct pfifo_query *query, struct pfifo_error *error) {
    struct timeline *timeline = calloc(1, sizeof *timeline);
    enum drawing *drawing = calloc(pfifo_event_count(), sizeof *drawing);

    if (!timeline || !drawing) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a timeline");
        free(timeline);
        free(drawing);
        return NULL;
    }
    for (size_t i = 0; i < pfifo_event_count(); i++)
        drawing[i] = INSTANT;
    for (size_t i = 0; i < sizeof drawings / sizeof drawings[0]; i++)
        drawing[pfifo_event_find(drawings[i].event)] = drawings[i].drawing;
    timeline->output = output;
    timeline->json.file = output->file;
    timeline->gpu = gpu;
    timeline->query = query;
    timeline->drawing = drawing;
    timeline->launch = pfifo_event_find("engine.launch");
    timeline->host_class = pfifo_chip_info(pfifo_gpu_chip(gpu)).host_class;
    timeline_begin_file(timeline, name, clock);
    if (pfifo_gpu_observe(gpu, EVENTS, timeline_observe, timeline, error) == PFIFO_OK)
        return timeline;
    timeline_end(timeline);
    return NULL;
}

void timeline_submission(struct timeline *timeline, uint32_t sequence) {
    struct place place = {MACHINE_PROCESS, SUBMISSION_TRACK};
    char name[40];

    close_channels(timeline, false);
    close_slice(timeline, place, &timeline->in_submission);
    timeline->submitted = true;
    timeline->submission = sequence;
    snprintf(name, sizeof name, "submission %" PRIu32, sequence);
    line(timeline, "B", place, timeline->now);
    json_put_text(&timeline->json, "name", name);
    line_end(timeline);
    timeline->in_submission = true;
}

void timeline_end(struct timeline *timeline) {
    if (!timeline)
        return;
    pfifo_gpu_unobserve(timeline->gpu, timeline_observe, timeline);
    close_channels(timeline, true);
    for (uint32_t i = 0; i < ENGINES; i++)
        close_slice(timeline, (struct place){ENGINE_PROCESS, i + 1}, &timeline->engines[i].in_macro);
    close_slice(timeline, (struct place){MACHINE_PROCESS, SUBMISSION_TRACK}, &timeline->in_submission);
    json_new_line(&timeline->json);
    json_close(&timeline->json);
    json_close_line(&timeline->json);
    free(timeline->drawing);
    free(timeline);
}
