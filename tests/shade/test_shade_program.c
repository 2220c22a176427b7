/* SPDX-License-Identifier: MIT */
/* Programs of a device: what they share, when memory is read, what an executor translates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/shade/executor.h"
#include "shade/rig.h"

enum { CODE = 1 << 18 };

/* ---- an instruction set: byte 0 is the operation, byte 1 the register that it writes, bytes 4..7 the value ---- */

enum { CODE_EXIT, CODE_MOV, CODE_BRA, CODE_BRX, CODE_BAD };

struct machine {
    struct shade_cache *cache;
    uint8_t *code;
    unsigned reads;
    struct shade_io io;
    struct shade_warp warp;
};

static bool fetch(void *opaque, uint32_t address, uint8_t *bytes, unsigned count) {
    struct machine *m = opaque;
    m->reads++;
    if (address > CODE - count)
        return false;
    memcpy(bytes, m->code + address, count);
    return true;
}

static struct isa_decoded decode(const uint8_t *code, size_t bytes, uint64_t address, struct ir *out, unsigned most) {
    static const enum ir_op ops[] = {IR_EXIT, IR_MOV, IR_BRA, IR_BRX};
    uint32_t value;
    (void)bytes, (void)address, (void)most;
    memcpy(&value, code + 4, sizeof value);
    *out = rig_neutral(code[0] < CODE_BAD ? ops[code[0]] : IR_NOP);
    out->d = code[0] == CODE_MOV ? code[1] : IR_ZERO;
    out->a = rig_immediate(value);
    out->offset = value;
    bool good = code[0] < CODE_BAD;
    return (struct isa_decoded){good ? ISA_OK : ISA_ILLEGAL, 8, good};
}

static const struct isa isa = {
    .name = "test", .registers = 255, .unaligned = 7, .bytes = 8, .operations = 1, .decode = decode};

static void put(struct machine *m, uint32_t address, unsigned op, unsigned d, uint32_t value) {
    uint8_t *to = m->code + address;
    memset(to, 0, 8);
    to[0] = (uint8_t)op;
    to[1] = (uint8_t)d;
    memcpy(to + 4, &value, sizeof value);
}

static int begin(void **state) {
    struct machine *m = *state = aligned_alloc(64, (sizeof *m + 63) / 64 * 64);
    memset(m, 0, sizeof *m);
    m->code = calloc(1, CODE);
    m->cache = shade_cache_new(NULL);
    assert_non_null(m->cache);
    return 0;
}

static int end(void **state) {
    struct machine *m = *state;
    shade_cache_free(m->cache);
    free(m->code);
    free(m);
    return 0;
}

static struct shade_program *program_new(struct machine *m, uint32_t entry) {
    return shade_program_new(m->cache, &isa, fetch, m, entry);
}

static enum shade_stop run(struct machine *m, struct shade_program *program) {
    uint64_t used;
    shade_warp_begin(&m->warp, program, &m->io, UINT32_MAX, 0);
    return shade_run(&m->warp, 100000, &used);
}

/* What the program leaves in register 1. */
static uint32_t result(struct machine *m, struct shade_program *program) {
    assert_int_equal(run(m, program), SHADE_DONE);
    return m->warp.registers[1][7];
}

/* ---- sharing ---- */

static void an_instruction_is_decoded_once(void **state) {
    struct machine *m = *state;
    put(m, 0, CODE_MOV, 1, 5);
    struct shade_program *a = program_new(m, 0), *b = program_new(m, 0);
    assert_int_equal(result(m, a), 5);
    assert_int_equal(result(m, b), 5);
    assert_int_equal(result(m, a), 5);
    struct shade_cache_use use = shade_cache_use(m->cache);
    assert_int_equal(use.decoded, 2);
    assert_int_equal(use.found, 2);
    assert_int_equal(use.instructions, 2);
    assert_int_equal(use.idle, 0);
    assert_int_equal(m->reads, 4); /* each program reads memory itself, once */
    assert_ptr_equal(shade_program_code(a, 0), shade_program_code(b, 0));
    shade_program_free(a);
    shade_program_free(b);
    assert_int_equal(shade_cache_use(m->cache).idle, 2);
}

static void a_program_is_current_while_its_memory_is_what_it_read(void **state) {
    struct machine *m = *state;
    put(m, 0, CODE_MOV, 1, 5);
    put(m, 8, CODE_BRA, 0, 0x400);
    struct shade_program *program = program_new(m, 0);
    assert_true(shade_program_is_current(program));
    assert_int_equal(result(m, program), 5);
    put(m, 16, CODE_MOV, 1, 7); /* has not run */
    assert_true(shade_program_is_current(program));
    put(m, 0x400, CODE_MOV, 1, 6);
    assert_false(shade_program_is_current(program));
    put(m, 0x400, CODE_EXIT, 0, 0);
    assert_true(shade_program_is_current(program));
    shade_program_free(program);
    put(m, 8, CODE_BRA, 0, CODE); /* cannot be read */
    program = program_new(m, 0);
    run(m, program);
    assert_true(shade_program_is_current(program));
    shade_program_free(program);
}

/* 32 instructions of a page in one read. */
static void a_program_is_compared_by_pages_and_not_without_an_end(void **state) {
    struct machine *m = *state;
    const uint32_t page = 1u << SHADE_PAGE_BITS;
    for (uint32_t at = 0; at < 2 * page; at += 8)
        put(m, at, CODE_MOV, 1, at);
    put(m, 2 * page - 8, CODE_EXIT, 0, 0);
    struct shade_program *program = program_new(m, 0);
    assert_int_equal(run(m, program), SHADE_DONE);
    m->reads = 0;
    assert_true(shade_program_is_current(program));
    assert_int_equal(m->reads, 2);
    put(m, page + 8, CODE_MOV, 2, page + 8);
    assert_false(shade_program_is_current(program));
    shade_program_free(program);
    /* One instruction in each of too many pages. */
    for (uint32_t at = 0; at < (SHADE_MOST_COMPARED + 1) * page; at += page)
        put(m, at, CODE_BRA, 0, at + page);
    put(m, SHADE_MOST_COMPARED * page, CODE_EXIT, 0, 0);
    program = program_new(m, 0);
    assert_int_equal(run(m, program), SHADE_DONE);
    m->reads = 0;
    assert_false(shade_program_is_current(program));
    assert_int_equal(m->reads, SHADE_MOST_COMPARED);
    shade_program_free(program);
    program = program_new(m, page); /* one fewer */
    assert_int_equal(run(m, program), SHADE_DONE);
    assert_true(shade_program_is_current(program));
    shade_program_free(program);
}

static void a_program_keeps_what_it_has_run_and_a_new_one_reads_again(void **state) {
    struct machine *m = *state;
    put(m, 0, CODE_MOV, 1, 5);
    put(m, 8, CODE_BRA, 0, 32);
    put(m, 32, CODE_MOV, 2, 1);
    struct shade_program *old = program_new(m, 0);
    assert_int_equal(result(m, old), 5);
    put(m, 0, CODE_MOV, 1, 6);
    put(m, 40, CODE_EXIT, 1, 1); /* has run, too */
    assert_int_equal(result(m, old), 5);
    struct shade_program *new = program_new(m, 0);
    assert_int_equal(result(m, new), 6);
    assert_int_equal(result(m, old), 5);
    shade_program_free(old);
    old = program_new(m, 0);
    assert_int_equal(result(m, old), 6);
    shade_program_free(old);
    shade_program_free(new);
}

/* The second program has run up to the branch, when what follows changes; the first has run all of it. */
static void what_another_program_has_read_does_not_show(void **state) {
    struct machine *m = *state;
    uint64_t used;
    put(m, 0, CODE_MOV, 1, 5);
    put(m, 8, CODE_MOV, 1, 6);
    struct shade_program *first = program_new(m, 0), *second = program_new(m, 0);
    assert_int_equal(result(m, first), 6);
    shade_warp_begin(&m->warp, second, &m->io, UINT32_MAX, 0);
    assert_int_equal(shade_run(&m->warp, 1, &used), SHADE_BUDGET);
    put(m, 8, CODE_MOV, 1, 7);
    assert_int_equal(shade_run(&m->warp, 100, &used), SHADE_DONE);
    assert_int_equal(m->warp.registers[1][0], 7);
    assert_int_equal(result(m, first), 6);
    shade_program_free(first);
    shade_program_free(second);
}

/* As many as meet in the table. */
static void the_same_bytes_elsewhere_are_another_instruction(void **state) {
    struct machine *m = *state;
    struct shade_program *program = program_new(m, 0);
    for (unsigned i = 0; i < 2000; i++)
        put(m, 8 * i, CODE_MOV, 1, 5);
    assert_int_equal(result(m, program), 5);
    for (unsigned i = 0; i < 2000; i++)
        assert_int_equal(shade_program_code(program, 8 * i)->ir.address, 8 * i);
    assert_int_equal(shade_cache_use(m->cache).instructions, 2001);
    shade_program_free(program);
}

static void a_report_is_of_each_program(void **state) {
    struct machine *m = *state;
    put(m, 0, CODE_MOV, 1, 5);
    struct shade_program *a = program_new(m, 0), *b = program_new(m, 0);
    assert_int_equal(result(m, a), 5);
    assert_int_equal(result(m, b), 5);
    assert_false(shade_program_reported(a, 0));
    assert_non_null(shade_program_report(a, 0));
    assert_null(shade_program_report(a, 0));
    assert_true(shade_program_reported(a, 0));
    assert_false(shade_program_reported(a, 8));
    assert_non_null(shade_program_report(b, 0));
    shade_program_free(a);
    shade_program_free(b);
}

/* Of 30000 instructions those that were given back last are still there. */
static void what_nobody_has_is_kept_for_a_while(void **state) {
    struct machine *m = *state;
    for (unsigned i = 0; i < 30000; i++)
        put(m, 8 * i, CODE_MOV, 1, i);
    struct shade_program *all = program_new(m, 0), *low = program_new(m, 0);
    assert_int_equal(result(m, all), 29999);
    for (unsigned i = 0; i < 100; i++)
        shade_program_code(low, 8 * i);
    shade_program_free(all);
    struct shade_cache_use use = shade_cache_use(m->cache);
    assert_int_equal(use.idle, SHADE_CACHE_IDLE);
    assert_int_equal(use.instructions, SHADE_CACHE_IDLE + 100);
    assert_int_equal(use.dropped, 30001 - use.instructions);
    assert_in_range(use.bytes, use.instructions * sizeof(struct shade_code), use.instructions * 320 + (1 << 20));
    for (unsigned i = 0; i < 100; i++) /* in use: they have stayed */
        assert_int_equal(shade_program_code(low, 8 * i)->ir.a.value, i);
    shade_program_code(low, 8 * 29999);
    assert_int_equal(shade_cache_use(m->cache).decoded, use.decoded);
    shade_program_code(low, 8 * 2000);
    assert_int_equal(shade_cache_use(m->cache).decoded, use.decoded + 1);
    shade_program_free(low);
}

static void what_cannot_be_read_or_is_none_stops_there(void **state) {
    struct machine *m = *state;
    put(m, 0, CODE_BRA, 0, CODE);
    put(m, 64, CODE_BAD, 0, 0);
    put(m, 128, CODE_BRX, 0, 66); /* to 132 */
    struct shade_program *outside = program_new(m, 0), *bad = program_new(m, 64), *odd = program_new(m, 128);
    assert_int_equal(run(m, outside), SHADE_FAULT);
    assert_true(m->warp.unreadable && m->warp.fault_address == CODE);
    assert_int_equal(run(m, bad), SHADE_ERROR);
    assert_int_equal(m->warp.error, SHADE_ILLEGAL_ENCODING);
    assert_int_equal(run(m, odd), SHADE_ERROR);
    shade_program_free(outside);
    shade_program_free(bad);
    shade_program_free(odd);
}

/* ---- threads ---- */

struct reader {
    struct machine m;
    bool good;
};

static void *read_programs(void *argument) {
    struct reader *reader = argument;
    reader->good = true;
    for (unsigned round = 0; round < 20; round++) {
        struct shade_program *program = program_new(&reader->m, 0);
        for (unsigned i = 0; i < 100; i++)
            reader->good &= shade_program_code(program, 8 * i)->ir.a.value == i;
        shade_program_free(program);
    }
    return NULL;
}

static void threads_share_a_cache(void **state) {
    struct machine *m = *state;
    struct reader *readers = aligned_alloc(64, (4 * sizeof *readers + 63) / 64 * 64);
    pthread_t threads[4];
    for (unsigned i = 0; i < 100; i++)
        put(m, 8 * i, CODE_MOV, 1, i);
    for (unsigned i = 0; i < 4; i++) {
        memset(&readers[i], 0, sizeof readers[i]);
        readers[i].m.cache = m->cache;
        readers[i].m.code = m->code;
        assert_int_equal(pthread_create(&threads[i], NULL, read_programs, &readers[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_true(readers[i].good);
    }
    assert_int_equal(shade_cache_use(m->cache).decoded, 100);
    assert_int_equal(shade_cache_use(m->cache).idle, 100);
    free(readers);
}

/* ---- executors ---- */

/* It translates to the number of the instructions, and has the interpreter run it. */
struct translator {
    unsigned compiled, freed, runs;
    bool declines, ignores;
    struct shade_executor executor;
};

struct function {
    struct translator *translator;
    uint32_t instructions;
};

static void translator_key(void *opaque, const struct shade_listing *listing, struct shade_key *key) {
    const struct translator *translator = opaque;
    assert_true(listing->count > 0);
    if (translator->ignores)
        key->texture_bank = 0;
}

static void *translator_compile(void *opaque, const struct shade_listing *listing, const struct shade_key *key) {
    struct translator *translator = opaque;
    translator->compiled++;
    assert_true(!translator->ignores || !key->texture_bank);
    if (translator->declines)
        return NULL;
    struct function *function = malloc(sizeof *function);
    *function = (struct function){translator, listing->count};
    return function;
}

static enum shade_stop translator_run(void *opaque, struct shade_warp *warp, uint64_t budget, uint64_t *used) {
    const struct function *function = opaque;
    function->translator->runs++;
    return shade_interpreter.run(NULL, warp, budget, used);
}

static void translator_free(void *opaque, void *function) {
    struct translator *translator = opaque;
    translator->freed++;
    free(function);
}

static void translator_begin(struct translator *t, struct machine *m) {
    *t = (struct translator){.executor = {.name = "test",
                                          .opaque = t,
                                          .key = translator_key,
                                          .compile = translator_compile,
                                          .run = translator_run,
                                          .free = translator_free}};
    shade_cache_free(m->cache);
    m->cache = shade_cache_new(&t->executor);
    put(m, 0, CODE_MOV, 1, 5);
}

static uint32_t compiled_result(struct machine *m, struct shade_program *program) {
    m->io.compiled = shade_compile(program, &m->io);
    return result(m, program);
}

static void programs_of_the_same_bytes_share_a_function(void **state) {
    struct machine *m = *state;
    struct translator t;
    translator_begin(&t, m);
    struct shade_program *a = program_new(m, 0), *b = program_new(m, 0);
    assert_int_equal(compiled_result(m, a), 5);
    assert_int_equal(compiled_result(m, a), 5);
    assert_int_equal(compiled_result(m, b), 5);
    assert_int_equal(t.compiled, 1);
    assert_int_equal(t.runs, 3);
    put(m, 0, CODE_MOV, 1, 6); /* not in those that have been read */
    struct shade_program *c = program_new(m, 0);
    assert_int_equal(compiled_result(m, c), 6);
    assert_int_equal(t.compiled, 2);
    assert_int_equal(compiled_result(m, a), 5);
    shade_program_free(a);
    shade_program_free(b);
    a = program_new(m, 0);
    assert_int_equal(compiled_result(m, a), 6);
    shade_program_free(a);
    shade_program_free(c);
    assert_int_equal(t.compiled, 2);
    assert_int_equal(t.freed, 0);
    shade_cache_free(m->cache);
    m->cache = NULL;
    assert_int_equal(t.freed, 2);
}

static void a_function_is_of_its_key(void **state) {
    struct machine *m = *state;
    struct translator t;
    translator_begin(&t, m);
    struct shade_program *a = program_new(m, 0), *b = program_new(m, 0);
    assert_int_equal(compiled_result(m, a), 5);
    m->io.quads = true;
    assert_int_equal(compiled_result(m, a), 5);
    assert_int_equal(t.compiled, 2);
    m->io.texture_bank = 3;
    assert_int_equal(compiled_result(m, a), 5);
    assert_int_equal(t.compiled, 3);
    t.ignores = true;
    m->io.texture_bank = 4;
    assert_int_equal(compiled_result(m, b), 5);
    assert_int_equal(t.compiled, 3); /* as it is with bank 0 */
    m->io.constants[2].bytes = 8;    /* no part of the key */
    m->io.local_bytes = 8;
    assert_int_equal(compiled_result(m, a), 5);
    assert_int_equal(t.compiled, 3);
    shade_program_free(a);
    shade_program_free(b);
    shade_cache_free(m->cache);
    m->cache = NULL;
}

static void what_is_not_translated_is_interpreted(void **state) {
    struct machine *m = *state;
    struct translator t;
    translator_begin(&t, m);
    t.declines = true;
    struct shade_program *a = program_new(m, 0);
    assert_null(shade_compile(a, &m->io));
    assert_null(shade_compile(a, &m->io));
    assert_int_equal(t.compiled, 1);
    assert_int_equal(compiled_result(m, a), 5);
    t.declines = false;
    put(m, 64, CODE_BRX, 0, 0); /* its ways are not known */
    struct shade_program *b = program_new(m, 64);
    assert_null(shade_compile(b, &m->io));
    assert_int_equal(t.compiled, 1);
    for (unsigned i = 1; i < 40; i++) {
        m->io.registers = (uint16_t)(100 + i);
        assert_null(shade_compile(b, &m->io));
        const struct shade_compiled *compiled = shade_compile(a, &m->io);
        assert_int_equal(compiled != NULL, i < SHADE_PROGRAM_FUNCTIONS);
    }
    assert_int_equal(t.runs, 0);
    shade_program_free(a);
    shade_program_free(b);
    shade_cache_free(m->cache);
    m->cache = NULL;
    assert_int_equal(t.freed, SHADE_PROGRAM_FUNCTIONS - 1);
}

static void functions_that_nobody_has_are_kept_for_a_while(void **state) {
    struct machine *m = *state;
    struct translator t;
    translator_begin(&t, m);
    for (unsigned i = 0; i < SHADE_FUNCTIONS_IDLE + 20; i++) { /* the same one */
        struct shade_program *program = program_new(m, 0);
        assert_int_equal(compiled_result(m, program), 5);
        shade_program_free(program);
    }
    assert_true(t.compiled == 1 && !t.freed);
    for (unsigned i = 0; i < SHADE_FUNCTIONS_IDLE + 20; i++) {
        put(m, 0, CODE_MOV, 1, i);
        struct shade_program *program = program_new(m, 0);
        assert_int_equal(compiled_result(m, program), i);
        shade_program_free(program);
    }
    assert_int_equal(t.compiled, SHADE_FUNCTIONS_IDLE + 20);
    assert_int_equal(t.freed, 20);
    const uint32_t left[] = {20, SHADE_FUNCTIONS_IDLE + 19}; /* the oldest and the newest */
    for (unsigned i = 0; i < 2; i++) {
        put(m, 0, CODE_MOV, 1, left[i]);
        struct shade_program *program = program_new(m, 0);
        assert_int_equal(compiled_result(m, program), left[i]);
        assert_int_equal(t.compiled, SHADE_FUNCTIONS_IDLE + 20);
        shade_program_free(program);
    }
    shade_cache_free(m->cache);
    m->cache = NULL;
    assert_int_equal(t.freed, t.compiled);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_instruction_is_decoded_once),
        TEST(a_program_is_current_while_its_memory_is_what_it_read),
        TEST(a_program_is_compared_by_pages_and_not_without_an_end),
        TEST(a_program_keeps_what_it_has_run_and_a_new_one_reads_again),
        TEST(what_another_program_has_read_does_not_show),
        TEST(the_same_bytes_elsewhere_are_another_instruction),
        TEST(a_report_is_of_each_program),
        TEST(what_nobody_has_is_kept_for_a_while),
        TEST(what_cannot_be_read_or_is_none_stops_there),
        TEST(threads_share_a_cache),
        TEST(programs_of_the_same_bytes_share_a_function),
        TEST(a_function_is_of_its_key),
        TEST(what_is_not_translated_is_interpreted),
        TEST(functions_that_nobody_has_are_kept_for_a_while),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
