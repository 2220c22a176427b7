/* SPDX-License-Identifier: MIT */
/* Which values are in which vector registers, for a piece of a run. */
#include <assert.h>
#include <string.h>

#include "engine/shade/compile/lower.h"

#define CODE (&l->code)

static int32_t row_of(unsigned number) {
    return (int32_t)(number * sizeof(shade_row));
}

void lower_begin(struct lower *l, const struct assembler *code) {
    memset(l, 0, sizeof *l);
    l->code = *code;
    l->value_count = CODE->wide ? LOWER_VALUES : LOWER_NARROW_VALUES;
    memset(l->place, LOWER_VALUES, sizeof l->place);
    for (unsigned i = 0; i < LOWER_VALUES; i++)
        l->values[i].number = LOWER_NOTHING;
    l->bank = -1;
}

static void forget(struct lower *l) {
    for (unsigned i = 0; i < LOWER_VALUES; i++) {
        if (l->values[i].number != LOWER_NOTHING)
            l->place[l->values[i].number] = LOWER_VALUES;
        l->values[i] = (struct lower_value){.number = LOWER_NOTHING};
    }
    memset(l->known, 0, sizeof l->known);
    memset(l->changed, 0, sizeof l->changed);
    l->bank = -1;
}

/* ---- pieces ---- */

void lower_open(struct lower *l) {
    if (l->open)
        return;
    l->open = true;
    assembler_address(CODE, RBX, RBP, offsetof(struct shade_warp, registers));
    assembler_address(CODE, R14, RBP, offsetof(struct shade_warp, predicates));
    assembler_move32(CODE, R15, R13);
    l->again = CODE->size;
    if (CODE->wide)
        assembler_test16(CODE, R15);
    else
        assembler_test8(CODE, R15);
    l->skip = assembler_jump(CODE, IF_EQUAL);
    assembler_mask_from(CODE, LOWER_LANES, R15);
    l->bank = -1;
}

static void store(struct lower *l, unsigned t, bool all) {
    struct assembler_operand to = at_row(RBX, row_of(l->values[t].number));
    if (all)
        assembler_vector(CODE, VMOVDQA32_STORE, t, 0, to);
    else
        assembler_vector_masked(CODE, VMOVDQA32_STORE, t, 0, to, LOWER_LANES, false);
}

/* A part of a predicate, for the lanes of the loop. */
static void load_bits(struct lower *l, unsigned r, int32_t at) {
    if (CODE->wide)
        assembler_load16(CODE, r, R14, at);
    else
        assembler_load8(CODE, r, R14, at);
}

static void store_bits(struct lower *l, int32_t at, unsigned r) {
    if (CODE->wide)
        assembler_store16(CODE, R14, at, r);
    else
        assembler_store8(CODE, R14, at, r);
}

static void store_all(struct lower *l, bool all) {
    for (unsigned t = 0; t < LOWER_VALUES; t++)
        if (l->values[t].changed)
            store(l, t, all);
    for (unsigned p = 0; p < LOWER_PREDICATES; p++) {
        int32_t at = (int32_t)(p * sizeof(uint32_t));
        if (!l->changed[p])
            continue;
        if (!all) {
            assembler_mask_to(CODE, RAX, 1 + p);
            load_bits(l, RCX, at);
            assembler_xor(CODE, RAX, RCX);
            assembler_and(CODE, RAX, R15);
            assembler_xor(CODE, RAX, RCX);
            store_bits(l, at, RAX);
        } else {
            assembler_mask_store(CODE, R14, at, 1 + p);
        }
    }
}

static bool has_changes(const struct lower *l) {
    bool changes = false;
    for (unsigned t = 0; t < LOWER_VALUES; t++)
        changes |= l->values[t].changed;
    for (unsigned p = 0; p < LOWER_PREDICATES; p++)
        changes |= l->changed[p];
    return changes;
}

void lower_close(struct lower *l) {
    if (!l->open)
        return;
    l->open = false;
    if (has_changes(l)) {
        for (unsigned t = 0; t < LOWER_VALUES; t++)
            if (l->values[t].changed)
                lower_exact(l, t);
        assembler_compare(CODE, R13, -1);
        uint32_t some = assembler_jump(CODE, IF_NOT_EQUAL);
        store_all(l, true);
        uint32_t done = assembler_jump(CODE, ALWAYS);
        assembler_here(CODE, some);
        store_all(l, false);
        assembler_here(CODE, done);
    }
    assembler_here(CODE, l->skip);
    unsigned lanes = CODE->wide ? 16 : 8;
    assembler_add(CODE, RBX, (int32_t)(lanes * sizeof(uint32_t)));
    assembler_add(CODE, R14, (int32_t)(lanes / 8));
    assembler_shift_right(CODE, R15, (uint8_t)lanes);
    assembler_address(CODE, RAX, RBP, offsetof(struct shade_warp, registers) + sizeof(shade_row));
    assembler_compare64(CODE, RBX, RAX);
    assembler_jump_back(CODE, IF_BELOW, l->again);
    forget(l);
}

void lower_control(struct lower *l, bool flushes) {
    if (l->flushes == flushes)
        return;
    lower_close(l);
    l->flushes = flushes;
    if (flushes)
        assembler_control_word(CODE, 0x1fc0); /* all exceptions masked, to the nearest, subnormals are zeros */
    else
        assembler_control_load(CODE, RSP, 0);
}

void lower_flush(struct lower *l, bool flushes) {
    lower_control(l, flushes);
    lower_open(l);
}

/* ---- vector registers ---- */

void lower_release(struct lower *l) {
    for (unsigned i = 0; i < LOWER_VALUES; i++)
        l->values[i].taken = false;
}

/* A subnormal times 1 is a zero of its sign, where the host takes subnormals for zeros. */
void lower_exact(struct lower *l, unsigned t) {
    struct lower_value *value = &l->values[t];
    if (value->subnormal)
        assembler_vector(CODE, VMULPS, t, t, at_word(CODE, 0x3f800000));
    if (value->any_nan) {
        assembler_vector_byte(CODE, VCMPPS, LOWER_K, t, at_register(t), 3);
        assembler_vector_masked(CODE, VPBROADCASTD, t, 0, at_word(CODE, 0x7fffffff), LOWER_K, false);
    }
    value->subnormal = value->any_nan = false;
}

static void drop(struct lower *l, unsigned t) {
    if (l->values[t].number != LOWER_NOTHING)
        l->place[l->values[t].number] = LOWER_VALUES;
    l->values[t] = (struct lower_value){.number = LOWER_NOTHING};
}

/* One that has nothing, or what was not used for the longest time: that is stored. */
unsigned lower_take(struct lower *l) {
    unsigned oldest = LOWER_VALUES;
    assert(l->open);
    for (unsigned t = 0; t < l->value_count; t++) {
        const struct lower_value *value = &l->values[t];
        if (value->taken)
            continue;
        if (value->number == LOWER_NOTHING) {
            oldest = t;
            break;
        }
        if (oldest == LOWER_VALUES || value->used < l->values[oldest].used)
            oldest = t;
    }
    assert(oldest < LOWER_VALUES); /* an instruction does not take so many */
    if (l->values[oldest].changed) {
        lower_exact(l, oldest);
        store(l, oldest, false);
    }
    drop(l, oldest);
    l->values[oldest].taken = true;
    l->values[oldest].used = ++l->time;
    return oldest;
}

unsigned lower_register(struct lower *l, unsigned number, bool exact) {
    assert(number < IR_ZERO);
    unsigned t = l->place[number];
    if (t == LOWER_VALUES) {
        t = lower_take(l);
        assembler_vector(CODE, VMOVDQA32, t, 0, at_row(RBX, row_of(number)));
        l->values[t].number = (uint16_t)number;
        l->place[number] = (uint8_t)t;
    }
    if (exact)
        lower_exact(l, t);
    l->values[t].taken = true;
    l->values[t].used = ++l->time;
    return t;
}

/* ---- sources ---- */

bool lower_can(const struct ir_source *source) {
    if (source->part != IR_WHOLE)
        return false;
    switch (source->kind) {
    case IR_NONE:
    case IR_REGISTER:
    case IR_IMMEDIATE:
        return true;
    case IR_CONSTANT:
        return !source->index && source->bank < SHADE_BANKS && source->value < 1u << 20;
    default:
        return false;
    }
}

void lower_bank(struct lower *l, unsigned bank) {
    if (l->bank != (int)bank)
        assembler_load(CODE, RAX, R12,
                       (int32_t)(offsetof(struct shade_io, constants) + bank * sizeof(struct shade_constants)));
    l->bank = (int)bank;
}

static struct assembler_operand raw(struct lower *l, const struct ir_source *source, bool exact) {
    unsigned number = source->value & 0xff;
    switch (source->kind) {
    case IR_REGISTER:
        if (number != IR_ZERO)
            return at_register(lower_register(l, number, exact));
        return at_word(CODE, 0);
    case IR_CONSTANT:
        lower_bank(l, source->bank);
        if (l->constants[source->bank] < source->value + 4)
            l->constants[source->bank] = source->value + 4;
        return at_everywhere(RAX, (int32_t)source->value);
    default:
        return at_word(CODE, source->kind == IR_IMMEDIATE ? source->value : 0);
    }
}

struct assembler_operand lower_bits(struct lower *l, const struct ir_source *source, unsigned temporary) {
    if (source->kind == IR_IMMEDIATE && source->invert)
        return at_word(CODE, ~source->value);
    struct assembler_operand operand = raw(l, source, true);
    if (!source->invert)
        return operand;
    assembler_vector_byte(CODE, VPTERNLOGD, temporary, temporary, operand, 0x55);
    return at_register(temporary);
}

struct assembler_operand lower_float(struct lower *l, const struct ir_source *source, unsigned temporary, bool sign) {
    bool negate = sign && source->negate;
    if (source->kind == IR_IMMEDIATE)
        return at_word(CODE,
                       (source->absolute ? source->value & 0x7fffffff : source->value) ^ (negate ? 0x80000000 : 0));
    struct assembler_operand operand = raw(l, source, false);
    if (!source->absolute && !negate)
        return operand;
    unsigned t = lower_in_register(l, operand, temporary);
    if (source->absolute)
        assembler_vector(CODE, VPANDD, temporary, t, at_word(CODE, 0x7fffffff));
    if (negate)
        assembler_vector(CODE, VPXORD, temporary, source->absolute ? temporary : t, at_word(CODE, 0x80000000));
    return at_register(temporary);
}

unsigned lower_in_register(struct lower *l, struct assembler_operand operand, unsigned temporary) {
    if (operand.kind == AT_REGISTER)
        return operand.base;
    assembler_vector(CODE, VPBROADCASTD, temporary, 0, operand);
    return temporary;
}

/* ---- predicates ---- */

bool lower_can_predicate(unsigned number) {
    return number == IR_TRUE || number < LOWER_PREDICATES;
}

bool lower_can_guard(const struct ir *ir) {
    return ir->test == IR_TEST_TRUE && lower_can_predicate(ir->guard & 7);
}

bool lower_is_never(const struct ir *ir) {
    return (ir->guard & 7) == IR_TRUE && ir->guard_negate;
}

bool lower_is_guarded(const struct ir *ir) {
    return (ir->guard & 7) != IR_TRUE;
}

unsigned lower_predicate(struct lower *l, unsigned number) {
    assert(number < LOWER_PREDICATES && l->open);
    if (!l->known[number])
        assembler_mask_load(CODE, 1 + number, R14, (int32_t)(number * sizeof(uint32_t)));
    l->known[number] = true;
    return 1 + number;
}

unsigned lower_guard(struct lower *l, const struct ir *ir) {
    unsigned k = lower_predicate(l, ir->guard & 7);
    if (!ir->guard_negate)
        return k;
    assembler_mask_not(CODE, LOWER_K, k);
    return LOWER_K;
}

void lower_combine(struct lower *l, unsigned combine, unsigned predicate, bool negate) {
    if (predicate == IR_TRUE) { /* a value that is known */
        if (combine == IR_XOR && !negate)
            assembler_mask_not(CODE, 0, 0);
        else if ((combine == IR_OR || combine == IR_PASS_B) && !negate)
            assembler_mask(CODE, KXNOR, 0, 0, 0);
        else if ((combine == IR_AND || combine == IR_PASS_B) && negate)
            assembler_mask(CODE, KXOR, 0, 0, 0);
        return;
    }
    unsigned k = lower_predicate(l, predicate);
    if (negate) {
        assembler_mask_not(CODE, LOWER_K, k);
        k = LOWER_K;
    }
    if (combine == IR_PASS_B)
        assembler_mask_move(CODE, 0, k);
    else
        assembler_mask(CODE, combine == IR_AND ? KAND : combine == IR_OR ? KOR : KXOR, 0, 0, k);
}

void lower_set_predicate(struct lower *l, const struct ir *ir, unsigned number) {
    if (number == IR_TRUE)
        return;
    if (lower_is_guarded(ir)) {
        unsigned k = lower_predicate(l, number), guard = lower_guard(l, ir);
        assembler_mask(CODE, KAND, 0, 0, guard);
        assembler_mask(CODE, KANDN, k, guard, k);
        assembler_mask(CODE, KOR, k, k, 0);
    } else {
        assembler_mask_move(CODE, 1 + number, 0);
    }
    l->known[number] = l->changed[number] = true;
}

/* ---- results ---- */

void lower_result_at(struct lower *l, const struct ir *ir, unsigned number, unsigned t) {
    assert(l->values[t].taken && l->values[t].number == LOWER_NOTHING);
    if (number >= IR_ZERO)
        return;
    if (lower_is_guarded(ir)) {
        lower_exact(l, t);
        unsigned old = lower_register(l, number, true);
        assembler_vector_masked(CODE, VMOVDQA32, old, 0, at_register(t), lower_guard(l, ir), false);
        l->values[old].changed = true;
        return;
    }
    if (l->place[number] != LOWER_VALUES)
        drop(l, l->place[number]);
    l->values[t].number = (uint16_t)number;
    l->values[t].changed = true;
    l->place[number] = (uint8_t)t;
}

void lower_result(struct lower *l, const struct ir *ir, unsigned t) {
    lower_result_at(l, ir, ir->d, t);
}
