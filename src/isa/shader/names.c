/* SPDX-License-Identifier: MIT */
/* Names of values. */
#include "isa/shader/text.h"

#include <assert.h>

#define NAMES(table, ...) static const char *const names_##table[] = {__VA_ARGS__};
#include "isa/shader/text_names.def"
#undef NAMES

#define NAMED(names)                                                                                                   \
    { names, sizeof(names) / sizeof((names)[0]) }

static const struct {
    const char *const *names;
    uint8_t count;
} tables[] = {
    [ISA_NAMES_NONE] = {NULL, 0},
#define NAMES(table, ...) [ISA_NAMES_##table] = NAMED(names_##table),
#include "isa/shader/text_names.def"
#undef NAMES
};

/* UNKNOWN: what nvdisasm calls values that public listings do not have; chosen: the names of envytools and NAK */
const char *isa_name(unsigned table, uint64_t value) {
    assert(table < ISA_NAMES_COUNT);
    return value < tables[table].count ? tables[table].names[value] : NULL;
}
