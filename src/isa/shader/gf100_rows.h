/* SPDX-License-Identifier: MIT */
/* The tables of GF100 and GK104, and the functions that finish their rows. */
#ifndef PFIFO_SRC_ISA_SHADER_GF100_ROWS_H
#define PFIFO_SRC_ISA_SHADER_GF100_ROWS_H

#include "isa/shader/fields.h"

/* Of both; of Fermi alone; of GK104 and its like alone; instructions of 4 bytes. */
extern const struct isa_row fermi_rows[], gf100_fermi_rows[], gf100_kepler_rows[], gf100_short_rows[];
extern const size_t fermi_row_count, gf100_fermi_row_count, gf100_kepler_row_count, gf100_short_row_count;

/* Where fields are that short and long instructions share. */
#define A                PUT(PUT_REGISTER, a, 20, 6, 0)
#define B                PUT(PUT_REGISTER, b, 26, 6, 0)
#define C                PUT(PUT_REGISTER, c, 49, 6, 0)
#define D                PUT(PUT_NUMBER, d, 14, 6, 0)
#define A_26             PUT(PUT_REGISTER, a, 26, 6, 0)
#define B_D              PUT(PUT_REGISTER, b, 14, 6, 0)
#define C_D              PUT(PUT_REGISTER, c, 14, 6, 0)
#define C_B              PUT(PUT_REGISTER, c, 26, 6, 0)
#define LOP(at)          BITS(combine, at, 2)
#define SPACE(which)     PRESET(space, IR_SPACE_##which)
#define PREDICATES(b_at) PUT(PUT_PREDICATE, a, 20, 3, 0), INV_A(23), PUT(PUT_PREDICATE, b, b_at, 3, 0)
/* The guard is not read. */
#define ALWAYS PRESET(guard, IR_TRUE), PRESET(guard_negate, 0)

#define ROW(name, value, mask, op, type, finish, ...)                                                                  \
    {                                                                                                                  \
        name, 0x##value, 0x##mask, IR_##op, IR_##type, finish, {                                                       \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

enum isa_result gf100_tex(uint64_t word, struct ir *out);
enum isa_result gf100_tld(uint64_t word, struct ir *out);
enum isa_result gf100_tld4(uint64_t word, struct ir *out);
enum isa_result gf100_txd(uint64_t word, struct ir *out);
enum isa_result gf100_txq(uint64_t word, struct ir *out);
enum isa_result gf100_tmml(uint64_t word, struct ir *out);

enum isa_result gf100_surface(uint64_t word, struct ir *out);
enum isa_result gf100_surface_formatted(uint64_t word, struct ir *out);
enum isa_result gf100_surface_raw(uint64_t word, struct ir *out);
enum isa_result gf100_surface_raw_formatted(uint64_t word, struct ir *out);
enum isa_result gf100_atom(uint64_t word, struct ir *out);
enum isa_result gf100_bar(uint64_t word, struct ir *out);
enum isa_result gf100_f2f(uint64_t word, struct ir *out);
enum isa_result gf100_mufu(uint64_t word, struct ir *out);
enum isa_result gf100_next(uint64_t word, struct ir *out);
enum isa_result gf100_predicate_58(uint64_t word, struct ir *out);
enum isa_result gf100_red(uint64_t word, struct ir *out);
enum isa_result gf100_shfl(uint64_t word, struct ir *out);
enum isa_result gf100_simd(uint64_t word, struct ir *out);
enum isa_result gf100_video(uint64_t word, struct ir *out);

/* The sources of short instructions. */
uint64_t gf100_spread(uint32_t word);
enum isa_result gf100_short_a(uint64_t word, struct ir *out);
enum isa_result gf100_short_b(uint64_t word, struct ir *out);
enum isa_result gf100_short_b_7(uint64_t word, struct ir *out);
enum isa_result gf100_short_c(uint64_t word, struct ir *out);
enum isa_result gf100_short_i2i(uint64_t word, struct ir *out);
enum isa_result gf100_short_number(uint64_t word, struct ir *out);
enum isa_result gf100_short_mov(uint64_t word, struct ir *out);
enum isa_result gf100_short_mov_high(uint64_t word, struct ir *out);
enum isa_result gf100_short_pset(uint64_t word, struct ir *out);
enum isa_result gf100_short_bar(uint64_t word, struct ir *out);
enum isa_result gf100_short_simd(uint64_t word, struct ir *out);
enum isa_result gf100_short_target(uint64_t word, struct ir *out);

#endif
