/* SPDX-License-Identifier: MIT */
#include "engine/macro/machine.h"
#include "fifo/fifo.h"

_Static_assert(sizeof(void *) != 8 || sizeof(struct macro) == 296, "every field of a machine is saved or derived");

static void macro_save_position(struct macro *m, struct state_io *io) {
    for (unsigned i = 0; i < MACRO_REGISTERS; i++)
        state_u32(io, &m->reg[i]);
    state_u32(io, &m->opcode);
    state_u32(io, &m->pc);
    state_u32(io, &m->next_pc);
    state_u32(io, &m->trap);
    state_u32(io, &m->trap_pc);
    state_u32(io, &m->trap_opcode);
    state_u32(io, &m->steps);
    state_bool(io, &m->carry);
    state_u32(io, &m->method);
    state_u32(io, &m->increment);
    state_bool(io, &m->end_next);
    state_u32(io, &m->loop_left);
    state_u32(io, &m->loop_begin);
    state_u32(io, &m->loop_end);
    state_u32(io, &m->result[0]);
    state_u32(io, &m->result[1]);
    state_u32(io, &m->upper);
    state_u32(io, &m->load[0]);
    state_u32(io, &m->load[1]);
    state_u64(io, &m->fifo_address);
    state_u32(io, &m->fifo_left);
    m->loads = state_count(io, m->loads, 2, "parameters loaded");
    unsigned slot = m->slot;
    state_index(io, &slot, MACRO_SLOTS, "slot");
    m->slot = (enum macro_slot)slot;
}

static void call_state(struct macro *m, struct state_io *io) {
    state_index(io, &m->number, 0x100, "macro");
    state_index(io, &m->file, ENGINE_MAX_FILES, "object of a macro");
    state_bool(io, &m->taken);
    state_u16(io, &m->port);
    state_bool(io, &m->ends);
    state_bool(io, &m->sliced);
    state_bool(io, &m->surplus);
    state_bool(io, &m->has_parameter);
    state_u32(io, &m->parameter);
    state_bool(io, &m->resent);
    m->send_count = state_count(io, m->send_count, MACRO_SENDS, "methods queued");
    state_index(io, &m->send_first, MACRO_SENDS + 1, "method queued");
    for (unsigned i = 0; i < MACRO_SENDS; i++) {
        state_u32(io, &m->send[i].method);
        state_u32(io, &m->send[i].data);
    }
}

/* A memory, but for the zeros at its end. */
static void contents(uint32_t *words, uint32_t count, struct state_io *io) {
    uint32_t used = count;
    while (!io->loading && used > 0 && words[used - 1] == 0)
        used--;
    used = state_count(io, used, count, "words of a macro memory");
    for (uint32_t i = 0; i < used && state_good(io); i++)
        state_u32(io, &words[i]);
}

static bool may_be(const struct channel_state *state, const struct macro *m) {
    bool pcs = m->pc < m->isa->code_words && m->next_pc < m->isa->code_words && m->loop_begin < m->isa->code_words;
    return pcs && m->steps <= MACRO_MOST_STEPS && m->method < MACRO_METHODS && m->send_first <= m->send_count &&
           (!m->taken || state->macro_runs) && (!state->macro_runs || state->objects[m->file]);
}

static void macro_state(void *private, const struct private_owner *owner, struct state_io *io) {
    struct macro *m = private;
    macro_save_position(m, io);
    call_state(m, io);
    state_u32(io, &m->code_pointer);
    state_u32(io, &m->start_pointer);
    contents(m->code, m->isa->code_words, io);
    contents(m->start, m->isa->starts, io);
    contents(m->data, m->isa->data_words, io);
    for (unsigned i = 0; i < MACRO_SENDS; i++)
        if (m->send[i].method >= MACRO_METHODS)
            state_fail(io, PFIFO_ERROR_FORMAT, "method of a macro");
    if (io->loading && state_good(io) && !may_be(owner->channel, m))
        state_fail(io, PFIFO_ERROR_FORMAT, "a macro in a state that cannot occur");
}

const struct private_state macro_shared = {
    .bytes = sizeof(struct macro), .init = macro_init, .state = macro_state, .free = macro_free};
