/* SPDX-License-Identifier: MIT */
/* Random macros of both instruction sets, against the reference, with their parameters in pieces. */
#include "macro.h"

#include "engine/macro/machine.h"
#include "reference/macro.h"
#include "rounds.h"

#define ROUNDS          800
#define MOST_WORDS      96
#define MOST_PARAMETERS 24
#define MACRO           5u

struct seen {
    unsigned sends, ends, errors;
    uint32_t method[REFERENCE_MACRO_SENDS], data[REFERENCE_MACRO_SENDS];
    uint64_t steps;
    char end[24], error[2][32];
};

static void observe(void *opaque, const struct pfifo_event *event) {
    struct seen *seen = opaque;
    if (event->id == EVENT_ENGINE_MACRO_METHOD && seen->sends < REFERENCE_MACRO_SENDS) {
        seen->method[seen->sends] = (uint32_t)event->value[1];
        seen->data[seen->sends++] = (uint32_t)event->value[2];
    } else if (event->id == EVENT_ENGINE_MACRO_END) {
        seen->ends++;
        seen->steps = event->value[3];
        snprintf(seen->end, sizeof seen->end, "%s", event->text);
    } else if (event->id == EVENT_ENGINE_ERROR && seen->errors < 2) {
        snprintf(seen->error[seen->errors++], 32, "%s", event->detail ? event->detail : event->text);
    }
}

struct round {
    struct engine_rig rig;
    unsigned id;
    struct object *object;
    struct seen seen;
    struct reference_macro reference;
    uint32_t code[0x4000], count, code_words, start;
    uint32_t parameters[MOST_PARAMETERS];
};

static bool is_plain(uint32_t method, void *opaque) {
    const struct object *object = opaque;
    return !(object->index->has_row[method >> 8] >> (method >> 2 & 63) & 1);
}

/* ---- programs ---- */

/* A method address that is mostly that of scratch words. */
static uint32_t address(struct choice *c, uint32_t increments) {
    uint32_t word = choice_once_in(c, 12) ? choice_below(c, 0x1000) : 0xd00 + choice_below(c, 0x100);
    return word | choice_below(c, increments) << 12;
}

static uint32_t gf100_word(struct choice *c, uint32_t count) {
    uint32_t word = choice_word(c), kind = choice_below(c, 16);
    uint32_t registers = word & 0x1ff00, exit = choice_once_in(c, 10) ? EXIT : 0;
    if (kind < 3) /* a branch that mostly goes forward */
        return 7 | (word & 0x30) | (registers & ~0x1c000u) | exit |
               IMMEDIATE(choice_once_in(c, 6) ? -(int)choice_below(c, 4) : (int)choice_below(c, count));
    if (kind < 7) {
        static const uint8_t set[4] = {MOV_MADDR, PARM_MADDR, MADDR_SENDPARM, MADDR_SENDHIGH};
        return ADDI((uint32_t)set[kind - 3], word >> 8 & 7, 0, address(c, 64)) | exit;
    }
    uint32_t opcode = kind == 7 ? word & 7 : choice_below(c, 6);
    if (opcode == 0 && !choice_once_in(c, 16))
        word = (word & ~0x3e0000u) | (uint32_t[]){0, 1, 2, 3, 8, 9, 10, 11, 12}[choice_below(c, 9)] << 17;
    uint32_t result =
        (uint32_t[]){PARM, MOV, MOV, PARM_SEND, MOV_SEND, MOV_SEND, MOV_MADDR, MADDR_SENDPARM}[choice_below(
            c, choice_once_in(c, 16) ? 8 : 6)];
    return (word & 0xffffff00u) | exit | result << 4 | opcode;
}

static void put(uint32_t *words, unsigned at, unsigned bits, uint32_t value) {
    for (unsigned i = 0; i < bits; i++)
        words[2 - (at + i) / 32] |= (value >> i & 1) << (at + i) % 32;
}

static uint32_t source_register(struct choice *c) {
    return choice_once_in(c, 200) ? choice_below(c, 32)
           : choice_once_in(c, 2) ? choice_below(c, 6)
                                  : choice_between(c, 22, 27 + 2 * choice_once_in(c, 5));
}

static uint32_t output(struct choice *c, bool method) {
    if (choice_once_in(c, method ? 2 : 3))
        return 0;
    if (method)
        return choice_once_in(c, 12) ? choice_below(c, 8) : 5 + choice_below(c, 2);
    return choice_once_in(c, 100) ? choice_below(c, 16) : (uint32_t[]){1, 2, 3, 4, 5, 6, 8, 9, 10}[choice_below(c, 9)];
}

static uint32_t operation(struct choice *c) {
    uint32_t any = choice_below(c, 32);
    bool is_control = any >= 23 && any <= 29;
    return is_control && !choice_once_in(c, 3) ? choice_below(c, 23) : any;
}

/* What an immediate is mostly for. */
static uint32_t immediate(struct choice *c, uint32_t code, uint32_t groups) {
    if (code >= 23 && code <= 29)
        return (choice_once_in(c, 2) << 15) | (choice_once_in(c, 12)  ? 0x1000
                                               : choice_once_in(c, 8) ? (uint32_t)-1 & 0x1fff
                                                                      : choice_between(c, 1, groups));
    return choice_once_in(c, 2) ? choice_word(c) & 0xffff : address(c, 16);
}

static void tu102_group(struct choice *c, uint32_t *words, uint32_t groups) {
    uint32_t first = operation(c), second = operation(c);
    words[0] = words[1] = words[2] = 0;
    if (choice_once_in(c, 4)) { /* two that belong together */
        first = (uint32_t[]){0, 2, 4, 6}[choice_below(c, 4)];
        second = first == 6 ? 5 : first + 1;
    }
    const uint32_t operations[2] = {first == 1 || first == 3 || first == 5 ? first + choice_once_in(c, 30) - 1 : first,
                                    (second == 1 || second == 3 || second == 5) && first > 6 ? 0 : second};
    put(words, 0, 1, choice_once_in(c, 12));
    put(words, 1, 4, choice_once_in(c, 3) ? choice_below(c, 16) : 0);
    put(words, 5, 5, choice_once_in(c, 2) ? 24 : choice_below(c, 6));
    for (unsigned i = 0; i < 2; i++) {
        unsigned at = 10 + 36 * i;
        put(words, at, 5, operations[i]);
        put(words, at + 5, 5,
            choice_once_in(c, 3)     ? 24
            : choice_once_in(c, 200) ? choice_below(c, 32)
                                     : choice_below(c, 6));
        put(words, at + 10, 5, source_register(c));
        put(words, at + 15, 5, source_register(c));
        put(words, at + 20, 16, immediate(c, operations[i], groups));
        put(words, 82 + 7 * i, 3, output(c, true));
        put(words, 85 + 7 * i, 4, output(c, false));
    }
}

static void program(struct round *r, struct choice *c, bool is_new) {
    static const uint32_t end[3] = {0, 0x18c00000, 0x318c0301}; /* endNext */
    r->code_words = is_new ? 0x4000 : 0x800;
    uint32_t instructions = choice_between(c, 1, MOST_WORDS / (is_new ? 3 : 1));
    r->count = instructions * (is_new ? 3 : 1);
    r->start = choice_once_in(c, 10) ? r->code_words - choice_below(c, r->count + 1) : choice_below(c, 0x100);
    for (uint32_t i = 0; is_new && i < r->code_words; i++)
        r->code[(r->start + i) % r->code_words] = end[i % 3];
    for (uint32_t i = 0; i < instructions; i++) {
        uint32_t words[3];
        if (is_new)
            tu102_group(c, words, instructions);
        else
            words[0] = gf100_word(c, instructions);
        for (unsigned w = 0; w < (is_new ? 3 : 1); w++)
            r->code[(r->start + i * (is_new ? 3 : 1) + w) % r->code_words] = words[w];
    }
}

/* ---- both ways ---- */

static void feed(struct round *r, struct choice *c, uint32_t count) {
    uint32_t at = 0;
    if (count > 1 && choice_once_in(c, 2)) {
        engine_rig_send(&r->rig, r->id, 0, CALL(MACRO), 4, r->parameters, 2);
        at = 2;
    } else {
        engine_rig_send(&r->rig, r->id, 0, CALL(MACRO), choice_once_in(c, 2) ? 4 : 0, r->parameters, 1);
        at = 1;
    }
    while (at < count) {
        uint32_t some = choice_between(c, 1, count - at);
        engine_rig_send(&r->rig, r->id, 0, DATA(MACRO), 0, r->parameters + at, some);
        at += some;
    }
}

static bool differs(FILE *report, const char *what, uint64_t a, uint64_t b) {
    if (a != b)
        fprintf(report, "%s: %#llx, the reference %#llx\n", what, (unsigned long long)a, (unsigned long long)b);
    return a != b;
}

static bool same_sends(const struct round *r, FILE *report) {
    for (unsigned i = 0; i < r->reference.sends; i++)
        if (i >= r->seen.sends || differs(report, "method", r->seen.method[i], r->reference.send[i].method) ||
            differs(report, "data", r->seen.data[i], r->reference.send[i].data)) {
            fprintf(report, "send %u of %u and %u\n", i, r->seen.sends, r->reference.sends);
            return false;
        }
    return true;
}

static bool same_end(const struct round *r, FILE *report, enum reference_macro_end end, uint32_t parameters) {
    static const char *const ends[] = {[REFERENCE_MACRO_END] = "end",
                                       [REFERENCE_MACRO_STARVED] = "",
                                       [REFERENCE_MACRO_ILLEGAL] = "illegal opcode",
                                       [REFERENCE_MACRO_DOUBLE] = "double branch",
                                       [REFERENCE_MACRO_TIMEOUT] = "timeout"};
    const struct reference_macro *m = &r->reference;
    const struct engine *engine = r->rig.fifo.engines[r->id].engine;
    const struct channel_state *state = engine->channels[3];
    const struct macro *macro = channel_shared_if_made(engine, state, &macro_shared);
    bool starved = end == REFERENCE_MACRO_STARVED;
    unsigned surplus = !starved && parameters > (m->used ? m->used : 1), trapped = end > REFERENCE_MACRO_STARVED;
    if (strcmp(r->seen.end, ends[end]) != 0 || differs(report, "ends", r->seen.ends, !starved) ||
        differs(report, "still running", state->macro_runs, starved) ||
        differs(report, "errors", r->seen.errors, surplus + trapped) ||
        differs(report, "sends", r->seen.sends, m->sends)) {
        fprintf(report, "end: %s, the reference %s\n", r->seen.end, ends[end]);
        return false;
    }
    if (surplus && strcmp(r->seen.error[trapped], "MACRO_TOO_MANY_PARAMETERS") != 0)
        return !differs(report, "surplus", 0, 1);
    for (unsigned i = 0; i < MACRO_REGISTERS; i++)
        if (differs(report, "register", macro->reg[i], m->reg[i]))
            return false;
    return !differs(report, "steps", macro->steps, m->steps) &&
           memcmp(macro->data, m->data, macro->isa->data_words * sizeof m->data[0]) == 0;
}

static bool compare(struct round *r, struct choice *c, FILE *report, bool is_new) {
    struct reference_macro *m = &r->reference;
    uint32_t count = choice_between(c, 1, MOST_PARAMETERS);
    for (uint32_t i = 0; i < count; i++)
        r->parameters[i] = choice_once_in(c, 3)   ? choice_word(c)
                           : choice_once_in(c, 2) ? choice_below(c, 40)
                                                  : address(c, 64);
    upload(&r->rig, r->id, MACRO, 0, r->code, r->code_words);
    send(&r->rig, r->id, 0, 0x11c, MACRO, r->start);
    for (uint32_t i = 0; i < 0x100; i++)
        send(&r->rig, r->id, 0, SCRATCH(i), choice_word(c));
    memcpy(m->values, r->object->value, sizeof m->values);
    m->code = r->code;
    m->code_words = r->code_words;
    m->start = r->start;
    m->parameters = r->parameters;
    m->parameter_count = count;
    m->is_plain = is_plain;
    m->opaque = r->object;
    enum reference_macro_end end = is_new ? reference_macro_tu102(m) : reference_macro_gf100(m);
    m->values[CALL(MACRO) >> 2] = 0;
    event_observe(&r->rig.hub, "engine.macro*,engine.error", observe, &r->seen, NULL);
    feed(r, c, count);
    return same_sends(r, report) && (end == REFERENCE_MACRO_LEFT || same_end(r, report, end, count));
}

static bool play(struct choice *c, FILE *report, const char *chip, uint32_t object_class, bool is_new) {
    struct round *r = calloc(1, sizeof *r);
    assert_non_null(r);
    assert_true(engine_rig_start(&r->rig, chip));
    r->id = engine_rig_id(&r->rig, CHIP_UNIT_PGRAPH);
    assert_true(engine_rig_bind(&r->rig, r->id, 0, object_class));
    r->object = ((struct engine *)r->rig.fifo.engines[r->id].engine)->channels[3]->subchannel[0];
    program(r, c, is_new);
    bool same = compare(r, c, report, is_new);
    engine_rig_stop(&r->rig);
    free(r);
    return same;
}

static bool play_gf100(struct choice *c, FILE *report) {
    return play(c, report, "GF100", 0x9097, false);
}

static bool play_tu102(struct choice *c, FILE *report) {
    return play(c, report, "TU102", 0xc597, true);
}

static void random_macros_of_gf100(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_gf100, ROUNDS), 0);
}

static void random_macros_of_tu102(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_tu102, ROUNDS), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_macros_of_gf100),
        cmocka_unit_test(random_macros_of_tu102),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
