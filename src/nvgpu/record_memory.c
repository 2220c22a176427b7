/* SPDX-License-Identifier: MIT */
/*
 * What programs write to memory that the GPU sees. Nobody tells: each object that is mapped is compared, before the
 * machine works, with what was in it when the machine had worked last.
 *
 * Not modelled: memory that a program has given to two objects. They are two buffers of the capture, and what the GPU
 * writes to one is written to the other by the CPU.
 */
#include "nvgpu/record.h"

#include <stdlib.h>

/* Memory of an object at a page. NULL: it has gone. */
static const uint8_t *record_memory_page_at(const struct nvgpu_object *object, uint64_t offset) {
    uint64_t bytes = NVGPU_PAGE;
    const uint8_t *page = nvgpu_object_memory(object, offset, &bytes);
    return bytes >= NVGPU_PAGE ? page : NULL;
}

/* The bytes of a page that differ, as one piece. */
static void append_page(struct nvgpu_record *record, const struct nvgpu_object *object, uint64_t offset,
                        const uint8_t *page) {
    const uint8_t *before = object->recorded + offset;
    size_t first = 0, end = NVGPU_PAGE;
    while (page[first] == before[first])
        first++;
    while (page[end - 1] == before[end - 1])
        end--;
    record_append(record,
                  &(const struct pfifo_stream_record){.type = PFIFO_STREAM_WRITE,
                                                      .write = {.handle = pfifo_buffer_id(object->buffer),
                                                                .offset = offset + first,
                                                                .data = page + first,
                                                                .bytes = end - first}},
                  end - first);
}

/* Compare, or only remember. */
static void record_memory_look_at(struct nvgpu_record *record, const struct nvgpu_object *object, bool tell) {
    for (uint64_t at = 0; at < object->bytes && !record->ended; at += NVGPU_PAGE) {
        const uint8_t *page = record_memory_page_at(object, at);
        if (!page || memcmp(page, object->recorded + at, NVGPU_PAGE) == 0)
            continue;
        if (tell)
            append_page(record, object, at, page);
        memcpy(object->recorded + at, page, NVGPU_PAGE);
    }
}

/* A new buffer is all zeros. False: no memory. */
static bool has_memory_of(struct nvgpu_record *record, struct nvgpu_object *object) {
    if (!object->recorded)
        object->recorded = calloc(1, object->bytes);
    if (!object->recorded)
        record_fail(record, PFIFO_ERROR_MEMORY, "the recording has ended: no memory for what was in memory");
    return object->recorded;
}

static void look_at_all(const struct pfifo_nvgpu *nvgpu, struct nvgpu_record *record, bool tell) {
    for (uint32_t i = 0; i < nvgpu->object_count; i++) {
        struct nvgpu_object *object = nvgpu->objects[i];
        if (!object || !object->buffer || !object->mappings)
            continue;
        if (has_memory_of(record, object))
            record_memory_look_at(record, object, tell);
    }
}

void record_told(const struct pfifo_nvgpu *nvgpu, uint32_t buffer, uint64_t offset, const uint8_t *data,
                 uint64_t bytes) {
    for (uint32_t i = 0; i < nvgpu->object_count; i++) {
        struct nvgpu_object *object = nvgpu->objects[i];
        if (!object || !object->buffer || pfifo_buffer_id(object->buffer) != buffer)
            continue;
        if (has_memory_of(nvgpu->record, object))
            memcpy(object->recorded + offset, data, bytes);
        return;
    }
}

void record_work(const struct pfifo_nvgpu *nvgpu, uint64_t units) {
    struct nvgpu_record *record = nvgpu->record;
    if (!record || record->ended)
        return;
    look_at_all(nvgpu, record, true);
    record_append(record, &(const struct pfifo_stream_record){.type = PFIFO_STREAM_RUN, .run = {.units = units}}, 0);
}

void record_worked(const struct pfifo_nvgpu *nvgpu) {
    if (nvgpu->record && !nvgpu->record->ended)
        look_at_all(nvgpu, nvgpu->record, false);
}
