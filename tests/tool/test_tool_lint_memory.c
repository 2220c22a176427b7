/* SPDX-License-Identifier: MIT */
/* `pfifo lint`: what is written and read without a wait, by channels and the CPU. */
#include "tool/lint.h"

enum { PAGE = 4096, SOURCE = 0x100, MIDDLE = 0x200, TARGET = 0x300, DONE = 0x20 };

#define BIND INC(2u, 0u, 1u), 0x9039

/* Copy bytes inside of the page of data. */
#define COPY(from, to, bytes)                                                                                          \
    INC(2u, 0x238u, 2u), 0, (uint32_t)capture.data_address + (to), INC(2u, 0x30cu, 6u), 0,                             \
        (uint32_t)capture.data_address + (from), 0, 0, (bytes), 1, INC(2u, 0x300u, 1u), 0x110

static void run_for(uint64_t units) {
    capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_RUN, .run = {units}});
}

/* Two channels with M2MF, whose capture has begun. */
static void make_two(void) {
    capture.no_dump = true;
    add_channel(1);
    capture.channel = 0;
    SUBMIT(BIND);
    capture.channel = 1;
    SUBMIT(BIND);
    capture_run(&capture);
    capture.channel = 0;
}

/* Of version 2. */
static void begin_two(void) {
    capture_begin_2(&capture, FERMI);
    make_two();
}

/* ---- channels ---- */

static void what_another_channel_writes_is_read_without_a_wait(void **state) {
    static const struct {
        bool releases, runs, acquires, overlaps, found;
    } cases[] = {
        {false, false, false, true, true},   {false, true, false, true, true}, /* that it has run is nothing that
                                                                                  anybody could know */
        {false, false, false, false, false}, {true, false, true, true, false}, {true, false, false, true, true},
        {true, true, false, true, false}, /* the CPU may have looked at the semaphore before it submitted */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin_two();
        if (cases[i].releases)
            SUBMIT(COPY(SOURCE, MIDDLE, 16), SEMAPHORE(DONE, 1, RELEASE));
        else
            SUBMIT(COPY(SOURCE, MIDDLE, 16));
        if (cases[i].runs)
            capture_run(&capture);
        capture.channel = 1;
        if (cases[i].acquires)
            SUBMIT(SEMAPHORE(DONE, 1, ACQUIRE), COPY(MIDDLE, TARGET, 16));
        else
            SUBMIT(COPY(cases[i].overlaps ? MIDDLE : MIDDLE + 16, TARGET, 16));
        capture_run(&capture);
        struct outcome outcome = lint_with("--rule=read-without-wait");
        if (cases[i].found) {
            expect_printed(&outcome, "submission 4, channel 1: error: read-without-wait\n"
                                     "    reads 0x20020200 (copy), which channel 0 has written (copy, submission 3), "
                                     "and nothing makes it wait for that\n");
            expect_printed(&outcome, "0x0300 LAUNCH_DMA, data 0x00000110\n");
        } else {
            assert_string_equal(outcome.out, "");
        }
        expect_status(cases[i].found ? 1 : 0, &outcome);
        outcome_free(&outcome);
    }
}

static void what_another_channel_reads_is_written_without_a_wait(void **state) {
    (void)state;
    for (unsigned waits = 0; waits < 2; waits++) {
        begin_two();
        SUBMIT(COPY(SOURCE, MIDDLE, 16), SEMAPHORE(DONE, 1, RELEASE));
        capture.channel = 1;
        if (waits)
            SUBMIT(SEMAPHORE(DONE, 1, ACQUIRE), COPY(TARGET, SOURCE, 16));
        else
            SUBMIT(COPY(TARGET, SOURCE, 16));
        capture_run(&capture);
        struct outcome outcome = lint_with("--rule=read-without-wait");
        if (!waits)
            expect_printed(&outcome, "    writes 0x20020100 (copy), which channel 0 has read (copy, submission 3), and "
                                     "nothing makes it wait for that\n");
        expect_status(waits ? 0 : 1, &outcome);
        outcome_free(&outcome);
    }
}

/* Channel 1 has waited for channel 0, and channel 2 for channel 1. */
static void who_waits_for_who_has_waited_has_waited(void **state) {
    (void)state;
    for (unsigned waits = 0; waits < 2; waits++) {
        begin_two();
        add_channel(2);
        capture.channel = 2;
        SUBMIT(BIND);
        capture_run(&capture);
        capture.channel = 0;
        SUBMIT(COPY(SOURCE, MIDDLE, 16), SEMAPHORE(DONE, 1, RELEASE));
        capture.channel = 1;
        if (waits)
            SUBMIT(SEMAPHORE(DONE, 1, ACQUIRE), SEMAPHORE(DONE + 16, 1, RELEASE));
        else
            SUBMIT(SEMAPHORE(DONE + 16, 1, RELEASE));
        capture.channel = 2;
        SUBMIT(SEMAPHORE(DONE + 16, 1, ACQUIRE), COPY(MIDDLE, TARGET, 16));
        capture_run(&capture);
        struct outcome outcome = lint_with("--rule=read-without-wait");
        expect_status(waits ? 0 : 1, &outcome);
        outcome_free(&outcome);
    }
}

/* Lines of 4 bytes, 16 apart, beside each other or not. */
/* A capture does not say whose point an object has: who waits for one knows all. */
static void who_waits_for_a_sync_object_has_waited(void **state) {
    (void)state;
    for (int waits = 0; waits < 2; waits++) {
        capture_begin_3(&capture, FERMI);
        make_two();
        SUBMIT(COPY(SOURCE, MIDDLE, 16));
        capture_run(&capture);
        capture.channel = 1;
        capture.waits_for = waits ? 7 : 0;
        SUBMIT(COPY(MIDDLE, TARGET, 16));
        capture_run(&capture);
        struct outcome outcome = lint_with("--rule=read-without-wait");
        expect_status(waits ? 0 : 1, &outcome);
        outcome_free(&outcome);
    }
}

static void lines_between_lines_are_no_hazard(void **state) {
    (void)state;
    for (unsigned shift = 0; shift < 12; shift += 2) {
        begin_two();
        SUBMIT(INC(2u, 0x238u, 2u), 0, (uint32_t)capture.data_address + MIDDLE, INC(2u, 0x30cu, 6u), 0,
               (uint32_t)capture.data_address + SOURCE, 4, 16, 4, 4, INC(2u, 0x300u, 1u), 0x110);
        capture.channel = 1;
        SUBMIT(INC(2u, 0x238u, 2u), 0, (uint32_t)capture.data_address + TARGET, INC(2u, 0x30cu, 6u), 0,
               (uint32_t)capture.data_address + MIDDLE + shift, 16, 4, 4, 3, INC(2u, 0x300u, 1u), 0x110);
        capture_run(&capture);
        struct outcome outcome = lint_with("--rule=read-without-wait");
        expect_status(shift < 4 ? 1 : 0, &outcome);
        outcome_free(&outcome);
    }
}

/* The kernel of version 1 waits for those who name the same buffers. Here a third one, in no list. */
static void the_kernel_orders_what_names_its_buffers(void **state) {
    (void)state;
    for (unsigned named = 0; named < 2; named++) {
        capture_begin(&capture, FERMI, false);
        add_channel(1);
        const uint64_t address = capture.data_address + 0x10000;
        const uint32_t middle = named ? (uint32_t)capture.data_address + MIDDLE : (uint32_t)address;
        const struct pfifo_stream_bonew buffer = {
            .handle = 9, .domain = PFIFO_STREAM_GART, .bytes = PAGE, .address = address};
        capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW, .bonew = buffer});
        SUBMIT(BIND, INC(2u, 0x238u, 2u), 0, middle, INC(2u, 0x30cu, 6u), 0, (uint32_t)capture.data_address + SOURCE, 0,
               0, 16, 1, INC(2u, 0x300u, 1u), 0x110);
        capture.channel = 1;
        SUBMIT(BIND, INC(2u, 0x238u, 2u), 0, (uint32_t)capture.data_address + TARGET, INC(2u, 0x30cu, 6u), 0, middle, 0,
               0, 16, 1, INC(2u, 0x300u, 1u), 0x110);
        struct outcome outcome = lint_with(NULL);
        expect_status(named ? 0 : 1, &outcome);
        assert_int_equal(strstr(outcome.out, "read-without-wait") != NULL, !named);
        outcome_free(&outcome);
    }
}

/* ---- textures ---- */

/* Mesa renders to a texture, and has the caches of textures invalidated, or waits for idle. Without that: */
static void a_texture_that_was_drawn_to_is_read_without_a_wait(void **state) {
    (void)state;
    char sample[1024], *path = temporary_path(".nvcap");
    const char *folder = getenv("PFIFO_SAMPLES");

    snprintf(sample, sizeof sample, "%s/captures/nvc0-glmark2-desktop-3frames.nvcap.xz", folder ? folder : "samples");
    for (unsigned dropped = 0; dropped < 2; dropped++) {
        struct outcome outcome = tool_run("edit", "--drop", "--class=9097", "-o", path,
                                          dropped ? "--method=0x110,0x1330,0x1334,0x1338" : "--method=0x110", sample);
        expect_status(0, &outcome);
        outcome_free(&outcome);
        outcome = tool_run("lint", "--rule=texture-*", path);
        expect_status(dropped ? 1 : 0, &outcome);
        if (dropped)
            expect_printed(&outcome,
                           "warning: texture-without-wait\n"
                           "    a draw reads the texture at 0x102549000, to which the channel has drawn (target, "
                           "submission 29), and no wait for idle or invalidation of the texture cache is between");
        outcome_free(&outcome);
    }
    unlink(path);
    free(path);
}

/* ---- the CPU ---- */

/* The page of data at the first and the second submission differs at an offset. */
static void the_cpu_overwrites_what_was_read_without_a_wait(void **state) {
    enum how { NOTHING, FENCE, PREP, OBJECT, SIGNAL };
    static const struct {
        enum how how;
        uint32_t offset;
        bool found;
    } cases[] = {{NOTHING, SOURCE + 4, true}, {NOTHING, SOURCE + 16, false}, {NOTHING, SOURCE - 4, false},
                 {NOTHING, 0, false},         {FENCE, SOURCE + 4, false},    {PREP, SOURCE + 4, false},
                 {OBJECT, SOURCE + 4, false}, {SIGNAL, SOURCE + 4, true},    {NOTHING, SOURCE + 12, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct pfifo_stream_record wait = {.type = PFIFO_STREAM_PREP, .prep = {CAPTURE_DATA, 0}};
        uint8_t page[PAGE] = {[SOURCE] = 7};
        const struct pfifo_stream_record object = {
            .type = PFIFO_STREAM_SYNC,
            .sync = {7, cases[i].how == OBJECT ? PFIFO_STREAM_SYNC_CPU_WAIT : PFIFO_STREAM_SYNC_CPU_SIGNAL, 0}};
        if (cases[i].how >= OBJECT)
            capture_begin_3(&capture, FERMI);
        else
            capture_begin(&capture, FERMI, false);
        const uint32_t words[] = {BIND, COPY(SOURCE, MIDDLE, 16), SEMAPHORE(DONE, 1, RELEASE)};
        capture_submit(&capture, words, sizeof words / 4 - (cases[i].how == FENCE ? 0 : 5), page);
        if (cases[i].how >= OBJECT)
            capture_run(&capture);
        if (cases[i].how >= PREP)
            capture_append(&capture, cases[i].how == PREP ? &wait : &object);
        page[cases[i].offset] ^= cases[i].offset ? 1 : 0;
        capture_submit(&capture, (const uint32_t[]){INC(2u, 0x100u, 1u), 0}, 2, page);
        if (cases[i].found)
            expect_found("submission 1, channel 0: warning: cpu-write\n"
                         "    reads (copy) what the CPU overwrites for submission 2, and no fence, semaphore or wait "
                         "tells the CPU that it has been read\n"
                         "    at 0x20010034, buffer 2 + 0x34: subchannel 2, 0x9039 FERMI_MEMORY_TO_MEMORY_FORMAT_A, "
                         "0x0300 LAUNCH_DMA, data 0x00000110\n");
        else
            expect_quiet();
    }
}

static void add_object(uint32_t handle, uint32_t oclass) {
    const struct pfifo_stream_record record = {.type = PFIFO_STREAM_OBJ, .obj = {.handle = handle, .oclass = oclass}};

    capture_append(&capture, &record);
}

/* Before G80 a buffer is where it is in VRAM or GART. An image of 4 by 1 pixels, scaled by 1, without a notifier. */
static void it_is_found_before_g80_too(void **state) {
    (void)state;
    for (unsigned elsewhere = 0; elsewhere < 2; elsewhere++) {
        uint8_t page[PAGE] = {0};
        capture_begin(&capture, 0x44, true);
        add_object(0xbeef0001, 0x3062);
        add_object(0xbeef0002, 0x3089);
        const uint32_t at = (uint32_t)capture.data_address, tt = 0xbeef0202, size = 4 | 1 << 16;
        const uint32_t words[] = {1u << 18,
                                  0xbeef0001,
                                  2u << 18 | 0x184,
                                  tt,
                                  tt,
                                  4u << 18 | 0x300,
                                  10,
                                  64 << 16 | 64,
                                  at + 0x800,
                                  at + 0x800,
                                  1u << 18 | 1 << 13,
                                  0xbeef0002,
                                  1u << 18 | 1 << 13 | 0x184,
                                  tt,
                                  1u << 18 | 1 << 13 | 0x198,
                                  0xbeef0001,
                                  8u << 18 | 1 << 13 | 0x300,
                                  3,
                                  3,
                                  0,
                                  size,
                                  0,
                                  size,
                                  1 << 20,
                                  1 << 20,
                                  4u << 18 | 1 << 13 | 0x400,
                                  size,
                                  64 | 2 << 16,
                                  at + SOURCE,
                                  0};
        capture_submit(&capture, words, sizeof words / 4, page);
        page[elsewhere ? SOURCE + 16 : SOURCE + 12] ^= 1;
        capture_submit(&capture, (const uint32_t[]){1u << 18 | 0x100, 0}, 2, page);
        struct outcome outcome = lint_with("--rule=cpu-write");
        expect_status(elsewhere ? 0 : 1, &outcome);
        outcome_free(&outcome);
    }
}

/* Channel 0 has a long copy to do before the one that matters, when the CPU writes. */
static void the_cpu_overwrites_what_is_still_to_be_read(void **state) {
    enum { LONG = 0x10000, HANDLE = 9 };
    (void)state;
    for (unsigned elsewhere = 0; elsewhere < 2; elsewhere++) {
        begin_two();
        const uint64_t address = capture.data_address + 0x100000;
        const struct pfifo_stream_bonew buffer = {
            .handle = HANDLE, .domain = PFIFO_STREAM_GART, .bytes = 64 * LONG, .address = address};
        capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW, .bonew = buffer});
        SUBMIT(INC(2u, 0x238u, 2u), 0, (uint32_t)address, INC(2u, 0x30cu, 6u), 0, (uint32_t)address + 32 * LONG, 0, 0,
               32 * LONG, 1, INC(2u, 0x300u, 1u), 0x110, COPY(SOURCE, MIDDLE, 16), SEMAPHORE(DONE, 1, RELEASE));
        run_for(64);
        capture_write(&capture, CAPTURE_DATA, elsewhere ? SOURCE + 16 : SOURCE + 8, 5);
        capture_run(&capture);
        if (elsewhere)
            expect_quiet();
        else
            expect_found(
                "submission 3, channel 0: warning: cpu-write\n"
                "    reads 0x20020100 (copy), which the CPU has overwritten since submission 3 was queued, and "
                "does not wait for it\n"
                "    at 0x2001006c, buffer 2 + 0x6c: subchannel 2, 0x9039 FERMI_MEMORY_TO_MEMORY_FORMAT_A, "
                "0x0300 LAUNCH_DMA, data 0x00000110\n");
    }
}

/* The channel waits for a semaphore that the CPU writes after the data. */
static void what_the_gpu_waits_for_may_be_written(void **state) {
    (void)state;
    begin_two();
    SUBMIT(SEMAPHORE(0x40, 1, ACQUIRE), COPY(SOURCE, MIDDLE, 16), SEMAPHORE(DONE, 1, RELEASE));
    capture_run(&capture);
    capture_write(&capture, CAPTURE_DATA, SOURCE + 8, 5);
    capture_write(&capture, CAPTURE_DATA, 0x40, 1);
    capture_run(&capture);
    struct outcome outcome = lint_with("--rule=cpu-write");
    expect_status(0, &outcome);
    outcome_free(&outcome);
}

/* ---- many ---- */

/* More fences and channels than there is room for: nothing is made up. */
static void what_does_not_fit_is_no_hazard(void **state) {
    (void)state;
    capture_begin(&capture, FERMI, false);
    for (uint32_t channel = 1; channel < 40; channel++)
        add_channel(channel);
    for (uint32_t channel = 0; channel < 40; channel++) {
        capture.channel = channel;
        SUBMIT(BIND, COPY(16u * channel + 0x100, 16u * channel + 0x110, 16));
    }
    expect_quiet();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_another_channel_writes_is_read_without_a_wait),
        cmocka_unit_test(what_another_channel_reads_is_written_without_a_wait),
        cmocka_unit_test(who_waits_for_who_has_waited_has_waited),
        cmocka_unit_test(who_waits_for_a_sync_object_has_waited),
        cmocka_unit_test(lines_between_lines_are_no_hazard),
        cmocka_unit_test(the_kernel_orders_what_names_its_buffers),
        cmocka_unit_test(a_texture_that_was_drawn_to_is_read_without_a_wait),
        cmocka_unit_test(the_cpu_overwrites_what_was_read_without_a_wait),
        cmocka_unit_test(it_is_found_before_g80_too),
        cmocka_unit_test(the_cpu_overwrites_what_is_still_to_be_read),
        cmocka_unit_test(what_the_gpu_waits_for_may_be_written),
        cmocka_unit_test(what_does_not_fit_is_no_hazard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
