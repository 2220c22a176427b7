/* SPDX-License-Identifier: MIT */
/* vfio-user from the client's side, after the specification; and a client that lies. The card is a real one. */
#include "pci/vfio_asker.h"

/* ---- what a VMM does ---- */

static void a_version_is_agreed_upon_first(void **state) {
    struct client client;
    (void)state;
    open_client(&client, "NV34");
    assert_int_equal(ask_info(&client, VFIO_USER_DEVICE_GET_INFO, 16, 0), EINVAL);
    assert_int_equal(ask(&client, VFIO_USER_VERSION, "\1\0\0\0", 4), EINVAL);
    assert_int_equal(ask(&client, VFIO_USER_VERSION, "\0\0\0\0{", 5), EINVAL);
    assert_int_equal(ask(&client, VFIO_USER_VERSION, "\0\0\7\0", 4), 0);
    assert_int_equal(vfio_user_get(client.payload, 4), 0);
    assert_int_equal(client.payload[client.bytes - 1], 0);
    assert_string_equal((char *)client.payload + 4,
                        "{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":1048576,\"max_dma_maps\":256}}");
    assert_int_equal(ask(&client, VFIO_USER_VERSION, "\0\0\0\0", 4), EINVAL);
    stop(&client);
}

static void a_device_has_regions_and_interrupts_of_vfio(void **state) {
    struct client client;
    (void)state;
    start(&client, "NV40");
    assert_int_equal(ask_info(&client, VFIO_USER_DEVICE_GET_INFO, 16, 0), 0);
    assert_int_equal(vfio_user_get(client.payload + 4, 4), 3);
    assert_int_equal(vfio_user_get(client.payload + 8, 4), 9);
    assert_int_equal(vfio_user_get(client.payload + 12, 4), 5);
    for (uint32_t i = 0; i < 9; i++) {
        struct pfifo_pci_region info = {.bytes = i == 7 ? 256 : 0, .writable = true};
        if (i < 7)
            pfifo_pci_region(client.serve.card, i, &info);
        assert_int_equal(ask_info(&client, VFIO_USER_REGION_INFO, 32, i), 0);
        assert_int_equal(vfio_user_get(client.payload + 16, 8), info.bytes);
        assert_int_equal(vfio_user_get(client.payload + 4, 4) & 3, info.bytes ? info.writable ? 3 : 1 : 0);
    }
    assert_int_equal(ask_info(&client, VFIO_USER_REGION_INFO, 32, 9), EINVAL);
    static const uint8_t flags[5] = {7, 9, 0, 0, 0}, counts[5] = {1, 1, 0, 0, 0};
    for (uint32_t i = 0; i < 5; i++) {
        if (i == VFIO_IRQ_ERR)
            continue;
        assert_int_equal(ask_info(&client, VFIO_USER_IRQ_INFO, 16, i), 0);
        assert_int_equal(vfio_user_get(client.payload + 4, 4), flags[i]);
        assert_int_equal(vfio_user_get(client.payload + 12, 4), counts[i]);
    }
    assert_int_equal(ask_info(&client, VFIO_USER_IRQ_INFO, 16, 5), EINVAL);
    stop(&client);
}

static void regions_are_read_and_written_by_offset(void **state) {
    struct client client;
    uint8_t data[64];
    (void)state;
    start(&client, "NV34");
    assert_int_equal(read_register(&client, 7, 0), 0x032210de);
    assert_int_equal(read_register(&client, 0, 0), 0x034000a1);
    assert_int_equal(access_region(&client, VFIO_USER_REGION_READ, 7, 0, NULL, 256), 0);
    assert_int_equal(client.bytes, 16 + 256);
    assert_int_equal(vfio_user_get(client.payload + 16, 2), 0x10de);
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i + 1);
    assert_int_equal(access_region(&client, VFIO_USER_REGION_WRITE, 1, 0x1001, data, sizeof data), 0);
    assert_int_equal(access_region(&client, VFIO_USER_REGION_READ, 1, 0x1001, NULL, sizeof data), 0);
    assert_memory_equal(client.payload + 16, data, sizeof data);
    stop(&client);
}

static void vram_is_a_file_where_bar1_is_a_plain_window(void **state) {
    struct client client;
    (void)state;
    start(&client, "NV34");
    assert_int_equal(ask_info(&client, VFIO_USER_REGION_INFO, 32, 1), 0);
    assert_int_equal(vfio_user_get(client.payload + 4, 4), 7);
    assert_true(client.fd >= 0);
    size_t bytes = vfio_user_get(client.payload + 16, 8);
    uint32_t *vram = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, client.fd, 0);
    assert_ptr_not_equal(vram, MAP_FAILED);
    vram[0x400] = 0x12345678;
    assert_int_equal(read_register(&client, 1, 0x1000), 0x12345678);
    write_register(&client, 1, 0x2000, 0x9abcdef0);
    assert_int_equal(vram[0x800], 0x9abcdef0);
    munmap(vram, bytes);
    stop(&client);
    start(&client, "G84");
    assert_int_equal(ask_info(&client, VFIO_USER_REGION_INFO, 32, 1), 0);
    assert_int_equal(vfio_user_get(client.payload + 4, 4), 3);
    assert_int_equal(client.fd, -1);
    stop(&client);
}

static void memory_is_mapped_and_unmapped(void **state) {
    struct client client;
    int ram = make_ram(4 * PAGE, F_SEAL_SHRINK);
    (void)state;
    start(&client, "NV34");
    assert_int_equal(map(&client, 0x10000, 2 * PAGE, PAGE, 3, &ram, 1), 0);
    assert_int_equal(map(&client, 0x20000, PAGE, 0, 1, &ram, 1), 0);
    assert_int_equal(map(&client, 0x30000, PAGE, 0, 3, NULL, 0), 0);
    assert_int_equal(pfifo_pci_dma_count(client.serve.card), 3);
    assert_int_equal(map(&client, 0x11000, PAGE, 0, 3, &ram, 1), EEXIST);
    assert_int_equal(map(&client, 0x2f000, 2 * PAGE, 0, 3, NULL, 0), EEXIST);
    assert_int_equal(unmap(&client, 0x10000, PAGE, 0), ENOENT);
    assert_int_equal(unmap(&client, 0x10000, 2 * PAGE, 0), 0);
    assert_int_equal(client.bytes, 24);
    assert_int_equal(pfifo_pci_dma_count(client.serve.card), 2);
    assert_int_equal(unmap(&client, 0, 0, 2), 0);
    assert_int_equal(pfifo_pci_dma_count(client.serve.card), 0);
    assert_int_equal(map(&client, 0x30000, PAGE, 0, 3, NULL, 0), 0);
    close(ram);
    stop(&client);
}

/* ---- interrupts ---- */

static void raise_line(struct client *client) {
    write_register(client, 0, 0x140, 2);
    write_register(client, 0, 0x100, 0x80000000);
}

static void intx_is_masked_when_it_comes_and_again_when_unmasked(void **state) {
    struct client client;
    int line = eventfd(0, EFD_NONBLOCK), unmasks = eventfd(0, EFD_NONBLOCK);
    (void)state;
    start(&client, "NV34");
    assert_int_equal(set_irqs(&client, 0x24, 0, 1, &line), 0);
    raise_line(&client);
    assert_int_equal(eventfd_value(line), 1);
    write_register(&client, 0, 0x140, 0);
    raise_line(&client);
    assert_int_equal(eventfd_value(line), 0);
    assert_int_equal(set_irqs(&client, 0x11, 0, 1, NULL), 0);
    assert_int_equal(eventfd_value(line), 1);
    assert_int_equal(set_irqs(&client, 0x14, 0, 1, &unmasks), 0);
    assert_int_equal(eventfd_write(unmasks, 1), 0);
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    assert_int_equal(eventfd_value(line), 1);
    write_register(&client, 0, 0x140, 0);
    assert_int_equal(set_irqs(&client, 0x11, 0, 1, NULL), 0);
    assert_int_equal(eventfd_value(line), 0);
    assert_int_equal(set_irqs(&client, 0x21, 0, 0, NULL), 0);
    raise_line(&client);
    assert_int_equal(eventfd_value(line), 0);
    close(line), close(unmasks);
    stop(&client);
}

static void msi_is_an_eventfd(void **state) {
    struct client client;
    int vector = eventfd(0, EFD_NONBLOCK);
    (void)state;
    start(&client, "NV40");
    write_register(&client, 7, 0x6c, 0xfee01004);
    write_register(&client, 7, 0x74, 0x26);
    write_register(&client, 7, 0x04, 0x406);
    assert_int_equal(access_region(&client, VFIO_USER_REGION_WRITE, 7, 0x6a, "\x81\x00", 2), 0);
    assert_int_equal(set_irqs(&client, 0x24, 1, 1, &vector), 0);
    raise_line(&client);
    assert_int_equal(eventfd_value(vector), 1);
    assert_int_equal(set_irqs(&client, 0x24, 1, 1, NULL), 0);
    assert_int_equal(client.serve.irqs.msi, -1);
    close(vector);
    stop(&client);
}

/* Linux has one for devices of PCI Express only. QEMU takes a count of 0 for a fault of the device. */
static void the_interrupt_of_bus_errors_is_none_that_can_be_asked_for(void **state) {
    struct client client;
    (void)state;
    start(&client, "NV34");
    assert_int_equal(ask_info(&client, VFIO_USER_IRQ_INFO, 16, 3), EINVAL);
    assert_int_equal(ask_info(&client, VFIO_USER_IRQ_INFO, 16, 4), 0);
    stop(&client);
}

static void a_reset_is_that_of_the_bus(void **state) {
    struct client client;
    (void)state;
    start(&client, "NV34");
    write_register(&client, 7, 0x10, 0xe0000000);
    assert_int_equal(ask(&client, VFIO_USER_DEVICE_RESET, NULL, 0), 0);
    assert_int_equal(read_register(&client, 7, 0x10) & ~15u, 0);
    stop(&client);
}

static void a_message_that_wants_no_answer_has_none(void **state) {
    struct client client;
    uint8_t byte;
    (void)state;
    start(&client, "NV34");
    send_message(&client, VFIO_USER_DEVICE_RESET, 0x10, NULL, 0, NULL, 0);
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    assert_int_equal(recv(client.socket, &byte, 1, MSG_DONTWAIT), -1);
    stop(&client);
}

/* ---- a client that lies ---- */

static void wrong_questions_are_answered_by_errno(void **state) {
    struct client client;
    struct pfifo_pci_region info;
    (void)state;
    start(&client, "NV34");
    pfifo_pci_region(client.serve.card, 0, &info);
    assert_int_equal(ask(&client, 99, NULL, 0), EOPNOTSUPP);
    assert_int_equal(access_region(&client, VFIO_USER_REGION_READ, 0, info.bytes - 3, NULL, 4), EINVAL);
    assert_int_equal(access_region(&client, VFIO_USER_REGION_READ, 0, UINT64_MAX, NULL, 4), EINVAL);
    assert_int_equal(access_region(&client, VFIO_USER_REGION_READ, 0, 0, NULL, UINT32_MAX), EINVAL);
    assert_int_equal(access_region(&client, VFIO_USER_REGION_READ, 7, 0, NULL, 257), EINVAL);
    assert_int_equal(access_region(&client, VFIO_USER_REGION_READ, 8, 0, NULL, 1), EINVAL);
    assert_int_equal(access_region(&client, VFIO_USER_REGION_READ, UINT32_MAX, 0, NULL, 1), EINVAL);
    assert_int_equal(access_region(&client, VFIO_USER_REGION_WRITE, 6, 0, "abcd", 4), EINVAL); /* the ROM */
    for (uint16_t command = 1; command < 20; command++)
        if (command != VFIO_USER_DEVICE_RESET)
            assert_int_not_equal(ask(&client, command, "abc", 3), 0);
    assert_int_equal(ask_info(&client, VFIO_USER_DEVICE_GET_INFO, 8, 0), EINVAL);
    stop(&client);
}

static void wrong_interrupts_are_refused(void **state) {
    struct client client;
    int event = eventfd(0, EFD_NONBLOCK), pipes[2];
    (void)state;
    start(&client, "NV34");
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(set_irqs(&client, 0x24, 0, 1, &pipes[1]), EINVAL);
    assert_int_equal(set_irqs(&client, 0x24, 1, 1, &event), EINVAL); /* no MSI on this board */
    assert_int_equal(set_irqs(&client, 0x24, UINT32_MAX, 1, &event), EINVAL);
    assert_int_equal(set_irqs(&client, 0x24, 0, 2, &event), EINVAL);
    assert_int_equal(set_irqs(&client, 0x24, 0, UINT32_MAX, &event), EINVAL);
    assert_int_equal(set_irqs(&client, 0x27, 0, 1, &event), EINVAL);
    assert_int_equal(set_irqs(&client, 0x22, 0, 1, NULL), EINVAL); /* without its byte */
    assert_int_equal(set_irqs(&client, 0x44, 0, 1, &event), EINVAL);
    assert_int_equal(set_irqs(&client, 0x0c, 0, 1, &event), EOPNOTSUPP);
    close(event), close(pipes[0]), close(pipes[1]);
    stop(&client);
}

/* The client has the same file: it can undo what the server sets, and fill it. */
static void a_full_eventfd_that_blocks_does_not_hang_the_server(void **state) {
    struct client client;
    int line = eventfd(0, 0), unmasks = eventfd(0, 0);
    (void)state;
    alarm(60); /* in place of a hang */
    start(&client, "NV34");
    assert_int_equal(set_irqs(&client, 0x24, 0, 1, &line), 0);
    assert_int_equal(set_irqs(&client, 0x14, 0, 1, &unmasks), 0);
    assert_int_equal(eventfd_write(line, UINT64_MAX - 1), 0);
    assert_int_equal(fcntl(line, F_SETFL, 0), 0);
    assert_int_equal(fcntl(unmasks, F_SETFL, 0), 0);
    raise_line(&client);
    assert_true(eventfd_value(line) == UINT64_MAX - 1);
    vfio_irqs_unmask(&client.serve.irqs); /* what was there is taken by the client meanwhile */
    assert_true(client.serve.irqs.masked);
    alarm(0);
    close(line), close(unmasks);
    stop(&client);
}

/* ---- between two system calls of the server ---- */

static int filled =
    -1; /* an eventfd, as the server has it, that the client fills as soon as that has seen room in it */

/* In place of that of the C library. */
int poll(struct pollfd *fds, nfds_t nfds, int timeout) {
    const struct timespec limit = {timeout / 1000, timeout % 1000 * 1000000L};
    int ready = ppoll(fds, nfds, timeout < 0 ? NULL : &limit, NULL);

    for (nfds_t i = 0; i < nfds; i++)
        if (filled >= 0 && fds[i].fd == filled && (fds[i].revents & POLLOUT))
            (void)!eventfd_write(filled, UINT64_MAX - 1);
    return ready;
}

static void an_eventfd_that_is_filled_meanwhile_does_not_hang_the_server(void **state) {
    struct client client;
    int line = eventfd(0, 0);
    (void)state;
    alarm(10); /* in place of a hang */
    start(&client, "NV34");
    assert_int_equal(set_irqs(&client, 0x24, 0, 1, &line), 0);
    filled = client.serve.irqs.intx;
    raise_line(&client);
    filled = -1;
    assert_true(eventfd_value(line) >= UINT64_MAX - 1);
    alarm(0);
    close(line);
    stop(&client);
}

static void memory_is_within_a_file_that_cannot_shrink(void **state) {
    static const uint64_t places[][3] = {/* address, bytes, offset */
                                         {0, 5 * PAGE, 0},
                                         {0, PAGE, 4 * PAGE},
                                         {0, 0, 0},
                                         {0, UINT64_MAX, PAGE},
                                         {0, PAGE, 1},
                                         {UINT64_MAX, PAGE, 0},
                                         {0, PAGE, UINT64_MAX - PAGE + 1}};
    struct client client;
    int ram = make_ram(4 * PAGE, F_SEAL_SHRINK), soft = make_ram(PAGE, 0), event = eventfd(0, 0);
    (void)state;
    start(&client, "NV34");
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++)
        assert_int_equal(map(&client, places[i][0], places[i][1], places[i][2], 3, &ram, 1), EINVAL);
    assert_int_equal(map(&client, 0, PAGE, 0, 3, &soft, 1), EOPNOTSUPP);
    assert_int_equal(map(&client, 0, PAGE, 0, 3, &event, 1), EOPNOTSUPP);
    assert_int_equal(map(&client, 0, PAGE, 0, 3, (int[]){ram, ram}, 2), EINVAL);
    assert_int_equal(map(&client, 0, PAGE, 0, 0, &ram, 1), EINVAL);
    for (unsigned i = 0; i < PFIFO_PCI_DMA_MAX; i++)
        assert_int_equal(map(&client, (uint64_t)i * PAGE, PAGE, 0, 3, i & 1 ? &ram : NULL, i & 1), 0);
    assert_int_equal(map(&client, 1u << 30, PAGE, 0, 3, &ram, 1), ENOSPC);
    close(ram), close(soft), close(event);
    stop(&client);
}

static void expect_broken(const uint8_t *header, const int *fds, unsigned count, const char *message) {
    struct client client;

    start(&client, "NV34");
    assert_int_equal(pass(client.socket, header, HEADER, fds, count), HEADER);
    assert_int_equal(turn(&client), SERVE_BROKEN);
    assert_string_equal(client.error.message, message);
    stop(&client);
}

static void what_is_no_message_breaks_the_connection(void **state) {
    int fds[16];
    (void)state;
    for (unsigned i = 0; i < 16; i++)
        fds[i] = STDERR_FILENO;
    expect_broken((uint8_t[HEADER]){1, 0, 4, 0, 15}, NULL, 0, "message of 15 bytes");
    expect_broken((uint8_t[HEADER]){1, 0, 4, 0, 255, 255, 255, 255}, NULL, 0, "message of 4294967295 bytes");
    expect_broken((uint8_t[HEADER]){1, 0, 4, 0, 16, [8] = 1}, NULL, 0, "message with the flags 0x1 is no command");
    expect_broken((uint8_t[HEADER]){1, 0, 2, 0, 48}, fds, 9,
                  "a message with too many descriptors, or at a wrong place");
    expect_broken((uint8_t[HEADER]){1, 0, 2, 0, 48}, fds, 16,
                  "a message with too many descriptors, or at a wrong place");
}

static unsigned open_descriptors(void) {
    unsigned count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void a_client_may_close_at_any_byte(void **state) {
    uint8_t message[HEADER + 32] = {1, 0, VFIO_USER_DMA_MAP, 0, HEADER + 32};
    int ram = make_ram(PAGE, F_SEAL_SHRINK);
    unsigned before = open_descriptors();
    (void)state;
    for (size_t bytes = 0; bytes < sizeof message; bytes++) {
        struct client client;
        start(&client, "NV34");
        if (bytes) {
            assert_int_equal(pass(client.socket, message, bytes, &ram, 1), bytes);
            assert_int_equal(turn(&client), SERVE_GOES_ON);
        }
        shutdown(client.socket, SHUT_WR);
        assert_int_equal(vfio_serve_run(&client.serve, -1, &client.error), bytes ? PFIFO_ERROR_FORMAT : PFIFO_OK);
        stop(&client);
    }
    assert_int_equal(open_descriptors(), before);
    close(ram);
}

/* An answer is larger than the socket's buffer: it is kept, and nothing more is read. */
static void a_client_that_takes_no_answer_gets_no_other(void **state) {
    struct client client;
    uint8_t payload[16] = {0}, *all = malloc(1 << 20);
    size_t got = 0, whole = HEADER + 16 + (1 << 20);
    (void)state;
    start(&client, "NV34");
    vfio_user_put(payload + 8, 4, 1);
    vfio_user_put(payload + 12, 4, 1 << 20);
    send_message(&client, VFIO_USER_REGION_READ, 0, payload, sizeof payload, NULL, 0);
    send_message(&client, VFIO_USER_DEVICE_RESET, 0, NULL, 0, NULL, 0);
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    assert_true(vfio_user_is_sending(&client.serve.client));
    while (got < whole) {
        ssize_t part = recv(client.socket, all, whole - got < 1 << 20 ? whole - got : 1 << 20, MSG_DONTWAIT);
        assert_true(part > 0);
        got += (size_t)part;
        if (vfio_user_is_sending(&client.serve.client))
            assert_int_equal(turn(&client), SERVE_GOES_ON);
    }
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    take_answer(&client, VFIO_USER_DEVICE_RESET);
    free(all);
    stop(&client);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_is_agreed_upon_first),
        cmocka_unit_test(a_device_has_regions_and_interrupts_of_vfio),
        cmocka_unit_test(regions_are_read_and_written_by_offset),
        cmocka_unit_test(vram_is_a_file_where_bar1_is_a_plain_window),
        cmocka_unit_test(memory_is_mapped_and_unmapped),
        cmocka_unit_test(intx_is_masked_when_it_comes_and_again_when_unmasked),
        cmocka_unit_test(msi_is_an_eventfd),
        cmocka_unit_test(the_interrupt_of_bus_errors_is_none_that_can_be_asked_for),
        cmocka_unit_test(a_reset_is_that_of_the_bus),
        cmocka_unit_test(a_message_that_wants_no_answer_has_none),
        cmocka_unit_test(wrong_questions_are_answered_by_errno),
        cmocka_unit_test(wrong_interrupts_are_refused),
        cmocka_unit_test(a_full_eventfd_that_blocks_does_not_hang_the_server),
        cmocka_unit_test(an_eventfd_that_is_filled_meanwhile_does_not_hang_the_server),
        cmocka_unit_test(memory_is_within_a_file_that_cannot_shrink),
        cmocka_unit_test(what_is_no_message_breaks_the_connection),
        cmocka_unit_test(a_client_may_close_at_any_byte),
        cmocka_unit_test(a_client_that_takes_no_answer_gets_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
