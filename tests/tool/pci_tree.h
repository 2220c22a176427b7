/* SPDX-License-Identifier: MIT */
/* A tree of sysfs made of files, with one card in it. */
#ifndef TESTS_TOOL_PCI_TREE_H
#define TESTS_TOOL_PCI_TREE_H

#include <pfifo/error.h>

#define TREE_BAR0 (UINT32_C(16) << 20)

struct tree {
    char root[200];
    char folder[260]; /* of the card, 0000:01:00.0 */
    uint32_t *bar0;   /* resource0, shared with whoever else has it mapped */
};

/* A card of NVIDIA with that PMC_BOOT_0, all units on, and nothing else in its registers. */
struct tree tree_new(uint32_t boot0);
void tree_free(struct tree *tree);

void tree_poke(struct tree *tree, uint32_t offset, uint32_t value);

/* Another content of a file of the card; NULL: none, it is removed. */
void tree_file(struct tree *tree, const char *name, const void *data, size_t bytes);
void tree_text(struct tree *tree, const char *name, const char *text);

/* The header of the configuration space, with other ids. */
void tree_ids(struct tree *tree, uint16_t vendor, uint16_t device);

/* ---- the console on that card ---- */

#define GT215_BOOT0 0x0a3300a2u

struct outcome;

/* Commands for the card of a tree, with one more option or none; for a model. */
struct outcome card_shell(const struct tree *tree, const char *option, const char *commands);
struct outcome model_shell(const char *chip, const char *commands);

/* Standard error has a line that says which card it is, and no more. */
void expect_no_errors(const struct outcome *outcome);

void expect_text(const char *text, const char *want);

/* The commands are successful, and print this. */
void expect_output(const struct tree *tree, const char *option, const char *commands, const char *want);

/* A command fails and prints nothing but this, on standard error. */
void expect_refusal(const struct tree *tree, const char *option, const char *command, const char *want);

/* Commands, one after the other, of at most `size` bytes. */
void append(char *commands, size_t size, const char *format, ...) PFIFO_PRINTF(3, 4);

#endif
