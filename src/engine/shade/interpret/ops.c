/* SPDX-License-Identifier: MIT */
/* Which function an operation is. */
#include "engine/shade/interpret/core.h"

bool shade_not_executed(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    (void)lanes;
    struct shade_code *code = shade_program_code(warp->program, ir->address);
    if (!code->reported && warp->stage->not_executed)
        warp->stage->not_executed(warp, ir);
    if (!warp->stage->collects)
        code->reported = true;
    return true;
}

static shade_op *const ops[IR_OPS] = {
    [IR_NOP] = shade_nop,         [IR_MOV] = shade_mov,
    [IR_SEL] = shade_sel,         [IR_PRMT] = shade_prmt,
    [IR_S2R] = shade_s2r,         [IR_P2R] = shade_p2r,
    [IR_R2P] = shade_r2p,         [IR_LEPC] = shade_lepc,
    [IR_FADD] = shade_fadd,       [IR_FMUL] = shade_fmul,
    [IR_FFMA] = shade_ffma,       [IR_FMNMX] = shade_fmnmx,
    [IR_FSET] = shade_fset,       [IR_FSETP] = shade_fsetp,
    [IR_FCMP] = shade_fcmp,       [IR_MUFU] = shade_mufu,
    [IR_RRO] = shade_rro,         [IR_FSWZADD] = shade_fswzadd,
    [IR_FCHK] = shade_fchk,       [IR_HADD2] = shade_hadd2,
    [IR_HMUL2] = shade_hmul2,     [IR_HFMA2] = shade_hfma2,
    [IR_HSET2] = shade_hset2,     [IR_HSETP2] = shade_hsetp2,
    [IR_IADD] = shade_iadd,       [IR_IADD3] = shade_iadd3,
    [IR_ISCADD] = shade_iscadd,   [IR_IMUL] = shade_imul,
    [IR_IMAD] = shade_imad,       [IR_IMADSP] = shade_imadsp,
    [IR_XMAD] = shade_xmad,       [IR_ISAD] = shade_isad,
    [IR_IMNMX] = shade_imnmx,     [IR_ISET] = shade_iset,
    [IR_ISETP] = shade_isetp,     [IR_ICMP] = shade_icmp,
    [IR_SHL] = shade_shl,         [IR_SHR] = shade_shr,
    [IR_SHF_L] = shade_shf_l,     [IR_SHF_R] = shade_shf_r,
    [IR_LOP] = shade_lop,         [IR_LOP3] = shade_lop3,
    [IR_BFE] = shade_bfe,         [IR_BFI] = shade_bfi,
    [IR_POPC] = shade_popc,       [IR_FLO] = shade_flo,
    [IR_LEA] = shade_lea,         [IR_LEA_HI] = shade_lea_hi,
    [IR_IDP] = shade_idp,         [IR_VIDEO] = shade_video,
    [IR_I2I] = shade_i2i,         [IR_I2F] = shade_i2f,
    [IR_F2I] = shade_f2i,         [IR_F2F] = shade_f2f,
    [IR_PSET] = shade_pset,       [IR_PSETP] = shade_psetp,
    [IR_CSET] = shade_cset,       [IR_CSETP] = shade_csetp,
    [IR_VOTE] = shade_vote,       [IR_SHFL] = shade_shfl,
    [IR_LD] = shade_ld,           [IR_ST] = shade_st,
    [IR_LD_LOCK] = shade_ld_lock, [IR_ST_UNLOCK] = shade_st_unlock,
    [IR_ATOM] = shade_atom,       [IR_LDC] = shade_ldc,
    [IR_ALD] = shade_ald,         [IR_AST] = shade_ast,
    [IR_AL2P] = shade_al2p,       [IR_PFETCH] = shade_pfetch,
    [IR_IPA] = shade_ipa,         [IR_OUT] = shade_out,
    [IR_PIXLD] = shade_pixld,     [IR_TEX] = shade_texture,
    [IR_TLD] = shade_texture,     [IR_TLD4] = shade_texture,
    [IR_TXD] = shade_texture,     [IR_TXQ] = shade_texture,
    [IR_TMML] = shade_texture,    [IR_SURFACE] = shade_surface,
    [IR_ORDER] = shade_nop,
};

/* The same on doubles. */
static shade_op *double_op(unsigned op) {
    switch (op) {
    case IR_FADD:
        return shade_dadd;
    case IR_FMUL:
        return shade_dmul;
    case IR_FFMA:
        return shade_dfma;
    case IR_FMNMX:
        return shade_dmnmx;
    case IR_FSET:
        return shade_dset;
    case IR_FSETP:
        return shade_dsetp;
    default:
        return shade_not_executed;
    }
}

/* Sources in place, from inputs and shared memory, are Tesla's. */
static bool in_place(const struct ir_source *source) {
    return source->kind == IR_INPUT || source->kind == IR_SHARED;
}

shade_op *shade_op_of(const struct ir *ir) {
    if (ir->op >= IR_BRA && ir->op <= IR_BAR)
        return NULL;
    if (ir->op >= IR_OPS || !ops[ir->op] || in_place(&ir->a) || in_place(&ir->b) || in_place(&ir->c))
        return shade_not_executed;
    if (ir->type == IR_F64 && ir->op >= IR_FADD && ir->op <= IR_FCMP)
        return double_op(ir->op);
    if (ir->op == IR_FFMA && ir->round == IR_NEAREST && !ir->multiply_zero && shade_has_fused())
        return shade_ffma_fused;
    return ops[ir->op];
}
