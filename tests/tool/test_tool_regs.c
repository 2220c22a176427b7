/* SPDX-License-Identifier: MIT */
/* `pfifo regs`: what the library knows of registers, as lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/gpu.h>
#include <pfifo/registers.h>

#include "rounds.h"
#include "tool/tool.h"

static size_t count_lines(const char *text, const char *begin) {
    size_t count = 0, length = strlen(begin);

    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        count += strncmp(at, begin, length) == 0;
    return count;
}

static void expect_text(const struct outcome *outcome, const char *text) {
    if (!strstr(outcome->out, text))
        fail_msg("no '%s' in: %.2000s", text, outcome->out);
}

/* A line for each register, with its name and its masks, and for each window; as JSON too. */
static void expect_all_of(const struct pfifo_chip *chip) {
    struct pfifo_registers *registers = pfifo_registers_new(chip, NULL);
    const char *name = pfifo_chip_info(chip).name;
    struct outcome text = tool_run("regs", name), json = tool_run("regs", "--json", name);
    struct pfifo_register reg;
    struct pfifo_window window;
    size_t windows = 0;
    char want[256];
    assert_non_null(registers);
    expect_status(0, &text);
    expect_status(0, &json);
    for (size_t i = 0; pfifo_registers_at(registers, i, &reg); i++) {
        snprintf(want, sizeof want, reg.count > 1 ? "0x%06x  %s.%s[%u] " : "0x%06x  %s.%s ", reg.offset, reg.unit,
                 reg.name, reg.count);
        expect_text(&text, want);
        snprintf(want, sizeof want, "\"register\":\"%s\",\"unit\":\"%s\",\"offset\":%u,\"count\":%u,\"stride\":%u,",
                 reg.name, reg.unit, reg.offset, reg.count, reg.stride);
        expect_text(&json, want);
        snprintf(want, sizeof want, "\"readable\":%u,\"writable\":%u,\"reset\":%u,", reg.readable, reg.writable,
                 reg.reset);
        expect_text(&json, want);
    }
    for (; pfifo_registers_window(registers, windows, &window); windows++) {
        snprintf(want, sizeof want, "{\"window\":\"%s\",\"base\":%u,\"bytes\":%u,", window.name, window.base,
                 window.bytes);
        expect_text(&json, want);
    }
    assert_int_equal(count_lines(json.out, "{\"register\":"), pfifo_registers_count(registers));
    assert_int_equal(count_lines(json.out, "{\"window\":"), windows);
    assert_int_equal(count_lines(text.out, "0x"), pfifo_registers_count(registers) + windows);
    pfifo_registers_free(registers);
    outcome_free(&text);
    outcome_free(&json);
}

static void every_register_of_every_chip_has_a_line(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i += rounds_step())
        expect_all_of(pfifo_chip_at(i));
}

/* What a machine has is what its tables say. */
static void tables_without_a_machine_are_those_of_the_machine(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct pfifo_config config = {.chip = pfifo_chip_at(i)};
        struct pfifo_register want, found;
        if (!pfifo_chip_info(config.chip).runs)
            continue;
        struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
        const struct pfifo_registers *of_gpu = pfifo_gpu_registers(gpu);
        struct pfifo_registers *tables = pfifo_registers_new(config.chip, NULL);
        assert_ptr_equal(pfifo_registers_chip(of_gpu), config.chip);
        assert_ptr_equal(pfifo_registers_chip(tables), config.chip);
        assert_int_equal(pfifo_registers_count(tables), pfifo_registers_count(of_gpu));
        for (size_t r = 0; pfifo_registers_at(of_gpu, r, &want); r++) {
            assert_true(pfifo_registers_at(tables, r, &found));
            assert_string_equal(found.name, want.name);
            assert_int_equal(found.offset, want.offset);
        }
        pfifo_registers_free(tables);
        pfifo_gpu_free(gpu);
    }
    struct pfifo_error error = {0};
    assert_null(pfifo_registers_new(NULL, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
}

/* The machine is not built; names, places and fields as in the manuals. */
static void volta_and_turing_have_names_without_a_machine(void **state) {
    struct outcome outcome = tool_run("regs", "GV100");
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, "0x002274  PFIFO.RUNLIST ");
    expect_text(&outcome, "0x040014  PBDMA.GP_GET[14] ");
    expect_text(&outcome, "0x800000  PCCSR.CHANNEL_INST[4096] ");
    assert_null(strstr(outcome.out, "RUNLIST_SUBMIT"));
    outcome_free(&outcome);
    outcome = tool_run("regs", "TU104");
    expect_text(&outcome, "0x040108  PBDMA.INTR_0[12] ");
    expect_text(&outcome, "0x002b08  PFIFO.RUNLIST_SUBMIT[11] ");
    assert_null(strstr(outcome.out, "0x002274"));
    outcome_free(&outcome);
    outcome = tool_run("regs", "GH100", "PMC.BOOT_0");
    expect_text(&outcome, "0x000000  PMC.BOOT_0 ");
    outcome_free(&outcome);
}

/* Under their window, as arrays. */
static void words_of_windows_follow_it(void **state) {
    struct outcome text = tool_run("regs", "GK104", "pccsr"), json = tool_run("regs", "--json", "GK104", "pccsr");
    (void)state;
    expect_text(&text, "0x800000  PCCSR ");
    expect_text(&text, "+0x04 PCCSR.CHANNEL[4096]  every 0x8 bytes  ENABLE 0, RUNLIST 19:16, ");
    expect_text(&json, "}\n{\"word\":\"CHANNEL\",\"unit\":\"PCCSR\",\"offset\":8388612,\"count\":4096,\"stride\":8,");
    outcome_free(&text);
    outcome_free(&json);
}

/* The columns of all lines begin where their titles do, however long names are. */
static void columns_are_as_wide_as_names(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i += rounds_step()) {
        struct outcome outcome = tool_run("regs", pfifo_chip_info(pfifo_chip_at(i)).name);
        const char *title = strstr(outcome.out, "  stride  readable  ");
        assert_non_null(title);
        size_t column = (size_t)(title - outcome.out);
        for (const char *line = strchr(outcome.out, '\n') + 1; strncmp(line, "0x", 2) == 0;
             line = strchr(line, '\n') + 1) {
            if (line[column] != ' ' || line[column + 1] != ' ')
                fail_msg("%.100s", line);
        }
        outcome_free(&outcome);
    }
}

static void a_glob_selects_by_name(void **state) {
    struct outcome outcome = tool_run("regs", "nv40", "cache1_ge?");
    (void)state;
    expect_status(0, &outcome);
    expect_text(&outcome, "\n0x003270  PFIFO.CACHE1_GET ");
    assert_int_equal(count_lines(outcome.out, "0x"), 1);
    outcome_free(&outcome);
    outcome = tool_run("regs", "nv40", "PMC.*");
    expect_status(0, &outcome);
    expect_text(&outcome, "\n0x000100  PMC.INTR ");
    assert_null(strstr(outcome.out, "PFIFO."));
    outcome_free(&outcome);
    outcome = tool_run("regs", "nv40", "pram*", "--json");
    expect_status(0, &outcome);
    assert_string_equal(outcome.out,
                        "{\"window\":\"PRAMIN\",\"base\":7340032,\"bytes\":1048576,\"read_acts\":false}\n");
    outcome_free(&outcome);
}

/* The table does not know what bits a computed register has; it does not show that it has none. */
static void marks_say_what_is_special(void **state) {
    struct outcome outcome = tool_run("regs", "nv40", "PMC.INTR_LINE");
    (void)state;
    expect_text(&outcome, "00000001  00000000  00000000  c--  INACTIVE 0\n");
    outcome_free(&outcome);
    outcome = tool_run("regs", "nv40", "PFIFO.INTR_0");
    expect_text(&outcome, "  00000000  00000000  -w-");
    outcome_free(&outcome);
    outcome = tool_run("regs", "nv4", "USER"); /* what cannot be read there goes to RAMRO */
    expect_text(&outcome, "0x800000  USER                                0x100000 bytes  r\n");
    outcome_free(&outcome);
}

static void what_cannot_be_listed_is_an_error(void **state) {
    static const char *const cases[][4] = {
        {"regs"},
        {"regs", "nv99"},
        {"regs", "gh100", "CACHE1_GET"},
        {"regs", "nv40", "NOTHING*"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct outcome outcome = tool_run_to(NULL, cases[i]);
        expect_status(2, &outcome);
        assert_string_equal(outcome.out, "");
        assert_true(strlen(outcome.err) > 10);
        outcome_free(&outcome);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_register_of_every_chip_has_a_line),
        cmocka_unit_test(tables_without_a_machine_are_those_of_the_machine),
        cmocka_unit_test(volta_and_turing_have_names_without_a_machine),
        cmocka_unit_test(words_of_windows_follow_it),
        cmocka_unit_test(columns_are_as_wide_as_names),
        cmocka_unit_test(a_glob_selects_by_name),
        cmocka_unit_test(marks_say_what_is_special),
        cmocka_unit_test(what_cannot_be_listed_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
