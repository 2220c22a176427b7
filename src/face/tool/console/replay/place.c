/* SPDX-License-Identifier: MIT */
/* Places to come back to: a mark of the replay, and what the debugger knows of the place beyond it. */
#include "face/tool/console/replay/debug.h"
#include "face/tool/console/shader/shader.h"

#include <stdlib.h>
#include <string.h>

bool debug_place_keep(struct debug *debug, struct debug_place *place, size_t most) {
    *place = (struct debug_place){.mark = pfifo_replay_mark_new(debug->replay, most),
                                  .counts = debug->counts,
                                  .steps = debug->steps,
                                  .channel = debug->channel,
                                  .sequence = debug->sequence,
                                  .objects = debug->objects};
    memcpy(place->methods_at, debug->methods_at, sizeof place->methods_at);
    memcpy(place->seen, debug->seen, sizeof place->seen);
    return place->mark;
}

bool debug_place_return(struct debug *debug, const struct debug_place *place) {
    if (!pfifo_replay_mark_return(place->mark, debug->replay))
        return false;
    shader_leave(&debug->console);
    debug->counts = place->counts;
    debug->steps = place->steps;
    memcpy(debug->methods_at, place->methods_at, sizeof debug->methods_at);
    debug->channel = place->channel;
    debug->sequence = place->sequence;
    debug->objects = place->objects;
    memcpy(debug->seen, place->seen, sizeof debug->seen);
    debug->fault_kinds = pfifo_replay_result(debug->replay)->fault_kinds;
    debug->ended = false;
    debug_look(debug);
    return true;
}

void debug_place_forget(struct debug_place *place) {
    pfifo_replay_mark_free(place->mark);
    place->mark = NULL;
}
