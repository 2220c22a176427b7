/* SPDX-License-Identifier: MIT */
/*
 * Which classes a channel lists, chip by chip, in the kernel's order: Linux nvkm/engine/fifo/uchan.c,
 * nvkm_uchan_sclass(), over the engines that runl_ctor of nvkm/engine/fifo/{nv04,g84,g98,gf100,gk104}.c adds and
 * nvkm/engine/device/base.c has for the chip. An engine's list is the sclass in the file that is named beside it.
 */
#include "drm/rig.h"

#include <nouveau/nvif/ioctl.h>
#include <stdlib.h>

#include "chip/chip.h"

#define MOST 32u

/* Of engines before GF100, which are behind one runlist. */
#define SW_NV10 -5                     /* sw/nv10.c */
#define SW_NV50 -6                     /* sw/nv50.c */
#define SW      -7                     /* sw/gf100.c */
#define DMA     0x0002, 0x0003, 0x003d /* dma/base.c */
#define GR_NV4X                                                                                                        \
    0x0012, 0x0019, 0x0030, 0x0039, 0x0043, 0x0044, 0x004a, 0x0062, 0x0072, 0x0089, 0x008a, 0x009f, 0x3062, 0x3089,    \
        0x309e
#define NV40 SW_NV10, DMA, GR_NV4X, 0x4097, 0x3174                        /* gr/nv40.c, mpeg/nv31.c */
#define NV44 SW_NV10, DMA, GR_NV4X, 0x4497, 0x3174                        /* gr/nv44.c */
#define G80  SW_NV50, DMA, 0x0030, 0x502d, 0x5039, 0x5097, 0x50c0, 0x3174 /* gr/nv50.c, mpeg/nv50.c */
#define G84                                                                                                            \
    SW_NV50, DMA, 0x0030, 0x502d, 0x5039, 0x50c0, 0x8297, /* gr/g84.c */                                               \
        0x8274, 0x7476, 0x74c1, 0x74b0                    /* mpeg/g84.c, vp/g84.c, cipher/g84.c, bsp/g84.c */
#define GT200 SW_NV50, DMA, 0x0030, 0x502d, 0x5039, 0x50c0, 0x8397, 0x8274, 0x7476, 0x74c1, 0x74b0 /* gr/gt200.c */
#define G98                                                                                                            \
    SW_NV50, DMA, 0x0030, 0x502d, 0x5039, 0x50c0, 0x8297, /* gr/g84.c */                                               \
        0x88b3, 0x88b2, 0x88b4, 0x88b1                    /* msppp/g98.c, mspdec/g98.c, sec/g98.c, msvld/g98.c */
#define MCP77 SW_NV50, DMA, 0x0030, 0x502d, 0x5039, 0x50c0, 0x8397, 0x88b3, 0x88b2, 0x88b4, 0x88b1 /* gr/mcp79.c */
#define GT215                                                                                                          \
    SW_NV50, DMA, 0x0030, 0x502d, 0x5039, 0x50c0, 0x8597, 0x85c0, /* gr/gt215.c */                                     \
        0x85b3, 0x85b5, 0x85b2, 0x85b1                            /* msppp, ce, mspdec and msvld of gt215.c */
#define MCP89                                                                                                          \
    SW_NV50, DMA, 0x0030, 0x502d, 0x5039, 0x50c0, 0x85c0, 0x8697, /* gr/mcp89.c */                                     \
        0x85b3, 0x85b5, 0x85b2, 0x86b1                            /* msvld/mcp89.c */

/* GF100 to GF119: PGRAPH comes first, software last. ce/gf100.c: PCOPY1 has a class of its own. */
#define VIDEO_GF100 0x90b2, 0x90b3, 0x90b1
#define GF100       0x902d, 0x9039, 0x9097, 0x90c0, VIDEO_GF100, 0x90b5, 0x90b8, SW                 /* gr/gf100.c */
#define GF106       0x902d, 0x9039, 0x9097, 0x90c0, VIDEO_GF100, 0x90b5, SW                         /* gr/gf104.c */
#define GF108       0x902d, 0x9039, 0x9097, 0x9197, 0x90c0, VIDEO_GF100, 0x90b5, SW                 /* gr/gf108.c */
#define GF119       0x902d, 0x9039, 0x9097, 0x9197, 0x9297, 0x90c0, 0x91c0, VIDEO_GF100, 0x90b5, SW /* gr/gf119.c */
#define GF110       0x902d, 0x9039, 0x9097, 0x9197, 0x9297, 0x90c0, 0x91c0, VIDEO_GF100, 0x90b5, 0x90b8, SW /* gr/gf110.c */

/* GK104 and later: the runlist of PGRAPH, with the copy engine that shares it. */
#define GK104 SW, 0x902d, 0xa040, 0xa097, 0xa0c0, 0xa0b5         /* gr/gk104.c, ce/gk104.c */
#define GK110 SW, 0x902d, 0xa140, 0xa197, 0xa1c0, 0xa0b5         /* gr/gk110.c */
#define GK20A SW, 0x902d, 0xa040, 0xa297, 0xa0c0, 0xa0b5         /* gr/gk20a.c */
#define GM107 SW, 0x902d, 0xa140, 0xb097, 0xb0c0, 0xa0b5, 0xb0b5 /* gr/gm107.c, ce/gm107.c */
#define GM200 SW, 0x902d, 0xa140, 0xb197, 0xb1c0, 0xb0b5         /* gr/gm200.c, ce/gm200.c */
#define GP100 SW, 0x902d, 0xa140, 0xc097, 0xc0c0, 0xc0b5         /* gr/gp100.c, ce/gp100.c */
#define GP102 SW, 0x902d, 0xa140, 0xc197, 0xc1c0, 0xc1b5, 0xc0b5 /* gr/gp102.c, ce/gp102.c */

/* Engines of CHANNEL_ALLOC from GK104 on; 0: what programs get that say nothing. */
enum { GRAPHICS_ENGINE = 0, DECODER = 0x02, PROCESSOR = 0x04, BITSTREAM = 0x08, COPIER = 0x30 };

static const struct row {
    const char *chip;
    uint32_t engine;
    int32_t classes[MOST]; /* to the first 0 */
} rows[] = {
    {"NV40", 0, {NV40}},
    {"NV45", 0, {NV40}},
    {"NV41", 0, {NV40}},
    {"NV42", 0, {NV40}},
    {"NV43", 0, {NV40}},
    {"NV44", 0, {NV44}},
    {"NV44A", 0, {NV44}},
    {"G70", 0, {NV40}},
    {"G71", 0, {NV40}},
    {"G73", 0, {NV40}},
    {"G72", 0, {NV44}},
    {"C51", 0, {NV44}},
    {"MCP61", 0, {NV44}},
    {"MCP67", 0, {NV44}},
    {"MCP68", 0, {NV44}},
    {"MCP73", 0, {NV44}},
    {"G80", 0, {G80}},
    {"G84", 0, {G84}},
    {"G86", 0, {G84}},
    {"G92", 0, {G84}},
    {"G94", 0, {G84}},
    {"G96", 0, {G84}},
    {"G98", 0, {G98}},
    {"GT200", 0, {GT200}},
    {"MCP77", 0, {MCP77}},
    {"MCP79", 0, {MCP77}},
    {"GT215", 0, {GT215}},
    {"GT216", 0, {GT215}},
    {"GT218", 0, {GT215}},
    {"MCP89", 0, {MCP89}},
    {"GF100", 0, {GF100}},
    {"GF104", 0, {GF100}},
    {"GF114", 0, {GF100}},
    {"GF106", 0, {GF106}},
    {"GF116", 0, {GF106}},
    {"GF108", 0, {GF108}},
    {"GF110", 0, {GF110}},
    {"GF119", 0, {GF119}},
    {"GF117", 0, {GF119}},
    {"GK104", 0, {GK104}},
    {"GK107", 0, {GK104}},
    {"GK106", 0, {GK104}},
    {"GK110", 0, {GK110}},
    {"GK110B", 0, {GK110}},
    {"GK208", 0, {GK110}},
    {"GK208B", 0, {GK110}},
    {"GK20A", 0, {GK20A}},
    {"GM107", 0, {GM107}},
    {"GM108", 0, {GM107}},
    {"GM200", 0, {GM200}},
    {"GM204", 0, {GM200}},
    {"GM206", 0, {GM200}},
    {"GM20B", 0, {GM200}},
    {"GP100", 0, {GP100}},
    {"GP102", 0, {GP102}},
    {"GP104", 0, {GP102}},
    {"GP106", 0, {GP102}},
    {"GP107", 0, {GP102}},
    {"GP108", 0, {GP102}},
    {"GP10B", 0, {GP100}},
    /* Other runlists have one engine; a Tegra has one runlist (nvif/fifo.c, nvif_fifo_runlist_ce()). */
    {"GK104", COPIER, {0xa0b5}},
    {"GK110", COPIER, {0xa0b5}},
    {"GK208", COPIER, {0xa0b5}},
    {"GK20A", COPIER, {GK20A}},
    {"GM107", COPIER, {0xa0b5, 0xb0b5}},
    {"GM200", COPIER, {0xb0b5}},
    {"GM20B", COPIER, {GM200}},
    {"GP100", COPIER, {0xc0b5}},
    {"GP102", COPIER, {0xc1b5, 0xc0b5}},
    {"GP10B", COPIER, {GP100}},
    {"GK104", DECODER, {0x95b2}}, /* mspdec/gk104.c */
    {"GK208", DECODER, {0x95b2}},
    {"GK110", PROCESSOR, {0x90b3}}, /* msppp/gf100.c */
    {"GK107", BITSTREAM, {0x95b1}}, /* msvld/gk104.c */
};

static struct rig rig;

struct list {
    struct nvif_ioctl_sclass_oclass_v0 entries[MOST]; /* as they came back */
};

/* With room for `room`: how many there are. */
static unsigned get_classes(struct drm_file *file, uint32_t channel, struct list *list, uint8_t room) {
    const struct nvif_ioctl_v0 header = {
        .type = NVIF_IOCTL_V0_SCLASS, .route = NVIF_IOCTL_V0_ROUTE_HIDDEN, .token = channel};
    struct nvif_ioctl_sclass_v0 head = {.count = room};
    uint8_t call[sizeof header + sizeof head + sizeof list->entries] = {0};
    size_t entries = sizeof header + sizeof head, bytes = entries + room * sizeof list->entries[0];
    unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, DRM_COMMAND_BASE + DRM_NOUVEAU_NVIF, bytes);
    memcpy(call, &header, sizeof header);
    memcpy(call + sizeof header, &head, sizeof head);
    assert_int_equal(rig_ioctl(&rig, file, request, call), 0);
    memcpy(&head, call + sizeof header, sizeof head);
    memcpy(list->entries, call + entries, sizeof list->entries);
    return head.count;
}

static uint32_t open_channel(struct drm_file *file, uint32_t engine) {
    struct drm_nouveau_channel_alloc alloc = {.fb_ctxdma_handle = FB_HANDLE, .tt_ctxdma_handle = TT_HANDLE};
    if (engine) {
        alloc.fb_ctxdma_handle = UINT32_MAX;
        alloc.tt_ctxdma_handle = engine;
    }
    int status = rig_channel_alloc(&rig, file, &alloc);
    if (status)
        fail_msg("%s engine %02x: CHANNEL_ALLOC: %s", rig.part->chip, (unsigned)engine, strerror(-status));
    return (uint32_t)alloc.channel;
}

static struct drm_file *open_chip(const char *chip) {
    static struct part part;
    part = (struct part){.chip = chip};
    rig.config = (struct drm_config){.vram_bytes = UINT64_C(64) << 20, .system_bytes = UINT64_C(64) << 20};
    if (!pfifo_chip_by_name(chip)->vram_bytes)
        rig.config.vram_bytes = 0;
    rig_open(&rig, &part);
    return rig_file(&rig, RENDER);
}

static unsigned count_of(const struct row *row) {
    unsigned count = 0;
    while (row->classes[count])
        count++;
    return count;
}

static void check_row(const struct row *row) {
    struct list list;
    struct drm_file *file = open_chip(row->chip);
    unsigned count = get_classes(file, open_channel(file, row->engine), &list, MOST);
    if (count != count_of(row))
        fail_msg("%s engine %02x: %u classes, not %u", row->chip, (unsigned)row->engine, count, count_of(row));
    for (unsigned i = 0; i < count; i++)
        if (list.entries[i].oclass != row->classes[i])
            fail_msg("%s engine %02x: class %u is %x, not %x", row->chip, (unsigned)row->engine, i,
                     (unsigned)list.entries[i].oclass, (unsigned)row->classes[i]);
    rig_close(&rig);
}

static void a_channel_lists_what_its_runlist_offers(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check_row(&rows[i]);
}

/* RSX is missing: no kernel drives it. */
static void every_chip_has_a_row(void **state) {
    const struct pfifo_chip *chip;
    (void)state;
    for (size_t n = 0; (chip = pfifo_chip_at(n)) != NULL; n++) {
        bool found = !drm_has_chip(chip) || strcmp(chip->name, "RSX") == 0;
        for (size_t i = 0; i < COUNT_OF(rows) && !found; i++)
            found = strcmp(rows[i].chip, chip->name) == 0;
        if (!found)
            fail_msg("%s has no row", chip->name);
    }
}

/* Mesa reads 16 entries, and NVK asserts that no more are there (its chips begin with GK104). */
static void what_mesa_looks_for_is_among_the_first_16(void **state) {
    static const uint8_t wanted[] = {0x97, 0xc0, 0x2d}; /* 3D, compute, 2D */
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct pfifo_chip *chip = pfifo_chip_by_name(rows[i].chip);
        if (rows[i].engine || !chip_in_range(chip, "G80-"))
            continue;
        assert_true(!chip->has_runlists || count_of(&rows[i]) <= 16);
        for (size_t w = 0; w < COUNT_OF(wanted); w++) {
            unsigned at = 0;
            while (at < 16 && (rows[i].classes[at] < 0 || (rows[i].classes[at] & 0xff) != wanted[w]))
                at++;
            if (at == 16)
                fail_msg("%s: no class xx%02x", chip->name, wanted[w]);
        }
    }
}

/* The constructors' versions: any for objects that take no data (-1), 0 for DMA objects (nvkm/engine/dma/base.c). */
static void a_class_comes_with_its_versions(void **state) {
    struct list list;
    (void)state;
    struct drm_file *file = open_chip("GT215");
    get_classes(file, open_channel(file, 0), &list, MOST);
    assert_int_equal(list.entries[0].minver, -1);
    assert_int_equal(list.entries[0].maxver, -1);
    assert_int_equal(list.entries[1].oclass, 2);
    assert_int_equal(list.entries[1].minver, 0);
    assert_int_equal(list.entries[1].maxver, 0);
    rig_close(&rig);
}

/* nouveau_abi16_ioctl_sclass(): as many as there is room for, and the count of all. */
static void a_list_that_is_too_long_is_cut_and_counted(void **state) {
    struct list list;
    (void)state;
    struct drm_file *file = open_chip("NV40");
    assert_int_equal(get_classes(file, open_channel(file, 0), &list, 16), 21);
    assert_int_equal(list.entries[15].oclass, 0x009f);
    assert_int_equal(list.entries[16].oclass, 0);
    rig_close(&rig);
}

/* DMA objects want a description (dma/user.c). nouveau has PMPEG on MCP73, where no database knows one. */
static int status_of(const char *chip, int32_t oclass) {
    if (oclass == 2 || oclass == 3 || oclass == 0x3d)
        return -ENOSYS;
    return strcmp(chip, "MCP73") == 0 && oclass == 0x3174 ? -EINVAL : 0;
}

/* nvkm_ioctl_new(): what is not listed has no constructor, though the chip may have it on another runlist. */
static void only_what_is_listed_can_be_made(void **state) {
    struct list list;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct drm_file *file = open_chip(rows[i].chip);
        uint32_t channel = open_channel(file, rows[i].engine);
        unsigned count = get_classes(file, channel, &list, MOST);
        for (unsigned n = 0; n < count; n++) {
            int32_t oclass = list.entries[n].oclass;
            int status = rig_object(&rig, file, channel, 0x8000 + n, oclass);
            if (status != status_of(rows[i].chip, oclass))
                fail_msg("%s: class %x: %d, %s", rows[i].chip, (unsigned)oclass, status, rig.lines[0]);
        }
        assert_int_equal(rig_object(&rig, file, channel, 0x9000, 0x0001), -EINVAL);
        assert_int_equal(rig_object(&rig, file, channel, 0x9001, rows[i].engine == DECODER ? 0xa097 : 0x95b5), -EINVAL);
        rig_close(&rig);
    }
}

/* nouveau_abi16_ioctl_grobj_alloc(): old programs' names. NVIF knows them not. */
static void old_names_stand_for_what_the_channel_has(void **state) {
    static const struct {
        const char *chip;
        uint32_t engine;
        int32_t name, status;
    } names[] = {
        {"NV40", 0, 0x506e, 0},
        {"GT215", 0, 0x906e, 0},
        {"GF100", 0, 0x506e, 0},
        {"GF100", 0, 0x85b1, 0},
        {"GF100", 0, 0x95b3, 0},
        {"G98", 0, 0x85b2, 0},
        {"G84", 0, 0x85b1, -EINVAL},
        {"GK104", 0, 0x906e, 0},
        {"GK104", COPIER, 0x906e, -EINVAL},
        {"GK104", DECODER, 0x85b2, 0},
        {"GK104", DECODER, 0x85b1, -EINVAL},
        {"GM107", 0, 0x95b1, -EINVAL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct drm_file *file = open_chip(names[i].chip);
        uint32_t channel = open_channel(file, names[i].engine);
        int status = rig_object(&rig, file, channel, 0x8000, names[i].name);
        if (status != names[i].status)
            fail_msg("%s: %x: %d", names[i].chip, (unsigned)names[i].name, status);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_channel_lists_what_its_runlist_offers),    cmocka_unit_test(every_chip_has_a_row),
        cmocka_unit_test(what_mesa_looks_for_is_among_the_first_16),  cmocka_unit_test(a_class_comes_with_its_versions),
        cmocka_unit_test(a_list_that_is_too_long_is_cut_and_counted), cmocka_unit_test(only_what_is_listed_can_be_made),
        cmocka_unit_test(old_names_stand_for_what_the_channel_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
