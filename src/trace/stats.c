/* SPDX-License-Identifier: MIT */
/*
 * Statistics: a row per event, by name, says what it adds to the totals and tables.
 */
#include <pfifo/classes.h>
#include <pfifo/gpu.h>
#include <pfifo/trace.h>

#include "classes/unknown_methods.h"
#include "event/draw_work.h"
#include "event/event.h"
#include "trace/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Forms of headers and work that is not executed have constant names: a dozen forms, some hundred kinds of work. */
#define MAX_NAMES 512

/* The totals that an event changes, and by how much. An event that changes more than two has further rows. */
#define MAX_EFFECTS 4
struct effect {
    const char *event;
    size_t one;        /* offset of the total that grows by one, 0: none */
    size_t amount;     /* offset of the total that grows by a field, 0: none */
    const char *field; /* that field */
};

#define TOTAL(name) offsetof(struct pfifo_stats_totals, name)

static const struct effect effects[] = {
    {"pusher.segment", TOTAL(segments), TOTAL(segment_words), "words"},
    {"pusher.packet", TOTAL(packets), 0, NULL},
    {"pusher.jump", TOTAL(jumps), 0, NULL},
    {"pusher.error", TOTAL(errors), 0, NULL},
    {"puller.method", TOTAL(methods), 0, NULL},
    {"puller.bind", TOTAL(binds), 0, NULL},
    {"puller.software", TOTAL(software), 0, NULL},
    {"puller.error", TOTAL(errors), 0, NULL},
    {"puller.release", TOTAL(fences), TOTAL(fence_bytes), "bytes"},
    {"engine.fence", TOTAL(fences), TOTAL(fence_bytes), "bytes"},
    {"engine.draw", TOTAL(draws), TOTAL(vertices), "vertices"},
    {"engine.draw", 0, TOTAL(primitives), "primitives"},
    {"engine.draw", 0, TOTAL(fragments), "fragments"},
    {"engine.draw", 0, TOTAL(samples), "samples"},
    {"engine.launched", TOTAL(launches), TOTAL(launch_blocks), "blocks"},
    {"engine.launched", 0, TOTAL(launch_warps), "warps"},
    {"engine.launched", 0, TOTAL(launch_instructions), "instructions"},
    {"engine.fault", TOTAL(faults), 0, NULL},
    {"engine.foreign_class", TOTAL(foreign), 0, NULL},
    {"engine.interrupt", TOTAL(interrupts), 0, NULL},
    {"engine.not_executed", TOTAL(not_executed), 0, NULL},
    {"fifo.fault", TOTAL(faults), 0, NULL},
    {"fifo.interrupt", TOTAL(interrupts), 0, NULL},
};

#define EFFECT_COUNT (sizeof effects / sizeof effects[0])

/* What is done for an event. Looked up when the statistics are created, so that counting compares no names. */
struct plan {
    unsigned effects;
    struct {
        const struct effect *of;
        unsigned amount_field;
    } effect[MAX_EFFECTS];
    unsigned class_field, method_field;
    bool is_wait, by_form, by_class, by_method, may_be_unknown;
    uint64_t count;
};

/* Names, sorted. */
struct name_counts {
    size_t count;
    struct {
        const char *name;
        uint64_t count;
    } row[MAX_NAMES];
};

struct pfifo_stats {
    struct pfifo_gpu *gpu;
    struct pfifo_stats_totals totals;
    struct plan *plan; /* per event id */
    struct name_counts forms, work;
    struct table classes;
    struct table not_executed;
    struct unknown_methods unknown;
};

_Static_assert((int)UNKNOWN_METHODS_ROWS == PFIFO_STATS_MAX_UNKNOWN, "what the header says");

static unsigned field_of_format(const struct pfifo_event_info *info, enum pfifo_event_format format) {
    for (unsigned i = 0; i < info->fields; i++)
        if (info->format[i] == format)
            return i;
    return 0;
}

static unsigned field_of_name(const struct pfifo_event_info *info, const char *name) {
    for (unsigned i = 0; name && i < info->fields; i++)
        if (strcmp(info->field[i], name) == 0)
            return i;
    assert(!name);
    return 0;
}

/* Their text is "waits" or that they are over. */
static bool is_wait(const char *event) {
    return strcmp(event, "puller.acquire") == 0 || strcmp(event, "puller.syncpoint") == 0 ||
           strcmp(event, "engine.acquire") == 0;
}

static struct plan make_plan(const struct pfifo_event_info *info) {
    struct plan plan = {
        .class_field = field_of_format(info, PFIFO_EVENT_CLASS),
        .method_field = field_of_format(info, PFIFO_EVENT_METHOD),
        .is_wait = is_wait(info->name),
        .by_form = strcmp(info->name, "pusher.packet") == 0,
        .by_class = strcmp(info->name, "puller.method") == 0,
        .by_method = strcmp(info->name, "engine.not_executed") == 0,
        .may_be_unknown = strcmp(info->name, "puller.method") == 0 || strcmp(info->name, "engine.macro_method") == 0,
    };

    for (size_t i = 0; i < EFFECT_COUNT; i++) {
        if (strcmp(effects[i].event, info->name) != 0)
            continue;
        assert(plan.effects < MAX_EFFECTS);
        plan.effect[plan.effects].of = &effects[i];
        plan.effect[plan.effects++].amount_field = field_of_name(info, effects[i].field);
    }
    return plan;
}

struct pfifo_stats *pfifo_stats_new(struct pfifo_error *error) {
    struct pfifo_stats *stats = calloc(1, sizeof *stats);

    if (stats)
        stats->plan = calloc(pfifo_event_count(), sizeof stats->plan[0]);
    if (!stats || !stats->plan) {
        free(stats);
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for statistics");
        return NULL;
    }
    for (size_t i = 0; i < EFFECT_COUNT; i++)
        assert(pfifo_event_find(effects[i].event) < pfifo_event_count());
    for (size_t id = 0; id < pfifo_event_count(); id++)
        stats->plan[id] = make_plan(pfifo_event_info(id));
    return stats;
}

void pfifo_stats_free(struct pfifo_stats *stats) {
    if (!stats)
        return;
    pfifo_stats_detach(stats);
    free(stats->plan);
    free(stats);
}

static void stats_observe(void *opaque, const struct pfifo_event *event) {
    pfifo_stats_event(opaque, event);
}

enum pfifo_status pfifo_stats_attach(struct pfifo_stats *stats, struct pfifo_gpu *gpu, const char *globs,
                                     struct pfifo_error *error) {
    if (stats->gpu)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the statistics are attached already");
    enum pfifo_status status = pfifo_gpu_observe(gpu, globs ? globs : "*", stats_observe, stats, error);
    if (status == PFIFO_OK) {
        stats->gpu = gpu;
        stats->unknown.chip = pfifo_gpu_chip(gpu);
    }
    return status;
}

void pfifo_stats_detach(struct pfifo_stats *stats) {
    if (stats->gpu)
        pfifo_gpu_unobserve(stats->gpu, stats_observe, stats);
    stats->gpu = NULL;
}

/* All totals are 64-bit counters, found by their offset. */
static void raise_total(struct pfifo_stats *stats, size_t offset, uint64_t amount) {
    assert(offset % sizeof(uint64_t) == 0 && offset < sizeof stats->totals);
    char *total = (char *)stats + offsetof(struct pfifo_stats, totals) + offset;
    uint64_t value;

    memcpy(&value, total, sizeof value);
    value += amount;
    memcpy(total, &value, sizeof value);
}

/* Sorted by name, so that the order does not depend on the stream. */
static void count_name(struct name_counts *names, const char *name) {
    size_t at = 0;

    while (at < names->count && strcmp(names->row[at].name, name) < 0)
        at++;
    if (at == names->count || strcmp(names->row[at].name, name) != 0) {
        if (names->count == MAX_NAMES)
            return;
        memmove(&names->row[at + 1], &names->row[at], (names->count - at) * sizeof names->row[0]);
        names->row[at].name = name;
        names->row[at].count = 0;
        names->count++;
    }
    names->row[at].count++;
}

/* Class and method in one key, so that rows are in their order. */
static uint64_t method_key(uint64_t oclass, uint64_t method) {
    return (oclass & UINT32_MAX) << 16 | (method & UINT16_MAX);
}

/* Methods below 0x100 are the puller's; NV1 and NV3 have none of them. */
#define PULLER_METHODS 0x100u

static void look_for_unknown(struct pfifo_stats *stats, const struct plan *plan, const struct pfifo_event *event) {
    uint32_t method = (uint32_t)event->value[plan->method_field];
    const struct pfifo_chip *chip = stats->unknown.chip;
    if (method < PULLER_METHODS && !(chip && !chip->has_dma))
        return;
    struct unknown_method *row =
        unknown_methods_note(&stats->unknown, (uint32_t)event->value[plan->class_field], method);
    if (row)
        row->first = (struct unknown_method_place){.at = event->time, .channel = event->channel};
    stats->totals.unknown = stats->unknown.total;
}

void pfifo_stats_event(struct pfifo_stats *stats, const struct pfifo_event *event) {
    if (event->id >= pfifo_event_count())
        return;
    struct plan *plan = &stats->plan[event->id];

    plan->count++;
    stats->totals.events++;
    for (unsigned i = 0; i < plan->effects; i++) {
        const struct effect *effect = plan->effect[i].of;
        if (effect->one)
            raise_total(stats, effect->one, 1);
        if (effect->amount)
            raise_total(stats, effect->amount, event->value[plan->effect[i].amount_field]);
    }
    if (event->draw)
        event_add_work(&stats->totals.work, &event->draw->work);
    if (plan->is_wait && event->word == PFIFO_WORD_WAITS)
        stats->totals.waits++;
    if (plan->by_form)
        count_name(&stats->forms, event->text ? event->text : "");
    if (plan->by_class)
        table_add(&stats->classes, method_key(event->value[plan->class_field], 0));
    if (plan->may_be_unknown)
        look_for_unknown(stats, plan, event);
    if (plan->by_method && event->text && *event->text)
        count_name(&stats->work, event->text);
    if (plan->by_method)
        table_add(&stats->not_executed, method_key(event->value[plan->class_field], event->value[plan->method_field]));
}

const struct pfifo_stats_totals *pfifo_stats_totals(const struct pfifo_stats *stats) {
    return &stats->totals;
}

static bool stats_event_at(const struct pfifo_stats *stats, size_t index, struct pfifo_stats_row *row) {
    for (size_t id = 0; id < pfifo_event_count(); id++) {
        if (!stats->plan[id].count || index-- > 0)
            continue;
        *row = (struct pfifo_stats_row){.name = pfifo_event_info(id)->name, .count = stats->plan[id].count};
        return true;
    }
    return false;
}

static bool stats_name_at(const struct name_counts *names, size_t index, struct pfifo_stats_row *row) {
    if (index >= names->count)
        return false;
    *row = (struct pfifo_stats_row){.name = names->row[index].name, .count = names->row[index].count};
    return true;
}

static bool method_at(struct table *table, size_t index, struct pfifo_stats_row *row) {
    const struct table_row *found = table_at(table, index);

    if (!found)
        return false;
    *row = (struct pfifo_stats_row){
        .name = "", .oclass = (uint32_t)(found->key >> 16), .method = found->key & UINT16_MAX, .count = found->count};
    const struct pfifo_class *class = pfifo_class_find(row->oclass);
    if (class)
        row->name = class->name;
    return true;
}

static bool unknown_at(const struct pfifo_stats *stats, size_t index, struct pfifo_stats_row *row) {
    if (index >= stats->unknown.count)
        return false;
    const struct unknown_method *found = &stats->unknown.row[index];
    const struct pfifo_class *class = pfifo_class_find(found->object_class);
    *row = (struct pfifo_stats_row){.name = class ? class->name : "",
                                    .oclass = found->object_class,
                                    .method = found->method,
                                    .count = found->count,
                                    .time = found->first.at,
                                    .channel = found->first.channel};
    return true;
}

bool pfifo_stats_at(struct pfifo_stats *stats, enum pfifo_stats_table table, size_t index,
                    struct pfifo_stats_row *row) {
    *row = (struct pfifo_stats_row){.name = ""};
    switch (table) {
    case PFIFO_STATS_EVENTS:
        return stats_event_at(stats, index, row);
    case PFIFO_STATS_FORMS:
        return stats_name_at(&stats->forms, index, row);
    case PFIFO_STATS_CLASSES:
        return method_at(&stats->classes, index, row);
    case PFIFO_STATS_NOT_EXECUTED:
        return method_at(&stats->not_executed, index, row);
    case PFIFO_STATS_WORK:
        return stats_name_at(&stats->work, index, row);
    case PFIFO_STATS_UNKNOWN:
        return unknown_at(stats, index, row);
    }
    return false;
}
