/* SPDX-License-Identifier: MIT */
/*
 * Words of a PUSH that come several times: the PUSH is taken apart, and parts of it are passed again.
 *
 *   words of a PUSH   [ a | run | b ]   3 times -->  PUSH a+run, PUSH run, PUSH run, PUSH b
 *
 * Nothing moves in memory. This is only possible where words come by a ring; before, a PUSH is called as a whole.
 */
#ifndef PFIFO_DECODE_EDIT_REPEAT_H
#define PFIFO_DECODE_EDIT_REPEAT_H

#include <pfifo/stream.h>

#define EDIT_PUSH_BYTES UINT64_C(0x7fffff) /* of a PUSH's length */

/* Words of a PUSH from `begin` to `end`, which come so many times in all. */
struct edit_run {
    size_t begin, end;
    uint32_t times;
};

/* Those of a PUSH, in order. */
struct edit_runs {
    struct edit_run *runs;
    size_t count, room;
};

/* Words after the last run that come as many times belong to it. False: no memory. */
bool edit_runs_add(struct edit_runs *runs, size_t begin, size_t end, uint32_t times);
void edit_runs_free(struct edit_runs *runs);

/*
 * Of a PUSH of `words` words that can only be passed as a whole; all: each of its methods is in a run. Between and
 * after them may be packets without methods, a return, and what is not fetched. False, and no runs, if they are not
 * about all of it.
 */
bool edit_runs_make_whole(struct edit_runs *runs, size_t words, bool all);

/* How many PUSH records there are in all; 1 without runs. */
uint64_t edit_runs_pushes(const struct edit_runs *runs, size_t words);

/* Append the records, of a PUSH with runs. Errors: those of writing. */
enum pfifo_status edit_runs_write(const struct edit_runs *runs, const struct pfifo_stream_push *push,
                                  struct pfifo_stream_writer *writer, struct pfifo_error *error);

#endif
