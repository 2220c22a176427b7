/* SPDX-License-Identifier: MIT */
/* VRAM and system memory that the owner supplies, maps or shares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <pfifo/driver.h>
#include <pfifo/state.h>

#define MIB          (UINT64_C(1) << 20)
#define VRAM_BYTES   (64 * MIB)
#define SYSTEM_BYTES (32 * MIB)
#define FORMS        4

static const enum pfifo_memory_form forms[FORMS] = {PFIFO_MEMORY_PRIVATE, PFIFO_MEMORY_SHARED, PFIFO_MEMORY_POINTER,
                                                    PFIFO_MEMORY_FD};

/* A config, and what its owner supplies. */
struct owner {
    struct pfifo_config config;
    void *data[2];
    int fd[2];
};

static void supply(struct owner *owner, unsigned i, struct pfifo_memory *memory, uint64_t bytes) {
    owner->fd[i] = -1;
    if (memory->form == PFIFO_MEMORY_POINTER) {
        owner->data[i] = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_ptr_not_equal(owner->data[i], MAP_FAILED);
    } else if (memory->form == PFIFO_MEMORY_FD) {
        owner->fd[i] = memfd_create("owner", MFD_CLOEXEC);
        assert_int_equal(ftruncate(owner->fd[i], (off_t)bytes), 0);
        owner->data[i] = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, owner->fd[i], 0);
        assert_ptr_not_equal(owner->data[i], MAP_FAILED);
    }
    memory->data = memory->form == PFIFO_MEMORY_POINTER ? owner->data[i] : NULL;
    memory->fd = owner->fd[i];
}

/* Both memories in the same form. */
static void start(struct owner *owner, const char *chip, enum pfifo_memory_form form) {
    *owner = (struct owner){.config = {.size = sizeof owner->config,
                                       .chip = pfifo_chip_by_name(chip),
                                       .vram_bytes = VRAM_BYTES,
                                       .system_bytes = SYSTEM_BYTES,
                                       .vram.form = form,
                                       .system.form = form}};
    supply(owner, 0, &owner->config.vram, VRAM_BYTES);
    supply(owner, 1, &owner->config.system, SYSTEM_BYTES);
}

static void stop(struct owner *owner) {
    const uint64_t bytes[2] = {VRAM_BYTES, SYSTEM_BYTES};
    for (unsigned i = 0; i < 2; i++) {
        if (owner->data[i])
            munmap(owner->data[i], bytes[i]);
        if (owner->fd[i] >= 0)
            close(owner->fd[i]);
    }
}

static struct pfifo_gpu *new_gpu(const struct owner *owner) {
    struct pfifo_error error = {0};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&owner->config, &error);
    if (!gpu)
        fail_msg("%s", error.message);
    return gpu;
}

struct bytes {
    uint8_t *data;
    size_t count;
};

static bool keep(void *opaque, const void *data, size_t count) {
    struct bytes *bytes = opaque;
    bytes->data = realloc(bytes->data, bytes->count + count);
    memcpy(bytes->data + bytes->count, data, count);
    bytes->count += count;
    return true;
}

static struct bytes state_of(struct pfifo_gpu *gpu) {
    struct bytes bytes = {0};
    assert_int_equal(pfifo_gpu_save(gpu, keep, &bytes, NULL), PFIFO_OK);
    return bytes;
}

static bool same_bytes(struct bytes a, struct bytes b) {
    return a.count == b.count && memcmp(a.data, b.data, a.count) == 0;
}

/* ---- a CPU and a channel ---- */

static const uint32_t mark[4] = {0x70666966, 0x6f2d6d65, 0x6d6f7279, 0x2d6d6170};

/* Where the CPU sees what is at the beginning of `buffer`. */
static uint32_t *find(struct pfifo_buffer *buffer, uint8_t *map, uint64_t bytes) {
    pfifo_buffer_write(buffer, 0, mark, sizeof mark);
    for (uint64_t at = 0; at < bytes; at += 0x1000)
        if (memcmp(map + at, mark, sizeof mark) == 0)
            return (uint32_t *)(void *)(map + at);
    fail_msg("the CPU does not see what was written");
    return NULL;
}

/* An acquire of the word at `offset` in `buffer`, or a release. */
static void submit_semaphore(struct pfifo_channel *channel, struct pfifo_buffer *push, struct pfifo_buffer *buffer,
                             uint32_t offset, uint32_t value, uint32_t operation) {
    uint64_t address = pfifo_buffer_address(buffer) + offset;
    const uint32_t words[] = {0x20040004, (uint32_t)(address >> 32), (uint32_t)address, value, operation};
    pfifo_buffer_write(push, 0, words, sizeof words);
    assert_int_equal(pfifo_channel_submit(channel, pfifo_buffer_address(push), sizeof words, 0, NULL), PFIFO_OK);
}

static void use_semaphores(const struct owner *owner, enum pfifo_domain domain) {
    struct pfifo_device_config config = {.size = sizeof config, .gpu = owner->config};
    struct pfifo_error error;
    struct pfifo_device *device = pfifo_device_open(&config, &error);
    if (!device)
        fail_msg("%s", error.message);
    struct pfifo_gpu *gpu = pfifo_device_gpu(device);
    struct pfifo_channel *channel = pfifo_channel_open(device, &(struct pfifo_channel_config){0}, NULL);
    struct pfifo_buffer *push = pfifo_buffer_new(device, PFIFO_GART, 0x1000, 0, NULL);
    struct pfifo_buffer *buffer = pfifo_buffer_new(device, domain, 0x1000, 0, NULL);
    volatile uint32_t *cpu = domain == PFIFO_VRAM ? find(buffer, pfifo_gpu_vram_map(gpu), VRAM_BYTES)
                                                  : find(buffer, pfifo_gpu_system_map(gpu), SYSTEM_BYTES);
    submit_semaphore(channel, push, buffer, 0x100, 0x1234, 1);
    assert_int_equal(pfifo_gpu_run(gpu, 100000), PFIFO_STOP_WAITING);
    assert_int_equal(pfifo_gpu_run(gpu, 100000), PFIFO_STOP_WAITING);
    cpu[0x100 / 4] = 0x1234;
    assert_int_equal(pfifo_gpu_run(gpu, 100000), PFIFO_STOP_IDLE);
    assert_int_equal(cpu[0x200 / 4], 0);
    submit_semaphore(channel, push, buffer, 0x200, 0x5678, 2);
    assert_int_equal(pfifo_gpu_run(gpu, 100000), PFIFO_STOP_IDLE);
    assert_int_equal(cpu[0x200 / 4], 0x5678);
    pfifo_device_close(device);
}

static void a_cpu_and_a_channel_see_what_the_other_writes(void **state) {
    (void)state;
    for (unsigned i = 0; i < FORMS; i++) {
        struct owner owner;
        start(&owner, "GF100", forms[i]);
        use_semaphores(&owner, PFIFO_VRAM);
        stop(&owner);
        start(&owner, "GF100", forms[i]);
        use_semaphores(&owner, PFIFO_GART);
        stop(&owner);
    }
}

static void the_pointer_shows_what_bar1_shows(void **state) {
    uint32_t value = 0x11223344;
    struct owner owner;
    (void)state;
    for (unsigned i = 0; i < FORMS; i++) {
        start(&owner, "NV40", forms[i]);
        struct pfifo_gpu *gpu = new_gpu(&owner);
        uint8_t *vram = pfifo_gpu_vram_map(gpu);
        pfifo_gpu_bar_write(gpu, 1, 0x123456, &value, sizeof value);
        assert_memory_equal(vram + 0x123456, &value, sizeof value);
        memset(vram + VRAM_BYTES / 2, 0x5a, sizeof value);
        pfifo_gpu_bar_read(gpu, 1, VRAM_BYTES / 2, &value, sizeof value);
        assert_int_equal(value, 0x5a5a5a5a);
        pfifo_gpu_free(gpu);
        stop(&owner);
    }
}

static void the_pointer_stays_the_same(void **state) {
    (void)state;
    for (unsigned i = 0; i < FORMS; i++) {
        struct owner owner;
        start(&owner, "NV40", forms[i]);
        struct pfifo_gpu *gpu = new_gpu(&owner);
        uint8_t *vram = pfifo_gpu_vram_map(gpu);
        if (forms[i] == PFIFO_MEMORY_POINTER)
            assert_ptr_equal(vram, owner.data[0]);
        vram[5] = 1;
        struct bytes bytes = state_of(gpu);
        pfifo_gpu_vram_clear(gpu, 0, VRAM_BYTES);
        assert_int_equal(vram[5], 0);
        assert_int_equal(pfifo_gpu_load(gpu, bytes.data, bytes.count, NULL), PFIFO_OK);
        assert_int_equal(vram[5], 1);
        assert_int_equal(pfifo_gpu_reset(gpu, PFIFO_RESET_KEEP_MEMORY, NULL), PFIFO_OK);
        assert_int_equal(vram[5], 1);
        assert_int_equal(pfifo_gpu_reset(gpu, 0, NULL), PFIFO_OK);
        assert_int_equal(vram[5], 0);
        assert_ptr_equal(pfifo_gpu_vram_map(gpu), vram);
        free(bytes.data);
        pfifo_gpu_free(gpu);
        stop(&owner);
    }
}

static void without_memory_of_its_own_there_is_no_pointer(void **state) {
    struct owner owner;
    (void)state;
    start(&owner, "GK20A", PFIFO_MEMORY_PRIVATE);
    struct pfifo_gpu *gpu = new_gpu(&owner);
    struct pfifo_error error = {0};
    assert_null(pfifo_gpu_vram_map(gpu));
    assert_non_null(pfifo_gpu_system_map(gpu));
    assert_int_equal(pfifo_gpu_vram_fd(gpu, &error), -1);
    assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "VRAM"));
    assert_int_equal(pfifo_gpu_system_fd(gpu, &error), -1);
    assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    pfifo_gpu_free(gpu);
    stop(&owner);
}

/* ---- descriptors ---- */

static void all_mappings_of_a_descriptor_see_the_same(void **state) {
    const enum pfifo_memory_form with_fd[] = {PFIFO_MEMORY_SHARED, PFIFO_MEMORY_FD};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t value = 0x89abcdef;
        struct owner owner;
        start(&owner, "GF100", with_fd[i]);
        struct pfifo_gpu *gpu = new_gpu(&owner);
        int fd = pfifo_gpu_system_fd(gpu, NULL);
        uint8_t *one = mmap(NULL, SYSTEM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        uint8_t *other = mmap(NULL, SYSTEM_BYTES, PROT_READ, MAP_SHARED, fd, 0);
        pfifo_gpu_system_write(gpu, 0x654321, &value, sizeof value);
        assert_memory_equal(one + 0x654321, &value, sizeof value);
        assert_memory_equal(other + 0x654321, &value, sizeof value);
        one[0x654322] = 0;
        assert_int_equal(other[0x654322], 0);
        pfifo_gpu_system_read(gpu, 0x654321, &value, sizeof value);
        assert_int_equal(value, 0x89ab00ef);
        pfifo_gpu_free(gpu); /* mappings stay */
        assert_int_equal(one[0x654321], 0xef);
        munmap(one, SYSTEM_BYTES);
        munmap(other, SYSTEM_BYTES);
        stop(&owner);
    }
}

static void a_shared_file_keeps_its_size_and_is_not_inherited(void **state) {
    struct owner owner;
    struct stat file;
    (void)state;
    start(&owner, "GF100", PFIFO_MEMORY_SHARED);
    struct pfifo_gpu *gpu = new_gpu(&owner);
    int fd = pfifo_gpu_vram_fd(gpu, NULL);
    assert_int_equal(pfifo_gpu_vram_fd(gpu, NULL), fd);
    assert_int_not_equal(pfifo_gpu_system_fd(gpu, NULL), fd);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(ftruncate(fd, 0), -1);
    assert_int_equal(fstat(fd, &file), 0);
    assert_int_equal(file.st_size, VRAM_BYTES);
    pfifo_gpu_free(gpu);
    stop(&owner);
}

static void an_owner_may_close_what_it_supplied(void **state) {
    struct owner owner;
    uint32_t value = 7;
    (void)state;
    start(&owner, "GF100", PFIFO_MEMORY_FD);
    struct pfifo_gpu *gpu = new_gpu(&owner);
    close(owner.fd[0]);
    owner.fd[0] = -1;
    pfifo_gpu_vram_write(gpu, 0x2000, &value, sizeof value);
    assert_int_equal(((uint8_t *)owner.data[0])[0x2000], 7);
    struct bytes bytes = state_of(gpu);
    assert_int_equal(pfifo_gpu_load(gpu, bytes.data, bytes.count, NULL), PFIFO_OK);
    assert_int_equal(((uint8_t *)owner.data[0])[0x2000], 7);
    free(bytes.data);
    pfifo_gpu_free(gpu);
    stop(&owner);
}

static unsigned descriptors(void) {
    unsigned count = 0;
    DIR *all = opendir("/proc/self/fd");
    assert_non_null(all);
    while (readdir(all))
        count++;
    closedir(all);
    return count;
}

static void no_descriptor_is_left_open(void **state) {
    unsigned before = descriptors();
    (void)state;
    for (unsigned i = 0; i < FORMS; i++) {
        struct owner owner;
        start(&owner, "GF100", forms[i]);
        struct pfifo_gpu *gpu = new_gpu(&owner);
        pfifo_gpu_vram_fd(gpu, NULL);
        assert_int_equal(pfifo_gpu_reset(gpu, 0, NULL), PFIFO_OK);
        pfifo_gpu_free(gpu);
        owner.config.system_bytes = 4095; /* fails when VRAM is there */
        owner.config.system.form = PFIFO_MEMORY_SHARED;
        assert_null(pfifo_gpu_new(&owner.config, NULL));
        owner.config.system_bytes = UINT64_C(1) << 62; /* a file that is there, but cannot be as large */
        assert_null(pfifo_gpu_new(&owner.config, NULL));
        stop(&owner);
    }
    assert_int_equal(descriptors(), before);
}

/* ---- saves, clears, contents ---- */

/* The same contents in every form; what is odd is written past the API. */
static void fill(struct pfifo_gpu *gpu) {
    uint8_t *vram = pfifo_gpu_vram_map(gpu), *system = pfifo_gpu_system_map(gpu);
    for (uint64_t i = 0; i < 40; i++) {
        uint64_t at = (i * 0x19531) & (VRAM_BYTES / 2 - 1), value = i + 1;
        pfifo_gpu_vram_write(gpu, at, &value, sizeof value);
        memcpy(vram + VRAM_BYTES / 2 + at, &value, sizeof value);
        memcpy(system + at, &value, sizeof value);
    }
    vram[VRAM_BYTES - 1] = 0xff;
}

static void a_save_has_the_same_bytes_in_every_form(void **state) {
    struct bytes first = {0};
    (void)state;
    for (unsigned i = 0; i < FORMS; i++) {
        struct owner owner;
        start(&owner, "NV40", forms[i]);
        struct pfifo_gpu *gpu = new_gpu(&owner);
        fill(gpu);
        struct bytes saved = state_of(gpu);
        if (i == 0)
            first = saved;
        assert_true(same_bytes(saved, first));
        pfifo_gpu_free(gpu);
        stop(&owner);
        if (i > 0)
            free(saved.data);
    }
    for (unsigned i = 0; i < FORMS; i++) {
        struct owner owner;
        start(&owner, "NV40", forms[i]);
        struct pfifo_gpu *gpu = new_gpu(&owner);
        if (i % 2)
            memset(pfifo_gpu_vram_map(gpu), 0xaa, VRAM_BYTES); /* is forgotten */
        assert_int_equal(pfifo_gpu_load(gpu, first.data, first.count, NULL), PFIFO_OK);
        struct bytes saved = state_of(gpu);
        assert_true(same_bytes(saved, first));
        free(saved.data);
        pfifo_gpu_free(gpu);
        stop(&owner);
    }
    free(first.data);
}

/* Clearing, loading and resetting must not make the GPU believe that memory stays as it left it. */
static void what_a_cpu_writes_again_is_saved_and_cleared_again(void **state) {
    (void)state;
    for (unsigned i = 0; i < FORMS; i++) {
        struct owner owner;
        start(&owner, "NV40", forms[i]);
        struct pfifo_gpu *gpu = new_gpu(&owner);
        uint8_t *vram = pfifo_gpu_vram_map(gpu);
        struct bytes empty = state_of(gpu);
        for (unsigned way = 0; way < 4; way++) {
            vram[9 * MIB] = 1;
            struct bytes saved = state_of(gpu);
            assert_false(same_bytes(saved, empty));
            free(saved.data);
            if (way == 0)
                pfifo_gpu_vram_clear(gpu, 8 * MIB, 2 * MIB);
            else if (way == 1)
                pfifo_gpu_vram_clear(gpu, 9 * MIB - 1, 3);
            else if (way == 2)
                pfifo_gpu_load(gpu, empty.data, empty.count, NULL);
            else
                pfifo_gpu_reset(gpu, 0, NULL);
            assert_int_equal(vram[9 * MIB], 0);
            saved = state_of(gpu);
            assert_true(same_bytes(saved, empty));
            free(saved.data);
        }
        free(empty.data);
        pfifo_gpu_free(gpu);
        stop(&owner);
    }
}

static void clearing_reaches_its_range_and_no_more(void **state) {
    (void)state;
    for (unsigned i = 0; i < FORMS; i++) {
        struct owner owner;
        start(&owner, "NV40", forms[i]);
        struct pfifo_gpu *gpu = new_gpu(&owner);
        uint8_t *vram = pfifo_gpu_vram_map(gpu);
        const uint64_t begin = 3 * MIB + 0x1234, end = 9 * MIB + 0x5677;
        memset(vram, 0x55, 16 * MIB);
        pfifo_gpu_vram_clear(gpu, begin, end - begin);
        for (uint64_t at = 0; at < 16 * MIB; at++)
            if (vram[at] != (at >= begin && at < end ? 0 : 0x55))
                fail_msg("form %u: byte 0x%llx is 0x%x", i, (unsigned long long)at, vram[at]);
        pfifo_gpu_free(gpu);
        stop(&owner);
    }
}

static uint64_t blocks(int fd) {
    struct stat file;
    assert_int_equal(fstat(fd, &file), 0);
    return (uint64_t)file.st_blocks;
}

static void a_shared_file_stays_sparse(void **state) {
    struct owner owner;
    (void)state;
    start(&owner, "GF100", PFIFO_MEMORY_SHARED);
    owner.config.vram_bytes = UINT64_C(64) << 30;
    struct pfifo_gpu *gpu = new_gpu(&owner);
    int fd = pfifo_gpu_vram_fd(gpu, NULL);
    uint8_t *vram = pfifo_gpu_vram_map(gpu);
    vram[UINT64_C(40) << 30] = 1;
    struct bytes saved = state_of(gpu);
    uint64_t written = blocks(fd);
    assert_in_range(written, 1, 4 * MIB / 512);
    assert_int_equal(pfifo_gpu_load(gpu, saved.data, saved.count, NULL), PFIFO_OK);
    assert_int_equal(vram[UINT64_C(40) << 30], 1);
    assert_in_range(blocks(fd), 1, written);
    pfifo_gpu_vram_clear(gpu, 1, UINT64_MAX);
    assert_int_equal(blocks(fd), 0);
    free(saved.data);
    pfifo_gpu_free(gpu);
    stop(&owner);
}

static void the_holes_of_a_file_that_is_supplied_stay(void **state) {
    struct owner owner;
    (void)state;
    start(&owner, "GF100", PFIFO_MEMORY_FD);
    struct pfifo_gpu *gpu = new_gpu(&owner);
    ((uint8_t *)owner.data[0])[20 * MIB] = 1;
    uint64_t written = blocks(owner.fd[0]);
    struct bytes saved = state_of(gpu);
    pfifo_gpu_vram_clear(gpu, 0, VRAM_BYTES);
    assert_int_equal(blocks(owner.fd[0]), written);
    assert_int_equal(((uint8_t *)owner.data[0])[20 * MIB], 0);
    free(saved.data);
    pfifo_gpu_free(gpu);
    stop(&owner);
}

static void supplied_memory_keeps_its_contents(void **state) {
    const enum pfifo_memory_form supplied[] = {PFIFO_MEMORY_POINTER, PFIFO_MEMORY_FD};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t value = 0;
        struct owner owner;
        start(&owner, "NV40", supplied[i]);
        uint8_t *vram = owner.data[0], *system = owner.data[1];
        memset(vram, 0x12, 4 * MIB);
        memset(system, 0x34, 4 * MIB);
        struct pfifo_gpu *gpu = new_gpu(&owner);
        pfifo_gpu_vram_read(gpu, 3 * MIB, &value, sizeof value);
        assert_int_equal(value, 0x12121212);
        pfifo_gpu_system_read(gpu, 3 * MIB, &value, sizeof value);
        assert_int_equal(value, 0x34343434);
        pfifo_gpu_vram_write(gpu, 0, &value, sizeof value);
        pfifo_gpu_free(gpu);
        assert_int_equal(vram[0], 0x34); /* still mapped */
        assert_int_equal(vram[4], 0x12);
        assert_int_equal(system[4 * MIB - 1], 0x34);
        stop(&owner);
    }
}

/* ---- what is refused ---- */

static void expect_refused(const struct pfifo_config *config, const char *why) {
    struct pfifo_error error = {0};
    struct pfifo_gpu *gpu = pfifo_gpu_new(config, &error);
    if (gpu)
        fail_msg("a GPU was made: %s", why);
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    if (!strstr(error.message, why))
        fail_msg("\"%s\", not \"%s\"", error.message, why);
}

static void sizes_that_are_not_whole_pages_are_refused(void **state) {
    const uint64_t sizes[] = {1, 4095, 4097, VRAM_BYTES - 1, UINT64_MAX};
    (void)state;
    for (unsigned i = 1; i < FORMS; i++) {
        struct owner owner;
        start(&owner, "NV40", forms[i]);
        for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
            owner.config.vram_bytes = sizes[n];
            expect_refused(&owner.config, "VRAM: its size is not a multiple of 4096 bytes");
        }
        owner.config.vram_bytes = VRAM_BYTES;
        owner.config.system_bytes = 4097;
        expect_refused(&owner.config, "system memory: its size");
        stop(&owner);
    }
}

static void pointers_that_do_not_do_are_refused(void **state) {
    struct owner owner;
    (void)state;
    start(&owner, "NV40", PFIFO_MEMORY_POINTER);
    struct pfifo_config config = owner.config;
    config.vram.data = NULL;
    expect_refused(&config, "VRAM: its memory must begin at a page");
    config.vram.data = (uint8_t *)owner.data[0] + 8;
    expect_refused(&config, "VRAM: its memory must begin at a page");
    config.vram.data = owner.data[0];
    config.vram_bytes = UINT64_MAX & ~UINT64_C(4095);
    expect_refused(&config, "VRAM: its memory reaches beyond the end");
    config.vram_bytes = 0;
    expect_refused(&config, "pfifo_config.vram: memory that is supplied needs its size");
    config = owner.config;
    config.system_bytes = 0;
    expect_refused(&config, "pfifo_config.system: memory that is supplied needs its size");
    stop(&owner);
}

static void files_that_do_not_do_are_refused(void **state) {
    struct owner owner;
    int ends[2];
    (void)state;
    start(&owner, "NV40", PFIFO_MEMORY_FD);
    struct pfifo_config config = owner.config;
    config.vram_bytes = VRAM_BYTES + 4096;
    expect_refused(&config, "VRAM: its descriptor is not of a file with as many bytes");
    config = owner.config;
    config.vram.fd = -1;
    expect_refused(&config, "VRAM: its descriptor is not open");
    assert_int_equal(pipe(ends), 0);
    config.vram.fd = ends[0];
    expect_refused(&config, "VRAM: its descriptor is not of a file");
    close(ends[0]);
    close(ends[1]);
    config.vram.fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    config.vram_bytes = 4096;
    expect_refused(&config, "VRAM: its file cannot be mapped");
    close(config.vram.fd);
    stop(&owner);
}

static void *no_memory(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    (void)opaque, (void)address, (void)bytes, (void)write;
    return NULL;
}

static void memory_that_the_gpu_does_not_have_is_refused(void **state) {
    struct owner owner;
    (void)state;
    start(&owner, "GK20A", PFIFO_MEMORY_SHARED);
    expect_refused(&owner.config, "pfifo_config.vram: this GPU has no such memory");
    owner.config.vram.form = PFIFO_MEMORY_PRIVATE;
    owner.config.system_map = no_memory;
    expect_refused(&owner.config, "pfifo_config.system: this GPU has no such memory");
    owner.config.system_map = NULL;
    owner.config.system.form = (enum pfifo_memory_form)FORMS;
    expect_refused(&owner.config, "system memory: there is no such form");
    stop(&owner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cpu_and_a_channel_see_what_the_other_writes),
        cmocka_unit_test(the_pointer_shows_what_bar1_shows),
        cmocka_unit_test(the_pointer_stays_the_same),
        cmocka_unit_test(without_memory_of_its_own_there_is_no_pointer),
        cmocka_unit_test(all_mappings_of_a_descriptor_see_the_same),
        cmocka_unit_test(a_shared_file_keeps_its_size_and_is_not_inherited),
        cmocka_unit_test(an_owner_may_close_what_it_supplied),
        cmocka_unit_test(no_descriptor_is_left_open),
        cmocka_unit_test(a_save_has_the_same_bytes_in_every_form),
        cmocka_unit_test(what_a_cpu_writes_again_is_saved_and_cleared_again),
        cmocka_unit_test(clearing_reaches_its_range_and_no_more),
        cmocka_unit_test(a_shared_file_stays_sparse),
        cmocka_unit_test(the_holes_of_a_file_that_is_supplied_stay),
        cmocka_unit_test(supplied_memory_keeps_its_contents),
        cmocka_unit_test(sizes_that_are_not_whole_pages_are_refused),
        cmocka_unit_test(pointers_that_do_not_do_are_refused),
        cmocka_unit_test(files_that_do_not_do_are_refused),
        cmocka_unit_test(memory_that_the_gpu_does_not_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
