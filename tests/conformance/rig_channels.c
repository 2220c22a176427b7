/* SPDX-License-Identifier: MIT */
/* Objects and channels of the bench, and looking at what happened. */
#include "rig.h"

#define RAMHT_BITS 9 /* 4 KiB */

/* ---- objects ---- */

uint32_t rig_instance(struct rig *rig, const uint32_t *words, unsigned count) {
    uint32_t at = rig->objects;
    rig->objects += (count * 4 + 15) & ~15u;
    for (unsigned i = 0; i < count; i++)
        ramin_wr(rig, at + 4 * i, words[i]);
    return at >> 4;
}

uint32_t rig_dma_object(struct rig *rig, uint32_t target, uint32_t base, uint32_t bytes) {
    uint32_t frame = (base & ~0xfffu) | 2;
    return rig_instance(rig, (const uint32_t[]){0x303d | target << 16 | base << 20, bytes - 1, frame, frame}, 4);
}

uint32_t rig_hash(const struct rig *rig, uint32_t handle, uint32_t channel) {
    if (!rig->nv4)
        return ((handle ^ handle >> 8 ^ handle >> 16 ^ handle >> 24) & 0xff) ^ (channel & 0x7f);
    uint32_t hash = channel << (RAMHT_BITS - 4);
    for (unsigned shift = 0; shift < 32; shift += RAMHT_BITS)
        hash ^= handle >> shift;
    return hash & ((1u << RAMHT_BITS) - 1);
}

void rig_ramht_entry(struct rig *rig, uint32_t slot, uint32_t handle, uint32_t context) {
    uint32_t at = rig->ramht + 8 * (rig->nv4 ? slot % (1u << RAMHT_BITS) : 2 * slot);
    ramin_wr(rig, at, handle);
    ramin_wr(rig, at + 4, context);
}

uint32_t rig_context(const struct rig *rig, uint32_t channel, uint32_t engine, uint32_t instance) {
    if (rig->nv40)
        return channel << 23 | engine << 20 | instance;
    return 1u << 31 | channel << 24 | engine << 16 | instance;
}

void rig_handle(struct rig *rig, uint32_t channel, uint32_t handle, uint32_t engine, uint32_t instance) {
    rig_ramht_entry(rig, rig_hash(rig, handle, channel), handle, rig_context(rig, channel, engine, instance));
}

uint32_t rig_object(struct rig *rig, uint32_t channel, uint32_t handle, uint32_t engine, uint32_t object_class) {
    uint32_t instance = rig_instance(rig, (const uint32_t[]){object_class, 0, 0, 0}, 4);
    rig_handle(rig, channel, handle, engine, instance);
    return instance;
}

uint32_t rig_old_context(const struct rig *rig, uint32_t channel, uint32_t type, uint32_t low) {
    return type << 16 | low | (rig->nv3 ? 1u << 23 | channel << 24 : 0);
}

uint32_t rig_old_object(struct rig *rig, uint32_t channel, uint32_t handle, uint32_t type, uint32_t low) {
    uint32_t context = rig_old_context(rig, channel, type, low);
    rig_ramht_entry(rig, rig_hash(rig, handle, channel), handle, context);
    return context & (rig->nv1 ? 0x017fffff : 0x00ffffff);
}

/* ---- channels ---- */

static void open_ramfc(struct rig *rig, uint32_t channel) {
    uint32_t object = rig->push_object[channel];
    for (uint32_t offset = 0; offset < rig->ramfc_stride; offset += 4)
        ramfc_wr(rig, channel, offset, 0);
    if (on(rig, "NV4:NV10")) {
        ramfc_wr(rig, channel, 0x08, object);
        ramfc_wr(rig, channel, 0x10, 0x00086078);
    } else if (on(rig, "NV10:NV40")) {
        ramfc_wr(rig, channel, 0x0c, object);
        ramfc_wr(rig, channel, 0x14, 0x00086078);
    } else {
        ramfc_wr(rig, channel, 0x0c, object);
        ramfc_wr(rig, channel, 0x18, 0x30086078);
        ramfc_wr(rig, channel, 0x3c, 0x0001ffff);
    }
}

void rig_open(struct rig *rig, uint32_t channel) {
    assert_true(rig->nv4 && channel < RIG_CHANNELS);
    rig->push_object[channel] = rig_dma_object(rig, 2, channel << 20, 1 << 20);
    rig->pushed[channel] = 0;
    open_ramfc(rig, channel);
    wr(rig, MODE, rd(rig, MODE) | 1u << channel);
}

void rig_park(struct rig *rig, uint32_t channel) {
    wr(rig, rig->c1.push1, channel);
}

void rig_push(struct rig *rig, uint32_t channel, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++, rig->pushed[channel] += 4)
        system_wr(rig, (channel << 20) + rig->pushed[channel], words[i]);
}

void rig_submit(struct rig *rig, uint32_t channel) {
    user_wr(rig, channel, USER_PUT, rig->pushed[channel]);
}

enum pfifo_stop rig_run_for(struct rig *rig, uint64_t budget) {
    return fifo_run(rig->fifo, &budget);
}

enum pfifo_stop rig_run(struct rig *rig) {
    return rig_run_for(rig, RIG_BUDGET);
}

enum pfifo_stop rig_go(struct rig *rig) {
    rig_submit(rig, 1);
    return rig_run(rig);
}

uint32_t rig_open_bound(struct rig *rig) {
    rig_open(rig, 1);
    uint32_t instance = rig_object(rig, 1, 0xbeef0001, 1, 0x62);
    push(rig, INC(0, 0, 1), 0xbeef0001);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance});
    return instance;
}

void rig_inject(struct rig *rig, uint32_t subchannel, uint32_t method, uint32_t data) {
    const struct rig_cache *c = &rig->c1;
    uint32_t put = rd(rig, c->put), slot = put >> 2, next = put + 4;
    if (!rig->nv4) {
        uint32_t n = 0;
        while (gray_pointer(rig, n) != put)
            n++;
        next = gray_pointer(rig, n + 1);
    }
    wr(rig, c->entry + 8 * slot, METHOD(subchannel, method));
    wr(rig, c->entry + 8 * slot + 4, data);
    wr(rig, c->put, next);
}

/* ---- looking ---- */

uint32_t current_channel(struct rig *rig) {
    return rd(rig, rig->c1.push1) & (rig->nv40 ? 0x1ff : rig->nv4 ? 0x1f : 0x7f);
}

uint32_t pusher_error(struct rig *rig) {
    return rd(rig, DMA_STATE) >> (on(rig, "NV4") ? 30 : 29);
}

uint32_t cache_entries(struct rig *rig) {
    return ((rd(rig, rig->c1.put) - rd(rig, rig->c1.get)) & (rig->nv40 ? 0x7fc : 0x3fc)) / 4;
}

void rig_expect(struct rig *rig, const struct rig_method *methods, size_t count, const char *file, int line) {
    for (size_t i = 0; i < count && i < rig->logged; i++) {
        const struct rig_method *is = &rig->log[i], *wanted = &methods[i];
        if (is->subchannel == wanted->subchannel && is->method == wanted->method && is->data == wanted->data)
            continue;
        print_error("method %zu is {%u, %#x, %#x}, not {%u, %#x, %#x}\n", i, is->subchannel, is->method, is->data,
                    wanted->subchannel, wanted->method, wanted->data);
        _fail(file, line);
    }
    _assert_int_equal(rig->logged, count, file, line);
    rig->logged = 0;
}

void expect_reg_at(struct rig *rig, uint32_t offset, uint32_t value, const char *file, int line) {
    uint32_t is = rd(rig, offset);
    if (is == value)
        return;
    print_error("register %#x is %#x, not %#x\n", offset, is, value);
    _fail(file, line);
}

void expect_runout_at(struct rig *rig, uint32_t at, uint32_t word, uint32_t data, const char *file, int line) {
    uint32_t w0 = ramro_rd(rig, at), w1 = ramro_rd(rig, at + 4);
    if (w0 == word && w1 == data)
        return;
    print_error("RAMRO entry %#x is {%#x, %#x}, not {%#x, %#x}\n", at, w0, w1, word, data);
    _fail(file, line);
}
