/* SPDX-License-Identifier: MIT */
/*
 * nvhost-gpu: channels. A channel gets its ring, and its syncpoint, when the ring is asked for; then it must be in an
 * address space. An error ends it: the notifier says which, its event is signalled, and the syncpoint goes to the value
 * that all submissions together have promised, so that nobody waits for it.
 *
 * Sources: libnx nx/source/nvidia/{gpu_channel.c,ioctl/nvchannel.c}; switchbrew NV services; L4T nvgpu (notifications).
 */
#include "nvgpu/record.h"
#include "nvgpu/save.h"

#include <assert.h>
#include <stdlib.h>

#define RING_LEAST  8u
#define RING_MOST   0x8000u
#define EVENT_ERROR 3u

#define FAULT_WRITES    0x80u /* of VM_FAULT_STATUS */
#define CONTROL_ENABLE  0x400u
#define CONTROL_DISABLE 0x800u

/* Numbers of notifications: L4T nvgpu.h (NVGPU_CHANNEL_...). */
enum {
    IDLE_TIMEOUT = 8,
    GR_SOFTWARE = 13,
    SEMAPHORE_TIMEOUT = 24,
    GR_ILLEGAL = 25,
    MMU_FAULT = 31,
    PBDMA_ERROR = 32,
    RESET = 43
};
enum { INFO_NONE, INFO_PAGE_FAULT, INFO_METHOD, INFO_LIST, INFO_TIMEOUT };

#define ILLEGAL_METHOD (1u << 4) /* of PGRAPH's INTR */
#define ILLEGAL_NOTIFY (1u << 6)

static struct channel_file *channel_of(const struct nvgpu_file *file) {
    return file->state;
}

/* ---- ring ---- */

enum pfifo_nvgpu_result nvgpu_channel_bind(struct nvgpu_file *file, struct nvgpu_as *as) {
    struct channel_file *channel = channel_of(file);
    if (channel->as)
        return channel->as == as ? PFIFO_NVGPU_OK : PFIFO_NVGPU_INVALID_STATE;
    channel->as = as;
    as->references++;
    return PFIFO_NVGPU_OK;
}

static uint32_t ring_of(uint32_t entries) {
    uint32_t ring = RING_LEAST;
    assert(entries <= RING_MOST);
    while (ring < entries + 4)
        ring *= 2;
    return ring;
}

/* Of the driver's own commands, in whole pages. */
static uint64_t commands_bytes(const struct channel_file *channel) {
    return (pfifo_buffer_bytes(channel->commands) + NVGPU_PAGE - 1) & ~(uint64_t)(NVGPU_PAGE - 1);
}

static void drop_ring(const struct pfifo_nvgpu *nvgpu, struct channel_file *channel) {
    if (channel->channel) {
        record_channel_end(nvgpu, channel);
        pfifo_channel_close(channel->channel);
    }
    if (channel->commands && channel->commands_address) {
        record_unmap(channel->as, channel->commands_address, commands_bytes(channel));
        pfifo_vm_unmap(channel->as->vm, channel->commands_address, 0, NULL);
        record_commands_end(nvgpu, channel->commands);
    }
    pfifo_buffer_free(channel->commands);
    channel->channel = NULL;
    channel->commands = NULL;
    channel->commands_address = 0;
}

static bool make_commands(struct pfifo_nvgpu *nvgpu, struct channel_file *channel, uint32_t slots) {
    const struct pfifo_buffer_config config = {
        .size = sizeof config, .domain = PFIFO_GART, .no_address = true, .bytes = (uint64_t)slots * CHANNEL_SLOT_BYTES};
    channel->commands = pfifo_buffer_create(nvgpu->device, &config, NULL);
    struct pfifo_vm_map map = {.size = sizeof map, .buffer = channel->commands};
    channel->slots = slots;
    if (!channel->commands || pfifo_vm_map(channel->as->vm, &map, &channel->commands_address, NULL) != PFIFO_OK)
        return false;
    record_commands(nvgpu, channel->commands);
    map.address = channel->commands_address;
    map.bytes = commands_bytes(channel);
    record_map(channel->as, &map);
    return true;
}

/* UNKNOWN: whether the kernel allows the old headers; chosen: yes, as descriptions of the Switch's GPU list them. */
static enum pfifo_nvgpu_result make_ring(const struct nvgpu_file *file, uint32_t entries) {
    struct channel_file *channel = channel_of(file);
    struct pfifo_nvgpu *nvgpu = file->client->nvgpu;
    if (channel->has_ring)
        return PFIFO_NVGPU_ALREADY_ALLOCATED;
    if (!channel->as || !channel->as->vm || !entries || entries > RING_MOST)
        return PFIFO_NVGPU_BAD_VALUE;
    const struct pfifo_channel_config config = {
        .size = sizeof config, .entries = ring_of(entries), .vm = channel->as->vm, .old_headers = true};
    channel->ring = config.entries;
    channel->channel = pfifo_channel_open(nvgpu->device, &config, NULL);
    if (!channel->channel || !nvgpu_channel_syncpoint(nvgpu, channel->channel, &channel->syncpoint) ||
        !make_commands(nvgpu, channel, 2 * config.entries)) {
        drop_ring(nvgpu, channel);
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    }
    record_channel(nvgpu, channel);
    assert(channel->syncpoint < NVGPU_SYNCPOINTS);
    nvgpu->promised[channel->syncpoint] = pfifo_gpu_syncpoint(pfifo_device_gpu(nvgpu->device), channel->syncpoint);
    channel->has_ring = true;
    return PFIFO_NVGPU_OK;
}

/* The fence of ALLOC_GPFIFO_EX and EX2 is at 12. */
static enum pfifo_nvgpu_result alloc_gpfifo_ex(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    enum pfifo_nvgpu_result result = make_ring(file, frame_u32(frame, 0));
    if (result == PFIFO_NVGPU_OK) {
        uint32_t syncpoint = channel_of(file)->syncpoint;
        frame_set_u32(frame, 12, syncpoint);
        frame_set_u32(frame, 16, file->client->nvgpu->promised[syncpoint]);
    }
    return result;
}

static enum pfifo_nvgpu_result alloc_gpfifo(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    return make_ring(file, frame_u32(frame, 0));
}

/* What is under way will not be done: nobody is to wait for it. */
static void end_ring(const struct nvgpu_file *file) {
    struct channel_file *channel = channel_of(file);
    struct pfifo_nvgpu *nvgpu = file->client->nvgpu;
    assert(channel->has_ring);
    uint32_t promised = nvgpu_promised(nvgpu, channel->syncpoint);
    drop_ring(nvgpu, channel);
    pfifo_gpu_syncpoint_set(pfifo_device_gpu(nvgpu->device), channel->syncpoint, promised);
    record_syncpoint(nvgpu, channel->syncpoint, true, promised);
}

static void channel_close(struct nvgpu_file *file) {
    struct channel_file *channel = channel_of(file);
    if (channel->channel)
        end_ring(file);
    for (unsigned i = 0; i < CHANNEL_EVENTS; i++)
        nvgpu_event_free(file->client->nvgpu, channel->events[i]);
    nvgpu_as_release(channel->as);
    nvgpu_signal_waits(file->client->nvgpu);
}

/* ---- errors ---- */

static bool channel_is(const char *a, const char *b) {
    return a && strcmp(a, b) == 0;
}

static void channel_note(struct channel_file *channel, uint64_t time, uint32_t notification, uint32_t type) {
    assert(!channel->ended);
    channel->failed = true;
    channel->error = (struct channel_error){.type = type, .notification = notification, .time = time};
}

/*
 * A method's words: interrupt, method, -, data, class. The bits of the interrupt are those of PGRAPH's INTR: 0 notify,
 * 1 semaphore, 4 illegal method, 5 illegal class, 6 illegal notify, 8 firmware method, 19 FECS, 20 class error,
 * 21 exception. UNKNOWN: which words beside these; chosen: 0.
 */
static void channel_note_fault(struct channel_file *channel, const struct pfifo_device_fault *fault, uint64_t time) {
    if (channel_is(fault->unit, "MMU")) {
        channel_note(channel, time, MMU_FAULT, INFO_PAGE_FAULT);
        channel->error.info[0] = fault->data;
        channel->error.info[1] = (uint32_t)(fault->address >> 32);
        channel->error.info[2] = (uint32_t)fault->address;
        channel->error.info[3] = fault->data & FAULT_WRITES ? 2 : 0;
    } else if (channel_is(fault->unit, "SEMAPHORE") || channel_is(fault->error, "ACQUIRE")) {
        channel_note(channel, time, SEMAPHORE_TIMEOUT, INFO_TIMEOUT);
    } else if (channel_is(fault->unit, "PBDMA")) {
        channel_note(channel, time, PBDMA_ERROR, INFO_LIST);
    } else {
        bool illegal = fault->interrupt & (ILLEGAL_METHOD | ILLEGAL_NOTIFY);
        channel_note(channel, time, illegal ? GR_ILLEGAL : GR_SOFTWARE, INFO_METHOD);
        channel->error.info[0] = fault->interrupt;
        channel->error.info[1] = fault->method;
        channel->error.info[3] = fault->data;
        channel->error.info[4] = fault->object_class;
    }
}

/* Called from within a run: what ends the channel waits for its end. The first error counts. */
void nvgpu_channel_fault(struct pfifo_nvgpu *nvgpu, const struct pfifo_device_fault *fault) {
    for (struct pfifo_nvgpu_client *client = nvgpu->clients; client; client = client->next)
        for (unsigned i = 0; i < NVGPU_FILES; i++) {
            struct channel_file *channel = client->files[i].device == &nvgpu_channel ? client->files[i].state : NULL;
            if (channel && channel->channel && !channel->failed &&
                pfifo_channel_number(channel->channel) == fault->channel)
                channel_note_fault(channel, fault, nvgpu_time(nvgpu));
        }
}

static bool end_failed(struct nvgpu_file *file) {
    struct channel_file *channel = channel_of(file);
    if (!channel->failed && channel_hangs(file))
        channel_note(channel, nvgpu_time(file->client->nvgpu), IDLE_TIMEOUT, INFO_TIMEOUT);
    if (!channel->failed || channel->ended)
        return false;
    channel->ended = true;
    channel->error_pending = true;
    end_ring(file);
    if (channel->notifies)
        nvgpu_event_set(file->client->nvgpu, channel->events[EVENT_ERROR], true);
    return true;
}

static enum pfifo_nvgpu_result channel_event(struct nvgpu_file *file, uint32_t number, uint32_t *event) {
    struct channel_file *channel = channel_of(file);
    if (!number || number >= CHANNEL_EVENTS)
        return PFIFO_NVGPU_BAD_PARAMETER;
    if (!channel->events[number])
        channel->events[number] = nvgpu_event_new(file->client->nvgpu);
    *event = channel->events[number];
    return *event ? PFIFO_NVGPU_OK : PFIFO_NVGPU_INSUFFICIENT_MEMORY;
}

static enum pfifo_nvgpu_result set_error_notifier(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    channel_of(file)->notifies = frame_u32(frame, 16) != 0;
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result get_error_info(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    const struct channel_error *error = &channel_of(file)->error;
    frame_set_u32(frame, 0, error->type);
    for (uint32_t i = 0; i < 31; i++)
        frame_set_u32(frame, 4 + 4 * i, error->info[i]);
    return PFIFO_NVGPU_OK;
}

/* Status 0xffff: there is one. It is told once. */
static enum pfifo_nvgpu_result get_error_notification(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct channel_file *channel = channel_of(file);
    memset(frame->data, 0, 16);
    if (channel->error_pending) {
        frame_set_u64(frame, 0, channel->error.time);
        frame_set_u32(frame, 8, channel->error.notification);
        frame_set_u32(frame, 12, 0xffff0000);
        channel->error_pending = false;
    }
    return PFIFO_NVGPU_OK;
}

/* ---- settings ---- */

static enum pfifo_nvgpu_result set_nvmap_fd(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    return nvgpu_file_of(file->client, (int32_t)frame_u32(frame, 0), &nvgpu_nvmap) ? PFIFO_NVGPU_OK
                                                                                   : PFIFO_NVGPU_BAD_VALUE;
}

/*
 * In milliseconds; 0: it may wait forever. SET_TIMEOUT_EX has flags at the end, of which bit 0 asks the kernel for no
 * dump (nvhost_ioctl.h): there is none.
 */
static enum pfifo_nvgpu_result set_timeout(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    channel_watch_set(channel_of(file), frame_u32(frame, 0));
    return PFIFO_NVGPU_OK;
}

/* Objects are made by their class when commands bind them: nothing is left to do. */
static enum pfifo_nvgpu_result alloc_obj_ctx(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    static const uint32_t classes[] = {0x902d, 0xb197, 0xb1c0, 0xa140, 0xb0b5, 0xb06f};
    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (frame_u32(frame, 0) == classes[i]) {
            frame_set_u64(frame, 8, 0);
            return channel_of(file)->as ? PFIFO_NVGPU_OK : PFIFO_NVGPU_INVALID_STATE;
        }
    return PFIFO_NVGPU_BAD_VALUE;
}

/* Zcull has no effect. */
static enum pfifo_nvgpu_result zcull_bind(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    (void)file;
    return frame_u32(frame, 8) <= 3 ? PFIFO_NVGPU_OK : PFIFO_NVGPU_BAD_VALUE;
}

static enum pfifo_nvgpu_result set_priority(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    uint32_t priority = frame_u32(frame, 0);
    if (priority != 50 && priority != 100 && priority != 150)
        return PFIFO_NVGPU_BAD_VALUE;
    channel_of(file)->priority = priority;
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result set_timeslice(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    uint32_t microseconds = frame_u32(frame, 0);
    if (microseconds < 1000 || microseconds > 50000)
        return PFIFO_NVGPU_BAD_VALUE;
    channel_of(file)->timeslice = microseconds;
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result set_user_data(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    channel_of(file)->user_data = frame_u64(frame, 0);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result get_user_data(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    frame_set_u64(frame, 0, channel_of(file)->user_data);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result get_waitbase(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    (void)file;
    frame_set_u32(frame, 4, 0);
    return PFIFO_NVGPU_OK;
}

/* ---- scheduling ---- */

static enum pfifo_nvgpu_result control(const struct nvgpu_file *file, uint32_t bit) {
    const struct channel_file *channel = channel_of(file);
    struct pfifo_nvgpu *nvgpu = file->client->nvgpu;
    if (!channel->channel)
        return PFIFO_NVGPU_INVALID_STATE;
    struct pfifo_gpu *gpu = pfifo_device_gpu(nvgpu->device);
    uint32_t at = CHANNEL_CONTROL + 8 * pfifo_channel_number(channel->channel);
    pfifo_gpu_wr32(gpu, at, pfifo_gpu_rd32(gpu, at) | bit);
    record_note(nvgpu,
                bit == CONTROL_ENABLE ? "a channel was enabled" : "a channel was disabled: captures cannot say it");
    nvgpu_work(nvgpu);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result channel_enable(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    (void)frame;
    return control(file, CONTROL_ENABLE);
}

static enum pfifo_nvgpu_result channel_disable(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    (void)frame;
    return control(file, CONTROL_DISABLE);
}

/* It is scheduled again at once: nothing to see. */
static enum pfifo_nvgpu_result preempt(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    (void)frame;
    return channel_of(file)->channel ? PFIFO_NVGPU_OK : PFIFO_NVGPU_INVALID_STATE;
}

/* The channel has an error, and ends. */
static enum pfifo_nvgpu_result force_reset(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct channel_file *channel = channel_of(file);
    (void)frame;
    if (!channel->channel)
        return PFIFO_NVGPU_INVALID_STATE;
    channel_note(channel, nvgpu_time(file->client->nvgpu), RESET, INFO_NONE);
    nvgpu_work(file->client->nvgpu);
    return PFIFO_NVGPU_OK;
}

/* ---- saved and loaded ---- */

NVGPU_SAVES(struct channel_error, 144);
NVGPU_SAVES(struct channel_file, 272);

static void state_error(struct state_io *io, struct channel_file *channel) {
    struct channel_error *error = &channel->error;
    state_bool(io, &channel->notifies);
    state_bool(io, &channel->failed);
    state_bool(io, &channel->ended);
    state_bool(io, &channel->error_pending);
    state_u32(io, &error->type);
    state_words(io, error->info, 31, "information");
    state_u32(io, &error->notification);
    state_u64(io, &error->time);
}

static void state_ring(struct nvgpu_save *save, struct channel_file *channel) {
    struct state_io *io = &save->io;
    nvgpu_state_id(save, NVGPU_ID_CHANNEL, &channel->channel_id);
    nvgpu_state_id(save, NVGPU_ID_BUFFER, &channel->commands_id);
    state_u64(io, &channel->commands_address);
    state_bool(io, &channel->has_ring);
    state_u32(io, &channel->ring);
    state_u32(io, &channel->slots);
    state_u32(io, &channel->next_slot);
    state_index(io, &channel->syncpoint, pfifo_syncpoint_count(save->nvgpu->device), "syncpoint");
    bool works = channel->channel_id != 0, size = channel->slots == 2 * channel->ring;
    bool space = channel->as && channel->as->vm_id;
    if (channel->ring > 2 * RING_MOST || (works && (!space || !channel->has_ring || !size)) ||
        works != (channel->commands_id != 0) || works != (channel->commands_address != 0) ||
        (works && channel->next_slot >= channel->slots))
        state_fail(io, PFIFO_ERROR_FORMAT, "a ring that cannot be");
}

static void channel_state(struct nvgpu_file *file, struct nvgpu_save *save) {
    struct channel_file *channel = channel_of(file);
    struct state_io *io = &save->io;
    nvgpu_state_space(save, &channel->as);
    state_ring(save, channel);
    for (unsigned i = 0; i < CHANNEL_EVENTS; i++)
        nvgpu_state_event(save, &channel->events[i]);
    state_error(io, channel);
    bool works = channel->channel_id != 0;
    if (channel->failed ? works == channel->ended : channel->ended)
        state_fail(io, PFIFO_ERROR_FORMAT, "a channel has ended and works, or has failed and does neither");
    state_u32(io, &channel->priority);
    state_u32(io, &channel->timeslice);
    channel_state_watch(io, &channel->watch);
    state_u64(io, &channel->user_data);
}

static struct nvgpu_as *channel_space_of(const struct nvgpu_file *file) {
    return channel_of(file)->as;
}

static bool link_channel(struct nvgpu_file *file, enum nvgpu_link link) {
    struct channel_file *channel = channel_of(file);
    struct pfifo_device *device = file->client->nvgpu->device;
    bool space = nvgpu_link_space(channel->as, link);
    if (link == NVGPU_LINK_NOTE) {
        channel->channel_id = channel->channel ? pfifo_channel_id(channel->channel) : 0;
        channel->commands_id = channel->commands ? pfifo_buffer_id(channel->commands) : 0;
        return space;
    }
    channel->channel = channel->channel_id ? pfifo_device_channel(device, channel->channel_id) : NULL;
    channel->commands = channel->commands_id ? pfifo_device_buffer(device, channel->commands_id) : NULL;
    return space && !channel->channel_id == !channel->channel && !channel->commands_id == !channel->commands;
}

/* UNKNOWN: what CYCLE_STATS, EVENT_ID_CONTROL and number 0x1c do, which no program here sends; chosen: refused. */
static const struct nvgpu_row rows[] = {
    {0x48, 0x01, 4, 0, set_nvmap_fd},
    {0x48, 0x03, 4, 0, set_timeout},
    {0x48, 0x05, 8, 0, alloc_gpfifo},
    {0x48, 0x08, 0, 24, channel_submit_gpfifo},
    {0x48, 0x09, 16, 0, alloc_obj_ctx},
    {0x48, 0x0b, 16, 0, zcull_bind},
    {0x48, 0x0c, 24, 0, set_error_notifier},
    {0x48, 0x0d, 4, 0, set_priority},
    {0x48, 0x0e, 0, 0, channel_enable},
    {0x48, 0x0f, 0, 0, channel_disable},
    {0x48, 0x10, 0, 0, preempt},
    {0x48, 0x11, 0, 0, force_reset},
    {0x48, 0x07, 0, 0, NULL},
    {0x48, 0x12, 0, 0, NULL},
    {0x48, 0x13, 0, 0, NULL},
    {0x48, 0x1c, 0, 0, NULL},
    {0x48, 0x16, 128, 0, get_error_info},
    {0x48, 0x17, 16, 0, get_error_notification},
    {0x48, 0x18, 32, 0, alloc_gpfifo_ex},
    {0x48, 0x19, 0, 24, channel_submit_gpfifo},
    {0x48, 0x1a, 32, 0, alloc_gpfifo_ex},
    {0x48, 0x1b, 24, 0, channel_kickoff},
    {0x48, 0x1d, 4, 0, set_timeslice},
    {0x47, 0x14, 8, 0, set_user_data},
    {0x47, 0x15, 8, 0, get_user_data},
    {0x00, 0x03, 8, 0, get_waitbase},
    {0x00, 0x04, 8, 0, set_timeout},
};

const struct nvgpu_device nvgpu_channel = {.path = "/dev/nvhost-gpu",
                                           .rows = rows,
                                           .row_count = sizeof rows / sizeof rows[0],
                                           .bytes = sizeof(struct channel_file),
                                           .close = channel_close,
                                           .event = channel_event,
                                           .after_run = end_failed,
                                           .state = channel_state,
                                           .space = channel_space_of,
                                           .link = link_channel};
