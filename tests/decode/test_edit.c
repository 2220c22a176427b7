/* SPDX-License-Identifier: MIT */
/* Captures that are written anew: what is left of them, and that nothing else changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/edit.h>

#include "decode/small_capture.h"
#include "rounds.h"

enum { MOST = 4000, MOST_WORDS = 600 };

struct method {
    uint32_t subchannel, method, data;
};

struct methods {
    struct method method[MOST];
    size_t count, errors;
};

static bool keep_method(void *opaque, const struct pfifo_decode_event *event) {
    struct methods *methods = opaque;

    methods->errors += event->kind == PFIFO_DECODE_ERROR;
    if (event->kind == PFIFO_DECODE_METHOD) {
        assert_true(methods->count < MOST);
        methods->method[methods->count++] =
            (struct method){.subchannel = event->subchannel, .method = event->method, .data = event->data};
    }
    return true;
}

static bool no_output(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

static void decode(struct pfifo_stream *stream, struct methods *methods) {
    const struct pfifo_decode_options options = {
        .format = PFIFO_DECODE_NOTHING, .event = keep_method, .event_opaque = methods};

    methods->count = methods->errors = 0;
    pfifo_stream_rewind(stream);
    assert_int_equal(pfifo_decode_stream(stream, &options, no_output, NULL, NULL), PFIFO_OK);
}

/* A capture of one submission. */
static struct pfifo_stream *capture_of(const char *chipset, const uint8_t *words, size_t count) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    struct pfifo_error error = {0};
    size_t size;
    const struct pfifo_stream_record records[] = {
        {.type = PFIFO_STREAM_SUBMIT, .submit = {.sequence = 1, .pushes = 1}},
        {.type = PFIFO_STREAM_PUSH,
         .push =
             {.handle = 2, .length = (uint32_t)(4 * count), .address = 0x1000, .words = words, .word_count = count}},
        {.type = PFIFO_STREAM_SUBEND, .subend = {.sequence = 1}},
    };

    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", chipset, NULL), PFIFO_OK);
    for (size_t i = 0; i < 3; i++)
        if (pfifo_stream_writer_append(writer, &records[i], &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    const void *bytes = pfifo_stream_writer_memory(writer, &size);
    struct pfifo_stream *stream = pfifo_stream_open_memory(bytes, size, "test", NULL);
    pfifo_stream_writer_close(writer);
    assert_non_null(stream);
    return stream;
}

static struct pfifo_stream *assembled(const char *chipset, const char *chip, const char *source) {
    uint32_t word[MOST_WORDS];
    uint8_t bytes[4 * MOST_WORDS];
    struct pfifo_error error = {0};
    size_t count;

    if (pfifo_assemble(pfifo_chip_by_name(chip), source, word, MOST_WORDS, &count, &error) != PFIFO_OK)
        fail_msg("%s in: %s", error.message, source);
    assert_true(count <= MOST_WORDS);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(word[i / 4] >> 8 * (i % 4));
    return capture_of(chipset, bytes, count);
}

static struct pfifo_stream *edited(struct pfifo_stream *stream, pfifo_edit_decide decide, void *opaque,
                                   struct pfifo_edit_result *result) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    struct pfifo_error error = {0};
    size_t size;

    pfifo_stream_rewind(stream);
    if (pfifo_edit(stream, NULL, decide, opaque, writer, result, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    const void *bytes = pfifo_stream_writer_memory(writer, &size);
    struct pfifo_stream *other = pfifo_stream_open_memory(bytes, size, "edited", NULL);
    pfifo_stream_writer_close(writer);
    assert_non_null(other);
    return other;
}

/* A decision for each method in turn: k, d, or a digit for the data. */
static enum pfifo_edit_action by_letter(void *opaque, const struct pfifo_decode_event *event, uint32_t *data) {
    const char **at = opaque;
    char letter = **at ? *(*at)++ : 'k';

    (void)event;
    if (letter == 'k' || letter == 'd')
        return letter == 'k' ? PFIFO_EDIT_KEEP : PFIFO_EDIT_DROP;
    if (letter == 'r') {
        *data = 3;
        return PFIFO_EDIT_REPEAT;
    }
    *data = (uint32_t)(letter - '0');
    return PFIFO_EDIT_DATA;
}

static void expect_methods(struct pfifo_stream *stream, const char *wanted) {
    struct methods methods;
    char seen[400] = "";

    decode(stream, &methods);
    for (size_t i = 0; i < methods.count; i++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%x=%x ", (unsigned)methods.method[i].method,
                 (unsigned)methods.method[i].data);
    assert_string_equal(seen, wanted);
}

static size_t words_of(struct pfifo_stream *stream) {
    struct pfifo_stream_record record;
    size_t words = 0;

    pfifo_stream_rewind(stream);
    do {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        words += record.type == PFIFO_STREAM_PUSH ? record.push.word_count : 0;
    } while (record.type != PFIFO_STREAM_END);
    return words;
}

static void packets_of_every_form_lose_methods_and_get_data(void **state) {
    (void)state;
    static const struct {
        const char *source, *letters, *wanted;
        size_t words;
    } rows[] = {
        {"inc 0 0x200 1 2 3 4\n", "kkkk", "200=1 204=2 208=3 20c=4 ", 5},
        {"inc 0 0x200 1 2 3 4\n", "kdkk", "200=1 208=3 20c=4 ", 5},
        {"inc 0 0x200 1 2 3 4\n", "dkkd", "204=2 208=3 ", 3},
        {"inc 0 0x200 1 2 3 4\n", "k9k8", "200=1 204=9 208=3 20c=8 ", 5},
        {"inc 0 0x200 1 2 3 4\n", "d9dk", "204=9 20c=4 ", 4},
        {"inc 0 0x200 1 2 3 4\nimm 0 0x300 5\n", "dddd", "300=5 ", 1},
        {"noninc 0 0x200 1 2 3\n", "dk7", "200=2 200=7 ", 3},
        {"once 0 0x200 1 2 3\n", "dkk", "204=2 204=3 ", 3},
        {"once 0 0x200 1 2 3\n", "kdk", "200=1 204=3 ", 3},
        {"once 0 0x200 1 2 3\n", "kdd", "200=1 ", 2},
        {"imm 0 0x300 5\nimm 0 0x304 6\n", "d7", "304=7 ", 1},
        {"imm 0 0x300 5\n", "d", "", 1},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pfifo_edit_result result;
        const char *letters = rows[i].letters;
        struct pfifo_stream *stream = assembled("0xc0", "GF100", rows[i].source);
        struct pfifo_stream *other = edited(stream, by_letter, &letters, &result);
        expect_methods(other, rows[i].wanted);
        assert_int_equal(words_of(other), rows[i].words);
        assert_int_equal(result.left, 0);
        pfifo_stream_close(stream);
        pfifo_stream_close(other);
    }
}

static void before_the_ring_the_length_stays_because_of_jumps(void **state) {
    (void)state;
    struct pfifo_edit_result result;
    const char *letters = "dkd";
    struct pfifo_stream *stream = assembled("0x40", "NV40", "inc 0 0x200 1 2 3\ninc 1 0x300 4\nreturn\n");
    struct pfifo_stream *other = edited(stream, by_letter, &letters, &result);

    expect_methods(other, "204=2 300=4 ");
    assert_int_equal(words_of(other), words_of(stream));
    assert_int_equal(result.dropped, 2);
    pfifo_stream_close(stream);
    pfifo_stream_close(other);
}

static void a_long_packet_keeps_its_own_count(void **state) {
    (void)state;
    struct pfifo_edit_result result;
    const char *letters = "dk";
    struct pfifo_stream *stream = assembled("0xa3", "GT215", "long 0 0x200 1 2 3\n");
    struct pfifo_stream *other = edited(stream, by_letter, &letters, &result);

    expect_methods(other, "200=2 200=3 ");
    assert_int_equal(words_of(other), 4);
    pfifo_stream_close(stream);
    pfifo_stream_close(other);
}

static void what_cannot_be_done_stays_and_is_counted(void **state) {
    (void)state;
    struct pfifo_edit_result result;
    const char *letters = "kd";
    struct pfifo_stream *stream = assembled("0xc0", "GF100", "inc 0 0x200 count=3 1 2\n");
    struct pfifo_stream *other = edited(stream, by_letter, &letters, &result);

    expect_methods(other, "200=1 204=2 ");
    assert_int_equal(result.left, 1);
    assert_int_equal(result.dropped, 0);
    pfifo_stream_close(stream);
    pfifo_stream_close(other);
}

static void packets_in_a_row_are_repeated_together(void **state) {
    (void)state;
    static const struct {
        const char *source, *letters, *wanted;
        size_t repeated;
    } rows[] = {
        {"inc 0 0x200 1\ninc 0 0x300 2\ninc 0 0x400 3\n", "rrk", "200=1 300=2 200=1 300=2 200=1 300=2 400=3 ", 2},
        {"inc 0 0x200 1\ninc 0 0x300 2\ninc 0 0x400 3\n", "rkr", "200=1 200=1 200=1 300=2 400=3 400=3 400=3 ", 2},
        {"inc 0 0x200 1 2\n", "kr", "200=1 204=2 200=1 204=2 200=1 204=2 ", 1},
        {"imm 0 0x200 1\nimm 0 0x300 2\n", "kr", "200=1 300=2 300=2 300=2 ", 1},
        {"inc 0 0x200 1 2 3\nimm 0 0x300 2\n", "dr7", "204=2 208=7 204=2 208=7 204=2 208=7 300=2 ", 1},
        {"once 0 0x200 1 2\ninc 0 0x300 2\n", "rrk", "200=1 204=2 200=1 204=2 200=1 204=2 300=2 ", 2},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pfifo_edit_result result;
        const char *letters = rows[i].letters;
        struct pfifo_stream *stream = assembled("0xc0", "GF100", rows[i].source);
        struct pfifo_stream *other = edited(stream, by_letter, &letters, &result);
        expect_methods(other, rows[i].wanted);
        assert_int_equal(result.repeated, rows[i].repeated);
        assert_int_equal(result.left, 0);
        pfifo_stream_close(stream);
        pfifo_stream_close(other);
    }
}

static void before_the_ring_only_all_of_a_push_is_repeated(void **state) {
    (void)state;
    static const struct {
        const char *letters, *wanted;
        size_t repeated, left;
    } rows[] = {
        {"rrr", "200=1 204=2 300=4 200=1 204=2 300=4 200=1 204=2 300=4 ", 3, 0},
        {"rrk", "200=1 204=2 300=4 ", 0, 2},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pfifo_edit_result result;
        const char *letters = rows[i].letters;
        /* As Mesa's: packets of nothing, and a word after the return. */
        struct pfifo_stream *stream =
            assembled("0x40", "NV40", "inc 0 0x200 1 2\nword 0 0\ninc 1 0x300 4\nreturn\nword 0\n");
        struct pfifo_stream *other = edited(stream, by_letter, &letters, &result);
        expect_methods(other, rows[i].wanted);
        assert_int_equal(result.repeated, rows[i].repeated);
        assert_int_equal(result.left, rows[i].left);
        pfifo_stream_close(stream);
        pfifo_stream_close(other);
    }
}

static enum pfifo_edit_action forever(void *opaque, const struct pfifo_decode_event *event, uint32_t *data) {
    (void)opaque, (void)event;
    *data = UINT32_MAX;
    return PFIFO_EDIT_REPEAT;
}

static void a_submission_has_so_many_pushes_at_most(void **state) {
    (void)state;
    struct pfifo_edit_result result;
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = assembled("0xc0", "GF100", "imm 0 0x200 1\n");
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);

    assert_int_equal(pfifo_edit(stream, NULL, forever, NULL, writer, &result, &error), PFIFO_ERROR_ARGUMENT);
    assert_string_equal(error.message, "submission 1: 4294967295 PUSHes, of which there may be 1048576");
    pfifo_stream_writer_close(writer);
    pfifo_stream_close(stream);
}

static enum pfifo_edit_action too_much(void *opaque, const struct pfifo_decode_event *event, uint32_t *data) {
    (void)opaque, (void)event;
    *data = 0x2000;
    return PFIFO_EDIT_DATA;
}

static void an_immediate_method_has_13_bits(void **state) {
    (void)state;
    struct pfifo_edit_result result;
    struct pfifo_stream *stream = assembled("0xc0", "GF100", "imm 0 0x200 1\n");
    struct pfifo_stream *other = edited(stream, too_much, NULL, &result);

    expect_methods(other, "200=1 ");
    assert_int_equal(result.left, 1);
    pfifo_stream_close(stream);
    pfifo_stream_close(other);
}

struct choices {
    struct choice *choice;
    struct methods *wanted;
};

static enum pfifo_edit_action by_chance(void *opaque, const struct pfifo_decode_event *event, uint32_t *data) {
    struct choices *choices = opaque;
    enum pfifo_edit_action action =
        choice_below(choices->choice, 3) ? PFIFO_EDIT_KEEP : (enum pfifo_edit_action)choice_below(choices->choice, 3);

    if (action == PFIFO_EDIT_DATA)
        *data = choice_below(choices->choice, 0x2000);
    if (action != PFIFO_EDIT_DROP)
        choices->wanted->method[choices->wanted->count++] =
            (struct method){.subchannel = event->subchannel, .method = event->method, .data = *data};
    return action;
}

static void random_source(struct choice *choice, bool fermi, char *source, size_t size) {
    static const char *const forms[] = {"inc", "noninc", "once", "imm"};
    size_t used = 0;

    for (uint32_t packets = 1 + choice_below(choice, 12); packets; packets--) {
        const char *form = forms[choice_below(choice, fermi ? 4 : 2)];
        used += (size_t)snprintf(source + used, size - used, "%s %u 0x%x", form, (unsigned)choice_below(choice, 8),
                                 (unsigned)(0x100 + 4 * choice_below(choice, 300)));
        for (uint32_t n = strcmp(form, "imm") ? 1 + choice_below(choice, 20) : 1; n; n--)
            used += (size_t)snprintf(source + used, size - used, " %u", (unsigned)choice_below(choice, 8000));
        used += (size_t)snprintf(source + used, size - used, "\n");
    }
}

static bool play(struct choice *choice, FILE *report) {
    static struct methods wanted, seen;
    bool fermi = choice_below(choice, 2);
    struct pfifo_edit_result result;
    struct choices choices = {.choice = choice, .wanted = &wanted};
    char source[8000];

    random_source(choice, fermi, source, sizeof source);
    wanted.count = 0;
    struct pfifo_stream *stream = assembled(fermi ? "0xc0" : "0x40", fermi ? "GF100" : "NV40", source);
    struct pfifo_stream *other = edited(stream, by_chance, &choices, &result);
    decode(other, &seen);
    bool right = !result.left && !seen.errors && seen.count == wanted.count &&
                 !memcmp(seen.method, wanted.method, seen.count * sizeof seen.method[0]);
    if (!right)
        fprintf(report, "%zu methods, and %zu are wanted, of\n%s", seen.count, wanted.count, source);
    pfifo_stream_close(stream);
    pfifo_stream_close(other);
    return right;
}

static void what_is_left_comes_in_its_order(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play, 2000), 0);
}

static void a_capture_of_which_all_is_kept_is_the_same(void **state) {
    (void)state;
    struct pfifo_edit_result result;
    const char *letters = "";
    struct pfifo_stream *stream = small_capture();
    struct pfifo_stream *other = edited(stream, by_letter, &letters, &result);
    struct pfifo_stream_record a, b;

    pfifo_stream_rewind(stream);
    do {
        assert_int_equal(pfifo_stream_next(stream, &a, NULL), PFIFO_OK);
        assert_int_equal(pfifo_stream_next(other, &b, NULL), PFIFO_OK);
        assert_int_equal(a.number, b.number);
        assert_int_equal(a.payload_bytes, b.payload_bytes);
        if (a.payload_bytes)
            assert_memory_equal(a.payload, b.payload, a.payload_bytes);
    } while (a.type != PFIFO_STREAM_END);
    assert_int_equal(result.methods, 11);
    pfifo_stream_close(stream);
    pfifo_stream_close(other);
}

/* A buffer whose address is that of its mapping has the words at their offset. */
static struct pfifo_stream *of_version_3(void) {
    static const uint8_t words[] = {0x80, 0, 2, 0x20, 1, 0, 0, 0, 2, 0, 0, 0}; /* inc 0 0x200 1 2 */
    static uint8_t page[4096];
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    struct pfifo_error error = {0};
    size_t size;
    const struct pfifo_stream_record records[] = {
        {.type = PFIFO_STREAM_VMINIT, .vminit = {.space = 1, .kept = 0x100000, .kept_bytes = 0x100000}},
        {.type = PFIFO_STREAM_BONEW, .bonew = {.handle = 2, .domain = PFIFO_STREAM_GART, .bytes = sizeof page}},
        {.type = PFIFO_STREAM_BIND, .bind = {.space = 1, .handle = 2, .address = 0x5000, .bytes = sizeof page}},
        {.type = PFIFO_STREAM_CHANIN, .chanin = {.channel = 3, .space = 1}},
        {.type = PFIFO_STREAM_CHAN, .chan = {.channel = 3}},
        {.type = PFIFO_STREAM_SUBMIT, .submit = {.sequence = 1, .channel = 3, .buffers = 1, .pushes = 1}},
        {.type = PFIFO_STREAM_BOREF, .boref = {.handle = 2, .bytes = sizeof page}},
        {.type = PFIFO_STREAM_BODATA, .bodata = {.handle = 2, .data = page, .bytes = sizeof page}},
        {.type = PFIFO_STREAM_SYNC, .sync = {.object = 4}},
        {.type = PFIFO_STREAM_PUSH,
         .push =
             {.handle = 2, .offset = 8, .length = sizeof words, .address = 0x5008, .words = words, .word_count = 3}},
        {.type = PFIFO_STREAM_SUBEND, .subend = {.sequence = 1}},
        {.type = PFIFO_STREAM_RUN, .run = {0}},
    };

    memcpy(page + 8, words, sizeof words);
    assert_int_equal(pfifo_stream_writer_version(writer, 3, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", "0xc0", NULL), PFIFO_OK);
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
        if (pfifo_stream_writer_append(writer, &records[i], &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    const void *bytes = pfifo_stream_writer_memory(writer, &size);
    struct pfifo_stream *stream = pfifo_stream_open_memory(bytes, size, "three", NULL);
    pfifo_stream_writer_close(writer);
    return stream;
}

static void what_is_mapped_by_the_program_has_the_new_words_too(void **state) {
    struct pfifo_stream *stream = of_version_3();
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    struct pfifo_edit_result result;
    const char *letters = "k9";
    unsigned pages = 0, syncs = 0;

    (void)state;
    struct pfifo_stream *other = edited(stream, by_letter, &letters, &result);
    assert_int_equal(pfifo_stream_version(other), 3);
    expect_methods(other, "200=1 204=9 ");
    pfifo_stream_rewind(other);
    while (record.type != PFIFO_STREAM_END) {
        assert_int_equal(pfifo_stream_next(other, &record, NULL), PFIFO_OK);
        syncs += record.type == PFIFO_STREAM_SYNC;
        if (record.type != PFIFO_STREAM_BODATA)
            continue;
        pages++;
        assert_int_equal(record.bodata.data[12], 1);
        assert_int_equal(record.bodata.data[16], 9);
    }
    assert_int_equal(pages, 1);
    assert_int_equal(syncs, 1);
    pfifo_stream_close(stream);
    pfifo_stream_close(other);
}

static void what_is_missing_is_said(void **state) {
    (void)state;
    struct pfifo_error error;
    struct pfifo_edit_result result;

    assert_int_equal(pfifo_edit(NULL, NULL, by_letter, NULL, NULL, &result, &error), PFIFO_ERROR_ARGUMENT);
    assert_string_equal(error.message, "editing needs a capture, a writer and who decides");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_of_every_form_lose_methods_and_get_data),
        cmocka_unit_test(before_the_ring_the_length_stays_because_of_jumps),
        cmocka_unit_test(a_long_packet_keeps_its_own_count),
        cmocka_unit_test(what_cannot_be_done_stays_and_is_counted),
        cmocka_unit_test(packets_in_a_row_are_repeated_together),
        cmocka_unit_test(before_the_ring_only_all_of_a_push_is_repeated),
        cmocka_unit_test(a_submission_has_so_many_pushes_at_most),
        cmocka_unit_test(an_immediate_method_has_13_bits),
        cmocka_unit_test(what_is_left_comes_in_its_order),
        cmocka_unit_test(a_capture_of_which_all_is_kept_is_the_same),
        cmocka_unit_test(what_is_mapped_by_the_program_has_the_new_words_too),
        cmocka_unit_test(what_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
