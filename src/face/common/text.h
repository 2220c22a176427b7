/* SPDX-License-Identifier: MIT */
/* Numbers that a person writes. */
#ifndef PFIFO_SRC_FACE_TEXT_H
#define PFIFO_SRC_FACE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* A number, decimal or 0x hexadecimal, with nothing after it. False if it is not one. */
bool text_to_number(const char *text, uint64_t *number);

#endif
