/* SPDX-License-Identifier: MIT */
/*
 * Two programs on the calls of a Tegra X1's driver.
 *
 *   steps: a byte each says what; open and close, calls with structures of interesting words, events, the programs'
 *   memory, runs
 *
 * Whatever they do, a call has a result that the driver has, costs a bounded amount of work, does not write beyond its
 * structure, everything is free again at the end, and what was recorded is a capture.
 */
#include "fuzz/input.h"

#include <string.h>

#include <pfifo/nvgpu.h>
#include <pfifo/stream.h>

#define BASE     UINT64_C(0x100000) /* of the programs' memory: addresses fit into a word */
#define MEMORY   0x40000u
#define CLIENTS  2u
#define STEPS    64u
#define BUDGET   3000u
#define RESULTS  0x30010u /* the highest */
#define REMEMBER 8u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct program {
    struct input input;
    struct pfifo_nvgpu *nvgpu;
    struct pfifo_nvgpu_client *clients[CLIENTS];
    uint8_t memory[CLIENTS][MEMORY];
    uint32_t answers[REMEMBER]; /* words that calls gave back */
    unsigned answer;
};

static const char *const paths[] = {"/dev/nvmap",       "/dev/nvhost-as-gpu",   "/dev/nvhost-gpu",
                                    "/dev/nvhost-ctrl", "/dev/nvhost-ctrl-gpu", "/dev/nvhost-vic"};

/* Calls of all files: those that programs send, in the sizes that they send. */
static const uint32_t requests[] = {
    0xc0080101, 0xc0080103, 0xc0200104, 0xc0180105, 0xc00c0109, 0xc008010e, 0x40044101, 0xc0184102, 0xc0104103,
    0xc0184104, 0xc0084105, 0xc0284106, 0x40104107, 0xc0404108, 0x40284109, 0xc0144114, 0xc0284114, 0x40044801,
    0x40044803, 0x40084805, 0xc0204808, 0xc0284808, 0xc0104809, 0xc010480b, 0xc018480c, 0x4004480d, 0x80804816,
    0xc0104817, 0x40204818, 0xc020481a, 0xc018481b, 0xc004481d, 0x40084714, 0x80084715, 0xc0080014, 0xc0040015,
    0xc00c0016, 0xc0100019, 0xc008001a, 0xc183001b, 0xc004001c, 0xc010001d, 0xc010001e, 0xc004001f, 0xc0040020,
    0xc0080021, 0x80044701, 0x80284702, 0x402c4703, 0xc0344704, 0xc0b04705, 0xc0184706, 0x40084707, 0x80084712,
    0xc0044713, 0x80084714, 0xc010471c, 0x0000480e, 0x0000480f, 0x00004810, 0x00004811};

static uint32_t word(struct program *program) {
    static const uint32_t interesting[] = {0,          1,       2,       4,          8,          0x1000,
                                           0x10000,    0x20000, 0x30000, 0x80000000, 0xffffffff, 0x7fffffff,
                                           0x04000000, 0x100,   0xfe,    0xdb};
    uint8_t kind = (uint8_t)take(&program->input, 1);
    if (kind < 0x60)
        return interesting[kind % (sizeof interesting / sizeof interesting[0])];
    if (kind < 0xb0)
        return program->answers[kind % REMEMBER];
    if (kind < 0xe0)
        return (uint32_t)BASE + (uint32_t)(kind & 15) * 0x4000;
    return (uint32_t)take(&program->input, 4);
}

static void remember(struct program *program, uint32_t value) {
    program->answers[program->answer++ % REMEMBER] = value;
}

static void expect_result(enum pfifo_nvgpu_result result) {
    require((uint32_t)result <= RESULTS);
}

static void open_or_close(struct program *program, struct pfifo_nvgpu_client *client) {
    int32_t fd = 0;
    uint8_t which = (uint8_t)take(&program->input, 1);
    if (which & 0x80) {
        expect_result(pfifo_nvgpu_close(client, which & 0xf));
        return;
    }
    enum pfifo_nvgpu_result result = pfifo_nvgpu_open(client, paths[which % 6], &fd);
    expect_result(result);
    require((result == PFIFO_NVGPU_OK) == (fd > 0));
}

/* What lies after the structure stays as it is. */
static void call(struct program *program, struct pfifo_nvgpu_client *client) {
    uint8_t bytes[0x200], second[0x80];
    uint32_t choice = (uint8_t)take(&program->input, 1);
    uint32_t request =
        choice < 0xf0 ? requests[choice % (sizeof requests / sizeof requests[0])] : (uint32_t)take(&program->input, 4);
    uint32_t size = request >> 16 & 0x3fff;
    size = size < 0x1f0 ? size : 0x1f0;
    memset(bytes, 0xa5, sizeof bytes);
    for (uint32_t at = 0; at + 4 <= size && at < 64; at += 4) {
        uint32_t value = word(program);
        memcpy(bytes + at, &value, sizeof value);
    }
    for (uint32_t at = 0; at < 32; at += 8) {
        uint32_t entry[2] = {word(program), word(program) & 0xffff};
        memcpy(second + at, entry, sizeof entry);
    }
    struct pfifo_nvgpu_call made = {.fd = (uint8_t)take(&program->input, 1) & 0xf,
                                    .request = request,
                                    .in = bytes,
                                    .out = bytes,
                                    .in_bytes = size,
                                    .out_bytes = size};
    if ((uint8_t)take(&program->input, 1) & 1) {
        made.second_in = second;
        made.second_in_bytes = 32;
        made.second_out = second + 64;
        made.second_out_bytes = 32;
    }
    expect_result(pfifo_nvgpu_ioctl(client, &made));
    for (uint32_t at = size; at < sizeof bytes; at++)
        require(bytes[at] == 0xa5);
    for (uint32_t at = 0; at + 4 <= size && at < 40; at += 4) {
        uint32_t value;
        memcpy(&value, bytes + at, sizeof value);
        if (value > 0x10 && value != 0xa5a5a5a5)
            remember(program, value);
    }
}

static void event(struct program *program, struct pfifo_nvgpu_client *client) {
    uint32_t found = 0;
    expect_result(pfifo_nvgpu_query_event(client, (uint8_t)take(&program->input, 1) & 0xf, word(program), &found));
    pfifo_nvgpu_event_signalled(program->nvgpu, found, (uint8_t)take(&program->input, 1) & 1);
}

/* Commands: headers of the formats of GF100, and words. */
static void write_memory(struct program *program, unsigned which) {
    uint32_t at = (uint32_t)((uint8_t)take(&program->input, 1) & 15) * 0x4000;
    for (unsigned i = 0; i < 8; i++, at += 4) {
        uint32_t value =
            (uint8_t)take(&program->input, 1) & 1 ? 0x20010000u | (uint8_t)take(&program->input, 1) : word(program);
        memcpy(program->memory[which] + at, &value, sizeof value);
    }
}

/* What is said to be a buffer for the display, with a picture that fits into what it says. */
static void present(struct program *program) {
    static uint8_t rgba[64 * 64 * 4];
    uint32_t words[0x51] = {[0] = UINT32_MAX, [1] = word(program), [3] = 0xdaffcaff, [11] = 1}, *plane = words + 13;
    uint8_t layout = (uint8_t)take(&program->input, 1);
    struct pfifo_picture picture;
    plane[0] = 1 + (layout & 63);
    plane[1] = layout & 64 ? 64 : 1;
    plane[2] = 0x00532120;
    plane[4] = layout & 128 ? 3 : 1;
    plane[5] = (uint8_t)take(&program->input, 1) & 1 ? 256 : word(program);
    plane[7] = word(program);
    plane[9] = word(program);
    enum pfifo_status status = pfifo_nvgpu_present(program->nvgpu, words, sizeof words, &picture, rgba, NULL);
    require(status == PFIFO_OK || status == PFIFO_ERROR_ARGUMENT || status == PFIFO_ERROR_FAULT);
}

static void display(struct program *program) {
    uint32_t syncpoint = word(program) & 0xff;
    if (syncpoint & 1)
        pfifo_nvgpu_display_syncpoint(program->nvgpu, &syncpoint, NULL);
    pfifo_nvgpu_vblank(program->nvgpu, syncpoint & 3, NULL);
    pfifo_nvgpu_display_increment(program->nvgpu, syncpoint, NULL);
    if (syncpoint & 4)
        pfifo_nvgpu_display_release(program->nvgpu, syncpoint, NULL);
}

static void step(struct program *program) {
    uint8_t what = (uint8_t)take(&program->input, 1);
    unsigned which = what >> 7;
    struct pfifo_nvgpu_client *client = program->clients[which];
    if (what == 0x7f) {
        present(program);
        return;
    }
    if (what == 0x7e) {
        display(program);
        return;
    }
    switch (what & 7) {
    case 0:
        open_or_close(program, client);
        break;
    case 1:
        event(program, client);
        break;
    case 2:
        write_memory(program, which);
        break;
    case 3:
        pfifo_nvgpu_run(program->nvgpu, BUDGET);
        break;
    default:
        call(program, client);
        break;
    }
}

/* A client with all files open, so that most calls reach something. */
static struct pfifo_nvgpu_client *make_client(struct program *program, unsigned which) {
    struct pfifo_nvgpu_memory memory = {
        .size = sizeof memory, .address = BASE, .bytes = MEMORY, .data = program->memory[which], .process = which};
    struct pfifo_nvgpu_client *client = pfifo_nvgpu_client_new(program->nvgpu, &memory, NULL);
    int32_t fd;
    require(client != NULL);
    for (unsigned i = 0; i < 5; i++)
        require(pfifo_nvgpu_open(client, paths[i], &fd) == PFIFO_NVGPU_OK);
    return client;
}

/* Whatever the programs did, it is a capture that a reader takes. */
static void end_record(struct pfifo_nvgpu *nvgpu, struct pfifo_stream_writer *writer) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    size_t bytes;
    require(pfifo_nvgpu_record_end(nvgpu, NULL) == PFIFO_OK);
    require(pfifo_stream_writer_finish(writer, NULL) == PFIFO_OK);
    const void *data = pfifo_stream_writer_memory(writer, &bytes);
    struct pfifo_stream *stream = pfifo_stream_open_memory(data, bytes, "recorded", NULL);
    require(stream != NULL);
    while (record.type != PFIFO_STREAM_END)
        require(pfifo_stream_next(stream, &record, NULL) == PFIFO_OK);
    pfifo_stream_close(stream);
    pfifo_stream_writer_close(writer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct program program;
    memset(&program, 0, sizeof program);
    program.input = (struct input){data, size};
    const struct pfifo_nvgpu_config config = {
        .size = sizeof config, .budget = BUDGET, .device.gpu.system_bytes = UINT64_C(64) << 20};
    program.nvgpu = pfifo_nvgpu_new(&config, NULL);
    require(program.nvgpu != NULL);
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    require(writer && pfifo_nvgpu_record(program.nvgpu, writer, NULL) == PFIFO_OK);
    for (unsigned i = 0; i < CLIENTS; i++)
        program.clients[i] = make_client(&program, i);
    for (unsigned i = 0; i < STEPS && program.input.left; i++)
        step(&program);
    if (size & 1)
        pfifo_nvgpu_client_free(program.clients[0]);
    end_record(program.nvgpu, writer);
    pfifo_nvgpu_free(program.nvgpu);
    return 0;
}
