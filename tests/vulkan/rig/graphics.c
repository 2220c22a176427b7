/* SPDX-License-Identifier: MIT */
#include "vulkan/rig/pipeline.h"

enum { MOST_STAGES = 5 };

/* ---- frames ---- */

static uint32_t layers_of(const struct frame *frame) {
    return frame->layers ? frame->layers : 1;
}

static VkAttachmentDescription attachment(const struct frame *frame, const struct image *image) {
    const VkAttachmentLoadOp load = frame->load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR;
    return (VkAttachmentDescription){.format = image->plan.format,
                                     .samples = image->plan.samples,
                                     .loadOp = load,
                                     .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                     .stencilLoadOp = load,
                                     .stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE,
                                     .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                     .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
}

static uint32_t list_attachments(const struct frame *frame, VkAttachmentDescription *attachments, VkImageView *views) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < frame->colors_count; i++) {
        views[count] = frame->colors[i]->view;
        attachments[count++] = attachment(frame, frame->colors[i]);
    }
    if (frame->depth) {
        views[count] = frame->depth->view;
        attachments[count++] = attachment(frame, frame->depth);
    }
    return count;
}

static void make_pass(struct rig *rig, struct frame *frame, const VkAttachmentDescription *attachments,
                      uint32_t count) {
    VkAttachmentReference colors[MOST_COLORS];
    const VkAttachmentReference depth = {frame->colors_count, VK_IMAGE_LAYOUT_GENERAL};
    for (uint32_t i = 0; i < frame->colors_count; i++)
        colors[i] = (VkAttachmentReference){i, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .colorAttachmentCount = frame->colors_count,
                                          .pColorAttachments = colors,
                                          .pDepthStencilAttachment = frame->depth ? &depth : NULL};
    const VkRenderPassMultiviewCreateInfo views = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
                                                   .subpassCount = 1,
                                                   .pViewMasks = &frame->view_mask};
    const VkRenderPassCreateInfo create = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                           .pNext = frame->view_mask ? &views : NULL,
                                           .attachmentCount = count,
                                           .pAttachments = attachments,
                                           .subpassCount = 1,
                                           .pSubpasses = &subpass};
    MUST(vkCreateRenderPass(rig->device, &create, NULL, &frame->pass));
    KEEP(rig, RENDER_PASS, frame->pass);
}

void frame_use_pass(struct rig *rig, struct frame *frame) {
    VkAttachmentDescription attachments[MOST_COLORS + 1];
    VkImageView views[MOST_COLORS + 1];
    const uint32_t count = list_attachments(frame, attachments, views);
    make_pass(rig, frame, attachments, count);
    const VkFramebufferCreateInfo create = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                            .renderPass = frame->pass,
                                            .attachmentCount = count,
                                            .pAttachments = views,
                                            .width = frame->width,
                                            .height = frame->height,
                                            .layers = layers_of(frame)};
    MUST(vkCreateFramebuffer(rig->device, &create, NULL, &frame->framebuffer));
    KEEP(rig, FRAMEBUFFER, frame->framebuffer);
}

static void begin_pass(VkCommandBuffer commands, const struct frame *frame) {
    VkClearValue clear[MOST_COLORS + 1];
    for (uint32_t i = 0; i < frame->colors_count; i++)
        clear[i].color = frame->clear[i];
    clear[frame->colors_count].depthStencil = frame->clear_depth;
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = frame->pass,
                                         .framebuffer = frame->framebuffer,
                                         .renderArea = {{0, 0}, {frame->width, frame->height}},
                                         .clearValueCount = frame->colors_count + (frame->depth ? 1 : 0),
                                         .pClearValues = clear};
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
}

static VkRenderingAttachmentInfo rendering_attachment(const struct frame *frame, const struct image *image) {
    return (VkRenderingAttachmentInfo){.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                       .imageView = image->view,
                                       .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                       .loadOp = frame->load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
                                       .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
}

static void begin_rendering(const struct rig *rig, VkCommandBuffer commands, const struct frame *frame) {
    VkRenderingAttachmentInfo colors[MOST_COLORS], depth = {0};
    NEED(rig, rendering.dynamicRendering);
    for (uint32_t i = 0; i < frame->colors_count; i++) {
        colors[i] = rendering_attachment(frame, frame->colors[i]);
        colors[i].clearValue.color = frame->clear[i];
    }
    if (frame->depth) {
        depth = rendering_attachment(frame, frame->depth);
        depth.clearValue.depthStencil = frame->clear_depth;
    }
    const VkImageAspectFlags aspects = frame->depth ? frame->depth->aspects : 0;
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {frame->width, frame->height}},
        .layerCount = layers_of(frame),
        .viewMask = frame->view_mask,
        .colorAttachmentCount = frame->colors_count,
        .pColorAttachments = colors,
        .pDepthAttachment = aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? &depth : NULL,
        .pStencilAttachment = aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? &depth : NULL,
    };
    rig->call.CmdBeginRendering(commands, &rendering);
}

void frame_begin(const struct rig *rig, VkCommandBuffer commands, const struct frame *frame) {
    for (uint32_t i = 0; i < frame->colors_count; i++)
        image_to(commands, frame->colors[i], VK_IMAGE_LAYOUT_GENERAL);
    if (frame->depth)
        image_to(commands, frame->depth, VK_IMAGE_LAYOUT_GENERAL);
    if (frame->pass)
        begin_pass(commands, frame);
    else
        begin_rendering(rig, commands, frame);
}

void frame_end(const struct rig *rig, VkCommandBuffer commands, const struct frame *frame) {
    if (frame->pass)
        vkCmdEndRenderPass(commands);
    else
        rig->call.CmdEndRendering(commands);
    barrier(commands);
}

/* ---- pipelines ---- */

static uint32_t list_stages(struct rig *rig, const struct draws_plan *plan, const VkSpecializationInfo *constants,
                            VkPipelineShaderStageCreateInfo *stages) {
    const struct {
        const char *shader;
        VkShaderStageFlagBits stage;
    } all[MOST_STAGES] = {{plan->vertex, VK_SHADER_STAGE_VERTEX_BIT},
                          {plan->control, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
                          {plan->evaluation, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
                          {plan->geometry, VK_SHADER_STAGE_GEOMETRY_BIT},
                          {plan->fragment, VK_SHADER_STAGE_FRAGMENT_BIT}};
    uint32_t count = 0;
    for (size_t i = 0; i < MOST_STAGES; i++)
        if (all[i].shader)
            stages[count++] =
                (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .stage = all[i].stage,
                                                  .module = shader_module(rig, all[i].shader),
                                                  .pName = "main",
                                                  .pSpecializationInfo = constants};
    return count;
}

/* Attachments that are drawn to without a render pass. */
static VkPipelineRenderingCreateInfo formats_of(const struct frame *frame, VkFormat *formats) {
    const VkImageAspectFlags aspects = frame->depth ? frame->depth->aspects : 0;
    const VkFormat depth = frame->depth ? frame->depth->plan.format : VK_FORMAT_UNDEFINED;
    for (uint32_t i = 0; i < frame->colors_count; i++)
        formats[i] = frame->colors[i]->plan.format;
    return (VkPipelineRenderingCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .viewMask = frame->view_mask,
        .colorAttachmentCount = frame->colors_count,
        .pColorAttachmentFormats = formats,
        .depthAttachmentFormat = aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? depth : VK_FORMAT_UNDEFINED,
        .stencilAttachmentFormat = aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? depth : VK_FORMAT_UNDEFINED};
}

static VkSampleCountFlagBits samples_of(const struct frame *frame) {
    if (frame->colors_count)
        return frame->colors[0]->plan.samples;
    return frame->depth ? frame->depth->plan.samples : VK_SAMPLE_COUNT_1_BIT;
}

/* What is as usual where a plan says nothing. */
struct usual {
    VkPipelineVertexInputStateCreateInfo vertex_input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkPipelineTessellationStateCreateInfo tessellation;
    VkViewport area;
    VkRect2D scissors;
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineRasterizationStateCreateInfo raster;
    VkPipelineMultisampleStateCreateInfo multisample;
    VkPipelineDepthStencilStateCreateInfo depth;
    VkPipelineColorBlendAttachmentState written[MOST_COLORS];
    VkPipelineColorBlendStateCreateInfo blend;
    VkPipelineDynamicStateCreateInfo dynamic;
};

static void fill_input(struct usual *usual, const struct draws_plan *plan) {
    usual->vertex_input =
        (VkPipelineVertexInputStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                               .vertexBindingDescriptionCount = plan->vertex_bindings_count,
                                               .pVertexBindingDescriptions = plan->vertex_bindings,
                                               .vertexAttributeDescriptionCount = plan->attributes_count,
                                               .pVertexAttributeDescriptions = plan->attributes};
    usual->assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = plan->topology};
    usual->tessellation = (VkPipelineTessellationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = plan->patch_points};
    usual->dynamic = (VkPipelineDynamicStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                        .dynamicStateCount = plan->dynamic_count,
                                                        .pDynamicStates = plan->dynamic};
}

static void fill_raster(struct usual *usual, const struct frame *frame) {
    usual->area = (VkViewport){0, 0, (float)frame->width, (float)frame->height, 0, 1};
    usual->scissors = (VkRect2D){{0, 0}, {frame->width, frame->height}};
    usual->viewport =
        (VkPipelineViewportStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                            .viewportCount = 1,
                                            .pViewports = &usual->area,
                                            .scissorCount = 1,
                                            .pScissors = &usual->scissors};
    usual->raster = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    usual->multisample = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = samples_of(frame)};
    usual->depth =
        (VkPipelineDepthStencilStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    for (uint32_t i = 0; i < frame->colors_count; i++)
        usual->written[i].colorWriteMask =
            VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
    usual->blend =
        (VkPipelineColorBlendStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                              .attachmentCount = frame->colors_count,
                                              .pAttachments = usual->written};
}

static void make_pipeline(struct rig *rig, const struct draws_plan *plan, struct draws *draws) {
    VkPipelineShaderStageCreateInfo stages[MOST_STAGES];
    VkFormat formats[MOST_COLORS];
    struct specialization with;
    struct usual usual = {0};
    fill_input(&usual, plan);
    fill_raster(&usual, plan->frame);
    const VkPipelineRenderingCreateInfo rendering = formats_of(plan->frame, formats);
    const VkGraphicsPipelineCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = plan->frame->pass ? NULL : &rendering,
        .flags = plan->flags,
        .stageCount = list_stages(rig, plan, specialization_fill(&with, &plan->constants), stages),
        .pStages = stages,
        .pVertexInputState = plan->vertex_input ? plan->vertex_input : &usual.vertex_input,
        .pInputAssemblyState = plan->assembly ? plan->assembly : &usual.assembly,
        .pTessellationState = plan->tessellation ? plan->tessellation : &usual.tessellation,
        .pViewportState = plan->viewport ? plan->viewport : &usual.viewport,
        .pRasterizationState = plan->raster ? plan->raster : &usual.raster,
        .pMultisampleState = plan->multisample ? plan->multisample : &usual.multisample,
        .pDepthStencilState = plan->depth ? plan->depth : &usual.depth,
        .pColorBlendState = plan->blend ? plan->blend : &usual.blend,
        .pDynamicState = &usual.dynamic,
        .layout = draws->layout,
        .renderPass = plan->frame->pass,
        .subpass = plan->subpass};
    MUST(vkCreateGraphicsPipelines(rig->device, NULL, 1, &create, NULL, &draws->pipeline));
    KEEP(rig, PIPELINE, draws->pipeline);
}

struct draws draws_new(struct rig *rig, const struct draws_plan *plan) {
    struct draws draws = {.push_bytes = plan->push_bytes};
    if (!plan->frame->pass)
        NEED(rig, rendering.dynamicRendering);
    if (plan->geometry)
        NEED(rig, core.features.geometryShader);
    if (plan->control)
        NEED(rig, core.features.tessellationShader);
    if (plan->set_layout)
        draws.descriptors.layout = plan->set_layout;
    else if (plan->bindings_count)
        draws.descriptors = descriptors_new(rig, plan->bindings, plan->bindings_count);
    draws.layout = pipeline_layout(rig, draws.descriptors.layout, VK_SHADER_STAGE_ALL_GRAPHICS, plan->push_bytes);
    make_pipeline(rig, plan, &draws);
    return draws;
}

void draws_bind(VkCommandBuffer commands, const struct draws *draws, const void *push) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws->pipeline);
    if (draws->descriptors.set)
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws->layout, 0, 1, &draws->descriptors.set,
                                0, NULL);
    if (draws->push_bytes && push)
        vkCmdPushConstants(commands, draws->layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, draws->push_bytes, push);
}
