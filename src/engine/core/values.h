/* SPDX-License-Identifier: MIT */
/*
 * Values that methods of NV1 and NV3 refuse: INVALID_VALUE.
 *
 *   row {"NV3:NV4", {0x37}, 0x404, .keeps = 0xffff, .zero = ~0x1fff}: on these chips, of this class, the method wants
 *   0 in these bits; of a value that is refused it keeps those
 *
 * Only these methods check their value, beside NOTIFY (engine/sync/notify.c) and M2MF's (engine/copy/m2mf_nv4.c). A
 * value that is refused is taken nevertheless, as far as the method has bits for it. NV3 checks nothing while
 * DATA_CHECK of DEBUG_3 is off (unit/graph/graph.c).
 *
 * Sources: envytools hwtest/pgraph_class_ctx.cc, pgraph_class_tex.cc, pgraph_class_ifm.cc, pgraph_class_sifm.cc,
 * pgraph_class_d3d0.cc, pgraph_class_surf.cc, pgraph_mthd.cc.
 */
#ifndef PFIFO_SRC_ENGINE_CORE_VALUES_H
#define PFIFO_SRC_ENGINE_CORE_VALUES_H

#include "engine/core/action.h"

#define VALUE_FIELDS  6
#define VALUE_CLASSES 4

struct value_rule {
    const char *chips;
    uint16_t classes[VALUE_CLASSES]; /* 0: no more */
    uint16_t method;
    uint32_t keeps; /* bits */
    uint32_t zero;  /* bits that must be 0 */
    struct value_field {
        uint8_t shift, bits; /* 0 bits: no more */
        uint16_t least, most;
    } field[VALUE_FIELDS];
    uint32_t only[4]; /* if there are any: one of these values */
    bool not_yuv420;  /* NV3: not checked while the colour format is YUV420 */
};

/* The rule for a method; NULL: it takes every value. */
const struct value_rule *value_rule_of(const struct pfifo_chip *chip, uint32_t object_class, uint32_t method);

bool value_fits(const struct value_rule *rule, uint32_t value);

/* Add the checks of a class to an index. */
void values_add(struct action_index *index, const struct pfifo_chip *chip);

#endif
