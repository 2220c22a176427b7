/* SPDX-License-Identifier: MIT */
/* Attributes of vertices: formats, addresses, limits. */
#include "engine/draw/vertex.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define WORD(size, type) ((uint32_t)(size) << 21 | (uint32_t)(type) << 27)

static void expect(uint32_t word, const char *bytes, const uint32_t expected[4]) {
    struct vertex_attribute attribute;
    uint8_t memory[VERTEX_MOST_BYTES] = {0};
    uint32_t out[4];
    vertex_attribute(&attribute, word);
    assert_false(attribute.constant);
    memcpy(memory, bytes, attribute.bytes);
    vertex_unpack(&attribute, memory, out);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(out[i], expected[i]);
}

#define EXPECT(word, bytes, ...) expect(word, bytes, (const uint32_t[4]){__VA_ARGS__})
#define ONE                      0x3f800000
#define MINUS                    0xbf800000

static void formats_have_the_values_of_the_standards(void **state) {
    (void)state;
    EXPECT(WORD(0x01, VERTEX_FLOAT), "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20", 0x04030201, 0x08070605, 0x0c0b0a09,
           0x100f0e0d);
    EXPECT(WORD(0x0a, VERTEX_UNORM), "\0\377\200\1", 0, ONE, 0x3f008081, 0x3b808081);
    EXPECT(WORD(0x0a, VERTEX_UNORM) | 1u << 31, "\0\377\200\1", 0x3f008081, ONE, 0, 0x3b808081);
    EXPECT(WORD(0x0a, VERTEX_SNORM), "\200\201\177\0", MINUS, MINUS, ONE, 0);
    EXPECT(WORD(0x18, VERTEX_SINT), "\377\1", 0xffffffff, 1, 0, 1);
    EXPECT(WORD(0x18, VERTEX_UINT), "\377\1", 255, 1, 0, 1);
    EXPECT(WORD(0x1d, VERTEX_USCALED), "\3", 0x40400000, 0, 0, ONE);
    EXPECT(WORD(0x1b, VERTEX_SSCALED), "\376\377", 0xc0000000, 0, 0, ONE);
    EXPECT(WORD(0x30, VERTEX_SNORM), "\0\0\0\200", 0, 0, 0, MINUS);
    EXPECT(WORD(0x30, VERTEX_UNORM), "\377\3\0\300", ONE, 0, 0, ONE);
    EXPECT(WORD(0x0f, VERTEX_FLOAT), "\0\74\1\0", ONE, 0x33800000, 0, ONE);
    EXPECT(WORD(0x0f, VERTEX_FLOAT), "\0\374\1\376", 0xff800000, 0xffc02000, 0, ONE);
    EXPECT(WORD(0x31, VERTEX_FLOAT), "\300\3\0\0", ONE, 0, 0, ONE);
    EXPECT(WORD(0x34, VERTEX_UNORM), "\377", 0, 0, 0, ONE);
    EXPECT(WORD(0x12, VERTEX_UNORM), "\377\377\377\377", ONE, 0, 0, ONE);
}

static void what_is_no_format_is_constant(void **state) {
    static const uint32_t words[] = {0,
                                     WORD(0x01, 0),
                                     WORD(0x3f, VERTEX_UINT),
                                     WORD(0x0a, VERTEX_FLOAT),
                                     WORD(0x31, VERTEX_UNORM),
                                     WORD(0x01, VERTEX_FLOAT) | 1u << 6};
    struct vertex_attribute attribute;
    (void)state;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        vertex_attribute(&attribute, words[i]);
        assert_true(attribute.constant);
    }
}

static bool read_ramp(void *opaque, uint64_t address, void *data, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        ((uint8_t *)data)[i] = (uint8_t)(address + i);
    *(uint64_t *)opaque = address;
    return address != 0xbad;
}

static void elements_are_found_by_vertex_and_instance(void **state) {
    struct vertex_streams streams = {.base = 0x10, .address_mask = 0xffffffffff, .substitute = 0x77};
    struct vertex_attribute attribute;
    uint64_t address = 0;
    uint32_t out[4];
    (void)state;
    streams.stream[3] = (struct vertex_stream){.enabled = true, .stride = 8, .start = 0x1000, .limit = 0x10ff};
    vertex_attribute(&attribute, WORD(0x04, VERTEX_UINT) | 3 | 4 << 7);
    assert_true(vertex_fetch(&streams, &attribute, &(struct vertex_number){.number = 5}, read_ramp, &address, out));
    assert_int_equal(address, 0x1000 + 0x10 + 40 + 4);
    /* The last byte of vertex 30 is 0x10fb, that of 31 is after the limit. */
    assert_true(vertex_fetch(&streams, &attribute, &(struct vertex_number){.number = 30}, read_ramp, &address, out));
    assert_int_equal(address, 0x1010 + 240 + 4);
    assert_true(vertex_fetch(&streams, &attribute, &(struct vertex_number){.number = 31}, read_ramp, &address, out));
    assert_int_equal(address, 0x77);
    assert_int_equal(out[0], 0x7a797877);

    streams.stream[3].per_instance = true;
    streams.stream[3].divisor = 2;
    struct vertex_number vertex = {.number = 99, .instance = 5, .base_instance = 7};
    assert_true(vertex_fetch(&streams, &attribute, &vertex, read_ramp, &address, out));
    assert_int_equal(address, 0x1010 + 9 * 8 + 4);
    streams.stream[3].divisor = 0;
    assert_true(vertex_fetch(&streams, &attribute, &vertex, read_ramp, &address, out));
    assert_int_equal(address, 0x1010 + 7 * 8 + 4);
    streams.stream[3].enabled = false;
    streams.substitute = 0;
    assert_true(vertex_fetch(&streams, &attribute, &vertex, read_ramp, &address, out));
    assert_int_equal(out[0], 0);
    assert_int_equal(out[3], 1);
    streams.substitute = 0xbad;
    assert_false(vertex_fetch(&streams, &attribute, &vertex, read_ramp, &address, out));
}

/* Each code of a format, with bytes of all kinds, and some lanes only. */
static void many_vertices_have_the_values_of_each(void **state) {
    uint8_t bytes[VERTEX_LANES][VERTEX_MOST_BYTES];
    const uint8_t *from[VERTEX_LANES];
    uint32_t seed = 1, out[4][VERTEX_LANES], one[4];
    (void)state;
    for (uint32_t code = 0; code < 64 * 8 * 2; code++) {
        struct vertex_attribute attribute;
        const unsigned lanes = 1 + code % VERTEX_LANES;
        vertex_attribute(&attribute, WORD(code & 63, code >> 6 & 7) | code >> 9 << 31);
        if (attribute.constant)
            continue;
        for (unsigned lane = 0; lane < VERTEX_LANES; lane++) {
            from[lane] = bytes[lane];
            for (unsigned i = 0; i < VERTEX_MOST_BYTES; i++) {
                seed = seed * 1664525 + 1013904223;
                bytes[lane][i] = seed >> 30 ? (uint8_t)(seed >> 16) : 0x80; /* the least of signed ones, too */
            }
        }
        memset(out, 0x5a, sizeof out);
        vertex_unpack_lanes(&attribute, from, lanes, out);
        for (unsigned lane = 0; lane < VERTEX_LANES; lane++) {
            vertex_unpack(&attribute, bytes[lane], one);
            for (unsigned i = 0; i < 4; i++)
                assert_int_equal(out[i][lane], lane < lanes ? one[i] : 0x5a5a5a5a);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_have_the_values_of_the_standards),
        cmocka_unit_test(what_is_no_format_is_constant),
        cmocka_unit_test(elements_are_found_by_vertex_and_instance),
        cmocka_unit_test(many_vertices_have_the_values_of_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
