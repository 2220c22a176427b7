/* SPDX-License-Identifier: MIT */
/* Places and values of commands, and accesses of them: PLACE is [SPACE:]ADDRESS or a register, see values.c. */
#ifndef PFIFO_TOOL_CONSOLE_PLACE_H
#define PFIFO_TOOL_CONSOLE_PLACE_H

#include "face/tool/console/command.h"

#include <pfifo/registers.h>

/* The target of a command: space and address. */
enum console_space { CONSOLE_BAR, CONSOLE_VRAM, CONSOLE_SYSTEM };

struct console_place {
    enum console_space space;
    unsigned bar;
    uint64_t address;
    uint32_t stride; /* of the array that was named; 0: none was */
};

/* PLACE: [SPACE:]ADDRESS. VALUE: a number of at most `bytes`. NUMBER: one from 0 to `most`. */
bool console_place(struct console *console, const char *text, struct console_place *place, struct pfifo_error *error);
bool console_value(struct console *console, const char *text, unsigned bytes, uint64_t *value,
                   struct pfifo_error *error);
bool console_value32(struct console *console, const char *text, unsigned bytes, uint32_t *value,
                     struct pfifo_error *error);
/* The same with variables of the target, "$pc+8". */
bool console_number_of(struct console *console, const char *text, uint64_t most, uint64_t *number,
                       struct pfifo_error *error);
bool console_number(const char *text, uint64_t most, uint64_t *number, struct pfifo_error *error);

/* The place in a space with a name: "vram", "bar1" ... */
bool console_place_in(struct console *console, const char *space, uint64_t address, struct console_place *place,
                      struct pfifo_error *error);

/*
 * Can so many accesses be made, the first of them at the place? If not, the error says why. What can be is done by
 * console_read() and console_write(): 1, 2 or 4 bytes at any address that the target allows.
 */
enum console_access { CONSOLE_READ, CONSOLE_WRITE };
bool console_reach(struct console *console, const struct console_place *place, uint64_t count, unsigned bytes,
                   enum console_access access, struct pfifo_error *error);
uint32_t console_read(struct console *console, const struct console_place *place, unsigned bytes);
void console_write(struct console *console, const struct console_place *place, unsigned bytes, uint32_t value);

/*
 * A register by its offset. Where the chip has none, which its tables know, nothing is read: reads are errors there,
 * which units take down. All ones then.
 */
uint32_t console_rd32(struct console *console, uint32_t offset);
/* An address of 40 bits in two of them. */
uint64_t console_rd40(struct console *console, uint32_t low, uint32_t high);

/* "vram:", "bar1:" ...; nothing for registers. */
const char *console_space_name(const struct console_place *place);

/* Is a read of BAR0 there without an effect? */
bool console_only_looks(const struct console *console, uint64_t offset);

/* The window of that name. False if the chip has none. */
bool console_window(const struct console *console, const char *name, struct pfifo_window *window);

#endif
