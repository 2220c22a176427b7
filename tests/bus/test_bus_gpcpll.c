/* SPDX-License-Identifier: MIT */
/* GPCPLL of Tegra's GPUs, by what nouveau's clock unit reads at its first init (nvkm/subdev/clk/gk20a.c, gm20b.c). */
#include "bus/fixture.h"

static struct machine machine;

static uint32_t rd(uint32_t offset) {
    return bus_rd32(&machine.bus, offset);
}

static void wr(uint32_t offset, uint32_t value) {
    bus_wr32(&machine.bus, offset, value);
}

/* It computes crystal * N / (M * divider of PL) / 2: N in the limits of the driver, M and PL not 0. */
static void the_clock_of_the_gpcs_is_no_division_by_zero(void **state) {
    static const struct {
        const char *chip;
        uint32_t crystal, vco_low, vco_high;
    } cases[] = {{"GK20A", 12000, 1000000, 2064000}, {"GM20B", 38400, 1300000, 2600000}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        machine_init(&machine, cases[i].chip, NULL);
        uint32_t coeff = rd(0x137004), m = coeff & 0xff, n = coeff >> 8 & 0xff, pl = coeff >> 16 & 0x3f;
        assert_int_not_equal(m, 0);
        assert_int_not_equal(pl, 0);
        assert_in_range(cases[i].crystal * n / m, cases[i].vco_low, cases[i].vco_high);
        wr(0x137004, 0x00011801);
        assert_int_equal(rd(0x137004), 0x00011801);
        machine_free(&machine);
    }
}

static void it_locks_while_it_is_enabled(void **state) {
    static const char *const chips[] = {"GK20A", "GM20B"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        machine_init(&machine, chips[i], NULL);
        wr(0x137000, 1u << 17);
        assert_int_equal(rd(0x137000), 0);
        wr(0x137000, 1);
        assert_int_equal(rd(0x137000), 1u << 17 | 1);
        wr(0x137000, 2);
        assert_int_equal(rd(0x137000), 2);
        machine_free(&machine);
    }
}

static void n_slides_to_its_new_value_at_once(void **state) {
    static const char *const chips[] = {"GK20A", "GM20B"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        machine_init(&machine, chips[i], NULL);
        assert_int_equal(rd(0x1328a0), 0);
        wr(0x13701c, 1u << 31 | 1u << 22);
        assert_int_equal(rd(0x1328a0), 1u << 24);
        wr(0x13701c, 0);
        assert_int_equal(rd(0x1328a0), 0);
        machine_free(&machine);
    }
}

static void gm20b_calibrates_at_once(void **state) {
    (void)state;
    machine_init(&machine, "GM20B", NULL);
    wr(0x137014, 1u << 29);
    assert_int_equal(rd(0x137014), 1u << 29);
    wr(0x137014, 3u << 29);
    assert_int_equal(rd(0x137014), 7u << 29);
    machine_free(&machine);
    machine_init(&machine, "GK20A", NULL);
    wr(0x137014, 1u << 30); /* storage */
    assert_int_equal(rd(0x137014), 1u << 30);
    machine_free(&machine);
}

static void other_chips_have_storage_there(void **state) {
    static const char *const chips[] = {"GF100", "GK104", "GM107", "GP10B"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        machine_init(&machine, chips[i], NULL);
        assert_int_equal(rd(0x137004), 0);
        wr(0x137000, 1);
        assert_int_equal(rd(0x137000), 1);
        machine_free(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_of_the_gpcs_is_no_division_by_zero),
        cmocka_unit_test(it_locks_while_it_is_enabled),
        cmocka_unit_test(n_slides_to_its_new_value_at_once),
        cmocka_unit_test(gm20b_calibrates_at_once),
        cmocka_unit_test(other_chips_have_storage_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
