/* SPDX-License-Identifier: MIT */
/* `pfifo asm`: what a person asks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

static void expect_text(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("no '%s' in: %.2000s", part, text);
}

/* Over a word that is no command; then the only method. */
#define JUMP_OVER "jump over\nword c0000000\nover: inc 0 0x50 7\n"

/* `pfifo asm OPTIONS... -`, with `text` as standard input. */
#define asm_from(text, ...) tool_run_with(text, (const char *const[]){"asm", __VA_ARGS__, "-", NULL})

static void how_do_I_make_words_by_hand(void **state) {
    (void)state;
    struct outcome outcome = asm_from("inc 0 SET_OBJECT FERMI_A\n"
                                      "CLEAR_SURFACE { R_ENABLE=TRUE Z_ENABLE=TRUE } # red and depth\n",
                                      "--chip=GF100", "--hex");
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "20010000\n00009097\n20010674\n00000005\n");
    outcome_free(&outcome);
}

static void words_are_little_endian(void **state) {
    (void)state;
    struct outcome outcome = asm_from("word 01020304", "-c", "NV40");
    expect_status(0, &outcome);
    assert_int_equal(outcome.out_bytes, 4);
    assert_memory_equal(outcome.out, "\4\3\2\1", 4);
    outcome_free(&outcome);
}

/* It decodes and runs; packed, it is the same. */
static void words_become_a_capture(void **state) {
    static const char text[] = "inc 0 SET_OBJECT FERMI_A\nNO_OPERATION 7\n";
    static const char *const ends[] = {".nvcap", ".nvcap.gz", ".nvcap.xz"};
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char *path = temporary_path(ends[i]), option[600];
        snprintf(option, sizeof option, "--output=%s", path);
        struct outcome outcome = asm_from(text, "--chip=GF100", option);
        expect_status(0, &outcome);
        assert_string_equal(outcome.out, "");
        outcome_free(&outcome);
        outcome = tool_run("decode", path);
        expect_status(0, &outcome);
        expect_printed(&outcome, "segment 0000100000: 4 words");
        expect_printed(&outcome, "0000100004 00009097   0 9097 FERMI_A");
        outcome_free(&outcome);
        outcome = tool_run("run", "--trace=puller.method", path);
        expect_status(0, &outcome);
        expect_printed(&outcome, "NO_OPERATION");
        expect_printed(&outcome, "1 submission, 4 words");
        outcome_free(&outcome);
        remove(path);
        free(path);
    }
}

/* A jump over a word, from where the words lie; an object that words before GF100 bind. */
static void labels_and_objects_of_a_capture(void **state) {
    char *path = temporary_path(".nvcap"), option[600];
    (void)state;
    snprintf(option, sizeof option, "--output=%s", path);
    struct outcome outcome =
        asm_from("inc 0 0 0x77\njump over\nword c0000000\nover: nop\n", "--chip=NV40", option, "--object=0x77=NV40_3D");
    expect_status(0, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("run", "--trace=puller.bind", path);
    expect_status(0, &outcome);
    expect_printed(&outcome, "NV40_3D");
    outcome_free(&outcome);
    remove(path);
    free(path);
    outcome = asm_from("nop", "--chip=NV40", "--hex", "-o", "/tmp/a.nvcap");
    expect_status(2, &outcome);
    outcome_free(&outcome);
    outcome = asm_from("nop", "--chip=NV40", "-o", "/nowhere/a.nvcap");
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

/* The jump leads over a word that is no command, wherever asm, run and decode take the words to be. */
static void a_jump_to_a_label_runs_from_a_raw_file(void **state) {
    static const char *const bases[] = {NULL, "--base=0x2000"};
    (void)state;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        char *path = temporary_path(".bin"), option[600];
        const char *base = bases[i] ? bases[i] : path; /* then it is no option, but the file */
        snprintf(option, sizeof option, "--output=%s", path);
        struct outcome outcome =
            bases[i] ? asm_from(JUMP_OVER, "--chip=NV40", option, base) : asm_from(JUMP_OVER, "--chip=NV40", option);
        expect_status(0, &outcome);
        outcome_free(&outcome);
        outcome = tool_run("run", "--raw", "--chip=NV40", base, bases[i] ? path : NULL);
        expect_status(0, &outcome);
        expect_printed(&outcome, "1 method\n");
        outcome_free(&outcome);
        outcome = tool_run("decode", "--raw", "--chip=NV40", base, bases[i] ? path : NULL);
        expect_status(0, &outcome);
        expect_printed(&outcome, "1 word never reached");
        outcome_free(&outcome);
        remove(path);
        free(path);
    }
}

/* A capture knows no memory at address 0. */
static void nothing_runs_in_the_first_page(void **state) {
    char *path = temporary_path(".nvcap"), option[600];
    (void)state;
    snprintf(option, sizeof option, "--output=%s", path);
    struct outcome outcome = asm_from(JUMP_OVER, "--chip=NV40", option, "--base=0");
    expect_status(2, &outcome);
    expect_text(outcome.err, "words cannot be run at 0x0: captures have no memory in the first page");
    outcome_free(&outcome);
    write_file(path, "\0\0\0\0", 4);
    outcome = tool_run("run", "--raw", "--chip=NV40", "--base=0xffc", path);
    expect_status(2, &outcome);
    expect_text(outcome.err, "words cannot be run at 0xffc: ");
    outcome_free(&outcome);
    outcome = tool_run("run", "--raw", "--chip=NV40", "--base=0x1000", path);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    /* Addresses of a dump that counts from its beginning. */
    write_file(path, "00000010: 00040050 00000007\n", 28);
    outcome = tool_run("run", "--chip=NV40", path);
    expect_status(0, &outcome);
    expect_printed(&outcome, "1 method\n");
    outcome_free(&outcome);
    remove(path);
    free(path);
}

static void where_labels_are_depends_on_the_base(void **state) {
    (void)state;
    struct outcome outcome = asm_from("nop\nhere: jump here", "--chip=NV40", "--hex", "--base=0x1000");
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "00000000\n00001005\n");
    outcome_free(&outcome);
    outcome = asm_from("nop", "--chip=NV40", "--hex", "--base=2");
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

/* It waits for what is in the buffer, and writes after it. */
static void a_buffer_of_a_capture_has_its_words(void **state) {
    char *path = temporary_path(".nvcap"), *text = sample_path("../texts/wait.s"), option[600];
    (void)state;
    snprintf(option, sizeof option, "--output=%s", path);
    struct outcome outcome = tool_run("asm", "--chip=GF100", option, text);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("run", path);
    expect_status(0, &outcome);
    expect_printed(&outcome, "1 submission, 10 words, 8 methods");
    expect_printed(&outcome, "fences        1 written, 4 bytes");
    outcome_free(&outcome);
    outcome = asm_from("buffer a 4096\ndata 4\nendbuffer\ninc 0 .SEMAPHOREA @a.high @a 5 { OPERATION=ACQUIRE }",
                       "--chip=GF100", option);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("run", path);
    expect_status(1, &outcome);
    outcome_free(&outcome);
    outcome = asm_from("nop\nbuffer a 4096 0x100000\nendbuffer", "--chip=NV40", option);
    expect_status(2, &outcome);
    expect_text(outcome.err, "at 0x100000 there is something else\n");
    outcome_free(&outcome);
    outcome = tool_run("asm", "--chip=GF100", "--hex", text);
    expect_status(2, &outcome);
    expect_text(outcome.err, "wait.s:3:1: only a capture has buffers beside the words: 'buffer'\n");
    outcome_free(&outcome);
    remove(path);
    free(path);
    free(text);
}

/* More words than the text has bytes. */
static void a_macro_makes_many_words(void **state) {
    (void)state;
    struct outcome outcome = asm_from("macro a\ndata 1 2 3 4 5 6 7 8 9\nendmacro\nmacro b\na\na\na\na\na\na\nendmacro\n"
                                      "macro c\nb\nb\nb\nb\nb\nb\nendmacro\nc\nc\nc\nc\n",
                                      "--chip=NV40");
    expect_status(0, &outcome);
    assert_int_equal(outcome.out_bytes, 4 * 9 * 6 * 6 * 4);
    assert_memory_equal(outcome.out + outcome.out_bytes - 8, "\10\0\0\0\11\0\0\0", 8);
    outcome_free(&outcome);
}

static void methods_of_what_is_bound_already(void **state) {
    (void)state;
    struct outcome outcome = asm_from("SCISSOR_HORIZ { X=1 W=2 }", "--chip=NV40", "--hex", "--bind=7=NV40_3D");
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "0004e8c0\n00020001\n");
    outcome_free(&outcome);
}

/* Raw words to text, through a file, and back. */
static void text_of_decode_goes_back_to_the_same_words(void **state) {
    static const unsigned char words[] = {0x40, 0x20, 0x04, 0x00, 1, 0, 0, 0, 3, 0, 3, 0xc0, 7, 0, 0, 0};
    char *raw = temporary_path(".bin"), *text = temporary_path(".txt"), *back = temporary_path(".out");
    char output[1024];
    unsigned char found[sizeof words + 1];
    FILE *file;

    (void)state;
    write_file(raw, words, sizeof words);
    write_file(text, "", 0);
    struct outcome outcome =
        tool_run_to(text, (const char *const[]){"decode", "--raw", "--chip=NV40", "--base=0x2000", raw, NULL});
    outcome_free(&outcome);
    snprintf(output, sizeof output, "--output=%s", back);
    outcome = tool_run("asm", "--chip=NV40", output, text);
    expect_status(0, &outcome);
    assert_int_equal(outcome.out_bytes, 0);
    outcome_free(&outcome);
    file = fopen(back, "rb");
    assert_non_null(file);
    assert_int_equal(fread(found, 1, sizeof found, file), sizeof words);
    fclose(file);
    assert_memory_equal(found, words, sizeof words);
    remove(raw);
    remove(text);
    remove(back);
    free(raw);
    free(text);
    free(back);
}

static void lines_that_grep_found_need_in_order(void **state) {
    char *clear = sample_path("nv40-clear.nvcap.xz");
    (void)state;
    struct outcome lines = tool_run("grep", "CLEAR_*", clear);
    expect_status(0, &lines);
    struct outcome outcome = asm_from(lines.out, "--chip=NV40", "--hex");
    expect_status(2, &outcome);
    expect_text(outcome.err, "are missing");
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    outcome = asm_from(lines.out, "--chip=NV40", "--hex", "--in-order");
    expect_status(0, &outcome);
    expect_text(outcome.out, "ff4080bf\n000000f0\n");
    outcome_free(&outcome);
    outcome_free(&lines);
    free(clear);
}

static void all_of_my_mistakes_in_their_order(void **state) {
    char *path = temporary_path(".s"), expected[4000], text[300] = "";
    (void)state;
    write_file(path, "jump over\nword xyz\ninc 8 0x100\n", 31);
    struct outcome outcome = tool_run("asm", "--chip=NV40", "-X", path);
    expect_status(2, &outcome);
    snprintf(expected, sizeof expected,
             "pfifo: %s:1:6: there is no label 'over'\npfifo: %s:2:6: no hexadecimal word: 'xyz'\n"
             "pfifo: %s:3:5: no subchannel: '8'\n",
             path, path, path);
    assert_string_equal(outcome.err, expected);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    for (unsigned i = 0; i < 30; i++)
        memcpy(text + i * strlen("return 1\n"), "return 1\n", sizeof "return 1\n");
    write_file(path, text, strlen(text));
    outcome = tool_run("asm", "--chip=NV40", "-X", path);
    expect_status(2, &outcome);
    expect_text(outcome.err, ":20:8: too much: '1'\n");
    expect_text(outcome.err, ": 20 errors: what follows was not looked at\n");
    assert_null(strstr(outcome.err, ":21:"));
    outcome_free(&outcome);
    remove(path);
    free(path);
}

/* Words are made all the same, as another channel may have them; a capture is run by rings and calls. */
static void a_command_that_faults_is_told(void **state) {
    char *path = temporary_path(".nvcap"), option[600];
    (void)state;
    snprintf(option, sizeof option, "--output=%s", path);
    struct outcome outcome = asm_from("nop\njump 4\n", "--chip=G80", "--hex");
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "00000000\n00000005\n");
    expect_text(outcome.err, "pfifo: stdin:2:1: warning: 'jump' on G80 is for channels without a ring");
    outcome_free(&outcome);
    outcome = asm_from("nop\njump 4\n", "--chip=G80", option);
    expect_status(2, &outcome);
    expect_text(outcome.err, "pfifo: stdin:2:1: 'jump' on G80 is for channels without a ring");
    outcome_free(&outcome);
    remove(path);
    free(path);
}

static void where_is_my_mistake(void **state) {
    char *path = temporary_path(".txt"), message[1200];
    (void)state;
    write_file(path, "nop\ninc 0 0x100 1 2x\n", 21);
    struct outcome outcome = tool_run("asm", "--chip=NV40", path);
    expect_status(2, &outcome);
    snprintf(message, sizeof message, "pfifo: %s:2:15: no data: '2x'\n", path);
    assert_string_equal(outcome.err, message);
    assert_int_equal(outcome.out_bytes, 0);
    outcome_free(&outcome);
    outcome = tool_run("asm", "--chip=NV40", "/nowhere/at.all");
    expect_status(2, &outcome);
    expect_text(outcome.err, "/nowhere/at.all: cannot read");
    outcome_free(&outcome);
    outcome = tool_run("asm", "--chip=NV40", "--output=/nowhere/at.all", "/dev/null");
    expect_status(2, &outcome);
    expect_text(outcome.err, "/nowhere/at.all: cannot write");
    outcome_free(&outcome);
    outcome = tool_run("asm", path);
    expect_status(2, &outcome);
    expect_text(outcome.err, "--chip is missing");
    outcome_free(&outcome);
    outcome = tool_run("asm", "--chip=NV40", path, path);
    expect_status(2, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("asm", "--chip=NV1", "/dev/null");
    expect_status(2, &outcome);
    expect_text(outcome.err, "NV1 has no pushbuffers");
    outcome_free(&outcome);
    remove(path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_do_I_make_words_by_hand),
        cmocka_unit_test(words_are_little_endian),
        cmocka_unit_test(words_become_a_capture),
        cmocka_unit_test(labels_and_objects_of_a_capture),
        cmocka_unit_test(a_jump_to_a_label_runs_from_a_raw_file),
        cmocka_unit_test(nothing_runs_in_the_first_page),
        cmocka_unit_test(where_labels_are_depends_on_the_base),
        cmocka_unit_test(a_buffer_of_a_capture_has_its_words),
        cmocka_unit_test(a_macro_makes_many_words),
        cmocka_unit_test(methods_of_what_is_bound_already),
        cmocka_unit_test(text_of_decode_goes_back_to_the_same_words),
        cmocka_unit_test(lines_that_grep_found_need_in_order),
        cmocka_unit_test(all_of_my_mistakes_in_their_order),
        cmocka_unit_test(a_command_that_faults_is_told),
        cmocka_unit_test(where_is_my_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
