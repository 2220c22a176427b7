/* SPDX-License-Identifier: MIT */
/*
 * The listing of the programs that commands write to memory by inline copies: a header of 80 bytes, which says of
 * which stage the program is, and code after it, in as many copies as it takes:
 *
 *   channel 1: vertex program at 0000220100
 *     header 00020461 00000000 ...
 *     0000220150 6000400000001c00  RRO.SINCOS R0, c[0x0][0x0]
 *
 * Programs without a header (compute programs, functions of the driver) are not recognised. Addresses of a program
 * region begin at a multiple of the period of words for the scheduler, so that GPU addresses tell where those are.
 *
 * Source: open-gpu-doc Shader-Program-Header for the header; Mesa nvc0_program.c (nvc0_program_upload_code).
 */
#include "decode/shaders.h"

#include "decode/shader.h"
#include "decode/sink.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 0x50, ROOM = 0x10000, BEHIND = 16, WORD_CHARS = 17 };

/* What a method means to a copy. */
enum { UPLOAD_HIGH, UPLOAD_LOW, UPLOAD_LENGTH, UPLOAD_LAUNCH, UPLOAD_DATA, UPLOAD_METHODS };

struct shader_upload {
    struct shader_upload *next;
    uint32_t channel;
    uint64_t address;
    uint32_t line;           /* bytes of the next copy */
    size_t length, expected; /* of this one */
    uint64_t code;           /* where the code of a program that has begun goes on; 0: nowhere */
    uint8_t data[ROOM + BEHIND];
};

/* ---- text ---- */

static uint32_t shaders_word_at(const uint8_t *data) {
    return data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

/* The stage of a header; NULL: it is none. Bits 4..0: 1 vertices, 2 pixels; 9..5: version 3; 13..10: the stage. */
static const char *stage_of(const struct shader_upload *upload) {
    static const char *const stages[] = {NULL,       "vertex",  "tessellation control", "tessellation evaluation",
                                         "geometry", "fragment"};
    uint32_t word = shaders_word_at(upload->data), type = word & 0x1f, stage = word >> 10 & 0xf;
    if (upload->length != HEADER || (word >> 5 & 0x1f) != 3 || stage > 5 || type != (stage == 5 ? 2 : 1))
        return NULL;
    return stages[stage];
}

static void shaders_put_header(const struct shader_upload *upload, const char *stage, struct output *out) {
    output_line(out);
    output_text(out, "channel ");
    output_decimal(out, upload->channel);
    output_text(out, ": ");
    output_text(out, stage);
    output_text(out, " program at ");
    output_hex(out, upload->address, 10);
    output_text(out, "\n");
    output_line(out);
    output_text(out, "  header");
    for (unsigned i = 0; i < HEADER; i += 4) {
        output_text(out, " ");
        output_hex(out, shaders_word_at(upload->data + i), 8);
    }
    output_text(out, "\n");
}

static void shaders_put_code(const struct shaders *shaders, const struct shader_upload *upload, struct output *out) {
    const struct isa *isa = shader_isa_of(shaders->chip);
    uint64_t control = 0;
    size_t bytes = 8;
    for (size_t at = 0; at < upload->length; at += bytes) {
        char text[SHADER_TEXT];
        const uint8_t *words = upload->data + at;
        uint64_t address = upload->address + at;
        bytes = shader_list_one(isa, address, words, &control, text).bytes;
        output_line(out);
        output_text(out, "  ");
        output_hex(out, address, 10);
        output_text(out, " ");
        if (bytes == 8)
            output_hex(out, (uint64_t)shaders_word_at(words + 4) << 32 | shaders_word_at(words), 16);
        else
            output_hex(out, shaders_word_at(words), 8);
        output_padded(out, "", bytes == 8 ? 2 : 2 + WORD_CHARS / 2);
        output_text(out, text);
        output_text(out, "\n");
    }
}

/* A copy is complete: a header, code after one, or something else. */
static void end_copy(const struct shaders *shaders, struct shader_upload *upload, struct output *out) {
    const char *stage = stage_of(upload);
    if (upload->code == upload->address && upload->code) {
        shaders_put_code(shaders, upload, out);
        upload->code += upload->length;
    } else if (stage) {
        shaders_put_header(upload, stage, out);
        upload->code = upload->address + upload->length;
    } else {
        upload->code = 0;
    }
}

/* ---- copies ---- */

/* Class 9039's methods, and those of a040 and a140 (their headers); UPLOAD_METHODS: it is none of them. */
static unsigned shaders_meaning_of(uint32_t class_id, uint32_t method) {
    static const uint16_t fermi[] = {0x238, 0x23c, 0x31c, 0x300, 0x304};
    static const uint16_t kepler[] = {0x188, 0x18c, 0x180, 0x1b0, 0x1b4};
    const uint16_t *methods = class_id == 0x9039 ? fermi : kepler;
    unsigned meaning = 0;
    if (class_id != 0x9039 && class_id != 0xa040 && class_id != 0xa140)
        return UPLOAD_METHODS;
    while (meaning < UPLOAD_METHODS && methods[meaning] != method)
        meaning++;
    return meaning;
}

/* NULL: no memory, or too many channels copy. */
static struct shader_upload *upload_of(struct shaders *shaders, uint32_t channel) {
    struct shader_upload *upload = shaders->first;
    while (upload && upload->channel != channel)
        upload = upload->next;
    if (upload || shaders->count == SHADERS_CHANNELS)
        return upload;
    upload = calloc(1, sizeof *upload);
    if (!upload)
        return NULL;
    upload->channel = channel;
    upload->next = shaders->first;
    shaders->first = upload;
    shaders->count++;
    return upload;
}

static void shaders_put_data(const struct shaders *shaders, struct shader_upload *upload, uint32_t word,
                             struct output *out) {
    if (upload->length == upload->expected)
        return;
    for (unsigned i = 0; i < 4 && upload->length < upload->expected; i++)
        upload->data[upload->length++] = (uint8_t)(word >> 8 * i);
    if (upload->length < upload->expected)
        return;
    memset(upload->data + upload->length, 0, BEHIND);
    end_copy(shaders, upload, out);
    upload->length = upload->expected = 0;
}

void shaders_event(struct shaders *shaders, const struct pfifo_decode_event *event, struct output *out) {
    if (event->kind != PFIFO_DECODE_METHOD || event->discarded)
        return;
    unsigned meaning = shaders_meaning_of(event->bound_class, event->method);
    if (meaning == UPLOAD_METHODS)
        return;
    struct shader_upload *upload = upload_of(shaders, event->channel);
    if (!upload) {
        shaders->omitted++;
        return;
    }
    switch (meaning) {
    case UPLOAD_HIGH:
        upload->address = (uint64_t)(event->data & 0xff) << 32 | (uint32_t)upload->address;
        return;
    case UPLOAD_LOW:
        upload->address = (upload->address >> 32) << 32 | event->data;
        return;
    case UPLOAD_LENGTH:
        upload->line = event->data;
        return;
    case UPLOAD_LAUNCH: /* longer ones are no programs */
        upload->length = 0;
        upload->expected = upload->line <= ROOM ? upload->line : 0;
        return;
    default:
        shaders_put_data(shaders, upload, event->data, out);
    }
}

bool sink_shaders(void *opaque, const struct pfifo_decode_event *event) {
    struct sink *sink = opaque;
    shaders_event(&sink->shaders, event, &sink->out);
    return true;
}

void shaders_end(struct shaders *shaders, uint32_t channel) {
    for (struct shader_upload **at = &shaders->first; *at; at = &(*at)->next)
        if ((*at)->channel == channel) {
            struct shader_upload *upload = *at;
            *at = upload->next;
            shaders->count--;
            free(upload);
            return;
        }
}

void shaders_end_all(struct shaders *shaders, struct output *out) {
    while (shaders->first)
        shaders_end(shaders, shaders->first->channel);
    if (shaders->omitted) {
        output_line(out);
        output_decimal(out, shaders->omitted);
        output_text(out, " words of copies were not looked at: no memory, or too many channels copy\n");
    }
}
