/* SPDX-License-Identifier: MIT */
/* Where the program has mapped buffers, so that its mappings can follow those that move. */
#undef _FILE_OFFSET_BITS
#include "face/drm/shim/shim.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Of a buffer of this process. */
struct mapping {
    struct mapping *next;
    uint8_t *address;
    size_t bytes;
    int protection, flags;
    struct drm_memory memory;
};

static struct mapping *mappings; /* guarded by the lock of device.c */
static atomic_bool any;          /* there has been one: only then munmap() has to look */

static void *map_really(void *address, size_t bytes, int protection, int flags, const struct drm_memory *memory) {
    return REAL(mmap64)(address, bytes, protection, flags, memory->fd, (off64_t)memory->offset);
}

static void mappings_enter(uint8_t *address, size_t bytes, int protection, int flags, const struct drm_memory *memory) {
    struct mapping *mapping = malloc(sizeof *mapping);
    if (!mapping)
        return; /* it works as long as the buffer does not move */
    *mapping = (struct mapping){mappings, address, bytes, protection, flags, *memory};
    mappings = mapping;
    atomic_store(&any, true);
}

/* What is left of a mapping after a hole in it is a mapping of its own. */
static void mappings_split(struct mapping *mapping, uint8_t *begin, uint8_t *end) {
    uint8_t *last = mapping->address + mapping->bytes;
    struct drm_memory rest = mapping->memory;
    if (last > end) {
        rest.offset += (uint64_t)(end - mapping->address);
        mappings_enter(end, (size_t)(last - end), mapping->protection, mapping->flags, &rest);
    }
    mapping->bytes = begin > mapping->address ? (size_t)(begin - mapping->address) : 0;
}

/* Nothing of ours is in the range any more. */
static void mappings_forget(uint8_t *begin, size_t bytes) {
    for (struct mapping **at = &mappings; *at;) {
        struct mapping *mapping = *at;
        if (begin < mapping->address + mapping->bytes && mapping->address < begin + bytes)
            mappings_split(mapping, begin, begin + bytes);
        if (mapping->bytes) {
            at = &mapping->next;
            continue;
        }
        /* The new piece, if there is one, is at the head of the list: find this one again. */
        for (at = &mappings; *at != mapping; at = &(*at)->next)
            ;
        *at = mapping->next;
        free(mapping);
    }
}

void mappings_moved(void *opaque, const struct drm_memory *from, const struct drm_memory *to) {
    (void)opaque;
    for (struct mapping *mapping = mappings; mapping; mapping = mapping->next) {
        struct drm_memory *memory = &mapping->memory;
        if (memory->fd != from->fd || memory->offset < from->offset || memory->offset - from->offset >= from->bytes)
            continue;
        memory->fd = to->fd;
        memory->offset = to->offset + (memory->offset - from->offset);
        map_really(mapping->address, mapping->bytes, mapping->protection, mapping->flags | MAP_FIXED, memory);
    }
}

/* ---- mmap() ---- */

static void *map_ours(void *address, size_t bytes, int protection, int flags, int fd, uint64_t offset) {
    struct stat as;
    struct drm_memory memory = {fd, offset, bytes};
    if (REAL(fstat)(fd, &as) != 0)
        return map_really(address, bytes, protection, flags, &memory);
    int status = files_map(&as, offset, bytes, &memory);
    if (status == -ENOTTY)
        return map_really(address, bytes, protection, flags, &memory);
    if (status) {
        errno = -status;
        return MAP_FAILED;
    }
    void *mapped = map_really(address, bytes, protection, flags, &memory);
    if (mapped != MAP_FAILED)
        mappings_enter(mapped, bytes, protection, flags, &memory);
    return mapped;
}

SHIM void *mmap64(void *address, size_t bytes, int protection, int flags, int fd, off64_t offset) {
    const bool file = fd >= 0 && !(flags & MAP_ANONYMOUS) && (flags & MAP_TYPE) != MAP_PRIVATE;
    const bool over = (flags & MAP_FIXED) && atomic_load_explicit(&any, memory_order_relaxed);
    if (!(file || over) || !shim_enter())
        return REAL(mmap64)(address, bytes, protection, flags, fd, offset);
    if (over)
        mappings_forget(address, bytes);
    void *mapped = file ? map_ours(address, bytes, protection, flags, fd, (uint64_t)offset)
                        : REAL(mmap64)(address, bytes, protection, flags, fd, offset);
    shim_leave();
    return mapped;
}

SHIM void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset) {
    return mmap64(address, bytes, protection, flags, fd, offset);
}

SHIM int munmap(void *address, size_t bytes) {
    if (!atomic_load_explicit(&any, memory_order_relaxed) || !shim_enter())
        return REAL(munmap)(address, bytes);
    int status = REAL(munmap)(address, bytes);
    if (status == 0)
        mappings_forget(address, bytes);
    shim_leave();
    return status;
}
