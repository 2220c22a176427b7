/* SPDX-License-Identifier: MIT */
/* Memory of a GPU that the owner supplies, maps or shares. */
#include "gpu/gpu.h"

/* ---- what is asked for ---- */

static enum pfifo_status gpu_memory_refuse(struct pfifo_error *error, const char *field, const char *why) {
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "pfifo_config.%s: %s", field, why);
}

static enum pfifo_status check_form(const struct pfifo_memory *memory, uint64_t bytes, bool there, const char *field,
                                    struct pfifo_error *error) {
    bool supplied = memory->form == PFIFO_MEMORY_POINTER || memory->form == PFIFO_MEMORY_FD;
    if (memory->form != PFIFO_MEMORY_PRIVATE && !there)
        return gpu_memory_refuse(error, field, "this GPU has no such memory of its own");
    if (supplied && !bytes)
        return gpu_memory_refuse(error, field, "memory that is supplied needs its size");
    return PFIFO_OK;
}

enum pfifo_status gpu_check_memory(const struct pfifo_config *config, struct pfifo_error *error) {
    enum pfifo_status status =
        check_form(&config->vram, config->vram_bytes, config->chip->vram_bytes != 0, "vram", error);
    if (status != PFIFO_OK)
        return status;
    return check_form(&config->system, config->system_bytes, !config->system_map, "system", error);
}

/* ---- for a CPU and other processes ---- */

static void *gpu_memory_map(struct pfifo_gpu *gpu, enum memory_target target) {
    struct memory_own own = memory_own(&gpu->memory, target);
    if (own.data)
        memory_backing_share(&own);
    return own.data;
}

static int gpu_memory_fd(struct pfifo_gpu *gpu, enum memory_target target, struct pfifo_error *error) {
    struct memory_own own = memory_own(&gpu->memory, target);
    bool has_fd = own.data && (own.backing->form == PFIFO_MEMORY_SHARED || own.backing->form == PFIFO_MEMORY_FD);
    if (!has_fd) {
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s of this GPU has no descriptor",
                        target == MEMORY_VRAM ? "VRAM" : "system memory");
        return -1;
    }
    memory_backing_share(&own);
    return own.backing->fd;
}

void *pfifo_gpu_vram_map(struct pfifo_gpu *gpu) {
    return gpu_memory_map(gpu, MEMORY_VRAM);
}

void *pfifo_gpu_system_map(struct pfifo_gpu *gpu) {
    return gpu_memory_map(gpu, MEMORY_SYSTEM);
}

int pfifo_gpu_vram_fd(struct pfifo_gpu *gpu, struct pfifo_error *error) {
    return gpu_memory_fd(gpu, MEMORY_VRAM, error);
}

int pfifo_gpu_system_fd(struct pfifo_gpu *gpu, struct pfifo_error *error) {
    return gpu_memory_fd(gpu, MEMORY_SYSTEM, error);
}
