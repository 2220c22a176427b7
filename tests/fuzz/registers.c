/* SPDX-License-Identifier: MIT */
/*
 * A guest that writes anything anywhere, at any size and alignment, on NV1 .. NV4x: each call returns, and afterwards a
 * driver that resets the machine and starts it as drivers do has a working one.
 *
 * Input: chip, then commands: an opcode byte and its operands, little endian.
 */
#include <pfifo/gpu.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fuzz/input.h"

#define MAX_COMMANDS 600
#define VRAM_BYTES   (2u << 20) /* tiled regions are rearranged as a whole */
#define SYSTEM_BYTES (1u << 20)

static const char *const chips[] = {"NV1",  "NV3",  "NV3T", "NV4",  "NV5",  "NV10", "NV1A", "NV11",
                                    "NV17", "NV20", "NV2A", "NV25", "NV34", "NV40", "NV43", "NV44"};

#define CHIPS (sizeof chips / sizeof chips[0])

/* ---- the guest ---- */

/* Offsets in BAR0 where something is. */
static uint32_t any_offset(struct input *input) {
    uint32_t value = (uint32_t)take(input, 3);
    switch (value >> 21) {
    case 0:
        return 0x2000 + (value & 0x1fff);
    case 1:
        return 0x3000 + (value & 0x3ff);
    case 2:
        return 0x800000 + (value & 0x1fffff);
    case 3:
        return 0x700000 + (value & 0x1ffff);
    case 4:
        return 0x400000 + (value & 0x1fff);
    case 5:
        return 0x100000 + (value & 0x1fff);
    case 6:
        return value & 0x3ff;
    default:
        return value & 1 ? 0x602000 + (value & 0xfff) : (value << 4) & 0xffffff;
    }
}

static void command(struct pfifo_gpu *gpu, struct input *input) {
    uint8_t bytes[8];
    unsigned op = (unsigned)take(input, 1), size = 1 + (op >> 4) % 8;
    uint32_t offset;
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)take(input, i < size);
    switch (op & 15) {
    case 0:
        pfifo_gpu_bar_read(gpu, 0, any_offset(input), bytes, size);
        return;
    case 1:
        pfifo_gpu_bar_write(gpu, 1, take(input, 4) & 0x7fffff, bytes, size);
        return;
    case 2:
        pfifo_gpu_bar_write(gpu, 3, take(input, 3), bytes, size);
        return;
    case 3: /* RAMIN is at the end */
        pfifo_gpu_vram_write(gpu, VRAM_BYTES - 1 - (take(input, 3) & 0x3ffff), bytes, size);
        return;
    case 4:
        pfifo_gpu_system_write(gpu, take(input, 3), bytes, size);
        return;
    case 5:
    case 6:
        pfifo_gpu_run(gpu, take(input, 2) % 2048);
        return;
    case 7:
        pfifo_gpu_wr32(gpu, 0x200, (uint32_t)take(input, 1) << 8);
        return;
    default:
        offset = any_offset(input);
        if (size == 4 || op & 0x40)
            offset &= ~3u;
        pfifo_gpu_bar_write(gpu, 0, offset, bytes, op & 0x40 ? 4 : size);
        return;
    }
}

/* ---- the driver that comes afterwards ---- */

#define HANDLE   1u
#define METHOD   0x300u
#define VALUE    0x00400050u
#define CLASS    0x19u /* a clipping rectangle, on all these chips */
#define INSTANCE 0x1200u

static void ramin_write(struct pfifo_gpu *gpu, bool in_bar1, uint32_t address, uint32_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    if (in_bar1)
        pfifo_gpu_bar_write(gpu, 1, 0xc00000 + address, bytes, sizeof bytes);
    else
        pfifo_gpu_wr32(gpu, 0x700000 + address, value);
}

static void write_all(struct pfifo_gpu *gpu, const uint32_t (*pairs)[2], size_t count) {
    for (size_t i = 0; i < count; i++)
        pfifo_gpu_wr32(gpu, pairs[i][0], pairs[i][1]);
}

#define WRITE_ALL(gpu, ...)                                                                                            \
    write_all(gpu, (const uint32_t[][2]){__VA_ARGS__}, sizeof((const uint32_t[][2]){__VA_ARGS__}) / 8)

/* As XFree86 starts NV1 and NV3: everything is off while it changes. */
static void start_old(struct pfifo_gpu *gpu, bool nv3) {
    WRITE_ALL(gpu, {0x2500, 0}, {0x3000, 0}, {0x3040, 0}, {0x3200, 0}, {0x3240, 0}, {0x2140, 0}, {0x2100, ~0u},
              {0x2410, 0}, {0x2420, 0}, {0x3250, 0}, {0x3070, 0}, {0x3270, 0}, {0x602200, 0}, {0x2200, 0});
    if (nv3)
        WRITE_ALL(gpu, {0x3220, 0}, {0x3218, 0}, {0x3004, 0}, {0x3204, 0}, {0x3010, 0}, {0x3210, 0}, {0x2210, 0},
                  {0x2214, 0x2200}, {0x2218, 0x2000});
    else
        WRITE_ALL(gpu, {0x3010, 0}, {0x3210, 0}, {0x3030, 0}, {0x3230, 0});
    for (uint32_t i = 0; i < 8; i++)
        pfifo_gpu_wr32(gpu, 0x3280 + 16 * i, 0);
    for (uint32_t i = 0; i < 0x3400; i += 4)
        ramin_write(gpu, nv3, i, 0);
    /* Row 1 of the table, for channel 0. */
    ramin_write(gpu, nv3, 16, HANDLE);
    ramin_write(gpu, nv3, 20, (nv3 ? 0x00c50000u : 0x00450000u));
    WRITE_ALL(gpu, {0x400100, ~0u}, {0x4006a4, nv3 ? 1 : 0x01000001}, {0x400190, 0x10010100});
    pfifo_gpu_wr32(gpu, nv3 ? 0x400194 : 0x400180, 0);
    WRITE_ALL(gpu, {0x3200, 1}, {0x3240, 1}, {0x2500, 1});
}

/* As nouveau does from NV4 on: a PFIFO that was off in PMC is as after power-on. */
static void start_new(struct pfifo_gpu *gpu, unsigned generation) {
    WRITE_ALL(gpu, {0x100200, 0}, {0x100214, 0}, {0x2210, 0x03000100}, {0x2100, ~0u});
    if (generation >= 40)
        WRITE_ALL(gpu, {0x2220, 0x30002}, {0x2230, 1});
    for (uint32_t i = 0; i < 0x1000; i += 4)
        ramin_write(gpu, false, 0x10000 + i, 0);
    ramin_write(gpu, false, INSTANCE << 4, CLASS);
    ramin_write(gpu, false, 0x10000 + 8 * HANDLE, HANDLE);
    ramin_write(gpu, false, 0x10004 + 8 * HANDLE, INSTANCE | (generation >= 40 ? 1u << 20 : 0x80010000u));
    WRITE_ALL(gpu, {0x400100, ~0u}, {0x400720, 1});
    if (generation >= 10)
        WRITE_ALL(gpu, {0x400148, 0}, {0x400144, 0x10010100});
    else
        WRITE_ALL(gpu, {0x400174, 0}, {0x400170, 0x10010100});
    WRITE_ALL(gpu, {0x3200, 1}, {0x3250, 1}, {0x2500, 1});
}

static void check_that_it_works(struct pfifo_gpu *gpu, const char *name) {
    unsigned generation = (unsigned)strtoul(name + 2, NULL, 16);
    generation = generation >= 0x40 ? 40 : generation >= 0x10 ? 10 : generation;
    uint32_t value = 0;
    if (pfifo_gpu_rd32(gpu, 4) & 0x01000001) /* big-endian: this value is the same in either order */
        pfifo_gpu_wr32(gpu, 4, 0x01000001);
    pfifo_gpu_wr32(gpu, 0x200, 0);
    pfifo_gpu_wr32(gpu, 0x200, ~0u);
    if (generation < 4)
        start_old(gpu, generation == 3);
    else
        start_new(gpu, generation);
    pfifo_gpu_wr32(gpu, 0x800000, HANDLE);
    pfifo_gpu_wr32(gpu, 0x800000 + METHOD, VALUE);
    enum pfifo_stop stop = pfifo_gpu_run(gpu, 10);
    if (pfifo_gpu_method_value(gpu, 0, CLASS, METHOD, &value) && value == VALUE && stop == PFIFO_STOP_IDLE)
        return;
    fprintf(stderr, "%s does not work after a reset: stop %d, method %08x\n", name, (int)stop, (unsigned)value);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input input = {data, size};
    const char *name = chips[take(&input, 1) % CHIPS];
    struct pfifo_config config = {
        .chip = pfifo_chip_by_name(name), .vram_bytes = VRAM_BYTES, .system_bytes = SYSTEM_BYTES};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    if (!gpu)
        return 0;
    pfifo_gpu_wr32(gpu, 0x200, ~0u);
    for (int i = 0; input.left && i < MAX_COMMANDS; i++)
        command(gpu, &input);
    pfifo_gpu_run(gpu, 5000);
    check_that_it_works(gpu, name);
    pfifo_gpu_free(gpu);
    return 0;
}
