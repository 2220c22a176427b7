/* SPDX-License-Identifier: MIT */
/* `pfifo shell --pci`, on cards that are files: what it says about them, what it lets through, and what it refuses. */
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

#include "face/pci/pci.h"
#include "tool/pci_tree.h"
#include "tool/tool.h"

#define GT215_BOOT0 0x0a3300a2u
#define GT215_BARS                                                                                                     \
    "BAR0 0x00fa000000 16 MiB, 32 bits: registers\n"                                                                   \
    "BAR1 0x00d0000000 256 MiB, 64 bits, prefetchable: VRAM\n"                                                         \
    "BAR3 0x01ce000000 32 MiB, 64 bits, prefetchable: RAMIN\n"                                                         \
    "BAR5 0x000000cc00 128 bytes of ports\n"                                                                           \
    "ROM  0x00fb000000 512 KiB, 32 bits, prefetchable\n"

/* Commands for the card of a tree, with one more option or none. */
static struct outcome card(const struct tree *tree, const char *option, const char *commands) {
    char *path = temporary_path(".pfifo");
    struct outcome outcome;

    write_file(path, commands, strlen(commands));
    if (option)
        outcome = tool_run("shell", "--sysfs", tree->root, "--pci=01:00.0", "-k", option, path);
    else
        outcome = tool_run("shell", "--sysfs", tree->root, "--pci=01:00.0", "-k", path);
    unlink(path);
    free(path);
    return outcome;
}

static struct outcome model(const char *chip, const char *commands) {
    char *path = temporary_path(".pfifo"), option[32];

    write_file(path, commands, strlen(commands));
    snprintf(option, sizeof option, "--chip=%s", chip);
    struct outcome outcome = tool_run("shell", option, "-k", path);
    unlink(path);
    free(path);
    return outcome;
}

/* What the commands printed: behind the lines about the card. */
static const char *printed(const struct outcome *outcome) {
    const char *rom = strstr(outcome->out, "ROM "), *end = rom ? strchr(rom, '\n') : NULL;

    if (!end)
        fail_msg("no card in: %.1000s%.1000s", outcome->out, outcome->err);
    /* Perhaps one line more. */
    if (end && strncmp(end + 1, "The machine of ", 15) == 0)
        end = strchr(end + 1, '\n');
    return end ? end + 1 : "";
}

static void expect_text(const char *text, const char *want) {
    if (!strstr(text, want))
        fail_msg("no '%s' in: %.2000s", want, text);
}

/* The commands are successful, and print this. */
static void expect_output(const struct tree *tree, const char *option, const char *commands, const char *want) {
    struct outcome outcome = card(tree, option, commands);

    assert_string_equal(outcome.err, "");
    expect_status(0, &outcome);
    assert_string_equal(printed(&outcome), want);
    outcome_free(&outcome);
}

/* A command fails and prints nothing but this, on standard error. */
static void expect_refusal(const struct tree *tree, const char *option, const char *command, const char *want) {
    struct outcome outcome = card(tree, option, command);

    expect_status(1, &outcome);
    expect_text(outcome.err, want);
    assert_string_equal(printed(&outcome), "");
    outcome_free(&outcome);
}

/* The card cannot be opened: exit status 2, and nothing on standard output. */
static void expect_no_card(const struct tree *tree, const char *want) {
    struct outcome outcome = card(tree, NULL, "echo opened\n");

    expect_text(outcome.err, want);
    assert_string_equal(outcome.out, "");
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

/* ---- what it is ---- */

static void a_card_is_told_with_its_chip_and_bars(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    struct outcome outcome = card(&tree, NULL, "");
    (void)state;
    expect_status(0, &outcome);
    assert_string_equal(outcome.out,
                        "0000:01:00.0: GT215 (Tesla), BOOT_0 0x0a3300a2, PCI 10de:0ca3 revision a2, no driver, "
                        "read-only\n" GT215_BARS);
    outcome_free(&outcome);
    outcome = card(&tree, "--write", "card\n");
    expect_text(outcome.out, ", no driver, can be written\n" GT215_BARS "0000:01:00.0: GT215 (Tesla), ");
    outcome_free(&outcome);
    tree_free(&tree);
}

static void every_chip_is_recognised_and_answers(void **state) {
    struct tree tree = tree_new(0);
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct pfifo_chip_info chip = pfifo_chip_info(pfifo_chip_at(i));
        char want[100];
        tree_poke(&tree, 0, chip.boot0);
        struct outcome outcome = card(&tree, NULL, "dump\nirq\n");
        expect_status(0, &outcome);
        snprintf(want, sizeof want, "0000:01:00.0: %s (%s), BOOT_0 0x%08x, ", chip.name, chip.generation, chip.boot0);
        expect_text(outcome.out, want);
        snprintf(want, sizeof want, "0x000000 BOOT_0 = 0x%08x\n", chip.boot0);
        expect_text(outcome.out, want);
        expect_text(outcome.out, "0x000100 PMC.INTR = 0x00000000");
        assert_int_equal(strstr(outcome.out, "is not built: only what is listed by dump has names.\n") == NULL,
                         chip.runs);
        outcome_free(&outcome);
    }
    tree_free(&tree);
}

static void an_address_is_written_with_or_without_its_domain(void **state) {
    static const char *const same[] = {"01:00.0", "0000:01:00.0"};
    struct tree tree = tree_new(GT215_BOOT0);
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct outcome outcome = tool_run("shell", "--sysfs", tree.root, "--pci", same[i], "/dev/null");
        expect_status(0, &outcome);
        expect_text(outcome.out, "0000:01:00.0: GT215");
        outcome_free(&outcome);
    }
    tree_free(&tree);
}

static void addresses_are_checked(void **state) {
    static const char *const wrong[] = {"",
                                        "01",
                                        "01:00",
                                        "01:00.8",
                                        "1:00.0",
                                        "01:00.00",
                                        "g1:00.0",
                                        "01:00.0 ",
                                        "000:01:00.0",
                                        "0000:01:00",
                                        "../../etc",
                                        "000000:01:00.0",
                                        "01:00,0",
                                        "0000:0000:01:00.0",
                                        "0000-01:00.0"};
    static const char *const right[][2] = {
        {"AB:1f.7", "0000:ab:1f.7"}, {"0001:00:02.0", "0001:00:02.0"}, {"10000:E1:00.0", "10000:e1:00.0"}};
    char address[PCI_ADDRESS];
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (pci_parse_address(wrong[i], address))
            fail_msg("'%s' is taken as %s", wrong[i], address);
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        assert_true(pci_parse_address(right[i][0], address));
        assert_string_equal(address, right[i][1]);
    }
}

/* Real trees have links where this one has folders. */
static void links_lead_to_the_card_and_name_its_driver(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    char moved[100];
    (void)state;
    snprintf(moved, sizeof moved, "%s/card", tree.root);
    assert_int_equal(rename(tree.folder, moved), 0);
    assert_int_equal(symlink("../../../card", tree.folder), 0);
    strcat(moved, "/driver");
    assert_int_equal(symlink("../../../../bus/pci/drivers/nouveau", moved), 0);
    struct outcome outcome = card(&tree, NULL, "");
    expect_status(0, &outcome);
    expect_text(outcome.out, "revision a2, driver nouveau, read-only\n" GT215_BARS);
    outcome_free(&outcome);
    tree_free(&tree);
}

/* NV1 was sold by SGS-Thomson, NV3 by both together. */
static void the_oldest_chips_have_other_vendors(void **state) {
    struct tree tree = tree_new(0x00010101);
    (void)state;
    tree_ids(&tree, 0x104a, 0x0009);
    struct outcome outcome = card(&tree, NULL, "");
    expect_text(outcome.out, "NV1 (NV1), BOOT_0 0x00010101, PCI 104a:0009 ");
    outcome_free(&outcome);
    tree_poke(&tree, 0, 0x20030121);
    tree_ids(&tree, 0x12d2, 0x0018);
    outcome = card(&tree, NULL, "");
    expect_text(outcome.out, "NV3T (RIVA 128), BOOT_0 0x20030121, PCI 12d2:0018 ");
    expect_text(outcome.out, ": VRAM and RAMIN\n");
    outcome_free(&outcome);
    tree_ids(&tree, 0x12d2, 0x0020);
    expect_no_card(&tree, "0000:01:00.0 is no graphics chip of NVIDIA: 12d2:0020, class 030000\n");
    tree_free(&tree);
}

static void a_chip_without_a_machine_has_names_of_registers(void **state) {
    struct tree tree = tree_new(0x140000a1);
    (void)state;
    tree_poke(&tree, 0x2004, 0x0020000e);
    tree_poke(&tree, 0x40000 + 3 * 0x2000 + 0x14, 0x77);
    tree_poke(&tree, 0x800000 + 8 * 5, 0x80001234);
    tree_poke(&tree, 0x800000 + 8 * 5 + 4, 0x15000001);
    expect_output(
        &tree, NULL, "r32 CFG0\nr32 PBDMA.GP_GET[3]\nr32 0x800028 2\ndump CHANNEL_INST\n",
        "0x002004 CFG0 = 0x0020000e  NUM_PBDMA=0xe PBDMA_FAULT_ID=0x20\n"
        "0x046014 GP_GET[3] = 0x00000077\n"
        "0x800028 CHANNEL_INST[5] = 0x80001234  ADDRESS=0x1234 TARGET=0 BIND=1\n"
        "0x80002c PCCSR.CHANNEL[5] = 0x15000001  ENABLE=1 NEXT=0 PBDMA_FAULTED=0 ENG_FAULTED=0 STATUS=5 BUSY=1\n"
        "0x800028 CHANNEL_INST[5] = 0x80001234  ADDRESS=0x1234 TARGET=0 BIND=1\n");
    tree_poke(&tree, 0, 0x170000a1);
    expect_refusal(&tree, NULL, "channels\n", ":1: what channels GA100 has is not known here");
    expect_refusal(&tree, NULL, "r32 CFG0\n", ":1: GA100 has no register 'CFG0'");
    tree_free(&tree);
}

/* ---- registers ---- */

static void registers_have_names_and_fields(void **state) {
    struct tree tree = tree_new(0x040000a1);
    (void)state;
    tree_poke(&tree, 0x3244, 0x1234);
    tree_poke(&tree, 0x3228, 0x40106105);
    tree_poke(&tree, 0x700030, 0x55);
    expect_output(&tree, NULL,
                  "r32 CACHE1_DMA_GET\nr32 0x3244\nexpect CACHE1_DMA_GET 0x1234\nramin 0x30\nr32 PRAMIN+0x30\n"
                  "dump CACHE1_DMA_[GP]*T\nr32 CACHE1_DMA_STATE\n",
                  "0x003244 CACHE1_DMA_GET = 0x00001234\n"
                  "0x003244 CACHE1_DMA_GET = 0x00001234\n"
                  "0x700030 = 0x00000055 0x00000000 0x00000000 0x00000000\n"
                  "0x700030 = 0x00000055\n"
                  "0x003240 CACHE1_DMA_PUT = 0x00000000\n"
                  "0x003244 CACHE1_DMA_GET = 0x00001234\n"
                  "0x003228 CACHE1_DMA_STATE = 0x40106105  NONINC=1 METHOD=0x41 SUBCHANNEL=3 UNK=0 SUBROUTINE_ACTIVE=0 "
                  "COUNT=0x4 ERROR=2\n");
    tree_free(&tree);
}

/* BAR0 in big-endian mode: each word is turned round, in both directions. */
static void a_card_in_the_other_byte_order_is_understood(void **state) {
    struct tree tree = tree_new(0xa200330a);
    (void)state;
    tree_poke(&tree, 0x3244, 0x78563412);
    struct outcome outcome = card(&tree, "--write", "r32 CACHE1_DMA_GET\nw32 CACHE1_DMA_PUT 0x01020304\n");
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
    struct outcome outcome = card(&tree, "--write", "dump\nchannels\n");
    expect_status(0, &outcome);
    expect_text(outcome.out, "BAR0 0x00fa000000 4 KiB, 32 bits: registers\n");
    expect_text(outcome.out, "0x000200 ENABLE = 0xffffffff");
    expect_text(outcome.out, "0x003240 PFIFO.CACHE1_DMA_PUT: beyond the end of BAR0\n");
    outcome_free(&outcome);
    tree_free(&tree);
}

static void commands_of_models_are_refused(void **state) {
    static const char *const commands[] = {"run",   "run 1",          "step",    "stop",           "chip NV40",
                                           "reset", "save /dev/null", "trace *", "load /dev/null", "trace off"};
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
    struct outcome outcome = model("NV40", "card\n");
    expect_text(outcome.err, ":1: card is for a card; this is a model\n");
    outcome_free(&outcome);
    tree_free(&tree);
}

/* Registers as a model has them, in a card. */
static void copy_registers(struct tree *tree, struct pfifo_gpu *gpu) {
    struct pfifo_register reg;

    for (size_t i = 0; pfifo_register_at(gpu, i, &reg); i++)
        for (uint32_t n = 0; !reg.read_acts && n < reg.count; n++)
            tree_poke(tree, reg.offset + n * reg.stride, pfifo_rd32(gpu, reg.offset + n * reg.stride));
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
        pfifo_wr32(gpu, 0x200, UINT32_MAX);
        for (uint32_t offset = 0x3240; offset < 0x3280; offset += 4)
            pfifo_wr32(gpu, offset, offset * 0x10001);
        copy_registers(&tree, gpu);
        char commands[2000] = "w32 PMC.ENABLE ~0\n";
        for (uint32_t offset = 0x3240; offset < 0x3280; offset += 4)
            snprintf(commands + strlen(commands), sizeof commands - strlen(commands), "w32 0x%x 0x%x\n", offset,
                     offset * 0x10001);
        strcat(commands, "dump\n");
        struct outcome want = model(chips[i], commands), found = card(&tree, NULL, "dump\n");
        expect_status(0, &want);
        assert_true(want.out_bytes > 1000);
        assert_string_equal(printed(&found), want.out);
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
    char path[160];
    (void)state;
    tree_poke(&tree, 0x2600, 0x80001234);
    uint8_t *before = contents(&tree);
    snprintf(path, sizeof path, "%s/resource0", tree.folder);
    assert_int_equal(chmod(path, 0400), 0);
    struct outcome outcome = card(&tree, NULL,
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
        struct outcome outcome = card(&tree, "--write", "freeze 60000\nfreeze\nthaw 60000\nthaw\n");
        atomic_store(&hardware.stop, true);
        pthread_join(thread, NULL);
        expect_status(0, &outcome);
        expect_text(printed(&outcome), "0x002504 FREEZE = 0x00000011");
        expect_text(printed(&outcome), "0x002504 FREEZE = 0x00000000");
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
        struct outcome outcome = model(without[i], "thaw\n");
        expect_status(1, &outcome);
        expect_text(outcome.err, want);
        outcome_free(&outcome);
        outcome = model(with[i], "w32 PMC.ENABLE ~0\nfreeze\nexpect FREEZE 0x11\nthaw 5\nexpect FREEZE 0\n");
        expect_status(0, &outcome);
        expect_text(outcome.out, "0x002504 FREEZE = 0x00000011");
        outcome_free(&outcome);
        outcome = model(with[i], "w32 PMC.ENABLE 0\nfreeze\n");
        expect_text(outcome.err, ":2: PFIFO does not answer: FREEZE reads 0xbad0da00\n");
        outcome_free(&outcome);
    }
}

/* ---- channels ---- */

struct poke {
    uint32_t offset, value;
};

/* What the card shows of channels with these registers, and the model after they have been written. */
static void expect_channels(const char *chip, const struct poke *pokes, size_t count, const char *want) {
    struct tree tree = tree_new(pfifo_chip_info(pfifo_chip_by_name(chip)).boot0);

    for (size_t i = 0; i < count; i++)
        tree_poke(&tree, pokes[i].offset, pokes[i].value);
    expect_output(&tree, NULL, "channels\n", want);
    tree_free(&tree);
}

static void expect_channels_of_model(const char *chip, const struct poke *pokes, size_t count, const char *want) {
    char commands[3000] = "w32 PMC.ENABLE ~0\n";

    for (size_t i = 0; i < count; i++)
        snprintf(commands + strlen(commands), sizeof commands - strlen(commands), "w32 0x%x 0x%x\n", pokes[i].offset,
                 pokes[i].value);
    strcat(commands, "channels\n");
    struct outcome outcome = model(chip, commands);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, want);
    outcome_free(&outcome);
}

#define EXPECT_CHANNELS(chip, pokes, want) expect_channels(chip, pokes, sizeof(pokes) / sizeof((pokes)[0]), want)
#define EXPECT_BOTH(chip, pokes, want)                                                                                 \
    do {                                                                                                               \
        EXPECT_CHANNELS(chip, pokes, want);                                                                            \
        expect_channels_of_model(chip, pokes, sizeof(pokes) / sizeof((pokes)[0]), want);                               \
    } while (0)

static void channels_of_nv1_are_in_cache1_and_ramro(void **state) {
    static const struct poke nv1[] = {{0x3210, 9}, {0x3230, 8}, {0x3270, 4}, {0x2410, 0x20}, {0x2420, 8}};
    static const struct poke nv3[] = {{0x3204, 9}, {0x3210, 8}, {0x3270, 4}};
    (void)state;
    EXPECT_BOTH("NV1", nv1,
                "in CACHE1: channel 9, GET 0x4 PUT 0x8\n"
                "in RAMRO: commands from 0x8 to 0x20\n");
    EXPECT_BOTH("NV3", nv3, "in CACHE1: channel 9, GET 0x4 PUT 0x8\n");
}

/* RAMFC is looked at in RAMIN: 32 bytes per channel, 64 in the large form, 128 from NV40 on. */
static void channels_of_nv4_are_in_cache1_and_ramfc(void **state) {
    static const struct poke nv4[] = {{0x2214, 0x110},       {0x2504, 0x7},     {0x2508, 0x84},
                                      {0x3204, 0x101},       {0x3240, 0x30},    {0x3244, 0x20},
                                      {0x3200, 1},           {0x3220, 1},       {0x3250, 1},
                                      {0x711040, 0x1000},    {0x711044, 0xff0}, {0x711048, 0x00801234},
                                      {0x71104c, 0x80000000}};
    static const struct poke nv17[] = {{0x2214, 0x10110},  {0x2504, 0x7},     {0x2508, 0x4},    {0x3204, 0x101},
                                       {0x711080, 0x1000}, {0x711084, 0xff0}, {0x711088, 0x77}, {0x71108c, 0x00801234}};
    static const struct poke nv40[] = {{0x2220, 0x30002}, {0x2504, 0x4},       {0x3204, 0x10003},     {0x3200, 1},
                                       {0x3220, 1},       {0x3250, 1},         {0x720100, 0x1000},    {0x720104, 0xff0},
                                       {0x720108, 0x77},  {0x72010c, 0x41234}, {0x720114, 0x40000000}};
    (void)state;
    EXPECT_BOTH("NV4", nv4,
                "in CACHE1: channel 1, GET 0x0 PUT 0x0, pushbuffer GET 0x20 PUT 0x30\n"
                "channel 0: DMA, GET 0x0 PUT 0x0, object 0x0\n"
                "channel 1: DMA, in CACHE1\n"
                "channel 2: DMA, GET 0xff0 PUT 0x1000, object 0x12340, pusher error 4, pending\n"
                "channel 7: PIO, pending\n");
    EXPECT_BOTH("NV17", nv17,
                "in CACHE1: channel 1, GET 0x0 PUT 0x0, pushbuffer GET 0x0 PUT 0x0, pusher off, DMA off, puller off\n"
                "channel 0: DMA, GET 0x0 PUT 0x0 REF 0x0, object 0x0\n"
                "channel 1: DMA, in CACHE1\n"
                "channel 2: DMA, GET 0xff0 PUT 0x1000 REF 0x77, object 0x12340, pending\n");
    EXPECT_BOTH("NV40", nv40,
                "in CACHE1: channel 3, GET 0x0 PUT 0x0\n"
                "channel 2: DMA, GET 0xff0 PUT 0x1000 REF 0x77, object 0x412340, pusher error 2\n");
}

/* Chips that can have RAMFC anywhere in VRAM: its place is out of sight, and the pages of DMA control are not. */
static void channels_of_nv44_are_in_dma_user(void **state) {
    static const struct poke nv44[] = {{0x2220, 0x30402}, {0x2504, 0x4},     {0x3204, 0x10003}, {0x3200, 1},
                                       {0x3220, 1},       {0x3250, 0x10001}, {0x3254, 0x10},    {0xc02040, 0x1000},
                                       {0xc02044, 0xff0}, {0xc02048, 0x77}};
    static const struct poke no_ramfc[] = {{0x2214, 0x1fe}, {0x2504, 0x4}, {0x3204, 0x101}};
    (void)state;
    EXPECT_CHANNELS("NV44", nv44,
                    "in CACHE1: channel 3, GET 0x0 PUT 0x0, waits in an acquire\n"
                    "channel 2: DMA, GET 0xff0 PUT 0x1000 REF 0x77\n");
    EXPECT_BOTH("NV10", no_ramfc,
                "in CACHE1: channel 1, GET 0x0 PUT 0x0, pusher off, puller off\n"
                "channel 2: DMA, GET 0x0 PUT 0x0 REF 0x0, object 0x0\n");
}

/* Of USER only what latches nothing. */
static const struct poke gt215_pokes[] = {
    {0x2600 + 4 * 5, 0x80001200},
    {0x2600 + 4 * 7, 0xc0001234},
    {0x2600 + 4 * 8, 0x00001300},
    {0x3204, 0x10005},
    {0x32f4, 0x00000345},
    {0x3200, 1},
    {0x3220, 1},
    {0x3250, 1},
    {0x3224, 0x40000000},
    {0x3244, 0x1000},
    {0x3328, 0x12},
    {0x3240, 0x1004},
    {0x3320, 0x12},
    {0x3330, 4},
    {0x3334, 3},
    {0x3340, 0x8000},
    {0x3344, 0x00090001},
    {0x3248, 0x99},
};

#define GT215_CACHE1                                                                                                   \
    "in CACHE1: channel 5, IB, GET 0x0 PUT 0x0, pushbuffer GET 0x1200001000 PUT 0x1200001004, "                        \
    "IB GET 3 PUT 4 of 512 at 0x100008000 REF 0x99\n"

static void poke_all(struct tree *tree, const struct poke *pokes, size_t count) {
    for (size_t i = 0; i < count; i++)
        tree_poke(tree, pokes[i].offset, pokes[i].value);
}

static void channels_of_tesla_are_in_the_table(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    (void)state;
    poke_all(&tree, gt215_pokes, sizeof gt215_pokes / sizeof gt215_pokes[0]);
    tree_poke(&tree, 0x32ec, 2);
    tree_poke(&tree, 0xc00000 + 7 * 0x2000 + 0x88, 11);
    tree_poke(&tree, 0xc00000 + 7 * 0x2000 + 0x8c, 12);
    tree_poke(&tree, 0xc00000 + 7 * 0x2000 + 0x48, 13);
    expect_output(&tree, NULL, "channels\n",
                  "playlist: 2 channels at 0x345000 of VRAM\n" GT215_CACHE1
                  "channel 5: instance 0x80001200, on, in CACHE1\n"
                  "channel 7: instance 0xc0001234, on, pending, IB GET 11 PUT 12 REF 0xd, "
                  "RAMFC at 0x123400 of VRAM is out of sight\n"
                  "channel 8: instance 0x00001300, off, RAMFC at 0x130000 of VRAM is out of sight\n");
    tree_free(&tree);
}

/* What the window shows is read, also without permission to write: here 0x30000 and up. */
static void ramfc_of_tesla_is_looked_at_where_the_window_is(void **state) {
    const uint32_t ramfc = 0x700000 + 0x123400 - 0x30000;
    struct tree tree = tree_new(GT215_BOOT0);
    (void)state;
    tree_poke(&tree, 0x2600 + 4 * 7, 0x80001234);
    tree_poke(&tree, 0x1700, 0x00000003);
    tree_poke(&tree, ramfc + 0x08, 0x2000);
    tree_poke(&tree, ramfc + 0x0c, 0x34);
    tree_poke(&tree, ramfc + 0x10, 0x1ff0);
    tree_poke(&tree, ramfc + 0x14, 0x34);
    tree_poke(&tree, ramfc + 0x30, 0xc0000000);
    tree_poke(&tree, ramfc + 0x5c, 0x10);
    tree_poke(&tree, ramfc + 0x68, 0x55);
    tree_poke(&tree, ramfc + 0x84, 3);
    static const char want[] =
        "channel 7: instance 0x80001234, on, IB GET 0 PUT 0 REF 0x0, pushbuffer GET 0x3400001ff0 "
        "PUT 0x3400002000, pusher error 6, waits in an acquire for 0x55, 3 entries of CACHE1\n";
    struct outcome outcome = card(&tree, NULL, "channels\n");
    expect_text(outcome.out, want);
    outcome_free(&outcome);
    /* The last that it shows, the first behind it, and one before it. */
    tree_poke(&tree, 0x2600 + 4 * 7, 0x800012ff);
    tree_poke(&tree, 0x2600 + 4 * 8, 0x80001300);
    tree_poke(&tree, 0x2600 + 4 * 9, 0x800002ff);
    outcome = card(&tree, NULL, "channels\n");
    expect_text(outcome.out,
                "channel 7: instance 0x800012ff, on, IB GET 0 PUT 0 REF 0x0, pushbuffer GET 0x0 PUT 0x0\n");
    expect_text(outcome.out, "RAMFC at 0x130000 of VRAM is out of sight\n");
    expect_text(outcome.out, "RAMFC at 0x2ff00 of VRAM is out of sight\n");
    outcome_free(&outcome);
    /* System memory, and VRAM of the same address. */
    tree_poke(&tree, 0x2600 + 4 * 7, 0x82001234);
    outcome = card(&tree, NULL, "channels\n");
    expect_text(outcome.out, "RAMFC at 0x123400 of system memory is out of sight\n");
    outcome_free(&outcome);
    tree_poke(&tree, 0x1700, 0x02000003);
    outcome = card(&tree, NULL, "channels\n");
    expect_text(outcome.out, ", waits in an acquire for 0x55, ");
    outcome_free(&outcome);
    tree_free(&tree);
}

static void the_window_is_moved_only_by_permission_and_put_back(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    char link[160];
    (void)state;
    tree_poke(&tree, 0x2600 + 4 * 7, 0x80001234);
    tree_poke(&tree, 0x1700, 0x01000777);
    tree_poke(&tree, 0x700000 + 0x3400 + 0x08, 0x2000);
    struct outcome outcome = card(&tree, "--write", "channels\n");
    expect_text(outcome.out, ", pushbuffer GET 0x0 PUT 0x2000\n");
    assert_int_equal(tree.bar0[0x1700 / 4], 0x01000777);
    outcome_free(&outcome);
    snprintf(link, sizeof link, "%s/driver", tree.folder);
    assert_int_equal(symlink("/sys/bus/pci/drivers/nouveau", link), 0);
    outcome = card(&tree, "--write", "channels\n");
    expect_text(outcome.out, "RAMFC at 0x123400 of VRAM is out of sight\n");
    outcome_free(&outcome);
    tree_free(&tree);
}

static void channels_of_a_tesla_model_have_the_same_view(void **state) {
    char commands[3000] = "w32 PMC.ENABLE ~0\nw32 CACHE1_DMA_FETCH 0x40000000\n"
                          "vram 0x123408 0x2000 0x34 0x1ff0 0x34\nvram 0x12343c 0x40000000\n";
    (void)state;
    for (size_t i = 0; i < sizeof gt215_pokes / sizeof gt215_pokes[0]; i++)
        snprintf(commands + strlen(commands), sizeof commands - strlen(commands), "w32 0x%x 0x%x\n",
                 gt215_pokes[i].offset, gt215_pokes[i].value);
    strcat(commands, "channels\n");
    struct outcome outcome = model("GT215", commands);
    expect_status(0, &outcome);
    expect_text(outcome.out, GT215_CACHE1);
    expect_text(outcome.out, "channel 5: instance 0x80001200, on, in CACHE1\n");
    expect_text(outcome.out, ", pushbuffer GET 0x3400001ff0 PUT 0x3400002000\n");
    outcome_free(&outcome);
}

static void channels_of_g80_have_ramfc_in_the_descriptor(void **state) {
    struct tree tree = tree_new(0x050000a2);
    (void)state;
    tree_poke(&tree, 0x2600 + 4 * 7, 0xa0000123);
    struct outcome outcome = card(&tree, NULL, "channels\n");
    expect_text(outcome.out, "RAMFC at 0x123000 of system memory is out of sight\n");
    outcome_free(&outcome);
    tree_free(&tree);
}

static void channels_of_gf100_are_in_the_table_and_on_psubfifos(void **state) {
    static const struct poke pokes[] = {
        {0x204, 0x7},          {0x2278, 0x345},       {0x227c, 2},           {0x3018, 0xc0001234},
        {0x301c, 0x101f1001},  {0x3020, 0x40001235},  {0x3024, 0x001f0010},  {0x40120, 0x103},
        {0x40000, 4},          {0x40014, 3},          {0x40018, 0x1000},     {0x4001c, 0x12},
        {0x4005c, 0x1004},     {0x40060, 0x12},       {0x40028, 0x99},       {0x40084, 0x20016100},
        {0x40044, 0x00080000}, {0x40108, 0x00200000}, {0x44120, 0xbad0da00}, {0x27d0, 0x103},
        {0x2640, 0x80000003},  {0x27d4, 0x105},       {0x2644, 0x01000005}};
    static const struct poke off[] = {{0x204, 0}};
    (void)state;
    EXPECT_CHANNELS("GF100", pokes,
                    "playlist: 2 entries at 0x345000\n"
                    "channel 3: instance 0xc0001234 status 0x101f1001, polled, runnable, loaded, pending\n"
                    "channel 4: instance 0x40001235 status 0x001f0010, not valid, polled, waits in an acquire\n"
                    "PSUBFIFO 0: channel 3, GP GET 3 PUT 4, pushbuffer GET 0x1200001000 PUT 0x1200001004 REF 0x99, "
                    "header 0x20016100, waits in an acquire, interrupts 0x00200000\n"
                    "PSUBFIFO 1: no channel\n"
                    "PSUBFIFO 2: does not answer, 0xbad0da00\n"
                    "engine 0: channel 3, busy\n"
                    "engine 1: channel 5, faulted\n");
    EXPECT_CHANNELS("GF100", off, "playlist: 0 entries at 0x0\nno PSUBFIFO is on in PMC.SUBFIFO_ENABLE\n");
}

static void channels_of_gk104_are_in_pccsr_and_on_pbdmas(void **state) {
    static const struct poke pokes[] = {
        {0x204, 0x2},           {0x800018, 0x80001234}, {0x80001c, 0x16000001}, {0x800020, 0x00001235},
        {0x800024, 0x00c00000}, {0x807ff8, 0x80001236}, {0x807ffc, 0x0e000001}, {0x42120, 0x2003},
        {0x42014, 3},           {0x42000, 4},           {0x2640, 0x80003003},   {0x2650, 0x4007e000 | 1u << 28 | 5u}};
    static const char want[] =
        "channel 3: instance 0x80001234 status 0x16000001, on, ON_PBDMA_AND_ENG, busy\n"
        "channel 4: instance 0x00001235 status 0x00c00000, not bound, off, PBDMA faulted, engine faulted, IDLE\n"
        "channel 4095: instance 0x80001236 status 0x0e000001, on, ON_ENG_PENDING_ACQ_CTX_RELOAD\n"
        "PBDMA 1: channel 3, GP GET 3 PUT 4, pushbuffer GET 0x0 PUT 0x0 REF 0x0, header 0x00000000\n"
        "engine 0: TSG 3, busy\n"
        "engine 2: channel 5, switches, faulted, next TSG 7\n";
    (void)state;
    EXPECT_CHANNELS("GK104", pokes, want);
    EXPECT_CHANNELS("GP102", pokes, want);
}

static void a_card_that_went_away_has_no_channels(void **state) {
    static const char *const chips[] = {"NV40", "GT215"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct tree tree = tree_new(pfifo_chip_info(pfifo_chip_by_name(chips[i])).boot0);
        expect_output(&tree, "--write", "w32 PMC.ENABLE 0\nchannels\n", "PFIFO is off in PMC.ENABLE\n");
        expect_refusal(&tree, "--write", "w32 0 ~0\nchannels\n", " does not answer\n");
        tree_free(&tree);
    }
}

/* ---- trees that are not as they should be ---- */

static void files_that_are_missing_are_named(void **state) {
    static const char *const files[] = {"vendor", "device", "config", "resource", "resource0"};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct tree tree = tree_new(GT215_BOOT0);
        char want[100];
        tree_file(&tree, files[i], NULL, 0);
        snprintf(want, sizeof want, "0000:01:00.0/%s: ", files[i]);
        expect_no_card(&tree, want);
        expect_no_card(&tree, "No such file or directory\n");
        tree_free(&tree);
    }
}

static void texts_that_make_no_sense_are_refused(void **state) {
    static const struct {
        const char *file, *text, *want;
    } cases[] = {
        {"vendor", "", "vendor: offset 0: no number like 0x10de\n"},
        {"vendor", "garbage\n", "vendor: offset 0: no number like 0x10de\n"},
        {"vendor", "0x", "vendor: offset 0: no number"},
        {"vendor", "0x110de\n", "vendor: offset 0: no number"},
        {"vendor", "0x10de \n", "vendor: offset 0: no number"},
        {"vendor", "10de\n", "vendor: offset 0: no number"},
        {"device", "0x0ca3\n\n", "device: offset 0: no number like 0x10de\n"},
        {"device", "-1\n", "device: offset 0: no number"},
        {"vendor", "0x8086\n", "config: offset 0: 10de:0ca3, but the files vendor and device say 8086:0ca3\n"},
        {"config", "\xde\x10\xa3\x0c", "config: it ends at offset 4, within the header of 64 bytes\n"},
        {"resource", "", "resource: it is empty\n"},
        {"resource", "nothing\n", "resource: offset 0: no first address, last address and flags\n"},
        {"resource", "0x1000 0x1fff\n", "resource: offset 0: no first address, last address and flags\n"},
        {"resource", "0x1000 0x1fff 0x200", "resource: offset 0: no first address"},
        {"resource", "0x2000 0x1fff 0x200\n", "resource: offset 0: no first address"},
        {"resource", "0x1000 0x1fff 0x200\n0x1\n", "resource: offset 20: no first address"},
        {"resource", "0x0 0xffffffffffffffff 0x200\n", "resource: offset 0: no first address"},
        {"resource", "0x00000000000000001 0x2 0x200\n", "resource: offset 0: no first address"},
        {"resource", "0x0 0x0 0x0\n", "resource: offset 0: BAR0 is no memory of the size that registers have\n"},
        {"resource", "0x1000 0x1fff 0x100\n", "resource: offset 0: BAR0 is no memory"},
        {"resource", "0x1000 0x13ff 0x200\n", "resource: offset 0: BAR0 is no memory"},
        {"resource", "0x0 0xffffffff 0x200\n", "resource: offset 0: BAR0 is no memory"},
        {"resource0", "", "resource0: it ends at offset 0, but BAR0 has 16777216 bytes\n"},
        {"resource0", "\xa2", "resource0: it ends at offset 1, but BAR0 has 16777216 bytes\n"},
        {"power_state", "D3cold\n", "power_state: the card is switched off (D3cold); 'on' in power/control wakes it\n"},
        {"power_state", "D3hot\n", "power_state: the card is switched off (D3hot)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tree tree = tree_new(GT215_BOOT0);
        char want[200];
        tree_text(&tree, cases[i].file, cases[i].text);
        snprintf(want, sizeof want, "0000:01:00.0/%s", cases[i].want);
        expect_no_card(&tree, want);
        tree_free(&tree);
    }
    struct tree tree = tree_new(GT215_BOOT0);
    tree_text(&tree, "power_state", "D0\n");
    expect_output(&tree, NULL, "echo on\n", "on\n");
    tree_free(&tree);
}

static void the_header_of_the_device_is_checked(void **state) {
    static const struct {
        uint8_t offset, value, other;
        const char *want;
    } cases[] = {
        {0, 0xff, 0xff, "config: offset 0: 0xffff, the device does not answer: it is switched off or gone\n"},
        {2, 0xa4, 0x0c, "config: offset 0: 10de:0ca4, but the files vendor and device say 10de:0ca3\n"},
        {4, 0x04, 0x00, "config: offset 4: memory decoding is off, BAR0 does not answer;"},
        {14, 0x01, 0x00, "config: offset 14: header of type 1, not that of a device\n"},
        {10, 0x03, 0x04, "0000:01:00.0 is no graphics chip of NVIDIA: 10de:0ca3, class 040300\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t config[64] = {0xde, 0x10, 0xa3, 0x0c, 7, 0, 0x10, 0, 0xa2, 0, 0, 3};
        struct tree tree = tree_new(GT215_BOOT0);
        config[cases[i].offset] = cases[i].value;
        config[cases[i].offset + 1] = cases[i].other;
        tree_file(&tree, "config", config, sizeof config);
        expect_no_card(&tree, cases[i].want);
        tree_free(&tree);
    }
}

static void a_card_that_does_not_say_what_it_is_is_refused(void **state) {
    static const struct {
        uint32_t boot0;
        const char *want;
    } cases[] = {
        {0xffffffff,
         "resource0: offset 0: BOOT_0 is 0xffffffff, the card does not answer: it is switched off, in reset"},
        {0, "resource0: offset 0: BOOT_0 is 0x00000000, which is no chip; is the card in reset?\n"},
        {0x194000a1, "resource0: offset 0: BOOT_0 is 0x194000a1, which is no chip of the table (pfifo chips)\n"},
        {0xbad00100, "resource0: offset 0: BOOT_0 is 0xbad00100, which is no chip of the table"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tree tree = tree_new(cases[i].boot0);
        expect_no_card(&tree, cases[i].want);
        tree_free(&tree);
    }
}

static void where_there_is_no_card_those_that_are_there_are_told(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    (void)state;
    struct outcome outcome = tool_run("shell", "--sysfs", tree.root, "--pci=02:00.0");
    expect_status(2, &outcome);
    expect_text(outcome.err, "0000:02:00.0: No such file or directory\npfifo: 0000:01:00.0: 10de:0ca3\n");
    outcome_free(&outcome);
    outcome = tool_run("shell", "--sysfs", tree.root, "--pci=nothing");
    expect_status(2, &outcome);
    expect_text(outcome.err, "'nothing' is no address of a PCI device, like 0000:01:00.0\npfifo: 0000:01:00.0: ");
    outcome_free(&outcome);
    tree_ids(&tree, 0x8086, 0x0ca3);
    outcome = tool_run("shell", "--sysfs", tree.root, "--pci=01:00.0");
    expect_status(2, &outcome);
    expect_text(outcome.err, "is no graphics chip of NVIDIA: 8086:0ca3, class 030000\n"
                             "pfifo: no graphics chip of NVIDIA is to be found in ");
    outcome_free(&outcome);
    outcome = tool_run("shell", "--sysfs", "/nonexistent", "--pci=01:00.0");
    expect_status(2, &outcome);
    expect_text(outcome.err, "no graphics chip of NVIDIA is to be found in /nonexistent\n");
    outcome_free(&outcome);
    tree_free(&tree);
}

static void options_that_do_not_go_together_are_refused(void **state) {
    static const char *const cases[][5] = {
        {"shell", "--write"},
        {"shell", "--sysfs=/tmp"},
        {"shell", "--chip=NV40", "--write"},
        {"shell", "--pci=01:00.0", "--chip=NV40"},
        {"shell", "--pci=01:00.0", "--trace=*"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct outcome outcome = tool_run_to(NULL, cases[i]);
        expect_status(2, &outcome);
        expect_text(outcome.err, "--");
        outcome_free(&outcome);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_card_is_told_with_its_chip_and_bars),
        cmocka_unit_test(every_chip_is_recognised_and_answers),
        cmocka_unit_test(an_address_is_written_with_or_without_its_domain),
        cmocka_unit_test(addresses_are_checked),
        cmocka_unit_test(links_lead_to_the_card_and_name_its_driver),
        cmocka_unit_test(the_oldest_chips_have_other_vendors),
        cmocka_unit_test(a_chip_without_a_machine_has_names_of_registers),
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
        cmocka_unit_test(channels_of_nv1_are_in_cache1_and_ramro),
        cmocka_unit_test(channels_of_nv4_are_in_cache1_and_ramfc),
        cmocka_unit_test(channels_of_nv44_are_in_dma_user),
        cmocka_unit_test(channels_of_tesla_are_in_the_table),
        cmocka_unit_test(ramfc_of_tesla_is_looked_at_where_the_window_is),
        cmocka_unit_test(the_window_is_moved_only_by_permission_and_put_back),
        cmocka_unit_test(channels_of_a_tesla_model_have_the_same_view),
        cmocka_unit_test(channels_of_g80_have_ramfc_in_the_descriptor),
        cmocka_unit_test(channels_of_gf100_are_in_the_table_and_on_psubfifos),
        cmocka_unit_test(channels_of_gk104_are_in_pccsr_and_on_pbdmas),
        cmocka_unit_test(a_card_that_went_away_has_no_channels),
        cmocka_unit_test(files_that_are_missing_are_named),
        cmocka_unit_test(texts_that_make_no_sense_are_refused),
        cmocka_unit_test(the_header_of_the_device_is_checked),
        cmocka_unit_test(a_card_that_does_not_say_what_it_is_is_refused),
        cmocka_unit_test(where_there_is_no_card_those_that_are_there_are_told),
        cmocka_unit_test(options_that_do_not_go_together_are_refused),
    };
    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
