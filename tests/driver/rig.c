/* SPDX-License-Identifier: MIT */
#include "driver/rig.h"

static size_t method_event;

void rig_observe(void *opaque, const struct pfifo_event *event) {
    struct rig *rig = opaque;
    if (event->id == method_event && rig->method_count < RECORDS)
        rig->methods[rig->method_count++] = (struct record){event->channel, (uint32_t)event->value[0],
                                                            (uint32_t)event->value[2], (uint32_t)event->value[3]};
}

static bool take_software(void *opaque, uint32_t channel, unsigned subchannel, uint32_t method, uint32_t data) {
    struct rig *rig = opaque;
    assert_true(rig->software_count < RECORDS);
    rig->software[rig->software_count++] = (struct record){channel, subchannel, method, data};
    return !rig->refuse_software;
}

static void take_fault(void *opaque, const struct pfifo_device_fault *fault) {
    struct rig *rig = opaque;
    assert_true(rig->fault_count < RECORDS);
    rig->faults[rig->fault_count++] = *fault;
}

void rig_open(struct rig *rig, const struct part *part) {
    memset(rig, 0, sizeof *rig);
    rig->part = part;
    const struct pfifo_device_config config = {
        .gpu.chip = pfifo_chip_by_name(part->chip), .fault = take_fault, .software = take_software, .opaque = rig};
    rig->device = pfifo_device_open(&config, &rig->error);
    if (!rig->device)
        fail_msg("%s: %s", part->chip, rig->error.message);
    method_event = pfifo_event_find("puller.method");
    assert_int_not_equal(method_event, SIZE_MAX);
    assert_int_equal(pfifo_gpu_observe(pfifo_device_gpu(rig->device), "puller.method", rig_observe, rig, &rig->error),
                     PFIFO_OK);
}

void rig_close(struct rig *rig) {
    pfifo_device_close(rig->device);
}

struct pfifo_channel *rig_channel(struct rig *rig, enum pfifo_channel_mode mode, uint32_t entries) {
    bool handles = !rig->part->pio_only;
    const struct pfifo_channel_config config = {.mode = mode,
                                                .entries = entries,
                                                .vram_handle = handles ? VRAM_HANDLE : 0,
                                                .gart_handle = handles ? GART_HANDLE : 0};
    struct pfifo_channel *channel = pfifo_channel_open(rig->device, &config, &rig->error);
    if (!channel)
        fail_msg("%s: %s", rig->part->chip, rig->error.message);
    if (pfifo_channel_object(channel, GRAPHICS, rig->part->graphics, &rig->error) != PFIFO_OK)
        fail_msg("%s: %s", rig->part->chip, rig->error.message);
    return channel;
}

struct pfifo_buffer *rig_buffer(struct rig *rig, enum pfifo_domain domain, uint64_t bytes, uint64_t address) {
    struct pfifo_buffer *buffer = pfifo_buffer_new(rig->device, domain, bytes, address, &rig->error);
    if (!buffer)
        fail_msg("%s: %s", rig->part->chip, rig->error.message);
    return buffer;
}

void rig_wait(struct rig *rig) {
    if (pfifo_device_wait(rig->device, BUDGET, &rig->error) != PFIFO_OK)
        fail_msg("%s: %s", rig->part->chip, rig->error.message);
}

uint32_t rig_read(struct pfifo_buffer *buffer, uint64_t offset) {
    uint8_t b[4];
    assert_true(pfifo_buffer_read(buffer, offset, b, sizeof b));
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

size_t rig_count(const struct rig *rig, uint32_t method) {
    size_t count = 0;
    for (size_t i = 0; i < rig->method_count; i++)
        count += rig->methods[i].method == method;
    return count;
}

void rig_assert_data(const struct rig *rig, uint32_t method, const uint32_t *data, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < rig->method_count; i++) {
        if (rig->methods[i].method != method)
            continue;
        if (n < count)
            assert_int_equal(rig->methods[i].data, data[n]);
        n++;
    }
    assert_int_equal(n, count);
}

struct pfifo_buffer *rig_push_buffer(struct rig *rig) {
    return rig_buffer(rig, PFIFO_GART, 0x10000, 0);
}

struct words words_for(const struct rig *rig, enum pfifo_channel_mode mode) {
    return (struct words){.fermi = rig->part->fermi, .calls = rig->part->calls || mode == PFIFO_CHANNEL_DMA};
}

void words_add(struct words *words, uint32_t word) {
    assert_true(words->count < COUNT_OF(words->word));
    words->word[words->count++] = word;
}

void words_header(struct words *words, uint32_t subchannel, uint32_t method, uint32_t count) {
    words_add(words, words->fermi ? 1u << 29 | count << 16 | subchannel << 13 | method >> 2
                                  : count << 18 | subchannel << 13 | method);
}

void words_method(struct words *words, uint32_t subchannel, uint32_t method, uint32_t data) {
    words_header(words, subchannel, method, 1);
    words_add(words, data);
}

void words_bind_class(struct words *words, const struct rig *rig, uint32_t subchannel) {
    words_method(words, subchannel, 0, rig->part->fermi ? rig->part->graphics : GRAPHICS);
}

/* On GF100 .. GF117 the engine is in the data: 0x1f is the software. */
void words_bind_software(struct words *words, const struct rig *rig, uint32_t subchannel) {
    words_method(words, subchannel, 0, rig->part->fermi ? 0x1f0000 | rig->part->software : SOFTWARE);
}

static void new_semaphore(struct words *words, uint64_t address, uint32_t value, uint32_t trigger) {
    if (!words->fermi)
        words_method(words, SUBCHANNEL, 0x60, VRAM_HANDLE);
    words_header(words, SUBCHANNEL, 0x10, 4);
    words_add(words, (uint32_t)(address >> 32));
    words_add(words, (uint32_t)address);
    words_add(words, value);
    words_add(words, trigger);
}

/* An offset in the object SEMAPHORE, which the test has made over the buffer. */
static void old_semaphore(struct words *words, uint32_t value, uint32_t method) {
    words_method(words, SUBCHANNEL, 0x60, SEMAPHORE);
    words_method(words, SUBCHANNEL, 0x64, 0);
    words_method(words, SUBCHANNEL, method, value);
}

void words_release(struct words *words, const struct rig *rig, uint64_t address, uint32_t value) {
    if (rig->part->semaphores == NEW_SEMAPHORE)
        new_semaphore(words, address, value, 2);
    else
        old_semaphore(words, value, 0x6c);
}

void words_acquire(struct words *words, const struct rig *rig, uint64_t address, uint32_t value) {
    if (rig->part->semaphores == NEW_SEMAPHORE)
        new_semaphore(words, address, value, 1);
    else
        old_semaphore(words, value, 0x68);
}

void words_submit(struct words *words, struct rig *rig, struct pfifo_channel *channel, struct pfifo_buffer *buffer,
                  uint64_t offset) {
    if (words->calls)
        words_add(words, 0x00020000);
    for (size_t i = 0; i < words->count; i++) {
        uint32_t w = words->word[i];
        const uint8_t bytes[4] = {(uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24)};
        assert_true(pfifo_buffer_write(buffer, offset + 4 * i, bytes, sizeof bytes));
    }
    if (pfifo_channel_submit(channel, pfifo_buffer_address(buffer) + offset, 4 * words->count, 0, &rig->error) !=
        PFIFO_OK)
        fail_msg("%s: %s", rig->part->chip, rig->error.message);
}
