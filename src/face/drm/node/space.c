/* SPDX-License-Identifier: MIT */
#include "face/drm/node/space.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/vm.h"
#include "face/drm/node/buffer.h"

/* Sorted by address. */
struct mapped {
    uint64_t begin, end;
    struct drm_buffer *buffer;
};
struct region {
    uint64_t begin, end;
    bool fresh, leaves; /* operations of this job have mapped it, or unmapped it */
};

struct book {
    struct mapped *mapped;
    size_t mapped_count, mapped_room;
    struct region *regions;
    size_t region_count, region_room;
};

struct drm_space {
    uint64_t kernel_begin, kernel_end, serial;
    struct book book;
};

/* ---- the book ---- */

static void book_free(struct book *book) {
    for (size_t i = 0; i < book->mapped_count; i++)
        drm_buffer_unref(book->mapped[i].buffer);
    free(book->mapped);
    free(book->regions);
    *book = (struct book){0};
}

/* With room for what `more` operations may add: each splits one mapping, and adds one, or a region. */
static bool book_copy(const struct book *from, size_t more, struct book *to) {
    *to = (struct book){.mapped_room = from->mapped_count + 2 * more, .region_room = from->region_count + more};
    to->mapped = malloc((to->mapped_room + 1) * sizeof *to->mapped);
    to->regions = malloc((to->region_room + 1) * sizeof *to->regions);
    if (!to->mapped || !to->regions) {
        book_free(to);
        return false;
    }
    for (; to->mapped_count < from->mapped_count; to->mapped_count++) {
        to->mapped[to->mapped_count] = from->mapped[to->mapped_count];
        drm_buffer_ref(to->mapped[to->mapped_count].buffer);
    }
    for (; to->region_count < from->region_count; to->region_count++)
        to->regions[to->region_count] = from->regions[to->region_count];
    return true;
}

/* The first that ends above an address. */
static size_t space_first_above(const struct book *book, uint64_t address) {
    size_t low = 0, high = book->mapped_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (book->mapped[middle].end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void space_insert(struct book *book, size_t at, const struct mapped *mapped) {
    assert(book->mapped_count < book->mapped_room);
    memmove(&book->mapped[at + 1], &book->mapped[at], (book->mapped_count - at) * sizeof *mapped);
    book->mapped[at] = *mapped;
    book->mapped_count++;
    drm_buffer_ref(mapped->buffer);
}

/* Nothing of [begin, end) stays mapped: what crosses an end is cut. */
static void space_cut_out(struct book *book, uint64_t begin, uint64_t end) {
    assert(begin < end);
    size_t at = space_first_above(book, begin), last = at;
    if (at < book->mapped_count && book->mapped[at].begin < begin) {
        if (book->mapped[at].end > end) {
            const struct mapped rest = {end, book->mapped[at].end, book->mapped[at].buffer};
            space_insert(book, at + 1, &rest);
        }
        book->mapped[at++].end = begin;
        last = at;
    }
    for (; last < book->mapped_count && book->mapped[last].end <= end; last++)
        drm_buffer_unref(book->mapped[last].buffer);
    memmove(&book->mapped[at], &book->mapped[last], (book->mapped_count - last) * sizeof book->mapped[0]);
    book->mapped_count -= last - at;
    if (at < book->mapped_count && book->mapped[at].begin < end)
        book->mapped[at].begin = end;
}

static struct region *space_region_in(struct book *book, uint64_t begin, uint64_t end) {
    for (size_t i = 0; i < book->region_count; i++)
        if (book->regions[i].begin < end && begin < book->regions[i].end)
            return &book->regions[i];
    return NULL;
}

/* A mapping is in one region, or in none. */
static int space_check_region(struct book *book, uint64_t begin, uint64_t end) {
    const struct region *region = space_region_in(book, begin, end);
    if (!region)
        return 0;
    if (region->leaves)
        return -EINVAL;
    return region->begin > begin || region->end < end ? -ENOSPC : 0;
}

static int enter_map(struct book *book, const struct drm_bind *bind) {
    int status = space_check_region(book, bind->begin, bind->end);
    if (status)
        return status;
    space_cut_out(book, bind->begin, bind->end);
    const struct mapped mapped = {bind->begin, bind->end, bind->buffer};
    space_insert(book, space_first_above(book, bind->begin), &mapped);
    return 0;
}

/*
 * What was a region before this job is in the way even if the job unmaps it (bind_validate_map_common()); one of the
 * job itself is found later, and is EEXIST (nouveau_uvma_region_insert()).
 */
static int enter_map_sparse(struct book *book, const struct drm_bind *bind) {
    const struct region *other = space_region_in(book, bind->begin, bind->end);
    if (other && !other->fresh)
        return -ENOSPC;
    size_t at = space_first_above(book, bind->begin);
    if (at < book->mapped_count && book->mapped[at].begin < bind->end)
        return -ENOSPC;
    if (other)
        return -EEXIST;
    assert(book->region_count < book->region_room);
    book->regions[book->region_count++] = (struct region){bind->begin, bind->end, true, false};
    return 0;
}

static int enter_unmap_sparse(struct book *book, const struct drm_bind *bind) {
    struct region *region = space_region_in(book, bind->begin, bind->end);
    if (!region || region->leaves || region->begin != bind->begin || region->end != bind->end)
        return -ENOENT;
    space_cut_out(book, bind->begin, bind->end);
    region->leaves = true;
    return 0;
}

static int space_enter_one(struct book *book, const struct drm_bind *bind) {
    switch (bind->kind) {
    case DRM_BIND_MAP:
        return enter_map(book, bind);
    case DRM_BIND_MAP_SPARSE:
        return enter_map_sparse(book, bind);
    case DRM_BIND_UNMAP_SPARSE:
        return enter_unmap_sparse(book, bind);
    case DRM_BIND_UNMAP:
        space_cut_out(book, bind->begin, bind->end);
        return 0;
    case DRM_BIND_UNKNOWN:
    default:
        return -EINVAL;
    }
}

/* Mappings follow each other, and none is of nothing. */
static void space_end_job(struct book *book) {
    size_t kept = 0;
    assert(book->mapped_count <= book->mapped_room && book->region_count <= book->region_room);
    for (size_t i = 0; i < book->mapped_count; i++)
        assert(book->mapped[i].begin < book->mapped[i].end &&
               (i == 0 || book->mapped[i - 1].end <= book->mapped[i].begin));
    for (size_t i = 0; i < book->region_count; i++)
        if (!book->regions[i].leaves)
            book->regions[kept++] = (struct region){book->regions[i].begin, book->regions[i].end, false, false};
    book->region_count = kept;
}

int drm_space_enter(struct drm_space *space, const struct drm_bind *binds, uint32_t count) {
    struct book book;
    int status = 0;
    if (!book_copy(&space->book, count, &book))
        return -ENOMEM;
    for (uint32_t i = 0; i < count && status == 0; i++)
        status = space_enter_one(&book, &binds[i]);
    if (status) {
        book_free(&book);
        return status;
    }
    space_end_job(&book);
    book_free(&space->book);
    space->book = book;
    return 0;
}

struct drm_space *drm_space_new(uint64_t kernel_begin, uint64_t kernel_end, uint64_t serial) {
    assert(kernel_begin < kernel_end);
    struct drm_space *space = calloc(1, sizeof *space);
    if (space) {
        space->kernel_begin = kernel_begin;
        space->kernel_end = kernel_end;
        space->serial = serial;
    }
    return space;
}

void drm_space_free(struct drm_space *space) {
    if (space)
        book_free(&space->book);
    free(space);
}

uint64_t drm_space_serial(const struct drm_space *space) {
    return space->serial;
}

bool drm_space_has(const struct drm_space *space, uint64_t begin, uint64_t end) {
    return end <= space->kernel_begin || begin >= space->kernel_end;
}

bool drm_space_maps(const struct drm_space *space, const struct drm_buffer *buffer) {
    for (size_t i = 0; i < space->book.mapped_count; i++)
        if (space->book.mapped[i].buffer == buffer)
            return true;
    return false;
}

/* ---- page tables ---- */

static enum pfifo_status apply_map(struct pfifo_vm *vm, const struct drm_bind *bind, struct pfifo_error *error) {
    const struct pfifo_vm_map map = {.size = sizeof map,
                                     .buffer = bind->buffer->memory,
                                     .offset = bind->offset,
                                     .bytes = bind->end - bind->begin,
                                     .address = bind->begin,
                                     .page_bytes = PFIFO_VM_PAGE_BYTES,
                                     .kind = bind->page_kind,
                                     .flags = PFIFO_VM_FIXED};
    enum pfifo_status status = pfifo_private_vm_clear(vm, bind->begin, map.bytes, error);
    return status == PFIFO_OK && !bind->no_pages ? pfifo_vm_map(vm, &map, NULL, error) : status;
}

static enum pfifo_status apply_one(struct pfifo_vm *vm, const struct drm_bind *bind, struct pfifo_error *error) {
    const uint64_t bytes = bind->end - bind->begin;
    const struct pfifo_vm_range range = {
        .size = sizeof range, .address = bind->begin, .bytes = bytes, .flags = PFIFO_VM_FIXED | PFIFO_VM_SPARSE};
    if (bind->kind == DRM_BIND_MAP)
        return apply_map(vm, bind, error);
    if (bind->kind == DRM_BIND_MAP_SPARSE)
        return pfifo_vm_reserve(vm, &range, NULL, error);
    enum pfifo_status status = pfifo_private_vm_clear(vm, bind->begin, bytes, error);
    if (status == PFIFO_OK && bind->kind == DRM_BIND_UNMAP_SPARSE)
        status = pfifo_vm_release(vm, bind->begin, error);
    return status;
}

int drm_space_apply(struct drm_file *file, const struct drm_bind *binds, uint32_t count) {
    int status = 0;
    drm_tell_leaves(file->device);
    for (uint32_t i = 0; i < count; i++) {
        struct pfifo_error error;
        if (apply_one(file->vm, &binds[i], &error) == PFIFO_OK)
            continue;
        drm_log(file->device, "bind job failed: %s", error.message);
        status = status ? status : drm_memory_errno(&error);
    }
    return status;
}
