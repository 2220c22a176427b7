/* SPDX-License-Identifier: MIT */
/*
 * What only lines of some forms have: a reading's lines beyond those that all forms share (more.c, more_nvidia.c,
 * more_registers.c, more_warp.c, xid.c, xid_engines.c).
 */
#ifndef PFIFO_TOOL_EXPLAIN_LOG_MORE_H
#define PFIFO_TOOL_EXPLAIN_LOG_MORE_H

#include "face/tool/explain/log/log.h"

/* Old kernels have names only, without the number. */
void log_more_names(struct explain *explain, const struct log_match *match);
/* Names that only the driver gives. */
void log_more_called(struct explain *explain, const struct log_match *match);
/* Engine, client and reason of a fault of the MMU. */
void log_more_fault(struct explain *explain, const struct log_match *match);
/* A method of a subchannel whose class the line does not say. */
void log_more_subchannel(struct explain *explain, const struct log_match *match);
/* A method of the channel's own class, or of a subchannel's. */
void log_more_host_method(struct explain *explain, const struct log_match *match);
/* CACHE1_DMA_STATE. */
void log_more_pusher(struct explain *explain, const struct log_match *match);
/* NSOURCE and NSTATUS of PGRAPH. */
void log_more_nsource(struct explain *explain, const struct log_match *match);
/* Format and kind of a render target. */
void log_more_prop(struct explain *explain, const struct log_match *match);
/* The errors of a shader processor and of its warp. */
void log_more_mp(struct explain *explain, const struct log_match *match);
/* The number of an errno at the end of a line. */
void log_more_errno(struct explain *explain, const struct log_match *match);
/* Bits of PFIFO's interrupts. */
void log_more_interrupt(struct explain *explain, const struct log_match *match);
/* A register that did not answer, and why. */
void log_more_mmio(struct explain *explain, const struct log_match *match);
/* What a register ring answers in place of data: 0xbadf.... */
void log_more_ring(struct explain *explain, const struct log_match *match);
/* That, after the register that was written. */
void log_more_ring_write(struct explain *explain, const struct log_match *match);
/* An Xid's number in a line of nouveau's GSP. */
void log_more_gsp_type(struct explain *explain, const struct log_match *match);
/* A PBDMA's header, methods and state in a line of nvgpu. */
void log_more_nvgpu_pbdma(struct explain *explain, const struct log_match *match);
/* The ring's entry in such a line, as 64 bits; false: the line has none. */
bool log_nvgpu_entry(const struct log_match *match, uint64_t *entry);
/* "class error CLASS, offset OFFSET, sub channel ..., data ...". */
void log_more_nvgpu_class(struct explain *explain, const struct log_match *match);
/* Address and type of a fault in a line of nvgpu. */
void log_more_nvgpu_fault(struct explain *explain, const struct log_match *match);
/* A processor's errors, as decimal numbers. */
void log_more_nvgpu_sm(struct explain *explain, const struct log_match *match);
/* The error that a channel's program is told. */
void log_more_nvgpu_notifier(struct explain *explain, const struct log_match *match);
/* Engine, client, address and type of a fault in a line of NVIDIA's driver that is no Xid. */
void log_more_nvrm_fault(struct explain *explain, const struct log_match *match);
/* The scheduler's error as a register or as a name. */
void log_more_nvgpu_sched(struct explain *explain, const struct log_match *match);
/* What an Xid's line has after its number. */
uint64_t log_xid_number(const struct log_match *match);
/* "faulted @ 0x10_00200000"; false: the line has none. */
bool log_xid_address(const struct log_match *match, uint64_t *address);
void log_more_xid(struct explain *explain, const struct log_match *match);
/* Of those, what PGRAPH's, a PBDMA's and the scheduler's have. */
void log_xid_graphics(struct explain *explain, const struct log_match *match);
void log_xid_pbdma(struct explain *explain, const struct log_match *match);
void log_xid_timeout(struct explain *explain, const struct log_match *match);

#endif
