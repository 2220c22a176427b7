/* SPDX-License-Identifier: MIT */
/* Command lines of VMMs, word by word. */
#ifndef PFIFO_FACE_PCI_LINE_H
#define PFIFO_FACE_PCI_LINE_H

#include <pfifo/error.h>

#include <stdio.h>

struct line {
    char **words; /* NULL after the last; the line's own */
    size_t count, room;
    bool failed; /* there was no memory: the line is not whole */
};

/* Add a word. */
void line_add(struct line *line, const char *format, ...) PFIFO_PRINTF(2, 3);
/* Add these, up to NULL. */
void line_add_words(struct line *line, char *const *words);
void line_free(struct line *line);

/* As a shell reads it. */
void line_print(const struct line *line, FILE *file);

/* What QEMU is to be given, from version 10.1 on, for a card behind a socket of vfio-user. */
void line_add_vfio_user(struct line *line, unsigned memory_mib, const char *socket);

#endif
