/* SPDX-License-Identifier: MIT */
/* The captures in samples/: read to the end, counted against expected.tsv, and written again byte by byte. */
#include "stream/image.h"

#include <dirent.h>
#include <stdbool.h>

enum { SAMPLES = 62 };

struct sample {
    char name[100];
    uint64_t submissions;
    uint64_t words;
};

static struct sample samples[SAMPLES + 1];
static size_t sample_count;

static const char *samples_folder(void) {
    const char *folder = getenv("PFIFO_SAMPLES");

    return folder ? folder : "samples";
}

/* A number after blanks at `*text`, which moves after it; false: there is none. */
static bool number(char **text, uint64_t *value) {
    char *end;

    *value = strtoull(*text, &end, 10);
    if (end == *text)
        return false;
    *text = end;
    return true;
}

static int read_expected(void **state) {
    char path[1000], line[300];
    FILE *file;

    (void)state;
    snprintf(path, sizeof(path), "%s/captures/expected.tsv", samples_folder());
    file = fopen(path, "r");
    if (!file || !fgets(line, sizeof(line), file))
        return -1;
    while (sample_count <= SAMPLES && fgets(line, sizeof(line), file)) {
        struct sample *sample = &samples[sample_count++];
        char *rest = line + strcspn(line, "\t");

        if (sscanf(line, "%99s", sample->name) != 1 || !number(&rest, &sample->submissions) ||
            !number(&rest, &sample->words))
            return -1;
    }
    fclose(file);
    return 0;
}

static struct pfifo_stream *open_sample(const struct sample *sample) {
    char path[1000];
    struct pfifo_error error = {0};
    struct pfifo_stream *stream;
    int length = snprintf(path, sizeof(path), "%s/captures/%s.nvcap.xz", samples_folder(), sample->name);

    assert_in_range(length, 1, sizeof(path) - 1);
    stream = pfifo_stream_open(path, &error);
    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

static void every_sample_has_a_row_and_every_row_a_sample(void **state) {
    char path[1000];
    struct dirent *entry;
    size_t files = 0;
    DIR *folder;

    (void)state;
    snprintf(path, sizeof(path), "%s/captures", samples_folder());
    folder = opendir(path);
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL)
        files += strstr(entry->d_name, ".nvcap") != NULL;
    closedir(folder);
    assert_int_equal(files, SAMPLES);
    assert_int_equal(sample_count, SAMPLES);
}

static void submissions_and_words_are_those_expected(void **state) {
    (void)state;
    for (size_t i = 0; i < sample_count; i++) {
        struct pfifo_stream *stream = open_sample(&samples[i]);
        struct pfifo_stream_record record;
        struct pfifo_error error = {0};
        uint64_t submissions = 0, words = 0;

        do {
            if (pfifo_stream_next(stream, &record, &error) != PFIFO_OK)
                fail_msg("%s", error.message);
            assert_int_not_equal(record.type, PFIFO_STREAM_UNKNOWN);
            submissions += record.type == PFIFO_STREAM_SUBEND;
            words += record.type == PFIFO_STREAM_PUSH ? record.push.word_count : 0;
        } while (record.type != PFIFO_STREAM_END);
        assert_int_equal(submissions, samples[i].submissions);
        assert_int_equal(words, samples[i].words);
        pfifo_stream_close(stream);
    }
}

static void name_and_chipset_are_those_of_the_file(void **state) {
    (void)state;
    for (size_t i = 0; i < sample_count; i++) {
        struct pfifo_stream *stream = open_sample(&samples[i]);

        assert_string_equal(pfifo_stream_name(stream), samples[i].name);
        assert_int_equal(pfifo_stream_chipset(stream), strtoul(samples[i].name + 2, NULL, 16));
        pfifo_stream_close(stream);
    }
}

/* Every record goes through the writer and lands at its offset, unchanged. */
static void a_copy_is_the_same_file(void **state) {
    (void)state;
    for (size_t i = 0; i < sample_count; i++) {
        struct pfifo_stream *stream = open_sample(&samples[i]);
        struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
        struct pfifo_stream_record record;
        const uint8_t *copy;
        size_t size = 0;

        for (;;) {
            assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
            if (record.type == PFIFO_STREAM_END)
                break;
            assert_int_equal(pfifo_stream_writer_append(writer, &record, NULL), PFIFO_OK);
            copy = pfifo_stream_writer_memory(writer, &size);
            assert_int_equal(size, record.offset + 8 + record.payload_bytes);
            assert_memory_equal(copy + record.offset, record.payload - 8, 8 + record.payload_bytes);
        }
        assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
        assert_int_equal(size, pfifo_stream_bytes(stream));
        pfifo_stream_writer_close(writer);
        pfifo_stream_close(stream);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_has_a_row_and_every_row_a_sample),
        cmocka_unit_test(submissions_and_words_are_those_expected),
        cmocka_unit_test(name_and_chipset_are_those_of_the_file),
        cmocka_unit_test(a_copy_is_the_same_file),
    };

    return cmocka_run_group_tests(tests, read_expected, NULL);
}
