/* SPDX-License-Identifier: MIT */
/*
 * Files: paths to devices, numbers to calls, and the buffers that go in and come back.
 *
 * What is wrong before a call is reached answers as switchbrew's wiki and emulators have it. UNKNOWN: a size in the
 * request number that is not that of the structure; chosen: INVALID_SIZE if it is smaller, nothing if it is larger.
 */
#include "nvgpu/save.h"

#include <assert.h>
#include <stdlib.h>

#define DIRECTION_IN  0x40000000u
#define DIRECTION_OUT 0x80000000u

static const struct nvgpu_device *const devices[] = {&nvgpu_nvmap, &nvgpu_space, &nvgpu_channel, &nvgpu_control,
                                                     &nvgpu_control_gpu};

/* ---- open and close ---- */

static const struct nvgpu_device *device_of(const char *path) {
    for (size_t i = 0; path && i < sizeof devices / sizeof devices[0]; i++)
        if (strcmp(devices[i]->path, path) == 0)
            return devices[i];
    return NULL;
}

enum pfifo_nvgpu_result pfifo_nvgpu_open(struct pfifo_nvgpu_client *client, const char *path, int32_t *fd) {
    const struct nvgpu_device *device = device_of(path);
    unsigned i = 0;
    *fd = -1;
    if (!device)
        return PFIFO_NVGPU_FILE_OPERATION_FAILED;
    while (i < NVGPU_FILES && client->files[i].device)
        i++;
    void *state = i < NVGPU_FILES ? calloc(1, device->bytes) : NULL;
    if (!state)
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    assert(device->bytes && device->row_count);
    *fd = (int32_t)i + 1;
    client->files[i] = (struct nvgpu_file){client, device, *fd, state};
    return PFIFO_NVGPU_OK;
}

static struct nvgpu_file *file_of(struct pfifo_nvgpu_client *client, int32_t fd) {
    struct nvgpu_file *file = fd >= 1 && fd <= (int32_t)NVGPU_FILES ? &client->files[fd - 1] : NULL;
    return file && file->device ? file : NULL;
}

struct nvgpu_file *nvgpu_file_of(struct pfifo_nvgpu_client *client, int32_t fd, const struct nvgpu_device *device) {
    struct nvgpu_file *file = file_of(client, fd);
    return file && file->device == device ? file : NULL;
}

/* UNKNOWN: a number that is no file's; what emulators answer differs. Chosen: these. */
static enum pfifo_nvgpu_result no_file(int32_t fd) {
    return fd < 0 ? PFIFO_NVGPU_INVALID_STATE : PFIFO_NVGPU_NOT_IMPLEMENTED;
}

enum pfifo_nvgpu_result pfifo_nvgpu_close(struct pfifo_nvgpu_client *client, int32_t fd) {
    struct nvgpu_file *file = file_of(client, fd);
    if (!file)
        return no_file(fd);
    if (file->device->close)
        file->device->close(file);
    free(file->state);
    *file = (struct nvgpu_file){0};
    return PFIFO_NVGPU_OK;
}

/* ---- calls ---- */

static const struct nvgpu_row *files_row_of(const struct nvgpu_device *device, uint32_t request) {
    for (unsigned i = 0; i < device->row_count; i++)
        if (device->rows[i].type == (request >> 8 & 0xff) && device->rows[i].number == (request & 0xff))
            return &device->rows[i];
    return NULL;
}

/* The structure goes in only with the bit for it: else its bytes are 0. */
static enum pfifo_nvgpu_result read_in(struct nvgpu_frame *frame, const struct nvgpu_row *row) {
    const struct pfifo_nvgpu_call *call = frame->call;
    uint32_t bytes = call->request >> 16 & 0x3fff, least = row->bytes ? row->bytes : row->least;
    bool in = call->request & DIRECTION_IN, out = call->request & DIRECTION_OUT;
    if (bytes < least || (in && (!call->in || call->in_bytes < bytes)) ||
        (out && (!call->out || call->out_bytes < bytes)))
        return PFIFO_NVGPU_INVALID_SIZE;
    assert(bytes <= NVGPU_CALL_BYTES);
    memset(frame->data, 0, bytes);
    if (in)
        memcpy(frame->data, call->in, bytes);
    frame->bytes = bytes;
    return PFIFO_NVGPU_OK;
}

enum pfifo_nvgpu_result pfifo_nvgpu_ioctl(struct pfifo_nvgpu_client *client, const struct pfifo_nvgpu_call *call) {
    struct nvgpu_file *file = file_of(client, call->fd);
    struct nvgpu_frame frame;
    if (!file)
        return no_file(call->fd);
    const struct nvgpu_row *row = files_row_of(file->device, call->request);
    if (!row)
        return PFIFO_NVGPU_NOT_IMPLEMENTED;
    if (!row->handler)
        return PFIFO_NVGPU_NOT_SUPPORTED;
    frame.call = call;
    enum pfifo_nvgpu_result result = read_in(&frame, row);
    if (result != PFIFO_NVGPU_OK)
        return result;
    result = row->handler(file, &frame);
    if (call->request & DIRECTION_OUT)
        memcpy(call->out, frame.data, frame.bytes);
    return result;
}

enum pfifo_nvgpu_result pfifo_nvgpu_query_event(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t number,
                                                uint32_t *event) {
    struct nvgpu_file *file = file_of(client, fd);
    *event = 0;
    if (!file)
        return no_file(fd);
    return file->device->event ? file->device->event(file, number, event) : PFIFO_NVGPU_BAD_PARAMETER;
}

/* ---- saved and loaded ---- */

NVGPU_SAVES(struct nvgpu_file, 32);

void nvgpu_state_files(struct nvgpu_save *save, struct pfifo_nvgpu_client *client) {
    enum { DEVICES = sizeof devices / sizeof devices[0] };
    for (unsigned i = 0; i < NVGPU_FILES && state_good(&save->io); i++) {
        struct nvgpu_file *file = &client->files[i];
        unsigned kind = 0;
        while (file->device && devices[kind++] != file->device)
            ;
        state_index(&save->io, &kind, DEVICES + 1, "device");
        if (!save->io.loading || !kind)
            continue;
        void *state = calloc(1, devices[kind - 1]->bytes);
        if (state)
            *file = (struct nvgpu_file){client, devices[kind - 1], (int32_t)i + 1, state};
        else
            state_fail(&save->io, PFIFO_ERROR_MEMORY, "no memory for a file");
    }
}
