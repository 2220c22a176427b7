/* SPDX-License-Identifier: MIT */
/* The programs of vulkan-tests. Each returns if everything is right, and else ends its process. */
#ifndef TESTS_VULKAN_PROGRAMS_PROGRAMS_H
#define TESTS_VULKAN_PROGRAMS_PROGRAMS_H

#include "vulkan/rig/rig.h"

#define PROGRAM(name, options) void program_##name(struct rig *rig);
#include "vulkan/programs/programs.def"
#undef PROGRAM

#endif
