/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "vulkan/rig/rig.h"

uint32_t memory_type(const struct rig *rig, uint32_t types, VkMemoryPropertyFlags properties) {
    for (uint32_t i = 0; i < rig->memory.memoryTypeCount; i++)
        if (types >> i & 1 && (rig->memory.memoryTypes[i].propertyFlags & properties) == properties)
            return i;
    skip_without("memory with properties 0x%x among types 0x%x", properties, types);
}

VkDeviceMemory memory_new(struct rig *rig, VkDeviceSize size, uint32_t type, const void *next) {
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .pNext = next,
                                           .allocationSize = size,
                                           .memoryTypeIndex = type};
    VkDeviceMemory memory;
    MUST(vkAllocateMemory(rig->device, &allocate, NULL, &memory));
    KEEP(rig, DEVICE_MEMORY, memory);
    return memory;
}

static struct buffer make_buffer(struct rig *rig, VkDeviceSize size, VkBufferUsageFlags usage,
                                 VkMemoryPropertyFlags properties) {
    const VkBufferCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage | USUAL_USAGE};
    const VkMemoryAllocateFlagsInfo addressed = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                 .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryRequirements needs;
    struct buffer buffer = {.size = size};
    MUST(vkCreateBuffer(rig->device, &create, NULL, &buffer.handle));
    vkGetBufferMemoryRequirements(rig->device, buffer.handle, &needs);
    buffer.memory = memory_new(rig, needs.size, memory_type(rig, needs.memoryTypeBits, properties),
                               usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT ? &addressed : NULL);
    /* It is destroyed before its memory. */
    KEEP(rig, BUFFER, buffer.handle);
    MUST(vkBindBufferMemory(rig->device, buffer.handle, buffer.memory, 0));
    return buffer;
}

struct buffer buffer_new(struct rig *rig, VkDeviceSize size, VkBufferUsageFlags usage) {
    struct buffer buffer =
        make_buffer(rig, size, usage, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    MUST(vkMapMemory(rig->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.bytes));
    buffer.words = buffer.bytes;
    memset(buffer.bytes, UNTOUCHED, (size_t)size);
    return buffer;
}

struct buffer buffer_new_local(struct rig *rig, VkDeviceSize size, VkBufferUsageFlags usage) {
    return make_buffer(rig, size, usage, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
}

VkDeviceAddress buffer_address(const struct rig *rig, const struct buffer *buffer) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = buffer->handle};
    return rig->call.GetBufferDeviceAddress(rig->device, &info);
}

VkBufferView buffer_view(struct rig *rig, const struct buffer *buffer, VkFormat format) {
    const VkBufferViewCreateInfo create = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                           .buffer = buffer->handle,
                                           .format = format,
                                           .range = VK_WHOLE_SIZE};
    VkBufferView view;
    MUST(vkCreateBufferView(rig->device, &create, NULL, &view));
    KEEP(rig, BUFFER_VIEW, view);
    return view;
}
