/* SPDX-License-Identifier: MIT */
/*
 * Registers of PFIFO of NV1, NV3 and NV3T. The bits are those that stick in scans on NV1 and NV3T.
 *
 * UNKNOWN: reset values; chosen: those that PFIFO has while PMC ENABLE switches it off.
 * Sources: envytools hwtest/pfifo.cc (scans), rnndb/fifo/nv1_pfifo.xml, rnndb/memory/nv1_pram.xml.
 */
#include "fifo/cache/nv1.h"

#include "fifo/cache/pio.h"

#define R(field)        offsetof(struct cache_fifo, r.field)
#define RW(bits)        .readable = (bits), .writable = (bits)
#define AT(field, bits) .at = R(field), RW(bits)
#define RO(bits)        .at = REG_NONE, .readable = (bits)

#define INTR_FIELDS_NV1 "CACHE_ERROR 0, RUNOUT 4, RUNOUT_OVERFLOW 8"
#define INTR_FIELDS_NV3 "CACHE_ERROR 0, RUNOUT 4, RUNOUT_OVERFLOW 8, DMA_PUSHER 12, DMA_PTE 16"
#define CTX_FIELDS_NV1  "INSTANCE 15:0, TYPE 22:16, FREE_LIE 24"
#define CTX_FIELDS_NV3  "INSTANCE 15:0, TYPE 22:16, GRAPH 23"
#define PULL0_FIELDS    "ACCESS 0, HASH_FAILED 4, DEVICE_SOFTWARE 8"
#define ENTRIES         .read = cache_read_entry, .write = cache_write_entry

const struct reg_row nv1_rows[] = {
    {"NV1:NV4", {NV_PFIFO_DELAY_0, "DELAY_0", AT(delay, 0xff), .fields = "WAIT_RETRY 7:0"}},
    {"NV1:NV4", {0x2080, "DEBUG_0", .at = R(debug_0), .readable = 0x11, .fields = "CACHE0_ERROR 0, CACHE1_ERROR 4"}},
    {"NV1",
     {NV_PFIFO_INTR, "INTR_0", .at = R(intr), .readable = ~0u, .write = cache_write_intr, .fields = INTR_FIELDS_NV1}},
    {"NV3:NV4",
     {NV_PFIFO_INTR, "INTR_0", .at = R(intr), .readable = ~0u, .write = cache_write_intr, .fields = INTR_FIELDS_NV3}},
    {"NV1",
     {NV_PFIFO_INTR_EN, "INTR_EN_0", AT(intr_en, 0x111), .write = cache_write_intr_en, .fields = INTR_FIELDS_NV1}},
    {"NV3:NV4",
     {NV_PFIFO_INTR_EN, "INTR_EN_0", AT(intr_en, 0x11111), .write = cache_write_intr_en, .fields = INTR_FIELDS_NV3}},
    {"NV1", {NV_PFIFO_CONFIG_0, "CONFIG_0", AT(config_0, 0x3), .fields = "FREE_LIE 1:0"}},
    {"NV3:NV4", {NV_PFIFO_CONFIG_0, "CONFIG_0", AT(config_0, 0xfc0300), .fields = "FETCH_SIZE 9:8, FETCH_TRIG 23:18"}},
    {"NV3:NV4", {NV_PFIFO_RAMHT, "RAMHT", AT(ramht, 0x3f000), .fields = "ADDRESS 15:12, SIZE 17:16"}},
    {"NV3:NV4", {NV_PFIFO_RAMFC, "RAMFC", AT(ramfc, 0xfe00), .reset = 0x1c00, .fields = "ADDRESS 15:9"}},
    {"NV3:NV4", {NV_PFIFO_RAMRO, "RAMRO", AT(ramro, 0x1fe00), .reset = 0x1e00, .fields = "ADDRESS 15:9, SIZE 16"}},
    {"NV1:NV4",
     {NV_PFIFO_RUNOUT_STATUS, "RUNOUT_STATUS", RO(0x111), .read = pio_runout_status,
      .fields = "RANOUT 0, EMPTY 4, FULL 8"}},
    {"NV1", {NV_PFIFO_RUNOUT_PUT, "RUNOUT_PUT", AT(runout_put, 0x3ff8), .write = pio_write_runout}},
    {"NV3:NV4", {NV_PFIFO_RUNOUT_PUT, "RUNOUT_PUT", AT(runout_put, 0x1ff8), .write = pio_write_runout}},
    {"NV1:NV4", {NV_PFIFO_RUNOUT_GET, "RUNOUT_GET", AT(runout_get, 0x3ff8), .write = pio_write_runout}},
    {"NV1:NV4", {NV_PFIFO_CACHES, "CACHES", AT(caches, 1), .fields = "REASSIGN 0"}},
    /* UNKNOWN: what this shows; chosen: nothing. */
    {"NV1:NV4", {0x2800, "DEVICE", RO(0x1100007f), .fields = "CHID 6:0, SWITCH_AVAILABLE 24, ACCESS_OK 28"}},

    /* ---- CACHE0 ---- */
    {"NV1:NV4", {NV_CACHE0_PUSH0, "CACHE0_PUSH0", AT(cache0.push0, 1), .fields = "ACCESS 0"}},
    {"NV1", {0x3010, "CACHE0_PUSH1", AT(cache0.push1, 0x7f), .fields = "CHID 6:0"}},
    {"NV3:NV4", {0x3004, "CACHE0_PUSH1", AT(cache0.push1, 0x7f), .fields = "CHID 6:0"}},
    {"NV1", {0x3020, "CACHE0_STATUS", RO(0x110), .read = cache0_read_status, .fields = "EMPTY 4, FULL 8"}},
    {"NV3:NV4", {0x3014, "CACHE0_STATUS", RO(0x110), .read = cache0_read_status, .fields = "EMPTY 4, FULL 8"}},
    {"NV1", {0x3030, "CACHE0_PUT", AT(cache0.put, 4)}},
    {"NV3:NV4", {0x3010, "CACHE0_PUT", AT(cache0.put, 4)}},
    {"NV1:NV4",
     {NV1_CACHE0_PULL0, "CACHE0_PULL0", .at = R(cache0.pull0), .readable = 0x111, .writable = 1,
      .fields = PULL0_FIELDS}},
    {"NV1", {0x3050, "CACHE0_PULL1", AT(cache0.pull1, 0x100), .fields = "OBJECT_CHANGED 8"}},
    {"NV1:NV4", {0x3070, "CACHE0_GET", AT(cache0.get, 4)}},
    {"NV1", {0x3080, "CACHE0_CTX", AT(cache0.context, 0x007fffff), .fields = "INSTANCE 15:0, TYPE 22:16"}},
    {"NV3:NV4", {0x3080, "CACHE0_CTX", AT(cache0.context, 0x00ffffff), .fields = CTX_FIELDS_NV3}},
    {"NV1:NV4", {0x3100, "CACHE0_ADDR", AT(cache0.method, 0xfffc), .fields = "METHOD 12:2, SUBCHANNEL 15:13"}},
    {"NV1:NV4", {0x3104, "CACHE0_DATA", AT(cache0.data, ~0u)}},

    /* ---- CACHE1 ---- */
    {"NV1:NV4", {NV_CACHE1_PUSH0, "CACHE1_PUSH0", AT(push0, 1), .fields = "ACCESS 0"}},
    {"NV1", {NV1_CACHE1_PUSH1, "CACHE1_PUSH1", AT(push1, 0x7f), .write = cache_write_channel, .fields = "CHID 6:0"}},
    {"NV3:NV4",
     {NV_CACHE1_PUSH1, "CACHE1_PUSH1", AT(push1, 0x17f), .write = cache_write_channel, .fields = "CHID 6:0, UNK 8"}},
    {"NV1", {0x3220, "CACHE1_STATUS", RO(0x111), .read = cache_read_status, .fields = "RANOUT 0, EMPTY 4, FULL 8"}},
    {"NV3:NV4",
     {NV_CACHE1_STATUS, "CACHE1_STATUS", RO(0x111), .read = cache_read_status, .fields = "RANOUT 0, EMPTY 4, FULL 8"}},
    {"NV1", {NV1_CACHE1_PUT, "CACHE1_PUT", AT(put, 0x7c)}},
    {"NV3", {NV_CACHE1_PUT, "CACHE1_PUT", AT(put, 0x7c)}},
    {"NV3T", {NV_CACHE1_PUT, "CACHE1_PUT", AT(put, 0x1fc)}},
    {"NV1:NV4",
     {NV1_CACHE1_PULL0, "CACHE1_PULL0", .at = R(pull0), .readable = 0x111, .writable = 1, .fields = PULL0_FIELDS}},
    {"NV1",
     {NV1_CACHE1_PULL1, "CACHE1_PULL1", AT(pull1, 0x117), .fields = "SUBCHANNEL 2:0, CTX_DIRTY 4, OBJECT_CHANGED 8"}},
    {"NV3:NV4", {NV1_CACHE1_PULL1, "CACHE1_PULL1", AT(pull1, 0x10), .fields = "CTX_DIRTY 4"}},
    {"NV1 NV3", {NV_CACHE1_GET, "CACHE1_GET", AT(get, 0x7c), .write = cache_write_get}},
    {"NV3T", {NV_CACHE1_GET, "CACHE1_GET", AT(get, 0x1fc), .write = cache_write_get}},
    {"NV1",
     {NV1_CACHE1_CTX, "CACHE1_CTX", AT(context, NV1_CONTEXT), .count = 8, .stride = 16, .fields = CTX_FIELDS_NV1}},
    {"NV3:NV4",
     {NV1_CACHE1_CTX, "CACHE1_CTX", AT(context, NV3_CONTEXT), .count = 8, .stride = 16, .fields = CTX_FIELDS_NV3}},
    {"NV1 NV3", {NV1_CACHE1_ENTRY, "CACHE1_ENTRY", .at = REG_NONE, RW(~0u), .count = 64, ENTRIES}},
    {"NV3T", {NV3T_CACHE1_ENTRY, "CACHE1_ENTRY", .at = REG_NONE, RW(~0u), .count = 128, ENTRIES}},

    /* ---- the DMA of NV3 ---- */
    {"NV3:NV4",
     {0x3218, "CACHE1_DMA_STATE", AT(dma_state, 0x5ffcfffc),
      .fields = "METHOD 12:2, SUBCHANNEL 15:13, COUNT 28:18, ERROR 30"}},
    {"NV3:NV4",
     {NV3_CACHE1_DMA0, "CACHE1_DMA0", .at = R(kernel_dma), .readable = 0x11, .writable = 1,
      .read = nv3_read_dma_control, .fields = "ACCESS 0, BUSY 4"}},
    {"NV3:NV4", {0x3224, "CACHE1_DMA1", AT(kernel_count, 0xfffffc), .fields = "BYTES 23:2"}},
    {"NV3:NV4", {0x3228, "CACHE1_DMA2", AT(kernel_get, 0xfffffc), .fields = "OFFSET 23:2"}},
    {"NV3:NV4", {0x322c, "CACHE1_DMA3", AT(kernel_target, 3), .fields = "TARGET 1:0"}},
    {"NV3:NV4", {0x3230, "CACHE1_DMA_TLB_TAG", AT(tlb_tag, ~0u)}},
    {"NV3:NV4", {0x3234, "CACHE1_DMA_TLB_PTE", AT(tlb_pte, 0xfffff001), .fields = "FRAME 31:12, PRESENT 0"}},
    {"NV3:NV4", {0x3238, "CACHE1_DMA_PT_INST", AT(kernel_pt, 0xffffc)}},

    /* ---- NV1: PRAM ---- */
    {"NV1", {0x602400, "HASH_VIRTUAL", .at = REG_NONE, .count = 128, .write = nv1_write_hash_virtual}},
    {"NV1", {0x602600, "HASH_PHYSICAL", .at = R(hash_physical), .readable = NV1_CONTEXT, .fields = CTX_FIELDS_NV1}},
};

const size_t nv1_row_count = sizeof nv1_rows / sizeof nv1_rows[0];
