/* SPDX-License-Identifier: MIT */
#include "checks.h"
#include "kernel.h"

#include <string.h>

#define MIB   UINT64_C(1048576)
#define PAGES 64u /* of a copy */

void fill(uint32_t *data, size_t count, uint32_t seed) {
    for (size_t i = 0; i < count; i++)
        data[i] = seed = seed * 1664525u + 1013904223u;
}

void compare(const uint32_t *data, size_t count, uint32_t seed, const char *what) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        if (data[i] != seed)
            fail("%s: word %zu is %08x, not %08x", what, i, data[i], seed);
    }
}

/* ---- copies ---- */

/* Guest memory, VRAM, guest memory. */
static void copy_there_and_back(struct channel *channel, uint32_t pages, uint32_t seed) {
    struct device *device = channel->device;
    const uint64_t bytes = (uint64_t)pages * ROW_BYTES;
    struct buffer from = buffer_new(device, GART, bytes), there = buffer_new(device, VRAM, bytes),
                  back = buffer_new(device, GART, bytes);
    struct words words = {.family = device->family};

    fill(from.map, bytes / 4, seed);
    memset(back.map, 0, bytes);
    words_bind_copy(&words);
    words_copy(&words, &from, 0, &there, 0, pages);
    words_copy(&words, &there, 0, &back, 0, pages);
    channel_run(channel, &words, (struct use[]){{&from, GART, false}, {&there, VRAM, true}, {&back, GART, true}}, 3);
    compare(back.map, bytes / 4, seed, "the copy");
    if (there.map[0] != from.map[0] || there.map[bytes / 4 - 1] != from.map[bytes / 4 - 1])
        fail("VRAM has %08x and %08x", there.map[0], there.map[bytes / 4 - 1]);
    buffer_free(&from);
    buffer_free(&there);
    buffer_free(&back);
}

void work_with(void *opaque) {
    copy_there_and_back(opaque, 4, 99);
}

void check_copy(void) {
    struct device device;
    struct channel channel;

    device_open(&device);
    channel_open(&device, &channel);
    copy_there_and_back(&channel, 1, 1);
    copy_there_and_back(&channel, PAGES, 2);
    copy_there_and_back(&channel, 1100, 3);
    channel_close(&channel);
    device_close(&device);
}

void check_channels(void) {
    enum { COUNT = 3 };
    struct device device;
    struct channel channels[COUNT];

    device_open(&device);
    for (unsigned i = 0; i < COUNT; i++)
        channel_open(&device, &channels[i]);
    for (unsigned i = 0; i < 8 * COUNT; i++)
        copy_there_and_back(&channels[i % COUNT], 4, i);
    for (unsigned i = 0; i < COUNT; i++)
        channel_close(&channels[i]);
    device_close(&device);
}

/* ---- moves ---- */

/* A list of uses is all that it takes. */
static void move_to(struct channel *channel, struct buffer *buffer, uint32_t domain) {
    struct words words = {.family = channel->device->family};

    words_bind_copy(&words);
    channel_run(channel, &words, &(struct use){buffer, domain, false}, 1);
    buffer_wait(buffer);
}

/*
 * Before Tesla the kernel's moves also write 16 bytes to the beginning of VRAM: Linux 6.1 gives M2MF a notifier whose
 * address is one of instance memory, as an address of VRAM. What must keep its data is not there.
 */
static struct buffer leave_room(struct device *device) {
    return buffer_new(device, VRAM, device->family->format == METHODS_OF_HANDLES ? 2 * MIB : ROW_BYTES);
}

void check_moves(void) {
    const uint64_t bytes = PAGES * ROW_BYTES;
    struct device device;
    struct channel channel;

    device_open(&device);
    channel_open(&device, &channel);
    leave_room(&device);
    struct buffer buffer = buffer_new(&device, VRAM | GART, bytes);
    move_to(&channel, &buffer, GART);
    fill(buffer.map, bytes / 4, 7);
    for (unsigned i = 0; i < 3; i++) {
        move_to(&channel, &buffer, VRAM);
        move_to(&channel, &buffer, GART);
    }
    compare(buffer.map, bytes / 4, 7, "after its moves");
    channel_close(&channel);
    device_close(&device);
}

/* The first row of each buffer tells it from the others. */
static void mark_or_compare(struct channel *channel, struct buffer *buffer, struct buffer *row, uint32_t seed,
                            bool mark) {
    struct words words = {.family = channel->device->family};

    if (!mark)
        move_to(channel, buffer, VRAM);
    else
        fill(row->map, ROW_BYTES / 4, seed);
    words_bind_copy(&words);
    words_copy(&words, mark ? row : buffer, 0, mark ? buffer : row, 0, 1);
    channel_run(channel, &words, (struct use[]){{row, GART, !mark}, {buffer, VRAM, mark}}, 2);
    if (!mark)
        compare(row->map, ROW_BYTES / 4, seed, "a buffer that had to leave VRAM");
}

/* More buffers than VRAM has room for: the kernel has to move some away. Only where VRAM is small enough to fill. */
void check_evict(void) {
    enum { MOST = 48 };
    struct device device;
    struct channel channel;
    struct buffer buffers[MOST];

    device_open(&device);
    if (device.vram_bytes > 128 * MIB)
        return;
    channel_open(&device, &channel);
    leave_room(&device);
    const uint64_t bytes = device.vram_bytes / (MOST - 6) & ~(MIB / 4 - 1);
    struct buffer row = buffer_new(&device, GART, ROW_BYTES);
    for (uint32_t i = 0; i < MOST; i++) {
        buffers[i] = buffer_new(&device, VRAM | GART, bytes);
        move_to(&channel, &buffers[i], VRAM);
        mark_or_compare(&channel, &buffers[i], &row, i, true);
    }
    for (uint32_t i = 0; i < MOST; i++)
        mark_or_compare(&channel, &buffers[i], &row, i, false);
    channel_close(&channel);
    device_close(&device);
}

/* ---- fences ---- */

void check_fences(void) {
    struct device device;
    struct channel channel;

    device_open(&device);
    channel_open(&device, &channel);
    struct words words = {.family = device.family};
    words_bind_copy(&words);
    for (unsigned i = 0; i < 1000; i++)
        channel_run(&channel, &words, NULL, 0);
    channel_close(&channel);
    device_close(&device);
}

/* ---- the driver ---- */

/* From where the log is on. */
static void expect_driver(struct log *log) {
    bool initialised = false;

    while (log_next(log)) {
        if (log_is_complaint(log))
            fail("the kernel says: %s", log->line);
        initialised |= strstr(log->line, "Initialized nouveau") != NULL;
    }
    if (!initialised)
        fail("the driver does not say that it is initialised");
}

/* That PGRAPH is on, too, each channel shows with its objects. */
void check_driver(void) {
    struct log log;

    log_open_at_begin(&log);
    expect_driver(&log);
    log_close(&log);
}

static void moves(void *opaque) {
    (void)opaque;
    check_moves();
}

/*
 * The kernel's channel must have been used: else Linux 6.1 lets it bind its objects only at the end, when they are
 * gone, and complains.
 */
void check_unload(void) {
    struct log log;

    in_process(moves, NULL);
    log_open_at_end(&log);
    kernel_unload("nouveau");
    kernel_load("/modules/nouveau.ko");
    expect_driver(&log);
    log_close(&log);
    check_moves();
}

/* What VRAM may still have from before, and should not be found: another buffer is written there. */
static void spoil_vram(struct channel *channel, struct buffer *with) {
    const uint64_t bytes = 4 * MIB;
    struct buffer there = buffer_new(channel->device, VRAM, bytes);
    struct words words = {.family = channel->device->family};

    words_bind_copy(&words);
    for (uint64_t at = 0; at < bytes; at += PAGES * ROW_BYTES)
        words_copy(&words, with, 0, &there, at, PAGES);
    channel_run(channel, &words, (struct use[]){{with, GART, false}, {&there, VRAM, true}}, 2);
    buffer_free(&there);
}

/* What is in VRAM and in guest memory stays, channels go on. */
void check_suspend(void) {
    const uint64_t bytes = PAGES * ROW_BYTES;
    struct device device;
    struct channel channel;
    struct words words;

    device_open(&device);
    channel_open(&device, &channel);
    struct buffer room = leave_room(&device);
    struct buffer from = buffer_new(&device, GART, bytes), there = buffer_new(&device, VRAM | GART, bytes);
    fill(from.map, bytes / 4, 5);
    move_to(&channel, &there, VRAM);
    words = (struct words){.family = device.family};
    words_bind_copy(&words);
    words_copy(&words, &from, 0, &there, 0, PAGES);
    channel_run(&channel, &words, (struct use[]){{&from, GART, false}, {&there, VRAM, true}}, 2);
    kernel_suspend();
    move_to(&channel, &from, GART);
    compare(from.map, bytes / 4, 5, "guest memory after the sleep");
    memset(from.map, 0, bytes);
    spoil_vram(&channel, &from);
    move_to(&channel, &room, VRAM);
    move_to(&channel, &there, VRAM);
    words = (struct words){.family = device.family};
    words_bind_copy(&words);
    words_copy(&words, &there, 0, &from, 0, PAGES);
    channel_run(&channel, &words, (struct use[]){{&from, GART, true}, {&there, VRAM, false}}, 2);
    compare(from.map, bytes / 4, 5, "after the sleep");
    copy_there_and_back(&channel, PAGES, 6);
    channel_close(&channel);
    device_close(&device);
}
