/* SPDX-License-Identifier: MIT */
/*
 * read-without-wait, texture-without-wait: what is written and read, and who has waited for whom (order.h).
 *
 *   engine.write --> range, channel, epoch --> kept --> engine.read of another channel that does not know of it
 *                                                   --> a texture of the same channel, without a barrier between
 *   engine.read ---> the same              --> kept --> engine.write of another channel that does not know of it
 *
 * Engines of one channel wait for one another whenever it goes from one to the other. Before the kernel's interface of
 * version 2, the kernel orders submissions that name the same buffer.
 */
#include "lint/surfaces.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct lint_surfaces *lint_surfaces_new(void) {
    return calloc(1, sizeof(struct lint_surfaces));
}

void lint_surfaces_free(struct lint_surfaces *surfaces) {
    free(surfaces);
}

/* ---- what is named ---- */

/* A buffer that is not named in the submission of a word. What is not known any more is taken as named. */
static bool is_named(const struct lint *lint, const struct lint_range *range, uint32_t submission) {
    const struct surface_named *named = &lint->surfaces->named[range->object % SURFACES_NAMED];

    if (lint->version_2 || !named->object)
        return false;
    return named->object != range->object || named->submission >= submission;
}

void lint_surfaces_record(struct lint *lint, const struct pfifo_stream_record *record) {
    struct lint_surfaces *surfaces = lint->surfaces;
    struct lint_range range;

    if (record->type == PFIFO_STREAM_BOREF) {
        range = range_of_buffer(lint, record->boref.handle, 0, 1);
        if (range.object)
            surfaces->named[range.object % SURFACES_NAMED] = (struct surface_named){range.object, lint->sequence};
    } else if (record->type == PFIFO_STREAM_BODEL && !lint->has_spaces) { /* its addresses may be used again */
        const struct pfifo_buffer *buffer = pfifo_replay_buffer(lint->replay, record->bodel.handle);
        range = range_of_buffer(lint, record->bodel.handle, 0, buffer ? pfifo_buffer_bytes(buffer) : 0);
        for (size_t i = 0; i < SURFACES && range.object; i++) {
            if (range_meets(&surfaces->written[i].range, &range))
                surfaces->written[i].range.object = 0;
            if (range_meets(&surfaces->read[i].range, &range))
                surfaces->read[i].range.object = 0;
        }
    }
}

/* ---- accesses ---- */

static struct surface_access *place_in(struct surface_access *table, const struct lint_range *range, unsigned actor) {
    uint64_t mix = (range->object << 40 ^ range->begin ^ (uint64_t)actor << 58) * UINT64_C(0x9e3779b97f4a7c15);

    return &table[mix >> 40 & (SURFACES - 1)];
}

static uint64_t surfaces_key_of(const struct lint_range *range, const struct surface_access *other) {
    return range_key(range) ^ other->actor;
}

/* Does an access of another channel, that nobody has waited for, meet this one? */
static bool is_hazard(const struct lint *lint, const struct surface_access *old, const struct surface_access *now) {
    if (!old->range.object || old->actor == now->actor ||
        order_knows(lint->order, now->actor, old->actor, old->epoch) || !range_meets(&old->range, &now->range))
        return false;
    return lint->version_2 || !(old->named && now->named);
}

static void say(struct lint *lint, const struct surface_access *old, const struct surface_access *now, uint64_t address,
                bool reads) {
    lint_find(lint, LINT_READ_WITHOUT_WAIT, &now->place, surfaces_key_of(&now->range, old),
              "%s 0x%" PRIx64 " (%s), which channel %" PRIu32 " has %s (%s, submission %" PRIu32
              "), and nothing makes it wait for that",
              reads ? "reads" : "writes", address, now->kind, old->place.channel, reads ? "written" : "read", old->kind,
              old->place.submission);
}

static void say_texture(struct lint *lint, const struct surface_access *old, const struct surface_access *now,
                        uint64_t address) {
    lint_find(lint, LINT_TEXTURE_WITHOUT_WAIT, &now->place, surfaces_key_of(&now->range, old),
              "a draw reads the texture at 0x%" PRIx64 ", to which the channel has drawn (%s, submission %" PRIu32
              "), and no wait for idle or invalidation of the texture cache is between",
              address, old->kind, old->place.submission);
}

bool surfaces_ahead(const struct lint *lint, unsigned actor, const uint32_t *last) {
    for (unsigned i = 1; i < lint->order->actors; i++)
        if (last[i] && !order_knows(lint->order, actor, i, last[i] - 1))
            return true;
    return false;
}

static bool surfaces_begin(struct lint *lint, const struct pfifo_event *event, struct surface_access *now) {
    unsigned actor = lint->ended ? ORDER_NONE : order_actor_of(lint->order, event->channel);

    if (actor == ORDER_NONE)
        return false;
    *now = (struct surface_access){.range = range_of_event(lint, event),
                                   .actor = actor,
                                   .epoch = order_epoch(lint->order, actor),
                                   .barrier = lint->order->actor[actor].barrier,
                                   .kind = event->text};
    if (!now->range.object)
        return false;
    now->place = lint_place_now(lint, event->channel);
    now->named = is_named(lint, &now->range, now->place.submission);
    return true;
}

void lint_surfaces_reported(struct lint *lint, uint32_t channel, uint64_t address) {
    const struct lint_range range = range_of_address(lint, channel, address, 1);
    const uint64_t granule = range.begin / REPORT_GRANULE;

    if (!lint->version_2 && range.object)
        lint->surfaces->report[surface_report_slot(range.object, granule)] =
            (struct surface_report){range.object, granule};
}

static bool is_drawn(enum pfifo_event_word kind) {
    return kind == PFIFO_WORD_TARGET || kind == PFIFO_WORD_DEPTH || kind == PFIFO_WORD_CLEAR;
}

enum { ADDRESS = 3 };

void lint_surfaces_write(struct lint *lint, const struct pfifo_event *event) {
    struct lint_surfaces *surfaces = lint->surfaces;
    struct surface_access now;
    bool ahead;

    if (!surfaces_begin(lint, event, &now))
        return;
    now.drawn = is_drawn(event->word);
    ahead = surfaces_ahead(lint, now.actor, surfaces->last_read);
    for (size_t i = 0; i < SURFACES && ahead; i++)
        if (is_hazard(lint, &surfaces->read[i], &now))
            say(lint, &surfaces->read[i], &now, event->value[ADDRESS], false);
    *place_in(surfaces->written, &now.range, now.actor) = now;
    surfaces->last_written[now.actor] = now.epoch + 1;
    if (now.drawn)
        surfaces->last_drawn[now.actor] = now.barrier + 1;
}

void lint_surfaces_read(struct lint *lint, const struct pfifo_event *event) {
    struct lint_surfaces *surfaces = lint->surfaces;
    struct surface_access now;
    bool ahead, texture;

    if (!surfaces_begin(lint, event, &now))
        return;
    ahead = surfaces_ahead(lint, now.actor, surfaces->last_written);
    texture = event->word == PFIFO_WORD_TEXTURE && surfaces->last_drawn[now.actor] == now.barrier + 1;
    for (size_t i = 0; i < SURFACES && (ahead || texture); i++) {
        const struct surface_access *old = &surfaces->written[i];
        if (ahead && is_hazard(lint, old, &now))
            say(lint, old, &now, event->value[ADDRESS], true);
        if (texture && old->drawn && old->range.object && old->actor == now.actor && old->barrier == now.barrier &&
            range_meets(&old->range, &now.range))
            say_texture(lint, old, &now, event->value[ADDRESS]);
    }
    lint_cpu_read(lint, &now, event->value[ADDRESS]);
    *place_in(surfaces->read, &now.range, now.actor) = now;
    surfaces->last_read[now.actor] = now.epoch + 1;
}
