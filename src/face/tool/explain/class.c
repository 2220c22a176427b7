/* SPDX-License-Identifier: MIT */
#include "face/tool/explain/explain.h"

#include "face/common/text.h"
#include "face/tool/chips/chip_classes.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *family, *text;
} families[] = {
    {"host", "a channel: its methods below 0x100 are the front end's own"},
    {"3d", "3D objects: vertices, shaders, render targets"},
    {"compute", "compute objects: grids of threads"},
    {"2d", "2D objects: fills, blits, uploads of pixels"},
    {"copy", "copy engine: copies between memory and surfaces"},
    {"m2mf", "memory to memory format: copies between two buffers or surfaces"},
    {"i2m", "inline to memory: data in the command stream is written to memory"},
    {"video", "video decoding, encoding and encryption"},
    {"software", "a software object: the driver executes its methods"},
    {"sec2", "security engine"},
    {"nv1-2d", "2D objects of the first chips: a context or one kind of drawing"},
};

bool explain_chip_has_class(const struct pfifo_chip *chip, const struct pfifo_class *class) {
    return !chip || pfifo_chip_info(chip).host_class == class->id || chip_offers_class(chip, class);
}

/* nouveau's and Mesa's names, "NVC0_3D": the newest of the chip's classes of that kind. */
static const struct pfifo_class *class_of_chip(const char *text) {
    static const struct {
        const char *kind, *family;
    } kinds[] = {{"3D", "3d"}, {"2D", "2d"}, {"COMPUTE", "compute"}, {"M2MF", "m2mf"}, {"P2MF", "i2m"}};
    const char *kind = strchr(text, '_'), *family = NULL;
    const struct pfifo_class *found = NULL, *class;
    char name[16] = "";

    for (size_t i = 0; kind && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcasecmp(kind + 1, kinds[i].kind) == 0)
            family = kinds[i].family;
    if (!family || (size_t)(kind - text) >= sizeof name)
        return NULL;
    memcpy(name, text, (size_t)(kind - text));
    const struct pfifo_chip *chip = pfifo_chip_by_name(name);
    for (size_t i = 0; chip && (class = chip_class_at(chip, i)); i++)
        if (strcmp(class->family, family) == 0 && (!found || class->id > found->id))
            found = class;
    return found;
}

const struct pfifo_class *explain_class_of(const struct explain *explain, const char *text) {
    const struct pfifo_class *found = pfifo_class_by_name(text);

    /* Of two classes with one name, the chip's. */
    for (size_t i = 0; found && explain->chip && i < pfifo_class_count(); i++) {
        const struct pfifo_class *other = pfifo_class_at(i);
        if (strcmp(other->name, found->name) == 0 && explain_chip_has_class(explain->chip, other))
            return other;
    }
    return found ? found : class_of_chip(text);
}

static void class_family(struct explain *explain, const struct pfifo_class *class) {
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strcmp(families[i].family, class->family) == 0) {
            explain_text(explain, "family", "%s: %s", class->family, families[i].text);
            return;
        }
    explain_text(explain, "family", "%s", class->family);
}

void explain_class(struct explain *explain, const struct pfifo_class *class) {
    bool has[EXPLAIN_CHIPS] = {false};

    explain_begin(explain, "class", "class 0x%04" PRIx32 " %s", class->id, class->name);
    if (explain->json) {
        explain_number(explain, "id", "", class->id);
        explain_text(explain, "name", "%s", class->name);
    }
    if (class->alias)
        explain_text(explain, "alias", "%s", class->alias);
    class_family(explain, class);
    for (size_t i = 0; i < pfifo_chip_count() && i < EXPLAIN_CHIPS; i++)
        has[i] = explain_chip_has_class(pfifo_chip_at(i), class);
    explain_chips(explain, has);
    if (class->first_chip)
        explain_text(explain, "listed for", "%s to %s", class->first_chip, class->last_chip ? class->last_chip : "?");
    explain_number(explain, "methods", "%" PRIu64 " (an array counts once)", pfifo_method_count(class->id));
    explain_list(explain, "events");
    explain_word(explain, "puller.bind");
    explain_word(explain, "puller.method");
    explain_list_end(explain);
    explain_text(explain, "ask", "pfifo grep class=%04" PRIx32 " CAPTURE", class->id);
    explain_text(explain, "source", "src/classes/data/classes.txt, from NVIDIA's class headers and envytools' rnndb");
    explain_end(explain);
}

void explain_chip(struct explain *explain) {
    const struct explain_thing *thing = explain->thing;
    const struct pfifo_chip *chip = thing->parts == 1 && !thing->value ? pfifo_chip_by_name(thing->part[0]) : NULL;
    struct pfifo_chip_info info;

    /* Numbers are classes, registers and words. */
    if (!chip || strcasecmp(pfifo_chip_info(chip).name, thing->part[0]) != 0)
        return;
    info = pfifo_chip_info(chip);
    explain_begin(explain, "chip", "chip %s", info.name);
    explain_text(explain, "generation", "%s", info.generation);
    explain_number(explain, "number", "0x%" PRIx64, info.id);
    explain_number(explain, "channels", "%" PRIu64, info.channels);
    explain_text(explain, "machine", "%s",
                 info.runs ? "built: pfifo run runs its streams" : "not built: it is decoded only");
    explain_text(explain, "ask", "pfifo info %s", info.name);
    explain_end(explain);
}

bool explain_method_of(uint32_t class_id, const char *text, struct pfifo_method_name *method) {
    uint64_t number = 0;
    uint32_t offset;

    if (text_to_number(text, &number))
        offset = number <= UINT32_MAX ? (uint32_t)number : 1;
    else if (!pfifo_method_by_name(class_id, text, &offset))
        return false;
    return pfifo_method_find(class_id, offset, method);
}
