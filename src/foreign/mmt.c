/* SPDX-License-Identifier: MIT */
#include "foreign/mmt.h"

#include <string.h>

enum {
    END = '\n',
    MOST_BYTES = 64 * 1024, /* of a BYTES: the buffer of valgrind-mmt */
};

/* A banner of valgrind, "==1234== "; logs without one have no beginning to know them by. */
static bool mmt_recognise(const uint8_t *data, size_t bytes) {
    if (bytes < 4 || (data[0] != '=' && data[0] != '-') || data[1] != data[0] || data[2] < '0' || data[2] > '9')
        return false;
    for (size_t i = 2; i < bytes; i++) {
        if (data[i] == data[0])
            return true;
        if (data[i] < '0' || data[i] > '9')
            return false;
    }
    return false;
}

struct mmt_reader {
    struct foreign_file *file;
    struct mmt_client *client;
    struct pfifo_error *error;
};

static bool mmt_end(struct foreign_file *file) {
    size_t at = file->at;

    if (foreign_u8(file) == END)
        return true;
    file->failed_at = file->failed ? file->failed_at : at;
    file->failed = true;
    return false;
}

static const uint8_t *mmt_bytes(struct foreign_file *file, size_t *bytes) {
    size_t at = file->at;
    uint32_t count = foreign_u32(file);

    if (count >= MOST_BYTES && !file->failed) {
        file->failed = true;
        file->failed_at = at;
    }
    *bytes = count;
    return foreign_take(file, count);
}

/* ---- messages ---- */

static void take_line(struct foreign_file *file) {
    const uint8_t *at = file->data + file->at, *end = memchr(at, END, file->size - file->at);

    file->at = end ? (size_t)(end - file->data) + 1 : file->size;
}

static bool take_write(struct mmt_reader *reader, char type) {
    struct foreign_file *file = reader->file;
    uint64_t where = type == 'w' || type == 'r' ? foreign_u32(file) : foreign_u64(file);
    uint32_t offset = type == 'w' || type == 'r' ? foreign_u32(file) : 0;
    size_t bytes = foreign_u8(file);
    const uint8_t *data = foreign_take(file, bytes);

    if (!mmt_end(file) || type == 'r' || type == 'R')
        return true;
    return type == 'w' ? mmt_client_write(reader->client, (uint32_t)where, offset, data, bytes)
                       : mmt_client_write_at(reader->client, where, data, bytes);
}

static bool take_map(struct mmt_reader *reader, char type) {
    struct foreign_file *file = reader->file;
    size_t at = file->at - 1;
    uint64_t offset = foreign_u64(file), start, bytes;
    uint32_t id;

    if (type == 'M')
        foreign_take(file, 12); /* protection, flags, descriptor */
    id = foreign_u32(file);
    start = foreign_u64(file);
    bytes = foreign_u64(file);
    return !mmt_end(file) || mmt_client_map(reader->client, id, offset, start, bytes, at);
}

static bool take_unmap(struct mmt_reader *reader) {
    struct foreign_file *file = reader->file;
    uint32_t id;

    foreign_u64(file);
    id = foreign_u32(file);
    foreign_take(file, 4 * 8); /* start, length, two numbers */
    if (mmt_end(file))
        mmt_client_unmap(reader->client, id);
    return true;
}

static bool take_move(struct mmt_reader *reader) {
    struct foreign_file *file = reader->file;
    uint64_t start, bytes;
    uint32_t id;

    foreign_u64(file);
    id = foreign_u32(file);
    foreign_take(file, 4 * 8); /* old start and length, two numbers */
    start = foreign_u64(file);
    bytes = foreign_u64(file);
    if (mmt_end(file))
        mmt_client_move(reader->client, id, start, bytes);
    return true;
}

/* The memory that follows an ioctl: "y", in older forms "no", which have a text, too. */
static bool take_memory(struct foreign_file *file, struct mmt_memory *memory) {
    const uint8_t *at = file->data + file->at;
    size_t left = file->size - file->at, ignored;
    bool old = left > 1 && at[0] == 'n' && at[1] == 'o';

    if (!old && (left == 0 || at[0] != 'y'))
        return false;
    foreign_take(file, old ? 2 : 1);
    memory->address = foreign_u64(file);
    if (old)
        mmt_bytes(file, &ignored);
    memory->data = mmt_bytes(file, &memory->bytes);
    return mmt_end(file);
}

static bool take_ioctl(struct mmt_reader *reader, bool after, bool old) {
    struct foreign_file *file = reader->file;
    struct mmt_ioctl ioctl = {.after = after, .at = file->at - 1 - old};

    ioctl.fd = foreign_u32(file);
    ioctl.request = foreign_u32(file);
    if (after && !old) {
        ioctl.result = foreign_u64(file);
        foreign_u64(file);
    }
    ioctl.data = mmt_bytes(file, &ioctl.bytes);
    if (!mmt_end(file))
        return true;
    while (ioctl.memories < MMT_MEMORIES && take_memory(file, &ioctl.memory[ioctl.memories]))
        ioctl.memories++;
    return file->failed || mmt_client_ioctl(reader->client, &ioctl);
}

/* Messages that say nothing of the GPU: numbers, and perhaps a BYTES. */
static bool take_other(struct foreign_file *file, size_t numbers, bool has_bytes) {
    size_t ignored;

    foreign_take(file, numbers);
    if (has_bytes)
        mmt_bytes(file, &ignored);
    mmt_end(file);
    return true;
}

static bool take_old(struct mmt_reader *reader) {
    struct foreign_file *file = reader->file;
    size_t at = file->at - 1;
    struct mmt_memory memory;
    char type = (char)foreign_u8(file);

    if (type == 'i' || type == 'j')
        return take_ioctl(reader, type == 'j', true);
    if (type == 'o') {
        file->at = at;
        take_memory(file, &memory);
        return true;
    }
    return pfifo_error_set(reader->error, PFIFO_ERROR_UNSUPPORTED,
                           "%.80s: offset %zu: message 'n', 0x%02x: valgrind-mmt on NVIDIA's own driver is not read, "
                           "only on nouveau",
                           file->name, at, (unsigned)(uint8_t)type) == PFIFO_OK;
}

static bool take_message(struct mmt_reader *reader) {
    struct foreign_file *file = reader->file;
    size_t at = file->at;
    char type = (char)foreign_u8(file);

    switch (type) {
    case '=':
    case '-':
        take_line(file);
        return true;
    case 'r':
    case 'R':
    case 'w':
    case 'W':
        return take_write(reader, type);
    case 'm':
    case 'M':
        return take_map(reader, type);
    case 'u':
        return take_unmap(reader);
    case 'e':
        return take_move(reader);
    case 'i':
    case 'j':
        return take_ioctl(reader, type == 'j', false);
    case 'n':
        return take_old(reader);
    case 'o': /* flags, mode, descriptor, path */
        return take_other(file, 12, true);
    case 't': /* descriptor, what is written */
        return take_other(file, 4, true);
    case 'd': /* two descriptors */
        return take_other(file, 8, false);
    case 'S': /* a number */
        return take_other(file, 4, false);
    default:
        return foreign_error(file, at, reader->error, "no message of valgrind-mmt begins with 0x%02x",
                             (unsigned)(uint8_t)type) == PFIFO_OK;
    }
}

static enum pfifo_status mmt_read(struct foreign_file *file, struct pfifo_stream_writer *writer,
                                  struct pfifo_error *error) {
    struct mmt_reader reader = {file, mmt_client_new(file, writer, error), error};
    size_t last = 0;
    bool good = reader.client != NULL;

    while (good && !file->failed && file->at < file->size) {
        last = file->at;
        good = take_message(&reader);
    }
    if (good && file->failed && !file->ended)
        good =
            foreign_error(file, file->failed_at, error, "the message that begins at %zu is damaged", last) == PFIFO_OK;
    else if (good && file->failed) /* a program that was ended: the last message may be short */
        good = foreign_note(writer, error, "truncated: the message that begins at %zu is not whole", last) == PFIFO_OK;
    good = good && mmt_client_end(reader.client);
    mmt_client_free(reader.client);
    return good ? PFIFO_OK : error->status;
}

const struct foreign_format foreign_format_mmt = {"mmt", mmt_recognise, mmt_read};
