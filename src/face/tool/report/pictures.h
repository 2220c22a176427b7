/* SPDX-License-Identifier: MIT */
/*
 * The pictures of a page. Other threads make files of them while the run goes on. A picture that shows the same as one
 * of the last few has no file of its own. Which files there are, and their bytes, do not depend on the threads.
 *
 *   run --pixels--> the last few pictures --> files
 */
#ifndef PFIFO_TOOL_REPORT_PICTURES_H
#define PFIFO_TOOL_REPORT_PICTURES_H

#include <pfifo/error.h>

#include <stdint.h>

struct report_pictures;

/* `threads`: beside the caller's, which writes if they cannot keep up. NULL: `error` says why. */
struct report_pictures *report_pictures_new(const char *folder, unsigned threads, struct pfifo_error *error);

/* Room for the pixels of a picture (R G B A), up to the next call. NULL: there is no memory. */
uint8_t *report_pictures_room(struct report_pictures *pictures, uint32_t width, uint32_t height);

/*
 * The picture in the room is that of draw or clear (`what`) N. The name of the file that shows it, until the next call.
 * NULL: one of them could not be written.
 */
const char *report_pictures_put(struct report_pictures *pictures, const char *what, uint64_t number);

/* How many files there are. */
uint64_t report_pictures_files(const struct report_pictures *pictures);

/* Writes what is left, and frees (NULL allowed). False: `error` says what could not be written. */
bool report_pictures_end(struct report_pictures *pictures, struct pfifo_error *error);

#endif
