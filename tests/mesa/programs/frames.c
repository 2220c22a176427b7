/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a program of Vulkan: what it presents, to whatever surface, is written to the folder that FRAMES names
 * as N.ppm, N from 1 on. The device is idle before a picture is read, so the pictures are those that were drawn,
 * wherever that is.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { MOST_IMAGES = 16, BYTES = 4 };

static struct {
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t family; /* of its first queue */
    VkFormat format;
    VkExtent2D size;
    VkImage images[MOST_IMAGES];
    VkCommandPool pool;
    VkBuffer buffer;
    uint8_t *bytes; /* of the buffer */
    unsigned frames;
} shown;

static void must(VkResult result, const char *what) {
    if (result >= 0)
        return;
    fprintf(stderr, "frames: %s: %d\n", what, (int)result);
    abort();
}

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        abort();
    return function;
}

VkResult vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                        const VkAllocationCallbacks *allocator, VkDevice *device) {
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)next("vkCreateDevice");
    VkResult result = create(physical, info, allocator, device);
    if (result == VK_SUCCESS) {
        shown.physical = physical;
        shown.device = *device;
        shown.family = info->pQueueCreateInfos[0].queueFamilyIndex;
    }
    return result;
}

static uint32_t visible_memory(uint32_t types) {
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t type = 0;
    vkGetPhysicalDeviceMemoryProperties(shown.physical, &memory);
    while (type + 1 < memory.memoryTypeCount &&
           (!(types >> type & 1) || (memory.memoryTypes[type].propertyFlags & wanted) != wanted))
        type++;
    return type;
}

static void make_buffer(void) {
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = (VkDeviceSize)shown.size.width * shown.size.height * BYTES,
                                       .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = shown.family};
    VkMemoryRequirements needs;
    VkDeviceMemory memory;
    void *bytes;
    must(vkCreateCommandPool(shown.device, &pool, NULL, &shown.pool), "vkCreateCommandPool");
    must(vkCreateBuffer(shown.device, &buffer, NULL, &shown.buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(shown.device, shown.buffer, &needs);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex = visible_memory(needs.memoryTypeBits)};
    must(vkAllocateMemory(shown.device, &allocate, NULL, &memory), "vkAllocateMemory");
    must(vkBindBufferMemory(shown.device, shown.buffer, memory, 0), "vkBindBufferMemory");
    must(vkMapMemory(shown.device, memory, 0, VK_WHOLE_SIZE, 0, &bytes), "vkMapMemory");
    shown.bytes = bytes;
}

VkResult vkCreateSwapchainKHR(VkDevice device, const VkSwapchainCreateInfoKHR *info,
                              const VkAllocationCallbacks *allocator, VkSwapchainKHR *swapchain) {
    PFN_vkCreateSwapchainKHR create = (PFN_vkCreateSwapchainKHR)next("vkCreateSwapchainKHR");
    VkSwapchainCreateInfoKHR with = *info;
    with.imageUsage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    VkResult result = create(device, &with, allocator, swapchain);
    if (result == VK_SUCCESS) {
        uint32_t count = MOST_IMAGES;
        shown.format = info->imageFormat;
        shown.size = info->imageExtent;
        must(vkGetSwapchainImagesKHR(device, *swapchain, &count, shown.images), "vkGetSwapchainImagesKHR");
        make_buffer();
    }
    return result;
}

static void turn(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to) {
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                          .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_HOST_READ_BIT,
                                          .oldLayout = from,
                                          .newLayout = to,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image,
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 0, NULL, 0, NULL, 1,
                         &barrier);
}

/* To the buffer. */
static void read_image(VkQueue queue, VkImage image) {
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = shown.pool, .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                    .imageExtent = {shown.size.width, shown.size.height, 1}};
    VkCommandBuffer commands;
    must(vkAllocateCommandBuffers(shown.device, &allocate, &commands), "vkAllocateCommandBuffers");
    must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    turn(commands, image, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, shown.buffer, 1, &copy);
    turn(commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    must(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    must(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
    vkFreeCommandBuffers(shown.device, shown.pool, 1, &commands);
}

static void write_frame(const char *folder) {
    char path[400];
    snprintf(path, sizeof path, "%.380s/%u.ppm", folder, ++shown.frames);
    FILE *file = fopen(path, "w");
    if (!file)
        abort();
    fprintf(file, "P6 %u %u 255\n", shown.size.width, shown.size.height);
    int blue_first = shown.format == VK_FORMAT_B8G8R8A8_UNORM || shown.format == VK_FORMAT_B8G8R8A8_SRGB;
    for (size_t i = 0; i < (size_t)shown.size.width * shown.size.height; i++) {
        const uint8_t *pixel = shown.bytes + BYTES * i;
        const uint8_t rgb[3] = {pixel[blue_first ? 2 : 0], pixel[1], pixel[blue_first ? 0 : 2]};
        fwrite(rgb, sizeof rgb, 1, file);
    }
    if (fclose(file) != 0)
        abort();
}

VkResult vkQueuePresentKHR(VkQueue queue, const VkPresentInfoKHR *info) {
    PFN_vkQueuePresentKHR present = (PFN_vkQueuePresentKHR)next("vkQueuePresentKHR");
    const char *folder = getenv("FRAMES");
    if (folder && info->swapchainCount == 1 && info->pImageIndices[0] < MOST_IMAGES) {
        must(vkDeviceWaitIdle(shown.device), "vkDeviceWaitIdle");
        read_image(queue, shown.images[info->pImageIndices[0]]);
        write_frame(folder);
    }
    return present(queue, info);
}
