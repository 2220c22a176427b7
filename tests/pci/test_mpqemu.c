/* SPDX-License-Identifier: MIT */
/* QEMU's multi-process protocol from the client's side: what QEMU sends, and what a client sends that lies. */
#include "face/pci/serve/serve.h"
#include "pci/fake_card.h"
#include "pci/passing.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define BAR0 UINT64_C(0xe0000000)
#define PAGE 4096u

struct client {
    struct serve serve;
    struct pfifo_error error;
    int socket, qtest; /* this end of them */
};

static void start(struct client *client, bool with_qtest) {
    int ends[2], lines[2] = {-1, -1};

    *client = (struct client){0};
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    if (with_qtest)
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, lines), 0);
    client->socket = ends[0];
    client->qtest = lines[0];
    serve_begin(&client->serve, ends[1], lines[1]);
    struct pfifo_pci_config config = {.size = sizeof config,
                                      .gpu = {.size = sizeof config.gpu, .chip = pfifo_chip_by_name("NV34")},
                                      .bars_32 = true,
                                      .intx = serve_intx,
                                      .msi = serve_msi,
                                      .opaque = &client->serve};
    client->serve.card = pfifo_pci_new(&config, &client->error);
    assert_non_null(client->serve.card);
}

static void stop(struct client *client) {
    close(client->socket);
    if (client->qtest >= 0)
        close(client->qtest);
    serve_end(&client->serve);
    pfifo_pci_free(client->serve.card);
}

/* ---- messages ---- */

static void put(uint8_t *at, unsigned bytes, uint64_t value) {
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void send_bytes(struct client *client, const void *data, size_t bytes, const int *fds, unsigned count) {
    assert_int_equal(pass(client->socket, data, bytes, fds, count), bytes);
}

static void send_message(struct client *client, uint32_t command, const void *payload, size_t bytes, const int *fds,
                         unsigned count) {
    uint8_t message[16 + 256] = {0};

    put(message, 4, command);
    put(message + 8, 8, bytes);
    if (bytes)
        memcpy(message + 16, payload, bytes);
    send_bytes(client, message, 16 + bytes, fds, count);
}

static enum serve_state turn(struct client *client) {
    return serve_turn(&client->serve, -1, &client->error);
}

static uint64_t take_answer(struct client *client) {
    uint8_t answer[24];
    uint64_t value = 0;

    assert_int_equal(recv(client->socket, answer, sizeof answer, MSG_DONTWAIT), sizeof answer);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(answer[i], i == 0);
        assert_int_equal(answer[8 + i], i == 0 ? 8 : 0);
        value |= (uint64_t)answer[16 + i] << 8 * i;
    }
    return value;
}

static void no_answer(struct client *client) {
    uint8_t byte;

    assert_int_equal(recv(client->socket, &byte, 1, MSG_DONTWAIT), -1);
}

static void config_message(struct client *client, uint32_t command, uint32_t offset, uint32_t value, uint32_t bytes) {
    uint8_t payload[12];

    put(payload, 4, offset);
    put(payload + 4, 4, value);
    put(payload + 8, 4, bytes);
    send_message(client, command, payload, sizeof payload, NULL, 0);
}

static uint64_t config_access(struct client *client, uint32_t command, uint32_t offset, uint32_t value,
                              uint32_t bytes) {
    config_message(client, command, offset, value, bytes);
    assert_int_equal(turn(client), SERVE_GOES_ON);
    return take_answer(client);
}

static void bar_message(struct client *client, uint32_t command, uint64_t address, uint64_t value, uint32_t bytes,
                        uint8_t memory) {
    uint8_t payload[24] = {0};

    put(payload, 8, address);
    put(payload + 8, 8, value);
    put(payload + 16, 4, bytes);
    payload[20] = memory;
    send_message(client, command, payload, sizeof payload, NULL, 0);
}

static uint64_t bar_access(struct client *client, uint32_t command, uint64_t address, uint64_t value, uint32_t bytes) {
    bar_message(client, command, address, value, bytes, 1);
    assert_int_equal(turn(client), SERVE_GOES_ON);
    return take_answer(client);
}

static int make_ram(size_t bytes) {
    int fd = memfd_create("ram", MFD_ALLOW_SEALING | MFD_CLOEXEC);

    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
    return fd;
}

struct place {
    uint64_t address, bytes, offset;
};

static void memory_message(struct client *client, const struct place *places, const int *fds, unsigned count) {
    uint8_t payload[192] = {0};

    for (unsigned i = 0; i < count && i < 8; i++) {
        put(payload + i * 8, 8, places[i].address);
        put(payload + 64 + i * 8, 8, places[i].bytes);
        put(payload + 128 + i * 8, 8, places[i].offset);
    }
    send_message(client, MPQEMU_SYNC_SYSMEM, payload, sizeof payload, fds, count);
}

static void map_bar0(struct client *client) {
    config_access(client, MPQEMU_CONFIG_WRITE, 0x10, (uint32_t)BAR0, 4);
    config_access(client, MPQEMU_CONFIG_WRITE, 0x04, 2, 2);
}

/* ---- what QEMU does ---- */

static void send_irqfds(struct client *client, int *line, int *resample) {
    *line = eventfd(0, EFD_NONBLOCK);
    *resample = eventfd(0, EFD_NONBLOCK);
    send_message(client, MPQEMU_SET_IRQFD, NULL, 0, (int[]){*line, *resample}, 2);
    assert_int_equal(turn(client), SERVE_GOES_ON);
}

static void the_sequence_of_a_start(void **state) {
    struct client client;
    int line, resample, ram = make_ram(16 * PAGE);
    (void)state;
    start(&client, false);
    memory_message(&client, &(struct place){0, 16 * PAGE, 0}, &ram, 1);
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    send_irqfds(&client, &line, &resample);
    no_answer(&client);
    assert_int_equal(config_access(&client, MPQEMU_CONFIG_READ, 0, 0, 2), 0x10de);
    assert_int_equal(config_access(&client, MPQEMU_CONFIG_READ, 2, 0, 2), 0x0322);
    assert_int_equal(config_access(&client, MPQEMU_CONFIG_READ, 0x0a, 0, 2), 0x0300);
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t offset = 0x10 + 4 * i, before = (uint32_t)config_access(&client, MPQEMU_CONFIG_READ, offset, 0, 4);
        config_access(&client, MPQEMU_CONFIG_WRITE, offset, UINT32_MAX, 4);
        assert_int_equal(config_access(&client, MPQEMU_CONFIG_READ, offset, 0, 4), i == 0 ? -FAKE_BAR0_BYTES : 0);
        config_access(&client, MPQEMU_CONFIG_WRITE, offset, before, 4);
    }
    send_message(&client, MPQEMU_DEVICE_RESET, NULL, 0, NULL, 0);
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    assert_int_equal(take_answer(&client), 0);
    assert_int_equal(fake_card_resets(client.serve.card), 1);
    close(line), close(resample), close(ram);
    stop(&client);
}

static void a_read_of_configuration_space_has_32_bits(void **state) {
    struct client client;
    (void)state;
    start(&client, false);
    config_access(&client, MPQEMU_CONFIG_WRITE, 0x40, UINT32_MAX, 4);
    assert_true(config_access(&client, MPQEMU_CONFIG_READ, 0x40, 0, 4) == UINT32_MAX);
    assert_int_equal(config_access(&client, MPQEMU_CONFIG_READ, 0x40, 0, 1), 0xff);
    stop(&client);
}

static void addresses_of_accesses_are_those_of_the_bus(void **state) {
    struct client client;
    (void)state;
    start(&client, false);
    map_bar0(&client);
    for (uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
        uint64_t value = UINT64_C(0x1122334455667788) >> (64 - 8 * bytes);
        bar_access(&client, MPQEMU_BAR_WRITE, BAR0 + 0x200, UINT64_MAX, 8);
        assert_int_equal(bar_access(&client, MPQEMU_BAR_WRITE, BAR0 + 0x200, value, bytes), 0);
        assert_true(bar_access(&client, MPQEMU_BAR_READ, BAR0 + 0x200, 0, bytes) == value);
        if (bytes < 8)
            assert_int_equal(bar_access(&client, MPQEMU_BAR_READ, BAR0 + 0x200 + bytes, 0, 1), 0xff);
    }
    stop(&client);
}

static void where_no_bar_is_reads_are_all_ones(void **state) {
    struct client client;
    (void)state;
    start(&client, false);
    map_bar0(&client);
    assert_int_equal(bar_access(&client, MPQEMU_BAR_READ, BAR0 - 4, 0, 4), UINT32_MAX);
    assert_true(bar_access(&client, MPQEMU_BAR_READ, BAR0 - 8, 0, 8) == UINT64_MAX);
    assert_int_equal(bar_access(&client, MPQEMU_BAR_WRITE, BAR0 - 4, 1, 4), 0);
    bar_message(&client, MPQEMU_BAR_READ, BAR0, 0, 2, 0);
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    assert_int_equal(take_answer(&client), 0xffff);
    stop(&client);
}

static void memory_may_change_between_any_two_messages(void **state) {
    struct client client;
    int ram[2] = {make_ram(16 * PAGE), make_ram(4 * PAGE)};
    uint8_t *mine = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, ram[1], 0);
    (void)state;
    assert_ptr_not_equal(mine, MAP_FAILED);
    start(&client, false);
    map_bar0(&client);
    for (unsigned round = 0; round < 100; round++) {
        memory_message(&client, (struct place[]){{0, 8 * PAGE, PAGE}, {0x100000, PAGE, PAGE}}, ram, 2);
        assert_int_equal(turn(&client), SERVE_GOES_ON);
        bar_access(&client, MPQEMU_BAR_READ, BAR0, 0, 4);
        assert_int_equal(client.serve.ram.count, 2);
        mine[PAGE] = (uint8_t)round;
        assert_int_equal(fake_card_range(client.serve.card, 1)->address, 0x100000);
        assert_int_equal(fake_card_range(client.serve.card, 1)->host[0], (uint8_t)round);
        memory_message(&client, &(struct place){0, 16 * PAGE, 0}, ram, 1);
        memory_message(&client, NULL, NULL, 0);
        assert_int_equal(turn(&client), SERVE_GOES_ON);
        assert_int_equal(fake_card_range(client.serve.card, 0)->bytes, 16 * PAGE);
        assert_int_equal(turn(&client), SERVE_GOES_ON);
        assert_null(fake_card_range(client.serve.card, 0));
        no_answer(&client);
    }
    munmap(mine, 4 * PAGE);
    close(ram[0]), close(ram[1]);
    stop(&client);
}

static void a_message_may_come_in_pieces(void **state) {
    struct client client;
    uint8_t message[16 + 12] = {MPQEMU_CONFIG_READ, [8] = 12, [16 + 8] = 2};
    (void)state;
    start(&client, false);
    for (unsigned i = 0; i < sizeof message; i++) {
        no_answer(&client);
        send_bytes(&client, message + i, 1, NULL, 0);
        assert_int_equal(turn(&client), SERVE_GOES_ON);
    }
    assert_int_equal(take_answer(&client), 0x10de);
    stop(&client);
}

static void an_idle_server_waits_without_a_limit(void **state) {
    struct client client;
    (void)state;
    start(&client, false);
    map_bar0(&client);
    assert_true(client.serve.pump.wait == UINT64_MAX);
    stop(&client);
}

/* It reads a clock of the host, and each access of the guest is a turn. */
static void a_turn_asks_once_what_is_due(void **state) {
    struct client client;
    (void)state;
    start(&client, false);
    map_bar0(&client);
    for (unsigned i = 0; i < 3; i++) {
        unsigned asked = fake_card_asked(client.serve.card);
        bar_access(&client, MPQEMU_BAR_READ, BAR0, 0, 4);
        assert_int_equal(fake_card_asked(client.serve.card), asked + 1);
    }
    stop(&client);
}

/* ---- interrupts ---- */

static void expect_line(struct client *client, const char *line) {
    char text[256] = {0};

    assert_true(recv(client->qtest, text, sizeof text - 1, MSG_DONTWAIT) > 0);
    assert_string_equal(text, line);
}

static void reply(struct client *client, const char *line) {
    assert_int_equal(send(client->qtest, line, strlen(line), 0), strlen(line));
}

static void the_line_is_a_pin_of_the_ioapic_by_qtest(void **state) {
    struct client client;
    (void)state;
    start(&client, true);
    map_bar0(&client);
    fake_card_intx(client.serve.card, true);
    expect_line(&client, "set_irq_in /machine/q35/ioapic unnamed-gpio-in 20 1\n");
    reply(&client, "OK\n");
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    /* The OK may be there before the line is: it is read while the answer is held back. */
    reply(&client, "OK\n");
    bar_access(&client, MPQEMU_BAR_READ, BAR0 + FAKE_ACKNOWLEDGE, 0, 4);
    expect_line(&client, "set_irq_in /machine/q35/ioapic unnamed-gpio-in 20 0\n");
    stop(&client);
}

static void a_message_interrupt_is_a_write_by_qtest(void **state) {
    struct client client;
    (void)state;
    start(&client, true);
    fake_card_msi(client.serve.card, 0xfee01004, 0x26);
    expect_line(&client, "writel 0xfee01004 0x26\n");
    stop(&client);
}

static void without_an_ok_the_answer_comes_all_the_same(void **state) {
    struct client client;
    (void)state;
    start(&client, true);
    map_bar0(&client);
    fake_card_intx(client.serve.card, true);
    bar_access(&client, MPQEMU_BAR_READ, BAR0 + FAKE_ACKNOWLEDGE, 0, 4);
    stop(&client);
}

static void interrupts_beyond_the_room_are_merged(void **state) {
    struct client client;
    char text[65536];
    (void)state;
    start(&client, true);
    fcntl(client.qtest, F_SETFL, O_NONBLOCK);
    int small = 1;
    setsockopt(client.serve.interrupts.qtest, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    for (uint32_t i = 0; i <= 10000; i++) {
        fake_card_msi(client.serve.card, 0xfee01004, i);
        fake_card_intx(client.serve.card, i & 1);
    }
    fake_card_intx(client.serve.card, true);
    bool last = false, high = false;
    for (unsigned i = 0; i < 1000 && !(last && high); i++) {
        ssize_t got = recv(client.qtest, text, sizeof text - 1, 0);
        text[got > 0 ? got : 0] = 0;
        last |= strstr(text, "0xfee01004 0x2710\n") != NULL;
        char *end = strstr(text, "20 1\n");
        high |= end != NULL;
        interrupts_move(&client.serve.interrupts);
    }
    assert_true(last && high);
    stop(&client);
}

static void a_refused_interrupt_ends_the_server(void **state) {
    struct client client;
    (void)state;
    start(&client, true);
    fake_card_intx(client.serve.card, true);
    reply(&client, "FAIL Unknown device\n");
    assert_int_equal(turn(&client), SERVE_BROKEN);
    assert_string_equal(client.error.message, "QEMU takes no interrupt: FAIL Unknown device");
    stop(&client);
}

static uint64_t eventfd_value(int fd) {
    uint64_t value = 0;

    return read(fd, &value, sizeof value) == sizeof value ? value : 0;
}

static void the_line_is_an_eventfd_for_kvm(void **state) {
    struct client client;
    int line, resample;
    const uint64_t one = 1;
    (void)state;
    start(&client, false);
    send_irqfds(&client, &line, &resample);
    fake_card_intx(client.serve.card, true);
    assert_int_equal(eventfd_value(line), 1);
    assert_int_equal(write(resample, &one, sizeof one), sizeof one);
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    assert_int_equal(eventfd_value(line), 1);
    fake_card_intx(client.serve.card, false);
    assert_int_equal(write(resample, &one, sizeof one), sizeof one);
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    assert_int_equal(eventfd_value(line), 0);
    fake_card_msi(client.serve.card, 0xfee01004, 0x26);
    assert_int_equal(client.serve.interrupts.lost, 1);
    close(line), close(resample);
    stop(&client);
}

/* ---- clients that lie ---- */

static void expect_broken(struct client *client, const char *message) {
    assert_int_equal(turn(client), SERVE_BROKEN);
    assert_string_equal(client->error.message, message);
    no_answer(client);
    stop(client);
}

static void a_full_eventfd_of_kvm_does_not_hang_the_server(void **state) {
    struct client client;
    int line = -1, resample = -1;
    (void)state;
    alarm(60); /* in place of a hang */
    start(&client, false);
    send_irqfds(&client, &line, &resample);
    assert_int_equal(eventfd_write(line, UINT64_MAX - 1), 0);
    assert_int_equal(fcntl(line, F_SETFL, 0), 0);
    assert_int_equal(fcntl(resample, F_SETFL, 0), 0);
    fake_card_intx(client.serve.card, true);
    interrupts_resample(&client.serve.interrupts);
    assert_true(eventfd_value(line) == UINT64_MAX - 1);
    alarm(0);
    close(line), close(resample);
    stop(&client);
}

static void what_is_no_eventfd_is_refused(void **state) {
    struct client client;
    int pipes[2], event = eventfd(0, 0);
    (void)state;
    assert_int_equal(pipe(pipes), 0);
    start(&client, false);
    send_message(&client, MPQEMU_SET_IRQFD, NULL, 0, (int[]){event, pipes[1]}, 2);
    expect_broken(&client, "SET_IRQFD with a descriptor that is no eventfd");
    close(event), close(pipes[0]), close(pipes[1]);
}

static void unknown_commands_are_refused(void **state) {
    static const int32_t commands[] = {MPQEMU_RET, MPQEMU_COMMANDS, -1, INT32_MIN};
    struct client client;
    char text[64];
    (void)state;
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        start(&client, false);
        send_message(&client, (uint32_t)commands[i], NULL, 0, NULL, 0);
        snprintf(text, sizeof text, "message with the unknown command %d", commands[i]);
        expect_broken(&client, text);
    }
}

static void sizes_are_those_of_the_command(void **state) {
    struct client client;
    uint8_t header[16] = {MPQEMU_BAR_READ};
    (void)state;
    start(&client, false);
    memset(header + 8, 0xff, 8);
    send_bytes(&client, header, sizeof header, NULL, 0);
    expect_broken(&client, "BAR_READ of 18446744073709551615 bytes, not 24");
    start(&client, false);
    send_message(&client, MPQEMU_DEVICE_RESET, header, 1, NULL, 0);
    expect_broken(&client, "DEVICE_RESET of 1 byte, not 0");
}

static void descriptors_are_as_many_as_the_command_has(void **state) {
    struct client client;
    int fds[16];
    (void)state;
    for (unsigned i = 0; i < 16; i++)
        fds[i] = STDERR_FILENO;
    start(&client, false);
    send_message(&client, MPQEMU_SET_IRQFD, NULL, 0, fds, 1);
    expect_broken(&client, "SET_IRQFD with 1 descriptor");
    start(&client, false);
    send_message(&client, MPQEMU_DEVICE_RESET, NULL, 0, fds, 1);
    expect_broken(&client, "DEVICE_RESET with 1 descriptor");
    start(&client, false);
    memory_message(&client, NULL, NULL, 0);
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    send_message(&client, MPQEMU_SET_IRQFD, NULL, 0, fds, 16);
    expect_broken(&client, "a message with too many descriptors, or at a wrong place");
}

static unsigned open_descriptors(void) {
    unsigned count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void descriptors_are_not_kept(void **state) {
    struct client client;
    int ram = make_ram(PAGE);
    unsigned before = open_descriptors();
    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        start(&client, false);
        memory_message(&client, &(struct place){0, PAGE, 0}, &ram, 1);
        assert_int_equal(turn(&client), SERVE_GOES_ON);
        send_message(&client, MPQEMU_SET_IRQFD, NULL, 0, &ram, 1);
        assert_int_equal(turn(&client), SERVE_BROKEN);
        stop(&client);
    }
    assert_int_equal(before, open_descriptors());
    close(ram);
}

static void memory_is_within_its_file(void **state) {
    static const struct place places[] = {
        {0, 5 * PAGE, 0}, {0, PAGE, 4 * PAGE},   {0, 0, 0}, {0, PAGE, UINT64_MAX - PAGE + 1}, {0, UINT64_MAX, PAGE},
        {0, PAGE, 1},     {0, PAGE, 1ull << 62},
    };
    struct client client;
    int ram = make_ram(4 * PAGE);
    (void)state;
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        start(&client, false);
        memory_message(&client, &places[i], &ram, 1);
        assert_int_equal(turn(&client), SERVE_BROKEN);
        assert_non_null(strstr(client.error.message, "is not in its file"));
        stop(&client);
    }
    start(&client, false);
    memory_message(&client, (struct place[]){{0, 2 * PAGE, 0}, {PAGE, PAGE, 0}}, (int[]){ram, ram}, 2);
    assert_int_equal(turn(&client), SERVE_BROKEN);
    assert_null(fake_card_range(client.serve.card, 0));
    stop(&client);
    close(ram);
}

/* An access after the end of a file is SIGBUS. */
static void memory_that_may_shrink_is_refused(void **state) {
    struct client client;
    int ram = memfd_create("ram", MFD_ALLOW_SEALING | MFD_CLOEXEC);
    (void)state;
    assert_int_equal(ftruncate(ram, PAGE), 0);
    start(&client, false);
    memory_message(&client, &(struct place){0, PAGE, 0}, &ram, 1);
    expect_broken(&client, "the guest's memory is in a file that may shrink: use memory-backend-memfd");
    close(ram);
}

static void offsets_and_sizes_of_accesses_are_checked(void **state) {
    struct client client;
    (void)state;
    start(&client, false);
    config_message(&client, MPQEMU_CONFIG_READ, 0x100, 0, 1);
    expect_broken(&client, "access to configuration space of 1 byte at offset 0x100");
    start(&client, false);
    config_message(&client, MPQEMU_CONFIG_READ, UINT32_MAX, 0, 4);
    expect_broken(&client, "access to configuration space of 4 bytes at offset 0xffffffff");
    start(&client, false);
    config_message(&client, MPQEMU_CONFIG_WRITE, 0, 0, 8);
    expect_broken(&client, "access to configuration space of 8 bytes at offset 0x0");
    start(&client, false);
    bar_message(&client, MPQEMU_BAR_WRITE, BAR0, 0, 3, 1);
    expect_broken(&client, "access of 3 bytes at 0xe0000000 in space 1");
    start(&client, false);
    bar_message(&client, MPQEMU_BAR_READ, BAR0, 0, 4, 2);
    expect_broken(&client, "access of 4 bytes at 0xe0000000 in space 2");
}

static void a_client_that_takes_no_answers_is_left(void **state) {
    struct client client;
    enum serve_state last = SERVE_GOES_ON;
    (void)state;
    start(&client, false);
    for (unsigned i = 0; i < 1000000 && last == SERVE_GOES_ON; i++) {
        config_message(&client, MPQEMU_CONFIG_READ, 0, 0, 4);
        last = turn(&client);
    }
    assert_int_equal(last, SERVE_BROKEN);
    assert_string_equal(client.error.message, "the client does not take its answers");
    stop(&client);
}

static void a_dead_client_ends_the_server(void **state) {
    struct client client;
    (void)state;
    start(&client, true);
    close(client.socket);
    assert_int_equal(serve_run(&client.serve, -1, &client.error), PFIFO_OK);
    client.socket = -1;
    stop(&client);
    start(&client, false);
    send_bytes(&client, (uint8_t[16]){MPQEMU_BAR_READ, [8] = 24}, 16, NULL, 0);
    assert_int_equal(turn(&client), SERVE_GOES_ON);
    close(client.socket);
    assert_int_equal(serve_run(&client.serve, -1, &client.error), PFIFO_ERROR_FORMAT);
    assert_string_equal(client.error.message, "the connection ends within a message");
    client.socket = -1;
    stop(&client);
}

static void a_descriptor_of_the_owner_ends_the_server(void **state) {
    struct client client;
    int end = eventfd(1, 0);
    (void)state;
    start(&client, false);
    assert_int_equal(serve_run(&client.serve, end, &client.error), PFIFO_OK);
    close(end);
    stop(&client);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sequence_of_a_start),
        cmocka_unit_test(a_read_of_configuration_space_has_32_bits),
        cmocka_unit_test(addresses_of_accesses_are_those_of_the_bus),
        cmocka_unit_test(where_no_bar_is_reads_are_all_ones),
        cmocka_unit_test(memory_may_change_between_any_two_messages),
        cmocka_unit_test(a_message_may_come_in_pieces),
        cmocka_unit_test(an_idle_server_waits_without_a_limit),
        cmocka_unit_test(a_turn_asks_once_what_is_due),
        cmocka_unit_test(the_line_is_a_pin_of_the_ioapic_by_qtest),
        cmocka_unit_test(a_message_interrupt_is_a_write_by_qtest),
        cmocka_unit_test(without_an_ok_the_answer_comes_all_the_same),
        cmocka_unit_test(interrupts_beyond_the_room_are_merged),
        cmocka_unit_test(a_refused_interrupt_ends_the_server),
        cmocka_unit_test(the_line_is_an_eventfd_for_kvm),
        cmocka_unit_test(a_full_eventfd_of_kvm_does_not_hang_the_server),
        cmocka_unit_test(what_is_no_eventfd_is_refused),
        cmocka_unit_test(unknown_commands_are_refused),
        cmocka_unit_test(sizes_are_those_of_the_command),
        cmocka_unit_test(descriptors_are_as_many_as_the_command_has),
        cmocka_unit_test(descriptors_are_not_kept),
        cmocka_unit_test(memory_is_within_its_file),
        cmocka_unit_test(memory_that_may_shrink_is_refused),
        cmocka_unit_test(offsets_and_sizes_of_accesses_are_checked),
        cmocka_unit_test(a_client_that_takes_no_answers_is_left),
        cmocka_unit_test(a_dead_client_ends_the_server),
        cmocka_unit_test(a_descriptor_of_the_owner_ends_the_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
