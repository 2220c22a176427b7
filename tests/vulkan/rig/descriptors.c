/* SPDX-License-Identifier: MIT */
#include "vulkan/rig/rig.h"

static bool is_inline(VkDescriptorType type) {
    return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
}

/* With VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT, if a binding is updated after it is bound. */
static bool updates_late(const struct binding *bindings, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (bindings[i].flags & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT)
            return true;
    return false;
}

static void make_layout(struct rig *rig, struct descriptors *to, const struct binding *bindings, uint32_t count) {
    VkDescriptorSetLayoutBinding rows[MOST_BINDINGS];
    VkDescriptorBindingFlags flags[MOST_BINDINGS], any = 0;
    for (uint32_t i = 0; i < count; i++) {
        to->types[i] = bindings[i].type;
        any |= flags[i] = bindings[i].flags;
        rows[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                 .descriptorType = bindings[i].type,
                                                 .descriptorCount = bindings[i].count ? bindings[i].count : 1,
                                                 .stageFlags = VK_SHADER_STAGE_ALL};
    }
    const VkDescriptorSetLayoutBindingFlagsCreateInfo with = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = count,
        .pBindingFlags = flags};
    const VkDescriptorSetLayoutCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = any ? &with : NULL,
        .flags = updates_late(bindings, count) ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0,
        .bindingCount = count,
        .pBindings = rows};
    MUST(vkCreateDescriptorSetLayout(rig->device, &create, NULL, &to->layout));
    KEEP(rig, DESCRIPTOR_SET_LAYOUT, to->layout);
}

static VkDescriptorPool make_pool(struct rig *rig, const struct binding *bindings, uint32_t count) {
    VkDescriptorPoolSize sizes[MOST_BINDINGS];
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < count; i++) {
        sizes[i] = (VkDescriptorPoolSize){bindings[i].type, bindings[i].count ? bindings[i].count : 1};
        blocks += is_inline(bindings[i].type);
    }
    const VkDescriptorPoolInlineUniformBlockCreateInfo inlines = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .maxInlineUniformBlockBindings = blocks};
    const VkDescriptorPoolCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .pNext = blocks ? &inlines : NULL,
        .flags = updates_late(bindings, count) ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0,
        .maxSets = 1,
        .poolSizeCount = count,
        .pPoolSizes = sizes};
    VkDescriptorPool pool;
    MUST(vkCreateDescriptorPool(rig->device, &create, NULL, &pool));
    KEEP(rig, DESCRIPTOR_POOL, pool);
    return pool;
}

struct descriptors descriptors_new(struct rig *rig, const struct binding *bindings, uint32_t count) {
    struct descriptors made = {0};
    if (count > MOST_BINDINGS)
        fail("more than %d bindings", MOST_BINDINGS);
    make_layout(rig, &made, bindings, count);
    const uint32_t variable = count ? bindings[count - 1].variable : 0;
    const VkDescriptorSetVariableDescriptorCountAllocateInfo varies = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pDescriptorCounts = &variable};
    const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                  .pNext = variable ? &varies : NULL,
                                                  .descriptorPool = make_pool(rig, bindings, count),
                                                  .descriptorSetCount = 1,
                                                  .pSetLayouts = &made.layout};
    MUST(vkAllocateDescriptorSets(rig->device, &allocate, &made.set));
    return made;
}

static VkWriteDescriptorSet one(const struct descriptors *to, uint32_t binding, uint32_t element) {
    return (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = to->set,
                                  .dstBinding = binding,
                                  .dstArrayElement = element,
                                  .descriptorCount = 1,
                                  .descriptorType = to->types[binding]};
}

void put_range(const struct rig *rig, const struct descriptors *to, uint32_t binding, uint32_t element,
               const struct buffer *buffer, VkDeviceSize offset, VkDeviceSize bytes) {
    const VkDescriptorBufferInfo range = {buffer->handle, offset, bytes};
    VkWriteDescriptorSet write = one(to, binding, element);
    write.pBufferInfo = &range;
    vkUpdateDescriptorSets(rig->device, 1, &write, 0, NULL);
}

void put_buffer(const struct rig *rig, const struct descriptors *to, uint32_t binding, uint32_t element,
                const struct buffer *buffer) {
    put_range(rig, to, binding, element, buffer, 0, VK_WHOLE_SIZE);
}

void put_image(const struct rig *rig, const struct descriptors *to, uint32_t binding, uint32_t element,
               VkImageView view, VkSampler sampler) {
    const VkDescriptorImageInfo image = {sampler, view, VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write = one(to, binding, element);
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(rig->device, 1, &write, 0, NULL);
}

void put_texels(const struct rig *rig, const struct descriptors *to, uint32_t binding, uint32_t element,
                VkBufferView view) {
    VkWriteDescriptorSet write = one(to, binding, element);
    write.pTexelBufferView = &view;
    vkUpdateDescriptorSets(rig->device, 1, &write, 0, NULL);
}

void put_inline(const struct rig *rig, const struct descriptors *to, uint32_t binding, uint32_t offset,
                const void *bytes, uint32_t count) {
    const VkWriteDescriptorSetInlineUniformBlock block = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK, .dataSize = count, .pData = bytes};
    VkWriteDescriptorSet write = one(to, binding, offset);
    write.pNext = &block;
    write.descriptorCount = count;
    vkUpdateDescriptorSets(rig->device, 1, &write, 0, NULL);
}

VkSampler sampler_new(struct rig *rig, VkFilter filter, VkSamplerAddressMode address) {
    const VkSamplerCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                        .magFilter = filter,
                                        .minFilter = filter,
                                        .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                        .addressModeU = address,
                                        .addressModeV = address,
                                        .addressModeW = address,
                                        .maxLod = VK_LOD_CLAMP_NONE,
                                        .borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK};
    VkSampler sampler;
    MUST(vkCreateSampler(rig->device, &create, NULL, &sampler));
    KEEP(rig, SAMPLER, sampler);
    return sampler;
}
