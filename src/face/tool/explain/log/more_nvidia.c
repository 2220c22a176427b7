/* SPDX-License-Identifier: MIT */
/* What only some of nvgpu's lines have. */
#include "face/tool/explain/log/more.h"

#include "chip/counted.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool log_nvgpu_entry(const struct log_match *match, uint64_t *entry) {
    const char *text = match->line->message;
    uint64_t entry0 = 0, entry1 = 0;

    if (!log_number_after(text, "shadow0", &entry0) || !log_number_after(text, "shadow1", &entry1))
        return false;
    *entry = entry1 << 32 | (entry0 & UINT32_MAX);
    return true;
}

/* NVIDIA open-gpu-doc dev_pbdma: METHOD0 has the method 13:2, the subchannel 18:16, VALID 31. */
void log_more_nvgpu_pbdma(struct explain *explain, const struct log_match *match) {
    const char *text = match->line->message;
    uint64_t header = 0, method = 0, entry = 0, data = 0;
    bool has_data = log_number_after(text, "SHADOW", &data);

    if (log_number_after(text, "PBH", &header)) {
        explain_number(explain, "header", "0x%08" PRIx64, header);
        if (header <= UINT32_MAX)
            explain_header(explain, match->chip ? match->chip : pfifo_chip_by_name("GM20B"), (uint32_t)header);
    }
    if (has_data)
        explain_number(explain, "data", "0x%08" PRIx64, data);
    if (log_number_after(text, "M0", &method))
        explain_text(explain, "method 0", "0x%08" PRIx64 ": method 0x%04" PRIx64 " of subchannel %" PRIu64 "%s", method,
                     method & 0x3ffc, method >> 16 & 7, method >> 31 & 1 ? "" : ", not valid");
    if (log_nvgpu_entry(match, &entry)) /* LENGTH 62:42, the address 39:2 */
        explain_text(explain, "entry", "0x%" PRIx64 ", %s: the ring's entry that is being fetched",
                     entry & UINT64_C(0xfffffffffc), counted(entry >> 42 & 0x1fffff, "word").text);
}

void log_more_nvgpu_class(struct explain *explain, const struct log_match *match) {
    const struct log_numbers *numbers = &match->numbers;
    uint64_t class_id;

    if (log_number_after(match->line->message, "class error", &class_id) && class_id <= UINT32_MAX &&
        numbers->has[LOG_METHOD] && numbers->number[LOG_METHOD] <= UINT32_MAX)
        log_print_method(explain, (uint32_t)class_id, (uint32_t)numbers->number[LOG_METHOD], NULL);
}

/* nvgpu hal/mm/mmu_fault/mmu_fault_gv11b_fusa.c: its words for the reasons, by number. */
static const char *const fault_words[] = {
    "invalid pde",
    "invalid pde size",
    "invalid pte",
    "limit violation",
    "unbound inst block",
    "priv violation",
    "write",
    "read",
    "pitch mask violation",
    "work creation",
    "unsupported aperture",
    "compression failure",
    "unsupported kind",
    "region violation",
    "poison",
    "atomic",
};

static void print_fault_word(struct explain *explain, const struct log_match *match, const char *type) {
    for (uint64_t i = 0; i < sizeof fault_words / sizeof fault_words[0]; i++)
        if (strncasecmp(type, fault_words[i], strlen(fault_words[i])) == 0 &&
            strchr(",()", type[strlen(fault_words[i])])) {
            log_print_reason(explain, match, &i, "");
            return;
        }
    explain_text(explain, "reason", "%.*s", (int)strcspn(type, ",("), type);
}

/* "client 15 (gpc_prop), ..."; "Cient 1 (t1 0)": a word, its number and its name. */
static void print_named(struct explain *explain, const char *key, const char *text, const char *word) {
    const char *at = strstr(text, word);
    char name[LOG_NAME_BYTES];
    uint64_t number;

    if (!at || sscanf(at + strlen(word), "%*d (%63[^)])", name) != 1)
        return;
    number = strtoul(at + strlen(word), NULL, 10);
    for (char *c = name; *c; c++)
        *c = *c == ' ' ? '_' : *c;
    log_print_client(explain, key, &number, name);
}

/* The numbers of an address may be parted: "addr 0x00000001:0x00200000". */
static bool fault_address(const char *text, uint64_t *address) {
    const char *at = strstr(text, "addr 0x"), *end;
    uint64_t low;

    if (!log_number_after(text, "fault addr", address) && !log_number_after(text, "addr", address))
        return false;
    end = at ? strchr(at, ':') : NULL;
    if (end && end < at + 20 && log_read_hex(end + 1, &low))
        *address = *address << 32 | low;
    return true;
}

/* ", type 2 (invalid pte)", "Tpe 2 (invalid pte)": the word is of the version, the number of the chip. */
static bool fault_number(const char *text, uint64_t *number) {
    const char *type = strstr(text, ", type ");

    if (!type && strncmp(text, "Tpe ", 4) != 0)
        return false;
    *number = strtoul(type ? type + 7 : text + 4, NULL, 10);
    return true;
}

void log_more_nvgpu_fault(struct explain *explain, const struct log_match *match) {
    const char *text = match->line->message, *type = strstr(text, "fault type: ");
    uint64_t number;

    if (fault_address(text, &number))
        explain_number(explain, "address", "0x%" PRIx64, number);
    print_named(explain, "client", text, "client ");
    print_named(explain, "client", text, "Cient ");
    if (type)
        print_fault_word(explain, match, type + 12);
    else if (fault_number(text, &number))
        log_print_reason(explain, match, &number, "");
}

/* nvgpu include/nvgpu/error_notifier.h, channel.h: those of NVIDIA's other driver. */
void log_more_nvgpu_notifier(struct explain *explain, const struct log_match *match) {
    static const char word[] = "error notifier set to ";
    uint64_t number = strtoul(match->line->message + strlen(word), NULL, 10);
    const char *name, *means, *cause;

    if (!log_xid(number, &name, &means, &cause)) {
        explain_text(explain, "error", "%" PRIu64 ": a number without a name", number);
        return;
    }
    explain_text(explain, "error", "%" PRIu64 "%s%s: %s", number, name[0] ? " " : "", name, means);
}

void log_more_nvgpu_sched(struct explain *explain, const struct log_match *match) {
    const char *text = match->rest + strspn(match->rest, " ");
    struct pfifo_error_code code;
    uint64_t number;

    if (log_read_hex(text, &number)) {
        log_print_value(explain, match, "value", number & 0xff, "SCHED_ERROR", NULL, "");
        return;
    }
    if (strncasecmp(text, "eng_", 4) == 0)
        text += 4;
    for (size_t i = 0; pfifo_error_code_at(i, &code); i++)
        if (strcmp(code.unit, "SCHED_ERROR") == 0 && strncasecmp(text, code.name, strlen(code.name)) == 0) {
            explain_text(explain, "reason", "%s (0x%" PRIx32 "): %s", code.name, code.code, code.text);
            return;
        }
    explain_text(explain, "reason", "%.40s: a name that is not known", text);
}
