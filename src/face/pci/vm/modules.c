/* SPDX-License-Identifier: MIT */
#include "face/pci/vm/modules.h"

#include "face/pci/vm/child_lines.h"

#include <stdlib.h>
#include <string.h>

void modules_free(struct modules *modules) {
    for (size_t i = 0; i < modules->count; i++)
        free(modules->rows[i].path);
    modules->count = 0;
}

/* A line is "insmod PATH OPTIONS"; what the kernel has built in is "builtin NAME". */
static bool take_line(void *opaque, char *line, struct pfifo_error *error) {
    static const char insmod[] = "insmod ";
    struct modules *modules = opaque;

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

bool modules_find(struct modules *modules, const char *folder, const char *version, struct pfifo_error *error) {
    /* It is not in the PATH of everybody. */
    static const char *const names[] = {"modprobe", "/usr/sbin/modprobe", "/sbin/modprobe", NULL};
    char *root = strdup(*folder ? folder : "/"), *release = strdup(version);
    char *argv[] = {(char *)names[0], "-d", root, "-S", release, "--show-depends", "nouveau", NULL};
    int status = 0;

    modules->count = 0;
    bool taken = root && release && child_lines(names, argv, take_line, modules, &status, error);
    free(root);
    free(release);
    if (taken && status == 0 && modules->count)
        return true;
    if (taken && status == 127)
        pfifo_error_set(error, PFIFO_ERROR_IO, "modprobe cannot be run: install kmod");
    else if (taken)
        pfifo_error_set(error, PFIFO_ERROR_IO, "modprobe finds no nouveau for Linux %.100s", version);
    modules_free(modules);
    return false;
}
