/* SPDX-License-Identifier: MIT */
/*
 * The memory BARs.
 *
 *            NV4:G80          G80:GF100                                GF100-
 *   BAR 1    VRAM             VRAM, or a DMA object in the BAR channel  VRAM, or the VM of an instance block
 *   BAR 3    RAMIN (NV40-)    the same, another object                  the same, another block
 *
 * Sources: envytools docs/hw/bus/bars.rst, rnndb/bus/pbus.xml; nouveau nvkm/subdev/bar/{nv50,g84,gf100}.c.
 */
#include "bus/faces.h"

#define PAGE_BYTES   4096u
#define BAR_FAULT    0xbad0ac00u
#define BAR0_BYTES   UINT32_C(0x1000000)
#define BAR1_BYTES   (UINT64_C(1) << 36) /* the largest that boards have */
#define BAR3_BYTES   (UINT64_C(1) << 25)
#define PRAMIN_BYTES 0x100000u

#define BLOCK_MODE_VM   0x80000000u
#define OBJECT_SELECTOR 0x0000ffffu

/* VM engine and clients of the BARs on Tesla. */
#define VM_ENGINE_BAR   6
#define VM_CLIENT_WRITE 4
#define VM_CLIENT_READ  8

/* What a BAR shows: a space, and whose it is. */
struct aperture {
    struct address_space space;
    uint64_t instance;
    unsigned bar;
};

/* RAMIN's BAR is 3; 2 on NV4x with PCI Express [driver: nouveau takes 2 if it has a size]. Both are the same here. */
#define RAMIN_BAR      3
#define RAMIN_BAR_PCIE 2

uint64_t bus_bar_bytes(const struct bus *bus, unsigned bar) {
    bool translated = bus->chip->vm != CHIP_VM_NONE;
    if (bar == 0)
        return BAR0_BYTES;
    if (bar == 1)
        return translated ? BAR1_BYTES : bus->memory->config.vram_bytes;
    if (bar != RAMIN_BAR && bar != RAMIN_BAR_PCIE)
        return 0;
    /* A RAMIN that is larger than its window in BAR0 has a BAR of its own. */
    if (!translated)
        return bus->chip->ramin_bytes > PRAMIN_BYTES ? bus->chip->ramin_bytes : 0;
    return BAR3_BYTES;
}

static enum memory_target block_target(uint32_t block) {
    static const enum memory_target targets[4] = {MEMORY_VRAM, MEMORY_PEER, MEMORY_SYSTEM, MEMORY_SYSTEM};
    return targets[block >> 28 & 3];
}

static uint64_t block_address(uint32_t block) {
    return (uint64_t)(block & 0x0fffffff) << 12;
}

static struct address_space object_space(struct bus *bus, uint32_t block) {
    uint32_t selector = block & OBJECT_SELECTOR;
    if (!selector)
        return address_space_fault(FAULT_NULL_OBJECT);
    enum memory_target target = block_target(bus->bar_channel);
    uint64_t descriptor = block_address(bus->bar_channel);
    struct address_space vm = address_space_vm(bus->memory, target, descriptor);
    struct dma_object object;
    dma_object_g80(bus->memory, target, descriptor + (selector << 4), &vm, &object);
    return object.space;
}

static struct aperture aperture_of(struct bus *bus, unsigned bar) {
    uint32_t block = bar == 1 ? bus->bar1_block : bus->bar3_block;
    if (!(block & BLOCK_MODE_VM))
        return (struct aperture){address_space_physical(MEMORY_VRAM), 0, bar};
    if (bus->chip->vm < CHIP_VM_GF100)
        return (struct aperture){object_space(bus, block), block_address(bus->bar_channel), bar};
    return (struct aperture){address_space_vm(bus->memory, block_target(block), block_address(block)),
                             block_address(block), bar};
}

/* UNKNOWN: whether Tesla records the address in the BAR or in the VM. Chosen: the VM, which drivers can look up. */
static void report_fault(struct bus *bus, const struct aperture *aperture, const struct fault *fault) {
    if (bus->chip->vm >= CHIP_VM_GF100) {
        if (bus->bar_fault)
            bus->bar_fault(bus->fifo, aperture->bar, aperture->instance, fault);
        return;
    }
    bus_vm_fault(bus, VM_ENGINE_BAR, fault_code(bus->chip, fault->reason),
                 fault->write ? VM_CLIENT_WRITE : VM_CLIENT_READ, aperture->bar != 1, aperture->instance,
                 fault->address + aperture->space.offset, fault->write);
}

static uint64_t to_page_end(uint64_t offset, uint64_t bytes) {
    uint64_t left = PAGE_BYTES - offset % PAGE_BYTES;
    return bytes < left ? bytes : left;
}

static void fill_error(uint64_t offset, uint8_t *data, uint64_t bytes) {
    uint8_t pattern[4];
    store_le32(pattern, BAR_FAULT);
    for (uint64_t i = 0; i < bytes; i++)
        data[i] = pattern[(offset + i) % 4];
}

/* A page that faults does not keep the next one from being accessed: they are separate accesses on the bus. */
static void aperture_read(struct bus *bus, const struct aperture *aperture, uint64_t offset, uint8_t *data,
                          uint64_t bytes) {
    while (bytes) {
        struct span span;
        struct fault fault;
        uint64_t step;
        if (memory_span(bus->memory, &aperture->space, offset, bytes, MEMORY_READ, &span, &fault)) {
            step = span.bytes < bytes ? span.bytes : bytes;
            memcpy(data, span.data, step);
        } else {
            report_fault(bus, aperture, &fault);
            step = to_page_end(offset, bytes);
            fill_error(offset, data, step);
        }
        offset += step, data += step, bytes -= step;
    }
}

static void aperture_write(struct bus *bus, const struct aperture *aperture, uint64_t offset, const uint8_t *data,
                           uint64_t bytes) {
    while (bytes) {
        struct span span;
        struct fault fault;
        uint64_t step;
        if (memory_span(bus->memory, &aperture->space, offset, bytes, MEMORY_WRITE, &span, &fault)) {
            step = span.bytes < bytes ? span.bytes : bytes;
            memcpy(span.data, data, step);
        } else {
            report_fault(bus, aperture, &fault);
            step = to_page_end(offset, bytes);
        }
        offset += step, data += step, bytes -= step;
    }
}

/* RAMIN is contiguous in VRAM within a chunk only. */
static uint64_t to_chunk_end(const struct bus *bus, uint64_t offset, uint64_t bytes) {
    uint32_t chunk = bus->chip->ramin_chunk ? bus->chip->ramin_chunk : 4;
    uint64_t left = chunk - offset % chunk;
    return bytes < left ? bytes : left;
}

static void ramin_access(struct bus *bus, uint64_t offset, uint8_t *in, const uint8_t *out, uint64_t bytes) {
    const struct aperture vram = {address_space_physical(MEMORY_VRAM), 0, 3};
    while (bytes) {
        uint64_t step = to_chunk_end(bus, offset, bytes);
        uint64_t address = memory_ramin_to_vram(bus->memory, (uint32_t)offset);
        if (in)
            aperture_read(bus, &vram, address, in, step), in += step;
        else
            aperture_write(bus, &vram, address, out, step), out += step;
        offset += step, bytes -= step;
    }
}

static bool is_ramin(const struct bus *bus, unsigned bar) {
    return bar != 1 && bus->chip->vm == CHIP_VM_NONE;
}

/* True if PFIFO takes this access itself: whole words in the control areas of channels. */
static bool is_userd(const struct bus *bus, unsigned bar, uint64_t offset, uint64_t bytes) {
    return bar == 1 && offset % 4 == 0 && bytes % 4 == 0 && offset >= bus->bar1_userd &&
           offset - bus->bar1_userd < bus->bar1_userd_bytes &&
           bytes <= bus->bar1_userd_bytes - (offset - bus->bar1_userd);
}

/* How much of an access lies within the BAR. */
static uint64_t clip(const struct bus *bus, unsigned bar, uint64_t offset, uint64_t bytes) {
    uint64_t size = bus_bar_bytes(bus, bar);
    if (offset >= size)
        return 0;
    return bytes < size - offset ? bytes : size - offset;
}

void bus_bar_read(struct bus *bus, unsigned bar, uint64_t offset, void *data, uint64_t bytes) {
    uint8_t *to = data;
    uint64_t inside = clip(bus, bar, offset, bytes);
    if (inside < bytes)
        memset(to + inside, 0, bytes - inside);
    if (!inside)
        return;
    if (bar == 0) {
        bus_read(bus, (uint32_t)offset, to, (uint32_t)inside);
    } else if (is_ramin(bus, bar)) {
        ramin_access(bus, offset, to, NULL, inside);
    } else if (bus->userd_read && is_userd(bus, bar, offset, inside)) {
        for (uint64_t i = 0; i < inside; i += 4)
            store_le32(to + i, bus->userd_read(bus->fifo, offset - bus->bar1_userd + i));
    } else {
        struct aperture aperture = aperture_of(bus, bar);
        aperture_read(bus, &aperture, offset, to, inside);
    }
}

void bus_bar_write(struct bus *bus, unsigned bar, uint64_t offset, const void *data, uint64_t bytes) {
    const uint8_t *from = data;
    uint64_t inside = clip(bus, bar, offset, bytes);
    if (!inside)
        return;
    if (bar == 0) {
        bus_write(bus, (uint32_t)offset, from, (uint32_t)inside);
    } else if (is_ramin(bus, bar)) {
        ramin_access(bus, offset, NULL, from, inside);
    } else if (bus->userd_write && is_userd(bus, bar, offset, inside)) {
        for (uint64_t i = 0; i < inside; i += 4)
            bus->userd_write(bus->fifo, offset - bus->bar1_userd + i, load_le32(from + i));
    } else {
        struct aperture aperture = aperture_of(bus, bar);
        aperture_write(bus, &aperture, offset, from, inside);
    }
}
