/* SPDX-License-Identifier: MIT */
/*
 * How rows of PGRAPH's registers are written, and the side effects of writes.
 *
 * Registers that the model uses are fields of struct graph_regs. The others, which a driver saves and restores with a
 * channel, are words stored by offset (STORED). They keep the bits that hardware keeps.
 *
 * The bits of NV1 .. NV4x are those that stick in the scans of envytools hwtest (pgraph_scan.cc, pgraph_state.cc);
 * names are from rnndb/graph/nv{1,3,4}_pgraph.xml, and from hwtest for registers without a name there.
 */
#ifndef PFIFO_SRC_UNIT_GRAPH_GRAPH_REGS_H
#define PFIFO_SRC_UNIT_GRAPH_GRAPH_REGS_H

#include "unit/graph/graph.h"

#define G(field)        offsetof(struct pgraph, r.field)
#define RW(bits)        .readable = (bits), .writable = (bits)
#define AT(field, bits) .at = G(field), RW(bits)
#define RO(field, bits) .at = G(field), .readable = (bits)
#define RO_ZERO         .at = REG_NONE
#define ACK(field)      .at = G(field), .readable = ~0u, .write = graph_write_intr
#define LINE(field, n)  AT(field, n), .write = graph_write_line

/* NV1: the host cannot write it while its access is off. That holds for all but ACCESS, INTR and INVALID. */
#define HOSTED .closed = graph_host_is_off

/* A register that is a word stored by offset, or n of them. */
#define WORD(offset) G(stored[GRAPH_WORD(offset)])
#define STORED(chips, offset, name, bits)                                                                              \
    {                                                                                                                  \
        chips, {                                                                                                       \
            offset, name, .at = WORD(offset), RW(bits), HOSTED                                                         \
        }                                                                                                              \
    }
#define STORED_N(chips, offset, n, name, bits)                                                                         \
    {                                                                                                                  \
        chips, {                                                                                                       \
            offset, name, .at = WORD(offset), RW(bits), .count = (n), HOSTED                                           \
        }                                                                                                              \
    }

/* A write with a side effect. */
#define ACTING(chips, offset, n, name, bits, action)                                                                   \
    {                                                                                                                  \
        chips, {                                                                                                       \
            offset, name, .at = WORD(offset), RW(bits), .count = (n), .write = (action), HOSTED                        \
        }                                                                                                              \
    }

/* Some bits are always 1. */
#define WITH_ONES(chips, offset, n, name, bits, ones)                                                                  \
    {                                                                                                                  \
        chips, {                                                                                                       \
            offset, name, .at = WORD(offset), .readable = (bits) | (ones), .writable = (bits), .reset = (ones),        \
                          .count = (n)                                                                                 \
        }                                                                                                              \
    }

/* A side of a clip rectangle: a write to either one also moves the old maximum to the minimum. */
#define CLIP(chips, offset, name, bits, action)                                                                        \
    {                                                                                                                  \
        chips, {                                                                                                       \
            offset, name, .at = WORD(offset), .readable = (bits), .write = (action), HOSTED                            \
        }                                                                                                              \
    }

/* The cache of contexts, a word for each subchannel. The host cannot write it while FIFO access is on. */
#define CACHE(chips, offset, name, bits)                                                                               \
    {                                                                                                                  \
        chips, {                                                                                                       \
            offset, name, .at = WORD(offset), RW(bits), .count = 8, .closed = graph_fifo_is_on                         \
        }                                                                                                              \
    }

/* Fields of registers that several generations have. */
#define CONTROL_FIELDS "MIN_TIME 1:0, TIME 8, CHID_VALID 16, SWITCH_AVAILABLE 20, SWITCHING 24, DEVICE_ENABLED 28"
#define CONTROL_BITS   0x11010103u
/* UNKNOWN: when SWITCH_AVAILABLE, which is read-only, is 1 from NV3 on; chosen: never. */
#define CONTROL                                                                                                        \
    .at = G(ctx_control), .readable = CONTROL_BITS | 1u << 20, .writable = CONTROL_BITS, .fields = CONTROL_FIELDS

extern const struct reg_row graph_rows_nv1[], graph_rows_nv4[], graph_rows_nv4_drawing[], graph_rows_nv10[],
    graph_rows_nv20[];
extern const size_t graph_row_count_nv1, graph_row_count_nv4, graph_row_count_nv4_drawing, graph_row_count_nv10,
    graph_row_count_nv20;

bool graph_fifo_is_on(const void *unit);
uint32_t graph_read_control_nv1(void *unit, const struct reg *reg, uint32_t index);
void graph_write_access_nv1(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

/* Registers whose write sets their bit in VALID: for each a function, the VALID register, the bit. */
#define GRAPH_MARKS(X)                                                                                                 \
    X(surf_pitch, 0x400508, 2)                                                                                         \
    X(surf_offset, 0x400508, 3)                                                                                        \
    X(misc32, 0x400508, 16)                                                                                            \
    X(bitmap_color, 0x400508, 17)                                                                                      \
    X(d3d_config, 0x400508, 26)                                                                                        \
    X(d3d56_config, 0x400578, 17)                                                                                      \
    X(d3d56_stencil_func, 0x400578, 18)                                                                                \
    X(d3d56_stencil_op, 0x400578, 19)                                                                                  \
    X(d3d56_blend, 0x400578, 20)                                                                                       \
    X(d3d56_rc_color_1, 0x400578, 25)                                                                                  \
    X(d3d56_rc_alpha_1, 0x400578, 26)                                                                                  \
    X(d3d56_rc_color_0, 0x400578, 27)                                                                                  \
    X(d3d56_rc_alpha_0, 0x400578, 28)
#define GRAPH_MARK(name, valid, bit)                                                                                   \
    void graph_mark_##name(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
GRAPH_MARKS(GRAPH_MARK)
#undef GRAPH_MARK

/* graph_drawing.c */
void graph_write_debug_0(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_debug_1(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t graph_read_debug_1_nv10(void *unit, const struct reg *reg, uint32_t index);
void graph_write_context(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_beta(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_xy_misc(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_copied(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t graph_read_unka10(void *unit, const struct reg *reg, uint32_t index);
void graph_write_state3d(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_surf_offset(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_surf_base(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_clip_min(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_clip_max(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

/* graph_input.c */
void graph_write_fifo(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_stage(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

/* graph_ports.c */
enum { GRAPH_RDI_INDEX = 0x400750, GRAPH_PIPE_ADDRESS = 0x400f50, GRAPH_XF_MISC_A = 0x400f40 };
uint32_t graph_read_rdi(void *unit, const struct reg *reg, uint32_t index);
void graph_write_rdi(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t graph_read_pipe(void *unit, const struct reg *reg, uint32_t index);
void graph_write_pipe(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
uint32_t graph_read_pipe_address_nv10(void *unit, const struct reg *reg, uint32_t index);
void graph_write_pipe_address(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_xf_misc_b(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

/* ---- between the files of PGRAPH ---- */

/* The registers, in tables by chips. */
struct graph_table {
    const char *chips;
    const struct reg_row *rows;
    const size_t *count;
};
extern const struct graph_table graph_tables[GRAPH_TABLES];
void graph_write_intr(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
void graph_write_line(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

/* ---- graph_object_nv4.c ---- */

const struct graph_context *graph_context_of(const struct pfifo_chip *chip);
/* A method was refused: the classes on the subchannels, and its object. */
void graph_show_object(struct pgraph *graph, const struct unit_trap *trap);

/*
 * A method of the input stage: select its object. With method 0 data is the instance, and the object's words are read
 * from RAMIN; with another subchannel they are, if DEBUG says so.
 */
void graph_select(struct pgraph *graph, const struct unit_method *method);
/* The object that CTX_SWITCH shows. */
uint32_t graph_selected_class(const struct pgraph *graph);
uint32_t graph_selected_instance(const struct pgraph *graph);

/* ---- graph_input.c ---- */

const struct graph_stage *graph_stage_of(const struct pfifo_chip *chip);
/* Does another subchannel read the words of its object again? */
bool graph_stage_reloads(const struct pgraph *graph);

/* ---- graph_drawing.c ---- */

const struct graph_resets *graph_resets_of(const struct pfifo_chip *chip);
uint32_t graph_canvas_y(const struct pgraph *graph);
/*
 * PGRAPH selects another object. `asked`: the caller wants it to forget the state of methods, if DEBUG_2 enables that.
 */
void graph_leave_object(struct pgraph *graph, bool asked);
/* The same, whatever is enabled. */
void graph_forget_object(struct pgraph *graph, bool forgets);

/* ---- graph.c ---- */

/* The gate of the chip's PGRAPH for channels; NULL: always open. */
const struct graph_gate *graph_gate_of(const struct pfifo_chip *chip);
/* How it shows refused methods. */
const struct graph_errors *graph_errors_of(const struct pfifo_chip *chip);
void graph_reset(struct pgraph *graph);
/* TRAPPED_ADDR and TRAPPED_DATA. */
void graph_show_method(struct pgraph *graph, uint32_t channel, const struct unit_method *method);
/* NV1: set these bits of INTR; any switches access off. */
void graph_raise_nv1(struct pgraph *graph, uint32_t intr);

#endif
