/* SPDX-License-Identifier: MIT */
#include "isa/shader/fields.h"

void isa_clear_texture(struct ir *out, bool in_bank, unsigned slot) {
    assert(!(slot >> 13));
    out->texture = (struct ir_texture){
        .in_bank = in_bank,
        .slot = in_bank ? (uint16_t)slot : 0,
        .handle = IR_ZERO,
        .layer = IR_ZERO,
        .coordinate = {IR_ZERO, IR_ZERO, IR_ZERO},
        .sample = IR_ZERO,
        .level = IR_ZERO,
        .offset = {IR_ZERO, IR_ZERO},
        .reference = IR_ZERO,
        .derivative = {IR_ZERO, IR_ZERO, IR_ZERO, IR_ZERO, IR_ZERO, IR_ZERO},
        .d = {IR_ZERO, IR_ZERO, IR_ZERO, IR_ZERO},
    };
}

enum isa_result isa_query(unsigned number, struct ir_texture *texture) {
    static const struct {
        uint8_t number, query;
    } queries[] = {
        {1, IR_QUERY_SIZE},   {2, IR_QUERY_TYPE},    {5, IR_QUERY_SAMPLE_POSITION}, {0x10, IR_QUERY_FILTER},
        {0x12, IR_QUERY_LOD}, {0x14, IR_QUERY_WRAP}, {0x16, IR_QUERY_BORDER},
    };
    for (unsigned i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
        if (queries[i].number == number) {
            texture->query = queries[i].query;
            return ISA_OK;
        }
    return ISA_ILLEGAL;
}

void isa_texture_result(struct ir *out, unsigned d, unsigned mask) {
    uint8_t reg = (uint8_t)d;
    assert(d <= IR_ZERO && mask < 16);
    out->d = reg;
    out->texture.mask = (uint8_t)mask;
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1)
            out->texture.d[i] = isa_next(&reg);
}

/* UNKNOWN: 3. */
enum isa_result isa_outside(unsigned number, struct ir *out) {
    if (number > IR_OUTSIDE_TRAP)
        return isa_unknown(out);
    out->surface.outside = (uint8_t)number;
    return ISA_OK;
}

/* UNKNOWN: 3, "sdcl"; what is 2 does not exist. */
enum isa_result isa_outside_raw(unsigned number, struct ir *out) {
    out->surface.outside = number ? IR_OUTSIDE_TRAP : IR_OUTSIDE_NOTHING;
    return number == 2 ? ISA_ILLEGAL : number == 3 ? isa_unknown(out) : ISA_OK;
}
