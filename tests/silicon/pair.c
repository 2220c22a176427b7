/* SPDX-License-Identifier: MIT */
/* The library's machine and the reference as one: make, write, run, compare, print. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "silicon/silicon.h"
#include "promised_run.h"
#include "same_memory.h"
#include "kept.h"

#define PMC_INTR 0x000100
#define DEVICE   0x2800
/* What PFIFO writes in VRAM: the passwords from here on, and tables, the last of it. */
#define PASSWORDS       0x18000
#define PASSWORDS_BYTES 0x1000
#define TABLES          0x18000

/* ---- engines ---- */

static void record(struct silicon_log *log, struct silicon_call call) {
    if (log->calls < SILICON_CALLS)
        log->call[log->calls++] = call;
}

static bool machine_bind(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                         uint32_t object_class, uint32_t object) {
    struct silicon *s = engine;
    record(&s->machine_log,
           (struct silicon_call){pfifo_channel_context_id(channel), subchannel, true, object_class, object});
    return true;
}

static uint32_t machine_methods(void *engine, const struct pfifo_methods *run) {
    struct silicon *s = engine;
    if (s->refuses)
        return 0;
    for (uint32_t i = 0; i < run->count; i++)
        record(&s->machine_log, (struct silicon_call){pfifo_channel_context_id(run->channel), run->subchannel, false,
                                                      run->method + i * run->step, run->data[i]});
    return run->count;
}

static const struct pfifo_engine_ops machine_engine = {
    .name = "recorder",
    .bind = machine_bind,
    .methods = machine_methods,
};

static void reference_bind(void *opaque, uint32_t channel, unsigned subchannel, uint32_t object_class,
                           uint32_t instance) {
    struct silicon *s = opaque;
    record(&s->reference_log, (struct silicon_call){channel, subchannel, true, object_class, instance});
}

static bool reference_method(void *opaque, uint32_t channel, unsigned subchannel, uint32_t method, uint32_t data) {
    struct silicon *s = opaque;
    if (!s->refuses)
        record(&s->reference_log, (struct silicon_call){channel, subchannel, false, method, data});
    return !s->refuses;
}

/* ---- making ---- */

static bool make_machine(struct silicon *s, const struct pfifo_chip *chip) {
    struct memory_config memory = {
        .chip = chip, .vram_bytes = chip->vram_bytes, .system_bytes = SILICON_SYSTEM, .events = &s->events};
    struct bus_clock clock = {NULL, NULL};
    if (memory_init(&s->memory, &memory, NULL) != PFIFO_OK ||
        bus_init(&s->bus, chip, &s->memory, &s->events, &clock, NULL) != PFIFO_OK ||
        fifo_new(&s->fifo, chip, &s->memory, &s->bus, &s->events, NULL) != PFIFO_OK)
        return false;
    s->fifo->engines[1].ops = &machine_engine;
    s->fifo->engines[1].engine = s;
    return true;
}

bool silicon_make(struct silicon *s, const char *chip) {
    static struct kept vram, system;
    s->vram_bytes = (uint32_t)pfifo_chip_by_name(chip)->vram_bytes;
    struct nv1ref_config config = {
        .chip = chip,
        .vram = s->vram = kept_zeroed(&vram, s->vram_bytes),
        .system = s->system = kept_zeroed(&system, SILICON_SYSTEM),
        .vram_bytes = s->vram_bytes,
        .system_bytes = SILICON_SYSTEM,
        .bind = reference_bind,
        .method = reference_method,
        .opaque = s,
    };
    s->chip = chip;
    s->nv3 = strcmp(chip, "NV1") != 0;
    s->entries = strcmp(chip, "NV3T") == 0 ? 64 : 32;
    return s->vram && s->system && nv1ref_init(&s->reference, &config) && make_machine(s, pfifo_chip_by_name(chip));
}

void silicon_free(struct silicon *s) {
    fifo_free(s->fifo);
    bus_free(&s->bus);
    memory_free(&s->memory);
    free(s->line);
}

/* ---- the same to both ---- */

static void write_line(struct silicon *s, const char *verb, unsigned bits, uint32_t address, uint32_t value) {
    if (s->lines == s->room) {
        size_t room = s->room ? 2 * s->room : 1024;
        struct silicon_line *line = realloc(s->line, room * sizeof *line);
        if (!line)
            abort();
        s->line = line, s->room = room;
    }
    s->line[s->lines++] = (struct silicon_line){verb, bits, address, value};
}

static bool __attribute__((format(printf, 2, 3))) differ(struct silicon *s, const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (!s->report[0])
        vsnprintf(s->report, sizeof s->report, format, list);
    va_end(list);
    return false;
}

void silicon_write(struct silicon *s, uint32_t address, unsigned bytes, uint32_t value) {
    uint8_t data[4];
    value &= (uint32_t)((UINT64_C(1) << 8 * bytes) - 1);
    write_line(s, "w", 8 * bytes, address, value);
    store_le32(data, value);
    nv1ref_write(&s->reference, address, bytes, value);
    bus_write(&s->bus, address, data, bytes);
}

void silicon_read(struct silicon *s, uint32_t address, unsigned bytes) {
    uint8_t data[4] = {0};
    write_line(s, "r", 8 * bytes, address, 0);
    bus_read(&s->bus, address, data, bytes);
    uint32_t expected = nv1ref_read(&s->reference, address, bytes), found = load_le32(data);
    if (found != expected)
        differ(s, "read of %06" PRIx32 ": machine %08" PRIx32 ", reference %08" PRIx32, address, found, expected);
}

void silicon_poke(struct silicon *s, uint32_t vram_address, uint32_t value) {
    write_line(s, "vram", 0, vram_address, value);
    store_le32(s->vram + vram_address, value);
    memory_physical_wr32(&s->memory, MEMORY_VRAM, vram_address, value);
}

void silicon_poke_ramin(struct silicon *s, uint32_t address, uint32_t value) {
    silicon_poke(s, nv1ref_ramin(&s->reference, address), value);
}

void silicon_poke_system(struct silicon *s, uint32_t address, uint32_t value) {
    if (address > SILICON_SYSTEM - 4)
        return;
    write_line(s, "sys", 0, address, value);
    store_le32(s->system + address, value);
    memory_physical_wr32(&s->memory, MEMORY_SYSTEM, address, value);
}

void silicon_note(struct silicon *s, const char *text) {
    write_line(s, text, 0, 0, 0);
    s->line[s->lines - 1].bits = 1; /* not a command */
}

uint32_t silicon_rd32(struct silicon *s, uint32_t address) {
    return nv1ref_read(&s->reference, address, 4);
}

static enum nv1ref_stop stop_of(enum pfifo_stop stop) {
    static const enum nv1ref_stop table[] = {
        [PFIFO_STOP_IDLE] = NV1REF_IDLE,       [PFIFO_STOP_BUDGET] = NV1REF_BUDGET,
        [PFIFO_STOP_WAITING] = NV1REF_WAITING, [PFIFO_STOP_INTERRUPT] = NV1REF_INTERRUPT,
        [PFIFO_STOP_FROZEN] = NV1REF_FROZEN,
    };
    return table[stop];
}

void silicon_run(struct silicon *s, uint32_t budget) {
    static const char *const names[] = {"idle", "budget", "waiting", "interrupt", "frozen"};
    uint64_t left = budget;
    write_line(s, "run", 0, 0, budget);
    enum nv1ref_stop machine = stop_of(promised_run(s->fifo, &left));
    enum nv1ref_stop reference = nv1ref_run(&s->reference, budget);
    if (machine != reference)
        differ(s, "run(%" PRIu32 "): machine %s, reference %s", budget, names[machine], names[reference]);
}

/* ---- comparing ---- */

static bool compare_register(struct silicon *s, uint32_t offset) {
    uint32_t found = bus_rd32(&s->bus, offset), expected = nv1ref_read(&s->reference, offset, 4);
    if (found == expected)
        return true;
    uint32_t index;
    void *unit;
    const struct reg *reg = bus_find(&s->bus, offset, &index, &unit);
    return differ(s, "%s (%06" PRIx32 "): machine %08" PRIx32 ", reference %08" PRIx32, reg ? reg->name : "nothing",
                  offset, found, expected);
}

/* All of the block, also what has no register. */
static bool compare_block(struct silicon *s) {
    for (uint32_t offset = 0x2000; offset < 0x4000; offset += 4)
        if (offset != DEVICE && !compare_register(s, offset))
            return false;
    return true;
}

static bool compare_registers(struct silicon *s) {
    struct nv1ref_row row;
    for (size_t i = 0; nv1ref_row(&s->reference, i, &row); i++)
        for (uint32_t e = 0; e < row.count; e++)
            if (!compare_register(s, row.offset + e * row.stride))
                return false;
    return s->nv3 || (compare_register(s, 0x602200) && compare_register(s, 0x602600));
}

static bool compare_vram(struct silicon *s, uint32_t begin, uint32_t end) {
    const struct memory_own own = memory_own(&s->memory, MEMORY_VRAM);
    uint32_t at = (uint32_t)differing_byte(&own, s->vram, begin, end);
    if (at == end)
        return true;
    at &= ~3u;
    return differ(s, "VRAM %06" PRIx32 ": machine %08" PRIx32 ", reference %08" PRIx32, at, load_le32(own.data + at),
                  load_le32(s->vram + at));
}

static bool compare_memory(struct silicon *s) {
    return compare_vram(s, PASSWORDS, PASSWORDS + PASSWORDS_BYTES) &&
           compare_vram(s, s->vram_bytes - TABLES, s->vram_bytes);
}

static bool same_call(const struct silicon_call *a, const struct silicon_call *b) {
    return a->channel == b->channel && a->subchannel == b->subchannel && a->bind == b->bind && a->what == b->what &&
           a->data == b->data;
}

static bool compare_calls(struct silicon *s) {
    const struct silicon_log *m = &s->machine_log, *r = &s->reference_log;
    size_t i = 0, n = m->calls < r->calls ? m->calls : r->calls;
    while (i < n && same_call(&m->call[i], &r->call[i]))
        i++;
    if (i == n && m->calls == r->calls)
        return true;
    static const struct silicon_call none;
    const struct silicon_call *a = i < m->calls ? &m->call[i] : &none, *b = i < r->calls ? &r->call[i] : &none;
    return differ(s,
                  "engine call %zu (of %zu, %zu): machine channel %" PRIu32 " sub %" PRIu32 " %s %04" PRIx32
                  " = %08" PRIx32 ", reference channel %" PRIu32 " sub %" PRIu32 " %s %04" PRIx32 " = %08" PRIx32,
                  i, m->calls, r->calls, a->channel, a->subchannel, a->bind ? "bind" : "method", a->what, a->data,
                  b->channel, b->subchannel, b->bind ? "bind" : "method", b->what, b->data);
}

static bool compare_interrupt(struct silicon *s) {
    bool machine = (bus_rd32(&s->bus, PMC_INTR) & PMC_INTR_PFIFO) != 0, reference = nv1ref_interrupt(&s->reference);
    return machine == reference || differ(s, "PFIFO's interrupt: machine %d, reference %d", machine, reference);
}

static bool compare_everything(struct silicon *s) {
    return compare_block(s) && compare_vram(s, 0, s->vram_bytes);
}

bool silicon_compare(struct silicon *s) {
    bool same = !s->report[0] && compare_calls(s) && compare_registers(s) && compare_memory(s) &&
                compare_interrupt(s) && (!s->thorough || compare_everything(s));
    s->machine_log.calls = s->reference_log.calls = 0;
    return same;
}

/* ---- printing ---- */

void silicon_print(struct silicon *s, FILE *out) {
    fprintf(out, "# %s\nchip %s\n", s->report, s->chip);
    for (size_t i = 0; i < s->lines; i++) {
        const struct silicon_line *l = &s->line[i];
        if (l->bits == 1)
            fprintf(out, "# %s\n", l->verb);
        else if (strcmp(l->verb, "run") == 0)
            fprintf(out, "run %" PRIu32 "\n", l->value);
        else if (strcmp(l->verb, "r") == 0)
            fprintf(out, "r%u 0x%06" PRIx32 "\n", l->bits, l->address);
        else if (l->bits)
            fprintf(out, "w%u 0x%06" PRIx32 " 0x%08" PRIx32 "\n", l->bits, l->address, l->value);
        else
            fprintf(out, "%s 0x%06" PRIx32 " 0x%08" PRIx32 "\n", l->verb, l->address, l->value);
    }
}
