/* SPDX-License-Identifier: MIT */
/*
 * The GPFIFO ring: entries of 8 bytes that name segments or tell the PBDMA something.
 *
 * An entry is read when the segment before it is used up, so the condition of SYNC is always met.
 * UNKNOWN: what a PBDMA does with bad pointers where that does not stall. Chosen: the channel waits, others continue.
 * UNKNOWN: whether a GP_CRC entry counts in the CRC that it checks. Chosen: no.
 */
#include "fifo/pbdma/interrupt.h"
#include "fifo/pbdma/puller.h"
#include "fifo/pbdma/pusher.h"
#include "fifo/pbdma/userd.h"

#define ENTRY_CONDITIONAL 0x1u /* low word */
#define ENTRY_NO_SWITCH   0x2u
#define ENTRY_PRIV        (1u << 8) /* high word */
#define ENTRY_SUBROUTINE  (1u << 9)
#define ENTRY_SYNC        (1u << 31)
#define VA_END            (UINT64_C(1) << 40)

/* IB_FLAGS, as envytools calls it. UNKNOWN: what bit 1 is. Chosen: the flag that is bit 1 of the entry. */
#define GP_FLAGS_CONDITIONAL 0x01u
#define GP_FLAGS_NO_SWITCH   0x02u
#define GP_FLAGS_PRIV        0x04u
#define GP_FLAGS_SUBROUTINE  0x08u
#define GP_FLAGS_SYNC        0x10u

struct gpfifo_entry {
    uint32_t low, high;
    uint32_t words;
    uint64_t address;
};

static uint32_t gpfifo_ring_entries(const struct pbdma *pbdma) {
    return UINT32_C(1) << (pbdma->regs[R_GP_BASE_HI] >> 16 & 0x1f);
}

static uint64_t gpfifo_ring_base(const struct pbdma *pbdma) {
    return pbdma_address(pbdma, R_GP_BASE) & ~UINT64_C(7);
}

/* True: the pointers are wrong, and the driver wants to stop for that. `usable`: they are right. */
static bool gpfifo_ring_stalls(struct pbdma *pbdma, bool *usable) {
    uint32_t entries = gpfifo_ring_entries(pbdma);
    *usable = false;
    if (gpfifo_ring_base(pbdma) + (uint64_t)entries * 8 > VA_END)
        return pbdma_raise(pbdma, PBDMA_INTR_GPFIFO, "GPFIFO");
    if (pbdma->regs[R_GP_PUT] >= entries || pbdma->regs[R_GP_GET] >= entries || pbdma->regs[R_GP_FETCH] >= entries)
        return pbdma_raise(pbdma, PBDMA_INTR_GPPTR, "GPPTR");
    *usable = true;
    return false;
}

/* Raise an interrupt for an entry that is already after GP_GET. */
static enum pbdma_step gpfifo_entry_error(struct pbdma *pbdma, uint32_t bit, const char *cause) {
    return pbdma_raise(pbdma, bit, cause) ? STEP_STALLED : STEP_DONE;
}

/* Control entries: LENGTH is 0, the opcode is where GET_HI would be. */
static enum pbdma_step gpfifo_control_nop(struct pbdma *pbdma, uint32_t operand) {
    (void)pbdma, (void)operand;
    return STEP_DONE;
}

static enum pbdma_step gpfifo_control_illegal(struct pbdma *pbdma, uint32_t operand) {
    (void)operand;
    return gpfifo_entry_error(pbdma, PBDMA_INTR_GPENTRY, "GPENTRY");
}

static enum pbdma_step gpfifo_control_gp_crc(struct pbdma *pbdma, uint32_t operand) {
    bool match = pbdma->regs[R_GP_CRC] == operand;
    pbdma->regs[R_GP_CRC] = 0;
    return match ? STEP_DONE : gpfifo_entry_error(pbdma, PBDMA_INTR_GPCRC, "GPCRC");
}

static enum pbdma_step gpfifo_control_pb_crc(struct pbdma *pbdma, uint32_t operand) {
    return pbdma_pb_crc(pbdma) == operand ? STEP_DONE : gpfifo_entry_error(pbdma, PBDMA_INTR_PBCRC, "PBCRC");
}

static const struct gpfifo_control {
    const char *name;
    enum pbdma_step (*act)(struct pbdma *pbdma, uint32_t operand);
} gpfifo_controls[] = {
    {"NOP", gpfifo_control_nop},
    {"ILLEGAL", gpfifo_control_illegal},
    {"GP_CRC", gpfifo_control_gp_crc},
    {"PB_CRC", gpfifo_control_pb_crc},
};
enum { CONTROL_ILLEGAL = 1, CONTROL_GP_CRC = 2, CONTROL_COUNT = sizeof gpfifo_controls / sizeof gpfifo_controls[0] };

static enum pbdma_step gpfifo_control_entry(struct pbdma *pbdma, const struct gpfifo_entry *entry) {
    uint32_t opcode = entry->high & 0xff;
    const struct gpfifo_control *control = &gpfifo_controls[opcode < CONTROL_COUNT ? opcode : CONTROL_ILLEGAL];
    event_send(pbdma_events(pbdma), EVENT_PUSHER_CONTROL, pbdma_channel_id(pbdma),
               opcode < CONTROL_COUNT ? control->name : "unknown", 0, entry->low);
    return control->act(pbdma, entry->low);
}

/* Put a segment where the pusher reads. */
static void gpfifo_load_segment(struct pbdma *pbdma, const struct gpfifo_entry *entry) {
    uint32_t *regs = pbdma->regs;
    uint64_t end = entry->address + UINT64_C(4) * entry->words;
    bool conditional = (entry->low & ENTRY_CONDITIONAL) != 0, sub = (entry->high & ENTRY_SUBROUTINE) != 0;
    bool no_switch = (entry->low & ENTRY_NO_SWITCH) && pbdma->shared->variant->pusher->no_switch;

    regs[R_GET] = (uint32_t)entry->address;
    regs[R_GET_HI] = (uint32_t)(entry->address >> 32);
    regs[R_PUT] = (uint32_t)end;
    regs[R_PUT_HI] = (uint32_t)(end >> 32);
    regs[R_PB_FETCH] =
        (uint32_t)entry->address | (conditional ? FETCH_CONDITIONAL : 0) | (no_switch ? FETCH_NO_SWITCH : 0);
    regs[R_PB_FETCH_HI] = (uint32_t)(entry->address >> 32) | (sub ? FETCH_SUBROUTINE : 0) |
                          (entry->high & ENTRY_SYNC ? FETCH_SYNC : 0) | entry->words << 11;
    regs[R_PB_HEADER] &= ~(HEADER_LEVEL | HEADER_CONDITIONAL);
    regs[R_PB_HEADER] |= (sub ? HEADER_LEVEL : 0) | (conditional ? HEADER_CONDITIONAL : 0);
    regs[R_GP_FLAGS] = (conditional ? GP_FLAGS_CONDITIONAL : 0) | (no_switch ? GP_FLAGS_NO_SWITCH : 0) |
                       (entry->high & ENTRY_PRIV ? GP_FLAGS_PRIV : 0) | (sub ? GP_FLAGS_SUBROUTINE : 0) |
                       (entry->high & ENTRY_SYNC ? GP_FLAGS_SYNC : 0);
    pbdma_pb_crc_begin(pbdma);
    if (!sub) {
        regs[R_TOP_GET] = regs[R_GET];
        regs[R_TOP_GET_HI] = regs[R_GET_HI] | 1u << 31;
    }
}

static enum pbdma_step gpfifo_segment_entry(struct pbdma *pbdma, const struct gpfifo_entry *entry) {
    bool conditional = (entry->low & ENTRY_CONDITIONAL) != 0;
    uint32_t flags = (entry->low & 3) | (entry->high & (ENTRY_PRIV | ENTRY_SUBROUTINE | ENTRY_SYNC));
    event_send(pbdma_events(pbdma), EVENT_PUSHER_SEGMENT, pbdma_channel_id(pbdma), NULL, entry->address, entry->words,
               flags);
    if (entry->address + UINT64_C(4) * entry->words >= VA_END)
        return gpfifo_entry_error(pbdma, PBDMA_INTR_GPENTRY, "GPENTRY");
    if (conditional && pbdma_drops_methods(pbdma))
        return STEP_DONE;
    gpfifo_load_segment(pbdma, entry);
    if (conditional && (pbdma->regs[R_PB_COUNT] & COUNT_VALUE))
        return gpfifo_entry_error(pbdma, PBDMA_INTR_PBSEG, "PBSEG");
    return STEP_DONE;
}

static bool gpfifo_read_entry(struct pbdma *pbdma, struct gpfifo_entry *entry, struct fault *fault) {
    uint8_t bytes[8];
    uint64_t address = gpfifo_ring_base(pbdma) + UINT64_C(8) * pbdma->regs[R_GP_GET];
    if (!memory_read(pbdma_memory(pbdma), &pbdma->channel->context.vm, address, bytes, sizeof bytes, fault))
        return false;
    entry->low = load_le32(bytes);
    entry->high = load_le32(bytes + 4);
    entry->words = entry->high >> 10 & 0x1fffff;
    entry->address = (entry->low & ~3u) | (uint64_t)(entry->high & 0xff) << 32;
    return true;
}

/* GP_GET moves before the entry acts, so that a bad one is discarded. */
static void gpfifo_consume_entry(struct pbdma *pbdma, const struct gpfifo_entry *entry) {
    uint32_t next = (pbdma->regs[R_GP_GET] + 1) & (gpfifo_ring_entries(pbdma) - 1);
    pbdma->regs[R_GP_GET] = pbdma->regs[R_GP_FETCH] = next;
    pbdma->gp_shadow[0] = entry->low;
    pbdma->gp_shadow[1] = entry->high;
    pbdma_charge(pbdma, 1);
    if (entry->words || (entry->high & 0xff) != CONTROL_GP_CRC)
        pbdma->regs[R_GP_CRC] =
            pbdma_crc_words(&pbdma->shared->crc, pbdma->regs[R_GP_CRC], (const uint32_t[]){entry->low, entry->high}, 2);
}

enum pbdma_step pbdma_fetch_entry(struct pbdma *pbdma) {
    if (pbdma->regs[R_GP_GET] == pbdma->regs[R_GP_PUT])
        pbdma->regs[R_GP_PUT] = pbdma_read_gp_put(pbdma);
    if (pbdma->regs[R_GP_GET] == pbdma->regs[R_GP_PUT])
        return STEP_IDLE;
    bool usable;
    if (gpfifo_ring_stalls(pbdma, &usable))
        return STEP_STALLED;
    if (!usable)
        return pbdma_wait(pbdma, 0, 0, 0);
    struct gpfifo_entry entry;
    struct fault fault;
    if (!gpfifo_read_entry(pbdma, &entry, &fault))
        return pbdma_host_fault(pbdma, &fault);
    gpfifo_consume_entry(pbdma, &entry);
    return entry.words ? gpfifo_segment_entry(pbdma, &entry) : gpfifo_control_entry(pbdma, &entry);
}
