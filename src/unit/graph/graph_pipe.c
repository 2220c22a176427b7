/* SPDX-License-Identifier: MIT */
/*
 * What PIPE of NV1x does with the words that it gets. See graph_ports.h.
 */
#include "unit/graph/graph_ports.h"

#include <assert.h>

struct graph_pipe {
    const char *chips;
    bool completes_y;   /* a short attribute of a vertex is also completed by its second word */
    bool shares_format; /* a bit of the format of attribute 2 is attribute 1's */
};

static const struct graph_pipe pipes[] = {{"NV10", false, true}, {"NV15:NV20", true, false}};

const struct graph_pipe *graph_pipe_of(const struct pfifo_chip *chip) {
    return CHIP_ROW(chip, pipes);
}

/* ---- PIPE: vectors ---- */

#define SHARED   0x4470u /* words 0 .. 3 that were written last */
#define ONE      0x3f800000u
#define MATRICES 0x3cu

/*
 * Vectors of PIPE. `last`: bits for the words that make a vector take the shared ones. The first number of the tables
 * of lights that are no vectors is constant.
 */
enum pipe_kind { PIPE_MATRIX, PIPE_LIGHT, PIPE_NUMBER };
static const struct pipe_area {
    uint16_t address;
    uint8_t index_mask, first, count, last;
    enum pipe_kind kind;
} pipe_areas[] = {
    {0x6400, 0x3f, 0, MATRICES, 0x8, PIPE_MATRIX}, {0x6800, 0x3f, 0, 0x30, 0xc, PIPE_LIGHT},
    {0x6c00, 0x03, 1, 3, 0xb, PIPE_NUMBER},        {0x7000, 0x1f, 1, 19, 0xb, PIPE_NUMBER},
    {0x7400, 0x0f, 1, 12, 0xb, PIPE_NUMBER},       {0x7800, 0x0f, 1, 12, 0xb, PIPE_NUMBER},
};

/* Matrices of textures have no fourth column. */
static bool graph_pipe_is_last(const struct pipe_area *area, uint32_t vector, uint32_t word) {
    uint32_t last = area->last;
    if (area->kind == PIPE_MATRIX && vector >= 0x24 && vector <= 0x2b)
        last |= 0x4;
    return last >> word & 1;
}

/* A float of 32 bits with 10 bits of fraction less. */
static uint32_t light_vector(uint32_t value) {
    return ((value >> 10 & 0xff) != 0xff ? value + 0x200 : value) & ~0x3ffu;
}

static uint32_t light_number(uint32_t value) {
    uint32_t exponent = value >> 23 & 0xff;
    if (exponent == 0xff)
        return value & 0x7ffe00 ? 0x7ffffc00 : 0x7f800000;
    return exponent ? light_vector(value) : 0;
}

static void pipe_take(struct pgraph *graph, const struct pipe_area *area, uint32_t vector) {
    uint32_t words = area->kind == PIPE_MATRIX ? 4 : area->kind == PIPE_LIGHT ? 3 : 1;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t value = graph_store_read(graph, SHARED + 4 * i);
        if (area->kind != PIPE_MATRIX)
            value = area->kind == PIPE_LIGHT ? light_vector(value) : light_number(value);
        graph_store_write(graph, area->address + 16 * vector + 4 * i, value);
    }
}

/* The vector of which some words were written, and which ones: bits 3:0 are these, and 0 if there is none. */
static void pipe_remember(struct pgraph *graph, uint32_t address, bool taken) {
    uint32_t *open = &graph->r.pipe_open, vector = address & ~0xfu;
    if (taken)
        *open = 0;
    else
        *open = ((*open & ~0xfu) == vector ? *open : vector) | 1u << (address >> 2 & 3);
}

static void pipe_write_vector(struct pgraph *graph, const struct pipe_area *area, uint32_t address, uint32_t value) {
    uint32_t vector = address >> 4 & area->index_mask, word = address >> 2 & 3;
    bool last = graph_pipe_is_last(area, vector, word);
    graph_store_write(graph, SHARED + 4 * word, value);
    pipe_remember(graph, address, last);
    if (last && vector >= area->first && vector < area->count)
        pipe_take(graph, area, vector);
}

/* The attributes of a vertex: a short position, colour or texture coordinate is completed by 0, 0 and 1. */
static void pipe_write_attribute(struct pgraph *graph, uint32_t address, uint32_t value) {
    uint32_t which = address >> 4 & 7, word = address >> 2 & 3, base = 0x4400 + 16 * which;
    graph_store_write(graph, base + 4 * word, value);
    if (which == 2 || which > 4 || word > 1)
        return;
    if (word == 0 && graph->pipe->completes_y)
        graph_store_write(graph, base + 4, 0);
    graph_store_write(graph, base + 8, 0);
    graph_store_write(graph, base + 12, ONE);
}

/* ---- PIPE: vertex buffers ---- */

#define FORMAT(n)     (8 * (n) + 4)
#define ATTRIBUTES    8u
#define BEGIN_END     0x40u
#define VERTEX_STATE  0x4cu
#define STATE_LAST    0x0000001fu /* the last attribute that has components */
#define STATE_COUNT   0x00001f00u
#define STATE_PHASE   0x70000000u
#define FORMAT_OTHERS 0x0000fc00u
#define FORMAT_SHARED (1u << 24) /* of attribute 0, in all of them */

/* The numbers of components that attribute `n` may have: what each number becomes. */
static uint32_t graph_pipe_components_of(uint32_t n, uint32_t count) {
    static const uint8_t becomes[ATTRIBUTES][8] = {
        {4, 1, 2, 3, 4, 1, 2, 3}, {0, 0, 3, 3, 4, 4, 4, 4}, {0, 0, 3, 3, 4, 4, 4, 4}, {0, 1, 2, 3, 4, 1, 2, 3},
        {0, 1, 2, 3, 4, 1, 2, 3}, {0, 0, 0, 3, 0, 0, 0, 3}, {0, 1, 0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0, 1},
    };
    assert(n < ATTRIBUTES);
    return becomes[n][count & 7];
}

/* Colours have types of their own. */
static uint32_t graph_pipe_type_of(uint32_t n, uint32_t type) {
    static const uint8_t colors[8] = {0, 0, 6, 6, 4, 4, 6, 6};
    return n == 1 || n == 2 ? colors[type & 7] : type & 2 ? 6 : 5;
}

static void change_word(struct pgraph *graph, uint32_t address, uint32_t mask, uint32_t bits) {
    graph_store_write(graph, address, (graph_store_read(graph, address) & ~mask) | bits);
}

static void pipe_write_format(struct pgraph *graph, uint32_t n, uint32_t value) {
    uint32_t last = ATTRIBUTES - 1;
    assert(n < ATTRIBUTES && graph->pipe);
    graph_store_write(graph, FORMAT(n),
                      (value & (FORMAT_OTHERS | FORMAT_SHARED)) | graph_pipe_type_of(n, value & 7) |
                          graph_pipe_components_of(n, value >> 4 & 7) << 4);
    for (uint32_t i = 1; i < ATTRIBUTES; i++)
        change_word(graph, FORMAT(i), FORMAT_SHARED, graph_store_read(graph, FORMAT(0)) & FORMAT_SHARED);
    if (graph->pipe->shares_format)
        change_word(graph, FORMAT(2), 4, graph_store_read(graph, FORMAT(1)) & 7 ? 4 : 0);
    while (last > 0 && !(graph_store_read(graph, FORMAT(last)) & 0x70))
        last--;
    change_word(graph, VERTEX_STATE, STATE_LAST, last);
}

/* An address that was loaded need not be a word's. */
static void pipe_write_fetch(struct pgraph *graph, uint32_t address, uint32_t value) {
    assert(address <= VERTEX_STATE);
    graph_store_write(graph, address, value);
    if (address == BEGIN_END)
        change_word(graph, VERTEX_STATE, STATE_PHASE, 0);
    if (address >= BEGIN_END)
        return;
    change_word(graph, VERTEX_STATE, STATE_COUNT, 0);
    if (address & 4)
        pipe_write_format(graph, address >> 3, value);
}

/* ---- PIPE: the registers ---- */

static const struct pipe_area *pipe_area_of(uint32_t address) {
    for (size_t i = 0; i < sizeof pipe_areas / sizeof pipe_areas[0]; i++)
        if ((address & 0x7c00) == pipe_areas[i].address)
            return &pipe_areas[i];
    return NULL;
}

#define PIPE_PLACE 0x7ffcu

static uint32_t *pipe_address(struct pgraph *graph) {
    return &graph->r.stored[GRAPH_WORD(GRAPH_PIPE_ADDRESS)];
}

/* Another vector: the words that were not taken show no more. */
void graph_write_pipe_address(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pgraph *graph = unit;
    (void)reg, (void)index;
    if ((graph->r.pipe_open & ~0xfu) != (value & PIPE_PLACE & ~0xfu))
        graph->r.pipe_open = 0;
}

uint32_t graph_read_pipe_address_nv10(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return *pipe_address(unit) / 4;
}

static uint32_t pipe_read(const struct pgraph *graph, uint32_t address) {
    uint32_t word = address >> 2 & 3, open = graph->r.pipe_open;
    if (address == 0x6c00 || address == 0x7400)
        return ONE; /* the constants among the numbers of lights; the other two are 0 */
    if ((address & 0x7c00) == 0x4400)
        address &= ~0x0380u;
    if ((open & ~0xfu) == (address & ~0xfu) && (open >> word & 1))
        address = SHARED + 4 * word;
    return graph_store_read(graph, address);
}

uint32_t graph_read_pipe(void *unit, const struct reg *reg, uint32_t index) {
    struct pgraph *graph = unit;
    uint32_t *address = pipe_address(graph), value = pipe_read(graph, *address);
    (void)reg, (void)index;
    graph_store_advance(graph, address);
    return value;
}

void graph_write_pipe(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pgraph *graph = unit;
    uint32_t *address = pipe_address(graph);
    const struct pipe_area *area = pipe_area_of(*address);
    (void)reg, (void)index;
    if (area)
        pipe_write_vector(graph, area, *address, value);
    else if ((*address & 0x7c00) == 0x4400)
        pipe_write_attribute(graph, *address, value);
    else if (*address <= VERTEX_STATE)
        pipe_write_fetch(graph, *address, value);
    else
        graph_store_write(graph, *address, value);
    graph_store_advance(graph, address);
}

void graph_write_xf_misc_b(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pgraph *graph = unit;
    (void)reg, (void)index;
    graph_store_write(graph, SHARED + 8, graph->r.stored[GRAPH_WORD(GRAPH_XF_MISC_A)]);
    graph_store_write(graph, SHARED + 12, value);
}
