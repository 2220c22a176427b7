/* SPDX-License-Identifier: MIT */
#include "face/tool/command/names_option.h"

#include "face/common/naming.h"

enum { KEY_NAMES = 768 };

static const struct argp_option options[] = {
    {"names", KEY_NAMES, "WHOSE", 0,
     "Print methods by their names of nvidia (its headers), nouveau (rnndb, Mesa) or nxdk (NV097_..., also xemu and "
     "RPCS3). Default: nvidia from Fermi on, nouveau before",
     0},
    {0},
};

static error_t names_option_parse(int key, char *arg, struct argp_state *state) {
    enum pfifo_names names;

    if (key != KEY_NAMES)
        return ARGP_ERR_UNKNOWN;
    if (!naming_parse(arg, &names))
        argp_error(state, "--names is nvidia, nouveau or nxdk, not '%s'", arg);
    naming_set(names);
    return 0;
}

const struct argp names_option_argp = {options, names_option_parse, NULL, NULL, NULL, NULL, NULL};
const struct argp_child names_option_children[] = {NAMES_OPTION_CHILD, {0}};
