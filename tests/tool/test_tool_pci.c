/* SPDX-License-Identifier: MIT */
/* `pfifo shell --pci` on cards that are files: what it says of them, and trees that are not as they should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pfifo/chip.h>

#include "card/card.h"
#include "tool/pci_tree.h"
#include "tool/tool.h"

#define GT215_BARS                                                                                                     \
    "BAR0 0x00fa000000 16 MiB, 32 bits: registers\n"                                                                   \
    "BAR1 0x00d0000000 256 MiB, 64 bits, prefetchable: VRAM\n"                                                         \
    "BAR3 0x01ce000000 32 MiB, 64 bits, prefetchable: RAMIN\n"                                                         \
    "BAR5 0x000000cc00 128 bytes of ports\n"                                                                           \
    "ROM  0x00fb000000 512 KiB, 32 bits, prefetchable\n"

/* The card cannot be opened: exit status 2, and nothing on standard output. */
static void expect_no_card(const struct tree *tree, const char *want) {
    struct outcome outcome = card_shell(tree, NULL, "echo opened\n");

    expect_text(outcome.err, want);
    assert_string_equal(outcome.out, "");
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

/* ---- what it is ---- */

static void a_card_is_told_with_its_chip_and_bars(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    struct outcome outcome = card_shell(&tree, NULL, "card\n");
    (void)state;
    expect_status(0, &outcome);
    assert_string_equal(outcome.out,
                        "0000:01:00.0: GT215 (Tesla), BOOT_0 0x0a3300a2, PCI 10de:0ca3 revision a2, no driver, "
                        "read-only\n" GT215_BARS);
    outcome_free(&outcome);
    outcome = card_shell(&tree, "--write", "card\n");
    expect_text(outcome.out, ", no driver, can be written\n" GT215_BARS);
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
        struct outcome outcome = card_shell(&tree, NULL, "card\ndump\nirq\n");
        expect_status(0, &outcome);
        snprintf(want, sizeof want, "0000:01:00.0: %s (%s), BOOT_0 0x%08x, ", chip.name, chip.generation, chip.boot0);
        expect_text(outcome.out, want);
        snprintf(want, sizeof want, "0x000000 BOOT_0 = 0x%08x", chip.boot0);
        expect_text(outcome.out, want);
        expect_text(outcome.out, "0x000100 PMC.INTR = 0x00000000");
        assert_int_equal(strstr(outcome.out, "is not built: only what pfifo regs lists has names.\n") == NULL,
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
        expect_text(outcome.err, "0000:01:00.0: GT215");
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
    char moved[300];
    (void)state;
    snprintf(moved, sizeof moved, "%s/card", tree.root);
    assert_int_equal(rename(tree.folder, moved), 0);
    assert_int_equal(symlink("../../../card", tree.folder), 0);
    snprintf(moved, sizeof moved, "%s/card/driver", tree.root);
    assert_int_equal(symlink("../../../../bus/pci/drivers/nouveau", moved), 0);
    struct outcome outcome = card_shell(&tree, NULL, "card\n");
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
    struct outcome outcome = card_shell(&tree, NULL, "card\n");
    expect_text(outcome.out, "NV1 (NV1), BOOT_0 0x00010101, PCI 104a:0009 ");
    outcome_free(&outcome);
    tree_poke(&tree, 0, 0x20030121);
    tree_ids(&tree, 0x12d2, 0x0018);
    outcome = card_shell(&tree, NULL, "card\n");
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
    expect_refusal(&tree, NULL, "r32 CFG0\n", ":1: GA100 has no register 'CFG0'");
    tree_free(&tree);
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

static void cards_are_listed_by_address(void **state) {
    static const char *const names[] = {"0000:03:00.0", "0000:00:02.0", "0000:02:00.1", "0000:02:00.0"};
    struct tree tree = tree_new(GT215_BOOT0);
    char path[400];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/bus/pci/devices/%s", tree.root, names[i]);
        assert_int_equal(symlink(tree.folder, path), 0);
    }
    struct outcome outcome = tool_run("shell", "--sysfs", tree.root, "--pci=07:00.0");
    expect_text(outcome.err, "pfifo: 0000:00:02.0: 10de:0ca3\npfifo: 0000:01:00.0: 10de:0ca3\n"
                             "pfifo: 0000:02:00.0: 10de:0ca3\npfifo: 0000:02:00.1: 10de:0ca3\n"
                             "pfifo: 0000:03:00.0: 10de:0ca3\n");
    outcome_free(&outcome);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/bus/pci/devices/%s", tree.root, names[i]);
        unlink(path);
    }
    tree_free(&tree);
}

/* Somebody who types sees it at once; what is piped has only what commands print. */
static void a_script_prints_what_its_commands_print(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    struct outcome outcome = card_shell(&tree, NULL, "r32 BOOT_0\n");
    (void)state;
    assert_ptr_equal(strstr(outcome.out, "0x000000 BOOT_0 = 0x0a3300a2"), outcome.out);
    assert_string_equal(outcome.err, "pfifo: 0000:01:00.0: GT215, read-only\n");
    outcome_free(&outcome);
    tree_free(&tree);
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
    tree_text(&tree, "power_state", "D3hot\n");
    outcome = tool_run("shell", "--sysfs", tree.root, "--pci=02:00.0");
    expect_text(outcome.err, "pfifo: 0000:01:00.0: 10de:0ca3, switched off: D3hot\n");
    outcome_free(&outcome);
    tree_ids(&tree, 0x8086, 0x0ca3);
    outcome = tool_run("shell", "--sysfs", tree.root, "--pci=01:00.0");
    expect_status(2, &outcome);
    expect_text(outcome.err, "is no graphics chip of NVIDIA: 8086:0ca3, class 030000\n"
                             "pfifo: no graphics chip of NVIDIA is to be found in ");
    outcome_free(&outcome);
    outcome = tool_run("shell", "--sysfs", "/nonexistent", "--pci=01:00.0");
    expect_status(2, &outcome);
    expect_text(outcome.err, "no graphics chip of NVIDIA is to be found in /nonexistent; "
                             "--chip=CHIP, instead of --pci, opens a model\n");
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
        cmocka_unit_test(files_that_are_missing_are_named),
        cmocka_unit_test(texts_that_make_no_sense_are_refused),
        cmocka_unit_test(the_header_of_the_device_is_checked),
        cmocka_unit_test(a_card_that_does_not_say_what_it_is_is_refused),
        cmocka_unit_test(cards_are_listed_by_address),
        cmocka_unit_test(a_script_prints_what_its_commands_print),
        cmocka_unit_test(where_there_is_no_card_those_that_are_there_are_told),
        cmocka_unit_test(options_that_do_not_go_together_are_refused),
    };
    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
