/* SPDX-License-Identifier: MIT */
/*
 * What programs of Vulkan stand on: a device with all of its features, short ways to make what a program needs on it, and
 * comparisons of words. A program that goes wrong, or cannot be run here, ends its process with a message, so that none of
 * these has a result that says so. What they make ends with the rig.
 *
 *   main.c   one of programs.def in a process: rig_open(), program, rig_close()
 *   device.c    the device: features.def and calls.def say what is asked for
 *   kept.c      what has been made, and the end of it
 *   memory.c    buffers          image.c     images, their contents       commands.c  commands, barriers, submissions
 *   sparse.c    memory of sparse buffers and images
 *   descriptors.c                compute.c   kernels: compute pipelines   graphics.c  draws: graphics pipelines, frames
 *   check.c     comparisons, failing and skipping
 */
#ifndef TESTS_VULKAN_RIG_H
#define TESTS_VULKAN_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* How long work may take, in nanoseconds. The model is some thousand times slower than a card. */
#define PATIENCE UINT64_C(100000000000)

/* Exit statuses. */
enum { ENDED_RIGHT = 0, ENDED_WRONG = 1, ENDED_UNUSABLE = 2, ENDED_SKIPPED = 77 };

/* ---- check.c ---- */

/* Ends the program. Prints a line "NAME: message". */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends the program: it cannot be run here, for want of this. */
_Noreturn void skip_without(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Of the program, for messages. */
void name_program(const char *name);

/* The result of a call must be VK_SUCCESS. */
#define MUST(call) must((call), #call)
void must(VkResult result, const char *call);

/* The first word that differs is shown, and how many do. */
void check_words(const char *what, const uint32_t *words, const uint32_t *wanted, size_t count);
void check_longs(const char *what, const uint64_t *longs, const uint64_t *wanted, size_t count);
void check_bytes(const char *what, const void *bytes, const void *wanted, size_t count);
/* All words are this. */
void check_filled(const char *what, const uint32_t *words, uint32_t wanted, size_t count);
void check_word(const char *what, uint32_t word, uint32_t wanted);
void check_true(const char *what, bool is_true);

/* Numbers that look random, always the same. */
uint32_t scrambled(uint32_t seed);
void scramble(void *bytes, size_t count, uint32_t seed);

/* ---- device.c ---- */

/* Where an extension, or the version of the device, does not have it, all of a member is zero. All others are enabled,
 * except for what makes accesses robust: that wants the option ROBUST. */
struct features {
    VkPhysicalDeviceFeatures2 core;
#define FEATURE(member, type, structure, extension, version) type member;
#include "vulkan/rig/features.def"
#undef FEATURE
};

/* What came after Vulkan 1.0, by its first or its later name. NULL: it is not there. */
struct calls {
#define CALL(name, suffix) PFN_vk##name name;
#include "vulkan/rig/calls.def"
#undef CALL
};

enum option {
    ROBUST = 1, /* with robustBufferAccess, and robustness2 if it is there */
};

struct kept; /* what has been made */

struct rig {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t family; /* of the queue: the first that does graphics and compute */
    VkQueue queue;
    VkCommandPool pool;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceDriverProperties driver;
    VkPhysicalDeviceMemoryProperties memory;
    struct features has;
    struct calls call;
    VkExtensionProperties *extensions; /* of the device; all that features.def names are enabled, and some more */
    uint32_t extensions_count;
    struct kept *kept;
    bool thread_submits; /* a submission waited for a point that had not come: rig_close() */
};

/* The device whose name contains PFIFO_VULKAN_DEVICE, or the first. */
struct rig *rig_open(unsigned options);
void rig_close(struct rig *rig);

bool rig_has_extension(const struct rig *rig, const char *name);
void need_extension(const struct rig *rig, const char *name);

/* Skips the program where the device has no such feature: NEED(rig, core.features.shaderInt64). */
#define NEED(rig, member) ((rig)->has.member ? (void)0 : skip_without("%s", #member))
/* ... or no such call: NEED_CALL(rig, CmdDrawIndirectCount). */
#define NEED_CALL(rig, name) ((rig)->call.name ? (void)0 : skip_without("vk%s", #name))

/* ---- kept.c ---- */

/* It is destroyed with the rig, before what was kept earlier. */
void keep(struct rig *rig, VkObjectType type, uint64_t handle);
#define KEEP(rig, type, handle) keep((rig), VK_OBJECT_TYPE_##type, (uint64_t)(uintptr_t)(handle))
/* Memory of the process, zeroed, freed with the rig. */
void *keep_bytes(struct rig *rig, size_t bytes);

/* ---- memory.c ---- */

struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceSize size;
    void *bytes; /* NULL: the processor does not see it */
    uint32_t *words;
};

enum {
    USUAL_USAGE =
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
};

/* All bytes of a buffer that the processor sees are this at first. */
enum { UNTOUCHED = 0xee };
#define UNTOUCHED_WORD UINT32_C(0xeeeeeeee)

/* In memory that the processor sees, and coherent. `usage`: beside the usual. */
struct buffer buffer_new(struct rig *rig, VkDeviceSize size, VkBufferUsageFlags usage);
/* In memory of the device, which the processor may not see. */
struct buffer buffer_new_local(struct rig *rig, VkDeviceSize size, VkBufferUsageFlags usage);
VkDeviceAddress buffer_address(const struct rig *rig, const struct buffer *buffer);
VkBufferView buffer_view(struct rig *rig, const struct buffer *buffer, VkFormat format);

/* The first type of memory among `types` that has the properties. Skips the program if there is none. */
uint32_t memory_type(const struct rig *rig, uint32_t types, VkMemoryPropertyFlags properties);
/* `next`: what follows the structure, or NULL. */
VkDeviceMemory memory_new(struct rig *rig, VkDeviceSize size, uint32_t type, const void *next);

/* ---- image.c ---- */

struct image_plan {
    VkFormat format;
    uint32_t dimensions;                           /* 0: 2 */
    uint32_t width, height, depth, levels, layers; /* 0: 1 */
    VkSampleCountFlagBits samples;                 /* 0: 1 */
    VkImageUsageFlags usage;                       /* beside both of transfers */
    VkImageCreateFlags flags;
    VkImageTiling tiling;
    VkImageViewType view; /* 0: as the dimensions and layers say (a view of 1D is what 1D has anyway) */
    const void *next;
    bool without_memory, without_view;
};

struct image {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;     /* of all; NULL if its usage needs none */
    VkImageLayout layout; /* of all of it, after the commands that were recorded last */
    VkImageAspectFlags aspects;
    struct image_plan plan; /* without zeros */
};

/* Skips the program where the device does not have the format for this usage. */
struct image image_new(struct rig *rig, const struct image_plan *plan);
VkImageView image_view(struct rig *rig, const struct image *image, VkImageViewType type, VkFormat format,
                       const VkImageSubresourceRange *range);
VkImageSubresourceRange image_range(const struct image *image);
VkExtent3D image_extent(const struct image *image, uint32_t level);
/* Does the device have the format for this, with optimal tiling? */
bool format_has(const struct rig *rig, VkFormat format, VkFormatFeatureFlags features);
/* Bytes of a texel in a buffer (of a block, if it is compressed: a block is 4x4). */
uint32_t format_bytes(VkFormat format, VkImageAspectFlags aspect);

/* A barrier: from the layout that it has to another one, or the same. */
void image_to(VkCommandBuffer commands, struct image *image, VkImageLayout layout);

/* The bytes of one level of one layer (all of its depth) without gaps, by a submission of its own. The image is in the
 * layout GENERAL then. */
void image_write(struct rig *rig, struct image *image, VkImageAspectFlags aspect, uint32_t level, uint32_t layer,
                 const void *bytes);
const void *image_read(struct rig *rig, struct image *image, VkImageAspectFlags aspect, uint32_t level, uint32_t layer);
size_t image_bytes(const struct image *image, VkImageAspectFlags aspect, uint32_t level);

/* ---- sparse.c ---- */

/* Skips the program where the queue gives no memory to sparse buffers and images. */
void need_sparse_binding(const struct rig *rig);
/* Each in a submission of its own, which is waited for. Opaque: by offsets in all of the image's memory. */
void sparse_bind_buffer(struct rig *rig, VkBuffer buffer, const VkSparseMemoryBind *binds, uint32_t count);
void sparse_bind_opaque(struct rig *rig, VkImage image, const VkSparseMemoryBind *binds, uint32_t count);
void sparse_bind_tiles(struct rig *rig, VkImage image, const VkSparseImageMemoryBind *binds, uint32_t count);

/* ---- commands.c ---- */

VkCommandBuffer commands_begin(struct rig *rig);
/* Ends them, and waits until they are done. The processor sees what they wrote. */
void commands_run(struct rig *rig, VkCommandBuffer commands);
/* Ends them. */
void commands_end(VkCommandBuffer commands);
/* Submits commands that have ended, and waits for them. */
void commands_submit(struct rig *rig, VkCommandBuffer commands);
/* All that was done before is seen by all that comes. */
void barrier(VkCommandBuffer commands);
VkFence fence_new(struct rig *rig, VkFenceCreateFlags flags);
void fence_wait(const struct rig *rig, VkFence fence);
VkSemaphore semaphore_new(struct rig *rig);
VkSemaphore semaphore_new_timeline(struct rig *rig, uint64_t value);

/* ---- descriptors.c ---- */

struct binding {
    VkDescriptorType type;
    uint32_t count; /* 0: 1; bytes, if it is an inline uniform block */
    VkDescriptorBindingFlags flags;
    uint32_t variable; /* how many there are of a count that may vary */
};

enum { MOST_BINDINGS = 16 };

struct descriptors {
    VkDescriptorSetLayout layout;
    VkDescriptorSet set;
    VkDescriptorType types[MOST_BINDINGS];
};

/* A set of its own, for all stages. */
struct descriptors descriptors_new(struct rig *rig, const struct binding *bindings, uint32_t count);
void put_buffer(const struct rig *rig, const struct descriptors *to, uint32_t binding, uint32_t element,
                const struct buffer *buffer);
void put_range(const struct rig *rig, const struct descriptors *to, uint32_t binding, uint32_t element,
               const struct buffer *buffer, VkDeviceSize offset, VkDeviceSize bytes);
/* In the layout GENERAL. Either may be NULL where the type has none. */
void put_image(const struct rig *rig, const struct descriptors *to, uint32_t binding, uint32_t element,
               VkImageView view, VkSampler sampler);
void put_texels(const struct rig *rig, const struct descriptors *to, uint32_t binding, uint32_t element,
                VkBufferView view);
void put_inline(const struct rig *rig, const struct descriptors *to, uint32_t binding, uint32_t offset,
                const void *bytes, uint32_t count);
/* No anisotropy, all levels; the border is transparent black. */
VkSampler sampler_new(struct rig *rig, VkFilter filter, VkSamplerAddressMode address);

/* ---- compute.c ---- */

/* A shader of shaders/, by its name there ("fill.comp") or that which meson.build gives to it. */
VkShaderModule shader_module(struct rig *rig, const char *name);

/* Specialization constants 0, 1, ..., each a word. */
struct constants {
    const uint32_t *words;
    uint32_t count;
};
#define CONSTANTS(...) ((struct constants){(const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__}))})

struct kernel_plan {
    const char *shader;
    const struct binding *bindings;
    uint32_t bindings_count;
    uint32_t push_bytes;
    struct constants constants;
    VkPipelineCreateFlags flags;
    VkPipelineShaderStageCreateFlags stage_flags;
    const void *stage_next;
    VkPipelineCache cache;
};

struct kernel {
    VkPipeline pipeline;
    VkPipelineLayout layout;
    uint32_t push_bytes;
    struct descriptors descriptors; /* set 0; none if there are no bindings */
};

struct kernel kernel_new(struct rig *rig, const struct kernel_plan *plan);
/* Its bindings are storage buffers: these, which end with NULL. */
struct kernel kernel_on(struct rig *rig, const char *shader, uint32_t push_bytes, const struct buffer *const *buffers);
#define BUFFERS(...) ((const struct buffer *const[]){__VA_ARGS__, NULL})

/* Binds it and dispatches so many groups. */
void kernel_dispatch(VkCommandBuffer commands, const struct kernel *kernel, const void *push, uint32_t x, uint32_t y,
                     uint32_t z);
void kernel_bind(VkCommandBuffer commands, const struct kernel *kernel, const void *push);
/* In a submission of its own, and waits. */
void kernel_run(struct rig *rig, const struct kernel *kernel, const void *push, uint32_t x, uint32_t y, uint32_t z);

/* ---- graphics.c ---- */

enum { MOST_COLORS = 8 };

/* What is drawn to: attachments of one size. */
struct frame {
    struct image *colors[MOST_COLORS];
    uint32_t colors_count;
    struct image *depth;            /* and stencil; or NULL */
    uint32_t width, height, layers; /* layers, 0: 1 */
    uint32_t view_mask;
    bool load; /* keeps what is there; else it is cleared */
    VkClearColorValue clear[MOST_COLORS];
    VkClearDepthStencilValue clear_depth;
    VkRenderPass pass; /* NULL: dynamic rendering. frame_use_pass() makes one. */
    VkFramebuffer framebuffer;
};

/* From then on, the frame is drawn by a render pass with one subpass. */
void frame_use_pass(struct rig *rig, struct frame *frame);
/* Without a pass the program is skipped where there is no dynamic rendering. Attachments are in the layout GENERAL. */
void frame_begin(const struct rig *rig, VkCommandBuffer commands, const struct frame *frame);
void frame_end(const struct rig *rig, VkCommandBuffer commands, const struct frame *frame);

struct draws_plan {
    const char *vertex, *control, *evaluation, *geometry, *fragment; /* shaders; NULL: none */
    struct constants constants;                                      /* of all stages */
    const struct frame *frame;                                       /* formats, samples, views and size */
    VkPrimitiveTopology topology;
    uint32_t patch_points;
    const VkVertexInputBindingDescription *vertex_bindings;
    uint32_t vertex_bindings_count;
    const VkVertexInputAttributeDescription *attributes;
    uint32_t attributes_count;
    const struct binding *bindings;
    uint32_t bindings_count;
    VkDescriptorSetLayout set_layout; /* NULL: a set of the bindings is made */
    uint32_t push_bytes;
    /* NULL, or 0: as usual. No culling; viewport and scissors are the frame; no depth test; all colours written. */
    const VkPipelineVertexInputStateCreateInfo *vertex_input; /* instead of the bindings and attributes */
    const VkPipelineInputAssemblyStateCreateInfo *assembly;
    const VkPipelineTessellationStateCreateInfo *tessellation;
    const VkPipelineViewportStateCreateInfo *viewport;
    const VkPipelineRasterizationStateCreateInfo *raster;
    const VkPipelineMultisampleStateCreateInfo *multisample;
    const VkPipelineDepthStencilStateCreateInfo *depth;
    const VkPipelineColorBlendStateCreateInfo *blend;
    const VkDynamicState *dynamic;
    uint32_t dynamic_count;
    VkPipelineCreateFlags flags;
    uint32_t subpass; /* of the frame's pass */
};

struct draws {
    VkPipeline pipeline;
    VkPipelineLayout layout;
    uint32_t push_bytes;
    struct descriptors descriptors; /* set 0; none if there are no bindings */
};

struct draws draws_new(struct rig *rig, const struct draws_plan *plan);
void draws_bind(VkCommandBuffer commands, const struct draws *draws, const void *push);

#endif
