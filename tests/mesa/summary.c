/* SPDX-License-Identifier: MIT */
#include "mesa/summary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "mesa/client.h"
#include "tool/json.h"

static unsigned long number_of(const struct json *object, const char *key) {
    const struct json *member = json_get(object, key);
    if (!member || member->type != JSON_NUMBER)
        fail_msg("no number '%s'", key);
    return member ? strtoul(member->text, NULL, 10) : 0;
}

static unsigned long draws_of(const struct json *methods) {
    unsigned long draws = 0;
    assert_non_null(methods);
    for (const struct json *method = methods->child; method; method = method->next) {
        const struct json *name = json_get(method, "method_name");
        if (name && name->type == JSON_STRING && (strstr(name->text, "BEGIN") || strstr(name->text, "DRAW")))
            draws += number_of(method, "count");
    }
    return draws;
}

struct summary summary_read(const char *path) {
    size_t bytes;
    char *text = client_slurp(path, &bytes);
    struct json *json = json_parse(text, bytes);
    if (!json)
        fail_msg("%s is not JSON: %.400s", path, text);
    struct summary summary = {number_of(json, "submissions"), number_of(json, "faults"), number_of(json, "unknown"),
                              number_of(json, "not_executed"), draws_of(json_get(json, "not_executed_methods"))};
    if (summary.unknown || summary.faults)
        print_error("%.2000s", text);
    json_free(json);
    free(text);
    return summary;
}
