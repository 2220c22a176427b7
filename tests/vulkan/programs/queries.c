/* SPDX-License-Identifier: MIT */
/* Queries outside of draws: time stamps, invocations of compute programs; pipelines from a cache. */
#include <string.h>

#include "vulkan/programs/programs.h"

static VkQueryPool pool_new(struct rig *rig, VkQueryType type, uint32_t count,
                            VkQueryPipelineStatisticFlags statistics) {
    const VkQueryPoolCreateInfo create = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                          .queryType = type,
                                          .queryCount = count,
                                          .pipelineStatistics = statistics};
    VkQueryPool pool;
    MUST(vkCreateQueryPool(rig->device, &create, NULL, &pool));
    KEEP(rig, QUERY_POOL, pool);
    return pool;
}

static uint32_t valid_bits(struct rig *rig) {
    VkQueueFamilyProperties families[16];
    uint32_t count = COUNT(families);
    vkGetPhysicalDeviceQueueFamilyProperties(rig->physical, &count, families);
    return families[rig->family].timestampValidBits;
}

/* Time goes on; results come to the host, and by commands to a buffer, as 32 and 64 bits. */
void program_queries_time(struct rig *rig) {
    enum { STAMPS = 6 };
    uint64_t stamps[STAMPS + 1], again[STAMPS * 2];
    if (!valid_bits(rig))
        skip_without("time stamps on the queue");
    VkQueryPool pool = pool_new(rig, VK_QUERY_TYPE_TIMESTAMP, STAMPS + 1, 0);
    struct buffer copied = buffer_new(rig, STAMPS * 16 + STAMPS * 4, 0), filled = buffer_new(rig, 1 << 16, 0);
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdResetQueryPool(commands, pool, 0, STAMPS + 1);
    for (uint32_t i = 0; i < STAMPS; i++) {
        vkCmdWriteTimestamp(commands, i ? VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT : VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                            pool, i);
        vkCmdFillBuffer(commands, filled.handle, 0, VK_WHOLE_SIZE, i);
        barrier(commands);
    }
    vkCmdCopyQueryPoolResults(commands, pool, 0, STAMPS, copied.handle, 0, 16,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT |
                                  VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    vkCmdCopyQueryPoolResults(commands, pool, 0, STAMPS, copied.handle, STAMPS * 16, 4, VK_QUERY_RESULT_WAIT_BIT);
    commands_run(rig, commands);
    MUST(vkGetQueryPoolResults(rig->device, pool, 0, STAMPS, sizeof(uint64_t) * STAMPS, stamps, 8,
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    memcpy(again, copied.bytes, sizeof again);
    for (uint32_t i = 0; i < STAMPS; i++) {
        check_true("time goes on", i == 0 || stamps[i] >= stamps[i - 1]);
        check_true("the buffer has the same", again[i * 2] == stamps[i] && again[i * 2 + 1] == 1);
        /* A word of what is longer is its lower half, or all ones. */
        check_true("a word of it", copied.words[STAMPS * 4 + i] == (uint32_t)stamps[i] ||
                                       (stamps[i] > UINT32_MAX && copied.words[STAMPS * 4 + i] == UINT32_MAX));
    }
    check_true("time has gone on", stamps[STAMPS - 1] > stamps[0]);
    check_true("the last one is not there", vkGetQueryPoolResults(rig->device, pool, STAMPS, 1, 8, stamps, 8,
                                                                  VK_QUERY_RESULT_64_BIT) == VK_NOT_READY);
}

void program_queries_compute(struct rig *rig) {
    uint64_t result[2] = {77, 77};
    NEED(rig, core.features.pipelineStatisticsQuery);
    VkQueryPool pool =
        pool_new(rig, VK_QUERY_TYPE_PIPELINE_STATISTICS, 2, VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
    struct buffer words = buffer_new(rig, 64 * 64 * 4, 0);
    struct kernel kernel = kernel_on(rig, "accumulate.comp", 4, BUFFERS(&words));
    const uint32_t factor = 1;
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdResetQueryPool(commands, pool, 0, 2);
    kernel_dispatch(commands, &kernel, &factor, 3, 1, 1);
    vkCmdBeginQuery(commands, pool, 0, 0);
    kernel_dispatch(commands, &kernel, &factor, 5, 1, 1);
    barrier(commands);
    kernel_dispatch(commands, &kernel, &factor, 11, 2, 1);
    vkCmdEndQuery(commands, pool, 0);
    barrier(commands);
    kernel_dispatch(commands, &kernel, &factor, 7, 1, 1);
    vkCmdBeginQuery(commands, pool, 1, 0);
    vkCmdEndQuery(commands, pool, 1);
    commands_run(rig, commands);
    MUST(vkGetQueryPoolResults(rig->device, pool, 0, 2, sizeof result, result, 8,
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    check_word("invocations", (uint32_t)result[0], (5 + 22) * 64);
    check_word("invocations of nothing", (uint32_t)result[1], 0);
}

/* The host resets queries, which are not there then. */
void program_queries_host_reset(struct rig *rig) {
    uint64_t result[2] = {0, 99};
    NEED(rig, host_reset.hostQueryReset);
    NEED_CALL(rig, ResetQueryPool);
    if (!valid_bits(rig))
        skip_without("time stamps on the queue");
    VkQueryPool pool = pool_new(rig, VK_QUERY_TYPE_TIMESTAMP, 2, 0);
    rig->call.ResetQueryPool(rig->device, pool, 0, 2);
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1);
    commands_run(rig, commands);
    MUST(vkGetQueryPoolResults(rig->device, pool, 1, 1, 16, result, 16,
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
    check_true("it is there", result[1] == 1 && result[0] != 0);
    rig->call.ResetQueryPool(rig->device, pool, 1, 1);
    check_true("it is no longer there",
               vkGetQueryPoolResults(rig->device, pool, 1, 1, 16, result, 16,
                                     VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) == VK_NOT_READY &&
                   result[1] == 0);
}

/* ---- pipelines ---- */

static VkPipelineCache cache_new(struct rig *rig, const void *bytes, size_t count) {
    const VkPipelineCacheCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = count, .pInitialData = bytes};
    VkPipelineCache cache;
    MUST(vkCreatePipelineCache(rig->device, &create, NULL, &cache));
    KEEP(rig, PIPELINE_CACHE, cache);
    return cache;
}

static void run_cached(struct rig *rig, VkPipelineCache cache, uint32_t factor) {
    const struct binding binding = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    struct buffer words = buffer_new(rig, 64 * 4, 0);
    struct kernel kernel = kernel_new(
        rig,
        &(struct kernel_plan){
            .shader = "accumulate.comp", .bindings = &binding, .bindings_count = 1, .push_bytes = 4, .cache = cache});
    put_buffer(rig, &kernel.descriptors, 0, 0, &words);
    memset(words.bytes, 0, 64 * 4);
    words.words[3] = 10;
    kernel_run(rig, &kernel, &factor, 1, 1, 1);
    check_word("a word of a cached program", words.words[3], 10 * factor + 3);
    check_word("another word", words.words[63], 63);
}

/* A cache is read out, and another one made of it; one is made of rubbish; caches are merged. */
void program_pipelines_cached(struct rig *rig) {
    uint8_t *bytes = keep_bytes(rig, 1 << 20);
    size_t count = 1 << 20;
    VkPipelineCache cache = cache_new(rig, NULL, 0);
    run_cached(rig, cache, 3);
    run_cached(rig, cache, 4);
    MUST(vkGetPipelineCacheData(rig->device, cache, &count, bytes));
    check_true("a cache has a header", count >= 32);
    check_word("vendor", bytes[8] | (uint32_t)bytes[9] << 8, rig->properties.vendorID & 0xffff);
    VkPipelineCache again = cache_new(rig, bytes, count);
    run_cached(rig, again, 5);
    scramble(bytes, 512, 1);
    VkPipelineCache rubbish = cache_new(rig, bytes, 512);
    run_cached(rig, rubbish, 6);
    MUST(vkMergePipelineCaches(rig->device, rubbish, 2, (VkPipelineCache[]){cache, again}));
    run_cached(rig, rubbish, 7);
}
