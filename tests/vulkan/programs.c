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
    unsigned passed, skipped, failed;
};

/* What it did on the model: is it all right? */
static bool is_executed(const char *name, const char *summary) {
    struct summary seen = summary_read(summary);
    if (seen.faults == 0 && seen.not_executed == 0)
        return true;
    print_message("%s: %lu faults, not executed: %lu\n", name, seen.faults, seen.not_executed);
    return false;
}

static void run_one(const char *name, const char *driver, const char *chip, struct sum *sum) {
    char *directory = client_directory(), summary[400], output[440], file[400], older_file[400];
    snprintf(summary, sizeof summary, "%s/summary", directory);
    snprintf(output, sizeof output, "PFIFO_DRM_OUTPUT=%s", summary);
    snprintf(file, sizeof file, "VK_DRIVER_FILES=%s", driver);
    snprintf(older_file, sizeof older_file, "VK_ICD_FILENAMES=%s", driver);
    struct client client = {
        .chip = chip,
        .arguments = ARGUMENTS(client_program("PFIFO_VULKAN_TESTS"), name),
        .variables = ARGUMENTS(file, older_file, "NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1", "PFIFO_DRM_JSON=1", output)};
    struct client_end end = client_run(&client);
    bool right = end.status == 0 || end.status == SKIPPED;
    if (right && chip)
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
    struct sum sum = {0};
    char *rest = names.out;
    assert_int_equal(names.status, 0);
    for (char *name = strsep(&rest, "\n"); name; name = strsep(&rest, "\n"))
        if (*name && (!pattern || fnmatch(pattern, name, 0) == 0))
            run_one(name, driver, chip, &sum);
    client_end_free(&names);
    print_message("%s: %u passed, %u skipped, %u failed\n", chip ? chip : driver, sum.passed, sum.skipped, sum.failed);
    return sum.failed == 0 && (sum.passed > 0 || pattern);
}
