/* SPDX-License-Identifier: MIT */
/* Where channels read their commands, and what the words there say: pfifo/push.h, on every generation. */
#include "driver/rig.h"

#include <pfifo/decode_push.h>
#include <pfifo/state.h>

#include <stdio.h>
#include <stdlib.h>

enum { UNITS = 20000, ROOM = 1 << 24 };

static struct rig rig; /* too large for a stack with a sanitizer */
static char out[65536];
static size_t used;

static bool append(void *opaque, const char *bytes, size_t count) {
    (void)opaque;
    assert_true(used + count < sizeof out);
    memcpy(out + used, bytes, count);
    used += count;
    out[used] = 0;
    return true;
}

static const char *around(struct pfifo_gpu *gpu, const struct pfifo_push *push, size_t before, size_t after) {
    const struct pfifo_decode_options options = {.size = sizeof options};
    struct pfifo_error error = {0};

    used = 0;
    out[0] = 0;
    if (pfifo_push_around(gpu, push, before, after, &options, append, NULL, &error) != PFIFO_OK)
        fail_msg("%s: %s", rig.part->chip, error.message);
    return out;
}

/* Does a line begin with the address, and have these texts? */
static void expect_line(uint64_t address, const char *first, const char *second) {
    char begin[32], copy[512];
    const char *line;

    snprintf(begin, sizeof begin, "    %0*llx ", rig.part->calls ? 8 : 10, (unsigned long long)address);
    line = strstr(out, begin);
    if (!line)
        fail_msg("%s: no line '%s' in:\n%s", rig.part->chip, begin, out);
    line = line ? line : "";
    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
    if (!strstr(copy, first) || !strstr(copy, second))
        fail_msg("%s: '%s' and '%s' are not in '%s'", rig.part->chip, first, second, copy);
}

/* A unit at a time, until so many data words of the packet with this method are left. */
static struct pfifo_push stop_inside(struct pfifo_gpu *gpu, uint32_t method, uint32_t left) {
    struct pfifo_push push;

    for (unsigned i = 0; i < UNITS; i++) {
        if (pfifo_gpu_push(gpu, UINT32_MAX, &push, NULL) == PFIFO_OK && push.packet.count == left &&
            push.packet.method == method)
            return push;
        pfifo_gpu_run(gpu, 1);
    }
    fail_msg("%s: %u words of method %x are never left", rig.part->chip, left, method);
    return push;
}

static uint8_t *saved;
static size_t saved_bytes;

static bool save(void *opaque, const void *data, size_t bytes) {
    (void)opaque;
    saved = realloc(saved, saved_bytes + bytes);
    assert_non_null(saved);
    memcpy(saved + saved_bytes, data, bytes);
    saved_bytes += bytes;
    return true;
}

static void assert_same(const struct pfifo_push *a, const struct pfifo_push *b) {
    assert_int_equal(a->channel, b->channel);
    assert_int_equal(a->get, b->get);
    assert_int_equal(a->put, b->put);
    assert_int_equal(a->packet.count, b->packet.count);
    assert_int_equal(a->packet.method, b->packet.method);
    assert_string_equal(a->packet.form, b->packet.form);
    assert_memory_equal(a->bound, b->bound, sizeof a->bound);
}

/* In the middle of a packet; what is bound is part of the machine, and so of what is saved. */
static void a_channel_tells_its_packet_and_classes(void **state) {
    (void)state;
    FOR_EACH_KIND {
        rig_open(&rig, part);
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_header(&words, SUBCHANNEL, NOP, 3);
        for (uint32_t i = 1; i <= 3; i++)
            words_add(&words, 0x11110000 + i);
        words_submit(&words, &rig, channel, rig_push_buffer(&rig), 0);
        struct pfifo_push push = stop_inside(gpu, NOP + 4, 2), again;
        uint8_t data[8];

        assert_true(push.loaded);
        assert_int_equal(push.ib, !part->calls);
        assert_int_equal(push.packet.subchannel, SUBCHANNEL);
        assert_string_equal(push.packet.form, "increasing");
        assert_int_equal(push.bound[SUBCHANNEL], part->graphics);
        assert_true(pfifo_gpu_push_read(gpu, push.channel, push.get - 4, data, 2));
        assert_int_equal(data[0] | data[4] << 8, 0x0201);
        around(gpu, &push, 3, 2);
        expect_line(push.get - 8, "increasing", "count 3");
        expect_line(push.get - 4, " 0100 ", "11110001");
        expect_line(push.get, " 0104 ", "11110002");
        expect_line(push.get + 4, " 0108 ", "11110003");
        assert_null(strstr(out, "ERROR"));
        assert_null(strstr(out, "----"));
        if (!part->fermi)
            assert_int_equal(pfifo_gpu_push_class(gpu, push.channel, GRAPHICS), part->graphics);
        assert_int_equal(pfifo_gpu_push_class(gpu, push.channel, 0x12345), 0);

        saved_bytes = 0;
        assert_int_equal(pfifo_gpu_save(gpu, save, NULL, &rig.error), PFIFO_OK);
        pfifo_gpu_run(gpu, 3);
        assert_int_equal(pfifo_gpu_load(gpu, saved, saved_bytes, &rig.error), PFIFO_OK);
        assert_int_equal(pfifo_gpu_push(gpu, push.channel, &again, &rig.error), PFIFO_OK);
        assert_same(&push, &again);
        free(saved);
        saved = NULL;
        rig_close(&rig);
    }
}

/* The header of a long packet is found by the count after it, which may be what comes next. */
static void the_header_of_a_long_packet_is_shown(void **state) {
    (void)state;
    rig_open(&rig, rig_part("G84"));
    struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
    struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    struct pfifo_push push;
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_add(&words, 0x00030000 | SUBCHANNEL << 13 | NOP);
    words_add(&words, 40);
    for (uint32_t i = 0; i < 40; i++)
        words_add(&words, i);
    words_submit(&words, &rig, channel, rig_push_buffer(&rig), 0);
    for (unsigned i = 0; i < UNITS; i++) {
        pfifo_gpu_run(gpu, 1);
        if (pfifo_gpu_push(gpu, UINT32_MAX, &push, NULL) == PFIFO_OK && push.packet.long_count)
            break;
    }
    assert_true(push.packet.long_count);
    assert_int_equal(push.packet.count, 0);
    around(gpu, &push, 2, 2);
    expect_line(push.get - 4, "long-non-increasing", "count follows");
    expect_line(push.get, "count", "40");
    expect_line(push.get + 4, " 0100 ", "00000000");
    push = stop_inside(gpu, NOP, 10);
    around(gpu, &push, 33, 1);
    expect_line(push.get - 4 * 32, "long-non-increasing", "count follows");
    expect_line(push.get - 4 * 31, "count", "40");
    expect_line(push.get, " 0100 ", "0000001e");
    around(gpu, &push, 2, 1);
    assert_null(strstr(out, "long-non-increasing"));
    expect_line(push.get - 8, " 0100 ", "0000001c");
    rig_close(&rig);
}

/* At an address before GET: the packet under way goes on at GET. */
static void words_at_an_address_know_the_packet_under_way(void **state) {
    const struct pfifo_decode_options options = {.size = sizeof options};
    (void)state;
    rig_open(&rig, rig_part("GF100"));
    struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
    struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_header(&words, SUBCHANNEL, NOP, 3);
    for (uint32_t i = 0; i < 3; i++)
        words_add(&words, 0);
    words_submit(&words, &rig, channel, rig_push_buffer(&rig), 0);
    const struct pfifo_push push = stop_inside(gpu, NOP + 4, 2);
    used = 0;
    assert_int_equal(pfifo_push_decode(gpu, &push, push.get - 4, 2, &options, append, NULL, &rig.error), PFIFO_OK);
    expect_line(push.get - 4, "nop", "");
    expect_line(push.get, " 0104 ", "00000000");
    assert_int_equal(pfifo_push_decode(gpu, &push, push.get + 1, 1, &options, append, NULL, &rig.error),
                     PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_push_decode(gpu, &push, UINT64_C(0xff00000000), 1, &options, append, NULL, &rig.error),
                     PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_push_decode(gpu, &push, push.get, 0, &options, append, NULL, &rig.error),
                     PFIFO_ERROR_ARGUMENT);
    rig_close(&rig);
}

/* Nothing of them is fetched yet. */
static void entries_of_the_ring_come_behind_the_segment(void **state) {
    static const char *const chips[] = {"G84", "GF100", "GK104"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        rig_open(&rig, rig_part(chips[i]));
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *buffer = rig_push_buffer(&rig);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        struct pfifo_push push;
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 5);
        words_submit(&words, &rig, channel, buffer, 0);
        words_submit(&words, &rig, channel, buffer, 0x100);
        for (unsigned n = 0; n < UNITS; n++) {
            pfifo_gpu_run(gpu, 1);
            if (pfifo_gpu_push(gpu, UINT32_MAX, &push, NULL) == PFIFO_OK && push.put != push.get)
                break;
        }
        around(gpu, &push, 0, 7);
        const char *entry = strstr(out, "  entry ");
        assert_non_null(entry);
        assert_null(strstr(entry + 1, "  entry "));
        expect_line(pfifo_buffer_address(buffer) + 0x108, "increasing", "method 0100");
        assert_null(strstr(out, "ERROR"));
        rig_close(&rig);
    }
}

/* The segment goes on after its buffer, where nothing is mapped. */
static void words_of_an_entry_are_shown_as_far_as_they_are_there(void **state) {
    enum { METHODS = 30, THERE = 8 * METHODS, SUBMITTED = 0x1000, APART = 0x30000000 };
    static const char *const chips[] = {"G84", "GF100", "GK104"};
    (void)state;
    for (size_t chip = 0; chip < COUNT_OF(chips); chip++) {
        rig_open(&rig, rig_part(chips[chip]));
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *buffer = rig_buffer(&rig, PFIFO_GART, 0x10000, APART);
        const uint64_t end = pfifo_buffer_address(buffer) + pfifo_buffer_bytes(buffer);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        struct pfifo_push push;
        char behind[32];
        words_method(&words, SUBCHANNEL, NOP, 5);
        words_submit(&words, &rig, channel, buffer, 0);
        words.count = 0;
        for (unsigned method = 0; method < METHODS; method++)
            words_method(&words, SUBCHANNEL, NOP, 5);
        for (size_t i = 0; i < words.count; i++) {
            uint32_t w = words.word[i];
            const uint8_t bytes[4] = {(uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24)};
            assert_true(pfifo_buffer_write(buffer, pfifo_buffer_bytes(buffer) - THERE + 4 * i, bytes, sizeof bytes));
        }
        assert_int_equal(pfifo_channel_submit(channel, end - THERE, SUBMITTED, 0, &rig.error), PFIFO_OK);
        for (unsigned n = 0; n < UNITS; n++) {
            pfifo_gpu_run(gpu, 1);
            if (pfifo_gpu_push(gpu, UINT32_MAX, &push, NULL) == PFIFO_OK && push.put != push.get)
                break;
        }
        around(gpu, &push, 0, PFIFO_PUSH_WORDS);
        expect_line(end - 8, "increasing", "method 0100");
        expect_line(end - 4, "00000005", "0100");
        snprintf(behind, sizeof behind, "    %010llx ", (unsigned long long)end);
        assert_null(strstr(out, behind));
        rig_close(&rig);
    }
}

static void what_has_no_pushbuffer_is_refused(void **state) {
    const struct pfifo_config nv1 = {.size = sizeof nv1, .chip = pfifo_chip_by_name("NV1")},
                              nv40 = {.size = sizeof nv40, .chip = pfifo_chip_by_name("NV40")};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&nv1, NULL);
    struct pfifo_push push;
    uint8_t data[4];
    (void)state;
    assert_non_null(gpu);
    assert_int_equal(pfifo_gpu_push(gpu, 0, &push, &rig.error), PFIFO_ERROR_UNSUPPORTED);
    assert_int_equal(pfifo_gpu_pushes(gpu, &push, 1), 0);
    assert_false(pfifo_gpu_push_read(gpu, 0, 0, data, 1));
    pfifo_gpu_free(gpu);
    gpu = pfifo_gpu_new(&nv40, NULL);
    assert_non_null(gpu);
    pfifo_gpu_wr32(gpu, 0x200, 0);
    assert_int_equal(pfifo_gpu_push(gpu, 0, &push, &rig.error), PFIFO_ERROR_ARGUMENT);
    pfifo_gpu_wr32(gpu, 0x200, 0x100);
    assert_int_equal(pfifo_gpu_push(gpu, 0, &push, &rig.error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_gpu_push(gpu, 32, &push, &rig.error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_gpu_pushes(gpu, &push, 1), 0);
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_channel_tells_its_packet_and_classes),
        cmocka_unit_test(the_header_of_a_long_packet_is_shown),
        cmocka_unit_test(words_at_an_address_know_the_packet_under_way),
        cmocka_unit_test(entries_of_the_ring_come_behind_the_segment),
        cmocka_unit_test(words_of_an_entry_are_shown_as_far_as_they_are_there),
        cmocka_unit_test(what_has_no_pushbuffer_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
