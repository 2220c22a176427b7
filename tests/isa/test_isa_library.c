/* SPDX-License-Identifier: MIT */
/* The functions that Mesa's driver uploads, as captures have them, compute on the shader core what they are for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "engine/shade/warp.h"
#include "isa/uploads.h"

/* Where the library lies, and the program that calls a function of it: at a grid of words for the scheduler. */
enum { LIBRARY = 0x1000, CALLER = 0x8000, LIBRARY_ROOM = 0x2000 };

/* A call of an absolute address, `shift` bits up, and the end of a program. Entries that are 0 but the first: none. */
struct library {
    const char *capture;
    const struct isa *isa;
    size_t bytes;
    uint64_t call, exit;
    unsigned shift, unsigned_entry, signed_entry, reciprocal_entry, root_entry;
};

static const struct library libraries[] = {
    {"nvc0-quad", &isa_gf100, 400, 0x1000000000001c07, 0x8000000000001de7, 26, 0x000, 0x0b0, 0, 0},
    {"nve4-quad", &isa_gf100k, 5520, 0x1000000000001c07, 0x8000000000001de7, 26, 0x000, 0x0f0, 0xf18, 0x1168},
    {"nv117-quad", &isa_gm107, 1792, 0xe220000000000040, 0xe30000000007000f, 20, 0x000, 0x120, 0x280, 0x560},
};
enum { LIBRARIES = sizeof(libraries) / sizeof(libraries[0]) };

struct machine {
    uint8_t library[LIBRARY_ROOM];
    size_t bytes;
    uint64_t caller[2]; /* from CALLER + 8 on */
    struct shade_io io;
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

static bool fetch(void *opaque, uint32_t address, uint8_t *bytes, unsigned count) {
    struct machine *m = opaque;
    memset(bytes, 0, count);
    if (address >= LIBRARY && address + count <= LIBRARY + m->bytes)
        memcpy(bytes, m->library + (address - LIBRARY), count);
    else if (address >= CALLER + 8 && address < CALLER + 8 + sizeof(m->caller))
        for (unsigned i = 0; i < count; i++)
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
static void call(const struct library *library, unsigned entry, shade_row registers[4]) {
    struct machine *m = &machine;
    uint64_t used;
    m->caller[0] = library->call | (uint64_t)(LIBRARY + entry) << library->shift;
    m->caller[1] = library->exit;
    m->io = (struct shade_io){.opaque = m, .not_executed = not_executed};
    struct shade_program *program = shade_program_new(NULL, library->isa, fetch, m, CALLER + 8);
    assert_non_null(program);
    shade_warp_begin(&m->warp, program, &m->io, UINT32_MAX, 0);
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

static uint64_t next(uint64_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void load(const struct library *library) {
    machine.bytes = 0;
    each_upload(library->capture, keep_first, &machine);
    assert_int_equal(machine.bytes, library->bytes);
}

/* All sizes of numbers, small divisors among them; 0 is not divided by. */
static void fill(uint64_t *seed, shade_row registers[4]) {
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        registers[0][i] = (uint32_t)next(seed) >> next(seed) % 32;
        registers[1][i] = (uint32_t)next(seed) >> next(seed) % 32;
        registers[1][i] += !registers[1][i];
    }
}

static void divide_unsigned(const struct library *library) {
    uint64_t seed = 0x9e3779b97f4a7c15;
    shade_row registers[4] = {{0}}, before[4];
    for (unsigned round = 0; round < 50; round++) {
        fill(&seed, registers);
        memcpy(before, registers, sizeof(before));
        call(library, library->unsigned_entry, registers);
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            assert_int_equal(registers[0][i], before[0][i] / before[1][i]);
            assert_int_equal(registers[1][i], before[0][i] % before[1][i]);
        }
    }
}

static void divide_signed(const struct library *library) {
    uint64_t seed = 0x2545f4914f6cdd1d;
    shade_row registers[4] = {{0}}, before[4];
    for (unsigned round = 0; round < 50; round++) {
        fill(&seed, registers);
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            registers[0][i] = next(&seed) & 1 ? 0 - registers[0][i] : registers[0][i];
            registers[1][i] = next(&seed) & 1 ? 0 - registers[1][i] : registers[1][i];
        }
        memcpy(before, registers, sizeof(before));
        call(library, library->signed_entry, registers);
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
static void invert(const struct library *library, unsigned entry, bool root) {
    uint64_t seed = 0xd1b54a32d192ed03;
    shade_row registers[4] = {{0}}, before[4];
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            registers[0][i] = (uint32_t)next(&seed);
            registers[1][i] = 0x3ff00000 + (uint32_t)(next(&seed) % 0x10000000) - 0x08000000;
        }
        memcpy(before, registers, sizeof(before));
        call(library, entry, registers);
        for (unsigned i = 0; i < SHADE_LANES; i++) {
            double x = from_pair(before, i), found = from_pair(registers, i), product = found * x;
            if (root)
                product *= found;
            if (!(fabs(product - 1) < 0x1p-49))
                fail_msg("of %a: %a", x, found);
        }
    }
}

static void numbers_are_divided(void **state) {
    (void)state;
    for (unsigned i = 0; i < LIBRARIES; i++) {
        load(&libraries[i]);
        divide_unsigned(&libraries[i]);
        divide_signed(&libraries[i]);
    }
}

/* Fermi's library has no such functions. */
static void doubles_are_inverted_to_some_units(void **state) {
    (void)state;
    for (unsigned i = 0; i < LIBRARIES; i++) {
        if (!libraries[i].root_entry)
            continue;
        load(&libraries[i]);
        invert(&libraries[i], libraries[i].reciprocal_entry, false);
        invert(&libraries[i], libraries[i].root_entry, true);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_divided),
        cmocka_unit_test(doubles_are_inverted_to_some_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
