/* SPDX-License-Identifier: MIT */
#include "face/tool/run/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chip/error.h"
#include "face/tool/tool.h"

enum { CHUNK_BYTES = 65536 };

/* How often a handle has been dumped. */
struct dumped {
    uint32_t handle;
    unsigned times;
};

struct dump {
    char *prefix; /* of all paths */
    void *tree;   /* of struct dumped */
    bool failed;
};

static int dump_compare_handles(const void *a, const void *b) {
    const struct dumped *left = a, *right = b;

    return left->handle < right->handle ? -1 : left->handle > right->handle;
}

struct dump *dump_new(const char *folder, const char *capture, struct pfifo_error *error) {
    struct dump *dump = calloc(1, sizeof *dump);
    const char *name = strrchr(capture, '/') ? strrchr(capture, '/') + 1 : capture;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        error_cannot(error, folder, "make a folder");
    } else if (dump && asprintf(&dump->prefix, "%s/%.*s-", folder, (int)strcspn(name, "."), name) > 0) {
        return dump;
    } else {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a dump");
    }
    free(dump);
    return NULL;
}

bool dump_free(struct dump *dump) {
    bool good = !dump || !dump->failed;

    if (dump) {
        tdestroy(dump->tree, free);
        free(dump->prefix);
        free(dump);
    }
    return good;
}

/* The number of this dump among those of its handle, from 1; 0: no memory. */
static unsigned times_of(struct dump *dump, uint32_t handle) {
    struct dumped *entry = calloc(1, sizeof *entry);
    struct dumped **node;

    if (!entry)
        return 0;
    entry->handle = handle;
    node = tsearch(entry, &dump->tree, dump_compare_handles);
    if (!node || *node != entry)
        free(entry);
    return node ? ++(*node)->times : 0;
}

static char *path_of(struct dump *dump, uint32_t handle) {
    unsigned times = times_of(dump, handle);
    char *path = NULL;
    int length = times > 1 ? asprintf(&path, "%s%" PRIu32 "-%u.bin", dump->prefix, handle, times)
                           : asprintf(&path, "%s%" PRIu32 ".bin", dump->prefix, handle);

    return times && length > 0 ? path : NULL;
}

static bool dump_is_zero(const uint8_t *data, size_t bytes) {
    return data[0] == 0 && memcmp(data, data + 1, bytes - 1) == 0;
}

static bool dump_write_all(FILE *file, struct pfifo_buffer *buffer) {
    uint64_t size = pfifo_buffer_bytes(buffer);
    uint8_t data[CHUNK_BYTES];

    for (uint64_t at = 0; at < size; at += CHUNK_BYTES) {
        size_t bytes = size - at < CHUNK_BYTES ? (size_t)(size - at) : CHUNK_BYTES;

        if (!pfifo_buffer_read(buffer, at, data, bytes))
            memset(data, 0, bytes);
        if (!dump_is_zero(data, bytes) &&
            (fseeko(file, (off_t)at, SEEK_SET) != 0 || fwrite(data, 1, bytes, file) != bytes))
            return false;
    }
    return fflush(file) == 0 && ftruncate(fileno(file), (off_t)size) == 0;
}

void dump_buffer(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    struct dump *dump = opaque;
    char *path = path_of(dump, handle);
    FILE *file = path ? fopen(path, "wb") : NULL;
    bool good = file && dump_write_all(file, buffer);

    int reason = good ? 0 : errno;

    if (file && fclose(file) != 0 && good) {
        reason = errno;
        good = false;
    }
    errno = reason;
    if (!good && !dump->failed)
        tool_cannot(path ? path : dump->prefix, "write");
    dump->failed |= !good;
    free(path);
}
