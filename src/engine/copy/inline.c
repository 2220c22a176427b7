/* SPDX-License-Identifier: MIT */
/*
 * Inline-to-memory (GK104-): LAUNCH_DMA 0x1b0, LINE_LENGTH x LINE_COUNT bytes at LOAD_INLINE_DATA 0x1b4, then the
 * semaphore at 0x1dc. In its own classes (a040, a140) and in the 3D and compute classes.
 *
 * Sources: NVIDIA open-gpu-doc classes/inline-to-memory; envytools rnndb/graph/gk104_p2mf.xml; Mesa
 * src/gallium/drivers/nouveau/nvc0/nvc0_surface.c.
 */
#include "engine/copy/inline.h"

#include <assert.h>

#include "engine/surface/access.h"
#include "engine/kinds.h"
#include "engine/core/work.h"
#include "fifo/fifo.h"
#include "methods/gf100_3d.h"

#define INLINE_LINE_BYTES 768u /* of a line, beside its bytes, as work.h counts */

/* ---- private state ---- */

static void inline_state(void *state, const struct private_owner *owner, struct state_io *io) {
    struct inline_launch *launch = state;
    uint32_t *const words[] = {
        &launch->data,   &launch->line_length, &launch->pitch, &launch->block_size, &launch->width,
        &launch->height, &launch->depth,       &launch->layer, &launch->x,          &launch->y};
    (void)owner;
    state_u64(io, &launch->bytes);
    state_u64(io, &launch->left);
    state_u64(io, &launch->address);
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        state_u32(io, words[i]);
    state_bool(io, &launch->linear);
    state_bool(io, &launch->forbidden);
    if (launch->left > launch->bytes || (launch->left && !launch->line_length) ||
        !transfer_block_exists(launch->block_size))
        state_fail(io, PFIFO_ERROR_FORMAT, "an inline launch that cannot be");
}

_Static_assert(sizeof(struct inline_launch) == 72, "every field is saved");

const struct private_state inline_part = {.bytes = sizeof(struct inline_launch), .state = inline_state};

static struct inline_launch *inline_launch_of(const struct call *call) {
    return object_part(call->object, &inline_part);
}

/* ---- data to memory ---- */

static struct surface inline_target_of(const struct call *call, const struct inline_launch *launch) {
    struct surface surface = {call_space(call, 0), launch->address, transfer_pitch_layout((int32_t)launch->pitch)};
    if (!launch->linear)
        surface.layout = transfer_block_layout(launch->block_size, transfer_gobs(call), launch->width, launch->height,
                                               launch->depth);
    return surface;
}

/* Write bytes of a launch, line by line. */
static bool write_bytes(const struct call *call, const struct inline_launch *launch, uint64_t first,
                        const uint8_t *data, uint64_t bytes, struct fault *fault) {
    struct surface surface = inline_target_of(call, launch);
    for (uint64_t done = 0; done < bytes;) {
        uint64_t line = (first + done) / launch->line_length, x = (first + done) % launch->line_length;
        uint64_t part = launch->line_length - x < bytes - done ? launch->line_length - x : bytes - done;
        assert(part > 0);
        if (!surface_write(call->engine->fifo->memory, &surface, launch->x + x, launch->y + line, launch->layer,
                           data + done, part, fault))
            return false;
        done += part;
    }
    return true;
}

/* Write the words that were kept. */
static bool inline_commit(const struct call *call) {
    struct object *object = call->object;
    struct inline_launch *launch = inline_launch_of(call);
    const struct kept_words *kept = object_words(object);
    uint8_t data[4 * KEPT_WORDS];
    uint32_t count = kept->count;
    uint64_t bytes = 4 * (uint64_t)count, first = launch->bytes - launch->left;
    if (bytes > launch->left)
        bytes = launch->left;
    assert(count <= KEPT_WORDS && first + bytes <= launch->bytes);
    for (uint32_t i = 0; i < count; i++)
        store_le32(data + 4 * i, kept->word[i]);
    words_used(object);
    launch->left -= bytes;
    uint64_t lines = bytes ? bytes / launch->line_length + 1 : 1; /* words that were loaded may be of no launch */
    work_costs_beyond(call, bytes + lines * INLINE_LINE_BYTES, bytes / 4);
    struct fault fault;
    if (launch->forbidden || write_bytes(call, launch, first, data, bytes, &fault))
        return true;
    launch->left = 0;
    words_begin(object, 0);
    call_fault(call, &fault);
    return false;
}

static void latch(const struct call *call, const struct inline_methods *m, struct inline_launch *launch) {
    unsigned bits = call->object->index->kind->inline_bits;
    *launch = (struct inline_launch){
        .bytes = (uint64_t)call_value(call, m->line_length) * call_value(call, m->line_count),
        .address = call_address(call, m->high, m->low, bits),
        .data = call->data,
        .line_length = call_value(call, m->line_length),
        .pitch = call_value(call, m->pitch),
        .block_size = call_value(call, m->block_size) & 0xfff,
        .width = call_value(call, m->block_size + 4u),
        .height = call_value(call, m->block_size + 8u),
        .depth = call_value(call, m->block_size + 12u),
        .layer = call_value(call, m->block_size + 16u),
    };
    launch->left = launch->bytes;
}

static enum inline_result cancel(const struct call *call) {
    *inline_launch_of(call) = (struct inline_launch){0};
    words_begin(call->object, 0);
    return INLINE_ENDED;
}

/* UNKNOWN: what is wrong with a block of more than 32 gobs; chosen: the launch is refused. */
enum inline_result inline_begin(const struct call *call, const struct inline_methods *methods, bool linear,
                                enum predicate allowed) {
    struct inline_launch *launch = inline_launch_of(call);
    if (object_words(call->object)->count && launch->left && !inline_commit(call))
        return INLINE_ENDED;
    if (allowed == PREDICATE_FAULT)
        return cancel(call);
    latch(call, methods, launch);
    launch->linear = linear;
    launch->forbidden = allowed == PREDICATE_FALSE;
    if (linear) {
        launch->block_size = 0;
    } else {
        launch->x = call_value(call, methods->x) & methods->x_bits;
        launch->y = call_value(call, methods->y) & methods->y_bits;
    }
    if (!transfer_block_exists(launch->block_size)) {
        call_error(call, ENGINE_ERROR_INVALID_ENUM);
        return cancel(call);
    }
    words_begin(call->object, launch->bytes / 4 + (launch->bytes % 4 != 0));
    return launch->bytes ? INLINE_MORE : INLINE_DONE;
}

static void inline_tell(const struct call *call, const struct inline_launch *launch) {
    const struct surface surface = inline_target_of(call, launch);
    const struct access access = {"upload",
                                  {launch->x, launch->y, launch->layer},
                                  launch->line_length,
                                  launch->line_length ? launch->bytes / launch->line_length : 0};
    call_writes(call, &surface, &access);
}

enum inline_result inline_data(const struct call *call, uint32_t *launch_data) {
    const struct inline_launch *launch = inline_launch_of(call);
    words_take(call);
    *launch_data = launch->data;
    if (!inline_commit(call))
        return INLINE_ENDED;
    if (object_words(call->object)->left)
        return INLINE_MORE;
    if (!launch->forbidden) {
        inline_tell(call, launch);
        call_done(call, "upload", launch->address, launch->bytes);
    }
    return INLINE_DONE;
}

/* ---- the window of GK104 and later ---- */

#define COMPLETION_SEMAPHORE 2u

/*
 * All data has come.
 * UNKNOWN: which of the interrupt types 1 to 3 does what; chosen: all interrupt.
 * UNKNOWN: whether a launch latches the methods of the semaphore; chosen: it does not, they are read when it is due.
 */
static void inline_complete(const struct call *call, uint32_t launch) {
    unsigned bits = call->object->index->kind->inline_bits;
    struct dma_address target = {0,
                                 call_address(call, GF100_3D_SET_I2M_SEMAPHORE_A, GF100_3D_SET_I2M_SEMAPHORE_B, bits)};
    enum report_words words = launch >> 12 & 1 ? REPORT_ONE_WORD : REPORT_FOUR_WORDS;
    uint32_t payload = call_value(call, GF100_3D_SET_I2M_SEMAPHORE_C);
    bool done = true;
    if ((launch >> 4 & 3) == COMPLETION_SEMAPHORE) {
        if (launch >> 1 & 1)
            done = report_reduce_numbered(call, target, launch >> 13 & 7, launch >> 2 & 3, false, payload, words,
                                          event_words[PFIFO_WORD_SEMAPHORE]);
        else
            done = report_release(call, target, payload, words, event_words[PFIFO_WORD_SEMAPHORE]);
    }
    if (done && launch >> 8 & 3)
        call_interrupt(call, "INLINE");
}

/* The 20 and 16 bits that a040's header gives to origins are 21 and 17 in later ones; no surface is that large. */
static const struct inline_methods window = {.line_length = GF100_3D_LINE_LENGTH_IN,
                                             .line_count = GF100_3D_LINE_COUNT,
                                             .high = GF100_3D_OFFSET_OUT_UPPER,
                                             .low = GF100_3D_OFFSET_OUT,
                                             .pitch = GF100_3D_PITCH_OUT,
                                             .block_size = GF100_3D_SET_DST_BLOCK_SIZE,
                                             .x = GF100_3D_SET_DST_ORIGIN_BYTES_X,
                                             .y = GF100_3D_SET_DST_ORIGIN_SAMPLES_Y,
                                             .x_bits = 0x1fffff,
                                             .y_bits = 0x1ffff};

static enum action_result inline_start(const struct call *call, enum predicate allowed) {
    if (inline_begin(call, &window, call->data & 1, allowed) == INLINE_DONE)
        inline_complete(call, call->data);
    return ACTION_DONE;
}

/* UNKNOWN: whether the conditions of 3D and compute classes decide over their inline data; chosen: they do not. */
static enum action_result inline_launch_plain(struct call *call) {
    return inline_start(call, PREDICATE_TRUE);
}

static enum action_result launch_conditional(struct call *call) {
    static const struct predicate_methods own = {.high = GF100_3D_SET_RENDER_ENABLE_A,
                                                 .low = GF100_3D_SET_RENDER_ENABLE_B,
                                                 .mode = GF100_3D_SET_RENDER_ENABLE_C,
                                                 .override = GF100_3D_SET_RENDER_ENABLE_OVERRIDE,
                                                 .bits = 8};
    return inline_start(call, predicate_with_global(call, &own));
}

static enum action_result inline_word(struct call *call) {
    uint32_t launch_data;
    if (inline_data(call, &launch_data) == INLINE_DONE)
        inline_complete(call, launch_data);
    return ACTION_DONE;
}

#define DATA_ACTION                                                                                                    \
    { .method = GF100_3D_LOAD_INLINE_DATA, .type = ACTION_EFFECT, .run = inline_word, .absorb = words_absorb }

const struct action inline_gk104_actions[] = {
    {.method = GF100_3D_LAUNCH_DMA, .type = ACTION_EFFECT, .run = inline_launch_plain}, DATA_ACTION, {0}};
static const struct action class_actions[] = {
    {.method = GF100_3D_LAUNCH_DMA, .type = ACTION_EFFECT, .run = launch_conditional}, DATA_ACTION, {0}};

static const struct method_reset resets[] = {
    PREDICATE_RESET(GF100_3D_SET_GLOBAL_RENDER_ENABLE_C), PREDICATE_RESET(GF100_3D_SET_RENDER_ENABLE_C), {0}};

const struct kind kind_gk104_inline = {.name = "inline to memory",
                                       .role = ROLE_INLINE,
                                       .parts = {INLINE_PARTS},
                                       .report_bits = 8,
                                       .inline_bits = 8,
                                       .resets = resets,
                                       .groups = {notify_gf100_actions, predicate_global_actions, class_actions}};
const struct kind kind_gk110_inline = {.name = "inline to memory",
                                       .role = ROLE_INLINE,
                                       .parts = {INLINE_PARTS},
                                       .report_bits = 25,
                                       .inline_bits = 25,
                                       .resets = resets,
                                       .groups = {notify_gf100_actions, predicate_global_actions, class_actions}};
