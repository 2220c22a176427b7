/* SPDX-License-Identifier: MIT */
/* Sessions of `pfifo debug`. */
#ifndef TESTS_TOOL_DEBUG_H
#define TESTS_TOOL_DEBUG_H

#include "tool/tool.h"

/* Its lines are the session's standard input. */
struct outcome debug_file(const char *path, const char *lines);

/* These texts are in what was printed, in this order. */
void expect_in_order(const struct outcome *outcome, const char *const *texts);

/* The lines work on a sample, and print these texts, in this order. */
void expect_debug(const char *sample, const char *lines, const char *const *texts);
#define EXPECT_DEBUG(sample, lines, ...) expect_debug(sample, lines, (const char *const[]){__VA_ARGS__, NULL})

/* The last line fails on a sample of NV40, with this message. */
void expect_wrong(const char *lines, const char *message);

/* `to` a place, save; `on`, `back`, save: the same bytes. */
void expect_same_place(const char *sample, const char *to, const char *on, const char *back);
void expect_same_place_in(const char *path, const char *to, const char *on, const char *back);

#endif
