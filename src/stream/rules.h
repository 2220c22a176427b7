/* SPDX-License-Identifier: MIT */
/*
 * The order of records in a capture, for reader and writer.
 *
 *   between --SUBMIT--> buffers (BOREF, BODATA) --> relocs (RELOC) --> pushes (PUSH) --SUBEND--> between
 *
 * Modelled:     order and counts inside a submission, sequence numbers, pages inside their buffer, words against the
 *               length, indices of relocations, text that is fit to print
 * Not modelled: whether handles, channels and addresses exist: a recording may begin in the middle of a run
 */
#ifndef PFIFO_STREAM_RULES_H
#define PFIFO_STREAM_RULES_H

#include "stream/format.h"

enum rules_place { RULES_BETWEEN, RULES_BUFFERS, RULES_RELOCS, RULES_PUSHES };

struct rules {
    enum rules_place place;
    uint32_t sequence; /* of the last SUBMIT */
    struct pfifo_stream_submit submit;
    uint32_t buffers; /* seen of this submission */
    uint32_t relocs;
    uint32_t pushes;
    struct pfifo_stream_boref buffer; /* the last, for its BODATA */
};

/* Take the next record. False with a reason, and without an effect, if it may not come here. */
bool rules_accept(struct rules *rules, const struct pfifo_stream_record *record, struct reason *reason);

/* Whether a capture may end here. */
bool rules_may_end(const struct rules *rules, struct reason *reason);

#endif
