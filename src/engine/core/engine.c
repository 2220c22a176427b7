/* SPDX-License-Identifier: MIT */
/*
 * The engine that gets the puller's methods: runs of methods, and attaching engines.
 *
 * Plain words are copied; methods with an action are found by the bitmap of the class's kind. Effects outside the
 * engine happen only at the head of a run (see pfifo/engine.h). An event is such an effect: methods that send
 * engine.not_executed end a run while somebody observes it, and are plain otherwise.
 */
#include "engine/core/register_file.h"

#include <assert.h>

#include "engine/core/action.h"
#include "engine/core/error.h"
#include "engine/core/foreign.h"
#include "engine/core/plug.h"
#include "engine/core/shadow.h"
#include "engine/core/work.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "unit/graph/graph.h"

/* Keep it out of the path of runs that only set state. */
#define COLD __attribute__((noinline, cold))

#define UNIT_OPS(text)                                                                                                 \
    {                                                                                                                  \
        .name = (text), .bind = engine_bind_class, .methods = methods, .channel_gone = engine_channel_gone,            \
        .method_value = engine_method_value, .waits_for = engine_waits_for, .busy = engine_busy, .free = engine_free,  \
        .save = engine_save, .load = engine_load                                                                       \
    }

/* An embedder's class is not looked for in tables. */
static bool checks_class(const struct engine *engine, const struct object *object) {
    return engine->unit == CHIP_UNIT_PGRAPH && engine->family->checks_classes && !object->plug;
}

static bool engine_bind_class(void *opaque, const struct pfifo_channel_context *channel, unsigned subchannel,
                              uint32_t object_class, uint32_t object) {
    struct engine *engine = opaque;
    if (engine->family->software_class && (object_class & 0xff) == engine->family->software_class)
        return false;
    if (!plug_takes(engine, channel, subchannel, object_class, object))
        return false;
    struct object *bound = engine_bind(engine, channel, subchannel, object_class);
    if (bound)
        engine_channel(engine, channel)->bound[subchannel & (ENGINE_SUBCHANNELS - 1)] = object;
    if (bound && !bound->foreign_reported) {
        bound->foreign_reported = true;
        if (class_is_foreign(engine->fifo->chip, object_class))
            event_send(engine->fifo->events, EVENT_ENGINE_FOREIGN_CLASS, channel->id, NULL, subchannel, object_class);
    }
    if (bound && checks_class(engine, bound) && class_is_nobodys(object_class))
        engine_class_error(engine, channel, subchannel, bound);
    return bound != NULL;
}

/* The first set bit at or after `word`; `end` if there is none before it. */
static inline uint32_t next_action(const uint64_t *bits, uint32_t word, uint32_t end) {
    uint32_t at = word >> 6, last = (end - 1) >> 6;
    uint64_t found = bits[at] & UINT64_MAX << (word & 63);
    while (!found && at < last)
        found = bits[++at];
    if (!found)
        return end;
    uint32_t first = (at << 6) + (uint32_t)__builtin_ctzll(found);
    return first < end ? first : end;
}

/* Store words as long as they only set state. */
static inline uint32_t store_plain(const struct engine *engine, struct object *object, const uint64_t *bits,
                                   uint32_t word, uint32_t step, const uint32_t *data, uint32_t count) {
    if (step == 0) {
        if (bits[word >> 6] >> (word & 63) & 1)
            return 0;
        object_set(object, word, data[count - 1]);
        return count;
    }
    uint32_t end = engine->words - word < count ? engine->words : word + count;
    uint32_t plain = next_action(bits, word, end) - word;
    if (plain)
        object_set_words(object, word, data, plain);
    return plain;
}

/* Without memory for its register file a method can only say that it was lost. */
static COLD uint32_t no_memory(const struct engine *engine, const struct pfifo_methods *run) {
    event_send(engine->fifo->events, EVENT_ENGINE_NOT_EXECUTED, run->channel->id, NULL, 0, run->method, run->data[0],
               0);
    return 1;
}

/* Execute the method at the head of a run. False: it stalls. */
static bool engine_execute(struct call *call) {
    const struct action *action = call->action;
    assert(action);
    assert(action->type == ACTION_UNSTORED || call->object->value[call->method >> 2] == call->data);
    if (action->type == ACTION_NOT_EXECUTED || (action->type == ACTION_NOT_EXECUTED_BEGIN && call->data))
        call_work_not_executed(call, action->run ? NULL : action->argument);
    return !action->run || action->run(call) == ACTION_DONE;
}

static inline struct call call_at(struct engine *engine, const struct pfifo_methods *run, struct object *object,
                                  uint32_t word, uint32_t data) {
    assert(word < engine->words);
    engine->status = 0;
    if (object->work.under_way)
        work_meets_data(object, word << 2, data);
    return (struct call){.engine = engine,
                         .channel = run->channel,
                         .object = object,
                         .action = object->index->row[object->index->number[word]],
                         .subchannel = run->subchannel,
                         .method = (uint16_t)(word << 2),
                         .data = data};
}

/* Before it is executed. */
static inline void store(const struct call *call, uint32_t word) {
    if (!call->action || call->action->type != ACTION_UNSTORED)
        object_set(call->object, word, call->data);
}

/* A notifier is due after this method, so the method has an effect outside the engine. */
static COLD uint32_t one_with_notify(struct engine *engine, const struct pfifo_methods *run, struct object *object) {
    uint32_t word = run->method >> 2 & (engine->words - 1);
    struct call call = call_at(engine, run, object, word, run->data[0]);
    if (!(object->index->has_row[word >> 6] >> (word & 63) & 1))
        call.action = NULL;
    store(&call, word);
    if (call.action && !(call.action->absorb && call.action->absorb(object, run->data, 1)) && !engine_execute(&call))
        return 0;
    if (!engine->family->notifiers->ignores(&call))
        engine->family->notifiers->fire(&call);
    return 1;
}

/* The words of a run, beginning with word `at`, that go to the same method. */
static inline uint32_t same_method(const struct pfifo_methods *run, uint32_t at) {
    return run->step ? 1 : run->count - at;
}

/* How many words at the head of a run an action takes at once, 0: none. */
static uint32_t burst(struct call *call, const struct pfifo_methods *run, uint32_t word) {
    const struct action *action = call->action;
    uint32_t end = (action->method >> 2) + action->count, most = run->count;
    if (run->step)
        most = end - word < most ? end - word : most;
    uint32_t taken = most > 1 ? action->burst(call, run->data, most) : 0;
    assert(taken <= most);
    for (uint32_t i = 0; i < taken; i++)
        object_set(call->object, word + (run->step ? i : 0), run->data[i]);
    return taken;
}

/* Execute the action at `at`. Returns how many words it took; 0: it stalls, or must be the first of a run. */
static uint32_t engine_act(struct engine *engine, const struct pfifo_methods *run, struct object *object, uint32_t word,
                           uint32_t at) {
    struct call call = call_at(engine, run, object, word, run->data[at]);
    uint32_t absorbed = call.action->absorb ? call.action->absorb(object, run->data + at, same_method(run, at)) : 0;
    assert(absorbed <= run->count - at);
    if (absorbed) {
        object_set(object, word, run->data[at + absorbed - 1]);
        return absorbed;
    }
    if (at != 0 && call.action->type != ACTION_INSIDE)
        return 0;
    store(&call, word);
    engine->effect = call.action->type != ACTION_INSIDE && call.action->run;
    uint32_t together = call.action->burst && at == 0 ? burst(&call, run, word) : 0;
    return together ? together : engine_execute(&call) ? 1 : 0;
}

/* Words of a shadowed object: those that only set state, or one that does something. */
static COLD uint32_t run_shadowed(struct engine *engine, const struct pfifo_methods *run, struct object *object,
                                  uint32_t first) {
    const uint64_t *bits = object->index->has_row;
    for (uint32_t at = 0; at < run->count; at++) {
        uint32_t word = run->step ? (first + at) & (engine->words - 1) : first;
        bool acts = bits[word >> 6] >> (word & 63) & 1;
        if (acts && at > 0)
            return at;
        uint32_t data = shadow_pass(object, word, run->data[at]);
        if (acts) {
            const struct pfifo_methods one = {&data, 1, run->method, run->step, run->subchannel, run->channel};
            uint32_t taken = engine_act(engine, &one, object, word, 0);
            engine->effect = false;
            return taken;
        }
        object_set(object, word, data);
    }
    return run->count;
}

enum action_result engine_send(const struct call *call, uint16_t method, uint32_t data, bool *effect) {
    struct engine *engine = call->engine;
    struct object *object = call->object;
    uint32_t word = method >> 2 & (engine->words - 1);
    bool outer = engine->effect;
    if (object->shadowed)
        data = shadow_pass(object, word, data);
    if (!(object->index->has_row[word >> 6] >> (word & 63) & 1)) {
        object_set(object, word, data);
        return ACTION_DONE;
    }
    const struct pfifo_methods one = {.data = &data,
                                      .count = 1,
                                      .method = method,
                                      .step = 4,
                                      .subchannel = call->subchannel,
                                      .channel = call->channel};
    uint32_t taken = engine_act(engine, &one, object, word, 0);
    *effect |= engine->effect;
    engine->effect = outer;
    return taken ? ACTION_DONE : ACTION_STALL;
}

static uint32_t run_for(struct engine *engine, const struct pfifo_methods *run, struct object *object) {
    uint32_t first = run->method >> 2 & (engine->words - 1);
    if (object->plug)
        return plug_methods(engine, run, object);
    if (object->shadowed)
        return run_shadowed(engine, run, object, first);
    bool observed = event_wanted(engine->fifo->events, EVENT_ENGINE_NOT_EXECUTED);
    const uint64_t *bits = observed ? object->index->has_row : object->index->acts;
    uint32_t at = 0;
    while (at < run->count) {
        uint32_t word = run->step ? (first + at) & (engine->words - 1) : first;
        uint32_t taken = store_plain(engine, object, bits, word, run->step, run->data + at, run->count - at);
        if (!taken)
            taken = engine_act(engine, run, object, word, at);
        if (!taken)
            break;
        at += taken;
        if (engine->effect)
            break;
    }
    assert(at <= run->count);
    engine->effect = false;
    return at;
}

bool engine_halted(const struct engine *engine) {
    return engine->unit == CHIP_UNIT_PGRAPH && graph_halted(engine->graph);
}

/*
 * A method that ended a macro with an error. The error is an effect outside the engine, so the method is executed
 * alone. It waits if PGRAPH has halted.
 */
static COLD uint32_t one_after_macro(struct engine *engine, const struct pfifo_methods *run, struct object *object) {
    struct pfifo_methods one = *run;
    if (engine_halted(engine))
        return 0;
    one.count = 1;
    return run_for(engine, &one, object);
}

/* A run that does not go straight to run_for(): a macro or a launch is under way, volatile state is set, or there is
 * no object. */
static COLD uint32_t odd_methods(struct engine *engine, const struct pfifo_methods *run) {
    struct channel_state *state = engine_channel(engine, run->channel);
    bool macro = state && state->macro_runs;
    assert(!macro || engine->family->macros);
    struct object *object = engine_object(engine, run->channel, run->subchannel);
    if (!object)
        return no_memory(engine, run);
    uint32_t method = run->method & ((engine->words << 2) - 4);
    bool ended = macro && !engine->family->macros->takes(engine, run->channel, object, method);
    if (state && state->work_pending && !state->macro_runs)
        work_meets_method(state, object, method);
    if (state && state->volatile_on && state->volatile_on != (run->subchannel & (ENGINE_SUBCHANNELS - 1)) + 1)
        engine_leave_subchannel(engine, state);
    if (state && state->notify != NOTIFY_NONE)
        return one_with_notify(engine, run, object);
    return ended ? one_after_macro(engine, run, object) : run_for(engine, run, object);
}

static uint32_t methods(void *opaque, const struct pfifo_methods *run) {
    struct engine *engine = opaque;
    const struct channel_state *state = engine_channel(engine, run->channel);
    struct object *object = state ? state->subchannel[run->subchannel & (ENGINE_SUBCHANNELS - 1)] : NULL;
    if (!object || state->macro_runs || state->work_pending || state->volatile_on)
        return odd_methods(engine, run);
    return run_for(engine, run, object);
}

static const struct pfifo_engine_ops unit_ops[CHIP_UNIT_COUNT] = {
    [CHIP_UNIT_PGRAPH] = UNIT_OPS("PGRAPH"), [CHIP_UNIT_PMPEG] = UNIT_OPS("PMPEG"),
    [CHIP_UNIT_PME] = UNIT_OPS("PME"),       [CHIP_UNIT_PVP1] = UNIT_OPS("PVP1"),
    [CHIP_UNIT_PVP2] = UNIT_OPS("PVP2"),     [CHIP_UNIT_PCIPHER] = UNIT_OPS("PCIPHER"),
    [CHIP_UNIT_PBSP] = UNIT_OPS("PBSP"),     [CHIP_UNIT_PPDEC] = UNIT_OPS("PPDEC"),
    [CHIP_UNIT_PPPP] = UNIT_OPS("PPPP"),     [CHIP_UNIT_PVLD] = UNIT_OPS("PVLD"),
    [CHIP_UNIT_PSEC] = UNIT_OPS("PSEC"),     [CHIP_UNIT_PVCOMP] = UNIT_OPS("PVCOMP"),
    [CHIP_UNIT_PVDEC] = UNIT_OPS("PVDEC"),   [CHIP_UNIT_PVENC] = UNIT_OPS("PVENC"),
    [CHIP_UNIT_PCOPY0] = UNIT_OPS("PCOPY0"), [CHIP_UNIT_PCOPY1] = UNIT_OPS("PCOPY1"),
    [CHIP_UNIT_PCOPY2] = UNIT_OPS("PCOPY2"), [CHIP_UNIT_PCOPY3] = UNIT_OPS("PCOPY3"),
    [CHIP_UNIT_PCOPY4] = UNIT_OPS("PCOPY4"), [CHIP_UNIT_PCOPY5] = UNIT_OPS("PCOPY5"),
    [CHIP_UNIT_PCOPY6] = UNIT_OPS("PCOPY6"), [CHIP_UNIT_PCOPY7] = UNIT_OPS("PCOPY7"),
    [CHIP_UNIT_PCOPY8] = UNIT_OPS("PCOPY8"), [CHIP_UNIT_PCOPY9] = UNIT_OPS("PCOPY9"),
    [CHIP_UNIT_PVDEC1] = UNIT_OPS("PVDEC1"), [CHIP_UNIT_PVDEC2] = UNIT_OPS("PVDEC2"),
    [CHIP_UNIT_PVENC1] = UNIT_OPS("PVENC1"), [CHIP_UNIT_PVENC2] = UNIT_OPS("PVENC2"),
};

enum pfifo_status engine_install_family(struct fifo *fifo, const struct engine_family *family,
                                        struct pfifo_error *error) {
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
        enum chip_unit unit = fifo->chip->engines[id];
        if (unit == CHIP_UNIT_NONE || unit == CHIP_UNIT_SOFTWARE)
            continue;
        struct engine *engine = engine_new(fifo, family, unit);
        if (!engine)
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for %s of %s", chip_unit_name(unit),
                                   fifo->chip->name);
        fifo->engines[id] = (struct fifo_engine){.ops = &unit_ops[unit],
                                                 .engine = engine,
                                                 .unit = unit,
                                                 .channel = UINT32_MAX,
                                                 .built_in = true,
                                                 .channel_bound = engine_channel_bound};
    }
    return PFIFO_OK;
}
