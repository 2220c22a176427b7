/* SPDX-License-Identifier: MIT */
/* An engine rig that draws: programs, a target, vertices. */
#ifndef TESTS_FRONT_DRAW_RIG_H
#define TESTS_FRONT_DRAW_RIG_H

#include "engine/check.h"

enum {
    TARGET = 0x10000,
    WIDTH = 64,
    VERTICES = 0x2000,
    INDICES = 0x4000,
    COLORS = 0x6000,
    CODE = 0x8000,
    REPORT = 0x9000,
    STRIDE = 24,
    HEADER = 0x30,
    FRAGMENT = 0x130,
    STRIP = 5,
    FAN = 6,
};

void put(struct engine_rig *rig, uint64_t address, const uint32_t *words, unsigned count);
uint32_t bits(float value);
void put_vertex(struct engine_rig *rig, unsigned number, float x, float y, float red);

/* A target of RGBA8 without blocks, 64 x 64; vertices 0 to 3 are the left half, red 1, 4 to 7 the right one, red 0.2.
 */
unsigned draw_begin(struct engine_rig *rig);
/* The programs that begin with it, anew. */
void draw_put_programs(struct engine_rig *rig);
unsigned draw_begin_on(struct engine_rig *rig, const char *chip, uint32_t object_class);

/* Nothing but draws, and nothing that was not executed. */
void expect_only_draws(const struct engine_rig *rig);

/* The rest of a draw, on a machine that was saved in the middle of it. */
void draw_go_on_elsewhere(struct engine_rig *from, struct engine_rig *to, unsigned id);

#endif
