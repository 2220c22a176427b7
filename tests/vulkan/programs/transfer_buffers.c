/* SPDX-License-Identifier: MIT */
/* Buffers are updated and copied, at any byte that is allowed. */
#include <string.h>

#include "vulkan/programs/programs.h"

enum { BYTES = 70000, UPDATE = 65536 };

/* Up to 65536 bytes come with the commands. */
void program_transfer_update(struct rig *rig) {
    static const uint32_t updates[][2] = {{0, 4}, {8, 12}, {100, 65536}, {65700, 128}, {69996, 4}};
    struct buffer updated = buffer_new(rig, BYTES, 0);
    uint8_t *wanted = keep_bytes(rig, BYTES), *bytes = keep_bytes(rig, UPDATE);
    memset(wanted, UNTOUCHED, BYTES);
    VkCommandBuffer commands = commands_begin(rig);
    for (uint32_t i = 0; i < COUNT(updates); i++) {
        scramble(bytes, updates[i][1], i);
        vkCmdUpdateBuffer(commands, updated.handle, updates[i][0], updates[i][1], bytes);
        barrier(commands);
        memcpy(wanted + updates[i][0], bytes, updates[i][1]);
    }
    /* The bytes are those that were there when the command was recorded. */
    memset(bytes, 0, UPDATE);
    commands_run(rig, commands);
    check_bytes("updated", updated.bytes, wanted, BYTES);
}

static const VkBufferCopy copies[] = {{0, 0, 1},        {3, 5, 3},        {1000, 2000, 1023},
                                      {17, 4096, 4099}, {9999, 10001, 4}, {20000, 30001, 33000},
                                      {69999, 69999, 1}};

void program_transfer_copy_buffer(struct rig *rig) {
    struct buffer from = buffer_new(rig, BYTES, 0), to = buffer_new(rig, BYTES, 0);
    struct buffer local = buffer_new_local(rig, BYTES, 0), back = buffer_new(rig, BYTES, 0);
    uint8_t *wanted = keep_bytes(rig, BYTES);
    const VkBufferCopy whole = {0, 0, BYTES}, within = {100, 40000, 7777};
    scramble(from.bytes, BYTES, 11);
    memset(wanted, UNTOUCHED, BYTES);
    for (size_t i = 0; i < COUNT(copies); i++)
        memcpy(wanted + copies[i].dstOffset, (uint8_t *)from.bytes + copies[i].srcOffset, copies[i].size);
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdCopyBuffer(commands, from.handle, to.handle, COUNT(copies), copies);
    vkCmdCopyBuffer(commands, from.handle, local.handle, 1, &whole);
    barrier(commands);
    vkCmdCopyBuffer(commands, local.handle, local.handle, 1, &within);
    barrier(commands);
    vkCmdCopyBuffer(commands, local.handle, back.handle, 1, &whole);
    commands_run(rig, commands);
    check_bytes("regions", to.bytes, wanted, BYTES);
    memcpy(wanted, from.bytes, BYTES);
    memcpy(wanted + within.dstOffset, wanted + within.srcOffset, within.size);
    check_bytes("by memory of the device", back.bytes, wanted, BYTES);
}

/* The same by the calls of VK_KHR_copy_commands2. */
void program_transfer_copy2(struct rig *rig) {
    struct buffer from = buffer_new(rig, BYTES, 0), to = buffer_new(rig, BYTES, 0);
    uint8_t *wanted = keep_bytes(rig, BYTES);
    VkBufferCopy2 regions[COUNT(copies)];
    NEED_CALL(rig, CmdCopyBuffer2);
    scramble(from.bytes, BYTES, 12);
    memset(wanted, UNTOUCHED, BYTES);
    for (size_t i = 0; i < COUNT(copies); i++) {
        regions[i] = (VkBufferCopy2){.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2,
                                     .srcOffset = copies[i].srcOffset,
                                     .dstOffset = copies[i].dstOffset,
                                     .size = copies[i].size};
        memcpy(wanted + copies[i].dstOffset, (uint8_t *)from.bytes + copies[i].srcOffset, copies[i].size);
    }
    const VkCopyBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                                    .srcBuffer = from.handle,
                                    .dstBuffer = to.handle,
                                    .regionCount = COUNT(regions),
                                    .pRegions = regions};
    VkCommandBuffer commands = commands_begin(rig);
    rig->call.CmdCopyBuffer2(commands, &info);
    commands_run(rig, commands);
    check_bytes("regions", to.bytes, wanted, BYTES);
}
