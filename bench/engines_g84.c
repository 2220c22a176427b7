/* SPDX-License-Identifier: MIT */
/* What other chips do not have: copies of the cipher engine, and M2MF of Tesla. */
#include "engines.h"

#define BYTES (UINT64_C(16) << 20)
#define PITCH 8192u
#define LINES 2048u

enum { SUBCHANNEL_M2MF = 1, SUBCHANNEL_CIPHER = 2 };
enum { HANDLE_M2MF = 1, HANDLE_CIPHER, VRAM, GART, NOTIFIER };

static void cipher(struct engine_commands *commands, struct engine_places at) {
    METHOD(commands, SUBCHANNEL_CIPHER, 0x304, BYTES, HIGH(at.from), LOW(at.from), HIGH(at.to), LOW(at.to), 0);
}

/* FORMAT and BUF_NOTIFY launch; the layouts are before. */
static void m2mf(struct engine_commands *commands, struct engine_places at, uint32_t linear_in, uint32_t linear_out) {
    METHOD(commands, SUBCHANNEL_M2MF, 0x200, linear_in, 4 << 4, PITCH, LINES, 1, 0, 0);
    METHOD(commands, SUBCHANNEL_M2MF, 0x21c, linear_out, 4 << 4, PITCH, LINES, 1, 0, 0);
    METHOD(commands, SUBCHANNEL_M2MF, 0x238, HIGH(at.from), HIGH(at.to));
    METHOD(commands, SUBCHANNEL_M2MF, 0x30c, LOW(at.from), LOW(at.to), PITCH, PITCH, PITCH, LINES - 1, 0x101, 0);
}

static void m2mf_pitch(struct engine_commands *commands, struct engine_places at) {
    m2mf(commands, at, 1, 1);
}

static void m2mf_to_block(struct engine_commands *commands, struct engine_places at) {
    m2mf(commands, at, 1, 0);
}

static void m2mf_block(struct engine_commands *commands, struct engine_places at) {
    m2mf(commands, at, 0, 0);
}

static const struct engine_row rows[] = {
    {"M2MF, pitch", m2mf_pitch, PITCH *(LINES - 1), 0, true, 0},
    {"M2MF, pitch to block-linear", m2mf_to_block, PITCH *(LINES - 1), 0, true, 0},
    {"M2MF, block-linear", m2mf_block, PITCH *(LINES - 1), 0, true, 0},
    {"cipher, copy", cipher, BYTES, 0, true, 0},
};

void bench_engines_g84(void) {
    uint64_t units;
    const struct pfifo_channel_config config = {.vram_handle = VRAM, .gart_handle = GART};
    struct engine_machine *machine = engine_open("G84", BYTES, &config, &bench_format_g80);
    engine_notifier(machine, NOTIFIER);
    engine_object(machine, HANDLE_M2MF, 0x5039);
    engine_object(machine, HANDLE_CIPHER, 0x74c1);
    METHOD(&machine->commands, SUBCHANNEL_M2MF, 0, HANDLE_M2MF);
    METHOD(&machine->commands, SUBCHANNEL_M2MF, 0x180, NOTIFIER, VRAM, VRAM);
    METHOD(&machine->commands, SUBCHANNEL_CIPHER, 0, HANDLE_CIPHER);
    METHOD(&machine->commands, SUBCHANNEL_CIPHER, 0x180, VRAM, VRAM, VRAM);
    engine_run(machine, &units);
    engine_measure(machine, rows, sizeof rows / sizeof rows[0]);
    engine_close(machine);
}
