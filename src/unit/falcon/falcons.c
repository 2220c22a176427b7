/* SPDX-License-Identifier: MIT */
#include "unit/falcon/falcons.h"

#include <stdlib.h>

#include "bus/bus.h"
#include "unit/falcon/ctxctl.h"
#include "unit/falcon/pmu.h"

/* What there is besides the falcons that PFIFO feeds. */
static const struct falcon_set {
    const char *chips;
    uint32_t pmu_line; /* PDAEMON's bit of PMC INTR */
    bool has_ctxctl;
} sets[] = {{"GT215:GF100", 1u << 18, false}, {"GF100:GV100", 1u << 24, true}};

static enum pfifo_status falcons_attach(struct falcons *falcons, struct pfifo_error *error) {
    const struct falcon_set *set = CHIP_ROW(falcons->bus->chip, sets);
    enum pfifo_status status = falcon_caps_attach(falcons, error);
    if (status == PFIFO_OK && set)
        status = pmu_new(&falcons->pmu, falcons->bus, set->pmu_line, error);
    if (status == PFIFO_OK && set && set->has_ctxctl)
        status = ctxctl_new(&falcons->ctxctl, falcons->bus, error);
    return status;
}

enum pfifo_status falcons_new(struct falcons **out, struct bus *bus, struct pfifo_error *error) {
    *out = calloc(1, sizeof **out);
    if (!*out)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for falcons");
    (*out)->bus = bus;
    enum pfifo_status status = falcons_attach(*out, error);
    if (status == PFIFO_OK)
        return status;
    falcons_free(*out);
    *out = NULL;
    return status;
}

void falcons_free(struct falcons *falcons) {
    if (!falcons)
        return;
    free(falcons->pmu);
    free(falcons->ctxctl);
    free(falcons);
}

void falcons_state(struct falcons *falcons, struct state_io *io) {
    if (falcons->pmu)
        pmu_state(falcons->pmu, io);
    if (falcons->ctxctl)
        ctxctl_state(falcons->ctxctl, io);
}
