/* SPDX-License-Identifier: MIT */
/*
 * What to run next: commands of pfifo that say more of an error, each as it can be typed. CAPTURE stands for a recording of
 * the program (pfifo record).
 */
#include "face/tool/explain/log/log.h"
#include "face/tool/explain/log/more.h"

#include <inttypes.h>
#include <string.h>

enum { GF100_HOST = 0x906f }; /* from there on, a class is bound by its number */
enum { PAGE = 0x1000 };

/* ---- the method, on the model ---- */

/* The chip of the log, else the first one that has the class. */
static const struct pfifo_chip *chip_for(const struct log_match *match) {
    const struct pfifo_class *class = pfifo_class_find((uint32_t)match->numbers.number[LOG_CLASS]);

    if (match->chip)
        return match->chip;
    for (size_t i = 0; class && i < pfifo_chip_count(); i++)
        if (explain_chip_has_class(pfifo_chip_at(i), class))
            return pfifo_chip_at(i);
    return NULL;
}

/* What a header reaches: 12 bits of words from GF100 on, 11 before. */
static bool fits_header(const struct pfifo_chip_info *info, uint64_t method) {
    return method % 4 == 0 && method < (info->host_class < GF100_HOST ? 0x2000 : 0x4000);
}

/* Binds the class, by its number or by a handle, and sends the method. */
static void print_run(struct explain *explain, const struct log_match *match, const struct pfifo_chip_info *info) {
    enum { HANDLE = 0xbeef };
    const struct log_numbers *numbers = &match->numbers;
    uint64_t class_id = numbers->number[LOG_CLASS], object = class_id;
    unsigned subchannel = (unsigned)(numbers->number[LOG_SUBCHANNEL] & 7);
    char handle[48] = "";

    if (info->host_class < GF100_HOST) {
        object = (uint64_t)HANDLE << 16 | class_id;
        snprintf(handle, sizeof handle, " --object=0x%" PRIx64 "=%04" PRIx64, object, class_id);
    }
    explain_line(explain,
                 "printf 'inc %u SET_OBJECT 0x%" PRIx64 "\\ninc %u 0x%" PRIx64 " 0x%" PRIx64
                 "\\n' | pfifo asm --chip=%s - | pfifo run --raw --chip=%s%s -",
                 subchannel, object, subchannel, numbers->number[LOG_METHOD], numbers->number[LOG_DATA], info->name,
                 info->name, handle);
}

/* False: there is nothing to run. */
static bool print_method(struct explain *explain, const struct log_match *match) {
    const struct log_numbers *numbers = &match->numbers;
    const struct pfifo_class *class;
    const struct pfifo_chip *chip;
    struct pfifo_chip_info info;
    struct pfifo_method_name name;

    if (!log_has_method(match) || !(chip = chip_for(match)))
        return false;
    info = pfifo_chip_info(chip);
    class = pfifo_class_find((uint32_t)numbers->number[LOG_CLASS]);
    if (!class || !explain_chip_has_class(chip, class))
        return false;
    explain_list(explain, "next");
    if (pfifo_method_find(class->id, (uint32_t)numbers->number[LOG_METHOD], &name))
        explain_line(explain, "pfifo explain --chip=%s %04" PRIx64 ".0x%04" PRIx64, info.name,
                     numbers->number[LOG_CLASS], numbers->number[LOG_METHOD]);
    else
        explain_line(explain, "pfifo explain --chip=%s %04" PRIx64, info.name, numbers->number[LOG_CLASS]);
    if (info.runs && numbers->has[LOG_DATA] && numbers->number[LOG_DATA] <= UINT32_MAX &&
        fits_header(&info, numbers->number[LOG_METHOD]))
        print_run(explain, match, &info);
    explain_list_end(explain);
    return true;
}

/* ---- by the kind of error, on a recording ---- */

enum kind { NOTHING, FAULT, STREAM, HANG, SHADER, REGISTER };

/* Forms by what they print. */
static const struct {
    void (*more)(struct explain *explain, const struct log_match *match);
    enum kind kind;
} mores[] = {{log_more_fault, FAULT},      {log_more_nvgpu_fault, FAULT}, {log_more_nvrm_fault, FAULT},
             {log_more_mp, SHADER},        {log_more_nvgpu_sm, SHADER},   {log_more_pusher, STREAM},
             {log_more_nvgpu_sched, HANG}, {log_more_subchannel, STREAM}, {log_more_mmio, REGISTER}};

static const struct {
    const char *unit, *of; /* `of` NULL: any */
    enum kind kind;
} sets[] = {
    {"PBDMA", NULL, STREAM},
    {"SCHED_ERROR", NULL, HANG},
    {"PGRAPH", "TRAP_MP_EXEC", SHADER},
    {"PGRAPH", "MP_TRAP_WARP_ERROR", SHADER},
    {"PGRAPH", "TRAP_PROP", FAULT},
    {"PGRAPH", "GPC_PROP", FAULT},
    {"PGRAPH", "TRAP_M2MF", FAULT},
    {"PGRAPH", "TRAP_TEXTURE", FAULT},
};

static const struct {
    unsigned xid;
    enum kind kind;
} xids[] = {{8, HANG}, {13, SHADER}, {31, FAULT}, {32, STREAM}, {109, HANG}};

static enum kind kind_of(const struct log_match *match) {
    const struct log_form *form = match->form;
    uint64_t xid = form->more == log_more_xid ? log_xid_number(match) : 0;

    for (size_t i = 0; i < sizeof mores / sizeof mores[0]; i++)
        if (form->more == mores[i].more)
            return mores[i].kind;
    for (size_t i = 0; form->set_unit && i < sizeof sets / sizeof sets[0]; i++)
        if (strcmp(form->set_unit, sets[i].unit) == 0 &&
            (!sets[i].of || (form->set_of && strcmp(form->set_of, sets[i].of) == 0)))
            return sets[i].kind;
    /* Not a unit's error, but a program's. */
    if (xid == 13 && !strstr(match->line->message, "SM ") && !strstr(match->line->message, "ESR 0x5"))
        return NOTHING;
    for (size_t i = 0; i < sizeof xids / sizeof xids[0]; i++)
        if (xid == xids[i].xid)
            return xids[i].kind;
    return NOTHING;
}

/* Whose data is an address in the page: the lower words of addresses are data of methods. */
static void print_page(struct explain *explain, const struct log_match *match) {
    uint64_t address = match->numbers.number[LOG_ADDRESS], page;
    bool has = match->numbers.has[LOG_ADDRESS] || log_xid_address(match, &address);

    page = address & ~(uint64_t)(PAGE - 1) & UINT32_MAX;
    if (has && page) /* page 0 is in most data */
        explain_line(explain, "pfifo grep 'data=0x%" PRIx64 "..0x%" PRIx64 "' CAPTURE", page, page | (PAGE - 1));
}

/* The entry of the ring that a PBDMA had. */
static void print_entry(struct explain *explain, const struct log_match *match) {
    const struct pfifo_chip *chip = match->chip ? match->chip : pfifo_chip_by_name("GM20B");
    uint64_t entry;

    if (match->form->more == log_more_nvgpu_pbdma && log_nvgpu_entry(match, &entry))
        explain_line(explain, "pfifo explain --chip=%s gpfifo:0x%016" PRIx64, pfifo_chip_info(chip).name, entry);
}

void log_print_next(struct explain *explain, const struct log_match *match) {
    enum kind kind;

    if (print_method(explain, match))
        return;
    kind = kind_of(match);
    if (kind == NOTHING ||
        (kind == REGISTER && !log_knows_register(explain, match->chip, match->numbers.number[LOG_VALUE])))
        return;
    explain_list(explain, "next");
    if (kind == REGISTER) {
        explain_line(explain, "pfifo explain --chip=%s 0x%06" PRIx64, pfifo_chip_info(match->chip).name,
                     match->numbers.number[LOG_VALUE]);
    } else if (kind == FAULT) {
        explain_line(explain, "pfifo run --trace=memory.fault,fifo.fault,engine.fault CAPTURE");
        print_page(explain, match);
    } else if (kind == SHADER) {
        explain_line(explain, "pfifo run --trace=engine.shader_error,engine.fault CAPTURE");
        explain_line(explain, "pfifo decode --shaders CAPTURE");
    } else {
        print_entry(explain, match);
        explain_line(explain, "pfifo lint CAPTURE");
        explain_line(explain, kind == HANG ? "pfifo run --trace=puller.acquire,engine.acquire CAPTURE"
                                           : "pfifo run --trace=pusher.error,puller.error,fifo.interrupt CAPTURE");
    }
    explain_list_end(explain);
}
