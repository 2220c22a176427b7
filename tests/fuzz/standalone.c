/* SPDX-License-Identifier: MIT */
/*
 * A main for a fuzz target, for builds without libFuzzer.
 *
 *   corpus_<target> [--noise N] [FILE | FOLDER]...
 *
 * Runs the target on nothing, on N inputs of fixed pseudo-random bytes (or as many as rounds.h says), and on each file,
 * in the order of the names. A FOLDER that does not exist is an empty one: a target may have no seeds yet.
 * Whatever is wrong is reported the way libFuzzer expects it: the target aborts.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "rounds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Exactly `size` bytes on the heap, so that a sanitizer sees every byte read beyond them. */
static void run_bytes(const uint8_t *data, size_t size) {
    uint8_t *copy = calloc(1, size ? size : 1);
    if (!copy) {
        fprintf(stderr, "no memory for an input of %zu bytes\n", size);
        exit(2);
    }
    if (size)
        memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void run_file(const char *path, size_t size) {
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size ? size : 1);
    if (!file || !data || fread(data, 1, size, file) != size) {
        fprintf(stderr, "%s: cannot read it\n", path);
        exit(2);
    }
    fclose(file);
    /* The last line of a crash then names the input. */
    fprintf(stderr, "%s\n", path);
    run_bytes(data, size);
    free(data);
}

static unsigned run_path(const char *path);

static unsigned run_folder(const char *path) {
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(2);
    }
    unsigned inputs = 0;
    for (int i = 0; i < count; i++) {
        char *name = NULL;
        if (entries[i]->d_name[0] != '.') {
            if (asprintf(&name, "%s/%s", path, entries[i]->d_name) < 0)
                exit(2);
            inputs += run_path(name);
            free(name);
        }
        free(entries[i]);
    }
    free(entries);
    return inputs;
}

static unsigned run_path(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) {
        if (errno == ENOENT)
            return 0;
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(2);
    }
    if (S_ISDIR(status.st_mode))
        return run_folder(path);
    run_file(path, (size_t)status.st_size);
    return 1;
}

/* xorshift64*: the same noise on every machine. */
static uint64_t noise_next(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static void run_noise(unsigned long count) {
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    uint8_t data[1024];
    for (unsigned long i = 0; i < count; i++) {
        size_t size = noise_next(&state) % (sizeof(data) + 1);
        for (size_t at = 0; at < size; at++)
            data[at] = (uint8_t)(noise_next(&state) >> 56);
        run_bytes(data, size);
    }
}

int main(int argc, char **argv) {
    unsigned long noise = 0;
    unsigned inputs = 0;
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "--noise") == 0) {
        noise = (unsigned long)rounds_wanted(strtoul(argv[2], NULL, 10));
        first = 3;
    }
    run_bytes(NULL, 0);
    run_noise(noise);
    for (int i = first; i < argc; i++)
        inputs += run_path(argv[i]);
    printf("%u inputs, %lu of noise\n", inputs, noise);
    return 0;
}
