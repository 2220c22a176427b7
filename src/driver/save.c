/* SPDX-License-Identifier: MIT */
/*
 * Saving and loading a device.
 *
 *   "DEV " chip, counters, pools, what the family keeps | "DBUF" buffers | "DVM " spaces | "DCHN" channels
 *   "MACH" a piece of the GPU's own stream, as often as needed
 *
 * Loading: the stream is read into a copy of the device and checked, then the GPU is loaded, then the copy takes the
 * device's place. So an error changes nothing: if the GPU does not load, it gets back what it was before.
 */
#include "driver/save.h"

#include "state/bytes.h"

#include <pfifo/state.h>

#include <stdlib.h>
#include <string.h>

#define CHIP_BYTES  16
#define PIECE_BYTES (UINT32_C(1) << 20)

uint32_t save_count(struct state_io *io, uint64_t count, uint32_t item_bytes, const char *what) {
    size_t most = io->loading ? (io->end - io->at) / item_bytes : UINT32_MAX;
    return state_count(io, (uint32_t)count, most < UINT32_MAX ? (uint32_t)most : UINT32_MAX, what);
}

void save_check(struct state_io *io, bool so, const char *what) {
    if (io->loading && !so)
        state_fail(io, PFIFO_ERROR_FORMAT, "%s cannot be", what);
}

/* ---- the device ---- */

static void save_same(struct state_io *io, uint64_t own, const char *what) {
    uint64_t found = own;
    state_u64(io, &found);
    if (found != own)
        state_fail(io, PFIFO_ERROR_ARGUMENT, "the device that was saved has another %s: 0x%llx, this one 0x%llx", what,
                   (unsigned long long)found, (unsigned long long)own);
}

static void save_identity(struct device_save *save) {
    struct pfifo_device *device = save->device;
    char name[CHIP_BYTES] = {0}, found[CHIP_BYTES];
    for (size_t i = 0; i < CHIP_BYTES - 1 && device->chip->name[i]; i++)
        name[i] = device->chip->name[i];
    memcpy(found, name, sizeof found);
    state_bytes(save->io, found, sizeof found);
    if (memcmp(found, name, sizeof found) != 0)
        state_fail(save->io, PFIFO_ERROR_ARGUMENT, "this is the state of a %.*s, not of a %s", CHIP_BYTES - 1, found,
                   name);
    save_same(save->io, device->vram.end, "size of VRAM");
    save_same(save->io, device->system.end, "size of system memory");
    save_same(save->io, device->bar1.end, "size of BAR 1");
    save_same(save->io, device->config.gpu.system_map != NULL, "owner of system memory");
}

static void save_device(struct device_save *save) {
    struct pfifo_device *device = save->device;
    struct state_io *io = save->io;
    if (state_begin(io, "DEV ", 1)) {
        save_identity(save);
        state_u64(io, &device->faults);
        state_u32(io, &device->ignored_lines);
        state_u32(io, &device->window);
        state_bool(io, &device->window_valid);
        state_u64(io, &device->channel_ids);
        state_u32(io, &device->ids);
        save_pool(io, &device->vram);
        save_pool(io, &device->system);
        save_pool(io, &device->bar1);
        device->ops->device_state(save);
    }
    state_end(io);
}

static void save_lists(struct device_save *save) {
    save_device(save);
    save_buffers(save);
    save_spaces(save);
    save_channels(save);
}

/* ---- the GPU's stream ---- */

struct pieces {
    struct state_io *io;
    uint8_t *data;
    uint32_t used;
};

static void save_write_piece(struct pieces *pieces) {
    if (state_begin(pieces->io, "MACH", 1)) {
        state_u32(pieces->io, &pieces->used);
        state_bytes(pieces->io, pieces->data, pieces->used);
    }
    state_end(pieces->io);
    pieces->used = 0;
}

static bool collect_pieces(void *opaque, const void *data, size_t bytes) {
    struct pieces *pieces = opaque;
    const uint8_t *from = data;
    for (size_t step; bytes; from += step, bytes -= step) {
        size_t left = PIECE_BYTES - pieces->used;
        step = bytes < left ? bytes : left;
        memcpy(pieces->data + pieces->used, from, step);
        pieces->used += (uint32_t)step;
        if (pieces->used == PIECE_BYTES)
            save_write_piece(pieces);
    }
    return state_good(pieces->io);
}

static void save_machine(struct device_save *save) {
    struct pieces pieces = {.io = save->io, .data = malloc(PIECE_BYTES)};
    struct pfifo_error error = {0};
    if (!pieces.data) {
        state_fail(save->io, PFIFO_ERROR_MEMORY, "no memory to save the machine");
        return;
    }
    enum pfifo_status status = pfifo_gpu_save(save->device->gpu, collect_pieces, &pieces, &error);
    if (status != PFIFO_OK)
        state_fail(save->io, status, "%s", error.message);
    if (pieces.used)
        save_write_piece(&pieces);
    free(pieces.data);
}

static void read_machine(struct state_io *io, struct state_bytes *machine) {
    while (state_next_is(io, "MACH")) {
        uint32_t bytes = 0;
        const uint8_t *data = NULL;
        if (state_begin(io, "MACH", 1)) {
            state_u32(io, &bytes);
            data = state_take(io, bytes);
            state_take(io, -bytes & 3);
        }
        state_end(io);
        if (data && state_good(io) && !state_bytes_write(machine, data, bytes))
            state_fail(io, PFIFO_ERROR_MEMORY, "no memory to load the machine");
    }
}

/* ---- saving ---- */

static enum pfifo_status can_be_saved(const struct pfifo_device *device, struct pfifo_error *error) {
    if (!device)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no device");
    if (!device->ops->device_state)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "a device of %s cannot be saved: GF100 and later can",
                               device->chip->name);
    return PFIFO_OK;
}

enum pfifo_status pfifo_device_save(struct pfifo_device *device, pfifo_writer write, void *opaque,
                                    struct pfifo_error *error) {
    struct state_io io;
    struct device_save save = {.io = &io, .device = device, .real = device};
    enum pfifo_status status = can_be_saved(device, error);
    if (status != PFIFO_OK)
        return status;
    state_open_save(&io, write, opaque, error);
    save_lists(&save);
    if (state_good(&io))
        save_machine(&save);
    return state_close(&io);
}

/* ---- loading ---- */

/* The same device with nothing in it. */
static struct pfifo_device *empty_copy(const struct pfifo_device *device) {
    struct pfifo_device *copy = malloc(device->ops->device_bytes);
    if (!copy)
        return NULL;
    memcpy(copy, device, device->ops->device_bytes);
    copy->buffers = NULL;
    copy->vms = copy->vm = NULL;
    copy->channels = NULL;
    struct pool *pools[] = {&copy->vram, &copy->system, &copy->bar1};
    for (size_t i = 0; i < sizeof pools / sizeof pools[0]; i++) {
        pools[i]->ranges = NULL;
        pools[i]->count = pools[i]->room = 0;
    }
    return copy;
}

static enum pfifo_status load_gpu(struct pfifo_gpu *gpu, const struct state_bytes *machine, struct pfifo_error *error) {
    struct state_bytes before = {0};
    enum pfifo_status status = pfifo_gpu_save(gpu, state_bytes_write, &before, error);
    if (status == PFIFO_OK) {
        status = pfifo_gpu_load(gpu, machine->data, machine->used, error);
        if (status != PFIFO_OK)
            pfifo_gpu_load(gpu, before.data, before.used, NULL);
    }
    free(before.data);
    return status;
}

void save_swap(struct pfifo_device *device, struct pfifo_device *copy) {
    size_t bytes = device->ops->device_bytes;
    uint8_t *one = (uint8_t *)device, *other = (uint8_t *)copy;
    for (size_t i = 0; i < bytes; i++) {
        uint8_t byte = one[i];
        one[i] = other[i];
        other[i] = byte;
    }
}

enum pfifo_status pfifo_device_load(struct pfifo_device *device, const void *data, size_t bytes,
                                    struct pfifo_error *error) {
    struct state_io io;
    struct state_bytes machine = {0};
    enum pfifo_status status = can_be_saved(device, error);
    if (status == PFIFO_OK && !data)
        status = pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no state");
    if (status != PFIFO_OK)
        return status;
    struct pfifo_device *copy = empty_copy(device);
    if (!copy)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a device");
    struct device_save save = {.io = &io, .device = copy, .real = device};
    state_open_load(&io, data, bytes, error);
    save_lists(&save);
    read_machine(&io, &machine);
    status = state_close(&io);
    if (status == PFIFO_OK)
        status = load_gpu(device->gpu, &machine, error);
    if (status == PFIFO_OK)
        save_swap(device, copy);
    save_drop_lists(copy);
    free(save.buffers);
    free(machine.data);
    free(copy);
    return status;
}
