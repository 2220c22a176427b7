/* SPDX-License-Identifier: MIT */
/* Sessions: what is recorded at a card comes again without its guest. */
#include "slot.h"

#include <glob.h>
#include <stdio.h>

#include <pfifo/session.h>
#include <pfifo/trace.h>

#define WINDOW 0x700000u
#define SYSTEM 0x02000000u
#define RANGE  0x4000u
#define GUEST  0x120000u

struct bytes {
    uint8_t *data;
    size_t used;
};

static uint8_t ram[RANGE];
static uint64_t now;

static bool keep(void *opaque, const void *data, size_t count) {
    struct bytes *to = opaque;
    uint8_t *larger = realloc(to->data, to->used + count + 1);
    assert_non_null(larger);
    memcpy(larger + to->used, data, count);
    to->data = larger;
    to->used += count;
    return true;
}

static uint64_t clock_now(void *opaque) {
    (void)opaque;
    return now += 1000;
}

/* A card whose session goes into `to`; the window shows the guest's memory. */
static void open_recorded(struct slot *slot, struct bytes *to) {
    struct pfifo_error error = {0};
    struct pfifo_pci_config config = slot_config(slot, pfifo_chip_by_name("G84"));
    config.gpu.clock = clock_now;
    *to = (struct bytes){0};
    memset(ram, 0, sizeof ram);
    slot->card = pfifo_pci_new(&config, NULL);
    assert_non_null(slot->card);
    assert_int_equal(pfifo_pci_record(slot->card, keep, to, PFIFO_STREAM_PLAIN, &error), PFIFO_OK);
    cfg_write(slot, 4, 2, 6);
    assert_int_equal(pfifo_pci_dma_map(slot->card, GUEST, RANGE, ram, true, NULL), PFIFO_OK);
    wr32(slot, 0x1700, SYSTEM | GUEST >> 16);
}

static uint32_t look(struct slot *slot, uint32_t at) {
    return rd32(slot, WINDOW + (GUEST & 0xffff) + at);
}

static void poke(struct slot *slot, uint32_t at, uint32_t value) {
    wr32(slot, WINDOW + (GUEST & 0xffff) + at, value);
}

static void close_recorded(struct slot *slot) {
    struct pfifo_error error = {0};
    assert_int_equal(pfifo_pci_record_end(slot->card, &error), PFIFO_OK);
    slot_close(slot);
}

static struct pfifo_session_result replay(const struct bytes *from) {
    struct pfifo_error error = {0};
    struct pfifo_session *session = pfifo_session_open_memory(from->data, from->used, "a.nvses", &error);
    bool more = true;
    assert_non_null(session);
    while (more)
        assert_int_equal(pfifo_session_next(session, &more, &error), PFIFO_OK);
    struct pfifo_session_result result = *pfifo_session_result(session);
    pfifo_session_close(session);
    return result;
}

static void test_a_session_gives_the_same_answers_without_its_guest(void **state) {
    struct slot slot;
    struct bytes file;
    (void)state;
    open_recorded(&slot, &file);
    ram[0x10] = 0x42;
    assert_int_equal(look(&slot, 0x10), 0x42);
    rd32(&slot, 0x9400);
    line_up(&slot);
    pfifo_pci_run(slot.card, 100);
    cfg(&slot, 4);
    wr32(&slot, 0x100, 0);
    assert_int_equal(pfifo_pci_dma_unmap(slot.card, GUEST, RANGE, NULL), PFIFO_OK);
    assert_int_equal(look(&slot, 0x10), pfifo_pci_reset(slot.card, NULL) == PFIFO_OK ? 0 : 1);
    close_recorded(&slot);
    struct pfifo_session_result result = replay(&file);
    assert_int_equal(result.differences, 0);
    assert_int_equal(result.resets, 1);
    assert_int_equal(result.runs, 1);
    assert_int_equal(result.changes, slot.changes);
    assert_int_equal(result.pages, 1);
    assert_int_equal(result.bytes, 1);
    free(file.data);
}

static void test_only_what_has_changed_of_a_page_is_recorded(void **state) {
    struct slot slot;
    struct bytes file;
    (void)state;
    open_recorded(&slot, &file);
    memset(ram, 0x11, 0x1000);
    look(&slot, 0);
    look(&slot, 4);
    ram[5] = 0x22;
    ram[7] = 0x33;
    look(&slot, 8); /* another word of the page */
    look(&slot, 4);
    close_recorded(&slot);
    struct pfifo_session_result result = replay(&file);
    assert_int_equal(result.differences, 0);
    assert_int_equal(result.pages, 2);
    assert_int_equal(result.bytes, 0x1000 + 3);
    free(file.data);
}

static void test_what_the_guest_puts_back_is_recorded(void **state) {
    struct slot slot;
    struct bytes file;
    (void)state;
    open_recorded(&slot, &file);
    ram[0] = 0x42;
    look(&slot, 0);
    poke(&slot, 0, 0x77);
    assert_int_equal(look(&slot, 0), 0x77);
    ram[0] = 0x42;
    assert_int_equal(look(&slot, 0), 0x42);
    poke(&slot, 0, 0x99);
    ram[0] = 0x42;
    assert_int_equal(look(&slot, 0), 0x42);
    close_recorded(&slot);
    assert_int_equal(replay(&file).differences, 0);
    free(file.data);
}

static bool remote_read(void *opaque, uint64_t address, void *data, size_t bytes) {
    (void)opaque;
    memcpy(data, ram + (address - GUEST), bytes);
    return true;
}

static bool remote_write(void *opaque, uint64_t address, const void *data, size_t bytes) {
    (void)opaque;
    memcpy(ram + (address - GUEST), data, bytes);
    return true;
}

static void test_memory_without_a_pointer_is_recorded(void **state) {
    static const struct pfifo_pci_remote remote = {remote_read, remote_write, NULL};
    struct slot slot;
    struct bytes file;
    (void)state;
    open_recorded(&slot, &file);
    assert_int_equal(pfifo_pci_dma_unmap(slot.card, GUEST, RANGE, NULL), PFIFO_OK);
    assert_int_equal(pfifo_pci_dma_map_remote(slot.card, GUEST, RANGE - 1, &remote, NULL), PFIFO_ERROR_UNSUPPORTED);
    assert_int_equal(pfifo_pci_dma_map_remote(slot.card, GUEST, RANGE, &remote, NULL), PFIFO_OK);
    ram[0x10] = 0x42;
    assert_int_equal(look(&slot, 0x10), 0x42);
    ram[0x10] = 0x43;
    assert_int_equal(look(&slot, 0x10), 0x43);
    poke(&slot, 0x10, 0x77);
    assert_int_equal(ram[0x10], 0x77);
    ram[0x10] = 0x43;
    assert_int_equal(look(&slot, 0x10), 0x43);
    close_recorded(&slot);
    struct pfifo_session_result result = replay(&file);
    assert_int_equal(result.differences, 0);
    assert_int_equal(result.pages, 3);
    free(file.data);
}

static void test_the_first_difference_is_told(void **state) {
    struct slot slot;
    struct bytes file;
    (void)state;
    open_recorded(&slot, &file);
    size_t begin = file.used;
    rd32(&slot, 0);
    file.data[file.used - 4] ^= 1; /* of the answer */
    uint32_t wrong;
    memcpy(&wrong, file.data + file.used - 4, 4);
    close_recorded(&slot);
    struct pfifo_session_result result = replay(&file);
    assert_int_equal(result.differences, 1);
    assert_int_equal(result.offset, begin);
    assert_string_equal(result.what, "BAR0 0x000000 of 4 bytes");
    assert_int_equal(result.expected, wrong);
    assert_int_equal(result.got, wrong ^ 1);
    assert_int_equal(result.operation, 4);
    free(file.data);
}

/* The record of the last change of INTA, from its beginning: 12 bytes. */
static size_t last_intx(const struct bytes *file) {
    static const uint8_t head[8] = {11 + 1, 0, 0, 0, 4};
    size_t at = file->used - 12;
    while (memcmp(file->data + at, head, 8) != 0)
        at--;
    return at;
}

static void test_a_change_of_inta_is_compared(void **state) {
    struct slot slot;
    struct bytes file;
    (void)state;
    open_recorded(&slot, &file);
    line_up(&slot);
    close_recorded(&slot);
    assert_int_equal(slot.changes, 1);
    assert_int_equal(replay(&file).differences, 0);
    size_t at = last_intx(&file);
    file.data[at + 8] ^= 1;
    assert_string_equal(replay(&file).what, "INTA");
    file.data[at + 8] ^= 1;
    file.data[at] = 99; /* a record of a later version */
    assert_string_equal(replay(&file).what, "INTA, which did not change");
    file.data[at] = 12;
    struct bytes more = {0}; /* a change too many */
    keep(&more, file.data, at + 12);
    keep(&more, file.data + at, file.used - at);
    assert_string_equal(replay(&more).what, "INTA, which was to change");
    free(more.data);
    free(file.data);
}

static void test_only_a_new_card_is_recorded(void **state) {
    struct slot slot;
    struct bytes file = {0};
    struct pfifo_error error = {0};
    (void)state;
    slot_open(&slot, "NV34");
    cfg(&slot, 0);
    assert_int_equal(pfifo_pci_record(slot.card, keep, &file, PFIFO_STREAM_PLAIN, &error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_pci_record_end(slot.card, &error), PFIFO_ERROR_ARGUMENT);
    slot_close(&slot);
    slot_open(&slot, "NV34");
    assert_int_equal(pfifo_pci_record(slot.card, keep, &file, PFIFO_STREAM_PLAIN, &error), PFIFO_OK);
    assert_int_equal(pfifo_pci_dma_map(slot.card, 0x100, 0x1000, ram, true, &error), PFIFO_ERROR_UNSUPPORTED);
    assert_int_equal(pfifo_pci_load(slot.card, ram, 1, &error), PFIFO_ERROR_ARGUMENT);
    slot_close(&slot);
    free(file.data);
}

/* Wherever a file ends, and whatever a byte becomes: an error with name and offset, or a replay. */
static void test_a_hostile_session_ends_with_file_offset_and_reason(void **state) {
    struct slot slot;
    struct bytes file;
    (void)state;
    open_recorded(&slot, &file);
    ram[1] = 1;
    look(&slot, 0);
    line_up(&slot);
    close_recorded(&slot);
    for (size_t cut = 0; cut < 2 * file.used; cut++) {
        struct pfifo_error error = {0};
        size_t at = cut / 2, bytes = cut & 1 ? at : file.used;
        bool more = true;
        file.data[at] ^= cut & 1 ? 0 : 0x81;
        /* A large VRAM, which costs much to make, is not what this is about. */
        bool sizes = at >= 16 && at < 32 && !(cut & 1);
        struct pfifo_session *session =
            sizes ? NULL : pfifo_session_open_memory(file.data, bytes, "dir/bad.nvses", &error);
        while (session && more && pfifo_session_next(session, &more, &error) == PFIFO_OK)
            ;
        if (error.status == PFIFO_ERROR_FORMAT && at >= 8)
            assert_non_null(strstr(error.message, "bad.nvses: offset "));
        pfifo_session_close(session);
        file.data[at] ^= cut & 1 ? 0 : 0x81;
    }
    free(file.data);
}

/* ---- recorded from guests ---- */

static void digest_of(const char *path, bool halfway, char line[512]) {
    struct pfifo_error error = {0};
    struct pfifo_session *session = pfifo_session_open(path, &error);
    struct pfifo_digest *digest = pfifo_digest_new(NULL);
    uint64_t done = 0;
    if (!session)
        fail_msg("%s", error.message);
    struct pfifo_pci *card = pfifo_session_card(session);
    assert_int_equal(pfifo_digest_attach(digest, pfifo_pci_gpu(card), NULL), PFIFO_OK);
    for (bool more = true; more; done++) {
        if (halfway && done % 400000 == 20000) {
            struct bytes saved = {0};
            assert_int_equal(pfifo_pci_save(card, keep, &saved, NULL), PFIFO_OK);
            assert_int_equal(pfifo_pci_load(card, saved.data, saved.used, NULL), PFIFO_OK);
            free(saved.data);
        }
        if (pfifo_session_next(session, &more, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    }
    const struct pfifo_session_result *result = pfifo_session_result(session);
    if (result->differences)
        fail_msg("%s: operation %llu: %s: 0x%llx was recorded, 0x%llx came", path,
                 (unsigned long long)result->operation, result->what, (unsigned long long)result->expected,
                 (unsigned long long)result->got);
    pfifo_digest_format(digest, pfifo_session_name(session), line, 512);
    pfifo_digest_free(digest);
    pfifo_session_close(session);
}

static void test_guests_get_the_answers_that_they_got(void **state) {
    char pattern[4096], first[512], second[512];
    glob_t found;
    (void)state;
    assert_non_null(getenv("PFIFO_SAMPLES"));
    snprintf(pattern, sizeof pattern, "%s/sessions/*.xz", getenv("PFIFO_SAMPLES"));
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        digest_of(found.gl_pathv[i], false, first);
        digest_of(found.gl_pathv[i], true, second);
        assert_string_equal(first, second);
    }
    globfree(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_session_gives_the_same_answers_without_its_guest),
        cmocka_unit_test(test_only_what_has_changed_of_a_page_is_recorded),
        cmocka_unit_test(test_what_the_guest_puts_back_is_recorded),
        cmocka_unit_test(test_memory_without_a_pointer_is_recorded),
        cmocka_unit_test(test_the_first_difference_is_told),
        cmocka_unit_test(test_a_change_of_inta_is_compared),
        cmocka_unit_test(test_only_a_new_card_is_recorded),
        cmocka_unit_test(test_a_hostile_session_ends_with_file_offset_and_reason),
        cmocka_unit_test(test_guests_get_the_answers_that_they_got),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
