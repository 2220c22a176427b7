/* SPDX-License-Identifier: MIT */
#include "differential/restore.h"

#include <stdio.h>
#include <stdlib.h>

#include "state/bytes.h"
#include "state/state.h"

bool restore_asked;

static void state_units(struct memory *memory, struct bus *bus, struct fifo *fifo, struct state_io *io) {
    memory_state(memory, io);
    bus_state(bus, io);
    fifo_state(fifo, io);
}

static bool save(struct memory *memory, struct bus *bus, struct fifo *fifo, struct state_bytes *bytes) {
    struct state_io io;
    *bytes = (struct state_bytes){NULL, 0, 0};
    state_open_save(&io, state_bytes_write, bytes, NULL);
    state_units(memory, bus, fifo, &io);
    return state_close(&io) == PFIFO_OK;
}

static bool load(struct memory *memory, struct bus *bus, struct fifo *fifo, const struct state_bytes *bytes) {
    struct state_io io;
    struct pfifo_error error;
    state_open_load(&io, bytes->data, bytes->used, &error);
    state_units(memory, bus, fifo, &io);
    if (state_close(&io) == PFIFO_OK)
        return true;
    fprintf(stderr, "%s\n", error.message);
    return false;
}

/* A new machine in the same place, with the same engines; observers stay where they are. */
static bool make_again(struct memory *memory, struct bus *bus, struct fifo **fifo, struct event_hub *events) {
    const struct memory_config config = memory->config;
    struct fifo old = **fifo;
    fifo_free(*fifo);
    *fifo = NULL;
    bus_free(bus);
    memory_free(memory);
    if (memory_init(memory, &config, NULL) != PFIFO_OK ||
        bus_init(bus, config.chip, memory, events, NULL, NULL) != PFIFO_OK ||
        fifo_new(fifo, config.chip, memory, bus, events, NULL) != PFIFO_OK)
        return false;
    (*fifo)->materialise = old.materialise;
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
        (*fifo)->engines[id].ops = old.engines[id].ops;
        (*fifo)->engines[id].engine = old.engines[id].engine;
    }
    return true;
}

bool restore_machine(struct memory *memory, struct bus *bus, struct fifo **fifo, struct event_hub *events) {
    struct state_bytes before, after = {NULL, 0, 0};
    if (!restore_asked)
        return true;
    bool same = save(memory, bus, *fifo, &before) && make_again(memory, bus, fifo, events) &&
                load(memory, bus, *fifo, &before) && save(memory, bus, *fifo, &after) && after.used == before.used &&
                memcmp(after.data, before.data, before.used) == 0;
    if (!same)
        fprintf(stderr, "a machine is not the same after it was restored\n");
    state_bytes_free(&before);
    state_bytes_free(&after);
    return same;
}
