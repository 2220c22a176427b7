/* SPDX-License-Identifier: MIT */
#include "engine/core/plug.h"

#include "gpu/gpu.h"

#define CLASS_MOST 0xffffu

/* NULL: the chip has no such unit, or no engine is in it. */
static struct fifo_engine *engine_in(struct pfifo_gpu *gpu, const char *unit) {
    for (unsigned id = 0; unit && id < CHIP_MAX_ENGINES; id++)
        if (gpu->fifo->engines[id].ops && strcmp(chip_unit_name(gpu->fifo->engines[id].unit), unit) == 0)
            return &gpu->fifo->engines[id];
    return NULL;
}

enum pfifo_status pfifo_gpu_add_class(struct pfifo_gpu *gpu, const char *unit, uint32_t object_class,
                                      const struct pfifo_class_ops *ops, void *opaque, struct pfifo_error *error) {
    struct fifo_engine *slot = engine_in(gpu, unit);
    if (gpu->running)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a class cannot be plugged in while the GPU runs");
    if (!slot)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s has no unit %s for classes", gpu->chip->name,
                               unit ? unit : "(none)");
    if (!slot->built_in)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%s has the engine %s of the embedder", unit,
                               slot->ops->name ? slot->ops->name : "(no name)");
    if (!object_class || object_class > CLASS_MOST)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "0x%x is not a class", object_class);
    return engine_plug(slot->engine, object_class, ops, opaque, error);
}
