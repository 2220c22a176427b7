/* SPDX-License-Identifier: MIT */
/*
 * nvhost-as-gpu: address spaces. Which addresses are taken is kept here; the pages are in page tables of the machine,
 * which pfifo/vm.h writes. After `end` the driver has addresses for the channels' rings.
 *
 * UNKNOWN: a mapping with flags that no source names; chosen: they are ignored.
 * Sources: libnx nx/source/nvidia/{address_space.c,ioctl/nvhost-as-gpu.c}; switchbrew NV services; emulators.
 */
#include "nvgpu/record.h"
#include "nvgpu/save.h"

#include <assert.h>
#include <stdlib.h>

#define BIG_PAGE_DEFAULT 0x20000u
#define SPLIT_DEFAULT    (UINT64_C(1) << 34)
#define END_DEFAULT      (UINT64_C(1) << 37)
#define END_MOST         (UINT64_C(1) << 39)
#define RINGS            (UINT64_C(1) << 32) /* addresses of the driver, after the end */

#define SPACE_FIXED    1u
#define SPACE_SPARSE   2u
#define MAP_FIXED      1u
#define MAP_MODIFY     0x100u
#define KIND_OF_OBJECT UINT32_MAX

struct space_file {
    struct nvgpu_as *as;
};

/* Also before INITIALIZE, if a channel is bound to it. NULL: neither has happened. */
static struct nvgpu_as *any_of(const struct nvgpu_file *file) {
    return ((const struct space_file *)file->state)->as;
}

/* NULL: it is not initialised. */
static struct nvgpu_as *as_of(const struct nvgpu_file *file) {
    struct nvgpu_as *as = any_of(file);
    return as && as->vm ? as : NULL;
}

/* What an error of the machine's driver is here. */
static enum pfifo_nvgpu_result space_result_of(enum pfifo_status status) {
    return status == PFIFO_OK             ? PFIFO_NVGPU_OK
           : status == PFIFO_ERROR_MEMORY ? PFIFO_NVGPU_INSUFFICIENT_MEMORY
                                          : PFIFO_NVGPU_BAD_VALUE;
}

/* ---- making and ending ---- */

void nvgpu_as_release(struct nvgpu_as *as) {
    assert(!as || as->references);
    if (!as || --as->references)
        return;
    record_space_end(as);
    for (uint32_t i = 0; i < as->mappings.count; i++)
        nvgpu_object_unmapped(as->nvgpu, as->mappings.range[i].object);
    pfifo_vm_free(as->vm, NULL);
    free(as->mappings.range);
    free(as->spaces.range);
    free(as);
}

static void close_space(struct nvgpu_file *file) {
    nvgpu_as_release(any_of(file));
}

/* The file's space, made when it is first wanted. NULL: no memory. */
static struct nvgpu_as *want(const struct nvgpu_file *file) {
    struct space_file *space = file->state;
    if (!space->as && (space->as = calloc(1, sizeof *space->as)))
        *space->as = (struct nvgpu_as){.references = 1, .nvgpu = file->client->nvgpu};
    return space->as;
}

static enum pfifo_nvgpu_result space_make(struct nvgpu_file *file, uint32_t big_page, uint64_t start, uint64_t split,
                                          uint64_t end) {
    if (as_of(file))
        return PFIFO_NVGPU_INVALID_STATE;
    big_page = big_page ? big_page : BIG_PAGE_DEFAULT;
    if (big_page != 0x10000 && big_page != 0x20000)
        return PFIFO_NVGPU_BAD_VALUE;
    if (!start) {
        start = (uint64_t)big_page << 10;
        split = SPLIT_DEFAULT;
        end = END_DEFAULT;
    }
    uint64_t all = start | split | end;
    if (all % big_page || start >= split || split >= end || end > END_MOST)
        return PFIFO_NVGPU_BAD_VALUE;
    struct nvgpu_as *as = want(file);
    const struct pfifo_vm_config config = {sizeof config, start, end + RINGS - start, big_page};
    if (as)
        as->vm = pfifo_vm_new(as->nvgpu->device, &config, NULL);
    if (!as || !as->vm)
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    record_space(as, &config);
    as->big_page = big_page;
    as->start = start;
    as->split = split;
    as->end = end;
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result initialize_ex(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    return space_make(file, frame_u32(frame, 8), frame_u64(frame, 16), frame_u64(frame, 32), frame_u64(frame, 24));
}

static enum pfifo_nvgpu_result initialize(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    return space_make(file, frame_u32(frame, 0), 0, 0, 0);
}

/* Also before INITIALIZE, unlike all other calls: only the channel's ring wants a space that is ready. */
static enum pfifo_nvgpu_result bind_channel(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct nvgpu_file *channel = nvgpu_file_of(file->client, (int32_t)frame_u32(frame, 0), &nvgpu_channel);
    struct nvgpu_as *as = channel ? want(file) : NULL;
    if (!channel)
        return PFIFO_NVGPU_BAD_VALUE;
    return as ? nvgpu_channel_bind(channel, as) : PFIFO_NVGPU_INSUFFICIENT_MEMORY;
}

/* ---- regions ---- */

static void set_region(uint8_t *at, uint64_t start, uint64_t end, uint32_t page_bytes) {
    store_le64(at, start);
    store_le32(at + 8, page_bytes);
    store_le32(at + 12, 0);
    store_le64(at + 16, (end - start) / page_bytes);
}

/* Also into the second buffer. */
static enum pfifo_nvgpu_result get_va_regions(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    enum { BYTES = 48 };
    const struct nvgpu_as *as = as_of(file);
    const struct pfifo_nvgpu_call *call = frame->call;
    if (!as)
        return PFIFO_NVGPU_BAD_VALUE;
    frame_set_u32(frame, 8, BYTES);
    set_region(frame->data + 16, as->start, as->split, NVGPU_PAGE);
    set_region(frame->data + 40, as->split, as->end, as->big_page);
    if (call->second_out)
        memcpy(call->second_out, frame->data + 16, call->second_out_bytes < BYTES ? call->second_out_bytes : BYTES);
    return PFIFO_NVGPU_OK;
}

/* ---- spaces ---- */

static uint64_t space_end_of(const struct nvgpu_range *range) {
    return range->address + range->bytes;
}

static bool is_page(const struct nvgpu_as *as, uint32_t page_bytes) {
    return page_bytes == NVGPU_PAGE || page_bytes == as->big_page;
}

/* Where a range of such pages may be. */
static bool space_find_place(const struct nvgpu_as *as, uint32_t page_bytes, uint64_t bytes, uint64_t align,
                             uint64_t *address) {
    bool small = page_bytes < as->big_page;
    assert(is_page(as, page_bytes));
    return ranges_find(&as->spaces, &as->mappings, small ? as->start : as->split, small ? as->split : as->end, bytes,
                       align > page_bytes ? align : page_bytes, address);
}

static enum pfifo_nvgpu_result place_space(const struct nvgpu_as *as, struct nvgpu_range *range, uint32_t flags,
                                           uint64_t align) {
    if (!(flags & SPACE_FIXED)) {
        if (align & (align - 1))
            return PFIFO_NVGPU_BAD_VALUE;
        return space_find_place(as, range->page_bytes, range->bytes, align, &range->address)
                   ? PFIFO_NVGPU_OK
                   : PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    }
    range->address = align;
    if (align % range->page_bytes || align < as->start || range->bytes > as->end || align > as->end - range->bytes ||
        ranges_meet(&as->spaces, align, range->bytes) || ranges_meet(&as->mappings, align, range->bytes))
        return PFIFO_NVGPU_BAD_VALUE;
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result alloc_space(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct nvgpu_as *as = as_of(file);
    uint32_t pages = frame_u32(frame, 0), flags = frame_u32(frame, 8);
    struct nvgpu_range range = {.page_bytes = frame_u32(frame, 4), .sparse = flags & SPACE_SPARSE};
    if (!as || !pages || !is_page(as, range.page_bytes))
        return PFIFO_NVGPU_BAD_VALUE;
    if (range.sparse && range.page_bytes != as->big_page)
        return PFIFO_NVGPU_NOT_IMPLEMENTED;
    range.bytes = (uint64_t)pages * range.page_bytes;
    enum pfifo_nvgpu_result result = place_space(as, &range, flags, frame_u64(frame, 16));
    if (result == PFIFO_NVGPU_OK && range.sparse) {
        const struct pfifo_vm_range sparse = {sizeof sparse, range.address, range.bytes, 0,
                                              PFIFO_VM_FIXED | PFIFO_VM_SPARSE};
        result = space_result_of(pfifo_vm_reserve(as->vm, &sparse, NULL, NULL));
    }
    if (result != PFIFO_NVGPU_OK)
        return result;
    if (!ranges_add(&as->spaces, &range)) {
        if (range.sparse)
            pfifo_vm_release(as->vm, range.address, NULL);
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    }
    if (range.sparse)
        record_sparse(as, range.address, range.bytes, true);
    frame_set_u64(frame, 16, range.address);
    return PFIFO_NVGPU_OK;
}

/* ---- mappings ---- */

/* A mapping, or a part of it, goes. */
static void unmap_pages(struct nvgpu_as *as, const struct nvgpu_range *range, uint64_t address, uint64_t bytes) {
    uint64_t end = range->address + range->mapped;
    assert(address >= range->address && range->mapped <= range->bytes);
    if (address >= end)
        return;
    bytes = bytes < end - address ? bytes : end - address;
    if (pfifo_vm_unmap(as->vm, address, bytes, NULL) == PFIFO_OK)
        record_unmap(as, address, bytes);
}

static void space_remove_mapping(struct nvgpu_as *as, struct nvgpu_range *range) {
    struct nvgpu_object *object = range->object;
    unmap_pages(as, range, range->address, range->bytes);
    ranges_remove(&as->mappings, range);
    nvgpu_object_unmapped(as->nvgpu, object);
}

static enum pfifo_nvgpu_result free_space(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct nvgpu_as *as = as_of(file);
    uint64_t address = frame_u64(frame, 0), bytes = (uint64_t)frame_u32(frame, 8) * frame_u32(frame, 12);
    const struct nvgpu_range *space = as ? ranges_at(&as->spaces, address) : NULL;
    if (!space || space->address != address || space->bytes != bytes || space->page_bytes != frame_u32(frame, 12))
        return PFIFO_NVGPU_BAD_VALUE;
    for (struct nvgpu_range *range; (range = ranges_first(&as->mappings, address, bytes));)
        space_remove_mapping(as, range);
    if (space->sparse && pfifo_vm_release(as->vm, address, NULL) == PFIFO_OK)
        record_sparse(as, address, bytes, false);
    ranges_remove(&as->spaces, space);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result unmap_buffer(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct nvgpu_as *as = as_of(file);
    uint64_t address = frame_u64(frame, 0);
    struct nvgpu_range *range = as ? ranges_at(&as->mappings, address) : NULL;
    if (!as)
        return PFIFO_NVGPU_BAD_VALUE;
    if (range && range->address == address)
        space_remove_mapping(as, range);
    return PFIFO_NVGPU_OK;
}

static void tell_cached(const struct pfifo_nvgpu_client *client, const struct nvgpu_object *object, uint32_t handle) {
    const struct pfifo_nvgpu_config *config = &client->nvgpu->config;
    if (object->cached && config->cached)
        config->cached(config->opaque, client->memory.process, handle, object->address);
}

/* What is to be mapped, and where. */
struct request {
    uint32_t handle, kind, flags, page_bytes;
    uint64_t offset, bytes, address;
};

static uint64_t space_whole_pages(uint64_t bytes, uint32_t page_bytes) {
    return (bytes + page_bytes - 1) & ~(uint64_t)(page_bytes - 1);
}

static enum pfifo_nvgpu_result place_mapping(const struct nvgpu_as *as, struct nvgpu_range *range,
                                             const struct request *request) {
    if (!(request->flags & MAP_FIXED))
        return space_find_place(as, range->page_bytes, range->bytes, 0, &range->address)
                   ? PFIFO_NVGPU_OK
                   : PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    const struct nvgpu_range *space = ranges_at(&as->spaces, request->address);
    range->address = request->address;
    if (!space || space->page_bytes < range->page_bytes) {
        range->page_bytes = NVGPU_PAGE;
        range->bytes = range->mapped;
    }
    if (!space || request->address % range->page_bytes || range->bytes > space_end_of(space) - range->address ||
        ranges_meet(&as->mappings, range->address, range->bytes))
        return PFIFO_NVGPU_BAD_VALUE;
    return PFIFO_NVGPU_OK;
}

/* The page size that is used: as asked for; else a big one, if the object's alignment allows it. */
static uint32_t space_page_of(const struct nvgpu_as *as, const struct nvgpu_object *object, uint32_t asked) {
    return asked ? asked : object->align % as->big_page == 0 ? as->big_page : NVGPU_PAGE;
}

static enum pfifo_nvgpu_result map_pages(struct nvgpu_as *as, const struct nvgpu_range *range, uint64_t offset,
                                         uint32_t kind) {
    const struct pfifo_vm_map map = {.size = sizeof map,
                                     .buffer = range->object->buffer,
                                     .offset = offset,
                                     .bytes = range->mapped,
                                     .address = range->address,
                                     .page_bytes = range->page_bytes,
                                     .kind = kind == KIND_OF_OBJECT ? range->object->kind : kind,
                                     .flags = PFIFO_VM_FIXED};
    enum pfifo_status status = pfifo_vm_map(as->vm, &map, NULL, NULL);
    if (status == PFIFO_OK)
        record_map(as, &map);
    return space_result_of(status);
}

/* Both sizes and addresses come back. */
static enum pfifo_nvgpu_result map_object(struct nvgpu_file *file, struct request *request) {
    struct nvgpu_as *as = as_of(file);
    struct nvgpu_object *object = nvgpu_object_of(file->client, request->handle);
    struct nvgpu_range range = {.object = object};
    if (!as || !object || !object->allocated || (request->page_bytes && !is_page(as, request->page_bytes)) ||
        request->offset % NVGPU_PAGE || request->offset >= object->bytes ||
        request->bytes > object->bytes - request->offset)
        return PFIFO_NVGPU_BAD_VALUE;
    range.page_bytes = space_page_of(as, object, request->page_bytes);
    range.mapped = request->bytes ? space_whole_pages(request->bytes, NVGPU_PAGE) : object->bytes - request->offset;
    range.bytes = space_whole_pages(range.mapped, range.page_bytes);
    assert(range.mapped && range.mapped <= object->bytes);
    enum pfifo_nvgpu_result result = place_mapping(as, &range, request);
    if (result == PFIFO_NVGPU_OK)
        result = map_pages(as, &range, request->offset, request->kind);
    if (result != PFIFO_NVGPU_OK)
        return result;
    if (!ranges_add(&as->mappings, &range)) {
        unmap_pages(as, &range, range.address, range.bytes);
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    }
    nvgpu_object_mapped(object);
    tell_cached(file->client, object, request->handle);
    request->page_bytes = range.page_bytes;
    request->address = range.address;
    return PFIFO_NVGPU_OK;
}

/* Another kind for a part of a mapping: `address` is where the mapping begins. */
static enum pfifo_nvgpu_result modify(const struct nvgpu_as *as, const struct request *request) {
    const struct nvgpu_range *range = as ? ranges_at(&as->mappings, request->address) : NULL;
    if (!range || range->address != request->address || request->offset > range->bytes ||
        request->bytes > range->bytes - request->offset)
        return PFIFO_NVGPU_BAD_VALUE;
    uint64_t left = request->offset < range->mapped ? range->mapped - request->offset : 0;
    const struct pfifo_vm_map map = {.size = sizeof map,
                                     .bytes = request->bytes && request->bytes < left ? request->bytes : left,
                                     .address = range->address + request->offset,
                                     .page_bytes = range->page_bytes,
                                     .kind = request->kind == KIND_OF_OBJECT ? range->object->kind : request->kind,
                                     .flags = PFIFO_VM_FIXED};
    enum pfifo_status status = map.bytes ? pfifo_vm_remap(as->vm, &map, NULL) : PFIFO_OK;
    if (status == PFIFO_OK && map.bytes)
        record_remap(as, &map);
    return space_result_of(status);
}

static enum pfifo_nvgpu_result map_buffer_ex(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct request request = {.flags = frame_u32(frame, 0),
                              .kind = frame_u32(frame, 4),
                              .handle = frame_u32(frame, 8),
                              .page_bytes = frame_u32(frame, 12),
                              .offset = frame_u64(frame, 16),
                              .bytes = frame_u64(frame, 24),
                              .address = frame_u64(frame, 32)};
    if (request.flags & MAP_MODIFY)
        return modify(as_of(file), &request);
    enum pfifo_nvgpu_result result = map_object(file, &request);
    if (result != PFIFO_NVGPU_OK)
        return result;
    frame_set_u32(frame, 12, request.page_bytes);
    frame_set_u64(frame, 32, request.address);
    return PFIFO_NVGPU_OK;
}

/* The older form, with an alignment or the address at the end. */
static enum pfifo_nvgpu_result space_map_buffer(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct request request = {.flags = frame_u32(frame, 0) & MAP_FIXED,
                              .kind = KIND_OF_OBJECT,
                              .handle = frame_u32(frame, 8),
                              .page_bytes = frame_u32(frame, 12),
                              .address = frame_u64(frame, 16)};
    enum pfifo_nvgpu_result result = map_object(file, &request);
    if (result != PFIFO_NVGPU_OK)
        return result;
    frame_set_u32(frame, 12, request.page_bytes);
    frame_set_u64(frame, 16, request.address);
    return PFIFO_NVGPU_OK;
}

/* ---- sparse spaces ---- */

/* Cut a range of addresses out of what is mapped. False: no memory. */
static bool space_cut(struct nvgpu_as *as, uint64_t address, uint64_t bytes) {
    for (struct nvgpu_range *range; (range = ranges_first(&as->mappings, address, bytes));) {
        struct nvgpu_range before = *range, behind = *range;
        uint64_t end = address + bytes, mapped_end = range->address + range->mapped;
        uint64_t from = range->address > address ? range->address : address;
        before.bytes = from - range->address;
        before.mapped = before.mapped < before.bytes ? before.mapped : before.bytes;
        behind.address = end;
        behind.bytes = space_end_of(range) > end ? space_end_of(range) - end : 0;
        behind.mapped = mapped_end > end ? mapped_end - end : 0;
        unmap_pages(as, range, from, (space_end_of(range) < end ? space_end_of(range) : end) - from);
        ranges_remove(&as->mappings, range);
        if ((before.bytes && !ranges_add(&as->mappings, &before)) ||
            (behind.bytes && !ranges_add(&as->mappings, &behind)))
            return false;
        if (before.bytes && behind.bytes)
            nvgpu_object_mapped(before.object);
        else if (!before.bytes && !behind.bytes)
            nvgpu_object_unmapped(as->nvgpu, before.object);
    }
    return true;
}

/* An entry: u16 flags, u16 kind, u32 handle, and in big pages: offset in it, address, count. */
static enum pfifo_nvgpu_result remap_one(struct nvgpu_file *file, const uint8_t *entry) {
    struct nvgpu_as *as = as_of(file);
    uint32_t handle = load_le32(entry + 4), kind = load_le32(entry) >> 16;
    uint64_t offset = (uint64_t)load_le32(entry + 8) * as->big_page;
    struct nvgpu_range range = {.address = (uint64_t)load_le32(entry + 12) * as->big_page,
                                .bytes = (uint64_t)load_le32(entry + 16) * as->big_page,
                                .page_bytes = as->big_page};
    const struct nvgpu_range *space = ranges_at(&as->spaces, range.address);
    if (!range.bytes || !space || !space->sparse || range.bytes > space_end_of(space) - range.address)
        return PFIFO_NVGPU_BAD_VALUE;
    range.object = handle ? nvgpu_object_of(file->client, handle) : NULL;
    if (handle && (!range.object || !range.object->allocated || offset >= range.object->bytes))
        return PFIFO_NVGPU_BAD_VALUE;
    if (!space_cut(as, range.address, range.bytes))
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    if (!handle)
        return PFIFO_NVGPU_OK;
    range.mapped = range.object->bytes - offset < range.bytes ? range.object->bytes - offset : range.bytes;
    enum pfifo_nvgpu_result result = map_pages(as, &range, offset, kind == 0xffff ? KIND_OF_OBJECT : kind);
    if (result != PFIFO_NVGPU_OK)
        return result;
    if (!ranges_add(&as->mappings, &range)) {
        unmap_pages(as, &range, range.address, range.bytes);
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    }
    nvgpu_object_mapped(range.object);
    tell_cached(file->client, range.object, handle);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result remap(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    enum { ENTRY = 20 };
    if (!as_of(file))
        return PFIFO_NVGPU_BAD_VALUE;
    for (uint32_t at = 0; at + ENTRY <= frame->bytes; at += ENTRY) {
        enum pfifo_nvgpu_result result = remap_one(file, frame->data + at);
        if (result != PFIFO_NVGPU_OK)
            return result;
    }
    return PFIFO_NVGPU_OK;
}

/* ---- saved and loaded ---- */

NVGPU_SAVES(struct space_file, 8);

static void state_space(struct nvgpu_file *file, struct nvgpu_save *save) {
    nvgpu_state_space(save, &((struct space_file *)file->state)->as);
}

static bool link_space(struct nvgpu_file *file, enum nvgpu_link link) {
    return nvgpu_link_space(any_of(file), link);
}

/* UNKNOWN: what MAP_BUFFER_EX2 (0x0a, 56 bytes) does beyond MAP_BUFFER_EX; chosen: refused. No program here sends it.
 */
static const struct nvgpu_row rows[] = {
    {0x41, 0x01, 4, 0, bind_channel},   {0x41, 0x02, 24, 0, alloc_space},
    {0x41, 0x03, 16, 0, free_space},    {0x41, 0x04, 24, 0, space_map_buffer},
    {0x41, 0x05, 8, 0, unmap_buffer},   {0x41, 0x06, 40, 0, map_buffer_ex},
    {0x41, 0x07, 16, 0, initialize},    {0x41, 0x08, 64, 0, get_va_regions},
    {0x41, 0x09, 40, 0, initialize_ex}, {0x41, 0x0a, 56, 0, NULL},
    {0x41, 0x14, 0, 20, remap},
};

const struct nvgpu_device nvgpu_space = {.path = "/dev/nvhost-as-gpu",
                                         .rows = rows,
                                         .row_count = sizeof rows / sizeof rows[0],
                                         .bytes = sizeof(struct space_file),
                                         .close = close_space,
                                         .state = state_space,
                                         .space = any_of,
                                         .link = link_space};
