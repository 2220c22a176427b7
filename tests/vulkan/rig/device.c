/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vulkan/rig/kept.h"
#include "vulkan/rig/rig.h"

enum { MOST_DEVICES = 16, MOST_ENABLED = 128, MOST_FAMILIES = 16 };

/* ---- extensions ---- */

/* Without features of their own. */
static const char *const further[] = {
    "VK_EXT_calibrated_timestamps",
    "VK_EXT_conservative_rasterization",
    "VK_EXT_depth_range_unrestricted",
    "VK_EXT_external_memory_dma_buf",
    "VK_EXT_image_drm_format_modifier",
    "VK_EXT_post_depth_coverage",
    "VK_EXT_sample_locations",
    "VK_EXT_sampler_filter_minmax",
    "VK_EXT_shader_stencil_export",
    "VK_EXT_shader_subgroup_ballot",
    "VK_EXT_shader_subgroup_vote",
    "VK_EXT_shader_viewport_index_layer",
    "VK_KHR_bind_memory2",
    "VK_KHR_copy_commands2",
    "VK_KHR_create_renderpass2",
    "VK_KHR_dedicated_allocation",
    "VK_KHR_depth_stencil_resolve",
    "VK_KHR_descriptor_update_template",
    "VK_KHR_device_group",
    "VK_KHR_draw_indirect_count",
    "VK_KHR_external_fence",
    "VK_KHR_external_fence_fd",
    "VK_KHR_external_memory",
    "VK_KHR_external_memory_fd",
    "VK_KHR_external_semaphore",
    "VK_KHR_external_semaphore_fd",
    "VK_KHR_get_memory_requirements2",
    "VK_KHR_image_format_list",
    "VK_KHR_maintenance1",
    "VK_KHR_maintenance2",
    "VK_KHR_maintenance3",
    "VK_KHR_push_descriptor",
    "VK_KHR_relaxed_block_layout",
    "VK_KHR_sampler_mirror_clamp_to_edge",
    "VK_KHR_shader_float_controls",
    "VK_KHR_spirv_1_4",
    "VK_KHR_storage_buffer_storage_class",
};

bool rig_has_extension(const struct rig *rig, const char *name) {
    for (uint32_t i = 0; i < rig->extensions_count; i++)
        if (strcmp(rig->extensions[i].extensionName, name) == 0)
            return true;
    return false;
}

void need_extension(const struct rig *rig, const char *name) {
    if (!rig_has_extension(rig, name))
        skip_without("%s", name);
}

static void list_extensions(struct rig *rig) {
    MUST(vkEnumerateDeviceExtensionProperties(rig->physical, NULL, &rig->extensions_count, NULL));
    rig->extensions = calloc(rig->extensions_count + 1, sizeof *rig->extensions);
    if (!rig->extensions)
        fail("there is no memory");
    MUST(vkEnumerateDeviceExtensionProperties(rig->physical, NULL, &rig->extensions_count, rig->extensions));
}

static void enable(const struct rig *rig, const char **names, uint32_t *count, const char *name) {
    if (*count < MOST_ENABLED && rig_has_extension(rig, name))
        names[(*count)++] = name;
}

static uint32_t enabled_extensions(const struct rig *rig, const char **names) {
    uint32_t count = 0;
    for (size_t i = 0; i < COUNT(further); i++)
        enable(rig, names, &count, further[i]);
#define FEATURE(member, type, structure, extension, version) enable(rig, names, &count, extension);
#include "vulkan/rig/features.def"
#undef FEATURE
    return count;
}

/* ---- features ---- */

/* The chain is the same when it is asked for and when a device is made with it. */
static void query_features(struct rig *rig, unsigned options) {
    struct features *has = &rig->has;
    void **end = &has->core.pNext;
    has->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
#define FEATURE(member, type, structure, extension, version)                                                           \
    if (rig_has_extension(rig, extension) || VK_API_VERSION_MINOR(rig->properties.apiVersion) >= version) {            \
        has->member.sType = structure;                                                                                 \
        *end = &has->member;                                                                                           \
        end = &has->member.pNext;                                                                                      \
    }
#include "vulkan/rig/features.def"
#undef FEATURE
    vkGetPhysicalDeviceFeatures2(rig->physical, &has->core);
    has->address.bufferDeviceAddressCaptureReplay = VK_FALSE;
    if (options & ROBUST)
        return;
    has->core.features.robustBufferAccess = VK_FALSE;
    has->robustness2.robustBufferAccess2 = VK_FALSE;
    has->robustness2.robustImageAccess2 = VK_FALSE;
    has->robust_images.robustImageAccess = VK_FALSE;
}

/* ---- the device ---- */

static void find_device(struct rig *rig) {
    const char *wanted = getenv("PFIFO_VULKAN_DEVICE");
    VkPhysicalDevice devices[MOST_DEVICES];
    uint32_t count = MOST_DEVICES;
    if (vkEnumeratePhysicalDevices(rig->instance, &count, devices) < 0)
        count = 0;
    for (uint32_t i = 0; i < count; i++) {
        vkGetPhysicalDeviceProperties(devices[i], &rig->properties);
        if (wanted && !strstr(rig->properties.deviceName, wanted))
            continue;
        rig->physical = devices[i];
        return;
    }
    fprintf(stderr, "no device of Vulkan%s%s\n", wanted ? " has in its name: " : "", wanted ? wanted : "");
    exit(ENDED_UNUSABLE);
}

static void find_family(struct rig *rig) {
    const VkQueueFlags wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    VkQueueFamilyProperties families[MOST_FAMILIES];
    uint32_t count = MOST_FAMILIES;
    vkGetPhysicalDeviceQueueFamilyProperties(rig->physical, &count, families);
    while (rig->family < count && (families[rig->family].queueFlags & wanted) != wanted)
        rig->family++;
    if (rig->family == count)
        fail("no queue does graphics and compute");
}

static void query_properties(struct rig *rig) {
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &rig->subgroup};
    rig->subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    rig->subgroup.pNext = &rig->driver;
    rig->driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    vkGetPhysicalDeviceProperties2(rig->physical, &properties);
    vkGetPhysicalDeviceMemoryProperties(rig->physical, &rig->memory);
}

static void make_device(struct rig *rig) {
    const char *names[MOST_ENABLED];
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = rig->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &rig->has.core,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = enabled_extensions(rig, names),
                                       .ppEnabledExtensionNames = names};
    MUST(vkCreateDevice(rig->physical, &device, NULL, &rig->device));
    vkGetDeviceQueue(rig->device, rig->family, 0, &rig->queue);
}

static void find_calls(struct rig *rig) {
#define CALL(name, suffix)                                                                                             \
    rig->call.name = (PFN_vk##name)vkGetDeviceProcAddr(rig->device, "vk" #name);                                       \
    if (!rig->call.name && #suffix[0])                                                                                 \
        rig->call.name = (PFN_vk##name)vkGetDeviceProcAddr(rig->device, "vk" #name #suffix);
#include "vulkan/rig/calls.def"
#undef CALL
}

struct rig *rig_open(unsigned options) {
    struct rig *rig = calloc(1, sizeof *rig);
    if (!rig)
        fail("there is no memory");
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                           .pApplicationInfo = &application};
    MUST(vkCreateInstance(&instance, NULL, &rig->instance));
    find_device(rig);
    find_family(rig);
    query_properties(rig);
    list_extensions(rig);
    query_features(rig, options);
    make_device(rig);
    find_calls(rig);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = rig->family};
    MUST(vkCreateCommandPool(rig->device, &pool, NULL, &rig->pool));
    KEEP(rig, COMMAND_POOL, rig->pool);
    return rig;
}

/*
 * NVK of Mesa 26.2 frees what the thread of its queue still writes to, if that has not come back from the kernel after
 * its last submission (docs/mesa.md). No call waits for the thread alone: time does.
 */
static void wait_for_thread(const struct rig *rig) {
    const struct timespec pause = {.tv_nsec = 100000000};
    if (rig->thread_submits)
        nanosleep(&pause, NULL);
}

void rig_close(struct rig *rig) {
    MUST(vkDeviceWaitIdle(rig->device));
    kept_destroy(rig);
    wait_for_thread(rig);
    vkDestroyDevice(rig->device, NULL);
    vkDestroyInstance(rig->instance, NULL);
    free(rig->extensions);
    free(rig);
}
