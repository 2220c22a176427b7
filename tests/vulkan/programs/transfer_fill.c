/* SPDX-License-Identifier: MIT */
/* Buffers are filled with a word. */
#include "vulkan/programs/programs.h"

enum { WORDS = 5000 };

static void fill_wanted(uint32_t *wanted, uint32_t from, uint32_t count, uint32_t word) {
    for (uint32_t i = from; i < from + count; i++)
        wanted[i] = word;
}

void program_transfer_fill(struct rig *rig) {
    static const struct {
        uint32_t first, count, word;
    } fills[] = {{0, 1, 0x11111111}, {2, 3, 0x89abcdef}, {64, 1024, 0}, {1111, 777, 0xffffffff}, {4999, 1, 0x12345678}};
    struct buffer filled = buffer_new(rig, WORDS * 4, 0), whole = buffer_new(rig, WORDS * 4 + 3, 0);
    uint32_t *wanted = keep_bytes(rig, WORDS * 4);
    fill_wanted(wanted, 0, WORDS, UNTOUCHED_WORD);
    VkCommandBuffer commands = commands_begin(rig);
    for (size_t i = 0; i < COUNT(fills); i++) {
        vkCmdFillBuffer(commands, filled.handle, fills[i].first * 4, fills[i].count * 4, fills[i].word);
        fill_wanted(wanted, fills[i].first, fills[i].count, fills[i].word);
    }
    /* What is left of the last word is not filled. */
    vkCmdFillBuffer(commands, whole.handle, 8, VK_WHOLE_SIZE, 0xa5a5a5a5);
    commands_run(rig, commands);
    check_words("filled", filled.words, wanted, WORDS);
    check_filled("before the rest", whole.words, UNTOUCHED_WORD, 2);
    check_filled("the rest", whole.words + 2, 0xa5a5a5a5, WORDS - 2);
    check_word("after the last whole word", ((uint8_t *)whole.bytes)[WORDS * 4], UNTOUCHED);
}
