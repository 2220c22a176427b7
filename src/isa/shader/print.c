/* SPDX-License-Identifier: MIT */
/*
 * Instructions as text. Names and modifiers are NVIDIA's, as in the CUDA Binary Utilities; registers are those of the
 * form for all instruction sets, and so are the operands of textures, which are named one by one.
 */
#include "isa/shader/line.h"
#include "isa/shader/print.h"
#include "isa/shader/text.h"

#include <inttypes.h>

static void print_put_place(struct isa_line *line, const struct ir_source *source) {
    if (source->index)
        isa_line_add(line, "[A%u+0x%" PRIx32 "]", source->index, source->value);
    else
        isa_line_add(line, "[0x%" PRIx32 "]", source->value);
}

static void print_put_source(struct isa_line *line, const struct ir_source *source) {
    isa_line_add(line, "%s%s%s", source->invert ? "~" : "", source->negate ? "-" : "", source->absolute ? "|" : "");
    switch (source->kind) {
    case IR_CONSTANT:
        isa_line_add(line, "c[0x%x]", source->bank);
        print_put_place(line, source);
        break;
    case IR_IMMEDIATE:
        isa_line_add(line, "0x%" PRIx32, source->value);
        break;
    case IR_INPUT:
        isa_line_add(line, "a");
        print_put_place(line, source);
        break;
    case IR_SHARED:
        isa_line_add(line, "s");
        print_put_place(line, source);
        break;
    case IR_REGISTER:
        isa_line_register(line, source->value);
        break;
    default: /* there is none: it reads 0 */
        isa_line_add(line, "RZ");
    }
    isa_line_add(line, "%s", source->absolute ? "|" : "");
    isa_line_dot(line, isa_part_names[source->part & 7]);
}

/* [R2.64+0x10]; without a register, the offset alone. */
static void put_address(struct isa_line *line, const struct ir *ir) {
    bool has_a = ir->a.kind == IR_REGISTER && ir->a.value != IR_ZERO;
    isa_line_add(line, "[");
    if (has_a) {
        isa_line_register(line, ir->a.value);
        isa_line_add(line, "%s%s", ir->wide ? ".64" : "", ir->offset > 0 ? "+" : "");
    }
    if (!has_a || ir->offset)
        isa_line_number(line, ir->offset);
    isa_line_add(line, "]");
}

/* A target that is the sum of something and an offset, or the offset. */
static void print_put_target(struct isa_line *line, const struct ir *ir) {
    if (ir->op == IR_BRX) {
        print_put_source(line, &ir->a);
        isa_line_add(line, "%s", ir->offset >= 0 ? "+" : "");
    }
    isa_line_number(line, ir->offset);
}

/* ---- modifiers ---- */

static const char *test_name(unsigned test) {
    return isa_name(ISA_NAMES_TEST, test);
}

static void put_rounding(struct isa_line *line, const struct ir *ir) {
    bool is_whole = ir->op == IR_F2I || ir->integral;
    if (ir->integral && !ir->round)
        isa_line_dot(line, "ROUND");
    isa_line_dot(line, isa_name(is_whole ? ISA_NAMES_WHOLE : ISA_NAMES_ROUND, ir->round & 3));
}

static void put_flags(struct isa_line *line, const struct ir *ir) {
    const struct {
        bool is;
        const char *name;
    } flags[] = {
        {ir->float_true, "BF"},
        {ir->multiply_zero, "FMZ"},
        {ir->flush && !ir->multiply_zero, "FTZ"},
        {ir->high, "HI"},
        {ir->wrap, "W"},
        {ir->reverse, "BREV"},
        {ir->output, "O"},
        {ir->patch, "P"},
        {ir->saturate, "SAT"},
        {ir->plus_one, "PO"},
        {ir->carry_in, "X"},
        {ir->write_flags, "CC"},
    };
    for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
        if (flags[i].is)
            isa_line_dot(line, flags[i].name);
}

static void put_types(struct isa_line *line, const struct ir *ir, enum ir_said said) {
    unsigned type = ir->type, source = ir->source_type;
    switch (said) {
    case IR_SAID_SIGN:
        isa_line_dot(line, type == IR_U32 ? "U32" : "");
        break;
    case IR_SAID_SIGNS:
        if (type != IR_S32 || source != IR_S32) {
            isa_line_dot(line, isa_type_names[type % ISA_TYPES]);
            isa_line_dot(line, isa_type_names[source % ISA_TYPES]);
        }
        break;
    case IR_SAID_CONVERT:
        isa_line_dot(line, isa_type_names[type % ISA_TYPES]);
        isa_line_dot(line, isa_type_names[source % ISA_TYPES]);
        break;
    case IR_SAID_SIZE:
        isa_line_dot(line, isa_size_names[type % ISA_TYPES]);
        break;
    case IR_SAID_ATOMIC:
        isa_line_dot(line, ir->atomic == IR_CAS ? "" : isa_atomic_names[ir->atomic % ISA_ATOMICS]);
        isa_line_dot(line, type == IR_U32 ? "" : isa_type_names[type % ISA_TYPES]);
        break;
    default:
        break;
    }
}

/* Of the video instructions, the text has the comparison of those that compare. */
static bool print_says(const struct ir *ir, const struct ir_row *row, enum ir_modifier modifier) {
    if (ir->op == IR_VIDEO)
        return modifier == IR_HAS_COMPARE && (ir->mode == IR_VSET || ir->mode == IR_VSETP);
    if (ir->op == IR_SIMD)
        return modifier == IR_HAS_COMPARE && ir->mode == IR_SIMD_SET;
    return row->modifiers & modifier;
}

static bool is_integer(const struct ir *ir) {
    return ir->op == IR_ISET || ir->op == IR_ISETP || ir->op == IR_ICMP || ir->op == IR_VIDEO || ir->op == IR_SIMD;
}

/* How an image is accessed. */
static void put_image(struct isa_line *line, const struct ir *ir) {
    static const char *const dims[] = {"1D", "1D_BUFFER", "1D_ARRAY", "2D", "2D_ARRAY", "3D", "STRIDE"};
    static const char *const raws[] = {"U32", "S32", "U8", "S8"}, *const outside[] = {"", "NEAR", "TRAP"};
    static const char letters[] = "RGBA";
    bool by_address = ir->mode == IR_SULDG || ir->mode == IR_SUSTG;
    char components[sizeof letters];
    unsigned count = 0;
    for (unsigned i = 0; i < 4; i++)
        if (ir->surface.components >> i & 1)
            components[count++] = letters[i];
    components[count] = 0;
    isa_line_dot(line, by_address ? raws[ir->surface.raw & 3] : dims[ir->surface.dim % 7]);
    if (ir->mode == IR_SUATOM || ir->mode == IR_SURED) {
        isa_line_dot(line, ir->atomic == IR_CAS ? "" : isa_atomic_names[ir->atomic % ISA_ATOMICS]);
        isa_line_dot(line, isa_type_names[ir->surface.size % ISA_TYPES]);
    } else {
        isa_line_dot(line, ir->surface.formatted ? components : isa_size_names[ir->surface.size % ISA_TYPES]);
    }
    isa_line_dot(line, outside[ir->surface.outside % 3]);
}

/* Which image it is. */
static void put_image_place(struct isa_line *line, const struct ir *ir) {
    if (ir->mode == IR_SULDG || ir->mode == IR_SUSTG)
        return;
    isa_line_comma(line);
    if (ir->surface.handle != IR_ZERO)
        isa_line_register(line, ir->surface.handle);
    else
        isa_line_add(line, "%s[0x%x]", ir->surface.in_bank ? "h" : "i", ir->surface.slot);
}

static void put_modifiers(struct isa_line *line, const struct ir *ir, const struct ir_row *row) {
    static const char *const scales[] = {"D8", "D4", "D2", "", "M2", "M4", "M8"};
    const char *const *modes = ir_modes_names(row->modes);
    if (modes && ir_mode(ir) < ir_modes_count(row->modes))
        isa_line_dot(line, modes[ir_mode(ir)]);
    if (print_says(ir, row, IR_HAS_COMPARE)) /* integers have no unordered ones: 7 is always */
        isa_line_dot(line, test_name(ir->compare == IR_NUM && is_integer(ir) ? IR_ALWAYS : ir->compare & 15));
    if (ir->op == IR_IMADSP && !ir->extended)
        isa_line_parts(line, ir->mode & 7, ir->mode >> 4 & 3, ir->mode >> 8 & 3);
    if (ir->op == IR_SURFACE)
        put_image(line, ir);
    if ((ir->op == IR_SUCLAMP || ir->op == IR_SUBFM) && ir->extended)
        isa_line_dot(line, ir->op == IR_SUCLAMP ? "2D" : "3D");
    put_types(line, ir, row->said);
    if (print_says(ir, row, IR_HAS_COMBINE1))
        isa_line_dot(line, isa_name(ISA_NAMES_LOGIC, ir->combine1 & 3));
    if (print_says(ir, row, IR_HAS_COMBINE))
        isa_line_dot(line, isa_name(ISA_NAMES_LOGIC, ir->combine & 3));
    put_rounding(line, ir);
    put_flags(line, ir);
    if (ir->scale >= -3 && ir->scale <= 3)
        isa_line_dot(line, scales[ir->scale + 3]);
    isa_line_dot(line, isa_name(ISA_NAMES_SAMPLE, ir->sample));
    isa_line_dot(line, isa_name(ISA_NAMES_MERGE, ir->merge & 3));
}

/* ---- textures ---- */

static void put_item(struct isa_line *line, const char *name, unsigned reg) {
    if (reg == IR_ZERO)
        return;
    isa_line_comma(line);
    isa_line_add(line, "%s=", name);
    isa_line_register(line, reg);
}

static void put_texture_place(struct isa_line *line, const struct ir_texture *t) {
    isa_line_comma(line);
    if (t->handle != IR_ZERO)
        isa_line_register(line, t->handle);
    else if (t->by_slot)
        isa_line_add(line, "t[0x%x], s[0x%x]", t->slot, t->sampler);
    else
        isa_line_add(line, "h[0x%x]", t->slot);
}

static void put_results(struct isa_line *line, const struct ir_texture *t) {
    isa_line_comma(line);
    isa_line_add(line, "{");
    for (unsigned i = 0; i < 4; i++) {
        isa_line_add(line, "%s", i ? ", " : "");
        if (t->mask >> i & 1)
            isa_line_register(line, t->d[i]);
        else
            isa_line_add(line, "-");
    }
    isa_line_add(line, "}%s", t->f16 ? ".F16" : "");
}

static void put_texture(struct isa_line *line, const struct ir *ir) {
    static const char *const lods[] = {"", "LZ", "LB", "LL"}, *const dims[] = {"1D", "2D", "3D", "CUBE"};
    static const char *const queries[] = {"DIMENSION", "TYPE", "SAMPLE_POSITION", "FILTER", "LOD", "WRAP", "BORDER"};
    static const char *const coordinates[] = {"s", "t", "r"};
    static const char *const derivatives[] = {"dsdx", "dsdy", "dtdx", "dtdy", "drdx", "drdy"};
    const struct ir_texture *t = &ir->texture;
    if (ir->op == IR_TEX || ir->op == IR_TLD)
        isa_line_dot(line, lods[t->lod & 3]);
    if (ir->op == IR_TLD4)
        isa_line_add(line, ".%c", "RGBA"[t->component & 3]);
    if (ir->op == IR_TXQ)
        isa_line_dot(line, t->query < 7 ? queries[t->query] : "");
    isa_line_dot(line, t->offsets4 ? "PTP" : t->offsets ? "AOFFI" : "");
    isa_line_dot(line, t->shadow ? "DC" : "");
    isa_line_dot(line, t->samples ? "MS" : "");
    if (ir->p != IR_TRUE) {
        isa_line_comma(line);
        isa_line_predicate(line, ir->p, false);
    }
    put_results(line, t);
    if (ir->op != IR_TXQ) {
        isa_line_comma(line);
        isa_line_add(line, "%s%s", t->array ? "ARRAY_" : "", dims[t->dim & 3]);
    }
    put_texture_place(line, t);
    put_item(line, "layer", t->layer);
    for (unsigned i = 0; i < 3; i++)
        put_item(line, coordinates[i], t->coordinate[i]);
    put_item(line, "sample", t->samples ? t->sample : IR_ZERO);
    put_item(line, "level", t->level);
    put_item(line, "offset", t->offset[0]);
    put_item(line, "offset", t->offset[1]);
    put_item(line, "reference", t->reference);
    for (unsigned i = 0; i < 6; i++)
        put_item(line, derivatives[i], t->derivative[i]);
}

/* ---- operands ---- */

static bool is_left_out(const struct ir *ir, unsigned place) {
    switch (place) {
    case IR_PLACE_P:
        return ir->p == IR_TRUE;
    case IR_PLACE_D:
        return ir->d == IR_ZERO;
    case IR_PLACE_MASK:
        return ir->mask == 0xf;
    case IR_PLACE_TEST:
        return ir->test == IR_TEST_TRUE;
    default:
        return false;
    }
}

static void print_put_operand(struct isa_line *line, const struct ir *ir, unsigned place) {
    isa_line_comma(line);
    switch (place) {
    case IR_PLACE_P:
        isa_line_predicate(line, ir->p, false);
        break;
    case IR_PLACE_Q:
        isa_line_predicate(line, ir->q, false);
        break;
    case IR_PLACE_D:
        isa_line_register(line, ir->d);
        break;
    case IR_PLACE_A:
        print_put_source(line, &ir->a);
        break;
    case IR_PLACE_B:
        print_put_source(line, &ir->b);
        break;
    case IR_PLACE_C:
        print_put_source(line, &ir->c);
        break;
    case IR_PLACE_PREDICATE_A:
        isa_line_predicate(line, ir->a.value & 7, ir->a.invert);
        break;
    case IR_PLACE_PREDICATE_B:
        isa_line_predicate(line, ir->b.value & 7, ir->b.invert);
        break;
    case IR_PLACE_COMBINED:
        isa_line_predicate(line, ir->combine_predicate, ir->combine_negate);
        break;
    case IR_PLACE_TEST:
        isa_line_add(line, "CC.%s", test_name(ir->test & 31));
        break;
    case IR_PLACE_SPECIAL:
        isa_line_add(line, "SR0x%02" PRIx32, ir->a.value);
        break;
    case IR_PLACE_OFFSET:
        isa_line_number(line, ir->offset);
        break;
    case IR_PLACE_SHIFT:
        isa_line_add(line, "0x%x", ir->shift);
        break;
    case IR_PLACE_MASK:
        isa_line_add(line, "0x%x", ir->mask);
        break;
    case IR_PLACE_ATTRIBUTE:
        isa_line_add(line, "a");
        put_address(line, ir);
        break;
    case IR_PLACE_CONSTANT:
        isa_line_add(line, "c[0x%x]", ir->bank);
        put_address(line, ir);
        break;
    case IR_PLACE_TARGET:
        print_put_target(line, ir);
        break;
    default: /* IR_PLACE_ADDRESS */
        put_address(line, ir);
    }
}

static void put_operands(struct isa_line *line, const struct ir *ir, const struct ir_row *row) {
    for (const struct ir_row_operand *operand = row->operands; operand->place; operand++) {
        bool can_be_said =
            !operand->hidden && operand->place != IR_PLACE_FLAGS && operand->place != IR_PLACE_PREDICATES;
        bool left_out = operand->optional && is_left_out(ir, operand->place);
        if (can_be_said && !left_out && ir_operand_exists(ir, operand))
            print_put_operand(line, ir, operand->place);
    }
}

size_t isa_print(const struct ir *ir, char *text, size_t room) {
    if (!room)
        return 0;
    struct isa_line line = isa_line_begin(text, room);
    if (ir->guard != IR_TRUE || ir->guard_negate) {
        isa_line_add(&line, "@");
        isa_line_predicate(&line, ir->guard, ir->guard_negate);
        isa_line_add(&line, " ");
    }
    isa_line_add(&line, "%s", ir->name ? ir->name : "?");
    const struct ir_row *row = ir_row(ir->op);
    if (row->effects & IR_TEXTURES) {
        put_texture(&line, ir);
    } else {
        put_modifiers(&line, ir, row);
        put_operands(&line, ir, row);
        if (ir->op == IR_SURFACE)
            put_image_place(&line, ir);
    }
    isa_line_add(&line, "%s", ir->join ? "; JOIN" : "");
    return line.length;
}
