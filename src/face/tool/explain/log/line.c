/* SPDX-License-Identifier: MIT */
/*
 * Which lines of a log are of a GPU's driver, and where their message begins. The kernel's forms, and what dmesg,
 * journalctl and syslog put before them:
 *
 *   nouveau 0000:01:00.0: gr: MESSAGE                  from 4.3 on; in 6.2 and later also "fifo:000000:0002:[x] MESSAGE"
 *   nouveau E[  PGRAPH][0000:01:00.0] MESSAGE          3.7 to 4.2; of a program "nouveau E[Xorg[1867]] MESSAGE"
 *   [drm] nouveau 0000:01:00.0: PGRAPH - MESSAGE       before that
 *   NVRM: Xid (PCI:0000:01:00): 13, MESSAGE            NVRM: MESSAGE
 *   nvgpu: 57000000.gpu FUNCTION:LINE [ERR] MESSAGE    also "gk20a 57000000.gpu: FUNCTION: MESSAGE"
 *   nvidia-uvm: FILE:LINE FUNCTION[pid:1] MESSAGE
 *
 * Sources: nouveau include/nvkm/core/subdev.h, core/printk.c; nvgpu os/linux/log.c, gk20a/gk20a.h (L4T 27); NVIDIA
 * open-gpu-kernel-modules nvidia-uvm/uvm_common.h.
 */
#include "face/tool/explain/log/log.h"

#include <ctype.h>
#include <string.h>

/* The units of old kernels by their names of today. */
static const struct {
    const char *old, *unit;
} old_units[] = {
    {"PGRAPH", "gr"},      {"PFIFO", "fifo"}, {"PBUS", "bus"},       {"PFB", "fb"},
    {"PLTCG", "ltc"},      {"PCE0", "ce0"},   {"PCE1", "ce1"},       {"PCE2", "ce2"},
    {"PMPEG", "mpeg"},     {"DEVICE", ""},    {"PIBUS", "privring"}, {"PCRYPT", "cipher"},
    {"PCIPHER", "cipher"}, {"PSEC", "sec"},   {"VM", "fb"},          {"PCOPY", "ce0"},
};

static void copy_part(char *out, size_t size, const char *text, size_t bytes) {
    if (bytes >= size)
        bytes = size - 1;
    memcpy(out, text, bytes);
    out[bytes] = 0;
}

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t");
}

static void name_unit(struct log_line *line, const char *name, size_t bytes) {
    for (size_t i = 0; i < sizeof old_units / sizeof old_units[0]; i++)
        if (strlen(old_units[i].old) == bytes && memcmp(old_units[i].old, name, bytes) == 0) {
            snprintf(line->unit, sizeof line->unit, "%s", old_units[i].unit);
            return;
        }
    copy_part(line->unit, sizeof line->unit, name, bytes);
    for (char *c = line->unit; *c; c++)
        *c = (char)tolower((unsigned char)*c);
}

/* A device of PCI: 0000:01:00.0. Returns its length. */
static size_t pci_device(const char *text) {
    size_t bytes = strspn(text, "0123456789abcdefABCDEF:.");
    return bytes >= 7 && memchr(text, ':', bytes) && memchr(text, '.', bytes) ? bytes - (text[bytes - 1] == ':') : 0;
}

/* The end of what is in brackets, which may have brackets itself; NULL: it has none. */
static const char *brackets_end(const char *at) {
    unsigned depth = 0;

    for (; *at; at++) {
        depth += *at == '[';
        depth -= *at == ']';
        if (!depth)
            return at;
    }
    return NULL;
}

/* "E[  PGRAPH][0000:01:00.0] MESSAGE", "E[Xorg[1867]] MESSAGE". */
static bool nouveau_bracketed(struct log_line *line, const char *at) {
    const char *unit, *end;
    size_t bytes;

    at += strspn(at, "!EWIDFTC");
    at = skip_blanks(at);
    if (*at != '[' || !(end = brackets_end(at)))
        return false;
    bytes = end[1] == '[' ? pci_device(end + 2) : 0;
    if (!bytes) {
        line->message = skip_blanks(end + 1);
        return end[1] == ' ';
    }
    unit = skip_blanks(at + 1);
    name_unit(line, unit, (size_t)(end - unit));
    copy_part(line->device, sizeof line->device, end + 2, bytes);
    at = end + 2 + bytes;
    line->message = skip_blanks(at + (*at == ']'));
    /* Kernel 3.7 says its unit twice. */
    bytes = strcspn(unit, "]");
    if (strncmp(line->message, unit, bytes) == 0 && line->message[bytes] == ':')
        line->message = skip_blanks(line->message + bytes + 1);
    return true;
}

/* "gr: MESSAGE", "fifo:000000:0002:[x] MESSAGE", "PGRAPH - MESSAGE", "PFIFO_CACHE_ERROR - MESSAGE",
 * "PGRAPH_TRAP_TPDMA - MESSAGE". */
static void nouveau_unit(struct log_line *line, const char *at) {
    size_t letters = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");

    line->message = at;
    if (!letters)
        return;
    if (at[letters] == ':') {
        name_unit(line, at, letters);
        line->message = skip_blanks(at + letters + 1);
    } else if (strncmp(at + letters, " - ", 3) == 0) {
        name_unit(line, at, letters);
        line->message = skip_blanks(at + letters + 3);
    } else if (strncmp(at, "PFIFO_", 6) == 0) {
        name_unit(line, at, 5);
        line->message = at + 6;
    } else if (strncmp(at, "PGRAPH_TRAP", 11) == 0) {
        name_unit(line, at, 6);
        line->message = at + 7;
    }
}

static bool nouveau_line(struct log_line *line, const char *at) {
    size_t bytes;

    line->driver = LOG_NOUVEAU;
    at = skip_blanks(at);
    if (nouveau_bracketed(line, at))
        return true;
    bytes = pci_device(at);
    if (!bytes) {
        /* Tegra's: nouveau 57000000.gpu: */
        bytes = strcspn(at, ": \t");
        if (at[bytes] != ':' || !memchr(at, '.', bytes))
            return false;
    }
    copy_part(line->device, sizeof line->device, at, bytes);
    at += bytes;
    nouveau_unit(line, skip_blanks(at + (*at == ':')));
    return true;
}

/* The device of an Xid is the number in brackets, without function. */
static bool nvrm_line(struct log_line *line, const char *at) {
    line->driver = LOG_NVRM;
    line->message = at = skip_blanks(at);
    at = strchr(at, '(');
    if (at) {
        at += strncmp(at, "(PCI:", 5) == 0 ? 5 : 1;
        copy_part(line->device, sizeof line->device, at, strspn(at, "0123456789abcdefABCDEF:"));
    }
    return true;
}

/* "gk20a_fifo_handle_sched_error: MESSAGE": a name of C has _, and no message begins with one. */
static const char *after_function(const char *at) {
    size_t bytes = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

    return at[bytes] == ':' && at[bytes + 1] == ' ' && memchr(at, '_', bytes) ? skip_blanks(at + bytes + 1) : at;
}

static bool nvgpu_line(struct log_line *line, const char *at) {
    const char *mark;
    size_t bytes;

    line->driver = LOG_NVGPU;
    at = skip_blanks(at);
    bytes = strcspn(at, " \t:");
    copy_part(line->device, sizeof line->device, at, bytes);
    at = skip_blanks(at + bytes + (at[bytes] == ':'));
    mark = strstr(at, "[ERR] ");
    if (!mark)
        mark = strstr(at, "[WRN] ");
    line->message = skip_blanks(mark ? mark + 6 : after_function(at));
    return true;
}

static bool uvm_line(struct log_line *line, const char *at) {
    line->driver = LOG_NVRM;
    line->message = skip_blanks(at);
    return true;
}

static const struct {
    const char *word;
    bool (*read)(struct log_line *line, const char *after);
} drivers[] = {{"nouveau", nouveau_line}, {"NVRM:", nvrm_line},  {"nvidia-uvm:", uvm_line},
               {"nvgpu:", nvgpu_line},    {"gk20a", nvgpu_line}, {"gp10b", nvgpu_line}};

static bool begins_word(const char *text, const char *at) {
    return at == text || strchr(" \t]|>", at[-1]);
}

/* A line that was cut out of a log may begin with its unit: "gr: DATA_ERROR ...". */
static bool bare_line(struct log_line *line) {
    static const char *const units[] = {
        "gr: ", "fifo: ", "bus: ", "fb: ", "ltc: ", "ce0: ", "ce1: ", "ce2: ", "fault: "};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strncmp(line->text, units[i], strlen(units[i])) == 0) {
            line->driver = LOG_NOUVEAU;
            nouveau_unit(line, line->text);
            return true;
        }
    if (strncmp(line->text, "Xid ", 4) == 0)
        return nvrm_line(line, line->text);
    return false;
}

bool log_line_read(struct log_line *line, const char *text, size_t bytes) {
    size_t number = line->number;

    *line = (struct log_line){.number = number};
    copy_part(line->text, sizeof line->text, text, bytes);
    for (char *c = line->text; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        char *at = strstr(line->text, drivers[i].word);
        if (!at || !begins_word(line->text, at) || !drivers[i].read(line, at + strlen(drivers[i].word)))
            continue;
        /* Without the time and the host before it. */
        size_t skip = (size_t)(at - line->text), message = (size_t)(line->message - line->text);
        memmove(line->text, at, strlen(at) + 1);
        line->message = line->text + message - skip;
        return true;
    }
    memmove(line->text, skip_blanks(line->text), strlen(skip_blanks(line->text)) + 1);
    return bare_line(line);
}
