/* SPDX-License-Identifier: MIT */
#include "face/pci/vm/libraries.h"

#include "face/pci/vm/child_lines.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void libraries_free(struct libraries *libraries) {
    for (size_t i = 0; i < libraries->count; i++)
        free(libraries->path[i]);
    libraries->count = 0;
}

static bool libraries_add(struct libraries *libraries, const char *path, struct pfifo_error *error) {
    for (size_t i = 0; i < libraries->count; i++)
        if (strcmp(libraries->path[i], path) == 0)
            return true;
    char *copy = libraries->count < LIBRARIES_MAX ? strdup(path) : NULL;
    if (!copy) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "a guest's program needs too many libraries");
        return false;
    }
    libraries->path[libraries->count++] = copy;
    return true;
}

/* "NAME => PATH (ADDRESS)", or "PATH (ADDRESS)" for the loader. What the kernel brings along has no path. */
static bool libraries_take_line(void *opaque, char *line, struct pfifo_error *error) {
    char *path = strchr(line, '/');

    if (strstr(line, "=> not found")) {
        line[strcspn(line, "=\n")] = 0;
        pfifo_error_set(error, PFIFO_ERROR_IO, "a library of the guest's program is missing:%.100s", line);
        return false;
    }
    if (!path)
        return true;
    path[strcspn(path, " \n")] = 0;
    return libraries_add(opaque, path, error);
}

/* ldd fails for a static program, which needs nothing. */
bool libraries_of(struct libraries *libraries, const char *path, struct pfifo_error *error) {
    static const char *const names[] = {"ldd", "/usr/bin/ldd", NULL};
    char *file = strdup(path);
    char *argv[] = {(char *)names[0], file, NULL};
    int status = 0;
    bool taken = file && child_lines(names, argv, libraries_take_line, libraries, &status, error);

    if (!file)
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory");
    free(file);
    return taken;
}

static bool add_matching(struct libraries *libraries, const char *pattern, struct pfifo_error *error) {
    glob_t found = {0};
    bool added = true;

    if (glob(pattern, GLOB_BRACE, NULL, &found) == 0)
        for (size_t i = 0; added && i < found.gl_pathc; i++)
            added = libraries_add(libraries, found.gl_pathv[i], error) &&
                    (!strstr(found.gl_pathv[i], ".so") || libraries_of(libraries, found.gl_pathv[i], error));
    globfree(&found);
    return added;
}

bool libraries_of_mesa(struct libraries *libraries, struct pfifo_error *error) {
    static const char *const drivers[] = {"/usr/{lib/*,lib64}/dri/{nouveau,swrast,kms_swrast}_dri.so"};
    static const char *const others[] = {
        "/usr/{lib/*,lib64}/{libEGL,libGLESv1_CM,libOpenGL,libgbm}.so.1",
        "/usr/{lib/*,lib64}/{libGLESv2.so.2,libOpenGL.so.0,libEGL_mesa.so.0}",
        "/usr/share/glvnd/egl_vendor.d/*mesa.json",
        "/usr/share/drirc.d/*mesa*.conf",
    };

    size_t before = libraries->count;
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
        if (!add_matching(libraries, drivers[i], error))
            return false;
    if (libraries->count == before) {
        pfifo_error_set(error, PFIFO_ERROR_IO, "Mesa's driver nouveau is not installed");
        return false;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (!add_matching(libraries, others[i], error))
            return false;
    return true;
}
