/* SPDX-License-Identifier: MIT */
/*
 * Which classes a channel offers: what the engines of its runlist offer, one engine after the other, as Linux lists it
 * from 6.2 on (nvkm/engine/fifo/uchan.c, nvkm_uchan_sclass()). Programs read the first 16 or so. Before 6.2 the kernel
 * listed the same classes in the order of its engines' numbers.
 *
 * Two tables: the engines of a runlist in the order in which the kernel adds them, and the classes of an engine in the
 * order of its driver. An engine that nouveau does not drive on a chip has no row there. Engines that no program makes
 * objects of (PVDEC, PVENC, PME, PSEC from GM107 on) offer no class.
 *
 * UNKNOWN: which copy engine shares PGRAPH's runlist on the chips of Pascal; chosen: one, as in the topology table. It
 * does not show: all of a chip offer the same.
 */
#include "face/drm/node/classes.h"

#include "chip/chip.h"
#include "chip/units.h"

#define MOST_UNITS   8
#define MOST_CLASSES 16

#define DMA_OBJECTS CHIP_UNIT_NONE /* no unit, but the kernel has it as an engine of the runlist */
#define SOFTWARE    CHIP_UNIT_SOFTWARE
#define PGRAPH      CHIP_UNIT_PGRAPH

/*
 * Sources: nvkm/engine/fifo/{nv04,g84,g98,gf100,gk104}.c, each one's runl_ctor; nvif/fifo.c for the runlist of copies,
 * which is PGRAPH's only if there is no other.
 */
struct runlist_row {
    const char *chips;
    enum pfifo_channel_engine engine; /* that the channel was opened for, from GK104 on */
    enum chip_unit units[MOST_UNITS];
    uint8_t count;
};

#define UNITS(...) {__VA_ARGS__}, sizeof((const enum chip_unit[]){__VA_ARGS__}) / sizeof(enum chip_unit)
#define TEGRAS     "GK20A GM20B GP10B" /* one runlist */

static const struct runlist_row runlists[] = {
    {"NV40:G84", PFIFO_ENGINE_GRAPHICS, UNITS(SOFTWARE, DMA_OBJECTS, PGRAPH, CHIP_UNIT_PMPEG)},
    {"G84:G98 GT200", PFIFO_ENGINE_GRAPHICS,
     UNITS(SOFTWARE, DMA_OBJECTS, PGRAPH, CHIP_UNIT_PMPEG, CHIP_UNIT_PVP2, CHIP_UNIT_PCIPHER, CHIP_UNIT_PBSP)},
    {"G98:GF100", PFIFO_ENGINE_GRAPHICS,
     UNITS(SOFTWARE, DMA_OBJECTS, PGRAPH, CHIP_UNIT_PPPP, CHIP_UNIT_PCOPY0, CHIP_UNIT_PPDEC, CHIP_UNIT_PSEC,
           CHIP_UNIT_PVLD)},
    {"GF100:GK104", PFIFO_ENGINE_GRAPHICS,
     UNITS(PGRAPH, CHIP_UNIT_PPDEC, CHIP_UNIT_PPPP, CHIP_UNIT_PVLD, CHIP_UNIT_PCOPY0, CHIP_UNIT_PCOPY1, SOFTWARE)},
    {"GK104-", PFIFO_ENGINE_GRAPHICS, UNITS(SOFTWARE, PGRAPH, CHIP_UNIT_PCOPY2)},
    {TEGRAS, PFIFO_ENGINE_COPY, UNITS(SOFTWARE, PGRAPH, CHIP_UNIT_PCOPY2)},
    {"GK104-", PFIFO_ENGINE_COPY, UNITS(CHIP_UNIT_PCOPY0)},
    {"GK104:GM107", PFIFO_ENGINE_VIDEO_DECODER, UNITS(CHIP_UNIT_PPDEC)},
    {"GK104:GM107", PFIFO_ENGINE_VIDEO_PROCESSOR, UNITS(CHIP_UNIT_PPPP)},
    {"GK104:GM107", PFIFO_ENGINE_VIDEO_BITSTREAM, UNITS(CHIP_UNIT_PVLD)},
};

/*
 * Sources: nvkm/engine/device/base.c, which chip has which driver of an engine; nvkm/engine/{sw,dma,gr,mpeg,vp,bsp,
 * cipher,sec,mspdec,msppp,msvld,ce}/, the sclass of each; include/nvif/class.h.
 */
struct class_row {
    const char *chips;
    enum chip_unit unit;
    int32_t classes[MOST_CLASSES]; /* those that are less end with 0 */
};

#define GRAPHICS_NV4X                                                                                                  \
    0x0012, 0x0019, 0x0030, 0x0039, 0x0043, 0x0044, 0x004a, 0x0062, 0x0072, 0x0089, 0x008a, 0x009f, 0x3062, 0x3089,    \
        0x309e
#define NV44_FAMILY "NV44 NV44A G72 C51 MCP61 MCP67 MCP68 MCP73"
#define SECOND_COPY "GF100 GF104 GF110 GF114" /* of Fermi: where nouveau uses PCOPY1, which unpacks */

static const struct class_row rows[] = {
    {"NV40:G80", SOFTWARE, {-5}},
    {"G80:GF100", SOFTWARE, {-6}},
    {"GF100-", SOFTWARE, {-7}},
    {"NV40:GF100", DMA_OBJECTS, {0x0002, 0x0003, 0x003d}},

    {NV44_FAMILY, PGRAPH, {GRAPHICS_NV4X, 0x4497}},
    {"NV40:G80", PGRAPH, {GRAPHICS_NV4X, 0x4097}},
    {"G80", PGRAPH, {0x0030, 0x502d, 0x5039, 0x5097, 0x50c0}},
    {"G84:GT200", PGRAPH, {0x0030, 0x502d, 0x5039, 0x50c0, 0x8297}},
    {"GT200 MCP77 MCP79", PGRAPH, {0x0030, 0x502d, 0x5039, 0x50c0, 0x8397}},
    {"GT215 GT216 GT218", PGRAPH, {0x0030, 0x502d, 0x5039, 0x50c0, 0x8597, 0x85c0}},
    {"MCP89", PGRAPH, {0x0030, 0x502d, 0x5039, 0x50c0, 0x85c0, 0x8697}},
    {"GF108", PGRAPH, {0x902d, 0x9039, 0x9097, 0x9197, 0x90c0}},
    {"GF110 GF119 GF117", PGRAPH, {0x902d, 0x9039, 0x9097, 0x9197, 0x9297, 0x90c0, 0x91c0}},
    {"GF100:GK104", PGRAPH, {0x902d, 0x9039, 0x9097, 0x90c0}},
    {"GK20A", PGRAPH, {0x902d, 0xa040, 0xa297, 0xa0c0}},
    {"GK104:GK110", PGRAPH, {0x902d, 0xa040, 0xa097, 0xa0c0}},
    {"GK110:GM107", PGRAPH, {0x902d, 0xa140, 0xa197, 0xa1c0}},
    {"GM107:GM200", PGRAPH, {0x902d, 0xa140, 0xb097, 0xb0c0}},
    {"GM200:GP100", PGRAPH, {0x902d, 0xa140, 0xb197, 0xb1c0}},
    {"GP100 GP10B", PGRAPH, {0x902d, 0xa140, 0xc097, 0xc0c0}},
    {"GP102-", PGRAPH, {0x902d, 0xa140, 0xc197, 0xc1c0}},

    {"NV40:G84", CHIP_UNIT_PMPEG, {0x3174}},
    {"G84:G98 GT200", CHIP_UNIT_PMPEG, {0x8274}},
    {"G84:G98 GT200", CHIP_UNIT_PVP2, {0x7476}},
    {"G84:G98 GT200", CHIP_UNIT_PCIPHER, {0x74c1}},
    {"G84:G98 GT200", CHIP_UNIT_PBSP, {0x74b0}},

    {"G98 MCP77 MCP79", CHIP_UNIT_PPDEC, {0x88b2}},
    {"G98 MCP77 MCP79", CHIP_UNIT_PPPP, {0x88b3}},
    {"G98 MCP77 MCP79", CHIP_UNIT_PVLD, {0x88b1}},
    {"G98 MCP77 MCP79", CHIP_UNIT_PSEC, {0x88b4}},
    {"GT215:GF100", CHIP_UNIT_PPDEC, {0x85b2}},
    {"GT215:GF100", CHIP_UNIT_PPPP, {0x85b3}},
    {"MCP89", CHIP_UNIT_PVLD, {0x86b1}},
    {"GT215:GF100", CHIP_UNIT_PVLD, {0x85b1}},
    {"GF100:GK104", CHIP_UNIT_PPDEC, {0x90b2}},
    {"GF100:GM107", CHIP_UNIT_PPPP, {0x90b3}},
    {"GF100:GK104", CHIP_UNIT_PVLD, {0x90b1}},
    {"GK104:GM107", CHIP_UNIT_PPDEC, {0x95b2}},
    {"GK104:GM107", CHIP_UNIT_PVLD, {0x95b1}},

    {"GT215:GF100", CHIP_UNIT_PCOPY0, {0x85b5}},
    {"GF100:GK104", CHIP_UNIT_PCOPY0, {0x90b5}},
    {SECOND_COPY, CHIP_UNIT_PCOPY1, {0x90b8}},
    {"GK104:GM107", CHIP_UNIT_PCOPY2, {0xa0b5}},
    {"GM107:GM200", CHIP_UNIT_PCOPY2, {0xa0b5, 0xb0b5}},
    {"GM200:GP100", CHIP_UNIT_PCOPY2, {0xb0b5}},
    {"GP100 GP10B", CHIP_UNIT_PCOPY2, {0xc0b5}},
    {"GP102-", CHIP_UNIT_PCOPY2, {0xc1b5, 0xc0b5}},
};

/* From GK104 on all copy engines of a chip offer the same, and have the rows of PCOPY2. */
static enum chip_unit row_unit(const struct pfifo_chip *chip, enum chip_unit unit) {
    return chip->has_runlists && chip_unit_is_copy(unit) ? CHIP_UNIT_PCOPY2 : unit;
}

static const struct class_row *classes_of(const struct pfifo_chip *chip, enum chip_unit unit) {
    struct chip_walk walk = CHIP_WALK(chip, rows);
    const struct class_row *row;
    while ((row = chip_walk_next(&walk)) && row->unit != row_unit(chip, unit))
        ;
    return row;
}

static const struct runlist_row *runlist_of(const struct pfifo_chip *chip, enum pfifo_channel_engine engine) {
    struct chip_walk walk = CHIP_WALK(chip, runlists);
    const struct runlist_row *row;
    while ((row = chip_walk_next(&walk)) && row->engine != engine)
        ;
    return row;
}

/* DMA objects have versions that can be asked for; other objects are given nothing (struct nvkm_sclass). */
static unsigned add_classes(const struct class_row *row, struct drm_class *list, unsigned count, unsigned room) {
    int16_t version = row->unit == DMA_OBJECTS ? 0 : -1;
    for (unsigned i = 0; i < MOST_CLASSES && row->classes[i] && count < room; i++)
        list[count++] = (struct drm_class){row->classes[i], version};
    return count;
}

unsigned drm_classes(const struct pfifo_chip *chip, enum pfifo_channel_engine engine, struct drm_class *list,
                     unsigned room) {
    const struct runlist_row *runlist = runlist_of(chip, engine);
    unsigned count = 0;
    for (unsigned i = 0; runlist && i < runlist->count; i++) {
        const struct class_row *row = classes_of(chip, runlist->units[i]);
        if (row)
            count = add_classes(row, list, count, room);
    }
    return count;
}

/* ---- one class ---- */

bool drm_class_is_dma(int32_t oclass) {
    return oclass == 0x0002 || oclass == 0x0003 || oclass == 0x003d;
}

bool drm_class_listed(const struct pfifo_chip *chip, enum pfifo_channel_engine engine, int32_t oclass) {
    struct drm_class list[DRM_MOST_CLASSES];
    unsigned count = drm_classes(chip, engine, list, DRM_MOST_CLASSES);
    for (unsigned i = 0; i < count; i++)
        if (list[i].oclass == oclass)
            return true;
    return false;
}

/* Is it of the kind that the low byte of `name` stands for? The software classes are negative. */
static bool is_of_kind(int32_t oclass, int32_t name) {
    return (name & 0xff) == 0x6e ? oclass < 0 : oclass > 0 && (oclass & 0xff) == (name & 0xff);
}

int32_t drm_class_named(const struct pfifo_chip *chip, enum pfifo_channel_engine engine, int32_t name) {
    static const uint8_t kinds[] = {0x6e, 0xb1, 0xb2, 0xb3}; /* software, PVLD, PPDEC, PPPP */
    struct drm_class list[DRM_MOST_CLASSES];
    unsigned kind = 0, count;
    while (kind < sizeof kinds && kinds[kind] != (name & 0xff))
        kind++;
    if (kind == sizeof kinds)
        return name;
    count = drm_classes(chip, engine, list, DRM_MOST_CLASSES);
    for (unsigned i = 0; i < count; i++)
        if (is_of_kind(list[i].oclass, name))
            return list[i].oclass;
    return 0;
}
