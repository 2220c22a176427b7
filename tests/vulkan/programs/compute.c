/* SPDX-License-Identifier: MIT */
/* Ways in which compute programs are specialized, dispatched and given memory. */
#include <string.h>

#include "vulkan/programs/programs.h"

void program_compute_constants(struct rig *rig) {
    enum { WIDTH = 12, HEIGHT = 5, WORDS = WIDTH * HEIGHT };
    const float scale = 2.5F;
    uint32_t scale_bits, wanted[WORDS];
    memcpy(&scale_bits, &scale, 4);
    const struct binding words = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    struct buffer to = buffer_new(rig, WORDS * 4, 0);
    struct kernel kernel = kernel_new(
        rig, &(struct kernel_plan){.shader = "constants.comp",
                                   .bindings = &words,
                                   .bindings_count = 1,
                                   .constants = CONSTANTS(WIDTH, HEIGHT, 7, (uint32_t)-3, scale_bits, VK_TRUE, 9)});
    put_buffer(rig, &kernel.descriptors, 0, 0, &to);
    kernel_run(rig, &kernel, NULL, 1, 1, 1);
    for (uint32_t i = 0; i < WORDS; i++)
        wanted[i] = i % 9 * 7 - 3 + 10 + 1000 + WIDTH * 100000 + HEIGHT * 1000000 + 77 * 10000;
    check_words("words", to.words, wanted, WORDS);
}

struct node {
    uint64_t next;
    uint32_t value, sum;
};

void program_compute_address(struct rig *rig) {
    enum { NODES = 100 };
    NEED(rig, address.bufferDeviceAddress);
    NEED_CALL(rig, GetBufferDeviceAddress);
    struct buffer nodes = buffer_new(rig, NODES * sizeof(struct node), VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    struct buffer results = buffer_new(rig, 64 * 4, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    struct kernel kernel = kernel_new(rig, &(struct kernel_plan){.shader = "address.comp", .push_bytes = 24});
    struct node *node = nodes.bytes;
    const uint64_t first = buffer_address(rig, &nodes);
    uint32_t at = 0, sum = 0, wanted[36] = {0}, sums[NODES];
    memset(results.bytes, 0, 64 * 4);
    for (uint32_t n = 0; n < NODES; n++) {
        uint32_t next = (at + 37) % NODES;
        node[at] = (struct node){first + next * sizeof *node, scrambled(n), 0};
        sum += node[at].value;
        sums[at] = sum * (n % 32 + 1);
        at = next;
    }
    const struct {
        uint64_t first, results;
        uint32_t count, pad;
    } push = {first, buffer_address(rig, &results), NODES, 0};
    kernel_run(rig, &kernel, &push, 1, 1, 1);
    for (uint32_t i = 0; i < 32; i++) {
        wanted[i] = sum * (i + 1);
        wanted[32 + i % 4] += wanted[i];
    }
    check_words("results", results.words, wanted, 36);
    for (uint32_t i = 0; i < NODES; i++)
        check_word("a node's sum", node[i].sum, sums[i]);
}

/* ---- grids ---- */

struct grid {
    uint32_t base[3], pad, groups[3];
};

static void check_places(const struct buffer *places, const struct grid *grid) {
    const uint32_t *g = grid->groups, count = g[0] * g[1] * g[2];
    for (uint32_t i = 0; i < count * 16; i++) {
        uint32_t group = i / 16, x = i % 4, y = i / 4 % 2, z = i / 8 % 2;
        uint32_t gx = group % g[0] + grid->base[0], gy = group / g[0] % g[1] + grid->base[1],
                 gz = group / g[0] / g[1] + grid->base[2];
        uint32_t wanted = (gx * 4 + x) | (gy * 2 + y) << 8 | (gz * 2 + z) << 16 | (z * 4 + y) << 24;
        if (places->words[i] != wanted)
            fail("invocation %u says 0x%08x instead of 0x%08x", i, places->words[i], wanted);
    }
    check_word("number of groups", places->words[count * 16], g[0]);
}

static struct buffer places_new(struct rig *rig, const struct grid *grid) {
    const uint32_t count = grid->groups[0] * grid->groups[1] * grid->groups[2] * 16;
    struct buffer places = buffer_new(rig, (count + 1) * (size_t)4, 0);
    places.words[count] = 0;
    return places;
}

void program_dispatch_base(struct rig *rig) {
    const struct grid grid = {{5, 6, 7}, 0, {3, 2, 4}};
    const struct binding words = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    struct buffer places = places_new(rig, &grid);
    NEED_CALL(rig, CmdDispatchBase);
    struct kernel kernel = kernel_new(rig, &(struct kernel_plan){.shader = "places.comp",
                                                                 .bindings = &words,
                                                                 .bindings_count = 1,
                                                                 .push_bytes = sizeof grid,
                                                                 .flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT});
    put_buffer(rig, &kernel.descriptors, 0, 0, &places);
    VkCommandBuffer commands = commands_begin(rig);
    kernel_bind(commands, &kernel, &grid);
    rig->call.CmdDispatchBase(commands, 5, 6, 7, 3, 2, 4);
    commands_run(rig, commands);
    check_places(&places, &grid);
}

/* The numbers are in a buffer, where a dispatch has written them; one of them is 0. */
void program_dispatch_indirect(struct rig *rig) {
    const struct grid grid = {{0}, 0, {2, 5, 3}}, nothing = {{0}, 0, {1, 1, 1}};
    struct buffer places = places_new(rig, &grid), none = places_new(rig, &nothing);
    struct buffer numbers = buffer_new(rig, 256, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    struct kernel kernel = kernel_on(rig, "places.comp", sizeof grid, BUFFERS(&places));
    struct kernel to_none = kernel_on(rig, "places.comp", sizeof grid, BUFFERS(&none));
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdUpdateBuffer(commands, numbers.handle, 8, 12, grid.groups);
    vkCmdUpdateBuffer(commands, numbers.handle, 64, 12, (uint32_t[]){4, 0, 4});
    barrier(commands);
    kernel_bind(commands, &kernel, &grid);
    vkCmdDispatchIndirect(commands, numbers.handle, 8);
    kernel_bind(commands, &to_none, &nothing);
    vkCmdDispatchIndirect(commands, numbers.handle, 64);
    commands_run(rig, commands);
    check_places(&places, &grid);
    check_filled("nothing", none.words, UNTOUCHED_WORD, 16);
}

void program_compute_zeroed(struct rig *rig) {
    enum { GROUPS = 20 };
    NEED(rig, zeroed.shaderZeroInitializeWorkgroupMemory);
    struct buffer words = buffer_new(rig, GROUPS * 1024 * 4, 0);
    struct kernel kernel = kernel_on(rig, "zeroed.comp", 0, BUFFERS(&words));
    kernel_run(rig, &kernel, NULL, GROUPS, 1, 1);
    check_filled("shared memory", words.words, 0, GROUPS * 1024);
}
