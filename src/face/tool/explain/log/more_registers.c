/* SPDX-License-Identifier: MIT */
/* Registers in a log: those that did not answer, and those whose value a line has. */
#include "face/tool/explain/log/more.h"

#include "face/tool/chips/register_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- what the register ring answers ---- */

enum { GA100_HOST = 0xc56f }; /* of the first chip with the later numbers */

/*
 * Bits 31:8 of the answer. nvgpu hal/priv_ring/priv_ring_gp10b_fusa.c; priv_ring_ga10b_fusa.c, which has more, and another
 * meaning of one.
 */
static const struct {
    uint32_t word; /* without bits 7:0, which say who was asked */
    uint32_t from; /* the chips whose channels are of this class, and later ones; 0: all */
    const char *text;
} ring_errors[] = {
    {0xbad001, 0, "the host had no answer in time"},
    {0xbad002, 0, "the host knows no unit there"},
    {0xbad00f, 0, "the host had an error from the register ring's hub"},
    {0xbad0b0, 0, "memory did not acknowledge in time"},
    {0xbadf10, 0, "the unit did not answer in time"},
    {0xbadf11, 0, "no unit has a register there"},
    {0xbadf12, 0, "the unit is in reset"},
    {0xbadf13, 0, "the unit is fused off on this chip"},
    {0xbadf14, 0, "the unit's answer does not go away"},
    {0xbadf15, 0, "the unit answered when it was not asked"},
    {0xbadf16, 0, "the unit is fenced off: power or clock is off"},
    {0xbadf17, 0, "the access has a sub-id that the unit does not take"},
    {0xbadf18, GA100_HOST, "the unit waited too long with the data of a read"},
    {0xbadf18, 0, "single bytes cannot be written"},
    {0xbadf19, 0, "single bytes cannot be written"},
    {0xbadf20, 0, "the GPC or memory partition is cut off from the ring"},
    {0xbadf21, 0, "the power of the unit was not good in time"},
    {0xbadf22, 0, "the GPC or memory partition is cut off from the ring: its power is off"},
    {0xbadf23, 0, "the power of the unit is off"},
    {0xbadf24, 0, "the GPC is cut off from the ring of GPCs"},
    {0xbadf25, 0, "no GPC has a register there"},
    {0xbadf26, 0, "the unit's own ring has no register there"},
    {0xbadf27, 0, "the data is marked as damaged"},
    {0xbadf28, 0, "the access is of a kind that the unit does not take"},
    {0xbadf30, 0, "the ring is dead"},
    {0xbadf31, 0, "the ring is dead: its power is low"},
    {0xbadf40, 0, "a trap was set on the register"},
    {0xbadf41, 0, "the unit is not one of those that the access may reach"},
    {0xbadf50, 0, "the unit refused the access"},
    {0xbadf51, 0, "the access is not privileged enough"},
    {0xbadf52, 0, "an indirect access is not privileged enough"},
    {0xbadf53, 0, "an error of the unit's own ring"},
    {0xbadf54, 0, "a falcon's memory is protected from the access"},
    {0xbadf55, 0, "the access was sent where no unit is"},
    {0xbadf57, 0, "who accesses is not one of those that the register allows"},
    {0xbadf59, 0, "who accesses indirectly is not one of those that the register allows"},
    {0xbadf60, 0, "the chip's sensors of attacks have locked the register"},
};

static bool print_ring_word(struct explain *explain, const struct pfifo_chip *chip, uint64_t word) {
    uint32_t host = chip ? pfifo_chip_info(chip).host_class : 0;
    const char *text = "a word that the register ring answers in place of data; its number has no name";

    if (word > UINT32_MAX || (word >> 20) != 0xbad)
        return false;
    for (size_t i = sizeof ring_errors / sizeof ring_errors[0]; i-- > 0;)
        if (word >> 8 == ring_errors[i].word && host >= ring_errors[i].from)
            text = ring_errors[i].text;
    explain_text(explain, "answer", "0x%08" PRIx64 ": %s", word, text);
    return true;
}

void log_more_ring(struct explain *explain, const struct log_match *match) {
    const char *text = match->line->message;
    uint64_t number;

    for (const char *at = text; *at; at++)
        if ((at == text || !isalnum((unsigned char)at[-1])) && log_read_hex(at, &number) &&
            print_ring_word(explain, match->chip, number))
            return;
}

/* NULL: the chip is not known. */
static const struct pfifo_registers *tables_of(struct explain *explain, const struct pfifo_chip *chip) {
    for (size_t i = 0; chip && i < pfifo_chip_count(); i++)
        if (pfifo_chip_at(i) == chip)
            return explain_tables(explain, i);
    return NULL;
}

bool log_knows_register(struct explain *explain, const struct pfifo_chip *chip, uint64_t offset) {
    const struct pfifo_registers *tables = tables_of(explain, chip);
    struct pfifo_register reg;
    uint32_t index;

    return tables && offset <= UINT32_MAX && pfifo_registers_describe(tables, (uint32_t)offset, &reg, &index);
}

static void print_register(struct explain *explain, const struct pfifo_chip *chip, uint64_t offset) {
    const struct pfifo_registers *tables = tables_of(explain, chip);
    char name[64] = "";

    if (tables && offset <= UINT32_MAX)
        pfifo_registers_name(tables, (uint32_t)offset, name, sizeof name);
    explain_text(explain, "register", "0x%06" PRIx64 "%s%s", offset, name[0] ? " " : "", name);
}

void log_more_mmio(struct explain *explain, const struct log_match *match) {
    static const struct {
        const char *word, *text;
    } reasons[] = {
        {"!ENGINE", "!ENGINE: the unit is off or in reset (PMC.ENABLE)"},
        {"IBUS", "IBUS: the register ring answered with an error"},
        {"PRIVRING", "PRIVRING: the register ring answered with an error"},
        {"TIMEOUT", "TIMEOUT: nobody answered in time"},
    };

    print_register(explain, match->chip, match->numbers.number[LOG_VALUE]);
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strstr(match->rest, reasons[i].word))
            explain_text(explain, "why", "%s", reasons[i].text);
    log_more_ring(explain, match);
}

/* "ADR 0x00400000 WRDAT ...". */
void log_more_ring_write(struct explain *explain, const struct log_match *match) {
    uint64_t offset;

    if (log_number_after(match->line->message, "ADR", &offset))
        print_register(explain, match->chip, offset);
    log_more_ring(explain, match);
}

/* ---- interrupts ---- */

/* The register of a chip whose interrupts are those of all from GF100 on, where the log does not say the chip. */
void log_more_interrupt(struct explain *explain, const struct log_match *match) {
    const struct pfifo_chip *chip = match->chip ? match->chip : pfifo_chip_by_name("GK104");
    uint64_t value = match->numbers.number[LOG_VALUE];
    const struct pfifo_registers *tables = tables_of(explain, chip);
    struct pfifo_register reg;
    uint32_t offset, index;
    char text[512] = "";

    if (tables && value <= UINT32_MAX && pfifo_registers_find(tables, "PFIFO.INTR", &offset, NULL) == PFIFO_OK &&
        pfifo_registers_describe(tables, offset, &reg, &index))
        register_format_names(&reg, (uint32_t)value, text, sizeof text);
    explain_text(explain, "value", "0x%08" PRIx64 ": %s", value, text[0] ? text : "a number without a name");
}
