/* SPDX-License-Identifier: MIT */
#include "face/drm/shim/real.h"

#include <dlfcn.h>
#include <stdlib.h>

void *real_find(_Atomic(void *) *cache, const char *name) {
    void *function = atomic_load_explicit(cache, memory_order_relaxed);
    if (!function) {
        function = dlsym(RTLD_NEXT, name);
        if (!function)
            abort();
        atomic_store_explicit(cache, function, memory_order_relaxed);
    }
    return function;
}
