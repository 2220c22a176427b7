/* SPDX-License-Identifier: MIT */
/* What a user sees and keeps of a card that a guest uses: events, statistics, the session. */
#ifndef PFIFO_TOOL_VM_WATCH_H
#define PFIFO_TOOL_VM_WATCH_H

#include "face/pci/serve/pump.h"
#include "face/tool/tool.h"

#include <pfifo/trace.h>

struct watch {
    const char *trace;  /* globs, NULL: none */
    const char *output; /* NULL: standard error */
    const char *record; /* NULL: none */
    bool stats, json;
    struct tool_output events, session;
    bool failed; /* a message was printed */
    struct pfifo_pci *card;
    struct pfifo_trace *tracer;
    struct pfifo_stats *counts;
};

/* --trace, --output, --stats, --json and --record, a child of the command's parser. Its input: a struct watch. */
extern const struct argp watch_argp;

/* Before the card is made. False: a message was printed. */
bool watch_open(struct watch *watch);
/* For the server of the card. */
struct pump_watch watch_card(struct watch *watch);
/* False: something could not be written; a message was printed. */
bool watch_close(struct watch *watch);

#endif
