/* SPDX-License-Identifier: MIT */
#include "bus/gpcpll.h"

#include "bus/bus.h"

#define CFG_ENABLE     (1u << 0)
#define CFG_LOCK       (1u << 17)
#define DVFS1_CAL      (1u << 30)
#define DVFS1_CAL_DONE (1u << 31)
#define DYNRAMP        (1u << 31) /* SLOWDOWN */
#define DYNRAMP_DONE   (1u << 24) /* SLOWDOWN_DEBUG */

#define COEFF(m, n, pl) ((m) | (uint32_t)(n) << 8 | (uint32_t)(pl) << 16)

#define AT(field) .at = offsetof(struct gpcpll, field), .readable = ~0u

/* A bit that follows another one of its register at once. */
static void gpcpll_follow(uint32_t *word, uint32_t cause, uint32_t effect) {
    *word = (*word & ~effect) | (*word & cause ? effect : 0);
}

static void gpcpll_write_cfg(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)value;
    gpcpll_follow(reg_storage(unit, reg, index), CFG_ENABLE, CFG_LOCK);
}

static void gpcpll_write_dvfs1(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)value;
    gpcpll_follow(reg_storage(unit, reg, index), DVFS1_CAL, DVFS1_CAL_DONE);
}

static uint32_t gpcpll_read_debug(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return bus_of(unit)->gpcpll->slowdown & DYNRAMP ? DYNRAMP_DONE : 0;
}

#define CFG                                                                                                            \
    {                                                                                                                  \
        0x137000, "GPCPLL_CFG", AT(cfg), .writable = ~CFG_LOCK, .write = gpcpll_write_cfg,                             \
                                         .fields = "ENABLE 0, IDDQ 1, SYNC_MODE 2, LOCK_DET_OFF 4, LOCK 17"            \
    }
#define COEFFICIENTS(value)                                                                                            \
    { 0x137004, "GPCPLL_COEFF", AT(coeff), .writable = ~0u, .reset = (value), .fields = "M 7:0, N 15:8, PL 21:16" }
#define SLOWDOWN                                                                                                       \
    {                                                                                                                  \
        0x13701c, "GPCPLL_NDIV_SLOWDOWN", AT(slowdown), .writable = ~0u,                                               \
                                                        .fields = "SLOWDOWN_USING_PLL 22, EN_DYNRAMP 31"               \
    }
#define SLOWDOWN_DEBUG                                                                                                 \
    {                                                                                                                  \
        0x1328a0, "GPC_BCAST_NDIV_SLOWDOWN_DEBUG", .at = REG_NONE, .readable = DYNRAMP_DONE,                           \
                                                   .read = gpcpll_read_debug, .fields = "DYNRAMP_DONE 24"              \
    }

/* A crystal of 12 MHz and a VCO of 1000 MHz at least; of 38.4 MHz and 1300 MHz. */
static const struct reg regs_gk20a[] = {SLOWDOWN_DEBUG, CFG, COEFFICIENTS(COEFF(1u, 84, 1)), SLOWDOWN};
static const struct reg regs_gm20b[] = {
    SLOWDOWN_DEBUG,
    CFG,
    COEFFICIENTS(COEFF(1u, 34, 1)),
    {0x137014, "GPCPLL_DVFS1", AT(dvfs1), .writable = ~DVFS1_CAL_DONE, .write = gpcpll_write_dvfs1,
     .fields = "DFS_EXT_DET 6:0, EN_SDM 28, EN_DFS 29, EN_DFS_CAL 30, DFS_CAL_DONE 31"},
    SLOWDOWN,
};

static const struct {
    const char *chips;
    struct reg_table table;
} variants[] = {
    {"GK20A", REG_TABLE("PCLOCK", regs_gk20a)},
    {"GM20B", REG_TABLE("PCLOCK", regs_gm20b)},
};

enum pfifo_status gpcpll_attach(struct bus *bus, struct pfifo_error *error) {
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        if (chip_in_range(bus->chip, variants[i].chips))
            return bus_attach_table(bus, &variants[i].table, bus->gpcpll, error);
    return PFIFO_OK;
}
