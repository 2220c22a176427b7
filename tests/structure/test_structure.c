/* SPDX-License-Identifier: MIT */
/* Structures in memory as fields: entries of rings, QMDs, texture headers, samplers, RAMFC and USERD. */
#include "structure/read.h"

#include <pfifo/classes.h>

/* Bits of words. */
static void put(uint32_t *words, unsigned high, unsigned low, uint64_t value) {
    for (unsigned bit = low; bit <= high; bit++)
        if (value >> (bit - low) & 1)
            words[bit / 32] |= UINT32_C(1) << bit % 32;
}

/* ---- entries of rings ---- */

static void an_entry_of_a_ring_names_a_segment(void **state) {
    (void)state;
    read_64("GA102", PFIFO_STRUCTURE_GPFIFO, 0x8000120200010000);
    expect_line("form: segment of the pushbuffer");
    expect_line("address: 0x0200010000");
    expect_line("words: 4");
    expect_line("level: subroutine: TOP_LEVEL_GET stays where it is");
    expect_line("fetched: not before all segments before it are executed");
    expect_line("SYNC = WAIT");
    expect_no_line("OPERAND");
    expect_no_line("odd");
}

static void an_entry_without_words_is_a_control_entry_from_fermi_on(void **state) {
    static const struct {
        uint64_t entry;
        const char *line;
    } cases[] = {
        {0x0000000000000000, "does: NOP: does nothing"},
        {0x0000000100000000, "does: ILLEGAL: raises the interrupt GPENTRY"},
        {0x0000000212345678, "OPERAND = 0x12345678"},
        {0x0000000300000001, "OPCODE = PB_CRC"},
        {0x0000000700000000, "odd: opcode 0x7 does not exist: the entry is taken as ILLEGAL, and raises GPENTRY"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_64("GF100", PFIFO_STRUCTURE_GPFIFO, cases[i].entry);
        expect_line("form: control entry: its length is 0");
        expect_line(cases[i].line);
        expect_no_line("GET");
    }
    read_64("G84", PFIFO_STRUCTURE_GPFIFO, 0x0000000100000000);
    expect_line("form: segment of the pushbuffer");
    expect_line("odd: the segment has no words");
}

static void only_hopper_has_an_opcode_for_the_extended_base(void **state) {
    (void)state;
    read_64("GH100", PFIFO_STRUCTURE_GPFIFO, 0x0000000400012300);
    expect_line("OPCODE = SET_PB_SEGMENT_EXTENDED_BASE");
    expect_line("PB_EXTENDED_BASE_OPERAND = 0x123");
    read_64("GA102", PFIFO_STRUCTURE_GPFIFO, 0x0000000400012300);
    expect_line("odd: opcode 0x4 does not exist: the entry is taken as ILLEGAL, and raises GPENTRY");
}

static void an_entry_of_tesla_may_be_skipped(void **state) {
    (void)state;
    read_64("G80", PFIFO_STRUCTURE_GPFIFO, 0x0000100200010001);
    expect_line("form: segment that is skipped");
    expect_line("DISABLE = SKIP");
}

static void a_segment_beyond_40_bits_is_odd(void **state) {
    (void)state;
    read_64("GK104", PFIFO_STRUCTURE_GPFIFO, 0x000010fffffffff8);
    expect_line("odd: the segment reaches beyond 40 bits of address: GPENTRY");
    read_64("GK104", PFIFO_STRUCTURE_GPFIFO, 0x000004fffffffff8);
    expect_no_line("beyond");
}

/* ---- QMDs ---- */

/* A grid of 2x3x1 blocks of 64 threads in the version, with what all versions before 4.0 have in one place. */
static void make_qmd(uint32_t words[64], unsigned major, unsigned minor) {
    memset(words, 0, 64 * sizeof words[0]);
    put(words, 579, 576, minor);
    put(words, 583, 580, major);
    put(words, 415, 384, 2);
    put(words, 431, 416, 3);
    put(words, major ? 463 : 447, major ? 448 : 432, 1);
    put(words, 607, 592, 64);
    put(words, 623, 608, 1);
    put(words, 639, 624, 1);
}

static void each_version_of_qmds_says_its_grid(void **state) {
    static const struct {
        const char *chip, *form;
        unsigned major, minor, registers_low;
    } cases[] = {
        {"GK104", "form: QMD 0.6 of KEPLER_COMPUTE_A", 0, 6, 1496},
        {"GM204", "form: QMD 1.7 of MAXWELL_COMPUTE_B", 1, 7, 1496},
        {"GP102", "form: QMD 2.1 of PASCAL_COMPUTE_B", 2, 1, 984},
        {"GV100", "form: QMD 2.2 of VOLTA_COMPUTE_A", 2, 2, 648},
        {"TU102", "form: QMD 2.3 of TURING_COMPUTE_A", 2, 3, 648},
        {"GA102", "form: QMD 2.4 of AMPERE_COMPUTE_B", 2, 4, 648},
        {"GA100", "form: QMD 3.0 of AMPERE_COMPUTE_A", 3, 0, 648},
        {"GH100", "form: QMD 3.0 of HOPPER_COMPUTE_A", 3, 0, 648},
    };
    uint32_t words[64];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make_qmd(words, cases[i].major, cases[i].minor);
        put(words, cases[i].registers_low + 5, cases[i].registers_low, 24);
        if (cases[i].minor == 7 || cases[i].minor == 6) { /* the depth is the upper half of the height's word */
            words[13] = 3;
            put(words, 431, 416, 3);
            put(words, 447, 432, 1);
        }
        read_words(cases[i].chip, PFIFO_STRUCTURE_QMD, words, 64);
        expect_line(cases[i].form);
        expect_line("grid: 2x3x1 blocks of 64x1x1 threads");
        expect_line("registers: 24 of a thread");
        expect_no_line("odd");
    }
}

static void a_qmd_of_hopper_may_be_longer(void **state) {
    uint32_t words[96] = {0};

    (void)state;
    put(words, 583, 580, 4);
    assert_int_equal(pfifo_structure_words(pfifo_chip_by_name("GH100"), PFIFO_STRUCTURE_QMD, words, 96), 96);
    assert_int_equal(pfifo_structure_words(pfifo_chip_by_name("GA102"), PFIFO_STRUCTURE_QMD, words, 96), 64);
    read_words("GH100", PFIFO_STRUCTURE_QMD, words, 64);
    expect_line("refused: a QMD of GH100 has 96 words, and there are 64");
    read_words("GH100", PFIFO_STRUCTURE_QMD, words, 96);
    expect_line("form: QMD 4.0 of HOPPER_COMPUTE_A");
}

static void limits_that_a_qmd_exceeds_are_odd(void **state) {
    uint32_t words[64];

    (void)state;
    make_qmd(words, 2, 4);
    read_words("GA102", PFIFO_STRUCTURE_QMD, words, 64);
    expect_line("odd: threads have no registers");
    put(words, 656, 648, 16);
    put(words, 623, 608, 32);       /* 64 x 33 threads */
    put(words, 561, 544, 0x20000);  /* shared memory */
    put(words, 959, 955, 17);       /* barriers */
    put(words, 951, 928, 8);        /* local memory */
    put(words, 641, 640, 3);        /* constants 0 and 1 */
    put(words, 1119, 1088, 0x4000); /* those of 1: an address, no bytes */
    put(words, 139, 139, 1);        /* release 1 */
    put(words, 863, 832, 0x1002);
    read_words("GA102", PFIFO_STRUCTURE_QMD, words, 64);
    expect_line("odd: a block has more than 1024 threads, or more than 64 layers of them");
    expect_line("odd: a block has at most 102400 bytes of shared memory");
    expect_line("odd: a block has at most 16 barriers");
    expect_line("odd: local memory is not a multiple of 16 bytes");
    expect_line("odd: constants c0 are valid, and have no address");
    expect_line("odd: constants c1 are valid, and have no bytes");
    expect_line("odd: the semaphore of release 1 is not at a multiple of 4");
    expect_no_line("no registers");
}

static void a_qmd_of_another_chip_is_named_and_odd(void **state) {
    uint32_t words[64];

    (void)state;
    make_qmd(words, 2, 4);
    read_words("GM107", PFIFO_STRUCTURE_QMD, words, 64);
    expect_line("form: QMD 2.4 of AMPERE_COMPUTE_A");
    expect_line("odd: MAXWELL_COMPUTE_A does not know version 2.4, and refuses it");
    expect_line("grid: 2x3x1 blocks of 64x1x1 threads");
}

static void a_qmd_without_a_version_is_odd(void **state) {
    uint32_t words[64] = {0};

    (void)state;
    read_words("GP102", PFIFO_STRUCTURE_QMD, words, 64);
    expect_line("form: QMD of PASCAL_COMPUTE_B, read as version 2.1");
    expect_line("odd: no version is set: Mesa's driver leaves it so");
    expect_line("odd: the grid has no blocks");
    read_words("GA102", PFIFO_STRUCTURE_QMD, words, 64);
    expect_line("odd: no version is set: the class refuses it");
    put(words, 583, 576, 0x93);
    read_words("GA102", PFIFO_STRUCTURE_QMD, words, 64);
    expect_line("odd: version 9.3 is not known: the class refuses it");
}

static void elements_of_arrays_end_where_other_fields_begin(void **state) {
    uint32_t words[64];

    (void)state;
    make_qmd(words, 2, 4);
    put(words, 647, 640, 0xff);
    read_words("GA102", PFIFO_STRUCTURE_QMD, words, 64);
    expect_line("CONSTANT_BUFFER_VALID(7) = TRUE");
    expect_no_line("CONSTANT_BUFFER_VALID(8)");
    expect_line("CONSTANT_BUFFER_ADDR_LOWER(7) = 0x0");
    expect_no_line("CONSTANT_BUFFER_ADDR_LOWER(8)");
}

static void bits_in_no_field_and_reserved_fields_are_odd(void **state) {
    uint32_t words[64];

    (void)state;
    make_qmd(words, 2, 4);
    put(words, 372, 372, 1);   /* between CWD_REFERENCE_COUNT_DECR_ENABLE and API_VISIBLE_CALL_LIMIT */
    put(words, 1791, 1760, 5); /* QMD_SPARE_H */
    read_words("GA102", PFIFO_STRUCTURE_QMD, words, 64);
    expect_line("odd: bits 0x00100000 of word 11 are in no field");
    expect_line("odd: the reserved field QMD_SPARE_H is 0x5");
}

/* ---- textures ---- */

static void a_texture_header_of_maxwell_is_read_by_its_version(void **state) {
    static const char *const forms[] = {"buffer", "pitch with a colour key", "pitch", "blocks",
                                        "blocks with a colour key"};
    char line[128];

    (void)state;
    for (uint32_t version = 0; version < 5; version++) {
        const uint32_t words[8] = {0x8, 0x10000, version << 21 | 1, 0, 0x3f, 0x1f};
        read_words("GA102", PFIFO_STRUCTURE_TIC, words, 8);
        snprintf(line, sizeof line, "form: texture header, Maxwell's form: %s", forms[version]);
        expect_line(line);
        expect_no_line("Fermi");
    }
    const uint32_t none[8] = {0, 0, 7 << 21};
    read_words("GA102", PFIFO_STRUCTURE_TIC, none, 8);
    expect_line("odd: the chip has no such version");
}

static void a_texture_header_of_gm10x_has_two_readings(void **state) {
    const uint32_t words[8] = {0x8 | 2 << 6, 0x10000, 3 << 21};

    (void)state;
    read_words("GM107", PFIFO_STRUCTURE_TIC, words, 8);
    expect_line("form: texture header, Fermi's first form");
    expect_line("form: texture header, Maxwell's form: blocks");
}

static void a_texture_header_of_hopper_has_a_form_of_its_own(void **state) {
    const uint32_t words[8] = {0x10000, 0, 99, UINT32_C(5) << 28};

    (void)state;
    read_words("GH100", PFIFO_STRUCTURE_TIC, words, 8);
    expect_line("form: texture header, Hopper's form: typed buffer");
    expect_line("WIDTH_MINUS_ONE = 0x63");
}

static void a_texture_header_says_what_texture_it_is(void **state) {
    const uint32_t words[8] = {0x08 | 2 << 7 | 2 << 10 | 2 << 13 | 2 << 16 | 2 << 19 | 3 << 22 | 4 << 25 | 5 << 28,
                               0x25e4000,
                               3 << 21 | 1,
                               0,
                               1 << 23 | 63,
                               31};

    (void)state;
    read_words("GM204", PFIFO_STRUCTURE_TIC, words, 8);
    expect_line("texture: 2D A8B8G8R8, block, 64x32x1, 1 layer, 1 level");
    expect_line("address: 0x1025e4000");
    expect_line("COMPONENTS = SIZES_A8B8G8R8");
    expect_no_line("Fermi");
}

static void texture_headers_and_samplers_of_tesla_have_envytools_names(void **state) {
    uint32_t words[8] = {0x8, 0x10000, 1 << 14 | 0x20};

    (void)state;
    read_words("G80", PFIFO_STRUCTURE_TIC, words, 8);
    expect_line("form: texture header, Tesla");
    expect_line("FMT = 8_8_8_8");
    expect_line("OFFSET_HIGH = 0x20");
    expect_line("TARGET = 2D");
    words[0] = 2 | 3 << 3;
    words[1] = 0x1ff000;
    words[4] = 0x3f800000;
    read_words("MCP89", PFIFO_STRUCTURE_TSC, words, 8);
    expect_line("WRAPS = CLAMP_TO_EDGE");
    expect_line("WRAPT = CLAMP_TO_BORDER");
    expect_line("LOD_BIAS = 511");
    expect_line("BORDER_COLOR_RED = 1");
}

static void a_sampler_is_read_alike_from_fermi_on(void **state) {
    static const char *const chips[] = {"GF100", "GK110", "GM107", "GP102", "TU102", "GA102", "GH100"};
    const uint32_t words[8] = {1 | 3 << 10 | 1 << 9, 2 | 2 << 4 | 3 << 6};

    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        read_words(chips[i], PFIFO_STRUCTURE_TSC, words, 8);
        expect_line("ADDRESS_U = MIRROR");
        expect_line("DEPTH_COMPARE_FUNC = ZC_LEQUAL");
        expect_line("MIP_FILTER = MIP_LINEAR");
        expect_no_line("odd");
    }
}

/* ---- RAMFC and USERD ---- */

static void ramfc_of_chips_with_cache1_has_its_registers(void **state) {
    uint32_t words[PFIFO_STRUCTURE_WORDS] = {0x1000, 0x2000};

    (void)state;
    words[3] = 0x00051234; /* NV10: the instance, and the count that was fetched */
    read_words("NV10", PFIFO_STRUCTURE_RAMFC, words, 8);
    expect_line("CACHE1_DMA_PUT = 0x1000");
    expect_line("CACHE1_DMA_GET = 0x2000");
    expect_line("CACHE1_DMA_INSTANCE = 0x1234");
    expect_line("CACHE1_DMA_DCOUNT = 0x5");
    words[3] = 0;
    words[0x34 / 4] = 0x4001;            /* NV40: SUBROUTINE */
    words[0x18 / 4] = UINT32_C(1) << 28; /* with SLI's bits */
    read_words("NV40", PFIFO_STRUCTURE_RAMFC, words, 32);
    expect_line("CACHE1_DMA_SUBROUTINE = 0x4001");
    expect_line("SLI.ACTIVE = 0x1");
    memset(words, 0, sizeof words);
    words[0x54 / 4] = 9u << 16 | 2;
    read_words("G84", PFIFO_STRUCTURE_RAMFC, words, 64);
    expect_line("CACHE1_IB_CONFIG.ORDER = 0x9");
    expect_line("CACHE1_IB_CONFIG.ADDRESS_HIGH = 0x2");
}

static void ramfc_of_chips_with_pbdmas_has_a_pbdmas_words(void **state) {
    static const char *const chips[] = {"GK104", "GP102", "GV100", "GA102", "GH100"};
    uint32_t words[PFIFO_STRUCTURE_WORDS] = {7, 0, 0x1000, 1, 0, 5};

    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        read_words(chips[i], PFIFO_STRUCTURE_RAMFC, words, 64);
        expect_line("GP_PUT = 0x7");
        expect_line("GP_GET = 0x5");
        expect_line("USERD_HI = 0x1");
        expect_no_line("odd");
    }
    read_words("GF100", PFIFO_STRUCTURE_RAMFC, words, 64);
    expect_line("IB_PUT = 0x7");
}

static void userd_has_the_pointers_of_a_channel(void **state) {
    uint32_t words[PFIFO_STRUCTURE_WORDS] = {0};

    (void)state;
    words[0x88 / 4] = 3;
    words[0x8c / 4] = 4;
    words[0x48 / 4] = 0xabc;
    words[0x30 / 4] = 1;
    read_words("GA102", PFIFO_STRUCTURE_USERD, words, 128);
    expect_line("GP_GET = 0x3");
    expect_line("GP_PUT = 0x4");
    expect_line("REF = 0xabc");
    expect_line("odd: nothing is kept in the word at 0x30, which is 0x00000001");
    read_words("NV40", PFIFO_STRUCTURE_USERD, words, 128);
    expect_line("refused: NV40 has no USERD");
}

static void ramfc_may_be_cut(void **state) {
    (void)state;
    read_words("NV4", PFIFO_STRUCTURE_RAMFC, (const uint32_t[]){0x1000}, 1);
    expect_line("CACHE1_DMA_PUT = 0x1000");
    expect_no_line("DMA_GET");
    read_words("NV4", PFIFO_STRUCTURE_RAMFC, (const uint32_t[]){0}, 0);
    assert_int_equal(strncmp(read_lines, "refused: ", 9), 0);
}

/* ---- all ---- */

static bool stop(void *opaque, const struct pfifo_structure_item *item) {
    (void)item;
    ++*(unsigned *)opaque;
    return false;
}

static void every_chip_reads_what_it_has_and_refuses_the_rest(void **state) {
    uint32_t words[PFIFO_STRUCTURE_WORDS];

    (void)state;
    for (size_t i = 0; i < PFIFO_STRUCTURE_WORDS; i++)
        words[i] = UINT32_MAX;
    for (size_t c = 0; c < pfifo_chip_count(); c++)
        for (unsigned kind = 0; kind < PFIFO_STRUCTURE_KINDS; kind++) {
            const struct pfifo_chip *chip = pfifo_chip_at(c);
            const size_t count = pfifo_structure_words(chip, kind, words, PFIFO_STRUCTURE_WORDS);
            const char *name = pfifo_chip_info(chip).name;
            unsigned items = 0;
            assert_true(count <= PFIFO_STRUCTURE_WORDS);
            read_words(name, kind, words, PFIFO_STRUCTURE_WORDS);
            assert_int_equal(strncmp(read_lines, count ? "form: " : "refused: ", count ? 6 : 9), 0);
            if (!count)
                continue;
            pfifo_structure_read(chip, kind, words, count, stop, &items, NULL);
            assert_int_equal(items, 1);
        }
}

static void kinds_have_names(void **state) {
    enum pfifo_structure_kind kind;

    (void)state;
    for (unsigned i = 0; i < PFIFO_STRUCTURE_KINDS; i++) {
        assert_true(pfifo_structure_kind_by_name(pfifo_structure_kind_name(i), &kind));
        assert_int_equal(kind, i);
        assert_non_null(pfifo_structure_kind_text(i));
    }
    assert_true(pfifo_structure_kind_by_name("GPFIFO", &kind));
    assert_false(pfifo_structure_kind_by_name("gpfif", &kind));
    assert_null(pfifo_structure_kind_name(PFIFO_STRUCTURE_KINDS));
    assert_int_equal(pfifo_structure_words(NULL, PFIFO_STRUCTURE_PTE, NULL, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_of_a_ring_names_a_segment),
        cmocka_unit_test(an_entry_without_words_is_a_control_entry_from_fermi_on),
        cmocka_unit_test(only_hopper_has_an_opcode_for_the_extended_base),
        cmocka_unit_test(an_entry_of_tesla_may_be_skipped),
        cmocka_unit_test(a_segment_beyond_40_bits_is_odd),
        cmocka_unit_test(each_version_of_qmds_says_its_grid),
        cmocka_unit_test(a_qmd_of_hopper_may_be_longer),
        cmocka_unit_test(limits_that_a_qmd_exceeds_are_odd),
        cmocka_unit_test(a_qmd_of_another_chip_is_named_and_odd),
        cmocka_unit_test(a_qmd_without_a_version_is_odd),
        cmocka_unit_test(elements_of_arrays_end_where_other_fields_begin),
        cmocka_unit_test(bits_in_no_field_and_reserved_fields_are_odd),
        cmocka_unit_test(a_texture_header_of_maxwell_is_read_by_its_version),
        cmocka_unit_test(a_texture_header_of_gm10x_has_two_readings),
        cmocka_unit_test(a_texture_header_of_hopper_has_a_form_of_its_own),
        cmocka_unit_test(a_texture_header_says_what_texture_it_is),
        cmocka_unit_test(texture_headers_and_samplers_of_tesla_have_envytools_names),
        cmocka_unit_test(a_sampler_is_read_alike_from_fermi_on),
        cmocka_unit_test(ramfc_of_chips_with_cache1_has_its_registers),
        cmocka_unit_test(ramfc_of_chips_with_pbdmas_has_a_pbdmas_words),
        cmocka_unit_test(userd_has_the_pointers_of_a_channel),
        cmocka_unit_test(ramfc_may_be_cut),
        cmocka_unit_test(every_chip_reads_what_it_has_and_refuses_the_rest),
        cmocka_unit_test(kinds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
