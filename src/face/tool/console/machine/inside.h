/* SPDX-License-Identifier: MIT */
/* Shared by the files of the register console. */
#ifndef PFIFO_TOOL_CONSOLE_MACHINE_INSIDE_H
#define PFIFO_TOOL_CONSOLE_MACHINE_INSIDE_H

#include <pfifo/push.h>
#include <pfifo/registers.h>

#include "face/tool/console/breaks.h"
#include "face/tool/command/refuse.h"
#include "face/tool/console/run_stops.h"
#include "face/tool/console/machine/shell.h"
#include "face/tool/console/verbs.h"
#include "state/bytes.h"

#define SHELL_MAX_WORDS 256  /* on a line */
#define SHELL_MAX_COUNT 4096 /* values that a command may read */

struct shell_target;
struct shell_back;
struct shell_binds;
struct shell_look;

struct shell {
    struct shell_config config;
    const struct shell_target *target;
    struct pfifo_gpu *gpu;                   /* the model; NULL: a card, or none yet */
    const struct pfifo_registers *registers; /* of the model or the card; NULL: neither yet */
    struct pfifo_registers *of_card;
    struct pfifo_trace *trace;
    char *globs;      /* of the trace; NULL: none */
    const char *line; /* to be printed before anything else is, for `explain` */
    bool ran;         /* the model, since it was made or loaded */
    bool quit;
    uint64_t used;           /* units, by the run that was last */
    unsigned stop;           /* why it ended: enum run_stop */
    const char *doing;       /* name of the command that is executed */
    struct shell_back *back; /* the way back; NULL: there is none */
    struct shell_binds *binds;
    struct breaks breaks;
    struct shell_look *look;    /* at the run that is under way, in single units; NULL: at none */
    struct pfifo_event stopped; /* the method before which the last run was stopped, if `before` */
    uint64_t stopped_methods;   /* of its unit, up to and including that one */
    bool before;
    struct state_bytes held; /* text of events that may not have happened after all ... */
    bool holds;              /* ... from now on */
};

/* A command: argument 0 is its name. False: it failed, and `error` says why. */
typedef bool (*shell_command)(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* ---- verbs.c: all of them ---- */

/* What a command needs. */
enum shell_needs {
    SHELL_NEEDS_NOTHING,
    SHELL_NEEDS_GPU,     /* the model or the card */
    SHELL_NEEDS_MODEL,   /* a GPU that is no card */
    SHELL_NEEDS_NO_CARD, /* the same, but there need be no GPU yet */
    SHELL_NEEDS_LOOK,    /* a model, which it only looks at */
    SHELL_NEEDS_CARD,
};

struct shell_verb {
    const struct verb *verb;
    enum shell_needs needs;
    shell_command run;
};

extern const struct verbs shell_verbs;

/* NULL: there is no such; the error says so. */
const struct shell_verb *shell_verb_find(const char *name, struct pfifo_error *error);
/* How the command that is executed is used. */
bool shell_usage(const struct shell *shell, struct pfifo_error *error);
bool shell_cmd_help(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* shell.c */
bool shell_cmd_chip(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_reset(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_echo(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_quit(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

void shell_print(struct shell *shell, const char *format, ...) PFIFO_PRINTF(2, 3);

/* values.c */

/* The target of a command: space and address. */
enum shell_space { SHELL_BAR, SHELL_VRAM, SHELL_SYSTEM };

struct shell_place {
    enum shell_space space;
    unsigned bar;
    uint64_t address;
    uint32_t stride; /* of the array that was named; 0: none was */
};

/* PLACE: [SPACE:]ADDRESS. VALUE: a number of at most `bytes`. NUMBER: one from 0 to `most`. */
bool shell_place(struct shell *shell, const char *text, struct shell_place *place, struct pfifo_error *error);
bool shell_value(struct shell *shell, const char *text, unsigned bytes, uint32_t *value, struct pfifo_error *error);
bool shell_number(const char *text, uint64_t most, uint64_t *number, struct pfifo_error *error);

/* The place in a space with a name: "vram", "bar1" ... */
bool shell_place_in(struct shell *shell, const char *space, uint64_t address, struct shell_place *place,
                    struct pfifo_error *error);

/*
 * Can so many accesses be made, the first of them at the place? If not, the error says why. What can be is done by
 * shell_read() and shell_write(): 1, 2 or 4 bytes at any address that the target allows.
 */
enum shell_access { SHELL_READ, SHELL_WRITE };
bool shell_reach(struct shell *shell, const struct shell_place *place, uint64_t count, unsigned bytes,
                 enum shell_access access, struct pfifo_error *error);
uint32_t shell_read(struct shell *shell, const struct shell_place *place, unsigned bytes);
void shell_write(struct shell *shell, const struct shell_place *place, unsigned bytes, uint32_t value);

/*
 * A register by its offset. Where the chip has none, which its tables know, nothing is read: reads are errors there,
 * which units take down. All ones then.
 */
uint32_t shell_rd32(struct shell *shell, uint32_t offset);
/* An address of 40 bits in two of them. */
uint64_t shell_rd40(struct shell *shell, uint32_t low, uint32_t high);

/* The arguments behind the name of a command, with that character between them. */
void shell_join(unsigned count, char **argument, char between, char text[SHELL_LINE_BYTES]);

/* ---- what is behind the commands: model.c, card.c ---- */

struct shell_target {
    /* See shell_reach(); `last` is the place of the last access. NULL: everything can be. */
    bool (*reach)(struct shell *shell, const struct shell_place *first, const struct shell_place *last, unsigned bytes,
                  enum shell_access access, struct pfifo_error *error);
    uint32_t (*read)(struct shell *shell, const struct shell_place *place, unsigned bytes);
    void (*write)(struct shell *shell, const struct shell_place *place, unsigned bytes, uint32_t value);
    /* Words of physical memory, without a trace of it. False: they cannot be seen. */
    bool (*look)(struct shell *shell, enum shell_space space, uint64_t address, uint32_t *words, unsigned count);
    /* Let some time pass. False: time only passes with the command run. */
    bool (*wait)(struct shell *shell);
    bool is_card;
};

extern const struct shell_target shell_model, shell_card, shell_lent;

/* "vram:", "bar1:" ...; nothing for registers. */
const char *shell_space_name(const struct shell_place *place);

/* Print the card and its BARs. */
bool shell_cmd_card(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* Is a read of BAR0 there without an effect? */
bool shell_only_looks(const struct shell *shell, uint64_t offset);

/* The window of that name. False if the chip has none. */
bool shell_window(const struct shell *shell, const char *name, struct pfifo_window *window);

/* access.c */
bool shell_cmd_read(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_write(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_memory(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_bar(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_expect(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* show.c */
bool shell_cmd_dump(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
/* "0x003270 CACHE1_GET = 0x00000004  ADDRESS=1" */
void shell_show_register(struct shell *shell, uint32_t offset, uint32_t value);
/* The same without the end of the line. */
void shell_print_register(struct shell *shell, uint32_t offset, uint32_t value);

/* channels/irq.c */
bool shell_cmd_irq(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
/* " METHOD ACQUIRE": the bits of a register that are set, by their names. */
void shell_print_names(struct shell *shell, uint32_t offset, uint32_t value);

/* channels/channels.c, one more for each generation: where each channel stands, from registers and memory alone */
bool shell_cmd_channels(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
void shell_channels_g80(struct shell *shell);
void shell_channels_gf100(struct shell *shell);
void shell_channels_gk104(struct shell *shell);
void shell_channels_ga100(struct shell *shell);
/* ", pusher off, ...": what stops CACHE1 of NV4 .. MCP89, if anything. */
void shell_print_cache1(struct shell *shell, bool dma);

/* The channel on the PBDMA with that page, as its register CHANNEL says it, of which `id` and `valid` are bits. */
void shell_print_pbdma(struct shell *shell, uint32_t page, uint32_t channel, uint32_t id, uint32_t valid);
/* The first words of a channel's RAMFC, NV4 .. NV4x: GET, the DMA object's address, DMA_STATE. False: out of sight. */
bool shell_channels_nv4_resting(struct shell *shell, uint32_t channel, uint32_t *get, uint32_t *object,
                                uint32_t *state);
/* Where RAMFC of a channel is, by its entry in the table, G80 .. MCP89. */
uint64_t shell_channels_g80_ramfc_address(const struct pfifo_chip *chip, uint32_t entry, uint32_t *target);
/* What kind of memory, by two bits. */
const char *shell_target_text(uint32_t target);

/* ", pusher error 2 (INVALID_MTHD)" of DMA_STATE, if there is one. NV4 .. MCP89. */
void shell_print_pusher_error(struct shell *shell, uint32_t state);

/* Text for a bit or number of a register. */
struct shell_flag {
    uint32_t mask, value;
    const char *text;
};
/* ", text" for each flag that is set; the last flag has no text. */
void shell_print_flags(struct shell *shell, uint32_t value, const struct shell_flag *flags);
/* Is it the value that a read returns where no unit answers? G80 and later. */
bool shell_is_silence(uint32_t value);

/* channels/freeze.c */
bool shell_cmd_freeze(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* run.c */
bool shell_cmd_run(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_pass(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_step(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_next(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_continue(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_stop(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_trace(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
/* Why the last run has stopped, if nobody stopped it. */
void shell_print_stop(struct shell *shell, uint64_t used);
/* Events as text, to where they go. */
void shell_put_events(struct shell *shell, const char *text, size_t bytes);
/* Make the trace of shell->globs anew, for shell->gpu. */
bool shell_trace(struct shell *shell, struct pfifo_error *error);

/* until.c */
bool shell_cmd_until(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_watch(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* ---- go.c: going on, up to a breakpoint, or to something else ---- */

/* How to go on. */
struct shell_go {
    uint64_t most;                                    /* units */
    bool single;                                      /* one at a time */
    bool told;                                        /* say which one it was, each time */
    bool (*reached)(struct shell *shell, void *goal); /* after each unit; NULL: nothing else ends it */
    void *goal;
    size_t event;   /* end with so many of these ... */
    uint64_t count; /* ... 0: with none ... */
    bool before;    /* ... before the last of them, without those of the first unit; else behind it */
};

/* How it ended. */
enum shell_end {
    SHELL_END_RUN,     /* there is no more, or `most` was done */
    SHELL_END_REACHED, /* what was wanted is there */
    SHELL_END_BREAK,   /* a breakpoint; the reason has been printed */
    SHELL_END_ENOUGH,  /* Ctrl-C */
};

/* False: it could not begin, or not be brought to where it should stop; the error says why. `used`: units. */
bool shell_go(struct shell *shell, const struct shell_go *go, enum shell_end *end, uint64_t *used,
              struct pfifo_error *error);
/* At a breakpoint, or where it has got to by itself. */
void shell_print_end(struct shell *shell, enum shell_end end, uint64_t used);
/* The units of a run that does not say how many. */
uint64_t shell_units(const struct shell *shell);

/* Add the method that was executed last to the reason why a watchpoint stops. */
void shell_blame(struct shell *shell, bool memory);

/* break.c */
bool shell_cmd_break(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_delete(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
/* Can it be read after each unit of work, which must change nothing? */
bool shell_can_watch(const struct shell *shell, const struct shell_place *place, const char *text,
                     struct pfifo_error *error);
/* The GPU is of another chip: registers that are watched may be others there. */
void shell_break_chip(struct shell *shell);

/* info.c */
bool shell_cmd_info(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
/* Name `index` of what info shows; NULL beyond the last. */
const char *shell_info_word(size_t index);

/* ---- back.c: the machine as it was before the runs since it was changed last, and what they did ---- */

bool shell_cmd_back(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
/*
 * A run is about to begin. False: the machine cannot be saved; that is an error only if it is `needed`, as by who
 * stops before a method.
 */
bool shell_back_begin(struct shell *shell, bool needed, struct pfifo_error *error);
/* A run of `budget` was done, with `used` units. */
void shell_back_ran(struct shell *shell, uint64_t budget, uint64_t used);
/* Go so many units back. False: the error says why; if the machine is gone, too. */
bool shell_back_units(struct shell *shell, uint64_t units, struct pfifo_error *error);
/* The command that is executed changes the machine: what was is out of reach. */
void shell_back_changed(struct shell *shell);
/* It is another machine, which may be small enough to be saved. */
void shell_back_loaded(struct shell *shell);
void shell_back_free(struct shell *shell);

/* ---- channels/binds.c: the classes that channels have bound ---- */

/* Those of shell->gpu, which is new, from here on. */
bool shell_binds_watch(struct shell *shell, struct pfifo_error *error);
void shell_binds_forget(struct shell *shell);
/* Add all that is known; take it up again. False: no memory. */
bool shell_binds_save(const struct shell *shell, struct state_bytes *bytes);
void shell_binds_load(struct shell *shell, const struct state_bytes *bytes);
/* Class `index` of those that channels have bound; false: there are no more. One may come more than once. */
bool shell_binds_at(const struct shell *shell, size_t index, uint32_t *channel, uint32_t *oclass);

/* channels/disassemble.c: that of a channel; UINT32_MAX: of the first one on the chip. False: the error says why. */
bool shell_push_find(struct shell *shell, uint32_t channel, struct pfifo_push *push, struct pfifo_error *error);

/* channels/disassemble.c, examine.c */
bool shell_cmd_disassemble(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_print(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_examine(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* state.c */
bool shell_cmd_save(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_load(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

#endif
