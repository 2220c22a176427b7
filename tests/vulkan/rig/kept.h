/* SPDX-License-Identifier: MIT */
#ifndef TESTS_VULKAN_KEPT_H
#define TESTS_VULKAN_KEPT_H

struct rig;

/* All of it, the last first. */
void kept_destroy(struct rig *rig);

#endif
