/* SPDX-License-Identifier: MIT */
/* Registers as text. */
#ifndef PFIFO_TOOL_CONSOLE_MACHINE_SHOW_H
#define PFIFO_TOOL_CONSOLE_MACHINE_SHOW_H

#include "face/tool/console/place.h"

/* "0x003270 CACHE1_GET = 0x00000004  ADDRESS=1" */
void console_show_register(struct console *console, uint32_t offset, uint32_t value);
/* The same without the end of the line. */
void console_print_register(struct console *console, uint32_t offset, uint32_t value);

/* Text for a bit or number of a register. */
struct console_flag {
    uint32_t mask, value;
    const char *text;
};
/* ", text" for each flag that is set; the last flag has no text. */
void console_print_flags(struct console *console, uint32_t value, const struct console_flag *flags);
/* " METHOD ACQUIRE": the bits of a register that are set, by their names. */
void console_print_names(struct console *console, uint32_t offset, uint32_t value);
/* Is it the value that a read returns where no unit answers? G80 and later. */
bool console_is_silence(uint32_t value);

#endif
