/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/pump.h"

#include <time.h>

/* Of a run, while an access waits: well below a millisecond, but where memory is asked for by messages. */
#define BUDGET         UINT64_C(20000)
#define PATIENCE_FIRST UINT64_C(250000)
#define PATIENCE_LAST  UINT64_C(16000000)
#define SECOND         UINT64_C(1000000000)

static uint64_t more_patience(uint64_t patience) {
    if (patience < PATIENCE_FIRST)
        return PATIENCE_FIRST;
    return patience < PATIENCE_LAST ? patience * 2 : patience;
}

/* Memory that a channel waits for may be the guest's, who tells nobody of a write. */
void pump_run(struct pump *pump, struct pfifo_pci *card) {
    struct pfifo_gpu *gpu = pfifo_pci_gpu(card);
    uint64_t due = pfifo_pci_due(card);
    bool runs = due == 0 || pfifo_gpu_has_work(gpu), moves;

    if (runs)
        moves = pfifo_pci_run(card, BUDGET) != PFIFO_STOP_WAITING && pfifo_gpu_stop_info(gpu)->used;
    else
        moves = pfifo_gpu_stop_info(gpu)->reason != PFIFO_STOP_WAITING;
    pump->patience = moves ? 0 : more_patience(pump->patience);
    /* What is due after a run, the next turn asks. */
    bool soon = runs || (pump->patience && pump->patience < due);
    pump->wait = soon ? pump->patience : due;
}

bool pump_wait(struct pollfd *fds, nfds_t count, uint64_t nanoseconds) {
    struct timespec limit = {(time_t)(nanoseconds / SECOND), (long)(nanoseconds % SECOND)};

    return ppoll(fds, count, nanoseconds == UINT64_MAX ? NULL : &limit, NULL) > 0;
}

enum pfifo_status pump_loop(pump_turn *turn, void *server, int stop, struct pfifo_error *error) {
    enum serve_state state;
    struct pfifo_error reason = {0};

    do
        state = turn(server, stop, &reason);
    while (state == SERVE_GOES_ON);
    return state == SERVE_ENDED ? PFIFO_OK : pfifo_error_set(error, reason.status, "%s", reason.message);
}

uint64_t pump_clock(void *opaque) {
    struct timespec now;

    (void)opaque;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

bool pump_watch_made(const struct pump_watch *watch, struct pfifo_pci *card, struct pfifo_error *error) {
    return !watch->made || watch->made(watch->opaque, card, error);
}

void pump_watch_ends(const struct pump_watch *watch) {
    if (watch->ends)
        watch->ends(watch->opaque);
}
