/* SPDX-License-Identifier: MIT */
/*
 * Tests of piglit (Debian's package), each on one of five chips, in turns. piglit.list holds those that llvmpipe passes
 * and that need no stage which is not executed yet, as `piglit print-cmd` writes them: "NAME ::: PROGRAM ARGUMENTS",
 * with paths from where piglit is installed. Those that are about a chip end with " ::: CHIP", and have no other.
 *
 * One of four is run, and under sanitizers one of eleven: what these look for is in the machine, which other tests have
 * walked through. PFIFO_PIGLIT=2/3 runs the second of three parts; `make piglit` runs all.
 *
 * With zink (client_is_zink()) those in zink.list and those for Fermi are left out, and nothing may be left unexecuted; with
 * nouveau those in nouveau.list.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mesa/client.h"
#include "mesa/summary.h"

#define MOST_TESTS     1024u
#define MOST_ARGUMENTS 24u
/* One of so many: no multiple of the number of chips. */
#define USUAL     4u
#define SANITIZED 11u

static const char *const usual[] = {"gf100", "gk104", "gk110", "gm107", "gp102", NULL};

struct piglit_test {
    char *name, *program; /* with its arguments */
    const char *chip;
    char *own_chip; /* NULL: it is this one's turn */
};

static void free_test(struct piglit_test *test) {
    free(test->name);
    free(test->program);
    free(test->own_chip);
}

static char *piglit; /* where it is installed */

/* Words of a line, at most MOST_ARGUMENTS; those in quotes keep their spaces. */
static size_t split(char *line, const char *words[]) {
    size_t count = 0;
    for (char *at = line + strspn(line, " "); *at && count < MOST_ARGUMENTS; at += strspn(at, " ")) {
        char quote = *at == '\'' || *at == '"' ? *at++ : ' ';
        words[count++] = at;
        at += strcspn(at, quote == ' ' ? " " : (const char[]){quote, '\0'});
        if (*at)
            *at++ = '\0';
    }
    return count;
}

/* Mesa draws on the processor, in silence, if it cannot have the chip. */
static void expect_the_chip(const char *path) {
    struct summary summary = summary_read(path);
    assert_true(summary.submissions > 0);
    assert_int_equal(summary.faults, 0);
    if (client_is_zink())
        assert_int_equal(summary.not_executed, 0);
}

static bool passed(const char *out) {
    return strstr(out, "PIGLIT: {\"result\": \"pass\"") != NULL;
}

static void test_of_piglit_passes(void **state) {
    const struct piglit_test *test = *state;
    const char *words[MOST_ARGUMENTS], *arguments[MOST_ARGUMENTS + 5] = {"/usr/bin/env", "-C", piglit};
    char *directory = client_directory(), *program = strdup(test->program), path[512], summary[400], output[440];
    char data[512];
    assert_non_null(program);
    size_t count = split(program, words);
    assert_true(count > 0);
    const char *name = strrchr(words[0], '/');
    snprintf(path, sizeof path, "%s/bin/%s", piglit, name ? name + 1 : words[0]);
    snprintf(summary, sizeof summary, "%s/summary", directory);
    snprintf(output, sizeof output, "PFIFO_DRM_OUTPUT=%s", summary);
    snprintf(data, sizeof data, "PIGLIT_SOURCE_DIR=%s", piglit);
    arguments[3] = path;
    memcpy(arguments + 4, words + 1, (count - 1) * sizeof words[0]);
    struct client client = {.chip = test->chip,
                            .arguments = arguments,
                            .variables = ARGUMENTS("PIGLIT_PLATFORM=gbm", "PFIFO_DRM_JSON=1", output, data)};
    struct client_end end = client_run(&client);
    if (end.status != 0 || !passed(end.out))
        print_error("%s on %s:\n%.4000s%.4000s\n", test->name, test->chip, end.out, end.err);
    assert_int_equal(end.status, 0);
    assert_true(passed(end.out));
    expect_the_chip(summary);
    free(program);
    client_end_free(&end);
    assert_true(client_directory_remove(directory, "summary"));
}

/* Its own chip, where the line ends with one. */
static void read_chip(char *program, struct piglit_test *test) {
    char *separator = strstr(program, " ::: ");
    if (!separator)
        return;
    *separator = '\0';
    test->chip = test->own_chip = strdup(separator + 5);
    assert_non_null(test->own_chip);
}

/* Of Mesa's library, which has it in its name from 24.2 on: "25.0.7-2". Empty: an older one. */
static void mesa_version(char *version, size_t size) {
    glob_t found;
    version[0] = '\0';
    if (glob("/usr/lib/*/libgallium-*.so", 0, NULL, &found) != 0)
        return;
    snprintf(version, size, "%s", strstr(found.gl_pathv[0], "libgallium-") + strlen("libgallium-"));
    version[strlen(version) - strlen(".so")] = '\0';
    globfree(&found);
}

/* NVK, on which zink stands, does not take Fermi. Of the rest zink.list and nouveau.list say why. */
static bool is_left_out(const struct piglit_test *test, const char *version) {
    char text[2048];
    if (client_is_zink())
        return strncmp(test->chip, "gf", 2) == 0 || client_lists("mesa/zink.list", test->name);
    snprintf(text, sizeof text, "%s ::: %s ::: %s", version, test->chip, test->name);
    return client_lists("mesa/nouveau.list", text);
}

/* Of a line of the list. False: it holds none. */
static bool read_test(char *line, struct piglit_test *test) {
    char *separator = strstr(line, " ::: ");
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || !separator)
        return false;
    *separator = '\0';
    read_chip(separator + 5, test);
    test->name = strdup(line);
    test->program = strdup(separator + 5);
    assert_non_null(test->name);
    assert_non_null(test->program);
    return true;
}

static size_t read_list(struct piglit_test *tests) {
    char path[4096], line[2048], version[128];
    size_t count = 0, number = 0;
    unsigned part = 1, parts = getenv("PFIFO_SANITIZERS") ? SANITIZED : USUAL;
    const char *wanted = getenv("PFIFO_PIGLIT");
    if (wanted && (sscanf(wanted, "%u/%u", &part, &parts) != 2 || part == 0 || part > parts))
        fail_msg("PFIFO_PIGLIT=%s is not PART/PARTS", wanted);
    snprintf(path, sizeof path, "%s/mesa/piglit.list", getenv("PFIFO_TESTS"));
    mesa_version(version, sizeof version);
    const char *const *chips = client_chips(usual);
    size_t all_chips = 0;
    while (chips[all_chips])
        all_chips++;
    assert_true(all_chips > 0);
    FILE *list = fopen(path, "re");
    assert_non_null(list);
    while (fgets(line, sizeof line, list) && count < MOST_TESTS) {
        struct piglit_test test = {.chip = chips[number % all_chips]};
        if (!read_test(line, &test))
            continue;
        if (number++ % parts == part - 1 && !is_left_out(&test, version))
            tests[count++] = test;
        else
            free_test(&test);
    }
    fclose(list);
    return count;
}

static bool find_piglit(void) {
    glob_t found;
    if (glob("/usr/lib/*/piglit", 0, NULL, &found) == 0)
        piglit = strdup(found.gl_pathv[0]);
    globfree(&found);
    return piglit != NULL;
}

int main(void) {
    static struct piglit_test all[MOST_TESTS];
    static struct CMUnitTest tests[MOST_TESTS];
    if (!client_has_mesa() || !find_piglit())
        return 77;
    size_t count = read_list(all);
    for (size_t i = 0; i < count; i++)
        tests[i] =
            (struct CMUnitTest){.name = all[i].name, .test_func = test_of_piglit_passes, .initial_state = &all[i]};
    int failed = _cmocka_run_group_tests("piglit", tests, count, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        free_test(&all[i]);
    free(piglit);
    return failed;
}
