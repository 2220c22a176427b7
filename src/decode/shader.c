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

size_t pfifo_shader_format(const struct pfifo_chip *chip, uint32_t address, const void *words, size_t *bytes, char *buf,
                           size_t size) {
    struct classes_text text = classes_text_begin(buf, size);
    const struct isa *isa = shader_isa_of(chip);
    char line[SHADER_TEXT];
    unsigned length = 0;
    struct ir ir;
    *bytes = 0;
    if (!isa)
        return text.length;
    switch (isa->decode(words, address, &ir, &length)) {
    case ISA_OK:
        isa_print(&ir, line, sizeof line);
        classes_text_print(&text, "%s", line);
        break;
    case ISA_SCHEDULE:
        classes_text_print(&text, "schedule");
        break;
    default:
        classes_text_print(&text, "illegal");
    }
    *bytes = length;
    return text.length;
}
