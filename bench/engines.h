/* SPDX-License-Identifier: MIT */
/*
 * What engines cost: those that move or draw memory beside memcpy and memset of as many bytes; and of all of them how
 * long a unit of a budget takes, by which pfifo_gpu_run() is bounded.
 */
#ifndef PFIFO_BENCH_ENGINES_H
#define PFIFO_BENCH_ENGINES_H

#include <pfifo/driver.h>

#include "stream.h"

#define ENGINE_WORDS 0x40000u

struct engine_commands {
    const struct bench_format *format;
    size_t words;
    uint32_t word[ENGINE_WORDS];
};

void engine_method(struct engine_commands *commands, uint32_t subchannel, uint32_t first, const uint32_t *data,
                   uint32_t count);

/* The same word many times, to one method. */
void engine_stream(struct engine_commands *commands, uint32_t subchannel, uint32_t method, uint32_t data,
                   uint32_t count);

#define METHOD(commands, subchannel, first, ...)                                                                       \
    engine_method(commands, subchannel, first, (const uint32_t[]){__VA_ARGS__},                                        \
                  (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))

struct engine_places {
    uint64_t from, to;
};

#define HIGH(address) (uint32_t)((address) >> 32)
#define LOW(address)  (uint32_t)(address)

struct engine_row {
    const char *name;
    void (*make)(struct engine_commands *commands, struct engine_places at);
    size_t bytes;     /* that are written; 0: it is not about memory, */
    uint32_t calls;   /* but these are made */
    bool reads;       /* as memcpy() does */
    uint32_t written; /* first word afterwards; 0: that of what is read, or anything */
};

struct engine_machine {
    const char *chip;
    size_t bytes; /* of both buffers */
    struct pfifo_device *device;
    struct pfifo_channel *channel;
    struct pfifo_buffer *push, *from, *to;
    uint8_t *host_from, *host_to;
    struct engine_commands commands;
};

/* A machine with a channel. Ends the program if there is none. */
struct engine_machine *engine_open(const char *chip, size_t bytes, const struct pfifo_channel_config *config,
                                   const struct bench_format *format);
void engine_close(struct engine_machine *machine);
void engine_object(struct engine_machine *machine, uint32_t handle, uint32_t object_class);
/* A DMA object over memory that nothing else uses. */
void engine_notifier(struct engine_machine *machine, uint32_t handle);
/* Execute the commands; how long that took, and how many units. */
double engine_run(struct engine_machine *machine, uint64_t *units);
/* PFIFO_BENCH_ONLY in the environment: only rows whose name has this in it. */
void engine_measure(struct engine_machine *machine, const struct engine_row *rows, size_t count);

void bench_engines(void);
void bench_engines_nv40(void);
void bench_engines_g84(void);
void bench_engines_gm107(void);

#endif
