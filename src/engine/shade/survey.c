/* SPDX-License-Identifier: MIT */
/* What a program may do, found by following its flow. All instructions that it can reach are decoded on the way. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/shade/cache.h"
#include "isa/shader/operation.h"

#define MOST_WAYS  64u   /* that wait to be followed */
#define MOST_CODES 4096u /* a longer program is not followed to its end */

struct ways {
    uint32_t address[MOST_WAYS];
    unsigned count;
    uint32_t codes;
    bool lost;                     /* not all have been followed */
    const struct shade_code **met; /* MOST_CODES of them, in order; NULL: nobody asks */
    uint32_t met_count;
};

static void way_add(struct ways *ways, uint32_t address) {
    if (ways->count == MOST_WAYS)
        ways->lost = true;
    else
        ways->address[ways->count++] = address & ~3u;
}

static void meet_texture(struct shade_survey *survey, const struct ir *ir) {
    const struct ir_texture *texture = &ir->texture;
    bool fixed = texture->in_bank || (texture->by_slot && texture->handle == IR_ZERO);
    for (unsigned i = 0; fixed && i < survey->textures; i++)
        if (survey->slot[i] == texture->slot && survey->by_slot == texture->by_slot)
            return;
    if (!fixed || survey->textures == SHADE_SURVEY_TEXTURES ||
        (survey->textures && survey->by_slot != texture->by_slot)) {
        survey->any_texture = true;
        return;
    }
    survey->by_slot = texture->by_slot;
    survey->slot[survey->textures++] = texture->slot;
}

static void meet(struct shade_survey *survey, const struct ir *ir, uint32_t effects) {
    if (effects & IR_TEXTURES)
        meet_texture(survey, ir);
    if (effects & (IR_LOADS | IR_STORES))
        survey->memory = true;
}

/*
 * Where lanes may go from an instruction of flow. False: not to the next one. What goes where the stack says has its
 * ways from what pushed them; beside that it is taken to go on.
 */
static bool follow(struct ways *ways, const struct shade_code *code, uint32_t effects) {
    if (effects & IR_TARGET)
        way_add(ways, (uint32_t)code->ir.offset);
    else if (effects & IR_JUMPS) /* nobody knows */
        ways->lost = true;
    return code->guarded || !(effects & (IR_JUMPS | IR_ENDS));
}

/* All operations of an instruction. False: it does not go on to the next one. */
static bool pass(struct ways *ways, struct shade_survey *survey, const struct shade_code *code) {
    bool goes_on = true;
    for (; code; code = code->more) {
        uint32_t effects = ir_row(code->ir.op)->effects;
        meet(survey, &code->ir, effects);
        if (effects & IR_FLOW)
            goes_on = follow(ways, code, effects);
    }
    return goes_on;
}

/* From an address on, until it ends or has been here before. */
static void walk(struct shade_program *program, struct ways *ways, struct shade_survey *survey, uint32_t address) {
    for (;;) {
        const struct shade_code *code = shade_program_code(program, address);
        if (ways->codes++ >= MOST_CODES) {
            ways->lost = true;
            return;
        }
        if (code->word >= SHADE_WORD_MISALIGNED) {
            ways->lost |= code->word == SHADE_WORD_UNREADABLE;
            return;
        }
        if (!program_survey_first(program, address))
            return;
        if (ways->met)
            ways->met[ways->met_count++] = code;
        if (code->word == SHADE_WORD_ILLEGAL)
            return;
        if (code->word == SHADE_WORD_OK && !pass(ways, survey, code))
            return;
        address += code->bytes;
    }
}

static void follow_all(struct shade_program *program, struct ways *ways, struct shade_survey *survey) {
    *survey = (struct shade_survey){0};
    program_survey_begin(program);
    way_add(ways, shade_program_entry(program));
    while (ways->count && !ways->lost)
        walk(program, ways, survey, ways->address[--ways->count]);
    survey->complete = !ways->lost;
}

void shade_program_survey(struct shade_program *program, struct shade_survey *survey) {
    struct ways ways = {0};
    follow_all(program, &ways, survey);
}

bool shade_program_list(struct shade_program *program, struct shade_listing *listing) {
    struct ways ways = {.met = malloc(MOST_CODES * sizeof *ways.met)};
    struct shade_survey survey;
    uint32_t forgotten = program_forgotten(program);
    if (!ways.met)
        return false;
    follow_all(program, &ways, &survey);
    assert(ways.met_count <= MOST_CODES);
    *listing = (struct shade_listing){program_isa(program), shade_program_entry(program), ways.met_count, ways.met};
    if (survey.complete && forgotten == program_forgotten(program))
        return true;
    free(ways.met);
    return false;
}
