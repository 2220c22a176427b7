/* SPDX-License-Identifier: MIT */
/* What programs of graphics_*.c draw with: rectangles of pixels (shaders/box.vert), and targets of numbers. */
#ifndef TESTS_VULKAN_PROGRAMS_GRAPHICS_CANVAS_H
#define TESTS_VULKAN_PROGRAMS_GRAPHICS_CANVAS_H

#include "vulkan/programs/programs.h"

/* The push constants of box.vert, color.frag, word.frag. */
struct box {
    float box[4], color[4];
    float depth;
    uint32_t word;
};

struct canvas {
    struct image target, depth; /* depth: none, if the plan has no format for it */
    struct frame frame;
};

/* A target that is cleared to zeros, and perhaps depth, cleared to this. The canvas stays where it is. */
void canvas_new(struct rig *rig, struct canvas *canvas, VkFormat format, uint32_t width, uint32_t height);
void canvas_depth(struct rig *rig, struct canvas *canvas, VkFormat format, float depth, uint32_t stencil);

/* Pipelines of boxes; what a plan has already is kept. */
struct draws boxes_new(struct rig *rig, const struct frame *frame, struct draws_plan plan);
/* Pixels from x, y on. The rest of the box is the caller's. */
void box_at(struct box *box, const struct frame *frame, uint32_t x, uint32_t y, uint32_t width, uint32_t height);
void box_draw(VkCommandBuffer commands, const struct draws *draws, const struct frame *frame, struct box box,
              uint32_t x, uint32_t y, uint32_t width, uint32_t height);

/* Words of the target's pixels. */
const uint32_t *canvas_words(struct rig *rig, struct canvas *canvas);

/* Differs by no more than this. */
void check_near(const char *what, size_t index, double value, double wanted, double most);

#endif
