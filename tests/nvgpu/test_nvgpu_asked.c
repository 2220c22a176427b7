/* SPDX-License-Identifier: MIT */
/*
 * Memory by callback: it is asked for once for each object and contiguous range, when the program gives it to nvmap,
 * and no more until that is freed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/nvgpu_calls.h>

#include "state/sections.h"

#define BYTES      (UINT64_C(16) << 20) /* of a program */
#define PAGE       UINT64_C(4096)
#define OBJECT     (UINT64_C(12) << 20)
#define BASE       UINT64_C(0x100000)
#define TARGET     UINT64_C(0x100000) /* in the object: a target of 1024 x 1024 x 4, */
#define COPY       UINT64_C(0x600000) /* and its copy */
#define COPY_BYTES (UINT64_C(4) << 20)
#define CLEARED    UINT64_C(0xff0000ff)

#define assert_ok(call) assert_int_equal((call), PFIFO_NVGPU_OK)
#define HIGH(address)   (uint32_t)((address) >> 32)
#define LOW(address)    (uint32_t)(address)

struct program {
    struct pfifo_nvgpu *nvgpu;
    struct pfifo_nvgpu_client *client;
    uint8_t *memory;
    uint64_t range; /* bytes that are contiguous on the host: from a multiple of it to the next */
    bool scattered; /* ranges are in reverse order */
    bool gone;      /* the program has taken it away */
    unsigned asked;
    int32_t nvmap, as, channel;
    struct pfifo_nvhost_as_map map;
};

static void *at(void *opaque, uint64_t address, uint64_t *bytes) {
    struct program *program = opaque;
    uint64_t offset = address - BASE, within = offset % program->range, start = offset - within;
    program->asked++;
    if (program->gone || address < BASE || offset >= BYTES)
        return NULL;
    if (*bytes > program->range - within)
        *bytes = program->range - within;
    return program->memory + (program->scattered ? BYTES - program->range - start : start) + within;
}

static uint8_t *byte_at(struct program *program, uint64_t offset) {
    uint64_t bytes = 1;
    unsigned asked = program->asked;
    uint8_t *byte = at(program, BASE + offset, &bytes);
    program->asked = asked;
    return byte;
}

static uint32_t rd32(struct program *program, uint64_t offset) {
    uint32_t value;
    memcpy(&value, byte_at(program, offset), sizeof value);
    return value;
}

static void join(struct program *program, struct pfifo_nvgpu *nvgpu, uint32_t process) {
    const struct pfifo_nvgpu_memory memory = {.size = sizeof memory, .at = at, .opaque = program, .process = process};
    program->nvgpu = nvgpu;
    program->client = pfifo_nvgpu_client_new(nvgpu, &memory, NULL);
    assert_non_null(program->client);
}

static void start(struct program *program, uint64_t range, bool scattered) {
    struct pfifo_nvhost_fence fence;
    *program = (struct program){.range = range, .scattered = scattered, .memory = calloc(1, BYTES)};
    assert_non_null(program->memory);
    join(program, pfifo_nvgpu_new(&(struct pfifo_nvgpu_config){.size = sizeof(struct pfifo_nvgpu_config)}, NULL), 1);
    struct pfifo_nvgpu_client *client = program->client;
    assert_ok(pfifo_nvgpu_open(client, "/dev/nvmap", &program->nvmap));
    assert_ok(pfifo_nvgpu_open(client, "/dev/nvhost-as-gpu", &program->as));
    assert_ok(pfifo_nvgpu_open(client, "/dev/nvhost-gpu", &program->channel));
    assert_ok(pfifo_nvhost_as_initialize(client, program->as, 0x10000));
    assert_ok(pfifo_nvhost_as_bind_channel(client, program->as, program->channel));
    assert_ok(pfifo_nvhost_gpu_alloc_gpfifo(client, program->channel, 0x100, &fence));
}

static void give(struct program *program) {
    program->map = (struct pfifo_nvhost_as_map){.flags = PFIFO_NVHOST_AS_MAP_CACHEABLE, .page_bytes = 0x10000};
    assert_ok(pfifo_nvmap_create(program->client, program->nvmap, OBJECT, &program->map.handle));
    assert_ok(pfifo_nvmap_alloc(program->client, program->nvmap, program->map.handle, 0x10000, 0, false, BASE));
    assert_ok(pfifo_nvhost_as_map_buffer(program->client, program->as, &program->map));
}

static void stop(struct program *program) {
    pfifo_nvgpu_free(program->nvgpu);
    free(program->memory);
}

static bool failed(struct program *program) {
    struct pfifo_nvhost_notification notification;
    assert_ok(pfifo_nvhost_gpu_notification(program->client, program->channel, &notification));
    return notification.there;
}

static void submit(struct program *program, const uint32_t *words, uint32_t count) {
    struct pfifo_nvhost_fence fence = {0};
    for (uint32_t i = 0; i < count; i++)
        memcpy(byte_at(program, 4 * (uint64_t)i), &words[i], 4);
    uint64_t entry = pfifo_nvhost_gpu_entry(program->map.address, count, 0x200);
    assert_ok(pfifo_nvhost_gpu_submit(program->client, program->channel, &entry, 1,
                                      PFIFO_NVHOST_SUBMIT_INCREMENT | PFIFO_NVHOST_SUBMIT_HARDWARE_FORMAT, &fence));
    while (pfifo_nvgpu_run(program->nvgpu, 1000000) == PFIFO_STOP_BUDGET)
        ;
}

static uint32_t bits(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* clang-format off */
/* A target in blocks is cleared by the 3D class; the copy engine makes lines of it. */
static void clear_and_copy(struct program *program) {
    uint64_t target = program->map.address + TARGET, copy = program->map.address + COPY;
    const uint32_t words[] = {
        0x20010000, 0xb197, 0x20018000, 0xb0b5,
        0x20090200, HIGH(target), LOW(target), 1024, 1024, 0xd5, 0x40, 1, 0, 0,
        0x20010487, 1, 0x200203fd, 1024u << 16, 1024u << 16, 0x2001043e, 0,
        0x20040360, bits(1), 0, 0, bits(1), 0x20010674, 0x3c,                          /* clear to red */
        0x200681ca, 0x1040, 4096, 1024, 1, 0, 0,                                       /* from blocks */
        0x20088100, HIGH(target), LOW(target), HIGH(copy), LOW(copy), 4096, 4096, 4096, 1024, 0x200180c0, 0x306};
    submit(program, words, sizeof words / sizeof words[0]);
}
/* clang-format on */

static void expect_copied(struct program *program) {
    assert_false(failed(program));
    for (uint64_t offset = 0; offset < COPY_BYTES; offset += 4)
        if (rd32(program, COPY + offset) != CLEARED)
            fail_msg("at 0x%x: %08x", (unsigned)offset, (unsigned)rd32(program, COPY + offset));
}

/* 8 MiB are written and 4 MiB read, in pieces of 64 bytes. */
static void a_copy_of_4_mib_asks_for_nothing(void **state) {
    static const struct {
        uint64_t range;
        bool scattered;
        unsigned asked;
    } rows[] = {{BYTES, false, 1}, {PAGE, false, OBJECT / PAGE}, {PAGE, true, OBJECT / PAGE}, {BYTES / 4, true, 3}};
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct program program;
        start(&program, rows[i].range, rows[i].scattered);
        give(&program);
        assert_int_equal(program.asked, rows[i].asked);
        clear_and_copy(&program);
        clear_and_copy(&program);
        expect_copied(&program);
        assert_int_equal(program.asked, rows[i].asked);
        stop(&program);
    }
}

/* ---- a draw ---- */

#define CODE     UINT64_C(0x20000) /* in the object: programs, each after a header, */
#define VERTICES UINT64_C(0x30000) /* and four vertices: x y z w, red green */

/* Position and two components go on; these are red and green. */
static void put_programs_and_vertices(struct program *program) {
    static const uint64_t code[2][8] = {
        {0x002b8400e4200701, 0xefd9ff800807ff00, 0xefd8ff800907ff04, 0xeff1ff800707ff00, 0x001f8004fde012e1,
         0xeff0ff800807ff04, 0xe30000000007000f, 0xe30000000007000f},
        {0x003c0801e1a0070d, 0xe003ff87cff7ff00, 0x5080000000470004, 0xe043ff880047ff00, 0x003fbc03e0200722,
         0xe043ff884047ff01, 0xe30000000007000f, 0xe30000000007000f}};
    static const uint32_t header[2][20] = {{[0] = 0x20461, [4] = 0xff000, [6] = 0x3f, [13] = 0x3f000},
                                           {[0] = 0x21462, [5] = 0x80000000, [6] = 0xa, [18] = 0xf}};
    for (unsigned i = 0; i < 2; i++) {
        memcpy(byte_at(program, CODE + 0x30 + 0x100 * i), header[i], sizeof header[i]);
        memcpy(byte_at(program, CODE + 0x80 + 0x100 * i), code[i], sizeof code[i]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        const float vertex[6] = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, 0, 1, 1, 1};
        memcpy(byte_at(program, VERTICES + i * sizeof vertex), vertex, sizeof vertex);
    }
}

/* clang-format off */
/* A strip over all of the target. */
static void draw(struct program *program) {
    uint64_t target = program->map.address + TARGET, code = program->map.address + CODE;
    uint64_t vertices = program->map.address + VERTICES;
    const uint32_t side = 1024u << 16, half = bits(512), fifty = bits(0.5f);
    const uint32_t words[] = {
        0x20010000, 0xb197,
        0x20090200, HIGH(target), LOW(target), 1024, 1024, 0xd5, 0x40, 1, 0, 0,  /* the target, */
        0x20010487, 1, 0x2001054e, 0,                                            /* alone: no depth */
        0x200203fd, side, side,
        0x20060280, half, half, fifty, half, half, fifty,                        /* viewport */
        0x20040300, side, side, 0, bits(1), 0x2001064f, 2,
        0x20010680, 0x1111, 0x20010556, 1,                                       /* written, always */
        0x20020582, HIGH(code), LOW(code),                                       /* programs */
        0x20020810, 0x11, 0x30, 0x20010813, 8, 0x20020850, 0x51, 0x130, 0x20010853, 8,
        0x20020458, 1u << 21 | 7u << 27, 4u << 21 | 7u << 27 | 16 << 7,          /* attributes */
        0x20030700, 1 << 12 | 24, HIGH(vertices), LOW(vertices), 0x200207c0, HIGH(vertices + 95), LOW(vertices + 95),
        0x20010586, 5, 0x2002035d, 0, 4, 0x20010585, 0};                         /* begin, draw, end */
    submit(program, words, sizeof words / sizeof words[0]);
}
/* clang-format on */

static void a_draw_asks_for_nothing(void **state) {
    struct program program;
    (void)state;
    start(&program, PAGE, true);
    give(&program);
    put_programs_and_vertices(&program);
    draw(&program);
    assert_false(failed(&program));
    assert_int_equal(program.asked, OBJECT / PAGE);
    uint64_t drawn = 0;
    for (uint64_t offset = 0; offset < COPY_BYTES; offset += 4)
        drawn += (rd32(&program, TARGET + offset) & 0xffff) == 0xffff;
    assert_int_equal(drawn, COPY_BYTES / 4);
    stop(&program);
}

/* ---- what ends it ---- */

/* A handle that is left keeps it, whoever has it. */
static void memory_is_asked_for_again_when_nvmap_has_freed_it(void **state) {
    struct program program;
    uint32_t id, again;
    (void)state;
    start(&program, BYTES, false);
    give(&program);
    assert_ok(pfifo_nvmap_get_id(program.client, program.nvmap, program.map.handle, &id));
    assert_ok(pfifo_nvmap_from_id(program.client, program.nvmap, id, &again));
    assert_ok(pfifo_nvmap_free(program.client, program.nvmap, program.map.handle, NULL, NULL));
    clear_and_copy(&program);
    assert_int_equal(program.asked, 1);
    assert_ok(pfifo_nvmap_free(program.client, program.nvmap, program.map.handle, NULL, NULL));
    clear_and_copy(&program); /* the mapping finds its bytes while they are there */
    expect_copied(&program);
    assert_true(program.asked > 1);
    stop(&program);
}

/* What was freed may be taken away: there is no RAM then, whose reads give 0, and writes are lost. */
static void freed_memory_that_is_gone_is_not_used(void **state) {
    struct program program;
    (void)state;
    start(&program, BYTES, false);
    give(&program);
    const uint32_t words[] = {0x20040004, HIGH(program.map.address), LOW(program.map.address) + 0x1000, 0x1234, 2};
    submit(&program, words, 5);
    assert_int_equal(rd32(&program, 0x1000), 0x1234);
    assert_ok(pfifo_nvmap_free(program.client, program.nvmap, program.map.handle, NULL, NULL));
    program.gone = true;
    uint64_t entry = pfifo_nvhost_gpu_entry(program.map.address, 5, 0x200);
    struct pfifo_nvhost_fence fence = {0};
    memset(program.memory + 0x1000, 0, 4);
    assert_ok(pfifo_nvhost_gpu_submit(program.client, program.channel, &entry, 1, PFIFO_NVHOST_SUBMIT_HARDWARE_FORMAT,
                                      &fence));
    pfifo_nvgpu_run(program.nvgpu, 1000000);
    program.gone = false;
    assert_int_equal(rd32(&program, 0x1000), 0);
    stop(&program);
}

/* Its memory is never looked at again, though another program has a mapping of it. */
static void a_client_that_has_ended_is_not_asked(void **state) {
    struct program program, other = {0};
    uint32_t id, handle;
    int32_t nvmap, as;
    (void)state;
    start(&program, BYTES, false);
    give(&program);
    join(&other, program.nvgpu, 2);
    assert_ok(pfifo_nvgpu_open(other.client, "/dev/nvmap", &nvmap));
    assert_ok(pfifo_nvgpu_open(other.client, "/dev/nvhost-as-gpu", &as));
    assert_ok(pfifo_nvhost_as_initialize(other.client, as, 0x10000));
    assert_ok(pfifo_nvmap_get_id(program.client, program.nvmap, program.map.handle, &id));
    assert_ok(pfifo_nvmap_from_id(other.client, nvmap, id, &handle));
    struct pfifo_nvhost_as_map map = {.flags = PFIFO_NVHOST_AS_MAP_CACHEABLE, .handle = handle, .page_bytes = 0x10000};
    assert_ok(pfifo_nvhost_as_map_buffer(other.client, as, &map));
    pfifo_nvgpu_client_free(program.client);
    unsigned asked = program.asked;
    int32_t channel;
    struct pfifo_nvhost_fence fence = {0};
    assert_ok(pfifo_nvgpu_open(other.client, "/dev/nvhost-gpu", &channel));
    assert_ok(pfifo_nvhost_as_bind_channel(other.client, as, channel));
    assert_ok(pfifo_nvhost_gpu_alloc_gpfifo(other.client, channel, 0x100, &fence));
    uint64_t entry = pfifo_nvhost_gpu_entry(map.address, 5, 0x200);
    assert_ok(pfifo_nvhost_gpu_submit(other.client, channel, &entry, 1, PFIFO_NVHOST_SUBMIT_HARDWARE_FORMAT, &fence));
    assert_int_equal(program.asked, asked);
    stop(&program);
}

static struct player_bytes save(struct program *program) {
    struct player_bytes stream = {0};
    assert_int_equal(pfifo_nvgpu_save(program->nvgpu, player_collect, &stream, NULL), PFIFO_OK);
    return stream;
}

/* The embedder has put the memory back at another place of the host. */
static void a_load_asks_once_more_and_finds_the_new_place(void **state) {
    struct program program;
    (void)state;
    start(&program, BYTES, false);
    give(&program);
    struct player_bytes stream = save(&program);
    assert_int_equal(program.asked, 1);
    uint8_t *old = program.memory;
    program.memory = malloc(BYTES);
    memcpy(program.memory, old, BYTES);
    memset(old, 0xee, BYTES);
    assert_int_equal(pfifo_nvgpu_load(program.nvgpu, stream.data, stream.bytes, NULL), PFIFO_OK);
    assert_int_equal(program.asked, 2);
    clear_and_copy(&program);
    expect_copied(&program);
    assert_int_equal(program.asked, 2);
    for (uint64_t i = 0; i < BYTES; i++)
        assert_int_equal(old[i], 0xee);
    free(stream.data);
    free(old);
    stop(&program);
}

/* All is as before, but the memory is where it is now. */
static void a_load_that_fails_finds_the_new_place_too(void **state) {
    struct program program;
    (void)state;
    start(&program, BYTES, false);
    give(&program);
    struct player_bytes stream = save(&program);
    uint8_t *old = program.memory;
    program.memory = malloc(BYTES);
    memcpy(program.memory, old, BYTES);
    assert_int_equal(pfifo_nvgpu_load(program.nvgpu, stream.data, stream.bytes - 4, NULL), PFIFO_ERROR_FORMAT);
    free(old);
    unsigned asked = program.asked;
    clear_and_copy(&program);
    expect_copied(&program);
    assert_int_equal(program.asked, asked);
    free(stream.data);
    stop(&program);
}

/* A hole is found at once, and what was found before it is forgotten. */
static void memory_with_a_hole_is_refused(void **state) {
    struct program program;
    uint32_t handle;
    (void)state;
    start(&program, BYTES / 4, true);
    assert_ok(pfifo_nvmap_create(program.client, program.nvmap, (uint32_t)BYTES, &handle));
    assert_int_equal(pfifo_nvmap_alloc(program.client, program.nvmap, handle, 0, 0, false, BASE + BYTES / 2),
                     PFIFO_NVGPU_INVALID_ADDRESS);
    assert_int_equal(program.asked, 3);
    assert_ok(pfifo_nvmap_alloc(program.client, program.nvmap, handle, 0, 0, false, BASE));
    assert_int_equal(program.asked, 3 + 4);
    stop(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_of_4_mib_asks_for_nothing),
        cmocka_unit_test(a_draw_asks_for_nothing),
        cmocka_unit_test(memory_is_asked_for_again_when_nvmap_has_freed_it),
        cmocka_unit_test(freed_memory_that_is_gone_is_not_used),
        cmocka_unit_test(a_client_that_has_ended_is_not_asked),
        cmocka_unit_test(a_load_asks_once_more_and_finds_the_new_place),
        cmocka_unit_test(a_load_that_fails_finds_the_new_place_too),
        cmocka_unit_test(memory_with_a_hole_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
