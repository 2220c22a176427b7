/* SPDX-License-Identifier: MIT */
/*
 * Objects and ioctls.
 *
 * Not modelled: DMA objects, which methods of chips before GF100 name; several address spaces with the same addresses;
 *               what the GPU, the kernel and other processes write; ioctls in an ioctl (XFER_CMD), whose structure
 *               valgrind-mmt does not record; structures of CREATE of 48 bytes, and those of 32 bytes that have a size
 *               where older ones have the status (NVOS21_PARAMETERS)
 * UNKNOWN: whether memory of CREATE_SPACE is the GPU's own, of classes that demmt has no name for; chosen: it is.
 */
#include "foreign/nvrm_state.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory/little_endian.h"

enum {
    RM_TYPE = 'F',
    MEMORY_SYSTEM = 0x003e, /* classes */
    MEMORY_OF_PROGRAM = 0x0071,
    GET_ARCHITECTURE = 0x20801701, /* method of CALL: what chip it is */
    ALLOCATE = 2,                  /* function of MEMORY */
    LOCATION_SHIFT = 25,           /* of its attributes: 0 is the GPU's memory */
    LOCATION_MASK = 3,
    LOCATION_ANY = 3,
};

/* ---- what all files need ---- */

bool nvrm_append(const struct nvrm *nvrm, struct pfifo_stream_record record) {
    return pfifo_stream_writer_append(nvrm->writer, &record, nvrm->error) == PFIFO_OK;
}

bool nvrm_no_memory(const struct nvrm *nvrm) {
    return foreign_no_memory(nvrm->file, nvrm->error, "its buffers") == PFIFO_OK;
}

bool nvrm_leave_out(struct nvrm *nvrm, size_t at, const char *why) {
    foreign_leave_out(&nvrm->left_out, at, why);
    return true;
}

bool nvrm_spend(struct nvrm *nvrm, uint64_t steps) {
    nvrm->steps += steps;
    if (nvrm->steps <= NVRM_STEPS)
        return true;
    return pfifo_error_set(nvrm->error, PFIFO_ERROR_UNSUPPORTED,
                           "%.80s: offset %zu: its rings and mappings are read again and again", nvrm->file->name,
                           nvrm->file->at) == PFIFO_OK;
}

/* ---- objects ---- */

static int nvrm_compare_objects(const void *a, const void *b) {
    const struct nvrm_object *left = a, *right = b;

    if (left->client != right->client)
        return left->client < right->client ? -1 : 1;
    return left->handle < right->handle ? -1 : left->handle > right->handle;
}

static struct nvrm_object *find_object(const struct nvrm *nvrm, uint32_t client, uint32_t handle) {
    const struct nvrm_object key = {.client = client, .handle = handle};
    void *const *node = tfind(&key, &nvrm->objects, nvrm_compare_objects);

    return node ? *node : NULL;
}

/*
 * Places that were made by the name of this object; the memory may have others. After an error nothing more is read: all
 * places go, as the memory may go with its last object.
 */
static bool free_places(struct nvrm *nvrm, const struct nvrm_object *object) {
    struct nvrm_place *place = object->memory ? object->memory->places : NULL, *next;
    bool good = true;

    for (; place; place = next) {
        next = place->next;
        if (nvrm->ending || (place->owner_client == object->client && place->owner == object->handle))
            good = nvrm_place_remove(nvrm, place) && good;
        else
            good = nvrm_spend(nvrm, 1);
        nvrm->ending = nvrm->ending || !good;
    }
    return good;
}

static bool free_object(struct nvrm *nvrm, struct nvrm_object *object) {
    struct nvrm_memory *memory = object->memory;
    bool good;

    tdelete(object, &nvrm->objects, nvrm_compare_objects);
    nvrm->object_count--;
    if (object->link) {
        *object->link = object->next;
        if (object->next)
            object->next->link = object->link;
    }
    if (memory && object->is_channel) /* not with another name of its USER area */
        memory->channel = NULL;
    good = free_places(nvrm, object);
    nvrm_memory_drop(nvrm, memory);
    if (object->is_channel)
        good = nvrm_channel_remove(nvrm, object->channel) && good;
    free(object);
    return good;
}

/* With all that is in it, children first. */
static bool destroy_object(struct nvrm *nvrm, struct nvrm_object *object) {
    struct nvrm_object *at = object, *parent;
    bool good = true, last;

    do {
        while (at->children)
            at = at->children;
        parent = at->parent;
        last = at == object;
        good = free_object(nvrm, at) && good;
        at = parent;
    } while (!last);
    return good;
}

/* The new object is *out; NULL: it is left out. */
static bool make_object(struct nvrm *nvrm, const struct nvrm_object *wanted, uint32_t parent, size_t at,
                        struct nvrm_object **out) {
    struct nvrm_object *object = find_object(nvrm, wanted->client, wanted->handle);

    *out = NULL;
    if (object && !destroy_object(nvrm, object))
        return false;
    if (nvrm->object_count == NVRM_OBJECTS)
        return nvrm_leave_out(nvrm, at, "there are too many objects");
    object = malloc(sizeof *object);
    if (!object)
        return nvrm_no_memory(nvrm);
    *object = *wanted;
    if (!tsearch(object, &nvrm->objects, nvrm_compare_objects)) {
        free(object);
        return nvrm_no_memory(nvrm);
    }
    nvrm->object_count++;
    nvrm->begun = true;
    object->parent = parent == wanted->handle ? NULL : find_object(nvrm, wanted->client, parent);
    if (object->parent) {
        object->next = object->parent->children;
        if (object->next)
            object->next->link = &object->next;
        object->link = &object->parent->children;
        object->parent->children = object;
        object->channel = object->parent->channel;
    }
    *out = object;
    return true;
}

/* The object with memory that an ioctl names; it may have been made by one that is not in the log. */
static bool object_with_memory(struct nvrm *nvrm, uint32_t client, uint32_t handle, size_t at,
                               struct nvrm_object **out) {
    const struct nvrm_object wanted = {.client = client, .handle = handle};

    *out = find_object(nvrm, client, handle);
    if (!*out && !make_object(nvrm, &wanted, 0, at, out))
        return false;
    if (!*out || (*out)->memory)
        return true;
    (*out)->memory = nvrm_memory_new(nvrm, (*out)->oclass == MEMORY_SYSTEM || (*out)->oclass == MEMORY_OF_PROGRAM
                                               ? PFIFO_STREAM_GART
                                               : PFIFO_STREAM_VRAM);
    if ((*out)->memory && (*out)->is_channel)
        (*out)->memory->channel = (*out)->channel;
    return (*out)->memory || nvrm_no_memory(nvrm);
}

/* ---- ioctls, when they are done ---- */

static const struct mmt_memory *find_arguments(const struct mmt_ioctl *ioctl, uint64_t address) {
    for (size_t i = 0; i < ioctl->memories && address; i++)
        if (ioctl->memory[i].address == address)
            return &ioctl->memory[i];
    return NULL;
}

/* Objects of a channel are the capture's; `arguments` is the address of what it was created with. */
static bool create(struct nvrm *nvrm, const struct mmt_ioctl *ioctl, uint64_t arguments) {
    const struct nvrm_object wanted = {
        .client = load_le32(ioctl->data), .handle = load_le32(ioctl->data + 8), .oclass = load_le32(ioctl->data + 12)};
    struct nvrm_object *object;

    nvrm->begun = true;
    if (!wanted.handle) /* a client, whose handle the kernel chooses */
        return true;
    if (!make_object(nvrm, &wanted, load_le32(ioctl->data + 4), ioctl->at, &object))
        return false;
    if (!object)
        return true;
    if (nvrm_is_channel(wanted.oclass))
        return nvrm_channel_make(nvrm, object, find_arguments(ioctl, arguments), ioctl->at);
    if (!object->channel)
        return true;
    return nvrm_append(nvrm,
                       (struct pfifo_stream_record){.type = PFIFO_STREAM_OBJ,
                                                    .obj = {object->channel->number, wanted.handle, wanted.oclass}});
}

/* A status, or the size of the arguments in later drivers: a size looks as a refusal does. */
static bool take_create(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    const uint64_t arguments = load_le64(ioctl->data + 16);

    if (load_le32(ioctl->data + 24) && arguments)
        return nvrm_leave_out(nvrm, ioctl->at, "an object was refused, or its structure is that of a later driver");
    return load_le32(ioctl->data + 24) || create(nvrm, ioctl, arguments);
}

static bool take_create_simple(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    return create(nvrm, ioctl, 0);
}

static bool take_destroy(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    struct nvrm_object *object = find_object(nvrm, load_le32(ioctl->data), load_le32(ioctl->data + 8));

    return !object || destroy_object(nvrm, object);
}

/* Another name of the same memory. */
static bool take_duplicate(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    const struct nvrm_object wanted = {.client = load_le32(ioctl->data), .handle = load_le32(ioctl->data + 8)};
    struct nvrm_object *source, *object;

    if (!object_with_memory(nvrm, load_le32(ioctl->data + 12), load_le32(ioctl->data + 16), ioctl->at, &source))
        return false;
    if (!source || (source->client == wanted.client && source->handle == wanted.handle))
        return true;
    struct nvrm_memory *memory = nvrm_memory_keep(source->memory);
    bool good = make_object(nvrm, &wanted, load_le32(ioctl->data + 4), ioctl->at, &object);
    if (good && object)
        object->memory = memory;
    else
        nvrm_memory_drop(nvrm, memory);
    return good;
}

static bool take_memory(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    const struct nvrm_object wanted = {.client = load_le32(ioctl->data), .handle = load_le32(ioctl->data + 44)};
    const uint32_t location = load_le32(ioctl->data + 56) >> LOCATION_SHIFT & LOCATION_MASK;
    struct nvrm_object *object;

    if (!wanted.handle || load_le32(ioctl->data + 8) != ALLOCATE)
        return true;
    if (!make_object(nvrm, &wanted, load_le32(ioctl->data + 4), ioctl->at, &object))
        return false;
    if (!object)
        return true;
    object->memory =
        nvrm_memory_new(nvrm, location && location != LOCATION_ANY ? PFIFO_STREAM_GART : PFIFO_STREAM_VRAM);
    return object->memory || nvrm_no_memory(nvrm);
}

/* `data`: key, limit or length; and in structures of 56 bytes a descriptor. */
static bool offer(struct nvrm *nvrm, const struct mmt_ioctl *ioctl, uint32_t handle, uint64_t offset, uint64_t key) {
    enum { WITH_DESCRIPTOR = 56, DESCRIPTOR = 48 };
    const bool by_fd = ioctl->bytes >= WITH_DESCRIPTOR;
    struct nvrm_window window = {.by_fd = by_fd, .offset = offset};
    struct nvrm_object *object;

    window.key = by_fd ? load_le32(ioctl->data + DESCRIPTOR) : key / FOREIGN_PAGE * FOREIGN_PAGE;
    if (!object_with_memory(nvrm, load_le32(ioctl->data), handle, ioctl->at, &object))
        return false;
    window.memory = object ? object->memory : NULL;
    return !object || nvrm_window_make(nvrm, &window, ioctl->at);
}

static bool take_space(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    const uint64_t key = load_le64(ioctl->data + 24);

    return create(nvrm, ioctl, 0) && (!key || offer(nvrm, ioctl, load_le32(ioctl->data + 8), 0, key));
}

static bool take_host_map(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    return offer(nvrm, ioctl, load_le32(ioctl->data + 8), load_le64(ioctl->data + 16), load_le64(ioctl->data + 32));
}

/* The key is, with the driver's version, an offset or an address of the program. */
static bool take_host_unmap(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    const uint64_t key = load_le64(ioctl->data + 16) / FOREIGN_PAGE * FOREIGN_PAGE;
    const struct nvrm_object *object = find_object(nvrm, load_le32(ioctl->data), load_le32(ioctl->data + 8));
    struct nvrm_window *window = nvrm_window_find(nvrm, false, key);

    if (object && window && window->memory == object->memory)
        nvrm_window_remove(nvrm, window);
    return true;
}

static bool take_gpu_map(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    const struct nvrm_place place = {.address = load_le64(ioctl->data + 40),
                                     .bytes = load_le64(ioctl->data + 24),
                                     .offset = load_le64(ioctl->data + 16),
                                     .owner_client = load_le32(ioctl->data),
                                     .owner = load_le32(ioctl->data + 12)};
    struct nvrm_object *object;

    if (!object_with_memory(nvrm, load_le32(ioctl->data), load_le32(ioctl->data + 12), ioctl->at, &object))
        return false;
    if (object && !nvrm_place_make(nvrm, object->memory, &place, ioctl->at))
        return false;
    nvrm_channels_look(nvrm);
    return true;
}

static bool take_gpu_unmap(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    const struct nvrm_object *object = find_object(nvrm, load_le32(ioctl->data), load_le32(ioctl->data + 12));
    const uint64_t address = load_le64(ioctl->data + 24);
    struct nvrm_place *place = nvrm_place_at(nvrm, address);

    if (!object || !place || place->address != address || place->memory != object->memory)
        return true;
    return nvrm_place_remove(nvrm, place);
}

static bool take_call(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    const struct mmt_memory *arguments = find_arguments(ioctl, load_le64(ioctl->data + 16));
    char number[16];

    if (load_le32(ioctl->data + 8) != GET_ARCHITECTURE || nvrm->has_chipset || !arguments || arguments->bytes < 8)
        return true;
    nvrm->has_chipset = true;
    snprintf(number, sizeof number, "0x%x", (unsigned)(load_le32(arguments->data) | load_le32(arguments->data + 4)));
    return pfifo_stream_writer_text(nvrm->writer, "chipset", number, nvrm->error) == PFIFO_OK;
}

static bool take_nested(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    return nvrm_leave_out(nvrm, ioctl->at, "an ioctl in an ioctl (XFER_CMD), which is not in the log");
}

static const struct nvrm_row {
    uint8_t number, least, most; /* bytes of its structure */
    uint8_t status;              /* where it is; 0: there is none, or `take` looks at it */
    bool (*take)(struct nvrm *nvrm, const struct mmt_ioctl *ioctl);
} rows
    [] =
        {
            /* clang-format off */
    {0x27, 48, 56, 40, take_space},
    {0x28, 20, 20, 16, take_create_simple},
    {0x29, 16, 16, 12, take_destroy},
    {0x2a, 32, 32, 28, take_call},
    {0x2b, 32, 32, 0, take_create},
    {0x34, 28, 28, 24, take_duplicate},
    {0x4a, 160, 183, 16, take_memory},
    {0x4a, 184, 184, 20, take_memory}, /* with the number of a heap before its status */
    {0x4a, 185, 255, 16, take_memory},
    {0x4e, 48, 56, 40, take_host_map},
    {0x4f, 32, 32, 24, take_host_unmap},
    {0x57, 56, 56, 48, take_gpu_map},
    {0x58, 40, 40, 32, take_gpu_unmap},
    {0xd3, 16, 16, 0, take_nested},
            /* clang-format on */
};

bool nvrm_ioctl(struct nvrm *nvrm, const struct mmt_ioctl *ioctl) {
    bool known = false;

    if ((ioctl->request >> 8 & 0xff) != RM_TYPE || !ioctl->after || ioctl->refused)
        return true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct nvrm_row *row = &rows[i];
        if (row->number != (ioctl->request & 0xff))
            continue;
        known = true;
        if (ioctl->bytes >= row->least && ioctl->bytes <= row->most)
            return (row->status && load_le32(ioctl->data + row->status)) || row->take(nvrm, ioctl);
    }
    return !known || nvrm_leave_out(nvrm, ioctl->at, "the structure of an ioctl is that of another version");
}

/* ---- all of it ---- */

struct nvrm *nvrm_new(const struct foreign_file *file, struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    struct nvrm *nvrm = calloc(1, sizeof *nvrm);

    if (!nvrm) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.100s: no memory to read it", file->name);
        return NULL;
    }
    nvrm->file = file;
    nvrm->writer = writer;
    nvrm->error = error;
    return nvrm;
}

bool nvrm_begun(const struct nvrm *nvrm) {
    return nvrm->begun;
}

bool nvrm_end(struct nvrm *nvrm) {
    if (nvrm->needs_objects &&
        foreign_note(nvrm->writer, nvrm->error,
                     "DMA objects of NVIDIA's driver are not here: methods that name them are refused") != PFIFO_OK)
        return false;
    return foreign_note_left_out(&nvrm->left_out, "calls and submissions", nvrm->writer, nvrm->error) == PFIFO_OK;
}

void nvrm_free(struct nvrm *nvrm) {
    if (!nvrm)
        return;
    nvrm->ending = true;
    while (nvrm->objects)
        destroy_object(nvrm, *(struct nvrm_object *const *)nvrm->objects);
    while (nvrm->windows)
        nvrm_window_remove(nvrm, *(struct nvrm_window *const *)nvrm->windows);
    free(nvrm->push);
    free(nvrm);
}
