/* SPDX-License-Identifier: MIT */
#include "vulkan/rig/rig.h"

VkCommandBuffer commands_begin(struct rig *rig) {
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = rig->pool, .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands;
    MUST(vkAllocateCommandBuffers(rig->device, &allocate, &commands));
    MUST(vkBeginCommandBuffer(commands, &begin));
    return commands;
}

void barrier(VkCommandBuffer commands) {
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all,
                         0, NULL, 0, NULL);
}

void commands_end(VkCommandBuffer commands) {
    const VkMemoryBarrier seen = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &seen, 0, NULL,
                         0, NULL);
    MUST(vkEndCommandBuffer(commands));
}

void commands_submit(struct rig *rig, VkCommandBuffer commands) {
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    VkFence done = fence_new(rig, 0);
    MUST(vkQueueSubmit(rig->queue, 1, &submit, done));
    fence_wait(rig, done);
}

void commands_run(struct rig *rig, VkCommandBuffer commands) {
    commands_end(commands);
    commands_submit(rig, commands);
}

VkFence fence_new(struct rig *rig, VkFenceCreateFlags flags) {
    const VkFenceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = flags};
    VkFence fence;
    MUST(vkCreateFence(rig->device, &create, NULL, &fence));
    KEEP(rig, FENCE, fence);
    return fence;
}

void fence_wait(const struct rig *rig, VkFence fence) {
    MUST(vkWaitForFences(rig->device, 1, &fence, VK_TRUE, PATIENCE));
}

VkSemaphore semaphore_new(struct rig *rig) {
    const VkSemaphoreCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore semaphore;
    MUST(vkCreateSemaphore(rig->device, &create, NULL, &semaphore));
    KEEP(rig, SEMAPHORE, semaphore);
    return semaphore;
}

VkSemaphore semaphore_new_timeline(struct rig *rig, uint64_t value) {
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                            .initialValue = value};
    const VkSemaphoreCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    VkSemaphore semaphore;
    NEED(rig, timeline.timelineSemaphore);
    MUST(vkCreateSemaphore(rig->device, &create, NULL, &semaphore));
    KEEP(rig, SEMAPHORE, semaphore);
    return semaphore;
}
