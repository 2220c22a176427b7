/* SPDX-License-Identifier: MIT */
/*
 * vulkan-tests: programs that know what Vulkan must make of them.
 *
 *   vulkan-tests                 all, each in a process of its own; a line for each, and the sum
 *   vulkan-tests list            their names
 *   vulkan-tests driver          what the driver says of itself: "Mesa 25.0.7-2"
 *   vulkan-tests NAME            that one: 0 right, 1 wrong, with the first word that is, 77 skipped, 2 no device
 *   vulkan-tests 'compute_*'     those whose names are so
 *
 * PFIFO_VULKAN_DEVICE: on the device whose name contains this. VK_DRIVER_FILES (VK_ICD_FILENAMES before 1.3.207) are the
 * drivers that the loader knows.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vulkan/programs/programs.h"

static const struct program {
    const char *name;
    void (*run)(struct rig *rig);
    unsigned options;
} programs[] = {
#define PROGRAM(name, options) {#name, program_##name, options},
#include "vulkan/programs/programs.def"
#undef PROGRAM
};

static int run(const struct program *program) {
    name_program(program->name);
    struct rig *rig = rig_open(program->options);
    program->run(rig);
    rig_close(rig);
    return ENDED_RIGHT;
}

static int run_apart(const struct program *program) {
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        exit(run(program));
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return ENDED_UNUSABLE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : ENDED_WRONG;
}

static int run_matching(const char *pattern) {
    unsigned passed = 0, skipped = 0, failed = 0;
    for (size_t i = 0; i < COUNT(programs); i++) {
        if (fnmatch(pattern, programs[i].name, 0) != 0)
            continue;
        int status = run_apart(&programs[i]);
        printf("%-32s %s\n", programs[i].name,
               status == ENDED_RIGHT     ? "passed"
               : status == ENDED_SKIPPED ? "skipped"
                                         : "FAILED");
        passed += status == ENDED_RIGHT;
        skipped += status == ENDED_SKIPPED;
        failed += status != ENDED_RIGHT && status != ENDED_SKIPPED;
    }
    printf("%u passed, %u skipped, %u failed\n", passed, skipped, failed);
    return passed + skipped + failed == 0 ? ENDED_UNUSABLE : failed ? ENDED_WRONG : ENDED_RIGHT;
}

static int list(void) {
    for (size_t i = 0; i < COUNT(programs); i++)
        puts(programs[i].name);
    return 0;
}

static int show_driver(void) {
    struct rig *rig = rig_open(0);
    puts(rig->driver.driverInfo);
    rig_close(rig);
    return ENDED_RIGHT;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return run_matching("*");
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list();
    if (argc == 2 && strcmp(argv[1], "driver") == 0)
        return show_driver();
    for (size_t i = 0; argc == 2 && i < COUNT(programs); i++)
        if (strcmp(programs[i].name, argv[1]) == 0)
            return run(&programs[i]);
    if (argc == 2 && strpbrk(argv[1], "*?["))
        return run_matching(argv[1]);
    fprintf(stderr, "usage: vulkan-tests [list | driver | NAME | PATTERN]\n");
    return ENDED_UNUSABLE;
}
