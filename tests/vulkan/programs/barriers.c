/* SPDX-License-Identifier: MIT */
/* What invocations write is seen by others after a barrier: of a group, of all groups, and in the memory model's scopes. */
#include <string.h>

#include "vulkan/programs/programs.h"

enum { GROUP = 256, GROUPS = 6, SUMMING = 40, SENDERS = 64 };

static void turn_around(uint32_t *words) {
    uint32_t inside[2][GROUP];
    memcpy(inside[0], words, sizeof inside[0]);
    for (uint32_t i = 0; i < GROUP; i++)
        inside[1][(i * 37 + 11) % GROUP] = inside[0][i] + 1;
    for (uint32_t i = 0; i < GROUP; i++)
        inside[0][i] = inside[1][i ^ 1];
    for (uint32_t i = 0; i < GROUP; i++)
        words[i] = inside[0][255 - (i ^ 0x55)] * 3;
}

void program_barriers_group(struct rig *rig) {
    struct buffer words = buffer_new(rig, GROUPS * GROUP * 4, 0);
    uint32_t wanted[GROUPS * GROUP];
    scramble(wanted, sizeof wanted, 3);
    memcpy(words.bytes, wanted, sizeof wanted);
    struct kernel kernel = kernel_on(rig, "barriers.comp", 0, BUFFERS(&words));
    kernel_run(rig, &kernel, NULL, GROUPS, 1, 1);
    for (uint32_t i = 0; i < GROUPS; i++)
        turn_around(wanted + i * GROUP);
    check_words("words", words.words, wanted, GROUPS * GROUP);
}

void program_barriers_device(struct rig *rig) {
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}};
    struct buffer sums = buffer_new(rig, (2 + SUMMING) * 4, 0);
    struct image marks = image_new(
        rig, &(struct image_plan){.format = VK_FORMAT_R32_UINT, .width = SUMMING, .usage = VK_IMAGE_USAGE_STORAGE_BIT});
    struct kernel kernel =
        kernel_new(rig, &(struct kernel_plan){.shader = "last_group.comp", .bindings = bindings, .bindings_count = 2});
    put_buffer(rig, &kernel.descriptors, 0, 0, &sums);
    put_image(rig, &kernel.descriptors, 1, 0, marks.view, NULL);
    sums.words[0] = sums.words[1] = 0;
    VkCommandBuffer commands = commands_begin(rig);
    image_to(commands, &marks, VK_IMAGE_LAYOUT_GENERAL);
    kernel_dispatch(commands, &kernel, NULL, SUMMING, 1, 1);
    commands_run(rig, commands);
    uint32_t total = 0;
    for (uint32_t i = 0; i < SUMMING * 64; i++)
        total += 2 * (i * 3 + 1);
    check_word("number of groups", sums.words[0], SUMMING);
    check_word("total", sums.words[1], total);
}

static void send(struct rig *rig, const char *shader, bool in_group) {
    const size_t words = 1 + 3 * SENDERS;
    struct buffer mail = buffer_new(rig, words * 4, 0);
    uint32_t wanted[SENDERS], sum = 0;
    memset(mail.bytes, 0, words * 4);
    struct kernel kernel = kernel_on(rig, shader, 0, BUFFERS(&mail));
    kernel_run(rig, &kernel, NULL, SENDERS, 1, 1);
    for (uint32_t i = 0; i < SENDERS; i++) {
        wanted[i] = in_group ? i * 5 + 1 : sum;
        sum += i * i + 1;
    }
    check_words(shader, mail.words + 1 + 2 * SENDERS, wanted, SENDERS);
}

void program_barriers_scopes(struct rig *rig) {
    NEED(rig, memory_model.vulkanMemoryModel);
    NEED(rig, memory_model.vulkanMemoryModelDeviceScope);
    send(rig, "scopes_device.comp", false);
    send(rig, "scopes_queue.comp", false);
    send(rig, "scopes_group.comp", true);
}
