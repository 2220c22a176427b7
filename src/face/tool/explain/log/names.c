/* SPDX-License-Identifier: MIT */
/* What numbers of a log are called, and what that is. */
#include "face/tool/explain/log/log.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* ---- errors ---- */

static bool is_of(const struct pfifo_error_code *code, const char *unit, const char *where) {
    return (!unit || strcmp(code->unit, unit) == 0) && (!where || strcmp(code->where, where) == 0);
}

/* Does the chip have it; or, where the chip is not known, a chip that has the line's class? */
static bool is_on(const struct pfifo_error_code *code, const struct log_match *match) {
    const struct pfifo_class *class;

    if (match->chip)
        return pfifo_error_code_on(code, match->chip);
    class = match->numbers.has[LOG_CLASS] ? pfifo_class_find((uint32_t)match->numbers.number[LOG_CLASS]) : NULL;
    for (size_t i = 0; class && i < pfifo_chip_count(); i++)
        if (pfifo_error_code_on(code, pfifo_chip_at(i)) && explain_chip_has_class(pfifo_chip_at(i), class))
            return true;
    return !class;
}

/* Of several generations' errors with one number, the one that the line names, if it names one of them. */
static bool is_another(const struct log_match *match, const struct pfifo_error_code *code, const char *unit,
                       const char *where, const char *called) {
    struct pfifo_error_code other;

    if (match->chip || log_list_has(called, code->name))
        return false;
    for (size_t i = 0; pfifo_error_code_at(i, &other); i++)
        if (is_of(&other, unit, where) && other.code == code->code && log_list_has(called, other.name))
            return true;
    return false;
}

/* Generations whose rows are the same. */
static bool is_said(const struct log_match *match, size_t index, const struct pfifo_error_code *code) {
    struct pfifo_error_code before;

    for (size_t i = 0; i < index && pfifo_error_code_at(i, &before); i++)
        if (is_of(&before, code->unit, NULL) && before.code == code->code && strcmp(before.name, code->name) == 0 &&
            is_on(&before, match))
            return true;
    return false;
}

static void print_code(struct explain *explain, const struct pfifo_error_code *code) {
    char bits[16];
    unsigned bit = 0;

    while (code->is_bit && bit < 31 && !(code->code >> bit & 1))
        bit++;
    explain_line(explain, "%s (%s): %s", code->name, code->is_bit ? explain_bits(bit, bit, bits) : code->unit,
                 explain_error_text(code));
}

/* Bits that no error has, and what the line calls them. */
static void print_nameless(struct explain *explain, uint64_t left, bool bits, const char *called) {
    explain_line(explain, "%s0x%" PRIx64 "%s: a number without a name%s%s", bits ? "bits " : "", left,
                 bits ? " more" : "", called[0] ? "; the line calls it " : "", called);
}

void log_print_value(struct explain *explain, const struct log_match *match, const char *key, uint64_t value,
                     const char *unit, const char *where, const char *called) {
    struct pfifo_error_code code;
    uint64_t left = value;
    bool bits = false;
    size_t named = 0;

    explain_list(explain, key);
    explain_line(explain, "0x%" PRIx64, value);
    for (size_t i = 0; unit && pfifo_error_code_at(i, &code); i++) {
        if (!is_of(&code, unit, where) || !is_on(&code, match) || is_another(match, &code, unit, where, called))
            continue;
        bits = bits || code.is_bit;
        if (code.is_bit ? !(value & code.code) : value != code.code)
            continue;
        if (!is_said(match, i, &code))
            print_code(explain, &code);
        left &= ~(uint64_t)code.code;
        named++;
    }
    if (bits ? left != 0 : !named)
        print_nameless(explain, left, bits && named, named ? "" : called);
    explain_list_end(explain);
}

/* A reason's name without what kernels put at its end: RO_VIOLATION, RO. */
static bool same_reason(const char *name, const char *known) {
    static const char tail[] = "_VIOLATION";
    size_t bytes = strlen(known);

    return strncmp(name, known, bytes) == 0 && (!name[bytes] || strcmp(name + bytes, tail) == 0);
}

void log_print_reason(struct explain *explain, const struct log_match *match, const uint64_t *number,
                      const char *name) {
    struct pfifo_error_code code;

    if (number) {
        log_print_value(explain, match, "reason", *number, "MMU", NULL, name);
        return;
    }
    if (strncmp(name, "FAULT_", 6) == 0)
        name += 6;
    if (strncmp(name, "INFO_TYPE_", 10) == 0)
        name += 10;
    if (strcmp(name, "CC_VIOLATION") == 0) {
        explain_text(explain, "reason", "%s: an access that confidential computing does not allow", name);
        return;
    }
    for (size_t i = 0; name[0] && pfifo_error_code_at(i, &code); i++)
        if (strcmp(code.unit, "MMU") == 0 && same_reason(name, code.name)) {
            explain_text(explain, "reason", "%s: %s", name, code.text);
            return;
        }
    explain_text(explain, "reason", "%s: a name that is not known", name[0] ? name : "none");
}

/* ---- units that read and write memory ---- */

static const struct {
    const char *name, *text;
} clients[] = {
    {"PROP", "writes and reads render targets and depth buffers"},
    {"ROP", "writes and reads render targets and depth buffers"},
    {"ZETA", "the depth buffer"},
    {"RT", "a render target"},
    {"DST2D", "the destination of 2D"},
    {"TEX", "reads textures"},
    {"T1", "reads textures, and memory for shader programs"},
    {"L1", "reads and writes memory for shader programs"},
    {"PE", "fetches vertices and indices, writes transform feedback"},
    {"VFETCH", "fetches vertices and indices"},
    {"STRMOUT", "writes transform feedback"},
    {"RASTERTWOD", "the 2D engine"},
    {"RAST", "makes pixels of triangles"},
    {"ESETUP", "sets triangles up"},
    {"GCC", "reads constants and instructions"},
    {"CCACHE", "reads constants, texture headers and samplers"},
    {"SCC", "reads constants, texture headers and samplers"},
    {"CB", "a constant buffer"},
    {"TIC", "the table of texture headers"},
    {"TSC", "the table of samplers"},
    {"GPCCS", "the firmware of PGRAPH in a GPC: contexts"},
    {"FECS", "the firmware of PGRAPH: contexts"},
    {"CTXCTL", "the firmware of PGRAPH: contexts"},
    {"GRCTX", "PGRAPH's context"},
    {"DISPATCH", "PGRAPH's front end: inline data, queries, notifiers"},
    {"FE", "PGRAPH's front end: inline data, queries, notifiers"},
    {"PD", "gives out primitives"},
    {"SKED", "the scheduler of compute: QMDs, queues"},
    {"SSYNC", "gives out memory for local variables"},
    {"PUSHBUF", "a pushbuffer"},
    {"SEMAPHORE", "a semaphore of PFIFO"},
    {"PFIFO", "PFIFO: rings, pushbuffers, semaphores, contexts of channels"},
    {"HOST_CPU", "the CPU, through a BAR"},
    {"HOST", "PFIFO: rings, pushbuffers, semaphores, contexts of channels"},
    {"ESC", "PFIFO: rings, pushbuffers, semaphores, contexts of channels"},
    {"BAR_READ", "the CPU, through a BAR"},
    {"BAR_WRITE", "the CPU, through a BAR"},
    {"BAR", "the CPU, through a BAR"},
    {"PEEPHOLE", "the CPU, through the window PEEPHOLE"},
    {"IFB", "the CPU, through the window PEEPHOLE"},
    {"GR_CE", "a copy engine that shares PGRAPH's runlist"},
    {"GRCOPY", "a copy engine that shares PGRAPH's runlist"},
    {"HSCE", "a copy engine"},
    {"PCOPY", "a copy engine"},
    {"PCE", "a copy engine"},
    {"CE", "a copy engine"},
    {"GRAPHICS", "PGRAPH: drawing, compute, 2D, inline data"},
    {"PGRAPH", "PGRAPH: drawing, compute, 2D, inline data"},
    {"GR", "PGRAPH: drawing, compute, 2D, inline data"},
    {"M2M_IN", "the source of a copy by M2MF"},
    {"M2M_OUT", "the destination of a copy by M2MF"},
    {"M2M_NOTIFY", "the notifier of a copy by M2MF"},
    {"NOTIFY", "a notifier"},
    {"QUERY", "a query"},
    {"COND", "the condition of conditional rendering"},
    {"GLOBAL", "global memory of a program"},
    {"LOCAL", "local memory of a program"},
    {"STACK", "the stack of a warp"},
    {"MSPDEC", "video decoding"},
    {"MSPPP", "video decoding"},
    {"MSVLD", "video decoding"},
    {"PMSPDEC", "video decoding"},
    {"PMSPPP", "video decoding"},
    {"PMSVLD", "video decoding"},
    {"PVP", "video decoding"},
    {"PBSP", "video decoding"},
    {"PMPEG", "video decoding"},
    {"NVDEC", "video decoding"},
    {"MSENC", "video encoding"},
    {"NVENC", "video encoding"},
    {"NVJPG", "decoding of JPEG"},
    {"OFA", "optical flow"},
    {"PCRYPT", "encryption"},
    {"SEC", "encryption"},
    {"DISPLAY", "the display"},
    {"ISO", "the display: pixels that it shows"},
    {"NISO", "the display: what is not pixels"},
    {"DNISO", "the display: what is not pixels"},
    {"PMU", "the power management unit"},
    {"PDAEMON", "the power management unit"},
    {"PWR_PMU", "the power management unit"},
    {"PERF", "performance counters"},
    {"PCOUNTER", "performance counters"},
    {"MMU", "the MMU itself: page tables"},
    {"GSP", "the GPU's system processor"},
    {"GSPLITE", "the GPU's system processor"},
    {"FSP", "the processor that starts the GPU"},
    {"FBFALCON", "the memory's own processor"},
    {"FBFLCN", "the memory's own processor"},
    {"DFALCON", "the display's own processor"},
    {"AFALCON", "the display's own processor, for sound"},
    {"D_FALCON", "the display's own processor"},
    {"A_FALCON", "the display's own processor, for sound"},
    {"DISPNISO", "the display: what is not pixels"},
    {"ACTRS", "the display: what is not pixels"},
    {"RASTER_TWOD", "the 2D engine"},
    {"GR_COPY", "a copy engine that shares PGRAPH's runlist"},
    {"UTLB", "a cache of the MMU"},
    {"DWBIF", "the display: what it writes back"},
    {"GPM", "the performance counters of a GPC"},
    {"TPCCS", "the firmware of PGRAPH in a TPC: contexts"},
    {"LTP_UTLB", "a cache of the MMU in a GPC"},
    {"RGG_UTLB", "a cache of the MMU in a GPC"},
    {"HSHUB", "the hub of copy engines and links"},
    {"P2P", "another GPU"},
    {"PTP_X", "another GPU"},
    {"PTP", "another GPU"},
    {"XV", "PCI"},
    {"VIP", "video input"},
    {"VPR_SCRUBBER", "clears protected memory"},
    {"CE_SHIM", "a copy engine"},
    {"DONT_CARE", "the unit is not known"},
    {"PHYSICAL", "accesses without translation"},
    {"PPPP", "video decoding"},
    {"PPDEC", "video decoding"},
    {"PPPDEC", "video decoding"},
    {"VP", "video decoding"},
    {"BSP", "video decoding"},
    {"PPP", "video decoding"},
    {"MPEG", "video decoding"},
    {"VPENC", "video encoding"},
    {"VENC", "video encoding"},
    {"VIC", "conversion of pictures"},
};

/* Without the cluster before it, and the number after it: "GPC0/PROP_0", "HUBCLIENT_ESC", "CE2". */
static const char *client_text(const char *name) {
    const char *slash = strrchr(name, '/');

    if (slash)
        name = slash + 1;
    if (strncmp(name, "GPCCLIENT_", 10) == 0 || strncmp(name, "HUBCLIENT_", 10) == 0)
        name += 10;
    for (size_t i = 0; i < sizeof clients / sizeof clients[0]; i++) {
        size_t bytes = strlen(clients[i].name);
        if (strncasecmp(name, clients[i].name, bytes) != 0)
            continue;
        if (name[bytes] == '_' || !name[bytes] || isdigit((unsigned char)name[bytes]))
            return clients[i].text;
    }
    return NULL;
}

void log_print_client(struct explain *explain, const char *key, const uint64_t *number, const char *name) {
    const char *text = client_text(name);
    char digits[24] = "";

    if (number)
        snprintf(digits, sizeof digits, "0x%02" PRIx64 " ", *number);
    explain_text(explain, key, "%s%s: %s", digits, name[0] ? name : "(the driver has no name)",
                 text ? text : "nothing more is known than that");
}
