/* SPDX-License-Identifier: MIT */
#include <pfifo/classes.h>

#include "face/common/counts.h"
#include "face/common/naming.h"
#include "face/common/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct named_table {
    enum pfifo_stats_table table;
    const char *title, *key;
};

static const struct named_table tables[] = {
    {PFIFO_STATS_EVENTS, "events", "event_counts"},
    {PFIFO_STATS_FORMS, "packets by form", "packets_by_form"},
    {PFIFO_STATS_CLASSES, "methods by class", "methods_by_class"},
};

#define TABLE_COUNT (sizeof tables / sizeof tables[0])

struct named_total {
    const char *name, *text; /* names in JSON, and in text */
    size_t offset;
};

#define TOTAL_TEXT(name, text)                                                                                         \
    { #name, text, offsetof(struct pfifo_stats_totals, name) }
#define TOTAL(name) TOTAL_TEXT(name, #name)

/* Totals that the summary does not print already. */
static const struct named_total totals[] = {
    TOTAL_TEXT(segments, "IB segments"),
    TOTAL_TEXT(segment_words, "IB words"),
    TOTAL(packets),
    TOTAL_TEXT(jumps, "jumps, calls"),
    TOTAL(binds),
    TOTAL(software),
    TOTAL(errors),
    TOTAL(interrupts),
    TOTAL(foreign),
    TOTAL(events),
};

/* Where the time of draws goes. */
static const struct named_total draw_work[] = {
    TOTAL_TEXT(work.vertex_warps, "vertex warps"),
    TOTAL_TEXT(work.vertex_instructions, "vertex instructions"),
    TOTAL_TEXT(work.control_warps, "control warps"),
    TOTAL_TEXT(work.control_instructions, "control instructions"),
    TOTAL_TEXT(work.evaluation_warps, "evaluation warps"),
    TOTAL_TEXT(work.evaluation_instructions, "evaluation instructions"),
    TOTAL_TEXT(work.geometry_warps, "geometry warps"),
    TOTAL_TEXT(work.geometry_instructions, "geometry instructions"),
    TOTAL_TEXT(work.fragment_warps, "fragment warps"),
    TOTAL_TEXT(work.fragment_instructions, "fragment instructions"),
    TOTAL_TEXT(work.texture_reads, "texture reads"),
    TOTAL_TEXT(work.quads, "quads"),
};

#define WORK_COUNT  (sizeof draw_work / sizeof draw_work[0])
#define TOTAL_COUNT (sizeof totals / sizeof totals[0])

static uint64_t total_value(const struct pfifo_stats *stats, const struct named_total *total) {
    uint64_t value;

    memcpy(&value, (const char *)pfifo_stats_totals(stats) + total->offset, sizeof value);
    return value;
}

/* Empty if the method has no name. */
static void stats_method_name(const struct pfifo_stats_row *row, char name[PFIFO_METHOD_NAME_BYTES]) {
    struct pfifo_method_name method;

    name[0] = 0;
    if (pfifo_method_find(row->oclass, row->method, &method))
        naming_method(&method, name, PFIFO_METHOD_NAME_BYTES);
}

static void stats_row_text(const struct pfifo_stats_row *row, enum pfifo_stats_table table, FILE *file) {
    fprintf(file, "%10" PRIu64 "  ", row->count);
    if (table == PFIFO_STATS_CLASSES)
        fprintf(file, "0x%04" PRIx32 " ", row->oclass);
    if (table == PFIFO_STATS_CLASSES && row->oclass == 0)
        fputs("(nothing bound yet)\n", file);
    else
        fprintf(file, "%s\n", row->name[0] ? row->name : "?");
}

void stats_text(struct pfifo_stats *stats, FILE *file) {
    struct pfifo_stats_row row;

    for (size_t i = 0; i < TOTAL_COUNT; i++)
        fprintf(file, "  %-13s %" PRIu64 "\n", totals[i].text, total_value(stats, &totals[i]));
    if (pfifo_stats_totals(stats)->draws)
        fputs("  work of draws\n", file);
    for (size_t i = 0; i < WORK_COUNT; i++)
        if (total_value(stats, &draw_work[i]))
            fprintf(file, "%10" PRIu64 "  %s\n", total_value(stats, &draw_work[i]), draw_work[i].text);
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        fprintf(file, "  %s\n", tables[i].title);
        for (size_t at = 0; pfifo_stats_at(stats, tables[i].table, at, &row); at++)
            stats_row_text(&row, tables[i].table, file);
    }
}

static void stats_row_json(const struct pfifo_stats_row *row, enum pfifo_stats_table table, struct json_writer *json) {
    json_open(json, NULL, '{');
    if (table == PFIFO_STATS_CLASSES)
        json_put_number(json, "class", row->oclass);
    json_put_text(json, "name", row->name);
    json_put_number(json, "count", row->count);
    json_close(json);
}

void stats_json(struct pfifo_stats *stats, struct json_writer *json) {
    struct pfifo_stats_row row;

    for (size_t i = 0; i < TOTAL_COUNT; i++)
        json_put_number(json, totals[i].name, total_value(stats, &totals[i]));
    json_open(json, "draw_work", '[');
    for (size_t i = 0; i < WORK_COUNT; i++) {
        json_open(json, NULL, '{');
        json_put_text(json, "name", draw_work[i].text);
        json_put_number(json, "count", total_value(stats, &draw_work[i]));
        json_close(json);
    }
    json_close(json);
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        json_open(json, tables[i].key, '[');
        for (size_t at = 0; pfifo_stats_at(stats, tables[i].table, at, &row); at++)
            stats_row_json(&row, tables[i].table, json);
        json_close(json);
    }
}

/* Highest count first, then by class and method. */
static int stats_compare_rows(const void *a, const void *b) {
    const struct pfifo_stats_row *left = a, *right = b;

    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    if (left->oclass != right->oclass)
        return left->oclass < right->oclass ? -1 : 1;
    return left->method < right->method ? -1 : left->method > right->method;
}

/* All rows that were not executed, NULL if there are none or no memory; to be freed. */
static struct pfifo_stats_row *stats_collect(struct pfifo_stats *stats, size_t *count) {
    struct pfifo_stats_row *rows, row;

    *count = 0;
    while (pfifo_stats_at(stats, PFIFO_STATS_NOT_EXECUTED, *count, &row))
        ++*count;
    rows = *count ? calloc(*count, sizeof *rows) : NULL;
    if (!rows)
        return NULL;
    for (size_t i = 0; i < *count; i++)
        pfifo_stats_at(stats, PFIFO_STATS_NOT_EXECUTED, i, &rows[i]);
    qsort(rows, *count, sizeof *rows, stats_compare_rows);
    return rows;
}

void stats_not_executed_text(struct pfifo_stats *stats, size_t max, FILE *file) {
    char name[PFIFO_METHOD_NAME_BYTES];
    size_t count;
    struct pfifo_stats_row *rows = stats_collect(stats, &count);

    for (size_t i = 0; rows && i < count && i < max; i++) {
        stats_method_name(&rows[i], name);
        fprintf(file, "%10" PRIu64 "  0x%04" PRIx32 " %s 0x%04" PRIx32 " %s\n", rows[i].count, rows[i].oclass,
                rows[i].name[0] ? rows[i].name : "?", rows[i].method, name[0] ? name : "?");
    }
    if (rows && count > max)
        fprintf(file, "            and %zu more; --stats lists them\n", count - max);
    free(rows);
}

void stats_not_executed_json(struct pfifo_stats *stats, struct json_writer *json) {
    char name[PFIFO_METHOD_NAME_BYTES];
    size_t count;
    struct pfifo_stats_row *rows = stats_collect(stats, &count);

    json_open(json, "not_executed_methods", '[');
    for (size_t i = 0; rows && i < count; i++) {
        stats_method_name(&rows[i], name);
        json_open(json, NULL, '{');
        json_put_number(json, "class", rows[i].oclass);
        json_put_text(json, "class_name", rows[i].name);
        json_put_number(json, "method", rows[i].method);
        json_put_text(json, "method_name", name);
        json_put_number(json, "count", rows[i].count);
        json_close(json);
    }
    json_close(json);
    free(rows);
}

void stats_work_text(struct pfifo_stats *stats, size_t max, FILE *file) {
    struct pfifo_stats_row row;
    size_t at = 0;

    for (; at < max && pfifo_stats_at(stats, PFIFO_STATS_WORK, at, &row); at++)
        fprintf(file, "%10" PRIu64 "  for want of: %s\n", row.count, row.name);
    if (pfifo_stats_at(stats, PFIFO_STATS_WORK, at, &row))
        fputs("            and more; --stats lists them\n", file);
}

void stats_work_json(struct pfifo_stats *stats, struct json_writer *json) {
    struct pfifo_stats_row row;

    json_open(json, "not_executed_work", '[');
    for (size_t at = 0; pfifo_stats_at(stats, PFIFO_STATS_WORK, at, &row); at++) {
        json_open(json, NULL, '{');
        json_put_text(json, "work", row.name);
        json_put_number(json, "count", row.count);
        json_close(json);
    }
    json_close(json);
}
