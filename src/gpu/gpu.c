/* SPDX-License-Identifier: MIT */
#include "gpu/gpu.h"

#include <pfifo/engine.h>

#include <stdlib.h>

#include "chip/config.h"
#include "chip/family.h"
#include "chip/units.h"
#include "engine/engines.h"
#include "engine/shade/compile/compile.h"
#include "engine/shade/program.h"
#include "unit/falcon/falcons.h"

#define SYSTEM_BYTES_DEFAULT (UINT64_C(1) << 30)
#define TABLES_BYTES         (UINT64_C(16) << 20) /* of memories that are never read */

static struct memory_config memory_config_of(struct pfifo_gpu *gpu, const struct pfifo_config *config) {
    struct memory_config memory = {
        .chip = gpu->chip, .events = &gpu->events, .vram = config->vram, .system = config->system};
    if (gpu->chip->vram_bytes)
        memory.vram_bytes = config->vram_bytes ? config->vram_bytes : gpu->chip->vram_bytes;
    if (config->system_map)
        memory.host = (struct memory_host){config->system_map, config->opaque};
    else
        memory.system_bytes = config->system_bytes ? config->system_bytes : SYSTEM_BYTES_DEFAULT;
    return memory;
}

/* From the lowest layer up. pfifo_gpu_free tears down what exists, also after a failure midway. */
static enum pfifo_status gpu_assemble(struct pfifo_gpu *gpu, const struct pfifo_config *config,
                                      struct pfifo_error *error) {
    struct memory_config memory = memory_config_of(gpu, config);
    enum pfifo_status status = memory_init(&gpu->memory, &memory, error);
    if (status != PFIFO_OK)
        return status;
    struct bus_clock clock = {config->clock, config->opaque};
    status = bus_init(&gpu->bus, gpu->chip, &gpu->memory, &gpu->events, &clock, error);
    if (status != PFIFO_OK)
        return status;
    status = falcons_new(&gpu->falcons, &gpu->bus, error);
    if (status != PFIFO_OK)
        return status;
    gpu->bus.line_changed = config->irq;
    gpu->bus.line_opaque = config->opaque;
    gpu->work = config->work;
    gpu->opaque = config->opaque;
    if (config->bar1_bytes)
        bus_resize_bar1(&gpu->bus, config->bar1_bytes);
    if (!gpu->chip->family->fifo)
        return fifo_attach_names(&gpu->bus, &gpu->names, error);
    status = fifo_new(&gpu->fifo, gpu->chip, &gpu->memory, &gpu->bus, &gpu->events, error);
    if (status != PFIFO_OK)
        return status;
    gpu->fifo->materialise = config->materialise_cache;
    gpu->fifo->side_by_side = config->side_by_side;
    gpu->fifo->side_opaque = config->opaque;
    gpu->fifo->programs = gpu->programs = shade_cache_new(config->no_compile ? NULL : shade_compiler());
    return engine_install(gpu->fifo, error);
}

/* Version 0.1 ended with bar1_bytes. A field that ends in padding would be read from a caller that does not have it. */
#define CONFIG_FIRST (offsetof(struct pfifo_config, bar1_bytes) + sizeof(uint64_t))
_Static_assert(sizeof(struct pfifo_config) == offsetof(struct pfifo_config, no_compile) + sizeof(uint64_t),
               "the last field reaches the end");

static enum pfifo_status gpu_read_config(struct pfifo_config *config, const struct pfifo_config *given,
                                         struct pfifo_error *error) {
    *config = (struct pfifo_config){0};
    enum pfifo_status status =
        given ? config_read(config, sizeof *config, given, CONFIG_FIRST, "pfifo_config", error) : PFIFO_OK;
    if (status != PFIFO_OK)
        return status;
    if (!config->chip)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a GPU needs a chip");
    if (!config->chip->family->fifo)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "the machine of %s is not built yet",
                               config->chip->name);
    uint64_t bar1 = config->bar1_bytes;
    if (bar1 && (bar1 < PFIFO_BAR1_MIN || bar1 > PFIFO_BAR1_MAX || (bar1 & (bar1 - 1))))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "BAR1 cannot have 0x%llx bytes: a power of two from 1 MiB on", (unsigned long long)bar1);
    return gpu_check_memory(config, error);
}

/* Chips without a modelled machine get none. */
static struct pfifo_gpu *gpu_make(const struct pfifo_config *config, struct pfifo_error *error) {
    struct pfifo_gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a GPU");
        return NULL;
    }
    gpu->chip = config->chip;
    gpu->registers = (struct pfifo_registers){gpu->chip, &gpu->bus, gpu};
    if (gpu_assemble(gpu, config, error) == PFIFO_OK)
        return gpu;
    pfifo_gpu_free(gpu);
    return NULL;
}

struct pfifo_gpu *pfifo_gpu_new(const struct pfifo_config *given, struct pfifo_error *error) {
    struct pfifo_config config;
    return gpu_read_config(&config, given, error) == PFIFO_OK ? gpu_make(&config, error) : NULL;
}

struct pfifo_gpu *gpu_new_tables(const struct pfifo_chip *chip, struct pfifo_error *error) {
    struct pfifo_config config = {.chip = chip, .vram_bytes = TABLES_BYTES, .system_bytes = TABLES_BYTES};
    return gpu_make(&config, error);
}

void pfifo_gpu_free(struct pfifo_gpu *gpu) {
    if (!gpu)
        return;
    fifo_free(gpu->fifo);
    shade_cache_free(gpu->programs);
    bus_free(&gpu->bus);
    falcons_free(gpu->falcons);
    memory_free(&gpu->memory);
    fifo_names_free(gpu->names);
    free(gpu);
}

const struct pfifo_chip *pfifo_gpu_chip(const struct pfifo_gpu *gpu) {
    return gpu->chip;
}

bool pfifo_gpu_has_work(struct pfifo_gpu *gpu) {
    return fifo_has_work(gpu->fifo);
}

/* Observers and engines must not write, but a driver called by them may; the run under way will see it. */
void gpu_tell_work(struct pfifo_gpu *gpu) {
    if (!gpu->work || gpu->work_told || gpu->running || !fifo_has_work(gpu->fifo))
        return;
    gpu->work_told = true;
    gpu->work(gpu->opaque);
}

uint32_t pfifo_gpu_rd32(struct pfifo_gpu *gpu, uint32_t offset) {
    return bus_rd32(&gpu->bus, offset);
}

void pfifo_gpu_wr32(struct pfifo_gpu *gpu, uint32_t offset, uint32_t value) {
    bus_wr32(&gpu->bus, offset, value);
    gpu_tell_work(gpu);
}

void pfifo_gpu_bar_read(struct pfifo_gpu *gpu, unsigned bar, uint64_t offset, void *data, size_t bytes) {
    bus_bar_read(&gpu->bus, bar, offset, data, bytes);
}

void pfifo_gpu_bar_write(struct pfifo_gpu *gpu, unsigned bar, uint64_t offset, const void *data, size_t bytes) {
    bus_bar_write(&gpu->bus, bar, offset, data, bytes);
    gpu_tell_work(gpu);
}

/* An address that wraps to 0 is beyond the end: the rest of the copy reads 0. */
static void physical_read(struct pfifo_gpu *gpu, enum memory_target target, uint64_t address, void *data,
                          size_t bytes) {
    struct address_space space = address_space_physical(target);
    uint64_t below_end = UINT64_MAX - address;
    size_t inside = bytes <= below_end ? bytes : (size_t)below_end;
    memory_read(&gpu->memory, &space, address, data, inside, NULL);
    if (inside < bytes)
        memset((uint8_t *)data + inside, 0, bytes - inside);
}

static void physical_write(struct pfifo_gpu *gpu, enum memory_target target, uint64_t address, const void *data,
                           size_t bytes) {
    struct address_space space = address_space_physical(target);
    uint64_t below_end = UINT64_MAX - address, protection = memory_unprotect(&gpu->memory);
    memory_write(&gpu->memory, &space, address, data, bytes <= below_end ? bytes : below_end, NULL);
    memory_protect_again(&gpu->memory, protection);
    gpu_tell_work(gpu);
}

void pfifo_gpu_vram_read(struct pfifo_gpu *gpu, uint64_t address, void *data, size_t bytes) {
    physical_read(gpu, MEMORY_VRAM, address, data, bytes);
}

void pfifo_gpu_vram_write(struct pfifo_gpu *gpu, uint64_t address, const void *data, size_t bytes) {
    physical_write(gpu, MEMORY_VRAM, address, data, bytes);
}

void pfifo_gpu_system_read(struct pfifo_gpu *gpu, uint64_t address, void *data, size_t bytes) {
    physical_read(gpu, MEMORY_SYSTEM, address, data, bytes);
}

void pfifo_gpu_system_write(struct pfifo_gpu *gpu, uint64_t address, const void *data, size_t bytes) {
    physical_write(gpu, MEMORY_SYSTEM, address, data, bytes);
}

void pfifo_gpu_vram_clear(struct pfifo_gpu *gpu, uint64_t address, uint64_t bytes) {
    memory_clear(&gpu->memory, MEMORY_VRAM, address, bytes);
    gpu_tell_work(gpu);
}

void pfifo_gpu_system_clear(struct pfifo_gpu *gpu, uint64_t address, uint64_t bytes) {
    memory_clear(&gpu->memory, MEMORY_SYSTEM, address, bytes);
    gpu_tell_work(gpu);
}

uint64_t pfifo_gpu_vram_bytes(const struct pfifo_gpu *gpu) {
    return gpu->chip->vram_bytes ? gpu->memory.config.vram_bytes : pfifo_gpu_system_bytes(gpu);
}

uint64_t pfifo_gpu_system_bytes(const struct pfifo_gpu *gpu) {
    return gpu->memory.config.host.map ? UINT64_MAX : gpu->memory.config.system_bytes;
}

uint64_t pfifo_gpu_bar_bytes(const struct pfifo_gpu *gpu, unsigned bar) {
    return bus_bar_bytes(&gpu->bus, bar);
}

/*
 * The time is read before and after the work, so that PTIMER's alarm is raised even if its registers are not read. With
 * budget left and nothing to do, time passes.
 */
enum pfifo_stop pfifo_gpu_run(struct pfifo_gpu *gpu, uint64_t budget) {
    uint64_t left = budget;
    enum pfifo_stop stop;
    if (gpu->running)
        return PFIFO_STOP_WAITING;
    gpu->running = true;
    gpu->work_told = false;
    do {
        bus_now(&gpu->bus);
        stop = fifo_run(gpu->fifo, &left);
        bus_now(&gpu->bus);
    } while (left > 0 && gpu_pass_to_alarm(gpu));
    gpu->fifo->stop.used = budget - left;
    gpu->running = false;
    return stop;
}

const struct pfifo_stop_info *pfifo_gpu_stop_info(const struct pfifo_gpu *gpu) {
    return &gpu->fifo->stop;
}

bool pfifo_gpu_irq(const struct pfifo_gpu *gpu) {
    return gpu->bus.line;
}

bool pfifo_gpu_method_value(struct pfifo_gpu *gpu, uint32_t channel, uint32_t object_class, uint32_t method,
                            uint32_t *value) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
        const struct fifo_engine *slot = &gpu->fifo->engines[id];
        if (slot->ops && slot->ops->method_value &&
            slot->ops->method_value(slot->engine, channel, object_class, method, value))
            return true;
    }
    return false;
}

enum pfifo_status pfifo_gpu_observe(struct pfifo_gpu *gpu, const char *globs, pfifo_observer observer, void *opaque,
                                    struct pfifo_error *error) {
    if (!observer)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "there is no function to send events to");
    return event_observe(&gpu->events, globs, observer, opaque, error);
}

void pfifo_gpu_unobserve(struct pfifo_gpu *gpu, pfifo_observer observer, void *opaque) {
    event_unobserve(&gpu->events, observer, opaque);
}

enum pfifo_status pfifo_gpu_set_engine(struct pfifo_gpu *gpu, unsigned id, const struct pfifo_engine_ops *ops,
                                       void *engine, struct pfifo_error *error) {
    if (!ops || !ops->bind || !ops->methods)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "an engine needs the operations bind and methods");
    if (id >= CHIP_MAX_ENGINES || gpu->chip->engines[id] == CHIP_UNIT_NONE)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s has no engine %u", gpu->chip->name, id);
    struct fifo_engine *slot = &gpu->fifo->engines[id];
    if (slot->ops && slot->ops->free)
        slot->ops->free(slot->engine);
    *slot = (struct fifo_engine){.ops = ops, .engine = engine, .unit = gpu->chip->engines[id], .channel = UINT32_MAX};
    return PFIFO_OK;
}

bool pfifo_gpu_engine_line(struct pfifo_gpu *gpu, unsigned id, bool level) {
    enum chip_unit unit = id < CHIP_MAX_ENGINES ? gpu->chip->engines[id] : CHIP_UNIT_NONE;
    uint32_t line = chip_unit_line(gpu->chip, unit);
    if (line)
        bus_interrupt(&gpu->bus, line, level);
    return line != 0;
}
