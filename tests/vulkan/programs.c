/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesa/client.h"
#include "mesa/summary.h"
#include "vulkan/programs.h"

enum { SKIPPED = 77 };

char *programs_driver(const char *pattern) {
    glob_t found;
    char *path = NULL;
    if (!getenv("PFIFO_VULKAN_TESTS") || glob(pattern, 0, NULL, &found) != 0)
        return NULL;
    path = strdup(found.gl_pathv[0]);
    globfree(&found);
    assert_non_null(path);
    return path;
}

struct sum {
    unsigned passed, skipped, failed, left_out;
};

/* A driver on a chip, or not on the model (NULL). */
struct place {
    const char *driver, *chip;
};

static struct client_end run_program(const char *name, const struct place *place, const char *summary) {
    char output[440], file[400], older_file[400];
    snprintf(output, sizeof output, "PFIFO_DRM_OUTPUT=%s", summary);
    snprintf(file, sizeof file, "VK_DRIVER_FILES=%s", place->driver);
    snprintf(older_file, sizeof older_file, "VK_ICD_FILENAMES=%s", place->driver);
    struct client client = {
        .chip = place->chip,
        .arguments = ARGUMENTS(client_program("PFIFO_VULKAN_TESTS"), name),
        .variables = ARGUMENTS(file, older_file, "NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1", "PFIFO_DRM_JSON=1", output)};
    return client_run(&client);
}

/* What the driver says of itself: "Mesa 25.0.7-2". */
static char *info_of_driver(const struct place *place) {
    char *directory = client_directory(), summary[400];
    snprintf(summary, sizeof summary, "%s/summary", directory);
    struct client_end end = run_program("driver", place, summary);
    if (end.status != 0)
        print_message("%.2000s", end.err);
    assert_int_equal(end.status, 0);
    end.out[strcspn(end.out, "\n")] = '\0';
    char *info = strdup(end.out);
    assert_non_null(info);
    client_end_free(&end);
    assert_true(client_directory_remove(directory, "summary"));
    return info;
}

/* known.list says why. */
static bool is_left_out(const char *name, const char *info, const char *chip) {
    char wanted[512];
    snprintf(wanted, sizeof wanted, "%s ::: %s ::: %s", info, chip, name);
    return client_lists("vulkan/known.list", wanted);
}

/* What it did on the model: is it all right? */
static bool is_executed(const char *name, const char *summary) {
    struct summary seen = summary_read(summary);
    if (seen.faults == 0 && seen.not_executed == 0)
        return true;
    print_message("%s: %lu faults, not executed: %lu\n", name, seen.faults, seen.not_executed);
    return false;
}

static void run_one(const char *name, const struct place *place, struct sum *sum) {
    char *directory = client_directory(), summary[400];
    snprintf(summary, sizeof summary, "%s/summary", directory);
    struct client_end end = run_program(name, place, summary);
    bool right = end.status == 0 || end.status == SKIPPED;
    if (right && place->chip)
        right = is_executed(name, summary);
    if (end.status != 0)
        print_message("%.2000s", end.err);
    if (end.status < 0)
        print_message("%s: killed by signal %d\n", name, -end.status);
    sum->failed += !right;
    sum->passed += right && end.status == 0;
    sum->skipped += right && end.status == SKIPPED;
    client_end_free(&end);
    assert_true(client_directory_remove(directory, "summary"));
}

bool programs_run(const char *driver, const char *chip) {
    const char *pattern = getenv("PFIFO_VULKAN_PROGRAMS");
    struct client lister = {.arguments = ARGUMENTS(client_program("PFIFO_VULKAN_TESTS"), "list")};
    struct client_end names = client_run(&lister);
    const struct place place = {driver, chip};
    struct sum sum = {0};
    char *rest = names.out, *info = info_of_driver(&place);
    assert_int_equal(names.status, 0);
    for (char *name = strsep(&rest, "\n"); name; name = strsep(&rest, "\n")) {
        if (!*name || (pattern && fnmatch(pattern, name, 0) != 0))
            continue;
        if (is_left_out(name, info, chip ? chip : "lavapipe"))
            sum.left_out++;
        else
            run_one(name, &place, &sum);
    }
    client_end_free(&names);
    print_message("%s: %u passed, %u skipped, %u left out, %u failed\n", chip ? chip : driver, sum.passed, sum.skipped,
                  sum.left_out, sum.failed);
    free(info);
    return sum.failed == 0 && (sum.passed > 0 || pattern);
}
