/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "shade/rig.h"

struct ir_source rig_register(unsigned number) {
    return (struct ir_source){.kind = IR_REGISTER, .value = number};
}

struct ir_source rig_immediate(uint32_t value) {
    return (struct ir_source){.kind = IR_IMMEDIATE, .value = value};
}

struct ir_source rig_constant(unsigned bank, unsigned offset) {
    return (struct ir_source){.kind = IR_CONSTANT, .bank = (uint8_t)bank, .value = offset};
}

struct ir rig_neutral(enum ir_op op) {
    return (struct ir){.op = (uint16_t)op,
                       .guard = IR_TRUE,
                       .test = IR_TEST_TRUE,
                       .type = IR_U32,
                       .source_type = IR_U32,
                       .mask = 0xf,
                       .combine_predicate = IR_TRUE,
                       .d = IR_ZERO,
                       .p = IR_TRUE,
                       .q = IR_TRUE,
                       .a = rig_register(IR_ZERO),
                       .b = rig_register(IR_ZERO),
                       .c = rig_register(IR_ZERO),
                       .name = "rig"};
}

/* The bytes of an instruction are a pointer to it; of those with several operations, their number follows. */
static bool fetch(void *opaque, uint32_t address, uint8_t *bytes, unsigned count) {
    struct rig *rig = opaque;
    uint32_t number = rig->together ? address / 16 * rig->together : address / 8;
    if (number > rig->count)
        return false;
    uintptr_t pointer = (uintptr_t)&rig->code[number];
    memset(bytes, 0, count);
    memcpy(bytes, &pointer, sizeof pointer);
    if (rig->together)
        bytes[8] = (uint8_t)rig->together;
    return true;
}

static struct isa_decoded decode(const uint8_t *code, size_t bytes, uint64_t address, struct ir *out, unsigned most) {
    uintptr_t pointer;
    uint8_t count = bytes > 8 ? code[8] : 1;
    (void)address;
    memcpy(&pointer, code, sizeof pointer);
    memcpy(out, (const void *)pointer, (count < most ? count : most) * sizeof *out);
    bool illegal = out->op == IR_OPS;
    return (struct isa_decoded){illegal ? ISA_ILLEGAL : ISA_OK, (uint8_t)bytes, illegal ? 0 : count};
}

static const struct isa isa = {
    .name = "rig", .registers = 255, .unaligned = 3, .bytes = 8, .operations = 1, .decode = decode};
static const struct isa wide = {.name = "wide",
                                .registers = 255,
                                .unaligned = 15,
                                .bytes = 16,
                                .operations = ISA_MOST_OPERATIONS,
                                .decode = decode};

static void not_executed(struct shade_warp *warp, const struct ir *ir) {
    struct rig *rig = warp->io->opaque;
    rig->not_executed = ir->name;
    rig->reports++;
}

void rig_begin(struct rig *rig) {
    memset(rig, 0, sizeof *rig);
    rig->io.opaque = rig;
    rig->io.not_executed = not_executed;
    rig->code[0] = rig_neutral(IR_EXIT);
}

void rig_end(struct rig *rig) {
    shade_program_free(rig->program);
    shade_cache_free(rig->cache);
}

struct ir *rig_add(struct rig *rig, enum ir_op op) {
    struct ir *ir = &rig->code[rig->count++];
    *ir = rig_neutral(op);
    rig->code[rig->count] = rig_neutral(IR_EXIT);
    return ir;
}

struct shade_program *rig_program(struct rig *rig) {
    if (rig->executor && !rig->cache)
        rig->cache = shade_cache_new(rig->executor);
    return shade_program_new(rig->cache, rig->together ? &wide : &isa, fetch, rig, 0);
}

void rig_load(struct rig *rig, uint32_t lanes, uint32_t helpers) {
    shade_program_free(rig->program);
    rig->program = rig_program(rig);
    shade_warp_begin(&rig->warp, rig->program, &rig->io, lanes, helpers);
    memset(rig->warp.registers, 0, 16 * sizeof rig->warp.registers[0]);
    rig->warp.zeroed = 16;
}

enum shade_stop rig_run(struct rig *rig) {
    uint64_t used;
    return shade_run(&rig->warp, 10000, &used);
}

void rig_set(struct rig *rig, unsigned number, uint32_t value) {
    for (unsigned i = 0; i < SHADE_LANES; i++)
        rig->warp.registers[number][i] = value;
}
