/* SPDX-License-Identifier: MIT */
#include "face/pci/vm/modules.h"

#include "chip/error.h"
#include "face/pci/vm/child_lines.h"
#include "stream/codec.h"
#include "stream/unpack.h"

#include <stdlib.h>
#include <string.h>

#define MODULE_BYTES_MAX (64u << 20)

void modules_free(struct modules *modules) {
    for (size_t i = 0; i < modules->count; i++) {
        free(modules->rows[i].path);
        free(modules->rows[i].name);
    }
    modules->count = 0;
}

/* ---- names ---- */

static const struct {
    const char *suffix;
    enum module_packing packing;
    size_t dropped; /* characters of the name */
} suffixes[] = {
    {".ko", MODULE_PLAIN, 0}, {".ko.xz", MODULE_PACKED, 3}, {".ko.zst", MODULE_PACKED, 4}, {".ko.gz", MODULE_GZIP, 0}};

static bool name_module(struct module *module, const char *path) {
    size_t length = strlen(path);

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t bytes = strlen(suffixes[i].suffix);
        if (length <= bytes || strcmp(path + length - bytes, suffixes[i].suffix) != 0)
            continue;
        const char *name = strrchr(path, '/') + 1;
        module->packing = suffixes[i].packing;
        module->path = strdup(path);
        module->name = strndup(name, strlen(name) - suffixes[i].dropped);
        return true;
    }
    return false;
}

/* A line is "insmod PATH OPTIONS"; what the kernel has built in is "builtin NAME". */
static bool modules_take_line(void *opaque, char *line, struct pfifo_error *error) {
    static const char insmod[] = "insmod ";
    struct modules *modules = opaque;

    if (strncmp(line, insmod, sizeof insmod - 1) != 0)
        return true;
    char *path = line + sizeof insmod - 1;
    path[strcspn(path, " \n")] = 0;
    if (modules->count == MODULES_MAX) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "nouveau needs too many modules");
        return false;
    }
    struct module *module = &modules->rows[modules->count];
    if (!strchr(path, '/') || !name_module(module, path)) {
        pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "%.180s: a module ends with .ko, .ko.xz, .ko.zst or .ko.gz",
                        path);
        return false;
    }
    modules->count++; /* also to free half of it */
    if (!module->path || !module->name) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the name of a module");
        return false;
    }
    return true;
}

bool modules_find(struct modules *modules, const char *folder, const char *version, struct pfifo_error *error) {
    /* It is not in the PATH of everybody. */
    static const char *const names[] = {"modprobe", "/usr/sbin/modprobe", "/sbin/modprobe", NULL};
    char *root = strdup(*folder ? folder : "/"), *release = strdup(version);
    char *argv[] = {(char *)names[0], "-d", root, "-S", release, "--show-depends", "nouveau", NULL};
    int status = 0;

    modules->count = 0;
    bool taken = root && release && child_lines(names, argv, modules_take_line, modules, &status, error);
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

/* ---- contents ---- */

/* Its first bytes say how it is packed; a plain file under such a name is none. */
static bool modules_is_packed(FILE *file) {
    uint8_t magic[8];
    size_t bytes = fread(magic, 1, sizeof magic, file);

    rewind(file);
    return codec_find(magic, bytes) != NULL;
}

static void *modules_unpack(const struct module *module, FILE *file, size_t *bytes, struct pfifo_error *error) {
    const struct unpack_source source = {.name = module->path, .file = file};
    struct bytes data;
    bool truncated;

    if (!modules_is_packed(file)) {
        pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.180s: not packed as its name says", module->path);
        return NULL;
    }
    if (unpack_all(&source, MODULE_BYTES_MAX, &data, &truncated, error) != PFIFO_OK)
        return NULL;
    *bytes = data.size;
    if (!truncated)
        return data.data;
    pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.180s: its end is missing", module->path);
    bytes_free(&data);
    return NULL;
}

void *module_read(const struct module *module, size_t *bytes, struct pfifo_error *error) {
    FILE *file = fopen(module->path, "rb");
    void *data = NULL;

    if (!file || fgetc(file) == EOF)
        error_cannot(error, module->path, "read");
    else {
        rewind(file);
        data = modules_unpack(module, file, bytes, error);
    }
    if (file)
        fclose(file);
    return data;
}
