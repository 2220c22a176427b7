/* SPDX-License-Identifier: MIT */
/*
 * The records of a session, NVPCISE1: what was done with a card, in order.
 *
 *   header  [ u32 type | u32 payload bytes ]
 *   payload [ fixed fields: u32 and u64, little endian ][ tail ]
 *
 *   { TIME | PAGE | INTX | MSI } operation         what happened in an operation is in front of it
 *
 * Sources: docs/session-format.md
 */
#ifndef PFIFO_SRC_SESSION_FORMAT_H
#define PFIFO_SRC_SESSION_FORMAT_H

#include "pci/tap.h"

#define SESSION_HEAD_MAX   (8u + 8u * SESSION_FIELDS)
#define SESSION_NAME_BYTES 16u
#define SESSION_BARS_32    1u /* flags of CARD */
#define SESSION_CLOCK      2u

const char *session_type_name(uint32_t type);

/* Header and fixed fields. Returns their bytes. */
size_t session_encode(const struct session_record *record, uint8_t head[SESSION_HEAD_MAX]);

/* The reverse, of a payload. NULL, or why it cannot be one of its type. Types that are not known are left as they are.
 */
const char *session_decode(struct session_record *record, uint32_t type, const uint8_t *payload, size_t bytes);

#endif
