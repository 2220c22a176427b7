/* SPDX-License-Identifier: MIT */
/* Which classes channels have bound, as far as it was seen. */
#include "face/tool/console/machine/inside.h"

#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 64, OBJECTS = 16 };

/* Of the channels that bound something last. */
struct shell_binds {
    struct bound {
        bool valid;
        uint32_t channel, oclass[PFIFO_DECODE_SUBCHANNELS];
        struct pfifo_decode_object object[OBJECTS]; /* by their handles */
        size_t objects;
    } channel[CHANNELS];
    size_t next;
};

static struct bound *find(struct shell_binds *binds, uint32_t channel) {
    for (size_t i = 0; i < CHANNELS; i++)
        if (binds->channel[i].valid && binds->channel[i].channel == channel)
            return &binds->channel[i];
    return NULL;
}

/* The last ones. */
static void add_object(struct bound *bound, uint32_t handle, uint32_t oclass) {
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
    struct shell_binds *all = opaque;
    struct bound *bound = find(all, event->channel);

    if (!bound) {
        bound = &all->channel[all->next++ % CHANNELS];
        *bound = (struct bound){.valid = true, .channel = event->channel};
    }
    size_t at = event->value[0] % PFIFO_DECODE_SUBCHANNELS;
    bound->oclass[at] = (uint32_t)event->value[2];
    add_object(bound, (uint32_t)event->value[1], (uint32_t)event->value[2]);
}

bool shell_binds_watch(struct shell *shell, struct pfifo_error *error) {
    if (!shell->binds)
        shell->binds = calloc(1, sizeof *shell->binds);
    if (!shell->binds)
        return refuse(error, "no memory");
    shell_binds_forget(shell);
    return pfifo_gpu_observe(shell->gpu, "puller.bind", binds, shell->binds, error) == PFIFO_OK;
}

void shell_binds_forget(struct shell *shell) {
    if (shell->binds)
        memset(shell->binds, 0, sizeof *shell->binds);
}

bool shell_binds_save(const struct shell *shell, struct state_bytes *bytes) {
    return !shell->binds || state_bytes_write(bytes, shell->binds, sizeof *shell->binds);
}

void shell_binds_load(struct shell *shell, const struct state_bytes *bytes) {
    if (shell->binds && bytes->used == sizeof *shell->binds)
        memcpy(shell->binds, bytes->data, bytes->used);
    else
        shell_binds_forget(shell);
}

bool shell_binds_at(const struct shell *shell, size_t index, uint32_t *channel, uint32_t *oclass) {
    for (size_t i = 0; shell->binds && i < CHANNELS; i++) {
        const struct bound *bound = &shell->binds->channel[i];
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
