/* SPDX-License-Identifier: MIT */
/* What a program may do, found by following its flow. All instructions that it can reach are decoded on the way. */
#include <string.h>

#include "engine/shade/interpret/core.h"
#include "isa/shader/operation.h"

#define MOST_WAYS  64u   /* that wait to be followed */
#define MOST_CODES 4096u /* a longer program is not followed to its end */

struct ways {
    uint32_t address[MOST_WAYS];
    unsigned count;
    uint32_t codes;
    bool lost; /* not all have been followed */
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

/* From an address on, until it ends or has been here before. */
static void walk(struct shade_program *program, struct ways *ways, struct shade_survey *survey, uint32_t address) {
    for (;;) {
        struct shade_code *code = shade_program_code(program, address);
        if (ways->codes++ >= MOST_CODES) {
            ways->lost = true;
            return;
        }
        if (code->surveyed == survey->number || code->word >= SHADE_WORD_ILLEGAL) {
            ways->lost |= code->word == SHADE_WORD_UNREADABLE;
            return;
        }
        code->surveyed = survey->number;
        if (code->word == SHADE_WORD_OK) {
            uint32_t effects = ir_row(code->ir.op)->effects;
            meet(survey, &code->ir, effects);
            if (effects & IR_FLOW && !follow(ways, code, effects))
                return;
        }
        address += code->bytes;
    }
}

void shade_program_survey(struct shade_program *program, struct shade_survey *survey) {
    struct ways ways = {0};
    *survey = (struct shade_survey){.number = shade_program_next_survey(program)};
    way_add(&ways, shade_program_entry(program));
    while (ways.count && !ways.lost)
        walk(program, &ways, survey, ways.address[--ways.count]);
    survey->complete = !ways.lost;
}
