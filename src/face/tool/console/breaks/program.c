/* SPDX-License-Identifier: MIT */
/* Stops at an instruction of a shader program: "program [STAGE] [KEY=VALUE]...". */
#include "face/tool/console/breaks/breaks.h"

#include <pfifo/nearest.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an instruction must have. A key that was not given says nothing. */
enum program_key {
    KEY_PC,
    KEY_PROGRAM,
    KEY_CHANNEL,
    KEY_LANE,
    KEY_THREAD,
    KEY_X,
    KEY_Y,
    KEY_VERTEX,
    KEY_INSTANCE,
    KEY_PRIMITIVE,
    KEY_POINT,
    KEY_INVOCATION,
    KEY_PATCH,
    KEYS
};

struct break_program {
    unsigned stage; /* PFIFO_STAGES: any */
    bool given[KEYS];
    uint64_t value[KEYS];
    unsigned numbers; /* of a thread: thread=X,Y,Z,BLOCK_X ... */
    uint32_t thread[6];
};

/* Keys of lanes: what they are, and which of its numbers. */
static const struct lane_key {
    const char *name, *is, *also; /* also: other lanes that have it, too; NULL: none have */
    unsigned number;
} program_keys[KEYS] = {
    [KEY_PC] = {"pc", NULL, NULL, 0},
    [KEY_PROGRAM] = {"program", NULL, NULL, 0},
    [KEY_CHANNEL] = {"channel", NULL, NULL, 0},
    [KEY_LANE] = {"lane", NULL, NULL, 0},
    [KEY_THREAD] = {"thread", "thread", NULL, 0},
    [KEY_X] = {"x", "pixel", NULL, 0},
    [KEY_Y] = {"y", "pixel", NULL, 1},
    [KEY_VERTEX] = {"vertex", "vertex", NULL, 0},
    [KEY_INSTANCE] = {"instance", "vertex", "primitive", 1},
    [KEY_PRIMITIVE] = {"primitive", "primitive", NULL, 0},
    [KEY_POINT] = {"point", "point", NULL, 0},
    [KEY_INVOCATION] = {"invocation", "invocation", NULL, 0},
    [KEY_PATCH] = {"patch", "point", "invocation", 1},
};

/* ---- what was typed ---- */

static bool read_thread(struct break_program *program, const char *text, struct pfifo_error *error) {
    const char *at = text;
    char *end;

    for (program->numbers = 0; program->numbers < 6; at = end + 1) {
        unsigned long value = strtoul(at, &end, 0);
        if (end == at || (*end && *end != ',') || value > UINT32_MAX)
            break;
        program->thread[program->numbers++] = (uint32_t)value;
        if (!*end)
            return true;
    }
    return refuse(error, "'%.60s' is not a thread: X,Y,Z of it in its block, and then those of the block", text);
}

static bool read_key(const struct breaks *breaks, struct break_program *program, const char *word,
                     struct pfifo_error *error) {
    size_t length = strcspn(word, "=");
    unsigned key = 0;

    while (key < KEYS &&
           (strlen(program_keys[key].name) != length || strncmp(word, program_keys[key].name, length) != 0))
        key++;
    if (key == KEYS)
        return refuse(error,
                      "'%.60s' is not known: pc, program, channel, lane, x, y, vertex, instance, primitive, point, "
                      "invocation, patch or thread, each with = and a number",
                      word);
    program->given[key] = true;
    if (key == KEY_THREAD)
        return read_thread(program, word + length + 1, error);
    return breaks->owner->number(breaks->opaque, word + length + 1, &program->value[key], error);
}

static bool read_stage(struct break_program *program, const char *word, struct pfifo_error *error) {
    for (unsigned stage = 0; stage < PFIFO_STAGES; stage++)
        if (strcmp(word, pfifo_stage_name(stage)) == 0) {
            program->stage = stage;
            return true;
        }
    return refuse(
        error,
        "'%.60s' is no stage: vertex_a, vertex, control, evaluation, geometry, fragment or compute; nor is it "
        "KEY=VALUE",
        word);
}

static bool read_word(const struct breaks *breaks, struct break_program *program, const char *word,
                      struct pfifo_error *error) {
    if (word[0] == '*') {
        program->given[KEY_PC] = true;
        return breaks->owner->number(breaks->opaque, word + 1, &program->value[KEY_PC], error);
    }
    return strchr(word, '=') ? read_key(breaks, program, word, error) : read_stage(program, word, error);
}

struct breakpoint *breaks_program_new(struct breaks *breaks, unsigned count, char **argument, const char *text,
                                      struct pfifo_error *error) {
    struct break_program *program = calloc(1, sizeof *program);
    bool done = program || refuse(error, "no memory");

    if (program)
        program->stage = PFIFO_STAGES;
    for (unsigned i = 0; done && i < count; i++)
        done = read_word(breaks, program, argument[i], error);
    struct breakpoint *brk = done ? breaks_new(breaks, BREAK_PROGRAM, text, error) : NULL;
    if (brk)
        brk->program = program;
    else
        free(program);
    return brk;
}

/* ---- what hits ---- */

static bool is_one(const struct pfifo_warp_thread *thread, const struct lane_key *key) {
    return thread->is && (strcmp(thread->is, key->is) == 0 || (key->also && strcmp(thread->is, key->also) == 0));
}

static bool has_thread(const struct break_program *program, const struct pfifo_warp_thread *thread) {
    for (unsigned key = KEY_THREAD; key < KEYS; key++) {
        if (!program->given[key])
            continue;
        if (!is_one(thread, &program_keys[key]))
            return false;
        if (key != KEY_THREAD && thread->at[program_keys[key].number] != program->value[key])
            return false;
    }
    return !program->numbers || memcmp(thread->at, program->thread, program->numbers * sizeof thread->at[0]) == 0;
}

/* Of the lanes that are at it: helpers are there for others, and nobody means them. */
static bool has_lane(const struct break_program *program, const struct pfifo_program_step *step,
                     const struct pfifo_warp *warp, unsigned *lane) {
    uint32_t lanes = step->lanes & ~step->helpers;

    for (unsigned i = 0; i < PFIFO_LANES; i++) {
        struct pfifo_warp_thread thread;
        if (!(lanes >> i & 1) || (program->given[KEY_LANE] && program->value[KEY_LANE] != i))
            continue;
        pfifo_warp_thread(warp, i, &thread);
        if (!has_thread(program, &thread))
            continue;
        *lane = i;
        return true;
    }
    return false;
}

/* Without an address it is the first instruction, which a word for the scheduler may stand before. */
static bool is_program(const struct break_program *program, const struct pfifo_program_step *step) {
    uint64_t begin = step->code + step->entry;

    return (program->stage == PFIFO_STAGES || program->stage == step->stage) &&
           (program->given[KEY_PC] ? program->value[KEY_PC] == step->pc : !step->executed) &&
           (!program->given[KEY_PROGRAM] || program->value[KEY_PROGRAM] == step->program ||
            program->value[KEY_PROGRAM] == begin) &&
           (!program->given[KEY_CHANNEL] || program->value[KEY_CHANNEL] == step->channel);
}

bool breaks_program_match(const struct breakpoint *brk, const struct pfifo_program_step *step,
                          const struct pfifo_warp *warp, unsigned *lane) {
    return brk->number && brk->kind == BREAK_PROGRAM && is_program(brk->program, step) &&
           has_lane(brk->program, step, warp, lane);
}
