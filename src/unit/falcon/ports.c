/* SPDX-License-Identifier: MIT */
#include "unit/falcon/ports.h"

#include <assert.h>

#include "bus/bus.h"
#include "state/state.h"

/* An index is an address in bytes, and whether an access moves it on. */
#define INDEX_ADDRESS     0x0000fffcu
#define INDEX_WRITE_MOVES 0x01000000u
#define INDEX_READ_MOVES  0x02000000u

#define INDEX_FIELDS "ADDRESS 15:2, WRITE_MOVES 24, READ_MOVES 25"

/* A word of a memory by its index, which moves on. NULL: beyond it. */
static uint32_t *ports_word_at(uint32_t *memory, uint32_t bytes, uint32_t *at, uint32_t moves) {
    uint32_t address = *at & INDEX_ADDRESS;
    assert(bytes % 4 == 0 && (moves == INDEX_WRITE_MOVES || moves == INDEX_READ_MOVES));
    if (*at & moves)
        *at = (*at & ~INDEX_ADDRESS) | ((address + 4) & INDEX_ADDRESS);
    return address < bytes ? &memory[address / 4] : NULL;
}

static uint32_t ports_read_code(void *unit, const struct reg *reg, uint32_t index) {
    struct falcon_ports *ports = unit;
    (void)reg, (void)index;
    const uint32_t *word = ports_word_at(ports->code, FALCON_CODE_BYTES, &ports->code_at, INDEX_READ_MOVES);
    return word ? *word : 0;
}

static void write_code(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct falcon_ports *ports = unit;
    (void)reg, (void)index;
    uint32_t *word = ports_word_at(ports->code, FALCON_CODE_BYTES, &ports->code_at, INDEX_WRITE_MOVES);
    if (word)
        *word = value;
}

static uint32_t read_data(void *unit, const struct reg *reg, uint32_t index) {
    struct falcon_ports *ports = unit;
    (void)reg;
    assert(index < FALCON_PORTS);
    const uint32_t *word = ports_word_at(ports->data, FALCON_DATA_BYTES, &ports->data_at[index], INDEX_READ_MOVES);
    return word ? *word : 0;
}

static void ports_write_data(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct falcon_ports *ports = unit;
    (void)reg;
    assert(index < FALCON_PORTS);
    uint32_t *word = ports_word_at(ports->data, FALCON_DATA_BYTES, &ports->data_at[index], INDEX_WRITE_MOVES);
    if (word)
        *word = value;
}

#define AT(field) .at = offsetof(struct falcon_ports, field)

/* PGRAPH has two falcons, whose names have to differ. */
#define ROWS(prefix)                                                                                                   \
    {                                                                                                                  \
        {0x180,                                                                                                        \
         prefix "CODE_INDEX",                                                                                          \
         AT(code_at),                                                                                                  \
         .readable = 0x1300fffc,                                                                                       \
         .writable = 0x1300fffc,                                                                                       \
         .fields = INDEX_FIELDS ", SECRET 28"},                                                                        \
            {0x184,                                                                                                    \
             prefix "CODE",                                                                                            \
             .at = REG_NONE,                                                                                           \
             .readable = ~0u,                                                                                          \
             .read = ports_read_code,                                                                                  \
             .write = write_code,                                                                                      \
             .read_acts = true},                                                                                       \
            {0x188, prefix "CODE_PAGE", AT(code_page), .readable = 0xffff, .writable = 0xffff},                        \
            {0x1c0,                                                                                                    \
             prefix "DATA_INDEX",                                                                                      \
             AT(data_at),                                                                                              \
             .readable = 0x0300fffc,                                                                                   \
             .writable = 0x0300fffc,                                                                                   \
             .count = FALCON_PORTS,                                                                                    \
             .stride = 8,                                                                                              \
             .fields = INDEX_FIELDS},                                                                                  \
            {0x1c4,                                                                                                    \
             prefix "DATA",                                                                                            \
             .at = REG_NONE,                                                                                           \
             .readable = ~0u,                                                                                          \
             .count = FALCON_PORTS,                                                                                    \
             .stride = 8,                                                                                              \
             .read = read_data,                                                                                        \
             .write = ports_write_data,                                                                                \
             .read_acts = true},                                                                                       \
    }

static const struct {
    const char *unit;
    struct reg rows[FALCON_PORT_ROWS];
} falcons[] = {
    [FALCON_PORTS_PMU] = {"PDAEMON", ROWS("")},
    [FALCON_PORTS_FECS] = {"PGRAPH", ROWS("FECS_")},
    [FALCON_PORTS_GPCCS] = {"PGRAPH", ROWS("GPCCS_")},
};

enum pfifo_status falcon_ports_attach(struct bus *bus, struct falcon_ports *ports, enum falcon_ports_of falcon,
                                      uint32_t base, struct pfifo_error *error) {
    for (unsigned i = 0; i < FALCON_PORT_ROWS; i++) {
        ports->regs[i] = falcons[falcon].rows[i];
        ports->regs[i].offset += base;
    }
    assert(base % 0x1000 == 0);
    ports->table = (struct reg_table){falcons[falcon].unit, ports->regs, FALCON_PORT_ROWS};
    return bus_attach_table(bus, &ports->table, ports, error);
}

/* Up to the last word that is not zero. */
static void state_memory(struct state_io *io, uint32_t *words, uint32_t most, const char *what) {
    uint32_t count = most;
    while (count && !words[count - 1])
        count--;
    state_index(io, &count, most + 1, what);
    state_words(io, words, count, what);
    if (io->loading)
        memset(words + count, 0, (most - count) * sizeof *words);
}

_Static_assert(sizeof(void *) != 8 || sizeof(struct falcon_ports) == 57792, "a field that is added is saved");

void falcon_ports_state(struct falcon_ports *ports, struct state_io *io) {
    state_u32(io, &ports->code_at);
    state_u32(io, &ports->code_page);
    state_words(io, ports->data_at, FALCON_PORTS, "DATA_INDEX");
    state_memory(io, ports->code, FALCON_CODE_BYTES / 4, "code of a falcon");
    state_memory(io, ports->data, FALCON_DATA_BYTES / 4, "data of a falcon");
}
