/* SPDX-License-Identifier: MIT */
/*
 * The machine itself: a device of any chip that runs, with channels set up by the driver layer, is fed pushbuffers,
 * register writes, memory writes and submissions from the input. Whatever comes, each call returns.
 *
 * Input: chip, then commands: an opcode byte and its operands, little endian.
 */
#include <pfifo/driver.h>

#include <stdlib.h>
#include <string.h>
#include "fuzz/input.h"

#define BUFFER_BYTES 0x4000
#define RUN_BUDGET   20000
#define MAX_COMMANDS 400

#define WRITE_METHODS 0xf0 /* and above: this, else by the lowest bits */

struct rig {
    struct pfifo_device *device;
    struct pfifo_gpu *gpu;
    struct pfifo_channel *channel[2];
    struct pfifo_buffer *buffer[2];
    uint32_t graphics; /* class that objects get */
};

enum pio { NO_PIO, WITH_PIO, ONLY_PIO };

static const struct {
    const char *chip;
    uint32_t graphics;
    enum pio pio; /* of the two channels the second takes methods by PIO, or both */
} chips[] = {
    {"NV40", 0x4097, NO_PIO},   {"NV44", 0x4497, NO_PIO},  {"C51", 0x4097, NO_PIO},   {"G80", 0x5097, NO_PIO},
    {"G84", 0x8297, NO_PIO},    {"GT215", 0x8597, NO_PIO}, {"MCP89", 0x8697, NO_PIO}, {"GF100", 0x9097, NO_PIO},
    {"GF119", 0x9297, NO_PIO},  {"GK104", 0xa097, NO_PIO}, {"GK110", 0xa197, NO_PIO}, {"GK20A", 0xa297, NO_PIO},
    {"GM107", 0xb097, NO_PIO},  {"GM20B", 0xb197, NO_PIO}, {"GP100", 0xc097, NO_PIO}, {"GP102", 0xc197, NO_PIO},
    {"NV1", 0x1f, ONLY_PIO},    {"NV3", 0x1f, ONLY_PIO},   {"NV3T", 0x43, ONLY_PIO},  {"NV4", 0x54, WITH_PIO},
    {"NV5", 0x54, NO_PIO},      {"NV10", 0x56, WITH_PIO},  {"NV1A", 0x96, NO_PIO},    {"NV11", 0x96, WITH_PIO},
    {"NV17", 0x99, NO_PIO},     {"NV20", 0x97, WITH_PIO},  {"NV34", 0x697, NO_PIO},   {"NV34", 0x697, WITH_PIO},
    {"NV41", 0x4097, WITH_PIO},
};

#define CHIPS (sizeof chips / sizeof chips[0])

static bool rig_open(struct rig *rig, unsigned choice, bool materialise) {
    struct pfifo_device_config config = {.gpu = {.chip = pfifo_chip_by_name(chips[choice % CHIPS].chip),
                                                 .vram_bytes = 64 << 20,
                                                 .system_bytes = 64 << 20,
                                                 .materialise_cache = materialise}};
    enum pio pio = chips[choice % CHIPS].pio;
    *rig = (struct rig){.graphics = chips[choice % CHIPS].graphics, .device = pfifo_device_open(&config, NULL)};
    if (!rig->device)
        return false;
    rig->gpu = pfifo_device_gpu(rig->device);
    for (int i = 0; i < 2; i++) {
        struct pfifo_channel_config channel = {.vram_handle = 0xbeef0201, .gart_handle = 0xbeef0202};
        if (pio == ONLY_PIO)
            channel = (struct pfifo_channel_config){0};
        if (pio == ONLY_PIO || (pio == WITH_PIO && i == 1))
            channel.mode = PFIFO_CHANNEL_PIO;
        if (i == 1 && choice / CHIPS % 2) /* from GK104 on from another runlist */
            channel.engine = PFIFO_ENGINE_COPY;
        rig->channel[i] = pfifo_channel_open(rig->device, &channel, NULL);
        channel.engine = PFIFO_ENGINE_GRAPHICS;
        if (!rig->channel[i])
            rig->channel[i] = pfifo_channel_open(rig->device, &channel, NULL);
        rig->buffer[i] = pfifo_buffer_new(rig->device, PFIFO_GART, BUFFER_BYTES, 0, NULL);
        if (!rig->channel[i] || !rig->buffer[i])
            return false;
        pfifo_channel_object(rig->channel[i], 0xbeef0001, rig->graphics, NULL);
        pfifo_channel_object(rig->channel[i], 0xbeef0002, 0x906e, NULL);
    }
    return true;
}

/* Words for a buffer: raw from the input, so that the fuzzer learns headers. */
static void fill(struct rig *rig, struct input *input) {
    uint8_t words[256];
    unsigned which = (unsigned)take(input, 1);
    size_t bytes = take(input, 1);
    size_t offset = take(input, 2) % (BUFFER_BYTES - sizeof words) & ~(size_t)3;
    if (bytes > input->left)
        bytes = input->left;
    memcpy(words, input->data, bytes);
    input->data += bytes;
    input->left -= bytes;
    pfifo_buffer_write(rig->buffer[which & 1], offset, words, bytes);
}

static void submit(struct rig *rig, struct input *input) {
    unsigned flags = (unsigned)take(input, 1);
    uint64_t offset = take(input, 2) % BUFFER_BYTES & ~UINT64_C(3);
    uint64_t bytes = (take(input, 2) % 0x800 & ~UINT64_C(3)) + 4;
    if (offset + bytes > BUFFER_BYTES)
        bytes = BUFFER_BYTES - offset;
    pfifo_channel_submit(rig->channel[flags & 1], pfifo_buffer_address(rig->buffer[flags >> 1 & 1]) + offset, bytes,
                         flags >> 2 & 1, NULL);
}

static void write_methods(struct rig *rig, struct input *input) {
    uint32_t words[64];
    unsigned flags = (unsigned)take(input, 1);
    uint32_t method = (uint32_t)take(input, 2) & 0x1ffc;
    size_t count = take(input, 1) % 65;
    for (size_t i = 0; i < count; i++)
        words[i] = (uint32_t)take(input, i % 4 ? 1 : 4);
    pfifo_channel_write_methods(rig->channel[flags & 1], flags >> 1 & 7, method, flags >> 2 & 4, words, count, NULL);
}

static void write_memory(struct rig *rig, struct input *input) {
    unsigned kind = (unsigned)take(input, 1);
    uint64_t address = take(input, kind & 0x80 ? 5 : 3);
    uint32_t value = (uint32_t)take(input, 4);
    if (kind & 1)
        pfifo_gpu_vram_write(rig->gpu, address, &value, 4);
    else if (kind & 2)
        pfifo_gpu_system_write(rig->gpu, address, &value, 4);
    else
        pfifo_gpu_bar_write(rig->gpu, kind & 4 ? 1 : 3, address, &value, 1 + (kind >> 3 & 3));
}

static void command(struct rig *rig, struct input *input) {
    uint32_t offset;
    unsigned code = (unsigned)take(input, 1);
    if (code >= WRITE_METHODS) {
        write_methods(rig, input);
        return;
    }
    switch (code % 8) {
    case 0:
        fill(rig, input);
        return;
    case 1:
        submit(rig, input);
        return;
    case 2:
        pfifo_device_run(rig->device, take(input, 2));
        return;
    case 3:
        pfifo_gpu_run(rig->gpu, take(input, 2));
        return;
    case 4: /* anywhere in BAR0 */
        offset = (uint32_t)take(input, 3);
        pfifo_gpu_wr32(rig->gpu, offset, (uint32_t)take(input, 4));
        return;
    case 5: /* PFIFO */
        offset = 0x2000 + (uint32_t)take(input, 2) % 0x2000;
        pfifo_gpu_wr32(rig->gpu, offset, (uint32_t)take(input, 4));
        return;
    case 6:
        write_memory(rig, input);
        return;
    default:
        pfifo_gpu_rd32(rig->gpu, (uint32_t)take(input, 3));
        return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input input = {data, size};
    struct rig rig;
    unsigned choice = (unsigned)take(&input, 1);
    if (rig_open(&rig, choice & 0x7f, choice >> 7)) {
        for (int i = 0; input.left && i < MAX_COMMANDS; i++)
            command(&rig, &input);
        pfifo_device_run(rig.device, RUN_BUDGET);
        pfifo_gpu_run(rig.gpu, RUN_BUDGET);
    }
    pfifo_device_close(rig.device);
    return 0;
}
