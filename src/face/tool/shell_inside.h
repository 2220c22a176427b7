/* SPDX-License-Identifier: MIT */
/* Shared by the files of the register console. */
#ifndef PFIFO_TOOL_SHELL_INSIDE_H
#define PFIFO_TOOL_SHELL_INSIDE_H

#include <pfifo/registers.h>

#include "face/tool/shell.h"
#include "face/tool/refuse.h"

#define SHELL_MAX_WORDS 256  /* on a line */
#define SHELL_MAX_COUNT 4096 /* values that a command may read */

struct shell_target;

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
};

/* A command: argument 0 is its name. False: it failed, and `error` says why. */
typedef bool (*shell_command)(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* Name `index` of a command, NULL beyond the last. */
const char *shell_command_name(size_t index);

void shell_print(struct shell *shell, const char *format, ...) PFIFO_PRINTF(2, 3);

/* shell_values.c */

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

/* ---- what is behind the commands: shell_model.c, shell_card.c ---- */

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

/* Print the card and its BARs. */
bool shell_cmd_card(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* The window of that name. False if the chip has none. */
bool shell_window(const struct shell *shell, const char *name, struct pfifo_window *window);

/* shell_access.c */
bool shell_cmd_read(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_write(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_memory(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_bar(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_expect(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* shell_show.c */
bool shell_cmd_dump(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
/* "0x003270 CACHE1_GET = 0x00000004  ADDRESS=1" */
void shell_show_register(struct shell *shell, uint32_t offset, uint32_t value);
/* "CACHE1_DMA_STATE", "PCCSR.CHANNEL[3]"; nothing if it has no name. */
void shell_print_register_name(struct shell *shell, uint32_t offset);

/* shell_irq.c */
bool shell_cmd_irq(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
/* " METHOD ACQUIRE": the bits of a register that are set, by their names. */
void shell_print_names(struct shell *shell, uint32_t offset, uint32_t value);

/* shell_channels.c, one more for each generation: where each channel stands, from registers and memory alone */
bool shell_cmd_channels(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
void shell_channels_g80(struct shell *shell);
void shell_channels_gf100(struct shell *shell);
void shell_channels_gk104(struct shell *shell);
void shell_channels_ga100(struct shell *shell);
/* ", pusher off, ...": what stops CACHE1 of NV4 .. MCP89, if anything. */
void shell_print_cache1(struct shell *shell, bool dma);

/* The channel on the PBDMA with that page, as its register CHANNEL says it, of which `id` and `valid` are bits. */
void shell_print_pbdma(struct shell *shell, uint32_t page, uint32_t channel, uint32_t id, uint32_t valid);
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

/* shell_freeze.c */
bool shell_cmd_freeze(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* shell_run.c */
bool shell_cmd_run(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_pass(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_step(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_until(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_watch(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_stop(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_trace(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
/* "idle", "waiting" ... */
const char *shell_stop_name(enum pfifo_stop stop);
/* All of them, with commas. */
void shell_list_stops(char *buf, size_t size);
bool shell_is_stop(const char *name);
/* Make the trace of shell->globs anew, for shell->gpu. */
bool shell_trace(struct shell *shell, struct pfifo_error *error);

/* shell_state.c */
bool shell_cmd_save(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_load(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

#endif
