/* SPDX-License-Identifier: MIT */
#ifndef TESTS_DECODE_SMALL_CAPTURE_H
#define TESTS_DECODE_SMALL_CAPTURE_H

#include <pfifo/stream.h>

/*
 * GF100, two submissions of the same place: methods 0x100 with 10, 11 ... 15, and 20 to 25, of which 23 is a bad word
 * instead. To be closed.
 */
struct pfifo_stream *small_capture(void);

#endif
