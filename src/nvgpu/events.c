/* SPDX-License-Identifier: MIT */
/* Events: numbers that the owner gives its programs handles for. */
#include "nvgpu/save.h"

#include <assert.h>
#include <stdlib.h>

#define MOST_EVENTS 65536u

static struct nvgpu_event *event_of(const struct pfifo_nvgpu *nvgpu, uint32_t number) {
    struct nvgpu_event *event = number && number <= nvgpu->event_count ? &nvgpu->events[number - 1] : NULL;
    return event && event->number ? event : NULL;
}

static uint32_t free_event(const struct pfifo_nvgpu *nvgpu) {
    uint32_t i = 0;
    while (i < nvgpu->event_count && nvgpu->events[i].number)
        i++;
    return i;
}

uint32_t nvgpu_event_new(struct pfifo_nvgpu *nvgpu) {
    uint32_t i = free_event(nvgpu);
    if (i == nvgpu->event_count) {
        uint32_t count = i ? 2 * i : 16;
        struct nvgpu_event *grown = count <= MOST_EVENTS ? realloc(nvgpu->events, count * sizeof *grown) : NULL;
        if (!grown)
            return 0;
        memset(grown + i, 0, (count - i) * sizeof *grown);
        nvgpu->events = grown;
        nvgpu->event_count = count;
    }
    assert(i < nvgpu->event_count && !nvgpu->events[i].number);
    nvgpu->events[i] = (struct nvgpu_event){.number = i + 1};
    return i + 1;
}

void nvgpu_event_free(struct pfifo_nvgpu *nvgpu, uint32_t number) {
    struct nvgpu_event *event = event_of(nvgpu, number);
    if (event)
        event->number = 0;
}

void nvgpu_event_set(struct pfifo_nvgpu *nvgpu, uint32_t number, bool signalled) {
    struct nvgpu_event *event = event_of(nvgpu, number);
    if (!event || event->signalled == signalled)
        return;
    event->signalled = signalled;
    if (nvgpu->config.event)
        nvgpu->config.event(nvgpu->config.opaque, number, signalled);
}

bool pfifo_nvgpu_event_signalled(struct pfifo_nvgpu *nvgpu, uint32_t event, bool clear) {
    const struct nvgpu_event *found = nvgpu ? event_of(nvgpu, event) : NULL;
    bool signalled = found && found->signalled;
    if (signalled && clear)
        nvgpu_event_set(nvgpu, event, false);
    return signalled;
}

/* ---- saved and loaded ---- */

NVGPU_SAVES(struct nvgpu_event, 8);

static void events_make_room(struct nvgpu_save *save, uint32_t count) {
    struct nvgpu_event *events = count ? calloc(count, sizeof *events) : NULL;
    if (count && !events)
        state_fail(&save->io, PFIFO_ERROR_MEMORY, "no memory for events");
    save->nvgpu->events = events;
    save->nvgpu->event_count = events ? count : 0;
}

/* Up to the last that is in use. Those between are free, and given first. */
void nvgpu_state_events(struct nvgpu_save *save) {
    struct pfifo_nvgpu *nvgpu = save->nvgpu;
    struct state_io *io = &save->io;
    uint32_t count = nvgpu->event_count;
    while (!io->loading && count && !nvgpu->events[count - 1].number)
        count--;
    if (state_begin(io, "NVEV", 1)) {
        count = state_count(io, count, MOST_EVENTS, "events");
        if (io->loading)
            events_make_room(save, count);
        for (uint32_t i = 0; i < count && state_good(io); i++) {
            struct nvgpu_event *event = &nvgpu->events[i];
            bool used = event->number, signalled = used && event->signalled;
            state_bool(io, &used);
            state_bool(io, &signalled);
            if (io->loading)
                *event = (struct nvgpu_event){used ? i + 1 : 0, signalled};
        }
    }
    state_end(io);
}

void nvgpu_state_event(struct nvgpu_save *save, uint32_t *number) {
    state_u32(&save->io, number);
    if (save->io.loading && *number && !event_of(save->nvgpu, *number)) {
        state_fail(&save->io, PFIFO_ERROR_FORMAT, "there is no event %u", (unsigned)*number);
        *number = 0;
    }
}
