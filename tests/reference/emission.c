/* SPDX-License-Identifier: MIT */
#include "reference/emission.h"

#include <assert.h>
#include <string.h>

#define STREAMS 4u

/* A list of vertices that has not ended. */
struct strip {
    unsigned count;
    uint32_t vertex[EMISSION_STEPS][EMISSION_WORDS];
};

struct lane {
    const struct emission_program *program;
    uint32_t out[EMISSION_WORDS];
    unsigned emitted, primitives;
    bool last;
    emission_take *take;
    void *opaque;
};

static struct strip strips[STREAMS];

static void take(struct lane *lane, unsigned stream, unsigned a, unsigned b, unsigned c) {
    const struct strip *s = &strips[stream];
    const uint32_t *corner[3] = {s->vertex[a], s->vertex[b], s->vertex[c]};
    lane->take(lane->opaque, stream, corner, lane->program->corners);
    lane->primitives++;
}

/* The primitive that the strip's last vertex completes. */
static void complete(struct lane *lane, unsigned stream) {
    unsigned n = strips[stream].count, corners = lane->program->corners;
    if (n < corners)
        return;
    unsigned i = n - corners;
    if (corners < 3 || i % 2 == 0)
        take(lane, stream, i, i + (corners > 1), i + (corners > 2 ? 2 : 0));
    else if (lane->last)
        take(lane, stream, i + 1, i, i + 2);
    else
        take(lane, stream, i, i + 2, i + 1);
}

static void out(struct lane *lane, const struct emission_step *step) {
    struct strip *strip = &strips[step->stream];
    if (step->emits && lane->emitted < lane->program->most) {
        assert(strip->count < EMISSION_STEPS);
        memcpy(strip->vertex[strip->count++], lane->out, sizeof lane->out);
        lane->emitted++;
        complete(lane, step->stream);
    }
    if (step->cuts)
        strip->count = 0;
}

static bool is_for(const struct emission_step *step, uint32_t instance, uint32_t id) {
    return step->guard == EMISSION_ALWAYS || (step->guard == EMISSION_INSTANCES ? instance : id) < step->than;
}

unsigned emission_run(const struct emission_program *program, const uint32_t *const *in, unsigned count, uint32_t id,
                      const uint32_t *defaults, bool provoking_last, emission_take *take_it, void *opaque) {
    unsigned primitives = 0;
    for (uint32_t instance = 0; instance < program->instances; instance++) {
        struct lane lane = {.program = program, .last = provoking_last, .take = take_it, .opaque = opaque};
        memcpy(lane.out, defaults, sizeof lane.out);
        for (unsigned i = 0; i < STREAMS; i++)
            strips[i].count = 0;
        for (unsigned i = 0; i < program->count; i++) {
            const struct emission_step *step = &program->step[i];
            if (step->kind == EMISSION_COPY)
                lane.out[step->word] = (step->number < count ? in[step->number][step->from] : 0) + step->add;
            else if (step->kind == EMISSION_INSTANCE)
                lane.out[step->word] = instance + step->add;
            else if (step->kind == EMISSION_ID)
                lane.out[step->word] = id + step->add;
            else if (is_for(step, instance, id))
                out(&lane, step);
        }
        primitives += lane.primitives;
    }
    return primitives;
}
