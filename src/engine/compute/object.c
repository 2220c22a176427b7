/* SPDX-License-Identifier: MIT */
#include "engine/compute/object.h"

#include <string.h>

#include "engine/compute/run.h"
#include "methods/gf100_compute.h"

/* ---- slots of textures ---- */

static enum action_result bind_sampler(struct call *call) {
    shade_slot_bind(compute_object_of(call)->slots.sampler,
                    METHOD_FIELD(call->data, GF100_COMPUTE_BIND_TEXTURE_SAMPLER_SAMPLER_SLOT),
                    METHOD_FIELD(call->data, GF100_COMPUTE_BIND_TEXTURE_SAMPLER_VALID),
                    METHOD_FIELD(call->data, GF100_COMPUTE_BIND_TEXTURE_SAMPLER_INDEX));
    return ACTION_DONE;
}

static enum action_result bind_header(struct call *call) {
    shade_slot_bind(compute_object_of(call)->slots.header,
                    METHOD_FIELD(call->data, GF100_COMPUTE_BIND_TEXTURE_HEADER_TEXTURE_SLOT),
                    METHOD_FIELD(call->data, GF100_COMPUTE_BIND_TEXTURE_HEADER_VALID),
                    METHOD_FIELD(call->data, GF100_COMPUTE_BIND_TEXTURE_HEADER_INDEX));
    return ACTION_DONE;
}

static enum action_result bind_extra(struct call *call) {
    if (METHOD_FIELD(call->data, GF100_COMPUTE_BIND_EXTRA_TEXTURE_HEADER_VALID))
        call_work_not_executed(call, "extra texture");
    return ACTION_DONE;
}

#define BIND(name, function)                                                                                           \
    { .method = GF100_COMPUTE_##name, .type = ACTION_INSIDE, .run = (function) }

const struct action compute_slots_actions[] = {BIND(BIND_TEXTURE_SAMPLER, bind_sampler),
                                               BIND(BIND_TEXTURE_HEADER, bind_header),
                                               BIND(BIND_EXTRA_TEXTURE_HEADER, bind_extra),
                                               {0}};

/* ---- state ---- */

static bool compute_init(void *state, const struct private_owner *owner) {
    struct compute_object *object = state;
    (void)owner;
    memset(&object->slots, 0xff, sizeof object->slots); /* SHADE_UNBOUND */
    return true;
}

static void compute_saved(void *state, const struct private_owner *owner, struct state_io *io) {
    struct compute_object *object = state;
    if (object->run && !io->loading && !owner->object->work.under_way)
        grid_run_end(object->run); /* the launch was given up */
    state_words(io, object->slots.header, SHADE_SLOTS, "bound headers");
    state_words(io, object->slots.sampler, SHADE_SLOTS, "bound samplers");
    state_u64(io, &object->qmd_at);
    state_words(io, object->qmd, QMD_MAX_WORDS, "words of a QMD");
    grid_run_state(&object->run, io);
}

static void compute_free(void *state) {
    grid_run_free(((struct compute_object *)state)->run);
}

const struct private_state compute_object_part = {
    .bytes = sizeof(struct compute_object), .init = compute_init, .state = compute_saved, .free = compute_free};

struct compute_object *compute_object_of(const struct call *call) {
    return object_part(call->object, &compute_object_part);
}
