/* SPDX-License-Identifier: MIT */
/* What compute and graphics pipelines have in common. */
#ifndef TESTS_VULKAN_PIPELINE_H
#define TESTS_VULKAN_PIPELINE_H

#include "vulkan/rig/rig.h"

enum { MOST_CONSTANTS = 16 };

struct specialization {
    VkSpecializationMapEntry entries[MOST_CONSTANTS];
    VkSpecializationInfo info;
};

/* NULL: there are no constants. */
const VkSpecializationInfo *specialization_fill(struct specialization *to, const struct constants *constants);

/* One set, or none, and push constants of these stages. */
VkPipelineLayout pipeline_layout(struct rig *rig, VkDescriptorSetLayout set, VkShaderStageFlags stages,
                                 uint32_t push_bytes);

#endif
