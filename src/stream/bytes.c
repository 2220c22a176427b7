/* SPDX-License-Identifier: MIT */
#include "stream/bytes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 * 1024 };

void bytes_init(struct bytes *bytes, size_t limit) {
    memset(bytes, 0, sizeof(*bytes));
    bytes->limit = limit;
}

static size_t next_capacity(const struct bytes *bytes, size_t needed) {
    size_t doubled = bytes->capacity <= bytes->limit / 2 ? bytes->capacity * 2 : bytes->limit;
    size_t capacity = doubled > FIRST_CAPACITY ? doubled : FIRST_CAPACITY;

    if (capacity > bytes->limit)
        capacity = bytes->limit;
    return capacity > needed ? capacity : needed;
}

bool bytes_reserve(struct bytes *bytes, size_t more) {
    size_t capacity;
    uint8_t *data;

    assert(bytes->size <= bytes->capacity && bytes->capacity <= bytes->limit);
    if (more <= bytes->capacity - bytes->size)
        return true;
    if (more > bytes->limit - bytes->size)
        return false;
    capacity = next_capacity(bytes, bytes->size + more);
    data = realloc(bytes->data, capacity);
    if (!data)
        return false;
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

bool bytes_append(struct bytes *bytes, const void *data, size_t size) {
    if (size == 0)
        return true;
    if (!bytes_reserve(bytes, size))
        return false;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

void bytes_trim(struct bytes *bytes) {
    uint8_t *data;

    if (bytes->size == 0 || bytes->size == bytes->capacity)
        return;
    data = realloc(bytes->data, bytes->size);
    if (!data)
        return;
    bytes->data = data;
    bytes->capacity = bytes->size;
}

void bytes_free(struct bytes *bytes) {
    free(bytes->data);
    bytes_init(bytes, bytes->limit);
}
