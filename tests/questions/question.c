/* SPDX-License-Identifier: MIT */
#include "questions/question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool.h"

enum { QUESTIONS_MOST = 64 };

static char *question_sample(const char *name) {
    const char *samples = getenv("PFIFO_SAMPLES");
    char *path;

    assert_non_null(samples);
    assert_true(asprintf(&path, "%s/%s", samples, name) > 0);
    return path;
}

/* A file of the input, or what pfifo asm makes of it; NULL: the question has none. */
static char *question_file(const struct question *question) {
    const char *arguments[QUESTION_WORDS] = {"asm", "-o"};
    char *source, *path;
    struct outcome outcome;
    size_t count = 2;

    if (!question->input)
        return question->sample ? question_sample(question->sample) : NULL;
    source = temporary_path(".txt");
    write_file(source, question->input, strlen(question->input));
    if (!question->assembled[0])
        return source;
    path = temporary_path(".nvcap");
    arguments[count++] = path;
    for (size_t i = 0; i < sizeof question->assembled / sizeof question->assembled[0] && question->assembled[i]; i++)
        arguments[count++] = question->assembled[i];
    arguments[count] = source;
    outcome = tool_run_to(NULL, arguments);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    unlink(source);
    free(source);
    return path;
}

static void question_check(const struct question *question, const struct outcome *outcome) {
    expect_status(question->status, outcome);
    assert_non_null(question->answer[0]);
    for (size_t i = 0; i < QUESTION_TEXTS && question->answer[i]; i++)
        if (!strstr(outcome->out, question->answer[i]) && !strstr(outcome->err, question->answer[i]))
            fail_msg("no '%s' in: %.3000s%.1000s", question->answer[i], outcome->out, outcome->err);
    if (question->never && (strstr(outcome->out, question->never) || strstr(outcome->err, question->never)))
        fail_msg("'%s' in: %.3000s%.1000s", question->never, outcome->out, outcome->err);
}

static void question_is_answered(void **state) {
    const struct question *question = *state;
    const char *arguments[QUESTION_WORDS + 1] = {NULL};
    char *path = question_file(question);
    bool from_input = false;
    struct outcome outcome;

    for (size_t i = 0; i < QUESTION_WORDS && question->command[i]; i++) {
        arguments[i] = strcmp(question->command[i], "@") == 0 ? path : question->command[i];
        from_input = from_input || strcmp(question->command[i], "-") == 0;
    }
    outcome = from_input ? tool_run_with(question->input, arguments) : tool_run_to(NULL, arguments);
    question_check(question, &outcome);
    outcome_free(&outcome);
    if (question->input)
        unlink(path);
    free(path);
}

int questions_put(const struct question *questions, size_t count) {
    struct CMUnitTest tests[QUESTIONS_MOST];

    if (count > QUESTIONS_MOST)
        return 1;
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){.name = questions[i].asked,
                                       .test_func = question_is_answered,
                                       .initial_state = (void *)(uintptr_t)&questions[i]};
    return _cmocka_run_group_tests("questions", tests, count, NULL, NULL);
}
