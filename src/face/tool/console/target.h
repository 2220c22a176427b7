/* SPDX-License-Identifier: MIT */
/*
 * What the console works on.
 *
 *   machine/model.c   a model: everything can be read and written, and commands run it
 *   machine/card.c    a card, through its BAR0
 *   replay/           a model that a capture is replayed on: it is looked at, and the replay alone changes it
 */
#ifndef PFIFO_TOOL_CONSOLE_TARGET_H
#define PFIFO_TOOL_CONSOLE_TARGET_H

#include "face/tool/console/examine.h"
#include "face/tool/console/place.h"

/* Where x has read. */
struct console_examined {
    char space[32]; /* "vram:" */
    uint64_t address;
};

struct console_target {
    enum console_on kind; /* one bit */
    const char *is;       /* "a model" */
    /* See console_reach(); `last` is the place of the last access. NULL: everything can be. */
    bool (*reach)(struct console *console, const struct console_place *first, const struct console_place *last,
                  unsigned bytes, enum console_access access, struct pfifo_error *error);
    uint32_t (*read)(struct console *console, const struct console_place *place, unsigned bytes);
    void (*write)(struct console *console, const struct console_place *place, unsigned bytes, uint32_t value);
    /* Words of physical memory, without a trace of it. False: they cannot be seen. */
    bool (*look)(struct console *console, enum console_space space, uint64_t address, uint32_t *words, unsigned count);
    /* Let some time pass. False: time only passes with the command run. */
    bool (*wait)(struct console *console);
    /* x: the values at PLACE, as that target understands it. */
    bool (*examine)(struct console *console, const char *place, const struct examine_format *format, uint8_t *data,
                    struct console_examined *where, struct pfifo_error *error);
    /* "$pc". NULL: there are none. */
    bool (*variable)(struct console *console, const char *name, uint64_t *value, struct pfifo_error *error);
    /* A line, in its own way around console_execute(). NULL: there is none. */
    enum console_status (*line)(struct console *console, const char *line, struct pfifo_error *error);
    /*
     * Single units of work, without stops at breakpoints: how many were done since the last change from outside; go
     * back by so many of them; do so many, `again` if they were done before. False: the error says why. NULL: no
     * programs run.
     */
    uint64_t (*units_before)(const struct console *console);
    bool (*units_back)(struct console *console, uint64_t units, struct pfifo_error *error);
    bool (*units_on)(struct console *console, uint64_t units, bool again, struct pfifo_error *error);
    unsigned number_bytes;             /* of what print prints */
    const struct breaks_owner *breaks; /* NULL: it cannot be made to stop */
    /* The reasons of the last stop, as bits of enum run_stop; 0: nothing has run. */
    uint32_t (*stops)(const struct console *console);
    unsigned stop_kinds; /* the reasons that there can be: those before this one of enum run_stop */
    /* More of an error about what does not exist: "; nothing has run yet". NULL: never anything. */
    const char *(*not_yet)(const struct console *console);
};

/* `examine` of PLACE as r32 understands it. */
bool console_examine_place(struct console *console, const char *place, const struct examine_format *format,
                           uint8_t *data, struct console_examined *where, struct pfifo_error *error);

extern const struct console_target console_model, console_card, console_capture;

#endif
