/* SPDX-License-Identifier: MIT */
/* A driver that is saved and loaded goes on as if nothing had been; a damaged stream changes nothing. */
#include "nvgpu/console.h"

#include <stdlib.h>
#include <string.h>

#include "rounds.h"
#include "state/sections.h"

#define HIGH(address) (uint32_t)((address) >> 32)
#define LOW(address)  (uint32_t)(address)
#define SYSTEM_BYTES  (UINT64_C(4) << 20)
#define SLOT          5u

static struct player_bytes save(struct pfifo_nvgpu *nvgpu) {
    struct player_bytes stream = {0};
    struct pfifo_error error = {0};
    if (pfifo_nvgpu_save(nvgpu, player_collect, &stream, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    return stream;
}

static void load(struct pfifo_nvgpu *nvgpu, const struct player_bytes *stream) {
    struct pfifo_error error = {0};
    if (pfifo_nvgpu_load(nvgpu, stream->data, stream->bytes, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
}

/* Equal bytes; the second is freed. */
static void assert_same(const struct player_bytes *stream, struct player_bytes other) {
    assert_int_equal(stream->bytes, other.bytes);
    assert_memory_equal(stream->data, other.data, stream->bytes);
    free(other.data);
}

/* Event signals as they come. */
struct log {
    uint32_t event[16];
    bool signalled[16];
    unsigned count;
};

static void note(void *opaque, uint32_t event, bool signalled) {
    struct log *log = opaque;
    if (!log || log->count == 16)
        return;
    log->event[log->count] = event;
    log->signalled[log->count++] = signalled;
}

static struct pfifo_nvgpu *driver(uint64_t budget, struct log *log) {
    struct pfifo_nvgpu_config config = {
        .size = sizeof config, .budget = budget, .event = note, .opaque = log, .device.gpu.system_bytes = SYSTEM_BYTES};
    struct pfifo_nvgpu *nvgpu = pfifo_nvgpu_new(&config, NULL);
    assert_non_null(nvgpu);
    return nvgpu;
}

/* ---- a driver that loads its own state ---- */

/* A channel in a space that is not initialised yet: the first files of that kind after those of a console. */
static void bind_early(const struct console *console, int32_t *space, int32_t *channel) {
    assert_ok(pfifo_nvgpu_open(console->client, "/dev/nvhost-as-gpu", space));
    assert_ok(pfifo_nvgpu_open(console->client, "/dev/nvhost-gpu", channel));
    assert_ok(pfifo_nvhost_as_bind_channel(console->client, *space, *channel));
}

/* A wait with an event, memory of its own, a shared object, spaces, clear values. */
static void fill(struct console *console) {
    uint32_t handle, id, event;
    struct pfifo_nvhost_fence never = {console->fence.syncpoint, console->fence.value + 2};
    uint64_t at = console_buffer(console, 0, 0x1000, NULL);
    assert_ok(pfifo_nvhost_ctrl_register(console->client, console->control, SLOT));
    assert_ok(pfifo_nvgpu_query_event(console->client, console->control, 0x10000000 | SLOT, &event));
    assert_ok(pfifo_nvgpu_query_event(console->client, console->channel, 3, &event));
    console_submit(console, console->channel, CONSOLE_WORDS(CONSOLE_ACQUIRE(at, 1)));
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console->client, console->control, &never, -1, SLOT),
                     PFIFO_NVGPU_TIMEOUT);
    assert_ok(pfifo_nvmap_create(console->client, console->nvmap, 0x3000, &handle));
    assert_ok(pfifo_nvmap_alloc(console->client, console->nvmap, handle, 0x1000, 0, false, 0));
    assert_ok(pfifo_nvmap_get_id(console->client, console->nvmap, handle, &id));
    assert_ok(pfifo_nvmap_create(console->client, console->nvmap, 0x5000, &handle));
    uint32_t space[6] = {4, 0x10000, 2, 0, 0, 0};
    assert_ok(console_call(console, console->as, 0xc0184102, space));
    uint32_t zbc[11] = {1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 1};
    assert_ok(console_call(console, console->control_gpu, 0x402c4703, zbc));
    zbc[10] = 2;
    assert_ok(console_call(console, console->control_gpu, 0x402c4703, zbc));
    int32_t early, channel;
    bind_early(console, &early, &channel);
}

static void a_second_save_has_the_same_bytes(void **state) {
    struct console one, two;
    (void)state;
    struct pfifo_nvgpu *nvgpu = driver(1000, NULL);
    console_join_as(&one, nvgpu, 7);
    console_join_as(&two, nvgpu, 3);
    fill(&one);
    fill(&two);
    struct player_bytes stream = save(nvgpu);
    assert_same(&stream, save(nvgpu));
    load(nvgpu, &stream);
    assert_same(&stream, save(nvgpu));
    console_wr32(&two, 0, 1);
    pfifo_nvgpu_run(nvgpu, 100000);
    assert_int_equal(console_value(&two, two.fence.syncpoint), two.fence.value + 2);
    assert_int_equal(console_value(&one, one.fence.syncpoint), one.fence.value);
    free(stream.data);
    console_stop(&one);
    console_stop(&two);
    pfifo_nvgpu_free(nvgpu);
}

static uint32_t clear_value_count(struct console *console) {
    uint32_t colour[13] = {[11] = 1}, depth[13] = {[11] = 2};
    assert_ok(console_call(console, console->control_gpu, 0xc0344704, colour));
    assert_ok(console_call(console, console->control_gpu, 0xc0344704, depth));
    return colour[9] + depth[9];
}

/* What was set after the save is gone, and what was set before is back. */
static void a_load_brings_the_gpus_clear_values(void **state) {
    struct console console;
    (void)state;
    struct pfifo_nvgpu *nvgpu = driver(1000, NULL);
    console_join_as(&console, nvgpu, 7);
    struct player_bytes none = save(nvgpu);
    fill(&console);
    struct player_bytes one = save(nvgpu);
    load(nvgpu, &none);
    assert_int_equal(clear_value_count(&console), 0);
    load(nvgpu, &one);
    assert_int_equal(clear_value_count(&console), 2);
    one.data[one.bytes / 2] ^= 1;
    assert_int_not_equal(pfifo_nvgpu_load(nvgpu, one.data, one.bytes, NULL), PFIFO_OK);
    assert_int_equal(clear_value_count(&console), 2);
    free(none.data);
    free(one.data);
    console_stop(&console);
    pfifo_nvgpu_free(nvgpu);
}

static void a_space_that_waits_for_its_start_is_loaded(void **state) {
    struct console console;
    struct pfifo_nvhost_fence fence;
    int32_t space, channel;
    (void)state;
    struct pfifo_nvgpu *nvgpu = driver(1000, NULL);
    console_join_as(&console, nvgpu, 7);
    bind_early(&console, &space, &channel);
    struct player_bytes stream = save(nvgpu);
    assert_ok(pfifo_nvhost_as_initialize(console.client, space, 0x10000));
    load(nvgpu, &stream);
    assert_int_equal(pfifo_nvhost_gpu_alloc_gpfifo(console.client, channel, 8, &fence), PFIFO_NVGPU_BAD_VALUE);
    assert_ok(pfifo_nvhost_as_initialize(console.client, space, 0x10000));
    assert_ok(pfifo_nvhost_gpu_alloc_gpfifo(console.client, channel, 8, &fence));
    free(stream.data);
    console_stop(&console);
    pfifo_nvgpu_free(nvgpu);
}

static void damage_changes_nothing(void **state) {
    struct console console;
    struct pfifo_error error;
    (void)state;
    struct pfifo_nvgpu *nvgpu = driver(1000, NULL);
    console_join_as(&console, nvgpu, 7);
    fill(&console);
    struct player_bytes stream = save(nvgpu);
    for (size_t at = 0; at < stream.bytes; at += at < 0x800 ? 3 : stream.bytes / 40) {
        stream.data[at] ^= 0x10;
        assert_int_not_equal(pfifo_nvgpu_load(nvgpu, stream.data, stream.bytes, &error), PFIFO_OK);
        stream.data[at] ^= 0x10;
        assert_int_equal(pfifo_nvgpu_load(nvgpu, stream.data, at, &error), PFIFO_ERROR_FORMAT);
    }
    assert_same(&stream, save(nvgpu));
    console_wr32(&console, 0, 1);
    pfifo_nvgpu_run(nvgpu, 100000);
    assert_int_equal(console_value(&console, console.fence.syncpoint), console.fence.value + 2);
    free(stream.data);
    console_stop(&console);
    pfifo_nvgpu_free(nvgpu);
}

/* Words of sections with a checksum that fits. What is refused changes nothing; what is not is safe to go on with. */
static void edits_are_refused_or_safe(void **state) {
    const unsigned rounds = (unsigned)rounds_wanted(600);
    struct console one, two;
    struct pfifo_error error;
    unsigned refused = 0;
    (void)state;
    struct pfifo_nvgpu *nvgpu = driver(200, NULL);
    console_join_as(&one, nvgpu, 7);
    console_join_as(&two, nvgpu, 3);
    fill(&one);
    fill(&two);
    struct player_bytes whole = save(nvgpu);
    for (unsigned i = 0; i < rounds; i++) {
        struct choice choice = choice_from_seed(i);
        size_t section = section_pick(&whole, &choice), words = section_words(&whole, section);
        if (!words)
            continue;
        size_t at = section + SECTION_HEADER + 4 * (size_t)choice_below(&choice, (uint32_t)words);
        uint32_t before = stream_word(&whole, at);
        stream_set_word(&whole, at, choice_once_in(&choice, 2) ? choice_below(&choice, 8) : choice_word(&choice));
        section_seal(&whole, section);
        bool good = pfifo_nvgpu_load(nvgpu, whole.data, whole.bytes, &error) == PFIFO_OK;
        refused += !good;
        pfifo_nvgpu_run(nvgpu, 200);
        stream_set_word(&whole, at, before);
        section_seal(&whole, section);
        load(nvgpu, &whole);
        assert_same(&whole, save(nvgpu));
    }
    assert_in_range(refused, rounds / 10, rounds);
    free(whole.data);
    console_stop(&one);
    console_stop(&two);
    pfifo_nvgpu_free(nvgpu);
}

static void clients_are_those_of_the_stream(void **state) {
    struct console one, two;
    struct pfifo_error error;
    (void)state;
    struct pfifo_nvgpu *nvgpu = driver(1000, NULL);
    console_join_as(&one, nvgpu, 7);
    struct player_bytes stream = save(nvgpu);
    console_join_as(&two, nvgpu, 3);
    assert_int_equal(pfifo_nvgpu_load(nvgpu, stream.data, stream.bytes, &error), PFIFO_ERROR_ARGUMENT);
    assert_memory_equal(error.message, "section NVCL, ", 14);
    assert_non_null(strstr(error.message, ": it has 1 clients, this driver 2"));
    console_stop(&one);
    assert_int_equal(pfifo_nvgpu_load(nvgpu, stream.data, stream.bytes, &error), PFIFO_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "there is no client for process 7"));
    console_join_as(&one, nvgpu, 3);
    assert_int_equal(pfifo_nvgpu_save(nvgpu, player_collect, &stream, &error), PFIFO_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "two clients have the process number 3"));
    free(stream.data);
    console_stop(&one);
    console_stop(&two);
    pfifo_nvgpu_free(nvgpu);
}

/* ---- sessions that go on in another driver ---- */

/* The copy waits in the second channel for what the first one does. */
static void begin(struct console *console, struct pfifo_nvhost_fence *last, uint32_t *event) {
    struct pfifo_nvhost_fence other;
    int32_t second = console_channel(console, &other);
    uint64_t from = console_buffer(console, 0, 0x1000, NULL), to = console_buffer(console, 0x10000, 0x1000, NULL);
    uint64_t word = console_buffer(console, 0x20000, 0x1000, NULL);
    for (uint32_t i = 0; i < 0x1000; i += 4)
        console_wr32(console, i, i * 0x01010101);
    struct pfifo_nvhost_fence first =
        console_submit(console, console->channel, CONSOLE_WORDS(CONSOLE_ACQUIRE(word, 1), CONSOLE_RELEASE(word, 2)));
    uint64_t entry =
        console_list(console, CONSOLE_WORDS(0x20018000, 0xb0b5, 0x20088100, HIGH(from), LOW(from), HIGH(to), LOW(to),
                                            0x1000, 0x1000, 0x1000, 1, 0x200180c0, 0x186));
    *last = first;
    assert_ok(pfifo_nvhost_gpu_submit(console->client, second, &entry, 1,
                                      PFIFO_NVHOST_SUBMIT_WAIT | PFIFO_NVHOST_SUBMIT_INCREMENT, last));
    assert_ok(pfifo_nvhost_ctrl_register(console->client, console->control, SLOT));
    assert_ok(pfifo_nvgpu_query_event(console->client, console->control, 0x10000000 | SLOT, event));
    assert_int_equal(pfifo_nvhost_ctrl_wait_async(console->client, console->control, last, -1, SLOT),
                     PFIFO_NVGPU_TIMEOUT);
    console_wr32(console, 0x20000, 1);
}

static void go_on_in_another(struct console *console, uint64_t budget, struct log *log) {
    struct player_bytes stream = save(console->nvgpu);
    unsigned count = log->count;
    pfifo_nvgpu_free(console->nvgpu);
    log->count = count; /* what the end of the old one has signalled is not the program's */
    console_move(console, driver(budget, log));
    load(console->nvgpu, &stream);
    assert_int_equal(log->count, count);
    assert_same(&stream, save(console->nvgpu));
    free(stream.data);
}

static void session(bool cut, struct log *log) {
    enum { STEP = 7, STOPS = 400 };
    struct console console;
    struct pfifo_nvhost_fence last;
    uint32_t event, stops = 0;
    console_join_as(&console, driver(STEP, log), 7);
    begin(&console, &last, &event);
    while (console_value(&console, last.syncpoint) != last.value && stops++ < STOPS) {
        if (cut)
            go_on_in_another(&console, STEP, log);
        pfifo_nvgpu_run(console.nvgpu, STEP);
    }
    assert_in_range(stops, 3, STOPS - 1);
    assert_memory_equal(console.memory, console.memory + 0x10000, 0x1000);
    assert_int_equal(console_rd32(&console, 0x20000), 2);
    assert_true(pfifo_nvgpu_event_signalled(console.nvgpu, event, true));
    assert_ok(pfifo_nvhost_ctrl_unregister(console.client, console.control, SLOT));
    struct pfifo_nvhost_fence next = console_submit(&console, console.channel, CONSOLE_WORDS(0x20010014, 0));
    assert_int_equal(next.value, console.fence.value + 4);
    pfifo_nvgpu_free(console.nvgpu);
    console_forget(&console);
}

static void a_session_that_is_cut_goes_on(void **state) {
    struct log whole = {0}, cut = {0};
    (void)state;
    session(false, &whole);
    session(true, &cut);
    assert_memory_equal(&whole, &cut, sizeof whole);
    assert_int_not_equal(whole.count, 0);
}

/*
 * A list with each way to say how words go to methods, a macro that loops, a clear, and a copy: all of them are cut
 * somewhere when it is saved after each few units of work. The macro sends its parameter r1 times to 0x3404 (scratch
 * 1).
 */
#define MACRO_ADD(result, to, from, number) (1u | (result) << 4 | (to) << 8 | (from) << 11 | (uint32_t)(number) << 14)
#define MACRO_BACK_IF_NOT_ZERO(from, by)    (7u | 1u << 4 | 1u << 5 | (from) << 11 | (0x40000u - (by)) << 14)

static struct player_bytes busy_list(bool cut) {
    enum { STEP = 3, STOPS = 4000 };
    struct console console;
    console_join_as(&console, driver(STEP, NULL), 7);
    uint64_t target = console_buffer(&console, 0, 0x10000, NULL), to = console_buffer(&console, 0x20000, 0x1000, NULL);
    const uint32_t words[] = {0x20010000,
                              0xb197,
                              0x20018000,
                              0xb0b5, /* SET_OBJECT */
                              2u << 18 | 0x0d80,
                              1,
                              2, /* old increasing */
                              0x40000000 | 2u << 18 | 0x0d88,
                              3,
                              4, /* old non-increasing */
                              0x20020000 | 0x340c >> 2,
                              5,
                              6, /* increasing */
                              0x60020000 | 0x3414 >> 2,
                              7,
                              8,                        /* non-increasing */
                              0x80090000 | 0x3418 >> 2, /* immediate */
                              0xa0030000 | 0x341c >> 2,
                              10,
                              11,
                              12, /* once */
                              0x20010000 | 0x114 >> 2,
                              0, /* the macro's code from word 0 on: */
                              0x60060000 | 0x118 >> 2,
                              MACRO_ADD(2, 0, 0, 0x3404 >> 2),
                              MACRO_ADD(4, 0, 1, 0),
                              MACRO_ADD(1, 1, 1, 0x3ffff),
                              MACRO_BACK_IF_NOT_ZERO(1, 2u),
                              MACRO_ADD(1, 0, 0, 0) | 1u << 7,
                              MACRO_ADD(1, 0, 0, 0),
                              0x20010000 | 0x11c >> 2,
                              0,
                              0x20010000 | 0x120 >> 2,
                              0, /* macro 0 starts there */
                              0x20010000 | 0x3800 >> 2,
                              20, /* called */
                              0x20080000 | 0x800 >> 2,
                              HIGH(target),
                              LOW(target),
                              64,
                              64,
                              0xd5,
                              0,
                              1,
                              0, /* a target */
                              0x20010000 | 0x121c >> 2,
                              1,
                              0x20020000 | 0xff4 >> 2,
                              64 << 16,
                              64 << 16,
                              0x20020000 | 0xc00 >> 2,
                              64 << 16,
                              64 << 16,
                              0x20010000 | 0x1a00 >> 2,
                              0x1111, /* of this size */
                              0x20040000 | 0xd80 >> 2,
                              0x3f800000,
                              0,
                              0x3f800000,
                              0,
                              0x20010000 | 0x19d0 >> 2,
                              0x3c, /* cleared */
                              0x20010000 | 0x110 >> 2,
                              0, /* WAIT_FOR_IDLE */
                              0x20088100,
                              HIGH(target),
                              LOW(target),
                              HIGH(to),
                              LOW(to),
                              0x1000,
                              0x1000,
                              0x1000,
                              1,
                              0x200180c0,
                              0x186};

    struct pfifo_nvhost_fence fence = console_submit(&console, console.channel, words, sizeof words / sizeof words[0]);
    unsigned stops = 0;
    while (console_value(&console, fence.syncpoint) != fence.value && stops++ < STOPS) {
        if (cut)
            go_on_in_another(&console, STEP, &(struct log){.count = 0});
        pfifo_nvgpu_run(console.nvgpu, STEP);
    }
    assert_in_range(stops, 15, STOPS - 1);
    struct pfifo_nvhost_notification told;
    assert_ok(pfifo_nvhost_gpu_notification(console.client, console.channel, &told));
    assert_false(told.there);
    assert_int_equal(console_rd32(&console, 0x20000), 0x00ff00ff); /* cleared and copied */
    uint32_t scratch = 0;
    assert_true(
        pfifo_gpu_method_value(pfifo_device_gpu(pfifo_nvgpu_device(console.nvgpu)), 0, 0xb197, 0x3404, &scratch));
    assert_int_equal(scratch, 1); /* the macro's last word */
    struct player_bytes end = save(console.nvgpu);
    pfifo_nvgpu_free(console.nvgpu);
    console_forget(&console);
    return end;
}

static void all_modes_a_macro_and_a_clear_are_cut_and_go_on(void **state) {
    struct player_bytes whole = busy_list(false);
    (void)state;
    assert_same(&whole, busy_list(true));
    free(whole.data);
}

/* The first channel waits for a semaphore, the second for a syncpoint that the first increments after it. */
static struct player_bytes waits(bool cut) {
    enum { STEP = 3, STOPS = 400, SYNCPOINT = 9, INCREMENT = SYNCPOINT << 8 | 1, WAIT = SYNCPOINT << 8 | 0x10 };
    struct console console;
    struct pfifo_nvhost_fence own;
    unsigned stops = 0;
    console_join_as(&console, driver(STEP, NULL), 7);
    int32_t second = console_channel(&console, &own);
    uint64_t at = console_buffer(&console, 0, 0x1000, NULL);
    console_submit(&console, console.channel,
                   CONSOLE_WORDS(CONSOLE_ACQUIRE(at, 1), 0x2001001c, 0, 0x2001001d, INCREMENT));
    struct pfifo_nvhost_fence last =
        console_submit(&console, second, CONSOLE_WORDS(0x2001001c, 1, 0x2001001d, WAIT, CONSOLE_RELEASE(at + 32, 5)));
    while (pfifo_nvgpu_run(console.nvgpu, STEP) != PFIFO_STOP_WAITING && stops++ < STOPS)
        if (cut)
            go_on_in_another(&console, STEP, &(struct log){.count = 0});
    assert_in_range(stops, 2, STOPS - 1);
    if (cut)
        go_on_in_another(&console, STEP, &(struct log){.count = 0});
    assert_int_equal(pfifo_nvgpu_run(console.nvgpu, STEP), PFIFO_STOP_WAITING);
    assert_int_equal(console_rd32(&console, 32), 0);
    console_wr32(&console, 0, 1);
    for (stops = 0; console_value(&console, last.syncpoint) != last.value && stops < STOPS; stops++) {
        if (cut)
            go_on_in_another(&console, STEP, &(struct log){.count = 0});
        pfifo_nvgpu_run(console.nvgpu, STEP);
    }
    assert_in_range(stops, 2, STOPS - 1);
    assert_int_equal(console_rd32(&console, 32), 5);
    struct player_bytes end = save(console.nvgpu);
    pfifo_nvgpu_free(console.nvgpu);
    console_forget(&console);
    return end;
}

static void waits_of_both_kinds_are_cut_and_go_on(void **state) {
    struct player_bytes whole = waits(false);
    (void)state;
    assert_same(&whole, waits(true));
    free(whole.data);
}

/* Each has its own memory at the same address, in the driver and on the GPU. */
static void clients_see_only_their_own_memory_after_a_load(void **state) {
    struct console one, two;
    struct log log = {0};
    uint32_t shared, handle;
    (void)state;
    struct pfifo_nvgpu *old = driver(100000, &log);
    console_join_as(&one, old, 7);
    console_join_as(&two, old, 3);
    uint64_t at = console_buffer(&one, 0, 0x1000, &handle), same = console_buffer(&two, 0, 0x1000, &shared);
    assert_true(at == same);
    struct player_bytes stream = save(old);
    pfifo_nvgpu_free(old);
    struct pfifo_nvgpu *nvgpu = driver(100000, &log);
    console_move(&one, nvgpu);
    console_move(&two, nvgpu);
    load(nvgpu, &stream);
    console_submit(&one, one.channel, CONSOLE_WORDS(CONSOLE_RELEASE(at, 0x11)));
    assert_int_equal(console_rd32(&one, 0), 0x11);
    assert_int_equal(console_rd32(&two, 0), 0);
    console_submit(&two, two.channel, CONSOLE_WORDS(CONSOLE_RELEASE(at, 0x22)));
    assert_int_equal(console_rd32(&one, 0), 0x11);
    assert_int_equal(console_rd32(&two, 0), 0x22);
    assert_int_equal(pfifo_nvmap_free(one.client, one.nvmap, shared, &at, NULL), PFIFO_NVGPU_BAD_VALUE);
    free(stream.data);
    pfifo_nvgpu_free(nvgpu);
    console_forget(&one);
    console_forget(&two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_save_has_the_same_bytes),
        cmocka_unit_test(a_load_brings_the_gpus_clear_values),
        cmocka_unit_test(a_space_that_waits_for_its_start_is_loaded),
        cmocka_unit_test(damage_changes_nothing),
        cmocka_unit_test(edits_are_refused_or_safe),
        cmocka_unit_test(clients_are_those_of_the_stream),
        cmocka_unit_test(a_session_that_is_cut_goes_on),
        cmocka_unit_test(all_modes_a_macro_and_a_clear_are_cut_and_go_on),
        cmocka_unit_test(waits_of_both_kinds_are_cut_and_go_on),
        cmocka_unit_test(clients_see_only_their_own_memory_after_a_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
