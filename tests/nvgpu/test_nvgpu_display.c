/* SPDX-License-Identifier: MIT */
/* Syncpoints of the display: no channel has them, a vertical blank is a call, and waits for them are waits. */
#include "nvgpu/console.h"

#include <pfifo/stream.h>

#include "state/sections.h"

#include <stdlib.h>

#define VBLANK0 26u
#define SLOT    5u
#define MANY    64u /* channels, more than there are reserved syncpoints up to 55 */

static bool is_reserved(uint32_t syncpoint) {
    return syncpoint == 0 || syncpoint == 12 || syncpoint == 26 || syncpoint == 27 || syncpoint == 54 ||
           syncpoint == 55;
}

static uint32_t display_syncpoint(struct console *console) {
    uint32_t syncpoint = 0;
    assert_int_equal(pfifo_nvgpu_display_syncpoint(console->nvgpu, &syncpoint, NULL), PFIFO_OK);
    return syncpoint;
}

static void display_increment(struct console *console, uint32_t syncpoint) {
    assert_int_equal(pfifo_nvgpu_display_increment(console->nvgpu, syncpoint, NULL), PFIFO_OK);
}

/* The event of a wait that is not over. */
static uint32_t wait_for(struct console *console, uint32_t syncpoint, uint32_t value) {
    const struct pfifo_nvhost_fence fence = {syncpoint, value};
    uint32_t event;
    assert_ok(pfifo_nvhost_ctrl_register(console->client, console->control, SLOT));
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console->client, console->control, &fence, -1, SLOT),
                     PFIFO_NVGPU_TIMEOUT);
    assert_ok(pfifo_nvgpu_query_event(console->client, console->control, 0x10000000 | SLOT, &event));
    assert_false(pfifo_nvgpu_event_signalled(console->nvgpu, event, false));
    return event;
}

/* ---- which channels get ---- */

static void no_channel_gets_a_reserved_syncpoint(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    for (uint32_t i = 0, last = console.fence.syncpoint; i < MANY; i++) {
        struct pfifo_nvhost_fence fence;
        console_channel(&console, &fence);
        assert_false(is_reserved(fence.syncpoint));
        assert_true(fence.syncpoint > last);
        last = fence.syncpoint;
    }
    console_stop(&console);
}

static void a_closed_channel_gives_its_syncpoint_back(void **state) {
    struct console console;
    struct pfifo_nvhost_fence first, fence;
    (void)state;
    console_start(&console);
    assert_ok(pfifo_nvgpu_close(console.client, console_channel(&console, &first)));
    for (uint32_t i = 0; i < 40; i++) {
        assert_ok(pfifo_nvgpu_close(console.client, console_channel(&console, &fence)));
        assert_int_equal(fence.syncpoint, first.syncpoint);
    }
    console_stop(&console);
}

/* The display takes all that are left: then there is none for a channel, nor for the display. */
static void no_channel_gets_what_the_display_has(void **state) {
    struct console console;
    uint32_t syncpoint, count = 0, one = 0;
    (void)state;
    console_start(&console);
    while (pfifo_nvgpu_display_syncpoint(console.nvgpu, &syncpoint, NULL) == PFIFO_OK) {
        assert_false(is_reserved(syncpoint));
        assert_int_not_equal(syncpoint, console.fence.syncpoint);
        one = syncpoint;
        count++;
    }
    assert_int_equal(count, pfifo_syncpoint_count(pfifo_nvgpu_device(console.nvgpu)) - 7); /* 6 reserved, 1 channel */
    assert_int_equal(pfifo_nvgpu_display_syncpoint(console.nvgpu, &syncpoint, NULL), PFIFO_ERROR_MEMORY);
    int32_t channel;
    struct pfifo_nvhost_fence fence;
    assert_ok(pfifo_nvgpu_open(console.client, "/dev/nvhost-gpu", &channel));
    assert_ok(pfifo_nvhost_as_bind_channel(console.client, console.as, channel));
    assert_int_equal(pfifo_nvhost_gpu_alloc_gpfifo(console.client, channel, 0x40, &fence),
                     PFIFO_NVGPU_INSUFFICIENT_MEMORY);
    assert_int_equal(pfifo_nvgpu_display_release(console.nvgpu, one, NULL), PFIFO_OK);
    assert_ok(pfifo_nvhost_gpu_alloc_gpfifo(console.client, channel, 0x40, &fence));
    assert_int_equal(fence.syncpoint, one);
    console_stop(&console);
}

/* ---- waits ---- */

static void a_vertical_blank_signals_who_waits_for_it(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    for (unsigned head = 0; head < 2; head++) {
        uint32_t event = wait_for(&console, VBLANK0 + head, 2);
        assert_int_equal(pfifo_nvgpu_vblank(console.nvgpu, head, NULL), PFIFO_OK);
        assert_int_equal(console_value(&console, VBLANK0 + head), 1);
        assert_false(pfifo_nvgpu_event_signalled(console.nvgpu, event, false));
        assert_int_equal(pfifo_nvgpu_vblank(console.nvgpu, head, NULL), PFIFO_OK);
        assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, event, true));
    }
    assert_int_equal(pfifo_nvgpu_vblank(console.nvgpu, 2, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_nvgpu_vblank(NULL, 0, NULL), PFIFO_ERROR_ARGUMENT);
    console_stop(&console);
}

/* Of a channel's syncpoint, a value that nobody has promised is in the past; of the display's it is to come. */
static void a_wait_for_the_display_lasts_until_the_value_is_there(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    const struct pfifo_nvhost_fence unpromised = {console.fence.syncpoint, console.fence.value + 5};
    uint32_t syncpoint = display_syncpoint(&console), event = wait_for(&console, syncpoint, 5);
    for (uint32_t value = 1; value <= 5; value++) {
        assert_false(pfifo_nvgpu_event_signalled(console.nvgpu, event, false));
        display_increment(&console, syncpoint);
        assert_int_equal(console_value(&console, syncpoint), value);
    }
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, event, true));
    assert_ok(pfifo_nvhost_ctrl_wait_async(console.client, console.control, &unpromised, -1, SLOT));
    console_stop(&console);
}

/* READ_MAX of a counter that has wrapped, too. */
static void the_display_promises_what_it_has(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint32_t words[2] = {display_syncpoint(&console)};
    pfifo_gpu_syncpoint_set(pfifo_device_gpu(pfifo_nvgpu_device(console.nvgpu)), words[0], UINT32_MAX);
    assert_ok(console_call(&console, console.control, 0xc008001a, words));
    assert_int_equal(words[1], UINT32_MAX);
    display_increment(&console, words[0]);
    assert_ok(console_call(&console, console.control, 0xc008001a, words));
    assert_int_equal(words[1], 0);
    console_stop(&console);
}

static void a_submission_waits_for_the_display(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    uint64_t entry = console_list(&console, CONSOLE_WORDS(CONSOLE_RELEASE(at, 0x1234)));
    struct pfifo_nvhost_fence fence = {display_syncpoint(&console), 1};
    uint32_t syncpoint = fence.syncpoint;
    assert_ok(pfifo_nvhost_gpu_submit(console.client, console.channel, &entry, 1, PFIFO_NVHOST_SUBMIT_WAIT, &fence));
    assert_int_equal(console_rd32(&console, 0), 0);
    display_increment(&console, syncpoint);
    pfifo_nvgpu_run(console.nvgpu, 100000);
    assert_int_equal(console_rd32(&console, 0), 0x1234);
    console_stop(&console);
}

static void a_syncpoint_that_is_given_back_keeps_nobody_waiting(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    uint32_t syncpoint = display_syncpoint(&console), event = wait_for(&console, syncpoint, 5);
    assert_int_equal(pfifo_nvgpu_display_release(console.nvgpu, syncpoint, NULL), PFIFO_OK);
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, event, false));
    assert_int_equal(pfifo_nvgpu_display_release(console.nvgpu, syncpoint, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_nvgpu_display_increment(console.nvgpu, syncpoint, NULL), PFIFO_ERROR_ARGUMENT);
    console_stop(&console);
}

static void what_was_not_given_is_not_incremented(void **state) {
    struct console console;
    (void)state;
    console_start(&console);
    const uint32_t wrong[] = {0, VBLANK0, console.fence.syncpoint, 192, UINT32_MAX};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(pfifo_nvgpu_display_increment(console.nvgpu, wrong[i], NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_nvgpu_display_syncpoint(console.nvgpu, NULL, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_nvgpu_display_syncpoint(NULL, &(uint32_t){0}, NULL), PFIFO_ERROR_ARGUMENT);
    console_stop(&console);
}

/* ---- saved, loaded, recorded ---- */

static void syncpoints_of_the_display_are_saved(void **state) {
    struct console console;
    struct player_bytes stream = {0};
    (void)state;
    console_start(&console);
    uint32_t syncpoint = display_syncpoint(&console);
    display_increment(&console, syncpoint);
    assert_int_equal(pfifo_nvgpu_vblank(console.nvgpu, 1, NULL), PFIFO_OK);
    wait_for(&console, syncpoint, 3);
    assert_int_equal(pfifo_nvgpu_save(console.nvgpu, player_collect, &stream, NULL), PFIFO_OK);
    pfifo_nvgpu_display_release(console.nvgpu, syncpoint, NULL);
    assert_int_equal(pfifo_nvgpu_load(console.nvgpu, stream.data, stream.bytes, NULL), PFIFO_OK);
    free(stream.data);
    uint32_t event;
    assert_ok(pfifo_nvgpu_query_event(console.client, console.control, 0x10000000 | SLOT, &event));
    assert_int_equal(console_value(&console, VBLANK0 + 1), 1);
    display_increment(&console, syncpoint);
    assert_false(pfifo_nvgpu_event_signalled(console.nvgpu, event, false));
    display_increment(&console, syncpoint);
    assert_int_equal(console_value(&console, syncpoint), 3);
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, event, false));
    console_stop(&console);
}

static void a_recording_has_the_displays_increments(void **state) {
    struct console console = {0};
    size_t bytes;
    (void)state;
    struct pfifo_nvgpu_config config = {.size = sizeof config};
    console.nvgpu = pfifo_nvgpu_new(&config, NULL);
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    assert_int_equal(pfifo_nvgpu_record(console.nvgpu, writer, NULL), PFIFO_OK);
    uint32_t syncpoint = display_syncpoint(&console);
    display_increment(&console, syncpoint);
    assert_int_equal(pfifo_nvgpu_vblank(console.nvgpu, 0, NULL), PFIFO_OK);
    assert_int_equal(pfifo_nvgpu_record_end(console.nvgpu, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    const void *data = pfifo_stream_writer_memory(writer, &bytes);
    struct pfifo_stream *stream = pfifo_stream_open_memory(data, bytes, "recorded", NULL);
    struct pfifo_stream_record record = {0};
    uint32_t seen[256] = {0};
    do {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        if (record.type == PFIFO_STREAM_SYNCPT && !record.syncpt.set)
            seen[record.syncpt.syncpoint] += record.syncpt.value;
    } while (record.type != PFIFO_STREAM_END);
    assert_int_equal(seen[syncpoint], 1);
    assert_int_equal(seen[VBLANK0], 1);
    pfifo_stream_close(stream);
    pfifo_stream_writer_close(writer);
    pfifo_nvgpu_free(console.nvgpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_channel_gets_a_reserved_syncpoint),
        cmocka_unit_test(a_closed_channel_gives_its_syncpoint_back),
        cmocka_unit_test(no_channel_gets_what_the_display_has),
        cmocka_unit_test(a_vertical_blank_signals_who_waits_for_it),
        cmocka_unit_test(a_wait_for_the_display_lasts_until_the_value_is_there),
        cmocka_unit_test(the_display_promises_what_it_has),
        cmocka_unit_test(a_submission_waits_for_the_display),
        cmocka_unit_test(a_syncpoint_that_is_given_back_keeps_nobody_waiting),
        cmocka_unit_test(what_was_not_given_is_not_incremented),
        cmocka_unit_test(syncpoints_of_the_display_are_saved),
        cmocka_unit_test(a_recording_has_the_displays_increments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
