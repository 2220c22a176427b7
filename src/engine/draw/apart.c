/* SPDX-License-Identifier: MIT */
/*
 * May regions of a target be drawn at the same time? They may if the fragment program reads nothing that they write.
 * What it can reach is found in the program and in what is bound; ranges of addresses are compared. UNKNOWN: memory
 * that is mapped twice, drawn to by one address and read by the other; chosen: it is not looked for, and what such a
 * program reads of its own draw depends on the order of regions, as it does on hardware.
 */
#include "engine/draw/apart.h"

#include "engine/draw/object.h"
#include "engine/draw/pipeline.h"

#define MOST_RANGES (DRAW_TARGETS + 1)

/* Addresses from `begin` to before `end`. */
struct range {
    uint64_t begin, end;
};

struct ranges {
    unsigned count;
    struct range range[MOST_RANGES];
};

/* False: it meets one of them. */
static bool is_free(const struct ranges *ranges, uint64_t begin, uint64_t bytes) {
    uint64_t end = begin + bytes;
    if (end < begin)
        return false;
    for (unsigned i = 0; i < ranges->count; i++)
        if (begin < ranges->range[i].end && ranges->range[i].begin < end)
            return false;
    return true;
}

/* Targets neither meet each other, nor their own lines or layers, unless all of their layers are the same. */
static bool add_target(struct ranges *ranges, const struct draw_target *target, uint32_t most_layers) {
    const struct layout *layout = &target->surface.layout;
    uint64_t size = layout_size(layout), layers = target->layers ? target->layers : 1;
    layers = target->layer_stride == 0 ? 1 : layers < most_layers ? layers : most_layers;
    if (!target->format)
        return true;
    if (target->volume || size > UINT64_MAX >> 20 || (layers > 1 && target->layer_stride < size) ||
        target->layer_stride > UINT64_MAX >> 20 || layers > 1u << 16)
        return false;
    if (layout->type == LAYOUT_PITCH && (layout->pitch < 0 || (uint64_t)layout->pitch < layout->width))
        return false;
    size += (layers - 1) * target->layer_stride;
    if (!is_free(ranges, target->surface.address, size))
        return false;
    ranges->range[ranges->count++] = (struct range){target->surface.address, target->surface.address + size};
    return true;
}

/* Pixels of a layer that some target does not have are not drawn. */
static uint32_t layers_of(const struct draw_state *state) {
    uint32_t least = UINT32_MAX;
    for (unsigned i = 0; i < state->targets.count && i < DRAW_TARGETS; i++) {
        unsigned number = state->targets.of[i] % DRAW_TARGETS;
        const struct draw_target *target = &state->targets.color[number];
        uint32_t layers = target->layers ? target->layers : 1;
        if (target->format && state->blend.mask[number] && layers < least)
            least = layers;
    }
    return least;
}

static bool add_targets(struct ranges *ranges, const struct draw_state *state) {
    bool added[DRAW_TARGETS] = {false};
    uint32_t layers = layers_of(state);
    for (unsigned i = 0; i < state->targets.count && i < DRAW_TARGETS; i++) {
        unsigned number = state->targets.of[i] % DRAW_TARGETS;
        if (added[number] || !add_target(ranges, &state->targets.color[number], layers))
            return false;
        added[number] = true;
    }
    return add_target(ranges, &state->targets.zeta, layers);
}

static bool constants_are_free(const struct draw_pipeline *pipeline, const struct ranges *ranges) {
    for (unsigned bank = 0; bank < DRAW_BANKS; bank++)
        if (!is_free(ranges, pipeline->constants.at[STAGE_FRAGMENT][bank],
                     pipeline->worker[0]->shading.stage[STAGE_FRAGMENT].constants[bank].bytes))
            return false;
    return true;
}

static bool texture_is_free(const struct draw_pipeline *pipeline, const struct shade_survey *survey, unsigned slot,
                            const struct ranges *ranges) {
    const struct shade_io *stage = &pipeline->worker[0]->shading.stage[STAGE_FRAGMENT];
    const struct shade_constants *bank = &stage->constants[stage->texture_bank % DRAW_BANKS];
    unsigned group = pipeline->decoded.state.stages.stage[STAGE_FRAGMENT].group;
    uint32_t header = 0;
    if (survey->by_slot)
        header =
            group < DRAW_GROUPS && slot < SHADE_SLOTS ? pipeline->object->slots[group].header[slot] : SHADE_UNBOUND;
    else if (4 * slot + 4 <= bank->bytes)
        header = load_le32(bank->data + (size_t)4 * slot) & 0xfffff;
    uint64_t begin, bytes;
    return !sampling_extent(pipeline->worker[0]->lent.sampling, header, &begin, &bytes) ||
           is_free(ranges, begin, bytes);
}

static bool textures_are_free(const struct draw_pipeline *pipeline, const struct shade_survey *survey,
                              const struct ranges *ranges) {
    const struct draw_state *state = &pipeline->decoded.state;
    const uint64_t entry = TEXTURE_WORDS * UINT64_C(4);
    if (survey->any_texture)
        return false;
    if (!survey->textures)
        return true;
    if (!is_free(ranges, state->textures.headers, (state->textures.most_header + UINT64_C(1)) * entry) ||
        !is_free(ranges, state->textures.samplers, (state->textures.most_sampler + UINT64_C(1)) * entry))
        return false;
    for (unsigned i = 0; i < survey->textures; i++)
        if (!texture_is_free(pipeline, survey, survey->slot[i], ranges))
            return false;
    return true;
}

static bool are_apart(struct draw_pipeline *pipeline) {
    struct ranges ranges = {0};
    if (!add_targets(&ranges, &pipeline->decoded.state))
        return false;
    if (!pipeline->decoded.state.stages.program.present)
        return true;
    struct program_place *program = programs_place(&pipeline->programs, STAGE_FRAGMENT);
    const uint32_t *header = pipeline->decoded.state.stages.stage[STAGE_FRAGMENT].header;
    bool local = (header[1] & 0xffffff) + (header[2] & 0xffffff) != 0; /* has what warps before have left there */
    if (!program || local || pipeline->decoded.state.stages.program.effects)
        return false;
    const struct shade_survey *survey = programs_survey(program);
    return survey->complete && !survey->memory && constants_are_free(pipeline, &ranges) &&
           textures_are_free(pipeline, survey, &ranges);
}

bool draw_apart(void *opaque) {
    struct draw_pipeline *pipeline = opaque;
    struct lend_faults *faults = &pipeline->worker[0]->lent.faults;
    bool quiet = faults->quiet;
    faults->quiet = true; /* headers that the program does not come to use may be anywhere */
    bool apart = are_apart(pipeline);
    faults->quiet = quiet;
    faults->failed = false;
    return apart;
}
