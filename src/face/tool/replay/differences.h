/* SPDX-License-Identifier: MIT */
/* Prints in which way two replays differ. */
#ifndef PFIFO_TOOL_REPLAY_DIFFERENCES_H
#define PFIFO_TOOL_REPLAY_DIFFERENCES_H

#include <pfifo/compare.h>

#include <stdio.h>

struct differences {
    const char *name[2]; /* what is compared, printed in front of the first difference */
    bool json;
    bool quiet;           /* only count; the first is enough */
    uint32_t submission;  /* after which the differences were found, 0: not known */
    bool freed;           /* they are of a buffer as it was when its program freed it, */
    uint32_t freed_after; /* after this submission */
    uint64_t count;
    uint32_t headed; /* the submission that was printed last */
};

/* A class that a stream binds, and that one of two chips has not. */
struct differences_class {
    uint32_t oclass, channel, subchannel;
    bool lacks[2], has_address; /* address: of the word that binds it */
    uint64_t address;
};

void differences_print_class(struct differences *differences, const struct differences_class *class);

/* For pfifo_replay_compare(): `opaque` is a struct differences. */
pfifo_compare_report differences_print;

#endif
