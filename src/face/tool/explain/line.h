/* SPDX-License-Identifier: MIT */
/* What a line says: errors by their names, and a method with its data. */
#ifndef PFIFO_TOOL_EXPLAIN_LINE_H
#define PFIFO_TOOL_EXPLAIN_LINE_H

#include "face/tool/explain/explain.h"

enum { LINE_ERRORS = 16 };

struct line {
    char error[LINE_ERRORS][EXPLAIN_BYTES];
    char number[LINE_ERRORS][12]; /* that says which error it is, with 0x; empty: the name does */
    size_t errors;
    bool has_class, has_method, has_data, is_pbdma, is_graph;
    uint32_t class_id, method, data;
    const char *chip; /* whose word it is; NULL: there is none */
    uint32_t word;
};

/* The hexadecimal number at `at`, of 32 bits. */
bool line_read_number(const char *at, uint32_t *number);

/* line_emulator.c: is it a line of an emulator's log? */
bool line_of_emulator(struct line *line, const char *text);

#endif
