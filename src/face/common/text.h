/* SPDX-License-Identifier: MIT */
/* Numbers that a person writes, strings of JSON. */
#ifndef PFIFO_SRC_FACE_TEXT_H
#define PFIFO_SRC_FACE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A string of JSON with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void text_json_string(FILE *file, const char *text);

/* A number, decimal or 0x hexadecimal, with nothing after it. False if it is not one. */
bool text_to_number(const char *text, uint64_t *number);

#endif
