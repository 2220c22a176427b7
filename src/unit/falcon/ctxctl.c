/* SPDX-License-Identifier: MIT */
#include "unit/falcon/ctxctl.h"

#include <assert.h>
#include <stdlib.h>

#include "bus/bus.h"
#include "hw/pgraph.h"
#include "state/state.h"

#define FECS  0x409000u
#define GPCCS 0x41a000u /* of all GPCs at once */
#define NEXT  0x409b04u

#define TRIGGER_SWITCH 0x100u
#define CHANNEL_VALID  0x80000000u

#define DONE          0x80000000u /* of scratch 0 */
#define CONTEXT_BYTES 0x20000u    /* scratch 1 */

/* What the firmware is asked to make a channel the current one. */
#define COMMAND_CHANNEL 1u

static uint32_t ctxctl_read_cpuctl(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return ((const struct ctxctl *)unit)->running ? 0 : FALCON_CPUCTL_HALT;
}

static void ctxctl_write_cpuctl(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct ctxctl *ctxctl = unit;
    (void)reg, (void)index;
    if (!(value & FALCON_CPUCTL_START))
        return;
    ctxctl->running = 1;
    ctxctl->scratch[0] |= DONE;
    ctxctl->scratch[1] = CONTEXT_BYTES;
}

/* The channel that is current has its context put away if no other is to come. */
static void ctxctl_write_trigger(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct ctxctl *ctxctl = unit;
    (void)reg, (void)index;
    if (ctxctl->running && value & TRIGGER_SWITCH && !(bus_rd32(ctxctl->bus, NEXT) & CHANNEL_VALID))
        bus_wr32(ctxctl->bus, NV_PGRAPH_CTXCTL_CUR_GF100, 0);
}

static void write_command(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct ctxctl *ctxctl = unit;
    (void)reg, (void)index;
    if (!ctxctl->running)
        return;
    event_send(ctxctl->bus->events, EVENT_BUS_CTXCTL, UINT32_MAX, value == COMMAND_CHANNEL ? "done" : "not executed",
               value, ctxctl->command_data, 0);
    if (value != COMMAND_CHANNEL)
        return;
    bus_wr32(ctxctl->bus, NV_PGRAPH_CTXCTL_CUR_GF100, ctxctl->command_data);
    bus_wr32(ctxctl->bus, NEXT, ctxctl->command_data);
    ctxctl->scratch[0] |= DONE;
}

static void write_scratch_set(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg;
    assert(index < CTXCTL_SCRATCHES);
    ((struct ctxctl *)unit)->scratch[index] |= value;
}

static void write_scratch_clear(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg;
    assert(index < CTXCTL_SCRATCHES);
    ((struct ctxctl *)unit)->scratch[index] &= ~value;
}

#define AT(field) .at = offsetof(struct ctxctl, field)

static const struct reg regs[] = {
    /* Bit 4, SEND, is over at once. */
    {0x404170, "FE_PWR_MODE", AT(power), .readable = 3, .writable = 3, .fields = "MODE 1:0"},
    {FECS + 0x000, "FECS_INTR_TRIGGER", .at = REG_NONE, .write = ctxctl_write_trigger, .fields = "SWITCH 8"},
    {FECS + 0x100, "FECS_CPUCTL", .at = REG_NONE, .readable = ~0u, .read = ctxctl_read_cpuctl,
     .write = ctxctl_write_cpuctl, .fields = "START 1, HALTED 4"},
    {FECS + 0x500, "FECS_WRCMD_DATA", AT(command_data), .readable = ~0u, .writable = ~0u},
    {FECS + 0x504, "FECS_WRCMD", .at = REG_NONE, .write = write_command},
    {FECS + 0x800, "FECS_SCRATCH", AT(scratch), .readable = ~0u, .writable = ~0u, .count = CTXCTL_SCRATCHES},
    {FECS + 0x820, "FECS_SCRATCH_SET", .at = REG_NONE, .count = CTXCTL_SCRATCHES, .write = write_scratch_set},
    {FECS + 0x840, "FECS_SCRATCH_CLR", .at = REG_NONE, .count = CTXCTL_SCRATCHES, .write = write_scratch_clear},
};
static const struct reg_table table = REG_TABLE("PGRAPH", regs);

enum pfifo_status ctxctl_new(struct ctxctl **out, struct bus *bus, struct pfifo_error *error) {
    struct ctxctl *ctxctl = *out = calloc(1, sizeof *ctxctl);
    if (!ctxctl)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for PGRAPH's falcons");
    ctxctl->bus = bus;
    enum pfifo_status status = bus_attach_table(bus, &table, ctxctl, error);
    if (status == PFIFO_OK)
        status = falcon_ports_attach(bus, &ctxctl->fecs, FALCON_PORTS_FECS, FECS, error);
    if (status == PFIFO_OK)
        status = falcon_ports_attach(bus, &ctxctl->gpccs, FALCON_PORTS_GPCCS, GPCCS, error);
    return status;
}

_Static_assert(sizeof(void *) != 8 || sizeof(struct ctxctl) == 115640, "a field that is added is saved");

void ctxctl_state(struct ctxctl *ctxctl, struct state_io *io) {
    if (state_begin(io, "FECS", 1)) {
        state_u32(io, &ctxctl->running);
        state_u32(io, &ctxctl->command_data);
        state_u32(io, &ctxctl->power);
        state_words(io, ctxctl->scratch, CTXCTL_SCRATCHES, "SCRATCH");
        falcon_ports_state(&ctxctl->fecs, io);
        falcon_ports_state(&ctxctl->gpccs, io);
    }
    state_end(io);
}
