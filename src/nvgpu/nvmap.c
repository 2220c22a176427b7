/* SPDX-License-Identifier: MIT */
/*
 * nvmap: pieces of a program's memory that the GPU may be given. Handles are numbers that all clients share, so that
 * one can hand an object to another by its id, which is the handle; who has no reference cannot use it.
 *
 * UNKNOWN: whether an id that nobody asked for can be opened by another client; chosen: it cannot. UNKNOWN: what FREE
 * answers (the sources differ); chosen: the address and flags 0 when the last handle is gone, else 0 and flag 1.
 * Sources: libnx nx/source/nvidia/{map.c,ioctl/nvmap.c}; switchbrew NV services; emulators where these are silent.
 */
#include "nvgpu/record.h"
#include "nvgpu/save.h"

#include <assert.h>
#include <stdlib.h>

#define OWN_MOST      (UINT64_C(1) << 30)
#define BUS_END       (UINT64_C(1) << 39)
#define BUS_ALIGN     0x20000u /* so that big pages can be used */
#define HEAP_CARVEOUT 0x40000000u
#define NOT_FREED_YET 1u
#define NO_BASE       ((uint32_t)-22)

static uint32_t handle_of(uint32_t number) {
    return 4 * number + 4;
}

/* ---- objects ---- */

static struct nvgpu_object *object_at(const struct pfifo_nvgpu *nvgpu, uint32_t handle, uint32_t *number) {
    *number = handle / 4 - 1;
    return handle && handle % 4 == 0 && *number < nvgpu->object_count ? nvgpu->objects[*number] : NULL;
}

struct nvgpu_object *nvgpu_object_by_id(const struct pfifo_nvgpu *nvgpu, uint32_t id) {
    uint32_t number;
    return object_at(nvgpu, id, &number);
}

static uint32_t *nvmap_held_of(const struct pfifo_nvgpu_client *client, uint32_t number) {
    return number < client->held_count ? &client->held[number] : NULL;
}

struct nvgpu_object *nvgpu_object_of(const struct pfifo_nvgpu_client *client, uint32_t handle) {
    uint32_t number;
    struct nvgpu_object *object = object_at(client->nvgpu, handle, &number);
    const uint32_t *held = nvmap_held_of(client, number);
    return object && held && *held ? object : NULL;
}

/* A pointer for each, in an array that grows. False: no memory. */
static bool nvmap_grow(void **array, uint32_t *count, size_t bytes) {
    uint32_t now = *count ? 2 * *count : 64;
    uint8_t *grown = now <= NVGPU_OBJECTS ? realloc(*array, now * bytes) : NULL;
    if (!grown)
        return false;
    memset(grown + *count * bytes, 0, (now - *count) * bytes);
    *array = grown;
    *count = now;
    return true;
}

static bool nvmap_hold(struct pfifo_nvgpu_client *client, uint32_t number, struct nvgpu_object *object) {
    void *held = client->held;
    while (client->held_count <= number) {
        bool grown = nvmap_grow(&held, &client->held_count, sizeof *client->held);
        client->held = held;
        if (!grown)
            return false;
    }
    if (!client->held || client->held[number] == UINT32_MAX)
        return false;
    client->held[number]++;
    object->references++;
    return true;
}

static void leave_bus(struct pfifo_nvgpu *nvgpu, const struct nvgpu_object *object) {
    const struct nvgpu_range *range = object->buffer ? ranges_at(&nvgpu->bus, object->bus) : NULL;
    assert(!range || range->object == object);
    if (range)
        ranges_remove(&nvgpu->bus, range);
}

static void drop_object(struct nvgpu_object *object) {
    if (!object)
        return;
    free(object->own);
    nvgpu_object_forget_memory(object);
    free(object);
}

/* Who has freed the last handle may take its memory away. */
static void drop_references(struct nvgpu_object *object, uint32_t count) {
    assert(count <= object->references);
    object->references -= count;
    if (!object->references)
        nvgpu_object_forget_memory(object);
}

/* When neither a handle nor a mapping is left. */
static void free_if_unused(struct pfifo_nvgpu *nvgpu, uint32_t number) {
    struct nvgpu_object *object = nvgpu->objects[number];
    assert(object->number == number);
    if (object->references || object->mappings)
        return;
    record_object_end(nvgpu, object);
    pfifo_buffer_free(object->buffer);
    leave_bus(nvgpu, object);
    assert(!object->own || nvgpu->own_bytes >= object->bytes);
    nvgpu->own_bytes -= object->own ? object->bytes : 0;
    drop_object(object);
    nvgpu->objects[number] = NULL;
}

void nvgpu_object_mapped(struct nvgpu_object *object) {
    object->mappings++;
}

void nvgpu_object_unmapped(struct pfifo_nvgpu *nvgpu, struct nvgpu_object *object) {
    assert(object->mappings);
    object->mappings--;
    free_if_unused(nvgpu, object->number);
}

void nvgpu_objects_leave(struct pfifo_nvgpu_client *client) {
    struct pfifo_nvgpu *nvgpu = client->nvgpu;
    for (uint32_t i = 0; i < nvgpu->object_count; i++) {
        struct nvgpu_object *object = nvgpu->objects[i];
        uint32_t *held = nvmap_held_of(client, i);
        if (!object)
            continue;
        if (object->client == client) {
            object->client = NULL;
            nvgpu_object_forget_memory(object);
        }
        if (held && *held) {
            drop_references(object, *held);
            *held = 0;
            free_if_unused(nvgpu, i);
        }
    }
}

/* ---- calls ---- */

static enum pfifo_nvgpu_result nvmap_create(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct pfifo_nvgpu *nvgpu = file->client->nvgpu;
    uint32_t bytes = frame_u32(frame, 0), number = 0;
    void *objects = nvgpu->objects;
    if (!bytes || bytes > UINT32_MAX - (NVGPU_PAGE - 1))
        return PFIFO_NVGPU_BAD_VALUE;
    while (number < nvgpu->object_count && nvgpu->objects[number])
        number++;
    if (number == nvgpu->object_count && !nvmap_grow(&objects, &nvgpu->object_count, sizeof(void *)))
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    nvgpu->objects = objects;
    struct nvgpu_object *object = calloc(1, sizeof *object);
    if (!object || !nvmap_hold(file->client, number, object)) {
        free(object);
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    }
    object->number = number;
    object->client = file->client;
    object->asked_bytes = bytes;
    object->bytes = (bytes + NVGPU_PAGE - 1) & ~(NVGPU_PAGE - 1);
    nvgpu->objects[number] = object;
    frame_set_u32(frame, 4, handle_of(number));
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result from_id(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    uint32_t handle = frame_u32(frame, 0), number;
    struct nvgpu_object *object = object_at(file->client->nvgpu, handle, &number);
    const uint32_t *held = nvmap_held_of(file->client, number);
    bool known = object && object->references && ((held && *held) || object->shared);
    if (!known || !object->allocated)
        return PFIFO_NVGPU_BAD_VALUE;
    if (!nvmap_hold(file->client, number, object))
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    frame_set_u32(frame, 4, handle);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result get_id(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    uint32_t handle = frame_u32(frame, 4);
    struct nvgpu_object *object = nvgpu_object_of(file->client, handle);
    if (!object)
        return handle ? PFIFO_NVGPU_ACCESS_DENIED : PFIFO_NVGPU_BAD_VALUE;
    object->shared = true;
    frame_set_u32(frame, 0, handle);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result place_on_bus(struct pfifo_nvgpu *nvgpu, struct nvgpu_object *object) {
    struct pfifo_error error;
    struct nvgpu_range range = {.bytes = object->bytes, .object = object};
    uint32_t align = object->align > BUS_ALIGN ? object->align : BUS_ALIGN;
    if (!ranges_find(&nvgpu->bus, NULL, nvgpu->system_bytes, BUS_END, object->bytes, align, &range.address) ||
        !ranges_add(&nvgpu->bus, &range))
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    object->bus = range.address;
    const struct pfifo_extent extent = {range.address, object->bytes};
    const struct pfifo_buffer_config config = {.size = sizeof config, .no_address = true, .kind = object->kind};
    object->buffer = pfifo_buffer_import(nvgpu->device, &extent, 1, &config, &error);
    if (object->buffer) {
        record_object(nvgpu, object);
        return PFIFO_NVGPU_OK;
    }
    ranges_remove(&nvgpu->bus, ranges_at(&nvgpu->bus, range.address));
    return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
}

/* UNKNOWN: what a program without memory of its own gets; chosen: memory that is the driver's. */
static enum pfifo_nvgpu_result give_memory(struct pfifo_nvgpu *nvgpu, struct nvgpu_object *object) {
    if (object->address)
        return nvgpu_object_find_memory(object) ? PFIFO_NVGPU_OK : PFIFO_NVGPU_INVALID_ADDRESS;
    object->own = nvgpu->own_bytes + object->bytes <= OWN_MOST ? calloc(1, object->bytes) : NULL;
    nvgpu->own_bytes += object->own ? object->bytes : 0;
    return object->own ? PFIFO_NVGPU_OK : PFIFO_NVGPU_INSUFFICIENT_MEMORY;
}

/* Of an object that finds no place on the bus. */
static void take_back(struct pfifo_nvgpu *nvgpu, struct nvgpu_object *object) {
    nvgpu->own_bytes -= object->own ? object->bytes : 0;
    free(object->own);
    object->own = NULL;
    nvgpu_object_forget_memory(object);
    object->address = 0;
}

static enum pfifo_nvgpu_result alloc(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct pfifo_nvgpu *nvgpu = file->client->nvgpu;
    struct nvgpu_object *object = nvgpu_object_of(file->client, frame_u32(frame, 0));
    uint32_t align = frame_u32(frame, 12);
    uint64_t address = frame_u64(frame, 24);
    if (!object || object->client != file->client || (align & (align - 1)))
        return PFIFO_NVGPU_BAD_VALUE;
    if (object->allocated)
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    if (address % NVGPU_PAGE || address > UINT64_MAX - object->bytes)
        return PFIFO_NVGPU_INVALID_ADDRESS;
    object->cached = frame_u32(frame, 8) & 1;
    object->align = align > NVGPU_PAGE ? align : NVGPU_PAGE;
    object->kind = frame->data[16];
    object->address = address;
    enum pfifo_nvgpu_result result = give_memory(nvgpu, object);
    if (result == PFIFO_NVGPU_OK)
        result = place_on_bus(nvgpu, object);
    object->allocated = result == PFIFO_NVGPU_OK;
    if (!object->allocated)
        take_back(nvgpu, object);
    return result;
}

/* Handle 0 is none, and freed without ado. */
static enum pfifo_nvgpu_result nvmap_free_handle(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    uint32_t handle = frame_u32(frame, 0), number;
    struct nvgpu_object *object = nvgpu_object_of(file->client, handle);
    if (!handle)
        return PFIFO_NVGPU_OK;
    if (!object)
        return PFIFO_NVGPU_BAD_VALUE;
    object_at(file->client->nvgpu, handle, &number);
    file->client->held[number]--;
    drop_references(object, 1);
    frame_set_u64(frame, 8, object->references ? 0 : object->address);
    frame_set_u32(frame, 16, object->asked_bytes);
    frame_set_u32(frame, 20, object->references ? NOT_FREED_YET : 0);
    free_if_unused(file->client->nvgpu, number);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result param(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    enum { SIZE = 1, ALIGNMENT, BASE, HEAP, KIND, COMPRESSION };
    const struct nvgpu_object *object = nvgpu_object_of(file->client, frame_u32(frame, 0));
    uint32_t value = 0;
    if (!object)
        return PFIFO_NVGPU_BAD_VALUE;
    switch (frame_u32(frame, 4)) {
    case SIZE:
        value = object->asked_bytes;
        break;
    case ALIGNMENT:
        value = object->align;
        break;
    case BASE:
        value = NO_BASE;
        break;
    case HEAP:
        value = object->allocated ? HEAP_CARVEOUT : 0;
        break;
    case KIND:
        value = object->kind;
        break;
    case COMPRESSION:
        break;
    default:
        return PFIFO_NVGPU_BAD_VALUE;
    }
    frame_set_u32(frame, 8, value);
    return PFIFO_NVGPU_OK;
}

/* ---- saved and loaded ---- */

NVGPU_SAVES(struct nvgpu_object, 104); /* not `recorded`: what is recorded is not loaded; nor where memory is */

/* Is its memory there, and its place on the bus free? The place is taken. */
static void load_memory(struct nvgpu_save *save, struct nvgpu_object *object) {
    struct pfifo_nvgpu *nvgpu = save->nvgpu;
    struct nvgpu_range range = {.address = object->bus, .bytes = object->bytes, .object = object};
    bool align = object->align >= NVGPU_PAGE && (object->align & (object->align - 1)) == 0;
    bool place = object->bus >= nvgpu->system_bytes && object->bus <= BUS_END - object->bytes &&
                 object->bus % BUS_ALIGN == 0 && !ranges_meet(&nvgpu->bus, object->bus, object->bytes);
    if (!align || !place || !object->buffer_id || object->address % NVGPU_PAGE ||
        object->address > UINT64_MAX - object->bytes)
        state_fail(&save->io, PFIFO_ERROR_FORMAT, "object %u is where it cannot be", (unsigned)object->number);
    else if (object->client && object->address && !nvgpu_object_find_memory(object))
        state_fail(&save->io, PFIFO_ERROR_ARGUMENT, "process %u has no memory at 0x%llx",
                   (unsigned)object->client->memory.process, (unsigned long long)object->address);
    else if (object->address == 0 && give_memory(nvgpu, object) != PFIFO_NVGPU_OK)
        state_fail(&save->io, PFIFO_ERROR_MEMORY, "no memory for object %u", (unsigned)object->number);
    else if (!ranges_add(&nvgpu->bus, &range))
        state_fail(&save->io, PFIFO_ERROR_MEMORY, "no memory for the bus");
}

/* Number 0: its client has ended. */
static void state_owner(struct nvgpu_save *save, struct nvgpu_object *object) {
    uint32_t owner = 0;
    while (object->client && save->clients[owner++] != object->client)
        ;
    state_index(&save->io, &owner, save->client_count + 1, "client");
    if (save->io.loading)
        object->client = owner ? save->clients[owner - 1] : NULL;
}

static void nvmap_state_object(struct nvgpu_save *save, struct nvgpu_object *object) {
    struct state_io *io = &save->io;
    state_owner(save, object);
    state_u32(io, &object->asked_bytes);
    state_u32(io, &object->align);
    state_u8(io, &object->kind);
    state_bool(io, &object->allocated);
    state_bool(io, &object->cached);
    state_bool(io, &object->shared);
    state_u64(io, &object->address);
    state_u64(io, &object->bus);
    nvgpu_state_id(save, NVGPU_ID_BUFFER, &object->buffer_id);
    if (!object->asked_bytes || object->asked_bytes > UINT32_MAX - (NVGPU_PAGE - 1) ||
        (!object->allocated && (object->buffer_id || object->address)))
        state_fail(io, PFIFO_ERROR_FORMAT, "object %u cannot be", (unsigned)object->number);
    if (io->loading && state_good(io)) {
        object->bytes = (object->asked_bytes + NVGPU_PAGE - 1) & ~(NVGPU_PAGE - 1);
        if (object->allocated)
            load_memory(save, object);
    }
    if (object->own)
        nvgpu_state_pages(io, object->own, object->bytes);
}

/* References of a client: pairs of a number and how many, in order. */
static void state_held(struct nvgpu_save *save, struct pfifo_nvgpu_client *client) {
    struct state_io *io = &save->io;
    struct pfifo_nvgpu *nvgpu = save->nvgpu;
    for (uint32_t i = 0; i < nvgpu->object_count && state_good(io); i++) {
        struct nvgpu_object *object = nvgpu->objects[i];
        const uint32_t *held = object ? nvmap_held_of(client, i) : NULL;
        uint32_t count = held ? *held : 0;
        if (!object)
            continue;
        state_u32(io, &count);
        if (!io->loading || !count)
            continue;
        if (count > UINT32_MAX - object->references) {
            state_fail(io, PFIFO_ERROR_FORMAT, "object %u has too many handles", (unsigned)i);
        } else if (!nvmap_hold(client, i, object)) {
            state_fail(io, PFIFO_ERROR_MEMORY, "no memory for handles");
        } else {
            client->held[i] = count;
            object->references += count - 1;
        }
    }
}

/* Loading: an array for so many, and an object in a place of it. */
static struct nvgpu_object *nvmap_load_object(struct nvgpu_save *save, uint32_t number) {
    struct pfifo_nvgpu *nvgpu = save->nvgpu;
    void *objects = nvgpu->objects;
    while (number >= nvgpu->object_count) {
        bool grown = nvmap_grow(&objects, &nvgpu->object_count, sizeof(void *));
        nvgpu->objects = objects;
        if (!grown) {
            state_fail(&save->io, PFIFO_ERROR_MEMORY, "no memory for objects");
            return NULL;
        }
    }
    struct nvgpu_object *object = calloc(1, sizeof *object);
    if (object)
        object->number = number;
    else
        state_fail(&save->io, PFIFO_ERROR_MEMORY, "no memory for an object");
    nvgpu->objects[number] = object;
    return object;
}

void nvgpu_state_objects(struct nvgpu_save *save) {
    struct state_io *io = &save->io;
    struct pfifo_nvgpu *nvgpu = save->nvgpu;
    uint32_t count = nvgpu->object_count;
    while (!io->loading && count && !nvgpu->objects[count - 1])
        count--;
    if (state_begin(io, "NVMM", 1)) {
        count = state_count(io, count, NVGPU_OBJECTS, "objects");
        for (uint32_t i = 0; i < count && state_good(io); i++) {
            struct nvgpu_object *object = io->loading ? NULL : nvgpu->objects[i];
            bool used = object != NULL;
            state_bool(io, &used);
            if (used && io->loading)
                object = nvmap_load_object(save, i);
            if (object)
                nvmap_state_object(save, object);
        }
        for (uint32_t i = 0; i < save->client_count; i++)
            state_held(save, save->clients[i]);
        for (uint32_t i = 0; io->loading && i < nvgpu->object_count; i++)
            if (nvgpu->objects[i])
                drop_references(nvgpu->objects[i], 0);
    }
    state_end(io);
}

void nvgpu_check_objects(struct nvgpu_save *save) {
    const struct pfifo_nvgpu *nvgpu = save->nvgpu;
    for (uint32_t i = 0; i < nvgpu->object_count; i++)
        if (nvgpu->objects[i] && !nvgpu->objects[i]->references && !nvgpu->objects[i]->mappings)
            state_fail(&save->io, PFIFO_ERROR_FORMAT, "nobody uses object %u", (unsigned)i);
}

bool nvgpu_link_objects(struct pfifo_nvgpu *nvgpu, enum nvgpu_link link) {
    bool all = true;
    for (uint32_t i = 0; i < nvgpu->object_count; i++) {
        struct nvgpu_object *object = nvgpu->objects[i];
        if (!object || !object->allocated)
            continue;
        if (link == NVGPU_LINK_NOTE)
            object->buffer_id = pfifo_buffer_id(object->buffer);
        else
            object->buffer = pfifo_device_buffer(nvgpu->device, object->buffer_id);
        all = all && object->buffer && pfifo_buffer_bytes(object->buffer) == object->bytes;
    }
    return all;
}

void nvgpu_forget_objects(struct pfifo_nvgpu *nvgpu) {
    for (uint32_t i = 0; i < nvgpu->object_count; i++)
        drop_object(nvgpu->objects[i]);
    free(nvgpu->objects);
    nvgpu->objects = NULL;
    nvgpu->object_count = 0;
}

/* Without a function: there is such a call, which is not supported. */
static const struct nvgpu_row rows[] = {
    {1, 0x01, 8, 0, nvmap_create}, {1, 0x03, 8, 0, from_id},
    {1, 0x04, 32, 0, alloc},       {1, 0x05, 24, 0, nvmap_free_handle},
    {1, 0x09, 12, 0, param},       {1, 0x0e, 8, 0, get_id},
    {1, 0x02, 0, 0, NULL},         {1, 0x06, 0, 0, NULL},
    {1, 0x07, 0, 0, NULL},         {1, 0x08, 0, 0, NULL},
    {1, 0x0a, 0, 0, NULL},         {1, 0x0b, 0, 0, NULL},
    {1, 0x0c, 0, 0, NULL},         {1, 0x0d, 0, 0, NULL},
    {1, 0x0f, 0, 0, NULL},         {1, 0x10, 0, 0, NULL},
    {1, 0x11, 0, 0, NULL},
};

const struct nvgpu_device nvgpu_nvmap = {
    .path = "/dev/nvmap", .rows = rows, .row_count = sizeof rows / sizeof rows[0], .bytes = 1};
