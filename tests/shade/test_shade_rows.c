/* SPDX-License-Identifier: MIT */
/*
 * The rows of ops.def say what the shader core does: random instructions of all decoders are run with all registers,
 * predicates and flags observed. What a row does not call written keeps its value; what it does not call read may have
 * any value, and the results are the same. And each operand of a row matters to some instruction.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "isa/rows.h"
#include "isa/shader/operation.h"
#include "rounds.h"
#include "shade/rig.h"

enum { ROUNDS = 60, MEMORY = 0x1000, LOCAL = 256, SHARED = 512, FLAGS = 4, PLACES = IR_PLACES };
enum { EMITTED = 3, KEPT = 2, VERTICES = 40, SPECIALS = 256 };

static const struct encoding gm107[] = {
#include "isa/gm107.inc"
};
static const struct encoding gk110[] = {
#include "isa/gk110.inc"
};
static const struct encoding gf100[] = {
#include "isa/gf100.inc"
};
static const struct encoding gf100_short[] = {
#include "isa/gf100_short.inc"
};
static const struct encoding gf100_fermi[] = {
#include "isa/gf100_fermi.inc"
};
static const struct encoding gf100_kepler[] = {
#include "isa/gf100_kepler.inc"
};

#define LIST(isa, list)                                                                                                \
    { isa, list, sizeof(list) / sizeof((list)[0]) }
static const struct {
    const struct isa *isa;
    const struct encoding *list;
    size_t count;
} lists[] = {
    LIST(&isa_gm107, gm107),        LIST(&isa_gk110, gk110),         LIST(&isa_gf100, gf100),
    LIST(&isa_gf100, gf100_short),  LIST(&isa_gf100, gf100_fermi),   LIST(&isa_gf100k, gf100),
    LIST(&isa_gf100k, gf100_short), LIST(&isa_gf100k, gf100_kepler),
};

/* A warp, and all that it can reach. */
struct machine {
    struct shade_warp warp;
    shade_row inputs[SHADE_ATTRIBUTES], outputs[SHADE_ATTRIBUTES];
    uint8_t memory[MEMORY], local[SHADE_LANES * LOCAL], shared[SHARED];
    uint64_t told; /* of all that the stage is told, in the order */
    struct shade_emission emission;
    uint32_t emitted[SHADE_LANES * EMITTED * KEPT];
    uint8_t marks[SHADE_LANES * EMITTED];
    struct shade_io io;
    enum shade_stop stop;
};

/* Three machines: as it begins, with what is not read changed, with one operand changed; before and after. */
struct scene {
    struct machine before, after, other_before, other_after;
    struct rig rig;
    struct ir ir;
    struct ir_touch touches[IR_MOST_TOUCHES];
    unsigned count;
    bool matters[IR_OPS][PLACES], changes[IR_OPS][PLACES], is_there[IR_OPS][PLACES];
    unsigned runs[IR_OPS];
    struct choice choice;
};

/* ---- the stage: all that it is told is kept as a sum, and decides the answers ---- */

static uint32_t mixed(uint32_t a, uint32_t b) {
    uint32_t x = (a ^ b * 0x9e3779b9u) * 0x85ebca6bu;
    return x ^ x >> 15;
}

static uint32_t tell(struct shade_warp *warp, uint32_t what) {
    struct machine *m = warp->io->opaque;
    m->told = (m->told ^ what) * 0x100000001b3ull + 1;
    return mixed(what, 0x5bd1e995);
}

static uint32_t tell_lane(struct shade_warp *warp, uint32_t lanes, unsigned lane, uint32_t what) {
    return lanes >> lane & 1 ? tell(warp, what) : 0;
}

static void interpolate(struct shade_warp *warp, uint32_t lanes, const uint32_t *word, const struct ir *ir,
                        const uint32_t *offset, uint32_t *out) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = tell_lane(warp, lanes, i, mixed(word[i] + ir->sample, offset[i]));
}

static void pixel(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *a, uint32_t *out) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = tell_lane(warp, lanes, i, mixed(ir->mode, a[i]));
}

static bool load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                 unsigned stride) {
    const struct machine *m = warp->io->opaque;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        tell_lane(warp, lanes, i, mixed((uint32_t)address[i], (uint32_t)(address[i] >> 32)));
        for (unsigned k = 0; k < bytes && lanes >> i & 1; k++)
            ((uint8_t *)to)[(size_t)i * stride + k] = m->memory[(address[i] + k) % MEMORY];
    }
    return true;
}

static bool store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                  unsigned stride) {
    struct machine *m = warp->io->opaque;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        tell_lane(warp, lanes, i, mixed((uint32_t)address[i], (uint32_t)(address[i] >> 32)));
        for (unsigned k = 0; k < bytes && lanes >> i & 1; k++)
            m->memory[(address[i] + k) % MEMORY] = ((const uint8_t *)from)[(size_t)i * stride + k];
    }
    return true;
}

/* All that a texture may be asked for (draw/sampling.c). */
static bool texture(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *handle,
                    shade_row out[4]) {
    const struct ir_texture *t = &ir->texture;
    const uint8_t items[] = {t->layer,         t->coordinate[0], t->coordinate[1], t->coordinate[2], t->sample,
                             t->level,         t->offset[0],     t->offset[1],     t->reference,     t->derivative[0],
                             t->derivative[1], t->derivative[2], t->derivative[3], t->derivative[4], t->derivative[5]};
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t sum = tell_lane(warp, lanes, i, handle[i]);
        for (unsigned k = 0; k < sizeof items; k++)
            sum = mixed(sum, tell_lane(warp, lanes, i, shade_lanes(warp, items[k])[i]));
        for (unsigned k = 0; k < 4; k++)
            out[k][i] = mixed(sum, k);
    }
    return true;
}

static uint32_t block(const struct shade_warp *warp, const struct ir_source *source, unsigned i, unsigned lane) {
    unsigned first = source->kind == IR_REGISTER ? source->value : IR_ZERO;
    return shade_lanes(warp, (uint8_t)(first + i < IR_ZERO ? first + i : IR_ZERO))[lane];
}

/* All that an image may be asked for (engine/image): coordinates or an address, what is stored, which image it is. */
static uint32_t tell_image(struct shade_warp *warp, uint32_t lanes, unsigned lane, const struct ir *ir) {
    static const uint8_t coordinates[] = {1, 1, 2, 2, 3, 3, 3};
    bool by_address = ir->mode == IR_SULDG || ir->mode == IR_SUSTG;
    unsigned words = ir_image_words(ir) * (ir->atomic == IR_CAS ? 2 : 1), sum = 0;
    for (unsigned i = 0; i < (by_address ? 2u : coordinates[ir->surface.dim]); i++)
        sum = mixed(sum, tell_lane(warp, lanes, lane, block(warp, &ir->a, i, lane)));
    for (unsigned i = 0; i < words; i++)
        sum = mixed(sum, tell_lane(warp, lanes, lane, block(warp, &ir->b, i, lane)));
    if (!by_address && !ir->surface.in_bank)
        sum = mixed(sum, tell_lane(warp, lanes, lane, shade_lanes(warp, ir->surface.handle)[lane]));
    if (by_address) {
        sum = mixed(sum, tell_lane(warp, lanes, lane, block(warp, &ir->c, 0, lane)));
        sum = mixed(sum, tell_lane(warp, lanes, lane, warp->predicates[ir->combine_predicate] >> lane & 1));
    }
    return sum;
}

static bool surface(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, struct shade_image *image) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        uint32_t sum = tell_image(warp, lanes, i, ir);
        for (unsigned k = 0; k < 4; k++)
            image->out[k][i] = mixed(sum, k);
        image->outside |= (sum & 1) << i;
    }
    return true;
}

static void not_executed(struct shade_warp *warp, const struct ir *ir) {
    tell(warp, ir->op);
}

/* ---- states ---- */

/* Addresses, floats near each other, and anything. */
static uint32_t value(struct choice *c) {
    switch (choice_below(c, 4)) {
    case 0:
        return 16 * choice_below(c, 12);
    case 1:
        return choice_below(c, 40);
    case 2:
        return (choice_word(c) & 0x807fffff) | choice_between(c, 117, 137) << 23;
    default:
        return choice_word(c);
    }
}

static void set_row(struct choice *c, uint32_t *row) {
    bool addresses = choice_once_in(c, 3);
    for (unsigned i = 0; i < SHADE_LANES; i++)
        row[i] = addresses ? 16 * choice_below(c, 12) : value(c);
}

static void set_bytes(struct choice *c, uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)choice_word(c);
}

static uint32_t *flag_of(struct shade_warp *warp, unsigned number) {
    uint32_t *flags[FLAGS] = {&warp->zero, &warp->sign, &warp->carry, &warp->overflow};
    return flags[number];
}

/* Vertices of a primitive, all numbers of special registers, and words that emitted vertices have. */
static uint32_t words[2][VERTICES][SHADE_ATTRIBUTES];
static const struct shade_vertices vertices = {words[0][0], words[1][0], VERTICES};
static struct shade_special specials[SPECIALS];
static shade_row special_rows[SPECIALS];
static const uint8_t kept_words[KEPT] = {0x1c, 0x20};

static void fill_given(void) {
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < VERTICES; k++)
            for (unsigned word = 0; word < SHADE_ATTRIBUTES; word++)
                words[i][k][word] = mixed(word + 1000 * i, k);
    for (unsigned number = 0; number < SPECIALS; number++) {
        for (unsigned lane = 0; lane < SHADE_LANES; lane++)
            special_rows[number][lane] = mixed(number, lane);
        specials[number] = (struct shade_special){number, 0, special_rows[number]};
    }
}

static void set_emission(struct machine *m) {
    m->emission.kept = kept_words;
    m->emission.kept_count = KEPT;
    m->emission.most = EMITTED;
    m->emission.words = m->emitted;
    m->emission.marks = m->marks;
    m->io.emission = &m->emission;
}

static void set_stage(struct machine *m, bool own_inputs, bool quads, bool flat) {
    m->io = (struct shade_io){
        .opaque = m,
        .texture_bank = 2,
        .inputs = own_inputs ? m->inputs : NULL,
        .outputs = m->outputs,
        .local = m->local,
        .local_bytes = LOCAL,
        .shared = m->shared,
        .shared_bytes = SHARED,
        .local_window = 0xff000000,
        .shared_window = 0xfe000000,
        .quads = quads,
        .flat = flat,
        .collects = true,
        .interpolate = interpolate,
        .specials = specials,
        .special_count = SPECIALS,
        .vertices = &vertices,
        .pixel = pixel,
        .load = load,
        .store = store,
        .texture = texture,
        .surface = surface,
        .not_executed = not_executed,
    };
    for (unsigned i = 0; i < 8; i++)
        m->io.constants[i] = (struct shade_constants){m->memory, MEMORY >> (i & 3)};
    m->warp.io = &m->io;
    set_emission(m);
}

static void set_stacks(struct choice *c, struct shade_warp *warp) {
    for (unsigned lane = 0; lane < SHADE_LANES; lane++) {
        warp->depth[lane] = (uint8_t)choice_below(c, 4);
        for (unsigned k = 0; k < warp->depth[lane]; k++) {
            warp->stacks[lane].type[k] = (uint8_t)choice_between(c, 1, 6);
            warp->stacks[lane].target[k] = 8 * choice_below(c, 100);
        }
    }
}

static void fill(struct scene *scene, struct shade_program *program) {
    struct choice *c = &scene->choice;
    struct machine *m = &scene->before;
    set_stage(m, choice_once_in(c, 3), choice_once_in(c, 2), choice_once_in(c, 2));
    shade_warp_begin(&m->warp, program, &m->io, choice_once_in(c, 2) ? UINT32_MAX : choice_word(c) | 1,
                     choice_once_in(c, 3) ? choice_word(c) : 0);
    m->warp.zeroed = IR_ZERO;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        m->emission.count[i] = choice_below(c, EMITTED + 1);
    set_bytes(c, m->marks, sizeof m->marks);
    for (unsigned i = 0; i < scene->count; i++) /* the others have what is left of instructions before */
        for (unsigned k = 0; k < scene->touches[i].count && scene->touches[i].file == IR_FILE_REGISTERS; k++)
            set_row(c, m->warp.registers[scene->touches[i].first + k]);
    for (unsigned i = 0; i < IR_TRUE; i++)
        m->warp.predicates[i] = choice_word(c);
    for (unsigned i = 0; i < FLAGS; i++)
        *flag_of(&m->warp, i) = choice_word(c);
    set_stacks(c, &m->warp);
}

static void run(struct machine *after, const struct machine *before) {
    uint64_t used;
    memcpy(after, before, sizeof *after);
    after->io.opaque = after;
    after->io.inputs = before->io.inputs ? after->inputs : NULL;
    after->io.outputs = after->outputs;
    after->io.local = after->local;
    after->io.shared = after->shared;
    for (unsigned i = 0; i < 8; i++)
        after->io.constants[i].data = after->memory;
    after->warp.io = &after->io;
    set_emission(after);
    after->stop = shade_run(&after->warp, 1, &used);
}

/* ---- what a row says ---- */

struct mask {
    bool registers[SHADE_REGISTERS];
    uint32_t predicates, flags;
};

static void mask_add(struct mask *mask, const struct ir_touch *touch) {
    switch (touch->file) {
    case IR_FILE_REGISTERS:
        assert_in_range(touch->first + touch->count, 1, IR_ZERO);
        memset(mask->registers + touch->first, 1, touch->count);
        break;
    case IR_FILE_PREDICATES:
        for (unsigned i = 0; i < touch->count; i++)
            mask->predicates |= 1u << (touch->first + i);
        break;
    default:
        mask->flags |= touch->first;
    }
}

static struct mask mask_of(const struct scene *scene, unsigned role) {
    struct mask mask = {.predicates = 0};
    for (unsigned i = 0; i < scene->count; i++)
        if (scene->touches[i].role & role)
            mask_add(&mask, &scene->touches[i]);
    return mask;
}

/* New values where the mask is `set`. */
static void change(struct choice *c, struct shade_warp *warp, const struct mask *mask, bool set) {
    uint32_t other = choice_word(c) | 1;
    for (unsigned i = 0; i < IR_ZERO; i++)
        if (mask->registers[i] == set && set)
            set_row(c, warp->registers[i]);
        else if (mask->registers[i] == set)
            for (unsigned k = 0; k < SHADE_LANES; k++)
                warp->registers[i][k] ^= other;
    for (unsigned i = 0; i < IR_TRUE; i++)
        if ((mask->predicates >> i & 1) == set)
            warp->predicates[i] = choice_word(c);
    for (unsigned i = 0; i < FLAGS; i++)
        if ((mask->flags >> i & 1) == set)
            *flag_of(warp, i) = choice_word(c);
}

/* ---- what happened ---- */

/* Nothing but what the mask has is another value. NULL: so it is. */
static const char *kept(struct machine *before, struct machine *after, const struct mask *mask) {
    for (unsigned i = 0; i < SHADE_REGISTERS; i++)
        if (!mask->registers[i] && memcmp(before->warp.registers[i], after->warp.registers[i], sizeof(shade_row)))
            return "writes another register";
    for (unsigned i = 0; i < SHADE_PREDICATES; i++)
        if (!(mask->predicates >> i & 1) && before->warp.predicates[i] != after->warp.predicates[i])
            return "writes another predicate";
    for (unsigned i = 0; i < FLAGS; i++)
        if (!(mask->flags >> i & 1) && *flag_of(&before->warp, i) != *flag_of(&after->warp, i))
            return "writes another flag";
    return NULL;
}

static bool same_effects(const struct machine *a, const struct machine *b) {
    bool same = a->stop == b->stop && a->told == b->told && a->warp.alive == b->warp.alive &&
                a->warp.killed == b->warp.killed && a->warp.waiting == b->warp.waiting &&
                a->warp.error == b->warp.error && a->warp.all_depth == b->warp.all_depth;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        same &= a->warp.pc[i] == b->warp.pc[i] && a->warp.depth[i] == b->warp.depth[i];
    same &= !memcmp(a->emission.count, b->emission.count, sizeof a->emission.count) &&
            !memcmp(a->emitted, b->emitted, sizeof a->emitted) && !memcmp(a->marks, b->marks, sizeof a->marks);
    return same && !memcmp(a->outputs, b->outputs, sizeof a->outputs) && !memcmp(a->memory, b->memory, MEMORY) &&
           !memcmp(a->local, b->local, sizeof a->local) && !memcmp(a->shared, b->shared, SHARED);
}

static bool same_mask(uint32_t a_before, uint32_t a, uint32_t b_before, uint32_t b) {
    return !((a ^ b) & ~(~(a ^ a_before) & ~(b ^ b_before)));
}

/* In both machines a lane has the same new value, or its old one. */
static bool same_values(struct scene *scene) {
    struct shade_warp *a_before = &scene->before.warp, *a = &scene->after.warp;
    struct shade_warp *b_before = &scene->other_before.warp, *b = &scene->other_after.warp;
    bool same = true;
    for (unsigned i = 0; i < SHADE_REGISTERS; i++)
        for (unsigned k = 0; k < SHADE_LANES; k++)
            same &= a->registers[i][k] == b->registers[i][k] || (a->registers[i][k] == a_before->registers[i][k] &&
                                                                 b->registers[i][k] == b_before->registers[i][k]);
    for (unsigned i = 0; i < SHADE_PREDICATES; i++)
        same &= same_mask(a_before->predicates[i], a->predicates[i], b_before->predicates[i], b->predicates[i]);
    for (unsigned i = 0; i < FLAGS; i++)
        same &= same_mask(*flag_of(a_before, i), *flag_of(a, i), *flag_of(b_before, i), *flag_of(b, i));
    return same;
}

static bool same_run(struct scene *scene) {
    run(&scene->other_after, &scene->other_before);
    return same_effects(&scene->after, &scene->other_after) && same_values(scene);
}

static const char *observe(struct scene *scene) {
    struct mask read = mask_of(scene, IR_READ), written = mask_of(scene, IR_WRITTEN);
    run(&scene->after, &scene->before);
    const char *wrong = kept(&scene->before, &scene->after, &written);
    memcpy(&scene->other_before, &scene->before, sizeof scene->before);
    change(&scene->choice, &scene->other_before.warp, &read, false);
    if (!wrong && !same_run(scene))
        wrong = "depends on what it does not read";
    return wrong;
}

/* What only this operand reads. */
static struct mask own_mask(const struct scene *scene, unsigned number) {
    struct mask own = {.predicates = 0}, others = {.predicates = 0};
    mask_add(&own, &scene->touches[number]);
    for (unsigned i = 0; i < scene->count; i++)
        if (i != number && scene->touches[i].role & IR_READ)
            mask_add(&others, &scene->touches[i]);
    for (unsigned i = 0; i < SHADE_REGISTERS; i++)
        own.registers[i] &= !others.registers[i];
    own.predicates &= ~others.predicates;
    own.flags &= ~others.flags;
    return own;
}

/* Which operands matter, or change, this time. */
static void learn(struct scene *scene) {
    for (unsigned i = 0; i < scene->count; i++) {
        const struct ir_touch *touch = &scene->touches[i];
        struct mask mask = {.predicates = 0}, others = {.predicates = 0};
        mask_add(&mask, touch);
        scene->is_there[scene->ir.op][touch->place] = true;
        if (touch->role & IR_WRITTEN) {
            for (unsigned k = 0; k < SHADE_REGISTERS; k++)
                others.registers[k] = !mask.registers[k];
            others.predicates = ~mask.predicates;
            others.flags = ~mask.flags;
            scene->changes[scene->ir.op][touch->place] |= kept(&scene->before, &scene->after, &others) != NULL;
        }
        if (touch->role & IR_READ && !scene->matters[scene->ir.op][touch->place]) {
            mask = own_mask(scene, i);
            memcpy(&scene->other_before, &scene->before, sizeof scene->before);
            change(&scene->choice, &scene->other_before.warp, &mask, true);
            scene->matters[scene->ir.op][touch->place] = !same_run(scene);
        }
    }
}

/* Most accesses are inside existing memory. A predicate is also written that the lists of encodings leave out. */
static void vary(struct scene *scene) {
    struct ir *ir = &scene->ir;
    const struct ir_row *row = ir_row(ir->op);
    if (row->effects & IR_TEXTURES)
        ir->p = (uint8_t)choice_below(&scene->choice, IR_TRUE + 1);
    if (row->modifiers & IR_HAS_OFFSET && !(row->effects & IR_FLOW) && !choice_once_in(&scene->choice, 8))
        ir->offset = 16 * choice_below(&scene->choice, 6);
    if (ir->op == IR_LDC)
        ir->bank &= 7;
}

static void play(struct scene *scene, const struct isa *isa, uint64_t word) {
    if (decode_word(isa, word, 8, &scene->ir) != ISA_OK)
        return;
    vary(scene);
    scene->runs[scene->ir.op]++;
    scene->count = ir_touches(&scene->ir, scene->touches);
    scene->rig.code[0] = scene->ir;
    struct shade_program *program = rig_program(&scene->rig);
    assert_non_null(program);
    fill(scene, program);
    const char *wrong = observe(scene);
    if (wrong)
        fail_msg("%s %016llx, %s: it %s", isa->name, (unsigned long long)word, scene->ir.name, wrong);
    learn(scene);
    shade_program_free(program);
}

/* One bit in two, four or eight is set. */
static uint64_t some_bits(struct choice *c) {
    uint64_t bits = UINT64_MAX;
    for (unsigned i = choice_between(c, 1, 3); i; i--)
        bits &= (uint64_t)choice_word(c) << 32 | choice_word(c);
    return bits;
}

static struct scene *scene_new(void) {
    struct scene *scene = aligned_alloc(64, (sizeof *scene + 63) / 64 * 64);
    assert_non_null(scene);
    memset(scene, 0, sizeof *scene);
    scene->choice = choice_from_seed(rounds_number("PFIFO_SEED", 1));
    rig_begin(&scene->rig);
    scene->rig.count = 1;
    scene->rig.code[1] = rig_neutral(IR_EXIT);
    for (unsigned i = 0; i < IR_ZERO; i++)
        set_row(&scene->choice, scene->before.warp.registers[i]);
    for (unsigned i = 0; i < MEMORY; i += 4) /* what compares with memory finds it equal now and then */
        scene->before.memory[i] = (uint8_t)(16 * choice_below(&scene->choice, 12));
    set_bytes(&scene->choice, (uint8_t *)scene->before.inputs, sizeof scene->before.inputs);
    return scene;
}

static struct scene *played(void) {
    static struct scene *scene;
    if (scene)
        return scene;
    scene = scene_new();
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (size_t k = 0; k < lists[i].count; k++)
            for (unsigned round = 0; round < ROUNDS; round++) {
                const struct encoding *e = &lists[i].list[k];
                play(scene, lists[i].isa, e->value | (some_bits(&scene->choice) & ~e->mask));
            }
    return scene;
}

static void instructions_read_and_write_what_their_rows_say(void **state) {
    (void)state;
    played();
}

/*
 * What the interpreter leaves alone: it executes no reduction at a barrier, has one barrier for all
 * threads, and writes attributes of one vertex.
 */
static const struct {
    uint16_t op;
    uint8_t place, role;
} exceptions[] = {
    {IR_PIXLD, IR_PLACE_P, IR_WRITTEN}, {IR_BAR, IR_PLACE_P, IR_WRITTEN}, {IR_BAR, IR_PLACE_D, IR_WRITTEN},
    {IR_BAR, IR_PLACE_A, IR_READ},      {IR_BAR, IR_PLACE_B, IR_READ},    {IR_BAR, IR_PLACE_COMBINED, IR_READ},
    {IR_AST, IR_PLACE_C, IR_READ},
};

static bool is_exception(unsigned op, unsigned place, unsigned role) {
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        if (exceptions[i].op == op && exceptions[i].place == place && exceptions[i].role & role)
            return true;
    return false;
}

static void expect(bool found, unsigned op, const struct ir_row_operand *operand, unsigned role) {
    if (found == is_exception(op, operand->place, role))
        fail_msg("%s: place %u is %s%s", ir_row(op)->name, operand->place, found ? "" : "never ",
                 role == IR_READ ? "read" : "written");
}

static void every_operand_of_a_row_matters(void **state) {
    const struct scene *scene = played();
    (void)state;
    for (unsigned op = 0; op < IR_OPS; op++)
        for (const struct ir_row_operand *operand = ir_row(op)->operands; operand->place; operand++) {
            if (operand->role & IR_READ)
                expect(scene->matters[op][operand->place], op, operand, IR_READ);
            if (operand->role & IR_WRITTEN)
                expect(scene->changes[op][operand->place], op, operand, IR_WRITTEN);
        }
}

static void every_operation_is_decoded(void **state) {
    const struct scene *scene = played();
    (void)state;
    for (unsigned op = 0; op < IR_OPS; op++)
        if (!scene->runs[op])
            fail_msg("%s", ir_row(op)->name);
}

int main(void) {
    fill_given();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_read_and_write_what_their_rows_say),
        cmocka_unit_test(every_operand_of_a_row_matters),
        cmocka_unit_test(every_operation_is_decoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
