/* SPDX-License-Identifier: MIT */
/*
 * RTLD_NEXT does not find what a program has loaded for a library of its own (Mesa's are), so each is asked for by its
 * name: that gives the one that the program has.
 */
#include "face/drm/window/x11.h"

#include <dlfcn.h>
#include <stdlib.h>

void *x11_try(enum x11_library library, const char *name) {
    static const char *const files[] = {[X11_CORE] = "libxcb.so.1",
                                        [X11_DRI3] = "libxcb-dri3.so.0",
                                        [X11_PRESENT] = "libxcb-present.so.0",
                                        [X11_SYNC] = "libxcb-sync.so.1",
                                        [X11_XSHMFENCE] = "libxshmfence.so.1"};
    void *handle = dlopen(files[library], RTLD_LAZY | RTLD_LOCAL);
    return handle ? dlsym(handle, name) : NULL;
}

void *x11_find(_Atomic(void *) *cache, enum x11_library library, const char *name) {
    void *function = atomic_load_explicit(cache, memory_order_relaxed);
    if (!function) {
        function = x11_try(library, name);
        if (!function)
            abort();
        atomic_store_explicit(cache, function, memory_order_relaxed);
    }
    return function;
}
