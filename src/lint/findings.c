/* SPDX-License-Identifier: MIT */
/* Findings: equal ones are one row. A long capture repeats what it does, so the rows are few. */
#include "lint/lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_BYTES = 240, SLOTS = 2 * PFIFO_LINT_FINDINGS };

struct row {
    struct pfifo_lint_finding finding;
    uint64_t key;
    char text[TEXT_BYTES];
};

struct lint_findings {
    uint64_t total, left_out;
    size_t count;
    uint16_t slot[SLOTS]; /* open addressing: row + 1, 0: free */
    struct row row[PFIFO_LINT_FINDINGS];
};

struct lint_findings *lint_findings_new(void) {
    return calloc(1, sizeof(struct lint_findings));
}

void lint_findings_free(struct lint_findings *findings) {
    free(findings);
}

struct lint_place lint_place_now(const struct lint *lint, uint32_t channel) {
    struct lint_place place;

    if (lint->decoded)
        return *lint->decoded;
    place = (struct lint_place){.word = replay_now(lint->replay, channel)};
    place.channel = replay_channel_by_hardware(lint->replay, channel).number;
    place.submission = place.word.in_push ? place.word.submission : lint->sequence;
    place.name_class = place.word.method < HOST_METHODS ? lint->host_class : place.word.oclass;
    return place;
}

static bool is_equal(const struct row *row, enum lint_rule rule, const struct lint_place *place, uint64_t key) {
    const struct pfifo_lint_finding *finding = &row->finding;

    return finding->rule == &lint_rules[rule] && row->key == key && finding->channel == place->channel;
}

/* The row of the finding, or the free slot for a new one. */
static uint16_t *findings_slot_of(struct lint_findings *findings, enum lint_rule rule, const struct lint_place *place,
                                  uint64_t key) {
    uint64_t mix = (key ^ (uint64_t)place->channel << 40 ^ (uint64_t)rule << 56) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(mix >> 40) % SLOTS;

    while (findings->slot[at] && !is_equal(&findings->row[findings->slot[at] - 1], rule, place, key))
        at = (at + 1) % SLOTS;
    return &findings->slot[at];
}

void lint_find(struct lint *lint, enum lint_rule rule, const struct lint_place *place, uint64_t key, const char *format,
               ...) {
    struct lint_findings *findings = lint->findings;
    uint16_t *slot;
    va_list arguments;

    if (!lint_wants(lint, rule))
        return;
    findings->total++;
    slot = findings_slot_of(findings, rule, place, key);
    if (*slot) {
        findings->row[*slot - 1].finding.count++;
        return;
    }
    if (findings->count == PFIFO_LINT_FINDINGS) {
        findings->left_out++;
        return;
    }
    struct row *row = &findings->row[findings->count++];
    *slot = (uint16_t)findings->count;
    row->key = key;
    row->finding = (struct pfifo_lint_finding){.rule = &lint_rules[rule],
                                               .count = 1,
                                               .submission = place->submission,
                                               .channel = place->channel,
                                               .name_class = place->name_class,
                                               .word = place->word};
    va_start(arguments, format);
    vsnprintf(row->text, sizeof row->text, format, arguments);
    va_end(arguments);
}

static int by_submission(const void *a, const void *b) {
    const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;

    if (x->finding.submission != y->finding.submission)
        return x->finding.submission < y->finding.submission ? -1 : 1;
    return x < y ? -1 : x > y; /* as they were found */
}

void lint_findings_give(struct lint_findings *findings, pfifo_lint_sink sink, void *opaque) {
    struct row *order[PFIFO_LINT_FINDINGS];

    for (size_t i = 0; i < findings->count; i++) {
        order[i] = &findings->row[i];
        order[i]->finding.text = order[i]->text;
    }
    qsort(order, findings->count, sizeof(struct row *), by_submission);
    for (size_t i = 0; i < findings->count; i++)
        if (!sink(opaque, &order[i]->finding))
            return;
}

void lint_findings_count(const struct lint_findings *findings, struct pfifo_lint_result *result) {
    result->findings = findings->total;
    result->left_out = findings->left_out;
}
