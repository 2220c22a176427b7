/* SPDX-License-Identifier: MIT */
#include "engine/draw/programs.h"

#include <string.h>

#include "engine/draw/shading.h"
#include "engine/draw/worker.h"
#include "fifo/fifo.h"

static bool fetch_instruction(void *opaque, uint32_t address, uint8_t bytes[8]) {
    const struct program_place *program = opaque;
    return memory_peek(program->memory, &program->space, program->code + address, bytes, 8);
}

void programs_forget(struct draw_worker *work) {
    for (unsigned i = 0; i < PROGRAMS_KEPT; i++) {
        shade_program_free(work->programs[i].program);
        work->programs[i] = (struct program_place){0};
    }
    memset(work->program, 0, sizeof work->program);
    work->decoded = false;
}

/* The place of the next program that is kept: not that of the other stage's. */
static struct program_place *new_place(struct draw_worker *work, unsigned stage) {
    unsigned other = stage == STAGE_VERTEX ? STAGE_FRAGMENT : STAGE_VERTEX;
    struct program_place *p;
    do {
        p = &work->programs[work->next_program];
        work->next_program = (work->next_program + 1) % PROGRAMS_KEPT;
    } while (p->program && p->program == work->program[other]);
    shade_program_free(p->program);
    return p;
}

struct program_place *programs_place(struct draw_worker *work, const struct shade_program *program) {
    for (unsigned i = 0; i < PROGRAMS_KEPT; i++)
        if (work->programs[i].program == program)
            return program ? &work->programs[i] : NULL;
    return NULL;
}

struct shade_program *programs_find(struct draw_worker *work, unsigned stage, uint32_t start) {
    uint64_t code = work->state.stages.code;
    const struct isa *isa = work->source.of->isa;
    for (unsigned i = 0; i < PROGRAMS_KEPT; i++) {
        const struct program_place *p = &work->programs[i];
        if (p->program && p->isa == isa && p->code == code && p->start == start)
            return p->program;
    }
    struct program_place *p = new_place(work, stage);
    *p = (struct program_place){.isa = isa, .code = code, .start = start, .memory = work->memory, .space = work->space};
    struct shade_cache *cache = work->call->engine->fifo->programs;
    p->program = shade_program_new(cache, isa, fetch_instruction, p, start + HEADER_BYTES);
    return p->program;
}
