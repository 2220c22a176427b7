/* SPDX-License-Identifier: MIT */
/* What two replays leave, compared: memory, registers, faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <pfifo/compare.h>

enum { PAGE = 4096, BOTH = 2, MOST = 40 };

#define AT(handle) (UINT64_C(0x100000000) + (handle)*PAGE)

struct seen {
    struct pfifo_difference difference[MOST];
    char name[MOST][64];
    size_t count, most;
};

static bool see(void *opaque, const struct pfifo_difference *difference) {
    struct seen *seen = opaque;

    assert_true(seen->count < MOST);
    snprintf(seen->name[seen->count], sizeof seen->name[0], "%s", difference->name ? difference->name : "");
    seen->difference[seen->count++] = *difference;
    return seen->count != seen->most;
}

static void put(struct pfifo_stream_writer *writer, const struct pfifo_stream_record *record) {
    assert_int_equal(pfifo_stream_writer_append(writer, record, NULL), PFIFO_OK);
}

static void put_buffer(struct pfifo_stream_writer *writer, uint32_t handle, uint32_t pages) {
    put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW,
                                              .bonew = {.handle = handle,
                                                        .domain = PFIFO_STREAM_GART,
                                                        .bytes = (uint64_t)pages * PAGE,
                                                        .address = AT(handle)}});
}

static void put_reference(struct pfifo_stream_writer *writer, uint32_t handle, const uint8_t *page) {
    put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BOREF,
                                              .boref = {.handle = handle,
                                                        .valid_domains = PFIFO_STREAM_GART,
                                                        .read_domains = PFIFO_STREAM_GART,
                                                        .address = AT(handle),
                                                        .bytes = PAGE}});
    put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BODATA,
                                              .bodata = {.handle = handle, .bytes = PAGE, .data = page}});
}

/* Two submissions on a GF100: the second one uses only buffer 2. `word` goes to buffer 1 + 0x104 in the first. */
static struct pfifo_stream *make_capture(uint32_t word, uint32_t pages) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    uint8_t page[PAGE] = {0};
    size_t bytes;

    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", "0xc0", NULL), PFIFO_OK);
    put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_CHAN, .chan = {.channel = 1}});
    put_buffer(writer, 1, 1);
    put_buffer(writer, 2, pages);
    for (uint32_t handle = 1; handle <= 2; handle++) {
        memcpy(page + 0x104, &word, handle == 1 ? sizeof word : 0);
        put(writer,
            &(struct pfifo_stream_record){.type = PFIFO_STREAM_SUBMIT,
                                          .submit = {.sequence = handle, .channel = 1, .buffers = 1, .pushes = 0}});
        put_reference(writer, handle, page);
        put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SUBEND, .subend = {.sequence = handle}});
        memset(page, 0, sizeof page);
    }
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    const void *data = pfifo_stream_writer_memory(writer, &bytes);
    struct pfifo_stream *stream = pfifo_stream_open_memory(data, bytes, "made", NULL);
    assert_non_null(stream);
    pfifo_stream_writer_close(writer);
    return stream;
}

struct pair {
    struct pfifo_stream *stream[BOTH];
    struct pfifo_replay *replay[BOTH];
};

static struct pair make_pair(const uint32_t word[BOTH], const uint32_t pages[BOTH]) {
    struct pair pair;
    struct pfifo_error error = {0};

    for (int i = 0; i < BOTH; i++) {
        pair.stream[i] = make_capture(word[i], pages[i]);
        pair.replay[i] = pfifo_replay_new(pair.stream[i], NULL, &error);
        for (bool more = true; more;)
            if (pfifo_replay_next(pair.replay[i], &more, &error) != PFIFO_OK)
                fail_msg("%s", error.message);
    }
    return pair;
}

static void free_pair(struct pair *pair) {
    for (int i = 0; i < BOTH; i++) {
        pfifo_replay_free(pair->replay[i]);
        pfifo_stream_close(pair->stream[i]);
    }
}

static void compare(const struct pair *pair, const struct pfifo_compare_options *options, struct seen *seen) {
    assert_int_equal(pfifo_replay_compare(pair->replay[0], pair->replay[1], options, see, seen, NULL), PFIFO_OK);
}

static void what_is_the_same_has_no_difference(void **state) {
    struct pair pair = make_pair((const uint32_t[]){7, 7}, (const uint32_t[]){1, 1});
    struct seen seen = {0};

    (void)state;
    compare(&pair, NULL, &seen);
    assert_int_equal(seen.count, 0);
    free_pair(&pair);
}

static void memory_differs_from_its_first_word_on(void **state) {
    struct pair pair = make_pair((const uint32_t[]){0x11223344, 0x1155ff44}, (const uint32_t[]){1, 1});
    struct seen seen = {0};

    (void)state;
    compare(&pair, NULL, &seen);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.difference[0].kind, PFIFO_DIFFERENCE_MEMORY);
    assert_int_equal(seen.difference[0].handle, 1);
    assert_int_equal(seen.difference[0].offset, 0x104);
    assert_int_equal(seen.difference[0].end, 0x107);
    assert_int_equal(seen.difference[0].bytes, 2);
    assert_int_equal(seen.difference[0].value[0], 0x11223344);
    assert_int_equal(seen.difference[0].value[1], 0x1155ff44);
    free_pair(&pair);
}

static void only_the_last_submission_names_only_its_buffers(void **state) {
    struct pair pair = make_pair((const uint32_t[]){1, 2}, (const uint32_t[]){1, 3});
    const struct pfifo_compare_options last = {.size = sizeof last, .only_last = true},
                                       none = {.size = sizeof none, .ignore_memory = true};
    struct seen seen = {0};

    (void)state;
    compare(&pair, NULL, &seen);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.difference[0].handle, 1);
    seen = (struct seen){0};
    compare(&pair, &last, &seen);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.difference[0].kind, PFIFO_DIFFERENCE_BUFFER);
    assert_int_equal(seen.difference[0].handle, 2);
    assert_int_equal(seen.difference[0].value[0], PAGE);
    assert_int_equal(seen.difference[0].value[1], 3 * PAGE);
    seen = (struct seen){0};
    compare(&pair, &none, &seen);
    assert_int_equal(seen.count, 0);
    free_pair(&pair);
}

static void registers_differ_by_name(void **state) {
    struct pair pair = make_pair((const uint32_t[]){1, 2}, (const uint32_t[]){1, 1});
    const struct pfifo_compare_options options = {.size = sizeof options, .ignore_memory = true};
    const struct pfifo_compare_options neither = {
        .size = sizeof neither, .ignore_memory = true, .ignore_registers = true};
    struct seen seen = {0};

    (void)state;
    pfifo_gpu_wr32(pfifo_replay_gpu(pair.replay[1]), 0x140, 0); /* PMC.INTR_EN */
    compare(&pair, &options, &seen);
    assert_true(seen.count >= 1);
    assert_int_equal(seen.difference[0].kind, PFIFO_DIFFERENCE_REGISTER);
    assert_int_equal(seen.difference[0].offset, 0x140);
    assert_true(strncmp(seen.name[0], "PMC.", 4) == 0);
    assert_int_equal(seen.difference[0].value[1], 0);
    seen = (struct seen){0};
    compare(&pair, &neither, &seen);
    assert_int_equal(seen.count, 0);
    free_pair(&pair);
}

static void who_has_enough_is_not_called_again(void **state) {
    struct pair pair = make_pair((const uint32_t[]){1, 2}, (const uint32_t[]){1, 2});
    struct seen seen = {.most = 1};

    (void)state;
    pfifo_gpu_wr32(pfifo_replay_gpu(pair.replay[1]), 0x140, 0);
    compare(&pair, NULL, &seen);
    assert_int_equal(seen.count, 1);
    free_pair(&pair);
}

static void a_replay_that_is_missing_is_refused(void **state) {
    struct pair pair = make_pair((const uint32_t[]){1, 1}, (const uint32_t[]){1, 1});
    const struct pfifo_compare_options small = {.size = 1};
    struct seen seen = {0};

    (void)state;
    assert_int_equal(pfifo_replay_compare(pair.replay[0], NULL, NULL, see, &seen, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_replay_compare(pair.replay[0], pair.replay[1], NULL, NULL, NULL, NULL),
                     PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_replay_compare(pair.replay[0], pair.replay[1], &small, see, &seen, NULL),
                     PFIFO_ERROR_ARGUMENT);
    free_pair(&pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_the_same_has_no_difference),
        cmocka_unit_test(memory_differs_from_its_first_word_on),
        cmocka_unit_test(only_the_last_submission_names_only_its_buffers),
        cmocka_unit_test(registers_differ_by_name),
        cmocka_unit_test(who_has_enough_is_not_called_again),
        cmocka_unit_test(a_replay_that_is_missing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
