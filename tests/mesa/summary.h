/* SPDX-License-Identifier: MIT */
/* What a run says of itself with PFIFO_DRM_JSON=1: the numbers that tests of programs ask for. */
#ifndef TESTS_MESA_SUMMARY_H
#define TESTS_MESA_SUMMARY_H

struct summary {
    unsigned long submissions, faults, unknown, not_executed;
    unsigned long draws; /* of those not executed: what begins and draws primitives */
};

/* Of a file that PFIFO_DRM_OUTPUT named; the test fails if that is no such summary. */
struct summary summary_read(const char *path);

#endif
