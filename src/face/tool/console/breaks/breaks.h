/* SPDX-License-Identifier: MIT */
/*
 * Breakpoints of pfifo debug and pfifo shell: what they are, what they match, how they are told.
 *
 *   "break WHERE" --breaks_add()--> the list --.
 *   the method, or word, that comes next -------> hits --> the reason, in lines; and a stop
 *   an event; a unit of work is done -----------'
 *
 * Nothing here knows a capture or a machine: the owner says what happens, and reads registers and memory.
 */
#ifndef PFIFO_TOOL_CONSOLE_BREAKS_BREAKS_H
#define PFIFO_TOOL_CONSOLE_BREAKS_BREAKS_H

#include <pfifo/chip.h>
#include <pfifo/decode.h>
#include <pfifo/event.h>
#include <pfifo/gpu.h>
#include <pfifo/program.h>
#include <pfifo/query.h>
#include <pfifo/registers.h>
#include <pfifo/trace.h>

#include "face/tool/command/refuse.h"

enum {
    BREAKS_MOST = 64,
    BREAK_BYTES = 256, /* of the text of one */
    BREAK_WATCH_BYTES = 4096,
    BREAK_OBJECTS = 64, /* whose state one watches */
    BREAKS_REASON_BYTES = 2048,
    BREAKS_GLOBS_BYTES = BREAKS_MOST * BREAK_BYTES,
};

enum break_kind { BREAK_METHOD, BREAK_ADDRESS, BREAK_EVENT, BREAK_REGISTER, BREAK_MEMORY, BREAK_STATE, BREAK_PROGRAM };

/* Memory, as the owner has it. */
struct break_memory {
    unsigned kind;    /* a number of the owner's for each kind of memory */
    uint32_t channel; /* that sees it; UINT32_MAX: the first one */
    uint32_t handle;  /* of a buffer */
    uint64_t address; /* or the offset in the buffer */
};

/* What an object holds of a method; UINT32_MAX: it has no such. */
struct break_held {
    uint32_t channel, oclass, method, value;
};

struct breakpoint {
    unsigned number; /* 0: the slot is free */
    enum break_kind kind;
    bool temporary, hit; /* hit: at the stop that is shown now */
    uint64_t hits;
    char text[BREAK_BYTES];
    struct pfifo_query *query; /* of methods or events; NULL: all */
    char *globs;               /* of events */
    uint8_t *events;           /* by id: is it one of them? */
    uint64_t address;          /* of a word of a pushbuffer */
    struct break_memory memory;
    size_t bytes;            /* of it */
    uint32_t offset, value;  /* of a register */
    uint8_t *old;            /* memory, as it was */
    bool mapped;             /* there is memory */
    struct break_held *held; /* of each object that has been bound */
    size_t objects;
    struct break_program *program; /* which instructions of shader programs: program.c */
};

/* Who has breakpoints. All functions are needed. */
struct breaks_owner {
    void (*print)(void *opaque, const char *text); /* lines */
    bool (*number)(void *opaque, const char *text, uint64_t *number, struct pfifo_error *error);
    /* A register that can be read all the time; its name is in the text. False: there is none, or a read acts. */
    bool (*find_register)(void *opaque, const char *text, uint32_t *offset, struct pfifo_error *error);
    bool (*find_memory)(void *opaque, const char *text, struct break_memory *memory, struct pfifo_error *error);
    struct pfifo_gpu *(*gpu)(void *opaque); /* that it has now: registers are read there */
    /* False: not all of it is there. */
    bool (*read_memory)(void *opaque, const struct break_memory *memory, void *data, size_t bytes);
    /* Is the name that of a register, not an address of memory? */
    bool (*is_register)(void *opaque, const char *text);
    /* Add to the reason what has changed the watched value. `memory`: it was memory, not a register. */
    void (*blame)(void *opaque, bool memory);
    /* Other events are wanted: breaks_globs(). False: they cannot be observed. */
    bool (*observe)(void *opaque, struct pfifo_error *error);
    /* The class of an object that was bound, and its channel; false: there are no more, and one may come again. */
    bool (*object)(const void *opaque, size_t index, uint32_t *channel, uint32_t *oclass);
    bool submissions; /* it counts them */
};

struct breaks {
    const struct breaks_owner *owner;
    void *opaque;
    struct breakpoint list[BREAKS_MOST];
    unsigned last_number;
    struct pfifo_trace *trace;        /* makes lines of events */
    char reason[BREAKS_REASON_BYTES]; /* why it stops, in lines */
    bool stop;
    unsigned hit[BREAKS_MOST], hits; /* the numbers of those that were hit */
};

/* False: no memory. breaks_free() it all the same. */
bool breaks_init(struct breaks *breaks, const struct breaks_owner *owner, void *opaque, struct pfifo_error *error);
void breaks_free(struct breaks *breaks);

/* ---- commands ---- */

/* break, tbreak, catch or watch: argument 0; `rest` is the text after it. Tells what was added. */
bool breaks_add(struct breaks *breaks, unsigned count, char **argument, const char *rest, struct pfifo_error *error);
/* delete [NUMBER...] */
bool breaks_delete(struct breaks *breaks, unsigned count, char **argument, struct pfifo_error *error);
/* A line for each. */
void breaks_list(const struct breaks *breaks);
/* Word `index` that may stand after break: the kinds of breakpoints. NULL beyond the last. */
const char *breaks_word(size_t index);

/* ---- a run ---- */

bool breaks_any(const struct breaks *breaks, enum break_kind kind);
/* A part of the reason of the stop. */
void breaks_because(struct breaks *breaks, const char *format, ...) PFIFO_PRINTF(2, 3);
/* It goes on: there is no stop and no reason. */
void breaks_begin(struct breaks *breaks);
/* It has stopped: those that were hit and are temporary are gone. */
void breaks_end(struct breaks *breaks);
/* What was hit since breaks_begin() has not happened after all. */
void breaks_take_back(struct breaks *breaks);

/* Add ",GLOB" for each event that is wanted, to a text of so many bytes. */
void breaks_globs(const struct breaks *breaks, char *text, size_t size);
/* A method, or the word at one of so many addresses, comes next. NULL, 0: no method, no address. */
void breaks_next(struct breaks *breaks, const struct pfifo_decode_event *method, const uint64_t *address, size_t count);
/* Does a breakpoint match it? It is not hit by that. */
bool breaks_match(struct breaks *breaks, const struct pfifo_decode_event *method);
/* An event, and the method that it is (NULL: none). */
void breaks_event(struct breaks *breaks, const struct pfifo_event *event, const struct pfifo_query_place *place,
                  const struct pfifo_decode_event *method);

/* ---- watch.c ---- */

/* What is watched is what it is now. */
void breaks_watch_begin(struct breaks *breaks);
/* After a unit of work. */
void breaks_watch_check(struct breaks *breaks);
/* VRAM, or system memory. False: not all of it is there. */
bool breaks_read_physical(struct pfifo_gpu *gpu, bool vram, uint64_t address, void *data, size_t bytes);
/* Is there a register, or a window, in BAR0, of which reads have no effect? */
bool breaks_looks(const struct pfifo_registers *registers, uint64_t offset);
/* RAMIN, as the CPU sees it. False: not all of it is there, or a read has an effect. */
bool breaks_read_ramin(struct pfifo_gpu *gpu, uint64_t address, void *data, size_t bytes);
/* Inside: a watchpoint of "NAME" or "ADDRESS [BYTES]"; NULL: it cannot be watched. */
struct breakpoint *breaks_watch_new(struct breaks *breaks, unsigned count, char **argument, struct pfifo_error *error);
void breaks_watch_start(struct breaks *breaks, struct breakpoint *brk);

/* ---- state.c: what a method of objects holds ---- */

/* Of "METHOD" or "CLASS.METHOD"; NULL: no class has such. */
struct breakpoint *breaks_state_new(struct breaks *breaks, const char *name, struct pfifo_error *error);
void breaks_state_start(struct breaks *breaks, struct breakpoint *brk);
void breaks_state_check(struct breaks *breaks, struct breakpoint *brk);

/* ---- program.c: an instruction of a shader program ---- */

/* Of the words after "program"; NULL: they make no sense. */
struct breakpoint *breaks_program_new(struct breaks *breaks, unsigned count, char **argument, const char *text,
                                      struct pfifo_error *error);
/* Is it the instruction that a warp is about to execute? `lane`: the first one that it is for. */
bool breaks_program_match(const struct breakpoint *brk, const struct pfifo_program_step *step,
                          const struct pfifo_warp *warp, unsigned *lane);

/* ---- inside ---- */

/* NULL: there are too many; the error says so. */
struct breakpoint *breaks_new(struct breaks *breaks, enum break_kind kind, const char *text, struct pfifo_error *error);
void breaks_drop(struct breakpoint *brk);
/* A hit: counted, and a stop. The rest of its line is the caller's. */
void breaks_hit(struct breaks *breaks, struct breakpoint *brk);
/* "Watchpoint" */
const char *breaks_kind_name(const struct breakpoint *brk);

/* ---- texts ---- */

/* "0 9097 FERMI_A 1b0c SET_REPORT_SEMAPHORE_D 0x1000f010": methods below 0x100 are those of the host class. */
void breaks_format_method(const struct pfifo_chip *chip, uint32_t subchannel, uint32_t oclass, uint32_t method,
                          uint32_t data, char *buf, size_t size);
/* The class that names a method. */
uint32_t breaks_name_class(const struct pfifo_chip *chip, uint32_t oclass, uint32_t method);

#endif
