/* SPDX-License-Identifier: MIT */
/*
 * Boards: ids of a common board of each chip, and what the boards of a time have.
 *
 * UNKNOWN: capabilities of graphics in chipsets (C51 to MCP73, MCP77 to MCP89) and where they have them. Chosen: as
 * boards of their generation, without PCI Express up to MCP73.
 *
 * Sources: the PCI ID repository; nouveau nvkm/engine/device/pci.c; listings of lspci for boards (BARs, ROM sizes,
 *          capabilities)
 */
#include "pci/card.h"

#define KIB(n) (UINT32_C(1024) * (n))

static const struct pci_shape shapes[] = {
    {"NV1:NV4", .dcb = 0x22, .rom_bytes = KIB(32)},
    {"NV4:NV10", .dcb = 0x22, .rom_bytes = KIB(64), .power = 1},
    {"NV10:NV40", .dcb = 0x22, .rom_bytes = KIB(64), .power = 2},
    /* AGP: BARs of 32 bits, RAMIN in BAR 2. */
    {"NV40 NV44A", .dcb = 0x30, .rom_bytes = KIB(128), .power = 2, .msi = true, .ramin_bar = 2},
    {"C51:RSX", .dcb = 0x30, .rom_bytes = KIB(128), .power = 2, .msi = true, .ramin_bar = 3, .wide = true},
    {"NV45:C51", .dcb = 0x30, .rom_bytes = KIB(128), .power = 2, .msi = true, .ramin_bar = 3, .wide = true,
     .express = 1, .speed = 1},
    {"G80:G92", .dcb = 0x40, .rom_bytes = KIB(128), .power = 2, .msi = true, .ramin_bar = 3, .wide = true, .express = 1,
     .speed = 1},
    {"G92:GF100", .dcb = 0x40, .rom_bytes = KIB(512), .power = 3, .msi = true, .ramin_bar = 3, .wide = true,
     .express = 2, .speed = 2},
    {"GF100:GK104", .dcb = 0x40, .rom_bytes = KIB(512), .power = 3, .msi = true, .ramin_bar = 3, .wide = true,
     .bit = true, .ramin_prefetch = true, .express = 2, .speed = 2},
    {"GK104-", .dcb = 0x40, .rom_bytes = KIB(512), .power = 3, .msi = true, .ramin_bar = 3, .wide = true,
     .ramin_prefetch = true, .bit = true, .express = 2, .speed = 3},
};

#define NVIDIA     0x10de
#define NVIDIA_SGS 0x12d2
#define BOARD(c, d)                                                                                                    \
    { (c), NVIDIA, (d) }

static const struct pci_board boards[] = {
    BOARD("NV1", 0x0008),    {"NV3", NVIDIA_SGS, 0x0018}, {"NV3T", NVIDIA_SGS, 0x0019}, BOARD("NV4", 0x0020),
    BOARD("NV5", 0x0028),    BOARD("NV10", 0x0100),       BOARD("NV15", 0x0150),        BOARD("NV1A", 0x01a0),
    BOARD("NV11", 0x0110),   BOARD("NV17", 0x0171),       BOARD("NV1F", 0x01f0),        BOARD("NV18", 0x0181),
    BOARD("NV20", 0x0200),   BOARD("NV2A", 0x02a0),       BOARD("NV25", 0x0250),        BOARD("NV28", 0x0281),
    BOARD("NV30", 0x0301),   BOARD("NV35", 0x0330),       BOARD("NV31", 0x0311),        BOARD("NV36", 0x0341),
    BOARD("NV34", 0x0322),   BOARD("NV40", 0x0040),       BOARD("NV45", 0x00f9),        BOARD("NV41", 0x00c1),
    BOARD("NV42", 0x00c3),   BOARD("NV43", 0x0140),       BOARD("NV44", 0x0161),        BOARD("NV44A", 0x0221),
    BOARD("G70", 0x0091),    BOARD("G71", 0x0290),        BOARD("G73", 0x0391),         BOARD("G72", 0x01d1),
    BOARD("C51", 0x0240),    BOARD("MCP61", 0x03d0),      BOARD("MCP67", 0x0531),       BOARD("MCP68", 0x053a),
    BOARD("MCP73", 0x07e1),  BOARD("G80", 0x0191),        BOARD("G84", 0x0400),         BOARD("G86", 0x0421),
    BOARD("G92", 0x0611),    BOARD("G94", 0x0622),        BOARD("G96", 0x0640),         BOARD("G98", 0x06e4),
    BOARD("GT200", 0x05e1),  BOARD("MCP77", 0x0848),      BOARD("MCP79", 0x0863),       BOARD("GT215", 0x0ca3),
    BOARD("GT216", 0x0a20),  BOARD("GT218", 0x0a65),      BOARD("MCP89", 0x08a0),       BOARD("GF100", 0x06c0),
    BOARD("GF104", 0x0e22),  BOARD("GF114", 0x1200),      BOARD("GF106", 0x0dc4),       BOARD("GF116", 0x1244),
    BOARD("GF108", 0x0de1),  BOARD("GF110", 0x1080),      BOARD("GF119", 0x104a),       BOARD("GF117", 0x1140),
    BOARD("GK104", 0x1180),  BOARD("GK107", 0x0fc6),      BOARD("GK106", 0x11c0),       BOARD("GK110", 0x1005),
    BOARD("GK110B", 0x100a), BOARD("GK208", 0x1280),      BOARD("GK208B", 0x1287),      BOARD("GM107", 0x1380),
    BOARD("GM108", 0x1340),  BOARD("GM200", 0x17c2),      BOARD("GM204", 0x13c0),       BOARD("GM206", 0x1401),
    BOARD("GP100", 0x15f8),  BOARD("GP102", 0x1b06),      BOARD("GP104", 0x1b80),       BOARD("GP106", 0x1c03),
    BOARD("GP107", 0x1c81),  BOARD("GP108", 0x1d01),
};

const struct pci_board *pci_board_of(const struct pfifo_chip *chip) {
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        if (strcmp(boards[i].chip, chip->name) == 0)
            return &boards[i];
    return NULL;
}

const struct pci_shape *pci_shape_of(const struct pfifo_chip *chip) {
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (chip_in_range(chip, shapes[i].chips))
            return &shapes[i];
    return NULL;
}
