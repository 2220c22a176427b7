/* SPDX-License-Identifier: MIT */
/* Several samples of a pixel: which are drawn to, what they have, and what becomes of them. */
#include <string.h>

#include "vulkan/programs/graphics_canvas.h"

enum { SIZE = 8, SAMPLES = 4 };

struct sampled_canvas {
    struct image target;
    struct frame frame;
};

static void sampled_new(struct rig *rig, struct sampled_canvas *canvas, VkFormat format) {
    canvas->target =
        image_new(rig, &(struct image_plan){.format = format,
                                            .width = SIZE,
                                            .height = SIZE,
                                            .samples = VK_SAMPLE_COUNT_4_BIT,
                                            .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT});
    canvas->frame = (struct frame){.colors = {&canvas->target}, .colors_count = 1, .width = SIZE, .height = SIZE};
}

/* All samples, four components each. */
static const float *samples_read(struct rig *rig, struct sampled_canvas *from) {
    struct canvas *canvas = keep_bytes(rig, sizeof *canvas);
    canvas_new(rig, canvas, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE * SAMPLES, SIZE);
    struct draws draws =
        boxes_new(rig, &canvas->frame,
                  (struct draws_plan){.fragment = "samples_of.frag",
                                      .bindings = &(struct binding){.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                      .bindings_count = 1});
    put_image(rig, &draws.descriptors, 0, 0, from->target.view,
              sampler_new(rig, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE));
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas->frame);
    box_draw(commands, &draws, &canvas->frame, (struct box){.depth = 0}, 0, 0, SIZE * SAMPLES, SIZE);
    frame_end(rig, commands, &canvas->frame);
    commands_run(rig, commands);
    return (const float *)canvas_words(rig, canvas);
}

static VkPipelineMultisampleStateCreateInfo four(const VkSampleMask *mask) {
    return (VkPipelineMultisampleStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                  .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT,
                                                  .pSampleMask = mask};
}

/* A run of the program for each sample, with its number and place, and the average of all. */
void program_graphics_sample_shading(struct rig *rig) {
    static const double places[SAMPLES][2] = {{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}};
    VkPipelineMultisampleStateCreateInfo state = four(NULL);
    struct sampled_canvas canvas;
    struct image single =
        image_new(rig, &(struct image_plan){.format = VK_FORMAT_R32G32B32A32_SFLOAT, .width = SIZE, .height = SIZE});
    NEED(rig, core.features.sampleRateShading);
    state.sampleShadingEnable = VK_TRUE;
    state.minSampleShading = 1;
    sampled_new(rig, &canvas, VK_FORMAT_R32G32B32A32_SFLOAT);
    struct draws draws =
        boxes_new(rig, &canvas.frame, (struct draws_plan){.fragment = "sample_id.frag", .multisample = &state});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    box_draw(commands, &draws, &canvas.frame, (struct box){.depth = 0}, 2, 2, SIZE - 2, SIZE - 2);
    frame_end(rig, commands, &canvas.frame);
    const VkImageResolve all = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                .extent = {SIZE, SIZE, 1}};
    image_to(commands, &single, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdResolveImage(commands, canvas.target.handle, VK_IMAGE_LAYOUT_GENERAL, single.handle, VK_IMAGE_LAYOUT_GENERAL,
                      1, &all);
    commands_run(rig, commands);
    const float *samples = samples_read(rig, &canvas);
    const float *resolved = image_read(rig, &single, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0);
    for (uint32_t i = 0; i < SIZE * SIZE * SAMPLES; i++) {
        const uint32_t p = i / SAMPLES, s = i % SAMPLES;
        const bool drawn = p % SIZE >= 2 && p / SIZE >= 2;
        check_near("a sample's number", i, (double)samples[4 * i], drawn ? s + 1 : 0, 0);
        check_near("a sample's x", i, (double)samples[4 * i + 1], drawn ? places[s][0] : 0, 0);
        check_near("a sample's y", i, (double)samples[4 * i + 2], drawn ? places[s][1] : 0, 0);
        check_near("an average", p, (double)resolved[4 * p], drawn ? 2.5 : 0, 0.001);
    }
}

/* The state's mask and the program's decide together; the program sees all that its primitive covers. */
void program_graphics_sample_mask(struct rig *rig) {
    enum { STATE = 0xd, PROGRAM = 0x7 };
    const VkSampleMask mask = STATE;
    const VkPipelineMultisampleStateCreateInfo state = four(&mask);
    const struct box box = {.color = {5, 6, 7, 8}, .word = PROGRAM};
    struct sampled_canvas canvas;
    sampled_new(rig, &canvas, VK_FORMAT_R32G32B32A32_SFLOAT);
    struct draws draws =
        boxes_new(rig, &canvas.frame, (struct draws_plan){.fragment = "sample_mask.frag", .multisample = &state});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    box_draw(commands, &draws, &canvas.frame, box, 0, 0, SIZE, SIZE / 2);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const float *samples = samples_read(rig, &canvas);
    for (uint32_t i = 0; i < SIZE * SIZE * SAMPLES; i++) {
        const bool drawn = i / SAMPLES < SIZE * SIZE / 2 && (STATE & PROGRAM) >> i % SAMPLES & 1;
        check_near("a sample", i, (double)samples[4 * i], drawn ? 5 : 0, 0);
    }
}

/* Half of a pixel's samples, or all or none, by the alpha of its colour. */
void program_graphics_alpha_to_coverage(struct rig *rig) {
    static const float alphas[] = {0, 0.5f, 1};
    VkPipelineMultisampleStateCreateInfo state = four(NULL);
    struct sampled_canvas canvas;
    state.alphaToCoverageEnable = VK_TRUE;
    sampled_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM);
    struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.multisample = &state});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    for (uint32_t i = 0; i < 3; i++)
        box_draw(commands, &draws, &canvas.frame, (struct box){.color = {1, 1, 1, alphas[i]}}, 2 * i, 0, 2, SIZE);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const float *samples = samples_read(rig, &canvas);
    /* Which samples have coverage may vary from pixel to pixel; four pixels together tell. */
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t count = 0;
        for (uint32_t k = 0; k < 4 * SAMPLES; k++) {
            const uint32_t p = k / SAMPLES / 2 * SIZE + 2 * i + k / SAMPLES % 2;
            count += samples[4 * (p * SAMPLES + k % SAMPLES)] > 0;
        }
        check_word("samples of four pixels", count, i < 3 ? (uint32_t)(16 * alphas[i]) : 0);
    }
}
