/* SPDX-License-Identifier: MIT */
/* Registers of cards that are files: read, written, or refused; FREEZE with and without somebody who answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pfifo/gpu.h>
#include <pfifo/registers.h>

#include "tool/pci_tree.h"
#include "tool/tool.h"

static void registers_have_names_and_fields(void **state) {
    struct tree tree = tree_new(0x040000a1);
    (void)state;
    tree_poke(&tree, 0x3244, 0x1234);
    tree_poke(&tree, 0x3228, 0x40106105);
    tree_poke(&tree, 0x700030, 0x55);
    expect_output(
        &tree, NULL,
        "r32 CACHE1_DMA_GET\nr32 0x3244\nexpect CACHE1_DMA_GET 0x1234\nramin 0x30\nr32 PRAMIN+0x30\n"
        "dump CACHE1_DMA_[GP]*T\nr32 CACHE1_DMA_STATE\n",
        "0x003244 CACHE1_DMA_GET = 0x00001234\n"
        "0x003244 CACHE1_DMA_GET = 0x00001234\n"
        "0x700030 = 0x00000055 0x00000000 0x00000000 0x00000000\n"
        "0x700030 = 0x00000055\n"
        "0x003240 CACHE1_DMA_PUT = 0x00000000\n"
        "0x003244 CACHE1_DMA_GET = 0x00001234\n"
        "0x003228 CACHE1_DMA_STATE = 0x40106105  NONINC=1 METHOD=0x104 SUBCHANNEL=3 UNK=0 SUBROUTINE_ACTIVE=0 "
        "COUNT=0x4 ERROR=2\n");
    tree_free(&tree);
}

/* BAR0 in big-endian mode: each word is turned round, in both directions. */
static void a_card_in_the_other_byte_order_is_understood(void **state) {
    struct tree tree = tree_new(0xa200330a);
    (void)state;
    tree_poke(&tree, 0x3244, 0x78563412);
    struct outcome outcome = card_shell(&tree, "--write", "card\nr32 CACHE1_DMA_GET\nw32 CACHE1_DMA_PUT 0x01020304\n");
    expect_status(0, &outcome);
    expect_text(outcome.out, "GT215 (Tesla), BOOT_0 0xa200330a in the other byte order, ");
    expect_text(outcome.out, "0x003244 CACHE1_DMA_GET = 0x12345678\n");
    assert_int_equal(tree.bar0[0x3240 / 4], 0x04030201);
    outcome_free(&outcome);
    tree_free(&tree);
}

static void accesses_are_aligned_words_of_bar0(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    (void)state;
    expect_refusal(&tree, NULL, "r8 PMC.INTR\n", ":1: 0x100: a card is accessed in aligned words of 32 bits\n");
    expect_refusal(&tree, NULL, "r16 PMC.INTR\n", ":1: 0x100: a card is accessed in aligned words of 32 bits\n");
    expect_refusal(&tree, NULL, "r32 0x102\n", ":1: 0x102: a card is accessed in aligned words of 32 bits\n");
    expect_refusal(&tree, "--write", "w8 PMC.INTR 1\n", ":1: 0x100: a card is accessed in");
    expect_refusal(&tree, NULL, "r32 0x1000000\n", ":1: 0x1000000 is beyond BAR0, which ends at 0x1000000\n");
    expect_refusal(&tree, NULL, "r32 0xfffffc 2\n", ":1: 0x1000000 is beyond BAR0");
    expect_refusal(&tree, NULL, "r32 0xfffffffc 2\n", ":1: 0xfffffffc is too high for that\n");
    expect_refusal(&tree, NULL, "expect 0x1000000 0\n", ":1: 0x1000000 is beyond BAR0");
    expect_refusal(&tree, NULL, "expect 0 0x1000000+0\nexpect 0 bar0:0x1000000\n", ":2: 0x1000000 is beyond BAR0");
    expect_refusal(&tree, NULL, "vram 0\n", ":1: of a card only BAR0 can be seen");
    expect_refusal(&tree, NULL, "sys 0\n", ":1: of a card only BAR0 can be seen");
    expect_refusal(&tree, NULL, "bar 1 0\n", ":1: of a card only BAR0 can be seen");
    expect_refusal(&tree, NULL, "r32 bar3:0\n", ":1: of a card only BAR0 can be seen");
    expect_refusal(&tree, "--write", "sys 0 1\n", ":1: of a card only BAR0 can be seen");
    expect_output(&tree, NULL, "r32 0xfffffc\n", "0xfffffc = 0x00000000\n");
    tree_free(&tree);
}

/* What a mapping does not have is not looked at. */
static void a_small_bar0_ends_where_it_ends(void **state) {
    static const char small[] = "0x00000000fa000000 0x00000000fa000fff 0x0000000000040200\n"
                                "0x0 0x0 0x0\n0x0 0x0 0x0\n0x0 0x0 0x0\n0x0 0x0 0x0\n0x0 0x0 0x0\n"
                                "0x00000000fb000000 0x00000000fb07ffff 0x46200\n";
    struct tree tree = tree_new(GT215_BOOT0);
    (void)state;
    tree_text(&tree, "resource", small);
    struct outcome outcome = card_shell(&tree, "--write", "card\ndump\nchannels\n");
    expect_status(0, &outcome);
    expect_text(outcome.out, "BAR0 0x00fa000000 4 KiB, 32 bits: registers\n");
    expect_text(outcome.out, "0x000200 ENABLE = 0xffffffff");
    expect_text(outcome.out, "0x003240 PFIFO.CACHE1_DMA_PUT: beyond the end of BAR0\n");
    outcome_free(&outcome);
    tree_free(&tree);
}

static void commands_of_models_are_refused(void **state) {
    static const char *const commands[] = {"run",   "run 1",          "step",    "stop",           "chip NV40",
                                           "reset", "save /dev/null", "trace *", "load /dev/null", "trace off",
                                           "pass"};
    struct tree tree = tree_new(GT215_BOOT0);
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char want[60];
        snprintf(want, sizeof want, ":1: %.*s is for models; this is a card\n", (int)strcspn(commands[i], " "),
                 commands[i]);
        expect_refusal(&tree, "--write", commands[i], want);
    }
    expect_refusal(&tree, NULL, "expect stop idle\n", ":1: expect stop is for models; this is a card\n");
    expect_refusal(&tree, NULL, "expect irq 0\n", ":1: expect irq is for models; this is a card\n");
    struct outcome outcome = model_shell("NV40", "card\n");
    expect_text(outcome.err,
                ":1: card works on a card only, and this is a model; pfifo shell --pci=ADDRESS opens a card\n");
    outcome_free(&outcome);
    tree_free(&tree);
}

/* Registers as a model has them, in a card. */
static void copy_registers(struct tree *tree, struct pfifo_gpu *gpu) {
    struct pfifo_register reg;

    for (size_t i = 0; pfifo_registers_at(pfifo_gpu_registers(gpu), i, &reg); i++)
        for (uint32_t n = 0; !reg.read_acts && n < reg.count; n++)
            tree_poke(tree, reg.offset + n * reg.stride, pfifo_gpu_rd32(gpu, reg.offset + n * reg.stride));
}

static void a_dump_of_a_card_is_that_of_its_model(void **state) {
    static const char *const chips[] = {"NV1", "NV3",   "NV4",   "NV10",  "NV17",  "NV34",  "NV40",  "NV44",
                                        "G80", "GT215", "MCP89", "GF100", "GF119", "GK104", "GM107", "GM20B"};
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct pfifo_config config = {.chip = pfifo_chip_by_name(chips[i])};
        struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
        struct tree tree = tree_new(pfifo_chip_info(config.chip).boot0);
        assert_non_null(gpu);
        tree_poke(&tree, 0x200, 0);
        pfifo_gpu_wr32(gpu, 0x200, UINT32_MAX);
        for (uint32_t offset = 0x3240; offset < 0x3280; offset += 4)
            pfifo_gpu_wr32(gpu, offset, offset * 0x10001);
        copy_registers(&tree, gpu);
        char commands[2000] = "w32 PMC.ENABLE ~0\n";
        for (uint32_t offset = 0x3240; offset < 0x3280; offset += 4)
            append(commands, sizeof commands, "w32 0x%x 0x%x\n", offset, offset * 0x10001);
        append(commands, sizeof commands, "dump\n");
        struct outcome want = model_shell(chips[i], commands), found = card_shell(&tree, NULL, "dump\n");
        expect_status(0, &want);
        assert_true(want.out_bytes > 1000);
        assert_string_equal(found.out, want.out);
        outcome_free(&want);
        outcome_free(&found);
        tree_free(&tree);
        pfifo_gpu_free(gpu);
    }
}

/* ---- writing ---- */

static uint8_t *contents(const struct tree *tree) {
    uint8_t *copy = malloc(TREE_BAR0);

    assert_non_null(copy);
    memcpy(copy, tree->bar0, TREE_BAR0);
    return copy;
}

static void nothing_is_written_without_permission(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    char path[400];
    (void)state;
    tree_poke(&tree, 0x2600, 0x80001234);
    uint8_t *before = contents(&tree);
    snprintf(path, sizeof path, "%s/resource0", tree.folder);
    assert_int_equal(chmod(path, 0400), 0);
    struct outcome outcome = card_shell(&tree, NULL,
                                        "w32 PMC.ENABLE 0\nw32 CACHE1_REF 1 2 3\nramin 0 1\nfreeze 1\nthaw 1\n"
                                        "bar 0 0x200 0\nw32 0 5\nchannels\ndump\nirq\nr32 0 4096\n");
    expect_status(1, &outcome);
    for (unsigned line = 1; line <= 7; line++) {
        char want[60];
        snprintf(want, sizeof want, ":%u: read-only: give --write\n", line);
        expect_text(outcome.err, want);
    }
    assert_null(strstr(outcome.err, ":8: "));
    assert_memory_equal(before, tree.bar0, TREE_BAR0);
    outcome_free(&outcome);
    free(before);
    tree_free(&tree);
}

static void what_may_be_written_is_written_and_nothing_else(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    uint8_t *before = contents(&tree);
    (void)state;
    expect_output(&tree, "--write", "w32 CACHE1_REF 0x11223344\nw32 0x3240 1 2\nexpect CACHE1_DMA_GET 2\n", "");
    assert_int_equal(tree.bar0[0x3248 / 4], 0x11223344);
    assert_int_equal(tree.bar0[0x3240 / 4], 1);
    assert_int_equal(tree.bar0[0x3244 / 4], 2);
    memset(&tree.bar0[0x3240 / 4], 0, 12);
    assert_memory_equal(before, tree.bar0, TREE_BAR0);
    free(before);
    tree_free(&tree);
}

/* ---- freeze and thaw ---- */

#define FREEZE 0x2504

static void a_card_that_does_not_freeze_is_let_go(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    (void)state;
    expect_refusal(&tree, "--write", "freeze 1\n", ":1: FROZEN is still 0; FREEZE is 0x00000000 again\n");
    assert_int_equal(tree.bar0[FREEZE / 4], 0);
    tree_poke(&tree, FREEZE, 0x11);
    expect_refusal(&tree, "--write", "thaw 0\n", ":1: FROZEN is still 1\n");
    assert_int_equal(tree.bar0[FREEZE / 4], 0x10);
    expect_refusal(&tree, "--write", "freeze 60001\n", ":1: 60001 is more than 60000\n");
    tree_poke(&tree, FREEZE, 0xffffffff);
    expect_refusal(&tree, "--write", "freeze\n", ":1: PFIFO does not answer: FREEZE reads 0xffffffff\n");
    tree_poke(&tree, FREEZE, 0xbad0da10);
    expect_refusal(&tree, "--write", "thaw\n", ":1: PFIFO does not answer: FREEZE reads 0xbad0da10\n");
    tree_free(&tree);
}

struct hardware {
    _Atomic uint32_t *freeze;
    atomic_bool stop;
};

/* FROZEN follows ENABLE. */
static void *play_hardware(void *opaque) {
    struct hardware *hardware = opaque;

    while (!atomic_load(&hardware->stop)) {
        uint32_t value = atomic_load(hardware->freeze);
        uint32_t next = value & 1 ? value | 0x10 : value & ~0x10u;
        atomic_compare_exchange_strong(hardware->freeze, &value, next);
        usleep(100);
    }
    return NULL;
}

static void a_card_that_answers_is_frozen_and_thawed(void **state) {
    static const uint32_t boot0[] = {0x050000a2, GT215_BOOT0, 0x0c0000a3};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct tree tree = tree_new(boot0[i]);
        struct hardware hardware = {.freeze = (_Atomic uint32_t *)(void *)&tree.bar0[FREEZE / 4]};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, play_hardware, &hardware), 0);
        struct outcome outcome = card_shell(&tree, "--write", "freeze 60000\nfreeze\nthaw 60000\nthaw\n");
        atomic_store(&hardware.stop, true);
        pthread_join(thread, NULL);
        expect_status(0, &outcome);
        expect_text(outcome.out, "0x002504 FREEZE = 0x00000011");
        expect_text(outcome.out, "0x002504 FREEZE = 0x00000000");
        assert_int_equal(tree.bar0[FREEZE / 4], 0);
        outcome_free(&outcome);
        tree_free(&tree);
    }
}

static void only_some_chips_have_a_freeze(void **state) {
    static const char *const without[] = {"NV1", "NV4", "NV40", "GK104", "GM107"};
    static const char *const with[] = {"G80", "G84", "GT215", "GF100", "GF119"};
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        char want[60];
        struct tree tree = tree_new(pfifo_chip_info(pfifo_chip_by_name(without[i])).boot0);
        snprintf(want, sizeof want, ":1: %s has no FREEZE\n", without[i]);
        expect_refusal(&tree, "--write", "freeze\n", want);
        tree_free(&tree);
        struct outcome outcome = model_shell(without[i], "thaw\n");
        expect_status(1, &outcome);
        expect_text(outcome.err, want);
        outcome_free(&outcome);
        outcome = model_shell(with[i], "w32 PMC.ENABLE ~0\nfreeze\nexpect FREEZE 0x11\nthaw 5\nexpect FREEZE 0\n");
        expect_status(0, &outcome);
        expect_text(outcome.out, "0x002504 FREEZE = 0x00000011");
        outcome_free(&outcome);
        outcome = model_shell(with[i], "w32 PMC.ENABLE 0\nfreeze\n");
        expect_text(outcome.err, ":2: PFIFO does not answer: FREEZE reads 0xbad0da00\n");
        outcome_free(&outcome);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_have_names_and_fields),
        cmocka_unit_test(a_card_in_the_other_byte_order_is_understood),
        cmocka_unit_test(accesses_are_aligned_words_of_bar0),
        cmocka_unit_test(a_small_bar0_ends_where_it_ends),
        cmocka_unit_test(commands_of_models_are_refused),
        cmocka_unit_test(a_dump_of_a_card_is_that_of_its_model),
        cmocka_unit_test(nothing_is_written_without_permission),
        cmocka_unit_test(what_may_be_written_is_written_and_nothing_else),
        cmocka_unit_test(a_card_that_does_not_freeze_is_let_go),
        cmocka_unit_test(a_card_that_answers_is_frozen_and_thawed),
        cmocka_unit_test(only_some_chips_have_a_freeze),
    };
    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
