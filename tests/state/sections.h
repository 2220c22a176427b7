/* SPDX-License-Identifier: MIT */
/* The sections of a saved machine, for tests that compare or damage them. */
#ifndef PFIFO_TESTS_STATE_SECTIONS_H
#define PFIFO_TESTS_STATE_SECTIONS_H

#include "state/player.h"

#define STREAM_HEADER  12u /* magic, version */
#define SECTION_HEADER 16u /* tag, version, length, checksum */

uint32_t stream_word(const struct player_bytes *bytes, size_t at);
void stream_set_word(struct player_bytes *bytes, size_t at, uint32_t value);

/* Offsets of sections: the one after, the first of a tag (it must be there), any one. */
size_t section_after(const struct player_bytes *bytes, size_t section);
size_t section_find(const struct player_bytes *bytes, const char *tag);
size_t section_pick(const struct player_bytes *bytes, struct choice *choice);

size_t section_words(const struct player_bytes *bytes, size_t section);

/* Make the checksum right. */
void section_seal(struct player_bytes *bytes, size_t section);

#endif
