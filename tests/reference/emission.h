/* SPDX-License-Identifier: MIT */
/*
 * Geometry programs, plainly: a list of steps that is walked through for one primitive and one instance after the other,
 * and strips as lists of vertices, from which primitives are taken by the formulas of their topology. It shares no code
 * and no table with the engine.
 *
 * Sources: NVIDIA open-gpu-doc Shader-Program-Header; the OpenGL 4.6 specification, 10.1, 11.3.
 */
#ifndef PFIFO_TESTS_REFERENCE_EMISSION_H
#define PFIFO_TESTS_REFERENCE_EMISSION_H

#include <stdbool.h>
#include <stdint.h>

#define EMISSION_WORDS 256u
#define EMISSION_STEPS 48u

enum emission_kind {
    EMISSION_COPY,     /* out[word] = vertex[number].in[from] + add */
    EMISSION_INSTANCE, /* out[word] = instance + add */
    EMISSION_ID,       /* out[word] = primitive's number + add */
    EMISSION_OUT,      /* emits, cuts or both */
};

/* For whom a step of EMISSION_OUT is: all, instances or primitives whose number is below `than`. */
enum emission_guard { EMISSION_ALWAYS, EMISSION_INSTANCES, EMISSION_PRIMITIVES };

struct emission_step {
    enum emission_kind kind;
    unsigned number, from, word;
    uint32_t add;
    bool emits, cuts;
    unsigned stream;
    enum emission_guard guard;
    uint32_t than;
};

struct emission_program {
    unsigned count;
    struct emission_step step[EMISSION_STEPS];
    unsigned instances, most; /* vertices of an instance */
    unsigned corners;         /* of what is emitted: 1 points, 2 line strips, 3 triangle strips */
};

/* A primitive: vertex[i][w] is word w of its corner i. */
typedef void emission_take(void *opaque, unsigned stream, const uint32_t *const *vertex, unsigned corners);

/*
 * All instances of a primitive: in[i] has the words of its vertex i of `count`. What is not written is `defaults`.
 * Returns how many primitives there are.
 */
unsigned emission_run(const struct emission_program *program, const uint32_t *const *in, unsigned count, uint32_t id,
                      const uint32_t *defaults, bool provoking_last, emission_take *take, void *opaque);

#endif
