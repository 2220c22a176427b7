/* SPDX-License-Identifier: MIT */
/* Calls byte by byte, as an emulator forwards them: numbers, directions, sizes, and the answers programs depend on. */
#include "nvgpu/console.h"

#include <string.h>

static uint8_t bytes[0x400], second[0x100];

static enum pfifo_nvgpu_result send(struct console *console, int32_t fd, uint32_t request) {
    uint32_t size = request >> 16 & 0x3fff;
    struct pfifo_nvgpu_call call = {
        .fd = fd, .request = request, .in = bytes, .out = bytes, .in_bytes = size, .out_bytes = size};
    return pfifo_nvgpu_ioctl(console->client, &call);
}

static uint32_t word(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void set_word(uint32_t at, uint32_t value) {
    memcpy(bytes + at, &value, sizeof value);
}

static void paths_that_are_not_known_open_nothing(void **state) {
    static const char *const unknown[] = {"/dev/nvhost-vic", "/dev/nvhost-nvdec", "/dev/nvmap0", "", "nvmap"};
    struct console console;
    (void)state;
    console_start(&console);
    for (unsigned i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        int32_t fd = 0;
        assert_int_equal(pfifo_nvgpu_open(console.client, unknown[i], &fd), PFIFO_NVGPU_FILE_OPERATION_FAILED);
        assert_int_equal(fd, -1);
    }
    assert_int_equal(console.control_gpu, 1);
    assert_int_equal(pfifo_nvgpu_close(console.client, 99), PFIFO_NVGPU_NOT_IMPLEMENTED);
    assert_int_equal(pfifo_nvgpu_close(console.client, -1), PFIFO_NVGPU_INVALID_STATE);
    console_stop(&console);
}

static void a_call_of_another_file_is_not_implemented(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    assert_int_equal(send(&console, console.nvmap, 0xc0184102), PFIFO_NVGPU_NOT_IMPLEMENTED);
    assert_int_equal(send(&console, console.control, 0xc0080101), PFIFO_NVGPU_NOT_IMPLEMENTED);
    assert_int_equal(send(&console, 99, 0xc0080101), PFIFO_NVGPU_NOT_IMPLEMENTED);
    assert_int_equal(send(&console, console.nvmap, 0xc0040102), PFIFO_NVGPU_NOT_SUPPORTED);
    console_stop(&console);
}

static void buffers_are_as_large_as_the_number_says(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    struct pfifo_nvgpu_call call = {
        .fd = console.nvmap, .request = 0xc0080101, .in = bytes, .out = bytes, .in_bytes = 8, .out_bytes = 4};
    memset(bytes, 0, sizeof bytes);
    set_word(0, 0x1000);
    assert_int_equal(pfifo_nvgpu_ioctl(console.client, &call), PFIFO_NVGPU_INVALID_SIZE);
    call.out_bytes = 8;
    call.in_bytes = 7;
    assert_int_equal(pfifo_nvgpu_ioctl(console.client, &call), PFIFO_NVGPU_INVALID_SIZE);
    assert_int_equal(send(&console, console.nvmap, 0xc0040101), PFIFO_NVGPU_INVALID_SIZE);
    call.in_bytes = 8;
    assert_ok(pfifo_nvgpu_ioctl(console.client, &call));
    console_stop(&console);
}

/* Without the bit "in" words are 0; without the bit "out" the buffer stays as it is. */
static void the_direction_says_which_way_the_structure_goes(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    memset(bytes, 0, sizeof bytes);
    set_word(0, 0x1000);
    assert_int_equal(send(&console, console.nvmap, 0x80080101), PFIFO_NVGPU_BAD_VALUE);
    set_word(0, 0x1000);
    assert_ok(send(&console, console.nvmap, 0x40080101));
    assert_int_equal(word(bytes + 4), 0);
    assert_ok(send(&console, console.nvmap, 0xc0080101));
    assert_int_not_equal(word(bytes + 4), 0);
    console_stop(&console);
}

/* deko3d divides by some of these. */
static void characteristics_are_those_of_a_gm20b(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    memset(bytes, 0xff, sizeof bytes);
    assert_ok(send(&console, console.control_gpu, 0xc0b04705));
    assert_int_equal(word(bytes), 0xa0);
    assert_int_equal(word(bytes + 0x10), 0x120);
    assert_int_equal(word(bytes + 0x1c), 1);
    assert_int_equal(word(bytes + 0x30), 2);
    assert_int_equal(word(bytes + 0x54), 0x80);
    assert_int_equal(word(bytes + 0x6c), 0xb197);
    assert_int_equal(word(bytes + 0x7c), 0xb0b5);
    assert_int_equal(word(bytes + 0x94), 1);
    assert_memory_equal(bytes + 0xa0, "gm20b", 6);
    struct pfifo_nvgpu_call call = {.fd = console.control_gpu,
                                    .request = 0xc0b04705,
                                    .in = bytes,
                                    .out = bytes,
                                    .in_bytes = 0xb0,
                                    .out_bytes = 0xb0,
                                    .second_out = second,
                                    .second_out_bytes = sizeof second};
    assert_ok(pfifo_nvgpu_ioctl(console.client, &call));
    assert_memory_equal(second, bytes + 16, 0xa0);
    set_word(0, 4);
    assert_ok(send(&console, console.control_gpu, 0xc0184706));
    assert_int_equal(word(bytes + 16), 3);
    assert_ok(send(&console, console.control_gpu, 0x80284702));
    assert_int_equal(word(bytes + 8), 0x400);
    assert_int_equal(word(bytes + 36), 0x10);
    assert_ok(send(&console, console.control_gpu, 0x80084714));
    assert_int_equal(word(bytes), 7);
    console_stop(&console);
}

/* libnx sends it as a read, so its words are 0 and nothing is set; sent as a write, it is. */
static void clear_values_are_kept_and_counted(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    for (unsigned round = 0; round < 2; round++) {
        memset(bytes, 0x11, sizeof bytes);
        set_word(40, 1);
        assert_ok(send(&console, console.control_gpu, 0x802c4703));
        memset(bytes, 0x11, sizeof bytes);
        set_word(40, 1);
        assert_ok(send(&console, console.control_gpu, 0x402c4703));
    }
    memset(bytes, 0, sizeof bytes);
    set_word(44, 1);
    assert_ok(send(&console, console.control_gpu, 0xc0344704));
    assert_int_equal(word(bytes), 0x11111111);
    assert_int_equal(word(bytes + 36), 2);
    console_stop(&console);
}

/* The table is the GPU's: what one program has set another one finds, and it outlives both's files. */
static void clear_values_are_the_gpus_not_the_files(void **state) {
    struct console one, two;
    int32_t fd;
    (void)state;
    console_start(&one);
    console_join(&two, one.nvgpu);
    for (unsigned i = 0; i < 2; i++) {
        memset(bytes, 0x11, sizeof bytes);
        set_word(40, 1);
        assert_ok(send(i ? &two : &one, one.control_gpu, 0x402c4703));
    }
    assert_ok(pfifo_nvgpu_close(two.client, two.control_gpu));
    assert_ok(pfifo_nvgpu_close(one.client, one.control_gpu));
    assert_ok(pfifo_nvgpu_open(one.client, "/dev/nvhost-ctrl-gpu", &fd));
    memset(bytes, 0, sizeof bytes);
    set_word(44, 1);
    assert_ok(send(&one, fd, 0xc0344704));
    assert_int_equal(word(bytes), 0x11111111);
    assert_int_equal(word(bytes + 36), 2);
    memset(bytes, 0, sizeof bytes);
    set_word(44, 2);
    assert_ok(send(&one, fd, 0xc0344704));
    assert_int_equal(word(bytes + 36), 0);
    console_stop(&two);
    console_stop(&one);
}

/* What programs send when they start, and in which order. */
static void an_address_space_is_made_once_and_before_all_else(void **state) {
    struct console console;
    int32_t fd;
    (void)state;
    console_start(&console);
    assert_ok(pfifo_nvgpu_open(console.client, "/dev/nvhost-as-gpu", &fd));
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(send(&console, fd, 0xc0404108), PFIFO_NVGPU_BAD_VALUE);
    set_word(8, 0x30000);
    assert_int_equal(send(&console, fd, 0x40284109), PFIFO_NVGPU_BAD_VALUE);
    set_word(8, 0);
    assert_ok(send(&console, fd, 0x40284109));
    assert_int_equal(send(&console, fd, 0x40284109), PFIFO_NVGPU_INVALID_STATE);
    assert_ok(send(&console, fd, 0xc0404108));
    assert_int_equal(word(bytes + 8), 48);
    assert_int_equal(word(bytes + 16), 0x08000000);
    assert_int_equal(word(bytes + 24), 0x1000);
    assert_int_equal(word(bytes + 44), 4);       /* 1 << 34 */
    assert_int_equal(word(bytes + 48), 0x20000); /* big pages */
    assert_int_equal(word(bytes + 56), 0xe0000);
    console_stop(&console);
}

/* The only call, beside INITIALIZE, that a space takes before it. */
static void a_channel_is_bound_before_its_space_is_initialized(void **state) {
    struct console console;
    int32_t space, channel;
    (void)state;
    console_start(&console);
    assert_ok(pfifo_nvgpu_open(console.client, "/dev/nvhost-as-gpu", &space));
    assert_ok(pfifo_nvgpu_open(console.client, "/dev/nvhost-gpu", &channel));
    assert_ok(pfifo_nvhost_as_bind_channel(console.client, space, channel));
    assert_ok(pfifo_nvhost_as_bind_channel(console.client, space, channel));
    assert_int_equal(pfifo_nvhost_as_bind_channel(console.client, console.as, channel), PFIFO_NVGPU_INVALID_STATE);
    memset(bytes, 0, sizeof bytes);
    set_word(0, 0x800);
    assert_int_equal(send(&console, channel, 0xc020481a), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(send(&console, space, 0xc0404108), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(send(&console, space, 0xc0184102), PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvhost_as_initialize(console.client, space, 0x10000));
    assert_int_equal(pfifo_nvhost_as_initialize(console.client, space, 0x10000), PFIFO_NVGPU_INVALID_STATE);
    memset(bytes, 0, sizeof bytes);
    set_word(0, 0x800);
    assert_ok(send(&console, channel, 0xc020481a));
    console.as = space;
    console.lists = console_buffer(&console, CONSOLE_LISTS, 0x10000, NULL);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    console_submit(&console, channel, CONSOLE_WORDS(CONSOLE_RELEASE(at, 5)));
    assert_int_equal(console_rd32(&console, 0), 5);
    console_stop(&console);
}

/* It is freed with the last of both, in any order. */
static void a_space_that_is_never_initialized_is_closed(void **state) {
    (void)state;
    for (unsigned first = 0; first < 3; first++) {
        struct console console;
        int32_t fds[2];
        console_start(&console);
        assert_ok(pfifo_nvgpu_open(console.client, "/dev/nvhost-as-gpu", &fds[0]));
        assert_ok(pfifo_nvgpu_open(console.client, "/dev/nvhost-gpu", &fds[1]));
        assert_ok(pfifo_nvhost_as_bind_channel(console.client, fds[0], fds[1]));
        if (first < 2)
            assert_ok(pfifo_nvgpu_close(console.client, fds[first]));
        console_stop(&console);
    }
}

static void a_channel_wants_a_space_before_its_ring(void **state) {
    struct console console;
    int32_t fd;
    (void)state;
    console_start(&console);
    assert_ok(pfifo_nvgpu_open(console.client, "/dev/nvhost-gpu", &fd));
    memset(bytes, 0, sizeof bytes);
    set_word(0, 0x800);
    assert_int_equal(send(&console, fd, 0xc020481a), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvhost_gpu_submit(console.client, fd, NULL, 0, 0, NULL), PFIFO_NVGPU_INVALID_STATE);
    assert_ok(pfifo_nvhost_as_bind_channel(console.client, console.as, fd));
    assert_ok(send(&console, fd, 0xc020481a));
    assert_int_not_equal(word(bytes + 12), 0);
    assert_int_equal(word(bytes + 16), console_value(&console, word(bytes + 12)));
    assert_int_equal(send(&console, fd, 0xc020481a), PFIFO_NVGPU_ALREADY_ALLOCATED);
    assert_int_equal(pfifo_nvhost_gpu_alloc_object(console.client, fd, 0x1234), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvhost_gpu_set_priority(console.client, fd, 60), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvhost_as_bind_channel(console.client, console.as, console.nvmap), PFIFO_NVGPU_BAD_VALUE);
    console_stop(&console);
}

/* The older forms: entries after the structure, or in the program's memory. */
static void entries_come_in_three_ways(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    for (uint32_t way = 0; way < 3; way++) {
        uint64_t entry =
            console_list(&console, CONSOLE_WORDS(0x20040004, (uint32_t)(at >> 32), (uint32_t)at, way + 1, 2));
        memset(bytes, 0, sizeof bytes);
        set_word(8, 1);
        set_word(12, 4);
        memcpy(bytes + 24, &entry, sizeof entry);
        memcpy(console.memory + 0x2000, &entry, sizeof entry);
        uint64_t pointer = CONSOLE_BASE + 0x2000;
        memcpy(bytes, &pointer, sizeof pointer);
        if (way == 0)
            assert_ok(pfifo_nvhost_gpu_submit(console.client, console.channel, &entry, 1, 4, NULL));
        else
            assert_ok(send(&console, console.channel, way == 1 ? 0xc0204808 : 0xc018481b));
        assert_int_equal(console_rd32(&console, 0), way + 1);
    }
    set_word(8, 2);
    assert_int_equal(send(&console, console.channel, 0xc0204808), PFIFO_NVGPU_INVALID_SIZE);
    set_word(8, 1);
    set_word(12, 0x101);
    assert_int_equal(send(&console, console.channel, 0xc018481b), PFIFO_NVGPU_BAD_PARAMETER);
    console_stop(&console);
}

static void waits_refuse_what_cannot_be(void **state) {
    struct console console;
    uint32_t event;
    (void)state;
    console_start(&console);
    struct pfifo_nvhost_fence fence = {console.fence.syncpoint, console.fence.value + 1};
    struct pfifo_nvhost_fence none = {0xffff, 1};
    uint64_t entry = console_list(&console, CONSOLE_WORDS(0x20010014, 0));
    struct pfifo_nvhost_fence promise = {0, 1};
    assert_ok(
        pfifo_nvhost_gpu_submit(console.client, console.channel, &entry, 1, PFIFO_NVHOST_SUBMIT_INCREMENTS, &promise));
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &none, -1, 0),
                     PFIFO_NVGPU_BAD_PARAMETER);
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &fence, -1, 3),
                     PFIFO_NVGPU_BAD_PARAMETER);
    assert_int_equal(pfifo_nvhost_ctrl_register(console.client, console.control, 64), PFIFO_NVGPU_BAD_PARAMETER);
    assert_int_equal(pfifo_nvhost_ctrl_signal(console.client, console.control, 3), PFIFO_NVGPU_BAD_VALUE);
    assert_int_equal(pfifo_nvhost_ctrl_signal(console.client, console.control, 64), PFIFO_NVGPU_BAD_PARAMETER);
    assert_int_equal(pfifo_nvgpu_query_event(console.client, console.control, 0x10000003, &event),
                     PFIFO_NVGPU_BAD_PARAMETER);
    assert_int_equal(pfifo_nvgpu_query_event(console.client, console.channel, 9, &event), PFIFO_NVGPU_BAD_PARAMETER);
    assert_int_equal(event, 0);
    assert_ok(pfifo_nvhost_ctrl_register(console.client, console.control, 3));
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &fence, -1, 3), PFIFO_NVGPU_TIMEOUT);
    assert_ok(pfifo_nvhost_ctrl_signal(console.client, console.control, 3));
    assert_ok(pfifo_nvhost_ctrl_unregister(console.client, console.control, 3));
    console_stop(&console);
}

/* Before version 2 the driver chose the slot, and answered with it. */
static void an_old_wait_answers_with_the_slot_of_its_event(void **state) {
    struct console console;
    uint32_t event;
    (void)state;
    console_start(&console);
    uint64_t entry = console_list(&console, CONSOLE_WORDS(0x20010014, 0));
    struct pfifo_nvhost_fence promise = {0, 1};
    assert_ok(
        pfifo_nvhost_gpu_submit(console.client, console.channel, &entry, 1, PFIFO_NVHOST_SUBMIT_INCREMENTS, &promise));
    memset(bytes, 0, sizeof bytes);
    set_word(0, promise.syncpoint);
    set_word(4, promise.value);
    set_word(8, 0xffffffff);
    assert_int_equal(send(&console, console.control, 0xc010001d), PFIFO_NVGPU_TIMEOUT);
    assert_int_equal(word(bytes + 12), 0x10000000 | promise.syncpoint << 16);
    assert_ok(pfifo_nvgpu_query_event(console.client, console.control, word(bytes + 12), &event));
    assert_ok(pfifo_nvhost_ctrl_increment(console.client, console.control, promise.syncpoint));
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, event, true));
    assert_ok(send(&console, console.control, 0xc008001a));
    console_stop(&console);
}

/* Without the bit 28 the slot and the syncpoint overlap; slot 18 and syncpoint 1 are not slot 2 and syncpoint 1. */
static void an_event_is_that_of_its_slot_and_syncpoint(void **state) {
    struct console console;
    struct pfifo_nvhost_fence own;
    uint32_t event, found;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    assert_int_equal(console.fence.syncpoint, 1);
    console_channel(&console, &own);
    assert_int_equal(own.syncpoint, 2);
    struct pfifo_nvhost_fence fence = console_submit(&console, console.channel, CONSOLE_WORDS(CONSOLE_ACQUIRE(at, 1)));
    assert_ok(pfifo_nvhost_ctrl_register(console.client, console.control, 18));
    assert_ok(pfifo_nvhost_ctrl_register(console.client, console.control, 2));
    assert_ok(pfifo_nvgpu_query_event(console.client, console.control, 0x10000002, &event));
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &fence, -1, 2), PFIFO_NVGPU_TIMEOUT);
    assert_ok(pfifo_nvgpu_query_event(console.client, console.control, 0x12, &found));
    assert_int_equal(found, event);
    assert_ok(pfifo_nvgpu_query_event(console.client, console.control, 0x10010002, &found));
    assert_int_equal(found, event);
    assert_int_equal(pfifo_nvgpu_query_event(console.client, console.control, 0x10020002, &found),
                     PFIFO_NVGPU_BAD_PARAMETER);
    assert_int_equal(pfifo_nvgpu_query_event(console.client, console.control, 0x22, &found), PFIFO_NVGPU_BAD_PARAMETER);
    for (uint32_t number = 0; number < 5; number++)
        assert_int_equal(pfifo_nvgpu_query_event(console.client, console.channel, number, &found),
                         number >= 1 && number <= 3 ? PFIFO_NVGPU_OK : PFIFO_NVGPU_BAD_PARAMETER);
    console_stop(&console);
}

/* All with their number alone: each file has its own. */
static void calls_that_nobody_describes_are_not_supported(void **state) {
    static const uint32_t nvmap[] = {0x102, 0x106, 0x107, 0x108, 0x10a, 0x10b, 0x10c, 0x10d, 0x10f, 0x110, 0x111};
    static const uint32_t channel[] = {0x4807, 0x4812, 0x4813, 0x481c};
    static const uint32_t space[] = {0xc038410a};
    static const uint32_t gpu[] = {0x4008470d, 0x470e, 0x470f, 0x4710, 0x4711, 0x471a, 0x471b, 0x471d};
    struct console console;
    (void)state;
    console_start(&console);
    for (unsigned i = 0; i < sizeof nvmap / sizeof nvmap[0]; i++)
        assert_int_equal(send(&console, console.nvmap, nvmap[i]), PFIFO_NVGPU_NOT_SUPPORTED);
    for (unsigned i = 0; i < sizeof channel / sizeof channel[0]; i++)
        assert_int_equal(send(&console, console.channel, channel[i]), PFIFO_NVGPU_NOT_SUPPORTED);
    for (unsigned i = 0; i < sizeof space / sizeof space[0]; i++)
        assert_int_equal(send(&console, console.as, space[i]), PFIFO_NVGPU_NOT_SUPPORTED);
    for (unsigned i = 0; i < sizeof gpu / sizeof gpu[0]; i++)
        assert_int_equal(send(&console, console.control_gpu, gpu[i]), PFIFO_NVGPU_NOT_SUPPORTED);
    assert_int_equal(send(&console, console.control, 0xc183001b), PFIFO_NVGPU_CONFIG_VAR_NOT_FOUND);
    console_stop(&console);
}

/* Settings that firmware versions send, with what they answer. */
static void settings_are_taken_or_refused(void **state) {
    static const struct {
        uint32_t request, word;
        enum pfifo_nvgpu_result result;
    } rows[] = {
        {0x40044803, 5000, PFIFO_NVGPU_OK},
        {0x40084714, 7, PFIFO_NVGPU_OK},
        {0xc004481d, 999, PFIFO_NVGPU_BAD_VALUE},
        {0xc004481d, 1000, PFIFO_NVGPU_OK},
        {0xc004481d, 50000, PFIFO_NVGPU_OK},
        {0xc004481d, 50001, PFIFO_NVGPU_BAD_VALUE},
        {0x4004480d, 50, PFIFO_NVGPU_OK},
        {0x4004480d, 150, PFIFO_NVGPU_OK},
        {0x4004480d, 0, PFIFO_NVGPU_BAD_VALUE},
        {0x40044801, 0, PFIFO_NVGPU_BAD_VALUE},
        {0x40084805, 8, PFIFO_NVGPU_ALREADY_ALLOCATED},
        {0x40204818, 8, PFIFO_NVGPU_ALREADY_ALLOCATED},
        {0xc0080003, 0, PFIFO_NVGPU_OK},
    };
    struct console console;
    (void)state;
    console_start(&console);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memset(bytes, 0, sizeof bytes);
        set_word(0, rows[i].word);
        assert_int_equal(send(&console, console.channel, rows[i].request), rows[i].result);
    }
    assert_ok(send(&console, console.channel, 0x80084715));
    assert_int_equal(word(bytes), 7);
    memset(bytes, 0, sizeof bytes);
    set_word(0, 0x1000);
    for (uint32_t mode = 0; mode < 5; mode++) {
        set_word(8, mode);
        assert_int_equal(send(&console, console.channel, 0xc010480b),
                         mode < 4 ? PFIFO_NVGPU_OK : PFIFO_NVGPU_BAD_VALUE);
    }
    console_stop(&console);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_that_are_not_known_open_nothing),
        cmocka_unit_test(a_call_of_another_file_is_not_implemented),
        cmocka_unit_test(buffers_are_as_large_as_the_number_says),
        cmocka_unit_test(the_direction_says_which_way_the_structure_goes),
        cmocka_unit_test(characteristics_are_those_of_a_gm20b),
        cmocka_unit_test(clear_values_are_kept_and_counted),
        cmocka_unit_test(clear_values_are_the_gpus_not_the_files),
        cmocka_unit_test(an_address_space_is_made_once_and_before_all_else),
        cmocka_unit_test(a_channel_is_bound_before_its_space_is_initialized),
        cmocka_unit_test(a_space_that_is_never_initialized_is_closed),
        cmocka_unit_test(a_channel_wants_a_space_before_its_ring),
        cmocka_unit_test(entries_come_in_three_ways),
        cmocka_unit_test(waits_refuse_what_cannot_be),
        cmocka_unit_test(an_old_wait_answers_with_the_slot_of_its_event),
        cmocka_unit_test(an_event_is_that_of_its_slot_and_syncpoint),
        cmocka_unit_test(calls_that_nobody_describes_are_not_supported),
        cmocka_unit_test(settings_are_taken_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
