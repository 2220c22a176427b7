/* SPDX-License-Identifier: MIT */
#include "engine/graph/constants.h"

#include <assert.h>

#include "engine/graph/render.h"
#include "engine/kinds.h"
#include "fifo/fifo.h"
#include "methods/g80_3d.h"
#include "methods/g80_compute.h"
#include "methods/gf100_3d.h"
#include "methods/gf100_compute.h"

static void write_word(const struct call *call, const struct address_space *space, uint64_t address) {
    struct fault fault;
    if (!memory_wr32(call->engine->fifo->memory, space, address, call->data, &fault))
        call_fault_of(call, USE_CONSTANTS, &fault);
}

/*
 * Words that go to memory one after the other, as far as that is contiguous; says how many have been done. 0: one by
 * one, since the words are those that are written over.
 */
static uint32_t write_words(const struct call *call, const struct address_space *space, uint64_t address,
                            const uint32_t *data, uint32_t count) {
    struct memory *memory = call->engine->fifo->memory;
    struct span span;
    struct fault fault;
    if (!memory_span(memory, space, address, count * sizeof *data, MEMORY_WRITE, &span, &fault)) {
        call_fault_of(call, USE_CONSTANTS, &fault);
        return 1;
    }
    uint32_t words = (uint32_t)(span.bytes / sizeof *data);
    assert(words <= count);
    uintptr_t to = (uintptr_t)span.data, from = (uintptr_t)data;
    if (to < from + count * sizeof *data && from < to + words * sizeof *data)
        return 0;
    for (uint32_t i = 0; i < words; i++)
        store_le32(span.data + i * sizeof *data, data[i]);
    return words;
}

/* ---- Tesla ---- */

/* Methods of a class. */
struct g80_methods {
    uint16_t definition; /* upper and lower word of the address, size and number */
    uint16_t address;    /* buffer and word */
    uint16_t bind;
    uint16_t object; /* DMA object that the buffers are in */
};

static const struct g80_methods g80_3d = {G80_3D_CB_DEF_ADDRESS_HIGH, G80_3D_CB_ADDR, G80_3D_SET_PROGRAM_CB,
                                          G80_3D_DMA_CODE_CB};
static const struct g80_methods g80_compute = {G80_COMPUTE_CB_DEF_ADDRESS_HIGH, G80_COMPUTE_CB_ADDR,
                                               G80_COMPUTE_SET_PROGRAM_CB, G80_COMPUTE_DMA_CODE_CB};

const struct private_state constants_g80_part = {.bytes = CONSTANTS_G80_WORDS * sizeof(uint32_t)};

_Static_assert(CONSTANTS_G80_BUFFERS == 0x7f + 1, "a number has 7 bits");
_Static_assert(CONSTANTS_G80_WORDS - CONSTANTS_G80_SLOTS == 0xff + 1, "stage and slot have 8");

static uint32_t *buffers_g80(const struct call *call) {
    return object_part(call->object, &constants_g80_part);
}

static const struct g80_methods *methods_of(const struct call *call) {
    return call->action->argument;
}

/* CB_DEF_SET: [15:0] size, 0 is 64 KiB; [22:16] number. */
static enum action_result define_g80(struct call *call) {
    const struct g80_methods *m = methods_of(call);
    uint32_t *buffer = buffers_g80(call) + (call->data >> 16 & 0x7f) * CONSTANTS_BUFFER_WORDS;
    uint32_t size = call->data & 0xffff;
    buffer[0] = (call_value(call, m->definition) & 0xff) | CONSTANTS_VALID;
    buffer[1] = call_value(call, m->definition + 4u);
    buffer[2] = size ? size : 0x10000;
    return ACTION_DONE;
}

/* CB_ADDR: [6:0] buffer, [21:8] word, which goes on by itself and stays in its field. */
static enum action_result load_g80(struct call *call) {
    const struct g80_methods *m = methods_of(call);
    uint32_t at = call_value(call, m->address), word = at >> 8 & 0x3fff;
    const uint32_t *buffer = buffers_g80(call) + (at & 0x7f) * CONSTANTS_BUFFER_WORDS;
    struct address_space space = call_space(call, call_value(call, m->object));
    if (buffer[0] & CONSTANTS_VALID)
        write_word(call, &space, ((uint64_t)(buffer[0] & 0xff) << 32 | buffer[1]) + word * 4u);
    call_set_value(call, m->address, (at & ~0x3fff00u) | ((word + 1) & 0x3fff) << 8);
    return ACTION_DONE;
}

static uint32_t load_words_g80(struct call *call, const uint32_t *data, uint32_t count) {
    const struct g80_methods *m = methods_of(call);
    uint32_t at = call_value(call, m->address), word = at >> 8 & 0x3fff, left = 0x4000 - word;
    const uint32_t *buffer = buffers_g80(call) + (at & 0x7f) * CONSTANTS_BUFFER_WORDS;
    struct address_space space = call_space(call, call_value(call, m->object));
    if (!(buffer[0] & CONSTANTS_VALID))
        return 0;
    uint64_t address = ((uint64_t)(buffer[0] & 0xff) << 32 | buffer[1]) + word * 4u;
    uint32_t words = write_words(call, &space, address, data, count < left ? count : left);
    call_set_value(call, m->address, (at & ~0x3fff00u) | ((word + words) & 0x3fff) << 8);
    return words;
}

/* SET_PROGRAM_CB: [0] valid, [7:4] stage, [11:8] slot, [18:12] buffer. */
static enum action_result bind_g80(struct call *call) {
    uint32_t *slots = buffers_g80(call) + CONSTANTS_G80_SLOTS;
    slots[call->data >> 4 & 0xff] = (call->data >> 12 & 0x7f) | (call->data & 1 ? CONSTANTS_VALID : 0);
    return ACTION_DONE;
}

#define G80_ROWS(definition, data, bind, methods)                                                                      \
    {.method = (definition), .type = ACTION_INSIDE, .run = define_g80, .argument = &(methods)},                        \
        {.method = (data),                                                                                             \
         .count = 16,                                                                                                  \
         .type = ACTION_EFFECT,                                                                                        \
         .run = load_g80,                                                                                              \
         .burst = load_words_g80,                                                                                      \
         .argument = &(methods)},                                                                                      \
        {.method = (bind), .type = ACTION_INSIDE, .run = bind_g80, .argument = &(methods)}, {                          \
        0                                                                                                              \
    }

const struct action constants_g80_actions[] = {
    G80_ROWS(G80_3D_CB_DEF_SET, G80_3D_CB_DATA(0), G80_3D_SET_PROGRAM_CB, g80_3d)};
const struct action constants_g80_compute_actions[] = {
    G80_ROWS(G80_COMPUTE_CB_DEF_SET, G80_COMPUTE_CB_DATA(0), G80_COMPUTE_SET_PROGRAM_CB, g80_compute)};

/* ---- Fermi and later ---- */

#define BIND_STRIDE     32u
#define UNBIND_CONSTANT (1u << 8)

const struct private_state constants_gf100_part = {.bytes = CONSTANTS_GF100_WORDS * sizeof(uint32_t)};

static uint32_t *buffers_gf100(const struct call *call) {
    return object_part(call->object, &constants_gf100_part);
}

/* UNKNOWN: whether the offset of a load that a condition leaves out goes on; chosen: it does. */
static enum action_result load_gf100(struct call *call) {
    uint32_t offset = call_value(call, GF100_3D_LOAD_CONSTANT_BUFFER_OFFSET);
    uint64_t address =
        call_address(call, GF100_3D_SET_CONSTANT_BUFFER_SELECTOR_B, GF100_3D_SET_CONSTANT_BUFFER_SELECTOR_C, 8) +
        (offset & 0xfffc);
    struct address_space space = call_space(call, 0);
    if (!CALL_FIELD(call, GF100_3D_SET_RENDER_ENABLE_CONTROL, CONDITIONAL_LOAD_CONSTANT_BUFFER) ||
        render_allowed_gf100(call))
        write_word(call, &space, address);
    call_set_value(call, GF100_3D_LOAD_CONSTANT_BUFFER_OFFSET, (offset + 4) & 0xffff);
    return ACTION_DONE;
}

/* Several words at once, unless a condition must be evaluated for them. */
static uint32_t load_words_gf100(struct call *call, const uint32_t *data, uint32_t count) {
    uint32_t offset = call_value(call, GF100_3D_LOAD_CONSTANT_BUFFER_OFFSET), left = (0x10000 - (offset & 0xfffc)) / 4;
    struct address_space space = call_space(call, 0);
    if (CALL_FIELD(call, GF100_3D_SET_RENDER_ENABLE_CONTROL, CONDITIONAL_LOAD_CONSTANT_BUFFER) &&
        !render_always_gf100(call))
        return 0;
    uint64_t address =
        call_address(call, GF100_3D_SET_CONSTANT_BUFFER_SELECTOR_B, GF100_3D_SET_CONSTANT_BUFFER_SELECTOR_C, 8) +
        (offset & 0xfffc);
    uint32_t words = write_words(call, &space, address, data, count < left ? count : left);
    call_set_value(call, GF100_3D_LOAD_CONSTANT_BUFFER_OFFSET, (offset + words * 4) & 0xffff);
    return words;
}

static void bind_slot(const struct call *call, unsigned group, unsigned slot) {
    assert(group < CONSTANTS_GF100_GROUPS && slot < CONSTANTS_GF100_SLOTS);
    uint32_t *buffer = buffers_gf100(call) + (group * CONSTANTS_GF100_SLOTS + slot) * (size_t)CONSTANTS_BUFFER_WORDS;
    buffer[0] = CALL_FIELD(call, GF100_3D_SET_CONSTANT_BUFFER_SELECTOR_B, ADDRESS_UPPER) |
                (call->data & 1 ? CONSTANTS_VALID : 0);
    buffer[1] = call_value(call, GF100_3D_SET_CONSTANT_BUFFER_SELECTOR_C);
    buffer[2] = CALL_FIELD(call, GF100_3D_SET_CONSTANT_BUFFER_SELECTOR_A, SIZE);
}

static enum action_result bind_gf100(struct call *call) {
    bind_slot(call, (call->method - GF100_3D_BIND_GROUP_CONSTANT_BUFFER(0)) / BIND_STRIDE, call->data >> 4 & 0x1f);
    return ACTION_DONE;
}

static enum action_result bind_gf100_compute(struct call *call) {
    bind_slot(call, 0, call->data >> 8 & 0x1f);
    return ACTION_DONE;
}

static enum action_result unbind_gf100(struct call *call) {
    uint32_t *words = buffers_gf100(call);
    for (unsigned i = 0; (call->data & UNBIND_CONSTANT) && i < CONSTANTS_GF100_WORDS; i += CONSTANTS_BUFFER_WORDS)
        words[i] &= ~CONSTANTS_VALID;
    return ACTION_DONE;
}

#define LOAD_GF100                                                                                                     \
    {                                                                                                                  \
        .method = GF100_3D_LOAD_CONSTANT_BUFFER(0), .count = 16, .type = ACTION_EFFECT, .run = load_gf100,             \
        .burst = load_words_gf100                                                                                      \
    }
#define UNBIND_GF100                                                                                                   \
    { .method = GF100_3D_UNBIND_ALL, .type = ACTION_INSIDE, .run = unbind_gf100 }

const struct action constants_gf100_actions[] = {LOAD_GF100,
                                                 UNBIND_GF100,
                                                 {.method = GF100_3D_BIND_GROUP_CONSTANT_BUFFER(0),
                                                  .count = CONSTANTS_GF100_GROUPS,
                                                  .stride = BIND_STRIDE,
                                                  .type = ACTION_INSIDE,
                                                  .run = bind_gf100},
                                                 {0}};
const struct action constants_gf100_compute_actions[] = {
    LOAD_GF100,
    UNBIND_GF100,
    {.method = GF100_COMPUTE_BIND_CONSTANT_BUFFER, .type = ACTION_INSIDE, .run = bind_gf100_compute},
    {0}};
