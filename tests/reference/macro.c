/* SPDX-License-Identifier: MIT */
#include "reference/macro.h"

#include <string.h>

#define STEPS (1u << 20)

/* What a step says: go on, or how it ends. */
#define ON (-1)

/* The methods of calls change while a macro runs; what they are then is not known here. */
static uint32_t recall(struct reference_macro *m, uint32_t word) {
    m->lost |= word % 0x1000 >= 0xe00;
    return m->values[word % 0x1000];
}

static int emit(struct reference_macro *m, uint32_t *address, uint32_t step, uint32_t data) {
    uint32_t method = *address;
    if (m->lost || m->sends == REFERENCE_MACRO_SENDS || !m->is_plain(method * 4, m->opaque))
        return REFERENCE_MACRO_LEFT;
    m->send[m->sends].method = method * 4;
    m->send[m->sends++].data = data;
    m->values[method] = data;
    *address = (method + step) % 0x1000;
    return ON;
}

/* ---- GF100 ---- */

struct old {
    struct reference_macro *m;
    uint32_t at, address, step;
    int carry;
};

/* Bits high..low. */
static uint32_t cut(uint32_t word, int high, int low) {
    uint32_t result = 0;
    for (int i = high; i >= low; i--)
        result = result * 2 + ((word >> i) % 2);
    return result;
}

static int32_t literal(uint32_t word) {
    int32_t value = (int32_t)cut(word, 31, 14);
    return value >= 0x20000 ? value - 0x40000 : value;
}

static uint64_t pow2(uint32_t n) {
    return n < 64 ? UINT64_C(1) << n : 0;
}

static bool old_alu(struct old *o, uint32_t function, uint64_t a, uint64_t b, uint32_t *result) {
    const uint64_t full = pow2(32);
    uint64_t sum;
    switch (function) {
    case 0:
    case 1:
        sum = a + b + (function == 1 && o->carry ? 1 : 0);
        o->carry = sum >= full;
        break;
    case 2:
    case 3:
        sum = full + a - b - (function == 3 && !o->carry ? 1 : 0);
        o->carry = sum >= full;
        break;
    case 8:
        sum = (a | b) - (a & b);
        break;
    case 9:
        sum = a | b;
        break;
    case 10:
        sum = a & b;
        break;
    case 11:
        sum = a - (a & b);
        break;
    case 12:
        sum = full - 1 - (a & b);
        break;
    default:
        return false;
    }
    *result = (uint32_t)(sum % full);
    return true;
}

/* `size` bits of `from`, from bit `low` on, at bit `high` of a result. */
static uint32_t moved(uint32_t from, uint32_t low, uint32_t size, uint32_t high) {
    uint64_t bits = low < 32 ? (from / pow2(low)) % pow2(size) : 0;
    return high < 32 ? (uint32_t)(bits * pow2(high)) : 0;
}

static bool old_result(struct old *o, uint32_t word, uint32_t *result) {
    struct reference_macro *m = o->m;
    uint32_t a = m->reg[cut(word, 13, 11)], b = m->reg[cut(word, 16, 14)];
    uint32_t from = cut(word, 21, 17), size = cut(word, 26, 22), to = cut(word, 31, 27);
    switch (cut(word, 2, 0)) {
    case 0:
        return old_alu(o, from, a, b, result);
    case 1:
        *result = a + (uint32_t)literal(word);
        return true;
    case 2:
        *result = (a & ~moved(UINT32_MAX, 0, size, to)) + moved(b, from, size, to);
        return true;
    case 3:
        *result = moved(b, a, size, to);
        return true;
    case 4:
        *result = moved(b, from, size, a);
        return true;
    case 5:
        *result = recall(m, a + (uint32_t)literal(word));
        return true;
    default:
        return false;
    }
}

static void old_set(struct old *o, uint32_t result) {
    o->address = result % 0x1000;
    o->step = result / 0x1000 % 64;
}

static void old_store(struct old *o, uint32_t word, uint32_t value) {
    if (cut(word, 10, 8))
        o->m->reg[cut(word, 10, 8)] = value;
}

/* An instruction that is no branch. */
static int old_plain(struct old *o, uint32_t word) {
    struct reference_macro *m = o->m;
    uint32_t what = cut(word, 6, 4), result = 0, parameter = 0;
    uint32_t opcode = cut(word, 2, 0), function = cut(word, 21, 17);
    if (opcode == 6 || (opcode == 0 && !(function < 4 || (function > 7 && function < 13))))
        return REFERENCE_MACRO_ILLEGAL;
    if (what == 0 || what == 3 || what == 5 || what == 6) {
        if (m->used == m->parameter_count)
            return REFERENCE_MACRO_STARVED;
        parameter = m->parameters[m->used++];
    }
    old_result(o, word, &result);
    m->steps++;
    switch (what) {
    case 0:
        old_store(o, word, parameter);
        return ON;
    case 1:
        old_store(o, word, result);
        return ON;
    case 2:
        old_store(o, word, result);
        old_set(o, result);
        return ON;
    case 3:
        old_store(o, word, parameter);
        return emit(m, &o->address, o->step, result);
    case 4:
        old_store(o, word, result);
        return emit(m, &o->address, o->step, result);
    case 5:
        old_store(o, word, parameter);
        old_set(o, result);
        return ON;
    case 6:
        old_store(o, word, result);
        old_set(o, result);
        return emit(m, &o->address, o->step, parameter);
    default:
        old_store(o, word, result);
        old_set(o, result);
        return emit(m, &o->address, o->step, result / 0x1000 % 64);
    }
}

static uint32_t old_word(const struct old *o, uint32_t at) {
    return o->m->code[at % o->m->code_words];
}

static int old_slot(struct old *o, uint32_t at) {
    if (o->m->steps >= STEPS)
        return REFERENCE_MACRO_TIMEOUT;
    return cut(old_word(o, at), 2, 0) == 7 ? REFERENCE_MACRO_DOUBLE : old_plain(o, old_word(o, at));
}

static int old_one(struct old *o) {
    uint32_t word = old_word(o, o->at);
    bool exits = cut(word, 7, 7);
    int said = ON;
    if (o->m->steps >= STEPS)
        return REFERENCE_MACRO_TIMEOUT;
    if (cut(word, 2, 0) == 7) {
        bool zero = o->m->reg[cut(word, 13, 11)] == 0;
        o->m->steps++;
        if (zero != cut(word, 4, 4)) {
            if (!cut(word, 5, 5))
                said = old_slot(o, o->at + 1);
            o->at += (uint32_t)literal(word);
            return said;
        }
    } else {
        said = old_plain(o, word);
    }
    o->at++;
    if (said != ON || !exits)
        return said;
    said = old_slot(o, o->at);
    return said == ON ? REFERENCE_MACRO_END : said;
}

enum reference_macro_end reference_macro_gf100(struct reference_macro *macro) {
    struct old o = {.m = macro, .at = macro->start};
    int said = ON;
    memset(macro->reg, 0, sizeof macro->reg);
    macro->used = 1;
    macro->steps = macro->sends = 0;
    macro->reg[1] = macro->parameters[0];
    macro->lost = false;
    while (said == ON)
        said = old_one(&o);
    if (macro->lost)
        said = REFERENCE_MACRO_LEFT;
    return (enum reference_macro_end)said;
}

/* ---- TU102 ---- */

struct new {
    struct reference_macro *m;
    uint32_t at, address, step;
    uint32_t load[2], last[2];
    int64_t rest; /* carry, borrow, upper half */
    bool ends, last_group;
    uint32_t next, loops, loop_first, loop_last;
    uint8_t bit[96];
};

static uint32_t take(const struct new *n, unsigned low, unsigned count) {
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint32_t)n->bit[low + i] << i;
    return value;
}

static uint32_t alu_field(const struct new *n, unsigned alu, unsigned low, unsigned count) {
    return take(n, 10 + 36 * alu + low, count);
}

static uint32_t immediate(const struct new *n, unsigned alu) {
    return alu_field(n, alu, 20, 16);
}

static void unpack(struct new *n) {
    for (unsigned i = 0; i < 96; i++)
        n->bit[i] = n->m->code[(n->at + 2 - i / 32) % n->m->code_words] >> i % 32 & 1;
}

static bool names_load(const struct new *n, unsigned which) {
    if (take(n, 5, 5) == 28 + which)
        return true;
    for (unsigned i = 0; i < 2; i++) {
        if (alu_field(n, i, 10, 5) == 28 + which || alu_field(n, i, 15, 5) == 28 + which)
            return true;
        if (take(n, 82 + 7 * i, 3) == 3 + which || take(n, 85 + 7 * i, 4) == 3 + which)
            return true;
    }
    return false;
}

static bool lawful(const struct new *n) {
    uint32_t one = alu_field(n, 0, 0, 5), two = alu_field(n, 1, 0, 5), predicate = take(n, 5, 5);
    if (one == 1 || one == 3 || one == 5 || (one == 22 && two == 22))
        return false;
    if ((two == 1 && one != 0) || (two == 3 && one != 2) || (two == 5 && one != 4 && one != 6))
        return false;
    if (predicate == 25 || predicate == 26 || predicate > 29)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t data = take(n, 85 + 7 * i, 4);
        if (alu_field(n, i, 5, 5) > 24 || alu_field(n, i, 10, 5) > 29 || alu_field(n, i, 15, 5) > 29)
            return false;
        if (take(n, 82 + 7 * i, 3) == 7 || data == 7 || data > 10)
            return false;
    }
    return true;
}

static int32_t as_signed(uint32_t value, unsigned bits) {
    int64_t half = (int64_t)pow2(bits - 1), v = (int64_t)(value % pow2(bits));
    return (int32_t)(v >= half ? v - 2 * half : v);
}

static uint32_t reads(const struct new *n, unsigned alu, uint32_t reg) {
    if (reg < 24)
        return n->m->reg[reg];
    if (reg == 25 || reg == 26)
        return (uint32_t)as_signed(immediate(n, reg == 25 ? alu : !alu), 16);
    if (reg == 27)
        return immediate(n, 0) * 0x10000 + immediate(n, 1);
    return reg == 24 ? 0 : n->load[reg - 28];
}

static bool holds(uint32_t operation, uint32_t x, uint32_t y) {
    int64_t a = as_signed(x, 32), b = as_signed(y, 32);
    switch (operation) {
    case 17:
    case 25:
        return a < b;
    case 18:
    case 26:
        return x < y;
    case 19:
    case 27:
        return a <= b;
    case 20:
    case 28:
        return x <= y;
    default:
        return x == y;
    }
}

static uint32_t new_arithmetic(struct new *n, uint32_t operation, uint32_t x, uint32_t y) {
    int64_t result;
    switch (operation) {
    case 0:
        result = (int64_t)x + y;
        n->rest = result >= (int64_t)pow2(32);
        return (uint32_t)result;
    case 1:
        return x + y + (uint32_t)n->rest;
    case 2:
        n->rest = x < y;
        return x - y;
    case 3:
        return x - y - (uint32_t)n->rest;
    case 4:
        result = (int64_t)as_signed(x, 32) * as_signed(y, 32);
        n->rest = result >> 32;
        return (uint32_t)result;
    case 5:
        return (uint32_t)n->rest;
    default:
        n->rest = (int64_t)((uint64_t)x * y >> 32);
        return x * y;
    }
}

static uint32_t new_bits(uint32_t operation, uint32_t x, uint32_t y) {
    uint32_t zeros = 0;
    switch (operation) {
    case 8:
        while (zeros < 32 && !(x & (uint32_t)pow2(31 - zeros)))
            zeros++;
        return zeros;
    case 9:
        return (uint32_t)(x * pow2(y % 32));
    case 10:
        return (uint32_t)(x / pow2(y % 32));
    case 11:
        for (uint32_t i = 0; i < y % 32; i++)
            x = x / 2 + (x & 0x80000000);
        return x;
    case 12:
        return x & y;
    case 13:
        return UINT32_MAX - (x & y);
    case 14:
        return x | y;
    default:
        return (x | y) - (x & y);
    }
}

static uint32_t new_merge(uint32_t x, uint32_t y, uint32_t how) {
    uint32_t to = how >> 10 & 63, size = how >> 5 & 31, from = how & 31;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t bit = from + i < 32 ? y >> (from + i) & 1 : 0;
        if (to + i < 32)
            x = (x & ~(uint32_t)pow2(to + i)) | bit << (to + i);
    }
    return x;
}

static uint32_t new_control(struct new *n, uint32_t operation, uint32_t x, uint32_t y, uint32_t how) {
    if (operation == 23) {
        n->loops = x > 1 ? x - 1 : 0;
        n->loop_first = n->at + 3;
        n->loop_last = n->at + 3 * how - 3;
    } else if (operation == 24) {
        n->next = n->at + 3 * (uint32_t)as_signed(how, 15);
    } else if (holds(operation, x, y) == (how >= 0x8000)) {
        if (as_signed(how, 13) == -4096)
            n->ends = true;
        else
            n->next = n->at + 3 * (uint32_t)as_signed(how, 13);
    }
    return 0;
}

static uint32_t new_alu(struct new *n, unsigned alu) {
    uint32_t operation = alu_field(n, alu, 0, 5), how = immediate(n, alu);
    uint32_t x = reads(n, alu, alu_field(n, alu, 10, 5)), y = reads(n, alu, alu_field(n, alu, 15, 5));
    if (operation < 7)
        return new_arithmetic(n, operation, x, y);
    if (operation == 7)
        return 0;
    if (operation < 16)
        return new_bits(operation, x, y);
    if (operation == 16)
        return new_merge(x, y, how);
    if (operation < 22)
        return holds(operation, x, y) ? UINT32_MAX : 0;
    if (operation == 22)
        return recall(n->m, x + y);
    if (operation < 30)
        return new_control(n, operation, x, y, how);
    if (operation == 30)
        return x < 0xc00 ? n->m->data[x] : 0;
    if (x < 0xc00)
        n->m->data[x] = y;
    return 0;
}

static uint32_t new_source(const struct new *n, uint32_t from) {
    switch (from) {
    case 1:
    case 2:
        return n->last[from - 1];
    case 3:
    case 4:
        return n->load[from - 3];
    case 5:
    case 6:
        return immediate(n, from - 5);
    case 8:
    case 9:
        return immediate(n, from - 8) / 0x1000;
    default:
        return immediate(n, 0) * 0x10000 + immediate(n, 1);
    }
}

static int new_out(struct new *n, unsigned out) {
    uint32_t method = take(n, 82 + 7 * out, 3), data = take(n, 85 + 7 * out, 4);
    if (method) {
        n->address = new_source(n, method) % 0x1000;
        n->step = new_source(n, method) / 0x1000 % 16;
    }
    return data ? emit(n->m, &n->address, n->step, new_source(n, data)) : ON;
}

/* Letters of ALU 0, ALU 1, output 0, output 1. */
static const char letters[16][5] = {"UUUU", "TTTT", "FFFF", "TTUU", "FFUU", "TFUU", "TUUU", "FUUU",
                                    "UUTT", "UUTF", "UUTU", "UUFT", "UUFF", "UUFU", "UUUT", "UUUF"};

static bool runs(const struct new *n, unsigned part, bool predicate_is_zero) {
    char letter = letters[take(n, 1, 4)][part];
    return letter == 'U' || (letter == 'T') == predicate_is_zero;
}

static int new_parts(struct new *n) {
    bool zero = reads(n, 0, take(n, 5, 5)) == 0;
    for (unsigned i = 0; i < 2; i++) {
        if (!runs(n, i, zero))
            continue;
        n->last[i] = new_alu(n, i);
        if (alu_field(n, i, 5, 5) < 24)
            n->m->reg[alu_field(n, i, 5, 5)] = n->last[i];
    }
    for (unsigned i = 0; i < 2; i++) {
        int said = runs(n, 2 + i, zero) ? new_out(n, i) : ON;
        if (said != ON)
            return said;
    }
    return ON;
}

static int new_one(struct new *n) {
    struct reference_macro *m = n->m;
    if (m->steps >= STEPS)
        return REFERENCE_MACRO_TIMEOUT;
    unpack(n);
    if (!lawful(n))
        return REFERENCE_MACRO_ILLEGAL;
    for (unsigned i = 0; i < 2; i++) {
        if (!names_load(n, i))
            continue;
        if (m->used == m->parameter_count)
            return REFERENCE_MACRO_STARVED;
        n->load[i] = m->parameters[m->used++];
    }
    m->steps++;
    n->next = n->at + 3;
    bool was_last = n->last_group;
    int said = new_parts(n);
    if (said != ON)
        return said;
    if (was_last || n->ends)
        return REFERENCE_MACRO_END;
    n->last_group = n->bit[0];
    if (n->loops && (n->at - n->loop_last) % m->code_words == 0) {
        n->loops--;
        n->next = n->loop_first;
    }
    n->at = n->next;
    return ON;
}

enum reference_macro_end reference_macro_tu102(struct reference_macro *macro) {
    struct new n = {.m = macro, .at = macro->start};
    int said = ON;
    memset(macro->reg, 0, sizeof macro->reg);
    macro->used = macro->steps = macro->sends = 0;
    macro->lost = false;
    while (said == ON)
        said = new_one(&n);
    if (macro->lost)
        said = REFERENCE_MACRO_LEFT;
    return (enum reference_macro_end)said;
}
