/* SPDX-License-Identifier: MIT */
/*
 * Tables of PGRAPH behind PIPE_ADDRESS and PIPE_DATA (NV1x), RDI_INDEX and RDI_DATA (NV2x, NV3x).
 *
 * What is expected is from envytools hwtest/pgraph_state.cc, pgraph_state_tests.cc; nouveau nvkm/engine/gr/nv10.c.
 */
#include "nv3.h"

#include "differential/choice.h"
#include "unit/graph/graph_regs.h"

#define ONE 0x3f800000u

static const char *const celsius[] = {"NV10", "NV15", "NV1A", "NV11", "NV17", "NV1F", "NV18"};

static struct pfifo_gpu *make(const char *chip) {
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name(chip), .vram_bytes = 4u << 20, .system_bytes = 1u << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    wr(gpu, 0x200, ~0u);
    wr(gpu, 0x400720, 0);
    return gpu;
}

struct port {
    uint32_t index, data;
};
static const struct port pipe = {0x400f50, 0x400f54}, rdi = {0x400750, 0x400754};

static void load(struct pfifo_gpu *gpu, const struct port *port, uint32_t at, const uint32_t *words, uint32_t count) {
    wr(gpu, port->index, at);
    for (uint32_t i = 0; i < count; i++)
        wr(gpu, port->data, words[i]);
}

static void load_word(struct pfifo_gpu *gpu, const struct port *port, uint32_t at, uint32_t word) {
    load(gpu, port, at, &word, 1);
}

static void expect_words(struct pfifo_gpu *gpu, const struct port *port, uint32_t at, const uint32_t *words,
                         uint32_t count) {
    wr(gpu, port->index, at);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t found = rd(gpu, port->data);
        if (found != words[i])
            fail_msg("%s: %#x + %u: %#x, not %#x", gpu->chip->name, (unsigned)at, (unsigned)(4 * i), (unsigned)found,
                     (unsigned)words[i]);
    }
}

static void expect_word(struct pfifo_gpu *gpu, const struct port *port, uint32_t at, uint32_t word) {
    expect_words(gpu, port, at, &word, 1);
}

/* ---- PIPE ---- */

static void the_address_of_pipe_advances_with_each_word(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(celsius); i++) {
        struct pfifo_gpu *gpu = make(celsius[i]);
        const uint32_t words[] = {0x11111111, 0x22222222, 0x33333333, 0x44444444};
        load(gpu, &pipe, 0x6400, words, 4);
        assert_int_equal(rd(gpu, 0x400f50), strcmp(celsius[i], "NV10") ? 0x6410 : 0x6410 / 4);
        expect_words(gpu, &pipe, 0x6400, words, 4);
        load(gpu, &pipe, 0x0800, words, 4);
        expect_words(gpu, &pipe, 0x0800, words, 4);
        expect_words(gpu, &pipe, 0x6400, words, 4);
        wr(gpu, 0x400f50, 0x7ffc);
        wr(gpu, 0x400f54, 0);
        assert_int_equal(rd(gpu, 0x400f50), 0);
        pfifo_gpu_free(gpu);
    }
}

/* As no driver can write it, but as a saved machine may have it. */
static void a_loaded_address_of_pipe_need_not_be_that_of_a_word(void **state) {
    struct pfifo_gpu *gpu = make("NV17");
    (void)state;
    for (uint32_t address = 1; address < 0x60; address += 5) {
        gpu->fifo->graph->r.stored[GRAPH_WORD(GRAPH_PIPE_ADDRESS)] = address;
        wr(gpu, 0x400f54, ONE);
        assert_int_equal(rd(gpu, 0x400f50), (address + 4) & 0x7ffc);
    }
    pfifo_gpu_free(gpu);
}

/* Two words of four, and nothing else in between: they are there. */
static void words_of_a_vector_show_while_it_is_written(void **state) {
    struct pfifo_gpu *gpu = make("NV17");
    const uint32_t before[] = {1, 2, 3, 4}, half[] = {0x11111111, 0x22222222, 3, 4};
    (void)state;
    load(gpu, &pipe, 0x6400, before, 4);
    load(gpu, &pipe, 0x6400, half, 2);
    expect_words(gpu, &pipe, 0x6400, half, 4);
    expect_word(gpu, &pipe, 0x6800, 0);
    expect_words(gpu, &pipe, 0x6400, before, 4);
    pfifo_gpu_free(gpu);
}

/* A matrix takes the shared words with its fourth, one of textures also with its third. */
static void a_vector_of_pipe_takes_its_words_with_the_last_one(void **state) {
    static const struct {
        uint32_t address, with; /* bits: words with which it takes them */
        uint32_t takes;         /* words */
    } cases[] = {{0x6400, 0x8, 4}, {0x6630, 0x8, 4}, {0x6640, 0xc, 4}, {0x66b0, 0xc, 4}, {0x66c0, 0x8, 4},
                 {0x67b0, 0x8, 4}, {0x6800, 0xc, 3}, {0x6af0, 0xc, 3}, {0x6c10, 0xb, 1}, {0x6c20, 0xb, 1},
                 {0x7010, 0xb, 1}, {0x7120, 0xb, 1}, {0x74b0, 0xb, 1}, {0x7810, 0xb, 1}};
    (void)state;
    for (size_t c = 0; c < COUNT(celsius); c++) {
        struct pfifo_gpu *gpu = make(celsius[c]);
        for (size_t i = 0; i < COUNT(cases); i++) {
            for (uint32_t word = 0; word < 4; word++) {
                const uint32_t shared[] = {0x40000000, 0x40400000, 0x40800000, 0x40a00000};
                const uint32_t before[] = {ONE, ONE, ONE, ONE};
                uint32_t after[4];
                load(gpu, &pipe, cases[i].address, before, 4);
                load(gpu, &pipe, 0x4470, shared, 4);
                load_word(gpu, &pipe, cases[i].address + 4 * word, 0x41200000);
                expect_word(gpu, &pipe, 0x4470 + 4 * word, 0x41200000);
                for (uint32_t n = 0; n < 4; n++) {
                    bool taken = cases[i].with >> word & 1 && n < cases[i].takes;
                    after[n] = n >= cases[i].takes ? 0 : !taken ? ONE : n == word ? 0x41200000 : shared[n];
                }
                expect_words(gpu, &pipe, cases[i].address, after, cases[i].takes);
            }
        }
        pfifo_gpu_free(gpu);
    }
}

static void vectors_that_are_not_there_take_nothing(void **state) {
    static const uint32_t places[] = {0x67c0, 0x67f0, 0x6b00, 0x6c30, 0x7000, 0x7130, 0x74c0, 0x7800};
    static const uint32_t constants[] = {0x6c00, 0x7400};
    struct pfifo_gpu *gpu = make("NV17");
    const uint32_t words[] = {ONE, ONE, ONE, ONE}, others[] = {5, 5, 5, 5}, nothing[4] = {0};
    (void)state;
    for (size_t i = 0; i < COUNT(places); i++) {
        load(gpu, &pipe, places[i], words, 4);
        expect_word(gpu, &pipe, 0x447c, ONE);
        expect_words(gpu, &pipe, places[i], nothing, 4);
    }
    for (size_t i = 0; i < COUNT(constants); i++) {
        load(gpu, &pipe, constants[i], others, 4);
        expect_word(gpu, &pipe, constants[i], ONE);
    }
    pfifo_gpu_free(gpu);
}

/* An attribute takes the nearest format that it can have; the last one with components shows in the state. */
static void formats_of_vertex_buffers_are_what_an_attribute_can_have(void **state) {
    static const struct {
        uint32_t attribute, written, kept;
    } cases[] = {{0, 0x00000000, 0x00000045}, {0, 0x00000053, 0x00000016}, {1, 0x00000013, 0x00000006},
                 {1, 0x00000035, 0x00000034}, {2, 0x00000071, 0x00000040}, {3, 0xfe00fc7a, 0x0000fc36},
                 {5, 0x00000031, 0x00000035}, {5, 0x00000021, 0x00000005}, {7, 0x00000070, 0x00000015},
                 {6, 0x00000060, 0x00000005}};
    (void)state;
    for (size_t c = 0; c < COUNT(celsius); c++) {
        bool shares = strcmp(celsius[c], "NV10") == 0;
        struct pfifo_gpu *gpu = make(celsius[c]);
        for (size_t i = 0; i < COUNT(cases); i++) {
            load_word(gpu, &pipe, 8 * cases[i].attribute + 4, cases[i].written);
            expect_word(gpu, &pipe, 8 * cases[i].attribute + 4,
                        shares && cases[i].attribute == 2 ? cases[i].kept | 4 : cases[i].kept);
        }
        load_word(gpu, &pipe, 0x4c, ~0u);
        expect_word(gpu, &pipe, 0x4c, 0x70001f3f);
        load_word(gpu, &pipe, 0x40, 0x1f);
        expect_word(gpu, &pipe, 0x40, 0xf);
        expect_word(gpu, &pipe, 0x4c, 0x00001f3f);
        load_word(gpu, &pipe, 8, 0xffffffff);
        expect_word(gpu, &pipe, 8, 0x0ffffffc);
        expect_word(gpu, &pipe, 0x4c, 0x0000003f);
        load_word(gpu, &pipe, 8 * 7 + 4, 0);
        expect_word(gpu, &pipe, 0x4c, 0x00000023);
        load_word(gpu, &pipe, 4, 1u << 24 | 0x40);
        expect_word(gpu, &pipe, 8 * 3 + 4, 0x0100fc36);
        pfifo_gpu_free(gpu);
    }
}

/* 22 bits; numbers that are not finite or too small have one form. */
static void lights_are_rounded_to_22_bits(void **state) {
    static const struct {
        uint32_t written, vector, number;
    } cases[] = {{0x3f8001ff, 0x3f800000, 0x3f800000}, {0x3f800200, 0x3f800400, 0x3f800400},
                 {0xbf8005ff, 0xbf800400, 0xbf800400}, {0x00000200, 0x00000400, 0},
                 {0x007fffff, 0x007ffc00, 0},          {0x7f800000, 0x7f800000, 0x7f800000},
                 {0x7f8001ff, 0x7f800000, 0x7f800000}, {0xff800200, 0xff800400, 0x7ffffc00},
                 {0x3f87ffff, 0x3f87fc00, 0x3f87fc00}, {0x3fffffff, 0x3ffffc00, 0x3ffffc00}};
    struct pfifo_gpu *gpu = make("NV17");
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const uint32_t words[] = {cases[i].written, cases[i].written, cases[i].written};
        const uint32_t vector[] = {cases[i].vector, cases[i].vector, cases[i].vector};
        load(gpu, &pipe, 0x6810, words, 3);
        expect_words(gpu, &pipe, 0x6810, vector, 3);
        load_word(gpu, &pipe, 0x7010, cases[i].written);
        expect_word(gpu, &pipe, 0x7010, cases[i].number);
    }
    pfifo_gpu_free(gpu);
}

static void a_short_attribute_is_completed(void **state) {
    static const uint32_t completed[] = {0x4400, 0x4410, 0x4430, 0x4440}, kept[] = {0x4420, 0x4450, 0x4460};
    const uint32_t before[] = {5, 6, 7, 8};
    (void)state;
    for (size_t c = 0; c < COUNT(celsius); c++) {
        struct pfifo_gpu *gpu = make(celsius[c]);
        bool y = strcmp(celsius[c], "NV10") != 0;
        for (size_t i = 0; i < COUNT(completed); i++) {
            load(gpu, &pipe, completed[i], before, 4);
            expect_words(gpu, &pipe, completed[i], before, 4);
            load_word(gpu, &pipe, completed[i], 9);
            expect_words(gpu, &pipe, completed[i], (const uint32_t[]){9, y ? 0 : 6, 0, ONE}, 4);
            load(gpu, &pipe, completed[i], before, 4);
            load_word(gpu, &pipe, completed[i] + 4, 9);
            expect_words(gpu, &pipe, completed[i], (const uint32_t[]){5, 9, 0, ONE}, 4);
        }
        for (size_t i = 0; i < COUNT(kept); i++) {
            load(gpu, &pipe, kept[i], before, 4);
            load_word(gpu, &pipe, kept[i], 9);
            expect_words(gpu, &pipe, kept[i], (const uint32_t[]){9, 6, 7, 8}, 4);
        }
        load_word(gpu, &pipe, 0x4400 | 0x380 | 0x24, 10); /* at each 0x80 again */
        expect_word(gpu, &pipe, 0x4424, 10);
        expect_word(gpu, &pipe, 0x44a4, 10);
        pfifo_gpu_free(gpu);
    }
}

static void xf_misc_goes_through_the_shared_words(void **state) {
    struct pfifo_gpu *gpu = make("NV17");
    (void)state;
    wr(gpu, 0x400f40, 0x12345678);
    expect_word(gpu, &pipe, 0x4478, 0);
    wr(gpu, 0x400f44, 0x87654321);
    expect_words(gpu, &pipe, 0x4470, (const uint32_t[]){0, 0, 0x12345678 & 0x3bffffff, 0x87654321}, 4);
    pfifo_gpu_free(gpu);
}

/* As nouveau does with each channel: areas, and how many words. */
static void a_driver_saves_and_restores_pipe(void **state) {
    static const struct {
        uint32_t at, words;
    } areas[] = {{0x0200, 48},     {0x6400, 0x3c * 4}, {0x6800, 0x30 * 4}, {0x6c00, 12}, {0x7000, 19 * 4},
                 {0x7400, 12 * 4}, {0x7800, 12 * 4},   {0x4400, 32},       {0x0000, 16}, {0x0040, 4}};
    struct choice choice = choice_from_seed(17);
    (void)state;
    for (size_t c = 0; c < COUNT(celsius); c++) {
        struct pfifo_gpu *gpu = make(celsius[c]);
        uint32_t saved[COUNT(areas)][0x3c * 4], words[0x3c * 4];
        for (size_t i = 0; i < COUNT(areas); i++) {
            wr(gpu, 0x400f50, areas[i].at);
            for (uint32_t n = 0; n < areas[i].words; n++)
                wr(gpu, 0x400f54, choice_word(&choice));
        }
        for (size_t i = 0; i < COUNT(areas); i++) {
            wr(gpu, 0x400f50, areas[i].at);
            for (uint32_t n = 0; n < areas[i].words; n++)
                saved[i][n] = rd(gpu, 0x400f54);
        }
        memset(words, 0x3f, sizeof words);
        for (size_t i = 0; i < COUNT(areas); i++)
            load(gpu, &pipe, areas[i].at, words, areas[i].words);
        for (size_t i = 0; i < COUNT(areas); i++)
            load(gpu, &pipe, areas[i].at, saved[i], areas[i].words);
        for (size_t i = 0; i < COUNT(areas); i++)
            expect_words(gpu, &pipe, areas[i].at, saved[i], areas[i].words);
        pfifo_gpu_free(gpu);
    }
}

/* ---- RDI ---- */

/* Tables that hwtest loads and dumps: where, how many words, which bits each four of them have. */
static const struct {
    const char *chips;
    uint32_t at, words, bits[4];
} tables[] = {
    {"NV20:NV30", 0x100000, 0x220, {~0u, ~0u, 0x0fffffff, 0}},
    {"NV30:NV40", 0x100000, 0x460, {~0u, ~0u, ~0u, 0x03ffffff}},
    {"NV30:NV40", 0x101180, 8, {~0u, ~0u, 0xff, 0}},
    {"NV30:NV40", 0x1011a0, 4, {0xffff, 0, 0, 0}},
    {"NV20:NV40", 0x150000, 0x44, {~0u, ~0u, ~0u, ~0u}},
    {"NV25:NV30", 0x160000, 0xd0, {~0u, ~0u, 3, 0}},
    {"NV30:NV40", 0x160000, 0xd8, {~0u, ~0u, 3, 0}},
    {"NV20:NV30", 0x170000, 0x300, {~0u, ~0u, ~0u, ~0u}},
    {"NV30:NV40", 0x170000, 0x670, {~0u, ~0u, ~0u, ~0u}},
    {"NV20:NV25", 0x180000, 0x128, {~0u, ~0u, 3, 0}},
    {"NV25:NV30", 0x180000, 0x68, {~0u, ~0u, 3, 0}},
    {"NV20:NV30", 0x190000, 0x35, {0x3fffff, 0x3fffff, 0x3fffff, 0x3fffff}},
    {"NV30:NV40", 0x190000, 0x31, {0x3fffff, 0x3fffff, 0x3fffff, 0x3fffff}},
    {"NV20:NV30", 0x200000, 0x100, {~0u, ~0u, ~0u, ~0u}},
    {"NV20:NV30", 0x230000, 0x100, {~0u, ~0u, ~0u, ~0u}},
    {"NV30:NV40", 0x210000, 0x200, {~0u, ~0u, ~0u, ~0u}},
    {"NV20:NV30", 0x240000, 0x100, {~0u, ~0u, 0xffff, 0}},
    {"NV30:NV40", 0x240000, 0x100, {~0u, ~0u, 0xfffff, 0}},
    {"NV30:NV40", 0x2ea0000, 0x100, {~0u, ~0u, 0xfffff, 0}},
    {"NV20:NV40", 0x250000, 0x80, {0xffffff, 0xffffff, 0xffffff, 0xffffff}},
    {"NV20:NV40", 0x260000, 0x20, {~0u, 0x7fffff, ~0u, 0x7fffff}},
    {"NV20:NV30", 0x260080, 3, {0x01f0ffff, 0x1f1ffcfc, 0x013fffff, 0}},
    {"NV30:NV40", 0x260080, 4, {0x1f0fffff, 0x1f1ffcfc, 0x013fffff, 0x7fffffff}},
    {"NV25:NV40", 0x270000, 0x40, {~0u, ~0u, ~0u, ~0u}},
    {"NV20:NV30", 0x3d0000, 4, {~0u, ~0u, ~0u, ~0u}},
    {"NV20:NV30", 0x3d0010, 4, {~0u, 0x7fffffff, 0x0fffefff, 0x3fffffff}},
    {"NV20:NV30", 0x3d0020, 4, {~0u, 0x0fffffff, 0x7fffffff, 0x1fffffff}},
    {"NV20:NV30", 0x3d0030, 3, {0x00ffffff, 0x07ffffff, ~0u, 0}},
};

static const char *const kelvin[] = {"NV20", "NV2A", "NV25", "NV28", "NV30", "NV31", "NV34", "NV35", "NV36"};

static void the_tables_of_rdi_keep_their_bits(void **state) {
    (void)state;
    for (size_t c = 0; c < COUNT(kelvin); c++) {
        struct pfifo_gpu *gpu = make(kelvin[c]);
        struct choice choice = choice_from_seed(c);
        for (size_t t = 0; t < COUNT(tables); t++) {
            if (!chip_in_range(gpu->chip, tables[t].chips))
                continue;
            wr(gpu, rdi.index, tables[t].at);
            for (uint32_t n = 0; n < tables[t].words; n++)
                wr(gpu, rdi.data, choice_word(&choice));
            assert_int_equal(rd(gpu, rdi.index), tables[t].at + 4 * tables[t].words);
        }
        choice = choice_from_seed(c);
        for (size_t t = 0; t < COUNT(tables); t++) {
            if (!chip_in_range(gpu->chip, tables[t].chips))
                continue;
            wr(gpu, rdi.index, tables[t].at);
            for (uint32_t n = 0; n < tables[t].words; n++)
                assert_int_equal(rd(gpu, rdi.data), choice_word(&choice) & tables[t].bits[n & 3]);
        }
        pfifo_gpu_free(gpu);
    }
}

static void the_index_of_rdi_stays_in_its_table(void **state) {
    static const struct {
        const char *chip;
        uint32_t last, first;
    } cases[] = {{"NV20", 0x0171ffc, 0x0170000}, {"NV25", 0x3ff1ffc, 0x3ff0000}, {"NV34", 0x2ea7ffc, 0x2ea0000}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(cases[i].chip);
        load(gpu, &rdi, cases[i].last, (const uint32_t[]){1, 2}, 2);
        assert_int_equal(rd(gpu, rdi.index), cases[i].first + 4);
        expect_word(gpu, &rdi, cases[i].last, 1);
        expect_word(gpu, &rdi, cases[i].first, 2);
        pfifo_gpu_free(gpu);
    }
}

/* ---- both ---- */

/* Every page of the space of RDI: those that come too late are lost. */
static void a_guest_that_fills_everything_gets_4_mib(void **state) {
    struct pfifo_gpu *gpu = make("NV34");
    uint32_t there = 0;
    (void)state;
    for (uint32_t page = 0; page < 8192; page++)
        load_word(gpu, &rdi, (page / 8) << 16 | (page % 8) << 12 | 0xff0, page + 1);
    for (uint32_t page = 0; page < 8192; page++) {
        wr(gpu, rdi.index, (page / 8) << 16 | (page % 8) << 12 | 0xff0);
        there += rd(gpu, rdi.data) == page + 1;
    }
    assert_int_equal(there, 1024);
    load_word(gpu, &rdi, 0xff0, 77);
    expect_word(gpu, &rdi, 0xff0, 77);
    pfifo_gpu_free(gpu);
}

static void a_reset_of_graph_clears_the_tables(void **state) {
    static const struct {
        const char *chip;
        const struct port *port;
        uint32_t at;
    } cases[] = {{"NV10", &pipe, 0x0800}, {"NV17", &pipe, 0x4420}, {"NV20", &rdi, 0x170000}, {"NV36", &rdi, 0x100000}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(cases[i].chip);
        load_word(gpu, cases[i].port, cases[i].at, 77);
        expect_word(gpu, cases[i].port, cases[i].at, 77);
        wr(gpu, 0x200, 0xffffefff);
        wr(gpu, 0x200, ~0u);
        expect_word(gpu, cases[i].port, cases[i].at, 0);
        pfifo_gpu_free(gpu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_address_of_pipe_advances_with_each_word),
        cmocka_unit_test(a_loaded_address_of_pipe_need_not_be_that_of_a_word),
        cmocka_unit_test(words_of_a_vector_show_while_it_is_written),
        cmocka_unit_test(a_vector_of_pipe_takes_its_words_with_the_last_one),
        cmocka_unit_test(vectors_that_are_not_there_take_nothing),
        cmocka_unit_test(formats_of_vertex_buffers_are_what_an_attribute_can_have),
        cmocka_unit_test(lights_are_rounded_to_22_bits),
        cmocka_unit_test(a_short_attribute_is_completed),
        cmocka_unit_test(xf_misc_goes_through_the_shared_words),
        cmocka_unit_test(a_driver_saves_and_restores_pipe),
        cmocka_unit_test(the_tables_of_rdi_keep_their_bits),
        cmocka_unit_test(the_index_of_rdi_stays_in_its_table),
        cmocka_unit_test(a_guest_that_fills_everything_gets_4_mib),
        cmocka_unit_test(a_reset_of_graph_clears_the_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
