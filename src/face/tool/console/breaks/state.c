/* SPDX-License-Identifier: MIT */
/* Stops when what a method of an object holds changes, by whatever: the method itself, a macro, another one. */
#include "face/tool/console/breaks/breaks.h"
#include "face/tool/console/methods.h"

#include <pfifo/classes.h>
#include <pfifo/nearest.h>

#include <inttypes.h>
#include <stdlib.h>

static bool state_has_method(const char *text, uint32_t oclass, uint32_t *method) {
    const char *name;

    return methods_are_of(text, oclass, &name) && pfifo_method_by_name(oclass, name, method);
}

static bool breaks_state_is_known(const char *text) {
    uint32_t method;

    for (size_t i = 0; i < pfifo_class_count(); i++)
        if (state_has_method(text, pfifo_class_at(i)->id, &method))
            return true;
    return false;
}

struct breakpoint *breaks_state_new(struct breaks *breaks, const char *name, struct pfifo_error *error) {
    struct pfifo_nearest nearest;

    if (breaks_state_is_known(name)) {
        struct breakpoint *brk = breaks_new(breaks, BREAK_STATE, name, error);
        if (brk)
            brk->held = calloc(BREAK_OBJECTS, sizeof *brk->held);
        if (!brk || brk->held)
            return brk;
        breaks_drop(brk);
        refuse(error, "no memory");
        return NULL;
    }
    pfifo_nearest_begin(&nearest, name);
    pfifo_nearest_method(&nearest, NULL);
    if (nearest.name[0])
        refuse(error, "no register and no method is called '%.60s'; did you mean '%.60s'?", name, nearest.name);
    else if (!error || !error->message[0])
        refuse(error, "no method is called '%.60s'", name);
    return NULL;
}

/* Known from before, or new: then it has not changed. NULL: there are too many. */
static struct break_held *state_held_of(struct breaks *breaks, struct breakpoint *brk, uint32_t channel,
                                        uint32_t oclass) {
    struct break_held *held = brk->held;

    for (size_t i = 0; i < brk->objects; i++, held++)
        if (held->channel == channel && held->oclass == oclass)
            return held;
    if (brk->objects == BREAK_OBJECTS)
        return NULL;
    brk->objects++;
    *held = (struct break_held){.channel = channel, .oclass = oclass, .method = UINT32_MAX};
    if (state_has_method(brk->text, oclass, &held->method))
        pfifo_gpu_method_value(breaks->owner->gpu(breaks->opaque), channel, oclass, held->method, &held->value);
    return held;
}

void breaks_state_start(struct breaks *breaks, struct breakpoint *brk) {
    uint32_t channel, oclass;

    brk->objects = 0;
    for (size_t i = 0; breaks->owner->object(breaks->opaque, i, &channel, &oclass); i++)
        state_held_of(breaks, brk, channel, oclass);
}

void breaks_state_check(struct breaks *breaks, struct breakpoint *brk) {
    struct pfifo_gpu *gpu = breaks->owner->gpu(breaks->opaque);
    uint32_t channel, oclass, value;

    for (size_t i = 0; breaks->owner->object(breaks->opaque, i, &channel, &oclass); i++) {
        struct break_held *held = state_held_of(breaks, brk, channel, oclass);
        if (!held || held->method == UINT32_MAX ||
            !pfifo_gpu_method_value(gpu, channel, oclass, held->method, &value) || value == held->value)
            continue;
        if (!brk->hit) {
            breaks_hit(breaks, brk);
            breaks_because(breaks, ": 0x%08" PRIx32 " -> 0x%08" PRIx32 "\n", held->value, value);
            breaks->owner->blame(breaks->opaque, true);
        }
        held->value = value;
    }
}
