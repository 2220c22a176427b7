/* SPDX-License-Identifier: MIT */
/* Registers by name, from the tables that the bus decodes with. */
#include <pfifo/registers.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gpu/gpu.h"

#define ALL_BITS UINT32_MAX

/* A name as typed by the user, parsed. */
struct name {
    char unit[32]; /* empty: any */
    char name[64];
    uint32_t index;
    bool has_index;
};

static const char *registers_unit_of(const struct bus *bus, const struct bus_row *row) {
    for (size_t i = 0; i < bus->table_count; i++) {
        const struct reg_table *table = bus->tables[i].table;
        /* Several instances of a unit may share a table of rows. */
        if (row->reg >= table->regs && row->reg < table->regs + table->count && row->unit == bus->tables[i].unit)
            return table->unit;
    }
    return "";
}

static struct pfifo_register registers_describe(const struct bus *bus, const struct bus_row *row) {
    const struct reg *reg = row->reg;
    return (struct pfifo_register){
        .unit = registers_unit_of(bus, row),
        .name = reg->name,
        .offset = reg->offset,
        .count = reg->count ? reg->count : 1,
        .stride = reg->stride ? reg->stride : 4,
        /* The row of a computed register need not list its bits. */
        .readable = reg->read && !reg->readable ? ALL_BITS : reg->readable,
        .writable = reg->writable,
        .reset = reg->reset,
        .computed = reg->read != NULL,
        .write_acts = reg->write != NULL,
        .read_acts = reg->read_acts,
        .is_time = reg->is_time,
        .fields = reg->fields,
    };
}

static struct pfifo_register describe_word(const struct window *window, size_t index) {
    const struct window_word *word = &window->words[index];
    return (struct pfifo_register){
        .unit = window->unit,
        .name = word->name,
        .offset = window->base + word->offset,
        .count = window->bytes / window->stride,
        .stride = window->stride,
        .readable = word->readable,
        .writable = word->writable,
        .computed = true,
        .write_acts = true,
        .read_acts = word->read_acts,
        .fields = word->fields,
    };
}

static bool describe_window_word(const struct bus *bus, uint32_t offset, struct pfifo_register *reg, uint32_t *index) {
    for (size_t i = 0; i < bus->window_count; i++) {
        const struct window *window = bus->windows[i].window;
        if (offset < window->base || offset - window->base >= window->bytes)
            continue;
        for (size_t n = 0; n < window->word_count; n++) {
            if ((offset - window->base) % window->stride - window->words[n].offset >= 4)
                continue;
            *reg = describe_word(window, n);
            if (index)
                *index = (offset - window->base) / window->stride;
            return true;
        }
    }
    return false;
}

struct pfifo_registers *pfifo_registers_new(const struct pfifo_chip *chip, struct pfifo_error *error) {
    struct pfifo_gpu *gpu = chip ? gpu_new_tables(chip, error) : NULL;
    if (!chip)
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "tables of registers need a chip");
    return gpu ? &gpu->registers : NULL;
}

void pfifo_registers_free(struct pfifo_registers *registers) {
    if (registers)
        pfifo_gpu_free(registers->gpu);
}

const struct pfifo_registers *pfifo_gpu_registers(const struct pfifo_gpu *gpu) {
    return &gpu->registers;
}

const struct pfifo_chip *pfifo_registers_chip(const struct pfifo_registers *registers) {
    return registers->chip;
}

size_t pfifo_registers_count(const struct pfifo_registers *registers) {
    return registers->bus->row_count;
}

bool pfifo_registers_at(const struct pfifo_registers *registers, size_t index, struct pfifo_register *reg) {
    if (index >= registers->bus->row_count)
        return false;
    *reg = registers_describe(registers->bus, &registers->bus->rows[index]);
    return true;
}

bool pfifo_registers_describe(const struct pfifo_registers *registers, uint32_t offset, struct pfifo_register *reg,
                              uint32_t *index) {
    const struct bus *bus = registers->bus;
    void *unit;
    const struct reg *found = bus_find(bus, offset, index, &unit);
    for (size_t i = 0; found && i < bus->row_count; i++) {
        if (bus->rows[i].reg != found || bus->rows[i].unit != unit)
            continue;
        *reg = registers_describe(bus, &bus->rows[i]);
        return true;
    }
    return !found && describe_window_word(bus, offset, reg, index);
}

/* [UNIT.]NAME[[INDEX]], and NV_UNIT_NAME of NVIDIA's manuals: all its units begin with a P. False if it is no name. */
static bool registers_parse_name(const char *text, struct name *name) {
    const bool manual = strncasecmp(text, "NV_P", 4) == 0;

    text += manual ? 3 : 0;
    const char *dot = strchr(text, manual ? '_' : '.'), *start = dot ? dot + 1 : text;
    size_t unit_length = dot ? (size_t)(dot - text) : 0, length = strcspn(start, "[");

    *name = (struct name){0};
    if (unit_length >= sizeof name->unit || length >= sizeof name->name || !length || (dot && !unit_length))
        return false;
    memcpy(name->unit, text, unit_length);
    memcpy(name->name, start, length);
    if (!start[length])
        return true;
    const char *digits = start + length + 1;
    char *end;
    if (!isdigit((unsigned char)*digits))
        return false;
    errno = 0;
    unsigned long index = strtoul(digits, &end, 0);
    name->has_index = true;
    name->index = index <= UINT32_MAX ? (uint32_t)index : UINT32_MAX;
    return !errno && strcmp(end, "]") == 0;
}

static bool registers_is_called(const struct pfifo_register *reg, const struct name *name) {
    return strcasecmp(reg->name, name->name) == 0 && (!name->unit[0] || strcasecmp(reg->unit, name->unit) == 0);
}

/* As registers_called(), of the words of windows. */
static size_t words_called(const struct bus *bus, const struct name *name, struct pfifo_register found[2]) {
    size_t count = 0;
    for (size_t i = 0; i < bus->window_count; i++) {
        const struct window *window = bus->windows[i].window;
        for (size_t n = 0; n < window->word_count; n++) {
            struct pfifo_register word = describe_word(window, n);
            if (registers_is_called(&word, name) && count++ < 2)
                found[count - 1] = word;
        }
    }
    return count;
}

/* The registers of that name: how many, and the first two. Words of windows count where there is no register. */
static size_t registers_called(const struct bus *bus, const struct name *name, struct pfifo_register found[2]) {
    size_t count = 0;
    for (size_t i = 0; i < bus->row_count; i++) {
        struct pfifo_register reg = registers_describe(bus, &bus->rows[i]);
        if (!registers_is_called(&reg, name))
            continue;
        if (count < 2)
            found[count] = reg;
        count++;
    }
    return count ? count : words_called(bus, name, found);
}

/* Lists as many names as fit. */
static enum pfifo_status ambiguous(const struct bus *bus, const char *text, const struct name *name, size_t count,
                                   struct pfifo_error *error) {
    char list[128] = "";
    size_t used = 0, named = 0;

    for (size_t i = 0; i < bus->row_count; i++) {
        struct pfifo_register reg = registers_describe(bus, &bus->rows[i]);
        if (!registers_is_called(&reg, name) || used + strlen(reg.unit) + strlen(reg.name) + 4 > sizeof list)
            continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s.%s", named ? ", " : "", reg.unit, reg.name);
        named++;
    }
    if (named < count)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "'%.60s' is ambiguous: %s and %zu more", text, list,
                               count - named);
    return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "'%.60s' is ambiguous: %s", text, list);
}

static enum pfifo_status registers_find_name(const struct pfifo_registers *registers, const char *text,
                                             uint32_t *offset, struct pfifo_error *error) {
    struct pfifo_register found[2];
    struct name name;
    size_t count = registers_parse_name(text, &name) ? registers_called(registers->bus, &name, found) : 0;

    if (!count)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s has no register '%.60s'", registers->chip->name, text);
    if (count > 1)
        return ambiguous(registers->bus, text, &name, count, error);
    if (name.index >= found[0].count || (name.has_index && found[0].count == 1))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s.%s has %" PRIu32 " element%s", found[0].unit,
                               found[0].name, found[0].count, found[0].count == 1 ? ", not an array" : "s");
    *offset = found[0].offset + name.index * found[0].stride;
    return PFIFO_OK;
}

enum pfifo_status pfifo_registers_find(const struct pfifo_registers *registers, const char *text, uint32_t *offset,
                                       struct pfifo_error *error) {
    if (!registers || !text || !offset)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "a register needs tables, a name and a place for its offset");
    if (!isdigit((unsigned char)text[0]))
        return registers_find_name(registers, text, offset, error);
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10);
    struct pfifo_register reg;
    if (errno || *end || number > UINT32_MAX || !pfifo_registers_describe(registers, (uint32_t)number, &reg, NULL))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%s has no register at '%.60s'", registers->chip->name,
                               text);
    *offset = (uint32_t)number & ~3u;
    return PFIFO_OK;
}

size_t pfifo_registers_name(const struct pfifo_registers *registers, uint32_t offset, char *buf, size_t size) {
    struct pfifo_register reg, found[2];
    struct name name = {0};
    uint32_t index, word;
    char element[16] = "";

    if (size)
        buf[0] = 0;
    if (!pfifo_registers_describe(registers, offset, &reg, &index))
        return 0;
    snprintf(name.name, sizeof name.name, "%s", reg.name);
    bool alone = registers_called(registers->bus, &name, found) == 1 && found[0].offset == reg.offset &&
                 !describe_window_word(registers->bus, offset, &found[1], &word);
    if (reg.count > 1)
        snprintf(element, sizeof element, "[%" PRIu32 "]", index);
    return (size_t)snprintf(buf, size, "%s%s%s%s", alone ? "" : reg.unit, alone ? "" : ".", reg.name, element);
}

/* One of "NAME BIT" and "NAME HIGH:LOW". */
static bool parse_field(const char *text, size_t length, struct pfifo_register_field *field) {
    char copy[64];
    int used = 0;

    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    *field = (struct pfifo_register_field){0};
    if (sscanf(copy, " %39s %u%n", field->name, &field->high, &used) != 2) /* NOLINT(cert-err34-c): our own text */
        return false;
    field->low = field->high;
    if (copy[used] == ':')
        sscanf(copy + used + 1, "%u", &field->low); /* NOLINT(cert-err34-c) */
    return field->low <= field->high && field->high < 32;
}

bool pfifo_register_field_at(const struct pfifo_register *reg, size_t index, struct pfifo_register_field *field) {
    const char *at = reg->fields;
    for (size_t i = 0; at && i < index; i++) {
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    return at && parse_field(at, strcspn(at, ","), field);
}

bool pfifo_registers_window(const struct pfifo_registers *registers, size_t index, struct pfifo_window *window) {
    if (index >= registers->bus->window_count)
        return false;
    const struct window *found = registers->bus->windows[index].window;
    *window = (struct pfifo_window){
        .name = found->name, .base = found->base, .bytes = found->bytes, .read_acts = found->read_acts};
    return true;
}

bool pfifo_registers_window_word(const struct pfifo_registers *registers, size_t window, size_t index,
                                 struct pfifo_register *word) {
    if (window >= registers->bus->window_count || index >= registers->bus->windows[window].window->word_count)
        return false;
    *word = describe_word(registers->bus->windows[window].window, index);
    return true;
}
