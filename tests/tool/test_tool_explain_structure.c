/* SPDX-License-Identifier: MIT */
/* `pfifo explain` of structures in memory: a test for each question that a person has about words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/json.h"
#include "tool/tool.h"

static void expect_in(const char *where, const char *text) {
    if (!strstr(where, text))
        fail_msg("no '%s' in: %.3000s", text, where);
}

#define ASK(status, text, ...) ask(status, text, NULL, (const char *const[]){"explain", __VA_ARGS__, NULL})

/* The text is in what is printed; of a refusal, in the message. */
static void ask(int status, const char *text, const char *input, const char *const *arguments) {
    struct outcome outcome = input ? tool_run_with(input, arguments) : tool_run_to(NULL, arguments);

    expect_status(status, &outcome);
    expect_in(status ? outcome.err : outcome.out, text);
    outcome_free(&outcome);
}

static void what_is_this_entry_of_a_ring(void **state) {
    (void)state;
    static const char *const forms[] = {"0x0000120200010000", "0000120200010000", "gpfifo:0x120200010000",
                                        "gpfifo:00010000,00001202", "gpfifo:0x10000 0x1202"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        ASK(0,
            "GPFIFO entry 0x0000120200010000 of GA102: segment of the pushbuffer\n"
            "  address    0x0200010000\n"
            "  words      4\n"
            "  level      subroutine: TOP_LEVEL_GET stays where it is\n"
            "  fields     FETCH bit 0: 0 UNCONDITIONAL\n",
            "--chip=GA102", forms[i]);
    ASK(0, "GPFIFO entry 0x0000120200010000 of GA102: segment", "--chip=GA102", "--as=gpfifo", "00010000", "00001202");
    ASK(0, "control entry: its length is 0\n  does       PB_CRC", "--chip=GF100", "gpfifo:0x300000000");
}

/* It may be an entry of a page table as well. */
static void a_guess_comes_with_the_other_readings(void **state) {
    (void)state;
    struct outcome outcome = tool_run("explain", "--chip=GA102", "0x0600000001234501");

    expect_status(0, &outcome);
    expect_in(outcome.out, "GPFIFO entry 0x0600000001234501 of GA102: ");
    expect_in(outcome.out, "page table entry (PTE) 0x0600000001234501 of GA102: entry of a page table, version 2\n"
                           "  means      a page in VRAM\n"
                           "  address    0x12345000\n");
    expect_in(outcome.out, "page directory entry (PDE) 0x0600000001234501 of GA102: ");
    outcome_free(&outcome);
    ASK(2, "NV40 has nothing called '0x0600000001234501'", "--chip=NV40", "0x0600000001234501");
    ASK(2, "with --chip=CHIP it may be an entry of a ring or of a page table", "0x0600000001234501");
}

static void several_entries_are_read_one_after_the_other(void **state) {
    (void)state;
    struct outcome outcome =
        tool_run("explain", "--chip=GA102", "--as=gpfifo", "0x0000100200010000", "0x0000200200020000", "0x0");

    expect_status(2, &outcome);
    expect_in(outcome.out, "  words      4\n");
    expect_in(outcome.out, "  words      8\n");
    expect_in(outcome.err, "a GPFIFO entry of GA102 has 2 words, and there is 1");
    outcome_free(&outcome);
}

static void what_is_wrong_with_this_qmd(void **state) {
    char text[64 * 9 + 1] = "";

    (void)state;
    for (unsigned i = 0; i < 64; i++)
        snprintf(text + strlen(text), 10, "%08x%c",
                 i == 12   ? 0x20u
                 : i == 18 ? 0x00400024u
                           : 0u,
                 i % 4 == 3 ? '\n' : ' ');
    const char *const arguments[] = {"explain", "--chip=GA102", "--as=qmd", "-", NULL};
    struct outcome outcome = tool_run_with(text, arguments);
    expect_status(0, &outcome);
    expect_in(outcome.out, "QMD of GA102: QMD 2.4 of AMPERE_COMPUTE_B\n");
    expect_in(outcome.out, "  grid       32x0x0 blocks of 64x0x0 threads\n");
    expect_in(outcome.out, "  odd        the grid has no blocks\n");
    expect_in(outcome.out, "             QMD_VERSION bits 579:576: 0x4\n");
    expect_in(outcome.out, "CONSTANT_BUFFER_VALID(0 to 7)");
    outcome_free(&outcome);
}

static void what_texture_is_this(void **state) {
    (void)state;
    ASK(0, "  texture    2D A8B8G8R8, block, 64x32x1, 1 layer, 1 level\n", "--chip=GM204",
        "tic:0x5a124908,0x25e4000,0x600001,0x0,0x80003f,0x1f,0x0,0x0");
    ASK(0, "sampler (TSC entry) of GF100: sampler\n  fields     ADDRESS_U bits 2:0: 1 MIRROR\n", "--chip=GF100",
        "tsc:0x1,0x0,0x0,0x0,0x0,0x0,0x0,0x0");
}

static void where_does_this_page_table_entry_lead(void **state) {
    (void)state;
    ASK(0, "  means      a table of big pages in VRAM\n  address    0x1000\n", "--chip=GA102",
        "pde0:0x0000000000000102,0x0,0x0");
    ASK(0, "  means      no page: accesses fault\n", "--chip=G80", "pte:0x0,0x0");
}

static void what_does_this_channel_keep(void **state) {
    (void)state;
    ASK(0,
        "RAMFC of NV40: registers of a channel that is not loaded (RAMFC)\n  fields     CACHE1_DMA_PUT bits 31:0: "
        "0x1000\n",
        "--chip=NV40", "--as=ramfc", "00001000", "00002000");
    ASK(0, "USERD of GK104: ", "--chip=GK104", "--as=userd", "00000000");
}

static void a_return_has_no_target(void **state) {
    (void)state;
    struct outcome outcome = tool_run("explain", "--chip=RSX", "0x20000", "0x20000100");

    expect_status(0, &outcome);
    expect_in(outcome.out, "form       return");
    assert_int_equal(strstr(outcome.out, "target") != NULL, 1); /* that of the jump */
    expect_in(strstr(outcome.out, "target"), "0x100\n");
    outcome_free(&outcome);
}

static void what_is_in_the_memory_of_this_capture(void **state) {
    char *sample = sample_path("nv117-quad.nvcap.xz");

    (void)state;
    ASK(0, "sampler (TSC entry) tsc:0 of GM107: sampler\n", sample, "tsc:0");
    ASK(0, "ADDRESS_U bits 2:0: 2 CLAMP_TO_EDGE\n", "--at=draw:0", sample, "tsc:0");
    ASK(0, "  texture    2D A8B8G8R8, block, 4x4x1, 1 layer, 1 level\n  address    0x1025e4000\n", sample, "tic:0");
    ASK(2, "nothing is mapped at 0x1", sample, "tic:0x1");
    ASK(2, "the pool ends with entry", sample, "tic:99999999");
    ASK(2, "no launch with a QMD was executed", sample, "qmd:last");
    ASK(2, "'x' is not a place in a capture: 0xADDRESS, buffer:HANDLE+OFFSET or last", sample, "qmd:x");
    ASK(2, "are not in a buffer 9999", sample, "pte:buffer:9999");
    ASK(2, "it is a capture: a structure in its memory is named after it", sample);
    ASK(2, "draw", "--at=draw:99", sample, "tic:0");
    free(sample);
}

/* What is in the memory after a structure is not another one that was asked for. */
static void expect_one(const char *path, const char *place, const char *begin) {
    struct outcome outcome = tool_run("explain", path, place);

    expect_status(0, &outcome);
    expect_in(outcome.out, begin);
    assert_null(strstr(strstr(outcome.out, begin) + 1, begin));
    outcome_free(&outcome);
}

/* Its machine is not built: what counts is what the records say, last. */
static void what_is_in_the_memory_of_an_amperes_capture(void **state) {
    static const char text[] = "buffer data 4096 0x200000\nword 00010000 00001202\nendbuffer\nnop\n";
    char *path = temporary_path(".nvcap");
    const char *const arguments[] = {"asm", "--chip=GA102", "-o", path, "-", NULL};
    struct outcome made = tool_run_with(text, arguments);

    (void)state;
    expect_status(0, &made);
    outcome_free(&made);
    ASK(0, "GPFIFO entry gpfifo:0x200000 of GA102: segment of the pushbuffer\n  address    0x0200010000\n", path,
        "gpfifo:0x200000");
    ASK(0, "GPFIFO entry gpfifo:buffer:2 of GA102: segment", path, "gpfifo:buffer:2");
    ASK(0, "QMD qmd:0x200000 of GA102: ", path, "qmd:0x200000");
    expect_one(path, "gpfifo:0x200000", "GPFIFO entry");
    expect_one(path, "qmd:0x200000", "QMD qmd:");
    ASK(2, "the capture does not have what was in buffer 2 at 0x1000", path, "gpfifo:0x200ffc");
    ASK(2, "no buffer of the capture was at 0x300000", path, "gpfifo:0x300000");
    ASK(2, "the machine of GA102 is not built: give 0xADDRESS", path, "qmd:last");
    ASK(2, "only what the records say at the end", "--at=draw:1", path, "gpfifo:0x200000");
    remove(path);
    free(path);
}

/* A GF100 has none, whatever its memory has. */
static void a_capture_of_a_chip_without_the_structure_is_refused(void **state) {
    char *sample = sample_path("nvc0-clear.nvcap.xz");

    (void)state;
    ASK(2, "GF100 has no QMD", sample, "qmd:0x1000");
    free(sample);
}

static void words_are_read_from_files_and_dumps(void **state) {
    static const char *const texts[] = {
        "00010000 00001202\n", "0x0000120200010000\n", "0x00200000: 00010000 00001202\n",
        "00000000: 00 00 01 00 02 12 00 00                          ........\n", /* as xxd -g1 has it */
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ask(0, "GPFIFO entry 0x0000120200010000 of GA102", texts[i],
            (const char *const[]){"explain", "--chip=GA102", "--as=gpfifo", "-", NULL});
}

static void what_are_no_words_is_refused(void **state) {
    char many[5000 * 9 + 1] = "";

    (void)state;
    ASK(2, "'xyz' is not a word: 8 or 16 hexadecimal digits, or fewer with 0x", "--chip=GA102", "--as=gpfifo", "xyz");
    ASK(2, "'123' is not a word", "--chip=GA102", "gpfifo:123");
    ASK(2, "there are no words", "--chip=GA102", "gpfifo:");
    ASK(2, "--chip=CHIP says whose structure it is", "gpfifo:0x1");
    ASK(2, "--as needs the chip", "--as=gpfifo", "0x1");
    ASK(2, "--as is gpfifo, qmd, tic, tsc, pte, pde, pde0, userd or ramfc, not 'foo'", "--chip=GA102", "--as=foo",
        "0x1");
    ASK(2, "NV40 has no QMD", "--chip=NV40", "--as=qmd", "00000000");
    for (size_t i = 0; i < 5000; i++)
        memcpy(many + 9 * i, "00000000 ", 10);
    ask(2, "there are more than 4096 words", many,
        (const char *const[]){"explain", "--chip=GA102", "--as=gpfifo", "-", NULL});
}

static void json_has_fields_as_objects(void **state) {
    (void)state;
    struct outcome outcome = tool_run("explain", "--json", "--chip=GA102", "gpfifo:0x0000120200010000");
    struct json *line = json_parse(outcome.out, strcspn(outcome.out, "\n"));

    expect_status(0, &outcome);
    assert_non_null(line);
    json_free(line);
    expect_in(outcome.out, "\"is\":\"gpfifo\"");
    expect_in(outcome.out, "{\"name\":\"words\",\"text\":\"4\",\"value\":4}");
    expect_in(outcome.out, "{\"name\":\"LEVEL\",\"high\":41,\"low\":41,\"value\":1,\"text\":\"SUBROUTINE\"}");
    outcome_free(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_this_entry_of_a_ring),
        cmocka_unit_test(a_guess_comes_with_the_other_readings),
        cmocka_unit_test(several_entries_are_read_one_after_the_other),
        cmocka_unit_test(what_is_wrong_with_this_qmd),
        cmocka_unit_test(what_texture_is_this),
        cmocka_unit_test(where_does_this_page_table_entry_lead),
        cmocka_unit_test(what_does_this_channel_keep),
        cmocka_unit_test(a_return_has_no_target),
        cmocka_unit_test(what_is_in_the_memory_of_this_capture),
        cmocka_unit_test(what_is_in_the_memory_of_an_amperes_capture),
        cmocka_unit_test(a_capture_of_a_chip_without_the_structure_is_refused),
        cmocka_unit_test(words_are_read_from_files_and_dumps),
        cmocka_unit_test(what_are_no_words_is_refused),
        cmocka_unit_test(json_has_fields_as_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
