/* SPDX-License-Identifier: MIT */
/*
 * What the conformance tests of the PBDMA kind share. The machine under them is that of tests/fifo_pbdma: one channel
 * with id 1 on runlist 0, whose engines are recorders.
 *
 * Sources: NVIDIA open-gpu-doc classes/host/cl906f.h .. clc06f.h, manuals/volta/gv100/dev_pbdma.ref.txt,
 * dev_ram.ref.txt; envytools rnndb/fifo/gf100_pfifo.xml, docs/hw/fifo/{dma-pusher,puller}.rst.
 */
#ifndef PFIFO_TESTS_CONFORMANCE_PBDMA_H
#define PFIFO_TESTS_CONFORMANCE_PBDMA_H

#include "fifo_pbdma/machine.h"

/* Classes of GPFIFO channels, and which chips have them. */
enum {
    C906F = 1 << 0,
    CA06F = 1 << 1,
    CA16F = 1 << 2,
    CA26F = 1 << 3,
    CB06F = 1 << 4,
    CC06F = 1 << 5,
    TEGRA_X1 = 1 << 6, /* B06F as it is there: with syncpoints */
    KEPLER_ON = CA06F | CA16F | CA26F | CB06F | CC06F | TEGRA_X1,
    ALL_CLASSES = C906F | KEPLER_ON,
    MAXWELL_ON = CB06F | CC06F | TEGRA_X1,
};

static const struct channel_class {
    const char *chip;
    uint32_t host; /* one of the above */
} chips[] = {
    {"GF100", C906F}, {"GF119", C906F}, {"GK104", CA06F}, {"GK110", CA16F},    {"GK208", CA16F},
    {"GM107", CA16F}, {"GK20A", CA26F}, {"GM204", CB06F}, {"GM20B", TEGRA_X1}, {"GP102", CC06F},
};

/* for (EACH_CHIP): `chip` is one after the other. */
#define EACH_CHIP                                                                                                      \
    const struct channel_class *chip = chips;                                                                          \
    chip < chips + COUNT_OF(chips);                                                                                    \
    chip++

/* INTR_0. */
#define INTR_GPFIFO       (1u << 13)
#define INTR_GPPTR        (1u << 14)
#define INTR_GPENTRY      (1u << 15)
#define INTR_GPCRC        (1u << 16)
#define INTR_PBPTR        (1u << 17)
#define INTR_PBENTRY      (1u << 18)
#define INTR_PBCRC        (1u << 19)
#define INTR_METHOD       (1u << 21)
#define INTR_METHODCRC    (1u << 22)
#define INTR_DEVICE       (1u << 23)
#define INTR_SEMAPHORE    (1u << 25)
#define INTR_ACQUIRE      (1u << 26)
#define INTR_NO_CTXSW_SEG (1u << 29)
#define INTR_PBSEG        (1u << 30)
#define INTR_SIGNATURE    (1u << 31)

/* METHOD0 as nouveau leaves it: valid, NOP. */
#define SKIPPED 0x80600008u

/* One channel, and only PBDMA 0 to run it. */
static inline void start(struct machine *m, const struct channel_class *chip) {
    one_channel(m, chip->chip);
    if (chip->host == C906F)
        set_reg(m, 0x2204, 1);
}

/* The registers of PBDMA 0, on which the channel is. */
static inline uint32_t intr_0(struct machine *m) {
    return pb(m, 0, 0x108);
}

/* What a driver does about a method that cannot be executed. */
static inline void skip_method(struct machine *m) {
    set_pb(m, 0, 0xc0, SKIPPED);
    set_pb(m, 0, 0x108, intr_0(m));
}

/* The method in METHOD0 is this one, and is valid. */
static inline void expect_method0(struct machine *m, const char *chip, uint32_t subchannel, uint32_t method,
                                  uint32_t data) {
    uint32_t found = pb(m, 0, 0xc0) & 0x80073ffc, wanted = 0x80000000u | subchannel << 16 | method;
    if (found != wanted || pb(m, 0, 0xc4) != data)
        fail_msg("%s: METHOD0 %#x = %#x, not %#x = %#x", chip, found, pb(m, 0, 0xc4), wanted, data);
}

static inline void expect_intr_at(struct machine *m, const char *chip, uint32_t wanted, const char *file, int line) {
    if (intr_0(m) != wanted)
        fail_msg("%s:%d: %s: INTR_0 %#x, not %#x", file, line, chip, intr_0(m), wanted);
}
#define expect_intr(m, chip, wanted) expect_intr_at(m, (chip)->chip, wanted, __FILE__, __LINE__)

/* Run into an interrupt, or to the end with 0. */
static inline void run_into_at(struct machine *m, const char *chip, uint32_t wanted, const char *file, int line) {
    enum pfifo_stop stop = run(m);
    expect_intr_at(m, chip, wanted, file, line);
    if (stop != (wanted ? PFIFO_STOP_INTERRUPT : PFIFO_STOP_IDLE))
        fail_msg("%s:%d: %s: stopped with %d", file, line, chip, stop);
}
#define run_into(m, chip, wanted) run_into_at(m, (chip)->chip, wanted, __FILE__, __LINE__)

#endif
