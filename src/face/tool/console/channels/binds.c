/* SPDX-License-Identifier: MIT */
/* Which classes channels have bound, as far as it was seen. */
#include "face/tool/console/channels/binds.h"

#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 64, OBJECTS = 16 };

/* Of the channels that bound something last. */
struct console_binds {
    struct bound {
        bool valid;
        uint32_t channel, oclass[PFIFO_DECODE_SUBCHANNELS];
        struct pfifo_decode_object object[OBJECTS]; /* by their handles */
        size_t objects;
    } channel[CHANNELS];
    size_t next;
};

static struct bound *binds_find(struct console_binds *binds, uint32_t channel) {
    for (size_t i = 0; i < CHANNELS; i++)
        if (binds->channel[i].valid && binds->channel[i].channel == channel)
            return &binds->channel[i];
    return NULL;
}

/* The last ones. */
static void binds_add_object(struct bound *bound, uint32_t handle, uint32_t oclass) {
    size_t at = 0;

    while (at < bound->objects && bound->object[at].handle != handle)
        at++;
    if (at == OBJECTS)
        at = bound->objects = 0;
    bound->objects += at == bound->objects;
    bound->object[at] = (struct pfifo_decode_object){handle, oclass};
}

/* puller.bind: subchannel, handle, class. */
static void binds(void *opaque, const struct pfifo_event *event) {
    struct console_binds *all = opaque;
    struct bound *bound = binds_find(all, event->channel);

    if (!bound) {
        bound = &all->channel[all->next++ % CHANNELS];
        *bound = (struct bound){.valid = true, .channel = event->channel};
    }
    size_t at = event->value[0] % PFIFO_DECODE_SUBCHANNELS;
    bound->oclass[at] = (uint32_t)event->value[2];
    binds_add_object(bound, (uint32_t)event->value[1], (uint32_t)event->value[2]);
}

bool console_binds_watch(struct console *console, struct pfifo_error *error) {
    if (!console->binds)
        console->binds = calloc(1, sizeof *console->binds);
    if (!console->binds)
        return refuse(error, "no memory");
    console_binds_forget(console);
    return pfifo_gpu_observe(console->gpu, "puller.bind", binds, console->binds, error) == PFIFO_OK;
}

void console_binds_forget(struct console *console) {
    if (console->binds)
        memset(console->binds, 0, sizeof *console->binds);
}

bool console_binds_save(const struct console *console, struct state_bytes *bytes) {
    return !console->binds || state_bytes_write(bytes, console->binds, sizeof *console->binds);
}

void console_binds_load(struct console *console, const struct state_bytes *bytes) {
    if (console->binds && bytes->used == sizeof *console->binds)
        memcpy(console->binds, bytes->data, bytes->used);
    else
        console_binds_forget(console);
}

bool console_binds_at(const struct console *console, size_t index, uint32_t *channel, uint32_t *oclass) {
    for (size_t i = 0; console->binds && i < CHANNELS; i++) {
        const struct bound *bound = &console->binds->channel[i];
        if (!bound->valid)
            continue;
        if (index < bound->objects) {
            *channel = bound->channel;
            *oclass = bound->object[index].oclass;
            return true;
        }
        index -= bound->objects;
    }
    return false;
}
