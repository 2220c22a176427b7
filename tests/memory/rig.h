/* SPDX-License-Identifier: MIT */
/* Memory of a chip on the bench: filled by physical address, looked at through address spaces. */
#ifndef PFIFO_TESTS_MEMORY_RIG_H
#define PFIFO_TESTS_MEMORY_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory/memory.h"

#define RIG_VRAM_BYTES   (UINT64_C(64) << 20)
#define RIG_SYSTEM_BYTES (UINT64_C(64) << 20)

/* Addresses and values of tables that the tests write. */
#define KIB(n) (UINT64_C(1024) * (n))
#define MIB(n) (UINT64_C(1024) * KIB(n))
#define GIB(n) (UINT64_C(1024) * MIB(n))

struct rig {
    struct memory memory;
    struct event_hub hub;
    unsigned faults, flushes; /* events seen */
    char fault_name[32];      /* of the last one */
    uint64_t fault_code, fault_address, fault_write;
};

/* On `chip`, which must outlive the rig. Sizes as above; VRAM as the chip has it or not. */
void rig_start(struct rig *rig, const struct pfifo_chip *chip);
void rig_stop(struct rig *rig);

void rig_put32(struct rig *rig, enum memory_target target, uint64_t address, uint32_t value);
void rig_put64(struct rig *rig, enum memory_target target, uint64_t address, uint64_t value);

/* A span of `bytes` from `address` is `expected` long and is the memory at `physical`. */
void rig_span(struct rig *rig, const struct address_space *space, uint64_t address, uint64_t bytes,
              enum memory_access access, enum memory_target target, uint64_t physical, uint64_t expected,
              const char *file, int line);
#define assert_span(rig, space, address, bytes, access, target, physical, expected)                                    \
    rig_span(rig, space, address, bytes, access, target, physical, expected, __FILE__, __LINE__)

/* Address reads and writes the word at `physical`. */
#define assert_maps(rig, space, address, target, physical)                                                             \
    do {                                                                                                               \
        rig_span(rig, space, address, 4, MEMORY_READ, target, physical, 4, __FILE__, __LINE__);                        \
        rig_span(rig, space, address, 4, MEMORY_WRITE, target, physical, 4, __FILE__, __LINE__);                       \
    } while (0)

/* The access faults with `reason`, and one event says so under the name and number of the chip. */
void rig_fault(struct rig *rig, const struct address_space *space, uint64_t address, enum memory_access access,
               enum fault_reason reason, uint32_t code, const char *name, const char *file, int line);
#define assert_faults(rig, space, address, access, reason, code, name)                                                 \
    rig_fault(rig, space, address, access, reason, code, name, __FILE__, __LINE__)

/* Reads give 0, also after a write. */
void rig_nothing_there(struct rig *rig, const struct address_space *space, uint64_t address, const char *file,
                       int line);
#define assert_nothing_there(rig, space, address) rig_nothing_there(rig, space, address, __FILE__, __LINE__)

#endif
