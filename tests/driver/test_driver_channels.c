/* SPDX-License-Identifier: MIT */
/* Channels, objects and submissions through the public API, on chips of every generation that has a machine. */
#include "driver/rig.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define FOR_EACH_PART(part) for (const struct part *part = parts; part < parts + COUNT_OF(parts); part++)

/* Where segments can be read: on NV4x in GART. */
static struct pfifo_buffer *push_buffer(void) {
    return rig_buffer(&rig, PFIFO_GART, 0x10000, 0);
}

static struct words new_words(enum pfifo_channel_mode mode) {
    return words_for(&rig, mode);
}

/* Only the record of method `method`: its data in order. */
static void assert_data(uint32_t method, const uint32_t *data, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < rig.method_count; i++) {
        if (rig.methods[i].method != method)
            continue;
        assert_true(n < count);
        assert_int_equal(rig.methods[i].data, data[n]);
        n++;
    }
    assert_int_equal(n, count);
}

/* ---- submitting ---- */

static void a_submitted_method_reaches_its_object(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer();
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 0x1234);
        words_submit(&words, &rig, channel, push, 0);
        assert_false(pfifo_channel_idle(channel));
        rig_wait(&rig);
        assert_true(pfifo_channel_idle(channel));
        assert_int_equal(rig.fault_count, 0);
        assert_data(NOP, (const uint32_t[]){0x1234}, 1);
        assert_int_equal(rig.methods[rig.method_count - 1].channel, pfifo_channel_number(channel));
        uint32_t value = 0;
        assert_true(pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel), part->graphics,
                                           NOP, &value));
        assert_int_equal(value, 0x1234);
        rig_close(&rig);
    }
}

/* Each segment has its own place, so that a slot that is written too early shows. */
static void send_many(enum pfifo_channel_mode mode, uint32_t entries, uint32_t segments) {
    struct pfifo_channel *channel = rig_channel(&rig, mode, entries);
    struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_GART, (uint64_t)segments * 32, 0);
    rig.method_count = 0;
    for (uint32_t i = 0; i < segments; i++) {
        struct words words = new_words(mode);
        if (i == 0)
            words_bind(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, i);
        words_submit(&words, &rig, channel, push, (uint64_t)i * 32);
    }
    rig_wait(&rig);
    assert_int_equal(rig.method_count, segments + 1);
    for (uint32_t i = 0; i < segments; i++)
        assert_int_equal(rig.methods[i + 1].data, i);
    assert_true(pfifo_channel_idle(channel));
    assert_int_equal(rig.fault_count, 0);
}

static void two_thousand_segments_go_through_a_small_ring_in_order(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        rig_open(&rig, part);
        send_many(PFIFO_CHANNEL_DEFAULT, 4, 2000);
        send_many(PFIFO_CHANNEL_DEFAULT, 64, 500);
        rig_close(&rig);
    }
}

static bool supports(const struct part *part, enum pfifo_channel_mode mode) {
    return mode == PFIFO_CHANNEL_DMA ? !part->fermi : !part->calls;
}

static void a_channel_has_the_modes_of_its_chip(void **state) {
    static const enum pfifo_channel_mode modes[] = {PFIFO_CHANNEL_DMA, PFIFO_CHANNEL_IB};
    (void)state;
    FOR_EACH_PART(part) {
        rig_open(&rig, part);
        for (size_t i = 0; i < COUNT_OF(modes); i++) {
            const struct pfifo_channel_config config = {.mode = modes[i]};
            if (supports(part, modes[i])) {
                send_many(modes[i], 4, 100);
                continue;
            }
            assert_null(pfifo_channel_open(rig.device, &config, &rig.error));
            assert_int_equal(rig.error.status, PFIFO_ERROR_UNSUPPORTED);
        }
        rig_close(&rig);
    }
}

static void a_command_goes_on_in_the_next_segment(void **state) {
    static const uint32_t data[] = {1, 2, 3};
    (void)state;
    FOR_EACH_PART(part) {
        if (part->calls)
            continue; /* a return is no data */
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_IB, 0);
        struct pfifo_buffer *push = push_buffer();
        struct words first = new_words(PFIFO_CHANNEL_IB), second = first;
        words_bind(&first, &rig, SUBCHANNEL);
        words_add(&first, part->fermi ? 3u << 29 | 3u << 16 | NOP >> 2 : 0x40000000u | 3u << 18 | NOP);
        words_add(&first, 1);
        words_add(&second, 2);
        words_add(&second, 3);
        words_submit(&first, &rig, channel, push, 0);
        words_submit(&second, &rig, channel, push, 0x1000);
        rig_wait(&rig);
        assert_data(NOP, data, 3);
        rig_close(&rig);
    }
}

/* An entry of a ring has 22 bits of length on Tesla, 21 from GF100 on. */
static void a_segment_longer_than_an_entry_is_sent_in_pieces(void **state) {
    static const char *const chips[] = {"G84", "GF100"};
    (void)state;
    FOR_EACH_PART(part) {
        if (strcmp(part->chip, chips[0]) != 0 && strcmp(part->chip, chips[1]) != 0)
            continue;
        static uint32_t page[0x4000];
        uint64_t bytes = part->fermi ? 0x2810000 : 0x1010000; /* Fermi: more pieces than the ring has room for */
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_IB, 4);
        struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_VRAM, bytes, 0);
        struct words words = new_words(PFIFO_CHANNEL_IB);
        words_bind(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 77);
        for (size_t i = 0; i < COUNT_OF(page); i++)
            page[i] = part->fermi ? 0x20000000 : 0; /* packets without data */
        for (uint64_t at = 0; at < bytes; at += sizeof page)
            assert_true(pfifo_buffer_write(push, at, page, sizeof page));
        assert_true(pfifo_buffer_write(push, bytes - 4 * words.count, words.word, 4 * words.count));
        assert_int_equal(pfifo_channel_submit(channel, pfifo_buffer_address(push), bytes, 0, &rig.error), PFIFO_OK);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_data(NOP, (const uint32_t[]){77}, 1);
        rig_close(&rig);
    }
}

static void segments_that_cannot_be_are_refused(void **state) {
    static const struct {
        uint64_t address, bytes;
        unsigned flags;
    } bad[] = {{0x1000, 0, 0},
               {0x1000, 6, 0},
               {0x1002, 4, 0},
               {0x1000, 4, 0x80},
               {UINT64_C(1) << 40, 4, 0},
               {0x1000, UINT64_MAX - 3, 0}};
    (void)state;
    FOR_EACH_PART(part) {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        for (size_t i = 0; i < COUNT_OF(bad); i++)
            assert_int_equal(pfifo_channel_submit(channel, bad[i].address, bad[i].bytes, bad[i].flags, &rig.error),
                             PFIFO_ERROR_ARGUMENT);
        assert_true(pfifo_channel_idle(channel));
        rig_close(&rig);
    }
}

static void observe_flags(void *opaque, const struct pfifo_event *event) {
    *(uint64_t *)opaque = event->value[2];
}

/* There is a bit for it from GF100 on; before, nothing is asked of the GPU. */
static void a_segment_without_prefetch_is_marked(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        uint64_t flags = 0;
        rig_open(&rig, part);
        assert_int_equal(
            pfifo_gpu_observe(pfifo_device_gpu(rig.device), "pusher.segment", observe_flags, &flags, &rig.error),
            PFIFO_OK);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer();
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(flags >> 31, 0);
        assert_int_equal(pfifo_channel_submit(channel, pfifo_buffer_address(push), 4 * words.count,
                                              PFIFO_SUBMIT_NO_PREFETCH, &rig.error),
                         PFIFO_OK);
        rig_wait(&rig);
        assert_int_equal(flags >> 31, part->fermi);
        assert_int_equal(rig.fault_count, 0);
        assert_data(NOP, (const uint32_t[]){1, 1}, 2);
        rig_close(&rig);
    }
}

/* ---- semaphores and fences ---- */

static void make_semaphore(struct pfifo_channel *channel, struct pfifo_buffer *buffer) {
    if (rig.part->semaphores == OLD_SEMAPHORE)
        assert_int_equal(pfifo_channel_dma_object(channel, SEMAPHORE, buffer, 0, 0x1000, &rig.error), PFIFO_OK);
}

static void a_semaphore_is_released_in_a_buffer(void **state) {
    static const enum pfifo_domain domains[] = {PFIFO_VRAM, PFIFO_GART};
    (void)state;
    FOR_EACH_PART(part) {
        for (size_t i = 0; part->semaphores && i < COUNT_OF(domains); i++) {
            rig_open(&rig, part);
            struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
            struct pfifo_buffer *push = push_buffer(), *fence = rig_buffer(&rig, domains[i], 0x1000, 0);
            make_semaphore(channel, fence);
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_release(&words, &rig, pfifo_buffer_address(fence), 0xcafe);
            words_submit(&words, &rig, channel, push, 0);
            rig_wait(&rig);
            assert_int_equal(rig.fault_count, 0);
            assert_int_equal(rig_read(fence, 0), 0xcafe);
            rig_close(&rig);
        }
    }
}

static void an_acquire_waits_for_the_release_of_another_channel(void **state) {
    static const uint32_t order[] = {2, 1};
    (void)state;
    FOR_EACH_PART(part) {
        if (!part->semaphores)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *waits = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *releases = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer(), *fence = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        make_semaphore(waits, fence);
        make_semaphore(releases, fence);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind(&words, &rig, SUBCHANNEL);
        words_acquire(&words, &rig, pfifo_buffer_address(fence), 5);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_submit(&words, &rig, waits, push, 0);
        assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
        assert_int_equal(pfifo_device_wait(rig.device, BUDGET, &rig.error), PFIFO_ERROR_TIMEOUT);
        assert_false(pfifo_channel_idle(waits));
        assert_true(pfifo_channel_idle(releases));

        words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 2);
        words_release(&words, &rig, pfifo_buffer_address(fence), 5);
        words_submit(&words, &rig, releases, push, 0x1000);
        rig_wait(&rig);
        assert_data(NOP, order, 2);
        assert_true(pfifo_channel_idle(waits));
        assert_true(pfifo_channel_idle(releases));
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* Each of two channels that wait has methods in flight behind its acquire: they must not get mixed up. */
static void channels_that_wait_keep_what_is_in_flight(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        if (!part->semaphores)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *waits[2] = {rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                                          rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0)};
        struct pfifo_channel *releases = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer(), *fence = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        make_semaphore(waits[0], fence);
        make_semaphore(waits[1], fence);
        make_semaphore(releases, fence);
        for (uint32_t i = 0; i < 2; i++) {
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_bind(&words, &rig, SUBCHANNEL);
            words_acquire(&words, &rig, pfifo_buffer_address(fence), 5);
            words_method(&words, SUBCHANNEL, NOP, 0x10 * i + 1);
            words_method(&words, SUBCHANNEL, NOP, 0x10 * i + 2);
            words_submit(&words, &rig, waits[i], push, 0x1000 * i);
            assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
        }
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_release(&words, &rig, pfifo_buffer_address(fence), 5);
        words_submit(&words, &rig, releases, push, 0x2000);
        rig_wait(&rig);
        assert_int_equal(rig_count(&rig, NOP), 4);
        for (size_t i = 0; i < rig.method_count; i++) {
            uint32_t first = rig.methods[i].data >> 4 & 1;
            if (rig.methods[i].method == NOP)
                assert_int_equal(rig.methods[i].channel, pfifo_channel_number(waits[first]));
        }
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

static void a_full_ring_that_does_not_move_is_a_timeout(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        if (!part->semaphores)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 4);
        struct pfifo_buffer *push = push_buffer(), *fence = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        make_semaphore(channel, fence);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_acquire(&words, &rig, pfifo_buffer_address(fence), 1);
        words_submit(&words, &rig, channel, push, 0);
        enum pfifo_status status = PFIFO_OK;
        unsigned taken = 0;
        /* Cache and ring are finite: at most that many words fit. */
        while (status == PFIFO_OK && taken < 4000) {
            status = pfifo_channel_submit(channel, pfifo_buffer_address(push), 4 * words.count, 0, &rig.error);
            taken++;
        }
        assert_int_equal(status, PFIFO_ERROR_TIMEOUT);
        assert_true(taken >= 2);
        /* Once it is released, everything goes on. */
        assert_true(pfifo_buffer_write(fence, 0, &(const uint8_t[4]){1}, 4));
        rig_wait(&rig);
        assert_true(pfifo_channel_idle(channel));
        rig_close(&rig);
    }
}

/* NV40: DMA_FENCE is an object, OFFSET and VALUE are methods of the 3D class. */
static void a_fence_of_curie_is_written_to_its_notifier(void **state) {
    static const enum pfifo_domain domains[] = {PFIFO_VRAM, PFIFO_GART};
    enum { NOTIFIER = 0xbeef1e00u, DMA_FENCE = 0x1a4, FENCE_OFFSET = 0x1d6c };
    (void)state;
    FOR_EACH_PART(part) {
        for (size_t i = 0; part->calls && i < COUNT_OF(domains); i++) {
            rig_open(&rig, part);
            struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
            struct pfifo_buffer *push = push_buffer(), *buffer = rig_buffer(&rig, domains[i], 0x3000, 0);
            assert_int_equal(pfifo_channel_dma_object(channel, NOTIFIER, buffer, 0x1010, 0x1000, &rig.error), PFIFO_OK);
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_bind(&words, &rig, 7);
            words_method(&words, 7, DMA_FENCE, NOTIFIER);
            words_header(&words, 7, FENCE_OFFSET, 2);
            words_add(&words, 0x20);
            words_add(&words, 0x5a5a);
            words_submit(&words, &rig, channel, push, 0);
            rig_wait(&rig);
            assert_int_equal(rig.fault_count, 0);
            assert_int_equal(rig_read(buffer, 0x1030), 0x5a5a);
            rig_close(&rig);
        }
    }
}

/* ---- objects ---- */

static void software_methods_are_the_programs(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer();
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_software(&words, &rig, 6);
        words_bind(&words, &rig, SUBCHANNEL);
        words_method(&words, 6, 0x500, 0xabc);
        words_method(&words, SUBCHANNEL, NOP, 9);
        words_method(&words, 6, 0x504, 0xdef);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig.software_count, 2);
        assert_int_equal(rig.software[0].channel, pfifo_channel_number(channel));
        assert_int_equal(rig.software[0].subchannel, 6);
        assert_int_equal(rig.software[0].method, 0x500);
        assert_int_equal(rig.software[0].data, 0xabc);
        assert_int_equal(rig.software[1].method, 0x504);
        assert_int_equal(rig.software[1].data, 0xdef);
        assert_data(NOP, (const uint32_t[]){9}, 1);
        rig_close(&rig);
    }
}

static void a_software_method_that_nobody_takes_is_a_fault(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        rig_open(&rig, part);
        rig.refuse_software = true;
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer();
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind(&words, &rig, SUBCHANNEL);
        words_bind_software(&words, &rig, 6);
        words_method(&words, 6, 0x500, 0xabc);
        words_method(&words, SUBCHANNEL, NOP, 9);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_string_equal(rig.faults[0].unit, part->fermi ? "PBDMA" : "CACHE_ERROR");
        assert_string_equal(rig.faults[0].error, part->fermi ? "DEVICE" : "DEVICE_SOFTWARE");
        assert_int_equal(rig.faults[0].subchannel, 6);
        assert_int_equal(rig.faults[0].method, 0x500);
        assert_int_equal(rig.faults[0].data, 0xabc);
        assert_data(NOP, (const uint32_t[]){9}, 1);
        rig_close(&rig);
    }
}

/* Without a callback, the driver takes all methods of software objects, but only of those. */
static void without_a_callback_software_objects_are_silent(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        struct pfifo_error error;
        struct pfifo_device *device =
            pfifo_device_open(&(const struct pfifo_device_config){.gpu.chip = pfifo_chip_by_name(part->chip)}, &error);
        assert_non_null(device);
        rig = (struct rig){.part = part, .device = device};
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer();
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_software(&words, &rig, 6);
        words_method(&words, 6, 0x500, 0xabc);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(pfifo_device_faults(device), 0);
        words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_method(&words, 5, 0x500, 0xabc); /* nothing is bound there */
        words_submit(&words, &rig, channel, push, 0x1000);
        rig_wait(&rig);
        assert_int_equal(pfifo_device_faults(device), 1);
        pfifo_device_close(device);
    }
}

/* A subchannel that was the software's is an engine's again after a bind, and the other way round. */
static void a_subchannel_changes_between_software_and_engine(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        if (part->fermi)
            continue; /* from GK104 on the subchannel decides */
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer();
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_software(&words, &rig, 3);
        words_method(&words, 3, NOP, 1);
        words_bind(&words, &rig, 3);
        words_method(&words, 3, NOP, 2);
        words_bind_software(&words, &rig, 3);
        words_method(&words, 3, NOP, 3);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig.software_count, 2);
        assert_int_equal(rig.software[0].data, 1);
        assert_int_equal(rig.software[1].data, 3);
        uint32_t value = 0;
        assert_true(pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel), part->graphics,
                                           NOP, &value));
        assert_int_equal(value, 2);
        rig_close(&rig);
    }
}

/* The hash and its probes: more handles than fit one slot, all found again. */
static void a_thousand_handles_are_found(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        if (part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer();
        for (uint32_t i = 0; i < 1000; i++)
            assert_int_equal(pfifo_channel_object(channel, 0x80000000u + i * 0x35, part->graphics, &rig.error),
                             PFIFO_OK);
        for (uint32_t i = 0; i < 1000; i++) {
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_method(&words, i % 8, 0, 0x80000000u + i * 0x35);
            words_submit(&words, &rig, channel, push, (uint64_t)(i % 64) * 64);
            rig_wait(&rig);
        }
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig_count(&rig, 0), 1000);
        rig_close(&rig);
    }
}

/* Handles that all fall on one slot: the 128 probes of NV4x are the limit there. */
static void handles_that_collide_are_found_or_refused(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        if (part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer();
        uint32_t made = 0;
        while (made < 200 &&
               pfifo_channel_object(channel, 0x1000 * (made + 1) | (made + 1), part->graphics, &rig.error) == PFIFO_OK)
            made++;
        if (made < 200)
            assert_int_equal(rig.error.status, PFIFO_ERROR_MEMORY);
        assert_true(made >= 100);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_method(&words, 1, 0, 0x1000 * made | made);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

static void objects_that_cannot_be_are_refused(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        assert_int_equal(pfifo_channel_object(channel, 1, 0, &rig.error), PFIFO_ERROR_ARGUMENT);
        if (part->fermi) {
            assert_int_equal(pfifo_channel_dma_object(channel, 1, buffer, 0, 16, &rig.error), PFIFO_ERROR_UNSUPPORTED);
        } else {
            assert_int_equal(pfifo_channel_object(channel, 0, part->graphics, &rig.error), PFIFO_OK);
            assert_int_equal(pfifo_channel_object(channel, 0, part->graphics, &rig.error), PFIFO_ERROR_ARGUMENT);
            assert_int_equal(pfifo_channel_object(channel, GRAPHICS, part->graphics, NULL), PFIFO_ERROR_ARGUMENT);
            assert_int_equal(pfifo_channel_dma_object(channel, GRAPHICS, buffer, 0, 16, &rig.error),
                             PFIFO_ERROR_ARGUMENT);
            assert_int_equal(pfifo_channel_dma_object(channel, 1, buffer, 0xff8, 16, &rig.error), PFIFO_ERROR_ARGUMENT);
            assert_int_equal(pfifo_channel_dma_object(channel, 1, buffer, 0, 0, &rig.error), PFIFO_ERROR_ARGUMENT);
            /* No Curie or Tesla with a class of the other's video engine. */
            assert_int_equal(pfifo_channel_object(channel, 2, part->calls ? 0x85b5 : 0x4075, &rig.error),
                             strcmp(part->chip, "G80") == 0 ? PFIFO_OK : PFIFO_ERROR_UNSUPPORTED);
        }
        rig_close(&rig);
    }
}

/* ---- many channels ---- */

static void channels_have_their_own_objects_and_methods(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        enum { CHANNELS = 20 };
        struct pfifo_channel *channel[CHANNELS];
        rig_open(&rig, part);
        for (uint32_t i = 0; i < CHANNELS; i++)
            channel[i] = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 16);
        struct pfifo_buffer *push = push_buffer();
        for (uint32_t i = 0; i < CHANNELS; i++) {
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_bind(&words, &rig, SUBCHANNEL);
            words_method(&words, SUBCHANNEL, NOP, 0x100 + i);
            words_submit(&words, &rig, channel[i], push, (uint64_t)i * 0x100);
        }
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        for (uint32_t i = 0; i < CHANNELS; i++) {
            uint32_t value = 0;
            assert_true(pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel[i]),
                                               part->graphics, NOP, &value));
            assert_int_equal(value, 0x100 + i);
            assert_true(pfifo_channel_idle(channel[i]));
        }
        rig_close(&rig);
    }
}

/* A table of pages that is new for all channels must be in all their directories. */
static void a_buffer_made_later_is_there_for_every_channel(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        rig_open(&rig, part);
        struct pfifo_channel *channel[2] = {rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                                            rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0)};
        for (uint32_t turn = 0; turn < 4; turn++) {
            uint64_t address = part->calls ? 0x8000000u + turn * 0x1000u : UINT64_C(0x40000000) << turn;
            struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_GART, 0x1000, address);
            assert_int_equal(pfifo_buffer_address(push), address);
            for (uint32_t i = 0; i < 2; i++) {
                struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
                words_bind(&words, &rig, SUBCHANNEL);
                words_method(&words, SUBCHANNEL, NOP, turn);
                words_submit(&words, &rig, channel[i], push, 0x100 * i);
            }
            rig_wait(&rig);
            pfifo_buffer_free(push);
        }
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig_count(&rig, NOP), 8);
        rig_close(&rig);
    }
}

static void a_closed_channel_leaves_its_number_to_the_next(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        rig_open(&rig, part);
        struct pfifo_channel *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer();
        uint32_t number = 0;
        for (uint32_t turn = 0; turn < 50; turn++) {
            struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
            number = turn ? number : pfifo_channel_number(channel);
            assert_int_equal(pfifo_channel_number(channel), number);
            assert_int_not_equal(number, pfifo_channel_number(other));
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_bind(&words, &rig, SUBCHANNEL);
            words_method(&words, SUBCHANNEL, NOP, turn);
            words_submit(&words, &rig, channel, push, 0);
            if (turn % 2) /* every other is closed with its work undone */
                rig_wait(&rig);
            pfifo_channel_close(channel);
            assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_IDLE);
        }
        assert_int_equal(rig_count(&rig, NOP), 25);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 99);
        words_submit(&words, &rig, other, push, 0x800);
        rig_wait(&rig);
        assert_int_equal(rig_count(&rig, NOP), 26);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* The same number, but nothing else of the one before. */
static void a_new_channel_does_not_know_the_objects_of_the_old_one(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        if (part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer();
        uint32_t number = pfifo_channel_number(channel);
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        pfifo_channel_close(channel);
        channel = pfifo_channel_open(rig.device, &(const struct pfifo_channel_config){0}, &rig.error);
        assert_non_null(channel);
        assert_int_equal(pfifo_channel_number(channel), number);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_method(&words, 0, 0, GRAPHICS);
        words_method(&words, 0, 0, SOFTWARE);
        words_method(&words, 0, 0, VRAM_HANDLE);
        words_method(&words, 0, 0, GART_HANDLE);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 4);
        for (size_t i = 0; i < 4; i++)
            assert_string_equal(rig.faults[i].error, "HASH_FAILED");
        rig_close(&rig);
    }
}

/* Rings in DMA mode must be below 4 GiB, whatever is above. */
static void a_buffer_at_a_high_address_does_not_draw_rings_up(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        if (part->fermi || part->calls)
            continue;
        rig_open(&rig, part);
        rig_buffer(&rig, PFIFO_GART, 0x1000, UINT64_C(0x8000000000));
        struct pfifo_buffer *chosen = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        assert_true(pfifo_buffer_address(chosen) < UINT64_C(0x100000000));
        send_many(PFIFO_CHANNEL_DMA, 16, 50);
        rig_close(&rig);
    }
}

/* Closed in the middle of a wait, a channel does not hold the others up. */
static void a_waiting_channel_can_be_closed(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        if (!part->semaphores)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *waits = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer(), *fence = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        make_semaphore(waits, fence);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_acquire(&words, &rig, pfifo_buffer_address(fence), 1);
        words_submit(&words, &rig, waits, push, 0);
        assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
        pfifo_channel_close(waits);
        words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 3);
        words_submit(&words, &rig, other, push, 0x1000);
        rig_wait(&rig);
        assert_data(NOP, (const uint32_t[]){3}, 1);
        rig_close(&rig);
    }
}

static void channels_run_out(void **state) {
    static const struct {
        const char *chip;
        uint32_t channels;
    } counts[] = {{"NV40", 31}, {"G84", 126}, {"GF100", 128}, {"GK20A", 128}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        struct pfifo_error error;
        struct pfifo_device *device = pfifo_device_open(
            &(const struct pfifo_device_config){.gpu.chip = pfifo_chip_by_name(counts[i].chip)}, NULL);
        assert_non_null(device);
        const struct pfifo_channel_config config = {.entries = 4};
        for (uint32_t n = 0; n < counts[i].channels; n++)
            assert_non_null(pfifo_channel_open(device, &config, &error));
        assert_null(pfifo_channel_open(device, &config, &error));
        assert_int_equal(error.status, PFIFO_ERROR_MEMORY);
        pfifo_device_close(device);
    }
}

static void rings_have_a_power_of_two_of_entries(void **state) {
    static const uint32_t bad[] = {1, 2, 3, 5, 1000, 65537, 131072};
    (void)state;
    FOR_EACH_PART(part) {
        rig_open(&rig, part);
        for (size_t i = 0; i < COUNT_OF(bad); i++) {
            const struct pfifo_channel_config config = {.entries = bad[i]};
            assert_null(pfifo_channel_open(rig.device, &config, &rig.error));
            assert_int_equal(rig.error.status, PFIFO_ERROR_ARGUMENT);
        }
        rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 65536);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_submitted_method_reaches_its_object),
        cmocka_unit_test(two_thousand_segments_go_through_a_small_ring_in_order),
        cmocka_unit_test(a_channel_has_the_modes_of_its_chip),
        cmocka_unit_test(a_command_goes_on_in_the_next_segment),
        cmocka_unit_test(a_segment_longer_than_an_entry_is_sent_in_pieces),
        cmocka_unit_test(segments_that_cannot_be_are_refused),
        cmocka_unit_test(a_segment_without_prefetch_is_marked),
        cmocka_unit_test(a_semaphore_is_released_in_a_buffer),
        cmocka_unit_test(an_acquire_waits_for_the_release_of_another_channel),
        cmocka_unit_test(channels_that_wait_keep_what_is_in_flight),
        cmocka_unit_test(a_full_ring_that_does_not_move_is_a_timeout),
        cmocka_unit_test(a_fence_of_curie_is_written_to_its_notifier),
        cmocka_unit_test(software_methods_are_the_programs),
        cmocka_unit_test(a_software_method_that_nobody_takes_is_a_fault),
        cmocka_unit_test(without_a_callback_software_objects_are_silent),
        cmocka_unit_test(a_subchannel_changes_between_software_and_engine),
        cmocka_unit_test(a_thousand_handles_are_found),
        cmocka_unit_test(handles_that_collide_are_found_or_refused),
        cmocka_unit_test(objects_that_cannot_be_are_refused),
        cmocka_unit_test(channels_have_their_own_objects_and_methods),
        cmocka_unit_test(a_buffer_made_later_is_there_for_every_channel),
        cmocka_unit_test(a_closed_channel_leaves_its_number_to_the_next),
        cmocka_unit_test(a_new_channel_does_not_know_the_objects_of_the_old_one),
        cmocka_unit_test(a_buffer_at_a_high_address_does_not_draw_rings_up),
        cmocka_unit_test(a_waiting_channel_can_be_closed),
        cmocka_unit_test(channels_run_out),
        cmocka_unit_test(rings_have_a_power_of_two_of_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
