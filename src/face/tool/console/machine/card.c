/* SPDX-License-Identifier: MIT */
/*
 * The console works on a card: its registers as aligned 32-bit words, and its memory through BAR0.
 *
 * Modelled:     BAR0; physical memory through the PRAMIN window of G80 and later, whose place is put back
 * Not modelled: accesses of 8 and 16 bits, which some registers of the cards take for others; BAR1 and BAR3
 * Sources:      envytools docs/hw/bus/bars.rst, rnndb/bus/pbus.xml (0x1700)
 */
#include "chip/chip.h"
#include "face/tool/console/commands.h"
#include "face/tool/console/target.h"
#include "hw/pbus.h"

#include <inttypes.h>
#include <time.h>

#define POLL_NS 100000 /* between two reads of a register that is polled */

#define PRAMIN_VRAM 0u
#define PRAMIN_SYS  2u

static bool card_reach(struct console *console, const struct console_place *first, const struct console_place *last,
                       unsigned bytes, enum console_access access, struct pfifo_error *error) {
    const struct pci_card *card = console->config.card;
    const struct console_place *far = last->address > first->address ? last : first;

    if (first->space != CONSOLE_BAR || first->bar != 0)
        return refuse(error, "of a card only BAR0 can be seen, with a part of its memory at PRAMIN");
    if (bytes != 4 || first->address % 4 != 0)
        return refuse(error, "0x%" PRIx64 ": a card is accessed in aligned words of 32 bits", first->address);
    if (far->address + 4 > card->bytes)
        return refuse(error, "0x%" PRIx64 " is beyond BAR0, which ends at 0x%zx", far->address, card->bytes);
    return access == CONSOLE_READ || card->writable || refuse(error, "read-only: give --write");
}

static uint32_t card_read(struct console *console, const struct console_place *place, unsigned bytes) {
    (void)bytes;
    return pci_rd32(console->config.card, (uint32_t)place->address);
}

static void card_write(struct console *console, const struct console_place *place, unsigned bytes, uint32_t value) {
    (void)bytes;
    pci_wr32(console->config.card, (uint32_t)place->address, value);
}

/*
 * The window is moved only if no driver is bound, because a driver remembers where it left the window, and only with
 * permission to write.
 */
static bool may_move_window(const struct pci_card *card) {
    return card->writable && !card->device.driver[0];
}

/* The base that the window needs. */
static bool window_for(uint64_t address, enum console_space space, uint32_t *base) {
    *base = (uint32_t)(address >> 16 & 0xffffff) | (space == CONSOLE_VRAM ? PRAMIN_VRAM : PRAMIN_SYS) << 24;
    return address >> 16 <= 0xffffff;
}

/* Does the window show these bytes? Then `offset` is their offset in it. */
static bool window_shows(uint32_t base, uint32_t wanted, uint64_t address, unsigned bytes, uint32_t *offset) {
    uint64_t begin = (uint64_t)(base & 0xffffff) << 16;

    if (base >> 24 != wanted >> 24 || address < begin || address + bytes > begin + NV_PRAMIN_BYTES)
        return false;
    *offset = NV_PRAMIN + (uint32_t)(address - begin);
    return true;
}

/* Before G80 the window shows RAMIN and nothing else; GH100 has it elsewhere. */
static const struct moving_window { const char *chips; } moving_windows[] = {{"G80:GH100"}};

static bool card_look(struct console *console, enum console_space space, uint64_t address, uint32_t *words,
                      unsigned count) {
    struct pci_card *card = console->config.card;
    uint32_t wanted, offset, base;
    bool moved;

    if (!CHIP_ROW(card->chip, moving_windows) || NV_PRAMIN + NV_PRAMIN_BYTES > card->bytes ||
        !window_for(address, space, &wanted))
        return false;
    base = pci_rd32(card, NV_PBUS_HOST_MEM) & PBUS_HOST_MEM_BITS;
    moved = !window_shows(base, wanted, address, 4 * count, &offset);
    if (moved && (!may_move_window(card) || !window_shows(wanted, wanted, address, 4 * count, &offset)))
        return false;
    if (moved)
        pci_wr32(card, NV_PBUS_HOST_MEM, wanted);
    for (unsigned i = 0; i < count; i++)
        words[i] = pci_rd32(card, offset + 4 * i);
    if (moved)
        pci_wr32(card, NV_PBUS_HOST_MEM, base);
    return true;
}

static bool card_wait(struct console *console) {
    (void)console;
    nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
    return true;
}

const struct console_target console_card = {
    .kind = CONSOLE_ON_CARD,
    .is = "a card",
    .reach = card_reach,
    .read = card_read,
    .write = card_write,
    .look = card_look,
    .wait = card_wait,
    .examine = console_examine_place,
    .number_bytes = 4,
};

/* ---- card ---- */

/* The memory behind a BAR. */
static const struct bar_text {
    const char *chips;
    unsigned bar;
    const char *text;
} bar_texts[] = {
    {"NV1-", 0, "registers"}, {"NV3", 1, "VRAM and RAMIN"}, {"NV3T", 1, "VRAM and RAMIN"}, {"NV4:G80", 1, "VRAM"},
    {"NV40:G80", 2, "RAMIN"}, {"NV40:G80", 3, "RAMIN"},     {"G80-", 1, "VRAM"},           {"G80-", 3, "RAMIN"},
};

static const char *bar_text(const struct pfifo_chip *chip, unsigned bar) {
    struct chip_walk walk = CHIP_WALK(chip, bar_texts);
    const struct bar_text *row;

    while ((row = chip_walk_next(&walk)))
        if (row->bar == bar)
            return row->text;
    return NULL;
}

static void print_bytes(struct console *console, uint64_t bytes) {
    if (bytes >> 20 && bytes % (1u << 20) == 0)
        console_print(console, "%" PRIu64 " MiB", bytes >> 20);
    else if (bytes >> 10 && bytes % (1u << 10) == 0)
        console_print(console, "%" PRIu64 " KiB", bytes >> 10);
    else
        console_print(console, "%" PRIu64 " bytes", bytes);
}

static void print_bar(struct console *console, unsigned number) {
    const struct pci_card *card = console->config.card;
    const struct pci_bar *bar = &card->device.bars[number];
    const char *text = bar_text(card->chip, number);

    if (!bar->bytes)
        return;
    if (number == PCI_BARS - 1)
        console_print(console, "ROM ");
    else
        console_print(console, "BAR%u", number);
    console_print(console, " 0x%010" PRIx64 " ", bar->address);
    print_bytes(console, bar->bytes);
    if (bar->flags & PCI_BAR_PORTS)
        console_print(console, " of ports");
    if (bar->flags & PCI_BAR_MEMORY)
        console_print(console, ", %u bits", bar->flags & PCI_BAR_64 ? 64 : 32);
    if (bar->flags & PCI_BAR_PREFETCH)
        console_print(console, ", prefetchable");
    console_print(console, "%s%s\n", text ? ": " : "", text ? text : "");
}

bool console_cmd_card(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const struct pci_card *card = console->config.card;
    struct pfifo_chip_info chip = pfifo_chip_info(card->chip);

    (void)count, (void)argument, (void)error;
    console_print(console, "%s: %s (%s), BOOT_0 0x%08" PRIx32 "%s, PCI %04x:%04x revision %02x, ", card->device.address,
                  chip.name, chip.generation, card->boot0, card->swapped ? " in the other byte order" : "",
                  card->device.vendor, card->device.device, card->device.revision);
    if (card->device.driver[0])
        console_print(console, "driver %s, ", card->device.driver);
    else
        console_print(console, "no driver, ");
    console_print(console, "%s\n", card->writable ? "can be written" : "read-only");
    for (unsigned i = 0; i < PCI_BARS; i++)
        print_bar(console, i);
    if (!chip.runs)
        console_print(console, "The machine of %s is not built: only what pfifo regs lists has names.\n", chip.name);
    return true;
}
