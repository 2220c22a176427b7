/* SPDX-License-Identifier: MIT */
#include "face/tool/methods.h"

#include <pfifo/classes.h>
#include <pfifo/engine.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct object {
    uint32_t channel, oclass;
};

static void format(const struct object *object, uint32_t method, uint32_t value, char *line, size_t size) {
    const struct pfifo_class *class = pfifo_class_find(object->oclass);
    char name[PFIFO_METHOD_NAME_BYTES] = "", text[1024];
    struct pfifo_method_name known;

    if (pfifo_method_find(object->oclass, method, &known))
        pfifo_method_format(&known, name, sizeof name);
    pfifo_method_describe(object->oclass, method, value, text, sizeof text);
    snprintf(line, size, "channel %" PRIu32 ": %04" PRIx32 " %s %04" PRIx32 " %s = 0x%08" PRIx32 "%s%s\n",
             object->channel, object->oclass, class ? class->name : "?", method, name, value, text[0] ? "  " : "",
             text);
}

bool methods_print(struct pfifo_gpu *gpu, const char *text,
                   bool (*at)(const void *owner, size_t index, uint32_t *channel, uint32_t *oclass), const void *owner,
                   void (*print)(void *opaque, const char *line), void *opaque) {
    const char *dot = strchr(text, '.'), *name = dot ? dot + 1 : text;
    char first[PFIFO_METHOD_NAME_BYTES] = "", line[1400];
    struct object object, before;
    bool any = false;

    snprintf(first, sizeof first, "%.*s", dot ? (int)(dot - text) : 0, text);
    const struct pfifo_class *class = dot ? pfifo_class_by_name(first) : NULL;
    for (size_t i = 0; at(owner, i, &object.channel, &object.oclass); i++) {
        uint32_t method = 0, value = 0;
        size_t same = 0;
        if ((dot && (!class || class->id != object.oclass)) || !pfifo_method_by_name(object.oclass, name, &method))
            continue;
        while (same < i && at(owner, same, &before.channel, &before.oclass) &&
               (before.channel != object.channel || before.oclass != object.oclass))
            same++;
        if (same < i || !pfifo_gpu_method_value(gpu, object.channel, object.oclass, method, &value))
            continue;
        format(&object, method, value, line, sizeof line);
        print(opaque, line);
        any = true;
    }
    return any;
}
