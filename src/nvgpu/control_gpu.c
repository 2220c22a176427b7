/* SPDX-License-Identifier: MIT */
/*
 * nvhost-ctrl-gpu: what the GPU is, and its clocks. Zcull and the table of clear values have no effect, but the table
 * is kept, as it can be asked for: one table of the GPU, as in L4T nvgpu (gr_gk20a.c), for all files and clients.
 *
 * Sources: libnx nx/include/switch/nvidia/ioctl.h, nx/source/nvidia/ioctl/nvhost-ctrl-gpu.c; switchbrew NV services.
 */
#include "nvgpu/save.h"

#define ZBC_COLOR 1u
#define ZBC_DEPTH 2u

struct gpu_file {
    uint32_t error_event;
};

/* Words of GET_CHARACTERISTICS, at their offsets in bytes; others are 0. */
static const struct {
    uint8_t offset;
    uint32_t value;
} characteristics[] = {
    {0x00, 0x120},   {0x04, 0xb},     {0x08, 0xa1}, {0x0c, 1},       {0x10, 0x40000}, {0x20, 2},      {0x24, 0x20},
    {0x28, 0x20000}, {0x2c, 0x20000}, {0x30, 0x1b}, {0x34, 0x30000}, {0x38, 1},       {0x3c, 0x503},  {0x40, 0x503},
    {0x44, 0x80},    {0x48, 0x28},    {0x50, 0x55}, {0x58, 0x902d},  {0x5c, 0xb197},  {0x60, 0xb1c0}, {0x64, 0xb06f},
    {0x68, 0xa140},  {0x6c, 0xb0b5},  {0x70, 1},    {0x78, 2},       {0x7c, 1},       {0x84, 1},      {0x88, 0x21d70},
};

#define CHARACTERISTICS_BYTES 0xa0u
#define CHIP_NAME_AT          0x90u

static void second_out(const struct nvgpu_frame *frame, const uint8_t *from, size_t bytes) {
    const struct pfifo_nvgpu_call *call = frame->call;
    if (call->second_out)
        memcpy(call->second_out, from, call->second_out_bytes < bytes ? call->second_out_bytes : bytes);
}

/* The structure is at 16, and in the second buffer of the newer form. */
static enum pfifo_nvgpu_result get_characteristics(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    static const char name[8] = "gm20b";
    (void)file;
    memset(frame->data + 16, 0, CHARACTERISTICS_BYTES);
    for (size_t i = 0; i < sizeof characteristics / sizeof characteristics[0]; i++)
        frame_set_u32(frame, 16u + characteristics[i].offset, characteristics[i].value);
    memcpy(frame->data + 16 + CHIP_NAME_AT, name, sizeof name);
    frame_set_u64(frame, 0, CHARACTERISTICS_BYTES);
    second_out(frame, frame->data + 16, CHARACTERISTICS_BYTES);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result get_tpc_masks(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    enum { MASK = 3 };
    (void)file;
    if (frame_u32(frame, 0)) {
        frame_set_u32(frame, 16, MASK);
        second_out(frame, frame->data + 16, 4);
    }
    return PFIFO_NVGPU_OK;
}

/* UNKNOWN: the size of a context of zcull; chosen: 1, as emulators answer. */
static enum pfifo_nvgpu_result zcull_size(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    (void)file;
    frame_set_u32(frame, 0, 1);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result zcull_info(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    static const uint32_t info[10] = {0x20, 0x20, 0x400, 0x800, 0x20, 0x20, 0xc0, 0x20, 0x40, 0x10};
    (void)file;
    for (uint32_t i = 0; i < 10; i++)
        frame_set_u32(frame, 4 * i, info[i]);
    return PFIFO_NVGPU_OK;
}

/* ---- clear values ---- */

static bool same_value(const struct nvgpu_zbc_entry *a, const struct nvgpu_zbc_entry *b) {
    return a->type == b->type && a->format == b->format && a->depth == b->depth &&
           memcmp(a->ds, b->ds, sizeof a->ds) == 0 && memcmp(a->l2, b->l2, sizeof a->l2) == 0;
}

/* A value that is there already is counted once more. */
static enum pfifo_nvgpu_result zbc_set(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    struct nvgpu_zbc_entry entry = {.references = 1};
    for (uint32_t i = 0; i < 4; i++) {
        entry.ds[i] = frame_u32(frame, 4 * i);
        entry.l2[i] = frame_u32(frame, 16 + 4 * i);
    }
    entry.depth = frame_u32(frame, 32);
    entry.format = frame_u32(frame, 36);
    entry.type = frame_u32(frame, 40);
    if (entry.type != ZBC_COLOR && entry.type != ZBC_DEPTH) /* sent as a read, its words never get in */
        return PFIFO_NVGPU_OK;
    struct nvgpu_zbc *table = &file->client->nvgpu->zbc[entry.type - 1];
    for (uint32_t i = 0; i < table->count; i++)
        if (same_value(&table->entry[i], &entry)) {
            table->entry[i].references++;
            return PFIFO_NVGPU_OK;
        }
    if (table->count == NVGPU_ZBC_ENTRIES)
        return PFIFO_NVGPU_INSUFFICIENT_MEMORY;
    table->entry[table->count++] = entry;
    return PFIFO_NVGPU_OK;
}

/* Type 0 asks for the number of entries. */
static enum pfifo_nvgpu_result zbc_query(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    uint32_t type = frame_u32(frame, 44), index = frame_u32(frame, 48);
    if (!type) {
        frame_set_u32(frame, 48, NVGPU_ZBC_ENTRIES);
        return PFIFO_NVGPU_OK;
    }
    if (type > ZBC_DEPTH || index >= NVGPU_ZBC_ENTRIES)
        return PFIFO_NVGPU_BAD_VALUE;
    const struct nvgpu_zbc_entry *entry = &file->client->nvgpu->zbc[type - 1].entry[index];
    for (uint32_t i = 0; i < 4; i++) {
        frame_set_u32(frame, 4 * i, entry->ds[i]);
        frame_set_u32(frame, 16 + 4 * i, entry->l2[i]);
    }
    frame_set_u32(frame, 32, entry->depth);
    frame_set_u32(frame, 36, entry->references);
    frame_set_u32(frame, 40, entry->format);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result zbc_slots(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    (void)file;
    frame_set_u32(frame, 0, 7);
    frame_set_u32(frame, 4, 1);
    return PFIFO_NVGPU_OK;
}

/* ---- others ---- */

/* Memory is coherent: nothing to do. */
static enum pfifo_nvgpu_result flush_l2(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    (void)file;
    (void)frame;
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result vsm_count(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    (void)file;
    frame_set_u32(frame, 0, 2);
    frame_set_u32(frame, 4, 0);
    return PFIFO_NVGPU_OK;
}

/* Each GPC and TPC of the two. */
static enum pfifo_nvgpu_result vsm_mapping(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    (void)file;
    frame_set_u32(frame, 0, 0x01000000);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result get_gpu_time(struct nvgpu_file *file, struct nvgpu_frame *frame) {
    frame_set_u64(frame, 0, nvgpu_time(file->client->nvgpu));
    frame_set_u64(frame, 8, 0);
    return PFIFO_NVGPU_OK;
}

static enum pfifo_nvgpu_result control_gpu_query(struct nvgpu_file *file, uint32_t number, uint32_t *event) {
    struct gpu_file *gpu = file->state;
    if (number != 1 && number != 2)
        return PFIFO_NVGPU_BAD_PARAMETER;
    if (!gpu->error_event)
        gpu->error_event = nvgpu_event_new(file->client->nvgpu);
    *event = gpu->error_event;
    return *event ? PFIFO_NVGPU_OK : PFIFO_NVGPU_INSUFFICIENT_MEMORY;
}

static void close_gpu(struct nvgpu_file *file) {
    nvgpu_event_free(file->client->nvgpu, ((struct gpu_file *)file->state)->error_event);
}

/* ---- saved and loaded ---- */

NVGPU_SAVES(struct nvgpu_zbc_entry, 48);
NVGPU_SAVES(struct nvgpu_zbc, NVGPU_ZBC_ENTRIES * 48 + 4);
NVGPU_SAVES(struct gpu_file, 4);

static void state_entry(struct state_io *io, struct nvgpu_zbc_entry *entry) {
    state_words(io, entry->ds, 4, "colour");
    state_words(io, entry->l2, 4, "colour");
    state_u32(io, &entry->depth);
    state_u32(io, &entry->format);
    state_u32(io, &entry->type);
    state_u32(io, &entry->references);
}

void nvgpu_state_clear_values(struct state_io *io, struct nvgpu_zbc *table) {
    table->count = state_count(io, table->count, NVGPU_ZBC_ENTRIES, "clear values");
    for (uint32_t i = 0; i < table->count; i++)
        state_entry(io, &table->entry[i]);
}

static void control_gpu_state_gpu(struct nvgpu_file *file, struct nvgpu_save *save) {
    nvgpu_state_event(save, &((struct gpu_file *)file->state)->error_event);
}

/*
 * Not modelled: INVAL_ICACHE (0x0d). The kernel does that by registers of each GPC that the machine does not have; it
 * is refused, so that nobody takes stale instructions for new ones. Programs have a method for it, 0x1698.
 */
static const struct nvgpu_row rows[] = {
    {0x47, 0x01, 4, 0, zcull_size},
    {0x47, 0x02, 40, 0, zcull_info},
    {0x47, 0x03, 44, 0, zbc_set},
    {0x47, 0x04, 52, 0, zbc_query},
    {0x47, 0x05, 176, 0, get_characteristics},
    {0x47, 0x06, 24, 0, get_tpc_masks},
    {0x47, 0x07, 8, 0, flush_l2},
    {0x47, 0x0d, 8, 0, NULL},
    {0x47, 0x0e, 0, 0, NULL},
    {0x47, 0x0f, 0, 0, NULL},
    {0x47, 0x10, 0, 0, NULL},
    {0x47, 0x11, 0, 0, NULL},
    {0x47, 0x12, 8, 0, vsm_count},
    {0x47, 0x13, 4, 0, vsm_mapping},
    {0x47, 0x14, 8, 0, zbc_slots},
    {0x47, 0x1a, 0, 0, NULL},
    {0x47, 0x1b, 0, 0, NULL},
    {0x47, 0x1c, 16, 0, get_gpu_time},
    {0x47, 0x1d, 0, 0, NULL},
};

const struct nvgpu_device nvgpu_control_gpu = {.path = "/dev/nvhost-ctrl-gpu",
                                               .rows = rows,
                                               .row_count = sizeof rows / sizeof rows[0],
                                               .bytes = sizeof(struct gpu_file),
                                               .close = close_gpu,
                                               .event = control_gpu_query,
                                               .state = control_gpu_state_gpu};
