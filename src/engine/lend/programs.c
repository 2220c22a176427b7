/* SPDX-License-Identifier: MIT */
#include "engine/lend/programs.h"

#include <assert.h>
#include <string.h>

static bool fetch_instruction(void *opaque, uint32_t address, uint8_t *bytes, unsigned count) {
    const struct program_place *program = opaque;
    return memory_peek(program->memory, &program->space, program->code + address, bytes, count);
}

void programs_forget(struct programs *programs) {
    for (unsigned i = 0; i < PROGRAMS_KEPT; i++) {
        shade_program_free(programs->place[i].program);
        programs->place[i] = (struct program_place){0};
    }
    memset(programs->used, 0, sizeof programs->used);
}

void programs_doubt(struct programs *programs) {
    for (unsigned i = 0; i < PROGRAMS_KEPT; i++)
        programs->place[i].doubted = true;
}

bool programs_is_current(struct program_place *place) {
    place->doubted = place->doubted && !shade_program_is_current(place->program);
    return !place->doubted;
}

static bool is_used(const struct programs *programs, const struct shade_program *program, unsigned but_by) {
    for (unsigned i = 0; i < PROGRAMS_STAGES; i++)
        if (i != but_by && programs->used[i] == program)
            return true;
    return false;
}

/* The place of the next program that is kept: not that of another stage's. */
static struct program_place *new_place(struct programs *programs, unsigned stage) {
    _Static_assert(PROGRAMS_KEPT > PROGRAMS_STAGES, "a place is free for the next program");
    struct program_place *p;
    do {
        p = &programs->place[programs->next];
        programs->next = (programs->next + 1) % PROGRAMS_KEPT;
    } while (p->program && is_used(programs, p->program, stage));
    shade_program_free(p->program);
    return p;
}

/* No stage has it any more. */
static void drop(struct programs *programs, struct program_place *place) {
    for (unsigned i = 0; i < PROGRAMS_STAGES; i++)
        if (programs->used[i] == place->program)
            programs->used[i] = NULL;
    shade_program_free(place->program);
    *place = (struct program_place){0};
}

struct program_place *programs_place(struct programs *programs, unsigned stage) {
    assert(stage < PROGRAMS_STAGES);
    for (unsigned i = 0; i < PROGRAMS_KEPT; i++)
        if (programs->used[stage] && programs->place[i].program == programs->used[stage])
            return &programs->place[i];
    return NULL;
}

bool programs_use(struct programs *programs, struct shade_cache *cache, unsigned stage,
                  const struct program_place *wanted) {
    assert(stage < PROGRAMS_STAGES && wanted->isa);
    for (unsigned i = 0; i < PROGRAMS_KEPT; i++) {
        struct program_place *p = &programs->place[i];
        if (!p->program || p->isa != wanted->isa || p->code != wanted->code || p->entry != wanted->entry)
            continue;
        if (programs_is_current(p)) {
            programs->used[stage] = p->program;
            return true;
        }
        drop(programs, p);
    }
    struct program_place *p = new_place(programs, stage);
    *p = *wanted;
    p->program = shade_program_new(cache, p->isa, fetch_instruction, p, p->entry);
    programs->used[stage] = p->program;
    return p->program != NULL;
}

const struct shade_survey *programs_survey(struct program_place *place) {
    if (!place->surveyed)
        shade_program_survey(place->program, &place->survey);
    place->surveyed = true;
    return &place->survey;
}
