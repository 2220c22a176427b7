/* SPDX-License-Identifier: MIT */
/* Push constants, all 128 bytes that everybody has, which change between dispatches. */
#include "vulkan/programs/programs.h"

enum { GROUPS = 4, WORDS = GROUPS * 64, TABLE = 30 };

struct push {
    uint32_t base, factor, table[TABLE];
};

void program_compute_push(struct rig *rig) {
    struct buffer one = buffer_new(rig, WORDS * 4, 0), other = buffer_new(rig, WORDS * 4, 0);
    struct kernel to_one = kernel_on(rig, "push.comp", sizeof(struct push), BUFFERS(&one));
    struct kernel to_other = kernel_on(rig, "push.comp", sizeof(struct push), BUFFERS(&other));
    struct push push = {.base = 1000, .factor = 7};
    uint32_t wanted[2][WORDS];
    scramble(push.table, sizeof push.table, 1);
    for (uint32_t i = 0; i < WORDS; i++) {
        wanted[0][i] = 1000 + 7 * i + push.table[i % TABLE];
        wanted[1][i] = 5 + 11 * i + push.table[i % TABLE];
    }
    VkCommandBuffer commands = commands_begin(rig);
    kernel_dispatch(commands, &to_one, &push, GROUPS, 1, 1);
    /* Only these two change. */
    kernel_bind(commands, &to_other, NULL);
    vkCmdPushConstants(commands, to_other.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, (uint32_t[]){5, 11});
    vkCmdDispatch(commands, GROUPS, 1, 1);
    commands_run(rig, commands);
    check_words("first dispatch", one.words, wanted[0], WORDS);
    check_words("second dispatch", other.words, wanted[1], WORDS);
}
