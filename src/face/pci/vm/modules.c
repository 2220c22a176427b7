/* SPDX-License-Identifier: MIT */
#include "face/pci/vm/modules.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void modules_free(struct modules *modules) {
    for (size_t i = 0; i < modules->count; i++)
        free(modules->rows[i].path);
    modules->count = 0;
}

/* A line is "insmod PATH OPTIONS"; what the kernel has built in is "builtin NAME". */
static bool take_line(struct modules *modules, char *line, struct pfifo_error *error) {
    static const char insmod[] = "insmod ";

    if (strncmp(line, insmod, sizeof insmod - 1) != 0)
        return true;
    char *path = line + sizeof insmod - 1;
    path[strcspn(path, " \n")] = 0;
    size_t length = strlen(path);
    if (length < 3 || strcmp(path + length - 3, ".ko") != 0 || !strchr(path, '/')) {
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%.180s: compressed modules are not supported", path);
        return false;
    }
    path = modules->count < MODULES_MAX ? strdup(path) : NULL;
    if (!path) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "nouveau needs too many modules");
        return false;
    }
    modules->rows[modules->count].path = path;
    modules->rows[modules->count++].name = strrchr(path, '/') + 1;
    return true;
}

static bool take_lines(struct modules *modules, int fd, struct pfifo_error *error) {
    FILE *text = fdopen(fd, "r");
    char *line = NULL;
    size_t room = 0;
    bool taken = text != NULL;

    while (taken && getline(&line, &room, text) > 0)
        taken = take_line(modules, line, error);
    free(line);
    if (text)
        fclose(text);
    else
        close(fd);
    return taken;
}

static bool start(pid_t *child, int output, char **argv) {
    posix_spawn_file_actions_t actions;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool started = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0 &&
                   posix_spawnp(child, argv[0], &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return started;
}

/* It is not in the PATH of everybody. */
static bool start_modprobe(pid_t *child, int output, const char *folder, const char *version) {
    static const char *const names[] = {"modprobe", "/usr/sbin/modprobe", "/sbin/modprobe"};
    char *root = strdup(*folder ? folder : "/"), *release = strdup(version);
    bool started = false;

    for (size_t i = 0; root && release && !started && i < sizeof names / sizeof names[0]; i++) {
        char *argv[] = {(char *)names[i], "-d", root, "-S", release, "--show-depends", "nouveau", NULL};
        started = start(child, output, argv);
    }
    free(root);
    free(release);
    return started;
}

bool modules_find(struct modules *modules, const char *folder, const char *version, struct pfifo_error *error) {
    int ends[2], status = 0;
    pid_t child;

    modules->count = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        pfifo_error_set(error, PFIFO_ERROR_IO, "cannot make a pipe: %s", strerror(errno));
        return false;
    }
    bool started = start_modprobe(&child, ends[1], folder, version);
    close(ends[1]);
    bool taken = take_lines(modules, ends[0], error);
    if (!started) {
        pfifo_error_set(error, PFIFO_ERROR_IO, "modprobe cannot be run: install kmod");
        return false;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (taken && status == 0 && modules->count)
        return true;
    if (taken)
        pfifo_error_set(error, PFIFO_ERROR_IO, "modprobe finds no nouveau for Linux %.100s", version);
    modules_free(modules);
    return false;
}
