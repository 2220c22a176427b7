/* SPDX-License-Identifier: MIT */
/*
 * A triangle over the pixels that are above the diagonal from the lower left to the upper right, and no others: by dynamic
 * rendering, and in a render pass. Corners are (-1, -1), (1, -1), (-1, 1), so a pixel is in it where x + y < SIZE - 1; the
 * centres of the others on the diagonal lie on its edge, and belong to it only if that were a top or left one.
 */
#include "vulkan/programs/programs.h"

enum { SIZE = 32 };

static void draw(struct rig *rig, struct frame *frame) {
    const float red[4] = {1, 0, 0, 1};
    struct draws triangle = draws_new(rig, &(struct draws_plan){.vertex = "half.vert",
                                                                .fragment = "half.frag",
                                                                .frame = frame,
                                                                .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                                .push_bytes = sizeof red});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, frame);
    draws_bind(commands, &triangle, red);
    vkCmdDraw(commands, 3, 1, 0, 0);
    frame_end(rig, commands, frame);
    commands_run(rig, commands);
}

static void check(struct rig *rig, struct image *target) {
    const uint32_t *pixels = image_read(rig, target, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0);
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        uint32_t x = i % SIZE, y = i / SIZE, wanted = x + y < SIZE - 1 ? 0xff0000ff : 0xffff0000;
        if (x + y != SIZE - 1 && pixels[i] != wanted)
            fail("pixel %u, %u is 0x%08x instead of 0x%08x", x, y, pixels[i], wanted);
    }
}

static void triangle(struct rig *rig, bool by_pass) {
    struct image target = image_new(rig, &(struct image_plan){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                              .width = SIZE,
                                                              .height = SIZE,
                                                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
    struct frame frame = {
        .colors = {&target}, .colors_count = 1, .width = SIZE, .height = SIZE, .clear = {{.float32 = {0, 0, 1, 1}}}};
    if (by_pass)
        frame_use_pass(rig, &frame);
    draw(rig, &frame);
    check(rig, &target);
}

void program_graphics_triangle(struct rig *rig) {
    triangle(rig, false);
}

void program_graphics_triangle_pass(struct rig *rig) {
    triangle(rig, true);
}
