/* SPDX-License-Identifier: MIT */
#include "state/sections.h"

#include <assert.h>
#include <string.h>

uint32_t stream_word(const struct player_bytes *bytes, size_t at) {
    const uint8_t *b = bytes->data + at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

void stream_set_word(struct player_bytes *bytes, size_t at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        bytes->data[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

size_t section_words(const struct player_bytes *bytes, size_t section) {
    return stream_word(bytes, section + 8) / 4;
}

size_t section_after(const struct player_bytes *bytes, size_t section) {
    return section + SECTION_HEADER + 4 * section_words(bytes, section);
}

size_t section_find(const struct player_bytes *bytes, const char *tag) {
    size_t at = STREAM_HEADER;
    while (memcmp(bytes->data + at, tag, 4) != 0) {
        at = section_after(bytes, at);
        assert(at < bytes->bytes);
    }
    return at;
}

size_t section_pick(const struct player_bytes *bytes, struct choice *choice) {
    uint32_t count = 0;
    for (size_t at = STREAM_HEADER; at < bytes->bytes; at = section_after(bytes, at))
        count++;
    size_t at = STREAM_HEADER;
    for (uint32_t n = choice_below(choice, count); n > 0; n--)
        at = section_after(bytes, at);
    return at;
}

/* CRC-32 of IEEE 802.3, bit by bit: not the library's own. */
void section_seal(struct player_bytes *bytes, size_t section) {
    uint32_t crc = ~0u;
    for (size_t at = section + SECTION_HEADER; at < section_after(bytes, section); at++) {
        crc ^= bytes->data[at];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    stream_set_word(bytes, section + 12, ~crc);
}
