/* SPDX-License-Identifier: MIT */
/*
 * Names as programs' sources have them, with the class before the method:
 *
 *   NV097_SET_SURFACE_FORMAT, NV4097_...   NVIDIA's headers, nxdk, xemu, RPCS3: the class in hexadecimal
 *   NV40TCL_RT_FORMAT                      the first nouveau: the first class of a generation
 *   NV40_3D_RT_FORMAT, NVC0_3D_...         envytools' rnndb, Mesa: the name of the class
 */
#include <pfifo/classes.h>

#include "classes/tables.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* nouveau_class.h of Linux 2.6.33 to 3.6; then the prefixes of Mesa's headers that are no name of a class here. */
static const struct {
    const char *prefix;
    uint32_t class_id;
} prefixes[] = {
    {"NV10TCL_", 0x0056}, {"NV11TCL_", 0x0096},      {"NV17TCL_", 0x0099},   {"NV20TCL_", 0x0097},
    {"NV25TCL_", 0x0597}, {"NV30TCL_", 0x0397},      {"NV34TCL_", 0x0697},   {"NV35TCL_", 0x0497},
    {"NV40TCL_", 0x4097}, {"NV44TCL_", 0x4497},      {"NV50TCL_", 0x5097},   {"NV54TCL_", 0x8297},
    {"NV50_3D_", 0x5097}, {"NV50_2D_", 0x502d},      {"NV50_M2MF_", 0x5039}, {"NV50_COMPUTE_", 0x50c0},
    {"NVC0_3D_", 0x9097}, {"NVC0_2D_", 0x902d},      {"NVC0_M2MF_", 0x9039}, {"NVC0_COMPUTE_", 0x90c0},
    {"NVE4_3D_", 0xa097}, {"NVE4_COMPUTE_", 0xa0c0}, {"NVE4_P2MF_", 0xa040},
};

static const char *after(const char *text, const char *prefix) {
    size_t bytes = strlen(prefix);

    return strncasecmp(text, prefix, bytes) == 0 ? text + bytes : NULL;
}

/* "NV097_", "NVC597_". */
static const char *after_number(const char *text, uint32_t class_id) {
    size_t digits = strspn(text + 2, "0123456789abcdefABCDEF");
    char *end;

    if (digits < 3 || digits > 4 || text[2 + digits] != '_')
        return NULL;
    return strtoul(text + 2, &end, 16) == class_id ? end + 1 : NULL;
}

/* "NV40_3D_". */
static const char *after_name(const char *text, const char *name) {
    const char *rest = name ? after(text, name) : NULL;

    return rest && *rest == '_' ? rest + 1 : NULL;
}

const char *classes_without_prefix(uint32_t class_id, const char *text) {
    const struct pfifo_class *class = pfifo_class_find(class_id);
    const char *rest;

    if (!class || strncasecmp(text, "NV", 2) != 0)
        return NULL;
    rest = after_number(text, class_id);
    for (size_t i = 0; !rest && i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (prefixes[i].class_id == class_id)
            rest = after(text, prefixes[i].prefix);
    rest = rest ? rest : after_name(text, class->name);
    rest = rest ? rest : after_name(text, class->alias);
    return rest && *rest ? rest : NULL;
}
