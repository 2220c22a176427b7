/* SPDX-License-Identifier: MIT */
/* Runs the programs of vulkan-tests on a driver of Mesa. */
#ifndef TESTS_VULKAN_PROGRAMS_H
#define TESTS_VULKAN_PROGRAMS_H

#include <stdbool.h>

/* The file of a driver that the loader is given, to be freed; `pattern` is a part of a path. NULL: it is not installed, or
 * vulkan-tests was not built. */
char *programs_driver(const char *pattern);

/*
 * All of them, each in a process of its own, with this driver; `chip`: on the model, where everything must be executed, and
 * nothing may fault. NULL: it is lavapipe, and not on the model. What known.list has is left out. Prints which were skipped
 * and why, and how many passed. PFIFO_VULKAN_PROGRAMS, a pattern: only those. False: one failed, or of all none passed.
 */
bool programs_run(const char *driver, const char *chip);

#endif
