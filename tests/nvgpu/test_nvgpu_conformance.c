/* SPDX-License-Identifier: MIT */
/*
 * Each error that each call can answer, by its number. The answers that programs of libnx and deko3d depend on, with
 * the tests that have them:
 *
 *   ways in      the direction says what of a buffer goes in and out the_direction_says_which_way_the_structure_goes
 *                its size is that of the number                          buffers_are_as_large_as_the_number_says
 *                an unknown path opens nothing                           paths_that_are_not_known_open_nothing
 *   start        a GM20B, with no zero that is divided by                characteristics_are_those_of_a_gm20b
 *                4 GiB of addresses cost nothing                         a_space_costs_nothing_until_it_is_mapped
 *                a channel may be bound before its space is ready a_channel_is_bound_before_its_space_is_initialized
 *                the ring's fence is the syncpoint's value               a_fence_is_ahead_of_increments_by_hand
 *   memory       the GPU works on the program's bytes                    a_copy_works_on_the_programs_own_bytes
 *                mapped three times, the same bytes                      mappings_of_the_same_memory_share_its_bytes
 *                a fixed mapping is inside of a space                    a_fixed_mapping_lies_inside_a_space
 *                sizes are of 4 KiB in pages of 64 KiB                   a_mapping_of_odd_bytes_goes_as_a_whole
 *                FREE counts references                                  an_object_lives_until_its_last_handle_is_freed
 *                another program's memory is not seen                    clients_do_not_see_each_others_memory
 *   submissions  entries in the buffer, or in a second one               entries_come_in_three_ways
 *                host method 0x2c is in each of them                     mem_op_b_is_taken
 *                a packet goes on over entries                           a_packet_goes_on_over_entries
 *                "busy" is only what goes by                             a_ring_that_is_full_is_busy_until_it_has_room
 *                they return while a channel waits                       calls_take_no_more_than_their_budget
 *   fences       5: wait for the event; 0: it is true a_wait_answers_timeout_until_the_value_is_there the semaphore is
 * there with the syncpoint               a_semaphore_is_there_when_its_syncpoint_is a channel may wait for its own,
 * older value             a_channel_may_wait_for_its_own_syncpoint macros       the exit in a branch's slot; scratch 0
 * after call 4     a_macro_fills_with_a_loop, the captures errors       the syncpoint goes to its end, and the event is
 * there   a_fault_ends_the_channel_and_keeps_nobody_waiting a notification is told once
 * what_never_comes_ends_the_channel types 1, 2 and 4 of GET_ERROR_INFO a_page_fault_says_where_when_and_which_way,
 *                                                 an_illegal_method_is_told_with_its_class, test_nvgpu_watchdog.c
 *   end          the channel is closed first                             a_channel_that_is_closed_keeps_nobody_waiting
 */
#include "nvgpu/console.h"

#include <string.h>

enum { NVMAP, SPACE, NEW_SPACE, CHANNEL, NEW_CHANNEL, CONTROL, GPU, FILES };

#define HANDLE  4u      /* of the console's lists */
#define UNKNOWN 0x4000u /* a handle that nobody has */

struct row {
    unsigned file;
    uint32_t request;
    uint32_t words[13];
    enum pfifo_nvgpu_result result;
};

/* Files of a program beside its console's: a space that is not initialised, a channel that is in none. */
static void open_all(struct console *console, int32_t files[FILES]) {
    console_start(console);
    files[NVMAP] = console->nvmap;
    files[SPACE] = console->as;
    files[CHANNEL] = console->channel;
    files[CONTROL] = console->control;
    files[GPU] = console->control_gpu;
    assert_ok(pfifo_nvgpu_open(console->client, "/dev/nvhost-as-gpu", &files[NEW_SPACE]));
    assert_ok(pfifo_nvgpu_open(console->client, "/dev/nvhost-gpu", &files[NEW_CHANNEL]));
}

static void check(struct console *console, const int32_t files[FILES], const struct row *row, uint32_t count) {
    for (; count--; row++) {
        uint32_t words[128] = {0};
        memcpy(words, row->words, sizeof row->words);
        enum pfifo_nvgpu_result result = console_call(console, files[row->file], row->request, words);
        if (result != row->result)
            fail_msg("call %08x of file %u answers %x, not %x", row->request, row->file, result, row->result);
    }
}

#define CHECK(rows) check(&console, files, rows, sizeof(rows) / sizeof(rows)[0])

static void calls_of_nvmap_answer_their_errors(void **state) {
    static const struct row rows[] = {
        {NVMAP, 0xc0080101, {0}, PFIFO_NVGPU_BAD_VALUE},
        {NVMAP, 0xc0080101, {0xfffff001}, PFIFO_NVGPU_BAD_VALUE},
        {NVMAP, 0xc0080103, {0}, PFIFO_NVGPU_BAD_VALUE},
        {NVMAP, 0xc0080103, {UNKNOWN}, PFIFO_NVGPU_BAD_VALUE},
        {NVMAP, 0xc0200104, {UNKNOWN, 0, 0, 0x1000, 0, 0, 0, 0x80}, PFIFO_NVGPU_BAD_VALUE},
        {NVMAP, 0xc0200104, {HANDLE, 0, 0, 0x3000, 0, 0, 0, 0x80}, PFIFO_NVGPU_BAD_VALUE},
        {NVMAP, 0xc0200104, {HANDLE, 0, 0, 0x1000, 0, 0, 0, 0x80}, PFIFO_NVGPU_INSUFFICIENT_MEMORY},
        {NVMAP, 0xc0080101, {0x1000}, PFIFO_NVGPU_OK}, /* the handle after */
        {NVMAP, 0xc0200104, {HANDLE + 4, 0, 0, 0x1000, 0, 0, 8, 0x80}, PFIFO_NVGPU_INVALID_ADDRESS},
        {NVMAP, 0xc0200104, {HANDLE + 4, 0, 0, 0x1000, 0, 0, 0, 0x90}, PFIFO_NVGPU_INVALID_ADDRESS},
        {NVMAP, 0xc0180105, {0}, PFIFO_NVGPU_OK},
        {NVMAP, 0xc0180105, {UNKNOWN}, PFIFO_NVGPU_BAD_VALUE},
        {NVMAP, 0xc00c0109, {UNKNOWN, 1}, PFIFO_NVGPU_BAD_VALUE},
        {NVMAP, 0xc00c0109, {HANDLE, 0}, PFIFO_NVGPU_BAD_VALUE},
        {NVMAP, 0xc00c0109, {HANDLE, 7}, PFIFO_NVGPU_BAD_VALUE},
        {NVMAP, 0xc008010e, {0, 0}, PFIFO_NVGPU_BAD_VALUE},
        {NVMAP, 0xc008010e, {0, UNKNOWN}, PFIFO_NVGPU_ACCESS_DENIED},
    };
    struct console console;
    int32_t files[FILES];
    (void)state;
    open_all(&console, files);
    CHECK(rows);
    console_stop(&console);
}

static void calls_of_address_spaces_answer_their_errors(void **state) {
    static const struct row rows[] = {
        {SPACE, 0x40044101, {99}, PFIFO_NVGPU_BAD_VALUE},
        {SPACE, 0x40044101, {1}, PFIFO_NVGPU_BAD_VALUE}, /* a file, but no channel */
        {SPACE, 0xc0184102, {0, 0x10000}, PFIFO_NVGPU_BAD_VALUE},
        {SPACE, 0xc0184102, {1, 0x20000}, PFIFO_NVGPU_BAD_VALUE},
        {SPACE, 0xc0184102, {1, 0x1000, 2}, PFIFO_NVGPU_NOT_IMPLEMENTED},
        {SPACE, 0xc0184102, {0xffffffff, 0x10000}, PFIFO_NVGPU_INSUFFICIENT_MEMORY},
        {SPACE, 0xc0104103, {0x12340000, 0, 1, 0x10000}, PFIFO_NVGPU_BAD_VALUE},
        {SPACE, 0xc0184104, {0, 0, UNKNOWN}, PFIFO_NVGPU_BAD_VALUE},
        {SPACE, 0xc0184104, {1, 0, HANDLE, 0, 0x12340000}, PFIFO_NVGPU_BAD_VALUE},
        {SPACE, 0xc0084105, {0x12340000}, PFIFO_NVGPU_OK},
        {SPACE, 0xc0284106, {0, 0, UNKNOWN}, PFIFO_NVGPU_BAD_VALUE},
        {SPACE, 0xc0284106, {0, 0, HANDLE, 0x20000}, PFIFO_NVGPU_BAD_VALUE},
        {SPACE, 0xc0284106, {1, 0, HANDLE, 0, 0, 0, 0, 0, 0x12340000}, PFIFO_NVGPU_BAD_VALUE},
        {SPACE, 0xc0284106, {0x100, 0, 0, 0, 0, 0, 0, 0, 0x12340000}, PFIFO_NVGPU_BAD_VALUE},
        {SPACE, 0x40104107, {0x10000}, PFIFO_NVGPU_INVALID_STATE},
        {SPACE, 0x40284109, {1, 0, 0x10000}, PFIFO_NVGPU_INVALID_STATE},
        {SPACE, 0xc038410a, {0}, PFIFO_NVGPU_NOT_SUPPORTED},
        {SPACE, 0xc0144114, {0, HANDLE, 0, 0x400, 1}, PFIFO_NVGPU_BAD_VALUE}, /* no sparse space */
        {NEW_SPACE, 0xc0184102, {1, 0x10000}, PFIFO_NVGPU_BAD_VALUE},
        {NEW_SPACE, 0xc0104103, {0, 0, 1, 0x10000}, PFIFO_NVGPU_BAD_VALUE},
        {NEW_SPACE, 0xc0184104, {0, 0, HANDLE}, PFIFO_NVGPU_BAD_VALUE},
        {NEW_SPACE, 0xc0084105, {0}, PFIFO_NVGPU_BAD_VALUE},
        {NEW_SPACE, 0xc0284106, {0, 0, HANDLE}, PFIFO_NVGPU_BAD_VALUE},
        {NEW_SPACE, 0xc0284106, {0x100}, PFIFO_NVGPU_BAD_VALUE},
        {NEW_SPACE, 0xc0404108, {0}, PFIFO_NVGPU_BAD_VALUE},
        {NEW_SPACE, 0xc0144114, {0}, PFIFO_NVGPU_BAD_VALUE},
        {NEW_SPACE, 0x40104107, {0x30000}, PFIFO_NVGPU_BAD_VALUE},
        {NEW_SPACE, 0x40284109, {1, 0, 0x1000}, PFIFO_NVGPU_BAD_VALUE},
    };
    struct console console;
    int32_t files[FILES];
    (void)state;
    open_all(&console, files);
    CHECK(rows);
    console_stop(&console);
}

/* Of a channel that is ready, and of one that is in no address space. */
static void calls_of_channels_answer_their_errors(void **state) {
    static const struct row rows[] = {
        {CHANNEL, 0x40044801, {99}, PFIFO_NVGPU_BAD_VALUE},
        {CHANNEL, 0x40084805, {8}, PFIFO_NVGPU_ALREADY_ALLOCATED},
        {CHANNEL, 0x40204818, {8}, PFIFO_NVGPU_ALREADY_ALLOCATED},
        {CHANNEL, 0xc020481a, {8}, PFIFO_NVGPU_ALREADY_ALLOCATED},
        {CHANNEL, 0xc0184808, {0, 0, 1}, PFIFO_NVGPU_INVALID_SIZE}, /* its entry is not there */
        {CHANNEL, 0xc0184808, {0, 0, 0x801}, PFIFO_NVGPU_INVALID_SIZE},
        {CHANNEL, 0xc0184808, {0, 0, 0, 0x101}, PFIFO_NVGPU_BAD_PARAMETER},
        {CHANNEL, 0xc0184808, {0, 0, 0, 1, 0xffff}, PFIFO_NVGPU_BAD_VALUE},
        {CHANNEL, 0xc0184819, {0, 0, 1}, PFIFO_NVGPU_INVALID_SIZE},
        {CHANNEL, 0xc018481b, {0, 0, 1}, PFIFO_NVGPU_INVALID_ADDRESS}, /* no second buffer, no address */
        {CHANNEL, 0xc018481b, {0, 0, 0x801}, PFIFO_NVGPU_INVALID_SIZE},
        {CHANNEL, 0xc018481b, {0, 0, 0, 0x101}, PFIFO_NVGPU_BAD_PARAMETER},
        {CHANNEL, 0xc018481b, {0, 0, 0, 1, 0xffff}, PFIFO_NVGPU_BAD_VALUE},
        {CHANNEL, 0xc0104809, {0x1234}, PFIFO_NVGPU_BAD_VALUE},
        {CHANNEL, 0xc010480b, {0, 0, 4}, PFIFO_NVGPU_BAD_VALUE},
        {CHANNEL, 0x4004480d, {101}, PFIFO_NVGPU_BAD_VALUE},
        {CHANNEL, 0xc004481d, {999}, PFIFO_NVGPU_BAD_VALUE},
        {CHANNEL, 0xc004481d, {50001}, PFIFO_NVGPU_BAD_VALUE},
        {NEW_CHANNEL, 0xc020481a, {8}, PFIFO_NVGPU_BAD_VALUE},
        {NEW_CHANNEL, 0xc0104809, {0xb197}, PFIFO_NVGPU_INVALID_STATE},
        {NEW_CHANNEL, 0xc0184808, {0}, PFIFO_NVGPU_INVALID_STATE},
        {NEW_CHANNEL, 0xc0184819, {0}, PFIFO_NVGPU_INVALID_STATE},
        {NEW_CHANNEL, 0xc018481b, {0}, PFIFO_NVGPU_INVALID_STATE},
        {NEW_CHANNEL, 0x480e, {0}, PFIFO_NVGPU_INVALID_STATE},
        {NEW_CHANNEL, 0x480f, {0}, PFIFO_NVGPU_INVALID_STATE},
        {NEW_CHANNEL, 0x4810, {0}, PFIFO_NVGPU_INVALID_STATE},
        {NEW_CHANNEL, 0x4811, {0}, PFIFO_NVGPU_INVALID_STATE},
        {NEW_CHANNEL, 0x40044803, {1}, PFIFO_NVGPU_OK}, /* settings may come first */
        {NEW_CHANNEL, 0xc0080004, {1}, PFIFO_NVGPU_OK},
        {NEW_CHANNEL, 0x4004480d, {150}, PFIFO_NVGPU_OK},
        {CHANNEL, 0x4811, {0}, PFIFO_NVGPU_OK}, /* it ends */
        {CHANNEL, 0x4811, {0}, PFIFO_NVGPU_INVALID_STATE},
        {CHANNEL, 0xc0184808, {0}, PFIFO_NVGPU_INVALID_STATE},
        {CHANNEL, 0xc020481a, {8}, PFIFO_NVGPU_ALREADY_ALLOCATED},
        {CHANNEL, 0xc0104817, {0}, PFIFO_NVGPU_OK},
    };
    struct console console;
    int32_t files[FILES];
    (void)state;
    open_all(&console, files);
    CHECK(rows);
    console_stop(&console);
}

static void calls_of_syncpoints_answer_their_errors(void **state) {
    static const struct row rows[] = {
        {CONTROL, 0xc0080014, {192}, PFIFO_NVGPU_BAD_VALUE},
        {CONTROL, 0xc0040015, {192}, PFIFO_NVGPU_BAD_VALUE},
        {CONTROL, 0x40040015, {192}, PFIFO_NVGPU_BAD_VALUE},
        {CONTROL, 0xc00c0016, {192, 1, 0}, PFIFO_NVGPU_BAD_PARAMETER},
        {CONTROL, 0xc0100019, {192, 1, 0}, PFIFO_NVGPU_BAD_PARAMETER},
        {CONTROL, 0xc008001a, {192}, PFIFO_NVGPU_BAD_VALUE},
        {CONTROL, 0xc183001b, {0}, PFIFO_NVGPU_CONFIG_VAR_NOT_FOUND},
        {CONTROL, 0xc004001c, {64}, PFIFO_NVGPU_BAD_PARAMETER},
        {CONTROL, 0xc004001c, {5}, PFIFO_NVGPU_BAD_VALUE},
        {CONTROL, 0xc010001d, {192, 1, 1}, PFIFO_NVGPU_BAD_PARAMETER},
        {CONTROL, 0xc010001e, {192, 1, 1, 0}, PFIFO_NVGPU_BAD_PARAMETER},
        {CONTROL, 0xc004001f, {64}, PFIFO_NVGPU_BAD_PARAMETER},
        {CONTROL, 0xc0040020, {5}, PFIFO_NVGPU_BAD_PARAMETER},
        {CONTROL, 0xc0040020, {64}, PFIFO_NVGPU_BAD_PARAMETER},
        {CONTROL, 0xc0080021, {1u << 5}, PFIFO_NVGPU_BAD_PARAMETER},
        {CONTROL, 0x40080021, {1u << 5}, PFIFO_NVGPU_BAD_PARAMETER},
    };
    /* Syncpoint 1 has 2 promised, and is waited for in slot 3. */
    static const struct row waiting[] = {
        {CONTROL, 0xc00c0016, {1, 2, 0}, PFIFO_NVGPU_TIMEOUT},
        {CONTROL, 0xc0100019, {1, 2, 0}, PFIFO_NVGPU_TIMEOUT},
        {CONTROL, 0xc010001e, {1, 2, 0, 3}, PFIFO_NVGPU_TIMEOUT},
        {CONTROL, 0xc010001e, {1, 2, 100, 3}, PFIFO_NVGPU_BAD_PARAMETER}, /* not registered */
        {CONTROL, 0xc010001e, {1, 2, 100, 64}, PFIFO_NVGPU_BAD_PARAMETER},
        {CONTROL, 0xc004001f, {3}, PFIFO_NVGPU_OK},
        {CONTROL, 0xc010001e, {1, 2, 100, 3}, PFIFO_NVGPU_TIMEOUT},
        {CONTROL, 0xc010001e, {1, 2, 100, 3}, PFIFO_NVGPU_BAD_PARAMETER}, /* in use */
        {CONTROL, 0xc004001f, {3}, PFIFO_NVGPU_BUSY},
        {CONTROL, 0xc0040020, {3}, PFIFO_NVGPU_BUSY},
        {CONTROL, 0xc0080021, {1u << 3}, PFIFO_NVGPU_BUSY},
        {CONTROL, 0xc004001c, {3}, PFIFO_NVGPU_OK},
        {CONTROL, 0xc0080021, {1u << 3}, PFIFO_NVGPU_OK},
        {CONTROL, 0xc010001d, {1, 2, 100}, PFIFO_NVGPU_TIMEOUT},
    };
    struct console console;
    int32_t files[FILES];
    (void)state;
    open_all(&console, files);
    CHECK(rows);
    assert_int_equal(console.fence.syncpoint, 1);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    assert_int_equal(console_submit(&console, console.channel, CONSOLE_WORDS(CONSOLE_ACQUIRE(at, 1))).value, 2);
    CHECK(waiting);
    console_stop(&console);
}

/* Refused, not answered as if done: the machine has no registers for the instruction caches of GPCs. */
static void calls_of_the_gpu_answer_their_errors(void **state) {
    static const struct row rows[] = {
        {GPU, 0xc0344704, {[11] = 3}, PFIFO_NVGPU_BAD_VALUE},
        {GPU, 0xc0344704, {[11] = 1, [12] = 16}, PFIFO_NVGPU_BAD_VALUE},
        {GPU, 0x4008470d, {1}, PFIFO_NVGPU_NOT_SUPPORTED},
        {GPU, 0x4008470e, {0}, PFIFO_NVGPU_NOT_SUPPORTED},
        {GPU, 0xc0084710, {0}, PFIFO_NVGPU_NOT_SUPPORTED},
        {GPU, 0xc0184741, {0}, PFIFO_NVGPU_NOT_IMPLEMENTED},
    };
    struct console console;
    int32_t files[FILES];
    (void)state;
    open_all(&console, files);
    CHECK(rows);
    for (uint32_t i = 0; i <= 16; i++) {
        uint32_t words[11] = {i, [10] = 1};
        assert_int_equal(console_call(&console, console.control_gpu, 0x402c4703, words),
                         i < 16 ? PFIFO_NVGPU_OK : PFIFO_NVGPU_INSUFFICIENT_MEMORY);
    }
    console_stop(&console);
}

/* Of a structure that is a word too short, a file that is another's, and files that are not there. */
static void each_call_looks_at_its_size_and_its_file(void **state) {
    static const struct row rows[] = {
        {.file = NVMAP, .request = 0xc0080101},   {.file = NVMAP, .request = 0xc0080103},
        {.file = NVMAP, .request = 0xc0200104},   {.file = NVMAP, .request = 0xc0180105},
        {.file = NVMAP, .request = 0xc00c0109},   {.file = NVMAP, .request = 0xc008010e},
        {.file = SPACE, .request = 0x40044101},   {.file = SPACE, .request = 0xc0184102},
        {.file = SPACE, .request = 0xc0104103},   {.file = SPACE, .request = 0xc0184104},
        {.file = SPACE, .request = 0xc0084105},   {.file = SPACE, .request = 0xc0284106},
        {.file = SPACE, .request = 0x40104107},   {.file = SPACE, .request = 0xc0404108},
        {.file = SPACE, .request = 0x40284109},   {.file = SPACE, .request = 0xc0144114},
        {.file = CHANNEL, .request = 0x40044801}, {.file = CHANNEL, .request = 0x40044803},
        {.file = CHANNEL, .request = 0x40084805}, {.file = CHANNEL, .request = 0xc0184808},
        {.file = CHANNEL, .request = 0xc0104809}, {.file = CHANNEL, .request = 0xc010480b},
        {.file = CHANNEL, .request = 0xc018480c}, {.file = CHANNEL, .request = 0x4004480d},
        {.file = CHANNEL, .request = 0x80804816}, {.file = CHANNEL, .request = 0xc0104817},
        {.file = CHANNEL, .request = 0x40204818}, {.file = CHANNEL, .request = 0xc0184819},
        {.file = CHANNEL, .request = 0xc020481a}, {.file = CHANNEL, .request = 0xc018481b},
        {.file = CHANNEL, .request = 0xc004481d}, {.file = CHANNEL, .request = 0x40084714},
        {.file = CHANNEL, .request = 0x80084715}, {.file = CHANNEL, .request = 0xc0080003},
        {.file = CHANNEL, .request = 0xc0080004}, {.file = CONTROL, .request = 0xc0080014},
        {.file = CONTROL, .request = 0xc0040015}, {.file = CONTROL, .request = 0xc00c0016},
        {.file = CONTROL, .request = 0xc0100019}, {.file = CONTROL, .request = 0xc008001a},
        {.file = CONTROL, .request = 0xc183001b}, {.file = CONTROL, .request = 0xc004001c},
        {.file = CONTROL, .request = 0xc010001d}, {.file = CONTROL, .request = 0xc010001e},
        {.file = CONTROL, .request = 0xc004001f}, {.file = CONTROL, .request = 0xc0040020},
        {.file = CONTROL, .request = 0xc0080021}, {.file = GPU, .request = 0x80044701},
        {.file = GPU, .request = 0x80284702},     {.file = GPU, .request = 0x402c4703},
        {.file = GPU, .request = 0xc0344704},     {.file = GPU, .request = 0xc0b04705},
        {.file = GPU, .request = 0xc0184706},     {.file = GPU, .request = 0x40084707},
        {.file = GPU, .request = 0x80084712},     {.file = GPU, .request = 0xc0044713},
        {.file = GPU, .request = 0x80084714},     {.file = GPU, .request = 0xc010471c},
    };
    struct console console;
    int32_t files[FILES];
    (void)state;
    open_all(&console, files);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t request = rows[i].request, words[128] = {0};
        int32_t fd = files[rows[i].file], other = files[rows[i].file == NVMAP ? SPACE : NVMAP];
        if (console_call(&console, fd, request - (4u << 16), words) != PFIFO_NVGPU_INVALID_SIZE)
            fail_msg("call %08x takes a structure that is too short", request);
        assert_int_equal(console_call(&console, other, request, words), PFIFO_NVGPU_NOT_IMPLEMENTED);
        assert_int_equal(console_call(&console, 99, request, words), PFIFO_NVGPU_NOT_IMPLEMENTED);
        assert_int_equal(console_call(&console, -1, request, words), PFIFO_NVGPU_INVALID_STATE);
    }
    console_stop(&console);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_nvmap_answer_their_errors),
        cmocka_unit_test(calls_of_address_spaces_answer_their_errors),
        cmocka_unit_test(calls_of_channels_answer_their_errors),
        cmocka_unit_test(calls_of_syncpoints_answer_their_errors),
        cmocka_unit_test(calls_of_the_gpu_answer_their_errors),
        cmocka_unit_test(each_call_looks_at_its_size_and_its_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
