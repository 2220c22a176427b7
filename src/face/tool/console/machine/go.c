/* SPDX-License-Identifier: MIT */
/*
 * Going on. If breakpoints or a goal need it, a unit at a time:
 *
 *   unit --events--> a method that a breakpoint matches?  --> the machine is brought back to before the unit
 *          `-------> registers, memory, GET of pushbuffers: have they changed?
 *
 * Which method comes next is not known here before it is executed: it may come from a pushbuffer, by PIO, from a macro.
 */
#include "face/tool/console/machine/go.h"
#include "face/tool/console/machine/back.h"
#include "face/tool/console/shader/shader.h"

#include <pfifo/push.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PIECE (UINT64_C(1) << 20) /* units */

#define EVENTS "puller.method,engine.macro_method,pusher.jump"

/* At a run under way. */
struct console_look {
    const struct console_go *go;
    size_t method, sent, jump; /* numbers of events */
    uint64_t left;             /* events that are counted */
    bool first;                /* unit */
    uint64_t used;             /* by this unit */
    bool more_work;            /* after it */
    uint64_t methods;          /* events of methods in it, `here` included */
    bool inside;               /* a breakpoint stops in a shader program of this unit */
    bool before, counted;      /* stop before this unit; because of what is counted, here or after it */
    bool is_method;            /* `here` is one */
    struct pfifo_event here;   /* what it stops before */
    struct pfifo_event last;   /* method */
    bool any;                  /* there is a last one */
    struct pfifo_push push[PFIFO_PUSH_LOADED];
    size_t pushes;
    bool at_word;                       /* a breakpoint is at the word that comes next, which is the first of */
    struct pfifo_push word;             /* ... this */
    uint32_t jumped[PFIFO_PUSH_LOADED]; /* channels, in this unit */
    size_t jumps;
};

uint64_t console_units(const struct console *console) {
    return console->config.budget ? console->config.budget : CONSOLE_RUN;
}

/* ---- what happens ---- */

/* puller.method has the subchannel first. */
static struct pfifo_decode_event model_go_method_of(const struct console *console, const struct pfifo_event *event,
                                                    bool sent) {
    const uint64_t *value = event->value + !sent;
    const struct pfifo_chip *chip = pfifo_gpu_chip(console->gpu);

    return (struct pfifo_decode_event){.kind = PFIFO_DECODE_METHOD,
                                       .channel = event->channel,
                                       .data = (uint32_t)value[2],
                                       .bound_class = (uint32_t)value[0],
                                       .name_class = breaks_name_class(chip, (uint32_t)value[0], (uint32_t)value[1]),
                                       .method = (uint16_t)value[1],
                                       .subchannel = sent ? 0 : (uint8_t)event->value[0],
                                       .form = sent ? "macro" : NULL};
}

static bool go_same(const struct pfifo_event *a, const struct pfifo_event *b) {
    return a->id == b->id && a->channel == b->channel && memcmp(a->value, b->value, 4 * sizeof a->value[0]) == 0;
}

static void stop_before(struct console_look *look, const struct pfifo_event *event, bool is_method) {
    look->before = true;
    look->is_method = is_method;
    look->here = *event;
    look->here.draw = NULL;
}

/*
 * The last run was stopped before this one, or before a later one in the same unit, as a macro sends them. The unit
 * is the same again, unless the machine was changed: then, at least, another method is not taken for that one.
 */
static bool passed(const struct console *console, const struct console_look *look, const struct pfifo_event *event) {
    if (!look->first || !console->before || look->methods > console->stopped_methods)
        return false;
    return look->methods < console->stopped_methods || go_same(event, &console->stopped);
}

static void look_at_method(struct console *console, struct console_look *look, const struct pfifo_event *event) {
    const struct pfifo_decode_event method = model_go_method_of(console, event, event->id == look->sent);

    look->methods++;
    if (!passed(console, look, event) && breaks_match(&console->breaks, &method)) {
        breaks_take_back(&console->breaks);
        breaks_next(&console->breaks, &method, NULL, 0);
        stop_before(look, event, true);
        return;
    }
    look->last = *event;
    look->any = true;
}

static void count(struct console_look *look, const struct pfifo_event *event) {
    if (!look->left || event->id != look->go->event || (look->go->before && look->first) || --look->left)
        return;
    look->counted = true;
    if (look->go->before)
        stop_before(look, event, event->id == look->method);
}

static void model_go_happened(void *opaque, const struct pfifo_event *event) {
    struct console *console = opaque;
    struct console_look *look = console->look;
    const struct pfifo_query_place place = {.host_class = pfifo_chip_info(pfifo_gpu_chip(console->gpu)).host_class};

    if (look->before)
        return;
    if (event->id == look->jump && look->jumps < PFIFO_PUSH_LOADED)
        look->jumped[look->jumps++] = event->channel;
    if (event->id == look->method || event->id == look->sent)
        look_at_method(console, look, event);
    if (!look->before)
        count(look, event);
    if (!look->before)
        breaks_event(&console->breaks, event, &place, NULL);
}

static bool model_go_observe(struct console *console, const struct console_go *go, struct pfifo_error *error) {
    char globs[sizeof EVENTS + BREAKS_GLOBS_BYTES + 64] = EVENTS;

    breaks_globs(&console->breaks, globs, sizeof globs - 64);
    if (go->count) {
        size_t used = strlen(globs);
        snprintf(globs + used, sizeof globs - used, ",%s", pfifo_event_info(go->event)->name);
    }
    return pfifo_gpu_observe(console->gpu, globs, model_go_happened, console, error) == PFIFO_OK;
}

/* ---- what is held back ---- */

static void go_hold(struct console *console, bool on) {
    if (console->trace)
        pfifo_trace_flush(console->trace);
    console->holds = on;
}

/* The events of the unit have happened, or they have not. */
static void settle(struct console *console, bool happened_so) {
    go_hold(console, false);
    if (happened_so)
        console_put_events(console, (const char *)console->held.data, console->held.used);
    console->held.used = 0;
}

/* ---- pushbuffers ---- */

/* GET of the channel may be where it was, and yet the word there comes next anew. */
static bool has_jumped(const struct console_look *look, uint32_t channel) {
    for (size_t i = 0; i < look->jumps; i++)
        if (look->jumped[i] == channel)
            return true;
    return false;
}

/* A word comes next that did not before. */
static void check_addresses(struct console *console, struct console_look *look) {
    struct pfifo_push push[PFIFO_PUSH_LOADED];
    size_t pushes = pfifo_gpu_pushes(console->gpu, push, PFIFO_PUSH_LOADED), count = 0;
    uint64_t address[PFIFO_PUSH_LOADED];
    size_t at[PFIFO_PUSH_LOADED];

    for (size_t i = 0; i < pushes; i++) {
        bool stood = false;
        for (size_t j = 0; j < look->pushes; j++)
            stood = stood || (look->push[j].channel == push[i].channel && look->push[j].get == push[i].get);
        if (!stood || has_jumped(look, push[i].channel))
            at[count] = i, address[count++] = push[i].get;
    }
    memcpy(look->push, push, sizeof push);
    look->pushes = pushes;
    for (size_t i = 0; i < count; i++) {
        unsigned hits = console->breaks.hits;
        breaks_next(&console->breaks, NULL, &address[i], 1);
        if (console->breaks.hits == hits || look->at_word)
            continue;
        look->at_word = true;
        look->word = push[at[i]];
    }
}

/* ---- a run ---- */

static bool has_any(const struct console *console) {
    for (unsigned kind = BREAK_METHOD; kind <= BREAK_PROGRAM; kind++)
        if (breaks_any(&console->breaks, (enum break_kind)kind))
            return true;
    return false;
}

/* A unit; false: nothing is left to do, not even to let time pass up to an alarm, which only a run with a unit left
 * does. */
static bool unit(struct console *console, struct console_look *look, bool addresses, uint64_t *used) {
    look->more_work = pfifo_gpu_run(console->gpu, 1) == PFIFO_STOP_BUDGET;
    look->used = pfifo_gpu_stop_info(console->gpu)->used;
    console->ran = true;
    console_back_ran(console, 1, look->used);
    *used += look->used;
    look->inside = shader_found(console) && !look->before;
    look->before |= look->inside;
    if (!look->used) /* it cannot be found again */
        look->before = look->inside = false;
    if (!look->before) {
        breaks_watch_check(&console->breaks);
        if (addresses)
            check_addresses(console, look);
    }
    return look->used;
}

static bool go_back_one(struct console *console, struct console_look *look, uint64_t *used, struct pfifo_error *error) {
    pfifo_gpu_unobserve(console->gpu, model_go_happened, console);
    shader_watch_end(console);
    *used -= look->used;
    console->stopped = look->here;
    console->stopped_methods = look->methods;
    if (!console_back_units(console, look->used, error))
        return false;
    console->before = look->is_method && !look->inside;
    return !look->inside || shader_enter(console, error);
}

static void go_print_word(struct console *console, const struct pfifo_push *push) {
    uint8_t data[4];

    if (pfifo_gpu_push_read(console->gpu, push->channel, push->get, data, 1))
        console_print(console, "=> channel %" PRIu32 ", %s 0x%08" PRIx32 " at 0x%" PRIx64 "\n", push->channel,
                      push->packet.count || push->packet.long_count ? "word" : "packet",
                      data[0] | data[1] << 8 | data[2] << 16 | (uint32_t)data[3] << 24, push->get);
}

static void print_here(struct console *console, const struct console_look *look) {
    const struct pfifo_event *here = &look->here;
    const struct pfifo_decode_event method = model_go_method_of(console, here, here->id == look->sent);
    char text[256];

    if (!look->before && look->at_word)
        go_print_word(console, &look->word);
    if (look->inside)
        shader_print_place(console);
    if (!look->before || look->inside)
        return;
    if (!look->is_method) {
        console_print(console, "=> channel %" PRIu32 ", packet 0x%08" PRIx32 " at 0x%" PRIx64 "\n", here->channel,
                      (uint32_t)here->value[1], here->value[0]);
        return;
    }
    breaks_format_method(pfifo_gpu_chip(console->gpu), method.subchannel, method.bound_class, method.method,
                         method.data, text, sizeof text);
    console_print(console, "=> channel %" PRIu32 ", %s%s\n", here->channel, text,
                  here->id == look->sent ? ", from a macro" : "");
}

/* A stop may be before a unit that was done. */
static bool may_go_back(const struct console *console, const struct console_go *go) {
    return go->before || breaks_any(&console->breaks, BREAK_METHOD) || breaks_any(&console->breaks, BREAK_PROGRAM);
}

static bool one_by_one(struct console *console, struct console_look *look, enum console_end *end, uint64_t *used,
                       struct pfifo_error *error) {
    const struct console_go *go = look->go;
    bool held = may_go_back(console, go), addresses = breaks_any(&console->breaks, BREAK_ADDRESS), more = true;

    if (addresses)
        look->pushes = pfifo_gpu_pushes(console->gpu, look->push, PFIFO_PUSH_LOADED);
    breaks_watch_begin(&console->breaks);
    *end = go->reached && go->reached(console, go->goal) ? CONSOLE_END_REACHED : CONSOLE_END_RUN;
    for (uint64_t units = 0; more && *end == CONSOLE_END_RUN && units < go->most; units++) {
        go_hold(console, held);
        look->first = units == 0;
        look->methods = look->jumps = 0;
        more = unit(console, look, addresses, used);
        settle(console, !look->before);
        if (look->first && !look->before)
            console->before = false;
        if (look->before && !go_back_one(console, look, used, error))
            return false;
        *end = console->breaks.stop                            ? CONSOLE_END_BREAK
               : look->counted                                 ? CONSOLE_END_REACHED
               : go->reached && go->reached(console, go->goal) ? CONSOLE_END_REACHED
               : console_has_enough(console)                   ? CONSOLE_END_ENOUGH
                                                               : CONSOLE_END_RUN;
        if (go->told && look->more_work && *end == CONSOLE_END_RUN)
            console_print(console, "-- step %" PRIu64 "\n", *used);
    }
    return true;
}

/* In pieces if Ctrl-C may stop it. */
static bool all_at_once(struct console *console, const struct console_go *go, enum console_end *end, uint64_t *used) {
    uint64_t most = console->config.enough && go->most > PIECE ? PIECE : go->most;
    enum pfifo_stop stop;

    console->before = false;
    do {
        uint64_t units = go->most - *used < most ? go->most - *used : most;
        stop = pfifo_gpu_run(console->gpu, units);
        console->ran = true;
        *used += pfifo_gpu_stop_info(console->gpu)->used;
        console_back_ran(console, units, pfifo_gpu_stop_info(console->gpu)->used);
        *end = stop == PFIFO_STOP_BUDGET && console_has_enough(console) ? CONSOLE_END_ENOUGH : CONSOLE_END_RUN;
    } while (*end == CONSOLE_END_RUN && stop == PFIFO_STOP_BUDGET && *used < go->most);
    return true;
}

/* To the next breakpoint in the unit whose program it is in. False: it cannot be looked for. */
static bool go_on_inside(struct console *console, struct console_look *look, enum console_end *end,
                         struct pfifo_error *error) {
    breaks_begin(&console->breaks);
    if (!shader_next(console, &look->inside, error))
        return false;
    breaks_end(&console->breaks);
    if (!look->inside)
        return true;
    *end = CONSOLE_END_BREAK;
    console->used = 0;
    console->stop = RUN_STOP_BREAKPOINT;
    console_print(console, "%s", console->breaks.reason);
    shader_print_place(console);
    return true;
}

bool console_go(struct console *console, const struct console_go *go, enum console_end *end, uint64_t *used,
                struct pfifo_error *error) {
    struct console_look look = {.go = go,
                                .left = go->count,
                                .method = pfifo_event_find("puller.method"),
                                .sent = pfifo_event_find("engine.macro_method"),
                                .jump = pfifo_event_find("pusher.jump")};
    bool needed = may_go_back(console, go), inside = shader_inside(console), done;

    *end = CONSOLE_END_RUN;
    *used = 0;
    if (inside && !go_on_inside(console, &look, end, error))
        return false;
    if (look.inside)
        return true;
    shader_leave(console);
    if (!console_back_begin(console, needed, error))
        return false;
    if (!go->single && !go->reached && !go->count && !has_any(console)) {
        done = all_at_once(console, go, end, used);
    } else {
        breaks_begin(&console->breaks);
        if (!model_go_observe(console, go, error))
            return false;
        console->look = &look;
        shader_watch_begin(console, inside);
        done = one_by_one(console, &look, end, used, error);
        pfifo_gpu_unobserve(console->gpu, model_go_happened, console);
        shader_watch_end(console);
        console->look = NULL;
        breaks_end(&console->breaks);
        if (done && console->breaks.reason[0])
            console_print(console, "%s", console->breaks.reason);
        if (done)
            print_here(console, &look);
    }
    console->used = *used;
    console->stop = *end == CONSOLE_END_BREAK     ? RUN_STOP_BREAKPOINT
                    : *end == CONSOLE_END_REACHED ? RUN_STOP_GOAL
                    : *end == CONSOLE_END_ENOUGH  ? RUN_STOP_INTERRUPTED
                                                  : (unsigned)pfifo_gpu_stop_info(console->gpu)->reason;
    return done;
}

/* What is done again has been shown already. */
bool console_units_on(struct console *console, uint64_t units, bool again, struct pfifo_error *error) {
    (void)error;
    shader_leave(console);
    console->before = false;
    go_hold(console, again);
    for (uint64_t i = 0; i < units; i++) {
        pfifo_gpu_run(console->gpu, 1);
        console_back_ran(console, 1, pfifo_gpu_stop_info(console->gpu)->used);
    }
    settle(console, !again);
    return true;
}

void console_blame(struct console *console, bool memory) {
    const struct console_look *look = console->look;
    char text[256];

    if (!look || !look->any)
        return;
    const struct pfifo_decode_event method = model_go_method_of(console, &look->last, look->last.id == look->sent);
    breaks_format_method(pfifo_gpu_chip(console->gpu), method.subchannel, method.bound_class, method.method,
                         method.data, text, sizeof text);
    breaks_because(&console->breaks, "  %s channel %" PRIu32 ", %s\n", memory ? "by" : "after", look->last.channel,
                   text);
}
