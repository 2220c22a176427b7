/* SPDX-License-Identifier: MIT */
/*
 * What a guest boots: a kernel of this host, and a first file system with busybox, the modules of its nouveau, and a
 * program.
 *
 *   /init   loads the modules in their order, runs the program with its output on the second serial port, writes its
 *           status there (vm/output.h), and switches the machine off
 */
#ifndef PFIFO_FACE_PCI_GUEST_H
#define PFIFO_FACE_PCI_GUEST_H

#include <limits.h>
#include <pfifo/error.h>
#include <stdio.h>

struct guest_config {
    const char *kernel;  /* NULL: the newest /boot/vmlinuz-* that has modules */
    const char *modules; /* the folder with lib/modules/ or usr/lib/modules/; NULL: / */
    const char *busybox; /* static; NULL: that in PATH */
    const char *options; /* of nouveau, "debug=debug"; NULL: none */
    const char *program; /* static; NULL: none */
    char **arguments;    /* of the program; NULL ends them, or stands for none */
    bool mesa;           /* the host's Mesa, and the program's libraries */
    bool shell;          /* without a program: a shell on the console */
};

struct guest {
    char kernel[PATH_MAX];
    char version[256];      /* of the kernel */
    char modules[PATH_MAX]; /* the folder in whose lib/modules/ its modules are */
};

/* Fill in *guest, and write the file system to `file`. False: see the error. */
bool guest_make(struct guest *guest, const struct guest_config *config, FILE *file, struct pfifo_error *error);

#endif
