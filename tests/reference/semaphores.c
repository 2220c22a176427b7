/* SPDX-License-Identifier: MIT */
/*
 * Semaphores of the reference: envytools docs/hw/fifo/puller.rst. NV1A finds the page when the object is bound; from
 * G80 on there is an offset in an object, from G84 on also an address in it.
 */
#include "puller.h"

/* Codes of SEMAPHORE errors. */
enum { NV1A_INVALID_OPERAND = 1, NV1A_INVALID_STATE = 2 };
enum { G80_UNALIGNED = 1, G80_INVALID_STATE = 2, G80_TOO_LARGE = 3, G80_MEM_FAULT = 4 };

#define NV1A_VALID       0x00000001u /* SEMAPHORE */
#define NV1A_OFFSET      0x00000ffcu
#define NV1A_PAGE        0xfffff000u
#define G80_OFFSET_VALID 0x00004000u
#define LONG_BYTES       16

static uint64_t old_address(const struct reference *r) {
    uint32_t semaphore = value_of(r, SEMAPHORE);
    return since(r, G80) ? (semaphore & 0x3fff) * 4 : semaphore & (NV1A_PAGE | NV1A_OFFSET);
}

static uint64_t new_address(const struct reference *r) {
    return (uint64_t)value_of(r, SEM_ADDRESS_HIGH) << 32 | value_of(r, SEM_ADDRESS_LOW);
}

static bool semaphore_read(struct reference *r, uint64_t address, uint32_t *value) {
    if (!ref_semaphore_rd32(r, address, value))
        return false;
    if (ref_big_endian(r))
        *value = ref_swap(*value);
    return true;
}

static bool acquired(uint32_t memory, uint32_t wanted, bool gequal) {
    return gequal ? (memory - wanted) >> 31 == 0 : memory == wanted;
}

/* UNKNOWN: units of the acquire clock; chosen: PTIMER / 32, from G80 on / 1024. */
static uint32_t acquire_clock(const struct reference *r) {
    return (uint32_t)(r->time >> (since(r, G80) ? 10 : 5));
}

/* The method is done in any case; if the value is not there yet, PULL1 says so, and what follows has to wait. */
static enum result acquire(struct reference *r, const struct method *m, uint32_t wanted, bool is_new, bool gequal) {
    uint64_t address = is_new ? new_address(r) : old_address(r);
    uint32_t memory;
    if (!semaphore_read(r, address, &memory)) {
        ref_g80_fault(r, 5, 8, 1);
        return ref_host_error(r, m, G80_MEM_FAULT, "MEM_FAULT");
    }
    bool at_once = acquired(memory, wanted, gequal);
    ref_event(r, "puller.acquire", at_once ? "acquired" : "waits", address, wanted, memory, 0, 0);
    if (at_once)
        return DONE;
    *reg(r, ACQUIRE_VALUE) = wanted;
    *reg(r, ACQUIRE_TIMESTAMP) = acquire_clock(r);
    if (since(r, G80))
        *reg(r, PULL1) &= ~(ACQUIRE_NEW | ACQUIRE_GEQUAL);
    *reg(r, PULL1) |= ACQUIRE_ACTIVE | (is_new ? ACQUIRE_NEW : 0) | (gequal ? ACQUIRE_GEQUAL : 0);
    return DONE;
}

static uint64_t waiting_address(const struct reference *r) {
    return since(r, G84) && (value_of(r, PULL1) & ACQUIRE_NEW) ? new_address(r) : old_address(r);
}

void ref_puller_waits_for(struct reference *r, struct reference_stop *stop) {
    stop->address = waiting_address(r);
    stop->expected = value_of(r, ACQUIRE_VALUE);
    if (!semaphore_read(r, stop->address, &stop->found))
        stop->found = 0;
}

/*
 * A waiting acquire cannot be read: drivers pass over what is at GET, so it is there again. UNKNOWN: its entry; chosen:
 * the method on subchannel 0, unless CACHE1 is full.
 */
static struct method acquire_again(struct reference *r) {
    bool is_new = since(r, G84) && (value_of(r, PULL1) & ACQUIRE_NEW), full = ref_cache_full(r);
    struct method m = {.method = is_new ? 0x1c : 0x68, .data = value_of(r, ACQUIRE_VALUE)};
    if (is_new)
        m.data = value_of(r, PULL1) & ACQUIRE_GEQUAL ? 4 : 1;
    *reg(r, GET) = (value_of(r, GET) - 4) & ref_pointer_mask(r);
    if (!full)
        *ref_cache_entry(r, value_of(r, GET)) = (struct reference_entry){m.method, m.data};
    r->announced[1] = r->stalled[1] = false;
    return m;
}

/* Try again. UNKNOWN: the timeout; chosen: raised once after so many ticks, 0 and all ones mean never. */
bool ref_semaphore_still_waits(struct reference *r) {
    uint64_t address = waiting_address(r);
    uint32_t memory, wanted = value_of(r, ACQUIRE_VALUE);
    if (!semaphore_read(r, address, &memory)) {
        const struct method m = acquire_again(r);
        *reg(r, PULL1) &= ~ACQUIRE_ACTIVE;
        ref_g80_fault(r, since(r, G84) ? 0xc : 5, 8, 1);
        ref_host_error(r, &m, G80_MEM_FAULT, "MEM_FAULT");
        return true;
    }
    if (acquired(memory, wanted, since(r, G84) && (value_of(r, PULL1) & ACQUIRE_GEQUAL))) {
        ref_event(r, "puller.acquire", "acquired", address, wanted, memory, 0, 0);
        *reg(r, PULL1) &= ~ACQUIRE_ACTIVE;
        return false;
    }
    uint32_t timeout = value_of(r, ACQUIRE_TIMEOUT) & 0x7fffffff;
    bool expires = timeout != 0 && timeout != 0x7fffffff && !since(r, G80); /* UNKNOWN on G80; chosen: never */
    if (expires && acquire_clock(r) - value_of(r, ACQUIRE_TIMESTAMP) >= timeout && !(value_of(r, INTR) & TIMED_OUT))
        ref_interrupt(r, TIMED_OUT, "ACQUIRE_TIMEOUT");
    return true;
}

static void put_word(uint8_t *bytes, uint32_t word) {
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

/* Short: the value. Long: the value, 0, and the time in nanoseconds. */
static enum result release(struct reference *r, const struct method *m, uint64_t address, uint32_t value,
                           bool is_long) {
    uint8_t record[LONG_BYTES] = {0};
    size_t bytes = is_long ? LONG_BYTES : 4;
    struct place place[LONG_BYTES];
    put_word(record, ref_big_endian(r) ? ref_swap(value) : value);
    uint32_t low = (uint32_t)r->time, high = (uint32_t)(r->time >> 32);
    put_word(record + 8, ref_big_endian(r) ? ref_swap(high) : low);
    put_word(record + 12, ref_big_endian(r) ? ref_swap(low) : high);
    if (!ref_semaphore_place(r, address, bytes, true, place)) {
        ref_g80_fault(r, 5, 4, 1);
        return ref_host_error(r, m, G80_MEM_FAULT, "MEM_FAULT");
    }
    for (size_t i = 0, n; i < bytes; i += n) {
        for (n = 1;
             i + n < bytes && place[i + n].target == place[i].target && place[i + n].address == place[i].address + n;)
            n++;
        reference_memory_write(r, place[i].target, place[i].address, &record[i], n);
    }
    ref_event(r, "puller.release", NULL, address, value, bytes, 0, 0);
    return DONE;
}

/* Only class 2 (reading) with write-only access is taken: a defect of the hardware. */
static enum result nv1a_object(struct reference *r, const struct method *m) {
    struct found found;
    uint32_t page = 0;
    if (!ref_ramht_find(r, m->data, ref_channel_of(r, m), &found))
        return ref_no_handle(r, m);
    uint32_t word = ref_instance_rd32(r, found.instance, 0);
    if ((word & 0xfff) != 2 || (word >> 14 & 3) != 2 || !ref_first_page(r, found.instance, &page))
        return ref_host_error(r, m, NV1A_INVALID_OPERAND, "INVALID_OPERAND");
    *reg(r, PULL1) = (value_of(r, PULL1) & ~0x30000u) | (word & 0x30000);
    *reg(r, SEMAPHORE) = page | (value_of(r, SEMAPHORE) & NV1A_OFFSET) | NV1A_VALID;
    return ref_host_done(r, m, "DMA_SEMAPHORE");
}

static enum result g80_object(struct reference *r, const struct method *m) {
    struct found found;
    if (!ref_ramht_find(r, m->data, ref_channel_of(r, m), &found))
        return ref_no_handle(r, m);
    *reg(r, SEMAPHORE) = (value_of(r, SEMAPHORE) & 0xffff) | found.instance << 16;
    return ref_host_done(r, m, "DMA_SEMAPHORE");
}

static enum result set_offset(struct reference *r, const struct method *m) {
    if (!since(r, G80)) {
        if (m->data & ~NV1A_OFFSET)
            return ref_host_error(r, m, NV1A_INVALID_OPERAND, "INVALID_OPERAND");
        *reg(r, SEMAPHORE) = (value_of(r, SEMAPHORE) & ~NV1A_OFFSET) | m->data;
    } else {
        if (m->data & 3)
            return ref_host_error(r, m, G80_UNALIGNED, "ADDRESS_UNALIGNED");
        if (m->data & 0xffff0000)
            return ref_host_error(r, m, G80_TOO_LARGE, "ADDRESS_TOO_LARGE");
        *reg(r, SEMAPHORE) = (value_of(r, SEMAPHORE) & 0xffff0000) | G80_OFFSET_VALID | m->data >> 2;
    }
    return ref_host_done(r, m, "SEMAPHORE_OFFSET");
}

static enum result trigger(struct reference *r, const struct method *m) {
    uint32_t sequence = value_of(r, SEM_SEQUENCE);
    switch (m->data & (since(r, MCP89) ? 0xf : 7)) {
    case 1:
        return acquire(r, m, sequence, true, false);
    case 2:
        return release(r, m, new_address(r), sequence, true);
    case 4:
        return acquire(r, m, sequence, true, true);
    default: /* the channel hangs */
        if (!r->stalled[1])
            ref_event(r, "fifo.unknown", "SEMAPHORE_TRIGGER that never ends", m->data, 0, 0, 0, 0);
        return STALL;
    }
}

static enum result old_semaphore(struct reference *r, const struct method *m) {
    uint32_t valid = since(r, G80) ? G80_OFFSET_VALID : NV1A_VALID;
    if (!(value_of(r, SEMAPHORE) & valid))
        return ref_host_error(r, m, since(r, G80) ? G80_INVALID_STATE : NV1A_INVALID_STATE, "INVALID_STATE");
    return m->method == 0x68 ? acquire(r, m, m->data, false, false) : release(r, m, old_address(r), m->data, false);
}

static enum result new_semaphore(struct reference *r, const struct method *m) {
    switch (m->method) {
    case 0x10:
        if (m->data & 0xffffff00)
            return ref_host_error(r, m, G80_TOO_LARGE, "ADDRESS_TOO_LARGE");
        *reg(r, SEM_ADDRESS_HIGH) = m->data;
        return ref_host_done(r, m, "SEMAPHORE_ADDRESS_HIGH");
    case 0x14:
        if (m->data & 3)
            return ref_host_error(r, m, G80_UNALIGNED, "ADDRESS_UNALIGNED");
        *reg(r, SEM_ADDRESS_LOW) = m->data;
        return ref_host_done(r, m, "SEMAPHORE_ADDRESS_LOW");
    default:
        *reg(r, SEM_SEQUENCE) = m->data;
        return ref_host_done(r, m, "SEMAPHORE_SEQUENCE");
    }
}

enum result ref_semaphore_method(struct reference *r, const struct method *m) {
    switch (m->method) {
    case 0x1c:
        return trigger(r, m);
    case 0x60:
        return since(r, G80) ? g80_object(r, m) : nv1a_object(r, m);
    case 0x64:
        return set_offset(r, m);
    case 0x68:
    case 0x6c:
        return old_semaphore(r, m);
    default:
        return new_semaphore(r, m);
    }
}
