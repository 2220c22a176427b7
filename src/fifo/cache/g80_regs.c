/* SPDX-License-Identifier: MIT */
/*
 * Registers of PFIFO of G80 .. MCP89. A row says which chips have it; where bits were added there is a row for each
 * form. Names of bits that the database only numbers are UNKn; they are stored and read back.
 *
 * UNKNOWN: values after power-on where the database has none; chosen: those of NV4x where the register is an old one,
 * else 0. Facts that it has for G80 or G86 only are used for all chips with the register in this form.
 *
 * Source: envytools rnndb/fifo/g80_pfifo.xml.
 */
#include "fifo/cache/g80.h"

#include "fifo/cache/switcher.h"

#define R(field)        offsetof(struct cache_fifo, r.field)
#define RW(bits)        .readable = (bits), .writable = (bits)
#define AT(field, bits) .at = R(field), RW(bits)
#define RO(bits)        .at = REG_NONE, .readable = (bits)

#define INTR_G80                                                                                                       \
    "CACHE_ERROR 0, BAR_FAULT 4, PEEPHOLE_FAULT 6, PIO_ERROR 8, DMA_PUSHER 12, UNK16 16, UNK18 18, UNK19 19, "         \
    "SEMAPHORE 20, UNK21 29:21"
#define INTR_G84   INTR_G80 ", NOTIFY 30"
#define INTR_GT215 INTR_G84 ", UNK9 9, UNK10 10"
#define INTR_MCP89 INTR_GT215 ", MTHD_UNK2C 11"
#define INTR_ROWS(chips, bits, names)                                                                                  \
    {chips, {NV_PFIFO_INTR, "INTR", .at = R(intr), .readable = (bits), .write = cache_write_intr, .fields = (names)}}, \
    {                                                                                                                  \
        chips, {                                                                                                       \
            NV_PFIFO_INTR_EN, "INTR_EN", AT(intr_en, bits), .write = cache_write_intr_en, .fields = (names)            \
        }                                                                                                              \
    }

#define DEBUG_4_FIELDS(second, third, fourth, fifth, sixth)                                                            \
    "PGRAPH 3:0, " second " 7:4, " third " 11:8, " fourth " 15:12, UNK16 23:16, " fifth " 27:24, " sixth " 31:28"

#define ENGINES(second, third, fourth, fifth, sixth)                                                                   \
    "PGRAPH 0, " second " 1, " third " 2, " fourth " 3, " fifth " 4, " sixth " 5"
#define IDLE_ROW(chips, ...)                                                                                           \
    {                                                                                                                  \
        chips, {                                                                                                       \
            0x251c, "ENGINE_IDLE", RO(0x0000003f), .read = g80_read_engine_idle, .fields = ENGINES(__VA_ARGS__)        \
        }                                                                                                              \
    }

#define DEBUG_4_ROW(chips, reset_value, ...)                                                                           \
    {                                                                                                                  \
        chips, {                                                                                                       \
            0x2090, "DEBUG_4", AT(debug_4, ~0u), .reset = (reset_value), .fields = DEBUG_4_FIELDS(__VA_ARGS__)         \
        }                                                                                                              \
    }

#define PULL0_FIELDS                                                                                                   \
    "ACCESS 0, HASH_FAILED 4, DEVICE_SOFTWARE 8, HASH_BUSY 12, ACQUIRE_BUSY 16, SEMAPHORE_ERROR 23:20, "               \
    "INVALID_ENGINE 24"

#define VP2_CHIPS "G84:G98 GT200"
#define VP3_CHIPS "G98 MCP77:GT215"

const struct reg_row g80_rows[] = {
    /* ---- timers and the switcher ---- */
    {"G80-", {NV_PFIFO_DELAY_0, "DELAY", AT(delay, 0xf00003ff), .fields = "WAIT_RETRY 9:0, UNK28 31:28"}},
    {"G80-",
     {NV_PFIFO_DMA_TIMESLICE, "DMA_TIMESLICE", AT(dma_timeslice, 0xf101ffff),
      .fields = "SELECT 16:0, TIMEOUT 24, UNK28 31:28"}},
    {"G80-",
     {0x2048, "C11_MIN_SLICE", .at = R(pio_timeslice), .readable = 0x000fffff, .writable = 0x0007ffff,
      .reset = 0x00090100, .write = g80_write_min_slice}},
    {"G80-",
     {0x204c, "TIMESLICE", .at = REG_NONE, RW(0x0003ffff), .read = switcher_read_timeslice,
      .write = switcher_write_timeslice, .fields = "TIMER 17:0"}},
    {"G80-", {0x2054, "DELAY_1", AT(delay_1, 0xf00003ff), .reset = 2, .fields = "UNK0 9:0, UNK28 31:28"}},
    {"G80-", {NV_PFIFO_SLI, "SLI", AT(sli, 0x30000fff), .fields = "MASK 11:0, ACTIVE 28, ENABLE 29"}},
    {"G84-", {0x2070, "PULL_FEATURE", AT(pull_feature, ~0u)}},
    {"G80-", {0x2080, "DEBUG_0", .at = R(debug_0), .readable = 0x11, .fields = "CACHE_ERROR0 0, CACHE_ERROR1 4"}},
    {"G80-", {0x2084, "DEBUG_1", AT(debug_1, ~0u), .reset = 0x0072f200, .fields = "RAMHT_ALWAYS_FAIL 18"}},
    {"G80-", {NV_PFIFO_DEBUG_2, "DEBUG_2", AT(debug_2, ~0u)}},
    {"G80-", {0x208c, "DEBUG_3", AT(debug_3, ~0u)}},
    DEBUG_4_ROW("G80", 0x00443333, "PMPEG", "PME", "PVP1", "UNK24", "UNK28"),
    DEBUG_4_ROW(VP2_CHIPS, 0x33c43333, "PMPEG", "UNUSED2", "PVP2", "PCIPHER", "PBSP"),
    DEBUG_4_ROW(VP3_CHIPS, 0x33c43333, "PPPP", "UNUSED2", "PPDEC", "PSEC", "PVLD"),
    DEBUG_4_ROW("GT215:MCP89", 0x33c43333, "PPPP", "PCOPY", "PPDEC", "UNUSED4", "PVLD"),
    DEBUG_4_ROW("MCP89", 0x33c43333, "PPPP", "PCOPY", "PPDEC", "PVCOMP", "PVLD"),
    {"G84-", {0x2094, "ENG_IFACE", AT(eng_iface, 0x1f)}},
    {"G84-", {0x2098, "DEBUG_5", AT(debug_5, ~0u)}},

    /* ---- interrupts ---- */
    INTR_ROWS("G80", 0x3ffd1151, INTR_G80),
    INTR_ROWS("G84:GT215", 0x7ffd1151, INTR_G84),
    INTR_ROWS("GT215:MCP89", 0x7ffd1751, INTR_GT215),
    INTR_ROWS("MCP89", 0x7ffd1f51, INTR_MCP89),
    {"GT215-",
     {0x2104, "INTR_NRHOST", .at = R(intr_nrhost), .readable = INTR_NOTIFY, .write = g80_write_intr_nrhost,
      .fields = "NOTIFY 30"}},
    {"GT215-",
     {0x2144, "INTR_EN_NRHOST", AT(intr_en_nrhost, INTR_NOTIFY), .write = cache_write_intr_en, .fields = "NOTIFY 30"}},

    /* ---- channels ---- */
    {"G80-",
     {NV_PFIFO_RAMHT, "RAMHT", AT(ramht, 0x1fffffff),
      .fields = "INSTANCE 15:0, UNK16 23:16, SEARCH 25:24, SEARCH_FULL 26, SIZE 28:27"}},
    {"G80-",
     {NV_PFIFO_CACHES, "CACHES", .at = R(caches), .readable = 0x13, .writable = 0x03, .write = g80_write_caches,
      .fields = "REASSIGN 0, UNK1 1, DMA_SUSPEND_BUSY 4, RELOAD 8"}},
    {"G80-",
     {NV_PFIFO_FREEZE, "FREEZE", .at = R(freeze), .readable = 0x11, .writable = 0x01, .read = g80_read_freeze,
      .fields = "ENABLE 0, FROZEN 4"}},
    {"G80-", {NV_PFIFO_CHSW_STAT, "CHSW_STAT", AT(chsw_stat, ~0u)}},
    {"G80-", {NV_PFIFO_CHSW_DEBUG_1, "CHSW_DEBUG_1", AT(chsw_debug_1, ~0u)}},
    /* UNKNOWN: when the switcher writes these; chosen: never. */
    {"G80-", {0x2510, "CUR_CTX_MAP", AT(cur_ctx, 0x3fffffff), .fields = "ADDRESS 27:0, TARGET 29:28"}},
    {"G80-", {0x2514, "OLD_CTX_MAP", AT(old_ctx, 0x3fffffff), .fields = "ADDRESS 27:0, TARGET 29:28"}},
    {"G80-", {0x2518, "CHSW_DEBUG_2", AT(chsw_debug_2, ~0u)}},
    IDLE_ROW("G80", "PMPEG", "PME", "PVP1", "UNUSED4", "UNUSED5"),
    IDLE_ROW(VP2_CHIPS, "PMPEG", "UNUSED2", "PVP2", "PCIPHER", "PBSP"),
    IDLE_ROW(VP3_CHIPS, "PPPP", "UNUSED2", "PPDEC", "PSEC", "PVLD"),
    IDLE_ROW("GT215:MCP89", "PPPP", "PCOPY", "PPDEC", "UNUSED4", "PVLD"),
    IDLE_ROW("MCP89", "PPPP", "PCOPY", "PPDEC", "PVCOMP", "PVLD"),
    {"G84-", {NV_PFIFO_ENGINE_CTRL, "ENGINE_CTRL", AT(engine_ctrl, ~0u), .fields = "KICK_MASK 15:0, UNK16_MASK 31:16"}},
    {"G80",
     {NV_PFIFO_CHAN_TABLE, "CHAN_TABLE", .at = R(chan_table), .readable = ~0u, .writable = 0xbfffffff,
      .count = CACHE_CHANNELS, .read = g80_read_chan_table, .write = g80_write_chan_table,
      .fields = "ADDRESS 27:0, TARGET 29:28, PENDING 30, ENABLE 31"}},
    {"G84-",
     {NV_PFIFO_CHAN_TABLE, "CHAN_TABLE", .at = R(chan_table), .readable = 0xdfffffff, .writable = 0x9fffffff,
      .count = CACHE_CHANNELS, .read = g80_read_chan_table, .write = g80_write_chan_table,
      .fields = "RAMFC_ADDRESS 23:0, RAMFC_TARGET 25:24, UNK26 28:26, PENDING 30, ENABLE 31"}},

    /* ---- without known users ---- */
    {"G80-", {0x2800, "HIPRI_CHANNEL", AT(hipri[0], 0x8001007f), .fields = "CHID 6:0, UNK16 16, UNK31 31"}},
    {"G80-", {0x2804, "HIPRI_GP_PUT", AT(hipri[1], ~0u), .count = 2}},
    {"G80-", {0x2900, "EVENT_PUT", AT(event_regs[0], ~0u), .count = 2}},
    {"G80-", {0x2908, "EVENT_BASE", AT(event_regs[2], 0xfffffff0), .fields = "ADDRESS 31:4"}},
    {"G80-", {0x290c, "EVENT_BASE_HI", AT(event_regs[3], 0x031f00ff), .fields = "UNK0 7:0, UNK16 20:16, UNK24 25:24"}},
    {"G80-", {0x2910, "EVENT_FULL_TRIG", AT(event_regs[4], 0x001f001f), .fields = "UNK0 4:0, UNK16 20:16"}},
    {"G80-",
     {0x2914, "EVENT", AT(event_regs[5], 0x037b73f3),
      .fields = "UNK0 1:0, UNK4 9:4, UNK12 14:12, UNK16 17:16, UNK19 22:19, UNK24 25:24"}},

    /* ---- CACHE1: pusher ---- */
    {"G80-", {NV_CACHE1_PUSH0, "CACHE1_PUSH0", AT(push0, 1), .fields = "ACCESS 0"}},
    {"G80-",
     {NV_CACHE1_PUSH1, "CACHE1_PUSH1", AT(push1, 0x0001007f), .reset = 0x0001007f, .write = cache_write_channel,
      .fields = "CHID 6:0, MODE 16"}},
    {"G80-", {NV_CACHE1_PUT, "CACHE1_PUT", AT(put, 0xffc)}},
    {"G80-",
     {NV_CACHE1_STATUS, "CACHE1_STATUS", RO(0x111), .read = cache_read_status, .fields = "RANOUT 0, EMPTY 4, FULL 8"}},
    {"G80-",
     {NV_CACHE1_DMA_PUSH, "CACHE1_DMA_PUSH", .at = R(dma_push), .readable = 0xff717171, .writable = 0xff717061,
      .read = cache_read_dma_push,
      .fields = "ACCESS 0, BUSY 4, UNK5 5, UNK6 6, EMPTY 8, SUSPENDED 12, UNK13 13, UNK14 14, UNK16 16, UNK20 22:20, "
                "UNK24 31:24"}},
    {"G80-",
     {NV_CACHE1_DMA_FETCH, "CACHE1_DMA_FETCH", AT(dma_fetch, 0x407fe0f8), .reset = 0x6078, .write = cache_write_fetch,
      .fields = "TRIG 7:3, SIZE 15:13, MAX_REQS 22:16, IB_ENABLE 30"}},
    {"G80-",
     {NV_CACHE1_DMA_STATE, "CACHE1_DMA_STATE", AT(dma_state, 0xe007ffff),
      .fields = "NONINC 0, PRIVILEGE 1, METHOD 12:2, SUBCHANNEL 15:13, LARGE_NONINC_LEN_PENDING 16, "
                "SUBROUTINE_ACTIVE 17, NON_MAIN 18, ERROR 31:29"}},
    {"G80-", {NV_CACHE1_DMA_INSTANCE, "CACHE1_DMA_INSTANCE", AT(dma_instance, 0xffff), .write = cache_write_fetch}},
    {"G80-", {NV_CACHE1_DMA_LIMIT, "CACHE1_DMA_LIMIT", AT(dma_limit, ~0u)}},
    {"G80-", {NV_CACHE1_DMA_PUT, "CACHE1_DMA_PUT", AT(dma_put, ~3u), .write = cache_write_pointer}},
    {"G80-", {NV_CACHE1_DMA_GET, "CACHE1_DMA_GET", AT(dma_get, ~3u), .write = cache_write_pointer}},
    {"G80-", {NV_CACHE1_REF, "CACHE1_REF", AT(ref, ~0u)}},
    {"G80-", {NV_CACHE1_DMA_SUBROUTINE, "CACHE1_SUBROUTINE", AT(subroutine, ~3u), .fields = "RETURN 31:2"}},

    /* ---- CACHE1: puller ---- */
    {"G80:MCP89",
     {NV_CACHE1_PULL0, "CACHE1_PULL0", .at = R(pull0), .readable = 0xf1f11111, .writable = PULL_ACCESS,
      .fields = PULL0_FIELDS ", STATUS 31:28"}},
    {"MCP89",
     {NV_CACHE1_PULL0, "CACHE1_PULL0", .at = R(pull0), .readable = 0xf7f11111, .writable = PULL_ACCESS,
      .fields = PULL0_FIELDS ", MTHD_UNK2C_LINES 25, MTHD_UNK2C_OPERATION 26, STATUS 31:28"}},
    {"G80", {NV_CACHE1_PULL1, "CACHE1_PULL1", AT(pull1, 0x1f), .fields = "ENGINE 3:0, ACQUIRE_ACTIVE 4"}},
    {"G84-",
     {NV_CACHE1_PULL1, "CACHE1_PULL1", AT(pull1, 0xbf),
      .fields = "ENGINE 3:0, ACQUIRE_ACTIVE 4, ACQUIRE_SOURCE 5, ACQUIRE_MODE 7"}},
    {"G80-", {NV_CACHE1_HASH, "CACHE1_HASH", AT(hash, 0xffff), .fields = "INSTANCE 15:0"}},
    {"G80-",
     {NV_CACHE1_ACQUIRE_TIMEOUT, "CACHE1_ACQUIRE_TIMEOUT", AT(acquire_timeout, ~0u),
      .fields = "TIMEOUT 30:0, UNK31 31"}},
    {"G80-", {NV_CACHE1_ACQUIRE_TIMESTAMP, "CACHE1_ACQUIRE_TIMESTAMP", AT(acquire_timestamp, ~0u)}},
    {"G80-", {NV_CACHE1_ACQUIRE_VALUE, "CACHE1_ACQUIRE_VALUE", AT(acquire_value, ~0u)}},
    {"G80-",
     {NV_CACHE1_SEMAPHORE, "CACHE1_SEMAPHORE", AT(semaphore, 0xffff7fff),
      .fields = "OFFSET 13:0, OFFSET_VALID 14, DMA_INST 31:16"}},
    {"G80-", {NV_CACHE1_GET, "CACHE1_GET", AT(get, 0xffc), .write = cache_write_get}},
    {"G80-",
     {NV_CACHE1_ENGINE, "CACHE1_ENGINE", AT(engine, ~0u),
      .fields = "SUBCHANNEL0 3:0, SUBCHANNEL1 7:4, SUBCHANNEL2 11:8, SUBCHANNEL3 15:12, SUBCHANNEL4 19:16, "
                "SUBCHANNEL5 23:20, SUBCHANNEL6 27:24, SUBCHANNEL7 31:28"}},

    /* ---- CACHE1: shadows, playlist, and what is not understood ---- */
    {"G80-", {NV_CACHE1_DMA_DCOUNT, "CACHE1_DMA_DCOUNT_SHADOW", AT(dcount, 0x1ffc)}},
    {"G80-", {0x32a4, "CACHE1_DMA_GET_JMP_SHADOW", AT(jmp_shadow, ~3u)}},
    {"G80-", {0x32a8, "CACHE1_DMA_RSVD_SHADOW", AT(rsvd_shadow, ~0u)}},
    {"G80-", {0x32ac, "CACHE1_DMA_DATA_SHADOW", AT(data_shadow, ~0u)}},
    {"G80-", {NV_CACHE1_UNK32E4, "CACHE1_COUNTER", AT(unk32e4, ~0u)}},
    {"G80",
     {NV_PFIFO_PLAYLIST_LEN, "PLAYLIST_LEN", AT(playlist_length, 0x1ff), .write = g80_write_playlist_length,
      .fields = "LENGTH 7:0, UNK8 8"}},
    {"G84-",
     {NV_PFIFO_PLAYLIST_LEN, "PLAYLIST_LEN", AT(playlist_length, 0x1fff), .write = g80_write_playlist_length,
      .fields = "LENGTH 11:0, UNK12 12"}},
    {"G80-", {0x32f0, "CURRENT_CHANNEL", RO(0x7f), .read = g80_read_channel, .fields = "CHID 6:0"}},
    {"G80-", {NV_PFIFO_PLAYLIST, "PLAYLIST", AT(playlist, 0x3fffffff), .fields = "ADDRESS 27:0, TARGET 29:28"}},
    {"G80-", {NV_PFIFO_KICK_CHANNEL, "KICK_CHANNEL", AT(kick, ~0u), .read = g80_read_kick, .write = g80_write_kick}},
    {"G84-", {0x3300, "UNK3300", AT(unk3300, ~0u), .reset = 0x0004004f}},
    {"G80-", {0x3304, "UNK3304", RO(3), .read = cache_read_three}},
    {"G80-", {0x3308, "UNK3308", .at = REG_NONE}},
    /* A flush completes at once; on G84 and later it is in another unit. */
    {"G80", {NV_PFIFO_FLUSH_CTRL, "FLUSH_CTRL", .at = REG_NONE}},
    {"G80-", {0x3310, "UNK3310", AT(unk3310, ~0u)}},
    {"G80-",
     {0x3314, "FIFO_ENDIAN", AT(fifo_endian, 3), .write = cache_write_fetch,
      .fields = "PMC_OVERRIDE_ENABLE 0, OVERRIDE_MODE 1"}},
    {"G80-", {0x3318, "UNK3318", AT(unk3318, 7), .reset = 2}},

    /* ---- CACHE1: pointers of 40 bits, and the ring ---- */
    {"G80-", {NV_CACHE1_DMA_PUT_HIGH, "CACHE1_DMA_PUT_HIGH", AT(dma_put_high, 0xff), .write = cache_write_pointer}},
    {"G80-", {NV_CACHE1_DMA_GET_HIGH, "CACHE1_DMA_GET_HIGH", AT(dma_get_high, 0xff), .write = cache_write_pointer}},
    {"G80-", {NV_CACHE1_IB_PUT, "CACHE1_IB_PUT", AT(ib_put, ~0u)}},
    {"G80-", {NV_CACHE1_IB_GET, "CACHE1_IB_GET", AT(ib_get, ~0u)}},
    {"G80-", {NV_CACHE1_IB_ADDRESS_LOW, "CACHE1_IB_ADDRESS_LOW", AT(ib_address, ~0u)}},
    {"G80-",
     {NV_CACHE1_IB_CONFIG, "CACHE1_IB_CONFIG", AT(ib_config, ~0u),
      .fields = "ADDRESS_HIGH 7:0, UNK8 15:8, ORDER 31:16"}},
    {"G80-", {NV_CACHE1_METHOD_COUNT, "CACHE1_METHOD_COUNT", AT(method_count, 0xffffff)}},
    {"G80-", {0x3368, "CACHE1_DMA_MGET", AT(mget, ~0u)}},
    {"G80-", {0x336c, "CACHE1_DMA_MGET_HIGH", AT(mget_high, 0x800000ff), .fields = "HIGH 7:0, VALID 31"}},
    {"G80-", {0x3370, "CACHE1_DMA_GET_HIGH_RDSHADOW", AT(get_high_rdshadow, 0xff)}},
    {"G80-", {0x3374, "CACHE1_DMA_PUT_HIGH_RDSHADOW", AT(put_high_rdshadow, 0xff)}},
    {"G80-", {0x3378, "CACHE1_DMA_PUT_HIGH_WRSHADOW", AT(put_high_wrshadow, 0xff)}},
    {"G80-",
     {0x337c, "CACHE1_DMA_MGET_HIGH_RDSHADOW", AT(mget_high_rdshadow, 0x800000ff), .fields = "HIGH 7:0, VALID 31"}},

    /* ---- what G84 and MCP89 added ---- */
    {"G84-", {0x3400, "CACHE1_SEMAPHORE_ADDRESS_HIGH", AT(sem_address_high, 0xff)}},
    {"G84-", {0x3404, "CACHE1_SEMAPHORE_ADDRESS_LOW", AT(sem_address_low, ~0u)}},
    {"G84-", {0x3408, "CACHE1_SEMAPHORE_SEQUENCE", AT(sem_sequence, ~0u)}},
    {"G84-", {0x340c, "CACHE1_CACHE_INST", AT(cache_inst, ~0u), .fields = "ADDRESS 29:0, TARGET 31:30"}},
    {"G84-",
     {NV_CACHE1_CHAN_INST, "CACHE1_CHAN_INST", AT(chan_inst, 0x3fffffff), .write = cache_write_channel,
      .fields = "ADDRESS 27:0, TARGET 29:28"}},
    {"MCP89", {0x3500, "CACHE1_MTHD_UNK28", AT(unk3500[0], ~0u)}},
    {"MCP89", {0x3504, "CACHE1_UNK3504", AT(unk3500[1], ~0u)}},

    /* ---- CACHE1: entries, METHOD and DATA by turns ---- */
    {"G80-",
     {NV_CACHE1_ENTRY_NV40, "CACHE1_ENTRY", .at = REG_NONE, RW(~0u), .count = 1024, .read = cache_read_entry,
      .write = cache_write_entry}},
};

const size_t g80_row_count = sizeof g80_rows / sizeof g80_rows[0];

/*
 * The register of PME that drivers of G80 write so that a channel can be kicked off. Its other registers are not
 * modelled.
 */
static const struct reg pme_regs[] = {{NV_PME_UNKB860, "UNKB860", AT(pme_control, ~0u), .fields = "IGNORE_SWITCH 0"}};
const struct reg_table g80_pme = {"PME", pme_regs, 1};
