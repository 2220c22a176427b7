/* SPDX-License-Identifier: MIT */
/*
 * The stream of a whole GPU, unit by unit from below upwards; each unit has its own sections (src/state/state.h).
 *
 *   "GPU " chip and sizes, events sent | memory | bus | fifo | "ENG " for each engine id
 *
 * After a load that failed, the GPU is as after power-on: it loads the state of a new GPU.
 */
#include <pfifo/state.h>

#include <assert.h>
#include <stdlib.h>

#include "gpu/gpu.h"
#include "memory/reset.h"
#include "state/bytes.h"
#include "state/state.h"
#include "unit/falcon/falcons.h"

#define CHIP_NAME_BYTES 16

/* ---- which GPU it is ---- */

struct identity {
    char chip[CHIP_NAME_BYTES];
    uint64_t vram_bytes, system_bytes;
    bool host_memory; /* system memory is the embedder's */
};

static struct identity identity_of(const struct pfifo_gpu *gpu) {
    const struct memory_config *config = &gpu->memory.config;
    struct identity identity = {.vram_bytes = config->vram_bytes,
                                .system_bytes = config->system_bytes,
                                .host_memory = config->host.map != NULL};
    for (size_t i = 0; i < CHIP_NAME_BYTES - 1 && gpu->chip->name[i]; i++)
        identity.chip[i] = gpu->chip->name[i];
    return identity;
}

static void save_compare(struct state_io *io, const struct identity *found, const struct identity *own) {
    if (memcmp(found->chip, own->chip, CHIP_NAME_BYTES) != 0)
        state_fail(io, PFIFO_ERROR_ARGUMENT, "this is the state of a %.*s, not of a %s", CHIP_NAME_BYTES, found->chip,
                   own->chip);
    else if (found->vram_bytes != own->vram_bytes)
        state_fail(io, PFIFO_ERROR_ARGUMENT, "it has 0x%llx bytes of VRAM, this GPU 0x%llx",
                   (unsigned long long)found->vram_bytes, (unsigned long long)own->vram_bytes);
    else if (found->host_memory != own->host_memory)
        state_fail(io, PFIFO_ERROR_ARGUMENT, "its system memory is %s",
                   own->host_memory ? "its own" : "the embedder's");
    else if (found->system_bytes != own->system_bytes)
        state_fail(io, PFIFO_ERROR_ARGUMENT, "it has 0x%llx bytes of system memory, this GPU 0x%llx",
                   (unsigned long long)found->system_bytes, (unsigned long long)own->system_bytes);
}

static void save_state_gpu(struct pfifo_gpu *gpu, struct state_io *io) {
    const struct identity own = identity_of(gpu);
    struct identity identity = own;
    if (state_begin(io, "GPU ", 1)) {
        state_bytes(io, identity.chip, sizeof identity.chip);
        state_u64(io, &identity.vram_bytes);
        state_u64(io, &identity.system_bytes);
        state_bool(io, &identity.host_memory);
        state_u64(io, &gpu->events.sent);
        save_compare(io, &identity, &own);
    }
    state_end(io);
}

/* ---- engines ---- */

static void power_on_engine(const struct pfifo_gpu *gpu, struct fifo_engine *slot) {
    slot->used = false;
    slot->channel = UINT32_MAX;
    if (slot->ops && slot->ops->load)
        slot->ops->load(slot->engine, NULL, 0, NULL);
    for (uint32_t id = 0; slot->ops && !slot->ops->load && slot->ops->channel_gone && id < gpu->chip->channels; id++)
        slot->ops->channel_gone(slot->engine, id);
}

static void save_engine(const struct fifo_engine *slot, struct state_io *io) {
    struct state_bytes bytes = {0};
    struct pfifo_error error = {.message = "it gives no reason"};
    bool there = slot->ops && slot->ops->save;
    enum pfifo_status status = there ? slot->ops->save(slot->engine, state_bytes_write, &bytes, &error) : PFIFO_OK;
    if (status != PFIFO_OK)
        state_fail(io, status, "engine %s: %s", slot->ops->name, error.message);
    else if (slot->ops && !there && slot->used)
        state_fail(io, PFIFO_ERROR_UNSUPPORTED, "engine %s cannot be saved", slot->ops->name);
    uint64_t length = bytes.used;
    state_bool(io, &there);
    state_u64(io, &length);
    if (bytes.used)
        state_bytes(io, bytes.data, bytes.used);
    free(bytes.data);
}

static void load_engine(struct fifo_engine *slot, struct state_io *io) {
    struct pfifo_error error = {.message = "it gives no reason"};
    bool there = false;
    uint64_t length = 0;
    state_bool(io, &there);
    state_u64(io, &length);
    if (!there || !state_good(io))
        return;
    if (!slot->ops || !slot->ops->load) {
        state_fail(io, PFIFO_ERROR_UNSUPPORTED, "engine %s cannot be loaded", slot->ops ? slot->ops->name : "none");
        return;
    }
    const uint8_t *data = length <= io->bytes ? state_take(io, (size_t)length) : NULL;
    if (data)
        state_take(io, (size_t)(-length & 3));
    else
        state_fail(io, PFIFO_ERROR_FORMAT, "it ends too early");
    enum pfifo_status status = state_good(io) ? slot->ops->load(slot->engine, data, (size_t)length, &error) : PFIFO_OK;
    if (status != PFIFO_OK)
        state_fail(io, status, "engine %s: %s", slot->ops->name, error.message);
    slot->used = true;
}

/* Comes before the fifo's sections, which refer to the channel that an engine last worked for. */
static void state_engines(struct pfifo_gpu *gpu, struct state_io *io) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
        struct fifo_engine *slot = &gpu->fifo->engines[id];
        if (io->loading)
            power_on_engine(gpu, slot);
        if (state_begin(io, "ENG ", 1)) {
            if (io->loading)
                load_engine(slot, io);
            else
                save_engine(slot, io);
        }
        state_end(io);
    }
}

/* ---- all of it ---- */

static void state_units(struct pfifo_gpu *gpu, struct state_io *io) {
    memory_state(&gpu->memory, io);
    bus_state(&gpu->bus, io);
    falcons_state(gpu->falcons, io);
    fifo_state(gpu->fifo, io);
}

enum pfifo_status pfifo_gpu_save(struct pfifo_gpu *gpu, pfifo_writer write, void *opaque, struct pfifo_error *error) {
    struct state_io io;
    if (gpu->running)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a GPU cannot be saved while it runs");
    state_open_save(&io, write, opaque, error);
    save_state_gpu(gpu, &io);
    state_engines(gpu, &io);
    state_units(gpu, &io);
    return state_close(&io);
}

/* The state of a new GPU like this one. */
static enum pfifo_status save_power_on(const struct pfifo_gpu *gpu, struct state_bytes *bytes,
                                       struct pfifo_error *error) {
    const struct memory_config *memory = &gpu->memory.config;
    const struct pfifo_config config = {.chip = gpu->chip,
                                        .vram_bytes = memory->vram_bytes,
                                        .system_bytes = memory->system_bytes,
                                        .system_map = memory->host.map,
                                        .opaque = memory->host.opaque};
    /* The saved state does not depend on the size of BAR1. */
    struct pfifo_gpu *fresh = pfifo_gpu_new(&config, error);
    if (!fresh)
        return PFIFO_ERROR_MEMORY;
    struct state_io io;
    state_open_save(&io, state_bytes_write, bytes, error);
    state_units(fresh, &io);
    enum pfifo_status status = state_close(&io);
    pfifo_gpu_free(fresh);
    return status;
}

/* `bytes` has no pages of memory: they are zero in a new GPU. */
static void power_on(struct pfifo_gpu *gpu, const struct state_bytes *bytes, bool keep_memory) {
    struct state_io io;
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++)
        power_on_engine(gpu, &gpu->fifo->engines[id]);
    gpu->events.sent = 0;
    state_open_load(&io, bytes->data, bytes->used, NULL);
    if (keep_memory)
        memory_state_registers(&gpu->memory, &io);
    else
        memory_state(&gpu->memory, &io);
    bus_state(&gpu->bus, &io);
    falcons_state(gpu->falcons, &io);
    fifo_state(gpu->fifo, &io);
    enum pfifo_status status = state_close(&io);
    assert(status == PFIFO_OK);
    (void)status;
}

/* While a state is loaded piece by piece, changes of the interrupt line are not reported; only the final level is. */
struct silence {
    void (*line_changed)(void *opaque, bool level);
    bool level;
};

static struct silence silence_line(struct pfifo_gpu *gpu) {
    struct silence silence = {gpu->bus.line_changed, gpu->bus.line};
    gpu->bus.line_changed = NULL;
    return silence;
}

static void end_silence(struct pfifo_gpu *gpu, const struct silence *silence) {
    gpu->bus.line_changed = silence->line_changed;
    if (gpu->bus.line_changed && gpu->bus.line != silence->level)
        gpu->bus.line_changed(gpu->bus.line_opaque, gpu->bus.line);
}

enum pfifo_status pfifo_gpu_load(struct pfifo_gpu *gpu, const void *data, size_t bytes, struct pfifo_error *error) {
    struct state_bytes fresh = {0};
    struct state_io io;
    if (gpu->running)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a GPU cannot be loaded while it runs");
    enum pfifo_status status = save_power_on(gpu, &fresh, error);
    struct silence silence = silence_line(gpu);
    if (status == PFIFO_OK) {
        state_open_load(&io, data, bytes, error);
        save_state_gpu(gpu, &io);
        state_engines(gpu, &io);
        state_units(gpu, &io);
        status = state_close(&io);
        if (status != PFIFO_OK)
            power_on(gpu, &fresh, false);
    }
    end_silence(gpu, &silence);
    gpu->work_told = false;
    gpu_tell_work(gpu);
    free(fresh.data);
    return status;
}

enum pfifo_status pfifo_gpu_reset(struct pfifo_gpu *gpu, unsigned flags, struct pfifo_error *error) {
    struct state_bytes fresh = {0};
    if (gpu->running)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a GPU cannot be reset while it runs");
    if (flags & ~PFIFO_RESET_KEEP_MEMORY)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a reset has no flags 0x%x", flags);
    enum pfifo_status status = save_power_on(gpu, &fresh, error);
    struct silence silence = silence_line(gpu);
    if (status == PFIFO_OK) {
        power_on(gpu, &fresh, (flags & PFIFO_RESET_KEEP_MEMORY) != 0);
        gpu->fifo->stop = (struct pfifo_stop_info){0};
        gpu->work_told = false;
    }
    end_silence(gpu, &silence);
    free(fresh.data);
    return status;
}
