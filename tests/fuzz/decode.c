/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: the decoder. The first byte picks the chip and the second what the rest is: raw words, words after an
 * IB ring, or a capture. Whatever the input, decoding ends, and what it writes is plain text.
 */
#include <pfifo/decode.h>

#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 2, CAPTURE_LIMIT = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Touch every byte, so that a sanitizer sees one that was never set; lines have to be text. */
static bool check_text(void *opaque, const char *text, size_t bytes) {
    (void)opaque;
    for (size_t i = 0; i < bytes; i++)
        if (text[i] != '\n' && (text[i] < ' ' || text[i] > '~'))
            abort();
    return true;
}

static const struct pfifo_chip *pick_chip(uint8_t byte) {
    return pfifo_chip_at(byte % pfifo_chip_count());
}

static void decode_capture(const uint8_t *data, size_t size, struct pfifo_decode_options *options) {
    struct pfifo_stream *stream = pfifo_stream_open_memory_limited(data, size, "fuzz", CAPTURE_LIMIT, NULL);

    if (!stream)
        return;
    pfifo_decode_stream(stream, options, check_text, NULL, NULL);
    pfifo_stream_close(stream);
}

/* A part of a stream, which begins in the middle of whatever the size says. */
static uint32_t class_of(void *opaque, uint32_t handle) {
    (void)opaque;
    return handle & 1 ? 0x4097 : 0;
}

static void make_part(struct pfifo_decode_options *options, size_t size) {
    static const char *const forms[] = {NULL, "non-increasing", "increase-once", "long-non-increasing"};

    options->part = true;
    options->packet = (struct pfifo_push_packet){.count = size % 7,
                                                 .method = (uint16_t)(size % 0x800 * 4),
                                                 .subchannel = (uint8_t)(size % 8),
                                                 .form = forms[size / 8 % 4],
                                                 .long_count = size / 8 % 4 == 3};
    options->handle_class = class_of;
}

/* mode: [1:0] format, [2] IB, [3] old forms, [4] capture, [5] address at the top of memory, [7:6] entries of a ring */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct pfifo_decode_object objects[] = {{0, 0x30}, {1, 0x4097}, {0x906e, 0xfffffff9}};
    struct pfifo_decode_options options = {.objects = objects, .object_count = 3};

    if (size < HEADER_BYTES)
        return 0;
    options.chip = pick_chip(data[0]);
    options.format = (enum pfifo_decode_format)(data[1] & 3);
    if (options.format == PFIFO_DECODE_MACROS && data[0] & 0x80)
        options.format = PFIFO_DECODE_SHADERS;
    options.ib = data[1] & 4;
    options.old_forms = data[1] & 8;
    options.base = data[1] & 0x20 ? UINT64_MAX - 15 : 0x1000;
    options.entries = data[1] >> 6;
    options.ring = options.base;
    if (data[0] & 0x40)
        make_part(&options, size);
    data += HEADER_BYTES;
    size -= HEADER_BYTES;
    if (data[-1] & 0x10)
        decode_capture(data, size, &options);
    else
        pfifo_decode_raw(data, size, &options, check_text, NULL, NULL);
    return 0;
}
