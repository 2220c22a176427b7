/* SPDX-License-Identifier: MIT */
/* Words of code in texts: listings, dumps of Mesa, logs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cubin/listed.h"

static struct listed listed;

static void expect_listed(const char *text, const char *chip, const char *expected) {
    list(&listed, text, strlen(text), &(struct pfifo_disasm_options){.chip = pfifo_chip_by_name(chip), .name = "it"});
    if (listed.status != PFIFO_OK)
        fail_msg("%s", listed.error.message);
    assert_memory_equal(listed.text, "program text sm_0 ", 18);
    assert_string_equal(strchr(listed.text, '\n') + 1, expected);
}

static void a_listing_of_nvdisasm_has_its_words_and_functions(void **state) {
    (void)state;
    expect_listed("\t\tFunction : one\n"
                  "\t.headerflags    @\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                  "                                         /* 0x001cfc00e22007f6 */\n"
                  "        /*0008*/       EXIT ;            /* 0xe30000000007000f */\n"
                  "        /*0010*/       BRA 0x10 ;        /* 0xe2400fffff87000f */\r\n"
                  "\t\t.....\n"
                  "\t\tFunction : two\n"
                  "                                         /* 0x001cfc00e22007f6 */\n"
                  "        /*0008*/       EXIT ;            /* 0xe30000000007000f */\n",
                  "GM204",
                  "function one\n0000 schedule\n0008 EXIT\n0010 BRA 0x10\n"
                  "function two\n0000 schedule\n0008 EXIT\n");
}

/* Lines that nvdisasm -c prints without control words say where they are. */
static void addresses_of_a_listing_are_kept(void **state) {
    (void)state;
    expect_listed(".text.k:\n /*0108*/ EXIT ; /* 0xe30000000007000f */\n /*0118*/ EXIT ; /* 0xe30000000007000f */\n",
                  "GM107", "function k\n0108 EXIT\nfunction k\n0118 EXIT\n");
}

static void words_of_16_digits_are_one_instruction_each(void **state) {
    (void)state;
    expect_listed("[ 12.3] code 0x001cfc00e22007f6 e30000000007000f, 0000000000000010: deadbeefdeadbeef00\n", "GM107",
                  "function -\n0000 schedule\n0008 EXIT\n");
    expect_listed("8000000000001de7\n", "GF100", "function -\n0000 EXIT\n");
}

static void dumps_of_nv50_ir_are_programs_by_the_line_before(void **state) {
    (void)state;
    expect_listed("MAIN:-1 ()\n  0: exit\nprogram binary (16 bytes)\n"
                  "e22007f6 001cfc00 0007000f e3000000 \n"
                  "something else\n"
                  "program binary (8 bytes)\n"
                  "e22007f6 001cfc00\n",
                  "GM107",
                  "function program binary (16 bytes)\n0000 schedule\n0008 EXIT\n"
                  "function program binary (8 bytes)\n0000 schedule\n");
}

static void headers_that_nak_prints_are_no_code(void **state) {
    (void)state;
    expect_listed(
        "Stage: MESA_SHADER_VERTEX\nHeader:\n  00020461 00000000 00000000 00000000\nEncoded shader:\n"
        "  e22007f6 001cfc00 0007000f e3000000\n",
        "GM107",
        "skipped Header: sm_0: it is a header of a program\nfunction Encoded shader:\n0000 schedule\n0008 EXIT\n");
}

static void short_instructions_of_fermi_are_of_one_word(void **state) {
    (void)state;
    expect_listed("program binary (12 bytes)\n00001c08 00001de7 80000000\n", "GF100",
                  "function program binary (12 bytes)\n0000 NOP_N\n0004 EXIT\n");
}

static void words_need_a_chip_and_texts_words(void **state) {
    (void)state;
    expect_refused("0xe30000000007000f\n", 19, PFIFO_ERROR_ARGUMENT, "it: words of code need --chip=CHIP");
    expect_refused("nothing here\n", 13, PFIFO_ERROR_FORMAT, "it: no ELF, no fatbin, and no text with words of code");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listing_of_nvdisasm_has_its_words_and_functions),
        cmocka_unit_test(addresses_of_a_listing_are_kept),
        cmocka_unit_test(words_of_16_digits_are_one_instruction_each),
        cmocka_unit_test(dumps_of_nv50_ir_are_programs_by_the_line_before),
        cmocka_unit_test(headers_that_nak_prints_are_no_code),
        cmocka_unit_test(short_instructions_of_fermi_are_of_one_word),
        cmocka_unit_test(words_need_a_chip_and_texts_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
