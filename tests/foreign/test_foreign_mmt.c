/* SPDX-License-Identifier: MIT */
/* Recordings of valgrind-mmt that are put together here, message by message. */
#include "foreign/made.h"

#include <pfifo/foreign.h>

/* ---- making a log ---- */

static void add_byte(struct made *made, int byte) {
    const uint8_t value = (uint8_t)byte;

    add(made, &value, 1);
}

static void add_bytes(struct made *made, const void *data, size_t bytes) {
    add_u32(made, (uint32_t)bytes);
    add(made, data, bytes);
}

static void begin(struct made *made) {
    made->size = 0;
    add(made, "==12== mmt\n", 11);
}

/* An ioctl of the newer form, before ('i') or after ('j') it. */
static void add_ioctl(struct made *made, int type, unsigned number, const uint32_t *data, size_t words) {
    uint8_t bytes[128];

    for (size_t i = 0; i < words; i++)
        store_le32(bytes + 4 * i, data[i]);
    add_byte(made, type);
    add_u32(made, 5);
    add_u32(made, 0xc0000000u | (uint32_t)(4 * words) << 16 | 'd' << 8 | number);
    if (type == 'j') {
        add_u64(made, 0);
        add_u64(made, 0);
    }
    add_bytes(made, bytes, 4 * words);
    add_byte(made, '\n');
}

static void add_memory(struct made *made, uint64_t address, const uint32_t *data, size_t words) {
    add_byte(made, 'y');
    add_u64(made, address);
    add_u32(made, (uint32_t)(4 * words));
    for (size_t i = 0; i < words; i++)
        add_u32(made, data[i]);
    add_byte(made, '\n');
}

static void add_map(struct made *made, uint32_t id, uint64_t offset, uint64_t start, uint64_t bytes) {
    add_byte(made, 'm');
    add_u64(made, offset);
    add_u32(made, id);
    add_u64(made, start);
    add_u64(made, bytes);
    add_byte(made, '\n');
}

static void add_write(struct made *made, uint32_t id, uint32_t offset, uint32_t word) {
    add_byte(made, 'w');
    add_u32(made, id);
    add_u32(made, offset);
    add_byte(made, 4);
    add_u32(made, word);
    add_byte(made, '\n');
}

static void add_write_at(struct made *made, uint64_t address, uint32_t word) {
    add_byte(made, 'W');
    add_u64(made, address);
    add_byte(made, 4);
    add_u32(made, word);
    add_byte(made, '\n');
}

/* A GF100, a channel, and buffer 1: a page at 0x20000000 that is mapped at 0x7000. */
static void add_beginning(struct made *made) {
    static const uint32_t chipset[] = {11, 0, 0xc0, 0}, channel[22] = {0xbeef0201, 0xbeef0202, 3, 4},
                          buffer[] = {1, 4, 0x1000, 0, 0x20000000, 0, 0x80000000, 0, 0, 0, 0, 0};

    begin(made);
    add_ioctl(made, 'j', 0x40, chipset, 4);
    add_ioctl(made, 'j', 0x42, channel, 22);
    add_ioctl(made, 'j', 0x80, buffer, 12);
    add_map(made, 9, 0x80000000, 0x7000, 0x1000);
}

/* Buffer `handle`, and `bytes` of words from `offset` on in it. */
static void add_submission(struct made *made, uint32_t handle, uint32_t offset, uint32_t bytes) {
    const uint32_t request[] = {3, 1, 0x100, 0, 0, 1, 0, 0, 0x200, 0, 0, 0, 0, 0, 0, 0};
    const uint32_t buffer[] = {0, 0, handle, 4, 0, 4, 1, 4, 0x20000000, 0}, push[] = {0, 0, offset, 0, bytes, 0};

    add_ioctl(made, 'i', 0x81, request, 16);
    add_memory(made, 0x100, buffer, 10);
    add_memory(made, 0x200, push, 6);
    add_ioctl(made, 'j', 0x81, request, 16);
}

static struct pfifo_stream *read_made(const struct made *made) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_foreign_read(made->data, made->size, "a.mmt", &error);

    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

/* The next record of a type; all of them before are passed over. */
static struct pfifo_stream_record next(struct pfifo_stream *stream, enum pfifo_stream_type type) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};

    do
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
    while (record.type != type && record.type != PFIFO_STREAM_END);
    assert_int_equal(record.type, type);
    return record;
}

static bool has_note(struct pfifo_stream *stream, const char *text) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};

    pfifo_stream_rewind(stream);
    while (record.type != PFIFO_STREAM_END) {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        if (record.type == PFIFO_STREAM_TEXT && memmem(record.text.value, record.text.value_bytes, text, strlen(text)))
            return true;
    }
    return false;
}

static void expect_refused(const struct made *made, enum pfifo_status status, const char *reason) {
    struct pfifo_error error = {0};

    if (pfifo_foreign_read(made->data, made->size, "a.mmt", &error))
        fail_msg("read, not '%s'", reason);
    if (!strstr(error.message, reason))
        fail_msg("'%s', not '%s'", error.message, reason);
    assert_int_equal(error.status, status);
}

/* ---- what becomes of it ---- */

static void ioctls_of_nouveau_become_records(void **state) {
    static const uint32_t refused[] = {3, 0x1234, 0x9197}, object[] = {3, 0x1234, 0x9097},
                          notifier[] = {3, 0xbeef0301, 32, 64}, wait[] = {1, 2}, close[] = {1};
    static struct made made;
    struct pfifo_stream_record record;
    (void)state;
    add_beginning(&made);
    add_ioctl(&made, 'j', 0x44, refused, 3);
    made.data[made.size - 12 - 1 - 4 - 16] = 0xff; /* its result */
    add_ioctl(&made, 'j', 0x44, object, 3);
    add_ioctl(&made, 'j', 0x45, notifier, 4);
    add_ioctl(&made, 'j', 0x82, wait, 2);
    add_ioctl(&made, 'j', 0x09, close, 1);
    struct pfifo_stream *stream = read_made(&made);
    assert_int_equal(pfifo_stream_chipset(stream), 0xc0);
    record = next(stream, PFIFO_STREAM_CHAN);
    assert_int_equal(record.chan.channel, 3);
    assert_int_equal(record.chan.fb_ctxdma, 0xbeef0201);
    record = next(stream, PFIFO_STREAM_BONEW);
    assert_int_equal(record.bonew.address, 0x20000000);
    assert_int_equal(record.bonew.bytes, 0x1000);
    record = next(stream, PFIFO_STREAM_OBJ);
    assert_int_equal(record.obj.oclass, 0x9097);
    record = next(stream, PFIFO_STREAM_NTFY);
    assert_int_equal(record.ntfy.offset, 64);
    record = next(stream, PFIFO_STREAM_PREP);
    assert_int_equal(record.prep.flags, 2);
    record = next(stream, PFIFO_STREAM_BODEL);
    assert_int_equal(record.bodel.handle, 1);
    pfifo_stream_close(stream);
}

static void words_are_what_was_written_to_the_buffer_before(void **state) {
    static struct made made;
    struct pfifo_stream_record record;
    (void)state;
    add_beginning(&made);
    add_write(&made, 9, 0x20, 1);
    add_write_at(&made, 0x7024, 2);
    add_write_at(&made, 0x9000, 7); /* elsewhere */
    add_submission(&made, 1, 0x20, 8);
    add_write(&made, 9, 0x24, 3);
    add_submission(&made, 1, 0x20, 8);
    struct pfifo_stream *stream = read_made(&made);
    for (uint32_t i = 0; i < 2; i++) {
        record = next(stream, PFIFO_STREAM_BODATA);
        assert_int_equal(load_le32(record.bodata.data + 0x24), 2 + i);
        record = next(stream, PFIFO_STREAM_PUSH);
        assert_int_equal(record.push.address, 0x20000020);
        assert_int_equal(record.push.word_count, 2);
        assert_int_equal(pfifo_stream_word(&record.push, 0), 1);
        assert_int_equal(pfifo_stream_word(&record.push, 1), 2 + i);
    }
    pfifo_stream_close(stream);
}

static void writes_follow_a_mapping_that_moves_and_end_with_it(void **state) {
    static struct made made;
    (void)state;
    add_beginning(&made);
    add_byte(&made, 'e');
    add_u64(&made, 0x80000000);
    add_u32(&made, 9);
    for (int i = 0; i < 4; i++)
        add_u64(&made, 0);
    add_u64(&made, 0xa000);
    add_u64(&made, 0x1000);
    add_byte(&made, '\n');
    add_write_at(&made, 0xa000, 5);
    add_byte(&made, 'u');
    add_u64(&made, 0x80000000);
    add_u32(&made, 9);
    for (int i = 0; i < 4; i++)
        add_u64(&made, 0);
    add_byte(&made, '\n');
    add_write_at(&made, 0xa000, 6);
    add_write(&made, 9, 0, 7);
    add_submission(&made, 1, 0, 4);
    struct pfifo_stream *stream = read_made(&made);
    struct pfifo_stream_record record = next(stream, PFIFO_STREAM_PUSH);
    assert_int_equal(pfifo_stream_word(&record.push, 0), 5);
    pfifo_stream_close(stream);
}

static void what_is_left_out_is_noted_with_its_offset(void **state) {
    static const struct {
        uint32_t handle, offset, bytes;
        const char *note;
    } rows[] = {
        {2, 0, 4,
         "1 ioctls are not here; the first is at offset 283: a submission has a buffer that the log does not make"},
        {1, 0xffc, 8, "the words of a submission are not inside of their buffer"},
        {1, 2, 4, "the words of a submission are not inside of their buffer"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static struct made made;
        add_beginning(&made);
        add_submission(&made, rows[i].handle, rows[i].offset, rows[i].bytes);
        struct pfifo_stream *stream = read_made(&made);
        if (!has_note(stream, rows[i].note))
            fail_msg("no note '%s'", rows[i].note);
        pfifo_stream_close(stream);
    }
}

/* A program that is ended leaves a message that is not whole. */
static void a_recording_may_be_cut_off(void **state) {
    static struct made made;
    size_t whole;
    (void)state;
    add_beginning(&made);
    whole = made.size;
    add_write(&made, 9, 0, 1);
    for (size_t bytes = whole + 1; bytes < made.size; bytes++) {
        struct made cut = made;
        cut.size = bytes;
        struct pfifo_stream *stream = read_made(&cut);
        assert_true(has_note(stream, "is not whole"));
        pfifo_stream_close(stream);
    }
}

static void a_message_that_is_damaged_is_refused(void **state) {
    static struct made made;
    (void)state;
    add_beginning(&made);
    add_byte(&made, 0x7e);
    expect_refused(&made, PFIFO_ERROR_FORMAT, "a.mmt: offset 283: no message of valgrind-mmt begins with 0x7e");
    add_beginning(&made);
    add_write(&made, 9, 0, 1);
    made.data[made.size - 1] = 'x';
    expect_refused(&made, PFIFO_ERROR_FORMAT, "a.mmt: offset 297: the message that begins at 283 is damaged");
    begin(&made);
    add_write(&made, 9, 0, 1);
    expect_refused(&made, PFIFO_ERROR_FORMAT, "no buffer and no channel of nouveau in the log of valgrind-mmt");
    begin(&made);
    add(&made, "nG\0\0\n", 5);
    expect_refused(
        &made, PFIFO_ERROR_UNSUPPORTED,
        "a.mmt: offset 11: message 'n', 0x47: valgrind-mmt on NVIDIA's own driver is not read, only on nouveau");
}

/* Pushes may name the same words again and again. */
static void a_small_recording_cannot_have_a_capture_without_end(void **state) {
    enum { PUSHES = 129 };
    static const uint32_t large[] = {2, 4, 0x800000, 0, 0x30000000, 0, 0x90000000, 0, 0, 0, 0, 0},
                          request[] = {3, 1, 0x100, 0, 0, PUSHES, 0, 0, 0x200, 0, 0, 0, 0, 0, 0, 0},
                          buffer[] = {0, 0, 2, 4, 0, 4, 1, 4, 0x30000000, 0};
    static uint32_t push[6 * PUSHES];
    static struct made made;
    (void)state;
    for (size_t i = 0; i < PUSHES; i++)
        push[6 * i + 4] = 0x7ffffc;
    add_beginning(&made);
    add_ioctl(&made, 'j', 0x80, large, 12);
    add_ioctl(&made, 'i', 0x81, request, 16);
    add_memory(&made, 0x100, buffer, 10);
    add_memory(&made, 0x200, push, 6 * PUSHES);
    add_ioctl(&made, 'j', 0x81, request, 16);
    expect_refused(&made, PFIFO_ERROR_UNSUPPORTED, "from here on its capture would have more than 1 GiB");
}

/* A text of valgrind is a text. */
static void a_log_of_valgrind_without_zeros_is_no_recording(void **state) {
    static const char text[] = "==1234== Memcheck, a memory error detector\n==1234== nothing\n";
    (void)state;
    assert_null(pfifo_foreign_recognise(text, sizeof text - 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ioctls_of_nouveau_become_records),
        cmocka_unit_test(words_are_what_was_written_to_the_buffer_before),
        cmocka_unit_test(writes_follow_a_mapping_that_moves_and_end_with_it),
        cmocka_unit_test(what_is_left_out_is_noted_with_its_offset),
        cmocka_unit_test(a_recording_may_be_cut_off),
        cmocka_unit_test(a_small_recording_cannot_have_a_capture_without_end),
        cmocka_unit_test(a_message_that_is_damaged_is_refused),
        cmocka_unit_test(a_log_of_valgrind_without_zeros_is_no_recording),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
