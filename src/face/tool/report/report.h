/* SPDX-License-Identifier: MIT */
/*
 * A capture as a page: words as the decoder sees them, draws with pictures as a replay sees them, and who writes and
 * reads memory.
 *
 *   capture --words.c: decoder--> rows, methods, places of words ---.
 *                                                                    data.js --> index.html, page.js, page.css
 *   capture --run.c: replay-----> draws, pictures, accesses, faults -'           (page/, report_pages.c)
 *
 * All text of the capture is in strings of data.js, without "<"; the page puts it in as text.
 */
#ifndef PFIFO_TOOL_REPORT_REPORT_H
#define PFIFO_TOOL_REPORT_REPORT_H

#include <pfifo/chip.h>
#include <pfifo/error.h>
#include <pfifo/stream.h>

#include <stdio.h>

#include "face/common/json_writer.h"

enum {
    REPORT_ROWS = 50000,     /* of the page, unless asked for more */
    REPORT_PICTURES = 200,   /* the same */
    REPORT_DRAWS = 5000,     /* at most */
    REPORT_ACCESSES = 50000, /* at most */
};

#define REPORT_NO_ROW UINT32_MAX

/* Where a word is. */
struct report_mark {
    uint32_t sequence, row;
    uint64_t address;
};

/* What the search for methods needs of a row. */
struct report_row {
    uint8_t is_method;
    uint16_t method;
};

struct report_access {
    uint64_t address, bytes;
    uint32_t row;
    char mode; /* w, r, n: only named */
    const char *what;
};

struct report_method {
    uint32_t oclass, method;
};

struct report {
    const char *file, *folder;
    uint32_t first, last; /* submissions */
    uint64_t most_rows, most_pictures;
    FILE *data;              /* data.js, */
    struct json_writer json; /* which is one object */
    const struct pfifo_chip *chip;

    uint64_t left_out; /* rows */
    size_t rows, rows_room, marks, marks_room, methods, methods_room, accesses, accesses_room;
    struct report_row *row;
    struct report_mark *mark; /* in order once the words are written */
    struct report_method *method;
    uint32_t *slot; /* hash of methods: index + 1 */
    size_t slots;
    struct report_access *access;
    uint64_t errors, faults, draws, draws_left_out, accesses_left_out, submissions;
    bool no_memory;
};

/* The page's own files; the last has no name. */
struct report_page {
    const char *name, *text;
};
extern const struct report_page report_pages[];

/* ---- text.c ---- */

/* Room for one element more. False: there is no memory, which is noted. */
bool report_grow(struct report *report, void **array, size_t *room, size_t used, size_t bytes);
void report_access(struct report *report, char mode, const char *what, uint64_t address, uint64_t bytes, uint32_t row);
/* The number of a method in the table. */
size_t report_method(struct report *report, uint32_t oclass, uint32_t method);
/* The tables ,"methods":[...],"classes":{...},"accesses":[...] */
void report_tables(struct report *report);

/* ---- facts.c ---- */

struct pfifo_draw;
struct pfifo_launch;
/* "facts":[["topology","triangles"] ...] */
void report_draw_facts(struct json_writer *json, const struct pfifo_draw *draw);
void report_launch_facts(struct json_writer *json, const struct pfifo_launch *launch);

/* ---- words.c, run.c ---- */

/* "rows":[...], and the texts of the capture. */
enum pfifo_status report_words(struct report *report, struct pfifo_stream *stream, struct pfifo_error *error);
/* The row of a word, REPORT_NO_ROW: none. */
uint32_t report_row_of(const struct report *report, uint32_t sequence, uint64_t address);
/* The first row from `row` on, of the same packet, that is this method; `row` itself if there is none. */
uint32_t report_row_method(const struct report *report, uint32_t row, uint32_t method);
/* ,"draws":[...],"faults":[...] and what comes with them. False: `error` says why. */
bool report_run(struct report *report, struct pfifo_stream *stream, struct pfifo_error *error);

#endif
