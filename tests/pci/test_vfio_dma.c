/* SPDX-License-Identifier: MIT */
/*
 * Memory of the guest that comes as messages of vfio-user. The client is a thread, which has the memory and answers the
 * server; the server is called by the test, and waits for it.
 */
#include "face/pci/serve/vfio_serve.h"
#include "face/pci/serve/vfio_version.h"
#include "pci/card.h"
#include "pci/passing.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define GUEST     0x120000u
#define RAM_BYTES 0x4000u
#define WINDOW    0x700000u
#define SYSTEM    0x02000000u
#define HEADER    VFIO_USER_HEADER_BYTES
#define ANSWERS   8u

/* How the client answers. */
enum way {
    HONEST, /* as libvfio-user's */
    SHORT_COUNT,
    BARE,         /* a write without a payload */
    NARROW,       /* QEMU's: counts of 32 bits, data after them, writes without a payload */
    NARROW_16,    /* a later QEMU's, which replies to a write with its first 16 bytes */
    ACKNOWLEDGES, /* as HONEST, and the guest clears what is not zero as soon as it is written */
    REFUSES,
    WRONG_ID,
    WRONG_COMMAND,
    WRONG_ADDRESS,
    WRONG_COUNT,
    ONE_MORE,
    ONE_LESS,
    EMPTY,
    WITH_DESCRIPTOR,
    HALF,
    CLOSES,
    SILENT, /* and the server is stopped */
    ASKS_FIRST,
    ASKS_ON,
};

struct answer {
    uint16_t id, command;
    int number;
    uint8_t payload[64];
};

struct guest {
    struct vfio_serve serve;
    struct pfifo_error error;
    int socket, stop, line;
    pthread_t thread;
    sem_t answered;
    uint8_t ram[RAM_BYTES];
    enum way way;
    unsigned reads, writes, acknowledged;
    bool refuses;
    size_t largest;
    bool early; /* the interrupt came before a write was acknowledged */
    uint16_t id, last;
    struct answer answers[ANSWERS];
    unsigned answer_count, answers_seen;
};

/* ---- the client ---- */

static bool take_bytes(int socket, void *to, size_t bytes) {
    return recv(socket, to, bytes, MSG_WAITALL) == (ssize_t)bytes;
}

static void send_bytes(const struct guest *guest, const void *data, size_t bytes) {
    (void)!send(guest->socket, data, bytes, MSG_NOSIGNAL);
}

static void send_command(struct guest *guest, uint16_t command, const void *payload, size_t bytes) {
    uint8_t message[HEADER + 64] = {0};

    vfio_user_put(message, 2, ++guest->id);
    vfio_user_put(message + 2, 2, command);
    vfio_user_put(message + 4, 4, HEADER + bytes);
    if (bytes)
        memcpy(message + HEADER, payload, bytes);
    send_bytes(guest, message, HEADER + bytes);
}

static void ask_register(struct guest *guest, uint32_t region, uint64_t offset) {
    uint8_t payload[16] = {0};

    vfio_user_put(payload, 8, offset);
    vfio_user_put(payload + 8, 4, region);
    vfio_user_put(payload + 12, 4, 4);
    send_command(guest, VFIO_USER_REGION_READ, payload, sizeof payload);
}

/* More than a server keeps. */
static void ask_on(const struct guest *guest) {
    size_t bytes = VFIO_USER_MESSAGE_BYTES;
    uint8_t *message = calloc(1, bytes);

    vfio_user_put(message + 2, 2, VFIO_USER_REGION_WRITE);
    vfio_user_put(message + 4, 4, bytes);
    for (unsigned i = 0; i < 17; i++)
        send_bytes(guest, message, bytes);
    free(message);
}

static uint32_t word_of(const struct guest *guest, unsigned at) {
    return (uint32_t)vfio_user_get(guest->ram + at, 4);
}

/* The reply's payload; its size. */
static size_t access_ram(struct guest *guest, uint16_t command, const uint8_t *question, uint8_t *reply) {
    uint64_t address = vfio_user_get(question, 8), count = vfio_user_get(question + 8, 4);
    bool narrow = guest->way == NARROW || guest->way == NARROW_16, write = command == VFIO_USER_DMA_WRITE;
    size_t at = narrow ? 12 : 16;

    guest->largest = count > guest->largest ? (size_t)count : guest->largest;
    memcpy(reply, question, 16);
    if (write) {
        struct pollfd line = {.fd = guest->line, .events = POLLIN};
        guest->early |= poll(&line, 1, 10) > 0;
        guest->refuses = guest->way == ACKNOWLEDGES && vfio_user_get(question + 12, 4) != 0;
        if (guest->refuses)
            return 0;
        memcpy(guest->ram + (address - GUEST), question + at, count);
        if (guest->way == ACKNOWLEDGES && word_of(guest, 0x100)) {
            guest->acknowledged++;
            memset(guest->ram + 0x100, 0, 4);
        }
        return guest->way == NARROW || guest->way == BARE ? 0 : guest->way == SHORT_COUNT ? 12 : 16;
    }
    memset(reply + at, 0, count + 4);
    memcpy(reply + at, guest->ram + (address - GUEST), count);
    return 16 + count;
}

static void send_reply(const struct guest *guest, uint8_t *message, size_t bytes) {
    size_t sent = HEADER + bytes;

    vfio_user_put(message + 4, 4, sent);
    vfio_user_put(message + 8, 4, VFIO_USER_REPLY);
    switch (guest->refuses ? REFUSES : guest->way) {
    case REFUSES:
        vfio_user_put(message + 4, 4, sent = HEADER);
        vfio_user_put(message + 8, 4, VFIO_USER_REPLY | VFIO_USER_ERROR);
        vfio_user_put(message + 12, 4, EFAULT);
        break;
    case WRONG_ID:
        message[0]++;
        break;
    case WRONG_COMMAND:
        message[2] ^= VFIO_USER_DMA_READ ^ VFIO_USER_DMA_WRITE;
        break;
    case WRONG_ADDRESS:
        message[HEADER]++;
        break;
    case WRONG_COUNT:
        message[HEADER + 8]++;
        break;
    case ONE_MORE:
        vfio_user_put(message + 4, 4, ++sent);
        break;
    case ONE_LESS:
        vfio_user_put(message + 4, 4, --sent);
        break;
    case EMPTY:
        vfio_user_put(message + 4, 4, sent = HEADER);
        break;
    case WITH_DESCRIPTOR:
        (void)pass(guest->socket, message, sent, &guest->line, 1);
        return;
    case HALF:
        sent -= 3;
        break;
    default:
        break;
    }
    send_bytes(guest, message, sent);
}

static void answer_server(struct guest *guest, const uint8_t *header, const uint8_t *question) {
    uint8_t message[HEADER + 16 + 4096 + 4];
    uint16_t command = (uint16_t)vfio_user_get(header + 2, 2);
    enum way way = guest->way; /* who has the reply may choose another one at once */

    guest->reads += command == VFIO_USER_DMA_READ;
    guest->writes += command == VFIO_USER_DMA_WRITE;
    if (guest->way == SILENT) {
        (void)!eventfd_write(guest->stop, 1);
        return;
    }
    if (guest->way == ASKS_ON)
        ask_on(guest);
    if (guest->way == ASKS_FIRST) {
        guest->way = HONEST;
        ask_register(guest, 7, 0);
        ask_register(guest, 0, 0);
        send_command(guest, VFIO_USER_DMA_UNMAP, (uint8_t[24]){24}, 24);
    }
    if (guest->way == CLOSES) {
        shutdown(guest->socket, SHUT_RDWR);
        return;
    }
    memcpy(message, header, HEADER);
    send_reply(guest, message, access_ram(guest, command, question, message + HEADER));
    if (way == HALF)
        shutdown(guest->socket, SHUT_WR);
}

static void *client(void *opaque) {
    struct guest *guest = opaque;
    uint8_t header[HEADER], payload[8192];

    while (take_bytes(guest->socket, header, HEADER)) {
        size_t bytes = (size_t)vfio_user_get(header + 4, 4) - HEADER;
        if (bytes > sizeof payload || (bytes && !take_bytes(guest->socket, payload, bytes)))
            break;
        if (!(header[8] & VFIO_USER_REPLY)) {
            answer_server(guest, header, payload);
            continue;
        }
        struct answer *answer = &guest->answers[guest->answer_count++ % ANSWERS];
        *answer = (struct answer){(uint16_t)vfio_user_get(header, 2),
                                  (uint16_t)vfio_user_get(header + 2, 2),
                                  (int)vfio_user_get(header + 12, 4),
                                  {0}};
        memcpy(answer->payload, payload, bytes < sizeof answer->payload ? bytes : sizeof answer->payload);
        sem_post(&guest->answered);
    }
    return NULL;
}

/* ---- the test ---- */

static enum serve_state turn(struct guest *guest) {
    return vfio_serve_turn(&guest->serve, guest->stop, &guest->error);
}

static const struct answer *take_answer(struct guest *guest, uint16_t id) {
    struct timespec limit;

    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 30;
    assert_int_equal(sem_timedwait(&guest->answered, &limit), 0);
    const struct answer *answer = &guest->answers[guest->answers_seen++ % ANSWERS];
    assert_int_equal(answer->id, id);
    return answer;
}

static const struct answer *ask(struct guest *guest, uint16_t command, const void *payload, size_t bytes) {
    send_command(guest, command, payload, bytes);
    assert_int_equal(turn(guest), SERVE_GOES_ON);
    const struct answer *answer = take_answer(guest, guest->id);
    assert_int_equal(answer->command, command);
    return answer;
}

static void send_write(struct guest *guest, uint32_t region, uint64_t offset, const void *data, uint32_t bytes) {
    uint8_t payload[64] = {0};

    vfio_user_put(payload, 8, offset);
    vfio_user_put(payload + 8, 4, region);
    vfio_user_put(payload + 12, 4, bytes);
    memcpy(payload + 16, data, bytes);
    send_command(guest, VFIO_USER_REGION_WRITE, payload, 16 + bytes);
}

static void write_bytes(struct guest *guest, uint32_t region, uint64_t offset, const void *data, uint32_t bytes) {
    send_write(guest, region, offset, data, bytes);
    assert_int_equal(turn(guest), SERVE_GOES_ON);
    assert_int_equal(take_answer(guest, guest->id)->number, 0);
}

static void write_register(struct guest *guest, uint32_t region, uint64_t offset, uint32_t value) {
    uint8_t data[4];

    vfio_user_put(data, 4, value);
    write_bytes(guest, region, offset, data, 4);
}

static uint32_t read_register(struct guest *guest, uint32_t region, uint64_t offset) {
    ask_register(guest, region, offset);
    assert_int_equal(turn(guest), SERVE_GOES_ON);
    const struct answer *answer = take_answer(guest, guest->id);
    assert_int_equal(answer->number, 0);
    return (uint32_t)vfio_user_get(answer->payload + 16, 4);
}

static int map(struct guest *guest, uint64_t address, uint64_t bytes, uint32_t flags) {
    uint8_t payload[32] = {32};

    vfio_user_put(payload + 4, 4, flags);
    vfio_user_put(payload + 16, 8, address);
    vfio_user_put(payload + 24, 8, bytes);
    return ask(guest, VFIO_USER_DMA_MAP, payload, sizeof payload)->number;
}

/* A card that is master of the bus, whose window shows the memory. `capabilities`: of the client. */
static struct guest *open_guest(enum way way, const char *capabilities) {
    struct guest *guest = calloc(1, sizeof *guest);
    uint8_t version[64] = {0};
    int ends[2];

    alarm(60); /* in place of a hang */
    assert_non_null(guest);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    guest->socket = ends[0];
    guest->stop = eventfd(0, EFD_NONBLOCK);
    guest->line = eventfd(0, EFD_NONBLOCK);
    guest->way = way;
    assert_int_equal(sem_init(&guest->answered, 0, 0), 0);
    assert_true(vfio_serve_begin(&guest->serve, ends[1]));
    struct pfifo_pci_config config = {.size = sizeof config,
                                      .gpu = {.size = sizeof config.gpu, .chip = pfifo_chip_by_name("G84")},
                                      .intx = vfio_serve_intx,
                                      .msi = vfio_serve_msi,
                                      .opaque = &guest->serve};
    guest->serve.card = pfifo_pci_new(&config, &guest->error);
    assert_non_null(guest->serve.card);
    assert_int_equal(pthread_create(&guest->thread, NULL, client, guest), 0);
    snprintf((char *)version + 4, sizeof version - 4, "%s", capabilities);
    assert_int_equal(ask(guest, VFIO_USER_VERSION, version, 4 + strlen(capabilities) + 1)->number, 0);
    write_register(guest, 7, 4, 6);
    write_register(guest, 0, 0x1700, SYSTEM | GUEST >> 16);
    assert_int_equal(map(guest, GUEST, RAM_BYTES, 3), 0);
    return guest;
}

static void close_guest(struct guest *guest) {
    struct pfifo_pci *card = guest->serve.card;

    vfio_serve_end(&guest->serve);
    pthread_join(guest->thread, NULL);
    pfifo_pci_free(card);
    sem_destroy(&guest->answered);
    close(guest->socket), close(guest->stop), close(guest->line);
    free(guest);
    alarm(0);
}

#define NOTHING "{}"

static void memory_without_a_file_is_read_and_written_by_messages(void **state) {
    static const enum way ways[] = {HONEST, SHORT_COUNT, BARE, NARROW, NARROW_16};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct guest *guest = open_guest(ways[i], NOTHING);
        for (unsigned at = 0; at < RAM_BYTES; at++)
            guest->ram[at] = (uint8_t)(at * 7 + 1);
        assert_int_equal(read_register(guest, 0, WINDOW + 0x1010), word_of(guest, 0x1010));
        assert_int_equal(read_register(guest, 0, WINDOW + 0x1ffc), word_of(guest, 0x1ffc));
        write_register(guest, 0, WINDOW + 0x3ffc, 0xcafe1234);
        assert_int_equal(word_of(guest, 0x3ffc), 0xcafe1234);
        assert_int_equal(word_of(guest, 0x3ff8) & 0xff, (uint8_t)(0x3ff8 * 7 + 1));
        write_register(guest, 0, WINDOW + 0x4000, 1); /* beyond the end: nobody */
        assert_int_equal(guest->writes, 1);
        assert_int_equal(guest->largest, 4096);
        close_guest(guest);
    }
}

/* Where all is zero, a client's kind of count cannot be seen; the first write has to be right all the same. */
static void a_first_write_to_empty_memory_is_right(void **state) {
    static const enum way ways[] = {HONEST, SHORT_COUNT, BARE, NARROW, NARROW_16};
    static const uint8_t data[16] = {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 9, 0};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct guest *guest = open_guest(ways[i], NOTHING);
        assert_int_equal(read_register(guest, 0, WINDOW + 0x20), 0);
        write_bytes(guest, 0, WINDOW + 0x100, data, sizeof data);
        assert_memory_equal(guest->ram + 0x100, data, sizeof data);
        write_bytes(guest, 0, WINDOW + 0x2000, data + 4, 4);
        assert_memory_equal(guest->ram + 0x2000, data + 4, 4);
        for (unsigned at = 0; at < RAM_BYTES; at++)
            if ((at < 0x100 || at >= 0x110) && (at < 0x2000 || at >= 0x2004))
                assert_int_equal(guest->ram[at], 0);
        assert_int_equal(read_register(guest, 0, WINDOW + 0x104), 0x04030201);
        assert_int_equal(guest->serve.memory.dma.narrow, ways[i] == NARROW || ways[i] == NARROW_16);
        close_guest(guest);
    }
}

/* A fence that is written again would be one more. */
static void a_first_write_comes_once_however_fast_the_guest_is(void **state) {
    static const uint8_t data[12] = {5, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const uint32_t sizes[] = {4, 12};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct guest *guest = open_guest(ACKNOWLEDGES, NOTHING);
        write_bytes(guest, 0, WINDOW + 0x100, data, sizes[i]);
        assert_int_equal(guest->acknowledged, 1);
        assert_memory_equal(guest->ram + 0x104, sizes[i] == 12 ? data + 4 : (const uint8_t[8]){0}, 8);
        assert_false(guest->serve.memory.dma.narrow);
        write_bytes(guest, 0, WINDOW + 0x100, data, 4);
        assert_int_equal(guest->acknowledged, 2);
        close_guest(guest);
    }
}

/* What is there does not take what is written: no reason to believe in narrow counts for long. */
static void data_corrects_a_guess_about_counts(void **state) {
    struct guest *guest = open_guest(HONEST, NOTHING);
    (void)state;
    guest->serve.memory.dma.narrow = true;
    memcpy(guest->ram + 0x40, "what the guest has", 18);
    assert_int_equal(read_register(guest, 0, WINDOW + 0x40), 0x74616877);
    assert_false(guest->serve.memory.dma.narrow);
    assert_true(guest->serve.memory.dma.sure);
    close_guest(guest);
}

static void messages_are_as_small_as_the_client_wants(void **state) {
    static const uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct guest *guest = open_guest(HONEST, "{\"capabilities\":{\"max_data_xfer_size\":7}}");
    (void)state;
    for (unsigned at = 0; at < RAM_BYTES; at++)
        guest->ram[at] = (uint8_t)(at * 5 + 3);
    assert_int_equal(read_register(guest, 0, WINDOW + 0xffc), word_of(guest, 0xffc));
    write_bytes(guest, 0, WINDOW + 0x100, data, sizeof data);
    assert_memory_equal(guest->ram + 0x100, data, sizeof data);
    assert_int_equal(guest->largest, 7);
    close_guest(guest);
}

static void a_version_is_json(void **state) {
    static const struct {
        const char *text;
        uint64_t most; /* 0: refused */
        bool multiple;
    } rows[] = {
        {"{}", 99},
        {"{\"capabilities\":{\"write_multiple\":true,\"max_data_xfer_size\":7}}", 7, true},
        {"{\"capabilities\":{\"write_multiple\": false }}", 99},
        {"{\"write_multiple\":true,\"capabilities\":{\"twin_socket\":{\"write_multiple\":true}}}", 99},
        {"{\"capabilities\":{\"write_multiple\":null}}", 0},
        {"{\"capabilities\":{\"write_multiple\":1}}", 0},
        {"{\"capabilities\":{\"write_multiple\":\"true\"}}", 0},
        {"{\"capabilities\":{\"write_multiple\":", 0},
        {" { \"capabilities\" : { \"max_data_xfer_size\" : 4096 , \"x\" : [ 1 , { } , \"\\\"\" ] } } ", 4096},
        {"{\"capabilities\":{\"twin_socket\":{\"max_data_xfer_size\":1},\"b\":true,\"c\":null,\"d\":-1.5e3}}", 99},
        {"{\"max_data_xfer_size\":1,\"capabilities\":{}}", 99},
        {"{\"capabilities\":{\"max_data_xfer_size\":0}}", 0},
        {"{\"capabilities\":{\"max_data_xfer_size\":-1}}", 0},
        {"{\"capabilities\":{\"max_data_xfer_size\":1e3}}", 0},
        {"{\"capabilities\":{\"max_data_xfer_size\":\"1\"}}", 0},
        {"{\"capabilities\":{\"max_data_xfer_size\":99999999999999999999}}", 0},
        {"", 0},
        {"[]", 0},
        {"{", 0},
        {"{}}", 0},
        {"{\"a\"}", 0},
        {"{\"a\":}", 0},
        {"{\"a\":1,}", 0},
        {"{\"a\":\"\\", 0},
        {"{\"a\":[1,2}", 0},
        {"{\"a\":[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]}", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct vfio_version version = {.most = 99};
        bool good = vfio_version_parse(rows[i].text, strlen(rows[i].text) + 1, &version);
        if (good != (rows[i].most != 0) ||
            (good && (version.most != rows[i].most || version.multiple != rows[i].multiple)))
            fail_msg("%s: %d, %u, %d", rows[i].text, good, (unsigned)version.most, version.multiple);
    }
    struct vfio_version version = {.most = 99};
    assert_false(vfio_version_parse("{}", 2, &version));
    assert_false(vfio_version_parse("{}\0", 4, &version));
}

/* ---- a client that refuses, lies or says nothing ---- */

static void what_the_client_refuses_is_a_bus_without_an_answer(void **state) {
    struct guest *guest = open_guest(REFUSES, NOTHING);
    (void)state;
    memset(guest->ram, 0x11, sizeof guest->ram);
    assert_true(read_register(guest, 0, WINDOW + 0x10) == UINT32_MAX);
    write_register(guest, 0, WINDOW + 0x10, 5);
    assert_int_equal(guest->writes, 1);
    guest->way = HONEST;
    assert_int_equal(read_register(guest, 0, WINDOW + 0x14), 0x11111111);
    close_guest(guest);
}

static void what_is_no_reply_breaks_the_connection(void **state) {
    static const struct {
        enum way way;
        const char *read, *write;
    } rows[] = {
        {WRONG_ID, "a reply to command 11 with the id 2, which was not asked", NULL},
        {WRONG_COMMAND, "a reply to command 12 with the id 1, which was not asked", NULL},
        {WRONG_ADDRESS, "DMA_READ of 4096 bytes is answered with another address or count, or with 4112 bytes",
         "DMA_WRITE of 4 bytes is answered with another address or count, or with 16 bytes"},
        {WRONG_COUNT, "DMA_READ of 4096 bytes is answered with another address or count, or with 4112 bytes",
         "DMA_WRITE of 4 bytes is answered with another address or count, or with 16 bytes"},
        {ONE_MORE, "DMA_READ of 4096 bytes is answered with another address or count, or with 4113 bytes",
         "DMA_WRITE of 4 bytes is answered with another address or count, or with 17 bytes"},
        {ONE_LESS, "DMA_READ of 4096 bytes is answered with another address or count, or with 4111 bytes",
         "DMA_WRITE of 4 bytes is answered with another address or count, or with 15 bytes"},
        {EMPTY, "DMA_READ of 4096 bytes is answered with another address or count, or with 0 bytes", NULL},
        {WITH_DESCRIPTOR, "a reply to command 11 with the id 1, which was not asked", NULL},
        {HALF, "the connection ends within a message", "the connection ends within a message"},
        {ASKS_ON, "the client asks on and on, and does not answer", "the client asks on and on, and does not answer"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned write = 0; write < 2; write++) {
            if (write && !rows[i].write)
                continue;
            struct guest *guest = open_guest(HONEST, NOTHING);
            if (write) { /* the page is read before it is written */
                guest->ram[0x18] = 1;
                read_register(guest, 0, WINDOW + 0x18);
                uint64_t bytes = 0;
                pci_begin(guest->serve.card);
                uint8_t *page = pci_dma_find(guest->serve.card, GUEST + 0x10, &bytes, true);
                guest->way = rows[i].way;
                page[0] = 5;
                pci_end(guest->serve.card, NULL);
                assert_int_equal(vfio_dma_state(&guest->serve.memory.dma, &guest->error), SERVE_BROKEN);
                assert_string_equal(guest->error.message, rows[i].write);
            } else {
                guest->way = rows[i].way;
                ask_register(guest, 0, WINDOW + 0x10);
                assert_int_equal(turn(guest), SERVE_BROKEN);
                assert_string_equal(guest->error.message, rows[i].read);
            }
            assert_int_equal(guest->reads + guest->writes, write ? 4 : 1);
            close_guest(guest);
        }
}

static void a_reply_that_nobody_waits_for_breaks_the_connection(void **state) {
    struct guest *guest = open_guest(HONEST, NOTHING);
    uint8_t message[HEADER] = {1, 0, VFIO_USER_DMA_WRITE, 0, HEADER, [8] = VFIO_USER_REPLY};
    (void)state;
    send_bytes(guest, message, HEADER);
    assert_int_equal(turn(guest), SERVE_BROKEN);
    assert_string_equal(guest->error.message, "message with the flags 0x1 is no command");
    close_guest(guest);
}

static void a_client_may_close_instead_of_a_reply(void **state) {
    struct guest *guest = open_guest(CLOSES, NOTHING);
    (void)state;
    send_write(guest, 0, WINDOW + 0x10, "abcd", 4);
    assert_int_equal(turn(guest), SERVE_ENDED);
    assert_int_equal(guest->reads + guest->writes, 1); /* nothing more is asked */
    close_guest(guest);
}

static void a_stop_ends_the_wait_for_a_reply(void **state) {
    struct guest *guest = open_guest(SILENT, NOTHING);
    (void)state;
    send_write(guest, 0, WINDOW + 0x10, "abcd", 4);
    assert_int_equal(turn(guest), SERVE_ENDED);
    assert_int_equal(guest->reads + guest->writes, 1);
    close_guest(guest);
}

/* ---- at the same time ---- */

static void what_is_asked_during_a_wait_is_answered_in_order_afterwards(void **state) {
    struct guest *guest = open_guest(ASKS_FIRST, NOTHING);
    (void)state;
    vfio_user_put(guest->ram + 0x10, 4, 0x12345678);
    ask_register(guest, 0, WINDOW + 0x10);
    uint16_t id = guest->id;
    assert_int_equal(turn(guest), SERVE_GOES_ON);
    assert_int_equal(vfio_user_get(take_answer(guest, id)->payload + 16, 4), 0x12345678);
    assert_true(vfio_user_has_queued(&guest->serve.client));
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(turn(guest), SERVE_GOES_ON);
    assert_int_equal(vfio_user_get(take_answer(guest, (uint16_t)(id + 1))->payload + 16, 4), 0x040010de);
    assert_int_equal(vfio_user_get(take_answer(guest, (uint16_t)(id + 2))->payload + 16, 4), 0x084000a1);
    assert_int_equal(take_answer(guest, (uint16_t)(id + 3))->number, ENOENT);
    assert_false(vfio_user_has_queued(&guest->serve.client));
    assert_int_equal(guest->serve.client.queued, 0);
    close_guest(guest);
}

/* An operation of the card that writes, and raises its line. */
static void write_and_raise(struct guest *guest) {
    struct pfifo_pci *card = guest->serve.card;
    uint64_t bytes = 0;

    pci_begin(card);
    uint8_t *first = pci_dma_find(card, GUEST + 0x10, &bytes, true);
    uint8_t *second = pci_dma_find(card, GUEST + 0x2010, &bytes, true);
    assert_true(first && second);
    first[0] = 1;
    second[0] = 2;
    pci_lines_irq(card, true);
    pci_end(card, NULL);
}

static void listen_to_line(struct guest *guest) {
    uint8_t message[HEADER + 20] = {
        0, 0, VFIO_USER_SET_IRQS, 0, HEADER + 20, [HEADER] = 20, [HEADER + 4] = 0x24, [HEADER + 16] = 1};

    vfio_user_put(message, 2, ++guest->id);
    assert_int_equal(pass(guest->socket, message, sizeof message, &guest->line, 1), sizeof message);
    assert_int_equal(turn(guest), SERVE_GOES_ON);
    assert_int_equal(take_answer(guest, guest->id)->number, 0);
}

static void an_interrupt_comes_after_all_writes_are_acknowledged(void **state) {
    struct guest *guest = open_guest(HONEST, NOTHING);
    uint64_t count = 0;
    (void)state;
    listen_to_line(guest);
    write_and_raise(guest);
    assert_false(guest->early);
    assert_int_equal(guest->ram[0x10], 1);
    assert_int_equal(guest->ram[0x2010], 2);
    assert_int_equal(eventfd_read(guest->line, &count), 0);
    close_guest(guest);
}

static void no_interrupt_comes_after_a_write_that_is_not_acknowledged(void **state) {
    static const enum way ways[] = {CLOSES, SILENT, WRONG_ID, HALF};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct guest *guest = open_guest(HONEST, NOTHING);
        uint64_t count = 0;
        listen_to_line(guest);
        guest->serve.memory.dma.stop = guest->stop;
        guest->way = ways[i];
        write_and_raise(guest);
        assert_int_equal(eventfd_read(guest->line, &count), -1);
        close_guest(guest);
    }
}

static void a_range_that_is_not_writable_is_only_read(void **state) {
    struct guest *guest = open_guest(HONEST, NOTHING);
    uint8_t payload[24] = {24};
    (void)state;
    vfio_user_put(payload + 8, 8, GUEST);
    vfio_user_put(payload + 16, 8, RAM_BYTES);
    assert_int_equal(ask(guest, VFIO_USER_DMA_UNMAP, payload, sizeof payload)->number, 0);
    assert_int_equal(read_register(guest, 0, WINDOW), 0);
    assert_int_equal(guest->reads, 0);
    assert_int_equal(map(guest, GUEST, RAM_BYTES, 1), 0);
    assert_int_equal(map(guest, GUEST + 0x3fff, 1, 3), EEXIST);
    write_register(guest, 0, WINDOW, 1);
    assert_int_equal(guest->writes, 0);
    read_register(guest, 0, WINDOW);
    assert_true(guest->reads > 0);
    close_guest(guest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_without_a_file_is_read_and_written_by_messages),
        cmocka_unit_test(a_first_write_to_empty_memory_is_right),
        cmocka_unit_test(a_first_write_comes_once_however_fast_the_guest_is),
        cmocka_unit_test(data_corrects_a_guess_about_counts),
        cmocka_unit_test(messages_are_as_small_as_the_client_wants),
        cmocka_unit_test(a_version_is_json),
        cmocka_unit_test(what_the_client_refuses_is_a_bus_without_an_answer),
        cmocka_unit_test(what_is_no_reply_breaks_the_connection),
        cmocka_unit_test(a_reply_that_nobody_waits_for_breaks_the_connection),
        cmocka_unit_test(a_client_may_close_instead_of_a_reply),
        cmocka_unit_test(a_stop_ends_the_wait_for_a_reply),
        cmocka_unit_test(what_is_asked_during_a_wait_is_answered_in_order_afterwards),
        cmocka_unit_test(an_interrupt_comes_after_all_writes_are_acknowledged),
        cmocka_unit_test(no_interrupt_comes_after_a_write_that_is_not_acknowledged),
        cmocka_unit_test(a_range_that_is_not_writable_is_only_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
