/* SPDX-License-Identifier: MIT */
/* Macros of TU102 and later: an instruction is a group of three words with up to four parts, each on a predicate. */
#include "isa/macro_tu102.h"

#include "decode/macro.h"

enum { GROUP_WORDS = 3, ALU_PARTS = 3, ALL_PARTS = 15 };

static void put_signed(struct classes_text *text, uint32_t value) {
    if (value >> 31)
        classes_text_print(text, "-0x%x", (unsigned)-value);
    else
        classes_text_print(text, "0x%x", (unsigned)value);
}

static void macro_tu102_put_operand(struct classes_text *text, const struct group *g, unsigned alu, unsigned from) {
    switch (from) {
    case REG_ZERO:
        classes_text_print(text, "0");
        return;
    case REG_IMMEDIATE:
        put_signed(text, tu102_sign_extend(g->alu[alu].immediate, 16));
        return;
    case REG_OTHER_IMMEDIATE:
        put_signed(text, tu102_sign_extend(g->alu[1 - alu].immediate, 16));
        return;
    case REG_IMMEDIATE_32:
        classes_text_print(text, "0x%x", (unsigned)tu102_immediate(g));
        return;
    case REG_LOAD0:
    case REG_LOAD1:
        classes_text_print(text, "parameter%u", from - REG_LOAD0);
        return;
    default:
        classes_text_print(text, "r%u", from);
        return;
    }
}

static void put_x(struct classes_text *text, const struct group *g, unsigned alu) {
    macro_tu102_put_operand(text, g, alu, g->alu[alu].from[0]);
}

static void put_y(struct classes_text *text, const struct group *g, unsigned alu) {
    macro_tu102_put_operand(text, g, alu, g->alu[alu].from[1]);
}

/* ---- operations ---- */

/* The text between the operands, and after them. */
static const struct {
    const char *between, *behind;
} infix[32] = {
    [OP_ADD] = {" + ", ""},
    [OP_ADDC] = {" + ", " + upper"},
    [OP_SUB] = {" - ", ""},
    [OP_SUBB] = {" - ", " - upper"},
    [OP_MUL] = {" * ", ""},
    [OP_MULU] = {" * ", " unsigned"},
    [OP_SLL] = {" << ", ""},
    [OP_SRL] = {" >> ", ""},
    [OP_SRA] = {" >> ", " signed"},
    [OP_AND] = {" & ", ""},
    [OP_NAND] = {" & ", ""},
    [OP_OR] = {" | ", ""},
    [OP_XOR] = {" ^ ", ""},
    [OP_SLT] = {" < ", ""},
    [OP_SLTU] = {" < ", " unsigned"},
    [OP_SLE] = {" <= ", ""},
    [OP_SLEU] = {" <= ", " unsigned"},
    [OP_SEQ] = {" == ", ""},
    [OP_BLT] = {" < ", ""},
    [OP_BLTU] = {" < ", " unsigned"},
    [OP_BLE] = {" <= ", ""},
    [OP_BLEU] = {" <= ", " unsigned"},
    [OP_BEQ] = {" == ", ""},
};

static void put_infix(struct classes_text *text, const struct group *g, unsigned alu) {
    unsigned operation = g->alu[alu].operation;
    put_x(text, g, alu);
    classes_text_print(text, "%s", infix[operation].between);
    put_y(text, g, alu);
    classes_text_print(text, "%s", infix[operation].behind);
}

/* Programs move values by adding 0. */
static bool moves(const struct group *g, unsigned alu) {
    unsigned operation = g->alu[alu].operation;
    return (operation == OP_ADD || operation == OP_OR) && g->alu[alu].from[1] == REG_ZERO;
}

static void put_merge(struct classes_text *text, const struct group *g, unsigned alu) {
    uint32_t how = g->alu[alu].immediate;
    classes_text_print(text, "insert(");
    put_x(text, g, alu);
    classes_text_print(text, ", %u, ", (unsigned)(how >> 10 & 0x3f));
    put_y(text, g, alu);
    classes_text_print(text, ", %u, %u)", (unsigned)(how & 31), (unsigned)(how >> 5 & 31));
}

/* Two operands within brackets, the second only if there is one. */
static void put_inside(struct classes_text *text, const struct group *g, unsigned alu, const char *begin, bool second,
                       const char *end) {
    classes_text_print(text, "%s", begin);
    put_x(text, g, alu);
    if (second) {
        classes_text_print(text, " + ");
        put_y(text, g, alu);
    }
    classes_text_print(text, "%s", end);
}

static void macro_tu102_put_result(struct classes_text *text, const struct group *g, unsigned alu) {
    unsigned operation = g->alu[alu].operation;
    if (moves(g, alu)) {
        put_x(text, g, alu);
        return;
    }
    switch (operation) {
    case OP_MULH:
        classes_text_print(text, "upper");
        return;
    case OP_CLZ:
        put_inside(text, g, alu, "clz(", false, ")");
        return;
    case OP_MERGE:
        put_merge(text, g, alu);
        return;
    case OP_STATE: /* its addresses are words */
        put_inside(text, g, alu, "state[4 * (", g->alu[alu].from[1] != REG_ZERO, ")]");
        return;
    case OP_DREAD:
        put_inside(text, g, alu, "data[", false, "]");
        return;
    case OP_NAND:
        classes_text_print(text, "~(");
        put_infix(text, g, alu);
        classes_text_print(text, ")");
        return;
    default:
        put_infix(text, g, alu);
        return;
    }
}

/* ---- operations with effects beside the result ---- */

static void macro_tu102_put_target(struct classes_text *text, uint32_t pc, uint32_t offset) {
    classes_text_print(text, "%03x", (unsigned)(pc + GROUP_WORDS * offset) & 0x3fff);
}

static void macro_tu102_put_branch(struct classes_text *text, uint32_t pc, const struct group *g, unsigned alu) {
    uint32_t how = g->alu[alu].immediate, offset = tu102_sign_extend(how, 13);
    bool if_true = how >> 15 & 1;
    classes_text_print(text, if_true ? "if (" : "if (!(");
    put_infix(text, g, alu);
    classes_text_print(text, if_true ? ") " : ")) ");
    if (offset == TU102_OFFSET_END) {
        classes_text_print(text, "end");
        return;
    }
    classes_text_print(text, "goto ");
    macro_tu102_put_target(text, pc, offset);
}

static void put_effect(struct classes_text *text, uint32_t pc, const struct group *g, unsigned alu) {
    switch (g->alu[alu].operation) {
    case OP_EXTENDED:
        classes_text_print(text, "wait(");
        put_x(text, g, alu);
        classes_text_print(text, ", ");
        put_y(text, g, alu);
        classes_text_print(text, ")");
        return;
    case OP_LOOP:
        classes_text_print(text, "loop ");
        put_x(text, g, alu);
        classes_text_print(text, " times, before ");
        macro_tu102_put_target(text, pc, g->alu[alu].immediate);
        return;
    case OP_JAL:
        classes_text_print(text, "goto ");
        macro_tu102_put_target(text, pc, tu102_sign_extend(g->alu[alu].immediate, 15));
        return;
    case OP_DWRITE:
        put_inside(text, g, alu, "data[", false, "] = ");
        put_y(text, g, alu);
        return;
    default:
        macro_tu102_put_branch(text, pc, g, alu);
        return;
    }
}

static bool macro_tu102_has_effect(unsigned operation) {
    return operation == OP_EXTENDED || operation == OP_DWRITE || (operation >= OP_LOOP && operation <= OP_BEQ);
}

/* ---- parts ---- */

static bool is_sent(const struct group *g, unsigned alu) {
    for (unsigned i = 0; i < 2; i++)
        if (g->out[i].method == OUT_ALU0 + alu || g->out[i].data == OUT_ALU0 + alu)
            return true;
    return false;
}

/* The other ALU uses this one's carry or result. */
static bool leaves_upper(const struct group *g, unsigned alu) {
    unsigned other = g->alu[1 - alu].operation;
    return alu == 0 && (other == OP_ADDC || other == OP_SUBB || other == OP_MULH);
}

/* A part that does nothing is not printed. */
static bool is_idle(const struct group *g, unsigned part) {
    if (part >= 2)
        return g->out[part - 2].method == OUT_NONE && g->out[part - 2].data == OUT_NONE;
    return !macro_tu102_has_effect(g->alu[part].operation) && g->alu[part].to == REG_ZERO && !is_sent(g, part) &&
           !leaves_upper(g, part);
}

static void macro_tu102_put_alu(struct classes_text *text, uint32_t pc, const struct group *g, unsigned alu) {
    unsigned to = g->alu[alu].to;
    if (macro_tu102_has_effect(g->alu[alu].operation)) {
        put_effect(text, pc, g, alu);
        return;
    }
    if (to != REG_ZERO)
        classes_text_print(text, "r%u = ", to);
    if (is_sent(g, alu))
        classes_text_print(text, "alu%u = ", alu);
    macro_tu102_put_result(text, g, alu);
}

static void macro_tu102_put_source(struct classes_text *text, const struct group *g, unsigned from) {
    switch (from) {
    case OUT_ALU0:
    case OUT_ALU1:
        classes_text_print(text, "alu%u", from - OUT_ALU0);
        return;
    case OUT_LOAD0:
    case OUT_LOAD1:
        classes_text_print(text, "parameter%u", from - OUT_LOAD0);
        return;
    case OUT_IMMEDIATE0:
    case OUT_IMMEDIATE1:
        classes_text_print(text, "0x%x", (unsigned)g->alu[from - OUT_IMMEDIATE0].immediate);
        return;
    case OUT_UPPER0:
    case OUT_UPPER1:
        classes_text_print(text, "0x%x", (unsigned)g->alu[from - OUT_UPPER0].immediate >> 12);
        return;
    default:
        classes_text_print(text, "0x%x", (unsigned)tu102_immediate(g));
        return;
    }
}

static bool is_immediate(unsigned from) {
    return from == OUT_IMMEDIATE0 || from == OUT_IMMEDIATE1;
}

static void macro_tu102_put_output(struct classes_text *text, const struct group *g, unsigned out) {
    unsigned method = g->out[out].method, data = g->out[out].data;
    if (is_immediate(method)) {
        uint32_t value = g->alu[method - OUT_IMMEDIATE0].immediate;
        classes_text_print(text, "method = ");
        macro_text_method(text, value & 0xfff, value >> 12);
    } else if (method != OUT_NONE) {
        classes_text_print(text, "method = ");
        macro_tu102_put_source(text, g, method);
    }
    if (data == OUT_NONE)
        return;
    classes_text_print(text, method == OUT_NONE ? "send " : "; send ");
    macro_tu102_put_source(text, g, data);
}

/* The condition under which a part is executed, if there is one. */
static void put_condition(struct classes_text *text, const struct group *g, unsigned part) {
    unsigned on_zero = tu102_parts(g, true) >> part & 1, else_ = tu102_parts(g, false) >> part & 1;
    if (on_zero && else_)
        return;
    classes_text_print(text, "[");
    macro_tu102_put_operand(text, g, 0, g->predicate);
    classes_text_print(text, " %s 0] ", on_zero ? "==" : "!=");
}

static void put_names(struct classes_text *text, uint32_t class_id, const struct group *g) {
    for (unsigned i = 0; i < 2; i++)
        if (is_immediate(g->out[i].method))
            macro_text_name(text, class_id, g->alu[g->out[i].method - OUT_IMMEDIATE0].immediate);
}

void macro_text_tu102(struct classes_text *text, uint32_t class_id, uint32_t pc, const uint32_t *words) {
    const uint32_t upwards[GROUP_WORDS] = {words[2], words[1], words[0]};
    struct group g = tu102_group(upwards);
    size_t begin = text->length;
    if (!tu102_is_legal(&g)) {
        classes_text_print(text, "illegal");
        return;
    }
    for (unsigned part = 0; part < 4; part++) {
        if (is_idle(&g, part))
            continue;
        classes_text_print(text, text->length == begin ? "" : "; ");
        put_condition(text, &g, part);
        if (part < 2)
            macro_tu102_put_alu(text, pc, &g, part);
        else
            macro_tu102_put_output(text, &g, part - 2);
    }
    if (g.end_next)
        classes_text_print(text, text->length == begin ? "exit" : "; exit");
    else if (text->length == begin)
        classes_text_print(text, "nop");
    put_names(text, class_id, &g);
}
