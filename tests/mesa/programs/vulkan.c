/* SPDX-License-Identifier: MIT */
/*
 * vulkan: a buffer is filled, and then a compute program adds to it, in two submissions of which the second waits for
 * the first. The program knows the words that come out: it ends with 1 if one is wrong, with 2 if there is no device of
 * NVK, and writes the device's name.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "mesa/programs/vulkan_add.h"

enum { WORDS = 4096, GROUP = 64, FILLED = 1000, FACTOR = 7, MOST_DEVICES = 8 };

#define PATIENCE UINT64_C(60000000000) /* nanoseconds */

struct machine {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint32_t *words; /* of the memory */
};

/* What is to be done after the fill. */
struct adding {
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool sets;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkShaderModule shader;
    VkPipeline pipeline;
};

static void must(VkResult result, const char *what) {
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", what, (int)result);
    exit(1);
}

/* ---- the device ---- */

static bool find_nvk(struct machine *machine) {
    VkPhysicalDevice devices[MOST_DEVICES];
    uint32_t count = MOST_DEVICES;
    if (vkEnumeratePhysicalDevices(machine->instance, &count, devices) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        if (!strstr(properties.deviceName, "NVK"))
            continue;
        puts(properties.deviceName);
        machine->physical = devices[i];
        return true;
    }
    return false;
}

static bool open_device(struct machine *machine) {
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                           .pApplicationInfo = &application};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    if (vkCreateInstance(&instance, NULL, &machine->instance) != VK_SUCCESS || !find_nvk(machine))
        return false;
    must(vkCreateDevice(machine->physical, &device, NULL, &machine->device), "vkCreateDevice");
    vkGetDeviceQueue(machine->device, 0, 0, &machine->queue);
    must(vkCreateCommandPool(machine->device, &pool, NULL, &machine->pool), "vkCreateCommandPool");
    return true;
}

static uint32_t visible_memory(const struct machine *machine, uint32_t types) {
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t type = 0;
    vkGetPhysicalDeviceMemoryProperties(machine->physical, &memory);
    while (type + 1 < memory.memoryTypeCount &&
           (!(types >> type & 1) || (memory.memoryTypes[type].propertyFlags & wanted) != wanted))
        type++;
    return type;
}

static void make_buffer(struct machine *machine) {
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = WORDS * sizeof(uint32_t),
                                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    void *words;
    must(vkCreateBuffer(machine->device, &buffer, NULL, &machine->buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(machine->device, machine->buffer, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = visible_memory(machine, needs.memoryTypeBits)};
    must(vkAllocateMemory(machine->device, &memory, NULL, &machine->memory), "vkAllocateMemory");
    must(vkBindBufferMemory(machine->device, machine->buffer, machine->memory, 0), "vkBindBufferMemory");
    must(vkMapMemory(machine->device, machine->memory, 0, VK_WHOLE_SIZE, 0, &words), "vkMapMemory");
    machine->words = words;
    memset(words, 0xee, WORDS * sizeof(uint32_t));
}

/* ---- commands ---- */

static VkCommandBuffer begin_commands(const struct machine *machine) {
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = machine->pool, .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands;
    must(vkAllocateCommandBuffers(machine->device, &allocate, &commands), "vkAllocateCommandBuffers");
    must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    return commands;
}

static void make_layouts(const struct machine *machine, struct adding *adding) {
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
    const VkPushConstantRange constants = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(uint32_t)};
    must(vkCreateDescriptorSetLayout(machine->device, &set, NULL, &adding->set_layout), "vkCreateDescriptorSetLayout");
    const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &adding->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &constants};
    must(vkCreatePipelineLayout(machine->device, &layout, NULL, &adding->layout), "vkCreatePipelineLayout");
}

static void make_pipeline(const struct machine *machine, struct adding *adding) {
    const VkShaderModuleCreateInfo shader = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof vulkan_add, .pCode = vulkan_add};
    must(vkCreateShaderModule(machine->device, &shader, NULL, &adding->shader), "vkCreateShaderModule");
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = adding->shader,
                  .pName = "main"},
        .layout = adding->layout};
    must(vkCreateComputePipelines(machine->device, NULL, 1, &pipeline, NULL, &adding->pipeline),
         "vkCreateComputePipelines");
}

static void make_set(const struct machine *machine, struct adding *adding) {
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    must(vkCreateDescriptorPool(machine->device, &pool, NULL, &adding->sets), "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .descriptorPool = adding->sets,
                                                  .descriptorSetCount = 1,
                                                  .pSetLayouts = &adding->set_layout};
    must(vkAllocateDescriptorSets(machine->device, &allocate, &adding->set), "vkAllocateDescriptorSets");
    const VkDescriptorBufferInfo buffer = {machine->buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = adding->set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &buffer};
    vkUpdateDescriptorSets(machine->device, 1, &write, 0, NULL);
}

static void command_add(VkCommandBuffer commands, const struct adding *adding) {
    const VkMemoryBarrier seen = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    const uint32_t factor = FACTOR;
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, adding->pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, adding->layout, 0, 1, &adding->set, 0, NULL);
    vkCmdPushConstants(commands, adding->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof factor, &factor);
    vkCmdDispatch(commands, WORDS / GROUP, 1, 1);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &seen, 0,
                         NULL, 0, NULL);
}

/* ---- two submissions ---- */

static void submit_both(const struct machine *machine, VkCommandBuffer fill, VkCommandBuffer add) {
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkPipelineStageFlags at = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    VkSemaphore filled;
    VkFence done;
    must(vkCreateSemaphore(machine->device, &semaphore, NULL, &filled), "vkCreateSemaphore");
    must(vkCreateFence(machine->device, &fence, NULL, &done), "vkCreateFence");
    const VkSubmitInfo both[] = {{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                  .commandBufferCount = 1,
                                  .pCommandBuffers = &fill,
                                  .signalSemaphoreCount = 1,
                                  .pSignalSemaphores = &filled},
                                 {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                  .commandBufferCount = 1,
                                  .pCommandBuffers = &add,
                                  .waitSemaphoreCount = 1,
                                  .pWaitSemaphores = &filled,
                                  .pWaitDstStageMask = &at}};
    must(vkQueueSubmit(machine->queue, 1, &both[0], NULL), "vkQueueSubmit");
    must(vkQueueSubmit(machine->queue, 1, &both[1], done), "vkQueueSubmit");
    must(vkWaitForFences(machine->device, 1, &done, VK_TRUE, PATIENCE), "vkWaitForFences");
    vkDestroyFence(machine->device, done, NULL);
    vkDestroySemaphore(machine->device, filled, NULL);
}

static void close_all(const struct machine *machine, const struct adding *adding) {
    vkDestroyPipeline(machine->device, adding->pipeline, NULL);
    vkDestroyShaderModule(machine->device, adding->shader, NULL);
    vkDestroyDescriptorPool(machine->device, adding->sets, NULL);
    vkDestroyPipelineLayout(machine->device, adding->layout, NULL);
    vkDestroyDescriptorSetLayout(machine->device, adding->set_layout, NULL);
    vkDestroyCommandPool(machine->device, machine->pool, NULL);
    vkDestroyBuffer(machine->device, machine->buffer, NULL);
    vkFreeMemory(machine->device, machine->memory, NULL);
    vkDestroyDevice(machine->device, NULL);
    vkDestroyInstance(machine->instance, NULL);
}

static unsigned count_wrong(const struct machine *machine) {
    unsigned wrong = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t wanted = FILLED + i * FACTOR + i % GROUP;
        if (machine->words[i] != wanted && !wrong++)
            fprintf(stderr, "word %u is %u instead of %u\n", i, machine->words[i], wanted);
    }
    return wrong;
}

int main(void) {
    struct machine machine = {0};
    struct adding adding = {0};
    if (!open_device(&machine))
        return 2;
    make_buffer(&machine);
    make_layouts(&machine, &adding);
    make_pipeline(&machine, &adding);
    make_set(&machine, &adding);
    VkCommandBuffer fill = begin_commands(&machine), add = begin_commands(&machine);
    vkCmdFillBuffer(fill, machine.buffer, 0, VK_WHOLE_SIZE, FILLED);
    must(vkEndCommandBuffer(fill), "vkEndCommandBuffer");
    command_add(add, &adding);
    must(vkEndCommandBuffer(add), "vkEndCommandBuffer");
    submit_both(&machine, fill, add);
    unsigned wrong = count_wrong(&machine);
    close_all(&machine, &adding);
    return wrong != 0;
}
