/* SPDX-License-Identifier: MIT */
/* Macros of GF100 to GV100: an instruction is a word. */
#include "isa/macro_gf100.h"

#include "decode/macro.h"

static void macro_gf100_put_register(struct classes_text *text, unsigned number) {
    if (number)
        classes_text_print(text, "r%u", number);
    else
        classes_text_print(text, "0");
}

static void macro_gf100_put_alu(struct classes_text *text, uint32_t word) {
    static const char *const between[16] = {
        [GF100_FN_ADD] = " + ",  [GF100_FN_ADDC] = " + ",  [GF100_FN_SUB] = " - ",
        [GF100_FN_SUBB] = " - ", [GF100_FN_XOR] = " ^ ",   [GF100_FN_OR] = " | ",
        [GF100_FN_AND] = " & ",  [GF100_FN_ANDN] = " & ~", [GF100_FN_NAND] = " & ",
    };
    unsigned function = gf100_function(word);
    if (function == GF100_FN_OR && !gf100_b(word)) {
        macro_gf100_put_register(text, gf100_a(word));
        return;
    }
    classes_text_print(text, function == GF100_FN_NAND ? "~(" : "");
    macro_gf100_put_register(text, gf100_a(word));
    classes_text_print(text, "%s", between[function]);
    macro_gf100_put_register(text, gf100_b(word));
    if (function == GF100_FN_ADDC)
        classes_text_print(text, " + carry");
    else if (function == GF100_FN_SUBB)
        classes_text_print(text, " - borrow");
    classes_text_print(text, function == GF100_FN_NAND ? ")" : "");
}

static void put_sum(struct classes_text *text, uint32_t word) {
    int32_t value = (int32_t)gf100_immediate(word);
    if (!gf100_a(word)) {
        classes_text_print(text, "%s0x%x", value < 0 ? "-" : "", (unsigned)(value < 0 ? -value : value));
        return;
    }
    macro_gf100_put_register(text, gf100_a(word));
    if (value)
        classes_text_print(text, " %c 0x%x", value < 0 ? '-' : '+', (unsigned)(value < 0 ? -value : value));
}

/* Shadow RAM: its addresses are words. */
static void put_read(struct classes_text *text, uint32_t word) {
    uint32_t address = (gf100_immediate(word) & 0xfff) << 2;
    classes_text_print(text, "state[");
    if (gf100_a(word)) {
        classes_text_print(text, "4 * ");
        macro_gf100_put_register(text, gf100_a(word));
        classes_text_print(text, " + ");
    }
    classes_text_print(text, "0x%04x]", (unsigned)address);
}

/* A bit field of b: (b >> from & mask) << to, without the parts that have no effect. */
static void put_shift(struct classes_text *text, const char *shift, unsigned reg, unsigned bits) {
    if (reg)
        classes_text_print(text, " %s r%u", shift, reg);
    else if (bits)
        classes_text_print(text, " %s %u", shift, bits);
}

static void put_insert(struct classes_text *text, uint32_t word) {
    if (!gf100_a(word)) {
        classes_text_print(text, "(");
        macro_gf100_put_register(text, gf100_b(word));
        put_shift(text, ">>", 0, gf100_from_bit(word));
        classes_text_print(text, " & 0x%x)", (unsigned)gf100_mask(word));
        put_shift(text, "<<", 0, gf100_to_bit(word));
        return;
    }
    classes_text_print(text, "insert(");
    macro_gf100_put_register(text, gf100_a(word));
    classes_text_print(text, ", %u, ", gf100_to_bit(word));
    macro_gf100_put_register(text, gf100_b(word));
    classes_text_print(text, ", %u, %u)", gf100_from_bit(word), gf100_size(word));
}

/* One of the two shifts is by register a. */
static void put_shifted(struct classes_text *text, uint32_t word) {
    bool extracts = gf100_opcode(word) == GF100_EXTRACT;
    classes_text_print(text, "(");
    macro_gf100_put_register(text, gf100_b(word));
    put_shift(text, ">>", extracts ? gf100_a(word) : 0, extracts ? 0 : gf100_from_bit(word));
    classes_text_print(text, " & 0x%x)", (unsigned)gf100_mask(word));
    put_shift(text, "<<", extracts ? 0 : gf100_a(word), extracts ? gf100_to_bit(word) : 0);
}

static void macro_gf100_put_result(struct classes_text *text, uint32_t word) {
    switch (gf100_opcode(word)) {
    case GF100_ALU:
        macro_gf100_put_alu(text, word);
        return;
    case GF100_ADD:
        put_sum(text, word);
        return;
    case GF100_INSERT:
        put_insert(text, word);
        return;
    case GF100_READ:
        put_read(text, word);
        return;
    default:
        put_shifted(text, word);
        return;
    }
}

static bool is_constant(uint32_t word) {
    return gf100_opcode(word) == GF100_ADD && !gf100_a(word);
}

/* The result goes to register `result_to`, or is dropped. */
static void macro_gf100_put_method(struct classes_text *text, uint32_t word, unsigned result_to) {
    uint32_t value = gf100_immediate(word);
    classes_text_print(text, "method = ");
    if (is_constant(word))
        macro_text_method(text, value & 0xfff, value >> 12 & 0x3f);
    else if (result_to)
        macro_gf100_put_register(text, result_to);
    else
        macro_gf100_put_result(text, word);
}

static void macro_gf100_put_branch(struct classes_text *text, uint32_t pc, uint32_t word) {
    bool if_not_zero = gf100_if_not_zero(word);
    if (gf100_a(word) || if_not_zero) {
        classes_text_print(text, "if (");
        macro_gf100_put_register(text, gf100_a(word));
        classes_text_print(text, " %s 0) ", if_not_zero ? "!=" : "==");
    }
    classes_text_print(text, "goto%s %03x", gf100_annuls(word) ? " at once" : "",
                       (unsigned)(pc + gf100_immediate(word)) & 0x7ff);
}

static const char *separator(bool *more) {
    const char *text = *more ? "; " : "";
    *more = true;
    return text;
}

/* The register receives the result or the next parameter. */
static void put_statements(struct classes_text *text, uint32_t word) {
    unsigned operation = gf100_operation(word), to = gf100_to(word);
    bool more = false, stores = operation & GF100_STORES_PARAMETER;
    unsigned result_to = stores ? 0 : to;
    if (result_to) {
        classes_text_print(text, "%sr%u = ", separator(&more), result_to);
        macro_gf100_put_result(text, word);
    }
    if (operation & GF100_SETS_METHOD) {
        classes_text_print(text, "%s", separator(&more));
        macro_gf100_put_method(text, word, result_to);
    }
    if (operation & GF100_SENDS_RESULT) {
        classes_text_print(text, "%ssend ", separator(&more));
        if (result_to)
            macro_gf100_put_register(text, result_to);
        else
            macro_gf100_put_result(text, word);
    }
    if (operation & GF100_SENDS_PARAMETER)
        classes_text_print(text, "%ssend parameter", separator(&more));
    if (operation & GF100_SENDS_UPPER)
        classes_text_print(text, "%ssend step", separator(&more));
    if (stores && to)
        classes_text_print(text, "%sr%u = parameter", separator(&more), to);
    else if (stores)
        classes_text_print(text, "%sdrop parameter", separator(&more));
    if (more)
        return;
    if (gf100_opcode(word) == GF100_ALU && gf100_function(word) <= GF100_FN_SUBB) /* for its carry */
        macro_gf100_put_result(text, word);
    else
        classes_text_print(text, "nop");
}

void macro_text_gf100(struct classes_text *text, uint32_t class_id, uint32_t pc, const uint32_t *words) {
    uint32_t word = words[0];
    if (!gf100_is_legal(word)) {
        classes_text_print(text, "illegal");
        return;
    }
    bool branches = gf100_opcode(word) == GF100_BRANCH;
    if (branches)
        macro_gf100_put_branch(text, pc, word);
    else
        put_statements(text, word);
    if (gf100_exits(word))
        classes_text_print(text, "; exit");
    if (branches)
        return;
    if (gf100_opcode(word) == GF100_READ && !gf100_a(word))
        macro_text_name(text, class_id, gf100_immediate(word));
    else if (gf100_operation(word) & GF100_SETS_METHOD && is_constant(word))
        macro_text_name(text, class_id, gf100_immediate(word));
}
