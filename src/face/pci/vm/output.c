/* SPDX-License-Identifier: MIT */
#include "face/pci/vm/output.h"

#include <stdlib.h>
#include <string.h>

static const char word[] = "status ";

/* How many of the bytes, from the front, cannot belong to the end. */
static size_t output_plain_bytes(const char *data, size_t bytes) {
    size_t first = bytes > OUTPUT_END_BYTES ? bytes - OUTPUT_END_BYTES : 0;
    const char *nul = memchr(data + first, 0, bytes - first);

    return nul ? (size_t)(nul - data) : bytes;
}

static void write_all(const struct output *output, const char *data, size_t bytes) {
    if (bytes)
        fwrite(data, 1, bytes, output->file);
}

/* Never more than a piece at a time, so that what is held and what comes are one array. */
static void take_piece(struct output *output, const char *data, size_t bytes) {
    char all[OUTPUT_END_BYTES + 256];
    size_t have = output->held_bytes;

    memcpy(all, output->held, have);
    memcpy(all + have, data, bytes);
    have += bytes;
    size_t plain = output_plain_bytes(all, have);
    write_all(output, all, plain);
    output->held_bytes = have - plain;
    memcpy(output->held, all + plain, output->held_bytes);
}

void output_take(struct output *output, const char *data, size_t bytes) {
    while (bytes) {
        size_t piece = bytes < 256 ? bytes : 256;
        take_piece(output, data, piece);
        data += piece;
        bytes -= piece;
    }
    fflush(output->file);
}

/* "status 17\n" and nothing after it. */
static bool read_end(const char *text, int *status) {
    char *end;

    if (strncmp(text, word, sizeof word - 1) != 0)
        return false;
    text += sizeof word - 1;
    unsigned long number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || strcmp(end, "\n") != 0 || number > 255)
        return false;
    *status = (int)number;
    return true;
}

bool output_end(struct output *output, int *status) {
    char text[OUTPUT_END_BYTES + 1] = {0};
    bool ended = false;
    size_t at = 0;

    memcpy(text, output->held, output->held_bytes);
    for (; at < output->held_bytes && !ended; at++)
        ended = text[at] == 0 && read_end(text + at + 1, status);
    write_all(output, text, ended ? at - 1 : output->held_bytes);
    output->held_bytes = 0;
    fflush(output->file);
    return ended;
}
