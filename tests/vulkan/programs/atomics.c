/* SPDX-License-Identifier: MIT */
/*
 * Atomic operations of 32 and 64 bits on buffers, shared memory and images: each on a cell of its own with random numbers,
 * with what it gives back, and all on the same cells at once.
 */
#include <stdio.h>
#include <string.h>

#include "vulkan/programs/programs.h"

enum { GROUPS = 4, CELLS = GROUPS * 64, OPERATIONS = 8, CONTENDERS = GROUPS * 128, SWAPPED = 0x1234567 };
enum memory { BUFFER, SHARED, IMAGE };

struct kind {
    const char *name; /* of the type */
    uint32_t bytes;
    bool is_signed;
    VkFormat format;
};

static const struct kind u32 = {"u32", 4, false, VK_FORMAT_R32_UINT}, i32 = {"i32", 4, true, VK_FORMAT_R32_SINT},
                         u64 = {"u64", 8, false, VK_FORMAT_R64_UINT}, i64 = {"i64", 8, true, VK_FORMAT_R64_SINT};

static uint64_t number(const struct kind *kind, const void *from, uint32_t index) {
    uint32_t word;
    uint64_t both;
    if (kind->bytes == 8) {
        memcpy(&both, (const char *)from + 8 * (size_t)index, 8);
        return both;
    }
    memcpy(&word, (const char *)from + 4 * (size_t)index, 4);
    return kind->is_signed ? (uint64_t)(int64_t)(int32_t)word : word;
}

static bool is_less(const struct kind *kind, uint64_t a, uint64_t b) {
    return kind->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t applied(const struct kind *kind, uint32_t operation, uint64_t old, uint64_t operand) {
    switch (operation) {
    case 0:
        return old + operand;
    case 1:
        return is_less(kind, old, operand) ? old : operand;
    case 2:
        return is_less(kind, old, operand) ? operand : old;
    case 3:
        return old & operand;
    case 4:
        return old | operand;
    case 5:
        return old ^ operand;
    case 6:
        return operand;
    default:
        return old == operand ? SWAPPED : old;
    }
}

static struct kernel kernel_of(struct rig *rig, const char *shader, const struct kind *kind, enum memory memory,
                               const struct buffer *const *buffers, const struct image *image) {
    static const char *const names[] = {"buffer", "shared", "image"};
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}};
    char name[64];
    snprintf(name, sizeof name, "%s_%s_%s.comp", shader, names[memory], kind->name);
    struct kernel kernel = kernel_new(
        rig, &(struct kernel_plan){.shader = name, .bindings = bindings, .bindings_count = memory == IMAGE ? 4 : 3});
    for (uint32_t i = 0; i < 3; i++)
        put_buffer(rig, &kernel.descriptors, i, 0, buffers[i]);
    if (memory == IMAGE)
        put_image(rig, &kernel.descriptors, 3, 0, image->view, NULL);
    return kernel;
}

static struct image image_of(struct rig *rig, const struct kind *kind, uint32_t width, uint32_t height) {
    return image_new(
        rig, &(struct image_plan){
                 .format = kind->format, .width = width, .height = height, .usage = VK_IMAGE_USAGE_STORAGE_BIT});
}

/* ---- each has its own cell ---- */

static void check_own(const struct kind *kind, const void *cells, const void *operands, const struct buffer *results,
                      const struct buffer *olds) {
    static const char *const names[] = {"add", "min", "max", "and", "or", "xor", "exchange", "compare and swap"};
    for (uint32_t at = 0; at < OPERATIONS * CELLS; at++) {
        uint64_t old = number(kind, cells, at), operand = number(kind, operands, at % CELLS);
        uint64_t wanted = applied(kind, at / CELLS, old, operand);
        if (kind->bytes == 4)
            wanted = kind->is_signed ? (uint64_t)(int64_t)(int32_t)wanted : (uint32_t)wanted;
        uint64_t got = number(kind, results->bytes, at), gave = number(kind, olds->bytes, at);
        if (got != wanted || gave != old)
            fail("%s of %s: 0x%llx and 0x%llx make 0x%llx instead of 0x%llx, and give back 0x%llx", names[at / CELLS],
                 kind->name, (unsigned long long)old, (unsigned long long)operand, (unsigned long long)got,
                 (unsigned long long)wanted, (unsigned long long)gave);
    }
}

static void own(struct rig *rig, const struct kind *kind, enum memory memory) {
    const size_t bytes = (size_t)OPERATIONS * CELLS * kind->bytes;
    struct buffer cells = buffer_new(rig, bytes, 0), operands = buffer_new(rig, CELLS * (size_t)kind->bytes, 0);
    struct buffer olds = buffer_new(rig, bytes, 0);
    struct image image = {0};
    char *before = keep_bytes(rig, bytes);
    scramble(before, bytes, 5);
    scramble(operands.bytes, CELLS * (size_t)kind->bytes, 77);
    /* Half of those that are compared are the same. */
    for (uint32_t i = 0; i < CELLS; i += 2)
        memcpy(before + (7 * CELLS + i) * (size_t)kind->bytes, (char *)operands.bytes + i * (size_t)kind->bytes,
               kind->bytes);
    memcpy(cells.bytes, before, bytes);
    if (memory == IMAGE) {
        image = image_of(rig, kind, CELLS, OPERATIONS);
        image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, before);
    }
    struct kernel kernel = kernel_of(rig, "atomics", kind, memory, BUFFERS(&cells, &operands, &olds), &image);
    kernel_run(rig, &kernel, NULL, GROUPS, 1, 1);
    check_own(kind, before, operands.bytes, &cells, &olds);
}

/* ---- all have the same ---- */

static void fill_contended(const struct kind *kind, void *cells, uint32_t sets) {
    const uint64_t before[OPERATIONS] = {0, 100000, 0, UINT64_C(0x7fffffffffffffff), 0x40000000, 0x12345, 99, 1};
    for (uint32_t i = 0; i < sets * OPERATIONS; i++)
        memcpy((char *)cells + i * (size_t)kind->bytes, &before[i % OPERATIONS], kind->bytes);
}

static void check_contended(const struct kind *kind, const void *cells, uint32_t n, uint64_t *stayed) {
    uint64_t wanted[OPERATIONS] = {n, 6, n + 2, UINT64_C(0x7fffffffff000000), 0x40ffffff, 0x12345, 0, 1};
    for (uint32_t i = 0; i < n; i++) {
        wanted[5] ^= i * i;
        wanted[7] += i;
    }
    for (uint32_t k = 0; k < OPERATIONS; k++) {
        uint64_t got = number(kind, cells, k), want = number(kind, wanted, 0);
        memcpy(&want, &wanted[k], 8);
        if (kind->bytes == 4)
            want = kind->is_signed ? (uint64_t)(int64_t)(int32_t)want : (uint32_t)want;
        if (k != 6 && got != want)
            fail("all at once, %s: cell %u is 0x%llx instead of 0x%llx", kind->name, k, (unsigned long long)got,
                 (unsigned long long)want);
    }
    *stayed += number(kind, cells, 6);
}

static void contended(struct rig *rig, const struct kind *kind, enum memory memory) {
    const uint32_t sets = memory == SHARED ? GROUPS : 1, n = CONTENDERS / sets;
    struct buffer cells = buffer_new(rig, (size_t)sets * OPERATIONS * kind->bytes, 0);
    struct buffer tickets = buffer_new(rig, CONTENDERS * 4, 0), given = buffer_new(rig, 4, 0);
    struct image image = {0};
    uint64_t stayed = 0;
    const void *after = cells.bytes;
    fill_contended(kind, cells.bytes, sets);
    memset(tickets.bytes, 0, CONTENDERS * 4);
    *given.words = 0;
    if (memory == IMAGE) {
        image = image_of(rig, kind, OPERATIONS, 1);
        image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, cells.bytes);
    }
    struct kernel kernel = kernel_of(rig, "contended", kind, memory, BUFFERS(&cells, &tickets, &given), &image);
    kernel_run(rig, &kernel, NULL, GROUPS, 1, 1);
    if (memory == IMAGE)
        after = image_read(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0);
    for (uint32_t set = 0; set < sets; set++)
        check_contended(kind, (const char *)after + (size_t)set * OPERATIONS * kind->bytes, n, &stayed);
    check_filled("tickets", tickets.words, 1, CONTENDERS);
    check_word("what was given back and what stayed", *given.words + (uint32_t)stayed, sets * (99 + n * (n + 1) / 2));
}

static void both(struct rig *rig, const struct kind *kind, enum memory memory) {
    own(rig, kind, memory);
    contended(rig, kind, memory);
}

void program_atomics_buffer_32(struct rig *rig) {
    both(rig, &u32, BUFFER);
    both(rig, &i32, BUFFER);
}

void program_atomics_buffer_64(struct rig *rig) {
    NEED(rig, core.features.shaderInt64);
    NEED(rig, atomic_int64.shaderBufferInt64Atomics);
    both(rig, &u64, BUFFER);
    both(rig, &i64, BUFFER);
}

void program_atomics_shared_32(struct rig *rig) {
    both(rig, &u32, SHARED);
    both(rig, &i32, SHARED);
}

void program_atomics_shared_64(struct rig *rig) {
    NEED(rig, core.features.shaderInt64);
    NEED(rig, atomic_int64.shaderSharedInt64Atomics);
    both(rig, &u64, SHARED);
    both(rig, &i64, SHARED);
}

void program_atomics_image_32(struct rig *rig) {
    both(rig, &u32, IMAGE);
    both(rig, &i32, IMAGE);
}

void program_atomics_image_64(struct rig *rig) {
    NEED(rig, core.features.shaderInt64);
    NEED(rig, image_int64.shaderImageInt64Atomics);
    both(rig, &u64, IMAGE);
    both(rig, &i64, IMAGE);
}

/* ---- floats ---- */

static void check_floats(const struct buffer *cells, const struct buffer *given, enum memory memory) {
    const float *cell = cells->bytes, *gave = given->bytes;
    const float sum = memory == SHARED ? 64 : CONTENDERS / 2;
    if (memory != IMAGE && cell[0] != sum)
        fail("sum is %g instead of %g", (double)cell[0], (double)sum);
    for (uint32_t i = 0; i < CONTENDERS; i++)
        if (cell[2 + i] != (float)i * -1.5F || gave[i] != (float)i)
            fail("exchange %u leaves %g and gives back %g", i, (double)cell[2 + i], (double)gave[i]);
}

static void floats(struct rig *rig, enum memory memory) {
    static const char *const names[] = {"atomics_float_buffer.comp", "atomics_float_shared.comp",
                                        "atomics_float_image.comp"};
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}};
    const struct kind kind = {"float", 4, true, VK_FORMAT_R32_SFLOAT};
    struct buffer cells = buffer_new(rig, (2 + CONTENDERS) * 4, 0), given = buffer_new(rig, CONTENDERS * 4, 0);
    struct kernel kernel =
        kernel_new(rig, &(struct kernel_plan){
                            .shader = names[memory], .bindings = bindings, .bindings_count = memory == IMAGE ? 4 : 2});
    float *cell = cells.bytes;
    cell[0] = cell[1] = 0;
    for (uint32_t i = 0; i < CONTENDERS; i++)
        cell[2 + i] = (float)i;
    put_buffer(rig, &kernel.descriptors, 0, 0, &cells);
    put_buffer(rig, &kernel.descriptors, 1, 0, &given);
    struct image image = {0};
    if (memory == IMAGE) {
        image = image_of(rig, &kind, 2 + CONTENDERS, 1);
        image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, cells.bytes);
        put_image(rig, &kernel.descriptors, 3, 0, image.view, NULL);
    }
    kernel_run(rig, &kernel, NULL, GROUPS, 1, 1);
    check_floats(&cells, &given, memory);
    if (memory == IMAGE) {
        const float *sum = image_read(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0);
        if (*sum != CONTENDERS / 2)
            fail("sum in an image is %g instead of %d", (double)*sum, CONTENDERS / 2);
    }
}

void program_atomics_float_buffer(struct rig *rig) {
    NEED(rig, atomic_float.shaderBufferFloat32Atomics);
    NEED(rig, atomic_float.shaderBufferFloat32AtomicAdd);
    floats(rig, BUFFER);
}

void program_atomics_float_shared(struct rig *rig) {
    NEED(rig, atomic_float.shaderSharedFloat32Atomics);
    NEED(rig, atomic_float.shaderSharedFloat32AtomicAdd);
    floats(rig, SHARED);
}

void program_atomics_float_image(struct rig *rig) {
    NEED(rig, atomic_float.shaderImageFloat32Atomics);
    NEED(rig, atomic_float.shaderImageFloat32AtomicAdd);
    floats(rig, IMAGE);
}
