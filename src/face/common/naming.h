/* SPDX-License-Identifier: MIT */
/* Whose names the process prints methods by: one choice, for all that it prints. */
#ifndef PFIFO_SRC_FACE_COMMON_NAMING_H
#define PFIFO_SRC_FACE_COMMON_NAMING_H

#include <pfifo/classes.h>

/* Before anything is printed. */
void naming_set(enum pfifo_names names);
enum pfifo_names naming(void);

/* "nvidia", "nouveau", "nxdk". False: it is none of them. */
bool naming_parse(const char *text, enum pfifo_names *names);
/* The same backwards; NULL: each class has its own. */
const char *naming_text(enum pfifo_names names);

/* pfifo_method_format_as() in these names. */
size_t naming_method(const struct pfifo_method_name *method, char *buf, size_t size);

#endif
