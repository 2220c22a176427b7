/* SPDX-License-Identifier: MIT */
/*
 * Compute objects of Fermi and later: reports, launches, and the inline window of GK104 and later.
 *
 * Sources: NVIDIA open-gpu-doc classes/compute; envytools rnndb/graph/gf100_compute.xml.
 */
#include "engine/compute/launch.h"
#include "engine/compute/object.h"
#include "engine/copy/inline.h"
#include "engine/graph/constants.h"
#include "engine/kinds.h"
#include "engine/core/predicate.h"
#include "methods/gf100_compute.h"

static const struct action fermi_actions[] = {
    {.method = GF100_COMPUTE_LAUNCH, .type = ACTION_EFFECT, .run = launch_gf100}, {0}};

#define PCAS                                                                                                           \
    { .method = GF100_COMPUTE_SEND_SIGNALING_PCAS_B, .type = ACTION_EFFECT, .run = launch_gk104 }
#define INLINE_QMD(words, function)                                                                                    \
    { .method = GF100_COMPUTE_LOAD_INLINE_QMD_DATA(0), .count = (words), .type = ACTION_EFFECT, .run = (function) }

static const struct action kepler_actions[] = {PCAS, {0}};
static const struct action pascal_actions[] = {PCAS, INLINE_QMD(64, launch_inline_qmd), {0}};
static const struct action ampere_actions[] = {
    PCAS,
    {.method = GF100_COMPUTE_SEND_SIGNALING_PCAS2_B, .type = ACTION_EFFECT, .run = launch_ga100},
    INLINE_QMD(64, launch_inline_qmd),
    {0}};
static const struct action hopper_actions[] = {
    PCAS,
    {.method = GF100_COMPUTE_SEND_SIGNALING_PCAS2_B, .type = ACTION_EFFECT, .run = launch_ga100},
    INLINE_QMD(96, launch_inline_qmd_gh100),
    {0}};

/* As nouveau's contexts have it (nvkm/engine/gr/ctxgf100.c), and no condition. */
static const struct method_reset fermi_resets[] = {PREDICATE_RESET(GF100_COMPUTE_SET_GLOBAL_RENDER_ENABLE_C),
                                                   PREDICATE_RESET(GF100_COMPUTE_SET_RENDER_ENABLE_C),
                                                   {GF100_COMPUTE_SET_RENDER_ENABLE_CONTROL, 1},
                                                   {0}};

static const struct method_reset kepler_resets[] = {
    PREDICATE_RESET(GF100_COMPUTE_SET_GLOBAL_RENDER_ENABLE_C), PREDICATE_RESET(GF100_COMPUTE_SET_RENDER_ENABLE_C), {0}};

#define KIND_COMPUTE(text, address_bits, ...)                                                                          \
    { .name = (text), .role = ROLE_COMPUTE, .report_bits = (address_bits), __VA_ARGS__ }
#define QMD_KIND(text, report_width, inline_width, level, ...)                                                         \
    KIND_COMPUTE(text, report_width, .resets = kepler_resets, .reports = (level), .inline_bits = (inline_width),       \
                 .parts = {INLINE_PARTS, &compute_object_part}, .progress_bytes = sizeof(struct grid_progress),        \
                 .groups = {__VA_ARGS__})
#define QMD_GROUPS(launches)                                                                                           \
    notify_gf100_actions, predicate_global_actions, report_compute_actions, (launches), inline_gk104_actions
#define GA102_GROUPS macro_actions, macro_dma_actions, report_ga102_compute_actions

const struct kind kind_fermi_compute =
    KIND_COMPUTE("Fermi compute", 8, .resets = fermi_resets, .parts = {&constants_gf100_part, &compute_object_part},
                 .progress_bytes = sizeof(struct grid_progress),
                 .groups = {notify_gf100_actions, predicate_global_actions, report_compute_actions, fermi_actions,
                            compute_slots_actions, constants_gf100_compute_actions, macro_actions});
const struct kind kind_kepler_compute = QMD_KIND("Kepler compute", 8, 8, REPORTS_GK104, QMD_GROUPS(kepler_actions));
const struct kind kind_pascal_compute = QMD_KIND("Pascal compute", 8, 17, REPORTS_GK104, QMD_GROUPS(pascal_actions));
const struct kind kind_tu102_compute = QMD_KIND("TU102 compute", 8, 17, REPORTS_TU102, QMD_GROUPS(pascal_actions));
const struct kind kind_ga100_compute = QMD_KIND("GA100 compute", 8, 17, REPORTS_TU102, QMD_GROUPS(ampere_actions));
const struct kind kind_ga102_compute =
    QMD_KIND("GA102 compute", 8, 17, REPORTS_GA102, QMD_GROUPS(ampere_actions), GA102_GROUPS);
const struct kind kind_hopper_compute =
    QMD_KIND("Hopper compute", 25, 25, REPORTS_GA102, QMD_GROUPS(hopper_actions), GA102_GROUPS);
