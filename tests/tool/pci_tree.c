/* SPDX-License-Identifier: MIT */
#include "tool/pci_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <cmocka.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "temporary.h"
#include "tool/tool.h"

#define PMC_ENABLE 0x200

static const char resource[] = "0x00000000fa000000 0x00000000faffffff 0x0000000000040200\n"
                               "0x00000000d0000000 0x00000000dfffffff 0x000000000014220c\n"
                               "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
                               "0x00000001ce000000 0x00000001cfffffff 0x000000000014220c\n"
                               "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
                               "0x000000000000cc00 0x000000000000cc7f 0x0000000000040101\n"
                               "0x00000000fb000000 0x00000000fb07ffff 0x0000000000046200\n"
                               "0x0000000000000000 0x0000000000000000 0x0000000000000000\n";

static void make_folders(const char *path) {
    char part[400];

    for (size_t i = 1; path[i - 1]; i++) {
        if (path[i] != '/' && path[i])
            continue;
        snprintf(part, sizeof part, "%.*s", (int)i, path);
        mkdir(part, 0700);
    }
}

static void map_bar0(struct tree *tree) {
    char path[400];

    snprintf(path, sizeof path, "%s/resource0", tree->folder);
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, TREE_BAR0), 0);
    tree->bar0 = mmap(NULL, TREE_BAR0, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(tree->bar0 != MAP_FAILED);
    close(fd);
}

struct tree tree_new(uint32_t boot0) {
    struct tree tree = {.bar0 = NULL};
    char pattern[TEMPORARY_PATH];

    temporary_pattern(pattern, "");
    assert_true(strlen(pattern) < sizeof tree.root);
    memcpy(tree.root, pattern, strlen(pattern));
    assert_non_null(mkdtemp(tree.root));
    snprintf(tree.folder, sizeof tree.folder, "%s/bus/pci/devices/0000:01:00.0", tree.root);
    make_folders(tree.folder);
    tree_ids(&tree, 0x10de, 0x0ca3);
    tree_text(&tree, "resource", resource);
    map_bar0(&tree);
    tree_poke(&tree, 0, boot0);
    tree_poke(&tree, PMC_ENABLE, UINT32_MAX);
    return tree;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *ftw) {
    (void)status, (void)kind, (void)ftw;
    return remove(path);
}

void tree_free(struct tree *tree) {
    munmap(tree->bar0, TREE_BAR0);
    nftw(tree->root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

void tree_poke(struct tree *tree, uint32_t offset, uint32_t value) {
    tree->bar0[offset / 4] = value;
}

void tree_file(struct tree *tree, const char *name, const void *data, size_t bytes) {
    char path[400];

    snprintf(path, sizeof path, "%s/%s", tree->folder, name);
    if (data)
        write_file(path, data, bytes);
    else
        assert_int_equal(unlink(path), 0);
}

void tree_text(struct tree *tree, const char *name, const char *text) {
    tree_file(tree, name, text, strlen(text));
}

/* Memory and ports decoded, a VGA device, revision a2. */
void tree_ids(struct tree *tree, uint16_t vendor, uint16_t device) {
    uint8_t config[64] = {
        (uint8_t)vendor, (uint8_t)(vendor >> 8), (uint8_t)device, (uint8_t)(device >> 8), 7, 0, 0x10, 0, 0xa2, 0, 0, 3};
    char text[16];

    tree_file(tree, "config", config, sizeof config);
    snprintf(text, sizeof text, "0x%04x\n", vendor);
    tree_text(tree, "vendor", text);
    snprintf(text, sizeof text, "0x%04x\n", device);
    tree_text(tree, "device", text);
}

struct outcome card_shell(const struct tree *tree, const char *option, const char *commands) {
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

struct outcome model_shell(const char *chip, const char *commands) {
    char *path = temporary_path(".pfifo"), option[32];

    write_file(path, commands, strlen(commands));
    snprintf(option, sizeof option, "--chip=%s", chip);
    struct outcome outcome = tool_run("shell", option, "-k", path);
    unlink(path);
    free(path);
    return outcome;
}

void expect_text(const char *text, const char *want) {
    if (!strstr(text, want))
        fail_msg("no '%s' in: %.2000s", want, text);
}

void expect_no_errors(const struct outcome *outcome) {
    if (strncmp(outcome->err, "pfifo: 0000:01:00.0: ", 21) != 0 || strchr(outcome->err, '\n')[1])
        fail_msg("not one line about the card: %.2000s", outcome->err);
}

void expect_output(const struct tree *tree, const char *option, const char *commands, const char *want) {
    struct outcome outcome = card_shell(tree, option, commands);

    expect_no_errors(&outcome);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, want);
    outcome_free(&outcome);
}

void expect_refusal(const struct tree *tree, const char *option, const char *command, const char *want) {
    struct outcome outcome = card_shell(tree, option, command);

    expect_status(1, &outcome);
    expect_text(outcome.err, want);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
}

void append(char *commands, size_t size, const char *format, ...) {
    size_t used = strlen(commands);
    va_list args;

    va_start(args, format);
    int length =
        vsnprintf(commands + used, size - used, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(args);
    assert_true(length >= 0 && used + (size_t)length < size);
}
