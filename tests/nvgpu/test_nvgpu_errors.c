/* SPDX-License-Identifier: MIT */
/* What a program is told about its channel's error: GET_ERROR_NOTIFICATION's number, GET_ERROR_INFO's words. */
#include "nvgpu/console.h"

#include <pfifo/engine.h>

#define CLASS    0xb197u
#define SOFTWARE 13u
#define ILLEGAL  25u
#define METHOD   2u /* type of GET_ERROR_INFO */

/* ---- methods that are refused ---- */

/* A 3D class that refuses each method with the error whose number is its data. */
static uint32_t refuse(void *opaque, const struct pfifo_methods *run) {
    (void)opaque;
    pfifo_class_error(run->channel, run->method, run->data[0], (enum pfifo_class_error)run->data[0]);
    return 1;
}

static const struct pfifo_class_ops refusing = {.size = sizeof refusing, .name = "refusing", .methods = refuse};

/* Words of GET_ERROR_INFO after a method of subchannel 2. */
static void refused_method(uint32_t method, uint32_t data, bool plugged, uint32_t number, uint32_t info[32]) {
    struct console console;
    struct pfifo_nvhost_notification notification;
    console_start(&console);
    if (plugged)
        assert_int_equal(pfifo_gpu_add_class(pfifo_device_gpu(pfifo_nvgpu_device(console.nvgpu)), "PGRAPH", CLASS,
                                             &refusing, NULL, NULL),
                         PFIFO_OK);
    struct pfifo_nvhost_fence fence =
        console_submit(&console, console.channel, CONSOLE_WORDS(0x20014000, CLASS, 0x20014000 | method >> 2, data));
    assert_ok(pfifo_nvhost_gpu_notification(console.client, console.channel, &notification));
    assert_true(notification.there);
    assert_int_equal(notification.number, number);
    assert_ok(pfifo_nvhost_gpu_error_info(console.client, console.channel, info));
    assert_int_equal(console_value(&console, fence.syncpoint), fence.value);
    console_stop(&console);
}

/* {interrupt, method in bytes in the lower half, -, data, class}. Bit 4 of the interrupt: there is no such method. */
static void an_illegal_method_is_told_with_its_class(void **state) {
    uint32_t info[32];
    (void)state;
    refused_method(0x1234, PFIFO_CLASS_ILLEGAL_METHOD, true, ILLEGAL, info);
    assert_int_equal(info[0], METHOD);
    assert_int_equal(info[1], 1u << 4);
    assert_int_equal(info[2] & 0xffff, 0x1234);
    assert_int_equal(info[3], 0);
    assert_int_equal(info[4], PFIFO_CLASS_ILLEGAL_METHOD);
    assert_int_equal(info[5], CLASS);
}

/* Bit 20: data that the class refuses. */
static void a_class_error_is_told_with_its_class(void **state) {
    uint32_t info[32];
    (void)state;
    refused_method(0x1300, PFIFO_CLASS_INVALID_VALUE, true, SOFTWARE, info);
    assert_int_equal(info[0], METHOD);
    assert_int_equal(info[1], 1u << 20);
    assert_int_equal(info[2] & 0xffff, 0x1300);
    assert_int_equal(info[4], PFIFO_CLASS_INVALID_VALUE);
    assert_int_equal(info[5], CLASS);
}

/* Bit 21: a parameter of a macro that is not under way traps. */
static void an_exception_is_told_with_its_class(void **state) {
    uint32_t info[32];
    (void)state;
    refused_method(0x3804, 7, false, SOFTWARE, info);
    assert_int_equal(info[0], METHOD);
    assert_int_equal(info[1], 1u << 21);
    assert_int_equal(info[5], CLASS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_illegal_method_is_told_with_its_class),
        cmocka_unit_test(a_class_error_is_told_with_its_class),
        cmocka_unit_test(an_exception_is_told_with_its_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
