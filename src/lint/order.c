/* SPDX-License-Identifier: MIT */
#include "lint/order.h"

#include <stdlib.h>

enum { PAGE_MASK = 0xfff };

struct lint_order *lint_order_new(void) {
    struct lint_order *order = calloc(1, sizeof *order);

    if (order) {
        order->actors = 1;
        order->actor[ORDER_CPU].channel = UINT32_MAX;
    }
    return order;
}

void lint_order_free(struct lint_order *order) {
    free(order);
}

unsigned order_actor_of(struct lint_order *order, uint32_t channel) {
    unsigned actor = 1;

    while (actor < order->actors && order->actor[actor].channel != channel)
        actor++;
    if (actor < order->actors)
        return actor;
    if (channel == UINT32_MAX || actor == ORDER_ACTORS) {
        order->lost |= channel != UINT32_MAX;
        return ORDER_NONE;
    }
    order->actors++;
    order->actor[actor].channel = channel;
    return actor;
}

static void order_learn(struct order_clock *to, const struct order_clock *from) {
    for (unsigned i = 0; i < ORDER_ACTORS; i++)
        to->of[i] = from->of[i] > to->of[i] ? from->of[i] : to->of[i];
}

/*
 * One semaphore has several addresses if memory is mapped several times. They are equal in the page, and only that
 * counts in captures where it may be: somebody may be taken to know too much, never too little.
 */
static struct lint_fence fence_key(const struct lint *lint, struct lint_fence fence) {
    if (lint->version_2 && !fence.is_syncpoint)
        fence.address &= PAGE_MASK;
    return fence;
}

/* NULL: there is none, or no room for it. */
static struct order_fence *fence_of(struct lint_order *order, struct lint_fence fence, bool make) {
    uint64_t mix = (fence.address ^ (uint64_t)fence.is_syncpoint << 63) * UINT64_C(0x9e3779b97f4a7c15);

    for (size_t i = 0; i < ORDER_FENCES; i++) {
        struct order_fence *row = &order->fence[((mix >> 40) + i) % ORDER_FENCES];
        if (row->used && (row->fence.is_syncpoint != fence.is_syncpoint || row->fence.address != fence.address))
            continue;
        if (!row->used && !make)
            return NULL;
        row->used = true;
        row->fence = fence;
        return row;
    }
    return NULL;
}

/* ---- what the replay shows ---- */

void lint_order_tells_cpu(struct lint *lint, uint32_t channel) {
    struct lint_order *order = lint->order;
    unsigned actor = lint->ended ? ORDER_NONE : order_actor_of(order, channel);

    if (actor == ORDER_NONE)
        return;
    order->actor[actor].knows.of[actor]++;
    order_learn(&order->actor[ORDER_CPU].knows, &order->actor[actor].knows);
}

/* Whatever any channel has done so far is known to who looks at it. */
static void publish_all(struct lint_order *order, struct order_clock *to) {
    for (unsigned i = 1; i < order->actors; i++) {
        order->actor[i].knows.of[i]++;
        order_learn(to, &order->actor[i].knows);
    }
}

/* Of a syncpoint it is not said who has incremented it. */
void lint_order_release(struct lint *lint, uint32_t channel, struct lint_fence fence, uint32_t value) {
    struct lint_order *order = lint->order;
    unsigned actor = order_actor_of(order, channel);
    struct order_fence *row;

    if (lint->ended || (actor == ORDER_NONE && channel != UINT32_MAX))
        return;
    row = fence_of(order, fence_key(lint, fence), true);
    order->lost = order->lost || !row;
    if (!row)
        return;
    row->value = value;
    if (actor == ORDER_NONE) {
        publish_all(order, &row->knows);
        order_learn(&order->actor[ORDER_CPU].knows, &row->knows);
        return;
    }
    lint_order_tells_cpu(lint, channel);
    order_learn(&row->knows, &order->actor[actor].knows);
    order->actor[actor].barrier++;
}

/* `value`: what is in memory. If no channel has put it there, the CPU has: then the channel knows what that knows. */
void lint_order_acquire(struct lint *lint, uint32_t channel, struct lint_fence fence, uint32_t value) {
    struct lint_order *order = lint->order;
    unsigned actor = lint->ended ? ORDER_NONE : order_actor_of(order, channel);
    const struct order_fence *row;

    if (actor == ORDER_NONE)
        return;
    row = fence_of(order, fence_key(lint, fence), false);
    if (row)
        order_learn(&order->actor[actor].knows, &row->knows);
    if (!row || row->value != value)
        order_learn(&order->actor[actor].knows, &order->actor[ORDER_CPU].knows);
    order->actor[actor].cpu_time = order->time;
    order->actor[actor].barrier++;
}

/*
 * Methods of a 3D class that make texture units see what was drawn: WAIT_FOR_IDLE, and what invalidates caches of
 * textures, their headers or shaders, with a wait or without one [driver: Mesa's nvc0 sends one of them]. The front
 * end's own methods, and those of another class, may wait too.
 */
static bool is_barrier(uint32_t method) {
    static const uint16_t barriers[] = {0x110, 0x21c, 0x1288, 0x1330, 0x1334, 0x1338, 0x1424, 0x1428, 0x1698};

    for (size_t i = 0; i < sizeof barriers / sizeof barriers[0]; i++)
        if (method == barriers[i])
            return true;
    return method < HOST_METHODS;
}

void lint_order_method(struct lint *lint, uint32_t channel, uint32_t object_class, uint32_t method) {
    unsigned number = order_actor_of(lint->order, channel);
    struct order_actor *actor = &lint->order->actor[number % ORDER_ACTORS];

    if (number == ORDER_NONE)
        return;
    actor->barrier += object_class != actor->last_class || is_barrier(method);
    actor->last_class = object_class;
}

void lint_order_ran(struct lint *lint) {
    lint->order->run++;
}

/* ---- what the recording says ---- */

const struct order_queued *order_queued_of(const struct order_actor *actor, uint32_t submission) {
    for (size_t i = 0; i < actor->queued_count && i < ORDER_QUEUED; i++)
        if (actor->queued[i].submission == submission)
            return &actor->queued[i];
    return NULL;
}

static void submits(struct lint *lint, const struct pfifo_stream_submit *submit) {
    struct lint_order *order = lint->order;
    unsigned number = order_actor_of(order, replay_channel_number(lint->replay, submit->channel));
    struct order_actor *actor = &order->actor[number % ORDER_ACTORS];

    order->submitting = number;
    if (number == ORDER_NONE)
        return;
    order_learn(&actor->knows, &order->actor[ORDER_CPU].knows);
    actor->queued[actor->queued_count++ % ORDER_QUEUED] =
        (struct order_queued){submit->sequence, ++order->time, order->run};
}

/* The CPU changes a syncpoint itself. */
static void cpu_releases(struct lint *lint, uint32_t syncpoint) {
    struct lint_order *order = lint->order;
    struct order_fence *row = fence_of(order, (struct lint_fence){true, syncpoint}, true);

    order->lost = order->lost || !row;
    if (row)
        order_learn(&row->knows, &order->actor[ORDER_CPU].knows);
}

/*
 * A sync object may have points of any submission, also by way of other objects: who waits for one may be taken to know too
 * much, never too little.
 */
static void order_sync(struct lint_order *order, const struct pfifo_stream_sync *sync) {
    if (sync->how == PFIFO_STREAM_SYNC_CPU_WAIT)
        publish_all(order, &order->actor[ORDER_CPU].knows);
    else if (sync->how == PFIFO_STREAM_SYNC_WAIT && order->submitting != ORDER_NONE)
        publish_all(order, &order->actor[order->submitting].knows);
}

void lint_order_record(struct lint *lint, const struct pfifo_stream_record *record) {
    switch (record->type) {
    case PFIFO_STREAM_SUBMIT:
        submits(lint, &record->submit);
        return;
    case PFIFO_STREAM_PREP: /* whoever waits for a buffer, or closes a channel, waits for more than can be seen */
    case PFIFO_STREAM_CHANFREE:
        publish_all(lint->order, &lint->order->actor[ORDER_CPU].knows);
        return;
    case PFIFO_STREAM_SYNC:
        order_sync(lint->order, &record->sync);
        return;
    case PFIFO_STREAM_SYNCPT:
        cpu_releases(lint, record->syncpt.syncpoint);
        return;
    default:
        return;
    }
}
