/* SPDX-License-Identifier: MIT */
#include "vulkan/programs/graphics_canvas.h"

#include <math.h>

void canvas_new(struct rig *rig, struct canvas *canvas, VkFormat format, uint32_t width, uint32_t height) {
    canvas->target = image_new(
        rig, &(struct image_plan){
                 .format = format, .width = width, .height = height, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
    canvas->frame = (struct frame){.colors = {&canvas->target}, .colors_count = 1, .width = width, .height = height};
}

void canvas_depth(struct rig *rig, struct canvas *canvas, VkFormat format, float depth, uint32_t stencil) {
    canvas->depth = image_new(rig, &(struct image_plan){.format = format,
                                                        .width = canvas->frame.width,
                                                        .height = canvas->frame.height,
                                                        .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    canvas->frame.depth = &canvas->depth;
    canvas->frame.clear_depth = (VkClearDepthStencilValue){depth, stencil};
}

struct draws boxes_new(struct rig *rig, const struct frame *frame, struct draws_plan plan) {
    plan.vertex = plan.vertex ? plan.vertex : "box.vert";
    plan.fragment = plan.fragment ? plan.fragment : "color.frag";
    plan.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    plan.frame = frame;
    plan.push_bytes = sizeof(struct box);
    return draws_new(rig, &plan);
}

void box_at(struct box *box, const struct frame *frame, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
    box->box[0] = 2 * (float)x / (float)frame->width - 1;
    box->box[1] = 2 * (float)y / (float)frame->height - 1;
    box->box[2] = 2 * (float)(x + width) / (float)frame->width - 1;
    box->box[3] = 2 * (float)(y + height) / (float)frame->height - 1;
}

void box_draw(VkCommandBuffer commands, const struct draws *draws, const struct frame *frame, struct box box,
              uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
    box_at(&box, frame, x, y, width, height);
    draws_bind(commands, draws, &box);
    vkCmdDraw(commands, 4, 1, 0, 0);
}

const uint32_t *canvas_words(struct rig *rig, struct canvas *canvas) {
    return image_read(rig, &canvas->target, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0);
}

void check_near(const char *what, size_t index, double value, double wanted, double most) {
    if (!(fabs(value - wanted) <= most))
        fail("%s: number %zu is %g instead of %g", what, index, value, wanted);
}
