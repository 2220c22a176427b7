/* SPDX-License-Identifier: MIT */
/* Shared by the register commands: matching names with globs, and fields as text. */
#ifndef PFIFO_TOOL_CHIPS_REGISTER_TEXT_H
#define PFIFO_TOOL_CHIPS_REGISTER_TEXT_H

#include <pfifo/registers.h>

/* Does the glob match the name, with or without its unit, in either case? NULL matches all. */
bool register_matches(const struct pfifo_register *reg, const char *glob);
bool window_matches(const struct pfifo_window *window, const char *glob);

/* "ACCESS=1 HASH_FAILED=0", as much as fits; "" for a register without fields. */
void register_format_fields(const struct pfifo_register *reg, uint32_t value, char *buf, size_t size);

/* "METHOD ACQUIRE": the fields that are not 0, without their values if they are bits; bits without a name. */
void register_format_names(const struct pfifo_register *reg, uint32_t value, char *buf, size_t size);

#endif
