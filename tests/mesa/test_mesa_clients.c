/* SPDX-License-Identifier: MIT */
/*
 * Programs as a distribution has them, on the model: kmscube and scenes of glmark2 run to the end; eglinfo lists the
 * device. Of what they submit every method is known. If anything is not executed it is draws, on chips that have none.
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

#include "mesa/client.h"
#include "mesa/summary.h"

/* Of Mesa: it has the code of libdrm_nouveau of its own, without the older objects. */
#define FIRST_WITHOUT_OLD_VERSIONS 24

/* A generation each, and the one without memory of its own. */
static const char *const usual[] = {"nv40", "gt215", "gf100", "gk104", "gm20b", "gp102", NULL};
static const char *const *chips; /* these, or what is asked for */

/* The path of a program. Skips the test if it is not installed. */
static char *installed(const char *name) {
    char *path = NULL;
    const char *folders[] = {"/usr/local/bin", "/usr/bin"};
    for (size_t i = 0; i < 2; i++) {
        assert_true(asprintf(&path, "%s/%s", folders[i], name) > 0);
        if (access(path, X_OK) == 0)
            return path;
        free(path);
    }
    skip();
    return NULL;
}

/* Runs to the end on a chip; the summary of what it did. */
static struct summary run(const char *chip, const char *const *arguments) {
    char *directory = client_directory(), path[4096], output[4200];
    snprintf(path, sizeof path, "%s/summary", directory);
    snprintf(output, sizeof output, "PFIFO_DRM_OUTPUT=%s", path);
    struct client client = {.chip = chip,
                            .arguments = arguments,
                            .variables = ARGUMENTS("PFIFO_DRM_JSON=1", "PFIFO_DRM_MODE=640x480", output)};
    struct client_end end = client_run(&client);
    if (end.status != 0)
        print_error("%s on %s\n", arguments[0], chip);
    client_expect(0, &end);
    struct summary summary = summary_read(path);
    client_end_free(&end);
    assert_true(client_directory_remove(directory, "summary"));
    return summary;
}

static void expect_draws_only(const struct summary *summary, const char *chip, unsigned long frames) {
    if (summary->unknown || summary->faults || summary->not_executed != summary->draws || summary->submissions < frames)
        fail_msg("%s: %lu submissions, %lu unknown, %lu faults, %lu not executed, %lu of them draws", chip,
                 summary->submissions, summary->unknown, summary->faults, summary->not_executed, summary->draws);
}

static void kmscube_runs_to_the_end(void **state) {
    (void)state;
    char *program = installed("kmscube");
    for (size_t i = 0; chips[i]; i++) {
        struct summary summary = run(chips[i], ARGUMENTS(program, "-c", "3"));
        expect_draws_only(&summary, chips[i], 3);
    }
    free(program);
}

/*
 * Its texture goes to EGL as a descriptor, of a buffer whose handle it has closed. It has bytes R G B A, which Mesa
 * does not share before G80.
 */
static void kmscube_shares_a_texture(void **state) {
    (void)state;
    char *program = installed("kmscube");
    for (size_t i = 0; chips[i]; i++) {
        if (client_chip(chips[i])->version < 30)
            continue;
        struct summary summary = run(chips[i], ARGUMENTS(program, "-M", "rgba", "-c", "3"));
        expect_draws_only(&summary, chips[i], 3);
    }
    free(program);
}

static void scenes_of_glmark2_run_to_the_end(void **state) {
    (void)state;
    char *program = installed("glmark2-es2-drm");
    for (size_t i = 0; chips[i]; i++) {
        struct summary summary = run(chips[i], ARGUMENTS(program, "-s", "320x240", "-b", "build:nframes=2", "-b",
                                                         "texture:nframes=2", "-b", "shading:nframes=2"));
        expect_draws_only(&summary, chips[i], 6);
    }
    free(program);
}

static void eglinfo_lists_the_device(void **state) {
    (void)state;
    char *program = installed("eglinfo");
    for (size_t i = 0; chips[i]; i++) {
        struct client client = {.chip = chips[i], .arguments = ARGUMENTS(program)};
        struct client_end end = client_run(&client);
        /* Its status says whether all platforms are there, and those of windows are not. */
        if (!strstr(end.out, "EGL driver name: nouveau"))
            fail_msg("%s: %.2000s%.2000s", chips[i], end.out, end.err);
        client_end_free(&end);
    }
    free(program);
}

/* The first number of its version, from eglinfo. 0: that of a Mesa of long ago does not say. */
static int mesa_version(void) {
    char *program = installed("eglinfo");
    struct client client = {.arguments = ARGUMENTS(program)};
    struct client_end end = client_run(&client);
    int version = 0;
    for (const char *at = end.out; !version && (at = strstr(at, " Mesa ")); at += 6)
        version = atoi(at + 6);
    client_end_free(&end);
    free(program);
    return version;
}

/* Below 1.3.1 Mesa makes objects with GROBJ_ALLOC and asks GETPARAM for the chip. Later ones of Mesa want 1.3.1. */
static void an_older_version_has_the_older_objects(void **state) {
    (void)state;
    if (mesa_version() >= FIRST_WITHOUT_OLD_VERSIONS)
        return;
    static const char *const versions[] = {"PFIFO_DRM_VERSION=1.3.0", "PFIFO_DRM_VERSION=1.2.2",
                                           "PFIFO_DRM_VERSION=1.0.1"};
    for (size_t i = 0; chips[i]; i++) {
        struct client client = {.chip = chips[i],
                                .arguments = ARGUMENTS(client_program("PFIFO_MESA_CROWD"), "contexts"),
                                .variables = ARGUMENTS(versions[i % 3])};
        struct client_end end = client_run(&client);
        client_expect(0, &end);
        client_end_free(&end);
    }
}

static void a_trace_of_a_program_has_only_what_is_asked_for(void **state) {
    char *directory = client_directory(), path[4096], output[4200], picture[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/trace", directory);
    snprintf(output, sizeof output, "PFIFO_DRM_OUTPUT=%s", path);
    snprintf(picture, sizeof picture, "%s/picture", directory);
    struct client client = {
        .chip = "nv40",
        .arguments = ARGUMENTS(client_program("PFIFO_MESA_PAINT"), "-e", "20", "64", "64", picture),
        .variables = ARGUMENTS("PFIFO_DRM_TRACE=puller.*", "PFIFO_DRM_WHERE=NV40_3D.CLEAR_BUFFERS data=0xf0", output)};
    struct client_end end = client_run(&client);
    client_expect(0, &end);
    client_end_free(&end);
    size_t bytes = 0, lines = 0;
    char *text = client_slurp(path, &bytes), *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) && *line; lines++)
        if (!strstr(line, "puller.method ") || !strstr(line, ":CLEAR_BUFFERS data=0xf0"))
            fail_msg("%s", line);
    assert_true(lines > 0);
    free(text);
    assert_int_equal(unlink(picture), 0);
    assert_true(client_directory_remove(directory, "trace"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kmscube_runs_to_the_end),
        cmocka_unit_test(kmscube_shares_a_texture),
        cmocka_unit_test(scenes_of_glmark2_run_to_the_end),
        cmocka_unit_test(a_trace_of_a_program_has_only_what_is_asked_for),
        cmocka_unit_test(eglinfo_lists_the_device),
        cmocka_unit_test(an_older_version_has_the_older_objects),
    };
    if (!client_has_mesa())
        return 77;
    chips = client_chips(usual);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
