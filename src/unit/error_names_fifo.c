/* SPDX-License-Identifier: MIT */
/*
 * Errors of PFIFO and of the MMU behind it.
 *
 * Sources: envytools docs/hw/fifo/{dma-pusher,puller,gf100-pfifo}.rst, rnndb/fifo; nouveau
 * engine/fifo/{nv04,gf100,gk104}.c; NVIDIA open-gpu-doc manuals/volta/gv100/dev_pbdma.ref.txt.
 */
#include "unit/error_names.h"

#include "hw/pfifo_nv4.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

#define SOURCE_CACHE "envytools docs/hw/fifo, nouveau engine/fifo/nv04.c"
#define SOURCE_PBDMA "NVIDIA open-gpu-doc dev_pbdma.ref.txt, nouveau engine/fifo/gk104.c"

static const struct error_name cache_rows[] = {
    {PULL0_HASH_FAILED, "HASH_FAILED",
     "the handle that method 0 or a method of objects gave is not in RAMHT: no such object was made for this channel"},
    {PULL0_INVALID_ENGINE, "INVALID_ENGINE", "the object's entry in RAMHT names an engine that the chip does not have"},
    {PULL0_DEVICE_SOFTWARE, "DEVICE_SOFTWARE",
     "the subchannel is bound to a software object, or to none: the driver is to execute the method"},
};

const struct error_names errors_cache = {
    .unit = "CACHE_ERROR",
    .where = "CACHE1_PULL0",
    .chips = "NV1:GF100",
    .rows = cache_rows,
    .count = COUNT_OF(cache_rows),
    .bits = true,
    .otherwise = "UNKNOWN",
    .source = SOURCE_CACHE,
};

static const struct error_name pusher_rows[] = {
    {0, "NONE", "no error"},
    {1, "CALL_SUBR_ACTIVE", "a call inside a subroutine: there is one return address only"},
    {2, "INVALID_MTHD", "data for a method below 0x100 that the puller does not have"},
    {3, "RET_SUBR_INACTIVE", "a return without a call"},
    {4, "INVALID_CMD",
     "a word that is no command of this chip: often data that was taken for a header, after a count that was too "
     "small"},
    {5, "IB_EMPTY", "an entry of the ring is a segment of no words"},
    {6, "MEM_FAULT",
     "the pushbuffer or the ring could not be read: nothing is mapped at the address, or it is beyond the limit"},
    {7, "UNKNOWN", NULL},
};

const struct error_names errors_pusher = {
    .unit = "DMA_PUSHER",
    .where = "CACHE1_DMA_STATE",
    .chips = "NV4:GF100",
    .rows = pusher_rows,
    .count = COUNT_OF(pusher_rows),
    .bits = false,
    .otherwise = "UNKNOWN",
    .source = SOURCE_CACHE,
};

static const struct error_name semaphore_nv1a_rows[] = {
    {0, "NONE", "no error"},
    {1, "INVALID_OPERAND",
     "the object of the semaphore is not of class 2 and write-only, or the offset is not aligned or too large"},
    {2, "INVALID_STATE", "an acquire or release before the semaphore was set"},
};

const struct error_names errors_semaphore_nv1a = {
    .unit = "SEMAPHORE",
    .where = "CACHE1_PULL0",
    .chips = "NV1A:G80",
    .rows = semaphore_nv1a_rows,
    .count = COUNT_OF(semaphore_nv1a_rows),
    .bits = false,
    .otherwise = "UNKNOWN",
    .source = SOURCE_CACHE,
};

static const struct error_name semaphore_g80_rows[] = {
    {0, "NONE", "no error"},
    {1, "ADDRESS_UNALIGNED", "the semaphore's address is not a multiple of 4, or of 16 where 16 bytes are written"},
    {2, "INVALID_STATE", "an acquire or release before the semaphore was set"},
    {3, "ADDRESS_TOO_LARGE", "the semaphore's address has bits above the 40 that the chip has"},
    {4, "MEM_FAULT", "the semaphore could not be read or written: nothing is mapped there"},
};

const struct error_names errors_semaphore_g80 = {
    .unit = "SEMAPHORE",
    .where = "CACHE1_PULL0",
    .chips = "G80:GF100",
    .rows = semaphore_g80_rows,
    .count = COUNT_OF(semaphore_g80_rows),
    .bits = false,
    .otherwise = "UNKNOWN",
    .source = SOURCE_CACHE,
};

static const struct error_name pbdma_rows[] = {
    {1u << 0, "MEMREQ", "a request to memory failed, or got no answer in time"},
    {1u << 1, "MEMACK_TIMEOUT", "the MMU did not acknowledge a request"},
    {1u << 2, "MEMACK_EXTRA", "the MMU acknowledged a request that was not made"},
    {1u << 3, "MEMDAT_TIMEOUT", "memory did not return the data of a read"},
    {1u << 4, "MEMDAT_EXTRA", "memory returned data that was not asked for"},
    {1u << 5, "MEMFLUSH", "a flush of memory was not acknowledged"},
    {1u << 6, "MEMOP", "a memory operation (MEM_OP) was not acknowledged"},
    {1u << 7, "LBCONNECT", "the latency buffer did not connect in time"},
    {1u << 8, "LBREQ", NULL},
    {1u << 9, "LBACK_TIMEOUT", "the latency buffer did not acknowledge in time"},
    {1u << 10, "LBACK_EXTRA", "the latency buffer acknowledged what was not asked for"},
    {1u << 11, "LBDAT_TIMEOUT", "the latency buffer did not return data in time"},
    {1u << 12, "LBDAT_EXTRA", "the latency buffer returned data that was not asked for"},
    {1u << 13, "GPFIFO", "the ring of entries (GPFIFO) crosses the end of the address space"},
    {1u << 14, "GPPTR", "GP_PUT, GP_FETCH or GP_GET of the channel is beyond the end of its ring"},
    {1u << 15, "GPENTRY",
     "an entry of the ring is invalid: its opcode, or its segment reaches the end of the address space"},
    {1u << 16, "GPCRC", "the CRC of the ring's entries is not what the channel asked for"},
    {1u << 17, "PBPTR", "GET of a pushbuffer segment is not before its PUT"},
    {1u << 18, "PBENTRY",
     "a pushbuffer word is no valid header: often data that was taken for a header, after a count that was too small"},
    {1u << 19, "PBCRC", "the CRC of the pushbuffer is not what the channel asked for"},
    {1u << 20, "XBARCONNECT", "the crossbar did not connect"},
    {1u << 21, "METHOD",
     "a host method that the chip does not have, that the channel may not use, or with data that it does not take"},
    {1u << 22, "METHODCRC", "the CRC of methods is not what CRC_CHECK asks for"},
    {1u << 23, "DEVICE", "a method for software: the driver is to execute it"},
    {1u << 24, "ENG_RESET", "an engine of the runlist was reset while the channel ran"},
    {1u << 25, "SEMAPHORE",
     "a semaphore method with an operation that does not exist, or an address that is not aligned"},
    {1u << 26, "ACQUIRE", "an acquire waited longer than the channel's timeout: nobody released the semaphore"},
    {1u << 27, "PRI", "a register of the PBDMA was written while it was busy and not stalled"},
    {1u << 28, "UNKNOWN", NULL},
    {1u << 29, "NO_CTXSW_SEG", "an acquire has to wait in a segment that forbids channel switches"},
    {1u << 30, "PBSEG", "a command's header is in one segment and its data in a later, conditional one"},
    {1u << 31, "SIGNATURE", "the channel's RAMFC has no valid signature: it was not set up, or was overwritten"},
};

const struct error_names errors_pbdma = {
    .unit = "PBDMA",
    .where = "PBDMA_INTR_0",
    .chips = "GF100-",
    .rows = pbdma_rows,
    .count = COUNT_OF(pbdma_rows),
    .bits = true,
    .otherwise = "UNKNOWN",
    .source = SOURCE_PBDMA,
};

static const struct error_name pbdma_copy_rows[] = {
    {1u << 0, "HCE_RE_ILLEGAL_OP", NULL},
    {1u << 1, "HCE_RE_ALIGNB", NULL},
    {1u << 2, "HCE_PRIV", NULL},
    {1u << 3, "HCE_ILLEGAL_MTHD", "a method that the copy class does not have"},
    {1u << 4, "HCE_ILLEGAL_CLASS", "a class that is no copy class"},
};

const struct error_names errors_pbdma_copy = {
    .unit = "PBDMA",
    .where = "PBDMA_INTR_1",
    .chips = "GK104-",
    .rows = pbdma_copy_rows,
    .count = COUNT_OF(pbdma_copy_rows),
    .bits = true,
    .otherwise = "UNKNOWN",
    .source = SOURCE_PBDMA,
};

/* hw_pbdma_gv11b.h; the driver of this project does not turn it on. */
static const struct error_name pbdma_context_rows[] = {
    {1u << 31, "CTXNOTVALID", "work of a channel whose context was not set"},
};

const struct error_names errors_pbdma_context = {
    .unit = "PBDMA",
    .where = "PBDMA_INTR_1",
    .chips = "GV100-",
    .rows = pbdma_context_rows,
    .count = COUNT_OF(pbdma_context_rows),
    .bits = true,
    .otherwise = "UNKNOWN",
    .source = "nvgpu hw_pbdma_gv11b.h",
};

/* The texts of the reasons that all generations from GF100 on have, under several names. */
#define TEXT_PDE       "the page directory has no entry for the address: nothing is mapped near it"
#define TEXT_PDE_SIZE  "the page table does not reach to the address"
#define TEXT_PTE       "the page table's entry is not valid: nothing is mapped at the address, or no longer"
#define TEXT_LIMIT     "the address is beyond the limit of the address space"
#define TEXT_UNBOUND   "the unit has no instance block: no channel or address space is bound to it"
#define TEXT_PRIVILEGE "the page is for privileged accesses"
#define TEXT_READ_ONLY "a write to a page that is read-only"
#define TEXT_KIND      "the kind (storage type) of the page is not one that the unit can access"

static const struct error_name mmu_gf100_rows[] = {
    {0, "PT_NOT_PRESENT", TEXT_PDE},         {1, "PT_TOO_SHORT", TEXT_PDE_SIZE},
    {2, "PAGE_NOT_PRESENT", TEXT_PTE},       {3, "VM_LIMIT_EXCEEDED", TEXT_LIMIT},
    {4, "NO_CHANNEL", TEXT_UNBOUND},         {5, "PAGE_SYSTEM_ONLY", TEXT_PRIVILEGE},
    {6, "PAGE_READ_ONLY", TEXT_READ_ONLY},   {10, "COMPRESSED_SYSRAM", "the page is compressed, and not in VRAM"},
    {12, "INVALID_STORAGE_TYPE", TEXT_KIND},
};

const struct error_names errors_mmu_gf100 = {
    .unit = "MMU",
    .where = "VM_FAULT status 3:0",
    .chips = "GF100:GK104",
    .rows = mmu_gf100_rows,
    .count = COUNT_OF(mmu_gf100_rows),
    .otherwise = "UNKNOWN",
    .source = "nouveau engine/fifo/gf100.c",
};

/* Kepler and later, up to POISONED. */
#define MMU_ROWS                                                                                                       \
    {0, "PDE", TEXT_PDE}, {1, "PDE_SIZE", TEXT_PDE_SIZE}, {2, "PTE", TEXT_PTE}, {3, "VA_LIMIT_VIOLATION", TEXT_LIMIT}, \
        {4, "UNBOUND_INST_BLOCK", TEXT_UNBOUND}, {5, "PRIV_VIOLATION", TEXT_PRIVILEGE},                                \
        {6, "RO_VIOLATION", TEXT_READ_ONLY}, {7, "WO_VIOLATION", "a read of a page that is write-only"},               \
        {8, "PITCH_MASK_VIOLATION", "the tiling of the page does not allow the access"},                               \
        {9, "WORK_CREATION", "work was created from memory that it may not be created from"},                          \
        {10, "UNSUPPORTED_APERTURE", "the page is in a memory that the unit cannot reach"},                            \
        {11, "COMPRESSION_FAILURE", "the page's compression could not be undone"},                                     \
        {12, "UNSUPPORTED_KIND", TEXT_KIND}, {                                                                         \
        13, "REGION_VIOLATION", "the address is in a region that no access is allowed to"                              \
    }

static const struct error_name mmu_rows[] = {
    MMU_ROWS,
    {14, "BOTH_PTES_VALID", "the big and the small page table both map the address"},
    {15, "INFO_TYPE_POISONED", "the memory under the page is marked as damaged"},
};

const struct error_names errors_mmu = {
    .unit = "MMU",
    .where = "VM_FAULT status 3:0",
    .chips = "GK104:GV100",
    .rows = mmu_rows,
    .count = COUNT_OF(mmu_rows),
    .bits = false,
    .otherwise = "UNKNOWN",
    .source = "nouveau engine/fifo/gk104.c, NVIDIA open-gpu-doc dev_mmu_fault",
};

static const struct error_name mmu_gv100_rows[] = {
    MMU_ROWS,
    {14, "POISONED", "the memory under the page is marked as damaged"},
    {15, "ATOMIC_VIOLATION", "an atomic operation on a page that does not allow it"},
};

const struct error_names errors_mmu_gv100 = {
    .unit = "MMU",
    .where = "FAULT_INFO 4:0",
    .chips = "GV100-",
    .rows = mmu_gv100_rows,
    .count = COUNT_OF(mmu_gv100_rows),
    .otherwise = "UNKNOWN",
    .source = "nouveau engine/fifo/gv100.c, NVIDIA open-gpu-doc dev_mmu_fault",
};

static const struct error_name mmu_g80_rows[] = {
    {0x0, "PT_NOT_PRESENT", "the page directory has no page table for the address: nothing is mapped near it"},
    {0x1, "PT_TOO_SHORT", "the page table does not reach to the address"},
    {0x2, "PAGE_NOT_PRESENT", "nothing is mapped at the address, or no longer"},
    {0x3, "PAGE_SUPERVISOR_ONLY", "the page is for privileged accesses"},
    {0x4, "PAGE_READ_ONLY", "a write to a page that is read-only"},
    {0x5, "NO_CHANNEL", "the unit has no channel, and so no address space"},
    {0x6, "NULL_DMAOBJ", "the access goes through a DMA object that was not given"},
    {0x7, "WRONG_MEMTYPE", "the storage type of the page is not one that the unit can access"},
    {0xb, "VRAM_LIMIT", "the page is beyond the end of VRAM"},
    {0xf, "DMAOBJ_LIMIT", "the address is beyond the limit of the DMA object"},
};

const struct error_names errors_mmu_g80 = {
    .unit = "MMU",
    .where = "VM_FAULT reason",
    .chips = "G80:GF100",
    .rows = mmu_g80_rows,
    .count = COUNT_OF(mmu_g80_rows),
    .otherwise = "UNKNOWN",
    .source = "envytools docs/hw/memory/g80-vm.rst, nouveau subdev/fb/nv50.c",
};

const char *error_name(const struct error_names *names, uint32_t value) {
    for (size_t i = 0; i < names->count; i++)
        if (names->bits ? (value & names->rows[i].code) != 0 : value == names->rows[i].code)
            return names->rows[i].name;
    return names->otherwise;
}
