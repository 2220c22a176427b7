/* SPDX-License-Identifier: MIT */
/* Work waits for other work, and for the host: semaphores of both kinds, fences, events, descriptors of files. */
#include <poll.h>
#include <unistd.h>

#include "vulkan/programs/programs.h"

enum { GROUPS = 8, WORDS = GROUPS * 64, MOST_STEPS = 16 };

/* Steps, each a dispatch with another factor: what is in the words says whether all were done, and in which order. */
struct steps {
    struct buffer words;
    struct kernel kernel;
    VkCommandBuffer commands[MOST_STEPS];
    uint32_t factors[MOST_STEPS];
};

static void steps_begin(struct rig *rig, struct steps *steps, uint32_t count) {
    steps->words = buffer_new(rig, WORDS * 4, 0);
    steps->kernel = kernel_on(rig, "accumulate.comp", 4, BUFFERS(&steps->words));
    for (uint32_t i = 0; i < WORDS; i++)
        steps->words.words[i] = 1;
    for (uint32_t i = 0; i < count; i++) {
        steps->factors[i] = 3 + 2 * i;
        steps->commands[i] = commands_begin(rig);
        kernel_dispatch(steps->commands[i], &steps->kernel, &steps->factors[i], GROUPS, 1, 1);
        commands_end(steps->commands[i]);
    }
}

/* `order`: of the steps that have been done. */
static void steps_check(const struct steps *steps, const uint32_t *order, uint32_t count) {
    uint32_t wanted[WORDS];
    for (uint32_t i = 0; i < WORDS; i++) {
        wanted[i] = 1;
        for (uint32_t n = 0; n < count; n++)
            wanted[i] = wanted[i] * steps->factors[order[n]] + i;
    }
    check_words("words after the steps", steps->words.words, wanted, WORDS);
}

static const VkPipelineStageFlags at_all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

/* ---- binary semaphores and fences ---- */

void program_sync_semaphores(struct rig *rig) {
    enum { COUNT_OF = 8 };
    struct steps steps;
    VkSemaphore semaphores[COUNT_OF];
    VkSubmitInfo submits[COUNT_OF];
    uint32_t order[COUNT_OF];
    steps_begin(rig, &steps, COUNT_OF);
    for (uint32_t i = 0; i < COUNT_OF; i++) {
        semaphores[i] = semaphore_new(rig);
        order[i] = i;
        submits[i] = (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                    .waitSemaphoreCount = i ? 1 : 0,
                                    .pWaitSemaphores = i ? &semaphores[i - 1] : NULL,
                                    .pWaitDstStageMask = &at_all,
                                    .commandBufferCount = 1,
                                    .pCommandBuffers = &steps.commands[i],
                                    .signalSemaphoreCount = i + 1 < COUNT_OF ? 1 : 0,
                                    .pSignalSemaphores = &semaphores[i]};
    }
    VkFence done = fence_new(rig, 0);
    /* Some in calls of their own, some together. */
    MUST(vkQueueSubmit(rig->queue, 1, &submits[0], NULL));
    MUST(vkQueueSubmit(rig->queue, 3, &submits[1], NULL));
    MUST(vkQueueSubmit(rig->queue, COUNT_OF - 4, &submits[4], done));
    fence_wait(rig, done);
    steps_check(&steps, order, COUNT_OF);
}

void program_sync_fences(struct rig *rig) {
    struct steps steps;
    VkFence fences[3] = {fence_new(rig, VK_FENCE_CREATE_SIGNALED_BIT), fence_new(rig, 0), fence_new(rig, 0)};
    steps_begin(rig, &steps, 2);
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &steps.commands[0]};
    check_true("a fence is signaled from the start", vkGetFenceStatus(rig->device, fences[0]) == VK_SUCCESS);
    check_true("a fence is not signaled", vkGetFenceStatus(rig->device, fences[1]) == VK_NOT_READY);
    check_true("a wait for it ends", vkWaitForFences(rig->device, 2, fences, VK_TRUE, 1000000) == VK_TIMEOUT);
    check_true("a wait for one of them is over", vkWaitForFences(rig->device, 2, fences, VK_FALSE, 0) == VK_SUCCESS);
    MUST(vkResetFences(rig->device, 1, fences));
    check_true("it is reset", vkGetFenceStatus(rig->device, fences[0]) == VK_NOT_READY);
    MUST(vkQueueSubmit(rig->queue, 1, &submit, fences[1]));
    MUST(vkWaitForFences(rig->device, 2, fences, VK_FALSE, PATIENCE));
    /* An empty submission signals when all before it is done. */
    MUST(vkQueueSubmit(rig->queue, 0, NULL, fences[2]));
    fence_wait(rig, fences[2]);
    MUST(vkResetFences(rig->device, 2, &fences[1]));
    const VkSubmitInfo second = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &steps.commands[1]};
    MUST(vkQueueSubmit(rig->queue, 1, &second, fences[1]));
    MUST(vkQueueWaitIdle(rig->queue));
    check_true("it is signaled when the queue is idle", vkGetFenceStatus(rig->device, fences[1]) == VK_SUCCESS);
    steps_check(&steps, (uint32_t[]){0, 1}, 2);
}

/* ---- timelines ---- */

struct point {
    VkSemaphore semaphore;
    uint64_t value;
};

static void submit_points(struct rig *rig, VkCommandBuffer commands, struct point wait, struct point signal) {
    const VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                  .waitSemaphoreValueCount = wait.semaphore ? 1 : 0,
                                                  .pWaitSemaphoreValues = &wait.value,
                                                  .signalSemaphoreValueCount = signal.semaphore ? 1 : 0,
                                                  .pSignalSemaphoreValues = &signal.value};
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .pNext = &values,
                                 .waitSemaphoreCount = wait.semaphore ? 1 : 0,
                                 .pWaitSemaphores = &wait.semaphore,
                                 .pWaitDstStageMask = &at_all,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands,
                                 .signalSemaphoreCount = signal.semaphore ? 1 : 0,
                                 .pSignalSemaphores = &signal.semaphore};
    MUST(vkQueueSubmit(rig->queue, 1, &submit, NULL));
}

static uint64_t counter(struct rig *rig, VkSemaphore semaphore) {
    uint64_t value;
    MUST(rig->call.GetSemaphoreCounterValue(rig->device, semaphore, &value));
    return value;
}

static VkResult wait_points(struct rig *rig, const VkSemaphore *semaphores, const uint64_t *values, uint32_t count,
                            bool any, uint64_t patience) {
    const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .flags = any ? VK_SEMAPHORE_WAIT_ANY_BIT : 0,
                                      .semaphoreCount = count,
                                      .pSemaphores = semaphores,
                                      .pValues = values};
    return rig->call.WaitSemaphores(rig->device, &wait, patience);
}

static void signal_point(struct rig *rig, VkSemaphore semaphore, uint64_t value) {
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
    MUST(rig->call.SignalSemaphore(rig->device, &signal));
}

/* A submission waits for a point that the host signals; its end is a point for which the host waits. */
void program_sync_timeline(struct rig *rig) {
    struct steps steps;
    VkSemaphore line = semaphore_new_timeline(rig, 5), other = semaphore_new_timeline(rig, 0);
    steps_begin(rig, &steps, 2);
    check_word("counter at first", (uint32_t)counter(rig, line), 5);
    rig->thread_submits = true;
    submit_points(rig, steps.commands[0], (struct point){line, 7}, (struct point){other, 10});
    submit_points(rig, steps.commands[1], (struct point){other, 10}, (struct point){line, UINT64_C(0x123456789)});
    check_true("nothing is done before", wait_points(rig, &other, &(uint64_t){10}, 1, false, 3000000) == VK_TIMEOUT);
    check_word("a word before", steps.words.words[9], 1);
    signal_point(rig, line, 6);
    check_true("an earlier point is not enough",
               wait_points(rig, &other, &(uint64_t){10}, 1, false, 3000000) == VK_TIMEOUT);
    signal_point(rig, line, 7);
    MUST(wait_points(rig, (VkSemaphore[]){other, line}, (uint64_t[]){10, UINT64_C(0x123456789)}, 2, false, PATIENCE));
    check_true("counter at the end", counter(rig, line) == UINT64_C(0x123456789));
    MUST(wait_points(rig, (VkSemaphore[]){other, line}, (uint64_t[]){99, 8}, 2, true, PATIENCE));
    steps_check(&steps, (uint32_t[]){0, 1}, 2);
}

/* Points of one submission each, long chains of them. */
void program_sync_timeline_chain(struct rig *rig) {
    struct steps steps;
    uint32_t order[MOST_STEPS];
    VkSemaphore line = semaphore_new_timeline(rig, 0);
    steps_begin(rig, &steps, MOST_STEPS);
    for (uint32_t i = 0; i < MOST_STEPS; i++) {
        order[i] = i;
        submit_points(rig, steps.commands[i], (struct point){i ? line : NULL, i}, (struct point){line, i + 1});
    }
    MUST(wait_points(rig, &line, &(uint64_t){MOST_STEPS}, 1, false, PATIENCE));
    steps_check(&steps, order, MOST_STEPS);
}

/* vkQueueSubmit2: both kinds in one, stages of each. */
void program_sync_submit2(struct rig *rig) {
    struct steps steps;
    NEED(rig, sync2.synchronization2);
    NEED_CALL(rig, QueueSubmit2);
    VkSemaphore line = semaphore_new_timeline(rig, 0), binary = semaphore_new(rig);
    VkFence done = fence_new(rig, 0);
    steps_begin(rig, &steps, 3);
    const VkCommandBufferSubmitInfo commands[] = {
        {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = steps.commands[0]},
        {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = steps.commands[1]},
        {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = steps.commands[2]}};
    const VkSemaphoreSubmitInfo points[] = {{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                             .semaphore = line,
                                             .value = 3,
                                             .stageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT},
                                            {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                             .semaphore = binary,
                                             .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT}};
    const VkSubmitInfo2 submits[] = {{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                      .commandBufferInfoCount = 2,
                                      .pCommandBufferInfos = commands,
                                      .signalSemaphoreInfoCount = 2,
                                      .pSignalSemaphoreInfos = points},
                                     {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                      .waitSemaphoreInfoCount = 2,
                                      .pWaitSemaphoreInfos = points,
                                      .commandBufferInfoCount = 1,
                                      .pCommandBufferInfos = &commands[2]}};
    MUST(rig->call.QueueSubmit2(rig->queue, 2, submits, done));
    fence_wait(rig, done);
    check_word("counter", (uint32_t)counter(rig, line), 3);
    steps_check(&steps, (uint32_t[]){0, 1, 2}, 3);
}

/* ---- events ---- */

static VkEvent event_new(struct rig *rig) {
    const VkEventCreateInfo create = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent event;
    MUST(vkCreateEvent(rig->device, &create, NULL, &event));
    KEEP(rig, EVENT, event);
    return event;
}

/* Set and waited for by commands, reset by them, set by the host. */
void program_sync_events(struct rig *rig) {
    struct buffer words = buffer_new(rig, 64 * 4, 0);
    struct kernel kernel = kernel_on(rig, "accumulate.comp", 4, BUFFERS(&words));
    VkEvent event = event_new(rig), other = event_new(rig);
    const VkMemoryBarrier seen = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    for (uint32_t i = 0; i < 64; i++)
        words.words[i] = 2;
    check_true("an event is not set", vkGetEventStatus(rig->device, event) == VK_EVENT_RESET);
    MUST(vkSetEvent(rig->device, other));
    check_true("the host has set it", vkGetEventStatus(rig->device, other) == VK_EVENT_SET);
    VkCommandBuffer commands = commands_begin(rig);
    kernel_dispatch(commands, &kernel, &(uint32_t){5}, 1, 1, 1);
    vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 1,
                    &seen, 0, NULL, 0, NULL);
    kernel_dispatch(commands, &kernel, &(uint32_t){7}, 1, 1, 1);
    vkCmdResetEvent(commands, other, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    commands_run(rig, commands);
    check_true("commands have set it", vkGetEventStatus(rig->device, event) == VK_EVENT_SET);
    check_true("commands have reset it", vkGetEventStatus(rig->device, other) == VK_EVENT_RESET);
    MUST(vkResetEvent(rig->device, event));
    check_true("the host has reset it", vkGetEventStatus(rig->device, event) == VK_EVENT_RESET);
    for (uint32_t i = 0; i < 64; i++)
        check_word("a word", words.words[i], (2 * 5 + i) * 7 + i);
}

/* ---- descriptors of files ---- */

static VkSemaphore exportable(struct rig *rig, VkExternalSemaphoreHandleTypeFlagBits type) {
    const VkPhysicalDeviceExternalSemaphoreInfo ask = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO, .handleType = type};
    VkExternalSemaphoreProperties has = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
    need_extension(rig, "VK_KHR_external_semaphore_fd");
    vkGetPhysicalDeviceExternalSemaphoreProperties(rig->physical, &ask, &has);
    const VkExternalSemaphoreFeatureFlags both =
        VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
    if ((has.externalSemaphoreFeatures & both) != both)
        skip_without("semaphore as a file of type %d", (int)type);
    const VkExportSemaphoreCreateInfo export = {.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
                                                .handleTypes = type};
    const VkSemaphoreCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &export};
    VkSemaphore semaphore;
    MUST(vkCreateSemaphore(rig->device, &create, NULL, &semaphore));
    KEEP(rig, SEMAPHORE, semaphore);
    return semaphore;
}

static int file_of(struct rig *rig, VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type) {
    const VkSemaphoreGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, .semaphore = semaphore, .handleType = type};
    int file = -1;
    MUST(rig->call.GetSemaphoreFdKHR(rig->device, &get, &file));
    return file;
}

static void import_file(struct rig *rig, VkSemaphore semaphore, VkExternalSemaphoreHandleTypeFlagBits type, int file) {
    const VkImportSemaphoreFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
        .semaphore = semaphore,
        .flags = type == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT ? VK_SEMAPHORE_IMPORT_TEMPORARY_BIT : 0,
        .handleType = type,
        .fd = file};
    MUST(rig->call.ImportSemaphoreFdKHR(rig->device, &import));
}

/* The first step signals a semaphore, of which another one is made; for that the second step waits. */
static void by_file(struct rig *rig, VkExternalSemaphoreHandleTypeFlagBits type) {
    struct steps steps;
    VkSemaphore semaphore = exportable(rig, type), other = semaphore_new(rig);
    VkFence done = fence_new(rig, 0);
    steps_begin(rig, &steps, 2);
    const VkSubmitInfo first = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &steps.commands[0],
                                .signalSemaphoreCount = 1,
                                .pSignalSemaphores = &semaphore};
    const VkSubmitInfo second = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .waitSemaphoreCount = 1,
                                 .pWaitSemaphores = &other,
                                 .pWaitDstStageMask = &at_all,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &steps.commands[1]};
    MUST(vkQueueSubmit(rig->queue, 1, &first, NULL));
    import_file(rig, other, type, file_of(rig, semaphore, type));
    MUST(vkQueueSubmit(rig->queue, 1, &second, done));
    fence_wait(rig, done);
    steps_check(&steps, (uint32_t[]){0, 1}, 2);
}

void program_sync_opaque_fd(struct rig *rig) {
    by_file(rig, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);
}

void program_sync_sync_fd(struct rig *rig) {
    by_file(rig, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT);
}

/* A fence as a sync file, which poll() knows. */
void program_sync_fence_fd(struct rig *rig) {
    const VkExportFenceCreateInfo export = {.sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO,
                                            .handleTypes = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT};
    const VkFenceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .pNext = &export};
    struct steps steps;
    VkFence fence, imported;
    int file = -1;
    need_extension(rig, "VK_KHR_external_fence_fd");
    steps_begin(rig, &steps, 1);
    MUST(vkCreateFence(rig->device, &create, NULL, &fence));
    KEEP(rig, FENCE, fence);
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &steps.commands[0]};
    MUST(vkQueueSubmit(rig->queue, 1, &submit, fence));
    const VkFenceGetFdInfoKHR get = {.sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR,
                                     .fence = fence,
                                     .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT};
    MUST(rig->call.GetFenceFdKHR(rig->device, &get, &file));
    if (file >= 0) {
        struct pollfd ready = {.fd = file, .events = POLLIN};
        check_word("poll", (uint32_t)poll(&ready, 1, 100000), 1);
    }
    imported = fence_new(rig, 0);
    const VkImportFenceFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR,
                                           .fence = imported,
                                           .flags = VK_FENCE_IMPORT_TEMPORARY_BIT,
                                           .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT,
                                           .fd = file};
    MUST(rig->call.ImportFenceFdKHR(rig->device, &import));
    fence_wait(rig, imported);
    steps_check(&steps, (uint32_t[]){0}, 1);
}

/* ---- command buffers ---- */

/* Secondary ones, twice in one primary, which is submitted twice. */
void program_sync_secondary(struct rig *rig) {
    struct buffer words = buffer_new(rig, 64 * 4, 0);
    struct kernel kernel = kernel_on(rig, "accumulate.comp", 4, BUFFERS(&words));
    const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = rig->pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                                  .commandBufferCount = 2};
    const VkCommandBufferInheritanceInfo inherit = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                            .pInheritanceInfo = &inherit};
    VkCommandBuffer secondary[2];
    uint32_t wanted[64];
    MUST(vkAllocateCommandBuffers(rig->device, &allocate, secondary));
    for (uint32_t i = 0; i < 2; i++) {
        MUST(vkBeginCommandBuffer(secondary[i], &begin));
        kernel_dispatch(secondary[i], &kernel, &(uint32_t){3 + i}, 1, 1, 1);
        barrier(secondary[i]);
        MUST(vkEndCommandBuffer(secondary[i]));
    }
    for (uint32_t i = 0; i < 64; i++)
        wanted[i] = words.words[i] = 1;
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdExecuteCommands(commands, 2, secondary);
    vkCmdExecuteCommands(commands, 1, secondary);
    commands_end(commands);
    for (uint32_t pass = 0; pass < 2; pass++) {
        commands_submit(rig, commands);
        for (uint32_t i = 0; i < 64; i++)
            wanted[i] = ((wanted[i] * 3 + i) * 4 + i) * 3 + i;
    }
    check_words("words", words.words, wanted, 64);
}

/* Command buffers and their pool are reset, and used again. */
void program_sync_reset(struct rig *rig) {
    struct buffer words = buffer_new(rig, 64 * 4, 0);
    struct kernel kernel = kernel_on(rig, "accumulate.comp", 4, BUFFERS(&words));
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkCommandBuffer commands = commands_begin(rig);
    uint32_t wanted[64];
    for (uint32_t i = 0; i < 64; i++)
        wanted[i] = words.words[i] = 1;
    kernel_dispatch(commands, &kernel, &(uint32_t){99}, 1, 1, 1);
    MUST(vkEndCommandBuffer(commands));
    for (uint32_t pass = 0; pass < 20; pass++) {
        if (pass % 3 == 0)
            MUST(vkResetCommandBuffer(commands, pass % 2 ? VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT : 0));
        if (pass % 5 == 4)
            MUST(vkResetCommandPool(rig->device, rig->pool, 0));
        MUST(vkBeginCommandBuffer(commands, &begin));
        kernel_dispatch(commands, &kernel, &(uint32_t){pass}, 1, 1, 1);
        commands_run(rig, commands);
        for (uint32_t i = 0; i < 64; i++)
            wanted[i] = wanted[i] * pass + i;
    }
    check_words("words", words.words, wanted, 64);
}
