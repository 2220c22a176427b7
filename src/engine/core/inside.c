/* SPDX-License-Identifier: MIT */
#include "engine/core/inside.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/core/error.h"
#include "event/event.h"
#include "fifo/fifo.h"

static enum action_result inside_refuse(struct call *call) {
    return call_error(call, ENGINE_ERROR_BEGIN_END_ACTIVE);
}

static enum action_result inside_ignore(struct call *call) {
    event_send(call->engine->fifo->events, EVENT_ENGINE_IGNORED, call->channel->id, "between BEGIN and END",
               call->object->object_class, call->method, call->data, 0);
    return ACTION_DONE;
}

static const struct action refused = {.type = ACTION_UNSTORED, .run = inside_refuse};
static const struct action ignored = {.type = ACTION_UNSTORED, .run = inside_ignore};

/* Methods that the class has not at all stay refused for that. */
static void add(struct action_index *inside, const struct method_list *list, const uint64_t *bits,
                const struct action *action) {
    uint8_t number = action_index_row(inside, action);
    for (uint32_t word = 0; word < METHOD_LIST_WORDS; word++)
        if (method_list_has(bits, word << 2) && method_list_has(list->exists, word << 2))
            action_index_set(inside, word, number);
}

static bool any(const uint64_t *bits) {
    for (unsigned i = 0; i < METHOD_LIST_WORDS / 64; i++)
        if (bits[i])
            return true;
    return false;
}

bool inside_add(struct action_index *index, const struct method_list *list) {
    if (!any(list->refused_inside) && !any(list->ignored_inside))
        return true;
    struct action_index *inside = malloc(sizeof *inside);
    if (!inside)
        return false;
    *inside = *index;
    add(inside, list, list->refused_inside, &refused);
    add(inside, list, list->ignored_inside, &ignored);
    inside->outside = index;
    index->inside = inside;
    return true;
}

void inside_enter(struct object *object) {
    if (object->index->inside)
        object->index = object->index->inside;
}

void inside_leave(struct object *object) {
    if (object->index->outside)
        object->index = object->index->outside;
}
