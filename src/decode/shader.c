/* SPDX-License-Identifier: MIT */
/* One instruction of a shader program, and which instruction set a chip has. */
#include "decode/shader.h"

#include "classes/tables.h"

/* By chipset number, up to the last before the next row. Volta and later have instructions of 16 bytes. */
static const struct {
    uint32_t first;
    const struct isa *isa;
} sets[] = {
    {0x0c0, &isa_gf100}, {0x0e4, &isa_gf100k}, {0x0ea, &isa_gk110}, {0x0ec, NULL},
    {0x0f0, &isa_gk110}, {0x117, &isa_gm107},  {0x140, NULL},
};

const struct isa *shader_isa_of(const struct pfifo_chip *chip) {
    const struct isa *isa = NULL;
    uint32_t id = chip ? pfifo_chip_info(chip).id : 0;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0] && id >= sets[i].first; i++)
        isa = sets[i].isa;
    return isa;
}

/* Operations that are one instruction are in one line. */
static void shader_put_operations(struct classes_text *text, const struct ir *ops, unsigned count) {
    char line[SHADER_TEXT];
    for (unsigned i = 0; i < count; i++) {
        isa_print(&ops[i], line, sizeof line);
        classes_text_print(text, "%s%s", i ? "; " : "", line);
    }
}

size_t pfifo_shader_format(const struct pfifo_chip *chip, uint32_t address, const void *words, size_t *bytes, char *buf,
                           size_t size) {
    struct classes_text text = classes_text_begin(buf, size);
    const struct isa *isa = shader_isa_of(chip);
    struct ir ops[ISA_MOST_OPERATIONS];
    *bytes = 0;
    if (!isa)
        return text.length;
    struct isa_decoded found = isa->decode(words, isa->bytes, address, ops, ISA_MOST_OPERATIONS);
    *bytes = found.bytes;
    switch (found.result) {
    case ISA_OK:
        shader_put_operations(&text, ops, found.count);
        break;
    case ISA_SCHEDULE:
        classes_text_print(&text, "schedule");
        break;
    default:
        classes_text_print(&text, "illegal");
    }
    return text.length;
}
