/* SPDX-License-Identifier: MIT */
/*
 * Xid lines of NVIDIA's driver: "NVRM: Xid (PCI:0000:01:00): 31, pid=1, name=x, Ch 00000030, ... MMU Fault: ...".
 *
 * Sources: NVIDIA open-gpu-kernel-modules src/common/sdk/nvidia/inc/nverror.h (the numbers and their names, of 515 to 595),
 * src/nvidia/src/kernel/gpu/{mmu,gsp,rc}; NVIDIA's pages "XID errors", which have those of older drivers and of servers. What
 * stands after the number is known from logs.
 */
#include "face/tool/explain/log/causes.h"
#include "face/tool/explain/log/more.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SHADER    "an error of the program: an address, an instruction or a method's data; or code that was overwritten"
#define WRONG     "the words that the channel fetches are not what was meant; or memory that fails"
#define DRIVER    "an error of the driver or of the GPU, not of the program"
#define DEVICE    "power, heat, the slot or the riser; or the GPU itself"
#define UNIT      "a method or data that the engine refuses, or an address where nothing is mapped"
#define MEMORY    "memory of the GPU fails"
#define AFTER_XID "it follows from an Xid in a line before it"

/* Some stand for several numbers of one kind. `cause` NULL: it is no error. */
static const struct {
    unsigned first, last;
    const char *name, *means, *cause;
} xids[] = {
    {1, 3, "", "the pushbuffer has a word that cannot be executed (old drivers)", WRONG},
    {4, 4, "",
     "the pushbuffer has a word that cannot be executed, or a semaphore was waited for too long (old drivers)", WRONG},
    {6, 6, "", "the pushbuffer has a word that cannot be executed (old drivers)", WRONG},
    {7, 7, "", "the pushbuffer's address is not valid (old drivers)", WRONG},
    {8, 8, "", "the GPU did not finish its work in time: the channel was stopped",
     "work that does not end, or too much of it"},
    {9, 9, "", "the driver programmed the GPU wrongly", DRIVER},
    {11, 11, "", "the pushbuffer has a word that cannot be executed (old drivers)", WRONG},
    {12, 12, "", "the driver handled an exception of the GPU wrongly", DRIVER},
    {13, 13, "GR_EXCEPTION", "PGRAPH has an error: a method, a shader program or a unit that traps", SHADER},
    {14, 14, "FAKE_ERROR", "an error that the driver makes for a test", NULL},
    {16, 16, "VBLANK_CALLBACK_TIMEOUT", "the display did not report a vertical blank in time", DRIVER},
    {18, 18, "", "the GPU may no longer access memory: bus mastering is off in PCI", DEVICE},
    {19, 19, "DISP_MISSED_NOTIFIER", "the display engine has an error", DRIVER},
    {20, 20, "MPEG_ERROR_SW_METHOD", "the pushbuffer of a video decoder has a word that cannot be executed", WRONG},
    {21, 21, "ME_ERROR_SW_METHOD", "the pushbuffer of motion estimation has a word that cannot be executed", WRONG},
    {22, 22, "VP_ERROR_SW_METHOD", "the pushbuffer of the video processor has a word that cannot be executed", WRONG},
    {23, 23, "RC_LOGGING_ENABLED", "the driver begins to log errors: none by itself", NULL},
    {24, 24, "", "a semaphore was waited for too long", HANGS},
    {25, 25, "", "the pushbuffer has a word that the driver does not allow", WRONG},
    {26, 26, "", "memory did not answer in time", DEVICE},
    {27, 27, "VP_ERROR", "the video processor has an error", UNIT},
    {28, 28, "VP2_ERROR", "the video processor has an error", UNIT},
    {29, 29, "BSP_ERROR", "the bitstream processor has an error", UNIT},
    {30, 30, "BAD_ADDR_ACCESS", "a semaphore or an address could not be accessed", UNIT},
    {31, 31, "FIFO_ERROR_MMU_ERR_FLT", "the MMU refused an access", NOT_THERE},
    {32, 32, "PBDMA_ERROR", "a PBDMA stopped at a word, a method or an entry", WRONG},
    {33, 33, "SEC_ERROR", "the encryption engine has an error", UNIT},
    {34, 34, "MSVLD_ERROR", "a video engine has an error", UNIT},
    {35, 35, "MSPDEC_ERROR", "a video engine has an error", UNIT},
    {36, 36, "MSPPP_ERROR", "a video engine has an error", UNIT},
    {37, 37, "", "the driver and the GPU's firmware do not agree", DRIVER},
    {38, 38, "", "the driver and the GPU's firmware do not agree", DRIVER},
    {39, 39, "CE0_ERROR", "a copy engine has an error", UNIT},
    {40, 40, "CE1_ERROR", "a copy engine has an error", UNIT},
    {41, 41, "CE2_ERROR", "a copy engine has an error", UNIT},
    {42, 42, "VIC_ERROR", "the engine that converts pictures has an error", UNIT},
    {43, 43, "RESETCHANNEL_VERIF_ERROR", "the channel was reset; the GPU itself goes on", SHADER},
    {44, 44, "GR_FAULT_DURING_CTXSW", "PGRAPH faulted while it switched contexts", DRIVER},
    {45, 45, "PREEMPTIVE_REMOVAL", "the channel was removed: its program ended or had an error", AFTER_XID},
    {46, 46, "", "the GPU does nothing any more", DRIVER},
    {47, 47, "NVENC0_ERROR", "a video encoder has an error", UNIT},
    {48, 48, "GPU_ECC_DBE", "two bits of memory were wrong: the data is lost", MEMORY},
    {54, 54, "", "a plug for the board's power is missing", DEVICE},
    {56, 56, "", "the display engine has an error", DRIVER},
    {57, 57, "", "the training of the memory's link failed", DEVICE},
    {58, 58, "FB_MEMORY_ERROR", "the memory has an error", MEMORY},
    {59, 59, "PMU_ERROR", "the power management unit's firmware has an error", DRIVER},
    {60, 60, "SEC2_ERROR", "the encryption engine has an error", UNIT},
    {61, 61, "PMU_BREAKPOINT", "the power management unit's firmware stopped at a breakpoint", DRIVER},
    {62, 62, "PMU_HALT_ERROR", "the power management unit's firmware halted", DRIVER},
    {63, 63, "INFOROM_PAGE_RETIREMENT_EVENT", "a page of memory is no longer used, or a row was replaced", MEMORY},
    {64, 64, "INFOROM_PAGE_RETIREMENT_FAILURE", "a page of memory could not be retired", MEMORY},
    {65, 65, "NVENC1_ERROR", "a video encoder has an error", UNIT},
    {66, 67, "", "the driver made an access that is not allowed", DRIVER},
    {68, 68, "NVDEC0_ERROR", "a video decoder has an error", UNIT},
    {69, 69, "GR_CLASS_ERROR", "PGRAPH refused the data of a method",
     "the driver sent a value or method that this class does not take; often garbage in the pushbuffer"},
    {70, 72, "CE_ERROR", "a copy engine has an error", UNIT},
    {73, 73, "NVENC2_ERROR", "a video encoder has an error", UNIT},
    {74, 74, "NVLINK_ERROR", "a link between GPUs has an error", DEVICE},
    {75, 77, "CE_ERROR", "a copy engine has an error", UNIT},
    {78, 78, "VGPU_START_ERROR", "a virtual GPU could not be started", DRIVER},
    {79, 79, "GPU_HAS_FALLEN_OFF_THE_BUS", "the GPU no longer answers on PCI: every read gives ffffffff", DEVICE},
    {80, 80, "PBDMA_PUSHBUFFER_CRC_MISMATCH", "the pushbuffer's words are not those that were sent", MEMORY},
    {81, 81, "VGA_SUBSYSTEM_ERROR", "the part of the GPU that is an old VGA card has an error", DRIVER},
    {82, 82, "NVJPG0_ERROR", "the JPEG decoder has an error", UNIT},
    {83, 84, "NVDEC_ERROR", "a video decoder has an error", UNIT},
    {85, 85, "CE9_ERROR", "a copy engine has an error", UNIT},
    {86, 86, "OFA0_ERROR", "the optical flow engine has an error", UNIT},
    {87, 87, "NVTELEMETRY_DRIVER_REPORT", "a report of the driver about itself: no error of the GPU", NULL},
    {88, 89, "NVDEC_ERROR", "a video decoder has an error", UNIT},
    {90, 90, "LTC_ERROR", "the L2 cache has an error", MEMORY},
    {92, 92, "EXCESSIVE_SBE_INTERRUPTS", "single bits of memory are wrong often", MEMORY},
    {93, 93, "INFOROM_ERASE_LIMIT_EXCEEDED", "the board's own memory of its state was written too often", DEVICE},
    {94, 94, "CONTAINED_ERROR", "memory failed: only the programs that used it are stopped", MEMORY},
    {95, 95, "UNCONTAINED_ERROR", "memory failed, and it is not known who used it: the GPU must be reset", MEMORY},
    {96, 98, "NVDEC_ERROR", "a video decoder has an error", UNIT},
    {99, 105, "NVJPG_ERROR", "a JPEG decoder has an error", UNIT},
    {106, 107, "SMBPBI_TEST_MESSAGE", "a test of the board's management: no error", NULL},
    {108, 108, "NVLINK_REMOTE_TRANSLATION_ERROR", "another GPU's access through a link could not be translated", UNIT},
    {109, 109, "CTXSW_TIMEOUT_ERROR", "an engine did not switch to another channel in time", HANGS},
    {110, 110, "SEC_FAULT_ERROR", "a protected part of the GPU was accessed", DRIVER},
    {119, 119, "GSP_RPC_TIMEOUT", "the GPU's system processor (GSP) did not answer the driver in time", DRIVER},
    {120, 120, "GSP_ERROR", "the GPU's system processor (GSP) has an error", DRIVER},
    {121, 121, "C2C_ERROR", "the link to the CPU's chip has an error", DEVICE},
    {122, 124, "SPI_PMU_RPC_FAIL", "the board's flash memory could not be read or written", DEVICE},
    {125, 125, "INFOROM_FS_ERROR", "the board's own memory of its state has an error", DEVICE},
    {126, 135, "CE_ERROR", "a copy engine has an error", UNIT},
    {136, 136, "ALI_TRAINING_FAIL", "a link between GPUs could not be started", DEVICE},
    {137, 137, "NVLINK_PRIV_ERR", "an access through a link between GPUs was not allowed", UNIT},
    {138, 138, "DLA_ERROR", "the engine for neural networks has an error", UNIT},
    {139, 139, "OFA1_ERROR", "the optical flow engine has an error", UNIT},
    {140, 140, "UNRECOVERABLE_ECC_ERROR_ESCAPE", "memory failed, and the data is lost", MEMORY},
    {141, 141, "FAST_PATH_ERROR", "a channel has an error that the driver handles by itself", AFTER_XID},
    {142, 142, "NVENC3_ERROR", "a video encoder has an error", UNIT},
    {143, 143, "GPU_INIT_ERROR", "the GPU could not be started", DEVICE},
    {144, 150, "NVLINK", "a link between GPUs has an error", DEVICE},
    {151, 151, "KEY_ROTATION_ERROR", "the keys of confidential computing could not be changed", DRIVER},
    {154, 154, "GPU_RECOVERY_ACTION_CHANGED", "what must be done before the GPU can be used again changed", AFTER_XID},
    {155, 155, "NVLINK_SW_DEFINED_ERROR", "a link between GPUs has an error", DEVICE},
    {156, 156, "RESOURCE_RETIREMENT_EVENT", "a part of the GPU is no longer used", MEMORY},
    {157, 157, "RESOURCE_RETIREMENT_FAILURE", "a part of the GPU could not be taken out of use", MEMORY},
    {158, 158, "GPU_FATAL_TIMEOUT", "the GPU did not answer in time and is lost", DEVICE},
    {159, 159, "CHI_NON_DATA_ERROR", "the link to the CPU's chip reports an error without data", DEVICE},
    {160, 160, "CHANNEL_RETIREMENT_EVENT", "a channel of memory is no longer used", MEMORY},
    {161, 161, "CHANNEL_RETIREMENT_FAILURE", "a channel of memory could not be taken out of use", MEMORY},
    {162, 162, "ISINK_REENGAGED", "the circuit that smooths the board's power is used again: no error", NULL},
    {163, 163, "ISINK_DISENGAGED", "the circuit that smooths the board's power is no longer used", DEVICE},
    {164, 164, "ISINK_LOW_LIFETIME", "the circuit that smooths the board's power is nearly worn out", DEVICE},
    {165, 165, "ISINK_ZERO_LIFETIME", "the circuit that smooths the board's power is worn out", DEVICE},
    {166, 166, "NVLINK_SECURE_NVLE_ERROR", "an encrypted link between GPUs has an error", DEVICE},
    {167, 167, "PCIE_FATAL_TIMEOUT", "PCI did not answer in time", DEVICE},
    {168, 168, "REDUCED_GPU_MEMORY_CAPACITY", "the GPU has less memory than before: parts of it failed", MEMORY},
    {169, 169, "SEC2_HALT_ERROR", "the encryption engine's firmware halted", DRIVER},
    {170, 170, "NVLINK_SECURE_ERROR", "an encrypted link between GPUs has an error", DEVICE},
    {171, 171, "UNCORRECTABLE_DRAM_ERROR", "two bits of memory were wrong: the data is lost", MEMORY},
    {172, 172, "UNCORRECTABLE_SRAM_ERROR", "bits of a memory inside the GPU were wrong: the data is lost", MEMORY},
    {173, 173, "C2C_FATAL_LINK_FAILURE", "the link to the CPU's chip is lost", DEVICE},
    {174, 174, "RESETCHANNEL_KILL_PROCESS_SILENT", "the channel was reset, and its program is ended", AFTER_XID},
    {175, 175, "MEMORY_SUBSYSTEM_ERROR", "the memory has an error", MEMORY},
    {176, 176, "PCIE_CORRECTABLE_ERROR_FAULT", "PCI has too many errors that it corrects", DEVICE},
};

bool log_xid(uint64_t number, const char **name, const char **means, const char **cause) {
    size_t i = 0;

    while (i < sizeof xids / sizeof xids[0] && (number < xids[i].first || number > xids[i].last))
        i++;
    if (i == sizeof xids / sizeof xids[0])
        return false;
    *name = xids[i].name;
    *means = xids[i].means;
    *cause = xids[i].cause;
    return true;
}

static void print_xid(struct explain *explain, uint64_t number) {
    const char *name, *means, *cause;

    if (!log_xid(number, &name, &means, &cause)) {
        explain_text(explain, "means", "%" PRIu64 " is an error that is not known", number);
        return;
    }
    explain_text(explain, "means", "%" PRIu64 "%s%s: %s", number, name[0] ? " " : "", name, means);
    if (cause)
        explain_text(explain, "cause", "%s", cause);
}

void log_more_gsp_type(struct explain *explain, const struct log_match *match) {
    const char *type = strstr(match->line->message, "type:");

    if (type)
        print_xid(explain, strtoull(type + 5, NULL, 10));
}

uint64_t log_xid_number(const struct log_match *match) {
    /* "Xid (PCI:...): 31, ..."; "Xid 31, ..." and nouveau's "Xid:31 ..." have the number in what the form has matched. */
    bool after = isdigit((unsigned char)match->rest[0]) && match->line->message[3] != ':';

    return strtoull(after ? match->rest : match->line->message + strlen("Xid "), NULL, 10);
}

/* ---- MMU faults ---- */

bool log_xid_address(const struct log_match *match, uint64_t *address) {
    static const char word[] = "faulted @ ";
    const char *at = strstr(match->line->message, word), *line = at ? strchr(at, '_') : NULL;
    uint64_t high, low;
    char digits[24];

    if (!line)
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)strcspn(at + strlen(word), "_"), at + strlen(word));
    if (!log_read_hex(digits, &high) || !log_read_hex(line + 1, &low))
        return false;
    *address = high << 32 | (low & UINT32_MAX);
    return true;
}

/* "ENGINE GRAPHICS GPCCLIENT_T1_3 faulted @ 0x17_00592000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ" */
static void xid_fault(struct explain *explain, const struct log_match *match) {
    static const char engine_word[] = "ENGINE ", type_word[] = "ault is of type ";
    const char *engine = strstr(match->rest, engine_word), *type = strstr(match->rest, type_word);
    char name[LOG_NAME_BYTES], client[LOG_NAME_BYTES];
    uint64_t address;

    if (engine && sscanf(engine + strlen(engine_word), "%63s %63s", name, client) == 2) {
        log_print_client(explain, "engine", NULL, name);
        log_print_client(explain, "client", NULL, client);
    }
    if (log_xid_address(match, &address))
        explain_number(explain, "address", "0x%" PRIx64, address);
    if (type && sscanf(type + strlen(type_word), "%63s %63s", name, client) == 2) {
        log_print_reason(explain, match, NULL, name);
        explain_text(explain, "access", "%s", client);
    }
}

/* "ENGINE 0x0 (GRAPHICS GPCCLIENT_T1_3) faulted @ 0x17_00592000. Fault is of type 0x0 (FAULT_PDE). Access type is 0x0
 * (ACCESS_TYPE_VIRT_READ)". */
void log_more_nvrm_fault(struct explain *explain, const struct log_match *match) {
    static const char type_word[] = "Fault is of type ", access_word[] = "Access type is ";
    const char *text = match->line->message, *engine = strstr(text, "ENGINE "), *type = strstr(text, type_word);
    const char *access = strstr(text, access_word);
    char name[LOG_NAME_BYTES], client[LOG_NAME_BYTES];
    uint64_t address;

    if (engine && sscanf(engine, "ENGINE %*s (%63s %63[^)])", name, client) == 2) {
        log_print_client(explain, "engine", NULL, name);
        log_print_client(explain, "client", NULL, client);
    }
    if (log_xid_address(match, &address))
        explain_number(explain, "address", "0x%" PRIx64, address);
    if (type && sscanf(type + strlen(type_word), "%*s (%63[^)])", name) == 1)
        log_print_reason(explain, match, NULL, name);
    if (access && sscanf(access + strlen(access_word), "%*s (%63[^)])", name) == 1)
        explain_text(explain, "access", "%s", name);
}

/* ---- the others ---- */

enum { PRINTED_BYTES = 400 };

/* A channel, a process or a program: no number of the error. */
static bool names_sender(const char *text, const char *at) {
    static const char *const words[] = {"Ch", "ChID", "channel", "ID", "pid=", "name="};
    const char *end = at;

    while (end > text && end[-1] == ' ')
        end--;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t bytes = strlen(words[i]);
        if ((size_t)(end - text) >= bytes && strncasecmp(end - bytes, words[i], bytes) == 0)
            return true;
    }
    return false;
}

/* The bytes of a number of eight digits or with 0x at `at`; 0: another word. */
static size_t number_bytes(const char *at) {
    uint64_t number;
    const char *end = isxdigit((unsigned char)*at) ? log_read_hex(at, &number) : NULL;

    if (!end || isalnum((unsigned char)*end) || (strncasecmp(at, "0x", 2) != 0 && end - at != 8))
        return 0;
    return (size_t)(end - at);
}

/* What an Xid has beside its words; what it says is known of few. */
static void xid_others(struct explain *explain, const struct log_match *match) {
    char printed[PRINTED_BYTES] = "";
    size_t used = 0, bytes;

    for (const char *at = match->rest; *at && used + LOG_NAME_BYTES < sizeof printed; at++) {
        bool begins = at == match->rest || !isalnum((unsigned char)at[-1]);
        if (!begins || (bytes = number_bytes(at)) == 0 || bytes >= LOG_NAME_BYTES || names_sender(match->rest, at))
            continue;
        used += (size_t)snprintf(printed + used, sizeof printed - used, "%s%.*s", used ? " " : "", (int)bytes, at);
    }
    if (used)
        explain_text(explain, "numbers", "%s%s: numbers without names", printed,
                     used + LOG_NAME_BYTES < sizeof printed ? "" : " and what follows");
}

/* "Expected function 76 (GSP_RM_CONTROL) (0x2080014b 0x5)": kernel_gsp.c's _kgspGetActiveRpcDebugData. */
static bool xid_call(struct explain *explain, const struct log_match *match) {
    static const struct {
        const char *function, *first, *second;
    } calls[] = {
        {"(GSP_RM_CONTROL) (", "command", "parameters"},
        {"(GSP_RM_ALLOC) (", "class", "parameters"},
        {"(FREE) (", "object", "its parent"},
    };
    uint64_t first, second;

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const char *at = strstr(match->rest, calls[i].function);
        const char *end = at ? log_read_hex(at + strlen(calls[i].function), &first) : NULL;
        if (!end || *end != ' ' || !log_read_hex(end + 1, &second))
            continue;
        explain_number(explain, calls[i].first, "0x%" PRIx64, first);
        explain_number(explain, calls[i].second, i < 2 ? "%" PRIu64 " bytes" : "0x%" PRIx64, second);
        return true;
    }
    return false;
}

void log_more_xid(struct explain *explain, const struct log_match *match) {
    uint64_t number = log_xid_number(match);

    print_xid(explain, number);
    if (strstr(match->rest, "faulted @ "))
        xid_fault(explain, match);
    else if (number == 32)
        log_xid_pbdma(explain, match);
    else if (number == 13 || number == 69)
        log_xid_graphics(explain, match);
    else if (strstr(match->rest, "errorString CTX SWITCH TIMEOUT"))
        log_xid_timeout(explain, match);
    else if (!xid_call(explain, match))
        xid_others(explain, match);
}
