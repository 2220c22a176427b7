/* SPDX-License-Identifier: MIT */
/* A frame of RPCS3's: files that are put together here, what becomes of them, and how they run. */
#include "foreign/made.h"

#include <pfifo/foreign.h>

#include "foreign/rpcs3.h"

#define ONE(method) (1u << 18 | (method))

/* ---- making a file ---- */

enum { BLOCKS_AT = 3 * 4 + 1 + 432 + 8 + 1 }; /* where the first one is, if there are fewer than 128 */

static void add_count(struct made *made, uint64_t count) {
    uint8_t byte;

    do {
        byte = (uint8_t)(count & 0x7f);
        count >>= 7;
        byte |= count ? 0x80 : 0;
        add(made, &byte, 1);
    } while (count);
}

struct command {
    uint32_t header, word;
    uint64_t block; /* 0: none */
    size_t times;   /* that it names the block besides the first */
};

struct block {
    uint32_t offset, location;
    const char *data; /* with its zero */
};

struct file {
    uint32_t version;
    const struct block *block; /* the first has number 1 */
    size_t blocks;
    const struct command *command;
    size_t commands;
    const uint32_t *registers; /* pairs of method, with its subchannel, and value */
    size_t register_words;
    size_t instructions;
    bool constants;
    const uint32_t *tiles; /* 15 * 4 and 8 * 6 words of tiles and zcull regions; NULL: all 0 */
};

static void make_file(struct made *made, const struct file *file) {
    static uint32_t registers[RPCS3_REGISTERS];

    made->size = 0;
    add(made, "RRC", 4);
    add_u32(made, file->version ? file->version : 6);
    add_u32(made, 1);
    add_count(made, 1);
    for (size_t i = 0; i < 108; i++)
        add_u32(made, file->tiles ? file->tiles[i] : 0);
    add_u64(made, 0x1000);
    add_count(made, file->blocks);
    assert_int_equal(made->size, BLOCKS_AT);
    for (size_t i = 0; i < file->blocks; i++) {
        add_u32(made, file->block[i].offset);
        add_u32(made, file->block[i].location);
        add_u64(made, 0x100 + i);
        add_u64(made, 1 + i);
    }
    add_count(made, file->blocks);
    for (size_t i = 0; i < file->blocks; i++) {
        add_count(made, strlen(file->block[i].data) + 1);
        add(made, file->block[i].data, strlen(file->block[i].data) + 1);
        add_u64(made, 0x100 + i);
    }
    add_count(made, 1);
    add(made, NULL, 132);
    add_u64(made, 0x1001);
    add_count(made, file->commands);
    for (size_t i = 0; i < file->commands; i++) {
        add_u32(made, file->command[i].header);
        add_u32(made, file->command[i].word);
        add_count(made, file->command[i].block ? 1 + file->command[i].times : 0);
        for (size_t j = 0; file->command[i].block && j <= file->command[i].times; j++)
            add_u64(made, file->command[i].block);
        add_u64(made, 0x1000);
        add_u64(made, 0x1001);
    }
    for (size_t i = 0; i < 4 * (file->instructions ? file->instructions : 544); i++)
        add_u32(made, i < 4 ? (uint32_t)i + 1 : 0);
    if (file->constants)
        for (uint32_t i = 0; i < 2048; i++)
            add_u32(made, i == 4 ? 0x3f800000 : 0);
    memset(registers, 0, sizeof registers);
    for (size_t i = 0; i < file->register_words; i += 2)
        registers[file->registers[i] / 4] = file->registers[i + 1];
    for (size_t i = 0; i < RPCS3_REGISTERS; i++)
        add_u32(made, registers[i]);
}

static struct pfifo_stream *read_made(const struct made *made) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_foreign_read(made->data, made->size, "frame.rrc", &error);

    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

static void expect_refused(const struct made *made, size_t bytes, enum pfifo_status status, const char *reason) {
    struct pfifo_error error = {0};

    if (pfifo_foreign_read(made->data, bytes, "frame.rrc", &error))
        fail_msg("read, not '%s'", reason);
    if (strcmp(error.message, reason) != 0)
        fail_msg("'%s', not '%s'", error.message, reason);
    assert_int_equal(error.status, status);
}

/* All words of a capture, without returns. */
static size_t words_of(struct pfifo_stream *stream, uint32_t *words, size_t most) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    size_t count = 0;

    while (record.type != PFIFO_STREAM_END) {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        for (uint32_t i = 0; record.type == PFIFO_STREAM_PUSH && i + 1 < record.push.word_count; i++) {
            assert_true(count < most);
            words[count++] = pfifo_stream_word(&record.push, i);
        }
        if (record.type == PFIFO_STREAM_PUSH)
            assert_int_equal(pfifo_stream_word(&record.push, record.push.word_count - 1), 0x20000);
    }
    return count;
}

static void expect_words(const struct file *file, const uint32_t *expected, size_t count) {
    static struct made made;
    uint32_t words[64];

    make_file(&made, file);
    struct pfifo_stream *stream = read_made(&made);
    assert_int_equal(pfifo_stream_chipset(stream), 0x4d);
    assert_int_equal(words_of(stream, words, 64), count);
    for (size_t i = 0; i < count; i++)
        if (words[i] != expected[i])
            fail_msg("word %zu is %08x, not %08x", i, words[i], expected[i]);
    pfifo_stream_close(stream);
}

/* ---- what becomes of it ---- */

static void a_frame_begins_with_its_program_and_state(void **state) {
    static const uint32_t registers[] = {0,      0x31337000, 0x194,  0xfeed0000, 0x200,  640 << 16,  0x1808, 5,
                                         0x1d94, 0xf3,       0x2000, 0x31337303, 0x2184, 0xfeed0001, 0x230c, 77};
    static const struct command command = {ONE(0x100), 9, 0};
    static const uint32_t words[] = {ONE(0),    0x31337000,  ONE(0x1e9c), 0,           4 << 18 | 0xb80, 1,
                                     2,         3,           4,           ONE(0x194),  0xfeed0000,      ONE(0x200),
                                     640 << 16, ONE(0x2000), 0x31337303,  ONE(0x2184), 0xfeed0001,      ONE(0x100),
                                     9};
    (void)state;
    expect_words(&(struct file){.command = &command, .commands = 1, .registers = registers, .register_words = 16},
                 words, 19);
}

static void frames_with_constants_and_with_fewer_instructions_are_told_apart(void **state) {
    static const uint32_t registers[] = {0, 0x31337000};
    static const uint32_t with[] = {
        ONE(0), 0x31337000, ONE(0x1e9c), 0, 4 << 18 | 0xb80, 1, 2, 3, 4, 5 << 18 | 0x1efc, 1, 0x3f800000, 0, 0, 0};
    struct file file = {.registers = registers, .register_words = 2};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        file.instructions = i ? 512 : 544;
        file.constants = false;
        expect_words(&file, with, 9);
        file.constants = true;
        expect_words(&file, with, 15);
    }
}

/* RPCS3 writes packets of constants and programs with their count, and then words. */
static void packets_of_several_words_stay_packets(void **state) {
    static const struct command commands[] = {{3 << 18 | 0x1efc, 1, 0}, {0, 2, 0}, {0, 3, 0}, {ONE(0x100), 4, 0}};
    static const uint32_t words[] = {3 << 18 | 0x1efc, 1, 2, 3, ONE(0x100), 4};
    (void)state;
    expect_words(&(struct file){.command = commands, .commands = 4}, words, 6);
}

/* 16 bytes are copied from main memory to local memory, by a copy before which they are put there. */
static const struct block copied = {0x1000010, 1, "from main memory"};
static const struct command copy[] = {{ONE(0x230c), 0x1000010, 0}, {ONE(0x2310), 0x800000, 0}, {ONE(0x231c), 17, 0},
                                      {ONE(0x2320), 1, 0},         {ONE(0x2324), 0x101, 0},    {ONE(0x2328), 0, 1}};
static const uint32_t copy_registers[] = {0x2000, 0x31337303, 0x2184, 0xfeed0001, 0x2188, 0xfeed0000};

static void a_submission_begins_where_memory_changes(void **state) {
    const struct file file = {.block = &copied,
                              .blocks = 1,
                              .command = copy,
                              .commands = 6,
                              .registers = copy_registers,
                              .register_words = 6};
    static struct made made;
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    uint32_t sequence = 0, pages = 0;
    (void)state;
    make_file(&made, &file);
    struct pfifo_stream *stream = read_made(&made);
    while (record.type != PFIFO_STREAM_END) {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        if (record.type == PFIFO_STREAM_SUBMIT)
            sequence = record.submit.sequence;
        if (record.type == PFIFO_STREAM_BOREF)
            assert_int_equal(record.boref.valid_domains, PFIFO_STREAM_GART);
        if (record.type == PFIFO_STREAM_BODATA) {
            assert_int_equal(sequence, 2);
            assert_string_equal((const char *)record.bodata.data + 0x10, "from main memory");
            pages++;
        }
        if (record.type == PFIFO_STREAM_PUSH && sequence == 2)
            assert_int_equal(pfifo_stream_word(&record.push, 0), ONE(0x2328));
    }
    assert_int_equal(sequence, 2);
    assert_int_equal(pages, 1);
    pfifo_stream_close(stream);
}

/* Which memory a block without an address of a page is in is said, and the rest is there. */
static void each_page_goes_to_the_buffer_that_it_is_in(void **state) {
    static const struct block blocks[] = {
        {0x2000, 0, "a"}, {0x8000, 0, "b"}, {0x9000, 0, "c"}, {0x2000, 1, "d"}, {0x20000, 1, "e"}};
    static const struct command commands[] = {{ONE(0x100), 0, 5, 0},
                                              {ONE(0x100), 0, 3, 0},
                                              {ONE(0x100), 0, 1, 0},
                                              {ONE(0x100), 0, 4, 0},
                                              {ONE(0x100), 0, 2, 0}};
    static const struct {
        uint32_t domain;
        uint64_t address, offset;
        char data;
    } expected[] = {{PFIFO_STREAM_GART, 0x20000, 0, 'e'},
                    {PFIFO_STREAM_VRAM, 0x8000, 0x1000, 'c'}, /* the buffer of b */
                    {PFIFO_STREAM_VRAM, 0x2000, 0, 'a'},
                    {PFIFO_STREAM_GART, 0x2000, 0, 'd'},
                    {PFIFO_STREAM_VRAM, 0x8000, 0, 'b'}};
    const struct file file = {.block = blocks, .blocks = 5, .command = commands, .commands = 5};
    static struct made made;
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    size_t found = 0;
    (void)state;
    make_file(&made, &file);
    struct pfifo_stream *stream = read_made(&made);
    while (record.type != PFIFO_STREAM_END) {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        if (record.type == PFIFO_STREAM_BOREF) {
            assert_true(found < 5);
            assert_int_equal(record.boref.valid_domains, expected[found].domain);
            assert_int_equal(record.boref.address, expected[found].address);
        }
        if (record.type == PFIFO_STREAM_BODATA) {
            assert_int_equal(record.bodata.offset, expected[found].offset);
            assert_int_equal(record.bodata.data[0], expected[found++].data);
        }
    }
    assert_int_equal(found, 5);
    pfifo_stream_close(stream);
}

static void memory_that_a_capture_cannot_have_is_noted(void **state) {
    static const struct block blocks[] = {
        {0x100, 0, "in the first page"}, {0x2000, 0x66626660, "of reports"}, {0x20000000, 1, "beyond"}};
    static const struct command commands[] = {{ONE(0x100), 0, 1}, {ONE(0x100), 0, 2}, {ONE(0x100), 0, 3}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const struct file file = {.block = &blocks[i], .blocks = 1, .command = commands, .commands = 1};
        static struct made made;
        struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
        bool noted = false;
        make_file(&made, &file);
        struct pfifo_stream *stream = read_made(&made);
        while (record.type != PFIFO_STREAM_END) {
            assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
            assert_int_not_equal(record.type, PFIFO_STREAM_BODATA);
            noted = noted || (record.type == PFIFO_STREAM_TEXT && record.text.key_bytes == 4 &&
                              memcmp(record.text.key, "note", 4) == 0 &&
                              memmem(record.text.value, record.text.value_bytes, "memory is missing", 17));
        }
        assert_true(noted);
        pfifo_stream_close(stream);
    }
}

/* ---- damaged files ---- */

static void expect_notes(const struct file *file, const char *const *expected, size_t count) {
    static struct made made;
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    size_t found = 0;

    make_file(&made, file);
    struct pfifo_stream *stream = read_made(&made);
    while (record.type != PFIFO_STREAM_END) {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        if (record.type != PFIFO_STREAM_TEXT || record.text.key_bytes != 4 || memcmp(record.text.key, "note", 4) != 0)
            continue;
        assert_true(found < count);
        if (strlen(expected[found]) != record.text.value_bytes ||
            memcmp(expected[found], record.text.value, record.text.value_bytes) != 0)
            fail_msg("'%.*s', not '%s'", (int)record.text.value_bytes, record.text.value, expected[found]);
        found++;
    }
    assert_int_equal(found, count);
    pfifo_stream_close(stream);
}

/* As GcmTileInfo and GcmZcullInfo of RPCS3 pack them. Tile 1 is not bound. */
static void tiles_and_zcull_regions_are_noted_by_name(void **state) {
    static const char *const notes[] = {
        "left out: tile 0 of local memory, 0x200000 to 0x57ffff, lines of 5120 bytes, compression 7",
        "left out: tile 2 of main memory, 0x10000 to 0x1ffff, lines of 256 bytes, compression 0",
        "left out: zcull region 7 of 1280x704 pixels, depth buffer at 0x580000",
    };
    static const uint32_t tiles[108] = {[0] = 0x00200001 | 1 << 4,
                                        [1] = 0x00570000,
                                        [2] = 0x1400,
                                        [3] = 1u << 30 | 7 << 26,
                                        [4] = 0x00200000,
                                        [5] = 0x00570000,
                                        [8] = 0x80010002,
                                        [9] = 0x80010000,
                                        [10] = 0x100,
                                        [102] = 1 | 2 << 4,
                                        [103] = 1280 / 64 << 22 | 704 / 64 << 6,
                                        [105] = 0x580000};
    const struct command commands[] = {{ONE(0x100), 0, 0, 0}, {ONE(0x100), 0, 0, 0}};
    (void)state;
    expect_notes(&(struct file){.command = commands, .commands = 2, .tiles = tiles}, notes, 3);
}

/* The PS3's kernel takes them from the errors that they raise; they are flips and interrupts. */
static void methods_of_the_kernel_are_left_out_and_noted(void **state) {
    static const char *const notes[] = {
        "left out: GCM_FLIP_HEAD of the PS3's kernel on subchannel 7, 1 times",
        "left out: GCM_SET_USER_COMMAND of the PS3's kernel on subchannel 7, 1 times",
        "left out: another method of the PS3's kernel on subchannel 7, 2 times",
    };
    const struct command commands[] = {{ONE(0xe924), 1, 0, 0},       {ONE(0xeb00), 5, 0, 0}, {ONE(0xe928), 0, 0, 0},
                                       {2u << 18 | 0xf000, 1, 0, 0}, {0xf004, 2, 0, 0},      {ONE(0x100), 3, 0, 0}};
    static const uint32_t registers[] = {0xe000, 0xcafebabe}, words[] = {ONE(0x100), 3};
    const struct file file = {.command = commands, .commands = 6, .registers = registers, .register_words = 2};
    (void)state;
    expect_words(&file, words, 2);
    expect_notes(&file, notes, 3);
}

static void other_versions_of_rpcs3s_captures_are_named(void **state) {
    static struct made made;
    (void)state;
    make_file(&made, &(struct file){.version = 5});
    expect_refused(&made, made.size, PFIFO_ERROR_UNSUPPORTED,
                   "frame.rrc: offset 4: RPCS3's captures of version 5 are not read, only those of version 6");
    make_file(&made, &(struct file){0});
    made.data[8] = 0;
    expect_refused(&made, made.size, PFIFO_ERROR_UNSUPPORTED, "frame.rrc: offset 8: a capture of a big-endian host");
}

static void a_frame_that_lacks_bytes_is_refused_anywhere(void **state) {
    const struct file file = {.block = &copied, .blocks = 1, .command = copy, .commands = 6};
    static struct made made;
    struct pfifo_error error = {0};
    (void)state;
    make_file(&made, &file);
    for (size_t bytes = 4; bytes < made.size; bytes += bytes < 1200 ? 1 : 997) {
        assert_null(pfifo_foreign_read(made.data, bytes, "frame.rrc", &error));
        assert_int_equal(error.status, PFIFO_ERROR_FORMAT);
        assert_non_null(strstr(error.message, "frame.rrc: offset "));
    }
    expect_refused(&made, 8, PFIFO_ERROR_FORMAT, "frame.rrc: offset 8: RPCS3's capture ends in its header");
    add(&made, NULL, 1);
    assert_null(pfifo_foreign_read(made.data, made.size, "frame.rrc", &error));
    assert_non_null(strstr(error.message, "bytes are not the size of any state of registers"));
}

/* Counts of more than the file can have take no memory. */
static void counts_that_the_file_cannot_have_are_refused(void **state) {
    static const uint8_t huge[] = {'R', 'R', 'C', 0, 6, 0, 0, 0, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
    static const uint8_t endless[] = {'R', 'R',  'C',  0,    6,    0,    0,    0,    1,    0,    0,
                                      0,   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    struct made made = {.size = sizeof huge};
    (void)state;
    memcpy(made.data, huge, sizeof huge);
    expect_refused(&made, sizeof huge, PFIFO_ERROR_FORMAT,
                   "frame.rrc: offset 12: RPCS3's capture ends before what it announces here");
    made.data[12] = 5; /* fewer than the file has bytes */
    expect_refused(&made, sizeof huge, PFIFO_ERROR_FORMAT,
                   "frame.rrc: offset 12: RPCS3's capture ends before what it announces here");
    memcpy(made.data, endless, sizeof endless);
    expect_refused(&made, sizeof endless, PFIFO_ERROR_FORMAT,
                   "frame.rrc: offset 22: RPCS3's capture ends before what it announces here");
}

static void what_a_frame_refers_to_has_to_be_there(void **state) {
    const struct file file = {.block = &copied, .blocks = 1, .command = copy, .commands = 6};
    static const struct command broken[] = {{3 << 18 | 0x1efc, 1, 0}, {0, 2, 1}};
    static struct made made;
    struct pfifo_error error = {0};
    (void)state;
    make_file(&made, &file);
    made.data[BLOCKS_AT + 8] = 7; /* the number of its data */
    assert_null(pfifo_foreign_read(made.data, made.size, "frame.rrc", &error));
    assert_non_null(strstr(error.message, "data 263 of a block are not there"));
    make_file(&made, &file);
    made.data[BLOCKS_AT + 16] = 7; /* its own */
    assert_null(pfifo_foreign_read(made.data, made.size, "frame.rrc", &error));
    assert_non_null(strstr(error.message, "block 1 of memory is not there"));
    make_file(&made, &(struct file){.block = &copied, .blocks = 1, .command = broken, .commands = 2});
    assert_null(pfifo_foreign_read(made.data, made.size, "frame.rrc", &error));
    assert_non_null(strstr(error.message, "memory in the middle of a packet"));
    make_file(&made, &(struct file){.command = broken, .commands = 1});
    assert_null(pfifo_foreign_read(made.data, made.size, "frame.rrc", &error));
    assert_non_null(strstr(error.message, "the last packet lacks 2 words"));
}

static void two_blocks_of_one_number_are_refused(void **state) {
    const struct block blocks[] = {copied, copied};
    static struct made made;
    struct pfifo_error error = {0};
    (void)state;
    make_file(&made, &(struct file){.block = blocks, .blocks = 2, .command = copy, .commands = 6});
    memcpy(made.data + BLOCKS_AT + 24 + 16, made.data + BLOCKS_AT + 16, 8);
    assert_null(pfifo_foreign_read(made.data, made.size, "frame.rrc", &error));
    assert_non_null(strstr(error.message, "two blocks have the same number"));
}

static void two_states_of_tiles_of_one_number_are_refused(void **state) {
    enum { STATES_AT = 13, STATE_BYTES = 432 + 8 };
    static struct made made;
    struct pfifo_error error = {0};
    (void)state;
    make_file(&made, &(struct file){.command = copy, .commands = 6});
    made.data[STATES_AT - 1] = 2; /* how many there are */
    memmove(made.data + STATES_AT + STATE_BYTES, made.data + STATES_AT, made.size - STATES_AT);
    made.size += STATE_BYTES;
    assert_null(pfifo_foreign_read(made.data, made.size, "frame.rrc", &error));
    assert_non_null(strstr(error.message, "two states of tiles have the same number"));
}

/* A number of a block is 8 bytes, and what it puts into memory may be much. */
static void a_block_that_is_named_again_and_again_has_an_end(void **state) {
    static struct made made;
    static char data[3 << 15];
    const struct block block = {0x10000, 0, data};
    const struct command command = {ONE(0x100), 0, 1, 11000};
    struct pfifo_error error = {0};
    (void)state;
    memset(data, 'x', sizeof data - 1);
    make_file(&made, &(struct file){.block = &block, .blocks = 1, .command = &command, .commands = 1});
    assert_null(pfifo_foreign_read(made.data, made.size, "frame.rrc", &error));
    assert_non_null(strstr(error.message, "commands put more than 1 GiB of blocks into memory"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_begins_with_its_program_and_state),
        cmocka_unit_test(frames_with_constants_and_with_fewer_instructions_are_told_apart),
        cmocka_unit_test(packets_of_several_words_stay_packets),
        cmocka_unit_test(a_submission_begins_where_memory_changes),
        cmocka_unit_test(each_page_goes_to_the_buffer_that_it_is_in),
        cmocka_unit_test(memory_that_a_capture_cannot_have_is_noted),
        cmocka_unit_test(tiles_and_zcull_regions_are_noted_by_name),
        cmocka_unit_test(methods_of_the_kernel_are_left_out_and_noted),
        cmocka_unit_test(other_versions_of_rpcs3s_captures_are_named),
        cmocka_unit_test(a_frame_that_lacks_bytes_is_refused_anywhere),
        cmocka_unit_test(counts_that_the_file_cannot_have_are_refused),
        cmocka_unit_test(what_a_frame_refers_to_has_to_be_there),
        cmocka_unit_test(two_blocks_of_one_number_are_refused),
        cmocka_unit_test(two_states_of_tiles_of_one_number_are_refused),
        cmocka_unit_test(a_block_that_is_named_again_and_again_has_an_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
