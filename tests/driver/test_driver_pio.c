/* SPDX-License-Identifier: MIT */
/* Methods by PIO: alone, many channels at once, beside DMA channels; what finds no place, and what is refused. */
#include "driver/rig.h"

static struct rig rig;

/* A method of the graphics object that may come often. */
#undef NOP
#define NOP          (rig.part->pio_only ? 0x400u : 0x100u)
#define RESERVED     0x44u
#define CACHE0_PUSH0 0x3000u
#define USER(number) (0x800000u + 0x10000u * (number))

#define FOR_EACH_PIO_PART for (const struct part *part = first_part(); part; part = next_part(part))

static const struct part *first_part(void) {
    return pio_parts;
}

/* Those that know nothing but PIO, then all others before G80. */
static const struct part *next_part(const struct part *part) {
    part = part == pio_parts + COUNT_OF(pio_parts) - 1 ? parts : part + 1;
    return part->calls ? part : NULL;
}

/* The first of 100 that its class has. */
static uint32_t other_method(const struct part *part) {
    static const struct {
        uint32_t object_class, method;
    } places[] = {{0x97, 0x480}, {0x4097, 0x1a00}, {0x4497, 0x1a00}};
    for (size_t i = 0; i < COUNT_OF(places); i++)
        if (places[i].object_class == part->graphics)
            return places[i].method;
    return 0x404;
}

static bool is_nv1(const struct part *part) {
    return strcmp(part->chip, "NV1") == 0;
}

/* Registers that have moved. */
static uint32_t pull0(const struct part *part) {
    return part->pio_only ? 0x3240 : 0x3250;
}

static uint32_t cache0_push1(const struct part *part) {
    return is_nv1(part) ? 0x3010 : 0x3004;
}

/* Methods that an empty CACHE1 is said to have room for. */
static uint32_t promised(const struct part *part) {
    return strcmp(part->chip, "NV3T") == 0 ? 63 : 31;
}

static uint32_t ramro_entries(const struct part *part) {
    return is_nv1(part) ? 2047 : 63;
}

static void write_one(struct pfifo_channel *channel, unsigned subchannel, uint32_t method, uint32_t data) {
    if (pfifo_channel_write_methods(channel, subchannel, method, 0, &data, 1, &rig.error) != PFIFO_OK)
        fail_msg("%s: %s", rig.part->chip, rig.error.message);
}

/* What arrived of a channel at a method must be first, first + 1, ... */
static void assert_in_order(const struct pfifo_channel *channel, uint32_t method, uint32_t first, uint32_t count) {
    uint32_t n = 0;
    for (size_t i = 0; i < rig.method_count; i++) {
        if (rig.methods[i].method != method || rig.methods[i].channel != pfifo_channel_number(channel))
            continue;
        assert_int_equal(rig.methods[i].data, first + n);
        n++;
    }
    assert_int_equal(n, count);
}

static void methods_reach_their_object_in_order(void **state) {
    enum { COUNT = 1000 };
    (void)state;
    FOR_EACH_PIO_PART {
        uint32_t data[COUNT], value = 0;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
        for (uint32_t i = 0; i < COUNT; i++)
            data[i] = 0x100 + i;
        write_one(channel, SUBCHANNEL, 0, GRAPHICS);
        assert_int_equal(pfifo_channel_write_methods(channel, SUBCHANNEL, NOP, 0, data, COUNT, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_channel_write_methods(channel, SUBCHANNEL, other_method(part), 4, data, 100, &rig.error),
                         PFIFO_OK);
        assert_false(pfifo_channel_idle(channel));
        rig_wait(&rig);
        assert_true(pfifo_channel_idle(channel));
        assert_int_equal(rig.fault_count, 0);
        assert_in_order(channel, NOP, 0x100, COUNT);
        for (uint32_t i = 0; i < 100; i++) {
            assert_true(pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel),
                                               part->graphics, other_method(part) + 4 * i, &value));
            assert_int_equal(value, data[i]);
        }
        rig_close(&rig);
    }
}

/* All that have nothing in CACHE1 are promised all of it: what comes first gets it, the rest goes through RAMRO. */
static void many_channels_at_once_lose_nothing(void **state) {
    enum { CHANNELS = 6, ROUNDS = 20, BURST = 17 };
    (void)state;
    FOR_EACH_PIO_PART {
        struct pfifo_channel *channel[CHANNELS];
        rig_open(&rig, part);
        for (uint32_t i = 0; i < CHANNELS; i++)
            channel[i] = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
        for (uint32_t i = 0; i < CHANNELS; i++)
            write_one(channel[i], SUBCHANNEL, 0, GRAPHICS);
        for (uint32_t round = 0; round < ROUNDS; round++) {
            for (uint32_t i = 0; i < CHANNELS; i++) {
                uint32_t data[BURST];
                for (uint32_t n = 0; n < BURST; n++)
                    data[n] = round * BURST + n;
                assert_int_equal(pfifo_channel_write_methods(channel[i], SUBCHANNEL, NOP, 0, data, BURST, &rig.error),
                                 PFIFO_OK);
            }
        }
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        for (uint32_t i = 0; i < CHANNELS; i++) {
            assert_in_order(channel[i], NOP, 0, ROUNDS * BURST);
            assert_true(pfifo_channel_idle(channel[i]));
        }
        rig_close(&rig);
    }
}

/* A channel that is in CACHE1 in DMA mode gives way when its work is done, and the other way round. */
static void pio_and_dma_channels_take_turns(void **state) {
    enum { PAIRS = 3, ROUNDS = 30 };
    (void)state;
    FOR_EACH_PIO_PART {
        struct pfifo_channel *pio[PAIRS], *dma[PAIRS];
        if (part->pio_only)
            continue;
        rig_open(&rig, part);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        for (uint32_t i = 0; i < PAIRS; i++) {
            pio[i] = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
            dma[i] = rig_channel(&rig, PFIFO_CHANNEL_DMA, 0);
            write_one(pio[i], 2, 0, GRAPHICS);
        }
        for (uint32_t round = 0; round < ROUNDS; round++) {
            for (uint32_t i = 0; i < PAIRS; i++) {
                struct words words = words_for(&rig, PFIFO_CHANNEL_DMA);
                words_bind_class(&words, &rig, SUBCHANNEL);
                words_method(&words, SUBCHANNEL, NOP, round);
                words_submit(&words, &rig, dma[i], push, (round % 16 * PAIRS + i) * 0x100);
                write_one(pio[(i + round) % PAIRS], 2, NOP, round);
            }
            if (round % 16 == 15)
                rig_wait(&rig);
        }
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        for (uint32_t i = 0; i < PAIRS; i++) {
            assert_in_order(pio[i], NOP, 0, ROUNDS);
            assert_in_order(dma[i], NOP, 0, ROUNDS);
            assert_true(pfifo_channel_idle(pio[i]) && pfifo_channel_idle(dma[i]));
        }
        rig_close(&rig);
    }
}

static void software_methods_by_pio_are_the_programs(void **state) {
    (void)state;
    FOR_EACH_PIO_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        write_one(channel, 6, 0, SOFTWARE);
        write_one(channel, SUBCHANNEL, 0, GRAPHICS);
        write_one(channel, 6, 0x500, 0xabc);
        write_one(channel, SUBCHANNEL, NOP, 9);
        write_one(channel, 6, 0x504, 0xdef);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig.software_count, 2);
        assert_int_equal(rig.software[0].subchannel, 6);
        assert_int_equal(rig.software[0].data, 0xabc);
        assert_int_equal(rig.software[1].method, 0x504);
        rig_assert_data(&rig, NOP, (const uint32_t[]){9}, 1);
        rig_close(&rig);
    }
}

/* What the driver has bound itself must be saved like everything else. */
static void a_software_object_stays_bound_while_others_work(void **state) {
    (void)state;
    FOR_EACH_PIO_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        write_one(channel, 6, 0, SOFTWARE);
        rig_wait(&rig);
        write_one(other, 6, 0, GRAPHICS);
        write_one(other, 6, NOP, 1);
        rig_wait(&rig);
        write_one(channel, 6, 0x500, 0xabc);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig.software_count, 1);
        assert_int_equal(rig.software[0].channel, pfifo_channel_number(channel));
        assert_int_equal(rig.software[0].data, 0xabc);
        rig_close(&rig);
    }
}

static void assert_fault(size_t index, const struct pfifo_channel *channel, const char *unit, const char *error,
                         uint32_t method, uint32_t data) {
    assert_true(index < rig.fault_count);
    assert_string_equal(rig.faults[index].unit, unit);
    assert_string_equal(rig.faults[index].error, error);
    assert_int_equal(rig.faults[index].channel, pfifo_channel_number(channel));
    assert_int_equal(rig.faults[index].method, method);
    assert_int_equal(rig.faults[index].data, data);
}

/* The latch refuses what follows a refused write: that must come through nevertheless. */
static void what_is_refused_is_reported_and_the_rest_goes_on(void **state) {
    (void)state;
    FOR_EACH_PIO_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        uint32_t user = USER(pfifo_channel_number(channel));
        write_one(channel, SUBCHANNEL, 0, GRAPHICS);
        write_one(channel, SUBCHANNEL, NOP, 0);
        pfifo_gpu_wr32(gpu, user + RESERVED - 4, 77); /* nobody looks at FREE here */
        pfifo_gpu_wr32(gpu, user + NOP, 1);
        pfifo_gpu_wr32(gpu, user + NOP, 2);
        pfifo_gpu_rd32(gpu, user + NOP);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 2);
        assert_fault(0, channel, "RUNOUT", "RESERVED_ACCESS", RESERVED - 4, 77);
        assert_fault(1, channel, "RUNOUT", "ILLEGAL_ACCESS", NOP, 0);
        assert_in_order(channel, NOP, 0, 3);
        write_one(channel, 3, 0, 0xdeadbeef);
        write_one(channel, SUBCHANNEL, NOP, 3);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 3);
        assert_fault(2, channel, "CACHE_ERROR", "HASH_FAILED", 0, 0xdeadbeef);
        assert_in_order(channel, NOP, 0, 4);
        rig_close(&rig);
    }
}

/* What comes when RAMRO is full is lost for good, and only that. */
static void a_full_ramro_is_reported(void **state) {
    (void)state;
    FOR_EACH_PIO_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        uint32_t user = USER(pfifo_channel_number(channel)), n = 0;
        write_one(channel, SUBCHANNEL, 0, GRAPHICS);
        rig_wait(&rig);
        pfifo_gpu_rd32(gpu, user + NOP); /* from here on everything goes to RAMRO */
        for (; n < ramro_entries(part) + 7; n++)
            pfifo_gpu_wr32(gpu, user + NOP, n);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 2);
        assert_fault(0, channel, "RUNOUT", "ILLEGAL_ACCESS", NOP, 0);
        assert_string_equal(rig.faults[1].error, "RUNOUT_OVERFLOW");
        assert_in_order(channel, NOP, 0, ramro_entries(part) - 1);
        rig_close(&rig);
    }
}

static void a_machine_that_does_not_move_is_a_timeout(void **state) {
    enum { COUNT = 2000 };
    static uint32_t data[COUNT];
    (void)state;
    FOR_EACH_PIO_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        for (uint32_t i = 0; i < COUNT; i++)
            data[i] = i;
        write_one(channel, SUBCHANNEL, 0, GRAPHICS);
        write_one(other, SUBCHANNEL, 0, GRAPHICS);
        rig_wait(&rig);
        pfifo_gpu_wr32(gpu, pull0(part), 0);
        assert_int_equal(pfifo_channel_write_methods(channel, SUBCHANNEL, NOP, 0, data, COUNT, &rig.error),
                         PFIFO_ERROR_TIMEOUT);
        assert_int_equal(pfifo_channel_write_methods(other, SUBCHANNEL, NOP, 0, data, COUNT, &rig.error),
                         PFIFO_ERROR_TIMEOUT);
        assert_false(pfifo_channel_idle(channel));
        assert_false(pfifo_channel_idle(other));
        assert_int_equal(rig_count(&rig, NOP), 0);
        for (uint32_t i = promised(part); i < promised(part) + 2; i++) { /* after those that wait already */
            pfifo_gpu_wr32(gpu, USER(pfifo_channel_number(other)) + NOP, i);
            pfifo_device_run(rig.device, BUDGET);
        }
        pfifo_gpu_wr32(gpu, pull0(part), 1);
        rig_wait(&rig);
        assert_true(pfifo_channel_idle(channel) && pfifo_channel_idle(other));
        /* All that was written before it got stuck. */
        assert_true(rig_count(&rig, NOP) >= 60);
        assert_in_order(channel, NOP, 0, (uint32_t)rig_count(&rig, NOP) - promised(part) - 2);
        assert_in_order(other, NOP, 0, promised(part) + 2);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* CACHE0 has the channel: CACHE1 takes nothing of it, whatever FREE says, until the other one lets go. */
static void what_is_refused_again_keeps_its_order(void **state) {
    enum { COUNT = 63 }; /* as many as RAMRO has room for */
    (void)state;
    FOR_EACH_PIO_PART {
        const uint32_t data[1] = {COUNT};
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        write_one(channel, SUBCHANNEL, 0, GRAPHICS);
        rig_wait(&rig);
        pfifo_gpu_wr32(gpu, cache0_push1(part), pfifo_channel_number(channel));
        pfifo_gpu_wr32(gpu, CACHE0_PUSH0, 1);
        for (uint32_t i = 0; i < COUNT; i++)
            pfifo_gpu_wr32(gpu, USER(pfifo_channel_number(channel)) + NOP, i);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(pfifo_device_run(rig.device, UINT64_MAX), PFIFO_STOP_IDLE);
        assert_int_equal(pfifo_channel_write_methods(channel, SUBCHANNEL, NOP, 0, data, 1, &rig.error),
                         PFIFO_ERROR_TIMEOUT);
        assert_int_equal(rig_count(&rig, NOP), 0);
        pfifo_gpu_wr32(gpu, CACHE0_PUSH0, 0);
        rig_wait(&rig);
        assert_in_order(channel, NOP, 0, COUNT);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* With methods in CACHE1 and in the driver's queue: the next one of that number sees nothing of them. */
static void a_closed_channel_takes_its_methods_along(void **state) {
    (void)state;
    FOR_EACH_PIO_PART {
        rig_open(&rig, part);
        for (uint32_t turn = 0; turn < 10; turn++) {
            struct pfifo_channel *first = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0),
                                 *second = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
            for (uint32_t i = 0; i < 20; i++) {
                write_one(first, SUBCHANNEL, i ? NOP : 0, i ? turn : GRAPHICS);
                write_one(second, SUBCHANNEL, i ? NOP : 0, i ? turn : GRAPHICS);
            }
            if (turn % 2)
                pfifo_device_run(rig.device, 3);
            pfifo_channel_close(turn % 4 < 2 ? first : second);
            rig.method_count = 0;
            rig_wait(&rig);
            struct pfifo_channel *left = turn % 4 < 2 ? second : first;
            for (size_t i = 0; i < rig.method_count; i++)
                assert_int_equal(rig.methods[i].channel, pfifo_channel_number(left));
            assert_true(pfifo_channel_idle(left));
            pfifo_channel_close(left);
        }
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* CACHE0 has the channel, so that all its methods wait in the driver's queue. */
static void the_queue_of_a_closed_channel_is_not_replayed(void **state) {
    (void)state;
    FOR_EACH_PIO_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        uint32_t number = pfifo_channel_number(channel);
        write_one(channel, SUBCHANNEL, 0, GRAPHICS);
        rig_wait(&rig);
        pfifo_gpu_wr32(gpu, cache0_push1(part), number);
        pfifo_gpu_wr32(gpu, CACHE0_PUSH0, 1);
        for (uint32_t i = 0; i < 10; i++)
            pfifo_gpu_wr32(gpu, USER(number) + NOP, i);
        assert_int_equal(pfifo_device_run(rig.device, UINT64_MAX), PFIFO_STOP_IDLE);
        pfifo_channel_close(channel);
        pfifo_gpu_wr32(gpu, CACHE0_PUSH0, 0);
        channel = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
        assert_int_equal(pfifo_channel_number(channel), number);
        rig.method_count = 0;
        write_one(channel, SUBCHANNEL, 0, GRAPHICS);
        write_one(channel, SUBCHANNEL, NOP, 0);
        rig_wait(&rig);
        assert_in_order(channel, NOP, 0, 1);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

static void chips_without_pio_have_no_such_channels(void **state) {
    (void)state;
    FOR_EACH_PART {
        const struct pfifo_channel_config config = {.mode = PFIFO_CHANNEL_PIO};
        if (part->calls)
            continue;
        rig_open(&rig, part);
        assert_null(pfifo_channel_open(rig.device, &config, &rig.error));
        assert_int_equal(rig.error.status, PFIFO_ERROR_UNSUPPORTED);
        rig_close(&rig);
    }
}

static void chips_without_pushbuffers_have_only_such_channels(void **state) {
    static const struct pfifo_channel_config configs[] = {
        {.mode = PFIFO_CHANNEL_DMA}, {.mode = PFIFO_CHANNEL_IB}, {.vram_handle = 1}, {.gart_handle = 1}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(pio_parts); i++) {
        bool nv1 = is_nv1(&pio_parts[i]); /* which has no DMA objects by handle either */
        rig_open(&rig, &pio_parts[i]);
        for (size_t n = 0; n < (nv1 ? COUNT_OF(configs) : 2); n++) {
            assert_null(pfifo_channel_open(rig.device, &configs[n], &rig.error));
            assert_int_equal(rig.error.status, PFIFO_ERROR_UNSUPPORTED);
        }
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        assert_int_equal(pfifo_channel_dma_object(channel, 1, buffer, 0, 16, &rig.error),
                         nv1 ? PFIFO_ERROR_UNSUPPORTED : PFIFO_OK);
        assert_int_equal(pfifo_channel_object(channel, 2, 0x4097, &rig.error), PFIFO_ERROR_UNSUPPORTED);
        write_one(channel, 0, 0, GRAPHICS);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

static void what_cannot_be_is_refused(void **state) {
    const uint32_t data[2] = {0};
    (void)state;
    FOR_EACH_PIO_PART {
        rig_open(&rig, part);
        struct pfifo_channel *pio = rig_channel(&rig, PFIFO_CHANNEL_PIO, 0);
        struct pfifo_error *error = &rig.error;
        assert_int_equal(pfifo_channel_submit(pio, 0x100000, 4, 0, error), PFIFO_ERROR_UNSUPPORTED);
        if (!part->pio_only) {
            struct pfifo_channel *dma = rig_channel(&rig, PFIFO_CHANNEL_DMA, 0);
            assert_int_equal(pfifo_channel_write_methods(dma, 0, NOP, 4, data, 1, error), PFIFO_ERROR_UNSUPPORTED);
        }
        assert_int_equal(pfifo_channel_write_methods(NULL, 0, NOP, 4, data, 1, error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_channel_write_methods(pio, 8, NOP, 4, data, 1, error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_channel_write_methods(pio, 0, NOP + 2, 4, data, 1, error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_channel_write_methods(pio, 0, NOP, 8, data, 1, error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_channel_write_methods(pio, 0, NOP, 4, NULL, 1, error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_channel_write_methods(pio, 0, 0x2000, 0, data, 1, error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_channel_write_methods(pio, 0, 0x1ffc, 4, data, 2, error), PFIFO_ERROR_ARGUMENT);
        assert_int_equal(pfifo_channel_write_methods(pio, 0, NOP, 4, NULL, 0, error), PFIFO_OK);
        assert_true(pfifo_channel_idle(pio));
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_reach_their_object_in_order),
        cmocka_unit_test(many_channels_at_once_lose_nothing),
        cmocka_unit_test(pio_and_dma_channels_take_turns),
        cmocka_unit_test(software_methods_by_pio_are_the_programs),
        cmocka_unit_test(a_software_object_stays_bound_while_others_work),
        cmocka_unit_test(what_is_refused_is_reported_and_the_rest_goes_on),
        cmocka_unit_test(a_full_ramro_is_reported),
        cmocka_unit_test(a_machine_that_does_not_move_is_a_timeout),
        cmocka_unit_test(what_is_refused_again_keeps_its_order),
        cmocka_unit_test(a_closed_channel_takes_its_methods_along),
        cmocka_unit_test(the_queue_of_a_closed_channel_is_not_replayed),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(chips_without_pio_have_no_such_channels),
        cmocka_unit_test(chips_without_pushbuffers_have_only_such_channels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
