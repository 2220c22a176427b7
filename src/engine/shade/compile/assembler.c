/* SPDX-License-Identifier: MIT */
#include "engine/shade/compile/assembler_narrow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (8u << 20)
#define LOOK_BACK  64u /* words that a word is compared with */

void assembler_begin(struct assembler *a, bool wide) {
    memset(a, 0, sizeof *a);
    a->wide = wide;
}

void assembler_end(struct assembler *a) {
    free(a->bytes);
    free(a->words);
    free(a->references);
    memset(a, 0, sizeof *a);
}

static void *grown(struct assembler *a, void *array, uint32_t count, uint32_t *room, size_t size) {
    if (count < *room)
        return array;
    uint32_t more = *room ? *room * 2 : 256;
    void *larger = more * size <= MOST_BYTES ? realloc(array, more * size) : NULL;
    if (!larger) {
        a->failed = true;
        return array;
    }
    *room = more;
    return larger;
}

void assembler_put(struct assembler *a, unsigned byte) {
    a->bytes = grown(a, a->bytes, a->size, &a->room, 1);
    if (!a->failed)
        a->bytes[a->size++] = (uint8_t)byte;
}

static void put32(struct assembler *a, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        assembler_put(a, value >> 8 * i & 0xff);
}

static void patch32(struct assembler *a, uint32_t at, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        a->bytes[at + i] = (uint8_t)(value >> 8 * i);
}

static uint32_t add_word(struct assembler *a, uint32_t value) {
    a->words = grown(a, a->words, a->word_count, &a->word_room, sizeof *a->words);
    if (!a->failed)
        a->words[a->word_count++] = value;
    return a->word_count - 1;
}

struct assembler_operand at_word(struct assembler *a, uint32_t value) {
    struct assembler_operand operand = {AT_WORD, 0, 0};
    uint32_t first = a->word_count > LOOK_BACK ? a->word_count - LOOK_BACK : 0;
    for (uint32_t i = first; i < a->word_count; i++)
        if (a->words[i] == value) {
            operand.offset = (int32_t)i;
            return operand;
        }
    operand.offset = (int32_t)add_word(a, value);
    return operand;
}

struct assembler_operand at_pair(struct assembler *a, uint64_t value) {
    struct assembler_operand operand = {AT_WORD, 0, 0};
    const uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
    uint32_t first = a->word_count > LOOK_BACK ? a->word_count - LOOK_BACK : 0;
    for (uint32_t i = first; i + 1 < a->word_count; i++)
        if (a->words[i] == low && a->words[i + 1] == high) {
            operand.offset = (int32_t)i;
            return operand;
        }
    operand.offset = (int32_t)add_word(a, low);
    add_word(a, high);
    return operand;
}

bool assembler_finish(struct assembler *a) {
    while (a->size & 63)
        assembler_put(a, 0xcc);
    uint32_t first = a->size;
    for (uint32_t i = 0; i < a->word_count; i++)
        put32(a, a->words[i]);
    for (uint32_t i = 0; i < a->reference_count && !a->failed; i++) {
        const struct assembler_reference *reference = &a->references[i];
        patch32(a, reference->at, first + 4 * reference->word - reference->end);
    }
    return !a->failed;
}

/* ---- operands ---- */

static void refer(struct assembler *a, uint32_t word, unsigned bytes_after) {
    a->references = grown(a, a->references, a->reference_count, &a->reference_room, sizeof *a->references);
    if (!a->failed)
        a->references[a->reference_count++] = (struct assembler_reference){a->size + 4 + bytes_after, a->size, word};
    put32(a, 0);
}

/* Base and distance, always of four bytes. RSP and R12 need a byte more. */
static void put_memory(struct assembler *a, unsigned field, unsigned base, int32_t offset) {
    assembler_put(a, 0x80 | (field & 7) << 3 | (base & 7));
    if ((base & 7) == RSP)
        assembler_put(a, 0x24);
    put32(a, (uint32_t)offset);
}

void assembler_put_operand(struct assembler *a, unsigned field, struct assembler_operand m, unsigned bytes_after) {
    switch (m.kind) {
    case AT_REGISTER:
        assembler_put(a, 0xc0 | (field & 7) << 3 | (m.base & 7));
        break;
    case AT_WORD: /* relative to the next instruction */
        assembler_put(a, (field & 7) << 3 | 5);
        refer(a, (uint32_t)m.offset, bytes_after);
        break;
    default:
        put_memory(a, field, m.base, m.offset);
        break;
    }
}

void assembler_words(struct assembler *a, unsigned d, const uint32_t *words, unsigned count) {
    uint32_t first = a->word_count;
    for (unsigned i = 0; i < count; i++)
        add_word(a, words[i]);
    assembler_put(a, 0x48 | (d >> 3 & 1) << 2); /* LEA, relative to the next instruction */
    assembler_put(a, 0x8d);
    assembler_put_operand(a, d, (struct assembler_operand){AT_WORD, 0, (int32_t)first}, 0);
}

/* ---- vector instructions ---- */

static void put_evex(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m, unsigned k,
                     bool zero) {
    bool everywhere = m.kind == AT_EVERYWHERE || m.kind == AT_WORD;
    unsigned base = m.kind == AT_WORD ? 0 : m.base, high = m.kind == AT_REGISTER ? base >> 4 & 1 : 0;
    assert(d < 32 && v < 32 && k < 8);
    /* These take one element anyway. */
    if (op == VPBROADCASTD || op == VBROADCASTSD)
        everywhere = false;
    assembler_put(a, 0x62);
    assembler_put(a,
                  (~d >> 3 & 1) << 7 | (~high & 1) << 6 | (~base >> 3 & 1) << 5 | (~d >> 4 & 1) << 4 | (op >> 8 & 7));
    assembler_put(a, (op >> 16 & 1) << 7 | (~v & 15) << 3 | 1 << 2 | (op >> 12 & 3));
    assembler_put(a, (zero ? 1u : 0u) << 7 | 2 << 5 | (everywhere ? 1u : 0u) << 4 | (~v >> 4 & 1) << 3 | k);
    assembler_put(a, op & 0xff);
}

void assembler_vector(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m) {
    if (!a->wide) {
        narrow_vector(a, op, d, v, m, -1);
        return;
    }
    put_evex(a, op, d, v, m, 0, false);
    assembler_put_operand(a, d, m, 0);
}

void assembler_vector_byte(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m,
                           uint8_t byte) {
    if (!a->wide) {
        narrow_vector(a, op, d, v, m, byte);
        return;
    }
    put_evex(a, op, d, v, m, 0, false);
    assembler_put_operand(a, d, m, 1);
    assembler_put(a, byte);
}

void assembler_vector_masked(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m,
                             unsigned k, bool zero) {
    if (!a->wide) {
        narrow_masked(a, op, d, v, m, k, zero);
        return;
    }
    assert(k);
    put_evex(a, op, d, v, m, k, zero);
    assembler_put_operand(a, d, m, 0);
}

void assembler_shift(struct assembler *a, unsigned shift, unsigned d, struct assembler_operand m, uint8_t by) {
    if (!a->wide) {
        narrow_shift(a, shift, d, m, by);
        return;
    }
    put_evex(a, VSHIFT, shift, d, m, 0, false);
    assembler_put_operand(a, shift, m, 1);
    assembler_put(a, by);
}

void assembler_shift64(struct assembler *a, unsigned shift, unsigned d, struct assembler_operand m, uint8_t by) {
    assert(a->wide);
    put_evex(a, VSHIFT64, shift, d, m, 0, false);
    assembler_put_operand(a, shift, m, 1);
    assembler_put(a, by);
}

/* ---- mask registers ---- */

static void put_vex(struct assembler *a, unsigned d, unsigned v, unsigned base, unsigned two, unsigned op) {
    assembler_put(a, 0xc4);
    assembler_put(a, (~d >> 3 & 1) << 7 | 1 << 6 | (~base >> 3 & 1) << 5 | 1);
    assembler_put(a, (~v & 15) << 3 | two << 2);
    assembler_put(a, op);
}

void assembler_mask(struct assembler *a, unsigned op, unsigned d, unsigned x, unsigned y) {
    if (!a->wide) {
        narrow_mask(a, op, d, x, y);
        return;
    }
    put_vex(a, d, x, y, 1, op);
    assembler_put_operand(a, d, at_register(y), 0);
}

void assembler_mask_not(struct assembler *a, unsigned d, unsigned x) {
    if (!a->wide) {
        narrow_mask_not(a, d, x);
        return;
    }
    put_vex(a, d, 0, x, 0, 0x44);
    assembler_put_operand(a, d, at_register(x), 0);
}

void assembler_mask_move(struct assembler *a, unsigned d, unsigned x) {
    if (!a->wide) {
        narrow_mask_move(a, d, x);
        return;
    }
    put_vex(a, d, 0, x, 0, 0x90);
    assembler_put_operand(a, d, at_register(x), 0);
}

void assembler_mask_load(struct assembler *a, unsigned d, unsigned base, int32_t offset) {
    if (!a->wide) {
        narrow_mask_load(a, d, base, offset);
        return;
    }
    put_vex(a, d, 0, base, 0, 0x90);
    put_memory(a, d, base, offset);
}

void assembler_mask_store(struct assembler *a, unsigned base, int32_t offset, unsigned x) {
    if (!a->wide) {
        narrow_mask_store(a, base, offset, x);
        return;
    }
    put_vex(a, x, 0, base, 0, 0x91);
    put_memory(a, x, base, offset);
}

void assembler_mask_from(struct assembler *a, unsigned d, unsigned r) {
    if (!a->wide) {
        narrow_mask_from(a, d, r);
        return;
    }
    put_vex(a, d, 0, r, 0, 0x92);
    assembler_put_operand(a, d, at_register(r), 0);
}

void assembler_mask_to(struct assembler *a, unsigned r, unsigned x) {
    if (!a->wide) {
        narrow_mask_to(a, r, x);
        return;
    }
    put_vex(a, r, 0, x, 0, 0x93);
    assembler_put_operand(a, r, at_register(x), 0);
}

/* ---- other instructions ---- */

/* REX: W, and the high bits of both registers. */
static void put_rex(struct assembler *a, bool wide, unsigned field, unsigned base) {
    assembler_put(a, 0x40 | (wide ? 8u : 0u) | (field >> 3 & 1) << 2 | (base >> 3 & 1));
}

static void between(struct assembler *a, bool wide, unsigned op, unsigned field, unsigned r) {
    put_rex(a, wide, field, r);
    assembler_put(a, op);
    assembler_put(a, 0xc0 | (field & 7) << 3 | (r & 7));
}

static void with_memory(struct assembler *a, bool wide, unsigned op, unsigned field, unsigned base, int32_t offset) {
    put_rex(a, wide, field, base);
    assembler_put(a, op);
    put_memory(a, field, base, offset);
}

void assembler_push(struct assembler *a, unsigned r) {
    put_rex(a, false, 0, r);
    assembler_put(a, 0x50 | (r & 7));
}

void assembler_pop(struct assembler *a, unsigned r) {
    put_rex(a, false, 0, r);
    assembler_put(a, 0x58 | (r & 7));
}

void assembler_return(struct assembler *a) {
    assembler_put(a, 0xc5); /* VZEROUPPER: code of SSE that follows is not slowed down */
    assembler_put(a, 0xf8);
    assembler_put(a, 0x77);
    assembler_put(a, 0xc3);
}

void assembler_move(struct assembler *a, unsigned d, unsigned r) {
    between(a, true, 0x8b, d, r);
}

void assembler_move32(struct assembler *a, unsigned d, unsigned r) {
    between(a, false, 0x8b, d, r);
}

void assembler_set(struct assembler *a, unsigned d, uint64_t value) {
    put_rex(a, true, 0, d);
    assembler_put(a, 0xb8 | (d & 7));
    put32(a, (uint32_t)value);
    put32(a, (uint32_t)(value >> 32));
}

void assembler_load(struct assembler *a, unsigned d, unsigned base, int32_t offset) {
    with_memory(a, true, 0x8b, d, base, offset);
}

void assembler_load16(struct assembler *a, unsigned d, unsigned base, int32_t offset) {
    put_rex(a, false, d, base);
    assembler_put(a, 0x0f);
    assembler_put(a, 0xb7);
    put_memory(a, d, base, offset);
}

void assembler_load8(struct assembler *a, unsigned d, unsigned base, int32_t offset) {
    put_rex(a, false, d, base);
    assembler_put(a, 0x0f);
    assembler_put(a, 0xb6);
    put_memory(a, d, base, offset);
}

void assembler_store8(struct assembler *a, unsigned base, int32_t offset, unsigned r) {
    with_memory(a, false, 0x88, r, base, offset);
}

void assembler_store16(struct assembler *a, unsigned base, int32_t offset, unsigned r) {
    assembler_put(a, 0x66);
    with_memory(a, false, 0x89, r, base, offset);
}

void assembler_address(struct assembler *a, unsigned d, unsigned base, int32_t offset) {
    with_memory(a, true, 0x8d, d, base, offset);
}

void assembler_add(struct assembler *a, unsigned d, int32_t value) {
    between(a, true, 0x81, 0, d);
    put32(a, (uint32_t)value);
}

void assembler_add_memory(struct assembler *a, unsigned base, int32_t offset, int32_t value) {
    with_memory(a, true, 0x81, 0, base, offset);
    put32(a, (uint32_t)value);
}

void assembler_compare_memory(struct assembler *a, unsigned base, int32_t offset, uint32_t value) {
    with_memory(a, false, 0x81, 7, base, offset);
    put32(a, value);
}

void assembler_compare_memory64(struct assembler *a, unsigned base, int32_t offset, int32_t value) {
    with_memory(a, true, 0x81, 7, base, offset);
    put32(a, (uint32_t)value);
}

void assembler_compare(struct assembler *a, unsigned r, int32_t value) {
    between(a, false, 0x81, 7, r);
    put32(a, (uint32_t)value);
}

void assembler_compare64(struct assembler *a, unsigned x, unsigned y) {
    between(a, true, 0x3b, x, y);
}

void assembler_test16(struct assembler *a, unsigned r) {
    assembler_put(a, 0x66);
    between(a, false, 0x85, r, r);
}

void assembler_test8(struct assembler *a, unsigned r) {
    between(a, false, 0x84, r, r);
}

void assembler_xor(struct assembler *a, unsigned d, unsigned r) {
    between(a, false, 0x33, d, r);
}

void assembler_and(struct assembler *a, unsigned d, unsigned r) {
    between(a, false, 0x23, d, r);
}

void assembler_add_register(struct assembler *a, unsigned d, unsigned r) {
    between(a, true, 0x03, d, r);
}

void assembler_subtract_register(struct assembler *a, unsigned d, unsigned r) {
    between(a, true, 0x2b, d, r);
}

void assembler_shift_right(struct assembler *a, unsigned d, uint8_t by) {
    between(a, false, 0xc1, 5, d);
    assembler_put(a, by);
}

void assembler_call(struct assembler *a, unsigned r) {
    between(a, false, 0xff, 2, r);
}

/* LDMXCSR is 0f ae /2, STMXCSR /3. */
static void control(struct assembler *a, unsigned field, unsigned base, int32_t offset) {
    put_rex(a, false, field, base);
    assembler_put(a, 0x0f);
    assembler_put(a, 0xae);
    put_memory(a, field, base, offset);
}

void assembler_control_store(struct assembler *a, unsigned base, int32_t offset) {
    control(a, 3, base, offset);
}

void assembler_control_load(struct assembler *a, unsigned base, int32_t offset) {
    control(a, 2, base, offset);
}

void assembler_control_word(struct assembler *a, uint32_t value) {
    struct assembler_operand word = at_word(a, value);
    assembler_put(a, 0x0f);
    assembler_put(a, 0xae);
    assembler_put_operand(a, 2, word, 0);
}

/* ---- jumps ---- */

uint32_t assembler_jump(struct assembler *a, unsigned condition) {
    if (condition == ALWAYS) {
        assembler_put(a, 0xe9);
    } else {
        assembler_put(a, 0x0f);
        assembler_put(a, 0x80 | condition);
    }
    put32(a, 0);
    return a->size - 4;
}

void assembler_here(struct assembler *a, uint32_t jump) {
    if (!a->failed)
        patch32(a, jump, a->size - (jump + 4));
}

void assembler_jump_back(struct assembler *a, unsigned condition, uint32_t target) {
    uint32_t jump = assembler_jump(a, condition);
    if (!a->failed)
        patch32(a, jump, target - (jump + 4));
}
