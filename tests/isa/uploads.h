/* SPDX-License-Identifier: MIT */
/* What the commands of a capture write to memory from within the pushbuffer: among it programs. */
#ifndef PFIFO_TESTS_ISA_UPLOADS_H
#define PFIFO_TESTS_ISA_UPLOADS_H

#include <stddef.h>
#include <stdint.h>

enum {
    UPLOAD_ROOM = 0x2000,
    PROGRAM_HEADER = 0x50, /* bytes of a shader program header, before the code */
};

struct upload {
    uint64_t address;
    size_t length, expected;
    int is_code, is_first;          /* code of a program, at its beginning. The header is an upload of its own */
    uint8_t data[UPLOAD_ROOM + 16]; /* zeros after the length */
};

/* Call `found` for each inline upload of the engines that copy (9039, a040, a140) in samples/captures/NAME.nvcap.xz. */
void each_upload(const char *name, void (*found)(void *opaque, const struct upload *upload), void *opaque);

#endif
