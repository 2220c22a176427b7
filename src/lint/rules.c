/* SPDX-License-Identifier: MIT */
#include "lint/lint.h"

#include <fnmatch.h>
#include <string.h>

enum { GLOB_BYTES = 64 };

const struct pfifo_lint_rule lint_rules[LINT_RULES] = {
    [LINT_OBJECT_NOT_BOUND] = {"object-not-bound", "error", "a method goes to a subchannel to which nothing is bound",
                               false},
    [LINT_UNKNOWN_METHOD] = {"unknown-method", "warning", "the class of the object has no such method", false},
    [LINT_UNKNOWN_BITS] = {"unknown-bits", "warning", "the data has bits that are in no field of its method", false},
    [LINT_FENCE_NEVER_WAITED] = {"fence-never-waited", "warning",
                                 "a channel releases what nobody in the capture waits for, next to others that are "
                                 "waited for",
                                 true},
    [LINT_FENCE_NEVER_RELEASED] = {"fence-never-released", "error",
                                   "a channel waits at the end of the capture for what nobody releases", true},
    [LINT_DEADLOCK] = {"deadlock", "error", "what a channel waits for is released only after that wait", true},
    [LINT_WORDS_OVERWRITTEN] = {"words-overwritten", "error",
                                "words of a pushbuffer are written while they are queued and not executed", true},
    [LINT_READ_WITHOUT_WAIT] =
        {"read-without-wait", "error",
         "a channel reads what another writes, or writes what it reads, and does not wait for it", true},
    [LINT_TEXTURE_WITHOUT_WAIT] =
        {"texture-without-wait", "warning",
         "a draw reads a texture to which was drawn, without a wait or an invalidation of the "
         "texture cache",
         true},
    [LINT_CPU_WRITE] = {"cpu-write", "warning", "the CPU writes to what the GPU reads, and does not wait for it", true},
    [LINT_STATE_NOT_KEPT] = {"state-not-kept", "warning", "the class has the method, but not on this chip", false},
    [LINT_MACRO_WITHOUT_CODE] = {"macro-without-code", "error", "a macro is called that nobody has loaded", true},
    [LINT_STATE_MISSING] = {"state-missing", "error", "a method is refused because state that it needs is not there",
                            true},
};

size_t pfifo_lint_rule_count(void) {
    return LINT_RULES;
}

const struct pfifo_lint_rule *pfifo_lint_rule_at(size_t index) {
    return index < LINT_RULES ? &lint_rules[index] : NULL;
}

bool pfifo_lint_rule_wanted(const struct pfifo_lint_rule *rule, const char *globs) {
    const uint32_t wanted = lint_rules_named(globs, NULL);

    for (unsigned i = 0; i < LINT_RULES; i++)
        if (rule == &lint_rules[i])
            return wanted >> i & 1;
    return false;
}

static uint32_t rules_matching(const char *glob) {
    uint32_t found = 0;

    for (size_t i = 0; i < LINT_RULES; i++)
        if (fnmatch(glob, lint_rules[i].name, 0) == 0)
            found |= UINT32_C(1) << i;
    return found;
}

uint32_t lint_rules_named(const char *globs, struct pfifo_error *error) {
    uint32_t all = 0;

    for (const char *at = globs ? globs : "*"; *at;) {
        size_t length = strcspn(at, ",");
        char glob[GLOB_BYTES] = {0};
        uint32_t found = 0;

        if (length < sizeof glob) {
            memcpy(glob, at, length);
            found = rules_matching(glob);
        }
        if (!found) {
            pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no rule is called '%.*s'", (int)(length < 64 ? length : 64),
                            at);
            return 0;
        }
        all |= found;
        at += length + (at[length] == ',');
    }
    if (!all)
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no rule is named");
    return all;
}
