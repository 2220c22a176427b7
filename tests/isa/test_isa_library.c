/* SPDX-License-Identifier: MIT */
/* The functions that Mesa's driver uploads, as captures have them, compute on the shader core what they are for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "engine/shade/shade.h"
#include "isa/uploads.h"

/* Where the library lies, and the program that calls a function of it: at a grid of words for the scheduler. */
enum { LIBRARY = 0x1000, CALLER = 0x8000, LIBRARY_ROOM = 0x2000 };

struct machine {
    uint8_t library[LIBRARY_ROOM];
    size_t bytes;
    uint64_t caller[2]; /* from CALLER + 8 on */
    struct shade_stage stage;
    struct shade_warp warp;
    unsigned not_executed;
};

static struct machine machine;

static void keep_first(void *opaque, const struct upload *upload) {
    struct machine *m = opaque;
    if (!m->bytes && upload->length <= LIBRARY_ROOM) {
        memcpy(m->library, upload->data, upload->length);
        m->bytes = upload->length;
    }
}

static bool fetch(void *opaque, uint32_t address, uint8_t bytes[8]) {
    struct machine *m = opaque;
    memset(bytes, 0, 8);
    if (address >= LIBRARY && address + 8 <= LIBRARY + m->bytes)
        memcpy(bytes, m->library + (address - LIBRARY), 8);
    else if (address >= CALLER + 8 && address < CALLER + 8 + sizeof(m->caller))
        for (unsigned i = 0; i < 8; i++)
            bytes[i] = (uint8_t)(m->caller[(address - CALLER - 8) / 8] >> 8 * i);
    else
        return address == CALLER;
    return true;
}

static void not_executed(struct shade_warp *warp, const struct ir *ir) {
    (void)warp;
    (void)ir;
    machine.not_executed++;
}

/* Registers 0 to 3 of all lanes, through the function at `entry`. */
static void call(const struct isa *isa, uint64_t jcal, uint64_t exit, shade_row registers[4]) {
    struct machine *m = &machine;
    uint64_t used;
    m->caller[0] = jcal;
    m->caller[1] = exit;
    m->stage = (struct shade_stage){.opaque = m, .not_executed = not_executed};
    struct shade_program *program = shade_program_new(isa, fetch, m, CALLER);
    assert_non_null(program);
    shade_warp_begin(&m->warp, program, &m->stage, UINT32_MAX, 0);
    memset(m->warp.registers, 0, sizeof(m->warp.registers));
    m->warp.zeroed = IR_ZERO;
    memcpy(m->warp.registers, registers, 4 * sizeof(registers[0]));
    enum shade_stop stop = shade_run(&m->warp, 10000, &used);
    if (stop != SHADE_DONE)
        fail_msg("stopped for %d at %x", (int)stop, m->warp.fault_address);
    memcpy(registers, m->warp.registers, 4 * sizeof(registers[0]));
    assert_int_equal(m->not_executed, 0);
    shade_program_free(program);
}

static void call_gm107(unsigned entry, shade_row registers[4]) {
    call(&isa_gm107, 0xe220000000000040 | (uint64_t)(LIBRARY + entry) << 20, 0xe30000000007000f, registers);
}

static uint64_t next(uint64_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static int load(void **state) {
    (void)state;
    each_upload("nv117-quad", keep_first, &machine);
    return machine.bytes == 1792 ? 0 : -1;
}

/* All sizes of numbers, small divisors among them; 0 is not divided by. */
static void fill(uint64_t *seed, shade_row registers[4]) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        registers[0][i] = (uint32_t)next(seed) >> next(seed) % 32;
        registers[1][i] = (uint32_t)next(seed) >> next(seed) % 32;
        registers[1][i] += !registers[1][i];
    }
}

static void unsigned_numbers_are_divided(void **state) {
    uint64_t seed = 0x9e3779b97f4a7c15;
    shade_row registers[4] = {{0}}, before[4];
    (void)state;
    for (unsigned round = 0; round < 50; round++) {
        fill(&seed, registers);
        memcpy(before, registers, sizeof(before));
        call_gm107(0x000, registers);
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            assert_int_equal(registers[0][i], before[0][i] / before[1][i]);
            assert_int_equal(registers[1][i], before[0][i] % before[1][i]);
        }
    }
}

static void signed_numbers_are_divided(void **state) {
    uint64_t seed = 0x2545f4914f6cdd1d;
    shade_row registers[4] = {{0}}, before[4];
    (void)state;
    for (unsigned round = 0; round < 50; round++) {
        fill(&seed, registers);
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            registers[0][i] = next(&seed) & 1 ? 0 - registers[0][i] : registers[0][i];
            registers[1][i] = next(&seed) & 1 ? 0 - registers[1][i] : registers[1][i];
        }
        memcpy(before, registers, sizeof(before));
        call_gm107(0x120, registers);
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            int64_t a = (int32_t)before[0][i], b = (int32_t)before[1][i];
            assert_int_equal(registers[0][i], (uint32_t)(a / b));
            assert_int_equal(registers[1][i], (uint32_t)(a % b));
        }
    }
}

static double from_pair(shade_row registers[4], unsigned lane) {
    uint64_t bits = (uint64_t)registers[1][lane] << 32 | registers[0][lane];
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

/* Newton's steps leave an error of a few units of the last place. */
static void doubles_are_inverted(unsigned entry, bool root) {
    uint64_t seed = 0xd1b54a32d192ed03;
    shade_row registers[4] = {{0}}, before[4];
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            registers[0][i] = (uint32_t)next(&seed);
            registers[1][i] = 0x3ff00000 + (uint32_t)(next(&seed) % 0x10000000) - 0x08000000;
        }
        memcpy(before, registers, sizeof(before));
        call_gm107(entry, registers);
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            double x = from_pair(before, i), found = from_pair(registers, i), product = found * x;
            if (root)
                product *= found;
            if (!(fabs(product - 1) < 0x1p-49))
                fail_msg("of %a: %a", x, found);
        }
    }
}

static void reciprocals_of_doubles_are_exact_to_some_units(void **state) {
    (void)state;
    doubles_are_inverted(0x280, false);
}

static void inverse_roots_of_doubles_are_exact_to_some_units(void **state) {
    (void)state;
    doubles_are_inverted(0x560, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsigned_numbers_are_divided),
        cmocka_unit_test(signed_numbers_are_divided),
        cmocka_unit_test(reciprocals_of_doubles_are_exact_to_some_units),
        cmocka_unit_test(inverse_roots_of_doubles_are_exact_to_some_units),
    };
    return cmocka_run_group_tests(tests, load, NULL);
}
