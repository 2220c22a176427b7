/* SPDX-License-Identifier: MIT */
/* Files of other programs that tests put together, number by number. */
#ifndef TESTS_FOREIGN_MADE_H
#define TESTS_FOREIGN_MADE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "memory/little_endian.h"

struct made {
    uint8_t data[1 << 19];
    size_t size;
};

/* `data` NULL: zeros. */
static inline void add(struct made *made, const void *data, size_t bytes) {
    assert_true(made->size + bytes <= sizeof made->data);
    if (data)
        memcpy(made->data + made->size, data, bytes);
    else
        memset(made->data + made->size, 0, bytes);
    made->size += bytes;
}

static inline void add_u32(struct made *made, uint32_t value) {
    uint8_t bytes[4];

    store_le32(bytes, value);
    add(made, bytes, 4);
}

static inline void add_u64(struct made *made, uint64_t value) {
    add_u32(made, (uint32_t)value);
    add_u32(made, (uint32_t)(value >> 32));
}

#endif
