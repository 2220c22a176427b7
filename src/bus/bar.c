/* SPDX-License-Identifier: MIT */
#include "bus/bars.h"
#include "bus/bus.h"
#include "bus/ports.h"

#define BAR0_BYTES   UINT32_C(0x1000000)
#define BAR3_BYTES   (UINT64_C(1) << 25)
#define PRAMIN_BYTES 0x100000u

/*
 * RAMIN's BAR is 3; 2 on NV4x with PCI Express [driver: nouveau takes 2 if it has a size]. The model has both numbers
 * for the same BAR.
 */
#define RAMIN_BAR      3
#define RAMIN_BAR_PCIE 2
/* I/O ports exist on PCI only. A chip without VRAM is part of an SoC and has none. */
#define PORTS_BAR 5

/* BAR0 grows with the windows that are attached. */
void bars_init(struct bus *bus) {
    bus->bars->bar0_bytes = BAR0_BYTES;
    bus->bars->bar1_bytes = chip_bar1_bytes(bus->chip, bus->memory->config.vram_bytes);
    bus->bars->bar1_ramin = bus->chip->bar1_ramin;
}

/* NV1 has none; the parts of NV3's are at fixed offsets. */
void bus_resize_bar1(struct bus *bus, uint64_t bytes) {
    if (!bus->chip->has_vram_in_bar0 && !bus->bars->bar1_ramin)
        bus->bars->bar1_bytes = bytes;
}

uint64_t bus_bar_bytes(const struct bus *bus, unsigned bar) {
    bool translated = bus->chip->bars->translated;
    if (bar == 0)
        return bus->bars->bar0_bytes;
    if (bar == 1)
        return bus->bars->bar1_bytes;
    if (bar == PORTS_BAR)
        return translated && bus->chip->vram_bytes ? PORTS_BYTES : 0;
    if (bar != RAMIN_BAR && bar != RAMIN_BAR_PCIE)
        return 0;
    /* A RAMIN that is larger than its window in BAR0 has a BAR of its own. */
    if (!translated)
        return bus->chip->ramin_bytes > PRAMIN_BYTES ? bus->chip->ramin_bytes : 0;
    return BAR3_BYTES;
}

/* RAMIN is contiguous in VRAM only within a chunk. */
static uint64_t to_chunk_end(const struct bus *bus, uint64_t offset, uint64_t bytes) {
    uint32_t chunk = bus->chip->ramin_chunk ? bus->chip->ramin_chunk : 4;
    uint64_t left = chunk - offset % chunk;
    return bytes < left ? bytes : left;
}

static void vram_access(struct bus *bus, uint64_t address, uint8_t *in, const uint8_t *out, uint64_t bytes) {
    const struct aperture vram = {address_space_physical(MEMORY_VRAM), 0, BUS_PORT_BAR3};
    if (in)
        aperture_read(bus, &vram, address, in, bytes);
    else
        aperture_write(bus, &vram, address, out, bytes);
}

/* One of `in` and `out` is NULL. Reads beyond the end of RAMIN return 0. */
static void ramin_access(struct bus *bus, uint64_t offset, uint8_t *in, const uint8_t *out, uint64_t bytes) {
    while (bytes && offset < bus->chip->ramin_bytes) {
        uint64_t step = to_chunk_end(bus, offset, bytes);
        vram_access(bus, memory_ramin_to_vram(bus->memory, (uint32_t)offset), in, out, step);
        if (in)
            in += step;
        else
            out += step;
        offset += step, bytes -= step;
    }
    if (in)
        memset(in, 0, bytes);
}

/* BAR1 of NV3: VRAM below, RAMIN above. */
static void split_access(struct bus *bus, uint64_t offset, uint8_t *in, const uint8_t *out, uint64_t bytes) {
    uint64_t below = offset < bus->bars->bar1_ramin ? bus->bars->bar1_ramin - offset : 0;
    below = below < bytes ? below : bytes;
    if (below)
        vram_access(bus, offset, in, out, below);
    if (below < bytes)
        ramin_access(bus, offset + below - bus->bars->bar1_ramin, in ? in + below : NULL, out ? out + below : NULL,
                     bytes - below);
}

/*
 * In big-endian mode the dwords of the RAMIN BAR are byte-swapped as those of BAR0 are [doc: bars.rst]. A part of a
 * dword is then the mirrored part, with its bytes reversed.
 */
static bool bar_is_swapped(const struct bus *bus, unsigned bar) {
    return bus->big_endian && bar != 0 && bar != 1 && bar != PORTS_BAR;
}

static bool is_ramin(const struct bus *bus, unsigned bar) {
    return bar != 1 && !bus->chip->bars->translated;
}

/* True if PFIFO handles the access: whole words in the control areas of channels. */
static bool is_userd(const struct bus *bus, unsigned bar, uint64_t offset, uint64_t bytes) {
    return bar == 1 && offset % 4 == 0 && bytes % 4 == 0 && offset >= bus->bars->userd &&
           offset - bus->bars->userd < bus->bars->userd_bytes &&
           bytes <= bus->bars->userd_bytes - (offset - bus->bars->userd);
}

/* The number of bytes of an access within the BAR. */
static uint64_t bar_clip(const struct bus *bus, unsigned bar, uint64_t offset, uint64_t bytes) {
    uint64_t size = bus_bar_bytes(bus, bar);
    if (offset >= size)
        return 0;
    return bytes < size - offset ? bytes : size - offset;
}

static enum bus_port port_of(unsigned bar) {
    return bar == 1 ? BUS_PORT_BAR1 : BUS_PORT_BAR3;
}

static void inside_read(struct bus *bus, unsigned bar, uint64_t offset, uint8_t *to, uint64_t bytes) {
    if (bar == 0) {
        bus_read(bus, (uint32_t)offset, to, (uint32_t)bytes);
    } else if (bar == PORTS_BAR) {
        ports_read(bus, offset, to, bytes);
    } else if (is_ramin(bus, bar)) {
        ramin_access(bus, offset, to, NULL, bytes);
        bus_hide_vram(bus, offset, to, bytes);
    } else if (bar == 1 && bus->bars->bar1_ramin) {
        split_access(bus, offset, to, NULL, bytes);
    } else if (bus->host_ops->userd_read && is_userd(bus, bar, offset, bytes)) {
        for (uint64_t i = 0; i < bytes; i += 4)
            store_le32(to + i, bus->host_ops->userd_read(bus->host, offset - bus->bars->userd + i));
    } else {
        struct aperture aperture = aperture_of(bus, port_of(bar));
        aperture_read(bus, &aperture, offset, to, bytes);
        bus_hide_vram(bus, offset, to, bytes);
    }
}

static void inside_write(struct bus *bus, unsigned bar, uint64_t offset, const uint8_t *from, uint64_t bytes) {
    if (bar == 0) {
        bus_write(bus, (uint32_t)offset, from, (uint32_t)bytes);
    } else if (bar == PORTS_BAR) {
        ports_write(bus, offset, from, bytes);
    } else if (is_ramin(bus, bar)) {
        ramin_access(bus, offset, NULL, from, bytes);
    } else if (bar == 1 && bus->bars->bar1_ramin) {
        split_access(bus, offset, NULL, from, bytes);
    } else if (bus->host_ops->userd_write && is_userd(bus, bar, offset, bytes)) {
        for (uint64_t i = 0; i < bytes; i += 4)
            bus->host_ops->userd_write(bus->host, offset - bus->bars->userd + i, load_le32(from + i));
    } else {
        struct aperture aperture = aperture_of(bus, port_of(bar));
        aperture_write(bus, &aperture, offset, from, bytes);
    }
}

static void turn_round(uint8_t *to, const uint8_t *from, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++)
        to[i] = from[bytes - 1 - i];
}

/* The part of an access in one dword: its address for the chip, and its length. */
static uint64_t mirrored(uint64_t offset, uint64_t bytes, uint64_t *at) {
    uint64_t first = offset % 4, step = bytes < 4 - first ? bytes : 4 - first;
    *at = offset - first + (4 - first - step);
    return step;
}

void bus_bar_read(struct bus *bus, unsigned bar, uint64_t offset, void *data, uint64_t bytes) {
    uint8_t *to = data, piece[4];
    uint64_t inside = bar_clip(bus, bar, offset, bytes), at;
    if (inside < bytes)
        memset(to + inside, 0, bytes - inside);
    if (!inside)
        return;
    if (!bar_is_swapped(bus, bar)) {
        inside_read(bus, bar, offset, to, inside);
        return;
    }
    for (uint64_t done = 0, step; done < inside; done += step) {
        step = mirrored(offset + done, inside - done, &at);
        inside_read(bus, bar, at, piece, step);
        turn_round(to + done, piece, step);
    }
}

void bus_bar_write(struct bus *bus, unsigned bar, uint64_t offset, const void *data, uint64_t bytes) {
    const uint8_t *from = data;
    uint8_t piece[4];
    uint64_t inside = bar_clip(bus, bar, offset, bytes), at;
    if (!inside)
        return;
    if (!bar_is_swapped(bus, bar)) {
        inside_write(bus, bar, offset, from, inside);
        return;
    }
    for (uint64_t done = 0, step; done < inside; done += step) {
        step = mirrored(offset + done, inside - done, &at);
        turn_round(piece, from + done, step);
        inside_write(bus, bar, at, piece, step);
    }
}
