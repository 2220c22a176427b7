/* SPDX-License-Identifier: MIT */
/* The PBDMA of the reference: GP entries and words. Its methods are in pbdma_method.c. */
#include "pbdma.h"

#include <string.h>

#include "pbdma_state.h"

#define NS_PER_UNIT 16
#define VA_END      (UINT64_C(1) << 40)
#define POLYNOMIAL  0x04c11db7u
#define ENTRY_PRIV  0x100u
#define ENTRY_SUB   0x200u
#define ENTRY_SYNC  0x80000000u

/* ---- memory ---- */

uint32_t pref_physical_rd32(const struct pbdma_reference *r, uint64_t address) {
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++)
        value |= address + i < r->config.vram_bytes ? (uint32_t)r->config.vram[address + i] << 8 * i : 0;
    return value;
}

void pref_physical_wr32(struct pbdma_reference *r, uint64_t address, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        if (address + i < r->config.vram_bytes)
            r->config.vram[address + i] = (uint8_t)(value >> 8 * i);
}

bool pref_rd32(const struct pbdma_reference *r, uint64_t address, uint32_t *value) {
    if (address + 4 > r->config.mapped)
        return false;
    *value = pref_physical_rd32(r, address);
    return true;
}

/* ---- small things ---- */

void pref_event(struct pbdma_reference *r, const char *name, const char *text, uint64_t v0, uint64_t v1, uint64_t v2,
                uint64_t v3, uint64_t v4) {
    const struct reference_event e = {name, text, {v0, v1, v2, v3, v4, 0}};
    r->config.calls.event(r->config.calls.opaque, &e);
}

/* True if the interrupt stops the PBDMA. */
bool pref_raise(struct pbdma_reference *r, uint32_t bit, const char *cause) {
    r->intr |= bit;
    pref_event(r, "fifo.interrupt", cause, r->intr, 0, 0, 0, 0);
    return (r->stall & bit) != 0;
}

enum outcome pref_stalls(struct pbdma_reference *r, uint32_t bit, const char *cause) {
    return pref_raise(r, bit, cause) ? STALLED : DONE;
}

/* An access faulted: the channel cannot go on. The address is that of the first byte that is not there. */
enum outcome pref_fault(struct pbdma_reference *r, uint64_t address, uint32_t bytes, bool write) {
    bool begins_well = address < r->config.mapped && address + bytes > r->config.mapped;
    r->faulted = true;
    r->fault_address = begins_well ? r->config.mapped : address;
    r->fault_write = write;
    return FAULTED;
}

/* CRC-32, most significant bit first, no inversions: one more byte. */
uint32_t pref_crc(uint32_t crc, uint32_t byte) {
    crc ^= byte << 24;
    for (unsigned bit = 0; bit < 8; bit++)
        crc = crc >> 31 ? crc << 1 ^ POLYNOMIAL : crc << 1;
    return crc;
}

uint32_t pref_crc_word(uint32_t crc, uint32_t word) {
    for (unsigned i = 0; i < 4; i++)
        crc = pref_crc(crc, word >> 8 * i & 0xff);
    return crc;
}

static uint64_t address_of(const struct pbdma_reference *r, uint32_t low, uint32_t high) {
    return (uint64_t)(value(r, high) & 0xff) << 32 | value(r, low);
}

/* Without CHANNEL_DMA there are no subdevices, and this one is always meant. */
static bool active(const struct pbdma_reference *r) {
    return (value(r, SUBDEVICE) & SUBDEVICE_ACTIVE) || !(value(r, SUBDEVICE) & SUBDEVICE_DMA);
}

/* ---- the segment ---- */

static void follow_top(struct pbdma_reference *r) {
    if (value(r, PB_HEADER) & HEADER_LEVEL)
        return;
    *word(r, TOP_GET) = value(r, GET);
    *word(r, TOP_GET_HI) = value(r, GET_HI) | 0x80000000u;
}

static void consume_word(struct pbdma_reference *r) {
    uint64_t get = address_of(r, GET, GET_HI) + 4;
    *word(r, GET) = (uint32_t)get;
    *word(r, GET_HI) = (uint32_t)(get >> 32);
    follow_top(r);
}

/* UNKNOWN: whether TOP_LEVEL_GET follows over words that are not read; chosen: no. */
static void drop_segment(struct pbdma_reference *r) {
    r->pb_crc_known = false;
    *word(r, GET) = value(r, PUT);
    *word(r, GET_HI) = value(r, PUT_HI);
}

static void send_method(struct pbdma_reference *r, uint32_t subchannel, uint32_t method, uint32_t flags,
                        uint32_t data) {
    *word(r, METHOD0) = METHOD_VALID | flags | subchannel << 16 | method;
    *word(r, DATA0) = data;
    pref_event(r, "puller.method", NULL, subchannel, r->bound[subchannel], method, data, 0);
}

static enum outcome data_word(struct pbdma_reference *r, uint32_t data) {
    uint32_t header = value(r, PB_HEADER), type = header >> 29, method = header & 0x3ffc;
    consume_word(r);
    uint32_t next = type == TYPE_INC || type == TYPE_INC_ONCE ? method + 4 : method;
    uint32_t then = type == TYPE_INC_ONCE ? TYPE_NON_INC : type;
    *word(r, PB_HEADER) = (header & 0x1fffc003u & ~HEADER_FIRST) | then << 29 | (next & 0x3ffc);
    *word(r, PB_COUNT) = value(r, PB_COUNT) - 1;
    if (active(r))
        send_method(r, header >> 16 & 7, method, (header & HEADER_FIRST) | (type == TYPE_INC ? METHOD_INC : 0), data);
    return DONE;
}

static enum outcome bad_word(struct pbdma_reference *r, uint64_t at, uint32_t w, const char *what) {
    pref_event(r, "pusher.error", what, at, w, PBENTRY, 0, 0);
    return pref_stalls(r, PBENTRY, "PBENTRY");
}

static void set_header(struct pbdma_reference *r, uint32_t type, uint32_t fields, uint32_t count) {
    *word(r, PB_HEADER) =
        (value(r, PB_HEADER) & (HEADER_LEVEL | HEADER_CONDITIONAL)) | HEADER_FIRST | type << 29 | fields;
    *word(r, PB_COUNT) = count;
}

static void packet(struct pbdma_reference *r, uint64_t at, uint32_t w, uint32_t method, uint32_t count,
                   const char *form) {
    pref_event(r, "pusher.packet", form, at, w, w >> 13 & 7, method, count);
}

/* INCR, NON_INCR, ONE_INCR and the two old forms. */
static enum outcome methods(struct pbdma_reference *r, uint64_t at, uint32_t w, uint32_t type, uint32_t method,
                            uint32_t count, const char *form) {
    set_header(r, type, (w >> 13 & 7) << 16 | method, count);
    packet(r, at, w, method, count, form);
    uint32_t steps = count < 2 || type == TYPE_NON_INC ? 0 : type == TYPE_INC ? count - 1 : 1;
    return method + 4 * steps >= 0x4000 ? bad_word(r, at, w, "address wraps") : DONE;
}

static void control_packet(struct pbdma_reference *r, uint64_t at, uint32_t w, const char *form) {
    pref_event(r, "pusher.packet", form, at, w, 0, 0, 0);
}

/* The mask counts only with CHANNEL_DMA; without it the subdevice is always active. */
static enum outcome use_mask(struct pbdma_reference *r, uint64_t at, uint32_t w, uint32_t mask) {
    uint32_t subdevice = value(r, SUBDEVICE);
    if (!(subdevice & SUBDEVICE_DMA))
        return bad_word(r, at, w, "subdevice mask is off");
    bool now = (mask & subdevice & 0xfff) != 0;
    *word(r, SUBDEVICE) = (subdevice & ~SUBDEVICE_ACTIVE) | (now ? SUBDEVICE_ACTIVE : 0);
    if (!now && (value(r, PB_FETCH) & 1))
        drop_segment(r);
    return DONE;
}

static enum outcome mask_word(struct pbdma_reference *r, uint64_t at, uint32_t w) {
    uint32_t mask = w >> 4 & 0xfff;
    switch (w >> 16) {
    case 1:
        set_header(r, TYPE_SSDM, mask << 4, 0);
        control_packet(r, at, w, "set-subdevice-mask");
        return use_mask(r, at, w, mask);
    case 2:
        set_header(r, TYPE_STORE, mask << 4, 0);
        control_packet(r, at, w, "store-subdevice-mask");
        *word(r, SUBDEVICE) = (value(r, SUBDEVICE) & ~0x0fff0000u) | mask << 16;
        return DONE;
    case 3:
        set_header(r, TYPE_USE, 0, 0);
        control_packet(r, at, w, "use-subdevice-mask");
        return use_mask(r, at, w, value(r, SUBDEVICE) >> 16 & 0xfff);
    default:
        return bad_word(r, at, w, "invalid word");
    }
}

static enum outcome command_word(struct pbdma_reference *r, uint64_t at, uint32_t w) {
    uint32_t types = value(r, CMD_TYPES) >> 8 & 3, group = w >> 29;
    uint32_t count = w >> 16 & 0x1fff, method = (w & 0xfff) * 4, old_count = w >> 18 & 0x7ff, old_method = w & 0x1ffc;
    consume_word(r);
    r->hdr_shadow = w;
    if (w == 0)
        return DONE;
    if (types == 0 && group != 0 && group != 2)
        return bad_word(r, at, w, "invalid word");
    bool old = types != 1 && (w >> 16 & 3) == 0;
    switch (group) {
    case 0:
        if (w >> 16 & 3)
            return mask_word(r, at, w);
        return old ? methods(r, at, w, TYPE_INC, old_method, old_count, "increasing")
                   : bad_word(r, at, w, "invalid word");
    case 2:
        return old ? methods(r, at, w, TYPE_NON_INC, old_method, old_count, "non-increasing")
                   : bad_word(r, at, w, "invalid word");
    case 1:
        return methods(r, at, w, TYPE_INC, method, count, "increasing");
    case 3:
        return methods(r, at, w, TYPE_NON_INC, method, count, "non-increasing");
    case 4:
        set_header(r, TYPE_IMMD, (w >> 13 & 7) << 16 | method, 0);
        packet(r, at, w, method, 1, "immediate");
        if (active(r))
            send_method(r, w >> 13 & 7, method, HEADER_FIRST, count);
        return DONE;
    case 5:
        return methods(r, at, w, TYPE_INC_ONCE, method, count, "increase-once");
    case 7:
        set_header(r, TYPE_END, 0, 0);
        control_packet(r, at, w, "end-segment");
        drop_segment(r);
        return DONE;
    default:
        return bad_word(r, at, w, "invalid word");
    }
}

static enum outcome segment_word(struct pbdma_reference *r) {
    uint64_t at = address_of(r, GET, GET_HI);
    uint32_t w;
    if (at > address_of(r, PUT, PUT_HI) || ((at | value(r, PUT)) & 3)) {
        if (pref_raise(r, PBPTR, "PBPTR"))
            return STALLED;
        drop_segment(r);
        return DONE;
    }
    if (!pref_rd32(r, at, &w))
        return pref_fault(r, at, 4, false);
    r->units++;
    r->pb_crc = pref_crc_word(r->pb_crc, w);
    return value(r, PB_COUNT) & 0x1fff ? data_word(r, w) : command_word(r, at, w);
}

/* ---- GP entries ---- */

static enum outcome control_entry(struct pbdma_reference *r, uint32_t low, uint32_t high) {
    static const char *const names[] = {"NOP", "ILLEGAL", "GP_CRC"};
    uint32_t opcode = high & 0xff;
    pref_event(r, "pusher.control", opcode < 3 ? names[opcode] : "unknown", 0, low, 0, 0, 0);
    if (opcode == 0)
        return DONE;
    if (opcode != 2)
        return pref_stalls(r, GPENTRY, "GPENTRY");
    uint32_t crc = value(r, GP_CRC);
    *word(r, GP_CRC) = 0;
    return crc == low ? DONE : pref_stalls(r, GPCRC, "GPCRC");
}

static enum outcome segment_entry(struct pbdma_reference *r, uint32_t low, uint32_t high) {
    uint64_t address = (uint64_t)(high & 0xff) << 32 | (low & 0xfffffffc);
    uint32_t words = high >> 10 & 0x1fffff;
    uint64_t end = address + 4 * (uint64_t)words;
    bool conditional = low & 1, sub = (high & ENTRY_SUB) != 0;
    pref_event(r, "pusher.segment", NULL, address, words, (low & 3) | (high & (ENTRY_PRIV | ENTRY_SUB | ENTRY_SYNC)), 0,
               0);
    if (end >= VA_END)
        return pref_stalls(r, GPENTRY, "GPENTRY");
    if (conditional && !active(r))
        return DONE;
    *word(r, GET) = (uint32_t)address;
    *word(r, GET_HI) = (uint32_t)(address >> 32);
    *word(r, PUT) = (uint32_t)end;
    *word(r, PUT_HI) = (uint32_t)(end >> 32);
    *word(r, PB_FETCH) = (uint32_t)address | (low & (r->config.gf100 ? 3 : 1));
    *word(r, PB_FETCH_HI) =
        (uint32_t)(address >> 32) | (sub ? 0x200 : 0) | (high & ENTRY_SYNC ? 0x400 : 0) | words << 11;
    *word(r, PB_HEADER) &= ~(HEADER_LEVEL | HEADER_CONDITIONAL);
    *word(r, PB_HEADER) |= (sub ? HEADER_LEVEL : 0) | (conditional ? HEADER_CONDITIONAL : 0);
    /* UNKNOWN: bit 1; chosen: that of the entry. */
    *word(r, IB_FLAGS) =
        (low & (r->config.gf100 ? 3 : 1)) | (high & ENTRY_PRIV ? 4 : 0) | (sub ? 8 : 0) | (high & ENTRY_SYNC ? 16 : 0);
    follow_top(r);
    r->pb_crc = 0;
    r->pb_crc_known = true;
    return conditional && (value(r, PB_COUNT) & 0x1fff) ? pref_stalls(r, PBSEG, "PBSEG") : DONE;
}

static enum outcome gp_entry(struct pbdma_reference *r) {
    uint32_t entries = 1u << (value(r, GP_BASE_HI) >> 16 & 31), get = value(r, GP_GET), low, high;
    uint64_t base = address_of(r, GP_BASE, GP_BASE_HI) & ~UINT64_C(7), at = base + 8 * (uint64_t)get;
    uint32_t bad = base + 8 * (uint64_t)entries > VA_END                                            ? GPFIFO
                   : get >= entries || value(r, GP_PUT) >= entries || value(r, GP_FETCH) >= entries ? GPPTR
                                                                                                    : 0;
    if (bad && pref_raise(r, bad, bad == GPFIFO ? "GPFIFO" : "GPPTR"))
        return STALLED;
    if (bad) { /* UNKNOWN; chosen: the channel waits */
        r->waits = (struct reference_stop){0};
        return WAITING;
    }
    if (!pref_rd32(r, at, &low) || !pref_rd32(r, at + 4, &high))
        return pref_fault(r, at, 8, false);
    r->units++;
    r->gp_shadow[0] = low;
    r->gp_shadow[1] = high;
    *word(r, GP_GET) = *word(r, GP_FETCH) = (get + 1) % entries;
    bool control = (high >> 10 & 0x1fffff) == 0;
    if (!control || (high & 0xff) != 2)
        *word(r, GP_CRC) = pref_crc_word(pref_crc_word(value(r, GP_CRC), low), high);
    return control ? control_entry(r, low, high) : segment_entry(r, low, high);
}

/* ---- loading, saving, running ---- */

uint64_t pref_userd(const struct pbdma_reference *r) {
    uint32_t bytes = r->config.userd_bytes ? r->config.userd_bytes : 0x1000;
    return (uint64_t)(value(r, USERD_HI) & 0xff) << 32 | (value(r, USERD) & ~(bytes - 1));
}

void pref_load(struct pbdma_reference *r) {
    for (uint32_t i = 0; i < PBDMA_REFERENCE_WORDS; i++)
        r->word[i] = pref_physical_rd32(r, r->config.instance + 4 * i);
    for (uint32_t i = 0; i < PBDMA_REFERENCE_COPY && !r->config.gf100; i++)
        r->copy[i] = pref_physical_rd32(r, r->config.instance + 0x100 + 4 * i);
    *word(r, GP_PUT) = pref_physical_rd32(r, pref_userd(r) + 0x8c);
    r->loaded = true;
}

void pref_save(struct pbdma_reference *r) {
    static const uint32_t back[][2] = {{0x40, PUT},     {0x44, GET},        {0x48, REF},    {0x4c, PUT_HI},
                                       {0x58, TOP_GET}, {0x5c, TOP_GET_HI}, {0x60, GET_HI}, {0x88, GP_GET}};
    for (uint32_t i = 0; i < PBDMA_REFERENCE_WORDS; i++)
        pref_physical_wr32(r, r->config.instance + 4 * i, r->word[i]);
    for (uint32_t i = 0; i < PBDMA_REFERENCE_COPY && !r->config.gf100; i++)
        pref_physical_wr32(r, r->config.instance + 0x100 + 4 * i, r->copy[i]);
    for (size_t i = 0; i < sizeof back / sizeof back[0]; i++)
        pref_physical_wr32(r, pref_userd(r) + back[i][0], value(r, back[i][1]));
    r->loaded = false;
}

bool pref_in_segment(const struct pbdma_reference *r) {
    return address_of(r, GET, GET_HI) != address_of(r, PUT, PUT_HI);
}

bool pref_has_work(struct pbdma_reference *r) {
    if ((value(r, METHOD0) & METHOD_VALID) || pref_in_segment(r))
        return true;
    if (value(r, GP_GET) == value(r, GP_PUT))
        *word(r, GP_PUT) = pref_physical_rd32(r, pref_userd(r) + 0x8c);
    return value(r, GP_GET) != value(r, GP_PUT);
}

bool pref_stalled(const struct pbdma_reference *r) {
    return ((r->intr & r->stall) | (r->intr_1 & r->stall_1)) != 0;
}

enum outcome pref_step(struct pbdma_reference *r) {
    r->units = 0;
    r->selected = UINT32_MAX;
    r->yielded = 0;
    if (value(r, METHOD0) & METHOD_VALID)
        return pref_execute(r);
    return pref_in_segment(r) ? segment_word(r) : gp_entry(r);
}

static struct reference_stop stop_because(enum reference_reason reason) {
    return (struct reference_stop){.reason = reason, .channel = UINT32_MAX};
}

struct reference_stop pbdma_reference_run(struct pbdma_reference *r, uint64_t budget, uint32_t channel) {
    enum outcome outcome = DONE;
    bool fresh = !r->loaded;
    if (budget != 0 && fresh && !r->faulted)
        pref_load(r);
    while (budget != 0 && r->loaded && outcome == DONE && !pref_stalled(r) && !r->faulted && pref_has_work(r)) {
        outcome = pref_step(r);
        budget -= r->units;
        r->time += NS_PER_UNIT * (uint64_t)r->units;
    }
    if (!r->loaded)
        return stop_because(r->faulted ? REFERENCE_INTERRUPT : REFERENCE_IDLE);
    bool work = pref_has_work(r), stays = pref_stalled(r) || (work && !r->faulted);
    if (!stays)
        pref_save(r);
    if (outcome == WAITING && budget != 0) {
        struct reference_stop stop = r->waits;
        stop.reason = REFERENCE_WAITING;
        stop.channel = channel;
        return stop;
    }
    if (pref_stalled(r) || (work && r->faulted))
        return stop_because(REFERENCE_INTERRUPT);
    return stop_because(work ? REFERENCE_BUDGET : REFERENCE_IDLE);
}

void pbdma_reference_init(struct pbdma_reference *r, const struct pbdma_reference_config *config) {
    memset(r, 0, sizeof *r);
    r->config = *config;
    r->stall = r->stall_1 = 0xffffffff;
}
