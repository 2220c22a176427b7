/* SPDX-License-Identifier: MIT */
/* Primitives of all topologies, as text: "012'" is a triangle whose provoking vertex is the last. */
#include "engine/draw/assembly.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

struct text {
    char text[256];
    size_t length;
};

static void add(struct text *text, const struct assembled *primitives, unsigned count, bool edges) {
    for (unsigned p = 0; p < count; p++) {
        text->length += (size_t)snprintf(text->text + text->length, sizeof text->text - text->length, "%s%s",
                                         text->length ? " " : "", primitives[p].first ? "" : "-");
        for (unsigned i = 0; i < primitives[p].corners; i++)
            text->length += (size_t)snprintf(
                text->text + text->length, sizeof text->text - text->length, "%u%s%s", primitives[p].corner[i].number,
                primitives[p].corner[i].number == primitives[p].provoking.number ? "'" : "",
                edges && (primitives[p].edges >> i & 1) ? "_" : "");
    }
}

/* `off`: the vertex whose edge flag is 0. */
static struct text draw(unsigned topology, bool last, unsigned vertices, bool edges, unsigned off) {
    struct assembly assembly;
    struct assembled out[ASSEMBLY_MOST];
    struct text text = {0};
    assembly_begin(&assembly, topology, last);
    for (uint32_t i = 0; i < vertices; i++) {
        struct assembly_vertex vertex = {.number = i, .edge = i != off};
        add(&text, out, assembly_vertex(&assembly, &vertex, out), edges);
    }
    add(&text, out, assembly_restart(&assembly, out), edges);
    assert_int_equal(assembly.held, 0);
    return text;
}

static void topologies_give_their_primitives(void **state) {
    static const struct {
        unsigned topology, vertices;
        const char *first, *last;
    } rows[] = {
        {TOPOLOGY_POINTS, 2, "0' 1'", "0' 1'"},
        {TOPOLOGY_LINES, 5, "0'1 2'3", "01' 23'"},
        {TOPOLOGY_LINE_STRIP, 3, "0'1 -1'2", "01' -12'"},
        {TOPOLOGY_LINE_LOOP, 3, "0'1 -1'2 -2'0", "01' -12' -20'"},
        {TOPOLOGY_LINE_LOOP, 1, "", ""},
        {TOPOLOGY_TRIANGLES, 8, "0'12 3'45", "012' 345'"},
        {TOPOLOGY_TRIANGLE_STRIP, 5, "0'12 -1'32 -2'34", "012' -213' -234'"},
        {TOPOLOGY_TRIANGLE_FAN, 5, "1'20 -2'30 -3'40", "012' -023' -034'"},
        {TOPOLOGY_QUADS, 9, "0'12 0'23 4'56 4'67", "013' 123' 457' 567'"},
        {TOPOLOGY_QUAD_STRIP, 7, "0'32 0'13 -2'54 -2'35", "203' 013' -425' -235'"},
        {TOPOLOGY_POLYGON, 5, "0'12 -0'23 -0'34", "120' -230' -340'"},
        {TOPOLOGY_POLYGON, 2, "", ""},
        {TOPOLOGY_LINES_ADJACENCY, 8, "01'23 45'67", "012'3 456'7"},
        {TOPOLOGY_LINE_STRIP_ADJACENCY, 5, "01'23 -12'34", "012'3 -123'4"},
        {TOPOLOGY_TRIANGLES_ADJACENCY, 12, "0'12345 6'7891011", "01234'5 678910'11"},
        {TOPOLOGY_TRIANGLE_STRIP_ADJACENCY, 6, "0'12543", "01254'3"},
        {TOPOLOGY_TRIANGLE_STRIP_ADJACENCY, 7, "0'12543", "01254'3"},
        {TOPOLOGY_TRIANGLE_STRIP_ADJACENCY, 8, "0'12643 -2'56740", "01264'3 -40256'7"},
        {TOPOLOGY_TRIANGLE_STRIP_ADJACENCY, 10, "0'12643 -2'56840 -4'26987", "01264'3 -40256'8 -42698'7"},
        {TOPOLOGY_PATCHES, 32, "", ""},
        {99, 32, "", ""},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(draw(rows[i].topology, false, rows[i].vertices, false, 99).text, rows[i].first);
        assert_string_equal(draw(rows[i].topology, true, rows[i].vertices, false, 99).text, rows[i].last);
    }
}

/* After a restart in the middle of a primitive, too: what has come before it is forgotten. */
static void every_topology_begins_anew_at_a_restart(void **state) {
    (void)state;
    for (unsigned topology = 0; topology < TOPOLOGIES; topology++)
        for (unsigned before = 0; before < 14; before++) {
            struct assembly assembly;
            struct assembled out[ASSEMBLY_MOST];
            struct text text = {0};
            assembly_begin(&assembly, topology, before & 1);
            for (uint32_t i = 0; i < before; i++)
                assembly_vertex(&assembly, &(struct assembly_vertex){.number = 100 + i, .edge = true}, out);
            assembly_restart(&assembly, out);
            for (uint32_t i = 0; i < 9; i++)
                add(&text, out, assembly_vertex(&assembly, &(struct assembly_vertex){.number = i, .edge = true}, out),
                    true);
            add(&text, out, assembly_restart(&assembly, out), true);
            assert_string_equal(text.text, draw(topology, before & 1, 9, true, 99).text);
        }
}

/* A saved state may say anything: vertices that have come, none of them held. */
static void a_loop_without_its_vertices_is_not_closed(void **state) {
    struct assembly assembly;
    struct assembled out[ASSEMBLY_MOST];
    (void)state;
    assembly_begin(&assembly, TOPOLOGY_LINE_LOOP, false);
    assembly.count = 2;
    assert_int_equal(assembly_restart(&assembly, out), 0);
    assert_int_equal(assembly.count, 0);
}

/* Or one of the two that a loop holds: lines begin when both are there. */
static void a_loop_with_one_of_its_vertices_makes_lines_of_what_it_has(void **state) {
    struct assembly assembly;
    struct assembled out[ASSEMBLY_MOST];
    (void)state;
    assembly_begin(&assembly, TOPOLOGY_LINE_LOOP, false);
    assembly.held = assembly.count = 1;
    assembly.vertex[1].number = 99; /* it is not held */
    assert_int_equal(assembly_vertex(&assembly, &(struct assembly_vertex){.number = 1}, out), 0);
    assert_int_equal(assembly_vertex(&assembly, &(struct assembly_vertex){.number = 2}, out), 1);
    assert_int_equal(out[0].corner[0].number, 1);
    assert_int_equal(out[0].corner[1].number, 2);
}

static void inner_edges_of_polygons_are_none(void **state) {
    (void)state;
    assert_string_equal(draw(TOPOLOGY_QUADS, false, 4, true, 99).text, "0'_1_2 0'2_3_");
    assert_string_equal(draw(TOPOLOGY_QUADS, true, 4, true, 99).text, "0_13'_ 1_2_3'");
    assert_string_equal(draw(TOPOLOGY_QUAD_STRIP, false, 4, true, 99).text, "0'3_2_ 0'_1_3");
    assert_string_equal(draw(TOPOLOGY_QUAD_STRIP, true, 4, true, 99).text, "2_03'_ 0_1_3'");
    assert_string_equal(draw(TOPOLOGY_POLYGON, false, 5, true, 99).text, "0'_1_2 -0'2_3 -0'3_4_");
    assert_string_equal(draw(TOPOLOGY_POLYGON, true, 5, true, 99).text, "1_20'_ -2_30' -3_4_0'");
}

static void edge_flags_take_edges_away(void **state) {
    (void)state;
    assert_string_equal(draw(TOPOLOGY_TRIANGLES, true, 3, true, 0).text, "01_2'_");
    assert_string_equal(draw(TOPOLOGY_TRIANGLES, true, 3, true, 1).text, "0_12'_");
    assert_string_equal(draw(TOPOLOGY_QUADS, false, 4, true, 3).text, "0'_1_2 0'2_3");
    assert_string_equal(draw(TOPOLOGY_TRIANGLE_STRIP, true, 3, true, 1).text, "0_1_2'_");
}

/* A quad is one primitive; its triangles have one number. */
static void primitives_are_numbered_and_counted(void **state) {
    static const struct {
        unsigned topology, vertices, primitives;
    } rows[] = {{TOPOLOGY_QUADS, 8, 2},     {TOPOLOGY_POLYGON, 6, 1},    {TOPOLOGY_LINE_LOOP, 4, 4},
                {TOPOLOGY_TRIANGLES, 9, 3}, {TOPOLOGY_QUAD_STRIP, 8, 3}, {TOPOLOGY_TRIANGLE_FAN, 5, 3}};
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct assembly assembly;
        struct assembled out[ASSEMBLY_MOST];
        unsigned counted = 0;
        assembly_begin(&assembly, rows[i].topology, true);
        for (uint32_t v = 0; v <= rows[i].vertices; v++) {
            unsigned made = v < rows[i].vertices
                                ? assembly_vertex(&assembly, &(struct assembly_vertex){.number = v}, out)
                                : assembly_restart(&assembly, out);
            for (unsigned p = 0; p < made; p++) {
                assert_int_equal(out[p].id, counted);
                counted += out[p].counts;
            }
        }
        assert_int_equal(counted, rows[i].primitives);
        assert_int_equal(assembly.id, rows[i].primitives);
    }
}

static void a_patch_has_as_many_vertices_as_its_size_says(void **state) {
    (void)state;
    for (unsigned size = 0; size <= 34; size++) {
        struct assembly assembly;
        struct assembled out[ASSEMBLY_MOST];
        assembly_begin(&assembly, TOPOLOGY_PATCHES, true);
        assembly.patch = (uint8_t)size;
        for (uint32_t v = 0; v < 100; v++) {
            unsigned made = assembly_vertex(&assembly, &(struct assembly_vertex){.number = v}, out);
            assert_int_equal(made, size && size <= 32 && (v + 1) % size == 0);
            if (!made)
                continue;
            assert_true(out->patch && out->counts && out->first);
            assert_int_equal(out->corners, size);
            assert_int_equal(out->id, v / size);
            for (unsigned i = 0; i < size; i++)
                assert_int_equal(out->corner[i].number, v + 1 - size + i);
        }
    }
}

static void a_restart_drops_the_vertices_of_a_patch(void **state) {
    struct assembly assembly;
    struct assembled out[ASSEMBLY_MOST];
    (void)state;
    assembly_begin(&assembly, TOPOLOGY_PATCHES, true);
    assembly.patch = 3;
    for (uint32_t v = 0; v < 2; v++)
        assert_int_equal(assembly_vertex(&assembly, &(struct assembly_vertex){.number = v}, out), 0);
    assert_int_equal(assembly_restart(&assembly, out), 0);
    for (uint32_t v = 2; v < 5; v++)
        assert_int_equal(assembly_vertex(&assembly, &(struct assembly_vertex){.number = v}, out), v == 4);
    assert_int_equal(out->corner[0].number, 2);
    assert_int_equal(out->id, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topologies_give_their_primitives),
        cmocka_unit_test(every_topology_begins_anew_at_a_restart),
        cmocka_unit_test(a_loop_without_its_vertices_is_not_closed),
        cmocka_unit_test(a_loop_with_one_of_its_vertices_makes_lines_of_what_it_has),
        cmocka_unit_test(inner_edges_of_polygons_are_none),
        cmocka_unit_test(edge_flags_take_edges_away),
        cmocka_unit_test(primitives_are_numbered_and_counted),
        cmocka_unit_test(a_patch_has_as_many_vertices_as_its_size_says),
        cmocka_unit_test(a_restart_drops_the_vertices_of_a_patch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
