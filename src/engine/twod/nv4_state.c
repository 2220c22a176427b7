/* SPDX-License-Identifier: MIT */
#include "engine/twod/nv4_state.h"

#include <assert.h>

#include "engine/kinds.h"
#include "methods/nv1_2d.h"

static void clear_own_clip(uint32_t *state) {
    uint32_t *clip = state + NV4_STATE_OWN_CLIP;
    clip[NV4_LEFT] = clip[NV4_TOP] = 0;
    clip[NV4_RIGHT] = clip[NV4_BOTTOM] = 0xffff;
}

/*
 * G80's surfaces have a block and a size (nouveau ctxnv50.c).
 * UNKNOWN: the destination's; chosen: those of the source.
 */
static bool nv4_state_init(void *private, const struct private_owner *owner) {
    uint32_t *state = private;
    (void)owner;
    for (unsigned at = NV4_STATE_DESTINATION; at <= NV4_STATE_SOURCE; at += NV4_SURFACE_WORDS) {
        state[at + NV4_SURFACE_BLOCK] = 0x20;
        state[at + NV4_SURFACE_WIDTH] = state[at + NV4_SURFACE_HEIGHT] = 0x100;
    }
    clear_own_clip(state);
    return true;
}

const struct private_state nv4_state_shared = {
    .bytes = NV4_STATE_WORDS * sizeof(uint32_t), .eager = true, .init = nv4_state_init};

void nv4_state_leave(const struct engine *engine, struct channel_state *channel) {
    uint32_t *state = channel_shared_if_made(engine, channel, &nv4_state_shared);
    if (state)
        clear_own_clip(state);
}

bool nv4_state_has_own_clip(const struct engine *engine, const struct channel_state *channel) {
    const uint32_t *state = channel_shared_if_made(engine, channel, &nv4_state_shared);
    if (!state)
        return false;
    const uint32_t *clip = state + NV4_STATE_OWN_CLIP;
    return clip[NV4_LEFT] || clip[NV4_TOP] || clip[NV4_RIGHT] != 0xffff || clip[NV4_BOTTOM] != 0xffff;
}

uint32_t *nv4_state(const struct call *call) {
    uint32_t *state =
        channel_shared_if_made(call->engine, engine_channel(call->engine, call->channel), &nv4_state_shared);
    assert(state); /* it is eager */
    return state;
}

enum action_result nv4_keep_unless_valid(const struct call *call, unsigned word, bool valid) {
    uint32_t *kept = (uint32_t *)object_private(call->object) + word;
    assert((word + 1) * sizeof *kept <= call->object->index->kind->private.bytes);
    if (valid)
        *kept = call->data;
    else
        call_set_value(call, call->method, *kept);
    return nv4_refuse_unless(call, valid);
}

/* ---- clip rectangles: a corner or a size becomes the lower right corner, and what that was the upper left one ---- */

/* 18 bits with a sign, as PGRAPH keeps the lower right corner. */
static int32_t signed_18(uint32_t value) {
    return (int32_t)(value & 0x1ffff) - (int32_t)(value & 0x20000);
}

struct nv4_box nv4_clip_box(const uint32_t *state, unsigned clip) {
    const uint32_t *corner = state + clip;
    assert(clip == NV4_STATE_CLIP || clip == NV4_STATE_OWN_CLIP);
    return (struct nv4_box){nv4_low(corner[NV4_LEFT]), nv4_low(corner[NV4_TOP]), signed_18(corner[NV4_RIGHT]),
                            signed_18(corner[NV4_BOTTOM])};
}

/* A sum that stays where it would overflow. */
static uint32_t grown(uint32_t corner, uint32_t size) {
    uint32_t sum = corner + size;
    return !(corner >> 31) && sum >> 31 ? 0x7fffffff : sum;
}

_Static_assert(NV4_TOP == NV4_LEFT + 1 && NV4_BOTTOM == NV4_RIGHT + 1, "y follows x");

static void push_corner(uint32_t *state, unsigned clip, uint32_t data, bool is_size) {
    for (unsigned axis = 0; axis < 2; axis++) {
        uint32_t *corner = state + clip + axis, *last = state + NV4_STATE_CLIP_CORNER + axis;
        uint32_t half = data >> 16 * axis;
        *last = is_size ? grown(*last, half & 0xffff) : (uint32_t)nv4_low(half);
        corner[NV4_LEFT] = corner[NV4_RIGHT] & 0xffff;
        corner[NV4_RIGHT] = *last & 0x3ffff;
    }
}

static enum action_result clip_corner(struct call *call) {
    push_corner(nv4_state(call), NV4_STATE_CLIP, call->data, false);
    return ACTION_DONE;
}

static enum action_result clip_size(struct call *call) {
    push_corner(nv4_state(call), NV4_STATE_CLIP, call->data, true);
    return ACTION_DONE;
}

/* The state, for a method that sets the volatile part of it. */
static uint32_t *volatile_state(const struct call *call) {
    struct channel_state *state = engine_channel(call->engine, call->channel);
    state->volatile_on = (uint8_t)((call->subchannel & (ENGINE_SUBCHANNELS - 1)) + 1);
    return nv4_state(call);
}

enum action_result nv4_own_clip_corner(struct call *call) {
    push_corner(volatile_state(call), NV4_STATE_OWN_CLIP, call->data, false);
    return ACTION_DONE;
}

enum action_result nv4_own_clip_size(struct call *call) {
    push_corner(volatile_state(call), NV4_STATE_OWN_CLIP, call->data, true);
    return ACTION_DONE;
}

/* Where it begins, without a sign, and how long it is. */
static enum action_result own_clip_axis(const struct call *call, unsigned axis) {
    uint32_t *state = volatile_state(call), *corner = state + NV4_STATE_OWN_CLIP + axis;
    uint32_t first = call->data & 0xffff, end = first + (call->data >> 16);
    corner[NV4_LEFT] = first;
    corner[NV4_RIGHT] = end & 0x3ffff;
    state[NV4_STATE_CLIP_CORNER + axis] = first;
    if (axis == 0)
        state[NV4_STATE_CLIP_CORNER] = state[NV4_STATE_CLIP_CORNER + 1] = end;
    return nv4_refuse_unless(call, !(first & 0x8000));
}

enum action_result nv4_own_clip_across(struct call *call) {
    return own_clip_axis(call, 0);
}

enum action_result nv4_own_clip_down(struct call *call) {
    return own_clip_axis(call, 1);
}

/* ---- factors ---- */

static enum action_result set_rop(struct call *call) {
    nv4_state(call)[NV4_STATE_ROP] = call->data & 0xff;
    return ACTION_DONE;
}

/* Negative factors are 0. */
static enum action_result set_beta(struct call *call) {
    nv4_state(call)[NV4_STATE_BETA] = call->data >> 31 ? 0 : call->data & 0x7f800000;
    return ACTION_DONE;
}

static enum action_result set_beta4(struct call *call) {
    nv4_state(call)[NV4_STATE_BETA4] = call->data;
    return ACTION_DONE;
}

#define SETS(at, function)                                                                                             \
    { .method = (at), .type = ACTION_INSIDE, .run = (function) }

static const struct action clip_actions[] = {SETS(NV1_CLIP_POINT, clip_corner), SETS(NV1_CLIP_SIZE, clip_size), {0}};
static const struct action rop_actions[] = {SETS(NV3_ROP_ROP, set_rop), {0}};
static const struct action beta_actions[] = {SETS(NV1_BETA_BETA_1D31, set_beta), {0}};
static const struct action beta4_actions[] = {SETS(NV4_BETA4_BETA_FACTOR, set_beta4), {0}};

NV4_KIND(kind_nv4_clip, "clip rectangle", 0, clip_actions);
NV4_KIND(kind_nv4_rop, "raster operation", 0, rop_actions);
NV4_KIND(kind_nv4_beta, "factor", 0, beta_actions);
NV4_KIND(kind_nv4_beta4, "factors", 0, beta4_actions);
