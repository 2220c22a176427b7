/* SPDX-License-Identifier: MIT */
/* Several writes of vfio-user in a message, as QEMU posts them. */
#include "pci/vfio_asker.h"

static void put_write(uint8_t *at, uint32_t region, uint64_t offset, uint32_t count, uint64_t value) {
    vfio_user_put(at, 8, offset);
    vfio_user_put(at + 8, 4, region);
    vfio_user_put(at + 12, 4, count);
    vfio_user_put(at + 16, 8, value);
}

/* QEMU has 200 in one, without an answer, when its queue is long. */
static void several_writes_are_done_in_their_order(void **state) {
    struct client client;
    uint8_t payload[8 + 200 * VFIO_USER_WRITE_BYTES] = {200}, byte;
    (void)state;
    start(&client, "NV34");
    for (unsigned i = 0; i < 200; i++)
        put_write(payload + 8 + (size_t)i * VFIO_USER_WRITE_BYTES, 1, i / 2 * 4, 4, i + 1);
    assert_int_equal(ask(&client, VFIO_USER_REGION_WRITE_MULTI, payload, sizeof payload), 0);
    assert_int_equal(client.bytes, 8);
    assert_int_equal(vfio_user_get(client.payload, 8), 200);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(read_register(&client, 1, (uint64_t)i * 4), 2 * i + 2);
    payload[0] = 2;
    put_write(payload + 8, 1, 0x1001, 8, UINT64_C(0x1122334455667788));
    put_write(payload + 32, 7, 0x3c, 1, 0x2a);
    send_message(&client, VFIO_USER_REGION_WRITE_MULTI, 0x10, payload, 8 + 48, NULL, 0);
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    assert_int_equal(recv(client.socket, &byte, 1, MSG_DONTWAIT), -1);
    assert_int_equal(read_register(&client, 1, 0x1001), 0x55667788);
    assert_int_equal(read_register(&client, 1, 0x1005), 0x11223344);
    assert_int_equal(read_register(&client, 7, 0x3c) & 0xff, 0x2a);
    stop(&client);
}

static void the_first_wrong_of_several_writes_is_the_last(void **state) {
    static const struct {
        uint32_t region;
        uint64_t offset;
        uint32_t count;
    } wrong[] = {{1, 0, 9},          {6, 0, 4},   {8, 0, 4},         {UINT32_MAX, 0, 4},
                 {1, UINT64_MAX, 4}, {7, 255, 2}, {1, 0, UINT32_MAX}};
    struct client client;
    uint8_t payload[8 + 3 * VFIO_USER_WRITE_BYTES] = {3};
    (void)state;
    start(&client, "NV34");
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        put_write(payload + 8, 1, 0, 4, i + 1);
        put_write(payload + 32, wrong[i].region, wrong[i].offset, wrong[i].count, 0);
        put_write(payload + 56, 1, 4, 4, 99);
        assert_int_equal(ask(&client, VFIO_USER_REGION_WRITE_MULTI, payload, sizeof payload), 0);
        assert_int_equal(vfio_user_get(client.payload, 8), 1);
        assert_int_equal(read_register(&client, 1, 0), i + 1);
        assert_int_equal(read_register(&client, 1, 4), 0);
    }
    stop(&client);
}

static void several_writes_are_as_many_as_the_message_says(void **state) {
    struct client client;
    uint8_t payload[8 + 2 * VFIO_USER_WRITE_BYTES] = {2};
    (void)state;
    start(&client, "NV34");
    for (size_t bytes = 0; bytes < sizeof payload; bytes++)
        assert_int_equal(ask(&client, VFIO_USER_REGION_WRITE_MULTI, payload, bytes), EINVAL);
    payload[0] = 3;
    assert_int_equal(ask(&client, VFIO_USER_REGION_WRITE_MULTI, payload, sizeof payload), EINVAL);
    vfio_user_put(payload, 8, UINT64_C(0x0aaaaaaaaaaaaaac)); /* times 24 it is 32 */
    assert_int_equal(ask(&client, VFIO_USER_REGION_WRITE_MULTI, payload, sizeof payload), EINVAL);
    vfio_user_put(payload, 8, 0);
    assert_int_equal(ask(&client, VFIO_USER_REGION_WRITE_MULTI, payload, 8), 0);
    assert_int_equal(vfio_user_get(client.payload, 8), 0);
    stop(&client);
}

static void several_writes_are_for_a_client_that_has_proposed_them(void **state) {
    struct client client;
    uint8_t payload[8 + VFIO_USER_WRITE_BYTES] = {1};
    (void)state;
    start(&client, "NV34");
    assert_non_null(strstr((char *)client.payload + 4, ",\"write_multiple\":true}}"));
    stop(&client);
    open_client(&client, "NV34");
    assert_int_equal(ask(&client, VFIO_USER_VERSION, "\0\0\0\0", 4), 0);
    put_write(payload + 8, 1, 0, 4, 1);
    assert_int_equal(ask(&client, VFIO_USER_REGION_WRITE_MULTI, payload, sizeof payload), EOPNOTSUPP);
    assert_int_equal(read_register(&client, 1, 0), 0);
    stop(&client);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_writes_are_done_in_their_order),
        cmocka_unit_test(the_first_wrong_of_several_writes_is_the_last),
        cmocka_unit_test(several_writes_are_as_many_as_the_message_says),
        cmocka_unit_test(several_writes_are_for_a_client_that_has_proposed_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
