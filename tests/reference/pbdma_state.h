/* SPDX-License-Identifier: MIT */
/* What the files of the reference's PBDMA share. Words are named by their offsets in RAMFC. */
#ifndef PFIFO_TESTS_REFERENCE_PBDMA_STATE_H
#define PFIFO_TESTS_REFERENCE_PBDMA_STATE_H

#include "pbdma.h"

enum {
    GP_PUT = 0x00,
    MEM_OP_A = 0x04,
    USERD = 0x08,
    USERD_HI = 0x0c,
    SIGNATURE_WORD = 0x10,
    GP_GET = 0x14,
    GET = 0x18,
    GET_HI = 0x1c,
    TOP_GET = 0x20,
    TOP_GET_HI = 0x24,
    REF = 0x28,
    ACQUIRE = 0x30,
    ACQUIRE_DEADLINE = 0x34,
    SEM_ADDR_HI = 0x38,
    SEM_ADDR_LO = 0x3c,
    SEM_PAYLOAD = 0x40,
    SEM_EXECUTE = 0x44,
    GP_BASE = 0x48,
    GP_BASE_HI = 0x4c,
    GP_FETCH = 0x50,
    PB_FETCH = 0x54,
    PB_FETCH_HI = 0x58,
    PUT = 0x5c,
    PUT_HI = 0x60,
    MEM_OP_B = 0x64,
    GP_CRC = 0x74,
    METHOD_70 = 0x78, /* operands of 0x70, 0x74 and 0x78 */
    PB_HEADER = 0x84,
    PB_COUNT = 0x88,
    SUBDEVICE = 0x94,
    CMD_TYPES = 0x9c,
    METHOD_28 = 0xa0,
    ENGINES = 0xa4,
    TARGET = 0xac,
    METHOD_CRC = 0xb0,
    METHOD0 = 0xc0,
    DATA0 = 0xc4,
    IB_FLAGS = 0xe0,
    TIMESLICE_WORD = 0xf8,
};

enum { TYPE_SSDM, TYPE_INC, TYPE_STORE, TYPE_NON_INC, TYPE_IMMD, TYPE_INC_ONCE, TYPE_USE, TYPE_END };

#define HEADER_LEVEL       0x00100000u
#define HEADER_FIRST       0x00400000u /* also in METHOD0 */
#define HEADER_CONDITIONAL 0x00800000u
#define METHOD_INC         0x00000001u
#define METHOD_VALID       0x80000000u
#define SUBDEVICE_ACTIVE   0x10000000u
#define SUBDEVICE_DMA      0x20000000u
#define ACQUIRE_FAIL       0x00080000u /* SEM_EXECUTE */

/* INTR_0 */
#define GPFIFO          0x00002000u
#define GPPTR           0x00004000u
#define GPENTRY         0x00008000u
#define GPCRC           0x00010000u
#define PBPTR           0x00020000u
#define PBENTRY         0x00040000u
#define METHOD_ERROR    0x00200000u
#define METHODCRC       0x00400000u
#define DEVICE          0x00800000u
#define SEMAPHORE       0x02000000u
#define ACQUIRE_TIMEOUT 0x04000000u
#define NO_CTXSW_SEG    0x20000000u
#define PBSEG           0x40000000u
#define SIGNATURE       0x80000000u
#define HCE_CLASS       0x00000010u /* INTR_1 */

enum outcome { DONE, WAITING, STALLED, FAULTED, LEAVES };

static inline uint32_t *word(struct pbdma_reference *r, uint32_t offset) {
    return &r->word[offset / 4];
}

static inline uint32_t value(const struct pbdma_reference *r, uint32_t offset) {
    return r->word[offset / 4];
}

uint32_t pref_physical_rd32(const struct pbdma_reference *r, uint64_t address);
void pref_physical_wr32(struct pbdma_reference *r, uint64_t address, uint32_t value);
bool pref_rd32(const struct pbdma_reference *r, uint64_t address, uint32_t *value);
void pref_event(struct pbdma_reference *r, const char *name, const char *text, uint64_t v0, uint64_t v1, uint64_t v2,
                uint64_t v3, uint64_t v4);
bool pref_raise(struct pbdma_reference *r, uint32_t bit, const char *cause);
enum outcome pref_stalls(struct pbdma_reference *r, uint32_t bit, const char *cause);
enum outcome pref_fault(struct pbdma_reference *r, uint64_t address, uint32_t bytes, bool write);
uint32_t pref_crc(uint32_t crc, uint32_t byte);
uint32_t pref_crc_word(uint32_t crc, uint32_t word);
enum outcome pref_execute(struct pbdma_reference *r);
/* One unit of work, or none. */
enum outcome pref_step(struct pbdma_reference *r);
bool pref_stalled(const struct pbdma_reference *r);
bool pref_in_segment(const struct pbdma_reference *r);
bool pref_has_work(struct pbdma_reference *r); /* an empty ring looks into USERD again */
/* RAMFC at config.instance; false: the signature is wrong. */
void pref_load(struct pbdma_reference *r);
void pref_save(struct pbdma_reference *r);
uint64_t pref_userd(const struct pbdma_reference *r);

#endif
