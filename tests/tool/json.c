/* SPDX-License-Identifier: MIT */
#include "tool/json.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

enum { DEPTH_MOST = 64 };

struct reader {
    const char *at, *end;
    unsigned depth;
};

static struct json *read_value(struct reader *reader);

static void skip_blanks(struct reader *reader) {
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at))
        reader->at++;
}

static bool take(struct reader *reader, const char *token) {
    size_t length = strlen(token);

    skip_blanks(reader);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, token, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static struct json *make(enum json_type type) {
    struct json *json = calloc(1, sizeof *json);

    if (!json)
        abort();
    json->type = type;
    return json;
}

void json_free(struct json *json) {
    while (json) {
        struct json *next = json->next;
        json_free(json->child);
        free(json->key);
        free(json->text);
        free(json);
        json = next;
    }
}

/* \uXXXX as UTF-8; surrogates are not in what the tool writes. */
static bool read_code(struct reader *reader, char **to) {
    unsigned code = 0;

    if (reader->end - reader->at < 4)
        return false;
    for (int i = 0; i < 4; i++, reader->at++) {
        if (!isxdigit((unsigned char)*reader->at))
            return false;
        code = code * 16 +
               (unsigned)(isdigit((unsigned char)*reader->at) ? *reader->at - '0' : (*reader->at | 32) - 'a' + 10);
    }
    if (code == 0 || (code >= 0xd800 && code < 0xe000))
        return false;
    if (code < 0x80) {
        *(*to)++ = (char)code;
    } else if (code < 0x800) {
        *(*to)++ = (char)(0xc0 | code >> 6);
        *(*to)++ = (char)(0x80 | (code & 63));
    } else {
        *(*to)++ = (char)(0xe0 | code >> 12);
        *(*to)++ = (char)(0x80 | (code >> 6 & 63));
        *(*to)++ = (char)(0x80 | (code & 63));
    }
    return true;
}

static bool read_escape(struct reader *reader, char **to) {
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    const char *found;
    char c = reader->at < reader->end ? *reader->at++ : 0;

    if (c == 'u')
        return read_code(reader, to);
    found = c ? strchr(from, c) : NULL;
    if (!found)
        return false;
    *(*to)++ = into[found - from];
    return true;
}

/* Bytes up to the closing quote; decoded there are no more. */
static size_t string_length(const struct reader *reader) {
    const char *at = reader->at;

    while (at < reader->end && *at != '"')
        at += *at == '\\' && at + 1 < reader->end ? 2 : 1;
    return (size_t)(at - reader->at);
}

/* After the opening quote. NULL: malformed. */
static char *read_string(struct reader *reader) {
    char *text = malloc(string_length(reader) + 1), *to = text;

    if (!text)
        abort();
    while (reader->at < reader->end && (unsigned char)*reader->at >= 0x20) {
        char c = *reader->at++;
        if (c == '"') {
            *to = 0;
            return text;
        }
        if (c != '\\')
            *to++ = c;
        else if (!read_escape(reader, &to))
            break;
    }
    free(text);
    return NULL;
}

static bool digits(const char **at) {
    size_t count = strspn(*at, "0123456789");

    *at += count;
    return count != 0;
}

static bool is_number(const char *at) {
    at += *at == '-';
    if (*at == '0' ? isdigit((unsigned char)*++at) : !digits(&at))
        return false;
    if (*at == '.' && (at++, !digits(&at)))
        return false;
    if ((*at == 'e' || *at == 'E') && (at += 1 + strspn(at + 1, "+-"), !digits(&at)))
        return false;
    return *at == 0;
}

static struct json *read_number(struct reader *reader) {
    size_t length = strspn(reader->at, "+-.eE0123456789");
    struct json *json = make(JSON_NUMBER);

    json->text = strndup(reader->at, length);
    reader->at += length;
    if (json->text && is_number(json->text))
        return json;
    json_free(json);
    return NULL;
}

/* A key and its value into `object`, where the key must be new. */
static bool read_member(struct reader *reader, struct json *object, struct json **last) {
    char *key = take(reader, "\"") ? read_string(reader) : NULL;
    struct json *value = key && !json_get(object, key) && take(reader, ":") ? read_value(reader) : NULL;

    if (!value) {
        free(key);
        return false;
    }
    value->key = key;
    *last = value;
    return true;
}

static bool read_element(struct reader *reader, struct json **last) {
    *last = read_value(reader);
    return *last != NULL;
}

static struct json *read_many(struct reader *reader, enum json_type type) {
    const char *close = type == JSON_OBJECT ? "}" : "]";
    struct json *json = make(type), **last = &json->child;

    if (take(reader, close))
        return json;
    do {
        if (!(type == JSON_OBJECT ? read_member(reader, json, last) : read_element(reader, last))) {
            json_free(json);
            return NULL;
        }
        last = &(*last)->next;
    } while (take(reader, ","));
    if (take(reader, close))
        return json;
    json_free(json);
    return NULL;
}

static struct json *read_text(struct reader *reader) {
    char *text = read_string(reader);
    struct json *json = text ? make(JSON_STRING) : NULL;

    if (json)
        json->text = text;
    return json;
}

static struct json *read_boolean(bool truth) {
    struct json *json = make(JSON_BOOLEAN);

    json->truth = truth;
    return json;
}

static struct json *read_value(struct reader *reader) {
    struct json *json = NULL;

    if (++reader->depth > DEPTH_MOST)
        return NULL;
    if (take(reader, "{"))
        json = read_many(reader, JSON_OBJECT);
    else if (take(reader, "["))
        json = read_many(reader, JSON_ARRAY);
    else if (take(reader, "\""))
        json = read_text(reader);
    else if (take(reader, "true"))
        json = read_boolean(true);
    else if (take(reader, "false"))
        json = read_boolean(false);
    else if (take(reader, "null"))
        json = make(JSON_NULL);
    else if (reader->at < reader->end)
        json = read_number(reader);
    reader->depth--;
    return json;
}

struct json *json_parse(const char *text, size_t bytes) {
    char *copy = strndup(text, bytes); /* ends with a zero, for strspn */
    struct reader reader = {.at = copy, .end = copy ? copy + strlen(copy) : NULL};
    struct json *json = copy ? read_value(&reader) : NULL;

    skip_blanks(&reader);
    if (json && reader.at != reader.end) {
        json_free(json);
        json = NULL;
    }
    free(copy);
    return json;
}

const struct json *json_get(const struct json *object, const char *key) {
    const struct json *child = object ? object->child : NULL;

    while (child && (!child->key || strcmp(child->key, key) != 0))
        child = child->next;
    return child;
}

/* ---- the schema ---- */

struct check {
    const struct json *root;
    char *why;
    size_t size;
};

static bool fits(const struct check *check, const struct json *json, const struct json *schema);

static bool no(const struct check *check, const struct json *json, const char *what) {
    if (check->size)
        snprintf(check->why, check->size, "%s: %s", json->key ? json->key : "(value)", what);
    return false;
}

static bool is_integer(const struct json *json) {
    return json->type == JSON_NUMBER && !strpbrk(json->text, ".eE");
}

static bool has_type(const struct json *json, const char *type) {
    static const char *const names[] = {"null", "boolean", "number", "string", "array", "object"};

    return strcmp(type, "integer") == 0 ? is_integer(json) : strcmp(type, names[json->type]) == 0;
}

static bool equal(const struct json *a, const struct json *b) {
    if (a->type != b->type)
        return false;
    return a->type == JSON_BOOLEAN ? a->truth == b->truth : a->text && b->text && strcmp(a->text, b->text) == 0;
}

static bool check_type(const struct check *check, const struct json *json, const struct json *types) {
    bool found = types->type == JSON_STRING && has_type(json, types->text);

    for (const struct json *type = types->child; type; type = type->next)
        found |= has_type(json, type->text);
    return found || no(check, json, "has another type");
}

static bool check_enum(const struct check *check, const struct json *json, const struct json *values) {
    for (const struct json *value = values->child; value; value = value->next)
        if (equal(json, value))
            return true;
    return no(check, json, "is not in the list");
}

static bool check_const(const struct check *check, const struct json *json, const struct json *value) {
    return equal(json, value) || no(check, json, "is something else");
}

static bool check_minimum(const struct check *check, const struct json *json, const struct json *limit) {
    return json->type != JSON_NUMBER || strtold(json->text, NULL) >= strtold(limit->text, NULL) ||
           no(check, json, "is too small");
}

static bool check_maximum(const struct check *check, const struct json *json, const struct json *limit) {
    return json->type != JSON_NUMBER || strtold(json->text, NULL) <= strtold(limit->text, NULL) ||
           no(check, json, "is too large");
}

/* Compiled once for each pattern of the schema. */
static const regex_t *compiled(const struct json *pattern) {
    static struct {
        char *text;
        regex_t regex;
    } known[8];
    size_t i = 0;

    while (i < sizeof known / sizeof known[0] && known[i].text && strcmp(known[i].text, pattern->text) != 0)
        i++;
    if (i == sizeof known / sizeof known[0])
        abort();
    if (!known[i].text) {
        known[i].text = strdup(pattern->text);
        if (regcomp(&known[i].regex, pattern->text, REG_EXTENDED | REG_NOSUB) != 0)
            abort();
    }
    return &known[i].regex;
}

static bool check_pattern(const struct check *check, const struct json *json, const struct json *pattern) {
    return json->type != JSON_STRING || regexec(compiled(pattern), json->text, 0, NULL, 0) == 0 ||
           no(check, json, "does not match the pattern");
}

static bool check_required(const struct check *check, const struct json *json, const struct json *keys) {
    for (const struct json *key = keys->child; key; key = key->next)
        if (!json_get(json, key->text))
            return no(check, json, key->text);
    return true;
}

static bool check_properties(const struct check *check, const struct json *json, const struct json *properties) {
    for (const struct json *property = properties->child; property; property = property->next) {
        const struct json *value = json_get(json, property->key);
        if (value && !fits(check, value, property))
            return false;
    }
    return true;
}

static bool check_items(const struct check *check, const struct json *json, const struct json *schema) {
    for (const struct json *item = json->child; item; item = item->next)
        if (!fits(check, item, schema))
            return false;
    return true;
}

/* "#/$defs/NAME" */
static bool check_ref(const struct check *check, const struct json *json, const struct json *ref) {
    const struct json *schema = NULL;

    if (strncmp(ref->text, "#/$defs/", 8) == 0)
        schema = json_get(json_get(check->root, "$defs"), ref->text + 8);
    return schema ? fits(check, json, schema) : no(check, json, ref->text);
}

static bool check_one_of(const struct check *check, const struct json *json, const struct json *schemas) {
    unsigned found = 0;
    char first[160] = "";

    for (const struct json *schema = schemas->child; schema; schema = schema->next) {
        found += fits(check, json, schema);
        if (!found)
            snprintf(first + strlen(first), sizeof first - strlen(first), "%s%.50s", first[0] ? "; " : "", check->why);
    }
    return found == 1 || no(check, json, found ? "fits more than one" : first);
}

static bool check_nothing(const struct check *check, const struct json *json, const struct json *schema) {
    (void)check, (void)json, (void)schema;
    return true;
}

static bool check_additional(const struct check *check, const struct json *json, const struct json *additional,
                             const struct json *properties) {
    for (const struct json *member = json->child; member; member = member->next) {
        if (json_get(properties, member->key))
            continue;
        if (additional->type == JSON_BOOLEAN ? !additional->truth && !no(check, member, "is not in the schema")
                                             : !fits(check, member, additional))
            return false;
    }
    return true;
}

static const struct {
    const char *keyword;
    bool (*function)(const struct check *check, const struct json *json, const struct json *value);
} keywords[] = {
    {"type", check_type},         {"enum", check_enum},
    {"const", check_const},       {"minimum", check_minimum},
    {"maximum", check_maximum},   {"pattern", check_pattern},
    {"required", check_required}, {"properties", check_properties},
    {"items", check_items},       {"oneOf", check_one_of},
    {"$ref", check_ref},          {"additionalProperties", check_nothing}, /* below */
    {"$schema", check_nothing},   {"$defs", check_nothing},
    {"title", check_nothing},     {"description", check_nothing},
};

static bool check_keyword(const struct check *check, const struct json *json, const struct json *keyword) {
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strcmp(keywords[i].keyword, keyword->key) == 0)
            return keywords[i].function(check, json, keyword);
    return no(check, keyword, "is a keyword that this test does not know");
}

static bool fits(const struct check *check, const struct json *json, const struct json *schema) {
    const struct json *additional = json_get(schema, "additionalProperties");

    for (const struct json *keyword = schema->child; keyword; keyword = keyword->next)
        if (!check_keyword(check, json, keyword))
            return false;
    return !additional || json->type != JSON_OBJECT ||
           check_additional(check, json, additional, json_get(schema, "properties"));
}

bool json_fits(const struct json *json, const struct json *schema, const struct json *root, char *why, size_t size) {
    const struct check check = {root, why, size};

    return fits(&check, json, schema);
}

struct json *json_schema(void) {
    enum { MOST = 1 << 18 };
    const char *tests = getenv("PFIFO_TESTS");
    char path[1024], *text = malloc(MOST);
    struct json *schema = NULL;

    snprintf(path, sizeof path, "%s/../docs/json.schema.json", tests ? tests : "tests");
    FILE *file = fopen(path, "r");
    if (file && text)
        schema = json_parse(text, fread(text, 1, MOST, file));
    if (file)
        fclose(file);
    free(text);
    return schema;
}

bool json_fits_definition(const char *text, size_t bytes, const char *name, char *why, size_t size) {
    struct json *root = json_schema(), *json = json_parse(text, bytes);
    const struct json *schema = json_get(json_get(root, "$defs"), name);
    bool fitting = false;

    if (!schema || !json)
        snprintf(why, size, "%s", schema ? "it is not JSON" : "there is no such definition");
    else
        fitting = json_fits(json, schema, root, why, size) && json_fits(json, root, root, why, size);
    json_free(json);
    json_free(root);
    return fitting;
}
