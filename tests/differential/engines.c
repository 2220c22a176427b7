/* SPDX-License-Identifier: MIT */
/* The engine that both machines have: the same behaviour behind two interfaces. */
#include "differential/differential.h"
#include "reference/state.h"

/* What an engine may look at while it works. PUT and GET are missing: see differential.h. */
const uint32_t view_registers[VIEW_REGISTERS] = {
    0x2058, 0x3224, 0x3228, 0x322c, 0x3240, 0x3244, 0x3248, 0x324c, 0x3250, 0x3254, 0x3258, 0x326c, 0x3280,
    0x32a0, 0x32a4, 0x32a8, 0x32ac, 0x3320, 0x3328, 0x3330, 0x3334, 0x3364, 0x3368, 0x336c, 0x3404, 0x3408,
};
static void record(struct recording *log, struct engine_call call) {
    if (log->calls < DIFFERENTIAL_LOG)
        log->call[log->calls++] = call;
}

static void record_view(struct recording *log, struct engine_view *view) {
    view->call = (uint32_t)log->calls;
    if (log->views < sizeof log->view / sizeof log->view[0])
        log->view[log->views++] = *view;
}

#define SWITCHED 0xffffffffu /* in place of a method: the engine was told that it works for another channel */

static bool has_effects(uint32_t method) {
    return method == METHOD_WRITE || method == METHOD_WRITE_2 || method == METHOD_WAIT || method == METHOD_BUSY;
}

/* ---- the library's side ---- */

/* Registers that one of the two does not have read as 0. */
static void machine_look(struct differential *d, uint32_t value[VIEW_REGISTERS]) {
    uint32_t unused;
    for (size_t i = 0; i < VIEW_REGISTERS; i++)
        value[i] =
            reference_rd32(&d->reference, view_registers[i], &unused) ? pair_machine_rd32(d, view_registers[i]) : 0;
}

static struct address_space machine_space(uint32_t address) {
    return address_space_physical(address >> 31 ? MEMORY_SYSTEM : MEMORY_VRAM);
}

static void machine_write(struct differential *d, uint32_t address, uint32_t data) {
    struct address_space space = machine_space(address);
    memory_wr32(&d->memory, &space, address & 0x7fffffff, data, NULL);
}

static uint32_t machine_read(struct differential *d, uint32_t address) {
    struct address_space space = machine_space(address);
    uint32_t value = 0;
    memory_rd32(&d->memory, &space, address & 0x7fffffff, &value, NULL);
    return value;
}

static bool machine_effect(struct side_engine *e, uint32_t method, uint32_t data) {
    struct differential *d = e->d;
    switch (method) {
    case METHOD_WRITE_2:
        machine_write(d, e->address, data);
        machine_write(d, e->address + WRITE_2_BYTES, data + 1);
        return true;
    case METHOD_WRITE:
        machine_write(d, e->address, data);
        return true;
    case METHOD_BUSY:
        machine_write(d, BUSY_WORD(e->id), data & 1);
        return true;
    default:
        return machine_read(d, e->address) == data;
    }
}

static uint32_t machine_methods(void *engine, const struct pfifo_methods *run) {
    struct side_engine *e = engine;
    struct recording *log = &e->d->machine_log;
    uint32_t channel = pfifo_channel_context_id(run->channel);
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t method = run->method + i * run->step, data = run->data[i];
        if (has_effects(method)) {
            if (i != 0)
                return i;
            struct engine_view view;
            machine_look(e->d, view.value[0]);
            if (!machine_effect(e, method, data))
                return 0;
            machine_look(e->d, view.value[1]);
            record_view(log, &view);
            record(log, (struct engine_call){e->id, channel, run->subchannel, method, data});
            return 1;
        }
        if (method == METHOD_ADDRESS)
            e->address = data & SAFE_ADDRESS;
        record(log, (struct engine_call){e->id, channel, run->subchannel, method, data});
        if (method == METHOD_TAKE_ONE)
            return i + 1;
    }
    return run->count;
}

static bool machine_bind(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                         uint32_t object_class, uint32_t object) {
    struct side_engine *e = engine;
    uint32_t id = pfifo_channel_context_id(channel);
    record(&e->d->machine_log, (struct engine_call){e->id, id, subchannel, object_class << 16, object});
    return true;
}

static bool machine_busy(void *engine, const struct pfifo_channel_context *channel) {
    struct side_engine *e = engine;
    (void)channel;
    return machine_read(e->d, BUSY_WORD(e->id)) != 0;
}

/* Before G80 it is PGRAPH that finds out about channels; engines of a bench are told, but when depends on the model. */
static void machine_switch(void *engine, const struct pfifo_channel_context *channel) {
    struct side_engine *e = engine;
    if (since(&e->d->reference, G80))
        record(&e->d->machine_log, (struct engine_call){e->id, pfifo_channel_context_id(channel), 0, SWITCHED, 0});
}

const struct pfifo_engine_ops machine_engine_ops = {
    .name = "recorder",
    .switch_channel = machine_switch,
    .bind = machine_bind,
    .methods = machine_methods,
    .busy = machine_busy,
};

/* ---- the reference's side ---- */

static void reference_look(struct differential *d, uint32_t value[VIEW_REGISTERS]) {
    for (size_t i = 0; i < VIEW_REGISTERS; i++)
        if (!reference_rd32(&d->reference, view_registers[i], &value[i]))
            value[i] = 0;
}

static enum reference_target target_of(uint32_t address) {
    return address >> 31 ? REFERENCE_SYSTEM : REFERENCE_VRAM;
}

static void write_word(struct differential *d, uint32_t address, uint32_t data) {
    const uint8_t bytes[4] = {(uint8_t)data, (uint8_t)(data >> 8), (uint8_t)(data >> 16), (uint8_t)(data >> 24)};
    reference_memory_write(&d->reference, target_of(address), address & 0x7fffffff, bytes, sizeof bytes);
}

bool reference_engine_method(void *opaque, unsigned engine, unsigned subchannel, uint32_t method, uint32_t data) {
    struct differential *d = opaque;
    struct side_engine *e = &d->reference_engine[engine];
    struct engine_view view;
    if (has_effects(method))
        reference_look(d, view.value[0]);
    switch (method) {
    case METHOD_ADDRESS:
        e->address = data & SAFE_ADDRESS;
        break;
    case METHOD_WRITE:
        write_word(d, e->address, data);
        break;
    case METHOD_WRITE_2:
        write_word(d, e->address, data);
        write_word(d, e->address + WRITE_2_BYTES, data + 1);
        break;
    case METHOD_BUSY:
        write_word(d, BUSY_WORD(engine), data & 1);
        break;
    case METHOD_WAIT:
        if (reference_memory_rd32(&d->reference, target_of(e->address), e->address & 0x7fffffff) != data)
            return false;
        break;
    }
    if (has_effects(method)) {
        reference_look(d, view.value[1]);
        record_view(&d->reference_log, &view);
    }
    record(&d->reference_log, (struct engine_call){engine, d->reference.serving, subchannel, method, data});
    return true;
}

void reference_engine_bind(void *opaque, unsigned engine, unsigned subchannel, uint32_t object_class, uint32_t object) {
    struct differential *d = opaque;
    record(&d->reference_log,
           (struct engine_call){engine, d->reference.serving, subchannel, object_class << 16, object});
}

void reference_engine_switch(void *opaque, unsigned engine) {
    struct differential *d = opaque;
    record(&d->reference_log, (struct engine_call){engine, d->reference.serving, 0, SWITCHED, 0});
}

bool reference_engine_busy(void *opaque, unsigned engine) {
    struct differential *d = opaque;
    return reference_memory_rd32(&d->reference, REFERENCE_VRAM, BUSY_WORD(engine)) != 0;
}
