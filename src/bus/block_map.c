/* SPDX-License-Identifier: MIT */
/*
 * The map of BAR0 by generation. Names and sizes are those of the documents; it includes the blocks that they call
 * unknown.
 *
 * UNKNOWN: the size of PROM: the documents give 64 KiB to 512 KiB, the register database 1 MiB. Chosen: the larger.
 * UNKNOWN: which of the blocks that were seen on GK104 the other chips of GF100 and later have. Chosen: all.
 * UNKNOWN: PVPE of GT215, which the list does not have, but where nouveau sets PMPEG up (nvkm/engine/mpeg/g84.c).
 * Chosen: it exists, without a bit in PMC ENABLE (PPPP has it).
 * UNKNOWN: the second hub of GP100 and of GV100 and later, which nouveau gives the hub MMU's addresses
 * (nvkm/subdev/fb/gp100.c): its size, and whether other Pascals have it. Chosen: a page; no, their drivers do not.
 */
#include "bus/blocks.h"

#define PAGE(base) (base), (base) + 0x1000

/* Bits of PMC ENABLE. */
#define BIT(n)  (UINT32_C(1) << (n))
#define PVPE    BIT(1) /* PPPP on G98 and later */
#define PMEDIA  BIT(4)
#define PFIFO   BIT(8)
#define PGRAPH  BIT(12)
#define PTIMER  BIT(16)
#define PFB     BIT(20)
#define PCRTC   BIT(24)
#define PCRTC2  BIT(25)
#define PTV     BIT(26)
#define PVIDEO  BIT(28)
#define DISPLAY BIT(30)

#define TWO_HEADS "NV11:NV20 NV25:G80"
#define ONE_HEAD  "NV3:NV11 NV20:NV25"
#define NOT_IGP4X "NV4:C51 RSX"
#define VP1_VP2   "G80:G98 GT200"
#define VP2       "G84:G98 GT200"
#define VP3       "G98 MCP77:GT215"
#define VP3_VP4   "G98 MCP77:GF100"
#define IGP_TESLA "MCP77:GT215 MCP89"

/* NV1's windows of PGRAPH's types: methods that bypass PFIFO (fifo/cache/nv1_graph_ports.c). */
#define OBJECT(name, base)                                                                                             \
    {                                                                                                                  \
        "NV1", {                                                                                                       \
            name, (base), (base) + 0x10000, 0                                                                          \
        }                                                                                                              \
    }

const struct block_row block_map[] = {
    {"NV1:GF100", {"PMC", PAGE(0x000000), 0, true}},
    {"GF100-", {"PMC", PAGE(0x000000), 0}},
    {"NV1-", {"PBUS", PAGE(0x001000), 0}},
    {"NV1-", {"PFIFO", 0x002000, 0x004000, PFIFO, true}},

    /* ---- NV1 ---- */
    {"NV1", {"PDMA", PAGE(0x100000), 0}},
    {"NV1", {"PTIMER", PAGE(0x101000), 0}},
    {"NV1", {"PAUDIO", PAGE(0x300000), 0}},
    {"NV1", {"PGRAPH", PAGE(0x400000), 0}},
    OBJECT("UBETA", 0x410000),
    OBJECT("UROP", 0x420000),
    OBJECT("UCHROMA", 0x430000),
    OBJECT("UPLANE", 0x440000),
    OBJECT("UCLIP", 0x450000),
    OBJECT("UPATTERN", 0x460000),
    OBJECT("UPOINT", 0x480000),
    OBJECT("ULINE", 0x490000),
    OBJECT("ULIN", 0x4a0000),
    OBJECT("UTRI", 0x4b0000),
    OBJECT("URECT", 0x4c0000),
    OBJECT("UTEXLIN", 0x4d0000),
    OBJECT("UTEXQUAD", 0x4e0000),
    OBJECT("UBLIT", 0x500000),
    OBJECT("UIFC", 0x510000),
    OBJECT("UBITMAP", 0x520000),
    OBJECT("UIFM", 0x530000),
    OBJECT("UITM", 0x540000),
    OBJECT("UTEXLINBETA", 0x5d0000),
    OBJECT("UTEXQUADBETA", 0x5e0000),
    {"NV1", {"PFB", PAGE(0x600000), 0}},
    {"NV1", {"PRAM", PAGE(0x602000), 0}},
    {"NV1", {"PCHIPID", PAGE(0x605000), 0}},
    {"NV1", {"PSTRAPS", PAGE(0x608000), 0}},
    {"NV1", {"PDAC", PAGE(0x609000), 0}},
    {"NV1", {"PEEPROM", PAGE(0x60a000), 0}},
    {"NV1", {"PROM", 0x610000, 0x618000, 0}},
    {"NV1", {"PALT", 0x618000, 0x620000, 0}},
    {"NV1", {"PRM", 0x6c0000, 0x6c8000, 0}},
    {"NV1", {"PRMIO", PAGE(0x6d0000), 0}},
    {"NV1", {"PRMFB", 0x6e0000, 0x700000, 0}},

    /* ---- NV3 to NV4x ---- */
    {"NV3:NV4 NV34", {"UNK004000", PAGE(0x004000), 0}},
    {"NV40:G80", {"PCLOCK", PAGE(0x004000), 0}},
    {"NV4:NV40 C51:RSX", {"UNK005000", PAGE(0x005000), 0}},
    {"NV20:NV34", {"UNK006000", PAGE(0x006000), 0}},
    {"NV3-", {"PRMA", PAGE(0x007000), 0}},
    {"NV10:G80", {"PVIDEO", PAGE(0x008000), PVIDEO}},
    {"NV3:NV4", {"PTIMER", PAGE(0x009000), 0}},
    {"NV4-", {"PTIMER", PAGE(0x009000), PTIMER}},
    {"NV10:GF100", {"PCOUNTER", PAGE(0x00a000), 0}},
    {"NV17:NV20 NV30:G80", {"PVPE", PAGE(0x00b000), PVPE}},
    {"NV40:GF100", {"PCONTROL", PAGE(0x00c000), 0}},
    {"NV17:NV20 NV30:G80", {"PTV", PAGE(0x00d000), PTV}},
    {"NV17:NV20", {"UNK00E000", PAGE(0x00e000), 0}},
    {"NV41:G80", {"PVP1", PAGE(0x00f000), 0}},
    {"NV40-", {"PPCI", PAGE(0x088000), 0}},
    {"NV40:GF100", {"PFIFO_CACHE", 0x090000, 0x092000, PFIFO, true}},
    {"NV3-", {"PRMFB", 0x0a0000, 0x0c0000, 0}},
    {"NV3:G80", {"PRMVIO", PAGE(0x0c0000), 0}},
    {"NV40:G80", {"PRMVIO2", PAGE(0x0c2000), 0}},
    {"NV3:NV4", {"PFB", PAGE(0x100000), 0}},
    {"NV4:GF100", {"PFB", PAGE(0x100000), PFB}},
    {"NV3-", {"PSTRAPS", PAGE(0x101000), 0}},
    {"MCP73", {"UNK102000", PAGE(0x102000), 0}},
    {"NV3:NV4", {"PROM", 0x110000, 0x120000, 0}},
    {"NV3:NV4", {"PALT", 0x120000, 0x130000, 0}},
    {"NV3:NV4", {"PMEDIA", PAGE(0x200000), 0}},
    {NOT_IGP4X, {"PMEDIA", PAGE(0x200000), PMEDIA}},
    {NOT_IGP4X, {"PROM", 0x300000, 0x400000, 0}},
    {"NV3:NV4", {"PGRAPH", PAGE(0x400000), 0}},
    {"NV3:NV4", {"PDMA", PAGE(0x401000), 0}},
    {"NV4:NV40", {"PGRAPH", 0x400000, 0x402000, PGRAPH}},
    {"NV40:GF100", {"PGRAPH", 0x400000, 0x410000, PGRAPH}},
    {"NV4:G80", {"PCRTC", PAGE(0x600000), PCRTC}},
    {"NV3:G80", {"PRMCIO", PAGE(0x601000), 0}},
    {TWO_HEADS, {"PCRTC2", PAGE(0x602000), PCRTC2}},
    {TWO_HEADS, {"PRMCIO2", PAGE(0x603000), 0}},
    {"NV3:G80", {"PRAMDAC", PAGE(0x680000), 0}},
    {"NV3:G80", {"PRMDIO", PAGE(0x681000), 0}},
    {TWO_HEADS, {"PRAMDAC2", PAGE(0x682000), 0}},
    {TWO_HEADS, {"PRMDIO2", PAGE(0x683000), 0}},
    {"NV17:NV40", {"UNK6E0000", PAGE(0x6e0000), 0}},

    /* ---- G80 to MCP89 ---- */
    {"G80:GF100", {"PCLOCK", PAGE(0x004000), 0}},
    {VP1_VP2, {"PVPE", PAGE(0x00b000), PVPE}},
    {"GT215", {"PVPE", PAGE(0x00b000), 0}},
    {"G80-", {"PNVIO", 0x00e000, 0x00e800, 0}},
    {"G80-", {"PIOCLOCK", 0x00e800, 0x00f000, 0}},
    {"G80", {"PVP1", PAGE(0x00f000), 0}},
    {VP2, {"PVP2", PAGE(0x00f000), BIT(17)}},
    {"G80-", {"UNK010000", 0x010000, 0x020000, 0}},
    {"G80-", {"PTHERM", 0x020000, 0x020800, 0}},
    {"G80-", {"PFUSE", PAGE(0x021000), 0}},
    {"G84:GF100", {"UNK022000", 0x022000, 0x022400, 0}},
    {"G84-", {"PEEPHOLE", PAGE(0x060000), 0}},
    {"G84-", {"PFLUSH", PAGE(0x070000), 0}},
    {"G92:GF100", {"PHWSQ", PAGE(0x080000), 0}},
    {VP3_VP4, {"PVLD", PAGE(0x084000), BIT(15)}},
    {VP3_VP4, {"PPDEC", PAGE(0x085000), BIT(17)}},
    {VP3_VP4, {"PPPP", PAGE(0x086000), BIT(1)}},
    {VP3, {"PSEC", PAGE(0x087000), BIT(14)}},
    {"G84:GK104", {"UNK089000", PAGE(0x089000), 0}},
    {"GT215-", {"PPCI_HDA", PAGE(0x08a000), 0}},
    {VP2, {"PCIPHER", PAGE(0x102000), BIT(14)}},
    {IGP_TESLA, {"UNK102000", PAGE(0x102000), 0}},
    {VP2, {"PBSP", PAGE(0x103000), BIT(15)}},
    {"GT215:GF100", {"PCOPY0", PAGE(0x104000), BIT(13)}},
    {"GT215-", {"PCODEC", PAGE(0x108000), 0}},
    {"GT215-", {"PKFUSE", PAGE(0x109000), 0}},
    {"GT215:GF100", {"PDAEMON", PAGE(0x10a000), 0}},
    {"GT215:GF100", {"UNK10F000", 0x10f000, 0x112000, 0}},
    {"MCP89", {"PVCOMP", PAGE(0x1c1000), BIT(14)}},
    {"G80-", {"PMEDIA", PAGE(0x200000), PMEDIA}},
    {"MCP89", {"UNK280000", 0x280000, 0x2a0000, 0}},
    {IGP_TESLA, {"PBRIDGE_PCI", PAGE(0x2ff000), 0}},
    {"G80-", {"PROM", 0x300000, 0x400000, 0}},
    {"G80-", {"PRMIO", PAGE(0x601000), 0}},
    {"G80-", {"PDISPLAY", 0x610000, 0x6c0000, DISPLAY}},

    /* ---- GF100 and later ---- */
    {"GF100-", {"PFIFO_PIO", PAGE(0x005000), PFIFO, true}},
    {"GF100-", {"UNK00C800", 0x00c800, 0x00cc00, 0}},
    {"GF100-", {"UNK00CC00", 0x00cc00, 0x00d000, 0}},
    {"GF119-", {"PGPIO", PAGE(0x00d000), 0}},
    {"GF100-", {"PUNITS", 0x022400, 0x022800, 0}},
    {"GF100-", {"PSPOON", 0x040000, 0x060000, PFIFO, true}},
    {"GF100-", {"UNK082000", 0x082000, 0x082400, 0}},
    {"GF100:GK104", {"UNK082800", 0x082800, 0x083000, 0}},
    {"GF100:GM107", {"PVLD", PAGE(0x084000), BIT(15)}},
    {"GM107-", {"PVDEC", PAGE(0x084000), BIT(15)}},
    {"GF100:GM107", {"PPDEC", PAGE(0x085000), BIT(17)}},
    {"GF100:GM107", {"PPPP", PAGE(0x086000), BIT(1)}},
    {"GM107-", {"PSEC", PAGE(0x087000), BIT(14)}},
    {"GK104-", {"UNK08B000", 0x08b000, 0x08f000, 0}},
    {"GF100-", {"PBFB_COMMON", 0x100700, 0x100800, PFB}},
    {"GF100-", {"PFFB", 0x100800, 0x101000, BIT(29)}},
    {"GF100-", {"PCOPY0", PAGE(0x104000), BIT(6)}},
    {"GF100-", {"PCOPY1", PAGE(0x105000), BIT(7)}},
    {"GK104-", {"PCOPY2", PAGE(0x106000), BIT(21)}},
    {"GF100-", {"PDAEMON", PAGE(0x10a000), BIT(13)}},
    {"GF100-", {"UNK10C000", 0x10c000, 0x10f000, 0}},
    {"GF100-", {"PBFB", 0x10f000, 0x120000, PFB}},
    {"GF100-", {"PRING", 0x120000, 0x130000, BIT(5)}},
    {"GF100-", {"PCLOCK", 0x130000, 0x138000, 0}},
    {"GF100-", {"UNK138000", PAGE(0x138000), 0}},
    {"GF100-", {"PP2P", 0x139000, 0x13b000, 0}},
    {"GF100-", {"PXBAR", 0x13b000, 0x140000, BIT(2)}},
    {"GF100-", {"PMFB", 0x140000, 0x180000, BIT(3)}},
    {"GF100-", {"PCOUNTER", 0x180000, 0x1c0000, BIT(28)}},
    {"GF100-", {"PFIFO_UNK1C0000", PAGE(0x1c0000), PFIFO}},
    {"GK104:GM107", {"PVENC", PAGE(0x1c2000), BIT(18)}},
    {"GF119-", {"PUNK1C3", PAGE(0x1c3000), 0}},
    {"GM107-", {"PVENC", 0x1c8000, 0x1ca000, BIT(18)}},
    {"GP100 GV100-", {"HSHUB", PAGE(0x1fa000), 0}},
    {"GF100-", {"PGRAPH", 0x400000, 0x600000, PGRAPH}},
    {"GK104-", {"PFIFO_CHAN", 0x800000, 0x810000, PFIFO, true}},
    {"GP100-", {"PBFB", 0x900000, 0x9c0000, PFB}},
};

const size_t block_map_rows = sizeof block_map / sizeof block_map[0];
