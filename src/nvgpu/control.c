/* SPDX-License-Identifier: MIT */
/*
 * nvhost-ctrl: syncpoints, and waits for them. A wait that is not over answers TIMEOUT, with the slot whose event is
 * signalled when the value is there; the program waits for the event then.
 *
 *   slot: not registered --> registered, idle --> waiting --> reached: the event is signalled
 *                                 ^                 |
 *                                 +-- EVENT_SIGNAL: cancelled
 *
 * UNKNOWN: answers to what cannot be; chosen: those of emulators, with BAD_PARAMETER where they differ.
 * Sources: libnx nx/source/nvidia/{fence.c,ioctl/nvhost-ctrl.c}; switchbrew NV services; emulators.
 */
#include "nvgpu/record.h"
#include "nvgpu/save.h"

#define EVENT_BIT    0x10000000u
#define CONFIG_BYTES 387u

struct slot {
    bool registered, waiting;
    uint32_t syncpoint, threshold;
    uint32_t event; /* 0: not asked for yet */
    bool reached;   /* before the event was asked for */
};

struct control_file {
    struct slot slots[NVGPU_SLOTS];
};

static struct control_file *control_of(const struct nvgpu_file *file) {
    return file->state;
}

static uint32_t control_count_of(const struct nvgpu_file *file) {
    return pfifo_syncpoint_count(file->client->nvgpu->device);
}

static uint32_t control_value_of(const struct nvgpu_file *file, uint32_t syncpoint) {
    return pfifo_gpu_syncpoint(pfifo_device_gpu(file->client->nvgpu->device), syncpoint);
}

/* ---- syncpoints ---- */

static enum pfifo_nvgpu_result read(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    uint32_t syncpoint = frame_u32(frame, 0);
    if (syncpoint >= control_count_of(file))
        return PFIFO_NVGPU_BAD_VALUE;
    frame_set_u32(frame, 4, control_value_of(file, syncpoint));
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result read_max(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    uint32_t syncpoint = frame_u32(frame, 0);
    if (syncpoint >= control_count_of(file))
        return PFIFO_NVGPU_BAD_VALUE;
    frame_set_u32(frame, 4, nvgpu_promised(file->client->nvgpu, syncpoint));
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result increment(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct pfifo_nvgpu *nvgpu = file->client->nvgpu;
    uint32_t syncpoint = frame_u32(frame, 0);
    if (syncpoint >= control_count_of(file))
        return PFIFO_NVGPU_BAD_VALUE;
    pfifo_gpu_syncpoint_increment(pfifo_device_gpu(nvgpu->device), syncpoint);
    record_syncpoint(nvgpu, syncpoint, false, 1);
    nvgpu_work(nvgpu);
    return PFIFO_NVGPU_OK;
}

/* Is the value there? One that nobody has promised is taken to be in the past, but for those of the display. */
static bool is_over(const struct nvgpu_file *file, uint32_t syncpoint, uint32_t threshold) {
    uint32_t now = control_value_of(file, syncpoint);
    if (nvgpu_syncpoint_is_display(file->client->nvgpu, syncpoint))
        return (int32_t)(now - threshold) >= 0;
    return nvgpu_promised(file->client->nvgpu, syncpoint) - threshold >= now - threshold;
}

/* ---- slots ---- */

static void clear_slot(const struct nvgpu_file *file, struct slot *slot) {
    slot->waiting = slot->reached = false;
    nvgpu_event_set(file->client->nvgpu, slot->event, false);
}

static bool after_run(struct nvgpu_file *file) {
    for (unsigned i = 0; i < NVGPU_SLOTS; i++) {
        struct slot *slot = &control_of(file)->slots[i];
        if (!slot->waiting || !is_over(file, slot->syncpoint, slot->threshold))
            continue;
        slot->waiting = false;
        slot->reached = true;
        nvgpu_event_set(file->client->nvgpu, slot->event, true);
    }
    return false;
}

static enum pfifo_nvgpu_result control_free_slot(const struct nvgpu_file *file, uint32_t number) {
    struct slot *slot = number < NVGPU_SLOTS ? &control_of(file)->slots[number] : NULL;
    if (!slot || !slot->registered)
        return PFIFO_NVGPU_BAD_PARAMETER;
    if (slot->waiting)
        return PFIFO_NVGPU_BUSY;
    nvgpu_event_free(file->client->nvgpu, slot->event);
    *slot = (struct slot){0};
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result register_event(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    uint32_t number = frame_u32(frame, 0);
    if (number >= NVGPU_SLOTS)
        return PFIFO_NVGPU_BAD_PARAMETER;
    if (control_of(file)->slots[number].registered) {
        enum pfifo_nvgpu_result result = control_free_slot(file, number);
        if (result != PFIFO_NVGPU_OK)
            return result;
    }
    control_of(file)->slots[number].registered = true;
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result unregister_event(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    return control_free_slot(file, frame_u32(frame, 0) & 0xff);
}

/* All are tried; the last error counts. */
static enum pfifo_nvgpu_result unregister_batch(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    uint64_t mask = frame_u64(frame, 0);
    enum pfifo_nvgpu_result result = PFIFO_NVGPU_OK;
    for (unsigned i = 0; i < NVGPU_SLOTS; i++) {
        enum pfifo_nvgpu_result one = mask >> i & 1 ? control_free_slot(file, i) : PFIFO_NVGPU_OK;
        result = one == PFIFO_NVGPU_OK ? result : one;
    }
    return result;
}

/* Cancels a wait. */
static enum pfifo_nvgpu_result signal_event(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    uint32_t number = frame_u32(frame, 0) & 0xffff;
    struct slot *slot = number < NVGPU_SLOTS ? &control_of(file)->slots[number] : NULL;
    if (!slot)
        return PFIFO_NVGPU_BAD_PARAMETER;
    if (!slot->registered)
        return PFIFO_NVGPU_BAD_VALUE;
    clear_slot(file, slot);
    return PFIFO_NVGPU_OK;
}

/* Of a wait that lets the driver choose: an idle slot that last waited for the same, a new one, or any idle one. */
static uint32_t control_choose_slot(const struct nvgpu_file *file, uint32_t syncpoint) {
    const struct slot *slots = control_of(file)->slots;
    uint32_t idle = NVGPU_SLOTS;
    for (uint32_t i = 0; i < NVGPU_SLOTS; i++) {
        if (slots[i].registered && !slots[i].waiting && slots[i].syncpoint == syncpoint)
            return i;
        if (slots[i].registered && !slots[i].waiting)
            idle = i;
    }
    for (uint32_t i = 0; i < NVGPU_SLOTS; i++)
        if (!slots[i].registered)
            return i;
    return idle;
}

/* ---- waits ---- */

struct wait {
    uint32_t syncpoint, threshold, timeout, slot;
    bool own_slot; /* the program's choice */
};

/* *value: of the syncpoint when it is over, else the slot by which the event is found. */
static enum pfifo_nvgpu_result control_wait_for(struct nvgpu_file *file, const struct wait *wait, uint32_t *value) {
    if (wait->syncpoint >= control_count_of(file))
        return PFIFO_NVGPU_BAD_PARAMETER;
    if (wait->threshold && !is_over(file, wait->syncpoint, wait->threshold))
        nvgpu_work(file->client->nvgpu);
    if (!wait->threshold || is_over(file, wait->syncpoint, wait->threshold)) {
        *value = control_value_of(file, wait->syncpoint);
        return PFIFO_NVGPU_OK;
    }
    uint32_t number = wait->own_slot ? wait->slot : control_choose_slot(file, wait->syncpoint);
    if (!wait->timeout)
        return PFIFO_NVGPU_TIMEOUT;
    struct slot *slot = number < NVGPU_SLOTS ? &control_of(file)->slots[number] : NULL;
    if (!slot || slot->waiting || (wait->own_slot && !slot->registered))
        return PFIFO_NVGPU_BAD_PARAMETER;
    clear_slot(file, slot);
    slot->registered = slot->waiting = true;
    slot->syncpoint = wait->syncpoint;
    slot->threshold = wait->threshold;
    *value = wait->own_slot ? number | wait->syncpoint << 4 : EVENT_BIT | wait->syncpoint << 16 | number;
    return PFIFO_NVGPU_TIMEOUT;
}

static struct wait read_wait(const struct nvgpu_frame *frame) {
    return (struct wait){
        .syncpoint = frame_u32(frame, 0), .threshold = frame_u32(frame, 4), .timeout = frame_u32(frame, 8)};
}

static enum pfifo_nvgpu_result event_wait(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct wait wait = read_wait(frame);
    uint32_t value = frame_u32(frame, 12);
    enum pfifo_nvgpu_result result = control_wait_for(file, &wait, &value);
    frame_set_u32(frame, 12, value);
    return result;
}

static enum pfifo_nvgpu_result event_wait_async(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct wait wait = read_wait(frame);
    uint32_t value = frame_u32(frame, 12);
    wait.own_slot = true;
    wait.slot = value;
    enum pfifo_nvgpu_result result = control_wait_for(file, &wait, &value);
    frame_set_u32(frame, 12, value);
    return result;
}

static enum pfifo_nvgpu_result control_syncpoint_wait(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct wait wait = read_wait(frame);
    uint32_t value = 0;
    return control_wait_for(file, &wait, &value);
}

/* ---- events ---- */

/*
 * Forms of the number: 0x10000000 | syncpoint << 16 | slot, and without that bit syncpoint << 4 | slot, where the two
 * overlap. The syncpoint is that of the slot's last wait; libnx asks with 0, before it waits.
 */
static struct slot *control_slot_of(const struct nvgpu_file *file, uint32_t number) {
    static const uint32_t masks[] = {0xff, 0xf};
    struct slot *slots = control_of(file)->slots;
    if (number & EVENT_BIT) {
        uint32_t at = number & 0xffff, syncpoint = number >> 16 & 0xfff;
        bool known = at < NVGPU_SLOTS && slots[at].registered;
        return known && (!syncpoint || slots[at].syncpoint == syncpoint) ? &slots[at] : NULL;
    }
    for (unsigned i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        uint32_t at = number & masks[i];
        uint32_t syncpoint = slots[at % NVGPU_SLOTS].syncpoint;
        if (at < NVGPU_SLOTS && slots[at].registered && (syncpoint << 4 | at) == number && (syncpoint || at < 0x10))
            return &slots[at];
    }
    return NULL;
}

static enum pfifo_nvgpu_result control_query(struct nvgpu_file *file, uint32_t number, uint32_t *event) {
    struct slot *slot = control_slot_of(file, number);
    if (!slot)
        return PFIFO_NVGPU_BAD_PARAMETER;
    if (!slot->event) {
        slot->event = nvgpu_event_new(file->client->nvgpu);
        nvgpu_event_set(file->client->nvgpu, slot->event, slot->reached);
    }
    *event = slot->event;
    return *event ? PFIFO_NVGPU_OK : PFIFO_NVGPU_INSUFFICIENT_MEMORY;
}

/* As on consoles that are sold. */
static enum pfifo_nvgpu_result get_config(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    (void)file;
    (void)frame;
    return PFIFO_NVGPU_CONFIG_VAR_NOT_FOUND;
}

static void close_control(struct nvgpu_file *file) {
    for (unsigned i = 0; i < NVGPU_SLOTS; i++)
        nvgpu_event_free(file->client->nvgpu, control_of(file)->slots[i].event);
}

/* ---- saved and loaded ---- */

NVGPU_SAVES(struct slot, 20);

static void state_control(struct nvgpu_file *file, struct nvgpu_save *save) {
    struct state_io *io = &save->io;
    for (unsigned i = 0; i < NVGPU_SLOTS; i++) {
        struct slot *slot = &control_of(file)->slots[i];
        state_bool(io, &slot->registered);
        state_bool(io, &slot->waiting);
        state_bool(io, &slot->reached);
        state_index(io, &slot->syncpoint, control_count_of(file), "syncpoint");
        state_u32(io, &slot->threshold);
        nvgpu_state_event(save, &slot->event);
        if ((slot->waiting || slot->event) && !slot->registered)
            state_fail(io, PFIFO_ERROR_FORMAT, "slot %u waits, and is not registered", i);
    }
}

static const struct nvgpu_row rows[] = {
    {0, 0x14, 8, 0, read},
    {0, 0x15, 4, 0, increment},
    {0, 0x16, 12, 0, control_syncpoint_wait},
    {0, 0x17, 0, 0, NULL},
    {0, 0x18, 0, 0, NULL},
    {0, 0x19, 16, 0, event_wait},
    {0, 0x1a, 8, 0, read_max},
    {0, 0x1b, CONFIG_BYTES, 0, get_config},
    {0, 0x1c, 4, 0, signal_event},
    {0, 0x1d, 16, 0, event_wait},
    {0, 0x1e, 16, 0, event_wait_async},
    {0, 0x1f, 4, 0, register_event},
    {0, 0x20, 4, 0, unregister_event},
    {0, 0x21, 8, 0, unregister_batch},
};

const struct nvgpu_device nvgpu_control = {.path = "/dev/nvhost-ctrl",
                                           .rows = rows,
                                           .row_count = sizeof rows / sizeof rows[0],
                                           .bytes = sizeof(struct control_file),
                                           .close = close_control,
                                           .event = control_query,
                                           .after_run = after_run,
                                           .state = state_control};
