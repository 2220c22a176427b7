/* SPDX-License-Identifier: MIT */
#include "replay/locate.h"

#include "chip/chip.h"
#include "chip/family.h"
#include "grammar/grammar.h"
#include "replay/locate_channel.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS                                                                                                         \
    "pusher.segment,pusher.jump,pusher.packet,pusher.error,puller.bind,puller.method,puller.error,puller.software,"    \
    "engine.error,engine.fault,engine.missing,fifo.fault"

enum event {
    PUSHER_SEGMENT,
    PUSHER_JUMP,
    PUSHER_PACKET,
    PUSHER_ERROR,
    PULLER_BIND,
    PULLER_METHOD,
    PULLER_ERROR,
    PULLER_SOFTWARE,
    ENGINE_ERROR,
    ENGINE_FAULT,
    ENGINE_MISSING,
    FIFO_FAULT,
    EVENT_KINDS
};

static const char *const event_names[EVENT_KINDS] = {
    "pusher.segment", "pusher.jump",     "pusher.packet", "pusher.error", "puller.bind",    "puller.method",
    "puller.error",   "puller.software", "engine.error",  "engine.fault", "engine.missing", "fifo.fault",
};

struct locator {
    struct pfifo_gpu *gpu;
    uint8_t *kind_of; /* by number of event */
    struct locate_channel **channels;
    size_t count;
    struct locate_channel *last;
};

static struct locate_channel *locate_find_channel(struct locator *locator, uint32_t number) {
    if (locator->last && locator->last->number == number)
        return locator->last;
    for (size_t i = 0; i < locator->count; i++)
        if (locator->channels[i]->number == number)
            return locator->last = locator->channels[i];
    return NULL;
}

static struct locate_channel *locate_make_channel(struct locator *locator, uint32_t number) {
    struct locate_channel *channel = locate_find_channel(locator, number), **grown;

    if (channel)
        return channel;
    grown = realloc(locator->channels, (locator->count + 1) * sizeof(struct locate_channel *));
    if (!grown)
        return NULL;
    locator->channels = grown;
    channel = calloc(1, sizeof *channel);
    if (!channel)
        return NULL;
    channel->number = number;
    channel->chip = pfifo_gpu_chip(locator->gpu);
    channel->grammar = channel->chip->family->grammar;
    return locator->last = locator->channels[locator->count++] = channel;
}

/* ---- what events say ---- */

static void puller_error(struct locate_channel *channel, const uint64_t *value) {
    const struct pfifo_replay_word method = {
        .has_method = true, .subchannel = (uint32_t)value[0], .method = (uint32_t)value[1], .data = (uint32_t)value[2]};

    locate_note(channel, LOCATE_PULLER, &method, 0);
}

/* Engines report class and method; a macro may have sent the method. */
static void engine_error(struct locate_channel *channel, const struct pfifo_event *event, bool fault) {
    const struct pfifo_replay_word method = {.has_method = true,
                                             .subchannel = channel->now.subchannel,
                                             .oclass = (uint32_t)event->value[0],
                                             .method = (uint32_t)event->value[1],
                                             .data = (uint32_t)event->value[2],
                                             .missing_count = channel->missing.missing_count,
                                             .missing_method = channel->missing.missing_method,
                                             .missing_why = channel->missing.missing_why};

    channel->missing = (struct pfifo_replay_word){0};
    locate_note(channel, LOCATE_ENGINE, &method, 0);
    if (fault)
        locate_note(channel, LOCATE_MEMORY, &method, event->value[3]);
}

/* Comes before engine.error. */
static void engine_missing(struct locate_channel *channel, const struct pfifo_event *event) {
    if (channel->missing.missing_count++)
        return;
    channel->missing.missing_method = (uint32_t)event->value[3];
    channel->missing.missing_why = event->text;
}

/* Comes with engine.fault, which has more details, or alone if the pusher or a semaphore faulted. */
static void fifo_fault(struct locate_channel *channel, uint64_t address) {
    struct pfifo_replay_word fetched = {.has_address = true, .address = address};

    if (locate_has(channel, LOCATE_MEMORY, address))
        return;
    if (locate_will_fetch(channel, address)) {
        locate_in_push(channel, &fetched);
        locate_note(channel, LOCATE_MEMORY, &fetched, address);
    } else {
        locate_note(channel, LOCATE_MEMORY, &channel->now, address);
    }
}

static void locate_observe(void *opaque, const struct pfifo_event *event) {
    struct locator *locator = opaque;
    struct locate_channel *channel = locate_find_channel(locator, event->channel);
    const uint64_t *value = event->value;

    if (!channel)
        return;
    switch ((enum event)locator->kind_of[event->id]) {
    case PUSHER_SEGMENT:
        locate_segment(channel, value[0], value[1]);
        break;
    case PUSHER_JUMP:
        locate_jump(channel, value[2], strcmp(event->text, "return") == 0);
        break;
    case PUSHER_PACKET:
        locate_packet(channel, value[0], (uint32_t)value[1], (uint32_t)value[2], (uint32_t)value[3], (uint32_t)value[4],
                      event->text);
        break;
    case PUSHER_ERROR:
        locate_bad_word(channel, value[0], (uint32_t)value[1], strcmp(event->text, "MEM_FAULT") != 0);
        break;
    case PULLER_BIND:
        locate_bind(channel, (uint32_t)value[0], (uint32_t)value[2]);
        break;
    case PULLER_METHOD:
        locate_method(channel, (uint32_t)value[0], (uint32_t)value[1], (uint32_t)value[2], (uint32_t)value[3]);
        break;
    case PULLER_ERROR:
    case PULLER_SOFTWARE:
        puller_error(channel, value);
        break;
    case ENGINE_ERROR:
    case ENGINE_FAULT:
        engine_error(channel, event, locator->kind_of[event->id] == ENGINE_FAULT);
        break;
    case ENGINE_MISSING:
        engine_missing(channel, event);
        break;
    case FIFO_FAULT:
        fifo_fault(channel, value[1]); /* after the reason */
        break;
    case EVENT_KINDS:
        break;
    }
}

/* ---- what the driver reports ---- */

/* What a unit's faults refer to: the first of these that is known. */
struct unit_kinds {
    const char *unit;
    enum locate_kind kinds[2];
    bool now; /* otherwise the method that is executed, if the unit shows the same one */
};

static const struct unit_kinds unit_kinds[] = {
    {"DMA_PUSHER", {LOCATE_PUSHER, LOCATE_PUSHER}, false}, {"CACHE_ERROR", {LOCATE_PULLER, LOCATE_PULLER}, true},
    {"SEMAPHORE", {LOCATE_PULLER, LOCATE_PULLER}, true},   {"MMU", {LOCATE_MEMORY, LOCATE_MEMORY}, false},
    {"PFIFO", {LOCATE_KINDS, LOCATE_KINDS}, false},        {"PMC", {LOCATE_KINDS, LOCATE_KINDS}, false},
    {"PIO", {LOCATE_KINDS, LOCATE_KINDS}, false},          {"RUNOUT", {LOCATE_KINDS, LOCATE_KINDS}, false},
};

static const struct unit_kinds kinds_of_pbdma = {"PBDMA", {LOCATE_PULLER, LOCATE_ENGINE}, true};
static const struct unit_kinds kinds_of_pb_entries = {"PBDMA", {LOCATE_PUSHER, LOCATE_PUSHER}, false};
static const struct unit_kinds kinds_of_engines = {"", {LOCATE_ENGINE, LOCATE_MEMORY}, true};

static const struct unit_kinds *find_kinds(const struct pfifo_device_fault *fault) {
    static const char *const entries[] = {"PBENTRY", "PBPTR", "PBSEG", "PBCRC", "GPENTRY", "GPPTR", "GPFIFO", "GPCRC"};

    for (size_t i = 0; i < sizeof unit_kinds / sizeof unit_kinds[0]; i++)
        if (strcmp(fault->unit, unit_kinds[i].unit) == 0)
            return &unit_kinds[i];
    if (strcmp(fault->unit, "PBDMA") != 0)
        return &kinds_of_engines;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if (strcmp(fault->error, entries[i]) == 0)
            return &kinds_of_pb_entries;
    return &kinds_of_pbdma;
}

static bool locate_find_in(struct locate_channel *channel, const struct unit_kinds *kinds,
                           const struct pfifo_device_fault *fault, struct pfifo_replay_word *found) {
    for (size_t i = 0; i < 2; i++)
        if (kinds->kinds[i] != LOCATE_KINDS && locate_take(channel, kinds->kinds[i], fault, found))
            return true;
    if (!kinds->now ||
        (fault->has_method && (channel->now.method != fault->method || channel->now.subchannel != fault->subchannel)))
        return false;
    *found = channel->now;
    return true;
}

struct pfifo_replay_word locator_find(struct locator *locator, const struct pfifo_device_fault *fault) {
    const struct unit_kinds *kinds = find_kinds(fault);
    struct locate_channel *channel = locate_find_channel(locator, fault->channel);
    struct pfifo_replay_word found = {0};
    bool known = channel && locate_find_in(channel, kinds, fault, &found);

    /* For units that do not show their channel: find the channel of the method. */
    for (size_t i = 0; fault->channel == UINT32_MAX && i < locator->count && !known; i++)
        known = locate_find_in(locator->channels[i], kinds, fault, &found);
    if (!known && fault->has_method)
        found = (struct pfifo_replay_word){
            .has_method = true, .subchannel = fault->subchannel, .method = fault->method, .data = fault->data};
    return found;
}

struct pfifo_replay_word locator_now(struct locator *locator, uint32_t channel) {
    const struct locate_channel *found = locate_find_channel(locator, channel);

    return found ? found->now : (struct pfifo_replay_word){0};
}

/* ---- the locator ---- */

struct locator *locator_new(struct pfifo_gpu *gpu, struct pfifo_error *error) {
    struct locator *locator = calloc(1, sizeof *locator);

    if (locator)
        locator->kind_of = malloc(pfifo_event_count());
    if (!locator || !locator->kind_of) {
        free(locator);
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to find words");
        return NULL;
    }
    memset(locator->kind_of, EVENT_KINDS, pfifo_event_count());
    for (size_t i = 0; i < EVENT_KINDS; i++)
        locator->kind_of[pfifo_event_find(event_names[i])] = (uint8_t)i;
    locator->gpu = gpu;
    if (pfifo_gpu_observe(gpu, EVENTS, locate_observe, locator, error) == PFIFO_OK)
        return locator;
    locator_free(locator);
    return NULL;
}

void locator_free(struct locator *locator) {
    if (!locator)
        return;
    pfifo_gpu_unobserve(locator->gpu, locate_observe, locator);
    for (size_t i = 0; i < locator->count; i++)
        locate_channel_free(locator->channels[i]);
    free(locator->channels);
    free(locator->kind_of);
    free(locator);
}

bool locator_push(struct locator *locator, uint32_t channel, uint32_t submission,
                  const struct pfifo_stream_push *push) {
    struct locate_channel *found = locate_make_channel(locator, channel);

    return found && locate_push(found, submission, push);
}

bool locator_progress(struct locator *locator, uint32_t channel, locate_read read, void *opaque,
                      struct pfifo_replay_progress *progress) {
    struct locate_channel *found = locate_find_channel(locator, channel);

    if (found)
        locate_progress(found, read, opaque, progress);
    return found;
}

bool locator_rest(struct locator *locator, uint32_t channel, locate_read read, void *opaque,
                  struct pfifo_push_packet *rest) {
    struct locate_channel *found = locate_find_channel(locator, channel);

    return found && locate_rest(found, read, opaque, rest);
}

struct locate_mark *locator_mark(const struct locator *locator) {
    return locate_mark_new(locator->channels, locator->count, false);
}

void locator_return(struct locator *locator, const struct locate_mark *mark) {
    locate_mark_return(mark, locator->channels, locator->count);
}

struct locate_mark *locator_mark_whole(const struct locator *locator) {
    return locate_mark_new(locator->channels, locator->count, true);
}

bool locator_return_whole(struct locator *locator, const struct locate_mark *mark) {
    size_t count = locate_mark_channels(mark);
    struct locate_channel **grown = realloc(locator->channels, (count + locator->count + 1) * sizeof *grown);

    locator->last = NULL;
    if (grown)
        locator->channels = grown;
    while (locator->count)
        locate_channel_free(locator->channels[--locator->count]);
    while (grown && locator->count < count) {
        grown[locator->count] = locate_mark_channel(mark, locator->count);
        if (!grown[locator->count])
            return false;
        locator->count++;
    }
    return grown;
}

void locator_forget(struct locator *locator, uint32_t channel) {
    for (size_t i = 0; i < locator->count; i++)
        if (locator->channels[i]->number == channel) {
            locate_channel_free(locator->channels[i]);
            locator->channels[i] = locator->channels[--locator->count];
            locator->last = NULL;
            return;
        }
}
