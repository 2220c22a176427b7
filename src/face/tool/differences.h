/* SPDX-License-Identifier: MIT */
/* Prints in which way two replays differ. */
#ifndef PFIFO_TOOL_DIFFERENCES_H
#define PFIFO_TOOL_DIFFERENCES_H

#include <pfifo/compare.h>

#include <stdio.h>

struct differences {
    const char *name[2]; /* what is compared, printed in front of the first difference */
    bool json;
    bool quiet;            /* only count; the first is enough */
    uint32_t submission;   /* that the differences were found behind, 0: not known */
    bool freed;            /* they are of a buffer as it was when its program freed it, */
    uint32_t freed_behind; /* behind this submission */
    uint64_t count;
};

/* For pfifo_replay_compare(): `opaque` is a struct differences. */
pfifo_compare_report differences_print;

#endif
