/* SPDX-License-Identifier: MIT */
/* The modules that nouveau needs, as modprobe knows them: plain, or packed as distributions have them. */
#ifndef PFIFO_FACE_PCI_MODULES_H
#define PFIFO_FACE_PCI_MODULES_H

#include <pfifo/error.h>

#define MODULES_MAX 64u

enum module_packing {
    MODULE_PLAIN,
    MODULE_PACKED, /* .xz or .zst: module_read() unpacks it */
    MODULE_GZIP,   /* the guest's busybox unpacks it */
};

struct module {
    char *path;
    char *name; /* that the guest sees: "nouveau.ko", "nouveau.ko.gz" */
    enum module_packing packing;
};

struct modules {
    struct module rows[MODULES_MAX]; /* in the order of loading; nouveau is the last */
    size_t count;
};

/* False: see the error. */
bool modules_find(struct modules *modules, const char *folder, const char *version, struct pfifo_error *error);
void modules_free(struct modules *modules);

/* What the guest gets of a packed module, to be freed. NULL: see the error. */
void *module_read(const struct module *module, size_t *bytes, struct pfifo_error *error);

#endif
