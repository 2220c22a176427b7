/* SPDX-License-Identifier: MIT */
#include "engine/core/illegal.h"

#include <assert.h>

#include "engine/core/error.h"
#include "fifo/fifo.h"
#include "methods/gf100_3d.h"
#include "methods/nv1_2d.h"
#include "methods/nv20_3d.h"
#include "unit/graph/graph.h"

#define PM_TRIGGER_ENABLE (1u << 15) /* DEBUG_3 */
#define FLIP_ENABLE       (1u << 25)

static enum action_result illegal_refuse(struct call *call) {
    return call_error(call, ENGINE_ERROR_ILLEGAL_METHOD);
}

static enum action_result leave_to_driver(struct call *call) {
    return call_error(call, ENGINE_ERROR_MISSING_HW);
}

static enum action_result refuse_unless_enabled(struct call *call) {
    const uint32_t *bit = call->action->argument;
    return graph_debug_3(call->engine->graph, *bit) ? ACTION_DONE : illegal_refuse(call);
}

static const uint32_t pm_trigger_enable = PM_TRIGGER_ENABLE, flip_enable = FLIP_ENABLE;

static const struct action no_method = {.type = ACTION_EFFECT, .run = illegal_refuse};
static const struct action no_hardware = {.type = ACTION_EFFECT, .run = leave_to_driver};
static const struct action pm_trigger = {
    .method = NV1_BLIT_PM_TRIGGER, .type = ACTION_EFFECT, .run = refuse_unless_enabled, .argument = &pm_trigger_enable};
static const struct action flip = {.method = NV20_3D_FLIP_SET_READ,
                                   .count = 4,
                                   .type = ACTION_EFFECT,
                                   .run = refuse_unless_enabled,
                                   .argument = &flip_enable};

/* SET_SHADER_EXCEPTIONS: documented, and the kernel does it. */
static const struct action shader_exceptions = {
    .method = GF100_3D_SET_SHADER_EXCEPTIONS, .type = ACTION_EFFECT, .run = illegal_refuse};

static void add_condition(struct action_index *index, const struct method_list *list, const struct action *action) {
    uint8_t number = action_index_row(index, action);
    for (uint32_t i = 0; i < (action->count ? action->count : 1u); i++)
        if (method_list_has(list->exists, action->method + 4 * i))
            action_index_set(index, (action->method >> 2) + i, number);
}

void illegal_add(struct action_index *index, const struct engine_family *family, const struct method_list *list) {
    uint8_t refused = action_index_row(index, family->no_method ? family->no_method : &no_method);
    uint8_t missing = action_index_row(index, &no_hardware);
    assert(index->words == METHOD_LIST_WORDS);
    for (uint32_t word = 0; word < METHOD_LIST_WORDS; word++) {
        if (!method_list_has(list->exists, word << 2) || method_list_has(list->by_driver, word << 2))
            action_index_set(index, word, refused);
        else if (method_list_has(list->missing_hw, word << 2))
            action_index_set(index, word, missing);
    }
    if (!index->kind->pm_trigger_is_open)
        add_condition(index, list, &pm_trigger);
    if (index->kind->flips_are_guarded)
        add_condition(index, list, &flip);
}

void illegal_add_kernel_methods(struct action_index *index) {
    if (index->kind->role == ROLE_3D || index->kind->role == ROLE_COMPUTE)
        action_index_set(index, shader_exceptions.method >> 2, action_index_row(index, &shader_exceptions));
}
