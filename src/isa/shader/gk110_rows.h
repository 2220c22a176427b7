/* SPDX-License-Identifier: MIT */
/* The tables of GK110, one per type of words (their lowest two bits), and the functions that finish their rows. */
#ifndef PFIFO_SRC_ISA_SHADER_GK110_ROWS_H
#define PFIFO_SRC_ISA_SHADER_GK110_ROWS_H

#include "isa/shader/fields.h"

extern const struct isa_row gk110_long_rows[], gk110_immediate_rows[], gk110_rows[];
extern const size_t gk110_long_row_count, gk110_immediate_row_count, gk110_row_count;

enum isa_result gk110_tex(uint64_t word, struct ir *out);
enum isa_result gk110_tld(uint64_t word, struct ir *out);
enum isa_result gk110_tld4(uint64_t word, struct ir *out);
enum isa_result gk110_txd(uint64_t word, struct ir *out);
enum isa_result gk110_txq(uint64_t word, struct ir *out);
enum isa_result gk110_tmml(uint64_t word, struct ir *out);

enum isa_result gk110_surface_load(uint64_t word, struct ir *out);
enum isa_result gk110_surface_store(uint64_t word, struct ir *out);
enum isa_result gk110_surface_load_constant(uint64_t word, struct ir *out);
enum isa_result gk110_surface_store_constant(uint64_t word, struct ir *out);

enum isa_result gk110_bar(uint64_t word, struct ir *out);
enum isa_result gk110_cas(uint64_t word, struct ir *out);
enum isa_result gk110_f2f(uint64_t word, struct ir *out);
enum isa_result gk110_shf(uint64_t word, struct ir *out);
enum isa_result gk110_shfl(uint64_t word, struct ir *out);
enum isa_result gk110_video(uint64_t word, struct ir *out);

#endif
