/* SPDX-License-Identifier: MIT */
/*
 * What people ask in the trackers of emulators, drivers and frameworks, put to the tool as they have it: a word, a line of
 * a log, a dump. A row is a test, which is called what was asked.
 */
#ifndef PFIFO_TEST_QUESTIONS_QUESTION_H
#define PFIFO_TEST_QUESTIONS_QUESTION_H

#include <stddef.h>

enum { QUESTION_WORDS = 8, QUESTION_TEXTS = 10 };

struct question {
    const char *asked;
    /* What the command is called with. "@": a file of `input`, or the sample; "-": `input` is standard input. */
    const char *command[QUESTION_WORDS];
    const char *input, *sample;
    const char *assembled[4]; /* arguments of pfifo asm: then "@" is the capture that it makes of `input` */
    int status;
    const char *answer[QUESTION_TEXTS]; /* in what is printed, or in the messages */
    const char *never;                  /* in neither */
};

/* Put them all; the result is that of main(). */
int questions_put(const struct question *questions, size_t count);

#endif
