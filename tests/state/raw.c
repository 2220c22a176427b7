/* SPDX-License-Identifier: MIT */
/*
 * Work for chips by their registers alone: whatever rows a chip's tables have are written, with values that are mostly
 * sensible, and the USER areas. Instance memory is filled so that a handle is found: every slot of RAMHT is the same,
 * so any hash leads to it.
 */
#include "state/raw.h"

#include <string.h>

#include "gpu/gpu.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define HANDLE     0x1234u
#define PUSHBUFFER 0x20000u /* in VRAM and in system memory */
#define PUSH_WORDS 0x1000u
#define PACKET     8u       /* words of a packet, so that any multiple is where one begins */
#define RAMHT_AREA 0x10000u /* NV4-; before, 0 */
#define OBJECTS    0x8000u
#define USER       0x800000u

/* What makes things go, with the values that do. */
static const struct {
    const char *name;
    uint32_t value;
} switches[] = {
    {"CACHES", 1},          {"CACHE1_PUSH0", 1},         {"CACHE1_PULL0", 1}, {"CACHE0_PUSH0", 0}, {"CACHE0_PULL0", 1},
    {"CACHE1_DMA_PUSH", 1}, {"INTR_EN_0", 0x1111},       {"INTR_0", ~0u},     {"DMA", 0xff},       {"CACHE1_DMA0", 1},
    {"CACHE1_DMA1", 0x200}, {"CACHE1_DMA3", PUSHBUFFER}, {"INTR_EN", 1},
};

static bool write_named(struct pfifo_gpu *gpu, const char *name, uint32_t value) {
    for (size_t i = 0; i < gpu->bus.row_count; i++)
        if (strcmp(gpu->bus.rows[i].reg->name, name) == 0) {
            pfifo_gpu_wr32(gpu, gpu->bus.rows[i].begin, value);
            return true;
        }
    return false;
}

static uint32_t read_named(struct pfifo_gpu *gpu, const char *name) {
    for (size_t i = 0; i < gpu->bus.row_count; i++)
        if (strcmp(gpu->bus.rows[i].reg->name, name) == 0)
            return pfifo_gpu_rd32(gpu, gpu->bus.rows[i].begin);
    return 0;
}

static uint32_t any_value(struct choice *c) {
    switch (choice_below(c, 6)) {
    case 0:
        return choice_below(c, 2);
    case 1:
        return choice_below(c, 64) << 2;
    case 2:
        return choice_word(c);
    case 3:
        return UINT32_C(1) << choice_below(c, 32);
    case 4:
        return PUSHBUFFER + 4 * choice_below(c, PUSH_WORDS);
    default:
        return OBJECTS >> 4;
    }
}

static void write_any(struct pfifo_gpu *gpu, struct choice *c) {
    const struct bus_row *row = &gpu->bus.rows[choice_below(c, (uint32_t)gpu->bus.row_count)];
    uint32_t offset = row->begin + 4 * choice_below(c, (row->end - row->begin) / 4);
    if (offset == 0x200) /* PMC: a chip that is off does nothing */
        return;
    pfifo_gpu_wr32(gpu, offset, any_value(c));
}

static void poke_ramin(struct pfifo_gpu *gpu, uint32_t offset, uint32_t value) {
    memory_ramin_wr32(&gpu->memory, offset, value);
}

static uint32_t any_method(struct choice *c) {
    static const uint16_t host[] = {0x50, 0x60, 0x64, 0x68, 0x6c, 0x80, 0x40, 0x10};
    static const uint16_t methods[] = {0, 0x100, 0x104, 0x180, 0x184, 0x300, 0x304, 0x308};
    return choice_once_in(c, 12) ? host[choice_below(c, COUNT_OF(host))] : methods[choice_below(c, COUNT_OF(methods))];
}

static void put_word(struct pfifo_gpu *gpu, uint32_t address, uint32_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    pfifo_gpu_vram_write(gpu, address, bytes, sizeof bytes);
    pfifo_gpu_system_write(gpu, address, bytes, sizeof bytes);
}

static uint32_t any_packet(struct choice *c) {
    return PUSHBUFFER + 4 * PACKET * choice_below(c, PUSH_WORDS / PACKET);
}

/* From NV4 on: [28:18] count, [15:13] subchannel, [12:2] method. */
static void make_pushbuffer(struct pfifo_gpu *gpu, struct choice *c) {
    for (uint32_t i = 0; i < PUSH_WORDS; i += PACKET) {
        put_word(gpu, PUSHBUFFER + 4 * i, (PACKET - 1) << 18 | choice_below(c, 8) << 13 | any_method(c));
        for (uint32_t n = 1; n < PACKET; n++)
            put_word(gpu, PUSHBUFFER + 4 * (i + n), choice_once_in(c, 2) ? HANDLE : choice_below(c, 4));
        if (choice_once_in(c, 30))
            put_word(gpu, PUSHBUFFER + 4 * i, choice_word(c));
    }
}

/* What RAMHT says about the handle: an object of PGRAPH's, of channel 0. */
static uint32_t good_context(const struct pfifo_gpu *gpu) {
    if (!gpu->chip->has_dma)
        return 0x00c10000 | OBJECTS >> 4;
    if (!chip_in_range(gpu->chip, "NV4:NV40"))
        return 1u << 20 | OBJECTS >> 4;
    return 1u << 31 | 1u << 16 | OBJECTS >> 4;
}

static void make_instance_memory(struct pfifo_gpu *gpu, struct choice *c) {
    uint32_t context = choice_once_in(c, 4) ? choice_word(c) : good_context(gpu);
    uint32_t ramht = gpu->chip->has_dma ? RAMHT_AREA : 0;
    for (uint32_t at = 0; at < 0x1000; at += 8) {
        poke_ramin(gpu, ramht + at, HANDLE);
        poke_ramin(gpu, ramht + at + 4, context);
    }
    /* One object for everything: a linear DMA object over all of memory, or a class. */
    poke_ramin(gpu, OBJECTS, choice_between(c, 2, 3) << 16 | 0x3000 | choice_below(c, 0x100));
    poke_ramin(gpu, OBJECTS + 4, 0x00ffffff);
    poke_ramin(gpu, OBJECTS + 8, 3);
    for (uint32_t at = 0; at < 0x800; at += 4)
        poke_ramin(gpu, 0x11000 + at, choice_once_in(c, 2) ? 0 : any_value(c));
}

/* What a driver does about errors: skip what is wrong, and set everything going again. */
static void recover(struct pfifo_gpu *gpu, struct choice *c) {
    write_named(gpu, "RUNOUT_GET", read_named(gpu, "RUNOUT_PUT"));
    write_named(gpu, "CACHE1_GET", read_named(gpu, "CACHE1_PUT"));
    write_named(gpu, "CACHE1_DMA_STATE", 0);
    write_named(gpu, "CACHE1_DMA_GET", any_packet(c));
    write_named(gpu, "CACHE1_DMA_PUT", any_packet(c));
    write_named(gpu, "CACHE1_DMA_INSTANCE", OBJECTS >> 4);
    for (size_t i = 0; i < COUNT_OF(switches); i++)
        if (!choice_once_in(c, 12))
            write_named(gpu, switches[i].name, switches[i].value);
}

void raw_start(struct pfifo_gpu *gpu, struct choice *c) {
    make_pushbuffer(gpu, c);
    make_instance_memory(gpu, c);
    write_named(gpu, "MODE", choice_once_in(c, 2) ? 0 : 0xff);
    if (!gpu->chip->has_dma)
        write_named(gpu, "RAMHT", 0);
    else
        write_named(gpu, "CACHE1_PUSH1", choice_once_in(c, 2) ? 0 : gpu->chip->channels >= 32 ? 0x10000 : 0x100);
    recover(gpu, c);
}

/* What RAMRO has is read first, or nothing gets into CACHE1. */
static void write_user(struct pfifo_gpu *gpu, struct choice *c) {
    uint32_t channel = choice_once_in(c, 8) ? choice_below(c, 8) : 0, subchannel = choice_below(c, 3);
    if (!choice_once_in(c, 4))
        write_named(gpu, "RUNOUT_GET", read_named(gpu, "RUNOUT_PUT"));
    if (!choice_once_in(c, 3))
        pfifo_gpu_wr32(gpu, USER + channel * 0x10000 + subchannel * 0x2000, HANDLE);
    for (unsigned n = choice_between(c, 1, 12); n > 0; n--) {
        uint32_t data = choice_once_in(c, 2) ? HANDLE : any_value(c);
        pfifo_gpu_wr32(gpu, USER + channel * 0x10000 + subchannel * 0x2000 + any_method(c), data);
    }
}

void raw_step(struct pfifo_gpu *gpu, struct choice *c) {
    uint32_t which;
    switch (choice_below(c, 10)) {
    case 0:
    case 1:
    case 2:
        write_user(gpu, c);
        return;
    case 3:
        which = choice_below(c, COUNT_OF(switches));
        write_named(gpu, switches[which].name, switches[which].value);
        return;
    case 4:
        if (choice_once_in(c, 2))
            write_any(gpu, c);
        else
            recover(gpu, c);
        return;
    case 5:
        write_named(gpu, "CACHE1_DMA_PUT", any_packet(c));
        return;
    case 6:
        pfifo_gpu_rd32(gpu, gpu->bus.rows[choice_below(c, (uint32_t)gpu->bus.row_count)].begin);
        return;
    default:
        pfifo_gpu_run(gpu, choice_below(c, 60));
        return;
    }
}
