/* SPDX-License-Identifier: MIT */
#include "face/common/naming.h"

#include <string.h>

static const char *const texts[] = {
    [PFIFO_NAMES_NVIDIA] = "nvidia", [PFIFO_NAMES_NOUVEAU] = "nouveau", [PFIFO_NAMES_NXDK] = "nxdk"};

static enum pfifo_names chosen; /* of the process */

void naming_set(enum pfifo_names names) {
    chosen = names;
}

enum pfifo_names naming(void) {
    return chosen;
}

bool naming_parse(const char *text, enum pfifo_names *names) {
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i] && strcmp(texts[i], text) == 0) {
            *names = (enum pfifo_names)i;
            return true;
        }
    return false;
}

const char *naming_text(enum pfifo_names names) {
    return texts[names];
}

size_t naming_method(const struct pfifo_method_name *method, char *buf, size_t size) {
    return pfifo_method_format_as(method, chosen, buf, size);
}
