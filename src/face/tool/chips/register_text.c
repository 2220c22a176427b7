/* SPDX-License-Identifier: MIT */
#include "face/tool/chips/register_text.h"

#include <pfifo/error_code.h>

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool register_matches(const struct pfifo_register *reg, const char *glob) {
    char full[128];

    if (!glob || fnmatch(glob, reg->name, FNM_CASEFOLD) == 0)
        return true;
    snprintf(full, sizeof full, "%s.%s", reg->unit, reg->name);
    return fnmatch(glob, full, FNM_CASEFOLD) == 0;
}

bool window_matches(const struct pfifo_window *window, const char *glob) {
    return !glob || fnmatch(glob, window->name, FNM_CASEFOLD) == 0;
}

/* A method is said in bytes, as everywhere else, though its lowest bits are not in the register. */
static bool is_method(const struct pfifo_register_field *field) {
    return field->low == 2 && field->high > field->low && strcmp(field->name, "METHOD") == 0;
}

/* " (INVALID_CMD)": the number of an error that the register has; "" for any other field. */
static const char *error_of(const struct pfifo_register *reg, const struct pfifo_register_field *field, uint32_t bits,
                            char buf[48]) {
    struct pfifo_error_code code;

    buf[0] = 0;
    for (size_t i = 0; strcmp(field->name, "ERROR") == 0 && pfifo_error_code_at(i, &code); i++)
        if (!code.is_bit && code.code == bits && strcmp(code.where, reg->name) == 0)
            snprintf(buf, 48, " (%s)", code.name);
    return buf;
}

void register_format_fields(const struct pfifo_register *reg, uint32_t value, char *buf, size_t size) {
    struct pfifo_register_field field;
    size_t used = 0;

    buf[0] = 0;
    for (size_t i = 0; pfifo_register_field_at(reg, i, &field); i++) {
        unsigned width = field.high - field.low + 1;
        uint32_t bits = value >> field.low & (width < 32 ? (1u << width) - 1 : UINT32_MAX);
        int length = snprintf(buf + used, size - used, width <= 4 ? "%s%s=%" PRIu32 : "%s%s=0x%" PRIx32, i ? " " : "",
                              field.name, is_method(&field) ? bits << field.low : bits);
        if (length < 0 || (size_t)length >= size - used) {
            buf[used] = 0;
            return;
        }
        used += (size_t)length;
    }
}

static size_t register_text_append(char *buf, size_t size, size_t used, const char *text) {
    int length = snprintf(buf + used, size - used, "%s%s", used ? " " : "", text);

    return length < 0 || (size_t)length >= size - used ? size - 1 : used + (size_t)length;
}

void register_format_names(const struct pfifo_register *reg, uint32_t value, char *buf, size_t size) {
    struct pfifo_register_field field;
    char text[128], error[48];
    size_t used = 0;

    buf[0] = 0;
    for (size_t i = 0; pfifo_register_field_at(reg, i, &field); i++) {
        uint32_t mask = (uint32_t)((UINT64_C(2) << field.high) - (UINT64_C(1) << field.low));
        if (!(value & mask))
            continue;
        if (is_method(&field))
            snprintf(text, sizeof text, "%s=0x%" PRIx32, field.name, value & mask);
        else
            snprintf(text, sizeof text, field.high > field.low ? "%s=%" PRIu32 "%s" : "%s", field.name,
                     (value & mask) >> field.low, error_of(reg, &field, (value & mask) >> field.low, error));
        used = register_text_append(buf, size, used, text);
        value &= ~mask;
    }
    for (unsigned bit = 0; reg->fields && bit < 32; bit++) {
        if (!(value >> bit & 1))
            continue;
        snprintf(text, sizeof text, "bit %u", bit);
        used = register_text_append(buf, size, used, text);
    }
}
