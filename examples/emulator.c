/* SPDX-License-Identifier: MIT */
/*
 * An emulator with a guest whose own driver uses the card: a Riva TNT2 (NV5) on PCI.
 *
 *   guest's CPU --read, write--> bar_read(), bar_write() --> GPU        (what a PCI device model is called for)
 *   main loop   ---------------> device_pump()           --> GPU runs
 *   guest's RAM <--------------- map()                   <-- GPU fetches commands and writes the notifier
 *   main loop   <--- wake up --- device_work()           <-- GPU has something to do
 *   guest's CPU <--- interrupt - device_line()           <-- GPU
 *
 * The guest here is a list of register writes. It sets PFIFO up, submits a pushbuffer that asks for a notification, and
 * sleeps until the interrupt comes.
 */
#include <pfifo/gpu.h>

#include <stdio.h>
#include <string.h>

/* ---- the emulator's side: everything that the device model needs ---- */

struct machine {
    uint8_t ram[0x400000];
    uint64_t nanoseconds; /* the emulator's clock */
    struct pfifo_gpu *gpu;
    bool work; /* the GPU is to be run */
    bool line; /* the interrupt line as the guest's interrupt controller has it */
};

/* The GPU wants system memory. Where there is no RAM, NULL: reads give 0 and writes are lost. */
static void *map(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    struct machine *machine = opaque;
    (void)write; /* an emulator that tracks dirty pages marks them here */
    if (address >= sizeof machine->ram)
        return NULL;
    if (*bytes > sizeof machine->ram - address)
        *bytes = sizeof machine->ram - address;
    return machine->ram + address;
}

static uint64_t clock_now(void *opaque) {
    return ((struct machine *)opaque)->nanoseconds;
}

/* The interrupt line changes, in the middle of an access or a run. */
static void device_line(void *opaque, bool level) {
    ((struct machine *)opaque)->line = level;
    printf("interrupt line %s\n", level ? "up" : "down");
}

/* An access has left something to do. An emulator with a thread for the GPU wakes it up here. */
static void device_work(void *opaque) {
    ((struct machine *)opaque)->work = true;
}

static void bar_write(struct machine *machine, unsigned bar, uint64_t offset, const void *data, size_t bytes) {
    pfifo_gpu_bar_write(machine->gpu, bar, offset, data, bytes);
}

static void bar_read(struct machine *machine, unsigned bar, uint64_t offset, void *data, size_t bytes) {
    pfifo_gpu_bar_read(machine->gpu, bar, offset, data, bytes);
}

/* From the main loop, between slices of the guest's CPU. A bounded budget keeps the emulator responsive. */
static void device_pump(struct machine *machine) {
    if (!machine->work && pfifo_gpu_due(machine->gpu) > 0)
        return;
    machine->work = false; /* first: device_work() is not called in a run */
    switch (pfifo_gpu_run(machine->gpu, 100000)) {
    case PFIFO_STOP_BUDGET:  /* more to do: again in the next round */
    case PFIFO_STOP_WAITING: /* for memory that the guest's CPU may write without our seeing it: look again */
        machine->work = true;
        break;
    case PFIFO_STOP_IDLE:      /* until the guest writes PUT */
    case PFIFO_STOP_INTERRUPT: /* until the guest's driver acknowledges */
    case PFIFO_STOP_FROZEN:    /* until the guest's driver switches it on */
        break;                 /* device_work() says when */
    }
}

/* ---- the guest: registers of NV5 in BAR 0 ---- */

enum {
    PMC_INTR = 0x100,
    PMC_INTR_EN = 0x140,
    PMC_ENABLE = 0x200,
    PFIFO_RAMHT = 0x2210,
    PFIFO_RAMFC = 0x2214,
    PFIFO_CACHES = 0x2500,
    PFIFO_MODE = 0x2504,
    CACHE1_PUSH0 = 0x3200,
    CACHE1_PUSH1 = 0x3204,
    CACHE1_PULL0 = 0x3250,
    PGRAPH_INTR = 0x400100,
    PGRAPH_INTR_EN = 0x400140,
    PGRAPH_CTX_CONTROL = 0x400170,
    RAMIN = 0x700000,
    USER_DMA_PUT = 0x800040, /* of channel 0 */
    PUSHBUFFER = 0x100000,   /* in the guest's RAM */
    NOTIFIER = 0x200000,
};

struct poke {
    uint32_t offset, value;
};

/* The tables that samples/scripts/nv4-dma-ring.pfifo explains line by line. */
static const struct poke set_up[] = {
    {PMC_ENABLE, 0x01101100},
    {PFIFO_RAMHT, 3 << 24 | 0x100},
    {PFIFO_RAMFC, 0x110},
    {CACHE1_PUSH1, 15},
    {PMC_INTR_EN, 1},
    {PGRAPH_INTR_EN, 1},
    {PGRAPH_CTX_CONTROL, 0x10010100},
    /* objects: DMA objects of the pushbuffer and of the notifier, a blit */
    {RAMIN + 0x11400, 0x00023002},
    {RAMIN + 0x11404, 0xfff},
    {RAMIN + 0x11408, PUSHBUFFER | 2},
    {RAMIN + 0x11410, 0x00023003},
    {RAMIN + 0x11414, 0xff},
    {RAMIN + 0x11418, NOTIFIER | 2},
    {RAMIN + 0x11420, 0x5f},
    /* RAMHT: handles 0x80000010 and 0x80000011 */
    {RAMIN + 0x10000, 0x80000010},
    {RAMIN + 0x10004, 0x80011142},
    {RAMIN + 0x10008, 0x80000011},
    {RAMIN + 0x1000c, 0x80011141},
    /* RAMFC of channel 0: the pushbuffer, how to fetch */
    {RAMIN + 0x11008, 0x1140},
    {RAMIN + 0x11010, 0x00086078},
    {PFIFO_MODE, 1},
    {CACHE1_PUSH0, 1},
    {CACHE1_PULL0, 1},
    {PFIFO_CACHES, 1},
};

static const uint32_t commands[] = {
    1 << 18,         0x80000010, /* bind the blit */
    1 << 18 | 0x180, 0x80000011, /* its notifier */
    1 << 18 | 0x104, 1,          /* when the next command is done, write it and wake the guest */
    1 << 18 | 0x2fc, 3,          /* the command */
};

static void guest_write(struct machine *machine, uint32_t offset, uint32_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    bar_write(machine, 0, offset, bytes, sizeof bytes);
}

static uint32_t guest_read(struct machine *machine, uint32_t offset) {
    uint8_t b[4];
    bar_read(machine, 0, offset, b, sizeof b);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void guest_submit(struct machine *machine) {
    for (size_t i = 0; i < sizeof set_up / sizeof set_up[0]; i++)
        guest_write(machine, set_up[i].offset, set_up[i].value);
    for (size_t i = 0; i < sizeof commands; i++)
        machine->ram[PUSHBUFFER + i] = (uint8_t)(commands[i / 4] >> 8 * (i % 4));
    memset(machine->ram + NOTIFIER, 0xff, 16);
    guest_write(machine, USER_DMA_PUT, sizeof commands);
}

/* True: it was the notification. */
static bool guest_interrupt(struct machine *machine) {
    printf("PMC_INTR is 0x%x, PGRAPH_INTR 0x%x\n", (unsigned)guest_read(machine, PMC_INTR),
           (unsigned)guest_read(machine, PGRAPH_INTR));
    guest_write(machine, PGRAPH_INTR, 1);
    return machine->ram[NOTIFIER + 15] == 0; /* status: done */
}

int main(void) {
    static struct machine machine;
    struct pfifo_error error = {0};
    const struct pfifo_config config = {.size = sizeof config,
                                        .chip = pfifo_chip_by_name("NV5"),
                                        .system_map = map,
                                        .clock = clock_now,
                                        .irq = device_line,
                                        .work = device_work,
                                        .opaque = &machine};
    machine.gpu = pfifo_gpu_new(&config, &error);
    if (!machine.gpu) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    bool notified = false;
    guest_submit(&machine);
    for (unsigned round = 0; round < 10 && !notified; round++) { /* the emulator's main loop */
        device_pump(&machine);
        if (machine.line)
            notified = guest_interrupt(&machine);
        machine.nanoseconds += 1000000;
    }
    printf("notifier %s\n", notified ? "written" : "not written");
    pfifo_gpu_free(machine.gpu);
    return notified && !machine.line ? 0 : 1;
}
