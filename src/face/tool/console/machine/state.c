/* SPDX-License-Identifier: MIT */
/* Commands that save the whole machine to a file, and load it. No other command opens files. */
#include <pfifo/state.h>

#include "face/tool/console/channels/binds.h"
#include "face/tool/console/commands.h"
#include "face/tool/console/machine/back.h"
#include "face/tool/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool may_open(const struct console *console, const char *name, struct pfifo_error *error) {
    if (!console->config.files)
        return refuse(error, "files are not for this shell");
    return strcmp(name, "-") != 0 || refuse(error, "- is not the name of a file here");
}

static bool write_file(void *opaque, const void *data, size_t bytes) {
    return fwrite(data, 1, bytes, opaque) == bytes;
}

bool console_cmd_save(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const char *name = argument[1];
    struct pfifo_error reason = {0};
    bool saved, closed;
    int written;
    FILE *file;

    (void)count;
    if (!may_open(console, name, error))
        return false;
    file = fopen(name, "wb");
    if (!file)
        return refuse(error, "%.120s: cannot write: %s", name, strerror(errno));
    /* After a failure the file is incomplete; load refuses it. */
    errno = 0;
    saved = pfifo_gpu_save(console->gpu, write_file, file, &reason) == PFIFO_OK;
    if (!saved && reason.status != PFIFO_ERROR_IO) {
        fclose(file);
        return refuse(error, "%.80s: %s", name, reason.message);
    }
    written = saved ? 0 : errno;
    closed = fclose(file) == 0;
    return (saved && closed) || refuse(error, "%.120s: cannot write: %s", name, strerror(written ? written : errno));
}

bool console_cmd_load(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct pfifo_error reason = {0};
    size_t bytes;
    void *data;
    bool loaded;

    (void)count;
    if (!may_open(console, argument[1], error))
        return false;
    data = tool_read(argument[1], &bytes, error);
    if (!data)
        return false;
    console_back_loaded(console);
    console->before = false;
    console_binds_forget(console);
    loaded = pfifo_gpu_load(console->gpu, data, bytes, &reason) == PFIFO_OK;
    free(data);
    console->ran = loaded;
    return loaded || refuse(error, "%.80s: %s", argument[1], reason.message);
}
