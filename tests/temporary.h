/* SPDX-License-Identifier: MIT */
/*
 * Where a test puts files for a while: in a folder of its own, which the runner makes and removes. It is TMPDIR, so
 * that what the test starts uses it, too. Who leaves something there fails.
 */
#ifndef TESTS_TEMPORARY_H
#define TESTS_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>

enum { TEMPORARY_PATH = 512 };

/* A pattern for mkstemp(), mkstemps() or mkdtemp(): "FOLDER/pfifo-test-XXXXXX" and the suffix. */
static inline void temporary_pattern(char path[TEMPORARY_PATH], const char *suffix) {
    const char *folder = getenv("TMPDIR");
    snprintf(path, TEMPORARY_PATH, "%.400s/pfifo-test-XXXXXX%.80s", folder && *folder ? folder : "/tmp", suffix);
}

#endif
