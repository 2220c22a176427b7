/* SPDX-License-Identifier: MIT */
/*
 * The functions of libc that this library stands before. REAL(open)(path, ...) is the next one of the name, which may
 * be called at any time, before constructors and from any thread.
 */
#ifndef PFIFO_SRC_FACE_DRM_REAL_H
#define PFIFO_SRC_FACE_DRM_REAL_H

#include <stdatomic.h>

/* The next function of a name, found once. A name that is not there ends the program: nothing else could be called. */
void *real_find(_Atomic(void *) *cache, const char *name);

// NOLINTBEGIN(bugprone-macro-parentheses): a type
#define REAL_OF(name, type)                                                                                            \
    __extension__({                                                                                                    \
        static _Atomic(void *) cache_;                                                                                 \
        (type) real_find(&cache_, name);                                                                               \
    })
#define REAL(function) REAL_OF(#function, __typeof__(&function))
// NOLINTEND(bugprone-macro-parentheses)

/* A function that programs see in the place of libc's. */
#define SHIM __attribute__((visibility("default")))

#endif
