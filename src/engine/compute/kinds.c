/* SPDX-License-Identifier: MIT */
/*
 * Compute objects of Fermi and later: reports, launches, and the inline window from GK104 on.
 *
 * Sources: NVIDIA open-gpu-doc classes/compute; envytools rnndb/graph/gf100_compute.xml.
 */
#include "engine/compute/launch.h"
#include "engine/graph/constants.h"
#include "engine/kinds.h"
#include "engine/predicate.h"

static const struct action fermi_actions[] = {{.method = 0x0368, .type = ACTION_EFFECT, .run = launch_gf100}, {0}};

#define PCAS                                                                                                           \
    { .method = 0x2bc, .type = ACTION_EFFECT, .run = launch_gk104 }
#define INLINE_QMD(words, function)                                                                                    \
    { .method = 0x320, .count = (words), .type = ACTION_EFFECT, .run = (function) }

static const struct action kepler_actions[] = {PCAS, {0}};
static const struct action pascal_actions[] = {PCAS, INLINE_QMD(64, launch_inline_qmd), {0}};
static const struct action ampere_actions[] = {
    PCAS, {.method = 0x2c0, .type = ACTION_EFFECT, .run = launch_ga100}, INLINE_QMD(64, launch_inline_qmd), {0}};
static const struct action hopper_actions[] = {
    PCAS, {.method = 0x2c0, .type = ACTION_EFFECT, .run = launch_ga100}, INLINE_QMD(96, launch_inline_qmd_gh100), {0}};

/* As nouveau's contexts have it (nvkm/engine/gr/ctxgf100.c), and no condition. */
static const struct method_reset fermi_resets[] = {PREDICATE_RESET(0x138), PREDICATE_RESET(0x1558), {0x30c, 1}, {0}};

static const struct method_reset kepler_resets[] = {PREDICATE_RESET(0x138), PREDICATE_RESET(0x1558), {0}};

const struct kind kind_fermi_compute = {.name = "Fermi compute",
                                        .role = ROLE_COMPUTE,
                                        .report_bits = 8,
                                        .resets = fermi_resets,
                                        .extra_words = CONSTANTS_GF100_WORDS,
                                        .groups = {notify_gf100_actions, report_compute_actions, fermi_actions,
                                                   constants_gf100_compute_actions, macro_actions}};
const struct kind kind_kepler_compute = {
    .name = "Kepler compute",
    .role = ROLE_COMPUTE,
    .resets = kepler_resets,
    .reduces = true,
    .report_bits = 8,
    .inline_bits = 8,
    .groups = {notify_gf100_actions, report_compute_actions, kepler_actions, inline_gk104_actions}};
const struct kind kind_pascal_compute = {
    .name = "Pascal compute",
    .role = ROLE_COMPUTE,
    .resets = kepler_resets,
    .reduces = true,
    .report_bits = 8,
    .inline_bits = 17,
    .groups = {notify_gf100_actions, report_compute_actions, pascal_actions, inline_gk104_actions}};
const struct kind kind_ga100_compute = {
    .name = "GA100 compute",
    .role = ROLE_COMPUTE,
    .resets = kepler_resets,
    .reduces = true,
    .report_bits = 8,
    .inline_bits = 17,
    .groups = {notify_gf100_actions, report_compute_actions, ampere_actions, inline_gk104_actions}};
const struct kind kind_ga102_compute = {.name = "GA102 compute",
                                        .role = ROLE_COMPUTE,
                                        .resets = kepler_resets,
                                        .reduces = true,
                                        .report_bits = 8,
                                        .inline_bits = 17,
                                        .groups = {notify_gf100_actions, report_compute_actions, ampere_actions,
                                                   inline_gk104_actions, macro_actions, macro_dma_actions,
                                                   report_ga102_compute_actions}};
const struct kind kind_hopper_compute = {.name = "Hopper compute",
                                         .role = ROLE_COMPUTE,
                                         .resets = kepler_resets,
                                         .reduces = true,
                                         .report_bits = 25,
                                         .inline_bits = 25,
                                         .groups = {notify_gf100_actions, report_compute_actions, hopper_actions,
                                                    inline_gk104_actions, macro_actions, macro_dma_actions,
                                                    report_ga102_compute_actions}};
