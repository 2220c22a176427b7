/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/pump.h"

#include <time.h>

#define BUDGET         UINT64_C(20000) /* of a run: well below a millisecond, while an access waits */
#define PATIENCE_FIRST UINT64_C(250000)
#define PATIENCE_LAST  UINT64_C(16000000)
#define SECOND         UINT64_C(1000000000)

static bool wants_run(struct pfifo_pci *card) {
    return pfifo_pci_due(card) == 0 || pfifo_gpu_has_work(pfifo_pci_gpu(card));
}

uint64_t pump_timeout(struct pfifo_pci *card, uint64_t patience) {
    if (wants_run(card))
        return patience;
    uint64_t due = pfifo_pci_due(card);
    return patience && patience < due ? patience : due;
}

static uint64_t more_patience(uint64_t patience) {
    if (patience < PATIENCE_FIRST)
        return PATIENCE_FIRST;
    return patience < PATIENCE_LAST ? patience * 2 : patience;
}

/* Memory that a channel waits for may be the guest's, who tells nobody of a write. */
void pump_run(struct pfifo_pci *card, uint64_t *patience) {
    struct pfifo_gpu *gpu = pfifo_pci_gpu(card);
    bool moves;

    if (wants_run(card))
        moves = pfifo_pci_run(card, BUDGET) != PFIFO_STOP_WAITING && pfifo_gpu_stop_info(gpu)->used;
    else
        moves = pfifo_gpu_stop_info(gpu)->reason != PFIFO_STOP_WAITING;
    *patience = moves ? 0 : more_patience(*patience);
}

bool pump_wait(struct pollfd *fds, nfds_t count, uint64_t nanoseconds) {
    struct timespec limit = {(time_t)(nanoseconds / SECOND), (long)(nanoseconds % SECOND)};

    return ppoll(fds, count, nanoseconds == UINT64_MAX ? NULL : &limit, NULL) > 0;
}

uint64_t pump_clock(void *opaque) {
    struct timespec now;

    (void)opaque;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}
