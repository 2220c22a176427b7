/* SPDX-License-Identifier: MIT */
#include "foreign/rpcs3.h"

#include <stdlib.h>
#include <string.h>

#include "memory/little_endian.h"

enum {
    VERSION = 6,
    HEAD_BYTES = 12,
    TILE_STATE_BYTES = RPCS3_TILES * RPCS3_TILE_BYTES + RPCS3_ZCULLS * RPCS3_ZCULL_BYTES,
    DISPLAY_STATE_BYTES = 8 * 16 + 4, /* 8 buffers, and how many there are */
    COMMAND_BYTES = 8 + 1 + 8 + 8,    /* at least */
    CONSTANT_BYTES = 512 * 16,
    REGISTER_BYTES = 4 * RPCS3_REGISTERS,
};

static const uint8_t magic[4] = {'R', 'R', 'C', 0};

static bool rpcs3_recognise(const uint8_t *data, size_t bytes) {
    return bytes >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

/* ---- parts ---- */

static uint64_t rpcs3_number(struct foreign_file *file) {
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint32_t byte = foreign_u8(file);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    file->failed = true;
    file->failed_at = file->at;
    return 0;
}

/* How many there are, each of `least` bytes at least. More than the rest of the file can have fails. */
static size_t rpcs3_count(struct foreign_file *file, size_t least) {
    size_t at = file->at;
    uint64_t count = rpcs3_number(file);

    if (file->failed || count <= (file->size - file->at) / least)
        return file->failed ? 0 : (size_t)count;
    file->failed = true;
    file->failed_at = at;
    return 0;
}

/* An array, of one at least. */
static bool make_array(void **array, size_t count, size_t bytes) {
    *array = calloc(count ? count : 1, bytes);
    return *array != NULL;
}

/* A map from states to numbers, which is not used here. */
static void skip_map(struct foreign_file *file, size_t key_bytes) {
    size_t count = rpcs3_count(file, key_bytes + 8);

    foreign_take(file, count * (key_bytes + 8));
}

static bool take_tiles(struct foreign_file *file, struct rpcs3_frame *frame) {
    frame->states = rpcs3_count(file, TILE_STATE_BYTES + 8);
    if (!make_array((void **)&frame->tiles, frame->states, sizeof *frame->tiles))
        return false;
    for (size_t i = 0; i < frame->states; i++) {
        frame->tiles[i].at = file->at;
        foreign_take(file, TILE_STATE_BYTES);
        frame->tiles[i].number = foreign_u64(file);
    }
    return true;
}

static bool take_blocks(struct foreign_file *file, struct rpcs3_frame *frame) {
    frame->blocks = rpcs3_count(file, 4 + 4 + 8 + 8);
    if (!make_array((void **)&frame->block, frame->blocks, sizeof *frame->block))
        return false;
    for (size_t i = 0; i < frame->blocks; i++) {
        struct rpcs3_block *block = &frame->block[i];
        block->at = file->at;
        block->offset = foreign_u32(file);
        block->location = foreign_u32(file);
        block->data = foreign_u64(file);
        block->number = foreign_u64(file);
    }
    return true;
}

static bool take_data(struct foreign_file *file, struct rpcs3_frame *frame) {
    frame->datas = rpcs3_count(file, 1 + 8);
    if (!make_array((void **)&frame->data, frame->datas, sizeof *frame->data))
        return false;
    for (size_t i = 0; i < frame->datas && !file->failed; i++) {
        struct rpcs3_data *data = &frame->data[i];
        data->bytes = rpcs3_count(file, 1);
        data->at = file->at;
        foreign_take(file, data->bytes);
        data->number = foreign_u64(file);
    }
    return true;
}

static bool take_command(struct foreign_file *file, struct rpcs3_frame *frame, struct rpcs3_command *command,
                         size_t *room) {
    command->at = file->at;
    command->header = foreign_u32(file);
    command->word = foreign_u32(file);
    command->first = frame->uses;
    command->blocks = rpcs3_count(file, 8);
    if (command->blocks > *room - frame->uses) {
        size_t more = 2 * *room > frame->uses + command->blocks ? 2 * *room : frame->uses + command->blocks;
        uint64_t *grown = realloc(frame->used, more * sizeof *grown);
        if (!grown)
            return false;
        frame->used = grown;
        *room = more;
    }
    for (size_t i = 0; i < command->blocks; i++)
        frame->used[frame->uses++] = foreign_u64(file);
    command->tiles = foreign_u64(file);
    foreign_take(file, 8); /* state of display buffers */
    return true;
}

static bool take_commands(struct foreign_file *file, struct rpcs3_frame *frame) {
    size_t room = 0;

    frame->commands = rpcs3_count(file, COMMAND_BYTES);
    if (!make_array((void **)&frame->command, frame->commands, sizeof *frame->command))
        return false;
    for (size_t i = 0; i < frame->commands && !file->failed; i++)
        if (!take_command(file, frame, &frame->command[i], &room))
            return false;
    return true;
}

/*
 * The rest of the file. Versions of RPCS3 have room for 512 or 544 instructions, and constants or none: no two of these
 * have the same number of bytes.
 */
static bool take_state(struct foreign_file *file, struct rpcs3_frame *frame) {
    static const size_t instructions[] = {512, 544};
    const size_t left = file->size - file->at;

    for (size_t i = 0; i < 4; i++) {
        size_t program = instructions[i / 2] * RPCS3_INSTRUCTION_WORDS * 4;
        size_t constants = i % 2 ? CONSTANT_BYTES : 0;
        if (left != program + constants + REGISTER_BYTES)
            continue;
        frame->program = foreign_take(file, program);
        frame->program_words = program / 4;
        frame->constants = constants ? foreign_take(file, constants) : NULL;
        frame->registers = foreign_take(file, REGISTER_BYTES);
        return true;
    }
    return false;
}

/* ---- by number ---- */

static int compare_numbers(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

static int compare_blocks(const void *a, const void *b) {
    return compare_numbers(((const struct rpcs3_block *)a)->number, ((const struct rpcs3_block *)b)->number);
}

static int compare_data(const void *a, const void *b) {
    return compare_numbers(((const struct rpcs3_data *)a)->number, ((const struct rpcs3_data *)b)->number);
}

static int compare_tiles(const void *a, const void *b) {
    return compare_numbers(((const struct rpcs3_tiles *)a)->number, ((const struct rpcs3_tiles *)b)->number);
}

const struct rpcs3_tiles *rpcs3_find_tiles(const struct rpcs3_frame *frame, uint64_t number) {
    const struct rpcs3_tiles key = {.number = number};

    return bsearch(&key, frame->tiles, frame->states, sizeof key, compare_tiles);
}

const struct rpcs3_block *rpcs3_find_block(const struct rpcs3_frame *frame, uint64_t number) {
    const struct rpcs3_block key = {.number = number};

    return bsearch(&key, frame->block, frame->blocks, sizeof key, compare_blocks);
}

const struct rpcs3_data *rpcs3_find_data(const struct rpcs3_frame *frame, uint64_t number) {
    const struct rpcs3_data key = {.number = number};

    return bsearch(&key, frame->data, frame->datas, sizeof key, compare_data);
}

/* ---- the file ---- */

static enum pfifo_status take_head(struct foreign_file *file, struct pfifo_error *error) {
    uint32_t version, little;

    if (file->size < HEAD_BYTES)
        return foreign_error(file, file->size, error, "RPCS3's capture ends in its header");
    foreign_u32(file);
    version = foreign_u32(file);
    little = foreign_u32(file);
    if (version != VERSION)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                               "%.80s: offset 4: RPCS3's captures of version %u are not read, only those of version %d",
                               file->name, (unsigned)version, VERSION);
    if (little != 1)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%.80s: offset 8: a capture of a big-endian host",
                               file->name);
    return PFIFO_OK;
}

static size_t later(size_t a, size_t b) {
    return a > b ? a : b;
}

/* They are keys of maps, so each is there once. */
static enum pfifo_status sort_numbers(const struct foreign_file *file, struct rpcs3_frame *frame,
                                      struct pfifo_error *error) {
    qsort(frame->block, frame->blocks, sizeof *frame->block, compare_blocks);
    qsort(frame->data, frame->datas, sizeof *frame->data, compare_data);
    qsort(frame->tiles, frame->states, sizeof *frame->tiles, compare_tiles);
    for (size_t i = 1; i < frame->blocks; i++)
        if (frame->block[i - 1].number == frame->block[i].number)
            return foreign_error(file, later(frame->block[i - 1].at, frame->block[i].at), error,
                                 "two blocks have the same number");
    for (size_t i = 1; i < frame->datas; i++)
        if (frame->data[i - 1].number == frame->data[i].number)
            return foreign_error(file, later(frame->data[i - 1].at, frame->data[i].at), error,
                                 "two pieces of data have the same number");
    for (size_t i = 1; i < frame->states; i++)
        if (frame->tiles[i - 1].number == frame->tiles[i].number)
            return foreign_error(file, later(frame->tiles[i - 1].at, frame->tiles[i].at), error,
                                 "two states of tiles have the same number");
    return PFIFO_OK;
}

static enum pfifo_status take_frame(struct foreign_file *file, struct rpcs3_frame *frame, struct pfifo_error *error) {
    bool has_memory;

    has_memory = take_tiles(file, frame) && take_blocks(file, frame) && take_data(file, frame);
    skip_map(file, DISPLAY_STATE_BYTES);
    has_memory = has_memory && take_commands(file, frame);
    if (!has_memory)
        return foreign_no_memory(file, error, "RPCS3's capture");
    if (file->failed)
        return foreign_error(file, file->failed_at, error, "RPCS3's capture ends before what it announces here");
    if (!take_state(file, frame))
        return foreign_error(file, file->at, error, "%zu bytes are not the size of any state of registers",
                             file->size - file->at);
    return sort_numbers(file, frame, error);
}

static enum pfifo_status rpcs3_read(struct foreign_file *file, struct pfifo_stream_writer *writer,
                                    struct pfifo_error *error) {
    struct rpcs3_frame frame = {0};
    enum pfifo_status status = take_head(file, error);

    if (status == PFIFO_OK)
        status = take_frame(file, &frame, error);
    if (status == PFIFO_OK)
        status = rpcs3_write(&frame, file, writer, error);
    free(frame.block);
    free(frame.data);
    free(frame.tiles);
    free(frame.command);
    free(frame.used);
    return status;
}

const struct foreign_format foreign_format_rpcs3 = {"rpcs3", rpcs3_recognise, rpcs3_read};
