/* SPDX-License-Identifier: MIT */
/* `pfifo serve`: cards behind a socket, and what is seen and kept of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/process.h"
#include "tool/tool.h"
#include "tool/vfio_client.h"

enum { REGISTERS = 0, VRAM = 1, ROM = 6, CONFIG = 7, RAM_BYTES = 0x4000, TEXT = 200 };

/* What a test of a socket has: its files, and the server. */
struct served {
    struct process process;
    struct vfio_client client;
    char folder[64], socket[TEXT], record[TEXT], output[TEXT];
    char options[4][TEXT];
};

static void make_folder(struct served *served) {
    snprintf(served->folder, sizeof served->folder, "/tmp/pfifo-serve-XXXXXX");
    assert_non_null(mkdtemp(served->folder));
    snprintf(served->socket, TEXT, "%s/socket", served->folder);
    snprintf(served->record, TEXT, "%s/card.nvses.zst", served->folder);
    snprintf(served->output, TEXT, "%s/events", served->folder);
}

/* Nothing else is in it. */
static void remove_folder(struct served *served) {
    unlink(served->record);
    unlink(served->output);
    assert_int_equal(rmdir(served->folder), 0);
}

/* Start `serve` with these options, NULL terminated, at its socket. */
static void start(struct served *served, const char *const *options) {
    const char *arguments[16] = {"serve", "--socket", served->socket};
    size_t count = 3;

    while (*options)
        arguments[count++] = *options++;
    arguments[count] = NULL;
    process_start(&served->process, false, arguments);
}

static void expect_exit(struct served *served, int status) {
    int ended = process_finish(&served->process);

    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != status)
        fail_msg("0x%x: %s%s", ended, served->process.said[0], served->process.said[1]);
}

/* ---- what a VMM does ---- */

static void write_dword(struct vfio_client *client, uint32_t region, uint64_t offset, uint32_t value) {
    uint8_t data[4];

    vfio_user_put(data, 4, value);
    assert_true(vfio_client_write(client, region, offset, data, 4));
}

static uint32_t read_dword(struct vfio_client *client, uint32_t region, uint64_t offset) {
    uint8_t data[4];

    assert_true(vfio_client_read(client, region, offset, data, 4));
    return (uint32_t)vfio_user_get(data, 4);
}

static int make_ram(void) {
    int fd = memfd_create("ram", MFD_ALLOW_SEALING | MFD_CLOEXEC);

    assert_int_equal(ftruncate(fd, RAM_BYTES), 0);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    return fd;
}

/* Registers, VRAM and memory of the guest, by the card's window to it. */
static void work(struct vfio_client *client) {
    static const char text[] = "what the guest has";
    int ram = make_ram();

    assert_true(vfio_client_begin(client));
    assert_int_equal(read_dword(client, REGISTERS, 0), 0x084000a1);
    write_dword(client, CONFIG, 4, 6);
    assert_int_equal(pwrite(ram, text, sizeof text, 0x1000), sizeof text);
    assert_true(vfio_client_map(client, 0x120000, RAM_BYTES, ram));
    write_dword(client, REGISTERS, 0x1700, 0x02000012);
    assert_int_equal(read_dword(client, REGISTERS, 0x701000), 0x74616877);
    write_dword(client, REGISTERS, 0x700ffc, 0x12345678);
    uint32_t word = 0;
    assert_int_equal(pread(ram, &word, sizeof word, 0xffc), sizeof word);
    assert_int_equal(word, 0x12345678);
    write_dword(client, REGISTERS, 0x100, 0x80000000);
    close(ram);
}

/* ---- a socket ---- */

static void a_card_at_a_socket_is_recorded_and_the_session_replays(void **state) {
    static struct served served;
    (void)state;
    make_folder(&served);
    start(&served, (const char *const[]){"--chip=G84", "--record", served.record, NULL});
    assert_true(vfio_client_connect(&served.client, served.socket));
    work(&served.client);
    vfio_client_close(&served.client);
    expect_exit(&served, 0);
    struct outcome outcome = tool_run("run", served.record);
    expect_status(0, &outcome);
    expect_printed(&outcome, "card.nvses.zst: G84\n");
    expect_printed(&outcome, "  writes        4\n");
    expect_printed(&outcome, "  guest's pages 1\n");
    expect_printed(&outcome, "  differences   0\n");
    outcome_free(&outcome);
    remove_folder(&served);
}

/* What the client sends and is sent instead of a file, is in the session as memory that is mapped. */
static void memory_without_a_file_is_in_a_session(void **state) {
    static struct served served;
    static uint8_t memory[RAM_BYTES] = {[0x1000] = 'w', 'h', 'a', 't'};
    struct vfio_client *client = &served.client;
    (void)state;
    make_folder(&served);
    start(&served, (const char *const[]){"--chip=G84", "--record", served.record, NULL});
    assert_true(vfio_client_connect(client, served.socket) && vfio_client_begin(client));
    client->memory = memory, client->memory_address = 0x120000, client->memory_bytes = RAM_BYTES;
    write_dword(client, CONFIG, 4, 6);
    assert_true(vfio_client_map(client, 0x120000, RAM_BYTES, -1));
    write_dword(client, REGISTERS, 0x1700, 0x02000012);
    assert_int_equal(read_dword(client, REGISTERS, 0x701000), 0x74616877);
    write_dword(client, REGISTERS, 0x700ffc, 0x12345678);
    assert_int_equal(vfio_user_get(memory + 0xffc, 4), 0x12345678);
    memory[0x1003] = 'm';
    assert_int_equal(read_dword(client, REGISTERS, 0x701000), 0x6d616877);
    vfio_client_close(client);
    expect_exit(&served, 0);
    struct outcome outcome = tool_run("run", served.record);
    expect_status(0, &outcome);
    expect_printed(&outcome, "  guest's pages 2\n");
    expect_printed(&outcome, "  differences   0\n");
    outcome_free(&outcome);
    remove_folder(&served);
}

/* A client may owe its reply forever; a signal ends the server all the same, and the session is whole. */
static void a_signal_ends_the_wait_for_the_guests_memory(void **state) {
    static const uint8_t question[16] = {[2] = 0x70, [12] = 4};
    static struct served served;
    uint8_t message[VFIO_USER_HEADER_BYTES + sizeof question] = {9, 0, VFIO_USER_REGION_READ, 0, sizeof message};
    struct vfio_client *client = &served.client;
    (void)state;
    make_folder(&served);
    start(&served, (const char *const[]){"--chip=G84", "--record", served.record, NULL});
    assert_true(vfio_client_connect(client, served.socket) && vfio_client_begin(client));
    write_dword(client, CONFIG, 4, 6);
    assert_true(vfio_client_map(client, 0x120000, RAM_BYTES, -1));
    write_dword(client, REGISTERS, 0x1700, 0x02000012);
    memcpy(message + VFIO_USER_HEADER_BYTES, question, sizeof question);
    assert_int_equal(send(client->socket, message, sizeof message, MSG_NOSIGNAL), sizeof message);
    assert_int_equal(recv(client->socket, message, VFIO_USER_HEADER_BYTES, MSG_WAITALL), VFIO_USER_HEADER_BYTES);
    assert_int_equal(vfio_user_get(message + 2, 2), VFIO_USER_DMA_READ);
    kill(served.process.pid, SIGTERM);
    expect_exit(&served, 128 + SIGTERM);
    vfio_client_close(client);
    struct outcome outcome = tool_run("run", served.record);
    expect_printed(&outcome, "card.nvses.zst: G84\n");
    outcome_free(&outcome);
    remove_folder(&served);
}

/* The client would write to VRAM behind the recorder's back. */
static void vram_is_no_file_in_a_session(void **state) {
    static const uint8_t question[32] = {32, [8] = VRAM};
    static const char *const records[] = {NULL, "--record=/dev/null"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        static struct served served;
        make_folder(&served);
        start(&served, (const char *const[]){"--chip=NV34", records[i], NULL});
        assert_true(vfio_client_connect(&served.client, served.socket) && vfio_client_begin(&served.client));
        assert_true(vfio_client_ask(&served.client, VFIO_USER_REGION_INFO, question, sizeof question, NULL, 0));
        assert_int_equal(vfio_user_get(served.client.payload + 4, 4), records[i] ? 3 : 7);
        vfio_client_close(&served.client);
        expect_exit(&served, 0);
        remove_folder(&served);
    }
}

static void a_card_at_a_socket_is_traced_and_counted(void **state) {
    static struct served served;
    static char text[20000];
    (void)state;
    make_folder(&served);
    start(&served,
          (const char *const[]){"--chip=G84", "--trace=bus.*", "--stats", "--json", "--output", served.output, NULL});
    assert_true(vfio_client_connect(&served.client, served.socket));
    work(&served.client);
    assert_int_equal(read_dword(&served.client, REGISTERS, 0xf00000), 0);
    vfio_client_close(&served.client);
    expect_exit(&served, 0);
    FILE *file = fopen(served.output, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(text, "\"event\":\"bus.unmapped\",\"address\":15728640,"));
    assert_non_null(strstr(text, "{\"event\":\"counts\",\"chip\":\"G84\""));
    remove_folder(&served);
}

/* Whatever ends it: the file is whole, and replays. */
static void a_session_is_whole_after_a_signal_or_the_time_limit(void **state) {
    static const char *const limits[] = {"--timeout=1", "--timeout=600"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        static struct served served;
        make_folder(&served);
        start(&served, (const char *const[]){"--chip=G84", "--record", served.record, limits[i], NULL});
        assert_true(vfio_client_connect(&served.client, served.socket));
        work(&served.client);
        if (i == 1)
            kill(served.process.pid, SIGTERM);
        expect_exit(&served, i == 1 ? 128 + SIGTERM : 124);
        vfio_client_close(&served.client);
        struct outcome outcome = tool_run("run", served.record);
        expect_status(0, &outcome);
        expect_printed(&outcome, "  differences   0\n");
        outcome_free(&outcome);
        remove_folder(&served);
    }
}

/* The exit status tells, as that of `serve -- VMM` does. */
static void a_session_that_cannot_be_written_is_an_error(void **state) {
    static struct served served;
    (void)state;
    make_folder(&served);
    start(&served, (const char *const[]){"--chip=G84", "--record=/dev/full", NULL});
    assert_true(vfio_client_connect(&served.client, served.socket));
    work(&served.client);
    vfio_client_close(&served.client);
    expect_exit(&served, 2);
    process_expect(&served.process, 1, "/dev/full: ");
    remove_folder(&served);
}

static void a_time_limit_without_a_client_is_told(void **state) {
    static struct served served;
    (void)state;
    make_folder(&served);
    start(&served, (const char *const[]){"--chip=G84", "--timeout=1", NULL});
    expect_exit(&served, 124);
    process_expect(&served.process, 1, "no VMM came to ");
    process_expect(&served.process, 1, " within 1 seconds\n");
    remove_folder(&served);
}

/* ---- --vbios ---- */

/* The smallest image that is one. */
static void make_image(uint8_t image[512]) {
    memset(image, 0, 512);
    image[0] = 0x55, image[1] = 0xaa, image[2] = 1, image[0x18] = 0x20;
    memcpy(image + 0x20, (const uint8_t[]){0x50, 0x43, 0x49, 0x52}, 4); /* PCIR */
    image[0x1ff] = 0x42;
}

static void a_guest_finds_the_image_of_a_file_in_the_rom(void **state) {
    static struct served served;
    char *path = temporary_path(".rom");
    uint8_t image[512];
    (void)state;
    make_image(image);
    write_file(path, image, sizeof image);
    make_folder(&served);
    start(&served, (const char *const[]){"--chip=NV34", "--vbios", path, "--record", served.record, NULL});
    assert_true(vfio_client_connect(&served.client, served.socket) && vfio_client_begin(&served.client));
    assert_int_equal(read_dword(&served.client, ROM, 0), 0x0001aa55);
    assert_int_equal(read_dword(&served.client, ROM, 0x1fc), 0x42000000);
    vfio_client_close(&served.client);
    expect_exit(&served, 0);
    struct outcome outcome = tool_run("run", served.record); /* the session has the image */
    expect_printed(&outcome, "  differences   0\n");
    outcome_free(&outcome);
    unlink(path);
    free(path);
    remove_folder(&served);
}

static void expect_no_rom(const char *path, const char *want) {
    static const char *const commands[] = {"serve", "vm"};
    char text[TEXT];

    snprintf(text, sizeof text, "pfifo: %s: %s", path, want);
    for (size_t i = 0; i < 2; i++) {
        struct outcome outcome = tool_run(commands[i], "--chip=NV34", "--vbios", path, "--record=/dev/null",
                                          i ? "--qemu=/bin/false" : "--socket=/nonexistent/socket");
        expect_status(2, &outcome);
        assert_string_equal(outcome.err, text);
        outcome_free(&outcome);
    }
}

static void a_file_that_is_no_rom_is_refused_with_offset_and_reason(void **state) {
    static const struct {
        size_t bytes;
        unsigned offset, value;
        const char *want;
    } cases[] = {
        {0, 0, 0x55, "offset 0: it ends within the header of 26 bytes\n"},
        {25, 0, 0x55, "offset 25: it ends within the header of 26 bytes\n"},
        {512, 0, 0x4e, "offset 0: 4e aa, but an image begins with 55 aa\n"},
        {512, 1, 0x55, "offset 0: 55 55, but an image begins with 55 aa\n"},
        {512, 2, 0, "offset 2: an image of 0 bytes, in a file of 512\n"},
        {511, 2, 1, "offset 2: an image of 512 bytes, in a file of 511\n"},
        {512, 2, 2, "offset 2: an image of 1024 bytes, in a file of 512\n"},
        {512, 0x18, 0x21, "offset 24: 0x21 is not where PCIR is\n"},
        {512, 0x19, 0xff, "offset 24: 0xff20 is not where PCIR is\n"},
        {1048577, 0, 0x55, "offset 1048576: a ROM has no more bytes\n"},
    };
    static uint8_t image[1048577];
    char *path = temporary_path(".rom");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make_image(image);
        image[cases[i].offset] = (uint8_t)cases[i].value;
        write_file(path, image, cases[i].bytes);
        expect_no_rom(path, cases[i].want);
    }
    unlink(path);
    expect_no_rom(path, "cannot read: No such file or directory\n");
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_card_at_a_socket_is_recorded_and_the_session_replays),
        cmocka_unit_test(memory_without_a_file_is_in_a_session),
        cmocka_unit_test(a_signal_ends_the_wait_for_the_guests_memory),
        cmocka_unit_test(vram_is_no_file_in_a_session),
        cmocka_unit_test(a_card_at_a_socket_is_traced_and_counted),
        cmocka_unit_test(a_session_is_whole_after_a_signal_or_the_time_limit),
        cmocka_unit_test(a_session_that_cannot_be_written_is_an_error),
        cmocka_unit_test(a_time_limit_without_a_client_is_told),
        cmocka_unit_test(a_guest_finds_the_image_of_a_file_in_the_rom),
        cmocka_unit_test(a_file_that_is_no_rom_is_refused_with_offset_and_reason),
    };

    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
