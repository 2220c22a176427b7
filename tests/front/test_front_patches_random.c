/* SPDX-License-Identifier: MIT */
/*
 * Random patches on their way through control and evaluation programs, written to memory by transform feedback, beside
 * a plain tessellator: which primitives come out, in which order, where, and of which patch.
 */
#include "front/draw_rig.h"

#include <math.h>
#include <string.h>

#include "front/patch_programs.h"
#include "reference/tessellate.h"
#include "rounds.h"

enum {
    CONTROL = 0x230,
    EVALUATION = 0x4d0,
    PATCHES_TOPOLOGY = 14,
    MOST_PATCHES = 12,
    RECORD = 12, /* x, y, red */
    BUFFER = 0x40000,
    BUFFER_BYTES = 0x40000,
};

struct corner {
    float x, y, level, red;
};

struct scene {
    unsigned patches, domain, spacing, output;
    bool control;
    struct corner corner[MOST_PATCHES][4];
    float outer[4], inner[2]; /* of methods */
};

static struct engine_rig *machine; /* of all rounds */
static unsigned machine_id;

static void put_program(uint32_t at, const uint32_t *header, const uint64_t *words) {
    put(machine, CODE + at, header, 20);
    for (unsigned i = 0; i < PATCH_PROGRAM_WORDS; i++)
        put(machine, CODE + at + 0x50 + i * 8, (uint32_t[]){(uint32_t)words[i], (uint32_t)(words[i] >> 32)}, 2);
}

static void begin_machine(struct engine_rig *rig) {
    machine = rig;
    machine_id = draw_begin(rig);
    put_program(CONTROL, patch_headers[0], patch_maxwell.control);
    put_program(EVALUATION, patch_headers[1], patch_maxwell.evaluation);
    send(rig, machine_id, 0, 0x2084, CONTROL);
    send(rig, machine_id, 0, 0x20c0, 0x31, EVALUATION);
    send(rig, machine_id, 0, 0xdcc, 4);
    send(rig, machine_id, 0, 0x700, 0, 3, RECORD);
    send(rig, machine_id, 0, 0x2800, 0xff201d1c);
    send(rig, machine_id, 0, 0x37c, 0); /* nothing is rasterised */
    send(rig, machine_id, 0, 0x744, 1);
}

/* ---- random patches ---- */

static float choose_level(struct choice *c) {
    if (choice_once_in(c, 12))
        return choice_once_in(c, 2) ? 0 : -1;
    return choice_once_in(c, 2) ? (float)(1 + choice_below(c, 6)) : 1 + (float)choice_below(c, 1200) / 100;
}

static void choose(struct scene *s, struct choice *c) {
    s->patches = 1 + choice_below(c, choice_once_in(c, 4) ? MOST_PATCHES : 3);
    s->domain = choice_below(c, 3);
    s->spacing = choice_below(c, 3);
    s->output = s->domain ? 2 + choice_below(c, 2) : 1;
    s->output = choice_once_in(c, 5) ? 0 : s->output;
    s->control = !choice_once_in(c, 4);
    for (unsigned p = 0; p < s->patches; p++)
        for (unsigned i = 0; i < 4; i++)
            s->corner[p][i] =
                (struct corner){(float)choice_below(c, 200) / 100 - 1, (float)choice_below(c, 200) / 100 - 1,
                                choose_level(c), (float)choice_below(c, 64)};
    for (unsigned i = 0; i < 4; i++)
        s->outer[i] = choose_level(c);
    for (unsigned i = 0; i < 2; i++)
        s->inner[i] = choose_level(c);
}

static void draw(const struct scene *s) {
    for (unsigned p = 0; p < s->patches; p++) {
        for (unsigned i = 0; i < 4; i++) {
            const struct corner *corner = &s->corner[p][i];
            put(machine, VERTICES + (4 * p + i) * STRIDE,
                (uint32_t[]){bits(corner->x), bits(corner->y), bits(corner->level), bits(1), bits(corner->red), 0}, 6);
        }
    }
    send(machine, machine_id, 0, 0x2080, s->control ? 0x21 : 0x20);
    send(machine, machine_id, 0, 0x320, s->domain | s->spacing << 4 | s->output << 8);
    send(machine, machine_id, 0, 0x324, bits(s->outer[0]), bits(s->outer[1]), bits(s->outer[2]), bits(s->outer[3]),
         bits(s->inner[0]), bits(s->inner[1]));
    send(machine, machine_id, 0, 0x380, 1, 0, BUFFER, BUFFER_BYTES, 0);
    send(machine, machine_id, 0, 0x1618, PATCHES_TOPOLOGY);
    send(machine, machine_id, 0, 0xd74, 0, 4 * s->patches);
    send(machine, machine_id, 0, 0x1614, 0);
}

/* ---- the plain way ---- */

static float read_float(uint32_t address) {
    uint32_t word = engine_rig_rd32(machine, address);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static double bilinear(const struct plain_point *point, double a, double b, double c, double d) {
    double low = a + (b - a) * point->u, high = c + (d - c) * point->u;
    return low + (high - low) * point->v;
}

static bool is_vertex(uint32_t address, const struct corner corner[4], const struct plain_point *point, float red) {
    double x = bilinear(point, corner[0].x, corner[1].x, corner[2].x, corner[3].x);
    double y = bilinear(point, corner[0].y, corner[1].y, corner[2].y, corner[3].y);
    return fabs(read_float(address) - x) < 0.002 && fabs(read_float(address + 4) - y) < 0.002 &&
           read_float(address + 8) == red;
}

static bool compare_patch(const struct scene *s, unsigned p, uint32_t *address, FILE *report) {
    static struct plain_patch plain;
    const struct corner *corner = s->corner[p];
    const float outer[4] = {corner[0].level, corner[1].level, corner[2].level, corner[3].level};
    const float inner[2] = {corner[0].level, corner[1].level};
    float red = s->control ? corner[3].red + 0.25f * (float)p : 0; /* without it, words of the patch are 0 */
    if (!plain_tessellate(&plain, s->domain, s->spacing, s->output, s->control ? outer : s->outer,
                          s->control ? inner : s->inner))
        return true;
    for (unsigned i = 0; i < plain.primitives; i++) {
        for (unsigned k = 0; k < plain.primitive[i].corners; k++, *address += RECORD) {
            if (is_vertex(*address, corner, &plain.primitive[i].corner[k], red))
                continue;
            fprintf(report, "# patch %u of %u, primitive %u of %u, corner %u: %g %g, red %g\n", p, s->patches, i,
                    plain.primitives, k, (double)read_float(*address), (double)read_float(*address + 4),
                    (double)read_float(*address + 8));
            return false;
        }
    }
    return true;
}

static bool play(struct choice *c, FILE *report) {
    static struct scene scene;
    uint32_t address = BUFFER;
    choose(&scene, c);
    draw(&scene);
    for (unsigned p = 0; p < scene.patches; p++)
        if (!compare_patch(&scene, p, &address, report))
            return false;
    send(machine, machine_id, 0, 0x1b00, 0, REPORT, 0, 2 | 0x1au << 23);
    uint32_t written = engine_rig_rd32(machine, REPORT + 4);
    if (written != address - BUFFER)
        fprintf(report, "# 0x%x bytes were written, not 0x%x\n", written, address - BUFFER);
    return written == address - BUFFER;
}

static void random_patches_become_what_a_plain_tessellator_makes(void **state) {
    static struct engine_rig rig;
    (void)state;
    begin_machine(&rig);
    assert_int_equal(rounds_failed(play, 400), 0);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_patches_become_what_a_plain_tessellator_makes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
