/* SPDX-License-Identifier: MIT */
#include "face/tool/console/methods.h"
#include "face/common/naming.h"

#include <pfifo/classes.h>
#include <pfifo/engine.h>

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct object {
    uint32_t channel, oclass;
};

enum { METHODS_END = 0x8000 }; /* beyond those that a header can name */

typedef bool object_at(const void *owner, size_t index, uint32_t *channel, uint32_t *oclass);

/* What is to be printed, and where to. */
struct request {
    struct pfifo_gpu *gpu;
    const char *name;
    const struct examine_format *format;
    void (*print)(void *opaque, const char *line);
    void *opaque;
};

static bool print_one(const struct request *request, const struct object *object, uint32_t method) {
    const struct pfifo_class *class = pfifo_class_find(object->oclass);
    char name[PFIFO_METHOD_NAME_BYTES] = "", text[1024] = "", number[80], line[1400];
    struct pfifo_method_name known;
    uint32_t value;

    if (!pfifo_gpu_method_value(request->gpu, object->channel, object->oclass, method, &value))
        return false;
    if (pfifo_method_find(object->oclass, method, &known))
        naming_method(&known, name, sizeof name);
    snprintf(number, sizeof number, "0x%08" PRIx32, value);
    if (request->format)
        examine_value(request->format, value, number, sizeof number);
    else
        pfifo_method_describe(object->oclass, method, value, text, sizeof text);
    snprintf(line, sizeof line, "channel %" PRIu32 ": %04" PRIx32 " %s %04" PRIx32 " %s = %s%s%s\n", object->channel,
             object->oclass, class ? class->name : "?", method, name, number, text[0] ? "  " : "", text);
    request->print(request->opaque, line);
    return true;
}

/* Is it one of these, with or without its index? */
static bool methods_is_like(const struct pfifo_method_name *known, const char *glob) {
    char name[PFIFO_METHOD_NAME_BYTES] = "";

    pfifo_method_format(known, name, sizeof name);
    if (fnmatch(glob, name, FNM_CASEFOLD) == 0)
        return true;
    name[strcspn(name, "(")] = 0;
    return fnmatch(glob, name, FNM_CASEFOLD) == 0 || (known->alias && fnmatch(glob, known->alias, FNM_CASEFOLD) == 0);
}

static bool methods_print_object(const struct request *request, const struct object *object) {
    struct pfifo_method_name known;
    uint32_t method = 0;
    bool any = false;

    if (!strpbrk(request->name, "*?"))
        return pfifo_method_by_name(object->oclass, request->name, &method) && print_one(request, object, method);
    for (; method < METHODS_END; method += 4)
        if (pfifo_method_find(object->oclass, method, &known) && methods_is_like(&known, request->name))
            any |= print_one(request, object, method);
    return any;
}

/* Is it the first one of those that are the same? */
static bool is_first(object_at *at, const void *owner, size_t index, const struct object *object) {
    struct object before;

    for (size_t i = 0; i < index && at(owner, i, &before.channel, &before.oclass); i++)
        if (before.channel == object->channel && before.oclass == object->oclass)
            return false;
    return true;
}

bool methods_are_of(const char *text, uint32_t oclass, const char **name) {
    const char *dot = strchr(text, '.');
    char first[PFIFO_METHOD_NAME_BYTES];

    *name = dot ? dot + 1 : text;
    if (!dot)
        return true;
    snprintf(first, sizeof first, "%.*s", (int)(dot - text), text);
    const struct pfifo_class *class = pfifo_class_by_name(first);
    return class && class->id == oclass;
}

bool methods_print(struct pfifo_gpu *gpu, const char *text, const struct examine_format *format,
                   bool (*at)(const void *owner, size_t index, uint32_t *channel, uint32_t *oclass), const void *owner,
                   void (*print)(void *opaque, const char *line), void *opaque) {
    struct request request = {.gpu = gpu, .format = format, .print = print, .opaque = opaque};
    struct object object;
    bool any = false;

    for (size_t i = 0; at(owner, i, &object.channel, &object.oclass); i++)
        if (methods_are_of(text, object.oclass, &request.name) && is_first(at, owner, i, &object))
            any |= methods_print_object(&request, &object);
    return any;
}
