/* SPDX-License-Identifier: MIT */
/* Relocations of NV4x, and buffers that move to the domain that a submission needs. */
#include "drm/rig.h"

#include "face/drm/node/node.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define LOW  NOUVEAU_GEM_RELOC_LOW
#define HIGH NOUVEAU_GEM_RELOC_HIGH
#define OR   NOUVEAU_GEM_RELOC_OR

struct scene {
    struct drm_file *file;
    struct rig_channel channel;
    struct drm_nouveau_gem_info push, target;
    struct rig_submission submission;
    uint32_t pushed, aimed; /* indices in the list */
};

/* A submission of nothing but a release; the target's presumed place is wrong. */
static struct scene open_scene(const struct part *part, uint32_t domain) {
    rig_open(&rig, part);
    struct scene scene = {.file = rig_file(&rig, RENDER)};
    scene.channel = rig_channel(&rig, scene.file);
    scene.push = rig_buffer(&rig, scene.file, GART, 2 * PAGE);
    scene.target = rig_buffer(&rig, scene.file, domain, PAGE);
    struct words words = {.part = part};
    words_release(&words, &scene.channel, 9);
    scene.pushed = rig_list(&scene.submission, &scene.push, false);
    rig_push(&rig, &scene.submission, &scene.channel, &scene.push, 0, &words);
    scene.aimed = rig_list(&scene.submission, &scene.target, true);
    scene.submission.buffers[scene.aimed].presumed.offset += 0x10000;
    return scene;
}

static void add_reloc(struct scene *scene, uint32_t offset, uint32_t flags, uint32_t data) {
    scene->submission.relocs[scene->submission.request.nr_relocs++] =
        (struct drm_nouveau_gem_pushbuf_reloc){.reloc_bo_index = scene->pushed,
                                               .reloc_bo_offset = offset,
                                               .bo_index = scene->aimed,
                                               .flags = flags,
                                               .data = data,
                                               .vor = 0x1,
                                               .tor = 0x2};
}

static int submit(struct scene *scene) {
    return rig_submit(&rig, &scene->channel, &scene->submission);
}

static void a_wrong_guess_is_put_right_before_g80(void **state) {
    static const uint32_t domains[] = {VRAM, GART};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(domains); i++)
        FOR_EACH_PART {
            struct scene scene = open_scene(part, domains[i]);
            uint32_t place = (uint32_t)scene.target.offset, bit = scene.target.domain == GART ? 2 : 1;
            add_reloc(&scene, PAGE, LOW, 0x40);
            add_reloc(&scene, PAGE + 4, HIGH, 0x40);
            add_reloc(&scene, PAGE + 8, OR, 0x30);
            add_reloc(&scene, PAGE + 12, LOW | OR, 0x10);
            add_reloc(&scene, PAGE + 19, 0, 0x77); /* in the word that it is in */
            add_reloc(&scene, 2 * PAGE - 4, LOW | HIGH, 0x44);
            assert_int_equal(submit(&scene), 0);
            assert_int_equal(rig_released(&scene.channel), 9);
            const struct drm_nouveau_gem_pushbuf_bo_presumed *told = &scene.submission.buffers[scene.aimed].presumed;
            assert_int_equal(told->valid, !part->calls);
            assert_int_equal(told->offset, scene.target.offset + (part->calls ? 0 : 0x10000));
            assert_int_equal(told->domain, scene.target.domain);
            assert_int_equal(scene.submission.buffers[scene.pushed].presumed.valid, 1);
            const uint32_t expected[] = {place + 0x40, 0, 0x30 | bit, (place + 0x10) | bit, 0x77};
            for (size_t n = 0; n < COUNT_OF(expected); n++)
                assert_int_equal(rig_rd32(scene.file, &scene.push, PAGE + 4 * n), part->calls ? expected[n] : 0);
            assert_int_equal(rig_rd32(scene.file, &scene.push, 2 * PAGE - 4), part->calls ? place + 0x44 : 0);
            rig_close(&rig);
        }
}

static void a_right_guess_is_left_alone(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct scene scene = open_scene(part, GART);
        scene.submission.buffers[scene.aimed].presumed.offset -= 0x10000;
        add_reloc(&scene, PAGE, LOW, 0x40);
        assert_int_equal(submit(&scene), 0);
        assert_int_equal(rig_rd32(scene.file, &scene.push, PAGE), 0);
        assert_int_equal(scene.submission.buffers[scene.aimed].presumed.valid, 1);
        rig_close(&rig);
    }
}

/* Of several buffers, only the wrong ones are put right. */
static void relocations_of_right_guesses_are_skipped(void **state) {
    (void)state;
    FOR_EACH_PART if (part->calls) {
        struct scene scene = open_scene(part, GART);
        struct drm_nouveau_gem_info other = rig_buffer(&rig, scene.file, GART, PAGE);
        uint32_t right = rig_list(&scene.submission, &other, false);
        add_reloc(&scene, PAGE, LOW, 0x40);
        scene.submission.relocs[0].bo_index = right;
        scene.submission.relocs[0].reloc_bo_index = 99; /* nobody looks */
        add_reloc(&scene, PAGE + 4, LOW, 0x44);
        assert_int_equal(submit(&scene), 0);
        assert_int_equal(rig_rd32(scene.file, &scene.push, PAGE), 0);
        assert_int_equal(rig_rd32(scene.file, &scene.push, PAGE + 4), (uint32_t)scene.target.offset + 0x44);
        rig_close(&rig);
    }
}

/* A wrong domain is a wrong guess: an offset is of VRAM or of GART. */
static void a_guess_of_the_other_domain_is_wrong(void **state) {
    (void)state;
    FOR_EACH_PART if (part->calls) {
        struct scene scene = open_scene(part, GART);
        scene.submission.buffers[scene.aimed].presumed.offset -= 0x10000;
        scene.submission.buffers[scene.aimed].presumed.domain = VRAM;
        add_reloc(&scene, PAGE, OR, 0x40);
        assert_int_equal(submit(&scene), 0);
        assert_int_equal(rig_rd32(scene.file, &scene.push, PAGE), 0x42);
        assert_int_equal(scene.submission.buffers[scene.aimed].presumed.domain, GART);
        rig_close(&rig);
    }
}

static void relocations_that_make_no_sense_are_refused(void **state) {
    static const struct {
        uint32_t in, offset, of;
    } bad[] = {{0, 0, 2},          {2, 0, 1},         {0, 2 * PAGE - 3, 1}, {0, 2 * PAGE, 1}, {0, UINT32_MAX - 3, 1},
               {UINT32_MAX, 0, 1}, {0, 0, UINT32_MAX}};
    (void)state;
    FOR_EACH_PART if (part->calls) {
        for (size_t i = 0; i < COUNT_OF(bad); i++) {
            struct scene scene = open_scene(part, GART);
            add_reloc(&scene, bad[i].offset, LOW, 0);
            scene.submission.relocs[0].reloc_bo_index = bad[i].in;
            scene.submission.relocs[0].bo_index = bad[i].of;
            assert_int_equal(submit(&scene), -EINVAL);
            assert_int_equal(rig_released(&scene.channel), 0);
            scene.submission.request.nr_relocs = 0;
            assert_int_equal(submit(&scene), 0);
            rig_close(&rig);
        }
    }
}

/* Commands that copy to where the program thinks the buffer is, put right. */
static void relocated_commands_find_their_buffer(void **state) {
    (void)state;
    FOR_EACH_PART if (part->calls) {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, PAGE),
                                    from = rig_buffer(&rig, file, VRAM, PAGE), to = rig_buffer(&rig, file, GART, PAGE),
                                    guess = to;
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        rig_wr32(file, &from, 0, 0x1234);
        guess.offset = 0x3000;
        words_copy(&words, &from, &guess, 64);
        uint32_t at = 0;
        while (words.word[at] != 0x3000)
            at++;
        rig_list(&submission, &push, false);
        rig_list(&submission, &guess, true);
        rig_list(&submission, &from, false);
        rig_push(&rig, &submission, &channel, &push, 0, &words);
        submission.relocs[0] = (struct drm_nouveau_gem_pushbuf_reloc){
            .reloc_bo_index = 0, .reloc_bo_offset = 4 * at, .bo_index = 1, .flags = LOW};
        submission.request.nr_relocs = 1;
        assert_int_equal(rig_submit(&rig, &channel, &submission), 0);
        assert_int_equal(rig_rd32(file, &to, 0), 0x1234);
        assert_int_equal(submission.buffers[1].presumed.offset, to.offset);
        rig_close(&rig);
    }
}

static void places_that_cannot_be_told_are_efault(void **state) {
    (void)state;
    struct scene scene = open_scene(&parts[0], GART);
    add_reloc(&scene, 0, LOW, 0);
    struct drm_nouveau_gem_pushbuf *request = &scene.submission.request;
    request->channel = scene.channel.id;
    request->push = rig_put(&rig, scene.submission.pushes, sizeof scene.submission.pushes);
    request->buffers = rig_put(&rig, scene.submission.buffers, sizeof scene.submission.buffers);
    request->relocs = NOT_MAPPED;
    unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf);
    assert_int_equal(rig_ioctl(&rig, scene.file, number, request), -EFAULT);
    request->buffers = rig_put(&rig, scene.submission.buffers, sizeof scene.submission.buffers);
    rig.read_only = true;
    assert_int_equal(rig_ioctl(&rig, scene.file, number, request), -EFAULT);
    assert_int_equal(rig_released(&scene.channel), 0);
    rig_close(&rig);
}

/* ---- buffers that move ---- */

static struct drm_nouveau_gem_info info_of(struct drm_file *file, uint32_t handle) {
    struct drm_nouveau_gem_info info = {.handle = handle};
    unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info);
    assert_int_equal(rig_ioctl(&rig, file, number, &info), 0);
    return info;
}

/* Before G80 a buffer may be in both domains, whatever it was made for; later only where it was made for. */
static void a_buffer_moves_with_its_contents(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct scene scene = open_scene(part, part->calls ? GART : VRAM | GART);
        uint32_t to = part->calls ? VRAM : GART;
        for (unsigned round = 0; round < 3; round++, to = VRAM + GART - to) {
            struct drm_nouveau_gem_pushbuf_bo *entry = &scene.submission.buffers[scene.aimed];
            rig_wr32(scene.file, &scene.target, 8, 0x1000 + round);
            entry->read_domains = entry->write_domains = entry->valid_domains = to;
            assert_int_equal(submit(&scene), 0);
            struct drm_nouveau_gem_info info = info_of(scene.file, scene.target.handle);
            assert_int_equal(info.domain, part->vram ? to : GART);
            assert_int_equal(info.map_handle, scene.target.map_handle);
            if (!part->calls)
                assert_int_equal(info.offset, scene.target.offset);
            else
                assert_int_equal(entry->presumed.offset, info.offset);
            assert_int_equal(rig_rd32(scene.file, &info, 8), 0x1000 + round);
        }
        rig_close(&rig);
    }
}

/* What may be in GART has small pages in VRAM: it is as large there, and comes back. */
static void a_buffer_of_many_small_pages_moves_there_and_back(void **state) {
    enum { BYTES = 0x21000 }; /* no whole large pages */
    (void)state;
    FOR_EACH_PART for (unsigned shared = 0; shared < 2; shared++) {
        struct scene scene = open_scene(part, GART);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, scene.file, VRAM | GART, BYTES);
        struct drm_nouveau_gem_pushbuf_bo *entry = &scene.submission.buffers[scene.aimed];
        struct drm_prime_handle prime = {.handle = buffer.handle};
        const uint64_t vram = rig.device->vram_used, gart = rig.device->gart_used;
        assert_int_equal(buffer.size, BYTES);
        if (shared)
            assert_int_equal(rig_ioctl(&rig, scene.file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0);
        entry->handle = buffer.handle;
        for (unsigned round = 0; round < 4 && part->vram; round++) {
            entry->read_domains = entry->write_domains = entry->valid_domains = round % 2 ? VRAM : GART;
            rig_wr32(scene.file, &buffer, 0, round);
            rig_wr32(scene.file, &buffer, BYTES - 4, 0x1000 + round);
            assert_int_equal(submit(&scene), 0);
            assert_int_equal(info_of(scene.file, buffer.handle).domain, entry->valid_domains);
            assert_int_equal(info_of(scene.file, buffer.handle).size, BYTES);
            assert_int_equal(rig_rd32(scene.file, &buffer, 0), round);
            assert_int_equal(rig_rd32(scene.file, &buffer, BYTES - 4), 0x1000 + round);
            assert_int_equal(rig.device->vram_used, round % 2 ? vram : vram - BYTES);
            assert_int_equal(rig.device->gart_used, round % 2 ? gart : gart + BYTES);
        }
        rig_close(&rig);
    }
}

/* Before G80 a tiled buffer is 64 lines and then whole pages, which are not whole lines again. */
static void a_tiled_buffer_before_g80_is_as_large_where_it_moves(void **state) {
    (void)state;
    FOR_EACH_PART if (part->calls && part->vram) {
        struct scene scene = open_scene(part, GART);
        struct drm_nouveau_gem_new request = {.info = {.domain = GART, .size = PAGE, .tile_mode = 0x30}};
        struct drm_nouveau_gem_pushbuf_bo *entry = &scene.submission.buffers[scene.aimed];
        struct drm_prime_handle prime = {0};
        unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new);
        assert_int_equal(rig_ioctl(&rig, scene.file, number, &request), 0);
        prime.handle = entry->handle = request.info.handle;
        assert_int_equal(rig_ioctl(&rig, scene.file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0);
        const uint64_t vram = rig.device->vram_used, gart = rig.device->gart_used;
        for (unsigned round = 0; round < 2; round++) {
            entry->read_domains = entry->write_domains = entry->valid_domains = round % 2 ? GART : VRAM;
            assert_int_equal(submit(&scene), 0);
            assert_int_equal(info_of(scene.file, entry->handle).domain, entry->valid_domains);
            assert_int_equal(info_of(scene.file, entry->handle).size, request.info.size);
            assert_int_equal(rig.device->vram_used, round % 2 ? vram : vram + request.info.size);
            assert_int_equal(rig.device->gart_used, round % 2 ? gart : gart - request.info.size);
        }
        rig_close(&rig);
    }
}

/* Whoever has mapped it is told. */
static void mappings_of_a_moved_buffer_follow(void **state) {
    (void)state;
    FOR_EACH_PART if (part->vram) {
        struct scene scene = open_scene(part, part->calls ? GART : VRAM | GART);
        struct drm_nouveau_gem_pushbuf_bo *entry = &scene.submission.buffers[scene.aimed];
        struct drm_memory before, after;
        assert_int_equal(drm_file_map(scene.file, scene.target.map_handle, PAGE, &before), 0);
        entry->read_domains = entry->write_domains = entry->valid_domains = part->calls ? VRAM : GART;
        assert_int_equal(rig.moved_from.bytes, 0);
        assert_int_equal(submit(&scene), 0);
        assert_int_equal(drm_file_map(scene.file, scene.target.map_handle, PAGE, &after), 0);
        assert_true(rig.moved_from.fd == before.fd && rig.moved_from.offset == before.offset);
        assert_true(rig.moved_to.fd == after.fd && rig.moved_to.offset == after.offset);
        assert_true(before.fd != after.fd);
        rig_close(&rig);
    }
}

static void a_buffer_without_room_elsewhere_stays(void **state) {
    (void)state;
    FOR_EACH_PART if (part->calls) {
        rig.config = (struct drm_config){.vram_bytes = 64 << 20, .system_bytes = 256 << 20};
        struct scene scene = open_scene(part, GART);
        struct drm_nouveau_gem_info large = rig_buffer(&rig, scene.file, GART, 100 << 20);
        struct drm_nouveau_gem_pushbuf_bo *entry = &scene.submission.buffers[scene.aimed];
        entry->handle = large.handle;
        entry->read_domains = entry->write_domains = VRAM;
        assert_int_equal(submit(&scene), -ENOMEM);
        assert_int_equal(info_of(scene.file, large.handle).domain, GART);
        assert_int_equal(info_of(scene.file, large.handle).offset, large.offset);
        entry->read_domains = entry->write_domains = GART;
        assert_int_equal(submit(&scene), 0);
        rig_close(&rig);
    }
}

/* The GPU reads it where it is now, and the place that it left is free. */
static void a_moved_buffer_is_read_where_it_is(void **state) {
    (void)state;
    FOR_EACH_PART if (part->vram) {
        struct scene scene = open_scene(part, part->calls ? GART : VRAM | GART);
        struct drm_nouveau_gem_pushbuf_bo *entry = &scene.submission.buffers[scene.aimed];
        uint32_t to_domain = part->calls ? VRAM : GART;
        entry->read_domains = entry->write_domains = entry->valid_domains = to_domain;
        rig_wr32(scene.file, &scene.target, 0, 0x4711);
        assert_int_equal(submit(&scene), 0);
        for (unsigned i = 0; i < 64; i++) {
            struct drm_nouveau_gem_info filler = rig_buffer(&rig, scene.file, VRAM + GART - to_domain, PAGE);
            rig_wr32(scene.file, &filler, 0, 0xbad);
        }
        struct drm_nouveau_gem_info from = info_of(scene.file, scene.target.handle),
                                    to = rig_buffer(&rig, scene.file, GART, PAGE);
        struct words words = {.part = part};
        words_copy(&words, &from, &to, 64);
        assert_int_equal(rig_run(&rig, &scene.channel, &words, &to), 0);
        assert_int_equal(rig_rd32(scene.file, &to, 0), 0x4711);
        rig_close(&rig);
    }
}

/* Two of 10 MiB fit into 32 MiB: the one that was used least recently goes, and comes back with all that was in it. */
static void a_full_vram_is_emptied_for_new_buffers(void **state) {
    enum { BYTES = 10 << 20 };
    (void)state;
    FOR_EACH_PART if (part->vram) {
        rig.config = (struct drm_config){.vram_bytes = 32 << 20};
        struct scene scene = open_scene(part, part->calls ? GART : VRAM);
        struct drm_nouveau_gem_info buffers[5];
        rig_wr32(scene.file, &scene.target, 8, 0x5eed);
        for (uint32_t i = 0; i < 5; i++) {
            buffers[i] = rig_buffer(&rig, scene.file, VRAM, BYTES);
            rig_wr32(scene.file, &buffers[i], BYTES - 4, 0x100 + i);
        }
        for (uint32_t i = 0; i < 5; i++)
            assert_int_equal(rig_rd32(scene.file, &buffers[i], BYTES - 4), 0x100 + i);
        struct drm_nouveau_gem_pushbuf_bo *entry = &scene.submission.buffers[scene.aimed];
        for (uint32_t i = 0; i < 5; i++) {
            entry->handle = buffers[i].handle;
            entry->read_domains = entry->write_domains = entry->valid_domains = VRAM;
            assert_int_equal(submit(&scene), 0);
            assert_int_equal(info_of(scene.file, buffers[i].handle).domain, VRAM);
        }
        for (uint32_t i = 0; i < 5; i++)
            assert_int_equal(rig_rd32(scene.file, &buffers[i], BYTES - 4), 0x100 + i);
        assert_int_equal(rig_rd32(scene.file, &scene.target, 8), 0x5eed);
        rig_close(&rig);
    }
}

/* A descriptor is of the buffer, not of the place where it was. */
static void a_moved_buffer_has_its_descriptor(void **state) {
    (void)state;
    FOR_EACH_PART if (part->vram) {
        struct scene scene = open_scene(part, part->calls ? GART : VRAM | GART);
        struct drm_nouveau_gem_pushbuf_bo *entry = &scene.submission.buffers[scene.aimed];
        struct drm_prime_handle prime = {.handle = scene.target.handle};
        assert_int_equal(rig_ioctl(&rig, scene.file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0);
        uint32_t to = part->calls ? VRAM : GART;
        entry->read_domains = entry->write_domains = entry->valid_domains = to;
        assert_int_equal(submit(&scene), 0);
        assert_int_equal(info_of(scene.file, scene.target.handle).domain, to);
        prime.handle = 0;
        assert_int_equal(rig_ioctl(&rig, scene.file, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime), 0);
        assert_int_equal(prime.handle, scene.target.handle);
        rig_close(&rig);
    }
}

static void a_buffer_stays_where_it_may(void **state) {
    (void)state;
    FOR_EACH_PART if (part->vram) {
        struct scene scene = open_scene(part, GART);
        struct drm_nouveau_gem_pushbuf_bo *entry = &scene.submission.buffers[scene.aimed];
        entry->read_domains = entry->write_domains = VRAM | GART;
        assert_int_equal(submit(&scene), 0);
        assert_int_equal(info_of(scene.file, scene.target.handle).domain, GART);
        entry->read_domains = entry->write_domains = VRAM;
        assert_int_equal(submit(&scene), part->calls ? 0 : -EINVAL);
        assert_int_equal(info_of(scene.file, scene.target.handle).domain, part->calls ? VRAM : GART);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_guess_is_put_right_before_g80),
        cmocka_unit_test(a_right_guess_is_left_alone),
        cmocka_unit_test(relocations_of_right_guesses_are_skipped),
        cmocka_unit_test(a_guess_of_the_other_domain_is_wrong),
        cmocka_unit_test(relocations_that_make_no_sense_are_refused),
        cmocka_unit_test(relocated_commands_find_their_buffer),
        cmocka_unit_test(places_that_cannot_be_told_are_efault),
        cmocka_unit_test(a_buffer_moves_with_its_contents),
        cmocka_unit_test(a_buffer_of_many_small_pages_moves_there_and_back),
        cmocka_unit_test(a_tiled_buffer_before_g80_is_as_large_where_it_moves),
        cmocka_unit_test(mappings_of_a_moved_buffer_follow),
        cmocka_unit_test(a_buffer_without_room_elsewhere_stays),
        cmocka_unit_test(a_moved_buffer_is_read_where_it_is),
        cmocka_unit_test(a_full_vram_is_emptied_for_new_buffers),
        cmocka_unit_test(a_moved_buffer_has_its_descriptor),
        cmocka_unit_test(a_buffer_stays_where_it_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
