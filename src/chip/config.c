/* SPDX-License-Identifier: MIT */
#include "chip/config.h"

#include <string.h>

static bool config_all_zero(const uint8_t *data, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (data[i])
            return false;
    return true;
}

enum pfifo_status config_read(void *to, size_t bytes, const void *from, size_t first, const char *what,
                              struct pfifo_error *error) {
    size_t size;
    memcpy(&size, from, sizeof size);
    if (size == 0)
        size = first;
    if (size < first)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s has a size of %zu bytes, and at least %zu", what, size,
                               first);
    if (size > bytes && !config_all_zero((const uint8_t *)from + bytes, size - bytes))
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                               "%s asks for something that this version of the library does not have", what);
    memset(to, 0, bytes);
    memcpy(to, from, size < bytes ? size : bytes);
    memcpy(to, &bytes, sizeof bytes);
    return PFIFO_OK;
}
