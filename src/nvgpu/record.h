/* SPDX-License-Identifier: MIT */
/*
 * A recording of what programs submit, as a capture of version 2 (docs/capture-format.md).
 *
 *   calls --> spaces, mappings, channels, submissions --.
 *   CPU writes, found by comparing pages before a run ---+--> records --> the owner's writer
 *   runs of the machine ---------------------------------'
 *
 * Numbers of buffers, spaces and channels are those that the device below gives them. Each function does nothing if it
 * is not recorded. An error ends the recording, and is told at its end.
 */
#ifndef PFIFO_SRC_NVGPU_RECORD_H
#define PFIFO_SRC_NVGPU_RECORD_H

#include <pfifo/stream.h>

#include "nvgpu/channel.h"
#include "nvgpu/writer.h"

/* Of a capture before it is compressed: readers refuse more. Room is left for its end. */
#define RECORD_BYTES (PFIFO_STREAM_WHOLE_LIMIT - (UINT64_C(1) << 20))

struct nvgpu_record {
    const struct stream_writer_ops *ops;
    struct pfifo_stream_writer *writer;
    struct pfifo_error error;
    bool ended; /* by an error, or as it has become too long */
    uint64_t bytes;
    uint32_t sequence; /* of the last submission */
};

/* What has happened, after it. */
void record_object(const struct pfifo_nvgpu *nvgpu, const struct nvgpu_object *object);
void record_space(const struct nvgpu_as *as, const struct pfifo_vm_config *config);
void record_sparse(const struct nvgpu_as *as, uint64_t address, uint64_t bytes, bool sparse);
void record_map(const struct nvgpu_as *as, const struct pfifo_vm_map *map);
void record_remap(const struct nvgpu_as *as, const struct pfifo_vm_map *map);
void record_unmap(const struct nvgpu_as *as, uint64_t address, uint64_t bytes);
void record_channel(const struct pfifo_nvgpu *nvgpu, const struct channel_file *channel);
void record_commands(const struct pfifo_nvgpu *nvgpu, const struct pfifo_buffer *commands);
void record_syncpoint(const struct pfifo_nvgpu *nvgpu, uint32_t syncpoint, bool set, uint32_t value);

/* What ends, before it. */
void record_object_end(const struct pfifo_nvgpu *nvgpu, struct nvgpu_object *object);
void record_space_end(const struct nvgpu_as *as);
void record_channel_end(const struct pfifo_nvgpu *nvgpu, const struct channel_file *channel);
void record_commands_end(const struct pfifo_nvgpu *nvgpu, const struct pfifo_buffer *commands);

/* A submission with all its entries, and the fences that it waits for (NULL: none) and was told. */
struct record_submission {
    const struct channel_file *channel;
    const uint64_t *entries;
    size_t count;
    const struct pfifo_stream_wait *wait;
    uint32_t fence;
};
void record_submit(const struct pfifo_nvgpu *nvgpu, const struct record_submission *submission);

/* Something that captures have no record for. */
void record_note(const struct pfifo_nvgpu *nvgpu, const char *note);

/* Before and after the machine works for at most so many units. */
void record_work(const struct pfifo_nvgpu *nvgpu, uint64_t units);
void record_worked(const struct pfifo_nvgpu *nvgpu);

/* ---- between record.c and record_memory.c ---- */

/* Append a record with so many bytes of data. False: the recording has ended. */
bool record_append(struct nvgpu_record *record, const struct pfifo_stream_record *what, uint64_t bytes);
/* What is in a part of a buffer is in a record already: it is not told again. */
void record_told(const struct pfifo_nvgpu *nvgpu, uint32_t buffer, uint64_t offset, const uint8_t *data,
                 uint64_t bytes);
/* It goes on no more. */
void record_fail(struct nvgpu_record *record, enum pfifo_status status, const char *message);

#endif
