/* SPDX-License-Identifier: MIT */
/* pfifo lint: a capture whose submissions set state of 3D objects. */
#include "lint.h"

#include <pfifo/lint.h>
#include <pfifo/stream.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "stream.h"

enum { ROUNDS = 5, SUBMISSIONS = 16, WORDS = 1 << 18, NOTIFIERS = 1, PUSH = 2, CLASS_3D = 0x9097 };

#define ADDRESS UINT64_C(0x20010000)

static void fail(const char *what) {
    fprintf(stderr, "pfifo-bench: lint: %s\n", what);
    exit(1);
}

static void put(struct pfifo_stream_writer *writer, const struct pfifo_stream_record *record) {
    if (pfifo_stream_writer_append(writer, record, NULL) != PFIFO_OK)
        fail("the capture cannot be written");
}

static void put_buffer(struct pfifo_stream_writer *writer, uint32_t handle, uint64_t address, uint64_t bytes) {
    put(writer, &(struct pfifo_stream_record){
                    .type = PFIFO_STREAM_BONEW,
                    .bonew = {.handle = handle, .domain = PFIFO_STREAM_GART, .bytes = bytes, .address = address}});
}

static void put_submission(struct pfifo_stream_writer *writer, uint32_t sequence, const uint32_t *words, size_t count) {
    const uint64_t offset = (uint64_t)4 * WORDS * (sequence - 1);
    put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SUBMIT,
                                              .submit = {.sequence = sequence, .buffers = 1, .pushes = 1}});
    put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BOREF,
                                              .boref = {.handle = PUSH,
                                                        .valid_domains = PFIFO_STREAM_GART,
                                                        .address = ADDRESS,
                                                        .bytes = (uint64_t)4 * WORDS * SUBMISSIONS}});
    put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_PUSH,
                                              .push = {.handle = PUSH,
                                                       .offset = offset,
                                                       .length = 4 * (uint64_t)count,
                                                       .address = ADDRESS + offset,
                                                       .words = (const uint8_t *)words,
                                                       .word_count = (uint32_t)count}});
    put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SUBEND, .subend = {.sequence = sequence}});
}

/* Each subchannel has a 3D object. Returns how many words there are. */
static uint64_t put_all(struct pfifo_stream_writer *writer, uint32_t *words) {
    uint32_t seed = 0x12345678;
    uint64_t methods = 0, all = 0;
    if (pfifo_stream_writer_text(writer, "chipset", "0xc0", NULL) != PFIFO_OK)
        fail("the capture cannot be written");
    put_buffer(writer, NOTIFIERS, ADDRESS - 0x10000, 4096);
    put(writer,
        &(struct pfifo_stream_record){.type = PFIFO_STREAM_CHAN,
                                      .chan = {.pushbuf_domains = PFIFO_STREAM_GART, .notifier_bo = NOTIFIERS}});
    put_buffer(writer, PUSH, ADDRESS, (uint64_t)4 * WORDS * SUBMISSIONS);
    for (uint32_t i = 0; i < SUBMISSIONS; i++) {
        size_t count = 0;
        for (uint32_t subchannel = 0; subchannel < 4; subchannel++) {
            words[count++] = UINT32_C(1) << 29 | 1u << 16 | subchannel << 13;
            words[count++] = CLASS_3D;
        }
        count += bench_fill(&bench_format_gf100_state, BENCH_STATE, &seed, words + count, WORDS - count, &methods);
        put_submission(writer, i + 1, words, count);
        all += count;
    }
    if (pfifo_stream_writer_finish(writer, NULL) != PFIFO_OK)
        fail("the capture cannot be written");
    return all;
}

static bool count_finding(void *opaque, const struct pfifo_lint_finding *finding) {
    *(uint64_t *)opaque += finding->count;
    return true;
}

static volatile uint64_t keep;

static double sum_up(const uint8_t *bytes, size_t size) {
    double start = measure_now();
    uint64_t sum = 0;
    for (size_t i = 0; i + 4 <= size; i += 4)
        sum += (uint32_t)bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16 |
               (uint32_t)bytes[i + 3] << 24;
    keep = sum;
    return measure_now() - start;
}

void bench_lint(void) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    uint32_t *words = malloc(sizeof *words * WORDS);
    struct measure rounds = {.rounds = 0};
    uint64_t all, findings = 0;
    size_t bytes;

    if (!writer || !words)
        fail("no memory");
    all = put_all(writer, words);
    const void *capture = pfifo_stream_writer_memory(writer, &bytes);
    for (int round = 0; round < ROUNDS; round++) {
        struct pfifo_stream *stream = pfifo_stream_open_memory(capture, bytes, "bench", NULL);
        struct pfifo_lint_result result = {0};
        double start = measure_now(), seconds;
        findings = 0;
        if (!stream || pfifo_lint_stream(stream, NULL, count_finding, &findings, &result, NULL) != PFIFO_OK ||
            !result.whole)
            fail("the capture cannot be played");
        seconds = measure_now() - start;
        measure_add(&rounds, seconds, seconds / sum_up(capture, bytes));
        pfifo_stream_close(stream);
    }
    struct measured result = measure_end(&rounds);
    printf("%-28s %-6s %-6s %-13s %9.1f %8.2f   (Mwords/s; %" PRIu64 " findings)\n", "lint", "GF100", "state", "",
           (double)all / result.seconds / 1e6, result.ratio, findings);
    fflush(stdout);
    pfifo_stream_writer_close(writer);
    free(words);
}
