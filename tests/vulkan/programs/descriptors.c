/* SPDX-License-Identifier: MIT */
/* Ways in which resources are bound: arrays that are indexed, offsets at binding, updates after it, blocks inline, pushed. */
#include <string.h>

#include "vulkan/programs/programs.h"

enum { ARRAY = 16, CONSTANTS_COUNT = 8, WORDS = 16 };

static uint32_t marked(uint32_t kind, uint32_t number, uint32_t word) {
    return kind << 16 | number << 8 | word;
}

static void fill_array(struct rig *rig, const struct kernel *kernel, struct buffer *constants) {
    for (uint32_t n = 0; n < ARRAY; n++) {
        struct buffer words = buffer_new(rig, 16, 0),
                      texels = buffer_new(rig, 16, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
        struct image image = image_new(
            rig, &(struct image_plan){.format = VK_FORMAT_R32_UINT, .width = 2, .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
        const uint32_t row[] = {marked(2, n, 0), marked(2, n, 1)};
        for (uint32_t i = 0; i < 4; i++) {
            words.words[i] = marked(1, n, i);
            texels.words[i] = marked(3, n, i);
        }
        image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, row);
        put_buffer(rig, &kernel->descriptors, 1, n, &words);
        put_image(rig, &kernel->descriptors, 2, n, image.view,
                  sampler_new(rig, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE));
        put_texels(rig, &kernel->descriptors, 3, n, buffer_view(rig, &texels, VK_FORMAT_R32_UINT));
        if (n >= CONSTANTS_COUNT)
            continue;
        constants[n] = buffer_new(rig, 16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        constants[n].words[0] = marked(4, n, 0);
        put_buffer(rig, &kernel->descriptors, 4, n, &constants[n]);
    }
}

void program_descriptor_indexing(struct rig *rig) {
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = ARRAY},
                                       {.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .count = ARRAY},
                                       {.type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .count = ARRAY},
                                       {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .count = CONSTANTS_COUNT}};
    struct buffer constants[CONSTANTS_COUNT], results = buffer_new(rig, 256 * 4, 0);
    NEED(rig, indexing.shaderStorageBufferArrayNonUniformIndexing);
    NEED(rig, indexing.shaderSampledImageArrayNonUniformIndexing);
    NEED(rig, indexing.shaderUniformTexelBufferArrayNonUniformIndexing);
    NEED(rig, indexing.shaderUniformBufferArrayNonUniformIndexing);
    struct kernel kernel = kernel_new(
        rig, &(struct kernel_plan){.shader = "indexing.comp", .bindings = bindings, .bindings_count = COUNT(bindings)});
    put_buffer(rig, &kernel.descriptors, 0, 0, &results);
    fill_array(rig, &kernel, constants);
    kernel_run(rig, &kernel, NULL, 1, 1, 1);
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t at = (i * 7 + 3) % ARRAY;
        check_word("of a buffer", results.words[i], marked(1, at, i % 4));
        check_word("of a texture", results.words[64 + i], marked(2, at, i % 2));
        check_word("of a texel buffer", results.words[128 + i], marked(3, at, i % 4));
        check_word("of a uniform buffer", results.words[192 + i], marked(4, i % CONSTANTS_COUNT, 0));
    }
}

/* ---- one of each ---- */

struct bound {
    struct buffer results, words, constants;
};

/* Words are 1000 * page + i, constants 7 * page + i, of pages of 1024 bytes. */
static struct bound bound_new(struct rig *rig) {
    struct bound bound = {buffer_new(rig, 4096, 0), buffer_new(rig, 4096, 0),
                          buffer_new(rig, 4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT)};
    for (uint32_t i = 0; i < 1024; i++) {
        bound.words.words[i] = i / 256 * 1000 + i % 256;
        bound.constants.words[i] = i / 256 * 7 + i % 256;
    }
    return bound;
}

static void bound_check(const struct bound *bound, uint32_t page, uint32_t words, uint32_t constants) {
    for (uint32_t i = 0; i < WORDS; i++)
        check_word("a result", bound->results.words[page * 256 + i], words * 1000 + i + constants * 7 + i);
}

void program_descriptor_dynamic(struct rig *rig) {
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC},
                                       {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC}};
    struct bound bound = bound_new(rig);
    struct kernel kernel =
        kernel_new(rig, &(struct kernel_plan){.shader = "bound.comp", .bindings = bindings, .bindings_count = 3});
    put_range(rig, &kernel.descriptors, 0, 0, &bound.results, 0, 64);
    put_range(rig, &kernel.descriptors, 1, 0, &bound.words, 0, 64);
    put_range(rig, &kernel.descriptors, 2, 0, &bound.constants, 1024, 64);
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline);
    for (uint32_t page = 0; page < 3; page++) {
        const uint32_t offsets[] = {page * 1024, (3 - page) * 1024, page * 1024};
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 1, &kernel.descriptors.set,
                                3, offsets);
        vkCmdDispatch(commands, 1, 1, 1);
    }
    commands_run(rig, commands);
    for (uint32_t page = 0; page < 3; page++)
        bound_check(&bound, page, 3 - page, 1 + page);
}

/* Descriptors are written when the commands that use them have been recorded, and again before they are submitted anew. */
void program_descriptor_late(struct rig *rig) {
    const VkDescriptorBindingFlags late =
        VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .flags = late},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .flags = late},
                                       {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .flags = late}};
    NEED(rig, indexing.descriptorBindingStorageBufferUpdateAfterBind);
    NEED(rig, indexing.descriptorBindingUniformBufferUpdateAfterBind);
    NEED(rig, indexing.descriptorBindingPartiallyBound);
    struct bound bound = bound_new(rig);
    struct kernel kernel =
        kernel_new(rig, &(struct kernel_plan){.shader = "bound.comp", .bindings = bindings, .bindings_count = 3});
    VkCommandBuffer commands = commands_begin(rig);
    kernel_dispatch(commands, &kernel, NULL, 1, 1, 1);
    commands_end(commands);
    for (uint32_t page = 0; page < 3; page++) {
        put_range(rig, &kernel.descriptors, 0, 0, &bound.results, page * 1024, 64);
        put_range(rig, &kernel.descriptors, 1, 0, &bound.words, page * 1024, 64);
        put_range(rig, &kernel.descriptors, 2, 0, &bound.constants, (3 - page) * 1024, 64);
        commands_submit(rig, commands);
        bound_check(&bound, page, page, 3 - page);
    }
}

void program_descriptor_inline(struct rig *rig) {
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, .count = 64}};
    NEED(rig, inline_block.inlineUniformBlock);
    struct bound bound = bound_new(rig);
    struct kernel kernel =
        kernel_new(rig, &(struct kernel_plan){.shader = "bound.comp", .bindings = bindings, .bindings_count = 3});
    put_buffer(rig, &kernel.descriptors, 0, 0, &bound.results);
    put_buffer(rig, &kernel.descriptors, 1, 0, &bound.words);
    put_inline(rig, &kernel.descriptors, 2, 0, bound.constants.bytes, 64);
    /* A part of it is written again. */
    put_inline(rig, &kernel.descriptors, 2, 32, bound.constants.words + 256 + 8, 16);
    kernel_run(rig, &kernel, NULL, 1, 1, 1);
    for (uint32_t i = 0; i < WORDS; i++)
        check_word("a result", bound.results.words[i], i + i + (i >= 8 && i < 12 ? 7 : 0));
}

/* Descriptors come with the commands. */
void program_descriptor_push(struct rig *rig) {
    const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
    VkDescriptorSetLayoutBinding rows[3];
    VkDescriptorSetLayout set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    need_extension(rig, "VK_KHR_push_descriptor");
    struct bound bound = bound_new(rig);
    for (uint32_t i = 0; i < 3; i++)
        rows[i] = (VkDescriptorSetLayoutBinding){i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                                                    .bindingCount = 3,
                                                    .pBindings = rows};
    MUST(vkCreateDescriptorSetLayout(rig->device, &create, NULL, &set));
    KEEP(rig, DESCRIPTOR_SET_LAYOUT, set);
    const VkPipelineLayoutCreateInfo of_set = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set};
    MUST(vkCreatePipelineLayout(rig->device, &of_set, NULL, &layout));
    KEEP(rig, PIPELINE_LAYOUT, layout);
    const VkComputePipelineCreateInfo of_shader = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = shader_module(rig, "bound.comp"),
                  .pName = "main"},
        .layout = layout};
    MUST(vkCreateComputePipelines(rig->device, NULL, 1, &of_shader, NULL, &pipeline));
    KEEP(rig, PIPELINE, pipeline);
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    for (uint32_t page = 0; page < 4; page++) {
        const VkDescriptorBufferInfo ranges[] = {{bound.results.handle, page * 1024, 64},
                                                 {bound.words.handle, (3 - page) * 1024, 64},
                                                 {bound.constants.handle, page * 1024, 64}};
        VkWriteDescriptorSet writes[3];
        for (uint32_t i = 0; i < 3; i++)
            writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                               .dstBinding = i,
                                               .descriptorCount = 1,
                                               .descriptorType = types[i],
                                               .pBufferInfo = &ranges[i]};
        rig->call.CmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 3, writes);
        vkCmdDispatch(commands, 1, 1, 1);
    }
    commands_run(rig, commands);
    for (uint32_t page = 0; page < 4; page++)
        bound_check(&bound, page, 3 - page, page);
}
