/* SPDX-License-Identifier: MIT */
/* What tests of `pfifo lint` share: a capture of GF100 or a later chip, words for it, and what lint says of it. */
#ifndef TESTS_TOOL_LINT_H
#define TESTS_TOOL_LINT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/capture.h"
#include "tool/json.h"
#include "tool/tool.h"

enum { FERMI = 0xc0, ACQUIRE = 1, RELEASE = 2 | 1 << 20 | 1 << 24 };

/* A command of GF100: `count` words to methods from `method` on; all of them to `method`. */
#define INC(subchannel, method, count)     (1u << 29 | (count) << 16 | (subchannel) << 13 | (method) >> 2)
#define NON_INC(subchannel, method, count) (3u << 29 | (count) << 16 | (subchannel) << 13 | (method) >> 2)

/* A semaphore at an offset of the page of data. */
#define SEMAPHORE(offset, value, how)                                                                                  \
    INC(0u, 0x10u, 4u), 0, (uint32_t)capture.data_address + (offset), (value), (uint32_t)(how)

static struct capture capture;

#define SUBMIT(...)                                                                                                    \
    capture_submit(&capture, (const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / 4, NULL)

static inline void add_channel(uint32_t channel) {
    const struct pfifo_stream_chan record = {
        .channel = channel, .pushbuf_domains = PFIFO_STREAM_GART, .notifier_bo = CAPTURE_NOTIFIERS};

    capture_append(&capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_CHAN, .chan = record});
}

/* Finish the capture, and lint it. */
static inline struct outcome lint_with(const char *option) {
    char *path = capture_file(&capture);
    struct outcome outcome = option ? tool_run("lint", option, path) : tool_run("lint", path);

    unlink(path);
    free(path);
    return outcome;
}

static inline void expect_quiet(void) {
    struct outcome outcome = lint_with(NULL);

    assert_string_equal(outcome.out, "");
    assert_string_equal(outcome.err, "");
    expect_status(0, &outcome);
    outcome_free(&outcome);
}

/* What is said without the name of the file. */
static inline void expect_found(const char *wanted) {
    struct outcome outcome = lint_with(NULL);
    char *text = malloc(outcome.out_bytes + 1), *end = text;

    assert_non_null(text);
    for (const char *at = outcome.out; *at;) {
        size_t line = strcspn(at, "\n") + 1;
        const char *name = *at == '/' ? strstr(at, ": ") + 2 : at;
        memcpy(end, name, line - (size_t)(name - at));
        end += line - (size_t)(name - at);
        at += line;
    }
    *end = 0;
    assert_string_equal(text, wanted);
    expect_status(1, &outcome);
    free(text);
    outcome_free(&outcome);
}

#endif
