/* SPDX-License-Identifier: MIT */
/*
 * A register read and 4 KiB written to VRAM, as a client of each protocol does it. They take turns with an echo: as
 * many bytes there and back through the same kind of socket, to somebody who does nothing with them. Client and server
 * are one thread, so a message costs its system calls and the server's work, and nobody has to be woken.
 */
#include "protocol.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "face/pci/serve/serve.h"
#include "face/pci/serve/vfio_serve.h"
#include "measure.h"

#define CHIP       "NV34"
#define PAGE       4096u
#define BAR0       UINT64_C(0xe0000000)
#define BAR1       UINT64_C(0xd0000000)
#define READS      4000u
#define PAGES      16u
#define DATA_BYTES 8u /* that a message of QEMU's own protocol has at most */
#define PMC_BOOT_0 0u

/* The two ends of a connection, and who answers at the other one. */
struct line {
    int client;
    void (*answer)(struct line *line, size_t question, size_t answer);
    struct pfifo_error error;
    int echo; /* the other end of an echo */
    struct serve serve;
    struct vfio_serve vfio;
    uint16_t id;
    uint8_t message[VFIO_USER_HEADER_BYTES + VFIO_USER_ACCESS_BYTES + PAGE];
};

static void expect(bool good, const char *what) {
    if (good)
        return;
    fprintf(stderr, "pfifo-bench: %s failed\n", what);
    exit(1);
}

static void receive(int socket, void *to, size_t bytes) {
    for (size_t have = 0; have < bytes;) {
        ssize_t got = recv(socket, (uint8_t *)to + have, bytes - have, MSG_DONTWAIT);
        expect(got > 0, "receiving");
        have += (size_t)got;
    }
}

static void echo_answer(struct line *line, size_t question, size_t answer) {
    static uint8_t bytes[sizeof line->message];
    receive(line->echo, bytes, question);
    expect(send(line->echo, bytes, answer, 0) == (ssize_t)answer, "sending");
}

static void mpqemu_turn(struct line *line, size_t question, size_t answer) {
    (void)question, (void)answer;
    expect(serve_turn(&line->serve, -1, &line->error) == SERVE_GOES_ON, "a turn");
}

static void vfio_turn(struct line *line, size_t question, size_t answer) {
    (void)question, (void)answer;
    expect(vfio_serve_turn(&line->vfio, -1, &line->error) == SERVE_GOES_ON, "a turn");
}

/* line->message is sent, and becomes the answer. */
static void talk(struct line *line, size_t question, size_t answer) {
    expect(send(line->client, line->message, question, 0) == (ssize_t)question, "sending");
    line->answer(line, question, answer);
    receive(line->client, line->message, answer);
}

/* ---- QEMU's own protocol ---- */

static void mpqemu_header(struct line *line, uint32_t command, size_t payload) {
    memset(line->message, 0, MPQEMU_HEADER_BYTES + payload);
    vfio_user_put(line->message, 4, command);
    vfio_user_put(line->message + 8, 8, payload);
}

static void mpqemu_config(struct line *line, uint32_t offset, uint32_t value) {
    mpqemu_header(line, MPQEMU_CONFIG_WRITE, 12);
    vfio_user_put(line->message + MPQEMU_HEADER_BYTES, 4, offset);
    vfio_user_put(line->message + MPQEMU_HEADER_BYTES + 4, 4, value);
    vfio_user_put(line->message + MPQEMU_HEADER_BYTES + 8, 4, 4);
    talk(line, MPQEMU_HEADER_BYTES + 12, MPQEMU_ANSWER_BYTES);
}

static void mpqemu_access(struct line *line, uint32_t command, uint64_t address, uint64_t value, unsigned bytes) {
    mpqemu_header(line, command, 24);
    vfio_user_put(line->message + MPQEMU_HEADER_BYTES, 8, address);
    vfio_user_put(line->message + MPQEMU_HEADER_BYTES + 8, 8, value);
    vfio_user_put(line->message + MPQEMU_HEADER_BYTES + 16, 4, bytes);
    line->message[MPQEMU_HEADER_BYTES + 20] = 1;
    talk(line, MPQEMU_HEADER_BYTES + 24, MPQEMU_ANSWER_BYTES);
}

static void mpqemu_reads(struct line *line) {
    for (unsigned i = 0; i < READS; i++)
        mpqemu_access(line, MPQEMU_BAR_READ, BAR0 + PMC_BOOT_0, 0, 4);
}

static void mpqemu_writes(struct line *line) {
    for (unsigned at = 0; at < PAGES * PAGE; at += DATA_BYTES)
        mpqemu_access(line, MPQEMU_BAR_WRITE, BAR1 + at, at, DATA_BYTES);
}

static struct pfifo_pci *make_card(void (*intx)(void *opaque, bool level),
                                   void (*msi)(void *opaque, uint64_t address, uint32_t data), void *opaque) {
    struct pfifo_pci_config config = {
        .size = sizeof config,
        .gpu = {.size = sizeof config.gpu, .chip = pfifo_chip_by_name(CHIP), .vram = {.form = PFIFO_MEMORY_SHARED}},
        .bars_32 = true,
        .intx = intx,
        .msi = msi,
        .opaque = opaque};
    return pfifo_pci_new(&config, NULL);
}

static void open_line(struct line *line, int *other) {
    int ends[2];
    expect(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "a socket");
    line->client = ends[0];
    *other = ends[1];
}

static void open_mpqemu(struct line *line) {
    int other;
    open_line(line, &other);
    line->answer = mpqemu_turn;
    serve_begin(&line->serve, other, -1);
    line->serve.card = make_card(serve_intx, serve_msi, &line->serve);
    expect(line->serve.card != NULL, "a card");
    mpqemu_config(line, 0x10, (uint32_t)BAR0);
    mpqemu_config(line, 0x14, (uint32_t)BAR1);
    mpqemu_config(line, 0x04, 6);
    mpqemu_access(line, MPQEMU_BAR_READ, BAR0 + PMC_BOOT_0, 0, 4);
    expect(vfio_user_get(line->message + MPQEMU_HEADER_BYTES, 4) >> 20 == 0x034, "reading PMC_BOOT_0");
}

/* ---- vfio-user ---- */

static void vfio_header(struct line *line, uint16_t command, size_t payload) {
    memset(line->message, 0, VFIO_USER_HEADER_BYTES);
    vfio_user_put(line->message, 2, ++line->id);
    vfio_user_put(line->message + 2, 2, command);
    vfio_user_put(line->message + 4, 4, VFIO_USER_HEADER_BYTES + payload);
}

/* Of writes the data that the message has. */
static void vfio_access(struct line *line, uint16_t command, uint32_t region, uint64_t offset, uint32_t count) {
    const size_t head = VFIO_USER_HEADER_BYTES + VFIO_USER_ACCESS_BYTES;
    bool write = command == VFIO_USER_REGION_WRITE;
    vfio_header(line, command, VFIO_USER_ACCESS_BYTES + (write ? count : 0));
    vfio_user_put(line->message + VFIO_USER_HEADER_BYTES, 8, offset);
    vfio_user_put(line->message + VFIO_USER_HEADER_BYTES + 8, 4, region);
    vfio_user_put(line->message + VFIO_USER_HEADER_BYTES + 12, 4, count);
    talk(line, write ? head + count : head, write ? head : head + count);
}

static void vfio_reads(struct line *line) {
    for (unsigned i = 0; i < READS; i++)
        vfio_access(line, VFIO_USER_REGION_READ, 0, PMC_BOOT_0, 4);
}

static void vfio_writes(struct line *line) {
    for (unsigned at = 0; at < PAGES; at++)
        vfio_access(line, VFIO_USER_REGION_WRITE, 1, (uint64_t)at * PAGE, PAGE);
}

static void open_vfio(struct line *line) {
    static const char version[] = "\0\0\0\0{\"capabilities\":{\"max_msg_fds\":8}}";
    int other;
    uint8_t reply[512];
    open_line(line, &other);
    line->answer = vfio_turn;
    expect(vfio_serve_begin(&line->vfio, other), "memory");
    line->vfio.card = make_card(vfio_serve_intx, vfio_serve_msi, &line->vfio);
    expect(line->vfio.card != NULL, "a card");
    vfio_header(line, VFIO_USER_VERSION, sizeof version);
    memcpy(line->message + VFIO_USER_HEADER_BYTES, version, sizeof version);
    expect(send(line->client, line->message, VFIO_USER_HEADER_BYTES + sizeof version, 0) > 0, "sending");
    vfio_turn(line, 0, 0);
    expect(recv(line->client, reply, sizeof reply, MSG_DONTWAIT) > 0 && !vfio_user_get(reply + 12, 4), "the version");
    vfio_user_put(line->message + VFIO_USER_HEADER_BYTES + VFIO_USER_ACCESS_BYTES, 2, 6);
    vfio_access(line, VFIO_USER_REGION_WRITE, 7, 0x04, 2);
    vfio_access(line, VFIO_USER_REGION_READ, 0, PMC_BOOT_0, 4);
    expect(vfio_user_get(line->message + VFIO_USER_HEADER_BYTES + VFIO_USER_ACCESS_BYTES, 4) >> 20 == 0x034,
           "reading PMC_BOOT_0");
}

/* ---- rounds ---- */

static double seconds_of(void (*work)(struct line *line), struct line *line) {
    double start = measure_now();
    work(line);
    return measure_now() - start;
}

static void print(const char *name, struct measure *rounds, unsigned accesses) {
    struct measured result = measure_end(rounds);
    printf("%-32s %-6s %9.2f %8.2f            (us; %.2f .. %.2f)\n", name, CHIP, result.seconds / accesses * 1e6,
           result.ratio, result.low, result.high);
    fflush(stdout);
}

static void measure(const char *name, void (*work)(struct line *line), struct line *line, struct line *echo,
                    unsigned accesses) {
    struct measure rounds = {.rounds = 0};
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        double bare = seconds_of(work, echo), served = seconds_of(work, line);
        measure_add(&rounds, served, bare / served);
    }
    print(name, &rounds, accesses);
}

static void copy_pages(uint8_t *to, const uint8_t *from) {
    for (unsigned i = 0; i < PAGES; i++)
        memcpy(to + (size_t)i * PAGE, from, PAGE);
}

/* VRAM is a file that a client of vfio-user maps: no message at all. Beside the same in other memory. */
static void measure_mapped(struct line *line, struct line *echo) {
    struct measure rounds = {.rounds = 0};
    static uint8_t from[PAGE];
    int fd = pfifo_gpu_vram_fd(pfifo_pci_gpu(line->vfio.card), NULL);
    uint8_t *to = fd < 0 ? MAP_FAILED : mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    expect(to != MAP_FAILED, "mapping VRAM");
    copy_pages(to, from);
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        double bare = seconds_of(vfio_writes, echo), start = measure_now();
        for (unsigned i = 0; i < 64; i++)
            copy_pages(to, from);
        double mapped = (measure_now() - start) / 64;
        measure_add(&rounds, mapped, bare / mapped);
    }
    munmap(to, (size_t)PAGES * PAGE);
    print("vfio-user, 4 KiB, mapped", &rounds, PAGES);
}

static void close_line(struct line *line) {
    close(line->client);
}

void bench_protocol(void) {
    static struct line echo, mpqemu, vfio;
    open_line(&echo, &echo.echo);
    echo.answer = echo_answer;
    open_mpqemu(&mpqemu);
    open_vfio(&vfio);
    printf("%-32s %-6s %9s %8s\n", "accesses of a VMM", "chip", "us", "of echo");
    measure("mpqemu, register read", mpqemu_reads, &mpqemu, &echo, READS);
    measure("mpqemu, 4 KiB to VRAM", mpqemu_writes, &mpqemu, &echo, PAGES);
    measure("vfio-user, register read", vfio_reads, &vfio, &echo, READS);
    measure("vfio-user, 4 KiB to VRAM", vfio_writes, &vfio, &echo, PAGES);
    measure_mapped(&vfio, &echo);
    close_line(&echo);
    close(echo.echo);
    close_line(&mpqemu);
    serve_end(&mpqemu.serve);
    pfifo_pci_free(mpqemu.serve.card);
    close_line(&vfio);
    vfio_serve_end(&vfio.vfio);
    pfifo_pci_free(vfio.vfio.card);
}
