/* SPDX-License-Identifier: MIT */
/*
 * All of a driver as a stream: what it keeps itself, its own memory, and the device below as a section.
 *
 *   "NVGP" | "NVCL" clients, files | "NVEV" events | "NVMM" objects | "NVAS" ... | "NVFL" ... | "NVPG" pages | "NVDV"
 *
 * A load puts the old contents aside, reads the new ones in their place, and loads the device last, when its memory is
 * there. Whatever fails, the old contents come back; once the device has been loaded, so does its old state, from a
 * stream that was saved before.
 */
#include "nvgpu/save.h"

#include "state/bytes.h"

#include <stdlib.h>

#define VERSION  1
#define LAST     UINT32_MAX /* after the pages */
#define FEW      64u
#define MOST_IDS 0x10000000u

NVGPU_SAVES(struct pfifo_nvgpu_client, 8 + 8 + 56 + NVGPU_FILES * 32 + 16);
NVGPU_SAVES(struct nvgpu_ranges, 16);
NVGPU_SAVES(struct pfifo_nvgpu, sizeof(struct pfifo_nvgpu_config) + 144 + 2 * sizeof(struct nvgpu_zbc));

/* ---- what state functions use ---- */

bool nvgpu_save_room(struct nvgpu_save *save, void **array, uint32_t count, uint32_t *room, size_t bytes) {
    if (count < *room)
        return true;
    uint32_t wanted = *room ? 2 * *room : FEW;
    void *grown = wanted <= MOST_IDS ? realloc(*array, wanted * bytes) : NULL;
    if (!grown) {
        state_fail(&save->io, PFIFO_ERROR_MEMORY, "no memory for a list");
        return false;
    }
    *array = grown;
    *room = wanted;
    return true;
}

void nvgpu_state_id(struct nvgpu_save *save, enum nvgpu_id_kind kind, uint32_t *id) {
    void *ids = save->ids;
    state_u32(&save->io, id);
    if (!save->io.loading || !*id)
        return;
    if (nvgpu_save_room(save, &ids, save->id_count, &save->id_room, sizeof *save->ids)) {
        save->ids = ids;
        save->ids[save->id_count++] = (struct nvgpu_id){kind, *id};
    }
}

static bool save_is_zero(const uint8_t *page) {
    return page[0] == 0 && memcmp(page, page + 1, NVGPU_PAGE - 1) == 0;
}

static void save_load_pages(struct state_io *io, uint8_t *memory, uint64_t bytes) {
    for (uint64_t next = 0; state_good(io);) {
        uint32_t page = 0;
        state_u32(io, &page);
        if (page == LAST)
            return;
        if (page < next || page >= bytes / NVGPU_PAGE)
            state_fail(io, PFIFO_ERROR_FORMAT, "page 0x%x is not here", (unsigned)page);
        else
            state_bytes(io, memory + (uint64_t)page * NVGPU_PAGE, NVGPU_PAGE);
        next = (uint64_t)page + 1;
    }
}

void nvgpu_state_pages(struct state_io *io, uint8_t *memory, uint64_t bytes) {
    if (io->loading) {
        save_load_pages(io, memory, bytes);
        return;
    }
    for (uint32_t page = 0; page < bytes / NVGPU_PAGE && state_good(io); page++) {
        uint8_t *at = memory + (uint64_t)page * NVGPU_PAGE;
        if (save_is_zero(at))
            continue;
        state_u32(io, &page);
        state_bytes(io, at, NVGPU_PAGE);
    }
    state_u32(io, &(uint32_t){LAST});
}

/* ---- clients ---- */

static bool is_alone(const struct nvgpu_save *save, uint32_t index) {
    for (uint32_t i = 0; i < index; i++)
        if (save->clients[i]->memory.process == save->clients[index]->memory.process)
            return false;
    return true;
}

/* In the order of the list, which is that of event signals. */
static void list_clients(struct nvgpu_save *save) {
    uint32_t count = 0;
    for (struct pfifo_nvgpu_client *client = save->nvgpu->clients; client; client = client->next)
        count++;
    save->clients = calloc(count + 1, sizeof(struct pfifo_nvgpu_client *));
    if (!save->clients) {
        state_fail(&save->io, PFIFO_ERROR_MEMORY, "no memory for a list");
        return;
    }
    for (struct pfifo_nvgpu_client *client = save->nvgpu->clients; client; client = client->next) {
        save->clients[save->client_count++] = client;
        if (!is_alone(save, save->client_count - 1))
            state_fail(&save->io, PFIFO_ERROR_ARGUMENT, "two clients have the process number %u",
                       (unsigned)client->memory.process);
    }
}

/* The clients of the embedder go into the order of the stream. */
static void match_client(struct nvgpu_save *save, uint32_t index) {
    uint32_t process = save->clients[index]->memory.process, at = index;
    state_u32(&save->io, &process);
    if (!save->io.loading || !state_good(&save->io))
        return;
    while (at < save->client_count && save->clients[at]->memory.process != process)
        at++;
    if (at == save->client_count) {
        state_fail(&save->io, PFIFO_ERROR_ARGUMENT, "there is no client for process %u", (unsigned)process);
        return;
    }
    struct pfifo_nvgpu_client *client = save->clients[at];
    save->clients[at] = save->clients[index];
    save->clients[index] = client;
}

static void link_clients(struct nvgpu_save *save) {
    struct pfifo_nvgpu_client **link = &save->nvgpu->clients;
    for (uint32_t i = 0; i < save->client_count; i++) {
        *link = save->clients[i];
        link = &save->clients[i]->next;
    }
    *link = NULL;
}

static void state_clients(struct nvgpu_save *save) {
    struct state_io *io = &save->io;
    if (state_begin(io, "NVCL", VERSION)) {
        uint32_t count = save->client_count;
        state_u32(io, &count);
        if (count != save->client_count)
            state_fail(io, PFIFO_ERROR_ARGUMENT, "it has %u clients, this driver %u", (unsigned)count,
                       (unsigned)save->client_count);
        for (uint32_t i = 0; i < save->client_count && state_good(io); i++) {
            match_client(save, i);
            nvgpu_state_files(save, save->clients[i]);
        }
    }
    state_end(io);
    if (io->loading && state_good(io))
        link_clients(save);
}

/* ---- the driver ---- */

static void state_driver(struct nvgpu_save *save) {
    struct state_io *io = &save->io;
    struct pfifo_nvgpu *nvgpu = save->nvgpu;
    uint64_t bytes = nvgpu->system_bytes;
    if (state_begin(io, "NVGP", 3)) {
        state_u64(io, &bytes);
        if (bytes != nvgpu->system_bytes)
            state_fail(io, PFIFO_ERROR_ARGUMENT, "the driver's own memory has 0x%llx bytes, this one 0x%llx",
                       (unsigned long long)bytes, (unsigned long long)nvgpu->system_bytes);
        state_words(io, nvgpu->promised, pfifo_syncpoint_count(nvgpu->device), "syncpoints");
        state_words(io, nvgpu->display, NVGPU_SYNCPOINTS / 32, "syncpoints of the display");
        for (unsigned i = 0; i < 2; i++)
            nvgpu_state_clear_values(io, &nvgpu->zbc[i]);
    }
    state_end(io);
}

static void state_files(struct nvgpu_save *save) {
    for (uint32_t i = 0; i < save->client_count; i++)
        for (unsigned k = 0; k < NVGPU_FILES; k++) {
            struct nvgpu_file *file = &save->clients[i]->files[k];
            if (!file->device || !file->device->state || !state_begin(&save->io, "NVFL", 2))
                continue;
            file->device->state(file, save);
            state_end(&save->io);
        }
}

static void state_own_memory(struct nvgpu_save *save) {
    if (state_begin(&save->io, "NVPG", VERSION))
        nvgpu_state_pages(&save->io, save->nvgpu->system, save->nvgpu->system_bytes);
    state_end(&save->io);
}

static void state_contents(struct nvgpu_save *save) {
    list_clients(save);
    state_driver(save);
    state_clients(save);
    nvgpu_state_events(save);
    nvgpu_state_objects(save);
    nvgpu_state_spaces(save);
    state_files(save);
    state_own_memory(save);
}

/* False: something is not there. All are tried. */
static bool link_all(struct pfifo_nvgpu *nvgpu, enum nvgpu_link link) {
    bool all = nvgpu_link_objects(nvgpu, link);
    for (struct pfifo_nvgpu_client *client = nvgpu->clients; client; client = client->next)
        for (unsigned i = 0; i < NVGPU_FILES; i++) {
            struct nvgpu_file *file = &client->files[i];
            if (file->device && file->device->link)
                all &= file->device->link(file, link);
        }
    return all;
}

/* ---- saving ---- */

static void save_device(struct nvgpu_save *save) {
    struct state_bytes bytes = {0};
    struct pfifo_error error = {0};
    enum pfifo_status status = pfifo_device_save(save->nvgpu->device, state_bytes_write, &bytes, &error);
    if (status != PFIFO_OK)
        state_fail(&save->io, status, "%s", error.message);
    if (state_begin(&save->io, "NVDV", VERSION)) {
        uint64_t length = bytes.used;
        state_u64(&save->io, &length);
        state_bytes(&save->io, bytes.data, bytes.used);
    }
    state_end(&save->io);
    free(bytes.data);
}

static void free_lists(struct nvgpu_save *save) {
    for (uint32_t i = 0; save->io.loading && i < save->space_count; i++)
        nvgpu_forget_space(save->spaces[i]);
    free(save->spaces);
    free(save->clients);
    free(save->ids);
}

enum pfifo_status pfifo_nvgpu_save(struct pfifo_nvgpu *nvgpu, pfifo_writer write, void *opaque,
                                   struct pfifo_error *error) {
    struct nvgpu_save save = {.nvgpu = nvgpu};
    if (!nvgpu || !write)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no driver, or nowhere to save it");
    link_all(nvgpu, NVGPU_LINK_NOTE);
    state_open_save(&save.io, write, opaque, error);
    state_contents(&save);
    if (state_good(&save.io))
        save_device(&save);
    enum pfifo_status status = state_close(&save.io);
    free_lists(&save);
    return status;
}

/* ---- what is put aside ---- */

struct aside {
    struct pfifo_nvgpu nvgpu;
    struct pfifo_nvgpu_client *clients; /* copies, in the order of the list */
    struct state_bytes device;
};

/* The clients stay, and have nothing. False: no memory; nothing has changed. */
static bool put_aside(struct pfifo_nvgpu *nvgpu, struct aside *aside) {
    uint32_t count = 0;
    for (const struct pfifo_nvgpu_client *client = nvgpu->clients; client; client = client->next)
        count++;
    uint8_t *system = calloc(1, nvgpu->system_bytes);
    uint32_t *promised = calloc(pfifo_syncpoint_count(nvgpu->device), sizeof *promised);
    aside->clients = calloc(count + 1, sizeof *aside->clients);
    if (!system || !promised || !aside->clients) {
        free(system);
        free(promised);
        return false;
    }
    aside->nvgpu = *nvgpu;
    count = 0;
    for (struct pfifo_nvgpu_client *client = nvgpu->clients; client; client = client->next) {
        aside->clients[count++] = *client;
        memset(client->files, 0, sizeof client->files);
        client->held = NULL;
        client->held_count = 0;
    }
    *nvgpu = (struct pfifo_nvgpu){.config = nvgpu->config,
                                  .device = nvgpu->device,
                                  .clients = nvgpu->clients,
                                  .system = system,
                                  .system_bytes = nvgpu->system_bytes,
                                  .promised = promised};
    return true;
}

/* Of clients, without a word to the device. `client` may be a copy. */
static void drop_client(struct pfifo_nvgpu_client *client) {
    for (unsigned i = 0; i < NVGPU_FILES; i++) {
        struct nvgpu_file *file = &client->files[i];
        if (file->device && file->device->space)
            nvgpu_forget_space(file->device->space(file));
        free(file->state);
        *file = (struct nvgpu_file){0};
    }
    free(client->held);
    client->held = NULL;
    client->held_count = 0;
}

static void save_drop_rest(struct pfifo_nvgpu *nvgpu) {
    nvgpu_forget_objects(nvgpu);
    free(nvgpu->bus.range);
    free(nvgpu->events);
    free(nvgpu->promised);
    free(nvgpu->system);
}

/* The list of the driver may have another order now: that of the copies is the old one. */
static void drop_aside(struct aside *aside, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        drop_client(&aside->clients[i]);
    save_drop_rest(&aside->nvgpu);
}

static void put_back(struct pfifo_nvgpu *nvgpu, const struct aside *aside) {
    for (struct pfifo_nvgpu_client *client = nvgpu->clients; client; client = client->next)
        drop_client(client);
    save_drop_rest(nvgpu);
    *nvgpu = aside->nvgpu;
    const struct pfifo_nvgpu_client *copy = aside->clients;
    for (struct pfifo_nvgpu_client *client = nvgpu->clients; client; client = client->next)
        *client = *copy++;
}

/* ---- loading ---- */

static int compare_ids(const void *a, const void *b) {
    const struct nvgpu_id *one = a, *other = b;
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    return one->id < other->id ? -1 : one->id > other->id;
}

static void check(struct nvgpu_save *save) {
    struct state_io *io = &save->io;
    nvgpu_check_objects(save);
    for (uint32_t i = 0; i < save->space_count; i++)
        if (save->spaces[i]->references < 2)
            state_fail(io, PFIFO_ERROR_FORMAT, "nobody uses address space %u", (unsigned)i);
    if (save->id_count)
        qsort(save->ids, save->id_count, sizeof *save->ids, compare_ids);
    for (uint32_t i = 1; i < save->id_count; i++)
        if (compare_ids(&save->ids[i - 1], &save->ids[i]) == 0)
            state_fail(io, PFIFO_ERROR_FORMAT, "two use what has the id %u", (unsigned)save->ids[i].id);
}

/* Where the device's stream is. Only then is the rest of this one read. */
static const uint8_t *take_device(struct nvgpu_save *save, size_t *bytes) {
    struct state_io *io = &save->io;
    const uint8_t *data = NULL;
    uint64_t length = 0;
    if (state_begin(io, "NVDV", VERSION)) {
        state_u64(io, &length);
        data = length <= io->bytes ? state_take(io, (size_t)length) : NULL;
        if (data)
            state_take(io, (size_t)(-length & 3));
        else
            state_fail(io, PFIFO_ERROR_FORMAT, "it ends too early");
    }
    state_end(io);
    *bytes = (size_t)length;
    return data;
}

/* All of the stream, up to the device's part of it. */
static enum pfifo_status load_contents(struct pfifo_nvgpu *nvgpu, const void *data, size_t bytes,
                                       const uint8_t **device, size_t *device_bytes, struct pfifo_error *error) {
    struct nvgpu_save save = {.nvgpu = nvgpu};
    state_open_load(&save.io, data, bytes, error);
    state_contents(&save);
    if (state_good(&save.io))
        check(&save);
    *device = take_device(&save, device_bytes);
    enum pfifo_status status = state_close(&save.io);
    free_lists(&save);
    return status;
}

/* `*loaded`: the device is the new one, whatever else has failed. */
static enum pfifo_status load_all(struct pfifo_nvgpu *nvgpu, const void *data, size_t bytes, bool *loaded,
                                  struct pfifo_error *error) {
    const uint8_t *device;
    size_t device_bytes;
    enum pfifo_status status = load_contents(nvgpu, data, bytes, &device, &device_bytes, error);
    if (status == PFIFO_OK)
        status = pfifo_device_load(nvgpu->device, device, device_bytes, error);
    if (status != PFIFO_OK)
        return status;
    *loaded = true;
    if (!link_all(nvgpu, NVGPU_LINK_FIND))
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "section NVDV: the device lacks what the driver uses");
    return PFIFO_OK;
}

/* Without host memory for the old device, the clients have no files any more, instead of files of another device. */
static void take_old(struct pfifo_nvgpu *nvgpu, struct aside *aside) {
    put_back(nvgpu, aside);
    if (pfifo_device_load(nvgpu->device, aside->device.data, aside->device.used, NULL) == PFIFO_OK &&
        link_all(nvgpu, NVGPU_LINK_FIND))
        return;
    for (struct pfifo_nvgpu_client *client = nvgpu->clients; client; client = client->next)
        drop_client(client);
    nvgpu_forget_objects(nvgpu);
    nvgpu->bus.count = 0;
    nvgpu->own_bytes = 0;
}

enum pfifo_status pfifo_nvgpu_load(struct pfifo_nvgpu *nvgpu, const void *data, size_t bytes,
                                   struct pfifo_error *error) {
    struct aside aside = {0};
    uint32_t count = 0;
    bool loaded = false;
    if (!nvgpu || !data)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no driver, or no state");
    if (nvgpu->record)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a driver that is recorded loads nothing");
    for (const struct pfifo_nvgpu_client *client = nvgpu->clients; client; client = client->next)
        count++;
    link_all(nvgpu, NVGPU_LINK_NOTE);
    enum pfifo_status status = pfifo_device_save(nvgpu->device, state_bytes_write, &aside.device, error);
    if (status == PFIFO_OK && !put_aside(nvgpu, &aside))
        status = pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a second driver");
    if (status == PFIFO_OK) {
        status = load_all(nvgpu, data, bytes, &loaded, error);
        if (status == PFIFO_OK)
            drop_aside(&aside, count);
        else if (loaded)
            take_old(nvgpu, &aside);
        else
            put_back(nvgpu, &aside);
        if (status != PFIFO_OK)
            nvgpu_find_memory_again(nvgpu);
    }
    free(aside.clients);
    free(aside.device.data);
    return status;
}
