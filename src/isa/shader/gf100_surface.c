/* SPDX-License-Identifier: MIT */
/*
 * Images of GF100, by slots, and of GK104, by addresses.
 *
 * Source: Mesa src/nouveau/codegen/nv50_ir_emit_nvc0.cpp (emitSULDB, emitSUSTx, emitSULEA; emitSULDGB, emitSUSTGx);
 * envytools envydis/gf100.c.
 */
#include "isa/shader/gf100_rows.h"

/* The slot is a number, or in a register. */
enum isa_result gf100_surface(uint64_t word, struct ir *out) {
    static const uint8_t dims[] = {IR_IMAGE_1D, IR_IMAGE_2D, IR_IMAGE_3D, IR_IMAGE_STRIDE};
    bool immediate = isa_bits(word, 46, 1);
    uint8_t number = (uint8_t)isa_bits(word, 26, 6);
    out->surface.dim = dims[isa_bits(word, 44, 2)];
    out->surface.size = out->type;
    out->surface.by_slot = true;
    out->surface.handle = immediate || number == 63 ? IR_ZERO : number;
    out->surface.slot = immediate ? number & 7 : 0;
    return isa_outside((unsigned)isa_bits(word, 47, 2), out);
}

enum isa_result gf100_surface_formatted(uint64_t word, struct ir *out) {
    enum isa_result result = gf100_surface(word, out);
    out->surface.formatted = true;
    out->surface.components = (uint8_t)isa_bits(word, 49, 4);
    return result;
}

/* The format is in a register, or a constant. */
enum isa_result gf100_surface_raw(uint64_t word, struct ir *out) {
    uint8_t number = (uint8_t)isa_bits(word, 26, 6);
    out->surface.size = out->type;
    out->surface.raw = (uint8_t)isa_bits(word, 45, 2);
    out->surface.handle = IR_ZERO;
    out->c = (struct ir_source){.kind = IR_REGISTER, .value = number == 63 ? IR_ZERO : number};
    if (isa_bits(word, 53, 1))
        out->c = (struct ir_source){
            .kind = IR_CONSTANT, .bank = (uint8_t)isa_bits(word, 40, 5), .value = 4 * (uint32_t)isa_bits(word, 26, 14)};
    return isa_outside_raw((unsigned)isa_bits(word, 47, 2), out);
}

enum isa_result gf100_surface_raw_formatted(uint64_t word, struct ir *out) {
    enum isa_result result = gf100_surface_raw(word, out);
    out->surface.formatted = true;
    out->surface.components = (uint8_t)isa_bits(word, 54, 4);
    return result;
}
