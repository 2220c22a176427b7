/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "vulkan/rig/pipeline.h"
#include "vulkan/rig/shaders.h"

VkShaderModule shader_module(struct rig *rig, const char *name) {
    const struct shader *shader = shaders;
    while (shader->name && strcmp(shader->name, name) != 0)
        shader++;
    if (!shader->name)
        fail("no shader %s", name);
    const VkShaderModuleCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = shader->bytes, .pCode = shader->words};
    VkShaderModule module;
    MUST(vkCreateShaderModule(rig->device, &create, NULL, &module));
    KEEP(rig, SHADER_MODULE, module);
    return module;
}

const VkSpecializationInfo *specialization_fill(struct specialization *to, const struct constants *constants) {
    if (constants->count > MOST_CONSTANTS)
        fail("more than %d constants", MOST_CONSTANTS);
    for (uint32_t i = 0; i < constants->count; i++)
        to->entries[i] = (VkSpecializationMapEntry){.constantID = i, .offset = 4 * i, .size = 4};
    to->info = (VkSpecializationInfo){constants->count, to->entries, 4 * (size_t)constants->count, constants->words};
    return constants->count ? &to->info : NULL;
}

VkPipelineLayout pipeline_layout(struct rig *rig, VkDescriptorSetLayout set, VkShaderStageFlags stages,
                                 uint32_t push_bytes) {
    const VkPushConstantRange push = {stages, 0, push_bytes};
    const VkPipelineLayoutCreateInfo create = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = set ? 1 : 0,
                                               .pSetLayouts = &set,
                                               .pushConstantRangeCount = push_bytes ? 1 : 0,
                                               .pPushConstantRanges = &push};
    VkPipelineLayout layout;
    MUST(vkCreatePipelineLayout(rig->device, &create, NULL, &layout));
    KEEP(rig, PIPELINE_LAYOUT, layout);
    return layout;
}

struct kernel kernel_new(struct rig *rig, const struct kernel_plan *plan) {
    struct kernel kernel = {.push_bytes = plan->push_bytes};
    struct specialization with;
    if (plan->bindings_count)
        kernel.descriptors = descriptors_new(rig, plan->bindings, plan->bindings_count);
    kernel.layout = pipeline_layout(rig, kernel.descriptors.layout, VK_SHADER_STAGE_COMPUTE_BIT, plan->push_bytes);
    const VkComputePipelineCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = plan->flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = plan->stage_next,
                  .flags = plan->stage_flags,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = shader_module(rig, plan->shader),
                  .pName = "main",
                  .pSpecializationInfo = specialization_fill(&with, &plan->constants)},
        .layout = kernel.layout};
    MUST(vkCreateComputePipelines(rig->device, plan->cache, 1, &create, NULL, &kernel.pipeline));
    KEEP(rig, PIPELINE, kernel.pipeline);
    return kernel;
}

struct kernel kernel_on(struct rig *rig, const char *shader, uint32_t push_bytes, const struct buffer *const *buffers) {
    struct binding bindings[MOST_BINDINGS];
    uint32_t count = 0;
    while (buffers[count] && count < MOST_BINDINGS)
        bindings[count++] = (struct binding){.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    struct kernel kernel =
        kernel_new(rig, &(struct kernel_plan){
                            .shader = shader, .bindings = bindings, .bindings_count = count, .push_bytes = push_bytes});
    for (uint32_t i = 0; i < count; i++)
        put_buffer(rig, &kernel.descriptors, i, 0, buffers[i]);
    return kernel;
}

void kernel_bind(VkCommandBuffer commands, const struct kernel *kernel, const void *push) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    if (kernel->descriptors.set)
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0, 1,
                                &kernel->descriptors.set, 0, NULL);
    if (kernel->push_bytes && push)
        vkCmdPushConstants(commands, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, kernel->push_bytes, push);
}

void kernel_dispatch(VkCommandBuffer commands, const struct kernel *kernel, const void *push, uint32_t x, uint32_t y,
                     uint32_t z) {
    kernel_bind(commands, kernel, push);
    vkCmdDispatch(commands, x, y, z);
}

void kernel_run(struct rig *rig, const struct kernel *kernel, const void *push, uint32_t x, uint32_t y, uint32_t z) {
    VkCommandBuffer commands = commands_begin(rig);
    kernel_dispatch(commands, kernel, push, x, y, z);
    commands_run(rig, commands);
}
