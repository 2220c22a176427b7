/* SPDX-License-Identifier: MIT */
/*
 * The host's access to memory through BAR 1, BAR 3 and the PEEPHOLE. On G80 and later each has a space of its own.
 *
 *   port       untranslated (MODE 0)   Tesla                                          GF100-
 *   BAR1       VRAM                    object 0x1708 in the BAR channel (0x1704)      instance block 0x1704
 *   BAR3       VRAM                    object 0x170c                                  instance block 0x1714
 *   PEEPHOLE   VRAM                    object 0x1710 in the PEEPHOLE channel          instance block 0x1718
 *
 * A read that faults returns 0xbad0ac00, a write that faults is dropped, and the fault is reported: in PFB and PFIFO on
 * Tesla, as a record of PFIFO on GF100 and later.
 *
 * Sources: envytools docs/hw/bus/bars.rst, docs/hw/memory/peephole.rst, docs/hw/bus/pmc.rst, rnndb/bus/pbus.xml;
 * nouveau nvkm/subdev/bar/{nv50,g84,gf100}.c.
 */
#include "bus/bars.h"
#include "bus/bus.h"
#include "bus/pbus.h"
#include "bus/pfb.h"
#include "bus/pmc.h"
#include "memory/copy.h"

#define PAGE_BYTES 4096u

#define BLOCK_MODE_VM   0x80000000u
#define OBJECT_SELECTOR 0x0000ffffu

/* VM engines and clients of the ports on Tesla. */
#define VM_ENGINE_PEEPHOLE 4
#define VM_ENGINE_BAR      6
#define VM_CLIENT_WRITE    4
#define VM_CLIENT_READ     8

static enum memory_target block_target(uint32_t block) {
    static const enum memory_target targets[4] = {MEMORY_VRAM, MEMORY_PEER, MEMORY_SYSTEM, MEMORY_SYSTEM};
    return targets[block >> 28 & 3];
}

static uint64_t block_address(uint32_t block) {
    return (uint64_t)(block & 0x0fffffff) << 12;
}

static struct address_space object_space(struct bus *bus, uint32_t channel, uint32_t block) {
    uint32_t selector = block & OBJECT_SELECTOR;
    if (!selector)
        return address_space_fault(FAULT_NULL_OBJECT);
    enum memory_target target = block_target(channel);
    uint64_t descriptor = block_address(channel);
    struct address_space vm = address_space_vm(bus->memory, target, descriptor);
    struct dma_object object;
    dma_object_g80(bus->memory, target, descriptor + (selector << 4), &vm, &object);
    return object.space;
}

struct aperture bars_space_g80(struct bus *bus, enum bus_port port, uint32_t block) {
    uint32_t channel = port == BUS_PORT_PEEPHOLE ? bus->bars->peephole_channel : bus->bars->bar_channel;
    return (struct aperture){object_space(bus, channel, block), block_address(channel), port};
}

struct aperture bars_space_gf100(struct bus *bus, enum bus_port port, uint32_t block) {
    return (struct aperture){address_space_vm(bus->memory, block_target(block), block_address(block)),
                             block_address(block), port};
}

static uint32_t aperture_block_of(const struct bars *bars, enum bus_port port) {
    return port == BUS_PORT_BAR1       ? bars->bar1_block
           : port == BUS_PORT_PEEPHOLE ? bars->peephole_block
                                       : bars->bar3_block;
}

struct aperture aperture_of(struct bus *bus, enum bus_port port) {
    const struct bars_variant *variant = bus->chip->bars;
    uint32_t block = aperture_block_of(bus->bars, port);
    if (!variant->space || !(block & BLOCK_MODE_VM))
        return (struct aperture){address_space_physical(MEMORY_VRAM), 0, port};
    return variant->space(bus, port, block);
}

/*
 * UNKNOWN: whether Tesla records the address in the BAR or in the VM. Chosen: the address in the VM, which drivers can
 * look up.
 */
void bars_fault_g80(struct bus *bus, const struct aperture *aperture, const struct fault *fault) {
    bus_vm_fault(bus, aperture->port == BUS_PORT_PEEPHOLE ? VM_ENGINE_PEEPHOLE : VM_ENGINE_BAR,
                 fault_code(bus->chip, fault->reason), fault->write ? VM_CLIENT_WRITE : VM_CLIENT_READ,
                 aperture->port == BUS_PORT_BAR3, aperture->instance, fault->address + aperture->space.offset,
                 fault->write);
}

void bars_fault_gf100(struct bus *bus, const struct aperture *aperture, const struct fault *fault) {
    if (bus->host_ops->bar_fault)
        bus->host_ops->bar_fault(bus->host, aperture->port, aperture->instance, fault);
}

static uint64_t to_page_end(uint64_t offset, uint64_t bytes) {
    uint64_t left = PAGE_BYTES - offset % PAGE_BYTES;
    return bytes < left ? bytes : left;
}

static void fill_error(const struct bus *bus, uint64_t offset, uint8_t *data, uint64_t bytes) {
    uint8_t pattern[4];
    store_le32(pattern, bus->chip->bars->pattern);
    for (uint64_t i = 0; i < bytes; i++)
        data[i] = pattern[(offset + i) % 4];
}

/*
 * Host memory for the next piece of an access at `offset`, at most `bytes` long. NULL: it faulted; skip *step bytes.
 * The pages after a fault are still accessed, since they are separate accesses on the bus.
 */
static uint8_t *aperture_reach(struct bus *bus, const struct aperture *aperture, uint64_t offset, uint64_t bytes,
                               enum memory_access access, uint64_t *step) {
    struct span span;
    struct fault fault;
    if (memory_span(bus->memory, &aperture->space, offset, bytes, access, &span, &fault)) {
        *step = span.bytes < bytes ? span.bytes : bytes;
        return span.data;
    }
    if (bus->chip->bars->fault)
        bus->chip->bars->fault(bus, aperture, &fault);
    *step = to_page_end(offset + aperture->space.offset, bytes);
    return NULL;
}

void aperture_read(struct bus *bus, const struct aperture *aperture, uint64_t offset, uint8_t *data, uint64_t bytes) {
    for (uint64_t step; bytes; offset += step, data += step, bytes -= step) {
        const uint8_t *from = aperture_reach(bus, aperture, offset, bytes, MEMORY_READ, &step);
        if (from)
            memory_copy(bus->memory, data, from, step);
        else
            fill_error(bus, offset, data, step);
    }
}

void aperture_write(struct bus *bus, const struct aperture *aperture, uint64_t offset, const uint8_t *data,
                    uint64_t bytes) {
    for (uint64_t step; bytes; offset += step, data += step, bytes -= step) {
        uint8_t *to = aperture_reach(bus, aperture, offset, bytes, MEMORY_WRITE, &step);
        if (to)
            memcpy(to, data, step);
    }
}

/* ---- VRAM_HIDE ---- */

#define HIDE_ENABLE 0x80000000u
#define HIDE_OFFSET 0x1ffffffcu

/* Which of the `bytes` at `offset` are hidden: *begin up to *end. */
static bool hidden(const struct bus *bus, uint64_t offset, uint64_t bytes, uint64_t *begin, uint64_t *end) {
    if (!(bus->pmc->vram_hide[0] & HIDE_ENABLE) || !bus->chip->bars->hides_vram)
        return false;
    uint64_t first = bus->pmc->vram_hide[0] & HIDE_OFFSET, last = (bus->pmc->vram_hide[1] & HIDE_OFFSET) + UINT64_C(4);
    *begin = first > offset ? first - offset : 0;
    *end = last > offset ? last - offset : 0;
    *end = *end < bytes ? *end : bytes;
    return *begin < *end;
}

void bus_hide_vram(const struct bus *bus, uint64_t offset, uint8_t *data, uint64_t bytes) {
    uint64_t begin, end;
    if (hidden(bus, offset, bytes, &begin, &end))
        memset(data + begin, 0, end - begin);
}

static const struct reg hide_regs[] = {
    {0x300, "VRAM_HIDE_LOW", .at = offsetof(struct pmc, vram_hide[0]), .readable = HIDE_ENABLE | HIDE_OFFSET,
     .writable = HIDE_ENABLE | HIDE_OFFSET, .fields = "ENABLE 31, OFFSET 28:2"},
    {0x304, "VRAM_HIDE_HIGH", .at = offsetof(struct pmc, vram_hide[1]), .readable = HIDE_OFFSET,
     .writable = HIDE_OFFSET, .fields = "OFFSET 28:2"},
};

const struct reg_table pmc_hide_nv17 = REG_TABLE("PMC", hide_regs);
