/* SPDX-License-Identifier: MIT */
/* `pfifo lint`: for each rule a capture that has the hazard, and its twin that has not. */
#include "engine/macro_gf100.h"
#include "tool/lint.h"

#include <pfifo/lint.h>

static void begin(void) {
    capture_begin(&capture, FERMI, false);
}

/* ---- methods ---- */

static void a_method_to_an_unbound_subchannel_is_found(void **state) {
    (void)state;
    begin();
    SUBMIT(INC(3u, 0u, 1u), 0x902d, INC(3u, 0x100u, 1u), 0);
    expect_quiet();
    begin();
    SUBMIT(INC(2u, 0u, 1u), 0x902d, INC(3u, 0x100u, 2u), 0, 7);
    expect_found("submission 1, channel 0: error: object-not-bound\n"
                 "    nothing is bound to subchannel 3, so no engine takes the method (2 times)\n"
                 "    at 0x2001000c, buffer 2 + 0xc: subchannel 3, 0x0100 ?, data 0x00000000\n");
}

static void the_copy_engine_of_kepler_needs_no_binding(void **state) {
    (void)state;
    capture_begin(&capture, 0xe4, false);
    SUBMIT(INC(4u, 0x100u, 1u), 0);
    expect_quiet();
    capture_begin(&capture, 0xe4, false);
    SUBMIT(INC(3u, 0x100u, 1u), 0);
    struct outcome outcome = lint_with(NULL);
    expect_status(1, &outcome);
    expect_printed(&outcome, "nothing is bound to subchannel 3");
    outcome_free(&outcome);
}

static void a_method_that_the_class_does_not_have_is_found(void **state) {
    (void)state;
    begin();
    SUBMIT(INC(0u, 0u, 1u), 0x9097, INC(0u, 0x100u, 1u), 0);
    expect_quiet();
    begin();
    SUBMIT(INC(0u, 0u, 1u), 0x9097);
    SUBMIT(INC(0u, 0x2af0u, 1u), 1, INC(0u, 0x2af0u, 1u), 2);
    expect_found("submission 2, channel 0: warning: unknown-method\n"
                 "    class 0x9097 FERMI_A has no method 0x2af0 (2 times)\n"
                 "    at 0x2001000c, buffer 2 + 0xc: subchannel 0, 0x9097 FERMI_A, 0x2af0 ?, data 0x00000001\n");
}

static void bits_that_are_in_no_field_are_found(void **state) {
    (void)state;
    begin();
    SUBMIT(INC(0u, 0u, 1u), 0x9097, INC(0u, 0x121cu, 1u), 1);
    expect_quiet();
    begin();
    SUBMIT(INC(0u, 0u, 1u), 0x9097, INC(0u, 0x121cu, 1u), 0x80000001);
    expect_found("submission 1, channel 0: warning: unknown-bits\n"
                 "    bits 0x80000000 of 0x80000001 are in no field of the method\n"
                 "    at 0x2001000c, buffer 2 + 0xc: subchannel 0, 0x9097 FERMI_A, 0x121c SET_CT_SELECT, data "
                 "0x80000001\n");
}

/* The macro sends its parameter to a method of 9097. */
static void what_a_macro_sends_is_looked_at(void **state) {
    (void)state;
    static const struct {
        uint32_t method, parameter;
        const char *found;
    } cases[] = {{0x121c, 1, NULL},
                 {0x2af0, 1,
                  "submission 2, channel 0: warning: unknown-method\n"
                  "    a macro sends it: class 0x9097 FERMI_A has no method 0x2af0\n"
                  "    at 0x20010030, buffer 2 + 0x30: subchannel 0, 0x9097 FERMI_A, 0x3800 CALL_MME_MACRO(0), data "
                  "0x00000001\n"},
                 {0x121c, 0x80000001,
                  "submission 2, channel 0: warning: unknown-bits\n"
                  "    a macro sends it: bits 0x80000000 of 0x80000001 are in no field of method 0x121c\n"
                  "    at 0x20010030, buffer 2 + 0x30: subchannel 0, 0x9097 FERMI_A, 0x3800 CALL_MME_MACRO(0), data "
                  "0x80000001\n"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        SUBMIT(INC(0u, 0u, 1u), 0x9097, INC(0u, 0x114u, 1u), 0, NON_INC(0u, 0x118u, 3u), SET_MADDR(0u, cases[i].method),
               ADDI(MOV_SEND, 0u, 1u, 0) | EXIT, NOP, INC(0u, 0x11cu, 2u), 0, 0);
        SUBMIT(INC(0u, 0x3800u, 1u), cases[i].parameter);
        if (cases[i].found)
            expect_found(cases[i].found);
        else
            expect_quiet();
    }
}

/* Each channel has its own. */
static void a_macro_that_nobody_has_loaded_is_found(void **state) {
    (void)state;
    begin();
    SUBMIT(INC(0u, 0u, 1u), 0x9097, INC(0u, 0x11cu, 2u), 1, 0x40);
    SUBMIT(INC(0u, 0x3818u, 1u), 7);
    expect_found("submission 2, channel 0: error: macro-without-code\n"
                 "    nobody has loaded macro 3: it has no start address\n"
                 "    at 0x20010018, buffer 2 + 0x18: subchannel 0, 0x9097 FERMI_A, 0x3818 CALL_MME_MACRO(3), data "
                 "0x00000007\n");
    begin();
    SUBMIT(INC(0u, 0u, 1u), 0x9097, INC(0u, 0x11cu, 2u), 1, 0x40, INC(0u, 0x114u, 2u), 0x3f, NOP);
    SUBMIT(INC(0u, 0x3808u, 1u), 7);
    expect_found("submission 2, channel 0: error: macro-without-code\n"
                 "    macro 1 begins at 0x40, where nobody has loaded code\n"
                 "    at 0x20010024, buffer 2 + 0x24: subchannel 0, 0x9097 FERMI_A, 0x3808 CALL_MME_MACRO(1), data "
                 "0x00000007\n");
    begin();
    add_channel(1);
    SUBMIT(INC(0u, 0u, 1u), 0x9097, INC(0u, 0x11cu, 2u), 1, 0, INC(0u, 0x114u, 1u), 0, NON_INC(0u, 0x118u, 2u),
           NOP | EXIT, NOP);
    SUBMIT(INC(0u, 0x3808u, 1u), 7);
    capture.channel = 1;
    SUBMIT(INC(0u, 0u, 1u), 0x9097, INC(0u, 0x3808u, 1u), 7);
    struct outcome outcome = lint_with("--rule=macro-*");
    expect_status(1, &outcome);
    expect_printed(&outcome, "submission 3, channel 1: error: macro-without-code\n");
    if (strstr(outcome.out, ", channel 0:"))
        fail_msg("%s", outcome.out);
    outcome_free(&outcome);
}

/* 0xffc of 5097 is of G84 and later. */
static void a_method_of_other_chips_is_found(void **state) {
    (void)state;
    for (unsigned later = 0; later < 2; later++) {
        capture_begin(&capture, later ? 0x84 : 0x50, false);
        capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_OBJ,
                                                               .obj = {.handle = 0xbeef0001, .oclass = 0x5097}});
        SUBMIT(1u << 18, 0xbeef0001, 1u << 18 | 0xffc, 1);
        if (later)
            expect_quiet();
        else
            expect_found(
                "submission 1, channel 0: warning: state-not-kept\n"
                "    of chips with class 0x5097 G80_3D, method 0x0ffc is only of G84-\n"
                "    at 0x2001000c, buffer 2 + 0xc: subchannel 0, 0x5097 G80_3D, 0x0ffc UNK0FFC, data 0x00000001\n");
    }
}

/* ---- semaphores ---- */

static void on(uint32_t channel) {
    capture.channel = channel;
}

static void a_wait_that_nobody_ends_is_found(void **state) {
    (void)state;
    begin();
    add_channel(1);
    SUBMIT(SEMAPHORE(0x20, 3, ACQUIRE));
    on(1);
    SUBMIT(SEMAPHORE(0x20, 3, RELEASE));
    expect_quiet();
    begin();
    add_channel(1);
    SUBMIT(SEMAPHORE(0x20, 3, ACQUIRE));
    on(1);
    SUBMIT(SEMAPHORE(0x20, 2, RELEASE));
    expect_found(
        "submission 1, channel 0: error: fence-never-released\n"
        "    waits for 0x20020020 to be 0x3, and nothing in the capture releases it\n"
        "    at 0x20010010, buffer 2 + 0x10: subchannel 0, 0x906f GF100_CHANNEL_GPFIFO, 0x001c SEMAPHORED, data "
        "0x00000001\n");
}

static void channels_that_wait_for_one_another_are_found(void **state) {
    (void)state;
    begin();
    add_channel(1);
    SUBMIT(SEMAPHORE(0x10, 1, RELEASE), SEMAPHORE(0x20, 2, ACQUIRE));
    on(1);
    SUBMIT(SEMAPHORE(0x10, 1, ACQUIRE), SEMAPHORE(0x20, 2, RELEASE));
    expect_quiet();
    begin();
    add_channel(1);
    SUBMIT(SEMAPHORE(0x20, 2, ACQUIRE), SEMAPHORE(0x10, 1, RELEASE));
    on(1);
    SUBMIT(SEMAPHORE(0x10, 1, ACQUIRE), SEMAPHORE(0x20, 2, RELEASE));
    expect_found(
        "submission 1, channel 0: error: deadlock\n"
        "    waits for 0x20020020 to be 0x2, which channel 1 releases, but only after a wait for what comes "
        "after this one\n"
        "    at 0x20010010, buffer 2 + 0x10: subchannel 0, 0x906f GF100_CHANNEL_GPFIFO, 0x001c SEMAPHORED, data "
        "0x00000001\n");
}

static void a_channel_that_waits_for_itself_is_found(void **state) {
    (void)state;
    begin();
    SUBMIT(SEMAPHORE(0x20, 2, RELEASE), SEMAPHORE(0x20, 2, ACQUIRE));
    expect_quiet();
    begin();
    SUBMIT(SEMAPHORE(0x20, 2, ACQUIRE));
    SUBMIT(SEMAPHORE(0x20, 2, RELEASE));
    expect_found(
        "submission 1, channel 0: error: deadlock\n"
        "    waits for 0x20020020 to be 0x2, which the channel itself releases after this wait\n"
        "    at 0x20010010, buffer 2 + 0x10: subchannel 0, 0x906f GF100_CHANNEL_GPFIFO, 0x001c SEMAPHORED, data "
        "0x00000001\n");
}

/* Channels 0 and 2 are only held up: 0 by 1, which nobody releases, and 2 by 0. */
static void only_the_root_of_a_chain_of_waits_is_found(void **state) {
    (void)state;
    begin();
    add_channel(1);
    add_channel(2);
    SUBMIT(SEMAPHORE(0x20, 2, ACQUIRE), SEMAPHORE(0x30, 3, RELEASE));
    on(1);
    SUBMIT(SEMAPHORE(0x10, 1, ACQUIRE), SEMAPHORE(0x20, 2, RELEASE));
    on(2);
    SUBMIT(SEMAPHORE(0x30, 3, ACQUIRE));
    expect_found(
        "submission 2, channel 1: error: fence-never-released\n"
        "    waits for 0x20020010 to be 0x1, and nothing in the capture releases it\n"
        "    at 0x20010038, buffer 2 + 0x38: subchannel 0, 0x906f GF100_CHANNEL_GPFIFO, 0x001c SEMAPHORED, data "
        "0x00000001\n");
}

static void a_release_that_nobody_waits_for_is_found(void **state) {
    (void)state;
    for (unsigned waited = 0; waited < 2; waited++) {
        begin();
        add_channel(1);
        SUBMIT(SEMAPHORE(0x10, 1, RELEASE), SEMAPHORE(0x20, 2, RELEASE));
        on(1);
        SUBMIT(SEMAPHORE(0x10, 1, ACQUIRE), SEMAPHORE(waited ? 0x20 : 0x10, waited ? 2 : 1, ACQUIRE));
        if (waited)
            expect_quiet();
        else
            expect_found("submission 1, channel 0: warning: fence-never-waited\n"
                         "    0x20020020 is released 1 times, and nobody in the capture waits for it\n"
                         "    at 0x20010024, buffer 2 + 0x24: subchannel 0, 0x906f GF100_CHANNEL_GPFIFO, 0x001c "
                         "SEMAPHORED, data 0x01100002\n");
    }
}

/* If the CPU waits for the buffer, or nobody waits by semaphores at all, it may be for the CPU. */
static void a_release_for_the_cpu_is_no_hazard(void **state) {
    (void)state;
    begin();
    SUBMIT(SEMAPHORE(0x20, 2, RELEASE));
    expect_quiet();
    begin();
    add_channel(1);
    SUBMIT(SEMAPHORE(0x10, 1, RELEASE), SEMAPHORE(0x20, 2, RELEASE));
    on(1);
    SUBMIT(SEMAPHORE(0x10, 1, ACQUIRE));
    capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_PREP, .prep = {CAPTURE_DATA, 0}});
    expect_quiet();
}

/* It is one before others wait, too: what these wait for is next to what was for the CPU. */
static void a_wait_of_the_cpu_is_a_wait(void **state) {
    (void)state;
    for (unsigned waits = 0; waits < 2; waits++) {
        begin();
        add_channel(1);
        SUBMIT(SEMAPHORE(0x10, 1, RELEASE), SEMAPHORE(0x20, 2, RELEASE));
        if (waits)
            capture_append(&capture,
                           &(struct pfifo_stream_record){.type = PFIFO_STREAM_PREP, .prep = {CAPTURE_DATA, 0}});
        on(1);
        SUBMIT(SEMAPHORE(0x10, 1, ACQUIRE));
        struct outcome outcome = lint_with(NULL);
        expect_status(waits ? 0 : 1, &outcome);
        assert_int_equal(strstr(outcome.out, "fence-never-waited") != NULL, !waits);
        outcome_free(&outcome);
    }
}

/* More than a table of channels has room for at first. */
static void each_of_nine_channels_that_wait_is_found(void **state) {
    enum { CHANNELS = 9 };
    (void)state;
    for (unsigned released = 0; released < 2; released++) {
        begin();
        for (uint32_t channel = 1; channel <= CHANNELS; channel++)
            add_channel(channel);
        for (uint32_t channel = 1; channel <= CHANNELS; channel++) {
            on(channel);
            SUBMIT(SEMAPHORE(0x100 + 16 * channel, channel, ACQUIRE));
        }
        on(0);
        for (uint32_t channel = 1; released && channel <= CHANNELS; channel++)
            SUBMIT(SEMAPHORE(0x100 + 16 * channel, channel, RELEASE));
        struct outcome outcome = lint_with("--json");
        unsigned found = 0;
        for (const char *at = outcome.out; (at = strstr(at, "\"rule\":\"fence-never-released\"")); at++)
            found++;
        expect_status(released ? 0 : 1, &outcome);
        assert_int_equal(found, released ? 0 : CHANNELS);
        outcome_free(&outcome);
    }
}

/* ---- words ---- */

/* Channel 0 waits, and has two words after that, at 0x14 and 0x18; channel 1 may end the wait. */
static void wait_with_words_behind(void) {
    add_channel(1);
    SUBMIT(SEMAPHORE(0x10, 1, ACQUIRE), INC(0u, 0x8u, 1u), 0);
}

/* Channel 1 writes `value` to a word of the pushbuffer, and ends the wait. */
static void release_into_words(uint32_t offset, uint32_t value) {
    on(1);
    SUBMIT(INC(0u, 0x10u, 4u), 0, (uint32_t)capture.push_address + offset, value, RELEASE, SEMAPHORE(0x10, 1, RELEASE));
}

static void words_that_the_gpu_writes_while_they_are_queued_are_found(void **state) {
    (void)state;
    begin();
    wait_with_words_behind();
    release_into_words(0x18, 0); /* as it is already */
    expect_quiet();
    begin();
    wait_with_words_behind();
    release_into_words(0x10, 7); /* of the method that waits */
    expect_quiet();
    begin();
    wait_with_words_behind();
    release_into_words(0x800, 7);
    expect_quiet();
    begin();
    capture.no_prefetch = true; /* meant to be written */
    wait_with_words_behind();
    release_into_words(0x18, 7);
    expect_quiet();
    begin();
    wait_with_words_behind();
    release_into_words(0x18, 7);
    expect_found(
        "submission 2, channel 1: error: words-overwritten\n"
        "    overwrites the word 0x00000000 at 0x20010018 of submission 1, channel 0, with 0x00000007: it is queued, "
        "may be prefetched, and is not executed\n"
        "    at 0x2001002c, buffer 2 + 0x2c: subchannel 0, 0x906f GF100_CHANNEL_GPFIFO, 0x001c SEMAPHORED, data "
        "0x01100002\n");
}

/* A write before the machine has run may have been before the submission, too. */
static void words_that_the_cpu_writes_while_they_are_queued_are_found(void **state) {
    (void)state;
    static const struct {
        bool runs;
        uint32_t offset, word;
        bool found;
    } cases[] = {{true, 0x18, 7, true},
                 {true, 0x18, 0, false},
                 {true, 0x10, 7, false},
                 {true, 0x1c, 7, false},
                 {false, 0x18, 7, false}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        capture_begin_2(&capture, FERMI);
        capture.no_dump = true;
        wait_with_words_behind();
        if (cases[i].runs)
            capture_run(&capture);
        capture_write(&capture, CAPTURE_PUSH, cases[i].offset, cases[i].word);
        on(1);
        capture.end = 0x100;
        SUBMIT(SEMAPHORE(0x10, 1, RELEASE));
        capture_run(&capture);
        capture_write(&capture, CAPTURE_PUSH, 0x18, 9); /* everything is executed */
        if (cases[i].found)
            expect_found(
                "submission 1, channel 0: error: words-overwritten\n"
                "    the CPU overwrites the word 0x00000000 before submission 1, which is queued, has executed "
                "it\n"
                "    at 0x20010018, buffer 2 + 0x18\n");
        else
            expect_quiet();
    }
}

/* ---- the tool ---- */

static void capture_with_two_findings(void) {
    begin();
    SUBMIT(INC(3u, 0x100u, 1u), 5, INC(0u, 0u, 1u), 0x9097, INC(0u, 0x2af0u, 1u), 1);
}

static void only_the_rules_that_are_asked_for_are_looked_at(void **state) {
    (void)state;
    capture_with_two_findings();
    struct outcome outcome = lint_with("--rule=unknown-*");
    expect_status(1, &outcome);
    expect_printed(&outcome, "unknown-method");
    assert_null(strstr(outcome.out, "object-not-bound"));
    outcome_free(&outcome);
    capture_with_two_findings();
    outcome = lint_with("--rule=deadlock,fence-*");
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, "");
    outcome_free(&outcome);
    capture_with_two_findings();
    outcome = lint_with("--rule=unknown-*,nonsense");
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "no rule is called 'nonsense'"));
    outcome_free(&outcome);
}

static void json_is_a_line_per_finding(void **state) {
    (void)state;
    capture_with_two_findings();
    struct outcome outcome = lint_with("--json");
    size_t first = strcspn(outcome.out, "\n");
    struct json *one = json_parse(outcome.out, first);
    struct json *two = json_parse(outcome.out + first + 1, outcome.out_bytes - first - 2);

    expect_status(1, &outcome);
    assert_non_null(one);
    assert_non_null(two);
    assert_string_equal(json_get(one, "rule")->text, "object-not-bound");
    assert_string_equal(json_get(two, "rule")->text, "unknown-method");
    expect_printed(&outcome,
                   "\"event\":\"finding\",\"rule\":\"unknown-method\",\"severity\":\"warning\",\"submission\":1,"
                   "\"channel\":0,\"address\":536936468,\"buffer\":2,\"offset\":20,\"subchannel\":0,"
                   "\"class\":37015,\"class_name\":\"FERMI_A\",\"method\":10992,\"data\":1,\"count\":1,"
                   "\"text\":\"class 0x9097 FERMI_A has no method 0x2af0\"}\n");
    json_free(one);
    json_free(two);
    outcome_free(&outcome);
}

static void the_rules_are_listed(void **state) {
    (void)state;
    struct outcome outcome = tool_run("lint", "--list-rules");

    expect_status(0, &outcome);
    expect_printed(&outcome,
                   "deadlock                 error    what a channel waits for is released only after that wait\n");
    outcome_free(&outcome);
}

static void a_capture_that_does_not_run_to_its_end_is_an_error(void **state) {
    (void)state;
    begin();
    SUBMIT(INC(0u, 0u, 1u), 0x9097, INC(0u, 0x2af0u, 1u), 1);
    SUBMIT(INC(0u, 0x100u, 1u), 0);
    struct outcome outcome = lint_with("--budget=3");
    expect_status(2, &outcome);
    assert_non_null(strstr(outcome.err, "the rest was not looked at"));
    outcome_free(&outcome);
    outcome = tool_run("lint");
    expect_status(2, &outcome);
    outcome_free(&outcome);
    outcome = tool_run("lint", "/nowhere/at.all");
    expect_status(2, &outcome);
    outcome_free(&outcome);
}

/* What only looks at lint's status must not take a broken stream for a good one. */
static void faults_are_counted_and_are_no_success(void **state) {
    (void)state;
    begin();
    SUBMIT(0xc0000000u, 0u);
    struct outcome outcome = lint_with(NULL);
    expect_status(1, &outcome);
    assert_string_equal(outcome.out, "");
    assert_non_null(strstr(outcome.err, ": 1 fault: pfifo run says which\n"));
    outcome_free(&outcome);
    begin();
    SUBMIT(0xc0000000u, 0u);
    outcome = lint_with("--rule=*");
    expect_status(0, &outcome);
    outcome_free(&outcome);
}

/* False alarms are defects: what Mesa and the programs of a Switch send has no hazard. */
static void the_samples_are_quiet(void **state) {
    (void)state;
    static const char *const samples[] = {"captures/nv117-piglit-copy-pixels.nvcap.xz",
                                          "captures/nv12b-glmark2-desktop-3frames.nvcap.xz",
                                          "captures/nv40-quad-gbm-20frames.nvcap.xz",
                                          "captures/nva3-kmscube-8frames.nvcap.xz",
                                          "captures/nvc0-piglit-occlusion_query.nvcap.xz",
                                          "captures/nve4-piglit-arb_query_buffer_object-qbo.nvcap.xz",
                                          "tegra/fences.nvcap.zst",
                                          "tegra/square.nvcap.zst",
                                          "tegra/compute.nvcap.zst",
                                          "tegra/patches.nvcap.zst"};
    const char *folder = getenv("PFIFO_SAMPLES");

    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder ? folder : "samples", samples[i]);
        struct outcome outcome = tool_run("lint", path);
        expect_status(0, &outcome);
        assert_string_equal(outcome.out, "");
        outcome_free(&outcome);
    }
}

static void a_capture_that_is_refused_needs_no_place_for_the_error(void **state) {
    const struct pfifo_lint_options options = {.size = sizeof options, .chip = pfifo_chip_by_name("NV40")};
    struct pfifo_stream *stream;
    struct pfifo_error error;
    char *path;

    (void)state;
    begin();
    SUBMIT(INC(3u, 0u, 1u), 0x902d);
    path = capture_file(&capture);
    stream = pfifo_stream_open(path, &error);
    assert_non_null(stream);
    assert_int_not_equal(pfifo_lint_stream(stream, &options, NULL, NULL, NULL, &error), PFIFO_OK);
    pfifo_stream_rewind(stream);
    assert_int_equal(pfifo_lint_stream(stream, &options, NULL, NULL, NULL, NULL), error.status);
    pfifo_stream_close(stream);
    unlink(path);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_to_an_unbound_subchannel_is_found),
        cmocka_unit_test(the_copy_engine_of_kepler_needs_no_binding),
        cmocka_unit_test(a_method_that_the_class_does_not_have_is_found),
        cmocka_unit_test(bits_that_are_in_no_field_are_found),
        cmocka_unit_test(what_a_macro_sends_is_looked_at),
        cmocka_unit_test(a_macro_that_nobody_has_loaded_is_found),
        cmocka_unit_test(a_method_of_other_chips_is_found),
        cmocka_unit_test(a_wait_that_nobody_ends_is_found),
        cmocka_unit_test(channels_that_wait_for_one_another_are_found),
        cmocka_unit_test(a_channel_that_waits_for_itself_is_found),
        cmocka_unit_test(only_the_root_of_a_chain_of_waits_is_found),
        cmocka_unit_test(a_release_that_nobody_waits_for_is_found),
        cmocka_unit_test(a_release_for_the_cpu_is_no_hazard),
        cmocka_unit_test(a_wait_of_the_cpu_is_a_wait),
        cmocka_unit_test(each_of_nine_channels_that_wait_is_found),
        cmocka_unit_test(words_that_the_gpu_writes_while_they_are_queued_are_found),
        cmocka_unit_test(words_that_the_cpu_writes_while_they_are_queued_are_found),
        cmocka_unit_test(only_the_rules_that_are_asked_for_are_looked_at),
        cmocka_unit_test(json_is_a_line_per_finding),
        cmocka_unit_test(the_rules_are_listed),
        cmocka_unit_test(faults_are_counted_and_are_no_success),
        cmocka_unit_test(a_capture_that_does_not_run_to_its_end_is_an_error),
        cmocka_unit_test(a_capture_that_is_refused_needs_no_place_for_the_error),
        cmocka_unit_test(the_samples_are_quiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
