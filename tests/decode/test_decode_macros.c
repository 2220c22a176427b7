/* SPDX-License-Identifier: MIT */
/* Macros as text: every operation of both instruction sets, and the listing of what a stream uploads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/macros.h"
#include "differential/choice.h"
#include "engine/macro_gf100.h"
#include "engine/macro_tu102.h"

enum { INSERT = 2, EXTRACT, SHIFT_INSERT };

static const char *text_of(const char *chip, uint32_t class_id, uint32_t address, const uint32_t *words) {
    static char text[512];
    size_t length = pfifo_macro_format(pfifo_chip_by_name(chip), class_id, address, words, text, sizeof text);
    assert_int_equal(length, strlen(text));
    return text;
}

static const char *gf100(uint32_t word) {
    return text_of("GF100", 0, 0x10, &word);
}

static const char *tu102(const struct group *group) {
    uint32_t words[3];
    encode(group, words);
    return text_of("TU102", 0, 0x30, words);
}

/* ---- GF100 ---- */

static void functions_of_the_alu_are_operators(void **state) {
    (void)state;
    assert_string_equal(gf100(ALU(MOV, 0x0, 1, 2, 3)), "r1 = r2 + r3");
    assert_string_equal(gf100(ALU(MOV, 0x1, 1, 2, 3)), "r1 = r2 + r3 + carry");
    assert_string_equal(gf100(ALU(MOV, 0x2, 1, 2, 0)), "r1 = r2 - 0");
    assert_string_equal(gf100(ALU(MOV, 0x3, 1, 0, 3)), "r1 = 0 - r3 - borrow");
    assert_string_equal(gf100(ALU(MOV, 0x8, 1, 2, 3)), "r1 = r2 ^ r3");
    assert_string_equal(gf100(ALU(MOV, 0x9, 7, 6, 5)), "r7 = r6 | r5");
    assert_string_equal(gf100(ALU(MOV, 0x9, 7, 6, 0)), "r7 = r6");
    assert_string_equal(gf100(ALU(MOV, 0xa, 1, 2, 3)), "r1 = r2 & r3");
    assert_string_equal(gf100(ALU(MOV, 0xb, 1, 2, 3)), "r1 = r2 & ~r3");
    assert_string_equal(gf100(ALU(MOV, 0xc, 1, 2, 3)), "r1 = ~(r2 & r3)");
    assert_string_equal(gf100(ALU(MOV, 0x4, 1, 2, 3)), "illegal");
    assert_string_equal(gf100(6), "illegal");
}

static void sums_with_constants_are_short(void **state) {
    (void)state;
    assert_string_equal(gf100(ADDI(MOV, 1, 2, 5)), "r1 = r2 + 0x5");
    assert_string_equal(gf100(ADDI(MOV, 1, 2, -5)), "r1 = r2 - 0x5");
    assert_string_equal(gf100(ADDI(MOV, 1, 2, 0)), "r1 = r2");
    assert_string_equal(gf100(ADDI(MOV, 1, 0, 0x1ffff)), "r1 = 0x1ffff");
    assert_string_equal(gf100(ADDI(MOV, 1, 0, -0x20000)), "r1 = -0x20000");
}

static void bit_fields_are_shifts_and_masks(void **state) {
    (void)state;
    assert_string_equal(gf100(FIELD(INSERT, MOV, 1, 2, 3, 4, 5, 6)), "r1 = insert(r2, 6, r3, 4, 5)");
    assert_string_equal(gf100(FIELD(INSERT, MOV, 1, 0, 3, 4, 5, 6)), "r1 = (r3 >> 4 & 0x1f) << 6");
    assert_string_equal(gf100(FIELD(INSERT, MOV, 1, 0, 3, 0, 5, 0)), "r1 = (r3 & 0x1f)");
    assert_string_equal(gf100(FIELD(EXTRACT, MOV, 1, 2, 3, 0, 8, 9)), "r1 = (r3 >> r2 & 0xff) << 9");
    assert_string_equal(gf100(FIELD(EXTRACT, MOV, 1, 2, 3, 0, 8, 0)), "r1 = (r3 >> r2 & 0xff)");
    assert_string_equal(gf100(FIELD(SHIFT_INSERT, MOV, 1, 2, 3, 7, 8, 0)), "r1 = (r3 >> 7 & 0xff) << r2");
}

static void results_and_parameters_go_where_the_operation_says(void **state) {
    (void)state;
    assert_string_equal(gf100(ADDI(PARM, 1, 2, 3)), "r1 = parameter");
    assert_string_equal(gf100(ADDI(PARM, 0, 2, 3)), "drop parameter");
    assert_string_equal(gf100(ADDI(MOV_MADDR, 1, 2, 3)), "r1 = r2 + 0x3; method = r1");
    assert_string_equal(gf100(ADDI(MOV_MADDR, 0, 2, 3)), "method = r2 + 0x3");
    assert_string_equal(gf100(SET_MADDR(2, 0x1b00)), "method = 0x1b00 step 8");
    assert_string_equal(gf100(ADDI(PARM_SEND, 4, 2, 3)), "send r2 + 0x3; r4 = parameter");
    assert_string_equal(gf100(ADDI(MOV_SEND, 4, 2, 3)), "r4 = r2 + 0x3; send r4");
    assert_string_equal(gf100(ADDI(MOV_SEND, 0, 2, 3)), "send r2 + 0x3");
    assert_string_equal(gf100(ADDI(PARM_MADDR, 4, 0, MADDR(1, 0x100))), "method = 0x0100 step 4; r4 = parameter");
    assert_string_equal(gf100(ADDI(MADDR_SENDPARM, 0, 3, 0)), "method = r3; send parameter");
    assert_string_equal(gf100(ADDI(MADDR_SENDHIGH, 0, 3, 0)), "method = r3; send step");
    assert_string_equal(gf100(NOP), "nop");
    assert_string_equal(gf100(NOP | EXIT), "nop; exit");
    assert_string_equal(gf100(ALU(MOV, 2, 0, 1, 2)), "r1 - r2"); /* for its carry */
}

static void state_is_addressed_by_method(void **state) {
    (void)state;
    assert_string_equal(gf100(READ(MOV, 1, 0, 0x1b00 >> 2)), "r1 = state[0x1b00]");
    assert_string_equal(gf100(READ(MOV, 1, 4, 0x1b00 >> 2)), "r1 = state[4 * r4 + 0x1b00]");
}

static void branches_name_where_they_go(void **state) {
    (void)state;
    assert_string_equal(gf100(BRAZ(3, 5)), "if (r3 == 0) goto 015");
    assert_string_equal(gf100(BRANZ(3, -0x10)), "if (r3 != 0) goto 000");
    assert_string_equal(gf100(BRANCH(0u, 1u, 0, -0x11)), "goto at once 7ff");
    assert_string_equal(gf100(BRAZ(0, 1) | EXIT), "goto 011; exit");
}

static void methods_have_their_names(void **state) {
    (void)state;
    uint32_t word = SET_MADDR(1, 0x1b00);
    assert_string_equal(text_of("GF100", 0x9097, 0, &word), "method = 0x1b00 step 4  # SET_REPORT_SEMAPHORE_A");
    word = READ(MOV, 1, 0, 0xd60 >> 2);
    assert_non_null(strstr(text_of("GF100", 0x9097, 0, &word), "r1 = state[0x0d60]  # "));
}

/* ---- TU102 ---- */

#define OF_ALU0(...)                                                                                                   \
    &(const struct group) {                                                                                            \
        .predicate = ZERO, .alu = { __VA_ARGS__, NO_ALU }                                                              \
    }

static void operations_of_the_alus_are_operators(void **state) {
    static const struct {
        unsigned operation;
        const char *text;
    } cases[] = {
        {ADD, "r1 + r2"},    {SUB, "r1 - r2"},
        {MUL, "r1 * r2"},    {MULU, "r1 * r2 unsigned"},
        {CLZ, "clz(r1)"},    {SLL, "r1 << r2"},
        {SRL, "r1 >> r2"},   {SRA, "r1 >> r2 signed"},
        {AND, "r1 & r2"},    {NAND, "~(r1 & r2)"},
        {OR, "r1 | r2"},     {XOR, "r1 ^ r2"},
        {SLT, "r1 < r2"},    {SLTU, "r1 < r2 unsigned"},
        {SLE, "r1 <= r2"},   {SLEU, "r1 <= r2 unsigned"},
        {SEQ, "r1 == r2"},   {STATE, "state[4 * (r1 + r2)]"},
        {DREAD, "data[r1]"}, {MERGE, "insert(r1, 3, r2, 4, 5)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "r9 = %s", cases[i].text);
        assert_string_equal(tu102(OF_ALU0({cases[i].operation, 9, 1, 2, 3 << 10 | 5 << 5 | 4})), expected);
    }
    assert_string_equal(tu102(OF_ALU0({DWRITE, ZERO, 1, 2, 0})), "data[r1] = r2");
    assert_string_equal(tu102(OF_ALU0({EXTENDED, ZERO, 1, 2, 0})), "wait(r1, r2)");
    assert_string_equal(tu102(OF_ALU0({ADDC, 1, 1, 1, 0})), "illegal"); /* alone */
}

static void the_second_alu_may_go_on_where_the_first_one_ends(void **state) {
    (void)state;
    assert_string_equal(tu102(&(struct group){.predicate = ZERO, .alu = {{ADD, 1, 2, 3, 0}, {ADDC, 4, 5, 6, 0}}}),
                        "r1 = r2 + r3; r4 = r5 + r6 + upper");
    assert_string_equal(tu102(&(struct group){.predicate = ZERO, .alu = {{SUB, ZERO, 2, 3, 0}, {SUBB, 4, 5, 6, 0}}}),
                        "r2 - r3; r4 = r5 - r6 - upper");
    assert_string_equal(tu102(&(struct group){.predicate = ZERO, .alu = {{MULU, 1, 2, 3, 0}, {MULH, 4, 5, 6, 0}}}),
                        "r1 = r2 * r3 unsigned; r4 = upper");
}

static void operands_are_registers_constants_and_parameters(void **state) {
    (void)state;
    assert_string_equal(tu102(OF_ALU0({ADD, 9, IMM, ZERO, 0xfffe})), "r9 = -0x2");
    assert_string_equal(tu102(OF_ALU0({SUB, 9, ZERO, LOAD0, 0})), "r9 = 0 - parameter0");
    assert_string_equal(tu102(OF_ALU0({AND, 23, LOAD1, IMM32, 0x1234})), "r23 = parameter1 & 0x12340000");
    assert_string_equal(
        tu102(&(struct group){.predicate = ZERO, .alu = {{ADD, 9, 1, OTHER, 0}, {ADD, ZERO, ZERO, ZERO, 7}}}),
        "r9 = r1 + 0x7");
}

static void jumps_count_groups(void **state) {
    (void)state;
    assert_string_equal(tu102(OF_ALU0({BLT, ZERO, 1, 2, 0x8002})), "if (r1 < r2) goto 036");
    assert_string_equal(tu102(OF_ALU0({BEQ, ZERO, 1, ZERO, 0x1ffe})), "if (!(r1 == 0)) goto 02a");
    assert_string_equal(tu102(OF_ALU0({BLEU, ZERO, 1, 2, 0x9000})), "if (r1 <= r2 unsigned) end");
    assert_string_equal(tu102(OF_ALU0({JAL, ZERO, ZERO, ZERO, 0x7fff})), "goto 02d");
    assert_string_equal(tu102(OF_ALU0({LOOP, ZERO, 3, ZERO, 4})), "loop r3 times, before 03c");
}

static void outputs_set_the_method_and_send(void **state) {
    struct group g = {.end = 1, .predicate = ZERO, .alu = {{ADD, ZERO, 1, 2, 0x16c0}, {ADD, 3, 4, ZERO, 0x2d00}}};
    (void)state;
    g.out[0][0] = IMM0, g.out[0][1] = ALU0, g.out[1][1] = FROM1;
    assert_string_equal(tu102(&g), "alu0 = r1 + r2; r3 = r4; method = 0x1b00 step 4; send alu0; send parameter1; exit");
    g.out[0][0] = ALU1, g.out[0][1] = HIGH1, g.out[1][0] = FROM0, g.out[1][1] = PAIR;
    assert_string_equal(tu102(&g),
                        "r3 = alu1 = r4; method = alu1; send 0x2; method = parameter0; send 0x16c02d00; exit");
    assert_string_equal(tu102(&(struct group){.predicate = ZERO, .alu = {NO_ALU, NO_ALU}}), "nop");
    assert_string_equal(tu102(&(struct group)LAST), "exit");
}

/* Letter T runs its part where the machine does: engine/macro/isa_tu102.c. */
static void predicates_say_when_a_part_runs(void **state) {
    struct group g = {.mode = TFUU, .predicate = 5, .alu = {{ADD, 1, 2, 3, 0}, {SUB, 4, 5, 6, 0}}};
    (void)state;
    g.out[1][1] = FROM0;
    assert_string_equal(tu102(&g), "[r5 == 0] r1 = r2 + r3; [r5 != 0] r4 = r5 - r6; send parameter0");
    g.mode = UUUF;
    assert_string_equal(tu102(&g), "r1 = r2 + r3; r4 = r5 - r6; [r5 != 0] send parameter0");
    g.mode = TTTT;
    assert_string_equal(tu102(&g), "[r5 == 0] r1 = r2 + r3; [r5 == 0] r4 = r5 - r6; [r5 == 0] send parameter0");
}

/* ---- both ---- */

static void only_chips_with_a_macro_processor_have_macros(void **state) {
    const uint32_t words[3] = {0};
    char text[8] = "before";
    (void)state;
    assert_int_equal(pfifo_macro_words(pfifo_chip_by_name("NV40")), 0);
    assert_int_equal(pfifo_macro_words(pfifo_chip_by_name("MCP89")), 0);
    assert_int_equal(pfifo_macro_words(pfifo_chip_by_name("GF100")), 1);
    assert_int_equal(pfifo_macro_words(pfifo_chip_by_name("GV100")), 1);
    assert_int_equal(pfifo_macro_words(pfifo_chip_by_name("TU102")), 3);
    assert_int_equal(pfifo_macro_words(NULL), 0);
    assert_int_equal(pfifo_macro_format(pfifo_chip_by_name("NV40"), 0, 0, words, text, sizeof text), 0);
    assert_string_equal(text, "");
}

static void text_that_does_not_fit_is_cut_and_counted(void **state) {
    const uint32_t word = ADDI(MOV, 1, 2, 5);
    char text[8];
    (void)state;
    assert_int_equal(pfifo_macro_format(pfifo_chip_by_name("GF100"), 0, 0, &word, text, sizeof text), 13);
    assert_string_equal(text, "r1 = r2");
    assert_int_equal(pfifo_macro_format(pfifo_chip_by_name("GF100"), 0, 0, &word, NULL, 0), 13);
}

/* Whatever the words are, the text has the length that is promised. */
static void any_words_have_a_text(void **state) {
    static const char *const chips[] = {"GF100", "TU102"};
    struct choice c = choice_from_seed(0x3a0);
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        const uint32_t words[3] = {choice_word(&c), choice_word(&c), choice_word(&c)};
        size_t length =
            pfifo_macro_format(pfifo_chip_by_name(chips[i & 1]), i & 2 ? 0xc597 : 0, choice_word(&c), words, NULL, 0);
        assert_in_range(length, 3, 511);
    }
}

/* ---- listings ---- */

struct text {
    size_t used;
    char bytes[16384];
};

static bool append(void *opaque, const char *bytes, size_t count) {
    struct text *text = opaque;
    assert_true(text->used + count < sizeof text->bytes);
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = 0;
    return true;
}

static enum pfifo_status list(const char *chip, const char *source, struct text *out, struct pfifo_error *error) {
    struct pfifo_decode_options options = {.chip = pfifo_chip_by_name(chip), .format = PFIFO_DECODE_MACROS};
    uint32_t words[64];
    size_t count;
    *out = (struct text){0};
    assert_int_equal(pfifo_assemble(options.chip, source, words, 64, &count, NULL), PFIFO_OK);
    return pfifo_decode_raw(words, 4 * count, &options, append, out, error);
}

static void a_listing_has_every_macro_at_its_place(void **state) {
    struct text out;
    (void)state;
    assert_int_equal(list("GF100",
                          "inc 0 0 0x9097\n"
                          "once 0 0x114 4 0x11 0x00000301 0x91\n"     /* words 4 .. 6 */
                          "once 0 0x11c 2 5 4\n"                      /* macros 2 and 3 */
                          "once 0 0x11c 9 0x700\n"                    /* one without code */
                          "once 0 0x114 0x10 7\n"                     /* code of no macro's own */
                          "inc 1 0 0xb5\nonce 1 0x114 0 0x11 0x11\n", /* not a class with macros */
                          &out, NULL),
                     PFIFO_OK);
    assert_string_equal(out.bytes, "channel 0: macros of 9097 FERMI_A\n"
                                   "macro 03 at 004\n"
                                   "  004 00000011  nop\n"
                                   "macro 02 at 005\n"
                                   "  005 00000301  r3 = parameter\n"
                                   "  006 00000091  nop; exit\n"
                                   "  010 00000007  goto 010\n"
                                   "macro 09 at 700: nothing was uploaded there\n");
}

static void groups_are_three_words(void **state) {
    static const struct group group = {.end = 1, .predicate = ZERO, .alu = {{ADD, 1, 2, 3, 0}, NO_ALU}};
    char source[128], expected[256];
    uint32_t w[3];
    struct text out;
    (void)state;
    encode(&group, w);
    snprintf(source, sizeof source, "inc 0 0 0xc597\nonce 0 0x114 3 0x%x 0x%x 0x%x 0\nonce 0 0x11c 0 3\n", w[0], w[1],
             w[2]);
    snprintf(expected, sizeof expected,
             "channel 0: macros of c597 TURING_A\n"
             "macro 00 at 003\n"
             "  003 %08x %08x %08x  r1 = r2 + r3; exit\n"
             "  006 00000000                    incomplete\n",
             w[0], w[1], w[2]);
    assert_int_equal(list("TU102", source, &out, NULL), PFIFO_OK);
    assert_string_equal(out.bytes, expected);
}

static void pointers_wrap_and_later_words_win(void **state) {
    struct text out;
    (void)state;
    assert_int_equal(
        list("GF100", "inc 0 0 0x9097\nonce 0 0x114 0x7ff 0x11 0x11\nonce 0 0x114 0x7ff 0x91\n", &out, NULL), PFIFO_OK);
    assert_string_equal(out.bytes, "channel 0: macros of 9097 FERMI_A\n"
                                   "  000 00000011  nop\n"
                                   "  7ff 00000091  nop; exit\n");
}

static void a_chip_without_macros_is_an_error(void **state) {
    struct pfifo_error error = {0};
    struct text out;
    (void)state;
    assert_int_equal(list("NV40", "nop\n", &out, &error), PFIFO_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "NV40 has no macros");
    assert_int_equal(out.used, 0);
}

static bool count_lines(void *opaque, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        *(unsigned *)opaque += bytes[i] == '\n';
    return true;
}

static void upload_word(struct macros *macros, uint32_t channel) {
    macros_event(
        macros,
        &(struct pfifo_decode_event){
            .kind = PFIFO_DECODE_METHOD, .channel = channel, .bound_class = 0x9097, .method = 0x118, .data = 0x11});
}

static void words_that_a_mask_keeps_from_the_gpu_are_not_uploaded(void **state) {
    struct macros macros = {.chip = pfifo_chip_by_name("GF100")};
    struct pfifo_decode_event event = {
        .kind = PFIFO_DECODE_METHOD, .discarded = true, .bound_class = 0x9097, .method = 0x118, .data = 0x11};
    (void)state;
    macros_event(&macros, &event);
    assert_int_equal(macros.count, 0);
}

static void channels_have_macros_of_their_own(void **state) {
    struct output *out = calloc(1, sizeof *out);
    struct macros macros = {.chip = pfifo_chip_by_name("GF100")};
    unsigned lines = 0;
    (void)state;
    *out = (struct output){.write = count_lines, .opaque = &lines};
    for (uint32_t i = 0; i < MACROS_CHANNELS; i++)
        upload_word(&macros, 100 - i);
    upload_word(&macros, 7); /* one too many */
    macros_end(&macros, 100, out);
    macros_end(&macros, 100, out);
    output_flush(out);
    assert_int_equal(lines, 2);
    upload_word(&macros, 7);
    macros_end_all(&macros, out);
    output_flush(out);
    assert_int_equal(lines, 2 * (MACROS_CHANNELS + 1) + 1);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_the_alu_are_operators),
        cmocka_unit_test(sums_with_constants_are_short),
        cmocka_unit_test(bit_fields_are_shifts_and_masks),
        cmocka_unit_test(results_and_parameters_go_where_the_operation_says),
        cmocka_unit_test(state_is_addressed_by_method),
        cmocka_unit_test(branches_name_where_they_go),
        cmocka_unit_test(methods_have_their_names),
        cmocka_unit_test(operations_of_the_alus_are_operators),
        cmocka_unit_test(the_second_alu_may_go_on_where_the_first_one_ends),
        cmocka_unit_test(operands_are_registers_constants_and_parameters),
        cmocka_unit_test(jumps_count_groups),
        cmocka_unit_test(outputs_set_the_method_and_send),
        cmocka_unit_test(predicates_say_when_a_part_runs),
        cmocka_unit_test(only_chips_with_a_macro_processor_have_macros),
        cmocka_unit_test(text_that_does_not_fit_is_cut_and_counted),
        cmocka_unit_test(any_words_have_a_text),
        cmocka_unit_test(a_listing_has_every_macro_at_its_place),
        cmocka_unit_test(groups_are_three_words),
        cmocka_unit_test(pointers_wrap_and_later_words_win),
        cmocka_unit_test(a_chip_without_macros_is_an_error),
        cmocka_unit_test(words_that_a_mask_keeps_from_the_gpu_are_not_uploaded),
        cmocka_unit_test(channels_have_macros_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
