/* SPDX-License-Identifier: MIT */
/*
 * Recorded streams against what is known of them: their digests, and text as it was looked at once.
 *
 *   samples/captures/NAME.nvcap.xz, samples/vulkan/NAME.nvcap.zst --decode--> first lines == tests/golden/NAME.txt
 *
 * scripts/refresh-golden writes the golden files anew and shows what changes (it sets PFIFO_REFRESH_GOLDEN).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pfifo/decode.h>
#include <pfifo/query.h>

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* Lines kept of each; a long recording says nothing new after that. */
static const struct golden {
    const char *capture, *extension;
    enum pfifo_decode_format format;
    unsigned lines;
    const char *query; /* NULL: all */
} goldens[] = {
    {"nv40-clear-65x63", "txt", PFIFO_DECODE_TEXT, 1000},
    {"nva3-clear-65x63", "txt", PFIFO_DECODE_TEXT, 1000},
    {"nvc0-clear", "txt", PFIFO_DECODE_TEXT, 200},
    {"nv12b-quad", "txt", PFIFO_DECODE_TEXT, 200},
    {"nv12b-quad", "json", PFIFO_DECODE_JSON, 30},
    {"nv117-fill", "txt", PFIFO_DECODE_TEXT, 200, "submission>=2"},
};

struct buffer {
    char *bytes;
    size_t used, room;
};

static const char *folder(const char *variable) {
    const char *value = getenv(variable);

    if (!value)
        fail_msg("%s is not set", variable);
    return value;
}

static bool append(void *opaque, const char *bytes, size_t count) {
    struct buffer *buffer = opaque;

    if (buffer->used + count + 1 > buffer->room) {
        buffer->room = 2 * (buffer->used + count + 1);
        buffer->bytes = realloc(buffer->bytes, buffer->room);
        assert_non_null(buffer->bytes);
    }
    memcpy(buffer->bytes + buffer->used, bytes, count);
    buffer->used += count;
    buffer->bytes[buffer->used] = 0;
    return true;
}

static struct pfifo_stream *open_sample(const char *name) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream;
    char path[1024];

    snprintf(path, sizeof path, "%s/captures/%s.nvcap.xz", folder("PFIFO_SAMPLES"), name);
    if (access(path, F_OK) != 0)
        snprintf(path, sizeof path, "%s/vulkan/%s.nvcap.zst", folder("PFIFO_SAMPLES"), name);
    stream = pfifo_stream_open(path, &error);
    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

static struct buffer decode(const char *name, enum pfifo_decode_format format, const char *query) {
    struct pfifo_decode_options options = {.format = format, .query = query ? pfifo_query_new(query, NULL) : NULL};
    struct pfifo_stream *stream = open_sample(name);
    struct pfifo_error error = {0};
    struct buffer buffer = {0};

    if (pfifo_decode_stream(stream, &options, append, &buffer, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    pfifo_query_free(options.query);
    pfifo_stream_close(stream);
    assert_true(buffer.used > 0);
    return buffer;
}

static void cut_lines(struct buffer *buffer, unsigned lines) {
    char *at = buffer->bytes;

    while (lines-- && (at = strchr(at, '\n')))
        at++;
    if (at) {
        *at = 0;
        buffer->used = (size_t)(at - buffer->bytes);
    }
}

static void write_golden(const char *path, const struct buffer *found) {
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(found->bytes, 1, found->used, file) != found->used || fclose(file) != 0)
        fail_msg("cannot write %s", path);
}

static struct buffer read_golden(const char *path) {
    FILE *file = fopen(path, "rb");
    struct buffer buffer = {0};
    char part[4096];
    size_t count;

    if (!file) {
        fail_msg("cannot open %s (make it with scripts/refresh-golden)", path);
        return buffer;
    }
    while ((count = fread(part, 1, sizeof part, file)) > 0)
        append(&buffer, part, count);
    fclose(file);
    return buffer;
}

static void fail_at_difference(const char *path, const char *found, const char *expected) {
    unsigned line = 1;

    for (; strcspn(found, "\n") == strcspn(expected, "\n") && !strncmp(found, expected, strcspn(found, "\n")); line++) {
        found += strcspn(found, "\n");
        expected += strcspn(expected, "\n");
        if (!*found || !*expected)
            break;
        found++;
        expected++;
    }
    fail_msg("%s:%u: found\n%.*s\nexpected\n%.*s", path, line, (int)strcspn(found, "\n"), found,
             (int)strcspn(expected, "\n"), expected);
}

static void check_golden(const struct golden *golden) {
    struct buffer found = decode(golden->capture, golden->format, golden->query), expected;
    char path[1024];

    cut_lines(&found, golden->lines);
    snprintf(path, sizeof path, "%s/golden/%s.%s", folder("PFIFO_TESTS"), golden->capture, golden->extension);
    if (getenv("PFIFO_REFRESH_GOLDEN")) {
        write_golden(path, &found);
    } else {
        expected = read_golden(path);
        if (!expected.bytes)
            fail_msg("%s is empty", path);
        else if (strcmp(found.bytes, expected.bytes) != 0)
            fail_at_difference(path, found.bytes, expected.bytes);
        free(expected.bytes);
    }
    free(found.bytes);
}

static void decoded_text_is_as_it_was(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(goldens); i++)
        check_golden(&goldens[i]);
}

/* expected.tsv: name, submissions, words, methods, SHA-256. */
static void check_digest(char *row) {
    char *field[5], line[512], expected[512];
    struct pfifo_stream *stream;
    struct pfifo_error error = {0};

    for (int i = 0; i < 5; i++) {
        field[i] = strsep(&row, "\t\n");
        assert_non_null(field[i]);
    }
    stream = open_sample(field[0]);
    if (pfifo_decode_digest(stream, line, sizeof line, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    pfifo_stream_close(stream);
    snprintf(expected, sizeof expected, "%s submissions=%s words=%s methods=%s sha256=%s", field[0], field[1], field[2],
             field[3], field[4]);
    assert_string_equal(line, expected);
}

static void digests_of_all_samples_are_the_expected_ones(void **state) {
    char path[1024], row[512];
    unsigned count = 0;
    FILE *file;

    (void)state;
    snprintf(path, sizeof path, "%s/captures/expected.tsv", folder("PFIFO_SAMPLES"));
    file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s", path);
    assert_non_null(fgets(row, sizeof row, file)); /* the heading */
    for (; fgets(row, sizeof row, file); count++)
        check_digest(row);
    fclose(file);
    assert_true(count >= 6);
}

/* Real drivers' streams: whatever the decoder complains about there is its own mistake. */
static void samples_have_no_bad_words(void **state) {
    static const char *const names[] = {"nv40-quad",  "nva3-quad",  "nvc0-quad",
                                        "nve4-quad",  "nv117-quad", "nva3-piglit-texsubimage",
                                        "nv12b-quad", "nv40-clear", "nvc0-piglit-arb_query_buffer_object-qbo"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct buffer text = decode(names[i], PFIFO_DECODE_TEXT, NULL);
        if (strstr(text.bytes, "ERROR"))
            fail_msg("%s: %.200s", names[i], strstr(text.bytes, "ERROR"));
        assert_null(strstr(text.bytes, " \n")); /* no blanks at the end of a line, wherever blocks end */
        free(text.bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoded_text_is_as_it_was),
        cmocka_unit_test(digests_of_all_samples_are_the_expected_ones),
        cmocka_unit_test(samples_have_no_bad_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
