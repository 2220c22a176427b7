/* SPDX-License-Identifier: MIT */
#include "foreign/mmt.h"

#include <string.h>

#include "foreign/nvrm.h"

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
    struct mmt_maps maps;
    struct mmt_client *client; /* of nouveau */
    struct nvrm *nvrm;         /* of NVIDIA's driver */
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

static bool mmt_write(struct mmt_reader *reader, const struct mmt_mapping *mapping, uint64_t offset,
                      const uint8_t *data, size_t bytes) {
    return mapping->memory ? nvrm_write(reader->nvrm, mapping, offset, data, bytes)
                           : mmt_client_write(reader->client, mapping, offset, data, bytes);
}

static bool take_write(struct mmt_reader *reader, char type) {
    struct foreign_file *file = reader->file;
    uint64_t where = type == 'w' || type == 'r' ? foreign_u32(file) : foreign_u64(file);
    uint64_t offset = type == 'w' || type == 'r' ? foreign_u32(file) : 0;
    size_t bytes = foreign_u8(file);
    const uint8_t *data = foreign_take(file, bytes);
    const struct mmt_mapping *mapping;

    if (!mmt_end(file) || type == 'r' || type == 'R')
        return true;
    mapping = type == 'w' ? mmt_maps_find(&reader->maps, (uint32_t)where) : mmt_maps_at(&reader->maps, where);
    return !mapping || mmt_write(reader, mapping, type == 'w' ? offset : where - mapping->start, data, bytes);
}

/* A number that is in use is mapped anew. */
static bool mmt_map(struct mmt_reader *reader, uint32_t id, uint32_t fd, uint64_t offset, uint64_t start,
                    uint64_t bytes, size_t at) {
    struct mmt_mapping *mapping = mmt_maps_find(&reader->maps, id);

    if (!mapping && reader->maps.count == MMT_MAPPINGS)
        return foreign_error(reader->file, at, reader->error, "more than %d mappings at a time", MMT_MAPPINGS) ==
               PFIFO_OK;
    mapping = mapping ? mapping : mmt_maps_make(&reader->maps, id);
    if (!mapping || !mmt_maps_place(&reader->maps, mapping, start, bytes))
        return foreign_no_memory(reader->file, reader->error, "its mappings") == PFIFO_OK;
    mapping->offset = offset;
    nvrm_map(reader->nvrm, mapping, fd);
    return true;
}

/* `more`: bytes after the length. */
static bool take_map(struct mmt_reader *reader, char type, size_t more) {
    struct foreign_file *file = reader->file;
    size_t at = file->at - 1;
    uint64_t offset = foreign_u64(file), start, bytes;
    uint32_t id, fd = NVRM_NO_FD;

    if (type == 'M') {
        foreign_take(file, 8); /* protection, flags */
        fd = foreign_u32(file);
    }
    id = foreign_u32(file);
    start = foreign_u64(file);
    bytes = foreign_u64(file);
    foreign_take(file, more);
    return !mmt_end(file) || mmt_map(reader, id, fd, offset, start, bytes, at);
}

static bool take_unmap(struct mmt_reader *reader) {
    struct foreign_file *file = reader->file;
    struct mmt_mapping *mapping;
    uint32_t id;

    foreign_u64(file);
    id = foreign_u32(file);
    foreign_take(file, 4 * 8); /* start, length, two numbers */
    mapping = mmt_end(file) ? mmt_maps_find(&reader->maps, id) : NULL;
    if (!mapping)
        return true;
    nvrm_unmap(reader->nvrm, mapping);
    mmt_maps_remove(&reader->maps, mapping);
    return true;
}

static bool take_move(struct mmt_reader *reader) {
    struct foreign_file *file = reader->file;
    struct mmt_mapping *mapping;
    uint64_t start, bytes;
    uint32_t id;

    foreign_u64(file);
    id = foreign_u32(file);
    foreign_take(file, 4 * 8); /* old start and length, two numbers */
    start = foreign_u64(file);
    bytes = foreign_u64(file);
    mapping = mmt_end(file) ? mmt_maps_find(&reader->maps, id) : NULL;
    return !mapping || mmt_maps_place(&reader->maps, mapping, start, bytes) ||
           foreign_no_memory(file, reader->error, "its mappings") == PFIFO_OK;
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

/* What older forms say again of ioctls of NVIDIA's driver, and marks: bytes of their numbers. */
static const struct mmt_told {
    char type;
    uint8_t numbers;
    bool has_bytes;
} tolds[] = {
    {'a', 16, false}, {'b', 8, false},  {'c', 12, true},  {'d', 8, false},  {'e', 16, false},
    {'g', 20, false}, {'G', 24, false}, {'h', 16, false}, {'H', 20, false}, {'k', 0, true},
    {'l', 8, false},  {'p', 20, false}, {'P', 0, true},   {'r', 16, false}, {'t', 12, false},
    {'v', 4, false},  {'x', 4, false},  {'1', 12, true},  {'4', 0, true},
};

static const struct mmt_told *mmt_find_told(uint8_t type) {
    for (size_t i = 0; i < sizeof tolds / sizeof tolds[0]; i++)
        if ((uint8_t)tolds[i].type == type)
            return &tolds[i];
    return NULL;
}

/* Between an ioctl and its memory: true. */
static bool skip_old(struct foreign_file *file) {
    while (!file->failed && file->size - file->at > 1 && file->data[file->at] == 'n') {
        const struct mmt_told *told = mmt_find_told(file->data[file->at + 1]);
        if (!told)
            break;
        foreign_take(file, 2);
        take_other(file, told->numbers, told->has_bytes);
    }
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

/* A recording is of one of the drivers: of the one that has a buffer, a channel or an object first. */
static bool mmt_ioctl(struct mmt_reader *reader, const struct mmt_ioctl *ioctl) {
    if (!nvrm_begun(reader->nvrm) && !mmt_client_ioctl(reader->client, ioctl))
        return false;
    return mmt_client_begun(reader->client) || nvrm_ioctl(reader->nvrm, ioctl);
}

static bool take_ioctl(struct mmt_reader *reader, bool after, bool old) {
    struct foreign_file *file = reader->file;
    struct mmt_ioctl ioctl = {.after = after, .at = file->at - 1 - old};

    ioctl.fd = foreign_u32(file);
    ioctl.request = foreign_u32(file);
    if (after && !old) { /* the result is 0 also where there is an error */
        uint64_t result = foreign_u64(file), failed = foreign_u64(file);
        ioctl.refused = result || failed;
    }
    ioctl.data = mmt_bytes(file, &ioctl.bytes);
    if (!mmt_end(file))
        return true;
    while (ioctl.memories < MMT_MEMORIES && skip_old(file) && take_memory(file, &ioctl.memory[ioctl.memories]))
        ioctl.memories++;
    return file->failed || mmt_ioctl(reader, &ioctl);
}

static bool take_old(struct mmt_reader *reader) {
    struct foreign_file *file = reader->file;
    size_t at = file->at - 1;
    struct mmt_memory memory;
    const struct mmt_told *told;
    char type = (char)foreign_u8(file);

    switch (type) {
    case 'i':
    case 'j':
        return take_ioctl(reader, type == 'j', true);
    case 'm':
    case 'M':
        return take_map(reader, type, 2 * 8);
    case 'o':
        file->at = at;
        take_memory(file, &memory);
        return true;
    default:
        told = mmt_find_told((uint8_t)type);
        if (told || file->failed)
            return !told || take_other(file, told->numbers, told->has_bytes);
        return foreign_error(file, at, reader->error, "no message of valgrind-mmt begins with 'n', 0x%02x",
                             (unsigned)(uint8_t)type) == PFIFO_OK;
    }
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
        return take_map(reader, type, 0);
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

static bool mmt_finish(struct mmt_reader *reader) {
    if (nvrm_begun(reader->nvrm))
        return nvrm_end(reader->nvrm);
    if (mmt_client_begun(reader->client))
        return mmt_client_end(reader->client);
    return foreign_error(reader->file, reader->file->size, reader->error,
                         "no buffer, channel or object of nouveau or of NVIDIA's driver in the log of valgrind-mmt") ==
           PFIFO_OK;
}

static void mmt_free(struct mmt_reader *reader) {
    struct mmt_mapping *mapping;

    while ((mapping = mmt_maps_any(&reader->maps))) {
        nvrm_unmap(reader->nvrm, mapping);
        mmt_maps_remove(&reader->maps, mapping);
    }
    mmt_client_free(reader->client);
    nvrm_free(reader->nvrm);
}

static enum pfifo_status mmt_read(struct foreign_file *file, struct pfifo_stream_writer *writer,
                                  struct pfifo_error *error) {
    struct mmt_reader reader = {.file = file, .client = mmt_client_new(file, writer, error), .error = error};
    size_t last = 0;
    bool good = reader.client && (reader.nvrm = nvrm_new(file, writer, error));

    while (good && !file->failed && file->at < file->size) {
        last = file->at;
        good = take_message(&reader);
    }
    if (good && file->failed && !file->ended)
        good =
            foreign_error(file, file->failed_at, error, "the message that begins at %zu is damaged", last) == PFIFO_OK;
    else if (good && file->failed) /* a program that was ended: the last message may be short */
        good = foreign_note(writer, error, "truncated: the message that begins at %zu is not whole", last) == PFIFO_OK;
    good = good && mmt_finish(&reader);
    mmt_free(&reader);
    return good ? PFIFO_OK : error->status;
}

const struct foreign_format foreign_format_mmt = {"mmt", mmt_recognise, mmt_read};
