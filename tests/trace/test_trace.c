/* SPDX-License-Identifier: MIT */
/* Lines, counts and digests of events made by hand, and of a GPU's register accesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/gpu.h>
#include <pfifo/trace.h>

#include "digest/digest.h"
#include "event/event.h"

struct text {
    size_t used;
    unsigned writes;
    bool refuse;
    char bytes[1 << 20];
};

static bool collect(void *opaque, const char *bytes, size_t count) {
    struct text *text = opaque;

    text->writes++;
    if (text->refuse)
        return false;
    assert_true(count < sizeof text->bytes - text->used);
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = 0;
    return true;
}

static struct text *new_text(void) {
    struct text *text = calloc(1, sizeof *text);

    assert_non_null(text);
    return text;
}

static struct pfifo_event method_event(uint32_t channel, uint32_t subchannel, uint32_t oclass, uint32_t method,
                                       uint32_t data) {
    return (struct pfifo_event){
        .id = EVENT_PULLER_METHOD, .time = 1234, .channel = channel, .value = {subchannel, oclass, method, data}};
}

/* The text that one event becomes. */
static void expect_line(enum pfifo_trace_format format, const struct pfifo_event *event, const char *line) {
    struct text *text = new_text();
    struct pfifo_trace *trace = pfifo_trace_new(format, collect, text, NULL);

    assert_non_null(trace);
    pfifo_trace_event(trace, event);
    assert_int_equal(text->writes, 0);
    assert_true(pfifo_trace_flush(trace));
    assert_string_equal(text->bytes, line);
    pfifo_trace_free(trace);
    free(text);
}

static void text_names_class_and_method_and_tells_what_the_data_means(void **state) {
    (void)state;
    struct pfifo_event event = method_event(2, 0, 0x9097, 0x0d80, 0x3f800000);
    expect_line(PFIFO_TRACE_TEXT, &event,
                "1234 2 puller.method subchannel=0 class=0x9097:FERMI_A method=0x0d80:SET_COLOR_CLEAR_VALUE(0) "
                "data=0x3f800000 ; 1\n");
    /* A whole word without named values says nothing more than its number. */
    event = method_event(2, 1, 0x9097, 0x0100, 7);
    expect_line(PFIFO_TRACE_TEXT, &event,
                "1234 2 puller.method subchannel=1 class=0x9097:FERMI_A method=0x0100:NO_OPERATION data=0x7\n");
}

static void text_of_what_has_no_name_is_its_number(void **state) {
    (void)state;
    struct pfifo_event event = method_event(2, 0, 0xbeef, 0x0ffc, 1);
    expect_line(PFIFO_TRACE_TEXT, &event, "1234 2 puller.method subchannel=0 class=0xbeef method=0x0ffc data=0x1\n");
    event = method_event(UINT32_MAX, 0, 0, 0x0100, 1);
    expect_line(PFIFO_TRACE_TEXT, &event, "1234 - puller.method subchannel=0 class=0x0000 method=0x0100 data=0x1\n");
}

static void text_quotes_words_with_blanks(void **state) {
    (void)state;
    struct pfifo_event event = {
        .id = EVENT_PULLER_ERROR, .value = {3, 0x0, 0xbeef}, .text = "METHOD", .detail = "no such engine"};
    expect_line(PFIFO_TRACE_TEXT, &event,
                "0 0 puller.error subchannel=3 method=0x0000 data=0xbeef error=METHOD detail=\"no such engine\"\n");
    event.text = "HASH_FAILED";
    event.detail = NULL;
    expect_line(PFIFO_TRACE_TEXT, &event,
                "0 0 puller.error subchannel=3 method=0x0000 data=0xbeef error=HASH_FAILED detail=\"\"\n");
    event.text = NULL;
    expect_line(PFIFO_TRACE_TEXT, &event,
                "0 0 puller.error subchannel=3 method=0x0000 data=0xbeef error=\"\" detail=\"\"\n");
}

static void json_has_numbers_and_names(void **state) {
    (void)state;
    struct pfifo_event event = method_event(2, 0, 0x9097, 0x0d80, 0x3f800000);
    expect_line(PFIFO_TRACE_JSON, &event,
                "{\"time\":1234,\"channel\":2,\"event\":\"puller.method\",\"subchannel\":0,\"class\":37015,"
                "\"class_name\":\"FERMI_A\",\"method\":3456,\"method_name\":\"SET_COLOR_CLEAR_VALUE(0)\","
                "\"data\":1065353216,\"fields\":{\"V\":1}}\n");
    event = (struct pfifo_event){
        .id = EVENT_PUSHER_CONTROL, .channel = UINT32_MAX, .value = {0, UINT64_MAX}, .text = "a b"};
    expect_line(PFIFO_TRACE_JSON, &event,
                "{\"time\":0,\"event\":\"pusher.control\",\"opcode\":\"a b\",\"operand\":18446744073709551615}\n");
}

static void lines_of_json_say_file_and_submission_if_these_are_told(void **state) {
    struct pfifo_event event = {.id = EVENT_SWITCH_LOAD, .channel = 1, .value = {16}};
    struct text *text = new_text();
    (void)state;
    struct pfifo_trace *trace = pfifo_trace_new(PFIFO_TRACE_JSON, collect, text, NULL);
    pfifo_trace_set_file(trace, "a\"b");
    pfifo_trace_event(trace, &event);
    pfifo_trace_set_submission(trace, 7);
    pfifo_trace_event(trace, &event);
    pfifo_trace_set_file(trace, NULL);
    pfifo_trace_event(trace, &event);
    pfifo_trace_free(trace);
    text->bytes[text->used] = 0;
    assert_string_equal(text->bytes,
                        "{\"file\":\"a\\\"b\",\"time\":0,\"channel\":1,\"event\":\"switch.load\",\"ramfc\":16}\n"
                        "{\"file\":\"a\\\"b\",\"submission\":7,\"time\":0,\"channel\":1,\"event\":\"switch.load\","
                        "\"ramfc\":16}\n"
                        "{\"time\":0,\"channel\":1,\"event\":\"switch.load\",\"ramfc\":16}\n");
    free(text);
}

static void a_channel_that_is_none_is_a_dash_or_null(void **state) {
    (void)state;
    struct pfifo_event event = {.id = EVENT_ENGINE_SWITCH, .channel = 2, .value = {UINT32_MAX, 2}};
    expect_line(PFIFO_TRACE_TEXT, &event, "0 2 engine.switch from=- to=2\n");
    expect_line(PFIFO_TRACE_JSON, &event,
                "{\"time\":0,\"channel\":2,\"event\":\"engine.switch\",\"from\":null,\"to\":2}\n");
}

/* Whatever is declared can be shown, in both formats, with the extremes of every field. */
static void every_event_is_one_line(void **state) {
    (void)state;
    struct text *text = new_text();
    for (unsigned format = PFIFO_TRACE_TEXT; format <= PFIFO_TRACE_JSON; format++) {
        struct pfifo_trace *trace = pfifo_trace_new(format, collect, text, NULL);
        for (unsigned id = 0; id < pfifo_event_count(); id++) {
            struct pfifo_event event = {.id = id, .time = UINT64_MAX, .channel = 1};
            memset(event.value, 0xff, sizeof event.value);
            text->used = 0;
            pfifo_trace_event(trace, &event);
            assert_true(pfifo_trace_flush(trace));
            assert_ptr_equal(strchr(text->bytes, '\n'), text->bytes + text->used - 1);
            assert_non_null(strstr(text->bytes, pfifo_event_info(id)->name));
            for (unsigned i = 0; i < pfifo_event_info(id)->fields; i++)
                assert_non_null(strstr(text->bytes, pfifo_event_info(id)->field[i]));
        }
        pfifo_trace_free(trace);
    }
    free(text);
}

static void events_of_unknown_kinds_are_ignored(void **state) {
    (void)state;
    struct pfifo_event event = {.id = EVENT_COUNT};
    expect_line(PFIFO_TRACE_TEXT, &event, "");
    expect_line(PFIFO_TRACE_JSON, &event, "");
    struct pfifo_stats *stats = pfifo_stats_new(NULL);
    pfifo_stats_event(stats, &event);
    assert_int_equal(pfifo_stats_totals(stats)->events, 0);
    pfifo_stats_free(stats);
}

static void many_lines_are_written_in_blocks_and_none_is_lost(void **state) {
    enum { LINES = 8000 };
    (void)state;
    struct text *text = new_text();
    struct pfifo_trace *trace = pfifo_trace_new(PFIFO_TRACE_TEXT, collect, text, NULL);
    for (uint32_t i = 0; i < LINES; i++) {
        struct pfifo_event event = method_event(0, 0, 0x9097, 0x0d80 + i % 4 * 4, i);
        pfifo_trace_event(trace, &event);
    }
    pfifo_trace_free(trace);
    assert_in_range(text->writes, 2, LINES / 20);
    const char *at = text->bytes;
    for (uint32_t i = 0; i < LINES; i++) {
        char name[64], data[64];
        const char *end = strchr(at, '\n'), *found;
        assert_non_null(end);
        snprintf(name, sizeof name, "SET_COLOR_CLEAR_VALUE(%u)", i % 4);
        snprintf(data, sizeof data, " data=0x%x ; ", i);
        found = strstr(at, name);
        assert_true(found && found < end);
        found = strstr(at, data);
        assert_true(found && found < end);
        at = end + 1;
    }
    assert_int_equal(*at, 0);
    free(text);
}

static void a_write_that_fails_is_told_and_not_tried_again(void **state) {
    (void)state;
    struct text *text = new_text();
    struct pfifo_trace *trace = pfifo_trace_new(PFIFO_TRACE_TEXT, collect, text, NULL);
    struct pfifo_event event = method_event(0, 0, 0x9097, 0x0100, 1);
    text->refuse = true;
    for (int i = 0; i < 3; i++) {
        pfifo_trace_event(trace, &event);
        assert_false(pfifo_trace_flush(trace));
    }
    assert_int_equal(text->writes, 1);
    pfifo_trace_free(trace);
    free(text);
}

static void a_trace_needs_a_format_and_a_callback(void **state) {
    (void)state;
    struct pfifo_error error = {0};
    assert_null(pfifo_trace_new(PFIFO_TRACE_TEXT, NULL, NULL, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    error.status = PFIFO_OK;
    assert_null(pfifo_trace_new((enum pfifo_trace_format)2, collect, NULL, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
}

static uint64_t count_of(struct pfifo_stats *stats, enum pfifo_stats_table table, const char *name) {
    struct pfifo_stats_row row;

    for (size_t i = 0; pfifo_stats_at(stats, table, i, &row); i++)
        if (strcmp(row.name, name) == 0)
            return row.count;
    return 0;
}

static void count(struct pfifo_stats *stats, struct pfifo_event event, unsigned times) {
    while (times--)
        pfifo_stats_event(stats, &event);
}

static void statistics_add_up(void **state) {
    (void)state;
    struct pfifo_stats *stats = pfifo_stats_new(NULL);
    const struct pfifo_stats_totals *totals = pfifo_stats_totals(stats);
    count(stats, (struct pfifo_event){.id = EVENT_PUSHER_SEGMENT, .value = {0x1000, 10, 0}}, 2);
    count(stats, (struct pfifo_event){.id = EVENT_PUSHER_PACKET, .text = "increasing"}, 3);
    count(stats, (struct pfifo_event){.id = EVENT_PUSHER_PACKET, .text = "immediate"}, 4);
    count(stats, (struct pfifo_event){.id = EVENT_PUSHER_JUMP, .text = "call"}, 1);
    count(stats, (struct pfifo_event){.id = EVENT_PUSHER_ERROR, .text = "PBENTRY"}, 1);
    count(stats, method_event(0, 0, 0x9097, 0x100, 0), 5);
    count(stats, method_event(0, 0, 0x902d, 0x100, 0), 6);
    count(stats, (struct pfifo_event){.id = EVENT_PULLER_BIND}, 2);
    count(stats, (struct pfifo_event){.id = EVENT_PULLER_SOFTWARE}, 3);
    count(stats, (struct pfifo_event){.id = EVENT_PULLER_ERROR, .text = "x"}, 2);
    count(stats, (struct pfifo_event){.id = EVENT_PULLER_RELEASE, .value = {0x2000, 1, 16}}, 1);
    count(stats, (struct pfifo_event){.id = EVENT_ENGINE_FENCE, .value = {0x2000, 1, 4}, .text = "query"}, 2);
    count(stats, (struct pfifo_event){.id = EVENT_PULLER_ACQUIRE, .text = "waits", .word = PFIFO_WORD_WAITS}, 3);
    count(stats, (struct pfifo_event){.id = EVENT_PULLER_ACQUIRE, .text = "acquired"}, 7);
    count(stats, (struct pfifo_event){.id = EVENT_ENGINE_ACQUIRE, .text = "waits", .word = PFIFO_WORD_WAITS}, 1);
    count(stats, (struct pfifo_event){.id = EVENT_ENGINE_FAULT, .text = "x"}, 1);
    count(stats, (struct pfifo_event){.id = EVENT_FIFO_FAULT, .text = "PTE"}, 2);
    count(stats, (struct pfifo_event){.id = EVENT_ENGINE_INTERRUPT, .text = "x"}, 1);
    count(stats, (struct pfifo_event){.id = EVENT_FIFO_INTERRUPT, .text = "x"}, 1);
    assert_int_equal(totals->segments, 2);
    assert_int_equal(totals->segment_words, 20);
    assert_int_equal(totals->packets, 7);
    assert_int_equal(totals->jumps, 1);
    assert_int_equal(totals->errors, 3);
    assert_int_equal(totals->methods, 11);
    assert_int_equal(totals->binds, 2);
    assert_int_equal(totals->software, 3);
    assert_int_equal(totals->fences, 3);
    assert_int_equal(totals->fence_bytes, 24);
    assert_int_equal(totals->waits, 4);
    assert_int_equal(totals->faults, 3);
    assert_int_equal(totals->interrupts, 2);
    assert_int_equal(totals->events, 48);
    assert_int_equal(count_of(stats, PFIFO_STATS_FORMS, "increasing"), 3);
    assert_int_equal(count_of(stats, PFIFO_STATS_FORMS, "immediate"), 4);
    assert_int_equal(count_of(stats, PFIFO_STATS_CLASSES, "FERMI_A"), 5);
    assert_int_equal(count_of(stats, PFIFO_STATS_CLASSES, "FERMI_TWOD_A"), 6);
    assert_int_equal(count_of(stats, PFIFO_STATS_EVENTS, "puller.acquire"), 10);
    assert_int_equal(count_of(stats, PFIFO_STATS_EVENTS, "bus.read"), 0);
    pfifo_stats_free(stats);
}

/* Rows come by class and method, whatever came first, also when they are looked at in between. */
static void methods_not_executed_are_rows_in_order(void **state) {
    static const uint32_t came[][2] = {{0xb197, 0x1614}, {0x9097, 0x200}, {0x9097, 0x100}, {0xb197, 0x1614}};
    static const uint32_t want[][3] = {{0x9097, 0x100, 1}, {0x9097, 0x200, 1}, {0xb197, 0x1614, 2}};
    (void)state;
    struct pfifo_stats *stats = pfifo_stats_new(NULL);
    struct pfifo_stats_row row;
    for (size_t i = 0; i < 4; i++) {
        count(stats, (struct pfifo_event){.id = EVENT_ENGINE_NOT_EXECUTED, .value = {came[i][0], came[i][1], 0}}, 1);
        assert_true(pfifo_stats_at(stats, PFIFO_STATS_NOT_EXECUTED, 0, &row));
    }
    for (size_t i = 0; i < 3; i++) {
        assert_true(pfifo_stats_at(stats, PFIFO_STATS_NOT_EXECUTED, i, &row));
        assert_int_equal(row.oclass, want[i][0]);
        assert_int_equal(row.method, want[i][1]);
        assert_int_equal(row.count, want[i][2]);
    }
    assert_string_equal(row.name, "MAXWELL_B");
    assert_false(pfifo_stats_at(stats, PFIFO_STATS_NOT_EXECUTED, 3, &row));
    assert_int_equal(pfifo_stats_totals(stats)->not_executed, 4);
    pfifo_stats_free(stats);
}

/* A guest may bind anything. Rows are looked at now and then, which sorts them. */
static void more_methods_than_rows_are_only_totals(void **state) {
    (void)state;
    struct pfifo_stats *stats = pfifo_stats_new(NULL);
    struct pfifo_stats_row row;
    uint64_t sum = 0, rows = 0;
    for (uint32_t i = 0; i < 3 * PFIFO_STATS_MAX_ROWS; i++) {
        count(stats, (struct pfifo_event){.id = EVENT_ENGINE_NOT_EXECUTED, .value = {i * 77 & 0xffff, i * 4 & 0x1ffc}},
              1);
        if (i % 64 == 0)
            assert_true(pfifo_stats_at(stats, PFIFO_STATS_NOT_EXECUTED, 0, &row));
    }
    for (; pfifo_stats_at(stats, PFIFO_STATS_NOT_EXECUTED, rows, &row); rows++)
        sum += row.count;
    assert_int_equal(rows, PFIFO_STATS_MAX_ROWS);
    assert_int_equal(sum, PFIFO_STATS_MAX_ROWS);
    assert_int_equal(pfifo_stats_totals(stats)->not_executed, 3 * PFIFO_STATS_MAX_ROWS);
    /* Rows that are there go on counting. */
    count(stats, (struct pfifo_event){.id = EVENT_ENGINE_NOT_EXECUTED}, 1);
    assert_true(pfifo_stats_at(stats, PFIFO_STATS_NOT_EXECUTED, 0, &row));
    assert_int_equal(row.count, 2);
    pfifo_stats_free(stats);
}

static void digest_is_that_of_the_methods_and_of_nothing_else(void **state) {
    static const uint8_t bytes[] = {0, 0x00, 0x01, 0x78, 0x56, 0x34, 0x12, 5, 0xfc, 0x1f, 0xff, 0xff, 0xff, 0xff};
    struct sha256 sha;
    uint8_t hash[SHA256_BYTES];
    char hex[SHA256_HEX_SIZE], want[256], line[256];
    (void)state;
    struct pfifo_digest *digest = pfifo_digest_new(NULL);
    struct pfifo_event event = method_event(0, 0, 0x9097, 0x100, 0x12345678);
    pfifo_digest_event(digest, &event);
    event.id = EVENT_PULLER_ERROR;
    pfifo_digest_event(digest, &event);
    event = method_event(7, 5, 0, 0x1ffc, UINT32_MAX);
    pfifo_digest_event(digest, &event);
    pfifo_digest_submission(digest, 40);
    pfifo_digest_submission(digest, 2);

    sha256_init(&sha);
    sha256_update(&sha, bytes, sizeof bytes);
    sha256_final(&sha, hash);
    sha256_hex(hash, hex);
    snprintf(want, sizeof want, "name submissions=2 words=42 methods=2 sha256=%s", hex);
    assert_int_equal(pfifo_digest_format(digest, "name", line, sizeof line), strlen(want));
    assert_string_equal(line, want);
    assert_int_equal(pfifo_digest_methods(digest), 2);
    pfifo_digest_free(digest);
}

static struct pfifo_gpu *new_gpu(void) {
    const struct pfifo_config config = {.chip = pfifo_chip_by_name("NV40")};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);

    assert_non_null(gpu);
    return gpu;
}

static void observers_see_what_they_asked_for_while_attached(void **state) {
    (void)state;
    struct text *text = new_text();
    struct pfifo_gpu *gpu = new_gpu();
    struct pfifo_trace *trace = pfifo_trace_new(PFIFO_TRACE_TEXT, collect, text, NULL);
    struct pfifo_stats *stats = pfifo_stats_new(NULL);
    struct pfifo_digest *digest = pfifo_digest_new(NULL);
    char expected[64];
    assert_int_equal(pfifo_trace_attach(trace, gpu, "bus.read", NULL), PFIFO_OK);
    assert_int_equal(pfifo_stats_attach(stats, gpu, NULL, NULL), PFIFO_OK);
    assert_int_equal(pfifo_digest_attach(digest, gpu, NULL), PFIFO_OK);
    uint32_t boot0 = pfifo_gpu_rd32(gpu, 0);
    pfifo_gpu_wr32(gpu, 0x200, 0);
    assert_true(pfifo_trace_flush(trace));
    snprintf(expected, sizeof expected, " - bus.read address=0x0 value=0x%x\n", boot0);
    assert_non_null(strstr(text->bytes, expected));
    assert_null(strstr(text->bytes, "bus.write"));
    assert_int_equal(count_of(stats, PFIFO_STATS_EVENTS, "bus.read"), 1);
    assert_int_equal(count_of(stats, PFIFO_STATS_EVENTS, "bus.write"), 1);

    uint64_t seen = pfifo_stats_totals(stats)->events;
    size_t used = text->used;
    pfifo_trace_detach(trace);
    pfifo_stats_detach(stats);
    pfifo_digest_detach(digest);
    pfifo_gpu_rd32(gpu, 0);
    assert_true(pfifo_trace_flush(trace));
    assert_int_equal(text->used, used);
    assert_int_equal(pfifo_stats_totals(stats)->events, seen);
    pfifo_trace_free(trace);
    pfifo_stats_free(stats);
    pfifo_digest_free(digest);
    pfifo_gpu_free(gpu);
    free(text);
}

static void attaching_twice_or_to_nothing_is_refused(void **state) {
    (void)state;
    struct text *text = new_text();
    struct pfifo_gpu *gpu = new_gpu();
    struct pfifo_trace *trace = pfifo_trace_new(PFIFO_TRACE_TEXT, collect, text, NULL);
    struct pfifo_stats *stats = pfifo_stats_new(NULL);
    struct pfifo_digest *digest = pfifo_digest_new(NULL);
    assert_int_equal(pfifo_trace_attach(trace, gpu, "no.such", NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_trace_attach(trace, gpu, NULL, NULL), PFIFO_OK);
    assert_int_equal(pfifo_trace_attach(trace, gpu, NULL, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_stats_attach(stats, gpu, NULL, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stats_attach(stats, gpu, NULL, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_digest_attach(digest, gpu, NULL), PFIFO_OK);
    assert_int_equal(pfifo_digest_attach(digest, gpu, NULL), PFIFO_ERROR_ARGUMENT);
    /* Free takes them off: the GPU must not call them any more. */
    pfifo_trace_free(trace);
    pfifo_stats_free(stats);
    pfifo_digest_free(digest);
    size_t used = text->used;
    pfifo_gpu_rd32(gpu, 0);
    assert_int_equal(text->used, used);
    pfifo_gpu_free(gpu);
    free(text);
}

/* An attached trace knows the chip, and with it the names of the puller's own methods. */
static void methods_of_the_puller_are_named_by_the_channel_class(void **state) {
    (void)state;
    struct text *text = new_text();
    struct pfifo_gpu *gpu = new_gpu();
    struct pfifo_trace *trace = pfifo_trace_new(PFIFO_TRACE_TEXT, collect, text, NULL);
    struct pfifo_event event = method_event(0, 0, 0x4097, 0x50, 9);
    assert_int_equal(pfifo_trace_attach(trace, gpu, NULL, NULL), PFIFO_OK);
    pfifo_trace_event(trace, &event);
    event = method_event(0, 0, 0x4097, 0x100, 9);
    pfifo_trace_event(trace, &event);
    pfifo_trace_free(trace);
    assert_non_null(strstr(text->bytes, "class=0x4097:NV40_3D method=0x0050:"));
    assert_non_null(strstr(text->bytes, "class=0x4097:NV40_3D method=0x0100:"));
    pfifo_gpu_free(gpu);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_names_class_and_method_and_tells_what_the_data_means),
        cmocka_unit_test(text_of_what_has_no_name_is_its_number),
        cmocka_unit_test(text_quotes_words_with_blanks),
        cmocka_unit_test(json_has_numbers_and_names),
        cmocka_unit_test(lines_of_json_say_file_and_submission_if_these_are_told),
        cmocka_unit_test(a_channel_that_is_none_is_a_dash_or_null),
        cmocka_unit_test(every_event_is_one_line),
        cmocka_unit_test(events_of_unknown_kinds_are_ignored),
        cmocka_unit_test(many_lines_are_written_in_blocks_and_none_is_lost),
        cmocka_unit_test(a_write_that_fails_is_told_and_not_tried_again),
        cmocka_unit_test(a_trace_needs_a_format_and_a_callback),
        cmocka_unit_test(statistics_add_up),
        cmocka_unit_test(methods_not_executed_are_rows_in_order),
        cmocka_unit_test(more_methods_than_rows_are_only_totals),
        cmocka_unit_test(digest_is_that_of_the_methods_and_of_nothing_else),
        cmocka_unit_test(observers_see_what_they_asked_for_while_attached),
        cmocka_unit_test(attaching_twice_or_to_nothing_is_refused),
        cmocka_unit_test(methods_of_the_puller_are_named_by_the_channel_class),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
