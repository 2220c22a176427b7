/* SPDX-License-Identifier: MIT */
/* pfifo disasm, and what other commands say of compiled programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tool/json.h"
#include "tool/tool.h"

static char *cubin_path(const char *name) {
    const char *samples = getenv("PFIFO_SAMPLES");
    assert_non_null(samples);
    size_t room = strlen(samples) + strlen(name) + 20;
    char *path = malloc(room);
    assert_non_null(path);
    snprintf(path, room, "%s/cubins/%s", samples, name);
    return path;
}

static void a_listing_has_the_columns_of_cuobjdump(void **state) {
    char *path = cubin_path("vadd.cubin");
    struct outcome outcome = tool_run("disasm", path);
    (void)state;
    expect_status(0, &outcome);
    expect_printed(&outcome, "// vadd.cubin: ELF64 for sm_52 at 0x0, e_flags 0x00340134, instructions of GM204\n");
    expect_printed(
        &outcome,
        "\n        Function : vadd\n        // kernel; registers 6; parameters 0x10 bytes at c[0x0][0x140]\n");
    expect_printed(&outcome,
                   "\n        /*0008*/                   MOV R1, c[0x0][0x20] ;                                /* "
                   "0x4c98078000870001 */\n");
    expect_printed(&outcome, "\n        /*0050*/               @P0 EXIT ;");
    expect_printed(&outcome, "//   c[0x0][0x0]  zeros, 0x150 bytes\n");
    expect_printed(&outcome, "//   c[0x3][0x0]  0x3f800000 0x40490fdb\n");
    outcome_free(&outcome);
    free(path);
}

static void a_listing_that_is_read_again_has_the_same_instructions(void **state) {
    char *path = cubin_path("vadd.cubin");
    struct outcome first = tool_run("disasm", path);
    (void)state;
    struct outcome again = tool_run_with(first.out, (const char *const[]){"disasm", "--chip=GM204", "-", NULL});
    expect_status(0, &again);
    assert_string_equal(strstr(again.out, "/*0008*/"), strstr(first.out, "/*0008*/"));
    outcome_free(&first);
    outcome_free(&again);
    free(path);
}

/* The sample with a relocation in the place of its constants. */
static void a_relocation_has_a_line_below_its_instruction(void **state) {
    enum { ROOM = 4096, CONSTANTS = 5, SECTIONS = 8 };
    static const char name[] = ".rel.text.vadd", old[] = ".nv.constant0.vadd";
    char *path = temporary_path(".cubin"), *sample = cubin_path("vadd.cubin");
    uint8_t cubin[ROOM];
    FILE *file = fopen(sample, "rb");
    (void)state;
    assert_non_null(file);
    size_t bytes = fread(cubin, 1, ROOM, file), at = 0, header = bytes - (SECTIONS - CONSTANTS) * 64;
    fclose(file);
    while (at + sizeof old <= bytes && memcmp(cubin + at, old, sizeof old) != 0)
        at++;
    assert_true(at + sizeof old <= bytes);
    memcpy(cubin + at, name, sizeof name);
    cubin[header + 4] = 9;   /* SHT_REL */
    cubin[header + 32] = 16; /* bytes */
    cubin[header + 33] = 0;
    cubin[header + 44] = 1; /* .text.vadd */
    const uint8_t *offset = cubin + header + 24;
    size_t entry = offset[0] | (size_t)offset[1] << 8;
    cubin[entry] = 0x78;
    cubin[entry + 8] = 42;
    cubin[entry + 12] = 1;
    write_file(path, cubin, bytes);
    struct outcome text = tool_run("disasm", path), json = tool_run("disasm", "--json", path);
    expect_status(0, &text);
    expect_printed(&text, "LDG R2, [R2] ;                                        /* 0xeed4000000070202 */\n"
                          "        //                         R_CUDA_ABS32_20 vadd\n");
    expect_printed(&json, "\"event\":\"relocation\",\"name\":\"vadd\",\"address\":120,");
    expect_printed(&json, "\"bytes\":16,\"addend\":0,\"text\":\"R_CUDA_ABS32_20\"}\n");
    outcome_free(&text);
    outcome_free(&json);
    unlink(path);
    free(path);
    free(sample);
}

static void functions_are_chosen_by_name(void **state) {
    char *path = cubin_path("vadd.fatbin");
    struct outcome one = tool_run("disasm", "--function=v*", path), none = tool_run("disasm", "--function=x*", path);
    (void)state;
    expect_status(0, &one);
    expect_status(0, &none);
    expect_printed(&one, "Function : vadd\n");
    assert_null(strstr(none.out, "Function"));
    assert_null(strstr(none.out, "EXIT"));
    expect_printed(&none, "section");
    outcome_free(&one);
    outcome_free(&none);
    free(path);
}

static void json_has_a_line_for_each_event(void **state) {
    struct json *schema = json_schema();
    char *path = cubin_path("vadd.fatbin"), why[400];
    struct outcome outcome = tool_run("disasm", "--json", path);
    size_t lines = 0;
    (void)state;
    expect_status(0, &outcome);
    for (const char *at = outcome.out, *end; (end = strchr(at, '\n')); at = end + 1, lines++) {
        struct json *line = json_parse(at, (size_t)(end - at));
        if (!line || !json_fits(line, schema, schema, why, sizeof why))
            fail_msg("%s: %.*s", line ? why : "not JSON", (int)(end - at), at);
        json_free(line);
    }
    assert_int_equal(lines, 1 + 1 + 7 + 2 + 1 + 24);
    expect_printed(&outcome, "\"text\":\"MOV R1, c[0x0][0x20]\"");
    json_free(schema);
    outcome_free(&outcome);
    free(path);
}

/* "What does this cubin do" was "not a capture". */
static void commands_for_streams_name_disasm(void **state) {
    static const char *const commands[] = {"decode", "run", "top", "state", "lint"};
    static const char *const files[] = {"vadd.cubin", "vadd.fatbin"};
    (void)state;
    for (size_t i = 0; i < 2 * sizeof commands / sizeof commands[0]; i++) {
        char *path = cubin_path(files[i & 1]);
        struct outcome outcome = tool_run(commands[i / 2], path);
        expect_status(2, &outcome);
        if (!strstr(outcome.err, ": a compiled program, not a command stream; pfifo disasm lists its instructions\n"))
            fail_msg("%s: %s", commands[i / 2], outcome.err);
        outcome_free(&outcome);
        free(path);
    }
}

static void what_cannot_be_listed_is_an_error_of_the_file(void **state) {
    char *capture = sample_path("nv40-clear.nvcap.xz"), *path = cubin_path("vadd.cubin");
    struct outcome stream = tool_run("disasm", capture), raw = tool_run("disasm", "--raw", path),
                   base = tool_run("disasm", "--base=4", path), chip = tool_run("disasm", "--chip=NV40", path);
    (void)state;
    expect_status(2, &stream);
    assert_non_null(strstr(stream.err, "no ELF, no fatbin, and no text with words of code"));
    expect_status(2, &raw);
    assert_non_null(strstr(raw.err, "--raw needs --chip"));
    expect_status(2, &base);
    assert_non_null(strstr(base.err, "--base has to be a multiple of 8, not '4'"));
    expect_status(2, &chip);
    assert_non_null(strstr(chip.err, "the instructions of NV40 have no decoder"));
    outcome_free(&stream);
    outcome_free(&raw);
    outcome_free(&base);
    outcome_free(&chip);
    free(capture);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listing_has_the_columns_of_cuobjdump),
        cmocka_unit_test(a_listing_that_is_read_again_has_the_same_instructions),
        cmocka_unit_test(a_relocation_has_a_line_below_its_instruction),
        cmocka_unit_test(functions_are_chosen_by_name),
        cmocka_unit_test(json_has_a_line_for_each_event),
        cmocka_unit_test(commands_for_streams_name_disasm),
        cmocka_unit_test(what_cannot_be_listed_is_an_error_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
