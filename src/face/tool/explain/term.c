/* SPDX-License-Identifier: MIT */
/* Words of the field: what docs/glossary.md says of them. */
#include "face/tool/explain/explain.h"

#include <strings.h>

void explain_term(struct explain *explain) {
    for (const struct explain_term *row = explain_terms; row->name; row++) {
        if (strcasecmp(row->name, explain->thing->text) != 0)
            continue;
        explain_begin(explain, "term", "term %s", row->names);
        explain_text(explain, "means", "%s", row->meaning);
        explain_text(explain, "source", "docs/glossary.md; %s", row->sources);
        explain_end(explain);
    }
}

void explain_nearest_term(struct pfifo_nearest *nearest) {
    for (const struct explain_term *row = explain_terms; row->name; row++)
        pfifo_nearest_try(nearest, row->name);
}
