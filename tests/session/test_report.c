/* SPDX-License-Identifier: MIT */
/* What a person is told about channels that do not go on. */
#include "drm/rig.h"

#include <stdio.h>

static struct rig rig;

struct text {
    char bytes[32768];
    size_t used;
};

static struct text text;

static void keep(void *opaque, const char *line) {
    struct text *to = opaque;
    assert_null(strchr(line, '\n'));
    int length = snprintf(to->bytes + to->used, sizeof to->bytes - to->used, "%s\n", line);
    assert_in_range(length, 1, sizeof to->bytes - to->used - 1);
    to->used += (size_t)length;
}

static const char *report(void) {
    text.used = 0;
    text.bytes[0] = '\0';
    drm_device_report(rig.device, keep, &text);
    return text.bytes;
}

static void expect(const char *what) {
    if (!strstr(report(), what))
        fail_msg("%s: no '%s' in\n%s", rig.part->chip, what, text.bytes);
}

static void expect_not(const char *what) {
    if (strstr(report(), what))
        fail_msg("%s: '%s' in\n%s", rig.part->chip, what, text.bytes);
}

/* Submit from a buffer that stays. */
static int submit(const struct rig_channel *channel, struct words *words) {
    struct rig_submission submission = {0};
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, channel->file, GART, PAGE);
    rig_list(&submission, &buffer, false);
    rig_push(&rig, &submission, channel, &buffer, 0, words);
    return rig_submit(&rig, channel, &submission);
}

static void a_channel_without_work_is_idle(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        struct words words = {.part = part};
        words_bind_object(&words, 0);
        words_method(&words, 0, NOP, 7);
        assert_int_equal(submit(&channel, &words), 0);
        expect(part->chip);
        expect("nothing is left to do, 0 faults\n");
        expect(": idle, 1 submission\n");
        expect("  last segment 0x");
        expect(" 0100 N");
        expect_not("    > ");
        expect_not("waits");
        expect("methods not executed: 0\n");
        rig_close(&rig);
    }
}

/* Of the methods that come after an acquire nothing is fetched from GF100 on. */
static void expect_waiting_segment(const struct rig_channel *channel) {
    struct words words = {.part = rig.part};
    const char *marked = strstr(text.bytes, "    > "), *method = strstr(marked, " 001c ");
    assert_true(method && method < strchr(marked, '\n'));
    words_method(&words, 0, NOP, 0);
    assert_int_equal(submit(channel, &words), 0);
    expect("; 1 after it\n");
}

/* The last word that was fetched is marked, and is that of the semaphore; the words after it follow. */
static void an_acquire_that_waits_is_shown_with_its_packets(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->calls)
            continue;
        rig_open(&rig, part);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        struct words words = {.part = part};
        words_bind_object(&words, 0);
        words_acquire(&words, &channel, 0x77);
        words_method(&words, 0, NOP, 0x1234);
        assert_int_equal(submit(&channel, &words), 0);
        expect("all channels with work wait");
        expect(": has work, 1 submission\n");
        expect("  waits for 0x77 at 0x");
        expect(", finds 0x0\n");
        expect("  in segment 0x");
        expect("00000077");
        expect("    > ");
        if (part->classes)
            expect_waiting_segment(&channel);
        rig_wr32(channel.file, &channel.semaphore, channel.at, 0x77);
        if (drm_device_poll(rig.device))
            fail_msg("%s still waits:\n%s", part->chip, report());
        expect(": idle, ");
        rig_close(&rig);
    }
}

static void what_a_channel_did_stays_when_it_is_killed(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->classes)
            continue;
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file), bad = channel;
        struct words words = {.part = part}, more = {.part = part};
        bad.semaphore.offset = UINT64_C(0xfe0000000);
        words_release(&words, &bad, 1);
        submit(&channel, &words);
        words_method(&more, 0, NOP, 0);
        assert_int_equal(submit(&channel, &more), -ENODEV);
        expect(": killed: ");
        expect_not(", 0 faults\n");
        assert_int_equal(rig_channel_free(&rig, file, channel.id), 0);
        expect(": killed: ");
        expect("SEMAPHORED");
        rig_close(&rig);
    }
}

/* Longer ago than what is kept of the channel's segments. */
static void classes_that_were_bound_long_ago_are_known(void **state) {
    (void)state;
    FOR_EACH_PART {
        char line[32];
        rig_open(&rig, part);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        struct words bind = {.part = part};
        words_bind_object(&bind, 3);
        assert_int_equal(submit(&channel, &bind), 0);
        for (uint32_t i = 0; i < 20; i++) {
            struct words words = {.part = part};
            words_method(&words, 3, NOP, i);
            assert_int_equal(submit(&channel, &words), 0);
        }
        expect(": idle, 21 submissions\n");
        snprintf(line, sizeof line, " 3 %04x ", part->graphics);
        expect(line);
        expect("00000013");
        expect_not(" 3 ---- ");
        rig_close(&rig);
    }
}

/* The machine's stop is that of one channel; the others say themselves what they wait for. */
static void all_channels_that_wait_say_so(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->classes)
            continue;
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        for (uint32_t i = 0; i < 3; i++) {
            struct rig_channel channel = rig_channel(&rig, file);
            struct words words = {.part = part};
            words_acquire(&words, &channel, 0x70 + i);
            assert_int_equal(submit(&channel, &words), 0);
        }
        expect("  waits for 0x70 at 0x");
        expect("  waits for 0x71 at 0x");
        expect("  waits for 0x72 at 0x");
        rig_close(&rig);
    }
}

static void a_device_without_channels_is_reported(void **state) {
    (void)state;
    rig_open(&rig, &parts[0]);
    assert_string_equal(report(), "NV40: nothing is left to do, 0 faults\nmethods not executed: 0\n");
    rig_close(&rig);
}

static void words_that_are_gone_are_left_out(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        struct words words = {.part = part};
        words_bind_object(&words, 0);
        assert_int_equal(rig_run(&rig, &channel, &words, NULL), 0);
        expect("  last segment 0x");
        expect_not(" 0000 ");
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_channel_without_work_is_idle),
        cmocka_unit_test(an_acquire_that_waits_is_shown_with_its_packets),
        cmocka_unit_test(what_a_channel_did_stays_when_it_is_killed),
        cmocka_unit_test(classes_that_were_bound_long_ago_are_known),
        cmocka_unit_test(all_channels_that_wait_say_so),
        cmocka_unit_test(a_device_without_channels_is_reported),
        cmocka_unit_test(words_that_are_gone_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
