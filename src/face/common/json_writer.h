/* SPDX-License-Identifier: MIT */
/*
 * Writes JSON to a file: commas, quotes and escapes are its business.
 *
 *   json_open(&json, NULL, '{'); json_put_number(&json, "methods", 3); json_close(&json);     {"methods":3}
 *
 * What is put has a key in an object, and NULL for a key in an array.
 */
#ifndef PFIFO_SRC_FACE_JSON_WRITER_H
#define PFIFO_SRC_FACE_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH 16 /* of objects and arrays in each other */

struct json_writer {
    FILE *file;
    bool spaced;    /* "a": 1, "b": 2 instead of "a":1,"b":2 */
    bool in_markup; /* no "<" is written: the text stands in a page */
    /* ---- inside ---- */
    bool line;              /* what comes next begins a line */
    unsigned depth;         /* what is open */
    bool any[JSON_DEPTH];   /* something was written in it */
    char close[JSON_DEPTH]; /* how it ends */
};

/* An object '{' or an array '['. */
void json_open(struct json_writer *json, const char *key, char bracket);
void json_close(struct json_writer *json);
/* The same, and the line of an object that stands alone ends. */
void json_close_line(struct json_writer *json);
/* What is put or closed next begins a line. */
void json_new_line(struct json_writer *json);

void json_put_text(struct json_writer *json, const char *key, const char *text); /* not UTF-8: becomes U+FFFD */
void json_put_number(struct json_writer *json, const char *key, uint64_t number);
void json_put_signed(struct json_writer *json, const char *key, int64_t number);
void json_put_bool(struct json_writer *json, const char *key, bool value);
/* A value that is JSON already. */
void json_put_raw(struct json_writer *json, const char *key, const char *value);

/* A text of several parts, by printf's format and cut after 511 bytes. */
void json_put_format(struct json_writer *json, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
