/* SPDX-License-Identifier: MIT */
#include "memory/copy.h"

#include "memory/memory.h"
#include "memory/translate.h"

#include <string.h>

static void copy_used(const struct memory_own *own, uint8_t *to, uint64_t address, uint64_t bytes) {
    const uint64_t end = address + bytes;
    for (uint64_t next; address < end; to += next - address, address = next) {
        next = memory_next_used(own->used, address, end, true);
        if (next > address) {
            memset(to, 0, next - address);
            continue;
        }
        next = memory_next_used(own->used, address, end, false);
        memcpy(to, own->data + address, next - address);
    }
}

void memory_copy(struct memory *memory, uint8_t *to, const uint8_t *from, uint64_t bytes) {
    static const enum memory_target targets[] = {MEMORY_VRAM, MEMORY_SYSTEM};
    for (unsigned i = 0; bytes >= MEMORY_CHUNK && i < sizeof targets / sizeof targets[0]; i++) {
        const struct memory_own own = memory_own(memory, targets[i]);
        const uintptr_t address = (uintptr_t)from - (uintptr_t)own.data;
        if (own.data && address < own.bytes) {
            copy_used(&own, to, address, bytes);
            return;
        }
    }
    memcpy(to, from, bytes);
}
