/* SPDX-License-Identifier: MIT */
/* What glslang has made of shaders/; the table is made by meson.build. */
#ifndef TESTS_VULKAN_SHADERS_H
#define TESTS_VULKAN_SHADERS_H

#include <stddef.h>
#include <stdint.h>

struct shader {
    const char *name;
    const uint32_t *words;
    size_t bytes;
};

extern const struct shader shaders[]; /* ends with a row without a name */

#endif
