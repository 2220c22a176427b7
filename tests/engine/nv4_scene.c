/* SPDX-License-Identifier: MIT */
#include "engine/nv4_scene.h"

void scene_set_words(struct scene *scene, uint32_t object_class, uint32_t method, const uint32_t *data,
                     uint32_t count) {
    assert_true(engine_rig_bind(&scene->rig, scene->id, 7, object_class));
    sent(&scene->rig, scene->id, 7, method, 4, data, count);
}

/* The newest class of surfaces. */
static uint32_t surfaces_of(const char *chip) {
    if (strcmp(chip, "NV5") == 0)
        return 0x42;
    if (strcmp(chip, "NV30") == 0)
        return 0x362;
    if (strcmp(chip, "NV40") == 0 || strcmp(chip, "NV44") == 0)
        return 0x3062;
    return strcmp(chip, "G80") == 0 ? 0x5062 : 0x62;
}

void scene_start(struct scene *scene, const char *chip, uint32_t format, uint32_t pitch) {
    memset(scene, 0, sizeof *scene);
    scene->id = start(&scene->rig, chip, CHIP_UNIT_PGRAPH, 0x30);
    scene->surfaces = surfaces_of(chip);
    scene_format(scene, format, pitch);
}

void scene_stop(struct scene *scene) {
    engine_rig_stop(&scene->rig);
}

void scene_format(struct scene *scene, uint32_t format, uint32_t pitch) {
    static const uint8_t bytes[] = {0, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4};
    scene->format = format;
    scene->pitch = pitch;
    scene->bytes = bytes[format];
    scene_set(scene, scene->surfaces, 0x184, SCENE_DMA, SCENE_DMA);
    scene_set(scene, scene->surfaces, 0x300, format, pitch << 16 | pitch, 0, 0);
}

void scene_object(struct scene *scene, uint32_t object_class, uint32_t surface_at, uint32_t operation_at,
                  uint32_t operation) {
    assert_true(engine_rig_bind(&scene->rig, scene->id, 0, object_class));
    scene_send(scene, surface_at, scene->surfaces);
    scene_send(scene, operation_at, operation);
}

static uint64_t address(const struct scene *scene, unsigned x, unsigned y) {
    return SCENE_MEMORY + (uint64_t)y * scene->pitch + (uint64_t)x * scene->bytes;
}

uint32_t scene_pixel(struct scene *scene, unsigned x, unsigned y) {
    uint64_t at = address(scene, x, y);
    uint32_t word = engine_rig_rd32(&scene->rig, at & ~UINT64_C(3)) >> 8 * (at & 3);
    return scene->bytes == 4 ? word : word & ((1u << 8 * scene->bytes) - 1);
}

void scene_put(struct scene *scene, unsigned x, unsigned y, uint32_t pixel) {
    uint64_t at = address(scene, x, y);
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    uint8_t bytes[4];
    store_le32(bytes, pixel);
    assert_true(memory_write(&scene->rig.memory, &vram, at, bytes, scene->bytes, NULL));
}

unsigned scene_count(struct scene *scene, unsigned width, unsigned height, uint32_t pixel) {
    unsigned count = 0;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++)
            count += scene_pixel(scene, x, y) == pixel;
    return count;
}
