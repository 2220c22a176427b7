/* SPDX-License-Identifier: MIT */
#include "bare.h"

typedef uint32_t call(void *engine, const struct pfifo_methods *run);

void bare_nv4(const struct pfifo_engine_ops *ops, void *engine, const uint32_t *words, size_t count) {
    const uint32_t *at = words, *end = words + count;
    call *methods = ops->methods;
    struct pfifo_methods run = {0};
    while (at < end) {
        uint32_t word = *at++, length = word >> 18 & 0x7ff;
        if (word & 0xa0030003)
            return;
        run.data = at;
        run.count = length;
        run.method = word & 0x1ffc;
        run.subchannel = word >> 13 & 7;
        run.step = word & 0x40000000 ? 0 : 4;
        methods(engine, &run);
        at += length;
    }
}

void bare_gf100(const struct pfifo_engine_ops *ops, void *engine, const uint32_t *words, size_t count) {
    const uint32_t *at = words, *end = words + count;
    call *methods = ops->methods;
    struct pfifo_methods run = {0};
    while (at < end) {
        uint32_t word = *at++, length = word >> 16 & 0x1fff, immediate = length, form = word >> 29;
        if (!(1u << form & 0x1a))
            return;
        run.data = form == 4 ? &immediate : at;
        run.count = form == 4 ? 1 : length;
        run.step = form == 1 ? 4 : 0;
        run.method = (uint16_t)((word & 0xfff) * 4);
        run.subchannel = word >> 13 & 7;
        methods(engine, &run);
        at += form == 4 ? 0 : length;
    }
}
