/* SPDX-License-Identifier: MIT */
/*
 * The same for the PBDMA kind: one channel of Fermi or Kepler, and the reference in tests/reference/pbdma.h.
 *
 *   VRAM  0x0a000 semaphores  0x0b000 busy words  0x10000 pushbuffer  0x30000 ring   virtual addresses up to 0x80000
 *         0x80000 instance    0x82000 USERD       0x83000 runlist     0x84000 page directory  0x90000 page table
 *
 * Compared after each run: memory (so RAMFC and USERD, if the channel left), the words of the PBDMA (if it did not),
 * INTR_0, PFIFO's interrupt, events, what the engines got, the stop.
 */
#include "differential/pbdma.h"
#include "promised_run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "bus/bus.h"
#include "differential/restore.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "memory/memory.h"
#include "reference/pbdma.h"
#include "same_memory.h"
#include "kept.h"

#define VRAM_BYTES   0x100000u
#define MAPPED       0x80000u
#define SEMAPHORES   0x0a000u
#define BUSY_WORD    0x0b000u
#define PUSHBUFFER   0x10000u
#define PUSH_BYTES   0x18000u
#define RING         0x30000u
#define INSTANCE     0x80000u
#define USERD        0x82000u
#define RUNLIST      0x83000u
#define DIRECTORY    0x84000u
#define TABLE        0x90000u
#define PAGE         0x40000u /* of PBDMA 0 in BAR0 */
#define CHANNEL      5u
#define LOG          0x4000
#define RAMFC_WORDS  64
#define METHOD_WRITE 0x304u /* the engine writes the data to the word at SEMAPHORES that its high half names */
#define METHOD_WAIT  0x310u /* the engine takes it when the first semaphore is not 0 */
#define METHOD_BUSY  0x314u
#define METHOD_ONE   0x318u /* the engine returns after it */

struct pbdma_call {
    uint32_t engine, subchannel, method, data;
};

struct pbdma_log {
    struct pbdma_call call[LOG];
    size_t calls;
    struct reference_event event[LOG];
    size_t events;
};

struct pbdma_engine {
    struct pbdma_pair *pair;
    unsigned id;
};

struct pbdma_pair {
    const struct pfifo_chip *chip;
    struct choice *choice;
    bool gf100, a16f, observed;
    struct event_hub events;
    struct memory memory;
    struct bus bus;
    struct fifo *fifo;
    struct pbdma_engine engine[CHIP_MAX_ENGINES];
    struct pbdma_log machine_log, reference_log;
    uint8_t *vram;
    struct pbdma_reference reference;
    uint32_t cursor, segment_begin, segment_left, ring_order, gp_put;
    char report[512];
};

/* ---- engines ---- */

static void record(struct pbdma_log *log, uint32_t engine, uint32_t subchannel, uint32_t method, uint32_t data) {
    if (log->calls < LOG)
        log->call[log->calls++] = (struct pbdma_call){engine, subchannel, method, data};
}

static bool has_effects(uint32_t method) {
    return method == METHOD_WRITE || method == METHOD_WAIT || method == METHOD_BUSY;
}

static uint32_t written(uint32_t data) {
    return SEMAPHORES + (data >> 16 & 15) * 4;
}

static uint32_t machine_peek(struct pbdma_pair *p, uint32_t address) {
    return memory_physical_rd32(&p->memory, MEMORY_VRAM, address);
}

static bool machine_effect(struct pbdma_engine *e, uint32_t method, uint32_t data) {
    struct pbdma_pair *p = e->pair;
    if (method == METHOD_WRITE)
        memory_physical_wr32(&p->memory, MEMORY_VRAM, written(data), data & 3);
    else if (method == METHOD_BUSY)
        memory_physical_wr32(&p->memory, MEMORY_VRAM, BUSY_WORD + 4 * e->id, data & 1);
    else
        return machine_peek(p, SEMAPHORES) != 0;
    return true;
}

static uint32_t machine_methods(void *engine, const struct pfifo_methods *run) {
    struct pbdma_engine *e = engine;
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t method = run->method + i * run->step;
        if (has_effects(method) && i != 0)
            return i;
        if (has_effects(method) && !machine_effect(e, method, run->data[i]))
            return 0;
        record(&e->pair->machine_log, e->id, run->subchannel, method, run->data[i]);
        if (has_effects(method) || method == METHOD_ONE)
            return i + 1;
    }
    return run->count;
}

static bool machine_bind(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                         uint32_t object_class, uint32_t object) {
    struct pbdma_engine *e = engine;
    (void)channel, (void)object;
    record(&e->pair->machine_log, e->id, subchannel, 0, object_class);
    return true;
}

static bool machine_busy(void *engine, const struct pfifo_channel_context *channel) {
    struct pbdma_engine *e = engine;
    (void)channel;
    return machine_peek(e->pair, BUSY_WORD + 4 * e->id) != 0;
}

static const struct pfifo_engine_ops machine_ops = {
    .name = "recorder", .bind = machine_bind, .methods = machine_methods, .busy = machine_busy};

static bool reference_method(void *opaque, unsigned engine, unsigned subchannel, uint32_t method, uint32_t data) {
    struct pbdma_pair *p = opaque;
    if (method == METHOD_WRITE)
        store_le32(p->vram + written(data), data & 3);
    else if (method == METHOD_BUSY)
        store_le32(p->vram + BUSY_WORD + 4 * engine, data & 1);
    else if (method == METHOD_WAIT && load_le32(p->vram + SEMAPHORES) == 0)
        return false;
    record(&p->reference_log, engine, subchannel, method, data);
    return true;
}

static void reference_bind(void *opaque, unsigned engine, unsigned subchannel, uint32_t object_class, uint32_t object) {
    struct pbdma_pair *p = opaque;
    (void)object;
    record(&p->reference_log, engine, subchannel, 0, object_class);
}

static bool reference_busy(void *opaque, unsigned engine) {
    return load_le32(((struct pbdma_pair *)opaque)->vram + BUSY_WORD + 4 * engine) != 0;
}

static void keep_event(struct pbdma_log *log, const struct reference_event *event) {
    if (log->events < LOG)
        log->event[log->events++] = *event;
}

static void on_reference_event(void *opaque, const struct reference_event *event) {
    keep_event(&((struct pbdma_pair *)opaque)->reference_log, event);
}

/* Interrupts of PFIFO itself have no channel: they are not the PBDMA's. */
static void on_machine_event(void *opaque, const struct pfifo_event *event) {
    struct pbdma_pair *p = opaque;
    struct reference_event kept = {.name = pfifo_event_info(event->id)->name,
                                   .text = event->detail ? event->detail : event->text};
    memcpy(kept.value, event->value, sizeof kept.value);
    if (event->channel == CHANNEL)
        keep_event(&p->machine_log, &kept);
}

/* ---- making ---- */

static void poke(struct pbdma_pair *p, uint32_t address, uint32_t value) {
    if (address > VRAM_BYTES - 4)
        return;
    store_le32(p->vram + address, value);
    memory_physical_wr32(&p->memory, MEMORY_VRAM, address, value);
}

static bool make(struct pbdma_pair *p) {
    struct memory_config memory = {
        .chip = p->chip, .vram_bytes = VRAM_BYTES, .system_bytes = 0x1000, .events = &p->events};
    struct bus_clock clock = {NULL, NULL};
    static struct kept kept;
    p->vram = kept_zeroed(&kept, VRAM_BYTES);
    if (!p->vram || memory_init(&p->memory, &memory, NULL) != PFIFO_OK ||
        bus_init(&p->bus, p->chip, &p->memory, &p->events, &clock, NULL) != PFIFO_OK ||
        fifo_new(&p->fifo, p->chip, &p->memory, &p->bus, &p->events, NULL) != PFIFO_OK)
        return false;
    struct pbdma_reference_config config = {.vram = p->vram,
                                            .vram_bytes = VRAM_BYTES,
                                            .mapped = MAPPED,
                                            .instance = INSTANCE,
                                            .gf100 = p->gf100,
                                            .a16f = p->a16f};
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
        if (p->chip->engines[id] == CHIP_UNIT_NONE)
            continue;
        p->engine[id] = (struct pbdma_engine){p, id};
        p->fifo->engines[id].ops = &machine_ops;
        p->fifo->engines[id].engine = &p->engine[id];
        config.engines |= 1u << id;
        if (p->chip->engines[id] == CHIP_UNIT_PCOPY2) /* the one that graphics channels share */
            config.copy = id;
    }
    config.calls = (struct reference_config){.bind = reference_bind,
                                             .method = reference_method,
                                             .busy = reference_busy,
                                             .event = on_reference_event,
                                             .opaque = p};
    pbdma_reference_init(&p->reference, &config);
    return !p->observed ||
           event_observe(&p->events, "pusher.*,puller.*,fifo.interrupt", on_machine_event, p, NULL) == PFIFO_OK;
}

static void make_tables(struct pbdma_pair *p) {
    poke(p, DIRECTORY, TABLE >> 8 | 1);
    for (uint32_t page = 0; page < MAPPED >> 17; page++)
        poke(p, TABLE + 8 * page, page << 17 >> 8 | 1);
}

static void make_channel(struct pbdma_pair *p) {
    struct choice *c = p->choice;
    static const uint32_t types[] = {0x100, 0x100, 0x100, 0x200, 0};
    uint32_t subdevice = choice_once_in(c, 4) ? choice_word(c) & 0x3fff0fff : 0x30000001;
    p->ring_order = choice_between(c, 2, 7);
    uint32_t start = choice_below(c, 1u << p->ring_order);
    const uint32_t words[][2] = {
        {0x08, USERD},
        {0x10, 0xface},
        {0x14, start},
        {0x50, start},
        {0x30, choice_once_in(c, 2) ? 0xfffff902 : 0x80000000 | choice_below(c, 8) << 15},
        {0x3c, SEMAPHORES + 4 * choice_below(c, 16)},
        {0x48, RING},
        {0x4c, p->ring_order << 16},
        {0x54, 2},
        {0x84, 0x20400000},
        {0x94, subdevice},
        {0x9c, types[choice_below(c, 5)]},
        {0xa4, choice_once_in(c, 3) ? 0x1f1f1f1f : 0x00000000},
        {0xa8, choice_once_in(c, 3) ? 0x1f1f1f1f : 0x04000400},
        {0xac, choice_once_in(c, 2) ? 0x1f : 0},
        {0xf8, 0x10003080},
        {0x200, DIRECTORY},
        {0x208, 0xffffffff},
        {0x20c, 0xff},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        poke(p, INSTANCE + words[i][0], words[i][1]);
    p->gp_put = start;
    poke(p, USERD + 0x8c, start);
}

static void write_register(struct pbdma_pair *p, uint32_t offset, uint32_t value) {
    bus_wr32(&p->bus, offset, value);
}

/* What a driver does before the first channel, and to start it. */
static void start(struct pbdma_pair *p) {
    uint32_t stall = choice_once_in(p->choice, 3) ? ~(1u << choice_between(p->choice, 15, 26)) : 0xffffffff;
    write_register(p, 0x204, 0xffffffff);
    if (p->gf100) {
        write_register(p, 0x2204, 1); /* one PSUBFIFO */
        write_register(p, 0x2628, 1);
        write_register(p, 0x2200, 1);
    }
    p->reference.stall = stall;
    write_register(p, PAGE + 0x13c, stall);
    write_register(p, PAGE + 0x10c, 0xffffffff);
    write_register(p, 0x2140, 0xffffffff);
    uint32_t table = (p->gf100 ? 0x3000 : 0x800000) + 8 * CHANNEL;
    write_register(p, table, (p->gf100 ? 0xc0000000 : 0x80000000) | INSTANCE >> 12);
    write_register(p, table + 4, p->gf100 ? 0x001f0001 : 0x400);
    poke(p, RUNLIST, CHANNEL);
    poke(p, RUNLIST + 4, p->gf100 ? 4 : 0);
    write_register(p, 0x2270, RUNLIST >> 12);
    write_register(p, 0x2274, p->gf100 ? 0x01f00001 : 1);
    p->machine_log.events = 0;
}

/* ---- streams ---- */

static void push_entry(struct pbdma_pair *p, uint32_t low, uint32_t high) {
    uint32_t entries = 1u << p->ring_order, next = (p->gp_put + 1) % entries;
    uint32_t get = p->reference.loaded ? p->reference.word[0x14 / 4] : load_le32(p->vram + INSTANCE + 0x14);
    if (next == get)
        return;
    poke(p, RING + 8 * p->gp_put, low);
    poke(p, RING + 8 * p->gp_put + 4, high);
    p->gp_put = next;
}

static void control_entry(struct pbdma_pair *p) {
    struct choice *c = p->choice;
    uint32_t opcode = choice_once_in(c, 6) ? choice_below(c, 0x100) : 0;
    if (opcode != 3) /* PB_CRC */
        push_entry(p, choice_once_in(c, 2) ? 0 : choice_word(c), opcode);
}

static void close_segment(struct pbdma_pair *p) {
    struct choice *c = p->choice;
    uint32_t words = (p->cursor - p->segment_begin) / 4, address = p->segment_begin;
    uint32_t flags = (uint32_t)choice_once_in(c, 5) << 8 | (uint32_t)choice_once_in(c, 5) << 9 |
                     (uint32_t)choice_once_in(c, 8) << 31;
    if (choice_once_in(c, 150))
        address ^= 1u << choice_between(c, 19, 31);
    if (words)
        push_entry(p, address | choice_once_in(c, 24), words << 10 | flags);
    if (choice_once_in(c, 12))
        control_entry(p);
    p->segment_begin = p->cursor;
    p->segment_left = choice_once_in(c, 4) ? choice_between(c, 1, 3) : choice_between(c, 1, 300);
}

static void emit(struct pbdma_pair *p, uint32_t word) {
    if (choice_once_in(p->choice, 300))
        word ^= 1u << choice_below(p->choice, 32);
    poke(p, p->cursor, word);
    p->cursor += 4;
    if (--p->segment_left == 0)
        close_segment(p);
    if (p->cursor >= PUSHBUFFER + PUSH_BYTES - 64) {
        close_segment(p);
        p->cursor = p->segment_begin = PUSHBUFFER;
    }
}

static uint32_t object(struct pbdma_pair *p) {
    static const uint8_t engines[] = {0, 0, 0, 4, 4, 0, 0x1f, 9};
    return (0x9097 + choice_below(p->choice, 4)) | (uint32_t)engines[choice_below(p->choice, sizeof engines)] << 16;
}

static uint32_t semaphore_data(struct choice *c) {
    static const uint32_t usual[] = {2, 2, 1u << 24 | 2, 1u << 20 | 2, 4, 4, 8, 1};
    if (choice_once_in(c, 4))
        return (choice_word(c) & 0xf9100000) | (choice_once_in(c, 2) ? choice_word(c) & 0x40000000 : 0) | 0x10;
    return choice_once_in(c, 24) ? choice_word(c) & 0x0110001f : usual[choice_below(c, 8)];
}

static uint32_t data_of(struct pbdma_pair *p, uint32_t method) {
    struct choice *c = p->choice;
    switch (method) {
    case 0x00:
        return object(p);
    case 0x10:
        return choice_once_in(c, 64) ? choice_word(c) : 0;
    case 0x14:
    case 0x64:
        return choice_once_in(c, 64) ? choice_word(c) : SEMAPHORES + 4 * choice_below(c, 16);
    case 0x18:
    case 0x68:
    case 0x6c:
        return choice_below(c, 4);
    case 0x1c:
        return semaphore_data(c);
    case 0x2c:
        return choice_once_in(c, 4) ? choice_word(c) : 0x28000000;
    case 0x7c:
        return choice_once_in(c, 3) ? 0 : p->reference.word[0xb0 / 4];
    case 0x80:
        return choice_once_in(c, 6) ? choice_below(c, 4) : 0;
    default:
        return choice_once_in(c, 4) ? choice_below(c, 0x100) : choice_word(c);
    }
}

static void packet(struct pbdma_pair *p, uint32_t form, uint32_t subchannel, uint32_t method, uint32_t count) {
    emit(p, form << 29 | count << 16 | subchannel << 13 | method >> 2);
    for (uint32_t i = 0; i < count; i++)
        emit(p, data_of(p, form == 1 ? method + 4 * i : method + (form == 5 && i ? 4 : 0)));
}

static uint32_t any_subchannel(struct pbdma_pair *p) {
    return choice_once_in(p->choice, 24) ? choice_below(p->choice, 8) : choice_below(p->choice, 5);
}

static uint32_t any_form(struct choice *c) {
    static const uint8_t forms[] = {1, 1, 1, 3, 5};
    return forms[choice_below(c, sizeof forms)];
}

static void plain(struct pbdma_pair *p) {
    struct choice *c = p->choice;
    uint32_t count = choice_once_in(c, 12) ? choice_below(c, 500) : choice_below(c, 12);
    packet(p, any_form(c), any_subchannel(p), 0x400 + 4 * choice_below(c, 0xd00), count);
}

static void immediate(struct pbdma_pair *p) {
    struct choice *c = p->choice;
    uint32_t method = choice_once_in(c, 8) ? 4 * choice_below(c, 0x40) : 0x400 + 4 * choice_below(c, 0x200);
    emit(p, 4u << 29 | choice_below(c, 0x2000) << 16 | any_subchannel(p) << 13 | method >> 2);
}

static void host(struct pbdma_pair *p) {
    static const uint8_t methods[] = {0x08, 0x20, 0x24, 0x28, 0x2c, 0x50, 0x50, 0x64,
                                      0x6c, 0x70, 0x74, 0x78, 0x7c, 0x80, 0x14};
    struct choice *c = p->choice;
    uint32_t method = choice_once_in(c, 12) ? 4 * choice_below(c, 64) : methods[choice_below(c, sizeof methods)];
    packet(p, 1, any_subchannel(p), method, 1);
}

static void engine_effects(struct pbdma_pair *p) {
    static const uint16_t methods[] = {METHOD_WRITE, METHOD_WRITE, METHOD_WRITE, METHOD_ONE, METHOD_BUSY, METHOD_WAIT};
    struct choice *c = p->choice;
    packet(p, 3, any_subchannel(p), methods[choice_below(c, 6)], choice_between(c, 1, 3));
}

static void masks(struct pbdma_pair *p) {
    struct choice *c = p->choice;
    emit(p, choice_between(c, 1, 3) << 16 | (choice_once_in(c, 3) ? choice_below(c, 0x1000) : 1) << 4);
    if (choice_once_in(c, 2))
        plain(p);
    emit(p, 0x00010ff0);
}

static void rare(struct pbdma_pair *p) {
    struct choice *c = p->choice;
    switch (choice_below(c, 6)) {
    case 0:
        emit(p, 0xe0000000);
        return;
    case 1:
        packet(p, any_form(c), any_subchannel(p), 0x3ffc - 4 * choice_below(c, 3), choice_below(c, 5));
        return;
    case 2:
        emit(p, choice_below(c, 2) << 30 | choice_below(c, 8) << 18 | choice_below(c, 8) << 13 | 0x400);
        return;
    case 3:
        emit(p, choice_word(c));
        return;
    default:
        emit(p, 0);
    }
}

static void piece(struct pbdma_pair *p) {
    struct choice *c = p->choice;
    uint32_t kind = choice_below(c, 24);
    if (kind == 0)
        packet(p, 1, any_subchannel(p), 0x10, 4);
    else if (kind == 1)
        packet(p, 1, any_subchannel(p), 0, 1);
    else if (kind <= 3)
        host(p);
    else if (kind <= 5)
        engine_effects(p);
    else if (kind <= 8)
        immediate(p);
    else if (kind == 9)
        masks(p);
    else if (kind == 10)
        rare(p);
    else
        plain(p);
}

static void submit(struct pbdma_pair *p) {
    for (uint32_t n = choice_between(p->choice, 1, 16); n > 0; n--)
        piece(p);
    close_segment(p);
    poke(p, USERD + 0x8c, p->gp_put);
}

/* ---- the driver ---- */

static void write_word(struct pbdma_pair *p, uint32_t offset, uint32_t value) {
    p->reference.word[offset / 4] = value;
    write_register(p, PAGE + offset, value);
}

/* As nouveau: what is in METHOD0 becomes a no-op, and the interrupt is cleared. */
static void recover(struct pbdma_pair *p) {
    struct choice *c = p->choice;
    uint32_t intr = p->reference.intr;
    if (!intr || !p->reference.loaded)
        return;
    if ((p->reference.word[0xc0 / 4] >> 31) && !choice_once_in(c, 6))
        write_word(p, 0xc0, 0x80600008);
    if ((intr & 0x00040000) && choice_once_in(c, 2))
        write_word(p, 0x88, 0);
    p->reference.intr = 0;
    write_register(p, PAGE + 0x108, 0xffffffff);
}

static void drive(struct pbdma_pair *p, const struct reference_stop *stop) {
    struct choice *c = p->choice;
    if (!choice_once_in(c, 12))
        recover(p);
    if (stop->reason == REFERENCE_WAITING && !choice_once_in(c, 4)) {
        if (stop->address)
            poke(p, (uint32_t)stop->address, stop->expected | (stop->expected ? 0 : 1));
        if (stop->address && !choice_once_in(c, 3))
            poke(p, (uint32_t)stop->address, stop->expected);
        for (uint32_t id = 0; id < CHIP_MAX_ENGINES; id++)
            poke(p, BUSY_WORD + 4 * id, 0);
        if (!stop->address)
            poke(p, SEMAPHORES, 1);
    }
    if (stop->reason == REFERENCE_IDLE || choice_once_in(c, 6))
        submit(p);
}

/* ---- comparing ---- */

static bool __attribute__((format(printf, 2, 3))) differ(struct pbdma_pair *p, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(p->report, sizeof p->report, format, list);
    va_end(list);
    return false;
}

static bool same_event(const struct reference_event *a, const struct reference_event *b) {
    return strcmp(a->name, b->name) == 0 && memcmp(a->value, b->value, sizeof a->value) == 0 &&
           (a->text == b->text || (a->text && b->text && strcmp(a->text, b->text) == 0));
}

static bool compare_events(struct pbdma_pair *p) {
    const struct pbdma_log *m = &p->machine_log, *r = &p->reference_log;
    static const struct reference_event none = {.name = "nothing"};
    size_t i = 0;
    if (!p->observed)
        return true;
    while (i < m->events && i < r->events && same_event(&m->event[i], &r->event[i]))
        i++;
    if (i == m->events && i == r->events)
        return true;
    const struct reference_event *a = i < m->events ? &m->event[i] : &none, *b = i < r->events ? &r->event[i] : &none;
    return differ(p,
                  "event %zu: machine %s(%" PRIx64 ", %" PRIx64 ", %" PRIx64 ", %" PRIx64 ") %s, reference %s(%" PRIx64
                  ", %" PRIx64 ", %" PRIx64 ", %" PRIx64 ") %s",
                  i, a->name, a->value[0], a->value[1], a->value[2], a->value[3], a->text ? a->text : "", b->name,
                  b->value[0], b->value[1], b->value[2], b->value[3], b->text ? b->text : "");
}

static bool compare_calls(struct pbdma_pair *p) {
    const struct pbdma_log *m = &p->machine_log, *r = &p->reference_log;
    static const struct pbdma_call none;
    size_t i = 0;
    while (i < m->calls && i < r->calls && memcmp(&m->call[i], &r->call[i], sizeof m->call[i]) == 0)
        i++;
    if (i == m->calls && i == r->calls)
        return true;
    const struct pbdma_call *a = i < m->calls ? &m->call[i] : &none, *b = i < r->calls ? &r->call[i] : &none;
    return differ(p,
                  "engine call %zu (of %zu, %zu): machine %" PRIu32 " sub %" PRIu32 " %04" PRIx32 " = %08" PRIx32
                  ", reference %" PRIu32 " sub %" PRIu32 " %04" PRIx32 " = %08" PRIx32,
                  i, m->calls, r->calls, a->engine, a->subchannel, a->method, a->data, b->engine, b->subchannel,
                  b->method, b->data);
}

/* PB_CRC (0x98) is not modelled: after a segment it is not what the words say alone. */
static bool compare_words(struct pbdma_pair *p) {
    bool loaded = bus_rd32(&p->bus, PAGE + 0x120) != 0;
    if (loaded != p->reference.loaded)
        return differ(p, "the channel is %s in the machine", loaded ? "loaded" : "not loaded");
    for (uint32_t i = 0; loaded && i < RAMFC_WORDS; i++) {
        uint32_t found = bus_rd32(&p->bus, PAGE + 4 * i);
        if (i != 0x98 / 4 && found != p->reference.word[i])
            return differ(p, "word %02" PRIx32 ": machine %08" PRIx32 ", reference %08" PRIx32, 4 * i, found,
                          p->reference.word[i]);
    }
    uint32_t intr = bus_rd32(&p->bus, PAGE + 0x108);
    bool line = (bus_rd32(&p->bus, 0x2100) >> 29 & 1) != 0;
    if (intr != p->reference.intr || line != (p->reference.intr != 0))
        return differ(p, "INTR_0: machine %08" PRIx32 " (PFIFO: %d), reference %08" PRIx32, intr, line,
                      p->reference.intr);
    return true;
}

static bool compare_memory(struct pbdma_pair *p) {
    store_le32(p->vram + INSTANCE + 0x98, machine_peek(p, INSTANCE + 0x98));
    const struct memory_own own = memory_own(&p->memory, MEMORY_VRAM);
    uint32_t at = (uint32_t)differing_byte(&own, p->vram, 0, VRAM_BYTES);
    if (at == VRAM_BYTES)
        return true;
    at &= ~3u;
    return differ(p, "VRAM %06" PRIx32 ": machine %08" PRIx32 ", reference %08" PRIx32, at, machine_peek(p, at),
                  load_le32(p->vram + at));
}

static bool compare_stop(struct pbdma_pair *p, enum pfifo_stop machine, const struct reference_stop *r) {
    static const enum pfifo_stop reasons[] = {PFIFO_STOP_IDLE, PFIFO_STOP_BUDGET, PFIFO_STOP_WAITING,
                                              PFIFO_STOP_INTERRUPT, PFIFO_STOP_FROZEN};
    const struct pfifo_stop_info *m = &p->fifo->stop;
    if (machine != reasons[r->reason] || m->reason != machine)
        return differ(p, "stop: machine %d (info %d), reference %d", machine, m->reason, reasons[r->reason]);
    if (m->channel != r->channel || m->address != r->address || m->expected != r->expected || m->found != r->found)
        return differ(p, "stop: machine waits at %" PRIx64 " for %" PRIx32 ", reference at %" PRIx64 " for %" PRIx32,
                      m->address, m->expected, r->address, r->expected);
    return true;
}

static bool run(struct pbdma_pair *p, uint64_t budget, struct reference_stop *stop) {
    uint64_t left = budget;
    p->machine_log.calls = p->machine_log.events = p->reference_log.calls = p->reference_log.events = 0;
    enum pfifo_stop machine = promised_run(p->fifo, &left);
    *stop = pbdma_reference_run(&p->reference, budget, CHANNEL);
    return compare_events(p) && compare_calls(p) && compare_words(p) && compare_memory(p) &&
           compare_stop(p, machine, stop);
}

/* ---- a round ---- */

static uint64_t any_budget(struct choice *c) {
    return choice_once_in(c, 4) ? choice_between(c, 1, 8) : choice_between(c, 1, choice_once_in(c, 2) ? 100 : 3000);
}

static void print_events(const char *who, const struct pbdma_log *log, FILE *out) {
    for (size_t i = log->events > 10 ? log->events - 10 : 0; i < log->events; i++)
        fprintf(out, "    %-9s %zu %s %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %s\n", who, i, log->event[i].name,
                log->event[i].value[0], log->event[i].value[1], log->event[i].value[2], log->event[i].value[3],
                log->event[i].text ? log->event[i].text : "");
}

static bool play(struct pbdma_pair *p, FILE *report) {
    struct reference_stop stop;
    make_tables(p);
    make_channel(p);
    p->cursor = p->segment_begin = PUSHBUFFER + 4 * choice_below(p->choice, 64);
    p->segment_left = choice_between(p->choice, 1, 100);
    start(p);
    submit(p);
    for (uint32_t step = 0, steps = choice_between(p->choice, 2, 10); step < steps; step++) {
        uint64_t budget = any_budget(p->choice);
        if (!run(p, budget, &stop)) {
            fprintf(report, "%s (PBDMA%s%s), step %" PRIu32 ", budget %" PRIu64 ": %s\n", p->chip->name,
                    p->fifo->materialise ? ", materialised" : "", p->observed ? ", observed" : "", step, budget,
                    p->report);
            print_events("machine", &p->machine_log, report);
            print_events("reference", &p->reference_log, report);
            return false;
        }
        drive(p, &stop);
        if (!restore_machine(&p->memory, &p->bus, &p->fifo, &p->events))
            return false;
    }
    return true;
}

bool differential_pbdma_round(struct choice *choice, FILE *report) {
    static struct kept kept;
    struct pbdma_pair *p = kept_zeroed(&kept, sizeof *p);
    if (!p)
        return false;
    p->choice = choice;
    static const char *const chips[] = {"GF100", "GF119", "GK104", "GK208"};
    uint32_t n = choice_below(choice, 4);
    p->gf100 = n < 2;
    p->a16f = n == 3;
    p->chip = pfifo_chip_by_name(chips[n]);
    bool materialise = choice_once_in(choice, 3);
    p->observed = choice_once_in(choice, 2);
    bool same = make(p);
    if (same) {
        p->fifo->materialise = materialise;
        same = play(p, report);
    } else {
        fprintf(report, "%s cannot be made\n", p->chip->name);
    }
    fifo_free(p->fifo);
    bus_free(&p->bus);
    memory_free(&p->memory);
    return same;
}
