/* SPDX-License-Identifier: MIT */
#include "front/geometry_program.h"

enum {
    ZERO = 0xff, /* the register that is 0 */
    TRUE = 7,
    HANDLE = 0,
    VALUE = 1,
    INSTANCE = 5,
    ID = 6,
    MOST_BYTES = 0xb00,
};

/* Instructions are written one after the other, with a word for the scheduler before each three. */
struct writer {
    struct engine_rig *rig;
    uint64_t at;
};

static void put_word(struct writer *w, uint64_t word) {
    put(w->rig, w->at, (uint32_t[]){(uint32_t)word, (uint32_t)(word >> 32)}, 2);
    w->at += 8;
}

static void add(struct writer *w, uint64_t word) {
    if (w->at % 32 == 0)
        put_word(w, 0x001f8000fc0007e0);
    put_word(w, word);
}

static uint64_t fields(uint64_t code, unsigned guard, unsigned d, unsigned a) {
    return code << 48 | (uint64_t)guard << 16 | a << 8 | d;
}

static void add_integer(struct writer *w, unsigned d, unsigned a, uint32_t immediate) {
    add(w, fields(0x1c00, TRUE, d, a) | (uint64_t)immediate << 20);
}

static void move(struct writer *w, unsigned d, uint32_t immediate) {
    add(w, fields(0x0100, TRUE, d, 0) | (uint64_t)immediate << 20 | 0xf << 12);
}

/* ISBERD and ALD: a word of a vertex. */
static void load(struct writer *w, unsigned d, unsigned vertex, unsigned word) {
    move(w, HANDLE, vertex);
    add(w, fields(0xefd0, TRUE, HANDLE, HANDLE));
    add(w, fields(0xefd8, TRUE, d, ZERO) | (uint64_t)word << 22 | (uint64_t)HANDLE << 39);
}

static void store(struct writer *w, unsigned from, unsigned word) {
    add(w, fields(0xeff0, TRUE, from, ZERO) | (uint64_t)word << 22 | (uint64_t)ZERO << 39);
}

/* P0 = register < immediate. */
static void compare(struct writer *w, unsigned a, uint32_t immediate) {
    add(w, fields(0x3660, TRUE, TRUE, a) | UINT64_C(1) << 49 | (uint64_t)TRUE << 39 | (uint64_t)immediate << 20);
}

static void emit(struct writer *w, const struct emission_step *step) {
    unsigned guard = step->guard == EMISSION_ALWAYS ? TRUE : 0;
    uint64_t mode = (step->emits ? 1u : 0) | (step->cuts ? 2u : 0);
    if (!guard)
        compare(w, step->guard == EMISSION_INSTANCES ? INSTANCE : ID, step->than);
    add(w, fields(0xf6e0, guard, ZERO, ZERO) | mode << 39 | (uint64_t)step->stream << 20);
}

static void add_step(struct writer *w, const struct emission_step *step) {
    if (step->kind == EMISSION_OUT) {
        emit(w, step);
        return;
    }
    if (step->kind == EMISSION_COPY)
        load(w, VALUE, step->number, step->from);
    add_integer(w, VALUE, step->kind == EMISSION_COPY ? VALUE : step->kind == EMISSION_ID ? ID : INSTANCE, step->add);
    store(w, VALUE, step->word);
}

void geometry_put(struct engine_rig *rig, unsigned id, const struct emission_program *program) {
    static const uint32_t topologies[] = {0, 1, 6, 7};
    const uint32_t header[20] = {[0] = 0x21061,
                                 [2] = program->instances << 24,
                                 [3] = topologies[program->corners] << 24,
                                 [4] = 0xff000 | program->most,
                                 [5] = 0xf1000000,
                                 [6] = 0xf,
                                 [13] = 0xff000};
    struct writer w = {rig, CODE + GEOMETRY + 0x50};
    put(rig, CODE + GEOMETRY, header, 20);
    add(&w, fields(0xf0c8, TRUE, INSTANCE, 0) | 0x11 << 20);
    load(&w, ID, 0, 0x18);
    for (unsigned i = 0; i < program->count; i++)
        add_step(&w, &program->step[i]);
    add(&w, 0xe30000000007000f);
    assert_true(w.at <= CODE + GEOMETRY + MOST_BYTES);
    send(rig, id, 0, 0x2100, 0x41);
    send(rig, id, 0, 0x2104, GEOMETRY);
    send(rig, id, 0, 0x21c, 1);
}

void geometry_writes(struct engine_rig *rig, unsigned id, unsigned word) {
    uint64_t at = CODE + GEOMETRY + (400 + word) / 32 * 4;
    engine_rig_wr32(rig, at, engine_rig_rd32(rig, at) | 1u << (400 + word) % 32);
    send(rig, id, 0, 0x21c, 1);
}
