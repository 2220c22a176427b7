/* SPDX-License-Identifier: MIT */
/* The beginning of a recording. */
#include "nvgpu/record.h"

#include <stdio.h>
#include <stdlib.h>

/* What is there already is not in the page tables of a replay. */
static enum pfifo_status check_begin(const struct pfifo_nvgpu *nvgpu, struct pfifo_error *error) {
    if (nvgpu->record)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "it is recorded already");
    for (const struct pfifo_nvgpu_client *client = nvgpu->clients; client; client = client->next)
        for (unsigned i = 0; i < NVGPU_FILES; i++) {
            const struct nvgpu_file *file = &client->files[i];
            const struct nvgpu_as *as = file->device && file->device->space ? file->device->space(file) : NULL;
            if (as && as->vm)
                return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                                       "a recording begins before the first address space is initialised");
        }
    return PFIFO_OK;
}

static enum pfifo_status record_begin_file(const struct pfifo_nvgpu *nvgpu, struct pfifo_stream_writer *writer,
                                           struct pfifo_error *error) {
    const struct pfifo_chip *chip = pfifo_gpu_chip(pfifo_device_gpu(nvgpu->device));
    const struct stream_writer_ops *ops = stream_writer_ops(writer);
    char chipset[16];
    enum pfifo_status status = ops->version(writer, 2, error);
    snprintf(chipset, sizeof chipset, "0x%x", (unsigned)pfifo_chip_info(chip).id);
    if (status == PFIFO_OK)
        status = ops->text(writer, "chipset", chipset, error);
    if (status == PFIFO_OK)
        status = ops->text(writer, "driver", "nvgpu, pfifo's", error);
    return status;
}

static void record_syncpoints(const struct pfifo_nvgpu *nvgpu) {
    struct pfifo_gpu *gpu = pfifo_device_gpu(nvgpu->device);
    for (uint32_t i = 0; i < pfifo_syncpoint_count(nvgpu->device); i++)
        if (pfifo_gpu_syncpoint(gpu, i))
            record_syncpoint(nvgpu, i, true, pfifo_gpu_syncpoint(gpu, i));
}

enum pfifo_status pfifo_nvgpu_record(struct pfifo_nvgpu *nvgpu, struct pfifo_stream_writer *writer,
                                     struct pfifo_error *error) {
    if (!nvgpu || !writer)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a recording needs a driver and a writer");
    enum pfifo_status status = check_begin(nvgpu, error);
    if (status == PFIFO_OK)
        status = record_begin_file(nvgpu, writer, error);
    if (status != PFIFO_OK)
        return status;
    nvgpu->record = calloc(1, sizeof *nvgpu->record);
    if (!nvgpu->record)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a recording");
    nvgpu->record->writer = writer;
    nvgpu->record->ops = stream_writer_ops(writer);
    record_syncpoints(nvgpu);
    for (uint32_t i = 0; i < nvgpu->object_count; i++)
        if (nvgpu->objects[i] && nvgpu->objects[i]->buffer)
            record_object(nvgpu, nvgpu->objects[i]);
    return PFIFO_OK;
}
