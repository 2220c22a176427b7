/* SPDX-License-Identifier: MIT */
/* What stages lend to the shader core: programs, constants, memory. */
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/draw/front_draw.h"
#include "engine/graph/constants.h"
#include "fifo/fifo.h"

#define HEADER_BYTES   (HEADER_WORDS * 4u)
#define SPAN_BITS      12u
#define SPAN_BYTES     (UINT64_C(1) << SPAN_BITS)
#define MOST_LOCAL     (512u << 10) /* bytes of a thread */
#define MOST_CONSTANTS (64u << 10)

/* ---- memory ---- */

void front_forget_spans(struct front_work *work) {
    memset(work->spans, 0, sizeof work->spans);
}

/* A fault is raised at once; what follows is not drawn. */
static void fail_at(struct front_work *work, enum unit_use use, const struct fault *fault) {
    if (!work->failed && !work->quiet)
        call_fault_of(work->call, use, fault);
    work->failed = true;
}

static struct threads *threads_of(struct front_work *work) {
    return work->lead ? &work->lead->threads : &work->threads;
}

static bool span_at(struct front_work *work, uint64_t address, uint64_t bytes, struct span *span, struct fault *fault) {
    return work->quiet ? memory_try_span(work->memory, &work->space, address, bytes, MEMORY_READ, span)
                       : memory_span(work->memory, &work->space, address, bytes, MEMORY_READ, span, fault);
}

/* The byte at an address, and how many follow. NULL: a fault, which has been raised. */
static const uint8_t *look_up(struct front_work *work, uint64_t address, uint64_t *bytes) {
    struct front_span *span = &work->spans[address >> SPAN_BITS & (FRONT_SPANS - 1)];
    uint64_t start = address & ~(SPAN_BYTES - 1);
    struct span found;
    struct fault fault;
    if (address - span->address >= span->bytes) {
        *span = (struct front_span){0};
        if (memory_try_span(work->memory, &work->space, start, SPAN_BYTES, MEMORY_READ, &found) &&
            address - start < found.bytes) {
            *span = (struct front_span){start, found.bytes, found.data};
        } else if (span_at(work, address, SPAN_BYTES - (address - start), &found, &fault)) {
            *bytes = found.bytes;
            return found.data;
        } else {
            fail_at(work, work->use, &fault);
            return NULL;
        }
    }
    *bytes = span->bytes - (address - span->address);
    return span->data + (address - span->address);
}

const uint8_t *front_at(void *opaque, uint64_t address, uint64_t *bytes) {
    struct front_work *work = opaque;
    const struct front_span *span = &work->spans[address >> SPAN_BITS & (FRONT_SPANS - 1)];
    if (address - span->address < span->bytes) {
        *bytes = span->bytes - (address - span->address);
        return span->data + (address - span->address);
    }
    threads_lock(threads_of(work));
    const uint8_t *data = look_up(work, address, bytes);
    threads_unlock(threads_of(work));
    return data;
}

bool front_read(void *opaque, uint64_t address, void *data, unsigned bytes) {
    uint8_t *to = data;
    while (bytes) {
        uint64_t there;
        const uint8_t *from = front_at(opaque, address, &there);
        if (!from)
            return false;
        unsigned part = there < bytes ? (unsigned)there : bytes;
        memcpy(to, from, part);
        to += part;
        address += part;
        bytes -= part;
    }
    return true;
}

static struct front_work *work_of(const struct shade_warp *warp) {
    return warp->stage->opaque;
}

static unsigned count_of(uint32_t lanes) {
    return (unsigned)__builtin_popcount(lanes);
}

static bool load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                 unsigned stride) {
    struct front_work *work = work_of(warp);
    struct fault fault;
    work->cost += count_of(lanes) * FRONT_ACCESS_COST;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        if ((lanes >> i & 1) &&
            !memory_read(work->memory, &work->space, address[i], (uint8_t *)to + i * (size_t)stride, bytes, &fault)) {
            fail_at(work, USE_SHADER, &fault);
            return false;
        }
    }
    return true;
}

static bool store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                  unsigned stride) {
    struct front_work *work = work_of(warp);
    struct fault fault;
    work->cost += count_of(lanes) * FRONT_ACCESS_COST;
    for (unsigned i = 0; i < SHADE_LANES; i++) {
        if ((lanes >> i & 1) && !memory_write(work->memory, &work->space, address[i],
                                              (const uint8_t *)from + i * (size_t)stride, bytes, &fault)) {
            fail_at(work, USE_SHADER, &fault);
            return false;
        }
    }
    return true;
}

/* UNKNOWN: accesses beyond what is mapped; chosen: a fault, as of all memory, and the draw ends. */
static bool texture(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *handle,
                    shade_row out[4]) {
    struct front_work *work = work_of(warp);
    unsigned number = (unsigned)(warp->stage - work->stage), group = work->state.stage[number].group;
    const struct sampling_slots *slots = group < FRONT_GROUPS ? &work->front->slots[group] : NULL;
    work->use = USE_TEXTURE;
    work->done.texture_reads += count_of(lanes);
    bool sampled = sampling_texture(work->sampling, slots, warp, lanes, ir, handle, out);
    work->cost += count_of(lanes) * FRONT_SAMPLE_COST + sampling_texels(work->sampling) * FRONT_TEXEL_COST;
    return sampled && !work->failed;
}

static void set_textures(struct front_work *work) {
    const struct front_state *state = &work->state;
    const struct pfifo_chip *chip = work->call->engine->fifo->chip;
    struct sampling_pools pools = {.unit = {.layout = state->maxwell_headers ? TEXTURE_TIC_MAXWELL : TEXTURE_TIC_TESLA,
                                            .order = work->source.order,
                                            .mobile = chip->has_mobile_textures},
                                   .headers = state->headers,
                                   .samplers = state->samplers,
                                   .last_header = state->most_header,
                                   .last_sampler = state->most_sampler,
                                   .linked = state->linked_samplers,
                                   .faces_here = work->source.of->cube_faces,
                                   .faces = state->cube_faces};
    sampling_begin(work->sampling, &pools);
}

/* ---- programs ---- */

static bool fetch_instruction(void *opaque, uint32_t address, uint8_t bytes[8]) {
    const struct front_program *program = opaque;
    return memory_peek(program->memory, &program->space, program->code + address, bytes, 8);
}

void front_forget_programs(struct front_work *work) {
    for (unsigned i = 0; i < FRONT_PROGRAMS; i++) {
        shade_program_free(work->programs[i].program);
        work->programs[i] = (struct front_program){0};
    }
    memset(work->program, 0, sizeof work->program);
    work->decoded = false;
}

/* The place of the next program that is kept: not that of the other stage's. */
static struct front_program *new_place(struct front_work *work, unsigned stage) {
    unsigned other = stage == STAGE_VERTEX ? STAGE_FRAGMENT : STAGE_VERTEX;
    struct front_program *p;
    do {
        p = &work->programs[work->next_program];
        work->next_program = (work->next_program + 1) % FRONT_PROGRAMS;
    } while (p->program && p->program == work->program[other]);
    shade_program_free(p->program);
    return p;
}

struct front_program *front_program_of(struct front_work *work, const struct shade_program *program) {
    for (unsigned i = 0; i < FRONT_PROGRAMS; i++)
        if (work->programs[i].program == program)
            return program ? &work->programs[i] : NULL;
    return NULL;
}

static struct shade_program *program_at(struct front_work *work, unsigned stage, uint32_t start) {
    uint64_t code = work->state.code;
    const struct isa *isa = work->source.of->isa;
    for (unsigned i = 0; i < FRONT_PROGRAMS; i++) {
        const struct front_program *p = &work->programs[i];
        if (p->program && p->isa == isa && p->code == code && p->start == start)
            return p->program;
    }
    struct front_program *p = new_place(work, stage);
    *p = (struct front_program){.isa = isa, .code = code, .start = start, .memory = work->memory, .space = work->space};
    p->program = shade_program_new(isa, fetch_instruction, p, start + HEADER_BYTES);
    return p->program;
}

/* Of fragments it is reported at the end of the slice, in the order of addresses: front_report(). */
static void not_executed(struct shade_warp *warp, const struct ir *ir) {
    struct front_work *work = work_of(warp);
    if (!warp->stage->collects) {
        call_work_not_executed(work->call, ir->name ? ir->name : "instruction");
        return;
    }
    for (unsigned i = 0; i < work->missing; i++)
        if (work->missing_at[i] == ir->address)
            return;
    if (work->missing < FRONT_MISSING)
        work->missing_at[work->missing++] = ir->address;
}

static void special(struct shade_warp *warp, uint32_t lanes, uint32_t number, uint32_t *out) {
    (void)warp;
    (void)number;
    for (unsigned i = 0; i < SHADE_LANES; i++)
        out[i] = lanes >> i & 1 ? 0 : out[i];
}

/* UNKNOWN: in which steps they are given to threads; chosen: 8. */
static uint16_t registers_of(const struct front_work *work, unsigned number) {
    uint32_t wanted = work->value[(0x200c + 0x40 * number) >> 2];
    return (uint16_t)(wanted < SHADE_REGISTERS ? (wanted + 7) & ~7u : SHADE_REGISTERS);
}

/* A header that cannot be read is a fault of the draw. */
static bool load_stage(struct front_work *work, unsigned number) {
    uint8_t bytes[HEADER_BYTES];
    uint32_t header[HEADER_WORDS];
    struct shade_stage *stage = &work->stage[number];
    uint32_t start = work->state.stage[number].start;
    work->use = USE_PROGRAM;
    if (!front_read(work, work->state.code + start, bytes, HEADER_BYTES))
        return false;
    for (unsigned i = 0; i < HEADER_WORDS; i++)
        header[i] = load_le32(bytes + i * (size_t)4);
    front_state_header(&work->state, &work->source, number, header);
    work->program[number] = program_at(work, number, start);
    *stage = (struct shade_stage){.opaque = work,
                                  .texture_bank = work->state.texture_bank,
                                  .registers = registers_of(work, number),
                                  .inputs = work->inputs,
                                  .outputs = work->outputs,
                                  .collects = number == STAGE_FRAGMENT,
                                  .flat = work->state.draw.program.flat_colors,
                                  .local_window = work->value[0x77c >> 2],
                                  .special = special,
                                  .load = load,
                                  .store = store,
                                  .texture = texture,
                                  .not_executed = not_executed};
    if (number == STAGE_FRAGMENT)
        front_fragment_stage(stage);
    return work->program[number] != NULL;
}

/* l[] has a positive and a negative part. UNKNOWN: more than the hardware's 512 KiB; chosen: it is cut. */
static bool make_local(struct front_work *work) {
    uint32_t bytes = 0;
    for (unsigned i = 0; i < STAGES; i++) {
        const uint32_t *header = work->state.stage[i].header;
        uint32_t wanted = (header[1] & 0xffffff) + (header[2] & 0xffffff);
        wanted = wanted < MOST_LOCAL ? wanted : MOST_LOCAL;
        bytes = bytes > wanted ? bytes : wanted;
    }
    if (bytes > work->local_bytes) {
        uint8_t *local = calloc(SHADE_LANES, bytes);
        if (!local)
            return false;
        free(work->local);
        work->local = local;
        work->local_bytes = bytes;
    }
    for (unsigned i = 0; i < STAGES; i++) {
        work->stage[i].local = work->local;
        work->stage[i].local_bytes = work->local_bytes;
    }
    return true;
}

/* ---- constants ---- */

/* In place, if the buffer is contiguous in the host, else a copy of it. What cannot be read is 0. */
static void bind_constants(struct front_work *work, unsigned number, unsigned bank, const uint32_t *buffer) {
    struct shade_constants *constants = &work->stage[number].constants[bank];
    uint64_t address = (uint64_t)(buffer[0] & 0xff) << 32 | buffer[1];
    uint32_t bytes = buffer[2] < MOST_CONSTANTS ? buffer[2] : MOST_CONSTANTS;
    struct span span;
    *constants = (struct shade_constants){0};
    if (number == STAGE_FRAGMENT)
        work->constants_at[bank] = address;
    if (!(buffer[0] & CONSTANTS_VALID) || !bytes ||
        !memory_try_span(work->memory, &work->space, address, bytes, MEMORY_READ, &span))
        return;
    *constants = (struct shade_constants){span.data, bytes};
    if (span.bytes >= bytes)
        return;
    uint8_t **copy = &work->copies[number][bank];
    if (!*copy)
        *copy = malloc(MOST_CONSTANTS);
    if (!*copy || !memory_peek(work->memory, &work->space, address, *copy, bytes))
        constants->bytes = (uint32_t)span.bytes;
    else
        constants->data = *copy;
}

static void set_constants(struct front_work *work, unsigned number) {
    const uint32_t *buffers = object_part(work->call->object, &constants_gf100_part);
    unsigned group = work->state.stage[number].group;
    if (!buffers || group >= CONSTANTS_GF100_GROUPS)
        return;
    for (unsigned bank = 0; bank < FRONT_BANKS; bank++)
        bind_constants(work, number, bank,
                       buffers + (group * CONSTANTS_GF100_SLOTS + bank) * (size_t)CONSTANTS_BUFFER_WORDS);
}

/* ---- draws ---- */

static void *zeroed(size_t bytes) {
    bytes = (bytes + 63) / 64 * 64;
    void *data = aligned_alloc(64, bytes);
    return data ? memset(data, 0, bytes) : NULL;
}

struct front_work *front_work_new(struct front *front) {
    struct front_work *work = zeroed(sizeof *work);
    if (!work)
        return NULL;
    work->front = front;
    return work;
}

void front_work_free(struct front_work *work) {
    if (!work)
        return;
    front_forget_programs(work);
    for (unsigned i = 0; i < STAGES; i++)
        for (unsigned bank = 0; bank < FRONT_BANKS; bank++)
            free(work->copies[i][bank]);
    for (unsigned i = 0; i < THREADS_MOST; i++)
        front_work_free(work->member[i]);
    if (work->threads.side_by_side)
        pthread_mutex_destroy(&work->threads.lock);
    free(work->group);
    free(work->local);
    draw_raster_free(work->raster);
    sampling_free(work->sampling);
    free(work);
}

/* Stages and work that draws ask for, and that are not there. */
static const char *missing(const struct front_work *work) {
    const struct front_state *state = &work->state;
    if (work->front->assembly.topology == TOPOLOGY_PATCHES)
        return "tessellation";
    if (state->stage[STAGE_GEOMETRY].enabled)
        return "geometry program";
    if (state->stage[STAGE_VERTEX_A].enabled)
        return "vertex program A";
    if (!state->stage[STAGE_VERTEX].enabled)
        return "draw without a vertex program";
    if (work->value[0x744 >> 2] & 1)
        return "transform feedback";
    return NULL;
}

/* State that is not modelled, and without which is drawn all the same. */
static void report_ignored(const struct front_work *work) {
    static const struct {
        uint16_t method;
        uint8_t mask;
        bool maxwell; /* GM200 and later */
        const char *name;
    } ignored[] = {{0x197c, 1, false, "clip ids"},
                   {0x1148, 1, true, "conservative rasterisation"},
                   {0xfb4, 3, true, "target-independent rasterisation"},
                   {0x11f8, 1, true, "coverage to colour"}};
    for (unsigned i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        if ((work->value[ignored[i].method >> 2] & ignored[i].mask) &&
            (!ignored[i].maxwell || work->source.of->sample_places))
            call_work_not_executed(work->call, ignored[i].name);
}

static bool decode(struct front_work *work) {
    const struct object *object = work->call->object;
    work->source.of = front_class_of(object->object_class);
    work->source.value = work->value;
    work->source.space = work->space;
    work->source.order = work->call->engine->fifo->chip->gob_order;
    memcpy(work->value, object->value, sizeof work->value);
    front_state_decode(&work->state, &work->source);
    const char *what = missing(work);
    if (what) {
        call_work_not_executed(work->call, what);
        return false;
    }
    report_ignored(work);
    if (!load_stage(work, STAGE_VERTEX))
        return false;
    if (front_state_writes(&work->state, WORD_VIEWPORT_MASK))
        call_work_not_executed(work->call, "viewport mask");
    if (work->state.stage[STAGE_FRAGMENT].enabled && !load_stage(work, STAGE_FRAGMENT))
        return false;
    return make_local(work);
}

bool front_start(struct front_work *work) {
    front_forget_spans(work);
    if (!work->sampling)
        work->sampling = sampling_new(&(struct texture_memory){work, front_at});
    if (!work->sampling)
        return false;
    set_textures(work);
    return true;
}

/* What the owner lends may be lent later than an object is made, but is not taken back. */
static void lend(struct front_work *work) {
    const struct fifo *fifo = work->call->engine->fifo;
    if (!fifo->side_by_side || work->threads.side_by_side || pthread_mutex_init(&work->threads.lock, NULL) != 0)
        return;
    work->threads.side_by_side = fifo->side_by_side;
    work->threads.opaque = fifo->side_opaque;
    draw_raster_lend(work->raster, &work->threads, front_apart);
}

static bool make_rooms(struct front_work *work) {
    if (!work->raster)
        work->raster = draw_raster_new(work->memory, front_fragments, work);
    if (!work->group)
        work->group = aligned_alloc(64, (sizeof *work->group + 63) / 64 * 64);
    if (!work->raster || !work->group)
        return false;
    lend(work);
    return true;
}

/* Values that do not matter to the state do not matter here either: most draws change something. */
bool front_prepare(struct front_work *work, const struct call *call) {
    struct fifo *fifo = call->engine->fifo;
    work->call = call;
    work->memory = fifo->memory;
    work->space = call_space(call, 0);
    work->failed = false;
    front_forget_spans(work);
    if (!make_rooms(work))
        return false;
    if (!work->decoded || memcmp(work->value, call->object->value, sizeof work->value) != 0) {
        work->ready = false;
        work->decodes++;
        work->decoded = decode(work);
    }
    if (!work->decoded)
        return false;
    set_constants(work, STAGE_VERTEX);
    if (work->state.stage[STAGE_FRAGMENT].enabled)
        set_constants(work, STAGE_FRAGMENT);
    work->prepared++;
    draw_raster_begin(work->raster, &work->state.draw);
    return front_start(work);
}

/* The instruction cannot be read: the fault of that. (Or the host has no memory, for which there is no fault.) */
static void fail_at_program(struct front_work *work, uint32_t address) {
    uint8_t bytes[8];
    struct fault fault;
    if (!work->quiet &&
        !memory_read(work->memory, &work->space, work->state.code + address, bytes, sizeof bytes, &fault))
        fail_at(work, USE_PROGRAM, &fault);
    work->failed = true;
}

static void fail_in_shader(struct front_work *work, uint32_t warp, uint32_t processor, uint32_t pc) {
    if (!work->failed && !work->quiet)
        call_shader_error(work->call, &(struct unit_shader_error){warp, processor, pc});
    work->failed = true;
}

/* Where a warp that does not end is. */
static uint32_t lowest_pc(const struct shade_warp *warp) {
    uint32_t pc = UINT32_MAX;
    for (unsigned lane = 0; lane < SHADE_LANES; lane++)
        if (warp->alive >> lane & 1 && warp->pc[lane] < pc)
            pc = warp->pc[lane];
    return pc;
}

/*
 * False: the warp, or all of them together, take too long. Regions of a part that are drawn side by side do not know of
 * each other, but each has a share.
 */
static bool count_steps(struct front_work *work, uint64_t used) {
    uint64_t beyond = used > FRONT_LONG ? used - FRONT_LONG : 0, most = FRONT_LONG_ALL;
    work->cost += used * FRONT_STEP_COST;
    work->long_steps += beyond;
    if (work->warp.stage != &work->stage[STAGE_FRAGMENT])
        return work->front->long_steps + work->long_steps <= most;
    struct draw_fragments *f = work->fragments;
    f->steps += beyond;
    most = f->regions > FRONT_SHARES ? most * FRONT_SHARES / f->regions : most;
    return f->steps <= most && work->front->long_steps + f->steps <= FRONT_LONG_ALL;
}

static void count_warp(struct front_work *work, uint64_t used) {
    bool fragments = work->warp.stage == &work->stage[STAGE_FRAGMENT];
    *(fragments ? &work->done.fragment_warps : &work->done.vertex_warps) += 1;
    *(fragments ? &work->done.fragment_instructions : &work->done.vertex_instructions) += used;
}

bool front_run(struct front_work *work) {
    const struct shade_warp *warp = &work->warp;
    uint64_t used;
    enum shade_stop stop = shade_run(&work->warp, FRONT_STEPS, &used);
    count_warp(work, used);
    bool in_time = count_steps(work, used);
    if (stop == SHADE_DONE && in_time)
        return true;
    if (stop == SHADE_FAULT && warp->unreadable)
        fail_at_program(work, warp->fault_address);
    else if (stop == SHADE_ERROR)
        fail_in_shader(work, warp->error, warp->error == SHADE_STACK_ERROR ? UNIT_SHADER_STACK : 0,
                       warp->fault_address);
    else
        fail_in_shader(work, 0, UNIT_SHADER_TIMEOUT, lowest_pc(warp));
    return false;
}

struct front_work *front_taking_part(struct front_work *work, unsigned number) {
    struct front_work *member = number ? work->member[number] : work;
    return member && member->prepared == work->prepared ? member : NULL;
}

/* The lowest address that some program did not execute; it is taken from all lists. False: there is none. */
static bool take_missing(struct front_work *work, uint32_t *address) {
    bool found = false;
    *address = UINT32_MAX;
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        const struct front_work *member = front_taking_part(work, i);
        for (unsigned k = 0; member && k < member->missing; k++) {
            found = true;
            *address = member->missing_at[k] < *address ? member->missing_at[k] : *address;
        }
    }
    for (unsigned i = 0; i < THREADS_MOST && found; i++) {
        struct front_work *member = front_taking_part(work, i);
        for (unsigned k = 0; member && k < member->missing; k++)
            if (member->missing_at[k] == *address)
                member->missing_at[k--] = member->missing_at[--member->missing];
    }
    return found;
}

static void report_missing(struct front_work *work) {
    uint32_t address;
    while (take_missing(work, &address)) {
        const struct ir *ir = shade_program_report(work->program[STAGE_FRAGMENT], address);
        if (ir)
            call_work_not_executed(work->call, ir->name ? ir->name : "instruction");
    }
}

/* Of several reasons the first one by its text, since it does not matter which region had it first. */
static const char *textures_reason(struct front_work *work) {
    const char *first = NULL;
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        const struct front_work *member = front_taking_part(work, i);
        const char *reason = member ? sampling_reason(member->sampling) : NULL;
        if (reason && (!first || strcmp(reason, first) < 0))
            first = reason;
    }
    return first;
}

/* What went wrong since front_prepare(). */
void front_report(struct front_work *work) {
    const struct draw_result *result = draw_raster_result(work->raster);
    const char *textures = textures_reason(work);
    report_missing(work);
    if (result->faulted)
        fail_at(work, result->fault_is_zeta ? USE_ZETA : (enum unit_use)(USE_COLOR + result->fault_target),
                &result->fault);
    if (textures)
        call_work_not_executed(work->call, textures);
}
