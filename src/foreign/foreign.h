/* SPDX-License-Identifier: MIT */
/*
 * What the readers of other programs' files share.
 *
 *   foreign.c --- table of formats ---> rpcs3.c --> rpcs3_capture.c --+--> pages.c (memory) --> struct pfifo_stream_writer
 *                                      mmt.c --+-> mmt_nouveau.c ----+
 *                                              '-> nvrm.c -----------+
 */
#ifndef PFIFO_SRC_FOREIGN_H
#define PFIFO_SRC_FOREIGN_H

#include <pfifo/foreign.h>

#include "stream/bytes.h"

#define FOREIGN_NO_PREFETCH (UINT64_C(1) << 23) /* of the length of a PUSH */

/* A file that is being read: all of it is in memory. */
struct foreign_file {
    const char *name;
    const uint8_t *data;
    size_t size, at;
    bool failed; /* it ended too early, or a value in it is invalid */
    bool ended;  /* it was the former */
    size_t failed_at;
};

struct foreign_format {
    const char *name;
    bool (*recognise)(const uint8_t *data, size_t bytes);
    /* Append a capture to a writer, but for its end. */
    enum pfifo_status (*read)(struct foreign_file *file, struct pfifo_stream_writer *writer, struct pfifo_error *error);
};

extern const struct foreign_format foreign_format_rpcs3, foreign_format_mmt;

/* `bytes` bytes of the file, which moves past them. NULL: fewer are left, and `failed` is set. */
const uint8_t *foreign_take(struct foreign_file *file, size_t bytes);
/* Little-endian numbers; 0 if the file ends before. */
uint32_t foreign_u8(struct foreign_file *file);
uint32_t foreign_u32(struct foreign_file *file);
uint64_t foreign_u64(struct foreign_file *file);

/* PFIFO_ERROR_FORMAT with name, offset and reason. */
enum pfifo_status foreign_error(const struct foreign_file *file, size_t offset, struct pfifo_error *error,
                                const char *format, ...) PFIFO_PRINTF(4, 5);

/* PFIFO_ERROR_MEMORY: there is none for `what`. */
enum pfifo_status foreign_no_memory(const struct foreign_file *file, struct pfifo_error *error, const char *what);

/* -1: the first range is before the second; 1: after it; 0: they overlap. So a tree of ranges has none over another. */
int foreign_compare_ranges(uint64_t first, uint64_t first_bytes, uint64_t second, uint64_t second_bytes);

/* A TEXT with a note. */
enum pfifo_status foreign_note(struct pfifo_stream_writer *writer, struct pfifo_error *error, const char *format, ...)
    PFIFO_PRINTF(3, 4);

/* What is not in the capture: how many of it, and where and why the first. */
struct foreign_left_out {
    size_t count, at;
    const char *why;
};

void foreign_leave_out(struct foreign_left_out *left_out, size_t at, const char *why);
/* Note it, if there is any: `what` is its name. */
enum pfifo_status foreign_note_left_out(const struct foreign_left_out *left_out, const char *what,
                                        struct pfifo_stream_writer *writer, struct pfifo_error *error);

/*
 * Has the capture room for `bytes` more? A few bytes at `at` may ask for much. False: it would be larger than
 * PFIFO_STREAM_WHOLE_LIMIT, and `error` is set.
 */
bool foreign_has_room(const struct foreign_file *file, const struct pfifo_stream_writer *writer, size_t at,
                      uint64_t bytes, struct pfifo_error *error);

#endif
