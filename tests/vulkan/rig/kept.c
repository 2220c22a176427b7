/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "vulkan/rig/kept.h"
#include "vulkan/rig/rig.h"

struct kept {
    struct kept *earlier;
    VkObjectType type; /* VK_OBJECT_TYPE_UNKNOWN: bytes of the process */
    uint64_t handle;
};

void keep(struct rig *rig, VkObjectType type, uint64_t handle) {
    struct kept *kept = malloc(sizeof *kept);
    if (!kept)
        fail("there is no memory");
    *kept = (struct kept){rig->kept, type, handle};
    rig->kept = kept;
}

void *keep_bytes(struct rig *rig, size_t bytes) {
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory)
        fail("there is no memory");
    keep(rig, VK_OBJECT_TYPE_UNKNOWN, (uint64_t)(uintptr_t)memory);
    return memory;
}

#define DESTROY(type, name)                                                                                            \
    case VK_OBJECT_TYPE_##type:                                                                                        \
        vkDestroy##name(device, (Vk##name)(uintptr_t)handle, NULL);                                                    \
        break

static void destroy(VkDevice device, VkObjectType type, uint64_t handle) {
    switch (type) {
        DESTROY(BUFFER, Buffer);
        DESTROY(BUFFER_VIEW, BufferView);
        DESTROY(COMMAND_POOL, CommandPool);
        DESTROY(DESCRIPTOR_POOL, DescriptorPool);
        DESTROY(DESCRIPTOR_SET_LAYOUT, DescriptorSetLayout);
        DESTROY(EVENT, Event);
        DESTROY(FENCE, Fence);
        DESTROY(FRAMEBUFFER, Framebuffer);
        DESTROY(IMAGE, Image);
        DESTROY(IMAGE_VIEW, ImageView);
        DESTROY(PIPELINE, Pipeline);
        DESTROY(PIPELINE_CACHE, PipelineCache);
        DESTROY(PIPELINE_LAYOUT, PipelineLayout);
        DESTROY(QUERY_POOL, QueryPool);
        DESTROY(RENDER_PASS, RenderPass);
        DESTROY(SAMPLER, Sampler);
        DESTROY(SEMAPHORE, Semaphore);
        DESTROY(SHADER_MODULE, ShaderModule);
    case VK_OBJECT_TYPE_DEVICE_MEMORY:
        vkFreeMemory(device, (VkDeviceMemory)(uintptr_t)handle, NULL);
        break;
    case VK_OBJECT_TYPE_UNKNOWN:
        free((void *)(uintptr_t)handle);
        break;
    default:
        fail("kept.c cannot destroy an object of type %d", (int)type);
    }
}

void kept_destroy(struct rig *rig) {
    for (struct kept *kept = rig->kept, *earlier; kept; kept = earlier) {
        earlier = kept->earlier;
        destroy(rig->device, kept->type, kept->handle);
        free(kept);
    }
    rig->kept = NULL;
}
