/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/vfio_version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 16u

/* Where in the text a value is. */
enum place { TOP, CAPABILITIES, MOST, MULTIPLE, ELSEWHERE };

struct reader {
    const char *at;
    struct vfio_version *version;
    unsigned depth;
};

static bool read_value(struct reader *reader, enum place place);

static void skip_space(struct reader *reader) {
    reader->at += strspn(reader->at, " \t\r\n");
}

static bool vfio_version_take(struct reader *reader, char c) {
    skip_space(reader);
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
}

/* What is between the quotes, as it is written. */
static bool read_string(struct reader *reader, const char **text, size_t *length) {
    if (!vfio_version_take(reader, '"'))
        return false;
    *text = reader->at;
    for (; *reader->at != '"'; reader->at++)
        if ((unsigned char)*reader->at < ' ' || (*reader->at == '\\' && !*++reader->at))
            return false;
    *length = (size_t)(reader->at++ - *text);
    return true;
}

static bool vfio_version_is(const char *text, size_t length, const char *name) {
    return length == strlen(name) && memcmp(text, name, length) == 0;
}

static bool read_member(struct reader *reader, enum place place) {
    const char *name;
    size_t length;

    if (!read_string(reader, &name, &length) || !vfio_version_take(reader, ':'))
        return false;
    if (place == TOP && vfio_version_is(name, length, "capabilities"))
        return read_value(reader, CAPABILITIES);
    if (place == CAPABILITIES && vfio_version_is(name, length, "max_data_xfer_size"))
        return read_value(reader, MOST);
    if (place == CAPABILITIES && vfio_version_is(name, length, "write_multiple"))
        return read_value(reader, MULTIPLE);
    return read_value(reader, ELSEWHERE);
}

/* An object or an array, after its first character. */
static bool read_members(struct reader *reader, enum place place, bool object) {
    char end = object ? '}' : ']';

    if (vfio_version_take(reader, end))
        return true;
    do
        if (object ? !read_member(reader, place) : !read_value(reader, ELSEWHERE))
            return false;
    while (vfio_version_take(reader, ','));
    return vfio_version_take(reader, end);
}

static bool vfio_version_read_number(struct reader *reader, enum place place) {
    size_t length = strspn(reader->at, "+-.0123456789Ee"), digits = strspn(reader->at, "0123456789");
    const char *text = reader->at;

    if (place == MOST) {
        errno = 0;
        reader->version->most = digits == length ? strtoull(text, NULL, 10) : 0;
        if (!reader->version->most || errno)
            return false;
    }
    reader->at += length;
    return length != 0;
}

static bool read_word(struct reader *reader, enum place place) {
    static const char *const words[] = {"true", "false", "null"};

    for (size_t i = 0; i < (place == MULTIPLE ? 2 : 3); i++) {
        size_t length = strlen(words[i]);
        if (strncmp(reader->at, words[i], length) == 0) {
            reader->at += length;
            if (place == MULTIPLE)
                reader->version->multiple = i == 0;
            return true;
        }
    }
    return false;
}

static bool read_value(struct reader *reader, enum place place) {
    const char *text;
    size_t length;
    bool good;

    if (reader->depth == DEPTH_MAX)
        return false;
    reader->depth++;
    skip_space(reader);
    if (place == MOST)
        good = vfio_version_read_number(reader, place);
    else if (place == MULTIPLE || (*reader->at && strchr("tfn", *reader->at)))
        good = read_word(reader, place);
    else if (*reader->at == '"')
        good = read_string(reader, &text, &length);
    else if (vfio_version_take(reader, '{') || vfio_version_take(reader, '['))
        good = read_members(reader, place, reader->at[-1] == '{');
    else
        good = vfio_version_read_number(reader, place);
    reader->depth--;
    return good;
}

bool vfio_version_parse(const char *text, size_t bytes, struct vfio_version *version) {
    struct reader reader = {.at = text, .version = version};

    if (!bytes || memchr(text, 0, bytes) != text + bytes - 1)
        return false;
    skip_space(&reader);
    if (*reader.at != '{' || !read_value(&reader, TOP))
        return false;
    skip_space(&reader);
    return !*reader.at;
}
