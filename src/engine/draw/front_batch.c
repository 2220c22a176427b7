/* SPDX-License-Identifier: MIT */
/*
 * A batch: as many vertices of the queue as a warp has lanes, with those before them that the assembly still holds.
 */
#include <string.h>

#include "engine/draw/front_draw.h"

#define WORD_INSTANCE 0xbeu
#define WORD_VERTEX   0xbfu
#define WORD_GENERIC  0x20u

/* ---- which vertices ---- */

/* The lane of a vertex. False: there is none left. `seen`: bits of the low bits of numbers that are there. */
static bool lane_of(struct front_batch *batch, struct assembly_vertex *vertex, uint64_t *seen) {
    uint64_t bit = UINT64_C(1) << (vertex->number & 63);
    for (unsigned i = 0; i < batch->lanes && *seen & bit; i++) {
        if (batch->lane[i].number == vertex->number && batch->lane[i].id == vertex->id &&
            batch->lane[i].with_data == vertex->with_data) {
            vertex->lane = (uint8_t)i;
            return true;
        }
    }
    if (batch->lanes == SHADE_LANES)
        return false;
    *seen |= bit;
    vertex->lane = (uint8_t)batch->lanes;
    batch->lane[batch->lanes++] = *vertex;
    return true;
}

void front_take(const struct front *front, struct front_batch *batch, const struct assembly *before, uint32_t first) {
    uint64_t seen = 0;
    batch->lanes = batch->assembled = 0;
    batch->after = *before;
    for (unsigned i = 0; i < batch->after.held && i < ASSEMBLY_HELD; i++)
        lane_of(batch, &batch->after.vertex[i], &seen);
    for (batch->taken = 0; first + batch->taken < front->queued && batch->assembled < FRONT_PRIMITIVES;
         batch->taken++) {
        struct front_item item = front->queue[first + batch->taken];
        struct assembled *out = &batch->primitive[batch->assembled];
        if (item.restart)
            batch->assembled += assembly_restart(&batch->after, out);
        else if (lane_of(batch, &item.vertex, &seen))
            batch->assembled += assembly_vertex(&batch->after, &item.vertex, out);
        else
            break;
    }
}

/* ---- vertex program ---- */

/* Does the vertex program read this word? */
static bool reads(const struct front_stage *stage, unsigned word) {
    unsigned bit = 160 + word;
    return stage->header[bit / 32] >> bit % 32 & 1;
}

/* From memory. */
static bool fetch_lane(struct front_work *work, const struct vertex_attribute *attribute, uint32_t vertex,
                       uint32_t value[4]) {
    const struct vertex_streams *streams = &work->state.streams;
    struct vertex_number number = {vertex, work->front->instance, work->value[0x1438 >> 2]};
    uint64_t address, there;
    if (!vertex_address(streams, attribute, &number, &address))
        return vertex_fetch(streams, attribute, &number, front_read, work, value);
    const uint8_t *from = front_at(work, address, &there);
    if (!from)
        return false;
    if (there < VERTEX_MOST_BYTES) /* perhaps in two pieces */
        return vertex_fetch(streams, attribute, &number, front_read, work, value);
    vertex_unpack(attribute, from, value);
    return true;
}

static bool fetch(struct front_work *work, const struct front_batch *batch, unsigned number) {
    const struct front_state *state = &work->state;
    const struct vertex_attribute *attribute = &state->attribute[number];
    shade_row *rows = &work->inputs[WORD_GENERIC + 4 * number];
    for (unsigned lane = 0; lane < batch->lanes; lane++) {
        uint32_t value[4], vertex = batch->lane[lane].number;
        if (batch->lane[lane].with_data)
            memcpy(value, front_inline_value(work->front, vertex, number), sizeof value);
        else if (attribute->constant)
            memcpy(value, work->front->constant[number], sizeof value);
        else if (!fetch_lane(work, attribute, vertex, value))
            return false;
        for (unsigned i = 0; i < 4; i++)
            rows[i][lane] = value[i];
    }
    return true;
}

/* VERTEX_ID_REPLACE (0x161c): [0] on, [11:4] the word of the attribute space that VertexID is then. */
static bool replace_id(struct front_work *work, const struct front_batch *batch) {
    uint32_t control = work->value[0x161c >> 2], word = control >> 4 & 0xff;
    unsigned number = (word - WORD_GENERIC) / 4;
    if (!(control & 1) || word < WORD_GENERIC || number >= VERTEX_ATTRIBUTES)
        return true;
    if (!fetch(work, batch, number))
        return false;
    memcpy(work->inputs[WORD_VERTEX], work->inputs[word], sizeof work->inputs[word]);
    return true;
}

static bool set_inputs(struct front_work *work, const struct front_batch *batch) {
    const struct front_stage *stage = &work->state.stage[STAGE_VERTEX];
    for (unsigned i = 0; i < VERTEX_ATTRIBUTES; i++)
        if ((reads(stage, WORD_GENERIC + 4 * i) || reads(stage, WORD_GENERIC + 4 * i + 1) ||
             reads(stage, WORD_GENERIC + 4 * i + 2) || reads(stage, WORD_GENERIC + 4 * i + 3)) &&
            !fetch(work, batch, i))
            return false;
    for (unsigned lane = 0; lane < batch->lanes; lane++) {
        work->inputs[WORD_INSTANCE][lane] = work->front->instance;
        work->inputs[WORD_VERTEX][lane] = batch->lane[lane].id;
    }
    return replace_id(work, batch);
}

static void set_default(struct front_work *work, unsigned word) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        work->outputs[word][i] = work->state.defaults[word];
}

static void set_defaults(struct front_work *work) {
    for (unsigned word = WORD_LAYER; word < WORD_POSITION + 4; word++)
        set_default(work, word);
    for (unsigned word = WORD_DISTANCE; word < WORD_DISTANCE + 8; word++)
        set_default(work, word);
    for (unsigned i = 0; i < work->state.clip.word_count; i++)
        set_default(work, work->state.clip.word[i]);
}

/* NaN becomes 0. */
static uint32_t clamped(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    value = value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void get_vertex(struct front_work *work, struct front_batch *batch, unsigned lane) {
    const struct clip *clip = &work->state.clip;
    struct draw_vertex *vertex = &batch->vertex[lane];
    for (unsigned i = 0; i < 8; i++)
        vertex->attribute[WORD_DISTANCE + i] = work->outputs[WORD_DISTANCE + i][lane];
    for (unsigned i = 0; i < clip->word_count; i++) {
        unsigned word = clip->word[i];
        uint32_t bits = work->outputs[word][lane];
        bool color = word >= 0xa0 && word < 0xb0;
        vertex->attribute[word] = color && work->state.clamp_colors ? clamped(bits) : bits;
    }
    memcpy(&vertex->point_size, &work->outputs[WORD_POINT_SIZE][lane], sizeof vertex->point_size);
}

bool front_shade(struct front_work *work, struct front_batch *batch) {
    if (!batch->assembled)
        return true;
    front_forget_spans(work);
    work->use = USE_VERTEX;
    if (!set_inputs(work, batch))
        return false;
    set_defaults(work);
    shade_warp_begin(&work->warp, work->program[STAGE_VERTEX], &work->stage[STAGE_VERTEX],
                     UINT32_MAX >> (SHADE_LANES - batch->lanes), 0);
    if (!front_run(work))
        return false;
    memcpy(batch->position, work->outputs[WORD_POSITION], sizeof batch->position);
    memcpy(batch->layer, work->outputs[WORD_LAYER], sizeof batch->layer);
    memcpy(batch->viewport, work->outputs[WORD_VIEWPORT], sizeof batch->viewport);
    for (unsigned lane = 0; lane < batch->lanes; lane++)
        get_vertex(work, batch, lane);
    return true;
}
