/* SPDX-License-Identifier: MIT */
#include "isa/uploads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/decode.h>
#include <pfifo/stream.h>

struct reader {
    char line[1000];
    size_t length;
    struct upload upload;
    uint64_t code; /* where code that goes on would be; 0: nowhere */
    bool first;
    void (*found)(void *opaque, const struct upload *upload);
    void *opaque;
};

static bool is_header(const struct upload *upload) {
    const uint8_t *data = upload->data;
    unsigned type = data[0] & 0x1fu, version = (data[0] | data[1] << 8u) >> 5 & 0x1f;
    return upload->length == PROGRAM_HEADER && (type == 1 || type == 2) && version == 3;
}

/* Code goes on where its header, or its last part, ends. */
static void finish(struct reader *reader) {
    struct upload *upload = &reader->upload;
    upload->is_code = upload->address == reader->code;
    upload->is_first = upload->is_code && reader->first;
    reader->first = !upload->is_code && is_header(upload);
    reader->code = upload->is_code || reader->first ? upload->address + upload->length : 0;
    reader->found(reader->opaque, upload);
    memset(upload->data, 0, sizeof(upload->data));
    upload->length = upload->expected = 0;
}

static void data(struct reader *reader, uint32_t word) {
    struct upload *upload = &reader->upload;
    for (unsigned i = 0; i < 4 && upload->length < upload->expected; i++)
        upload->data[upload->length++] = (uint8_t)(word >> 8 * i);
    if (upload->expected && upload->length == upload->expected)
        finish(reader);
}

/* address word subchannel class CLASS method METHOD data */
static void method(struct reader *reader) {
    static const char *const names[] = {"OFFSET_OUT_UPPER", "OFFSET_OUT", "LINE_LENGTH_IN", "LOAD_INLINE_DATA"};
    char *save = NULL, *words[8];
    struct upload *upload = &reader->upload;
    unsigned count = 0, which = 0;

    for (char *word = strtok_r(reader->line, " \n", &save); word && count < 8; word = strtok_r(NULL, " \n", &save))
        words[count++] = word;
    if (count < 8 || (strcmp(words[3], "9039") != 0 && strcmp(words[3], "a040") != 0 && strcmp(words[3], "a140") != 0))
        return;
    uint32_t value = (uint32_t)strtoul(words[7], NULL, 16);
    while (which < 4 && strcmp(words[6], names[which]) != 0)
        which++;
    if (which == 0)
        upload->address = (uint64_t)value << 32 | (uint32_t)upload->address;
    else if (which == 1)
        upload->address = (upload->address >> 32) << 32 | value;
    else if (which == 2)
        upload->expected = value <= UPLOAD_ROOM ? value : 0;
    else if (which == 3)
        data(reader, value);
}

static bool text(void *opaque, const char *text, size_t bytes) {
    struct reader *reader = opaque;
    for (size_t i = 0; i < bytes; i++) {
        if (reader->length < sizeof(reader->line) - 1)
            reader->line[reader->length++] = text[i];
        if (text[i] == '\n') {
            reader->line[reader->length] = 0;
            method(reader);
            reader->length = 0;
        }
    }
    return true;
}

void each_upload(const char *name, void (*found)(void *opaque, const struct upload *upload), void *opaque) {
    const char *folder = getenv("PFIFO_SAMPLES");
    char path[1000];
    struct pfifo_error error = {0};
    struct pfifo_decode_options options = {.size = sizeof(options), .format = PFIFO_DECODE_TEXT};
    struct reader *reader = calloc(1, sizeof(*reader));

    assert_non_null(reader);
    reader->found = found;
    reader->opaque = opaque;
    snprintf(path, sizeof(path), "%s/captures/%s.nvcap.xz", folder ? folder : "samples", name);
    struct pfifo_stream *stream = pfifo_stream_open(path, &error);
    if (!stream)
        fail_msg("%s", error.message);
    if (pfifo_decode_stream(stream, &options, text, reader, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    pfifo_stream_close(stream);
    free(reader);
}
