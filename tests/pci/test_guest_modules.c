/* SPDX-License-Identifier: MIT */
/* Modules as distributions have them: plain, packed, in usr/lib/modules; a guest gets them unpacked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "face/pci/vm/guest.h"
#include "face/pci/vm/modules.h"
#include "temporary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "module-xz", by xz; "module-zst", by zstd. */
static const uint8_t packed_xz[] = {0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36, 0x02,
                                    0x00, 0x21, 0x01, 0x1c, 0x00, 0x00, 0x00, 0x10, 0xcf, 0x58, 0xcc, 0x01, 0x00,
                                    0x08, 0x6d, 0x6f, 0x64, 0x75, 0x6c, 0x65, 0x2d, 0x78, 0x7a, 0x00, 0x00, 0x00,
                                    0x00, 0xdc, 0x17, 0x61, 0x51, 0x00, 0x01, 0x1d, 0x09, 0x93, 0x61, 0x36, 0xa6,
                                    0x90, 0x42, 0x99, 0x0d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a};
static const uint8_t packed_zst[] = {0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x51, 0x00, 0x00, 0x6d, 0x6f, 0x64,
                                     0x75, 0x6c, 0x65, 0x2d, 0x7a, 0x73, 0x74, 0x22, 0x92, 0x66, 0xe5};

/* A folder of its own, with a modprobe that prints what /list has, and a busybox. */
struct place {
    char root[TEMPORARY_PATH], path[4096];
};

static void write_file(const struct place *place, const char *name, const void *data, size_t bytes, mode_t mode) {
    char path[768];
    snprintf(path, sizeof path, "%s/%s", place->root, name);
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(path, 0777);
        *at = '/';
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static void write_text(const struct place *place, const char *name, const char *text, mode_t mode) {
    write_file(place, name, text, strlen(text), mode);
}

/* The modules that modprobe names, by their paths below the folder. */
static void list_modules(const struct place *place, const char *const *names) {
    char text[2048] = "#!/bin/sh\n";
    for (; *names; names++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "echo 'insmod %s/%s '\n", place->root, *names);
    }
    write_text(place, "bin/modprobe", text, 0755);
}

static void begin(struct place *place) {
    temporary_pattern(place->root, "");
    assert_non_null(mkdtemp(place->root));
    const char *old = getenv("PATH");
    snprintf(place->path, sizeof place->path, "%s", old ? old : "");
    char path[8192];
    snprintf(path, sizeof path, "%s/bin:%s", place->root, place->path);
    setenv("PATH", path, 1);
    write_text(place, "bin/busybox", "busybox", 0755);
}

static void end(struct place *place) {
    char command[640];
    setenv("PATH", place->path, 1);
    snprintf(command, sizeof command, "rm -rf %s", place->root);
    assert_int_equal(system(command), 0);
}

static void check_content(const struct modules *modules, unsigned number, const char *name, const char *content) {
    struct pfifo_error error = {0};
    size_t bytes = 0;
    assert_string_equal(modules->rows[number].name, name);
    assert_int_equal(modules->rows[number].packing, MODULE_PACKED);
    char *data = module_read(&modules->rows[number], &bytes, &error);
    assert_non_null(data);
    assert_int_equal(bytes, strlen(content));
    assert_memory_equal(data, content, bytes);
    free(data);
}

static void test_packed_modules_are_unpacked_and_lose_the_suffix(void **state) {
    static const char *const names[] = {"a.ko", "b.ko.xz", "c.ko.zst", "d.ko.gz", NULL};
    struct pfifo_error error = {0};
    struct modules modules;
    struct place place;
    (void)state;
    begin(&place);
    write_file(&place, "b.ko.xz", packed_xz, sizeof packed_xz, 0644);
    write_file(&place, "c.ko.zst", packed_zst, sizeof packed_zst, 0644);
    list_modules(&place, names);
    assert_true(modules_find(&modules, place.root, "1", &error));
    assert_int_equal(modules.count, 4);
    assert_string_equal(modules.rows[0].name, "a.ko");
    assert_int_equal(modules.rows[0].packing, MODULE_PLAIN);
    check_content(&modules, 1, "b.ko", "module-xz");
    check_content(&modules, 2, "c.ko", "module-zst");
    assert_string_equal(modules.rows[3].name, "d.ko.gz"); /* the guest unpacks it */
    assert_int_equal(modules.rows[3].packing, MODULE_GZIP);
    modules_free(&modules);
    end(&place);
}

static void expect_unreadable(const struct place *place, const void *data, size_t bytes, const char *reason) {
    static const char *const names[] = {"b.ko.xz", NULL};
    struct pfifo_error error = {0};
    struct modules modules;
    write_file(place, "b.ko.xz", data, bytes, 0644);
    list_modules(place, names);
    assert_true(modules_find(&modules, place->root, "1", &error));
    assert_null(module_read(&modules.rows[0], &bytes, &error));
    assert_non_null(strstr(error.message, reason));
    modules_free(&modules);
}

static void test_a_module_that_is_not_what_its_name_says_is_an_error(void **state) {
    static const char *const strange[] = {"a.ko.lzma", NULL};
    struct pfifo_error error = {0};
    struct modules modules;
    struct place place;
    (void)state;
    begin(&place);
    list_modules(&place, strange);
    assert_false(modules_find(&modules, place.root, "1", &error));
    assert_non_null(strstr(error.message, "a module ends with"));
    expect_unreadable(&place,
                      "\x7f"
                      "ELF1234",
                      8, "not packed as its name says");
    expect_unreadable(&place, packed_xz, sizeof packed_xz - 20, "");
    expect_unreadable(&place, "", 0, "read");
    end(&place);
}

/* Whether the guest's file system has a file with that content: nothing is packed there. */
static bool has_content(FILE *file, const char *content) {
    static char data[65536];
    rewind(file);
    size_t bytes = fread(data, 1, sizeof data, file), length = strlen(content);
    for (size_t i = 0; i + length <= bytes; i++)
        if (memcmp(data + i, content, length) == 0)
            return true;
    return false;
}

static void test_a_guest_finds_its_kernel_and_modules_in_usr_lib_modules(void **state) {
    static const char *const names[] = {"usr/lib/modules/7.2-x/b.ko.xz", NULL};
    static const char *const folders[] = {"", "usr/"}, *const kernels[] = {"boot/vmlinuz-7.2-x",
                                                                           "usr/lib/modules/7.2-x/vmlinuz"};
    struct pfifo_error error = {0};
    struct place place;
    char kernel[640], name[640];
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct guest guest = {0};
        begin(&place);
        write_file(&place, names[0], packed_xz, sizeof packed_xz, 0644);
        snprintf(name, sizeof name, "%slib/modules/7.2-x/modules.dep", folders[i]);
        write_text(&place, name, "", 0644);
        write_text(&place, kernels[i], "kernel", 0644);
        list_modules(&place, names);
        snprintf(kernel, sizeof kernel, "%s/%s", place.root, kernels[i]);
        FILE *file = tmpfile();
        const struct guest_config config = {.kernel = kernel, .modules = place.root};
        assert_true(guest_make(&guest, &config, file, &error));
        assert_string_equal(guest.version, "7.2-x");
        snprintf(name, sizeof name, "%s%s", place.root, i ? "/usr" : "");
        assert_string_equal(guest.modules, name);
        assert_true(has_content(file, "module-xz"));
        assert_true(has_content(file, "busybox insmod /modules/b.ko"));
        assert_false(has_content(file, "b.ko.xz"));
        fclose(file);
        end(&place);
    }
}

static void test_without_modules_the_error_says_where_they_were_sought(void **state) {
    struct pfifo_error error = {0};
    struct guest guest = {0};
    struct place place;
    char kernel[640];
    (void)state;
    begin(&place);
    write_text(&place, "vmlinuz", "kernel", 0644); /* of no version: the folder's name is none of modules */
    snprintf(kernel, sizeof kernel, "%s/vmlinuz", place.root);
    const struct guest_config config = {.kernel = kernel, .modules = place.root};
    assert_false(guest_make(&guest, &config, NULL, &error));
    assert_non_null(strstr(error.message, "usr/lib/modules"));
    end(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed_modules_are_unpacked_and_lose_the_suffix),
        cmocka_unit_test(test_a_module_that_is_not_what_its_name_says_is_an_error),
        cmocka_unit_test(test_a_guest_finds_its_kernel_and_modules_in_usr_lib_modules),
        cmocka_unit_test(test_without_modules_the_error_says_where_they_were_sought),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
