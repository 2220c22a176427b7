/* SPDX-License-Identifier: MIT */
#include "engine/surface/access.h"

#include "event/event.h"
#include "fifo/fifo.h"

static void send(const struct call *call, enum event_id id, const char *kind, const struct address_space *space,
                 const struct access_layers *range) {
    const struct memory_place place = memory_place_of(space, range->address);
    struct event_hub *events = call->engine->fifo->events;
    bool one = range->count <= 1;

    if (range->bytes && range->count)
        event_send(events, id, call->channel->id, kind, call->object->object_class, call->method, place.space,
                   place.address, range->bytes, range->count, one ? 0 : range->stride, 0);
}

static bool is_wanted(const struct call *call, enum event_id id) {
    return event_wanted(call->engine->fifo->events, id);
}

static void send_surface(const struct call *call, enum event_id id, const struct surface *surface,
                         const struct access *access) {
    struct layout_extent extent;

    if (!is_wanted(call, id))
        return;
    extent = layout_extent(&surface->layout, access->at.x, access->at.y, access->at.z, access->bytes, access->lines);
    send(call, id, access->kind, &surface->space,
         &(struct access_layers){surface->address + extent.offset, extent.bytes, extent.lines, extent.pitch});
}

void call_reads(const struct call *call, const struct surface *surface, const struct access *access) {
    send_surface(call, EVENT_ENGINE_READ, surface, access);
}

void call_writes(const struct call *call, const struct surface *surface, const struct access *access) {
    send_surface(call, EVENT_ENGINE_WRITE, surface, access);
}

void call_reads_layers(const struct call *call, const char *kind, const struct address_space *space,
                       const struct access_layers *layers) {
    if (is_wanted(call, EVENT_ENGINE_READ))
        send(call, EVENT_ENGINE_READ, kind, space, layers);
}

void call_writes_layers(const struct call *call, const char *kind, const struct address_space *space,
                        const struct access_layers *layers) {
    if (is_wanted(call, EVENT_ENGINE_WRITE))
        send(call, EVENT_ENGINE_WRITE, kind, space, layers);
}

void call_reads_bytes(const struct call *call, const char *kind, const struct address_space *space, uint64_t address,
                      uint64_t bytes) {
    call_reads_layers(call, kind, space, &(struct access_layers){address, bytes, 1, 0});
}

void call_writes_bytes(const struct call *call, const char *kind, const struct address_space *space, uint64_t address,
                       uint64_t bytes) {
    call_writes_layers(call, kind, space, &(struct access_layers){address, bytes, 1, 0});
}
