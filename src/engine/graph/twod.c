/* SPDX-License-Identifier: MIT */
/*
 * The 2D object of Tesla (502d) and of everything since (902d): it has no semaphores of its own, only notifiers.
 * Pixels from the CPU report where the upload begins, not each word.
 *
 * Sources: NVIDIA open-gpu-doc classes/twod/cl502d.h, cl902d.h; envytools rnndb/graph/g80_2d.xml.
 */
#include "engine/kinds.h"

static const struct action draw_actions[] = {
    {.method = 0x5e0, .type = ACTION_NOT_EXECUTED},                           /* a vertex of a solid primitive */
    {.method = 0x604, .count = 64, .stride = 8, .type = ACTION_NOT_EXECUTED}, /* the same, 32 bits: its y */
    {.method = 0x85c, .type = ACTION_NOT_EXECUTED},                           /* pixels from CPU: destination y */
    {.method = 0x8dc, .type = ACTION_NOT_EXECUTED},                           /* pixels from memory: source y */
    {0}};

const struct kind kind_tesla_2d = {
    .name = "Tesla 2D", .role = ROLE_2D, .report_bits = 8, .groups = {notify_nv4_actions, draw_actions}};
const struct kind kind_fermi_2d = {
    .name = "2D", .role = ROLE_2D, .report_bits = 8, .groups = {notify_gf100_actions, draw_actions, macro_actions}};
