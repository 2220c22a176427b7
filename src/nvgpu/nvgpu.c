/* SPDX-License-Identifier: MIT */
/*
 * The driver over a device, and its clients.
 *
 * The bus has the driver's own memory from 0 up, as large as config.device.gpu.system_bytes. After it each memory
 * object has a place while it is allocated; what is found there is the program's own memory.
 */
#include "nvgpu/record.h"
#include "nvgpu/save.h"

#include <stdlib.h>
#include <string.h>

#include "chip/config.h"

#define CHIP         "GM20B"
#define SYSTEM_BYTES (UINT64_C(256) << 20)
#define BUDGET       2000000u
#define FIRST_CONFIG sizeof(struct pfifo_nvgpu_config)
#define FIRST_MEMORY sizeof(struct pfifo_nvgpu_memory)
#define SYSTEM_MOST  (UINT64_C(1) << 32)

/* ---- memory ---- */

static void *region_at(const struct pfifo_nvgpu_memory *memory, uint64_t address, uint64_t *bytes) {
    uint64_t offset = address - memory->address;
    if (address < memory->address || offset >= memory->bytes)
        return NULL;
    if (*bytes > memory->bytes - offset)
        *bytes = memory->bytes - offset;
    return (uint8_t *)memory->data + offset;
}

void *nvgpu_client_memory(const struct pfifo_nvgpu_client *client, uint64_t address, uint64_t *bytes) {
    const struct pfifo_nvgpu_memory *memory = &client->memory;
    if (memory->at)
        return memory->at(memory->opaque, address, bytes);
    if (memory->data)
        return region_at(memory, address, bytes);
    return (void *)(uintptr_t)address;
}

static void *system_map(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    const struct pfifo_nvgpu *nvgpu = opaque;
    (void)write;
    if (address < nvgpu->system_bytes) {
        if (*bytes > nvgpu->system_bytes - address)
            *bytes = nvgpu->system_bytes - address;
        return nvgpu->system + address;
    }
    const struct nvgpu_range *range = ranges_at(&nvgpu->bus, address);
    if (!range)
        return NULL;
    uint64_t offset = address - range->address;
    if (*bytes > range->bytes - offset)
        *bytes = range->bytes - offset;
    return nvgpu_object_memory(range->object, offset, bytes);
}

/* ---- the driver ---- */

static void fault(void *opaque, const struct pfifo_device_fault *fault) {
    struct pfifo_nvgpu *nvgpu = opaque;
    const struct pfifo_device_config *owner = &nvgpu->config.device;
    nvgpu_channel_fault(nvgpu, fault);
    if (owner->fault)
        owner->fault(owner->opaque, fault);
}

static bool software(void *opaque, uint32_t channel, unsigned subchannel, uint32_t method, uint32_t data) {
    const struct pfifo_device_config *owner = &((const struct pfifo_nvgpu *)opaque)->config.device;
    return owner->software && owner->software(owner->opaque, channel, subchannel, method, data);
}

static void nvgpu_user_event(void *opaque, uint32_t channel, uint32_t data) {
    const struct pfifo_device_config *owner = &((const struct pfifo_nvgpu *)opaque)->config.device;
    if (owner->user_event)
        owner->user_event(owner->opaque, channel, data);
}

static enum pfifo_status open_device(struct pfifo_nvgpu *nvgpu, struct pfifo_error *error) {
    struct pfifo_device_config device = nvgpu->config.device;
    device.gpu.chip = device.gpu.chip ? device.gpu.chip : pfifo_chip_by_name(CHIP);
    nvgpu->system_bytes = device.gpu.system_bytes ? device.gpu.system_bytes : SYSTEM_BYTES;
    if (device.gpu.system_map)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the memory of programs comes from their clients");
    if (nvgpu->system_bytes > SYSTEM_MOST)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the driver's own memory is at most 4 GiB");
    nvgpu->system = calloc(1, nvgpu->system_bytes);
    if (!nvgpu->system)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the driver's own");
    device.gpu.system_bytes = nvgpu->system_bytes;
    device.gpu.system_map = system_map;
    device.gpu.opaque = nvgpu;
    device.fault = fault;
    device.software = device.software ? software : NULL;
    device.user_event = nvgpu_user_event;
    device.opaque = nvgpu;
    nvgpu->device = pfifo_device_open(&device, error);
    if (!nvgpu->device)
        return error ? error->status : PFIFO_ERROR_MEMORY;
    if (!pfifo_syncpoint_count(nvgpu->device) || pfifo_syncpoint_count(nvgpu->device) > NVGPU_SYNCPOINTS)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has no syncpoints", device.gpu.chip->name);
    nvgpu->promised = calloc(pfifo_syncpoint_count(nvgpu->device), sizeof *nvgpu->promised);
    return nvgpu->promised ? PFIFO_OK : pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for syncpoints");
}

struct pfifo_nvgpu *pfifo_nvgpu_new(const struct pfifo_nvgpu_config *config, struct pfifo_error *error) {
    struct pfifo_nvgpu_config known;
    if (!config) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no configuration");
        return NULL;
    }
    if (config_read(&known, sizeof known, config, FIRST_CONFIG, "pfifo_nvgpu_config", error) != PFIFO_OK)
        return NULL;
    struct pfifo_nvgpu *nvgpu = calloc(1, sizeof *nvgpu);
    if (!nvgpu) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a driver");
        return NULL;
    }
    nvgpu->config = known;
    if (!nvgpu->config.budget)
        nvgpu->config.budget = BUDGET;
    if (open_device(nvgpu, error) == PFIFO_OK)
        return nvgpu;
    pfifo_nvgpu_free(nvgpu);
    return NULL;
}

struct pfifo_device *pfifo_nvgpu_device(struct pfifo_nvgpu *nvgpu) {
    return nvgpu ? nvgpu->device : NULL;
}

/* ---- work ---- */

/* True: something of a file has changed what the machine can do. */
static bool nvgpu_look_at(struct pfifo_nvgpu *nvgpu, const struct nvgpu_device *device) {
    bool changed = false;
    for (struct pfifo_nvgpu_client *client = nvgpu->clients; client; client = client->next)
        for (unsigned i = 0; i < NVGPU_FILES; i++)
            if (client->files[i].device == device)
                changed |= device->after_run(&client->files[i]);
    return changed;
}

void nvgpu_signal_waits(struct pfifo_nvgpu *nvgpu) {
    nvgpu_look_at(nvgpu, &nvgpu_control);
}

static enum pfifo_stop nvgpu_run(struct pfifo_nvgpu *nvgpu, uint64_t budget) {
    record_work(nvgpu, budget);
    enum pfifo_stop stop = pfifo_device_run(nvgpu->device, budget);
    record_worked(nvgpu);
    nvgpu->works = stop == PFIFO_STOP_BUDGET;
    return stop;
}

/* A channel that has ended releases those that wait for its syncpoint, so they get a run of their own. */
enum pfifo_stop pfifo_nvgpu_run(struct pfifo_nvgpu *nvgpu, uint64_t budget) {
    enum pfifo_stop stop = nvgpu_run(nvgpu, budget);
    if (nvgpu_look_at(nvgpu, &nvgpu_channel)) {
        stop = nvgpu_run(nvgpu, budget);
        nvgpu_look_at(nvgpu, &nvgpu_channel);
    }
    nvgpu_signal_waits(nvgpu);
    return stop;
}

void nvgpu_work(struct pfifo_nvgpu *nvgpu) {
    pfifo_nvgpu_run(nvgpu, nvgpu->config.budget);
}

uint32_t nvgpu_promised(const struct pfifo_nvgpu *nvgpu, uint32_t syncpoint) {
    uint32_t now = pfifo_gpu_syncpoint(pfifo_device_gpu(nvgpu->device), syncpoint);
    bool ahead = nvgpu->promised[syncpoint] - now < 0x80000000u && !nvgpu_syncpoint_is_display(nvgpu, syncpoint);
    return ahead ? nvgpu->promised[syncpoint] : now;
}

uint64_t nvgpu_time(const struct pfifo_nvgpu *nvgpu) {
    enum { TIME_LOW = 0x9400, TIME_HIGH = 0x9410 };
    struct pfifo_gpu *gpu = pfifo_device_gpu(nvgpu->device);
    uint32_t low = pfifo_gpu_rd32(gpu, TIME_LOW);
    return (uint64_t)pfifo_gpu_rd32(gpu, TIME_HIGH) << 32 | low;
}

/* ---- clients ---- */

struct pfifo_nvgpu_client *pfifo_nvgpu_client_new(struct pfifo_nvgpu *nvgpu, const struct pfifo_nvgpu_memory *memory,
                                                  struct pfifo_error *error) {
    struct pfifo_nvgpu_memory known = {0};
    if (!nvgpu) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no driver");
        return NULL;
    }
    if (memory && config_read(&known, sizeof known, memory, FIRST_MEMORY, "pfifo_nvgpu_memory", error) != PFIFO_OK)
        return NULL;
    if (memory && !known.at && !known.data) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a process without memory");
        return NULL;
    }
    struct pfifo_nvgpu_client *client = calloc(1, sizeof *client);
    if (!client) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a client");
        return NULL;
    }
    client->nvgpu = nvgpu;
    client->memory = known;
    client->next = nvgpu->clients;
    nvgpu->clients = client;
    return client;
}

/* Channels go before the address spaces that they are in, and these before the memory that is mapped in them. */
static void close_files(struct pfifo_nvgpu_client *client, const struct nvgpu_device *device) {
    for (unsigned i = 0; i < NVGPU_FILES; i++)
        if (client->files[i].device && (!device || client->files[i].device == device))
            pfifo_nvgpu_close(client, client->files[i].fd);
}

static void end_client(struct pfifo_nvgpu_client *client) {
    close_files(client, &nvgpu_channel);
    close_files(client, &nvgpu_space);
    close_files(client, NULL);
    nvgpu_objects_leave(client);
    free(client->held);
    free(client);
}

void pfifo_nvgpu_client_free(struct pfifo_nvgpu_client *client) {
    if (!client)
        return;
    struct pfifo_nvgpu_client **link = &client->nvgpu->clients;
    while (*link != client)
        link = &(*link)->next;
    *link = client->next;
    end_client(client);
}

void pfifo_nvgpu_free(struct pfifo_nvgpu *nvgpu) {
    if (!nvgpu)
        return;
    if (nvgpu->record)
        pfifo_nvgpu_record_end(nvgpu, NULL);
    for (struct pfifo_nvgpu_client *client; (client = nvgpu->clients);) {
        nvgpu->clients = client->next; /* what happens while it ends does not look for it */
        end_client(client);
    }
    pfifo_device_close(nvgpu->device);
    nvgpu_forget_objects(nvgpu);
    free(nvgpu->bus.range);
    free(nvgpu->events);
    free(nvgpu->promised);
    free(nvgpu->system);
    free(nvgpu);
}
