/* SPDX-License-Identifier: MIT */
/*
 * Queries of any text. What compiles is asked about lines of any kind, and must answer the same again.
 *
 *   line 1     the query
 *   the rest   lines of the decoder, 12 bytes each
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/query.h>

#include "fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct pfifo_decode_event line_of(const uint8_t bytes[12]) {
    static const uint32_t classes[] = {0x9097, 0x90b5, 0x906f, 0x4097, 0x0039, 0, 0xfffffff9, 0xb1b7};
    struct pfifo_decode_event event = {.kind = (enum pfifo_decode_kind)(bytes[0] % (PFIFO_DECODE_SYNC + 1)),
                                       .channel = bytes[1] & 3,
                                       .sequence = bytes[2],
                                       .address = bytes[3] * 4u,
                                       .bound_class = classes[bytes[4] & 7],
                                       .name_class = classes[bytes[4] >> 4 & 7],
                                       .method = (uint16_t)((bytes[5] | bytes[6] << 8) & 0x3ffc),
                                       .subchannel = bytes[7] & 7,
                                       .form = bytes[7] & 8 ? "increasing" : NULL,
                                       .text = bytes[7] & 16 ? "a text" : NULL};

    memcpy(&event.data, bytes + 8, 4);
    return event;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    size_t length = end ? (size_t)(end - data) : size;
    char text[1024];

    if (length >= sizeof text)
        return 0;
    if (length)
        memcpy(text, data, length);
    text[length] = 0;
    struct pfifo_error error = {0};
    struct pfifo_query *query = pfifo_query_new(text, &error), *fresh;
    require(query || (error.status == PFIFO_ERROR_ARGUMENT && error.message[0]));
    for (size_t at = length + 1; query && at + 12 <= size; at += 12) {
        struct pfifo_decode_event event = line_of(data + at);
        bool matches = pfifo_query_decoded(query, &event);
        require(matches == pfifo_query_decoded(query, &event));
        fresh = pfifo_query_new(text, NULL);
        require(fresh && matches == pfifo_query_decoded(fresh, &event));
        pfifo_query_free(fresh);
    }
    pfifo_query_free(query);
    return 0;
}
