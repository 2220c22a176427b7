/* SPDX-License-Identifier: MIT */
#include "engine/draw/constants.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/draw/pipeline.h"
#include "engine/graph/constants.h"
#include "engine/lend/constants.h"

static void bind(struct draw_pipeline *pipeline, unsigned stage, unsigned bank, const uint32_t *buffer) {
    const struct lend_memory *memory = &pipeline->worker[0]->lent.memory;
    uint64_t address = (uint64_t)(buffer[0] & 0xff) << 32 | buffer[1];
    struct shade_constants *constants = &pipeline->worker[0]->shading.stage[stage].constants[bank];
    pipeline->constants.at[stage][bank] = address;
    if (buffer[0] & CONSTANTS_VALID)
        *constants = lend_constants(memory, address, buffer[2], &pipeline->constants.copy[stage][bank]);
    else
        *constants = (struct shade_constants){0};
}

void constants_bind(struct draw_pipeline *pipeline, unsigned stage) {
    const uint32_t *buffers = object_part(pipeline->call->object, &constants_gf100_part);
    unsigned group = pipeline->decoded.state.stages.stage[stage].group;
    assert(stage < CONSTANTS_STAGES);
    if (!buffers || group >= CONSTANTS_GF100_GROUPS)
        return;
    for (unsigned bank = 0; bank < DRAW_BANKS; bank++)
        bind(pipeline, stage, bank, buffers + (group * CONSTANTS_GF100_SLOTS + bank) * (size_t)CONSTANTS_BUFFER_WORDS);
}

void constants_free(struct draw_constants *constants) {
    for (unsigned i = 0; i < CONSTANTS_STAGES; i++)
        for (unsigned bank = 0; bank < DRAW_BANKS; bank++)
            free(constants->copy[i][bank]);
}
