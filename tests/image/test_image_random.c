/* SPDX-License-Identifier: MIT */
/* Random words of GF100, GK104, GK110 and GM107 on random images: all lanes against an executor that goes by the bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/image/image.h"
#include "isa/rows.h"
#include "reference/image.h"
#include "rounds.h"

#define BASE   UINT64_C(0x1200000000)
#define MEMORY 0x40000u

enum { BANK = 0x10000, FIRST = 8, REGISTERS = 40 };

struct scene {
    const struct isa *isa;
    struct reference_image_world world, expected;
    uint8_t memory[MEMORY], expected_memory[MEMORY], constants[BANK];
    struct reference_image_thread threads[SHADE_LANES];
    struct image slots[IMAGE_SLOTS];
    struct texture_view views[8];
    struct images images;
    struct shade_io io;
    struct shade_warp warp;
    uint64_t word, exit;
    bool schedules;
};

/* ---- what the core is lent ---- */

static bool load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                 unsigned stride) {
    const struct scene *scene = warp->io->opaque;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        for (unsigned lane = (unsigned)__builtin_ctz(rest), k = 0; k < bytes; k++)
            ((uint8_t *)to)[lane * (size_t)stride + k] = scene->memory[(address[lane] + k - BASE) % MEMORY];
    return true;
}

static bool store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                  unsigned stride) {
    struct scene *scene = warp->io->opaque;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        for (unsigned lane = (unsigned)__builtin_ctz(rest), k = 0; k < bytes; k++)
            scene->memory[(address[lane] + k - BASE) % MEMORY] = ((const uint8_t *)from)[lane * (size_t)stride + k];
    return true;
}

static const struct texture_view *header(void *opaque, uint32_t index) {
    const struct scene *scene = opaque;
    return &scene->views[index % 8];
}

static bool surface(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, struct shade_image *image) {
    struct scene *scene = warp->io->opaque;
    return image_surface(&scene->images, warp, lanes, ir, image);
}

static void not_executed(struct shade_warp *warp, const struct ir *ir) {
    (void)warp;
    fail_msg("%s is not executed", ir->name);
}

static bool fetch(void *opaque, uint32_t address, uint8_t *bytes, unsigned count) {
    const struct scene *scene = opaque;
    unsigned number = address / 8 - (scene->schedules ? 1 : 0);
    uint64_t word = address == 0 && scene->schedules ? 0 : number ? scene->exit : scene->word;
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
    return true;
}

/* ---- images ---- */

/* One in three is a component between 0 and 1, or a little beyond; no word is a float that is no number. */
static uint32_t value(struct choice *c) {
    uint32_t word = choice_word(c);
    if (choice_once_in(c, 3))
        word = (word & 0x807fffff) | choice_between(c, 108, 130) << 23;
    else if (choice_once_in(c, 3))
        word = choice_below(c, 300) - 20;
    return (word & 0x7f800000) == 0x7f800000 ? word & 0xbfffffff : word;
}

static void make_slot(struct choice *c, uint32_t slot[6]) {
    static const uint8_t codes[] = {0xc0, 0xc1, 0xc2, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xcf, 0xd1, 0xd2,
                                    0xd5, 0xd7, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xe0, 0xe3, 0xe4, 0xe5, 0xea,
                                    0xeb, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6};
    bool lines = choice_once_in(c, 4);
    uint64_t address = BASE + 0x200 * choice_below(c, 64);
    slot[0] = (uint32_t)(address >> 32);
    slot[1] = (uint32_t)address;
    slot[2] = lines ? 0x100 * choice_between(c, 1, 8) : choice_between(c, 1, 80);
    slot[3] = lines ? 0x100000 | 1 : choice_between(c, 1, 40);
    slot[4] = (uint32_t)codes[choice_below(c, sizeof codes)] << 4 | 0x14000;
    slot[5] = choice_below(c, 3) << 4;
    if (choice_once_in(c, 10))
        memset(slot, 0, 6 * sizeof slot[0]);
}

static void make_sources(struct choice *c, uint32_t words[8]) {
    static const uint8_t plain[] = {2, 3, 4, 5}, swapped[] = {4, 3, 2, 5}, few[] = {2, 0, 0, 7}, whole[] = {2, 3, 0, 6},
                         twice[] = {3, 2, 2, 3};
    static const uint8_t *const all[] = {plain, plain, swapped, few, whole, twice};
    const uint8_t *sources = all[choice_below(c, 6)];
    for (unsigned i = 0; i < 4; i++)
        words[0] |= (uint32_t)sources[i] << (19 + 3 * i);
}

/* Blocks are no larger than the picture, or they would be made smaller. */
static void make_header(struct choice *c, uint32_t words[8]) {
    static const struct {
        uint8_t code, types;
    } formats[] = {{0x01, 0x98}, {0x03, 0x9e}, {0x04, 0x98}, {0x08, 0x1e}, {0x09, 0x14}, {0x0c, 0x9e},
                   {0x0f, 0x98}, {0x15, 0x04}, {0x18, 0x1e}, {0x1b, 0x9e}, {0x1d, 0x1e}, {0x21, 0x80}};
    static const uint8_t targets[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    unsigned number = choice_below(c, sizeof formats / sizeof formats[0]), type = 0;
    unsigned target = targets[choice_below(c, sizeof targets)];
    while (!(formats[number].types >> type & 1))
        type = choice_below(c, 8);
    bool flat = target == 0 || target == 4, volume = target == 2, layers = target == 4 || target == 5 || target == 8;
    uint64_t address = BASE + 0x200 * choice_below(c, 64);
    memset(words, 0, 8 * sizeof words[0]);
    words[0] = formats[number].code | (type << 7) * 01111u;
    make_sources(c, words);
    words[1] = (uint32_t)address;
    words[2] = (uint32_t)(address >> 32) | (target == 6 ? 0u : 3u) << 21;
    words[3] = target == 6 || flat ? 0 : choice_below(c, 3) << 3 | (volume ? choice_below(c, 2) << 6 : 0);
    words[3] |= target != 6 && choice_once_in(c, 4) ? choice_between(c, 1, 3) << 10 : 0;
    words[4] = (choice_between(c, 1, 60) - 1) | target << 23;
    words[5] = target == 6 || flat ? 0 : choice_between(c, 17, 40) - 1;
    words[5] |= volume ? 3u << 16 : layers ? choice_below(c, 3) << 16 : 0;
}

static void make_world(struct scene *scene, struct choice *c) {
    static const struct texture_unit unit = {TEXTURE_TIC_MAXWELL, GOB_SECTORS, false};
    const char *reason;
    for (unsigned i = 0; i < 8; i++) {
        make_slot(c, scene->world.slots[i]);
        scene->slots[i] = image_of_slot(scene->world.slots[i], GOB_SECTORS);
        make_header(c, scene->world.headers[i]);
        assert_true(texture_header(&scene->views[i], &unit, scene->world.headers[i], &reason));
    }
    for (unsigned i = 0; i < MEMORY; i += 4) {
        uint32_t word = value(c) & 0xfbfffbff; /* no half of it is a float without a number, either */
        for (unsigned k = 0; k < 4; k++)
            scene->memory[i + k] = (uint8_t)(word >> 8 * k);
    }
    for (unsigned i = 0; i < BANK; i++)
        scene->constants[i] = (uint8_t)choice_below(c, 0x40);
    scene->world.memory = scene->memory;
    scene->world.base = BASE;
    scene->world.bytes = MEMORY;
    scene->world.constants = scene->constants;
    memcpy(scene->expected_memory, scene->memory, MEMORY);
    scene->expected = scene->world;
    scene->expected.memory = scene->expected_memory;
}

/* Coordinates, of bytes mostly aligned; the halves of addresses of Kepler; data. */
static void make_threads(struct scene *scene, struct choice *c, bool by_address, unsigned align, uint32_t helpers) {
    bool same = choice_once_in(c, 2);
    uint32_t handle = choice_word(c) & 7;
    for (unsigned lane = 0; lane < SHADE_LANES; lane++) {
        struct reference_image_thread *t = &scene->threads[lane];
        memset(t, 0, sizeof *t);
        for (unsigned i = 0; i < REGISTERS; i++)
            t->r[i] = value(c);
        for (unsigned i = 0; i < 3; i++)
            t->r[i] = choice_once_in(c, 12) ? choice_word(c) : choice_below(c, i ? 24 : 70) * (i ? 1 : align);
        if (by_address) {
            t->r[0] = align * choice_below(c, choice_once_in(c, 2) ? 16 : 256);
            t->r[1] = (uint32_t)(BASE >> 8) + choice_below(c, 0x100);
        }
        t->r[4] = same ? handle : choice_word(c) & 7;
        t->p[1] = choice_once_in(c, 4);
        t->p[7] = true;
        t->has_effect = !(helpers >> lane & 1);
    }
}

static void begin(struct scene *scene, struct shade_program *program, uint32_t helpers) {
    scene->images = (struct images){scene, header, scene->slots};
    scene->io = (struct shade_io){.opaque = scene,
                                  .texture_bank = 3,
                                  .load = load,
                                  .store = store,
                                  .surface = surface,
                                  .not_executed = not_executed};
    for (unsigned i = 0; i < SHADE_BANKS; i++)
        scene->io.constants[i] = (struct shade_constants){scene->constants, BANK};
    shade_warp_begin(&scene->warp, program, &scene->io, UINT32_MAX, helpers);
    scene->warp.zeroed = IR_ZERO;
    for (unsigned lane = 0; lane < SHADE_LANES; lane++) {
        for (unsigned i = 0; i < IR_ZERO; i++)
            scene->warp.registers[i][lane] = scene->threads[lane].r[i];
        scene->warp.predicates[1] |= (uint32_t)scene->threads[lane].p[1] << lane;
    }
}

static bool is_same(const struct scene *scene, FILE *report) {
    struct ir ir;
    decode_word(scene->isa, scene->word, 8, &ir);
    for (unsigned lane = 0; lane < SHADE_LANES; lane++) {
        const struct reference_image_thread *t = &scene->threads[lane];
        for (unsigned i = 0; i < IR_ZERO; i++)
            if (scene->warp.registers[i][lane] != t->r[i]) {
                fprintf(report, "%016llx %s: R%u of lane %u is %08x, expected %08x\n", (unsigned long long)scene->word,
                        ir.name, i, lane, scene->warp.registers[i][lane], t->r[i]);
                return false;
            }
        for (unsigned i = 0; i < 7; i++)
            if ((scene->warp.predicates[i] >> lane & 1) != t->p[i]) {
                fprintf(report, "%016llx %s: P%u of lane %u\n", (unsigned long long)scene->word, ir.name, i, lane);
                return false;
            }
    }
    for (unsigned i = 0; i < MEMORY; i++)
        if (scene->memory[i] != scene->expected_memory[i]) {
            fprintf(report, "%016llx %s: byte %x is %02x, expected %02x\n", (unsigned long long)scene->word, ir.name, i,
                    scene->memory[i], scene->expected_memory[i]);
            return false;
        }
    return true;
}

/* ---- instruction sets ---- */

typedef enum reference_image step(struct reference_image_world *world, struct reference_image_thread *thread,
                                  uint64_t word);

struct set {
    const struct isa *isa;
    step *step;
    uint64_t exit;
    bool schedules, by_address;
    uint64_t (*word)(struct choice *c, unsigned *align);
};

static uint64_t at(uint64_t value, unsigned shift) {
    return value << shift;
}

/* What the unit combines: with 64 bits ADD, MIN and MAX and what is bitwise, with signs ADD, MIN and MAX. */
static uint64_t atomic_gm107(struct choice *c) {
    static const uint8_t wide[] = {0, 1, 2, 5, 6, 7, 8};
    unsigned type = (unsigned[]){0, 1, 2}[choice_below(c, 3)];
    unsigned operation = type == 2 ? wide[choice_below(c, 7)] : type == 1 ? choice_below(c, 3) : choice_below(c, 9);
    if (choice_once_in(c, 4))
        return at(0xeac0, 48) | at(choice_once_in(c, 2) ? 0 : 2, 36) | at(16, 20);
    if (operation < 8 && choice_once_in(c, 3))
        return at(0xeb40, 48) | at(operation, 24) | at(type, 20);
    return at(0xea60, 48) | at(type, 36) | at(operation, 29) | at(16, 20);
}

static uint64_t word_gm107(struct choice *c, unsigned *align) {
    bool raw = choice_once_in(c, 2), stores = choice_once_in(c, 2);
    uint64_t word =
        at(stores ? 0xeb20 : 0xeb00, 48) | at(raw, 52) | at(raw ? choice_below(c, 7) : choice_below(c, 16), 20);
    if (choice_once_in(c, 3))
        word = atomic_gm107(c);
    bool gives = word >> 53 == 0x756 || word >> 53 == 0x753; /* its type is where a number of the bank would be */
    *align = 1;
    word |= at(choice_below(c, 6), 33) | at(choice_once_in(c, 8) ? choice_below(c, 3) : 0, 49) | at(7, 16) | FIRST;
    return word | (!gives && choice_once_in(c, 3) ? at(1, 51) | at(choice_below(c, 8), 36) : at(4, 39));
}

static uint64_t word_gf100(struct choice *c, unsigned *align) {
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 8, 16};
    unsigned size = choice_below(c, 7);
    uint64_t word = at((unsigned[]){0xd4, 0xdc, 0xdc, 0xf0}[choice_below(c, 4)], 56) | 5 | at(7, 10) | at(FIRST, 14);
    bool formatted = word >> 56 == 0xdc && choice_once_in(c, 2);
    *align = formatted || choice_once_in(c, 30) ? 1 : sizes[size];
    word |= formatted ? at(choice_between(c, 1, 15), 49) : at(size, 5);
    word |= word >> 56 == 0xf0 ? at(choice_below(c, 8), 54) : 0;
    word |= at(choice_below(c, 4), 44) | at(choice_once_in(c, 8) ? choice_below(c, 3) : 0, 47);
    return word | (choice_once_in(c, 2) ? at(1, 46) | at(choice_below(c, 8), 26) : at(4, 26));
}

static uint64_t word_gk104(struct choice *c, unsigned *align) {
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 8, 16};
    unsigned size = choice_below(c, 7);
    bool stores = choice_once_in(c, 2), formatted = stores && choice_once_in(c, 2);
    uint64_t word = at(stores ? 0xdc : 0xd4, 56) | 5 | at(7, 10) | at(FIRST, 14) | at(choice_below(c, 4), 45);
    *align = formatted ? 16 : sizes[size];
    word |= formatted ? at(choice_between(c, 1, 15), 54) : at(size, 5);
    word |= at(choice_once_in(c, 8), 47) | at(choice_once_in(c, 2) ? 15 : 1 + 8 * choice_below(c, 2), 49);
    return word | (choice_once_in(c, 2) ? at(1, 53) | at(choice_below(c, 64), 26) : at(5, 26));
}

static uint64_t word_gk110(struct choice *c, unsigned *align) {
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 8, 16};
    unsigned size = choice_below(c, 7), raw = choice_below(c, 4), trap = choice_once_in(c, 8);
    unsigned predicate = choice_once_in(c, 2) ? 15 : 1 + 8 * choice_below(c, 2);
    bool stores = choice_once_in(c, 2), formatted = stores && choice_once_in(c, 2), constant = choice_once_in(c, 2);
    uint64_t word = at(constant ? stores ? 0x3800 : 0x3000 : stores ? 0x79c0 : 0x7980, 48) | 2 | at(7, 18);
    *align = formatted ? 16 : sizes[size];
    if (formatted)
        word |= at(choice_between(c, 1, 15), constant ? 4 : 25);
    else
        word |= at(size, constant ? 56 : 33);
    word |= at(raw, !stores ? 52 : constant ? 8 : 29) | at(trap, !stores ? 46 : constant ? 2 : 23);
    word |= at(predicate, stores ? 50 : 42) | at(FIRST, stores ? 42 : 2);
    return word | (constant ? at(choice_below(c, 64), 23) : at(5, stores ? 2 : 23));
}

static const struct set sets[] = {
    {&isa_gm107, reference_image_gm107, 0xe30000000007000f, true, false, word_gm107},
    {&isa_gf100, reference_image_gf100, 0x8000000000001de7, false, false, word_gf100},
    {&isa_gf100k, reference_image_gk104, 0x8000000000001de7, true, true, word_gk104},
    {&isa_gk110, reference_image_gk110, 0x18000000001c003c, true, true, word_gk110},
};
static const struct set *set;

/* Numbers of formats, at R5 and among the constants. */
static void make_formats(struct scene *scene, struct choice *c) {
    static const uint8_t known[] = {0x02, 0x03, 0x04, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x11, 0x13, 0x15,
                                    0x18, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x21, 0x24, 0x27, 0x28, 0x29, 0x2e,
                                    0x2f, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x00};
    for (unsigned i = 0; i < 64 && set->by_address; i++)
        scene->constants[4 * i] = known[choice_below(c, sizeof known)];
    for (unsigned lane = 0; lane < SHADE_LANES; lane++)
        scene->threads[lane].r[5] = known[choice_below(c, sizeof known)] | (choice_word(c) & 0xffffff00);
}

/* An error of one lane ends them all, before anything is done. */
static bool expect(struct scene *scene) {
    struct reference_image_thread *kept = malloc(sizeof scene->threads);
    bool fails = false;
    assert_non_null(kept);
    memcpy(kept, scene->threads, sizeof scene->threads);
    for (unsigned lane = 0; lane < SHADE_LANES; lane++)
        fails |= set->step(&scene->expected, &scene->threads[lane], scene->word) == REFERENCE_IMAGE_ERROR;
    if (fails)
        memcpy(scene->threads, kept, sizeof scene->threads);
    free(kept);
    return !fails;
}

static bool play(struct choice *c, FILE *report) {
    struct scene *scene = aligned_alloc(64, (sizeof *scene + 63) / 64 * 64);
    uint32_t helpers = choice_once_in(c, 3) ? choice_word(c) : 0;
    unsigned align;
    uint64_t used;
    assert_non_null(scene);
    memset(scene, 0, sizeof *scene);
    scene->isa = set->isa;
    scene->exit = set->exit;
    scene->schedules = set->schedules;
    scene->word = set->word(c, &align);
    make_world(scene, c);
    make_threads(scene, c, set->by_address, align, helpers);
    make_formats(scene, c);
    struct shade_program *program = shade_program_new(NULL, set->isa, fetch, scene, 0);
    assert_non_null(program);
    begin(scene, program, helpers);
    bool done = expect(scene);
    enum shade_stop stop = shade_run(&scene->warp, 4, &used);
    bool same = (stop != SHADE_ERROR) == done;
    if (!same)
        fprintf(report, "%016llx: stop %d, error %u\n", (unsigned long long)scene->word, stop, scene->warp.error);
    same = same && (!done || is_same(scene, report));
    shade_program_free(program);
    free(scene);
    return same;
}

static void images_of_gm107_are_what_their_words_say(void **state) {
    (void)state;
    set = &sets[0];
    assert_int_equal(rounds_failed(play, 600), 0);
}

static void images_of_gf100_are_what_their_words_say(void **state) {
    (void)state;
    set = &sets[1];
    assert_int_equal(rounds_failed(play, 400), 0);
}

static void images_of_gk104_are_what_their_words_say(void **state) {
    (void)state;
    set = &sets[2];
    assert_int_equal(rounds_failed(play, 300), 0);
}

static void images_of_gk110_are_what_their_words_say(void **state) {
    (void)state;
    set = &sets[3];
    assert_int_equal(rounds_failed(play, 300), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_of_gm107_are_what_their_words_say),
        cmocka_unit_test(images_of_gf100_are_what_their_words_say),
        cmocka_unit_test(images_of_gk104_are_what_their_words_say),
        cmocka_unit_test(images_of_gk110_are_what_their_words_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
