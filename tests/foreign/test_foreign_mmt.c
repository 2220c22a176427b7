/* SPDX-License-Identifier: MIT */
/* Recordings of valgrind-mmt that are put together here, message by message. */
#include "foreign/made_mmt.h"

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
    add_ioctl(&made, 'j', 0x44, refused, 3);
    made.data[made.size - 12 - 1 - 4 - 8] = 22; /* its error: the result is 0 then */
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
    expect_refused(&made, PFIFO_ERROR_FORMAT,
                   "no buffer, channel or object of nouveau or of NVIDIA's driver in the log of valgrind-mmt");
    begin(&made);
    add(&made, "nZ\0\0\n", 5);
    expect_refused(&made, PFIFO_ERROR_FORMAT, "a.mmt: offset 11: no message of valgrind-mmt begins with 'n', 0x5a");
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

/* NVK submits by address; valgrind-mmt does not record where its lists are. */
static void calls_of_nvk_are_noted_by_name(void **state) {
    static const struct {
        unsigned number;
        int when;
        const char *note;
    } rows[] = {
        {0x50, 'j', "an address space that the program manages (VM_INIT)"},
        {0x51, 'i', "mappings in the program's own address space (VM_BIND), whose list is not in the log"},
        {0x52, 'i', "a submission by address (EXEC), whose list is not in the log"},
    };
    static const uint32_t data[10] = {1};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static struct made made;
        add_beginning(&made);
        add_ioctl(&made, rows[i].when, rows[i].number, data, rows[i].number == 0x50 ? 4 : 10);
        struct pfifo_stream *stream = read_made(&made);
        if (!has_note(stream, rows[i].note))
            fail_msg("no note '%s'", rows[i].note);
        pfifo_stream_close(stream);
    }
}

/* What is written at an address is the newest mapping's, and at the end of it nobody's. */
static void a_mapping_over_another_has_its_addresses(void **state) {
    static const uint32_t second[] = {2, 4, 0x1000, 0, 0x30000000, 0, 0x90000000, 0, 0, 0, 0, 0};
    static struct made made;
    struct pfifo_stream_record record;
    (void)state;
    add_beginning(&made);
    add_ioctl(&made, 'j', 0x80, second, 12);
    add_write_at(&made, 0x7000, 1);
    add_map(&made, 10, 0x90000000, 0x7000, 0x1000);
    add_write_at(&made, 0x7000, 2);
    add_write(&made, 9, 4, 3); /* by number it is still there */
    add_write_at(&made, 0x8000, 4);
    add_submission(&made, 1, 0, 8);
    add_submission(&made, 2, 0, 4);
    struct pfifo_stream *stream = read_made(&made);
    record = next(stream, PFIFO_STREAM_PUSH);
    assert_int_equal(pfifo_stream_word(&record.push, 0), 1);
    assert_int_equal(pfifo_stream_word(&record.push, 1), 3);
    record = next(stream, PFIFO_STREAM_PUSH);
    assert_int_equal(pfifo_stream_word(&record.push, 0), 2);
    pfifo_stream_close(stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ioctls_of_nouveau_become_records),
        cmocka_unit_test(words_are_what_was_written_to_the_buffer_before),
        cmocka_unit_test(writes_follow_a_mapping_that_moves_and_end_with_it),
        cmocka_unit_test(what_is_left_out_is_noted_with_its_offset),
        cmocka_unit_test(calls_of_nvk_are_noted_by_name),
        cmocka_unit_test(a_mapping_over_another_has_its_addresses),
        cmocka_unit_test(a_recording_may_be_cut_off),
        cmocka_unit_test(a_small_recording_cannot_have_a_capture_without_end),
        cmocka_unit_test(a_message_that_is_damaged_is_refused),
        cmocka_unit_test(a_log_of_valgrind_without_zeros_is_no_recording),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
