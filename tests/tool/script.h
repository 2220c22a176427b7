/* SPDX-License-Identifier: MIT */
/* Scripts for `pfifo shell` and `pfifo run`. */
#ifndef PFIFO_TESTS_TOOL_SCRIPT_H
#define PFIFO_TESTS_TOOL_SCRIPT_H

#include "tool/tool.h"

/* After power-on PFIFO is off: what a driver does first. */
#define POWER_ON "w32 PMC.ENABLE 0x01101100\n"

/* NV40, channel 0 by hand: a packet of two reference counts. */
#define NV40_CHANNEL                                                                                                   \
    POWER_ON                                                                                                           \
    "ramin 0x1000 0x0002303d 0xfff 0x3\n" /* DMA object: system memory, linear, from 0 */                              \
    "sys 0x0 0x40080050 7 8\n"                                                                                         \
    "w32 MODE 1\n"                                                                                                     \
    "w32 CACHE1_PUSH1 0x10000\n"                                                                                       \
    "w32 CACHE1_DMA_INSTANCE 0x100\n"                                                                                  \
    "w32 CACHE1_DMA_CTL 0\n"                                                                                           \
    "w32 CACHE1_DMA_PUSH 1\n"                                                                                          \
    "w32 CACHE1_PUSH0 1\n"                                                                                             \
    "w32 CACHE1_PULL0 1\n"

/* A temporary file of these lines; yours to unlink and to free. */
char *script_file(const char *text);

/* `pfifo COMMAND [OPTION] FILE` with a file of these lines. */
struct outcome run_script(const char *command, const char *option, const char *text);

/* `pfifo shell` with an NV40. */
struct outcome shell(const char *text);

void expect_text(const struct outcome *outcome, const char *text);
void expect_no_text(const struct outcome *outcome, const char *text);

/* The script ends with status 1, and this is said of the line. */
void expect_failure(const char *text, unsigned line, const char *message);

/* A script of expectations. */
void expect_success(const char *text);

#endif
