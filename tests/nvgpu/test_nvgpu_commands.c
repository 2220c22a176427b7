/* SPDX-License-Identifier: MIT */
/* What lists of real programs have in them: each kind of header, host methods, macros, the firmware's calls. */
#include "nvgpu/console.h"

#include "engine/macro_gf100.h"

#define HIGH(address) (uint32_t)((address) >> 32)
#define LOW(address)  (uint32_t)(address)

#define INCREASING(subchannel, method, count)     (1u << 29 | (count) << 16 | (subchannel) << 13 | (method) >> 2)
#define NON_INCREASING(subchannel, method, count) (3u << 29 | (count) << 16 | (subchannel) << 13 | (method) >> 2)
#define IMMEDIATELY(subchannel, method, data)     (4u << 29 | (data) << 16 | (subchannel) << 13 | (method) >> 2)
#define INCREASE_ONCE(subchannel, method, count)  (5u << 29 | (count) << 16 | (subchannel) << 13 | (method) >> 2)
#define OLD(mode, subchannel, method, count)      ((mode) << 29 | (count) << 18 | (subchannel) << 13 | (method))

#define WRITE    0x1b00u /* SET_REPORT_SEMAPHORE_A */
#define RELEASES 0xf000u /* four words */

static void expect_no_error(struct console *console) {
    struct pfifo_nvhost_notification notification;
    assert_ok(pfifo_nvhost_gpu_notification(console->client, console->channel, &notification));
    assert_false(notification.there);
}

static void run(struct console *console, const uint32_t *words, uint32_t count) {
    struct pfifo_nvhost_fence fence = console_submit(console, console->channel, words, count);
    assert_int_equal(console_value(console, fence.syncpoint), fence.value);
    expect_no_error(console);
}

/* Both words of each submission of deko3d. */
static void mem_op_b_is_taken(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    run(&console, CONSOLE_WORDS(INCREASING(6u, 0x2cu, 1u), 0x80000000, INCREASING(6u, 0x2cu, 1u), 0x70000000,
                                INCREASING(0u, 0x10u, 4u), HIGH(at), LOW(at), 0x1234, 2));
    assert_int_equal(console_rd32(&console, 0), 0x1234);
    console_stop(&console);
}

/* Four words to host methods by old headers; an inline upload takes many words to one method. */
static void old_headers_are_commands(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    run(&console, CONSOLE_WORDS(OLD(0u, 0u, 0x10u, 4u), HIGH(at), LOW(at), 0x1234, 2));
    assert_int_equal(console_rd32(&console, 0), 0x1234);
    run(&console, CONSOLE_WORDS(OLD(0u, 2u, 0u, 1u), 0xa140, OLD(0u, 2u, 0x180u, 4u), 12, 1, HIGH(at), LOW(at),
                                IMMEDIATELY(2u, 0x1b0u, 0x11u), OLD(2u, 2u, 0x1b4u, 2u), 5, 6,
                                NON_INCREASING(2u, 0x1b4u, 1u), 7));
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(console_rd32(&console, 4 * i), 5 + i);
    console_stop(&console);
}

/* Every way to call: one immediate parameter, one in a packet, many in one packet, many one by one. */
static void macros_take_one_and_many_parameters(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    run(&console,
        CONSOLE_WORDS(INCREASING(0u, 0u, 1u), 0xb197, INCREASE_ONCE(0u, 0x114u, 10u), 0,
                      /* 0: payload r1 to where the methods before say */
                      SET_MADDR(1u, WRITE + 8), ADDI(MOV_SEND, 0u, 1u, 0), ADDI(MOV_SEND, 0u, 0u, RELEASES) | EXIT, NOP,
                      /* 4: high r1, low and payload */
                      ADDI(MOV_MADDR, 0u, 0u, MADDR(1u, WRITE)), ADDI(PARM_SEND, 2u, 1u, 0), ADDI(PARM_SEND, 3u, 2u, 0),
                      ADDI(MOV_SEND, 0u, 3u, 0), ADDI(MOV_SEND, 0u, 0u, RELEASES) | EXIT, /* its slot is word 9 */
                      INCREASING(0u, 0x114u, 2u), 9, NOP, INCREASE_ONCE(0u, 0x11cu, 3u), 0, 0, 4,
                      /* the calls */
                      INCREASING(0u, WRITE, 2u), HIGH(at), LOW(at), IMMEDIATELY(0u, 0x3800u, 0x1fffu),
                      INCREASING(0u, WRITE, 2u), HIGH(at), LOW(at) + 16, INCREASING(0u, 0x3800u, 1u), 0x12345678,
                      INCREASE_ONCE(0u, 0x3808u, 3u), HIGH(at), LOW(at) + 32, 77, INCREASING(0u, 0x3808u, 1u), HIGH(at),
                      NON_INCREASING(0u, 0x380cu, 2u), LOW(at) + 48, 78));
    assert_int_equal(console_rd32(&console, 0), 0x1fff);
    assert_int_equal(console_rd32(&console, 16), 0x12345678);
    assert_int_equal(console_rd32(&console, 32), 77);
    assert_int_equal(console_rd32(&console, 48), 78);
    console_stop(&console);
}

/* As deko3d does it at set-up: value and mask in scratch 1 and 2, the register, then read scratch 0 until it is 1. */
static void the_firmware_answers_call_4(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    run(&console, CONSOLE_WORDS(INCREASING(0u, 0u, 1u), 0xb197, INCREASE_ONCE(0u, 0x114u, 12u), 0,
                                ADDI(PARM, 2u, 0u, 0), ADDI(PARM, 3u, 0u, 0), SET_MADDR(1u, 0x3400u),
                                ADDI(MOV_SEND, 0u, 0u, 0), ADDI(MOV_SEND, 0u, 2u, 0), ADDI(MOV_SEND, 0u, 3u, 0),
                                SET_MADDR(0u, 0x2310u), ADDI(MOV_SEND, 0u, 1u, 0), READ(MOV, 4u, 0u, 0x3400u >> 2),
                                BRANCH(0u, 1u, 4u, -1), NOP | EXIT, INCREASING(0u, 0x114u, 2u), 11, NOP,
                                INCREASE_ONCE(0u, 0x11cu, 2u), 0, 0, INCREASE_ONCE(0u, 0x3800u, 3u), 0x418800, 1, 1,
                                INCREASING(0u, WRITE, 4u), HIGH(at), LOW(at), 99, RELEASES));
    assert_int_equal(console_rd32(&console, 0), 99);
    console_stop(&console);
}

/*
 * deko3d's macro 13: address in words with its increment, count, value. The exit in the slot of the branch counts only
 * when the branch is not taken, so that there are as many writes as counted.
 */
static void a_macro_fills_with_a_loop(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    run(&console, CONSOLE_WORDS(INCREASING(0u, 0u, 1u), 0xb197, INCREASE_ONCE(0u, 0x114u, 8u), 0, ADDI(PARM, 2u, 0u, 0),
                                ADDI(PARM, 3u, 0u, 0), ADDI(MOV_MADDR, 0u, 1u, 0), ADDI(MOV, 2u, 2u, -1), BRANZ(2u, -1),
                                ADDI(MOV_SEND, 0u, 3u, 0) | EXIT, NOP, INCREASE_ONCE(0u, 0x11cu, 2u), 0, 0,
                                INCREASING(0u, 0x2380u, 3u), 0x100, HIGH(at), LOW(at), IMMEDIATELY(0u, 0x238cu, 0u),
                                INCREASE_ONCE(0u, 0x3800u, 3u), MADDR(1u, 0x2390u), 16, 0x5eed));
    for (uint32_t i = 0; i < 17; i++)
        assert_int_equal(console_rd32(&console, 4 * i), i < 16 ? 0x5eed : 0);
    console_stop(&console);
}

/* deko3d's macro 0: as many clears as the target has layers, which it reads. */
static void a_macro_clears_each_layer(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    const uint32_t layers = 3, gob = 512, one = 0x3f800000;
    run(&console,
        CONSOLE_WORDS(INCREASING(0u, 0u, 1u), 0xb197, INCREASE_ONCE(0u, 0x114u, 8u), 0, READ(MOV, 2u, 0u, 0x818u >> 2),
                      SET_MADDR(0u, 0x19d0u), ADDI(MOV, 2u, 2u, -1), ADDI(MOV_SEND, 0u, 1u, 0), BRANZ(2u, -2),
                      ADDI(MOV, 1u, 1u, 0x400) | EXIT, NOP, INCREASE_ONCE(0u, 0x11cu, 2u), 0, 0,
                      INCREASING(0u, 0x800u, 9u), HIGH(at), LOW(at), 16, 8, 0xd5, 0, layers, gob / 4, 0,
                      INCREASING(0u, 0xff4u, 2u), 16u << 16, 8u << 16, INCREASING(0u, 0xd80u, 4u), one, 0, 0, one,
                      IMMEDIATELY(0u, 0x10f8u, 0u), IMMEDIATELY(0u, 0x3800u, 0x3cu)));
    for (uint32_t i = 0; i < 4 * gob; i += 4)
        assert_int_equal(console_rd32(&console, i), i < layers * gob ? 0xff0000ff : 0);
    console_stop(&console);
}

/* Around clears deko3d passes methods by the shadow, and replays it then: words that are sent are those kept before. */
static void methods_are_kept_passed_and_replayed(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    run(&console, CONSOLE_WORDS(INCREASING(0u, 0u, 1u), 0xb197, IMMEDIATELY(0u, 0x124u, 0u), INCREASING(0u, WRITE, 4u),
                                HIGH(at), LOW(at), 5, RELEASES, IMMEDIATELY(0u, 0x124u, 2u), INCREASING(0u, WRITE, 4u),
                                HIGH(at), LOW(at) + 16, 9, RELEASES));
    assert_int_equal(console_rd32(&console, 0), 5);
    assert_int_equal(console_rd32(&console, 16), 9);
    console_wr32(&console, 0, 0);
    run(&console, CONSOLE_WORDS(IMMEDIATELY(0u, 0x124u, 3u), INCREASING(0u, WRITE, 4u), HIGH(at), LOW(at) + 32, 1,
                                RELEASES, IMMEDIATELY(0u, 0x124u, 1u)));
    assert_int_equal(console_rd32(&console, 0), 5);
    assert_int_equal(console_rd32(&console, 32), 0);
    console_stop(&console);
}

/*
 * The shape of a kickoff of deko3d: caches and a zero word, both not prefetched; the program's list; twelve words that
 * are the fence: two increments, then a semaphore. The driver is told of the increments and adds none.
 */
static void a_kickoff_of_deko3d_reaches_its_fence(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    uint32_t sync = console.fence.syncpoint | 1 << 16 | 1 << 20;
    const uint64_t alone = UINT64_C(1) << 63;
    run(&console, CONSOLE_WORDS(INCREASING(0u, 0u, 1u), 0xb197));
    uint32_t before = console_value(&console, console.fence.syncpoint);
    const uint64_t entries[] = {
        console_list(&console, CONSOLE_WORDS(IMMEDIATELY(0u, 0x1288u, 0u), INCREASING(0u, 0xda4u, 1u), 0x1011,
                                             IMMEDIATELY(0u, 0x1428u, 0u), IMMEDIATELY(0u, 0x1424u, 0u),
                                             NON_INCREASING(6u, 0x2cu, 2u), 0x80000000, 0x70000000)) |
            alone,
        console_list(&console, CONSOLE_WORDS(0)) | alone,
        console_list(&console, CONSOLE_WORDS(INCREASING(6u, 0x10u, 4u), HIGH(at), LOW(at) + 64, 7, 2)),
        console_list(&console, CONSOLE_WORDS(IMMEDIATELY(0u, 0x1144u, 0u), NON_INCREASING(0u, 0x2c8u, 2u), sync, sync,
                                             IMMEDIATELY(0u, 0x1144u, 0u), INCREASING(0u, WRITE, 4u), HIGH(at), LOW(at),
                                             1, 0x1000f010, IMMEDIATELY(0u, 0xf80u, 0u))) |
            alone,
    };
    struct pfifo_nvhost_fence fence = {0, 2};
    assert_ok(pfifo_nvhost_gpu_submit(console.client, console.channel, entries, 4,
                                      PFIFO_NVHOST_SUBMIT_HARDWARE_FORMAT | PFIFO_NVHOST_SUBMIT_INCREMENTS, &fence));
    assert_int_equal(console_value(&console, console.fence.syncpoint), before + 2);
    assert_int_equal(console_rd32(&console, 0), 1);
    assert_int_equal(console_rd32(&console, 64), 7);
    expect_no_error(&console);
    console_stop(&console);
}

/* Parameters of indirect draws are an entry of their own, in the middle of a packet. */
static void a_packet_goes_on_over_entries(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    const uint64_t entries[] = {
        console_list(&console, CONSOLE_WORDS(INCREASING(0u, 0x10u, 4u), HIGH(at))),
        console_list(&console, CONSOLE_WORDS(LOW(at), 0x1234)),
        console_list(&console, CONSOLE_WORDS(2)),
    };
    struct pfifo_nvhost_fence fence = {0};
    assert_ok(pfifo_nvhost_gpu_submit(console.client, console.channel, entries, 3, PFIFO_NVHOST_SUBMIT_HARDWARE_FORMAT,
                                      &fence));
    assert_int_equal(console_rd32(&console, 0), 0x1234);
    expect_no_error(&console);
    console_stop(&console);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mem_op_b_is_taken),
        cmocka_unit_test(old_headers_are_commands),
        cmocka_unit_test(macros_take_one_and_many_parameters),
        cmocka_unit_test(the_firmware_answers_call_4),
        cmocka_unit_test(a_macro_fills_with_a_loop),
        cmocka_unit_test(a_macro_clears_each_layer),
        cmocka_unit_test(methods_are_kept_passed_and_replayed),
        cmocka_unit_test(a_kickoff_of_deko3d_reaches_its_fence),
        cmocka_unit_test(a_packet_goes_on_over_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
