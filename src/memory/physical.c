/* SPDX-License-Identifier: MIT */
/* The spaces without tables: physical memory, and the space in which every access faults. */
#include "memory/address_space.h"
#include "memory/translate.h"

static bool physical_translate(struct memory *memory, const struct address_space *space, uint64_t address,
                               struct mapping *mapping, struct fault *fault) {
    (void)memory;
    (void)fault;
    uint64_t bytes = address ? UINT64_MAX - address + 1 : UINT64_MAX;
    *mapping = (struct mapping){
        .target = space->target, .physical = address, .bytes = bytes, .writable = true, .readable = true};
    return true;
}

static const struct address_space_ops physical_ops = {.name = "physical", .translate = physical_translate};
const struct address_space_ops *const space_physical = &physical_ops;

struct address_space address_space_physical(enum memory_target target) {
    return (struct address_space){.ops = &physical_ops, .target = target, .limit = UINT64_MAX};
}

static bool fault_translate(struct memory *memory, const struct address_space *space, uint64_t address,
                            struct mapping *mapping, struct fault *fault) {
    (void)memory;
    (void)address;
    (void)mapping;
    return fault_because(fault, (enum fault_reason)space->base);
}

static const struct address_space_ops fault_ops = {.name = "fault", .translate = fault_translate};
const struct address_space_ops *const space_fault = &fault_ops;

struct address_space address_space_fault(enum fault_reason reason) {
    return (struct address_space){.ops = &fault_ops, .base = reason, .limit = UINT64_MAX};
}
