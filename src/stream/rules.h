/* SPDX-License-Identifier: MIT */
/*
 * The order of records in a capture, for reader and writer.
 *
 *   between --SUBMIT--> buffers (BOREF, BODATA) --> relocs (RELOC) --> pushes (PUSH) --SUBEND--> between
 *                                                           version 2: WAIT --'    '-- FENCE
 *                                                           version 3: SYNC --'    '-- SYNC
 *
 * Modelled:     order and counts inside a submission, sequence numbers, pages inside their buffer, words against the
 *               length, indices of relocations, text that is fit to print; version 2: which objects exist (known.h)
 * Not modelled: version 1: whether handles, channels and addresses exist: a recording may begin in the middle of a run
 */
#ifndef PFIFO_STREAM_RULES_H
#define PFIFO_STREAM_RULES_H

#include "stream/known.h"

enum rules_place { RULES_BETWEEN, RULES_BUFFERS, RULES_RELOCS, RULES_WAITS, RULES_PUSHES, RULES_FENCE };

struct rules {
    uint32_t version;
    struct known known; /* version 2 */
    enum rules_place place;
    uint32_t sequence; /* of the last SUBMIT */
    struct pfifo_stream_submit submit;
    uint32_t buffers; /* seen of this submission */
    uint32_t relocs;
    uint32_t pushes;
    struct pfifo_stream_boref buffer; /* the last, for its BODATA */
};

/* Begin with the first record of a file of this version, anew if `rules` were in use: at first they are all zero. */
void rules_begin(struct rules *rules, uint32_t version);
void rules_free(struct rules *rules);

/* Take the next record. False with a reason, and without an effect, if it may not come here. */
bool rules_accept(struct rules *rules, const struct pfifo_stream_record *record, struct reason *reason);

/* Whether a capture may end here. */
bool rules_may_end(const struct rules *rules, struct reason *reason);

#endif
