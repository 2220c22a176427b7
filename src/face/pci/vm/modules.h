/* SPDX-License-Identifier: MIT */
/* The modules that nouveau needs, as modprobe knows them. */
#ifndef PFIFO_FACE_PCI_MODULES_H
#define PFIFO_FACE_PCI_MODULES_H

#include <pfifo/error.h>

#define MODULES_MAX 64u

struct modules {
    struct {
        char *path;
        const char *name; /* within the path, "nouveau.ko" */
    } rows[MODULES_MAX];  /* in the order of loading; nouveau is the last */
    size_t count;
};

/* False: see the error. */
bool modules_find(struct modules *modules, const char *folder, const char *version, struct pfifo_error *error);
void modules_free(struct modules *modules);

#endif
