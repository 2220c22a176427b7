/* SPDX-License-Identifier: MIT */
/* The rows of ops.def, and which registers, predicates and flags an instruction touches by its row. */
#include "isa/shader/operation.h"

#include <assert.h>
#include <stddef.h>

/* ---- the table ---- */

enum {
    ALL_MODES = 0xffff,
    IS_VSETP = 1 << IR_VSETP,
    NO_VSETP = ALL_MODES & ~IS_VSETP,
    IS_SELECT = 1 << IR_SIMD_SELECT,
    NO_SELECT = ALL_MODES & ~IS_SELECT,
    IS_CAS = 1 << IR_CAS,
    NO_CAS = ALL_MODES & ~IS_CAS,
    REDUCES = ALL_MODES & ~3, /* modes of IR_BAR */
    IS_SULEA = 1 << IR_SULEA,
    BY_ADDRESS = 1 << IR_SULDG | 1 << IR_SUSTG,
};

/* The columns' words. */
enum {
    ROUND = IR_HAS_ROUND,
    FLUSH = IR_HAS_FLUSH,
    SATURATE = IR_HAS_SATURATE,
    FLAGS = IR_HAS_FLAGS,
    CARRY = IR_HAS_CARRY,
    PLUS_ONE = IR_HAS_PLUS_ONE,
    HIGH = IR_HAS_HIGH,
    WRAP = IR_HAS_WRAP,
    REVERSE = IR_HAS_REVERSE,
    TRUTH = IR_HAS_TRUTH,
    EXTENDED = IR_HAS_EXTENDED,
    INTEGRAL = IR_HAS_INTEGRAL,
    COMPARE = IR_HAS_COMPARE,
    COMBINE = IR_HAS_COMBINE,
    COMBINE1 = IR_HAS_COMBINE1,
    SCALE = IR_HAS_SCALE,
    SAMPLE = IR_HAS_SAMPLE,
    ATOMIC = IR_HAS_ATOMIC,
    BANK = IR_HAS_BANK,
    SHIFT = IR_HAS_SHIFT,
    MASK = IR_HAS_MASK,
    OFFSET = IR_HAS_OFFSET,
    FLOATS = ROUND | FLUSH | SATURATE | FLAGS,
    HALVES = FLUSH | SATURATE | IR_HAS_MERGE,
    SET = TRUTH | COMPARE | COMBINE | FLAGS,
    SUM = PLUS_ONE | CARRY | FLAGS,
    MEMORY = IR_HAS_SPACE | IR_HAS_WIDE | OFFSET,
    ATTRIBUTE = OFFSET | IR_HAS_OUTPUT | IR_HAS_PATCH,
};
enum {
    LOADS = IR_LOADS,
    STORES = IR_STORES,
    TEXTURES = IR_TEXTURES,
    INPUTS = IR_INPUTS,
    OUTPUTS = IR_OUTPUTS,
    EMITS = IR_EMITS,
    LANES = IR_LANES,
    JUMPS = IR_JUMPS,
    TARGET = IR_TARGET,
    PUSHES = IR_PUSHES,
    POPS = IR_POPS,
    ENDS = IR_ENDS,
    KILLS = IR_KILLS,
    BARRIER = IR_BARRIER,
    REPORTS = IR_REPORTS,
};

#define OPERAND(place, role, width, modes) {IR_PLACE_##place, role, IR_WIDTH_##width, modes},
#define R(place, width)                    OPERAND(place, IR_READ, width, ALL_MODES)
#define W(place, width)                    OPERAND(place, IR_WRITTEN, width, ALL_MODES)
#define RW(place, width)                   OPERAND(place, IR_READ | IR_WRITTEN, width, ALL_MODES)
#define R_IF(place, width, modes)          OPERAND(place, IR_READ, width, modes)
#define W_IF(place, width, modes)          OPERAND(place, IR_WRITTEN, width, modes)
#define NAME(place)                        OPERAND(place, IR_NAMED, WORD, ALL_MODES)
#define NO_OPERANDS                        OPERAND(NONE, IR_NAMED, WORD, 0)

#define RUN(function)           0
#define RUN2(function, doubles) 0
#define FLOW                    IR_FLOW
#define OP(name, run, modes, modifiers, effects, operands)                                                             \
    [IR_##name] = {#name, IR_MODES_##modes, modifiers, (effects) | (run), {operands}},

static const struct ir_row rows[IR_OPS] = {
#include "isa/shader/ops.def"
};

const struct ir_row *ir_row(unsigned op) {
    assert(op < IR_OPS && rows[op].name);
    return &rows[op];
}

/* Of IMADSP, three numbers: of parts 7, 3 and 3 at most. */
unsigned ir_modes_count(enum ir_modes of) {
    static const uint16_t counts[IR_MODES] = {
        [IR_MODES_NONE] = 1,
        [IR_MODES_ANY] = UINT16_MAX,
        [IR_MODES_PERMUTATIONS] = 7,
        [IR_MODES_BYTES] = 4,
        [IR_MODES_FUNCTIONS] = 9,
        [IR_MODES_REDUCTIONS] = 2,
        [IR_MODES_NEIGHBOURS] = 7,
        [IR_MODES_SHIFTS] = 3,
        [IR_MODES_PARTS] = (3 << 8 | 3 << 4 | 7) + 1,
        [IR_MODES_WORDS] = 4,
        [IR_MODES_OUTCOMES] = 4,
        [IR_MODES_AMOUNTS] = 2,
        [IR_MODES_DOTS] = 8,
        [IR_MODES_VIDEO] = IR_VSETP + 1,
        [IR_MODES_SIMD] = IR_SIMDS,
        [IR_MODES_TESTS] = 32,
        [IR_MODES_VOTES] = 3,
        [IR_MODES_SHUFFLES] = 4,
        [IR_MODES_ATOMICS] = IR_LOAD_ONLY + 1,
        [IR_MODES_INDICES] = 4,
        [IR_MODES_INTERPOLATIONS] = 4,
        [IR_MODES_EMISSIONS] = 4,
        [IR_MODES_PIXELS] = 6,
        [IR_MODES_CLAMPS] = 15,
        [IR_MODES_IMAGES] = IR_SURFACES,
        [IR_MODES_BARRIERS] = 6,
        [IR_MODES_SCOPES] = 3,
        [IR_MODES_CACHES] = 10,
    };
    assert(of < IR_MODES);
    return counts[of];
}

unsigned ir_mode(const struct ir *ir) {
    return ir_row(ir->op)->modes == IR_MODES_ATOMICS ? ir->atomic : ir->mode;
}

bool ir_operand_exists(const struct ir *ir, const struct ir_row_operand *operand) {
    assert(operand->modes == ALL_MODES || ir_mode(ir) < 16);
    return operand->modes == ALL_MODES || operand->modes >> (ir_mode(ir) & 15) & 1;
}

unsigned ir_words(unsigned type) {
    switch (type) {
    case IR_U64:
    case IR_S64:
    case IR_F64:
        return 2;
    case IR_B96:
        return 3;
    case IR_B128:
        return 4;
    default:
        return 1;
    }
}

static unsigned words_of(const struct ir *ir, const struct ir_row_operand *operand) {
    switch (operand->width) {
    case IR_WIDTH_TYPE:
        return ir_words(ir->type);
    case IR_WIDTH_SOURCE:
        return ir_words(ir->source_type);
    case IR_WIDTH_ADDRESS:
        return ir->wide ? 2 : 1;
    default:
        return 1;
    }
}

/* NULL: the operand is no source. */
static const struct ir_source *source_of(const struct ir *ir, unsigned place) {
    switch (place) {
    case IR_PLACE_A:
    case IR_PLACE_ADDRESS:
    case IR_PLACE_ATTRIBUTE:
    case IR_PLACE_CONSTANT:
    case IR_PLACE_TARGET:
        return &ir->a;
    case IR_PLACE_B:
        return &ir->b;
    case IR_PLACE_C:
        return &ir->c;
    default:
        return NULL;
    }
}

/* The register that an operand begins with; IR_ZERO: there is none. */
static unsigned register_of(const struct ir *ir, unsigned place) {
    const struct ir_source *source = source_of(ir, place);
    if (source)
        return source->kind == IR_REGISTER ? source->value & 0xff : IR_ZERO;
    return place == IR_PLACE_D ? ir->d : IR_ZERO;
}

bool ir_is_aligned(const struct ir *ir) {
    static const uint8_t multiples[] = {1, 1, 2, 4, 4};
    const struct ir_row_operand *operand = ir_row(ir->op)->operands;
    for (; operand->place; operand++) {
        unsigned first = register_of(ir, operand->place);
        if (first != IR_ZERO && ir_operand_exists(ir, operand) && first % multiples[words_of(ir, operand)])
            return false;
    }
    return true;
}

/* ---- what an instruction touches ---- */

struct list {
    struct ir_touch *touches;
    unsigned count;
    uint8_t place, role; /* of what is added */
};

static void add(struct list *list, enum ir_file file, unsigned first, unsigned count) {
    assert(list->count < IR_MOST_TOUCHES && count && (file != IR_FILE_REGISTERS || first + count <= IR_ZERO));
    list->touches[list->count++] =
        (struct ir_touch){(uint8_t)file, list->role, list->place, (uint16_t)first, (uint16_t)count};
}

static void add_registers(struct list *list, unsigned first, unsigned count) {
    assert(first <= IR_ZERO && count <= 8);
    if (first < IR_ZERO && count)
        add(list, IR_FILE_REGISTERS, first, first + count > IR_ZERO ? IR_ZERO - first : count);
}

static void add_predicate(struct list *list, unsigned number) {
    if (number < IR_TRUE)
        add(list, IR_FILE_PREDICATES, number, 1);
}

static void add_flags(struct list *list, unsigned flags) {
    if (flags)
        add(list, IR_FILE_FLAGS, flags, 1);
}

/* The flags that a condition test reads (envytools gf100.c, tabcc). */
static unsigned flags_of_test(unsigned test) {
    enum { Z = IR_FLAG_Z, S = IR_FLAG_S, C = IR_FLAG_C, V = IR_FLAG_V };
    static const uint8_t flags[32] = {
        0,         Z | S | V, Z | S, Z | S | V, Z | S | V, Z, S | V, Z | S, Z | S, S | V, Z,
        Z | S | V, Z | S | V, Z | S, Z | S | V, 0,         V, C,     S,     C | Z, C | Z, S,
        C,         V,         0,     0,         0,         0, 0,     0,     Z | S, Z | S,
    };
    return flags[test & 31];
}

static void add_items(struct list *list, const uint8_t *items, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        add_registers(list, items[i], 1);
}

/* Items are read one by one, and so are results written. d is where the results of the instruction begin. */
static void add_texture(struct list *list, const struct ir *ir) {
    const struct ir_texture *texture = &ir->texture;
    const uint8_t single[] = {texture->handle, texture->layer, texture->sample, texture->level, texture->reference};
    list->role = IR_NAMED;
    add_registers(list, ir->d, 1);
    list->role = IR_READ;
    add_items(list, single, sizeof single);
    add_items(list, texture->coordinate, sizeof texture->coordinate);
    add_items(list, texture->offset, sizeof texture->offset);
    add_items(list, texture->derivative, sizeof texture->derivative);
    list->role = IR_WRITTEN;
    for (unsigned i = 0; i < 4; i++)
        if (texture->mask >> i & 1)
            add_registers(list, texture->d[i], 1);
}

unsigned ir_image_words(const struct ir *ir) {
    if (ir->mode == IR_SULEA)
        return 2;
    return ir->surface.formatted ? (unsigned)__builtin_popcount(ir->surface.components) : ir_words(ir->surface.size);
}

/* Coordinates at a, data at d or b (yuzu surface_*.cpp): by dimension, and by components or size. */
static void add_image(struct list *list, const struct ir *ir) {
    static const uint8_t coordinates[8] = {1, 1, 2, 2, 3, 3, 3, 3};
    unsigned words = ir_image_words(ir);
    bool by_address = BY_ADDRESS >> (ir->mode & 15) & 1;
    list->role = IR_READ;
    add_registers(list, register_of(ir, IR_PLACE_A), by_address ? 2 : coordinates[ir->surface.dim & 7]);
    if (!by_address && !ir->surface.in_bank)
        add_registers(list, ir->surface.handle, 1);
    add_registers(list, register_of(ir, IR_PLACE_B), ir->atomic == IR_CAS ? 2 * words : words);
    list->role = IR_WRITTEN;
    add_registers(list, ir->d, words);
}

static void add_operand(struct list *list, const struct ir *ir, const struct ir_row_operand *operand) {
    list->place = operand->place;
    list->role = operand->role;
    switch (operand->place) {
    case IR_PLACE_D:
        if (operand->role == (IR_READ | IR_WRITTEN) && ir->merge < 2) /* both halves are new */
            list->role = IR_WRITTEN;
        add_registers(list, ir->d, words_of(ir, operand));
        break;
    case IR_PLACE_P:
        add_predicate(list, ir->p);
        break;
    case IR_PLACE_Q:
        add_predicate(list, ir->q);
        break;
    case IR_PLACE_COMBINED:
        add_predicate(list, ir->combine_predicate & 7);
        break;
    case IR_PLACE_PREDICATE_A:
        add_predicate(list, ir->a.value & 7);
        break;
    case IR_PLACE_PREDICATE_B:
        add_predicate(list, ir->b.value & 7);
        break;
    case IR_PLACE_PREDICATES:
        if (ir->extended)
            add_flags(list, IR_FLAG_Z | IR_FLAG_S | IR_FLAG_C | IR_FLAG_V);
        else
            add(list, IR_FILE_PREDICATES, 0, IR_TRUE);
        break;
    case IR_PLACE_FLAGS:
        add_flags(list, operand->width == IR_WIDTH_ZS ? IR_FLAG_Z | IR_FLAG_S : flags_of_test(ir->mode));
        break;
    case IR_PLACE_TEXTURE:
        add_texture(list, ir);
        break;
    case IR_PLACE_IMAGE:
        add_image(list, ir);
        break;
    default:
        add_registers(list, register_of(ir, operand->place), words_of(ir, operand));
    }
}

/* Guard, test, and the flags by the modifiers. */
static void add_common(struct list *list, const struct ir *ir, const struct ir_row *row) {
    list->role = IR_READ;
    add_predicate(list, ir->guard & 7);
    add_flags(list, flags_of_test(ir->test));
    if (row->modifiers & IR_HAS_CARRY && ir->carry_in)
        add_flags(list, row->modifiers & IR_HAS_COMPARE ? IR_FLAG_C | IR_FLAG_Z : IR_FLAG_C);
    list->role = IR_WRITTEN;
    if (row->modifiers & IR_HAS_FLAGS && ir->write_flags)
        add_flags(list, IR_FLAG_Z | IR_FLAG_S | IR_FLAG_C | IR_FLAG_V);
}

unsigned ir_touches(const struct ir *ir, struct ir_touch touches[IR_MOST_TOUCHES]) {
    const struct ir_row *row = ir_row(ir->op);
    struct list list = {.touches = touches};
    assert(!ir->flags); /* registers of flags are Tesla's */
    add_common(&list, ir, row);
    for (const struct ir_row_operand *operand = row->operands; operand->place; operand++)
        if (ir_operand_exists(ir, operand))
            add_operand(&list, ir, operand);
    return list.count;
}

struct ir_extent ir_extent(const struct ir *ir) {
    struct ir_touch touches[IR_MOST_TOUCHES];
    struct ir_extent extent = {0, 0};
    unsigned count = ir_touches(ir, touches);
    for (unsigned i = 0; i < count; i++) {
        unsigned first = touches[i].first, end = first + touches[i].count;
        if (touches[i].file != IR_FILE_REGISTERS)
            continue;
        if (end > extent.registers)
            extent.registers = (uint16_t)end;
        if (first + 1 > extent.named && touches[i].place != IR_PLACE_IMAGE)
            extent.named = (uint16_t)(first + 1);
    }
    return extent;
}
