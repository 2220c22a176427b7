/* SPDX-License-Identifier: MIT */
#include "face/tool/program/required.h"

#include "face/drm/session/names.h"
#include "face/tool/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool make_file(struct required *required) {
    const char *folder = getenv("TMPDIR");
    int fd;

    snprintf(required->path, sizeof required->path, "%s/pfifo-run-XXXXXX", folder && *folder ? folder : "/tmp");
    fd = mkstemp(required->path);
    return (fd >= 0 && close(fd) == 0) || tool_cannot(required->path, "write");
}

bool required_begin(struct required *required) {
    return make_file(required) && setenv(SETTING_REQUIRE, required->path, 1) == 0;
}

/* "WORD NAME": what follows the word, without the newline. NULL: another word. */
static const char *after(char *line, const char *word) {
    size_t length = strlen(word);

    line[strcspn(line, "\n")] = 0;
    return strncmp(line, word, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

static bool required_read_file(FILE *file, const char *chip) {
    bool opened = false, elsewhere = false;
    char line[128];

    while (fgets(line, sizeof line, file)) {
        const char *name = after(line, SESSION_ELSEWHERE);
        opened = opened || after(line, SESSION_OPENED);
        if (name)
            tool_message("--require: %s has not drawn on %s", name, chip);
        elsewhere = elsewhere || name;
    }
    if (!opened)
        tool_message("--require: no process has opened a node of %s", chip);
    return opened && !elsewhere;
}

bool required_end(const struct required *required, const char *chip) {
    FILE *file = fopen(required->path, "r");
    bool good = file ? required_read_file(file, chip) : tool_cannot(required->path, "read");

    if (file)
        fclose(file);
    unlink(required->path);
    return good;
}
