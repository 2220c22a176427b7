/* SPDX-License-Identifier: MIT */
/* Lanes among each other, memory, and what the stage lends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "shade/rig.h"

static int begin(void **state) {
    struct rig *rig = malloc(sizeof *rig);
    if (!rig)
        return -1;
    rig_begin(rig);
    *state = rig;
    return 0;
}

static int end(void **state) {
    rig_end(*state);
    free(*state);
    return 0;
}

static float f32(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void set_float(struct rig *rig, unsigned number, unsigned lane, float value) {
    memcpy(&rig->warp.registers[number][lane], &value, sizeof value);
}

/* ---- lanes among each other ---- */

static void votes_count_the_lanes_that_run(void **state) {
    struct rig *rig = *state;
    for (unsigned mode = 0; mode < 3; mode++) {
        struct ir *ir = rig_add(rig, IR_VOTE);
        ir->mode = (uint16_t)mode;
        ir->p = (uint8_t)mode;
        ir->d = 1;
        ir->guard = 6;
        ir->combine_predicate = 5;
    }
    rig_load(rig, UINT32_MAX, 0);
    rig->warp.predicates[6] = 0x0000ff00;
    rig->warp.predicates[5] = 0xffff0ff0;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(rig->warp.registers[1][8], 0x00000f00);
    assert_int_equal(rig->warp.registers[1][0], 0);
    assert_int_equal(rig->warp.predicates[0], 0);
    assert_int_equal(rig->warp.predicates[1], 0x0000ff00);
    assert_int_equal(rig->warp.predicates[2], 0);
}

static void shuffle(struct rig *rig, unsigned mode, uint32_t by, uint32_t clamp, const int from[4], uint32_t in_range) {
    rig->count = 0;
    struct ir *ir = rig_add(rig, IR_SHFL);
    ir->mode = (uint16_t)mode;
    ir->d = 1;
    ir->p = 0;
    ir->a = rig_register(0);
    ir->b = rig_immediate(by);
    ir->c = rig_immediate(clamp);
    rig_load(rig, UINT32_MAX, 0);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        rig->warp.registers[0][i] = 100 + i;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rig->warp.registers[1][i], 100 + from[i]);
    assert_int_equal(rig->warp.predicates[0], in_range);
}

static void shuffles_stay_in_their_segment(void **state) {
    struct rig *rig = *state;
    shuffle(rig, 3, 1, 0x1c03, (const int[]){1, 0, 3, 2}, UINT32_MAX); /* the other column of a quad */
    shuffle(rig, 3, 2, 0x1c03, (const int[]){2, 3, 0, 1}, UINT32_MAX); /* the other line */
    shuffle(rig, 0, 2, 0x1c03, (const int[]){2, 2, 2, 2}, UINT32_MAX); /* lane 2 of a quad */
    shuffle(rig, 2, 1, 0x1f, (const int[]){1, 2, 3, 4}, 0x7fffffff);   /* down */
    shuffle(rig, 1, 1, 0, (const int[]){0, 0, 1, 2}, 0xfffffffe);      /* up */
    shuffle(rig, 1, 1, 0x1c00, (const int[]){0, 0, 1, 2}, 0xeeeeeeee); /* up, in quads */
}

static void differences_of_a_quad_are_its_derivatives(void **state) {
    struct rig *rig = *state;
    for (unsigned i = 0; i < 2; i++) {
        struct ir *ir = rig_add(rig, IR_FSWZADD);
        ir->type = IR_F32;
        ir->mode = (uint16_t)(4 + i);
        ir->mask = i ? 0xa5 : 0x99;
        ir->d = (uint8_t)(1 + i);
        ir->a = ir->b = rig_register(0);
    }
    rig_load(rig, UINT32_MAX, 0);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        static const float quad[] = {1, 3, 10, 14};
        set_float(rig, 0, i, quad[i & 3]);
    }
    assert_int_equal(rig_run(rig), SHADE_DONE);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        assert_true(f32(rig->warp.registers[1][i]) == (i & 2 ? 4 : 2));
        assert_true(f32(rig->warp.registers[2][i]) == (i & 1 ? 11 : 9));
    }
}

/* ---- memory ---- */

static uint8_t memory[256];

static bool load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                 unsigned stride) {
    (void)warp;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        if (!(lanes >> i & 1))
            continue;
        if (address[i] + bytes > sizeof memory)
            return false;
        memcpy((uint8_t *)to + (size_t)i * stride, memory + address[i], bytes);
    }
    return true;
}

static bool store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                  unsigned stride) {
    (void)warp;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        if (!(lanes >> i & 1))
            continue;
        if (address[i] + bytes > sizeof memory)
            return false;
        memcpy(memory + address[i], (const uint8_t *)from + (size_t)i * stride, bytes);
    }
    return true;
}

static void memory_begin(struct rig *rig) {
    rig->io.load = load;
    rig->io.store = store;
    for (unsigned i = 0; i < sizeof memory; i++)
        memory[i] = (uint8_t)(0x80 + i);
}

static struct ir *access(struct rig *rig, enum ir_op op, enum ir_type type, enum ir_space space) {
    struct ir *ir = rig_add(rig, op);
    ir->type = (uint8_t)type;
    ir->space = (uint8_t)space;
    ir->a = rig_register(0);
    return ir;
}

static void loads_extend_and_fill_registers(void **state) {
    struct rig *rig = *state;
    memory_begin(rig);
    access(rig, IR_LD, IR_S8, IR_SPACE_GLOBAL)->d = 4;
    access(rig, IR_LD, IR_U16, IR_SPACE_GLOBAL)->d = 5;
    access(rig, IR_LD, IR_B128, IR_SPACE_GLOBAL)->d = 8;
    rig->code[1].offset = 2;
    rig_load(rig, UINT32_MAX, 0);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        rig->warp.registers[0][i] = 16 * (i % 8);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        assert_int_equal(rig->warp.registers[4][i], (uint32_t)(int8_t)(0x80 + 16 * (i % 8)));
        assert_int_equal(rig->warp.registers[5][i], memory[16 * (i % 8) + 2] | memory[16 * (i % 8) + 3] << 8);
        uint32_t words[4];
        memcpy(words, memory + 16 * (i % 8), 16);
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(rig->warp.registers[8 + k][i], words[k]);
    }
}

static void a_failed_access_stops_the_warp_there(void **state) {
    struct rig *rig = *state;
    memory_begin(rig);
    rig_add(rig, IR_NOP);
    access(rig, IR_LD, IR_U32, IR_SPACE_GLOBAL)->d = 1;
    rig_load(rig, UINT32_MAX, 0);
    rig->warp.registers[0][5] = 1000;
    assert_int_equal(rig_run(rig), SHADE_FAULT);
    assert_int_equal(rig->warp.fault_address, 8);
}

static void discarded_and_helper_lanes_store_nothing(void **state) {
    struct rig *rig = *state;
    memory_begin(rig);
    rig->io.quads = true;
    rig_add(rig, IR_KIL)->guard = 0;
    access(rig, IR_ST, IR_U32, IR_SPACE_GLOBAL)->b = rig_immediate(0);
    struct ir *atom = access(rig, IR_ATOM, IR_U32, IR_SPACE_GLOBAL);
    atom->b = rig_immediate(1);
    atom->atomic = IR_ADD;
    atom->d = 1;
    rig_load(rig, 0xf, 0x4);
    for (unsigned i = 0; i < 4; i++) {
        rig->warp.registers[0][i] = 4 * i;
        rig->warp.registers[1][i] = 7;
    }
    rig->warp.predicates[0] = 0x1;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    uint32_t words[4];
    memcpy(words, memory, sizeof words);
    assert_int_equal(words[0], 0x83828180);
    assert_int_equal(words[1], 1);
    assert_int_equal(words[2], 0x8b8a8988);
    assert_int_equal(words[3], 1);
    assert_int_equal(rig->warp.registers[1][0], 0); /* UNKNOWN in atomic.c */
    assert_int_equal(rig->warp.registers[1][2], 0);
}

static uint32_t atomic(struct rig *rig, enum ir_atomic what, enum ir_type type, uint32_t old, uint32_t b, uint32_t c) {
    rig->count = 0;
    struct ir *ir = access(rig, IR_ATOM, type, IR_SPACE_GLOBAL);
    ir->atomic = (uint8_t)what;
    ir->d = 1;
    ir->b = rig_register(2);
    ir->c = rig_register(4);
    memcpy(memory, &old, 4);
    rig_load(rig, 1, 0);
    rig_set(rig, 2, b);
    rig_set(rig, 4, c);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(rig->warp.registers[1][0], old);
    uint32_t value;
    memcpy(&value, memory, 4);
    return value;
}

static void atomics_give_the_old_value(void **state) {
    struct rig *rig = *state;
    memory_begin(rig);
    assert_int_equal(atomic(rig, IR_ADD, IR_U32, 5, 0xffffffff, 0), 4);
    assert_int_equal(atomic(rig, IR_MIN, IR_U32, 5, 0xffffffff, 0), 5);
    assert_int_equal(atomic(rig, IR_MIN, IR_S32, 5, 0xffffffff, 0), 0xffffffff);
    assert_int_equal(atomic(rig, IR_MAX, IR_S32, 5, 0xffffffff, 0), 5);
    assert_int_equal(atomic(rig, IR_INC, IR_U32, 5, 5, 0), 0);
    assert_int_equal(atomic(rig, IR_INC, IR_U32, 5, 6, 0), 6);
    assert_int_equal(atomic(rig, IR_DEC, IR_U32, 0, 6, 0), 6);
    assert_int_equal(atomic(rig, IR_DEC, IR_U32, 7, 6, 0), 6);
    assert_int_equal(atomic(rig, IR_DEC, IR_U32, 6, 6, 0), 5);
    assert_int_equal(atomic(rig, IR_ATOM_XOR, IR_U32, 6, 3, 0), 5);
    assert_int_equal(atomic(rig, IR_EXCHANGE, IR_U32, 6, 3, 0), 3);
    assert_int_equal(atomic(rig, IR_CAS, IR_U32, 6, 6, 9), 9);
    assert_int_equal(atomic(rig, IR_CAS, IR_U32, 6, 7, 9), 6);
    assert_int_equal(atomic(rig, IR_ADD, IR_F32, 0x3f800000, 0x40000000, 0), 0x40400000);
    assert_int_equal(atomic(rig, IR_ADD, IR_F16X2, 0x3c004000, 0x3c003c00, 0), 0x40004200);
}

static void local_and_shared_memory_are_windows_of_the_generic_space(void **state) {
    struct rig *rig = *state;
    static uint8_t local[SHADE_LANES * 16], shared[64];
    memory_begin(rig);
    memset(local, 0, sizeof local);
    memset(shared, 0, sizeof shared);
    rig->io.local = local;
    rig->io.local_bytes = 16;
    rig->io.shared = shared;
    rig->io.shared_bytes = 64;
    rig->io.local_window = 0xff000000;
    rig->io.shared_window = 0xfe000000;
    access(rig, IR_ST, IR_U32, IR_SPACE_GENERIC)->b = rig_register(1);
    access(rig, IR_LD, IR_U32, IR_SPACE_GENERIC)->d = 2;
    rig_load(rig, 0xf, 0);
    static const uint32_t addresses[] = {0xff000004, 0xff00000c, 0xfe00003c, 8};
    for (unsigned i = 0; i < 4; i++) {
        rig->warp.registers[0][i] = addresses[i];
        rig->warp.registers[1][i] = 0x100 + i;
    }
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(local[4], 0);
    assert_int_equal(local[5], 1);
    assert_int_equal(shared[0x3c], 2);
    assert_int_equal(memory[8], 3);
    assert_int_equal(rig->warp.registers[2][0], 0x100);
    assert_int_equal(rig->warp.registers[2][1], 0x101);
    assert_int_equal(rig->warp.registers[2][2], 0x102);
    assert_int_equal(rig->warp.registers[2][3], 0x103);
}

/* lock: LD_LOCK p0 = r1; @p0 r1 += 1; @p0 ST_UNLOCK p1; @!p1 BRA lock */
static void locks_of_shared_memory_let_every_lane_through(void **state) {
    struct rig *rig = *state;
    static uint8_t shared[16];
    memset(shared, 0, sizeof shared);
    rig->io.shared = shared;
    rig->io.shared_bytes = sizeof shared;
    struct ir *lock = access(rig, IR_LD_LOCK, IR_U32, IR_SPACE_SHARED);
    lock->d = 1;
    lock->p = 0;
    struct ir *add = rig_add(rig, IR_IADD);
    add->d = 1;
    add->a = rig_register(1);
    add->b = rig_immediate(1);
    add->guard = 0;
    struct ir *unlock = access(rig, IR_ST_UNLOCK, IR_U32, IR_SPACE_SHARED);
    unlock->b = rig_register(1);
    unlock->p = 1;
    unlock->guard = 0;
    struct ir *again = rig_add(rig, IR_BRA);
    again->guard = 1;
    again->guard_negate = true;
    rig_load(rig, UINT32_MAX, 0);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        rig->warp.registers[0][i] = i & 4; /* two words, 16 lanes each */
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(shared[0], 16);
    assert_int_equal(shared[4], 16);
}

static void constants_beyond_their_bank_are_zero(void **state) {
    struct rig *rig = *state;
    static const uint8_t bank[] = {1, 2, 3, 4, 5, 6, 7, 8};
    rig->io.constants[3] = (struct shade_constants){bank, sizeof bank};
    struct ir *in_place = rig_add(rig, IR_MOV);
    in_place->d = 1;
    in_place->a = rig_constant(3, 4);
    struct ir *outside = rig_add(rig, IR_MOV);
    outside->d = 2;
    outside->a = rig_constant(3, 8);
    struct ir *segment = access(rig, IR_LDC, IR_U64, IR_SPACE_GLOBAL);
    segment->mode = 2;
    segment->bank = 1;
    segment->d = 4;
    rig_load(rig, UINT32_MAX, 0);
    rig_set(rig, 2, 1);
    rig_set(rig, 0, 2 << 16);
    rig->warp.registers[0][1] = 30u << 16;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(rig->warp.registers[1][0], 0x08070605);
    assert_int_equal(rig->warp.registers[2][0], 0);
    assert_int_equal(rig->warp.registers[4][0], 0x04030201);
    assert_int_equal(rig->warp.registers[5][0], 0x08070605);
    assert_int_equal(rig->warp.registers[4][1], 0);
}

/* ---- what the stage lends ---- */

static void attributes_are_rows_of_words(void **state) {
    struct rig *rig = *state;
    shade_row *rows = calloc(2, SHADE_ATTRIBUTES * sizeof *rows);
    assert_non_null(rows);
    rig->io.inputs = rows;
    rig->io.outputs = rows + SHADE_ATTRIBUTES;
    for (unsigned word = 0; word < SHADE_ATTRIBUTES; word++)
        for (unsigned i = 0; i < SHADE_LANES; i++)
            rows[word][i] = word << 8 | i;
    struct ir *in = rig_add(rig, IR_ALD);
    in->type = IR_B96;
    in->d = 4;
    in->offset = 0x80;
    struct ir *indexed = rig_add(rig, IR_ALD);
    indexed->d = 8;
    indexed->a = rig_register(0);
    struct ir *out = rig_add(rig, IR_AST);
    out->type = IR_B128;
    out->b = rig_register(4);
    out->offset = 0x70;
    out->guard = 0;
    rig_load(rig, UINT32_MAX, 0);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        rig->warp.registers[0][i] = 40 * i; /* the last ones lie outside */
    rig->warp.predicates[0] = 0xffff;
    assert_int_equal(rig_run(rig), SHADE_DONE);
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        for (unsigned k = 0; k < 4; k++) {
            uint32_t read = k < 3 ? (0x20 + k) << 8 | i : 0;
            assert_int_equal(rig->warp.registers[4 + k][i], read);
            assert_int_equal(rig->io.outputs[0x1c + k][i], i < 16 ? read : 0);
        }
        assert_int_equal(rig->warp.registers[8][i], 40 * i < 0x400 ? 10 * i << 8 | i : 0);
    }
    free(rows);
}

static void interpolate(struct shade_warp *warp, uint32_t lanes, const uint32_t *word, const struct ir *ir,
                        const uint32_t *offset, uint32_t *out) {
    (void)warp, (void)ir, (void)offset;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        if (lanes >> i & 1) {
            float value = (float)word[i];
            memcpy(&out[i], &value, sizeof value);
        }
}

static void interpolation_is_multiplied_as_the_mode_says(void **state) {
    struct rig *rig = *state;
    rig->io.interpolate = interpolate;
    for (unsigned mode = 0; mode < 4; mode++) {
        struct ir *ir = rig_add(rig, IR_IPA);
        ir->mode = (uint16_t)mode;
        ir->d = (uint8_t)(1 + mode);
        ir->offset = 0x80;
        ir->b = rig_immediate(0x40000000);
    }
    for (unsigned flat = 0; flat < 2; flat++) {
        rig->io.flat = flat;
        rig_load(rig, UINT32_MAX, 0);
        assert_int_equal(rig_run(rig), SHADE_DONE);
        assert_true(f32(rig->warp.registers[1][9]) == 32);
        assert_true(f32(rig->warp.registers[2][9]) == 64);
        assert_true(f32(rig->warp.registers[3][9]) == 32);
        assert_true(f32(rig->warp.registers[4][9]) == (flat ? 32 : 64));
    }
}

/* There is no exception for what is linear, as the position, though Mesa 24 and later reads it so. */
static void the_position_is_multiplied_like_any_attribute(void **state) {
    struct rig *rig = *state;
    rig->io.interpolate = interpolate;
    for (unsigned component = 0; component < 4; component++) {
        struct ir *ir = rig_add(rig, IR_IPA);
        ir->mode = 1;
        ir->d = (uint8_t)(1 + component);
        ir->offset = (int32_t)(0x70 + 4 * component);
        ir->b = rig_immediate(0x40000000);
    }
    rig_load(rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    for (unsigned component = 0; component < 4; component++)
        assert_true(f32(rig->warp.registers[1 + component][9]) == (float)(2 * (0x1c + component)));
}

static bool texture(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *handle,
                    shade_row out[4]) {
    (void)warp, (void)lanes, (void)ir;
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            float value = (float)(handle[i] + k);
            memcpy(&out[k][i], &value, sizeof value);
        }
    return true;
}

static struct ir *sample(struct rig *rig, unsigned mask, unsigned d) {
    struct ir *ir = rig_add(rig, IR_TEX);
    struct ir_texture *with = &ir->texture;
    memset(with, IR_ZERO, sizeof *with);
    with->array = with->shadow = with->samples = with->offsets = with->offsets4 = false;
    with->in_bank = with->by_slot = with->f16 = with->layer_low = with->offset_high = false;
    with->sampler = 0;
    with->mask = (uint8_t)mask;
    for (unsigned k = 0; k < 4; k++)
        if (mask >> k & 1)
            with->d[k] = (uint8_t)d++;
    return ir;
}

static void textures_get_their_handle_and_write_their_mask(void **state) {
    struct rig *rig = *state;
    static const uint8_t bank[] = {0, 0, 0, 0, 5, 0, 0, 0};
    rig->io.texture = texture;
    rig->io.texture_bank = 2;
    rig->io.constants[2] = (struct shade_constants){bank, sizeof bank};
    struct ir *bound = sample(rig, 0xa, 1);
    bound->texture.in_bank = true;
    bound->texture.slot = 1;
    sample(rig, 0x1, 4)->texture.handle = 0;
    struct ir *slots = sample(rig, 0x1, 5);
    slots->texture.by_slot = true;
    slots->texture.slot = 7;
    struct ir *halves = sample(rig, 0x7, 6);
    halves->texture.handle = 0;
    halves->texture.f16 = true;
    halves->texture.d[1] = 6;
    halves->texture.d[2] = 7;
    rig_load(rig, UINT32_MAX, 0);
    rig_set(rig, 0, 1);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_true(f32(rig->warp.registers[1][0]) == 6);
    assert_true(f32(rig->warp.registers[2][0]) == 8);
    assert_int_equal(rig->warp.registers[3][0], 0);
    assert_true(f32(rig->warp.registers[4][0]) == 1);
    assert_true(f32(rig->warp.registers[5][0]) == 7);
    assert_int_equal(rig->warp.registers[6][0], 0x40003c00);
    assert_int_equal(rig->warp.registers[7][0], 0x4200);
}

static void what_the_stage_does_not_lend_is_reported(void **state) {
    struct rig *rig = *state;
    static const uint8_t ops[] = {IR_LD, IR_ST, IR_ATOM, IR_ALD, IR_AST, IR_IPA, IR_OUT, IR_PIXLD, IR_TEX, IR_SURFACE};
    for (unsigned i = 0; i < sizeof ops; i++)
        rig_add(rig, ops[i]);
    rig_add(rig, IR_S2R)->a = rig_immediate(0x20);
    rig_load(rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(rig->reports, sizeof ops + 1);
}

static void lanes_know_their_number_and_masks(void **state) {
    struct rig *rig = *state;
    static const uint8_t numbers[] = {0x00, 0x13, 0x38, 0x39, 0x3a, 0x3b, 0x3c};
    for (unsigned i = 0; i < sizeof numbers; i++) {
        struct ir *ir = rig_add(rig, IR_S2R);
        ir->a = rig_immediate(numbers[i]);
        ir->d = (uint8_t)i;
    }
    rig->io.quads = true;
    rig_load(rig, UINT32_MAX, 0x20);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    static const uint32_t expected[] = {5, UINT32_MAX, 0x20, 0x1f, 0x3f, 0xffffffc0, 0xffffffe0};
    for (unsigned i = 0; i < sizeof numbers; i++)
        assert_int_equal(rig->warp.registers[i][5], expected[i]);
}

static void blocks_of_registers_end_at_the_last(void **state) {
    struct rig *rig = *state;
    memory_begin(rig);
    access(rig, IR_LD, IR_B128, IR_SPACE_GLOBAL)->d = 253;
    struct ir *zero = access(rig, IR_LD, IR_B128, IR_SPACE_GLOBAL);
    zero->d = IR_ZERO;
    rig_load(rig, UINT32_MAX, 0);
    assert_int_equal(rig_run(rig), SHADE_DONE);
    assert_int_equal(rig->warp.registers[253][0], 0x83828180);
    assert_int_equal(rig->warp.registers[254][0], 0x87868584);
    assert_int_equal(rig->warp.registers[IR_ZERO][0], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(votes_count_the_lanes_that_run, begin, end),
        cmocka_unit_test_setup_teardown(shuffles_stay_in_their_segment, begin, end),
        cmocka_unit_test_setup_teardown(differences_of_a_quad_are_its_derivatives, begin, end),
        cmocka_unit_test_setup_teardown(loads_extend_and_fill_registers, begin, end),
        cmocka_unit_test_setup_teardown(a_failed_access_stops_the_warp_there, begin, end),
        cmocka_unit_test_setup_teardown(discarded_and_helper_lanes_store_nothing, begin, end),
        cmocka_unit_test_setup_teardown(atomics_give_the_old_value, begin, end),
        cmocka_unit_test_setup_teardown(local_and_shared_memory_are_windows_of_the_generic_space, begin, end),
        cmocka_unit_test_setup_teardown(locks_of_shared_memory_let_every_lane_through, begin, end),
        cmocka_unit_test_setup_teardown(constants_beyond_their_bank_are_zero, begin, end),
        cmocka_unit_test_setup_teardown(attributes_are_rows_of_words, begin, end),
        cmocka_unit_test_setup_teardown(interpolation_is_multiplied_as_the_mode_says, begin, end),
        cmocka_unit_test_setup_teardown(the_position_is_multiplied_like_any_attribute, begin, end),
        cmocka_unit_test_setup_teardown(textures_get_their_handle_and_write_their_mask, begin, end),
        cmocka_unit_test_setup_teardown(what_the_stage_does_not_lend_is_reported, begin, end),
        cmocka_unit_test_setup_teardown(lanes_know_their_number_and_masks, begin, end),
        cmocka_unit_test_setup_teardown(blocks_of_registers_end_at_the_last, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
