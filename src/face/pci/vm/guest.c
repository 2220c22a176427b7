/* SPDX-License-Identifier: MIT */
#include "face/pci/vm/guest.h"

#include "chip/error.h"
#include "face/pci/vm/cpio.h"
#include "face/pci/vm/libraries.h"
#include "face/pci/vm/modules.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the kernel ---- */

/* Of /boot/vmlinuz-VERSION, or of lib/modules/VERSION/vmlinuz, where newer distributions have it. */
static void kernel_version(const char *kernel, char *version, size_t room) {
    const char *slash = strrchr(kernel, '/'), *name = slash ? slash + 1 : kernel, *dash = strchr(name, '-');
    const char *folder = slash;

    version[0] = 0;
    if (dash)
        snprintf(version, room, "%s", dash + 1);
    if (dash || !slash || strcmp(name, "vmlinuz") != 0)
        return;
    while (folder > kernel && folder[-1] != '/')
        folder--;
    snprintf(version, room, "%.*s", (int)(slash - folder), folder);
}

static bool has_modules(const char *modules, const char *version) {
    char path[PATH_MAX];

    return *version &&
           (size_t)snprintf(path, sizeof path, "%s/lib/modules/%s/modules.dep", modules, version) < sizeof path &&
           access(path, R_OK) == 0;
}

/* The folder in whose lib/modules/ they are: the one given, or its usr/. */
static bool find_modules(struct guest *guest, const char *given) {
    static const char *const parts[] = {"", "/usr"};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if ((size_t)snprintf(guest->modules, sizeof guest->modules, "%s%s", given, parts[i]) < sizeof guest->modules &&
            has_modules(guest->modules, guest->version))
            return true;
    return false;
}

/* The last one by name. */
static bool search_kernel(struct guest *guest, const char *modules, struct pfifo_error *error) {
    glob_t found = {0};
    bool any = false;

    if (glob("/boot/vmlinuz-*", 0, NULL, &found) != 0)
        found.gl_pathc = 0;
    for (size_t i = found.gl_pathc; i-- && !any;) {
        snprintf(guest->kernel, sizeof guest->kernel, "%s", found.gl_pathv[i]);
        kernel_version(guest->kernel, guest->version, sizeof guest->version);
        any = access(guest->kernel, R_OK) == 0 && find_modules(guest, modules);
    }
    globfree(&found);
    if (!any)
        pfifo_error_set(error, PFIFO_ERROR_IO,
                        "no kernel that can be read, with modules, is in /boot: use --kernel and --modules");
    return any;
}

static bool find_kernel(struct guest *guest, const struct guest_config *config, const char *modules,
                        struct pfifo_error *error) {
    if (config->kernel)
        snprintf(guest->kernel, sizeof guest->kernel, "%s", config->kernel);
    else if (!search_kernel(guest, modules, error))
        return false;
    kernel_version(guest->kernel, guest->version, sizeof guest->version);
    if (access(guest->kernel, R_OK) != 0) {
        error_cannot(error, guest->kernel, "read");
        return false;
    }
    if (find_modules(guest, modules))
        return true;
    pfifo_error_set(error, PFIFO_ERROR_IO,
                    "no modules.dep (depmod makes it) is in %.80s/lib/modules/%.80s, nor in usr/lib/modules", modules,
                    guest->version);
    return false;
}

/* ---- files ---- */

/* To be freed. NULL: see the error. */
static void *guest_read_file(const char *path, size_t *bytes, struct pfifo_error *error) {
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    size_t room = 0;

    *bytes = 0;
    while (file && !feof(file) && !ferror(file)) {
        room = room ? room * 2 : 65536;
        char *more = realloc(data, room);
        if (!more)
            break;
        data = more;
        *bytes += fread(data + *bytes, 1, room - *bytes, file);
    }
    bool whole = file && feof(file) && !ferror(file);
    if (!whole) {
        error_cannot(error, path, "read");
        free(data);
        data = NULL;
    }
    if (file)
        fclose(file);
    return data;
}

static bool guest_no_space(struct pfifo_error *error) {
    pfifo_error_set(error, PFIFO_ERROR_IO, "the guest's file system cannot be written: %s", strerror(errno));
    return false;
}

/* Frees the data. NULL: they could not be read, and the error says why. */
static bool add_data(struct cpio *cpio, const char *name, bool executable, void *data, size_t bytes,
                     struct pfifo_error *error) {
    bool added = data && cpio_file(cpio, name, executable, data, bytes);

    if (data && !added)
        guest_no_space(error);
    free(data);
    return added;
}

static bool guest_add_file(struct cpio *cpio, const char *name, bool executable, const char *path,
                           struct pfifo_error *error) {
    size_t bytes = 0;
    void *data = guest_read_file(path, &bytes, error);

    return add_data(cpio, name, executable, data, bytes, error);
}

/* A program of the host that needs a library does not run in the guest. */
static bool find_busybox(char *path, size_t room, const char *given, struct pfifo_error *error) {
    const char *folders = getenv("PATH");

    if (given)
        return (size_t)snprintf(path, room, "%s", given) < room;
    for (const char *at = folders; at && *at;) {
        size_t length = strcspn(at, ":");
        if ((size_t)snprintf(path, room, "%.*s/busybox", (int)length, at) < room && access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    pfifo_error_set(error, PFIFO_ERROR_IO, "busybox is not in PATH: install busybox-static, or use --busybox");
    return false;
}

/* ---- the first program ---- */

static const char init_head[] = "#!/bin/busybox sh\n"
                                "export PATH=/bin HOME=/tmp\n"
                                "busybox mount -t proc proc /proc\n"
                                "busybox mount -t sysfs sysfs /sys\n"
                                "busybox mount -t devtmpfs devtmpfs /dev\n"
                                "busybox mount -t tmpfs tmpfs /tmp\n"
                                "busybox ln -s /proc/self/fd /dev/fd\n"
                                "busybox ln -s /proc/self/fd/0 /dev/stdin\n"
                                "busybox ln -s /proc/self/fd/1 /dev/stdout\n"
                                "busybox ln -s /proc/self/fd/2 /dev/stderr\n";

/* The port stays open, and so keeps its mode. */
static const char init_port[] = "exec 3>/dev/ttyS1\n"
                                "busybox stty -F /dev/ttyS1 raw -echo\n";

static const char init_tail[] = "busybox printf '\\000status %d\\n' $status >&3\n"
                                "busybox sync\n"
                                "busybox poweroff -f\n";

/* As a shell reads it. */
static void write_quoted(FILE *text, const char *word) {
    fputs(" '", text);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", text);
        else
            fputc(*word, text);
    }
    fputc('\'', text);
}

static void write_program(FILE *text, const struct guest_config *config) {
    fputs("/program", text);
    for (char **word = config->arguments; word && *word; word++)
        write_quoted(text, *word);
    fputs(" >&3 3>&-\nstatus=$?\n", text);
}

static void write_init(FILE *text, const struct modules *modules, const struct guest_config *config) {
    fputs(init_head, text);
    for (size_t i = 0; i < modules->count; i++) {
        bool last = i + 1 == modules->count;
        fprintf(text, "busybox insmod /modules/%s%s%s || echo 'pfifo: %s: cannot be loaded'\n", modules->rows[i].name,
                last && config->options ? " " : "", last && config->options ? config->options : "",
                modules->rows[i].name);
    }
    fputs(init_port, text);
    if (config->program)
        write_program(text, config);
    else if (config->shell)
        fputs("busybox --install -s /bin\nbusybox setsid busybox cttyhack sh\nstatus=0\n", text);
    else
        fputs("status=0\n", text);
    fputs(init_tail, text);
}

static bool add_init(struct cpio *cpio, const struct modules *modules, const struct guest_config *config,
                     struct pfifo_error *error) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);

    if (!stream)
        return guest_no_space(error);
    write_init(stream, modules, config);
    bool added = fclose(stream) == 0 && cpio_file(cpio, "init", true, text, bytes);
    free(text);
    return added || guest_no_space(error);
}

static bool add_module(struct cpio *cpio, const struct module *module, struct pfifo_error *error) {
    char name[PATH_MAX];
    size_t bytes = 0;

    snprintf(name, sizeof name, "modules/%s", module->name);
    if (module->packing != MODULE_PACKED)
        return guest_add_file(cpio, name, false, module->path, error);
    void *data = module_read(module, &bytes, error);
    return add_data(cpio, name, false, data, bytes, error);
}

static bool add_modules(struct cpio *cpio, const struct modules *modules, struct pfifo_error *error) {
    for (size_t i = 0; i < modules->count; i++)
        if (!add_module(cpio, &modules->rows[i], error))
            return false;
    return true;
}

/* ---- libraries ---- */

/* Folders on the way to a file, as far as they are not on that to the one before. */
static bool add_folders(struct cpio *cpio, const char *path, const char *before) {
    char name[PATH_MAX];

    for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        size_t length = (size_t)(at - path);
        snprintf(name, sizeof name, "%.*s", (int)(length - 1), path + 1);
        if (strncmp(path, before, length + 1) != 0 && !cpio_folder(cpio, name))
            return false;
    }
    return true;
}

/* Files with several names are there once: the drivers of Mesa are one file. */
static const char *same_file(const struct libraries *libraries, size_t index) {
    struct stat file, other;

    if (stat(libraries->path[index], &file) != 0)
        return NULL;
    for (size_t i = 0; i < index; i++)
        if (stat(libraries->path[i], &other) == 0 && other.st_ino == file.st_ino && other.st_dev == file.st_dev)
            return libraries->path[i];
    return NULL;
}

static int guest_by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_files(struct cpio *cpio, struct libraries *libraries, struct pfifo_error *error) {
    const char *before = "";

    qsort(libraries->path, libraries->count, sizeof libraries->path[0], guest_by_name);
    for (size_t i = 0; i < libraries->count; i++) {
        const char *path = libraries->path[i], *same = same_file(libraries, i);
        if (!add_folders(cpio, path, before))
            return guest_no_space(error);
        if (same ? !cpio_link(cpio, path + 1, same) && !guest_no_space(error)
                 : !guest_add_file(cpio, path + 1, true, path, error))
            return false;
        before = path;
    }
    return true;
}

static bool add_mesa(struct cpio *cpio, const char *program, struct pfifo_error *error) {
    struct libraries libraries = {0};
    bool added = libraries_of_mesa(&libraries, error) && (!program || libraries_of(&libraries, program, error)) &&
                 add_files(cpio, &libraries, error);

    libraries_free(&libraries);
    return added;
}

/* ---- all of it ---- */

static bool add_all(struct cpio *cpio, const struct modules *modules, const struct guest_config *config,
                    struct pfifo_error *error) {
    static const char *const folders[] = {"bin", "dev", "modules", "proc", "sys", "tmp"};
    char busybox[PATH_MAX];

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (!cpio_folder(cpio, folders[i]))
            return guest_no_space(error);
    if (!cpio_device(cpio, "dev/console", 5, 1) || !cpio_link(cpio, "bin/sh", "busybox"))
        return guest_no_space(error);
    if (!find_busybox(busybox, sizeof busybox, config->busybox, error) ||
        !guest_add_file(cpio, "bin/busybox", true, busybox, error) || !add_modules(cpio, modules, error) ||
        (config->mesa && !add_mesa(cpio, config->program, error)) ||
        (config->program && !guest_add_file(cpio, "program", true, config->program, error)) ||
        !add_init(cpio, modules, config, error))
        return false;
    return cpio_end(cpio) || guest_no_space(error);
}

bool guest_make(struct guest *guest, const struct guest_config *config, FILE *file, struct pfifo_error *error) {
    const char *folder = config->modules ? config->modules : "";
    struct modules modules;
    struct cpio cpio = {.file = file};

    if (!find_kernel(guest, config, folder, error) || !modules_find(&modules, guest->modules, guest->version, error))
        return false;
    bool made = add_all(&cpio, &modules, config, error);
    modules_free(&modules);
    return made;
}
