/* SPDX-License-Identifier: MIT */
#include "session/format.h"

#include "memory/little_endian.h"

static const struct session_row {
    const char *name, *widths; /* bytes of each field, a digit each */
    uint32_t tail_min, tail_max;
} rows[SESSION_TYPES] = {
    [SESSION_CARD] = {"CARD", "884444", SESSION_NAME_BYTES, SESSION_NAME_BYTES + SESSION_ACCESS_MAX},
    [SESSION_CONFIG_READ] = {"CONFIG_READ", "444", 0, 0},
    [SESSION_CONFIG_WRITE] = {"CONFIG_WRITE", "444", 0, 0},
    [SESSION_READ] = {"READ", "48", 0, SESSION_ACCESS_MAX},
    [SESSION_WRITE] = {"WRITE", "48", 0, SESSION_ACCESS_MAX},
    [SESSION_RESET] = {"RESET", "", 0, 0},
    [SESSION_MAP] = {"MAP", "884", 0, 0},
    [SESSION_UNMAP] = {"UNMAP", "88", 0, 0},
    [SESSION_RUN] = {"RUN", "884", 0, 0},
    [SESSION_TIME] = {"TIME", "8", 0, 0},
    [SESSION_PAGE] = {"PAGE", "8", 1, PCI_TAP_PAGE},
    [SESSION_INTX] = {"INTX", "4", 0, 0},
    [SESSION_MSI] = {"MSI", "84", 0, 0},
};

const char *session_type_name(uint32_t type) {
    return type < SESSION_TYPES && rows[type].name ? rows[type].name : "unknown";
}

size_t session_encode(const struct session_record *record, uint8_t head[SESSION_HEAD_MAX]) {
    size_t used = 8;
    const char *widths = rows[record->type].widths;
    for (unsigned i = 0; widths[i]; i++) {
        store_le32(head + used, (uint32_t)record->field[i]);
        if (widths[i] == '8')
            store_le32(head + used + 4, (uint32_t)(record->field[i] >> 32));
        used += (size_t)(widths[i] - '0');
    }
    store_le32(head, record->type);
    store_le32(head + 4, (uint32_t)(used - 8 + record->tail_bytes));
    return used;
}

const char *session_decode(struct session_record *record, uint32_t type, const uint8_t *payload, size_t bytes) {
    *record = (struct session_record){.type = type, .tail = payload, .tail_bytes = bytes};
    if (type >= SESSION_TYPES || !rows[type].name)
        return NULL;
    const struct session_row *row = &rows[type];
    for (unsigned i = 0; row->widths[i]; i++) {
        size_t width = (size_t)(row->widths[i] - '0');
        if (record->tail_bytes < width)
            return "the payload is too short";
        record->field[i] = load_le32(record->tail);
        if (width == 8)
            record->field[i] |= (uint64_t)load_le32(record->tail + 4) << 32;
        record->tail += width;
        record->tail_bytes -= width;
    }
    if (record->tail_bytes < row->tail_min || record->tail_bytes > row->tail_max)
        return "the payload has not the size of its type";
    return NULL;
}
