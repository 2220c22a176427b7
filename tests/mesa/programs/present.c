/* SPDX-License-Identifier: MIT */
/*
 * present FRAMES: shows pictures on the display by VK_KHR_display, as large as its first mode. Of picture `n`, counted from
 * 0, the pixel x, y has a red of x + n, a green of y and a blue of x ^ y, all modulo 256. They are written to a buffer and
 * copied, so no driver rounds anything. Ends with 2 if there is no device of NVK or no display, and with 1 if a call fails.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { MOST = 8 };

#define PATIENCE UINT64_C(60000000000) /* nanoseconds */

struct screen {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkDisplayKHR display;
    VkDisplayModePropertiesKHR mode;
    VkExtent2D size;
    VkSurfaceKHR surface;
    VkSwapchainKHR chain;
    VkImage images[MOST];
    uint32_t image_count;
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint32_t *pixels; /* of the buffer */
};

static void must(VkResult result, const char *what) {
    if (result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR)
        return;
    fprintf(stderr, "%s: %d\n", what, (int)result);
    exit(1);
}

/* ---- the device and its display ---- */

static bool find_nvk(struct screen *screen) {
    VkPhysicalDevice devices[MOST];
    uint32_t count = MOST;
    if (vkEnumeratePhysicalDevices(screen->instance, &count, devices) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        screen->physical = devices[i];
        if (strstr(properties.deviceName, "NVK"))
            return true;
    }
    return false;
}

static bool find_display(struct screen *screen) {
    VkDisplayPropertiesKHR display;
    uint32_t count = 1;
    if (vkGetPhysicalDeviceDisplayPropertiesKHR(screen->physical, &count, &display) < 0 || count == 0)
        return false;
    screen->display = display.display;
    count = 1;
    if (vkGetDisplayModePropertiesKHR(screen->physical, display.display, &count, &screen->mode) < 0 || count == 0)
        return false;
    screen->size = screen->mode.parameters.visibleRegion;
    printf("%s: %ux%u\n", display.displayName ? display.displayName : "a display", screen->size.width,
           screen->size.height);
    return true;
}

static bool open_instance(struct screen *screen) {
    static const char *const extensions[] = {VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_DISPLAY_EXTENSION_NAME};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                           .pApplicationInfo = &application,
                                           .enabledExtensionCount = 2,
                                           .ppEnabledExtensionNames = extensions};
    return vkCreateInstance(&instance, NULL, &screen->instance) == VK_SUCCESS && find_nvk(screen) &&
           find_display(screen);
}

static void open_device(struct screen *screen) {
    static const char *const extension = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &extension};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    must(vkCreateDevice(screen->physical, &device, NULL, &screen->device), "vkCreateDevice");
    vkGetDeviceQueue(screen->device, 0, 0, &screen->queue);
    must(vkCreateCommandPool(screen->device, &pool, NULL, &screen->pool), "vkCreateCommandPool");
}

/* ---- what is presented ---- */

static void make_chain(struct screen *screen) {
    const VkDisplaySurfaceCreateInfoKHR surface = {.sType = VK_STRUCTURE_TYPE_DISPLAY_SURFACE_CREATE_INFO_KHR,
                                                   .displayMode = screen->mode.displayMode,
                                                   .transform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                                                   .globalAlpha = 1,
                                                   .alphaMode = VK_DISPLAY_PLANE_ALPHA_OPAQUE_BIT_KHR,
                                                   .imageExtent = screen->size};
    VkSurfaceCapabilitiesKHR can;
    VkBool32 supported;
    must(vkCreateDisplayPlaneSurfaceKHR(screen->instance, &surface, NULL, &screen->surface), "surface");
    must(vkGetPhysicalDeviceSurfaceSupportKHR(screen->physical, 0, screen->surface, &supported), "support");
    must(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(screen->physical, screen->surface, &can), "capabilities");
    const VkSwapchainCreateInfoKHR chain = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                            .surface = screen->surface,
                                            .minImageCount = can.minImageCount,
                                            .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                            .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
                                            .imageExtent = screen->size,
                                            .imageArrayLayers = 1,
                                            .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                            .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                                            .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                            .presentMode = VK_PRESENT_MODE_FIFO_KHR};
    must(vkCreateSwapchainKHR(screen->device, &chain, NULL, &screen->chain), "vkCreateSwapchainKHR");
    screen->image_count = MOST;
    must(vkGetSwapchainImagesKHR(screen->device, screen->chain, &screen->image_count, screen->images), "images");
}

static uint32_t visible_memory(const struct screen *screen, uint32_t types) {
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t type = 0;
    vkGetPhysicalDeviceMemoryProperties(screen->physical, &memory);
    while (type + 1 < memory.memoryTypeCount &&
           (!(types >> type & 1) || (memory.memoryTypes[type].propertyFlags & wanted) != wanted))
        type++;
    return type;
}

static void make_buffer(struct screen *screen) {
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = (VkDeviceSize)screen->size.width * screen->size.height * 4,
                                       .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
    VkMemoryRequirements needs;
    void *pixels;
    must(vkCreateBuffer(screen->device, &buffer, NULL, &screen->buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(screen->device, screen->buffer, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = visible_memory(screen, needs.memoryTypeBits)};
    must(vkAllocateMemory(screen->device, &memory, NULL, &screen->memory), "vkAllocateMemory");
    must(vkBindBufferMemory(screen->device, screen->buffer, screen->memory, 0), "vkBindBufferMemory");
    must(vkMapMemory(screen->device, screen->memory, 0, VK_WHOLE_SIZE, 0, &pixels), "vkMapMemory");
    screen->pixels = pixels;
}

static void paint(const struct screen *screen, uint32_t frame) {
    for (uint32_t y = 0; y < screen->size.height; y++)
        for (uint32_t x = 0; x < screen->size.width; x++)
            screen->pixels[y * screen->size.width + x] =
                ((x + frame) & 0xff) << 16 | (y & 0xff) << 8 | ((x ^ y) & 0xff);
}

/* ---- frames ---- */

static void record_barrier(VkCommandBuffer commands, VkImage image, VkImageLayout from, VkImageLayout to) {
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                          .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                          .oldLayout = from,
                                          .newLayout = to,
                                          .image = image,
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                         NULL, 1, &barrier);
}

static VkCommandBuffer record(const struct screen *screen, VkImage image) {
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = screen->pool, .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                    .imageExtent = {screen->size.width, screen->size.height, 1}};
    VkCommandBuffer commands;
    must(vkAllocateCommandBuffers(screen->device, &allocate, &commands), "vkAllocateCommandBuffers");
    must(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    record_barrier(commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(commands, screen->buffer, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    record_barrier(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    must(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

/* The buffer is written again only when the copy is done. */
static void submit(const struct screen *screen, VkCommandBuffer commands, VkSemaphore drawn) {
    const VkFenceCreateInfo new_fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkSubmitInfo work = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &drawn};
    VkFence fence;
    must(vkCreateFence(screen->device, &new_fence, NULL, &fence), "vkCreateFence");
    must(vkQueueSubmit(screen->queue, 1, &work, fence), "vkQueueSubmit");
    must(vkWaitForFences(screen->device, 1, &fence, VK_TRUE, PATIENCE), "vkWaitForFences");
    vkDestroyFence(screen->device, fence, NULL);
}

static uint32_t acquire(const struct screen *screen) {
    const VkFenceCreateInfo new_fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence there;
    uint32_t image;
    must(vkCreateFence(screen->device, &new_fence, NULL, &there), "vkCreateFence");
    must(vkAcquireNextImageKHR(screen->device, screen->chain, PATIENCE, VK_NULL_HANDLE, there, &image), "acquire");
    must(vkWaitForFences(screen->device, 1, &there, VK_TRUE, PATIENCE), "vkWaitForFences");
    vkDestroyFence(screen->device, there, NULL);
    return image;
}

static void show(const struct screen *screen, uint32_t frame) {
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore drawn;
    uint32_t image = acquire(screen);
    must(vkCreateSemaphore(screen->device, &semaphore, NULL, &drawn), "vkCreateSemaphore");
    paint(screen, frame);
    submit(screen, record(screen, screen->images[image]), drawn);
    const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                      .waitSemaphoreCount = 1,
                                      .pWaitSemaphores = &drawn,
                                      .swapchainCount = 1,
                                      .pSwapchains = &screen->chain,
                                      .pImageIndices = &image};
    must(vkQueuePresentKHR(screen->queue, &present), "vkQueuePresentKHR");
    must(vkQueueWaitIdle(screen->queue), "vkQueueWaitIdle");
}

/* The last picture is there when all others can be had. Before that Mesa's swap chain must not go: the event of its flip is
 * to come, and is handled in a thread of Mesa, which would look at images that are freed. */
static void wait_for_the_last(const struct screen *screen) {
    for (uint32_t i = 1; i < screen->image_count; i++)
        acquire(screen);
}

int main(int argc, char **argv) {
    struct screen screen = {0};
    uint32_t frames = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
    if (!open_instance(&screen))
        return 2;
    open_device(&screen);
    make_chain(&screen);
    make_buffer(&screen);
    for (uint32_t i = 0; i < frames; i++)
        show(&screen, i);
    wait_for_the_last(&screen);
    vkDestroySwapchainKHR(screen.device, screen.chain, NULL);
    vkDestroySurfaceKHR(screen.instance, screen.surface, NULL);
    vkDestroyBuffer(screen.device, screen.buffer, NULL);
    vkFreeMemory(screen.device, screen.memory, NULL);
    vkDestroyCommandPool(screen.device, screen.pool, NULL);
    vkDestroyDevice(screen.device, NULL);
    vkDestroyInstance(screen.instance, NULL);
    return 0;
}
