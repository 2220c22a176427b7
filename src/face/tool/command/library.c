/* SPDX-License-Identifier: MIT */
#include "face/tool/command/library.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

/* What is loaded stays: others may have pointers into it, such as the handlers at the end of the process. */
bool library_load(const char *file, const struct library_function *functions, size_t count, void *members) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

    for (size_t i = 0; library && i < count; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function)
            return false;
        memcpy((uint8_t *)members + i * sizeof function, &function, sizeof function);
    }
    return library != NULL;
}
