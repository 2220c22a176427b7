/* SPDX-License-Identifier: MIT */
/* The command line: usage, help, lists, output that cannot be written, input that is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pfifo/chip.h>

#include "rounds.h"
#include "tool/tool.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static void wrong_usage_is_told_on_standard_error(void **state) {
    static const char *const lines[][6] = {
        {NULL},
        {"bogus"},
        {"--bogus"},
        {"run"},
        {"run", "--bogus", "x"},
        {"run", "--budget", "x", "file"},
        {"run", "--budget", "0", "file"},
        {"run", "--budget", "18446744073709551616", "file"},
        {"run", "--budget", "-1", "file"},
        {"run", "--chip", "bogus", "file"},
        {"run", "--digest", "--json", "file"},
        {"run", "--digest", "--trace", "file"},
        {"run", "--output", "x", "file"},
        {"decode"},
        {"decode", "--raw", "file"},
        {"decode", "--base", "0", "file"},
        {"decode", "--ib", "file"},
        {"decode", "--json", "--digest", "file"},
        {"decode", "--macros", "--json", "file"},
        {"decode", "--macros", "--shaders", "file"},
        {"decode", "--raw", "--chip", "bogus", "file"},
        {"decode", "--raw", "--chip=NV40", "--base=0x", "file"},
        {"decode", "--raw", "--chip=NV40", "--base=0x1001", "file"},
        {"decode", "--object", "1=4097", "file"},
        {"decode", "--raw", "--chip=NV40", "--object=1", "file"},
        {"decode", "--raw", "--chip=NV40", "--object=x=4097", "file"},
        {"decode", "--raw", "--chip=NV40", "--object=1=bogus", "file"},
        {"decode", "--raw", "--chip=NV40", "--object=0x100000000=4097", "file"},
        {"decode", "--bind=8=4097", "file"},
        {"decode", "--bind=0=", "file"},
        {"events", "argument"},
        {"chips", "--bogus"},
        {"chips", "argument"},
        {"info"},
        {"info", "bogus"},
        {"info", "NV40", "NV41"},
        {"regs"},
        {"regs", "bogus"},
        {"regs", "NV40", "PMC.*", "PFIFO.*"},
        {"shell", "--chip=bogus"},
        {"shell", "one", "two"},
    };
    (void)state;
    unsetenv("PFIFO_TRACE");
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct outcome outcome = tool_run_to(NULL, lines[i]);
        expect_status(2, &outcome);
        assert_string_equal(outcome.out, "");
        assert_ptr_equal(strstr(outcome.err, "pfifo"), outcome.err);
        assert_non_null(strstr(outcome.err, "\nTry "));
        outcome_free(&outcome);
    }
    struct outcome outcome = tool_run("help", "bogus");
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

static void help_lists_all_commands_and_each_has_its_own(void **state) {
    static const char *const commands[] = {"run", "decode", "chips", "info", "events", "regs", "shell"};
    (void)state;
    struct outcome help = tool_run("--help"), same = tool_run("help");
    expect_status(0, &help);
    expect_status(0, &same);
    assert_string_equal(help.out, same.out);
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        char title[32];
        snprintf(title, sizeof title, "\n  %s ", commands[i]);
        assert_non_null(strstr(help.out, title));
        snprintf(title, sizeof title, "Usage: pfifo %s", commands[i]);
        struct outcome one = tool_run(commands[i], "--help"), other = tool_run("help", commands[i]);
        expect_status(0, &one);
        assert_ptr_equal(strstr(one.out, title), one.out);
        assert_string_equal(one.out, other.out);
        outcome_free(&one);
        outcome_free(&other);
    }
    outcome_free(&help);
    outcome_free(&same);
}

static void version_is_the_same_by_word_and_by_option(void **state) {
    (void)state;
    struct outcome word = tool_run("version"), option = tool_run("--version");
    expect_status(0, &word);
    expect_status(0, &option);
    assert_string_equal(word.out, option.out);
    assert_ptr_equal(strstr(word.out, "pfifo 0."), word.out);
    outcome_free(&word);
    outcome_free(&option);
}

static size_t count_lines(const char *text) {
    size_t lines = 0;

    for (; (text = strchr(text, '\n')); text++)
        lines++;
    return lines;
}

static void chips_has_a_line_for_every_chip(void **state) {
    (void)state;
    struct outcome text = tool_run("chips"), json = tool_run("chips", "--json");
    expect_status(0, &text);
    expect_status(0, &json);
    assert_int_equal(count_lines(text.out), pfifo_chip_count() + 1);
    assert_int_equal(count_lines(json.out), pfifo_chip_count());
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct pfifo_chip_info chip = pfifo_chip_info(pfifo_chip_at(i));
        char start[64];
        snprintf(start, sizeof start, "\n%s ", chip.name);
        assert_non_null(strstr(text.out, start));
        snprintf(start, sizeof start, "{\"name\":\"%s\",\"id\":%u,", chip.name, chip.id);
        assert_non_null(strstr(json.out, start));
    }
    assert_non_null(strstr(text.out, "\nGT215     0xa3  Tesla           128    512      -  0x826f  yes\n"));
    outcome_free(&text);
    outcome_free(&json);
}

static void info_knows_every_chip(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i += rounds_step()) {
        struct pfifo_chip_info chip = pfifo_chip_info(pfifo_chip_at(i));
        struct outcome text = tool_run("info", chip.name), json = tool_run("info", "--json", chip.name);
        char start[64];
        expect_status(0, &text);
        expect_status(0, &json);
        snprintf(start, sizeof start, "%s: %s, chipset 0x%x", chip.name, chip.generation, chip.id);
        assert_ptr_equal(strstr(text.out, start), text.out);
        assert_non_null(strstr(text.out, "\nengines\n"));
        snprintf(start, sizeof start, "\n  BAR1 bytes           %" PRIu64 "\n", chip.bar1_bytes);
        assert_true(!chip.bar1_bytes || strstr(text.out, start));
        snprintf(start, sizeof start, "{\"name\":\"%s\"", chip.name);
        assert_ptr_equal(strstr(json.out, start), json.out);
        assert_int_equal(count_lines(json.out), 1);
        outcome_free(&text);
        outcome_free(&json);
    }
}

static void info_takes_a_chip_by_name_or_number(void **state) {
    static const char *const names[] = {"gt215", "a3", "0xa3", "nvA3"};
    (void)state;
    struct outcome want = tool_run("info", "GT215");
    expect_status(0, &want);
    assert_non_null(strstr(want.out, "\n  1  PGRAPH    base 0x400000, line 12, enable 12"));
    assert_non_null(strstr(want.out, "GT215_3D"));
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct outcome outcome = tool_run("info", names[i]);
        assert_string_equal(outcome.out, want.out);
        outcome_free(&outcome);
    }
    outcome_free(&want);
}

/* Lines that info prints for a chip, and lines that would be false for it. */
static void info_says_what_is_true_for_the_chip(void **state) {
    static const struct {
        const char *chip, *has[8], *lacks[4];
    } rows[] = {
        {"NV40",
         {"semaphore methods 0x60 to 0x6c", "methods in CACHE1", "pushbuffers in VRAM", "SLI conditionals",
          "\n  0x4097 NV40_3D\n", "\n  0x0062 NV10_SURFACE_2D\n", "\n  0x3089 NV40_SIFM\n", "\n  0x0065 NV5_IFC\n"},
         {"0x4497", "NV41_VP1", "NV3_OP_SRCCOPY", "NV30_LIN"}},
        {"C51", {"0x4497 NV44_3D", "NV41_VP1", "NV31_MPEG"}, {"0x4097", "NV40_ME"}},
        {"NV10", {"NV3_D3D", "0x0065 NV5_IFC"}, {"NV20_SURFACE_SWZ", "SLI", "0x60"}},
        {"MCP89", {"flush methods 0x28"}, {"0x64 to"}},
        {"GF100", {"semaphore methods 0x64 to 0x6c", "subdevice masks"}, {"0x60", "CACHE1", "SLI", "GF108_3D"}},
        {"GM20B", {"syncpoints"}, {"pushbuffers in VRAM", "CACHE1", "0x60"}},
        {"TU102", {"0xc4b0"}, {"semaphore methods 0x6"}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct outcome info = tool_run("info", rows[i].chip);
        expect_status(0, &info);
        for (size_t k = 0; k < COUNT_OF(rows[i].has) && rows[i].has[k]; k++)
            if (!strstr(info.out, rows[i].has[k]))
                fail_msg("no '%s' in: %s", rows[i].has[k], info.out);
        for (size_t k = 0; k < COUNT_OF(rows[i].lacks) && rows[i].lacks[k]; k++)
            if (strstr(info.out, rows[i].lacks[k]))
                fail_msg("'%s' in: %s", rows[i].lacks[k], info.out);
        outcome_free(&info);
    }
    struct outcome json = tool_run("info", "--json", "GM20B");
    assert_null(strstr(json.out, "vram_pushbuffer"));
    assert_null(strstr(json.out, "switch_any_time"));
    outcome_free(&json);
    json = tool_run("info", "--json", "GF100");
    const char *first = strstr(json.out, "\"old_semaphore\"");
    assert_non_null(first);
    assert_null(strstr(first + 1, "\"old_semaphore\""));
    outcome_free(&json);
}

static void an_input_called_dash_is_standard_input(void **state) {
    static const char *const decode[] = {"decode", "--digest", "-", NULL}, *const run[] = {"run", "--digest", "-",
                                                                                           NULL};
    (void)state;
    char *sample = sample_path("nv40-quad.nvcap.xz");
    struct outcome decoded = tool_run_from(sample, decode), replayed = tool_run_from(sample, run);
    struct outcome file = tool_run("decode", "--digest", sample);
    expect_status(0, &decoded);
    expect_status(0, &replayed);
    assert_ptr_equal(strstr(decoded.out, "stdin submissions=3 "), decoded.out);
    assert_string_equal(decoded.out, replayed.out);
    assert_string_equal(strchr(decoded.out, ' '), strchr(file.out, ' '));
    outcome_free(&decoded);
    outcome_free(&replayed);
    outcome_free(&file);
    decoded = tool_run_from("/dev/null", decode);
    expect_status(2, &decoded);
    outcome_free(&decoded);
    free(sample);
}

/* Both commands say the same about a capture that they cannot take. */
static void run_and_decode_word_an_error_alike(void **state) {
    static const char text[] = "NVPBCAP1";
    (void)state;
    char *path = temporary_path(".nvcap");
    write_file(path, text, sizeof text - 1);
    struct outcome run = tool_run("run", path), decode = tool_run("decode", path);
    assert_string_equal(run.err, decode.err);
    assert_non_null(strstr(run.err, "does not name its chipset"));
    outcome_free(&run);
    outcome_free(&decode);
    unlink(path);
    free(path);
}

static void output_that_cannot_be_written_is_an_error(void **state) {
    (void)state;
    char *sample = sample_path("nv40-quad.nvcap.xz");
    const char *const lines[][4] = {
        {"chips"},
        {"--help"},
        {"info", "NV40"},
        {"decode", sample},
        {"decode", "--digest", sample},
        {"run", "-s", sample},
        {"run", "--trace", sample},
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct outcome outcome = tool_run_to("/dev/full", lines[i]);
        expect_status(2, &outcome);
        assert_non_null(strstr(outcome.err, "cannot write to standard output: No space left on device\n"));
        outcome_free(&outcome);
    }
    struct outcome outcome = tool_run("run", "--trace", "--output=/dev/full", sample);
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "pfifo: /dev/full: cannot write: No space left on device\n"));
    outcome_free(&outcome);
    outcome = tool_run("run", "--trace", "--output=/no/such/folder", sample);
    expect_status(2, &outcome);
    outcome_free(&outcome);
    free(sample);
}

static void expect_unreadable(const char *path) {
    struct outcome run = tool_run("run", path), decode = tool_run("decode", path);
    expect_status(2, &run);
    expect_status(2, &decode);
    assert_ptr_equal(strstr(run.err, "pfifo: "), run.err);
    assert_ptr_equal(strstr(decode.err, "pfifo: "), decode.err);
    outcome_free(&run);
    outcome_free(&decode);
}

static void input_that_is_no_capture_is_told(void **state) {
    static const uint8_t magic[] = {'N', 'V', 'P', 'B', 'C', 'A', 'P', '1'};
    uint8_t noise[4096];
    uint32_t seed = 1;
    (void)state;
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
    char *path = temporary_path("");
    write_file(path, noise, sizeof noise);
    expect_unreadable(path);
    write_file(path, noise, 0);
    expect_unreadable(path);
    memcpy(noise, magic, sizeof magic);
    write_file(path, noise, sizeof noise);
    expect_unreadable(path);
    write_file(path, magic, sizeof magic);
    expect_unreadable(path); /* nothing says for which chip */
    unlink(path);
    expect_unreadable(path);
    expect_unreadable("/");
    free(path);
}

static void packed_captures_that_are_cut_are_told(void **state) {
    (void)state;
    char *sample = sample_path("nv40-clear.nvcap.xz"), *path = temporary_path(".xz");
    uint8_t bytes[16384];
    FILE *file = fopen(sample, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_in_range(size, 100, sizeof bytes - 1);
    for (size_t cut = 1; cut < size; cut += size / 16) {
        write_file(path, bytes, cut);
        expect_unreadable(path);
    }
    unlink(path);
    free(path);
    free(sample);
}

/* A file that fails does not keep the others from being read, but the exit status tells of it. */
static void the_worst_of_several_files_is_the_exit_status(void **state) {
    (void)state;
    char *sample = sample_path("nv40-quad.nvcap.xz");
    struct outcome outcome = tool_run("decode", "--digest", sample, "/nonexistent", sample);
    expect_status(2, &outcome);
    assert_int_equal(count_lines(outcome.out), 2);
    outcome_free(&outcome);
    outcome = tool_run("run", "--digest", "/nonexistent", sample);
    expect_status(2, &outcome);
    assert_int_equal(count_lines(outcome.out), 1);
    outcome_free(&outcome);
    free(sample);
}

static void raw_words_are_decoded_for_a_chip(void **state) {
    static const uint8_t words[] = {0x00, 0x01, 0x04, 0x00, 0x78, 0x56, 0x34, 0x12};
    (void)state;
    char *path = temporary_path(".bin");
    write_file(path, words, sizeof words);
    struct outcome outcome = tool_run("decode", "--raw", "--chip=NV40", "--base=0x1000", path);
    expect_status(0, &outcome);
    assert_non_null(strstr(outcome.out, "1000 00040100 increasing"));
    assert_non_null(strstr(outcome.out, "12345678"));
    outcome_free(&outcome);
    outcome = tool_run("decode", "--raw", "--chip=NV40", "--digest", path);
    expect_status(0, &outcome);
    assert_ptr_equal(strstr(outcome.out, strrchr(path, '/') + 1), outcome.out);
    assert_non_null(strstr(outcome.out, " words=2 methods=1 sha256="));
    outcome_free(&outcome);
    unlink(path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_usage_is_told_on_standard_error),
        cmocka_unit_test(help_lists_all_commands_and_each_has_its_own),
        cmocka_unit_test(version_is_the_same_by_word_and_by_option),
        cmocka_unit_test(chips_has_a_line_for_every_chip),
        cmocka_unit_test(info_knows_every_chip),
        cmocka_unit_test(info_takes_a_chip_by_name_or_number),
        cmocka_unit_test(info_says_what_is_true_for_the_chip),
        cmocka_unit_test(an_input_called_dash_is_standard_input),
        cmocka_unit_test(run_and_decode_word_an_error_alike),
        cmocka_unit_test(output_that_cannot_be_written_is_an_error),
        cmocka_unit_test(input_that_is_no_capture_is_told),
        cmocka_unit_test(packed_captures_that_are_cut_are_told),
        cmocka_unit_test(the_worst_of_several_files_is_the_exit_status),
        cmocka_unit_test(raw_words_are_decoded_for_a_chip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
