/* SPDX-License-Identifier: MIT */
/* What engines tell their driver: what they wait for, that a program wants to be woken, and that channels end. */
#include "driver/rig.h"

static struct rig rig;

#define REPORT          0x1b00u /* address high, low, payload, control: of every 3D class from G80 on */
#define REPORT_ACQUIRE  0x1u
#define DMA_QUERY       0x188u
#define FENCE_VALUE     0x55u
#define SOME_STATE      0x1400u
#define NOTIFIER        0xbeef0600u
#define PMC_INTR_PGRAPH (1u << 12)
#define GRAPH_INTR      0x400100u
#define GRAPH_INTR_EN   0x40013cu

static void acquire(struct words *words, uint64_t address, uint32_t value) {
    if (!rig.part->fermi)
        words_method(words, SUBCHANNEL, DMA_QUERY, GART_HANDLE);
    words_method(words, SUBCHANNEL, REPORT, (uint32_t)(address >> 32));
    words_method(words, SUBCHANNEL, REPORT + 4, (uint32_t)address);
    words_method(words, SUBCHANNEL, REPORT + 8, value);
    words_method(words, SUBCHANNEL, REPORT + 12, REPORT_ACQUIRE);
    words_method(words, SUBCHANNEL, NOP, 1);
}

static void a_report_acquire_stalls_the_channel_and_says_for_what(void **state) {
    static const char *const chips[] = {"G80", "GT215", "GF100", "GK104", "GM20B", "GP102"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        rig_open(&rig, rig_part(chips[i]));
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        struct pfifo_buffer *memory = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        acquire(&words, pfifo_buffer_address(memory), FENCE_VALUE);
        words_submit(&words, &rig, channel, push, 0);
        assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
        const struct pfifo_stop_info *stop = pfifo_gpu_stop_info(pfifo_device_gpu(rig.device));
        assert_int_equal(stop->channel, pfifo_channel_number(channel));
        assert_int_equal(stop->address, pfifo_buffer_address(memory));
        assert_int_equal(stop->expected, FENCE_VALUE);
        assert_int_equal(stop->found, 0);
        assert_int_equal(rig_count(&rig, NOP), 0);
        const uint32_t value = FENCE_VALUE;
        assert_true(pfifo_buffer_write(memory, 0, &value, sizeof value));
        rig_wait(&rig);
        assert_int_equal(rig_count(&rig, NOP), 1);
        rig_close(&rig);
    }
}

/* Before GF100: NOTIFY with 1 interrupts when the next method is done; waking somebody is no fault. */
static void awaken_raises_pgraph_until_it_is_acknowledged(void **state) {
    static const char *const chips[] = {"NV40", "GT215"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        rig_open(&rig, rig_part(chips[i]));
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        struct pfifo_buffer *notes = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        assert_int_equal(pfifo_channel_dma_object(channel, NOTIFIER, notes, 0, 0x20, &rig.error), PFIFO_OK);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, 0x180, NOTIFIER);
        words_method(&words, SUBCHANNEL, 0x104, 1);
        words_method(&words, SUBCHANNEL, NOP, 0);
        words_submit(&words, &rig, channel, push, 0);
        assert_int_equal(pfifo_gpu_run(gpu, BUDGET), PFIFO_STOP_IDLE);
        assert_int_equal(pfifo_gpu_rd32(gpu, GRAPH_INTR), 1);
        assert_int_equal(pfifo_gpu_rd32(gpu, 0x100) & PMC_INTR_PGRAPH, PMC_INTR_PGRAPH);
        pfifo_gpu_wr32(gpu, GRAPH_INTR_EN, 0);
        assert_int_equal(pfifo_gpu_rd32(gpu, 0x100) & PMC_INTR_PGRAPH, 0);
        pfifo_gpu_wr32(gpu, GRAPH_INTR_EN, ~0u);
        pfifo_gpu_wr32(gpu, GRAPH_INTR, 1);
        assert_int_equal(pfifo_gpu_rd32(gpu, GRAPH_INTR), 0);
        assert_int_equal(pfifo_gpu_rd32(gpu, 0x100) & PMC_INTR_PGRAPH, 0);
        words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_method(&words, SUBCHANNEL, 0x104, 1);
        words_method(&words, SUBCHANNEL, NOP, 0);
        words_submit(&words, &rig, channel, push, 0x100);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(pfifo_gpu_rd32(gpu, GRAPH_INTR), 0);
        rig_close(&rig);
    }
}

static void set_state(struct pfifo_channel *channel, struct pfifo_buffer *push, uint32_t value) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    if (value)
        words_method(&words, SUBCHANNEL, SOME_STATE, value);
    words_submit(&words, &rig, channel, push, 0);
    rig_wait(&rig);
}

static void methods_of_a_class_read_back_until_the_channel_ends(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        rig_open(&rig, &parts[i]);
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_buffer(&rig, PFIFO_GART, 0x1000, 0);
        uint32_t number = pfifo_channel_number(channel), value = 0;
        set_state(channel, push, 0x1234);
        assert_true(pfifo_gpu_method_value(gpu, number, parts[i].graphics, SOME_STATE, &value));
        assert_int_equal(value, 0x1234);
        pfifo_channel_close(channel);
        channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        assert_int_equal(pfifo_channel_number(channel), number);
        set_state(channel, push, 0);
        assert_true(pfifo_gpu_method_value(gpu, number, parts[i].graphics, SOME_STATE, &value));
        assert_int_equal(value, 0);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_acquire_stalls_the_channel_and_says_for_what),
        cmocka_unit_test(awaken_raises_pgraph_until_it_is_acknowledged),
        cmocka_unit_test(methods_of_a_class_read_back_until_the_channel_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
