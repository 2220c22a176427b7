/* SPDX-License-Identifier: MIT */
#include "face/pci/vm/cpio.h"

#include <inttypes.h>
#include <string.h>

enum { TYPE_DEVICE = 0020000, TYPE_FOLDER = 0040000, TYPE_FILE = 0100000, TYPE_LINK = 0120000 };

struct entry {
    const char *name;
    uint32_t mode, major, minor;
    const void *data;
    size_t bytes;
};

static bool cpio_put(struct cpio *cpio, const void *data, size_t bytes) {
    cpio->written += bytes;
    return bytes == 0 || fwrite(data, 1, bytes, cpio->file) == bytes; /* of nothing there need be no address */
}

/* Names and contents end at multiples of 4. */
static bool pad(struct cpio *cpio) {
    static const char zeros[4];

    return cpio_put(cpio, zeros, -cpio->written & 3);
}

/* All fields are 8 digits. */
enum field {
    INODE,
    MODE,
    OWNER,
    GROUP,
    LINKS,
    TIME,
    SIZE,
    HOST_MAJOR,
    HOST_MINOR,
    MAJOR,
    MINOR,
    NAME_SIZE,
    CHECK,
    FIELDS
};

static bool cpio_put_header(struct cpio *cpio, const uint32_t *fields) {
    char digits[9];

    if (!cpio_put(cpio, "070701", 6))
        return false;
    for (unsigned i = 0; i < FIELDS; i++) {
        snprintf(digits, sizeof digits, "%08" PRIx32, fields[i]);
        if (!cpio_put(cpio, digits, 8))
            return false;
    }
    return true;
}

static bool put_entry(struct cpio *cpio, const struct entry *entry) {
    size_t name = strlen(entry->name) + 1;
    const uint32_t fields[FIELDS] = {
        [INODE] = ++cpio->entries,       [MODE] = entry->mode,   [LINKS] = 1,
        [SIZE] = (uint32_t)entry->bytes, [MAJOR] = entry->major, [MINOR] = entry->minor,
        [NAME_SIZE] = (uint32_t)name,
    };

    return entry->bytes <= UINT32_MAX && cpio_put_header(cpio, fields) && cpio_put(cpio, entry->name, name) &&
           pad(cpio) && cpio_put(cpio, entry->data, entry->bytes) && pad(cpio);
}

bool cpio_folder(struct cpio *cpio, const char *name) {
    return put_entry(cpio, &(struct entry){.name = name, .mode = TYPE_FOLDER | 0755});
}

bool cpio_file(struct cpio *cpio, const char *name, bool executable, const void *data, size_t bytes) {
    return put_entry(
        cpio,
        &(struct entry){.name = name, .mode = TYPE_FILE | (executable ? 0755u : 0644u), .data = data, .bytes = bytes});
}

bool cpio_link(struct cpio *cpio, const char *name, const char *target) {
    return put_entry(cpio,
                     &(struct entry){.name = name, .mode = TYPE_LINK | 0777, .data = target, .bytes = strlen(target)});
}

bool cpio_device(struct cpio *cpio, const char *name, uint32_t major, uint32_t minor) {
    return put_entry(cpio, &(struct entry){.name = name, .mode = TYPE_DEVICE | 0600, .major = major, .minor = minor});
}

bool cpio_end(struct cpio *cpio) {
    return put_entry(cpio, &(struct entry){.name = "TRAILER!!!"}) && fflush(cpio->file) == 0;
}
