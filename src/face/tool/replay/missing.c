/* SPDX-License-Identifier: MIT */
#include "face/tool/replay/missing.h"

#include <pfifo/classes.h>

#include "face/common/naming.h"

#include <inttypes.h>

/* Of the method that would have set it. Empty if it has no name. */
static void name_state(const struct pfifo_replay_word *word, char name[PFIFO_METHOD_NAME_BYTES]) {
    struct pfifo_method_name method;

    name[0] = 0;
    if (pfifo_method_find(word->oclass, word->missing_method, &method))
        naming_method(&method, name, PFIFO_METHOD_NAME_BYTES);
}

void missing_text(const struct pfifo_replay_word *word, const char *indent, FILE *file) {
    char name[PFIFO_METHOD_NAME_BYTES];

    if (!word->missing_count)
        return;
    name_state(word, name);
    fprintf(file, "%sit needs 0x%04" PRIx32 " %s: %s", indent, word->missing_method, name[0] ? name : "?",
            word->missing_why);
    if (word->missing_count > 1)
        fprintf(file, "; and %" PRIu32 " more, which --trace=engine.missing shows", word->missing_count - 1);
    fputc('\n', file);
}

void missing_json(const struct pfifo_replay_word *word, struct json_writer *json) {
    char name[PFIFO_METHOD_NAME_BYTES];

    if (!word->missing_count)
        return;
    name_state(word, name);
    json_put_number(json, "missing_method", word->missing_method);
    if (name[0])
        json_put_text(json, "missing_name", name);
    json_put_text(json, "missing_why", word->missing_why);
    json_put_number(json, "missing_count", word->missing_count);
}
