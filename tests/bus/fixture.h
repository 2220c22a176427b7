/* SPDX-License-Identifier: MIT */
/* A bus of its own: memory, bus and falcons of a chip, without PFIFO and engines. */
#ifndef PFIFO_TESTS_BUS_FIXTURE_H
#define PFIFO_TESTS_BUS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bus/bus.h"
#include "unit/falcon/falcons.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

struct machine {
    const struct pfifo_chip *chip;
    struct event_hub events;
    struct memory memory;
    struct bus bus;
    struct falcons *falcons;
};

/* `vram_bytes` 0: what the chip has. */
static inline void machine_init_sized(struct machine *machine, const char *name, uint64_t vram_bytes,
                                      const struct bus_clock *clock) {
    *machine = (struct machine){.chip = pfifo_chip_by_name(name)};
    assert_non_null(machine->chip);
    const struct memory_config config = {.chip = machine->chip,
                                         .vram_bytes = vram_bytes ? vram_bytes : machine->chip->vram_bytes,
                                         .system_bytes = 1 << 24,
                                         .events = &machine->events};
    struct pfifo_error error = {0};
    assert_int_equal(memory_init(&machine->memory, &config, &error), PFIFO_OK);
    enum pfifo_status status =
        bus_init(&machine->bus, machine->chip, &machine->memory, &machine->events, clock, &error);
    if (status == PFIFO_OK)
        status = falcons_new(&machine->falcons, &machine->bus, &error);
    if (status != PFIFO_OK)
        fail_msg("%s: %s", name, error.message);
}

static inline void machine_init(struct machine *machine, const char *name, const struct bus_clock *clock) {
    machine_init_sized(machine, name, 0, clock);
}

static inline void machine_free(struct machine *machine) {
    bus_free(&machine->bus);
    falcons_free(machine->falcons);
    machine->falcons = NULL;
    memory_free(&machine->memory);
}

static inline void poke(struct machine *machine, uint64_t address, uint32_t value) {
    memory_physical_wr32(&machine->memory, MEMORY_VRAM, address, value);
}

static inline void poke64(struct machine *machine, uint64_t address, uint64_t value) {
    poke(machine, address, (uint32_t)value);
    poke(machine, address + 4, (uint32_t)(value >> 32));
}

static inline uint32_t peek(struct machine *machine, uint64_t address) {
    return memory_physical_rd32(&machine->memory, MEMORY_VRAM, address);
}

static inline uint32_t bar_rd32(struct machine *machine, unsigned bar, uint64_t offset) {
    uint8_t bytes[4];
    bus_bar_read(&machine->bus, bar, offset, bytes, sizeof bytes);
    return load_le32(bytes);
}

static inline void bar_wr32(struct machine *machine, unsigned bar, uint64_t offset, uint32_t value) {
    uint8_t bytes[4];
    store_le32(bytes, value);
    bus_bar_write(&machine->bus, bar, offset, bytes, sizeof bytes);
}

/* How often each kind of event came, and the values of the last. */
struct event_log {
    unsigned count;
    struct pfifo_event last;
};

static inline void log_event(void *opaque, const struct pfifo_event *event) {
    struct event_log *log = opaque;
    log->count++;
    log->last = *event;
}

static inline void observe(struct machine *machine, const char *globs, struct event_log *log) {
    *log = (struct event_log){0};
    assert_int_equal(event_observe(&machine->events, globs, log_event, log, NULL), PFIFO_OK);
}

#endif
