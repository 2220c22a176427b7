/* SPDX-License-Identifier: MIT */
/* One instruction, whatever the chip. */
#include "decode/macro.h"

#include "chip/chip.h"
#include "isa/macro.h"

size_t pfifo_macro_words(const struct pfifo_chip *chip) {
    return chip && chip->has_macros ? macro_isa_of(chip)->step_words : 0;
}

void macro_text_method(struct classes_text *text, uint32_t address, uint32_t step) {
    classes_text_print(text, "0x%04x step %u", (unsigned)(address << 2), (unsigned)(step << 2));
}

void macro_text_name(struct classes_text *text, uint32_t class_id, uint32_t address) {
    struct pfifo_method_name method;
    char name[PFIFO_METHOD_NAME_BYTES];
    if (!pfifo_method_find(class_id, (address & (MACRO_METHODS - 1)) << 2, &method))
        return;
    pfifo_method_format(&method, name, sizeof name);
    classes_text_print(text, "  # %s", name);
}

size_t pfifo_macro_format(const struct pfifo_chip *chip, uint32_t class_id, uint32_t address, const uint32_t *words,
                          char *buf, size_t size) {
    struct classes_text text = classes_text_begin(buf, size);
    size_t count = pfifo_macro_words(chip);
    if (count == 1)
        macro_text_gf100(&text, class_id, address, words);
    else if (count)
        macro_text_tu102(&text, class_id, address, words);
    return text.length;
}
