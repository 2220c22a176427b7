/* SPDX-License-Identifier: MIT */
#include "differential/restore.h"

#include <stdio.h>
#include <stdlib.h>

#include "state/state.h"

bool restore_asked;

struct bytes {
    uint8_t *data;
    size_t bytes, room;
};

static bool collect(void *opaque, const void *data, size_t bytes) {
    struct bytes *to = opaque;
    if (bytes > to->room - to->bytes) {
        size_t room = 2 * (to->bytes + bytes);
        uint8_t *larger = realloc(to->data, room);
        if (!larger)
            return false;
        to->data = larger;
        to->room = room;
    }
    memcpy(to->data + to->bytes, data, bytes);
    to->bytes += bytes;
    return true;
}

static void state_units(struct memory *memory, struct bus *bus, struct fifo *fifo, struct state_io *io) {
    memory_state(memory, io);
    bus_state(bus, io);
    fifo_state(fifo, io);
}

static bool save(struct memory *memory, struct bus *bus, struct fifo *fifo, struct bytes *bytes) {
    struct state_io io;
    *bytes = (struct bytes){NULL, 0, 0};
    state_open_save(&io, collect, bytes, NULL);
    state_units(memory, bus, fifo, &io);
    return state_close(&io) == PFIFO_OK;
}

static bool load(struct memory *memory, struct bus *bus, struct fifo *fifo, const struct bytes *bytes) {
    struct state_io io;
    struct pfifo_error error;
    state_open_load(&io, bytes->data, bytes->bytes, &error);
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
    struct bytes before, after = {NULL, 0, 0};
    if (!restore_asked)
        return true;
    bool same = save(memory, bus, *fifo, &before) && make_again(memory, bus, fifo, events) &&
                load(memory, bus, *fifo, &before) && save(memory, bus, *fifo, &after) && after.bytes == before.bytes &&
                memcmp(after.data, before.data, before.bytes) == 0;
    if (!same)
        fprintf(stderr, "a machine is not the same after it was restored\n");
    free(before.data);
    free(after.data);
    return same;
}
