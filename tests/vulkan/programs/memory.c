/* SPDX-License-Identifier: MIT */
/* Memory: parts of it, the same for several, sparse, exported, and accesses beyond it. */
#include <string.h>
#include <unistd.h>

#include "vulkan/programs/programs.h"

static VkBuffer bare_buffer(struct rig *rig, VkDeviceSize size, VkBufferCreateFlags flags, const void *next) {
    const VkBufferCreateInfo create = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .pNext = next,
                                       .flags = flags,
                                       .size = size,
                                       .usage = USUAL_USAGE};
    VkBuffer buffer;
    MUST(vkCreateBuffer(rig->device, &create, NULL, &buffer));
    KEEP(rig, BUFFER, buffer);
    return buffer;
}

static VkMemoryRequirements needs_of(struct rig *rig, VkBuffer buffer) {
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(rig->device, buffer, &needs);
    return needs;
}

/* ---- aliases ---- */

/* Buffers that share memory, one from an offset on; the host sees all of it, while it stays mapped. */
void program_memory_aliases(struct rig *rig) {
    enum { SIZE = 0x40000, OFFSET = 0x10000 };
    const VkMemoryPropertyFlags seen = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkBuffer whole = bare_buffer(rig, SIZE, 0, NULL), part = bare_buffer(rig, SIZE - OFFSET, 0, NULL);
    VkMemoryRequirements needs = needs_of(rig, whole);
    VkDeviceMemory memory = memory_new(rig, needs.size, memory_type(rig, needs.memoryTypeBits, seen), NULL);
    uint32_t *words;
    void *mapped;
    MUST(vkBindBufferMemory(rig->device, whole, memory, 0));
    MUST(vkBindBufferMemory(rig->device, part, memory, OFFSET));
    MUST(vkMapMemory(rig->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    words = mapped;
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdFillBuffer(commands, whole, 0, VK_WHOLE_SIZE, 1);
    barrier(commands);
    vkCmdFillBuffer(commands, part, 0, 256, 2);
    barrier(commands);
    vkCmdCopyBuffer(commands, whole, part, 1, &(VkBufferCopy){OFFSET, 1024, 256});
    commands_run(rig, commands);
    check_filled("before", words, 1, OFFSET / 4);
    check_filled("the part's begin", words + OFFSET / 4, 2, 64);
    check_filled("between", words + OFFSET / 4 + 64, 1, 192);
    check_filled("what was copied from one to the other", words + OFFSET / 4 + 256, 2, 64);
    vkUnmapMemory(rig->device, memory);
    /* A part is mapped again. */
    MUST(vkMapMemory(rig->device, memory, OFFSET, 4096, 0, &mapped));
    check_filled("a part that is mapped", mapped, 2, 64);
}

/* ---- sparse ---- */

enum { PAGES = 8 };

static void copy_out(struct rig *rig, VkBuffer from, const struct buffer *to) {
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdCopyBuffer(commands, from, to->handle, 1, &(VkBufferCopy){0, 0, to->size});
    commands_run(rig, commands);
}

/* Pages are bound in another order than they lie in memory, and bound anew. */
void program_sparse_buffer(struct rig *rig) {
    VkSparseMemoryBind binds[PAGES];
    need_sparse_binding(rig);
    VkBuffer probe = bare_buffer(rig, 1, VK_BUFFER_CREATE_SPARSE_BINDING_BIT, NULL);
    const VkDeviceSize page = needs_of(rig, probe).alignment, size = page * PAGES;
    VkBuffer sparse = bare_buffer(rig, size, VK_BUFFER_CREATE_SPARSE_BINDING_BIT, NULL);
    VkMemoryRequirements needs = needs_of(rig, sparse);
    VkDeviceMemory memory = memory_new(rig, size, memory_type(rig, needs.memoryTypeBits, 0), NULL);
    VkBuffer flat = bare_buffer(rig, size, 0, NULL);
    struct buffer read = buffer_new(rig, size, 0);
    MUST(vkBindBufferMemory(rig->device, flat, memory, 0));
    for (uint32_t i = 0; i < PAGES; i++)
        binds[i] = (VkSparseMemoryBind){i * page, page, memory, (i * 3 + 1) % PAGES * page, 0};
    sparse_bind_buffer(rig, sparse, binds, PAGES);
    VkCommandBuffer commands = commands_begin(rig);
    for (uint32_t i = 0; i < PAGES; i++)
        vkCmdFillBuffer(commands, sparse, i * page, page, 100 + i);
    commands_run(rig, commands);
    copy_out(rig, flat, &read);
    for (uint32_t i = 0; i < PAGES; i++)
        check_filled("a page of the memory", read.words + (i * 3 + 1) % PAGES * page / 4, 100 + i, page / 4);
    for (uint32_t i = 0; i < PAGES; i++)
        binds[i].memoryOffset = i * page;
    sparse_bind_buffer(rig, sparse, binds, PAGES);
    copy_out(rig, sparse, &read);
    for (uint32_t i = 0; i < PAGES; i++)
        check_filled("a page that is bound anew", read.words + (i * 3 + 1) % PAGES * page / 4, 100 + i, page / 4);
}

/* Pages without memory may be read and written; what is written there is lost, and zeros are read if the device says so. */
void program_sparse_residency(struct rig *rig) {
    const VkBufferCreateFlags flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT;
    need_sparse_binding(rig);
    NEED(rig, core.features.sparseResidencyBuffer);
    VkBuffer probe = bare_buffer(rig, 1, flags, NULL);
    const VkDeviceSize page = needs_of(rig, probe).alignment, size = page * PAGES;
    VkBuffer sparse = bare_buffer(rig, size, flags, NULL);
    VkMemoryRequirements needs = needs_of(rig, sparse);
    VkDeviceMemory memory = memory_new(rig, page * 2, memory_type(rig, needs.memoryTypeBits, 0), NULL);
    struct buffer read = buffer_new(rig, size, 0);
    const VkSparseMemoryBind two[] = {{page, page, memory, page, 0}, {5 * page, page, memory, 0, 0}};
    sparse_bind_buffer(rig, sparse, two, 2);
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdFillBuffer(commands, sparse, 0, VK_WHOLE_SIZE, 0x1234);
    commands_run(rig, commands);
    copy_out(rig, sparse, &read);
    for (uint32_t i = 0; i < PAGES; i++)
        if (i == 1 || i == 5)
            check_filled("a page with memory", read.words + i * page / 4, 0x1234, page / 4);
        else if (rig->properties.sparseProperties.residencyNonResidentStrict)
            check_filled("a page without memory", read.words + i * page / 4, 0, page / 4);
    /* One loses its memory, another one gets it. */
    const VkSparseMemoryBind moved[] = {{page, page, NULL, 0, 0}, {2 * page, page, memory, page, 0}};
    sparse_bind_buffer(rig, sparse, moved, 2);
    copy_out(rig, sparse, &read);
    check_filled("the page that has it now", read.words + 2 * page / 4, 0x1234, page / 4);
    if (rig->properties.sparseProperties.residencyNonResidentStrict)
        check_filled("the page that had it", read.words + page / 4, 0, page / 4);
}

/* ---- export ---- */

static void export_and_import(struct rig *rig, VkExternalMemoryHandleTypeFlagBits type) {
    enum { SIZE = 0x10000 };
    const VkPhysicalDeviceExternalBufferInfo ask = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO, .usage = USUAL_USAGE, .handleType = type};
    VkExternalBufferProperties has = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    const VkExternalMemoryFeatureFlags both =
        VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
    need_extension(rig, "VK_KHR_external_memory_fd");
    NEED_CALL(rig, GetMemoryFdKHR);
    vkGetPhysicalDeviceExternalBufferProperties(rig->physical, &ask, &has);
    if ((has.externalMemoryProperties.externalMemoryFeatures & both) != both)
        skip_without("memory as a file of type %d", (int)type);
    const VkExternalMemoryBufferCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
                                                       .handleTypes = type};
    VkBuffer one = bare_buffer(rig, SIZE, 0, &external), other = bare_buffer(rig, SIZE, 0, &external);
    VkMemoryRequirements needs = needs_of(rig, one);
    const uint32_t kind = memory_type(rig, needs.memoryTypeBits, 0);
    const VkExportMemoryAllocateInfo exported = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                                 .handleTypes = type};
    VkDeviceMemory memory = memory_new(rig, needs.size, kind, &exported);
    VkMemoryGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = memory, .handleType = type};
    int file = -1;
    MUST(rig->call.GetMemoryFdKHR(rig->device, &get, &file));
    const VkImportMemoryFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, .handleType = type, .fd = file};
    VkDeviceMemory imported = memory_new(rig, needs.size, kind, &import);
    struct buffer read = buffer_new(rig, SIZE, 0);
    MUST(vkBindBufferMemory(rig->device, one, memory, 0));
    MUST(vkBindBufferMemory(rig->device, other, imported, 0));
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdFillBuffer(commands, one, 0, VK_WHOLE_SIZE, 0xfeedbeef);
    barrier(commands);
    vkCmdCopyBuffer(commands, other, read.handle, 1, &(VkBufferCopy){0, 0, SIZE});
    commands_run(rig, commands);
    check_filled("by the imported memory", read.words, 0xfeedbeef, SIZE / 4);
}

void program_memory_opaque_fd(struct rig *rig) {
    export_and_import(rig, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT);
}

void program_memory_dma_buf(struct rig *rig) {
    export_and_import(rig, VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT);
}

/* ---- beyond the end ---- */

/* Nothing outside of a buffer is read or written: zeros are read, or what the buffer has somewhere. */
void program_memory_robust(struct rig *rig) {
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER}};
    const uint32_t far = 0x01000001, offset = 1024;
    NEED(rig, core.features.robustBufferAccess);
    struct buffer small = buffer_new(rig, 64, 0), around = buffer_new(rig, 4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    struct buffer texels = buffer_new(rig, 64, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT),
                  results = buffer_new(rig, 192 * 4, 0);
    struct kernel kernel = kernel_new(
        rig, &(struct kernel_plan){
                 .shader = "out_of_bounds.comp", .bindings = bindings, .bindings_count = 4, .push_bytes = 4});
    for (uint32_t i = 0; i < 1024; i++)
        around.words[i] = 1000 + i;
    for (uint32_t i = 0; i < 16; i++)
        small.words[i] = texels.words[i] = 1 + i;
    put_range(rig, &kernel.descriptors, 0, 0, &around, 0, 64);
    put_range(rig, &kernel.descriptors, 1, 0, &around, offset, 256);
    put_buffer(rig, &kernel.descriptors, 2, 0, &results);
    put_texels(rig, &kernel.descriptors, 3, 0, buffer_view(rig, &texels, VK_FORMAT_R32_UINT));
    kernel_run(rig, &kernel, &far, 1, 1, 1);
    for (uint32_t i = 0; i < 64; i++) {
        check_word("a word", results.words[i], i < 16 ? 1000 + i : 0);
        check_word("a texel", results.words[128 + i], i < 16 ? 1 + i : 0);
        /* Memory after a range of 256 bytes may be that of the range rounded up, but no more than the buffer's. */
        if (i < 16)
            check_word("a constant", results.words[64 + i], 1000 + offset / 4 + 4 * i);
    }
    for (uint32_t i = 0; i < 1024; i++)
        check_word("a word of the buffer", around.words[i], 1000 + i);
}
