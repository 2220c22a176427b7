/* SPDX-License-Identifier: MIT */
/* Attributes and primitives, beside a reference that goes by formulas (tests/reference/vertex_path.h). */
#include "engine/draw/assembly.h"
#include "engine/draw/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "reference/vertex_path.h"
#include "rounds.h"

#define METHODS 0x4000u
#define BYTES   0x4000u
#define HERE    UINT64_C(0x1200000000)

static uint32_t value[METHODS];
static uint8_t bytes[BYTES];
static struct draw_state decoded;

/* ---- attributes ---- */

static bool read_memory(void *opaque, uint64_t address, void *data, unsigned count) {
    (void)opaque;
    for (unsigned i = 0; i < count; i++)
        ((uint8_t *)data)[i] = address + i >= HERE && address + i - HERE < BYTES ? bytes[address + i - HERE] : 0;
    return true;
}

static void set_address(unsigned method, uint64_t address) {
    value[method / 4] = (uint32_t)(address >> 32);
    value[method / 4 + 1] = (uint32_t)address;
}

/* A component of special bits now and then: zeros, ones, and the sign alone. */
static void choose_bytes(struct choice *choice) {
    for (unsigned i = 0; i < BYTES; i += 4) {
        static const uint32_t special[] = {0,          ~0u,        0x80808080, 0x7f7f7f7f,
                                           0x80000000, 0x7fffffff, 0x80018001, 0x7c000001};
        uint32_t word = choice_once_in(choice, 4) ? special[choice_below(choice, 8)] : choice_word(choice);
        memcpy(bytes + i, &word, 4);
    }
}

static void choose_stream(struct choice *choice, unsigned stream) {
    uint32_t stride = choice_once_in(choice, 4) ? choice_word(choice) : choice_below(choice, 40);
    uint64_t start = HERE + choice_below(choice, 0x100);
    value[(0x1c00 + 16 * stream) / 4] = (stride & 0xfff) | (choice_once_in(choice, 8) ? 0 : 1u << 12);
    set_address(0x1c04 + 16 * stream, start);
    value[(0x1c0c + 16 * stream) / 4] = choice_below(choice, 4);
    value[(0x1880 + 4 * stream) / 4] = choice_once_in(choice, 3);
    set_address(0x1f00 + 8 * stream, start + choice_below(choice, 0x800));
}

/* Sizes that exist, and some that do not. */
static uint32_t choose_attribute(struct choice *choice, unsigned streams) {
    static const uint8_t sizes[] = {0x01, 0x02, 0x04, 0x12, 0x03, 0x05, 0x0f, 0x1b, 0x0a,
                                    0x13, 0x18, 0x1d, 0x2f, 0x30, 0x31, 0x32, 0x33, 0x34};
    uint32_t size = choice_once_in(choice, 16) ? choice_below(choice, 64) : sizes[choice_below(choice, sizeof sizes)];
    return choice_below(choice, streams) | (choice_once_in(choice, 16) ? 1u << 6 : 0) | choice_below(choice, 64) << 7 |
           size << 21 | choice_below(choice, 8) << 27 | choice_below(choice, 2) << 31;
}

static bool play_attributes(struct choice *choice, FILE *report) {
    const struct path_memory memory = {bytes, HERE, BYTES};
    bool same = true;
    memset(value, 0, sizeof value);
    choose_bytes(choice);
    for (unsigned i = 0; i < 4; i++)
        choose_stream(choice, i);
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++)
        value[(0x1160 + 4 * i) / 4] = choose_attribute(choice, 5);
    set_address(0xf84, choice_once_in(choice, 3) ? 0 : HERE + choice_below(choice, 0x100));
    value[0x1438 / 4] = choice_below(choice, 4);
    draw_decode(&decoded, &(struct draw_source){.of = draw_class_of(0xb097), .value = value}, STATE_ALL);
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++) {
        struct vertex_number number = {choice_below(choice, 60), choice_below(choice, 9), value[0x1438 / 4]};
        uint32_t out[4] = {0}, expected[4] = {0};
        bool fetched = path_fetch(value, &memory, i, number.number, number.instance, expected);
        bool good = fetched == !decoded.input.attribute[i].constant;
        if (fetched && good)
            good = vertex_fetch(&decoded.input.streams, &decoded.input.attribute[i], &number, read_memory, NULL, out) &&
                   memcmp(out, expected, sizeof out) == 0;
        if (!good)
            fprintf(report, "attribute 0x%08x of vertex %u: %08x %08x %08x %08x, wanted %08x %08x %08x %08x\n",
                    (unsigned)value[(0x1160 + 4 * i) / 4], (unsigned)number.number, (unsigned)out[0], (unsigned)out[1],
                    (unsigned)out[2], (unsigned)out[3], (unsigned)expected[0], (unsigned)expected[1],
                    (unsigned)expected[2], (unsigned)expected[3]);
        same = same && good;
    }
    return same;
}

static void attributes_are_those_of_the_reference(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_attributes, 300), 0);
}

/* ---- primitives ---- */

enum { MOST_VERTICES = 24 };

static bool is_same(const struct assembled *p, const struct path_primitive *wanted) {
    bool same = p->corners == wanted->members && p->provoking.number == wanted->provoking &&
                p->first == wanted->first && p->id == wanted->id;
    for (unsigned i = 0; i < wanted->members && same; i++)
        same = p->corner[i].number == wanted->member[i];
    for (unsigned i = 0; i < wanted->corners && wanted->corners == 3 && same; i++)
        same = (p->edges >> i & 1) == wanted->edge[i];
    return same;
}

static void show(FILE *report, const struct path_primitive *p) {
    fprintf(report, "  wanted:");
    for (unsigned i = 0; i < p->members; i++)
        fprintf(report, " %u", p->member[i]);
    fprintf(report, ", provoking %u, id %u%s\n", p->provoking, p->id, p->first ? ", first" : "");
}

/* Lists of vertices with restarts between them: each list by itself. Ids go on. */
static bool play_primitives(struct choice *choice, FILE *report) {
    struct assembly assembly;
    struct assembled out[MOST_VERTICES * ASSEMBLY_MOST];
    struct path_primitive wanted[MOST_VERTICES * PATH_MOST_PRIMITIVES];
    unsigned topology = choice_below(choice, TOPOLOGY_PATCHES), id = 0;
    bool last = choice_below(choice, 2);
    assembly_begin(&assembly, topology, last);
    for (unsigned list = 0; list < 3; list++) {
        bool edge[MOST_VERTICES];
        unsigned vertices = choice_below(choice, MOST_VERTICES), made = 0, ids;
        for (uint32_t i = 0; i < vertices; i++) {
            edge[i] = choice_below(choice, 3);
            made += assembly_vertex(&assembly, &(struct assembly_vertex){.number = i, .edge = edge[i]}, &out[made]);
        }
        made += assembly_restart(&assembly, &out[made]);
        unsigned count = path_primitives(topology, last, edge, vertices, id, wanted, &ids);
        for (unsigned i = 0; i < made && i < count; i++)
            if (!is_same(&out[i], &wanted[i])) {
                fprintf(report, "topology %u, %u vertices, primitive %u: %u %u %u, edges %x, provoking %u, id %u\n",
                        topology, vertices, i, (unsigned)out[i].corner[0].number, (unsigned)out[i].corner[1].number,
                        (unsigned)out[i].corner[2].number, out[i].edges, (unsigned)out[i].provoking.number,
                        (unsigned)out[i].id);
                show(report, &wanted[i]);
                return false;
            }
        if (made != count)
            fprintf(report, "topology %u, %u vertices: %u primitives, wanted %u\n", topology, vertices, made, count);
        if (made != count)
            return false;
        id += ids;
    }
    return true;
}

static void primitives_are_those_of_the_reference(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_primitives, 3000), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_are_those_of_the_reference),
        cmocka_unit_test(primitives_are_those_of_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
