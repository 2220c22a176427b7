/* SPDX-License-Identifier: MIT */
#include "vulkan/rig/rig.h"

void need_sparse_binding(const struct rig *rig) {
    VkQueueFamilyProperties families[16];
    uint32_t count = COUNT(families);
    NEED(rig, core.features.sparseBinding);
    vkGetPhysicalDeviceQueueFamilyProperties(rig->physical, &count, families);
    if (!(families[rig->family].queueFlags & VK_QUEUE_SPARSE_BINDING_BIT))
        skip_without("sparse binding on the queue");
}

static void bind(struct rig *rig, VkBindSparseInfo info) {
    VkFence done = fence_new(rig, 0);
    info.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO;
    MUST(vkQueueBindSparse(rig->queue, 1, &info, done));
    fence_wait(rig, done);
}

void sparse_bind_buffer(struct rig *rig, VkBuffer buffer, const VkSparseMemoryBind *binds, uint32_t count) {
    const VkSparseBufferMemoryBindInfo all = {buffer, count, binds};
    bind(rig, (VkBindSparseInfo){.bufferBindCount = 1, .pBufferBinds = &all});
}

void sparse_bind_opaque(struct rig *rig, VkImage image, const VkSparseMemoryBind *binds, uint32_t count) {
    const VkSparseImageOpaqueMemoryBindInfo all = {image, count, binds};
    bind(rig, (VkBindSparseInfo){.imageOpaqueBindCount = 1, .pImageOpaqueBinds = &all});
}

void sparse_bind_tiles(struct rig *rig, VkImage image, const VkSparseImageMemoryBind *binds, uint32_t count) {
    const VkSparseImageMemoryBindInfo all = {image, count, binds};
    bind(rig, (VkBindSparseInfo){.imageBindCount = 1, .pImageBinds = &all});
}
