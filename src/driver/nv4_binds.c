/* SPDX-License-Identifier: MIT */
/*
 * What NV4's driver does for drawing objects: PGRAPH of NV4 has no methods to bind context objects, and no OPERATION.
 * It refuses them, and the driver writes what they mean into the object in RAMIN, as nouveau does:
 *
 *   word 0   12 chroma   13 clip   14 surface is swizzled   17:15 operation   24 all that the operation needs is bound
 *   word 3   the driver's own (PGRAPH does not look at it): 25 destination   26 source   27 pattern   28 ROP   29 beta
 *            30 beta4
 *
 * Differs from nouveau: CTX_SWITCH1 and CTX_CACHE1, PGRAPH's copies of word 0, are not written, since this model has
 * none; the clip rectangle of SURF3D (0053) is known, and not kept. Sources: nouveau nvkm/engine/gr/nv04.c.
 */
#include "driver/access.h"
#include "driver/instance.h"
#include "driver/interrupts.h"

#include "hw/pgraph.h"

#define CLASS(word)     ((word)&0xff)
#define OPERATION(word) ((word) >> 15 & 7)
#define OPERATION_BITS  0x00038000u
#define SWIZZLED        (1u << 14)
#define VALID           (1u << 24)
#define NULL_OBJECT     0x30u

/* What is needed of word 3. */
#define DESTINATION (1u << 25)
#define SOURCE      (1u << 26)
#define PATTERN     (1u << 27)
#define ROP         (1u << 28)
#define BETA        (1u << 29)
#define BETA4       (1u << 30)

enum nv4_bind {
    NOTHING,
    OLD_PATTERNS,
    PATTERNS,
    ROPS,
    BETAS,
    BETA4S,
    OLD_SURFACES,
    SOURCES,
    SURFACES,
    ANY_SURFACES,
    COLORS,
    ZETAS,
    CLIPS,
    CHROMAS,
    KNOWN,
    SET_OPERATION
};

/* An object that may be bound, and the bits that it sets. A NULL object clears them. */
static const struct nv4_bound {
    enum nv4_bind what;
    uint8_t object_class;
    uint32_t word0_mask, word0, word3;
} things[] = {
    {OLD_PATTERNS, 0x18, 0, 0, PATTERN},
    {PATTERNS, 0x44, 0, 0, PATTERN},
    {ROPS, 0x43, 0, 0, ROP},
    {BETAS, 0x12, 0, 0, BETA},
    {BETA4S, 0x72, 0, 0, BETA4},
    {OLD_SURFACES, 0x58, 0, 0, DESTINATION},
    {SOURCES, 0x59, 0, 0, SOURCE},
    {SURFACES, 0x42, SWIZZLED, 0, DESTINATION},
    {ANY_SURFACES, 0x42, SWIZZLED, 0, DESTINATION},
    {ANY_SURFACES, 0x52, SWIZZLED, SWIZZLED, DESTINATION},
    {COLORS, 0x5a, 0, 0, DESTINATION},
    {ZETAS, 0x5b, 0, 0, SOURCE},
    {CLIPS, 0x19, 1u << 13, 1u << 13, 0},
    {CHROMAS, 0x57, 1u << 12, 1u << 12, 0},
};

#define MAX_BINDS 7

/* Methods of a class: binds, the first at `first`, and OPERATION. */
static const struct nv4_binds {
    uint8_t classes[3];
    uint16_t first, operation;
    uint8_t binds[MAX_BINDS];
} classes[] = {
    {{0x1c, 0x1d, 0x1e}, 0x184, 0x2fc, {CLIPS, OLD_PATTERNS, ROPS, BETAS, OLD_SURFACES}},
    {{0x5c, 0x5d, 0x5e}, 0x184, 0x2fc, {CLIPS, PATTERNS, ROPS, BETAS, BETA4S, SURFACES}},
    {{0x1f}, 0x184, 0x2fc, {CHROMAS, CLIPS, OLD_PATTERNS, ROPS, BETAS, OLD_SURFACES, SOURCES}},
    {{0x5f, 0x61}, 0x184, 0x2fc, {CHROMAS, CLIPS, PATTERNS, ROPS, BETAS, BETA4S, SURFACES}},
    {{0x21}, 0x184, 0x2fc, {CHROMAS, CLIPS, OLD_PATTERNS, ROPS, BETAS, OLD_SURFACES}},
    {{0x60}, 0x188, 0x3e4, {CHROMAS, CLIPS, PATTERNS, ROPS, BETAS, BETA4S, ANY_SURFACES}},
    {{0x36}, 0x184, 0x2fc, {CHROMAS, OLD_PATTERNS, ROPS, BETAS, OLD_SURFACES}},
    {{0x76}, 0x184, 0x2fc, {CHROMAS, PATTERNS, ROPS, BETAS, BETA4S, SURFACES}},
    {{0x37}, 0x188, 0x304, {OLD_PATTERNS, ROPS, BETAS, OLD_SURFACES}},
    {{0x77}, 0x188, 0x304, {PATTERNS, ROPS, BETAS, BETA4S, ANY_SURFACES}},
    {{0x4a}, 0x188, 0x2fc, {PATTERNS, ROPS, BETAS, BETA4S, SURFACES}},
    {{0x4b}, 0x184, 0x2fc, {OLD_PATTERNS, ROPS, BETAS, OLD_SURFACES}},
    {{0x48}, 0x188, 0, {CLIPS, COLORS, ZETAS}},
    {{0x53}, 0x2f8, 0, {KNOWN, KNOWN}},
};

static const struct nv4_binds *binds_of(uint32_t object_class) {
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        for (unsigned n = 0; n < sizeof classes[i].classes && classes[i].classes[n]; n++)
            if (classes[i].classes[n] == object_class)
                return &classes[i];
    return NULL;
}

static enum nv4_bind meaning(uint32_t object_class, uint32_t method) {
    const struct nv4_binds *binds = binds_of(object_class);
    if (!binds)
        return NOTHING;
    if (method == binds->operation)
        return SET_OPERATION;
    uint32_t index = (method - binds->first) / 4;
    return method >= binds->first && index < MAX_BINDS ? (enum nv4_bind)binds->binds[index] : NOTHING;
}

/* What operations need besides surfaces: one of these bits. */
static const uint32_t needed[] = {0, PATTERN | ROP, BETA, 0, BETA4, BETA4, 0, 0};

static bool nv4_binds_is_complete(uint32_t word0, uint32_t word3) {
    bool has_source = CLASS(word0) == 0x1f || CLASS(word0) == 0x48;
    uint32_t objects = needed[OPERATION(word0)];
    return (word3 & DESTINATION) && (!has_source || (word3 & SOURCE)) && (!objects || (word3 & objects) == objects);
}

static void update(struct pfifo_device *device, uint64_t at, uint32_t word0, uint32_t word3) {
    inst_wr32(device, at, nv4_binds_is_complete(word0, word3) ? word0 | VALID : word0 & ~VALID);
    inst_wr32(device, at + 12, word3);
}

/* Classes of NV1 have three operations. */
static bool set_operation(struct pfifo_device *device, uint64_t at, uint32_t word0, uint32_t data) {
    if (data > (CLASS(word0) < 0x40 ? 2u : 5u))
        return false;
    update(device, at, (word0 & ~OPERATION_BITS) | data << 15, inst_rd32(device, at + 12));
    return true;
}

static bool nv4_binds_bind(struct pfifo_device *device, uint64_t at, uint32_t word0, enum nv4_bind what,
                           uint32_t instance) {
    uint32_t object_class = CLASS(inst_rd32(device, (uint64_t)(instance & 0xffff) << 4)),
             word3 = inst_rd32(device, at + 12);
    for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
        const struct nv4_bound *thing = &things[i];
        if (thing->what != what || (object_class != thing->object_class && object_class != NULL_OBJECT))
            continue;
        bool set = object_class != NULL_OBJECT;
        update(device, at, (word0 & ~thing->word0_mask) | (set ? thing->word0 : 0),
               (word3 & ~thing->word3) | (set ? thing->word3 : 0));
        return true;
    }
    return false;
}

bool device_bind_nv4(struct pfifo_device *device, const struct pfifo_device_fault *trapped) {
    uint64_t at = (uint64_t)(device_rd32(device, NV_PGRAPH_CTX_SWITCH4_NV4) & 0xffff) << 4;
    uint32_t word0 = inst_rd32(device, at);
    enum nv4_bind what = meaning(CLASS(word0), trapped->method);
    if (what == SET_OPERATION)
        return set_operation(device, at, word0, trapped->data);
    return what == KNOWN || (what != NOTHING && nv4_binds_bind(device, at, word0, what, trapped->data));
}
