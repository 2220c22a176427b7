/* SPDX-License-Identifier: MIT */
/* What the two files of the puller share: puller.c, semaphores.c. */
#ifndef PFIFO_TESTS_REFERENCE_PULLER_H
#define PFIFO_TESTS_REFERENCE_PULLER_H

#include "state.h"

enum result {
    DONE,  /* the entry is consumed */
    STALL, /* it stays until it can be executed */
    STOP,  /* it stays, and the puller is off */
};

struct method {
    uint32_t subchannel, method, data;
    bool cache0;
};

/* puller.c */
uint32_t ref_channel_of(const struct reference *r, const struct method *m);
enum result ref_host_error(struct reference *r, const struct method *m, uint32_t code, const char *name);
enum result ref_no_handle(struct reference *r, const struct method *m);
enum result ref_host_done(struct reference *r, const struct method *m, const char *name);

/* semaphores.c: methods 0x10 .. 0x1c and 0x60 .. 0x6c */
enum result ref_semaphore_method(struct reference *r, const struct method *m);
bool ref_semaphore_still_waits(struct reference *r); /* the channel in CACHE1, after another look */

#endif
