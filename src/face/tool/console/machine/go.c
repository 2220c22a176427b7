/* SPDX-License-Identifier: MIT */
/*
 * Going on. Where somebody wants to know, a unit at a time:
 *
 *   unit --events--> a method that a breakpoint matches?  --> the machine is brought back to before the unit
 *          `-------> registers, memory, GET of pushbuffers: have they changed?
 *
 * Which method comes next is not known here before it is executed: it may come from a pushbuffer, by PIO, from a macro.
 */
#include "face/tool/console/machine/inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PIECE (UINT64_C(1) << 20) /* units */

#define EVENTS "puller.method,engine.macro_method,pusher.jump"

/* At a run under way. */
struct shell_look {
    const struct shell_go *go;
    size_t method, sent, jump; /* numbers of events */
    uint64_t left;             /* events that are counted */
    bool first;                /* unit */
    uint64_t used;             /* by this unit */
    bool more_work;            /* behind it */
    uint64_t methods;          /* events of methods in it, `here` included */
    bool before, counted;      /* stop before this unit; because of what is counted, here or behind it */
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

uint64_t shell_units(const struct shell *shell) {
    return shell->config.budget ? shell->config.budget : SHELL_RUN;
}

/* ---- what happens ---- */

/* puller.method has the subchannel first. */
static struct pfifo_decode_event method_of(const struct shell *shell, const struct pfifo_event *event, bool sent) {
    const uint64_t *value = event->value + !sent;
    const struct pfifo_chip *chip = pfifo_gpu_chip(shell->gpu);

    return (struct pfifo_decode_event){.kind = PFIFO_DECODE_METHOD,
                                       .channel = event->channel,
                                       .data = (uint32_t)value[2],
                                       .bound_class = (uint32_t)value[0],
                                       .name_class = breaks_name_class(chip, (uint32_t)value[0], (uint32_t)value[1]),
                                       .method = (uint16_t)value[1],
                                       .subchannel = sent ? 0 : (uint8_t)event->value[0],
                                       .form = sent ? "macro" : NULL};
}

static bool same(const struct pfifo_event *a, const struct pfifo_event *b) {
    return a->id == b->id && a->channel == b->channel && memcmp(a->value, b->value, 4 * sizeof a->value[0]) == 0;
}

static void stop_before(struct shell_look *look, const struct pfifo_event *event, bool is_method) {
    look->before = true;
    look->is_method = is_method;
    look->here = *event;
    look->here.draw = NULL;
}

/*
 * The last run was stopped before this one, or before one behind it in the same unit, as a macro sends them. The unit
 * is the same again, unless somebody has changed the machine: then, at least, another method is not taken for that one.
 */
static bool passed(const struct shell *shell, const struct shell_look *look, const struct pfifo_event *event) {
    if (!look->first || !shell->before || look->methods > shell->stopped_methods)
        return false;
    return look->methods < shell->stopped_methods || same(event, &shell->stopped);
}

static void look_at_method(struct shell *shell, struct shell_look *look, const struct pfifo_event *event) {
    const struct pfifo_decode_event method = method_of(shell, event, event->id == look->sent);

    look->methods++;
    if (!passed(shell, look, event) && breaks_match(&shell->breaks, &method)) {
        breaks_take_back(&shell->breaks);
        breaks_next(&shell->breaks, &method, NULL, 0);
        stop_before(look, event, true);
        return;
    }
    look->last = *event;
    look->any = true;
}

static void count(struct shell_look *look, const struct pfifo_event *event) {
    if (!look->left || event->id != look->go->event || (look->go->before && look->first) || --look->left)
        return;
    look->counted = true;
    if (look->go->before)
        stop_before(look, event, event->id == look->method);
}

static void happened(void *opaque, const struct pfifo_event *event) {
    struct shell *shell = opaque;
    struct shell_look *look = shell->look;
    const struct pfifo_query_place place = {.host_class = pfifo_chip_info(pfifo_gpu_chip(shell->gpu)).host_class};

    if (look->before)
        return;
    if (event->id == look->jump && look->jumps < PFIFO_PUSH_LOADED)
        look->jumped[look->jumps++] = event->channel;
    if (event->id == look->method || event->id == look->sent)
        look_at_method(shell, look, event);
    if (!look->before)
        count(look, event);
    if (!look->before)
        breaks_event(&shell->breaks, event, &place, NULL);
}

static bool observe(struct shell *shell, const struct shell_go *go, struct pfifo_error *error) {
    char globs[sizeof EVENTS + BREAKS_GLOBS_BYTES + 64] = EVENTS;

    breaks_globs(&shell->breaks, globs, sizeof globs - 64);
    if (go->count) {
        size_t used = strlen(globs);
        snprintf(globs + used, sizeof globs - used, ",%s", pfifo_event_info(go->event)->name);
    }
    return pfifo_gpu_observe(shell->gpu, globs, happened, shell, error) == PFIFO_OK;
}

/* ---- what is held back ---- */

static void hold(struct shell *shell, bool on) {
    if (shell->trace)
        pfifo_trace_flush(shell->trace);
    shell->holds = on;
}

/* The events of the unit have happened, or they have not. */
static void settle(struct shell *shell, bool happened_so) {
    hold(shell, false);
    if (happened_so)
        shell_put_events(shell, (const char *)shell->held.data, shell->held.used);
    shell->held.used = 0;
}

/* ---- pushbuffers ---- */

/* GET of the channel may be where it was, and yet the word there comes next anew. */
static bool has_jumped(const struct shell_look *look, uint32_t channel) {
    for (size_t i = 0; i < look->jumps; i++)
        if (look->jumped[i] == channel)
            return true;
    return false;
}

/* A word comes next that did not before. */
static void check_addresses(struct shell *shell, struct shell_look *look) {
    struct pfifo_push push[PFIFO_PUSH_LOADED];
    size_t pushes = pfifo_gpu_pushes(shell->gpu, push, PFIFO_PUSH_LOADED), count = 0;
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
        unsigned hits = shell->breaks.hits;
        breaks_next(&shell->breaks, NULL, &address[i], 1);
        if (shell->breaks.hits == hits || look->at_word)
            continue;
        look->at_word = true;
        look->word = push[at[i]];
    }
}

/* ---- a run ---- */

static bool has_any(const struct shell *shell) {
    for (unsigned kind = BREAK_METHOD; kind <= BREAK_MEMORY; kind++)
        if (breaks_any(&shell->breaks, (enum break_kind)kind))
            return true;
    return false;
}

/* A unit; false: nothing is left to do, not even to let time pass up to an alarm, which only a run with a unit left
 * does. */
static bool unit(struct shell *shell, struct shell_look *look, bool addresses, uint64_t *used) {
    look->more_work = pfifo_gpu_run(shell->gpu, 1) == PFIFO_STOP_BUDGET;
    look->used = pfifo_gpu_stop_info(shell->gpu)->used;
    shell->ran = true;
    shell_back_ran(shell, 1, look->used);
    *used += look->used;
    if (!look->used) /* it cannot be found again */
        look->before = false;
    if (!look->before) {
        breaks_watch_check(&shell->breaks);
        if (addresses)
            check_addresses(shell, look);
    }
    return look->used;
}

static bool go_back_one(struct shell *shell, struct shell_look *look, uint64_t *used, struct pfifo_error *error) {
    pfifo_gpu_unobserve(shell->gpu, happened, shell);
    *used -= look->used;
    shell->stopped = look->here;
    shell->stopped_methods = look->methods;
    if (!shell_back_units(shell, look->used, error))
        return false;
    shell->before = look->is_method;
    return true;
}

static void print_word(struct shell *shell, const struct pfifo_push *push) {
    uint8_t data[4];

    if (pfifo_gpu_push_read(shell->gpu, push->channel, push->get, data, 1))
        shell_print(shell, "=> channel %" PRIu32 ", %s 0x%08" PRIx32 " at 0x%" PRIx64 "\n", push->channel,
                    push->packet.count || push->packet.long_count ? "word" : "packet",
                    data[0] | data[1] << 8 | data[2] << 16 | (uint32_t)data[3] << 24, push->get);
}

static void print_here(struct shell *shell, const struct shell_look *look) {
    const struct pfifo_event *here = &look->here;
    const struct pfifo_decode_event method = method_of(shell, here, here->id == look->sent);
    char text[256];

    if (!look->before && look->at_word)
        print_word(shell, &look->word);
    if (!look->before)
        return;
    if (!look->is_method) {
        shell_print(shell, "=> channel %" PRIu32 ", packet 0x%08" PRIx32 " at 0x%" PRIx64 "\n", here->channel,
                    (uint32_t)here->value[1], here->value[0]);
        return;
    }
    breaks_format_method(pfifo_gpu_chip(shell->gpu), method.subchannel, method.bound_class, method.method, method.data,
                         text, sizeof text);
    shell_print(shell, "=> channel %" PRIu32 ", %s%s\n", here->channel, text,
                here->id == look->sent ? ", from a macro" : "");
}

static bool enough(const struct shell *shell) {
    return shell->config.enough && shell->config.enough(shell->config.opaque);
}

static bool one_by_one(struct shell *shell, struct shell_look *look, enum shell_end *end, uint64_t *used,
                       struct pfifo_error *error) {
    const struct shell_go *go = look->go;
    bool held = breaks_any(&shell->breaks, BREAK_METHOD) || go->before,
         addresses = breaks_any(&shell->breaks, BREAK_ADDRESS), more = true;

    if (addresses)
        look->pushes = pfifo_gpu_pushes(shell->gpu, look->push, PFIFO_PUSH_LOADED);
    breaks_watch_begin(&shell->breaks);
    *end = go->reached && go->reached(shell, go->goal) ? SHELL_END_REACHED : SHELL_END_RUN;
    for (uint64_t units = 0; more && *end == SHELL_END_RUN && units < go->most; units++) {
        hold(shell, held);
        look->first = units == 0;
        look->methods = look->jumps = 0;
        more = unit(shell, look, addresses, used);
        settle(shell, !look->before);
        if (look->first && !look->before)
            shell->before = false;
        if (look->before && !go_back_one(shell, look, used, error))
            return false;
        *end = shell->breaks.stop                            ? SHELL_END_BREAK
               : look->counted                               ? SHELL_END_REACHED
               : go->reached && go->reached(shell, go->goal) ? SHELL_END_REACHED
               : enough(shell)                               ? SHELL_END_ENOUGH
                                                             : SHELL_END_RUN;
        if (go->told && look->more_work && *end == SHELL_END_RUN)
            shell_print(shell, "-- step %" PRIu64 "\n", *used);
    }
    return true;
}

/* In pieces where somebody may want it to stop. */
static bool all_at_once(struct shell *shell, const struct shell_go *go, enum shell_end *end, uint64_t *used) {
    uint64_t most = shell->config.enough && go->most > PIECE ? PIECE : go->most;
    enum pfifo_stop stop;

    shell->before = false;
    do {
        uint64_t units = go->most - *used < most ? go->most - *used : most;
        stop = pfifo_gpu_run(shell->gpu, units);
        shell->ran = true;
        *used += pfifo_gpu_stop_info(shell->gpu)->used;
        shell_back_ran(shell, units, pfifo_gpu_stop_info(shell->gpu)->used);
        *end = stop == PFIFO_STOP_BUDGET && enough(shell) ? SHELL_END_ENOUGH : SHELL_END_RUN;
    } while (*end == SHELL_END_RUN && stop == PFIFO_STOP_BUDGET && *used < go->most);
    return true;
}

bool shell_go(struct shell *shell, const struct shell_go *go, enum shell_end *end, uint64_t *used,
              struct pfifo_error *error) {
    struct shell_look look = {.go = go,
                              .left = go->count,
                              .method = pfifo_event_find("puller.method"),
                              .sent = pfifo_event_find("engine.macro_method"),
                              .jump = pfifo_event_find("pusher.jump")};
    bool needed = breaks_any(&shell->breaks, BREAK_METHOD) || go->before, done;

    *end = SHELL_END_RUN;
    *used = 0;
    if (!shell_back_begin(shell, needed, error))
        return false;
    if (!go->single && !go->reached && !go->count && !has_any(shell)) {
        done = all_at_once(shell, go, end, used);
    } else {
        breaks_begin(&shell->breaks);
        if (!observe(shell, go, error))
            return false;
        shell->look = &look;
        done = one_by_one(shell, &look, end, used, error);
        pfifo_gpu_unobserve(shell->gpu, happened, shell);
        shell->look = NULL;
        breaks_end(&shell->breaks);
        if (done && shell->breaks.reason[0])
            shell_print(shell, "%s", shell->breaks.reason);
        if (done)
            print_here(shell, &look);
    }
    shell->used = *used;
    shell->stop = *end == SHELL_END_BREAK     ? RUN_STOP_BREAKPOINT
                  : *end == SHELL_END_REACHED ? RUN_STOP_GOAL
                  : *end == SHELL_END_ENOUGH  ? RUN_STOP_INTERRUPTED
                                              : (unsigned)pfifo_gpu_stop_info(shell->gpu)->reason;
    return done;
}

void shell_blame(struct shell *shell, bool memory) {
    const struct shell_look *look = shell->look;
    char text[256];

    if (!look || !look->any)
        return;
    const struct pfifo_decode_event method = method_of(shell, &look->last, look->last.id == look->sent);
    breaks_format_method(pfifo_gpu_chip(shell->gpu), method.subchannel, method.bound_class, method.method, method.data,
                         text, sizeof text);
    breaks_because(&shell->breaks, "  %s channel %" PRIu32 ", %s\n", memory ? "by" : "after", look->last.channel, text);
}
