/* SPDX-License-Identifier: MIT */
/*
 * Suggestions for a name that does not exist.
 *
 *   struct pfifo_nearest nearest;
 *   pfifo_nearest_begin(&nearest, "CLAER_SURFACE");
 *   pfifo_nearest_method(&nearest, NULL);
 *   if (nearest.name[0]) printf("did you mean '%s'?\n", nearest.name);
 *
 * A missing, extra or different character counts one, and so do two neighbours that are swapped; upper and lower case
 * are the same. Of equally near names the first one tried is kept; names that are further than a quarter of the name
 * and two more are not. No call allocates; a try costs at most 80 steps per character of the name.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_NEAREST_H
#define PFIFO_NEAREST_H

#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a name with its end: longer ones are never suggested. */
#define PFIFO_NEAREST_BYTES 80

struct pfifo_nearest {
    const char *wanted;             /* the caller's: it must stay */
    unsigned distance;              /* of `name`, or one more than what would still be near */
    char name[PFIFO_NEAREST_BYTES]; /* empty: nothing is near */
};

PFIFO_API void pfifo_nearest_begin(struct pfifo_nearest *nearest, const char *wanted);

/* Try a name. NULL does nothing. */
PFIFO_API void pfifo_nearest_try(struct pfifo_nearest *nearest, const char *name);

/* Try the names and aliases of all classes. */
PFIFO_API void pfifo_nearest_class(struct pfifo_nearest *nearest);

/* Those of all methods, or of the methods of a class (pfifo_class_by_name()). NULL: of all classes. */
PFIFO_API void pfifo_nearest_method(struct pfifo_nearest *nearest, const char *of_class);

/* The names of all events, and of what the decoder sees (pfifo_decode_kind_name()). */
PFIFO_API void pfifo_nearest_event(struct pfifo_nearest *nearest);

#ifdef __cplusplus
}
#endif

#endif
