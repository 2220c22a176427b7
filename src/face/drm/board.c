/* SPDX-License-Identifier: MIT */
/*
 * Names are those of nouveau's table of boards, which ends with GM200: later boards have none there, nor has GF117's.
 *
 * UNKNOWN: how MCP77 to MCP89 are connected; chosen: PCI Express, as src/pci/board.c has it.
 */
#include "face/drm/board.h"

#include "chip/chip.h"

#define INTEGRATED "C51:RSX MCP77 MCP79 MCP89" /* nvkm/engine/device/user.c, nvkm_udevice_info() */

static const struct board {
    uint16_t chipset, device;
    const char *product;
} boards[] = {
    {0x40, 0x0041, "GeForce 6800"},
    {0x41, 0x00c1, "GeForce 6800"},
    {0x42, 0x00c3, "GeForce 6800 XT"},
    {0x43, 0x0141, "GeForce 6600"},
    {0x44, 0x0161, "GeForce 6200 TurboCache(TM)"},
    {0x45, 0x00f9, "GeForce 6800 Ultra"},
    {0x46, 0x01d1, "GeForce 7300 LE"},
    {0x47, 0x0091, "GeForce 7800 GTX"},
    {0x49, 0x0290, "GeForce 7900 GTX"},
    {0x4a, 0x0221, "GeForce 6200"},
    {0x4b, 0x0391, "GeForce 7600 GT"},
    {0x4c, 0x03d0, "GeForce 6150SE nForce 430"},
    {0x4e, 0x0240, "GeForce 6150"},
    {0x63, 0x07e1, "GeForce 7100 / nForce 630i"},
    {0x67, 0x0533, "GeForce 7000M / nForce 610M"},
    {0x68, 0x053e, "GeForce 7025 / nForce 630a"},
    {0x50, 0x0191, "GeForce 8800 GTX"},
    {0x84, 0x0400, "GeForce 8600 GTS"},
    {0x86, 0x0421, "GeForce 8500 GT"},
    {0x92, 0x0611, "GeForce 8800 GT"},
    {0x94, 0x0622, "GeForce 9600 GT"},
    {0x96, 0x0640, "GeForce 9500 GT"},
    {0x98, 0x06e4, "GeForce 8400 GS"},
    {0xa0, 0x05e1, "GeForce GTX 280"},
    {0xaa, 0x0848, "GeForce 8300"},
    {0xac, 0x0863, "GeForce 9400M"},
    {0xa3, 0x0ca3, "GeForce GT 240"},
    {0xa5, 0x0a20, "GeForce GT 220"},
    {0xa8, 0x0a65, "GeForce 210"},
    {0xaf, 0x08a0, "GeForce 320M"},
    {0xc0, 0x06c0, "GeForce GTX 480"},
    {0xc4, 0x0e22, "GeForce GTX 460"},
    {0xce, 0x1200, "GeForce GTX 560 Ti"},
    {0xc3, 0x0dc4, "GeForce GTS 450"},
    {0xcf, 0x1244, "GeForce GTX 550 Ti"},
    {0xc1, 0x0de1, "GeForce GT 430"},
    {0xc8, 0x1080, "GeForce GTX 580"},
    {0xd9, 0x1040, "GeForce GT 520"},
    {0xd7, 0x1140, NULL},
    {0xe4, 0x1180, "GeForce GTX 680"},
    {0xe7, 0x0fc6, "GeForce GTX 650"},
    {0xe6, 0x11c0, "GeForce GTX 660"},
    {0xf0, 0x1005, "GeForce GTX TITAN"},
    {0xf1, 0x100a, "GeForce GTX 780 Ti"},
    {0x106, 0x1280, "GeForce GT 635"},
    {0x108, 0x1287, "GeForce GT 730"},
    {0x117, 0x1380, "GeForce GTX 750 Ti"},
    {0x118, 0x1340, "GeForce 830M"},
    {0x120, 0x17c2, "GeForce GTX TITAN X"},
    {0x124, 0x13c0, "GeForce GTX 980"},
    {0x126, 0x1401, "GeForce GTX 960"},
    {0x130, 0x15f8, NULL},
    {0x132, 0x1b06, NULL},
    {0x134, 0x1b80, NULL},
    {0x136, 0x1c03, NULL},
    {0x137, 0x1c82, NULL},
    {0x138, 0x1d01, NULL},
};

static const struct board *board_of(const struct pfifo_chip *chip) {
    for (unsigned i = 0; i < sizeof boards / sizeof boards[0]; i++)
        if (boards[i].chipset == chip->id)
            return &boards[i];
    return NULL;
}

uint16_t board_pci_device(const struct pfifo_chip *chip) {
    const struct board *board = board_of(chip);
    return board ? board->device : 0;
}

enum board_bus board_bus(const struct pfifo_chip *chip) {
    static const struct bus_row {
        const char *chips;
        enum board_bus bus;
    } rows[] = {{"NV40 NV44A", BOARD_AGP}, {"C51:RSX", BOARD_PCI}};
    const struct bus_row *row = CHIP_ROW(chip, rows);
    if (!board_of(chip))
        return BOARD_SOC;
    return row ? row->bus : BOARD_PCIE;
}

bool board_is_integrated(const struct pfifo_chip *chip) {
    return chip_in_range(chip, INTEGRATED);
}

/* Where nouveau calls a chip otherwise (nvkm/engine/device/base.c). */
const char *board_chip_name(const struct pfifo_chip *chip) {
    static const struct name_row {
        const char *chips, *name;
    } rows[] = {{"MCP61", "C61"}, {"MCP67", "C67"},         {"MCP68", "C68"},
                {"MCP73", "C73"}, {"MCP77", "MCP77/MCP78"}, {"MCP79", "MCP79/MCP7A"}};
    const struct name_row *row = CHIP_ROW(chip, rows);
    return row ? row->name : chip->name;
}

const char *board_product(const struct pfifo_chip *chip) {
    const struct board *board = board_of(chip);
    return board && board->product ? board->product : board_chip_name(chip);
}
