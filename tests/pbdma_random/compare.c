/* SPDX-License-Identifier: MIT */
/* What the two machines came to, and for people: what differs, the last events, and a script that repeats it. */
#include <inttypes.h>
#include <stdarg.h>

#include "pbdma_random/pbdma_random.h"
#include "same_memory.h"

static bool __attribute__((format(printf, 2, 3))) differ(struct bench *b, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(b->report, sizeof b->report, format, list);
    va_end(list);
    return false;
}

static bool same_event(const struct bench_event *x, const struct bench_event *y) {
    const struct reference_event *a = &x->event, *c = &y->event;
    return x->channel == y->channel && strcmp(a->name, c->name) == 0 &&
           memcmp(a->value, c->value, sizeof a->value) == 0 &&
           (a->text == c->text || (a->text && c->text && strcmp(a->text, c->text) == 0));
}

static bool same_events(struct bench *b) {
    const struct bench_log *m = &b->machine_log, *r = &b->reference_log;
    size_t i = 0;
    if (!b->observed)
        return true;
    while (i < m->events && i < r->events && same_event(&m->event[i], &r->event[i]))
        i++;
    if (i == m->events && i == r->events)
        return true;
    return differ(b, "event %zu: machine %s, reference %s", i, i < m->events ? m->event[i].event.name : "nothing",
                  i < r->events ? r->event[i].event.name : "nothing");
}

static bool same_calls(struct bench *b) {
    const struct bench_log *m = &b->machine_log, *r = &b->reference_log;
    static const struct bench_call none;
    size_t i = 0;
    while (i < m->calls && i < r->calls && memcmp(&m->call[i], &r->call[i], sizeof m->call[i]) == 0)
        i++;
    if (i == m->calls && i == r->calls)
        return true;
    const struct bench_call *a = i < m->calls ? &m->call[i] : &none, *c = i < r->calls ? &r->call[i] : &none;
    return differ(b,
                  "engine call %zu (of %zu, %zu): machine %" PRIu32 " sub %" PRIu32 " %04" PRIx32 " = %08" PRIx32
                  ", reference %" PRIu32 " sub %" PRIu32 " %04" PRIx32 " = %08" PRIx32,
                  i, m->calls, r->calls, a->engine, a->subchannel, a->method, a->data, c->engine, c->subchannel,
                  c->method, c->data);
}

static bool same_registers(struct bench *b) {
    for (uint32_t i = 0; i < b->known_count; i++) {
        uint32_t wanted, found = bus_rd32(&b->bus, b->known[i]);
        pbdma_fifo_rd32(&b->reference, b->known[i], &wanted);
        if (found != wanted)
            return differ(b, "register %06" PRIx32 ": machine %08" PRIx32 ", reference %08" PRIx32, b->known[i], found,
                          wanted);
    }
    for (uint32_t u = 0; u < b->row->units; u++) { /* where it is undefined looking must not hurt */
        uint32_t wanted, found = bus_rd32(&b->bus, 0x40098 + 0x2000 * u);
        if (pbdma_fifo_rd32(&b->reference, 0x40098 + 0x2000 * u, &wanted) && found != wanted)
            return differ(b, "PB_CRC of %" PRIu32 ": machine %08" PRIx32 ", reference %08" PRIx32, u, found, wanted);
    }
    bool line = (bus_rd32(&b->bus, 0x100) >> 8 & 1) != 0;
    if (line != ((b->reference.intr_en & pbdma_fifo_intr(&b->reference)) != 0))
        return differ(b, "the interrupt line of the machine is %d", line);
    return true;
}

bool pbr_same_doings(struct bench *b) {
    return same_events(b) && same_calls(b) && same_registers(b);
}

/* PB_CRC is not kept in RAMFC. */
bool pbr_same_memory(struct bench *b) {
    const struct memory_own own = memory_own(&b->memory, b->row->tegra ? MEMORY_SYSTEM : MEMORY_VRAM);
    const uint8_t *memory = own.data;
    for (uint32_t i = 0; i < PBF_CHANNELS; i++)
        memcpy(b->vram + INSTANCES + 0x1000 * i + 0x98, memory + INSTANCES + 0x1000 * i + 0x98, 4);
    uint32_t at = (uint32_t)differing_byte(&own, b->vram, 0, VRAM_BYTES);
    if (at == VRAM_BYTES)
        return true;
    at &= ~3u;
    return differ(b, "memory %06" PRIx32 ": machine %08" PRIx32 ", reference %08" PRIx32, at, load_le32(memory + at),
                  load_le32(b->vram + at));
}

bool pbr_same_stop(struct bench *b, enum pfifo_stop machine) {
    static const enum pfifo_stop reasons[] = {PFIFO_STOP_IDLE, PFIFO_STOP_BUDGET, PFIFO_STOP_WAITING,
                                              PFIFO_STOP_INTERRUPT, PFIFO_STOP_FROZEN};
    const struct pfifo_stop_info *m = &b->fifo->stop;
    const struct reference_stop *r = &b->stop;
    if (machine != reasons[r->reason])
        return differ(b, "stop: machine %d, reference %d", machine, reasons[r->reason]);
    if (m->channel != r->channel || m->address != r->address || m->expected != r->expected || m->found != r->found)
        return differ(b,
                      "stop: machine's channel %" PRIx32 " waits at %" PRIx64 " for %" PRIx32
                      ", the reference's %" PRIx32 " at %" PRIx64 " for %" PRIx32,
                      m->channel, m->address, m->expected, r->channel, r->address, r->expected);
    return true;
}

#define SHOWN 16

static void print_events(const char *who, const struct bench_log *log, FILE *out) {
    for (size_t i = log->events > SHOWN ? log->events - SHOWN : 0; i < log->events; i++) {
        const struct reference_event *e = &log->event[i].event;
        fprintf(out, "    %-9s %zu %" PRId32 " %s", who, i, (int32_t)log->event[i].channel, e->name);
        for (unsigned v = 0; v < 5; v++)
            fprintf(out, " %" PRIx64, e->value[v]);
        fprintf(out, " %s\n", e->text ? e->text : "");
    }
}

/* As a shell of the tool takes it; engines are other ones there. */
void pbr_print(struct bench *b, FILE *out) {
    print_events("machine", &b->machine_log, out);
    print_events("reference", &b->reference_log, out);
    fprintf(out, "chip %s\n", b->row->name);
    for (size_t i = 0; i < b->lines; i++) {
        const struct bench_line *l = &b->script[i];
        if (strcmp(l->word, "run") == 0)
            fprintf(out, "run %" PRIu32 "\n", l->value);
        else if (strcmp(l->word, "bar1") == 0)
            fprintf(out, "w32 bar1:0x%06" PRIx32 " 0x%08" PRIx32 "\n", l->address, l->value);
        else
            fprintf(out, "%s 0x%06" PRIx32 " 0x%08" PRIx32 "\n", l->word, l->address, l->value);
    }
}
