/* SPDX-License-Identifier: MIT */
/*
 * The containers NVPBCAP1, NVPBCAP2 and NVPBCAP3: the layout of each record type as a row, and one codec for all of them.
 *
 *   header  [ u32 type | u32 payload bytes ]
 *   payload [ fixed fields: u32 and u64, little endian ][ tail: text, pages or words ]
 *
 * Modelled:     the 14 record types of version 1, the 11 of version 2, the 3 of version 3; sizes of payloads and granularity of tails
 * Not modelled: how records follow each other: that is rules.h
 * Sources:      docs/capture-format.md
 */
#ifndef PFIFO_STREAM_FORMAT_H
#define PFIFO_STREAM_FORMAT_H

#include <pfifo/stream.h>

enum {
    FORMAT_MAGIC_BYTES = 8,
    FORMAT_VERSIONS = 3,
    FORMAT_HEADER_BYTES = 8,
    FORMAT_FIXED_MAX = 48, /* the largest fixed part: BOREF */
    FORMAT_PAGE_BYTES = 4096,
    FORMAT_PUSH_LENGTH_MASK = 0x7fffff,
    FORMAT_PUSH_NO_PREFETCH = 0x800000,
};

#define FORMAT_NOT_ONE "not a capture: no NVPBCAP1, NVPBCAP2 or NVPBCAP3"

/* Why a record is not acceptable, as text. */
struct reason {
    char text[128];
};

/* Note a reason; returns false for `return reason_set(...)`. */
bool reason_set(struct reason *reason, const char *format, ...) PFIFO_PRINTF(2, 3);

/* The version of the container that `data` begins with; 0: it is none. */
uint32_t format_version(const uint8_t *data, size_t size);

/* Sessions of a card (src/session/format.h) are packed and framed as captures are. */
#define FORMAT_SESSION_MAGIC "NVPCISE1"
bool format_is_session(const uint8_t *data, size_t size);

/* Write the magic of a version. */
void format_put_magic(uint8_t out[FORMAT_MAGIC_BYTES], uint32_t version);

uint32_t format_get_u32(const uint8_t *data);
void format_put_u32(uint8_t *data, uint32_t value);

/*
 * Fill in `type` and its member from `number`, `payload` and `payload_bytes`. False with a reason if the payload
 * cannot be one of its type. Types that the version does not have are not known.
 */
bool format_decode(struct pfifo_stream_record *record, uint32_t version, struct reason *reason);

/* A record in pieces, as they go into a file one after the other. Tails point into the record. */
struct format_pieces {
    uint8_t head[FORMAT_HEADER_BYTES + FORMAT_FIXED_MAX];
    size_t head_bytes;
    struct {
        const void *data;
        size_t bytes;
    } tail[3];
};

/* The reverse of format_decode. False with a reason if a tail is missing or too long for the format. */
bool format_encode(const struct pfifo_stream_record *record, uint32_t version, struct format_pieces *pieces,
                   struct reason *reason);

#endif
