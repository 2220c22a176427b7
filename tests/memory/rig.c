/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <stdio.h>

static void observe(void *opaque, const struct pfifo_event *event) {
    struct rig *rig = opaque;
    if (event->id == EVENT_MEMORY_TLB_FLUSH)
        rig->flushes++;
    if (event->id != EVENT_MEMORY_FAULT)
        return;
    rig->faults++;
    snprintf(rig->fault_name, sizeof rig->fault_name, "%s", event->text);
    rig->fault_code = event->value[0];
    rig->fault_address = event->value[1];
    rig->fault_write = event->value[2];
}

void rig_start(struct rig *rig, const struct pfifo_chip *chip) {
    struct memory_config config = {
        .chip = chip, .vram_bytes = RIG_VRAM_BYTES, .system_bytes = RIG_SYSTEM_BYTES, .events = &rig->hub};
    memset(rig, 0, sizeof *rig);
    assert_int_equal(event_observe(&rig->hub, "memory.*", observe, rig, NULL), PFIFO_OK);
    assert_int_equal(memory_init(&rig->memory, &config, NULL), PFIFO_OK);
}

void rig_stop(struct rig *rig) {
    memory_free(&rig->memory);
}

void rig_put32(struct rig *rig, enum memory_target target, uint64_t address, uint32_t value) {
    memory_physical_wr32(&rig->memory, target, address, value);
}

void rig_put64(struct rig *rig, enum memory_target target, uint64_t address, uint64_t value) {
    rig_put32(rig, target, address, (uint32_t)value);
    rig_put32(rig, target, address + 4, (uint32_t)(value >> 32));
}

static const uint8_t *host_of(const struct rig *rig, enum memory_target target, uint64_t physical) {
    return (target == MEMORY_VRAM ? rig->memory.vram : rig->memory.system) + physical;
}

void rig_span(struct rig *rig, const struct address_space *space, uint64_t address, uint64_t bytes,
              enum memory_access access, enum memory_target target, uint64_t physical, uint64_t expected,
              const char *file, int line) {
    struct span span = {0};
    struct fault fault = {0};
    if (!memory_span(&rig->memory, space, address, bytes, access, &span, &fault)) {
        print_error("%#llx faults: %s\n", (unsigned long long)address,
                    fault_name(rig->memory.config.chip, fault.reason));
        _fail(file, line);
    }
    _assert_int_equal((uintptr_t)span.data, (uintptr_t)host_of(rig, target, physical), file, line);
    _assert_int_equal(span.bytes, expected, file, line);
}

void rig_fault(struct rig *rig, const struct address_space *space, uint64_t address, enum memory_access access,
               enum fault_reason reason, uint32_t code, const char *name, const char *file, int line) {
    struct span span;
    struct fault fault = {0};
    unsigned before = rig->faults;
    _assert_int_equal(memory_span(&rig->memory, space, address, 4, access, &span, &fault), false, file, line);
    _assert_int_equal(fault.reason, reason, file, line);
    _assert_int_equal(fault.address, address, file, line);
    _assert_int_equal(fault.write, access == MEMORY_WRITE, file, line);
    _assert_int_equal(rig->faults, before + 1, file, line);
    _assert_string_equal(rig->fault_name, name, file, line);
    _assert_int_equal(rig->fault_code, code, file, line);
    _assert_int_equal(rig->fault_address, address, file, line);
    _assert_int_equal(rig->fault_write, access == MEMORY_WRITE, file, line);
}

void rig_nothing_there(struct rig *rig, const struct address_space *space, uint64_t address, const char *file,
                       int line) {
    uint32_t value = 1;
    _assert_int_equal(memory_rd32(&rig->memory, space, address, &value, NULL), true, file, line);
    _assert_int_equal(value, 0, file, line);
    _assert_int_equal(memory_wr32(&rig->memory, space, address, 0xdeadbeef, NULL), true, file, line);
    _assert_int_equal(memory_rd32(&rig->memory, space, address, &value, NULL), true, file, line);
    _assert_int_equal(value, 0, file, line);
}
