/* SPDX-License-Identifier: MIT */
/*
 * JSON read strictly, and held against a schema: the keywords that docs/json.schema.json has, no others. A schema with
 * a keyword that is not known here is an error, so that nothing is left unchecked unseen.
 */
#ifndef PFIFO_TESTS_TOOL_JSON_H
#define PFIFO_TESTS_TOOL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_type { JSON_NULL, JSON_BOOLEAN, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_type type;
    char *key;  /* in an object */
    char *text; /* of a string, decoded; of a number, as it is written */
    bool truth;
    struct json *child, *next; /* of arrays and objects, in order */
};

/* NULL: it is not JSON, has a key twice, or something after it. To be freed. */
struct json *json_parse(const char *text, size_t bytes);
void json_free(struct json *json);

/* A member of an object, NULL if there is none. */
const struct json *json_get(const struct json *object, const char *key);

/* Does it fit? If not, `why` says where and what. `root` is what "$ref" looks in. */
bool json_fits(const struct json *json, const struct json *schema, const struct json *root, char *why, size_t size);

/* docs/json.schema.json, to be freed. NULL: it cannot be read. */
struct json *json_schema(void);

/* "held", of its $defs: does the text fit that? If not, `why` says what does not. */
bool json_fits_definition(const char *text, size_t bytes, const char *name, char *why, size_t size);

#endif
