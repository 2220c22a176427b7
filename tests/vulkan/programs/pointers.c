/* SPDX-License-Identifier: MIT */
/* Pointers that a shader chooses, keeps and compares: VK_KHR_variable_pointers. Its shaders are in SPIR-V. */
#include "vulkan/programs/programs.h"

enum { GROUP = 64 };

static void fill(struct buffer *buffer, uint32_t seed) {
    scramble(buffer->bytes, (size_t)buffer->size, seed);
}

/* Within one buffer, by OpSelect and OpPhi, and from one element on to others: loads and an atomic operation. */
void program_pointers_one_buffer(struct rig *rig) {
    enum { WORDS = 512, FAR = 256 };
    uint32_t wanted[WORDS], results[2 * GROUP];
    need_extension(rig, "VK_KHR_spirv_1_4");
    NEED(rig, variable_pointers.variablePointersStorageBuffer);
    struct buffer words = buffer_new(rig, sizeof wanted, 0), read = buffer_new(rig, sizeof results, 0);
    fill(&words, 1);
    for (uint32_t i = 0; i < WORDS; i++)
        wanted[i] = words.words[i];
    for (uint32_t i = 0; i < GROUP; i++) {
        const uint32_t p = i % 2 ? i : 127 - i, q = p + i % 7 * 3;
        results[i] = words.words[p];
        results[GROUP + i] = words.words[q];
        wanted[p + FAR] += i + 1;
    }
    struct kernel kernel = kernel_on(rig, "pointers_one_buffer.spvasm", 0, BUFFERS(&words, &read));
    kernel_run(rig, &kernel, NULL, 1, 1, 1);
    check_words("what the pointers are to", read.words, results, COUNT(results));
    check_words("what was added to", words.words, wanted, WORDS);
}

/* Into several buffers, kept in a variable and given to a function. */
void program_pointers_buffers(struct rig *rig) {
    uint32_t wanted[3][GROUP], results[GROUP];
    struct buffer buffers[3], read = buffer_new(rig, sizeof results, 0);
    need_extension(rig, "VK_KHR_spirv_1_4");
    NEED(rig, variable_pointers.variablePointers);
    for (uint32_t n = 0; n < 3; n++) {
        buffers[n] = buffer_new(rig, sizeof results, 0);
        fill(&buffers[n], 10 + n);
        for (uint32_t i = 0; i < GROUP; i++) {
            const uint32_t was = buffers[n].words[i];
            wanted[n][i] = i % 3 == n ? 3 * was + i : was;
            if (i % 3 == n)
                results[i] = was;
        }
    }
    struct kernel kernel =
        kernel_on(rig, "pointers_buffers.spvasm", 0, BUFFERS(&buffers[0], &buffers[1], &buffers[2], &read));
    kernel_run(rig, &kernel, NULL, 1, 1, 1);
    check_words("what was there", read.words, results, GROUP);
    for (uint32_t n = 0; n < 3; n++)
        check_words("a buffer", buffers[n].words, wanted[n], GROUP);
}

void program_pointers_shared(struct rig *rig) {
    uint32_t results[GROUP];
    need_extension(rig, "VK_KHR_spirv_1_4");
    NEED(rig, variable_pointers.variablePointers);
    struct buffer words = buffer_new(rig, sizeof results, 0), read = buffer_new(rig, sizeof results, 0);
    fill(&words, 20);
    for (uint32_t i = 0; i < GROUP; i++) {
        const uint32_t there = words.words[i % 59 + 5];
        results[i] = there % 2 == words.words[i] % 2 ? there : 0 - there;
    }
    struct kernel kernel = kernel_on(rig, "pointers_shared.spvasm", 0, BUFFERS(&words, &read));
    kernel_run(rig, &kernel, NULL, 1, 1, 1);
    check_words("by pointers into shared memory", read.words, results, GROUP);
}

/* Are they equal, how far is it between them, and is one NULL? */
void program_pointers_compared(struct rig *rig) {
    uint32_t results[3 * GROUP];
    need_extension(rig, "VK_KHR_spirv_1_4");
    NEED(rig, variable_pointers.variablePointersStorageBuffer);
    struct buffer words = buffer_new(rig, GROUP * 4, 0), read = buffer_new(rig, sizeof results, 0);
    for (uint32_t i = 0; i < GROUP; i++)
        words.words[i] = i % 5 ? scrambled(i) % GROUP : i;
    for (uint32_t i = 0; i < GROUP; i++) {
        const uint32_t j = words.words[i];
        results[i] = i == j ? 1 : 2;
        results[GROUP + i] = i - j;
        results[2 * GROUP + i] = i > j ? words.words[j] : 77;
    }
    struct kernel kernel = kernel_on(rig, "pointers_compared.spvasm", 0, BUFFERS(&words, &read));
    kernel_run(rig, &kernel, NULL, 1, 1, 1);
    check_words("comparisons", read.words, results, COUNT(results));
}
