/* SPDX-License-Identifier: MIT */
/*
 * One name for an error: the trace has it when the unit refuses something, the driver when it reads the unit's
 * registers. Every error of every unit of every generation is raised, and the driver handles its interrupt.
 */
#include "driver/rig.h"

#include "chip/units.h"
#include "driver/interrupts.h"
#include "fifo/fifo.h"
#include "gpu/gpu.h"
#include "memory/address_space.h"
#include "unit/error_names.h"
#include "unit/error_shown.h"

#define SOME_METHOD 0x1234u

static struct rig rig; /* too large for a stack with a sanitizer */

/* What has other numbers than its own, or none: an embedder's, and accesses, which are engine.fault. */
static bool has_a_name(enum engine_error error) {
    return error != ENGINE_ERROR_GIVEN && error != ENGINE_ERROR_ACCESS;
}

static struct unit_trap trap_of(enum engine_error error) {
    return (struct unit_trap){.error = error,
                              .method = SOME_METHOD,
                              .object_class = rig.part->graphics,
                              .shader = {error == ENGINE_ERROR_SHADER ? 9 : 0, 0, 0x1238}};
}

/* True: it was raised, under a name of its own. */
static bool raise_error(enum chip_unit unit, enum engine_error error) {
    const struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
    const struct pfifo_channel_context channel = {.fifo = gpu->fifo, .id = 1, .instance = 0x4000};
    const struct unit_trap trap = trap_of(error);
    rig.fault_count = 0;
    if (!fifo_engine_error(&channel, unit, &trap))
        return false;
    while (device_interrupts(rig.device))
        ;
    if (rig.fault_count != 1)
        fail_msg("%s %s %s: %zu faults", rig.part->chip, chip_unit_name(unit), unit_error_name(error),
                 (size_t)rig.fault_count);
    const char *shown = unit_error_shown(gpu->fifo->chip, unit, &trap);
    if (strcmp(rig.faults[0].error, shown) != 0)
        fail_msg("%s %s %s: the trace says %s, the driver %s", rig.part->chip, chip_unit_name(unit),
                 unit_error_name(error), shown, rig.faults[0].error);
    return true;
}

static unsigned raise_all(const struct part *part) {
    unsigned raised = 0;
    rig_open(&rig, part);
    const struct pfifo_chip *chip = pfifo_device_gpu(rig.device)->fifo->chip;
    for (unsigned unit = 0; unit < CHIP_UNIT_COUNT; unit++)
        for (unsigned error = 0; error < ENGINE_ERRORS; error++)
            if (chip_has_unit(chip, (enum chip_unit)unit) && has_a_name((enum engine_error)error))
                raised += raise_error((enum chip_unit)unit, (enum engine_error)error);
    rig_close(&rig);
    return raised;
}

static void trace_and_driver_have_one_name_for_each_error(void **state) {
    (void)state;
    FOR_EACH_PART assert_true(raise_all(part) >= 28);
    for (const struct part *part = pio_parts; part < pio_parts + COUNT_OF(pio_parts); part++)
        assert_true(raise_all(part) >= 28);
}

/* An access that fails: the bits that the unit shows are those of its trap. */
static unsigned raise_access(const struct part *part, enum unit_use use, bool write, enum fault_reason reason) {
    const struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
    const struct pfifo_channel_context channel = {.fifo = gpu->fifo, .id = 1, .instance = 0x4000};
    const struct fault fault = {.reason = reason, .write = write, .address = 0x1000};
    struct unit_trap trap = trap_of(ENGINE_ERROR_ACCESS);
    trap.use = use;
    trap.write = write;
    trap.reason = reason;
    rig.fault_count = 0;
    fifo_engine_fault(&channel, CHIP_UNIT_PGRAPH, &fault, &trap);
    while (device_interrupts(rig.device))
        ;
    const char *shown = unit_error_shown(gpu->fifo->chip, CHIP_UNIT_PGRAPH, &trap);
    if (rig.fault_count && strcmp(rig.faults[0].error, shown) != 0)
        fail_msg("%s use %u: the trace says %s, the driver %s", part->chip, use, shown, rig.faults[0].error);
    return (unsigned)rig.fault_count;
}

static unsigned raise_accesses(const struct part *part) {
    unsigned raised = 0;
    rig_open(&rig, part);
    if (pfifo_device_gpu(rig.device)->fifo->chip->vm == CHIP_VM_NONE)
        for (unsigned use = 0; use < UNIT_USES; use++)
            for (unsigned write = 0; write < 2; write++) {
                raised += raise_access(part, (enum unit_use)use, write, FAULT_OBJECT_LIMIT);
                raised += raise_access(part, (enum unit_use)use, write, FAULT_READ_ONLY);
            }
    rig_close(&rig);
    return raised;
}

static void trace_and_driver_have_one_name_for_each_access(void **state) {
    unsigned raised = 0;
    (void)state;
    FOR_EACH_PART raised += raise_accesses(part);
    for (const struct part *part = pio_parts; part < pio_parts + COUNT_OF(pio_parts); part++)
        raised += raise_accesses(part);
    assert_true(raised > 100);
}

/* The names that people look for: those of nouveau's log. */
static void names_are_those_of_the_kernels_log(void **state) {
    static const struct {
        const char *chip;
        enum chip_unit unit;
        enum engine_error error;
        const char *name;
    } rows[] = {
        {"NV5", CHIP_UNIT_PGRAPH, ENGINE_ERROR_INVALID_VALUE, "DATA_ERROR"},
        {"NV20", CHIP_UNIT_PGRAPH, ENGINE_ERROR_MISSING_METHOD, "METHOD_CNT"},
        {"NV40", CHIP_UNIT_PGRAPH, ENGINE_ERROR_BEGIN_END_ACTIVE, "DMA_WIDTH_B"},
        {"NV40", CHIP_UNIT_PGRAPH, ENGINE_ERROR_DMA_VERTEX, "DMA_VTX_PROTECTION"},
        {"NV40", CHIP_UNIT_PGRAPH, ENGINE_ERROR_MISSING_HW, "MISSING_HW"},
        {"NV40", CHIP_UNIT_PGRAPH, ENGINE_ERROR_INVALID_NOTIFY, "STATE_INVALID"},
        {"G80", CHIP_UNIT_PGRAPH, ENGINE_ERROR_INVALID_VALUE, "INVALID_VALUE"},
        {"G80", CHIP_UNIT_PGRAPH, ENGINE_ERROR_INVALID_NOTIFY, "TRAP_DISPATCH"},
        {"GF100", CHIP_UNIT_PGRAPH, ENGINE_ERROR_MACRO_TOO_FEW, "TRAP_MACRO"},
        {"GK104", CHIP_UNIT_PGRAPH, ENGINE_ERROR_SKED_SHARED, "TRAP_SKED"},
        {"GK104", CHIP_UNIT_PGRAPH, ENGINE_ERROR_ILLEGAL_CLASS, "ILLEGAL_CLASS"},
        {"GK104", CHIP_UNIT_PCOPY0, ENGINE_ERROR_COPY_PITCH_IN, "SRC_LINE_EXCEEDS_PITCH"},
        {"NV3", CHIP_UNIT_PGRAPH, ENGINE_ERROR_MISSING_METHOD, "MISSING_METHOD"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct unit_trap trap = {.error = rows[i].error};
        assert_string_equal(unit_error_shown(pfifo_chip_by_name(rows[i].chip), rows[i].unit, &trap), rows[i].name);
    }
}

/* Reasons that a page table gives, by the number that the MMU shows. A number that kernels have no name for: any. */
static void reasons_of_faults_have_the_names_of_the_mmu(void **state) {
    static const struct error_names *const tables[] = {&errors_mmu_g80, &errors_mmu_gf100, &errors_mmu,
                                                       &errors_mmu_gv100};
    static const enum fault_reason reasons[] = {FAULT_PDE,       FAULT_PDE_SIZE,  FAULT_PTE,        FAULT_UNBOUND,
                                                FAULT_PRIVILEGE, FAULT_READ_ONLY, FAULT_VRAM_LIMIT, FAULT_KIND};
    unsigned compared = 0;
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++)
        for (size_t t = 0; t < COUNT_OF(tables); t++)
            for (size_t r = 0; r < COUNT_OF(reasons); r++) {
                const struct pfifo_chip *chip = pfifo_chip_at(i);
                if (!chip_in_range(chip, tables[t]->chips) || chip->vm == CHIP_VM_NONE)
                    continue;
                const char *shown = error_name(tables[t], fault_code(chip, reasons[r]));
                if (strcmp(shown, tables[t]->otherwise) == 0)
                    continue;
                if (strcmp(shown, fault_name(chip, reasons[r])) != 0)
                    fail_msg("%s: the trace says %s, the driver %s", chip->name, fault_name(chip, reasons[r]), shown);
                compared++;
            }
    assert_true(compared > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_and_driver_have_one_name_for_each_error),
        cmocka_unit_test(trace_and_driver_have_one_name_for_each_access),
        cmocka_unit_test(names_are_those_of_the_kernels_log),
        cmocka_unit_test(reasons_of_faults_have_the_names_of_the_mmu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
