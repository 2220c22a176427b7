/* SPDX-License-Identifier: MIT */
/*
 * A bus, memory and a PFIFO with PBDMAs, driven as a kernel driver drives it: by registers and memory. Every
 * engine of the chip is a recorder.
 *
 *   VRAM: 0x020000 page directory, 0x030000 page table (VA == VRAM address up to 16 MiB, nothing above)
 *         0x100000 instance blocks, 0x200000 USERD, 0x300000 rings, 0x400000 pushbuffers,
 *         0x500000 runlist, 0x600000 for the tests
 */
#ifndef PFIFO_TESTS_FIFO_PBDMA_MACHINE_H
#define PFIFO_TESTS_FIFO_PBDMA_MACHINE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fifo/runlist/pfifo.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define MAPPED_END 0x1000000u
#define SCRATCH    0x600000u
#define RECORDED   4096
#define CHANNELS   8

struct recorded {
    uint32_t channel, engine, subchannel, method, data;
};

struct recorder {
    struct machine *machine;
    unsigned engine;
};

struct machine {
    const struct pfifo_chip *chip;
    struct event_hub events;
    struct memory memory;
    struct bus bus;
    struct fifo *fifo;
    struct recorder recorder[CHIP_MAX_ENGINES];
    struct recorded methods[RECORDED]; /* what engines executed */
    unsigned method_count, calls, switches, gone;
    struct recorded binds[64]; /* method: the class */
    unsigned bind_count;
    /* How the recorders behave. */
    uint32_t take;         /* methods per call at most */
    uint32_t side_method;  /* writes its data to SCRATCH + 0x8000, as the first of a run only; 0: none */
    uint32_t fault_method; /* writes to an unmapped address; 0: none */
    uint32_t refuse_class;
    bool stall, busy;
    uint32_t get_at_side, count_at_side; /* registers of PBDMA 0 when the side effect happened ... */
    uint64_t time_at_side;               /* ... and when that was */
    uint32_t userd_get_at_side;          /* GET in the USERD of channel 1, read through BAR1 before those */
    /* What the owner of each channel knows. */
    struct {
        uint32_t gp_put, entries, cursor;
    } channel[CHANNELS];
};

void machine_init(struct machine *m, const char *chip);
/* The same of a row that no chip has. It stays the caller's. */
void machine_of(struct machine *m, const struct pfifo_chip *chip);
/* With registers as after power-on. */
void machine_bare(struct machine *m, const char *chip);
void machine_free(struct machine *m);

uint32_t peek(struct machine *m, uint64_t address);
void poke(struct machine *m, uint64_t address, uint32_t value);
uint32_t reg(struct machine *m, uint32_t offset);
void set_reg(struct machine *m, uint32_t offset, uint32_t value);
/* A register of a PBDMA. */
uint32_t pb(struct machine *m, unsigned pbdma, uint32_t offset);
void set_pb(struct machine *m, unsigned pbdma, uint32_t offset, uint32_t value);

/* Instance block, RAMFC as drivers fill it, channel table. The channel is on no runlist yet. */
void channel_new(struct machine *m, unsigned id, unsigned runlist);
void channel_enable(struct machine *m, unsigned id, bool on);
uint64_t instance_of(unsigned id);
uint64_t userd_of(unsigned id);
uint64_t ring_of(unsigned id);
uint32_t ramfc(struct machine *m, unsigned id, uint32_t offset);
/* Runlist `list` with these channels. */
void runlist(struct machine *m, unsigned list, const unsigned *ids, unsigned count);
/* One enabled channel 1 on runlist 0. */
void one_channel(struct machine *m, const char *chip);

/* Add a GP entry as it is, and tell. */
void push_entry(struct machine *m, unsigned id, uint32_t low, uint32_t high);
/* Copy words into the pushbuffer; returns their address. */
uint32_t put_words(struct machine *m, unsigned id, const uint32_t *words, unsigned count);
/* Both. `flags`: added to the entry's low word. */
void push(struct machine *m, unsigned id, const uint32_t *words, unsigned count);

enum pfifo_stop run(struct machine *m);
enum pfifo_stop run_units(struct machine *m, uint64_t units);

#define PUSH(m, id, ...)                                                                                               \
    do {                                                                                                               \
        const uint32_t words_[] = {__VA_ARGS__};                                                                       \
        push((m), (id), words_, COUNT_OF(words_));                                                                     \
    } while (0)

#define RUNLIST(m, list, ...)                                                                                          \
    do {                                                                                                               \
        const unsigned ids_[] = {__VA_ARGS__};                                                                         \
        runlist((m), (list), ids_, COUNT_OF(ids_));                                                                    \
    } while (0)

/* Headers. */
#define INC(subchannel, method, count)      (0x20000000u | (count) << 16 | (subchannel) << 13 | (method) >> 2)
#define NON_INC(subchannel, method, count)  (0x60000000u | (count) << 16 | (subchannel) << 13 | (method) >> 2)
#define INC_ONCE(subchannel, method, count) (0xa0000000u | (count) << 16 | (subchannel) << 13 | (method) >> 2)
#define IMMD(subchannel, method, data)      (0x80000000u | (data) << 16 | (subchannel) << 13 | (method) >> 2)
#define END_SEGMENT                         0xe0000000u

/* The recorded methods are these (method, data) pairs, in this order. */
#define EXPECT_METHODS(m, ...)                                                                                         \
    do {                                                                                                               \
        const uint32_t pairs_[][2] = {__VA_ARGS__};                                                                    \
        expect_methods((m), pairs_, COUNT_OF(pairs_), __FILE__, __LINE__);                                             \
    } while (0)
void expect_methods(struct machine *m, const uint32_t (*pairs)[2], unsigned count, const char *file, int line);

/* How often each kind of event came, and the values of the last. */
struct event_log {
    unsigned count;
    struct pfifo_event last;
};
void observe(struct machine *m, const char *globs, struct event_log *log);

#endif
