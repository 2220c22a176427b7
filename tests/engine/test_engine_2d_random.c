/* SPDX-License-Identifier: MIT */
/*
 * Random draws of the 2D object, on the model and on the reference of tests/reference/unified_2d.h. Memory must be the
 * same after each.
 */
#include "check.h"
#include "reference/unified_2d.h"
#include "rounds.h"

#define DRAWS  12
#define WINDOW 0x10000u /* of a surface: DST is in the second, SRC in the third */

struct table {
    struct engine_rig rig;
    struct reference_2d reference;
    struct choice *c;
    unsigned id;
    bool exact; /* sources and destinations only of formats that need no rounding */
};

static void method(struct table *t, uint32_t m, uint32_t data) {
    reference_2d_write(&t->reference, m, data);
    if (engine_rig_send(&t->rig, t->id, 0, m, 4, &data, 1) != 1)
        while (engine_rig_offer(&t->rig, t->id, 0, m, 4, &data, 1) != 1)
            ;
}

static void method64(struct table *t, uint32_t m, uint64_t value) {
    method(t, m, (uint32_t)value);
    method(t, m + 4, (uint32_t)(value >> 32));
}

static uint32_t pick(struct table *t, uint32_t below) {
    return choice_below(t->c, below);
}

static unsigned any_format(struct table *t, int where) {
    for (;;) {
        unsigned code = choice_once_in(t->c, 20) ? 0x1d : 0xc0 + pick(t, 64);
        struct reference_format format;
        if (reference_2d_legal(t->reference.is_tesla, code, where) && reference_2d_format(code, &format) &&
            (!t->exact || (format.type == 'u' && format.part[0].bits < 32)))
            return code;
    }
}

/* A size, pitch and blocks that stay within the window. */
static void any_layout(struct table *t, uint32_t m, unsigned code) {
    struct reference_format format;
    reference_2d_format(code, &format);
    uint32_t width, height, bytes, blocks[3], depth, gob = t->reference.is_tesla ? 4 : 8;
    do {
        width = 1 + pick(t, choice_once_in(t->c, 8) ? 400 : 40);
        height = 1 + pick(t, 40);
        depth = 1 + pick(t, 3);
        blocks[0] = t->reference.is_tesla && choice_once_in(t->c, 4) ? pick(t, 3) : 0;
        blocks[1] = pick(t, 4);
        blocks[2] = pick(t, 3);
        uint32_t across = 64u << blocks[0], down = gob << blocks[1], deep = 1u << blocks[2];
        bytes = (width * format.bytes + across - 1) / across * across * ((height + down - 1) / down * down) *
                ((depth + deep - 1) / deep * deep);
    } while (bytes > WINDOW || (width * format.bytes + 160) * height > WINDOW - 1024);
    bool is_pitch = choice_once_in(t->c, 2);
    uint32_t pitch = (width * format.bytes + 31) / 32 * 32 + 32 * pick(t, 4);
    uint32_t unit = is_pitch ? 64 : 512, room = (WINDOW - (is_pitch ? pitch * height : bytes)) / unit;
    uint32_t address = pick(t, room + 1) * unit;
    if (choice_once_in(t->c, 50))
        pitch -= 8;
    method(t, m, code);
    method(t, m + 4, is_pitch);
    method(t, m + 8, blocks[0] | blocks[1] << 4 | blocks[2] << 8);
    method(t, m + 0xc, depth);
    if (m == 0x200 || t->reference.is_tesla)
        method(t, m + 0x10, pick(t, depth));
    method(t, m + 0x14, pitch);
    method(t, m + 0x18, width);
    method(t, m + 0x1c, height);
    method(t, m + 0x20, 0);
    method(t, m + 0x24, address + (t->reference.is_tesla ? 0 : m == 0x200 ? WINDOW : 2 * WINDOW));
}

static uint32_t value(struct table *t, uint32_t m) {
    return t->reference.value[m / 4];
}

static void any_operation(struct table *t) {
    bool legal = reference_2d_legal(t->reference.is_tesla, value(t, 0x200), REFERENCE_OPERATION);
    uint32_t operation = choice_once_in(t->c, 3) || (!legal && !choice_once_in(t->c, 10)) ? 3 : pick(t, 7);
    method(t, 0x2ac, choice_once_in(t->c, 100) ? 7 : operation);
    method(t, 0x2a0, choice_once_in(t->c, 3) ? 0xca : pick(t, 256));
    method(t, 0x2a4, choice_word(t->c));
    method(t, 0x2a8, choice_word(t->c));
    method(t, 0x2b0, choice_word(t->c));
    method(t, 0x2b4, pick(t, 4));
    method(t, 0x2e8, pick(t, t->reference.is_tesla ? 6 : 7));
    method(t, 0x2ec, pick(t, 2));
    for (uint32_t m = 0x2f0; m < 0x300; m += 4)
        method(t, m, choice_word(t->c));
    for (unsigned i = 0; i < 8; i++)
        method(t, 0x300 + 4 * pick(t, 144), choice_word(t->c));
    method(t, 0x290, choice_once_in(t->c, 3));
    method(t, 0x280, pick(t, 30) - 5);
    method(t, 0x284, pick(t, 30) - 5);
    method(t, 0x288, pick(t, 40));
    method(t, 0x28c, pick(t, 40));
    method(t, 0x29c, choice_once_in(t->c, 8));
    method(t, 0x294, pick(t, 7));
    method(t, 0x298, choice_once_in(t->c, 2) ? 0 : choice_word(t->c));
}

static uint32_t coordinate(struct table *t) {
    return choice_once_in(t->c, 40) ? choice_word(t->c) % 200000 - 100000 : pick(t, 60) - 10;
}

static void any_solid(struct table *t) {
    static const unsigned vertices[5] = {1, 2, 4, 3, 2};
    unsigned mode = pick(t, 5);
    uint32_t slot = pick(t, 60);
    method(t, 0x580, mode);
    method(t, 0x584, any_format(t, REFERENCE_SOLID));
    for (uint32_t m = 0x540; m < 0x550; m += 4)
        method(t, m, choice_word(t->c));
    method(t, 0x588, choice_word(t->c));
    method(t, 0x58c, choice_word(t->c));
    for (unsigned i = 0; i < vertices[mode]; i++) {
        uint32_t x = mode == 1 || mode == 2 ? pick(t, 60) - 10 : coordinate(t);
        uint32_t y = mode == 1 || mode == 2 ? pick(t, 60) - 10 : coordinate(t);
        if (choice_once_in(t->c, 3)) {
            method(t, 0x5e0, (x & 0xffff) | y << 16);
        } else {
            method(t, 0x600 + 8 * (slot + i), x);
            method(t, 0x604 + 8 * (slot + i), y);
        }
    }
}

static uint64_t any_step(struct table *t) {
    uint64_t one = UINT64_C(1) << 32;
    switch (pick(t, 6)) {
    case 0:
        return (uint64_t)pick(t, 4) << 32 | choice_word(t->c);
    case 1:
        return choice_word(t->c);
    case 2:
        return 0 - ((uint64_t)pick(t, 3) << 32 | choice_word(t->c));
    case 3:
        return 0 - one;
    default:
        return one;
    }
}

static void any_upload(struct table *t) {
    method(t, 0x800, choice_once_in(t->c, 2));
    method(t, 0x804, any_format(t, REFERENCE_UPLOAD));
    method(t, 0x808, choice_once_in(t->c, 50) ? 3 : pick(t, 3));
    method(t, 0x80c, pick(t, 2));
    method(t, 0x810, pick(t, 3));
    method(t, 0x814, choice_word(t->c));
    method(t, 0x818, choice_word(t->c));
    method(t, 0x81c, pick(t, 2));
    method(t, 0x228, t->reference.is_tesla ? pick(t, 2) : 0);
    method(t, 0x838, pick(t, choice_once_in(t->c, 5) ? 300 : 40));
    method(t, 0x83c, pick(t, 30));
    method64(t, 0x840, any_step(t));
    method64(t, 0x848, any_step(t));
    method64(t, 0x850, (uint64_t)(pick(t, 30) - 5u) << 32 | (choice_once_in(t->c, 2) ? choice_word(t->c) : 0));
    method64(t, 0x858, (uint64_t)(pick(t, 30) - 5u) << 32 | (choice_once_in(t->c, 2) ? choice_word(t->c) : 0));
    uint64_t words = t->reference.words;
    static uint32_t data[REFERENCE_2D_DATA];
    uint32_t count = (uint32_t)words + pick(t, 3), done = 0;
    for (uint32_t i = 0; i < count; i++) {
        data[i] = choice_word(t->c);
        reference_2d_write(&t->reference, 0x860, data[i]);
    }
    while (done < count) {
        uint32_t run = 1 + pick(t, count - done);
        assert_int_equal(engine_rig_send(&t->rig, t->id, 0, 0x860, 0, data + done, run), run);
        done += run;
    }
}

/* Moves within one surface, of whole pixels: what is read is what was there before. */
static bool overlapping(struct table *t) {
    if (!choice_once_in(t->c, 4) || reference_2d_legal(t->reference.is_tesla, value(t, 0x200), REFERENCE_SOURCE) == 0)
        return false;
    for (uint32_t m = 0; m < 0x28; m += 4)
        if (m != 0x10 || t->reference.is_tesla)
            method(t, 0x230 + m, value(t, 0x200 + m));
    if (!t->reference.is_tesla) { /* a source has no layer */
        method(t, 0x210, 0);
    }
    if (t->reference.is_tesla)
        method(t, 0x188, value(t, 0x184));
    return true;
}

static void any_blit(struct table *t) {
    bool moves = overlapping(t);
    uint64_t one = UINT64_C(1) << 32;
    method(t, 0x888, moves || choice_once_in(t->c, 2));
    method(t, 0x2e0, moves || t->reference.is_tesla ? 0 : pick(t, 3) | pick(t, 3) << 4);
    method(t, 0x88c, pick(t, 2) | (!moves && !(value(t, 0x29c) & 1) && choice_once_in(t->c, 4) ? 0x10 : 0));
    method(t, 0x8b0, pick(t, 30) - 5);
    method(t, 0x8b4, pick(t, 30) - 5);
    method(t, 0x8b8, pick(t, choice_once_in(t->c, 5) ? 400 : 40));
    method(t, 0x8bc, pick(t, 40));
    method64(t, 0x8c0, moves ? one : any_step(t));
    method64(t, 0x8c8, moves ? one : any_step(t));
    method64(t, 0x8d0, (uint64_t)(pick(t, 40) - 5u) << 32 | (moves || choice_once_in(t->c, 2) ? 0 : choice_word(t->c)));
    method64(t, 0x8d8, (uint64_t)(pick(t, 40) - 5u) << 32 | (moves || choice_once_in(t->c, 2) ? 0 : choice_word(t->c)));
    if (moves && t->reference.is_tesla)
        method(t, 0x188, 2);
}

static bool compare(struct table *t, const char *what, FILE *report) {
    static uint8_t memory[REFERENCE_2D_MEMORY];
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    uint32_t address = 0, errors = engine_rig_count(&t->rig, EVENT_ENGINE_ERROR);
    assert_true(memory_read(&t->rig.memory, &vram, 0, memory, sizeof memory, NULL));
    bool same = reference_2d_agrees(&t->reference, memory, &address);
    for (uint32_t i = address & ~15u; !same && i < (address & ~15u) + 16; i++)
        fprintf(report, " %02x/%02x", memory[i], t->reference.memory[i]);
    if (!same)
        fprintf(report, "%s: %x has %02x instead of %02x (loose %x)\n", what, address, memory[address],
                t->reference.memory[address], t->reference.loose[address]);
    if (errors != t->reference.refused)
        fprintf(report, "%s: %u errors instead of %u\n", what, errors, t->reference.refused);
    bool ok = same && errors == t->reference.refused;
    for (uint32_t m = 0x200; m < 0x900 && !ok; m += 4)
        if (value(t, m) && (m < 0x300 || m >= 0x540))
            fprintf(report, "  %03x %08x\n", m, value(t, m));
    t->rig.events = t->reference.refused = 0;
    return ok && t->rig.faults == 0;
}

static void fill_memory(struct table *t) {
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    for (uint32_t i = 0; i < REFERENCE_2D_MEMORY; i += 4)
        store_le32(t->reference.memory + i, choice_word(t->c));
    assert_true(memory_write(&t->rig.memory, &vram, 0, t->reference.memory, REFERENCE_2D_MEMORY, NULL));
}

static bool play(struct choice *c, FILE *report) {
    static const char *const chips[] = {"G80", "GT215", "GF100", "GK104", "GM107", "GP102"};
    static struct table table;
    struct table *t = &table;
    const char *chip = chips[choice_below(c, 6)];
    bool ok = true;
    assert_true(engine_rig_start(&t->rig, chip));
    engine_rig_observe(&t->rig, "engine.error,engine.fault");
    t->c = c;
    t->exact = choice_once_in(c, 2);
    t->id = engine_rig_id(&t->rig, CHIP_UNIT_PGRAPH);
    reference_2d_start(&t->reference, !t->rig.fifo.chip->ring_only, strcmp(chip, "GK104") == 0);
    assert_true(engine_rig_bind(&t->rig, t->id, 0, t->reference.is_tesla ? 0x502d : 0x902d));
    fill_memory(t);
    if (t->reference.is_tesla) {
        method(t, 0x184, 1);
        method(t, 0x188, 2);
    }
    for (unsigned i = 0; i < DRAWS && ok; i++) {
        static const char *const names[] = {"solid", "upload", "blit"};
        unsigned kind = choice_below(c, 3);
        any_layout(t, 0x200, any_format(t, REFERENCE_SURFACE));
        any_layout(t, 0x230, any_format(t, REFERENCE_SOURCE));
        any_operation(t);
        if (kind == 0)
            any_solid(t);
        else if (kind == 1)
            any_upload(t);
        else
            any_blit(t);
        ok = compare(t, names[kind], report);
    }
    if (!ok)
        fprintf(report, "  %s\n", chip);
    engine_rig_stop(&t->rig);
    return ok;
}

static void random_draws_are_those_of_the_reference(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 300), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_draws_are_those_of_the_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
