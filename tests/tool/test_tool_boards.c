/* SPDX-License-Identifier: MIT */
/* Chips by what people call them, wherever a chip is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pfifo/chip.h>

#include "cubin/disasm.h"
#include "decode/shader.h"
#include "face/tool/chips/boards.h"
#include "tool/tool.h"

static void expect_refused(const struct outcome *outcome, const char *text) {
    expect_status(2, outcome);
    expect_said(outcome, text);
}

static void which_chip_is_on_my_card(void **state) {
    static const struct {
        const char *called, *chip;
    } rows[] = {
        {"GTX 1060", "GP106"},
        {"NVIDIA GeForce GTX 1060 6GB", "GP106"},
        {"gtx1060", "GP106"},
        {"10de:1c03", "GP106"},
        {"0x1c03", "GP106"},
        {"1C03", "GP106"},
        {"12d2:0018", "NV3"},
        {"RIVA 128", "NV3"},
        {"riva tnt2", "NV5"},
        {"GeForce 256", "NV10"},
        {"GeForce4 MX 440", "NV17"},
        {"GeForce FX 5200", "NV34"},
        {"GeForce 8800 GTX", "G80"},
        {"GTX 680", "GK104"},
        {"GTX TITAN", "GK110"},
        {"GTX 970", "GM204"},
        {"GTX 1080 Ti", "GP102"},
        {"RTX 2080 Ti", "TU102"},
        {"RTX 3080", "GA102"},
        {"Tesla V100 PCIe 16GB", "GV100"},
        {"A100", "GA100"},
        {"H100", "GH100"},
        {"Xbox", "NV2A"},
        {"PlayStation 3", "RSX"},
        {"Nintendo Switch", "GM20B"},
        {"Tegra X1", "GM20B"},
        {"sm_53", "GM20B"},
        {"sm_60", "GP100"},
        {"GK104", "GK104"},
        {"0xa3", "GT215"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char expected[16];
        struct outcome outcome = tool_run("info", rows[i].called);
        expect_status(0, &outcome);
        snprintf(expected, sizeof expected, "%s: ", rows[i].chip);
        if (strncmp(outcome.out, expected, strlen(expected)) != 0)
            fail_msg("%s is %.40s", rows[i].called, outcome.out);
        outcome_free(&outcome);
    }
}

static void info_says_what_a_chip_is_called(void **state) {
    (void)state;
    struct outcome outcome = tool_run("info", "GP106");
    expect_status(0, &outcome);
    expect_printed(&outcome, "called\n");
    expect_printed(&outcome, "  GeForce GTX 1060 6GB (10de:1c03)\n");
    expect_printed(&outcome, "  sm_61\n");
    outcome_free(&outcome);
    outcome = tool_run("info", "--json", "GP104");
    expect_printed(&outcome, "{\"name\":\"GeForce GTX 1060 6GB\",\"pci_id\":7043,\"few\":true}");
    outcome_free(&outcome);
}

static void every_command_knows_my_card(void **state) {
    char *path = temporary_path(".txt"), *script = temporary_path(".script");
    (void)state;
    write_file(path, "20010000 00009097\n", 18);
    write_file(script, "chip GTX680\n", 12);
    struct outcome outcomes[] = {tool_run("decode", "--chip=GTX 480", path), tool_run("run", "--chip=GTX 480", path),
                                 tool_run("grep", "--chip=10de:06c0", "SET_OBJECT", path),
                                 tool_run("regs", "GTX 480", "PMC.INTR*"), tool_run("run", script)};
    for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
        expect_status(0, &outcomes[i]);
        outcome_free(&outcomes[i]);
    }
    unlink(path);
    unlink(script);
    free(path);
    free(script);
}

static void a_name_of_several_chips_is_told_with_all_of_them(void **state) {
    (void)state;
    struct outcome outcome = tool_run("info", "sm_61");
    expect_refused(&outcome, "'sm_61' is one of several chips, say which: GP102, GP104, GP106, GP107, GP108\n");
    outcome_free(&outcome);
    outcome = tool_run("info", "GT 730");
    expect_refused(&outcome, "'GT 730' is one of several chips, say which: GF108, GK107, GK208B\n");
    outcome_free(&outcome);
}

static void a_chip_that_is_known_by_name_only_says_so(void **state) {
    static const char *const names[] = {"AD102", "RTX 4090", "10de:2684"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct outcome outcome = tool_run("info", names[i]);
        expect_refused(&outcome,
                       " is AD102 (GeForce RTX 4090), which is known by name only: it has no model and no list of "
                       "classes here\n");
        outcome_free(&outcome);
    }
}

/* Half a number, and nothing, are no names. */
static void what_nobody_calls_a_chip_is_refused(void **state) {
    static const char *const names[] = {"",       " ",     "GTX",       "GTX 10",     "GeForce",
                                        "nvidia", "10de:", "10de:ffff", "10de:1c033", "-"};
    char why[240];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (boards_chip(names[i], why, sizeof why))
            fail_msg("'%s' is a chip", names[i]);
        assert_true(strlen(why) > 0 && strlen(why) < sizeof why);
    }
}

/* One PCI id is of one chip, and each chip that runs is called something. */
static void boards_do_not_contradict_each_other(void **state) {
    (void)state;
    for (const struct board *board = boards; board->chip; board++) {
        char id[16], why[240];
        assert_true(board->name[0] != ' ' && board->name[0]);
        if (!board->id)
            continue;
        snprintf(id, sizeof id, "10de:%04x", board->id);
        const struct pfifo_chip *chip = boards_chip(id, why, sizeof why);
        if (chip != pfifo_chip_by_name(board->chip))
            fail_msg("%s is %s, and something else", id, board->chip);
    }
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        const struct board *board = boards;
        while (board->chip && pfifo_chip_by_name(board->chip) != pfifo_chip_at(i))
            board++;
        if (!board->chip)
            fail_msg("nobody calls %s anything", pfifo_chip_info(pfifo_chip_at(i)).name);
    }
}

/* Both tables of compute capabilities say the same: that of the boards, and that of pfifo disasm. */
static void the_sm_of_a_chip_has_its_instructions(void **state) {
    unsigned found = 0;
    (void)state;
    for (const struct board *board = boards; board->chip; board++) {
        const struct pfifo_chip *chip = pfifo_chip_by_name(board->chip);
        unsigned sm;
        if (!chip || sscanf(board->name, "sm_%u", &sm) != 1)
            continue;
        if (shader_isa_of(disasm_chip_of(sm)) != shader_isa_of(chip))
            fail_msg("%s: %s", board->chip, board->name);
        found += shader_isa_of(chip) != NULL;
    }
    assert_true(found > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_chip_is_on_my_card),
        cmocka_unit_test(info_says_what_a_chip_is_called),
        cmocka_unit_test(every_command_knows_my_card),
        cmocka_unit_test(a_name_of_several_chips_is_told_with_all_of_them),
        cmocka_unit_test(a_chip_that_is_known_by_name_only_says_so),
        cmocka_unit_test(what_nobody_calls_a_chip_is_refused),
        cmocka_unit_test(boards_do_not_contradict_each_other),
        cmocka_unit_test(the_sm_of_a_chip_has_its_instructions),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
