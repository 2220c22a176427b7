/* SPDX-License-Identifier: MIT */
/* Operands of GM107's rows, and the functions that finish them. */
#ifndef PFIFO_SRC_ISA_SHADER_GM107_ROWS_H
#define PFIFO_SRC_ISA_SHADER_GM107_ROWS_H

#include "isa/shader/fields.h"

extern const struct isa_row gm107_rows[];
extern const size_t gm107_row_count;

enum isa_result gm107_tex(uint64_t word, struct ir *out);
enum isa_result gm107_tld(uint64_t word, struct ir *out);
enum isa_result gm107_tld4(uint64_t word, struct ir *out);
enum isa_result gm107_txd(uint64_t word, struct ir *out);
enum isa_result gm107_txq(uint64_t word, struct ir *out);
enum isa_result gm107_tmml(uint64_t word, struct ir *out);
enum isa_result gm107_texs(uint64_t word, struct ir *out);
enum isa_result gm107_tlds(uint64_t word, struct ir *out);
enum isa_result gm107_tld4s(uint64_t word, struct ir *out);

enum isa_result gm107_bar(uint64_t word, struct ir *out);
enum isa_result gm107_cas(uint64_t word, struct ir *out);
enum isa_result gm107_atomic(uint64_t word, struct ir *out);
enum isa_result gm107_atoms(uint64_t word, struct ir *out);
enum isa_result gm107_atoms_cas(uint64_t word, struct ir *out);
enum isa_result gm107_halves(uint64_t word, struct ir *out);
enum isa_result gm107_idp(uint64_t word, struct ir *out);
enum isa_result gm107_ipa_index(uint64_t word, struct ir *out);
enum isa_result gm107_ldg_predicate(uint64_t word, struct ir *out);
enum isa_result gm107_next(uint64_t word, struct ir *out);
enum isa_result gm107_popc(uint64_t word, struct ir *out);
enum isa_result gm107_shf(uint64_t word, struct ir *out);
enum isa_result gm107_shfl(uint64_t word, struct ir *out);
enum isa_result gm107_surface(uint64_t word, struct ir *out);
enum isa_result gm107_surface_atomic(uint64_t word, struct ir *out);
enum isa_result gm107_simd(uint64_t word, struct ir *out);
enum isa_result gm107_video(uint64_t word, struct ir *out);
enum isa_result gm107_xmad(uint64_t word, struct ir *out);

#endif
