/* SPDX-License-Identifier: MIT */
/* Programs as a debugger sees them: pfifo/program.h. A struct pfifo_warp is the warp itself. */
#include <pfifo/program.h>

#include <stdio.h>
#include <string.h>

#include "engine/shade/watch.h"
#include "gpu/gpu.h"

const char *pfifo_stage_name(unsigned stage) {
    static const char *const names[PFIFO_STAGES] = {
        [PFIFO_STAGE_VERTEX_A] = "vertex_a", [PFIFO_STAGE_VERTEX] = "vertex",
        [PFIFO_STAGE_CONTROL] = "control",   [PFIFO_STAGE_EVALUATION] = "evaluation",
        [PFIFO_STAGE_GEOMETRY] = "geometry", [PFIFO_STAGE_FRAGMENT] = "fragment",
        [PFIFO_STAGE_COMPUTE] = "compute",
    };
    return stage < PFIFO_STAGES ? names[stage] : NULL;
}

static void step(void *opaque, struct shade_warp *warp, const struct pfifo_program_step *at) {
    const struct pfifo_gpu *gpu = opaque;
    gpu->program_watch(gpu->program_opaque, at, (struct pfifo_warp *)warp);
}

void pfifo_gpu_watch_programs(struct pfifo_gpu *gpu, pfifo_program_watch watch, void *opaque) {
    gpu->program_watch = watch;
    gpu->program_opaque = opaque;
    gpu->watch = (struct shade_watch){.opaque = gpu, .step = step};
    if (gpu->fifo)
        gpu->fifo->watch = watch ? &gpu->watch : NULL;
}

void pfifo_gpu_watch_primitives(struct pfifo_gpu *gpu, pfifo_primitive_watch watch, void *opaque) {
    gpu->primitive_watch = (struct primitive_watch){watch, opaque};
    if (gpu->fifo)
        gpu->fifo->primitive_watch = watch ? &gpu->primitive_watch : NULL;
}

/* ---- a warp ---- */

static const struct shade_warp *warp_of(const struct pfifo_warp *warp) {
    return (const struct shade_warp *)warp;
}

bool pfifo_warp_register(const struct pfifo_warp *warp, unsigned lane, unsigned number, uint32_t *value) {
    const struct shade_warp *shade = warp_of(warp);
    if (lane >= SHADE_LANES || number > IR_ZERO)
        return false;
    *value = number < shade->zeroed ? shade->registers[number][lane] : 0;
    return true;
}

unsigned pfifo_warp_registers(const struct pfifo_warp *warp) {
    return warp_of(warp)->zeroed;
}

uint32_t pfifo_warp_pc(const struct pfifo_warp *warp, unsigned lane) {
    return lane < SHADE_LANES ? warp_of(warp)->pc[lane] : 0;
}

void pfifo_warp_thread(const struct pfifo_warp *warp, unsigned lane, struct pfifo_warp_thread *thread) {
    const struct shade_warp *shade = warp_of(warp);
    *thread = (struct pfifo_warp_thread){0};
    if (lane < SHADE_LANES && shade->io->identity->thread)
        shade->io->identity->thread(shade, lane, thread);
}

bool pfifo_warp_stack(const struct pfifo_warp *warp, unsigned lane, unsigned index, const char **what,
                      uint32_t *target) {
    const struct shade_warp *shade = warp_of(warp);
    if (lane >= SHADE_LANES || index >= shade->depth[lane])
        return false;
    unsigned at = shade->depth[lane] - 1u - index;
    *what = shade_entry_name(shade->stacks[lane].type[at]);
    *target = shade->stacks[lane].target[at];
    return true;
}

static bool copy(const void *from, uint64_t has, uint64_t address, void *data, size_t bytes) {
    if (!from || address > has || bytes > has - address)
        return false;
    memcpy(data, (const uint8_t *)from + address, bytes);
    return true;
}

/* A row has the lanes of a word. */
static bool copy_words(const shade_row *rows, unsigned lane, uint64_t address, uint8_t *data, size_t bytes) {
    if (!rows || address > SHADE_ATTRIBUTES * 4 || bytes > SHADE_ATTRIBUTES * 4 - address)
        return false;
    for (size_t i = 0; i < bytes; i++, address++)
        data[i] = (uint8_t)(rows[address / 4][lane] >> address % 4 * 8);
    return true;
}

static bool copy_vertex(const struct shade_vertices *vertices, unsigned number, unsigned lane, uint64_t address,
                        void *data, size_t bytes) {
    const size_t vertex_bytes = SHADE_ATTRIBUTES * sizeof *vertices->words;
    if (number >= vertices->count)
        return false;
    return copy(vertices->words + ((vertices->first ? vertices->first[lane] : 0) + (size_t)number) * SHADE_ATTRIBUTES,
                vertex_bytes, address, data, bytes);
}

bool pfifo_warp_read(const struct pfifo_warp *warp, enum pfifo_warp_space space, unsigned bank, unsigned lane,
                     uint64_t address, void *data, size_t bytes) {
    const struct shade_io *io = warp_of(warp)->io;
    if (lane >= SHADE_LANES)
        return false;
    switch (space) {
    case PFIFO_WARP_CONSTANT:
        return bank < SHADE_BANKS && copy(io->constants[bank].data, io->constants[bank].bytes, address, data, bytes);
    case PFIFO_WARP_LOCAL:
        return io->local && copy(io->local + (size_t)lane * io->local_bytes, io->local_bytes, address, data, bytes);
    case PFIFO_WARP_SHARED:
        return copy(io->shared, io->shared_bytes, address, data, bytes);
    case PFIFO_WARP_INPUT:
        return io->vertices ? copy_vertex(io->vertices, bank, lane, address, data, bytes)
                            : !bank && copy_words(io->inputs, lane, address, data, bytes);
    case PFIFO_WARP_PATCH:
        return io->vertices &&
               copy(io->vertices->patch, SHADE_ATTRIBUTES * sizeof *io->vertices->patch, address, data, bytes);
    case PFIFO_WARP_OUTPUT:
        return copy_words(io->outputs, lane, address, data, bytes);
    default:
        return false;
    }
}

/* ---- instructions ---- */

struct instruction_text {
    uint32_t address;
    char *text;
    size_t room;
    unsigned bytes; /* of the instruction; 0: it cannot be read */
};

static void print_instruction(void *opaque, const struct isa *isa, const struct shade_code *code,
                              const uint8_t *bytes) {
    struct instruction_text *to = opaque;
    if (!bytes)
        return;
    to->bytes = code->bytes;
    if (code->word == SHADE_WORD_SCHEDULE)
        isa_text_control(isa, bytes, isa->bytes, to->text, to->room);
    else if (!isa_text(isa, bytes, isa->bytes, to->address, 0, to->text, to->room))
        snprintf(to->text, to->room, "illegal");
}

unsigned pfifo_warp_instruction(struct pfifo_warp *warp, uint32_t address, char *text, size_t room) {
    struct instruction_text to = {address, text, room, 0};
    if (!room)
        return 0;
    text[0] = 0;
    shade_program_look(((struct shade_warp *)warp)->program, address, print_instruction, &to);
    return to.bytes;
}
