/* SPDX-License-Identifier: MIT */
/*
 * Random words of GF100, GK104, GK110 and GM107: decoder and shader core against executors that go by the bits. The same with
 * words that NAK emits (nak/nak.h), all of which are known to those executors, or tested elsewhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "engine/shade/warp.h"
#include "isa/nak/nak.h"
#include "isa/rows.h"
#include "reference/gf100.h"
#include "reference/gk110.h"
#include "reference/gm107.h"
#include "rounds.h"

enum { WORDS = 24, CONSTANTS = 0x10000 };

static const struct encoding gm107[] = {
#include "isa/gm107.inc"
};
static const struct encoding gk110[] = {
#include "isa/gk110.inc"
};
static const struct encoding gf100[] = {
#include "isa/gf100.inc"
};

/* `period`: bytes from one word for the scheduler to the next; 0: there are none. */
struct set {
    const struct isa *isa;
    const struct encoding *encodings;
    size_t count;
    bool (*step)(struct gm107_thread *thread, uint64_t word);
    uint64_t exit;
    unsigned period, registers;
    uint64_t guard; /* bits that are 1 if there is none, and 0 if it is inverted */
    uint64_t not_guard, flags, join;
    const struct nak_set *nak; /* words are of its rows; NULL: of the encodings */
};

#define LIST(list) list, sizeof(list) / sizeof((list)[0])
static const struct set sets[] = {
    {&isa_gm107, LIST(gm107), reference_gm107_step, 0xe30000000007000f, 32, 255, 7ull << 16, 1ull << 19, 1ull << 47, 0,
     NULL},
    {&isa_gf100, LIST(gf100), reference_gf100_step, 0x8000000000001de7, 0, 63, 7ull << 10, 1ull << 13, 1ull << 48, 16,
     NULL},
    {&isa_gf100k, LIST(gf100), reference_gf100_step, 0x8000000000001de7, 64, 63, 7ull << 10, 1ull << 13, 1ull << 48, 16,
     NULL},
    {&isa_gk110, LIST(gk110), reference_gk110_step, 0x18000000001c003c, 64, 255, 7ull << 18, 1ull << 21, 1ull << 50,
     1ull << 22, NULL},
    {&isa_gf100k, NULL, 0, reference_gf100_step, 0x8000000000001de7, 64, 63, 7ull << 10, 1ull << 13, 0, 0,
     &nak_sets[0]},
    {&isa_gk110, NULL, 0, reference_gk110_step, 0x18000000001c003c, 64, 255, 7ull << 18, 1ull << 21, 0, 0,
     &nak_sets[1]},
    {&isa_gm107, NULL, 0, reference_gm107_step, 0xe30000000007000f, 32, 255, 7ull << 16, 1ull << 19, 0, 0,
     &nak_sets[2]},
};

static const struct set *set;

struct scene {
    uint64_t words[WORDS];
    uint8_t constants[CONSTANTS];
    struct gm107_thread threads[SHADE_LANES];
    struct shade_io io;
    struct shade_warp warp;
};

static uint64_t next(struct choice *c) {
    uint64_t high = choice_word(c);
    return high << 32 | choice_word(c);
}

static uint32_t value(struct choice *c) {
    static const uint32_t edges[] = {0,          1,          2,          31,         32,         0xffff,     0x8000,
                                     0x10000,    0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x00000805,
                                     0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x00800000, 0x7f7fffff};
    uint64_t bits = next(c);
    switch (bits & 3) {
    case 0:
        return edges[(bits >> 2) % (sizeof(edges) / sizeof(edges[0]))];
    case 1: /* floats near each other */
        return ((uint32_t)(bits >> 32) & 0x83ffffff) | 0x3c000000;
    default:
        return (uint32_t)(bits >> 32);
    }
}

static bool both_know(const struct scene *scene, uint64_t word) {
    struct gm107_thread scratch = scene->threads[0];
    struct ir ir;
    return set->step(&scratch, word) && decode_word(set->isa, word, 8, &ir) == ISA_OK && ir.op != IR_OTHER;
}

/* Rows that have no word which both know are asked a few times. */
static uint64_t some_word_of_nak(const struct scene *scene, struct choice *c) {
    for (;;) {
        uint64_t word = nak_some_word(set->nak, &set->nak->rows[choice_below(c, (uint32_t)set->nak->count)], c);
        if (both_know(scene, word))
            return word;
    }
}

/* A word that both know. Destinations are often a low register, so that words use what others made. */
static uint64_t some_word(struct scene *scene, struct choice *c) {
    if (set->nak)
        return some_word_of_nak(scene, c);
    for (;;) {
        const struct encoding *e = &set->encodings[choice_below(c, (uint32_t)set->count)];
        uint64_t word = e->value | (next(c) & ~e->mask);
        if (!choice_once_in(c, 4))
            word = (word & ~set->not_guard) | set->guard;
        if (choice_once_in(c, 2))
            word &= ~(set->flags & ~e->mask);
        word &= ~(set->join & ~e->mask);
        if (both_know(scene, word))
            return word;
    }
}

static bool fetch(void *opaque, uint32_t address, uint8_t *bytes, unsigned count) {
    const struct scene *scene = opaque;
    unsigned number = address / 8, each = set->period / 8;
    bool schedule = each && number % each == 0;
    if (each)
        number = number / each * (each - 1) + number % each - 1;
    uint64_t word = schedule ? 0 : number < WORDS ? scene->words[number] : set->exit;
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
    return true;
}

static void fill(struct scene *scene, struct choice *c) {
    for (size_t i = 0; i < CONSTANTS; i += 4) {
        uint32_t word = value(c);
        for (unsigned k = 0; k < 4; k++)
            scene->constants[i + k] = (uint8_t)(word >> 8 * k);
    }
    for (unsigned lane = 0; lane < SHADE_LANES; lane++) {
        struct gm107_thread *t = &scene->threads[lane];
        for (unsigned i = 0; i < set->registers; i++)
            t->r[i] = value(c);
        uint64_t bits = next(c);
        for (unsigned i = 0; i < 7; i++)
            t->p[i] = bits >> i & 1;
        t->r[IR_ZERO] = 0;
        t->p[IR_TRUE] = true;
        t->constants = scene->constants;
    }
}

static void load(struct scene *scene, struct shade_program *program) {
    scene->io = (struct shade_io){.opaque = scene};
    for (unsigned i = 0; i < SHADE_BANKS; i++)
        scene->io.constants[i] = (struct shade_constants){scene->constants, CONSTANTS};
    shade_warp_begin(&scene->warp, program, &scene->io, UINT32_MAX, 0);
    scene->warp.zeroed = IR_ZERO;
    for (unsigned lane = 0; lane < SHADE_LANES; lane++) {
        for (unsigned i = 0; i < SHADE_REGISTERS; i++)
            scene->warp.registers[i][lane] = scene->threads[lane].r[i];
        for (unsigned i = 0; i < 7; i++)
            scene->warp.predicates[i] |= (uint32_t)scene->threads[lane].p[i] << lane;
    }
}

/* After `word`, which is to blame. */
static bool is_same(const struct scene *scene, uint64_t word, const char *name, FILE *report) {
    for (unsigned lane = 0; lane < SHADE_LANES; lane++) {
        const struct gm107_thread *t = &scene->threads[lane];
        uint32_t flags = (scene->warp.zero >> lane & 1) | (scene->warp.sign >> lane & 1) << 1 |
                         (scene->warp.carry >> lane & 1) << 2 | (scene->warp.overflow >> lane & 1) << 3;
        uint32_t expected = (uint32_t)(t->zero | t->sign << 1 | t->carry << 2 | t->overflow << 3);
        for (unsigned i = 0; i < SHADE_REGISTERS; i++)
            if (scene->warp.registers[i][lane] != t->r[i]) {
                fprintf(report, "%016llx %s: R%u of lane %u is %08x, expected %08x\n", (unsigned long long)word, name,
                        i, lane, scene->warp.registers[i][lane], t->r[i]);
                return false;
            }
        for (unsigned i = 0; i < 7; i++)
            if ((scene->warp.predicates[i] >> lane & 1) != t->p[i]) {
                fprintf(report, "%016llx %s: P%u of lane %u\n", (unsigned long long)word, name, i, lane);
                return false;
            }
        if (flags != expected) {
            fprintf(report, "%016llx %s: flags of lane %u are %x, expected %x\n", (unsigned long long)word, name, lane,
                    flags, expected);
            return false;
        }
    }
    return true;
}

/* The words for the scheduler are a step, too. */
static bool run(struct scene *scene, FILE *report) {
    unsigned each = set->period / 8;
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t used, word = scene->words[i];
        struct ir ir;
        shade_run(&scene->warp, each && i % (each - 1) == 0 ? 2 : 1, &used);
        for (unsigned lane = 0; lane < SHADE_LANES; lane++)
            set->step(&scene->threads[lane], word);
        decode_word(set->isa, word, 8, &ir);
        if (!is_same(scene, word, ir.name, report))
            return false;
    }
    return true;
}

static bool play(struct choice *c, FILE *report) {
    struct scene *scene = aligned_alloc(64, (sizeof(*scene) + 63) / 64 * 64);
    assert_non_null(scene);
    memset(scene, 0, sizeof(*scene));
    fill(scene, c);
    for (unsigned i = 0; i < WORDS; i++)
        scene->words[i] = some_word(scene, c);
    struct shade_program *program = shade_program_new(NULL, set->isa, fetch, scene, 0);
    assert_non_null(program);
    load(scene, program);
    bool same = run(scene, report);
    shade_program_free(program);
    free(scene);
    return same;
}

static void random_words_of_gm107_compute_the_same(void **state) {
    (void)state;
    set = &sets[0];
    assert_int_equal(rounds_failed(play, 300), 0);
}

static void random_words_of_gf100_compute_the_same(void **state) {
    (void)state;
    set = &sets[1];
    assert_int_equal(rounds_failed(play, 300), 0);
}

static void random_words_of_gk104_compute_the_same(void **state) {
    (void)state;
    set = &sets[2];
    assert_int_equal(rounds_failed(play, 100), 0);
}

static void random_words_of_gk110_compute_the_same(void **state) {
    (void)state;
    set = &sets[3];
    assert_int_equal(rounds_failed(play, 300), 0);
}

static void words_of_nak_for_gk104_compute_the_same(void **state) {
    (void)state;
    set = &sets[4];
    assert_int_equal(rounds_failed(play, 200), 0);
}

static void words_of_nak_for_gk110_compute_the_same(void **state) {
    (void)state;
    set = &sets[5];
    assert_int_equal(rounds_failed(play, 200), 0);
}

static void words_of_nak_for_gm107_compute_the_same(void **state) {
    (void)state;
    set = &sets[6];
    assert_int_equal(rounds_failed(play, 200), 0);
}

/* What the plain executors leave, and who tests it. Roundings of doubles and conversions are shade_random's. */
static const struct {
    const char *op, *by;
} elsewhere[] = {
    {"MuFu", "shade_function"},
    {"Rro", "shade_rows"},
    {"DAdd", "shade_random"}, /* with constants */
    {"DMul", "shade_random"},
    {"DFma", "shade_random"},
    {"DMnMx", "shade_random"},
    {"DSetP", "shade_random"},
    {"F2F", "shade_random"},     /* with halves and doubles */
    {"IMadSp", "image_address"}, /* with the parts in b */
    {"FSwz", "shade_stage"},
    {"FSwzAdd", "shade_stage"},
    {"Shfl", "shade_group_random"},
    {"Vote", "shade_group_random"},
    {"S2R", "shade_io"},
    {"CS2R", "shade_io"},
    {"Ld", "shade_io"},
    {"St", "shade_io"},
    {"Ldc", "shade_rows"},
    {"LdSharedLock", "shade_group"},
    {"StSCheckUnlock", "shade_group"},
    {"Atom", "shade_io"},
    {"AL2P", "shade_rows"},
    {"ALd", "shade_stage"},
    {"ASt", "shade_stage"},
    {"Ipa", "shade_stage"},
    {"Isberd", "shade_rows"},
    {"ViLd", "shade_rows"},
    {"PixLd", "shade_stage"},
    {"Out", "shade_io"},
    {"Bar", "shade_group"},
    {"Bra", "shade_flow"},
    {"SSy", "shade_flow"},
    {"Sync", "shade_flow"},
    {"PBk", "shade_flow"},
    {"Brk", "shade_flow"},
    {"PCnt", "shade_flow"},
    {"Cont", "shade_flow"},
    {"Exit", "shade_flow"},
    {"Kill", "shade_flow"},
    {"Nop", "shade_flow"},
    {"Tex", "draw_sampling"},
    {"Tld", "draw_sampling"},
    {"Tld4", "draw_sampling"},
    {"Tmml", "draw_sampling"},
    {"Txd", "draw_sampling"},
    {"Txq", "draw_sampling"},
    {"SuClamp", "image_address"},
    {"SuBfm", "image_address"},
    {"SuEau", "image_address"},
    {"SuLdGa", "image_random"},
    {"SuStGa", "image_random"},
    {"SuLd", "image_random"},
    {"SuSt", "image_random"},
    {"SuAtom", "image_random"},
    {"CCtl", "isa_nak"}, /* no effect: what is decoded is all */
    {"MemBar", "isa_nak"},
    {"TexDepBar", "isa_nak"},
};

static const char *who_tests(const char *op) {
    for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
        if (!strcmp(elsewhere[i].op, op))
            return elsewhere[i].by;
    return NULL;
}

static void all_of_nak_is_compared_here_or_tested_elsewhere(void **state) {
    struct choice c = choice_from_seed(1);
    struct scene *scene = calloc(1, sizeof *scene);
    unsigned failures = 0;
    (void)state;
    assert_non_null(scene);
    scene->threads[0].constants = scene->constants;
    scene->threads[0].p[IR_TRUE] = true;
    for (set = &sets[4]; set < &sets[4 + NAK_SETS]; set++)
        for (size_t i = 0; i < set->nak->count; i++) {
            const struct nak_row *row = &set->nak->rows[i];
            unsigned known = 0;
            for (unsigned k = 0; k < 200; k++)
                known += both_know(scene, nak_some_word(set->nak, row, &c));
            if (!known && !who_tests(row->op))
                print_error("%s %s %016llx: not compared\n", set->nak->name, row->op, (unsigned long long)row->value);
            failures += !known && !who_tests(row->op);
        }
    free(scene);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_words_of_gm107_compute_the_same),
        cmocka_unit_test(random_words_of_gf100_compute_the_same),
        cmocka_unit_test(random_words_of_gk104_compute_the_same),
        cmocka_unit_test(random_words_of_gk110_compute_the_same),
        cmocka_unit_test(words_of_nak_for_gk104_compute_the_same),
        cmocka_unit_test(words_of_nak_for_gk110_compute_the_same),
        cmocka_unit_test(words_of_nak_for_gm107_compute_the_same),
        cmocka_unit_test(all_of_nak_is_compared_here_or_tested_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
