/* SPDX-License-Identifier: MIT */
#include "bare.h"

void bare_nv4(const struct pfifo_engine_ops *ops, void *engine, const uint32_t *words, size_t count) {
    const uint32_t *at = words, *end = words + count;
    struct pfifo_methods run = {0};
    while (at < end) {
        uint32_t word = *at++;
        if (word & 0xa0030003)
            return;
        run.data = at;
        run.count = word >> 18 & 0x7ff;
        run.method = word & 0x1ffc;
        run.subchannel = word >> 13 & 7;
        run.step = word & 0x40000000 ? 0 : 4;
        ops->methods(engine, &run);
        at += run.count;
    }
}

void bare_gf100(const struct pfifo_engine_ops *ops, void *engine, const uint32_t *words, size_t count) {
    const uint32_t *at = words, *end = words + count;
    struct pfifo_methods run = {0};
    while (at < end) {
        uint32_t word = *at++, length = word >> 16 & 0x1fff, immediate = length;
        run.data = at;
        run.count = length;
        run.step = 4;
        switch (word >> 29) {
        case 1:
            break;
        case 3:
            run.step = 0;
            break;
        case 4:
            run.data = &immediate;
            run.count = 1;
            length = 0;
            break;
        default:
            return;
        }
        run.method = (uint16_t)((word & 0xfff) * 4);
        run.subchannel = word >> 13 & 7;
        ops->methods(engine, &run);
        at += length;
    }
}

void bare_gf100_b(const struct pfifo_engine_ops *ops, void *engine, const uint32_t *words, size_t count);
void bare_gf100_b(const struct pfifo_engine_ops *ops, void *engine, const uint32_t *words, size_t count) {
    const uint32_t *at = words, *end = words + count;
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
        ops->methods(engine, &run);
        at += form == 4 ? 0 : length;
    }
}
