/* SPDX-License-Identifier: MIT */
/* What engines have read and written last. The tables forget: a hazard may be missed, but none is made up. */
#ifndef PFIFO_LINT_SURFACES_H
#define PFIFO_LINT_SURFACES_H

#include "lint/order.h"
#include "lint/range.h"

enum { SURFACES = 1024, SURFACES_NAMED = 4096, CPU_WRITES = 1024 };

struct surface_access {
    struct lint_range range; /* object 0: free */
    unsigned actor;
    uint32_t epoch, barrier; /* of the actor, then */
    bool named;              /* its submission names the buffer, to the kernel */
    bool drawn;              /* by a draw or a clear */
    const char *kind;        /* of the event */
    struct lint_place place;
};

enum { REPORTS = 4096, REPORT_GRANULE = 256 };

/* Where reports were written: a dump may show the value that another GPU has written there. */
struct surface_report {
    uint64_t object, granule;
};

static inline size_t surface_report_slot(uint64_t object, uint64_t granule) {
    return (size_t)((object << 20 ^ granule) * UINT64_C(0x9e3779b97f4a7c15) >> 40) % REPORTS;
}

struct surface_named {
    uint64_t object;
    uint32_t submission; /* the last one */
};

/* Bytes that the CPU has changed, and when: its time, and the run of the machine after which that was. */
struct cpu_write {
    struct lint_range range;
    uint64_t time, run;
};

struct lint_surfaces {
    struct surface_access written[SURFACES], read[SURFACES];      /* by range and channel */
    uint32_t last_written[ORDER_ACTORS], last_read[ORDER_ACTORS]; /* 1 + epoch, 0: never */
    uint32_t last_drawn[ORDER_ACTORS];                            /* 1 + barrier */
    struct surface_named named[SURFACES_NAMED];
    struct surface_report report[REPORTS];
    size_t cpu_writes; /* round and round */
    struct cpu_write cpu_write[CPU_WRITES];
};

/* Have others done something that this one does not know of? `last`: by actor, 1 + epoch. */
bool surfaces_ahead(const struct lint *lint, unsigned actor, const uint32_t *last);

/* ---- cpu.c ---- */

/* A channel has read something: has the CPU changed it since the submission was queued? */
void lint_cpu_read(struct lint *lint, const struct surface_access *now, uint64_t address);

#endif
